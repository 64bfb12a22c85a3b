/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Records addresses, routes, neighbours and nexthops of devices, and says how to make them again. Sits between
 * plan.c, which asks what a step would cost, and run.c, which sends what was lost.
 *
 * A record is the kernel's own message turned into the request for it: every attribute that the kernel reported
 * stays, but for those that are state (ages, usage, flags of the link). So two readings of one thing are the same
 * bytes.
 */
#include "records.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_addr.h>
#include <linux/neighbour.h>
#include <linux/nexthop.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "error.h"
#include "exchange.h"

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

/* Temporary addresses (RFC 8981) are drawn anew, and not made by anyone else. */
static bool take_address(struct nlmsghdr *nlh, unsigned *ifindex)
{
	struct ifaddrmsg *header = mnl_nlmsg_get_payload(nlh);
	struct nlattr *flags = (struct nlattr *)(uintptr_t)find(nlh, sizeof(*header), IFA_FLAGS);
	const uint32_t state =
		IFA_F_TENTATIVE | IFA_F_DADFAILED | IFA_F_DEPRECATED | IFA_F_PERMANENT | IFA_F_TEMPORARY;

	*ifindex = header->ifa_index;
	if (header->ifa_family == AF_INET6 && (header->ifa_flags & IFA_F_TEMPORARY))
		return false;
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
		(const uint16_t[]){IFA_CACHEINFO, IFA_TARGET_NETNSID, 0}, take_address, text_address},
	[LB_RECORD_NEXTHOP] = {RTM_GETNEXTHOP, RTM_NEWNEXTHOP, AF_UNSPEC, sizeof(struct nhmsg), NHA_OIF,
		(const uint16_t[]){NHA_OP_FLAGS_, 0}, take_nexthop, text_nexthop},
	[LB_RECORD_GROUP] = {RTM_GETNEXTHOP, RTM_NEWNEXTHOP, AF_UNSPEC, sizeof(struct nhmsg), 0,
		(const uint16_t[]){NHA_RES_BUCKET_, NHA_OP_FLAGS_, NHA_GROUP_STATS_, NHA_HW_STATS_USED_, 0}, take_group, text_group},
	[LB_RECORD_ROUTE4] = {RTM_GETROUTE, RTM_NEWROUTE, AF_INET, sizeof(struct rtmsg), RTA_OIF,
		(const uint16_t[]){RTA_CACHEINFO, 0}, take_route, text_route},
	[LB_RECORD_ROUTE6] = {RTM_GETROUTE, RTM_NEWROUTE, AF_INET6, sizeof(struct rtmsg), RTA_OIF,
		(const uint16_t[]){RTA_CACHEINFO, 0}, take_route, text_route},
	[LB_RECORD_NEIGHBOR] = {RTM_GETNEIGH, RTM_NEWNEIGH, AF_UNSPEC, sizeof(struct ndmsg), NDA_IFINDEX,
		(const uint16_t[]){NDA_CACHEINFO, NDA_PROBES, NDA_MASTER, 0}, take_neighbor, text_neighbor},
	[LB_RECORD_PROXY] = {RTM_GETNEIGH, RTM_NEWNEIGH, AF_UNSPEC, sizeof(struct ndmsg), NDA_IFINDEX,
		(const uint16_t[]){NDA_CACHEINFO, NDA_PROBES, NDA_MASTER, 0}, take_neighbor, text_neighbor},
};
/* clang-format on */

static const struct nlmsghdr *message_of(const struct lb_record *record)
{
	return (const struct nlmsghdr *)(const void *)record->message;
}

/* --- asking --- */

struct question {
	_Alignas(8) char data[64];
	enum lb_record_class class;
	unsigned ifindex;
	struct lb_records *records;
	bool answered;
};

static void put_question(struct question *question)
{
	const struct class *class = &classes[question->class];
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(question->data);

	nlh->nlmsg_type = class->get;
	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
	uint8_t *header = mnl_nlmsg_put_extra_header(nlh, class->header);
	header[0] = class->family; /* the family is the first byte of all these headers */
	if (question->class == LB_RECORD_PROXY)
		((struct ndmsg *)(void *)header)->ndm_flags = NTF_PROXY;
	if (question->class == LB_RECORD_GROUP)
		mnl_attr_put(nlh, NHA_GROUPS, 0, NULL);
	else if (class->filter)
		mnl_attr_put_u32(nlh, class->filter, question->ifindex);
	else
		((struct ifaddrmsg *)(void *)header)->ifa_index = question->ifindex;
}

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

/* The request for what a message tells, without what is state. */
static struct lb_record *make_record(enum lb_record_class number, const struct nlmsghdr *nlh)
{
	const struct class *class = &classes[number];
	struct lb_record *record = calloc(1, sizeof(*record) + NLMSG_ALIGN(nlh->nlmsg_len));
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
		memcpy(mnl_nlmsg_get_payload_tail(request), attr, attr->nla_len);
		request->nlmsg_len += MNL_ALIGN(attr->nla_len);
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
static uint32_t hash_of(const struct lb_record *record)
{
	const size_t length = lasting_length(record);
	uint32_t hash = 2166136261u;
	for (size_t i = NLMSG_HDRLEN; i < length; i++)
		hash = (hash ^ (uint8_t)record->message[i]) * 16777619u;
	return hash;
}

static int keep_record(struct lb_records *records, struct lb_record *record)
{
	if (records->count == records->room) {
		size_t room = records->room ? records->room * 2 : 16;
		struct lb_record **grown = realloc(records->records, room * sizeof(struct lb_record *));
		if (!grown)
			return -ENOMEM;
		records->records = grown;
		records->room = room;
	}
	records->records[records->count++] = record;
	return 0;
}

/* Whether a group has one of the nexthops that have been recorded of a device. */
static bool is_group_of(const struct lb_records *records, unsigned ifindex, const struct nlmsghdr *nlh)
{
	const struct nlattr *group = find(nlh, sizeof(struct nhmsg), NHA_GROUP);
	const struct nexthop_grp *members = group ? mnl_attr_get_payload(group) : NULL;
	size_t count = group ? mnl_attr_get_payload_len(group) / sizeof(*members) : 0;

	for (size_t i = 0; i < records->count; i++) {
		const struct lb_record *record = records->records[i];
		uint32_t id = record->class == LB_RECORD_NEXTHOP
		                      ? find_u32(message_of(record), sizeof(struct nhmsg), NHA_ID, 0)
		                      : 0;
		for (size_t m = 0; id && record->ifindex == ifindex && m < count; m++)
			if (members[m].id == id)
				return true;
	}
	return false;
}

static int receive(const struct nlmsghdr *nlh, void *context)
{
	struct question *question = context;
	const struct class *class = &classes[question->class];
	unsigned ifindex = question->ifindex;

	if (nlh->nlmsg_type != class->make || mnl_nlmsg_get_payload_len(nlh) < class->header)
		return 0;
	/* with the padding of the last attribute, which need not be there */
	struct nlmsghdr *copy = calloc(1, NLMSG_ALIGN(nlh->nlmsg_len));
	if (!copy)
		return -ENOMEM;
	memcpy(copy, nlh, nlh->nlmsg_len);
	int rc = 0;
	/* a kernel that does not filter sends those of the other devices as well */
	if (class->take(copy, &ifindex) && ifindex == question->ifindex &&
	    (question->class != LB_RECORD_GROUP || is_group_of(question->records, ifindex, copy))) {
		struct lb_record *record = make_record(question->class, copy);
		if (record) {
			record->ifindex = ifindex;
			put_lifetime(record, copy);
			record->hash = hash_of(record);
		}
		rc = record ? keep_record(question->records, record) : -ENOMEM;
		if (rc < 0)
			free(record);
	}
	free(copy);
	return rc;
}

/* A class that this kernel does not have is one without records. */
static bool is_absent(int errnum)
{
	return errnum == EOPNOTSUPP || errnum == EAFNOSUPPORT || errnum == EPROTONOSUPPORT;
}

/* A socket has one dump at a time, and most of these have nothing to tell and end at once: all are asked together,
 * and those that found another still running (EBUSY) are asked again. */
#define DUMPS_MAX 4 /* in one datagram: each may fill 32 KiB of the socket's buffer */

static int ask_round(struct libbond *handle, struct question *questions, size_t count, struct libbond_error *err)
{
	struct lb_request requests[DUMPS_MAX];
	struct question *asked[DUMPS_MAX];
	size_t batch = 0;

	for (size_t i = 0; i < count && batch < DUMPS_MAX; i++) {
		if (questions[i].answered)
			continue;
		put_question(&questions[i]);
		requests[batch] = (struct lb_request){
			.nlh = (void *)questions[i].data, .receive = receive, .context = &questions[i]};
		asked[batch++] = &questions[i];
	}
	int rc = lb_exchange(handle, requests, batch, err);
	for (size_t i = 0; rc == 0 && i < batch; i++) {
		int errnum = requests[i].answer.errnum;
		/* the first cannot have found another running */
		asked[i]->answered = errnum != EBUSY || i == 0;
		if (asked[i]->answered && errnum && !is_absent(errnum))
			rc = lb_fail_answer(&requests[i], LB_DEED_READ, "addresses and routes", NULL, NULL, err);
	}
	return rc;
}

static bool all_answered(const struct question *questions, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!questions[i].answered)
			return false;
	return true;
}

static void drop_from(struct lb_records *records, size_t first)
{
	while (records->count > first)
		free(records->records[--records->count]);
}

#define TRIES 16

/* Ask until all have been answered; an interrupted dump spoils its round, and all is asked again. */
static int ask_all(struct libbond *handle, struct question *questions, size_t count, struct libbond_error *err)
{
	struct lb_records *records = count ? questions[0].records : NULL;
	size_t first = records ? records->count : 0;
	struct libbond_error local = {0};
	int rc = 0;

	for (int tries = 0; !all_answered(questions, count);) {
		rc = ask_round(handle, questions, count, &local);
		if (rc == 0)
			continue;
		if (local.cause != LIBBOND_CAUSE_INTERRUPTED || ++tries == TRIES)
			break;
		drop_from(records, first);
		for (size_t i = 0; i < count; i++)
			questions[i].answered = false;
	}
	if (rc < 0 && err)
		*err = local;
	return rc;
}

static bool has_nexthop(const struct lb_records *records, unsigned ifindex)
{
	for (size_t i = 0; i < records->count; i++)
		if (records->records[i]->class == LB_RECORD_NEXTHOP && records->records[i]->ifindex == ifindex)
			return true;
	return false;
}

int lb_records_read(struct libbond *handle, const struct lb_record_ask *asks, size_t count,
                    struct lb_records *records, struct libbond_error *err)
{
	struct question *questions = calloc(count * LB_RECORD_CLASSES + 1, sizeof(*questions));
	size_t asked = 0, first = records->count;

	if (!questions)
		return lb_fail_memory(err);
	for (size_t i = 0; i < count; i++)
		for (unsigned class = 0; class < LB_RECORD_CLASSES; class ++)
			if ((asks[i].classes & LB_RECORD_BIT(class)) && class != LB_RECORD_GROUP)
				questions[asked++] = (struct question){
					.class = class, .ifindex = asks[i].ifindex, .records = records};
	int rc = ask_all(handle, questions, asked, err);
	/* which groups matter is known once the nexthops are */
	asked = 0;
	for (size_t i = 0; i < count; i++)
		if (has_nexthop(records, asks[i].ifindex))
			questions[asked++] = (struct question){
				.class = LB_RECORD_GROUP, .ifindex = asks[i].ifindex, .records = records};
	if (rc == 0)
		rc = ask_all(handle, questions, asked, err);
	if (rc < 0)
		drop_from(records, first);
	free(questions);
	return rc;
}

void lb_records_free(struct lb_records *records)
{
	drop_from(records, 0);
	free(records->records);
	*records = (struct lb_records){0};
}

/* --- using --- */

const struct lb_record *lb_records_find(const struct lb_records *records, const struct lb_record *record)
{
	size_t length = lasting_length(record), skip = NLMSG_HDRLEN;
	for (size_t i = 0; i < records->count; i++) {
		const struct lb_record *other = records->records[i];
		if (other->hash == record->hash && other->class == record->class &&
		    other->ifindex == record->ifindex && lasting_length(other) == length &&
		    memcmp(other->message + skip, record->message + skip, length - skip) == 0)
			return other;
	}
	return NULL;
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

size_t lb_in_order(enum lb_record_class class, size_t i, size_t count)
{
	return class == LB_RECORD_ADDRESS ? count - 1 - i : i;
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

const char *lb_record_text(const struct lb_record *record, char buf[LB_RECORD_TEXT])
{
	classes[record->class].text(message_of(record), buf, LB_RECORD_TEXT);
	return buf;
}
