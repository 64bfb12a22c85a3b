/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The probe: a datagram each interval in both directions at once, so that it is known when a path carried and when it
 * did not. Each has a number and the time at which it was sent; the kernel says when it arrived.
 *
 * It never catches up: a slot that its own sender came too late for is left out and counted (skipped), since a burst
 * would itself be what is lost. What the probe can tell is limited by its own timing, which it measures: calibrate it
 * on the idle path, and take no outage seriously that is shorter than its resolution.
 *
 * Times are nanoseconds of CLOCK_MONOTONIC. Memory is bounded: 11 MB for each direction at worst.
 *
 * Threads: one sends, one receives. start, calibrate, stop and free belong to one thread; the questions may be asked
 * from any between the return of start and free. They hold up the sender while they look: about 50 microseconds, and
 * milliseconds where hundreds of thousands are lost.
 */
#ifndef TRAFFIC_PROBE_H
#define TRAFFIC_PROBE_H

#include "traffic/end.h"
#include "traffic/probe-log.h"
#include "traffic/thread.h"

struct traffic_probe;

enum traffic_way { TRAFFIC_THERE, TRAFFIC_BACK, TRAFFIC_WAYS }; /* near to far, far to near */

enum {
	TRAFFIC_PROBE_BYTES_MIN = 32,
	TRAFFIC_PROBE_BYTES_MAX = 9000,
	TRAFFIC_PROBE_INTERVAL_MAX_US = 1000000,
	TRAFFIC_PROBE_LOSSES_MAX = 1 << 20, /* kept of a direction, and so on */
	TRAFFIC_PROBE_OUTAGES_MAX = 1 << 16
};

struct traffic_probe_options {
	struct traffic_end near, far;
	uint16_t near_port, far_port; /* 0: the kernel's choice */
	unsigned interval_us;         /* 0 is 1000 */
	unsigned bytes;               /* of a datagram; 0 is 64 */
	unsigned grace_ms;            /* what has not arrived after this long is lost; 0 is 1000 */
	unsigned copies;              /* of each that arrive on purpose: the slaves of a broadcast bond; 0 is 1 */
	unsigned silence_ms;          /* this long without an arrival is an outage, even without a loss; 0 is 100 */
};

/* The probe's own quality over some time. */
struct traffic_timing {
	uint64_t resolution_ns; /* the interval, or the 99th percentile of the gaps if that is longer */
	uint64_t late_median_ns, late_99_ns, late_most_ns; /* its sender, after the slot's begin */
	uint64_t slots, skipped;
	struct {
		uint64_t gap_99_ns, gap_most_ns;                      /* between two arrivals */
		uint64_t delay_median_ns, delay_99_ns, delay_most_ns; /* on the way */
	} ways[TRAFFIC_WAYS];
};

struct traffic_probe_counts {
	struct traffic_log_counts log;
	uint64_t foreign;         /* datagrams that are not of this run */
	uint64_t overflown;       /* lost in our own socket: not the path's fault */
	uint64_t last_arrival_ns; /* 0: none */
};

/* Opens the sockets and starts. "err" says what could not be had. */
int traffic_probe_start(const struct traffic_probe_options *options, struct traffic_probe **probe,
                        struct libbond_error *err);

/* Wait for so long on a path that is idle, and say how good the probe was; *lost of both directions, normally 0. */
void traffic_probe_calibrate(struct traffic_probe *probe, unsigned ms, struct traffic_timing *timing, uint64_t *lost);

/* Since the start. */
void traffic_probe_timing(struct traffic_probe *probe, struct traffic_timing *timing);

void traffic_probe_counts(struct traffic_probe *probe, enum traffic_way way, struct traffic_probe_counts *counts);
/* Without a lock, for polling: "traffic is back". 0: nothing yet. */
uint64_t traffic_probe_last_arrival(const struct traffic_probe *probe, enum traffic_way way);

/* As in probe-log.h. While it runs, what is younger than grace_ms is neither lost nor in an outage. */
uint64_t traffic_probe_lost_within(struct traffic_probe *probe, enum traffic_way way, struct traffic_window window);
/* The windows are sorted (traffic_windows_sort()). */
uint64_t traffic_probe_lost_outside(struct traffic_probe *probe, enum traffic_way way,
                                    const struct traffic_window *windows, size_t count, uint64_t *sent_ns,
                                    size_t room);
void traffic_probe_outages(struct traffic_probe *probe, enum traffic_way way,
                           bool (*visit)(void *context, const struct traffic_outage *outage), void *context);

/* No more is sent; what is on its way is awaited, at most drain_ms. Then all that has not arrived is lost. The cost
 * of the sending and the receiving thread is written to cpu (may be NULL). */
void traffic_probe_stop(struct traffic_probe *probe, unsigned drain_ms, struct traffic_cpu *cpu);
/* NULL is fine; stops what runs. */
void traffic_probe_free(struct traffic_probe *probe);

#endif
