/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds rows of the attribute table by name, number and order, and tells what they say. Sits between
 * attr-table.c and everything that works by row.
 */
#include <limits.h>
#include <string.h>

#include "attr.h"

static bool is_row(const struct libbond_attr *attr)
{
	return attr->name != NULL;
}

const struct libbond_attr *libbond_attr_number(enum libbond_scope scope, unsigned number)
{
	if ((unsigned)scope >= LIBBOND_SCOPES || number >= lb_scopes[scope].count)
		return NULL;
	const struct libbond_attr *attr = &lb_scopes[scope].rows[number];
	return is_row(attr) ? attr : NULL;
}

static bool has_alias(const struct libbond_attr *attr, const char *name)
{
	for (const char *const *alias = attr->aliases; alias && *alias; alias++)
		if (strcmp(*alias, name) == 0)
			return true;
	return false;
}

const struct libbond_attr *libbond_attr_find(enum libbond_scope scope, const char *name)
{
	if ((unsigned)scope >= LIBBOND_SCOPES || !name)
		return NULL;
	for (unsigned i = 0; i < lb_scopes[scope].count; i++) {
		const struct libbond_attr *attr = &lb_scopes[scope].rows[i];
		if (is_row(attr) && (strcmp(attr->name, name) == 0 || has_alias(attr, name)))
			return attr;
	}
	return NULL;
}

const struct libbond_attr *libbond_attr_alone(enum libbond_scope scope, const char *word, const char **value)
{
	if ((unsigned)scope >= LIBBOND_SCOPES || !word)
		return NULL;
	for (unsigned i = 0; i < lb_scopes[scope].count; i++) {
		const struct libbond_attr *attr = &lb_scopes[scope].rows[i];
		for (const struct lb_word *w = attr->alone; w && w->name; w++) {
			if (strcmp(w->name, word) != 0)
				continue;
			if (value)
				*value = attr->type == LIBBOND_TYPE_LINK ? "none" : w->number ? "on" : "off";
			return attr;
		}
	}
	return NULL;
}

const char *libbond_attr_alone_word(const struct libbond_attr *attr, size_t i)
{
	const struct lb_word *w = attr->alone;
	while (w && w->name && i--)
		w++;
	return w ? w->name : NULL;
}

/* Place of row i in the order in which rows are listed and sent: the driver's, then the number. */
static unsigned rank(const struct libbond_attr *rows, unsigned i)
{
	return (rows[i].order ? rows[i].order : UINT8_MAX) << 8 | i;
}

int lb_attr_compare(const struct libbond_attr *a, const struct libbond_attr *b)
{
	enum libbond_scope sa = libbond_attr_scope(a), sb = libbond_attr_scope(b);
	if (sa != sb)
		return sa < sb ? -1 : 1;
	const struct libbond_attr *rows = lb_scopes[sa].rows;
	return (int)rank(rows, (unsigned)(a - rows)) - (int)rank(rows, (unsigned)(b - rows));
}

const struct libbond_attr *libbond_attr_next(enum libbond_scope scope, const struct libbond_attr *after)
{
	const unsigned none = UINT_MAX;
	unsigned best = none;
	if ((unsigned)scope >= LIBBOND_SCOPES)
		return NULL;
	const struct libbond_attr *rows = lb_scopes[scope].rows;
	unsigned last = after ? rank(rows, (unsigned)(after - rows)) : 0;
	for (unsigned i = 0; i < lb_scopes[scope].count; i++) {
		if (!is_row(&rows[i]))
			continue;
		unsigned place = rank(rows, i);
		if (place > last && place < best)
			best = place;
	}
	return best == none ? NULL : &rows[best & UINT8_MAX];
}

enum libbond_scope libbond_attr_scope(const struct libbond_attr *attr)
{
	for (unsigned s = 0; s < LIBBOND_SCOPES; s++) {
		uintptr_t start = (uintptr_t)lb_scopes[s].rows;
		uintptr_t end = (uintptr_t)(lb_scopes[s].rows + lb_scopes[s].count);
		if ((uintptr_t)attr >= start && (uintptr_t)attr < end)
			return (enum libbond_scope)s;
	}
	return LIBBOND_SCOPES;
}

unsigned libbond_attr_id(const struct libbond_attr *attr)
{
	return (unsigned)(attr - lb_scopes[libbond_attr_scope(attr)].rows);
}

const char *libbond_attr_name(const struct libbond_attr *attr)
{
	return attr->name;
}

const char *libbond_attr_alias(const struct libbond_attr *attr, size_t i)
{
	const char *const *alias = attr->aliases;
	while (alias && *alias && i--)
		alias++;
	return alias ? *alias : NULL;
}

enum libbond_type libbond_attr_type(const struct libbond_attr *attr)
{
	return (enum libbond_type)attr->type;
}

int64_t libbond_attr_min(const struct libbond_attr *attr)
{
	return attr->min;
}

int64_t libbond_attr_max(const struct libbond_attr *attr)
{
	return attr->max;
}

const char *libbond_attr_word(const struct libbond_attr *attr, size_t i, int64_t *number)
{
	const struct lb_word *w = attr->words;
	while (w && w->name && i--)
		w++;
	if (!w || !w->name)
		return NULL;
	if (number)
		*number = w->number;
	return w->name;
}

const char *libbond_attr_unit(const struct libbond_attr *attr)
{
	return attr->unit ? attr->unit : "";
}

const char *libbond_attr_default(const struct libbond_attr *attr)
{
	return attr->def;
}

unsigned libbond_attr_modes(const struct libbond_attr *attr)
{
	return attr->modes;
}

unsigned libbond_attr_effect(const struct libbond_attr *attr)
{
	return attr->effect;
}

unsigned libbond_attr_flags(const struct libbond_attr *attr)
{
	return attr->flags;
}

enum libbond_presence libbond_attr_presence(const struct libbond_attr *attr)
{
	return (enum libbond_presence)attr->presence;
}

const char *libbond_attr_since(const struct libbond_attr *attr)
{
	return attr->since;
}

const char *libbond_attr_summary(const struct libbond_attr *attr)
{
	return attr->summary;
}

const char *libbond_attr_text(const struct libbond_attr *attr)
{
	return attr->text;
}

const char *libbond_mode_name(unsigned mode)
{
	for (const struct lb_word *w = lb_bond_attr(LB_BOND_MODE)->words; w->name; w++)
		if (w->number == (int64_t)mode)
			return w->name;
	return NULL;
}

unsigned lb_wire_size(const struct libbond_attr *attr)
{
	static const uint8_t sizes[] = {
		[LB_WIRE_U8] = 1, [LB_WIRE_U16] = 2, [LB_WIRE_U32] = 4, [LB_WIRE_S32] = 4, [LB_WIRE_FLAG] = 0,
	};
	return sizes[attr->wire];
}

bool lb_attr_in_mode(unsigned modes, unsigned mode)
{
	return mode < LIBBOND_MODES && (modes >> mode & 1);
}

const struct libbond_attr *lb_bond_attr(unsigned number)
{
	return libbond_attr_number(LIBBOND_SCOPE_BOND, number);
}

const struct libbond_attr *lb_slave_attr(unsigned number)
{
	return libbond_attr_number(LIBBOND_SCOPE_SLAVE, number);
}

const struct libbond_attr *lb_link_attr(unsigned number)
{
	return libbond_attr_number(LIBBOND_SCOPE_LINK, number);
}
