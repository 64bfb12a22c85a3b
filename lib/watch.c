/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Listens on a second socket while a change is planned and done: a dump tells what is, and only a notification tells
 * that it was another program that made or removed it since. Sits under follow.c.
 */
#include "watch.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "netns.h"

/* For ten thousand routes; what the kernel allows without asking is some 300. */
#define BUFFER (4 * 1024 * 1024)
/* More than the buffer can hold: one call hears all that had come before it, and a writer that goes on for ever holds
 * nobody up. */
#define DATAGRAMS_MAX 16384
#define GROUP(number) (1U << ((number)-1))
#define GROUPS                                                                                                       \
	(GROUP(RTNLGRP_LINK) | GROUP(RTNLGRP_NEIGH) | GROUP(RTNLGRP_IPV4_IFADDR) | GROUP(RTNLGRP_IPV4_ROUTE) |       \
	 GROUP(RTNLGRP_IPV6_IFADDR) | GROUP(RTNLGRP_IPV6_ROUTE) | GROUP(RTNLGRP_NEXTHOP))

struct lb_watch {
	struct mnl_socket *socket;
	uint32_t ours; /* the port of the handle's socket */
	_Alignas(8) char buffer[LB_RECEIVE_SIZE];
};

/* A classic BPF program is the kernel's, and counts on its own: it reads words and halves as big-endian. */
#define LOAD(width, field) BPF_STMT(BPF_LD | BPF_ABS | (width), offsetof(struct nlmsghdr, field))
#define IF_EQUAL(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, yes, no)

/* Our own messages stay outside: thousands of routes that we put back would fill the buffer. So do, once our steps
 * have begun, those of the kernel for itself, which are what our steps cost; but for IPv6 addresses, where it never
 * says who it was. A notification is a datagram of its own. */
static void filter(const struct lb_watch *watch, bool begun)
{
	const uint32_t new_address = htons(RTM_NEWADDR), deleted_address = htons(RTM_DELADDR);
	struct sock_filter program[] = {
		LOAD(BPF_W, nlmsg_pid),
		IF_EQUAL(htonl(watch->ours), 5, 0), /* to the last */
		IF_EQUAL(0, 0, 3),
		LOAD(BPF_H, nlmsg_type),
		IF_EQUAL(begun ? new_address : 0, 1, 0),
		IF_EQUAL(begun ? deleted_address : 0, 0, begun ? 1 : 0),
		BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
		BPF_STMT(BPF_RET | BPF_K, 0),
	};
	const struct sock_fprog fprog = {sizeof(program) / sizeof(program[0]), program};

	/* without it they are heard, and not listened to */
	(void)setsockopt(mnl_socket_get_fd(watch->socket), SOL_SOCKET, SO_ATTACH_FILTER, &fprog, sizeof(fprog));
}

void lb_watch_begin(struct lb_watch *watch)
{
	filter(watch, true);
}

static int open_socket(void *context)
{
	struct lb_watch *watch = context;
	const int size = BUFFER;

	watch->socket = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC | SOCK_NONBLOCK);
	if (!watch->socket)
		return -errno;
	int fd = mnl_socket_get_fd(watch->socket);
	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)) < 0)
		(void)setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size)); /* as far as we may */
	filter(watch, false);
	return mnl_socket_bind(watch->socket, GROUPS, MNL_SOCKET_AUTOPID) < 0 ? -errno : 0;
}

static int port_of(int fd, uint32_t *port)
{
	struct sockaddr_nl address = {0};
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

	for (int n = 0; rc == 0 && n < DATAGRAMS_MAX; n++) {
		ssize_t length = mnl_socket_recvfrom(watch->socket, watch->buffer, sizeof(watch->buffer));
		if (length >= 0)
			rc = hear_all(watch, length, hear, context);
		else if (errno == EAGAIN)
			break;
		else if (errno != EINTR)
			missed = -ENOBUFS; /* what was there before and came since can be read still */
	}
	return rc ? rc : missed;
}

void lb_watch_free(struct lb_watch *watch)
{
	if (watch && watch->socket)
		mnl_socket_close(watch->socket);
	free(watch);
}
