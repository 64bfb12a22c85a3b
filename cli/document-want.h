/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A document as a change: what apply makes true, and diff compares with. */
#ifndef DOCUMENT_WANT_H
#define DOCUMENT_WANT_H

#include "document.h"
#include "verb-change.h"

/* Read the file that is a verb's one operand. STATUS_OK, or printed. Free with document_free() in any case. */
int document_of_args(struct document *document, struct context *context, struct args *args, const char *verb);
/* Want what a document says, and with --prune that there are no other bonds. Reads the present state for what depends
 * on it; the document's configs are completed by that. STATUS_OK, or printed. */
int document_want(struct document *document, struct change *change);

#endif
