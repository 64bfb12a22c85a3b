/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Refuses slaves that the driver would not take as they are: another hardware type than the bond's, no MAC address
 * that could be set, an MTU that they cannot have. One function a rule. Sits between plan.c and the plan's devices.
 *
 * Only what is certain beforehand is refused; the kernel has the last word on the rest. Sources: bond_enslave(),
 * bond_change_mtu() (drivers/net/bonding/bond_main.c); dev_set_mtu_ext(), dev_set_mac_address() (net/core/dev.c).
 */
#include <errno.h>
#include <inttypes.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "effects.h"
#include "error.h"

struct subject {
	const struct libbond_plan *plan;
	const struct lb_device *bond, *slave;
	const struct libbond_snapshot *lower; /* the devices that slaves are on, as far as they limit them */
};

__attribute__((format(printf, 4, 5))) static int refuse(const struct subject *s, int errnum,
                                                        struct libbond_error *err, const char *format, ...)
{
	char reason[512];
	va_list args;
	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	lb_fail(err, LIBBOND_CAUSE_CONFLICT, errnum, "cannot enslave %s to %s: %s", s->slave->name, s->bond->name,
	        reason);
	lb_fail_device(err, s->slave->name);
	return -errnum;
}

/* A bond to be without a mode gets the module's default, which is not known here. */
static bool may_be_of_mode(const struct lb_device *bond, unsigned mode)
{
	const struct libbond_attr *attr = lb_bond_attr(LB_BOND_MODE);
	return lb_final(bond, attr) == mode || (!bond->link && !lb_sets(bond, attr));
}

static bool has_active_address(const struct lb_device *bond)
{
	return lb_final(bond, lb_bond_attr(LB_BOND_FAIL_OVER_MAC)) == LB_FAIL_OVER_MAC_ACTIVE;
}

/* --- hardware types --- */

static const char *hardware_name(unsigned type, char buf[32])
{
	static const struct {
		unsigned type;
		const char *name;
	} names[] = {
		{ARPHRD_ETHER, "Ethernet"},   {ARPHRD_INFINIBAND, "InfiniBand"},
		{ARPHRD_CAN, "CAN"},          {ARPHRD_NONE, "without a link layer"},
		{ARPHRD_PPP, "PPP"},          {ARPHRD_TUNNEL, "a tunnel"},
		{ARPHRD_TUNNEL6, "a tunnel"}, {ARPHRD_SIT, "a tunnel"},
		{ARPHRD_IPGRE, "a tunnel"},   {ARPHRD_LOOPBACK, "a loopback"},
	};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].type == type)
			return names[i].name;
	snprintf(buf, 32, "of hardware type %u", type);
	return buf;
}

/* One that is replaced leaves after the new one has joined. */
static bool has_slaves(const struct subject *s)
{
	return s->bond->link && (s->slave->replaces || !lb_may_be_empty(s->bond));
}

/* Whether it is certain that the bond has a slave before this one. */
static bool has_another(const struct subject *s)
{
	return has_slaves(s) || s->slave != s->bond->join[0];
}

static unsigned hardware_of_bond(const struct subject *s)
{
	return lb_link_hardware(has_slaves(s) ? s->bond->link : s->bond->join[0]->link);
}

static int need_kind(const struct subject *s, struct libbond_error *err)
{
	if (lb_link_hardware(s->slave->link) == ARPHRD_CAN)
		return refuse(s, EPERM, err, "it is a CAN device");
	if ((libbond_link_flags(s->slave->link) & IFF_MASTER) && !libbond_link_is_bond(s->slave->link))
		return refuse(s, EPERM, err, "it is a master itself, kind %s", libbond_link_kind(s->slave->link));
	return 0;
}

static int need_hardware(const struct subject *s, struct libbond_error *err)
{
	unsigned type = lb_link_hardware(s->slave->link);
	bool lacp = lb_final(s->bond, lb_bond_attr(LB_BOND_MODE)) == LB_MODE_8023AD;
	char buf[2][32];

	if (lacp && type != ARPHRD_ETHER)
		return refuse(s, EINVAL, err, "mode 802.3ad takes Ethernet only, and it is %s",
		              hardware_name(type, buf[0]));
	if (type == ARPHRD_INFINIBAND && !may_be_of_mode(s->bond, LB_MODE_ACTIVE_BACKUP))
		return refuse(s, EOPNOTSUPP, err, "it is InfiniBand, which only mode active-backup takes");
	if (lb_changes_type(s->bond) && libbond_link_master(s->bond->link))
		return refuse(s, EBUSY, err, "it is %s, and the bond, which would become so, has a master",
		              hardware_name(type, buf[0]));
	if (has_another(s) && hardware_of_bond(s) != type)
		return refuse(s, EINVAL, err, "it is %s, and the bond's first slave is %s",
		              hardware_name(type, buf[0]), hardware_name(hardware_of_bond(s), buf[1]));
	return 0;
}

/* --- the MAC address --- */

/* Others refuse a new address as well, and only the kernel knows. */
static bool is_without_mac(const struct libbond_link *link)
{
	return !libbond_link_has(link, lb_link_attr(LB_IFLA_ADDRESS)) || lb_link_hardware(link) == ARPHRD_INFINIBAND;
}

/* No ndo_set_mac_address in drivers/net/ifb.c, drivers/net/ipvlan/ipvlan_main.c: foreseen, and not relied upon. */
static bool seems_without_mac(const struct libbond_link *link)
{
	static const char *const kinds[] = {"ifb", "ipvlan", "ipvtap"};
	bool found = lb_link_hardware(link) != ARPHRD_ETHER;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		found |= strcmp(libbond_link_kind(link), kinds[i]) == 0;
	return found;
}

bool lb_forces_fail_over_mac(const struct lb_device *bond)
{
	return bond->join_count && (!bond->link || lb_may_be_empty(bond)) &&
	       lb_final(bond, lb_bond_attr(LB_BOND_MODE)) == LB_MODE_ACTIVE_BACKUP && !has_active_address(bond) &&
	       (is_without_mac(bond->join[0]->link) || seems_without_mac(bond->join[0]->link));
}

static int need_address(const struct subject *s, struct libbond_error *err)
{
	const struct libbond_attr *attr = lb_bond_attr(LB_BOND_FAIL_OVER_MAC);
	bool asked = lb_config_find(s->bond->named, attr);
	bool backup = may_be_of_mode(s->bond, LB_MODE_ACTIVE_BACKUP);
	int rc;

	if (!is_without_mac(s->slave->link) || (backup && has_active_address(s->bond)))
		return 0;
	if (!backup) {
		rc = refuse(s, EOPNOTSUPP, err, "it has no MAC address that could be changed");
		lb_fail_hint(err, "only active-backup with fail_over_mac active takes it");
		return rc;
	}
	if (!asked && (!has_another(s) || lb_forces_fail_over_mac(s->bond)))
		return 0; /* the driver sets it, as is said; or has slaves, and refuses */
	rc = refuse(s, EOPNOTSUPP, err,
	            "it has no MAC address that could be changed, and fail_over_mac is not active");
	lb_fail_attr(err, attr);
	lb_fail_hint(err, "--cycle fail_over_mac active makes the bond follow its slaves' addresses");
	return rc;
}

/* --- the MTU --- */

struct limits {
	int64_t least, most;
	const struct libbond_link *below; /* whose MTU is the most */
};

static struct limits limits_of(const struct subject *s)
{
	const struct libbond_link *link = s->slave->link;
	struct limits limits = {lb_link_find_u32(link, LB_IFLA_MIN_MTU), lb_link_find_u32(link, LB_IFLA_MAX_MTU),
	                        NULL};
	unsigned below = lb_limited_by(link);
	const struct lb_device *ours = lb_plan_find(s->plan, below);
	const struct libbond_attr *mtu = lb_link_attr(LB_IFLA_MTU);

	limits.below = s->lower && below && !(ours && lb_sets(ours, mtu)) ? libbond_snapshot_by_index(s->lower, below)
	                                                                  : NULL;
	int64_t own = limits.below ? lb_link_number_or(limits.below, mtu, 0) : 0;
	if (own && (!limits.most || own < limits.most))
		limits.most = own;
	else
		limits.below = NULL;
	return limits;
}

#define MISFIT 448 /* two names and two numbers */

/* What is wrong with an MTU for a slave; empty if nothing is. */
static void find_misfit(const struct subject *s, int64_t mtu, char why[MISFIT])
{
	struct limits limits = limits_of(s);
	const char *name = s->slave->name;

	why[0] = '\0';
	if (mtu < limits.least)
		snprintf(why, MISFIT, "%s takes no less than %" PRId64, name, limits.least);
	else if (limits.most && mtu > limits.most && limits.below)
		snprintf(why, MISFIT, "%s takes no more than %" PRId64 ", the MTU of %s, which it is on", name,
		         limits.most, libbond_link_name(limits.below));
	else if (limits.most && mtu > limits.most)
		snprintf(why, MISFIT, "%s takes no more than %" PRId64, name, limits.most);
}

static int need_mtu(const struct subject *s, struct libbond_error *err)
{
	int64_t mtu = lb_mtu_of(s->bond);
	char why[MISFIT];

	/* a bond that changes its type starts anew */
	if (mtu == lb_link_number_or(s->slave->link, lb_link_attr(LB_IFLA_MTU), mtu) || lb_changes_type(s->bond))
		return 0;
	find_misfit(s, mtu, why);
	if (!*why)
		return 0;
	int rc = refuse(s, EINVAL, err, "a slave gets the MTU of its bond, %" PRId64 ", and %s", mtu, why);
	lb_fail_attr(err, lb_link_attr(LB_IFLA_MTU));
	return rc;
}

/* A new MTU of the bond is one for all of its slaves. */
static int need_mtu_of_all(struct subject *s, struct libbond_error *err)
{
	const struct libbond_attr *attr = lb_link_attr(LB_IFLA_MTU);
	const struct lb_want *want = lb_config_find(s->bond->work.config, attr);
	char why[MISFIT];

	for (size_t i = 0; want && i < s->bond->stay_count; i++) {
		s->slave = s->bond->stay[i];
		if (want->value.number == lb_link_number_or(s->slave->link, attr, 0))
			continue;
		find_misfit(s, want->value.number, why);
		if (!*why)
			continue;
		lb_fail(err, LIBBOND_CAUSE_CONFLICT, EINVAL, "cannot set mtu on %s: its slave %s", s->bond->name,
		        why);
		lb_fail_attr(err, attr);
		lb_fail_device(err, s->bond->name);
		return -EINVAL;
	}
	return 0;
}

/* The devices below the slaves whose MTU is to grow: none, as a rule. */
static size_t find_lower(const struct libbond_plan *plan, unsigned *indexes)
{
	const struct libbond_attr *attr = lb_link_attr(LB_IFLA_MTU);
	size_t count = 0;

	for (size_t i = 0; i < plan->count; i++) {
		const struct lb_device *slave = plan->devices[i], *bond = slave->wanted;
		unsigned below = bond && bond->is_bond && slave->link ? lb_limited_by(slave->link) : 0;
		if (below && (slave->master != bond || lb_sets(bond, attr)) &&
		    lb_mtu_of(bond) > lb_link_number_or(slave->link, attr, 0))
			indexes[count++] = below;
	}
	return count;
}

static int read_lower(struct libbond *handle, const struct libbond_plan *plan, struct libbond_snapshot **lower,
                      struct libbond_error *err)
{
	unsigned *indexes = calloc(plan->count + 1, sizeof(*indexes));

	if (!indexes)
		return lb_fail_memory(err);
	size_t count = find_lower(plan, indexes);
	int rc = count ? lb_read_indexes(handle, indexes, count, lower, err) : 0;
	free(indexes);
	return rc;
}

/* --- all of them --- */

static int check_bond(struct subject *s, struct libbond_error *err)
{
	static int (*const rules[])(const struct subject *, struct libbond_error *) = {
		need_kind,
		need_hardware,
		need_address,
		need_mtu,
	};
	int rc = need_mtu_of_all(s, err);

	for (size_t i = 0; rc == 0 && i < s->bond->join_count; i++) {
		s->slave = s->bond->join[i];
		for (size_t r = 0; rc == 0 && r < sizeof(rules) / sizeof(rules[0]); r++)
			rc = rules[r](s, err);
	}
	return rc;
}

int lb_check_fit(struct libbond *handle, const struct libbond_plan *plan, struct libbond_error *err)
{
	struct libbond_snapshot *lower = NULL;
	int rc = read_lower(handle, plan, &lower, err);

	for (size_t i = 0; rc == 0 && i < plan->count; i++) {
		struct subject s = {.plan = plan, .bond = plan->devices[i], .lower = lower};
		if (s.bond->is_bond && !s.bond->deletes)
			rc = check_bond(&s, err);
	}
	libbond_snapshot_free(lower);
	return rc;
}
