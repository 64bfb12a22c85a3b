/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads what show --json prints into configs. Sits between json-text.c, which gives values, and verb-apply.c with
 * verb-diff.c, which want what they say; json.c writes what is read here.
 */
#include "document.h"

#include <ctype.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "json-text.h"
#include "json.h"
#include "output.h"
#include "request.h"
#include "suggest.h"

/* Keys beside those of the rows: what a bond or a slave is called and what it has, and state. */
static const char *const bond_keys[] = {"schema", "name", "slaves", NULL};
static const char *const slave_keys[] = {"name", NULL};
static const char *const state_keys[] = {"ifindex",     "kind",     "state_stale",        "statistics",
                                         "unsupported", "withheld", "unknown_attributes", NULL};

static bool is_one_of(const char *const *words, const char *word)
{
	for (; *words; words++)
		if (strcmp(*words, word) == 0)
			return true;
	return false;
}

/* What is being read, for messages and for the rows that belong to it. */
struct reader {
	const struct document *document;
	const char *device; /* the bond or the slave */
	bool of_slave;
	struct libbond_config *config;
	char *active; /* of a bond: where its active slave is noted */
};

/* Where in the document: "bonds.json: bond0". */
static int refuse(const struct reader *reader, const char *key, const char *why)
{
	return output_usage("%s: %s: %s %s", reader->document->source, reader->device, key, why);
}

/* --- strings --- */

static bool is_escape(const char *p)
{
	return p[0] == '\\' && p[1] == 'x' && isxdigit((unsigned char)p[2]) && isxdigit((unsigned char)p[3]);
}

/* The reverse of output_utf8(): a name may have bytes that JSON cannot carry. False if it does not fit or has a NUL.
 */
static bool unescape(const char *text, char *out, size_t size)
{
	size_t used = 0;
	for (const char *p = text; *p; used++) {
		char pair[3] = {0};
		if (used + 1 == size)
			return false;
		if (!is_escape(p)) {
			out[used] = *p++;
			continue;
		}
		memcpy(pair, p + 2, 2);
		out[used] = (char)strtoul(pair, NULL, 16);
		if (!out[used])
			return false;
		p += 4;
	}
	out[used] = '\0';
	return true;
}

static int read_name(const struct reader *reader, const char *key, struct json_object *value,
                     char name[LIBBOND_ALTNAME_SIZE])
{
	if (!json_object_is_type(value, json_type_string))
		return refuse(reader, key, "is not a string");
	if (!unescape(json_object_get_string(value), name, LIBBOND_ALTNAME_SIZE) || !*name)
		return refuse(reader, key, "does not name an interface");
	return STATUS_OK;
}

/* --- values --- */

static bool is_list(const struct libbond_attr *attr)
{
	return libbond_attr_type(attr) == LIBBOND_TYPE_IP4_LIST || libbond_attr_type(attr) == LIBBOND_TYPE_IP6_LIST;
}

/* A document says what the list is; "+ADDRESS" would be another list each time. */
static bool is_item(struct json_object *item)
{
	const char *text = json_object_is_type(item, json_type_string) ? json_object_get_string(item) : "";
	return *text && *text != '+' && *text != '-' && !strchr(text, ',');
}

/* An array as the text that a config takes. */
static int join(const struct reader *reader, const char *key, struct json_object *array, char *text, size_t size)
{
	size_t used = 0;

	snprintf(text, size, "none");
	for (size_t i = 0; i < json_object_array_length(array); i++) {
		struct json_object *item = json_object_array_get_idx(array, i);
		if (!is_item(item))
			return refuse(reader, key, "is not a list of addresses");
		used += (size_t)snprintf(text + used, size - used, "%s%s", i ? "," : "",
		                         json_object_get_string(item));
		if (used >= size)
			return refuse(reader, key, "is too long a list");
	}
	return STATUS_OK;
}

/* A value as the text that a config takes; the types are those of json_value(), and strings do as well. */
static int text_of(const struct reader *reader, const char *key, const struct libbond_attr *attr,
                   struct json_object *value, char *text, size_t size)
{
	switch (json_object_get_type(value)) {
	case json_type_boolean:
		snprintf(text, size, "%s", json_object_get_boolean(value) ? "true" : "false");
		return STATUS_OK;
	case json_type_int:
		snprintf(text, size, "%s", json_object_get_string(value));
		return STATUS_OK;
	case json_type_string:
		if (is_list(attr) && strpbrk(json_object_get_string(value), "+-"))
			return refuse(reader, key, "says what the list is, and cannot edit it");
		if (!unescape(json_object_get_string(value), text, size))
			return refuse(reader, key, "is too long, or has a NUL in it");
		return STATUS_OK;
	case json_type_array:
		if (is_list(attr))
			return join(reader, key, value, text, size);
		return refuse(reader, key, "is not a list");
	case json_type_double:
		return refuse(reader, key, "has a fraction or an exponent, and takes whole numbers");
	default:
		return refuse(reader, key, "is an object, where a value belongs");
	}
}

static int bad_value(const struct reader *reader, const struct libbond_attr *attr, const char *text,
                     struct libbond_error *err)
{
	char what[sizeof(err->message)];

	memcpy(what, err->message, sizeof(what));
	snprintf(err->message, sizeof(err->message), "%.60s: %.40s: %.150s", reader->document->source, reader->device,
	         what);
	snprintf(err->device, sizeof(err->device), "%s", reader->device);
	return request_bad_value(attr, text, err);
}

static int take_value(const struct reader *reader, const char *key, const struct libbond_attr *attr,
                      struct json_object *value)
{
	bool can_be_none = is_list(attr) || libbond_attr_type(attr) == LIBBOND_TYPE_LINK;
	char text[LIBBOND_TEXT_SIZE] = "none";
	struct libbond_error err;

	if (!value && !can_be_none)
		return STATUS_OK; /* the kernel did not report it */
	int status = value ? text_of(reader, key, attr, value, text, sizeof(text)) : STATUS_OK;
	if (status != STATUS_OK)
		return status;
	if (libbond_config_has(reader->config, attr))
		return request_agrees(reader->config, attr, text)
		               ? STATUS_OK
		               : refuse(reader, key, "is there twice, under two names and with two values");
	if (libbond_config_set(reader->config, attr, text, &err) < 0)
		return bad_value(reader, attr, text, &err);
	return STATUS_OK;
}

/* --- keys --- */

static const struct libbond_attr *row_of(const struct reader *reader, const char *key)
{
	if (!reader->of_slave)
		return request_bond_attr(key);
	const struct libbond_attr *attr = request_slave_attr(key);
	return attr ? attr : libbond_attr_find(LIBBOND_SCOPE_LINK, key);
}

/* What show prints of a row, and nobody wants: it can only be read, or is the driver's. */
static bool is_state(const struct reader *reader, const struct libbond_attr *attr)
{
	if (libbond_attr_flags(attr) & LIBBOND_ATTR_READ_ONLY)
		return true;
	return reader->of_slave && libbond_attr_scope(attr) == LIBBOND_SCOPE_LINK &&
	       !request_is_of_slave_device(attr);
}

static bool is_active_slave(const struct libbond_attr *attr)
{
	return attr == libbond_attr_find(LIBBOND_SCOPE_BOND, "active_slave");
}

static void offer_rows(const struct reader *reader, enum libbond_scope scope, struct suggestion *best)
{
	const struct libbond_attr *attr = NULL;
	while ((attr = libbond_attr_next(scope, attr)))
		if (!is_state(reader, attr) && !is_active_slave(attr))
			suggestion_offer(best, libbond_attr_name(attr));
}

static void warn_unknown(const struct reader *reader, const char *key)
{
	struct suggestion best = suggestion_start(key);
	const char *source = reader->document->source, *device = reader->device;

	if (!reader->of_slave && request_slave_attr(key)) {
		output_warning(device, key, "%s: %s: %s is of a slave, and ignored here", source, device, key);
		return;
	}
	offer_rows(reader, reader->of_slave ? LIBBOND_SCOPE_SLAVE : LIBBOND_SCOPE_BOND, &best);
	offer_rows(reader, LIBBOND_SCOPE_LINK, &best);
	suggestion_offer(&best, "name");
	if (!reader->of_slave)
		suggestion_offer(&best, "slaves");
	if (best.word)
		output_warning(device, key, "%s: %s: unknown key '%.64s' is ignored; did you mean %s?", source,
		               device, key, best.word);
	else
		output_warning(device, key, "%s: %s: unknown key '%.64s' is ignored", source, device, key);
}

static int take_active(const struct reader *reader, struct json_object *value)
{
	/* whatever it is, it is not wanted */
	if (reader->active && json_object_is_type(value, json_type_string) &&
	    !unescape(json_object_get_string(value), reader->active, LIBBOND_ALTNAME_SIZE))
		*reader->active = '\0';
	return STATUS_OK;
}

static int take_member(const struct reader *reader, const char *key, struct json_object *value)
{
	const struct libbond_attr *attr;

	if (is_one_of(reader->of_slave ? slave_keys : bond_keys, key) || is_one_of(state_keys, key))
		return STATUS_OK;
	attr = row_of(reader, key);
	if (!attr) {
		warn_unknown(reader, key);
		return STATUS_OK;
	}
	if (is_active_slave(attr))
		return take_active(reader, value);
	return is_state(reader, attr) ? STATUS_OK : take_value(reader, key, attr, value);
}

static int take_members(const struct reader *reader, struct json_object *object)
{
	int status = STATUS_OK;
	json_object_object_foreach(object, key, value) if (status == STATUS_OK) status =
		take_member(reader, key, value);
	return status;
}

/* --- slaves --- */

static int need_once(const struct reader *reader, const struct document *document, const char *slave)
{
	char why[2 * LIBBOND_ALTNAME_SIZE];
	for (size_t b = 0; b < document->count; b++)
		for (size_t i = 0; i < document->bonds[b].count; i++) {
			const struct document_slave *other = &document->bonds[b].slaves[i];
			if (strcmp(*other->name ? other->name : other->permanent, slave) != 0)
				continue;
			if (strcmp(document->bonds[b].name, reader->device) == 0)
				return refuse(reader, slave, "is there twice among the slaves");
			snprintf(why, sizeof(why), "is a slave of %s as well", document->bonds[b].name);
			return refuse(reader, slave, why);
		}
	return STATUS_OK;
}

/* The key that tells which device a slave is, and its value; NULL if none does. */
static const char *identity(struct json_object *slave, struct json_object **value)
{
	static const char *const keys[] = {"name", "perm_hwaddr", "permanent_address"};
	*value = slave;
	if (!json_object_is_type(slave, json_type_object))
		return keys[0];
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		if (json_object_object_get_ex(slave, keys[i], value))
			return keys[i];
	return NULL;
}

static int read_slave(const struct reader *of_bond, struct document *document, struct document_bond *bond,
                      struct json_object *value)
{
	struct reader reader = {.document = document, .of_slave = true};
	struct document_slave *slave = &bond->slaves[bond->count];
	bool described = json_object_is_type(value, json_type_object);
	struct json_object *word;
	const char *key = identity(value, &word);

	if (!key)
		return refuse(of_bond, "slaves", "has one without a name or a permanent address");
	if (!described && !json_object_is_type(value, json_type_string))
		return refuse(of_bond, "slaves", "is not an array of names or objects");
	char *name = strcmp(key, "name") == 0 ? slave->name : slave->permanent;
	int status = read_name(of_bond, key, word, name);
	if (status == STATUS_OK)
		status = need_once(of_bond, document, name);
	if (status != STATUS_OK)
		return status;
	if (libbond_config_new(&slave->config) < 0)
		return output_no_memory();
	bond->count++; /* is freed from now on */
	reader.device = name;
	reader.config = slave->config;
	return described ? take_members(&reader, value) : STATUS_OK;
}

static int read_slaves(const struct reader *reader, struct document *document, struct document_bond *bond,
                       struct json_object *array)
{
	int status = STATUS_OK;

	if (!json_object_is_type(array, json_type_array))
		return refuse(reader, "slaves", "is not an array");
	bond->lists_slaves = true;
	bond->slaves = calloc(json_object_array_length(array) + 1, sizeof(*bond->slaves));
	if (!bond->slaves)
		return output_no_memory();
	for (size_t i = 0; status == STATUS_OK && i < json_object_array_length(array); i++)
		status = read_slave(reader, document, bond, json_object_array_get_idx(array, i));
	return status;
}

/* --- bonds --- */

static int check_schema(const struct reader *reader, struct json_object *object)
{
	struct json_object *schema;
	if (!json_object_object_get_ex(object, "schema", &schema))
		return STATUS_OK;
	if (json_object_is_type(schema, json_type_int) && json_object_get_int64(schema) == JSON_SCHEMA)
		return STATUS_OK;
	return refuse(reader, "schema", "is another than 1, which is what this program reads");
}

/* A description of another kind of device is no wish for a bond. */
static int check_kind(const struct reader *reader, struct json_object *object)
{
	struct json_object *kind;
	if (!json_object_object_get_ex(object, "kind", &kind) ||
	    (json_object_is_type(kind, json_type_string) && strcmp(json_object_get_string(kind), "bond") == 0))
		return STATUS_OK;
	return refuse(reader, "kind", "is another than bond");
}

static int start_bond(struct document *document, struct document_bond *bond, struct json_object *object)
{
	struct reader reader = {.document = document, .device = "a bond"};
	struct json_object *name;

	if (!json_object_is_type(object, json_type_object))
		return output_usage("%s: it is not an object, or an array of objects, that describe bonds",
		                    document->source);
	if (!json_object_object_get_ex(object, "name", &name))
		return refuse(&reader, "name", "is missing");
	int status = read_name(&reader, "name", name, bond->name);
	for (size_t i = 0; status == STATUS_OK && i < document->count; i++)
		if (strcmp(document->bonds[i].name, bond->name) == 0)
			return output_usage("%s: %s is there twice", document->source, bond->name);
	if (status == STATUS_OK && libbond_config_new(&bond->config) < 0)
		return output_no_memory();
	return status;
}

static int read_bond(struct document *document, struct json_object *object)
{
	struct document_bond *bond = &document->bonds[document->count];
	struct reader reader = {.document = document, .device = bond->name, .active = bond->active};
	struct json_object *slaves;

	int status = start_bond(document, bond, object);
	if (status != STATUS_OK)
		return status;
	document->count++; /* is freed from now on */
	reader.config = bond->config;
	status = check_schema(&reader, object);
	if (status == STATUS_OK)
		status = check_kind(&reader, object);
	if (status == STATUS_OK)
		status = take_members(&reader, object);
	if (status == STATUS_OK && json_object_object_get_ex(object, "slaves", &slaves))
		status = read_slaves(&reader, document, bond, slaves);
	return status;
}

static int read_root(struct document *document, struct json_object *root)
{
	bool array = json_object_is_type(root, json_type_array);
	size_t count = array ? json_object_array_length(root) : 1;
	int status = STATUS_OK;

	document->bonds = calloc(count + 1, sizeof(*document->bonds));
	if (!document->bonds)
		return output_no_memory();
	for (size_t i = 0; status == STATUS_OK && i < count; i++)
		status = read_bond(document, array ? json_object_array_get_idx(root, i) : root);
	return status;
}

int document_parse(struct document *document, const char *text, size_t length, const char *source)
{
	struct json_object *root = NULL;

	*document = (struct document){.source = source};
	int status = json_text_parse(text, length, source, &root);
	if (status == STATUS_OK)
		status = read_root(document, root);
	json_object_put(root);
	return status;
}

int document_read(struct document *document, const char *path)
{
	struct json_object *root = NULL;

	*document = (struct document){.source = output_source(path)};
	int status = json_text_read(path, &root);
	if (status == STATUS_OK)
		status = read_root(document, root);
	json_object_put(root);
	return status;
}

void document_free(struct document *document)
{
	for (size_t b = 0; b < document->count; b++) {
		struct document_bond *bond = &document->bonds[b];
		for (size_t i = 0; i < bond->count; i++)
			libbond_config_free(bond->slaves[i].config);
		free(bond->slaves);
		libbond_config_free(bond->config);
	}
	free(document->bonds);
	*document = (struct document){0};
}
