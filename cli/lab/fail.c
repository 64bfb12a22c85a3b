/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fills the library's error structure with failures of the laboratory. Called from every file of this folder; the
 * output of the tool prints it like any other error.
 */
#include "lab/fail.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int lab_fail(struct libbond_error *err, enum libbond_cause cause, int errnum, const char *format, ...)
{
	va_list args;

	if (err) {
		memset(err, 0, sizeof(*err));
		err->cause = cause;
		err->errnum = errnum;
		va_start(args, format);
		vsnprintf(err->message, sizeof(err->message), format, args);
		va_end(args);
	}
	return -errnum;
}

void lab_fail_hint(struct libbond_error *err, const char *format, ...)
{
	va_list args;

	if (!err)
		return;
	va_start(args, format);
	vsnprintf(err->hint, sizeof(err->hint), format, args);
	va_end(args);
}

void lab_fail_device(struct libbond_error *err, const char *device)
{
	if (err)
		snprintf(err->device, sizeof(err->device), "%s", device);
}

void lab_fail_kernel(struct libbond_error *err, const char *text)
{
	if (err)
		snprintf(err->kernel, sizeof(err->kernel), "%s", text);
}

int lab_fail_memory(struct libbond_error *err)
{
	return lab_fail(err, LIBBOND_CAUSE_MEMORY, ENOMEM, "out of memory");
}
