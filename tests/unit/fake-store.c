/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The links that the fake kernel has: attributes as bytes, devices and bonds as Linux 7.2 reports fresh ones. Sits
 * under fake.c, which answers from it, and fake-driver.c, which changes it.
 */
#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>

#include "fake-inner.h"
#include "unit.h"

/* --- attributes --- */

static struct nlattr *find_attr(const struct fake_attrs *attrs, unsigned number)
{
	for (size_t at = 0; at < attrs->length;) {
		struct nlattr *attr = (void *)(uintptr_t)(attrs->bytes + at);
		if ((attr->nla_type & NLA_TYPE_MASK) == number)
			return attr;
		at += NLA_ALIGN(attr->nla_len);
	}
	return NULL;
}

struct nlattr *fake_attr(const struct fake_link *link, enum libbond_scope scope, unsigned number)
{
	return find_attr(&link->attrs[scope], number);
}

uint32_t fake_number(const struct fake_link *link, enum libbond_scope scope, unsigned number)
{
	const struct nlattr *attr = fake_attr(link, scope, number);
	uint32_t value = 0;
	if (attr) /* of one, two or four bytes, of a little-endian machine */
		memcpy(&value, mnl_attr_get_payload(attr), mnl_attr_get_payload_len(attr));
	return value;
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
	link->random_address = false;
	link->own_mtu = link->place = 0;
	memset(link->ticks, 0, sizeof(link->ticks));
	link->pending[0] = '\0';
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

struct fake_link *fake_vlan(struct fake *fake, unsigned ifindex, const char *name, const struct fake_link *on,
                            bool loose)
{
	const unsigned lower = on->ifindex;
	const struct ifla_vlan_flags flags = {loose ? 4 : 1, ~0U}; /* VLAN_FLAG_LOOSE_BINDING, REORDER_HDR */
	struct fake_link *vlan = fake_device(fake, ifindex, name, IFF_UP);
	vlan->kind = "vlan";
	fake_u32(vlan, LIBBOND_SCOPE_LINK, FAKE_IFLA_LINK, lower);
	fake_u16(vlan, LIBBOND_SCOPE_BOND, IFLA_VLAN_ID, 10);
	fake_put(vlan, LIBBOND_SCOPE_BOND, IFLA_VLAN_FLAGS, &flags, sizeof(flags));
	return vlan;
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

unsigned fake_mode_of(const struct fake_link *bond)
{
	return fake_number(bond, LIBBOND_SCOPE_BOND, LB_BOND_MODE);
}

bool fake_is_shown(const struct fake_link *link, enum libbond_scope scope, unsigned number)
{
	return scope != LIBBOND_SCOPE_BOND || number < LB_BOND_AD_INFO || number > LB_BOND_AD_ACTOR_SYSTEM ||
	       !link->kind || strcmp(link->kind, "bond") != 0 || fake_mode_of(link) == LB_MODE_8023AD;
}

/* What only 802.3ad reports, to a reader with every privilege. */
void fake_put_lacp(struct fake_link *bond)
{
	static const uint8_t zero[6];
	static const uint8_t info[] = {6, 0, 1, 0, 1, 0, 0, 0, 6, 0, 2,  0, 1, 0, 0, 0, 6, 0, 3, 0, 15, 0,
	                               0, 0, 6, 0, 4, 0, 1, 0, 0, 0, 10, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0,  0};
	if (fake_attr(bond, LIBBOND_SCOPE_BOND, LB_BOND_AD_ACTOR_SYS_PRIO))
		return;
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
		fake_put_lacp(bond);
	bond->random_address = true;
	return bond;
}

void fake_join(struct fake_link *slave, unsigned master, unsigned mode)
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

void fake_leave(struct fake_link *slave)
{
	slave->flags &= ~(unsigned)(IFF_UP | IFF_SLAVE);
	slave->slave_kind = NULL;
	slave->attrs[LIBBOND_SCOPE_SLAVE].length = 0;
	fake_drop(slave, LIBBOND_SCOPE_LINK, LB_IFLA_MASTER);
}

struct fake_link *fake_slave(struct fake *fake, unsigned ifindex, const char *name, const struct fake_link *bond)
{
	struct fake_link *slave = fake_device(fake, ifindex, name, 0);
	fake_join(slave, bond->ifindex, fake_mode_of(bond));
	slave->own_mtu = fake_number(slave, LIBBOND_SCOPE_LINK, LB_IFLA_MTU);
	slave->place = ++fake->places;
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

struct fake_link *fake_find_index(struct fake *fake, unsigned ifindex)
{
	for (size_t i = 0; i < fake->link_count; i++)
		if (fake->links[i].ifindex == ifindex)
			return &fake->links[i];
	return NULL;
}

unsigned fake_master_of(const struct fake_link *link)
{
	return fake_number(link, LIBBOND_SCOPE_LINK, LB_IFLA_MASTER);
}

void fake_remove(struct fake *fake, unsigned ifindex)
{
	for (size_t i = 0; i < fake->link_count; i++)
		if (fake_master_of(&fake->links[i]) == ifindex)
			fake_release(fake, &fake->links[i]);
	for (size_t i = 0; i < fake->link_count; i++) {
		if (fake->links[i].ifindex != ifindex)
			continue;
		memmove(&fake->links[i], &fake->links[i + 1], (fake->link_count - i - 1) * sizeof(fake->links[0]));
		fake->link_count--;
	}
	fake_records_drop(fake, ifindex);
	for (size_t i = 0; i < fake->link_count; i++) /* VLAN devices go with what they are on */
		if (fake_number(&fake->links[i], LIBBOND_SCOPE_LINK, FAKE_IFLA_LINK) == ifindex) {
			fake_remove(fake, fake->links[i].ifindex);
			i = (size_t)-1;
		}
}

void fake_deafen(struct fake *fake, enum libbond_scope scope, unsigned number)
{
	assert_true(fake->deaf_count < FAKE_DEAF);
	fake->deaf[fake->deaf_count].scope = scope;
	fake->deaf[fake->deaf_count++].number = number;
	for (size_t i = 0; i < fake->link_count; i++)
		fake_drop(&fake->links[i], scope, number);
}

bool fake_is_deaf(const struct fake *fake, enum libbond_scope scope, unsigned number)
{
	for (size_t i = 0; i < fake->deaf_count; i++)
		if (fake->deaf[i].scope == scope && fake->deaf[i].number == number)
			return true;
	return false;
}
