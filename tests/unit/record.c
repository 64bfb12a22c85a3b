/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks the kernel for links and prints its answers as hexadecimal text, the recordings that decode.c reads.
 * record.sh calls it inside a guest, once the bonds are as they should be; it shares no code with libbond.
 *
 *   record [--stats] NAME...      "link NAME", then the whole RTM_NEWLINK message, 32 bytes a line
 */
#include <libmnl/libmnl.h>
#include <linux/rtnetlink.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#define IFLA_EXT_MASK_ 29
#define SKIP_STATS (1u << 3)
#define BYTES_A_LINE 32

static void print_message(const char *name, const unsigned char *bytes, size_t length)
{
	printf("link %s\n", name);
	for (size_t i = 0; i < length; i++)
		printf("%02x%s", bytes[i], (i + 1) % BYTES_A_LINE == 0 || i + 1 == length ? "\n" : "");
}

static int record(struct mnl_socket *socket, const char *name, bool stats)
{
	static char buffer[65536] __attribute__((aligned(8)));
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buffer);

	nlh->nlmsg_type = RTM_GETLINK;
	nlh->nlmsg_flags = NLM_F_REQUEST;
	mnl_nlmsg_put_extra_header(nlh, sizeof(struct ifinfomsg));
	mnl_attr_put_strz(nlh, IFLA_IFNAME, name);
	if (!stats)
		mnl_attr_put_u32(nlh, IFLA_EXT_MASK_, SKIP_STATS);
	if (mnl_socket_sendto(socket, nlh, nlh->nlmsg_len) < 0)
		return -1;
	ssize_t length = mnl_socket_recvfrom(socket, buffer, sizeof(buffer));
	if (length < (ssize_t)sizeof(*nlh) || nlh->nlmsg_type != RTM_NEWLINK)
		return -1;
	print_message(name, (const unsigned char *)buffer, nlh->nlmsg_len);
	return 0;
}

int main(int argc, char **argv)
{
	bool stats = argc > 1 && strcmp(argv[1], "--stats") == 0;
	struct mnl_socket *socket = mnl_socket_open(NETLINK_ROUTE);
	struct utsname system;

	if (!socket || mnl_socket_bind(socket, 0, MNL_SOCKET_AUTOPID) < 0 || uname(&system) < 0) {
		perror("record");
		return EXIT_FAILURE;
	}
	printf("# Linux %s %s\n", system.release, system.machine);
	for (int i = 1 + stats; i < argc; i++) {
		if (record(socket, argv[i], stats) == 0)
			continue;
		fprintf(stderr, "record: no answer for %s\n", argv[i]);
		return EXIT_FAILURE;
	}
	mnl_socket_close(socket);
	return EXIT_SUCCESS;
}
