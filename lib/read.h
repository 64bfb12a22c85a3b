/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reading links: what the changes need of read.c beside the public reads. */
#ifndef LB_READ_H
#define LB_READ_H

#include "handle.h"
#include "snapshot.h"

/* A device asked for by name, and what was found: NULL if there is none. */
struct lb_lookup {
	const char *name;
	const struct libbond_link *link;
};

/*
 * Look up devices by name or alternative name, all in one round trip (one for every 16), without counters.
 * A name that is not there is no failure. With "slaves_of" set, the slaves of the first device found are
 * read as well, which is a second round trip.
 */
int lb_read_names(struct libbond *handle, struct lb_lookup *lookups, size_t count, bool slaves_of_first,
                  struct libbond_snapshot **out, struct libbond_error *err);
/* Look up devices by interface index in one round trip, without counters; those that are gone are absent. */
int lb_read_indexes(struct libbond *handle, const unsigned *indexes, size_t count, struct libbond_snapshot **out,
                    struct libbond_error *err);

/* "no device named X", with cause and device filled. Returns -ENODEV. */
int lb_fail_no_device(const char *name, struct libbond_error *err);
/* "X is not a bond", with what it is. Returns -EOPNOTSUPP. */
int lb_fail_not_a_bond(const struct libbond_link *link, struct libbond_error *err);

#endif
