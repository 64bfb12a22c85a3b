/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Doing a plan: what run.c shares with send.c, wait.c and readback.c. */
#ifndef LB_RUN_H
#define LB_RUN_H

#include "plan.h"

/* --- send.c --- */

/* Send steps in one datagram, and mark the report. The first that is refused is plan->refused. */
int lb_send_steps(struct libbond *handle, struct libbond_plan *plan, struct lb_step *steps, size_t count,
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
