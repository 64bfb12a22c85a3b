/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Builds the requests: one function for each kind of message the library ever sends. Values go in by row.
 */
#ifndef LB_MESSAGE_H
#define LB_MESSAGE_H

#include "config.h"

/* Every option at its longest, both target lists full, takes about 1 KiB. */
#define LB_MESSAGE_SIZE 4096

struct lb_message {
	_Alignas(8) char data[LB_MESSAGE_SIZE];
	struct nlmsghdr *nlh;
};

/* RTM_GETLINK of one device, by name or alternative name, or by interface index. flags: READ_*. */
void lb_message_get_name(struct lb_message *message, const char *name, unsigned flags);
void lb_message_get_index(struct lb_message *message, unsigned ifindex, unsigned flags);
/* RTM_GETLINK dump; kind NULL and master 0 stand for "any". */
void lb_message_dump(struct lb_message *message, const char *kind, unsigned master, unsigned flags);

/* RTM_NEWLINK that makes a bond with what the config wants in scopes BOND and LINK, under this interface index (0:
 * the kernel chooses). Kernels from 6.12 on answer with the bond they made before the ack, earlier ones with the ack
 * alone. -EMSGSIZE. */
int lb_message_create(struct lb_message *message, const char *name, unsigned ifindex,
                      const struct libbond_config *config);
/* RTM_NEWLINK that changes a device: what the config wants in its scopes. -EMSGSIZE. */
int lb_message_change(struct lb_message *message, unsigned ifindex, const struct libbond_config *config);
/* RTM_NEWLINK that sets a device up or down, or its master (0 to release). */
void lb_message_admin(struct lb_message *message, unsigned ifindex, bool up);
void lb_message_master(struct lb_message *message, unsigned ifindex, unsigned master);
/* RTM_DELLINK */
void lb_message_delete(struct lb_message *message, unsigned ifindex);

/* The row that an offset from the start of a request falls into; NULL if none. */
const struct libbond_attr *lb_message_attr_at(const struct nlmsghdr *request, uint32_t offset);

#endif
