/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals while something is changed: those that end a process give the change up, the others wait. */
#ifndef SIGNALS_H
#define SIGNALS_H

#include <signal.h>
#include <stdbool.h>

#include "libbond.h"

#define SIGNALS_ENDING 4 /* SIGINT, SIGTERM, SIGQUIT, SIGHUP */

struct signals {
	sigset_t before; /* the caller's mask */
	sigset_t closed; /* nothing comes in but faults of our own */
	sigset_t opened; /* the signals that end a process come in as well */
	struct sigaction actions[SIGNALS_ENDING], broken_pipe;
};

/* From now on the signals that end a process call libbond_cancel(handle); all others wait, and SIGPIPE is ignored. */
void signals_catch(struct signals *signals, struct libbond *handle);
/* The change is made: nothing comes in but while somebody waits with the mask "opened". */
void signals_close(const struct signals *signals);
/* What the loss of the terminal raises no longer counts. */
void signals_ignore_hangup(void);
/* Whether one that asks to end has come since signals_catch(); the loss of the terminal counts if hangup is true. */
bool signals_came(bool hangup);
/* As it was before signals_catch(); keep_pipe: but SIGPIPE stays ignored. */
void signals_release(const struct signals *signals, bool keep_pipe);

#endif
