/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps the records of a plan what other programs make of them while it is made and done: a route that somebody adds
 * after the reading, and that the cycle costs, is put back like those before it. Sits between run.c and watch.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "plan.h"

static void mark(struct libbond_plan *plan, const struct lb_record *record, enum libbond_outcome outcome,
                 const char *note)
{
	for (size_t i = 0; i < plan->hanging_count; i++)
		if (plan->hanging[i].record == record)
			lb_report_mark_line(plan->report, plan->hanging[i].line, outcome, note);
}

static void lose_hold(struct libbond_plan *plan, struct lb_record *record, const char *note)
{
	record->foreign = true;
	record->revived = false;
	mark(plan, record, LIBBOND_OUTCOME_OVERRIDDEN, note);
}

/* It has been made again since. */
static void take_hold(struct libbond_plan *plan, struct lb_record *record)
{
	if (record->foreign)
		mark(plan, record, LIBBOND_OUTCOME_NOT_TRIED, "");
	record->foreign = record->revived = false;
}

/* The record of several paths is one of each device. */
static bool is_same(struct lb_record *heard, const struct lb_record *record)
{
	heard->ifindex = record->ifindex;
	return lb_record_same(heard, record);
}

static bool is_rival(struct lb_record *heard, unsigned of, const struct lb_record *record)
{
	heard->ifindex = of;
	return lb_record_is_rival(heard, record);
}

static void drop_removed(struct libbond_plan *plan, struct lb_record *heard, bool unique)
{
	const unsigned of = heard->ifindex;

	for (size_t i = 0; i < plan->records.count; i++) {
		struct lb_record *record = plan->records.records[i];
		if (unique ? is_rival(heard, of, record) : is_same(heard, record))
			lose_hold(plan, record, "another program has removed it since");
	}
	heard->ifindex = of;
}

static void drop_replaced(struct libbond_plan *plan, struct lb_record *heard)
{
	const unsigned of = heard->ifindex;

	for (size_t i = 0; i < plan->records.count; i++) {
		struct lb_record *record = plan->records.records[i];
		if (is_rival(heard, of, record) && !is_same(heard, record))
			lose_hold(plan, record, "another program has replaced it since");
	}
	heard->ifindex = of;
}

static struct lb_record *copy_for(const struct lb_record *heard, unsigned ifindex)
{
	size_t size =
		sizeof(*heard) + NLMSG_ALIGN(((const struct nlmsghdr *)(const void *)heard->message)->nlmsg_len);
	struct lb_record *copy = malloc(size);

	if (copy) {
		memcpy(copy, heard, size);
		copy->ifindex = ifindex;
	}
	return copy;
}

static int add_made(struct libbond_plan *plan, const struct lb_record *heard, unsigned ifindex)
{
	struct lb_record *copy = copy_for(heard, ifindex);
	if (!copy)
		return -ENOMEM;
	struct lb_record *known = (struct lb_record *)(uintptr_t)lb_records_find(&plan->records, copy);
	if (known) {
		take_hold(plan, known);
		free(copy);
		return 0;
	}
	if (lb_records_add(&plan->records, copy) < 0) {
		free(copy);
		return -ENOMEM;
	}
	return lb_hang(plan, copy, "another program has added it since the change was planned");
}

/* What a step of ours has put back, though another program had removed it meanwhile. */
static void mark_revived(struct libbond_plan *plan, struct lb_record *heard)
{
	for (size_t i = 0; i < plan->records.count; i++)
		if (plan->records.records[i]->foreign && is_same(heard, plan->records.records[i]))
			plan->records.records[i]->revived = true;
}

struct hearing {
	struct libbond_plan *plan;
	bool begun; /* our steps are among what is heard, and what the kernel does along with them */
};

static int take(struct libbond_plan *plan, struct lb_record *heard, bool deleted, bool unique)
{
	int rc = 0;

	if (deleted)
		drop_removed(plan, heard, unique);
	else if (unique)
		drop_replaced(plan, heard);
	for (size_t i = 0; rc == 0 && !deleted && i < plan->ask_count; i++)
		if ((plan->asks[i].classes & LB_RECORD_BIT(heard->class)) &&
		    lb_record_names(heard, plan->asks[i].ifindex))
			rc = add_made(plan, heard, plan->asks[i].ifindex);
	return rc;
}

static int hear(const struct nlmsghdr *nlh, enum lb_sender sender, void *context)
{
	const struct hearing *hearing = context;
	struct lb_record *heard;
	bool deleted, unique;

	if (hearing->begun && sender == LB_SENT_BY_NOBODY)
		return 0;
	int rc = lb_record_hear(nlh, &heard, &deleted, &unique);
	if (rc < 0 || !heard)
		return rc;
	if (sender != LB_SENT_BY_US)
		rc = take(hearing->plan, heard, deleted, unique);
	else if (!deleted)
		mark_revived(hearing->plan, heard);
	free(heard);
	return rc;
}

static int tell_missed(struct libbond_plan *plan)
{
	size_t line = 0;

	if (lb_report_beside(plan->report, plan->devices[0]->name, "lose",
	                     "what other programs have changed of its addresses and routes meanwhile", &line) < 0)
		return -ENOMEM;
	lb_report_mark_line(plan->report, line, LIBBOND_OUTCOME_UNVERIFIED, "there was more than could be followed");
	return 0;
}

static int remove_revived(struct libbond *handle, const struct libbond_plan *plan, struct libbond_error *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < plan->records.count; i++)
		if (plan->records.records[i]->revived) {
			rc = lb_record_remove(handle, plan->records.records[i], err);
			plan->records.records[i]->revived = false;
		}
	return rc;
}

static int listen_to(struct libbond_plan *plan, bool begun)
{
	struct hearing hearing = {plan, begun};
	int rc = plan->watch ? lb_watch_hear(plan->watch, hear, &hearing) : 0;
	return rc == -ENOBUFS ? tell_missed(plan) : rc;
}

/* Steps that would put back what is not to be any more. */
static void drop_steps(struct libbond_plan *plan)
{
	size_t kept = 0;

	for (size_t i = 0; i < plan->step_count; i++) {
		const struct lb_step *step = &plan->steps[i];
		bool drop = step->kind == LB_STEP_PUT_BACK && step->record->foreign;
		if (!drop)
			plan->steps[kept++] = *step;
		else if (kept && !step->with_next)
			plan->steps[kept - 1].with_next = false;
	}
	plan->step_count = kept;
}

void lb_follow_start(struct libbond *handle, struct libbond_plan *plan)
{
	if (plan->ask_count && !plan->watch)
		plan->watch = lb_watch_new(handle);
}

int lb_follow_before(struct libbond_plan *plan, struct libbond_error *err)
{
	int rc = listen_to(plan, false);

	drop_steps(plan);
	return rc < 0 ? lb_fail_memory(err) : 0;
}

int lb_follow(struct libbond *handle, struct libbond_plan *plan, struct libbond_error *err)
{
	int rc = listen_to(plan, true);
	return rc < 0 ? lb_fail_memory(err) : remove_revived(handle, plan, err);
}

void lb_follow_end(struct libbond_plan *plan)
{
	lb_watch_free(plan->watch);
	plan->watch = NULL;
}
