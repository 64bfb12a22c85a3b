/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Refusing what the table and the bond's state already refuse, before anything is sent. */
#ifndef LB_CHECK_H
#define LB_CHECK_H

#include "prepare.h"

/*
 * Judge every value of a config for a device (the bond of the state, or one of its slaves) in the order of
 * the driver's own checks: mode, known at all, slaves, up, then values that contradict each other. Values without
 * effect in the mode are noted in the report. The state is told what forces the bond down, where that is allowed.
 */
int lb_check(const struct lb_work *work, struct lb_state *state, struct libbond_report *report,
             struct libbond_error *err);

/* Only whether the mode to be takes the values. */
int lb_check_modes(const struct lb_work *work, struct lb_state *state, struct libbond_error *err);

#endif
