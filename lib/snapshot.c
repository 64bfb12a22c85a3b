/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Keeps what the kernel said and answers questions about all of it. Sits between read.c, which fills it, and
 * link.c, which answers for one link.
 */
#include "link.h"

#include <errno.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>

/* --- taking a message in --- */

/* What decides whether a link is kept. */
struct role {
	const char *kind, *slave_kind;
};

static const struct nlattr *find_attr(const struct nlmsghdr *nlh, unsigned type)
{
	const struct nlattr *attr;
	mnl_attr_for_each (attr, nlh, sizeof(struct ifinfomsg)) {
		if (mnl_attr_get_type(attr) == type)
			return attr;
	}
	return NULL;
}

static struct role role_of(const struct nlmsghdr *nlh)
{
	struct role role = {"", ""};
	const struct nlattr *info = find_attr(nlh, LB_IFLA_LINKINFO), *attr;

	if (!info)
		return role;
	mnl_attr_for_each_nested (attr, info) {
		if (mnl_attr_get_type(attr) == LB_INFO_KIND && lb_attr_is_text(attr))
			role.kind = mnl_attr_get_str(attr);
		else if (mnl_attr_get_type(attr) == LB_INFO_SLAVE_KIND && lb_attr_is_text(attr))
			role.slave_kind = mnl_attr_get_str(attr);
	}
	return role;
}

static bool is_kept(const struct nlmsghdr *nlh, enum lb_keep keep)
{
	struct role role = role_of(nlh);
	bool bond = strcmp(role.kind, "bond") == 0, slave = strcmp(role.slave_kind, "bond") == 0;
	if (keep == LB_KEEP_UPPERS)
		return find_attr(nlh, LB_IFLA_LINK) != NULL;
	if (keep == LB_KEEP_VLANS)
		return strcmp(role.kind, "vlan") == 0;
	return keep == LB_KEEP_ALL || bond || (slave && keep == LB_KEEP_BONDS_AND_SLAVES);
}

static lb_position position_of(const struct libbond_link *link, const struct nlattr *attr)
{
	size_t offset = (size_t)((const char *)attr - link->message);
	return offset / LB_POSITION_UNIT <= UINT16_MAX ? (lb_position)(offset / LB_POSITION_UNIT) : 0;
}

/* Index one attribute if its row can read it; otherwise it stays among the unknown ones. */
static void index_attr(struct libbond_link *link, enum libbond_scope scope, const struct nlattr *attr)
{
	const struct libbond_attr *row = libbond_attr_number(scope, mnl_attr_get_type(attr));
	struct lb_value value;
	if (row && (row->type == LIBBOND_TYPE_NEST || lb_value_get(row, attr, &value) == 0))
		lb_link_index(link, scope)[libbond_attr_id(row)] = position_of(link, attr);
}

static void index_nest(struct libbond_link *link, enum libbond_scope scope, const struct nlattr *nest)
{
	const struct nlattr *attr;
	link->nest[scope] = position_of(link, nest);
	mnl_attr_for_each_nested (attr, nest) {
		index_attr(link, scope, attr);
		if (scope == LIBBOND_SCOPE_BOND && mnl_attr_get_type(attr) == LB_BOND_AD_INFO)
			index_nest(link, LIBBOND_SCOPE_AD_INFO, attr);
	}
}

static void index_linkinfo(struct libbond_link *link, const struct nlattr *info, const struct role *role)
{
	const struct nlattr *attr;
	mnl_attr_for_each_nested (attr, info) {
		if (mnl_attr_get_type(attr) == LB_INFO_DATA && link->is_bond)
			index_nest(link, LIBBOND_SCOPE_BOND, attr);
		else if (mnl_attr_get_type(attr) == LB_INFO_SLAVE_DATA && strcmp(role->slave_kind, "bond") == 0)
			index_nest(link, LIBBOND_SCOPE_SLAVE, attr);
	}
}

static void index_link(struct libbond_link *link)
{
	const struct nlmsghdr *nlh = (const struct nlmsghdr *)(const void *)link->message;
	const struct ifinfomsg *header = mnl_nlmsg_get_payload(nlh);
	struct role role = role_of(nlh);
	const struct nlattr *attr;

	link->ifindex = (unsigned)header->ifi_index;
	link->flags = header->ifi_flags;
	link->kind = role.kind;
	link->is_bond = strcmp(role.kind, "bond") == 0;
	link->name = "";
	mnl_attr_for_each (attr, nlh, sizeof(*header)) {
		unsigned type = mnl_attr_get_type(attr);
		if (type == LB_IFLA_IFNAME && lb_attr_is_text(attr))
			link->name = mnl_attr_get_str(attr);
		else if (type == LB_IFLA_LINKINFO)
			index_linkinfo(link, attr, &role);
		else if (type == LB_IFLA_STATS64 || type == LB_IFLA_PROP_LIST)
			link->link[type] = position_of(link, attr);
		else
			index_attr(link, LIBBOND_SCOPE_LINK, attr);
	}
	link->master = (unsigned)lb_link_number_or(link, lb_link_attr(LB_IFLA_MASTER), 0);
}

int lb_snapshot_new(struct libbond_snapshot **out)
{
	struct libbond_snapshot *snapshot = calloc(1, sizeof(*snapshot));
	if (!snapshot)
		return -ENOMEM;
	snapshot->driver = -1;
	*out = snapshot;
	return 0;
}

int lb_snapshot_add(struct libbond_snapshot *snapshot, const struct nlmsghdr *nlh, enum lb_keep keep)
{
	if (nlh->nlmsg_type != RTM_NEWLINK)
		return 0;
	const struct ifinfomsg *header = mnl_nlmsg_get_payload(nlh);
	if (mnl_nlmsg_get_payload_len(nlh) < sizeof(*header) || header->ifi_index <= 0)
		return -EBADMSG;
	if (!is_kept(nlh, keep))
		return 0;
	if (snapshot->count == snapshot->room) {
		size_t room = snapshot->room ? snapshot->room * 2 : 16;
		struct libbond_link **grown = realloc(snapshot->links, room * sizeof(struct libbond_link *));
		if (!grown)
			return -ENOMEM;
		snapshot->links = grown;
		snapshot->room = room;
	}
	struct libbond_link *link = calloc(1, sizeof(*link) + NLMSG_ALIGN(nlh->nlmsg_len));
	if (!link)
		return -ENOMEM;
	memcpy(link->message, nlh, nlh->nlmsg_len);
	link->snapshot = snapshot;
	index_link(link);
	snapshot->links[snapshot->count++] = link;
	return 0;
}

void lb_snapshot_clear(struct libbond_snapshot *snapshot)
{
	for (size_t i = 0; i < snapshot->count; i++)
		free(snapshot->links[i]);
	snapshot->count = 0;
}

void libbond_snapshot_free(struct libbond_snapshot *snapshot)
{
	if (!snapshot)
		return;
	lb_snapshot_clear(snapshot);
	free(snapshot->links);
	free(snapshot->bonds);
	free(snapshot->ports);
	free(snapshot);
}

/* --- finishing --- */

static int by_index(const void *a, const void *b)
{
	const struct libbond_link *left = *(struct libbond_link *const *)a;
	const struct libbond_link *right = *(struct libbond_link *const *)b;
	return left->ifindex < right->ifindex ? -1 : left->ifindex > right->ifindex;
}

static int by_master(const void *a, const void *b)
{
	const struct libbond_link *left = *(struct libbond_link *const *)a;
	const struct libbond_link *right = *(struct libbond_link *const *)b;
	if (left->master != right->master)
		return left->master < right->master ? -1 : 1;
	return by_index(a, b);
}

/* A link that came in two dumps, as a bond that is a slave of another does, stays once. */
static void drop_doubles(struct libbond_snapshot *snapshot)
{
	size_t kept = 0;
	for (size_t i = 0; i < snapshot->count; i++) {
		if (kept && snapshot->links[kept - 1]->ifindex == snapshot->links[i]->ifindex)
			free(snapshot->links[i]);
		else
			snapshot->links[kept++] = snapshot->links[i];
	}
	snapshot->count = kept;
}

static void find_ports(struct libbond_snapshot *snapshot, struct libbond_link *bond)
{
	size_t low = 0, high = snapshot->port_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (snapshot->ports[middle]->master < bond->ifindex)
			low = middle + 1;
		else
			high = middle;
	}
	bond->first_port = low;
	while (low < snapshot->port_count && snapshot->ports[low]->master == bond->ifindex)
		low++;
	bond->port_count = low - bond->first_port;
}

int lb_snapshot_finish(struct libbond_snapshot *snapshot)
{
	if (snapshot->count == 0)
		return 0;
	snapshot->bonds = calloc(snapshot->count, sizeof(struct libbond_link *));
	snapshot->ports = calloc(snapshot->count, sizeof(struct libbond_link *));
	if (!snapshot->bonds || !snapshot->ports)
		return -ENOMEM;
	qsort(snapshot->links, snapshot->count, sizeof(struct libbond_link *), by_index);
	drop_doubles(snapshot);
	for (size_t i = 0; i < snapshot->count; i++) {
		struct libbond_link *link = snapshot->links[i];
		if (link->is_bond)
			snapshot->bonds[snapshot->bond_count++] = link;
		if (link->master)
			snapshot->ports[snapshot->port_count++] = link;
	}
	qsort(snapshot->ports, snapshot->port_count, sizeof(struct libbond_link *), by_master);
	for (size_t i = 0; i < snapshot->count; i++)
		if (snapshot->links[i]->is_bond)
			find_ports(snapshot, snapshot->links[i]);
	return 0;
}

/* --- questions about the snapshot --- */

int libbond_snapshot_driver(const struct libbond_snapshot *snapshot)
{
	return snapshot->bond_count ? 1 : snapshot->driver;
}

size_t libbond_snapshot_bonds(const struct libbond_snapshot *snapshot)
{
	return snapshot->bond_count;
}

const struct libbond_link *libbond_snapshot_bond(const struct libbond_snapshot *snapshot, size_t i)
{
	return i < snapshot->bond_count ? snapshot->bonds[i] : NULL;
}

size_t libbond_snapshot_links(const struct libbond_snapshot *snapshot)
{
	return snapshot->count;
}

const struct libbond_link *libbond_snapshot_link(const struct libbond_snapshot *snapshot, size_t i)
{
	return i < snapshot->count ? snapshot->links[i] : NULL;
}

const struct libbond_link *libbond_snapshot_by_index(const struct libbond_snapshot *snapshot, unsigned ifindex)
{
	const struct libbond_link wanted = {.ifindex = ifindex}, *key = &wanted;
	struct libbond_link **found = snapshot->count ? bsearch(&key, snapshot->links, snapshot->count,
	                                                        sizeof(struct libbond_link *), by_index)
	                                              : NULL;
	return found ? *found : NULL;
}

const struct libbond_link *libbond_snapshot_by_name(const struct libbond_snapshot *snapshot, const char *name)
{
	for (size_t i = 0; i < snapshot->count; i++)
		if (lb_link_answers_to(snapshot->links[i], name))
			return snapshot->links[i];
	return NULL;
}
