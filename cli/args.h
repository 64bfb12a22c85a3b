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
	size_t field;      /* offset in struct settings: a bool; with an argument its text, or its number */
	unsigned min, max; /* of a number; max is 0 for a text */
};

/* Tables of options, each ending with a NULL name: what every verb takes, and what some do. */
extern const struct option_row global_options[];
extern const struct option_row option_details[], option_all[], option_mdoc[];
extern const struct option_row option_safely[], option_force[], option_cycle[], option_steal[], option_up[],
	option_prune[], option_wait[];

/* The options of a verb: tables, ending with NULL. */
typedef const struct option_row *const *option_tables;
#define OPTION_TABLES(...) ((const struct option_row *const[]){__VA_ARGS__, NULL})

struct args {
	int count, next;
	int verb; /* index of the verb in words */
	char **words;
	option_tables options; /* of the verb, NULL for none */
	struct settings *settings;
	bool only_operands; /* after "--" */
	int status;         /* STATUS_USAGE once something was wrong, which has been printed */
};

/* Goes over the rows of the tables, then over the global ones: NULL starts, NULL ends. */
const struct option_row *option_next(option_tables tables, const struct option_row *after);

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
