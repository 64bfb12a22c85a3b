/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Builds rtnetlink requests out of configs and rows, and finds the row behind an offset in one. Sits between
 * read.c / change.c, which know what is to be asked, and exchange.c, which sends it.
 */
#include "message.h"

#include <errno.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <string.h>

static struct ifinfomsg *start(struct lb_message *message, uint16_t type, uint16_t flags)
{
	memset(message->data, 0, sizeof(message->data));
	message->nlh = mnl_nlmsg_put_header(message->data);
	message->nlh->nlmsg_type = type;
	message->nlh->nlmsg_flags = (uint16_t)(NLM_F_REQUEST | flags);
	struct ifinfomsg *header = mnl_nlmsg_put_extra_header(message->nlh, sizeof(*header));
	header->ifi_family = AF_UNSPEC;
	return header;
}

static void put_read_flags(struct lb_message *message, unsigned flags)
{
	if (flags & LIBBOND_READ_NO_STATS)
		mnl_attr_put_u32(message->nlh, LB_IFLA_EXT_MASK, LB_RTEXT_FILTER_SKIP_STATS);
}

void lb_message_get_name(struct lb_message *message, const char *name, unsigned flags)
{
	start(message, RTM_GETLINK, 0);
	/* a name that fits is also looked for among the alternative names */
	mnl_attr_put_strz(message->nlh, strlen(name) < LIBBOND_NAME_SIZE ? LB_IFLA_IFNAME : LB_IFLA_ALT_IFNAME, name);
	put_read_flags(message, flags);
}

void lb_message_get_index(struct lb_message *message, unsigned ifindex, unsigned flags)
{
	start(message, RTM_GETLINK, 0)->ifi_index = (int)ifindex;
	put_read_flags(message, flags);
}

void lb_message_dump(struct lb_message *message, const char *kind, unsigned master, unsigned flags)
{
	start(message, RTM_GETLINK, NLM_F_DUMP);
	if (kind) {
		struct nlattr *info = mnl_attr_nest_start(message->nlh, LB_IFLA_LINKINFO);
		mnl_attr_put_strz(message->nlh, LB_INFO_KIND, kind);
		mnl_attr_nest_end(message->nlh, info);
	}
	if (master)
		mnl_attr_put_u32(message->nlh, LB_IFLA_MASTER, master);
	put_read_flags(message, flags);
}

/* The wanted values of one scope, one after another. */
static bool put_scope(struct lb_message *message, const struct libbond_config *config, enum libbond_scope scope)
{
	for (size_t i = 0; i < config->count; i++) {
		const struct lb_want *want = &config->wants[i];
		if (libbond_attr_scope(want->attr) != scope || want->attr->wire == LB_WIRE_FLAG)
			continue;
		if (!lb_value_put(want->attr, &want->value, message->nlh, sizeof(message->data)))
			return false;
	}
	return true;
}

static bool wants_scope(const struct libbond_config *config, enum libbond_scope scope)
{
	for (size_t i = 0; i < config->count; i++)
		if (libbond_attr_scope(config->wants[i].attr) == scope)
			return true;
	return false;
}

/* IFLA_LINKINFO { kind, data { values of the scope } } */
static bool put_linkinfo(struct lb_message *message, const struct libbond_config *config, enum libbond_scope scope)
{
	bool slave = scope == LIBBOND_SCOPE_SLAVE;
	struct nlattr *info = mnl_attr_nest_start(message->nlh, LB_IFLA_LINKINFO);
	mnl_attr_put_strz(message->nlh, slave ? LB_INFO_SLAVE_KIND : LB_INFO_KIND, "bond");
	struct nlattr *data = mnl_attr_nest_start(message->nlh, slave ? LB_INFO_SLAVE_DATA : LB_INFO_DATA);
	bool fits = put_scope(message, config, scope);
	mnl_attr_nest_end(message->nlh, data);
	mnl_attr_nest_end(message->nlh, info);
	return fits;
}

static void put_admin(struct lb_message *message, bool up)
{
	struct ifinfomsg *header = mnl_nlmsg_get_payload(message->nlh);
	header->ifi_change = IFF_UP;
	header->ifi_flags = up ? IFF_UP : 0;
}

static int put_config(struct lb_message *message, const struct libbond_config *config, bool kind_needed)
{
	const struct lb_want *up = lb_config_find(config, lb_link_attr(LB_IFLA_UP));
	bool fits = put_scope(message, config, LIBBOND_SCOPE_LINK);

	if (up)
		put_admin(message, up->value.number != 0);
	if (fits && (kind_needed || wants_scope(config, LIBBOND_SCOPE_BOND)))
		fits = put_linkinfo(message, config, LIBBOND_SCOPE_BOND);
	if (fits && wants_scope(config, LIBBOND_SCOPE_SLAVE))
		fits = put_linkinfo(message, config, LIBBOND_SCOPE_SLAVE);
	return fits ? 0 : -EMSGSIZE;
}

int lb_message_create(struct lb_message *message, const char *name, unsigned ifindex,
                      const struct libbond_config *config)
{
	start(message, RTM_NEWLINK, NLM_F_ACK | NLM_F_ECHO | NLM_F_CREATE | NLM_F_EXCL)->ifi_index = (int)ifindex;
	mnl_attr_put_strz(message->nlh, LB_IFLA_IFNAME, name);
	return put_config(message, config, true);
}

int lb_message_change(struct lb_message *message, unsigned ifindex, const struct libbond_config *config)
{
	start(message, RTM_NEWLINK, NLM_F_ACK)->ifi_index = (int)ifindex;
	return put_config(message, config, false);
}

void lb_message_admin(struct lb_message *message, unsigned ifindex, bool up)
{
	start(message, RTM_NEWLINK, NLM_F_ACK)->ifi_index = (int)ifindex;
	put_admin(message, up);
}

void lb_message_master(struct lb_message *message, unsigned ifindex, unsigned master)
{
	start(message, RTM_NEWLINK, NLM_F_ACK)->ifi_index = (int)ifindex;
	mnl_attr_put_u32(message->nlh, LB_IFLA_MASTER, master);
}

void lb_message_delete(struct lb_message *message, unsigned ifindex)
{
	start(message, RTM_DELLINK, NLM_F_ACK)->ifi_index = (int)ifindex;
}

/* --- from an offset back to the row --- */

static const struct nlattr *covering_nested(const struct nlattr *nest, const char *at)
{
	const struct nlattr *attr;
	mnl_attr_for_each_nested (attr, nest) {
		if (at >= (const char *)attr && at < (const char *)attr + attr->nla_len)
			return attr;
	}
	return NULL;
}

const struct libbond_attr *lb_message_attr_at(const struct nlmsghdr *request, uint32_t offset)
{
	static const struct {
		uint16_t data;
		enum libbond_scope scope;
	} nests[] = {{LB_INFO_DATA, LIBBOND_SCOPE_BOND}, {LB_INFO_SLAVE_DATA, LIBBOND_SCOPE_SLAVE}};
	const char *at = (const char *)request + offset;
	const struct nlattr *attr, *info = NULL;

	mnl_attr_for_each (attr, request, sizeof(struct ifinfomsg)) {
		if (at >= (const char *)attr && at < (const char *)attr + attr->nla_len)
			info = attr;
	}
	if (!info || offset == 0)
		return NULL;
	if (mnl_attr_get_type(info) != LB_IFLA_LINKINFO)
		return libbond_attr_number(LIBBOND_SCOPE_LINK, mnl_attr_get_type(info));
	const struct nlattr *data = covering_nested(info, at);
	for (size_t i = 0; data && i < sizeof(nests) / sizeof(nests[0]); i++) {
		const struct nlattr *found =
			mnl_attr_get_type(data) == nests[i].data ? covering_nested(data, at) : NULL;
		if (found)
			return libbond_attr_number(nests[i].scope, mnl_attr_get_type(found));
	}
	return NULL;
}
