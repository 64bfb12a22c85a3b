/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What addresses a device has: only to tell a person what enslaving it costs. */
#ifndef LB_ADDRESSES_H
#define LB_ADDRESSES_H

#include "exchange.h"

#define LB_ADDRESS_TEXT 64 /* an address and its prefix */

struct lb_addresses {
	unsigned ifindex;
	unsigned ip4, ip6; /* how many; link-local IPv6 addresses do not count */
	char first4[LB_ADDRESS_TEXT], first6[LB_ADDRESS_TEXT];
};

/* RTM_GETADDR dump of one device, for "data" of at least 64 aligned bytes. Returns the message. */
struct nlmsghdr *lb_addresses_message(void *data, unsigned ifindex);
/* Receiver of its answers; the context is a struct lb_addresses with the ifindex set and the rest zero. */
int lb_addresses_receive(const struct nlmsghdr *nlh, void *context);

#endif
