/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes nameless network namespaces and runs functions in them, on threads of their own. Sits under net.c and
 * child.c, between them and the kernel.
 */
#include "lab/netns.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

struct visit {
	int fd; /* namespace to enter, -1 for a fresh one */
	int result;
	int (*run)(void *context);
	void *context;
};

static void *visit_thread(void *argument)
{
	struct visit *visit = argument;
	int rc = visit->fd < 0 ? unshare(CLONE_NEWNET) : setns(visit->fd, CLONE_NEWNET);
	visit->result = rc < 0 ? -errno : visit->run(visit->context);
	return NULL;
}

static int visit_run(struct visit *visit)
{
	pthread_t thread;
	sigset_t all, before;

	/* the caller's signals are the caller's threads' */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	int errnum = pthread_create(&thread, NULL, visit_thread, visit);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (errnum == 0)
		errnum = pthread_join(thread, NULL);
	return errnum ? -errnum : visit->result;
}

int lab_netns_call(int fd, int (*run)(void *context), void *context)
{
	struct visit visit = {.fd = fd, .run = run, .context = context};
	return fd < 0 ? -EBADF : visit_run(&visit);
}

static int bring_lo_up(void)
{
	struct ifreq request = {.ifr_name = "lo"};
	int rc = 0;

	int sock = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (sock < 0)
		return -errno;
	if (ioctl(sock, SIOCGIFFLAGS, &request) < 0)
		rc = -errno;
	request.ifr_flags |= IFF_UP;
	if (rc == 0 && ioctl(sock, SIOCSIFFLAGS, &request) < 0)
		rc = -errno;
	close(sock);
	return rc;
}

/*
 * A new device takes "default" over, so that this goes before any device. It fails where there is no IPv6, or /proc
 * is read-only: addresses of ours carry IFA_F_NODAD besides, this is for those that the kernel makes itself.
 */
static void leave_out_dad(void)
{
	static const char *const files[] = {
		"/proc/sys/net/ipv6/conf/all/accept_dad",
		"/proc/sys/net/ipv6/conf/default/accept_dad",
	};
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		int fd = open(files[i], O_WRONLY | O_CLOEXEC);
		if (fd < 0)
			continue;
		ssize_t ignored = write(fd, "0\n", 2);
		(void)ignored;
		close(fd);
	}
}

static int open_fresh(void *context)
{
	int *fd = context;
	int rc = bring_lo_up();

	if (rc < 0)
		return rc;
	leave_out_dad();
	int opened = open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
	if (opened < 0)
		return -errno;
	*fd = opened;
	return 0;
}

int lab_netns_new(int *fd)
{
	struct visit visit = {.fd = -1, .run = open_fresh, .context = fd};
	return visit_run(&visit);
}

const char *lab_netns_path(int fd, char path[LAB_NETNS_PATH_SIZE])
{
	snprintf(path, LAB_NETNS_PATH_SIZE, "/proc/%ld/fd/%d", (long)getpid(), fd);
	return path;
}

/* --- telling when it is gone --- */

/* A file of the namespace that the kernel removes after the last device (the pernet subsystem of IPv4's routes goes
 * after all pernet devices), and the folder it is in. */
#define LAST_FOLDER "/proc/thread-self/net/stat"
#define LAST_FILE "rt_cache"

static int open_watch(void *context)
{
	int *watch = context;
	int fd = open(LAST_FOLDER, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return -ENOTSUP;
	if (lab_netns_is_gone(fd)) {
		close(fd);
		return -ENOTSUP;
	}
	*watch = fd;
	return 0;
}

int lab_netns_watch(int fd, int *watch)
{
	return lab_netns_call(fd, open_watch, watch);
}

int lab_netns_is_gone(int watch)
{
	return faccessat(watch, LAST_FILE, F_OK, 0) < 0;
}
