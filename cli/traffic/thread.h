/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The engines' threads: they take no signals, end when they are told to, and know what they cost. */
#ifndef TRAFFIC_THREAD_H
#define TRAFFIC_THREAD_H

#include <pthread.h>
#include <stdint.h>

/* Processor time. User time is our own code's; system time is what the kernel did for it, the traffic with it. */
struct traffic_cpu {
	uint64_t user_ns, system_ns;
};

struct traffic_thread {
	void (*run)(void *context);
	void *context;
	pthread_t id;
	int is_running;
	struct traffic_cpu cpu; /* valid after the join */
};

/* Starts thread->run(thread->context) under a name of at most 15 bytes. 0 or -errno. */
int traffic_thread_start(struct traffic_thread *thread, const char *name);
/* Waits for its end. One that has not been started is none to wait for. */
void traffic_thread_join(struct traffic_thread *thread);
/* The caller becomes more urgent than all ordinary threads. 0 or -errno (-EPERM without the privilege). */
int traffic_thread_hurry(void);

/* What a thread waits for beside its work: a descriptor that becomes readable, for good, when it is rung. */
int traffic_bell_new(void); /* the descriptor or -errno */
void traffic_bell_ring(int bell);
void traffic_bell_quiet(int bell); /* it waits for the next ring */

#endif
