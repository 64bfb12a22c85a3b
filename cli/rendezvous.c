/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes and finds the socket at which changes are confirmed, in whatever network namespace that is. Sits between
 * confirm.c, which talks over it, and the kernel, which keeps abstract names apart by namespace.
 *
 * Anybody can take an abstract name, listen on it, and connect to ours. So ours is one that nobody can take
 * beforehand, it is found in the kernel's list of sockets, and who it is that listens there is told by the kernel
 * alone.
 */
#include "rendezvous.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/sockios.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

/* A name ends in the moment at which it was taken, as a number of this many digits: they are in order by it. */
#define PREFIX "bondctl/confirm/"
#define DIGITS 16
#define NAME_SIZE (sizeof(PREFIX) + DIGITS)
/* No user has this number. */
#define NOBODY ((uid_t)-1)
/* Of the thread that reads it, which may be in another namespace than the process. */
#define SOCKETS "/proc/thread-self/net/unix"

/* Who has a full queue of callers, or is about to give way, is given this many moments. */
#define TRIES 25

static void pause_a_moment(void)
{
	const struct timespec moment = {.tv_nsec = 20 * 1000 * 1000};
	nanosleep(&moment, NULL);
}

/* --- in another namespace --- */

struct visit {
	int (*work)(void *argument);
	void *argument;
	int netns, result;
};

static void *visit_thread(void *argument)
{
	struct visit *visit = argument;
	visit->result = setns(visit->netns, CLONE_NEWNET) < 0 ? -errno : visit->work(visit->argument);
	return NULL;
}

/* A socket belongs to the namespace that its thread was in when it was made: it is made on a thread of its own. */
static int run_thread(struct visit *visit)
{
	sigset_t all, before;
	pthread_t thread;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before); /* signals are for the main thread */
	int errnum = pthread_create(&thread, NULL, visit_thread, visit);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (errnum == 0)
		errnum = pthread_join(thread, NULL);
	return errnum ? -errnum : visit->result;
}

/* Do the work where the context's handle is, and return what it returns. */
static int work_there(const struct context *context, int (*work)(void *argument), void *argument)
{
	struct visit visit = {.work = work, .argument = argument};
	if (!context->settings.netns)
		return work(argument);
	visit.netns = ioctl(libbond_fd(context->handle), SIOCGSKNS);
	if (visit.netns < 0)
		return -errno;
	int rc = run_thread(&visit);
	close(visit.netns);
	return rc;
}

/* --- names --- */

struct names {
	char (*names)[NAME_SIZE];
	size_t count, room;
};

static void free_names(struct names *names)
{
	free(names->names);
}

static int add_name(struct names *names, const char *name)
{
	if (names->count == names->room) {
		size_t room = names->room ? names->room * 2 : 4;
		void *grown = realloc(names->names, room * sizeof(*names->names));
		if (!grown)
			return -ENOMEM;
		names->names = grown;
		names->room = room;
	}
	memcpy(names->names[names->count++], name, NAME_SIZE);
	return 0;
}

/* "...: 00000003 00000000 00010000 0005 01 4711 @bondctl/confirm/0123456789abcdef": the name in a line of the list,
 * "@" for the NUL that it begins with. The line loses its end. */
static const char *name_in(char *line)
{
	char *name = strstr(line, " @" PREFIX);
	if (!name)
		return NULL;
	name += 2;
	name[strcspn(name, "\n")] = '\0';
	return strlen(name) == NAME_SIZE - 1 ? name : NULL;
}

/* All names like ours that are taken in this namespace, whoever has them. */
static int read_names(struct names *names)
{
	FILE *file = fopen(SOCKETS, "re");
	char *line = NULL;
	size_t size = 0;
	int rc = 0;

	if (!file) /* not to be taken for a name that is not there */
		return errno == ENOENT ? -EOPNOTSUPP : -errno;
	while (rc == 0 && getline(&line, &size, file) >= 0) {
		const char *name = name_in(line);
		rc = name ? add_name(names, name) : 0;
	}
	if (rc == 0 && ferror(file))
		rc = -EIO;
	free(line);
	fclose(file);
	return rc;
}

static socklen_t address_of(const char *name, struct sockaddr_un *address)
{
	*address = (struct sockaddr_un){.sun_family = AF_UNIX};
	memcpy(address->sun_path + 1, name, NAME_SIZE - 1);
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + NAME_SIZE);
}

/* None of these blocks: whoever listens may have no room for us, and mean it. */
static int make_socket(void)
{
	int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	return fd < 0 ? -errno : fd;
}

/* --- who listens --- */

bool rendezvous_trusts(int fd, struct ucred *peer)
{
	socklen_t size = sizeof(*peer);
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, peer, &size) < 0)
		return false;
	return peer->uid == 0 || peer->uid == geteuid();
}

/* Connect to whoever has the name. The descriptor; -EPERM if it is a stranger, who is told; -EAGAIN if there is no
 * room for us; -ENOENT if nobody can be reached. */
static int try_name(const char *name, struct ucred *stranger)
{
	struct sockaddr_un address;
	socklen_t length = address_of(name, &address);
	struct ucred peer;
	int fd = make_socket(), rc = 0;

	if (fd < 0)
		return fd;
	if (connect(fd, (struct sockaddr *)&address, length) < 0) {
		rc = errno == EAGAIN ? -EAGAIN : -ENOENT;
	} else if (!rendezvous_trusts(fd, &peer)) {
		*stranger = peer;
		rc = -EPERM;
	}
	if (rc == 0)
		return fd;
	close(fd);
	return rc;
}

/* One round over the names: those that are settled become "". The descriptor of the first that is trusted, and its
 * name; -ENOENT if there is none; -EAGAIN if some have no room. */
static int try_names(struct names *names, char name[NAME_SIZE], struct ucred *stranger)
{
	int rc = -ENOENT;
	for (size_t i = 0; i < names->count; i++) {
		if (!*names->names[i])
			continue;
		int fd = try_name(names->names[i], stranger);
		if (fd >= 0)
			memcpy(name, names->names[i], NAME_SIZE);
		if (fd >= 0 || (fd != -EPERM && fd != -EAGAIN && fd != -ENOENT))
			return fd;
		if (fd == -EAGAIN)
			rc = fd;
		else
			*names->names[i] = '\0';
	}
	return rc;
}

/* Connect to one that is trusted, other than "own" (may be NULL). The descriptor, and its name in "name"; -ENOENT if
 * there is none; -EAGAIN if there may be one that has no room for us. */
static int find(const char *own, char name[NAME_SIZE], struct ucred *stranger)
{
	struct names names = {0};
	int rc = read_names(&names);

	for (size_t i = 0; own && i < names.count; i++)
		if (strcmp(names.names[i], own) == 0)
			*names.names[i] = '\0';
	if (rc == 0)
		rc = try_names(&names, name, stranger);
	for (int i = 1; rc == -EAGAIN && i < TRIES; i++) {
		pause_a_moment();
		rc = try_names(&names, name, stranger);
	}
	free_names(&names);
	return rc;
}

/* --- connecting --- */

static int connect_here(void *argument)
{
	char name[NAME_SIZE];
	struct ucred *stranger = argument;
	int fd = find(NULL, name, stranger);

	if (fd >= 0 && fcntl(fd, F_SETFL, 0) < 0) {
		int errnum = errno;
		close(fd);
		return -errnum;
	}
	return fd == -ENOENT && stranger->uid != NOBODY ? -EPERM : fd;
}

int rendezvous_connect(const struct context *context, struct ucred *stranger)
{
	*stranger = (struct ucred){.uid = NOBODY};
	return work_there(context, connect_here, stranger);
}

/* --- listening --- */

/* Listen on a name that nobody has. */
static int take_name(int fd, char name[NAME_SIZE])
{
	struct sockaddr_un address;
	struct timespec now;
	int rc;

	do {
		clock_gettime(CLOCK_MONOTONIC, &now);
		uint64_t moment = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
		snprintf(name, NAME_SIZE, PREFIX "%0*" PRIx64, DIGITS, moment);
		socklen_t length = address_of(name, &address);
		rc = bind(fd, (struct sockaddr *)&address, length) < 0 ? -errno : 0;
	} while (rc == -EADDRINUSE);
	return rc < 0 ? rc : listen(fd, RENDEZVOUS_BACKLOG) < 0 ? -errno : 0;
}

/*
 * Whether another that is trusted listens: 1 or 0, or -errno. Everybody looks after having begun to listen, so that
 * of two at least the later one sees the other; the later one by name gives way, and is waited for. A stranger who
 * leaves no room is none.
 */
static int is_taken(const char *own)
{
	char other[NAME_SIZE];
	struct ucred stranger;

	for (int i = 0; i < TRIES; i++) {
		int fd = find(own, other, &stranger);
		if (fd < 0)
			return fd == -ENOENT || fd == -EAGAIN ? 0 : fd;
		close(fd);
		if (strcmp(other, own) < 0)
			return 1;
		pause_a_moment();
	}
	return 1;
}

static int listen_here(void *unused)
{
	char name[NAME_SIZE];
	int fd = make_socket(), rc = fd < 0 ? fd : take_name(fd, name);

	(void)unused;
	if (rc == 0)
		rc = is_taken(name);
	if (rc == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return rc > 0 ? -EADDRINUSE : rc;
}

int rendezvous_listen(const struct context *context)
{
	return work_there(context, listen_here, NULL);
}
