/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Counts times in log-linear buckets and gives their percentiles. Sits under rr.c (latencies) and probe.c (lateness
 * and gaps), and above nothing.
 */
#include "traffic/histogram.h"

#define PARTS (1u << TRAFFIC_HISTOGRAM_BITS)
#define LAST (TRAFFIC_HISTOGRAM_BUCKETS - 1u)

static uint64_t load(const _Atomic uint64_t *number)
{
	return atomic_load_explicit(number, memory_order_relaxed);
}

static void store(_Atomic uint64_t *number, uint64_t value)
{
	atomic_store_explicit(number, value, memory_order_relaxed);
}

/* Values below PARTS have a bucket each; above, the BITS bits after the highest choose among PARTS of its power. */
static unsigned bucket_of(uint64_t value)
{
	if (value < PARTS)
		return (unsigned)value;
	unsigned high = 63u - (unsigned)__builtin_clzll(value);
	if (high >= TRAFFIC_HISTOGRAM_TOP_BIT)
		return LAST;
	unsigned shift = high - TRAFFIC_HISTOGRAM_BITS;
	return ((shift + 1) << TRAFFIC_HISTOGRAM_BITS) + ((unsigned)(value >> shift) & (PARTS - 1));
}

/* The largest value of a bucket. */
static uint64_t limit_of(unsigned bucket)
{
	if (bucket < PARTS)
		return bucket;
	if (bucket == LAST)
		return UINT64_MAX;
	unsigned shift = (bucket >> TRAFFIC_HISTOGRAM_BITS) - 1;
	uint64_t first = (uint64_t)(PARTS + (bucket & (PARTS - 1))) << shift;
	return first + (UINT64_C(1) << shift) - 1;
}

void traffic_histogram_add(struct traffic_histogram *histogram, uint64_t value)
{
	_Atomic uint64_t *bucket = &histogram->buckets[bucket_of(value)];

	/* one writer: no need to pay for an atomic addition */
	store(bucket, load(bucket) + 1);
	store(&histogram->sum, load(&histogram->sum) + value);
	if (value > load(&histogram->max))
		store(&histogram->max, value);
}

void traffic_histogram_copy(struct traffic_histogram *to, const struct traffic_histogram *from)
{
	for (unsigned i = 0; i < TRAFFIC_HISTOGRAM_BUCKETS; i++)
		store(&to->buckets[i], load(&from->buckets[i]));
	store(&to->sum, load(&from->sum));
	store(&to->max, load(&from->max));
}

void traffic_histogram_since(struct traffic_histogram *after, const struct traffic_histogram *before)
{
	for (unsigned i = 0; i < TRAFFIC_HISTOGRAM_BUCKETS; i++)
		store(&after->buckets[i], load(&after->buckets[i]) - load(&before->buckets[i]));
	store(&after->sum, load(&after->sum) - load(&before->sum));
}

void traffic_histogram_merge(struct traffic_histogram *to, const struct traffic_histogram *from)
{
	for (unsigned i = 0; i < TRAFFIC_HISTOGRAM_BUCKETS; i++)
		store(&to->buckets[i], load(&to->buckets[i]) + load(&from->buckets[i]));
	store(&to->sum, load(&to->sum) + load(&from->sum));
	if (load(&from->max) > load(&to->max))
		store(&to->max, load(&from->max));
}

uint64_t traffic_histogram_count(const struct traffic_histogram *histogram)
{
	uint64_t count = 0;

	for (unsigned i = 0; i < TRAFFIC_HISTOGRAM_BUCKETS; i++)
		count += load(&histogram->buckets[i]);
	return count;
}

uint64_t traffic_histogram_mean(const struct traffic_histogram *histogram)
{
	uint64_t count = traffic_histogram_count(histogram);
	return count ? load(&histogram->sum) / count : 0;
}

uint64_t traffic_histogram_quantile(const struct traffic_histogram *histogram, double share)
{
	uint64_t count = traffic_histogram_count(histogram), max = load(&histogram->max), seen = 0;

	if (count == 0)
		return 0;
	for (unsigned i = 0; i < TRAFFIC_HISTOGRAM_BUCKETS; i++) {
		seen += load(&histogram->buckets[i]);
		/* seen > 0: the quantile 0 is the smallest value, not the smallest bucket */
		if (seen == 0 || (double)seen < share * (double)count)
			continue;
		uint64_t limit = limit_of(i);
		return limit < max ? limit : max;
	}
	return max;
}
