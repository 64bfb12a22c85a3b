/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Deletes a bond, and nothing that is not one: the kernel would delete whatever has the name. Sits between
 * the public interface and change.c.
 */
#include "change.h"
#include "error.h"

#define NAMED_SLAVES 4 /* more are only counted in the report */

int libbond_delete(struct libbond *handle, const char *name, struct libbond_report *report, struct libbond_error *err)
{
	struct libbond_error local;
	struct lb_lookup lookup = {.name = name};
	struct libbond_snapshot *before;
	err = err ? err : &local;
	int rc = lb_read_names(handle, &lookup, 1, true, &before, err);
	if (rc < 0)
		return rc;
	rc = lb_need_bond(&lookup, err);
	if (rc == 0 && lb_report_device(report, libbond_link_name(lookup.link), "delete") < 0)
		rc = lb_fail_memory(err);
	if (rc == 0) {
		const char *device = libbond_link_name(lookup.link);
		size_t slaves = libbond_link_slaves(lookup.link);
		struct lb_message message;
		lb_message_delete(&message, libbond_link_ifindex(lookup.link), NULL);
		rc = lb_send(handle, &message, LB_DEED_DELETE, device, NULL, NULL, err);
		lb_report_mark(report, device, NULL, rc < 0 ? lb_outcome_of(err) : LIBBOND_OUTCOME_APPLIED);
		if (rc == 0 && slaves > NAMED_SLAVES)
			lb_report_note(report, device, NULL, "its %zu slaves are released and down", slaves);
		for (size_t i = 0; rc == 0 && slaves <= NAMED_SLAVES && i < slaves; i++)
			lb_report_note(report, device, NULL, "%s is released and down",
			               libbond_link_name(libbond_link_slave(lookup.link, i)));
	}
	libbond_snapshot_free(before);
	return rc;
}
