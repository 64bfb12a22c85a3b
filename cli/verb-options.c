/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bondctl options: the attribute table for people, for machines and for the man page, and whether the
 * running kernel has each. Sits between command.c and the library's table and probe.
 */
#include <inttypes.h>
#include <sched.h>
#include <string.h>

#include "command.h"
#include "json.h"
#include "output.h"
#include "suggest.h"

static const char *const scope_names[] = {"bond", "ad_info", "slave", "link"};

/* --- what the running kernel has --- */

/* Make bonds where they disturb nobody. As an ordinary user that takes a user namespace, which only a
 * process of a single thread can make, and which the process then stays in: not for a line of a batch. NULL
 * if it cannot be told, with the reason noted. */
static struct libbond_probe *probe_kernel(bool alone)
{
	struct libbond_probe *probe = NULL;
	struct libbond *handle = NULL;
	struct libbond_error err;
	int rc = libbond_open(&handle, NULL, LIBBOND_OPEN_FRESH_NETNS, &err);

	if (rc < 0 && err.cause == LIBBOND_CAUSE_PERMISSION && alone && unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0)
		rc = libbond_open(&handle, NULL, 0, &err);
	if (rc == 0)
		rc = libbond_probe(handle, &probe, &err);
	libbond_close(handle);
	if (rc < 0 && err.cause == LIBBOND_CAUSE_NO_DRIVER)
		output_note("the kernel has no bonding driver: what it would support is not known");
	else if (rc < 0)
		output_note("cannot find out what this kernel supports: %s", err.message);
	return rc < 0 ? NULL : probe;
}

static int has(const struct libbond_probe *probe, const struct libbond_attr *attr)
{
	return probe ? libbond_probe_has(probe, attr) : -1;
}

/* --- pieces of a row --- */

static void print_words(const struct libbond_attr *attr)
{
	const char *word;
	for (size_t i = 0; (word = libbond_attr_word(attr, i, NULL)); i++)
		printf("%s%s", i ? " | " : "", word);
}

static void print_values(const struct libbond_attr *attr)
{
	const char *unit = libbond_attr_unit(attr);
	switch (libbond_attr_type(attr)) {
	case LIBBOND_TYPE_NUMBER:
		printf("%" PRId64 "..%" PRId64 "%s%s", libbond_attr_min(attr), libbond_attr_max(attr),
		       *unit ? " " : "", unit);
		break;
	case LIBBOND_TYPE_LINK:
		printf("IF | none");
		break;
	case LIBBOND_TYPE_MAC:
		printf("MAC");
		break;
	case LIBBOND_TYPE_IP4_LIST:
		printf("IPv4[,IPv4]... | none");
		break;
	case LIBBOND_TYPE_IP6_LIST:
		printf("IPv6[,IPv6]... | none");
		break;
	default:
		print_words(attr);
	}
}

static void print_modes(unsigned modes)
{
	bool any = false;
	if (modes == LIBBOND_MODES_ALL) {
		printf("all");
		return;
	}
	for (unsigned mode = 0; mode < LIBBOND_MODES; mode++) {
		if (!(modes >> mode & 1))
			continue;
		printf("%s%s", any ? ", " : "", libbond_mode_name(mode));
		any = true;
	}
	if (!any)
		printf("none");
}

static const char *needs_of(const struct libbond_attr *attr)
{
	unsigned flags = libbond_attr_flags(attr);
	if ((flags & LIBBOND_ATTR_NEEDS_DOWN) && (flags & LIBBOND_ATTR_NEEDS_EMPTY))
		return "the bond down and without slaves";
	if (flags & LIBBOND_ATTR_NEEDS_DOWN)
		return "the bond down";
	if (flags & LIBBOND_ATTR_NEEDS_EMPTY)
		return "the bond without slaves";
	if (flags & LIBBOND_ATTR_CREATE_ONLY)
		return "to be given when the bond is created";
	if (flags & LIBBOND_ATTR_OF_MIIMON)
		return "miimon";
	return "";
}

/* --- text --- */

/* Words that the running kernel refuses, though it has the option. */
static void print_refused_words(const struct libbond_attr *attr, const struct libbond_probe *probe)
{
	bool any = false;
	const char *word;
	for (size_t i = 0; probe && (word = libbond_attr_word(attr, i, NULL)); i++) {
		if (libbond_probe_has(probe, attr) != 1 || libbond_probe_word(probe, attr, i) != 0)
			continue;
		printf("%s%s", any ? ", " : ", but not ", word);
		any = true;
	}
}

static void print_aliases(const struct libbond_attr *attr)
{
	const char *alias;
	for (size_t i = 0; (alias = libbond_attr_alias(attr, i)); i++)
		printf("%s%s", i ? ", " : "", alias);
}

#define PARAGRAPH_WIDTH 76

static void print_paragraph(const char *text)
{
	size_t column = 0;
	while (*text) {
		size_t word = strcspn(text, " ");
		if (column && column + 1 + word > PARAGRAPH_WIDTH)
			column = 0, printf("\n");
		printf("%s%.*s", column ? " " : "    ", (int)word, text);
		column += word + 1;
		text += word + strspn(text + word, " ");
	}
	if (column)
		printf("\n");
}

static void print_text(const struct libbond_attr *attr, const struct libbond_probe *probe, bool details)
{
	static const char *const known[] = {"cannot be told", "no", "yes"};
	const char *usual = libbond_attr_default(attr);
	bool read_only = libbond_attr_flags(attr) & LIBBOND_ATTR_READ_ONLY;

	printf("%s%s\n    %s\n", libbond_attr_name(attr),
	       read_only                                         ? " (read-only)"
	       : libbond_attr_scope(attr) == LIBBOND_SCOPE_SLAVE ? " (of a slave)"
	                                                         : "",
	       libbond_attr_summary(attr));
	printf("    values   ");
	print_values(attr);
	if (usual)
		printf("; default %s", *usual ? usual : "none");
	printf("\n    modes    ");
	print_modes(libbond_attr_modes(attr));
	if (libbond_attr_effect(attr) != libbond_attr_modes(attr)) {
		printf("; has an effect in ");
		print_modes(libbond_attr_effect(attr));
	}
	printf("\n");
	if (*needs_of(attr))
		printf("    needs    %s\n", needs_of(attr));
	if (libbond_attr_alone_word(attr, 0)) {
		printf("    alone    ");
		for (size_t i = 0; libbond_attr_alone_word(attr, i); i++)
			printf("%s%s", i ? ", " : "", libbond_attr_alone_word(attr, i));
		printf("\n");
	}
	if (libbond_attr_alias(attr, 0)) {
		printf("    also     ");
		print_aliases(attr);
		printf("\n");
	}
	printf("    kernel   %s", known[has(probe, attr) + 1]);
	print_refused_words(attr, probe);
	printf("; came with Linux %s\n", libbond_attr_since(attr));
	if (details)
		print_paragraph(libbond_attr_text(attr));
}

/* --- the man page --- */

/* mdoc wants each sentence on a line of its own. */
static void print_sentences(const char *text)
{
	for (; *text; text++) {
		bool ends = text[0] == '.' && text[1] == ' ';
		putchar(*text);
		if (ends) {
			putchar('\n');
			text++;
		}
	}
	putchar('\n');
}

static void print_mdoc(const struct libbond_attr *attr)
{
	const char *usual = libbond_attr_default(attr), *needs = needs_of(attr), *text = libbond_attr_text(attr);

	printf(".It Cm %s Ns \" \" Ns No ", libbond_attr_name(attr));
	print_values(attr);
	printf("\n%c%s.\n", libbond_attr_summary(attr)[0] - (libbond_attr_summary(attr)[0] >= 'a' ? 'a' - 'A' : 0),
	       libbond_attr_summary(attr) + 1);
	if (*text)
		print_sentences(text);
	if (usual)
		printf("Default: %s.\n", *usual ? usual : "none");
	if (libbond_attr_modes(attr) != LIBBOND_MODES_ALL) {
		printf("Modes: ");
		print_modes(libbond_attr_modes(attr));
		printf(".\n");
	}
	if (*needs)
		printf("Needs %s.\n", needs);
	if (libbond_attr_alias(attr, 0)) {
		printf("Also spelled ");
		print_aliases(attr);
		printf(".\n");
	}
}

/* --- JSON --- */

static struct json_object *json_modes(unsigned modes)
{
	struct json_object *array = json_object_new_array();
	for (unsigned mode = 0; mode < LIBBOND_MODES; mode++)
		if (modes >> mode & 1)
			json_object_array_add(array, json_object_new_string(libbond_mode_name(mode)));
	return array;
}

static struct json_object *json_words(const struct libbond_attr *attr)
{
	struct json_object *object = json_object_new_object();
	const char *word;
	int64_t number;
	for (size_t i = 0; (word = libbond_attr_word(attr, i, &number)); i++)
		json_add(object, word, json_object_new_int64(number));
	return object;
}

static struct json_object *json_refused_words(const struct libbond_attr *attr, const struct libbond_probe *probe)
{
	struct json_object *array = json_object_new_array();
	const char *word;
	for (size_t i = 0; probe && (word = libbond_attr_word(attr, i, NULL)); i++)
		if (libbond_probe_word(probe, attr, i) == 0)
			json_object_array_add(array, json_object_new_string(word));
	return array;
}

static struct json_object *json_row(const struct libbond_attr *attr, const struct libbond_probe *probe)
{
	static const char *const types[] = {"number", "boolean",   "word",      "bits", "interface",
	                                    "mac",    "ipv4_list", "ipv6_list", "nest"};
	struct json_object *row = json_object_new_object(), *aliases = json_object_new_array();
	enum libbond_type type = libbond_attr_type(attr);
	unsigned flags = libbond_attr_flags(attr);
	const char *usual = libbond_attr_default(attr), *alias;
	bool range = type == LIBBOND_TYPE_NUMBER;
	int supported = has(probe, attr);

	for (size_t i = 0; (alias = libbond_attr_alias(attr, i)); i++)
		json_object_array_add(aliases, json_object_new_string(alias));
	json_add(row, "name", json_object_new_string(libbond_attr_name(attr)));
	json_add(row, "aliases", aliases);
	json_add(row, "scope", json_object_new_string(scope_names[libbond_attr_scope(attr)]));
	json_add(row, "number", json_object_new_int64(libbond_attr_id(attr)));
	json_add(row, "type", json_object_new_string(types[type]));
	json_add(row, "min", range ? json_object_new_int64(libbond_attr_min(attr)) : NULL);
	json_add(row, "max", range ? json_object_new_int64(libbond_attr_max(attr)) : NULL);
	json_add(row, "words", json_words(attr));
	json_add(row, "unit", *libbond_attr_unit(attr) ? json_object_new_string(libbond_attr_unit(attr)) : NULL);
	json_add(row, "default", usual ? json_object_new_string(usual) : NULL);
	json_add(row, "modes", json_modes(libbond_attr_modes(attr)));
	json_add(row, "effect", json_modes(libbond_attr_effect(attr)));
	json_add(row, "read_only", json_object_new_boolean((flags & LIBBOND_ATTR_READ_ONLY) != 0));
	json_add(row, "needs_down", json_object_new_boolean((flags & LIBBOND_ATTR_NEEDS_DOWN) != 0));
	json_add(row, "needs_empty", json_object_new_boolean((flags & LIBBOND_ATTR_NEEDS_EMPTY) != 0));
	json_add(row, "needs_miimon", json_object_new_boolean((flags & LIBBOND_ATTR_OF_MIIMON) != 0));
	json_add(row, "create_only", json_object_new_boolean((flags & LIBBOND_ATTR_CREATE_ONLY) != 0));
	json_add(row, "obsolete", json_object_new_boolean((flags & LIBBOND_ATTR_OBSOLETE) != 0));
	json_add(row, "since", json_object_new_string(libbond_attr_since(attr)));
	json_add(row, "summary", json_object_new_string(libbond_attr_summary(attr)));
	json_add(row, "unsupported_words", json_refused_words(attr, probe));
	json_add(row, "supported", supported < 0 ? NULL : json_object_new_boolean(supported));
	return row;
}

/* --- choosing rows --- */

struct listing {
	const struct settings *settings;
	bool alone; /* no batch */
	const struct libbond_probe *probe;
	struct json_object *array;
	const char **names;
	size_t count;
};

static bool goes_by(const struct libbond_attr *attr, const char *name)
{
	return libbond_attr_find(libbond_attr_scope(attr), name) == attr;
}

static bool is_listed(const struct listing *listing, const struct libbond_attr *attr)
{
	bool listed = listing->count == 0 &&
	              (listing->settings->all || !(libbond_attr_flags(attr) & LIBBOND_ATTR_READ_ONLY));
	for (size_t i = 0; i < listing->count; i++)
		if (goes_by(attr, listing->names[i]))
			listed = true;
	return listed;
}

static void list_row(struct listing *listing, const struct libbond_attr *attr)
{
	if (!is_listed(listing, attr))
		return;
	if (listing->array)
		json_object_array_add(listing->array, json_row(attr, listing->probe));
	else if (listing->settings->mdoc)
		print_mdoc(attr);
	else
		print_text(attr, listing->probe, listing->count > 0);
}

static int unknown_option(const char *name)
{
	struct suggestion best = suggestion_start(name);
	for (unsigned scope = 0; scope < LIBBOND_SCOPES; scope++) {
		const struct libbond_attr *attr = NULL;
		while ((attr = libbond_attr_next((enum libbond_scope)scope, attr)))
			suggestion_offer(&best, libbond_attr_name(attr));
	}
	return best.word ? output_usage("there is no option '%s'; did you mean %s?", name, best.word)
	                 : output_usage("there is no option '%s'", name);
}

static int check_names(const char **names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		bool found = false;
		for (unsigned scope = 0; scope < LIBBOND_SCOPES; scope++)
			found |= libbond_attr_find((enum libbond_scope)scope, names[i]) != NULL;
		if (!found)
			return unknown_option(names[i]);
	}
	return STATUS_OK;
}

static int run_listing(struct listing *listing)
{
	struct libbond_probe *probe = listing->settings->mdoc ? NULL : probe_kernel(listing->alone);

	listing->probe = probe;
	listing->array = listing->settings->json ? json_object_new_array() : NULL;
	for (unsigned scope = 0; scope < LIBBOND_SCOPES; scope++) {
		const struct libbond_attr *attr = NULL;
		while ((attr = libbond_attr_next((enum libbond_scope)scope, attr)))
			list_row(listing, attr);
	}
	libbond_probe_free(probe);
	return listing->settings->json ? output_json(listing->array, STATUS_OK) : STATUS_OK;
}

int verb_options(struct context *context, struct args *args)
{
	const char *names[64];
	struct listing listing = {.settings = &context->settings, .alone = context->line == 0, .names = names};

	while (listing.count < 64 && (names[listing.count] = args_operand(args)))
		listing.count++;
	if (args_end(args) != STATUS_OK)
		return args->status;
	int status = check_names(names, listing.count);
	if (status == STATUS_OK && context->settings.netns)
		status = output_usage("options is about the kernel, which has no namespaces");
	return status != STATUS_OK ? status : run_listing(&listing);
}
