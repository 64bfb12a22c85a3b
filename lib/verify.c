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

enum verdict { HOLDS, MISSING, UNTOUCHED, OTHER };

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
	if (!reported)
		return MISSING;
	if (before && lb_link_value(before, want->attr, &then) == 0 && lb_value_equal(want->attr, &now, &then))
		return UNTOUCHED;
	return OTHER;
}

static int fail_dropped(const struct lb_work *work, const struct lb_want *want, enum verdict verdict,
                        struct libbond_report *report, struct libbond_error *err)
{
	const char *name = want->attr->name;
	lb_report_mark(report, work->device, want->attr, LIBBOND_OUTCOME_IGNORED);
	if (verdict == MISSING) {
		lb_fail(err, LIBBOND_CAUSE_UNSUPPORTED, EOPNOTSUPP,
		        "cannot set %s on %s: this kernel's driver does not know it", name, work->device);
		lb_fail_hint(err, "it came with Linux %s", want->attr->since);
	} else {
		lb_fail(err, LIBBOND_CAUSE_IGNORED, EOPNOTSUPP,
		        "cannot set %s on %s: the kernel accepted it and kept the old value", name, work->device);
	}
	lb_fail_attr(err, want->attr);
	lb_fail_device(err, work->device);
	return -EOPNOTSUPP;
}

/* What the driver cannot show, or shows otherwise with reason: a pending primary, a cleared active slave. */
static void mark_unverified(const struct lb_work *work, const struct lb_want *want, enum verdict verdict,
                            const struct libbond_link *after, struct libbond_report *report)
{
	char now[LIBBOND_TEXT_SIZE];

	lb_report_mark(report, work->device, want->attr, LIBBOND_OUTCOME_UNVERIFIED);
	if (want->attr->presence == LIBBOND_PRESENT_PRIVILEGED)
		lb_report_note(report, work->device, want->attr,
		               "accepted; reading it takes CAP_NET_ADMIN in the initial user namespace");
	else if (verdict == MISSING && want->attr->type == LIBBOND_TYPE_LINK && *want->link)
		lb_report_note(report, work->device, want->attr,
		               "pending: %s is no slave of %s yet, and counts once it is", want->link, work->device);
	else if (libbond_link_text(after, want->attr, now, sizeof(now)) >= 0)
		lb_report_note(report, work->device, want->attr, "accepted; now it is %s", now);
}

static bool is_excused(const struct lb_want *want, enum verdict verdict)
{
	const struct libbond_attr *attr = want->attr;
	if (verdict == OTHER || (verdict == MISSING && attr->presence == LIBBOND_PRESENT_PRIVILEGED))
		return true;
	if (attr->type == LIBBOND_TYPE_LINK && want->value.number == 0)
		return true; /* cleared: the driver has chosen anew, maybe the same */
	return verdict == MISSING && (attr->flags & LIBBOND_ATTR_NOT_VERIFIED);
}

int lb_verify(const struct lb_work *work, const struct libbond_link *after, struct libbond_report *report,
              struct libbond_error *err)
{
	int rc = 0;

	for (size_t i = 0; i < work->config->count; i++) {
		const struct lb_want *want = &work->config->wants[i];
		enum verdict verdict = judge(want, work->link, after);
		if (verdict == HOLDS)
			lb_report_mark(report, work->device, want->attr, LIBBOND_OUTCOME_APPLIED);
		else if (is_excused(want, verdict))
			mark_unverified(work, want, verdict, after, report);
		else
			rc = fail_dropped(work, want, verdict, report, rc ? NULL : err);
	}
	return rc;
}

void lb_verify_refused(const struct lb_work *work, const struct libbond_link *after, struct libbond_report *report,
                       struct libbond_error *err)
{
	enum libbond_outcome outcome = lb_outcome_of(err);
	bool guess = err->cause == LIBBOND_CAUSE_REFUSED && !err->attr;

	for (size_t i = 0; i < work->config->count; i++) {
		const struct lb_want *want = &work->config->wants[i];
		if (want->attr != err->attr && judge(want, work->link, after) == HOLDS) {
			lb_report_mark(report, work->device, want->attr, LIBBOND_OUTCOME_APPLIED);
			continue;
		}
		if (guess)
			err->attr = want->attr;
		guess = false;
		if (want->attr == err->attr || outcome == LIBBOND_OUTCOME_UNVERIFIED)
			lb_report_mark(report, work->device, want->attr, outcome);
	}
}
