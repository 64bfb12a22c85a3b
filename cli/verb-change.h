/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one way in which bonds are changed: what is wanted is collected, planned, and either printed or run, confirmed
 * and reported. A verb begins a change, says what it wants, and ends it.
 */
#ifndef VERB_CHANGE_H
#define VERB_CHANGE_H

#include "args.h"

struct change {
	struct context *context;
	struct libbond *handle;
	struct libbond_change *wanted;
	struct libbond_report *report;
	struct libbond_plan *plan;
	struct libbond_error error;
	char words[512]; /* the command line from its verb on, for who confirms it */
};

/* Open what a change needs. STATUS_OK, or printed. In any case change_end() follows, with the status. */
int change_begin(struct change *change, struct context *context, const struct args *args);
/* Want something, as libbond_change_bond() and libbond_change_slave() do. STATUS_OK, or printed. */
int change_bond(struct change *change, const char *bond, unsigned flags, const struct libbond_config *config);
/* The same for a bond that may not be there yet, which then has what a bond has that says nothing of it. */
int change_new_bond(struct change *change, const char *bond, unsigned flags, const struct libbond_config *config);
int change_slave(struct change *change, const char *bond, const char *slave, enum libbond_slave_wish wish,
                 const struct libbond_config *config);
/* Plan what is wanted, with LIBBOND_PLAN_*; the report is filled. STATUS_OK, or printed. */
int change_plan(struct change *change, unsigned flags);
/* Do it, unless status says that something went wrong before. Frees all. Returns the status of the whole. */
int change_end(struct change *change, int status);
/* Free all without doing it. */
void change_free(struct change *change);

#endif
