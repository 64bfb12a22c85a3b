/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Moves bytes through one end of a connection, as far as the socket takes and gives them. Sits under rr-client.c and
 * rr-server.c, between them and the system calls.
 */
#include <errno.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "traffic/rr-inner.h"

int rr_watch(int epoll, int fd, uint32_t index)
{
	/* edges: no call to epoll_ctl() each time that a socket is full */
	struct epoll_event event = {.events = EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET, .data.u32 = index};

	if (index == RR_BELL || index == RR_LISTENER)
		event.events = EPOLLIN;
	return epoll_ctl(epoll, EPOLL_CTL_ADD, fd, &event) < 0 ? -errno : 0;
}

int64_t rr_send(struct rr_pipe *pipe, const char *buffer)
{
	int64_t sent = 0;

	while (pipe->to_send) {
		size_t size = pipe->to_send < RR_BUFFER ? (size_t)pipe->to_send : RR_BUFFER;
		ssize_t n = send(pipe->fd, buffer, size, MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN ? sent : -errno;
		pipe->to_send -= (uint64_t)n;
		sent += n;
		if ((size_t)n < size)
			break; /* full: an edge comes when it is not any more */
	}
	return sent;
}

static void consume(struct rr_pipe *pipe, size_t bytes, uint32_t size, unsigned *whole)
{
	while (bytes >= pipe->to_receive) {
		bytes -= pipe->to_receive;
		pipe->to_receive = size;
		++*whole;
	}
	pipe->to_receive -= (uint32_t)bytes;
}

int64_t rr_receive(struct rr_pipe *pipe, char *buffer, uint32_t size, bool is_ending, unsigned *whole)
{
	int64_t received = 0;

	for (;;) {
		ssize_t n = recv(pipe->fd, buffer, RR_BUFFER, 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno == EAGAIN ? received : -errno;
		if (n == 0)
			return -EPIPE;
		consume(pipe, (size_t)n, size, whole);
		received += n;
		/* less than there was room for: it is empty, and an edge comes with more */
		if (n < RR_BUFFER && !is_ending)
			return received;
	}
}

void rr_close(struct rr_pipe *pipe)
{
	const struct linger at_once = {.l_onoff = 1};

	if (pipe->fd < 0)
		return;
	setsockopt(pipe->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
	close(pipe->fd);
	pipe->fd = -1;
}
