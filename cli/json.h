/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Links as JSON: the one document that show prints and later verbs read. bondctl-json's keys live here. */
#ifndef JSON_H
#define JSON_H

#include <json-c/json.h>

#include "libbond.h"

#define JSON_SCHEMA 1

/* Add a member under a key that is a constant and not there yet: no copy of the key, no look for it. */
void json_add(struct json_object *object, const char *key, struct json_object *value);

/* A string, valid UTF-8 whatever the text; null for NULL and "". */
struct json_object *json_text_or_null(const char *text);

/* A bond with everything: options, state, LACP, slaves, counters. NULL without memory. */
struct json_object *json_bond(const struct libbond_link *bond);
/* A bond's and its slaves' counters only. */
struct json_object *json_bond_stats(const struct libbond_link *bond);
/* A bond in one line: name, mode, state, names of its slaves. */
struct json_object *json_bond_brief(const struct libbond_link *bond);
/* The value of a row: number, boolean, string, array, object; null where the kernel reported none. */
struct json_object *json_value(const struct libbond_link *link, const struct libbond_attr *attr);
/* The value that a config wants of a row, of the same types; edits of a list are an array with their signs. */
struct json_object *json_wanted(const struct libbond_config *config, const struct libbond_attr *attr);

#endif
