/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds the requests that make and change devices. Sits on net.c, which sends them; topology.c and the operations of
 * a stress run call it.
 */
#include "lab/links.h"

#include <linux/if_bridge.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>
#include <net/if.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <string.h>

/* A request that begins with the device's header; NULL without memory. "flags" count where "mask" is set. */
static struct nl_msg *link_message(int type, int how, int index, unsigned flags, unsigned mask)
{
	struct ifinfomsg header = {.ifi_index = index, .ifi_flags = flags, .ifi_change = mask};
	struct nl_msg *msg = nlmsg_alloc_simple(type, how);

	if (msg && nlmsg_append(msg, &header, sizeof(header), NLMSG_ALIGNTO) == 0)
		return msg;
	nlmsg_free(msg);
	return NULL;
}

/* NULL, and the message freed, if something did not fit. */
static struct nl_msg *whole(struct nl_msg *msg, int failed)
{
	if (!failed)
		return msg;
	nlmsg_free(msg);
	return NULL;
}

/* --- making --- */

/* A device of a kind, whose own attributes fill() adds. */
struct kind {
	const char *name;
	int (*fill)(struct nl_msg *msg, const void *values);
	const void *values;
};

static int put_kind(struct nl_msg *msg, const struct kind *kind)
{
	struct nlattr *info = nla_nest_start(msg, IFLA_LINKINFO);
	int failed = !info || nla_put_string(msg, IFLA_INFO_KIND, kind->name);
	struct nlattr *data = failed ? NULL : nla_nest_start(msg, IFLA_INFO_DATA);

	failed = failed || !data || kind->fill(msg, kind->values);
	if (!failed) {
		nla_nest_end(msg, data);
		nla_nest_end(msg, info);
	}
	return failed;
}

/* lower: index of the device that it stands on, 0 for none. */
static int make(const struct lab_end *end, const struct kind *kind, int lower, struct libbond_error *err)
{
	struct nl_msg *msg = link_message(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL, 0, 0, 0);
	int failed = msg && (nla_put_string(msg, IFLA_IFNAME, end->name) ||
	                     (lower && nla_put_u32(msg, IFLA_LINK, (uint32_t)lower)) || put_kind(msg, kind));
	return lab_net_talk(end->net, whole(msg, failed), "create", end->name, err);
}

/* What both ends of a pair have. */
struct veth {
	const struct lab_end *other;
	unsigned mtu, txqueuelen;
};

static int put_sizes(struct nl_msg *msg, const struct veth *veth)
{
	return (veth->mtu && nla_put_u32(msg, IFLA_MTU, veth->mtu)) ||
	       (veth->txqueuelen && nla_put_u32(msg, IFLA_TXQLEN, veth->txqueuelen));
}

static int fill_veth(struct nl_msg *msg, const void *values)
{
	const struct veth *veth = values;
	struct ifinfomsg header = {0};
	struct nlattr *peer = nla_nest_start(msg, VETH_INFO_PEER);
	int failed = !peer || nlmsg_append(msg, &header, sizeof(header), NLMSG_ALIGNTO) ||
	             nla_put_string(msg, IFLA_IFNAME, veth->other->name) ||
	             nla_put_u32(msg, IFLA_NET_NS_FD, (uint32_t)lab_net_fd(veth->other->net)) || put_sizes(msg, veth);

	if (!failed)
		nla_nest_end(msg, peer);
	return failed;
}

int lab_link_veth(const struct lab_end *one, const struct lab_end *other, unsigned mtu, unsigned txqueuelen,
                  struct libbond_error *err)
{
	const struct veth veth = {.other = other, .mtu = mtu, .txqueuelen = txqueuelen};
	const struct kind kind = {.name = "veth", .fill = fill_veth, .values = &veth};
	struct nl_msg *msg = link_message(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL, 0, 0, 0);
	int failed =
		msg && (nla_put_string(msg, IFLA_IFNAME, one->name) || put_sizes(msg, &veth) || put_kind(msg, &kind));
	return lab_net_talk(one->net, whole(msg, failed), "create", one->name, err);
}

static int fill_bridge(struct nl_msg *msg, const void *values)
{
	const unsigned *mask = values;
	return nla_put_u32(msg, IFLA_BR_STP_STATE, 0) || nla_put_u32(msg, IFLA_BR_FORWARD_DELAY, 0) ||
	       (*mask && nla_put_u16(msg, IFLA_BR_GROUP_FWD_MASK, (uint16_t)*mask));
}

int lab_link_bridge(struct lab_net *net, const char *name, unsigned group_fwd_mask, struct libbond_error *err)
{
	const struct lab_end end = {.net = net, .name = name};
	const struct kind kind = {.name = "bridge", .fill = fill_bridge, .values = &group_fwd_mask};
	return make(&end, &kind, 0, err);
}

/* A device that stands on another one. */
static int make_upper(const struct lab_end *end, const struct kind *kind, const char *lower,
                      struct libbond_error *err)
{
	int index = lab_net_index(end->net, lower);
	return index < 0 ? lab_net_no_device("build on", lower, err) : make(end, kind, index, err);
}

static int fill_vlan(struct nl_msg *msg, const void *values)
{
	const unsigned *id = values;
	return nla_put_u16(msg, IFLA_VLAN_ID, (uint16_t)*id);
}

int lab_link_vlan(struct lab_net *net, const char *name, const char *lower, unsigned id, struct libbond_error *err)
{
	const struct lab_end end = {.net = net, .name = name};
	const struct kind kind = {.name = "vlan", .fill = fill_vlan, .values = &id};
	return make_upper(&end, &kind, lower, err);
}

static int fill_macvlan(struct nl_msg *msg, const void *values)
{
	(void)values;
	return nla_put_u32(msg, IFLA_MACVLAN_MODE, MACVLAN_MODE_BRIDGE);
}

int lab_link_macvlan(struct lab_net *net, const char *name, const char *lower, struct libbond_error *err)
{
	const struct lab_end end = {.net = net, .name = name};
	const struct kind kind = {.name = "macvlan", .fill = fill_macvlan};
	return make_upper(&end, &kind, lower, err);
}

/* --- changing --- */

/* One change of a device that is there: a flag, or an attribute. */
struct edit {
	const char *what; /* "cannot WHAT DEVICE" */
	unsigned flags, mask;
	int attr; /* 0 for none */
	const void *data;
	int size;
};

static int change(struct lab_net *net, const char *name, const struct edit *edit, struct libbond_error *err)
{
	int index = lab_net_index(net, name);

	if (index < 0)
		return lab_net_no_device(edit->what, name, err);
	struct nl_msg *msg = link_message(RTM_NEWLINK, 0, index, edit->flags, edit->mask);
	int failed = msg && edit->attr && nla_put(msg, edit->attr, edit->size, edit->data);
	return lab_net_talk(net, whole(msg, failed), edit->what, name, err);
}

static int change_u32(struct lab_net *net, const char *name, const char *what, int attr, uint32_t value,
                      struct libbond_error *err)
{
	const struct edit edit = {.what = what, .attr = attr, .data = &value, .size = sizeof(value)};
	return change(net, name, &edit, err);
}

int lab_link_delete(struct lab_net *net, const char *name, struct libbond_error *err)
{
	int index = lab_net_index(net, name);

	if (index < 0)
		return lab_net_no_device("delete", name, err);
	return lab_net_talk(net, link_message(RTM_DELLINK, 0, index, 0, 0), "delete", name, err);
}

int lab_link_up(struct lab_net *net, const char *name, bool up, struct libbond_error *err)
{
	const struct edit edit = {.what = up ? "set up" : "set down", .flags = up ? IFF_UP : 0, .mask = IFF_UP};
	return change(net, name, &edit, err);
}

int lab_link_promisc(struct lab_net *net, const char *name, bool on, struct libbond_error *err)
{
	const struct edit edit = {
		.what = "change the promiscuity of", .flags = on ? IFF_PROMISC : 0, .mask = IFF_PROMISC};
	return change(net, name, &edit, err);
}

int lab_link_mtu(struct lab_net *net, const char *name, unsigned mtu, struct libbond_error *err)
{
	return change_u32(net, name, "change the MTU of", IFLA_MTU, mtu, err);
}

int lab_link_txqueuelen(struct lab_net *net, const char *name, unsigned length, struct libbond_error *err)
{
	return change_u32(net, name, "change the queue length of", IFLA_TXQLEN, length, err);
}

int lab_link_address(struct lab_net *net, const char *name, const uint8_t address[6], struct libbond_error *err)
{
	const struct edit edit = {.what = "change the address of", .attr = IFLA_ADDRESS, .data = address, .size = 6};
	return change(net, name, &edit, err);
}

int lab_link_master(struct lab_net *net, const char *name, const char *master, struct libbond_error *err)
{
	int index = master ? lab_net_index(net, master) : 0;

	if (index < 0)
		return lab_net_no_device("join", master, err);
	return change_u32(net, name, "change the master of", IFLA_MASTER, (uint32_t)index, err);
}

int lab_link_rename(struct lab_net *net, const char *name, const char *to, struct libbond_error *err)
{
	const struct edit edit = {.what = "rename", .attr = IFLA_IFNAME, .data = to, .size = (int)strlen(to) + 1};
	return change(net, name, &edit, err);
}

int lab_link_move(struct lab_net *net, const char *name, const struct lab_net *to, struct libbond_error *err)
{
	return change_u32(net, name, "move", IFLA_NET_NS_FD, (uint32_t)lab_net_fd(to), err);
}

int lab_link_port_group_fwd(struct lab_net *net, const char *name, unsigned group_fwd_mask, struct libbond_error *err)
{
	const uint16_t mask = (uint16_t)group_fwd_mask;
	const struct {
		struct nlattr header;
		uint16_t value, padding;
	} port = {.header = {.nla_len = NLA_HDRLEN + sizeof(mask), .nla_type = IFLA_BRPORT_GROUP_FWD_MASK},
	          .value = mask};
	struct ifinfomsg header = {.ifi_family = AF_BRIDGE, .ifi_index = lab_net_index(net, name)};

	if (header.ifi_index < 0)
		return lab_net_no_device("change the port", name, err);
	struct nl_msg *msg = nlmsg_alloc_simple(RTM_SETLINK, 0);
	int failed = msg && (nlmsg_append(msg, &header, sizeof(header), NLMSG_ALIGNTO) ||
	                     nla_put(msg, IFLA_PROTINFO | NLA_F_NESTED, sizeof(port), &port));
	return lab_net_talk(net, whole(msg, failed), "change the port", name, err);
}

int lab_link_running(const struct lab_net *net, const char *name)
{
	int flags = lab_net_flags(net, name);
	return flags < 0 ? flags : (flags & IFF_RUNNING) != 0;
}
