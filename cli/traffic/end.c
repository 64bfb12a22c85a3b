/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Opens sockets in namespaces. Sits between rr.c, probe.c and iperf3.c, which want them, and lab/netns.h, which
 * enters a namespace for the moment that it takes.
 */
#include "traffic/end.h"

#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "lab/fail.h"
#include "lab/netns.h"

int traffic_place(const char *address, uint16_t port, struct traffic_place *place, struct libbond_error *err)
{
	struct traffic_place made = {0};

	if (inet_pton(AF_INET, address, &made.address.ip4.sin_addr) == 1) {
		made.address.ip4.sin_family = AF_INET;
		made.address.ip4.sin_port = htons(port);
		made.length = sizeof(made.address.ip4);
	} else if (inet_pton(AF_INET6, address, &made.address.ip6.sin6_addr) == 1) {
		made.address.ip6.sin6_family = AF_INET6;
		made.address.ip6.sin6_port = htons(port);
		made.length = sizeof(made.address.ip6);
	} else {
		lab_fail(err, LIBBOND_CAUSE_BAD_VALUE, EINVAL, "'%.127s' is no IPv4 or IPv6 address", address);
		return -EINVAL;
	}
	*place = made;
	return 0;
}

struct opening {
	int family;
	const struct traffic_sockets *wanted;
	int *fds;
	unsigned opened;
};

/* In the namespace: nothing but the system calls, whose sockets belong to it for good. */
static int open_there(void *context)
{
	struct opening *opening = context;
	int type = opening->wanted->type | SOCK_NONBLOCK | SOCK_CLOEXEC;

	for (; opening->opened < opening->wanted->count; opening->opened++) {
		int fd = socket(opening->family, type, 0);
		if (fd < 0)
			return -errno;
		opening->fds[opening->opened] = fd;
	}
	return 0;
}

static int bind_one(const struct traffic_end *end, int fd, uint16_t port, struct libbond_error *err)
{
	struct traffic_place place;
	int rc = traffic_place(end->address, port, &place, err);

	if (rc < 0 || bind(fd, &place.address.any, place.length) == 0)
		return rc;
	return lab_fail(err, LIBBOND_CAUSE_SYSTEM, errno, "cannot bind to port %u of %.64s: %s", port, end->address,
	                strerror(errno));
}

static int bind_all(const struct traffic_end *end, const struct traffic_sockets *wanted, const int *fds,
                    struct libbond_error *err)
{
	const int on = 1;
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < wanted->count; i++) {
		if (wanted->type == SOCK_STREAM && !wanted->is_alone)
			setsockopt(fds[i], SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
		rc = bind_one(end, fds[i], (uint16_t)(wanted->port ? wanted->port + i : 0), err);
	}
	return rc;
}

static void close_all(const int *fds, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		close(fds[i]);
}

int traffic_open(const struct traffic_end *end, const struct traffic_sockets *wanted, int *fds,
                 struct libbond_error *err)
{
	struct traffic_place place;
	struct opening opening = {.wanted = wanted, .fds = fds};

	memset(fds, -1, wanted->count * sizeof(*fds));
	if (wanted->port && wanted->port + wanted->count - 1 > UINT16_MAX)
		return lab_fail(err, LIBBOND_CAUSE_BAD_VALUE, ERANGE, "there are no %u ports from %u on",
		                wanted->count, wanted->port);
	int rc = traffic_place(end->address, 0, &place, err);
	if (rc < 0)
		return rc;
	opening.family = place.address.any.sa_family;
	rc = lab_netns_call(end->netns, open_there, &opening);
	if (rc < 0)
		lab_fail(err, LIBBOND_CAUSE_SYSTEM, -rc, "cannot open a socket for %.64s: %s", end->address,
		         strerror(-rc));
	else
		rc = bind_all(end, wanted, fds, err);
	if (rc < 0)
		close_all(fds, opening.opened);
	return rc;
}

uint16_t traffic_port(int fd)
{
	struct traffic_place place = {.length = sizeof(place.address)};

	if (getsockname(fd, &place.address.any, &place.length) < 0)
		return 0;
	return ntohs(place.address.any.sa_family == AF_INET6 ? place.address.ip6.sin6_port
	                                                     : place.address.ip4.sin_port);
}
