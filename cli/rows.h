/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rows of a scope in listing order, worked out once: renderers go over them for every bond and slave. */
#ifndef ROWS_H
#define ROWS_H

#include "libbond.h"

/* Ends with NULL. */
const struct libbond_attr *const *rows_of(enum libbond_scope scope);

#endif
