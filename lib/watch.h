/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Listening to what other programs do to addresses, routes, neighbours and nexthops. */
#ifndef LB_WATCH_H
#define LB_WATCH_H

#include <libmnl/libmnl.h>

#include "handle.h"

struct lb_watch;

/*
 * Listen from now on, in the namespace of the handle's socket. NULL where that is not possible: a transport of the
 * caller's, a process that may not. To be freed with lb_watch_free().
 */
struct lb_watch *lb_watch_new(const struct libbond *handle);
/* From now on our own steps are done: what the kernel does along with them is not heard any more. */
void lb_watch_begin(struct lb_watch *watch);
enum lb_sender {
	LB_SENT_BY_OTHERS,
	LB_SENT_BY_US, /* the handle */
	/* The kernel by itself, an ioctl; and all that is about IPv6 addresses (inet6_ifa_notify()): that another has
	 * removed one is known only if it had gone and come again before, as by our steps. */
	LB_SENT_BY_NOBODY
};
typedef int lb_hear(const struct nlmsghdr *nlh, enum lb_sender sender, void *context);

/*
 * Call "hear" for each message since, in the kernel's order. Never waits; what comes meanwhile may be left to the
 * next call. 0; -ENOBUFS if there were more than the socket could keep; what hear returned, if not 0.
 */
int lb_watch_hear(struct lb_watch *watch, lb_hear *hear, void *context);
/* NULL is nothing. */
void lb_watch_free(struct lb_watch *watch);

#endif
