/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What becomes of the kernel's refusals: cause, words, attribute, hint for each deed and errno. Tests lib/answer.c
 * and lib/error.c; the errnos are those of bond_main.c, bond_options.c and rtnetlink.c.
 */
#include "answer.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "fake.h"
#include "message.h"
#include "unit.h"

struct refusal {
	enum lb_deed deed;
	int errnum;
	const char *text; /* the kernel's, "" for none */
	enum libbond_cause cause;
	const char *words; /* part of the message */
	const char *hint;  /* part of the hint, "" for none at all */
};

static void explain(const struct refusal *r, struct libbond_error *err)
{
	struct lb_message message;
	struct lb_request request = {.answer = {.errnum = r->errnum, .done = true}};
	bool slave = r->deed == LB_DEED_ENSLAVE || r->deed == LB_DEED_RELEASE;

	lb_message_master(&message, 3, 7);
	request.nlh = message.nlh;
	snprintf(request.answer.text, sizeof(request.answer.text), "%s", r->text);
	memset(err, 0xff, sizeof(*err));
	int rc = lb_fail_answer(&request, r->deed, slave ? "eth0" : "bond0", slave ? "bond0" : NULL, NULL, err);
	assert_int_equal(rc, -r->errnum);
	assert_int_equal(lb_fail_answer(&request, r->deed, "bond0", NULL, NULL, NULL), -r->errnum);
}

static void check_refusals(const struct refusal *refusals, size_t count)
{
	static const char *const starts[] = {
		"cannot read bond0: ",   "cannot create bond0: ",          "cannot delete bond0: ",
		"cannot change bond0: ", "cannot enslave eth0 to bond0: ", "cannot release eth0 from bond0: "};
	for (size_t i = 0; i < count; i++) {
		const struct refusal *r = &refusals[i];
		struct libbond_error err;
		explain(r, &err);
		if (err.cause != r->cause)
			unit_fail("deed %d, %s: %s", r->deed, strerror(r->errnum), libbond_cause_name(err.cause));
		assert_int_equal(err.errnum, r->errnum);
		assert_null(err.attr);
		assert_int_equal(err.rolled_back, 0);
		assert_int_equal(strncmp(err.message, starts[r->deed], strlen(starts[r->deed])), 0);
		unit_assert_contains(r->words, err.message);
		unit_assert_text("kernel", r->text, err.kernel);
		if (*r->hint)
			unit_assert_contains(r->hint, err.hint);
		else
			unit_assert_text("hint", "", err.hint);
	}
}

static void refusals_of_a_set(void **state)
{
	static const struct refusal refusals[] = {
		{LB_DEED_SET, EACCES, "option not supported in mode", LIBBOND_CAUSE_REFUSED, "mode does not take it",
	         ""},
		{LB_DEED_SET, EBUSY, "", LIBBOND_CAUSE_REFUSED, "while the bond is up", ""},
		{LB_DEED_SET, ENOTEMPTY, "", LIBBOND_CAUSE_REFUSED, "while the bond has slaves", ""},
		{LB_DEED_SET, EINVAL, "invalid option value", LIBBOND_CAUSE_REFUSED, "does not take this value", ""},
		{LB_DEED_SET, ERANGE, "integer out of range", LIBBOND_CAUSE_REFUSED, "range", ""},
		{LB_DEED_SET, EADDRNOTAVAIL, "", LIBBOND_CAUSE_REFUSED, "address", ""},
		{LB_DEED_SET, EOPNOTSUPP, "", LIBBOND_CAUSE_REFUSED, "", ""},
		{LB_DEED_SET, ENODEV, "", LIBBOND_CAUSE_NO_DEVICE, "there is no such device", ""},
		{LB_DEED_SET, EPERM, "", LIBBOND_CAUSE_PERMISSION, "not permitted", "CAP_NET_ADMIN"},
		/* with words it is the driver's, not a missing privilege */
		{LB_DEED_SET, EPERM, "Some reason", LIBBOND_CAUSE_REFUSED, "", ""},
		{LB_DEED_SET, ENOMEM, "", LIBBOND_CAUSE_REFUSED, "Cannot allocate memory", ""},
		{LB_DEED_SET, 4095, "", LIBBOND_CAUSE_REFUSED, "Unknown error 4095", ""},
	};
	(void)state;
	check_refusals(refusals, COUNT(refusals));
}

static void refusals_of_a_creation(void **state)
{
	static const struct refusal refusals[] = {
		{LB_DEED_CREATE, EOPNOTSUPP, "Unknown device type", LIBBOND_CAUSE_NO_DRIVER, "no bonding driver",
	         "modprobe bonding"},
		{LB_DEED_CREATE, EEXIST, "", LIBBOND_CAUSE_EXISTS, "a device of that name is there already", ""},
		{LB_DEED_CREATE, EPERM, "", LIBBOND_CAUSE_PERMISSION, "not permitted", "CAP_NET_ADMIN"},
		{LB_DEED_CREATE, EACCES, "option not supported in mode", LIBBOND_CAUSE_REFUSED, "mode", ""},
		{LB_DEED_CREATE, EINVAL, "", LIBBOND_CAUSE_REFUSED, "driver does not take", ""},
		{LB_DEED_CREATE, EADDRNOTAVAIL, "", LIBBOND_CAUSE_REFUSED, "address", ""},
	};
	(void)state;
	check_refusals(refusals, COUNT(refusals));
}

static void refusals_of_enslaving(void **state)
{
	static const struct refusal refusals[] = {
		{LB_DEED_ENSLAVE, EPERM, "Device type not supported", LIBBOND_CAUSE_REFUSED,
	         "does not take this device", ""},
		{LB_DEED_ENSLAVE, EPERM, "", LIBBOND_CAUSE_PERMISSION, "not permitted", "CAP_NET_ADMIN"},
		{LB_DEED_ENSLAVE, EINVAL, "", LIBBOND_CAUSE_REFUSED, "does not fit this bond", ""},
		{LB_DEED_ENSLAVE, EBUSY, "", LIBBOND_CAUSE_REFUSED, "in use", ""},
		{LB_DEED_ENSLAVE, EOPNOTSUPP, "", LIBBOND_CAUSE_REFUSED, "cannot change its MAC address",
	         "fail_over_mac active"},
		{LB_DEED_ENSLAVE, EFAULT, "", LIBBOND_CAUSE_REFUSED, "balance-alb", ""},
		{LB_DEED_ENSLAVE, EMLINK, "", LIBBOND_CAUSE_REFUSED, "eight deep", ""},
		{LB_DEED_ENSLAVE, ENETDOWN, "", LIBBOND_CAUSE_REFUSED, "cannot be opened", "below it"},
		{LB_DEED_ENSLAVE, EADDRNOTAVAIL, "", LIBBOND_CAUSE_REFUSED, "address", ""},
		{LB_DEED_ENSLAVE, ENODEV, "", LIBBOND_CAUSE_NO_DEVICE, "there is no such device", ""},
	};
	(void)state;
	check_refusals(refusals, COUNT(refusals));
}

static void refusals_of_the_rest(void **state)
{
	static const struct refusal refusals[] = {
		{LB_DEED_READ, EINVAL, "Invalid header", LIBBOND_CAUSE_REFUSED, "Invalid argument", ""},
		{LB_DEED_READ, ENODEV, "", LIBBOND_CAUSE_NO_DEVICE, "there is no such device", ""},
		{LB_DEED_READ, EPERM, "", LIBBOND_CAUSE_PERMISSION, "not permitted", "CAP_NET_ADMIN"},
		{LB_DEED_DELETE, EPERM, "", LIBBOND_CAUSE_PERMISSION, "not permitted", "CAP_NET_ADMIN"},
		{LB_DEED_DELETE, ENODEV, "", LIBBOND_CAUSE_NO_DEVICE, "there is no such device", ""},
		{LB_DEED_DELETE, EOPNOTSUPP, "", LIBBOND_CAUSE_REFUSED, "Operation not supported", ""},
		{LB_DEED_RELEASE, EPERM, "", LIBBOND_CAUSE_PERMISSION, "not permitted", "CAP_NET_ADMIN"},
		{LB_DEED_RELEASE, EBUSY, "", LIBBOND_CAUSE_REFUSED, "", ""},
	};
	(void)state;
	check_refusals(refusals, COUNT(refusals));
}

/* --- whose fault it was --- */

/* Refuse a message of this config at an attribute (path NULL: not told). */
static void refuse_config(enum lb_deed deed, int errnum, const char *words, const int *path,
                          struct libbond_error *err)
{
	struct libbond_config *config = unit_config(words);
	struct lb_message message;
	assert_int_equal(deed == LB_DEED_CREATE ? lb_message_create(&message, "bond0", 0, config)
	                                        : lb_message_change(&message, 7, config),
	                 0);
	struct lb_request request = {.nlh = message.nlh, .answer = {.errnum = errnum}};
	if (path)
		request.answer.offset = fake_offset(message.nlh, path);
	assert_int_equal(lb_fail_answer(&request, deed, "bond0", NULL, config, err), -errnum);
	libbond_config_free(config);
}

static void the_kernel_says_which_attribute(void **state)
{
	static const int updelay[] = {LB_IFLA_LINKINFO, LB_INFO_DATA, LB_BOND_UPDELAY, -1};
	static const int target[] = {LB_IFLA_LINKINFO, LB_INFO_DATA, LB_BOND_ARP_IP_TARGET, 1, -1};
	static const int mtu[] = {LB_IFLA_MTU, -1};
	static const int kind[] = {LB_IFLA_LINKINFO, LB_INFO_KIND, -1};
	struct libbond_error err;
	(void)state;
	refuse_config(LB_DEED_SET, EINVAL, "miimon 100 updelay 200", updelay, &err);
	unit_assert_error(&err, LIBBOND_CAUSE_REFUSED, EINVAL, "updelay");
	unit_assert_contains("cannot set updelay on bond0: ", err.message);
	refuse_config(LB_DEED_SET, EINVAL, "arp_ip_target 10.0.0.1,10.0.0.2", target, &err);
	unit_assert_error(&err, LIBBOND_CAUSE_REFUSED, EINVAL, "arp_ip_target");
	refuse_config(LB_DEED_SET, EINVAL, "mtu 9000 miimon 100", mtu, &err);
	unit_assert_error(&err, LIBBOND_CAUSE_REFUSED, EINVAL, "mtu");
	refuse_config(LB_DEED_CREATE, EINVAL, "miimon 100 updelay 200", updelay, &err);
	unit_assert_error(&err, LIBBOND_CAUSE_REFUSED, EINVAL, "updelay");
	unit_assert_contains("cannot create bond0 with this updelay: ", err.message);
	/* the driver is there if it means an option */
	refuse_config(LB_DEED_CREATE, EOPNOTSUPP, "miimon 100 updelay 200", updelay, &err);
	unit_assert_error(&err, LIBBOND_CAUSE_REFUSED, EOPNOTSUPP, "updelay");
	unit_assert_text("hint", "", err.hint);
	/* what is no option is not guessed at */
	refuse_config(LB_DEED_SET, EINVAL, "miimon 100", kind, &err);
	unit_assert_error(&err, LIBBOND_CAUSE_REFUSED, EINVAL, NULL);
}

static void the_only_option_was_it(void **state)
{
	static const int option[] = {EACCES, EBUSY, ENOTEMPTY, EINVAL, ERANGE};
	static const int other[] = {EPERM, ENODEV, ENOMEM, ENOBUFS};
	struct libbond_error err;
	(void)state;
	for (size_t i = 0; i < COUNT(option); i++) {
		refuse_config(LB_DEED_SET, option[i], "miimon 100", NULL, &err);
		assert_ptr_equal(err.attr, BOND("miimon"));
		unit_assert_contains("cannot set miimon on bond0", err.message);
		refuse_config(LB_DEED_SET, option[i], "miimon 100 resend_igmp 1", NULL, &err);
		assert_null(err.attr);
	}
	for (size_t i = 0; i < COUNT(other); i++) {
		refuse_config(LB_DEED_SET, other[i], "miimon 100", NULL, &err);
		assert_null(err.attr);
	}
}

static void a_creation_with_one_option(void **state)
{
	static const struct {
		int errnum;
		enum libbond_cause cause;
	} cases[] = {{EOPNOTSUPP, LIBBOND_CAUSE_NO_DRIVER},
	             {EEXIST, LIBBOND_CAUSE_EXISTS},
	             {EPERM, LIBBOND_CAUSE_PERMISSION}};
	struct libbond_error err;
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		refuse_config(LB_DEED_CREATE, cases[i].errnum, "miimon 100", NULL, &err);
		unit_assert_error(&err, cases[i].cause, cases[i].errnum, NULL);
		unit_assert_contains("cannot create bond0: ", err.message);
	}
}

/* --- the error itself --- */

static void every_cause_has_a_name_of_its_own(void **state)
{
	static const struct {
		enum libbond_cause cause;
		int number; /* never reused, so never changed */
		const char *name;
	} causes[] = {
		{LIBBOND_CAUSE_NONE, 0, "none"},
		{LIBBOND_CAUSE_SYSTEM, 1, "system"},
		{LIBBOND_CAUSE_MEMORY, 2, "memory"},
		{LIBBOND_CAUSE_PROTOCOL, 3, "protocol"},
		{LIBBOND_CAUSE_TIMEOUT, 4, "timeout"},
		{LIBBOND_CAUSE_INTERRUPTED, 5, "interrupted"},
		{LIBBOND_CAUSE_REFUSED, 10, "refused"},
		{LIBBOND_CAUSE_PERMISSION, 11, "permission"},
		{LIBBOND_CAUSE_NO_DRIVER, 12, "no_driver"},
		{LIBBOND_CAUSE_UNSUPPORTED, 13, "unsupported"},
		{LIBBOND_CAUSE_IGNORED, 14, "ignored"},
		{LIBBOND_CAUSE_OVERRIDDEN, 15, "overridden"},
		{LIBBOND_CAUSE_NO_DEVICE, 20, "no_device"},
		{LIBBOND_CAUSE_NO_NETNS, 21, "no_netns"},
		{LIBBOND_CAUSE_NOT_A_BOND, 22, "not_a_bond"},
		{LIBBOND_CAUSE_NOT_A_SLAVE, 23, "not_a_slave"},
		{LIBBOND_CAUSE_HAS_MASTER, 24, "has_master"},
		{LIBBOND_CAUSE_EXISTS, 25, "exists"},
		{LIBBOND_CAUSE_BAD_NAME, 30, "bad_name"},
		{LIBBOND_CAUSE_BAD_ATTR, 31, "bad_attr"},
		{LIBBOND_CAUSE_BAD_VALUE, 32, "bad_value"},
		{LIBBOND_CAUSE_WRONG_MODE, 40, "wrong_mode"},
		{LIBBOND_CAUSE_BOND_UP, 41, "bond_up"},
		{LIBBOND_CAUSE_HAS_SLAVES, 42, "has_slaves"},
		{LIBBOND_CAUSE_CONFLICT, 43, "conflict"},
		{LIBBOND_CAUSE_GUARD, 44, "guard"},
		{LIBBOND_CAUSE_CANCELLED, 45, "cancelled"},
	};
	size_t named = 0;
	(void)state;
	for (size_t i = 0; i < COUNT(causes); i++) {
		assert_int_equal(causes[i].cause, causes[i].number);
		unit_assert_text("cause", causes[i].name, libbond_cause_name(causes[i].cause));
	}
	for (int n = -1; n < 100; n++)
		named += strcmp(libbond_cause_name((enum libbond_cause)n), "unknown") != 0;
	assert_int_equal(named, COUNT(causes));
}

static void an_error_starts_clean(void **state)
{
	struct libbond_error err;
	(void)state;
	memset(&err, 0xff, sizeof(err));
	assert_int_equal(lb_fail(&err, LIBBOND_CAUSE_CONFLICT, EINVAL, "cannot %s", "do"), -EINVAL);
	unit_assert_error(&err, LIBBOND_CAUSE_CONFLICT, EINVAL, NULL);
	unit_assert_text("message", "cannot do", err.message);
	assert_int_equal(err.rolled_back, 0);
	unit_assert_text("device", "", err.device);
	unit_assert_text("kernel", "", err.kernel);
	unit_assert_text("hint", "", err.hint);
	assert_int_equal(lb_fail(&err, LIBBOND_CAUSE_PROTOCOL, 0, "x"), -EIO); /* never 0 */
	assert_int_equal(lb_fail(NULL, LIBBOND_CAUSE_SYSTEM, EBADF, "x"), -EBADF);
	assert_int_equal(lb_fail_memory(&err), -ENOMEM);
	unit_assert_error(&err, LIBBOND_CAUSE_MEMORY, ENOMEM, NULL);
	lb_fail_attr(NULL, NULL);
	lb_fail_device(NULL, "x");
	lb_fail_hint(NULL, "x");
}

static void long_texts_stay_inside(void **state)
{
	char text[1024];
	struct libbond_error err;
	(void)state;
	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	lb_fail(&err, LIBBOND_CAUSE_SYSTEM, EIO, "%s", text);
	lb_fail_device(&err, text);
	lb_fail_hint(&err, "%s", text);
	assert_int_equal(strlen(err.message), sizeof(err.message) - 1);
	assert_int_equal(strlen(err.device), sizeof(err.device) - 1);
	assert_int_equal(strlen(err.hint), sizeof(err.hint) - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("refusals of a set are explained", refusals_of_a_set),
		TEST("refusals of a creation are explained", refusals_of_a_creation),
		TEST("refusals of enslaving are explained", refusals_of_enslaving),
		TEST("refusals of a read, a deletion and a release are explained", refusals_of_the_rest),
		TEST("the attribute is the one the kernel points at", the_kernel_says_which_attribute),
		TEST("of a single option the kernel need not say, where its errno can mean an option",
	             the_only_option_was_it),
		TEST("a creation with one option that fails for another reason does not blame it",
	             a_creation_with_one_option),
		TEST("every cause has its number and a name of its own", every_cause_has_a_name_of_its_own),
		TEST("an error starts clean and is never 0", an_error_starts_clean),
		TEST("texts that are too long are cut", long_texts_stay_inside),
	};
	return cmocka_run_group_tests_name("answer", tests, NULL, NULL);
}
