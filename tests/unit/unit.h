/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What every test here includes: cmocka, rows by name, assertions on errors, texts and bytes. unit.c holds the
 * functions, fake.h the kernel that is none.
 */
#ifndef UNIT_H
#define UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "attr.h"
#include "config.h"

/* A test: the sentence that says what holds, and the function that shows it. */
#define TEST(sentence, function)                                                                                     \
	{                                                                                                            \
		sentence, function, NULL, NULL, NULL                                                                 \
	}
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A skipped test says why; the runner (run.sh) puts the reason behind the test's name. */
#define SKIP(reason)                                                                                                 \
	do {                                                                                                         \
		unit_say_skipped(reason);                                                                            \
		skip();                                                                                              \
	} while (0)
void unit_say_skipped(const char *reason);
/* Golden bytes and recordings are those of a little-endian machine. */
bool unit_is_little_endian(void);

/* Rows by name; a name that the table lacks fails the test. */
const struct libbond_attr *unit_row(enum libbond_scope scope, const char *name);
#define BOND(name) unit_row(LIBBOND_SCOPE_BOND, name)
#define AD(name) unit_row(LIBBOND_SCOPE_AD_INFO, name)
#define SLAVE(name) unit_row(LIBBOND_SCOPE_SLAVE, name)
#define LINK(name) unit_row(LIBBOND_SCOPE_LINK, name)
const char *unit_scope_name(enum libbond_scope scope);

/* A config of scope BOND or LINK (SLAVE for unit_slave_config) out of "name value name value"; a value of two
 * apostrophes is the empty one. Free it with libbond_config_free(). */
struct libbond_config *unit_config(const char *words);
struct libbond_config *unit_slave_config(const char *words);

/* "08 00 0300" to bytes; returns how many. */
size_t unit_hex(const char *hex, uint8_t *out, size_t room);
/* Fails with both in hexadecimal, what is meant in front. */
void unit_assert_bytes(const char *what, const char *hex, const void *bytes, size_t length);
/* Fails unless the texts are the same, with what is meant in front. */
void unit_assert_text(const char *what, const char *expected, const char *actual);
/* Fails unless cause, errno and attribute (NULL: none) are these. */
void unit_assert_error(const struct libbond_error *err, enum libbond_cause cause, int errnum, const char *attr);
/* Fails unless "text" holds "part". */
void unit_assert_contains(const char *part, const char *text);
/* Fails the test with a formatted message. */
__attribute__((format(printf, 1, 2), noreturn)) void unit_fail(const char *format, ...);

#endif
