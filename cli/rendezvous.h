/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a change that waits and "bondctl confirm" meet: an abstract UNIX socket in the network namespace that the
 * change is about. It has no file, and is gone with its process.
 */
#ifndef RENDEZVOUS_H
#define RENDEZVOUS_H

#include <stdbool.h>
#include <sys/socket.h>

#include "bondctl.h"

/* A listening socket that does not block. Its descriptor; -EADDRINUSE if one that is trusted has it; other -errno. */
int rendezvous_listen(struct context *context);
/* A socket connected to the one that listens. Its descriptor; -ENOENT if there is none that is trusted; other -errno.
 */
int rendezvous_connect(struct context *context);
/* Whether the process at the other end is root's or our own user's, and which it is. */
bool rendezvous_trusts(int fd, struct ucred *peer);

#endif
