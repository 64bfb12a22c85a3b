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
#include <stdio.h>
#include <string.h>
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

static int namespace_path(const char *netns, char *path, size_t size)
{
	bool is_path = strchr(netns, '/') != NULL, is_pid = !is_path && is_decimal(netns);
	const char *before = is_path ? "" : is_pid ? "/proc/" : "/run/netns/";
	int length = snprintf(path, size, "%s%s%s", before, netns, is_pid ? "/ns/net" : "");
	return length < 0 || (size_t)length >= size ? -ENAMETOOLONG : 0;
}

static int open_namespace(const char *netns, struct libbond_error *err)
{
	char path[PATH_MAX];
	int rc = namespace_path(netns, path, sizeof(path));
	int fd = rc < 0 ? -1 : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd >= 0)
		return fd;

	int errnum = rc < 0 ? -rc : errno;
	if (errnum == EACCES || errnum == EPERM)
		return lb_fail(err, LIBBOND_CAUSE_PERMISSION, errnum, "not permitted to open namespace '%.128s'",
		               netns);
	rc = lb_fail(err, LIBBOND_CAUSE_NO_NETNS, errnum, "there is no network namespace '%.128s'", netns);
	if (!strchr(netns, '/') && !is_decimal(netns))
		lb_fail_hint(err, "ip netns list");
	return rc;
}

static int fail_enter(const char *netns, bool fresh, int errnum, struct libbond_error *err)
{
	if (errnum == EPERM)
		return lb_fail(err, LIBBOND_CAUSE_PERMISSION, errnum, "not permitted to %s network namespace%s%.128s",
		               fresh ? "make a" : "enter", fresh ? "" : " ", fresh ? "" : netns);
	if (errnum == EINVAL && !fresh)
		return lb_fail(err, LIBBOND_CAUSE_NO_NETNS, errnum, "'%.128s' is not a network namespace", netns);
	return lb_fail(err, LIBBOND_CAUSE_SYSTEM, errnum, "cannot enter a network namespace: %s", strerror(errnum));
}

int lb_netns_run(const char *netns, bool fresh, int (*run)(void *context), void *context, struct libbond_error *err)
{
	struct visit visit = {.fd = -1, .run = run, .context = context};
	pthread_t thread;

	if (!fresh) {
		visit.fd = open_namespace(netns, err);
		if (visit.fd < 0)
			return visit.fd;
	}
	int errnum = pthread_create(&thread, NULL, visit_thread, &visit);
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
