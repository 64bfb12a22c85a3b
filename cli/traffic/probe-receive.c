/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The probe's receiving thread: takes what arrived at both ends, with the time at which the kernel saw it, into the
 * log. Sits between probe.c, which starts it, and the log.
 */
#include <errno.h>
#include <poll.h>
#include <string.h>

#include "traffic/clock.h"
#include "traffic/probe-inner.h"

#define BATCH 32
/* The kernel notes the times, so that nothing is lost by coming late: a few datagrams a wakeup cost a part of one
 * each.
 */
#define NAP_MS 3

union control {
	struct cmsghdr align;
	char bytes[CMSG_SPACE(sizeof(struct timespec))];
};

/* Buffers of a batch, set up once. */
struct batch {
	struct mmsghdr messages[BATCH];
	struct iovec vectors[BATCH];
	struct probe_datagram heads[BATCH];
	union control controls[BATCH];
};

/* How far the clock of the kernel's time stamps is ahead of ours; it may be set at any time. */
static uint64_t stamps_ahead(uint64_t *now)
{
	uint64_t before = traffic_now(), wall = traffic_clock_read(CLOCK_REALTIME);

	*now = traffic_now();
	return wall - (before + (*now - before) / 2);
}

static uint64_t stamp_of(struct msghdr *message)
{
	struct timespec stamp;

	for (struct cmsghdr *c = CMSG_FIRSTHDR(message); c; c = CMSG_NXTHDR(message, c)) {
		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_TIMESTAMPNS)
			continue;
		memcpy(&stamp, CMSG_DATA(c), sizeof(stamp));
		return (uint64_t)stamp.tv_sec * TRAFFIC_SECOND + (uint64_t)stamp.tv_nsec;
	}
	return 0;
}

static void note(struct probe_way *way, const struct probe_datagram *head, uint64_t arrived)
{
	uint64_t last = atomic_load_explicit(&way->last_arrival_ns, memory_order_relaxed);

	pthread_mutex_lock(&way->lock);
	bool is_known = traffic_log_received(way->log, head->number, arrived);
	pthread_mutex_unlock(&way->lock);
	if (!is_known) {
		atomic_fetch_add_explicit(&way->foreign, 1, memory_order_relaxed);
		return;
	}
	traffic_histogram_add(&way->delay, arrived - head->sent_ns);
	if (arrived <= last)
		return;
	if (last)
		traffic_histogram_add(&way->gap, arrived - last);
	atomic_store_explicit(&way->last_arrival_ns, arrived, memory_order_relaxed);
}

static void take(struct traffic_probe *probe, unsigned index, struct batch *batch, int count)
{
	struct probe_way *way = &probe->ways[index];
	uint64_t now, ahead = stamps_ahead(&now);

	for (int i = 0; i < count; i++) {
		const struct probe_datagram *head = &batch->heads[i];
		if (batch->messages[i].msg_len < sizeof(*head) || head->magic != PROBE_MAGIC ||
		    head->run != probe->run || head->way != index || head->sent_ns > now) {
			atomic_fetch_add_explicit(&way->foreign, 1, memory_order_relaxed);
			continue;
		}
		uint64_t stamp = stamp_of(&batch->messages[i].msg_hdr), arrived = stamp ? stamp - ahead : now;
		/* where the wall clock was set since, it was between these two all the same */
		if (arrived > now)
			arrived = now;
		if (arrived < head->sent_ns)
			arrived = head->sent_ns;
		note(way, head, arrived);
	}
}

static void drain(struct traffic_probe *probe, unsigned index, struct batch *batch)
{
	int count;

	do {
		for (int i = 0; i < BATCH; i++)
			batch->messages[i].msg_hdr.msg_controllen = sizeof(batch->controls[i]);
		count = recvmmsg(probe->ways[index].to, batch->messages, BATCH, MSG_DONTWAIT, NULL);
		if (count > 0)
			take(probe, index, batch, count);
	} while (count == BATCH && !atomic_load(&probe->is_drained));
}

void probe_receive_run(void *context)
{
	struct traffic_probe *probe = context;
	struct batch batch = {0};
	struct pollfd fds[] = {
		{.fd = probe->ways[TRAFFIC_THERE].to, .events = POLLIN},
		{.fd = probe->ways[TRAFFIC_BACK].to, .events = POLLIN},
		{.fd = probe->bell, .events = POLLIN},
	};

	for (int i = 0; i < BATCH; i++) {
		batch.vectors[i] = (struct iovec){&batch.heads[i], sizeof(batch.heads[i])};
		batch.messages[i].msg_hdr = (struct msghdr){
			.msg_iov = &batch.vectors[i],
			.msg_iovlen = 1,
			.msg_control = &batch.controls[i],
		};
	}
	while (!atomic_load(&probe->is_drained)) {
		if (poll(fds, 3, -1) < 0)
			continue;
		for (unsigned way = 0; way < TRAFFIC_WAYS; way++)
			drain(probe, way, &batch);
		poll(&fds[2], 1, NAP_MS);
	}
}
