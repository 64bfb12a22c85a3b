/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What iperf3 prints with -J, as a result. Pure: text in, plain data out. The text is not trusted: iperf3 is cut
 * short, has numbers that are null or missing, and differs from version to version; whatever it is, nothing is read
 * beyond it.
 */
#ifndef TRAFFIC_IPERF3_JSON_H
#define TRAFFIC_IPERF3_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
	TRAFFIC_IPERF3_STREAMS_MAX = 128, /* iperf3's own limit */
	TRAFFIC_IPERF3_INTERVALS_MAX = 100000,
	TRAFFIC_IPERF3_TEXT = 160
};

/* Numbers that iperf3 did not say are -1. */
struct traffic_iperf3_stream {
	int64_t sent_bytes, received_bytes;
	int64_t retransmits;
	int64_t packets, lost_packets; /* UDP, by the receiver */
	int port;                      /* ours; 0: not said */
};

/* A part of the run, of all streams together, by our end. */
struct traffic_iperf3_interval {
	double begin_s, end_s; /* since the begin of the test */
	int64_t bytes;
	double bits_per_second;
	int64_t retransmits; /* -1: not said */
	unsigned streams;    /* that were in it */
	unsigned idle;       /* of these: without a byte */
};

struct traffic_iperf3_figures {
	char version[TRAFFIC_IPERF3_TEXT];    /* "iperf 3.12"; "" */
	char error[TRAFFIC_IPERF3_TEXT];      /* iperf3's own words; "" */
	char congestion[TRAFFIC_IPERF3_TEXT]; /* the sender's congestion control; "" */
	/* iperf3's own truth: no error, and streams at the end. Its exit status says nothing. */
	bool is_complete;
	/* the summary at the end is there, if only of our end (it was told to stop); else the sums are of the
	 * intervals */
	bool has_end;
	bool is_receiver; /* our end received (-R): what only the other end knows is missing after a stop */
	double seconds;
	int64_t sent_bytes, received_bytes; /* by all streams; -1: not known */
	double bits_per_second;             /* what was received; where that is not known, what was sent */
	int64_t retransmits;
	int64_t packets, lost_packets;
	unsigned streams;                     /* that were connected */
	unsigned reported;                    /* that are in the summary */
	struct traffic_iperf3_stream *stream; /* "reported" of them */
	size_t intervals;
	struct traffic_iperf3_interval *interval;
	bool is_cut; /* more intervals than INTERVALS_MAX: the rest is left out */
};

/* 0, -EBADMSG (no JSON object: figures are those of a run that said nothing), -ENOMEM. Free them in each case. */
int traffic_iperf3_parse(const char *json, size_t length, struct traffic_iperf3_figures *figures);
void traffic_iperf3_figures_free(struct traffic_iperf3_figures *figures);

#endif
