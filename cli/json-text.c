/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads JSON from a file. Sits between the file system, json-c, which parses, and document.c, which knows what the
 * values mean.
 *
 * json-c takes the last of two values under one key, ends a key at a NUL, makes a number that is too large the
 * largest there is, and takes some spellings that are no JSON. So a look at the tokens, in which each of these is
 * refused, goes before it; whether they follow each other as they should is left to json-c.
 */
#include "json-text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"

/* show --json of 4000 bonds has 50 MB, and 7 levels. */
#define TEXT_MAX (128u << 20)
#define DEPTH 32

/* One object or array that is not closed yet. */
struct level {
	struct json_object *keys; /* of an object, those that were there; NULL for an array */
	bool key_next;            /* the next string is a key */
};

struct look {
	const char *source, *text, *end, *p;
	struct level levels[DEPTH];
	unsigned depth;
	struct json_object *key; /* the last one, for messages */
};

/* --- saying where --- */

struct place {
	size_t line, column;
};

static struct place place_of(const char *text, const char *at)
{
	struct place place = {1, 1};
	for (const char *p = text; p < at; p++) {
		place.column = *p == '\n' ? 1 : place.column + 1;
		place.line += *p == '\n';
	}
	return place;
}

__attribute__((format(printf, 3, 4))) static int refuse(const struct look *look, const char *at, const char *format,
                                                        ...)
{
	struct place place = place_of(look->text, at);
	char why[256];
	va_list args;

	va_start(args, format);
	vsnprintf(why, sizeof(why), format, args);
	va_end(args);
	return output_usage("%s: line %zu, column %zu: %s", look->source, place.line, place.column, why);
}

/* --- tokens --- */

static struct level *top(struct look *look)
{
	return look->depth ? &look->levels[look->depth - 1] : NULL;
}

static int open_level(struct look *look, bool object)
{
	if (look->depth == DEPTH)
		return refuse(look, look->p, "nested deeper than %d levels", DEPTH);
	struct level *level = &look->levels[look->depth++];
	*level = (struct level){.keys = object ? json_object_new_object() : NULL, .key_next = object};
	return object && !level->keys ? output_no_memory() : STATUS_OK;
}

static void close_level(struct look *look)
{
	struct level *level = top(look);
	if (!level)
		return;
	json_object_put(level->keys);
	look->depth--;
}

/* The end of the string that begins at p: behind its quote. NULL if it is not closed. */
static const char *string_end(const struct look *look)
{
	for (const char *p = look->p + 1; p < look->end; p++) {
		if (*p == '"')
			return p + 1;
		p += *p == '\\';
	}
	return NULL;
}

/* The text of a string without its escapes; NULL if it is none. */
static struct json_object *decode(const char *from, const char *end)
{
	struct json_tokener *tokener = json_tokener_new();
	if (!tokener)
		return NULL;
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
	struct json_object *text = json_tokener_parse_ex(tokener, from, (int)(end - from));
	json_tokener_free(tokener);
	return text;
}

static int take_key(struct look *look, struct level *level, struct json_object *key)
{
	const char *name = json_object_get_string(key);

	level->key_next = false;
	if (json_object_object_get_ex(level->keys, name, NULL))
		return refuse(look, look->p, "the key '%.64s' is there twice", name);
	json_object_object_add(level->keys, name, NULL);
	json_object_put(look->key);
	look->key = json_object_get(key);
	return STATUS_OK;
}

static int take_string(struct look *look)
{
	const char *end = string_end(look);
	struct level *level = top(look);
	int status = STATUS_OK;

	if (!end)
		return refuse(look, look->p, "a string is not closed");
	for (const char *p = look->p; p < end; p++)
		if ((unsigned char)*p < 0x20)
			return refuse(look, p, "a string has a control character in it");
	struct json_object *text = decode(look->p, end);
	if (!text)
		return refuse(look, look->p, "a string has an escape that is none");
	if (strlen(json_object_get_string(text)) != (size_t)json_object_get_string_len(text))
		status = refuse(look, look->p, "a string has a NUL in it");
	else if (level && level->key_next)
		status = take_key(look, level, text);
	json_object_put(text);
	look->p = end;
	return status;
}

/* What no 64 bits hold. One with a fraction or an exponent is left to who wants it. */
static bool is_too_large(const char *number, size_t length)
{
	char digits[32];

	snprintf(digits, sizeof(digits), "%.*s", (int)(length < sizeof(digits) ? length : sizeof(digits) - 1),
	         number);
	if (strspn(digits + 1, "0123456789") + 1 < strlen(digits))
		return false;
	errno = 0;
	if (digits[0] == '-')
		(void)strtoll(digits, NULL, 10);
	else
		(void)strtoull(digits, NULL, 10);
	return errno == ERANGE;
}

static int take_number(struct look *look, size_t length)
{
	if (is_too_large(look->p, length))
		return refuse(look, look->p, "%.64s: the number is too large",
		              look->key ? json_object_get_string(look->key) : "value");
	look->p += length;
	return STATUS_OK;
}

/* true, false, null, and numbers */
static int take_word(struct look *look)
{
	static const char *const words[] = {"true", "false", "null"};
	size_t length = 0;

	while (look->p + length < look->end && !strchr(" \t\r\n{}[]:,\"'", look->p[length]))
		length++;
	if (length && strchr("-0123456789", *look->p))
		return take_number(look, length);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (length == strlen(words[i]) && memcmp(look->p, words[i], length) == 0) {
			look->p += length;
			return STATUS_OK;
		}
	return refuse(look, look->p, "'%.*s' is no JSON", length ? (int)(length < 40 ? length : 40) : 1, look->p);
}

static int take_token(struct look *look)
{
	switch (*look->p) {
	case ' ':
	case '\t':
	case '\r':
	case '\n':
	case ':':
		break;
	case '{':
	case '[':
		if (open_level(look, *look->p == '{') != STATUS_OK)
			return STATUS_USAGE;
		break;
	case '}':
	case ']':
		close_level(look);
		break;
	case ',':
		if (top(look))
			top(look)->key_next = top(look)->keys != NULL;
		break;
	case '"':
		return take_string(look);
	default:
		return take_word(look);
	}
	look->p++;
	return STATUS_OK;
}

static int look_at_tokens(struct look *look)
{
	int status = STATUS_OK;
	while (status == STATUS_OK && look->p < look->end)
		status = take_token(look);
	while (look->depth)
		close_level(look);
	json_object_put(look->key);
	look->key = NULL;
	return status;
}

/* --- the whole --- */

static int parse(struct look *look, size_t length, struct json_object **out)
{
	struct json_tokener *tokener = json_tokener_new_ex(DEPTH + 2);
	int status = STATUS_OK;

	if (!tokener)
		return output_no_memory();
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_VALIDATE_UTF8);
	struct json_object *root = json_tokener_parse_ex(tokener, look->text, (int)length);
	enum json_tokener_error error = json_tokener_get_error(tokener);
	const char *at = look->text + json_tokener_get_parse_end(tokener);

	if (error == json_tokener_continue) { /* a number at the very end could have gone on */
		root = json_tokener_parse_ex(tokener, " ", 1);
		error = json_tokener_get_error(tokener);
		at = look->end;
	}
	if (error == json_tokener_continue)
		status = refuse(look, look->end, "it ends too early");
	else if (error != json_tokener_success)
		status = refuse(look, at, "%s", json_tokener_error_desc(error));
	json_tokener_free(tokener);
	if (status == STATUS_OK)
		*out = root;
	else
		json_object_put(root);
	return status;
}

int json_text_parse(const char *text, size_t length, const char *source, struct json_object **out)
{
	struct look look = {.source = source, .text = text, .p = text, .end = text + length};
	const char *nul = memchr(text, '\0', length);

	if (length > TEXT_MAX)
		return output_usage("%s: it is larger than %u MB", source, TEXT_MAX >> 20);
	if (nul)
		return refuse(&look, nul, "a NUL byte is no JSON");
	int status = look_at_tokens(&look);
	return status != STATUS_OK ? status : parse(&look, length, out);
}

/* --- files --- */

/* All of a file, with a NUL behind it; NULL with errno set. */
static char *read_all(FILE *file, size_t *length)
{
	char *text = NULL;
	size_t room = 0;

	*length = 0;
	while (*length <= TEXT_MAX) {
		if (*length + 1 >= room) {
			char *grown = realloc(text, room = room ? room * 2 : 65536);
			if (!grown)
				break;
			text = grown;
		}
		size_t got = fread(text + *length, 1, room - 1 - *length, file);
		*length += got;
		text[*length] = '\0';
		if (got == 0 && !ferror(file))
			return text;
		if (got == 0)
			break;
	}
	if (*length > TEXT_MAX)
		errno = EFBIG;
	free(text);
	return NULL;
}

int json_text_read(const char *path, struct json_object **out)
{
	bool standard = strcmp(path, "-") == 0;
	FILE *file = standard ? stdin : fopen(path, "re");
	const char *source = output_source(path);
	size_t length;

	if (!file)
		return output_usage("cannot open %s: %s", source, strerror(errno));
	char *text = read_all(file, &length);
	int status = text ? json_text_parse(text, length, source, out)
	                  : output_usage("cannot read %s: %s", source, strerror(errno));
	free(text);
	if (!standard)
		fclose(file);
	return status;
}
