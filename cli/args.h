/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reading the command line word by word. A word with a dash is an option only where an option can stand:
 * the value of a bonding option may begin with one ("prio -5", "arp_ip_target -10.0.0.1").
 */
#ifndef ARGS_H
#define ARGS_H

#include <stddef.h>

#include "bondctl.h"

/* One option of bondctl: a row of the tables below. */
struct option_row {
	const char *name; /* without the dashes */
	char letter;      /* 0 for none */
	const char *argument;
	const char *summary;
	size_t field; /* offset in struct settings: a bool, or the text of the argument */
};

/* Options that every verb takes, ends with a NULL name. */
extern const struct option_row global_options[];
/* Options of single verbs. */
extern const struct option_row option_details[], option_all[], option_mdoc[];

struct args {
	int count, next;
	char **words;
	const struct option_row *options; /* of the verb, NULL for none; ends with a NULL name */
	struct settings *settings;
	bool only_operands; /* after "--" */
	int status;         /* STATUS_USAGE once something was wrong, which has been printed */
};

/* Whether a word is this global option, with or without a value, alone or among letters: "-qj" has j, but in
 * "-nj" j is a namespace. */
bool args_is_option(const char *word, const char *name, char letter);
/* Next operand, having taken in the options before it; NULL at the end or when status is set. */
const char *args_operand(struct args *args);
/* Next word, whatever it looks like; NULL at the end. */
const char *args_value(struct args *args);
/* Whether only options are left: takes them in; complains about an operand. Returns the status. */
int args_end(struct args *args);

#endif
