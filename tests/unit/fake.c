/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fake transport: answers requests with rtnetlink's framing from the store (fake-store.c, fake-records.c), lets
 * fake-driver.c change it, logs what it was asked. Sits between the tests and lb_exchange(); it never allocates, so
 * that alloc.c can count the library's own.
 */
#include <errno.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <stdio.h>
#include <string.h>

#include "fake-inner.h"
#include "unit.h"

/* --- messages --- */

static void put_attrs(struct nlmsghdr *nlh, const struct fake_link *link, enum libbond_scope scope)
{
	const struct fake_attrs *attrs = &link->attrs[scope];
	for (size_t at = 0; at < attrs->length;) {
		const struct nlattr *attr = (const void *)(attrs->bytes + at);
		if (fake_is_shown(link, scope, mnl_attr_get_type(attr))) {
			memcpy(mnl_nlmsg_get_payload_tail(nlh), attr, NLA_ALIGN(attr->nla_len));
			nlh->nlmsg_len += NLA_ALIGN(attr->nla_len);
		}
		at += NLA_ALIGN(attr->nla_len);
	}
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
		put_attrs(nlh, link, LIBBOND_SCOPE_BOND);
		mnl_attr_nest_end(nlh, data);
	}
	if (link->slave_kind) {
		mnl_attr_put_strz(nlh, LB_INFO_SLAVE_KIND, link->slave_kind);
		data = mnl_attr_nest_start(nlh, LB_INFO_SLAVE_DATA);
		data->nla_type = LB_INFO_SLAVE_DATA;
		put_attrs(nlh, link, LIBBOND_SCOPE_SLAVE);
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
	header->ifi_type = ARPHRD_ETHER;
	header->ifi_index = (int)link->ifindex;
	header->ifi_flags = link->flags;
	mnl_attr_put_strz(nlh, LB_IFLA_IFNAME, link->name);
	put_attrs(nlh, link, LIBBOND_SCOPE_LINK);
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
	unsigned ifindex = 0;
	const char *records = fake_records_name(nlh, &ifindex);

	if (records && nlh->nlmsg_type % 4 == 2 && !first_of_send && ifindex == fake->looked_at) {
		log_add(fake, ",%s", records); /* what hangs on one device is asked for in a row */
		return;
	}
	fake->looked_at = records ? ifindex : 0;
	log_add(fake, "%s", fake->log[0] == '\0' ? "" : first_of_send ? "; " : " + ");
	if (records) {
		log_add(fake, nlh->nlmsg_type % 4 == 2 ? "look at #%u: %s" : "put #%u %s", ifindex, records);
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

bool fake_dump_begin(struct fake *fake, const struct nlmsghdr *request)
{
	const struct fake_refusal busy = {.errnum = EBUSY};

	if (fake->dump_end == 0 || fake->taken >= fake->dump_end)
		return true;
	fake_queue_refusal(fake, request, &busy);
	return false;
}

uint16_t fake_dump_flags(struct fake *fake, uint16_t flags)
{
	if (!fake->dump_intr)
		return flags;
	fake->dump_intr--;
	return flags | LB_NLM_F_DUMP_INTR;
}

void fake_dump_end(struct fake *fake, const struct nlmsghdr *request, bool empty)
{
	const struct fake_refusal done = {.done = true};
	fake_queue_refusal(fake, request, &done);
	fake->dump_end = empty ? 0 : fake->queued;
}

static void answer_dump(struct fake *fake, const struct nlmsghdr *nlh, const struct asked *asked)
{
	static _Alignas(8) uint8_t chunk[16384];
	bool by_kind = asked->kind && (strcmp(asked->kind, "bond") != 0 || !fake->no_driver);
	uint16_t flags = NLM_F_MULTI | (by_kind || asked->master ? LB_NLM_F_DUMP_FILTERED : 0);
	size_t used = 0, queued = fake->queued;

	if (!fake_dump_begin(fake, nlh))
		return;
	flags = fake_dump_flags(fake, flags);
	for (size_t i = 0; i < fake->link_count; i++) {
		struct fake_link *link = &fake->links[i];
		if (by_kind && (!link->kind || strcmp(link->kind, asked->kind) != 0))
			continue;
		if (asked->master && fake_master_of(link) != mnl_attr_get_u32(asked->master))
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
	fake_dump_end(fake, nlh, fake->queued == queued);
}

static struct fake_link *find_asked(struct fake *fake, const struct nlmsghdr *nlh, const struct asked *asked)
{
	const struct ifinfomsg *header = mnl_nlmsg_get_payload(nlh);
	if (header->ifi_index)
		return fake_find_index(fake, (unsigned)header->ifi_index);
	return asked->name ? fake_find(fake, asked->name) : NULL;
}

static struct fake_link *create(struct fake *fake, const struct nlmsghdr *nlh, const char *name)
{
	unsigned ifindex = (unsigned)((const struct ifinfomsg *)mnl_nlmsg_get_payload(nlh))->ifi_index;
	for (size_t i = 0, last = 0; !ifindex && i <= fake->link_count; i++) {
		if (i == fake->link_count)
			ifindex = (unsigned)last + 1;
		else if (fake->links[i].ifindex > last)
			last = fake->links[i].ifindex;
	}
	return fake_bond(fake, ifindex, name, 0);
}

static void drop_deaf(const struct fake *fake, struct fake_link *link)
{
	for (size_t i = 0; i < fake->deaf_count; i++)
		fake_drop(link, fake->deaf[i].scope, fake->deaf[i].number);
}

/* RTM_NEWLINK and RTM_DELLINK of a device that is there, or is to be. */
static struct fake_refusal change(struct fake *fake, const struct nlmsghdr *nlh, struct fake_link *link,
                                  const struct asked *asked)
{
	bool makes = nlh->nlmsg_type == RTM_NEWLINK && (nlh->nlmsg_flags & NLM_F_CREATE);
	struct fake_refusal refusal = {0};

	if (nlh->nlmsg_type == RTM_DELLINK) {
		fake_remove(fake, link->ifindex);
		return refusal;
	}
	link = makes ? create(fake, nlh, asked->name) : link;
	refusal = fake_change(fake, link, nlh);
	if (makes && refusal.errnum) {
		fake_remove(fake, link->ifindex);
		return refusal;
	}
	if (makes && fake_mode_of(link) == LB_MODE_8023AD && !fake->driver) {
		fake_put_lacp(link);
		refusal = fake_change(fake, link, nlh);
	}
	drop_deaf(fake, link);
	if (makes && fake->echo && (nlh->nlmsg_flags & NLM_F_ECHO))
		fake_queue_link(fake, link, nlh->nlmsg_seq, 0);
	return refusal;
}

static void answer(struct fake *fake, const struct nlmsghdr *nlh)
{
	if (fake_answer_records(fake, nlh))
		return;
	struct asked asked = read_request(nlh);
	bool makes = nlh->nlmsg_type == RTM_NEWLINK && (nlh->nlmsg_flags & NLM_F_CREATE);
	struct fake_link *link = makes ? fake_find(fake, asked.name) : find_asked(fake, nlh, &asked);
	struct fake_refusal refusal = {0};

	if (nlh->nlmsg_type == RTM_GETLINK && (nlh->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP) {
		answer_dump(fake, nlh, &asked);
		return;
	}
	if (makes && fake->no_driver)
		refusal = (struct fake_refusal){.errnum = EOPNOTSUPP, .text = "Unknown device type"};
	else if (makes && link)
		refusal.errnum = EEXIST;
	else if (makes && find_asked(fake, nlh, &asked))
		refusal.errnum = EBUSY; /* the index is taken */
	else if (!makes && !link)
		refusal.errnum = ENODEV;
	if (!refusal.errnum && nlh->nlmsg_type == RTM_GETLINK) {
		fake_queue_link(fake, link, nlh->nlmsg_seq, 0);
		return;
	}
	if (!refusal.errnum)
		refusal = change(fake, nlh, link, &asked);
	fake_queue_refusal(fake, nlh, &refusal);
}

/* Answer, and lose the answer where the test says so. */
static void answer_or_lose(struct fake *fake, const struct nlmsghdr *nlh)
{
	size_t queued = fake->queued, used = fake->queue_used, dump_end = fake->dump_end;
	long lost;

	answer(fake, nlh);
	lost = fake->on_answer ? fake->on_answer(fake, nlh) : 0;
	if (lost == 0)
		return;
	fake->queued = queued;
	fake->queue_used = used;
	fake->dump_end = dump_end;
	if (lost != -EAGAIN)
		fake_queue_result(fake, lost);
}

static bool changes_something(const struct nlmsghdr *nlh, size_t length)
{
	bool changes = false;
	for (int left = (int)length; mnl_nlmsg_ok(nlh, left); nlh = mnl_nlmsg_next(nlh, &left))
		changes |= nlh->nlmsg_type % 4 < 2; /* RTM_NEW*, RTM_DEL* */
	return changes;
}

static int fake_send(void *context, const void *data, size_t length)
{
	struct fake *fake = context;
	const struct nlmsghdr *nlh = data;
	bool first = true;

	if (fake->send_result)
		return fake->send_result;
	if (fake->taken == fake->queued)
		fake->taken = fake->queued = fake->queue_used = fake->dump_end = 0;
	fake->sends++;
	fake->changing = changes_something(data, length);
	for (int left = (int)length; mnl_nlmsg_ok(nlh, left); nlh = mnl_nlmsg_next(nlh, &left)) {
		assert_true(nlh->nlmsg_len <= FAKE_REQUEST);
		if (fake->request_count < FAKE_REQUESTS)
			memcpy(fake->requests[fake->request_count++], nlh, nlh->nlmsg_len);
		log_request(fake, nlh, first);
		first = false;
		if (!fake->on_request || !fake->on_request(fake, nlh))
			answer_or_lose(fake, nlh);
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
	fake->request_count = fake->queued = fake->queue_used = fake->taken = fake->dump_end = 0;
	fake->looked_at = 0;
	fake->log[0] = '\0';
}

struct fake *fake_new(void)
{
	static struct fake fake;

	fake_forget(&fake);
	fake.link_count = fake.deaf_count = fake.record_count = 0;
	fake.places = fake.randoms = 0;
	fake.no_driver = fake.echo = fake.driver = false;
	fake.on_request = NULL;
	fake.on_answer = NULL;
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
