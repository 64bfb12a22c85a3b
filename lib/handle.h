/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The handle: a transport, the next sequence number, and one receive buffer. */
#ifndef LB_HANDLE_H
#define LB_HANDLE_H

#include <signal.h>
#include <stdbool.h>

#include "libbond.h"

/* Dump chunks grow to the largest buffer a reader ever offered, at most 32 KiB (af_netlink.c). */
#define LB_RECEIVE_SIZE (64 * 1024)

struct libbond {
	struct libbond_transport transport;
	uint32_t sequence;
	size_t room;                     /* bytes that the socket keeps of answers */
	bool own_socket;                 /* the transport is transport.c's */
	bool asked_for_room;             /* the socket has been asked to keep more */
	volatile sig_atomic_t cancelled; /* by libbond_cancel() */
	_Alignas(8) char buffer[LB_RECEIVE_SIZE];
};

/* Ask that the buffer of a socket hold more, once; returns what it holds, in bytes. */
size_t lb_transport_enlarge(int fd);
/* What the socket keeps of answers, in bytes: asked for more if that is not enough. */
size_t lb_room_for(struct libbond *handle, size_t wanted);
/* The NETLINK_ROUTE socket as a transport, opened in the calling thread's namespace. -errno. */
int lb_transport_socket(struct libbond_transport *out);

#endif
