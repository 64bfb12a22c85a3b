/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Addresses and routes of a laboratory namespace, of both families. 0, or the kernel's -errno with err filled. */
#ifndef LAB_INET_H
#define LAB_INET_H

#include "lab/net.h"

/* Add an address ("198.18.0.1/24", "2001:2::1/64"); an IPv6 one is usable at once (IFA_F_NODAD). -EINVAL for what is
 * no address. */
int lab_inet_address(struct lab_net *net, const char *device, const char *address, struct libbond_error *err);

/* Add a static route to a prefix ("default", "203.0.113.0/24") over a device, by a gateway of it or (NULL) directly.
 */
int lab_inet_route(struct lab_net *net, const char *device, const char *prefix, const char *gateway,
                   struct libbond_error *err);

#endif
