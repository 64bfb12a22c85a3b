/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Records addresses, routes, neighbours and nexthops of devices. Sits between hanging.c and rehang.c, which ask what
 * there is, and record.c, which knows the classes.
 */
#include "records.h"

#include <errno.h>
#include <stdlib.h>

#include "answer.h"
#include "error.h"
#include "exchange.h"

struct question {
	_Alignas(8) char data[LB_RECORD_QUESTION];
	enum lb_record_class class;
	unsigned ifindex;
	struct lb_records *records;
	bool answered;
};

static int keep_record(struct lb_records *records, struct lb_record *record)
{
	if (records->count == records->room) {
		size_t room = records->room ? records->room * 2 : 16;
		struct lb_record **grown = realloc(records->records, room * sizeof(struct lb_record *));
		if (!grown)
			return -ENOMEM;
		records->records = grown;
		records->room = room;
	}
	records->records[records->count++] = record;
	return 0;
}

bool lb_records_has_member(const struct lb_records *records, const struct lb_record *group, unsigned ifindex)
{
	for (size_t i = 0; i < records->count; i++)
		if (records->records[i]->ifindex == ifindex && !records->records[i]->foreign &&
		    lb_record_has_nexthop(group, lb_record_nexthop(records->records[i])))
			return true;
	return false;
}

static int receive(const struct nlmsghdr *nlh, void *context)
{
	struct question *question = context;
	struct lb_record *record;
	int rc = lb_record_take(question->class, nlh, question->ifindex, &record);

	if (rc < 0 || !record)
		return rc;
	if (record->class == LB_RECORD_GROUP &&
	    !lb_records_has_member(question->records, record, question->ifindex)) {
		free(record);
		return 0;
	}
	rc = keep_record(question->records, record);
	if (rc < 0)
		free(record);
	return rc;
}

/* A class that this kernel does not have is one without records. */
static bool is_absent(int errnum)
{
	return errnum == EOPNOTSUPP || errnum == EAFNOSUPPORT || errnum == EPROTONOSUPPORT;
}

/* A socket has one dump at a time, and most of these have nothing to tell and end at once: all are asked together,
 * and those that found another still running (EBUSY) are asked again. */
#define DUMPS_MAX 4 /* in one datagram: each may fill 32 KiB of the socket's buffer */

static int ask_round(struct libbond *handle, struct question *questions, size_t count, struct libbond_error *err)
{
	struct lb_request requests[DUMPS_MAX];
	struct question *asked[DUMPS_MAX];
	size_t batch = 0;

	for (size_t i = 0; i < count && batch < DUMPS_MAX; i++) {
		if (questions[i].answered)
			continue;
		lb_record_question(questions[i].data, questions[i].class, questions[i].ifindex);
		requests[batch] = (struct lb_request){
			.nlh = (void *)questions[i].data, .receive = receive, .context = &questions[i]};
		asked[batch++] = &questions[i];
	}
	int rc = lb_exchange(handle, requests, batch, err);
	for (size_t i = 0; rc == 0 && i < batch; i++) {
		int errnum = requests[i].answer.errnum;
		/* the first cannot have found another running */
		asked[i]->answered = errnum != EBUSY || i == 0;
		if (asked[i]->answered && errnum && !is_absent(errnum))
			rc = lb_fail_answer(&requests[i], LB_DEED_READ, "addresses and routes", NULL, NULL, err);
	}
	return rc;
}

static bool all_answered(const struct question *questions, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!questions[i].answered)
			return false;
	return true;
}

static void drop_from(struct lb_records *records, size_t first)
{
	while (records->count > first)
		free(records->records[--records->count]);
}

#define TRIES 16

/* Ask until all have been answered; an interrupted dump spoils its round, and all is asked again. */
static int ask_all(struct libbond *handle, struct question *questions, size_t count, struct libbond_error *err)
{
	struct lb_records *records = count ? questions[0].records : NULL;
	size_t first = records ? records->count : 0;
	struct libbond_error local = {0};
	int rc = 0;

	for (int tries = 0; !all_answered(questions, count);) {
		rc = ask_round(handle, questions, count, &local);
		if (rc == 0)
			continue;
		if (local.cause != LIBBOND_CAUSE_INTERRUPTED || ++tries == TRIES)
			break;
		drop_from(records, first);
		for (size_t i = 0; i < count; i++)
			questions[i].answered = false;
	}
	if (rc < 0 && err)
		*err = local;
	return rc;
}

static bool has_nexthop(const struct lb_records *records, unsigned ifindex)
{
	for (size_t i = 0; i < records->count; i++)
		if (records->records[i]->ifindex == ifindex && lb_record_nexthop(records->records[i]))
			return true;
	return false;
}

static int make_room(struct lb_records *records)
{
	size_t buckets = records->buckets ? records->buckets : 64;

	while (buckets < records->count)
		buckets *= 2;
	if (buckets == records->buckets)
		return 0;
	struct lb_record **alike = calloc(buckets, sizeof(struct lb_record *));
	struct lb_record **rivals = calloc(buckets, sizeof(struct lb_record *));
	if (!alike || !rivals) {
		free(alike);
		free(rivals);
		return -ENOMEM;
	}
	free(records->alike);
	free(records->rivals);
	records->alike = alike;
	records->rivals = rivals;
	records->buckets = buckets;
	records->indexed = 0;
	return 0;
}

/* Put those into the index that have come since; -ENOMEM leaves it as it was. */
static int index_new(struct lb_records *records)
{
	if (make_room(records) < 0)
		return -ENOMEM;
	for (; records->indexed < records->count; records->indexed++) {
		struct lb_record *record = records->records[records->indexed];
		struct lb_record **alike = &records->alike[record->hash & (records->buckets - 1)];
		struct lb_record **rivals = &records->rivals[record->key & (records->buckets - 1)];
		while (*alike)
			alike = &(*alike)->next_alike;
		while (*rivals)
			rivals = &(*rivals)->next_rival;
		record->next_alike = record->next_rival = NULL;
		*alike = *rivals = record;
	}
	return 0;
}

int lb_records_add(struct lb_records *records, struct lb_record *record)
{
	if (keep_record(records, record) < 0)
		return -ENOMEM;
	if (index_new(records) == 0)
		return 0;
	records->count--;
	return -ENOMEM;
}

int lb_records_read(struct libbond *handle, const struct lb_record_ask *asks, size_t count,
                    struct lb_records *records, struct libbond_error *err)
{
	struct question *questions = calloc(count * LB_RECORD_CLASSES + 1, sizeof(*questions));
	size_t asked = 0, first = records->count;

	if (!questions)
		return lb_fail_memory(err);
	for (size_t i = 0; i < count; i++)
		for (unsigned class = 0; class < LB_RECORD_CLASSES; class ++)
			if ((asks[i].classes & LB_RECORD_BIT(class)) && class != LB_RECORD_GROUP)
				questions[asked++] = (struct question){
					.class = class, .ifindex = asks[i].ifindex, .records = records};
	int rc = ask_all(handle, questions, asked, err);
	/* which groups matter is known once the nexthops are */
	asked = 0;
	for (size_t i = 0; i < count; i++)
		if (has_nexthop(records, asks[i].ifindex))
			questions[asked++] = (struct question){
				.class = LB_RECORD_GROUP, .ifindex = asks[i].ifindex, .records = records};
	if (rc == 0)
		rc = ask_all(handle, questions, asked, err);
	if (rc == 0 && index_new(records) < 0)
		rc = lb_fail_memory(err);
	if (rc < 0)
		drop_from(records, first);
	free(questions);
	return rc;
}

int lb_record_remove(struct libbond *handle, const struct lb_record *record, struct libbond_error *err)
{
	struct lb_request request = {.nlh = lb_record_removal(record)};
	int rc = request.nlh ? lb_exchange(handle, &request, 1, err) : lb_fail_memory(err);

	free(request.nlh);
	return rc;
}

void lb_records_free(struct lb_records *records)
{
	drop_from(records, 0);
	free(records->records);
	free(records->alike);
	free(records->rivals);
	*records = (struct lb_records){0};
}

struct lb_record *lb_records_alike(const struct lb_records *records, const struct lb_record *to,
                                   const struct lb_record *after)
{
	struct lb_record *first = records->buckets ? records->alike[to->hash & (records->buckets - 1)] : NULL;

	for (struct lb_record *record = after ? after->next_alike : first; record; record = record->next_alike)
		if (lb_record_alike(record, to))
			return record;
	return NULL;
}

struct lb_record *lb_records_rival(const struct lb_records *records, const struct lb_record *of,
                                   const struct lb_record *after)
{
	struct lb_record *first = records->buckets ? records->rivals[of->key & (records->buckets - 1)] : NULL;

	for (struct lb_record *record = after ? after->next_rival : first; record; record = record->next_rival)
		if (lb_record_is_rival(record, of))
			return record;
	return NULL;
}

struct lb_record *lb_records_find(const struct lb_records *records, const struct lb_record *record)
{
	struct lb_record *found = lb_records_alike(records, record, NULL);

	while (found && found->ifindex != record->ifindex)
		found = lb_records_alike(records, record, found);
	return found;
}
