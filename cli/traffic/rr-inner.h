/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of the request/response engine share, and nobody else uses: rr.c, rr-client.c, rr-server.c. */
#ifndef TRAFFIC_RR_INNER_H
#define TRAFFIC_RR_INNER_H

#include <pthread.h>
#include <stdatomic.h>

#include "traffic/clock.h"
#include "traffic/rr.h"

enum {
	RR_BUFFER = 256 * 1024, /* of a read or write */
	RR_EVENTS = 128,
	RR_TOLERANCE_MS = 100, /* later than meant is no absence yet */
	RR_SERVER_WAIT_MS = 100,
	RR_BELL = 0xffffffff,    /* what epoll says of the bell, */
	RR_LISTENER = 0xfffffffe /* and of the listening socket; else it is a flow's index */
};

/* One end of a connection: what is still to be sent and received. */
struct rr_pipe {
	int fd; /* negative: broken, or not yet there */
	uint64_t to_send;
	uint32_t to_receive; /* of the message that comes in */
};

/* A client's flow. But for what is atomic it belongs to the client's thread until that has ended. */
struct rr_flow {
	struct rr_pipe pipe;
	bool is_connected, is_stalled;
	unsigned under_way, oldest; /* requests without their response; the first of them in begun_ns */
	uint64_t *begun_ns;         /* depth of them, a ring */
	uint64_t last_ns;           /* when a byte went out or came in */
	uint64_t longest_silence_ns;
	uint32_t stalls;
	int errnum;
	uint16_t port;
	_Atomic uint64_t transactions;
};

/* Counters have one writer, the client's thread, and any readers. */
struct rr_live {
	_Atomic uint64_t transactions, bytes_sent, bytes_received, last_received_ns, stalls, absent_ns;
	_Atomic unsigned open, stalled, broken;
};

/* The start: the threads say how far they are, and the caller waits. */
struct rr_gate {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned connected, accepted;
	int errnum;      /* of the first flow that could not be connected, */
	unsigned failed; /* and which it was */
};

struct traffic_rr {
	struct traffic_rr_options options;
	struct rr_flow *flows;
	uint64_t *begun_ns; /* of all flows */
	struct rr_pipe *served;
	int listener, client_epoll, server_epoll, client_bell, server_bell;
	struct rr_gate gate;
	atomic_bool has_begun, is_stopping;
	uint64_t began_ns, ended_ns;
	struct rr_live live;
	struct traffic_histogram latency;
	_Atomic uint64_t server_absent_ns; /* the serving thread writes */
	struct traffic_thread client, server;
	char *client_buffer, *server_buffer;
};

/* The one writer's addition. */
static inline void rr_count(_Atomic uint64_t *counter, uint64_t more)
{
	atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + more,
	                      memory_order_relaxed);
}

/*
 * How long a thread was kept from running by others on this machine: the time between two of its looks, beyond what
 * it meant to wait. What flows did not do meanwhile is not their fault.
 */
static inline uint64_t rr_absence(uint64_t *looked_ns, uint64_t now_ns, unsigned wait_ms)
{
	uint64_t gap = now_ns - *looked_ns, meant = wait_ms * TRAFFIC_MS;

	*looked_ns = now_ns;
	return gap > meant + RR_TOLERANCE_MS * TRAFFIC_MS ? gap - meant : 0;
}

/* --- rr-pipe.c --- */

/* Send of the buffer (what it holds does not matter) until pipe->to_send is 0 or the socket is full: bytes sent, or
 * -errno. */
int64_t rr_send(struct rr_pipe *pipe, const char *buffer);
/* Receive until the socket is empty. "is_ending": epoll said that there is an end, which has to be met. Messages of
 * "size" bytes that are whole now are counted in *whole. Bytes received, or -errno, -EPIPE at the end of the stream.
 */
int64_t rr_receive(struct rr_pipe *pipe, char *buffer, uint32_t size, bool is_ending, unsigned *whole);
/* The connection is over, at once: a reset goes out, and no port stays in TIME_WAIT. */
void rr_close(struct rr_pipe *pipe);
/* Watch a socket for all that can happen, edge by edge. 0 or -errno. */
int rr_watch(int epoll, int fd, uint32_t index);

/* --- rr-client.c, rr-server.c --- */

void rr_client_run(void *context);
void rr_server_run(void *context);

#endif
