/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Refuses what the kernel would do and a person would regret: traffic cut, links no longer watched, one monitor
 * turned off by the other. One function a guard. Sits between plan.c and the caller, who overrules it with
 * LIBBOND_PLAN_FORCE.
 */
#include <errno.h>
#include <inttypes.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdio.h>

#include "error.h"
#include "plan.h"

struct subject {
	const struct libbond_plan *plan;
	const struct lb_device *bond;
};

__attribute__((format(printf, 4, 5))) static int refuse(const struct libbond_attr *attr, const char *device,
                                                        struct libbond_error *err, const char *format, ...)
{
	char message[256];
	va_list args;
	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	int rc = lb_fail(err, LIBBOND_CAUSE_GUARD, EBUSY, "%s", message);
	lb_fail_attr(err, attr);
	lb_fail_device(err, device);
	lb_fail_hint(err, "--force does it all the same");
	return rc;
}

/* --- values, as they are and as they will be --- */

static const struct lb_want *wanted(const struct subject *s, unsigned number)
{
	return lb_config_find(s->bond->work.config, lb_bond_attr(number));
}

static bool is_named(const struct subject *s, unsigned number)
{
	return lb_config_find(s->bond->named, lb_bond_attr(number)) != NULL;
}

static int64_t present(const struct subject *s, unsigned number)
{
	return s->bond->link ? lb_link_number_or(s->bond->link, lb_bond_attr(number), 0) : 0;
}

static int64_t final(const struct subject *s, unsigned number)
{
	const struct lb_want *want = wanted(s, number);
	return want ? want->value.number : present(s, number);
}

static struct lb_state state_of(const struct subject *s)
{
	return lb_state_of(s->bond->link, s->bond->name, s->bond->work.config);
}

static unsigned targets(const struct subject *s, unsigned number)
{
	const struct lb_want *want = wanted(s, number);
	struct lb_value value = {0};
	if (want)
		return want->value.count;
	return s->bond->link && lb_link_value(s->bond->link, lb_bond_attr(number), &value) == 0 ? value.count : 0;
}

/* --- monitors --- */

/* A new bond may be made without one by saying so, in the modes that have none by themselves. */
static int guard_monitor(const struct subject *s, struct libbond_error *err)
{
	static const unsigned numbers[] = {LB_BOND_MIIMON, LB_BOND_ARP_INTERVAL};
	struct lb_state state = state_of(s);
	bool own = state.mode == LB_MODE_8023AD || state.mode == LB_MODE_TLB || state.mode == LB_MODE_ALB;

	if (state.miimon != 0 || state.arp_interval != 0 || (s->bond->creates && !own))
		return 0;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (!wanted(s, numbers[i]))
			continue;
		return refuse(lb_bond_attr(numbers[i]), s->bond->name, err,
		              "cannot set %s on %s: no failed link would be noticed any more",
		              lb_bond_attr(numbers[i])->name, s->bond->name);
	}
	return 0;
}

static int guard_targets(const struct subject *s, struct libbond_error *err)
{
	static const unsigned numbers[] = {LB_BOND_ARP_INTERVAL, LB_BOND_ARP_IP_TARGET, LB_BOND_NS_IP6_TARGET};
	struct lb_state state = state_of(s);

	if (state.arp_interval <= 0 || targets(s, LB_BOND_ARP_IP_TARGET) || targets(s, LB_BOND_NS_IP6_TARGET))
		return 0;
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		if (!wanted(s, numbers[i]))
			continue;
		int rc = refuse(lb_bond_attr(numbers[i]), s->bond->name, err,
		                "cannot set %s on %s: ARP monitoring without a target takes every link for dead",
		                lb_bond_attr(numbers[i])->name, s->bond->name);
		lb_fail_hint(err, "give arp_ip_target or ns_ip6_target as well; --force does it all the same");
		return rc;
	}
	return 0;
}

/* bond_option_miimon_set(), bond_option_arp_interval_set(): each turns the other off without a word */
static int guard_pair(const struct subject *s, unsigned number, unsigned other, struct libbond_error *err)
{
	const struct lb_want *want = wanted(s, number);
	const struct libbond_attr *attr = lb_bond_attr(number), *off = lb_bond_attr(other);

	if (!want || want->value.number == 0 || present(s, other) == 0 || is_named(s, other))
		return 0;
	int rc = refuse(attr, s->bond->name, err, "cannot set %s on %s: it would turn %s %" PRId64 " off", attr->name,
	                s->bond->name, off->name, present(s, other));
	lb_fail_hint(err, "say that it is meant: %s 0 %s %" PRId64 "; or --force", off->name, attr->name,
	             want->value.number);
	return rc;
}

static int guard_miimon(const struct subject *s, struct libbond_error *err)
{
	return guard_pair(s, LB_BOND_MIIMON, LB_BOND_ARP_INTERVAL, err);
}

static int guard_arp_interval(const struct subject *s, struct libbond_error *err)
{
	return guard_pair(s, LB_BOND_ARP_INTERVAL, LB_BOND_MIIMON, err);
}

static int guard_validate(const struct subject *s, struct libbond_error *err)
{
	const struct lb_want *want = wanted(s, LB_BOND_ARP_VALIDATE);
	struct lb_state state = state_of(s);

	if (!want || want->value.number == 0 || state.miimon <= 0)
		return 0;
	return refuse(want->attr, s->bond->name, err,
	              "cannot set %s on %s: it belongs to ARP monitoring, and miimon is %" PRId64, want->attr->name,
	              s->bond->name, state.miimon);
}

/* --- slaves that leave --- */

bool lb_is_usable(const struct libbond_link *slave)
{
	return (libbond_link_flags(slave) & IFF_UP) && lb_link_number_or(slave, lb_link_attr(LB_IFLA_CARRIER), 0) &&
	       lb_link_number_or(slave, lb_slave_attr(LB_SLAVE_MII_STATUS), 0) == 0;
}

bool lb_stays_usable(const struct lb_device *slave)
{
	const struct lb_want *up = lb_config_find(slave->work.config, lb_link_attr(LB_IFLA_UP));
	return lb_is_usable(slave->link) && (!up || up->value.number);
}

size_t lb_count_staying(const struct lb_device *bond)
{
	size_t usable = 0;
	for (size_t i = 0; i < bond->stay_count; i++)
		usable += lb_stays_usable(bond->stay[i]);
	return usable;
}

size_t lb_count_usable(struct lb_device *const *slaves, size_t count)
{
	size_t usable = 0;
	for (size_t i = 0; i < count; i++)
		usable += lb_is_usable(slaves[i]->link);
	return usable;
}

/* Whether a new slave will be waited for before anyone leaves: then it is seen then, and not guessed now. */
static bool is_waited_for(const struct lb_device *bond)
{
	for (size_t i = 0; i < bond->join_count; i++)
		if (bond->join[i]->wait_ms)
			return true;
	return false;
}

static bool is_up(const struct subject *s)
{
	const struct lb_want *up = lb_config_find(s->bond->work.config, lb_link_attr(LB_IFLA_UP));
	return s->bond->link && (libbond_link_flags(s->bond->link) & IFF_UP) && (!up || up->value.number);
}

/* A slave that carries traffic and will not, when none that does stays. */
static const struct lb_device *last_usable(const struct lb_device *bond)
{
	const struct lb_device *slave = NULL;

	if (lb_count_staying(bond))
		return NULL;
	for (size_t i = 0; i < bond->stay_count; i++)
		slave = lb_is_usable(bond->stay[i]->link) ? bond->stay[i] : slave;
	for (size_t i = 0; i < bond->leave_count; i++)
		slave = lb_is_usable(bond->leave[i]->link) ? bond->leave[i] : slave;
	return slave;
}

static int guard_last(const struct subject *s, struct libbond_error *err)
{
	const struct lb_device *bond = s->bond;
	const struct lb_device *slave = last_usable(bond);

	if (!slave || is_waited_for(bond))
		return 0;
	if (slave->wanted == bond)
		return refuse(lb_link_attr(LB_IFLA_UP), slave->name, err,
		              "cannot set %s down: it is the last slave with link of %s, which is up", slave->name,
		              bond->name);
	int rc = refuse(NULL, slave->name, err,
	                "cannot release %s from %s: it is the last slave with link, and %s is up", slave->name,
	                bond->name, bond->name);
	lb_fail_hint(err, "bondctl replace %s %s IF puts another in its place; --force releases it all the same",
	             bond->name, slave->name);
	return rc;
}

static int guard_active(const struct subject *s, struct libbond_error *err)
{
	const struct lb_device *active = lb_active_slave(s->plan, s->bond);

	if (!active || active->wanted == s->bond || is_waited_for(s->bond) || lb_count_staying(s->bond))
		return 0;
	return refuse(NULL, active->name, err, "cannot release %s from %s: it is active, and no other slave could be",
	              active->name, s->bond->name);
}

static int guard_min_links(const struct subject *s, struct libbond_error *err)
{
	const struct lb_device *bond = s->bond;
	int64_t links = final(s, LB_BOND_MIN_LINKS);
	size_t left = lb_count_staying(bond), gone = lb_count_usable(bond->leave, bond->leave_count);

	if (state_of(s).mode != LB_MODE_8023AD || links == 0 || (int64_t)left >= links ||
	    (int64_t)(left + gone) < links || is_waited_for(bond) || !gone)
		return 0;
	return refuse(lb_bond_attr(LB_BOND_MIN_LINKS), bond->leave[0]->name, err,
	              "cannot release %s from %s: min_links is %" PRId64 ", and %zu with link would stay",
	              bond->leave[0]->name, bond->name, links, left);
}

static int run_guards(const struct subject *s, int (*const *guards)(const struct subject *, struct libbond_error *),
                      size_t count, struct libbond_error *err)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = guards[i](s, err);
	return rc;
}

int lb_guard(const struct libbond_plan *plan, struct libbond_error *err)
{
	static int (*const of_options[])(const struct subject *, struct libbond_error *) = {
		guard_miimon, guard_arp_interval, guard_validate, guard_monitor, guard_targets,
	};
	static int (*const of_slaves[])(const struct subject *, struct libbond_error *) = {
		guard_last,
		guard_active,
		guard_min_links,
	};
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < plan->count && !(plan->flags & LIBBOND_PLAN_FORCE); i++) {
		struct subject s = {plan, plan->devices[i]};
		if (!s.bond->is_bond || s.bond->deletes)
			continue;
		if (s.bond->work.config->count)
			rc = run_guards(&s, of_options, sizeof(of_options) / sizeof(of_options[0]), err);
		if (rc == 0 && s.bond->stay_count + s.bond->leave_count && is_up(&s))
			rc = run_guards(&s, of_slaves, sizeof(of_slaves) / sizeof(of_slaves[0]), err);
	}
	return rc;
}
