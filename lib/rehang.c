/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes addresses, routes, neighbours and nexthops again that devices have lost. Sits between undo.c, settle.c and
 * records.c.
 */
#include <errno.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <time.h>

#include "error.h"
#include "exchange.h"
#include "undo.h"

/* Read the records of the devices that have some, as they are now. */
int lb_records_now(struct libbond *handle, const struct libbond_plan *plan, struct lb_records *now,
                   struct libbond_error *err)
{
	struct lb_record_ask *asks = calloc(plan->records.count + 1, sizeof(*asks));
	size_t count = 0;

	if (!asks)
		return lb_fail_memory(err);
	for (size_t i = 0; i < plan->records.count; i++) {
		const struct lb_record *record = plan->records.records[i];
		size_t at = 0;
		if (lb_plan_find(plan, record->ifindex)->gone)
			continue;
		while (at < count && asks[at].ifindex != record->ifindex)
			at++;
		count = at == count ? count + 1 : count;
		asks[at].ifindex = record->ifindex;
		asks[at].classes |= LB_RECORD_BIT(record->class);
	}
	int rc = count ? lb_records_read(handle, asks, count, now, err) : 0;
	free(asks);
	return rc;
}

/* What is there and was not: a device that came up with another MAC for a moment has made itself one more link-local
 * address. Of those that had one, what is new goes, but for what somebody has set. */
static int drop_extra(struct libbond *handle, const struct libbond_plan *plan, const struct lb_records *now,
                      struct libbond_error *err)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < now->count; i++) {
		const struct lb_record *record = now->records[i];
		bool had = false;
		if (!lb_record_is_generated(record) || lb_records_find(&plan->records, record))
			continue;
		for (size_t r = 0; r < plan->records.count; r++)
			had |= plan->records.records[r]->ifindex == record->ifindex &&
			       lb_record_is_link_local(plan->records.records[r]);
		if (!had)
			continue;
		rc = lb_record_remove(handle, record, err);
	}
	return rc;
}

/* Behind others to the same prefix: which of them was the first is not known. */
static void note_behind(const struct libbond_plan *plan, const struct lb_device *device,
                        const struct lb_record *record)
{
	char text[LB_RECORD_TEXT];

	lb_report_thing(plan->report, device->name, record->kept ? "put_back" : "lose", lb_record_text(record, text),
	                LIBBOND_OUTCOME_APPLIED, "is behind another route to the same prefix");
}

#define BATCH 64 /* in one datagram: there may be thousands */

struct batch {
	struct libbond *handle;
	struct libbond_plan *plan;
	struct lb_record *records[BATCH];
	size_t count;
	int missing;
};

/* fib_table_insert(): it is not there, or it would not be missing. *errnum: what the kernel said to it. */
static int append(struct libbond *handle, struct libbond_plan *plan, const struct lb_record *record, int *errnum,
                  struct libbond_error *err)
{
	struct lb_request request = {.nlh = lb_record_request(record)};
	uint16_t flags = request.nlh->nlmsg_flags;

	request.nlh->nlmsg_flags = (uint16_t)((flags & ~NLM_F_EXCL) | NLM_F_APPEND);
	int rc = lb_exchange(handle, &request, 1, err);
	request.nlh->nlmsg_flags = flags;
	*errnum = request.answer.errnum;
	if (rc == 0 && *errnum == 0)
		note_behind(plan, lb_plan_find(plan, record->ifindex), record);
	return rc;
}

/* Send those of a batch, in their order. */
static int make_again(struct batch *batch, struct libbond_error *err)
{
	struct lb_request requests[BATCH];
	size_t count = batch->count;
	int rc;

	for (size_t i = 0; i < count; i++)
		requests[i] = (struct lb_request){.nlh = lb_record_request(batch->records[i])};
	rc = count ? lb_exchange(batch->handle, requests, count, err) : 0;
	for (size_t i = 0; rc == 0 && i < count; i++) {
		struct lb_record *record = batch->records[i];
		bool route = record->class == LB_RECORD_ROUTE4 || record->class == LB_RECORD_ROUTE6;
		int errnum = requests[i].answer.errnum;
		if (errnum == EEXIST && route)
			rc = append(batch->handle, batch->plan, record, &errnum, err);
		batch->plan->did |= rc == 0 && errnum == 0;
		if (rc == 0 && errnum && lb_follow_gone_along(batch->plan, record))
			batch->missing--;
	}
	batch->count = 0;
	return rc;
}

/* Send what is missing, in the order in which things stand on each other. Returns how many were, or -errno. */
static int put_back_missing(struct libbond *handle, struct libbond_plan *plan, lb_is_wanted *wanted,
                            struct libbond_error *err)
{
	struct batch batch = {.handle = handle, .plan = plan};
	struct lb_records now = {0};
	int rc = lb_records_now(handle, plan, &now, err);

	if (rc == 0) /* what is missing since another program has removed it */
		rc = lb_follow(handle, plan, err);

	for (unsigned class = 0; rc == 0 && class < LB_RECORD_CLASSES; class ++) {
		for (size_t i = 0; rc == 0 && i < plan->records.count; i++) {
			struct lb_record *record = plan->records.records[lb_in_order(class, i, plan->records.count)];
			if (record->class != class || lb_plan_find(plan, record->ifindex)->gone ||
			    !wanted(plan, record) || lb_record_is_temporary(record) || lb_records_find(&now, record))
				continue;
			batch.missing++;
			batch.records[batch.count++] = record;
			if (batch.count == BATCH)
				rc = make_again(&batch, err);
		}
		if (rc == 0)
			rc = make_again(&batch, err);
	}
	if (rc == 0 && batch.missing == 0)
		rc = drop_extra(handle, plan, &now, err);
	lb_records_free(&now);
	return rc < 0 ? rc : batch.missing;
}

#define READS 3 /* an answer may be lost on the way */

/* Until nothing is missing any more; an address that is being probed carries no route yet. */
int lb_rehang(struct libbond *handle, struct libbond_plan *plan, lb_is_wanted *wanted, struct libbond_error *err)
{
	const struct timespec pause = {.tv_nsec = LB_PAUSE_MS * 1000000L};
	int failures = 0, rc = lb_follow(handle, plan, err);
	int missing = plan->records.count ? 1 : 0;

	if (rc < 0)
		return rc;
	for (int tries = 0; missing && tries < LB_TRIES && failures < READS; tries++) {
		if (tries > 1)
			nanosleep(&pause, NULL);
		missing = put_back_missing(handle, plan, wanted, err);
		failures += missing < 0;
	}
	lb_follow(handle, plan, NULL);
	return missing;
}
