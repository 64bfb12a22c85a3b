/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What becomes of a device as a link: whether it goes down, changes its address, loses its carrier. Sits below
 * uppers.c and hanging.c; looks at the plan's devices only.
 *
 * Sources: bond_open(), bond_enslave(), __bond_release_one() (drivers/net/bonding); vlan_device_event() (net/8021q);
 * netif_stacked_transfer_operstate() (net/core).
 */
#include <net/if.h>

#include "effects.h"

bool lb_joins_other_type(const struct lb_device *bond)
{
	return bond->join_count && bond->link &&
	       lb_link_hardware(bond->link) != lb_link_hardware(bond->join[0]->link);
}

/* bond_enslave(): the first slave gives its bond its hardware type, and what hung on the bond is flushed. Those who
 * leave may have left by then. */
bool lb_changes_type(const struct lb_device *bond)
{
	return bond->stay_count == 0 && lb_joins_other_type(bond);
}

/* --- up and down --- */

static enum lb_fate fate_of_bond(const struct lb_device *bond, const struct lb_want *up)
{
	if (lb_is_open(bond) && up && !up->value.number)
		return LB_SINKS;
	if ((lb_is_open(bond) && bond->down_for) || lb_changes_type(bond))
		return LB_DIPS;
	return bond->link && !lb_is_open(bond) && up && up->value.number ? LB_RISES : LB_STAYS;
}

static enum lb_fate fate_of_slave(const struct lb_device *slave, const struct lb_want *up)
{
	const struct lb_device *bond = slave->wanted;
	bool open = lb_is_open(slave), closes = up && !up->value.number;

	if (!bond && !slave->master)
		return open && closes ? LB_SINKS : LB_STAYS;
	if (!bond) /* it leaves, and ends down */
		return !open ? LB_STAYS : up && up->value.number ? LB_DIPS : LB_SINKS;
	if (closes)
		return open ? LB_SINKS : LB_STAYS;
	if (bond == slave->master)
		return open && bond->empty_for ? LB_DIPS : LB_STAYS;
	return open ? LB_CHANGES : LB_OPENS;
}

/* Of a device by itself. */
static enum lb_fate own_fate(const struct lb_device *device)
{
	const struct lb_want *up = lb_config_find(device->work.config, lb_link_attr(LB_IFLA_UP));

	if (device->deletes)
		return LB_SINKS;
	enum lb_fate fate = device->is_bond ? fate_of_bond(device, up) : LB_STAYS;
	if (fate == LB_STAYS)
		fate = fate_of_slave(device, up);
	int64_t mtu = fate == LB_STAYS && device->link ? lb_least_mtu(device) : -1;
	return mtu >= 0 && mtu < LB_IPV6_MIN_MTU ? LB_SHRINKS : fate;
}

enum lb_fate lb_fate_of(const struct lb_device *device)
{
	if (!device->on)
		return own_fate(device);
	enum lb_fate below = own_fate(device->on);
	if (!lb_is_open(device) || below == LB_OPENS || below == LB_RISES)
		return LB_STAYS;
	if (device->stays_open)
		return device->on->deletes ? LB_SINKS : below == LB_SHRINKS ? LB_SHRINKS : LB_STAYS;
	return below == LB_CHANGES ? LB_DIPS : below;
}

/* --- address and carrier --- */

/* All slaves are exchanged: at some moment, here or on the way back, it may have none. */
static bool swaps_all(const struct lb_device *bond)
{
	return bond->link && bond->leave_count && bond->join_count && bond->stay_count == 0;
}

/* Nobody with link stays in it, where somebody leaves or is closed. Those who join may get their link later. */
static bool gets_dark(const struct lb_device *bond)
{
	size_t usable = 0;
	for (size_t i = 0; i < bond->stay_count; i++)
		usable += lb_is_usable(bond->stay[i]->link);
	return bond->is_bond && lb_count_staying(bond) == 0 && (bond->leave_count || usable);
}

static bool ends_dark(const struct lb_device *bond)
{
	return gets_dark(bond) && !lb_first_open(bond);
}

bool lb_may_be_empty(const struct lb_device *bond)
{
	return bond->link && bond->stay_count == 0 &&
	       (bond->slaves_known || !lb_link_number_or(bond->link, lb_link_attr(LB_IFLA_CARRIER), 0));
}

/* neigh_changeaddr(): a device that gets another MAC address, if only for a moment, forgets even its permanent
 * neighbours. */
bool lb_changes_address(const struct lb_device *device)
{
	const struct lb_device *bond = device->on ? device->on : device;
	const struct libbond_attr *attr = lb_link_attr(LB_IFLA_ADDRESS);

	if ((device->on && device->own_address) || !bond->is_bond || !bond->link || bond->deletes)
		return false;
	bool moves = bond->leave_count || bond->join_count || lb_sets(bond, lb_bond_attr(LB_BOND_ACTIVE_SLAVE)) ||
	             lb_sets(bond, lb_bond_attr(LB_BOND_PRIMARY));
	return lb_sets(bond, attr) || bond->empty_for || swaps_all(bond) ||
	       (bond->join_count && lb_may_be_empty(bond)) || lb_must_empty(bond) ||
	       lb_config_find(bond->lost, attr) || lb_config_find(bond->back, attr) ||
	       (moves && lb_follows_slave(bond));
}

bool lb_loses_carrier(const struct lb_device *device)
{
	const struct lb_device *bond = device->on ? device->on : device;
	enum lb_fate below = device->on ? own_fate(device->on) : LB_STAYS;

	if (device->on && device->stays_open &&
	    (below == LB_DIPS || below == LB_CHANGES || (below == LB_SINKS && !bond->deletes)))
		return true;
	return bond->is_bond && !bond->deletes && lb_is_open(bond) &&
	       (bond->empty_for || lb_must_empty(bond) || gets_dark(bond));
}

bool lb_ends_dark(const struct lb_device *device)
{
	return ends_dark(device->on ? device->on : device) ||
	       (device->on && device->stays_open && own_fate(device->on) == LB_SINKS);
}
