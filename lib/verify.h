/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Comparing what was wanted with what the kernel says afterwards. */
#ifndef LB_VERIFY_H
#define LB_VERIFY_H

#include "prepare.h"

/*
 * Mark every value that was sent to a device as applied, unverified, ignored or overridden, and note what
 * changed along with it. "before" is work->link, NULL for a new device; "after" is the device now. 0, or
 * the failure of the first value that did not take hold: cause UNSUPPORTED, IGNORED or OVERRIDDEN.
 */
int lb_verify(const struct lb_work *work, const struct libbond_link *after, struct libbond_report *report,
              struct libbond_error *err);
/*
 * After a change that failed: mark what took hold all the same as applied. If the kernel refused a value, mark
 * that one (where it did not say which, the first that did not take hold, and complete err with it); if no
 * answer came, the rest is unverified; else it was not tried. err is not NULL.
 */
void lb_verify_refused(const struct lb_work *work, const struct libbond_link *after, struct libbond_report *report,
                       struct libbond_error *err);

/* Whether a link has a value now. */
bool lb_verify_holds(const struct lb_want *want, const struct libbond_link *after);

#endif
