/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Values to netlink attributes and back, one case a type. Sits between message.c (which builds requests),
 * snapshot.c (which reads what the kernel said) and value.h.
 */
#include <errno.h>
#include <string.h>

#include "value.h"

static bool put_scalar(const struct libbond_attr *attr, int64_t number, struct nlmsghdr *nlh, size_t limit)
{
	uint16_t type = (uint16_t)libbond_attr_id(attr);
	switch (attr->wire) {
	case LB_WIRE_U8:
		return mnl_attr_put_u8_check(nlh, limit, type, (uint8_t)number);
	case LB_WIRE_U16:
		return mnl_attr_put_u16_check(nlh, limit, type, (uint16_t)number);
	case LB_WIRE_U32:
	case LB_WIRE_S32:
		return mnl_attr_put_u32_check(nlh, limit, type, (uint32_t)number);
	default:
		return false;
	}
}

/* The driver walks list entries in order and ignores their types; it reports them numbered from 0. */
static bool put_list(const struct libbond_attr *attr, const struct lb_value *value, struct nlmsghdr *nlh,
                     size_t limit)
{
	bool ip4 = attr->type == LIBBOND_TYPE_IP4_LIST;
	struct nlattr *nest = mnl_attr_nest_start_check(nlh, limit, (uint16_t)libbond_attr_id(attr));
	if (!nest)
		return false;
	for (unsigned i = 0; i < value->count; i++) {
		const void *entry = ip4 ? (const void *)&value->ip4[i] : (const void *)&value->ip6[i];
		size_t length = ip4 ? sizeof(value->ip4[i]) : sizeof(value->ip6[i]);
		if (!mnl_attr_put_check(nlh, limit, (uint16_t)i, length, entry))
			return false;
	}
	mnl_attr_nest_end(nlh, nest);
	return true;
}

bool lb_value_put(const struct libbond_attr *attr, const struct lb_value *value, struct nlmsghdr *nlh, size_t limit)
{
	switch (attr->type) {
	case LIBBOND_TYPE_NUMBER:
	case LIBBOND_TYPE_BOOL:
	case LIBBOND_TYPE_WORD:
	case LIBBOND_TYPE_BITS:
	case LIBBOND_TYPE_LINK:
		return put_scalar(attr, value->number, nlh, limit);
	case LIBBOND_TYPE_MAC:
		return mnl_attr_put_check(nlh, limit, (uint16_t)libbond_attr_id(attr), value->count, value->mac);
	case LIBBOND_TYPE_IP4_LIST:
	case LIBBOND_TYPE_IP6_LIST:
		return put_list(attr, value, nlh, limit);
	default:
		return false;
	}
}

/* Longer than the type is accepted as the kernel accepts it: the leading bytes count. */
static int get_scalar(const struct libbond_attr *attr, const struct nlattr *nla, int64_t *number)
{
	const void *payload = mnl_attr_get_payload(nla);
	uint8_t u8;
	uint16_t u16;
	uint32_t u32;

	if (lb_wire_size(attr) == 0 || mnl_attr_get_payload_len(nla) < lb_wire_size(attr))
		return -EBADMSG;
	switch (attr->wire) {
	case LB_WIRE_U8:
		memcpy(&u8, payload, sizeof(u8));
		*number = u8;
		return 0;
	case LB_WIRE_U16:
		memcpy(&u16, payload, sizeof(u16));
		*number = u16;
		return 0;
	default:
		memcpy(&u32, payload, sizeof(u32));
		*number = attr->wire == LB_WIRE_S32 ? (int64_t)(int32_t)u32 : (int64_t)u32;
		return 0;
	}
}

static int get_list(const struct libbond_attr *attr, const struct nlattr *nla, struct lb_value *out)
{
	bool ip4 = attr->type == LIBBOND_TYPE_IP4_LIST;
	size_t length = ip4 ? sizeof(out->ip4[0]) : sizeof(out->ip6[0]);
	const struct nlattr *entry;

	out->count = 0;
	mnl_attr_for_each_nested (entry, nla) {
		if (mnl_attr_get_payload_len(entry) < length || out->count == LIBBOND_TARGETS_MAX)
			return -EBADMSG;
		void *to = ip4 ? (void *)&out->ip4[out->count] : (void *)&out->ip6[out->count];
		memcpy(to, mnl_attr_get_payload(entry), length);
		out->count++;
	}
	return 0;
}

int lb_value_get(const struct libbond_attr *attr, const struct nlattr *nla, struct lb_value *out)
{
	switch (attr->type) {
	case LIBBOND_TYPE_NUMBER:
	case LIBBOND_TYPE_BOOL:
	case LIBBOND_TYPE_WORD:
	case LIBBOND_TYPE_BITS:
	case LIBBOND_TYPE_LINK:
		out->count = 1;
		return get_scalar(attr, nla, &out->number);
	case LIBBOND_TYPE_MAC:
		if (mnl_attr_get_payload_len(nla) > LB_MAC_MAX)
			return -EBADMSG;
		out->count = mnl_attr_get_payload_len(nla);
		memcpy(out->mac, mnl_attr_get_payload(nla), out->count);
		return 0;
	case LIBBOND_TYPE_IP4_LIST:
	case LIBBOND_TYPE_IP6_LIST:
		return get_list(attr, nla, out);
	default:
		return -EBADMSG;
	}
}
