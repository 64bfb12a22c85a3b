/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the word nearest to what was typed. Used wherever an unknown word is refused: verbs, options,
 * option names and their values.
 */
#include "suggest.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

#define LONGEST 40

/* Damerau's distance with adjacent transpositions: the four slips of a typing hand cost one each. */
static size_t distance(const char *a, const char *b)
{
	size_t la = strlen(a), lb = strlen(b);
	size_t d[LONGEST + 1][LONGEST + 1];

	if (la > LONGEST || lb > LONGEST)
		return LONGEST;
	for (size_t i = 0; i <= la; i++)
		d[i][0] = i;
	for (size_t j = 0; j <= lb; j++)
		d[0][j] = j;
	for (size_t i = 1; i <= la; i++) {
		for (size_t j = 1; j <= lb; j++) {
			size_t best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
			if (d[i - 1][j] + 1 < best)
				best = d[i - 1][j] + 1;
			if (d[i][j - 1] + 1 < best)
				best = d[i][j - 1] + 1;
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
			    d[i - 2][j - 2] + 1 < best)
				best = d[i - 2][j - 2] + 1;
			d[i][j] = best;
		}
	}
	return d[la][lb];
}

struct suggestion suggestion_start(const char *typed)
{
	return (struct suggestion){.typed = typed, .distance = LONGEST};
}

/* How many slips a word of this length may have and still be meant. */
static size_t tolerance(const char *typed)
{
	size_t length = strlen(typed);
	return length < 4 ? 1 : length < 8 ? 2 : 3;
}

static bool is_beginning(const char *typed, const char *word)
{
	size_t length = strlen(typed);
	return length >= 2 && strncasecmp(typed, word, length) == 0;
}

void suggestion_offer(struct suggestion *suggestion, const char *word)
{
	size_t d = distance(suggestion->typed, word);

	/* the right letters in the wrong case, or a beginning ("active" for active-backup), are near as well */
	if (strcasecmp(suggestion->typed, word) == 0)
		d = 0;
	else if (d > 1 && is_beginning(suggestion->typed, word))
		d = 1;
	if (d <= tolerance(suggestion->typed) && d < suggestion->distance) {
		suggestion->distance = d;
		suggestion->word = word;
	}
}
