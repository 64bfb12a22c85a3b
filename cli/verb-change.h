/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the verbs that change something share: a handle, a report, and printing it whatever came of it. */
#ifndef VERB_CHANGE_H
#define VERB_CHANGE_H

#include <signal.h>

#include "args.h"

struct change {
	sigset_t signals; /* the caller's mask */
	struct libbond *handle;
	struct libbond_report *report;
	struct libbond_error error;
};

/* Open what a change needs, and hold all signals until it has ended: a bond is not left half-made by a key.
 * STATUS_OK, or printed. */
int change_begin(struct change *change, struct context *context);
/* Print what came of it: rc is the library's, 0 or -errno. Frees the report. Returns the status. */
int change_end(struct change *change, int rc);

#endif
