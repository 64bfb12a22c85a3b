/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * From what is wanted to what will be sent: names become interface indexes, edits become lists, what holds
 * already drops out, and what the table and the state refuse is refused. Nothing here talks to the kernel.
 */
#ifndef LB_PREPARE_H
#define LB_PREPARE_H

#include "read.h"
#include "report.h"

/* What is wanted of one device: its own copy of the config, from which things drop out. */
struct lb_work {
	const char *device;              /* canonical name */
	const struct libbond_link *link; /* NULL while it is being created */
	struct libbond_config *config;
	bool lenient; /* LIBBOND_BOND_LENIENT */
};

/* The state that wanted values are judged by: of a bond that is there, or that will be. */
struct lb_state {
	const struct libbond_link *bond; /* NULL while it is being created */
	const char *name;
	unsigned mode; /* as it will be: wanted, else present; LIBBOND_MODES where that is not known */
	bool up;       /* and it is not wanted down */
	bool mode_changes;
	bool joins;      /* a slave, which may be one that is remembered as primary */
	bool no_address; /* of a hardware type without any */
	size_t slaves;   /* that are there and stay */
	int64_t miimon;  /* as it will be, -1 where that is not known */
	int64_t arp_interval;
	int64_t fail_over_mac;
	int64_t queues;
	bool undoing;   /* what the old mode takes is set before it is left */
	bool may_cycle; /* what forces the bond down, or its slaves out, is noted here and not refused */
	const struct libbond_attr *down_for, *empty_for;
};

/* The state of a bond (NULL: to be created under this name) if it gets this config (may be NULL). */
struct lb_state lb_state_of(const struct libbond_link *bond, const char *name, const struct libbond_config *config);

/* Number of LINK values with a name in a config, and those names as lookups from "out" on (out may be NULL). */
size_t lb_config_links(const struct libbond_config *config, struct lb_lookup *out);

/*
 * Start work on a device: copy the config and enter its values in the report. The values must be of the
 * scopes that the device takes: BOND and LINK, or of a slave SLAVE and some of LINK. -EINVAL with cause BAD_ATTR,
 * -ENOMEM. Free work->config with libbond_config_free().
 */
int lb_work_start(struct lb_work *work, const char *device, const struct libbond_link *link, bool of_slave,
                  const struct libbond_config *config, struct libbond_report *report, struct libbond_error *err);
/*
 * Make it ready to send: resolve names among the lookups, apply edits, round delays, drop what holds
 * already (marked unchanged), then check the rest (check.h). 0, or -errno with err filled.
 */
int lb_work_ready(struct lb_work *work, struct lb_state *state, const struct lb_lookup *lookups, size_t count,
                  struct libbond_report *report, struct libbond_error *err);

/* bond_set_mac_address(): whether a value is the address of a bond that has a slave's, fail_over_mac: the driver
 * takes none, with success. */
bool lb_is_followed(const struct lb_want *want, const struct lb_state *state);

#endif
