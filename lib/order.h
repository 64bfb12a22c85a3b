/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The order of a bond's slaves, which no netlink message tells. */
#ifndef LB_ORDER_H
#define LB_ORDER_H

#include "handle.h"
#include "snapshot.h"

/*
 * Put the slaves of the bonds of a snapshot in the driver's own order, the one in which they joined and which
 * decides between equals: asked by ioctl on the handle's socket, which is in the right namespace. Where the transport
 * is not a socket, or the driver does not answer, they stay in order of interface index.
 */
void lb_order_slaves(const struct libbond *handle, struct libbond_snapshot *snapshot);

#endif
