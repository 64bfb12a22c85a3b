/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of verbs: a verb is a row here and a file. Help, completion and the man page's test read it. */
#ifndef COMMAND_H
#define COMMAND_H

#include "args.h"

/* What an operand of a verb is; completion asks by it. */
enum operand {
	OPERAND_END,
	OPERAND_BOND,
	OPERAND_NEW_BOND,
	OPERAND_REQUEST, /* options of the bond and of slaves, to the end of the line */
	OPERAND_CANDIDATE,
	OPERAND_SLAVE,
	OPERAND_FILE,
	OPERAND_OPTION_NAME,
	OPERAND_VERB,
	OPERAND_RAW, /* complete: the words of another command line */
	OPERAND_MORE /* the one before it, again and again */
};
#define OPERANDS_MAX 4

struct command {
	const char *name;
	const char *synopsis; /* what follows the verb */
	const char *summary;
	const char *help;    /* paragraphs */
	const char *example; /* commands, one a line; the tests run them */
	option_tables options;
	enum operand operands[OPERANDS_MAX];
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
int verb_replace(struct context *context, struct args *args);
int verb_apply(struct context *context, struct args *args);
int verb_diff(struct context *context, struct args *args);
int verb_confirm(struct context *context, struct args *args);
int verb_up(struct context *context, struct args *args);
int verb_down(struct context *context, struct args *args);
int verb_show(struct context *context, struct args *args);
int verb_list(struct context *context, struct args *args);
int verb_stats(struct context *context, struct args *args);
int verb_options(struct context *context, struct args *args);
int verb_help(struct context *context, struct args *args);
int verb_complete(struct context *context, struct args *args);

#endif
