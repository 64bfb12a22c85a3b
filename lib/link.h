/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One link inside a snapshot: its message as it came, and where in it each row's attribute is. */
#ifndef LB_LINK_H
#define LB_LINK_H

#include "snapshot.h"

/* Attributes are aligned to 4 bytes, so that 16 bits of index reach 256 KiB into a message. 0: absent. */
typedef uint16_t lb_position;
#define LB_POSITION_UNIT 4

struct libbond_link {
	const struct libbond_snapshot *snapshot;
	unsigned ifindex, flags, master;
	const char *name, *kind;
	bool is_bond;
	size_t first_port, port_count; /* bonds: where in snapshot->ports */
	lb_position bond[LB_BOND_COUNT], ad_info[LB_AD_INFO_COUNT], slave[LB_SLAVE_COUNT], link[LB_IFLA_COUNT];
	lb_position nest[LIBBOND_SCOPES]; /* the attribute that holds the scope */
	_Alignas(8) char message[];
};

/* The index of a scope, by attribute number. */
lb_position *lb_link_index(struct libbond_link *link, enum libbond_scope scope);
const lb_position *lb_link_index_const(const struct libbond_link *link, enum libbond_scope scope);
/* The attribute at a position, NULL for 0. */
const struct nlattr *lb_link_at(const struct libbond_link *link, lb_position at);
/* True if the payload is a string with its NUL. */
bool lb_attr_is_text(const struct nlattr *attr);

#endif
