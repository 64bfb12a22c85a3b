/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of verbs: a verb is a row here and a file. Help, completion and the man page's test read it. */
#ifndef COMMAND_H
#define COMMAND_H

#include "args.h"

/* What the operands of a verb are; completion asks by it. */
enum operands {
	OPERANDS_NONE,
	OPERANDS_NEW_BOND_AND_OPTIONS, /* create */
	OPERANDS_BOND_AND_OPTIONS,     /* set */
	OPERANDS_BONDS,
	OPERANDS_BOND_AND_CANDIDATES, /* enslave */
	OPERANDS_BOND_AND_SLAVES,     /* release */
	OPERANDS_OPTION_NAMES,
	OPERANDS_VERB,
	OPERANDS_RAW /* complete: the words of another command line */
};

struct command {
	const char *name;
	const char *synopsis; /* what follows the verb */
	const char *summary;
	const char *help;    /* paragraphs */
	const char *example; /* commands, one a line; the tests run them */
	const struct option_row *options;
	enum operands operands;
	bool hidden;
	int (*run)(struct context *context, struct args *args);
};

extern const struct command commands[]; /* ends with a NULL name */

const struct command *command_find(const char *name);
/* Refuse a verb that there is not, offering the nearest. Returns STATUS_USAGE. */
int command_unknown(const char *name);
/* Run one command line: the verb and its words. Returns the status; errors are printed. */
int command_run(struct context *context, int count, char **words);
/* Print the help of a verb, or of bondctl (NULL). */
void command_help(const struct command *command);

int verb_create(struct context *context, struct args *args);
int verb_delete(struct context *context, struct args *args);
int verb_set(struct context *context, struct args *args);
int verb_enslave(struct context *context, struct args *args);
int verb_release(struct context *context, struct args *args);
int verb_up(struct context *context, struct args *args);
int verb_down(struct context *context, struct args *args);
int verb_show(struct context *context, struct args *args);
int verb_list(struct context *context, struct args *args);
int verb_stats(struct context *context, struct args *args);
int verb_options(struct context *context, struct args *args);
int verb_help(struct context *context, struct args *args);
int verb_complete(struct context *context, struct args *args);

#endif
