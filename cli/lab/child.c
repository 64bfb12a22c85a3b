/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Children as their users see them: started, waited for, read, ended, freed. Sits on top of keeper.c, whose thread
 * does the work, under the programs that make traffic.
 */
#include "lab/child.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "lab/fail.h"
#include "lab/keeper.h"
#include "lab/spawn.h"

/* A killed process that is still there after this hangs inside the kernel. */
#define GRACE_MS 2000

static int fail_start(int rc, const char *name, struct libbond_error *err)
{
	switch (-rc) {
	case ENOENT:
		lab_fail(err, LIBBOND_CAUSE_SYSTEM, ENOENT, "there is no program '%.100s'", name);
		lab_fail_hint(err, "install it, or put its folder into PATH");
		return rc;
	case EACCES:
		return lab_fail(err, LIBBOND_CAUSE_SYSTEM, EACCES, "'%.100s' may not be executed", name);
	case EPERM:
		return lab_fail(err, LIBBOND_CAUSE_PERMISSION, EPERM,
		                "not permitted to start '%.100s' in its network namespace", name);
	default:
		return lab_fail(err, LIBBOND_CAUSE_SYSTEM, -rc, "cannot start '%.100s': %s", name, strerror(-rc));
	}
}

static struct lab_child *child_new(const struct lab_child_spec *spec)
{
	struct lab_child *child = calloc(1, sizeof(*child));

	if (!child)
		return NULL;
	pthread_mutex_init(&child->lock, NULL);
	child->users = 1;
	child->pidfd = -1;
	for (int i = 0; i < LAB_STREAMS; i++) {
		child->pipes[i] = -1;
		child->kept[i].bound = spec->keep ? spec->keep : LAB_CHILD_KEEP;
	}
	child->done_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return child;
}

int lab_child_start(struct lab_child **out, const struct lab_child_spec *spec, struct libbond_error *err)
{
	char path[PATH_MAX];

	if (!spec->argv || !spec->argv[0] || !spec->deadline_ms)
		return lab_fail(err, LIBBOND_CAUSE_SYSTEM, EINVAL, "a child needs a program and a deadline");
	int rc = lab_spawn_find(spec->argv[0], path, sizeof(path));
	if (rc < 0)
		return fail_start(rc, spec->argv[0], err);
	struct lab_child *child = child_new(spec);
	if (!child)
		return lab_fail_memory(err);
	rc = child->done_fd < 0 ? -EMFILE : lab_keeper_start(child, spec, path);
	if (rc < 0) {
		lab_keeper_drop(child);
		return fail_start(rc, spec->argv[0], err);
	}
	*out = child;
	return 0;
}

int lab_child_fd(const struct lab_child *child)
{
	return child->done_fd;
}

int lab_child_pid(const struct lab_child *child)
{
	return child->pid;
}

/* Milliseconds until the deadline and the grace after it are over. */
static int bounded_by_deadline(struct lab_child *child)
{
	pthread_mutex_lock(&child->lock);
	int64_t deadline = child->deadline_ns;
	pthread_mutex_unlock(&child->lock);
	if (deadline == INT64_MAX)
		return GRACE_MS;
	return lab_ms_until(deadline + lab_ms(GRACE_MS));
}

int lab_child_wait(struct lab_child *child, int timeout_ms)
{
	int left = timeout_ms < 0 ? bounded_by_deadline(child) : timeout_ms;
	int64_t end = lab_now_ns() + lab_ms(left);
	struct pollfd done = {.fd = child->done_fd, .events = POLLIN};

	for (;;) {
		int ready = poll(&done, 1, left);
		if (ready > 0)
			return 0;
		left = lab_ms_until(end);
		if (left == 0)
			return -ETIMEDOUT;
	}
}

int lab_child_kill(struct lab_child *child, int signal)
{
	pthread_mutex_lock(&child->lock);
	if (signal == SIGKILL && !child->dead && child->killing == LAB_CHILD_RUNS)
		child->killing = LAB_CHILD_KILLED;
	int rc = lab_keeper_signal(child, signal);
	pthread_mutex_unlock(&child->lock);
	return rc;
}

void lab_child_result(struct lab_child *child, struct lab_child_result *out)
{
	pthread_mutex_lock(&child->lock);
	*out = child->result;
	for (int i = 0; i < LAB_STREAMS; i++)
		out->bytes[i] = child->kept[i].total;
	pthread_mutex_unlock(&child->lock);
}

size_t lab_child_copy(struct lab_child *child, enum lab_stream stream, size_t offset, void *buffer, size_t size)
{
	pthread_mutex_lock(&child->lock);
	size_t count = lab_kept_copy(&child->kept[stream], offset, buffer, size);
	pthread_mutex_unlock(&child->lock);
	return count;
}

const char *lab_child_text(struct lab_child *child, enum lab_stream stream, size_t *length)
{
	const char *text = NULL;
	size_t count = 0;

	pthread_mutex_lock(&child->lock);
	if (child->result.end != LAB_CHILD_RUNS) {
		text = child->kept[stream].data;
		count = child->kept[stream].length;
	}
	pthread_mutex_unlock(&child->lock);
	if (length)
		*length = count;
	return text ? text : "";
}

const char *lab_child_describe(const struct lab_child_result *result, char *buffer, size_t size)
{
	double seconds = (double)(result->ended_ns - result->started_ns) / 1e9;

	switch (result->end) {
	case LAB_CHILD_RUNS:
		snprintf(buffer, size, "still running");
		break;
	case LAB_CHILD_EXITED:
		snprintf(buffer, size, "exit status %d", result->code);
		break;
	case LAB_CHILD_SIGNALED:
		snprintf(buffer, size, "ended by signal %d", result->code);
		break;
	case LAB_CHILD_KILLED:
		snprintf(buffer, size, "killed by us after %.1f s", seconds);
		break;
	case LAB_CHILD_DEADLINE:
		snprintf(buffer, size, "killed at its deadline after %.1f s", seconds);
		break;
	case LAB_CHILD_LOST:
		snprintf(buffer, size, "lost: %s", strerror(result->code));
		break;
	}
	return buffer;
}

int lab_child_free(struct lab_child *child)
{
	if (!child)
		return 0;
	lab_child_kill(child, SIGKILL);
	int rc = lab_child_wait(child, GRACE_MS);
	lab_keeper_drop(child);
	return rc < 0 ? -EBUSY : 0;
}
