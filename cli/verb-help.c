/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints help, for a verb or for all of bondctl, from the tables of verbs and options. Called by
 * command.c for --help.
 */
#include <string.h>

#include "command.h"
#include "output.h"
#include "status.h"

static void print_options(option_tables tables)
{
	const struct option_row *row = NULL;
	while ((row = option_next(tables, row))) {
		char left[64];
		int used = row->letter ? snprintf(left, sizeof(left), "-%c, --%s", row->letter, row->name)
		                       : snprintf(left, sizeof(left), "    --%s", row->name);
		if (row->argument)
			snprintf(left + used, sizeof(left) - (size_t)used, "=%s", row->argument);
		printf("  %-31s %s\n", left, row->summary);
	}
}

static void print_indented(const char *text)
{
	while (*text) {
		size_t length = strcspn(text, "\n");
		printf("  %.*s\n", (int)length, text);
		text += length + (text[length] == '\n');
	}
}

static void help_bondctl(void)
{
	printf("bondctl: create, change and understand network bonds\n\n"
	       "bondctl [OPTION]... VERB [BOND] [WORD]...\n\nVerbs:\n");
	for (const struct command *command = commands; command->name; command++)
		if (!command->hidden)
			printf("  %-9s %s\n", command->name, command->summary);
	printf("\nOptions:\n");
	print_options(NULL);
	printf("\nExit status:\n");
	for (int i = 0; status_meaning(i); i++)
		printf("  %d  %s\n", i, status_meaning(i));
	printf("\nExample:\n  bondctl create bond0 mode active-backup slaves eth0 eth1 up\n  bondctl show bond0\n"
	       "\nbondctl VERB --help tells more; the manual is bondctl(8).\n");
}

void command_help(const struct command *command)
{
	if (!command) {
		help_bondctl();
		return;
	}
	printf("bondctl %s%s%s\n\n%c%s.\n", command->name, *command->synopsis ? " " : "", command->synopsis,
	       command->summary[0] - 'a' + 'A', command->summary + 1);
	if (*command->help)
		printf("\n%s\n", command->help);
	printf("\nOptions:\n");
	print_options(command->options);
	if (*command->example) {
		printf("\nExample:\n");
		print_indented(command->example);
	}
}

static void mdoc_statuses(void)
{
	for (int i = 0; status_meaning(i); i++)
		printf(".It %d\n%s\n", i, status_meaning(i));
}

int verb_help(struct context *context, struct args *args)
{
	const char *name = args_operand(args);
	const struct command *command = name ? command_find(name) : NULL;

	if (args->status != STATUS_OK || args_end(args) != STATUS_OK)
		return args->status;
	if (name && !command)
		return command_unknown(name);
	if (context->settings.mdoc)
		mdoc_statuses();
	else
		command_help(command);
	return STATUS_OK;
}
