/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Compares devices with what they were, row by row. Sits between back.c and the snapshots.
 *
 * Only what our steps can have touched counts; what another program has written meanwhile is marked and left.
 */
#include <errno.h>
#include <string.h>

#include "link.h"
#include "undo.h"

bool lb_resets_sent(const struct lb_device *device)
{
	for (size_t i = 0; i < device->sent->count; i++)
		if (device->sent->wants[i].attr->flags & LIBBOND_ATTR_RESETS)
			return true;
	return false;
}

/* Whether what we did can have made the driver choose another active slave. */
static bool moves_active(const struct libbond_plan *plan, const struct lb_device *bond)
{
	static const unsigned rows[] = {LB_BOND_PRIMARY, LB_BOND_PRIMARY_RESELECT};
	const struct libbond_attr *up = lb_link_attr(LB_IFLA_UP), *prio = lb_slave_attr(LB_SLAVE_PRIO);

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (lb_config_find(bond->sent, lb_bond_attr(rows[i])))
			return true;
	for (size_t i = 0; i < plan->count; i++) {
		const struct lb_device *slave = plan->devices[i];
		if (slave->master == bond && (lb_config_find(slave->sent, up) || lb_config_find(slave->sent, prio)))
			return true;
	}
	return bond->regrouped || lb_config_find(bond->sent, up) || lb_resets_sent(bond);
}

bool lb_is_touched(const struct libbond_plan *plan, const struct lb_device *device, const struct libbond_attr *attr)
{
	unsigned id = libbond_attr_id(attr);
	const struct lb_device *on = device->on;
	bool below = on && (on->touched || on->moved || (on->master && lb_config_find(on->master->sent, attr)));

	if (lb_config_find(device->sent, attr) || (device->deletes && device->touched)) /* it is made anew */
		return true;
	switch (libbond_attr_scope(attr)) {
	case LIBBOND_SCOPE_BOND:
		return ((attr->flags & LIBBOND_ATTR_IS_RESET) && lb_resets_sent(device)) ||
		       (device->regrouped && id == LB_BOND_FAIL_OVER_MAC) ||
		       (id == LB_BOND_ACTIVE_SLAVE && moves_active(plan, device));
	case LIBBOND_SCOPE_LINK: /* a slave of another type gives its bond that, and the bond's goes to all */
		if (id == LB_IFLA_UP)
			return device->moved || device->regrouped || below;
		return device->moved || device->regrouped || below ||
		       (device->master && lb_config_find(device->master->sent, attr));
	default:
		return device->moved;
	}
}

/* --- one device --- */

bool lb_row_value(const struct libbond_link *link, const struct libbond_attr *attr, struct lb_value *value)
{
	memset(value, 0, sizeof(*value));
	if (lb_link_value(link, attr, value) == 0)
		return true;
	return attr->presence == LIBBOND_PRESENT_IF_SET;
}

/* What a row was before our first step. Of a slave that was somewhere else by then, only what was seen there. */
static bool value_then(const struct lb_view *v, const struct libbond_attr *attr, struct lb_value *value)
{
	const struct lb_want *seen = lb_config_find(v->device->seen, attr);

	if (seen)
		*value = seen->value;
	return seen || (!v->device->met && lb_row_value(v->device->link, attr, value));
}

unsigned lb_master_then(const struct lb_device *device)
{
	if (!device->met)
		return libbond_link_master(device->link);
	return device->master ? device->master->ifindex : 0;
}

bool lb_same_value(const struct libbond_attr *attr, const struct lb_value *a, const struct lb_value *b)
{
	return attr->type == LIBBOND_TYPE_LINK ? a->number == b->number : lb_value_equal(attr, a, b);
}

/* One that had link and has it not yet again comes later. */
static bool can_be_active(const struct lb_view *v, unsigned ifindex)
{
	const struct libbond_link *now = libbond_snapshot_by_index(lb_link_snapshot(v->now), ifindex);
	const struct libbond_link *then = libbond_snapshot_by_index(lb_link_snapshot(v->device->link), ifindex);

	if (!now || libbond_link_master(now) != libbond_link_ifindex(v->now) || (then && !lb_is_usable(then)))
		return false;
	if (!lb_is_usable(now) && v->later)
		*v->later = true;
	return lb_is_usable(now);
}

/* Which slave is active, and the addresses that follow it, are the driver's to choose: they are put back only where a
 * step of ours has moved them, and can be. */
static bool is_drivers(const struct lb_view *v, const struct libbond_attr *attr, const struct lb_value *then)
{
	if (attr == lb_bond_attr(LB_BOND_ACTIVE_SLAVE)) {
		unsigned mode = (unsigned)lb_link_number_or(v->now, lb_bond_attr(LB_BOND_MODE), 0);
		return !lb_attr_in_mode(attr->modes, mode) || !can_be_active(v, (unsigned)then->number);
	}
	if (attr == lb_link_attr(LB_IFLA_ADDRESS) && libbond_link_master(v->now)) {
		const struct libbond_link *bond =
			libbond_snapshot_by_index(lb_link_snapshot(v->now), libbond_link_master(v->now));
		int64_t mode = bond ? lb_link_number_or(bond, lb_bond_attr(LB_BOND_MODE), 0) : 0;
		return mode == LB_MODE_TLB || mode == LB_MODE_ALB || (bond && lb_has_slaves_address(bond));
	}
	return false;
}

/* Whether another value that we sent can have changed the row. */
static bool is_reset_by_ours(const struct lb_device *device, const struct libbond_attr *attr)
{
	for (size_t i = 0; (attr->flags & LIBBOND_ATTR_IS_RESET) && i < device->sent->count; i++)
		if (device->sent->wants[i].attr != attr && (device->sent->wants[i].attr->flags & LIBBOND_ATTR_RESETS))
			return true;
	return false;
}

static bool was_sent(const struct libbond_config *sent, const struct libbond_attr *attr, const struct lb_value *now)
{
	const struct lb_want *want = lb_config_find(sent, attr);
	return want && lb_same_value(attr, &want->value, now);
}

/* Neither what was nor what we sent: somebody else's. But not where what we did makes the driver change it as well.
 */
static bool is_foreign(const struct lb_device *device, const struct libbond_attr *attr, const struct lb_value *now)
{
	const struct lb_want *last = lb_config_find(device->sent, attr);
	bool drivers = device->moved || device->on || is_reset_by_ours(device, attr) ||
	               lb_config_find(device->refused, attr) ||
	               (device->regrouped && (libbond_attr_scope(attr) == LIBBOND_SCOPE_LINK ||
	                                      attr == lb_bond_attr(LB_BOND_FAIL_OVER_MAC))) ||
	               /* cleared, chosen anew; a primary that is no slave yet is not reported */
	               (last && attr->type == LIBBOND_TYPE_LINK && (last->value.number == 0 || now->number == 0));

	return last && !drivers && !was_sent(device->sent, attr, now) && !was_sent(device->sent_before, attr, now);
}

/* What the driver changes by itself, whatever was sent. */
static bool follows_others(const struct libbond_attr *attr)
{
	bool link = libbond_attr_scope(attr) == LIBBOND_SCOPE_LINK && attr != lb_link_attr(LB_IFLA_TXQLEN);
	return link || attr->type == LIBBOND_TYPE_LINK || attr == lb_bond_attr(LB_BOND_FAIL_OVER_MAC);
}

bool lb_stays_as_sent(const struct libbond_config *sent, const struct lb_want *value)
{
	const struct lb_want *last = lb_config_find(sent, value->attr);

	if (!last || !lb_same_value(value->attr, &last->value, &value->value) || follows_others(value->attr))
		return false;
	/* the driver takes what is sent in its own order */
	for (size_t i = 0; (value->attr->flags & LIBBOND_ATTR_IS_RESET) && i < sent->count; i++)
		if ((sent->wants[i].attr->flags & LIBBOND_ATTR_RESETS) &&
		    sent->wants[i].attr->order > value->attr->order)
			return false;
	return true;
}

void lb_note_holds(struct lb_device *device, const struct libbond_attr *attr, const struct lb_value *value)
{
	if (!follows_others(attr))
		(void)lb_config_put(device->returned, attr, value, ""); /* without memory less is known */
}

bool lb_has_slaves_address(const struct libbond_link *bond)
{
	return lb_link_number_or(bond, lb_bond_attr(LB_BOND_MODE), 0) == LB_MODE_ACTIVE_BACKUP &&
	       lb_link_number_or(bond, lb_bond_attr(LB_BOND_FAIL_OVER_MAC), 0);
}

bool lb_moves_by_itself(const struct libbond_link *link, const struct libbond_attr *attr)
{
	bool address = attr == lb_link_attr(LB_IFLA_ADDRESS);
	return attr == lb_bond_attr(LB_BOND_ACTIVE_SLAVE) ||
	       (address &&
	        (libbond_link_master(link) || (libbond_link_is_bond(link) && lb_has_slaves_address(link))));
}

/* Of a change that was done it is known how it left a row: what is another now is somebody else's. */
static bool is_foreign_since(const struct lb_view *v, const struct libbond_attr *attr, const struct lb_value *now)
{
	const struct lb_device *device = v->device;
	bool deleted = device->deletes || (device->master && device->master->deletes); /* which comes after that */
	const struct libbond_link *left =
		v->plan->after && !deleted ? libbond_snapshot_by_index(v->plan->after, device->ifindex) : NULL;
	struct lb_value then;

	return left && lb_row_value(left, attr, &then) && !lb_same_value(attr, &then, now);
}

static bool is_ours(const struct libbond_plan *plan, const struct libbond_link *slave)
{
	const struct lb_device *device = lb_plan_find(plan, libbond_link_ifindex(slave));
	return device && device->moved;
}

/* A bond that had no slave, and took one's address from it, had a random one, and has again: to set the old one would
 * keep the next slave from giving it its own. */
static bool had_no_slave(const struct lb_view *v)
{
	size_t others = 0;

	if (v->device->slaves_known)
		return libbond_link_slaves(v->device->link) == 0;
	for (size_t i = 0; i < libbond_link_slaves(v->now); i++)
		others += !is_ours(v->plan, libbond_link_slave(v->now, i));
	return others == 0;
}

/* Whether the change makes fail_over_mac count; not that the driver has set it, for a slave without an address. */
static bool gets_slaves_address(const struct lb_view *v)
{
	const struct libbond_attr *attr = lb_bond_attr(LB_BOND_FAIL_OVER_MAC);
	bool wanted = lb_link_number_or(v->device->link, attr, 0) || lb_config_find(v->device->sent, attr);
	return wanted && lb_has_slaves_address(v->now) && !lb_has_slaves_address(v->device->link);
}

static bool is_random(const struct lb_view *v, const struct libbond_attr *attr)
{
	if (attr != lb_link_attr(LB_IFLA_ADDRESS) || !v->device->is_bond)
		return false;
	/* one that was set is still there when the first slave is, unless fail_over_mac has come upon it; it goes
	 * only with the last, on the way back */
	if (v->first)
		v->device->random = v->device->regrouped && !lb_config_find(v->device->sent, attr) &&
		                    had_no_slave(v) && !gets_slaves_address(v);
	return v->device->random;
}

/* What a slave has from its bond is judged once it is one again: set before, it would be its own. */
static bool is_to_join(const struct lb_view *v, const struct libbond_attr *attr)
{
	unsigned was = lb_master_then(v->device);
	return !v->telling && was && was != libbond_link_master(v->now) &&
	       libbond_attr_scope(attr) == LIBBOND_SCOPE_LINK && attr != lb_link_attr(LB_IFLA_TXQLEN);
}

int lb_tell_foreign(struct libbond_report *report, const struct lb_device *device, const struct lb_want *now)
{
	int rc = 0;

	if (!lb_report_has(report, device->name, now->attr)) { /* the change did not name it */
		rc = lb_report_value(report, device->name, "lose", device->link, now);
		lb_report_note(report, device->name, now->attr, "another program has set it since");
	}
	lb_report_mark(report, device->name, now->attr, LIBBOND_OUTCOME_OVERRIDDEN);
	return rc;
}

/* The name of the device that a row names, or "". */
static void link_name(const struct libbond_link *link, const struct libbond_attr *attr, char *name, size_t size)
{
	if (attr->type == LIBBOND_TYPE_LINK && lb_link_number_or(link, attr, 0))
		libbond_link_text(link, attr, name, size);
}

/* Somebody else has written it since. */
static bool is_written(const struct lb_view *v, const struct libbond_attr *attr, const struct lb_value *now)
{
	if (!v->first)
		return lb_config_find(v->device->returned, attr);
	if (v->plan->after && lb_moves_by_itself(v->now, attr))
		return false;
	return is_foreign(v->device, attr, now) || is_foreign_since(v, attr, now);
}

/* Whether that it is another now is to be put right now. */
static bool is_ours_to_mend(struct lb_view *v, const struct libbond_attr *attr, const struct lb_value *then,
                            const struct lb_value *now)
{
	bool other_type = attr->type == LIBBOND_TYPE_MAC && then->count != now->count;
	return !(is_drivers(v, attr, then) || other_type || is_random(v, attr) || is_to_join(v, attr));
}

static int compare_row(struct lb_view *v, const struct libbond_attr *attr)
{
	struct lb_value then, now;
	struct lb_want is = {.attr = attr};
	char name[LIBBOND_TEXT_SIZE] = "";

	if ((attr->flags & (LIBBOND_ATTR_READ_ONLY | LIBBOND_ATTR_CREATE_ONLY)) ||
	    !lb_is_touched(v->plan, v->device, attr) || !value_then(v, attr, &then) ||
	    !lb_row_value(v->now, attr, &now))
		return 0;
	if (lb_same_value(attr, &then, &now)) { /* who changes it from now on is another */
		lb_note_holds(v->device, attr, &then);
		return 0;
	}
	if (!is_ours_to_mend(v, attr, &then, &now))
		return 0;
	if (is_written(v, attr, &now) && lb_config_put(v->device->foreign, attr, &now, "") < 0)
		return -ENOMEM;
	if (lb_config_find(v->device->foreign, attr)) {
		is.value = now;
		link_name(v->now, attr, is.link, sizeof(is.link));
		return lb_tell_foreign(v->report, v->device, &is);
	}
	const struct lb_want *seen = lb_config_find(v->device->seen, attr);
	if (!seen)
		link_name(v->device->link, attr, name, sizeof(name));
	return lb_config_put(v->wants, attr, &then, seen ? seen->link : name);
}

static int compare_scope(struct lb_view *v, enum libbond_scope scope)
{
	const struct libbond_attr *attr = NULL;
	int rc = 0;
	while (rc == 0 && (attr = libbond_attr_next(scope, attr)))
		rc = compare_row(v, attr);
	return rc;
}

/* Everything in which a device is not what it was, as far as we can have done it. */
int lb_compare_device(struct lb_view *v)
{
	int rc = compare_scope(v, LIBBOND_SCOPE_LINK);
	if (rc == 0 && v->device->is_bond)
		rc = compare_scope(v, LIBBOND_SCOPE_BOND);
	if (rc == 0 && libbond_link_master(v->now) == lb_master_then(v->device))
		rc = compare_scope(v, LIBBOND_SCOPE_SLAVE);
	return rc;
}
