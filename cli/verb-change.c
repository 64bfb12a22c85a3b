/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Begins and ends a change. Sits between the verbs that change something and output.c.
 */
#include "verb-change.h"

#include "output.h"

/* All but those that a fault of our own raises. */
static void hold_signals(sigset_t *before)
{
	static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS};
	sigset_t held;

	sigfillset(&held);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		sigdelset(&held, faults[i]);
	sigprocmask(SIG_BLOCK, &held, before);
}

int change_begin(struct change *change, struct context *context)
{
	*change = (struct change){0};
	int status = context_handle(context, &change->handle);
	if (status == STATUS_OK && libbond_report_new(&change->report) < 0)
		status = output_no_memory();
	if (status == STATUS_OK)
		hold_signals(&change->signals);
	return status;
}

int change_end(struct change *change, int rc)
{
	int status = rc < 0 ? output_error(&change->error, change->report) : output_changes(change->report);
	libbond_report_free(change->report);
	change->report = NULL;
	sigprocmask(SIG_SETMASK, &change->signals, NULL);
	return status;
}
