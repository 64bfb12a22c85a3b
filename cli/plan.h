/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A plan, before it is run: what it changes, by which steps, and at what cost. */
#ifndef PLAN_H
#define PLAN_H

#include <json-c/json.h>

#include "libbond.h"

/* For a person, on standard output. */
void plan_print(const struct libbond_plan *plan, const struct libbond_report *report);
/* Only what changes, one line each. */
void plan_print_changes(const struct libbond_plan *plan, const struct libbond_report *report);
/* {"steps": [...]} */
struct json_object *plan_json(const struct libbond_plan *plan);
/* The lines of the report that are changes, as an array. */
struct json_object *plan_json_changes(const struct libbond_report *report);

#endif
