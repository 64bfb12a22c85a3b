/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What a bond that was deleted has not when it is made again, beside what options, addresses and routes are: read
 * from what the kernel said of it before and after. Sits below left.c, which says it.
 */
#include <linux/if_link.h>
#include <net/if.h>
#include <string.h>
#include <sys/socket.h>

#include "undo.h"

static const struct {
	unsigned type;
	unsigned family, nested; /* in the nest of a family, or 0 */
	const char *text;
} things[LB_UNMADE - 1] = {
	{IFLA_IFALIAS, 0, 0, "alias"},
	{LB_IFLA_PROP_LIST, 0, 0, "alternative names"},
	{IFLA_GROUP, 0, 0, "group"},
	{IFLA_QDISC, 0, 0, "qdisc"},
	{IFLA_AF_SPEC, AF_INET, IFLA_INET_CONF, "settings of IPv4 (net.ipv4.conf)"},
	{IFLA_AF_SPEC, AF_INET6, IFLA_INET6_CONF, "settings of IPv6 (net.ipv6.conf)"},
};

static const struct nlattr *find(const struct libbond_link *link, size_t number)
{
	const struct nlattr *attr = lb_link_find(link, things[number].type);
	return things[number].family
	               ? lb_find_nested(lb_find_nested(attr, things[number].family), things[number].nested)
	               : attr;
}

const char *lb_unmade(size_t number, const struct libbond_link *then, const struct libbond_link *now)
{
	const unsigned flags = IFF_PROMISC | IFF_ALLMULTI | IFF_NOARP;

	if (number == LB_UNMADE - 1)
		return (libbond_link_flags(then) ^ libbond_link_flags(now)) & flags ? "flags promisc, allmulti, noarp"
		                                                                    : NULL;
	const struct nlattr *was = find(then, number), *is = find(now, number);
	bool same = was && is && was->nla_len == is->nla_len && memcmp(was, is, was->nla_len) == 0;
	return was && !same ? things[number].text : NULL;
}
