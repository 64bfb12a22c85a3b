/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes documents up: bonds with modes, options of which some do not go together and some are no values at all, and
 * slaves that are moved, added and taken away. Sits between random.c and the generator of numbers.
 */
#include "random.h"

#include <stdarg.h>
#include <string.h>

#define ALL 0x7f
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *const modes[] = {"balance-rr", "active-backup", "balance-xor", "broadcast",
                                    "802.3ad",    "balance-tlb",   "balance-alb"};

/* An option with values to choose from: as the document has it, and as the kernel reports it, -1 where that is not
 * looked at. What is marked with a minus in front of its text is no value. */
struct choice {
	const char *text;
	long wire;
};
struct option {
	const char *name;
	unsigned number, modes;
	unsigned rare; /* one document in so many has it */
	struct choice choices[6];
};

static const struct option options[] = {
	{"miimon", 3, ALL, 2, {{"50", 50}, {"100", 100}, {"120", 120}, {"0", -1}}},
	{"updelay", 4, ALL, 4, {{"0", 0}, {"600", -1}, {"250", -1}}},
	{"downdelay", 5, ALL, 4, {{"0", 0}, {"600", -1}}},
	{"peer_notif_delay", 28, ALL, 6, {{"0", 0}, {"600", -1}, {"300001", -1}}},
	{"arp_interval", 7, 0x0f, 8, {{"0", -1}, {"60000", -1}}},
	{"arp_ip_target", 8, ALL, 5, {{"[]", -1}, {"[\"10.0.0.1\"]", -1}, {"[\"10.0.0.2\",\"10.0.0.1\"]", -1}}},
	{"ns_ip6_target", 31, ALL, 8, {{"[]", -1}, {"[\"2001:db8::1\"]", -1}}},
	{"arp_validate", 9, 0x0f, 12, {{"\"none\"", -1}, {"\"all\"", -1}, {"\"filter\"", -1}}},
	{"arp_all_targets", 10, ALL, 6, {{"\"any\"", 0}, {"\"all\"", 1}}},
	{"arp_missed_max", 30, 0x0f, 6, {{"2", 2}, {"5", 5}, {"0", -1}}},
	{"primary_reselect", 12, ALL, 4, {{"\"always\"", 0}, {"\"better\"", 1}, {"\"failure\"", 2}}},
	{"fail_over_mac", 13, ALL, 8, {{"\"none\"", 0}, {"\"active\"", 1}, {"\"follow\"", 2}}},
	{"xmit_hash_policy", 14, ALL, 4, {{"\"layer2\"", 0}, {"\"layer3+4\"", 1}, {"\"vlan+srcmac\"", 5}}},
	{"resend_igmp", 15, ALL, 4, {{"0", 0}, {"1", 1}, {"255", 255}, {"256", -1}}},
	{"num_grat_arp", 16, ALL, 4, {{"0", 0}, {"1", 1}, {"255", 255}}},
	{"all_slaves_active", 17, ALL, 5, {{"true", 1}, {"false", 0}}},
	{"min_links", 18, ALL, 5, {{"0", 0}, {"1", 1}, {"3", 3}}},
	{"lp_interval", 19, ALL, 5, {{"1", 1}, {"7", 7}}},
	{"packets_per_slave", 20, 0x01, 4, {{"0", 0}, {"1", 1}, {"65535", 65535}}},
	{"lacp_rate", 21, 0x10, 3, {{"\"slow\"", 0}, {"\"fast\"", 1}}},
	{"lacp_active", 29, 0x10, 4, {{"true", 1}, {"false", 0}}},
	{"ad_select", 22, ALL, 4, {{"\"stable\"", 0}, {"\"bandwidth\"", 1}, {"\"count\"", 2}}},
	{"ad_actor_sys_prio", 24, 0x10, 4, {{"65535", 65535}, {"7", 7}}},
	{"ad_user_port_key", 25, 0x10, 4, {{"0", 0}, {"1023", 1023}, {"1024", -1}}},
	{"ad_actor_system", 26, 0x10, 6, {{"\"00:00:00:00:00:00\"", -1}, {"\"02:00:00:00:00:88\"", -1}}},
	{"tlb_dynamic_lb", 27, 0x60, 3, {{"true", 1}, {"false", 0}}},
	{"use_carrier", 6, ALL, 9, {{"true", 1}}},
};

/* Devices beside the ports that a document may want as slaves: one that is not there, one that takes no large MTU,
 * and one that cannot be opened, which nobody knows before it is tried. */
static const char *const odd[] = {"ghost", "m0", "z0"};

__attribute__((format(printf, 2, 3))) static void add(struct document *document, const char *format, ...)
{
	size_t used = strlen(document->text);
	va_list args;

	va_start(args, format);
	vsnprintf(document->text + used, sizeof(document->text) - used, format, args);
	va_end(args);
}

static const struct choice *choose(const struct option *option)
{
	size_t count = 0;
	while (count < COUNT(option->choices) && option->choices[count].text)
		count++;
	const struct choice *choice = &option->choices[below((unsigned)count)];
	/* a value that cannot be is rare, or no document would be applied */
	return choice->wire < 0 && !one_in(4) ? &option->choices[0] : choice;
}

static void make_options(struct document *document, struct wanted_bond *bond)
{
	for (size_t i = 0; i < COUNT(options); i++) {
		const struct option *option = &options[i];
		const struct choice *choice = choose(option);
		/* mostly what the mode takes */
		if (!one_in(option->rare) || (bond->mode >= 0 && !(option->modes >> bond->mode & 1) && !one_in(5)))
			continue;
		add(document, ",\"%s\":%s", option->name, choice->text);
		if (choice->wire < 0 || bond->option_count == COUNT(bond->options))
			continue;
		bond->options[bond->option_count].number = option->number;
		bond->options[bond->option_count].modes = option->modes;
		bond->options[bond->option_count++].value = (uint32_t)choice->wire;
	}
}

static void make_link(struct document *document, struct wanted_bond *bond)
{
	static const int mtus[] = {1500, 1400, 9000, 1280};

	bond->up = one_in(3) ? -1 : !one_in(4);
	if (bond->up >= 0)
		add(document, ",\"up\":%s", bond->up ? "true" : "false");
	if (one_in(4)) {
		bond->mtu = mtus[below(COUNT(mtus))];
		add(document, ",\"mtu\":%d", bond->mtu);
	}
	if (one_in(6))
		add(document, ",\"txqueuelen\":%u", below(3) * 500);
	if (one_in(8))
		add(document, ",\"address\":\"02:00:00:00:00:%02x\"", 0xa0 + below(16));
	if (one_in(12))
		add(document, ",\"nonsense\":%u", below(9));
}

static void make_slave(struct document *document, const struct wanted_bond *bond, struct wanted_slave *slave)
{
	slave->queue_id = slave->prio = -1;
	if (one_in(2)) {
		add(document, "\"%s\"", slave->name);
		return;
	}
	add(document, "{\"name\":\"%s\"", slave->name);
	if (one_in(3)) {
		/* mostly one that no other slave has */
		slave->queue_id = one_in(10) ? 3 : (int)bond->slave_count + 1;
		add(document, ",\"queue_id\":%d", slave->queue_id);
	}
	if (one_in(3)) {
		slave->prio = (int)below(9);
		add(document, ",\"prio\":%d", slave->prio);
	}
	if (one_in(8))
		add(document, ",\"mtu\":%d", one_in(2) ? 1400 : 1350);
	if (one_in(10))
		add(document, ",\"up\":%s", one_in(2) ? "true" : "false");
	add(document, "}");
}

/* Each device once, unless the document is to be wrong. */
static void make_slaves(struct document *document, struct wanted_bond *bond, unsigned *taken)
{
	unsigned wanted = below(4);

	bond->lists_slaves = 1;
	add(document, ",\"slaves\":[");
	for (unsigned tries = 0; bond->slave_count < wanted && tries < 20; tries++) {
		struct wanted_slave *slave = &bond->slaves[bond->slave_count];
		unsigned port = below(PORTS);
		if (*taken >> port & 1)
			continue;
		*taken |= 1u << port;
		snprintf(slave->name, sizeof(slave->name), "e%u", port);
		if (one_in(12))
			snprintf(slave->name, sizeof(slave->name), "%s", odd[below(COUNT(odd))]);
		if (bond->slave_count)
			add(document, ",");
		make_slave(document, bond, slave);
		bond->slave_count++;
	}
	add(document, "]");
	if (bond->slave_count && one_in(3))
		add(document, ",\"primary\":\"%s\"", bond->slaves[below((unsigned)bond->slave_count)].name);
	else if (one_in(6))
		add(document, ",\"primary\":null");
}

static void make_bond(struct document *document, unsigned number, unsigned *taken)
{
	struct wanted_bond *bond = &document->bonds[document->count];

	memset(bond, 0, sizeof(*bond));
	snprintf(bond->name, sizeof(bond->name), "b%u", number);
	add(document, "%s{\"name\":\"%s\"", document->count ? "," : "", bond->name);
	bond->mode = one_in(4) ? -1 : (int)below(COUNT(modes));
	if (bond->mode >= 0)
		add(document, ",\"mode\":\"%s\"", modes[bond->mode]);
	make_options(document, bond);
	make_link(document, bond);
	if (!one_in(4))
		make_slaves(document, bond, taken);
	add(document, "}\n");
	document->count++;
}

void document_make(struct document *document)
{
	unsigned taken = 0;

	memset(document, 0, sizeof(*document));
	document->prune = one_in(3);
	add(document, "[");
	for (unsigned number = 0; number < BONDS; number++)
		if (one_in(2))
			make_bond(document, number, &taken);
	add(document, "]\n");
}
