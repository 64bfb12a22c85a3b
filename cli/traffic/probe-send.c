/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The probe's sending thread: a datagram each way at the begin of each slot. Sits between probe.c, which starts it,
 * and the log, which has each number before it can arrive.
 */
#include <errno.h>
#include <string.h>

#include "traffic/clock.h"
#include "traffic/probe-inner.h"

static void send_one(struct traffic_probe *probe, unsigned index)
{
	struct probe_way *way = &probe->ways[index];
	struct probe_datagram head = {.magic = PROBE_MAGIC, .run = probe->run, .way = index};

	pthread_mutex_lock(&way->lock);
	head.sent_ns = traffic_now();
	head.number = traffic_log_sent(way->log, head.sent_ns, 0);
	pthread_mutex_unlock(&way->lock);
	memcpy(probe->datagram, &head, sizeof(head));
	/* not connected: an ICMP message about an earlier one is not to cost this one */
	if (sendto(way->from, probe->datagram, probe->options.bytes, MSG_DONTWAIT | MSG_NOSIGNAL,
	           &way->place.address.any, way->place.length) >= 0)
		return;
	pthread_mutex_lock(&way->lock);
	traffic_log_unsent(way->log, head.number);
	pthread_mutex_unlock(&way->lock);
}

void probe_send_run(void *context)
{
	struct traffic_probe *probe = context;
	uint64_t interval = probe->options.interval_us * UINT64_C(1000), slot = traffic_now() + interval;

	/* for its own timing alone: it works without the privilege, and says how well in the timing */
	(void)traffic_thread_hurry();
	while (!atomic_load(&probe->is_stopping)) {
		struct timespec when = traffic_timespec(slot);
		if (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &when, NULL) != 0)
			continue;
		traffic_histogram_add(&probe->late, traffic_now() - slot);
		for (unsigned way = 0; way < TRAFFIC_WAYS; way++)
			send_one(probe, way);
		slot += interval;
		uint64_t now = traffic_now();
		if (slot > now)
			continue;
		uint64_t missed = (now - slot) / interval + 1;
		slot += missed * interval;
		atomic_store_explicit(&probe->skipped,
		                      atomic_load_explicit(&probe->skipped, memory_order_relaxed) + missed,
		                      memory_order_relaxed);
	}
}
