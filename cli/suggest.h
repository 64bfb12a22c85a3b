/* SPDX-License-Identifier: GPL-2.0-or-later */
/* "Did you mean": the nearest of several words, offered and never executed. */
#ifndef SUGGEST_H
#define SUGGEST_H

#include <stddef.h>

struct suggestion {
	const char *typed;
	const char *word; /* the nearest so far, NULL while none is near */
	size_t distance;
};

struct suggestion suggestion_start(const char *typed);
void suggestion_offer(struct suggestion *suggestion, const char *word);

#endif
