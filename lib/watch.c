/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Listens on a second socket while a change is planned and done: a dump tells what is, and only a notification tells
 * that it was another program that made or removed it since. Sits under follow.c.
 */
#include "watch.h"

#include <errno.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "netns.h"

/* For a thousand routes and more; what the kernel allows without asking is some 300. */
#define BUFFER (4 * 1024 * 1024)
#define GROUP(number) (1U << ((number)-1))
#define GROUPS                                                                                                       \
	(GROUP(RTNLGRP_NEIGH) | GROUP(RTNLGRP_IPV4_IFADDR) | GROUP(RTNLGRP_IPV4_ROUTE) |                             \
	 GROUP(RTNLGRP_IPV6_IFADDR) | GROUP(RTNLGRP_IPV6_ROUTE) | GROUP(RTNLGRP_NEXTHOP))

struct lb_watch {
	struct mnl_socket *socket;
	uint32_t ours; /* the port of the handle's socket */
	_Alignas(8) char buffer[LB_RECEIVE_SIZE];
};

static int open_socket(void *context)
{
	struct lb_watch *watch = context;
	const int size = BUFFER;

	watch->socket = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (!watch->socket)
		return -errno;
	(void)setsockopt(mnl_socket_get_fd(watch->socket), SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size));
	return mnl_socket_bind(watch->socket, GROUPS, MNL_SOCKET_AUTOPID) < 0 ? -errno : 0;
}

static int port_of(int fd, uint32_t *port)
{
	struct sockaddr_nl address;
	socklen_t length = sizeof(address);

	if (getsockname(fd, (struct sockaddr *)&address, &length) < 0)
		return -errno;
	*port = address.nl_pid;
	return 0;
}

struct lb_watch *lb_watch_new(const struct libbond *handle)
{
	int fd = handle->own_socket ? libbond_fd(handle) : -1;
	int netns = fd < 0 ? -1 : ioctl(fd, SIOCGSKNS);
	struct lb_watch *watch = netns < 0 ? NULL : calloc(1, sizeof(*watch));
	char path[32];

	snprintf(path, sizeof(path), "/proc/self/fd/%d", netns);
	if (watch && (port_of(fd, &watch->ours) < 0 || lb_netns_run(path, false, open_socket, watch, NULL) < 0)) {
		lb_watch_free(watch);
		watch = NULL;
	}
	if (netns >= 0)
		close(netns);
	return watch;
}

static enum lb_sender sender_of(const struct lb_watch *watch, const struct nlmsghdr *nlh)
{
	if (nlh->nlmsg_pid == 0)
		return LB_SENT_BY_NOBODY;
	return nlh->nlmsg_pid == watch->ours ? LB_SENT_BY_US : LB_SENT_BY_OTHERS;
}

static int hear_all(struct lb_watch *watch, long length, lb_hear *hear, void *context)
{
	const struct nlmsghdr *nlh = (const void *)watch->buffer;
	int left = (int)length, rc = 0;

	for (; rc == 0 && mnl_nlmsg_ok(nlh, left); nlh = mnl_nlmsg_next(nlh, &left))
		rc = hear(nlh, sender_of(watch, nlh), context);
	return rc;
}

int lb_watch_hear(struct lb_watch *watch, lb_hear *hear, void *context)
{
	int missed = 0, rc = 0;

	while (rc == 0) {
		ssize_t length = mnl_socket_recvfrom(watch->socket, watch->buffer, sizeof(watch->buffer));
		if (length > 0)
			rc = hear_all(watch, length, hear, context);
		else if (length < 0 && errno == ENOBUFS)
			missed = -ENOBUFS; /* what was there before and came since can be read still */
		else if (length < 0 && errno != EINTR)
			break;
	}
	return rc ? rc : missed;
}

void lb_watch_free(struct lb_watch *watch)
{
	if (watch && watch->socket)
		mnl_socket_close(watch->socket);
	free(watch);
}
