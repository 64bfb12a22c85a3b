/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Foresees what the steps of a plan cost beside what is named: what can be put back becomes part of the plan, the
 * rest is said in the report before anything happens. Sits between plan.c and compose.c. That nothing is missing here
 * is not believed but looked at: settle.c and undo.c compare what is with what was after every run.
 */
#include "effects.h"

#include <net/if.h>

#include "error.h"

/* --- values --- */

int lb_keep_value(struct libbond_plan *plan, struct lb_device *device, const struct libbond_attr *attr,
                  const struct lb_value *value, const char *link, struct libbond_error *err)
{
	if (lb_config_put(device->back, attr, value, link) < 0 ||
	    lb_report_value(plan->report, device->name, "put_back", device->link,
	                    lb_config_find(device->back, attr)) < 0)
		return lb_fail_memory(err);
	return 0;
}

int lb_keep_number(struct libbond_plan *plan, struct lb_device *device, const struct libbond_attr *attr,
                   int64_t number, struct libbond_error *err)
{
	const struct lb_value value = {.count = 1, .number = number};
	return lb_keep_value(plan, device, attr, &value, "", err);
}

int lb_lose_value(struct libbond_plan *plan, struct lb_device *device, const struct libbond_attr *attr,
                  const struct lb_value *value, const char *note, struct libbond_error *err)
{
	const struct lb_value unknown = {.count = 0};
	struct lb_want want = {.attr = attr};
	struct libbond_report *report = plan->report;

	if (value)
		want.value = *value;
	if (lb_config_put(device->lost, attr, value ? value : &unknown, "") < 0)
		return lb_fail_memory(err);
	int rc = value ? lb_report_value(report, device->name, "lose", device->link, &want)
	               : lb_report_lost(report, device->name, device->link, attr);
	if (rc < 0)
		return lb_fail_memory(err);
	if (note)
		lb_report_note(report, device->name, attr, "%s", note);
	return 0;
}

int lb_lose_number(struct libbond_plan *plan, struct lb_device *device, const struct libbond_attr *attr,
                   int64_t number, const char *note, struct libbond_error *err)
{
	const struct lb_value value = {.count = 1, .number = number};
	return lb_lose_value(plan, device, attr, &value, note, err);
}

bool lb_sets(const struct lb_device *device, const struct libbond_attr *attr)
{
	return lb_config_find(device->work.config, attr) != NULL;
}

int64_t lb_final(const struct lb_device *bond, const struct libbond_attr *attr)
{
	const struct lb_want *want = lb_config_find(bond->work.config, attr);
	return want ? want->value.number : bond->link ? lb_link_number_or(bond->link, attr, 0) : 0;
}

bool lb_is_open(const struct lb_device *device)
{
	return device->link && (libbond_link_flags(device->link) & IFF_UP);
}

bool lb_same_mac(const struct libbond_link *a, const struct libbond_attr *attr_a, const struct libbond_link *b,
                 const struct libbond_attr *attr_b)
{
	struct lb_value x = {0}, y = {0};
	return lb_link_value(a, attr_a, &x) == 0 && lb_link_value(b, attr_b, &y) == 0 &&
	       lb_value_equal(attr_a, &x, &y);
}

/* --- all of them --- */

static int effects_on_bond(struct libbond_plan *plan, struct lb_device *bond, struct libbond_error *err)
{
	int rc = 0;

	if (bond->link && !bond->deletes && bond->work.config->count)
		rc = lb_effects_of_options(plan, bond, err);
	if (rc == 0 && (bond->empty_for || lb_must_empty(bond)))
		rc = lb_effects_of_emptying(plan, bond, err);
	if (rc == 0 && bond->link)
		rc = lb_effects_of_leaving(plan, bond, err);
	return rc < 0 ? rc : lb_effects_of_joining(plan, bond, err);
}

int lb_effects(struct libbond *handle, struct libbond_plan *plan, struct libbond_error *err)
{
	size_t count = plan->count; /* the devices on these are added behind them */
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < count; i++)
		if (plan->devices[i]->is_bond)
			rc = effects_on_bond(plan, plan->devices[i], err);
	if (rc == 0)
		rc = lb_read_uppers(handle, plan, err);
	for (size_t i = 0; rc == 0 && i < count; i++) /* the bonds come first */
		rc = lb_effects_of_mtu(plan, plan->devices[i], err);
	if (rc == 0)
		rc = lb_effects_on_uppers(plan, err);
	return rc < 0 ? rc : lb_effects_on_records(handle, plan, err);
}
