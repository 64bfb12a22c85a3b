/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Waiting for a person to confirm a change, and confirming one that waits. */
#ifndef CONFIRM_H
#define CONFIRM_H

#include <sys/socket.h>

#include "bondctl.h"
#include "signals.h"

#define CONFIRM_PEERS 8
#define CONFIRM_WHAT 512

enum verdict {
	VERDICT_CONFIRMED,
	VERDICT_EXPIRED, /* the time is over */
	VERDICT_STOPPED  /* a signal asked to end */
};

struct confirmation {
	int listener; /* -1 for none */
	int peers[CONFIRM_PEERS];
	bool input;              /* whether Enter on standard input counts */
	char what[CONFIRM_WHAT]; /* the command line that is confirmed */
	struct ucred by;         /* who confirmed; no process where it was Enter */
};

/*
 * Take the place where changes in this namespace are confirmed: there is one at a time. STATUS_OK, or printed. The
 * context has its handle. Close in any case.
 */
int confirm_open(struct confirmation *confirmation, struct context *context, const char *what);
/* Ask for the confirmation and wait for it. */
enum verdict confirm_wait(struct confirmation *confirmation, struct context *context, const struct signals *signals);
/* Give the place up. "answer" is for those who ask too late: what has become of the change; NULL if it stays. */
void confirm_close(struct confirmation *confirmation, const char *answer);

/* What became of asking another process, and what it says of it. */
struct confirmed {
	char what[CONFIRM_WHAT];
	struct ucred by; /* the process that waited */
};
/* Confirm what waits. STATUS_OK if the change stays; else printed. */
int confirm_ask(struct context *context, struct confirmed *confirmed);

#endif
