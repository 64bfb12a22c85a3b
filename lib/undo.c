/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Goes back to what was. Sits between run.c, which has done steps, and the planner, which finds the way back as it
 * found the way there: the differences between what is and what was are a plan of their own. So a request that
 * the kernel did half, and what it did along the way, need no cases here.
 *
 * Only what our steps can have touched is put back; what another program has written meanwhile is left and told.
 */
#include <errno.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check.h"
#include "error.h"
#include "exchange.h"
#include "plan.h"
#include "verify.h"

#define PASSES 4        /* what the driver changes while it is put right is put right after */
#define SETTLE_TRIES 30 /* routes may have to wait for an address that is being probed */
#define SETTLE_MS 100

/* --- what our steps can have touched --- */

static bool resets_sent(const struct lb_device *device)
{
	for (size_t i = 0; i < device->sent->count; i++)
		if (device->sent->wants[i].attr->flags & LIBBOND_ATTR_RESETS)
			return true;
	return false;
}

static bool is_touched(const struct lb_device *device, const struct libbond_attr *attr)
{
	unsigned id = libbond_attr_id(attr);
	bool below = device->on && (device->on->touched || device->on->moved);

	if (lb_config_find(device->sent, attr))
		return true;
	switch (libbond_attr_scope(attr)) {
	case LIBBOND_SCOPE_BOND:
		return ((attr->flags & LIBBOND_ATTR_IS_RESET) && resets_sent(device)) ||
		       (device->regrouped && (id == LB_BOND_ACTIVE_SLAVE || id == LB_BOND_FAIL_OVER_MAC));
	case LIBBOND_SCOPE_LINK:
		if (id == LB_IFLA_UP)
			return device->moved || below;
		if (id == LB_IFLA_MTU)
			return device->moved || below;
		return id == LB_IFLA_ADDRESS && (device->moved || device->regrouped);
	default:
		return device->moved;
	}
}

/* --- one device --- */

struct view {
	const struct lb_device *device; /* as it was and what was done */
	const struct libbond_link *now;
	struct libbond_config *wants; /* what must be set to go back */
	struct libbond_report *report;
};

/* The value before. A row that is reported only when set had none where it was not. */
static bool value_before(const struct libbond_link *then, const struct libbond_attr *attr, struct lb_value *value)
{
	memset(value, 0, sizeof(*value));
	if (lb_link_value(then, attr, value) == 0)
		return true;
	return attr->presence == LIBBOND_PRESENT_IF_SET;
}

static bool equal(const struct libbond_attr *attr, const struct lb_value *a, const struct lb_value *b)
{
	return attr->type == LIBBOND_TYPE_LINK ? a->number == b->number : lb_value_equal(attr, a, b);
}

/* Which slave is active, and the addresses that follow it, are the driver's to choose: they are put back only where a
 * step of ours has moved them, and can be. */
static bool is_drivers(const struct view *v, const struct libbond_attr *attr, const struct lb_value *then)
{
	const struct libbond_link *slave;

	if (attr == lb_bond_attr(LB_BOND_ACTIVE_SLAVE)) {
		slave = libbond_snapshot_by_index(lb_link_snapshot(v->now), (unsigned)then->number);
		return then->number == 0 || !slave || !lb_is_usable(slave) ||
		       libbond_link_master(slave) != libbond_link_ifindex(v->now);
	}
	if (attr == lb_link_attr(LB_IFLA_ADDRESS) && libbond_link_master(v->now)) {
		const struct libbond_link *bond =
			libbond_snapshot_by_index(lb_link_snapshot(v->now), libbond_link_master(v->now));
		int64_t mode = bond ? lb_link_number_or(bond, lb_bond_attr(LB_BOND_MODE), 0) : 0;
		return mode == LB_MODE_TLB || mode == LB_MODE_ALB ||
		       (mode == LB_MODE_ACTIVE_BACKUP && bond &&
		        lb_link_number_or(bond, lb_bond_attr(LB_BOND_FAIL_OVER_MAC), 0));
	}
	return false;
}

static int compare_row(struct view *v, const struct libbond_attr *attr)
{
	const struct lb_want *sent = lb_config_find(v->device->sent, attr);
	struct lb_value then, now;
	char name[LIBBOND_TEXT_SIZE] = "";

	if ((attr->flags & (LIBBOND_ATTR_READ_ONLY | LIBBOND_ATTR_CREATE_ONLY)) || !is_touched(v->device, attr) ||
	    !value_before(v->device->link, attr, &then) || !value_before(v->now, attr, &now) ||
	    equal(attr, &then, &now) || is_drivers(v, attr, &then))
		return 0;
	bool cleared = sent && attr->type == LIBBOND_TYPE_LINK && sent->value.number == 0;
	if (sent && !cleared && !equal(attr, &sent->value, &now) && !(attr->flags & LIBBOND_ATTR_IS_RESET)) {
		lb_report_mark(v->report, v->device->name, attr, LIBBOND_OUTCOME_OVERRIDDEN);
		return 0; /* somebody else has written it since */
	}
	if (attr->type == LIBBOND_TYPE_LINK && then.number)
		libbond_link_text(v->device->link, attr, name, sizeof(name));
	return lb_config_put(v->wants, attr, &then, name);
}

static int compare_scope(struct view *v, enum libbond_scope scope)
{
	const struct libbond_attr *attr = NULL;
	int rc = 0;
	while (rc == 0 && (attr = libbond_attr_next(scope, attr)))
		rc = compare_row(v, attr);
	return rc;
}

/* Everything in which a device is not what it was, as far as we can have done it. */
static int compare_device(struct view *v)
{
	int rc = compare_scope(v, LIBBOND_SCOPE_LINK);
	if (rc == 0 && v->device->is_bond)
		rc = compare_scope(v, LIBBOND_SCOPE_BOND);
	if (rc == 0 && libbond_link_master(v->now) == libbond_link_master(v->device->link))
		rc = compare_scope(v, LIBBOND_SCOPE_SLAVE);
	return rc;
}

/* --- reading --- */

static int read_now(struct libbond *handle, const struct libbond_plan *plan, struct libbond_snapshot **now,
                    struct libbond_error *err)
{
	struct lb_lookup *lookups = calloc(plan->count + 1, sizeof(*lookups));
	size_t count = 0;

	if (!lookups)
		return lb_fail_memory(err);
	for (size_t i = 0; i < plan->count; i++) {
		const struct lb_device *device = plan->devices[i];
		if (device->ifindex)
			lookups[count++] = (struct lb_lookup){
				.ifindex = device->ifindex,
				.also = device->is_bond && (device->slaves_known || device->regrouped)
			                        ? LB_ALSO_SLAVES
			                        : 0};
		else if (device->touched) /* created perhaps, and nobody told its index */
			lookups[count++] = (struct lb_lookup){.name = device->name};
	}
	int rc = lb_read_world(handle, lookups, count, 0, now, err);
	free(lookups);
	return rc;
}

/* --- the way back as a plan --- */

struct way {
	struct libbond_plan *plan; /* that is undone */
	struct libbond_plan *back;
};

static const struct libbond_link *link_now(const struct way *way, const struct lb_device *device)
{
	if (device->ifindex)
		return libbond_snapshot_by_index(way->back->before, device->ifindex);
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

static int add_twin(struct way *way, const struct lb_device *device)
{
	const struct libbond_link *now = link_now(way, device);
	struct lb_device *twin = lb_plan_add(way->back, device->name, now);
	struct view view = {device, now, twin ? twin->work.config : NULL, way->plan->report};

	if (!twin)
		return -ENOMEM;
	twin->is_bond = device->is_bond;
	twin->slaves_known = device->slaves_known || device->regrouped;
	twin->ifindex = now ? libbond_link_ifindex(now) : 0;
	if (!device->touched && !device->regrouped && !device->on)
		return 0;
	if (now && !device->link) {
		twin->deletes = device->creates;
	} else if (!now && device->link && device->deletes) {
		twin->creates = true;
		twin->ifindex = device->ifindex;
		return describe_bond(twin, device->link);
	} else if (now && device->link) {
		return compare_device(&view);
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
	struct lb_device *expected = twin_of(way, device->wanted);
	struct lb_device *was = twin_of(way, device->master);

	if (!device->moved && !(device->master && device->master->deletes && device->master->touched))
		return twin->master;
	if (device->moved && twin->master != expected && twin->master != was && twin->master != NULL)
		return twin->master;
	return was;
}

static int join_list(struct lb_device *bond, struct lb_device *slave)
{
	struct lb_device **grown = realloc(bond->join, (bond->join_count + 1) * sizeof(struct lb_device *));
	if (!grown)
		return -ENOMEM;
	bond->join = grown;
	grown[bond->join_count++] = slave;
	return 0;
}

static int place_all(struct way *way)
{
	int rc = 0;

	for (size_t i = 0; i < way->back->count; i++) {
		struct lb_device *twin = way->back->devices[i];
		if (twin->link)
			twin->master = twin->wanted = lb_plan_find(way->back, libbond_link_master(twin->link));
	}
	for (size_t i = 0; i < way->plan->count; i++) {
		struct lb_device *twin = way->back->devices[i];
		if (twin->link)
			twin->wanted = place_of(way, way->plan->devices[i], twin);
		if (twin->wanted && twin->wanted->deletes)
			twin->wanted = NULL;
	}
	/* in the order in which they were slaves */
	for (size_t i = 0; rc == 0 && i < way->plan->count; i++) {
		const struct lb_device *bond = way->plan->devices[i];
		struct lb_device *twin = way->back->devices[i];
		for (size_t s = 0; rc == 0 && bond->link && s < libbond_link_slaves(bond->link); s++) {
			unsigned ifindex = libbond_link_ifindex(libbond_link_slave(bond->link, s));
			struct lb_device *slave = lb_plan_find(way->back, ifindex);
			if (slave && slave->wanted == twin && slave->master != twin)
				rc = join_list(twin, slave);
		}
	}
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
		state.may_cycle = true;
		if (lb_check(&twin->work, &state, NULL, &refused) == 0 || !refused.attr)
			break;
		libbond_config_unset(twin->work.config, refused.attr);
	} while (twin->work.config->count);
	twin->down_for = state.down_for;
	twin->empty_for = state.empty_for;
}

static int make_way(struct libbond *handle, struct way *way, struct libbond_error *err)
{
	int rc = lb_plan_new(&way->back, err);

	if (rc < 0)
		return rc;
	way->back->undoing = true;
	way->back->flags = LIBBOND_PLAN_CYCLE | LIBBOND_PLAN_FORCE | LIBBOND_PLAN_STEAL;
	rc = read_now(handle, way->plan, &way->back->before, err);
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
	return lb_compose(way->back, err);
}

/* --- things that hang on devices --- */

/* Read the records of the devices that have some, as they are now. */
static int read_records(struct libbond *handle, const struct libbond_plan *plan, struct lb_records *now,
                        struct libbond_error *err)
{
	struct lb_record_ask *asks = calloc(plan->records.count + 1, sizeof(*asks));
	size_t count = 0;

	if (!asks)
		return lb_fail_memory(err);
	for (size_t i = 0; i < plan->records.count; i++) {
		const struct lb_record *record = plan->records.records[i];
		size_t at = 0;
		while (at < count && asks[at].ifindex != record->ifindex)
			at++;
		count = at == count ? count + 1 : count;
		asks[at].ifindex = record->ifindex;
		asks[at].classes |= LB_RECORD_BIT(record->class);
	}
	int rc = count ? lb_records_read(handle, asks, count, now, err) : 0;
	free(asks);
	return rc;
}

/* Send what is missing, in the order in which things stand on each other. Returns how many are missing still, or
 * -errno. "wanted" says which. */
static int put_back_missing(struct libbond *handle, struct libbond_plan *plan,
                            bool (*wanted)(const struct libbond_plan *plan, const struct lb_record *record),
                            struct libbond_error *err)
{
	struct libbond_plan sender = {.undoing = true};
	struct lb_records now = {0};
	int missing = 0, rc = read_records(handle, plan, &now, err);

	for (unsigned class = 0; rc == 0 && class < LB_RECORD_CLASSES; class ++)
		for (size_t i = 0; i < plan->records.count; i++) {
			const struct lb_record *record = plan->records.records[i];
			struct lb_device *device = lb_plan_find(plan, record->ifindex);
			if (record->class != class || !device || !wanted(plan, record) ||
			    lb_records_find(&now, record))
				continue;
			struct lb_step step = {
				.kind = LB_STEP_PUT_BACK, .device = device, .bond = device, .record = record};
			sender.steps = &step;
			sender.step_count = 1;
			missing++;
			rc = lb_run_steps(handle, &sender, err);
			if (rc < 0)
				break;
		}
	lb_records_free(&now);
	return rc < 0 ? rc : missing;
}

/* A device that came up with another MAC for a moment has made itself one more link-local address: of those that had
 * one, what is new goes. */
static int drop_extra(struct libbond *handle, const struct libbond_plan *plan, struct libbond_error *err)
{
	struct lb_records now = {0};
	int rc = read_records(handle, plan, &now, err);

	for (size_t i = 0; rc == 0 && i < now.count; i++) {
		const struct lb_record *record = now.records[i];
		struct lb_message message;
		bool had = false;
		if (!lb_record_is_link_local(record) || lb_records_find(&plan->records, record))
			continue;
		for (size_t r = 0; r < plan->records.count; r++)
			had |= plan->records.records[r]->ifindex == record->ifindex &&
			       lb_record_is_link_local(plan->records.records[r]);
		if (!had)
			continue;
		lb_record_message(record, &message);
		message.nlh->nlmsg_type = RTM_DELADDR;
		message.nlh->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
		struct lb_request request = {.nlh = message.nlh};
		rc = lb_exchange(handle, &request, 1, err);
	}
	lb_records_free(&now);
	return rc;
}

/* Until nothing is missing any more; an address that is being probed carries no route yet. */
static int settle_records(struct libbond *handle, struct libbond_plan *plan,
                          bool (*wanted)(const struct libbond_plan *plan, const struct lb_record *record),
                          struct libbond_error *err)
{
	const struct timespec pause = {.tv_nsec = SETTLE_MS * 1000000L};
	int missing = plan->records.count ? put_back_missing(handle, plan, wanted, err) : 0;

	for (int tries = 0; missing > 0 && tries < SETTLE_TRIES; tries++) {
		if (tries)
			nanosleep(&pause, NULL);
		missing = put_back_missing(handle, plan, wanted, err);
	}
	if (missing == 0 && plan->records.count)
		missing = drop_extra(handle, plan, err);
	return missing;
}

/* --- after a success --- */

static bool is_to_be_kept(const struct libbond_plan *plan, const struct lb_record *record)
{
	for (size_t i = 0; i < plan->fate_count; i++)
		if (plan->fates[i].record == record)
			return !plan->fates[i].lost;
	return false;
}

/* What could not be put back is said, thing by thing. */
static int fail_missing(struct libbond *handle, struct libbond_plan *plan, struct libbond_error *err)
{
	struct lb_records now = {0};
	int rc = read_records(handle, plan, &now, err);

	for (size_t i = 0; rc >= 0 && i < plan->fate_count; i++) {
		const struct lb_fate *fate = &plan->fates[i];
		char text[LB_RECORD_TEXT];
		if (fate->lost || lb_records_find(&now, fate->record))
			continue;
		lb_report_mark_line(plan->report, fate->line, LIBBOND_OUTCOME_LOST, "could not be put back");
		rc = lb_fail(err, LIBBOND_CAUSE_REFUSED, EIO, "all is done, but the %s of %s could not be put back",
		             lb_record_text(fate->record, text), lb_plan_find(plan, fate->record->ifindex)->name);
	}
	lb_records_free(&now);
	return rc;
}

/* What was to be put back and is not there, and what was reset without having been foreseen. */
static int missing_row(const struct lb_device *device, const struct libbond_link *now,
                       const struct libbond_attr *attr, struct libbond_config *wants)
{
	const struct lb_want *back = lb_config_find(device->back, attr);
	struct lb_value then, present;

	if (back)
		return lb_verify_holds(back, now) ? 0 : lb_config_put(wants, attr, &back->value, back->link);
	if (!(attr->flags & LIBBOND_ATTR_IS_RESET) || !resets_sent(device) || lb_config_find(device->named, attr) ||
	    lb_config_find(device->lost, attr) || lb_link_value(device->link, attr, &then) < 0 ||
	    lb_link_value(now, attr, &present) < 0 || equal(attr, &then, &present))
		return 0;
	return lb_config_put(wants, attr, &then, "");
}

static int missing_rows(const struct lb_device *device, const struct libbond_link *now, struct libbond_config *wants)
{
	int rc = 0;
	for (unsigned scope = 0; scope < LIBBOND_SCOPES; scope++) {
		const struct libbond_attr *attr = NULL;
		while (rc == 0 && (attr = libbond_attr_next((enum libbond_scope)scope, attr)))
			if (!(attr->flags & LIBBOND_ATTR_READ_ONLY))
				rc = missing_row(device, now, attr, wants);
	}
	return rc;
}

/* A second attempt at what did not hold; what does not then either is said, and nothing is undone for it. */
static int put_back_rows(struct libbond *handle, struct libbond_plan *plan, const struct libbond_snapshot *after,
                         struct libbond_error *err)
{
	struct libbond_plan *extra = NULL;
	int rc = lb_plan_new(&extra, err);

	if (rc < 0)
		return rc;
	extra->undoing = true;
	for (size_t i = 0; rc == 0 && i < plan->count; i++) {
		struct lb_device *device = plan->devices[i];
		const struct libbond_link *now = libbond_snapshot_by_index(after, device->ifindex);
		if (!now || !device->link || !device->touched || device->deletes)
			continue;
		struct lb_device *twin = lb_plan_add(extra, device->name, now);
		rc = twin ? missing_rows(device, now, twin->work.config) : -ENOMEM;
	}
	rc = rc < 0 ? lb_fail_memory(err) : lb_compose(extra, err);
	for (size_t i = 0; rc == 0 && i < extra->step_count; i++) {
		const struct lb_step *step = &extra->steps[i];
		struct libbond_plan one = {.undoing = true, .steps = &extra->steps[i], .step_count = 1};
		struct libbond_error failure = {0};
		if (lb_run_steps(handle, &one, &failure) < 0 && step->config && step->config->count)
			lb_report_note(plan->report, step->device->name, step->config->wants[0].attr,
			               "could not be put back");
	}
	libbond_plan_free(extra);
	return rc;
}

/* The driver may have changed the bond along with its slaves: fail_over_mac, where the first cannot change its
 * address; its own address, which it takes from the first. */
static void note_changes(const struct libbond_plan *plan, const struct libbond_snapshot *after)
{
	for (size_t i = 0; i < plan->count; i++) {
		const struct lb_device *bond = plan->devices[i];
		const struct libbond_link *now = libbond_snapshot_by_index(after, bond->ifindex);
		const struct libbond_attr *attr = NULL;
		const struct lb_device *slave = bond->join_count ? bond->join[0] : NULL;
		char was[LIBBOND_TEXT_SIZE], is[LIBBOND_TEXT_SIZE];
		if (!bond->link || !now || !slave || bond->deletes)
			continue;
		while ((attr = libbond_attr_next(LIBBOND_SCOPE_BOND, attr)))
			if (!(attr->flags & LIBBOND_ATTR_READ_ONLY) && attr->type != LIBBOND_TYPE_LINK &&
			    !lb_config_find(bond->sent, attr) &&
			    libbond_link_text(bond->link, attr, was, sizeof(was)) >= 0 &&
			    libbond_link_text(now, attr, is, sizeof(is)) >= 0 && strcmp(was, is) != 0)
				lb_report_note(plan->report, slave->name, NULL, "%s of %s is now %s, it was %s",
				               attr->name, bond->name, is, was);
	}
}

int lb_settle(struct libbond *handle, struct libbond_plan *plan, const struct libbond_snapshot *after,
              struct libbond_error *err)
{
	int rc = put_back_rows(handle, plan, after, err);

	note_changes(plan, after);
	if (rc == 0 && plan->fate_count) {
		int missing = settle_records(handle, plan, is_to_be_kept, err);
		rc = missing > 0 ? fail_missing(handle, plan, err) : missing;
	}
	return rc;
}

/* --- after a failure, or for want of a confirmation --- */

static bool was_at_stake(const struct libbond_plan *plan, const struct lb_record *record)
{
	const struct lb_device *device = lb_plan_find(plan, record->ifindex);
	bool below = device->on && (device->on->touched || device->on->moved);
	const struct libbond_link *then = device->link;

	return (device->touched || device->moved || below) && then &&
	       (!lb_record_goes_down(record) || (libbond_link_flags(then) & IFF_UP));
}

/* The refusal is looked at again in the light of what is now: which value it was, whether the ground has changed. */
static void explain(const struct libbond_plan *plan, const struct libbond_snapshot *now, struct libbond_error *err)
{
	const struct lb_step *step = plan->refused;
	const struct libbond_link *link = step ? libbond_snapshot_by_index(now, step->device->ifindex) : NULL;

	if (!link || step->kind != LB_STEP_SET)
		return;
	struct lb_work work = {.device = step->device->name, .link = step->device->link, .config = step->config};
	lb_verify_refused(&work, link, plan->report, err);
	if (err->cause == LIBBOND_CAUSE_PERMISSION)
		lb_recheck(step, link, err);
}

/* A row that is still not what it was, as a line of its own. */
static void tell_left(const struct libbond_plan *plan, const struct libbond_plan *back, struct libbond_error *err)
{
	bool told = false;
	for (size_t i = 0; i < back->step_count; i++) {
		const struct lb_step *step = &back->steps[i];
		const struct lb_device *device = lb_plan_find(plan, step->device->ifindex);
		for (size_t w = 0; step->config && w < step->config->count; w++) {
			const struct libbond_attr *attr = step->config->wants[w].attr;
			char now[LIBBOND_TEXT_SIZE] = "?";
			struct lb_want left = {.attr = attr};
			if (step->device->link)
				libbond_link_text(step->device->link, attr, now, sizeof(now));
			if (step->device->link && device && (attr->type != LIBBOND_TYPE_LINK) &&
			    lb_link_value(step->device->link, attr, &left.value) == 0)
				lb_report_value(plan->report, device->name, "lose", device->link, &left);
			lb_report_mark(plan->report, step->device->name, attr, LIBBOND_OUTCOME_LOST);
			lb_report_note(plan->report, step->device->name, attr, "could not be undone");
			if (!told)
				lb_fail_hint(err, "not all of it could be undone: %s of %s is %.64s", attr->name,
				             step->device->name, now);
			told = true;
		}
		if (!told)
			lb_fail_hint(err, "not all of it could be undone: look at %s", step->device->name);
	}
}

static void order_text(const struct libbond_link *bond, char *buf, size_t size)
{
	size_t used = 0;
	buf[0] = '\0';
	for (size_t i = 0; i < libbond_link_slaves(bond) && used < size; i++)
		used += (size_t)snprintf(buf + used, size - used, "%s%s", i ? ", " : "",
		                         libbond_link_name(libbond_link_slave(bond, i)));
}

/* A slave that was out is the last now. */
static void tell_order(const struct libbond_plan *plan, const struct libbond_snapshot *now)
{
	for (size_t i = 0; i < plan->count; i++) {
		const struct lb_device *bond = plan->devices[i];
		const struct libbond_link *link = libbond_snapshot_by_index(now, bond->ifindex);
		char then[LIBBOND_TEXT_SIZE], is[LIBBOND_TEXT_SIZE], text[LIBBOND_TEXT_SIZE + 32];
		size_t line;
		if (!bond->is_bond || !bond->slaves_known || !bond->regrouped || !bond->link || !link)
			continue;
		order_text(bond->link, then, sizeof(then));
		order_text(link, is, sizeof(is));
		if (strcmp(then, is) == 0)
			continue;
		snprintf(text, sizeof(text), "order of its slaves: now %s", is);
		if (lb_report_beside(plan->report, bond->name, "lose", text, &line) == 0)
			lb_report_mark_line(plan->report, line, LIBBOND_OUTCOME_LOST, NULL);
	}
}

/* One pass: 1 if something was done, 0 if nothing is left to do, -errno if nobody can tell. */
static int pass(struct libbond *handle, struct libbond_plan *plan, bool first, bool last, struct libbond_error *err)
{
	struct way way = {.plan = plan};
	struct libbond_error failure = {0};
	int rc = make_way(handle, &way, &failure);
	int done = rc < 0 ? rc : way.back->step_count != 0;

	if (rc == 0 && first)
		explain(plan, way.back->before, err);
	if (done > 0 && last)
		tell_left(plan, way.back, err);
	else if (done > 0)
		lb_run_steps(handle, way.back, &failure);
	if (done == 0)
		tell_order(plan, way.back->before);
	libbond_plan_free(way.back);
	return done;
}

int lb_undo(struct libbond *handle, struct libbond_plan *plan, struct libbond_error *err)
{
	struct libbond_error failure = {0};
	bool undone = false;
	int left = 1, missing = 0;

	for (int i = 0; left > 0 && i < PASSES; i++) {
		left = pass(handle, plan, i == 0, i == PASSES - 1, err);
		undone |= left > 0;
	}
	if (left == 0)
		missing = settle_records(handle, plan, was_at_stake, &failure);
	if (left < 0) {
		lb_fail_hint(err, "what state was left is not known, since it could not be read: %.160s",
		             failure.message);
		return left;
	}
	if (left > 0 || missing != 0) {
		if (missing)
			lb_fail_hint(err, "not all of it could be undone: a route or an address is missing");
		return -EIO;
	}
	err->rolled_back = undone;
	if (undone) {
		lb_report_turn(plan->report, LIBBOND_OUTCOME_APPLIED, LIBBOND_OUTCOME_ROLLED_BACK);
		lb_report_turn(plan->report, LIBBOND_OUTCOME_UNVERIFIED, LIBBOND_OUTCOME_ROLLED_BACK);
	}
	return 0;
}
