/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the library's rows of each scope in an array. Sits between libbond_attr_next(), which looks for each
 * next row, and the renderers, which with 256 bonds would ask it a million times.
 */
#include "rows.h"

#include <stddef.h>

#define ROWS_MAX 96

const struct libbond_attr *const *rows_of(enum libbond_scope scope)
{
	static const struct libbond_attr *rows[LIBBOND_SCOPES][ROWS_MAX + 1];

	if (!rows[scope][0]) {
		const struct libbond_attr *attr = NULL;
		for (size_t i = 0; i < ROWS_MAX && (attr = libbond_attr_next(scope, attr)); i++)
			rows[scope][i] = attr;
	}
	return rows[scope];
}
