/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every kind of change with each of its requests failing in turn, in every way in which a request can fail, once,
 * twice and for good: afterwards everything is as it was, byte by byte, or every difference is named. Tests
 * lib/run.c, lib/undo.c and what they stand on, over the fake kernel with the driver's rules; time does not pass in
 * it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "account.h"
#include "office.h"
#include "unit.h"
#include "words.h"

/* --- the ways to fail --- */

enum way {
	REFUSE,    /* the kernel answers with an errno, and has done nothing */
	LATE,      /* it has done it, and nobody answers in time */
	NEVER,     /* nor has it done it */
	OVERRUN,   /* it has done it, and the socket has lost the answer: ENOBUFS */
	UNSENT,    /* it was not sent */
	INTERRUPT, /* dumps are interrupted: so many times */
};

struct fault {
	enum way way;
	int number; /* errno, or how many */
	const char *name;
	bool of_changes; /* of them only: what is can be read */
};

static const struct fault faults[] = {
	{REFUSE, EPERM, "EPERM"},
	{REFUSE, EACCES, "EACCES"},
	{REFUSE, EBUSY, "EBUSY"},
	{REFUSE, EINVAL, "EINVAL"},
	{REFUSE, ENOMEM, "ENOMEM"},
	{REFUSE, ENODEV, "ENODEV"},
	{REFUSE, EOPNOTSUPP, "EOPNOTSUPP"},
	{REFUSE, EEXIST, "EEXIST"},
	{LATE, EAGAIN, "late answer"},
	{NEVER, EAGAIN, "no answer"},
	{OVERRUN, ENOBUFS, "ENOBUFS at receiving"},
	{UNSENT, ENOBUFS, "ENOBUFS at sending"},
	{INTERRUPT, 1, "one interrupted dump"},
	{INTERRUPT, 20, "twenty interrupted dumps"},
};

/* Of two faults in one run, and of one that stays. */
static const struct fault of_changes = {REFUSE, EBUSY, "EBUSY to changes", true};
static const struct fault *const harsh[] = {&of_changes, &faults[2],  &faults[5], &faults[8],
                                            &faults[9],  &faults[10], &faults[11]};

/* What is to fail, in the order of requests; and what has been asked so far. */
static struct {
	const struct fault *fault;
	unsigned at[2]; /* numbers of requests, from 1 */
	bool for_good;  /* all from the first on */
	unsigned count;
	int (*send)(void *context, const void *data, size_t length);
} plot;

static bool strikes(unsigned number)
{
	return plot.fault &&
	       (number == plot.at[0] || number == plot.at[1] || (plot.for_good && number >= plot.at[0]));
}

/* What is not to be refused. "No such device" of one that is there, "no such thing in this kernel" of what it has:
 * nobody could know better. */
static bool is_spared(const struct nlmsghdr *request)
{
	bool dump = (request->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP;
	if (plot.fault->way != REFUSE || request->nlmsg_type % 4 != 2) /* RTM_GET* */
		return false;
	if (plot.fault->of_changes)
		return true;
	return dump ? plot.fault->number == EOPNOTSUPP : plot.fault->number == ENODEV || plot.fault->number == EINVAL;
}

static bool before_request(struct fake *fake, const struct nlmsghdr *request)
{
	const struct fake_refusal refusal = {.errnum = plot.fault ? plot.fault->number : 0};

	if (!strikes(++plot.count) || is_spared(request))
		return false;
	if (plot.fault->way == INTERRUPT)
		fake->dump_intr = (unsigned)plot.fault->number;
	if (plot.fault->way == REFUSE)
		fake_queue_refusal(fake, request, &refusal);
	return plot.fault->way == REFUSE || plot.fault->way == NEVER;
}

static long after_request(struct fake *fake, const struct nlmsghdr *request)
{
	(void)fake;
	(void)request;
	if (!strikes(plot.count) || (plot.fault->way != LATE && plot.fault->way != OVERRUN))
		return 0;
	return -plot.fault->number;
}

static int send_or_not(void *context, const void *data, size_t length)
{
	unsigned messages = 0;
	bool unsent = false;
	const struct nlmsghdr *nlh = data;

	for (int left = (int)length; mnl_nlmsg_ok(nlh, left); nlh = mnl_nlmsg_next(nlh, &left))
		unsent |= strikes(plot.count + ++messages);
	if (!unsent || plot.fault->way != UNSENT)
		return plot.send(context, data, length);
	plot.count += messages;
	return -plot.fault->number;
}

/* --- one run --- */

/* What came of it. */
struct run {
	struct fake *fake;
	struct libbond_report *report;
	struct libbond_error err;
	int rc;
	unsigned requests;
	struct fake_state after;
};

static struct fake_state before, success;

static void run_once(struct run *run, const struct scenario *scenario)
{
	struct libbond_change *change = unit_change(scenario->change);
	struct libbond_plan *plan = NULL;

	run->fake = fake_new();
	run->fake->driver = true;
	fake_load(run->fake, &before);
	run->fake->on_request = before_request;
	run->fake->on_answer = after_request;
	plot.send = run->fake->transport.send;
	plot.count = 0;
	run->fake->transport.send = send_or_not;
	struct libbond *handle = fake_open(run->fake);
	assert_int_equal(libbond_report_new(&run->report), 0);
	memset(&run->err, 0, sizeof(run->err));
	run->rc = libbond_plan(handle, change, scenario->flags, run->report, &plan, &run->err);
	if (run->rc == 0)
		run->rc = libbond_plan_run(handle, plan, run->report, &run->err);
	run->requests = plot.count;
	fake_save(run->fake, &run->after);
	libbond_plan_free(plan);
	libbond_change_free(change);
	libbond_close(handle);
}

static void prepare(const struct scenario *scenario)
{
	struct run run;
	struct fake *fake = fake_new();
	office_build(fake);
	fake_save(fake, &before);
	memset(&plot, 0, sizeof(plot));
	run_once(&run, scenario);
	if (run.rc < 0)
		unit_fail("%s: %s; %s\n%s", scenario->sentence, run.err.message, run.err.hint, fake->log);
	success = run.after;
	libbond_report_free(run.report);
}

/* --- what must hold --- */

/* What goes wrong is told, each kind of it once, so that one look shows them all. */
static struct {
	struct account_kinds kinds;
	unsigned count;
} complaints;

static void complain(void *context, const char *sentence)
{
	const struct run *run = context;
	char lines[8192], kind[160], second[16] = "";

	complaints.count++;
	snprintf(kind, sizeof(kind), "%s: %.120s", plot.fault->name, sentence);
	if (!account_is_new(&complaints.kinds, kind))
		return;
	if (plot.at[1])
		snprintf(second, sizeof(second), " and %u", plot.at[1]);
	printf("# %s\n#   at request %u%s%s; rc %d, rolled_back %d: %s / %s\n", kind, plot.at[0], second,
	       plot.for_good ? " and for good" : "", run->rc, run->err.rolled_back, run->err.message, run->err.hint);
	if (complaints.kinds.count <= 6)
		printf("#   report: %s\n#   requests: %s\n", unit_report_text(run->report, 0, lines, sizeof(lines)),
		       run->fake->log);
	fflush(stdout);
}

static void try(const struct scenario *scenario, const struct fault *fault, unsigned first, unsigned second,
                bool for_good)
{
	struct run run;

	plot.fault = fault;
	plot.at[0] = first;
	plot.at[1] = second;
	plot.for_good = for_good;
	run_once(&run, scenario);
	const struct account account = {run.rc, &run.err, run.report, &before, &run.after, &success};
	account_check(&account, complain, &run);
	libbond_report_free(run.report);
}

static unsigned count_requests(const struct scenario *scenario, const struct fault *fault, unsigned first)
{
	struct run run;

	plot.fault = fault;
	plot.at[0] = first;
	plot.at[1] = 0;
	plot.for_good = false;
	run_once(&run, scenario);
	libbond_report_free(run.report);
	return run.requests;
}

static void finish(const struct scenario *scenario, unsigned runs)
{
	print_message("# %s: %u runs\n", scenario->sentence, runs);
	if (complaints.count)
		unit_fail("%u complaints in %u runs, of %u kinds", complaints.count, runs, complaints.kinds.count);
}

static void fails_once(void **state)
{
	const struct scenario *scenario = *state;
	unsigned runs = 0;

	prepare(scenario);
	memset(&complaints, 0, sizeof(complaints));
	unsigned total = count_requests(scenario, NULL, 0);
	for (unsigned at = 1; at <= total; at++)
		for (size_t i = 0; i < COUNT(faults); i++, runs++)
			try(scenario, &faults[i], at, 0, false);
	finish(scenario, runs);
}

/* Calls visit for every pair of requests that can fail in one run, the second at the earliest after the first. */
static void each_pair(const struct scenario *scenario,
                      void (*visit)(const struct scenario *scenario, const struct fault *fault, unsigned first,
                                    unsigned second))
{
	unsigned total = count_requests(scenario, NULL, 0);
	for (unsigned first = 1; first <= total; first++)
		for (size_t i = 0; i < COUNT(harsh); i++) {
			unsigned end = count_requests(scenario, harsh[i], first);
			for (unsigned second = first + 1; second <= end; second++)
				visit(scenario, harsh[i], first, second);
		}
}

/* There are tens of thousands: every so manieth is tried, which ones is left to chance (UNIT_SEED); UNIT_ALL tries
 * all. */
enum { PAIRS = 400 };

static struct {
	unsigned count, step, offset, runs;
} pairs;

static void count_pair(const struct scenario *scenario, const struct fault *fault, unsigned first, unsigned second)
{
	(void)scenario;
	(void)fault;
	(void)first;
	(void)second;
	pairs.count++;
}

static void try_pair(const struct scenario *scenario, const struct fault *fault, unsigned first, unsigned second)
{
	if (pairs.count++ % pairs.step != pairs.offset)
		return;
	try(scenario, fault, first, second, false);
	pairs.runs++;
}

static void fails_twice(void **state)
{
	static unsigned long seed;
	const struct scenario *scenario = *state;
	const char *wish = getenv("UNIT_SEED");

	if (!seed) {
		seed = wish ? strtoul(wish, NULL, 0) : (unsigned long)getpid();
		print_message("# UNIT_SEED=%lu\n", seed);
	}
	prepare(scenario);
	memset(&complaints, 0, sizeof(complaints));
	memset(&pairs, 0, sizeof(pairs));
	each_pair(scenario, count_pair);
	pairs.step = getenv("UNIT_ALL") ? 1 : pairs.count / PAIRS + 1;
	pairs.offset = (unsigned)(seed % pairs.step);
	pairs.count = 0;
	each_pair(scenario, try_pair);
	finish(scenario, pairs.runs);
}

static void fails_for_good(void **state)
{
	const struct scenario *scenario = *state;
	unsigned runs = 0;

	prepare(scenario);
	memset(&complaints, 0, sizeof(complaints));
	unsigned total = count_requests(scenario, NULL, 0);
	for (unsigned at = 1; at <= total; at++)
		for (size_t i = 0; i < COUNT(harsh); i++, runs++)
			try(scenario, harsh[i], at, 0, true);
	finish(scenario, runs);
}

int main(void)
{
	static const struct {
		const char *sentence;
		void (*test)(void **state);
	} kinds[] = {
		{"whichever request fails, all is as it was or accounted for", fails_once},
		{"two failures are accounted for", fails_twice},
		{"failures that stay are accounted for", fails_for_good},
	};
	static struct CMUnitTest tests[COUNT(kinds) * SCENARIOS_MAX];
	static char names[COUNT(tests)][160];
	size_t count = COUNT(kinds) * scenario_count;

	assert_true(scenario_count <= SCENARIOS_MAX);
	for (size_t i = 0; i < count; i++) {
		const struct scenario *scenario = &scenarios[i / COUNT(kinds)];
		snprintf(names[i], sizeof(names[i]), "%s: %s", scenario->sentence, kinds[i % COUNT(kinds)].sentence);
		tests[i] = (struct CMUnitTest){names[i], kinds[i % COUNT(kinds)].test, NULL, NULL,
		                               (void *)(uintptr_t)scenario};
	}
	cmocka_set_test_filter(getenv("UNIT_FILTER"));
	return _cmocka_run_group_tests("faults", tests, count, NULL, NULL);
}
