/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a change does to the fake kernel's devices. Without "driver" what it is told and no more. With it as far as
 * planning and undoing must reckon with it: what bond_options.c, bond_main.c and bond_netlink.c refuse, in which
 * state, and what they do along the way; in the kernel's order, so that a refused request is half done. Sits under
 * fake.c.
 *
 * It is written from the driver, and not from the library's table: where both are wrong in the same way, the live
 * tests tell.
 */
#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>

#include "fake-inner.h"
#include "unit.h"

enum { RR = 1, AB = 2, XOR = 4, BC = 8, LACP = 16, TLB = 32, ALB = 64, ALL = 127 };
#define ARP (RR | AB | XOR | BC)
#define ONE_ACTIVE (AB | TLB | ALB)

/* bond_options.c: in which modes, only while down, only without slaves; the rest is taken everywhere and always */
static const struct {
	uint8_t number, modes;
	bool down, empty;
} rules[] = {
	{LB_BOND_MODE, ALL, true, true},
	{LB_BOND_ACTIVE_SLAVE, ONE_ACTIVE, false, false},
	{LB_BOND_ARP_INTERVAL, ARP, false, false},
	{LB_BOND_ARP_VALIDATE, ARP, false, false},
	{LB_BOND_MISSED_MAX, ARP, false, false},
	{LB_BOND_PRIMARY, ONE_ACTIVE, false, false},
	{LB_BOND_FAIL_OVER_MAC, ALL, false, true},
	{LB_BOND_PACKETS_PER_SLAVE, RR, false, false},
	{LB_BOND_AD_LACP_RATE, LACP, true, false},
	{LB_BOND_AD_LACP_ACTIVE, LACP, true, false},
	{LB_BOND_AD_SELECT, ALL, true, false},
	{LB_BOND_AD_ACTOR_SYS_PRIO, LACP, false, false},
	{LB_BOND_AD_USER_PORT_KEY, LACP, true, false},
	{LB_BOND_AD_ACTOR_SYSTEM, LACP, false, false},
	{LB_BOND_TLB_DYNAMIC_LB, TLB | ALB, true, false},
	{LB_BOND_COUPLED_CONTROL, LACP, true, false},
	{LB_BOND_BROADCAST_NEIGH, LACP, false, false},
	{LB_BOND_LACP_STRICT, LACP, false, false},
};

static const uint8_t delays[] = {LB_BOND_UPDELAY, LB_BOND_DOWNDELAY, LB_BOND_PEER_NOTIF_DELAY};

static uint32_t of_bond(const struct fake_link *bond, unsigned number)
{
	return fake_number(bond, LIBBOND_SCOPE_BOND, number);
}

static void set_bond(struct fake_link *bond, unsigned number, uint32_t value)
{
	const struct nlattr *old = fake_attr(bond, LIBBOND_SCOPE_BOND, number);
	fake_put(bond, LIBBOND_SCOPE_BOND, number, &value, old ? mnl_attr_get_payload_len(old) : sizeof(value));
}

static bool in_mode(const struct fake_link *bond, unsigned modes)
{
	return modes >> fake_mode_of(bond) & 1;
}

/* --- slaves --- */

static bool is_bond(const struct fake_link *link)
{
	return link && link->kind && strcmp(link->kind, "bond") == 0;
}

static struct fake_link *next_slave(struct fake *fake, const struct fake_link *bond, const struct fake_link *after)
{
	struct fake_link *next = NULL;
	for (size_t i = 0; i < fake->link_count; i++) {
		struct fake_link *link = &fake->links[i];
		if (fake_master_of(link) == bond->ifindex && (!after || link->place > after->place) &&
		    (!next || link->place < next->place))
			next = link;
	}
	return next;
}

/* Those that know of "driver" only: no test without it has an active slave that it did not set. */
static bool is_usable(const struct fake_link *slave)
{
	return slave && (slave->flags & IFF_UP) && fake_number(slave, LIBBOND_SCOPE_LINK, LB_IFLA_CARRIER);
}

static bool keeps_addresses(const struct fake_link *bond)
{
	return in_mode(bond, TLB | ALB) || (in_mode(bond, AB) && of_bond(bond, LB_BOND_FAIL_OVER_MAC));
}

/* neigh_changeaddr(): with another address a device knows its neighbours no more */
static void put_address(struct fake *fake, struct fake_link *link, const uint8_t mac[6])
{
	const struct nlattr *old = fake_attr(link, LIBBOND_SCOPE_LINK, LB_IFLA_ADDRESS);
	if (old && memcmp(mnl_attr_get_payload(old), mac, 6) == 0)
		return;
	fake_put(link, LIBBOND_SCOPE_LINK, LB_IFLA_ADDRESS, mac, 6);
	fake_records_readdress(fake, link->ifindex);
}

static void copy_address(struct fake *fake, struct fake_link *to, const struct fake_link *from,
                         enum libbond_scope scope, unsigned number)
{
	const struct nlattr *attr = fake_attr(from, scope, number);
	uint8_t mac[6];
	if (!attr)
		return;
	memcpy(mac, mnl_attr_get_payload(attr), sizeof(mac)); /* putting moves what it is in */
	put_address(fake, to, mac);
}

static void set_active(struct fake *fake, struct fake_link *bond, const struct fake_link *active)
{
	for (struct fake_link *slave = NULL; (slave = next_slave(fake, bond, slave));)
		fake_u8(slave, LIBBOND_SCOPE_SLAVE, LB_SLAVE_STATE, slave != active);
	if (!active) {
		fake_drop(bond, LIBBOND_SCOPE_BOND, LB_BOND_ACTIVE_SLAVE);
		return;
	}
	fake_u32(bond, LIBBOND_SCOPE_BOND, LB_BOND_ACTIVE_SLAVE, active->ifindex);
	if (in_mode(bond, AB) && of_bond(bond, LB_BOND_FAIL_OVER_MAC) == 1)
		copy_address(fake, bond, active, LIBBOND_SCOPE_LINK, LB_IFLA_ADDRESS);
}

static int32_t prio_of(const struct fake_link *slave)
{
	return (int32_t)fake_number(slave, LIBBOND_SCOPE_SLAVE, LB_SLAVE_PRIO);
}

/* bond_find_best_slave(), bond_choose_primary_or_current() */
static const struct fake_link *best_slave(struct fake *fake, struct fake_link *bond)
{
	const struct fake_link *primary = fake_find_index(fake, of_bond(bond, LB_BOND_PRIMARY)), *slave = NULL;
	const struct fake_link *active = fake_find_index(fake, of_bond(bond, LB_BOND_ACTIVE_SLAVE)), *best = NULL;

	if (!is_usable(active) || fake_master_of(active) != bond->ifindex)
		active = NULL;
	if (is_usable(primary))
		return active && of_bond(bond, LB_BOND_PRIMARY_RESELECT) ? active : primary;
	best = active;
	while ((slave = next_slave(fake, bond, slave)))
		if (is_usable(slave) && (!best || prio_of(slave) > prio_of(best)))
			best = slave;
	return best;
}

/* bond_set_carrier() */
static void set_carrier(struct fake *fake, struct fake_link *bond)
{
	uint8_t carrier = 0;
	for (struct fake_link *slave = NULL; (slave = next_slave(fake, bond, slave));)
		carrier |= is_usable(slave);
	if (!carrier && fake_number(bond, LIBBOND_SCOPE_LINK, LB_IFLA_CARRIER))
		fake_records_unplug(fake, bond->ifindex);
	fake_u8(bond, LIBBOND_SCOPE_LINK, LB_IFLA_CARRIER, carrier);
}

static void select_active(struct fake *fake, struct fake_link *bond)
{
	if (!fake->driver || !is_bond(bond))
		return;
	set_carrier(fake, bond);
	if (in_mode(bond, ONE_ACTIVE))
		set_active(fake, bond, best_slave(fake, bond));
}

static void set_random_address(struct fake *fake, struct fake_link *bond)
{
	const uint8_t mac[] = {2, 0xff, 0, 0, 0, (uint8_t)++fake->randoms};
	put_address(fake, bond, mac);
	bond->random_address = true;
}

static struct fake_link *next_vlan(struct fake *fake, const struct fake_link *on, const struct fake_link *after)
{
	for (size_t i = after ? (size_t)(after - fake->links) + 1 : 0; i < fake->link_count; i++) {
		struct fake_link *link = &fake->links[i];
		if (fake_number(link, LIBBOND_SCOPE_LINK, FAKE_IFLA_LINK) == on->ifindex)
			return link;
	}
	return NULL;
}

/* vlan_device_event(): what is on it is not larger */
static void set_mtu(struct fake *fake, struct fake_link *link, uint32_t mtu)
{
	fake_u32(link, LIBBOND_SCOPE_LINK, LB_IFLA_MTU, mtu);
	if (mtu < 1280)
		fake_records_shrink(fake, link->ifindex);
	if (!fake->driver)
		return;
	for (struct fake_link *vlan = NULL; (vlan = next_vlan(fake, link, vlan));)
		if (fake_number(vlan, LIBBOND_SCOPE_LINK, LB_IFLA_MTU) > mtu)
			set_mtu(fake, vlan, mtu);
	for (struct fake_link *slave = NULL; is_bond(link) && (slave = next_slave(fake, link, slave));)
		set_mtu(fake, slave, mtu);
}

/* bond_enslave() */
static void driver_join(struct fake *fake, struct fake_link *slave, struct fake_link *bond, bool first)
{
	unsigned primary = of_bond(bond, LB_BOND_PRIMARY);

	slave->own_mtu = fake_number(slave, LIBBOND_SCOPE_LINK, LB_IFLA_MTU);
	fake_put(slave, LIBBOND_SCOPE_SLAVE, LB_SLAVE_PERM_HWADDR,
	         mnl_attr_get_payload(fake_attr(slave, LIBBOND_SCOPE_LINK, LB_IFLA_ADDRESS)), 6);
	if (first && bond->random_address && !(in_mode(bond, AB) && of_bond(bond, LB_BOND_FAIL_OVER_MAC))) {
		copy_address(fake, bond, slave, LIBBOND_SCOPE_LINK, LB_IFLA_ADDRESS);
		bond->random_address = false;
	}
	if (!keeps_addresses(bond))
		copy_address(fake, slave, bond, LIBBOND_SCOPE_LINK, LB_IFLA_ADDRESS);
	set_mtu(fake, slave, fake_number(bond, LIBBOND_SCOPE_LINK, LB_IFLA_MTU));
	if (!primary && strcmp(bond->pending, slave->name) == 0 && in_mode(bond, ONE_ACTIVE)) {
		fake_u32(bond, LIBBOND_SCOPE_BOND, LB_BOND_PRIMARY, slave->ifindex);
		bond->pending[0] = '\0';
	}
	select_active(fake, bond);
}

/* __bond_release_one() */
static void driver_leave(struct fake *fake, struct fake_link *slave, struct fake_link *bond)
{
	if (!(in_mode(bond, AB) && of_bond(bond, LB_BOND_FAIL_OVER_MAC)))
		copy_address(fake, slave, slave, LIBBOND_SCOPE_SLAVE, LB_SLAVE_PERM_HWADDR);
	set_mtu(fake, slave, slave->own_mtu);
	if (of_bond(bond, LB_BOND_PRIMARY) == slave->ifindex) {
		snprintf(bond->pending, sizeof(bond->pending), "%s", slave->name);
		fake_drop(bond, LIBBOND_SCOPE_BOND, LB_BOND_PRIMARY);
	}
	if (of_bond(bond, LB_BOND_ACTIVE_SLAVE) == slave->ifindex)
		fake_drop(bond, LIBBOND_SCOPE_BOND, LB_BOND_ACTIVE_SLAVE);
}

void fake_release(struct fake *fake, struct fake_link *slave)
{
	struct fake_link *bond = fake_find_index(fake, fake_master_of(slave));
	bool active = bond && of_bond(bond, LB_BOND_ACTIVE_SLAVE) == slave->ifindex;

	if (fake->driver && is_bond(bond))
		driver_leave(fake, slave, bond);
	if (!is_bond(bond)) {
		fake_drop(slave, LIBBOND_SCOPE_LINK, LB_IFLA_MASTER);
		return;
	}
	fake_set_up(fake, slave, false);
	fake_leave(slave);
	if (!fake->driver)
		return;
	set_carrier(fake, bond);
	if (active) /* the others go on as they are */
		select_active(fake, bond);
	if (!next_slave(fake, bond, NULL))
		set_random_address(fake, bond);
}

static int take_master(struct fake *fake, struct fake_link *link, unsigned master)
{
	struct fake_link *bond = fake_find_index(fake, master);

	if (master && !bond)
		return EINVAL;
	if (fake_master_of(link) == master && fake->driver)
		return 0;
	if (fake_master_of(link))
		fake_release(fake, link);
	if (!bond)
		return 0;
	if (!is_bond(bond)) {
		fake_u32(link, LIBBOND_SCOPE_LINK, LB_IFLA_MASTER, master);
		return 0;
	}
	if (fake->driver && (link->flags & IFF_UP))
		return EPERM;
	bool first = !next_slave(fake, bond, NULL);
	fake_set_up(fake, link, true);
	fake_join(link, master, fake_mode_of(bond));
	link->place = ++fake->places;
	if (fake->driver)
		driver_join(fake, link, bond, first);
	return 0;
}

void fake_enslave(struct fake *fake, const char *slave, const char *bond)
{
	struct fake_link *link = fake_find(fake, slave), *master = fake_find(fake, bond);
	assert_true(link && master);
	fake_set_up(fake, link, false);
	assert_int_equal(take_master(fake, link, master->ifindex), 0);
}

static bool is_loose(const struct fake_link *vlan)
{
	const struct nlattr *flags = fake_attr(vlan, LIBBOND_SCOPE_BOND, IFLA_VLAN_FLAGS);
	return flags && (mnl_attr_get_u32(flags) & 4);
}

void fake_set_up(struct fake *fake, struct fake_link *link, bool up)
{
	struct fake_link *bond = fake_find_index(fake, fake_master_of(link));

	if (!(link->flags & IFF_UP) == !up)
		return;
	link->flags ^= IFF_UP;
	if (!up)
		fake_records_down(fake, link->ifindex);
	for (struct fake_link *vlan = NULL; (vlan = next_vlan(fake, link, vlan));)
		if (!is_loose(vlan))
			fake_set_up(fake, vlan, up);
	if (bond && (up || of_bond(bond, LB_BOND_ACTIVE_SLAVE) == link->ifindex))
		select_active(fake, bond);
}

static void set_address(struct fake *fake, struct fake_link *link, const struct nlattr *attr)
{
	bool deaf = fake->driver && is_bond(link) && in_mode(link, AB) && of_bond(link, LB_BOND_FAIL_OVER_MAC);

	if (deaf)
		return; /* bond_set_mac_address(): accepted, and nothing done */
	put_address(fake, link, mnl_attr_get_payload(attr));
	link->random_address = false;
	for (struct fake_link *slave = NULL;
	     fake->driver && is_bond(link) && !keeps_addresses(link) && (slave = next_slave(fake, link, slave));)
		copy_address(fake, slave, link, LIBBOND_SCOPE_LINK, LB_IFLA_ADDRESS);
}

/* --- options --- */

static void set_ticks(struct fake_link *bond)
{
	for (size_t i = 0; i < COUNT(delays); i++)
		set_bond(bond, delays[i], bond->ticks[i] * of_bond(bond, LB_BOND_MIIMON));
}

/* bond_option_mode_set() */
static void set_mode(struct fake *fake, struct fake_link *bond, uint32_t mode)
{
	bool changes = mode != fake_mode_of(bond);

	set_bond(bond, LB_BOND_MODE, mode);
	if (mode >= LB_MODE_8023AD) {
		set_bond(bond, LB_BOND_ARP_INTERVAL, 0);
		if (!of_bond(bond, LB_BOND_MIIMON))
			set_bond(bond, LB_BOND_MIIMON, 100);
		set_ticks(bond);
	}
	if (mode == LB_MODE_8023AD)
		fake_put_lacp(bond);
	if (mode == LB_MODE_ALB && changes)
		set_bond(bond, LB_BOND_TLB_DYNAMIC_LB, 1);
	set_bond(bond, LB_BOND_ARP_VALIDATE, 0);
	if (fake_attr(bond, LIBBOND_SCOPE_BOND, LB_BOND_BROADCAST_NEIGH))
		set_bond(bond, LB_BOND_BROADCAST_NEIGH, 0);
	select_active(fake, bond);
}

static void set_monitor(struct fake_link *bond, unsigned number, uint32_t value)
{
	set_bond(bond, number, value);
	if (value && number == LB_BOND_MIIMON) {
		if (of_bond(bond, LB_BOND_ARP_INTERVAL))
			set_bond(bond, LB_BOND_ARP_VALIDATE, 0);
		set_bond(bond, LB_BOND_ARP_INTERVAL, 0);
	} else if (value) {
		set_bond(bond, LB_BOND_MIIMON, 0);
	}
	set_ticks(bond);
}

static int set_primary(struct fake *fake, struct fake_link *bond, unsigned ifindex)
{
	const struct fake_link *device = fake_find_index(fake, ifindex);

	fake_drop(bond, LIBBOND_SCOPE_BOND, LB_BOND_PRIMARY);
	bond->pending[0] = '\0';
	if (device && fake_master_of(device) == bond->ifindex)
		fake_u32(bond, LIBBOND_SCOPE_BOND, LB_BOND_PRIMARY, ifindex);
	else if (device)
		snprintf(bond->pending, sizeof(bond->pending), "%s", device->name);
	select_active(fake, bond);
	return 0;
}

static int set_active_option(struct fake *fake, struct fake_link *bond, unsigned ifindex)
{
	const struct fake_link *slave = fake_find_index(fake, ifindex);

	if (ifindex && (!slave || fake_master_of(slave) != bond->ifindex || !is_usable(slave)))
		return EINVAL;
	set_active(fake, bond, slave);
	if (!slave)
		select_active(fake, bond);
	return 0;
}

/* Accepted as a value; a list, or a device, that is none is not reported. */
static void put_option(struct fake_link *link, enum libbond_scope scope, const struct nlattr *attr)
{
	unsigned number = mnl_attr_get_type(attr), length = mnl_attr_get_payload_len(attr);
	bool list =
		scope == LIBBOND_SCOPE_BOND && (number == LB_BOND_ARP_IP_TARGET || number == LB_BOND_NS_IP6_TARGET);
	bool index = scope == LIBBOND_SCOPE_BOND && (number == LB_BOND_ACTIVE_SLAVE || number == LB_BOND_PRIMARY);

	if ((list && length == 0) || (index && mnl_attr_get_u32(attr) == 0))
		fake_drop(link, scope, number);
	else
		fake_put(link, scope, number, mnl_attr_get_payload(attr), length);
}

static int check_option(struct fake *fake, const struct fake_link *bond, unsigned number)
{
	for (size_t i = 0; i < COUNT(rules); i++) {
		if (rules[i].number != number)
			continue;
		if (!in_mode(bond, rules[i].modes))
			return EACCES;
		if (rules[i].empty && next_slave(fake, bond, NULL))
			return ENOTEMPTY;
		if (rules[i].down && (bond->flags & IFF_UP))
			return EBUSY;
	}
	return 0;
}

static uint32_t value_of(const struct nlattr *attr)
{
	uint32_t value = 0;
	memcpy(&value, mnl_attr_get_payload(attr),
	       mnl_attr_get_payload_len(attr) < sizeof(value) ? mnl_attr_get_payload_len(attr) : sizeof(value));
	return value;
}

static const struct nlattr *find_nested(const struct nlattr *nest, unsigned number)
{
	const struct nlattr *attr;
	mnl_attr_for_each_nested (attr, nest) {
		if (mnl_attr_get_type(attr) == number)
			return attr;
	}
	return NULL;
}

static int set_delay(struct fake_link *bond, size_t i, uint32_t value)
{
	uint32_t miimon = of_bond(bond, LB_BOND_MIIMON);
	if (!miimon)
		return EPERM;
	bond->ticks[i] = value / miimon;
	set_ticks(bond);
	return 0;
}

static int set_option(struct fake *fake, struct fake_link *bond, const struct nlattr *attr, const struct nlattr *nest)
{
	unsigned number = mnl_attr_get_type(attr);
	const struct nlattr *miimon = find_nested(nest, LB_BOND_MIIMON);
	bool excluded = number == LB_BOND_ARP_INTERVAL || number == LB_BOND_ARP_VALIDATE;
	int errnum = check_option(fake, bond, number);

	if (errnum == 0 && excluded && value_of(attr) && miimon && value_of(miimon))
		errnum = EINVAL;
	if (errnum)
		return errnum;
	for (size_t i = 0; i < COUNT(delays); i++)
		if (number == delays[i])
			return set_delay(bond, i, value_of(attr));
	switch (number) {
	case LB_BOND_MODE:
		set_mode(fake, bond, value_of(attr));
		return 0;
	case LB_BOND_ACTIVE_SLAVE:
		return set_active_option(fake, bond, value_of(attr));
	case LB_BOND_PRIMARY:
		return set_primary(fake, bond, value_of(attr));
	case LB_BOND_MIIMON:
	case LB_BOND_ARP_INTERVAL:
		set_monitor(bond, number, value_of(attr));
		return 0;
	default:
		put_option(bond, LIBBOND_SCOPE_BOND, attr);
		if (number == LB_BOND_PRIMARY_RESELECT)
			select_active(fake, bond);
		return 0;
	}
}

/* bond_slave_changelink() */
static int set_slave_option(struct fake *fake, struct fake_link *slave, const struct nlattr *attr)
{
	struct fake_link *bond = fake_find_index(fake, fake_master_of(slave)), *other = NULL;
	unsigned number = mnl_attr_get_type(attr), queue = value_of(attr);

	if (!is_bond(bond))
		return EOPNOTSUPP;
	if ((number == LB_SLAVE_PRIO && !in_mode(bond, ONE_ACTIVE)) ||
	    (number == LB_SLAVE_ACTOR_PORT_PRIO && !in_mode(bond, LACP)))
		return EACCES;
	if (number == LB_SLAVE_QUEUE_ID && queue > fake_number(bond, LIBBOND_SCOPE_LINK, LB_IFLA_NUM_TX_QUEUES))
		return EPERM;
	while (number == LB_SLAVE_QUEUE_ID && queue && (other = next_slave(fake, bond, other)))
		if (other != slave && fake_number(other, LIBBOND_SCOPE_SLAVE, LB_SLAVE_QUEUE_ID) == queue)
			return EPERM;
	put_option(slave, LIBBOND_SCOPE_SLAVE, attr);
	if (number == LB_SLAVE_PRIO)
		select_active(fake, bond);
	return 0;
}

static struct fake_refusal refuse(const struct nlmsghdr *nlh, const struct nlattr *attr, int errnum)
{
	uint32_t offset = (uint32_t)((const uint8_t *)attr - (const uint8_t *)nlh);
	return (struct fake_refusal){.errnum = errnum, .offset = errnum ? offset : 0};
}

/* bond_changelink() takes the options in an order of its own, which is not that of their numbers. */
static struct fake_refusal take_options(struct fake *fake, struct fake_link *link, const struct nlmsghdr *nlh,
                                        const struct nlattr *nest, enum libbond_scope scope)
{
	const struct libbond_attr *row = NULL;
	struct fake_refusal refusal = {0};

	while (!refusal.errnum && (row = libbond_attr_next(scope, row))) {
		const struct nlattr *attr = find_nested(nest, libbond_attr_id(row));
		if (!attr || fake_is_deaf(fake, scope, libbond_attr_id(row)))
			continue;
		if (!fake->driver)
			put_option(link, scope, attr);
		else if (scope == LIBBOND_SCOPE_BOND)
			refusal = refuse(nlh, attr, set_option(fake, link, attr, nest));
		else
			refusal = refuse(nlh, attr, set_slave_option(fake, link, attr));
	}
	return refusal;
}

static struct fake_refusal take_linkinfo(struct fake *fake, struct fake_link *link, const struct nlmsghdr *nlh)
{
	struct fake_refusal refusal = {0};
	const struct nlattr *attr, *data;

	mnl_attr_for_each (attr, nlh, sizeof(struct ifinfomsg)) {
		if (mnl_attr_get_type(attr) != LB_IFLA_LINKINFO)
			continue;
		mnl_attr_for_each_nested (data, attr) {
			if (!refusal.errnum && mnl_attr_get_type(data) == LB_INFO_DATA)
				refusal = take_options(fake, link, nlh, data, LIBBOND_SCOPE_BOND);
			else if (!refusal.errnum && mnl_attr_get_type(data) == LB_INFO_SLAVE_DATA)
				refusal = take_options(fake, link, nlh, data, LIBBOND_SCOPE_SLAVE);
		}
	}
	return refusal;
}

/* do_setlink() */
static int take_link_attr(struct fake *fake, struct fake_link *link, const struct nlattr *attr)
{
	switch (mnl_attr_get_type(attr)) {
	case LB_IFLA_IFNAME:
	case LB_IFLA_LINKINFO:
		return 0;
	case LB_IFLA_MASTER:
		return take_master(fake, link, mnl_attr_get_u32(attr));
	case LB_IFLA_MTU:
		set_mtu(fake, link, mnl_attr_get_u32(attr));
		return 0;
	case LB_IFLA_ADDRESS:
		set_address(fake, link, attr);
		return 0;
	default:
		fake_put(link, LIBBOND_SCOPE_LINK, mnl_attr_get_type(attr), mnl_attr_get_payload(attr),
		         mnl_attr_get_payload_len(attr));
		return 0;
	}
}

struct fake_refusal fake_change(struct fake *fake, struct fake_link *link, const struct nlmsghdr *nlh)
{
	const struct ifinfomsg *header = mnl_nlmsg_get_payload(nlh);
	struct fake_refusal refusal = take_linkinfo(fake, link, nlh);
	const struct nlattr *attr;

	mnl_attr_for_each (attr, nlh, sizeof(*header)) {
		if (!refusal.errnum && !fake_is_deaf(fake, LIBBOND_SCOPE_LINK, mnl_attr_get_type(attr)))
			refusal = (struct fake_refusal){.errnum = take_link_attr(fake, link, attr)};
	}
	if (!refusal.errnum && (header->ifi_change & IFF_UP))
		fake_set_up(fake, link, header->ifi_flags & IFF_UP);
	return refusal;
}
