/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Changes that are taken back: a plan undone after its success, a change given up before each of its steps, and other
 * programs that write in between, whose writing is never overwritten by undoing. Tests lib/undo.c and run.c on the
 * machine of office.h; failures of requests are faults.c's.
 */
#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "account.h"
#include "office.h"
#include "unit.h"
#include "words.h"

/* One change of the machine, from its plan to its end. */
struct trial {
	struct fake *fake;
	struct libbond *handle;
	struct libbond_change *change;
	struct libbond_plan *plan;
	struct libbond_report *report;
	struct libbond_error err;
	int rc;
	char text[8192];
};

static struct fake_state before, after;
static struct fake_difference differences[FAKE_DIFFERENCES];

static void start(struct trial *trial, const char *change, unsigned flags)
{
	*trial = (struct trial){.fake = fake_new()};
	office_build(trial->fake);
	fake_save(trial->fake, &before);
	trial->handle = fake_open(trial->fake);
	trial->change = unit_change(change);
	assert_int_equal(libbond_report_new(&trial->report), 0);
	trial->rc = libbond_plan(trial->handle, trial->change, flags, trial->report, &trial->plan, &trial->err);
	if (trial->rc < 0)
		unit_fail("%s: %s", change, trial->err.message);
}

static void run(struct trial *trial)
{
	fake_forget(trial->fake);
	trial->rc = libbond_plan_run(trial->handle, trial->plan, trial->report, &trial->err);
}

static void end(struct trial *trial)
{
	libbond_plan_free(trial->plan);
	libbond_report_free(trial->report);
	libbond_change_free(trial->change);
	libbond_close(trial->handle);
}

static const char *report_of(struct trial *trial)
{
	return unit_report_text(trial->report, 0, trial->text, sizeof(trial->text));
}

/* "bond0 miimon; eth0 up": in what it is not as it was. */
static const char *differences_of(const struct trial *trial)
{
	static char text[4096];
	size_t used = 0;

	fake_save(trial->fake, &after);
	size_t count = fake_compare(&before, &after, differences);
	text[0] = '\0';
	for (size_t i = 0; i < count && used < sizeof(text); i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s %s", i ? "; " : "",
		                         differences[i].device, differences[i].what);
	return text;
}

/* --- after a success --- */

static void undone_after_success(void **state)
{
	const struct scenario *scenario = *state;
	struct trial trial;

	start(&trial, scenario->change, scenario->flags);
	run(&trial);
	if (trial.rc < 0)
		unit_fail("%s; %s", trial.err.message, trial.err.hint);
	assert_true(*differences_of(&trial));
	fake_forget(trial.fake);
	int rc = libbond_plan_undo(trial.handle, trial.plan, trial.report, &trial.err);
	const char *left = differences_of(&trial);
	for (size_t i = 0; rc == 0 && i < fake_compare(&before, &after, differences); i++)
		if (!account_is_drawn_anew(trial.report, &differences[i]))
			unit_fail("undone, and this is not as it was: %s\n%s\n%s", left, report_of(&trial),
			          trial.fake->log);
	for (size_t i = 0; rc < 0 && i < fake_compare(&before, &after, differences); i++)
		if (!account_names(trial.report, &differences[i]))
			unit_fail("nobody says that %s of %s is not what it was: %s; %s\n%s", differences[i].what,
			          differences[i].device, trial.err.message, trial.err.hint, report_of(&trial));
	if (rc < 0 && !*left)
		unit_fail("all is as it was, and yet: %d, %s; %s", rc, trial.err.message, trial.err.hint);
	if (rc == 0)
		for (size_t i = 0; i < libbond_report_count(trial.report); i++) {
			struct libbond_report_line line;
			libbond_report_line(trial.report, i, &line);
			if (line.outcome == LIBBOND_OUTCOME_APPLIED)
				unit_fail("undone, and %s is still said to be applied: %s", line.device,
				          report_of(&trial));
		}
	end(&trial);
}

static void an_undone_plan_is_told_as_such(void **state)
{
	struct trial trial;
	(void)state;
	start(&trial, "bond bond0 resend_igmp 3 miimon 100; has eth1 prio 7; in eth3", 0);
	run(&trial);
	unit_assert_text("report",
	                 "bond0 miimon 100 unchanged; bond0 resend_igmp 3 applied; "
	                 "eth1 prio 7 applied (counts only while there is no primary); eth3 enslave applied",
	                 report_of(&trial));
	fake_forget(trial.fake);
	assert_int_equal(libbond_plan_undo(trial.handle, trial.plan, trial.report, &trial.err), 0);
	unit_assert_text("report",
	                 "bond0 miimon 100 unchanged; bond0 resend_igmp 3 rolled_back; "
	                 "eth1 prio 7 rolled_back (counts only while there is no primary); eth3 enslave rolled_back",
	                 report_of(&trial));
	unit_assert_text("difference", "", differences_of(&trial));
	/* a second time there is nothing to do */
	fake_forget(trial.fake);
	assert_int_equal(libbond_plan_undo(trial.handle, trial.plan, trial.report, &trial.err), 0);
	assert_null(strstr(trial.fake->log, "set"));
	end(&trial);
}

static void a_plan_without_steps_is_undone_by_nothing(void **state)
{
	struct trial trial;
	(void)state;
	start(&trial, "bond bond0 miimon 100; in eth0", 0);
	run(&trial);
	assert_int_equal(trial.rc, 0);
	assert_int_equal(libbond_plan_undo(trial.handle, trial.plan, trial.report, &trial.err), 0);
	assert_null(strstr(trial.fake->log, "set"));
	unit_assert_text("difference", "", differences_of(&trial));
	end(&trial);
}

/* --- given up --- */

static struct libbond *to_cancel;

static bool cancel_at_tag(struct fake *fake, const struct nlmsghdr *request)
{
	(void)request;
	if (fake->tag && --fake->tag == 0)
		libbond_cancel(to_cancel);
	return false;
}

/* How many requests a run takes. */
static unsigned count_requests(const struct scenario *scenario)
{
	struct trial trial;
	start(&trial, scenario->change, scenario->flags);
	run(&trial);
	unsigned count = (unsigned)trial.fake->request_count;
	end(&trial);
	return count;
}

static void given_up_before_each_step(void **state)
{
	const struct scenario *scenario = *state;
	unsigned count = count_requests(scenario), cancelled = 0;

	for (unsigned at = 0; at <= count; at++) {
		struct trial trial;
		start(&trial, scenario->change, scenario->flags);
		to_cancel = trial.handle;
		trial.fake->tag = at;
		trial.fake->on_request = cancel_at_tag;
		if (at == 0)
			libbond_cancel(trial.handle);
		run(&trial);
		if (trial.rc == 0) { /* too late: all was done */
			end(&trial);
			continue;
		}
		cancelled++;
		unit_assert_error(&trial.err, LIBBOND_CAUSE_CANCELLED, EINTR, NULL);
		const char *left = differences_of(&trial);
		for (size_t i = 0; i < fake_compare(&before, &after, differences); i++)
			if (!account_is_drawn_anew(trial.report, &differences[i]) &&
			    (trial.err.rolled_back || !account_names(trial.report, &differences[i])))
				unit_fail("given up at request %u, rolled_back %d: %s\n%s\n%s", at,
				          trial.err.rolled_back, left, report_of(&trial), trial.fake->log);
		if (at == 0 && strstr(trial.fake->log, "set"))
			unit_fail("given up before it began, and yet: %s", trial.fake->log);
		end(&trial);
	}
	if (!cancelled)
		unit_fail("it cannot be given up");
}

static void a_handle_stays_cancelled_until_its_next_plan(void **state)
{
	struct trial trial;
	struct libbond_plan *again;
	(void)state;
	start(&trial, "bond bond0 resend_igmp 3", 0);
	libbond_cancel(trial.handle);
	run(&trial);
	assert_int_equal(trial.rc, -EINTR);
	assert_int_equal(libbond_plan(trial.handle, trial.change, 0, NULL, &again, NULL), 0);
	assert_int_equal(libbond_plan_run(trial.handle, again, NULL, NULL), 0);
	libbond_cancel(trial.handle);
	/* taking it back is not given up */
	assert_int_equal(libbond_plan_undo(trial.handle, again, NULL, NULL), 0);
	unit_assert_text("difference", "", differences_of(&trial));
	libbond_plan_free(again);
	end(&trial);
}

/* --- other programs --- */

static uint32_t igmp_of_bond0(struct fake *fake)
{
	return fake_number(fake_find(fake, "bond0"), LIBBOND_SCOPE_BOND, LB_BOND_RESEND_IGMP);
}

static uint32_t master_of_eth3(struct fake *fake)
{
	return fake_number(fake_find(fake, "eth3"), LIBBOND_SCOPE_LINK, LB_IFLA_MASTER);
}

/* At the request number "tag" that changes something somebody writes something; the kernel refuses the one with the
 * number "refuse_at" (0: none). */
static void (*write_something)(struct fake *fake);
static unsigned refuse_at;

#define WITH_LOOKS 1000 /* "tag": before the first look that goes with a change */

static bool write_and_refuse(struct fake *fake, const struct nlmsghdr *request)
{
	const struct fake_refusal refusal = {.errnum = EBUSY};

	if (fake->changing && fake->tag == WITH_LOOKS) {
		fake->tag = 0;
		write_something(fake);
	}
	if (request->nlmsg_type == RTM_GETLINK)
		return false;
	if (fake->tag != WITH_LOOKS && fake->tag && --fake->tag == 0)
		write_something(fake);
	if (refuse_at == 0 || --refuse_at)
		return false;
	fake_queue_refusal(fake, request, &refusal);
	return true;
}

/* A run in which somebody writes before the change number "at", and the one number "refused" (0: none) is refused. */
static void run_with_writer(struct trial *trial, unsigned at, unsigned refused, void (*writer)(struct fake *fake))
{
	trial->fake->tag = at;
	write_something = writer;
	refuse_at = refused;
	trial->fake->on_request = write_and_refuse;
	run(trial);
}

static void write_igmp(struct fake *fake)
{
	fake_u32(fake_find(fake, "bond0"), LIBBOND_SCOPE_BOND, LB_BOND_RESEND_IGMP, 77);
}

static void write_grat_arp(struct fake *fake)
{
	fake_u8(fake_find(fake, "bond0"), LIBBOND_SCOPE_BOND, LB_BOND_NUM_PEER_NOTIF, 9);
}

static void add_a_route(struct fake *fake)
{
	fake_route(fake, 1, "198.51.99.0/24", NULL);
}

static void take_eth3(struct fake *fake)
{
	struct fake_link *eth3 = fake_find(fake, "eth3");
	if (eth3->slave_kind)
		fake_enslave(fake, "eth3", "bond2");
}

static const char steps[] = "bond bond0 resend_igmp 3; in eth3; has eth1 prio 7; has eth0 txqueuelen 5";

static void what_was_written_after_our_step_stays(void **state)
{
	struct trial trial;
	(void)state;
	/* set bond0; set eth3 master; ...: the third is refused, and by then another has written what the first did
	 */
	start(&trial, steps, 0);
	run_with_writer(&trial, 3, 4, write_igmp);
	assert_int_equal(trial.rc, -EBUSY);
	unit_assert_text("difference", "bond0 resend_igmp", differences_of(&trial));
	assert_int_equal(igmp_of_bond0(trial.fake), 77);
	unit_assert_contains("bond0 resend_igmp 3 overridden", report_of(&trial));
	end(&trial);
	/* the change succeeds but for that */
	start(&trial, steps, 0);
	run_with_writer(&trial, 3, 0, write_igmp);
	unit_assert_error(&trial.err, LIBBOND_CAUSE_OVERRIDDEN, EBUSY, "resend_igmp");
	unit_assert_text("difference", "bond0 resend_igmp", differences_of(&trial));
	assert_int_equal(igmp_of_bond0(trial.fake), 77);
	end(&trial);
}

static void what_is_none_of_ours_stays(void **state)
{
	static void (*const writers[])(struct fake * fake) = {write_grat_arp, add_a_route};
	static const char *const expected[] = {"bond0 num_grat_arp", "lo 198.51.99.0/24"};
	(void)state;
	for (size_t i = 0; i < COUNT(writers); i++)
		for (unsigned at = 1; at < 8; at++)
			for (unsigned refused = 1; refused < 8; refused++) {
				struct trial trial;
				start(&trial, steps, 0);
				run_with_writer(&trial, at, refused, writers[i]);
				const char *left = differences_of(&trial);
				if (trial.rc < 0 && strcmp(left, expected[i]) != 0 && !(at > refused && !*left))
					unit_fail("written before %u, refused %u: %s; %s\n%s", at, refused, left,
					          trial.err.message, trial.fake->log);
				end(&trial);
			}
}

static void a_slave_that_another_took_is_left_to_it(void **state)
{
	struct trial trial;
	(void)state;
	start(&trial, steps, 0);
	run_with_writer(&trial, 4, 4, take_eth3); /* "set #4 slave prio" is refused */
	assert_int_equal(trial.rc, -EBUSY);
	assert_int_equal(master_of_eth3(trial.fake), 17);
	unit_assert_contains("eth3 enslave overridden", report_of(&trial));
	end(&trial);
	start(&trial, steps, 0);
	run_with_writer(&trial, 4, 0, take_eth3);
	unit_assert_error(&trial.err, LIBBOND_CAUSE_OVERRIDDEN, EBUSY, NULL);
	unit_assert_text("device", "eth3", trial.err.device);
	assert_int_equal(master_of_eth3(trial.fake), 17);
	assert_int_equal(igmp_of_bond0(trial.fake), 1);
	end(&trial);
}

static uint32_t prio_of_eth1(struct fake *fake)
{
	return fake_number(fake_find(fake, "eth1"), LIBBOND_SCOPE_SLAVE, LB_SLAVE_PRIO);
}

/* Before the very first request that changes something, and that is the one that writes over it. */
/* The first change is done, and its answer is lost. */
static long lose_first_answer(struct fake *fake, const struct nlmsghdr *request)
{
	if (request->nlmsg_type != RTM_NEWLINK)
		return 0;
	fake->on_answer = NULL;
	return -EAGAIN;
}

static void what_was_written_before_a_step_that_nobody_answered_comes_back(void **state)
{
	struct trial trial;
	(void)state;
	start(&trial, "bond bond0 resend_igmp 3", 0);
	trial.fake->on_answer = lose_first_answer;
	run_with_writer(&trial, WITH_LOOKS, 0, write_igmp);
	assert_int_equal(trial.rc, -ETIMEDOUT);
	assert_int_equal(igmp_of_bond0(trial.fake), 77);
	unit_assert_contains("bond0 resend_igmp 3 overridden", report_of(&trial));
	end(&trial);
}

static void what_was_written_before_our_step_is_what_comes_back(void **state)
{
	struct trial trial;
	(void)state;
	start(&trial, steps, 0);
	run_with_writer(&trial, WITH_LOOKS, 0, write_igmp);
	unit_assert_error(&trial.err, LIBBOND_CAUSE_OVERRIDDEN, EBUSY, "resend_igmp");
	unit_assert_text("message",
	                 "resend_igmp on bond0 has been set to 77 by another program since the change was planned",
	                 trial.err.message);
	unit_assert_text("difference", "bond0 resend_igmp", differences_of(&trial));
	assert_int_equal(igmp_of_bond0(trial.fake), 77);
	assert_true(trial.err.rolled_back);
	unit_assert_contains("bond0 resend_igmp 3 overridden", report_of(&trial));
	unit_assert_contains("eth3 enslave not_tried", report_of(&trial));
	end(&trial);
	/* what the change does not touch is no reason to stop, and stays through an undo */
	for (unsigned refused = 0; refused < 5; refused++) {
		start(&trial, steps, 0);
		run_with_writer(&trial, WITH_LOOKS, refused, write_grat_arp);
		assert_int_equal(trial.rc < 0, refused != 0);
		if (refused)
			unit_assert_text("difference", "bond0 num_grat_arp", differences_of(&trial));
		end(&trial);
	}
	/* nor is the very value that is wanted; but it was another's then */
	start(&trial, "bond bond0 resend_igmp 77; has eth1 prio 7", 0);
	run_with_writer(&trial, WITH_LOOKS, 0, write_igmp);
	assert_int_equal(trial.rc, 0);
	assert_int_equal(libbond_plan_undo(trial.handle, trial.plan, trial.report, &trial.err), 0);
	unit_assert_text("difference", "bond0 resend_igmp", differences_of(&trial));
	assert_int_equal(igmp_of_bond0(trial.fake), 77);
	end(&trial);
}

static void what_was_written_before_our_undoing_is_left(void **state)
{
	struct trial trial;
	(void)state;
	start(&trial, steps, 0);
	run(&trial);
	assert_int_equal(trial.rc, 0);
	assert_int_equal(prio_of_eth1(trial.fake), 7);
	trial.fake->tag = WITH_LOOKS;
	write_something = write_igmp;
	refuse_at = 0;
	trial.fake->on_request = write_and_refuse;
	assert_int_equal(libbond_plan_undo(trial.handle, trial.plan, trial.report, &trial.err), 0);
	unit_assert_text("difference", "bond0 resend_igmp", differences_of(&trial));
	assert_int_equal(igmp_of_bond0(trial.fake), 77);
	unit_assert_contains("bond0 resend_igmp 3 overridden", report_of(&trial));
	unit_assert_contains("eth1 prio 7 rolled_back", report_of(&trial));
	end(&trial);
}

static void what_was_written_since_is_not_undone(void **state)
{
	struct trial trial;
	(void)state;
	start(&trial, steps, 0);
	run(&trial);
	assert_int_equal(trial.rc, 0);
	write_igmp(trial.fake);
	take_eth3(trial.fake);
	assert_int_equal(libbond_plan_undo(trial.handle, trial.plan, trial.report, &trial.err), 0);
	assert_int_equal(igmp_of_bond0(trial.fake), 77);
	assert_int_equal(master_of_eth3(trial.fake), 17);
	unit_assert_contains("bond0 resend_igmp 3 overridden", report_of(&trial));
	unit_assert_contains("eth3 enslave overridden", report_of(&trial));
	unit_assert_contains("eth1 prio 7 rolled_back", report_of(&trial));
	end(&trial);
}

static void a_bond_that_vanished_is_undone_with_it(void **state)
{
	struct trial trial;
	(void)state;
	start(&trial, "bond bond9 @new mode 1; in eth3", 0);
	run(&trial);
	assert_int_equal(trial.rc, 0);
	fake_remove(trial.fake, fake_find(trial.fake, "bond9")->ifindex);
	assert_int_equal(libbond_plan_undo(trial.handle, trial.plan, trial.report, &trial.err), 0);
	unit_assert_text("difference", "", differences_of(&trial));
	end(&trial);
}

int main(void)
{
	static const struct CMUnitTest others[] = {
		TEST("a plan that is undone is told as such, and a second time there is nothing to do",
	             an_undone_plan_is_told_as_such),
		TEST("a plan without steps is undone by nothing", a_plan_without_steps_is_undone_by_nothing),
		TEST("a handle stays cancelled until its next plan, and undoing is not given up",
	             a_handle_stays_cancelled_until_its_next_plan),
		TEST("what another program wrote after our step stays, and is said",
	             what_was_written_after_our_step_stays),
		TEST("what was none of ours stays, whenever it was written", what_is_none_of_ours_stays),
		TEST("what another program wrote just before our step is found out, and comes back",
	             what_was_written_before_our_step_is_what_comes_back),
		TEST("what another program wrote just before a step that nobody answered comes back",
	             what_was_written_before_a_step_that_nobody_answered_comes_back),
		TEST("what another program wrote just before our undoing is left as it is",
	             what_was_written_before_our_undoing_is_left),
		TEST("a slave that another program took is left to it", a_slave_that_another_took_is_left_to_it),
		TEST("what another program wrote since the success is not undone",
	             what_was_written_since_is_not_undone),
		TEST("a new bond that somebody has deleted is as undone as can be",
	             a_bond_that_vanished_is_undone_with_it),
	};
	static const struct {
		const char *sentence;
		void (*test)(void **state);
	} kinds[] = {
		{"undone after its success, all is as it was", undone_after_success},
		{"given up before any step, all is as it was", given_up_before_each_step},
	};
	static struct CMUnitTest tests[COUNT(others) + COUNT(kinds) * SCENARIOS_MAX];
	static char names[COUNT(tests)][160];
	size_t count = COUNT(others);

	memcpy(tests, others, sizeof(others));
	assert_true(scenario_count <= SCENARIOS_MAX);
	for (size_t i = 0; i < COUNT(kinds) * scenario_count; i++, count++) {
		const struct scenario *scenario = &scenarios[i / COUNT(kinds)];
		snprintf(names[count], sizeof(names[0]), "%s: %s", scenario->sentence,
		         kinds[i % COUNT(kinds)].sentence);
		tests[count] = (struct CMUnitTest){names[count], kinds[i % COUNT(kinds)].test, NULL, NULL,
		                                   (void *)(uintptr_t)scenario};
	}
	cmocka_set_test_filter(getenv("UNIT_FILTER"));
	return _cmocka_run_group_tests("undo", tests, count, NULL, NULL);
}
