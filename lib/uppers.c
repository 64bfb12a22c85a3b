/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Devices on the devices of a plan, as VLAN devices are: which there are, and what becomes of them. Sits between
 * effects.c and read.c.
 *
 * All of them are told only by a dump of every device, which is asked for when something happens to a bond that they
 * are on; on a slave there can be VLAN devices only (the others take the place in its receive path that the bond
 * needs, netdev_rx_handler_register()).
 */
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>

#include "effects.h"
#include "error.h"

enum {
	IFLA_VLAN_FLAGS_ = 2, /* in IFLA_INFO_DATA: struct ifla_vlan_flags */
	LOOSE_BINDING = 0x4,
	MAX_DEPTH = 8 /* MAX_NEST_DEV: devices stack no deeper */
};

/* How a kind follows what it is on. It is deleted with that. */
static const struct kind {
	const char *name;
	bool closes;      /* it goes down and up with it */
	bool has_address; /* it has its MAC address */
	bool shrinks;     /* its MTU goes down with that */
	bool limited;     /* and takes no larger one by itself: ndo_change_mtu() of the kind */
} kinds[] = {
	{"vlan", true, true, true, true},      /* vlan_device_event(), net/8021q/vlan.c */
	{"macvlan", false, false, true, true}, /* macvlan_device_event(), drivers/net/macvlan.c */
	{"macvtap", false, false, true, true},
	{"ipvlan", false, true, true, false}, /* ipvlan_device_event(), drivers/net/ipvlan/ipvlan_main.c */
	{"ipvtap", false, true, true, false},
	{"macsec", false, false, true, true},  /* macsec_notify(), drivers/net/macsec.c */
	{"vxlan", false, false, false, false}, /* vxlan_netdevice_event(), drivers/net/vxlan/vxlan_core.c */
};

static const struct kind *kind_of(const struct libbond_link *link)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(libbond_link_kind(link), kinds[i].name) == 0)
			return &kinds[i];
	return NULL;
}

/* --- what is on what --- */

static bool is_loose(const struct libbond_link *vlan)
{
	const struct nlattr *info = lb_link_find(vlan, LB_IFLA_LINKINFO);
	const struct nlattr *flags = lb_find_nested(lb_find_nested(info, LB_INFO_DATA), IFLA_VLAN_FLAGS_);
	return flags && mnl_attr_get_payload_len(flags) >= sizeof(uint32_t) &&
	       (mnl_attr_get_u32(flags) & LOOSE_BINDING);
}

unsigned lb_below(const struct libbond_link *link)
{
	return kind_of(link) && !lb_link_find(link, LB_IFLA_LINK_NETNSID) ? lb_link_find_u32(link, LB_IFLA_LINK) : 0;
}

static const struct libbond_snapshot *links_of(const struct libbond_plan *plan)
{
	return plan->above ? plan->above : plan->before;
}

unsigned lb_limited_by(const struct libbond_link *link)
{
	const struct kind *kind = kind_of(link);
	return kind && kind->limited ? lb_below(link) : 0;
}

static void visit(const struct libbond_plan *plan, unsigned ifindex, int depth,
                  void (*take)(const struct libbond_link *upper, void *context), void *context)
{
	const struct libbond_snapshot *links = links_of(plan);

	for (size_t i = 0; i < libbond_snapshot_links(links); i++) {
		const struct libbond_link *link = libbond_snapshot_link(links, i);
		if (lb_below(link) != ifindex || libbond_link_ifindex(link) == ifindex)
			continue;
		take(link, context);
		if (depth > 0)
			visit(plan, libbond_link_ifindex(link), depth - 1, take, context);
	}
}

void lb_uppers_on(const struct libbond_plan *plan, unsigned ifindex,
                  void (*take)(const struct libbond_link *upper, void *context), void *context)
{
	visit(plan, ifindex, MAX_DEPTH, take, context);
}

bool lb_is_on(const struct libbond_plan *plan, const struct libbond_link *link, unsigned ifindex)
{
	for (int depth = 0; link && depth <= MAX_DEPTH; depth++) {
		if (lb_below(link) && lb_below(link) == ifindex)
			return true;
		link = libbond_snapshot_by_index(links_of(plan), lb_below(link));
	}
	return false;
}

bool lb_upper_has_changed(const struct libbond_plan *plan, const struct nlmsghdr *nlh, char name[LIBBOND_NAME_SIZE],
                          const char **base)
{
	struct libbond_snapshot *heard = NULL;
	bool changed = false;

	/* without them the plan has no business with such devices */
	if (plan->above && lb_snapshot_new(&heard) == 0 && lb_snapshot_add(heard, nlh, LB_KEEP_ALL) == 0 &&
	    heard->count) {
		const struct libbond_link *link = heard->links[0];
		const struct lb_device *device = lb_below(link) ? lb_plan_find(plan, lb_below(link)) : NULL;
		const struct libbond_link *then = libbond_snapshot_by_index(plan->above, libbond_link_ifindex(link));
		changed = device && (!then || ((libbond_link_flags(then) ^ libbond_link_flags(link)) & IFF_UP));
		snprintf(name, LIBBOND_NAME_SIZE, "%.15s", libbond_link_name(link));
		*base = device ? device->name : "";
	}
	libbond_snapshot_free(heard);
	return changed;
}

/* --- reading --- */

static bool is_heavy(const struct lb_device *bond)
{
	return bond->is_bond && bond->link &&
	       (lb_fate_of(bond) != LB_STAYS || lb_sets(bond, lb_link_attr(LB_IFLA_MTU)) ||
	        lb_sets(bond, lb_link_attr(LB_IFLA_ADDRESS)) || lb_loses_carrier(bond));
}

static bool is_light(const struct lb_device *device)
{
	return device->link && !device->is_bond && (lb_fate_of(device) != LB_STAYS || lb_least_mtu(device) >= 0);
}

int lb_read_uppers(struct libbond *handle, struct libbond_plan *plan, struct libbond_error *err)
{
	bool heavy = false, light = false;

	for (size_t i = 0; i < plan->count; i++) {
		heavy |= is_heavy(plan->devices[i]);
		light |= is_light(plan->devices[i]);
	}
	if (heavy)
		return lb_read_world(handle, NULL, 0, LB_WORLD_UPPERS, &plan->above, err);
	return light && !plan->vlans_known ? lb_read_world(handle, NULL, 0, LB_WORLD_VLANS, &plan->above, err) : 0;
}

/* --- what becomes of them --- */

struct taking {
	struct libbond_plan *plan;
	struct lb_device *base;
	int64_t mtu; /* that the base will have */
	struct libbond_error *err;
	int rc;
};

/* The plan's device for an upper one, NULL if it is not for us: it may be a slave itself, or on two of ours. */
static struct lb_device *place(struct taking *t, const struct libbond_link *link)
{
	struct lb_device *upper = t->rc < 0 ? NULL : lb_plan_device(t->plan, link);
	unsigned base = t->base->ifindex;

	if (t->rc == 0 && !upper)
		t->rc = lb_fail_memory(t->err);
	if (!upper || (upper->on && upper->on != t->base) || upper->is_bond || upper->wanted || upper->master)
		return NULL;
	upper->on = t->base;
	/* by all that is in between */
	for (int depth = 0; link && libbond_link_ifindex(link) != base && depth <= MAX_DEPTH; depth++) {
		const struct kind *kind = kind_of(link);
		upper->stays_open |= !kind || !kind->closes || is_loose(link);
		upper->own_address |= !kind || !kind->has_address;
		link = libbond_snapshot_by_index(links_of(t->plan), lb_below(link));
	}
	return upper;
}

static void lose_device(struct taking *t, struct lb_device *upper)
{
	if (lb_report_thing(t->plan->report, upper->name, "lose", "device", LIBBOND_OUTCOME_NOT_TRIED,
	                    "is deleted with what it is on") < 0)
		t->rc = lb_fail_memory(t->err);
}

/* vlan_sync_address(): one that is up and has the bond's address follows it. */
static void follow_address(struct taking *t, struct lb_device *upper)
{
	const struct libbond_attr *attr = lb_link_attr(LB_IFLA_ADDRESS);
	const struct lb_want *want = lb_config_find(t->base->work.config, attr);

	want = want ? want : lb_config_find(t->base->lost, attr);
	if (!want || upper->own_address || !lb_is_open(upper) || !t->base->link ||
	    lb_config_find(upper->lost, attr) || !lb_same_mac(upper->link, attr, t->base->link, attr))
		return;
	t->rc = lb_lose_value(t->plan, upper, attr, want->value.count ? &want->value : NULL, "follows what it is on",
	                      t->err);
}

static void take_upper(const struct libbond_link *link, void *context)
{
	struct taking *t = context;
	const struct libbond_attr *up = lb_link_attr(LB_IFLA_UP);
	struct lb_device *upper = place(t, link);
	enum lb_fate fate = lb_fate_of(t->base);

	if (!upper)
		return;
	if (t->base->deletes) {
		lose_device(t, upper);
		return;
	}
	follow_address(t, upper);
	if (t->rc < 0 || upper->stays_open)
		return;
	if (fate == LB_SINKS && lb_is_open(upper))
		t->rc = lb_lose_number(t->plan, upper, up, 0, "goes down with what it is on", t->err);
	else if ((fate == LB_OPENS || fate == LB_RISES) && !lb_is_open(upper))
		t->rc = lb_lose_number(t->plan, upper, up, 1, "comes up with what it is on", t->err);
	else if ((fate == LB_DIPS || fate == LB_CHANGES) && !lb_is_open(upper))
		t->rc = lb_keep_number(t->plan, upper, up, 0, t->err);
}

int lb_effects_on_uppers(struct libbond_plan *plan, struct libbond_error *err)
{
	size_t count = plan->count; /* those that are added are uppers, and what is on them is found with them */
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < count; i++) {
		struct taking t = {.plan = plan, .base = plan->devices[i], .err = err};
		if (t.base->ifindex && !t.base->on &&
		    (lb_fate_of(t.base) != LB_STAYS || lb_changes_address(t.base) || lb_loses_carrier(t.base)))
			lb_uppers_on(plan, t.base->ifindex, take_upper, &t);
		rc = t.rc;
	}
	return rc;
}

static void shrink_upper(const struct libbond_link *link, void *context)
{
	struct taking *t = context;
	const struct libbond_attr *mtu = lb_link_attr(LB_IFLA_MTU);
	const struct kind *kind = kind_of(link);
	struct lb_device *upper = place(t, link);

	if (upper && kind->shrinks && !lb_config_find(upper->lost, mtu) && lb_link_number_or(link, mtu, 0) > t->mtu)
		t->rc = lb_lose_number(t->plan, upper, mtu, t->mtu, "shrinks with what it is on", t->err);
}

int lb_shrink_uppers(struct libbond_plan *plan, struct lb_device *device, int64_t mtu, struct libbond_error *err)
{
	struct taking t = {.plan = plan, .base = device, .err = err, .mtu = mtu};
	lb_uppers_on(plan, device->ifindex, shrink_upper, &t);
	return t.rc;
}
