/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How evenly something is shared out. */
#ifndef TRAFFIC_FAIRNESS_H
#define TRAFFIC_FAIRNESS_H

#include <stddef.h>
#include <stdint.h>

/*
 * Jain's fairness index of some shares: (sum x)^2 / (n * sum x^2). 1: all the same; 1/n: one has it all. Without
 * shares, or where all are 0, it is 1: nothing is shared unfairly.
 * (Jain, Chiu, Hawe: A Quantitative Measure of Fairness and Discrimination, 1984)
 */
double traffic_fairness(const uint64_t *shares, size_t count);

#endif
