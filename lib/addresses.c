/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Asks for a device's addresses beside the request that enslaves it, at no round trip of its own. Sits
 * between change.c and exchange.c.
 */
#include "addresses.h"

#include <arpa/inet.h>
#include <linux/if_addr.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <string.h>

struct nlmsghdr *lb_addresses_message(void *data, unsigned ifindex)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(data);
	nlh->nlmsg_type = RTM_GETADDR;
	nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
	struct ifaddrmsg *header = mnl_nlmsg_put_extra_header(nlh, sizeof(*header));
	header->ifa_family = AF_UNSPEC;
	header->ifa_index = ifindex; /* filters where strict checking is on */
	return nlh;
}

static void put_text(char buf[LB_ADDRESS_TEXT], int family, const struct nlattr *attr, unsigned prefix)
{
	char text[INET6_ADDRSTRLEN];
	if (inet_ntop(family, mnl_attr_get_payload(attr), text, sizeof(text)))
		snprintf(buf, LB_ADDRESS_TEXT, "%s/%u", text, prefix);
}

int lb_addresses_receive(const struct nlmsghdr *nlh, void *context)
{
	struct lb_addresses *found = context;
	const struct ifaddrmsg *header = mnl_nlmsg_get_payload(nlh);
	const struct nlattr *attr, *address = NULL, *local = NULL;

	if (nlh->nlmsg_type != RTM_NEWADDR || mnl_nlmsg_get_payload_len(nlh) < sizeof(*header) ||
	    header->ifa_index != found->ifindex)
		return 0;
	mnl_attr_for_each (attr, nlh, sizeof(*header)) {
		if (mnl_attr_get_type(attr) == IFA_LOCAL)
			local = attr;
		else if (mnl_attr_get_type(attr) == IFA_ADDRESS)
			address = attr;
	}
	attr = local ? local : address; /* IFA_ADDRESS is the far end of a point-to-point link */
	if (!attr)
		return 0;
	if (header->ifa_family == AF_INET && mnl_attr_get_payload_len(attr) >= sizeof(struct in_addr) &&
	    found->ip4++ == 0)
		put_text(found->first4, AF_INET, attr, header->ifa_prefixlen);
	if (header->ifa_family == AF_INET6 && header->ifa_scope != RT_SCOPE_LINK &&
	    mnl_attr_get_payload_len(attr) >= sizeof(struct in6_addr) && found->ip6++ == 0)
		put_text(found->first6, AF_INET6, attr, header->ifa_prefixlen);
	return 0;
}
