/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Enslaves and releases one device, and reads back that it is so. Sits between the public interface and
 * change.c.
 */
#include <errno.h>

#include "change.h"
#include "error.h"

/* The device's present master, read back; -errno. The device vanishing meanwhile is NO_DEVICE. */
static int read_master(struct libbond *handle, const struct libbond_link *slave, unsigned *master,
                       struct libbond_error *err)
{
	unsigned index = libbond_link_ifindex(slave);
	struct libbond_snapshot *after;
	int rc = lb_read_indexes(handle, &index, 1, &after, err);
	if (rc < 0)
		return rc;
	const struct libbond_link *now = libbond_snapshot_by_index(after, index);
	if (now)
		*master = libbond_link_master(now);
	else
		rc = lb_fail_no_device(libbond_link_name(slave), err);
	libbond_snapshot_free(after);
	return rc;
}

static int verify_master(struct libbond *handle, const struct libbond_link *slave, unsigned wanted,
                         struct libbond_report *report, struct libbond_error *err)
{
	const char *name = libbond_link_name(slave);
	unsigned master = 0;
	int rc = read_master(handle, slave, &master, err);
	if (rc == 0 && master != wanted) {
		rc = lb_fail(err, LIBBOND_CAUSE_CONFLICT, EBUSY,
		             "the kernel accepted the change of %s, but something else has changed it since", name);
		lb_fail_device(err, name);
	}
	if (rc < 0)
		lb_report_mark(report, name, NULL, LIBBOND_OUTCOME_UNVERIFIED);
	return rc;
}

int libbond_enslave(struct libbond *handle, const char *bond, const char *slave, struct libbond_report *report,
                    struct libbond_error *err)
{
	struct libbond_error local;
	struct lb_lookup lookups[] = {{.name = bond}, {.name = slave}};
	struct libbond_snapshot *before;
	err = err ? err : &local;
	int rc = lb_read_names(handle, lookups, 2, false, &before, err);
	if (rc < 0)
		return rc;
	rc = lb_need_bond(&lookups[0], err);
	if (rc == 0)
		rc = lb_need_candidate(handle, &lookups[1], lookups[0].link, libbond_link_name(lookups[0].link), err);
	if (rc >= 0 && lb_report_device(report, libbond_link_name(lookups[1].link), "enslave") < 0)
		rc = lb_fail_memory(err);
	if (rc == 1)
		lb_report_mark(report, libbond_link_name(lookups[1].link), NULL, LIBBOND_OUTCOME_UNCHANGED);
	if (rc == 0) {
		unsigned master = libbond_link_ifindex(lookups[0].link);
		rc = lb_enslave(handle, lookups[1].link, master, libbond_link_name(lookups[0].link), report, err);
		if (rc == 0)
			rc = verify_master(handle, lookups[1].link, master, report, err);
	}
	libbond_snapshot_free(before);
	return rc < 0 ? rc : 0;
}

int libbond_release(struct libbond *handle, const char *bond, const char *slave, struct libbond_report *report,
                    struct libbond_error *err)
{
	struct libbond_error local;
	struct lb_lookup lookups[] = {{.name = bond}, {.name = slave}};
	struct libbond_snapshot *before;
	err = err ? err : &local;
	int rc = lb_read_names(handle, lookups, 2, false, &before, err);
	if (rc < 0)
		return rc;
	rc = lb_need_bond(&lookups[0], err);
	if (rc == 0)
		rc = lb_need_slave(&lookups[1], lookups[0].link, err);
	if (rc == 0 && lb_report_device(report, libbond_link_name(lookups[1].link), "release") < 0)
		rc = lb_fail_memory(err);
	if (rc == 0) {
		const struct libbond_link *link = lookups[1].link;
		struct lb_message message;
		lb_message_master(&message, libbond_link_ifindex(link), 0);
		rc = lb_send(handle, &message, LB_DEED_RELEASE, libbond_link_name(link),
		             libbond_link_name(lookups[0].link), NULL, err);
		lb_report_mark(report, libbond_link_name(link), NULL,
		               rc < 0 ? lb_outcome_of(err) : LIBBOND_OUTCOME_APPLIED);
		if (rc == 0)
			rc = verify_master(handle, link, 0, report, err);
	}
	libbond_snapshot_free(before);
	return rc;
}
