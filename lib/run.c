/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Does the steps of a plan. Sits between the public interface and send.c, wait.c, readback.c; what is to be done when
 * it fails is undo.c's.
 *
 * Steps that belong together go out in one datagram: the kernel works through it without looking at this process
 * again, so that no signal and no kill leaves a bond down between two of them. That ends at LB_EXCHANGE_MAX steps, a
 * bond with some sixty slaves that all go out and in: then no signal does, but a kill can.
 */
#include "run.h"

#include <errno.h>
#include <stdlib.h>

#include "error.h"
#include "exchange.h"
#include "verify.h"

/* The driver drops what it does not know, and tells no index before Linux 6.12: both are looked up before a slave is
 * touched. What has the name now is taken for ours only if it is a bond. */
static int find_created(struct libbond *handle, struct libbond_plan *plan, struct lb_device *bond,
                        struct libbond_error *err)
{
	size_t links = lb_config_links(bond->work.config, NULL);
	struct lb_lookup *lookups = calloc(1 + links, sizeof(*lookups));
	struct libbond_snapshot *made = NULL;
	int rc;

	if (!lookups)
		return lb_fail_memory(err);
	lookups[0] = (struct lb_lookup){.name = bond->ifindex ? NULL : bond->name, .ifindex = bond->ifindex};
	lb_config_links(bond->work.config, lookups + 1);
	rc = lb_read_world(handle, lookups, 1 + links, 0, &made, err);
	const struct libbond_link *link = rc == 0 ? lookups[0].link : NULL;
	if (rc == 0 && (!link || !libbond_link_is_bond(link)))
		rc = lb_fail_no_device(bond->name, err);
	if (rc == 0) {
		bond->ifindex = libbond_link_ifindex(link);
		struct lb_work given = {.device = bond->name, .config = bond->sent, .lenient = bond->work.lenient};
		rc = lb_verify(&given, link, NULL, err);
		if (rc < 0)
			lb_verify(&given, link, plan->report, NULL);
	}
	libbond_snapshot_free(made);
	free(lookups);
	return rc;
}

static int run_range(struct libbond *handle, struct libbond_plan *plan, size_t from, size_t to,
                     struct libbond_error *err)
{
	int rc = 0;

	for (size_t first = from, count; rc == 0 && first < to; first += count) {
		struct lb_step *steps = plan->steps + first;
		for (count = 1; steps[count - 1].with_next && first + count < to && count < LB_EXCHANGE_MAX;)
			count++;
		bool begun = first > from && steps[-1].with_next; /* what belongs together and was too long for one */
		if (handle->cancelled && !plan->undoing && !begun)
			return lb_fail_cancelled(err);
		if (steps->kind == LB_STEP_WAIT)
			rc = lb_wait_for(handle, steps, err);
		else if (steps->wait_ms)
			rc = lb_wait_to_rise(handle, steps, err);
		if (rc == 0 && plan->did) /* until then everything is as it was followed */
			rc = lb_follow_between(plan, err);
		if (rc == 0 && steps->kind != LB_STEP_WAIT)
			rc = lb_send_steps(handle, plan, steps, count, err);
		/* the way back goes on past an obstacle: the next pass sees what is left */
		if (rc < 0 && plan->undoing && plan->refused) {
			plan->refused = NULL;
			rc = 0;
		}
		bool last = first + count == plan->step_count;
		/* the last one is read back anyway */
		if (rc == 0 && steps->kind == LB_STEP_CREATE && !plan->undoing && !last)
			rc = find_created(handle, plan, steps->device, err);
	}
	return rc;
}

int lb_run_steps(struct libbond *handle, struct libbond_plan *plan, struct libbond_error *err)
{
	return run_range(handle, plan, 0, plan->step_count, err);
}

/* The deletes, which come last. */
static size_t first_delete(const struct libbond_plan *plan)
{
	size_t at = plan->step_count;
	while (at > 0 && plan->steps[at - 1].kind == LB_STEP_DELETE)
		at--;
	return at;
}

int libbond_plan_run(struct libbond *handle, struct libbond_plan *plan, struct libbond_report *report,
                     struct libbond_error *err)
{
	struct libbond_snapshot *after = NULL;
	struct libbond_error local = {0};
	size_t deletes;
	int rc;

	plan->report = report;
	plan->done = plan->step_count == 0;
	if (plan->done)
		return 0;
	rc = lb_follow_before(handle, plan, &local);
	/* what cannot be undone in full waits until all else is known to hold */
	deletes = first_delete(plan);
	if (rc == 0)
		rc = run_range(handle, plan, 0, deletes, &local);
	if (rc == 0 && deletes)
		rc = lb_read_back(handle, plan, &after, &local);
	if (rc == 0)
		rc = run_range(handle, plan, deletes, plan->step_count, &local);
	if (rc < 0) {
		libbond_snapshot_free(after);
		lb_undo(handle, plan, &local); /* which may find out better why */
		rc = -local.errnum;
	} else {
		lb_report_settle(report);
		plan->done = true;
		plan->after = after;
		rc = lb_settle(handle, plan, &local);
	}
	lb_follow_end(plan);
	if (rc < 0 && err)
		*err = local;
	return rc;
}

int libbond_plan_is_done(const struct libbond_plan *plan)
{
	return plan->done;
}

int libbond_plan_undo(struct libbond *handle, struct libbond_plan *plan, struct libbond_report *report,
                      struct libbond_error *err)
{
	struct libbond_error local = {0};
	int rc;

	plan->report = report;
	rc = lb_undo(handle, plan, &local);
	if (rc < 0 && err) { /* the hint says what is left */
		struct libbond_error left = local;
		if (rc == -ENOMEM)
			lb_fail_memory(&local);
		else
			lb_fail(&local, LIBBOND_CAUSE_REFUSED, -rc, "%.250s",
			        *left.hint ? left.hint : "not all of it could be undone");
		*err = local;
	}
	return rc;
}
