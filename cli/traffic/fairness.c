/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Says in one number how evenly flows, streams or slaves share. Sits under rr.c and iperf3-json.c, and above nothing.
 */
#include "traffic/fairness.h"

double traffic_fairness(const uint64_t *shares, size_t count)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < count; i++) {
		sum += (double)shares[i];
		squares += (double)shares[i] * (double)shares[i];
	}
	return squares > 0 ? sum * sum / ((double)count * squares) : 1;
}
