/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts, wakes and joins the engines' threads, and asks the kernel what they cost. Sits under rr.c and probe.c.
 */
#include "traffic/thread.h"

#include <errno.h>
#include <signal.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#include "traffic/clock.h"

static uint64_t ns_of(struct timeval time)
{
	return (uint64_t)time.tv_sec * TRAFFIC_SECOND + (uint64_t)time.tv_usec * 1000;
}

static void *run(void *context)
{
	struct traffic_thread *thread = context;
	struct rusage usage;

	thread->run(thread->context);
	if (getrusage(RUSAGE_THREAD, &usage) == 0)
		thread->cpu = (struct traffic_cpu){ns_of(usage.ru_utime), ns_of(usage.ru_stime)};
	return NULL;
}

int traffic_thread_start(struct traffic_thread *thread, const char *name)
{
	sigset_t all, before;

	/* signals are for the thread that knows what to do about them */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int rc = pthread_create(&thread->id, NULL, run, thread);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (rc != 0)
		return -rc;
	thread->is_running = 1;
	pthread_setname_np(thread->id, name);
	return 0;
}

void traffic_thread_join(struct traffic_thread *thread)
{
	if (thread->is_running)
		pthread_join(thread->id, NULL);
	thread->is_running = 0;
}

int traffic_thread_hurry(void)
{
	const struct sched_param lowest = {.sched_priority = 1};
	return -pthread_setschedparam(pthread_self(), SCHED_FIFO, &lowest);
}

int traffic_bell_new(void)
{
	int bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return bell < 0 ? -errno : bell;
}

void traffic_bell_ring(int bell)
{
	/* it cannot fail: the counter is far from full */
	(void)!eventfd_write(bell, 1);
}

void traffic_bell_quiet(int bell)
{
	eventfd_t rings;
	(void)!eventfd_read(bell, &rings);
}
