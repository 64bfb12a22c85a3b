/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The bonds that show, list and stats are about: those named, or all of the namespace. */
#ifndef SELECT_H
#define SELECT_H

#include <json-c/json.h>

#include "args.h"

struct selection {
	const char **names;
	size_t count; /* 0: all */
};

/* Take the operands as names of bonds. STATUS_OK, or printed. Free with selection_free() in any case. */
int selection_read(struct selection *selection, struct args *args);
void selection_free(struct selection *selection);

/*
 * Read the bonds and call visit() for each, once all have been read. "flags" are LIBBOND_READ_*. Where all
 * are asked for and there is none, a note says so, and whether the driver is missing. Returns the status.
 */
int selection_visit(const struct selection *selection, struct context *context, unsigned flags,
                    void (*visit)(const struct libbond_link *bond, void *cookie), void *cookie);
/* The same, as JSON: one document for exactly one bond that is named, else an array of them. */
int selection_json(const struct selection *selection, struct context *context, unsigned flags,
                   struct json_object *(*render)(const struct libbond_link *bond));

#endif
