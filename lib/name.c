/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What can be the name of an interface. Sits before every request that names a device to be made
 * (create.c), so that an impossible name is refused with its reason instead of a bare EINVAL.
 */
#include <errno.h>
#include <string.h>

#include "error.h"

static const char *name_fault(const char *name)
{
	/* names that the kernel's trees of sysctl and sysfs keep for themselves */
	static const char *const reserved[] = {".", "..", "all", "default", "bonding_masters"};

	if (*name == '\0')
		return "is empty";
	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++)
		if (strcmp(name, reserved[i]) == 0)
			return "is reserved by the kernel";
	for (const char *p = name; *p; p++) {
		if (*p == '/' || *p == ':')
			return "has a '/' or ':', which no interface name can have";
		if (*p == '%')
			return "has a '%', which the kernel takes for a template";
		if (*p == ' ' || (*p >= '\t' && *p <= '\r') || (unsigned char)*p == 0xa0)
			return "has white space, which no interface name can have";
	}
	if (strlen(name) >= LIBBOND_NAME_SIZE)
		return "is longer than 15 bytes";
	return NULL;
}

int libbond_name_check(const char *name, struct libbond_error *err)
{
	const char *fault = name_fault(name);
	if (!fault)
		return 0;
	int rc = lb_fail(err, LIBBOND_CAUSE_BAD_NAME, EINVAL, "the name '%.127s' %s", name, fault);
	lb_fail_device(err, name);
	return rc;
}
