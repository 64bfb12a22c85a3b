/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Deletes a bond, and nothing that is not one: the kernel would delete whatever has the name. Sits between
 * the public interface and change.c.
 */
#include <stdlib.h>

#include "change.h"
#include "error.h"

#define NAMED_SLAVES 4 /* more are only counted in the report */

static int need_bonds(struct libbond *handle, const char *const *names, size_t count, struct libbond_error *err)
{
	struct lb_lookup *lookups = calloc(count ? count : 1, sizeof(*lookups));
	struct libbond_snapshot *before;

	if (!lookups)
		return lb_fail_memory(err);
	for (size_t i = 0; i < count; i++)
		lookups[i].name = names[i];
	int rc = lb_read_names(handle, lookups, count, false, &before, err);
	if (rc == 0) {
		for (size_t i = 0; rc == 0 && i < count; i++) {
			rc = lb_need_bond(&lookups[i], err);
			if (rc == 0)
				rc = lb_need_once(lookups, i, err);
		}
		libbond_snapshot_free(before);
	}
	free(lookups);
	return rc;
}

static void note_slaves(const struct libbond_link *bond, struct libbond_report *report)
{
	size_t slaves = libbond_link_slaves(bond);
	const char *name = libbond_link_name(bond);

	if (slaves > NAMED_SLAVES)
		lb_report_note(report, name, NULL, "its %zu slaves are released and down", slaves);
	for (size_t i = 0; slaves <= NAMED_SLAVES && i < slaves; i++)
		lb_report_note(report, name, NULL, "%s is released and down",
		               libbond_link_name(libbond_link_slave(bond, i)));
}

static int delete_one(struct libbond *handle, const struct libbond_link *bond, struct libbond_report *report,
                      struct libbond_error *err)
{
	const char *name = libbond_link_name(bond);
	struct lb_message message;

	if (lb_report_device(report, name, "delete") < 0)
		return lb_fail_memory(err);
	lb_message_delete(&message, libbond_link_ifindex(bond));
	int rc = lb_send(handle, &message, LB_DEED_DELETE, name, NULL, NULL, err);
	lb_report_mark(report, name, NULL, rc < 0 ? lb_outcome_of(err) : LIBBOND_OUTCOME_APPLIED);
	if (rc == 0)
		note_slaves(bond, report);
	return rc;
}

int libbond_delete(struct libbond *handle, const char *const *names, size_t count, struct libbond_report *report,
                   struct libbond_error *err)
{
	struct libbond_error local;
	int rc = 0;

	err = err ? err : &local;
	if (count > 1) /* a single one is looked up below */
		rc = need_bonds(handle, names, count, err);
	for (size_t i = 0; rc == 0 && i < count; i++) {
		struct lb_lookup lookup = {.name = names[i]};
		struct libbond_snapshot *before;
		rc = lb_read_names(handle, &lookup, 1, true, &before, err);
		if (rc < 0)
			break;
		rc = lb_need_bond(&lookup, err);
		if (rc == 0)
			rc = delete_one(handle, lookup.link, report, err);
		libbond_snapshot_free(before);
	}
	return rc;
}
