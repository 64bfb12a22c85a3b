/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of the probe share, and nobody else uses: probe.c, probe-send.c, probe-receive.c. */
#ifndef TRAFFIC_PROBE_INNER_H
#define TRAFFIC_PROBE_INNER_H

#include <pthread.h>
#include <stdatomic.h>

#include "traffic/histogram.h"
#include "traffic/probe.h"

/* What is in each datagram; the rest of it is zero. Both ends are this process: no byte order. */
struct probe_datagram {
	uint32_t magic;
	uint32_t run; /* tells those of another run, late ones of it, from ours */
	uint32_t way;
	uint32_t unused;
	uint64_t number;
	uint64_t sent_ns;
};

#define PROBE_MAGIC 0x70726f62u

/* The socket of one end sends one way and receives the other. */
struct probe_way {
	int from, to;               /* sockets */
	struct traffic_place place; /* of "to" */
	pthread_mutex_t lock;       /* of log */
	struct traffic_log *log;
	struct traffic_histogram gap, delay; /* the receiving thread writes */
	_Atomic uint64_t last_arrival_ns, foreign;
};

struct traffic_probe {
	struct traffic_probe_options options;
	uint32_t run;
	struct probe_way ways[TRAFFIC_WAYS];
	int fds[TRAFFIC_WAYS];         /* near's, far's */
	struct traffic_histogram late; /* the sending thread writes */
	_Atomic uint64_t skipped;
	atomic_bool is_stopping, is_drained;
	atomic_bool is_over;
	int bell; /* of the receiving thread */
	char *datagram;
	struct traffic_thread sender, receiver;
};

/* --- probe-send.c, probe-receive.c --- */

void probe_send_run(void *context);
void probe_receive_run(void *context);

#endif
