/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keeps the beginning of what a child writes. Sits under keeper.c, which fills it, and child.c, which reads it.
 */
#include "lab/kept.h"

#include <stdlib.h>
#include <string.h>

#define ROOM_START 4096

/* 0 if "need" bytes and a NUL fit. */
static int make_room(struct lab_kept *kept, size_t need)
{
	size_t room = kept->room ? kept->room : ROOM_START;

	while (room <= need)
		room *= 2;
	if (room == kept->room)
		return 0;
	char *data = realloc(kept->data, room);
	if (!data)
		return -1;
	kept->data = data;
	kept->room = room;
	return 0;
}

void lab_kept_add(struct lab_kept *kept, const char *bytes, size_t count)
{
	size_t left = kept->bound - kept->length;
	size_t take = count < left ? count : left;

	kept->total += count;
	if (take == 0)
		return;
	if (make_room(kept, kept->length + take) < 0) {
		kept->bound = kept->length; /* a hole in the middle would be worse than an early end */
		return;
	}
	memcpy(kept->data + kept->length, bytes, take);
	kept->length += take;
	kept->data[kept->length] = '\0';
}

size_t lab_kept_copy(const struct lab_kept *kept, size_t offset, void *buffer, size_t size)
{
	if (offset >= kept->length)
		return 0;
	size_t left = kept->length - offset;
	size_t count = left < size ? left : size;
	memcpy(buffer, kept->data + offset, count);
	return count;
}

void lab_kept_free(struct lab_kept *kept)
{
	free(kept->data);
	kept->data = NULL;
	kept->length = kept->room = 0;
}
