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
	int count;
	int index; /* of the word under the cursor, count if it is not there yet */
	int verb;  /* index of the verb */
	const char *prefix;
	bool repeat;    /* offer devices that are on the line already as well */
	char keep[512]; /* what stands before the prefix in the word and is printed again: "a,b," */
};

static void offer(const struct completion *c, const char *word)
{
	if (strncmp(word, c->prefix, strlen(c->prefix)) == 0)
		printf("%s%s\n", c->keep, word);
}

/* --- options with dashes --- */

static option_tables tables_of(const struct completion *c)
{
	return c->command ? c->command->options : NULL;
}

static const struct option_row *find_option(const struct completion *c, const char *word)
{
	const struct option_row *row = NULL;
	while ((row = option_next(tables_of(c), row)))
		if ((strncmp(word, "--", 2) == 0 && strcmp(word + 2, row->name) == 0) ||
		    (row->letter && word[0] == '-' && word[1] == row->letter && word[2] == '\0'))
			return row;
	return NULL;
}

static void offer_options(const struct completion *c)
{
	const struct option_row *row = NULL;
	char word[64];
	while ((row = option_next(tables_of(c), row))) {
		snprintf(word, sizeof(word), "--%s", row->name);
		offer(c, word);
	}
}

/* The files there are the shell knows best: this is no name of a device, and asks for them. */
static void offer_files(void)
{
	printf(":files\n");
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

/* The argument of an option. */
static void offer_argument(const struct completion *c, const struct option_row *row)
{
	if (strcmp(row->name, "netns") == 0) {
		offer_namespaces(c);
	} else if (strcmp(row->name, "batch") == 0) {
		offer_files();
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

/* Whether the line has the name already, alone or in a list ("slaves=eth0,eth1"). What is being typed counts
 * up to its last separator. */
static bool is_on_line(const struct completion *c, const char *name)
{
	size_t length = strlen(name);
	for (int i = c->verb + 1; i < c->count; i++) {
		const char *end = i == c->index ? c->prefix : c->words[i] + strlen(c->words[i]);
		for (const char *p = c->words[i]; p < end;) {
			size_t part = strcspn(p, "=,");
			if (part == length && strncmp(p, name, length) == 0 && p + part < end + (i != c->index))
				return true;
			p += part + (p[part] != '\0');
		}
	}
	return false;
}

static void offer_bonds(const struct completion *c)
{
	struct libbond_snapshot *snapshot = read_quietly(c, NULL);
	for (size_t i = 0; snapshot && i < libbond_snapshot_bonds(snapshot); i++) {
		const char *name = libbond_link_name(libbond_snapshot_bond(snapshot, i));
		if (c->repeat || !is_on_line(c, name))
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
		if (c->repeat || !is_on_line(c, name))
			offer(c, name);
	}
	libbond_snapshot_free(snapshot);
}

/* --- options of bonds and slaves, and their values --- */

/* Where in a request the cursor is, and what has been given before it: found by reading the words as
 * request.c does. */
enum place { AT_KEYWORD, AT_VALUE, AT_SLAVES, AT_SLAVE_NAME, AT_SLAVE_OPTION };

#define GIVEN_MAX 128

struct position {
	enum place place;
	const struct libbond_attr *attr; /* AT_VALUE: whose */
	const struct libbond_attr *given[GIVEN_MAX];
	size_t given_count;
};

static bool is_given(const struct position *at, const struct libbond_attr *attr)
{
	for (size_t i = 0; i < at->given_count; i++)
		if (at->given[i] == attr)
			return true;
	return false;
}

static bool is_of_slave(const struct libbond_attr *attr)
{
	return libbond_attr_scope(attr) == LIBBOND_SCOPE_SLAVE;
}

static void give(struct position *at, const struct libbond_attr *attr)
{
	if (at->given_count < GIVEN_MAX)
		at->given[at->given_count++] = attr;
}

/* Each slave has options of its own. */
static void start_slave(struct position *at)
{
	size_t kept = 0;
	for (size_t i = 0; i < at->given_count; i++)
		if (!is_of_slave(at->given[i]))
			at->given[kept++] = at->given[i];
	at->given_count = kept;
}

static const struct libbond_attr *alone(const char *word)
{
	const struct libbond_attr *attr = libbond_attr_alone(LIBBOND_SCOPE_BOND, word, NULL);
	return attr ? attr : libbond_attr_alone(LIBBOND_SCOPE_LINK, word, NULL);
}

/* The row that a word, or what stands in it before '=', names at this place. */
static const struct libbond_attr *attr_named(const struct position *at, const char *word, size_t length)
{
	char name[64];
	if (length >= sizeof(name))
		return NULL;
	memcpy(name, word, length);
	name[length] = '\0';
	const struct libbond_attr *attr = at->place == AT_SLAVE_OPTION ? request_slave_attr(name) : NULL;
	return attr ? attr : request_bond_attr(name);
}

static bool begins(const char *word, const char *keyword)
{
	size_t length = strlen(keyword);
	return strncmp(word, keyword, length) == 0 && (word[length] == '\0' || word[length] == '=');
}

static enum place after(const struct libbond_attr *attr)
{
	return is_of_slave(attr) ? AT_SLAVE_OPTION : AT_KEYWORD;
}

static void step(struct position *at, const char *word)
{
	size_t length = strcspn(word, "=");
	bool joined = word[length] == '=';
	const struct libbond_attr *attr;

	if (at->place == AT_VALUE) {
		at->place = after(at->attr);
	} else if (at->place == AT_SLAVE_NAME) {
		at->place = AT_SLAVE_OPTION;
	} else if (begins(word, "slaves")) {
		at->place = joined ? AT_KEYWORD : AT_SLAVES;
	} else if (begins(word, "slave")) {
		start_slave(at);
		at->place = joined ? AT_SLAVE_OPTION : AT_SLAVE_NAME;
	} else if (at->place == AT_SLAVES && !request_is_keyword(word)) {
		return;
	} else if ((attr = alone(word))) {
		give(at, attr);
		at->place = AT_KEYWORD;
	} else if ((attr = attr_named(at, word, length))) {
		give(at, attr);
		at->attr = attr;
		at->place = joined ? after(attr) : AT_VALUE;
	}
}

static bool is_creating(const struct completion *c)
{
	return c->command->operands[0] == OPERAND_NEW_BOND;
}

static void offer_attrs(const struct completion *c, const struct position *at, enum libbond_scope scope)
{
	bool creating = is_creating(c);
	const struct libbond_attr *attr = NULL;

	while ((attr = libbond_attr_next(scope, attr))) {
		unsigned flags = libbond_attr_flags(attr);
		if ((flags & LIBBOND_ATTR_READ_ONLY) || is_given(at, attr) ||
		    (!creating && (flags & LIBBOND_ATTR_CREATE_ONLY)))
			continue;
		if (!libbond_attr_alone_word(attr, 0) || libbond_attr_type(attr) == LIBBOND_TYPE_LINK)
			offer(c, libbond_attr_name(attr));
		for (size_t i = 0; libbond_attr_alone_word(attr, i); i++)
			offer(c, libbond_attr_alone_word(attr, i));
	}
}

static void offer_keywords(const struct completion *c, const struct position *at)
{
	offer_attrs(c, at, LIBBOND_SCOPE_BOND);
	offer_attrs(c, at, LIBBOND_SCOPE_LINK);
	if (is_creating(c))
		offer(c, "slaves");
	offer(c, "slave");
}

/* Slaves of the bond that is changed, or interfaces for one that is created. */
static void offer_members(const struct completion *c, const char *bond)
{
	if (is_creating(c))
		offer_candidates(c);
	else
		offer_slaves(c, bond);
}

/* What a value that is an interface can be: one that is on the line already is just what is wanted. */
static void offer_values(struct completion *c, const struct libbond_attr *attr, const char *bond)
{
	const char *word;
	for (size_t i = 0; (word = libbond_attr_word(attr, i, NULL)); i++)
		offer(c, word);
	switch (libbond_attr_type(attr)) {
	case LIBBOND_TYPE_LINK:
		c->repeat = true;
		offer_members(c, bond);
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

/* "mode=act", "slaves eth0,et": only what follows the last separator is completed. False if there is none. */
static bool narrow(struct completion *c, char separator)
{
	const char *last = strrchr(c->prefix, separator);
	if (!last)
		return false;
	size_t used = strlen(c->keep);
	snprintf(c->keep + used, sizeof(c->keep) - used, "%.*s", (int)(last + 1 - c->prefix), c->prefix);
	c->prefix = last + 1;
	return true;
}

/* A word with '=' under the cursor. */
static void complete_joined(struct completion *c, const struct position *at, const char *bond)
{
	const char *word = c->prefix;
	const struct libbond_attr *attr = attr_named(at, word, strcspn(word, "="));

	narrow(c, '=');
	if (begins(word, "slaves"))
		narrow(c, ',');
	if (begins(word, "slaves") || begins(word, "slave"))
		offer_members(c, bond);
	else if (attr)
		offer_values(c, attr, bond);
}

static struct position position_of_cursor(const struct completion *c, int bond)
{
	struct position at = {.place = AT_KEYWORD};
	for (int i = bond + 1; i < c->index; i++)
		step(&at, c->words[i]);
	return at;
}

static void complete_request(struct completion *c, const struct position *at, const char *bond)
{
	if (at->place == AT_VALUE) {
		offer_values(c, at->attr, bond);
	} else if (at->place == AT_SLAVE_NAME) {
		offer_members(c, bond);
	} else if (strchr(c->prefix, '=')) {
		complete_joined(c, at, bond);
	} else if (at->place == AT_SLAVES) {
		bool in_list = narrow(c, ',');
		offer_candidates(c);
		if (!in_list)
			offer_keywords(c, at);
	} else {
		if (at->place == AT_SLAVE_OPTION)
			offer_attrs(c, at, LIBBOND_SCOPE_SLAVE);
		offer_keywords(c, at);
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
			if (!is_on_line(c, libbond_attr_name(attr)))
				offer(c, libbond_attr_name(attr));
	}
}

/* Whether the option in a word takes the next word as its value. */
static bool takes_next(const struct completion *c, const char *word)
{
	if (word[0] != '-' || word[1] == '-') {
		const struct option_row *row = find_option(c, word);
		return row && row->argument;
	}
	for (const char *p = word + 1; *p; p++) {
		const char letter[] = {'-', *p, '\0'};
		const struct option_row *row = find_option(c, letter);
		if (row && row->argument)
			return p[1] == '\0';
	}
	return false;
}

/* How many operands there are before the cursor; *first is the index of the first, 0 for none. */
static int count_operands(const struct completion *c, int *first)
{
	int count = 0;
	*first = 0;
	for (int i = c->verb + 1; i < c->index; i++) {
		if (c->words[i][0] == '-' && c->words[i][1]) {
			i += takes_next(c, c->words[i]);
			continue;
		}
		*first = *first ? *first : i;
		count++;
	}
	return count;
}

/* What the operand after so many others is; one that comes again and again is the last of its verb. */
static enum operand operand_at(const struct command *command, int count)
{
	enum operand last = OPERAND_END;
	for (int i = 0; i < OPERANDS_MAX; i++) {
		if (command->operands[i] == OPERAND_MORE)
			return last;
		last = command->operands[i];
		if (i == count || last == OPERAND_END)
			return last;
	}
	return OPERAND_END;
}

static void complete_operand(struct completion *c, enum operand operand, const char *bond)
{
	switch (operand) {
	case OPERAND_BOND:
		offer_bonds(c);
		break;
	case OPERAND_CANDIDATE:
		offer_candidates(c);
		break;
	case OPERAND_SLAVE:
		offer_slaves(c, bond);
		break;
	case OPERAND_FILE:
		offer_files();
		break;
	case OPERAND_OPTION_NAME:
		offer_option_names(c);
		break;
	case OPERAND_VERB:
		offer_verbs(c);
		break;
	default:
		break;
	}
}

/* The namespace in "-ngreen", "-qn green", "--netns=green", "--netns green"; NULL if the word has none. */
static const char *namespace_in(const char *word, const char *next)
{
	if (!args_is_option(word, "netns", 'n'))
		return NULL;
	const char *value = word[1] == '-' ? strchr(word, '=') : strchr(word, 'n');
	return value && value[1] ? value + 1 : next;
}

/* Find the verb before the cursor, and the namespace that the live system is asked in. */
static void look_at_line(struct completion *c)
{
	for (int i = 1; i < c->index; i++) {
		const char *word = c->words[i];
		const char *netns = namespace_in(word, i + 1 < c->index ? c->words[i + 1] : NULL);
		if (netns)
			c->context->settings.netns = netns;
		if (word[0] == '-' && takes_next(c, word)) {
			i++;
		} else if (word[0] != '-' && !c->command) {
			c->command = command_find(word);
			c->verb = i;
			if (!c->command)
				return;
		}
	}
}

/* "--col", or the argument within the word: "--color=al" */
static void complete_option(struct completion *c)
{
	char name[64];
	const char *equals = strchr(c->prefix, '=');

	if (strncmp(c->prefix, "--", 2) != 0 || !equals || equals - c->prefix >= (ptrdiff_t)sizeof(name)) {
		offer_options(c);
		return;
	}
	snprintf(name, sizeof(name), "%.*s", (int)(equals - c->prefix), c->prefix);
	const struct option_row *row = find_option(c, name);
	narrow(c, '=');
	if (row && row->argument)
		offer_argument(c, row);
}

static void complete_word(struct completion *c)
{
	const char *before = c->words[c->index - 1];
	const struct option_row *row = before[0] == '-' ? find_option(c, before) : NULL;
	int bond = 0, count = c->command ? count_operands(c, &bond) : 0;
	bool request = bond && c->command->operands[1] == OPERAND_REQUEST;
	struct position at = request ? position_of_cursor(c, bond) : (struct position){.place = AT_KEYWORD};
	bool value = request && at.place == AT_VALUE; /* which may begin with a dash */

	if (!value && row && row->argument)
		offer_argument(c, row);
	else if (!value && c->prefix[0] == '-')
		complete_option(c);
	else if (request)
		complete_request(c, &at, c->words[bond]);
	else if (c->command)
		complete_operand(c, operand_at(c->command, count), bond ? c->words[bond] : "");
	else if (!c->verb)
		offer_verbs(c);
}

int verb_complete(struct context *context, struct args *args)
{
	const char *index = args_value(args);
	struct completion c = {.context = context};

	c.words = args->words + args->next;
	c.count = args->count - args->next;
	c.index = index ? (int)strtol(index, NULL, 10) : 0;
	if (c.index < 1 || c.index > c.count)
		return output_usage("complete INDEX WORD...: the index is that of a word");
	c.prefix = c.index < c.count ? c.words[c.index] : "";
	look_at_line(&c);

	complete_word(&c);
	return STATUS_OK;
}
