/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What the changes share: one request sent and judged, a device looked up and required to be a bond. */
#ifndef LB_CHANGE_H
#define LB_CHANGE_H

#include "answer.h"
#include "message.h"
#include "prepare.h"

/* Send one change and explain its refusal; see lb_fail_answer() for the parameters. */
int lb_send(struct libbond *handle, const struct lb_message *message, enum lb_deed deed, const char *device,
            const char *other, const struct libbond_config *config, struct libbond_error *err);

/* 0 if the lookup found a bond, else NO_DEVICE or NOT_A_BOND. */
int lb_need_bond(const struct lb_lookup *lookup, struct libbond_error *err);
/* 0 if the lookup found a slave of this bond, else NO_DEVICE or NOT_A_SLAVE. */
int lb_need_slave(const struct lb_lookup *lookup, const struct libbond_link *bond, struct libbond_error *err);
/* 0 if the lookup found a device that can be enslaved to the bond (NULL: one to be created): no master, not
 * the bond itself; 1 if it is a slave of this bond already; else NO_DEVICE, HAS_MASTER, CONFLICT. */
int lb_need_candidate(struct libbond *handle, const struct lb_lookup *lookup, const struct libbond_link *bond,
                      const char *bond_name, struct libbond_error *err);

/* 0 if device i is none of those before it, else CONFLICT. All have been found. */
int lb_need_once(const struct lb_lookup *lookups, size_t i, struct libbond_error *err);

/*
 * Enslave a device without a master: set down first if it is up. On failure it is set up again.
 * Marks the device's line in the report.
 */
int lb_enslave(struct libbond *handle, const struct libbond_link *slave, unsigned bond, const char *bond_name,
               struct libbond_report *report, struct libbond_error *err);

#endif
