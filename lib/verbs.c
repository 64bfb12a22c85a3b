/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The common changes in one call each: a change, its plan, its run. Sits on the public interface of change.c, plan.c
 * and run.c, and uses nothing else.
 */
#include <errno.h>

#include "error.h"

/* Plan and run a change, and free it. rc: how putting it together went. */
static int do_change(struct libbond *handle, struct libbond_change *change, int rc, unsigned flags,
                     struct libbond_report *report, struct libbond_error *err)
{
	struct libbond_plan *plan = NULL;

	if (rc == 0)
		rc = libbond_plan(handle, change, flags, report, &plan, err);
	if (rc == 0)
		rc = libbond_plan_run(handle, plan, report, err);
	libbond_plan_free(plan);
	libbond_change_free(change);
	return rc;
}

static int new_change(struct libbond_change **change, struct libbond_error *err)
{
	return libbond_change_new(change) < 0 ? lb_fail_memory(err) : 0;
}

static int add_members(struct libbond_change *change, const char *bond, const struct libbond_member *members,
                       size_t count, enum libbond_slave_wish wish, struct libbond_error *err)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = libbond_change_slave(change, bond, members[i].name, wish, members[i].config, err);
	return rc;
}

static int add_names(struct libbond_change *change, const char *bond, const char *const *names, size_t count,
                     enum libbond_slave_wish wish, struct libbond_error *err)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = libbond_change_slave(change, bond, names[i], wish, NULL, err);
	return rc;
}

int libbond_create(struct libbond *handle, const char *name, const struct libbond_config *config,
                   const struct libbond_member *members, size_t count, unsigned flags, struct libbond_report *report,
                   struct libbond_error *err)
{
	struct libbond_change *change = NULL;
	int rc = new_change(&change, err);

	if (rc == 0)
		rc = libbond_change_bond(change, name, LIBBOND_BOND_NEW, config, err);
	if (rc == 0)
		rc = add_members(change, name, members, count, LIBBOND_SLAVE_IN, err);
	return do_change(handle, change, rc, flags, report, err);
}

int libbond_set(struct libbond *handle, const char *name, const struct libbond_config *config,
                const struct libbond_member *members, size_t count, unsigned flags, struct libbond_report *report,
                struct libbond_error *err)
{
	struct libbond_change *change = NULL;
	int rc = new_change(&change, err);

	if (rc == 0)
		rc = libbond_change_bond(change, name, 0, config, err);
	if (rc == 0)
		rc = add_members(change, name, members, count, LIBBOND_SLAVE_PRESENT, err);
	return do_change(handle, change, rc, flags, report, err);
}

int libbond_enslave(struct libbond *handle, const char *bond, const char *const *slaves, size_t count, unsigned flags,
                    struct libbond_report *report, struct libbond_error *err)
{
	struct libbond_change *change = NULL;
	int rc = new_change(&change, err);

	if (rc == 0)
		rc = libbond_change_bond(change, bond, 0, NULL, err);
	if (rc == 0)
		rc = add_names(change, bond, slaves, count, LIBBOND_SLAVE_IN, err);
	return do_change(handle, change, rc, flags, report, err);
}

int libbond_release(struct libbond *handle, const char *bond, const char *const *slaves, size_t count, unsigned flags,
                    struct libbond_report *report, struct libbond_error *err)
{
	struct libbond_change *change = NULL;
	int rc = new_change(&change, err);

	if (rc == 0)
		rc = libbond_change_bond(change, bond, 0, NULL, err);
	if (rc == 0)
		rc = add_names(change, bond, slaves, count, LIBBOND_SLAVE_OUT, err);
	return do_change(handle, change, rc, flags, report, err);
}

int libbond_delete(struct libbond *handle, const char *const *names, size_t count, struct libbond_report *report,
                   struct libbond_error *err)
{
	struct libbond_change *change = NULL;
	int rc = new_change(&change, err);

	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = libbond_change_bond(change, names[i], LIBBOND_BOND_DELETE, NULL, err);
	return do_change(handle, change, rc, 0, report, err);
}
