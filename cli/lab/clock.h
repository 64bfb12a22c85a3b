/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The clock of everything that waits here: CLOCK_MONOTONIC in nanoseconds. */
#ifndef LAB_CLOCK_H
#define LAB_CLOCK_H

#include <stdint.h>
#include <time.h>

static inline int64_t lab_now_ns(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static inline int64_t lab_ms(int64_t ms)
{
	return ms * 1000000;
}

/* Milliseconds until then, rounded up, for poll(); 0 if it is past. */
static inline int lab_ms_until(int64_t then_ns)
{
	int64_t left = (then_ns - lab_now_ns() + 999999) / 1000000;
	return left < 0 ? 0 : left > INT32_MAX ? INT32_MAX : (int)left;
}

static inline void lab_pause_ms(long ms)
{
	const struct timespec time = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
	nanosleep(&time, NULL);
}

#endif
