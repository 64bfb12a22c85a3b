/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Who is a slave of which bond afterwards. */
#ifndef LB_MEMBERS_H
#define LB_MEMBERS_H

#include "plan.h"

/*
 * Take the wishes for slaves into the devices: "wanted", "replaces". The devices are found by the lookups, which are
 * in the order of the change. Causes: NO_DEVICE, NOT_A_SLAVE, HAS_MASTER, CONFLICT.
 */
int lb_members_want(struct libbond_plan *plan, const struct libbond_change *change, struct libbond_error *err);

#endif
