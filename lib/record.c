/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * One address, route, neighbour or nexthop of a device: what the kernel said of it as the request that makes it
 * again. Sits below records.c, which asks for them.
 *
 * Every attribute that the kernel reported stays, but for those that are state (ages, usage, flags of the link). So
 * two readings of one thing are the same bytes.
 */
#include "record.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_addr.h>
#include <linux/neighbour.h>
#include <linux/nexthop.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ours on every build machine: newer than the oldest headers */
enum { NHA_RES_BUCKET_ = 13, NHA_OP_FLAGS_ = 14, NHA_GROUP_STATS_ = 15, NHA_HW_STATS_USED_ = 17 };
enum { USER_HZ_ = 100 }; /* ages are in ticks of this, on every architecture of today */
enum { IFA_PROTO_ = 11, IFAPROT_LL_ = 3 };

/* --- one class of records: how it is asked for, what of an answer is kept --- */

struct class
{
	uint16_t get, make;
	uint8_t family;
	uint16_t header;      /* bytes */
	uint16_t filter;      /* attribute that names the device in the question, 0: the header does */
	uint16_t key_header;  /* so many bytes of the header, and */
	const uint16_t *key;  /* these attributes, ends with 0, are what it is found by */
	const uint16_t *drop; /* attributes that are state, ends with 0 */
	/* Whether a message is worth a record, and of which device. Puts state in the header right. */
	bool (*take)(struct nlmsghdr *nlh, unsigned *ifindex);
	void (*text)(const struct nlmsghdr *nlh, char *buf, size_t size);
};

static const struct nlattr *find(const struct nlmsghdr *nlh, size_t header, unsigned type)
{
	const struct nlattr *attr;
	mnl_attr_for_each (attr, nlh, (unsigned)header) {
		if (mnl_attr_get_type(attr) == type)
			return attr;
	}
	return NULL;
}

static uint32_t find_u32(const struct nlmsghdr *nlh, size_t header, unsigned type, uint32_t otherwise)
{
	const struct nlattr *attr = find(nlh, header, type);
	return attr && mnl_attr_get_payload_len(attr) >= sizeof(uint32_t) ? mnl_attr_get_u32(attr) : otherwise;
}

static const char *address_text(uint8_t family, const struct nlattr *attr, char buf[INET6_ADDRSTRLEN])
{
	size_t length = family == AF_INET6 ? sizeof(struct in6_addr) : sizeof(struct in_addr);
	if (!attr || mnl_attr_get_payload_len(attr) < length ||
	    !inet_ntop(family, mnl_attr_get_payload(attr), buf, INET6_ADDRSTRLEN))
		return NULL;
	return buf;
}

static bool take_address(struct nlmsghdr *nlh, unsigned *ifindex)
{
	struct ifaddrmsg *header = mnl_nlmsg_get_payload(nlh);
	struct nlattr *flags = (struct nlattr *)(uintptr_t)find(nlh, sizeof(*header), IFA_FLAGS);
	uint32_t state = IFA_F_TENTATIVE | IFA_F_DADFAILED | IFA_F_DEPRECATED | IFA_F_PERMANENT;

	*ifindex = header->ifa_index;
	if (header->ifa_family == AF_INET) /* the same bit: not the first of its subnet */
		state |= IFA_F_SECONDARY;
	header->ifa_flags &= (uint8_t)~state;
	if (flags && mnl_attr_get_payload_len(flags) >= sizeof(uint32_t)) {
		uint32_t kept = mnl_attr_get_u32(flags) & ~state;
		memcpy(mnl_attr_get_payload(flags), &kept, sizeof(kept));
	}
	return header->ifa_family == AF_INET || header->ifa_family == AF_INET6;
}

static void text_address(const struct nlmsghdr *nlh, char *buf, size_t size)
{
	const struct ifaddrmsg *header = mnl_nlmsg_get_payload(nlh);
	const struct nlattr *local = find(nlh, sizeof(*header), IFA_LOCAL);
	char text[INET6_ADDRSTRLEN] = "";

	/* IFA_ADDRESS is the far end of a point-to-point link */
	address_text(header->ifa_family, local ? local : find(nlh, sizeof(*header), IFA_ADDRESS), text);
	snprintf(buf, size, "address %s/%u", text, header->ifa_prefixlen);
}

/* What the kernel makes by itself from addresses (connected, local, multicast) is not recorded. What a router
 * advertised is: many let a program in user space see to that, and the kernel's own finds it there and prolongs it.
 */
static bool take_route(struct nlmsghdr *nlh, unsigned *ifindex)
{
	struct rtmsg *header = mnl_nlmsg_get_payload(nlh);
	struct nlattr *multipath = (struct nlattr *)(uintptr_t)find(nlh, sizeof(*header), RTA_MULTIPATH);

	if (header->rtm_flags & RTM_F_CLONED)
		return false;
	*ifindex = find_u32(nlh, sizeof(*header), RTA_OIF, *ifindex);
	header->rtm_flags &= RTNH_F_ONLINK | RTNH_F_PERVASIVE;
	if (multipath) {
		struct rtnexthop *hop = mnl_attr_get_payload(multipath);
		int left = mnl_attr_get_payload_len(multipath);
		for (; left >= (int)sizeof(*hop) && RTNH_OK(hop, left);
		     hop = (void *)((char *)hop + RTNH_ALIGN(hop->rtnh_len))) {
			hop->rtnh_flags &= RTNH_F_ONLINK;
			left -= (int)RTNH_ALIGN(hop->rtnh_len);
		}
	}
	return header->rtm_protocol != RTPROT_KERNEL && header->rtm_protocol != RTPROT_REDIRECT;
}

static void text_route(const struct nlmsghdr *nlh, char *buf, size_t size)
{
	const struct rtmsg *header = mnl_nlmsg_get_payload(nlh);
	char to[INET6_ADDRSTRLEN], via[INET6_ADDRSTRLEN];
	const char *dst = address_text(header->rtm_family, find(nlh, sizeof(*header), RTA_DST), to);
	const char *gateway = address_text(header->rtm_family, find(nlh, sizeof(*header), RTA_GATEWAY), via);
	uint32_t table = find_u32(nlh, sizeof(*header), RTA_TABLE, header->rtm_table);
	char prefix[8] = "", in_table[32] = "";

	if (dst)
		snprintf(prefix, sizeof(prefix), "/%u", header->rtm_dst_len);
	if (table != RT_TABLE_MAIN)
		snprintf(in_table, sizeof(in_table), " table %u", table);
	snprintf(buf, size, "route %s%s%s%s%s%s", dst ? dst : "default", prefix,
	         dst || header->rtm_family == AF_INET ? "" : " (IPv6)", gateway ? " via " : "",
	         gateway ? gateway : "", in_table);
}

/* Only what somebody has put there for good: the rest is learned again. */
static bool take_neighbor(struct nlmsghdr *nlh, unsigned *ifindex)
{
	struct ndmsg *header = mnl_nlmsg_get_payload(nlh);
	*ifindex = (unsigned)header->ndm_ifindex;
	if (header->ndm_flags & NTF_PROXY)
		header->ndm_state = NUD_PERMANENT;
	header->ndm_type = 0;
	return (header->ndm_family == AF_INET || header->ndm_family == AF_INET6) &&
	       (header->ndm_state & NUD_PERMANENT);
}

static void text_neighbor(const struct nlmsghdr *nlh, char *buf, size_t size)
{
	const struct ndmsg *header = mnl_nlmsg_get_payload(nlh);
	char text[INET6_ADDRSTRLEN] = "";
	address_text(header->ndm_family, find(nlh, sizeof(*header), NDA_DST), text);
	snprintf(buf, size, "%s %s", header->ndm_flags & NTF_PROXY ? "proxy neighbour" : "neighbour", text);
}

static bool take_nexthop(struct nlmsghdr *nlh, unsigned *ifindex)
{
	struct nhmsg *header = mnl_nlmsg_get_payload(nlh);
	*ifindex = find_u32(nlh, sizeof(*header), NHA_OIF, 0);
	header->nh_flags &= RTNH_F_ONLINK;
	header->nh_scope = 0; /* the kernel finds it out, and refuses to be told */
	return header->nh_protocol != RTPROT_KERNEL;
}

static void text_nexthop(const struct nlmsghdr *nlh, char *buf, size_t size)
{
	snprintf(buf, size, "nexthop %u", find_u32(nlh, sizeof(struct nhmsg), NHA_ID, 0));
}

/* Of whom it is, receive() finds out. */
static bool take_group(struct nlmsghdr *nlh, unsigned *ifindex)
{
	struct nhmsg *header = mnl_nlmsg_get_payload(nlh);
	(void)ifindex;
	header->nh_flags = 0;
	header->nh_scope = 0;
	return find(nlh, sizeof(*header), NHA_GROUP) != NULL;
}

static void text_group(const struct nlmsghdr *nlh, char *buf, size_t size)
{
	snprintf(buf, size, "nexthop group %u", find_u32(nlh, sizeof(struct nhmsg), NHA_ID, 0));
}

/* clang-format off */
static const struct class classes[LB_RECORD_CLASSES] = {
	[LB_RECORD_ADDRESS] = {RTM_GETADDR, RTM_NEWADDR, AF_UNSPEC, sizeof(struct ifaddrmsg), 0,
		2, (const uint16_t[]){IFA_LOCAL, IFA_ADDRESS, 0},
		(const uint16_t[]){IFA_CACHEINFO, IFA_TARGET_NETNSID, 0}, take_address, text_address},
	[LB_RECORD_NEXTHOP] = {RTM_GETNEXTHOP, RTM_NEWNEXTHOP, AF_UNSPEC, sizeof(struct nhmsg), NHA_OIF,
		0, (const uint16_t[]){NHA_ID, 0},
		(const uint16_t[]){NHA_OP_FLAGS_, 0}, take_nexthop, text_nexthop},
	[LB_RECORD_GROUP] = {RTM_GETNEXTHOP, RTM_NEWNEXTHOP, AF_UNSPEC, sizeof(struct nhmsg), 0,
		0, (const uint16_t[]){NHA_ID, 0},
		(const uint16_t[]){NHA_RES_BUCKET_, NHA_OP_FLAGS_, NHA_GROUP_STATS_, NHA_HW_STATS_USED_, 0}, take_group, text_group},
	[LB_RECORD_ROUTE4] = {RTM_GETROUTE, RTM_NEWROUTE, AF_INET, sizeof(struct rtmsg), RTA_OIF,
		4, (const uint16_t[]){RTA_DST, RTA_PRIORITY, RTA_TABLE, 0},
		(const uint16_t[]){RTA_CACHEINFO, 0}, take_route, text_route},
	[LB_RECORD_ROUTE6] = {RTM_GETROUTE, RTM_NEWROUTE, AF_INET6, sizeof(struct rtmsg), RTA_OIF,
		4, (const uint16_t[]){RTA_DST, RTA_PRIORITY, RTA_TABLE, 0},
		(const uint16_t[]){RTA_CACHEINFO, 0}, take_route, text_route},
	[LB_RECORD_NEIGHBOR] = {RTM_GETNEIGH, RTM_NEWNEIGH, AF_UNSPEC, sizeof(struct ndmsg), NDA_IFINDEX,
		1, (const uint16_t[]){NDA_DST, 0},
		(const uint16_t[]){NDA_CACHEINFO, NDA_PROBES, NDA_MASTER, 0}, take_neighbor, text_neighbor},
	[LB_RECORD_PROXY] = {RTM_GETNEIGH, RTM_NEWNEIGH, AF_UNSPEC, sizeof(struct ndmsg), NDA_IFINDEX,
		1, (const uint16_t[]){NDA_DST, 0},
		(const uint16_t[]){NDA_CACHEINFO, NDA_PROBES, NDA_MASTER, 0}, take_neighbor, text_neighbor},
};
/* clang-format on */

static const struct nlmsghdr *message_of(const struct lb_record *record)
{
	return (const struct nlmsghdr *)(const void *)record->message;
}

/* --- asking --- */

void lb_record_question(char data[LB_RECORD_QUESTION], enum lb_record_class number, unsigned ifindex)
{
	const struct class *class = &classes[number];
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(data);

	nlh->nlmsg_type = class->get;
	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
	uint8_t *header = mnl_nlmsg_put_extra_header(nlh, class->header);
	header[0] = class->family; /* the family is the first byte of all these headers */
	if (number == LB_RECORD_PROXY)
		((struct ndmsg *)(void *)header)->ndm_flags = NTF_PROXY;
	if (number == LB_RECORD_GROUP)
		mnl_attr_put(nlh, NHA_GROUPS, 0, NULL);
	else if (class->filter)
		mnl_attr_put_u32(nlh, class->filter, ifindex);
	else
		((struct ifaddrmsg *)(void *)header)->ifa_index = ifindex;
}

/* --- making --- */

static bool is_dropped(const struct class *class, const struct nlmsghdr *nlh, unsigned type)
{
	/* a route through a nexthop object is made from its number alone, and reported with what that is */
	bool by_object = class->get == RTM_GETROUTE && find(nlh, class->header, RTA_NH_ID) &&
	                 (type == RTA_OIF || type == RTA_GATEWAY || type == RTA_MULTIPATH || type == RTA_VIA);
	for (const uint16_t *drop = class->drop; *drop; drop++)
		if (*drop == type)
			return true;
	return by_object;
}

static void put_raw(struct nlmsghdr *request, const struct nlattr *attr)
{
	memcpy(mnl_nlmsg_get_payload_tail(request), attr, attr->nla_len);
	request->nlmsg_len += MNL_ALIGN(attr->nla_len);
}

/* Linux 6.1 has an empty attribute in an encapsulation at some times and not at others. */
static void put_encap(struct nlmsghdr *request, const struct nlattr *encap)
{
	struct nlattr *nest = mnl_attr_nest_start(request, RTA_ENCAP);
	const struct nlattr *attr;

	mnl_attr_for_each_nested (attr, encap) {
		if (mnl_attr_get_payload_len(attr))
			put_raw(request, attr);
	}
	mnl_attr_nest_end(request, nest);
}

/* A lifetime that somebody gives it later has its place. */
#define LIFETIME_SIZE (NLA_HDRLEN + sizeof(struct ifa_cacheinfo))

/* The request for what a message tells, without what is state. */
static struct lb_record *make_record(enum lb_record_class number, const struct nlmsghdr *nlh)
{
	const struct class *class = &classes[number];
	struct lb_record *record = calloc(1, sizeof(*record) + NLMSG_ALIGN(nlh->nlmsg_len) + LIFETIME_SIZE);
	const struct nlattr *attr;

	if (!record)
		return NULL;
	struct nlmsghdr *request = mnl_nlmsg_put_header(record->message);
	request->nlmsg_type = class->make;
	/* a group is there still, and smaller */
	request->nlmsg_flags =
		NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE | (number == LB_RECORD_GROUP ? NLM_F_REPLACE : NLM_F_EXCL);
	memcpy(mnl_nlmsg_put_extra_header(request, class->header), mnl_nlmsg_get_payload(nlh), class->header);
	mnl_attr_for_each (attr, nlh, class->header) {
		if (is_dropped(class, nlh, mnl_attr_get_type(attr)))
			continue;
		if (class->get == RTM_GETROUTE && mnl_attr_get_type(attr) == RTA_ENCAP)
			put_encap(request, attr);
		else
			put_raw(request, attr);
	}
	record->class = number;
	record->family = *(const uint8_t *)mnl_nlmsg_get_payload(nlh);
	return record;
}

/* A lifetime that ends is put back as what is left of it; it comes last, and is not part of what the thing is. */
static void put_lifetime(struct lb_record *record, const struct nlmsghdr *nlh)
{
	struct nlmsghdr *request = (struct nlmsghdr *)(void *)record->message;
	bool route = record->class == LB_RECORD_ROUTE6;
	size_t header = route ? sizeof(struct rtmsg) : sizeof(struct ifaddrmsg);
	const struct nlattr *info = route || record->class == LB_RECORD_ADDRESS
	                                    ? find(nlh, header, route ? RTA_CACHEINFO : IFA_CACHEINFO)
	                                    : NULL;
	struct ifa_cacheinfo times;
	struct rta_cacheinfo ages;

	if (info && !route && mnl_attr_get_payload_len(info) >= sizeof(times)) {
		memcpy(&times, mnl_attr_get_payload(info), sizeof(times));
		if (times.ifa_valid != UINT32_MAX || times.ifa_prefered != UINT32_MAX)
			mnl_attr_put(request, IFA_CACHEINFO, sizeof(times), &times);
	} else if (info && route && mnl_attr_get_payload_len(info) >= sizeof(ages)) {
		memcpy(&ages, mnl_attr_get_payload(info), sizeof(ages));
		if (ages.rta_expires > 0)
			mnl_attr_put_u32(request, RTA_EXPIRES, (uint32_t)ages.rta_expires / USER_HZ_);
	}
}

/* Without the lifetime, which is last and runs. */
static size_t lasting_length(const struct lb_record *record)
{
	const struct nlmsghdr *nlh = message_of(record);
	const struct nlattr *last = record->class == LB_RECORD_ADDRESS
	                                    ? find(nlh, sizeof(struct ifaddrmsg), IFA_CACHEINFO)
	                            : record->class == LB_RECORD_ROUTE6 ? find(nlh, sizeof(struct rtmsg), RTA_EXPIRES)
	                                                                : NULL;
	return last ? (size_t)((const char *)last - (const char *)nlh) : nlh->nlmsg_len;
}

/* FNV-1a */
#define HASH_START 2166136261u

static uint32_t add_to_hash(uint32_t hash, const void *data, size_t length)
{
	const uint8_t *bytes = data;
	for (size_t i = 0; i < length; i++)
		hash = (hash ^ bytes[i]) * 16777619u;
	return hash;
}

static uint32_t hash_of(const struct lb_record *record)
{
	return add_to_hash(HASH_START, record->message + NLMSG_HDRLEN, lasting_length(record) - NLMSG_HDRLEN);
}

/* Of what lb_record_is_rival() compares. */
static uint32_t key_of(const struct lb_record *record)
{
	const struct class *class = &classes[record->class];
	const struct nlmsghdr *nlh = message_of(record);
	uint32_t hash = add_to_hash(HASH_START, mnl_nlmsg_get_payload(nlh), class->key_header);

	for (const uint16_t *key = class->key; *key; key++) {
		const struct nlattr *attr = find(nlh, class->header, *key);
		if (attr)
			hash = add_to_hash(hash, attr, attr->nla_len);
	}
	return hash;
}

/* With the padding of the last attribute, which need not be there. NULL without memory. */
static struct nlmsghdr *copy_of(const struct nlmsghdr *nlh)
{
	struct nlmsghdr *copy = calloc(1, NLMSG_ALIGN(nlh->nlmsg_len));

	if (copy)
		memcpy(copy, nlh, nlh->nlmsg_len);
	return copy;
}

/* From a copy, which is changed; ifindex 0: whatever its device. *unwanted: it is no thing to be recorded. NULL then,
 * or without memory. */
static struct lb_record *take(enum lb_record_class number, struct nlmsghdr *copy, unsigned ifindex, bool *unwanted)
{
	unsigned of = ifindex;

	/* a kernel that does not filter sends those of the other devices as well */
	*unwanted = !classes[number].take(copy, &of) || (ifindex && of != ifindex);
	struct lb_record *record = *unwanted ? NULL : make_record(number, copy);
	if (!record)
		return NULL;
	record->ifindex = of;
	put_lifetime(record, copy);
	record->hash = hash_of(record);
	record->key = key_of(record);
	return record;
}

int lb_record_take(enum lb_record_class number, const struct nlmsghdr *nlh, unsigned ifindex, struct lb_record **out)
{
	const struct class *class = &classes[number];
	bool unwanted;

	*out = NULL;
	if (nlh->nlmsg_type != class->make || mnl_nlmsg_get_payload_len(nlh) < class->header)
		return 0;
	struct nlmsghdr *copy = copy_of(nlh);
	if (!copy)
		return -ENOMEM;
	*out = take(number, copy, ifindex, &unwanted);
	free(copy);
	return *out || unwanted ? 0 : -ENOMEM;
}

/* RTM_NEW* is a multiple of four, RTM_DEL* comes after it. */
static bool find_class(const struct nlmsghdr *nlh, enum lb_record_class *out)
{
	const struct ndmsg *neighbor = mnl_nlmsg_get_payload(nlh);

	for (unsigned number = 0; number < LB_RECORD_CLASSES; number++) {
		const struct class *class = &classes[number];
		if (class->make != (nlh->nlmsg_type & ~3) || mnl_nlmsg_get_payload_len(nlh) < class->header ||
		    (class->family && class->family != *(const uint8_t *)mnl_nlmsg_get_payload(nlh)))
			continue;
		if (class->get == RTM_GETNEIGH && (number == LB_RECORD_PROXY) != !!(neighbor->ndm_flags & NTF_PROXY))
			continue;
		if (class->get == RTM_GETNEXTHOP &&
		    (number == LB_RECORD_GROUP) != (find(nlh, class->header, NHA_GROUP) != NULL))
			continue;
		*out = number;
		return true;
	}
	return false;
}

/* neigh_delete() says that it knows nothing any more, and the removal itself has no sender. */
static bool is_forgotten(struct nlmsghdr *nlh)
{
	struct ndmsg *header = mnl_nlmsg_get_payload(nlh);

	if (nlh->nlmsg_type != RTM_NEWNEIGH || (header->ndm_state & NUD_PERMANENT) || (header->ndm_flags & NTF_PROXY))
		return false;
	header->ndm_state = NUD_PERMANENT;
	return true;
}

int lb_record_hear(const struct nlmsghdr *nlh, struct lb_record **out, bool *deleted, bool *unique)
{
	enum lb_record_class number;
	bool unwanted = false;

	*out = NULL;
	if (!find_class(nlh, &number))
		return 0;
	struct nlmsghdr *copy = copy_of(nlh);
	if (!copy)
		return -ENOMEM;
	*deleted = nlh->nlmsg_type != classes[number].make || is_forgotten(copy);
	*unique = classes[number].get != RTM_GETROUTE || (nlh->nlmsg_flags & NLM_F_REPLACE);
	*out = take(number, copy, 0, &unwanted);
	free(copy);
	return *out || unwanted ? 0 : -ENOMEM;
}

/* --- looking at one --- */

bool lb_record_names(const struct lb_record *record, unsigned ifindex)
{
	const struct nlmsghdr *nlh = message_of(record);
	const struct class *class = &classes[record->class];
	const struct nlattr *paths = class->get == RTM_GETROUTE ? find(nlh, class->header, RTA_MULTIPATH) : NULL;
	const struct rtnexthop *hop = paths ? mnl_attr_get_payload(paths) : NULL;

	for (int left = paths ? mnl_attr_get_payload_len(paths) : 0; left >= (int)sizeof(*hop) && RTNH_OK(hop, left);
	     left -= (int)RTNH_ALIGN(hop->rtnh_len),
	         hop = (const void *)((const char *)hop + RTNH_ALIGN(hop->rtnh_len)))
		if ((unsigned)hop->rtnh_ifindex == ifindex)
			return true;
	return record->ifindex == ifindex;
}

static bool same_attr(const struct nlattr *a, const struct nlattr *b)
{
	return (!a && !b) || (a && b && a->nla_len == b->nla_len && memcmp(a, b, a->nla_len) == 0);
}

bool lb_record_is_rival(const struct lb_record *a, const struct lb_record *b)
{
	const struct class *class = &classes[a->class];
	const struct nlmsghdr *left = message_of(a), *right = message_of(b);
	bool of_device = class->make == RTM_NEWADDR || class->make == RTM_NEWNEIGH;

	if (a->class != b->class || a->family != b->family || (of_device && a->ifindex != b->ifindex) ||
	    memcmp(mnl_nlmsg_get_payload(left), mnl_nlmsg_get_payload(right), class->key_header) != 0)
		return false;
	for (const uint16_t *key = class->key; *key; key++)
		if (!same_attr(find(left, class->header, *key), find(right, class->header, *key)))
			return false;
	return true;
}

/* One path of a route. */
struct path {
	unsigned ifindex;
	const struct nlattr *gateway;
};

static void path_of_hop(const struct rtnexthop *hop, struct path *path)
{
	const char *end = (const char *)hop + hop->rtnh_len;
	const struct nlattr *attr = (const void *)((const char *)hop + RTNH_LENGTH(0));

	*path = (struct path){.ifindex = (unsigned)hop->rtnh_ifindex};
	for (; mnl_attr_ok(attr, (int)(end - (const char *)attr)); attr = mnl_attr_next(attr))
		if (mnl_attr_get_type(attr) == RTA_GATEWAY)
			path->gateway = attr;
}

/* false: it has not so many. */
static bool find_path(const struct lb_record *route, size_t n, struct path *path)
{
	const struct nlmsghdr *nlh = message_of(route);
	const struct nlattr *paths = find(nlh, sizeof(struct rtmsg), RTA_MULTIPATH);
	const struct rtnexthop *hop = paths ? mnl_attr_get_payload(paths) : NULL;

	if (!paths)
		*path = (struct path){route->ifindex, find(nlh, sizeof(struct rtmsg), RTA_GATEWAY)};
	for (int left = paths ? mnl_attr_get_payload_len(paths) : 0; left >= (int)sizeof(*hop) && RTNH_OK(hop, left);
	     left -= (int)RTNH_ALIGN(hop->rtnh_len),
	         hop = (const void *)((const char *)hop + RTNH_ALIGN(hop->rtnh_len)))
		if (n-- == 0) {
			path_of_hop(hop, path);
			return true;
		}
	return !paths && n == 0;
}

static bool has_path(const struct lb_record *route, const struct path *path)
{
	struct path own;

	for (size_t n = 0; find_path(route, n, &own); n++)
		if (own.ifindex == path->ifindex && same_attr(own.gateway, path->gateway))
			return true;
	return false;
}

bool lb_record_covers(const struct lb_record *route, const struct lb_record *other)
{
	struct path path;

	for (size_t n = 0; find_path(other, n, &path); n++)
		if (!has_path(route, &path))
			return false;
	return true;
}

bool lb_record_alike(const struct lb_record *a, const struct lb_record *b)
{
	size_t length = lasting_length(a), skip = NLMSG_HDRLEN;

	return a->hash == b->hash && a->class == b->class && lasting_length(b) == length &&
	       memcmp(a->message + skip, b->message + skip, length - skip) == 0;
}

bool lb_record_same(const struct lb_record *a, const struct lb_record *b)
{
	return a->ifindex == b->ifindex && lb_record_alike(a, b);
}

struct lb_record *lb_record_copy(const struct lb_record *record)
{
	const size_t length = NLMSG_ALIGN(message_of(record)->nlmsg_len);
	struct lb_record *copy = calloc(1, sizeof(*copy) + length + LIFETIME_SIZE);

	if (!copy)
		return NULL;
	memcpy(copy, record, sizeof(*copy) + length);
	copy->place = 0;
	copy->next_alike = copy->next_rival = NULL;
	return copy;
}

void lb_record_renew(struct lb_record *record, const struct lb_record *from)
{
	struct nlmsghdr *nlh = (struct nlmsghdr *)(void *)record->message;
	const uint32_t length = message_of(from)->nlmsg_len;
	const size_t lasting = lasting_length(from);

	memcpy(record->message + lasting, from->message + lasting, length - lasting);
	nlh->nlmsg_len = length;
}

bool lb_record_ends(const struct lb_record *record)
{
	return lasting_length(record) != message_of(record)->nlmsg_len;
}

uint32_t lb_record_nexthop(const struct lb_record *record)
{
	return record->class == LB_RECORD_NEXTHOP ? find_u32(message_of(record), sizeof(struct nhmsg), NHA_ID, 0) : 0;
}

bool lb_record_has_nexthop(const struct lb_record *record, uint32_t id)
{
	const struct nlattr *group =
		record->class == LB_RECORD_GROUP ? find(message_of(record), sizeof(struct nhmsg), NHA_GROUP) : NULL;
	const struct nexthop_grp *members = group ? mnl_attr_get_payload(group) : NULL;
	size_t count = group ? mnl_attr_get_payload_len(group) / sizeof(*members) : 0;

	for (size_t m = 0; id && m < count; m++)
		if (members[m].id == id)
			return true;
	return false;
}

bool lb_record_stands_on(const struct lb_record *record, const struct lb_record *below)
{
	bool route = classes[record->class].get == RTM_GETROUTE;
	uint32_t by = route ? find_u32(message_of(record), sizeof(struct rtmsg), RTA_NH_ID, 0) : 0;

	switch (below->class) {
	case LB_RECORD_ADDRESS:
		return (route || record->class == LB_RECORD_NEXTHOP) && record->family == below->family &&
		       record->ifindex == below->ifindex;
	case LB_RECORD_NEXTHOP:
		return lb_record_has_nexthop(record, lb_record_nexthop(below)) ||
		       (by && by == lb_record_nexthop(below));
	case LB_RECORD_GROUP:
		return by && by == find_u32(message_of(below), sizeof(struct nhmsg), NHA_ID, 0);
	default:
		return false;
	}
}

bool lb_record_goes_down(const struct lb_record *record)
{
	return record->class != LB_RECORD_ADDRESS || record->family == AF_INET6;
}

bool lb_record_is_link_local(const struct lb_record *record)
{
	const struct ifaddrmsg *header = mnl_nlmsg_get_payload(message_of(record));
	return record->class == LB_RECORD_ADDRESS && record->family == AF_INET6 && header->ifa_scope == RT_SCOPE_LINK;
}

/* RFC 4291, 2.5.1: an interface identifier that is made of a MAC address has ff:fe in its middle. */
static bool is_of_mac(const struct lb_record *record)
{
	const struct nlmsghdr *nlh = message_of(record);
	const struct nlattr *local = find(nlh, sizeof(struct ifaddrmsg), IFA_LOCAL);
	const struct nlattr *address = local ? local : find(nlh, sizeof(struct ifaddrmsg), IFA_ADDRESS);
	const uint8_t *bytes =
		address && mnl_attr_get_payload_len(address) == 16 ? mnl_attr_get_payload(address) : NULL;
	return bytes && bytes[11] == 0xff && bytes[12] == 0xfe;
}

bool lb_record_is_generated(const struct lb_record *record)
{
	/* kernels before 5.18 do not say it; one that is stable and private (RFC 7217) is theirs all the same, and
	 * stays there */
	return lb_record_is_link_local(record) && (lb_record_is_kernels(record) || is_of_mac(record));
}

size_t lb_in_order(enum lb_record_class class, size_t i, size_t count)
{
	return class == LB_RECORD_ADDRESS ? count - 1 - i : i;
}

bool lb_record_is_temporary(const struct lb_record *record)
{
	const struct ifaddrmsg *header = mnl_nlmsg_get_payload(message_of(record));
	return record->class == LB_RECORD_ADDRESS && record->family == AF_INET6 &&
	       (header->ifa_flags & IFA_F_TEMPORARY);
}

bool lb_record_is_by_nexthop(const struct lb_record *record)
{
	bool route = record->class == LB_RECORD_ROUTE4 || record->class == LB_RECORD_ROUTE6;
	return record->class == LB_RECORD_NEXTHOP || record->class == LB_RECORD_GROUP ||
	       (route && find(message_of(record), sizeof(struct rtmsg), RTA_NH_ID));
}

bool lb_record_is_kernels(const struct lb_record *record)
{
	const struct nlattr *proto = lb_record_is_link_local(record)
	                                     ? find(message_of(record), sizeof(struct ifaddrmsg), IFA_PROTO_)
	                                     : NULL;
	return proto && mnl_attr_get_payload_len(proto) && mnl_attr_get_u8(proto) == IFAPROT_LL_;
}

bool lb_record_stays(const struct lb_record *record)
{
	bool stays = record->class == LB_RECORD_ADDRESS || record->class == LB_RECORD_ROUTE4 ||
	             record->class == LB_RECORD_ROUTE6;
	return stays && !lb_record_is_by_nexthop(record) && !lb_record_is_kernels(record) &&
	       !lb_record_is_temporary(record);
}

bool lb_record_is_of_mac(const struct lb_record *record, const uint8_t mac[6])
{
	const uint8_t made[16] = {0xfe,       0x80,   0,      0,    0,    0,      0,      0,
	                          mac[0] ^ 2, mac[1], mac[2], 0xff, 0xfe, mac[3], mac[4], mac[5]};
	const struct nlattr *address = find(message_of(record), sizeof(struct ifaddrmsg), IFA_ADDRESS);
	return address && mnl_attr_get_payload_len(address) == sizeof(made) &&
	       memcmp(mnl_attr_get_payload(address), made, sizeof(made)) == 0;
}

struct nlmsghdr *lb_record_request(const struct lb_record *record)
{
	return (struct nlmsghdr *)(uintptr_t)record->message;
}

struct nlmsghdr *lb_record_removal(const struct lb_record *record)
{
	const struct class *class = &classes[record->class];
	const struct nlmsghdr *make = message_of(record);
	struct nlmsghdr *nlh = copy_of(make);
	const struct nlattr *id = class->make == RTM_NEWNEXTHOP ? find(make, class->header, NHA_ID) : NULL;

	if (!nlh)
		return NULL;
	nlh->nlmsg_type = class->make + 1; /* RTM_DEL* */
	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	if (id) { /* nh_valid_get_del_req() takes nothing else */
		mnl_nlmsg_put_header(nlh);
		nlh->nlmsg_type = RTM_DELNEXTHOP;
		nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
		mnl_nlmsg_put_extra_header(nlh, class->header);
		put_raw(nlh, id);
	}
	return nlh;
}

const char *lb_record_text(const struct lb_record *record, char buf[LB_RECORD_TEXT])
{
	classes[record->class].text(message_of(record), buf, LB_RECORD_TEXT);
	return buf;
}
