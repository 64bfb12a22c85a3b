/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The exit statuses: what each means, and which cause of the library leads to which. */
#ifndef STATUS_H
#define STATUS_H

#include "bondctl.h"

/* Meaning of a status, NULL past the last. */
const char *status_meaning(int status);
/* Status for an error of the library. */
int status_of(const struct libbond_error *err);

#endif
