/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a change that waits and "bondctl confirm" meet: an abstract UNIX socket in the network namespace that the
 * change is about. It has no file, and is gone with its process. That others may listen there as well does no harm:
 * they are passed over.
 */
#ifndef RENDEZVOUS_H
#define RENDEZVOUS_H

#include <stdbool.h>
#include <sys/socket.h>

#include "bondctl.h"

/* As many wait at the socket to be answered; one more may. */
#define RENDEZVOUS_BACKLOG 16

/* A listening socket that does not block. Its descriptor; -EADDRINUSE if one that is trusted listens; other -errno.
 */
int rendezvous_listen(const struct context *context);
/*
 * A socket connected to the one that listens. Its descriptor; -ENOENT if there is none; -EPERM if there are only such
 * as are not trusted, of whom one is told; -EAGAIN if those that there are do not answer; other -errno.
 */
int rendezvous_connect(const struct context *context, struct ucred *stranger);
/* Whether the process at the other end is root's or our own user's, and which it is. */
bool rendezvous_trusts(int fd, struct ucred *peer);

#endif
