/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Foresees what the steps of a plan cost beside what is named: what can be put back becomes part of the plan, the
 * rest is said in the report before anything happens. Sits between plan.c and compose.c. That nothing is missing here
 * is not believed but looked at: undo.c compares what is with what was after every run.
 *
 * Sources: bond_option_mode_set(), bond_option_miimon_set(), bond_option_arp_interval_set(), bond_enslave(),
 * __bond_release_one() (drivers/net/bonding); vlan_device_event() (net/8021q); addrconf_ifdown() (net/ipv6);
 * fib_sync_down_dev() (net/ipv4).
 */
#include <errno.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "plan.h"

#define IPV6_MIN_MTU 1280 /* addrconf_notify(): below, IPv6 leaves a device */

/* What becomes of a device as a link. */
enum fate {
	STAYS,
	DIPS,    /* down and up again */
	OPENS,   /* comes up by itself */
	SINKS,   /* down for good */
	CHANGES, /* becomes a slave: down for a moment, and what it had is not wanted any more */
	SHRINKS, /* too small for IPv6 */
	RISES    /* set up: were that undone, it would lose what it has now */
};

static bool is_up(const struct lb_device *device)
{
	return device->link && (libbond_link_flags(device->link) & IFF_UP);
}

/* --- lines and values --- */

static int keep_value(struct libbond_plan *plan, struct lb_device *device, const struct libbond_attr *attr,
                      const struct lb_value *value, const char *link, struct libbond_error *err)
{
	if (lb_config_put(device->back, attr, value, link) < 0 ||
	    lb_report_value(plan->report, device->name, "put_back", device->link,
	                    lb_config_find(device->back, attr)) < 0)
		return lb_fail_memory(err);
	return 0;
}

static int keep_number(struct libbond_plan *plan, struct lb_device *device, const struct libbond_attr *attr,
                       int64_t number, struct libbond_error *err)
{
	const struct lb_value value = {.count = 1, .number = number};
	return keep_value(plan, device, attr, &value, "", err);
}

/* Say that a value is lost, and what it will be; value NULL: nobody knows. */
static int lose_value(struct libbond_plan *plan, struct lb_device *device, const struct libbond_attr *attr,
                      const struct lb_value *value, const char *note, struct libbond_error *err)
{
	const struct lb_value unknown = {.count = 0};
	struct lb_want want = {.attr = attr};
	struct libbond_report *report = plan->report;

	if (value)
		want.value = *value;
	if (lb_config_put(device->lost, attr, value ? value : &unknown, "") < 0)
		return lb_fail_memory(err);
	int rc = value ? lb_report_value(report, device->name, "lose", device->link, &want)
	               : lb_report_lost(report, device->name, device->link, attr);
	if (rc < 0)
		return lb_fail_memory(err);
	if (note)
		lb_report_note(report, device->name, attr, "%s", note);
	return 0;
}

static int lose_number(struct libbond_plan *plan, struct lb_device *device, const struct libbond_attr *attr,
                       int64_t number, const char *note, struct libbond_error *err)
{
	const struct lb_value value = {.count = 1, .number = number};
	return lose_value(plan, device, attr, &value, note, err);
}

static bool is_wanted(const struct lb_device *device, const struct libbond_attr *attr)
{
	return lb_config_find(device->work.config, attr) != NULL;
}

/* --- options that others reset --- */

/* What a row that is reset by others will be, if nobody puts it back. */
static int64_t predict(const struct lb_device *bond, const struct lb_state *state, const struct libbond_attr *attr,
                       int64_t now)
{
	int64_t old_miimon = lb_link_number_or(bond->link, lb_bond_attr(LB_BOND_MIIMON), 0);
	const struct lb_want *miimon = lb_config_find(bond->work.config, lb_bond_attr(LB_BOND_MIIMON));
	bool mii_wins = miimon && miimon->value.number &&
	                lb_link_number_or(bond->link, lb_bond_attr(LB_BOND_ARP_INTERVAL), 0);

	if (attr->flags & LIBBOND_ATTR_OF_MIIMON)
		return old_miimon && state->miimon >= 0 ? now / old_miimon * state->miimon : now;
	switch (libbond_attr_id(attr)) {
	case LB_BOND_MIIMON:
		return state->miimon;
	case LB_BOND_ARP_INTERVAL:
		return mii_wins ? 0 : state->arp_interval;
	case LB_BOND_ARP_VALIDATE:
		return state->mode_changes || mii_wins ? 0 : now;
	case LB_BOND_BROADCAST_NEIGH:
		return state->mode_changes ? 0 : now;
	case LB_BOND_TLB_DYNAMIC_LB:
		return state->mode_changes && state->mode == LB_MODE_ALB ? 1 : now;
	default:
		return now;
	}
}

/* The value that can be sent along to keep a row as it is, or the nearest; -1 for none. */
static int64_t keepable(const struct lb_device *bond, const struct lb_state *state, const struct libbond_attr *attr,
                        int64_t now)
{
	const struct lb_want *miimon = lb_config_find(bond->work.config, lb_bond_attr(LB_BOND_MIIMON));

	if (!lb_attr_in_mode(attr->modes, state->mode) || attr == lb_bond_attr(LB_BOND_MIIMON) ||
	    attr == lb_bond_attr(LB_BOND_ARP_INTERVAL))
		return -1;
	if (attr->flags & LIBBOND_ATTR_OF_MIIMON)
		return state->miimon > 0 ? now - now % state->miimon : -1;
	/* the driver refuses the pair in one message */
	if (attr == lb_bond_attr(LB_BOND_ARP_VALIDATE) && miimon && miimon->value.number)
		return -1;
	return now;
}

static int effects_of_options(struct libbond_plan *plan, struct lb_device *bond, struct libbond_error *err)
{
	struct lb_state state = lb_state_of(bond->link, bond->name, bond->work.config);
	const struct libbond_attr *attr = NULL;
	int rc = 0;

	while (rc == 0 && (attr = libbond_attr_next(LIBBOND_SCOPE_BOND, attr))) {
		int64_t now = lb_link_number_or(bond->link, attr, 0), then, kept;
		if (!(attr->flags & LIBBOND_ATTR_IS_RESET) || is_wanted(bond, attr) ||
		    !libbond_link_has(bond->link, attr))
			continue;
		then = predict(bond, &state, attr, now);
		if (then == now)
			continue;
		kept = keepable(bond, &state, attr, now);
		if (kept >= 0 && kept != then)
			rc = keep_number(plan, bond, attr, kept, err);
		if (rc == 0 && kept >= 0 && kept != now && kept != then)
			lb_report_note(plan->report, bond->name, attr, "the nearest multiple of miimon");
		if (rc == 0 && (kept < 0 || kept == then))
			rc = lose_number(plan, bond, attr, then, NULL, err);
	}
	return rc;
}

/* --- slaves that are out for a moment --- */

/* Whether all slaves have the bond's address: not where each keeps its own. */
static bool shares_address(int64_t mode, int64_t fail_over_mac)
{
	return mode != LB_MODE_TLB && mode != LB_MODE_ALB && !(mode == LB_MODE_ACTIVE_BACKUP && fail_over_mac);
}

static bool same_mac(const struct libbond_link *a, const struct libbond_attr *attr_a, const struct libbond_link *b,
                     const struct libbond_attr *attr_b)
{
	struct lb_value x = {0}, y = {0};
	return lb_link_value(a, attr_a, &x) == 0 && lb_link_value(b, attr_b, &y) == 0 &&
	       lb_value_equal(attr_a, &x, &y);
}

static int64_t final(const struct lb_device *bond, const struct libbond_attr *attr)
{
	const struct lb_want *want = lb_config_find(bond->work.config, attr);
	return want ? want->value.number : lb_link_number_or(bond->link, attr, 0);
}

static bool will_share(const struct lb_device *bond)
{
	return shares_address(final(bond, lb_bond_attr(LB_BOND_MODE)),
	                      final(bond, lb_bond_attr(LB_BOND_FAIL_OVER_MAC)));
}

static bool did_share(const struct lb_device *bond)
{
	return shares_address(lb_link_number_or(bond->link, lb_bond_attr(LB_BOND_MODE), 0),
	                      lb_link_number_or(bond->link, lb_bond_attr(LB_BOND_FAIL_OVER_MAC), 0));
}

static int slave_options(struct libbond_plan *plan, const struct lb_device *bond, struct lb_device *slave,
                         struct libbond_error *err)
{
	int64_t mode = final(bond, lb_bond_attr(LB_BOND_MODE));
	const struct libbond_attr *attr = NULL;
	int rc = 0;

	while (rc == 0 && (attr = libbond_attr_next(LIBBOND_SCOPE_SLAVE, attr))) {
		struct lb_value value, fresh = {0};
		char why[384];
		if ((attr->flags & LIBBOND_ATTR_READ_ONLY) || is_wanted(slave, attr) ||
		    lb_link_value(slave->link, attr, &value) < 0 ||
		    lb_value_parse(attr, attr->def, &fresh, why, sizeof(why)) < 0 ||
		    lb_value_equal(attr, &value, &fresh))
			continue;
		rc = lb_attr_in_mode(attr->modes, (unsigned)mode) ? keep_value(plan, slave, attr, &value, "", err)
		                                                  : lose_value(plan, slave, attr, &fresh, NULL, err);
	}
	attr = lb_slave_attr(LB_SLAVE_LINK_FAILURE_COUNT);
	if (rc == 0 && lb_link_number_or(slave->link, attr, 0))
		rc = lose_number(plan, slave, attr, 0, NULL, err);
	return rc;
}

static int slave_address(struct libbond_plan *plan, const struct lb_device *bond, struct lb_device *slave,
                         struct libbond_error *err)
{
	const struct libbond_attr *attr = lb_link_attr(LB_IFLA_ADDRESS);
	bool same = same_mac(slave->link, attr, bond->link, attr);
	struct lb_value own = {0}, of_bond = {0};

	lb_link_value(slave->link, attr, &own);
	lb_link_value(bond->link, attr, &of_bond);
	if (will_share(bond) && !same)
		return did_share(bond)
		               ? keep_value(plan, slave, attr, &own, "", err)
		               : lose_value(plan, slave, attr, &of_bond, "slaves have the bond's in this mode", err);
	if (!will_share(bond))
		return lose_value(plan, slave, attr, NULL, "the driver gives the slaves addresses of their own", err);
	return 0;
}

static int slave_link(struct libbond_plan *plan, const struct lb_device *bond, struct lb_device *slave,
                      struct libbond_error *err)
{
	const struct libbond_attr *mtu = lb_link_attr(LB_IFLA_MTU), *up = lb_link_attr(LB_IFLA_UP);
	int64_t own = lb_link_number_or(slave->link, mtu, 0);
	int rc = slave_address(plan, bond, slave, err);

	if (rc == 0 && !is_wanted(slave, mtu) && own != final(bond, mtu) &&
	    (own != lb_link_number_or(bond->link, mtu, 0) || lb_config_find(slave->named, mtu)))
		rc = keep_number(plan, slave, mtu, own, err);
	if (rc == 0 && !is_wanted(slave, up) && !is_up(slave))
		rc = keep_number(plan, slave, up, 0, err);
	return rc;
}

/* An empty bond forgets its address, and takes the first slave's. */
static int bond_address(struct libbond_plan *plan, struct lb_device *bond, struct libbond_error *err)
{
	const struct libbond_attr *attr = lb_link_attr(LB_IFLA_ADDRESS), *own = lb_slave_attr(LB_SLAVE_PERM_HWADDR);
	struct lb_value value;

	/* where it follows the active slave the driver takes none */
	bool follows = final(bond, lb_bond_attr(LB_BOND_MODE)) == LB_MODE_ACTIVE_BACKUP && !will_share(bond);
	if (follows || is_wanted(bond, attr) || lb_link_value(bond->link, attr, &value) < 0)
		return 0;
	const struct lb_device *first = bond->stay_count ? bond->stay[0] : bond->join_count ? bond->join[0] : NULL;
	if (!first || same_mac(bond->link, attr, first->link, first->master == bond ? own : attr))
		return 0; /* it will be the same again, or effects_of_leaving() has it */
	return keep_value(plan, bond, attr, &value, "", err);
}

static int bond_active(struct libbond_plan *plan, struct lb_device *bond, struct libbond_error *err)
{
	const struct libbond_attr *attr = lb_bond_attr(LB_BOND_ACTIVE_SLAVE);
	const struct lb_device *active = lb_active_slave(plan, bond);
	const struct lb_value value = {.count = 1, .number = active ? active->ifindex : 0};

	if (!active || active->wanted != bond || is_wanted(bond, attr) || !lb_is_usable(active->link) ||
	    !lb_attr_in_mode(attr->modes, (unsigned) final(bond, lb_bond_attr(LB_BOND_MODE))))
		return 0;
	return keep_value(plan, bond, attr, &value, active->name, err);
}

static int effects_of_emptying(struct libbond_plan *plan, struct lb_device *bond, struct libbond_error *err)
{
	int rc = bond_address(plan, bond, err);

	if (rc == 0)
		rc = bond_active(plan, bond, err);
	for (size_t i = 0; rc == 0 && i < bond->stay_count; i++) {
		rc = slave_options(plan, bond, bond->stay[i], err);
		if (rc == 0)
			rc = slave_link(plan, bond, bond->stay[i], err);
	}
	return rc;
}

/* --- slaves that leave and join --- */

#define NAMED_SLAVES 4 /* more are only counted in the report */

/* Slaves of a bond that is deleted have no lines of their own. */
static void note_deleted(const struct libbond_plan *plan, const struct lb_device *bond)
{
	size_t left = 0;
	for (size_t i = 0; i < bond->leave_count; i++)
		left += !bond->leave[i]->wanted;
	if (left > NAMED_SLAVES)
		lb_report_note(plan->report, bond->name, NULL, "its %zu slaves end down", left);
	for (size_t i = 0; left <= NAMED_SLAVES && i < bond->leave_count; i++)
		if (!bond->leave[i]->wanted)
			lb_report_note(plan->report, bond->name, NULL, "%s is released and ends down",
			               bond->leave[i]->name);
}

static int effects_of_leaving(struct libbond_plan *plan, struct lb_device *bond, struct libbond_error *err)
{
	const struct libbond_attr *address = lb_link_attr(LB_IFLA_ADDRESS), *up = lb_link_attr(LB_IFLA_UP);
	const struct libbond_attr *own = lb_slave_attr(LB_SLAVE_PERM_HWADDR);
	const struct lb_device *owner = NULL;
	struct lb_value value;

	if (bond->deletes) {
		note_deleted(plan, bond);
		return 0;
	}
	for (size_t i = 0; i < bond->leave_count; i++) {
		struct lb_device *slave = bond->leave[i];
		if (same_mac(bond->link, address, slave->link, own))
			owner = slave;
		if (is_up(slave) && !slave->wanted && !is_wanted(slave, up))
			lb_report_note(plan->report, slave->name, NULL, "ends down");
	}
	if (!bond->leave_count)
		return 0;
	if (owner && bond->stay_count + bond->join_count)
		lb_report_note(plan->report, owner->name, NULL, "takes its own address with it, which %s keeps using",
		               bond->name);
	if (bond->stay_count || bond->join_count || is_wanted(bond, address) ||
	    lb_link_value(bond->link, address, &value) < 0)
		return 0;
	/* where it follows the active slave the driver takes none */
	bool follows = final(bond, lb_bond_attr(LB_BOND_MODE)) == LB_MODE_ACTIVE_BACKUP && !will_share(bond);
	if ((owner && !lb_config_find(bond->named, address)) || follows)
		return lose_value(plan, bond, address, NULL, "a bond without slaves gets a random address", err);
	return keep_value(plan, bond, address, &value, "", err);
}

/* bond_enslave(): a bond whose address is random takes its first slave's. Neither is told by the kernel: not whether
 * it is random, and whether there is a slave only at the price of a dump; but without carrier there may be none. */
static int first_address(struct libbond_plan *plan, struct lb_device *bond, const struct lb_device *slave,
                         struct libbond_error *err)
{
	const struct libbond_attr *attr = lb_link_attr(LB_IFLA_ADDRESS);
	struct lb_value value;

	if (!bond->link || bond->stay_count || bond->leave_count || is_wanted(bond, attr) ||
	    lb_link_number_or(bond->link, lb_link_attr(LB_IFLA_CARRIER), 0) ||
	    same_mac(bond->link, attr, slave->link, attr) || lb_link_value(slave->link, attr, &value) < 0)
		return 0;
	return lose_value(plan, bond, attr, &value,
	                  "a bond without slaves takes its first one's, unless its own was set", err);
}

static int effects_of_joining(struct libbond_plan *plan, struct lb_device *bond, struct libbond_error *err)
{
	const struct libbond_attr *mtu = lb_link_attr(LB_IFLA_MTU);
	const struct lb_want *want = lb_config_find(bond->named, mtu);
	int64_t of_bond = want ? want->value.number : bond->link ? lb_link_number_or(bond->link, mtu, 1500) : 1500;
	int rc = bond->join_count ? first_address(plan, bond, bond->join[0], err) : 0;

	for (size_t i = 0; rc == 0 && i < bond->join_count; i++) {
		struct lb_device *slave = bond->join[i];
		int64_t own = lb_link_number_or(slave->link, mtu, of_bond);
		if (own != of_bond && !is_wanted(slave, mtu))
			rc = lose_number(plan, slave, mtu, of_bond, "a slave gets the MTU of its bond", err);
		if (slave->master && !slave->master->is_bond)
			lb_report_note(plan->report, slave->name, NULL, "its settings as a port of %s are lost",
			               slave->master->name);
		else if (slave->master)
			lb_report_note(plan->report, slave->name, NULL, "is taken from %s", slave->master->name);
	}
	return rc;
}

/* --- devices that go down --- */

static unsigned short type_of(const struct libbond_link *link)
{
	const struct ifinfomsg *header = mnl_nlmsg_get_payload(lb_link_message(link));
	return header->ifi_type;
}

bool lb_joins_other_type(const struct lb_device *bond)
{
	return bond->join_count && bond->link && type_of(bond->link) != type_of(bond->join[0]->link);
}

/* bond_enslave(): the first slave gives its bond its hardware type, and what hung on the bond is flushed. Those who
 * leave may have left by then. */
bool lb_changes_type(const struct lb_device *bond)
{
	return bond->stay_count == 0 && lb_joins_other_type(bond);
}

static enum fate fate_of(const struct lb_device *device)
{
	const struct lb_device *above = device->wanted;
	const struct lb_want *up = lb_config_find(device->work.config, lb_link_attr(LB_IFLA_UP));
	const struct lb_want *mtu = lb_config_find(device->work.config, lb_link_attr(LB_IFLA_MTU));

	if (device->deletes)
		return SINKS;
	if (device->is_bond && is_up(device) && up && !up->value.number)
		return SINKS;
	if (device->is_bond && ((is_up(device) && device->down_for) || lb_changes_type(device)))
		return DIPS;
	if (device->is_bond && device->link && !is_up(device) && up && up->value.number)
		return RISES;
	if (device->is_bond && device->link && mtu && mtu->value.number < IPV6_MIN_MTU)
		return SHRINKS;
	if (!device->master && !above)
		return is_up(device) && up && !up->value.number ? SINKS : STAYS;
	bool closes = up && !up->value.number;
	if (device->master == above)
		return !is_up(device) ? STAYS : closes ? SINKS : above && above->empty_for ? DIPS : STAYS;
	if (above && closes)
		return is_up(device) ? SINKS : STAYS;
	if (above)
		return is_up(device) ? CHANGES : OPENS;
	return !is_up(device) ? STAYS : up && up->value.number ? DIPS : SINKS;
}

static bool ends_empty(const struct lb_device *bond)
{
	return bond->is_bond && bond->leave_count && bond->stay_count + bond->join_count == 0;
}

/* All slaves are exchanged: at some moment, here or on the way back, it may have none. */
static bool swaps_all(const struct lb_device *bond)
{
	return bond->link && bond->leave_count && bond->join_count && bond->stay_count == 0;
}

/* neigh_changeaddr(): a device that gets another MAC address, if only for a moment, forgets even its permanent
 * neighbours; a VLAN device has that of what it is on. */
static bool changes_address(const struct lb_device *device)
{
	const struct lb_device *bond = device->on ? device->on : device;
	const struct libbond_attr *attr = lb_link_attr(LB_IFLA_ADDRESS);

	return bond->is_bond && bond->link && !bond->deletes &&
	       (is_wanted(bond, attr) || bond->empty_for || swaps_all(bond) || lb_must_empty(bond) ||
	        lb_config_find(bond->lost, attr) || lb_config_find(bond->back, attr));
}

struct vlans {
	struct libbond_plan *plan;
	struct lb_device *on;
	enum fate fate;
	struct libbond_error *err;
	int rc;
};

static void take_vlan(const struct libbond_link *link, void *context)
{
	struct vlans *v = context;
	const struct libbond_attr *up = lb_link_attr(LB_IFLA_UP);
	struct lb_device *vlan = v->rc < 0 ? NULL : lb_plan_device(v->plan, link);
	size_t line;

	if (!vlan) {
		v->rc = v->rc < 0 ? v->rc : lb_fail_memory(v->err);
		return;
	}
	bool follows = strcmp(libbond_link_kind(link), "vlan") == 0 && !lb_is_loose(link);
	if ((!follows && !v->on->deletes) || (vlan->on && vlan->on != v->on) || vlan->is_bond || vlan->wanted ||
	    vlan->master)
		return;
	vlan->on = v->on;
	if (v->on->deletes) {
		v->rc = lb_report_beside(v->plan->report, vlan->name, "lose", "device", &line) < 0
		                ? lb_fail_memory(v->err)
		                : 0;
		if (v->rc == 0)
			lb_report_mark_line(v->plan->report, line, LIBBOND_OUTCOME_NOT_TRIED,
			                    "is deleted with what it is on");
	} else if (v->fate == SINKS && is_up(vlan)) {
		v->rc = lose_number(v->plan, vlan, up, 0, "goes down with what it is on", v->err);
	} else if ((v->fate == OPENS || v->fate == RISES) && !is_up(vlan)) {
		v->rc = lose_number(v->plan, vlan, up, 1, "comes up with what it is on", v->err);
	} else if ((v->fate == DIPS || v->fate == CHANGES) && !is_up(vlan)) {
		v->rc = keep_number(v->plan, vlan, up, 0, v->err);
	}
}

static int effects_on_vlans(struct libbond_plan *plan, struct libbond_error *err)
{
	size_t count =
		plan->count; /* those that are added are VLAN devices, and their own uppers are found with them */
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < count; i++) {
		struct lb_device *device = plan->devices[i];
		struct vlans v = {plan, device, fate_of(device), err, 0};
		if (device->ifindex && (v.fate != STAYS || changes_address(device)))
			lb_vlans_on(plan, device->ifindex, take_vlan, &v);
		rc = v.rc;
	}
	return rc;
}

/* A VLAN device cannot have more than what it is on. */
struct shrink {
	struct libbond_plan *plan;
	struct lb_device *base;
	int64_t mtu;
	struct libbond_error *err;
	int rc;
};

static void shrink_vlan(const struct libbond_link *link, void *context)
{
	struct shrink *s = context;
	const struct libbond_attr *mtu = lb_link_attr(LB_IFLA_MTU);
	struct lb_device *vlan = s->rc < 0 ? NULL : lb_plan_device(s->plan, link);

	if (!vlan) {
		s->rc = s->rc < 0 ? s->rc : lb_fail_memory(s->err);
		return;
	}
	if (!vlan->on)
		vlan->on = s->base;
	if (lb_link_number_or(link, mtu, 0) > s->mtu)
		s->rc = lose_number(s->plan, vlan, mtu, s->mtu, "shrinks with what it is on", s->err);
}

/* bond_change_mtu() gives its own to every slave, also to those that were set apart by hand, or are wanted so. */
static int mtu_of_slaves(struct libbond_plan *plan, const struct lb_device *bond, struct libbond_error *err)
{
	const struct libbond_attr *mtu = lb_link_attr(LB_IFLA_MTU);
	int64_t of_bond = lb_link_number_or(bond->link, mtu, 0);
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < bond->stay_count; i++) {
		struct lb_device *slave = bond->stay[i];
		int64_t own = lb_link_number_or(slave->link, mtu, of_bond);
		if (!is_wanted(slave, mtu) && !lb_config_find(slave->back, mtu) &&
		    (own != of_bond || lb_config_find(slave->named, mtu)) && own != final(bond, mtu))
			rc = keep_number(plan, slave, mtu, own, err);
	}
	return rc;
}

/* The VLAN devices on a device that gets this MTU. */
static int shrink_on(struct libbond_plan *plan, struct lb_device *device, int64_t mtu, struct libbond_error *err)
{
	struct shrink s = {.plan = plan, .base = device, .err = err, .mtu = mtu};
	lb_vlans_on(plan, device->ifindex, shrink_vlan, &s);
	return s.rc;
}

static int effects_of_mtu(struct libbond_plan *plan, struct lb_device *bond, struct libbond_error *err)
{
	const struct lb_want *want = lb_config_find(bond->work.config, lb_link_attr(LB_IFLA_MTU));
	int rc = 0;

	if (!want || !bond->link)
		return 0;
	rc = mtu_of_slaves(plan, bond, err);
	if (rc == 0)
		rc = shrink_on(plan, bond, want->value.number, err);
	for (size_t i = 0; rc == 0 && i < bond->stay_count; i++)
		rc = shrink_on(plan, bond->stay[i], want->value.number, err);
	return rc;
}

/* --- what hangs on them --- */

/* A bond without slaves, if only for a moment, has no carrier. */
static bool loses_carrier(const struct lb_device *device)
{
	const struct lb_device *bond = device->on ? device->on : device;
	return bond->is_bond && !bond->deletes && is_up(bond) &&
	       (bond->empty_for || lb_must_empty(bond) || ends_empty(bond) || swaps_all(bond));
}

static enum fate fate_with_vlan(const struct lb_device *device)
{
	if (!device->on)
		return fate_of(device);
	enum fate below = fate_of(device->on);
	if (!is_up(device) || below == OPENS || below == RISES)
		return STAYS;
	return below == CHANGES ? DIPS : below;
}

#define OF_CARRIER                                                                                                   \
	(LB_RECORD_BIT(LB_RECORD_NEXTHOP) | LB_RECORD_BIT(LB_RECORD_GROUP) | LB_RECORD_BIT(LB_RECORD_ROUTE4) |       \
	 LB_RECORD_BIT(LB_RECORD_ROUTE6))

static int ask_for_records(struct libbond *handle, struct libbond_plan *plan, struct libbond_error *err)
{
	struct lb_record_ask *asks = calloc(plan->count + 1, sizeof(*asks));
	size_t count = 0;

	if (!asks)
		return lb_fail_memory(err);
	for (size_t i = 0; i < plan->count; i++) {
		const struct lb_device *device = plan->devices[i];
		enum fate fate = fate_with_vlan(device);
		unsigned classes = (changes_address(device) ? LB_RECORD_BIT(LB_RECORD_NEIGHBOR) : 0) |
		                   (loses_carrier(device) ? OF_CARRIER : 0);
		if (device->link && fate == STAYS && classes)
			asks[count++] = (struct lb_record_ask){device->ifindex, classes};
		if (!device->link || fate == STAYS)
			continue;
		asks[count++] = (struct lb_record_ask){device->ifindex, fate == OPENS || fate == RISES
		                                                                ? LB_RECORD_BIT(LB_RECORD_ADDRESS)
		                                                                : LB_RECORD_ALL};
	}
	int rc = count ? lb_records_read(handle, asks, count, &plan->records, err) : 0;
	free(asks);
	return rc;
}

/* IPv4 addresses of a slave stay, and are in the way. */
static void note_kept(struct libbond_plan *plan, const struct lb_device *device)
{
	char first[LB_RECORD_TEXT] = "";
	unsigned count = 0;

	for (size_t i = 0; i < plan->records.count; i++) {
		const struct lb_record *record = plan->records.records[i];
		if (record->ifindex == device->ifindex && !lb_record_goes_down(record) && count++ == 0)
			lb_record_text(record, first);
	}
	const char *address = strchr(first, ' ');
	if (count && address)
		lb_report_note(plan->report, device->name, NULL, "keeps its address%s%s%s, which bypass%s the bond",
		               count > 1 ? "es" : "", address, count > 1 ? ", ..." : "", count > 1 ? "" : "es");
}

static void note_vlan(const struct libbond_link *vlan, void *context)
{
	const struct vlans *v = context;
	lb_report_note(v->plan->report, v->on->name, NULL, "has the VLAN device %s, which bypasses the bond",
	               libbond_link_name(vlan));
}

static void warn_of_join(struct libbond_plan *plan, struct lb_device *device, enum fate fate)
{
	struct vlans v = {.plan = plan, .on = device};

	if (fate == CHANGES && !device->master)
		lb_report_note(plan->report, device->name, NULL, "is up, and is taken down to be enslaved");
	note_kept(plan, device);
	lb_vlans_on(plan, device->ifindex, note_vlan, &v);
}

/* Link-local addresses that the kernel made itself: it makes them anew, from the MAC of then. */
static bool is_kernels(const struct lb_record *record, const struct lb_device *device, bool lost)
{
	struct lb_value mac = {0};

	if (!lb_record_is_kernels(record))
		return false;
	return lost || lb_link_value(device->link, lb_link_attr(LB_IFLA_ADDRESS), &mac) < 0 || mac.count != 6 ||
	       lb_record_is_of_mac(record, mac.mac);
}

/* Whether the MTU that a device will have is enough for IPv6; a VLAN device has no more than what it is on. */
static bool carries_ip6(const struct lb_device *device)
{
	const struct libbond_attr *mtu = lb_link_attr(LB_IFLA_MTU);
	const struct lb_device *base = device->on ? device->on : device;
	const struct lb_device *bond = !base->is_bond && base->wanted ? base->wanted : base;
	const struct lb_want *want = lb_config_find(base->work.config, mtu);

	want = want ? want : lb_config_find(base->back, mtu);
	want = want ? want : lb_config_find(bond->work.config, mtu);
	return !want || want->value.number >= IPV6_MIN_MTU;
}

static bool is_route(const struct lb_record *record)
{
	return record->class == LB_RECORD_ROUTE4 || record->class == LB_RECORD_ROUTE6;
}

static int tell_records(struct libbond_plan *plan, struct libbond_error *err)
{
	plan->fates = calloc(plan->records.count + 1, sizeof(*plan->fates));
	if (!plan->fates)
		return lb_fail_memory(err);
	for (size_t i = 0; i < plan->records.count; i++) {
		const struct lb_record *record = plan->records.records[i];
		const struct lb_device *device = lb_plan_find(plan, record->ifindex);
		bool kept = fate_with_vlan(device) == DIPS || fate_with_vlan(device) == STAYS;
		/* without a carrier they cannot be made again */
		if (lb_record_is_by_nexthop(record) && ends_empty(device->on ? device->on : device))
			kept = false;
		bool lost = !kept || (record->family == AF_INET6 && !carries_ip6(device));
		char text[LB_RECORD_TEXT];
		size_t line = 0;

		bool goes = device->deletes || (device->on && device->on->deletes);

		if ((!lb_record_goes_down(record) && !goes) || fate_with_vlan(device) == OPENS ||
		    fate_with_vlan(device) == RISES ||
		    (fate_with_vlan(device) == STAYS && is_route(record) && !lb_record_is_by_nexthop(record)) ||
		    (fate_with_vlan(device) == SHRINKS && record->family != AF_INET6) ||
		    is_kernels(record, device, lost))
			continue;
		if (lb_report_beside(plan->report, device->name, lost ? "lose" : "put_back",
		                     lb_record_text(record, text), &line) < 0)
			return lb_fail_memory(err);
		plan->fates[plan->fate_count++] = (struct lb_fate){record, line, lost};
	}
	return 0;
}

int lb_effects(struct libbond *handle, struct libbond_plan *plan, struct libbond_error *err)
{
	size_t count = plan->count;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < count; i++) {
		struct lb_device *bond = plan->devices[i];
		if (!bond->is_bond)
			continue;
		if (bond->link && !bond->deletes && bond->work.config->count)
			rc = effects_of_options(plan, bond, err);
		if (rc == 0 && (bond->empty_for || lb_must_empty(bond)))
			rc = effects_of_emptying(plan, bond, err);
		if (rc == 0 && bond->link)
			rc = effects_of_leaving(plan, bond, err);
		if (rc == 0)
			rc = effects_of_joining(plan, bond, err);
		if (rc == 0)
			rc = effects_of_mtu(plan, bond, err);
	}
	if (rc == 0)
		rc = effects_on_vlans(plan, err);
	if (rc == 0)
		rc = ask_for_records(handle, plan, err);
	for (size_t i = 0; rc == 0 && i < count; i++) {
		struct lb_device *device = plan->devices[i];
		enum fate fate = fate_of(device);
		if (device->wanted && device->wanted->is_bond && device->wanted != device->master)
			warn_of_join(plan, device, fate);
	}
	return rc < 0 ? rc : tell_records(plan, err);
}
