/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The default transport: a NETLINK_ROUTE socket with extended acks and strict checking, by libmnl. Sits
 * under exchange.c; handle.c opens it, in whatever namespace the thread is in.
 */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/netlink.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "exchange.h"
#include "handle.h"
#include "numbers.h"

/* Longer than any RTNL hold seen, short enough for a person: releasing many slaves waits for RCU. */
#define ANSWER_SECONDS 60

static int socket_send(void *context, const void *data, size_t length)
{
	for (;;) {
		ssize_t sent = mnl_socket_sendto(context, data, length);
		if (sent >= 0)
			return (size_t)sent == length ? 0 : -EIO;
		if (errno != EINTR)
			return -errno;
	}
}

static long socket_receive(void *context, void *data, size_t size)
{
	for (;;) {
		ssize_t length = mnl_socket_recvfrom(context, data, size);
		if (length >= 0)
			return (long)length;
		if (errno == ENOSPC) /* libmnl's word for MSG_TRUNC */
			return -EMSGSIZE;
		if (errno != EINTR)
			return -errno;
	}
}

static int socket_fd(void *context)
{
	return mnl_socket_get_fd(context);
}

static void socket_close(void *context)
{
	mnl_socket_close(context);
}

/* Kernels that lack one of these answer without it: the text of errors is missing, nothing else. */
static void ask_for(struct mnl_socket *socket, int option)
{
	int on = 1;
	(void)mnl_socket_setsockopt(socket, option, &on, sizeof(on));
}

/* Where the kernel allows no more than its default (rmem_max), it takes that twice. */
size_t lb_transport_enlarge(int fd)
{
	const int wanted = 1024 * 1024;
	int size = 0;
	socklen_t length = sizeof(size);

	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &wanted, sizeof(wanted)) < 0)
		(void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &wanted, sizeof(wanted));
	return getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, &length) < 0 || size < LB_BUFFER ? LB_BUFFER
	                                                                                     : (size_t)size;
}

int lb_transport_socket(struct libbond_transport *out)
{
	struct timeval patience = {.tv_sec = ANSWER_SECONDS};
	struct mnl_socket *socket = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC);
	if (!socket)
		return -errno;
	if (mnl_socket_bind(socket, 0, MNL_SOCKET_AUTOPID) < 0 ||
	    setsockopt(mnl_socket_get_fd(socket), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) < 0) {
		int errnum = errno;
		mnl_socket_close(socket);
		return -errnum;
	}
	ask_for(socket, LB_NETLINK_EXT_ACK);
	ask_for(socket, LB_NETLINK_CAP_ACK);
	ask_for(socket, LB_NETLINK_GET_STRICT_CHK);
	*out = (struct libbond_transport){
		.send = socket_send,
		.receive = socket_receive,
		.fd = socket_fd,
		.close = socket_close,
		.context = socket,
	};
	return 0;
}
