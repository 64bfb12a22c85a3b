/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Answers questions about one link of a snapshot, by row. Sits between snapshot.c, which took the link's
 * message in, and everything that looks: checks, verification, renderers.
 */
#include "link.h"

#include <errno.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>

bool lb_attr_is_text(const struct nlattr *attr)
{
	return mnl_attr_get_payload_len(attr) > 0 && mnl_attr_validate(attr, MNL_TYPE_NUL_STRING) >= 0;
}

lb_position *lb_link_index(struct libbond_link *link, enum libbond_scope scope)
{
	lb_position *const scopes[LIBBOND_SCOPES] = {link->bond, link->ad_info, link->slave, link->link};
	return scopes[scope];
}

const lb_position *lb_link_index_const(const struct libbond_link *link, enum libbond_scope scope)
{
	const lb_position *const scopes[LIBBOND_SCOPES] = {link->bond, link->ad_info, link->slave, link->link};
	return scopes[scope];
}

const struct nlattr *lb_link_at(const struct libbond_link *link, lb_position at)
{
	return at ? (const struct nlattr *)(const void *)(link->message + (size_t)at * LB_POSITION_UNIT) : NULL;
}

const struct nlattr *lb_link_find(const struct libbond_link *link, unsigned type)
{
	const struct nlattr *attr;

	mnl_attr_for_each (attr, lb_link_message(link), sizeof(struct ifinfomsg)) {
		if (mnl_attr_get_type(attr) == type)
			return attr;
	}
	return NULL;
}

const struct nlattr *lb_find_nested(const struct nlattr *nest, unsigned type)
{
	const struct nlattr *attr;
	if (!nest)
		return NULL;
	mnl_attr_for_each_nested (attr, nest) {
		if (mnl_attr_get_type(attr) == type)
			return attr;
	}
	return NULL;
}

uint32_t lb_link_find_u32(const struct libbond_link *link, unsigned type)
{
	const struct nlattr *attr = lb_link_find(link, type);
	return attr && mnl_attr_get_payload_len(attr) >= sizeof(uint32_t) ? mnl_attr_get_u32(attr) : 0;
}

unsigned lb_link_hardware(const struct libbond_link *link)
{
	const struct ifinfomsg *header = mnl_nlmsg_get_payload(lb_link_message(link));
	return header->ifi_type;
}

bool lb_link_answers_to(const struct libbond_link *link, const char *name)
{
	const struct nlattr *list = lb_link_at(link, link->link[LB_IFLA_PROP_LIST]), *attr;

	if (strcmp(link->name, name) == 0)
		return true;
	if (!list)
		return false;
	mnl_attr_for_each_nested (attr, list) {
		if (mnl_attr_get_type(attr) == LB_IFLA_ALT_IFNAME && lb_attr_is_text(attr) &&
		    strcmp(mnl_attr_get_str(attr), name) == 0)
			return true;
	}
	return false;
}

const struct nlmsghdr *lb_link_message(const struct libbond_link *link)
{
	return (const struct nlmsghdr *)(const void *)link->message;
}

const struct libbond_snapshot *lb_link_snapshot(const struct libbond_link *link)
{
	return link->snapshot;
}

const char *libbond_link_name(const struct libbond_link *link)
{
	return link->name;
}

unsigned libbond_link_ifindex(const struct libbond_link *link)
{
	return link->ifindex;
}

const char *libbond_link_kind(const struct libbond_link *link)
{
	return link->kind;
}

unsigned libbond_link_flags(const struct libbond_link *link)
{
	return link->flags;
}

int libbond_link_is_bond(const struct libbond_link *link)
{
	return link->is_bond;
}

unsigned libbond_link_master(const struct libbond_link *link)
{
	return link->master;
}

size_t libbond_link_slaves(const struct libbond_link *bond)
{
	return bond->port_count;
}

const struct libbond_link *libbond_link_slave(const struct libbond_link *bond, size_t i)
{
	return i < bond->port_count ? bond->snapshot->ports[bond->first_port + i] : NULL;
}

static const struct nlattr *find_row(const struct libbond_link *link, const struct libbond_attr *attr)
{
	const lb_position *index = lb_link_index_const(link, libbond_attr_scope(attr));
	return lb_link_at(link, index[libbond_attr_id(attr)]);
}

int libbond_link_has(const struct libbond_link *link, const struct libbond_attr *attr)
{
	return attr->wire == LB_WIRE_FLAG || find_row(link, attr) != NULL;
}

int lb_link_value(const struct libbond_link *link, const struct libbond_attr *attr, struct lb_value *out)
{
	if (attr->wire == LB_WIRE_FLAG) {
		out->count = 1;
		out->number = (link->flags & IFF_UP) != 0;
		return 0;
	}
	const struct nlattr *nla = find_row(link, attr);
	return nla && lb_value_get(attr, nla, out) == 0 ? 0 : -ENODATA;
}

static bool is_number(const struct libbond_attr *attr)
{
	switch (attr->type) {
	case LIBBOND_TYPE_NUMBER:
	case LIBBOND_TYPE_BOOL:
	case LIBBOND_TYPE_WORD:
	case LIBBOND_TYPE_BITS:
	case LIBBOND_TYPE_LINK:
		return true;
	default:
		return false;
	}
}

int libbond_link_number(const struct libbond_link *link, const struct libbond_attr *attr, int64_t *out)
{
	struct lb_value value;
	if (!is_number(attr))
		return -EINVAL;
	int rc = lb_link_value(link, attr, &value);
	if (rc == 0)
		*out = value.number;
	return rc;
}

int64_t lb_link_number_or(const struct libbond_link *link, const struct libbond_attr *attr, int64_t otherwise)
{
	int64_t number;
	return libbond_link_number(link, attr, &number) == 0 ? number : otherwise;
}

int libbond_link_text(const struct libbond_link *link, const struct libbond_attr *attr, char *buf, size_t size)
{
	struct lb_value value;
	int rc = lb_link_value(link, attr, &value);
	if (rc < 0)
		return rc;
	if (attr->type == LIBBOND_TYPE_LINK && value.number) {
		const struct libbond_link *other = libbond_snapshot_by_index(link->snapshot, (unsigned)value.number);
		if (other)
			return snprintf(buf, size, "%s", other->name);
	}
	return lb_value_format(attr, &value, buf, size);
}

int libbond_link_items(const struct libbond_link *link, const struct libbond_attr *attr)
{
	struct lb_value value = {0};
	if (lb_link_value(link, attr, &value) < 0)
		value.count = 0, value.number = 0;
	return lb_value_items(attr, &value);
}

int libbond_link_item(const struct libbond_link *link, const struct libbond_attr *attr, size_t i, char *buf,
                      size_t size)
{
	struct lb_value value;
	if (i > LIBBOND_TARGETS_MAX * 4 || lb_link_value(link, attr, &value) < 0)
		return -EINVAL;
	return lb_value_format_item(attr, &value, (unsigned)i, buf, size);
}

/* --- what the table does not know --- */

static int unknown_in(const struct libbond_link *link, enum libbond_scope scope, size_t *left,
                      struct libbond_unknown *out)
{
	const lb_position *index = lb_link_index_const(link, scope);
	const struct nlattr *nest = lb_link_at(link, link->nest[scope]), *attr;

	if (!nest)
		return -ENOENT;
	mnl_attr_for_each_nested (attr, nest) {
		unsigned type = mnl_attr_get_type(attr);
		if (type < lb_scopes[scope].count && lb_link_at(link, index[type]) == attr)
			continue;
		if ((*left)-- > 0)
			continue;
		*out = (struct libbond_unknown){
			.scope = scope,
			.number = type,
			.bytes = mnl_attr_get_payload(attr),
			.length = mnl_attr_get_payload_len(attr),
		};
		return 0;
	}
	return -ENOENT;
}

int libbond_link_unknown(const struct libbond_link *link, size_t i, struct libbond_unknown *out)
{
	for (unsigned scope = LIBBOND_SCOPE_BOND; scope <= LIBBOND_SCOPE_SLAVE; scope++)
		if (unknown_in(link, (enum libbond_scope)scope, &i, out) == 0)
			return 0;
	return -ENOENT;
}
