/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bondctl complete INDEX WORD...: what can stand at word INDEX of a command line, one candidate a line; the
 * shell's function is thin and asks here. Sits between command.c and the tables of verbs, options and
 * attributes, and the live system.
 */
#include <dirent.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "output.h"
#include "request.h"

struct completion {
	struct context *context;
	const struct command *command;
	char **words; /* words[0] is bondctl */
	int index;    /* of the word under the cursor */
	int verb;     /* index of the verb */
	const char *prefix;
	char keep[512]; /* what stands before the prefix in the word and is printed again: "a,b," */
};

static void offer(const struct completion *c, const char *word)
{
	if (strncmp(word, c->prefix, strlen(c->prefix)) == 0)
		printf("%s%s\n", c->keep, word);
}

/* --- options with dashes --- */

static const struct option_row *find_option(const struct completion *c, const char *word)
{
	const struct option_row *tables[] = {global_options, c->command ? c->command->options : NULL};
	for (size_t t = 0; t < 2; t++)
		for (const struct option_row *row = tables[t]; row && row->name; row++)
			if ((strncmp(word, "--", 2) == 0 && strcmp(word + 2, row->name) == 0) ||
			    (row->letter && word[0] == '-' && word[1] == row->letter && word[2] == '\0'))
				return row;
	return NULL;
}

static void offer_options(const struct completion *c)
{
	const struct option_row *tables[] = {c->command ? c->command->options : NULL, global_options};
	char word[64];
	for (size_t t = 0; t < 2; t++)
		for (const struct option_row *row = tables[t]; row && row->name; row++) {
			snprintf(word, sizeof(word), "--%s", row->name);
			offer(c, word);
		}
}

static void offer_namespaces(const struct completion *c)
{
	DIR *folder = opendir("/run/netns");
	struct dirent *entry;
	while (folder && (entry = readdir(folder)))
		if (entry->d_name[0] != '.')
			offer(c, entry->d_name);
	if (folder)
		closedir(folder);
}

/* The argument of an option; files are left to the shell. */
static void offer_argument(const struct completion *c, const struct option_row *row)
{
	if (strcmp(row->name, "netns") == 0) {
		offer_namespaces(c);
	} else if (strcmp(row->name, "color") == 0) {
		offer(c, "auto");
		offer(c, "always");
		offer(c, "never");
	}
}

/* --- the live system; nothing is offered where it cannot be asked --- */

static struct libbond_snapshot *read_quietly(const struct completion *c, const char *bond)
{
	struct libbond_snapshot *snapshot = NULL;
	struct context *context = c->context;
	if (!context->handle && libbond_open(&context->handle, context->settings.netns, 0, NULL) < 0)
		return NULL;
	if (bond)
		libbond_read_bond(context->handle, bond, LIBBOND_READ_NO_STATS, &snapshot, NULL);
	else
		libbond_read_links(context->handle, LIBBOND_READ_NO_STATS, &snapshot, NULL);
	return snapshot;
}

static bool is_on_line(const struct completion *c, const char *name)
{
	for (int i = c->verb + 1; c->words[i]; i++)
		if (i != c->index && strcmp(c->words[i], name) == 0)
			return true;
	return false;
}

static void offer_bonds(const struct completion *c)
{
	struct libbond_snapshot *snapshot = read_quietly(c, NULL);
	for (size_t i = 0; snapshot && i < libbond_snapshot_bonds(snapshot); i++) {
		const char *name = libbond_link_name(libbond_snapshot_bond(snapshot, i));
		if (!is_on_line(c, name))
			offer(c, name);
	}
	libbond_snapshot_free(snapshot);
}

/* Fit to enslave: no master, not loopback, not the bond itself. */
static void offer_candidates(const struct completion *c)
{
	struct libbond_snapshot *snapshot = read_quietly(c, NULL);
	for (size_t i = 0; snapshot && i < libbond_snapshot_links(snapshot); i++) {
		const struct libbond_link *link = libbond_snapshot_link(snapshot, i);
		const char *name = libbond_link_name(link);
		if (!(libbond_link_flags(link) & IFF_LOOPBACK) && !libbond_link_master(link) && !is_on_line(c, name))
			offer(c, name);
	}
	libbond_snapshot_free(snapshot);
}

static void offer_slaves(const struct completion *c, const char *bond)
{
	struct libbond_snapshot *snapshot = read_quietly(c, bond);
	const struct libbond_link *link = snapshot ? libbond_snapshot_bond(snapshot, 0) : NULL;
	if (snapshot && libbond_snapshot_by_name(snapshot, bond))
		link = libbond_snapshot_by_name(snapshot, bond);
	for (size_t i = 0; link && i < libbond_link_slaves(link); i++) {
		const char *name = libbond_link_name(libbond_link_slave(link, i));
		if (!is_on_line(c, name))
			offer(c, name);
	}
	libbond_snapshot_free(snapshot);
}

/* --- options of bonds and slaves, and their values --- */

static void offer_attrs(const struct completion *c, enum libbond_scope scope, bool creating)
{
	const struct libbond_attr *attr = NULL;
	while ((attr = libbond_attr_next(scope, attr))) {
		unsigned flags = libbond_attr_flags(attr);
		if ((flags & LIBBOND_ATTR_READ_ONLY) || (!creating && (flags & LIBBOND_ATTR_CREATE_ONLY)))
			continue;
		if (!libbond_attr_alone_word(attr, 0) || libbond_attr_type(attr) == LIBBOND_TYPE_LINK)
			offer(c, libbond_attr_name(attr));
		for (size_t i = 0; libbond_attr_alone_word(attr, i); i++)
			offer(c, libbond_attr_alone_word(attr, i));
	}
}

static void offer_values(const struct completion *c, const struct libbond_attr *attr, const char *bond)
{
	const char *word;
	for (size_t i = 0; (word = libbond_attr_word(attr, i, NULL)); i++)
		offer(c, word);
	switch (libbond_attr_type(attr)) {
	case LIBBOND_TYPE_LINK:
		if (c->command->operands == OPERANDS_BOND_AND_OPTIONS)
			offer_slaves(c, bond);
		else
			offer_candidates(c);
		offer(c, "none");
		break;
	case LIBBOND_TYPE_IP4_LIST:
	case LIBBOND_TYPE_IP6_LIST:
		offer(c, "none");
		break;
	default:
		break;
	}
}

/* Where in a request the cursor is: found by reading the words before it as request.c would. */
enum place { AT_KEYWORD, AT_VALUE, AT_SLAVES, AT_SLAVE_NAME, AT_SLAVE_OPTION };

struct position {
	enum place place;
	const struct libbond_attr *attr;
};

static bool is_word(const char *word, const char *keyword)
{
	return strcmp(word, keyword) == 0;
}

static struct position step(struct position at, const char *word)
{
	if (at.place == AT_VALUE)
		return (struct position){
			libbond_attr_scope(at.attr) == LIBBOND_SCOPE_SLAVE ? AT_SLAVE_OPTION : AT_KEYWORD, NULL};
	if (at.place == AT_SLAVE_NAME)
		return (struct position){AT_SLAVE_OPTION, NULL};
	if (is_word(word, "slaves"))
		return (struct position){AT_SLAVES, NULL};
	if (is_word(word, "slave"))
		return (struct position){AT_SLAVE_NAME, NULL};
	if (at.place == AT_SLAVE_OPTION && request_slave_attr(word))
		return (struct position){AT_VALUE, request_slave_attr(word)};
	if (at.place == AT_SLAVES && !request_is_keyword(word))
		return at;
	if (strchr(word, '=') || libbond_attr_alone(LIBBOND_SCOPE_LINK, word, NULL) ||
	    libbond_attr_alone(LIBBOND_SCOPE_BOND, word, NULL))
		return (struct position){AT_KEYWORD, NULL};
	if (request_bond_attr(word))
		return (struct position){AT_VALUE, request_bond_attr(word)};
	return (struct position){AT_KEYWORD, NULL};
}

static void offer_keywords(const struct completion *c)
{
	bool creating = c->command->operands == OPERANDS_NEW_BOND_AND_OPTIONS;
	offer_attrs(c, LIBBOND_SCOPE_BOND, creating);
	offer_attrs(c, LIBBOND_SCOPE_LINK, creating);
	if (creating)
		offer(c, "slaves");
	offer(c, "slave");
}

/* "mode=act" and "slaves eth0,et": only what follows the last separator is completed */
static void narrow(struct completion *c, char separator)
{
	const char *last = strrchr(c->prefix, separator);
	if (!last)
		return;
	snprintf(c->keep, sizeof(c->keep), "%.*s", (int)(last + 1 - c->prefix), c->prefix);
	c->prefix = last + 1;
}

static void complete_request(struct completion *c, int bond)
{
	struct position at = {AT_KEYWORD, NULL};

	for (int i = bond + 1; i < c->index; i++)
		at = step(at, c->words[i]);
	const char *equals = strchr(c->prefix, '=');
	if (at.place != AT_VALUE && equals) {
		char name[64];
		snprintf(name, sizeof(name), "%.*s", (int)(equals - c->prefix), c->prefix);
		const struct libbond_attr *attr = at.place == AT_SLAVE_OPTION ? request_slave_attr(name) : NULL;
		at = (struct position){AT_VALUE, attr ? attr : request_bond_attr(name)};
		narrow(c, '=');
	}
	switch (at.place) {
	case AT_VALUE:
		if (at.attr)
			offer_values(c, at.attr, c->words[bond]);
		break;
	case AT_SLAVE_NAME:
		if (c->command->operands == OPERANDS_BOND_AND_OPTIONS)
			offer_slaves(c, c->words[bond]);
		else
			offer_candidates(c);
		break;
	case AT_SLAVES:
		narrow(c, ',');
		offer_candidates(c);
		offer_keywords(c);
		break;
	case AT_SLAVE_OPTION:
		offer_attrs(c, LIBBOND_SCOPE_SLAVE, false);
		offer_keywords(c);
		break;
	default:
		offer_keywords(c);
	}
}

/* --- choosing what to offer --- */

static void offer_verbs(const struct completion *c)
{
	for (const struct command *command = commands; command->name; command++)
		if (!command->hidden)
			offer(c, command->name);
}

static void offer_option_names(const struct completion *c)
{
	for (unsigned scope = 0; scope < LIBBOND_SCOPES; scope++) {
		const struct libbond_attr *attr = NULL;
		while ((attr = libbond_attr_next((enum libbond_scope)scope, attr)))
			offer(c, libbond_attr_name(attr));
	}
}

/* Index of the first operand after the verb, 0 if there is none before the cursor. */
static int first_operand(const struct completion *c)
{
	for (int i = c->verb + 1; i < c->index; i++) {
		const struct option_row *row = c->words[i][0] == '-' ? find_option(c, c->words[i]) : NULL;
		if (c->words[i][0] != '-')
			return i;
		if (row && row->argument)
			i++;
	}
	return 0;
}

static void complete_operand(struct completion *c)
{
	int bond = first_operand(c);

	switch (c->command->operands) {
	case OPERANDS_BONDS:
		offer_bonds(c);
		break;
	case OPERANDS_NEW_BOND_AND_OPTIONS:
	case OPERANDS_BOND_AND_OPTIONS:
		if (bond)
			complete_request(c, bond);
		else if (c->command->operands == OPERANDS_BOND_AND_OPTIONS)
			offer_bonds(c);
		break;
	case OPERANDS_BOND_AND_CANDIDATES:
		if (bond)
			offer_candidates(c);
		else
			offer_bonds(c);
		break;
	case OPERANDS_BOND_AND_SLAVES:
		if (bond)
			offer_slaves(c, c->words[bond]);
		else
			offer_bonds(c);
		break;
	case OPERANDS_OPTION_NAMES:
		offer_option_names(c);
		break;
	case OPERANDS_VERB:
		offer_verbs(c);
		break;
	default:
		break;
	}
}

/* Find the verb before the cursor, and the namespace that the live system is asked in. */
static void look_at_line(struct completion *c)
{
	for (int i = 1; i < c->index; i++) {
		const struct option_row *row = c->words[i][0] == '-' ? find_option(c, c->words[i]) : NULL;
		if (row && row->argument && i + 1 < c->index) {
			if (strcmp(row->name, "netns") == 0)
				c->context->settings.netns = c->words[i + 1];
			i++;
		} else if (strncmp(c->words[i], "--netns=", 8) == 0) {
			c->context->settings.netns = c->words[i] + 8;
		} else if (c->words[i][0] != '-' && !c->command) {
			c->command = command_find(c->words[i]);
			c->verb = i;
			if (!c->command)
				return;
		}
	}
}

int verb_complete(struct context *context, struct args *args)
{
	const char *index = args_value(args);
	struct completion c = {.context = context};

	c.words = args->words + args->next;
	int count = args->count - args->next;
	c.index = index ? (int)strtol(index, NULL, 10) : 0;
	if (c.index < 1 || c.index > count)
		return output_usage("complete INDEX WORD...: the index is that of a word");
	c.prefix = c.index < count ? c.words[c.index] : "";
	look_at_line(&c);

	const char *before = c.words[c.index - 1];
	const struct option_row *row = before[0] == '-' ? find_option(&c, before) : NULL;
	bool value_expected = c.command && (c.command->operands == OPERANDS_BOND_AND_OPTIONS ||
					    c.command->operands == OPERANDS_NEW_BOND_AND_OPTIONS);
	if (row && row->argument)
		offer_argument(&c, row);
	else if (c.prefix[0] == '-' && !(value_expected && request_bond_attr(before)))
		offer_options(&c);
	else if (c.command)
		complete_operand(&c);
	else if (!c.verb)
		offer_verbs(&c);
	return STATUS_OK;
}
