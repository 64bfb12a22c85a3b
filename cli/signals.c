/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns the signals that end a process into the wish to give up the change that runs, so that a key never leaves a
 * bond half-made. Sits between verb-change.c, which makes the change, and libbond_cancel().
 */
#include "signals.h"

#include <errno.h>
#include <stddef.h>
#include <time.h>

static const int ending[SIGNALS_ENDING] = {SIGINT, SIGTERM, SIGQUIT, SIGHUP};

/* A handler gets nothing but a number: what it works on has to lie here. */
static struct {
	struct libbond *volatile handle;
	volatile sig_atomic_t asked, hung_up;
} caught;

static void on_signal(int number)
{
	int errnum = errno;
	if (number == SIGHUP)
		caught.hung_up = 1;
	else
		caught.asked = 1;
	if (caught.handle)
		libbond_cancel(caught.handle);
	errno = errnum;
}

/* Those that a fault of our own raises are never held. SIGTSTP, SIGTTIN and SIGTTOU are: a process that is stopped
 * in the middle of a change would leave it there. */
static void fill_masks(struct signals *signals)
{
	static const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGSYS, SIGTRAP};

	sigfillset(&signals->closed);
	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++)
		sigdelset(&signals->closed, faults[i]);
	signals->opened = signals->closed;
	for (size_t i = 0; i < SIGNALS_ENDING; i++)
		sigdelset(&signals->opened, ending[i]);
}

void signals_catch(struct signals *signals, struct libbond *handle)
{
	struct sigaction action = {.sa_handler = on_signal}, ignore = {.sa_handler = SIG_IGN};

	fill_masks(signals);
	sigprocmask(SIG_SETMASK, &signals->closed, &signals->before);
	caught.handle = handle;
	caught.asked = caught.hung_up = 0;
	action.sa_mask = signals->closed;
	sigaction(SIGPIPE, &ignore, &signals->broken_pipe);
	for (size_t i = 0; i < SIGNALS_ENDING; i++) {
		sigaction(ending[i], NULL, &signals->actions[i]);
		/* nohup, and the background of a shell: it has been asked not to be disturbed */
		if (signals->actions[i].sa_handler != SIG_IGN)
			sigaction(ending[i], &action, NULL);
	}
	sigprocmask(SIG_SETMASK, &signals->opened, NULL);
}

void signals_close(const struct signals *signals)
{
	sigprocmask(SIG_SETMASK, &signals->closed, NULL);
}

void signals_ignore_hangup(void)
{
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	sigaction(SIGHUP, &ignore, NULL);
}

bool signals_came(bool hangup)
{
	return caught.asked || (hangup && caught.hung_up);
}

/* What has come in while nothing could came too late for the change. It counts as asking, and is not to end the
 * process in another way than with the status of what was done. */
static void take_in_late(void)
{
	const struct timespec now = {0};
	sigset_t late;

	sigemptyset(&late);
	for (size_t i = 0; i < SIGNALS_ENDING; i++)
		sigaddset(&late, ending[i]);
	for (int number; (number = sigtimedwait(&late, NULL, &now)) > 0;)
		on_signal(number);
}

void signals_release(const struct signals *signals, bool keep_pipe)
{
	signals_close(signals);
	take_in_late();
	for (size_t i = 0; i < SIGNALS_ENDING; i++)
		sigaction(ending[i], &signals->actions[i], NULL);
	caught.handle = NULL;
	if (!keep_pipe)
		sigaction(SIGPIPE, &signals->broken_pipe, NULL);
	sigprocmask(SIG_SETMASK, &signals->before, NULL);
}
