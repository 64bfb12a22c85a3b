/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A last look at devices, in the very datagram that changes them: rtnetlink has no compare-and-set, but the kernel
 * answers requests one after another, so that a slave that another program has moved since the plan was made, or a
 * value that it has set, is at least noticed, and given back. Sits between send.c and the plan's devices.
 */
#include <errno.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <stdlib.h>

#include "effects.h"
#include "error.h"
#include "read.h"
#include "run.h"
#include "undo.h"

static struct lb_look *find_look(struct lb_looks *looks, const struct lb_device *device)
{
	for (size_t i = 0; i < looks->count; i++)
		if (looks->look[i].device == device)
			return &looks->look[i];
	return NULL;
}

static bool is_move(const struct lb_step *step)
{
	return step->kind == LB_STEP_RELEASE || step->kind == LB_STEP_ENSLAVE;
}

static bool is_changed(const struct lb_device *device)
{
	return device && (device->touched || device->moved || device->regrouped);
}

/* As a link it follows what it is on, that even when it likes. */
static bool is_free(const struct libbond_plan *plan, const struct lb_device *device, const struct libbond_attr *attr)
{
	bool follows = is_changed(device->master) || is_changed(device->wanted) || lb_below(device->link);
	if (libbond_attr_scope(attr) == LIBBOND_SCOPE_LINK && follows)
		return false;
	return !is_changed(device) || !lb_is_touched(plan, device, attr);
}

static uint64_t bit_of(const struct libbond_attr *attr)
{
	return UINT64_C(1) << libbond_attr_id(attr);
}

static void note_touched(const struct libbond_plan *plan, struct lb_look *look)
{
	for (unsigned scope = 0; scope < LIBBOND_SCOPES; scope++) {
		const struct libbond_attr *attr = NULL;
		while ((attr = libbond_attr_next((enum libbond_scope)scope, attr)))
			if (!is_free(plan, look->device, attr))
				look->touched[scope] |= bit_of(attr);
	}
}

bool lb_look_is_free(const struct lb_look *look, const struct libbond_attr *attr)
{
	return !(look->touched[libbond_attr_scope(attr)] & bit_of(attr));
}

/* Whether the step writes what only the plan knows: of a device that has been changed already, something else. */
static bool has_values(const struct libbond_plan *plan, const struct lb_step *step)
{
	bool writes = is_move(step) || step->kind == LB_STEP_DOWN || step->kind == LB_STEP_UP ||
	              step->kind == LB_STEP_DELETE;

	if (!is_changed(step->device))
		return writes || step->kind == LB_STEP_SET;
	for (size_t i = 0; step->kind == LB_STEP_SET && i < step->config->count; i++)
		if (is_free(plan, step->device, step->config->wants[i].attr))
			return true;
	return false;
}

static void look_at(struct lb_looks *looks, const struct libbond_plan *plan, const struct lb_step *step)
{
	struct lb_device *device = step->device;
	bool values = device->link && has_values(plan, step);
	bool moves = is_move(step) && !device->unsure;
	struct lb_look *look = find_look(looks, device);

	if (!device->link || !(moves || values))
		return;
	if (!look) {
		look = &looks->look[looks->count++];
		*look = (struct lb_look){.device = device,
		                         .expected = device->at,
		                         .regrouped = device->regrouped,
		                         .answers = looks->answers};
	}
	if (values && !look->values)
		note_touched(plan, look);
	look->values |= values;
	look->moves |= moves;
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

int lb_looks_at(struct libbond *handle, const struct libbond_plan *plan, const struct lb_step *steps, size_t count,
                struct lb_looks *looks)
{
	*looks = (struct lb_looks){.look = calloc(plan->count + 1, sizeof(*looks->look))};
	if (!looks->look || lb_snapshot_new(&looks->answers) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		if (steps[i].device->is_bond)
			look_at(looks, plan, &steps[i]);
	for (size_t i = 0; i < count; i++)
		if (is_move(&steps[i]))
			look_at(looks, plan, &steps[i]);
	for (size_t i = 0; i < count; i++)
		look_at(looks, plan, &steps[i]);
	size_t acks = count * LB_ACK_COST, room = lb_room_for(handle, acks + looks->count * LB_LINK_COST);
	looks->within = room > acks ? least(looks->count, (room - acks) / LB_LINK_COST) : 0;
	return 0;
}

void lb_looks_end(struct lb_looks *looks)
{
	libbond_snapshot_free(looks->answers);
	free(looks->look);
}

static int take_look(const struct nlmsghdr *nlh, void *context)
{
	struct lb_look *look = context;
	int rc = lb_snapshot_add(look->answers, nlh, LB_KEEP_ALL);

	if (rc == 0 && look->answers->count)
		look->link = look->answers->links[look->answers->count - 1];
	return rc;
}

static void put_look(struct lb_look *look, struct lb_message *message, struct lb_request *request)
{
	lb_message_get_index(message, look->device->ifindex, LIBBOND_READ_NO_STATS);
	*request = (struct lb_request){.nlh = message->nlh, .receive = take_look, .context = look, .beside = true};
}

void lb_looks_put(struct lb_looks *looks, struct lb_message *messages, struct lb_request *requests)
{
	for (size_t i = 0; i < looks->within; i++)
		put_look(&looks->look[i], &messages[i], &requests[i]);
}

void lb_looks_before(struct libbond *handle, struct lb_looks *looks)
{
	for (size_t first = looks->within; first < looks->count;) {
		struct lb_message messages[LB_GETS_MAX];
		struct lb_request requests[LB_GETS_MAX];
		size_t count = least(looks->count - first, LB_GETS_MAX);
		for (size_t i = 0; i < count; i++)
			put_look(&looks->look[first + i], &messages[i], &requests[i]);
		lb_exchange(handle, requests, count, NULL);
		first += count;
	}
}

/* What the change would make of it anyway is no conflict. */
static bool is_elsewhere(const struct lb_look *look)
{
	const struct lb_device *wanted = look->device->wanted;
	unsigned is = look->link ? libbond_link_master(look->link) : look->expected;
	return look->moves && is != look->expected && is != (wanted ? wanted->ifindex : 0);
}

static const struct libbond_link *master_met(const struct libbond_plan *plan, const struct lb_look *look)
{
	return lb_plan_find_met(plan, libbond_link_master(look->link));
}

int lb_adopt_master(struct libbond_plan *plan, struct lb_device *device, unsigned ifindex)
{
	const struct libbond_link *link = lb_plan_find_met(plan, ifindex);
	bool known = lb_plan_find(plan, ifindex) != NULL;
	struct lb_device *master = known ? lb_plan_find(plan, ifindex) : link ? lb_plan_device(plan, link) : NULL;

	if (link && !master)
		return -ENOMEM;
	if (master && !known)
		master->met = true; /* it was read after its slave had gone */
	device->master = master;
	device->met = device->moved = true;
	return 0;
}

static void mark(const struct libbond_plan *plan, const struct lb_look *look, const struct libbond_link *master)
{
	const char *device = look->device->name;
	char text[LB_RECORD_TEXT];

	if (master)
		snprintf(text, sizeof(text), "its place in %.32s", libbond_link_name(master));
	else
		snprintf(text, sizeof(text), "its place");
	lb_report_thing(plan->report, device, "lose", text, LIBBOND_OUTCOME_OVERRIDDEN,
	                master ? "another program's; it is given back, and comes last"
	                       : "another program has released it");
	lb_report_mark(plan->report, device, NULL, LIBBOND_OUTCOME_OVERRIDDEN);
}

static int fail_elsewhere(const struct libbond_plan *plan, const struct lb_look *look, struct libbond_error *err)
{
	const struct lb_device *device = look->device;
	const struct libbond_link *link = master_met(plan, look);
	int rc;

	mark(plan, look, link);
	if (plan->undoing)
		return 0;
	if (libbond_link_master(look->link))
		rc = lb_fail(err, LIBBOND_CAUSE_OVERRIDDEN, EBUSY,
		             "%s has become a slave of %s since the change was planned", device->name,
		             link ? libbond_link_name(link) : "another device");
	else
		rc = lb_fail(err, LIBBOND_CAUSE_OVERRIDDEN, EBUSY,
		             "%s has been released by another program since the change was planned", device->name);
	lb_fail_device(err, device->name);
	return rc;
}

/* The names of masters that nobody expected. Without them it is said all the same. */
static int read_masters(struct libbond *handle, struct libbond_plan *plan, const struct lb_looks *looks)
{
	unsigned *masters = calloc(looks->count + 1, sizeof(*masters));
	struct libbond_snapshot *met = NULL;
	size_t found = 0;

	if (!masters)
		return -ENOMEM;
	for (size_t i = 0; i < looks->count; i++)
		if (is_elsewhere(&looks->look[i]) && libbond_link_master(looks->look[i].link))
			masters[found++] = libbond_link_master(looks->look[i].link);
	int rc = found ? lb_read_indexes(handle, masters, found, &met, NULL) : -ENOENT;
	free(masters);
	return rc < 0 ? 0 : lb_plan_keep_met(plan, met);
}

/* rtnetlink goes by the index alone: what was meant for a device that is gone has been done to whom its index was
 * given. */
static int fail_another(const struct libbond_plan *plan, const struct lb_look *look, struct libbond_error *err)
{
	const char *device = look->device->name, *other = libbond_link_name(look->link);
	char note[LIBBOND_TEXT_SIZE];

	snprintf(note, sizeof(note), "another program has deleted it, and given its index to %.32s", other);
	lb_report_thing(plan->report, device, "lose", "device", LIBBOND_OUTCOME_OVERRIDDEN, note);
	int rc = lb_fail(err, LIBBOND_CAUSE_OVERRIDDEN, ENODEV,
	                 "another program has deleted %s, and given its index to %s, since the change was planned: "
	                 "that got the step",
	                 device, other);
	lb_fail_device(err, other);
	return plan->undoing ? 0 : rc;
}

int lb_judge_looks(struct libbond *handle, struct libbond_plan *plan, const struct lb_looks *looks,
                   struct libbond_error *err)
{
	int rc = 0;

	if (read_masters(handle, plan, looks) < 0)
		return lb_fail_memory(err);
	for (size_t i = 0; i < looks->count; i++) {
		const struct lb_look *look = &looks->look[i];
		int failed = 0;
		if (look->link && lb_is_another(look->device, look->link)) {
			look->device->erased = false;
			failed = fail_another(plan, look, rc ? NULL : err);
			rc = rc ? rc : failed;
			continue;
		}
		if (is_elsewhere(look)) {
			if (lb_adopt_master(plan, look->device, libbond_link_master(look->link)) < 0)
				return lb_fail_memory(err);
			failed = fail_elsewhere(plan, look, rc ? NULL : err);
		}
		int values = lb_judge_values(plan, look, rc || failed ? NULL : err);
		rc = rc ? rc : failed ? failed : values;
	}
	return rc;
}

void lb_learn_looks(struct libbond_plan *plan, const struct lb_looks *looks)
{
	for (size_t i = 0; i < looks->count; i++) {
		const struct lb_look *look = &looks->look[i];
		if (look->link && !lb_is_another(look->device, look->link))
			lb_judge_values(plan, look, NULL);
	}
}
