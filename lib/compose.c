/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Puts the steps in the order that works and disrupts least. Sits between the plan's devices, which say what is
 * wanted and what must be put back, and run.c; talks to nobody.
 *
 * A bond that may stay as it is: its options; those who join; the slaves' options; what needs the new slaves (the
 * active one); the traffic off those who leave; they leave; up. A bond that must go down, or lose its slaves for a
 * moment: all of that between "down" and "up", in one datagram, so that nothing comes in between: not even the end of
 * this process. Bonds are deleted last, since that cannot be undone in full.
 */
#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "steps.h"

/* How long a slave that joins may take until those in whose place it comes leave. */
#define READY_MS 10000
/* How long a VLAN device may take to come up with what it is on. */
#define RISE_MS 250

/* --- slaves --- */

int lb_sort_slaves(struct libbond_plan *plan, struct libbond_error *err)
{
	for (size_t i = 0; i < plan->count; i++) {
		struct lb_device *bond = plan->devices[i];
		size_t joining = 0;
		if (!bond->is_bond)
			continue;
		for (size_t s = 0; s < bond->join_count; s++) /* until now: all that were named */
			if (bond->join[s]->master != bond)
				bond->join[joining++] = bond->join[s];
		bond->join_count = joining;
		bond->stay_count = bond->leave_count = 0;
		for (size_t s = 0; bond->link && bond->slaves_known && s < libbond_link_slaves(bond->link); s++) {
			struct lb_device *slave =
				lb_plan_find(plan, libbond_link_ifindex(libbond_link_slave(bond->link, s)));
			int rc = slave->wanted == bond ? lb_push(&bond->stay, &bond->stay_count, slave)
			                               : lb_push(&bond->leave, &bond->leave_count, slave);
			if (rc < 0)
				return lb_fail_memory(err);
		}
	}
	return 0;
}

/* A bond that must lose its slaves before its options, though none of them comes back. */
bool lb_must_empty(const struct lb_device *bond)
{
	for (size_t i = 0; i < bond->work.config->count; i++)
		if (bond->work.config->wants[i].attr->flags & LIBBOND_ATTR_NEEDS_EMPTY)
			return bond->leave_count != 0;
	return false;
}

struct lb_device *lb_active_slave(const struct libbond_plan *plan, const struct lb_device *bond)
{
	int64_t active = bond->link ? lb_link_number_or(bond->link, lb_bond_attr(LB_BOND_ACTIVE_SLAVE), 0) : 0;
	return lb_plan_find(plan, (unsigned)active);
}

struct lb_device *lb_first_open(const struct lb_device *bond)
{
	for (size_t i = 0; i < bond->join_count; i++) {
		const struct lb_want *up = lb_config_find(bond->join[i]->work.config, lb_link_attr(LB_IFLA_UP));
		if (!up || up->value.number)
			return bond->join[i];
	}
	return NULL;
}

void lb_ask_to_wait(struct libbond_plan *plan)
{
	for (size_t i = 0; i < plan->count; i++) {
		struct lb_device *bond = plan->devices[i];
		bool up = bond->link && (libbond_link_flags(bond->link) & IFF_UP);
		struct lb_device *first = bond->is_bond && up ? lb_first_open(bond) : NULL;
		if (first && !bond->deletes && !(plan->flags & LIBBOND_PLAN_FORCE) &&
		    lb_count_usable(bond->leave, bond->leave_count) && !lb_count_staying(bond) && !first->replaces)
			first->wait_ms = READY_MS;
	}
}

/* Whose number is not the device's before it is a slave; of a bond to be, what cannot be given on the way. */
static bool is_late(const struct lb_composer *c, const struct lb_want *want)
{
	const struct lb_device *slave =
		want->attr->type == LIBBOND_TYPE_LINK ? lb_plan_find(c->plan, (unsigned)want->value.number) : NULL;
	if (c->bond->creates)
		return !(want->attr->flags & LIBBOND_ATTR_ON_CREATE);
	if (libbond_attr_scope(want->attr) == LIBBOND_SCOPE_LINK && want->attr != lb_link_attr(LB_IFLA_UP) &&
	    lb_changes_type(c->bond))
		return true; /* the first slave's type resets it */
	return want->attr == lb_bond_attr(LB_BOND_ACTIVE_SLAVE) ||
	       (slave && slave->wanted == c->bond && (slave->master != c->bond || c->bond->empty_for));
}

/* The active slave that is put back: the driver may have none to go on from yet, and chooses itself then. */
static bool is_choice(const struct lb_composer *c, const struct lb_want *want)
{
	return want->attr == lb_bond_attr(LB_BOND_ACTIVE_SLAVE) && !lb_config_find(c->bond->work.config, want->attr);
}

/* --- one device --- */

/* Delays that end with MII monitoring are taken back first, as long as they can be. */
static bool is_ending_delay(const struct lb_composer *c, const struct lb_want *want)
{
	return (want->attr->flags & LIBBOND_ATTR_OF_MIIMON) && c->bond->link && want->value.number == 0;
}

/* What only the mode takes that the bond leaves: before it. */
static bool is_of_old_mode(const struct lb_composer *c, const struct lb_want *want)
{
	const struct libbond_attr *attr = lb_bond_attr(LB_BOND_MODE);
	const struct lb_want *mode = lb_config_find(c->bond->work.config, attr);

	return mode && c->bond->link && libbond_attr_scope(want->attr) == LIBBOND_SCOPE_BOND &&
	       !lb_attr_in_mode(want->attr->modes, (unsigned)mode->value.number) &&
	       lb_attr_in_mode(want->attr->modes, (unsigned)lb_link_number_or(c->bond->link, attr, 0));
}

static void set_options(struct lb_composer *c, struct libbond_config *config)
{
	if (config)
		lb_step_config(c, LB_STEP_SET, c->bond, lb_split(config, is_of_old_mode, c));
	const struct lb_want *miimon = config ? lb_config_find(config, lb_bond_attr(LB_BOND_MIIMON)) : NULL;
	if (miimon && miimon->value.number == 0)
		lb_step_config(c, LB_STEP_SET, c->bond, lb_split(config, is_ending_delay, c));
	lb_step_config(c, LB_STEP_SET, c->bond, config);
}

static void release(struct lb_composer *c, struct lb_device *slave)
{
	struct lb_step *step = slave->out ? NULL : lb_step_add(c, LB_STEP_RELEASE, slave);
	if (step)
		step->bond = slave->master;
	slave->out = true;
}

/* The driver takes no device that is up; a bond has closed the slave that it released. */
static void join(struct lb_composer *c, struct lb_device *slave)
{
	bool together = c->together, up = libbond_link_flags(slave->link) & IFF_UP;

	c->together = true;
	if (slave->master) {
		release(c, slave);
		up &= !slave->master->is_bond;
	}
	if (up && slave->wanted->is_bond)
		lb_step_add(c, LB_STEP_DOWN, slave);
	c->together = together;
	struct lb_step *step = lb_step_add(c, LB_STEP_ENSLAVE, slave);
	if (step)
		step->bond = slave->wanted;
}

/* --- a bond's steps, part by part --- */

/* Records that are to be put back and hang on a device. */
static void put_back(struct lb_composer *c, struct lb_device *device)
{
	for (unsigned class = 0; class < LB_RECORD_CLASSES; class ++)
		for (size_t i = 0; i < c->plan->hanging_count; i++) {
			const struct lb_hanging *hanging =
				&c->plan->hanging[lb_in_order(class, i, c->plan->hanging_count)];
			if (hanging->lost || hanging->record->class != class ||
			    hanging->record->ifindex != device->ifindex)
				continue;
			struct lb_step *step = lb_step_add(c, LB_STEP_PUT_BACK, device);
			if (!step)
				return;
			step->record = hanging->record;
			lb_record_text(hanging->record, step->text);
		}
}

static void part(struct lb_composer *c)
{
	if (c->plan->step_count)
		c->plan->steps[c->plan->step_count - 1].with_next = false;
}

/* VLAN devices come up with what they are on, since Linux 7 some time later: those that were down go down again, the
 * rest gets back what it lost. */
static void settle_upper(struct lb_composer *c, struct lb_device *upper)
{
	size_t first = c->plan->step_count;

	upper->placed = true;
	part(c);
	lb_step_config(c, LB_STEP_SET, upper, lb_all_of(upper));
	put_back(c, upper);
	part(c);
	if (c->rc == 0 && c->plan->step_count > first)
		c->plan->steps[first].wait_ms = RISE_MS;
}

static void settle(struct lb_composer *c, struct lb_device *device)
{
	put_back(c, device);
	for (size_t i = 0; i < c->plan->count; i++)
		if (c->plan->devices[i]->on == device && !c->plan->devices[i]->placed)
			settle_upper(c, c->plan->devices[i]);
}

/* One that is nobody's slave afterwards. */
static void free_slave(struct lb_composer *c, struct lb_device *slave)
{
	slave->placed = true;
	lb_step_config(c, LB_STEP_SET, slave, lb_all_of(slave));
	settle(c, slave);
}

static void put_up(struct lb_composer *c, struct libbond_config *config, int64_t up)
{
	const struct lb_value value = {.count = 1, .number = up};
	if (config && lb_config_put(config, lb_link_attr(LB_IFLA_UP), &value, "") < 0)
		c->rc = -ENOMEM;
}

/* Between down and up, in one datagram. */
static void compose_disrupted(struct lb_composer *c, struct libbond_config *early, struct libbond_config *late)
{
	struct lb_device *bond = c->bond;
	const struct lb_want *wanted = early ? lb_config_find(early, lb_link_attr(LB_IFLA_UP)) : NULL;
	bool up = bond->link && (libbond_link_flags(bond->link) & IFF_UP);
	bool down = up && (bond->down_for || (wanted && !wanted->value.number));

	c->together = bond->leaves_first = true;
	if (down)
		lb_step_add(c, LB_STEP_DOWN, bond);
	if (wanted && wanted->value.number)
		put_up(c, late, 1);
	if (wanted)
		libbond_config_unset(early, wanted->attr);
	for (size_t i = 0; i < bond->leave_count; i++)
		release(c, bond->leave[i]);
	for (size_t i = 0; bond->empty_for && i < bond->stay_count; i++)
		lb_step_add(c, LB_STEP_RELEASE, bond->stay[i]);
	set_options(c, early);
	if (bond->empty_for && bond->order_count) {
		for (size_t i = 0; i < bond->order_count; i++)
			bond->order[i]->master == bond ? (void)lb_step_add(c, LB_STEP_ENSLAVE, bond->order[i])
						       : join(c, bond->order[i]);
	} else {
		for (size_t i = 0; bond->empty_for && i < bond->stay_count; i++)
			lb_step_add(c, LB_STEP_ENSLAVE, bond->stay[i]);
		for (size_t i = 0; i < bond->join_count; i++)
			join(c, bond->join[i]);
	}
	lb_set_slaves(c);
	if (down && bond->down_for)
		put_up(c, late, 1);
	struct libbond_config *up_again = late ? lb_split(late, lb_is_up_flag, c) : NULL;
	struct libbond_config *chosen = late ? lb_split(late, is_choice, c) : NULL;
	/* apart, so that what is refused does not leave the bond down */
	lb_step_config(c, LB_STEP_SET, bond, late);
	lb_step_config(c, LB_STEP_SET, bond, up_again);
	lb_step_optional(c, bond, chosen);
	settle(c, bond);
	for (size_t i = 0; i < bond->stay_count; i++)
		settle(c, bond->stay[i]);
	for (size_t i = 0; i < bond->join_count; i++)
		settle(c, bond->join[i]);
	for (size_t i = 0; i < bond->leave_count; i++)
		if (!bond->leave[i]->wanted)
			free_slave(c, bond->leave[i]);
	c->together = false;
	part(c);
	lb_set_addresses(c);
}

/* The best of those that stay: the primary, else the highest prio, else the first (bond_choose_primary_or_current()).
 */
const struct lb_device *lb_successor(const struct lb_device *bond)
{
	const struct libbond_attr *prio = lb_slave_attr(LB_SLAVE_PRIO);
	int64_t primary = lb_link_number_or(bond->link, lb_bond_attr(LB_BOND_PRIMARY), 0);
	const struct lb_device *best = NULL;

	for (size_t i = 0; i < bond->stay_count; i++) {
		const struct lb_device *slave = bond->stay[i];
		if (!lb_stays_usable(slave))
			continue;
		if (slave->ifindex == primary)
			return slave;
		if (!best || lb_link_number_or(slave->link, prio, 0) > lb_link_number_or(best->link, prio, 0))
			best = slave;
	}
	/* or one that has just been waited for */
	for (size_t i = 0; !best && i < bond->join_count; i++)
		best = bond->join[i]->wait_ms ? bond->join[i] : NULL;
	return best;
}

/* Traffic moves before its slave leaves, not because of it. */
static void hand_over(struct lb_composer *c)
{
	const struct lb_device *active = lb_active_slave(c->plan, c->bond);
	const struct lb_device *next = active && active->wanted != c->bond ? lb_successor(c->bond) : NULL;

	if (!next)
		return;
	struct libbond_config *config = lb_one_value(lb_bond_attr(LB_BOND_ACTIVE_SLAVE), next->ifindex, next->name);
	/* who may leave without a successor does so where that one has left meanwhile */
	if (c->plan->flags & LIBBOND_PLAN_FORCE)
		lb_step_optional(c, c->bond, config);
	else
		lb_step_config(c, LB_STEP_SET, c->bond, config);
}

static void wait_for_joined(struct lb_composer *c)
{
	const struct lb_device *bond = c->bond;
	bool up = bond->link && (libbond_link_flags(bond->link) & IFF_UP);

	for (size_t i = 0; i < bond->join_count; i++) {
		struct lb_device *slave = bond->join[i];
		struct lb_step *step = slave->wait_ms && up ? lb_step_add(c, LB_STEP_WAIT, slave) : NULL;
		if (step)
			step->wait_ms = slave->wait_ms;
	}
}

static void let_leave(struct lb_composer *c, bool active_is_set)
{
	struct lb_device *bond = c->bond;

	bool empties = bond->stay_count + bond->join_count == 0;

	if (!active_is_set)
		hand_over(c);
	for (size_t i = 0; i < bond->leave_count; i++) {
		struct lb_device *slave = bond->leave[i];
		/* its new bond takes it; but not if something here waits for it */
		if (slave->wanted && !empties && !lb_is_awaited(bond, slave))
			continue;
		release(c, slave);
		if (!slave->wanted)
			free_slave(c, slave);
	}
}

static bool needs_down(const struct libbond_config *config)
{
	for (size_t i = 0; i < config->count; i++)
		if (config->wants[i].attr->flags & LIBBOND_ATTR_NEEDS_DOWN)
			return true;
	return false;
}

/* Up comes last, since slaves that join a bond that is down are ready sooner in 802.3ad; down comes first where an
 * option needs it; otherwise it goes along with the options. */
static void place_up(struct lb_composer *c, struct libbond_config *early, struct libbond_config *late)
{
	const struct lb_device *bond = c->bond;
	const struct lb_want *up = lb_config_find(early, lb_link_attr(LB_IFLA_UP));
	bool is_up = bond->link && (libbond_link_flags(bond->link) & IFF_UP);

	if (!up)
		return;
	bool down_first = !up->value.number && is_up && needs_down(early);
	if (!down_first && !bond->creates && (!up->value.number || !(bond->join_count || late->count)))
		return;
	if (down_first)
		lb_step_add(c, LB_STEP_DOWN, c->bond);
	else
		put_up(c, late, up->value.number);
	libbond_config_unset(early, lb_link_attr(LB_IFLA_UP));
}

/* The address that a bond loses with its last slave is set when that has left. */
static bool is_lost_address(const struct lb_composer *c, const struct lb_want *want)
{
	return want->attr == lb_link_attr(LB_IFLA_ADDRESS) && c->bond->leave_count &&
	       c->bond->stay_count + c->bond->join_count == 0;
}

static void compose_live(struct lb_composer *c, struct libbond_config *early, struct libbond_config *late)
{
	struct lb_device *bond = c->bond;
	struct libbond_config *after = early ? lb_split(early, is_lost_address, c) : NULL;
	bool active_is_set = late && lb_config_find(late, lb_bond_attr(LB_BOND_ACTIVE_SLAVE));

	if (early && late)
		place_up(c, early, late);
	if (bond->creates)
		lb_step_config(c, LB_STEP_CREATE, bond, early);
	else
		set_options(c, early);
	for (size_t i = 0; i < bond->join_count; i++) {
		join(c, bond->join[i]);
		settle(c, bond->join[i]);
	}
	lb_set_slaves(c);
	wait_for_joined(c);
	lb_step_config(c, LB_STEP_SET, bond, late);
	let_leave(c, active_is_set);
	lb_step_config(c, LB_STEP_SET, bond, after);
	lb_set_queues(c);
	settle(c, bond);
}

/* --- the whole --- */

static void compose_bond(struct lb_composer *c, struct lb_device *bond)
{
	bool disrupted = bond->down_for || bond->empty_for || lb_must_empty(bond);
	struct libbond_config *early, *late;

	c->bond = bond;
	c->disruption = bond->empty_for ? LIBBOND_SLAVES_OUT : bond->down_for ? LIBBOND_BOND_DOWN : LIBBOND_LIVE;
	c->because = bond->empty_for ? bond->empty_for : bond->down_for;
	c->plan->disrupts |= c->disruption != LIBBOND_LIVE;
	bond->placed = true;
	early = lb_all_of(bond);
	late = early ? lb_split(early, is_late, c) : NULL;
	if (disrupted)
		compose_disrupted(c, early, late);
	else
		compose_live(c, early, late);
	c->disruption = LIBBOND_LIVE;
	c->because = NULL;
}

/* Slaves of a bond that goes are released by the driver, but for those that something else is to become of. */
static void empty_deleted(struct lb_composer *c, struct lb_device *bond)
{
	c->bond = bond;
	for (size_t i = 0; i < bond->leave_count; i++) {
		struct lb_device *slave = bond->leave[i];
		if (slave->wanted || slave->out || !(slave->work.config->count || slave->back->count))
			continue;
		release(c, slave);
		free_slave(c, slave);
	}
}

/* Devices that are of no bond of the change: what undoing gives back to them. */
static void compose_others(struct lb_composer *c)
{
	for (size_t i = 0; i < c->plan->count; i++) {
		struct lb_device *device = c->plan->devices[i];
		if (device->placed || device->is_bond)
			continue;
		c->bond = device->wanted ? device->wanted : device->master ? device->master : device;
		if (device->wanted && device->wanted != device->master)
			join(c, device);
		free_slave(c, device);
	}
}

int lb_compose(struct libbond_plan *plan, struct libbond_error *err)
{
	struct lb_composer c = {.plan = plan};

	for (size_t i = 0; i < plan->count; i++)
		if (plan->devices[i]->is_bond && !plan->devices[i]->deletes)
			compose_bond(&c, plan->devices[i]);
	for (size_t i = 0; i < plan->count; i++)
		if (plan->devices[i]->deletes)
			empty_deleted(&c, plan->devices[i]);
	compose_others(&c);
	for (size_t i = 0; i < plan->count; i++) { /* a bond that is made again goes back to its own master */
		struct lb_device *bond = plan->devices[i];
		struct lb_step *step = bond->creates && bond->wanted ? lb_step_add(&c, LB_STEP_ENSLAVE, bond) : NULL;
		if (step)
			step->bond = bond->wanted;
	}
	for (size_t i = 0; i < plan->count; i++) {
		c.bond = plan->devices[i];
		if (c.bond->deletes)
			lb_step_add(&c, LB_STEP_DELETE, c.bond);
	}
	return c.rc < 0 ? lb_fail_memory(err) : 0;
}
