/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * After a success: puts right what was lost all the same, and says what cannot be. Sits between run.c and what it
 * calls for that, settle-rows.c and rehang.c. What was done and verified is not undone for it.
 */
#include <errno.h>
#include <string.h>

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
	missing = lb_settle_rows(handle, plan, NULL);
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
