/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a change did, or a plan will do, line by line: as JSON, and as what a person should know. */
#ifndef REPORT_H
#define REPORT_H

#include <json-c/json.h>
#include <stdbool.h>

#include "libbond.h"

/* All lines (none for NULL), or those for which keep() is true. */
struct json_object *report_json(const struct libbond_report *report);
struct json_object *report_json_of(const struct libbond_report *report,
                                   bool (*keep)(const struct libbond_report_line *line));
/* On standard error, after a failure: what took hold all the same, what is lost, and what nobody can tell. */
void report_print_left(const struct libbond_report *report);
/* On standard error, unless --quiet: notes, and what is lost. */
void report_print_notes(const struct libbond_report *report);
void report_print_notes_of(const struct libbond_report *report, bool (*keep)(const struct libbond_report_line *line));

#endif
