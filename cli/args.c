/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options of the command line: the tables, and taking them in. Sits between main.c or batch.c, which have
 * the words, and the verbs, which ask for operands.
 */
#include "args.h"

#include <string.h>

#include "output.h"
#include "suggest.h"

#define FIELD(name) offsetof(struct settings, name)
#define END                                                                                                          \
	{                                                                                                            \
		NULL, 0, NULL, NULL, 0                                                                               \
	}

/* clang-format off */
const struct option_row global_options[] = {
	{"json", 'j', NULL, "print JSON", FIELD(json)},
	{"pretty", 'p', NULL, "print JSON indented; implies --json", FIELD(pretty)},
	{"netns", 'n', "NAME|PID|PATH", "work in this network namespace", FIELD(netns)},
	{"batch", 'b', "FILE", "read commands from a file, one a line; - is standard input", FIELD(batch)},
	{"keep-going", 0, NULL, "in a batch, go on after a line that failed", FIELD(keep_going)},
	{"color", 0, "auto|always|never", "color the text; NO_COLOR in the environment turns auto off", FIELD(color_word)},
	{"quiet", 'q', NULL, "no notes and warnings", FIELD(quiet)},
	{"version", 'V', NULL, "print the version", FIELD(version)},
	{"help", 'h', NULL, "print help; after a verb, about the verb", FIELD(help)},
	END,
};
const struct option_row option_details[] = {
	{"details", 0, NULL, "everything, not only what differs from the default or from 0", FIELD(details)},
	END,
};
const struct option_row option_all[] = {
	{"all", 0, NULL, "also what can only be read", FIELD(all)},
	{"mdoc", 0, NULL, "as the man page has it", FIELD(mdoc)},
	END,
};
const struct option_row option_mdoc[] = {
	{"mdoc", 0, NULL, "the exit statuses as the man page has them", FIELD(mdoc)},
	END,
};
const struct option_row option_safely[] = {
	{"dry-run", 0, NULL, "print the plan, send nothing", FIELD(dry_run)},
	{"confirm-within", 0, "SECONDS", "undo the change unless it is confirmed by then", FIELD(confirm_within), 1, 86400},
	END,
};
const struct option_row option_cycle[] = {
	{"cycle", 0, NULL, "take the bond down, or its slaves out, for a moment where an option demands it", FIELD(cycle)},
	END,
};
const struct option_row option_force[] = {
	{"force", 0, NULL, "also what would cut the traffic or leave no link monitor", FIELD(force)},
	END,
};
const struct option_row option_steal[] = {
	{"steal", 0, NULL, "take interfaces away from another master", FIELD(steal)},
	END,
};
const struct option_row option_up[] = {
	{"up", 0, NULL, "leave what is released up", FIELD(up)},
	END,
};
const struct option_row option_prune[] = {
	{"prune", 0, NULL, "delete the bonds that the file does not name", FIELD(prune)},
	END,
};
const struct option_row option_wait[] = {
	{"wait", 0, "SECONDS", "time for the new slave to be able to carry traffic (30); 0 does not wait", FIELD(wait), 0, 86400},
	END,
};
/* clang-format on */

const struct option_row *option_next(option_tables tables, const struct option_row *after)
{
	bool found = !after;
	for (option_tables t = tables; t && *t; t++)
		for (const struct option_row *row = *t; row->name; row++) {
			if (found)
				return row;
			found = row == after;
		}
	for (const struct option_row *row = global_options; row->name; row++) {
		if (found)
			return row;
		found = row == after;
	}
	return NULL;
}

static int set_color(struct settings *settings, const char *word)
{
	static const char *const words[] = {
		[COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always", [COLOR_NEVER] = "never"};
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(words[i], word) != 0)
			continue;
		settings->color = (enum color)i;
		return STATUS_OK;
	}
	return output_usage("--color takes auto, always or never, not '%s'", word);
}

static void apply_flag(struct settings *settings, const struct option_row *row)
{
	*(bool *)((char *)settings + row->field) = true;
	settings->json |= settings->pretty;
}

static int set_number(struct settings *settings, const struct option_row *row, const char *word)
{
	unsigned long long number = 0;
	const char *digit = word;

	for (; *digit >= '0' && *digit <= '9' && number <= row->max; digit++)
		number = number * 10 + (unsigned)(*digit - '0');
	if (*digit || number < row->min || number > row->max)
		return output_usage("--%s takes %s from %u to %u, not '%s'", row->name, row->argument, row->min,
		                    row->max, word);
	*(unsigned *)(void *)((char *)settings + row->field) = (unsigned)number;
	return STATUS_OK;
}

/* An option with an argument; NULL if the command line ended before it. */
static int apply_value(struct settings *settings, const struct option_row *row, const char *argument)
{
	if (!argument)
		return output_usage("--%s needs a value: %s", row->name, row->argument);
	/* a script's unset variable must not mean the namespace that it stands in */
	if (!*argument)
		return output_usage("--%s has an empty value; it takes %s", row->name, row->argument);
	if (row->max)
		return set_number(settings, row, argument);
	*(const char **)(void *)((char *)settings + row->field) = argument;
	return settings->color_word == argument ? set_color(settings, argument) : STATUS_OK;
}

static const struct option_row *find_long(option_tables tables, const char *name, size_t length)
{
	const struct option_row *row = NULL;
	while ((row = option_next(tables, row)))
		if (strlen(row->name) == length && strncmp(row->name, name, length) == 0)
			return row;
	return NULL;
}

static const struct option_row *find_letter(char letter)
{
	for (const struct option_row *row = global_options; row->name; row++)
		if (row->letter && row->letter == letter)
			return row;
	return NULL;
}

bool args_is_option(const char *word, const char *name, char letter)
{
	size_t length = strlen(name);
	if (word[0] != '-')
		return false;
	if (word[1] == '-')
		return strncmp(word + 2, name, length) == 0 && (word[2 + length] == '\0' || word[2 + length] == '=');
	for (const char *p = word + 1; *p; p++) {
		const struct option_row *row = find_letter(*p);
		if (!row || *p == letter)
			return row != NULL;
		if (row->argument)
			return false;
	}
	return false;
}

static int unknown_option(const struct args *args, const char *word)
{
	struct suggestion best = suggestion_start(word + 2);
	const struct option_row *row = NULL;
	while ((row = option_next(args->options, row)))
		suggestion_offer(&best, row->name);
	if (word[1] == '-' && best.word)
		return output_usage("there is no option '%s'; did you mean --%s?", word, best.word);
	return output_usage("there is no option '%s' here", word);
}

static int take_long(struct args *args, const char *word)
{
	const char *name = word + 2, *equals = strchr(name, '=');
	size_t length = equals ? (size_t)(equals - name) : strlen(name);
	const struct option_row *row = find_long(args->options, name, length);

	if (!row)
		return unknown_option(args, word);
	if (equals && !row->argument)
		return output_usage("--%s takes no value", row->name);
	if (row->argument)
		return apply_value(args->settings, row, equals ? equals + 1 : args_value(args));
	apply_flag(args->settings, row);
	return STATUS_OK;
}

/* "-jp", "-nNAME", "-n NAME" */
static int take_letters(struct args *args, const char *word)
{
	for (const char *p = word + 1; *p; p++) {
		const struct option_row *row = find_letter(*p);
		if (!row)
			return unknown_option(args, word);
		if (row->argument)
			return apply_value(args->settings, row, p[1] ? p + 1 : args_value(args));
		apply_flag(args->settings, row);
	}
	return STATUS_OK;
}

const char *args_value(struct args *args)
{
	return args->next < args->count ? args->words[args->next++] : NULL;
}

const char *args_operand(struct args *args)
{
	const char *word;
	while (args->status == STATUS_OK && (word = args_value(args))) {
		if (args->only_operands || word[0] != '-' || word[1] == '\0')
			return word;
		if (strcmp(word, "--") == 0)
			args->only_operands = true;
		else
			args->status = word[1] == '-' ? take_long(args, word) : take_letters(args, word);
	}
	return NULL;
}

int args_end(struct args *args)
{
	const char *word = args_operand(args);
	if (word)
		args->status = output_usage("'%s' is one word too many", word);
	return args->status;
}
