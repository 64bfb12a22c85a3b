/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Comparing what was wanted with what the kernel says afterwards. */
#ifndef LB_VERIFY_H
#define LB_VERIFY_H

#include "prepare.h"

/*
 * Mark every value that was sent to a device as applied, unverified or ignored. "before" is the device
 * before the change (NULL for a new one), "after" the device now. 0; -EOPNOTSUPP with cause UNSUPPORTED or
 * IGNORED for the first value that the kernel accepted and dropped.
 */
int lb_verify(const struct lb_work *work, const struct libbond_link *after, struct libbond_report *report,
	      struct libbond_error *err);
/*
 * After a refusal: mark what took hold before it as applied, the value at fault as refused (where the
 * kernel did not say, the first that did not take hold), the rest as not tried. Completes err with it.
 */
void lb_verify_refused(const struct lb_work *work, const struct libbond_link *after, struct libbond_report *report,
		       struct libbond_error *err);

#endif
