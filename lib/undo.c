/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Goes back to what was, after a failure or for want of a confirmation. Sits between run.c, which has done steps, and
 * back.c, which plans the way back; the report and the error say what became of it.
 */
#include <errno.h>
#include <time.h>

#include "error.h"
#include "run.h"
#include "undo.h"
#include "verify.h"

#define READS 3  /* an answer may be lost on the way; reading again does no harm */
#define PASSES 6 /* what the driver changes while it is put right is put right after */

/* The slave that was to take over is no slave any more. */
static bool lost_successor(const struct lb_step *step, const struct libbond_snapshot *now, struct libbond_error *err)
{
	const struct libbond_attr *attr = lb_bond_attr(LB_BOND_ACTIVE_SLAVE);
	const struct lb_want *next = lb_config_find(step->config, attr);

	if (!next || !next->value.number || lb_config_find(step->device->work.config, attr))
		return false;
	const struct libbond_link *link = libbond_snapshot_by_index(now, (unsigned)next->value.number);
	if (link && libbond_link_master(link) == step->device->ifindex)
		return false;
	lb_fail(err, LIBBOND_CAUSE_OVERRIDDEN, EBUSY, "%s, which was to take over, is no slave of %s any more",
	        next->link, step->device->name);
	lb_fail_device(err, next->link);
	return true;
}

/* The refusal is looked at again in the light of what is now: which value it was, whether the ground has changed. */
static void explain(const struct libbond_plan *plan, const struct libbond_snapshot *now, struct libbond_error *err)
{
	const struct lb_step *step = plan->refused;
	const struct libbond_link *link = step ? lb_link_now(now, step->device) : NULL;

	if (step && !link && step->device->link && err->cause == LIBBOND_CAUSE_NO_DEVICE)
		lb_fail_hint(err, "it was there when the change was planned: another program has deleted it since");
	if (!link || step->kind != LB_STEP_SET || lost_successor(step, now, err))
		return;
	struct lb_work work = {.device = step->device->name, .link = step->device->link, .config = step->config};
	lb_verify_refused(&work, link, plan->report, err);
	/* but not where its slaves have changed on the way: it was refused in between */
	if (err->cause == LIBBOND_CAUSE_PERMISSION && step->disruption == LIBBOND_LIVE && !step->bond->regrouped)
		lb_recheck(step, link, err);
}

static bool has_uppers(const struct libbond_plan *plan)
{
	for (size_t i = 0; i < plan->count; i++)
		if (plan->devices[i]->on)
			return true;
	return false;
}

/* A bond that the kernel says it made, and that is not found under its name: nobody else would say that it is there.
 */
static const struct lb_device *find_astray(const struct libbond_plan *plan)
{
	for (size_t i = 0; i < plan->count; i++)
		if (plan->devices[i]->creates && plan->devices[i]->touched && !plan->devices[i]->ifindex &&
		    !(plan->refused && plan->refused->kind == LB_STEP_CREATE))
			return plan->devices[i];
	return NULL;
}

/* What a pass has put back, as far as nothing that it did has cost it again. */
static void note_returned(struct lb_device *device, const struct lb_device *twin)
{
	bool resets = lb_resets_sent(twin);

	for (size_t i = device->returned->count; i-- > 0;) {
		const struct libbond_attr *attr = device->returned->wants[i].attr;
		if ((twin->moved && libbond_attr_scope(attr) == LIBBOND_SCOPE_SLAVE) ||
		    (resets && (attr->flags & LIBBOND_ATTR_IS_RESET)))
			libbond_config_unset(device->returned, attr);
	}
	for (size_t i = 0; i < twin->sent->count; i++)
		libbond_config_unset(device->returned, twin->sent->wants[i].attr);
	for (size_t i = 0; i < twin->accepted->count; i++) {
		const struct lb_want *want = &twin->accepted->wants[i];
		if (lb_stays_as_sent(twin->accepted, want))
			lb_note_holds(device, want->attr, &want->value);
	}
	for (size_t i = 0; i < twin->seen->count; i++) /* it is to be another */
		libbond_config_unset(device->returned, twin->seen->wants[i].attr);
}

/* What other programs have done just before the way back is what the next pass goes back to. */
static int learn(struct libbond_plan *plan, struct libbond_plan *back)
{
	const size_t count = plan->count; /* those that are added are masters */
	int rc = 0;

	for (; rc == 0 && back->met_count; back->met_count--)
		rc = lb_plan_keep_met(plan, back->met[back->met_count - 1]);
	for (size_t i = 0; rc == 0 && i < count; i++) {
		const struct lb_device *twin = back->devices[i];
		note_returned(plan->devices[i], twin);
		rc = lb_config_add(plan->devices[i]->seen, twin->seen);
		if (rc == 0 && twin->met)
			rc = lb_adopt_master(plan, plan->devices[i], twin->master ? twin->master->ifindex : 0);
	}
	return rc;
}

/* One pass: 1 if something was done or is left to do, 0 if nothing is, -errno if nobody can tell. *now is what it
 * saw; *later: see lb_plan_back(). */
static int pass(struct libbond *handle, struct libbond_plan *plan, int number, bool *later,
                struct libbond_snapshot **now, struct libbond_error *err)
{
	struct libbond_plan *back = NULL;
	struct libbond_error failure = {0};
	int rc = -EIO;

	for (int tries = 0; rc < 0 && tries < READS; tries++)
		rc = lb_plan_back(handle, plan, number == 0, &back, later, &failure);
	if (rc < 0)
		return rc;
	if (number == 0)
		explain(plan, back->before, err);
	int done = back->step_count != 0;
	if (done && number < PASSES - 1) {
		back->report = plan->report;
		if (number == 0 && plan->after) { /* nothing of ours is under way yet */
			lb_follow_before(handle, plan, NULL);
			lb_follow_share(plan, back);
		}
		lb_run_steps(handle, back, &failure);
		if (learn(plan, back) < 0)
			rc = -ENOMEM;
	}
	libbond_snapshot_free(*now);
	*now = back->before;
	back->before = NULL;
	libbond_plan_free(back);
	return rc < 0 ? rc : done;
}

static int go_back(struct libbond *handle, struct libbond_plan *plan, bool *undone, struct libbond_snapshot **now,
                   struct libbond_error *err)
{
	const struct timespec pause = {.tv_nsec = LB_PAUSE_MS * 1000000L};
	bool rise = has_uppers(plan);
	int left = 1, number = 0, waits = 0;

	while (left > 0 && number < PASSES) {
		bool later = false;
		left = pass(handle, plan, number, &later, now, err);
		*undone |= left > 0;
		number += left > 0 || number == 0;
		/* VLAN devices come up some time after what they are on, a slave's link after its device */
		if (left == 0 && ((*undone && rise) || (later && waits < LB_TRIES))) {
			nanosleep(&pause, NULL);
			left = 1;
			waits++;
			rise = false;
		}
	}
	return left;
}

/* All that was done is undone, but for what is then found to be as it was made. */
static void turn_lines(const struct libbond_plan *plan, bool undone)
{
	lb_report_turn(plan->report, LIBBOND_OUTCOME_UNVERIFIED,
	               undone ? LIBBOND_OUTCOME_ROLLED_BACK : LIBBOND_OUTCOME_NOT_TRIED);
	if (!undone)
		return;
	if (plan->after) /* what has come to it since is as it was found */
		lb_report_turn(plan->report, LIBBOND_OUTCOME_NOT_TRIED, LIBBOND_OUTCOME_UNCHANGED);
	lb_report_turn(plan->report, LIBBOND_OUTCOME_APPLIED, LIBBOND_OUTCOME_ROLLED_BACK);
	lb_report_turn(plan->report, LIBBOND_OUTCOME_LOST, LIBBOND_OUTCOME_ROLLED_BACK);
}

static int fail_unknown(const struct libbond_plan *plan, int rc, struct libbond_error *err)
{
	for (size_t i = 0; i < plan->hanging_count; i++)
		lb_report_mark_line(plan->report, plan->hanging[i].line, LIBBOND_OUTCOME_UNVERIFIED, NULL);
	lb_fail_hint(err, "what state was left is not known: it could not be read");
	return rc;
}

/* After the passes: what hung on the devices, and what is told. */
static int conclude(struct libbond *handle, struct libbond_plan *plan, const struct libbond_snapshot *now,
                    bool undone, struct libbond_error *err)
{
	const struct lb_device *astray = find_astray(plan);
	int missing = undone || plan->unsure ? lb_rehang(handle, plan, lb_was_at_stake, NULL) : 0;

	if (missing < 0)
		return fail_unknown(plan, missing, err);
	undone |= plan->did;
	turn_lines(plan, undone);
	for (size_t i = 0; i < plan->spoilt_count; i++)
		lb_report_mark_line(plan->report, plan->spoilt[i], LIBBOND_OUTCOME_LOST,
		                    "another program's; it goes with what is undone");
	int left = undone ? lb_tell_left(handle, plan, now, missing > 0, err) : 0;
	if (!undone) /* what was refused may have been taken half-way first */
		lb_tell_redrawn(plan, now);
	if (left < 0)
		return fail_unknown(plan, left, err);
	if (astray)
		lb_fail_hint(err, "the kernel made %s, and it is not there under that name: look at bondctl list",
		             astray->name);
	/* the cause of what was not even begun is not that of what is half done */
	if (left && plan->did && err->cause == LIBBOND_CAUSE_NO_DEVICE)
		err->cause = LIBBOND_CAUSE_REFUSED;
	if (left || astray)
		return -EIO;
	err->rolled_back = undone;
	return 0;
}

/* What a change that was done had left, and is not there any more: another program has removed it. */
static bool is_removed(const struct lb_record *record, const struct lb_records *now)
{
	return lb_record_stays(record) && !record->lost && !lb_records_find(now, record);
}

static void find_removed(struct libbond *handle, struct libbond_plan *plan)
{
	struct lb_records now = {0};
	int rc = -EIO;

	for (int tries = 0; plan->after && plan->records.count && rc < 0 && tries < READS; tries++) {
		lb_records_free(&now);
		rc = lb_records_now(handle, plan, &now, NULL);
	}
	for (size_t i = 0; rc == 0 && i < plan->records.count; i++) {
		struct lb_record *record = plan->records.records[i];
		const struct lb_device *device = lb_plan_find(plan, record->ifindex);
		char text[LB_RECORD_TEXT];
		if (device->gone || !is_removed(record, &now))
			continue;
		record->foreign = true;
		lb_report_thing(plan->report, device->name, record->kept ? "put_back" : "lose",
		                lb_record_text(record, text), LIBBOND_OUTCOME_OVERRIDDEN,
		                "another program has removed it since");
	}
	lb_records_free(&now);
}

int lb_undo(struct libbond *handle, struct libbond_plan *plan, struct libbond_error *err)
{
	struct libbond_snapshot *now = NULL;
	bool undone = false;
	lb_follow_start(handle, plan);
	find_removed(handle, plan);
	int rc = go_back(handle, plan, &undone, &now, err);

	if (rc < 0)
		fail_unknown(plan, rc, err);
	else
		rc = conclude(handle, plan, now, undone || plan->did, err);
	lb_follow_end(plan);
	libbond_snapshot_free(now);
	return rc;
}
