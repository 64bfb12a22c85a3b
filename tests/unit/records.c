/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Addresses, routes, neighbours and nexthops as the kernel reports them: which are worth a record, what of them is
 * state, what they are called, and how they are asked for. Tests lib/records.c, on messages made here and on the fake
 * kernel.
 */
#include "message.h"
#include "records.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_addr.h>
#include <linux/neighbour.h>
#include <linux/nexthop.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake.h"
#include "unit.h"

enum { IFA_PROTO_ = 11, DEVICE = 3 };

/* --- messages of the kernel --- */

static _Alignas(8) char buffer[64 * 1024];

static struct nlmsghdr *start(uint16_t type, size_t header)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buffer);
	nlh->nlmsg_type = type;
	nlh->nlmsg_flags = NLM_F_MULTI;
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

static struct nlmsghdr *address(const char *text, uint8_t flags, int proto)
{
	struct nlmsghdr *nlh = start(RTM_NEWADDR, sizeof(struct ifaddrmsg));
	struct ifaddrmsg *header = mnl_nlmsg_get_payload(nlh);
	const struct ifa_cacheinfo forever = {UINT32_MAX, UINT32_MAX, 1, 2};

	header->ifa_family = put_address(nlh, IFA_ADDRESS, text);
	header->ifa_prefixlen = 64;
	header->ifa_flags = flags;
	header->ifa_index = DEVICE;
	mnl_attr_put(nlh, IFA_CACHEINFO, sizeof(forever), &forever);
	mnl_attr_put_u32(nlh, IFA_FLAGS, flags | IFA_F_NOPREFIXROUTE);
	if (proto >= 0)
		mnl_attr_put_u8(nlh, IFA_PROTO_, (uint8_t)proto);
	return nlh;
}

static struct nlmsghdr *route(const char *to, const char *via, uint8_t protocol, unsigned flags, uint32_t table)
{
	struct nlmsghdr *nlh = start(RTM_NEWROUTE, sizeof(struct rtmsg));
	struct rtmsg *header = mnl_nlmsg_get_payload(nlh);
	const struct rta_cacheinfo info = {0};

	header->rtm_family = to ? put_address(nlh, RTA_DST, to) : AF_INET;
	header->rtm_dst_len = to ? 24 : 0;
	header->rtm_protocol = protocol;
	header->rtm_flags = flags;
	header->rtm_table = (uint8_t)(table < 256 ? table : RT_TABLE_UNSPEC);
	mnl_attr_put_u32(nlh, RTA_TABLE, table);
	if (via)
		header->rtm_family = put_address(nlh, RTA_GATEWAY, via);
	mnl_attr_put_u32(nlh, RTA_OIF, DEVICE);
	mnl_attr_put(nlh, RTA_CACHEINFO, sizeof(info), &info);
	return nlh;
}

static struct nlmsghdr *neighbor(const char *text, uint16_t flags, uint16_t neighbor_state)
{
	struct nlmsghdr *nlh = start(RTM_NEWNEIGH, sizeof(struct ndmsg));
	struct ndmsg *header = mnl_nlmsg_get_payload(nlh);
	const struct nda_cacheinfo ages = {1, 2, 3, 4};

	header->ndm_family = put_address(nlh, NDA_DST, text);
	header->ndm_ifindex = DEVICE;
	header->ndm_flags = (uint8_t)flags;
	header->ndm_state = neighbor_state;
	header->ndm_type = RTN_UNICAST;
	mnl_attr_put(nlh, NDA_CACHEINFO, sizeof(ages), &ages);
	mnl_attr_put_u32(nlh, NDA_PROBES, 5);
	return nlh;
}

static struct nlmsghdr *nexthop(uint32_t id, uint8_t protocol)
{
	struct nlmsghdr *nlh = start(RTM_NEWNEXTHOP, sizeof(struct nhmsg));
	struct nhmsg *header = mnl_nlmsg_get_payload(nlh);

	header->nh_family = AF_INET;
	header->nh_scope = RT_SCOPE_LINK;
	header->nh_protocol = protocol;
	header->nh_flags = RTNH_F_LINKDOWN | RTNH_F_ONLINK;
	mnl_attr_put_u32(nlh, NHA_ID, id);
	mnl_attr_put_u32(nlh, NHA_OIF, DEVICE);
	put_address(nlh, NHA_GATEWAY, "192.0.2.1");
	return nlh;
}

/* --- one message of each class --- */

static const struct nlmsghdr *said; /* the answer to the dump */

static bool say_it(struct fake *fake, const struct nlmsghdr *request)
{
	const struct fake_refusal done = {.done = true};
	_Alignas(8) char copy[sizeof(buffer)];

	memset(copy, 0, NLMSG_ALIGN(said->nlmsg_len));
	memcpy(copy, said, said->nlmsg_len);
	((struct nlmsghdr *)(void *)copy)->nlmsg_seq = request->nlmsg_seq;
	fake_queue(fake, copy, NLMSG_ALIGN(said->nlmsg_len));
	fake_queue_refusal(fake, request, &done);
	return true;
}

/* The record of what the kernel says, asked as of this class. */
static void read_as(enum lb_record_class class, const struct nlmsghdr *nlh, struct lb_records *records)
{
	const struct lb_record_ask ask = {DEVICE, LB_RECORD_BIT(class)};
	struct fake *fake = fake_new();
	struct libbond *handle = fake_open(fake);
	struct libbond_error err = {0};

	said = nlh;
	fake->on_request = say_it;
	if (lb_records_read(handle, &ask, 1, records, &err) < 0)
		unit_fail("%s", err.message);
	libbond_close(handle);
}

static void assert_record(enum lb_record_class class, const struct nlmsghdr *nlh, const char *text)
{
	struct lb_records records = {0};
	char got[LB_RECORD_TEXT];

	read_as(class, nlh, &records);
	if (!text && records.count)
		unit_fail("'%s' is recorded", lb_record_text(records.records[0], got));
	if (text && records.count != 1)
		unit_fail("'%s' is not recorded", text);
	if (text)
		unit_assert_text("record", text, lb_record_text(records.records[0], got));
	lb_records_free(&records);
}

static void addresses_worth_a_record(void **state)
{
	(void)state;
	assert_record(LB_RECORD_ADDRESS, address("2001:db8::5", IFA_F_PERMANENT, -1), "address 2001:db8::5/64");
	assert_record(LB_RECORD_ADDRESS, address("192.0.2.5", IFA_F_PERMANENT, 0), "address 192.0.2.5/64");
	assert_record(LB_RECORD_ADDRESS, address("2001:db8::5", IFA_F_DEPRECATED, 0), "address 2001:db8::5/64");
	assert_record(LB_RECORD_ADDRESS, address("2001:db8::5", 0, 2), /* a router advertised it */
	              "address 2001:db8::5/64");
	assert_record(LB_RECORD_ADDRESS, address("2001:db8::5", IFA_F_TEMPORARY, -1), "address 2001:db8::5/64");
	struct nlmsghdr *other = address("2001:db8::5", IFA_F_PERMANENT, -1);
	((struct ifaddrmsg *)mnl_nlmsg_get_payload(other))->ifa_index = DEVICE + 1;
	assert_record(LB_RECORD_ADDRESS, other, NULL); /* of a kernel that does not filter */
}

static void routes_worth_a_record(void **state)
{
	(void)state;
	assert_record(LB_RECORD_ROUTE4, route("198.51.100.0", "192.0.2.1", RTPROT_STATIC, 0, RT_TABLE_MAIN),
	              "route 198.51.100.0/24 via 192.0.2.1");
	assert_record(LB_RECORD_ROUTE4, route(NULL, "192.0.2.1", RTPROT_BOOT, RTNH_F_LINKDOWN, RT_TABLE_MAIN),
	              "route default via 192.0.2.1");
	assert_record(LB_RECORD_ROUTE4, route("198.51.100.0", NULL, 186, 0, 1000),
	              "route 198.51.100.0/24 table 1000");
	assert_record(LB_RECORD_ROUTE6, route("2001:db8:1::", "fe80::1", RTPROT_STATIC, 0, RT_TABLE_MAIN),
	              "route 2001:db8:1::/24 via fe80::1");
	assert_record(LB_RECORD_ROUTE6, route(NULL, "fe80::1", RTPROT_STATIC, 0, RT_TABLE_MAIN),
	              "route default (IPv6) via fe80::1");
	assert_record(LB_RECORD_ROUTE4, route("198.51.100.0", NULL, RTPROT_KERNEL, 0, RT_TABLE_MAIN), NULL);
	assert_record(LB_RECORD_ROUTE6, route(NULL, "fe80::1", 9 /* RTPROT_RA */, 0, RT_TABLE_MAIN),
	              "route default (IPv6) via fe80::1");
	assert_record(LB_RECORD_ROUTE6, route("2001:db8:1::", NULL, RTPROT_REDIRECT, 0, RT_TABLE_MAIN), NULL);
	assert_record(LB_RECORD_ROUTE6, route("2001:db8:1::", NULL, RTPROT_STATIC, RTM_F_CLONED, RT_TABLE_MAIN),
	              NULL);
}

static void others_worth_a_record(void **state)
{
	(void)state;
	assert_record(LB_RECORD_NEIGHBOR, neighbor("192.0.2.9", 0, NUD_PERMANENT), "neighbour 192.0.2.9");
	assert_record(LB_RECORD_NEIGHBOR, neighbor("fe80::9", 0, NUD_PERMANENT), "neighbour fe80::9");
	assert_record(LB_RECORD_NEIGHBOR, neighbor("192.0.2.9", 0, NUD_REACHABLE), NULL);
	assert_record(LB_RECORD_NEIGHBOR, neighbor("ff02::1", 0, NUD_NOARP), NULL);
	assert_record(LB_RECORD_PROXY, neighbor("192.0.2.10", NTF_PROXY, 0), "proxy neighbour 192.0.2.10");
	assert_record(LB_RECORD_NEXTHOP, nexthop(70, RTPROT_STATIC), "nexthop 70");
	assert_record(LB_RECORD_NEXTHOP, nexthop(70, RTPROT_KERNEL), NULL);
}

/* Two readings, and whether they are the same thing. */
static void assert_same(enum lb_record_class class, const struct nlmsghdr *first, const char *first_text,
                        struct nlmsghdr *(*second)(void), bool same)
{
	struct lb_records a = {0}, b = {0};
	read_as(class, first, &a);
	read_as(class, second(), &b);
	assert_true(a.count == 1 && b.count == 1);
	if (!lb_records_find(&b, a.records[0]) == same)
		unit_fail("%s: %s the same", first_text, same ? "is not" : "is");
	lb_records_free(&a);
	lb_records_free(&b);
}

static struct nlmsghdr *probed_address(void)
{
	return address("2001:db8::5", IFA_F_TENTATIVE, -1);
}

static struct nlmsghdr *failed_address(void)
{
	return address("2001:db8::5", IFA_F_DADFAILED | IFA_F_PERMANENT, -1);
}

static struct nlmsghdr *other_address(void)
{
	return address("2001:db8::6", IFA_F_PERMANENT, -1);
}

static struct nlmsghdr *address_that_ends(void)
{
	struct nlmsghdr *nlh = address("2001:db8::5", 0, -1);
	struct ifa_cacheinfo *info = NULL;
	struct nlattr *attr;
	mnl_attr_for_each (attr, nlh, sizeof(struct ifaddrmsg)) {
		if (mnl_attr_get_type(attr) == IFA_CACHEINFO)
			info = mnl_attr_get_payload(attr);
	}
	assert_non_null(info);
	info->ifa_prefered = 100;
	info->ifa_valid = 200;
	return nlh;
}

static struct nlmsghdr *route_without_link(void)
{
	return route("198.51.100.0", "192.0.2.1", RTPROT_STATIC, RTNH_F_LINKDOWN | RTNH_F_DEAD, RT_TABLE_MAIN);
}

static struct nlmsghdr *route_of_another_table(void)
{
	return route("198.51.100.0", "192.0.2.1", RTPROT_STATIC, 0, 100);
}

static void state_is_not_what_a_thing_is(void **state)
{
	(void)state;
	assert_same(LB_RECORD_ADDRESS, address("2001:db8::5", IFA_F_PERMANENT, -1), "tentative", probed_address,
	            true);
	assert_same(LB_RECORD_ADDRESS, address("2001:db8::5", IFA_F_PERMANENT, -1), "failed", failed_address, true);
	assert_same(LB_RECORD_ADDRESS, address("2001:db8::5", IFA_F_PERMANENT, -1), "other", other_address, false);
	assert_same(LB_RECORD_ADDRESS, address_that_ends(), "lifetime", address_that_ends, true);
	assert_same(LB_RECORD_ROUTE4, route("198.51.100.0", "192.0.2.1", RTPROT_STATIC, 0, RT_TABLE_MAIN), "link",
	            route_without_link, true);
	assert_same(LB_RECORD_ROUTE4, route("198.51.100.0", "192.0.2.1", RTPROT_STATIC, 0, RT_TABLE_MAIN), "table",
	            route_of_another_table, false);
}

static const struct nlattr *attr_of(const struct nlmsghdr *request, size_t header, unsigned type)
{
	const struct nlattr *attr;
	mnl_attr_for_each (attr, request, (unsigned)header) {
		if (mnl_attr_get_type(attr) == type)
			return attr;
	}
	return NULL;
}

static void the_request_that_makes_it_again(void **state)
{
	struct lb_records records = {0};
	struct nlmsghdr *request;
	(void)state;
	read_as(LB_RECORD_ADDRESS, address("2001:db8::5", IFA_F_TENTATIVE, -1), &records);
	read_as(LB_RECORD_ADDRESS, address_that_ends(), &records);
	read_as(LB_RECORD_ROUTE4,
	        route("198.51.100.0", "192.0.2.1", RTPROT_STATIC, RTNH_F_LINKDOWN | RTNH_F_ONLINK, RT_TABLE_MAIN),
	        &records);
	read_as(LB_RECORD_NEIGHBOR, neighbor("192.0.2.9", 0, NUD_PERMANENT), &records);
	read_as(LB_RECORD_NEXTHOP, nexthop(70, RTPROT_STATIC), &records);
	assert_int_equal(records.count, 5);
	for (size_t i = 0; i < records.count; i++) {
		request = lb_record_request(records.records[i]);
		assert_int_equal(request->nlmsg_flags, NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE | NLM_F_EXCL);
	}
	/* no state, but the flag that somebody set */
	request = lb_record_request(records.records[0]);
	assert_int_equal(request->nlmsg_type, RTM_NEWADDR);
	assert_null(attr_of(request, sizeof(struct ifaddrmsg), IFA_CACHEINFO));
	assert_int_equal(mnl_attr_get_u32(attr_of(request, sizeof(struct ifaddrmsg), IFA_FLAGS)),
	                 IFA_F_NOPREFIXROUTE);
	/* what is left of a life that ends */
	request = lb_record_request(records.records[1]);
	const struct nlattr *info = attr_of(request, sizeof(struct ifaddrmsg), IFA_CACHEINFO);
	assert_non_null(info);
	assert_int_equal(((const struct ifa_cacheinfo *)mnl_attr_get_payload(info))->ifa_valid, 200);
	request = lb_record_request(records.records[2]);
	assert_int_equal(((struct rtmsg *)mnl_nlmsg_get_payload(request))->rtm_flags, RTNH_F_ONLINK);
	assert_null(attr_of(request, sizeof(struct rtmsg), RTA_CACHEINFO));
	request = lb_record_request(records.records[3]);
	assert_int_equal(((struct ndmsg *)mnl_nlmsg_get_payload(request))->ndm_type, 0);
	assert_null(attr_of(request, sizeof(struct ndmsg), NDA_PROBES));
	request = lb_record_request(records.records[4]);
	assert_int_equal(((struct nhmsg *)mnl_nlmsg_get_payload(request))->nh_scope, 0);
	assert_int_equal(((struct nhmsg *)mnl_nlmsg_get_payload(request))->nh_flags, RTNH_F_ONLINK);
	lb_records_free(&records);
}

/* A route through so many hops; the kernel says of each whether it is dead. */
static struct nlmsghdr *multipath(unsigned hops)
{
	struct nlmsghdr *nlh = start(RTM_NEWROUTE, sizeof(struct rtmsg));
	struct rtmsg *header = mnl_nlmsg_get_payload(nlh);
	header->rtm_family = put_address(nlh, RTA_DST, "2001:db8:1::");
	header->rtm_dst_len = 64;
	header->rtm_table = RT_TABLE_MAIN;
	header->rtm_protocol = RTPROT_STATIC;
	struct nlattr *nest = mnl_attr_nest_start(nlh, RTA_MULTIPATH);
	nest->nla_type = RTA_MULTIPATH;
	for (unsigned i = 0; i < hops; i++) {
		struct rtnexthop *hop = mnl_nlmsg_get_payload_tail(nlh);
		*hop = (struct rtnexthop){.rtnh_ifindex = DEVICE, .rtnh_flags = RTNH_F_DEAD | RTNH_F_ONLINK};
		nlh->nlmsg_len += sizeof(*hop);
		put_address(nlh, RTA_GATEWAY, "fe80::1");
		hop->rtnh_len = (uint16_t)((char *)mnl_nlmsg_get_payload_tail(nlh) - (char *)hop);
	}
	mnl_attr_nest_end(nlh, nest);
	return nlh;
}

static void a_route_of_several_hops(void **state)
{
	struct lb_records records = {0};
	struct nlmsghdr *request;
	(void)state;
	read_as(LB_RECORD_ROUTE6, multipath(3), &records);
	assert_int_equal(records.count, 1);
	request = lb_record_request(records.records[0]);
	const struct rtnexthop *hop = mnl_attr_get_payload(attr_of(request, sizeof(struct rtmsg), RTA_MULTIPATH));
	assert_int_equal(hop->rtnh_flags, RTNH_F_ONLINK);
	lb_records_free(&records);
}

static void a_record_that_does_not_fit_a_message(void **state)
{
	const struct nlmsghdr *nlh = multipath(300);
	struct lb_records records = {0};
	const struct nlmsghdr *request;
	(void)state;
	read_as(LB_RECORD_ROUTE6, nlh, &records);
	assert_int_equal(records.count, 1);
	request = lb_record_request(records.records[0]);
	assert_true(request->nlmsg_len > LB_MESSAGE_SIZE);
	assert_int_equal(request->nlmsg_len, nlh->nlmsg_len); /* all of it, and nothing behind */
	const struct nlattr *hops = attr_of(request, sizeof(struct rtmsg), RTA_MULTIPATH);
	assert_int_equal((const char *)request + request->nlmsg_len - (const char *)hops, hops->nla_len);
	lb_records_free(&records);
}

static void messages_that_are_cut(void **state)
{
	struct nlmsghdr *nlh;
	(void)state;
	for (unsigned class = 0; class < LB_RECORD_CLASSES; class ++)
		for (uint32_t length = NLMSG_HDRLEN; length < 100; length++) {
			struct lb_records records = {0};
			nlh = class == LB_RECORD_ADDRESS                               ? address_that_ends()
			      : class == LB_RECORD_NEXTHOP || class == LB_RECORD_GROUP ? nexthop(70, RTPROT_STATIC)
			      : class == LB_RECORD_ROUTE4 || class == LB_RECORD_ROUTE6
			              ? multipath(2)
			              : neighbor("fe80::9", NTF_PROXY, 0);
			char *cut = malloc(length); /* of just its size: a read past the end is seen */
			if (length >= nlh->nlmsg_len || !cut) {
				free(cut);
				break;
			}
			memcpy(cut, nlh, length);
			((struct nlmsghdr *)(void *)cut)->nlmsg_len = length;
			read_as(class, (const struct nlmsghdr *)(void *)cut, &records);
			for (size_t i = 0; i < records.count; i++) {
				char text[LB_RECORD_TEXT];
				assert_true(*lb_record_text(records.records[i], text));
			}
			lb_records_free(&records);
			free(cut);
		}
}

/* --- how they are asked for --- */

static void dumps_one_after_another(void **state)
{
	const struct lb_record_ask asks[] = {{DEVICE, LB_RECORD_ALL}, {4, LB_RECORD_BIT(LB_RECORD_ADDRESS)}};
	struct fake *fake = fake_new();
	struct libbond *handle = fake_open(fake);
	struct lb_records records = {0};
	(void)state;
	fake_device(fake, DEVICE, "eth0", IFF_UP);
	fake_device(fake, 4, "eth1", IFF_UP);
	/* nothing there: each dump ends at once, and four go out together */
	assert_int_equal(lb_records_read(handle, asks, 2, &records, NULL), 0);
	unit_assert_text("requests",
	                 "look at #3: addresses,nexthops,routes4,routes6; look at #3: neighbours,proxies + "
	                 "look at #4: addresses",
	                 fake->log);
	assert_int_equal(records.count, 0);
	/* one that has something to tell holds up those behind it */
	fake_forget(fake);
	fake_address(fake, DEVICE, "2001:db8::5");
	fake_route(fake, DEVICE, "198.51.100.0/24", "192.0.2.1");
	fake_address(fake, 4, "192.0.2.6");
	assert_int_equal(lb_records_read(handle, asks, 2, &records, NULL), 0);
	unit_assert_text(
		"requests",
		"look at #3: addresses,nexthops,routes4,routes6; look at #3: nexthops,routes4,routes6,neighbours; "
		"look at #3: routes6,neighbours,proxies + look at #4: addresses",
		fake->log);
	assert_int_equal(records.count, 3);
	lb_records_free(&records);
	libbond_close(handle);
}

static void dumps_that_are_interrupted(void **state)
{
	const struct lb_record_ask ask = {DEVICE, LB_RECORD_ALL};
	struct fake *fake = fake_new();
	struct libbond *handle = fake_open(fake);
	struct lb_records records = {0};
	struct libbond_error err;
	(void)state;
	fake_device(fake, DEVICE, "eth0", IFF_UP);
	fake_address(fake, DEVICE, "2001:db8::5");
	fake_route(fake, DEVICE, "198.51.100.0/24", NULL);
	fake->dump_intr = 2;
	assert_int_equal(lb_records_read(handle, &ask, 1, &records, &err), 0);
	assert_int_equal(records.count, 2); /* each once */
	fake->dump_intr = 100000;
	assert_int_equal(lb_records_read(handle, &ask, 1, &records, &err), -EINTR);
	unit_assert_error(&err, LIBBOND_CAUSE_INTERRUPTED, EINTR, NULL);
	assert_int_equal(records.count, 2); /* what was there before */
	lb_records_free(&records);
	libbond_close(handle);
}

static int refusal_errnum;

static bool refuse_nexthops(struct fake *fake, const struct nlmsghdr *request)
{
	const struct fake_refusal refusal = {.errnum = refusal_errnum};
	if (request->nlmsg_type != RTM_GETNEXTHOP)
		return false;
	fake_queue_refusal(fake, request, &refusal);
	return true;
}

static void classes_that_a_kernel_lacks(void **state)
{
	const struct lb_record_ask ask = {DEVICE, LB_RECORD_ALL};
	static const int failures[] = {EPERM, ENOMEM, EINVAL, ENODEV, EACCES};
	struct fake *fake = fake_new();
	struct libbond *handle = fake_open(fake);
	struct lb_records records = {0};
	(void)state;
	fake_device(fake, DEVICE, "eth0", IFF_UP);
	fake_address(fake, DEVICE, "2001:db8::5");
	fake->on_request = refuse_nexthops;
	refusal_errnum = EOPNOTSUPP;
	assert_int_equal(lb_records_read(handle, &ask, 1, &records, NULL), 0);
	assert_int_equal(records.count, 1);
	for (size_t i = 0; i < COUNT(failures); i++) {
		refusal_errnum = failures[i];
		assert_int_equal(lb_records_read(handle, &ask, 1, &records, NULL), -failures[i]);
		assert_int_equal(records.count, 1);
	}
	lb_records_free(&records);
	libbond_close(handle);
}

/* A record of what the kernel says. */
static struct lb_record *heard(enum lb_record_class class, const struct nlmsghdr *nlh)
{
	struct lb_record *record;
	assert_int_equal(lb_record_take(class, nlh, DEVICE, &record), 0);
	assert_non_null(record);
	return record;
}

/* As many as a host with all of the Internet's routes has of one length, in no time. */
static void many_records_are_found(void **state)
{
	enum { ROUTES = 50000 };
	struct lb_records records = {0};
	char to[32];
	(void)state;
	for (int i = 0; i < ROUTES; i++) {
		snprintf(to, sizeof(to), "10.%d.%d.0", i / 250, i % 250);
		assert_int_equal(
			lb_records_add(&records, heard(LB_RECORD_ROUTE4,
		                                       route(to, "192.0.2.1", RTPROT_STATIC, 0, RT_TABLE_MAIN))),
			0);
	}
	for (int i = 0; i < ROUTES; i += 7) {
		snprintf(to, sizeof(to), "10.%d.%d.0", i / 250, i % 250);
		struct lb_record *same =
			heard(LB_RECORD_ROUTE4, route(to, "192.0.2.1", RTPROT_STATIC, 0, RT_TABLE_MAIN));
		struct lb_record *rival =
			heard(LB_RECORD_ROUTE4, route(to, "192.0.2.2", RTPROT_STATIC, 0, RT_TABLE_MAIN));
		assert_ptr_equal(lb_records_find(&records, same), records.records[i]);
		assert_null(lb_records_find(&records, rival));
		assert_ptr_equal(lb_records_rival(&records, rival, NULL), records.records[i]);
		assert_null(lb_records_rival(&records, rival, records.records[i]));
		free(same);
		free(rival);
	}
	lb_records_free(&records);
}

static void a_lifetime_that_is_renewed(void **state)
{
	struct lb_record *forever = heard(LB_RECORD_ADDRESS, address("2001:db8::5", IFA_F_PERMANENT, -1));
	struct lb_record *ends = heard(LB_RECORD_ADDRESS, address_that_ends());
	struct lb_record *copy = lb_record_copy(forever);
	(void)state;
	assert_non_null(copy);
	assert_false(lb_record_ends(copy));
	lb_record_renew(copy, ends);
	assert_true(lb_record_ends(copy));
	assert_true(lb_record_same(copy, forever));
	assert_memory_equal(lb_record_request(copy), lb_record_request(ends), lb_record_request(ends)->nlmsg_len);
	lb_record_renew(copy, forever);
	assert_false(lb_record_ends(copy));
	assert_int_equal(lb_record_request(copy)->nlmsg_len, lb_record_request(forever)->nlmsg_len);
	free(copy);
	free(ends);
	free(forever);
}

static void a_route_with_the_paths_of_another(void **state)
{
	struct lb_record *several = heard(LB_RECORD_ROUTE6, multipath(3));
	struct lb_record *one =
		heard(LB_RECORD_ROUTE6, route("2001:db8:1::", "fe80::1", RTPROT_STATIC, 0, RT_TABLE_MAIN));
	struct lb_record *other =
		heard(LB_RECORD_ROUTE6, route("2001:db8:1::", "fe80::2", RTPROT_STATIC, 0, RT_TABLE_MAIN));
	(void)state;
	several->ifindex = DEVICE;
	assert_true(lb_record_covers(several, one));
	assert_true(lb_record_covers(one, several)); /* three times the same hop */
	assert_false(lb_record_covers(several, other));
	free(other);
	free(one);
	free(several);
}

/* Read, lost, sent again, read: the same. */
static void what_is_sent_again_is_the_same(void **state)
{
	const struct lb_record_ask ask = {DEVICE, LB_RECORD_ALL};
	struct fake *fake = fake_new();
	struct libbond *handle = fake_open(fake);
	struct lb_records records = {0}, again = {0};
	(void)state;
	fake_device(fake, DEVICE, "eth0", IFF_UP);
	fake_address(fake, DEVICE, "2001:db8::5");
	fake_nexthop(fake, DEVICE, 70, "192.0.2.1");
	fake_route(fake, DEVICE, "198.51.100.0/24", "192.0.2.1");
	fake_route_by(fake, DEVICE, "203.0.113.0/24", 70);
	fake_route(fake, DEVICE, "2001:db8:1::/64", NULL);
	fake_neighbor(fake, DEVICE, "192.0.2.9", false);
	fake_neighbor(fake, DEVICE, "192.0.2.10", true);
	assert_int_equal(lb_records_read(handle, &ask, 1, &records, NULL), 0);
	assert_int_equal(records.count, 7);
	fake->record_count = 0;
	for (size_t i = 0; i < records.count; i++) {
		const struct nlmsghdr *request = lb_record_request(records.records[i]);
		assert_int_equal(fake->transport.send(fake, request, request->nlmsg_len), 0);
	}
	fake_forget(fake);
	assert_int_equal(lb_records_read(handle, &ask, 1, &again, NULL), 0);
	assert_int_equal(again.count, records.count);
	for (size_t i = 0; i < records.count; i++)
		assert_non_null(lb_records_find(&again, records.records[i]));
	lb_records_free(&records);
	lb_records_free(&again);
	libbond_close(handle);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("addresses are recorded, of every origin", addresses_worth_a_record),
		TEST("routes are recorded, but those that the kernel makes", routes_worth_a_record),
		TEST("neighbours for good and nexthops are recorded", others_worth_a_record),
		TEST("two readings of one thing are the same, whatever its state", state_is_not_what_a_thing_is),
		TEST("the request that makes a thing again says what it is, and not its state",
	             the_request_that_makes_it_again),
		TEST("the hops of a route lose their state as well", a_route_of_several_hops),
		TEST("a record that is longer than our own messages is whole", a_record_that_does_not_fit_a_message),
		TEST("a message that is cut is read as far as it goes", messages_that_are_cut),
		TEST("dumps are asked for together, and again where another one runs", dumps_one_after_another),
		TEST("dumps that are interrupted are repeated, and leave nothing twice", dumps_that_are_interrupted),
		TEST("what a kernel does not have is not there; any other refusal is a failure",
	             classes_that_a_kernel_lacks),
		TEST("what is sent again reads back as the same", what_is_sent_again_is_the_same),
		TEST("one of many records is found, and what is found by the same", many_records_are_found),
		TEST("a record takes over a lifetime, and loses it", a_lifetime_that_is_renewed),
		TEST("a route has the paths of another or has them not", a_route_with_the_paths_of_another),
	};
	cmocka_set_test_filter(getenv("UNIT_FILTER"));
	return cmocka_run_group_tests_name("records", tests, NULL, NULL);
}
