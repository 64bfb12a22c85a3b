/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Judges datagrams by their numbers: lost, late, doubled, out of order, and the outages that rows of losses make.
 * Sits under probe.c, which sends and receives them, and above nothing.
 */
#include "traffic/probe-log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW_MAX (1u << 24)
#define FIRST_ROOM 256 /* entries of a list that has any */

struct entry {
	uint64_t sent_ns, arrived_ns; /* arrived 0: not yet */
	uint32_t copies;
	bool unsent;
};

/* Going through the datagrams in the order of their numbers. */
struct walk {
	uint64_t last_arrival_ns;
	bool is_open; /* outage is one that goes on */
	struct traffic_outage outage;
};

struct traffic_log {
	struct traffic_log_options options;
	struct entry *ring;
	uint64_t mask;
	uint64_t head, tail; /* the next number; the oldest in the ring */
	uint64_t highest;    /* number that has arrived, plus 1 */
	struct walk walk;    /* over all that have left the ring */
	uint64_t *losses;
	struct traffic_outage *outages;
	size_t losses_count, losses_room, outages_count, outages_room;
	struct traffic_log_counts counts; /* lost: of those that have left the ring; pending: unused */
};

int traffic_log_new(const struct traffic_log_options *options, struct traffic_log **log)
{
	uint64_t size = 1;

	if (options->window == 0 || options->window > WINDOW_MAX)
		return -EINVAL;
	while (size < options->window)
		size <<= 1;
	struct traffic_log *made = calloc(1, sizeof(*made));
	if (!made)
		return -ENOMEM;
	made->ring = calloc(size, sizeof(*made->ring));
	if (!made->ring) {
		free(made);
		return -ENOMEM;
	}
	made->options = *options;
	if (made->options.copies == 0)
		made->options.copies = 1;
	made->mask = size - 1;
	*log = made;
	return 0;
}

void traffic_log_free(struct traffic_log *log)
{
	if (!log)
		return;
	free(log->ring);
	free(log->losses);
	free(log->outages);
	free(log);
}

static struct entry *entry_of(const struct traffic_log *log, uint64_t number)
{
	return &log->ring[number & log->mask];
}

/* Room for one more in a list, or NULL: the bound, or the memory, is reached. */
static void *grow(void *list, size_t size, size_t count, size_t *room, size_t max)
{
	if (count < *room)
		return list;
	size_t wanted = *room ? *room * 2 : FIRST_ROOM;
	if (wanted > max)
		wanted = max;
	if (wanted <= count)
		return NULL;
	void *grown = realloc(list, wanted * size);
	if (grown)
		*room = wanted;
	return grown;
}

static void keep_loss(struct traffic_log *log, uint64_t sent_ns)
{
	uint64_t *grown = grow(log->losses, sizeof(*log->losses), log->losses_count, &log->losses_room,
	                       log->options.losses_max);
	if (!grown) {
		log->counts.forgotten_losses++;
		return;
	}
	log->losses = grown;
	log->losses[log->losses_count++] = sent_ns;
}

static void keep_outage(struct traffic_log *log, const struct traffic_outage *outage)
{
	struct traffic_outage *grown = grow(log->outages, sizeof(*log->outages), log->outages_count,
	                                    &log->outages_room, log->options.outages_max);
	if (!grown) {
		log->counts.forgotten_outages++;
		return;
	}
	log->outages = grown;
	log->outages[log->outages_count++] = *outage;
}

static void walk_lost(struct walk *walk, uint64_t number, const struct entry *entry)
{
	struct traffic_outage *outage = &walk->outage;

	if (!walk->is_open) {
		walk->is_open = true;
		*outage = (struct traffic_outage){
			.begin_ns = walk->last_arrival_ns,
			.first_sent_ns = entry->sent_ns,
			.first_number = number,
		};
	}
	outage->last_sent_ns = entry->sent_ns;
	outage->lost++;
	outage->unsent += entry->unsent;
}

/*
 * A datagram that was long on its way makes a silence of the path if nothing came meanwhile, though the next one had
 * been sent. Without that, it was the sender that did not run, and likely the whole machine.
 */
static bool is_silence(const struct traffic_log *log, const struct walk *walk, uint64_t number)
{
	uint64_t silence = log->options.silence_ns, last = walk->last_arrival_ns;
	const struct entry *entry = entry_of(log, number), *next = entry_of(log, number + 1);

	if (silence == 0 || last == 0 || number + 1 >= log->head)
		return false;
	return entry->arrived_ns >= last + silence && entry->arrived_ns >= entry->sent_ns + silence &&
	       entry->arrived_ns >= next->sent_ns + silence / 2;
}

/* Whether an outage is over, or has been seen for what it is, with this arrival: it is in walk->outage then. */
static bool walk_arrived(const struct traffic_log *log, struct walk *walk, uint64_t number)
{
	const struct entry *entry = entry_of(log, number);
	bool is_silent = is_silence(log, walk, number);
	uint64_t last = walk->last_arrival_ns, arrived = entry->arrived_ns;
	bool ends = walk->is_open;

	walk->is_open = false;
	if (arrived > last)
		walk->last_arrival_ns = arrived;
	if (ends) {
		/* on a path that reorders, it may have been here before the last one that was sent earlier */
		walk->outage.end_ns = arrived > walk->outage.begin_ns ? arrived : walk->outage.begin_ns;
		return true;
	}
	if (!is_silent)
		return false;
	walk->outage = (struct traffic_outage){
		.begin_ns = last,
		.end_ns = arrived,
		.first_sent_ns = entry->sent_ns,
		.last_sent_ns = entry->sent_ns,
		.first_number = number,
	};
	return true;
}

/* The oldest leaves the ring, and is judged for good. */
static void retire(struct traffic_log *log)
{
	const struct entry *entry = entry_of(log, log->tail);

	if (entry->arrived_ns == 0) {
		log->counts.lost++;
		keep_loss(log, entry->sent_ns);
		walk_lost(&log->walk, log->tail, entry);
	} else if (walk_arrived(log, &log->walk, log->tail)) {
		keep_outage(log, &log->walk.outage);
	}
	log->tail++;
}

uint64_t traffic_log_sent(struct traffic_log *log, uint64_t sent_ns, int errnum)
{
	uint64_t number = log->head;

	if (log->head - log->tail > log->mask)
		retire(log);
	*entry_of(log, number) = (struct entry){.sent_ns = sent_ns};
	log->head++;
	log->counts.sent++;
	if (errnum)
		traffic_log_unsent(log, number);
	return number;
}

void traffic_log_unsent(struct traffic_log *log, uint64_t number)
{
	if (number < log->tail || number >= log->head)
		return;
	entry_of(log, number)->unsent = true;
	log->counts.unsent++;
}

bool traffic_log_received(struct traffic_log *log, uint64_t number, uint64_t arrived_ns)
{
	if (number >= log->head)
		return false;
	if (number < log->tail) {
		log->counts.too_late++;
		return true;
	}
	struct entry *entry = entry_of(log, number);
	if (entry->copies < UINT32_MAX)
		entry->copies++;
	if (entry->arrived_ns) {
		log->counts.duplicated += entry->copies > log->options.copies;
		return true;
	}
	entry->arrived_ns = arrived_ns ? arrived_ns : 1; /* 0 is "not yet" */
	log->counts.received++;
	if (number >= log->highest) {
		log->highest = number + 1;
		return true;
	}
	log->counts.reordered++;
	if (log->highest - 1 - number > log->counts.reordered_most)
		log->counts.reordered_most = log->highest - 1 - number;
	return true;
}

/* --- questions --- */

static bool is_judged(const struct entry *entry, struct traffic_log_view view)
{
	return entry->sent_ns + view.grace_ns <= view.now_ns;
}

/* Whether this datagram in the ring is judged as lost. */
static bool is_lost(const struct entry *entry, struct traffic_log_view view)
{
	return entry->arrived_ns == 0 && is_judged(entry, view);
}

void traffic_log_counts(const struct traffic_log *log, struct traffic_log_view view,
                        struct traffic_log_counts *counts)
{
	*counts = log->counts;
	counts->pending = 0;
	for (uint64_t number = log->tail; number < log->head; number++) {
		const struct entry *entry = entry_of(log, number);
		if (entry->arrived_ns)
			continue;
		counts->lost += is_judged(entry, view);
		counts->pending += !is_judged(entry, view);
	}
}

/* The first in the list that is not before the time. */
static size_t first_from(const struct traffic_log *log, uint64_t sent_ns)
{
	size_t low = 0, high = log->losses_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (log->losses[middle] < sent_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

uint64_t traffic_log_lost_within(const struct traffic_log *log, struct traffic_log_view view,
                                 struct traffic_window window)
{
	uint64_t count = 0;

	for (size_t i = first_from(log, window.begin_ns); i < log->losses_count && log->losses[i] <= window.end_ns;
	     i++)
		count++;
	for (uint64_t number = log->tail; number < log->head; number++) {
		const struct entry *entry = entry_of(log, number);
		if (entry->sent_ns > window.end_ns)
			break;
		count += entry->sent_ns >= window.begin_ns && is_lost(entry, view);
	}
	return count;
}

static int by_begin(const void *a, const void *b)
{
	const struct traffic_window *x = a, *y = b;
	return (x->begin_ns > y->begin_ns) - (x->begin_ns < y->begin_ns);
}

void traffic_windows_sort(struct traffic_window *windows, size_t count)
{
	if (count)
		qsort(windows, count, sizeof(*windows), by_begin);
}

/* Going through losses and windows together, both in the order of time. */
struct outside {
	const struct traffic_window *windows;
	size_t count, next;
	uint64_t covered_until_ns; /* by windows that have begun */
	uint64_t *sent_ns;
	size_t room;
	uint64_t found;
};

static void look_outside(struct outside *outside, uint64_t sent_ns)
{
	while (outside->next < outside->count && outside->windows[outside->next].begin_ns <= sent_ns) {
		if (outside->windows[outside->next].end_ns > outside->covered_until_ns)
			outside->covered_until_ns = outside->windows[outside->next].end_ns;
		outside->next++;
	}
	if (outside->next > 0 && sent_ns <= outside->covered_until_ns)
		return;
	if (outside->found < outside->room)
		outside->sent_ns[outside->found] = sent_ns;
	outside->found++;
}

uint64_t traffic_log_lost_outside(const struct traffic_log *log, struct traffic_log_view view,
                                  const struct traffic_window *windows, size_t count, uint64_t *sent_ns, size_t room)
{
	struct outside outside = {.windows = windows, .count = count, .sent_ns = sent_ns, .room = room};

	for (size_t i = 0; i < log->losses_count; i++)
		look_outside(&outside, log->losses[i]);
	for (uint64_t number = log->tail; number < log->head; number++)
		if (is_lost(entry_of(log, number), view))
			look_outside(&outside, entry_of(log, number)->sent_ns);
	return outside.found;
}

void traffic_log_outages(const struct traffic_log *log, struct traffic_log_view view,
                         bool (*visit)(void *context, const struct traffic_outage *outage), void *context)
{
	struct walk walk = log->walk;

	for (size_t i = 0; i < log->outages_count; i++)
		if (!visit(context, &log->outages[i]))
			return;
	for (uint64_t number = log->tail; number < log->head; number++) {
		const struct entry *entry = entry_of(log, number);
		if (!is_judged(entry, view))
			break;
		if (entry->arrived_ns == 0)
			walk_lost(&walk, number, entry);
		else if (walk_arrived(log, &walk, number) && !visit(context, &walk.outage))
			return;
	}
	if (walk.is_open)
		visit(context, &walk.outage);
}
