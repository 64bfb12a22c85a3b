/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A network namespace with a route-netlink socket in it that stays open: what links.h, inet.h and qdisc.h work on.
 * One of them per thread; lab_net_join() makes another one for the same namespace.
 */
#ifndef LAB_NET_H
#define LAB_NET_H

#include "libbond.h"

struct lab_net;

/* A fresh namespace (lab_netns_new()) and a socket in it. -EPERM, -ENOSPC, -ENOMEM, -EMFILE. */
int lab_net_new(struct lab_net **out, struct libbond_error *err);
/* Another socket in the namespace of this descriptor, which stays the caller's. */
int lab_net_join(struct lab_net **out, int netns, struct libbond_error *err);
/* Closes socket and descriptor. NULL is none. */
void lab_net_free(struct lab_net *net);

/* The namespace's descriptor; it stays the object's. */
int lab_net_fd(const struct lab_net *net);

/* --- for the files of this folder --- */

struct nl_msg;

/* Interface index by name, or -ENODEV. */
int lab_net_index(const struct lab_net *net, const char *name);
/* The lower 15 bits of its IFF_ flags, or -ENODEV. */
int lab_net_flags(const struct lab_net *net, const char *name);

/*
 * Send a request, read its answer, free the message. msg NULL: no memory. 0, or the kernel's -errno with err filled
 * ("cannot WHAT DEVICE") and the kernel's own words.
 */
int lab_net_talk(struct lab_net *net, struct nl_msg *msg, const char *what, const char *device,
                 struct libbond_error *err);

/* The same failure for a device that is not there: -ENODEV. */
int lab_net_no_device(const char *what, const char *device, struct libbond_error *err);

#endif
