/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Renders a bond for a person at two in the morning: is it up, on which slaves, what ails them. Sits
 * between a snapshot and the terminal.
 */
#include "text.h"

#include <inttypes.h>
#include <net/if.h>
#include <string.h>

#include "output.h"
#include "rows.h"

enum tint { PLAIN, GOOD, WARN, BAD };

static const char *tint_on(enum tint tint)
{
	static const char *const codes[] = {"", "\033[32m", "\033[33m", "\033[31m"};
	return output_colored() ? codes[tint] : "";
}

static const char *tint_off(enum tint tint)
{
	return tint != PLAIN && output_colored() ? "\033[0m" : "";
}

/* --- values by name --- */

static const struct libbond_attr *row_of(const char *name)
{
	for (unsigned scope = 0; scope < LIBBOND_SCOPES; scope++) {
		const struct libbond_attr *attr = libbond_attr_find((enum libbond_scope)scope, name);
		if (attr)
			return attr;
	}
	return NULL;
}

static int64_t number(const struct libbond_link *link, const char *name, int64_t otherwise)
{
	int64_t value;
	return libbond_link_number(link, row_of(name), &value) == 0 ? value : otherwise;
}

struct text {
	char raw[LIBBOND_TEXT_SIZE];
	char safe[SAFE_SIZE];
};

/* Text of a value, "" where the kernel reported none. */
static const char *value(const struct libbond_link *link, const char *name, struct text *text)
{
	if (libbond_link_text(link, row_of(name), text->raw, sizeof(text->raw)) < 0)
		return "";
	return output_safe(text->raw, text->safe);
}

/* The same, but "none" for what is empty: no bit set, no address. */
static const char *or_none(const struct libbond_link *link, const char *name, struct text *text)
{
	const char *set = value(link, name, text);
	return *set ? set : "none";
}

static bool is_on(const struct libbond_link *link, const char *name)
{
	return number(link, name, 0) != 0;
}

static bool is_word(const struct libbond_link *link, const char *name, const char *word)
{
	struct text text;
	return strcmp(value(link, name, &text), word) == 0;
}

/* --- the health of a slave --- */

struct health {
	const char *words;
	enum tint tint;
	char buf[96];
};

static void judge_delay(struct health *health, const struct libbond_link *bond, const char *what, const char *delay)
{
	int64_t ms = number(bond, delay, 0);
	if (number(bond, "arp_interval", 0) > 0)
		snprintf(health->buf, sizeof(health->buf), "%s, no ARP answer yet", what);
	else
		snprintf(health->buf, sizeof(health->buf), "%s, waiting %s %" PRId64 " ms", what, delay, ms);
	health->words = health->buf;
	health->tint = WARN;
}

static bool has_bit(const struct libbond_link *slave, const char *name, const char *bit)
{
	char item[LIBBOND_TEXT_SIZE];
	int count = libbond_link_items(slave, row_of(name));
	for (int i = 0; i < count; i++)
		if (libbond_link_item(slave, row_of(name), (size_t)i, item, sizeof(item)) >= 0 &&
		    strcmp(item, bit) == 0)
			return true;
	return false;
}

/* A port with link that carries nothing, and why (IEEE 802.1AX 6.4.2.3). */
static void judge_lacp(struct health *health, const struct libbond_link *bond, const struct libbond_link *slave)
{
	if (!libbond_link_has(slave, row_of("ad_aggregator_id")) || !is_on(bond, "up"))
		return;
	bool expired = has_bit(slave, "ad_actor_oper_port_state", "expired");
	bool defaulted = has_bit(slave, "ad_actor_oper_port_state", "defaulted");
	if (expired && defaulted) /* the link has just come up */
		*health = (struct health){.words = "up, waiting for a LACP partner", .tint = WARN};
	else if (expired)
		*health = (struct health){.words = "up, partner silent", .tint = BAD};
	else if (defaulted)
		*health = (struct health){.words = "up, no LACP partner", .tint = WARN};
	else if (number(slave, "ad_aggregator_id", 0) != number(bond, "aggregator", 0))
		*health = (struct health){.words = "up, not in the active aggregator", .tint = BAD};
	else if (!has_bit(slave, "ad_actor_oper_port_state", "distributing"))
		*health = (struct health){.words = "up, not distributing yet", .tint = WARN};
}

static void judge(struct health *health, const struct libbond_link *bond, const struct libbond_link *slave)
{
	*health = (struct health){.words = "up", .tint = GOOD};
	judge_lacp(health, bond, slave);
	if (!is_on(slave, "up"))
		*health = (struct health){.words = "down, administratively", .tint = BAD};
	else if (is_word(slave, "mii_status", "going_down"))
		judge_delay(health, bond, "going down", "downdelay");
	else if (is_word(slave, "mii_status", "going_back"))
		judge_delay(health, bond, "coming back", "updelay");
	else if (!is_on(slave, "carrier"))
		*health =
			(struct health){.words = is_word(slave, "mii_status", "down") ? "down, no carrier"
		                                                                      : "no carrier, and not noticed",
		                        .tint = BAD};
	else if (is_word(slave, "mii_status", "down"))
		*health = (struct health){
			.words = number(bond, "arp_interval", 0) > 0 ? "down, no ARP answer" : "down", .tint = BAD};
}

/* --- parts of a bond --- */

static void print_head(const struct libbond_link *bond)
{
	struct text mode;
	char name[SAFE_SIZE];
	bool up = is_on(bond, "up"), carrier = libbond_link_flags(bond) & IFF_RUNNING;
	enum tint tint = !up ? WARN : carrier ? GOOD : BAD;

	printf("%s: %s, %s%s%s\n", output_safe(libbond_link_name(bond), name), value(bond, "mode", &mode),
	       tint_on(tint),
	       !up       ? "down"
	       : carrier ? "up"
	                 : "up, no carrier",
	       tint_off(tint));
}

static void print_line(const char *label, const char *text)
{
	printf("  %-11s %s\n", label, text);
}

static void print_monitor(const struct libbond_link *bond)
{
	int64_t miimon = number(bond, "miimon", 0), arp = number(bond, "arp_interval", 0);
	struct text ip4, ip6;
	const char *targets4 = value(bond, "arp_ip_target", &ip4), *targets6 = value(bond, "ns_ip6_target", &ip6);

	if (miimon > 0)
		printf("  %-11s miimon %" PRId64 " ms\n", "monitor", miimon);
	else if (arp > 0)
		printf("  %-11s arp_interval %" PRId64 " ms, %s%s%s%s\n", "monitor", arp,
		       *targets4 || *targets6 ? "targets " : "no targets", targets4,
		       *targets4 && *targets6 ? "," : "", targets6);
	else
		printf("  %-11s %snone: a failed link is not noticed%s\n", "monitor", tint_on(BAD), tint_off(BAD));
}

static void print_active(const struct libbond_link *bond)
{
	struct text active, primary;
	const char *name = value(bond, "active_slave", &active), *wanted = value(bond, "primary", &primary);

	if (!(libbond_attr_modes(row_of("active_slave")) >> number(bond, "mode", 0) & 1))
		return;
	if (!*name)
		printf("  %-11s %snone%s", "active", tint_on(BAD), tint_off(BAD));
	else
		printf("  %-11s %s", "active", name);
	if (*wanted && strcmp(wanted, name) == 0)
		printf(" (primary)");
	else if (*wanted)
		printf(" (primary is %s)", wanted);
	printf("\n");
}

static void print_lacp(const struct libbond_link *bond)
{
	struct text partner;
	const char *mac = value(bond, "partner_mac", &partner);

	if (!is_word(bond, "mode", "802.3ad"))
		return;
	if (!libbond_link_has(bond, row_of("ad_info"))) {
		print_line("lacp", "no active aggregator");
		return;
	}
	int64_t ports = number(bond, "num_ports", 0);
	printf("  %-11s aggregator %" PRId64 ", %" PRId64 " port%s, ", "lacp", number(bond, "aggregator", 0), ports,
	       ports == 1 ? "" : "s");
	if (strcmp(mac, "00:00:00:00:00:00") == 0)
		printf("%sno partner%s\n", tint_on(WARN), tint_off(WARN));
	else
		printf("partner %s, key %" PRId64 "\n", mac, number(bond, "partner_key", 0));
}

static void print_device(const struct libbond_link *bond)
{
	struct text address, master;
	printf("  %-11s address %s, mtu %" PRId64, "device", or_none(bond, "address", &address),
	       number(bond, "mtu", 0));
	if (libbond_link_master(bond))
		printf(", in %s", value(bond, "master", &master));
	printf("\n");
}

/* Widths of the table of slaves, from what is in it. */
struct widths {
	int name, health;
};

static struct widths measure(const struct libbond_link *bond)
{
	struct widths widths = {4, 2};
	char name[SAFE_SIZE];
	struct health health;

	for (size_t i = 0; i < libbond_link_slaves(bond); i++) {
		const struct libbond_link *slave = libbond_link_slave(bond, i);
		int length = (int)strlen(output_safe(libbond_link_name(slave), name));
		judge(&health, bond, slave);
		widths.name = length > widths.name ? length : widths.name;
		widths.health = (int)strlen(health.words) > widths.health ? (int)strlen(health.words) : widths.health;
	}
	return widths;
}

static void print_slave(const struct libbond_link *bond, const struct libbond_link *slave, struct widths widths)
{
	struct text state, actor, partner;
	char name[SAFE_SIZE];
	struct health health;

	judge(&health, bond, slave);
	printf("    %-*s  %s%-*s%s  %-6s  failures %" PRId64, widths.name,
	       output_safe(libbond_link_name(slave), name), tint_on(health.tint), widths.health, health.words,
	       tint_off(health.tint), value(slave, "state", &state), number(slave, "link_failure_count", 0));
	if (libbond_link_has(slave, row_of("ad_aggregator_id")))
		printf("  aggregator %" PRId64, number(slave, "ad_aggregator_id", 0));
	if (number(slave, "prio", 0))
		printf("  prio %" PRId64, number(slave, "prio", 0));
	if (number(slave, "queue_id", 0))
		printf("  queue %" PRId64, number(slave, "queue_id", 0));
	printf("\n");
	if (libbond_link_has(slave, row_of("ad_actor_oper_port_state")))
		printf("    %-*s  actor %s\n    %-*s  partner %s\n", widths.name, "",
		       or_none(slave, "ad_actor_oper_port_state", &actor), widths.name, "",
		       or_none(slave, "ad_partner_oper_port_state", &partner));
}

static void print_slaves(const struct libbond_link *bond)
{
	size_t count = libbond_link_slaves(bond);
	struct widths widths = measure(bond);

	if (count == 0) {
		printf("  %-11s %snone%s\n", "slaves", tint_on(WARN), tint_off(WARN));
		return;
	}
	printf("  %-11s %zu%s\n", "slaves", count,
	       is_on(bond, "up") ? "" : ", whose links nobody watches while the bond is down");
	for (size_t i = 0; i < count; i++)
		print_slave(bond, libbond_link_slave(bond, i), widths);
}

/* --- options --- */

/* What the parts above have said already. Targets are said while they are probed. */
static bool is_said(const struct libbond_link *bond, const struct libbond_attr *attr)
{
	static const char *const said[] = {"mode", "miimon", "arp_interval", "primary", "active_slave", "ad_info"};
	bool probed = number(bond, "arp_interval", 0) > 0 && number(bond, "miimon", 0) == 0;

	if (libbond_attr_type(attr) == LIBBOND_TYPE_IP4_LIST || libbond_attr_type(attr) == LIBBOND_TYPE_IP6_LIST)
		return probed;
	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++)
		if (strcmp(libbond_attr_name(attr), said[i]) == 0)
			return true;
	return false;
}

static bool is_default(const struct libbond_link *bond, const struct libbond_attr *attr)
{
	struct text text;
	const char *now = value(bond, libbond_attr_name(attr), &text), *usual = libbond_attr_default(attr);
	return !usual || !libbond_link_has(bond, attr) || strcmp(now, usual) == 0;
}

static void print_changed(const struct libbond_link *bond)
{
	bool any = false;
	struct text text;

	for (const struct libbond_attr *const *row = rows_of(LIBBOND_SCOPE_BOND); *row; row++) {
		const struct libbond_attr *attr = *row;
		if (is_said(bond, attr) || is_default(bond, attr))
			continue;
		const char *unit = libbond_attr_unit(attr);
		printf("%s%s %s%s%s", any ? ", " : "  options     ", libbond_attr_name(attr),
		       value(bond, libbond_attr_name(attr), &text), *unit ? " " : "", unit);
		any = true;
	}
	if (any)
		printf("\n");
}

static const char *why_missing(const struct libbond_link *bond, const struct libbond_attr *attr)
{
	if (libbond_attr_scope(attr) == LIBBOND_SCOPE_LINK)
		return "none";
	switch (libbond_attr_presence(attr)) {
	case LIBBOND_PRESENT_ALWAYS:
		return "(this kernel does not know it)";
	case LIBBOND_PRESENT_PRIVILEGED:
		return is_word(bond, "mode", "802.3ad") ? "(shown only to CAP_NET_ADMIN)" : "(only in 802.3ad)";
	case LIBBOND_PRESENT_LACP:
		return "(only in 802.3ad)";
	default:
		return "none";
	}
}

static void print_details(const struct libbond_link *bond, enum libbond_scope scope, const char *heading)
{
	const struct libbond_attr *const *rows = rows_of(scope);
	struct text text;
	int width = 0;

	for (size_t i = 0; rows[i]; i++)
		if ((int)strlen(libbond_attr_name(rows[i])) > width)
			width = (int)strlen(libbond_attr_name(rows[i]));
	printf("  %s\n", heading);
	for (size_t i = 0; rows[i]; i++) {
		const struct libbond_attr *attr = rows[i];
		const char *name = libbond_attr_name(attr), *unit = libbond_attr_unit(attr);
		if (libbond_attr_type(attr) == LIBBOND_TYPE_NEST)
			continue;
		if (libbond_link_has(bond, attr))
			printf("    %-*s  %s%s%s\n", width, name, or_none(bond, name, &text), *unit ? " " : "", unit);
		else
			printf("    %-*s  %s\n", width, name, why_missing(bond, attr));
	}
}

static void print_unknown(const struct libbond_link *link)
{
	struct libbond_unknown unknown;
	char name[SAFE_SIZE];

	for (size_t i = 0; libbond_link_unknown(link, i, &unknown) == 0; i++) {
		printf("  unknown     %s attribute %u:", output_safe(libbond_link_name(link), name), unknown.number);
		for (size_t b = 0; b < unknown.length && b < 16; b++)
			printf(" %02x", unknown.bytes[b]);
		printf("%s\n", unknown.length > 16 ? " ..." : "");
	}
}

void text_bond(const struct libbond_link *bond, int details)
{
	print_head(bond);
	print_monitor(bond);
	print_active(bond);
	print_lacp(bond);
	print_slaves(bond);
	print_device(bond);
	if (!details) {
		print_changed(bond);
		return;
	}
	print_details(bond, LIBBOND_SCOPE_BOND, "options");
	print_details(bond, LIBBOND_SCOPE_LINK, "link");
	for (size_t i = 0; i < libbond_link_slaves(bond); i++) {
		char heading[SAFE_SIZE + 8], name[SAFE_SIZE];
		const struct libbond_link *slave = libbond_link_slave(bond, i);
		snprintf(heading, sizeof(heading), "slave %s", output_safe(libbond_link_name(slave), name));
		print_details(slave, LIBBOND_SCOPE_SLAVE, heading);
		print_unknown(slave);
	}
	print_unknown(bond);
}
