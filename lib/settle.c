/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * After a success: puts right what was lost all the same, and says what cannot be. Sits between run.c and rehang.c.
 * What was done and verified is not undone for it.
 */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "error.h"
#include "undo.h"
#include "verify.h"

static bool is_to_be_kept(const struct libbond_plan *plan, const struct lb_record *record)
{
	(void)plan;
	return record->kept && !record->foreign;
}

/* What could not be put back is said, thing by thing. */
static int fail_missing(struct libbond *handle, struct libbond_plan *plan, bool *told, struct libbond_error *err)
{
	struct lb_records now = {0};
	int rc = lb_records_now(handle, plan, &now, err);

	for (size_t i = 0; rc == 0 && i < plan->hanging_count; i++) {
		const struct lb_hanging *hanging = &plan->hanging[i];
		char text[LB_RECORD_TEXT];
		if (hanging->lost || hanging->record->foreign || lb_records_find(&now, hanging->record))
			continue;
		lb_report_mark_line(plan->report, hanging->line, LIBBOND_OUTCOME_LOST, "could not be put back");
		*told = true;
		lb_fail(err, LIBBOND_CAUSE_REFUSED, EIO, "all is done, but the %s of %s could not be put back",
		        lb_record_text(hanging->record, text), lb_plan_find(plan, hanging->record->ifindex)->name);
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
	if (!(attr->flags & LIBBOND_ATTR_IS_RESET) || !lb_resets_sent(device) ||
	    lb_config_find(device->named, attr) || lb_config_find(device->lost, attr) ||
	    lb_link_value(device->link, attr, &then) < 0 || lb_link_value(now, attr, &present) < 0 ||
	    lb_same_value(attr, &then, &present))
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
		rc = twin ? missing_rows(device, link, twin->work.config) : -ENOMEM;
	}
	rc = rc < 0 ? lb_fail_memory(err) : lb_compose(extra, err);
	steps = (int)extra->step_count;
	if (rc == 0 && steps)
		rc = lb_run_steps(handle, extra, err);
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
static int settle_rows(struct libbond *handle, struct libbond_plan *plan, struct libbond_error *err)
{
	const struct timespec pause = {.tv_nsec = LB_PAUSE_MS * 1000000L};
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

/* The driver may have changed the bond along with its slaves: fail_over_mac, where the first cannot change its
 * address; its own address, which it takes from the first. */
static void note_changes(const struct libbond_plan *plan)
{
	for (size_t i = 0; i < plan->count; i++) {
		const struct lb_device *bond = plan->devices[i];
		const struct libbond_link *now = libbond_snapshot_by_index(plan->after, bond->ifindex);
		const struct libbond_attr *attr = NULL;
		const struct lb_device *slave = bond->join_count ? bond->join[0] : NULL;
		char was[LIBBOND_TEXT_SIZE], is[LIBBOND_TEXT_SIZE];
		if (!bond->link || !now || !slave || bond->deletes)
			continue;
		while ((attr = libbond_attr_next(LIBBOND_SCOPE_BOND, attr)))
			if (!(attr->flags & LIBBOND_ATTR_READ_ONLY) && attr->type != LIBBOND_TYPE_LINK &&
			    !lb_config_find(bond->sent, attr) && !lb_config_find(bond->lost, attr) &&
			    libbond_link_text(bond->link, attr, was, sizeof(was)) >= 0 &&
			    libbond_link_text(now, attr, is, sizeof(is)) >= 0 && strcmp(was, is) != 0)
				lb_report_note(plan->report, slave->name, NULL, "%s of %s is now %s, it was %s",
				               attr->name, bond->name, is, was);
	}
}

/* What another program had set just before the steps, and they have cost, is put back as well. */
static int tell_seen(const struct libbond_plan *plan)
{
	int rc = 0;

	for (size_t i = 0; i < plan->count; i++) {
		const struct lb_device *device = plan->devices[i];
		const struct libbond_link *now = libbond_snapshot_by_index(plan->after, device->ifindex);
		for (size_t w = 0; rc == 0 && now && device->link && w < device->seen->count; w++) {
			const struct libbond_attr *attr = device->seen->wants[w].attr;
			const struct lb_want *back = lb_config_find(device->back, attr);
			if (!back || lb_verify_holds(back, now))
				continue;
			rc = lb_report_value(plan->report, device->name, "put_back", device->link, back);
			lb_report_note(plan->report, device->name, attr,
			               "another program has set it since the change was planned");
			lb_report_mark_action(plan->report, device->name, attr, "put_back", LIBBOND_OUTCOME_APPLIED);
		}
	}
	return rc;
}

/* What was expected to be lost and is as it was. */
static void tell_spared(const struct libbond_plan *plan)
{
	for (size_t i = 0; i < plan->count; i++) {
		const struct lb_device *device = plan->devices[i];
		const struct libbond_link *now = libbond_snapshot_by_index(plan->after, device->ifindex);
		for (size_t w = 0; now && device->link && w < device->lost->count; w++) {
			const struct libbond_attr *attr = device->lost->wants[w].attr;
			struct lb_value then, present;
			if (lb_link_value(device->link, attr, &then) == 0 &&
			    lb_link_value(now, attr, &present) == 0 && lb_same_value(attr, &then, &present))
				lb_report_mark(plan->report, device->name, attr, LIBBOND_OUTCOME_UNCHANGED);
		}
	}
}

/* What has been done and verified is not undone because another look fails: it is said that nobody looked. */
static void tell_unsettled(const struct libbond_plan *plan)
{
	for (size_t i = 0; i < plan->hanging_count; i++)
		if (!plan->hanging[i].lost)
			lb_report_mark_line(plan->report, plan->hanging[i].line, LIBBOND_OUTCOME_UNVERIFIED,
			                    "was sent, and could not be looked at again");
}

/* What was done to a bond that is not there any more. */
static int fail_deleted(const struct libbond_plan *plan, struct libbond_error *err)
{
	int rc = 0;

	for (size_t i = 0; i < plan->count; i++) {
		const struct lb_device *device = plan->devices[i];
		if (!device->link || !device->is_bond || !device->touched || device->deletes ||
		    libbond_snapshot_by_index(plan->after, device->ifindex))
			continue;
		lb_report_thing(plan->report, device->name, "lose", "device", LIBBOND_OUTCOME_OVERRIDDEN,
		                "another program has deleted it since");
		rc = lb_fail(rc ? NULL : err, LIBBOND_CAUSE_OVERRIDDEN, ENODEV,
		             "all is done, but %s is not there any more: another program has deleted it since",
		             device->name);
	}
	return rc;
}

int lb_settle(struct libbond *handle, struct libbond_plan *plan, struct libbond_error *err)
{
	bool told = false;
	int missing;

	if (!plan->after)
		return 0;
	for (size_t i = 0; i < plan->count; i++) {
		struct lb_device *device = plan->devices[i];
		device->gone = device->deletes || (device->on && device->on->deletes);
	}
	note_changes(plan);
	tell_spared(plan);
	if (tell_seen(plan) < 0)
		return lb_fail_memory(err);
	missing = settle_rows(handle, plan, NULL);
	if (missing == 0 && plan->ask_count) {
		missing = lb_rehang(handle, plan, is_to_be_kept, NULL);
		lb_report_settle(plan->report); /* what has come to it since */
	}
	if (fail_deleted(plan, err) < 0)
		return -ENODEV;
	if (missing > 0 && fail_missing(handle, plan, &told, err) == 0)
		return told ? -EIO : 0;
	if (missing)
		tell_unsettled(plan);
	return 0;
}
