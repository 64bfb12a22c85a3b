/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Doing a plan: what run.c shares with send.c, wait.c and readback.c. */
#ifndef LB_RUN_H
#define LB_RUN_H

#include "plan.h"

/* --- send.c --- */

/* Send steps in one datagram, and mark the report. The first that is refused is plan->refused. */
int lb_send_steps(struct libbond *handle, struct libbond_plan *plan, struct lb_step *steps, size_t count,
                  struct libbond_error *err);

/* --- look.c --- */

#define LB_LOOKS 16 /* in one datagram; their answers are large: LB_GETS_MAX */

/* A slave that is about to be moved: where it was, as far as the plan knows, and where the kernel says it is. */
struct lb_look {
	struct lb_device *device;
	unsigned expected, master;
};

/* The devices that steps move, the first of them; returns how many. */
size_t lb_looks_at(const struct lb_step *steps, size_t count, struct lb_look looks[LB_LOOKS]);
/* Takes the answer, as a receiver of lb_exchange(). */
int lb_take_look(const struct nlmsghdr *nlh, void *context);
/* Cause OVERRIDDEN if another program has moved one since, and then it goes back there when all is undone. */
int lb_judge_looks(struct libbond *handle, struct libbond_plan *plan, const struct lb_look *looks, size_t count,
                   struct libbond_error *err);

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
