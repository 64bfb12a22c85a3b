/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fake transport: keeps links in memory, answers requests for them with rtnetlink's framing, logs what it was
 * asked. Sits between the tests and lb_exchange(); it never allocates, so that alloc.c can count the library's own.
 */
#include "fake.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>

#include "unit.h"

/* --- attributes --- */

static struct nlattr *find_attr(struct fake_attrs *attrs, unsigned number)
{
	for (size_t at = 0; at < attrs->length;) {
		struct nlattr *attr = (void *)(attrs->bytes + at);
		if ((attr->nla_type & NLA_TYPE_MASK) == number)
			return attr;
		at += NLA_ALIGN(attr->nla_len);
	}
	return NULL;
}

static void drop_attr(struct fake_attrs *attrs, unsigned number)
{
	struct nlattr *attr = find_attr(attrs, number);
	if (!attr)
		return;
	size_t at = (size_t)((uint8_t *)attr - attrs->bytes), size = NLA_ALIGN(attr->nla_len);
	memmove(attr, attrs->bytes + at + size, attrs->length - at - size);
	attrs->length -= size;
}

void fake_drop(struct fake_link *link, enum libbond_scope scope, unsigned number)
{
	drop_attr(&link->attrs[scope], number);
}

void fake_put(struct fake_link *link, enum libbond_scope scope, unsigned number, const void *data, size_t length)
{
	struct fake_attrs *attrs = &link->attrs[scope];
	size_t size = NLA_ALIGN(NLA_HDRLEN + length);

	drop_attr(attrs, number);
	assert_true(attrs->length + size <= sizeof(attrs->bytes));
	struct nlattr *attr = (void *)(attrs->bytes + attrs->length);
	memset(attr, 0, size);
	attr->nla_type = (uint16_t)number;
	attr->nla_len = (uint16_t)(NLA_HDRLEN + length);
	if (length)
		memcpy((uint8_t *)attr + NLA_HDRLEN, data, length);
	attrs->length += size;
}

void fake_u8(struct fake_link *link, enum libbond_scope scope, unsigned number, uint8_t value)
{
	fake_put(link, scope, number, &value, sizeof(value));
}

void fake_u16(struct fake_link *link, enum libbond_scope scope, unsigned number, uint16_t value)
{
	fake_put(link, scope, number, &value, sizeof(value));
}

void fake_u32(struct fake_link *link, enum libbond_scope scope, unsigned number, uint32_t value)
{
	fake_put(link, scope, number, &value, sizeof(value));
}

void fake_altname(struct fake_link *link, const char *name)
{
	struct fake_attrs names = {0};
	struct fake_link holder = {.attrs = {[LIBBOND_SCOPE_LINK] = names}};
	fake_put(&holder, LIBBOND_SCOPE_LINK, LB_IFLA_ALT_IFNAME, name, strlen(name) + 1);
	fake_put(link, LIBBOND_SCOPE_LINK, LB_IFLA_PROP_LIST | NLA_F_NESTED, holder.attrs[LIBBOND_SCOPE_LINK].bytes,
	         holder.attrs[LIBBOND_SCOPE_LINK].length);
}

/* --- the store --- */

struct fake_link *fake_add(struct fake *fake, unsigned ifindex, const char *name, const char *kind, unsigned flags)
{
	assert_true(fake->link_count < FAKE_LINKS);
	struct fake_link *link = &fake->links[fake->link_count++];
	link->ifindex = ifindex;
	link->flags = flags;
	link->kind = kind;
	link->slave_kind = NULL;
	for (unsigned i = 0; i < LIBBOND_SCOPES; i++)
		link->attrs[i].length = 0;
	snprintf(link->name, sizeof(link->name), "%s", name);
	return link;
}

struct fake_link *fake_device(struct fake *fake, unsigned ifindex, const char *name, unsigned flags)
{
	struct fake_link *link = fake_add(fake, ifindex, name, "veth", flags);
	const uint8_t mac[] = {2, 0, 0, 0, 0, (uint8_t)ifindex};
	fake_put(link, LIBBOND_SCOPE_LINK, LB_IFLA_ADDRESS, mac, sizeof(mac));
	fake_u32(link, LIBBOND_SCOPE_LINK, LB_IFLA_MTU, 1500);
	fake_u32(link, LIBBOND_SCOPE_LINK, LB_IFLA_TXQLEN, 1000);
	fake_u8(link, LIBBOND_SCOPE_LINK, LB_IFLA_OPERSTATE, 6);
	fake_u32(link, LIBBOND_SCOPE_LINK, LB_IFLA_NUM_TX_QUEUES, 1);
	fake_u8(link, LIBBOND_SCOPE_LINK, LB_IFLA_CARRIER, 1);
	fake_u32(link, LIBBOND_SCOPE_LINK, LB_IFLA_CARRIER_CHANGES, 1);
	return link;
}

/* What bond_fill_info() always reports, as sizes and defaults: written from the kernel, not from the table. */
static const struct {
	uint8_t number, size;
	uint32_t value;
} bond_defaults[] = {
	{3, 4, 0},  {4, 4, 0},  {5, 4, 0},  {6, 1, 1},  {7, 4, 0},  {9, 4, 0},  {10, 4, 0}, {12, 1, 0}, {13, 1, 0},
	{14, 1, 0}, {15, 4, 1}, {16, 1, 1}, {17, 1, 0}, {18, 4, 0}, {19, 4, 1}, {20, 4, 1}, {21, 1, 0}, {22, 1, 0},
	{27, 1, 1}, {28, 4, 0}, {29, 1, 1}, {30, 1, 2}, {32, 1, 1}, {33, 1, 0}, {34, 1, 0},
};

static void put_sized(struct fake_link *link, enum libbond_scope scope, unsigned number, unsigned size,
                      uint32_t value)
{
	if (size == 1)
		fake_u8(link, scope, number, (uint8_t)value);
	else if (size == 2)
		fake_u16(link, scope, number, (uint16_t)value);
	else
		fake_u32(link, scope, number, value);
}

static uint8_t mode_of(struct fake_link *bond)
{
	const struct nlattr *mode = find_attr(&bond->attrs[LIBBOND_SCOPE_BOND], LB_BOND_MODE);
	return mode ? *((const uint8_t *)mode + NLA_HDRLEN) : 0;
}

/* What only 802.3ad reports, to a reader with every privilege. */
static void put_lacp(struct fake_link *bond)
{
	static const uint8_t zero[6];
	static const uint8_t info[] = {6, 0, 1, 0, 1, 0, 0, 0, 6, 0, 2,  0, 1, 0, 0, 0, 6, 0, 3, 0, 15, 0,
	                               0, 0, 6, 0, 4, 0, 1, 0, 0, 0, 10, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0,  0};
	fake_u16(bond, LIBBOND_SCOPE_BOND, LB_BOND_AD_ACTOR_SYS_PRIO, 65535);
	fake_u16(bond, LIBBOND_SCOPE_BOND, LB_BOND_AD_USER_PORT_KEY, 0);
	fake_put(bond, LIBBOND_SCOPE_BOND, LB_BOND_AD_ACTOR_SYSTEM, zero, sizeof(zero));
	fake_put(bond, LIBBOND_SCOPE_BOND, LB_BOND_AD_INFO, info, sizeof(info));
}

struct fake_link *fake_bond(struct fake *fake, unsigned ifindex, const char *name, uint8_t mode)
{
	struct fake_link *bond = fake_device(fake, ifindex, name, IFF_BROADCAST | IFF_MULTICAST | IFF_MASTER);
	bond->kind = "bond";
	fake_u32(bond, LIBBOND_SCOPE_LINK, LB_IFLA_NUM_TX_QUEUES, 16);
	fake_u8(bond, LIBBOND_SCOPE_BOND, LB_BOND_MODE, mode);
	for (size_t i = 0; i < COUNT(bond_defaults); i++)
		put_sized(bond, LIBBOND_SCOPE_BOND, bond_defaults[i].number, bond_defaults[i].size,
		          bond_defaults[i].value);
	if (mode >= 4)
		fake_u32(bond, LIBBOND_SCOPE_BOND, LB_BOND_MIIMON, 100);
	if (mode == 4)
		put_lacp(bond);
	return bond;
}

static void join(struct fake_link *slave, unsigned master, uint8_t mode)
{
	const uint8_t mac[] = {2, 0, 0, 0, 0, (uint8_t)slave->ifindex};
	slave->flags |= IFF_UP | IFF_SLAVE;
	slave->slave_kind = "bond";
	slave->attrs[LIBBOND_SCOPE_SLAVE].length = 0;
	fake_u32(slave, LIBBOND_SCOPE_LINK, LB_IFLA_MASTER, master);
	fake_u8(slave, LIBBOND_SCOPE_SLAVE, LB_SLAVE_STATE, 0);
	fake_u8(slave, LIBBOND_SCOPE_SLAVE, LB_SLAVE_MII_STATUS, 0);
	fake_u32(slave, LIBBOND_SCOPE_SLAVE, LB_SLAVE_LINK_FAILURE_COUNT, 0);
	fake_put(slave, LIBBOND_SCOPE_SLAVE, LB_SLAVE_PERM_HWADDR, mac, sizeof(mac));
	fake_u16(slave, LIBBOND_SCOPE_SLAVE, LB_SLAVE_QUEUE_ID, 0);
	fake_u32(slave, LIBBOND_SCOPE_SLAVE, LB_SLAVE_PRIO, 0);
	if (mode != 4)
		return;
	fake_u16(slave, LIBBOND_SCOPE_SLAVE, LB_SLAVE_AD_AGGREGATOR_ID, 1);
	fake_u8(slave, LIBBOND_SCOPE_SLAVE, LB_SLAVE_AD_ACTOR_OPER_PORT_STATE, 0x4d);
	fake_u16(slave, LIBBOND_SCOPE_SLAVE, LB_SLAVE_AD_PARTNER_OPER_PORT_STATE, 0);
	fake_u16(slave, LIBBOND_SCOPE_SLAVE, LB_SLAVE_ACTOR_PORT_PRIO, 255);
	fake_u8(slave, LIBBOND_SCOPE_SLAVE, LB_SLAVE_AD_CHURN_ACTOR_STATE, 0);
	fake_u8(slave, LIBBOND_SCOPE_SLAVE, LB_SLAVE_AD_CHURN_PARTNER_STATE, 0);
}

static void leave(struct fake_link *slave)
{
	slave->flags &= ~(unsigned)(IFF_UP | IFF_SLAVE);
	slave->slave_kind = NULL;
	slave->attrs[LIBBOND_SCOPE_SLAVE].length = 0;
	fake_drop(slave, LIBBOND_SCOPE_LINK, LB_IFLA_MASTER);
}

struct fake_link *fake_slave(struct fake *fake, unsigned ifindex, const char *name, const struct fake_link *bond)
{
	struct fake_link *slave = fake_device(fake, ifindex, name, 0), copy = *bond;
	join(slave, bond->ifindex, mode_of(&copy));
	return slave;
}

static bool answers_to(struct fake_link *link, const char *name)
{
	const struct nlattr *list = find_attr(&link->attrs[LIBBOND_SCOPE_LINK], LB_IFLA_PROP_LIST), *attr;
	if (strcmp(link->name, name) == 0)
		return true;
	if (!list)
		return false;
	mnl_attr_for_each_nested (attr, list) {
		if (strcmp(mnl_attr_get_str(attr), name) == 0)
			return true;
	}
	return false;
}

struct fake_link *fake_find(struct fake *fake, const char *name)
{
	for (size_t i = 0; i < fake->link_count; i++)
		if (answers_to(&fake->links[i], name))
			return &fake->links[i];
	return NULL;
}

static struct fake_link *find_index(struct fake *fake, unsigned ifindex)
{
	for (size_t i = 0; i < fake->link_count; i++)
		if (fake->links[i].ifindex == ifindex)
			return &fake->links[i];
	return NULL;
}

static unsigned master_of(struct fake_link *link)
{
	const struct nlattr *master = find_attr(&link->attrs[LIBBOND_SCOPE_LINK], LB_IFLA_MASTER);
	return master ? mnl_attr_get_u32(master) : 0;
}

void fake_remove(struct fake *fake, unsigned ifindex)
{
	for (size_t i = 0; i < fake->link_count; i++)
		if (master_of(&fake->links[i]) == ifindex)
			leave(&fake->links[i]);
	for (size_t i = 0; i < fake->link_count; i++) {
		if (fake->links[i].ifindex != ifindex)
			continue;
		memmove(&fake->links[i], &fake->links[i + 1], (fake->link_count - i - 1) * sizeof(fake->links[0]));
		fake->link_count--;
	}
}

void fake_address(struct fake *fake, unsigned ifindex, const char *address)
{
	assert_true(fake->address_count < FAKE_ADDRESSES);
	size_t i = fake->address_count++;
	bool ip6 = strchr(address, ':') != NULL;
	fake->addresses[i].ifindex = ifindex;
	fake->addresses[i].family = ip6 ? AF_INET6 : AF_INET;
	fake->addresses[i].prefix = ip6 ? 64 : 24;
	fake->addresses[i].scope = strncmp(address, "fe80:", 5) == 0 ? RT_SCOPE_LINK : RT_SCOPE_UNIVERSE;
	assert_int_equal(inet_pton(fake->addresses[i].family, address, fake->addresses[i].address), 1);
}

void fake_deafen(struct fake *fake, enum libbond_scope scope, unsigned number)
{
	assert_true(fake->deaf_count < FAKE_DEAF);
	fake->deaf[fake->deaf_count].scope = scope;
	fake->deaf[fake->deaf_count++].number = number;
	for (size_t i = 0; i < fake->link_count; i++)
		fake_drop(&fake->links[i], scope, number);
}

static bool is_deaf(const struct fake *fake, enum libbond_scope scope, unsigned number)
{
	for (size_t i = 0; i < fake->deaf_count; i++)
		if (fake->deaf[i].scope == scope && fake->deaf[i].number == number)
			return true;
	return false;
}

/* --- messages --- */

static void put_attrs(struct nlmsghdr *nlh, const struct fake_attrs *attrs)
{
	if (!attrs->length)
		return;
	memcpy(mnl_nlmsg_get_payload_tail(nlh), attrs->bytes, attrs->length);
	nlh->nlmsg_len += (uint32_t)attrs->length;
}

static void put_linkinfo(struct nlmsghdr *nlh, const struct fake_link *link)
{
	struct nlattr *info = mnl_attr_nest_start(nlh, LB_IFLA_LINKINFO), *data;
	info->nla_type = LB_IFLA_LINKINFO; /* the kernel does not flag these nests */
	if (link->kind)
		mnl_attr_put_strz(nlh, LB_INFO_KIND, link->kind);
	if (link->kind && link->attrs[LIBBOND_SCOPE_BOND].length) {
		data = mnl_attr_nest_start(nlh, LB_INFO_DATA);
		data->nla_type = LB_INFO_DATA;
		put_attrs(nlh, &link->attrs[LIBBOND_SCOPE_BOND]);
		mnl_attr_nest_end(nlh, data);
	}
	if (link->slave_kind) {
		mnl_attr_put_strz(nlh, LB_INFO_SLAVE_KIND, link->slave_kind);
		data = mnl_attr_nest_start(nlh, LB_INFO_SLAVE_DATA);
		data->nla_type = LB_INFO_SLAVE_DATA;
		put_attrs(nlh, &link->attrs[LIBBOND_SCOPE_SLAVE]);
		mnl_attr_nest_end(nlh, data);
	}
	mnl_attr_nest_end(nlh, info);
}

size_t fake_message(const struct fake_link *link, void *out, size_t room, uint32_t seq, uint16_t flags)
{
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(out);
	struct ifinfomsg *header = mnl_nlmsg_put_extra_header(nlh, sizeof(*header));

	nlh->nlmsg_type = RTM_NEWLINK;
	nlh->nlmsg_flags = flags;
	nlh->nlmsg_seq = seq;
	header->ifi_index = (int)link->ifindex;
	header->ifi_flags = link->flags;
	mnl_attr_put_strz(nlh, LB_IFLA_IFNAME, link->name);
	put_attrs(nlh, &link->attrs[LIBBOND_SCOPE_LINK]);
	if (link->kind || link->slave_kind)
		put_linkinfo(nlh, link);
	assert_true(nlh->nlmsg_len <= room);
	return nlh->nlmsg_len;
}

/* --- the queue --- */

void fake_queue(struct fake *fake, const void *data, size_t length)
{
	assert_true(fake->queued < FAKE_DATAGRAMS && fake->queue_used + length + 8 <= sizeof(fake->queue));
	fake->datagrams[fake->queued].at = fake->queue_used;
	fake->datagrams[fake->queued++].length = (long)length;
	memcpy(fake->queue + fake->queue_used, data, length);
	fake->queue_used += (length + 7) & ~(size_t)7;
}

void fake_queue_result(struct fake *fake, long result)
{
	assert_true(fake->queued < FAKE_DATAGRAMS && result <= 0);
	fake->datagrams[fake->queued++].length = result;
}

void fake_queue_link(struct fake *fake, const struct fake_link *link, uint32_t seq, uint16_t flags)
{
	_Alignas(8) uint8_t message[8192];
	fake_queue(fake, message, fake_message(link, message, sizeof(message), seq, flags));
}

void fake_queue_ack(struct fake *fake, const struct nlmsghdr *request)
{
	const struct fake_refusal none = {0};
	fake_queue_refusal(fake, request, &none);
}

void fake_queue_refusal(struct fake *fake, const struct nlmsghdr *request, const struct fake_refusal *refusal)
{
	_Alignas(8) uint8_t message[8192];
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(message);

	nlh->nlmsg_type = refusal->done ? NLMSG_DONE : NLMSG_ERROR;
	nlh->nlmsg_seq = request->nlmsg_seq;
	if (refusal->done) {
		int *status = mnl_nlmsg_put_extra_header(nlh, sizeof(*status));
		*status = -refusal->errnum;
	} else {
		bool whole = refusal->whole && refusal->errnum;
		size_t repeated = whole ? NLMSG_ALIGN(request->nlmsg_len) : sizeof(*request);
		struct nlmsgerr *error = mnl_nlmsg_put_extra_header(nlh, sizeof(error->error) + repeated);
		error->error = -refusal->errnum;
		memcpy(&error->msg, request, whole ? request->nlmsg_len : sizeof(*request));
		nlh->nlmsg_flags |= whole ? 0 : LB_NLM_F_CAPPED;
	}
	if (refusal->text)
		mnl_attr_put_strz(nlh, LB_NLMSGERR_ATTR_MSG, refusal->text);
	if (refusal->offset)
		mnl_attr_put_u32(nlh, LB_NLMSGERR_ATTR_OFFS, refusal->offset);
	if (refusal->text || refusal->offset)
		nlh->nlmsg_flags |= LB_NLM_F_ACK_TLVS;
	fake_queue(fake, message, nlh->nlmsg_len);
}

static const struct nlattr *in_range(const uint8_t *start, const uint8_t *end, unsigned type)
{
	while (start < end) {
		const struct nlattr *attr = (const void *)start;
		if (mnl_attr_get_type(attr) == type)
			return attr;
		start += NLA_ALIGN(attr->nla_len);
	}
	return NULL;
}

uint32_t fake_find_offset(const struct nlmsghdr *request, const int *types)
{
	const uint8_t *start = (const uint8_t *)request + NLMSG_HDRLEN + sizeof(struct ifinfomsg);
	const uint8_t *end = (const uint8_t *)request + request->nlmsg_len;
	const struct nlattr *attr = NULL;

	for (; *types >= 0; types++) {
		attr = in_range(start, end, (unsigned)*types);
		if (!attr)
			return 0;
		start = (const uint8_t *)attr + NLA_HDRLEN;
		end = (const uint8_t *)attr + attr->nla_len;
	}
	return (uint32_t)((const uint8_t *)attr - (const uint8_t *)request);
}

uint32_t fake_offset(const struct nlmsghdr *request, const int *types)
{
	uint32_t offset = fake_find_offset(request, types);
	if (!offset)
		unit_fail("the request has no such attribute");
	return offset;
}

/* --- requests --- */

struct asked {
	const char *name, *kind;
	const struct nlattr *master, *info;
};

static struct asked read_request(const struct nlmsghdr *nlh)
{
	struct asked asked = {0};
	const struct nlattr *attr;
	mnl_attr_for_each (attr, nlh, sizeof(struct ifinfomsg)) {
		switch (mnl_attr_get_type(attr)) {
		case LB_IFLA_IFNAME:
		case LB_IFLA_ALT_IFNAME:
			asked.name = mnl_attr_get_str(attr);
			break;
		case LB_IFLA_MASTER:
			asked.master = attr;
			break;
		case LB_IFLA_LINKINFO:
			asked.info = attr;
			break;
		default:
			break;
		}
	}
	if (!asked.info)
		return asked;
	mnl_attr_for_each_nested (attr, asked.info) {
		if (mnl_attr_get_type(attr) == LB_INFO_KIND)
			asked.kind = mnl_attr_get_str(attr);
	}
	return asked;
}

__attribute__((format(printf, 2, 3))) static void log_add(struct fake *fake, const char *format, ...)
{
	size_t used = strlen(fake->log);
	va_list args;
	va_start(args, format);
	vsnprintf(fake->log + used, sizeof(fake->log) - used, format, args);
	va_end(args);
}

static void log_scope(struct fake *fake, enum libbond_scope scope, const struct nlattr *nest)
{
	const struct nlattr *attr;
	const char *join = " ";
	log_add(fake, " %s", unit_scope_name(scope));
	mnl_attr_for_each_nested (attr, nest) {
		const struct libbond_attr *row = libbond_attr_number(scope, mnl_attr_get_type(attr));
		log_add(fake, "%s%s", join, row ? row->name : "?");
		join = ",";
	}
}

static void log_change(struct fake *fake, const struct nlmsghdr *nlh, const struct asked *asked)
{
	const struct ifinfomsg *header = mnl_nlmsg_get_payload(nlh);
	const struct nlattr *attr;

	if (nlh->nlmsg_flags & NLM_F_CREATE)
		log_add(fake, "create %s", asked->name);
	else
		log_add(fake, "set #%d", header->ifi_index);
	if (header->ifi_change & IFF_UP)
		log_add(fake, " %s", header->ifi_flags & IFF_UP ? "up" : "down");
	mnl_attr_for_each (attr, nlh, sizeof(*header)) {
		unsigned type = mnl_attr_get_type(attr);
		const struct libbond_attr *row = libbond_attr_number(LIBBOND_SCOPE_LINK, type);
		if (type == LB_IFLA_MASTER)
			log_add(fake, " master %u", mnl_attr_get_u32(attr));
		else if (type != LB_IFLA_IFNAME && type != LB_IFLA_LINKINFO)
			log_add(fake, " %s", row ? row->name : "?");
	}
	if (!asked->info)
		return;
	mnl_attr_for_each_nested (attr, asked->info) {
		if (mnl_attr_get_type(attr) == LB_INFO_DATA)
			log_scope(fake, LIBBOND_SCOPE_BOND, attr);
		else if (mnl_attr_get_type(attr) == LB_INFO_SLAVE_DATA)
			log_scope(fake, LIBBOND_SCOPE_SLAVE, attr);
	}
}

static void log_request(struct fake *fake, const struct nlmsghdr *nlh, bool first_of_send)
{
	const struct ifinfomsg *header = mnl_nlmsg_get_payload(nlh);

	log_add(fake, "%s", fake->log[0] == '\0' ? "" : first_of_send ? "; " : " + ");
	if (nlh->nlmsg_type == RTM_GETADDR) {
		log_add(fake, "addresses of #%u", ((const struct ifaddrmsg *)mnl_nlmsg_get_payload(nlh))->ifa_index);
		return;
	}
	struct asked asked = read_request(nlh);
	if (nlh->nlmsg_type == RTM_GETLINK && (nlh->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP) {
		log_add(fake, "dump");
		if (asked.kind)
			log_add(fake, " kind %s", asked.kind);
		if (asked.master)
			log_add(fake, " master %u", mnl_attr_get_u32(asked.master));
	} else if (nlh->nlmsg_type == RTM_GETLINK || nlh->nlmsg_type == RTM_DELLINK) {
		log_add(fake, "%s ", nlh->nlmsg_type == RTM_GETLINK ? "get" : "delete");
		if (asked.name)
			log_add(fake, "%s", asked.name);
		else
			log_add(fake, "#%d", header->ifi_index);
	} else {
		log_change(fake, nlh, &asked);
	}
}

static void answer_dump(struct fake *fake, const struct nlmsghdr *nlh, const struct asked *asked)
{
	static _Alignas(8) uint8_t chunk[16384];
	const struct fake_refusal done = {.done = true};
	bool by_kind = asked->kind && !fake->no_driver;
	uint16_t flags = NLM_F_MULTI | (by_kind || asked->master ? LB_NLM_F_DUMP_FILTERED : 0);
	size_t used = 0;

	if (fake->dump_intr) {
		fake->dump_intr--;
		flags |= LB_NLM_F_DUMP_INTR;
	}
	for (size_t i = 0; i < fake->link_count; i++) {
		struct fake_link *link = &fake->links[i];
		if (by_kind && (!link->kind || strcmp(link->kind, asked->kind) != 0))
			continue;
		if (asked->master && master_of(link) != mnl_attr_get_u32(asked->master))
			continue;
		if (used > 4096) {
			fake_queue(fake, chunk, used);
			used = 0;
		}
		used += fake_message(link, chunk + used, sizeof(chunk) - used, nlh->nlmsg_seq, flags);
		flags &= (uint16_t)~LB_NLM_F_DUMP_INTR; /* on the first message only */
	}
	if (used)
		fake_queue(fake, chunk, used);
	fake_queue_refusal(fake, nlh, &done);
}

static void answer_addresses(struct fake *fake, const struct nlmsghdr *nlh)
{
	const struct ifaddrmsg *asked = mnl_nlmsg_get_payload(nlh);
	const struct fake_refusal done = {.done = true};
	_Alignas(8) uint8_t message[256];

	for (size_t i = 0; i < fake->address_count; i++) {
		if (asked->ifa_index && fake->addresses[i].ifindex != asked->ifa_index)
			continue;
		size_t length = fake->addresses[i].family == AF_INET ? 4 : 16;
		struct nlmsghdr *reply = mnl_nlmsg_put_header(message);
		struct ifaddrmsg *header = mnl_nlmsg_put_extra_header(reply, sizeof(*header));
		reply->nlmsg_type = RTM_NEWADDR;
		reply->nlmsg_flags = NLM_F_MULTI;
		reply->nlmsg_seq = nlh->nlmsg_seq;
		header->ifa_family = fake->addresses[i].family;
		header->ifa_prefixlen = fake->addresses[i].prefix;
		header->ifa_scope = fake->addresses[i].scope;
		header->ifa_index = fake->addresses[i].ifindex;
		mnl_attr_put(reply, IFA_ADDRESS, length, fake->addresses[i].address);
		if (length == 4)
			mnl_attr_put(reply, IFA_LOCAL, length, fake->addresses[i].address);
		fake_queue(fake, message, reply->nlmsg_len);
	}
	fake_queue_refusal(fake, nlh, &done);
}

static struct fake_link *find_asked(struct fake *fake, const struct nlmsghdr *nlh, const struct asked *asked)
{
	const struct ifinfomsg *header = mnl_nlmsg_get_payload(nlh);
	if (header->ifi_index)
		return find_index(fake, (unsigned)header->ifi_index);
	return asked->name ? fake_find(fake, asked->name) : NULL;
}

static void take_nest(struct fake *fake, struct fake_link *link, enum libbond_scope scope, const struct nlattr *nest)
{
	const struct nlattr *attr;
	mnl_attr_for_each_nested (attr, nest) {
		unsigned type = mnl_attr_get_type(attr);
		bool list = scope == LIBBOND_SCOPE_BOND &&
		            (type == LB_BOND_ARP_IP_TARGET || type == LB_BOND_NS_IP6_TARGET);
		bool index = scope == LIBBOND_SCOPE_BOND && (type == LB_BOND_ACTIVE_SLAVE || type == LB_BOND_PRIMARY);
		if (is_deaf(fake, scope, type))
			continue;
		/* reported only if set */
		if ((list && mnl_attr_get_payload_len(attr) == 0) || (index && mnl_attr_get_u32(attr) == 0))
			fake_drop(link, scope, type);
		else
			fake_put(link, scope, type, mnl_attr_get_payload(attr), mnl_attr_get_payload_len(attr));
	}
}

static void take_master(struct fake *fake, struct fake_link *link, unsigned master)
{
	struct fake_link *bond = find_index(fake, master);
	if (bond)
		join(link, master, mode_of(bond));
	else
		leave(link);
}

static void take_change(struct fake *fake, struct fake_link *link, const struct nlmsghdr *nlh)
{
	const struct ifinfomsg *header = mnl_nlmsg_get_payload(nlh);
	const struct nlattr *attr, *data;

	mnl_attr_for_each (attr, nlh, sizeof(*header)) {
		unsigned type = mnl_attr_get_type(attr);
		if (type == LB_IFLA_IFNAME || is_deaf(fake, LIBBOND_SCOPE_LINK, type))
			continue;
		if (type == LB_IFLA_MASTER) {
			take_master(fake, link, mnl_attr_get_u32(attr));
		} else if (type == LB_IFLA_LINKINFO) {
			mnl_attr_for_each_nested (data, attr) {
				if (mnl_attr_get_type(data) == LB_INFO_DATA)
					take_nest(fake, link, LIBBOND_SCOPE_BOND, data);
				else if (mnl_attr_get_type(data) == LB_INFO_SLAVE_DATA)
					take_nest(fake, link, LIBBOND_SCOPE_SLAVE, data);
			}
		} else {
			fake_put(link, LIBBOND_SCOPE_LINK, type, mnl_attr_get_payload(attr),
			         mnl_attr_get_payload_len(attr));
		}
	}
	if (header->ifi_change & IFF_UP)
		link->flags = (link->flags & ~(unsigned)IFF_UP) | (header->ifi_flags & IFF_UP);
}

static struct fake_link *create(struct fake *fake, const struct asked *asked)
{
	unsigned last = 0;
	for (size_t i = 0; i < fake->link_count; i++)
		last = fake->links[i].ifindex > last ? fake->links[i].ifindex : last;
	return fake_bond(fake, last + 1, asked->name, 0);
}

static void drop_deaf(const struct fake *fake, struct fake_link *link)
{
	for (size_t i = 0; i < fake->deaf_count; i++)
		fake_drop(link, fake->deaf[i].scope, fake->deaf[i].number);
}

static void answer(struct fake *fake, const struct nlmsghdr *nlh)
{
	if (nlh->nlmsg_type == RTM_GETADDR) {
		answer_addresses(fake, nlh);
		return;
	}
	struct asked asked = read_request(nlh);
	struct fake_link *link = find_asked(fake, nlh, &asked);
	bool makes = nlh->nlmsg_type == RTM_NEWLINK && (nlh->nlmsg_flags & NLM_F_CREATE);
	struct fake_refusal refusal = {0};

	if (nlh->nlmsg_type == RTM_GETLINK && (nlh->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP) {
		answer_dump(fake, nlh, &asked);
		return;
	}
	if (makes && fake->no_driver) {
		refusal.errnum = EOPNOTSUPP;
		refusal.text = "Unknown device type";
	} else if (makes && link) {
		refusal.errnum = EEXIST;
	} else if (!makes && !link) {
		refusal.errnum = ENODEV;
	}
	if (refusal.errnum) {
		fake_queue_refusal(fake, nlh, &refusal);
		return;
	}
	if (nlh->nlmsg_type == RTM_GETLINK) {
		fake_queue_link(fake, link, nlh->nlmsg_seq, 0);
		return;
	}
	if (nlh->nlmsg_type == RTM_DELLINK) {
		fake_remove(fake, link->ifindex);
	} else {
		link = makes ? create(fake, &asked) : link;
		take_change(fake, link, nlh);
		if (makes && mode_of(link) == 4) {
			put_lacp(link);
			take_change(fake, link, nlh);
		}
		drop_deaf(fake, link);
		if (makes && fake->echo && (nlh->nlmsg_flags & NLM_F_ECHO))
			fake_queue_link(fake, link, nlh->nlmsg_seq, 0);
	}
	fake_queue_ack(fake, nlh);
}

static int fake_send(void *context, const void *data, size_t length)
{
	struct fake *fake = context;
	const struct nlmsghdr *nlh = data;
	bool first = true;

	if (fake->send_result)
		return fake->send_result;
	fake->sends++;
	for (int left = (int)length; mnl_nlmsg_ok(nlh, left); nlh = mnl_nlmsg_next(nlh, &left)) {
		assert_true(fake->request_count < FAKE_REQUESTS && nlh->nlmsg_len <= FAKE_REQUEST);
		memcpy(fake->requests[fake->request_count++], nlh, nlh->nlmsg_len);
		log_request(fake, nlh, first);
		first = false;
		if (!fake->on_request || !fake->on_request(fake, nlh))
			answer(fake, nlh);
	}
	return 0;
}

static long fake_receive(void *context, void *data, size_t size)
{
	struct fake *fake = context;
	fake->receives++;
	if (fake->receives > 100000)
		unit_fail("the library asks for ever");
	if (fake->taken == fake->queued)
		return -EAGAIN; /* nobody answers: the time is over */
	long length = fake->datagrams[fake->taken].length;
	size_t at = fake->datagrams[fake->taken++].at;
	if (length > (long)size)
		return -EMSGSIZE;
	if (length > 0)
		memcpy(data, fake->queue + at, (size_t)length);
	return length;
}

static int fake_fd(void *context)
{
	(void)context;
	return -1;
}

static void fake_close(void *context)
{
	struct fake *fake = context;
	fake->closed++;
}

void fake_forget(struct fake *fake)
{
	fake->sends = fake->receives = 0;
	fake->request_count = fake->queued = fake->queue_used = fake->taken = 0;
	fake->log[0] = '\0';
}

struct fake *fake_new(void)
{
	static struct fake fake;

	fake_forget(&fake);
	fake.link_count = fake.deaf_count = fake.address_count = 0;
	fake.no_driver = fake.echo = false;
	fake.on_request = NULL;
	fake.send_result = 0;
	fake.dump_intr = fake.tag = fake.closed = 0;
	fake.transport = (struct libbond_transport){
		.send = fake_send, .receive = fake_receive, .fd = fake_fd, .close = fake_close, .context = &fake};
	return &fake;
}

struct libbond *fake_open(struct fake *fake)
{
	struct libbond *handle;
	assert_int_equal(libbond_open_transport(&handle, &fake->transport, NULL), 0);
	return handle;
}

const struct nlmsghdr *fake_request(const struct fake *fake, size_t i)
{
	assert_true(i < fake->request_count);
	return (const void *)fake->requests[i];
}
