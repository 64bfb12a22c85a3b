/* SPDX-License-Identifier: GPL-2.0-or-later */
/* JSON as text, read strictly: nothing that could be meant in two ways gets through. */
#ifndef JSON_TEXT_H
#define JSON_TEXT_H

#include <json-c/json.h>

/*
 * Parse a text. What is wrong is said with its line: no JSON (RFC 8259), a key twice in one object, a NUL in a
 * string, a number that no 64 bits hold. "source" is what errors call the text. STATUS_OK, or STATUS_USAGE, printed.
 */
int json_text_parse(const char *text, size_t length, const char *source, struct json_object **out);
/* The same from a file, "-" for standard input. */
int json_text_read(const char *path, struct json_object **out);

#endif
