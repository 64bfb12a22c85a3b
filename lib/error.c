/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Fills errors and names their causes. Called from everywhere in the library; answer.c adds what the kernel
 * said.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "error.h"

static const struct {
	enum libbond_cause cause;
	const char *name;
} causes[] = {
	{LIBBOND_CAUSE_NONE, "none"},
	{LIBBOND_CAUSE_SYSTEM, "system"},
	{LIBBOND_CAUSE_MEMORY, "memory"},
	{LIBBOND_CAUSE_PROTOCOL, "protocol"},
	{LIBBOND_CAUSE_TIMEOUT, "timeout"},
	{LIBBOND_CAUSE_INTERRUPTED, "interrupted"},
	{LIBBOND_CAUSE_REFUSED, "refused"},
	{LIBBOND_CAUSE_PERMISSION, "permission"},
	{LIBBOND_CAUSE_NO_DRIVER, "no_driver"},
	{LIBBOND_CAUSE_UNSUPPORTED, "unsupported"},
	{LIBBOND_CAUSE_IGNORED, "ignored"},
	{LIBBOND_CAUSE_OVERRIDDEN, "overridden"},
	{LIBBOND_CAUSE_NO_DEVICE, "no_device"},
	{LIBBOND_CAUSE_NO_NETNS, "no_netns"},
	{LIBBOND_CAUSE_NOT_A_BOND, "not_a_bond"},
	{LIBBOND_CAUSE_NOT_A_SLAVE, "not_a_slave"},
	{LIBBOND_CAUSE_HAS_MASTER, "has_master"},
	{LIBBOND_CAUSE_EXISTS, "exists"},
	{LIBBOND_CAUSE_BAD_NAME, "bad_name"},
	{LIBBOND_CAUSE_BAD_ATTR, "bad_attr"},
	{LIBBOND_CAUSE_BAD_VALUE, "bad_value"},
	{LIBBOND_CAUSE_WRONG_MODE, "wrong_mode"},
	{LIBBOND_CAUSE_BOND_UP, "bond_up"},
	{LIBBOND_CAUSE_HAS_SLAVES, "has_slaves"},
	{LIBBOND_CAUSE_CONFLICT, "conflict"},
	{LIBBOND_CAUSE_GUARD, "guard"},
	{LIBBOND_CAUSE_CANCELLED, "cancelled"},
};

const char *libbond_cause_name(enum libbond_cause cause)
{
	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++)
		if (causes[i].cause == cause)
			return causes[i].name;
	return "unknown";
}

int lb_fail(struct libbond_error *err, enum libbond_cause cause, int errnum, const char *format, ...)
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
	return errnum ? -errnum : -EIO;
}

void lb_fail_attr(struct libbond_error *err, const struct libbond_attr *attr)
{
	if (err)
		err->attr = attr;
}

void lb_fail_device(struct libbond_error *err, const char *device)
{
	if (err)
		snprintf(err->device, sizeof(err->device), "%s", device);
}

void lb_fail_hint(struct libbond_error *err, const char *format, ...)
{
	va_list args;

	if (!err)
		return;
	va_start(args, format);
	vsnprintf(err->hint, sizeof(err->hint), format, args);
	va_end(args);
}

int lb_fail_memory(struct libbond_error *err)
{
	return lb_fail(err, LIBBOND_CAUSE_MEMORY, ENOMEM, "out of memory");
}
