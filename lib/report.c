/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The report of a change: what became of each wanted value and each device. Written by the changes, read by
 * the caller.
 */
#include "report.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct line {
	char device[LIBBOND_ALTNAME_SIZE];
	const struct libbond_attr *attr;
	enum libbond_outcome outcome;
	const char *action;
	char *value, *was;
	bool beside;   /* of a thing that hangs on the device: found by its place alone */
	uint32_t hash; /* of those: what the line says */
	char note[256];
};

struct libbond_report {
	struct line *lines;
	size_t count;
	size_t *beside; /* places from 1 of such lines by their hash, the next free one where it is taken; 0: free */
	size_t beside_count, beside_room; /* the room is a power of two, and at most half full */
};

const char *libbond_outcome_name(enum libbond_outcome outcome)
{
	static const char *const names[] = {"applied",   "unchanged",   "unverified", "refused", "ignored",
	                                    "not_tried", "rolled_back", "overridden", "lost"};
	return (unsigned)outcome < sizeof(names) / sizeof(names[0]) ? names[outcome] : "unknown";
}

int libbond_report_new(struct libbond_report **out)
{
	struct libbond_report *report = calloc(1, sizeof(*report));
	if (!report)
		return -ENOMEM;
	*out = report;
	return 0;
}

void libbond_report_free(struct libbond_report *report)
{
	if (!report)
		return;
	for (size_t i = 0; i < report->count; i++) {
		free(report->lines[i].value);
		free(report->lines[i].was);
	}
	free(report->lines);
	free(report->beside);
	free(report);
}

size_t libbond_report_count(const struct libbond_report *report)
{
	return report->count;
}

int libbond_report_line(const struct libbond_report *report, size_t i, struct libbond_report_line *out)
{
	if (i >= report->count)
		return -ENOENT;
	const struct line *line = &report->lines[i];
	*out = (struct libbond_report_line){
		.device = line->device,
		.attr = line->attr,
		.outcome = line->outcome,
		.action = line->action,
		.value = line->value ? line->value : "",
		.was = line->was ? line->was : "",
		.note = line->note,
	};
	return 0;
}

static struct line *add(struct libbond_report *report, const char *device, const char *action)
{
	struct line *grown = realloc(report->lines, (report->count + 1) * sizeof(*grown));
	if (!grown)
		return NULL;
	report->lines = grown;
	struct line *line = &grown[report->count++];
	memset(line, 0, sizeof(*line));
	snprintf(line->device, sizeof(line->device), "%s", device);
	line->action = action;
	line->outcome = LIBBOND_OUTCOME_NOT_TRIED;
	return line;
}

int lb_report_device(struct libbond_report *report, const char *device, const char *action)
{
	return !report || add(report, device, action) ? 0 : -ENOMEM;
}

/* The line of a row: what turns out to be lost replaces what was expected to be. */
static struct line *line_of(struct libbond_report *report, const char *device, const char *action,
                            const struct libbond_attr *attr)
{
	for (size_t i = 0; i < report->count; i++) {
		struct line *line = &report->lines[i];
		if (line->attr == attr && strcmp(line->action, action) == 0 && strcmp(line->device, device) == 0)
			return line;
	}
	struct line *line = add(report, device, action);
	if (line)
		line->attr = attr;
	return line;
}

/* Fill a line's texts. */
static int put_texts(struct line *line, const char *value, const char *was)
{
	free(line->value);
	free(line->was);
	line->value = strdup(value);
	line->was = strdup(was);
	return line->value && line->was ? 0 : -ENOMEM;
}

int lb_report_want(struct libbond_report *report, const char *device, const struct libbond_link *link,
                   const struct lb_want *want)
{
	return lb_report_value(report, device, "set", link, want);
}

int lb_report_value(struct libbond_report *report, const char *device, const char *action,
                    const struct libbond_link *link, const struct lb_want *want)
{
	char text[LIBBOND_TEXT_SIZE] = "", was[LIBBOND_TEXT_SIZE] = "";
	if (!report)
		return 0;
	struct line *line = line_of(report, device, action, want->attr);
	if (!line)
		return -ENOMEM;
	lb_want_text(want, text, sizeof(text));
	if (link && libbond_link_text(link, want->attr, was, sizeof(was)) < 0)
		was[0] = '\0';
	return put_texts(line, text, was);
}

int lb_report_lost(struct libbond_report *report, const char *device, const struct libbond_link *link,
                   const struct libbond_attr *attr)
{
	char was[LIBBOND_TEXT_SIZE] = "";
	if (!report)
		return 0;
	struct line *line = line_of(report, device, "lose", attr);
	if (!line)
		return -ENOMEM;
	if (libbond_link_text(link, attr, was, sizeof(was)) < 0)
		was[0] = '\0';
	return put_texts(line, "", was);
}

/* FNV-1a of what a line says: a host has a hundred thousand routes at times, and each is looked for among all. */
static uint32_t hash_of(const char *device, const char *action, const char *text)
{
	const char *const parts[] = {device, action, text};
	uint32_t hash = 2166136261u;

	for (size_t p = 0; p < 3; p++)
		for (const char *c = parts[p]; *c; c++)
			hash = (hash ^ (uint8_t)*c) * 16777619u;
	return hash;
}

/* Where such a line has its place in the index, or would have it. */
static size_t *beside_place(const struct libbond_report *report, uint32_t hash, const char *device,
                            const char *action, const char *text)
{
	size_t at = hash & (report->beside_room - 1);

	for (;; at = (at + 1) & (report->beside_room - 1)) {
		const struct line *there = report->beside[at] ? &report->lines[report->beside[at] - 1] : NULL;
		if (!there || (there->hash == hash && strcmp(there->device, device) == 0 &&
		               strcmp(there->action, action) == 0 && strcmp(there->value, text) == 0))
			return &report->beside[at];
	}
}

static int grow_beside(struct libbond_report *report)
{
	size_t room = report->beside_room ? report->beside_room * 2 : 64;
	size_t *grown;

	if (report->beside_count * 2 < report->beside_room)
		return 0;
	grown = calloc(room, sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	free(report->beside);
	report->beside = grown;
	report->beside_room = room;
	for (size_t i = 0; i < report->count; i++) {
		const struct line *line = &report->lines[i];
		if (line->beside)
			*beside_place(report, line->hash, line->device, line->action, line->value) = i + 1;
	}
	return 0;
}

int lb_report_beside(struct libbond_report *report, const char *device, const char *action, const char *text,
                     size_t *line)
{
	if (!report)
		return 0;
	if (grow_beside(report) < 0)
		return -ENOMEM;
	const uint32_t hash = hash_of(device, action, text);
	size_t *place = beside_place(report, hash, device, action, text);
	if (!*place) {
		struct line *added = add(report, device, action);
		if (!added)
			return -ENOMEM;
		if (put_texts(added, text, "") < 0)
			return -ENOMEM;
		added->beside = true;
		added->hash = hash;
		*place = report->count;
		report->beside_count++;
	}
	*line = *place - 1;
	return 0;
}

void lb_report_mark_line(struct libbond_report *report, size_t line, enum libbond_outcome outcome, const char *note)
{
	if (!report || line >= report->count)
		return;
	report->lines[line].outcome = outcome;
	if (note)
		snprintf(report->lines[line].note, sizeof(report->lines[line].note), "%s", note);
}

int lb_report_thing(struct libbond_report *report, const char *device, const char *action, const char *text,
                    enum libbond_outcome outcome, const char *note)
{
	size_t line = 0;

	if (lb_report_beside(report, device, action, text, &line) < 0)
		return -ENOMEM;
	lb_report_mark_line(report, line, outcome, note);
	return 0;
}

/* The last such line: a device that is named twice has two, and the one now at work is the later. */
static struct line *find(struct libbond_report *report, const char *device, const struct libbond_attr *attr)
{
	for (size_t i = report ? report->count : 0; i-- > 0;)
		if (report->lines[i].attr == attr && !report->lines[i].beside &&
		    strcmp(report->lines[i].device, device) == 0)
			return &report->lines[i];
	return NULL;
}

bool lb_report_has(struct libbond_report *report, const char *device, const struct libbond_attr *attr)
{
	return find(report, device, attr) != NULL;
}

void lb_report_mark(struct libbond_report *report, const char *device, const struct libbond_attr *attr,
                    enum libbond_outcome outcome)
{
	struct line *line = find(report, device, attr);
	if (line)
		line->outcome = outcome;
}

void lb_report_mark_action(struct libbond_report *report, const char *device, const struct libbond_attr *attr,
                           const char *action, enum libbond_outcome outcome)
{
	for (size_t i = 0; report && i < report->count; i++) {
		struct line *line = &report->lines[i];
		if (line->attr == attr && !line->beside && strcmp(line->device, device) == 0 &&
		    strcmp(line->action, action) == 0)
			line->outcome = outcome;
	}
}

enum libbond_outcome lb_outcome_of(const struct libbond_error *err)
{
	switch (err->cause) {
	case LIBBOND_CAUSE_MEMORY:
		return LIBBOND_OUTCOME_NOT_TRIED;
	case LIBBOND_CAUSE_SYSTEM:
	case LIBBOND_CAUSE_PROTOCOL:
	case LIBBOND_CAUSE_TIMEOUT:
		return LIBBOND_OUTCOME_UNVERIFIED;
	default:
		return LIBBOND_OUTCOME_REFUSED;
	}
}

void lb_report_turn(struct libbond_report *report, enum libbond_outcome from, enum libbond_outcome to)
{
	for (size_t i = 0; report && i < report->count; i++)
		if (report->lines[i].outcome == from)
			report->lines[i].outcome = to;
}

void lb_report_settle(struct libbond_report *report)
{
	for (size_t i = 0; report && i < report->count; i++) {
		struct line *line = &report->lines[i];
		if (line->outcome != LIBBOND_OUTCOME_NOT_TRIED)
			continue;
		if (strcmp(line->action, "lose") == 0)
			line->outcome = LIBBOND_OUTCOME_LOST;
		else if (strcmp(line->action, "put_back") == 0)
			line->outcome = LIBBOND_OUTCOME_APPLIED;
	}
}

void lb_report_note(struct libbond_report *report, const char *device, const struct libbond_attr *attr,
                    const char *format, ...)
{
	struct line *line = find(report, device, attr);
	va_list args;

	if (!line)
		return;
	size_t used = strlen(line->note);
	if (used)
		used += (size_t)snprintf(line->note + used, sizeof(line->note) - used, "; ");
	if (used >= sizeof(line->note))
		return;
	va_start(args, format);
	vsnprintf(line->note + used, sizeof(line->note) - used, format, args);
	va_end(args);
}
