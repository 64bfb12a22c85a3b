/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a call says: errors in three parts, notes, the changes made; as text or as one JSON document. With
 * --json nothing but JSON goes to standard output, and nothing but warnings to standard error.
 */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <json-c/json.h>

#include "bondctl.h"

/* Where and how to print from now on. The context stays the caller's. */
void output_begin(struct context *context);
/* Whether text on standard output may be colored. */
bool output_colored(void);

/* What errors call a file to be read: "-" is standard input. */
const char *output_source(const char *path);
/* Wrong usage. Returns STATUS_USAGE. */
__attribute__((format(printf, 1, 2))) int output_usage(const char *format, ...);
/* A failure of the library, with what had been changed before it (report may be NULL). Returns its status. */
int output_error(const struct libbond_error *err, const struct libbond_report *report);
/* The same, where the message itself says what was undone, and the notes have been printed. */
int output_undone(const struct libbond_error *err, const struct libbond_report *report);
/* The changes of a call that succeeded: JSON, or notes for a person. Returns STATUS_OK. */
int output_changes(const struct libbond_report *report);
/* A result as JSON; takes the object over (NULL: out of memory). Returns the status, which is what a line of a batch
 * says it ends with. */
int output_json(struct json_object *object, int status);
/* A member for the next answer in JSON that is an object, beside its own. The value is
 * taken over. */
void output_extra(const char *key, struct json_object *value);
/*
 * A result that is an array, printed item by item, so that a thousand bonds take the memory of one. Each
 * item is taken over. The end returns the status.
 */
void output_array_begin(void);
void output_array_item(struct json_object *item);
int output_array_end(void);
/* A warning on standard error, unless --quiet. */
__attribute__((format(printf, 1, 2))) void output_note(const char *format, ...);
/* The same, about a key of a document (device and key may be NULL); in JSON also a member "warnings" of the answer.
 */
__attribute__((format(printf, 3, 4))) void output_warning(const char *device, const char *key, const char *format,
                                                          ...);
/* Out of memory. Returns STATUS_REFUSED. */
int output_no_memory(void);
/* A batch that a signal has ended between two of its lines. Returns STATUS_REFUSED. */
int output_stopped(void);
/* Flush standard output. That it failed is told at the end. */
void output_flush(void);
/* The same at the end. STATUS_OK, or STATUS_REFUSED if something could not be written (a full disk). */
int output_end(void);

/* A name from the kernel may have any byte but '/', ':' and white space. For a terminal: valid UTF-8 without
 * control characters; for JSON, which can carry those: valid UTF-8. Bytes that are neither are \xNN. Both
 * return buf. */
#define SAFE_SIZE (4 * LIBBOND_ALTNAME_SIZE)
const char *output_safe(const char *text, char buf[SAFE_SIZE]);
const char *output_utf8(const char *text, char buf[SAFE_SIZE]);

#endif
