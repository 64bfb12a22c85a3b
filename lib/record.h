/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One thing that hangs on a device: an address, a route, a neighbour, a nexthop object. */
#ifndef LB_RECORD_H
#define LB_RECORD_H

#include <libmnl/libmnl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum lb_record_class {
	LB_RECORD_ADDRESS,
	LB_RECORD_NEXTHOP,
	LB_RECORD_GROUP, /* of nexthops: it loses one that is lost; what comes after it carries nothing */
	LB_RECORD_ROUTE4,
	LB_RECORD_ROUTE6,
	LB_RECORD_NEIGHBOR,
	LB_RECORD_PROXY, /* a neighbour that is answered for */
	LB_RECORD_CLASSES
};
#define LB_RECORD_BIT(class) (1u << (class))
#define LB_RECORD_ALL (LB_RECORD_BIT(LB_RECORD_CLASSES) - 1)

#define LB_RECORD_TEXT 160

/* The request that makes it again. */
struct lb_record {
	enum lb_record_class class;
	unsigned ifindex;
	uint8_t family;
	bool kept;     /* a plan puts it back */
	bool lost;     /* a plan costs it */
	bool foreign;  /* another program has removed it since */
	bool recheck;  /* and our steps may have made it again after that */
	bool went;     /* an address: it was heard to go since our first step */
	bool came;     /* and to come again after that */
	bool left;     /* and to go once more, while our steps are not all done: one of them may bring it yet */
	size_t place;  /* among the plan's hanging ones, from 1; 0: it is none */
	uint32_t hash; /* of what lasts: most that differ are told apart by it */
	uint32_t key;  /* of what it is found by: rivals have the same */

	struct lb_record *next_alike, *next_rival; /* in the index of records.c */
	_Alignas(8) char message[];
};

/* --- from the kernel --- */

/* The dump that tells those of a class and a device; of groups: all. */
#define LB_RECORD_QUESTION 64
void lb_record_question(char data[LB_RECORD_QUESTION], enum lb_record_class number, unsigned ifindex);
/* The record of one answer; *out is NULL where it is no thing of the device, or one that comes back by itself. To be
 * freed with free(). 0 or -ENOMEM. */
int lb_record_take(enum lb_record_class number, const struct nlmsghdr *nlh, unsigned ifindex, struct lb_record **out);

/* What a notification tells of, NULL where it is none of these classes. *deleted: it has been removed; *unique: there
 * is none beside it of which lb_record_is_rival() says that it is found by the same. */
int lb_record_hear(const struct nlmsghdr *nlh, struct lb_record **out, bool *deleted, bool *unique);

/* --- what it is --- */

/* Whether a record is about a device, by itself or by one of several paths. */
bool lb_record_names(const struct lb_record *record, unsigned ifindex);
/* Whether two are found by the same, as a neighbour is by its address, so that one can take the other's place. */
bool lb_record_is_rival(const struct lb_record *a, const struct lb_record *b);

/* Whether a route has all the paths that another has. */
bool lb_record_covers(const struct lb_record *route, const struct lb_record *other);

/* Whether two records are of the same thing; alike: but for the device, as a route of several paths has a record of
 * each. */
bool lb_record_same(const struct lb_record *a, const struct lb_record *b);
bool lb_record_alike(const struct lb_record *a, const struct lb_record *b);
/* Without memory NULL; to be freed with free(). It is in no index and not told in a report. */
struct lb_record *lb_record_copy(const struct lb_record *record);
/* Take over the lifetime that another record of the same thing has. */
void lb_record_renew(struct lb_record *record, const struct lb_record *from);
/* Whether it ends by itself some day. */
bool lb_record_ends(const struct lb_record *record);
/* Whether the kernel removes it only for somebody, while its device stays open: it drops nexthops with the carrier,
 * neighbours with the MAC address, its own link-local addresses and temporary ones when it likes. */
bool lb_record_stays(const struct lb_record *record);
/* Whether a device that goes down loses it: all but IPv4 addresses. */
bool lb_record_goes_down(const struct lb_record *record);
/* An IPv6 address of the link (fe80::/10). */
bool lb_record_is_link_local(const struct lb_record *record);
/* One that the kernel has made of a MAC address, as far as can be seen. */
bool lb_record_is_generated(const struct lb_record *record);
/* An IPv6 address that was drawn for a time (RFC 8981): nobody makes it again, another one is drawn. */
bool lb_record_is_temporary(const struct lb_record *record);
/* A nexthop, a group of them, a route over either: the kernel drops those of a device that loses its carrier. */
bool lb_record_is_by_nexthop(const struct lb_record *record);
/* The number of a nexthop, 0 for another class; whether a group has it. */
uint32_t lb_record_nexthop(const struct lb_record *record);
bool lb_record_has_nexthop(const struct lb_record *record, uint32_t id);
/* Whether a record goes when another does: what is by a nexthop with that, routes and nexthops with an address. */
bool lb_record_stands_on(const struct lb_record *record, const struct lb_record *below);
/* Such an address that the kernel made by itself; and whether it is the one that it makes of this MAC address (RFC
 * 4291 appendix A). */
bool lb_record_is_kernels(const struct lb_record *record);
bool lb_record_is_of_mac(const struct lb_record *record, const uint8_t mac[6]);
/* "route 192.0.2.0/24 via 198.51.100.1", "address 2001:db8::1/64"; without the device. Returns buf. */
const char *lb_record_text(const struct lb_record *record, char buf[LB_RECORD_TEXT]);

/* --- making it again, and removing it --- */

/* Which of "count" records of a class is to be made as number i: the kernel puts a new address before its equals, and
 * routes stand on those before them. */
size_t lb_in_order(enum lb_record_class class, size_t i, size_t count);
/* The request that makes it, which is refused with EEXIST where it is still there. It is the record's own, and as
 * long as the kernel's message was; only its sequence number is the sender's. */
struct nlmsghdr *lb_record_request(const struct lb_record *record);
/* The request that removes it, to be freed with free(). NULL without memory. */
struct nlmsghdr *lb_record_removal(const struct lb_record *record);

#endif
