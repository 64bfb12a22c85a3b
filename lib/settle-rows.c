/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * After a success: the values that the steps have cost are put back, once more where they did not stay, and what
 * another program had set before; what it has set after our last step stays. Sits between settle.c and run.c.
 */
#include <errno.h>
#include <time.h>

#include "effects.h"
#include "error.h"
#include "undo.h"
#include "verify.h"

/* What it has as a slave, and its MAC address and MTU, are decided by where it is: they stay where it does. */
static bool is_kept(const struct libbond_plan *plan, const struct lb_device *device, const struct libbond_attr *attr)
{
	bool own = device->is_bond || attr == lb_link_attr(LB_IFLA_TXQLEN);
	return lb_is_touched(plan, device, attr) && (own || device->master == device->wanted);
}

static bool is_in_mode(const struct lb_device *device, const struct libbond_attr *attr)
{
	const struct lb_device *bond = device->is_bond ? device : device->wanted;
	return !bond || lb_attr_in_mode(attr->modes, (unsigned)lb_final(bond, lb_bond_attr(LB_BOND_MODE)));
}

/* What another program had set just before the steps, and they have cost, is put back as well; where the mode does
 * not have it any more that is said. */
static int keep_seen(const struct libbond_plan *plan, const struct lb_device *device, const struct lb_want *seen)
{
	const char *note = "another program has set it since the change was planned";
	int rc;

	if (is_in_mode(device, seen->attr)) {
		rc = lb_config_put(device->back, seen->attr, &seen->value, seen->link);
		rc = rc < 0 ? rc : lb_report_value(plan->report, device->name, "put_back", device->link, seen);
		lb_report_mark_action(plan->report, device->name, seen->attr, "put_back", LIBBOND_OUTCOME_APPLIED);
	} else {
		rc = lb_report_value(plan->report, device->name, "lose", device->link, seen);
		note = "another program has set it since the change was planned, and this mode does not have it";
	}
	lb_report_note(plan->report, device->name, seen->attr, "%s", note);
	return rc;
}

static int keep_all_seen(const struct libbond_plan *plan)
{
	int rc = 0;

	for (size_t i = 0; i < plan->count; i++) {
		const struct lb_device *device = plan->devices[i];
		const struct libbond_link *now = libbond_snapshot_by_index(plan->after, device->ifindex);
		for (size_t w = 0; rc == 0 && now && device->link && w < device->seen->count; w++) {
			const struct lb_want *seen = &device->seen->wants[w];
			if (!lb_config_find(device->work.config, seen->attr) && is_kept(plan, device, seen->attr) &&
			    !lb_verify_holds(seen, now))
				rc = keep_seen(plan, device, seen);
		}
	}
	return rc;
}

/* What our step has put back, or was seen not to have been lost, and the driver does not change after that, is
 * another program's if it is something else now: left as it is, and said. */
static int leave_foreign(struct libbond_report *report, struct lb_device *device, const struct libbond_attr *attr,
                         const struct lb_value *present)
{
	const struct lb_want is = {.attr = attr, .value = *present};

	if (lb_config_put(device->foreign, attr, present, "") < 0)
		return -ENOMEM;
	if (!lb_config_find(device->back, attr))
		return lb_tell_foreign(report, device, &is);
	lb_report_mark_action(report, device->name, attr, "put_back", LIBBOND_OUTCOME_OVERRIDDEN);
	lb_report_note(report, device->name, attr, "another program has set it since");
	libbond_config_unset(device->back, attr); /* nor is it missing */
	return 0;
}

/* What was reset without having been foreseen. */
static int reset_row(struct libbond_report *report, struct lb_device *device, const struct libbond_link *now,
                     const struct libbond_attr *attr, struct libbond_config *wants)
{
	struct lb_value then, present;

	if (!(attr->flags & LIBBOND_ATTR_IS_RESET) || !lb_resets_sent(device) ||
	    lb_config_find(device->named, attr) || lb_config_find(device->lost, attr) ||
	    lb_link_value(device->link, attr, &then) < 0 || lb_link_value(now, attr, &present) < 0)
		return 0;
	if (lb_same_value(attr, &then, &present)) {
		lb_note_holds(device, attr, &then);
		return 0;
	}
	if (lb_config_find(device->returned, attr))
		return leave_foreign(report, device, attr, &present);
	return lb_config_put(wants, attr, &then, "");
}

/* What is not there any more, though it was to be put back or named by nobody. */
static int missing_row(struct libbond_report *report, struct lb_device *device, const struct libbond_link *now,
                       const struct libbond_attr *attr, struct libbond_config *wants)
{
	const struct lb_want *back = lb_config_find(device->back, attr);
	struct lb_value present;

	if (lb_config_find(device->foreign, attr))
		return 0;
	if (!back)
		return reset_row(report, device, now, attr, wants);
	if (lb_verify_holds(back, now)) {
		libbond_config_unset(device->back, attr); /* who changes it from now on is another */
		return 0;
	}
	if (lb_stays_as_sent(device->accepted, back) && lb_row_value(now, attr, &present))
		return leave_foreign(report, device, attr, &present);
	return lb_config_put(wants, attr, &back->value, back->link);
}

static int missing_rows(struct libbond_report *report, struct lb_device *device, const struct libbond_link *now,
                        struct libbond_config *wants)
{
	int rc = 0;
	for (unsigned scope = 0; scope < LIBBOND_SCOPES; scope++) {
		const struct libbond_attr *attr = NULL;
		while (rc == 0 && (attr = libbond_attr_next((enum libbond_scope)scope, attr)))
			if (!(attr->flags & LIBBOND_ATTR_READ_ONLY))
				rc = missing_row(report, device, now, attr, wants);
	}
	return rc;
}

/* What the steps of a round have sent; and what another program had set just before is what the next round goes back
 * to. */
static int learn(struct libbond_plan *plan, const struct libbond_plan *round)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < round->count; i++) {
		const struct lb_device *twin = round->devices[i];
		struct lb_device *device = lb_plan_find(plan, twin->ifindex);
		rc = lb_config_add(device->accepted, twin->accepted);
		for (size_t w = 0; rc == 0 && w < twin->seen->count; w++) {
			const struct lb_want *seen = &twin->seen->wants[w];
			if (lb_config_find(twin->sent, seen->attr))
				rc = lb_config_put(device->back, seen->attr, &seen->value, seen->link);
		}
	}
	return rc;
}

/* Set again what does not hold. Returns the number of steps that took, or -errno. */
static int put_back_rows(struct libbond *handle, struct libbond_plan *plan, const struct libbond_snapshot *now,
                         struct libbond_error *err)
{
	struct libbond_plan *extra = NULL;
	int rc = lb_plan_new(&extra, err), steps;

	if (rc < 0)
		return rc;
	extra->undoing = true;
	for (size_t i = 0; rc == 0 && i < plan->count; i++) {
		struct lb_device *device = plan->devices[i];
		const struct libbond_link *link = libbond_snapshot_by_index(now, device->ifindex);
		if (!link || !device->link || !device->touched || device->deletes)
			continue;
		struct lb_device *twin = lb_plan_add(extra, device->name, link);
		rc = twin ? missing_rows(plan->report, device, link, twin->work.config) : -ENOMEM;
	}
	rc = rc < 0 ? lb_fail_memory(err) : lb_compose(extra, err);
	steps = (int)extra->step_count;
	if (rc == 0 && steps)
		rc = lb_run_steps(handle, extra, err);
	if (steps && learn(plan, extra) < 0)
		rc = lb_fail_memory(err);
	libbond_plan_free(extra);
	return rc < 0 ? rc : steps;
}

/* What does not hold after all attempts is said; nothing is undone for it. */
static void tell_missing_rows(const struct libbond_plan *plan, const struct libbond_snapshot *now)
{
	for (size_t i = 0; i < plan->count; i++) {
		struct lb_device *device = plan->devices[i];
		const struct libbond_link *link = libbond_snapshot_by_index(now, device->ifindex);
		for (size_t w = 0; link && w < device->back->count; w++) {
			const struct lb_want *back = &device->back->wants[w];
			if (lb_verify_holds(back, link))
				continue;
			lb_report_mark(plan->report, device->name, back->attr, LIBBOND_OUTCOME_LOST);
			lb_report_note(plan->report, device->name, back->attr, "could not be put back");
		}
	}
}

/* Some of it has to wait: a slave becomes active once the bond has found its link. */
int lb_settle_rows(struct libbond *handle, struct libbond_plan *plan, struct libbond_error *err)
{
	const struct timespec pause = {.tv_nsec = LB_PAUSE_MS * 1000000L};

	if (keep_all_seen(plan) < 0)
		return lb_fail_memory(err);
	int missing = put_back_rows(handle, plan, plan->after, err);

	for (int tries = 0; missing > 0 && tries < LB_TRIES; tries++) {
		struct libbond_snapshot *now = NULL;
		if (tries)
			nanosleep(&pause, NULL);
		missing = lb_read_now(handle, plan, &now, err);
		if (missing < 0)
			break;
		libbond_snapshot_free(plan->after);
		plan->after = now;
		missing = put_back_rows(handle, plan, now, err);
	}
	if (missing > 0)
		tell_missing_rows(plan, plan->after);
	return missing < 0 ? missing : 0;
}
