/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The asking thread: keeps each flow's requests under way, times their responses, and notices flows that stall or
 * break. Sits between rr.c, which starts it, and rr-pipe.c.
 */
#include <errno.h>
#include <sys/epoll.h>

#include "traffic/rr-inner.h"

static void change(_Atomic unsigned *counter, int by)
{
	atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + (unsigned)by,
	                      memory_order_relaxed);
}

static void end_silence(struct traffic_rr *rr, struct rr_flow *flow, uint64_t now)
{
	if (now > flow->last_ns + flow->longest_silence_ns)
		flow->longest_silence_ns = now - flow->last_ns;
	flow->last_ns = now;
	if (flow->is_stalled)
		change(&rr->live.stalled, -1);
	flow->is_stalled = false;
}

static void break_flow(struct traffic_rr *rr, struct rr_flow *flow, int errnum)
{
	end_silence(rr, flow, traffic_now());
	flow->errnum = errnum;
	rr_close(&flow->pipe);
	change(&rr->live.open, -1);
	change(&rr->live.broken, 1);
}

/* As many requests as may be under way, as far as the socket takes them. */
static void ask(struct traffic_rr *rr, struct rr_flow *flow, uint64_t now)
{
	while (flow->under_way < rr->options.depth) {
		flow->begun_ns[(flow->oldest + flow->under_way) % rr->options.depth] = now;
		flow->under_way++;
		flow->pipe.to_send += rr->options.request_bytes;
	}
	int64_t sent = rr_send(&flow->pipe, rr->client_buffer);
	if (sent < 0) {
		break_flow(rr, flow, (int)-sent);
		return;
	}
	if (sent == 0)
		return;
	end_silence(rr, flow, now);
	rr_count(&rr->live.bytes_sent, (uint64_t)sent);
}

/* False: the flow is broken. */
static bool hear(struct traffic_rr *rr, struct rr_flow *flow, bool is_ending, uint64_t *now)
{
	unsigned responses = 0;
	int64_t received =
		rr_receive(&flow->pipe, rr->client_buffer, rr->options.response_bytes, is_ending, &responses);

	*now = traffic_now();
	for (unsigned i = 0; i < responses && flow->under_way; i++) {
		traffic_histogram_add(&rr->latency, *now - flow->begun_ns[flow->oldest]);
		flow->oldest = (flow->oldest + 1) % rr->options.depth;
		flow->under_way--;
		rr_count(&flow->transactions, 1);
		rr_count(&rr->live.transactions, 1);
	}
	if (received < 0) {
		break_flow(rr, flow, (int)-received);
		return false;
	}
	if (received == 0)
		return true;
	end_silence(rr, flow, *now);
	rr_count(&rr->live.bytes_received, (uint64_t)received);
	atomic_store_explicit(&rr->live.last_received_ns, *now, memory_order_relaxed);
	return true;
}

/* Before the start there is nothing to do but to see whether the connection stands. */
static void connected(struct traffic_rr *rr, struct rr_flow *flow, uint32_t events)
{
	int errnum = 0;
	socklen_t length = sizeof(errnum);

	if (flow->is_connected || !(events & (EPOLLOUT | EPOLLERR | EPOLLHUP)))
		return;
	flow->is_connected = true;
	if (getsockopt(flow->pipe.fd, SOL_SOCKET, SO_ERROR, &errnum, &length) < 0)
		errnum = errno;
	pthread_mutex_lock(&rr->gate.lock);
	if (errnum == 0) {
		rr->gate.connected++;
	} else if (rr->gate.errnum == 0) {
		rr->gate.errnum = errnum;
		rr->gate.failed = (unsigned)(flow - rr->flows);
	}
	pthread_cond_signal(&rr->gate.changed);
	pthread_mutex_unlock(&rr->gate.lock);
}

static void begin(struct traffic_rr *rr)
{
	for (unsigned i = 0; i < rr->options.flows; i++) {
		struct rr_flow *flow = &rr->flows[i];
		if (flow->pipe.fd < 0)
			continue;
		flow->last_ns = traffic_now();
		ask(rr, flow, flow->last_ns);
	}
}

static void attend(struct traffic_rr *rr, struct rr_flow *flow, uint32_t events)
{
	uint64_t now;

	if (flow->pipe.fd < 0)
		return;
	if (events & ~(uint32_t)EPOLLOUT) {
		if (!hear(rr, flow, events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR), &now))
			return;
	} else {
		now = traffic_now();
	}
	ask(rr, flow, now);
}

static void look_for_stalls(struct traffic_rr *rr, uint64_t now)
{
	for (unsigned i = 0; i < rr->options.flows; i++) {
		struct rr_flow *flow = &rr->flows[i];
		if (flow->pipe.fd < 0 || flow->is_stalled || now < flow->last_ns + rr->options.stall_ms * TRAFFIC_MS)
			continue;
		flow->is_stalled = true;
		flow->stalls++;
		change(&rr->live.stalled, 1);
		rr_count(&rr->live.stalls, 1);
	}
}

/* What is silent at the end has been so until then. */
static void end_all(struct traffic_rr *rr)
{
	uint64_t now = traffic_now();

	for (unsigned i = 0; i < rr->options.flows; i++) {
		struct rr_flow *flow = &rr->flows[i];
		if (flow->pipe.fd >= 0 && now > flow->last_ns + flow->longest_silence_ns)
			flow->longest_silence_ns = now - flow->last_ns;
	}
}

static void dispatch(struct traffic_rr *rr, const struct epoll_event *event, bool is_begun)
{
	if (event->data.u32 == RR_BELL)
		traffic_bell_quiet(rr->client_bell);
	else if (is_begun)
		attend(rr, &rr->flows[event->data.u32], event->events);
	else
		connected(rr, &rr->flows[event->data.u32], event->events);
}

/* What a flow did not do while one of the two threads was not let run does not count. */
static void forgive_absence(struct traffic_rr *rr, uint64_t ours, uint64_t *theirs_before, uint64_t now)
{
	uint64_t theirs = atomic_load_explicit(&rr->server_absent_ns, memory_order_relaxed);
	uint64_t absent = theirs - *theirs_before > ours ? theirs - *theirs_before : ours;

	*theirs_before = theirs;
	if (absent == 0)
		return;
	rr_count(&rr->live.absent_ns, absent);
	for (unsigned i = 0; i < rr->options.flows; i++) {
		struct rr_flow *flow = &rr->flows[i];
		flow->last_ns = flow->last_ns + absent < now ? flow->last_ns + absent : now;
	}
}

void rr_client_run(void *context)
{
	struct traffic_rr *rr = context;
	struct epoll_event events[RR_EVENTS];
	unsigned look_ms = rr->options.stall_ms / 4;
	uint64_t looked = traffic_now(), searched = looked, server_absent = 0;
	bool is_begun = false;

	look_ms = look_ms < 10 ? 10 : look_ms > 250 ? 250 : look_ms;
	while (!atomic_load(&rr->is_stopping)) {
		int count = epoll_wait(rr->client_epoll, events, RR_EVENTS, (int)look_ms);
		uint64_t now = traffic_now(), absent = rr_absence(&looked, now, look_ms);
		if (is_begun)
			forgive_absence(rr, absent, &server_absent, now);
		for (int i = 0; i < count; i++)
			dispatch(rr, &events[i], is_begun);
		if (!is_begun && atomic_load(&rr->has_begun)) {
			is_begun = true;
			begin(rr);
		}
		if (is_begun && now - searched >= look_ms * TRAFFIC_MS) {
			searched = now;
			look_for_stalls(rr, now);
		}
	}
	if (is_begun)
		end_all(rr);
}
