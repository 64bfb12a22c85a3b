/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The serving thread: takes connections, and owes a response for each request that has come in whole. Sits between
 * rr.c, which starts it, and rr-pipe.c.
 */
#include <errno.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "traffic/rr-inner.h"

static void take_connections(struct traffic_rr *rr)
{
	for (;;) {
		int fd = accept4(rr->listener, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
		if (fd < 0)
			return;
		pthread_mutex_lock(&rr->gate.lock);
		unsigned index = rr->gate.accepted;
		bool is_wanted = index < rr->options.flows;
		if (is_wanted) {
			rr->gate.accepted++;
			rr->served[index] = (struct rr_pipe){.fd = fd, .to_receive = rr->options.request_bytes};
		}
		pthread_cond_signal(&rr->gate.changed);
		pthread_mutex_unlock(&rr->gate.lock);
		/* a stranger's, or one that cannot be watched and will be missed as a response */
		if (!is_wanted)
			close(fd);
		else if (rr_watch(rr->server_epoll, fd, index) < 0)
			rr_close(&rr->served[index]);
	}
}

static void serve(struct traffic_rr *rr, struct rr_pipe *pipe, uint32_t events)
{
	unsigned requests = 0;

	if (pipe->fd < 0)
		return;
	if (events & ~(uint32_t)EPOLLOUT) {
		bool is_ending = events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR);
		if (rr_receive(pipe, rr->server_buffer, rr->options.request_bytes, is_ending, &requests) < 0) {
			rr_close(pipe); /* the client sees it, and counts it */
			return;
		}
		pipe->to_send += (uint64_t)requests * rr->options.response_bytes;
	}
	if (rr_send(pipe, rr->server_buffer) < 0)
		rr_close(pipe);
}

void rr_server_run(void *context)
{
	struct traffic_rr *rr = context;
	struct epoll_event events[RR_EVENTS];
	uint64_t looked = traffic_now();

	while (!atomic_load(&rr->is_stopping)) {
		int count = epoll_wait(rr->server_epoll, events, RR_EVENTS, RR_SERVER_WAIT_MS);
		rr_count(&rr->server_absent_ns, rr_absence(&looked, traffic_now(), RR_SERVER_WAIT_MS));
		for (int i = 0; i < count; i++) {
			if (events[i].data.u32 == RR_LISTENER)
				take_connections(rr);
			else if (events[i].data.u32 != RR_BELL)
				serve(rr, &rr->served[events[i].data.u32], events[i].events);
		}
	}
}
