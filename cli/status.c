/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The one table of exit statuses, and the one of causes. Sits between the library's errors and main.c; the
 * man page's list is printed from here.
 */
#include "status.h"

static const char *const meanings[] = {
	[STATUS_OK] = "done",
	[STATUS_REFUSED] = "the kernel refused, or something failed outside this list; diff: there are differences",
	[STATUS_USAGE] = "wrong usage or a bad value; nothing was sent",
	[STATUS_NO_DEVICE] = "no such device or namespace",
	[STATUS_NOT_PERMITTED] = "not permitted; diff: what might still differ is withheld",
	[STATUS_PRECHECK] = "refused by a check or a guard before anything was sent",
	[STATUS_UNSUPPORTED] = "not supported by this kernel",
	[STATUS_TIMEOUT] = "timed out",
	[STATUS_ROLLED_BACK] = "failed half-way or not confirmed, and what was done is undone again",
};

static const struct {
	enum libbond_cause cause;
	enum status status;
} causes[] = {
	{LIBBOND_CAUSE_TIMEOUT, STATUS_TIMEOUT},       {LIBBOND_CAUSE_PERMISSION, STATUS_NOT_PERMITTED},
	{LIBBOND_CAUSE_NO_DRIVER, STATUS_UNSUPPORTED}, {LIBBOND_CAUSE_UNSUPPORTED, STATUS_UNSUPPORTED},
	{LIBBOND_CAUSE_NO_DEVICE, STATUS_NO_DEVICE},   {LIBBOND_CAUSE_NO_NETNS, STATUS_NO_DEVICE},
	{LIBBOND_CAUSE_NOT_A_BOND, STATUS_PRECHECK},   {LIBBOND_CAUSE_NOT_A_SLAVE, STATUS_PRECHECK},
	{LIBBOND_CAUSE_HAS_MASTER, STATUS_PRECHECK},   {LIBBOND_CAUSE_EXISTS, STATUS_PRECHECK},
	{LIBBOND_CAUSE_BAD_NAME, STATUS_USAGE},        {LIBBOND_CAUSE_BAD_ATTR, STATUS_USAGE},
	{LIBBOND_CAUSE_BAD_VALUE, STATUS_USAGE},       {LIBBOND_CAUSE_WRONG_MODE, STATUS_PRECHECK},
	{LIBBOND_CAUSE_BOND_UP, STATUS_PRECHECK},      {LIBBOND_CAUSE_HAS_SLAVES, STATUS_PRECHECK},
	{LIBBOND_CAUSE_CONFLICT, STATUS_PRECHECK},     {LIBBOND_CAUSE_GUARD, STATUS_PRECHECK},
	{LIBBOND_CAUSE_CANCELLED, STATUS_REFUSED},
};

const char *status_meaning(int status)
{
	return status >= 0 && status < (int)(sizeof(meanings) / sizeof(meanings[0])) ? meanings[status] : NULL;
}

int status_of(const struct libbond_error *err)
{
	if (err->rolled_back)
		return STATUS_ROLLED_BACK;
	for (size_t i = 0; i < sizeof(causes) / sizeof(causes[0]); i++)
		if (causes[i].cause == err->cause)
			return causes[i].status;
	return STATUS_REFUSED;
}
