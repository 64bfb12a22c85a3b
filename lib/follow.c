/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps the records of a plan what other programs make of them while it is made and done: a route that somebody adds
 * after the reading, and that the cycle costs, is put back like those before it. Sits between run.c and watch.c.
 *
 * Before the first step what is there is the truth: where something has been heard, the records are read once more.
 * After it our steps have taken away what is missing, and only what was heard tells who it was.
 */
#include <errno.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "error.h"
#include "plan.h"
#include "undo.h"

#define REMOVED "another program has removed it since"
#define REPLACED "another program has replaced it since"
#define EXPIRED "it has expired, or another program has removed it since"
#define WENT_ALONG "it went with what another program has removed or closed"
#define ADDED "another program has added it since the change was planned"

/* --- what is left to others --- */

static void mark(const struct libbond_plan *plan, const struct lb_record *record, enum libbond_outcome outcome,
                 const char *note)
{
	if (record->place)
		lb_report_mark_line(plan->report, plan->hanging[record->place - 1].line, outcome, note);
}

static void lose_hold(const struct libbond_plan *plan, struct lb_record *record, const char *note)
{
	record->foreign = true;
	mark(plan, record, LIBBOND_OUTCOME_OVERRIDDEN, note);
}

/* It has been made again since. */
static void take_hold(const struct libbond_plan *plan, struct lb_record *record)
{
	if (record->foreign)
		mark(plan, record, LIBBOND_OUTCOME_NOT_TRIED, "");
	record->foreign = record->recheck = false;
}

static struct lb_record *copy_for(const struct lb_record *heard, unsigned ifindex)
{
	struct lb_record *copy = lb_record_copy(heard);

	if (copy)
		copy->ifindex = ifindex;
	return copy;
}

static int add_made(struct libbond_plan *plan, const struct lb_record *heard, unsigned ifindex)
{
	struct lb_record *copy = copy_for(heard, ifindex);
	if (!copy)
		return -ENOMEM;
	struct lb_record *known = lb_records_find(&plan->records, copy);
	if (known) {
		take_hold(plan, known);
		lb_record_renew(known, copy);
		free(copy);
		return 0;
	}
	if (lb_records_add(&plan->records, copy) < 0) {
		free(copy);
		return -ENOMEM;
	}
	return lb_hang(plan, copy, ADDED);
}

/* Whether a record stands on what another program has removed: a route on its nexthop, that on an address. A nexthop
 * of which there is no record went before they were read. */
static bool went_along(const struct libbond_plan *plan, const struct lb_record *record)
{
	bool route = record->class == LB_RECORD_ROUTE4 || record->class == LB_RECORD_ROUTE6, known = false;

	for (size_t i = 0; i < plan->records.count; i++) {
		const struct lb_record *below = plan->records.records[i];
		if (below->class > LB_RECORD_GROUP || !lb_record_stands_on(record, below))
			continue;
		if (below->foreign)
			return true;
		known |= below->class != LB_RECORD_ADDRESS;
	}
	return route && lb_record_is_by_nexthop(record) && !known;
}

/* A device that was to be open, and was found closed when all was done. */
static bool is_closed(const struct libbond_plan *plan, const struct lb_record *record)
{
	const struct libbond_link *now =
		plan->done && plan->after ? libbond_snapshot_by_index(plan->after, record->ifindex) : NULL;
	return now && record->kept && !lb_link_number_or(now, lb_link_attr(LB_IFLA_UP), 1);
}

bool lb_follow_gone_along(struct libbond_plan *plan, struct lb_record *record)
{
	if (!went_along(plan, record) && !is_closed(plan, record))
		return false;
	lose_hold(plan, record, WENT_ALONG);
	return true;
}

/* --- hearing --- */

struct hearing {
	struct libbond_plan *plan;
	bool begun;   /* our steps are among what is heard, and what the kernel does along with them */
	bool touched; /* something has happened to what the plan asks for */
	bool other;   /* there are other devices on those of the plan than it knows */
	char upper[LIBBOND_NAME_SIZE];
	const char *base;
};

static void lose_heard(struct hearing *hearing, struct lb_record *record, const char *note)
{
	lose_hold(hearing->plan, record, note);
	record->recheck = hearing->begun;
	hearing->plan->recheck |= hearing->begun;
}

static void lose_alike(struct hearing *hearing, const struct lb_record *heard, const char *note)
{
	const struct lb_records *records = &hearing->plan->records;

	for (struct lb_record *record = NULL; (record = lb_records_alike(records, heard, record));)
		lose_heard(hearing, record, note);
}

/* The first that is found by the same and not gone yet: that is whom a replacement replaces (fib_table_insert()). */
static struct lb_record *find_rival(const struct hearing *hearing, const struct lb_record *heard)
{
	struct lb_record *rival = NULL;

	while ((rival = lb_records_rival(&hearing->plan->records, heard, rival)) && rival->foreign)
		;
	return rival;
}

static void take_removed(struct hearing *hearing, const struct lb_record *heard, bool unique)
{
	const struct lb_record *gone = unique ? find_rival(hearing, heard) : heard;
	if (gone)
		lose_alike(hearing, gone, REMOVED);
}

static void take_replaced(struct hearing *hearing, const struct lb_record *heard)
{
	const struct lb_record *rival = find_rival(hearing, heard);
	if (rival && !lb_record_alike(rival, heard))
		lose_alike(hearing, rival, REPLACED);
}

/* A path that comes to an IPv6 route or goes from it is told by itself, or in another order than it is reported. */
static void take_paths(struct hearing *hearing, const struct lb_record *heard, bool deleted)
{
	const struct lb_records *records = &hearing->plan->records;

	for (struct lb_record *rival = NULL; (rival = lb_records_rival(records, heard, rival));) {
		if (rival->foreign || lb_record_alike(rival, heard) ||
		    !lb_record_covers(deleted ? rival : heard, deleted ? heard : rival))
			continue;
		lose_hold(hearing->plan, rival, deleted ? REMOVED : REPLACED);
		hearing->plan->regroup = true;
	}
}

/* Nobody is ever named as the sender about an IPv6 address. Our steps take it away, and then make it again: who takes
 * it after that is another. */
static void trace_address(const struct hearing *hearing, const struct lb_record *heard, bool deleted)
{
	const struct libbond_plan *plan = hearing->plan;

	for (struct lb_record *record = NULL; (record = lb_records_rival(&plan->records, heard, record));) {
		if (!deleted && record->went && record->foreign)
			take_hold(plan, record);
		record->left = deleted && record->came && record->kept;
		record->came = !deleted && record->went;
		record->went |= deleted;
	}
}

static bool is_about(const struct libbond_plan *plan, const struct lb_record *heard, unsigned ifindex)
{
	return heard->class == LB_RECORD_GROUP ? lb_records_has_member(&plan->records, heard, ifindex)
	                                       : lb_record_names(heard, ifindex);
}

static int take_made(struct hearing *hearing, const struct lb_record *heard)
{
	struct libbond_plan *plan = hearing->plan;
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < plan->ask_count; i++)
		if ((plan->asks[i].classes & LB_RECORD_BIT(heard->class)) &&
		    is_about(plan, heard, plan->asks[i].ifindex))
			rc = add_made(plan, heard, plan->asks[i].ifindex);
	return rc;
}

static int take_others(struct hearing *hearing, const struct lb_record *heard, bool deleted, bool unique)
{
	if (deleted)
		take_removed(hearing, heard, unique);
	else if (unique)
		take_replaced(hearing, heard);
	if (hearing->begun && heard->class == LB_RECORD_ROUTE6 && !unique)
		take_paths(hearing, heard, deleted);
	/* before the first step it is read, as are paths */
	return deleted || !hearing->begun || hearing->plan->regroup ? 0 : take_made(hearing, heard);
}

static int hear(const struct nlmsghdr *nlh, enum lb_sender sender, void *context)
{
	struct hearing *hearing = context;
	struct lb_record *heard;
	bool deleted, unique;

	if (sender == LB_SENT_BY_US)
		return 0;
	if (nlh->nlmsg_type == RTM_NEWLINK && !hearing->begun && !hearing->other)
		hearing->other = lb_upper_has_changed(hearing->plan, nlh, hearing->upper, &hearing->base);
	int rc = lb_record_hear(nlh, &heard, &deleted, &unique);
	if (rc < 0 || !heard)
		return rc;
	hearing->touched = true;
	bool nameless = hearing->begun && heard->class == LB_RECORD_ADDRESS && heard->family == AF_INET6;
	if (sender == LB_SENT_BY_OTHERS || (nameless && !lb_has_changed(hearing->plan, heard->ifindex)))
		rc = take_others(hearing, heard, deleted, unique);
	else if (nameless)
		trace_address(hearing, heard, deleted);
	free(heard);
	return rc;
}

/* What has gone once more, and no step of ours is to come. */
static void lose_left(const struct libbond_plan *plan)
{
	for (size_t i = 0; plan->done && !plan->goes_back && i < plan->records.count; i++) {
		struct lb_record *record = plan->records.records[i];
		if (record->left)
			lose_hold(plan, record, lb_record_ends(record) ? EXPIRED : REMOVED);
		record->left = false;
	}
}

static int listen_to(struct hearing *hearing)
{
	struct libbond_plan *plan = hearing->plan;
	int rc = lb_watch_hear(plan->watch, hear, hearing);

	lose_left(plan);
	if (rc != -ENOBUFS)
		return rc;
	hearing->touched = true;
	plan->missed |= hearing->begun;
	return 0;
}

/* --- before the first step --- */

static bool is_replaced(const struct libbond_plan *plan, const struct lb_records *now, const struct lb_record *record)
{
	struct lb_record *rival = NULL;

	while ((rival = lb_records_rival(now, record, rival)))
		if (!lb_records_find(&plan->records, rival))
			return true;
	return false;
}

/* What the kernel drops by itself comes back, unless somebody was heard to remove it or what it stands on. */
static void compare(const struct libbond_plan *plan, const struct lb_records *now, struct lb_record *record)
{
	const struct lb_record *there = lb_records_find(now, record);

	if (there) {
		take_hold(plan, record);
		lb_record_renew(record, there);
	} else if (!record->foreign && !(record->lost && plan->did) && lb_record_stays(record)) {
		lose_hold(plan, record,
		          is_replaced(plan, now, record) ? REPLACED
		          : lb_record_ends(record)       ? EXPIRED
		                                         : REMOVED);
	}
}

static int read_again(struct libbond *handle, struct libbond_plan *plan, struct libbond_error *err)
{
	struct lb_records now = {0};
	int rc = lb_records_read(handle, plan->asks, plan->ask_count, &now, err);

	for (size_t i = 0; rc == 0 && i < plan->records.count; i++)
		compare(plan, &now, plan->records.records[i]);
	for (unsigned class = 0; rc == 0 && class < LB_RECORD_CLASSES; class ++)
		for (size_t i = 0; i < plan->records.count; i++) {
			struct lb_record *record = plan->records.records[i];
			if (record->class == class && !record->foreign && lb_record_is_by_nexthop(record) &&
			    !lb_records_find(&now, record))
				lb_follow_gone_along(plan, record);
		}
	for (size_t i = 0; rc == 0 && i < now.count; i++)
		if (!lb_records_find(&plan->records, now.records[i]) &&
		    add_made(plan, now.records[i], now.records[i]->ifindex) < 0)
			rc = lb_fail_memory(err);
	lb_records_free(&now);
	return rc;
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
	if (plan->watch || !plan->ask_count || !handle->own_socket)
		return;
	plan->watch = lb_watch_new(handle);
	plan->missed |= !plan->watch;
}

static int fail_upper(const struct hearing *hearing, struct libbond_error *err)
{
	int rc = lb_fail(err, LIBBOND_CAUSE_OVERRIDDEN, EBUSY,
	                 "%s on %s has been made, opened or closed since the change was planned", hearing->upper,
	                 hearing->base);
	lb_fail_device(err, hearing->upper);
	lb_fail_hint(err, "nothing was sent: try it again");
	return rc;
}

#define ROUNDS 4 /* a writer that does not pause is not waited for */

int lb_follow_before(struct libbond *handle, struct libbond_plan *plan, struct libbond_error *err)
{
	struct libbond_error local = {0};
	int rc = 0;

	plan->goes_back = plan->did;
	for (int n = 0; rc == 0 && plan->watch && n < ROUNDS && !handle->cancelled; n++) {
		struct hearing hearing = {.plan = plan};
		rc = listen_to(&hearing) < 0 ? lb_fail_memory(&local) : 0;
		if (rc == 0 && hearing.other && !plan->did)
			rc = fail_upper(&hearing, &local);
		if (rc < 0 || !hearing.touched)
			break;
		rc = read_again(handle, plan, &local);
	}
	if (rc < 0 && local.cause == LIBBOND_CAUSE_NO_DEVICE)
		rc = 0; /* the steps find that out, and say whose doing it is */
	if (rc < 0 && err)
		*err = local;
	if (plan->watch)
		lb_watch_begin(plan->watch);
	drop_steps(plan);
	return rc;
}

/* --- after steps --- */

/* IPv6 routes that have other paths than all that is known. */
static int take_regrouped(struct libbond_plan *plan, const struct lb_records *now)
{
	for (size_t i = 0; i < now->count; i++) {
		const struct lb_record *there = now->records[i];
		if (there->class == LB_RECORD_ROUTE6 && !lb_records_find(&plan->records, there) &&
		    lb_records_rival(&plan->records, there, NULL) && add_made(plan, there, there->ifindex) < 0)
			return -ENOMEM;
	}
	return 0;
}

/* What another program has removed before our steps made it again is removed once more. Read first, then heard: what
 * has been made by others until then is not among it. */
static int catch_up(struct libbond *handle, struct hearing *hearing, struct libbond_error *err)
{
	struct libbond_plan *plan = hearing->plan;
	struct lb_records now = {0};
	int rc = lb_records_read(handle, plan->asks, plan->ask_count, &now, err);

	if (rc == 0 && (listen_to(hearing) < 0 || (hearing->plan->regroup && take_regrouped(plan, &now) < 0)))
		rc = lb_fail_memory(err);
	for (size_t i = 0; rc == 0 && i < plan->records.count; i++) {
		struct lb_record *record = plan->records.records[i];
		if (record->foreign && record->recheck && !plan->missed && lb_records_find(&now, record))
			rc = lb_record_remove(handle, record, err);
		record->recheck = false;
	}
	lb_records_free(&now);
	return rc;
}

void lb_follow_share(const struct libbond_plan *plan, struct libbond_plan *back)
{
	for (size_t i = 0; i < back->records.count; i++) {
		struct lb_record *record = back->records.records[i];
		const struct lb_record *known = lb_records_find(&plan->records, record);
		record->foreign = known && known->foreign;
	}
	drop_steps(back);
}

int lb_follow_between(struct libbond_plan *plan, struct libbond_error *err)
{
	struct hearing hearing = {.plan = plan, .begun = true};
	return plan->watch && listen_to(&hearing) < 0 ? lb_fail_memory(err) : 0;
}

int lb_follow(struct libbond *handle, struct libbond_plan *plan, struct libbond_error *err)
{
	struct hearing hearing = {.plan = plan, .begun = true};

	if (lb_follow_between(plan, err) < 0)
		return -ENOMEM;
	if (!plan->recheck && !plan->regroup)
		return 0;
	int rc = catch_up(handle, &hearing, err);
	plan->recheck = plan->regroup = false;
	return rc;
}

static void tell_missed(struct libbond_plan *plan)
{
	const char *why = plan->watch ? "there was more than could be followed" : "nobody could listen";

	lb_report_thing(plan->report, plan->devices[0]->name, "lose",
	                "what other programs have changed of its addresses and routes meanwhile",
	                LIBBOND_OUTCOME_UNVERIFIED, why);
}

void lb_follow_end(struct libbond_plan *plan)
{
	if (plan->missed && plan->did) /* else nothing was at stake */
		tell_missed(plan);
	plan->missed = false;
	lb_watch_free(plan->watch);
	plan->watch = NULL;
}
