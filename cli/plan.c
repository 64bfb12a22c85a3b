/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints a plan: what changes from what to what, the steps with what they disturb, what is put back and what is lost.
 * Sits between libbond_plan() with its report and the terminal.
 */
#include "plan.h"

#include <string.h>

#include "json.h"
#include "output.h"
#include "report.h"

/* What is only set anew, since another option would reset it, is a step and no change. */
static bool is_change(const struct libbond_report *report, const struct libbond_report_line *line)
{
	(void)report;
	if (line->outcome != LIBBOND_OUTCOME_NOT_TRIED || strcmp(line->action, "put_back") == 0 ||
	    strcmp(line->action, "lose") == 0)
		return false;
	return !line->attr || strcmp(report_before(line), line->value) != 0;
}

/* Whether a bond is as it was before its mode: made, or given another, it has values that none can withhold. */
static bool keeps_mode(const struct libbond_report *report, const char *bond)
{
	const struct libbond_attr *mode = libbond_attr_find(LIBBOND_SCOPE_BOND, "mode");
	struct libbond_report_line line;

	for (size_t i = 0; libbond_report_line(report, i, &line) == 0; i++)
		if (strcmp(line.device, bond) == 0 && is_change(report, &line) &&
		    (line.attr == mode || strcmp(line.action, "create") == 0))
			return false;
	return true;
}

/* A change of what this reader is not shown: it may be so already. */
static bool is_withheld(const struct libbond_report *report, const struct libbond_report_line *line)
{
	return is_change(report, line) && line->attr && !*line->was &&
	       libbond_attr_presence(line->attr) == LIBBOND_PRESENT_PRIVILEGED && keeps_mode(report, line->device);
}

static bool is_known_change(const struct libbond_report *report, const struct libbond_report_line *line)
{
	return is_change(report, line) && !is_withheld(report, line);
}

/* What a change says beside is printed with it. */
static bool is_unchanged(const struct libbond_report *report, const struct libbond_report_line *line)
{
	(void)report;
	return line->outcome == LIBBOND_OUTCOME_UNCHANGED;
}

/* --- what changes --- */

/* The bond that a device joins or leaves is in the steps. */
static const char *bond_of(const struct libbond_plan *plan, const struct libbond_report_line *line)
{
	struct libbond_step step;
	for (size_t i = 0; libbond_plan_step(plan, i, &step) == 0; i++)
		if (strcmp(step.action, line->action) == 0 && strcmp(step.device, line->device) == 0)
			return step.bond;
	return "a bond";
}

static void print_device(const struct libbond_plan *plan, const struct libbond_report_line *line)
{
	static const struct {
		const char *action, *words;
		bool names_bond;
	} deeds[] = {
		{"create", "is created", false},
		{"delete", "is deleted", false},
		{"enslave", "becomes a slave of", true},
		{"release", "leaves", true},
	};
	char safe[SAFE_SIZE];

	for (size_t i = 0; i < sizeof(deeds) / sizeof(deeds[0]); i++)
		if (strcmp(deeds[i].action, line->action) == 0)
			printf(" %s%s%s", deeds[i].words, deeds[i].names_bond ? " " : "",
			       deeds[i].names_bond ? output_safe(bond_of(plan, line), safe) : "");
}

static void print_value(const struct libbond_report_line *line)
{
	char was[SAFE_SIZE], value[SAFE_SIZE];
	output_safe(report_before(line), was);
	printf(" %s %s%s%s", libbond_attr_name(line->attr), was, *was ? " -> " : "", output_safe(line->value, value));
}

static void print_changes(const struct libbond_plan *plan, const struct libbond_report *report, const char *indent,
                          report_filter *keep)
{
	struct libbond_report_line line;
	char safe[SAFE_SIZE];

	for (size_t i = 0; libbond_report_line(report, i, &line) == 0; i++) {
		if (!keep(report, &line))
			continue;
		printf("%s%s:", indent, output_safe(line.device, safe));
		if (line.attr)
			print_value(&line);
		else
			print_device(plan, &line);
		if (is_withheld(report, &line))
			printf(" (withheld: it may be so already)");
		printf(*line.note ? " (%s)\n" : "%s\n", output_safe(line.note, safe));
	}
	report_print_notes_of(report, is_unchanged);
}

void plan_print_changes(const struct libbond_plan *plan, const struct libbond_report *report)
{
	print_changes(plan, report, "", is_known_change);
}

struct plan_differences plan_compare(const struct libbond_report *report)
{
	struct plan_differences found = {0};
	struct libbond_report_line line;

	for (size_t i = 0; libbond_report_line(report, i, &line) == 0; i++) {
		found.known += is_known_change(report, &line);
		if (!is_withheld(report, &line))
			continue;
		found.withheld++;
		output_warning(line.device, libbond_attr_name(line.attr),
		               "%s: %s: withheld, so that it is not known whether it is %s", line.device,
		               libbond_attr_name(line.attr), line.value);
	}
	return found;
}

/* --- by which steps --- */

static void print_config(const struct libbond_config *config)
{
	char text[LIBBOND_TEXT_SIZE], safe[SAFE_SIZE];
	const struct libbond_attr *attr;

	for (size_t i = 0; config && (attr = libbond_config_attr(config, i)); i++) {
		libbond_config_text(config, attr, text, sizeof(text));
		printf("%s%s %s", i ? ", " : "", libbond_attr_name(attr), output_safe(text, safe));
	}
}

static void print_disruption(const struct libbond_step *step)
{
	const char *words = step->disruption == LIBBOND_SLAVES_OUT ? "slaves out" : "bond down";
	if (step->disruption == LIBBOND_LIVE)
		return;
	printf("  [%s%s%s]", words, step->because ? ": " : "", step->because ? libbond_attr_name(step->because) : "");
}

static void print_step(size_t number, const struct libbond_step *step)
{
	char device[SAFE_SIZE], bond[SAFE_SIZE], text[SAFE_SIZE];

	output_safe(step->device, device);
	output_safe(step->bond, bond);
	printf("  %zu. ", number);
	if (strcmp(step->action, "set") == 0 || strcmp(step->action, "create") == 0) {
		printf("%s %s%s", step->action, device,
		       step->config && libbond_config_count(step->config) ? ": " : "");
		print_config(step->config);
	} else if (strcmp(step->action, "up") == 0 || strcmp(step->action, "down") == 0) {
		printf("set %s %s", device, step->action);
	} else if (strcmp(step->action, "enslave") == 0) {
		printf("enslave %s to %s", device, bond);
	} else if (strcmp(step->action, "release") == 0) {
		printf("release %s from %s", device, bond);
	} else if (strcmp(step->action, "wait") == 0) {
		printf("wait until %s can carry traffic", device);
	} else if (strcmp(step->action, "put_back") == 0) {
		printf("put back on %s: %s", device, output_safe(step->text, text));
	} else {
		printf("%s %s", step->action, device);
	}
	print_disruption(step);
	printf("\n");
}

/* --- at what cost --- */

/* What the driver or the kernel draws by itself has no value yet. */
static void print_costs(const struct libbond_report *report, const char *action, const char *heading)
{
	struct libbond_report_line line;
	bool any = false;

	for (size_t i = 0; libbond_report_line(report, i, &line) == 0; i++) {
		if (strcmp(line.action, action) != 0)
			continue;
		printf("%s  ", any ? "" : heading);
		report_print_cost(stdout, &line, "not known beforehand");
		any = true;
	}
}

void plan_print(const struct libbond_plan *plan, const struct libbond_report *report)
{
	struct libbond_step step;

	if (libbond_plan_steps(plan) == 0)
		printf("nothing to change\n");
	else
		printf("Changes:\n");
	print_changes(plan, report, "  ", is_change);
	if (libbond_plan_steps(plan) > 0)
		printf("Steps:\n");
	for (size_t i = 0; libbond_plan_step(plan, i, &step) == 0; i++)
		print_step(i + 1, &step);
	print_costs(report, "put_back", "Put back afterwards:\n");
	print_costs(report, "lose", "Lost:\n");
}

/* --- JSON --- */

static struct json_object *json_of_config(const struct libbond_config *config)
{
	struct json_object *values = json_object_new_object();
	const struct libbond_attr *attr;

	for (size_t i = 0; config && (attr = libbond_config_attr(config, i)); i++)
		json_add(values, libbond_attr_name(attr), json_wanted(config, attr));
	return values;
}

struct json_object *plan_json(const struct libbond_plan *plan)
{
	static const char *const disruptions[] = {
		[LIBBOND_LIVE] = "live", [LIBBOND_BOND_DOWN] = "bond_down", [LIBBOND_SLAVES_OUT] = "slaves_out"};
	struct json_object *object = json_object_new_object(), *steps = json_object_new_array();
	struct libbond_step step;

	for (size_t i = 0; libbond_plan_step(plan, i, &step) == 0; i++) {
		struct json_object *one = json_object_new_object();
		json_add(one, "action", json_object_new_string(step.action));
		json_add(one, "device", json_text_or_null(step.device));
		json_add(one, "bond", json_text_or_null(step.bond));
		json_add(one, "values", json_of_config(step.config));
		json_add(one, "text", json_text_or_null(step.text));
		json_add(one, "disruption", json_object_new_string(disruptions[step.disruption]));
		json_add(one, "because", json_text_or_null(step.because ? libbond_attr_name(step.because) : NULL));
		json_object_array_add(steps, one);
	}
	json_add(object, "steps", steps);
	return object;
}

struct json_object *plan_json_changes(const struct libbond_report *report)
{
	return report_json_of(report, is_known_change);
}
