/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the kernel says of IPv6 on a link: whether it makes a link-local address when the link comes up. Sits below
 * hanging.c.
 *
 * Source: addrconf_dev_config(), addrconf_addr_gen() (net/ipv6/addrconf.c).
 */
#include <linux/if_link.h>
#include <linux/ipv6.h>
#include <net/if.h>
#include <sys/socket.h>

#include "effects.h"

static bool is_disabled(const struct nlattr *inet6)
{
	const struct nlattr *conf = lb_find_nested(inet6, IFLA_INET6_CONF);
	const int32_t *values = conf ? mnl_attr_get_payload(conf) : NULL;
	return !conf || mnl_attr_get_payload_len(conf) <= DEVCONF_DISABLE_IPV6 * sizeof(*values) ||
	       values[DEVCONF_DISABLE_IPV6];
}

bool lb_makes_link_local(const struct libbond_link *link)
{
	const struct nlattr *inet6 = lb_find_nested(lb_link_find(link, IFLA_AF_SPEC), AF_INET6);
	const struct nlattr *mode = lb_find_nested(inet6, IFLA_INET6_ADDR_GEN_MODE);

	return inet6 && !is_disabled(inet6) && mode && mnl_attr_get_payload_len(mode) >= 1 &&
	       mnl_attr_get_u8(mode) != IN6_ADDR_GEN_MODE_NONE && (libbond_link_flags(link) & IFF_RUNNING);
}
