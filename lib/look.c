/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A last look at devices, in the very datagram that changes them: rtnetlink has no compare-and-set, but the kernel
 * answers requests one after another, so that a slave that another program has moved since the plan was made, or a
 * value that it has set, is at least noticed, and given back. Sits between send.c and the plan's devices.
 */
#include <errno.h>
#include <linux/rtnetlink.h>
#include <stdio.h>

#include "effects.h"
#include "error.h"
#include "read.h"
#include "run.h"

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

/* The scopes in which nothing that we have done can have changed it yet. As a link it follows what it is on, that
 * even when it likes. */
static unsigned scopes_as_planned(const struct lb_device *device)
{
	unsigned own = 1U << LIBBOND_SCOPE_BOND | 1U << LIBBOND_SCOPE_SLAVE;

	if (!device->link || is_changed(device))
		return 0;
	bool alone = !is_changed(device->master) && !is_changed(device->wanted) && !lb_below(device->link);
	return alone ? own | 1U << LIBBOND_SCOPE_LINK : own;
}

static bool has_values(const struct lb_step *step)
{
	return is_move(step) || step->kind == LB_STEP_SET || step->kind == LB_STEP_DOWN || step->kind == LB_STEP_UP;
}

static void look_at(struct lb_looks *looks, const struct lb_step *step, bool undoing)
{
	struct lb_device *device = step->device;
	unsigned scopes = has_values(step) ? scopes_as_planned(device) : 0;
	bool moves = is_move(step) && !device->unsure && !undoing;
	struct lb_look *look = find_look(looks, device);

	if (!device->link || !(moves || scopes))
		return;
	if (!look && looks->count < LB_LOOKS) {
		look = &looks->look[looks->count++];
		*look = (struct lb_look){
			.device = device, .scopes = scopes, .expected = device->at, .answers = looks->answers};
	}
	if (look)
		look->moves |= moves;
}

int lb_looks_at(const struct libbond_plan *plan, const struct lb_step *steps, size_t count, struct lb_looks *looks)
{
	*looks = (struct lb_looks){0};
	if (lb_snapshot_new(&looks->answers) < 0)
		return -ENOMEM;
	for (size_t i = 0; i < count; i++)
		if (is_move(&steps[i]))
			look_at(looks, &steps[i], plan->undoing);
	for (size_t i = 0; i < count; i++)
		look_at(looks, &steps[i], plan->undoing);
	return 0;
}

void lb_looks_end(struct lb_looks *looks)
{
	libbond_snapshot_free(looks->answers);
}

int lb_take_look(const struct nlmsghdr *nlh, void *context)
{
	struct lb_look *look = context;
	int rc = lb_snapshot_add(look->answers, nlh, LB_KEEP_ALL);

	if (rc == 0 && look->answers->count)
		look->link = look->answers->links[look->answers->count - 1];
	return rc;
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
	return plan->met ? libbond_snapshot_by_index(plan->met, libbond_link_master(look->link)) : NULL;
}

/* That is where it belongs when all is undone. */
static int adopt_master(struct libbond_plan *plan, const struct lb_look *look)
{
	const struct libbond_link *link = master_met(plan, look);
	bool known = link && lb_plan_find(plan, libbond_link_master(look->link));
	struct lb_device *master = link ? lb_plan_device(plan, link) : NULL;

	if (link && !master)
		return -ENOMEM;
	if (master && !known)
		master->met = true; /* it was read after its slave had gone */
	look->device->master = master;
	look->device->met = true;
	return 0;
}

static void mark(const struct libbond_plan *plan, const struct lb_look *look, const struct libbond_link *master)
{
	const char *device = look->device->name;
	char text[LB_RECORD_TEXT];
	size_t line = 0;

	if (master)
		snprintf(text, sizeof(text), "its place in %.32s", libbond_link_name(master));
	else
		snprintf(text, sizeof(text), "its place");
	if (lb_report_beside(plan->report, device, "lose", text, &line) == 0)
		lb_report_mark_line(plan->report, line, LIBBOND_OUTCOME_OVERRIDDEN,
		                    master ? "another program's; it is given back, and comes last"
		                           : "another program has released it");
	lb_report_mark(plan->report, device, NULL, LIBBOND_OUTCOME_OVERRIDDEN);
}

static int fail_elsewhere(const struct libbond_plan *plan, const struct lb_look *look, struct libbond_error *err)
{
	const struct lb_device *device = look->device;
	const struct libbond_link *link = master_met(plan, look);
	int rc;

	if (libbond_link_master(look->link))
		rc = lb_fail(err, LIBBOND_CAUSE_OVERRIDDEN, EBUSY,
		             "%s has become a slave of %s since the change was planned", device->name,
		             link ? libbond_link_name(link) : "another device");
	else
		rc = lb_fail(err, LIBBOND_CAUSE_OVERRIDDEN, EBUSY,
		             "%s has been released by another program since the change was planned", device->name);
	lb_fail_device(err, device->name);
	mark(plan, look, link);
	return rc;
}

int lb_judge_looks(struct libbond *handle, struct libbond_plan *plan, const struct lb_looks *looks,
                   struct libbond_error *err)
{
	unsigned masters[LB_LOOKS];
	size_t found = 0;
	int rc = 0;

	for (size_t i = 0; i < looks->count; i++)
		if (is_elsewhere(&looks->look[i]) && libbond_link_master(looks->look[i].link))
			masters[found++] = libbond_link_master(looks->look[i].link);
	if (found && !plan->met) /* without their names it is said all the same */
		lb_read_indexes(handle, masters, found, &plan->met, NULL);
	for (size_t i = 0; i < looks->count; i++) {
		const struct lb_look *look = &looks->look[i];
		int failed = 0;
		if (is_elsewhere(look)) {
			if (adopt_master(plan, look) < 0)
				return lb_fail_memory(err);
			failed = fail_elsewhere(plan, look, rc ? NULL : err);
		}
		int values = lb_judge_values(plan, look, rc || failed ? NULL : err);
		rc = rc ? rc : failed ? failed : values;
	}
	return rc;
}
