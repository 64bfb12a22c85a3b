/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What became of each datagram of one direction of the probe: a pure record, without a socket or a thread.
 *
 * The newest datagrams lie in a ring, where a late one can still find its place. Those that leave it are judged: what
 * never arrived goes into a list of losses (8 bytes each), and each row of losses or long silence becomes an outage.
 * Both lists end at a bound that the caller chooses; what they could not take is counted, so that an incomplete
 * answer is known to be one.
 *
 * Times are nanoseconds of CLOCK_MONOTONIC. Threads: none; the owner (probe.c) has a lock around each call.
 */
#ifndef TRAFFIC_PROBE_LOG_H
#define TRAFFIC_PROBE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct traffic_log;

struct traffic_log_options {
	uint32_t window;     /* datagrams in the ring, rounded up to a power of two */
	uint32_t copies;     /* of each that arrive on purpose (slaves of a broadcast bond); 0 is 1 */
	uint64_t silence_ns; /* so long on the way, and nothing came meanwhile: an outage without loss; 0: none */
	size_t losses_max;   /* at 8 bytes */
	size_t outages_max;  /* at 48 bytes */
};

/* From the last datagram that arrived before to the first that arrived after. */
struct traffic_outage {
	uint64_t begin_ns;      /* arrival of the last good one; 0: none had arrived yet */
	uint64_t end_ns;        /* arrival of the first good one; 0: none has arrived since */
	uint64_t first_sent_ns; /* when the first of the lost was sent; of a mere silence: the late one */
	uint64_t last_sent_ns;
	uint64_t first_number; /* their sequence numbers */
	uint32_t lost;         /* 0: late, but nothing lost */
	uint32_t unsent;       /* of the lost: the kernel did not take them from us */
};

struct traffic_log_counts {
	uint64_t sent;           /* tried: what the kernel refused is among them, and among the lost */
	uint64_t unsent;         /* refused by the kernel (no route, device down, no buffer) */
	uint64_t received;       /* each once */
	uint64_t lost;           /* judged: not arrived "grace" after they were sent */
	uint64_t pending;        /* younger than that */
	uint64_t duplicated;     /* arrivals beyond the copies that are meant */
	uint64_t reordered;      /* arrived after one that was sent later (RFC 4737, 3.3) */
	uint64_t reordered_most; /* by how many numbers at most */
	uint64_t too_late;       /* arrived when they had left the ring, as losses */
	uint64_t forgotten_losses, forgotten_outages; /* that the lists had no room for */
};

/* 0 or -ENOMEM, -EINVAL (no window). */
int traffic_log_new(const struct traffic_log_options *options, struct traffic_log **log);
void traffic_log_free(struct traffic_log *log);

/* The next datagram, number 0 first; its number. errnum is not 0: the kernel refused it. */
uint64_t traffic_log_sent(struct traffic_log *log, uint64_t sent_ns, int errnum);
/* One arrived. False: this number has never been sent. */
bool traffic_log_received(struct traffic_log *log, uint64_t number, uint64_t arrived_ns);
/* The kernel refused number after all: it was entered before it was sent. */
void traffic_log_unsent(struct traffic_log *log, uint64_t number);

/* The judgement of those sent before now - grace. */
struct traffic_log_view {
	uint64_t now_ns, grace_ns;
};

void traffic_log_counts(const struct traffic_log *log, struct traffic_log_view view,
                        struct traffic_log_counts *counts);

/* Both ends belong to it. */
struct traffic_window {
	uint64_t begin_ns, end_ns;
};

/* By their begins, as traffic_log_lost_outside() wants them. */
void traffic_windows_sort(struct traffic_window *windows, size_t count);

/* How many of those sent within the window were lost. */
uint64_t traffic_log_lost_within(const struct traffic_log *log, struct traffic_log_view view,
                                 struct traffic_window window);
/*
 * Those lost that were sent outside all windows: how many; the times at which the first "room" of them were sent are
 * written to "sent_ns" (NULL with room 0). Windows are sorted by their begins; they may overlap.
 */
uint64_t traffic_log_lost_outside(const struct traffic_log *log, struct traffic_log_view view,
                                  const struct traffic_window *windows, size_t count, uint64_t *sent_ns, size_t room);

/* Call "visit" for each outage, the oldest first, until it returns false. One that is not over has end_ns 0. */
void traffic_log_outages(const struct traffic_log *log, struct traffic_log_view view,
                         bool (*visit)(void *context, const struct traffic_outage *outage), void *context);

#endif
