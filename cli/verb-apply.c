/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bondctl apply: makes bonds be as a file says, all of them or none. Sits between command.c with document.c and
 * verb-change.c.
 */
#include "command.h"
#include "document-want.h"
#include "output.h"

int verb_apply(struct context *context, struct args *args)
{
	struct document document;
	struct change change;

	int status = document_of_args(&document, context, args, "apply");
	if (status == STATUS_OK) {
		status = change_begin(&change, context, args);
		if (status == STATUS_OK)
			status = document_want(&document, &change);
		status = change_end(&change, status);
	}
	document_free(&document);
	return status;
}
