/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Prints errors, notes, changes and results, as text or JSON. Sits between the verbs and the terminal; the
 * only state is which call is being answered, and what of its output was not taken.
 */
#include "output.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "json.h"
#include "report.h"
#include "status.h"

static struct context *current;

void output_begin(struct context *context)
{
	current = context;
}

bool output_colored(void)
{
	const char *no_color = getenv("NO_COLOR");
	if (current->settings.json || current->settings.color == COLOR_NEVER)
		return false;
	if (current->settings.color == COLOR_ALWAYS)
		return true;
	return !(no_color && *no_color) && isatty(STDOUT_FILENO);
}

/* Length of the UTF-8 sequence at p if it is valid and no C1 control, else 0 (RFC 3629 section 4). */
static size_t utf8_length(const unsigned char *p)
{
	if (p[0] < 0x80)
		return 1;
	size_t length = p[0] >= 0xf0 && p[0] <= 0xf4  ? 4
	                : (p[0] & 0xf0) == 0xe0       ? 3
	                : p[0] >= 0xc2 && p[0] < 0xe0 ? 2
	                                              : 0;
	for (size_t i = 1; i < length; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) || (p[0] == 0xf0 && p[1] < 0x90) ||
	    (p[0] == 0xf4 && p[1] > 0x8f) || (p[0] == 0xc2 && p[1] < 0xa0))
		return 0; /* overlong, surrogate, past the last, or a C1 control */
	return length;
}

/* Length of the character at p that may stay as it is, 0 if it must be escaped: among those a backslash that
 * looks like an escape, so that no two texts look the same. */
static size_t plain_length(const char *p, bool keep_controls)
{
	if ((unsigned char)*p < 0x20 || *p == 0x7f)
		return keep_controls;
	if (p[0] == '\\' && p[1] == 'x')
		return 0;
	return utf8_length((const unsigned char *)p);
}

static const char *escape(const char *text, char buf[SAFE_SIZE], bool keep_controls)
{
	size_t used = 0;
	for (const char *p = text; *p && used + 5 < SAFE_SIZE;) {
		size_t length = plain_length(p, keep_controls);
		if (length) {
			memcpy(buf + used, p, length);
			used += length;
			p += length;
		} else {
			used += (size_t)snprintf(buf + used, SAFE_SIZE - used, "\\x%02x", (unsigned char)*p++);
		}
	}
	buf[used] = '\0';
	return buf;
}

const char *output_safe(const char *text, char buf[SAFE_SIZE])
{
	return escape(text, buf, false);
}

const char *output_utf8(const char *text, char buf[SAFE_SIZE])
{
	return escape(text, buf, true);
}

/* --- JSON --- */

static bool is_pretty(void)
{
	return current->settings.pretty && !current->line;
}

static const char *json_string(struct json_object *object)
{
	int flags = is_pretty() ? JSON_C_TO_STRING_PRETTY | JSON_C_TO_STRING_SPACED : JSON_C_TO_STRING_PLAIN;
	return json_object_to_json_string_ext(object, flags | JSON_C_TO_STRING_NOSLASHESCAPE);
}

static void end_answer(void)
{
	printf("\n");
	if (current->line)
		output_flush(); /* who drives a batch through a pipe waits for it */
}

static void print_json(struct json_object *object)
{
	const char *text = json_string(object);
	if (text)
		fputs(text, stdout);
	json_object_put(object);
	end_answer();
}

/* Lines of a batch say which line they answer. */
static struct json_object *new_answer(int status)
{
	struct json_object *answer = json_object_new_object();
	if (current->line) {
		json_add(answer, "line", json_object_new_int64(current->line));
		json_add(answer, "status", json_object_new_int(status));
	}
	return answer;
}

/* What has been said beside the answer belongs to it. */
static void add_extras(struct json_object *answer)
{
	if (!current->extras)
		return;
	json_object_object_foreach(current->extras, key, value)
		json_object_object_add(answer, key, json_object_get(value));
	json_object_put(current->extras);
	current->extras = NULL;
}

void output_extra(const char *key, struct json_object *value)
{
	if (!current->settings.json) {
		json_object_put(value);
		return;
	}
	if (!current->extras)
		current->extras = json_object_new_object();
	json_object_object_add(current->extras, key, value);
}

int output_json(struct json_object *object, int status)
{
	if (!object)
		return output_no_memory();
	if (current->line) {
		struct json_object *answer = new_answer(status);
		json_add(answer, "result", object);
		object = answer;
	}
	if (json_object_is_type(object, json_type_object))
		add_extras(object);
	print_json(object);
	return status;
}

static struct {
	size_t items;
	bool failed;
} array;

void output_array_begin(void)
{
	array.items = 0;
	array.failed = false;
	if (current->line)
		printf("{\"line\":%u,\"status\":0,\"result\":", current->line);
	printf("[");
}

/* Pretty text is shifted by two columns; no string in it has a line break of its own. */
static void print_shifted(const char *text)
{
	for (;;) {
		size_t length = strcspn(text, "\n");
		printf("  %.*s", (int)length, text);
		if (!text[length])
			return;
		printf("\n");
		text += length + 1;
	}
}

void output_array_item(struct json_object *item)
{
	const char *text = item ? json_string(item) : NULL;
	printf("%s%s", array.items++ ? "," : "", is_pretty() ? "\n" : "");
	if (text && is_pretty())
		print_shifted(text);
	else
		fputs(text ? text : "null", stdout);
	array.failed |= !text;
	json_object_put(item);
}

int output_array_end(void)
{
	printf("%s]%s", is_pretty() && array.items ? "\n" : "", current->line ? "}" : "");
	end_answer();
	return array.failed ? output_no_memory() : STATUS_OK;
}

static void print_json_error(int status, const char *cause, const struct libbond_error *err,
                             const struct libbond_report *report)
{
	struct json_object *answer = new_answer(status), *error = json_object_new_object();
	const char *name = err->errnum ? strerrorname_np(err->errnum) : NULL;

	json_add(error, "status", json_object_new_int(status));
	json_add(error, "cause", json_object_new_string(cause));
	json_add(error, "errno", json_text_or_null(name));
	json_add(error, "device", json_text_or_null(err->device));
	json_add(error, "option", json_text_or_null(err->attr ? libbond_attr_name(err->attr) : NULL));
	json_add(error, "message", json_text_or_null(err->message));
	json_add(error, "kernel", json_text_or_null(err->kernel));
	json_add(error, "hint", json_text_or_null(err->hint));
	json_add(answer, "error", error);
	json_add(answer, "changes", report_json(report));
	add_extras(answer);
	print_json(answer);
}

/* --- text --- */

static void print_where(void)
{
	output_flush(); /* so that both streams of a log are in order */
	if (current->line)
		fprintf(stderr, "bondctl: line %u: ", current->line);
	else
		fprintf(stderr, "bondctl: ");
}

static void print_part(const char *heading, const char *text)
{
	char safe[SAFE_SIZE];
	if (*text)
		fprintf(stderr, "  %s%s%s\n", heading ? heading : "", heading ? ": " : "", output_safe(text, safe));
}

void output_note(const char *format, ...)
{
	va_list args;
	if (current->settings.quiet)
		return;
	print_where();
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
}

void output_warning(const char *device, const char *key, const char *format, ...)
{
	struct json_object *warnings = NULL, *warning;
	char message[512], safe[SAFE_SIZE];
	va_list args;

	va_start(args, format);
	vsnprintf(message, sizeof(message), format, args);
	va_end(args);
	output_note("%s", output_safe(message, safe));
	if (!current->settings.json)
		return;
	if (!current->extras || !json_object_object_get_ex(current->extras, "warnings", &warnings))
		output_extra("warnings", warnings = json_object_new_array());
	warning = json_object_new_object();
	json_add(warning, "device", json_text_or_null(device));
	json_add(warning, "key", json_text_or_null(key));
	json_add(warning, "message", json_text_or_null(message));
	json_object_array_add(warnings, warning);
}

const char *output_source(const char *path)
{
	return strcmp(path, "-") == 0 ? "standard input" : path;
}

int output_usage(const char *format, ...)
{
	struct libbond_error err = {0};
	char safe[SAFE_SIZE];
	va_list args;

	va_start(args, format);
	vsnprintf(err.message, sizeof(err.message), format, args);
	va_end(args);
	if (current->settings.json) {
		print_json_error(STATUS_USAGE, "usage", &err, NULL);
		return STATUS_USAGE;
	}
	print_where();
	fprintf(stderr, "%s\n", output_safe(err.message, safe));
	return STATUS_USAGE;
}

/* "left": whether it was said that something is left of the change. */
static int print_error(const struct libbond_error *err, const struct libbond_report *report, bool *left)
{
	int status = status_of(err);
	char safe[SAFE_SIZE];

	if (current->settings.json) {
		print_json_error(status, libbond_cause_name(err->cause), err, report);
		return status;
	}
	print_where();
	fprintf(stderr, "%s\n", output_safe(err->message, safe));
	print_part("kernel", err->kernel);
	*left = report_print_left(report, err);
	return status;
}

int output_error(const struct libbond_error *err, const struct libbond_report *report)
{
	bool left = false;
	int status = print_error(err, report, &left);

	if (current->settings.json)
		return status;
	if (err->rolled_back)
		fprintf(stderr, "  undone: what had been done before that\n");
	/* where something was not undone, the hint is about that, and is no advice */
	print_part(left && !err->rolled_back ? NULL : "try", err->hint);
	report_print_other_notes(report, err);
	return status;
}

int output_undone(const struct libbond_error *err, const struct libbond_report *report)
{
	bool left = false;
	return print_error(err, report, &left);
}

int output_changes(const struct libbond_report *report)
{
	if (current->settings.json) {
		struct json_object *answer = new_answer(STATUS_OK);
		add_extras(answer);
		json_object_object_add(answer, "changes", report_json(report));
		print_json(answer);
	} else {
		report_print_notes(report);
	}
	return STATUS_OK;
}

int output_no_memory(void)
{
	struct libbond_error err = {.cause = LIBBOND_CAUSE_MEMORY, .errnum = ENOMEM, .message = "out of memory"};
	return output_error(&err, NULL);
}

int output_stopped(void)
{
	struct libbond_error err = {.cause = LIBBOND_CAUSE_CANCELLED, .message = "ended by a signal after this line"};
	return output_error(&err, NULL);
}

/* Why the first flush that failed did: what it had is gone, and those after it may succeed. */
static int flush_errno;

void output_flush(void)
{
	if (fflush(stdout) != 0 && !flush_errno)
		flush_errno = errno;
}

int output_end(void)
{
	output_flush();
	if (!flush_errno && !ferror(stdout))
		return STATUS_OK;
	print_where();
	/* a write that no flush of ours made has failed, and its errno is gone */
	fprintf(stderr, "cannot write the output: %s\n",
	        flush_errno ? strerror(flush_errno) : "not all of it was taken");
	return STATUS_REFUSED;
}
