/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints the lines of a report. Sits between the library's reports and output.c, which frames them, and plan.c.
 */
#include "report.h"

#include <string.h>

#include "json.h"
#include "output.h"

static struct json_object *json_of_line(const struct libbond_report_line *line)
{
	struct json_object *change = json_object_new_object();
	json_add(change, "device", json_text_or_null(line->device));
	json_add(change, "action", json_object_new_string(line->action));
	json_add(change, "option", json_text_or_null(line->attr ? libbond_attr_name(line->attr) : NULL));
	json_add(change, "was", json_text_or_null(line->was));
	json_add(change, "value", json_text_or_null(line->value));
	json_add(change, "outcome", json_object_new_string(libbond_outcome_name(line->outcome)));
	json_add(change, "note", json_text_or_null(line->note));
	return change;
}

struct json_object *report_json_of(const struct libbond_report *report, report_filter *keep)
{
	struct json_object *changes = json_object_new_array();
	struct libbond_report_line line;

	for (size_t i = 0; report && libbond_report_line(report, i, &line) == 0; i++)
		if (!keep || keep(report, &line))
			json_object_array_add(changes, json_of_line(&line));
	return changes;
}

struct json_object *report_json(const struct libbond_report *report)
{
	return report_json_of(report, NULL);
}

/* --- what a change costs --- */

/* "none" for what can be none, else the other word. */
static const char *none_or(const struct libbond_attr *attr, const char *other)
{
	switch (libbond_attr_type(attr)) {
	case LIBBOND_TYPE_LINK:
	case LIBBOND_TYPE_IP4_LIST:
	case LIBBOND_TYPE_IP6_LIST:
		return "none";
	default:
		return other;
	}
}

const char *report_before(const struct libbond_report_line *line)
{
	return *line->was || !line->attr ? line->was : none_or(line->attr, "");
}

/* " mtu 1500 -> 1200"; what was to be put back has no other value, and a device without a name says nothing */
static void print_values(FILE *file, const struct libbond_report_line *line, const char *unknown)
{
	const bool lost = strcmp(line->action, "put_back") != 0;
	const char *was = lost ? report_before(line) : "", *is = line->value;
	char safe[SAFE_SIZE];

	if (!*is && *unknown)
		is = none_or(line->attr, unknown);
	if (*was && *was != '#')
		fprintf(file, " %s%s", output_safe(was, safe), *is ? " ->" : "");
	if (*is)
		fprintf(file, " %s", output_safe(is, safe));
}

void report_print_cost(FILE *file, const struct libbond_report_line *line, const char *unknown)
{
	char safe[SAFE_SIZE];

	fprintf(file, "%s:", output_safe(line->device, safe));
	if (line->attr)
		fprintf(file, " %s", libbond_attr_name(line->attr));
	if (line->attr)
		print_values(file, line, unknown);
	else if (*line->value)
		fprintf(file, " %s", output_safe(line->value, safe));
	if (*line->note)
		fprintf(file, " (%s)", output_safe(line->note, safe));
	fputc('\n', file);
}

/* --- after a failure --- */

/* Notes on what was asked for are made with the plan, and say what its step does; those on what goes with it are made
 * by what happens. */
static bool is_of_cost(const struct libbond_report_line *line)
{
	return strcmp(line->action, "put_back") == 0 || strcmp(line->action, "lose") == 0;
}

/* What may have been lost, and nobody can tell. */
static bool is_unknown(const struct libbond_report_line *line)
{
	return line->outcome == LIBBOND_OUTCOME_UNVERIFIED && strcmp(line->action, "lose") == 0;
}

/* Whether the device was made by the change, and is not there any more. */
static bool is_unmade(const struct libbond_report *report, const char *device)
{
	struct libbond_report_line line;
	for (size_t i = 0; libbond_report_line(report, i, &line) == 0; i++)
		if (strcmp(line.action, "create") == 0 && strcmp(line.device, device) == 0)
			return line.outcome == LIBBOND_OUTCOME_ROLLED_BACK;
	return false;
}

/* What a line is printed under, NULL for those that say nothing of what is left. What the error is about it says. */
static const char *heading_of(const struct libbond_report *report, const struct libbond_report_line *line,
                              const struct libbond_error *err)
{
	/* what has been put back is no change: it is as it was */
	bool put_back = strcmp(line->action, "put_back") == 0;
	switch (line->outcome) {
	case LIBBOND_OUTCOME_APPLIED:
		return put_back ? NULL : "stays done";
	case LIBBOND_OUTCOME_UNVERIFIED:
		return is_unknown(line) ? "not known" : "not known whether done";
	case LIBBOND_OUTCOME_LOST:
		return "lost";
	case LIBBOND_OUTCOME_OVERRIDDEN:
		return (line->attr == err->attr && strcmp(line->device, err->device) == 0) ||
		                       is_unmade(report, line->device)
		               ? NULL
		               : "left to another program";
	default:
		return NULL;
	}
}

/* "miimon 50 on bond0", "address 192.0.2.1/24 on bond0", "enslave eth0" */
static void print_deed(const struct libbond_report_line *line)
{
	char device[SAFE_SIZE], value[SAFE_SIZE];

	output_safe(line->device, device);
	output_safe(line->value, value);
	if (line->attr)
		fprintf(stderr, "%s%s%s on %s", libbond_attr_name(line->attr), *value ? " " : "", value, device);
	else if (*value)
		fprintf(stderr, "%s on %s", value, device);
	else
		fprintf(stderr, "%s %s", line->action, device);
}

/* What another program has written is not what was wanted: "miimon on bond0", "the master of eth0", "bond0" */
static void print_others(const struct libbond_report_line *line)
{
	struct libbond_report_line subject = *line;
	const bool moves = strcmp(line->action, "enslave") == 0 || strcmp(line->action, "release") == 0;
	char device[SAFE_SIZE];

	if (line->attr)
		subject.value = "";
	if (line->attr || *line->value)
		print_deed(&subject);
	else
		fprintf(stderr, "%s%s", moves ? "the master of " : "", output_safe(line->device, device));
}

static void print_left(const struct libbond_report_line *line)
{
	const bool others = line->outcome == LIBBOND_OUTCOME_OVERRIDDEN;
	char note[SAFE_SIZE];

	if (others)
		print_others(line);
	else
		print_deed(line);
	if (*line->note && (!others || is_of_cost(line)))
		fprintf(stderr, " (%s)", output_safe(line->note, note));
	fputc('\n', stderr);
}

bool report_print_left(const struct libbond_report *report, const struct libbond_error *err)
{
	struct libbond_report_line line;
	bool any = false;

	for (size_t i = 0; report && libbond_report_line(report, i, &line) == 0; i++) {
		const char *heading = heading_of(report, &line, err);
		if (!heading)
			continue;
		any = true;
		fprintf(stderr, "  %s: ", heading);
		if (line.outcome == LIBBOND_OUTCOME_LOST)
			report_print_cost(stderr, &line, "");
		else
			print_left(&line);
	}
	return any;
}

/* --- notes --- */

/* "eth0: lost: address 192.0.2.1/24", "bond0: arp_validate is now none: the mode resets it" */
static void print_loss(const struct libbond_report_line *line, const char *device, const char *note)
{
	const bool is_now = line->attr && *line->value && strcmp(line->action, "put_back") != 0;
	char value[SAFE_SIZE];

	output_safe(line->value, value);
	if (is_now)
		output_note("%s: %s is now %s%s%s", device, libbond_attr_name(line->attr), value, *note ? ": " : "",
		            note);
	else
		output_note("%s: lost: %s%s%s%s%s", device, line->attr ? libbond_attr_name(line->attr) : "",
		            line->attr && *value ? " " : "", value, *note ? ": " : "", note);
}

/* "eth0: ends down", "bond0: updelay: the nearest multiple of miimon", "bond0: address 192.0.2.1/24: ..." */
static void print_note(const struct libbond_report_line *line)
{
	char device[SAFE_SIZE], value[SAFE_SIZE], note[SAFE_SIZE];
	const char *subject = line->attr ? libbond_attr_name(line->attr) : output_safe(line->value, value);

	if (strcmp(subject, "device") == 0) /* the device itself */
		subject = "";
	output_safe(line->device, device);
	output_safe(line->note, note);
	if (line->outcome == LIBBOND_OUTCOME_LOST)
		print_loss(line, device, note);
	else if (*note)
		output_note("%s: %s%s%s%s", device, is_unknown(line) ? "not known: " : "", subject,
		            *subject ? ": " : "", note);
}

void report_print_notes_of(const struct libbond_report *report, report_filter *keep)
{
	struct libbond_report_line line;
	for (size_t i = 0; report && libbond_report_line(report, i, &line) == 0; i++)
		if (!keep || keep(report, &line))
			print_note(&line);
}

void report_print_notes(const struct libbond_report *report)
{
	report_print_notes_of(report, NULL);
}

/* What a change would have meant is of no use any more. */
static bool says_what_is(const struct libbond_report_line *line)
{
	return line->outcome == LIBBOND_OUTCOME_APPLIED ||
	       (line->outcome == LIBBOND_OUTCOME_OVERRIDDEN && is_of_cost(line));
}

void report_print_other_notes(const struct libbond_report *report, const struct libbond_error *err)
{
	struct libbond_report_line line;
	for (size_t i = 0; report && libbond_report_line(report, i, &line) == 0; i++)
		if (says_what_is(&line) && !heading_of(report, &line, err))
			print_note(&line);
}
