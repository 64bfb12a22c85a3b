/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Percentiles out of buckets against the sorted values themselves, and the fairness index against its definition.
 * Tests cli/traffic/histogram.c and fairness.c.
 */
#include <stdlib.h>
#include <string.h>

#include "traffic/fairness.h"
#include "traffic/histogram.h"
#include "unit.h"

#define VALUES 20000

static struct traffic_histogram *fresh(void)
{
	struct traffic_histogram *histogram = calloc(1, sizeof(*histogram));
	assert_non_null(histogram);
	return histogram;
}

static void empty(void **state)
{
	struct traffic_histogram *histogram = fresh();
	(void)state;

	assert_int_equal(traffic_histogram_count(histogram), 0);
	assert_int_equal(traffic_histogram_quantile(histogram, 0.5), 0);
	assert_int_equal(traffic_histogram_mean(histogram), 0);
	free(histogram);
}

static void small_values_are_exact(void **state)
{
	struct traffic_histogram *histogram = fresh();
	(void)state;

	for (uint64_t i = 0; i < 64; i++)
		traffic_histogram_add(histogram, i);
	for (unsigned i = 1; i <= 64; i++)
		assert_int_equal(traffic_histogram_quantile(histogram, i / 64.0), i - 1);
	assert_int_equal(traffic_histogram_quantile(histogram, 0), 0);
	assert_int_equal(traffic_histogram_mean(histogram), 31);
	free(histogram);
}

static int ascending(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

static void percentiles_are_close(void **state)
{
	static const double shares[] = {0.001, 0.01, 0.1, 0.5, 0.9, 0.99, 0.999, 1};
	static uint64_t values[VALUES];
	struct traffic_histogram *histogram = fresh();
	uint64_t random = 88172645463325252u;
	(void)state;

	for (int i = 0; i < VALUES; i++) {
		random ^= random << 13, random ^= random >> 7, random ^= random << 17;
		values[i] = (random >> 24) >> (random & 31); /* of all sizes up to 2^40 */
		traffic_histogram_add(histogram, values[i]);
	}
	qsort(values, VALUES, sizeof(values[0]), ascending);
	for (size_t i = 0; i < COUNT(shares); i++) {
		uint64_t truth = values[(size_t)(shares[i] * VALUES + 0.5) - 1];
		uint64_t got = traffic_histogram_quantile(histogram, shares[i]);
		if (got < truth || got > truth + truth / 32)
			unit_fail("share %g: %llu, not %llu", shares[i], (unsigned long long)got,
			          (unsigned long long)truth);
	}
	assert_int_equal(traffic_histogram_count(histogram), VALUES);
	assert_int_equal(traffic_histogram_quantile(histogram, 1), values[VALUES - 1]);
	free(histogram);
}

static void huge_values(void **state)
{
	struct traffic_histogram *histogram = fresh();
	(void)state;

	traffic_histogram_add(histogram, 1);
	traffic_histogram_add(histogram, UINT64_C(1) << 40);
	traffic_histogram_add(histogram, UINT64_MAX / 4);
	assert_int_equal(traffic_histogram_count(histogram), 3);
	assert_int_equal(traffic_histogram_quantile(histogram, 0.3), 1);
	assert_true(traffic_histogram_quantile(histogram, 1) == UINT64_MAX / 4);
	free(histogram);
}

static void phases(void **state)
{
	struct traffic_histogram *histogram = fresh(), *before = fresh(), *after = fresh();
	(void)state;

	for (int i = 0; i < 100; i++)
		traffic_histogram_add(histogram, 1000);
	traffic_histogram_copy(before, histogram);
	for (int i = 0; i < 50; i++)
		traffic_histogram_add(histogram, 10);
	traffic_histogram_copy(after, histogram);
	traffic_histogram_since(after, before);
	assert_int_equal(traffic_histogram_count(after), 50);
	assert_int_equal(traffic_histogram_quantile(after, 1), 10);
	assert_int_equal(traffic_histogram_mean(after), 10);
	traffic_histogram_merge(after, before);
	assert_int_equal(traffic_histogram_count(after), 150);
	assert_int_equal(traffic_histogram_quantile(after, 0.5), 1000);
	free(histogram), free(before), free(after);
}

static void fairness(void **state)
{
	static const uint64_t same[] = {7, 7, 7, 7}, one[] = {9, 0, 0, 0}, none[] = {0, 0}, some[] = {1, 2, 3};
	(void)state;

	assert_float_equal(traffic_fairness(same, 4), 1, 1e-12);
	assert_float_equal(traffic_fairness(one, 4), 0.25, 1e-12);
	assert_float_equal(traffic_fairness(none, 2), 1, 1e-12);
	assert_float_equal(traffic_fairness(NULL, 0), 1, 1e-12);
	assert_float_equal(traffic_fairness(some, 3), 36.0 / 42, 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("an empty histogram has zeros", empty),
		TEST("values below 64 are told apart", small_values_are_exact),
		TEST("percentiles are at most 1/32 above the true ones, over twelve decades", percentiles_are_close),
		TEST("values beyond the last bucket are counted, and the largest is exact", huge_values),
		TEST("two copies make a phase, and phases add up", phases),
		TEST("Jain's index is 1 for equals and 1/n for one who has it all", fairness),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
