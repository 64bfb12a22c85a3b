/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The thread that keeps a child, and what it shares with the functions of child.h. */
#ifndef LAB_KEEPER_H
#define LAB_KEEPER_H

#include <pthread.h>
#include <sys/types.h>

#include "lab/child.h"
#include "lab/clock.h"
#include "lab/kept.h"

struct lab_child {
	pthread_mutex_t lock; /* of all below */
	int users;            /* the caller and the thread; the last one frees */
	int pipes[LAB_STREAMS];
	struct lab_kept kept[LAB_STREAMS];
	pid_t pid;
	int pidfd;
	bool dead;   /* being waited for: its number may be another's at any moment */
	int done_fd; /* becomes readable at the end */
	int64_t deadline_ns;
	enum lab_child_end killing; /* why it is being killed: KILLED, DEADLINE; RUNS if it is not */
	struct lab_child_result result;
};

/* Start the program on a thread that then keeps the child. -errno of either; the child has one user then. */
int lab_keeper_start(struct lab_child *child, const struct lab_child_spec *spec, const char *path);

/* Send a signal to a child that is not dead; with the lock held. 0, -ESRCH. */
int lab_keeper_signal(struct lab_child *child, int number);

/* One user less. */
void lab_keeper_drop(struct lab_child *child);

#endif
