/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Requests to the kernel and their answers: several requests go out in one send, each gets its own answer.
 * message.c builds the requests; read.c and change.c say what to do with the answers.
 */
#ifndef LB_EXCHANGE_H
#define LB_EXCHANGE_H

#include <libmnl/libmnl.h>
#include <stdbool.h>

#include "handle.h"

/* Requests in one exchange: their acks, some 800 bytes of socket buffer each, must fit its default of 208 KiB. */
#define LB_EXCHANGE_MAX 192
/* Gets in one exchange: their replies are links, of up to 4 KiB with what they cost the buffer. */
#define LB_GETS_MAX 16
#define LB_EXTACK_TEXT 192

/* What came of one request. */
struct lb_answer {
	int errnum;                /* 0, or the kernel's positive errno */
	uint32_t offset;           /* of the attribute at fault in the request, 0 if not told */
	char text[LB_EXTACK_TEXT]; /* the kernel's words, or "" */
	bool filtered;             /* dump: every message said that the kernel had filtered */
	int failed;                /* what the receiver of its messages returned, if not 0 */
	bool interrupted;          /* dump: things changed while it was made */
	bool done;
};

struct lb_request {
	struct nlmsghdr *nlh; /* complete; the sequence number is set when it is sent */
	/* Called for each message that answers a get or a dump. 0, or -errno: it is not called
	 * again, and the exchange fails. */
	int (*receive)(const struct nlmsghdr *nlh, void *context);
	void *context;
	bool beside; /* only beside the others: its failure or interruption is nobody's */
	struct lb_answer answer;
};

/*
 * Send all requests in one datagram and wait until each has its answer. 0 if they were all answered, even
 * if the kernel refused some: look at the answers. Otherwise -errno with err filled; -EINTR with cause
 * INTERRUPTED if a dump was inconsistent and is worth another try.
 */
int lb_exchange(struct libbond *handle, struct lb_request *requests, size_t count, struct libbond_error *err);

#endif
