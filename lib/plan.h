/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A plan: the devices of a change with what was, what is wanted and what must be put back; and the steps from one to
 * the other. Made by world.c (devices), plan.c (what is wanted), guard.c, effects.c (what it costs) and compose.c
 * (steps); done by run.c, undone by undo.c.
 */
#ifndef LB_PLAN_H
#define LB_PLAN_H

#include "change.h"
#include "prepare.h"
#include "records.h"
#include "watch.h"

enum lb_step_kind {
	LB_STEP_CREATE,
	LB_STEP_DELETE,
	LB_STEP_DOWN,
	LB_STEP_UP,
	LB_STEP_RELEASE,
	LB_STEP_ENSLAVE,
	LB_STEP_SET,
	LB_STEP_WAIT,
	LB_STEP_PUT_BACK
};

struct lb_device {
	char name[LIBBOND_ALTNAME_SIZE]; /* canonical, or as asked for what is to be created */
	unsigned ifindex;                /* 0 until it is created */
	const struct libbond_link *link; /* as it was; NULL: it is to be created */
	bool is_bond, creates, deletes, slaves_known;
	unsigned flags; /* enum libbond_bond_flag */

	struct libbond_config *named; /* every named value, resolved; never NULL */
	struct lb_work work;          /* those that do not hold */
	struct libbond_config *back;  /* others that are lost on the way and put back; never NULL */
	struct libbond_config *lost;  /* others that are lost for good, with what they will be; never NULL */

	/* as a slave */
	struct lb_device *master, *wanted; /* now and afterwards, NULL for none */
	struct lb_device *replaces;        /* it takes this one's place */
	unsigned wait_ms;

	/* as a bond */
	const struct libbond_attr *down_for, *empty_for; /* the option that forces a disruption, or NULL */
	struct lb_device **stay, **leave, **join;        /* slaves, in their order */
	struct lb_device **order; /* undoing: those that stay and join, as they were, or NULL */
	size_t order_count;
	size_t stay_count, leave_count, join_count;

	/* as one on another device, as a VLAN device is */
	struct lb_device *on;
	bool stays_open;  /* it is not closed with that */
	bool own_address; /* it has not the MAC address of that */

	bool out, placed;  /* while composing: has left its master; has its steps */
	bool leaves_first; /* while composing: a bond whose leaving slaves leave first */

	/* what has been done to it */
	struct libbond_config *sent, *sent_before; /* the last value of each row, and the one before; never NULL */
	struct libbond_config *accepted; /* the last value of each row that the kernel has taken; never NULL */
	struct libbond_config *refused;  /* rows whose value was refused once, and may hold or not; never NULL */
	struct libbond_config *seen;     /* rows that somebody else has written between the reading and our first
	                                    step: they were so; never NULL */
	struct libbond_config *returned; /* rows that are as they are to be, and we change no more; never NULL */
	struct libbond_config *foreign;  /* rows that somebody else has written since; never NULL */
	bool touched;                    /* something was sent to it */
	bool gone;                       /* it was there, and is not any more */
	bool erased;                     /* our step has deleted it */
	bool taken;                      /* a slave that another program has taken since */
	bool random;                     /* a bond whose address was drawn by the driver, and is again */
	bool moved;                      /* it has left or joined a master */
	unsigned at;                     /* its master after our last step that was accepted; 0 for none */
	bool unsure;                     /* a step about that got no answer */
	bool met;                        /* its master is one that another program gave it before our first step */
	bool regrouped;                  /* a bond: slaves of it have left or joined */
};

struct lb_step {
	enum lb_step_kind kind;
	struct lb_device *device, *bond;
	struct libbond_config *config;  /* CREATE, SET; else NULL */
	const struct lb_record *record; /* PUT_BACK */
	enum libbond_disruption disruption;
	const struct libbond_attr *because;
	unsigned wait_ms;
	bool with_next; /* sent in one datagram with the next step */
	bool optional;  /* a refusal is no failure */
	char text[LB_RECORD_TEXT];
};

/* A record that hangs on a device and is at stake, and its line of the report. */
struct lb_hanging {
	struct lb_record *record;
	size_t line;
	bool lost; /* not to be put back */
};

struct libbond_plan {
	unsigned flags; /* enum libbond_plan_flag */
	struct libbond_snapshot *before;
	struct libbond_snapshot *above; /* devices on others, where something happens to these; may be NULL */
	bool vlans_known;               /* "before" has the VLAN devices */
	struct lb_device **devices;     /* the bonds of the change first, in its order */
	size_t count;
	struct lb_lookup *lookups; /* of the values that name devices */
	size_t lookup_count;
	struct lb_record_ask *asks; /* whose records these are */
	size_t ask_count;
	struct lb_records records;
	struct lb_watch *watch; /* on what other programs do to them; NULL: nobody listens */
	bool recheck;           /* what is gone may have been made again by our steps */
	bool regroup;           /* an IPv6 route has got or lost paths: what it is now is to be read */
	bool missed;            /* something that they have done may not have been heard */
	bool goes_back;         /* what is followed is the way back, which takes addresses away again */
	struct lb_hanging *hanging;
	size_t hanging_count;
	struct lb_step *steps;
	size_t step_count;
	size_t *spoilt; /* lines about what other programs have made since, and the way back costs */
	size_t spoilt_count;
	const struct lb_step *refused; /* the first that the kernel refused, NULL for none */
	bool undoing;
	bool did;                      /* the kernel has accepted a step */
	bool done;                     /* all of it, and it has been read back */
	struct libbond_snapshot **met; /* masters that slaves have got from other programs meanwhile */
	size_t met_count;
	struct libbond_snapshot *after; /* of a plan that was done: what was then; what is another now is not ours */
	bool unsure;                    /* it may have: no answer came */
	bool disrupts;                  /* a bond goes down, or slaves out and in */
	struct libbond_report *report;  /* the caller's, may be NULL */
};

/* --- world.c --- */

/* Read what the change is about and make its devices. */
int lb_world_read(struct libbond *handle, struct libbond_plan *plan, const struct libbond_change *change,
                  struct libbond_error *err);
/* The device of a link, made if the plan has none. NULL without memory. */
struct lb_device *lb_plan_device(struct libbond_plan *plan, const struct libbond_link *link);
/* With its configs and lists, not the link. NULL is no device. */
void lb_device_free(struct lb_device *device);
struct lb_device *lb_plan_add(struct libbond_plan *plan, const char *name, const struct libbond_link *link);
/* Add to a list of devices. -ENOMEM. */
int lb_push(struct lb_device ***list, size_t *count, struct lb_device *device);
/* The device of an interface index, NULL if the plan has none. */
struct lb_device *lb_plan_find(const struct libbond_plan *plan, unsigned ifindex);

/* Keep a reading of masters that slaves have got meanwhile, until the plan ends. -ENOMEM: it is freed. */
int lb_plan_keep_met(struct libbond_plan *plan, struct libbond_snapshot *met);
/* A master that is in one of these readings, NULL if it is in none. */
const struct libbond_link *lb_plan_find_met(const struct libbond_plan *plan, unsigned ifindex);

/* --- uppers.c --- */

/* The devices on a device, and those on them: calls take for each. */
void lb_uppers_on(const struct libbond_plan *plan, unsigned ifindex,
                  void (*take)(const struct libbond_link *upper, void *context), void *context);
/* Whether a message (RTM_NEWLINK) tells of a device on one of the plan's that was not there when it was made, or has
 * been opened or closed since; then its name, and that of what it is on. */
bool lb_upper_has_changed(const struct libbond_plan *plan, const struct nlmsghdr *nlh, char name[LIBBOND_NAME_SIZE],
                          const char **base);
/* Whether a device is on another, as far as the plan knows. */
bool lb_is_on(const struct libbond_plan *plan, const struct libbond_link *link, unsigned ifindex);

/* --- fit.c --- */

/* Refuse slaves that the driver would not take as they are: hardware type, MAC address, MTU. */
int lb_check_fit(struct libbond *handle, const struct libbond_plan *plan, struct libbond_error *err);
/* Whether the first slave of a bond makes the driver set fail_over_mac. */
bool lb_forces_fail_over_mac(const struct lb_device *bond);

/* --- guard.c --- */

/* Refuse what cuts traffic or monitoring, unless forced. Cause GUARD. */
int lb_guard(const struct libbond_plan *plan, struct libbond_error *err);
/* Whether a slave can carry traffic: up, with link, and the bond thinks so too. */
bool lb_is_usable(const struct libbond_link *slave);
/* The same of a slave that stays, unless the change closes it. */
bool lb_stays_usable(const struct lb_device *slave);
size_t lb_count_staying(const struct lb_device *bond);
size_t lb_count_usable(struct lb_device *const *slaves, size_t count);

/* --- effects.c --- */

/* What the steps cost: fills "back" of the devices, reads records, says in the report what is put back or lost. */
int lb_effects(struct libbond *handle, struct libbond_plan *plan, struct libbond_error *err);

/* Say in the report what becomes of a record that the steps touch; note may be NULL. -ENOMEM. */
int lb_hang(struct libbond_plan *plan, struct lb_record *record, const char *note);

/* --- follow.c --- */

/* Listen from now on, if records of the plan are asked for and nobody listens yet. Before they are read. */
void lb_follow_start(struct libbond *handle, struct libbond_plan *plan);
/* Take in what other programs have done to addresses and routes since they were read: what is new is put back as
 * well, what has been removed is not, or not any more. Before the first step; and after steps, until nobody listens.
 * -ENOMEM, or what lb_exchange() says. */
int lb_follow_before(struct libbond *handle, struct libbond_plan *plan, struct libbond_error *err);
int lb_follow(struct libbond *handle, struct libbond_plan *plan, struct libbond_error *err);
/* Between two datagrams: what has come to a device that no step has changed yet is another program's doing, also
 * where the kernel names nobody. -ENOMEM. */
int lb_follow_between(struct libbond_plan *plan, struct libbond_error *err);
/* What has been removed is not put back by the way back of a plan either. */
void lb_follow_share(const struct libbond_plan *plan, struct libbond_plan *back);
/* Whether a record cannot be made because another program has removed what it stands on, or closed the device. It is
 * left to that, then. */
bool lb_follow_gone_along(struct libbond_plan *plan, struct lb_record *record);
/* Listen no longer; what may have been missed is said. */
void lb_follow_end(struct libbond_plan *plan);

/* Whether a bond will be of another hardware type, which resets it as a link. */
bool lb_changes_type(const struct lb_device *bond);
bool lb_joins_other_type(const struct lb_device *bond);

/* --- compose.c --- */

/* The steps from what is to what is wanted. -ENOMEM. */
int lb_compose(struct libbond_plan *plan, struct libbond_error *err);
/* Sort the slaves of the bonds into those that stay, leave and join. -ENOMEM. */
int lb_sort_slaves(struct libbond_plan *plan, struct libbond_error *err);
/* Let those who join be ready before the last usable slave leaves. */
void lb_ask_to_wait(struct libbond_plan *plan);
/* The first of those that join and are not to be down, NULL for none. */
struct lb_device *lb_first_open(const struct lb_device *bond);
/* Whether a bond must lose its slaves before its options are set, though none of them comes back. */
bool lb_must_empty(const struct lb_device *bond);
/* Who takes over from an active slave that leaves, NULL for none. */
const struct lb_device *lb_successor(const struct lb_device *bond);
/* The slave that is active now, NULL for none. */
struct lb_device *lb_active_slave(const struct libbond_plan *plan, const struct lb_device *bond);

/* --- plan.c --- */

int lb_plan_new(struct libbond_plan **out, struct libbond_error *err);
/* A SET that was refused without a word (EPERM): if the checks refuse it by what the device is now, because another
 * program has changed the ground, err says so. */
void lb_recheck(const struct lb_step *refused, const struct libbond_link *now, struct libbond_error *err);

/* --- run.c --- */

/* Do the steps up to the first that fails; the report is marked. */
int lb_run_steps(struct libbond *handle, struct libbond_plan *plan, struct libbond_error *err);

/* --- undo.c --- */

/* Go back to what was before the plan ran. err (of the failure, or NULL) gets rolled_back and what is left. 0 if all
 * is as it was. */
int lb_undo(struct libbond *handle, struct libbond_plan *plan, struct libbond_error *err);
/* After a success, by what was read back: put right what was lost all the same, say what cannot be. */
int lb_settle(struct libbond *handle, struct libbond_plan *plan, struct libbond_error *err);

#endif
