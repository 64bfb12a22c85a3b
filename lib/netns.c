/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Enters network namespaces by name, process or path, on a thread of its own. Sits under handle.c, which
 * opens its socket there: the socket stays in the namespace, the caller never leaves its own.
 */
#include "netns.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "error.h"

struct visit {
	int fd;     /* namespace to enter, -1 for a fresh one */
	int failed; /* errno of entering */
	int result;
	int (*run)(void *context);
	void *context;
};

static void *visit_thread(void *argument)
{
	struct visit *visit = argument;
	int rc = visit->fd < 0 ? unshare(CLONE_NEWNET) : setns(visit->fd, CLONE_NEWNET);
	if (rc < 0)
		visit->failed = errno;
	else
		visit->result = visit->run(visit->context);
	return NULL;
}

static bool is_decimal(const char *text)
{
	return *text && text[strspn(text, "0123456789")] == '\0';
}

static int open_path(const char *before, const char *netns, const char *after)
{
	char path[PATH_MAX];
	int length = snprintf(path, sizeof(path), "%s%s%s", before, netns, after);
	if (length < 0 || (size_t)length >= sizeof(path))
		return -ENAMETOOLONG;
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	return fd < 0 ? -errno : fd;
}

/* A path has a slash; of the rest a name goes before a process id, as in iproute2. */
static int open_namespace(const char *netns, struct libbond_error *err)
{
	bool is_path = strchr(netns, '/') != NULL;
	int fd = open_path(is_path ? "" : "/run/netns/", netns, "");
	bool is_pid = !is_path && fd == -ENOENT && is_decimal(netns);
	if (is_pid)
		fd = open_path("/proc/", netns, "/ns/net");
	if (fd >= 0)
		return fd;

	if (fd == -EACCES || fd == -EPERM) {
		int rc = lb_fail(err, LIBBOND_CAUSE_PERMISSION, -fd,
		                 "not permitted to open network namespace '%.128s'", netns);
		lb_fail_hint(err, "run it as root");
		return rc;
	}
	if (is_pid)
		return lb_fail(err, LIBBOND_CAUSE_NO_NETNS, -fd,
		               "there is no network namespace and no process '%.128s'", netns);
	int rc = lb_fail(err, LIBBOND_CAUSE_NO_NETNS, -fd, "there is no network namespace '%.128s'", netns);
	if (!is_path)
		lb_fail_hint(err, "ip netns list");
	return rc;
}

static int fail_enter(const char *netns, bool fresh, int errnum, struct libbond_error *err)
{
	if (errnum == EPERM) {
		int rc = lb_fail(err, LIBBOND_CAUSE_PERMISSION, errnum,
		                 "not permitted to %s network namespace%s%.128s", fresh ? "make a" : "enter",
		                 fresh ? "" : " ", fresh ? "" : netns);
		lb_fail_hint(err, "run it as root, or with CAP_SYS_ADMIN");
		return rc;
	}
	if (errnum == EINVAL && !fresh)
		return lb_fail(err, LIBBOND_CAUSE_NO_NETNS, errnum, "'%.128s' is not a network namespace", netns);
	return lb_fail(err, LIBBOND_CAUSE_SYSTEM, errnum, "cannot enter a network namespace: %s", strerror(errnum));
}

/* To enter where one is already needs CAP_SYS_ADMIN as well, which who may change bonds need not have. */
static bool is_own(int fd)
{
	struct stat theirs, own;
	return fstat(fd, &theirs) == 0 && stat("/proc/thread-self/ns/net", &own) == 0 &&
	       theirs.st_dev == own.st_dev && theirs.st_ino == own.st_ino;
}

int lb_netns_run(const char *netns, bool fresh, int (*run)(void *context), void *context, struct libbond_error *err)
{
	struct visit visit = {.fd = -1, .run = run, .context = context};
	pthread_t thread;

	if (!fresh) {
		visit.fd = open_namespace(netns, err);
		if (visit.fd < 0)
			return visit.fd;
		if (is_own(visit.fd)) {
			close(visit.fd);
			return run(context);
		}
	}
	/* the caller's signals are the caller's threads' */
	sigset_t all, before;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int errnum = pthread_create(&thread, NULL, visit_thread, &visit);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (errnum == 0)
		errnum = pthread_join(thread, NULL);
	if (visit.fd >= 0)
		close(visit.fd);
	if (errnum)
		return lb_fail(err, LIBBOND_CAUSE_SYSTEM, errnum, "cannot start a thread: %s", strerror(errnum));
	if (visit.failed)
		return fail_enter(netns, fresh, visit.failed, err);
	return visit.result;
}
