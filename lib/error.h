/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Filling struct libbond_error. Every function takes err == NULL and returns -errno, so that a failure is
 * one statement: return lb_fail(err, LIBBOND_CAUSE_..., EINVAL, "cannot ...");
 */
#ifndef LB_ERROR_H
#define LB_ERROR_H

#include "attr.h"

/* Start an error: everything else in it is cleared. errnum is positive; returns -errnum (-EIO for 0). */
__attribute__((format(printf, 4, 5))) int lb_fail(struct libbond_error *err, enum libbond_cause cause, int errnum,
                                                  const char *format, ...);
/* Add to an error that lb_fail() started. */
void lb_fail_attr(struct libbond_error *err, const struct libbond_attr *attr);
void lb_fail_device(struct libbond_error *err, const char *device);
__attribute__((format(printf, 2, 3))) void lb_fail_hint(struct libbond_error *err, const char *format, ...);
/* -ENOMEM with cause MEMORY. */
int lb_fail_memory(struct libbond_error *err);

#endif
