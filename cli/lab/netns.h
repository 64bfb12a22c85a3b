/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Network namespaces that nobody else knows: each is held by one descriptor of this process and by what was opened
 * in it, and is gone when these are closed, whatever ended the process.
 */
#ifndef LAB_NETNS_H
#define LAB_NETNS_H

#include <stddef.h>

/*
 * A fresh network namespace with lo up and IPv6 without duplicate address detection, as an O_CLOEXEC descriptor that
 * the caller closes. The caller's thread stays where it is. -EPERM without CAP_SYS_ADMIN (lab_user_enter() helps),
 * -ENOSPC (user.max_net_namespaces), -ENOMEM, -EMFILE.
 */
int lab_netns_new(int *fd);

/*
 * Call run(context) on a thread that is in the namespace, and hand back what it returned: 0 or -errno. The thread has
 * ended when this returns. For opening sockets, which stay where they were opened.
 */
int lab_netns_call(int fd, int (*run)(void *context), void *context);

/* Enough for what lab_netns_path() writes. */
#define LAB_NETNS_PATH_SIZE 48

/* Write the namespace as a path ("/proc/PID/fd/N") that libbond_open(), setns(1)-like tools and our own children can
 * open as long as the descriptor is. Returns path. */
const char *lab_netns_path(int fd, char path[LAB_NETNS_PATH_SIZE]);

/*
 * Whether a namespace is gone can be told by what was in it. A watch is a descriptor that does not keep the
 * namespace alive; the caller closes it. -ENOTSUP where /proc does not show the namespace's own folder.
 */
int lab_netns_watch(int fd, int *watch);

/* 1 once all devices of the watched namespace are unregistered and nothing refers to them any more, else 0. */
int lab_netns_is_gone(int watch);

#endif
