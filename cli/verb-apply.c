/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bondctl apply: makes bonds be as a file says, all of them or none. Sits between command.c with document.c and
 * verb-change.c.
 */
#include "command.h"
#include "document-want.h"
#include "output.h"

/* A template that came out empty is no wish for a machine without bonds. */
static int need_bonds(const struct document *document, const struct settings *settings)
{
	struct libbond_error err = {.cause = LIBBOND_CAUSE_GUARD};

	if (document->count || !settings->prune || settings->force)
		return STATUS_OK;
	snprintf(err.message, sizeof(err.message), "%.100s names no bond, and --prune would delete every one",
	         document->source);
	snprintf(err.hint, sizeof(err.hint), "--force does it all the same");
	return output_error(&err, NULL);
}

int verb_apply(struct context *context, struct args *args)
{
	struct document document;
	struct change change;

	int status = document_of_args(&document, context, args, "apply");
	if (status == STATUS_OK)
		status = need_bonds(&document, &context->settings);
	if (status == STATUS_OK) {
		status = change_begin(&change, context, args);
		if (status == STATUS_OK)
			status = document_want(&document, &change);
		status = change_end(&change, status);
	}
	document_free(&document);
	return status;
}
