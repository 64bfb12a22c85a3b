/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The report of a change: its lines, outcomes and notes. Tests lib/report.c; what the changes write into it is
 * change.c's and check.c's.
 */
#include "report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "unit.h"

static struct libbond_report *new_report(void)
{
	struct libbond_report *report;
	assert_int_equal(libbond_report_new(&report), 0);
	return report;
}

static struct libbond_report_line line_of(const struct libbond_report *report, size_t i)
{
	struct libbond_report_line line;
	assert_int_equal(libbond_report_line(report, i, &line), 0);
	return line;
}

static void add_wants(struct libbond_report *report, const char *device, const char *words)
{
	struct libbond_config *config = unit_config(words);
	for (size_t i = 0; i < config->count; i++)
		assert_int_equal(lb_report_want(report, device, NULL, &config->wants[i]), 0);
	libbond_config_free(config);
}

static void an_empty_report(void **state)
{
	struct libbond_report *report = new_report();
	struct libbond_report_line line = {.device = "untouched"};
	(void)state;
	assert_int_equal(libbond_report_count(report), 0);
	assert_int_equal(libbond_report_line(report, 0, &line), -ENOENT);
	assert_int_equal(libbond_report_line(report, (size_t)-1, &line), -ENOENT);
	unit_assert_text("line", "untouched", line.device);
	libbond_report_free(report);
	libbond_report_free(NULL);
}

static void lines_come_as_they_were_entered(void **state)
{
	struct libbond_report *report = new_report();
	(void)state;
	assert_int_equal(lb_report_device(report, "bond0", "create"), 0);
	add_wants(report, "bond0", "mode 4 arp_ip_target +10.0.0.1 primary eth0");
	assert_int_equal(libbond_report_count(report), 4);
	unit_assert_text("action", "create", line_of(report, 0).action);
	assert_null(line_of(report, 0).attr);
	unit_assert_text("value", "", line_of(report, 0).value);
	unit_assert_text("action", "set", line_of(report, 1).action);
	assert_ptr_equal(line_of(report, 1).attr, BOND("mode"));
	unit_assert_text("value", "802.3ad", line_of(report, 1).value);
	unit_assert_text("value", "+10.0.0.1", line_of(report, 2).value);
	unit_assert_text("value", "eth0", line_of(report, 3).value);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(line_of(report, i).outcome, LIBBOND_OUTCOME_NOT_TRIED);
		unit_assert_text("device", "bond0", line_of(report, i).device);
		unit_assert_text("note", "", line_of(report, i).note);
	}
	libbond_report_free(report);
}

static void marks_find_their_line(void **state)
{
	struct libbond_report *report = new_report();
	(void)state;
	add_wants(report, "bond0", "miimon 100");
	assert_int_equal(lb_report_device(report, "bond0", "delete"), 0);
	add_wants(report, "bond1", "miimon 100");
	lb_report_mark(report, "bond1", BOND("miimon"), LIBBOND_OUTCOME_APPLIED);
	lb_report_mark(report, "bond0", NULL, LIBBOND_OUTCOME_REFUSED);
	lb_report_mark(report, "bond2", BOND("miimon"), LIBBOND_OUTCOME_REFUSED); /* nobody */
	lb_report_mark(report, "bond0", BOND("mode"), LIBBOND_OUTCOME_REFUSED);
	assert_int_equal(line_of(report, 0).outcome, LIBBOND_OUTCOME_NOT_TRIED);
	assert_int_equal(line_of(report, 1).outcome, LIBBOND_OUTCOME_REFUSED);
	assert_int_equal(line_of(report, 2).outcome, LIBBOND_OUTCOME_APPLIED);
	libbond_report_free(report);
}

static void notes_are_joined_and_stay_inside(void **state)
{
	struct libbond_report *report = new_report();
	char long_note[400];
	(void)state;
	assert_int_equal(lb_report_device(report, "eth0", "enslave"), 0);
	lb_report_note(report, "eth0", NULL, "was %s", "up");
	lb_report_note(report, "eth0", NULL, "is down");
	unit_assert_text("note", "was up; is down", line_of(report, 0).note);
	memset(long_note, 'x', sizeof(long_note));
	long_note[sizeof(long_note) - 1] = '\0';
	for (int i = 0; i < 8; i++)
		lb_report_note(report, "eth0", NULL, "%s", long_note);
	assert_int_equal(strncmp(line_of(report, 0).note, "was up; is down; xxx", 20), 0);
	assert_true(strlen(line_of(report, 0).note) < 1024);
	lb_report_note(report, "eth1", NULL, "nobody");
	libbond_report_free(report);
}

static void outcomes_are_turned(void **state)
{
	struct libbond_report *report = new_report();
	(void)state;
	add_wants(report, "bond0", "mode 4 miimon 100 min_links 1");
	lb_report_mark(report, "bond0", BOND("mode"), LIBBOND_OUTCOME_APPLIED);
	lb_report_mark(report, "bond0", BOND("miimon"), LIBBOND_OUTCOME_UNCHANGED);
	lb_report_turn(report, LIBBOND_OUTCOME_APPLIED, LIBBOND_OUTCOME_ROLLED_BACK);
	assert_int_equal(line_of(report, 0).outcome, LIBBOND_OUTCOME_ROLLED_BACK);
	assert_int_equal(line_of(report, 1).outcome, LIBBOND_OUTCOME_UNCHANGED);
	assert_int_equal(line_of(report, 2).outcome, LIBBOND_OUTCOME_NOT_TRIED);
	libbond_report_free(report);
}

static void no_report_takes_everything(void **state)
{
	struct libbond_config *config = unit_config("miimon 100");
	(void)state;
	assert_int_equal(lb_report_device(NULL, "bond0", "create"), 0);
	assert_int_equal(lb_report_want(NULL, "bond0", NULL, &config->wants[0]), 0);
	lb_report_mark(NULL, "bond0", NULL, LIBBOND_OUTCOME_APPLIED);
	lb_report_note(NULL, "bond0", NULL, "note");
	lb_report_turn(NULL, LIBBOND_OUTCOME_APPLIED, LIBBOND_OUTCOME_ROLLED_BACK);
	libbond_config_free(config);
}

static void every_outcome_has_a_name(void **state)
{
	static const struct {
		enum libbond_outcome outcome;
		const char *name;
	} outcomes[] = {
		{LIBBOND_OUTCOME_APPLIED, "applied"},
		{LIBBOND_OUTCOME_UNCHANGED, "unchanged"},
		{LIBBOND_OUTCOME_UNVERIFIED, "unverified"},
		{LIBBOND_OUTCOME_REFUSED, "refused"},
		{LIBBOND_OUTCOME_IGNORED, "ignored"},
		{LIBBOND_OUTCOME_NOT_TRIED, "not_tried"},
		{LIBBOND_OUTCOME_ROLLED_BACK, "rolled_back"},
		{LIBBOND_OUTCOME_OVERRIDDEN, "overridden"},
		{LIBBOND_OUTCOME_LOST, "lost"},
	};
	size_t named = 0;
	(void)state;
	for (size_t i = 0; i < COUNT(outcomes); i++)
		unit_assert_text("outcome", outcomes[i].name, libbond_outcome_name(outcomes[i].outcome));
	for (int n = -1; n < 100; n++)
		named += strcmp(libbond_outcome_name((enum libbond_outcome)n), "unknown") != 0;
	assert_int_equal(named, COUNT(outcomes));
}

static void failures_have_their_outcomes(void **state)
{
	static const struct {
		enum libbond_cause cause;
		enum libbond_outcome outcome;
	} cases[] = {
		{LIBBOND_CAUSE_REFUSED, LIBBOND_OUTCOME_REFUSED},
		{LIBBOND_CAUSE_PERMISSION, LIBBOND_OUTCOME_REFUSED},
		{LIBBOND_CAUSE_NO_DRIVER, LIBBOND_OUTCOME_REFUSED},
		{LIBBOND_CAUSE_EXISTS, LIBBOND_OUTCOME_REFUSED},
		{LIBBOND_CAUSE_NO_DEVICE, LIBBOND_OUTCOME_REFUSED},
		{LIBBOND_CAUSE_MEMORY, LIBBOND_OUTCOME_NOT_TRIED},
		/* nobody knows */
		{LIBBOND_CAUSE_TIMEOUT, LIBBOND_OUTCOME_UNVERIFIED},
		{LIBBOND_CAUSE_SYSTEM, LIBBOND_OUTCOME_UNVERIFIED},
		{LIBBOND_CAUSE_PROTOCOL, LIBBOND_OUTCOME_UNVERIFIED},
	};
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct libbond_error err = {.cause = cases[i].cause};
		assert_int_equal(lb_outcome_of(&err), cases[i].outcome);
	}
}

static void the_longest_value_is_whole(void **state)
{
	struct libbond_report *report = new_report();
	char words[1024] = "ns_ip6_target ";
	(void)state;
	for (unsigned i = 0; i < LIBBOND_TARGETS_MAX; i++)
		snprintf(words + strlen(words), sizeof(words) - strlen(words),
		         "%s2001:1111:2222:3333:4444:5555:6666:%x", i ? "," : "", 0x7000 + i);
	add_wants(report, "bond0", words);
	unit_assert_text("value", words + strlen("ns_ip6_target "), line_of(report, 0).value);
	libbond_report_free(report);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("an empty report has no line", an_empty_report),
		TEST("lines come as they were entered, not tried", lines_come_as_they_were_entered),
		TEST("a mark finds the line of its device and attribute", marks_find_their_line),
		TEST("notes of a line are joined, and cut where there are too many",
	             notes_are_joined_and_stay_inside),
		TEST("lines of one outcome are turned into another", outcomes_are_turned),
		TEST("no report takes everything", no_report_takes_everything),
		TEST("every outcome has a name of its own", every_outcome_has_a_name),
		TEST("what failed without an answer is not called refused", failures_have_their_outcomes),
		TEST("the longest value is reported whole", the_longest_value_is_whole),
	};
	return cmocka_run_group_tests_name("report", tests, NULL, NULL);
}
