/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a report accounts for what is not as it was: the one promise that must hold whatever fails. */
#ifndef ACCOUNT_H
#define ACCOUNT_H

#include "fake.h"

/* What came of a change. */
struct account {
	int rc;
	const struct libbond_error *err;
	const struct libbond_report *report;
	const struct fake_state *before, *after;
	const struct fake_state *wanted; /* after a success without any trouble; NULL: not known */
};

/*
 * Check that
 *  - the error fits the result; a success leaves no line undone;
 *  - all is as it was (after a success: as it was to be), or the report names each difference: lost, overridden, in
 *    force still, or that nobody could look; or err says that the state could not be read;
 *  - err->rolled_back stands only where all is as it was;
 *  - after a failure, what is said to be in force or lost is so, and what is said to be undone.
 * Calls complain with a sentence for each that does not hold.
 */
void account_check(const struct account *account, void (*complain)(void *context, const char *sentence),
                   void *context);

/* An empty bond has a random address, which nobody can give back: that it is another one now is said. */
bool account_is_drawn_anew(const struct libbond_report *report, const struct fake_difference *difference);
/* Whether the report says that this is not what it was. */
bool account_names(const struct libbond_report *report, const struct fake_difference *difference);

/* Sentences of complaints, each once. */
struct account_kinds {
	char known[24][160];
	unsigned count;
};

/* Whether this one was not there yet; false also when there are too many. */
bool account_is_new(struct account_kinds *kinds, const char *sentence);

#endif
