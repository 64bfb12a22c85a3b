/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Helpers of the unit tests: rows by name, configs out of words, assertions that say what they compared. Every
 * test program is linked with it, between cmocka and the library.
 */
#include "unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void unit_say_skipped(const char *reason)
{
	print_message("# skipped: %s\n", reason);
}

bool unit_is_little_endian(void)
{
	const uint16_t one = 1;
	return *(const uint8_t *)&one == 1;
}

void unit_fail(const char *format, ...)
{
	char text[8192];
	va_list args;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	if (strlen(text) > 900) { /* cmocka cuts longer ones */
		char *rest = text;
		while (rest)
			printf("# %s\n", strsep(&rest, "\n"));
		fail_msg("see above");
	}
	fail_msg("%s", text);
	abort();
}

const struct libbond_attr *unit_row(enum libbond_scope scope, const char *name)
{
	const struct libbond_attr *attr = libbond_attr_find(scope, name);
	if (!attr)
		unit_fail("the table has no %s attribute '%s'", unit_scope_name(scope), name);
	return attr;
}

const char *unit_scope_name(enum libbond_scope scope)
{
	static const char *const names[] = {"bond", "ad_info", "slave", "link"};
	return (unsigned)scope < COUNT(names) ? names[scope] : "no";
}

static struct libbond_config *config_of(const char *words, enum libbond_scope scope)
{
	struct libbond_config *config;
	char copy[2048], *rest = copy, *name;

	assert_int_equal(libbond_config_new(&config), 0);
	snprintf(copy, sizeof(copy), "%s", words);
	while ((name = strsep(&rest, " "))) {
		struct libbond_error err = {0};
		const char *value = strsep(&rest, " ");
		const struct libbond_attr *attr = libbond_attr_find(scope, name);
		if (!attr)
			attr = unit_row(LIBBOND_SCOPE_LINK, name);
		if (!value)
			unit_fail("no value for %s in '%s'", name, words);
		if (libbond_config_set(config, attr, strcmp(value, "''") == 0 ? "" : value, &err) < 0)
			unit_fail("%s %s: %s", name, value, err.message);
	}
	return config;
}

struct libbond_config *unit_config(const char *words)
{
	return config_of(words, LIBBOND_SCOPE_BOND);
}

struct libbond_config *unit_slave_config(const char *words)
{
	return config_of(words, LIBBOND_SCOPE_SLAVE);
}

size_t unit_hex(const char *hex, uint8_t *out, size_t room)
{
	size_t count = 0;
	for (const char *p = hex; *p; p++) {
		char pair[3] = {p[0], p[1], '\0'};
		char *end;
		if (*p == ' ' || *p == '\n')
			continue;
		if (count == room)
			unit_fail("more than %zu bytes in '%.60s'", room, hex);
		out[count++] = (uint8_t)strtoul(pair, &end, 16);
		if (*end || end == pair)
			unit_fail("not hexadecimal: '%.60s'", p);
		p++;
	}
	return count;
}

static void to_hex(const uint8_t *bytes, size_t length, char *out, size_t size)
{
	size_t used = 0;
	out[0] = '\0';
	for (size_t i = 0; i < length && used + 4 < size; i++)
		used += (size_t)snprintf(out + used, size - used, "%s%02x", i ? (i % 4 ? "" : " ") : "", bytes[i]);
}

void unit_assert_bytes(const char *what, const char *hex, const void *bytes, size_t length)
{
	uint8_t expected[2048];
	char wanted[900], got[900];
	size_t count = unit_hex(hex, expected, sizeof(expected));

	if (count == length && memcmp(expected, bytes, length) == 0)
		return;
	to_hex(expected, count, wanted, sizeof(wanted));
	to_hex(bytes, length, got, sizeof(got));
	unit_fail("%s:\nexpected %zu bytes: %s\ngot      %zu bytes: %s", what, count, wanted, length, got);
}

void unit_assert_text(const char *what, const char *expected, const char *actual)
{
	if (!actual || strcmp(expected, actual) != 0)
		unit_fail("%s:\nexpected: %s\ngot:      %s", what, expected, actual ? actual : "(null)");
}

void unit_assert_error(const struct libbond_error *err, enum libbond_cause cause, int errnum, const char *attr)
{
	const char *got = err->attr ? libbond_attr_name(err->attr) : NULL;
	if (err->cause != cause || err->errnum != errnum || !got != !attr || (attr && strcmp(attr, got) != 0))
		unit_fail("expected %s, errno %d, %s; got %s, errno %d, %s: '%s'", libbond_cause_name(cause), errnum,
		          attr ? attr : "no attribute", libbond_cause_name(err->cause), err->errnum,
		          got ? got : "no attribute", err->message);
}

void unit_assert_contains(const char *part, const char *text)
{
	if (!strstr(text, part))
		unit_fail("'%s' is not in '%s'", part, text);
}
