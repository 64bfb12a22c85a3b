/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses, routes, neighbours and nexthops of the fake kernel: kept as the requests that make them, dumped as the
 * kernel reports them (with state that is none of a request's), and lost as the kernel loses them. Sits under fake.c.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/neighbour.h>
#include <linux/nexthop.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake-inner.h"
#include "unit.h"

/* --- records as messages --- */

struct kind {
	uint16_t get, make;
	size_t header;
	uint16_t device;  /* the attribute that names the device, 0: the header does */
	uint16_t what[3]; /* the attributes by which two are the same thing, ending with 0 */
	const char *plural;
};

static const struct kind kinds[] = {
	{RTM_GETADDR, RTM_NEWADDR, sizeof(struct ifaddrmsg), 0, {IFA_LOCAL, IFA_ADDRESS, 0}, "addresses"},
	{RTM_GETROUTE, RTM_NEWROUTE, sizeof(struct rtmsg), RTA_OIF, {RTA_DST, RTA_PRIORITY, 0}, "routes"},
	{RTM_GETNEIGH, RTM_NEWNEIGH, sizeof(struct ndmsg), 0, {NDA_DST, 0}, "neighbours"},
	{RTM_GETNEXTHOP, RTM_NEWNEXTHOP, sizeof(struct nhmsg), NHA_OIF, {NHA_ID, 0}, "nexthops"},
};

static const struct kind *kind_of(uint16_t type)
{
	for (size_t i = 0; i < COUNT(kinds); i++)
		if (kinds[i].get == type || kinds[i].make == type)
			return &kinds[i];
	return NULL;
}

static const struct nlattr *attr_of(const void *payload, size_t length, size_t header, unsigned type)
{
	const uint8_t *at = (const uint8_t *)payload + NLMSG_ALIGN(header), *end = (const uint8_t *)payload + length;
	for (; at < end; at += NLA_ALIGN(((const struct nlattr *)(const void *)at)->nla_len))
		if (mnl_attr_get_type((const void *)at) == type)
			return (const void *)at;
	return NULL;
}

static const struct nlattr *find(const struct fake_record *record, unsigned type)
{
	return attr_of(record->bytes, record->length, kind_of(record->type)->header, type);
}

static uint32_t number(const struct fake_record *record, unsigned type)
{
	const struct nlattr *attr = find(record, type);
	return attr ? mnl_attr_get_u32(attr) : 0;
}

static uint8_t family(const struct fake_record *record)
{
	return record->bytes[0]; /* of all these headers the first byte */
}

static bool is_proxy(const struct fake_record *record)
{
	return record->type == RTM_NEWNEIGH &&
	       (((const struct ndmsg *)(const void *)record->bytes)->ndm_flags & NTF_PROXY);
}

static bool same_attr(const struct nlattr *a, const struct nlattr *b)
{
	return (!a && !b) || (a && b && a->nla_len == b->nla_len && memcmp(a, b, a->nla_len) == 0);
}

static bool same_thing(const struct fake_record *a, const struct fake_record *b)
{
	const struct kind *kind = kind_of(a->type);
	bool elsewhere = a->ifindex != b->ifindex && a->type != RTM_NEWROUTE && a->type != RTM_NEWNEXTHOP;

	if (a->type != b->type || elsewhere || family(a) != family(b) || is_proxy(a) != is_proxy(b) ||
	    (a->type == RTM_NEWROUTE && a->bytes[1] != b->bytes[1]))
		return false;
	for (const uint16_t *what = kind->what; *what; what++)
		if (!same_attr(find(a, *what), find(b, *what)))
			return false;
	return true;
}

void fake_record_text(const struct fake_record *record, char *buf, size_t size)
{
	static const uint16_t types[] = {IFA_ADDRESS, RTA_DST, NDA_DST};
	uint8_t length = record->type == RTM_NEWNEIGH ? 0 : record->bytes[1]; /* of a prefix */
	char address[INET6_ADDRSTRLEN] = "?";

	if (record->type == RTM_NEWNEXTHOP) {
		snprintf(buf, size, "nexthop %s%u", find(record, NHA_GROUP) ? "group " : "", number(record, NHA_ID));
		return;
	}
	const struct nlattr *attr = find(record, types[(size_t)(kind_of(record->type) - kinds)]);
	if (attr)
		inet_ntop(family(record), mnl_attr_get_payload(attr), address, sizeof(address));
	snprintf(buf, size, length ? "%s/%u" : "%s", address, length);
}

static struct fake_record *find_nexthop(struct fake *fake, uint32_t id)
{
	for (size_t i = 0; i < fake->record_count; i++)
		if (fake->records[i].type == RTM_NEWNEXTHOP && number(&fake->records[i], NHA_ID) == id)
			return &fake->records[i];
	return NULL;
}

/* --- making them, by tests --- */

static void keep(struct fake *fake, unsigned ifindex, const struct nlmsghdr *nlh)
{
	assert_true(fake->record_count < FAKE_RECORDS);
	struct fake_record *record = &fake->records[fake->record_count++];
	*record = (struct fake_record){.type = nlh->nlmsg_type, .ifindex = ifindex};
	record->length = mnl_nlmsg_get_payload_len(nlh);
	assert_true(record->length <= sizeof(record->bytes));
	memcpy(record->bytes, mnl_nlmsg_get_payload(nlh), record->length);
}

enum { ROOM = 256 }; /* for one of them; the padding between attributes is zero */

static struct nlmsghdr *start(void *buffer, uint16_t type, size_t header)
{
	memset(buffer, 0, ROOM);
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buffer);
	nlh->nlmsg_type = type;
	mnl_nlmsg_put_extra_header(nlh, header);
	return nlh;
}

static uint8_t put_address(struct nlmsghdr *nlh, uint16_t type, const char *text)
{
	bool ip6 = strchr(text, ':') != NULL;
	uint8_t bytes[16];
	assert_int_equal(inet_pton(ip6 ? AF_INET6 : AF_INET, text, bytes), 1);
	mnl_attr_put(nlh, type, ip6 ? 16 : 4, bytes);
	return ip6 ? AF_INET6 : AF_INET;
}

void fake_address(struct fake *fake, unsigned ifindex, const char *address)
{
	_Alignas(8) uint8_t buffer[ROOM];
	struct nlmsghdr *nlh = start(buffer, RTM_NEWADDR, sizeof(struct ifaddrmsg));
	struct ifaddrmsg *header = mnl_nlmsg_get_payload(nlh);

	header->ifa_family = put_address(nlh, IFA_ADDRESS, address);
	if (header->ifa_family == AF_INET)
		put_address(nlh, IFA_LOCAL, address);
	header->ifa_prefixlen = header->ifa_family == AF_INET ? 24 : 64;
	header->ifa_scope = strncmp(address, "fe80:", 5) == 0 ? RT_SCOPE_LINK : RT_SCOPE_UNIVERSE;
	header->ifa_index = ifindex;
	mnl_attr_put_u32(nlh, IFA_FLAGS, 0);
	keep(fake, ifindex, nlh);
}

static struct nlmsghdr *start_route(void *buffer, const char *prefix, uint8_t protocol)
{
	struct nlmsghdr *nlh = start(buffer, RTM_NEWROUTE, sizeof(struct rtmsg));
	struct rtmsg *header = mnl_nlmsg_get_payload(nlh);
	char text[64];
	const char *slash = strchr(prefix, '/');

	assert_non_null(slash);
	snprintf(text, sizeof(text), "%.*s", (int)(slash - prefix), prefix);
	header->rtm_family = put_address(nlh, RTA_DST, text);
	header->rtm_dst_len = (uint8_t)atoi(slash + 1);
	header->rtm_table = RT_TABLE_MAIN;
	header->rtm_protocol = protocol;
	header->rtm_type = RTN_UNICAST;
	mnl_attr_put_u32(nlh, RTA_TABLE, RT_TABLE_MAIN);
	return nlh;
}

void fake_route(struct fake *fake, unsigned ifindex, const char *prefix, const char *via)
{
	_Alignas(8) uint8_t buffer[ROOM];
	struct nlmsghdr *nlh = start_route(buffer, prefix, RTPROT_STATIC);
	if (via)
		put_address(nlh, RTA_GATEWAY, via);
	mnl_attr_put_u32(nlh, RTA_OIF, ifindex);
	keep(fake, ifindex, nlh);
}

void fake_kernel_route(struct fake *fake, unsigned ifindex, const char *prefix)
{
	_Alignas(8) uint8_t buffer[ROOM];
	struct nlmsghdr *nlh = start_route(buffer, prefix, RTPROT_KERNEL);
	mnl_attr_put_u32(nlh, RTA_OIF, ifindex);
	keep(fake, ifindex, nlh);
}

void fake_route_by(struct fake *fake, unsigned ifindex, const char *prefix, uint32_t id)
{
	_Alignas(8) uint8_t buffer[ROOM];
	struct nlmsghdr *nlh = start_route(buffer, prefix, RTPROT_STATIC);
	mnl_attr_put_u32(nlh, RTA_NH_ID, id);
	keep(fake, ifindex, nlh);
}

void fake_neighbor(struct fake *fake, unsigned ifindex, const char *address, bool proxy)
{
	static const uint8_t mac[] = {2, 0, 0, 0, 9, 9};
	_Alignas(8) uint8_t buffer[ROOM];
	struct nlmsghdr *nlh = start(buffer, RTM_NEWNEIGH, sizeof(struct ndmsg));
	struct ndmsg *header = mnl_nlmsg_get_payload(nlh);

	header->ndm_family = put_address(nlh, NDA_DST, address);
	header->ndm_ifindex = (int)ifindex;
	header->ndm_state = NUD_PERMANENT;
	header->ndm_flags = proxy ? NTF_PROXY : 0;
	if (!proxy)
		mnl_attr_put(nlh, NDA_LLADDR, sizeof(mac), mac);
	keep(fake, ifindex, nlh);
}

void fake_nexthop(struct fake *fake, unsigned ifindex, uint32_t id, const char *via)
{
	_Alignas(8) uint8_t buffer[ROOM];
	struct nlmsghdr *nlh = start(buffer, RTM_NEWNEXTHOP, sizeof(struct nhmsg));
	struct nhmsg *header = mnl_nlmsg_get_payload(nlh);

	mnl_attr_put_u32(nlh, NHA_ID, id);
	mnl_attr_put_u32(nlh, NHA_OIF, ifindex);
	header->nh_family = put_address(nlh, NHA_GATEWAY, via);
	header->nh_protocol = RTPROT_STATIC;
	keep(fake, ifindex, nlh);
}

void fake_nexthop_group(struct fake *fake, uint32_t id, uint32_t first, uint32_t second)
{
	_Alignas(8) uint8_t buffer[ROOM];
	const struct nexthop_grp members[] = {{.id = first}, {.id = second}};
	struct nlmsghdr *nlh = start(buffer, RTM_NEWNEXTHOP, sizeof(struct nhmsg));
	struct nhmsg *header = mnl_nlmsg_get_payload(nlh);

	header->nh_family = AF_UNSPEC;
	header->nh_protocol = RTPROT_STATIC;
	mnl_attr_put_u32(nlh, NHA_ID, id);
	mnl_attr_put(nlh, NHA_GROUP, sizeof(members), members);
	keep(fake, 0, nlh);
}

/* --- losing them --- */

/* A group goes on without a member that is lost. */
static void leave_groups(struct fake *fake, uint32_t id)
{
	for (size_t i = 0; i < fake->record_count; i++) {
		struct nlattr *group = (struct nlattr *)(uintptr_t)find(&fake->records[i], NHA_GROUP);
		struct nexthop_grp *members = group ? mnl_attr_get_payload(group) : NULL;
		size_t count = group ? mnl_attr_get_payload_len(group) / sizeof(*members) : 0, left = 0;
		if (fake->records[i].type != RTM_NEWNEXTHOP || !group)
			continue;
		for (size_t m = 0; m < count; m++)
			if (members[m].id != id)
				members[left++] = members[m];
		group->nla_len = (uint16_t)(NLA_HDRLEN + left * sizeof(*members));
		fake->records[i].length -= (count - left) * sizeof(*members); /* it is the last attribute */
	}
}

static void drop_where(struct fake *fake, unsigned ifindex, bool (*lost)(const struct fake_record *record))
{
	size_t kept = 0;
	for (size_t i = 0; i < fake->record_count; i++)
		if (fake->records[i].ifindex == ifindex && fake->records[i].type == RTM_NEWNEXTHOP &&
		    lost(&fake->records[i]))
			leave_groups(fake, number(&fake->records[i], NHA_ID));
	for (size_t i = 0; i < fake->record_count; i++)
		if (fake->records[i].ifindex != ifindex || !lost(&fake->records[i]))
			fake->records[kept++] = fake->records[i];
	fake->record_count = kept;
}

bool fake_is_made(const struct fake_record *record)
{
	return record->type == RTM_NEWROUTE &&
	       ((const struct rtmsg *)(const void *)record->bytes)->rtm_protocol == RTPROT_KERNEL;
}

/* What the kernel made goes as well, and comes again: here it stays. */
static bool goes_down(const struct fake_record *record)
{
	return !fake_is_made(record) && (record->type != RTM_NEWADDR || family(record) == AF_INET6);
}

static bool is_ip6(const struct fake_record *record)
{
	return family(record) == AF_INET6;
}

static bool is_any(const struct fake_record *record)
{
	(void)record;
	return true;
}

void fake_records_down(struct fake *fake, unsigned ifindex)
{
	drop_where(fake, ifindex, goes_down);
}

void fake_records_shrink(struct fake *fake, unsigned ifindex)
{
	drop_where(fake, ifindex, is_ip6);
}

static bool is_neighbor(const struct fake_record *record)
{
	return record->type == RTM_NEWNEIGH && !is_proxy(record);
}

void fake_records_readdress(struct fake *fake, unsigned ifindex)
{
	drop_where(fake, ifindex, is_neighbor);
}

static bool is_by_nexthop(const struct fake_record *record)
{
	return record->type == RTM_NEWNEXTHOP || (record->type == RTM_NEWROUTE && find(record, RTA_NH_ID));
}

void fake_records_unplug(struct fake *fake, unsigned ifindex)
{
	drop_where(fake, ifindex, is_by_nexthop);
}

void fake_records_drop(struct fake *fake, unsigned ifindex)
{
	drop_where(fake, ifindex, is_any);
}

/* --- requests --- */

static bool is_dump(const struct nlmsghdr *nlh)
{
	return (nlh->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP;
}

static unsigned device_of(struct fake *fake, const struct nlmsghdr *nlh)
{
	const struct kind *kind = kind_of(nlh->nlmsg_type);
	const void *payload = mnl_nlmsg_get_payload(nlh);
	size_t length = mnl_nlmsg_get_payload_len(nlh);
	const struct nlattr *attr = NULL, *by = NULL;

	if (kind->get == RTM_GETNEIGH)
		attr = is_dump(nlh) ? attr_of(payload, length, kind->header, NDA_IFINDEX) : NULL;
	else if (kind->device)
		attr = attr_of(payload, length, kind->header, kind->device);
	if (kind->get == RTM_GETROUTE)
		by = attr_of(payload, length, kind->header, RTA_NH_ID);
	if (by && fake) {
		const struct fake_record *hop = find_nexthop(fake, mnl_attr_get_u32(by));
		return hop ? hop->ifindex : 0;
	}
	if (attr)
		return mnl_attr_get_u32(attr);
	if (kind->get == RTM_GETADDR)
		return ((const struct ifaddrmsg *)payload)->ifa_index;
	return kind->get == RTM_GETNEIGH ? (unsigned)((const struct ndmsg *)payload)->ndm_ifindex : 0;
}

const char *fake_records_name(const struct nlmsghdr *nlh, unsigned *ifindex)
{
	const struct kind *kind = kind_of(nlh->nlmsg_type);
	const uint8_t *header = mnl_nlmsg_get_payload(nlh);

	if (!kind)
		return NULL;
	*ifindex = device_of(NULL, nlh);
	if (kind->get == RTM_GETROUTE)
		return header[0] == AF_INET6 ? "routes6" : "routes4";
	if (kind->get == RTM_GETNEIGH && (((const struct ndmsg *)(const void *)header)->ndm_flags & NTF_PROXY))
		return "proxies";
	return kind->plural;
}

/* What the kernel reports and no request says. */
static void put_state(struct fake *fake, struct nlmsghdr *nlh, const struct fake_record *record)
{
	const struct ifa_cacheinfo forever = {UINT32_MAX, UINT32_MAX, 7, 9};
	const struct nda_cacheinfo ages = {1, 2, 3, 4};
	const struct fake_record *hop =
		record->type == RTM_NEWROUTE ? find_nexthop(fake, number(record, RTA_NH_ID)) : NULL;
	struct nlattr *flags;

	switch (record->type) {
	case RTM_NEWADDR:
		flags = (struct nlattr *)(uintptr_t)attr_of(mnl_nlmsg_get_payload(nlh), record->length,
		                                            sizeof(struct ifaddrmsg), IFA_FLAGS);
		((struct ifaddrmsg *)mnl_nlmsg_get_payload(nlh))->ifa_flags |= IFA_F_PERMANENT;
		if (flags)
			*(uint32_t *)mnl_attr_get_payload(flags) |= IFA_F_PERMANENT;
		mnl_attr_put(nlh, IFA_CACHEINFO, sizeof(forever), &forever);
		break;
	case RTM_NEWNEIGH:
		((struct ndmsg *)mnl_nlmsg_get_payload(nlh))->ndm_type = RTN_UNICAST;
		mnl_attr_put(nlh, NDA_CACHEINFO, sizeof(ages), &ages);
		break;
	case RTM_NEWNEXTHOP:
		((struct nhmsg *)mnl_nlmsg_get_payload(nlh))->nh_scope = RT_SCOPE_LINK;
		break;
	default:
		if (hop && number(record, RTA_NH_ID)) {
			mnl_attr_put_u32(nlh, RTA_OIF, hop->ifindex);
			((struct rtmsg *)mnl_nlmsg_get_payload(nlh))->rtm_flags |= RTNH_F_LINKDOWN;
		}
		break;
	}
}

static bool is_asked_for(const struct fake_record *record, const struct nlmsghdr *nlh, unsigned ifindex)
{
	const uint8_t *header = mnl_nlmsg_get_payload(nlh);
	bool groups = nlh->nlmsg_type == RTM_GETNEXTHOP &&
	              attr_of(header, mnl_nlmsg_get_payload_len(nlh), sizeof(struct nhmsg), NHA_GROUPS);
	bool proxies = nlh->nlmsg_type == RTM_GETNEIGH &&
	               (((const struct ndmsg *)(const void *)header)->ndm_flags & NTF_PROXY);
	if (groups && !find(record, NHA_GROUP))
		return false;
	return kind_of(record->type)->get == nlh->nlmsg_type && (!ifindex || record->ifindex == ifindex) &&
	       (!header[0] || header[0] == family(record)) && is_proxy(record) == proxies;
}

static void dump(struct fake *fake, const struct nlmsghdr *nlh)
{
	unsigned ifindex = device_of(NULL, nlh);
	uint16_t flags = NLM_F_MULTI;
	_Alignas(8) uint8_t message[512];
	bool empty = true;

	if (!fake_dump_begin(fake, nlh))
		return;
	flags = fake_dump_flags(fake, flags);
	for (size_t i = 0; i < fake->record_count; i++) {
		const struct fake_record *record = &fake->records[i];
		if (!is_asked_for(record, nlh, ifindex))
			continue;
		struct nlmsghdr *reply = mnl_nlmsg_put_header(message);
		reply->nlmsg_type = record->type;
		reply->nlmsg_flags = flags;
		reply->nlmsg_seq = nlh->nlmsg_seq;
		memcpy(mnl_nlmsg_put_extra_header(reply, record->length), record->bytes, record->length);
		put_state(fake, reply, record);
		fake_queue(fake, message, reply->nlmsg_len);
		flags = NLM_F_MULTI;
		empty = false;
	}
	fake_dump_end(fake, nlh, empty);
}

static int refusal_of_group(struct fake *fake, const struct fake_record *wanted)
{
	const struct nlattr *group = find(wanted, NHA_GROUP);
	const struct nexthop_grp *members = mnl_attr_get_payload(group);
	for (size_t i = 0; i < mnl_attr_get_payload_len(group) / sizeof(*members); i++)
		if (!find_nexthop(fake, members[i].id))
			return EINVAL;
	return 0;
}

static int refusal_of(struct fake *fake, const struct nlmsghdr *nlh, const struct fake_record *wanted)
{
	const struct fake_link *link = fake_find_index(fake, wanted->ifindex);
	bool needs_up = wanted->type == RTM_NEWROUTE || wanted->type == RTM_NEWNEXTHOP;

	if (wanted->type == RTM_NEWNEXTHOP && find(wanted, NHA_GROUP))
		return refusal_of_group(fake, wanted);
	if (!link)
		return wanted->type == RTM_NEWROUTE && find(wanted, RTA_NH_ID) ? EINVAL : ENODEV;
	if (needs_up && !(link->flags & IFF_UP))
		return ENETDOWN;
	for (size_t i = 0; i < fake->record_count; i++) {
		const struct fake_record *there = &fake->records[i];
		if ((nlh->nlmsg_flags & NLM_F_EXCL) && same_thing(there, wanted))
			return EEXIST;
		/* another route to the same prefix is welcome, the same one is not (fib_table_insert()) */
		if ((nlh->nlmsg_flags & NLM_F_APPEND) && there->type == wanted->type &&
		    there->length == wanted->length && memcmp(there->bytes, wanted->bytes, wanted->length) == 0)
			return EEXIST;
	}
	return 0;
}

static void make(struct fake *fake, const struct nlmsghdr *nlh)
{
	struct fake_record wanted = {.type = nlh->nlmsg_type, .ifindex = device_of(fake, nlh)};
	struct fake_refusal refusal = {0};

	wanted.length = mnl_nlmsg_get_payload_len(nlh);
	assert_true(wanted.length <= sizeof(wanted.bytes));
	memcpy(wanted.bytes, mnl_nlmsg_get_payload(nlh), wanted.length);
	refusal.errnum = refusal_of(fake, nlh, &wanted);
	for (size_t i = 0; !refusal.errnum && (nlh->nlmsg_flags & NLM_F_REPLACE) && i < fake->record_count; i++)
		if (same_thing(&fake->records[i], &wanted))
			fake->records[i--] = fake->records[--fake->record_count];
	if (refusal.errnum == 0)
		keep(fake, wanted.ifindex, nlh);
	fake_queue_refusal(fake, nlh, &refusal);
}

bool fake_answer_records(struct fake *fake, const struct nlmsghdr *nlh)
{
	const struct kind *kind = kind_of(nlh->nlmsg_type);
	if (!kind)
		return false;
	if (nlh->nlmsg_type == kind->get)
		dump(fake, nlh);
	else
		make(fake, nlh);
	return true;
}
