/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The row of the one attribute table, as the library sees it. attr-table.c holds the rows, attr.c finds
 * and reads them; everything else in the tree goes by row.
 */
#ifndef LB_ATTR_H
#define LB_ATTR_H

#include <stdbool.h>
#include <stdint.h>

#include "libbond.h"
#include "numbers.h"

enum lb_mode {
	LB_MODE_RR,
	LB_MODE_ACTIVE_BACKUP,
	LB_MODE_XOR,
	LB_MODE_BROADCAST,
	LB_MODE_8023AD,
	LB_MODE_TLB,
	LB_MODE_ALB
};

#define LB_FAIL_OVER_MAC_ACTIVE 1

/* How a scalar travels. Lists, MAC addresses and nests have one shape each, given by their type. */
enum lb_wire {
	LB_WIRE_NONE,
	LB_WIRE_U8,
	LB_WIRE_U16,
	LB_WIRE_U32,
	LB_WIRE_S32,
	LB_WIRE_FLAG /* a bit of ifi_flags; the row's number is 0 */
};

struct lb_word {
	const char *name;
	int64_t number;
};

struct libbond_attr {
	const char *name;
	const char *const *aliases;  /* NULL-terminated, or NULL */
	const struct lb_word *alone; /* words that stand for the row and a value, ends with a NULL name */
	uint16_t type;               /* enum libbond_type */
	uint16_t wire;               /* enum lb_wire */
	int64_t min, max;
	const struct lb_word *words; /* ends with a NULL name, or NULL */
	const char *unit;
	const char *def;
	uint8_t modes;    /* bit set: where it may be set */
	uint8_t effect;   /* bit set: where it does something */
	uint8_t order;    /* position in the driver's processing order, 0 for what it does not process */
	uint8_t presence; /* enum libbond_presence */
	uint16_t flags;   /* enum libbond_attr_flag */
	const char *since;
	const char *summary;
	const char *text;
};

/* One scope of the table: rows indexed by the kernel's number, so that a row's scope and number are where
 * it stands; a row without a name is a gap. */
struct lb_scope {
	const struct libbond_attr *rows;
	unsigned count;
};
extern const struct lb_scope lb_scopes[LIBBOND_SCOPES];

/* Bytes a scalar takes on the wire, 0 for what has no fixed size. */
unsigned lb_wire_size(const struct libbond_attr *attr);
/* True if the row is one of these modes' business. */
bool lb_attr_in_mode(unsigned modes, unsigned mode);
/* Rows that code needs by name: reading the state that the checks judge by. */
const struct libbond_attr *lb_bond_attr(unsigned number);
const struct libbond_attr *lb_slave_attr(unsigned number);
const struct libbond_attr *lb_link_attr(unsigned number);
/* Order in which rows are listed and sent: the driver's, then the number. */
int lb_attr_compare(const struct libbond_attr *a, const struct libbond_attr *b);

#endif
