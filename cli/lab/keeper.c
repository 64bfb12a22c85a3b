/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The thread of one child: starts it, empties its pipes, ends it at its deadline, waits for it. Sits between child.c,
 * which asks, and spawn.c, which makes the process.
 *
 * The kernel ties the death signal of a child to the thread that made it, so that this thread stays until the child
 * is gone.
 */
#include "lab/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lab/spawn.h"

#define CHUNK (64 * 1024)
/* Read after the end at most: a pipe holds one chunk, unless somebody outside the process group goes on writing. */
#define CHUNKS_AFTER_END 64

/* Linux's number, which older headers of C libraries lack. */
#ifndef P_PIDFD
#define P_PIDFD 3
#endif

struct start {
	struct lab_child *child;
	const struct lab_child_spec *spec;
	const char *path;
	pthread_mutex_t lock;
	pthread_cond_t known;
	int done, rc;
};

int lab_keeper_signal(struct lab_child *child, int number)
{
	if (child->dead)
		return -ESRCH;
	/* not waited for: the number of the process, and of its group, is no other's */
	if (number == SIGKILL)
		kill(-child->pid, SIGKILL);
	return syscall(SYS_pidfd_send_signal, child->pidfd, number, NULL, 0) < 0 ? -errno : 0;
}

void lab_keeper_drop(struct lab_child *child)
{
	pthread_mutex_lock(&child->lock);
	int left = --child->users;
	pthread_mutex_unlock(&child->lock);
	if (left)
		return;
	for (int i = 0; i < LAB_STREAMS; i++)
		lab_kept_free(&child->kept[i]);
	close(child->done_fd);
	pthread_mutex_destroy(&child->lock);
	free(child);
}

/* 1 if there may be more, 0 if not now, -1 at the end of the stream. */
static int empty_once(struct lab_child *child, int stream)
{
	char chunk[CHUNK];
	ssize_t got = read(child->pipes[stream], chunk, sizeof(chunk));

	if (got > 0) {
		pthread_mutex_lock(&child->lock);
		lab_kept_add(&child->kept[stream], chunk, (size_t)got);
		pthread_mutex_unlock(&child->lock);
		return 1;
	}
	if (got < 0 && (errno == EAGAIN || errno == EINTR))
		return 0;
	close(child->pipes[stream]);
	child->pipes[stream] = -1;
	return -1;
}

static void empty_all(struct lab_child *child)
{
	for (int i = 0; i < LAB_STREAMS; i++) {
		int chunks = CHUNKS_AFTER_END;
		while (child->pipes[i] >= 0 && chunks-- > 0 && empty_once(child, i) > 0)
			;
		if (child->pipes[i] >= 0)
			close(child->pipes[i]);
		child->pipes[i] = -1;
	}
}

/* The child is dead: what it has left in its group goes too, while its number is still taken. */
static void bury(struct lab_child *child)
{
	siginfo_t info = {0};
	struct rusage usage = {0};
	struct lab_child_result *result = &child->result;

	pthread_mutex_lock(&child->lock);
	kill(-child->pid, SIGKILL);
	child->dead = true;
	pthread_mutex_unlock(&child->lock);
	empty_all(child);
	/* The library's waitid() has no room for what the child used. A debugger may hold a dead child back: no lock.
	 */
	long rc = syscall(SYS_waitid, P_PIDFD, child->pidfd, &info, WEXITED, &usage);
	int errnum = errno;
	close(child->pidfd);

	pthread_mutex_lock(&child->lock);
	result->usage = usage;
	result->ended_ns = lab_now_ns();
	result->code = rc < 0 ? errnum : info.si_status;
	if (rc < 0)
		result->end = LAB_CHILD_LOST;
	else if (info.si_code == CLD_EXITED)
		result->end = LAB_CHILD_EXITED;
	else
		result->end = child->killing ? child->killing : LAB_CHILD_SIGNALED;
	pthread_mutex_unlock(&child->lock);
	eventfd_write(child->done_fd, 1);
}

static void kill_at_deadline(struct lab_child *child)
{
	pthread_mutex_lock(&child->lock);
	if (child->killing == LAB_CHILD_RUNS)
		child->killing = LAB_CHILD_DEADLINE;
	lab_keeper_signal(child, SIGKILL);
	child->deadline_ns = INT64_MAX;
	pthread_mutex_unlock(&child->lock);
}

/* How long poll() may wait, rounded up. */
static int until_deadline(const struct lab_child *child)
{
	if (child->deadline_ns == INT64_MAX)
		return -1;
	return lab_ms_until(child->deadline_ns);
}

static void keep(struct lab_child *child)
{
	for (;;) {
		struct pollfd fds[] = {
			{.fd = child->pidfd, .events = POLLIN},
			{.fd = child->pipes[LAB_STDOUT], .events = POLLIN},
			{.fd = child->pipes[LAB_STDERR], .events = POLLIN},
		};
		int ready = poll(fds, 3, until_deadline(child));
		for (int i = 0; ready > 0 && i < LAB_STREAMS; i++)
			if (fds[1 + i].revents)
				empty_once(child, i);
		if (ready > 0 && fds[0].revents)
			return bury(child);
		if (until_deadline(child) == 0)
			kill_at_deadline(child);
	}
}

static int open_pipes(struct lab_child *child, int writers[LAB_STREAMS])
{
	for (int i = 0; i < LAB_STREAMS; i++) {
		int pair[2];
		if (pipe2(pair, O_CLOEXEC) < 0)
			return -errno;
		child->pipes[i] = pair[0];
		writers[i] = pair[1];
		if (fcntl(pair[0], F_SETFL, O_NONBLOCK) < 0)
			return -errno;
	}
	return 0;
}

static void close_all(int *fds, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (fds[i] >= 0)
			close(fds[i]);
		fds[i] = -1;
	}
}

static int start_program(const struct start *start)
{
	struct lab_child *child = start->child;
	int writers[LAB_STREAMS] = {-1, -1};
	int input = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int rc = input < 0 ? -errno : open_pipes(child, writers);

	if (rc == 0) {
		struct lab_spawn spawn = {
			.path = start->path,
			.argv = (char *const *)start->spec->argv,
			.netns = start->spec->netns,
			.input = input,
			.output = writers[LAB_STDOUT],
			.errors = writers[LAB_STDERR],
		};
		child->result.started_ns = lab_now_ns();
		child->deadline_ns = child->result.started_ns + lab_ms(start->spec->deadline_ms);
		rc = lab_spawn(&spawn, &child->pidfd);
	}
	close_all(&input, 1);
	close_all(writers, LAB_STREAMS);
	if (rc < 0) {
		close_all(child->pipes, LAB_STREAMS);
		return rc;
	}
	child->pid = rc;
	return 0;
}

static void *keeper_thread(void *argument)
{
	struct start *start = argument;
	struct lab_child *child = start->child;
	int rc = start_program(start);

	if (rc == 0)
		child->users++;
	pthread_mutex_lock(&start->lock);
	start->rc = rc;
	start->done = 1;
	pthread_cond_signal(&start->known);
	pthread_mutex_unlock(&start->lock); /* from here on "start" is gone */
	if (rc == 0) {
		keep(child);
		lab_keeper_drop(child);
	}
	return NULL;
}

int lab_keeper_start(struct lab_child *child, const struct lab_child_spec *spec, const char *path)
{
	struct start start = {.child = child, .spec = spec, .path = path};
	pthread_t thread;
	sigset_t all, before;

	pthread_mutex_init(&start.lock, NULL);
	pthread_cond_init(&start.known, NULL);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int errnum = pthread_create(&thread, NULL, keeper_thread, &start);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (errnum == 0) {
		pthread_detach(thread);
		pthread_mutex_lock(&start.lock);
		while (!start.done)
			pthread_cond_wait(&start.known, &start.lock);
		pthread_mutex_unlock(&start.lock);
	}
	pthread_cond_destroy(&start.known);
	pthread_mutex_destroy(&start.lock);
	return errnum ? -errnum : start.rc;
}
