/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Request and response over TCP: any number of flows, each of which sends a request of some bytes, waits for the
 * response of some bytes, and begins again, until it is stopped. Client and server are a thread each of this process,
 * with their sockets in two namespaces.
 *
 * All flows are connected before the first byte is sent, and all begin at once. A flow whose connection breaks is
 * counted and stays away: there is no reconnecting, so that what a driver broke is seen. Both ends are closed with a
 * reset: no port is left in TIME_WAIT, and the next run may have the same ones.
 *
 * After an outage a TCP flow waits for its retransmission timer, which doubles each time: that the path carries
 * again is what the probe says, not these flows.
 *
 * Threads: start, stop and free belong to one thread; what is marked "any thread" may be called from any between
 * the return of start and free.
 */
#ifndef TRAFFIC_RR_H
#define TRAFFIC_RR_H

#include <stdbool.h>
#include <stddef.h>

#include "traffic/end.h"
#include "traffic/histogram.h"
#include "traffic/thread.h"

struct traffic_rr;

enum { TRAFFIC_RR_FLOWS_MAX = 20000, TRAFFIC_RR_DEPTH_MAX = 1024, TRAFFIC_RR_BYTES_MAX = 1 << 30 };

struct traffic_rr_options {
	struct traffic_end client, server;
	uint16_t server_port; /* 0: the kernel's choice */
	uint16_t client_port; /* of flow 0; flow i has client_port + i. 0: the kernel's choices, even ones */
	unsigned flows;
	uint32_t request_bytes, response_bytes; /* at least 1 */
	unsigned depth;                         /* requests that a flow has under way at a time; 0 is 1 */
	unsigned stall_ms;                      /* a flow without a byte for this long stalls; 0 is 1000 */
	unsigned connect_ms;                    /* all are connected within this time, or it has failed; 0 is 10000 */
};

struct traffic_rr_live {
	uint64_t transactions;
	uint64_t bytes_sent, bytes_received; /* by the clients: requests out, responses in */
	uint64_t last_received_ns;           /* when the last byte of a response came in; 0: none yet */
	uint64_t stalls;                     /* times that a flow began to stall */
	uint64_t absent_ns;                  /* that the engine itself was not let run; no flow's silence */
	unsigned flows_open, flows_stalled;  /* now */
	unsigned flows_broken;               /* reset, closed by the other end, timed out */
};

struct traffic_rr_flow {
	uint64_t transactions;
	uint64_t longest_silence_ns; /* between two bytes */
	uint32_t stalls;
	int errnum;    /* that broke it; 0: it was open to the end */
	uint16_t port; /* the client's */
};

struct traffic_rr_result {
	struct traffic_rr_live total;
	uint64_t began_ns, ended_ns;
	double transactions_per_second;
	double fairness; /* Jain's index of the flows' transactions */
	struct traffic_cpu client_cpu, server_cpu;
};

/*
 * Returns when all flows are connected and have begun. Negative: -errno, and err says which flow could not be
 * connected and why (-ETIMEDOUT: not within connect_ms; -EMFILE: the process may not have so many descriptors).
 */
int traffic_rr_start(const struct traffic_rr_options *options, struct traffic_rr **rr, struct libbond_error *err);

void traffic_rr_live(const struct traffic_rr *rr, struct traffic_rr_live *live); /* any thread */
/* Transactions of one flow, below options.flows; any thread. */
uint64_t traffic_rr_transactions(const struct traffic_rr *rr, unsigned flow);
/* The latencies up to now, from the first byte of a request handed to the kernel to the last of its response; any
 * thread. traffic_histogram_since() makes a phase of two of them. */
void traffic_rr_latency(const struct traffic_rr *rr, struct traffic_histogram *latency);

/* Ends the flows and waits for the threads. */
void traffic_rr_stop(struct traffic_rr *rr, struct traffic_rr_result *result);
/* One flow, after the stop. */
void traffic_rr_flow(const struct traffic_rr *rr, unsigned flow, struct traffic_rr_flow *result);
/* NULL is fine; stops what runs. */
void traffic_rr_free(struct traffic_rr *rr);

#endif
