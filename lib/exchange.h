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

/* What answers cost the socket's buffer, which must take those of one exchange: an ack, and a link. */
#define LB_ACK_COST 800
#define LB_LINK_COST 4096
#define LB_BUFFER (208 * 1024) /* rmem_default; transport.c asks for more */
/* Requests in one exchange, and gets in one. */
#define LB_EXCHANGE_MAX 192
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
