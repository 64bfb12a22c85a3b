/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Judges a change by reading back: the kernel drops what it does not know without a word, and leaves a
 * refused request half applied. Sits between the changes and the report.
 */
#include "verify.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "link.h"

enum verdict { HOLDS, MISSING, UNTOUCHED, OTHER, GONE };

static enum verdict judge(const struct lb_want *want, const struct libbond_link *before,
                          const struct libbond_link *after)
{
	struct lb_value now = {0}, then = {0};
	bool reported = lb_link_value(after, want->attr, &now) == 0;

	if (!reported && want->attr->presence != LIBBOND_PRESENT_IF_SET)
		return MISSING;
	if (want->attr->type == LIBBOND_TYPE_LINK ? now.number == want->value.number
	                                          : lb_value_equal(want->attr, &now, &want->value))
		return HOLDS;
	/* a reading after a change has the devices that its values name */
	if (want->attr->type == LIBBOND_TYPE_LINK && want->value.number &&
	    !libbond_snapshot_by_index(after->snapshot, (unsigned)want->value.number))
		return GONE;
	if (!reported)
		return MISSING;
	/* only of such a row the driver may accept a value and keep the old one; else somebody has put it back */
	if (before && (want->attr->flags & LIBBOND_ATTR_NOT_VERIFIED) &&
	    lb_link_value(before, want->attr, &then) == 0 && lb_value_equal(want->attr, &now, &then))
		return UNTOUCHED;
	return OTHER;
}

static int fail_overridden(const struct lb_work *work, const struct lb_want *want, const struct libbond_link *after,
                           struct libbond_error *err)
{
	char now[LIBBOND_TEXT_SIZE] = "";

	/* a device that is not in this reading has no name here */
	if (want->attr->type != LIBBOND_TYPE_LINK)
		libbond_link_text(after, want->attr, now, sizeof(now));
	return lb_fail(err, LIBBOND_CAUSE_OVERRIDDEN, EBUSY,
	               "%s on %s is not what was set: the driver or another program has changed it since%s%.64s",
	               want->attr->name, work->device, *now ? ", to " : "", now);
}

static int fail_dropped(const struct lb_work *work, const struct lb_want *want, enum verdict verdict,
                        const struct libbond_link *after, struct libbond_report *report, struct libbond_error *err)
{
	enum libbond_outcome outcome = LIBBOND_OUTCOME_IGNORED;
	int rc;

	switch (verdict) {
	case MISSING:
		rc = lb_fail(err, LIBBOND_CAUSE_UNSUPPORTED, EOPNOTSUPP,
		             "cannot set %s on %s: this kernel's driver does not know it", want->attr->name,
		             work->device);
		lb_fail_hint(err, "it came with Linux %s", want->attr->since);
		break;
	case UNTOUCHED:
		rc = lb_fail(err, LIBBOND_CAUSE_IGNORED, EOPNOTSUPP,
		             "cannot set %s on %s: the kernel accepted it and kept the old value", want->attr->name,
		             work->device);
		break;
	case GONE:
		outcome = LIBBOND_OUTCOME_OVERRIDDEN;
		rc = lb_fail_no_device(want->link, err);
		break;
	default:
		outcome = LIBBOND_OUTCOME_OVERRIDDEN;
		rc = fail_overridden(work, want, after, err);
		break;
	}
	lb_report_mark(report, work->device, want->attr, outcome);
	lb_fail_attr(err, want->attr);
	if (verdict != GONE)
		lb_fail_device(err, work->device);
	return rc;
}

/* What the driver does not show to this reader, or not yet. */
static void mark_unverified(const struct lb_work *work, const struct lb_want *want, struct libbond_report *report)
{
	lb_report_mark(report, work->device, want->attr, LIBBOND_OUTCOME_UNVERIFIED);
	if (want->attr->presence == LIBBOND_PRESENT_PRIVILEGED)
		lb_report_note(report, work->device, want->attr,
		               "accepted; reading it takes CAP_NET_ADMIN in the initial user namespace");
	else if (*want->link)
		lb_report_note(report, work->device, want->attr,
		               "pending: %s is no slave of %s yet, and counts once it is", want->link, work->device);
}

/* Cleared: the driver has chosen anew at once, maybe the same. */
static bool is_cleared(const struct lb_want *want)
{
	return want->attr->type == LIBBOND_TYPE_LINK && want->value.number == 0;
}

static bool is_excused(const struct lb_want *want, enum verdict verdict)
{
	return verdict == MISSING && (want->attr->presence == LIBBOND_PRESENT_PRIVILEGED ||
	                              (want->attr->flags & LIBBOND_ATTR_NOT_VERIFIED));
}

/* A description names every option, among them some that this kernel does not have: their default is what it does. */
static bool is_absent_default(const struct lb_work *work, const struct lb_want *want, enum verdict verdict)
{
	return work->lenient && verdict == MISSING && lb_want_is_default(want);
}

int lb_verify(const struct lb_work *work, const struct libbond_link *after, struct libbond_report *report,
              struct libbond_error *err)
{
	int rc = 0;

	for (size_t i = 0; i < work->config->count; i++) {
		const struct lb_want *want = &work->config->wants[i];
		enum verdict verdict = judge(want, work->link, after);
		if (verdict == HOLDS || is_cleared(want))
			lb_report_mark(report, work->device, want->attr, LIBBOND_OUTCOME_APPLIED);
		else if (is_absent_default(work, want, verdict))
			lb_report_mark(report, work->device, want->attr, LIBBOND_OUTCOME_UNCHANGED);
		else if (is_excused(want, verdict))
			mark_unverified(work, want, report);
		else
			rc = fail_dropped(work, want, verdict, after, report, rc ? NULL : err);
	}
	return rc;
}

bool lb_verify_holds(const struct lb_want *want, const struct libbond_link *after)
{
	return judge(want, NULL, after) == HOLDS;
}

/* The kernel did not say which value it meant: now it is known. */
static void name_culprit(const struct lb_work *work, const struct lb_want *want, struct libbond_error *err)
{
	char words[sizeof(err->message)];
	const char *colon = strstr(err->message, ": ");

	snprintf(words, sizeof(words), "%s", colon ? colon + 2 : err->message);
	snprintf(err->message, sizeof(err->message), "cannot set %s on %s: %.192s", want->attr->name, work->device,
	         words);
	err->attr = want->attr;
}

void lb_verify_refused(const struct lb_work *work, const struct libbond_link *after, struct libbond_report *report,
                       struct libbond_error *err)
{
	enum libbond_outcome outcome = lb_outcome_of(err);
	bool guess = err->cause == LIBBOND_CAUSE_REFUSED && !err->attr;

	for (size_t i = 0; i < work->config->count; i++) {
		const struct lb_want *want = &work->config->wants[i];
		bool named = err->attr && want->attr == err->attr;
		if (!named && judge(want, work->link, after) == HOLDS) {
			bool held = work->link && lb_verify_holds(want, work->link);
			lb_report_mark(report, work->device, want->attr,
			               held ? LIBBOND_OUTCOME_UNCHANGED : LIBBOND_OUTCOME_APPLIED);
			continue;
		}
		if (guess)
			name_culprit(work, want, err);
		if (named || guess || outcome == LIBBOND_OUTCOME_UNVERIFIED)
			lb_report_mark(report, work->device, want->attr, outcome);
		guess = false;
	}
}
