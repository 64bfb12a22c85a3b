/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Filling struct libbond_error as the library does. Every function takes err == NULL; lab_fail() returns -errnum, so
 * that a failure is one statement: return lab_fail(err, LIBBOND_CAUSE_..., ENOENT, "there is no ...");
 */
#ifndef LAB_FAIL_H
#define LAB_FAIL_H

#include "libbond.h"

/* Start an error: everything else in it is cleared. errnum is positive. */
__attribute__((format(printf, 4, 5))) int lab_fail(struct libbond_error *err, enum libbond_cause cause, int errnum,
                                                   const char *format, ...);
/* Add to an error that lab_fail() started. */
__attribute__((format(printf, 2, 3))) void lab_fail_hint(struct libbond_error *err, const char *format, ...);
void lab_fail_device(struct libbond_error *err, const char *device);
void lab_fail_kernel(struct libbond_error *err, const char *text);
/* -ENOMEM with cause MEMORY. */
int lab_fail_memory(struct libbond_error *err);

#endif
