/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes a plan of a change: reads, compares, refuses, and asks for the steps. Sits between the public interface and
 * world.c, members.c, prepare.c, guard.c, effects.c, compose.c.
 */
#include "plan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "error.h"
#include "handle.h"
#include "link.h"
#include "members.h"

int lb_plan_new(struct libbond_plan **out, struct libbond_error *err)
{
	struct libbond_plan *plan = calloc(1, sizeof(*plan));
	if (!plan)
		return lb_fail_memory(err);
	*out = plan;
	return 0;
}

void libbond_plan_free(struct libbond_plan *plan)
{
	if (!plan)
		return;
	for (size_t i = 0; i < plan->count; i++)
		lb_device_free(plan->devices[i]);
	for (size_t i = 0; i < plan->step_count; i++)
		libbond_config_free(plan->steps[i].config);
	free(plan->devices);
	free(plan->lookups);
	free(plan->hanging);
	free(plan->asks);
	lb_watch_free(plan->watch);
	free(plan->spoilt);
	free(plan->steps);
	lb_records_free(&plan->records);
	libbond_snapshot_free(plan->before);
	libbond_snapshot_free(plan->above);
	libbond_snapshot_free(plan->after);
	for (size_t i = 0; i < plan->met_count; i++)
		libbond_snapshot_free(plan->met[i]);
	free(plan->met);
	free(plan);
}

/* --- the bonds --- */

static int start(struct libbond_plan *plan, struct lb_device *device, bool of_slave,
                 const struct libbond_config *config, struct libbond_error *err)
{
	struct libbond_config *named = NULL;

	libbond_config_free(device->work.config);
	device->work.config = NULL;
	bool lenient = device->work.lenient;
	int rc = lb_work_start(&device->work, device->name, device->link, of_slave, config, plan->report, err);
	device->work.lenient = lenient;
	if (rc == 0 && lb_config_copy(config, &named) < 0)
		rc = lb_fail_memory(err);
	if (rc < 0) {
		if (!device->work.config && libbond_config_new(&device->work.config) < 0)
			device->work.config = NULL;
		return rc;
	}
	libbond_config_free(device->named);
	device->named = named;
	return 0;
}

static struct lb_state state_of(const struct libbond_plan *plan, const struct lb_device *bond,
                                const struct libbond_config *config)
{
	struct lb_state state = lb_state_of(bond->link, bond->name, config);
	state.slaves = bond->stay_count;
	state.no_address = bond->link && !libbond_link_has(bond->link, lb_link_attr(LB_IFLA_ADDRESS)) &&
	                   !lb_joins_other_type(bond);
	state.may_cycle = plan->flags & LIBBOND_PLAN_CYCLE;
	state.joins = bond->join_count;
	return state;
}

/* What the caller says of every new bond, but for what it says of this one. NULL without memory. */
static struct libbond_config *with_defaults(const struct lb_bond_wish *wish, bool creates)
{
	struct libbond_config *config;
	int rc = lb_config_copy(wish->config, &config) < 0 ? -ENOMEM : 0;

	for (size_t i = 0; rc == 0 && creates && wish->defaults && i < wish->defaults->count; i++) {
		const struct lb_want *want = &wish->defaults->wants[i];
		if (!lb_config_find(config, want->attr))
			rc = lb_config_put(config, want->attr, &want->value, want->link);
		if (rc < 0)
			libbond_config_free(config);
	}
	return rc < 0 ? NULL : config;
}

static int ready_bond(struct libbond_plan *plan, struct lb_device *bond, const struct libbond_config *config,
                      struct libbond_error *err)
{
	struct lb_state state = state_of(plan, bond, config);
	int rc = 0;

	if ((bond->creates || bond->deletes) &&
	    lb_report_device(plan->report, bond->name, bond->creates ? "create" : "delete") < 0)
		return lb_fail_memory(err);
	if (config)
		rc = start(plan, bond, false, config, err);
	if (rc == 0)
		rc = lb_work_ready(&bond->work, &state, plan->lookups, plan->lookup_count, plan->report, err);
	bond->down_for = state.down_for;
	bond->empty_for = state.empty_for;
	return rc;
}

/* wish: NULL for one that is pruned. */
static int ready_wish(struct libbond_plan *plan, struct lb_device *bond, const struct lb_bond_wish *wish,
                      struct libbond_error *err)
{
	struct libbond_config *config = wish ? with_defaults(wish, bond->creates) : NULL;
	if (wish && !config)
		return lb_fail_memory(err);
	int rc = ready_bond(plan, bond, config, err);
	libbond_config_free(config);
	return rc;
}

/* --- the slaves --- */

/* What a new slave has without being told: the driver opens it, and gives it the bond's MTU. */
static bool comes_by_itself(const struct lb_want *want, const struct lb_device *slave)
{
	const struct libbond_attr *mtu = lb_link_attr(LB_IFLA_MTU), *txqlen = lb_link_attr(LB_IFLA_TXQLEN);
	const struct lb_device *bond = slave->wanted;
	const struct lb_want *of_bond = lb_config_find(bond->named, mtu);

	if (want->attr == lb_link_attr(LB_IFLA_UP))
		return want->value.number != 0;
	if (want->attr == mtu)
		return want->value.number == (of_bond      ? of_bond->value.number
		                              : bond->link ? lb_link_number_or(bond->link, mtu, 1500)
		                                           : 1500);
	if (want->attr == txqlen)
		return slave->link && want->value.number == lb_link_number_or(slave->link, txqlen, -1);
	return lb_want_is_default(want);
}

/* Joining: nothing of a slave is there yet. Leaving: it ends down. */
static int ready_mover(struct libbond_plan *plan, struct lb_device *slave, struct lb_state *state,
                       const struct libbond_config *config, struct libbond_error *err)
{
	const struct libbond_link *link = slave->link;
	int rc;

	slave->link = NULL;
	rc = start(plan, slave, slave->wanted != NULL, config, err);
	slave->link = slave->work.link = link;
	for (size_t i = 0; rc == 0 && i < slave->work.config->count;) {
		const struct lb_want *want = &slave->work.config->wants[i];
		bool moot = slave->wanted ? comes_by_itself(want, slave)
		                          : want->attr == lb_link_attr(LB_IFLA_UP) && !want->value.number;
		if (!moot) {
			i++;
			continue;
		}
		lb_report_mark(plan->report, slave->name, want->attr, LIBBOND_OUTCOME_UNCHANGED);
		libbond_config_unset(slave->work.config, want->attr);
	}
	if (rc < 0 || !slave->wanted)
		return rc;
	slave->work.link = NULL;
	rc = lb_work_ready(&slave->work, state, NULL, 0, plan->report, err);
	slave->work.link = link;
	return rc;
}

static int ready_slave(struct libbond_plan *plan, struct lb_device *bond, struct lb_device *slave,
                       const struct lb_slave_wish *wish, struct lb_state *state, struct libbond_error *err)
{
	bool leaves = wish->wish == LIBBOND_SLAVE_OUT;
	const char *action = leaves ? "release" : "enslave";
	int rc = 0;

	slave->work.lenient = bond->work.lenient;
	if (wish->wish != LIBBOND_SLAVE_PRESENT && lb_report_device(plan->report, slave->name, action) < 0)
		return lb_fail_memory(err);
	if (wish->wish == LIBBOND_SLAVE_IN && slave->master == bond)
		lb_report_mark(plan->report, slave->name, NULL, LIBBOND_OUTCOME_UNCHANGED);
	if (leaves && slave->wanted)
		return 0; /* it joins another bond, whose wish says what it is to be */
	if (slave->master != slave->wanted)
		return ready_mover(plan, slave, state, wish->config, err);
	rc = start(plan, slave, true, wish->config, err);
	return rc < 0 ? rc : lb_work_ready(&slave->work, state, NULL, 0, plan->report, err);
}

static int ready_slaves(struct libbond_plan *plan, const struct libbond_change *change, struct libbond_error *err)
{
	size_t next = change->count;
	int rc = 0;

	for (size_t i = 0; i < change->count; i++) {
		struct lb_device *bond = plan->devices[i];
		struct lb_state state = state_of(plan, bond, bond->named);
		for (size_t w = 0; rc == 0 && w < change->bonds[i].count; w++, next++)
			rc = ready_slave(plan, bond,
			                 lb_plan_find(plan, libbond_link_ifindex(plan->lookups[next].link)),
			                 &change->bonds[i].slaves[w], &state, err);
	}
	return rc;
}

/* Slaves that leave without having been named: the bond is exact, or goes. */
static int report_leavers(struct libbond_plan *plan, struct libbond_error *err)
{
	for (size_t i = 0; i < plan->count; i++) {
		struct lb_device *bond = plan->devices[i];
		if (!(bond->flags & LIBBOND_BOND_EXACT))
			continue;
		for (size_t s = 0; s < bond->leave_count; s++)
			if (!bond->leave[s]->wanted &&
			    lb_report_device(plan->report, bond->leave[s]->name, "release") < 0)
				return lb_fail_memory(err);
	}
	return 0;
}

/* --- what only the whole tells --- */

static int64_t queue_of(const struct lb_device *slave, const struct lb_device *bond)
{
	const struct libbond_attr *queue_id = lb_slave_attr(LB_SLAVE_QUEUE_ID);
	const struct lb_want *want = lb_config_find(slave->work.config, queue_id);
	if (want)
		return want->value.number;
	return slave->master == bond ? lb_link_number_or(slave->link, queue_id, 0) : 0;
}

/* bond_option_queue_id_set(): a queue leads to one slave */
static int check_queues(const struct libbond_plan *plan, const struct lb_device *bond, struct libbond_error *err)
{
	const struct libbond_attr *queue_id = lb_slave_attr(LB_SLAVE_QUEUE_ID);

	for (size_t i = 0; i < plan->count; i++) {
		const struct lb_device *slave = plan->devices[i];
		const struct lb_want *want = lb_config_find(slave->work.config, queue_id);
		if (slave->wanted != bond || !want || want->value.number == 0)
			continue;
		for (size_t j = 0; j < plan->count; j++) {
			const struct lb_device *other = plan->devices[j];
			if (other == slave || other->wanted != bond || !other->link ||
			    queue_of(other, bond) != want->value.number)
				continue;
			lb_fail(err, LIBBOND_CAUSE_CONFLICT, EPERM, "cannot set %s on %s: %s has that queue already",
			        queue_id->name, slave->name, other->name);
			lb_fail_attr(err, queue_id);
			lb_fail_device(err, slave->name);
			return -EPERM;
		}
	}
	return 0;
}

/* The slave that a value names which holds, among those that leave or those that stay. */
static const struct lb_device *find_named(struct lb_device *const *slaves, size_t count, const struct lb_want *named)
{
	for (size_t i = 0; named && *named->link && i < count; i++)
		if (lb_link_answers_to(slaves[i]->link, named->link))
			return slaves[i];
	return NULL;
}

static int refuse_active(const struct lb_device *bond, enum libbond_cause cause, const char *slave, const char *why,
                         struct libbond_error *err)
{
	const struct libbond_attr *attr = lb_bond_attr(LB_BOND_ACTIVE_SLAVE);

	lb_fail(err, cause, EINVAL, "cannot set active_slave on %s: %s %s", bond->name, slave, why);
	lb_fail_device(err, bond->name);
	lb_fail_attr(err, attr);
	return -EINVAL;
}

/* A slave that joins as the primary is active at once. */
static const struct lb_device *find_new_primary(const struct libbond_plan *plan, const struct lb_device *bond)
{
	const struct lb_want *want = lb_config_find(bond->work.config, lb_bond_attr(LB_BOND_PRIMARY));
	const struct lb_device *slave = want ? lb_plan_find(plan, (unsigned)want->value.number) : NULL;
	return slave && slave->wanted == bond && slave->master != bond ? slave : NULL;
}

/* The active slave is one of those that are slaves afterwards, open, and not outdone by a primary. */
static int check_active(const struct libbond_plan *plan, const struct lb_device *bond, struct libbond_error *err)
{
	const struct libbond_attr *attr = lb_bond_attr(LB_BOND_ACTIVE_SLAVE), *up_attr = lb_link_attr(LB_IFLA_UP);
	const struct lb_want *want = lb_config_find(bond->work.config, attr);
	const struct lb_want *held = want ? NULL : lb_config_find(bond->named, attr);
	const struct lb_device *leaver = find_named(bond->leave, bond->leave_count, held);
	const struct lb_device *stays = find_named(bond->stay, bond->stay_count, held);
	unsigned ifindex = want ? (unsigned)want->value.number : stays ? stays->ifindex : 0;
	const struct lb_device *slave = lb_plan_find(plan, ifindex), *primary = find_new_primary(plan, bond);
	const struct libbond_link *link = ifindex ? libbond_snapshot_by_index(plan->before, ifindex) : NULL;
	const struct lb_want *up = slave ? lb_config_find(slave->work.config, up_attr) : NULL;

	if (leaver)
		return refuse_active(bond, LIBBOND_CAUSE_NOT_A_SLAVE, leaver->name, "is not a slave of it", err);
	if (!ifindex)
		return 0;
	bool is_slave =
		slave ? slave->wanted == bond : link && bond->link && libbond_link_master(link) == bond->ifindex;
	if (!is_slave)
		return refuse_active(bond, LIBBOND_CAUSE_NOT_A_SLAVE, link ? libbond_link_name(link) : want->link,
		                     "is not a slave of it", err);
	if (up && !up->value.number)
		return refuse_active(bond, LIBBOND_CAUSE_CONFLICT, slave->name, "is to be down", err);
	if (primary && primary != slave)
		return refuse_active(bond, LIBBOND_CAUSE_CONFLICT, primary->name,
		                     "joins as primary, and would be active at once", err);
	return 0;
}

static int check_whole(const struct libbond_plan *plan, struct libbond_error *err)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < plan->count; i++) {
		if (!plan->devices[i]->is_bond)
			continue;
		rc = check_queues(plan, plan->devices[i], err);
		if (rc == 0)
			rc = check_active(plan, plan->devices[i], err);
	}
	return rc;
}

static int recheck_queue(const struct lb_step *refused, const struct libbond_link *bond, struct libbond_error *err)
{
	const struct libbond_attr *queue_id = lb_slave_attr(LB_SLAVE_QUEUE_ID);
	const struct lb_want *want = lb_config_find(refused->config, queue_id);

	for (size_t i = 0; want && want->value.number && bond && i < libbond_link_slaves(bond); i++) {
		const struct libbond_link *other = libbond_link_slave(bond, i);
		if (libbond_link_ifindex(other) == refused->device->ifindex ||
		    lb_link_number_or(other, queue_id, 0) != want->value.number)
			continue;
		lb_fail(err, LIBBOND_CAUSE_CONFLICT, EPERM, "cannot set %s on %s: %s has that queue already",
		        queue_id->name, refused->device->name, libbond_link_name(other));
		lb_fail_attr(err, queue_id);
		lb_fail_device(err, refused->device->name);
		return -EPERM;
	}
	return 0;
}

void lb_recheck(const struct lb_step *refused, const struct libbond_link *now, struct libbond_error *err)
{
	const struct libbond_link *bond =
		libbond_link_is_bond(now) ? now : libbond_snapshot_by_index(now->snapshot, libbond_link_master(now));
	struct lb_state state = lb_state_of(bond, refused->bond->name, refused->config);
	struct lb_work work = {.device = refused->device->name, .link = now, .config = refused->config};
	struct libbond_error again = {0};

	if (lb_check(&work, &state, NULL, &again) < 0 || recheck_queue(refused, bond, &again) < 0)
		*err = again;
}

/* --- replacing a slave --- */

static int inherit_value(struct libbond_plan *plan, struct lb_device *to, const struct libbond_attr *attr,
                         const struct lb_value *value, const char *link, struct libbond_error *err)
{
	const struct lb_want *want;

	if (lb_config_put(to->work.config, attr, value, link) < 0 || lb_config_put(to->named, attr, value, link) < 0)
		return lb_fail_memory(err);
	want = lb_config_find(to->work.config, attr);
	return lb_report_want(plan->report, to->name, to->link, want) < 0 ? lb_fail_memory(err) : 0;
}

/* The old slave's options, and its part as primary or active slave. */
static int inherit(struct libbond_plan *plan, struct lb_device *new, struct libbond_error *err)
{
	static const unsigned parts[] = {LB_BOND_PRIMARY, LB_BOND_ACTIVE_SLAVE};
	struct lb_device *old = new->replaces, *bond = new->wanted;
	const struct lb_value self = {.count = 1, .number = new->ifindex};
	const struct libbond_attr *attr = NULL;
	int rc = 0;

	while (rc == 0 && (attr = libbond_attr_next(LIBBOND_SCOPE_SLAVE, attr))) {
		struct lb_value value;
		struct lb_want want = {.attr = attr};
		if ((attr->flags & LIBBOND_ATTR_READ_ONLY) || lb_link_value(old->link, attr, &value) < 0)
			continue;
		want.value = value;
		if (!comes_by_itself(&want, new))
			rc = inherit_value(plan, new, attr, &value, "", err);
	}
	for (size_t i = 0; rc == 0 && i < sizeof(parts) / sizeof(parts[0]); i++)
		if ((parts[i] != LB_BOND_ACTIVE_SLAVE || new->wait_ms) && /* without link it cannot be active */
		    lb_link_number_or(bond->link, lb_bond_attr(parts[i]), 0) == (int64_t)old->ifindex)
			rc = inherit_value(plan, bond, lb_bond_attr(parts[i]), &self, new->name, err);
	return rc;
}

static int inherit_all(struct libbond_plan *plan, struct libbond_error *err)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < plan->count; i++)
		if (plan->devices[i]->replaces && plan->devices[i]->master != plan->devices[i]->wanted)
			rc = inherit(plan, plan->devices[i], err);
	return rc;
}

/* --- the plan --- */

static int make_plan(struct libbond *handle, struct libbond_plan *plan, const struct libbond_change *change,
                     struct libbond_error *err)
{
	int rc = lb_world_read(handle, plan, change, err);

	if (rc == 0)
		rc = lb_members_want(plan, change, err);
	if (rc == 0)
		rc = lb_sort_slaves(plan, err);
	for (size_t i = 0; rc == 0 && i < plan->count; i++)
		if (plan->devices[i]->is_bond && (i < change->count || plan->devices[i]->deletes))
			rc = ready_wish(plan, plan->devices[i], i < change->count ? &change->bonds[i] : NULL, err);
	if (rc == 0)
		rc = ready_slaves(plan, change, err);
	if (rc == 0)
		rc = report_leavers(plan, err);
	if (rc == 0)
		rc = inherit_all(plan, err);
	if (rc == 0)
		rc = check_whole(plan, err);
	if (rc == 0)
		rc = lb_check_fit(handle, plan, err);
	if (rc == 0)
		lb_ask_to_wait(plan);
	if (rc == 0)
		rc = lb_guard(plan, err);
	if (rc == 0)
		rc = lb_effects(handle, plan, err);
	return rc < 0 ? rc : lb_compose(plan, err);
}

int libbond_plan(struct libbond *handle, const struct libbond_change *change, unsigned flags,
                 struct libbond_report *report, struct libbond_plan **out, struct libbond_error *err)
{
	struct libbond_error local = {0};
	struct libbond_plan *plan = calloc(1, sizeof(*plan));

	if (!plan)
		return lb_fail_memory(err);
	handle->cancelled = 0;
	plan->flags = flags;
	plan->report = report;
	int rc = make_plan(handle, plan, change, &local);
	/* they name strings of the change, which the plan outlives */
	free(plan->lookups);
	plan->lookups = NULL;
	plan->lookup_count = 0;
	if (rc < 0) {
		libbond_plan_free(plan);
		if (err)
			*err = local;
		return rc;
	}
	*out = plan;
	return 0;
}

/* --- looking at it --- */

size_t libbond_plan_steps(const struct libbond_plan *plan)
{
	return plan->step_count;
}

int libbond_plan_step(const struct libbond_plan *plan, size_t i, struct libbond_step *out)
{
	static const char *const actions[] = {
		[LB_STEP_CREATE] = "create", [LB_STEP_DELETE] = "delete",   [LB_STEP_DOWN] = "down",
		[LB_STEP_UP] = "up",         [LB_STEP_RELEASE] = "release", [LB_STEP_ENSLAVE] = "enslave",
		[LB_STEP_SET] = "set",       [LB_STEP_WAIT] = "wait",       [LB_STEP_PUT_BACK] = "put_back",
	};
	if (i >= plan->step_count)
		return -ENOENT;
	const struct lb_step *step = &plan->steps[i];
	*out = (struct libbond_step){
		.action = actions[step->kind],
		.device = step->device->name,
		.bond = step->bond->name,
		.config = step->config,
		.text = step->text,
		.disruption = step->disruption,
		.because = step->because,
	};
	return 0;
}
