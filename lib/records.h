/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What hangs on devices and is lost when they go down: IPv6 addresses, routes, permanent neighbours, nexthop
 * objects. Recorded as the kernel reported it, so that it can be sent again.
 */
#ifndef LB_RECORDS_H
#define LB_RECORDS_H

#include "handle.h"
#include "record.h"

struct lb_records {
	struct lb_record **records; /* in the kernel's order */
	size_t count, room;
	size_t indexed;                     /* so many of them are in the index: */
	struct lb_record **alike, **rivals; /* by hash and by key, chained in the same order */
	size_t buckets;                     /* of each, a power of two; 0: there is no index yet */
};

/* A device to record, and which classes of things. */
struct lb_record_ask {
	unsigned ifindex;
	unsigned classes; /* LB_RECORD_BIT() */
};

/*
 * Record what hangs on devices and does not come back by itself, as what the kernel makes from an address does. Added
 * to "records"; as many dumps as classes and devices, in as few round trips as the kernel takes: one where there is
 * nothing to record.
 */
int lb_records_read(struct libbond *handle, const struct lb_record_ask *asks, size_t count,
                    struct lb_records *records, struct libbond_error *err);
/* Add one, which is taken over unless this fails. -ENOMEM. */
int lb_records_add(struct lb_records *records, struct lb_record *record);
/* Have the kernel remove what a record is of; that it refuses is no failure. */
int lb_record_remove(struct libbond *handle, const struct lb_record *record, struct libbond_error *err);
void lb_records_free(struct lb_records *records);
/* The same thing in another record, NULL if it is not there. */
struct lb_record *lb_records_find(const struct lb_records *records, const struct lb_record *record);
/* The first that is alike or a rival, in the kernel's order; after one of these: the next. NULL: there is none. */
struct lb_record *lb_records_alike(const struct lb_records *records, const struct lb_record *to,
                                   const struct lb_record *after);
struct lb_record *lb_records_rival(const struct lb_records *records, const struct lb_record *of,
                                   const struct lb_record *after);
/* Whether a group has one of the nexthops that have been recorded of a device. */
bool lb_records_has_member(const struct lb_records *records, const struct lb_record *group, unsigned ifindex);

#endif
