/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A last look at devices, in the very datagram that moves them: rtnetlink has no compare-and-set, but the kernel
 * answers requests one after another, so that a slave that another program has moved since the plan was made is at
 * least noticed, and given back. Sits between send.c and the plan's devices.
 */
#include <errno.h>
#include <linux/rtnetlink.h>
#include <stdio.h>

#include "error.h"
#include "read.h"
#include "run.h"

static bool is_listed(const struct lb_look *looks, size_t count, const struct lb_device *device)
{
	for (size_t i = 0; i < count; i++)
		if (looks[i].device == device)
			return true;
	return false;
}

size_t lb_looks_at(const struct lb_step *steps, size_t count, struct lb_look looks[LB_LOOKS])
{
	size_t used = 0;

	for (size_t i = 0; i < count && used < LB_LOOKS; i++) {
		struct lb_device *device = steps[i].device;
		bool moves = steps[i].kind == LB_STEP_RELEASE || steps[i].kind == LB_STEP_ENSLAVE;
		if (moves && device->link && !device->unsure && !is_listed(looks, used, device))
			looks[used++] =
				(struct lb_look){.device = device, .expected = device->at, .master = device->at};
	}
	return used;
}

int lb_take_look(const struct nlmsghdr *nlh, void *context)
{
	struct lb_look *look = context;
	const struct nlattr *attr;

	if (nlh->nlmsg_type != RTM_NEWLINK || mnl_nlmsg_get_payload_len(nlh) < sizeof(struct ifinfomsg))
		return 0;
	look->master = 0;
	mnl_attr_for_each (attr, nlh, sizeof(struct ifinfomsg)) {
		if (mnl_attr_get_type(attr) == LB_IFLA_MASTER && mnl_attr_get_payload_len(attr) >= sizeof(uint32_t))
			look->master = mnl_attr_get_u32(attr);
	}
	return 0;
}

/* What the change would make of it anyway is no conflict. */
static bool is_elsewhere(const struct lb_look *look)
{
	const struct lb_device *wanted = look->device->wanted;
	return look->master != look->expected && look->master != (wanted ? wanted->ifindex : 0);
}

static const struct libbond_link *master_met(const struct libbond_plan *plan, const struct lb_look *look)
{
	return plan->met ? libbond_snapshot_by_index(plan->met, look->master) : NULL;
}

/* That is where it belongs when all is undone. */
static int adopt_master(struct libbond_plan *plan, const struct lb_look *look)
{
	const struct libbond_link *link = master_met(plan, look);
	bool known = link && lb_plan_find(plan, look->master);
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
		snprintf(text, sizeof(text), "what it had as a slave of %.32s", libbond_link_name(master));
	else
		snprintf(text, sizeof(text), "its place");
	if (lb_report_beside(plan->report, device, "lose", text, &line) == 0)
		lb_report_mark_line(plan->report, line, LIBBOND_OUTCOME_OVERRIDDEN,
		                    master ? "another program's; it is given back, as a new slave"
		                           : "another program has released it");
	lb_report_mark(plan->report, device, NULL, LIBBOND_OUTCOME_OVERRIDDEN);
}

static int fail_elsewhere(const struct libbond_plan *plan, const struct lb_look *look, struct libbond_error *err)
{
	const struct lb_device *device = look->device;
	const struct libbond_link *link = master_met(plan, look);
	int rc;

	if (look->master)
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

int lb_judge_looks(struct libbond *handle, struct libbond_plan *plan, const struct lb_look *looks, size_t count,
                   struct libbond_error *err)
{
	unsigned masters[LB_LOOKS];
	size_t found = 0;
	int rc = 0;

	for (size_t i = 0; i < count; i++)
		if (is_elsewhere(&looks[i]) && looks[i].master)
			masters[found++] = looks[i].master;
	if (found && !plan->met) /* without their names it is said all the same */
		lb_read_indexes(handle, masters, found, &plan->met, NULL);
	for (size_t i = 0; i < count; i++) {
		if (!is_elsewhere(&looks[i]))
			continue;
		if (adopt_master(plan, &looks[i]) < 0)
			return lb_fail_memory(err);
		rc = fail_elsewhere(plan, &looks[i], rc ? NULL : err);
	}
	return rc;
}
