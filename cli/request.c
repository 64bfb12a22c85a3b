/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Parses the words of create and set. Sits between args.c, which gives the words, and the library, which
 * parses each value by its row.
 */
#include "request.h"

#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "suggest.h"

const struct libbond_attr *request_bond_attr(const char *name)
{
	const struct libbond_attr *attr = libbond_attr_find(LIBBOND_SCOPE_BOND, name);
	return attr ? attr : libbond_attr_find(LIBBOND_SCOPE_LINK, name);
}

const struct libbond_attr *request_slave_attr(const char *name)
{
	return libbond_attr_find(LIBBOND_SCOPE_SLAVE, name);
}

bool request_is_of_slave_device(const struct libbond_attr *attr)
{
	static const char *const names[] = {"up", "mtu", "txqueuelen"};
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(names[i], libbond_attr_name(attr)) == 0)
			return true;
	return false;
}

static const struct libbond_attr *bond_alone(const char *word, const char **value)
{
	const struct libbond_attr *attr = libbond_attr_alone(LIBBOND_SCOPE_BOND, word, value);
	return attr ? attr : libbond_attr_alone(LIBBOND_SCOPE_LINK, word, value);
}

bool request_is_keyword(const char *word)
{
	char name[64];
	size_t length = strcspn(word, "=");
	if (length >= sizeof(name))
		return false;
	memcpy(name, word, length);
	name[length] = '\0';
	return request_bond_attr(name) || bond_alone(word, NULL) || strcmp(name, "slaves") == 0 ||
	       strcmp(name, "slave") == 0;
}

void request_free(struct request *request)
{
	for (size_t i = 0; i < request->count; i++)
		libbond_config_free((struct libbond_config *)(uintptr_t)request->members[i].config);
	free(request->members);
	free(request->listed);
	libbond_config_free(request->config);
}

/* --- refusing words --- */

static void offer_scope(struct suggestion *best, enum libbond_scope scope)
{
	const struct libbond_attr *attr = NULL;
	while ((attr = libbond_attr_next(scope, attr))) {
		if (libbond_attr_flags(attr) & LIBBOND_ATTR_READ_ONLY)
			continue;
		suggestion_offer(best, libbond_attr_name(attr));
		for (size_t i = 0; libbond_attr_alone_word(attr, i); i++)
			suggestion_offer(best, libbond_attr_alone_word(attr, i));
	}
}

static int unknown_option(const char *name, bool of_slave)
{
	struct suggestion best = suggestion_start(name);
	if (of_slave && request_bond_attr(name))
		return output_usage("%s is an option of the bond; give it before \"slave\"", name);
	const struct libbond_attr *of_other = request_slave_attr(name);
	if (!of_slave && of_other && (libbond_attr_flags(of_other) & LIBBOND_ATTR_READ_ONLY))
		return output_usage("%s is of a slave, and can only be read", name);
	if (!of_slave && of_other)
		return output_usage("%s is an option of a slave: slave IF %s VALUE", name, name);
	if (of_slave) {
		offer_scope(&best, LIBBOND_SCOPE_SLAVE);
	} else {
		offer_scope(&best, LIBBOND_SCOPE_BOND);
		offer_scope(&best, LIBBOND_SCOPE_LINK);
		suggestion_offer(&best, "slaves");
		suggestion_offer(&best, "slave");
	}
	if (best.word)
		return output_usage("there is no option '%s'; did you mean %s?", name, best.word);
	return output_usage("there is no option '%s'; bondctl options lists them", name);
}

int request_bad_value(const struct libbond_attr *attr, const char *value, struct libbond_error *err)
{
	struct suggestion best = suggestion_start(value);
	const char *word;
	for (size_t i = 0; (word = libbond_attr_word(attr, i, NULL)); i++)
		suggestion_offer(&best, word);
	if (best.word && err->cause == LIBBOND_CAUSE_BAD_VALUE)
		snprintf(err->hint, sizeof(err->hint), "%s %s", libbond_attr_name(attr), best.word);
	return output_error(err, NULL);
}

/* --- reading words --- */

bool request_agrees(const struct libbond_config *config, const struct libbond_attr *attr, const char *value)
{
	char before[LIBBOND_TEXT_SIZE] = "", now[LIBBOND_TEXT_SIZE] = "";
	struct libbond_config *other;

	if (libbond_config_new(&other) < 0)
		return false;
	bool same = libbond_config_set(other, attr, value, NULL) == 0 &&
	            libbond_config_text(config, attr, before, sizeof(before)) > 0 &&
	            libbond_config_text(other, attr, now, sizeof(now)) > 0 && strcmp(before, now) == 0;
	libbond_config_free(other);
	return same;
}

static int take_value(struct libbond_config *config, const struct libbond_attr *attr, const char *value)
{
	struct libbond_error err;
	if (libbond_config_has(config, attr))
		return request_agrees(config, attr, value)
		               ? STATUS_OK
		               : output_usage("%s is given twice, with two values", libbond_attr_name(attr));
	if (libbond_config_set(config, attr, value, &err) < 0)
		return request_bad_value(attr, value, &err);
	return STATUS_OK;
}

/* A word split at '=' into name and value; the value is the next word where there is no '='. */
struct pair {
	char name[64];
	const char *value;
};

/* The value stays NULL where the word has none. False if no option has so long a name. */
static bool split_pair(struct pair *pair, const char *word)
{
	size_t length = strcspn(word, "=");
	bool fits = length < sizeof(pair->name);

	snprintf(pair->name, sizeof(pair->name), "%.*s", fits ? (int)length : 0, word);
	pair->value = fits && word[length] ? word + length + 1 : NULL;
	return fits;
}

static int read_pair(struct pair *pair, const char *word, struct args *args)
{
	if (!split_pair(pair, word))
		return output_usage("there is no option '%.60s...'", word);
	if (!pair->value)
		pair->value = args_value(args);
	return STATUS_OK;
}

static int need_value(const struct libbond_attr *attr, const struct pair *pair)
{
	return pair->value ? STATUS_OK : output_usage("%s needs a value", libbond_attr_name(attr));
}

static int take_bond_option(struct request *request, const char *word, struct args *args)
{
	const char *value = NULL;
	const struct libbond_attr *attr = bond_alone(word, &value);
	struct pair pair;

	if (attr)
		return take_value(request->config, attr, value);
	int status = read_pair(&pair, word, args);
	if (status != STATUS_OK)
		return status;
	attr = request_bond_attr(pair.name);
	if (!attr && bond_alone(pair.name, NULL))
		return output_usage("%s takes no value", pair.name);
	if (!attr)
		return unknown_option(pair.name, false);
	status = need_value(attr, &pair);
	return status ? status : take_value(request->config, attr, pair.value);
}

/* Index of a slave, made if it is not there yet; -1 without memory. */
static long claim_member(struct request *request, const char *name)
{
	struct libbond_config *config;

	for (size_t i = 0; i < request->count; i++)
		if (strcmp(request->members[i].name, name) == 0)
			return (long)i;
	struct libbond_member *members = realloc(request->members, (request->count + 1) * sizeof(*members));
	if (members)
		request->members = members;
	bool *listed = realloc(request->listed, (request->count + 1) * sizeof(*listed));
	if (listed)
		request->listed = listed;
	if (!members || !listed || libbond_config_new(&config) < 0)
		return -1;
	members[request->count] = (struct libbond_member){.name = name, .config = config};
	listed[request->count] = false;
	return (long)request->count++;
}

static struct libbond_config *config_of(const struct request *request, long i)
{
	return (struct libbond_config *)(uintptr_t)request->members[i].config;
}

/* "slaves eth0 eth1", "slaves eth0,eth1", "slaves=eth0,eth1": up to the next keyword. A name that is a
 * keyword can be given with a comma. The commas are overwritten: the words are ours. */
static int take_slaves(struct request *request, char *list)
{
	for (char *name = strtok(list, ","); name; name = strtok(NULL, ",")) {
		long i = claim_member(request, name);
		if (i < 0)
			return output_no_memory();
		if (request->listed[i])
			return output_usage("slave %s is given twice", name);
		request->listed[i] = true;
	}
	return STATUS_OK;
}

static const char *peek(const struct args *args)
{
	return args->next < args->count ? args->words[args->next] : NULL;
}

static bool any_listed(const struct request *request)
{
	for (size_t i = 0; i < request->count; i++)
		if (request->listed[i])
			return true;
	return false;
}

static int read_slaves(struct request *request, const char *word, struct args *args)
{
	char *equals = strchr((char *)(uintptr_t)word, '=');
	int status = equals ? take_slaves(request, equals + 1) : STATUS_OK;

	while (status == STATUS_OK && !equals && peek(args) && peek(args)[0] != '-' &&
	       !request_is_keyword(peek(args)))
		status = take_slaves(request, args->words[args->next++]);
	if (status == STATUS_OK && !any_listed(request))
		return output_usage("slaves needs at least one interface");
	return status;
}

/* A word that is about a slave as a device, right after its name: "slave eth1 mtu 9000". Further on it is the bond's.
 */
static const struct libbond_attr *slave_device_attr(const char *word)
{
	struct pair pair;
	const struct libbond_attr *attr = libbond_attr_alone(LIBBOND_SCOPE_LINK, word, NULL);

	if (!attr && split_pair(&pair, word))
		attr = libbond_attr_find(LIBBOND_SCOPE_LINK, pair.name);
	return attr && request_is_of_slave_device(attr) ? attr : NULL;
}

static int read_slave_option(struct libbond_config *config, struct args *args)
{
	const char *word = args->words[args->next++], *value = NULL;
	const struct libbond_attr *attr = libbond_attr_alone(LIBBOND_SCOPE_LINK, word, &value);
	struct pair pair;

	if (attr)
		return take_value(config, attr, value);
	int status = read_pair(&pair, word, args);
	if (status != STATUS_OK)
		return status;
	attr = request_slave_attr(pair.name);
	attr = attr ? attr : slave_device_attr(pair.name);
	if (!attr)
		return unknown_option(pair.name, true);
	status = need_value(attr, &pair);
	return status ? status : take_value(config, attr, pair.value);
}

/* "slave eth1 prio 10 queue_id 2": options of that slave, listed before or not, up to the next keyword. A slave of a
 * bond that is made has the bond's MTU and is up, so that those words are the bond's wherever they stand. */
static int read_slave(struct request *request, const char *word, struct args *args, bool creating)
{
	struct pair pair;
	int status = read_pair(&pair, word, args);
	if (status != STATUS_OK)
		return status;
	const char *slave = pair.value;
	if (!slave || !*slave)
		return output_usage("slave needs an interface");
	long i = claim_member(request, slave);
	if (i < 0)
		return output_no_memory();
	struct libbond_config *config = config_of(request, i);
	while (status == STATUS_OK && !creating && peek(args) && slave_device_attr(peek(args)))
		status = read_slave_option(config, args);
	while (status == STATUS_OK && peek(args) && peek(args)[0] != '-' && !request_is_keyword(peek(args)))
		status = read_slave_option(config, args);
	if (status == STATUS_OK && !creating && libbond_config_count(config) == 0)
		return output_usage("slave '%s' needs an option", slave);
	return status;
}

static bool begins(const char *word, const char *keyword)
{
	size_t length = strlen(keyword);
	return strncmp(word, keyword, length) == 0 && (word[length] == '\0' || word[length] == '=');
}

int request_read(struct request *request, struct args *args, unsigned words)
{
	const char *word;
	int status = STATUS_OK;

	*request = (struct request){0};
	if (libbond_config_new(&request->config) < 0)
		return output_no_memory();
	while (status == STATUS_OK && (word = args_operand(args))) {
		if ((words & REQUEST_SLAVES) && begins(word, "slaves"))
			status = read_slaves(request, word, args);
		else if (begins(word, "slave"))
			status = read_slave(request, word, args, words & REQUEST_SLAVES);
		else if (begins(word, "slaves"))
			status = output_usage("slaves belongs to create; bondctl enslave adds one to a bond");
		else
			status = take_bond_option(request, word, args);
	}
	return status != STATUS_OK ? status : args->status;
}

/* --- what is added --- */

/* The driver's default for miimon is 0, which never notices a failure, and module parameters change the
 * defaults of both: what bondctl creates is the same everywhere. */
int request_defaults(const struct libbond_config *wanted, struct libbond_config **out)
{
	const struct libbond_attr *mode = libbond_attr_find(LIBBOND_SCOPE_BOND, "mode");
	const struct libbond_attr *miimon = libbond_attr_find(LIBBOND_SCOPE_BOND, "miimon");
	const struct libbond_attr *arp_interval = libbond_attr_find(LIBBOND_SCOPE_BOND, "arp_interval");
	struct libbond_config *config;
	struct libbond_error err;
	int64_t interval = 0;

	if (libbond_config_new(&config) < 0)
		return output_no_memory();
	libbond_config_number(wanted, arp_interval, &interval);
	if (libbond_config_set(config, mode, libbond_attr_default(mode), &err) < 0 ||
	    (interval == 0 && libbond_config_set(config, miimon, "100", &err) < 0)) {
		libbond_config_free(config);
		return output_error(&err, NULL);
	}
	*out = config;
	return STATUS_OK;
}
