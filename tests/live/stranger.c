/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A user who is in the way of the confirmations of others, for confirm.bats: run by an ordinary user.
 *
 *   listen NAME...    listens on these abstract names, prints "ready", and answers nobody
 *   full NAME...      the same, with its queues full, so that nobody can connect without waiting
 *   knock NAME        connects to a name and leaves, again and again; prints "ready" after the first time
 */
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static struct sockaddr_un address;
static socklen_t length;

static int new_socket(const char *name)
{
	memset(&address, 0, sizeof(address));
	address.sun_family = AF_UNIX;
	strncpy(address.sun_path + 1, name, sizeof(address.sun_path) - 2);
	length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + strlen(address.sun_path + 1));
	return socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK, 0);
}

static int reach(int fd)
{
	return connect(fd, (struct sockaddr *)&address, length);
}

static int occupy(const char *name, int fill)
{
	int fd = new_socket(name);
	if (bind(fd, (struct sockaddr *)&address, length) < 0 || listen(fd, fill ? 0 : 16) < 0) {
		perror(name);
		return 1;
	}
	while (fill && reach(new_socket(name)) == 0)
		;
	if (fill && errno != EAGAIN)
		perror(name);
	return fill && errno != EAGAIN;
}

static void ready(void)
{
	puts("ready");
	fflush(stdout);
}

static void knock(const char *name)
{
	for (int said = 0;;) {
		int fd = new_socket(name);
		if (reach(fd) == 0 && !said) {
			ready();
			said = 1;
		}
		close(fd);
	}
}

int main(int argc, char **argv)
{
	if (argc < 3)
		return 2;
	if (strcmp(argv[1], "knock") == 0)
		knock(argv[2]);
	for (int i = 2; i < argc; i++)
		if (occupy(argv[i], strcmp(argv[1], "full") == 0))
			return 1;
	ready();
	for (;;)
		pause();
}
