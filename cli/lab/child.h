/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs run as children: in a given namespace, under a deadline, their output kept in memory. A child dies with
 * this process, whatever ends it, and is never waited for longer than was said.
 *
 * Each child has a thread of this process that started it, empties its pipes and ends it at its deadline, so that
 * none of that depends on what the caller is doing. All functions may be called from any thread.
 *
 * Only the child itself dies with us at once. What it starts is in its process group, which is killed when it ends;
 * a program that moves its own children out of the group is not for this.
 */
#ifndef LAB_CHILD_H
#define LAB_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

#include "libbond.h"

struct lab_child;

enum lab_stream { LAB_STDOUT, LAB_STDERR, LAB_STREAMS };

/* Kept of each stream where the specification says 0. */
#define LAB_CHILD_KEEP (8u << 20)

struct lab_child_spec {
	const char *const *argv; /* NULL at the end; argv[0] without a slash is looked for in PATH */
	int netns;               /* descriptor of the namespace, -1 for this thread's own */
	unsigned deadline_ms;    /* from now (CLOCK_MONOTONIC), then it is killed; 0 is refused (-EINVAL) */
	size_t keep;             /* bytes kept of each stream: the first ones; the rest is read and counted */
};

/* How a child ended. */
enum lab_child_end {
	LAB_CHILD_RUNS,     /* it has not */
	LAB_CHILD_EXITED,   /* code: its exit status */
	LAB_CHILD_SIGNALED, /* code: the signal that ended it, no SIGKILL of ours */
	LAB_CHILD_KILLED,   /* by lab_child_kill() or lab_child_free() */
	LAB_CHILD_DEADLINE, /* killed at its deadline */
	LAB_CHILD_LOST      /* it could not be waited for; code: errno */
};

struct lab_child_result {
	enum lab_child_end end;
	int code;
	int64_t started_ns, ended_ns; /* CLOCK_MONOTONIC; ended_ns 0 while it runs */
	uint64_t bytes[LAB_STREAMS];  /* what it wrote, kept or not */
	struct rusage usage;          /* once it has ended */
};

/*
 * Start a program. Standard input is /dev/null, every descriptor but 0 to 2 is closed, signals are as after login, it
 * leads a process group of its own. Strings are copied. Needs descriptors 0 to 2 open in the caller, Linux 5.9.
 *
 * -ENOENT no such program, -EACCES not executable, -EPERM may not enter the namespace, -EINVAL, -ENOMEM, -EMFILE,
 * -EAGAIN (limit of processes), -ENOEXEC, -E2BIG.
 */
int lab_child_start(struct lab_child **out, const struct lab_child_spec *spec, struct libbond_error *err);

/* Becomes readable, and stays so, when the child has ended and its output is complete. It stays the child's. */
int lab_child_fd(const struct lab_child *child);

/* Wait for the end, at most timeout_ms (-1: its deadline bounds it). 0, -ETIMEDOUT. */
int lab_child_wait(struct lab_child *child, int timeout_ms);

/* Send a signal; SIGKILL goes to the whole process group. 0, -ESRCH if it has ended. */
int lab_child_kill(struct lab_child *child, int signal);

/* Its process id, which is another's after its end. */
int lab_child_pid(const struct lab_child *child);

/* How it stands now. */
void lab_child_result(struct lab_child *child, struct lab_child_result *out);

/* Copy what is kept of a stream from offset on, also while it runs. How many bytes were copied. */
size_t lab_child_copy(struct lab_child *child, enum lab_stream stream, size_t offset, void *buffer, size_t size);

/* What is kept of a stream, with a NUL behind it, once the child has ended; it belongs to the child. "" before. */
const char *lab_child_text(struct lab_child *child, enum lab_stream stream, size_t *length);

/* One line for people: "exit status 1", "killed at its deadline after 5.0 s". Returns buffer. */
const char *lab_child_describe(const struct lab_child_result *result, char *buffer, size_t size);

/*
 * Kill it if it runs, wait for its end, free it. A child that is stuck inside the kernel is left to its thread after
 * two seconds, and -EBUSY says so; else 0. NULL is no child: 0.
 */
int lab_child_free(struct lab_child *child);

#endif
