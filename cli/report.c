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

struct json_object *report_json_of(const struct libbond_report *report,
                                   bool (*keep)(const struct libbond_report_line *line))
{
	struct json_object *changes = json_object_new_array();
	struct libbond_report_line line;

	for (size_t i = 0; report && libbond_report_line(report, i, &line) == 0; i++)
		if (!keep || keep(&line))
			json_object_array_add(changes, json_of_line(&line));
	return changes;
}

struct json_object *report_json(const struct libbond_report *report)
{
	return report_json_of(report, NULL);
}

static const char *heading_of(const struct libbond_report_line *line)
{
	/* what has been put back is no change: it is as it was */
	bool put_back = strcmp(line->action, "put_back") == 0;
	switch (line->outcome) {
	case LIBBOND_OUTCOME_APPLIED:
		return put_back ? NULL : "stays done";
	case LIBBOND_OUTCOME_UNVERIFIED:
		return "not known whether done";
	case LIBBOND_OUTCOME_LOST:
		return "lost";
	default:
		return NULL;
	}
}

void report_print_left(const struct libbond_report *report)
{
	struct libbond_report_line line;
	char device[SAFE_SIZE], value[SAFE_SIZE];

	for (size_t i = 0; report && libbond_report_line(report, i, &line) == 0; i++) {
		const char *heading = heading_of(&line);
		if (!heading)
			continue;
		output_safe(line.device, device);
		output_safe(line.value, value);
		if (line.attr)
			fprintf(stderr, "  %s: %s %s on %s\n", heading, libbond_attr_name(line.attr), value, device);
		else if (line.outcome == LIBBOND_OUTCOME_LOST)
			fprintf(stderr, "  %s: %s%s%s\n", heading, value, *value ? " on " : "", device);
		else
			fprintf(stderr, "  %s: %s %s\n", heading, line.action, device);
	}
}

/* "eth0: lost: address 192.0.2.1/24", "bond0: arp_validate is now none: the mode resets it" */
static void print_loss(const struct libbond_report_line *line, const char *device, const char *note)
{
	char value[SAFE_SIZE];
	output_note("%s: %s%s%s%s%s", device, line->attr ? libbond_attr_name(line->attr) : "lost:",
	            !line->attr    ? " "
	            : *line->value ? " is now "
	                           : "",
	            output_safe(line->value, value), *note ? ": " : "", note);
}

void report_print_notes_of(const struct libbond_report *report, bool (*keep)(const struct libbond_report_line *line))
{
	struct libbond_report_line line;
	char device[SAFE_SIZE], note[SAFE_SIZE];

	for (size_t i = 0; report && libbond_report_line(report, i, &line) == 0; i++) {
		if (keep && !keep(&line))
			continue;
		output_safe(line.device, device);
		output_safe(line.note, note);
		if (line.outcome == LIBBOND_OUTCOME_LOST)
			print_loss(&line, device, note);
		else if (*note)
			output_note("%s%s%s: %s", device, line.attr ? ": " : "",
			            line.attr ? libbond_attr_name(line.attr) : "", note);
	}
}

void report_print_notes(const struct libbond_report *report)
{
	report_print_notes_of(report, NULL);
}
