/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Renders links as JSON, one case a value type. Sits between a snapshot and output.c.
 */
#include "json.h"

#include <string.h>

#include "output.h"
#include "rows.h"

void json_add(struct json_object *object, const char *key, struct json_object *value)
{
	json_object_object_add_ex(object, key, value, JSON_C_OBJECT_ADD_KEY_IS_NEW | JSON_C_OBJECT_KEY_IS_CONSTANT);
}

static struct json_object *json_text(const char *text)
{
	char safe[SAFE_SIZE];
	return json_object_new_string(output_utf8(text, safe));
}

struct json_object *json_text_or_null(const char *text)
{
	return text && *text ? json_text(text) : NULL;
}

static bool is_list(const struct libbond_attr *attr)
{
	return libbond_attr_type(attr) == LIBBOND_TYPE_IP4_LIST || libbond_attr_type(attr) == LIBBOND_TYPE_IP6_LIST;
}

static struct json_object *json_items(const struct libbond_link *link, const struct libbond_attr *attr)
{
	struct json_object *array = json_object_new_array();
	char text[LIBBOND_TEXT_SIZE];
	int count = libbond_link_items(link, attr);

	for (int i = 0; i < count; i++) {
		libbond_link_item(link, attr, (size_t)i, text, sizeof(text));
		json_object_array_add(array, json_object_new_string(text));
	}
	return array;
}

static void add_scope(struct json_object *object, const struct libbond_link *link, enum libbond_scope scope)
{
	for (const struct libbond_attr *const *row = rows_of(scope); *row; row++)
		json_add(object, libbond_attr_name(*row), json_value(link, *row));
}

static struct json_object *json_ad_info(const struct libbond_link *link)
{
	struct json_object *object = json_object_new_object();
	add_scope(object, link, LIBBOND_SCOPE_AD_INFO);
	return object;
}

struct json_object *json_value(const struct libbond_link *link, const struct libbond_attr *attr)
{
	char text[LIBBOND_TEXT_SIZE];
	enum libbond_type type = libbond_attr_type(attr);
	int64_t number = 0;

	if (is_list(attr))
		return json_items(link, attr); /* empty where the kernel reports none */
	if (!libbond_link_has(link, attr))
		return NULL;
	switch (type) {
	case LIBBOND_TYPE_NUMBER:
	case LIBBOND_TYPE_BOOL:
		libbond_link_number(link, attr, &number);
		return type == LIBBOND_TYPE_BOOL ? json_object_new_boolean(number != 0)
		                                 : json_object_new_int64(number);
	case LIBBOND_TYPE_BITS:
		return json_items(link, attr);
	case LIBBOND_TYPE_NEST:
		return json_ad_info(link);
	case LIBBOND_TYPE_LINK:
		if (libbond_link_number(link, attr, &number) < 0 || number == 0)
			return NULL;
		break;
	default:
		break;
	}
	if (libbond_link_text(link, attr, text, sizeof(text)) <= 0)
		return NULL; /* a device without addresses has an empty one */
	return json_text(text);
}

static struct json_object *split(const char *list)
{
	struct json_object *array = json_object_new_array();
	for (const char *p = list; *p;) {
		size_t length = strcspn(p, ",");
		json_object_array_add(array, json_object_new_string_len(p, (int)length));
		p += length + (p[length] == ',');
	}
	return array;
}

struct json_object *json_wanted(const struct libbond_config *config, const struct libbond_attr *attr)
{
	char text[LIBBOND_TEXT_SIZE] = "";
	int64_t number = 0;

	libbond_config_text(config, attr, text, sizeof(text));
	libbond_config_number(config, attr, &number);
	switch (libbond_attr_type(attr)) {
	case LIBBOND_TYPE_NUMBER:
		return json_object_new_int64(number);
	case LIBBOND_TYPE_BOOL:
		return json_object_new_boolean(number != 0);
	case LIBBOND_TYPE_LINK:
		return strcmp(text, "none") == 0 ? NULL : json_text_or_null(text);
	default:
		return !is_list(attr) ? json_text(text) : split(strcmp(text, "none") == 0 ? "" : text);
	}
}

static struct json_object *json_counters(const struct libbond_link *link)
{
	struct json_object *object = json_object_new_object();
	const char *name;
	for (size_t i = 0; (name = libbond_counter_name(i)); i++) {
		uint64_t value;
		if (libbond_link_counter(link, i, &value) == 0)
			json_add(object, name, json_object_new_uint64(value));
	}
	return object;
}

/* Names of the rows that are missing from the kernel's answer for one reason. */
static struct json_object *json_missing(const struct libbond_link *link, enum libbond_scope scope,
                                        enum libbond_presence presence, bool expected)
{
	struct json_object *array = json_object_new_array();
	for (const struct libbond_attr *const *row = rows_of(scope); expected && *row; row++)
		if (libbond_attr_presence(*row) == presence && !libbond_link_has(link, *row))
			json_object_array_add(array, json_object_new_string(libbond_attr_name(*row)));
	return array;
}

static struct json_object *json_unknown(const struct libbond_link *link)
{
	static const char *const scopes[] = {"bond", "ad_info", "slave", "link"};
	struct json_object *array = json_object_new_array();
	struct libbond_unknown unknown;

	for (size_t i = 0; libbond_link_unknown(link, i, &unknown) == 0; i++) {
		struct json_object *object = json_object_new_object();
		char hex[2 * 256 + 1] = "";
		for (size_t b = 0; b < unknown.length && b < 256; b++)
			snprintf(hex + 2 * b, 3, "%02x", unknown.bytes[b]);
		json_add(object, "scope", json_object_new_string(scopes[unknown.scope]));
		json_add(object, "number", json_object_new_int64(unknown.number));
		json_add(object, "length", json_object_new_uint64(unknown.length));
		json_add(object, "bytes", json_object_new_string(hex));
		json_object_array_add(array, object);
	}
	return array;
}

/* Room for the members of a bond, so that its table does not grow three times on the way. */
#define MEMBERS 128

static struct json_object *json_start(const struct libbond_link *link, bool with_schema)
{
	struct json_object *object = json_object_new_object();
	if (object)
		lh_table_resize(json_object_get_object(object), MEMBERS);
	if (with_schema)
		json_add(object, "schema", json_object_new_int(JSON_SCHEMA));
	json_add(object, "name", json_text(libbond_link_name(link)));
	json_add(object, "ifindex", json_object_new_int64(libbond_link_ifindex(link)));
	return object;
}

static void add_kind(struct json_object *object, const struct libbond_link *link)
{
	const char *kind = libbond_link_kind(link);
	json_add(object, "kind", *kind ? json_text(kind) : NULL);
}

static struct json_object *json_slave(const struct libbond_link *slave)
{
	struct json_object *object = json_start(slave, false);
	add_kind(object, slave);
	add_scope(object, slave, LIBBOND_SCOPE_SLAVE);
	add_scope(object, slave, LIBBOND_SCOPE_LINK);
	json_add(object, "statistics", json_counters(slave));
	json_add(object, "unsupported", json_missing(slave, LIBBOND_SCOPE_SLAVE, LIBBOND_PRESENT_ALWAYS, true));
	json_add(object, "unknown_attributes", json_unknown(slave));
	return object;
}

/* A slave's state says nothing while the bond is down: the monitors run only when it is up. */
static bool is_stale(const struct libbond_link *bond)
{
	int64_t up = 0;
	libbond_link_number(bond, libbond_attr_find(LIBBOND_SCOPE_LINK, "up"), &up);
	return !up;
}

static bool is_lacp(const struct libbond_link *bond)
{
	char mode[LIBBOND_TEXT_SIZE] = "";
	libbond_link_text(bond, libbond_attr_find(LIBBOND_SCOPE_BOND, "mode"), mode, sizeof(mode));
	return strcmp(mode, "802.3ad") == 0;
}

struct json_object *json_bond(const struct libbond_link *bond)
{
	struct json_object *object = json_start(bond, true), *slaves = json_object_new_array();

	for (size_t i = 0; i < libbond_link_slaves(bond); i++)
		json_object_array_add(slaves, json_slave(libbond_link_slave(bond, i)));
	add_kind(object, bond);
	add_scope(object, bond, LIBBOND_SCOPE_LINK);
	json_add(object, "state_stale", json_object_new_boolean(is_stale(bond)));
	add_scope(object, bond, LIBBOND_SCOPE_BOND);
	json_add(object, "slaves", slaves);
	json_add(object, "statistics", json_counters(bond));
	json_add(object, "withheld",
	         json_missing(bond, LIBBOND_SCOPE_BOND, LIBBOND_PRESENT_PRIVILEGED, is_lacp(bond)));
	json_add(object, "unsupported", json_missing(bond, LIBBOND_SCOPE_BOND, LIBBOND_PRESENT_ALWAYS, true));
	json_add(object, "unknown_attributes", json_unknown(bond));
	return object;
}

struct json_object *json_bond_stats(const struct libbond_link *bond)
{
	struct json_object *object = json_start(bond, true), *slaves = json_object_new_array();

	for (size_t i = 0; i < libbond_link_slaves(bond); i++) {
		const struct libbond_link *slave = libbond_link_slave(bond, i);
		struct json_object *one = json_start(slave, false);
		json_add(one, "statistics", json_counters(slave));
		json_object_array_add(slaves, one);
	}
	json_add(object, "statistics", json_counters(bond));
	json_add(object, "slaves", slaves);
	return object;
}

struct json_object *json_bond_brief(const struct libbond_link *bond)
{
	static const struct {
		enum libbond_scope scope;
		const char *name;
	} keys[] = {
		{LIBBOND_SCOPE_BOND, "mode"},
		{LIBBOND_SCOPE_LINK, "up"},
		{LIBBOND_SCOPE_LINK, "carrier"},
		{LIBBOND_SCOPE_BOND, "active_slave"},
	};
	struct json_object *object = json_start(bond, true), *slaves = json_object_new_array();

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		json_add(object, keys[i].name, json_value(bond, libbond_attr_find(keys[i].scope, keys[i].name)));
	for (size_t i = 0; i < libbond_link_slaves(bond); i++)
		json_object_array_add(slaves, json_text(libbond_link_name(libbond_link_slave(bond, i))));
	json_add(object, "slaves", slaves);
	return object;
}
