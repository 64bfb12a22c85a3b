/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* From the kernel's refusal to an error that a person understands. */
#ifndef LB_ANSWER_H
#define LB_ANSWER_H

#include "config.h"
#include "exchange.h"

/* What a refused request was about; decides how an errno without words is explained. */
enum lb_deed { LB_DEED_READ, LB_DEED_CREATE, LB_DEED_DELETE, LB_DEED_SET, LB_DEED_ENSLAVE, LB_DEED_RELEASE };

/*
 * Turn the refusal of a request into an error. "device" is whose request it was, "other" the bond of an
 * enslaved or released device (else NULL), "config" what was sent (or NULL): if the kernel did not say
 * which attribute it meant and only one was sent, it was that one. Returns -errno.
 */
int lb_fail_answer(const struct lb_request *request, enum lb_deed deed, const char *device, const char *other,
                   const struct libbond_config *config, struct libbond_error *err);

#endif
