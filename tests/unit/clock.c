/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Time for tests that wait for nothing: it passes only where the library sleeps. For programs that are linked with
 * --wrap=nanosleep,--wrap=clock_gettime; in the others nobody calls it.
 */
#include <stdint.h>
#include <time.h>

int __wrap_nanosleep(const struct timespec *wanted, struct timespec *left);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);

static int64_t passed_ns;

int __wrap_nanosleep(const struct timespec *wanted, struct timespec *left)
{
	(void)left;
	passed_ns += wanted->tv_sec * 1000000000LL + wanted->tv_nsec;
	return 0;
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
	(void)clock;
	*now = (struct timespec){.tv_sec = passed_ns / 1000000000LL, .tv_nsec = passed_ns % 1000000000LL};
	return 0;
}
