/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Going back to what was: what undo.c shares with differ.c (what is not as it was), back.c (the plan that leads
 * back), rehang.c (addresses and routes), left.c (what cannot be undone), settle.c (the same after a success,
 * with settle-rows.c).
 */
#ifndef LB_UNDO_H
#define LB_UNDO_H

#include "plan.h"

#define LB_TRIES 30 /* what has to wait is looked at so often */
#define LB_PAUSE_MS 100

/* --- differ.c --- */

struct lb_view {
	const struct libbond_plan *plan;
	struct lb_device *device; /* as it was and what was done */
	const struct libbond_link *now;
	struct libbond_config *wants; /* what must be set to go back */
	struct libbond_report *report;
	bool first;   /* nothing has been undone yet: what is not ours is somebody else's */
	bool telling; /* nothing will be done any more */
	bool *later;  /* set where the slave that was active has not got its link back yet; may be NULL */
};

/* Everything in which a device is not what it was, as far as we can have done it, becomes a want. -ENOMEM. */
int lb_compare_device(struct lb_view *view);
/* Whether our steps can have changed a row. */
bool lb_is_touched(const struct libbond_plan *plan, const struct lb_device *device, const struct libbond_attr *attr);
/* Whether a row that got this value last has it still, unless another program has written it since. */
bool lb_stays_as_sent(const struct libbond_config *sent, const struct lb_want *value);
/* A row is as it is to be, and none of our steps is to come that changes it: who does is another. */
void lb_note_holds(struct lb_device *device, const struct libbond_attr *attr, const struct lb_value *value);
/* Whether a value that resets others was sent to the device. */
bool lb_resets_sent(const struct lb_device *device);
/* Whether the driver takes no address for a bond as it is, but that of a slave: fail_over_mac. */
bool lb_has_slaves_address(const struct libbond_link *bond);
/* The value of a row; one that is reported only when it is set has none where it is not. false: nobody knows. */
bool lb_row_value(const struct libbond_link *link, const struct libbond_attr *attr, struct lb_value *value);
/* Whether the driver moves a row by itself when a bond fails over. */
bool lb_moves_by_itself(const struct libbond_link *link, const struct libbond_attr *attr);
/* The master of a device before our first step, 0 for none. */
unsigned lb_master_then(const struct lb_device *device);
/* Say that a row is what another program has made it. -ENOMEM. */
int lb_tell_foreign(struct libbond_report *report, const struct lb_device *device, const struct lb_want *now);
/* Whether two values of a row are the same; of a LINK: the same device. */
bool lb_same_value(const struct libbond_attr *attr, const struct lb_value *a, const struct lb_value *b);

/* --- back.c --- */

/* The devices of a plan, and the slaves of its bonds, as they are now. */
int lb_read_now(struct libbond *handle, const struct libbond_plan *plan, struct libbond_snapshot **now,
                struct libbond_error *err);
/* Whether a device has the index of another: it is of another kind, or the other was deleted by us and it has not
 * that one's name. Another bond under another name is taken for the same one, renamed. */
bool lb_is_another(const struct lb_device *device, const struct libbond_link *link);
/* A device as it is now, NULL if it is gone: also where another has got its index. */
const struct libbond_link *lb_link_now(const struct libbond_snapshot *now, const struct lb_device *device);
/* The plan that leads back; without steps when all is as it was. first: nothing has been undone yet. *later becomes
 * true if something cannot be put back yet. */
int lb_plan_back(struct libbond *handle, struct libbond_plan *plan, bool first, struct libbond_plan **back,
                 bool *later, struct libbond_error *err);

/* --- settle-rows.c --- */

/* Put the values back that the steps have cost and that are not there. How many are missing still, or -errno. */
int lb_settle_rows(struct libbond *handle, struct libbond_plan *plan, struct libbond_error *err);

/* --- rehang.c --- */

typedef bool lb_is_wanted(const struct libbond_plan *plan, const struct lb_record *record);

/* The records of the plan as they are now. */
int lb_records_now(struct libbond *handle, const struct libbond_plan *plan, struct lb_records *now,
                   struct libbond_error *err);
/* Make again what is wanted and missing, until nothing is. Returns how many are missing still, or -errno. */
int lb_rehang(struct libbond *handle, struct libbond_plan *plan, lb_is_wanted *wanted, struct libbond_error *err);

/* --- unmade.c --- */

#define LB_UNMADE 7

/* A thing, by its number, that a bond had and has not since it was made again; NULL if it has it, or had none. */
const char *lb_unmade(size_t number, const struct libbond_link *then, const struct libbond_link *now);

/* --- left.c --- */

/* Whether our steps can have changed what hangs on a device. */
bool lb_has_changed(const struct libbond_plan *plan, unsigned ifindex);
/* Whether our steps can have cost a record. */
lb_is_wanted lb_was_at_stake;
/* Say which bonds have another random address, where nothing else was done. */
void lb_tell_redrawn(const struct libbond_plan *plan, const struct libbond_snapshot *now);
/* Say what is not as it was, from what is now; missing: records may be among it. 1 if there is something, 0, -errno.
 */
int lb_tell_left(struct libbond *handle, const struct libbond_plan *plan, const struct libbond_snapshot *now,
                 bool missing, struct libbond_error *err);

#endif
