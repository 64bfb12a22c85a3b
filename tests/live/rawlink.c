/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes and reads single link attributes over rtnetlink, a command a line, for
 * the live tests. It shares nothing with libbond, so that what bondctl did can
 * be seen, and what the driver does be tried, without bondctl's own eyes.
 *
 *   get DEVICE SCOPE NUMBER TYPE          prints the value, or "absent"
 *   set DEVICE SCOPE NUMBER TYPE VALUE    prints "ok" or the name of the errno
 *   file PATH                             prints the file, then a line with "."
 *
 * SCOPE is bond, slave or link. TYPE is u8, u16, u32, s32 (decimal), mac,
 * ip4 or ip6 (lists with commas, "none" for the empty one), dev (the name
 * of another device, "none" for index 0).
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <netinet/ether.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define TYPE_MASK 0x3fff

static union {
	struct nlmsghdr head;
	char bytes[32768];
} message;

static int sock;

static const char *errno_name(int number)
{
	static const struct {
		int number;
		const char *name;
	} names[] = {
		{EPERM, "EPERM"},
		{ENOENT, "ENOENT"},
		{EACCES, "EACCES"},
		{EBUSY, "EBUSY"},
		{EEXIST, "EEXIST"},
		{ENODEV, "ENODEV"},
		{EINVAL, "EINVAL"},
		{ERANGE, "ERANGE"},
		{ENOTEMPTY, "ENOTEMPTY"},
		{EOPNOTSUPP, "EOPNOTSUPP"},
		{EADDRNOTAVAIL, "EADDRNOTAVAIL"},
	};
	static char other[16];

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].number == number)
			return names[i].name;
	snprintf(other, sizeof(other), "E%d", number);
	return other;
}

static struct rtattr *put(unsigned short type, const void *data, size_t length)
{
	struct rtattr *attr = (struct rtattr *)(message.bytes + NLMSG_ALIGN(message.head.nlmsg_len));

	attr->rta_type = type;
	attr->rta_len = (unsigned short)RTA_LENGTH(length);
	if (length)
		memcpy(RTA_DATA(attr), data, length);
	message.head.nlmsg_len = NLMSG_ALIGN(message.head.nlmsg_len) + RTA_ALIGN(attr->rta_len);
	return attr;
}

static void end(struct rtattr *nest)
{
	nest->rta_len = (unsigned short)(message.bytes + message.head.nlmsg_len - (char *)nest);
}

static void start(unsigned short type, unsigned flags, const char *device)
{
	struct ifinfomsg *info = NLMSG_DATA(&message.head);

	memset(&message, 0, 256);
	message.head.nlmsg_len = NLMSG_LENGTH(sizeof(*info));
	message.head.nlmsg_type = type;
	message.head.nlmsg_flags = (unsigned short)(NLM_F_REQUEST | flags);
	info->ifi_index = (int)if_nametoindex(device);
}

/* Sends the message and receives one answer over it. 0, or the errno. */
static int exchange(void)
{
	if (send(sock, &message, message.head.nlmsg_len, 0) < 0)
		return errno;
	if (recv(sock, &message, sizeof(message), 0) < 0)
		return errno;
	if (message.head.nlmsg_type != NLMSG_ERROR)
		return 0;
	return -((struct nlmsgerr *)NLMSG_DATA(&message.head))->error;
}

static const struct rtattr *find(const void *data, size_t length, unsigned type)
{
	const struct rtattr *attr = data;

	for (; RTA_OK(attr, length); attr = RTA_NEXT(attr, length))
		if ((attr->rta_type & TYPE_MASK) == type)
			return attr;
	return NULL;
}

static void put_list(unsigned short number, const char *type, char *value)
{
	int family = strcmp(type, "ip4") ? AF_INET6 : AF_INET;
	struct rtattr *nest = put(number, NULL, 0);
	unsigned short i = 0;

	for (char *item = strtok(value, ","); item && strcmp(item, "none") != 0; item = strtok(NULL, ",")) {
		unsigned char address[16] = {0};

		inet_pton(family, item, address);
		put(i++, address, family == AF_INET ? 4 : 16);
	}
	end(nest);
}

static void put_value(unsigned short number, const char *type, char *value)
{
	struct ether_addr mac = {{0}};

	if (!strcmp(type, "ip4") || !strcmp(type, "ip6")) {
		put_list(number, type, value);
	} else if (!strcmp(type, "mac")) {
		ether_aton_r(value, &mac);
		put(number, &mac, sizeof(mac));
	} else if (!strcmp(type, "dev")) {
		put(number, &(uint32_t){if_nametoindex(value)}, 4);
	} else if (!strcmp(type, "u8")) {
		put(number, &(uint8_t){(uint8_t)strtoll(value, NULL, 10)}, 1);
	} else if (!strcmp(type, "u16")) {
		put(number, &(uint16_t){(uint16_t)strtoll(value, NULL, 10)}, 2);
	} else {
		put(number, &(uint32_t){(uint32_t)strtoll(value, NULL, 10)}, 4);
	}
}

static void set(const char *device, const char *scope, unsigned short number, const char *type, char *value)
{
	int slave = !strcmp(scope, "slave");
	int error;

	start(RTM_NEWLINK, NLM_F_ACK, device);
	if (!strcmp(scope, "link")) {
		put_value(number, type, value);
	} else {
		struct rtattr *info = put(IFLA_LINKINFO, NULL, 0);
		struct rtattr *data;

		put(slave ? IFLA_INFO_SLAVE_KIND : IFLA_INFO_KIND, "bond", 5);
		data = put(slave ? IFLA_INFO_SLAVE_DATA : IFLA_INFO_DATA, NULL, 0);
		put_value(number, type, value);
		end(data);
		end(info);
	}
	error = exchange();
	puts(error ? errno_name(error) : "ok");
}

static void print_list(const struct rtattr *list, int family)
{
	size_t length = RTA_PAYLOAD(list);
	char text[INET6_ADDRSTRLEN];
	const char *comma = "";

	for (const struct rtattr *item = RTA_DATA(list); RTA_OK(item, length); item = RTA_NEXT(item, length)) {
		printf("%s%s", comma, inet_ntop(family, RTA_DATA(item), text, sizeof(text)));
		comma = ",";
	}
	putchar('\n');
}

static void print_value(const struct rtattr *attr, const char *type)
{
	char name[IF_NAMESIZE] = "none";
	const unsigned char *mac = RTA_DATA(attr);
	uint32_t number = 0;

	if (!strcmp(type, "ip4") || !strcmp(type, "ip6")) {
		print_list(attr, strcmp(type, "ip4") ? AF_INET6 : AF_INET);
		return;
	}
	if (!strcmp(type, "mac") && RTA_PAYLOAD(attr) >= 6) {
		printf("%02x:%02x:%02x:%02x:%02x:%02x\n", mac[0], mac[1], mac[2], mac[3], mac[4], mac[5]);
		return;
	}
	if (RTA_PAYLOAD(attr) == 1)
		number = *(uint8_t *)RTA_DATA(attr);
	else if (RTA_PAYLOAD(attr) == 2)
		number = *(uint16_t *)RTA_DATA(attr);
	else
		memcpy(&number, RTA_DATA(attr), 4);
	if (!strcmp(type, "dev"))
		puts(number && if_indextoname(number, name) ? name : "none");
	else if (!strcmp(type, "s32"))
		printf("%d\n", (int32_t)number);
	else
		printf("%u\n", number);
}

static const struct rtattr *inside(const struct rtattr *nest, unsigned type)
{
	return nest ? find(RTA_DATA(nest), RTA_PAYLOAD(nest), type) : NULL;
}

static void get(const char *device, const char *scope, unsigned short number, const char *type)
{
	const struct rtattr *attr;
	const char *first;
	size_t length;
	int error;

	start(RTM_GETLINK, 0, device);
	error = exchange();
	if (error) {
		puts(errno_name(error));
		return;
	}
	first = (char *)NLMSG_DATA(&message.head) + NLMSG_ALIGN(sizeof(struct ifinfomsg));
	length = message.head.nlmsg_len - NLMSG_LENGTH(sizeof(struct ifinfomsg));
	if (!strcmp(scope, "link"))
		attr = find(first, length, number);
	else if (!strcmp(scope, "bond"))
		attr = inside(inside(find(first, length, IFLA_LINKINFO), IFLA_INFO_DATA), number);
	else
		attr = inside(inside(find(first, length, IFLA_LINKINFO), IFLA_INFO_SLAVE_DATA), number);
	if (attr)
		print_value(attr, type);
	else
		puts("absent");
}

/* What is below /proc/net is that of the namespace of whoever looks. */
static void show_file(const char *path)
{
	char line[512];
	FILE *file = fopen(path, "re");

	while (file && fgets(line, sizeof(line), file))
		fputs(line, stdout);
	if (file)
		fclose(file);
	puts(".");
}

int main(void)
{
	char line[2048], verb[8], device[64], scope[8], digits[8], type[8], value[1024];

	sock = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	if (sock < 0)
		return 1;
	setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
	while (fgets(line, sizeof(line), stdin)) {
		int fields = sscanf(line, "%7s %63s %7s %7s %7s %1023s", verb, device, scope, digits, type, value);
		unsigned short number = fields < 4 ? 0 : (unsigned short)strtoul(digits, NULL, 10);

		if (fields == 6 && !strcmp(verb, "set"))
			set(device, scope, number, type, value);
		else if (fields == 5 && !strcmp(verb, "get"))
			get(device, scope, number, type);
		else if (fields == 2 && !strcmp(verb, "file"))
			show_file(device);
		else
			puts("usage");
	}
	return 0;
}
