/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Compares what a report says with what the fake kernel's store holds. Shared by the tests that let changes fail:
 * faults.c, undo.c, random.c.
 */
#include "account.h"

#include <stdio.h>
#include <string.h>

#include "unit.h"

/* Lost, or another's, or in force and staying so; or nobody could look. */
static bool says_it_stays(const struct libbond_report_line *line)
{
	return line->outcome == LIBBOND_OUTCOME_LOST || line->outcome == LIBBOND_OUTCOME_OVERRIDDEN ||
	       line->outcome == LIBBOND_OUTCOME_APPLIED || line->outcome == LIBBOND_OUTCOME_UNVERIFIED;
}

static bool is_any(const char *text, const char *const *words, bool whole)
{
	for (; *words; words++)
		if (strncmp(text, *words, whole ? strlen(text) + 1 : strlen(*words)) == 0)
			return true;
	return false;
}

/* Whether a line is about this: an attribute; whether a device is there, or where it belongs; what hangs on it. */
static bool is_about(const struct libbond_report_line *line, const struct fake_difference *difference)
{
	static const char *const there[] = {"create", "delete", NULL}, *const place[] = {"enslave", "release", NULL};
	static const char *const of_there[] = {"device", "that it is there", NULL};
	static const char *const of_place[] = {"its place in ", "that it is a slave of ", NULL};

	bool nobodys = *difference->device == '\0';

	if ((!nobodys && strcmp(line->device, difference->device) != 0) || line->attr != difference->attr)
		return false;
	if (line->attr)
		return true;
	if (strcmp(difference->what, "device") == 0)
		return is_any(line->action, there, true) || is_any(line->value, of_there, false);
	if (strcmp(difference->what, "master") == 0)
		return is_any(line->action, place, true) || is_any(line->value, of_place, false);
	return strstr(line->value, difference->what) != NULL;
}

bool account_names(const struct libbond_report *report, const struct fake_difference *difference)
{
	struct libbond_report_line line;

	for (size_t i = 0; libbond_report_line(report, i, &line) == 0; i++)
		if (says_it_stays(&line) && is_about(&line, difference))
			return true;
	return false;
}

bool account_is_drawn_anew(const struct libbond_report *report, const struct fake_difference *difference)
{
	struct libbond_report_line line;

	for (size_t i = 0; libbond_report_line(report, i, &line) == 0; i++)
		if (difference->attr == LINK("address") && is_about(&line, difference) &&
		    strstr(line.note, "drawn anew"))
			return true;
	return false;
}

bool account_is_new(struct account_kinds *kinds, const char *sentence)
{
	for (unsigned i = 0; i < kinds->count; i++)
		if (strcmp(kinds->known[i], sentence) == 0)
			return false;
	if (kinds->count == COUNT(kinds->known))
		return false;
	snprintf(kinds->known[kinds->count++], sizeof(kinds->known[0]), "%s", sentence);
	return true;
}

/* --- checking --- */

struct checker {
	const struct account *account;
	void (*complain)(void *context, const char *sentence);
	void *context;
	struct fake_difference differences[FAKE_DIFFERENCES];
	size_t count;
};

__attribute__((format(printf, 2, 3))) static void complain(struct checker *c, const char *format, ...)
{
	char sentence[256];
	va_list args;
	va_start(args, format);
	vsnprintf(sentence, sizeof(sentence), format, args);
	va_end(args);
	c->complain(c->context, sentence);
}

static void check_error(struct checker *c)
{
	const struct account *a = c->account;
	struct libbond_report_line line;

	if (a->rc > 0 || (a->rc < 0 && (a->err->errnum != -a->rc || !*a->err->message)))
		complain(c, "the error does not fit");
	for (size_t i = 0; a->rc == 0 && libbond_report_line(a->report, i, &line) == 0; i++)
		if (line.outcome == LIBBOND_OUTCOME_NOT_TRIED || line.outcome == LIBBOND_OUTCOME_ROLLED_BACK)
			complain(c, "success, and %s is %s", line.device, libbond_outcome_name(line.outcome));
}

/* The options of a device that is there, or a slave, and was not: nothing is left to compare them with. */
static bool is_beyond(const struct checker *c, const struct libbond_report_line *line)
{
	bool of_slave = line->attr && libbond_attr_scope(line->attr) == LIBBOND_SCOPE_SLAVE;

	for (size_t d = 0; line->attr && d < c->count; d++)
		if (strcmp(c->differences[d].device, line->device) == 0 &&
		    strcmp(c->differences[d].what, of_slave ? "master" : "device") == 0)
			return true;
	return false;
}

static void check_claim(struct checker *c, const struct libbond_report_line *line)
{
	const char *what = line->attr ? libbond_attr_name(line->attr) : *line->value ? line->value : line->action;
	bool differs = false, put_back = strcmp(line->action, "put_back") == 0;

	for (size_t d = 0; d < c->count; d++)
		differs |= is_about(line, &c->differences[d]);
	if (strncmp(line->value, "order of its slaves", 19) == 0 ||
	    strncmp(line->value, "its settings as a port", 22) == 0 || strstr(line->note, "drawn anew") ||
	    is_beyond(c, line))
		return; /* of these the store knows nothing */
	if (line->outcome == LIBBOND_OUTCOME_APPLIED && !differs && !put_back && strcmp(line->value, line->was) != 0)
		complain(c, "%s of %s is said to be in force, and is not", what, line->device);
	if (line->outcome == LIBBOND_OUTCOME_LOST && !differs)
		complain(c, "%s of %s is said to be lost, and is not", what, line->device);
	if (line->outcome == LIBBOND_OUTCOME_ROLLED_BACK && differs && !put_back)
		complain(c, "%s of %s is said to be undone, and is not", what, line->device);
}

static void check_undone(struct checker *c)
{
	for (size_t i = 0; i < c->count; i++)
		if (!account_is_drawn_anew(c->account->report, &c->differences[i])) {
			complain(c, "%s of %s is not as it was, and all is said to be undone", c->differences[i].what,
			         c->differences[i].device);
			return;
		}
}

/* Which slave is active, or primary, follows from the rest, where more than that is not as it was. */
static void check_named(struct checker *c)
{
	for (size_t i = 0; i < c->count; i++) {
		const struct libbond_attr *attr = c->differences[i].attr;
		bool follows = c->count > 1 && attr && attr->type == LIBBOND_TYPE_LINK;
		if (follows || account_names(c->account->report, &c->differences[i]))
			continue;
		complain(c, "nobody says that %s of %s is not what it was", c->differences[i].what,
		         c->differences[i].device);
		return;
	}
}

void account_check(const struct account *account, void (*complain_)(void *context, const char *sentence),
                   void *context)
{
	struct checker c = {.account = account, .complain = complain_, .context = context};
	const struct libbond_error *err = account->err;
	bool done = account->rc == 0 || strncmp(err->message, "all is done, but ", 17) == 0;
	bool nobody_knows = account->rc < 0 && strstr(err->hint, "what state was left is not known");
	struct libbond_report_line line;

	check_error(&c);
	if (done && !account->wanted)
		return;
	c.count = fake_compare(done ? account->wanted : account->before, account->after, c.differences);
	if (!done && err->rolled_back)
		check_undone(&c);
	else if (!nobody_knows)
		check_named(&c);
	for (size_t i = 0; !done && !nobody_knows && libbond_report_line(account->report, i, &line) == 0; i++)
		check_claim(&c, &line);
}
