/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A histogram of times with log-linear buckets: each power of two is cut into 32 parts, so that a percentile is
 * within 1/32 (3.2 %) above the true value, from 1 ns to 18 minutes, in 10 KB.
 *
 * Threads: one thread adds; any number may read or copy meanwhile, without a lock. A copy that is taken while
 * values are added has each value or has it not; its parts may be of slightly different moments.
 */
#ifndef TRAFFIC_HISTOGRAM_H
#define TRAFFIC_HISTOGRAM_H

#include <stdatomic.h>
#include <stdint.h>

enum {
	TRAFFIC_HISTOGRAM_BITS = 5,     /* a power of two has 2^BITS buckets */
	TRAFFIC_HISTOGRAM_TOP_BIT = 40, /* values of 2^TOP_BIT and more lie in the last bucket */
	TRAFFIC_HISTOGRAM_BUCKETS =
		((TRAFFIC_HISTOGRAM_TOP_BIT - TRAFFIC_HISTOGRAM_BITS + 1) << TRAFFIC_HISTOGRAM_BITS) + 1
};

/* All zero is an empty one. */
struct traffic_histogram {
	_Atomic uint64_t buckets[TRAFFIC_HISTOGRAM_BUCKETS];
	_Atomic uint64_t sum; /* of all values, for the mean */
	_Atomic uint64_t max; /* exact */
};

void traffic_histogram_add(struct traffic_histogram *histogram, uint64_t value);
/* "to" becomes "from"; "to" belongs to the caller alone. */
void traffic_histogram_copy(struct traffic_histogram *to, const struct traffic_histogram *from);
/* What came to "after" since the copy "before" was taken of the same histogram. max stays that of "after". */
void traffic_histogram_since(struct traffic_histogram *after, const struct traffic_histogram *before);
/* Add all of "from" to "to", which belongs to the caller alone. */
void traffic_histogram_merge(struct traffic_histogram *to, const struct traffic_histogram *from);

uint64_t traffic_histogram_count(const struct traffic_histogram *histogram);
uint64_t traffic_histogram_mean(const struct traffic_histogram *histogram); /* 0 without values */
/* The smallest bucket limit that "share" (0 to 1) of the values do not exceed, but no more than max; 0 without
 * values.
 */
uint64_t traffic_histogram_quantile(const struct traffic_histogram *histogram, double share);

#endif
