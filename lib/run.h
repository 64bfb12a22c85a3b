/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Doing a plan: what run.c shares with send.c, wait.c and readback.c. */
#ifndef LB_RUN_H
#define LB_RUN_H

#include "exchange.h"
#include "message.h"
#include "plan.h"

/* --- send.c --- */

/* Send steps in one datagram, and mark the report. The first that is refused is plan->refused. */
int lb_send_steps(struct libbond *handle, struct libbond_plan *plan, struct lb_step *steps, size_t count,
                  struct libbond_error *err);

/* --- look.c --- */

/* A device that steps are about: what the plan expects it to be, and what the kernel says just before the steps. */
struct lb_look {
	struct lb_device *device;
	bool moves;                       /* a slave that leaves or joins */
	bool regrouped;                   /* a bond: slaves of it have moved before */
	bool values;                      /* what it has should be as the plan knows it, */
	uint64_t touched[LIBBOND_SCOPES]; /* but for these rows, by their numbers: our steps may have changed them */
	unsigned expected;                /* its master, as far as the plan knows */
	struct libbond_snapshot *answers;
	const struct libbond_link *link; /* as the kernel said; NULL: no answer */
};

/* The looks before steps: bonds first, then the slaves that move. */
struct lb_looks {
	struct lb_look *look;
	size_t count;
	size_t within; /* so many of them go in the datagram of the steps, the rest just before */
	struct libbond_snapshot *answers;
};

/* The devices that steps are about. -ENOMEM. */
int lb_looks_at(struct libbond *handle, const struct libbond_plan *plan, const struct lb_step *steps, size_t count,
                struct lb_looks *looks);
/* Whether none of our steps can have changed a row before the look. */
bool lb_look_is_free(const struct lb_look *look, const struct libbond_attr *attr);
void lb_looks_end(struct lb_looks *looks);
/* The requests of those that go with the steps; as many messages as "within" says. */
void lb_looks_put(struct lb_looks *looks, struct lb_message *messages, struct lb_request *requests);
/* Take those that there is no room for with the steps. That it fails is no failure of the steps. */
void lb_looks_before(struct libbond *handle, struct lb_looks *looks);
/* After the steps. Cause OVERRIDDEN if another program has moved one since the plan, and then it goes back there when
 * all is undone; or if the steps have overwritten what another program has set since. On the way back nothing fails:
 * the next pass goes by what was seen. */
int lb_judge_looks(struct libbond *handle, struct libbond_plan *plan, const struct lb_looks *looks,
                   struct libbond_error *err);

/* The steps may not have been answered, or not done: what was seen before them was so all the same. */
void lb_learn_looks(struct libbond_plan *plan, const struct lb_looks *looks);

/* A slave was another master's, 0 for none, when it was moved: it belongs there when all is undone. -ENOMEM. */
int lb_adopt_master(struct libbond_plan *plan, struct lb_device *device, unsigned ifindex);

/* --- look-values.c --- */

/* What was seen and is not what the plan was made for: that is what an undo goes back to, and what is put back after
 * a success where the steps cost it. Cause OVERRIDDEN if the change names it, and has written over it. */
int lb_judge_values(struct libbond_plan *plan, const struct lb_look *look, struct libbond_error *err);

/* --- wait.c --- */

/* Until a new slave can carry traffic. Cause TIMEOUT or CANCELLED. */
int lb_wait_for(struct libbond *handle, const struct lb_step *step, struct libbond_error *err);
/* Until a device on another has come up with that; one that does not is no failure. */
int lb_wait_to_rise(struct libbond *handle, const struct lb_step *step, struct libbond_error *err);
/* "interrupted", cause CANCELLED. */
int lb_fail_cancelled(struct libbond_error *err);

/* --- readback.c --- */

/* Read the devices that got something, and judge them. *out is to be freed by the caller; it is set on success. */
int lb_read_back(struct libbond *handle, struct libbond_plan *plan, struct libbond_snapshot **out,
                 struct libbond_error *err);

#endif
