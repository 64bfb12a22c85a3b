/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A run of iperf3: a server in the one namespace, a client in the other, both children of this process, both under a
 * deadline of ours, since iperf3 waits for ever when its link goes away. The caller goes on meanwhile: it has a
 * descriptor to poll, may stop the run early, and gets what is there.
 *
 *     traffic_iperf3_start(&options, &run, &err);
 *     while (!traffic_iperf3_is_over(run))  ... poll traffic_iperf3_fd(run), work ...
 *     traffic_iperf3_finish(run, &result);
 *     traffic_iperf3_result_free(&result);
 *
 * iperf3's control connection goes the way of its streams: it can be reset, or hang, as they can.
 *
 * Threads: a run belongs to one thread at a time; runs do not know of each other. The functions never print.
 */
#ifndef TRAFFIC_IPERF3_H
#define TRAFFIC_IPERF3_H

#include "traffic/end.h"
#include "traffic/iperf3-json.h"
#include "traffic/thread.h"

struct traffic_iperf3;

struct traffic_iperf3_options {
	const char *program; /* NULL is "iperf3", looked for in PATH */
	struct traffic_end client, server;
	uint16_t server_port; /* 0: one that is free. */
	/* of stream 0; stream i has client_port + i. Where one of these is in use, as after a run that was ended, the
	 * next so many are taken; the result says which. 0: the kernel's choices, even ones */
	uint16_t client_port;
	unsigned streams;     /* 1 to TRAFFIC_IPERF3_STREAMS_MAX */
	unsigned seconds;     /* 1 to 86400 */
	unsigned interval_ms; /* of the time series, from 100 on; 0 is 1000 */
	unsigned slack_ms;    /* that the run may last beyond "seconds"; 0 is 10000 */
	unsigned listen_ms;   /* within which the server listens, or it has failed; 0 is 10000 */
	unsigned grace_ms;    /* to say what it knows, once it is told to end; then it is killed; 0 is 4000 */
	bool is_udp;
	bool is_reverse;                 /* the server sends */
	uint64_t stream_bits_per_second; /* 0: as fast as it goes, for UDP too */
	const char *congestion;          /* TCP congestion control; NULL: the system's */
};

enum traffic_iperf3_outcome {
	TRAFFIC_IPERF3_COMPLETE,
	TRAFFIC_IPERF3_STOPPED, /* as it was told; our end's figures are there if figures.has_end (seldom not: it may
	                           crash) */
	TRAFFIC_IPERF3_FAILED,  /* it says an error, or nothing; figures may have intervals */
	TRAFFIC_IPERF3_HUNG,    /* it had to be ended, "slack_ms" after its time; our end's figures may be there */
	TRAFFIC_IPERF3_DIED     /* by a signal that is not ours */
};

struct traffic_iperf3_result {
	enum traffic_iperf3_outcome outcome;
	char why[256]; /* a sentence for people, where it is not COMPLETE */
	struct traffic_iperf3_figures figures;
	unsigned missing; /* streams that were asked for and did not report */
	double fairness;  /* Jain's index of the streams' bytes, as far as our end knows them; 0: not known */
	int64_t began_ns, ended_ns; /* the client's life, CLOCK_MONOTONIC */
	struct traffic_cpu client_cpu, server_cpu;
};

/*
 * Starts the server, waits until it listens (at most listen_ms), starts the client. -ENOENT: there is no iperf3;
 * -EADDRINUSE; -EPERM; -ETIMEDOUT, -EPROTO: the server does not listen; "err" has the words.
 */
int traffic_iperf3_start(const struct traffic_iperf3_options *options, struct traffic_iperf3 **run,
                         struct libbond_error *err);

/* Readable, and stays so, once the client has ended. It stays the run's. */
int traffic_iperf3_fd(const struct traffic_iperf3 *run);
/* Whether the client has ended. Call it ten times a second: it is here that a client that is over its time, or was
 * stopped, is urged to end and to say what it knows. One that nobody looks at is killed grace_ms later. */
bool traffic_iperf3_is_over(struct traffic_iperf3 *run);
/* Have it end, and say what it knows. Returns at once; is_over() and finish() do it, within half an interval. */
void traffic_iperf3_stop(struct traffic_iperf3 *run);

/*
 * Waits for the end, at most until grace_ms and an interval after the deadline or the stop, and frees the run,
 * whatever came of it. The result is filled in any case, and freed with traffic_iperf3_result_free(). -ENOMEM:
 * without figures.
 */
int traffic_iperf3_finish(struct traffic_iperf3 *run, struct traffic_iperf3_result *result);
void traffic_iperf3_result_free(struct traffic_iperf3_result *result);
/* Ends and forgets a run that nobody wants to know of. NULL is fine. */
void traffic_iperf3_free(struct traffic_iperf3 *run);

/* "complete", "stopped", ... */
const char *traffic_iperf3_outcome_name(enum traffic_iperf3_outcome outcome);

#endif
