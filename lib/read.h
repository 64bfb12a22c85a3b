/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reading links: what the changes need of read.c beside the public reads. */
#ifndef LB_READ_H
#define LB_READ_H

#include "handle.h"
#include "snapshot.h"

/* What is wanted of a device beside itself. */
enum lb_also {
	LB_ALSO_SLAVES = 1 << 0,         /* if it is a bond: its slaves, in the driver's order */
	LB_ALSO_SLAVES_IF_DARK = 1 << 2, /* the same, unless it has carrier, and so has slaves */
	LB_ALSO_MASTER = 1 << 1          /* its master, and if that is a bond the slaves of that */
};

/* A device asked for by name, and what was found: NULL if there is none. */
struct lb_lookup {
	const char *name; /* NULL: by interface index */
	unsigned ifindex;
	unsigned also;
	const struct libbond_link *link;
};

/* What is wanted beside the devices asked for. */
enum lb_world {
	LB_WORLD_VLANS = 1 << 0, /* every VLAN device */
	LB_WORLD_BONDS = 1 << 1, /* every bond with its slaves, and its master */
	LB_WORLD_UPPERS = 1 << 2 /* every device that is on another: a dump of all links */
};

/*
 * Look up devices by name or alternative name, all in one round trip (one for every 16) and the VLAN devices with
 * them, without counters. A name that is not there is no failure. What else is wanted costs a round trip for each
 * bond with slaves and for the masters.
 */
int lb_read_world(struct libbond *handle, struct lb_lookup *lookups, size_t count, unsigned world,
                  struct libbond_snapshot **out, struct libbond_error *err);
/* Look up devices by interface index in one round trip, without counters; those that are gone are absent. */
int lb_read_indexes(struct libbond *handle, const unsigned *indexes, size_t count, struct libbond_snapshot **out,
                    struct libbond_error *err);

/* "no device named X", with cause and device filled. Returns -ENODEV. */
int lb_fail_no_device(const char *name, struct libbond_error *err);
/* "X is not a bond", with what it is. Returns -EOPNOTSUPP. */
int lb_fail_not_a_bond(const struct libbond_link *link, struct libbond_error *err);

#endif
