/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The step between two programs: a new process that becomes another program without a copy of this one's memory.
 */
#ifndef LAB_SPAWN_H
#define LAB_SPAWN_H

#include <signal.h>
#include <sys/types.h>

struct lab_spawn {
	const char *path;          /* the program, a path */
	char *const *argv;         /* ends with NULL */
	int netns;                 /* descriptor, -1 to stay */
	int input, output, errors; /* become 0, 1, 2 */

	/* set by lab_spawn() */
	pid_t parent;
	volatile int failed; /* errno of the step that failed */
	sigset_t none;
	struct sigaction by_default;
};

/*
 * Start the program and hand back its process id, and a pidfd that the caller closes. The program gets SIGKILL when
 * the calling thread ends. The caller's thread has all signals blocked. -errno, of the exec too.
 */
pid_t lab_spawn(struct lab_spawn *spawn, int *pidfd);

/* Find a program in PATH and write its path. -ENOENT, -EACCES (found, not executable), -ENAMETOOLONG. */
int lab_spawn_find(const char *name, char *path, size_t size);

#endif
