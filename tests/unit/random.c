/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changes made of random wishes, one after another on the machine of office.h, some with a request that fails: what
 * was refused has sent nothing, what succeeded leaves nothing to do and can be taken back, what failed is accounted
 * for. Runs for UNIT_SECONDS (2); each round has a number, and UNIT_SEED=N starts with that round.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "account.h"
#include "office.h"
#include "unit.h"
#include "words.h"

/* --- chance --- */

static uint64_t chance;

/* 0 to limit - 1 (xorshift64*) */
static unsigned below(unsigned limit)
{
	chance ^= chance >> 12;
	chance ^= chance << 25;
	chance ^= chance >> 27;
	return (unsigned)((chance * 0x2545f4914f6cdd1dULL) >> 33) % limit;
}

static bool one_in(unsigned many)
{
	return below(many) == 0;
}

/* --- wishes --- */

struct choice {
	const char *option, *values[6]; /* as many as are not NULL */
};

static const struct choice of_bonds[] = {
	{"miimon", {"0", "50", "100", "60"}},
	{"updelay", {"0", "100", "200"}},
	{"downdelay", {"0", "100", "150"}},
	{"arp_interval", {"0", "100", "200"}},
	{"arp_ip_target", {"none", "192.0.2.1", "+192.0.2.2", "192.0.2.1,192.0.2.2"}},
	{"arp_validate", {"none", "all"}},
	{"primary", {"eth0", "eth1", "eth2"}},
	{"active_slave", {"eth0", "eth1", "eth4"}},
	{"primary_reselect", {"always", "failure"}},
	{"fail_over_mac", {"none", "active"}},
	{"xmit_hash_policy", {"layer2", "layer3+4"}},
	{"resend_igmp", {"0", "1", "7"}},
	{"min_links", {"0", "1", "2"}},
	{"lacp_rate", {"slow", "fast"}},
	{"ad_select", {"stable", "count"}},
	{"ad_actor_sys_prio", {"7", "65535"}},
	{"tlb_dynamic_lb", {"off", "on"}},
	{"packets_per_slave", {"1", "9"}},
	{"broadcast_neighbor", {"off", "on"}},
	{"mtu", {"1500", "9000", "1200", "1400"}},
	{"address", {"02:00:00:00:00:77", "02:00:00:00:00:78"}},
	{"txqueuelen", {"1000", "5"}},
	{"up", {"on", "off"}},
};

static const struct choice of_slaves[] = {
	{"prio", {"0", "5", "-3"}}, {"queue_id", {"0", "1", "2", "3"}},
	{"mtu", {"1500", "1400"}},  {"txqueuelen", {"1000", "7"}},
	{"up", {"on", "off"}},
};

struct words {
	char text[1024];
	size_t used;
};

/* What is being done, and what came of it. */
static struct round {
	unsigned long number;
	struct words words;
	unsigned flags;
	struct fake *fake;
	struct libbond *handle;
	struct libbond_change *change;
	struct libbond_plan *plan;
	struct libbond_report *report;
	struct libbond_error err;
	int rc;
	unsigned fails_at, errnum; /* the request that fails, 0: none */
} now;

__attribute__((format(printf, 2, 3))) static void say(struct words *words, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	words->used += (size_t)vsnprintf(words->text + words->used, sizeof(words->text) - words->used, format, args);
	va_end(args);
	assert_true(words->used < sizeof(words->text));
}

static void say_options(struct words *words, const struct choice *choices, size_t count, unsigned one_of)
{
	for (size_t i = 0; i < count; i++) {
		size_t values = 0;
		while (values < COUNT(choices[i].values) && choices[i].values[values])
			values++;
		if (one_in(one_of))
			say(words, " %s %s", choices[i].option, choices[i].values[below((unsigned)values)]);
	}
}

/* Some of the devices, each of one bond. */
static void say_slaves(struct words *words, bool taken[8], bool exact)
{
	unsigned first = below(7);
	for (unsigned i = 0; i < 7; i++) {
		unsigned device = (first + i) % 7;
		if (taken[device] || !one_in(exact ? 2 : 5))
			continue;
		taken[device] = true;
		say(words, "; in eth%u", device);
		say_options(words, of_slaves, COUNT(of_slaves), 6);
	}
}

/* A change that says how things are to be, so that it can be planned again. */
static void say_change(struct words *words)
{
	unsigned first = below(4), bonds = 1 + below(2);
	bool taken[8] = {false};

	*words = (struct words){.used = 0};
	for (unsigned b = 0; b < bonds; b++) {
		bool exact = one_in(3);
		char name[LIBBOND_NAME_SIZE];
		snprintf(name, sizeof(name), "bond%u", (first + b) % 4);
		say(words, "%sbond %s @create%s%s", b ? "; " : "", name, exact ? " @exact" : "",
		    one_in(3) ? " @lenient" : "");
		/* of a new one the module's parameters decide, which nobody knows */
		if (!fake_find(now.fake, name) || one_in(4))
			say(words, " mode %u", below(LIBBOND_MODES));
		say_options(words, of_bonds, COUNT(of_bonds), 6 + below(20));
		say_slaves(words, taken, exact);
	}
	if (one_in(8))
		say(words, "; prune");
}

/* --- one round --- */

static struct fake_state before, after;
static struct {
	unsigned refused, done, failed, empty, bad;
} tally;

/* What goes wrong is told, each kind of it once, and the rounds go on. */
static void complain(void *context, const char *sentence)
{
	static struct account_kinds kinds;
	char text[8192];
	(void)context;
	tally.bad++;
	if (!account_is_new(&kinds, sentence))
		return;
	printf("# UNIT_SEED=%lu: %s\n# %s; flags %u; request %u fails with %u\n", now.number, sentence,
	       now.words.text, now.flags, now.fails_at, now.errnum);
	printf("# rc %d, rolled_back %d: %s / %s\n", now.rc, now.err.rolled_back, now.err.message, now.err.hint);
	printf("# report: %s\n", unit_report_text(now.report, 0, text, sizeof(text)));
	printf("# requests: %s\n", now.fake->log);
	fflush(stdout);
}

static bool refuse_one(struct fake *fake, const struct nlmsghdr *request)
{
	const struct fake_refusal refusal = {.errnum = (int)now.errnum};

	if (request->nlmsg_type % 4 == 2 || fake->tag == 0 || --fake->tag) /* RTM_GET* */
		return false;
	fake_queue_refusal(fake, request, &refusal);
	return true;
}

static void check_refusal(void)
{
	struct fake_difference differences[FAKE_DIFFERENCES];

	tally.refused++;
	if (strstr(now.fake->log, "set ") || strstr(now.fake->log, "create ") || strstr(now.fake->log, "delete "))
		complain(NULL, "refused, and yet something was sent");
	if (now.err.errnum != -now.rc || !*now.err.message)
		complain(NULL, "the error does not fit");
	fake_save(now.fake, &after);
	if (fake_compare(&before, &after, differences))
		complain(NULL, "refused, and yet it is not as it was");
}

/* A primary that is no slave is remembered, and shown nowhere: it is said anew each time, and who is active with it.
 */
static bool is_pending(const struct libbond_plan *plan)
{
	struct libbond_step step;
	for (size_t i = 0; libbond_plan_step(plan, i, &step) == 0; i++) {
		size_t known = 0;
		if (strcmp(step.action, "put_back") == 0) /* what that could cost */
			continue;
		if (step.config)
			known = (size_t)libbond_config_has(step.config, BOND("primary")) +
			        (size_t)libbond_config_has(step.config, BOND("active_slave"));
		if (!known || libbond_config_count(step.config) != known)
			return false;
	}
	return true;
}

static void check_again(void)
{
	struct libbond_plan *again;
	struct libbond_error err = {0};
	char text[4096];

	if (libbond_plan(now.handle, now.change, now.flags, NULL, &again, &err) < 0) {
		snprintf(text, sizeof(text), "done, and refused when it is planned again: %s", err.message);
		complain(NULL, text);
		return;
	}
	if (libbond_plan_steps(again) && !is_pending(again)) {
		char steps[2048];
		snprintf(text, sizeof(text), "done, and to be done again: %s",
		         unit_plan_text(again, steps, sizeof(steps)));
		complain(NULL, text);
	}
	libbond_plan_free(again);
}

static void take_back(void)
{
	now.rc = libbond_plan_undo(now.handle, now.plan, now.report, &now.err);
	now.err.rolled_back = now.rc == 0;
	fake_save(now.fake, &after);
	const struct account account = {
		now.rc < 0 ? now.rc : -ECANCELED, &now.err, now.report, &before, &after, NULL};
	if (now.rc == 0)
		snprintf(now.err.message, sizeof(now.err.message), "undone"), now.err.errnum = ECANCELED;
	account_check(&account, complain, NULL);
}

static void run_plan(void)
{
	now.fake->tag = now.fails_at;
	now.fake->on_request = refuse_one;
	now.rc = libbond_plan_run(now.handle, now.plan, now.report, &now.err);
	now.fake->on_request = NULL;
	fake_save(now.fake, &after);
	const struct account account = {now.rc, &now.err, now.report, &before, &after, NULL};
	account_check(&account, complain, NULL);
	/* that fail_over_mac makes the driver deaf to an address nobody is told beforehand */
	const bool deaf =
		now.err.cause == LIBBOND_CAUSE_IGNORED ||
		(now.err.cause == LIBBOND_CAUSE_OVERRIDDEN && now.err.attr && !strcmp(now.err.attr->name, "address"));
	if (now.rc < 0 && !now.fails_at && !deaf)
		complain(NULL, "the driver does not take what was planned");
	tally.failed += now.rc < 0;
	tally.done += now.rc == 0;
	tally.empty += libbond_plan_steps(now.plan) == 0;
	if (now.rc < 0)
		return;
	if (!now.fails_at)
		check_again();
	if (one_in(2))
		take_back();
}

static void play(unsigned long number)
{
	static const unsigned errnums[] = {EPERM, EBUSY, EINVAL, ENOMEM, EOPNOTSUPP};

	now = (struct round){.number = number, .fake = now.fake};
	say_change(&now.words);
	now.flags = below(8); /* cycle, force, steal */
	now.fails_at = one_in(3) ? 1 + below(12) : 0;
	now.errnum = errnums[below(COUNT(errnums))];
	fake_forget(now.fake);
	fake_save(now.fake, &before);
	now.handle = fake_open(now.fake);
	now.change = unit_change(now.words.text);
	assert_int_equal(libbond_report_new(&now.report), 0);
	now.rc = libbond_plan(now.handle, now.change, now.flags, now.report, &now.plan, &now.err);
	if (now.rc < 0)
		check_refusal();
	else
		run_plan();
	libbond_plan_free(now.plan);
	libbond_report_free(now.report);
	libbond_change_free(now.change);
	libbond_close(now.handle);
}

/* The library's clock stands still here, and so does this program's: what passes is seen by the processor time. */
static double seconds(void)
{
	struct tms used;
	times(&used);
	return (double)used.tms_utime / (double)sysconf(_SC_CLK_TCK);
}

static void any_change_of_any_state(void **state)
{
	const char *wish = getenv("UNIT_SEED"), *limit = getenv("UNIT_SECONDS");
	unsigned long first = wish ? strtoul(wish, NULL, 0) : (unsigned long)time(NULL) * 1000;
	double end = seconds() + (limit ? strtod(limit, NULL) : 2);
	unsigned long number = first;
	(void)state;

	print_message("# UNIT_SEED=%lu\n", first);
	do {
		now.fake = fake_new();
		office_build(now.fake);
		chance = (number + 1) * 0x9e3779b97f4a7c15ULL;
		for (int i = 0; i < 3; i++) /* one after another */
			play(number);
		number++;
	} while (seconds() < end);
	if (tally.bad)
		unit_fail("%u complaints in %lu rounds", tally.bad, number - first);
	print_message("# %lu rounds: %u refused, %u done (%u of them held), %u failed\n", number - first,
	              tally.refused, tally.done, tally.empty, tally.failed);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("any change is refused, done and can be taken back, or fails and is accounted for",
	             any_change_of_any_state),
	};
	return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
