/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads back what steps have changed, and judges it against what was wanted. Sits between run.c and verify.c, which
 * judges one device.
 */
#include <errno.h>
#include <stdlib.h>

#include "error.h"
#include "run.h"
#include "verify.h"

static void ask_once(struct lb_lookup *lookups, size_t *count, unsigned ifindex, const char *name)
{
	for (size_t i = 0; i < *count; i++)
		if (ifindex && lookups[i].ifindex == ifindex)
			return;
	lookups[(*count)++] = (struct lb_lookup){.name = ifindex ? NULL : name, .ifindex = ifindex};
}

/* The devices that got something, and those that their values name; one that was created last by its name, where the
 * kernel has not told its index. */
static size_t list_changed(const struct libbond_plan *plan, struct lb_lookup *out)
{
	size_t count = 0;
	for (size_t i = 0; i < plan->count; i++) {
		const struct lb_device *device = plan->devices[i];
		const struct libbond_config *config = device->work.config;
		if (device->deletes || (!device->ifindex && !device->touched))
			continue;
		if (device->touched || device->regrouped)
			ask_once(out, &count, device->ifindex, device->name);
		for (size_t w = 0; w < config->count; w++)
			if (config->wants[w].attr->type == LIBBOND_TYPE_LINK && config->wants[w].value.number)
				ask_once(out, &count, (unsigned)config->wants[w].value.number, NULL);
	}
	return count;
}

static int take_index(const struct libbond_plan *plan, const struct libbond_snapshot *after,
                      struct libbond_error *err)
{
	for (size_t i = 0; i < plan->count; i++) {
		struct lb_device *device = plan->devices[i];
		if (device->ifindex || !device->touched)
			continue;
		const struct libbond_link *link = libbond_snapshot_by_name(after, device->name);
		if (!link || !libbond_link_is_bond(link))
			return lb_fail_no_device(device->name, err);
		device->ifindex = libbond_link_ifindex(link);
	}
	return 0;
}

static int read_back(struct libbond *handle, const struct libbond_plan *plan, struct libbond_snapshot **after,
                     struct libbond_error *err)
{
	size_t room = 1;
	for (size_t i = 0; i < plan->count; i++)
		room += 1 + plan->devices[i]->work.config->count;
	struct lb_lookup *lookups = calloc(room, sizeof(*lookups));
	if (!lookups)
		return lb_fail_memory(err);
	int rc = lb_read_world(handle, lookups, list_changed(plan, lookups), 0, after, err);
	free(lookups);
	return rc;
}

static int fail_moved_again(const struct lb_device *device, struct libbond_error *err)
{
	int rc = lb_fail(err, LIBBOND_CAUSE_OVERRIDDEN, EBUSY,
	                 "the kernel accepted the change of %s, but something else has changed it since",
	                 device->name);
	lb_fail_device(err, device->name);
	return rc;
}

/* What held and was not sent may have been changed by what was: a first slave that cannot change its address sets
 * fail_over_mac. */
static int verify_held(const struct libbond_plan *plan, const struct lb_device *device,
                       const struct libbond_link *link, struct libbond_error *err)
{
	const struct lb_device *bond = device->is_bond ? device : device->wanted;
	const struct libbond_link *now =
		bond ? libbond_snapshot_by_index(lb_link_snapshot(link), bond->ifindex) : NULL;
	int64_t mode = now ? lb_link_number_or(now, lb_bond_attr(LB_BOND_MODE), LIBBOND_MODES) : LIBBOND_MODES;

	for (size_t i = 0; device->link && i < device->named->count; i++) {
		const struct lb_want *want = &device->named->wants[i];
		/* of a description, what the mode does not take was left out */
		if (mode < LIBBOND_MODES && !lb_attr_in_mode(want->attr->modes, (unsigned)mode))
			continue;
		if (want->attr->type == LIBBOND_TYPE_LINK || want->edit_count ||
		    !libbond_link_has(link, want->attr) || lb_config_find(device->work.config, want->attr) ||
		    lb_config_find(device->back, want->attr) || lb_config_find(device->lost, want->attr) ||
		    !lb_verify_holds(want, device->link) || lb_verify_holds(want, link))
			continue;
		lb_report_mark(plan->report, device->name, want->attr, LIBBOND_OUTCOME_OVERRIDDEN);
		int rc = lb_fail(err, LIBBOND_CAUSE_OVERRIDDEN, EBUSY,
		                 "%s on %s held, and does not any more: the driver or another program has changed it",
		                 want->attr->name, device->name);
		lb_fail_attr(err, want->attr);
		lb_fail_device(err, device->name);
		return rc;
	}
	return 0;
}

static int verify_device(struct libbond_plan *plan, const struct lb_device *device, const struct libbond_link *link,
                         struct libbond_error *err)
{
	unsigned master = device->wanted ? device->wanted->ifindex : 0;

	if (!link)
		return lb_fail_no_device(device->name, err);
	if (device->moved && libbond_link_master(link) != master) {
		lb_report_mark(plan->report, device->name, NULL, LIBBOND_OUTCOME_OVERRIDDEN);
		return fail_moved_again(device, err);
	}
	int rc = lb_verify(&device->work, link, plan->report, err);
	return rc < 0 ? rc : verify_held(plan, device, link, err);
}

static int verify_all(struct libbond_plan *plan, const struct libbond_snapshot *after, struct libbond_error *err)
{
	int rc = 0;
	for (size_t i = 0; i < plan->count; i++) {
		const struct lb_device *device = plan->devices[i];
		if (device->deletes || !(device->touched || device->regrouped))
			continue;
		int one = verify_device(plan, device, libbond_snapshot_by_index(after, device->ifindex),
		                        rc ? NULL : err);
		rc = rc ? rc : one;
	}
	return rc;
}

/* Values that were sent, and cannot be read back. */
static void mark_unverified(const struct libbond_plan *plan)
{
	for (size_t i = 0; i < plan->count; i++) {
		const struct lb_device *device = plan->devices[i];
		for (size_t w = 0; device->touched && w < device->work.config->count; w++)
			lb_report_mark(plan->report, device->name, device->work.config->wants[w].attr,
			               LIBBOND_OUTCOME_UNVERIFIED);
	}
}

int lb_read_back(struct libbond *handle, struct libbond_plan *plan, struct libbond_snapshot **out,
                 struct libbond_error *err)
{
	struct libbond_snapshot *after = NULL;
	int rc;

	rc = read_back(handle, plan, &after, err);
	if (rc < 0) {
		mark_unverified(plan);
		return rc;
	}
	rc = take_index(plan, after, err);
	if (rc == 0)
		rc = verify_all(plan, after, err);
	if (rc == 0)
		*out = after;
	else
		libbond_snapshot_free(after);
	return rc;
}
