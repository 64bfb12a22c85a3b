/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every part of bondctl shares: the settings of a call, the context it runs in, and its exit
 * statuses. main.c fills it, the verbs (verb-*.c) work in it.
 */
#ifndef BONDCTL_H
#define BONDCTL_H

#include <stdbool.h>
#include <stdio.h>

#include "libbond.h"

/* Exit statuses; status.c has the table with their meaning. */
enum status {
	STATUS_OK = 0,
	STATUS_REFUSED = 1,
	STATUS_USAGE = 2,
	STATUS_NO_DEVICE = 3,
	STATUS_NOT_PERMITTED = 4,
	STATUS_PRECHECK = 5,
	STATUS_UNSUPPORTED = 6,
	STATUS_TIMEOUT = 7,
	STATUS_ROLLED_BACK = 8
};

enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* Options of the command line; args.c has the table. */
struct settings {
	bool json, pretty, quiet, help, version;
	bool details, all, mdoc, keep_going;
	bool dry_run, cycle, force, steal, up, prune;
	unsigned confirm_within; /* seconds, 0 for not */
	unsigned wait;           /* seconds */
	const char *netns, *batch, *color_word;
	enum color color;
};

/* What holds without an option. */
#define SETTINGS_START                                                                                               \
	{                                                                                                            \
		.wait = 30                                                                                           \
	}

struct json_object;

struct context {
	struct settings settings;
	struct libbond *handle;     /* opened when first needed, shared by the lines of a batch */
	unsigned line;              /* line of a batch, 0 outside one */
	bool lines_are_input;       /* a batch: its lines come from standard input */
	bool stopped;               /* a signal asked to end; what goes on is the line that it came in */
	const char *netns;          /* in a batch: the namespace of all its lines */
	struct json_object *extras; /* members that the next answer in JSON has beside its own, or NULL */
};

/* The handle in the namespace asked for, opened now if need be. STATUS_OK or the error's, printed. */
int context_handle(struct context *context, struct libbond **out);

#endif
