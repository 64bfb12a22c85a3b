/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns words into changes, and plans and reports into words. Sits between the tests of plan.c, guard.c, faults.c and
 * their like, and the public interface, of which it uses nothing else.
 */
#include "words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "unit.h"

/* --- changes --- */

static unsigned take_flags(char **rest)
{
	static const struct {
		const char *word;
		unsigned flag;
	} flags[] = {
		{"@create", LIBBOND_BOND_CREATE},   {"@new", LIBBOND_BOND_NEW},
		{"@delete", LIBBOND_BOND_DELETE},   {"@exact", LIBBOND_BOND_EXACT},
		{"@lenient", LIBBOND_BOND_LENIENT},
	};
	unsigned found = 0;
	while (*rest && **rest == '@') {
		const char *word = strsep(rest, " ");
		size_t i = 0;
		while (i < COUNT(flags) && strcmp(flags[i].word, word) != 0)
			i++;
		if (i == COUNT(flags))
			unit_fail("no flag '%s'", word);
		found |= flags[i].flag;
	}
	return found;
}

static void add_slave(struct libbond_change *change, const char *bond, const char *verb, char *rest)
{
	enum libbond_slave_wish wish = strcmp(verb, "in") == 0    ? LIBBOND_SLAVE_IN
	                               : strcmp(verb, "out") == 0 ? LIBBOND_SLAVE_OUT
	                                                          : LIBBOND_SLAVE_PRESENT;
	const char *slave = strsep(&rest, " ");
	struct libbond_config *config = rest ? unit_slave_config(rest) : NULL;
	struct libbond_error err = {0};

	if (libbond_change_slave(change, bond, slave, wish, config, &err) < 0)
		unit_fail("%s %s: %s", verb, slave, err.message);
	libbond_config_free(config);
}

static void add_replacement(struct libbond_change *change, const char *bond, char *rest)
{
	const char *old = strsep(&rest, " "), *new = strsep(&rest, " ");
	struct libbond_error err = {0};

	if (libbond_change_replace(change, bond, old, new, rest ? (unsigned)atoi(rest) : 0, &err) < 0)
		unit_fail("replace %s: %s", old, err.message);
}

static void add_bond(struct libbond_change *change, char bond[LIBBOND_NAME_SIZE], char *rest)
{
	struct libbond_error err = {0};

	snprintf(bond, LIBBOND_NAME_SIZE, "%s", strsep(&rest, " "));
	unsigned flags = take_flags(&rest);
	struct libbond_config *config = rest && *rest ? unit_config(rest) : NULL;
	if (libbond_change_bond(change, bond, flags, config, &err) < 0)
		unit_fail("bond %s: %s", bond, err.message);
	libbond_config_free(config);
}

static void add_defaults(struct libbond_change *change, const char *bond, const char *rest)
{
	struct libbond_config *config = unit_config(rest);
	struct libbond_error err = {0};

	if (libbond_change_defaults(change, bond, config, &err) < 0)
		unit_fail("defaults: %s", err.message);
	libbond_config_free(config);
}

struct libbond_change *unit_change(const char *statements)
{
	struct libbond_change *change;
	char copy[2048], *next = copy, *statement, bond[LIBBOND_NAME_SIZE] = "";

	assert_int_equal(libbond_change_new(&change), 0);
	snprintf(copy, sizeof(copy), "%s", statements);
	while ((statement = strsep(&next, ";"))) {
		statement += strspn(statement, " ");
		char *rest = statement;
		const char *verb = strsep(&rest, " ");
		if (strcmp(verb, "bond") == 0)
			add_bond(change, bond, rest);
		else if (strcmp(verb, "in") == 0 || strcmp(verb, "out") == 0 || strcmp(verb, "has") == 0)
			add_slave(change, bond, verb, rest);
		else if (strcmp(verb, "replace") == 0)
			add_replacement(change, bond, rest);
		else if (strcmp(verb, "defaults") == 0)
			add_defaults(change, bond, rest);
		else if (strcmp(verb, "prune") == 0)
			libbond_change_prune(change);
		else if (*verb)
			unit_fail("no statement '%s'", verb);
	}
	return change;
}

/* --- texts --- */

struct text {
	char *buf;
	size_t size, used;
};

__attribute__((format(printf, 2, 3))) static void put(struct text *text, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	text->used += (size_t)vsnprintf(text->buf + text->used, text->size - text->used, format, args);
	va_end(args);
	if (text->used >= text->size)
		unit_fail("the text is longer than %zu", text->size);
}

static void put_config(struct text *text, const struct libbond_config *config)
{
	for (size_t i = 0; i < libbond_config_count(config); i++) {
		const struct libbond_attr *attr = libbond_config_attr(config, i);
		char value[LIBBOND_TEXT_SIZE];
		libbond_config_text(config, attr, value, sizeof(value));
		put(text, " %s=%s", libbond_attr_name(attr), value);
	}
}

const char *unit_plan_text(const struct libbond_plan *plan, char *buf, size_t size)
{
	struct text text = {buf, size, 0};

	buf[0] = '\0';
	for (size_t i = 0; i < libbond_plan_steps(plan); i++) {
		struct libbond_step step;
		assert_int_equal(libbond_plan_step(plan, i, &step), 0);
		put(&text, "%s%s %s", i ? "; " : "", step.action, step.device);
		if (strcmp(step.action, "enslave") == 0 || strcmp(step.action, "release") == 0)
			put(&text, " %s %s", *step.action == 'e' ? "to" : "from", step.bond);
		if (step.config)
			put_config(&text, step.config);
		if (*step.text)
			put(&text, " (%s)", step.text);
		if (step.disruption != LIBBOND_LIVE)
			put(&text, " %s%s", step.disruption == LIBBOND_BOND_DOWN ? "!" : "!!",
			    step.because ? libbond_attr_name(step.because) : "?");
		else if (step.because)
			put(&text, " live and yet because of %s", libbond_attr_name(step.because));
	}
	return buf;
}

const char *unit_report_text(const struct libbond_report *report, int with_was, char *buf, size_t size)
{
	struct text text = {buf, size, 0};

	buf[0] = '\0';
	for (size_t i = 0; i < libbond_report_count(report); i++) {
		struct libbond_report_line line;
		assert_int_equal(libbond_report_line(report, i, &line), 0);
		bool set = line.attr && strcmp(line.action, "set") == 0;
		put(&text, "%s%s", i ? "; " : "", line.device);
		if (!set)
			put(&text, " %s", line.action);
		if (line.attr)
			put(&text, " %s", libbond_attr_name(line.attr));
		if (*line.value)
			put(&text, " %s", line.value);
		if (with_was && line.attr)
			put(&text, " was %s", *line.was ? line.was : "''");
		put(&text, " %s", libbond_outcome_name(line.outcome));
		if (*line.note)
			put(&text, " (%s)", line.note);
	}
	return buf;
}
