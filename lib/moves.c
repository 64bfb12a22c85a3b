/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Foresees what slaves that leave, join, or are out for a moment cost: themselves and their bond. Sits between
 * effects.c and the plan's devices.
 *
 * Sources: bond_enslave(), __bond_release_one(), bond_change_mtu() (drivers/net/bonding/bond_main.c).
 */
#include <linux/if_ether.h>
#include <net/if.h>
#include <string.h>

#include "effects.h"
#include "error.h"

/* --- slaves that are out for a moment --- */

/* Whether all slaves have the bond's address: not where each keeps its own. */
static bool shares_address(int64_t mode, int64_t fail_over_mac)
{
	return mode != LB_MODE_TLB && mode != LB_MODE_ALB && !(mode == LB_MODE_ACTIVE_BACKUP && fail_over_mac);
}

static bool will_share(const struct lb_device *bond)
{
	return shares_address(lb_final(bond, lb_bond_attr(LB_BOND_MODE)),
	                      lb_final(bond, lb_bond_attr(LB_BOND_FAIL_OVER_MAC)));
}

static bool did_share(const struct lb_device *bond)
{
	return shares_address(lb_link_number_or(bond->link, lb_bond_attr(LB_BOND_MODE), 0),
	                      lb_link_number_or(bond->link, lb_bond_attr(LB_BOND_FAIL_OVER_MAC), 0));
}

static int slave_options(struct libbond_plan *plan, const struct lb_device *bond, struct lb_device *slave,
                         struct libbond_error *err)
{
	int64_t mode = lb_final(bond, lb_bond_attr(LB_BOND_MODE));
	const struct libbond_attr *attr = NULL;
	int rc = 0;

	while (rc == 0 && (attr = libbond_attr_next(LIBBOND_SCOPE_SLAVE, attr))) {
		struct lb_value value, fresh = {0};
		char why[384];
		if ((attr->flags & LIBBOND_ATTR_READ_ONLY) || lb_sets(slave, attr) ||
		    lb_link_value(slave->link, attr, &value) < 0 ||
		    lb_value_parse(attr, attr->def, &fresh, why, sizeof(why)) < 0 ||
		    lb_value_equal(attr, &value, &fresh))
			continue;
		rc = lb_attr_in_mode(attr->modes, (unsigned)mode)
		             ? lb_keep_value(plan, slave, attr, &value, "", err)
		             : lb_lose_value(plan, slave, attr, &fresh, NULL, err);
	}
	attr = lb_slave_attr(LB_SLAVE_LINK_FAILURE_COUNT);
	if (rc == 0 && lb_link_number_or(slave->link, attr, 0))
		rc = lb_lose_number(plan, slave, attr, 0, NULL, err);
	return rc;
}

static int slave_address(struct libbond_plan *plan, const struct lb_device *bond, struct lb_device *slave,
                         struct libbond_error *err)
{
	const struct libbond_attr *attr = lb_link_attr(LB_IFLA_ADDRESS);
	bool same = lb_same_mac(slave->link, attr, bond->link, attr);
	struct lb_value own = {0}, of_bond = {0};

	lb_link_value(slave->link, attr, &own);
	lb_link_value(bond->link, attr, &of_bond);
	if (will_share(bond) && !same)
		return did_share(bond) ? lb_keep_value(plan, slave, attr, &own, "", err)
		                       : lb_lose_value(plan, slave, attr, &of_bond,
		                                       "slaves have the bond's in this mode", err);
	if (!will_share(bond))
		return lb_lose_value(plan, slave, attr, NULL, "the driver gives the slaves addresses of their own",
		                     err);
	return 0;
}

static int slave_link(struct libbond_plan *plan, const struct lb_device *bond, struct lb_device *slave,
                      struct libbond_error *err)
{
	const struct libbond_attr *mtu = lb_link_attr(LB_IFLA_MTU), *up = lb_link_attr(LB_IFLA_UP);
	int64_t own = lb_link_number_or(slave->link, mtu, 0);
	int rc = slave_address(plan, bond, slave, err);

	if (rc == 0 && !lb_sets(slave, mtu) && own != lb_final(bond, mtu) &&
	    (own != lb_link_number_or(bond->link, mtu, 0) || lb_config_find(slave->named, mtu)))
		rc = lb_keep_number(plan, slave, mtu, own, err);
	if (rc == 0 && !lb_sets(slave, up) && !lb_is_open(slave))
		rc = lb_keep_number(plan, slave, up, 0, err);
	return rc;
}

bool lb_follows_slave(const struct lb_device *bond)
{
	return bond->link && lb_final(bond, lb_bond_attr(LB_BOND_MODE)) == LB_MODE_ACTIVE_BACKUP && !will_share(bond);
}

/* With fail_over_mac a bond has the address of its active slave, or of its first, whatever was set. */
static int address_of_slave(struct libbond_plan *plan, struct lb_device *bond, struct libbond_error *err)
{
	const struct libbond_attr *attr = lb_link_attr(LB_IFLA_ADDRESS), *own = lb_slave_attr(LB_SLAVE_PERM_HWADDR);
	const struct lb_device *active = lb_active_slave(plan, bond);
	const struct lb_device *first = active && active->wanted == bond && lb_is_usable(active->link) ? active
	                                : bond->stay_count                                             ? bond->stay[0]
	                                : bond->join_count                                             ? bond->join[0]
	                                                                                               : NULL;
	const struct libbond_attr *its = first && first->master == bond ? own : attr;
	struct lb_value value;

	if (!first || lb_same_mac(bond->link, attr, first->link, its) || lb_link_value(first->link, its, &value) < 0)
		return 0;
	return lb_lose_value(plan, bond, attr, &value, "with fail_over_mac it is a slave's", err);
}

/* An empty bond forgets its address, and takes the first slave's. */
static int bond_address(struct libbond_plan *plan, struct lb_device *bond, struct libbond_error *err)
{
	const struct libbond_attr *attr = lb_link_attr(LB_IFLA_ADDRESS), *own = lb_slave_attr(LB_SLAVE_PERM_HWADDR);
	struct lb_value value;

	if (lb_follows_slave(bond))
		return address_of_slave(plan, bond, err);
	if (lb_sets(bond, attr) || lb_link_value(bond->link, attr, &value) < 0)
		return 0;
	const struct lb_device *first = bond->stay_count ? bond->stay[0] : bond->join_count ? bond->join[0] : NULL;
	if (!first || lb_same_mac(bond->link, attr, first->link, first->master == bond ? own : attr))
		return 0; /* it will be the same again, or lb_effects_of_leaving() has it */
	return lb_keep_value(plan, bond, attr, &value, "", err);
}

static int bond_active(struct libbond_plan *plan, struct lb_device *bond, struct libbond_error *err)
{
	const struct libbond_attr *attr = lb_bond_attr(LB_BOND_ACTIVE_SLAVE);
	const struct lb_device *active = lb_active_slave(plan, bond);
	const struct lb_value value = {.count = 1, .number = active ? active->ifindex : 0};

	if (!active || active->wanted != bond || lb_sets(bond, attr) || !lb_is_usable(active->link) ||
	    !lb_attr_in_mode(attr->modes, (unsigned)lb_final(bond, lb_bond_attr(LB_BOND_MODE))))
		return 0;
	return lb_keep_value(plan, bond, attr, &value, active->name, err);
}

int lb_effects_of_emptying(struct libbond_plan *plan, struct lb_device *bond, struct libbond_error *err)
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

/* With fail_over_mac active the bond has its active slave's address; with follow the slaves swap theirs. */
static bool has_active_address(const struct lb_device *bond)
{
	return lb_follows_slave(bond) &&
	       lb_final(bond, lb_bond_attr(LB_BOND_FAIL_OVER_MAC)) == LB_FAIL_OVER_MAC_ACTIVE;
}

/* Who is active afterwards, as far as the change decides it; NULL for who is now. */
static const struct lb_device *next_active(const struct libbond_plan *plan, const struct lb_device *bond)
{
	const struct lb_want *active = lb_config_find(bond->work.config, lb_bond_attr(LB_BOND_ACTIVE_SLAVE));
	const struct lb_want *primary = lb_config_find(bond->work.config, lb_bond_attr(LB_BOND_PRIMARY));
	const struct lb_device *now = lb_active_slave(plan, bond);
	const struct lb_device *first = primary ? lb_plan_find(plan, (unsigned)primary->value.number) : NULL;

	if (active)
		return lb_plan_find(plan, (unsigned)active->value.number);
	if (first && first->master == bond && lb_is_usable(first->link))
		return first;
	return now && now->wanted != bond ? lb_successor(bond) : NULL;
}

static int bond_follows(struct libbond_plan *plan, struct lb_device *bond, struct libbond_error *err)
{
	const struct libbond_attr *attr = lb_link_attr(LB_IFLA_ADDRESS);
	const struct lb_device *next = has_active_address(bond) ? next_active(plan, bond) : NULL;
	struct lb_value value;

	if (!next || next->wanted != bond || bond->empty_for || lb_same_mac(bond->link, attr, next->link, attr) ||
	    lb_link_value(next->link, attr, &value) < 0)
		return 0;
	return lb_lose_value(plan, bond, attr, &value, "with fail_over_mac active it is the active slave's", err);
}

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

int lb_effects_of_leaving(struct libbond_plan *plan, struct lb_device *bond, struct libbond_error *err)
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
		if (lb_same_mac(bond->link, address, slave->link, own))
			owner = slave;
		if (lb_is_open(slave) && !slave->wanted && !lb_sets(slave, up))
			lb_report_note(plan->report, slave->name, NULL, "ends down");
	}
	int rc = bond_follows(plan, bond, err);
	if (rc < 0 || !bond->leave_count)
		return rc;
	if (owner && bond->stay_count + bond->join_count && !has_active_address(bond))
		lb_report_note(plan->report, owner->name, NULL, "takes its own address with it, which %s keeps using",
		               bond->name);
	if (bond->stay_count || bond->join_count || lb_sets(bond, address) ||
	    lb_link_value(bond->link, address, &value) < 0)
		return 0;
	if ((owner && !lb_config_find(bond->named, address)) || lb_follows_slave(bond))
		return lb_lose_value(plan, bond, address, NULL, "a bond without slaves gets a random address", err);
	return lb_keep_value(plan, bond, address, &value, "", err);
}

/* bond_enslave(): a bond whose address is random takes its first slave's. The kernel does not tell whether it is
 * random. */
static int first_address(struct libbond_plan *plan, struct lb_device *bond, const struct lb_device *slave,
                         struct libbond_error *err)
{
	const struct libbond_attr *attr = lb_link_attr(LB_IFLA_ADDRESS);
	struct lb_value value;

	if (!lb_may_be_empty(bond) || bond->leave_count || lb_sets(bond, attr) ||
	    lb_same_mac(bond->link, attr, slave->link, attr) || lb_link_value(slave->link, attr, &value) < 0)
		return 0;
	return lb_lose_value(plan, bond, attr, &value,
	                     "a bond without slaves takes its first one's, unless its own was set", err);
}

/* br_stp_recalculate_bridge_id(): a bridge has the lowest address of its ports, unless its own was set. */
static int address_of_bridge(struct libbond_plan *plan, struct lb_device *bridge, const struct lb_device *port,
                             struct libbond_error *err)
{
	const struct libbond_attr *attr = lb_link_attr(LB_IFLA_ADDRESS);

	if (!bridge->link || strcmp(libbond_link_kind(bridge->link), "bridge") != 0 ||
	    !lb_same_mac(bridge->link, attr, port->link, attr))
		return 0;
	return lb_lose_value(plan, bridge, attr, NULL, "a bridge has that of one of its ports", err);
}

/* bond_option_slave_prio_set(): the driver chooses anew; but a replacement that takes its prio over is to change
 * nothing for the others. */
static int active_beside_replaced(struct libbond_plan *plan, struct lb_device *bond, struct libbond_error *err)
{
	const struct lb_device *active = lb_active_slave(plan, bond);
	bool chooses = false;

	for (size_t i = 0; i < bond->join_count; i++)
		chooses |= bond->join[i]->replaces && bond->join[i]->replaces != active &&
		           lb_sets(bond->join[i], lb_slave_attr(LB_SLAVE_PRIO));
	return chooses && !lb_final(bond, lb_bond_attr(LB_BOND_PRIMARY)) ? bond_active(plan, bond, err) : 0;
}

int64_t lb_mtu_of(const struct lb_device *bond)
{
	const struct libbond_attr *mtu = lb_link_attr(LB_IFLA_MTU);
	const struct lb_want *want = lb_config_find(bond->named, mtu);
	int64_t present = bond->link ? lb_link_number_or(bond->link, mtu, ETH_DATA_LEN) : ETH_DATA_LEN;
	return want ? want->value.number : present;
}

/* bond_enslave(): of one that it can give no address it takes the address instead. */
static int forced_fail_over_mac(struct libbond_plan *plan, struct lb_device *bond, struct libbond_error *err)
{
	const char *note = "the driver sets it for a slave without a MAC address to change";

	if (!lb_forces_fail_over_mac(bond))
		return 0;
	if (bond->link)
		return lb_lose_number(plan, bond, lb_bond_attr(LB_BOND_FAIL_OVER_MAC), LB_FAIL_OVER_MAC_ACTIVE, note,
		                      err);
	lb_report_note(plan->report, bond->join[0]->name, NULL, "fail_over_mac of %s becomes active: %s", bond->name,
	               note);
	return 0;
}

int lb_effects_of_joining(struct libbond_plan *plan, struct lb_device *bond, struct libbond_error *err)
{
	const struct libbond_attr *mtu = lb_link_attr(LB_IFLA_MTU);
	int64_t of_bond = lb_mtu_of(bond);
	int rc = bond->join_count ? first_address(plan, bond, bond->join[0], err) : 0;

	if (rc == 0)
		rc = forced_fail_over_mac(plan, bond, err);
	for (size_t i = 0; rc == 0 && i < bond->join_count; i++) {
		struct lb_device *slave = bond->join[i];
		int64_t own = lb_link_number_or(slave->link, mtu, of_bond);
		if (own != of_bond && !lb_sets(slave, mtu))
			rc = lb_lose_number(plan, slave, mtu, of_bond, "a slave gets the MTU of its bond", err);
		if (slave->master && !slave->master->is_bond) {
			lb_report_note(plan->report, slave->name, NULL, "its settings as a port of %s are lost",
			               slave->master->name);
			if (rc == 0)
				rc = address_of_bridge(plan, slave->master, slave, err);
		} else if (slave->master)
			lb_report_note(plan->report, slave->name, NULL, "is taken from %s", slave->master->name);
	}
	return rc < 0 || !bond->link ? rc : active_beside_replaced(plan, bond, err);
}

/* --- MTU --- */

/* bond_change_mtu() gives its own to every slave, also to those that were set apart by hand, or are wanted so. */
static int mtu_of_slaves(struct libbond_plan *plan, const struct lb_device *bond, struct libbond_error *err)
{
	const struct libbond_attr *mtu = lb_link_attr(LB_IFLA_MTU);
	int64_t of_bond = lb_link_number_or(bond->link, mtu, 0);
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < bond->stay_count; i++) {
		struct lb_device *slave = bond->stay[i];
		int64_t own = lb_link_number_or(slave->link, mtu, of_bond);
		if (!lb_sets(slave, mtu) && !lb_config_find(slave->back, mtu) &&
		    (own != of_bond || lb_config_find(slave->named, mtu)) && own != lb_final(bond, mtu))
			rc = lb_keep_number(plan, slave, mtu, own, err);
	}
	return rc;
}

/* bond_set_mac_address() gives its own to every slave, also to those that have another; but balance-alb to one. */
static int address_of_slaves(struct libbond_plan *plan, const struct lb_device *bond, struct libbond_error *err)
{
	const struct libbond_attr *attr = lb_link_attr(LB_IFLA_ADDRESS);
	const struct lb_want *want = lb_config_find(bond->work.config, attr);
	int rc = 0;

	if (!want || lb_final(bond, lb_bond_attr(LB_BOND_MODE)) == LB_MODE_ALB || bond->empty_for)
		return 0;
	for (size_t i = 0; rc == 0 && i < bond->stay_count; i++)
		if (!lb_same_mac(bond->link, attr, bond->stay[i]->link, attr))
			rc = lb_lose_value(plan, bond->stay[i], attr, &want->value,
			                   "a slave gets the address of its bond", err);
	return rc;
}

static void take_less(int64_t *least, const struct libbond_config *config)
{
	const struct lb_want *mtu = lb_config_find(config, lb_link_attr(LB_IFLA_MTU));
	if (mtu && (*least < 0 || mtu->value.number < *least))
		*least = mtu->value.number;
}

int64_t lb_least_mtu(const struct lb_device *device)
{
	const struct libbond_attr *mtu = lb_link_attr(LB_IFLA_MTU);
	const struct lb_device *bond = device->wanted && device->wanted->is_bond ? device->wanted : NULL;
	int64_t least = -1;

	take_less(&least, device->work.config);
	take_less(&least, device->back);
	/* one that leaves may do so after */
	if (device->master && device->master->is_bond && !device->master->deletes)
		take_less(&least, device->master->work.config);
	if (!bond)
		return least;
	take_less(&least, bond->work.config);
	if (least < 0 && bond->link && (device->master != bond || bond->empty_for))
		least = lb_link_number_or(bond->link, mtu, -1);
	return least;
}

int lb_effects_of_mtu(struct libbond_plan *plan, struct lb_device *device, struct libbond_error *err)
{
	bool bond = device->is_bond && device->link && lb_sets(device, lb_link_attr(LB_IFLA_MTU));
	int rc = bond ? mtu_of_slaves(plan, device, err) : 0;

	if (rc == 0 && device->is_bond && device->link && !device->deletes)
		rc = address_of_slaves(plan, device, err);
	int64_t mtu = rc == 0 && device->link ? lb_least_mtu(device) : -1;

	return mtu < 0 ? rc : lb_shrink_uppers(plan, device, mtu, err);
}
