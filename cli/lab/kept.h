/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a stream said: the first bytes, up to a bound, and how many there were in all. */
#ifndef LAB_KEPT_H
#define LAB_KEPT_H

#include <stddef.h>
#include <stdint.h>

struct lab_kept {
	char *data; /* NULL, or "length" bytes and a NUL */
	size_t length, room;
	size_t bound;
	uint64_t total;
};

/* Take bytes. Where memory is short they are counted only, as those beyond the bound are. */
void lab_kept_add(struct lab_kept *kept, const char *bytes, size_t count);
/* Copy from offset on; how many bytes were copied. */
size_t lab_kept_copy(const struct lab_kept *kept, size_t offset, void *buffer, size_t size);
void lab_kept_free(struct lab_kept *kept);

#endif
