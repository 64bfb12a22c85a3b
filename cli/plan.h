/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A plan, before it is run: what it changes, by which steps, and at what cost. */
#ifndef PLAN_H
#define PLAN_H

#include <json-c/json.h>
#include <stddef.h>

#include "libbond.h"

/* For a person, on standard output. */
void plan_print(const struct libbond_plan *plan, const struct libbond_report *report);
/* Only what changes, one line each; not what cannot be compared. */
void plan_print_changes(const struct libbond_plan *plan, const struct libbond_report *report);
/* How much changes, and how much cannot be compared, since the kernel withholds it from this reader. The latter is
 * warned of. */
struct plan_differences {
	size_t known, withheld;
};
struct plan_differences plan_compare(const struct libbond_report *report);
/* {"steps": [...]} */
struct json_object *plan_json(const struct libbond_plan *plan);
/* What plan_print_changes() prints, as an array. */
struct json_object *plan_json_changes(const struct libbond_report *report);

#endif
