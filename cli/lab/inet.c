/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Adds addresses and static routes. Sits on libnl-route, which builds the messages, and net.c, which sends them.
 */
#include "lab/inet.h"

#include <errno.h>
#include <linux/if_addr.h>
#include <linux/rtnetlink.h>
#include <netlink/addr.h>
#include <netlink/msg.h>
#include <netlink/route/addr.h>
#include <netlink/route/nexthop.h>
#include <netlink/route/route.h>

#include "lab/fail.h"

static int parse(const char *text, int family, struct nl_addr **out, struct libbond_error *err)
{
	int rc = nl_addr_parse(text, family, out);
	if (rc >= 0)
		return 0;
	if (rc == -NLE_NOMEM)
		return lab_fail_memory(err);
	return lab_fail(err, LIBBOND_CAUSE_BAD_VALUE, EINVAL, "'%.64s' is no address", text);
}

int lab_inet_address(struct lab_net *net, const char *device, const char *address, struct libbond_error *err)
{
	struct nl_addr *local;
	struct nl_msg *msg = NULL;
	int index = lab_net_index(net, device);

	if (index < 0)
		return lab_net_no_device("add an address to", device, err);
	int rc = parse(address, AF_UNSPEC, &local, err);
	if (rc < 0)
		return rc;
	struct rtnl_addr *object = rtnl_addr_alloc();
	if (object && rtnl_addr_set_local(object, local) == 0) {
		rtnl_addr_set_ifindex(object, index);
		if (nl_addr_get_family(local) == AF_INET6)
			rtnl_addr_set_flags(object, IFA_F_NODAD);
		rtnl_addr_build_add_request(object, NLM_F_EXCL, &msg);
	}
	rtnl_addr_put(object);
	nl_addr_put(local);
	return lab_net_talk(net, msg, "add an address to", device, err);
}

/* NULL without memory. */
static struct nl_msg *route_message(int index, struct nl_addr *to, struct nl_addr *by)
{
	struct nl_msg *msg = NULL;
	struct rtnl_route *route = rtnl_route_alloc();
	struct rtnl_nexthop *hop = rtnl_route_nh_alloc();

	if (!route || !hop) {
		rtnl_route_put(route);
		if (hop)
			rtnl_route_nh_free(hop);
		return NULL;
	}
	rtnl_route_set_family(route, (uint8_t)nl_addr_get_family(to));
	rtnl_route_set_dst(route, to);
	rtnl_route_nh_set_ifindex(hop, index);
	if (by)
		rtnl_route_nh_set_gateway(hop, by);
	rtnl_route_add_nexthop(route, hop); /* which is the route's from here on */
	rtnl_route_build_add_request(route, NLM_F_CREATE | NLM_F_EXCL, &msg);
	rtnl_route_put(route);
	return msg;
}

int lab_inet_route(struct lab_net *net, const char *device, const char *prefix, const char *gateway,
                   struct libbond_error *err)
{
	struct nl_addr *to = NULL, *by = NULL;
	int index = lab_net_index(net, device);

	if (index < 0)
		return lab_net_no_device("add a route over", device, err);
	int rc = gateway ? parse(gateway, AF_UNSPEC, &by, err) : 0;
	/* "default" is of the gateway's family */
	if (rc == 0)
		rc = parse(prefix, by ? nl_addr_get_family(by) : AF_UNSPEC, &to, err);
	if (rc == 0)
		rc = lab_net_talk(net, route_message(index, to, by), "add a route over", device, err);
	nl_addr_put(by);
	nl_addr_put(to);
	return rc;
}
