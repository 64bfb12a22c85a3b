/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Explains a refusal: cause, attribute, the kernel's words, what to do. Sits between exchange.c, which took
 * the kernel's answer, and the changes. An errno alone misleads ("Permission denied" for a wrong mode), so
 * each deed has its own table of what the driver means by it.
 */
#include "answer.h"

#include <errno.h>
#include <linux/if_link.h>
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "message.h"

struct meaning {
	enum lb_deed deed;
	int errnum;
	enum libbond_cause cause;
	const char *words, *hint;
};

/* bond_opts.c (__bond_opt_set_notify), bond_main.c (bond_enslave), rtnetlink.c; see the header */
/* clang-format off */
static const struct meaning meanings[] = {
	{LB_DEED_SET, EACCES, LIBBOND_CAUSE_REFUSED, "the bond's mode does not take it", ""},
	{LB_DEED_SET, EBUSY, LIBBOND_CAUSE_REFUSED, "it cannot change while the bond is up", ""},
	{LB_DEED_SET, ENOTEMPTY, LIBBOND_CAUSE_REFUSED, "it cannot change while the bond has slaves", ""},
	{LB_DEED_SET, EINVAL, LIBBOND_CAUSE_REFUSED, "the driver does not take this value", ""},
	{LB_DEED_SET, ERANGE, LIBBOND_CAUSE_REFUSED, "it is out of the range of the kernel, or of a slave", ""},
	{LB_DEED_SET, EADDRNOTAVAIL, LIBBOND_CAUSE_REFUSED, "the address cannot be a device's", ""},
	{LB_DEED_SET, EOPNOTSUPP, LIBBOND_CAUSE_REFUSED, "the driver cannot do that in this state", ""},
	{LB_DEED_CREATE, EOPNOTSUPP, LIBBOND_CAUSE_NO_DRIVER, "the kernel has no bonding driver, and could not load it",
	 "modprobe bonding; the module may be in a package linux-modules-extra or kernel-modules-extra; in a container: on the host"},
	{LB_DEED_CREATE, EEXIST, LIBBOND_CAUSE_EXISTS, "a device of that name is there already", ""},
	{LB_DEED_CREATE, EACCES, LIBBOND_CAUSE_REFUSED, "the bond's mode does not take an option", ""},
	{LB_DEED_CREATE, EINVAL, LIBBOND_CAUSE_REFUSED, "the driver does not take it", ""},
	{LB_DEED_CREATE, EADDRNOTAVAIL, LIBBOND_CAUSE_REFUSED, "the address cannot be a device's", ""},
	{LB_DEED_ENSLAVE, EPERM, LIBBOND_CAUSE_REFUSED, "the driver does not take this device", ""},
	{LB_DEED_ENSLAVE, EINVAL, LIBBOND_CAUSE_REFUSED, "the device does not fit this bond", ""},
	{LB_DEED_ENSLAVE, EBUSY, LIBBOND_CAUSE_REFUSED, "the device is in use by another driver, the two would "
							"contain each other, or what is on the bond does not let it take the type of "
							"the device", ""},
	{LB_DEED_ENSLAVE, EOPNOTSUPP, LIBBOND_CAUSE_REFUSED, "the device cannot change its MAC address",
	 "only active-backup with fail_over_mac active takes it"},
	{LB_DEED_ENSLAVE, EFAULT, LIBBOND_CAUSE_REFUSED, "balance-alb needs a MAC address of its own for each "
							 "slave", ""},
	{LB_DEED_ENSLAVE, EMLINK, LIBBOND_CAUSE_REFUSED, "devices are stacked more than eight deep", ""},
	{LB_DEED_ENSLAVE, ENETDOWN, LIBBOND_CAUSE_REFUSED, "the device cannot be opened",
	 "is the device below it up?"},
	{LB_DEED_ENSLAVE, EADDRINUSE, LIBBOND_CAUSE_REFUSED, "it cannot have the bond's MAC address, which another device "
							     "beside it has", ""},
	{LB_DEED_ENSLAVE, EADDRNOTAVAIL, LIBBOND_CAUSE_REFUSED, "the device's address cannot be used", ""},
};
/* clang-format on */

static const struct meaning *find_meaning(enum lb_deed deed, int errnum)
{
	for (size_t i = 0; i < sizeof(meanings) / sizeof(meanings[0]); i++)
		if (meanings[i].deed == deed && meanings[i].errnum == errnum)
			return &meanings[i];
	return NULL;
}

static const char *verb_of(enum lb_deed deed)
{
	static const char *const verbs[] = {"read", "create", "delete", "change", "enslave", "release"};
	return verbs[deed];
}

/* Whether the errno can be about the value of an option at all. */
static bool is_of_value(int errnum)
{
	static const int errnums[] = {EACCES, EBUSY, ENOTEMPTY, EINVAL, ERANGE, EADDRNOTAVAIL};
	for (size_t i = 0; i < sizeof(errnums) / sizeof(errnums[0]); i++)
		if (errnums[i] == errnum)
			return true;
	return false;
}

static const struct libbond_attr *attr_of(const struct lb_request *request, const struct libbond_config *config)
{
	if (request->answer.offset)
		return lb_message_attr_at(request->nlh, request->answer.offset);
	if (!config || config->count != 1 || !is_of_value(request->answer.errnum))
		return NULL;
	return config->wants[0].attr;
}

/* "set miimon on bond0", "enslave eth0 to bond0", "create bond0" */
static void describe(char *buf, size_t size, enum lb_deed deed, const struct libbond_attr *attr, const char *device,
                     const char *other)
{
	if (attr && deed == LB_DEED_SET)
		snprintf(buf, size, "set %s on %s", attr->name, device);
	else if (attr && deed == LB_DEED_CREATE)
		snprintf(buf, size, "create %s with this %s", device, attr->name);
	else if (other)
		snprintf(buf, size, "%s %s %s %s", verb_of(deed), device, deed == LB_DEED_ENSLAVE ? "to" : "from",
		         other);
	else
		snprintf(buf, size, "%s %s", verb_of(deed), device);
}

int lb_fail_answer(const struct lb_request *request, enum lb_deed deed, const char *device, const char *other,
                   const struct libbond_config *config, struct libbond_error *err)
{
	const struct lb_answer *answer = &request->answer;
	const struct libbond_attr *attr = attr_of(request, config);
	const struct meaning *meaning = find_meaning(deed, answer->errnum);
	enum libbond_cause cause = meaning ? meaning->cause : LIBBOND_CAUSE_REFUSED;
	const char *words = meaning ? meaning->words : strerror(answer->errnum);
	const char *hint = meaning ? meaning->hint : "";
	char what[192];

	describe(what, sizeof(what), deed, attr, device, other);
	if (answer->errnum == ENODEV) {
		cause = LIBBOND_CAUSE_NO_DEVICE;
		words = "there is no such device";
	} else if (answer->errnum == EPERM && *answer->text == '\0') {
		/* the checks have caught the driver's own bare EPERMs: this is rtnetlink's */
		cause = LIBBOND_CAUSE_PERMISSION;
		words = "not permitted";
		hint = "run it as root, or with CAP_NET_ADMIN";
	} else if (deed == LB_DEED_ENSLAVE && answer->errnum == EINVAL && *answer->text == '\0') {
		/* rtnetlink does not say that the master's index is nobody's */
		words = "the device does not fit this bond, or the bond is gone";
	} else if (deed == LB_DEED_CREATE && answer->errnum == EOPNOTSUPP && attr) {
		cause = LIBBOND_CAUSE_REFUSED; /* the driver is there and means the attribute */
		words = "the driver does not take it";
		hint = "";
	}
	lb_fail(err, cause, answer->errnum, "cannot %s: %s", what, words);
	lb_fail_device(err, device);
	lb_fail_attr(err, attr);
	if (attr && answer->errnum == EINVAL && attr->words)
		lb_fail_hint(err, "bondctl options %s tells which words this kernel takes", attr->name);
	else
		lb_fail_hint(err, "%s", hint);
	if (err)
		snprintf(err->kernel, sizeof(err->kernel), "%s", answer->text);
	return -answer->errnum;
}
