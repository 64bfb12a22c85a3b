/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Compares what a look has seen of a device, just before the first step, with what the plan was made for: in what it
 * differs, another program was there in between. Sits between look.c and differ.c, which goes back to what was seen.
 */
#include <errno.h>
#include <stdio.h>

#include "effects.h"
#include "error.h"
#include "run.h"
#include "undo.h"

/* What another program has set is told by its name, as far as it is known. */
static void name_link(const struct libbond_plan *plan, struct lb_want *is)
{
	const struct libbond_link *link = NULL;

	if (is->attr->type == LIBBOND_TYPE_LINK && is->value.number)
		link = libbond_snapshot_by_index(plan->before, (unsigned)is->value.number);
	if (link)
		snprintf(is->link, sizeof(is->link), "%s", libbond_link_name(link));
}

/* The change names the row, and its steps leave another value in it than what was seen. */
static bool is_overwritten(const struct lb_device *device, const struct lb_want *is)
{
	const struct lb_want *named = lb_config_find(device->work.config, is->attr);
	const struct lb_want *last = lb_config_find(device->sent, is->attr);
	return named && last && !lb_same_value(is->attr, &last->value, &is->value);
}

static int fail_overwritten(struct libbond_plan *plan, const struct lb_device *device, const struct lb_want *is,
                            struct libbond_error *err)
{
	char text[LIBBOND_TEXT_SIZE] = "";

	if (lb_tell_foreign(plan->report, device, is) < 0)
		return lb_fail_memory(err);
	lb_want_text(is, text, sizeof(text));
	int rc = lb_fail(err, LIBBOND_CAUSE_OVERRIDDEN, EBUSY,
	                 "%s on %s has been set to %.64s by another program since the change was planned",
	                 is->attr->name, device->name, *text ? text : "nothing");
	lb_fail_attr(err, is->attr);
	lb_fail_device(err, device->name);
	return rc;
}

/* bond_change_mtu(): the slaves have it, too. */
static int pass_on(const struct libbond_plan *plan, const struct lb_device *bond, const struct lb_want *is)
{
	int rc = 0;

	if (!bond->is_bond || is->attr != lb_link_attr(LB_IFLA_MTU))
		return 0;
	for (size_t i = 0; rc == 0 && i < plan->count; i++)
		if (plan->devices[i]->master == bond && plan->devices[i]->link)
			rc = lb_config_put(plan->devices[i]->seen, is->attr, &is->value, "");
	return rc;
}

static bool has_moved(const struct libbond_plan *plan, const struct lb_value *slave)
{
	const struct lb_device *device = lb_plan_find(plan, (unsigned)slave->number);
	return device && device->moved;
}

/* bond_enslave(), __bond_release_one(): the primary goes and comes with the slave. */
static bool came_along(const struct libbond_plan *plan, const struct lb_look *look, const struct libbond_attr *attr,
                       const struct lb_value *then, const struct lb_value *now)
{
	return look->regrouped && attr->type == LIBBOND_TYPE_LINK && (has_moved(plan, then) || has_moved(plan, now));
}

static int judge_row(struct libbond_plan *plan, const struct lb_look *look, const struct libbond_attr *attr,
                     struct libbond_error *err)
{
	struct lb_device *device = look->device;
	struct lb_want is = {.attr = attr};
	struct lb_value then;

	if ((attr->flags & (LIBBOND_ATTR_READ_ONLY | LIBBOND_ATTR_CREATE_ONLY)) || !lb_look_is_free(look, attr) ||
	    !lb_row_value(look->link, attr, &is.value) || lb_moves_by_itself(look->link, attr))
		return 0;
	if (!device->met && !lb_row_value(device->link, attr, &then))
		return 0;
	if (!device->met && lb_same_value(attr, &then, &is.value)) {
		libbond_config_unset(device->seen, attr); /* another look may have found it otherwise */
		return 0;
	}
	if (!device->met && came_along(plan, look, attr, &then, &is.value))
		return 0;
	name_link(plan, &is);
	if (lb_config_put(device->seen, attr, &is.value, is.link) < 0 || pass_on(plan, device, &is) < 0)
		return lb_fail_memory(err);
	if (device->met)
		return 0;
	if (!is_overwritten(device, &is))
		return 0;  /* where the steps cost it all the same, settle-rows.c puts it back */
	if (plan->undoing) /* the next pass goes back to it */
		return lb_tell_foreign(plan->report, device, &is) < 0 ? lb_fail_memory(err) : 0;
	return fail_overwritten(plan, device, &is, err);
}

/* What it has as a slave is only there where it is one. */
static bool is_comparable(const struct lb_look *look, enum libbond_scope scope)
{
	unsigned is = libbond_link_master(look->link);

	return scope != LIBBOND_SCOPE_SLAVE || (is && (look->device->met || is == look->expected));
}

int lb_judge_values(struct libbond_plan *plan, const struct lb_look *look, struct libbond_error *err)
{
	int rc = 0;

	for (unsigned scope = 0; look->link && look->values && scope < LIBBOND_SCOPES; scope++) {
		const struct libbond_attr *attr = NULL;
		if (!is_comparable(look, (enum libbond_scope)scope))
			continue;
		while ((attr = libbond_attr_next((enum libbond_scope)scope, attr))) {
			int one = judge_row(plan, look, attr, rc ? NULL : err);
			rc = rc ? rc : one;
		}
	}
	return rc;
}
