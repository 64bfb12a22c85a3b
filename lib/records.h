/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What hangs on a device and is lost when it goes down: IPv6 addresses, routes, permanent neighbours, nexthop
 * objects. Recorded as the kernel reported it, so that it can be sent again.
 */
#ifndef LB_RECORDS_H
#define LB_RECORDS_H

#include "message.h"
#include "handle.h"

enum lb_record_class {
	LB_RECORD_ADDRESS,
	LB_RECORD_NEXTHOP,
	LB_RECORD_GROUP, /* of nexthops: it loses one that is lost */
	LB_RECORD_ROUTE4,
	LB_RECORD_ROUTE6,
	LB_RECORD_NEIGHBOR,
	LB_RECORD_PROXY, /* a neighbour that is answered for */
	LB_RECORD_CLASSES
};
#define LB_RECORD_BIT(class) (1u << (class))
#define LB_RECORD_ALL (LB_RECORD_BIT(LB_RECORD_CLASSES) - 1)

#define LB_RECORD_TEXT 160

/* One thing that hangs on a device: the request that makes it again. */
struct lb_record {
	enum lb_record_class class;
	unsigned ifindex;
	uint8_t family;
	uint32_t hash; /* of what lasts: most that differ are told apart by it */
	_Alignas(8) char message[];
};

struct lb_records {
	struct lb_record **records;
	size_t count, room;
};

/* A device to record, and which classes of things. */
struct lb_record_ask {
	unsigned ifindex;
	unsigned classes; /* LB_RECORD_BIT() */
};

/*
 * Record what hangs on devices and does not come back by itself: neither what the kernel makes from an address, nor
 * temporary addresses. Added to "records"; as many dumps as classes and devices, in as few
 * round trips as the kernel takes: one where there is nothing to record.
 */
int lb_records_read(struct libbond *handle, const struct lb_record_ask *asks, size_t count,
                    struct lb_records *records, struct libbond_error *err);
void lb_records_free(struct lb_records *records);
/* The same thing in another record, NULL if it is not there. */
const struct lb_record *lb_records_find(const struct lb_records *records, const struct lb_record *record);
/* Whether a device that goes down loses it: all but IPv4 addresses. */
bool lb_record_goes_down(const struct lb_record *record);
/* An IPv6 address of the link (fe80::/10). */
bool lb_record_is_link_local(const struct lb_record *record);
/* Which of "count" records of a class is to be made as number i: the kernel puts a new address before its equals, and
 * routes stand on those before them. */
size_t lb_in_order(enum lb_record_class class, size_t i, size_t count);
/* A nexthop, a group of them, a route over either: the kernel drops those of a device that loses its carrier. */
bool lb_record_is_by_nexthop(const struct lb_record *record);
/* Such an address that the kernel made by itself; and whether it is the one that it makes of this MAC address (RFC
 * 4291 appendix A). */
bool lb_record_is_kernels(const struct lb_record *record);
bool lb_record_is_of_mac(const struct lb_record *record, const uint8_t mac[6]);
/* The request that makes it, which is refused with EEXIST where it is still there. It is the record's own, and as
 * long as the kernel's message was; only its sequence number is the sender's. */
struct nlmsghdr *lb_record_request(const struct lb_record *record);
/* "route 192.0.2.0/24 via 198.51.100.1", "address 2001:db8::1/64"; without the device. Returns buf. */
const char *lb_record_text(const struct lb_record *record, char buf[LB_RECORD_TEXT]);

#endif
