/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Clones this process with its memory shared and turns the clone into another program. Sits under child.c, whose
 * thread waits in here until the clone has gone its own way.
 *
 * Between clone and exec other threads go on and may hold any lock: the clone makes system calls and nothing else. It
 * works on memory of the parent, which stands still meanwhile (CLONE_VFORK), so that its failure needs no pipe.
 */
#include "lab/spawn.h"

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define STACK_SIZE (32 * 1024)

/* No ordinary PATH is without these. */
#define PATH_DEFAULT "/usr/local/bin:/usr/bin:/bin"

/* A parent that died before the death signal was asked for is not noticed by it. */
static int die_with_parent(const struct lab_spawn *spawn)
{
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0)
		return -1;
	if (getppid() != spawn->parent) {
		errno = ECHILD;
		return -1;
	}
	return 0;
}

/* What the parent has caught, exec sets back; what it ignores would stay ignored. */
static void reset_signals(const struct lab_spawn *spawn)
{
	for (int number = 1; number < NSIG; number++)
		sigaction(number, &spawn->by_default, NULL);
	sigprocmask(SIG_SETMASK, &spawn->none, NULL);
}

static int take_descriptors(const struct lab_spawn *spawn)
{
	if (dup2(spawn->input, 0) < 0 || dup2(spawn->output, 1) < 0 || dup2(spawn->errors, 2) < 0)
		return -1;
	return (int)syscall(SYS_close_range, 3u, UINT_MAX, 0u);
}

static int become(void *argument)
{
	struct lab_spawn *spawn = argument;

	if (die_with_parent(spawn) == 0 && setpgid(0, 0) == 0 &&
	    (spawn->netns < 0 || setns(spawn->netns, CLONE_NEWNET) == 0) && take_descriptors(spawn) == 0) {
		reset_signals(spawn);
		execve(spawn->path, spawn->argv, environ);
	}
	spawn->failed = errno;
	_exit(127);
}

pid_t lab_spawn(struct lab_spawn *spawn, int *pidfd)
{
	alignas(16) char stack[STACK_SIZE];
	int fd = -1;

	spawn->parent = getpid();
	spawn->failed = 0;
	sigemptyset(&spawn->none);
	spawn->by_default = (struct sigaction){.sa_handler = SIG_DFL};
	pid_t pid = clone(become, stack + sizeof(stack), CLONE_VM | CLONE_VFORK | CLONE_PIDFD | SIGCHLD, spawn, &fd);
	if (pid < 0)
		return -errno;
	if (spawn->failed) {
		siginfo_t info;
		waitid(P_PID, (id_t)pid, &info, WEXITED);
		close(fd);
		return -spawn->failed;
	}
	*pidfd = fd;
	return pid;
}

int lab_spawn_find(const char *name, char *path, size_t size)
{
	const char *dirs = getenv("PATH");
	int rc = -ENOENT;

	if (strchr(name, '/')) {
		if ((size_t)snprintf(path, size, "%s", name) >= size)
			return -ENAMETOOLONG;
		return access(path, X_OK) < 0 ? -errno : 0;
	}
	for (const char *dir = dirs && *dirs ? dirs : PATH_DEFAULT; dir; dir = strchr(dir, ':')) {
		dir += *dir == ':';
		int length = (int)strcspn(dir, ":");
		/* an empty entry would be wherever we happen to be */
		if (length == 0 || (size_t)snprintf(path, size, "%.*s/%s", length, dir, name) >= size)
			continue;
		if (access(path, X_OK) == 0)
			return 0;
		if (errno == EACCES)
			rc = -EACCES;
	}
	return rc;
}
