/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits until a change is confirmed by Enter or by "bondctl confirm", until time is up, or until a signal ends it;
 * and is the other end of that. Sits between verb-change.c, verb-confirm.c and rendezvous.c.
 *
 * The process that waits decides alone, and tells whoever asks what it has decided before it acts: a confirmation is
 * one once its answer is on its way, and then nothing is undone.
 */
#include "confirm.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/timerfd.h>
#include <termios.h>
#include <unistd.h>

#include "output.h"
#include "rendezvous.h"

/* Messages: a word, and behind YES what is confirmed, behind NO why it is not. */
#define ASK "confirm"
#define YES "yes "
#define NO "no "
#define TOO_EARLY "the change is not made yet: ask again"

static void fail_at_system(struct libbond_error *err, int errnum, const char *what)
{
	err->cause = LIBBOND_CAUSE_SYSTEM;
	err->errnum = errnum;
	snprintf(err->message, sizeof(err->message), "%s: %s", what, strerror(errnum));
	if (errnum == EOPNOTSUPP)
		snprintf(err->hint, sizeof(err->hint), "mount /proc: the sockets of a namespace are listed there");
}

int confirm_open(struct confirmation *confirmation, struct context *context, const char *what)
{
	struct libbond_error err = {.cause = LIBBOND_CAUSE_CONFLICT, .errnum = EADDRINUSE};

	*confirmation = (struct confirmation){.listener = rendezvous_listen(context)};
	for (size_t i = 0; i < CONFIRM_PEERS; i++)
		confirmation->peers[i] = -1;
	snprintf(confirmation->what, sizeof(confirmation->what), "%s", what);
	if (confirmation->listener >= 0)
		return STATUS_OK;
	if (confirmation->listener == -EADDRINUSE) {
		snprintf(err.message, sizeof(err.message), "another change waits for confirmation in this namespace");
		snprintf(err.hint, sizeof(err.hint), "bondctl confirm keeps it; else wait until it is undone");
	} else {
		fail_at_system(&err, -confirmation->listener, "cannot wait for a confirmation");
	}
	return output_error(&err, NULL);
}

/* --- the process that waits --- */

/* A file and the null device press no key. What has been typed before the question is no answer to it. */
static bool begin_input(void)
{
	struct stat stat;
	if (fstat(STDIN_FILENO, &stat) < 0 || S_ISREG(stat.st_mode) ||
	    (S_ISCHR(stat.st_mode) && stat.st_rdev == makedev(1, 3)))
		return false;
	if (isatty(STDIN_FILENO))
		tcflush(STDIN_FILENO, TCIFLUSH);
	return true;
}

/* Whether it is Enter: an empty line. A script's next line, or "no", is none, and what follows it is the script's.
 * What is closed, or lost with its terminal, is no longer looked at either. */
static bool read_input(struct confirmation *confirmation)
{
	char bytes[256];
	ssize_t length = read(STDIN_FILENO, bytes, sizeof(bytes));

	if (length == 0 || (length < 0 && errno != EINTR && errno != EAGAIN))
		confirmation->input = false;
	bool enter = length > 0 && (bytes[0] == '\n' || (length > 1 && bytes[0] == '\r' && bytes[1] == '\n'));
	if (length > 0 && !enter && !isatty(STDIN_FILENO))
		confirmation->input = false;
	return enter;
}

static void close_peer(int *peer)
{
	if (*peer >= 0)
		close(*peer);
	*peer = -1;
}

/* Whether the answer is on its way. What the peer has sent is taken in first: closing would else reset it, and the
 * answer with it. */
static bool answer_peer(int peer, const char *word, const char *text)
{
	char message[16 + CONFIRM_WHAT];
	int length = snprintf(message, sizeof(message), "%s%s", word, text);

	while (recv(peer, &(char){0}, 1, MSG_DONTWAIT) > 0)
		;
	return send(peer, message, (size_t)length, MSG_DONTWAIT | MSG_NOSIGNAL) == length;
}

/* Whether the peer has confirmed, and knows that it has. Anything else ends it. */
static bool read_peer(struct confirmation *confirmation, int *peer)
{
	char message[sizeof(ASK)];
	struct ucred by;
	ssize_t length = recv(*peer, message, sizeof(message), MSG_DONTWAIT);

	if (length < 0 && (errno == EAGAIN || errno == EINTR))
		return false;
	bool asked = length == (ssize_t)strlen(ASK) && memcmp(message, ASK, strlen(ASK)) == 0 &&
	             rendezvous_trusts(*peer, &by) && answer_peer(*peer, YES, confirmation->what);
	if (asked)
		confirmation->by = by;
	close_peer(peer);
	return asked;
}

/* One that is trusted, or -1. */
static int accept_peer(const struct confirmation *confirmation)
{
	int peer = accept4(confirmation->listener, NULL, NULL, SOCK_CLOEXEC);
	struct ucred by;
	if (peer >= 0 && !rendezvous_trusts(peer, &by))
		close_peer(&peer);
	return peer;
}

/* One that connects and says nothing has its place until it is needed. */
static void keep_peer(struct confirmation *confirmation, int peer)
{
	if (peer < 0)
		return;
	close_peer(&confirmation->peers[CONFIRM_PEERS - 1]);
	memmove(confirmation->peers + 1, confirmation->peers, sizeof(int) * (CONFIRM_PEERS - 1));
	confirmation->peers[0] = peer;
}

/* Answer all who have connected by now: not those who come while they are answered, who might never end. */
static void answer_all(struct confirmation *confirmation, const char *word, const char *text)
{
	struct pollfd waiting = {.fd = confirmation->listener, .events = POLLIN};
	for (size_t i = 0; i < CONFIRM_PEERS; i++) {
		if (confirmation->peers[i] >= 0)
			answer_peer(confirmation->peers[i], word, text);
		close_peer(&confirmation->peers[i]);
	}
	for (size_t i = 0; i <= RENDEZVOUS_BACKLOG && poll(&waiting, 1, 0) > 0; i++) {
		int peer = accept_peer(confirmation);
		if (peer >= 0)
			answer_peer(peer, word, text);
		close_peer(&peer);
	}
}

/* A clock that no one can set, and that goes on while the machine sleeps. */
static int start_clock(unsigned seconds)
{
	struct itimerspec end = {.it_value = {.tv_sec = seconds}};
	int clock = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC);
	if (clock >= 0 && timerfd_settime(clock, 0, &end, NULL) < 0) {
		close(clock);
		return -1;
	}
	return clock;
}

static void ask_person(const struct confirmation *confirmation, const struct settings *settings)
{
	char netns[SAFE_SIZE];
	output_flush();
	fprintf(stderr, "confirm within %u s: %srun: bondctl confirm%s%s\n", settings->confirm_within,
	        confirmation->input ? "press Enter, or " : "", settings->netns ? " -n " : "",
	        settings->netns ? output_safe(settings->netns, netns) : "");
}

/* Wait for one thing to happen; false if nothing can be waited for. */
static bool wait_once(struct confirmation *confirmation, int clock, const struct signals *signals, bool *confirmed,
                      bool *expired)
{
	enum { CLOCK, INPUT, LISTENER, PEERS, COUNT = PEERS + CONFIRM_PEERS };
	struct pollfd fds[COUNT] = {
		[CLOCK] = {.fd = clock, .events = POLLIN},
		[INPUT] = {.fd = confirmation->input ? STDIN_FILENO : -1, .events = POLLIN},
		[LISTENER] = {.fd = confirmation->listener, .events = POLLIN},
	};
	for (size_t i = 0; i < CONFIRM_PEERS; i++)
		fds[PEERS + i] = (struct pollfd){.fd = confirmation->peers[i], .events = POLLIN};

	if (ppoll(fds, COUNT, NULL, &signals->opened) < 0)
		return errno == EINTR;
	for (size_t i = 0; !*confirmed && i < CONFIRM_PEERS; i++)
		*confirmed = fds[PEERS + i].revents && read_peer(confirmation, &confirmation->peers[i]);
	if (!*confirmed && fds[INPUT].revents)
		*confirmed = read_input(confirmation);
	if (!*confirmed && fds[LISTENER].revents)
		keep_peer(confirmation, accept_peer(confirmation));
	*expired = fds[CLOCK].revents;
	return true;
}

enum verdict confirm_wait(struct confirmation *confirmation, struct context *context, const struct signals *signals)
{
	int clock = start_clock(context->settings.confirm_within);
	bool confirmed = false, expired = clock < 0;

	answer_all(confirmation, NO, TOO_EARLY);
	confirmation->input = begin_input();
	ask_person(confirmation, &context->settings);
	while (!confirmed && !expired && !signals_came(false))
		if (!wait_once(confirmation, clock, signals, &confirmed, &expired))
			break;
	if (clock >= 0)
		close(clock);
	return confirmed ? VERDICT_CONFIRMED : signals_came(false) ? VERDICT_STOPPED : VERDICT_EXPIRED;
}

void confirm_close(struct confirmation *confirmation, const char *answer)
{
	if (confirmation->listener < 0)
		return;
	answer_all(confirmation, answer ? NO : YES, answer ? answer : confirmation->what);
	close(confirmation->listener);
	confirmation->listener = -1;
}

/* --- the process that confirms --- */

static int fail(enum libbond_cause cause, int errnum, const char *message)
{
	struct libbond_error err = {.cause = cause, .errnum = errnum};
	snprintf(err.message, sizeof(err.message), "%.250s", message);
	return output_error(&err, NULL);
}

static int read_answer(int fd, struct confirmed *confirmed)
{
	char message[16 + CONFIRM_WHAT];
	ssize_t length;

	do
		length = recv(fd, message, sizeof(message) - 1, 0);
	while (length < 0 && errno == EINTR);
	message[length > 0 ? length : 0] = '\0';
	if (strncmp(message, YES, strlen(YES)) == 0) {
		snprintf(confirmed->what, sizeof(confirmed->what), "%.*s", CONFIRM_WHAT - 1, message + strlen(YES));
		return STATUS_OK;
	}
	if (strncmp(message, NO, strlen(NO)) == 0)
		return fail(LIBBOND_CAUSE_CONFLICT, 0, message + strlen(NO));
	if (geteuid() != 0)
		return fail(LIBBOND_CAUSE_PERMISSION, EPERM,
		            "not confirmed: the process that waits is another user's, or has ended");
	return fail(LIBBOND_CAUSE_CONFLICT, 0, "not confirmed: the process that waited has ended");
}

/* Nobody is there who could be asked; rc says why. */
static int fail_to_meet(int rc, const struct ucred *stranger)
{
	struct libbond_error err = {.cause = LIBBOND_CAUSE_CONFLICT, .errnum = -rc};

	switch (rc) {
	case -ENOENT:
		snprintf(err.message, sizeof(err.message), "no change waits for confirmation");
		break;
	case -EPERM:
		err.errnum = ENOENT;
		snprintf(err.message, sizeof(err.message), "no change of %s waits for confirmation",
		         geteuid() ? "root or of this user" : "root");
		snprintf(err.hint, sizeof(err.hint),
		         "process %d of user %u listens here as if one did: if it is a bondctl, confirm as that user",
		         (int)stranger->pid, (unsigned)stranger->uid);
		break;
	case -EAGAIN:
		snprintf(err.message, sizeof(err.message),
		         "not confirmed: if a change waits, too many others ask at the same time");
		snprintf(err.hint, sizeof(err.hint), "ask again");
		break;
	default:
		fail_at_system(&err, -rc, "cannot ask for a confirmation");
	}
	return output_error(&err, NULL);
}

int confirm_ask(struct context *context, struct confirmed *confirmed)
{
	struct ucred stranger;
	int fd = rendezvous_connect(context, &stranger);

	if (fd < 0)
		return fail_to_meet(fd, &stranger);
	*confirmed = (struct confirmed){0};
	rendezvous_trusts(fd, &confirmed->by);
	/* one that is gone, or does not listen any more, has said so */
	(void)send(fd, ASK, strlen(ASK), MSG_NOSIGNAL);
	int status = read_answer(fd, confirmed);
	close(fd);
	return status;
}
