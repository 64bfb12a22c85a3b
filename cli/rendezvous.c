/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes and finds the socket at which changes are confirmed, in whatever network namespace that is. Sits between
 * confirm.c, which talks over it, and the kernel, which keeps abstract names apart by namespace.
 */
#include "rendezvous.h"

#include <errno.h>
#include <linux/sockios.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* Anybody can take an abstract name, so that one that is taken by a stranger is passed over: by us and by those who
 * look for us, in the same order. */
#define NAMES 4
#define BACKLOG 16

static socklen_t name_socket(struct sockaddr_un *address, unsigned n)
{
	int length;
	*address = (struct sockaddr_un){.sun_family = AF_UNIX};
	length = snprintf(address->sun_path + 1, sizeof(address->sun_path) - 1, "bondctl/confirm/%u", n);
	return (socklen_t)offsetof(struct sockaddr_un, sun_path) + 1 + (socklen_t)length;
}

static int make_socket(void)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
	return fd < 0 ? -errno : fd;
}

struct visit {
	int netns, result;
};

static void *visit_thread(void *argument)
{
	struct visit *visit = argument;
	visit->result = setns(visit->netns, CLONE_NEWNET) < 0 ? -errno : make_socket();
	return NULL;
}

/* A socket belongs to the namespace that its thread was in when it was made: it is made on a thread of its own. */
static int visit(int netns)
{
	struct visit visit = {.netns = netns};
	sigset_t all, before;
	pthread_t thread;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are for the main thread */
	int errnum = pthread_create(&thread, NULL, visit_thread, &visit);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (errnum == 0)
		errnum = pthread_join(thread, NULL);
	return errnum ? -errnum : visit.result;
}

static int make_socket_there(struct context *context)
{
	if (!context->settings.netns)
		return make_socket();
	int netns = ioctl(libbond_fd(context->handle), SIOCGSKNS);
	if (netns < 0)
		return -errno;
	int fd = visit(netns);
	close(netns);
	return fd;
}

bool rendezvous_trusts(int fd, struct ucred *peer)
{
	socklen_t size = sizeof(*peer);
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, peer, &size) < 0)
		return false;
	return peer->uid == 0 || peer->uid == geteuid();
}

/* Connect to whoever has name n. The descriptor; -ECONNREFUSED if nobody listens; -EPERM if it is a stranger. */
static int try_name(struct context *context, unsigned n)
{
	struct sockaddr_un address;
	socklen_t length = name_socket(&address, n);
	struct ucred peer;
	int fd = make_socket_there(context), errnum = 0;

	if (fd < 0)
		return fd;
	if (connect(fd, (struct sockaddr *)&address, length) < 0)
		errnum = errno;
	else if (!rendezvous_trusts(fd, &peer))
		errnum = EPERM;
	if (errnum == 0)
		return fd;
	close(fd);
	return -errnum;
}

int rendezvous_connect(struct context *context)
{
	int fd = -ENOENT;
	for (unsigned n = 0; n < NAMES; n++) {
		fd = try_name(context, n);
		if (fd != -ECONNREFUSED && fd != -EPERM)
			return fd;
	}
	return -ENOENT;
}

/* Whether one that is trusted has name n. One that has bound it and does not listen yet is given the time. */
static int is_trusted(struct context *context, unsigned n)
{
	const struct timespec moment = {.tv_nsec = 20 * 1000 * 1000};
	int fd = -ECONNREFUSED;

	for (unsigned i = 0; i < 10 && fd == -ECONNREFUSED; i++) {
		if (i)
			nanosleep(&moment, NULL);
		fd = try_name(context, n);
	}
	if (fd >= 0)
		close(fd);
	return fd == -ECONNREFUSED || fd == -EPERM ? 0 : fd < 0 ? fd : 1;
}

static int take_name(int fd, unsigned n)
{
	struct sockaddr_un address;
	socklen_t length = name_socket(&address, n);
	if (bind(fd, (struct sockaddr *)&address, length) < 0)
		return -errno;
	return listen(fd, BACKLOG) < 0 ? -errno : 0;
}

int rendezvous_listen(struct context *context)
{
	int fd = make_socket_there(context), rc = fd < 0 ? fd : -EADDRINUSE;

	for (unsigned n = 0; fd >= 0 && rc == -EADDRINUSE && n < NAMES; n++) {
		rc = take_name(fd, n);
		if (rc != -EADDRINUSE)
			break;
		int trusted = is_trusted(context, n);
		if (trusted) {
			rc = trusted < 0 ? trusted : -EADDRINUSE;
			break;
		}
	}
	if (rc == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return rc;
}
