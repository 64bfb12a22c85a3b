/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a change did, or a plan will do, line by line: as JSON, and as what a person should know. */
#ifndef REPORT_H
#define REPORT_H

#include <json-c/json.h>
#include <stdbool.h>
#include <stdio.h>

#include "libbond.h"

/* Whether a line is wanted of a report. */
typedef bool report_filter(const struct libbond_report *report, const struct libbond_report_line *line);

/* All lines (none for NULL), or those for which keep() is true. */
struct json_object *report_json(const struct libbond_report *report);
struct json_object *report_json_of(const struct libbond_report *report, report_filter *keep);
/* What an option was: "none" for lists and interfaces that were so; "" where it was not told. */
const char *report_before(const struct libbond_report_line *line);
/* A line of something that is lost, or will be: "b0: mtu 1500 -> 1200 (note)", "b0: address 192.0.2.1/24". "unknown"
 * is printed for a value that is not told, unless it is "". */
void report_print_cost(FILE *file, const struct libbond_report_line *line, const char *unknown);
/* On standard error, after a failure: what took hold all the same, what is lost or left to others, and what nobody
 * can tell, each with its note. Whether there was any. */
bool report_print_left(const struct libbond_report *report, const struct libbond_error *err);
/* On standard error, unless --quiet: the notes that are left then. */
void report_print_other_notes(const struct libbond_report *report, const struct libbond_error *err);
/* On standard error, unless --quiet: notes, and what is lost. */
void report_print_notes(const struct libbond_report *report);
void report_print_notes_of(const struct libbond_report *report, report_filter *keep);

#endif
