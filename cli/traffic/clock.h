/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The one clock of everything here: nanoseconds of CLOCK_MONOTONIC. */
#ifndef TRAFFIC_CLOCK_H
#define TRAFFIC_CLOCK_H

#include <stdint.h>
#include <time.h>

#define TRAFFIC_SECOND UINT64_C(1000000000)
#define TRAFFIC_MS UINT64_C(1000000)

static inline uint64_t traffic_clock_read(clockid_t clock)
{
	struct timespec now;
	clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * TRAFFIC_SECOND + (uint64_t)now.tv_nsec;
}

static inline uint64_t traffic_now(void)
{
	return traffic_clock_read(CLOCK_MONOTONIC);
}

static inline struct timespec traffic_timespec(uint64_t ns)
{
	return (struct timespec){.tv_sec = (time_t)(ns / TRAFFIC_SECOND), .tv_nsec = (long)(ns % TRAFFIC_SECOND)};
}

#endif
