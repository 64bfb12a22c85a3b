/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bondctl diff: what apply would change. Sits between command.c with document.c and the planning half of
 * verb-change.c.
 */
#include <errno.h>

#include "command.h"
#include "document-want.h"
#include "output.h"
#include "plan.h"

/* A guard is about how a change is made, and hides no difference. */
#define ANYTHING (LIBBOND_PLAN_CYCLE | LIBBOND_PLAN_FORCE | LIBBOND_PLAN_STEAL)

static int fail_withheld(const struct change *change)
{
	struct libbond_error err = {.cause = LIBBOND_CAUSE_PERMISSION, .errnum = EPERM};

	snprintf(err.message, sizeof(err.message), "nothing that can be compared differs, and not all can be");
	snprintf(err.hint, sizeof(err.hint), "run it as root: CAP_NET_ADMIN in the initial user namespace shows it");
	return output_error(&err, change->report);
}

static int print_difference(const struct change *change)
{
	const struct plan_differences found = plan_compare(change->report);
	int status = libbond_plan_steps(change->plan) ? STATUS_REFUSED : STATUS_OK;

	if (found.withheld && !found.known)
		return fail_withheld(change);
	if (change->context->settings.json)
		return output_json(plan_json_changes(change->report), status);
	plan_print_changes(change->plan, change->report);
	return status;
}

int verb_diff(struct context *context, struct args *args)
{
	struct document document;
	struct change change;

	int status = document_of_args(&document, context, args, "diff");
	if (status == STATUS_OK) {
		status = change_begin(&change, context, args);
		if (status == STATUS_OK)
			status = document_want(&document, &change);
		if (status == STATUS_OK)
			status = change_plan(&change, ANYTHING);
		if (status == STATUS_OK)
			status = print_difference(&change);
		change_free(&change);
	}
	document_free(&document);
	return status;
}
