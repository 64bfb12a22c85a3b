/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Bonds as a file describes them: the document that show --json prints, or a part of it. State in it is passed over,
 * what it names is wanted.
 */
#ifndef DOCUMENT_H
#define DOCUMENT_H

#include <stddef.h>

#include "bondctl.h"

struct document_slave {
	char name[LIBBOND_ALTNAME_SIZE];
	char permanent[LIBBOND_ALTNAME_SIZE]; /* its permanent address, where that is all that is said: "" for none */
	struct libbond_config *config;
};

struct document_bond {
	char name[LIBBOND_ALTNAME_SIZE];
	struct libbond_config *config;
	bool lists_slaves; /* the slaves are all that the bond is to have */
	struct document_slave *slaves;
	size_t count;
	char active[LIBBOND_ALTNAME_SIZE]; /* its active slave, which is state; "" for none */
};

struct document {
	const char *source; /* what errors call it */
	struct document_bond *bonds;
	size_t count;
};

/* Read a file, "-" for standard input. STATUS_OK, or STATUS_USAGE, printed. Free with document_free() in any case. */
int document_read(struct document *document, const char *path);
/* The same, of a text. */
int document_parse(struct document *document, const char *text, size_t length, const char *source);
void document_free(struct document *document);

#endif
