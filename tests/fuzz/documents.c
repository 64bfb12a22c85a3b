/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzzes what apply and diff read: any text is refused as wrong usage, or is bonds whose configs say the same when
 * they are printed and read again. What the tool says goes nowhere.
 */
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "document.h"
#include "json.h"
#include "output.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct context context = {.settings = {.json = true, .quiet = true}};

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	(void)argc;
	(void)argv;
	if (!freopen("/dev/null", "w", stdout))
		abort();
	output_begin(&context);
	return 0;
}

static void forget_warnings(void)
{
	json_object_put(context.extras);
	context.extras = NULL;
}

static void add_config(struct json_object *object, const struct libbond_config *config)
{
	const struct libbond_attr *attr;
	for (size_t i = 0; (attr = libbond_config_attr(config, i)); i++)
		json_object_object_add(object, libbond_attr_name(attr), json_wanted(config, attr));
}

static struct json_object *start(const char *name, const struct libbond_config *config)
{
	struct json_object *object = json_object_new_object();
	json_object_object_add(object, "name", json_text_or_null(name));
	add_config(object, config);
	return object;
}

/* A document as show would print it, were all of it so. */
static struct json_object *print(const struct document *document)
{
	struct json_object *array = json_object_new_array();
	for (size_t b = 0; b < document->count; b++) {
		const struct document_bond *bond = &document->bonds[b];
		struct json_object *object = start(bond->name, bond->config), *slaves = json_object_new_array();
		for (size_t i = 0; i < bond->count; i++)
			json_object_array_add(slaves, start(bond->slaves[i].name, bond->slaves[i].config));
		if (bond->lists_slaves)
			json_object_object_add(object, "slaves", slaves);
		else
			json_object_put(slaves);
		json_object_array_add(array, object);
	}
	return array;
}

static void check_again(const struct document *document)
{
	struct json_object *printed = print(document), *again;
	const char *text = json_object_to_json_string(printed);
	struct document second;

	if (document_parse(&second, text, strlen(text), "again") != STATUS_OK)
		abort();
	forget_warnings();
	again = print(&second);
	if (strcmp(text, json_object_to_json_string(again)) != 0)
		abort();
	json_object_put(again);
	json_object_put(printed);
	document_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct document document;
	char *text = malloc(size ? size : 1); /* of just its size: a read past the end is seen */

	if (!text)
		abort();
	memcpy(text, data, size);
	int status = document_parse(&document, text, size, "input");
	if (status == STATUS_OK)
		check_again(&document);
	else if (status != STATUS_USAGE || ferror(stdout))
		abort();
	forget_warnings();
	document_free(&document);
	free(text);
	return 0;
}
