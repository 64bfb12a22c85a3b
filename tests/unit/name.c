/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can be the name of an interface, written from dev_valid_name() and the names that the kernel's trees keep for
 * themselves. Tests lib/name.c.
 */
#include <errno.h>
#include <string.h>

#include "unit.h"

static void names_that_can_be(void **state)
{
	static const char *const names[] = {
		"b",
		"bond0",
		"123456789012345",
		"0",
		"-",
		"--help",
		"...",
		"bond0.100",
		"a@b",
		"a\"b",
		"a'b",
		"a\\b",
		"$(reboot)",
		";ls",
		"*",
		"bonding_master",
		"Default",
		"ALL",
		"all0",
		"\xc3\xa9th0",
		"\xe7\xb6\xb2",
		"\x01\x02",
		"\x7f",
		"+a",
		"=",
		"a,b",
	};
	(void)state;
	for (size_t i = 0; i < COUNT(names); i++) {
		struct libbond_error err = {0};
		if (libbond_name_check(names[i], &err) != 0)
			unit_fail("'%s' was refused: %s", names[i], err.message);
		assert_int_equal(err.cause, LIBBOND_CAUSE_NONE);
	}
}

static void names_that_cannot_be(void **state)
{
	static const struct {
		const char *name, *reason;
	} cases[] = {
		{"", "is empty"},
		{".", "reserved"},
		{"..", "reserved"},
		{"all", "reserved"},
		{"default", "reserved"},
		{"bonding_masters", "reserved"},
		{"1234567890123456", "longer than 15 bytes"},
		{"a-name-that-would-do-as-an-alternative-one", "longer than 15 bytes"},
		{"a/b", "'/'"},
		{"/", "'/'"},
		{"a:b", "':'"},
		{"bond%d", "'%'"},
		{"%", "'%'"},
		{"a b", "white space"},
		{" a", "white space"},
		{"a ", "white space"},
		{"a\tb", "white space"},
		{"a\nb", "white space"},
		{"a\vb", "white space"},
		{"a\fb", "white space"},
		{"a\rb", "white space"},
		{"a\xa0", "white space"},    /* the kernel's isspace() is Latin-1's */
		{"\xc3\xa0", "white space"}, /* and so is the second byte of this letter */
	};
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct libbond_error err = {0};
		if (libbond_name_check(cases[i].name, &err) != -EINVAL)
			unit_fail("'%s' was taken", cases[i].name);
		unit_assert_error(&err, LIBBOND_CAUSE_BAD_NAME, EINVAL, NULL);
		unit_assert_contains(cases[i].reason, err.message);
		unit_assert_text("device", cases[i].name, err.device);
		assert_int_equal(libbond_name_check(cases[i].name, NULL), -EINVAL);
	}
}

static void a_very_long_name_is_cut_in_the_error(void **state)
{
	char name[5000];
	struct libbond_error err;
	(void)state;
	memset(name, 'n', sizeof(name));
	name[sizeof(name) - 1] = '\0';
	assert_int_equal(libbond_name_check(name, &err), -EINVAL);
	unit_assert_error(&err, LIBBOND_CAUSE_BAD_NAME, EINVAL, NULL);
	unit_assert_contains("is longer than 15 bytes", err.message);
	assert_int_equal(strlen(err.device), sizeof(err.device) - 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("a name of 1 to 15 bytes can be anything the kernel takes, however odd", names_that_can_be),
		TEST("names that the kernel refuses or keeps for itself are refused with the reason",
	             names_that_cannot_be),
		TEST("a very long name is cut in the error", a_very_long_name_is_cut_in_the_error),
	};
	return cmocka_run_group_tests_name("name", tests, NULL, NULL);
}
