/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Loss, order, duplicates, outages and windows from made-up sequences of datagrams. Tests cli/traffic/probe-log.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "traffic/probe-log.h"
#include "unit.h"

#define MS UINT64_C(1000000)
#define DELAY (MS / 10)
#define AT(number) ((1000 + (uint64_t)(number)) * MS) /* when each is sent: one a millisecond */

static const struct traffic_log_view all = {.now_ns = UINT64_MAX};

static struct traffic_log *new_log(uint32_t window)
{
	const struct traffic_log_options options = {
		.window = window, .silence_ns = 100 * MS, .losses_max = 100000, .outages_max = 1000};
	struct traffic_log *log;

	assert_int_equal(traffic_log_new(&options, &log), 0);
	return log;
}

/* Sent in turn; those of which "arrives" says so come in at once. */
static void run(struct traffic_log *log, unsigned count, bool (*arrives)(uint64_t number))
{
	for (unsigned i = 0; i < count; i++) {
		uint64_t number = traffic_log_sent(log, AT(i), 0);
		assert_int_equal(number, i);
		if (arrives(number))
			assert_true(traffic_log_received(log, number, AT(i) + DELAY));
	}
}

static struct traffic_log_counts counts_of(const struct traffic_log *log)
{
	struct traffic_log_counts counts;
	traffic_log_counts(log, all, &counts);
	return counts;
}

struct outages {
	struct traffic_outage list[8];
	unsigned count, most;
};

static bool collect(void *context, const struct traffic_outage *outage)
{
	struct outages *outages = context;

	assert_true(outages->count < COUNT(outages->list));
	outages->list[outages->count++] = *outage;
	return outages->count != outages->most;
}

static struct outages outages_of(const struct traffic_log *log)
{
	struct outages outages = {0};
	traffic_log_outages(log, all, collect, &outages);
	return outages;
}

static bool always(uint64_t number)
{
	(void)number;
	return true;
}

static bool but_20_to_29(uint64_t number)
{
	return number < 20 || number > 29;
}

static bool but_two_rows(uint64_t number)
{
	return number > 9 && (number < 50 || number > 52) && number < 190;
}

static bool but_each_hundredth(uint64_t number)
{
	return number % 100 != 0;
}

static void nothing_is_lost(void **state)
{
	struct traffic_log *log = new_log(16);
	(void)state;

	run(log, 1000, always);
	struct traffic_log_counts counts = counts_of(log);
	assert_int_equal(counts.sent, 1000);
	assert_int_equal(counts.received, 1000);
	assert_int_equal(counts.lost + counts.pending + counts.duplicated + counts.reordered + counts.too_late, 0);
	assert_int_equal(outages_of(log).count, 0);
	traffic_log_free(log);
}

/* The same whether the row has left the ring or not. */
static void a_row_is_an_outage(void **state)
{
	(void)state;
	for (uint32_t window = 1; window <= 128; window *= 2) {
		struct traffic_log *log = new_log(window);
		run(log, 64, but_20_to_29);
		struct outages outages = outages_of(log);
		assert_int_equal(counts_of(log).lost, 10);
		assert_int_equal(outages.count, 1);
		assert_int_equal(outages.list[0].begin_ns, AT(19) + DELAY);
		assert_int_equal(outages.list[0].end_ns, AT(30) + DELAY);
		assert_int_equal(outages.list[0].first_sent_ns, AT(20));
		assert_int_equal(outages.list[0].last_sent_ns, AT(29));
		assert_int_equal(outages.list[0].first_number, 20);
		assert_int_equal(outages.list[0].lost, 10);
		traffic_log_free(log);
	}
}

static void begin_and_end_may_be_missing(void **state)
{
	struct traffic_log *log = new_log(64);
	(void)state;

	run(log, 200, but_two_rows);
	struct outages outages = outages_of(log);
	assert_int_equal(outages.count, 3);
	assert_int_equal(outages.list[0].begin_ns, 0);
	assert_int_equal(outages.list[0].end_ns, AT(10) + DELAY);
	assert_int_equal(outages.list[1].lost, 3);
	assert_int_equal(outages.list[2].begin_ns, AT(189) + DELAY);
	assert_int_equal(outages.list[2].end_ns, 0);
	assert_int_equal(outages.list[2].lost, 10);
	outages = (struct outages){.most = 1};
	traffic_log_outages(log, all, collect, &outages);
	assert_int_equal(outages.count, 1); /* it stops when it is told to */
	traffic_log_free(log);
}

static void young_ones_are_pending(void **state)
{
	const struct traffic_log_view view = {.now_ns = AT(29), .grace_ns = 5 * MS};
	struct traffic_log *log = new_log(64);
	struct traffic_log_counts counts;
	struct outages outages = {0};
	(void)state;

	run(log, 30, but_20_to_29);
	traffic_log_counts(log, view, &counts);
	assert_int_equal(counts.lost, 5); /* 20 to 24 */
	assert_int_equal(counts.pending, 5);
	traffic_log_outages(log, view, collect, &outages);
	assert_int_equal(outages.count, 1);
	assert_int_equal(outages.list[0].lost, 5);
	assert_int_equal(outages.list[0].end_ns, 0);
	/* looking changes nothing: they may still come */
	for (uint64_t number = 20; number < 30; number++)
		traffic_log_received(log, number, AT(31));
	assert_int_equal(counts_of(log).lost, 0);
	traffic_log_free(log);
}

static void order(void **state)
{
	static const uint64_t arrivals[] = {0, 2, 1, 3, 7, 4, 5, 6, 8};
	struct traffic_log *log = new_log(16);
	(void)state;

	for (unsigned i = 0; i < 9; i++)
		traffic_log_sent(log, AT(i), 0);
	for (unsigned i = 0; i < COUNT(arrivals); i++)
		traffic_log_received(log, arrivals[i], AT(10 + i));
	struct traffic_log_counts counts = counts_of(log);
	assert_int_equal(counts.reordered, 4); /* 1, 4, 5, 6 */
	assert_int_equal(counts.reordered_most, 3);
	assert_int_equal(counts.received, 9);
	assert_int_equal(counts.lost, 0);
	assert_int_equal(outages_of(log).count, 0);
	traffic_log_free(log);
}

static void duplicates(void **state)
{
	struct traffic_log_options options = {.window = 16, .losses_max = 1, .outages_max = 1};
	(void)state;

	for (options.copies = 0; options.copies <= 3; options.copies++) {
		struct traffic_log *log;
		assert_int_equal(traffic_log_new(&options, &log), 0);
		traffic_log_sent(log, AT(0), 0);
		traffic_log_sent(log, AT(1), 0);
		for (int i = 0; i < 3; i++)
			traffic_log_received(log, 0, AT(2));
		traffic_log_received(log, 1, AT(2));
		struct traffic_log_counts counts = counts_of(log);
		assert_int_equal(counts.duplicated, options.copies ? 3 - options.copies : 2);
		assert_int_equal(counts.received, 2);
		assert_int_equal(counts.reordered, 0);
		traffic_log_free(log);
	}
}

static void strangers_and_latecomers(void **state)
{
	struct traffic_log *log = new_log(4);
	(void)state;

	assert_false(traffic_log_received(log, 0, AT(0)));
	assert_false(traffic_log_received(log, UINT64_MAX, AT(0)));
	for (unsigned i = 0; i < 10; i++)
		traffic_log_sent(log, AT(i), i == 3 ? ENETDOWN : 0);
	assert_true(traffic_log_received(log, 2, AT(20)));
	struct traffic_log_counts counts = counts_of(log);
	assert_int_equal(counts.too_late, 1);
	assert_int_equal(counts.lost, 10); /* it stays lost */
	assert_int_equal(counts.unsent, 1);
	assert_int_equal(outages_of(log).list[0].unsent, 1);
	traffic_log_unsent(log, 9);
	traffic_log_unsent(log, 1);  /* too old */
	traffic_log_unsent(log, 99); /* not yet */
	assert_int_equal(counts_of(log).unsent, 2);
	traffic_log_free(log);
}

static void silence(void **state)
{
	struct traffic_log *log = new_log(1024);
	(void)state;

	run(log, 50, always);
	/* 300 ms in a queue, then all at once */
	for (unsigned i = 50; i < 350; i++)
		traffic_log_sent(log, AT(i), 0);
	for (unsigned i = 50; i < 350; i++)
		traffic_log_received(log, i, AT(351));
	struct outages outages = outages_of(log);
	assert_int_equal(outages.count, 1);
	assert_int_equal(outages.list[0].lost, 0);
	assert_int_equal(outages.list[0].begin_ns, AT(49) + DELAY);
	assert_int_equal(outages.list[0].end_ns, AT(351));
	traffic_log_free(log);
}

static void a_sender_that_sleeps_is_no_silence(void **state)
{
	struct traffic_log *log = new_log(1024);
	(void)state;

	run(log, 50, always);
	/* the machine stood still for 500 ms while number 50 was on its way */
	traffic_log_sent(log, AT(50), 0);
	traffic_log_received(log, 50, AT(550));
	traffic_log_sent(log, AT(551), 0);
	traffic_log_received(log, 51, AT(551) + DELAY);
	/* and before number 52 */
	traffic_log_sent(log, AT(1551), 0);
	traffic_log_received(log, 52, AT(1551) + DELAY);
	traffic_log_sent(log, AT(1552), 0);
	assert_int_equal(traffic_log_received(log, 53, AT(1552) + DELAY), 1);
	assert_int_equal(outages_of(log).count, 0);
	traffic_log_free(log);
}

static void windows(void **state)
{
	(void)state;
	for (uint32_t window = 64; window <= 4096; window *= 64) {
		struct traffic_log *log = new_log(window);
		uint64_t sent[4] = {0};
		run(log, 1000, but_each_hundredth); /* 0, 100, ..., 900 */
		assert_int_equal(traffic_log_lost_within(log, all, (struct traffic_window){0, UINT64_MAX}), 10);
		assert_int_equal(traffic_log_lost_within(log, all, (struct traffic_window){AT(100), AT(300)}), 3);
		assert_int_equal(traffic_log_lost_within(log, all, (struct traffic_window){AT(101), AT(199)}), 0);
		assert_int_equal(traffic_log_lost_outside(log, all, NULL, 0, NULL, 0), 10);
		struct traffic_window events[] = {
			{AT(550), AT(650)}, {AT(90), AT(310)}, {AT(95), AT(110)}, {AT(900), AT(900)}};
		traffic_windows_sort(events, COUNT(events));
		assert_int_equal(events[0].begin_ns, AT(90));
		assert_int_equal(traffic_log_lost_outside(log, all, events, COUNT(events), sent, 4), 5);
		assert_int_equal(sent[0], AT(0));
		assert_int_equal(sent[1], AT(400));
		assert_int_equal(sent[2], AT(500));
		assert_int_equal(sent[3], AT(700));
		traffic_log_free(log);
	}
}

static void bounded(void **state)
{
	const struct traffic_log_options options = {.window = 2, .losses_max = 300, .outages_max = 5};
	struct traffic_log *log;
	struct outages outages = {0};
	(void)state;

	assert_int_equal(traffic_log_new(&options, &log), 0);
	run(log, 80003, but_each_hundredth); /* 801 losses, one outage each */
	struct traffic_log_counts counts = counts_of(log);
	assert_int_equal(counts.lost, 801);
	assert_int_equal(counts.forgotten_losses, 501);
	assert_int_equal(counts.forgotten_outages, 795); /* the last has only now ended */
	traffic_log_outages(log, all, collect, &outages);
	assert_int_equal(outages.count, 6);
	traffic_log_free(log);
}

static void impossible_options(void **state)
{
	const struct traffic_log_options none = {0}, huge = {.window = UINT32_MAX};
	struct traffic_log *log;
	(void)state;

	assert_int_equal(traffic_log_new(&none, &log), -EINVAL);
	assert_int_equal(traffic_log_new(&huge, &log), -EINVAL);
	traffic_log_free(NULL);
	traffic_windows_sort(NULL, 0);
}

/* The ring and the lists against a plain array that forgets nothing, over random arrivals. */
static void the_same_as_a_plain_array(void **state)
{
	enum { COUNT_ = 5000, WINDOW = 64 };
	static uint64_t arrived[COUNT_];
	struct traffic_log *log = new_log(WINDOW);
	uint64_t random = 88172645463325252u, late = 0, lost = 0;
	(void)state;

	for (unsigned i = 0; i < COUNT_; i++) {
		traffic_log_sent(log, AT(i), 0);
		random ^= random << 13, random ^= random >> 7, random ^= random << 17;
		uint64_t number = i - (random % 96 < i ? random % 96 : 0);
		assert_true(traffic_log_received(log, number, AT(i) + DELAY));
		if (i + 1 - number > WINDOW)
			late++;
		else if (!arrived[number])
			arrived[number] = AT(i) + DELAY;
	}
	for (unsigned i = 0; i < COUNT_; i++)
		lost += !arrived[i];
	struct traffic_log_counts counts = counts_of(log);
	assert_int_equal(counts.too_late, late);
	assert_int_equal(counts.lost, lost);
	assert_int_equal(counts.received + counts.lost, COUNT_);
	assert_int_equal(counts.received + counts.duplicated + counts.too_late, COUNT_);
	assert_int_equal(traffic_log_lost_outside(log, all, NULL, 0, NULL, 0), lost);
	traffic_log_free(log);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("a path that carries all has no loss and no outage", nothing_is_lost),
		TEST("a row of losses is an outage from the last good arrival to the first", a_row_is_an_outage),
		TEST("an outage may have no begin, or no end yet", begin_and_end_may_be_missing),
		TEST("what is younger than the grace is pending, and may still come", young_ones_are_pending),
		TEST("what is overtaken is reordered, and is not lost", order),
		TEST("copies that are meant are no duplicates", duplicates),
		TEST("numbers that were never sent, came too late, or were refused are told apart",
	             strangers_and_latecomers),
		TEST("a long stay in a queue is an outage without a loss", silence),
		TEST("a sender that slept is not the path's silence", a_sender_that_sleeps_is_no_silence),
		TEST("losses are found within a window and outside of all", windows),
		TEST("the lists end at their bounds, and say so", bounded),
		TEST("impossible windows are refused", impossible_options),
		TEST("random arrivals are judged as a plain array judges them", the_same_as_a_plain_array),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
