/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Says what an undo could not bring back, thing by thing. Sits between undo.c and the report.
 */
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "undo.h"
#include "verify.h"

bool lb_was_at_stake(const struct libbond_plan *plan, const struct lb_record *record)
{
	const struct lb_device *device = lb_plan_find(plan, record->ifindex);
	bool below = device->on && (device->on->touched || device->on->moved);

	return device->touched || device->moved || device->regrouped || below;
}

/* A thing that could not be undone, as a line of its own; the first is the hint as well. */
static void tell_thing(const struct libbond_plan *plan, const char *device, const char *text, bool *told,
                       struct libbond_error *err)
{
	size_t line;

	if (lb_report_beside(plan->report, device, "lose", text, &line) == 0)
		lb_report_mark_line(plan->report, line, LIBBOND_OUTCOME_LOST, "could not be undone");
	if (!*told)
		lb_fail_hint(err, "not all of it could be undone: %s: %.160s", device, text);
	*told = true;
}

/* The same of a value: what it is now. */
static void tell_value(const struct libbond_plan *plan, const struct lb_step *step, const struct lb_want *want,
                       bool *told, struct libbond_error *err)
{
	const struct lb_device *device = lb_plan_find(plan, step->device->ifindex);
	const struct libbond_link *now = step->device->link;
	char text[LIBBOND_TEXT_SIZE] = "";
	struct lb_want left = {.attr = want->attr};

	if (now)
		libbond_link_text(now, want->attr, text, sizeof(text));
	snprintf(left.link, sizeof(left.link), "%.*s", want->attr->type == LIBBOND_TYPE_LINK ? 100 : 0, text);
	if (now && device && lb_link_value(now, want->attr, &left.value) == 0)
		lb_report_value(plan->report, device->name, "lose", device->link, &left);
	lb_report_mark(plan->report, step->device->name, want->attr, LIBBOND_OUTCOME_LOST);
	lb_report_note(plan->report, step->device->name, want->attr, "could not be undone");
	if (!*told)
		lb_fail_hint(err, "not all of it could be undone: %s of %s is %.64s", want->attr->name,
		             step->device->name, text);
	*told = true;
}

static void tell_step(const struct libbond_plan *plan, const struct lb_step *step, bool *told,
                      struct libbond_error *err)
{
	const struct lb_want up = {.attr = lb_link_attr(LB_IFLA_UP)};
	char text[LB_RECORD_TEXT];

	switch (step->kind) {
	case LB_STEP_UP:
	case LB_STEP_DOWN:
		tell_value(plan, step, &up, told, err);
		return;
	case LB_STEP_ENSLAVE:
		snprintf(text, sizeof(text), "its place in %.32s", step->bond->name);
		break;
	case LB_STEP_RELEASE:
		snprintf(text, sizeof(text), "it is a slave of %.32s still", step->bond->name);
		break;
	case LB_STEP_CREATE:
		snprintf(text, sizeof(text), "it is deleted");
		break;
	case LB_STEP_DELETE:
		snprintf(text, sizeof(text), "it is there still");
		break;
	default:
		for (size_t w = 0; step->config && w < step->config->count; w++)
			tell_value(plan, step, &step->config->wants[w], told, err);
		return;
	}
	tell_thing(plan, step->device->name, text, told, err);
}

/* What is still not as it was: the steps that the way back would have. */
void lb_tell_left(const struct libbond_plan *plan, const struct libbond_plan *back, struct libbond_error *err)
{
	bool told = false;

	for (size_t i = 0; i < back->step_count; i++)
		tell_step(plan, &back->steps[i], &told, err);
}

/* Devices that went with a bond and are not made again. */
static bool tell_gone(const struct libbond_plan *plan, const struct libbond_snapshot *now, struct libbond_error *err)
{
	bool told = false;
	for (size_t i = 0; i < plan->count; i++) {
		const struct lb_device *device = plan->devices[i];
		if (device->on && device->on->deletes && device->on->touched &&
		    !libbond_snapshot_by_index(now, device->ifindex))
			tell_thing(plan, device->name, "device", &told, err);
	}
	return told;
}

/* What hung on the devices and could not be made again. */
void lb_tell_missing(struct libbond *handle, const struct libbond_plan *plan, struct libbond_error *err)
{
	struct lb_records now = {0};
	bool told = *err->hint;
	int rc = lb_records_now(handle, plan, &now, NULL);

	for (size_t i = 0; rc == 0 && i < plan->records.count; i++) {
		const struct lb_record *record = plan->records.records[i];
		char text[LB_RECORD_TEXT];
		if (lb_was_at_stake(plan, record) && !lb_records_find(&now, record))
			tell_thing(plan, lb_plan_find(plan, record->ifindex)->name, lb_record_text(record, text),
			           &told, err);
	}
	lb_records_free(&now);
}

/* A value of the change that is not back stays done: by what is, not by what was tried. */
static void tell_kept(const struct libbond_plan *plan, const struct libbond_snapshot *now)
{
	for (size_t i = 0; i < plan->count; i++) {
		const struct lb_device *device = plan->devices[i];
		const struct libbond_link *link = libbond_snapshot_by_index(now, device->ifindex);
		for (size_t w = 0; link && device->link && w < device->work.config->count; w++) {
			const struct lb_want *want = &device->work.config->wants[w];
			struct lb_value then = {0};
			lb_link_value(device->link, want->attr, &then);
			if (lb_verify_holds(want, link) && !lb_same_value(want->attr, &then, &want->value))
				lb_report_mark_action(plan->report, device->name, want->attr, "set",
				                      LIBBOND_OUTCOME_APPLIED);
		}
	}
}

/* An empty bond's address that was random is another one now. */
static void tell_random(const struct libbond_plan *plan, const struct libbond_snapshot *now)
{
	struct lb_want want = {.attr = lb_link_attr(LB_IFLA_ADDRESS)};

	for (size_t i = 0; i < plan->count; i++) {
		const struct lb_device *bond = plan->devices[i];
		const struct libbond_link *link = libbond_snapshot_by_index(now, bond->ifindex);
		if (!bond->random || !link || lb_link_value(link, want.attr, &want.value) < 0 ||
		    lb_report_value(plan->report, bond->name, "lose", bond->link, &want) < 0)
			continue;
		lb_report_mark(plan->report, bond->name, want.attr, LIBBOND_OUTCOME_LOST);
		lb_report_note(plan->report, bond->name, want.attr, "was random, and is drawn anew");
	}
}

static void order_text(const struct libbond_link *bond, char *buf, size_t size)
{
	size_t used = 0;
	buf[0] = '\0';
	for (size_t i = 0; i < libbond_link_slaves(bond) && used < size; i++)
		used += (size_t)snprintf(buf + used, size - used, "%s%s", i ? ", " : "",
		                         libbond_link_name(libbond_link_slave(bond, i)));
}

/* A slave that was out is the last now. */
static void tell_order(const struct libbond_plan *plan, const struct libbond_snapshot *now)
{
	for (size_t i = 0; i < plan->count; i++) {
		const struct lb_device *bond = plan->devices[i];
		const struct libbond_link *link = libbond_snapshot_by_index(now, bond->ifindex);
		char then[LIBBOND_TEXT_SIZE], is[LIBBOND_TEXT_SIZE], text[LIBBOND_TEXT_SIZE + 32];
		size_t line;
		if (!bond->is_bond || !bond->slaves_known || !bond->regrouped || !bond->link || !link)
			continue;
		order_text(bond->link, then, sizeof(then));
		order_text(link, is, sizeof(is));
		if (strcmp(then, is) == 0)
			continue;
		snprintf(text, sizeof(text), "order of its slaves: now %s", is);
		if (lb_report_beside(plan->report, bond->name, "lose", text, &line) == 0)
			lb_report_mark_line(plan->report, line, LIBBOND_OUTCOME_LOST, NULL);
	}
}

bool lb_tell_lasting(const struct libbond_plan *plan, const struct libbond_snapshot *now, struct libbond_error *err)
{
	tell_kept(plan, now);
	tell_order(plan, now);
	tell_random(plan, now);
	return tell_gone(plan, now, err);
}
