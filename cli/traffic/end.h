/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One end of some traffic: an address in a network namespace, and sockets that are bound to it. */
#ifndef TRAFFIC_END_H
#define TRAFFIC_END_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>

#include "libbond.h"

/* Where traffic begins or ends. Nothing here owns the descriptor or the text. */
struct traffic_end {
	int netns;           /* descriptor of the namespace */
	const char *address; /* IPv4 or IPv6, in numbers; not a link-local one */
};

/* An address with a port, as system calls take it. */
struct traffic_place {
	union {
		struct sockaddr any;
		struct sockaddr_in ip4;
		struct sockaddr_in6 ip6;
	} address;
	socklen_t length;
};

/* 0 or -EINVAL: no such address. */
int traffic_place(const char *address, uint16_t port, struct traffic_place *place, struct libbond_error *err);

/* What sockets are to be opened: bound to port, port + 1, ...; port 0: to the kernel's choices. */
struct traffic_sockets {
	int type; /* SOCK_STREAM, SOCK_DGRAM */
	uint16_t port;
	unsigned count;
	bool is_alone; /* refuse a port that a TCP connection of before still has, in TIME_WAIT or on its way there */
};

/*
 * Open sockets in the end's namespace, bound to its address, nonblocking, close-on-exec: all of them, or none. 0 or
 * -errno.
 */
int traffic_open(const struct traffic_end *end, const struct traffic_sockets *wanted, int *fds,
                 struct libbond_error *err);

/* The port that a socket is bound to; 0 if it is none. */
uint16_t traffic_port(int fd);

#endif
