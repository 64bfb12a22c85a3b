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

typedef const struct nlattr *find_in(const struct libbond_link *link);

static const struct nlattr *find_alias(const struct libbond_link *link)
{
	return lb_link_find(link, IFLA_IFALIAS);
}

static const struct nlattr *find_names(const struct libbond_link *link)
{
	return lb_link_find(link, LB_IFLA_PROP_LIST);
}

static const struct nlattr *find_group(const struct libbond_link *link)
{
	return lb_link_find(link, IFLA_GROUP);
}

static const struct nlattr *find_qdisc(const struct libbond_link *link)
{
	return lb_link_find(link, IFLA_QDISC);
}

static const struct nlattr *find_inet(const struct libbond_link *link)
{
	return lb_find_nested(lb_find_nested(lb_link_find(link, IFLA_AF_SPEC), AF_INET), IFLA_INET_CONF);
}

static const struct nlattr *find_inet6(const struct libbond_link *link)
{
	return lb_find_nested(lb_find_nested(lb_link_find(link, IFLA_AF_SPEC), AF_INET6), IFLA_INET6_CONF);
}

static const struct {
	find_in *find;
	const char *text;
} things[LB_UNMADE - 1] = {
	{find_alias, "alias"},
	{find_names, "alternative names"},
	{find_group, "group"},
	{find_qdisc, "qdisc"},
	{find_inet, "settings of IPv4 (net.ipv4.conf)"},
	{find_inet6, "settings of IPv6 (net.ipv6.conf)"},
};

const char *lb_unmade(size_t number, const struct libbond_link *then, const struct libbond_link *now)
{
	const unsigned flags = IFF_PROMISC | IFF_ALLMULTI | IFF_NOARP;

	if (number == LB_UNMADE - 1)
		return (libbond_link_flags(then) ^ libbond_link_flags(now)) & flags ? "flags promisc, allmulti, noarp"
		                                                                    : NULL;
	const struct nlattr *was = things[number].find(then), *is = things[number].find(now);
	bool same = was && is && was->nla_len == is->nla_len && memcmp(was, is, was->nla_len) == 0;
	return was && !same ? things[number].text : NULL;
}
