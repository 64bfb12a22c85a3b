/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads by raw rtnetlink what a namespace holds, as lines to compare, and puts addresses and routes into it. Sits
 * between random.c and the kernel; it shares nothing with libbond.
 */
#include "random.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define TYPE_MASK 0x3fff
#define MADE_UP " (made up)"

static union {
	struct nlmsghdr head;
	char bytes[65536];
} message, answer;

static int sock;

static const char *sysfs;

int state_open(const char *net)
{
	sysfs = net;
	sock = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
	if (sock < 0)
		perror("random: socket");
	return sock < 0 ? -1 : 0;
}

/* --- messages --- */

static void *start(unsigned short type, unsigned flags, size_t size)
{
	memset(&message, 0, 1024);
	message.head.nlmsg_len = NLMSG_LENGTH(size);
	message.head.nlmsg_type = type;
	message.head.nlmsg_flags = (unsigned short)(NLM_F_REQUEST | flags);
	return NLMSG_DATA(&message.head);
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

/* The errno of the answer, 0 for none. */
static int exchange(void)
{
	message.head.nlmsg_flags |= NLM_F_ACK;
	if (send(sock, &message, message.head.nlmsg_len, 0) < 0 || recv(sock, &answer, sizeof(answer), 0) < 0)
		return errno;
	return answer.head.nlmsg_type == NLMSG_ERROR ? -((struct nlmsgerr *)NLMSG_DATA(&answer.head))->error : 0;
}

/* Send the message, a dump, and hand every answer to a function. */
static void dump(void (*each)(struct nlmsghdr *head, void *context), void *context)
{
	for (int done = send(sock, &message, message.head.nlmsg_len, 0) < 0; !done;) {
		long length = recv(sock, &answer, sizeof(answer), 0);
		if (length <= 0)
			return;
		for (struct nlmsghdr *head = &answer.head; NLMSG_OK(head, length); head = NLMSG_NEXT(head, length)) {
			done = head->nlmsg_type == NLMSG_DONE || head->nlmsg_type == NLMSG_ERROR;
			if (done)
				break;
			each(head, context);
		}
	}
}

static const struct rtattr *find(const void *data, size_t length, unsigned type)
{
	const struct rtattr *attr = data;
	for (; RTA_OK(attr, length); attr = RTA_NEXT(attr, length))
		if ((attr->rta_type & TYPE_MASK) == type)
			return attr;
	return NULL;
}

static const struct rtattr *inside(const struct rtattr *nest, unsigned type)
{
	return nest ? find(RTA_DATA(nest), RTA_PAYLOAD(nest), type) : NULL;
}

static uint32_t number(const struct rtattr *attr)
{
	uint32_t value = 0;
	if (attr)
		memcpy(&value, RTA_DATA(attr), RTA_PAYLOAD(attr) < 4 ? RTA_PAYLOAD(attr) : 4);
	return value;
}

/* --- lines --- */

__attribute__((format(printf, 2, 3))) static void line(struct state *state, const char *format, ...)
{
	va_list args;
	if (state->count == STATE_LINES) {
		fprintf(stderr, "random: more than %d lines\n", STATE_LINES);
		exit(2);
	}
	va_start(args, format);
	vsnprintf(state->lines[state->count++], STATE_LINE, format, args);
	va_end(args);
}

static const char *hex(const struct rtattr *attr)
{
	static char text[2 * 64 + 1];
	size_t length = !attr ? 0 : RTA_PAYLOAD(attr) < 64 ? RTA_PAYLOAD(attr) : 64;
	for (size_t i = 0; i < length; i++)
		snprintf(text + 2 * i, 3, "%02x", ((const unsigned char *)RTA_DATA(attr))[i]);
	text[2 * length] = '\0';
	return text;
}

static const char *name_of(unsigned index)
{
	static char name[IF_NAMESIZE];
	return index && if_indextoname(index, name) ? name : "-";
}

/* Whether the address is one that the kernel has made up (NET_ADDR_RANDOM), and makes up again. */
static int is_made_up(const char *name)
{
	char path[256];
	int type = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s/addr_assign_type", sysfs, name);
	file = fopen(path, "re");
	if (file && fscanf(file, "%d", &type) != 1)
		type = 0;
	if (file)
		fclose(file);
	return type == 1;
}

/* But for what moves by itself: the active slave, the aggregator. */
static void bond_lines(struct state *state, const char *name, const struct rtattr *data)
{
	const struct rtattr *attr = RTA_DATA(data);
	for (size_t length = RTA_PAYLOAD(data); RTA_OK(attr, length); attr = RTA_NEXT(attr, length)) {
		unsigned type = attr->rta_type & TYPE_MASK;
		if (type != IFLA_BOND_ACTIVE_SLAVE && type != IFLA_BOND_AD_INFO)
			line(state, "%s option %u: %s", name, type, hex(attr));
	}
}

static void order_line(struct state *state, const char *name)
{
	char path[64], text[STATE_LINE], slave[32], order[STATE_LINE - 32] = "";
	FILE *page;

	snprintf(path, sizeof(path), "/proc/net/bonding/%s", name);
	page = fopen(path, "re");
	while (page && fgets(text, sizeof(text), page))
		if (sscanf(text, "Slave Interface: %31s", slave) == 1)
			snprintf(order + strlen(order), sizeof(order) - strlen(order), " %s", slave);
	if (page)
		fclose(page);
	line(state, "%s slaves:%s", name, order);
}

static void link_lines(struct nlmsghdr *head, void *context)
{
	struct state *state = context;
	const struct ifinfomsg *info = NLMSG_DATA(head);
	const void *attrs = (const char *)info + NLMSG_ALIGN(sizeof(*info));
	size_t length = head->nlmsg_len - NLMSG_LENGTH(sizeof(*info));
	const char *name = RTA_DATA(find(attrs, length, IFLA_IFNAME));
	const struct rtattr *linkinfo = find(attrs, length, IFLA_LINKINFO), *kind = inside(linkinfo, IFLA_INFO_KIND);
	const struct rtattr *slave = inside(linkinfo, IFLA_INFO_SLAVE_DATA), *data = inside(linkinfo, IFLA_INFO_DATA);
	static const unsigned own[] = {IFLA_BOND_SLAVE_QUEUE_ID, IFLA_BOND_SLAVE_PERM_HWADDR, 9 /* prio */,
	                               10 /* actor_port_prio */};

	if (name[0] == 'q' || strcmp(name, "lo") == 0)
		return;
	line(state, "%s: index %d, %s, mtu %u, txqueuelen %u, master %s", name, info->ifi_index,
	     info->ifi_flags & IFF_UP ? "up" : "down", number(find(attrs, length, IFLA_MTU)),
	     number(find(attrs, length, IFLA_TXQLEN)), name_of(number(find(attrs, length, IFLA_MASTER))));
	for (size_t i = 0; slave && i < sizeof(own) / sizeof(own[0]); i++)
		if (inside(slave, own[i]))
			line(state, "%s option of a slave %u: %s", name, own[i], hex(inside(slave, own[i])));
	if (!kind || strcmp(RTA_DATA(kind), "bond") != 0)
		return;
	bond_lines(state, name, data);
	/* with fail_over_mac it follows the active slave */
	if (!number(inside(data, IFLA_BOND_FAIL_OVER_MAC)) || number(inside(data, IFLA_BOND_MODE)) != 1)
		line(state, "%s MAC: %s%s", name, hex(find(attrs, length, IFLA_ADDRESS)),
		     is_made_up(name) ? MADE_UP : "");
}

static void order_lines(struct nlmsghdr *head, void *context)
{
	const struct ifinfomsg *info = NLMSG_DATA(head);
	const void *attrs = (const char *)info + NLMSG_ALIGN(sizeof(*info));
	const char *name = RTA_DATA(find(attrs, head->nlmsg_len - NLMSG_LENGTH(sizeof(*info)), IFLA_IFNAME));
	if (name[0] == 'b')
		order_line(context, name);
}

/* Link-local addresses come and go with carrier, and are the kernel's. */
static void address_line(struct nlmsghdr *head, void *context)
{
	const struct ifaddrmsg *info = NLMSG_DATA(head);
	const struct rtattr *address = find((const char *)info + NLMSG_ALIGN(sizeof(*info)),
	                                    head->nlmsg_len - NLMSG_LENGTH(sizeof(*info)), IFA_ADDRESS);
	char text[INET6_ADDRSTRLEN];
	const char *name = name_of(info->ifa_index);

	if (name[0] != 'q' && info->ifa_scope != RT_SCOPE_LINK && info->ifa_scope != RT_SCOPE_HOST)
		line(context, "%s address: %s/%u", name,
		     inet_ntop(info->ifa_family, RTA_DATA(address), text, sizeof(text)), info->ifa_prefixlen);
}

static void route_line(struct nlmsghdr *head, void *context)
{
	const struct rtmsg *info = NLMSG_DATA(head);
	const void *attrs = (const char *)info + NLMSG_ALIGN(sizeof(*info));
	size_t length = head->nlmsg_len - NLMSG_LENGTH(sizeof(*info));
	const struct rtattr *to = find(attrs, length, RTA_DST), *via = find(attrs, length, RTA_GATEWAY);
	char dst[INET6_ADDRSTRLEN] = "default", gateway[INET6_ADDRSTRLEN] = "-";

	if (info->rtm_protocol == RTPROT_KERNEL)
		return;
	if (to)
		inet_ntop(info->rtm_family, RTA_DATA(to), dst, sizeof(dst));
	if (via)
		inet_ntop(info->rtm_family, RTA_DATA(via), gateway, sizeof(gateway));
	line(context, "%s route: %s/%u via %s", name_of(number(find(attrs, length, RTA_OIF))), dst, info->rtm_dst_len,
	     gateway);
}

static int compare(const void *a, const void *b)
{
	return strcmp(a, b);
}

void state_read(struct state *state)
{
	static const unsigned char families[] = {AF_INET, AF_INET6};

	state->count = 0;
	start(RTM_GETLINK, NLM_F_DUMP, sizeof(struct ifinfomsg));
	put(IFLA_EXT_MASK, &(uint32_t){1 << 3 /* no counters */}, 4);
	dump(link_lines, state);
	start(RTM_GETLINK, NLM_F_DUMP, sizeof(struct ifinfomsg));
	dump(order_lines, state);
	start(RTM_GETADDR, NLM_F_DUMP, sizeof(struct ifaddrmsg));
	dump(address_line, state);
	for (size_t i = 0; i < sizeof(families); i++) {
		struct rtmsg *route = start(RTM_GETROUTE, NLM_F_DUMP, sizeof(*route));
		route->rtm_family = families[i];
		dump(route_line, state);
	}
	qsort(state->lines, state->count, STATE_LINE, compare);
}

void state_forget_order(struct state *state)
{
	size_t kept = 0;
	for (size_t i = 0; i < state->count; i++)
		if (!strstr(state->lines[i], " slaves:"))
			memmove(state->lines[kept++], state->lines[i], STATE_LINE);
	state->count = kept;
}

/* The MAC of the device that a line is about. */
static void forget_mac(struct state *state, const char *of)
{
	size_t kept = 0, length = strcspn(of, " ") + strlen(" MAC:");
	for (size_t i = 0; i < state->count; i++)
		if (strncmp(state->lines[i], of, length) != 0)
			memmove(state->lines[kept++], state->lines[i], STATE_LINE);
	state->count = kept;
}

void state_forget_made_up(struct state *before, struct state *after)
{
	char of[STATE_LINE];
	for (size_t i = 0; i < before->count; i++)
		if (strstr(before->lines[i], MADE_UP)) {
			memcpy(of, before->lines[i], sizeof(of));
			forget_mac(after, of);
			forget_mac(before, of);
			i--;
		}
}

size_t state_differ(const struct state *before, const struct state *after, FILE *out)
{
	size_t a = 0, b = 0, count = 0;

	while (a < before->count || b < after->count) {
		int order = a == before->count  ? 1
		            : b == after->count ? -1
		                                : strcmp(before->lines[a], after->lines[b]);
		if (order)
			fprintf(out, "    %s %s\n", order < 0 ? "was" : "is ",
			        order < 0 ? before->lines[a] : after->lines[b]);
		count += order != 0;
		a += order <= 0;
		b += order >= 0;
	}
	return count;
}

/* --- whether a document holds --- */

/* Get a device; its attributes, or NULL. */
static const void *get(const char *name, size_t *length, unsigned *flags)
{
	struct ifinfomsg *info = start(RTM_GETLINK, 0, sizeof(*info));

	put(IFLA_IFNAME, name, strlen(name) + 1);
	if (send(sock, &message, message.head.nlmsg_len, 0) < 0 || recv(sock, &answer, sizeof(answer), 0) < 0 ||
	    answer.head.nlmsg_type == NLMSG_ERROR)
		return NULL;
	info = NLMSG_DATA(&answer.head);
	*flags = info->ifi_flags;
	*length = answer.head.nlmsg_len - NLMSG_LENGTH(sizeof(*info));
	return (const char *)info + NLMSG_ALIGN(sizeof(*info));
}

static int bond_misses(const struct wanted_bond *bond, char *why, size_t size)
{
	size_t length;
	unsigned flags, mode;
	const void *attrs = get(bond->name, &length, &flags);
	const struct rtattr *data = attrs ? inside(find(attrs, length, IFLA_LINKINFO), IFLA_INFO_DATA) : NULL;

	if (!data)
		return snprintf(why, size, "%s is not there", bond->name);
	mode = number(inside(data, IFLA_BOND_MODE));
	if (bond->mode >= 0 && mode != (unsigned)bond->mode)
		return snprintf(why, size, "%s: mode is %u", bond->name, mode);
	if (bond->up >= 0 && bond->up != !!(flags & IFF_UP))
		return snprintf(why, size, "%s: up is %d", bond->name, !!(flags & IFF_UP));
	if (bond->mtu && (unsigned)bond->mtu != number(find(attrs, length, IFLA_MTU)))
		return snprintf(why, size, "%s: mtu is %u", bond->name, number(find(attrs, length, IFLA_MTU)));
	for (size_t i = 0; i < bond->option_count; i++) {
		const struct rtattr *attr = inside(data, bond->options[i].number);
		if (attr && (bond->options[i].modes >> mode & 1) && number(attr) != bond->options[i].value)
			return snprintf(why, size, "%s: option %u is %u, not %u", bond->name, bond->options[i].number,
			                number(attr), bond->options[i].value);
	}
	return 0;
}

static int slave_misses(const struct wanted_bond *bond, const struct wanted_slave *slave, int takes_prio, char *why,
                        size_t size)
{
	size_t length;
	unsigned flags;
	const void *attrs = get(slave->name, &length, &flags);
	const struct rtattr *data = attrs ? inside(find(attrs, length, IFLA_LINKINFO), IFLA_INFO_SLAVE_DATA) : NULL;

	if (!attrs || number(find(attrs, length, IFLA_MASTER)) != if_nametoindex(bond->name))
		return snprintf(why, size, "%s is no slave of %s", slave->name, bond->name);
	if (slave->queue_id >= 0 && number(inside(data, IFLA_BOND_SLAVE_QUEUE_ID)) != (unsigned)slave->queue_id)
		return snprintf(why, size, "%s: queue_id is %u", slave->name,
		                number(inside(data, IFLA_BOND_SLAVE_QUEUE_ID)));
	if (takes_prio && slave->prio >= 0 && inside(data, 9) && number(inside(data, 9)) != (unsigned)slave->prio)
		return snprintf(why, size, "%s: prio is %u", slave->name, number(inside(data, 9)));
	return 0;
}

static int takes_prio(const char *name)
{
	size_t length;
	unsigned flags, mode;
	const void *attrs = get(name, &length, &flags);
	mode = attrs ? number(inside(inside(find(attrs, length, IFLA_LINKINFO), IFLA_INFO_DATA), IFLA_BOND_MODE)) : 0;
	return mode == 1 || mode == 5 || mode == 6;
}

static void count_bond(struct nlmsghdr *head, void *context)
{
	const struct ifinfomsg *info = NLMSG_DATA(head);
	const void *attrs = (const char *)info + NLMSG_ALIGN(sizeof(*info));
	const char *name = RTA_DATA(find(attrs, head->nlmsg_len - NLMSG_LENGTH(sizeof(*info)), IFLA_IFNAME));
	*(size_t *)context += name[0] == 'b';
}

int state_misses(const struct document *document, char *why, size_t size)
{
	size_t bonds = 0;

	for (size_t b = 0; b < document->count; b++) {
		const struct wanted_bond *bond = &document->bonds[b];
		if (bond_misses(bond, why, size))
			return 1;
		for (size_t i = 0; i < bond->slave_count; i++)
			if (slave_misses(bond, &bond->slaves[i], takes_prio(bond->name), why, size))
				return 1;
	}
	start(RTM_GETLINK, NLM_F_DUMP, sizeof(struct ifinfomsg));
	dump(count_bond, &bonds);
	if (document->prune && bonds != document->count)
		return snprintf(why, size, "%zu bonds are there, not %zu", bonds, document->count) > 0;
	return 0;
}

/* --- what people do meanwhile --- */

static void put_address(unsigned index, int family, const void *address, unsigned char prefix)
{
	size_t length = family == AF_INET ? 4 : 16;
	struct ifaddrmsg *info = start(RTM_NEWADDR, NLM_F_CREATE | NLM_F_EXCL, sizeof(*info));

	info->ifa_family = (unsigned char)family;
	info->ifa_prefixlen = prefix;
	info->ifa_index = index;
	info->ifa_flags = IFA_F_NODAD;
	put(IFA_LOCAL, address, length);
	put(IFA_ADDRESS, address, length);
	exchange();
}

static void put_route(unsigned index, int family, const void *to, unsigned char prefix, const void *via)
{
	size_t length = family == AF_INET ? 4 : 16;
	struct rtmsg *info = start(RTM_NEWROUTE, NLM_F_CREATE | NLM_F_EXCL, sizeof(*info));

	info->rtm_family = (unsigned char)family;
	info->rtm_dst_len = prefix;
	info->rtm_table = RT_TABLE_MAIN;
	info->rtm_protocol = RTPROT_BOOT;
	info->rtm_scope = RT_SCOPE_UNIVERSE;
	info->rtm_type = RTN_UNICAST;
	put(RTA_DST, to, length);
	put(RTA_GATEWAY, via, length);
	put(RTA_OIF, &index, 4);
	exchange();
}

static void populate(const char *name, unsigned char net)
{
	unsigned char local[4] = {10, net, 0, 1}, to[4] = {10, (unsigned char)(net + 100), 0, 0},
		      via[4] = {10, net, 0, 9};
	unsigned char local6[16] = {0xfd, 0, 0, net, [15] = 1}, to6[16] = {0xfd, 0, 1, net},
		      via6[16] = {0xfd, 0, 0, net, [15] = 9};
	unsigned index = if_nametoindex(name);
	size_t length;
	unsigned flags;
	const void *attrs = index ? get(name, &length, &flags) : NULL;

	if (!attrs || !(flags & IFF_UP) || number(find(attrs, length, IFLA_MASTER)))
		return;
	put_address(index, AF_INET, local, 24);
	put_address(index, AF_INET6, local6, 64);
	put_route(index, AF_INET, to, 16, via);
	put_route(index, AF_INET6, to6, 32, via6);
}

void state_populate(void)
{
	char name[16];

	for (unsigned i = 0; i < BONDS; i++) {
		snprintf(name, sizeof(name), "b%u", i);
		populate(name, (unsigned char)(1 + i));
	}
	for (unsigned i = 0; i < 2; i++) {
		snprintf(name, sizeof(name), "e%u", i);
		populate(name, (unsigned char)(11 + i));
	}
}

void state_set_up(const char *device, int up)
{
	struct ifinfomsg *info = start(RTM_NEWLINK, 0, sizeof(*info));
	info->ifi_index = (int)if_nametoindex(device);
	info->ifi_flags = up ? IFF_UP : 0;
	info->ifi_change = IFF_UP;
	exchange();
}
