/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Decides which devices join, leave and stay, and refuses those that cannot. Sits between the wishes of a change and
 * the plan's devices.
 */
#include "members.h"

#include <errno.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

/* A wish and what it is about. */
struct subject {
	struct libbond_plan *plan;
	const struct lb_bond_wish *bond_wish;
	const struct lb_slave_wish *wish;
	struct lb_device *bond, *device;
};

static int fail_about(const char *device, int rc, struct libbond_error *err)
{
	lb_fail_device(err, device);
	return rc;
}

static int need_slave(const struct subject *s, struct libbond_error *err)
{
	if (s->device->master == s->bond)
		return 0;
	int rc = lb_fail(err, LIBBOND_CAUSE_NOT_A_SLAVE, EINVAL, "%s is not a slave of %s", s->device->name,
	                 s->bond->name);
	lb_fail_hint(err, "bondctl show %s lists its slaves", s->bond->name);
	return fail_about(s->device->name, rc, err);
}

static int fail_has_master(const struct subject *s, struct libbond_error *err)
{
	const struct lb_device *master = s->device->master;
	const char *name = s->device->name;
	int rc = lb_fail(err, LIBBOND_CAUSE_HAS_MASTER, EBUSY, "cannot enslave %s: it belongs to %s already", name,
	                 master->name);

	if (master->is_bond)
		lb_fail_hint(err, "release it there first: bondctl release %s %s; or --steal it", master->name, name);
	else
		lb_fail_hint(err, "take it out there first: ip link set %s nomaster; or --steal it", name);
	return fail_about(name, rc, err);
}

/* Whether a device may be taken from its master: that gives it up itself, or the caller said so. */
static bool may_move(const struct subject *s)
{
	const struct lb_device *master = s->device->master;
	return !master || master == s->bond || master->deletes || s->device->wanted != master ||
	       (s->plan->flags & LIBBOND_PLAN_STEAL) || (master->flags & LIBBOND_BOND_EXACT);
}

static int need_candidate(const struct subject *s, struct libbond_error *err)
{
	const char *name = s->device->name;

	if (s->device == s->bond || strcmp(name, s->bond->name) == 0)
		return fail_about(
			name, lb_fail(err, LIBBOND_CAUSE_CONFLICT, EPERM, "cannot enslave %s to itself", name), err);
	bool is_master = s->bond->link && libbond_link_master(s->bond->link) == s->device->ifindex;
	if (is_master || (s->bond->ifindex && lb_is_on(s->plan, s->device->link, s->bond->ifindex)))
		return fail_about(name,
		                  lb_fail(err, LIBBOND_CAUSE_CONFLICT, EBUSY,
		                          "cannot enslave %s to %s: it is on top of it", name, s->bond->name),
		                  err);
	if (libbond_link_flags(s->device->link) & IFF_LOOPBACK)
		return fail_about(name,
		                  lb_fail(err, LIBBOND_CAUSE_CONFLICT, EINVAL,
		                          "cannot enslave %s: it is the loopback device", name),
		                  err);
	return may_move(s) ? 0 : fail_has_master(s, err);
}

static bool is_named(const struct libbond_plan *plan, const struct lb_device *device)
{
	for (size_t i = 0; i < plan->count; i++)
		for (size_t s = 0; s < plan->devices[i]->join_count; s++)
			if (plan->devices[i]->join[s] == device)
				return true;
	return false;
}

/* A device may have several names: it is the device that must not be wanted twice. */
static int need_once(const struct subject *s, struct libbond_error *err)
{
	bool leaves = s->device->master && !s->device->wanted;
	bool twice = s->wish->wish == LIBBOND_SLAVE_OUT
	                     ? leaves
	                     : is_named(s->plan, s->device) || (leaves && s->device->master == s->bond);

	if (!twice)
		return 0;
	return fail_about(s->device->name,
	                  lb_fail(err, LIBBOND_CAUSE_CONFLICT, EINVAL, "%s is named twice", s->device->name), err);
}

/* Until the slaves are sorted, "join" holds every device that the wishes name as a slave of the bond. */
static int name_slave(struct lb_device *bond, struct lb_device *device, struct libbond_error *err)
{
	return lb_push(&bond->join, &bond->join_count, device) < 0 ? lb_fail_memory(err) : 0;
}

static int want_one(const struct subject *s, struct libbond_error *err)
{
	bool joins = s->wish->wish == LIBBOND_SLAVE_IN;
	int rc = joins ? need_candidate(s, err) : need_slave(s, err);

	if (rc == 0 && *s->wish->replaces && s->device->master == s->bond) {
		rc = lb_fail(err, LIBBOND_CAUSE_CONFLICT, EEXIST, "%s is a slave of %s already", s->device->name,
		             s->bond->name);
		lb_fail_device(err, s->device->name);
	}
	if (rc == 0)
		rc = need_once(s, err);
	if (rc == 0 && s->wish->wish != LIBBOND_SLAVE_OUT)
		rc = name_slave(s->bond, s->device, err);
	if (rc < 0)
		return rc;
	if (s->wish->wish == LIBBOND_SLAVE_OUT)
		s->device->wanted = NULL;
	else if (joins)
		s->device->wanted = s->bond;
	s->device->wait_ms = s->wish->wait_ms;
	return 0;
}

static int fail_missing(const struct libbond_change *change, const char *name, struct libbond_error *err)
{
	int rc = lb_fail_no_device(name, err);

	for (size_t i = 0; i < change->count; i++)
		if (strcmp(change->bonds[i].name, name) == 0)
			lb_fail_hint(err, "a new bond inside another takes two changes: %s first", name);
	return rc;
}

/* First who leaves, then who joins: a device may do both. */
static int want_all(struct libbond_plan *plan, const struct libbond_change *change, bool leaving,
                    struct libbond_error *err)
{
	size_t next = change->count;
	for (size_t i = 0; i < change->count; i++) {
		const struct lb_bond_wish *bond = &change->bonds[i];
		for (size_t w = 0; w < bond->count; w++, next++) {
			const struct libbond_link *link = plan->lookups[next].link;
			struct subject s = {plan, bond, &bond->slaves[w], plan->devices[i], NULL};
			if ((s.wish->wish == LIBBOND_SLAVE_OUT) != leaving)
				continue;
			if (!link)
				return fail_missing(change, s.wish->name, err);
			s.device = lb_plan_find(plan, libbond_link_ifindex(link));
			int rc = want_one(&s, err);
			if (rc < 0)
				return rc;
		}
	}
	return 0;
}

/* Slaves that an exact bond does not name leave it, and all of a bond that is deleted. */
static void want_none(struct libbond_plan *plan)
{
	for (size_t i = 0; i < plan->count; i++) {
		struct lb_device *device = plan->devices[i], *bond = device->master;
		bool named = false;
		if (!bond || device->wanted != bond)
			continue;
		for (size_t s = 0; s < bond->join_count; s++)
			named |= bond->join[s] == device;
		if (bond->deletes || ((bond->flags & LIBBOND_BOND_EXACT) && !named))
			device->wanted = NULL;
	}
}

static void find_replaced(struct libbond_plan *plan, const struct libbond_change *change)
{
	size_t next = change->count;
	for (size_t i = 0; i < change->count; i++)
		for (size_t w = 0; w < change->bonds[i].count; w++, next++) {
			const struct lb_slave_wish *wish = &change->bonds[i].slaves[w];
			if (!*wish->replaces)
				continue;
			struct lb_device *new = lb_plan_find(plan, libbond_link_ifindex(plan->lookups[next].link));
			/* the old one is the wish before it */
			new->replaces = lb_plan_find(plan, libbond_link_ifindex(plan->lookups[next - 1].link));
		}
}

int lb_members_want(struct libbond_plan *plan, const struct libbond_change *change, struct libbond_error *err)
{
	int rc = want_all(plan, change, true, err);
	if (rc == 0)
		rc = want_all(plan, change, false, err);
	if (rc < 0)
		return rc;
	want_none(plan);
	find_replaced(plan, change);
	return 0;
}
