/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sends a datagram over a bond and back: a ping that needs neither privilege nor program. Called by ready.c, on
 * sockets that netns.c lets open at both ends.
 */
#include "lab/reach.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lab/clock.h"
#include "lab/netns.h"

union endpoint {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

struct lab_reach {
	int fds[LAB_SIDES];
	union endpoint far;
	uint32_t number; /* of the last datagram */
};

/* A socket to be opened inside a namespace, bound to an address and any port; "bound" gets the port. */
struct opening {
	union endpoint bound;
	int fd;
};

static int open_bound(void *context)
{
	struct opening *opening = context;
	socklen_t length = sizeof(opening->bound);
	int fd = socket(opening->bound.any.sa_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return -errno;
	if (bind(fd, &opening->bound.any, sizeof(opening->bound)) < 0 ||
	    getsockname(fd, &opening->bound.any, &length) < 0) {
		int rc = -errno;
		close(fd);
		return rc;
	}
	opening->fd = fd;
	return 0;
}

static void fill_endpoint(union endpoint *endpoint, unsigned bond, enum lab_side side, int family)
{
	char text[LAB_ADDRESS_SIZE];

	memset(endpoint, 0, sizeof(*endpoint));
	endpoint->any.sa_family = (sa_family_t)family;
	lab_address(bond, side, family, text);
	if (family == AF_INET6)
		inet_pton(family, text, &endpoint->v6.sin6_addr);
	else
		inet_pton(family, text, &endpoint->v4.sin_addr);
}

int lab_reach_new(struct lab_reach **out, const struct lab *lab, unsigned bond, int family)
{
	struct lab_reach *reach = calloc(1, sizeof(*reach));
	int rc = 0;

	if (!reach)
		return -ENOMEM;
	reach->fds[LAB_NEAR] = reach->fds[LAB_FAR] = -1;
	for (enum lab_side side = LAB_NEAR; rc == 0 && side < LAB_SIDES; side++) {
		struct opening opening = {.fd = -1};
		fill_endpoint(&opening.bound, bond, side, family);
		rc = lab_netns_call(lab_net_fd(lab_net(lab, side)), open_bound, &opening);
		reach->fds[side] = opening.fd;
		if (side == LAB_FAR)
			reach->far = opening.bound;
	}
	if (rc < 0) {
		lab_reach_free(reach);
		return rc;
	}
	*out = reach;
	return 0;
}

void lab_reach_free(struct lab_reach *reach)
{
	if (!reach)
		return;
	for (enum lab_side side = LAB_NEAR; side < LAB_SIDES; side++)
		if (reach->fds[side] >= 0)
			close(reach->fds[side]);
	free(reach);
}

/* The far end sends back whatever comes. */
static void echo(const struct lab_reach *reach)
{
	union endpoint from;
	socklen_t length = sizeof(from);
	uint32_t number;

	while (recvfrom(reach->fds[LAB_FAR], &number, sizeof(number), 0, &from.any, &length) == sizeof(number)) {
		sendto(reach->fds[LAB_FAR], &number, sizeof(number), 0, &from.any, length);
		length = sizeof(from);
	}
}

/* Late echoes of datagrams before are not this one's. */
static int has_come(const struct lab_reach *reach)
{
	uint32_t number;

	while (recv(reach->fds[LAB_NEAR], &number, sizeof(number), 0) == sizeof(number))
		if (number == reach->number)
			return 1;
	return 0;
}

int lab_reach_try(struct lab_reach *reach, int timeout_ms)
{
	int64_t end = lab_now_ns() + lab_ms(timeout_ms);
	struct pollfd fds[] = {
		{.fd = reach->fds[LAB_NEAR], .events = POLLIN},
		{.fd = reach->fds[LAB_FAR], .events = POLLIN},
	};

	reach->number++;
	sendto(reach->fds[LAB_NEAR], &reach->number, sizeof(reach->number), 0, &reach->far.any, sizeof(reach->far));
	for (;;) {
		int left = lab_ms_until(end);
		if (left == 0 || poll(fds, 2, left) < 0)
			return 0;
		echo(reach);
		if (has_come(reach))
			return 1;
	}
}
