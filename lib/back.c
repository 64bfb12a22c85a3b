/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds the way back: the differences between what is and what was, as a plan. Sits between undo.c and the planner.
 * So a request that the kernel did half, and what it did along the way, need no cases here.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "error.h"
#include "undo.h"

int lb_read_now(struct libbond *handle, const struct libbond_plan *plan, struct libbond_snapshot **now,
                struct libbond_error *err)
{
	struct lb_lookup *lookups = calloc(plan->count + 1, sizeof(*lookups));
	size_t count = 0;

	if (!lookups)
		return lb_fail_memory(err);
	for (size_t i = 0; i < plan->count; i++) {
		const struct lb_device *device = plan->devices[i];
		if (device->ifindex)
			lookups[count++] = (struct lb_lookup){.ifindex = device->ifindex,
			                                      .also = device->is_bond ? LB_ALSO_SLAVES : 0};
		else if (device->touched) /* created perhaps, and nobody told its index */
			lookups[count++] = (struct lb_lookup){.name = device->name};
	}
	int rc = lb_read_world(handle, lookups, count, 0, now, err);
	free(lookups);
	return rc;
}

/* --- the plan --- */

struct way {
	struct libbond_plan *plan; /* that is undone */
	struct libbond_plan *back;
	bool first;
	bool *later;
};

bool lb_is_another(const struct lb_device *device, const struct libbond_link *link)
{
	if (!device->link)
		return false;
	if (strcmp(libbond_link_kind(link), libbond_link_kind(device->link)) != 0)
		return true;
	return device->erased && strcmp(libbond_link_name(link), device->name) != 0;
}

const struct libbond_link *lb_link_now(const struct libbond_snapshot *now, const struct lb_device *device)
{
	const struct libbond_link *link = device->ifindex ? libbond_snapshot_by_index(now, device->ifindex) : NULL;
	return link && lb_is_another(device, link) ? NULL : link;
}

static bool is_index_taken(const struct way *way, const struct lb_device *device)
{
	return libbond_snapshot_by_index(way->back->before, device->ifindex) != NULL;
}

static const struct libbond_link *link_now(const struct way *way, const struct lb_device *device)
{
	if (device->ifindex)
		return lb_link_now(way->back->before, device);
	const struct libbond_link *named =
		device->touched ? libbond_snapshot_by_name(way->back->before, device->name) : NULL;
	return named && libbond_link_is_bond(named) ? named : NULL;
}

static struct lb_device *twin_of(const struct way *way, const struct lb_device *device)
{
	for (size_t i = 0; device && i < way->plan->count; i++)
		if (way->plan->devices[i] == device)
			return way->back->devices[i];
	return NULL;
}

/* A bond that was deleted is made again under the same index, so that what hung on it finds it. */
static int describe_bond(struct lb_device *twin, const struct libbond_link *then)
{
	static const enum libbond_scope scopes[] = {LIBBOND_SCOPE_BOND, LIBBOND_SCOPE_LINK};
	unsigned mode = (unsigned)lb_link_number_or(then, lb_bond_attr(LB_BOND_MODE), 0);
	int64_t miimon = lb_link_number_or(then, lb_bond_attr(LB_BOND_MIIMON), 0);
	int64_t arp = lb_link_number_or(then, lb_bond_attr(LB_BOND_ARP_INTERVAL), 0);
	int rc = 0;

	for (size_t s = 0; s < 2; s++) {
		const struct libbond_attr *attr = NULL;
		while (rc == 0 && (attr = libbond_attr_next(scopes[s], attr))) {
			struct lb_value value;
			char name[LIBBOND_TEXT_SIZE] = "";
			bool delay = (attr->flags & LIBBOND_ATTR_OF_MIIMON) && miimon == 0;
			bool other = (attr == lb_bond_attr(LB_BOND_MIIMON) && arp) ||
			             (attr == lb_bond_attr(LB_BOND_ARP_INTERVAL) && miimon) ||
			             (attr == lb_bond_attr(LB_BOND_ARP_VALIDATE) && miimon);
			if ((attr->flags & LIBBOND_ATTR_READ_ONLY) || !lb_attr_in_mode(attr->modes, mode) || delay ||
			    other || lb_link_value(then, attr, &value) < 0)
				continue;
			if (attr->type == LIBBOND_TYPE_LINK)
				libbond_link_text(then, attr, name, sizeof(name));
			rc = lb_config_put(twin->work.config, attr, &value, name);
		}
	}
	return rc;
}

/* It is not where our last step has put it: another program has moved it since, and it is left there. Where that is
 * not known, for want of an answer, any other place is another program's. */
static bool is_taken(const struct lb_device *device, const struct libbond_link *now)
{
	unsigned is = now ? libbond_link_master(now) : 0;

	if (!device->moved || !now)
		return false;
	if (!device->unsure)
		return is != device->at;
	return is && is != (device->wanted ? device->wanted->ifindex : 0) &&
	       is != (device->master ? device->master->ifindex : 0);
}

static int add_twin(struct way *way, struct lb_device *device)
{
	const struct libbond_link *now = link_now(way, device);
	struct lb_device *twin = lb_plan_add(way->back, device->name, now);
	struct lb_view view = {way->plan,         device,     now,   twin ? twin->work.config : NULL,
	                       way->plan->report, way->first, false, way->later};

	if (!twin)
		return -ENOMEM;
	device->gone = device->link && !now;
	twin->is_bond = device->is_bond;
	twin->slaves_known = device->slaves_known || device->regrouped;
	twin->ifindex = now ? libbond_link_ifindex(now) : 0;
	if (!device->ifindex)
		device->ifindex = twin->ifindex; /* the kernel had not told it */
	if (!device->touched && !device->regrouped && !device->on && !(device->master && device->master->touched))
		return 0;
	if (way->first)
		device->taken = is_taken(device, now);
	if (device->taken) /* what it had elsewhere is not known */
		return 0;
	if (now && !device->link) {
		twin->deletes = device->creates;
	} else if (!now && device->link && device->erased && !is_index_taken(way, device)) {
		twin->creates = true;
		twin->ifindex = device->ifindex;
		return describe_bond(twin, device->link);
	} else if (now && device->link) {
		return lb_compare_device(&view);
	}
	return 0;
}

/* Slaves that the plan had no business with. */
static int add_others(struct way *way)
{
	for (size_t i = 0; i < way->plan->count; i++) {
		const struct lb_device *twin = way->back->devices[i];
		for (size_t s = 0; twin->link && twin->slaves_known && s < libbond_link_slaves(twin->link); s++)
			if (!lb_plan_device(way->back, libbond_link_slave(twin->link, s)))
				return -ENOMEM;
	}
	return 0;
}

/* Where a device belongs: where it was, if we have moved it and nobody else has since. */
static struct lb_device *place_of(const struct way *way, const struct lb_device *device, const struct lb_device *twin)
{
	return device->moved && !device->taken ? twin_of(way, device->master) : twin->master;
}

static struct lb_device *device_at(const struct libbond_plan *plan, size_t i)
{
	return i < plan->count ? plan->devices[i] : NULL;
}

/* In the order in which they were slaves. */
static int place_slaves(const struct way *way, const struct lb_device *bond, struct lb_device *twin)
{
	int rc = 0;

	for (size_t s = 0; rc == 0 && bond->link && s < libbond_link_slaves(bond->link); s++) {
		unsigned ifindex = libbond_link_ifindex(libbond_link_slave(bond->link, s));
		struct lb_device *slave = lb_plan_find(way->back, ifindex);
		if (slave && slave->wanted == twin && slave->master != twin)
			rc = lb_push(&twin->join, &twin->join_count, slave);
		if (rc == 0 && slave && slave->wanted == twin)
			rc = lb_push(&twin->order, &twin->order_count, slave);
	}
	return rc;
}

/* A slave that another program has put there since stays, and comes last. */
static int place_stranger(struct lb_device *twin)
{
	struct lb_device *bond = twin->wanted;

	if (!bond || bond != twin->master || !bond->order_count)
		return 0;
	for (size_t i = 0; i < bond->order_count; i++)
		if (bond->order[i] == twin)
			return 0;
	return lb_push(&bond->order, &bond->order_count, twin);
}

static int place_all(struct way *way)
{
	struct lb_device *twin, *device;
	int rc = 0;

	for (size_t i = 0; (twin = device_at(way->back, i)); i++) {
		if (!twin->link)
			continue;
		twin->at = libbond_link_master(twin->link);
		twin->master = twin->wanted = lb_plan_find(way->back, twin->at);
	}
	for (size_t i = 0; (device = device_at(way->plan, i)) && (twin = device_at(way->back, i)); i++) {
		if (twin->link)
			twin->wanted = place_of(way, device, twin);
		else if (twin->creates)
			twin->wanted = twin_of(way, device->master);
		if (twin->wanted && (twin->wanted->deletes || !(twin->wanted->link || twin->wanted->creates)))
			twin->wanted = NULL;
	}
	for (size_t i = 0; rc == 0 && (device = device_at(way->plan, i)) && (twin = device_at(way->back, i)); i++)
		rc = place_slaves(way, device, twin);
	for (size_t i = 0; rc == 0 && (twin = device_at(way->back, i)); i++)
		rc = place_stranger(twin);
	return rc;
}

/* Which values force a bond down or empty; one that cannot be set in this state waits for the next pass. */
static void find_disruption(struct lb_device *twin)
{
	struct libbond_error refused;
	struct lb_state state;

	do {
		refused = (struct libbond_error){0};
		state = lb_state_of(twin->link, twin->name, twin->work.config);
		state.slaves = twin->stay_count;
		state.may_cycle = state.undoing = true;
		if (lb_check(&twin->work, &state, NULL, &refused) == 0 || !refused.attr)
			break;
		libbond_config_unset(twin->work.config, refused.attr);
	} while (twin->work.config->count);
	twin->down_for = state.down_for;
	twin->empty_for = state.empty_for;
}

static int add_spoilt(struct libbond_plan *plan, const char *device, const char *text)
{
	size_t *grown = realloc(plan->spoilt, (plan->spoilt_count + 1) * sizeof(*grown));
	size_t line = 0;

	if (!grown)
		return -ENOMEM;
	plan->spoilt = grown;
	if (!plan->report)
		return 0;
	if (lb_report_beside(plan->report, device, "lose", text, &line) < 0)
		return -ENOMEM;
	plan->spoilt[plan->spoilt_count++] = line;
	return 0;
}

/* What other programs have made since, and goes with what the change had made. */
static int find_spoilt(const struct way *way)
{
	struct libbond_plan *plan = way->plan;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < way->back->hanging_count; i++) {
		const struct lb_hanging *hanging = &way->back->hanging[i];
		char text[LB_RECORD_TEXT];
		if (hanging->lost && !lb_record_is_temporary(hanging->record) &&
		    !lb_records_find(&plan->records, hanging->record))
			rc = add_spoilt(plan, lb_plan_find(way->back, hanging->record->ifindex)->name,
			                lb_record_text(hanging->record, text));
	}
	for (size_t i = 0; rc == 0 && i < way->back->count; i++) {
		const struct lb_device *device = way->back->devices[i];
		if (lb_plan_find(plan, device->ifindex))
			continue;
		if (device->on && device->on->deletes)
			rc = add_spoilt(plan, device->name, "device");
		else if (device->master && device->master->deletes)
			rc = add_spoilt(plan, device->name, "its place in the bond");
	}
	return rc;
}

static int make_way(struct libbond *handle, struct way *way, struct libbond_error *err)
{
	int rc = lb_plan_new(&way->back, err);

	if (rc < 0)
		return rc;
	way->back->undoing = true;
	way->back->flags = LIBBOND_PLAN_CYCLE | LIBBOND_PLAN_FORCE | LIBBOND_PLAN_STEAL;
	rc = lb_read_now(handle, way->plan, &way->back->before, err);
	if (rc < 0)
		return rc;
	for (size_t i = 0; rc == 0 && i < way->plan->count; i++)
		rc = add_twin(way, way->plan->devices[i]);
	if (rc == 0)
		rc = add_others(way);
	if (rc == 0)
		rc = place_all(way);
	if (rc == 0)
		rc = lb_sort_slaves(way->back, err);
	if (rc < 0)
		return lb_fail_memory(err);
	for (size_t i = 0; i < way->back->count; i++)
		if (way->back->devices[i]->is_bond && way->back->devices[i]->work.config->count &&
		    !way->back->devices[i]->deletes)
			find_disruption(way->back->devices[i]);
	/* what others have done since a change was done, and going back would cost */
	rc = way->plan->after && way->first ? lb_effects(handle, way->back, err) : 0;
	if (rc == 0 && way->plan->after && way->first)
		rc = find_spoilt(way) < 0 ? lb_fail_memory(err) : 0;
	return rc < 0 ? rc : lb_compose(way->back, err);
}

int lb_plan_back(struct libbond *handle, struct libbond_plan *plan, bool first, struct libbond_plan **back,
                 bool *later, struct libbond_error *err)
{
	struct way way = {.plan = plan, .first = first, .later = later};
	int rc = make_way(handle, &way, err);

	if (rc < 0)
		libbond_plan_free(way.back);
	else
		*back = way.back;
	return rc;
}
