/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The rules of the attribute table, and its rows against a copy written by hand from the kernel. Tests
 * lib/attr-table.c and lib/attr.c; the bytes of each attribute are golden.c's, the system's numbers headers.sh's.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "unit.h"
#include "value.h"

/* bit sets of modes, by number */
enum { RR = 1, AB = 2, XOR = 4, BC = 8, AD4 = 16, TLB = 32, ALB = 64, ANY = 127 };
enum { DOWN = LIBBOND_ATTR_NEEDS_DOWN, EMPTY = LIBBOND_ATTR_NEEDS_EMPTY };

/* drivers/net/bonding/bond_options.c bond_opts[]: unsuppmodes and flags; bond_netlink.c: sizes; the modes in which
 * the option is looked at */
struct expected {
	unsigned number;
	const char *name;
	enum libbond_type type;
	unsigned size; /* of a scalar on the wire; 0: list, MAC, nest */
	int64_t min, max;
	const char *def;
	unsigned refused, effect, needs;
};

/* clang-format off */
static const struct expected bond_rows[] = {
	{1, "mode", LIBBOND_TYPE_WORD, 1, 0, 0, "balance-rr", 0, ANY, DOWN | EMPTY},
	{2, "active_slave", LIBBOND_TYPE_LINK, 4, 0, 0, "", RR | XOR | BC | AD4, AB | TLB | ALB, 0},
	{3, "miimon", LIBBOND_TYPE_NUMBER, 4, 0, 2147483647, "0", 0, ANY, 0},
	{4, "updelay", LIBBOND_TYPE_NUMBER, 4, 0, 2147483647, "0", 0, ANY, 0},
	{5, "downdelay", LIBBOND_TYPE_NUMBER, 4, 0, 2147483647, "0", 0, ANY, 0},
	{6, "use_carrier", LIBBOND_TYPE_BOOL, 1, 0, 1, "on", 0, 0, 0},
	{7, "arp_interval", LIBBOND_TYPE_NUMBER, 4, 0, 2147483647, "0", AD4 | TLB | ALB, RR | AB | XOR | BC, 0},
	{8, "arp_ip_target", LIBBOND_TYPE_IP4_LIST, 0, 0, 16, "", 0, RR | AB | XOR | BC, 0},
	{9, "arp_validate", LIBBOND_TYPE_WORD, 4, 0, 0, "none", AD4 | TLB | ALB, RR | AB | XOR | BC, 0},
	{10, "arp_all_targets", LIBBOND_TYPE_WORD, 4, 0, 0, "any", 0, AB, 0},
	{11, "primary", LIBBOND_TYPE_LINK, 4, 0, 0, "", RR | XOR | BC | AD4, AB | TLB | ALB, 0},
	{12, "primary_reselect", LIBBOND_TYPE_WORD, 1, 0, 0, "always", 0, AB | TLB | ALB, 0},
	{13, "fail_over_mac", LIBBOND_TYPE_WORD, 1, 0, 0, "none", 0, AB, EMPTY},
	{14, "xmit_hash_policy", LIBBOND_TYPE_WORD, 1, 0, 0, "layer2", 0, XOR | AD4 | TLB | ALB, 0},
	{15, "resend_igmp", LIBBOND_TYPE_NUMBER, 4, 0, 255, "1", 0, RR | AB | TLB | ALB, 0},
	{16, "num_grat_arp", LIBBOND_TYPE_NUMBER, 1, 0, 255, "1", 0, AB | AD4, 0},
	{17, "all_slaves_active", LIBBOND_TYPE_BOOL, 1, 0, 1, "off", 0, AB | AD4 | TLB | ALB, 0},
	{18, "min_links", LIBBOND_TYPE_NUMBER, 4, 0, 2147483647, "0", 0, AD4, 0},
	{19, "lp_interval", LIBBOND_TYPE_NUMBER, 4, 1, 2147483647, "1", 0, TLB | ALB, 0},
	{20, "packets_per_slave", LIBBOND_TYPE_NUMBER, 4, 0, 65535, "1", ANY & ~RR, RR, 0},
	{21, "lacp_rate", LIBBOND_TYPE_WORD, 1, 0, 0, "slow", ANY & ~AD4, AD4, DOWN},
	{22, "ad_select", LIBBOND_TYPE_WORD, 1, 0, 0, "stable", 0, AD4, DOWN},
	{23, "ad_info", LIBBOND_TYPE_NEST, 0, 0, 0, NULL, ANY & ~AD4, AD4, 0},
	{24, "ad_actor_sys_prio", LIBBOND_TYPE_NUMBER, 2, 1, 65535, "65535", ANY & ~AD4, AD4, 0},
	{25, "ad_user_port_key", LIBBOND_TYPE_NUMBER, 2, 0, 1023, "0", ANY & ~AD4, AD4, DOWN},
	{26, "ad_actor_system", LIBBOND_TYPE_MAC, 0, 0, 6, "00:00:00:00:00:00", ANY & ~AD4, AD4, 0},
	{27, "tlb_dynamic_lb", LIBBOND_TYPE_BOOL, 1, 0, 1, "on", ANY & ~(TLB | ALB), TLB | ALB, DOWN},
	{28, "peer_notif_delay", LIBBOND_TYPE_NUMBER, 4, 0, 300000, "0", 0, AB | AD4, 0},
	{29, "lacp_active", LIBBOND_TYPE_BOOL, 1, 0, 1, "on", ANY & ~AD4, AD4, DOWN},
	{30, "arp_missed_max", LIBBOND_TYPE_NUMBER, 1, 1, 255, "2", AD4 | TLB | ALB, RR | AB | XOR | BC, 0},
	{31, "ns_ip6_target", LIBBOND_TYPE_IP6_LIST, 0, 0, 16, "", 0, RR | AB | XOR | BC, 0},
	{32, "coupled_control", LIBBOND_TYPE_BOOL, 1, 0, 1, "on", ANY & ~AD4, AD4, DOWN},
	{33, "broadcast_neighbor", LIBBOND_TYPE_BOOL, 1, 0, 1, "off", ANY & ~AD4, AD4, 0},
	{34, "lacp_strict", LIBBOND_TYPE_BOOL, 1, 0, 1, "off", ANY & ~AD4, AD4, 0},
};

static const struct expected ad_info_rows[] = {
	{1, "aggregator", LIBBOND_TYPE_NUMBER, 2, 0, 65535, NULL, ANY & ~AD4, AD4, 0},
	{2, "num_ports", LIBBOND_TYPE_NUMBER, 2, 0, 65535, NULL, ANY & ~AD4, AD4, 0},
	{3, "actor_key", LIBBOND_TYPE_NUMBER, 2, 0, 65535, NULL, ANY & ~AD4, AD4, 0},
	{4, "partner_key", LIBBOND_TYPE_NUMBER, 2, 0, 65535, NULL, ANY & ~AD4, AD4, 0},
	{5, "partner_mac", LIBBOND_TYPE_MAC, 0, 0, 6, NULL, ANY & ~AD4, AD4, 0},
};

static const struct expected slave_rows[] = {
	{1, "state", LIBBOND_TYPE_WORD, 1, 0, 0, NULL, 0, ANY, 0},
	{2, "mii_status", LIBBOND_TYPE_WORD, 1, 0, 0, NULL, 0, ANY, 0},
	{3, "link_failure_count", LIBBOND_TYPE_NUMBER, 4, 0, 4294967295, NULL, 0, ANY, 0},
	{4, "perm_hwaddr", LIBBOND_TYPE_MAC, 0, 0, 32, NULL, 0, ANY, 0},
	{5, "queue_id", LIBBOND_TYPE_NUMBER, 2, 0, 65535, "0", 0, RR | AB, 0},
	{6, "ad_aggregator_id", LIBBOND_TYPE_NUMBER, 2, 0, 65535, NULL, ANY & ~AD4, AD4, 0},
	{7, "ad_actor_oper_port_state", LIBBOND_TYPE_BITS, 1, 0, 255, NULL, ANY & ~AD4, AD4, 0},
	{8, "ad_partner_oper_port_state", LIBBOND_TYPE_BITS, 2, 0, 65535, NULL, ANY & ~AD4, AD4, 0},
	{9, "prio", LIBBOND_TYPE_NUMBER, 4, -2147483648LL, 2147483647, "0", ANY & ~(AB | TLB | ALB), AB | TLB | ALB, 0},
	{10, "actor_port_prio", LIBBOND_TYPE_NUMBER, 2, 0, 65535, "255", ANY & ~AD4, AD4, 0},
	{11, "churn_actor_state", LIBBOND_TYPE_WORD, 1, 0, 0, NULL, ANY & ~AD4, AD4, 0},
	{12, "churn_partner_state", LIBBOND_TYPE_WORD, 1, 0, 0, NULL, ANY & ~AD4, AD4, 0},
};

/* rtnetlink.c ifla_policy[] and do_setlink(); 0 stands for IFF_UP */
static const struct expected link_rows[] = {
	{0, "up", LIBBOND_TYPE_BOOL, 0, 0, 1, "off", 0, ANY, 0},
	{1, "address", LIBBOND_TYPE_MAC, 0, 1, 32, NULL, 0, ANY, 0},
	{4, "mtu", LIBBOND_TYPE_NUMBER, 4, 68, 65535, "1500", 0, ANY, 0},
	{10, "master", LIBBOND_TYPE_LINK, 4, 0, 0, NULL, 0, ANY, 0},
	{13, "txqueuelen", LIBBOND_TYPE_NUMBER, 4, 0, 4294967295, "1000", 0, ANY, 0},
	{16, "operstate", LIBBOND_TYPE_WORD, 1, 0, 0, NULL, 0, ANY, 0},
	{31, "numtxqueues", LIBBOND_TYPE_NUMBER, 4, 1, 4096, "16", 0, ANY, 0},
	{33, "carrier", LIBBOND_TYPE_BOOL, 1, 0, 1, NULL, 0, ANY, 0},
	{35, "carrier_changes", LIBBOND_TYPE_NUMBER, 4, 0, 4294967295, NULL, 0, ANY, 0},
	{54, "permanent_address", LIBBOND_TYPE_MAC, 0, 0, 32, NULL, 0, ANY, 0},
};

/* clang-format on */

static const struct {
	const struct expected *rows;
	size_t count;
} expected[LIBBOND_SCOPES] = {
	{bond_rows, COUNT(bond_rows)},
	{ad_info_rows, COUNT(ad_info_rows)},
	{slave_rows, COUNT(slave_rows)},
	{link_rows, COUNT(link_rows)},
};

/* The order in which bond_changelink() and bond_slave_changelink() apply a message, and do_setlink() its own */
/* clang-format off */
static const char *const bond_order[] = {
	"mode",           "active_slave",      "miimon",           "updelay",           "downdelay",
	"peer_notif_delay", "use_carrier",     "arp_interval",     "arp_ip_target",     "ns_ip6_target",
	"arp_validate",   "arp_all_targets",   "primary",          "primary_reselect",  "fail_over_mac",
	"xmit_hash_policy", "resend_igmp",     "num_grat_arp",     "all_slaves_active", "min_links",
	"lp_interval",    "packets_per_slave", "lacp_active",      "lacp_rate",         "ad_select",
	"ad_actor_sys_prio", "ad_user_port_key", "ad_actor_system", "tlb_dynamic_lb",   "arp_missed_max",
	"coupled_control", "broadcast_neighbor", "lacp_strict",
};
/* clang-format on */
static const char *const slave_order[] = {"queue_id", "prio", "actor_port_prio"};
static const char *const link_order[] = {"address", "mtu", "up", "txqueuelen", "numtxqueues"};

/* Every row, scope by scope. */
static const struct libbond_attr *next_row(const struct libbond_attr *attr, enum libbond_scope *scope)
{
	if (!attr)
		*scope = LIBBOND_SCOPE_BOND;
	attr = libbond_attr_next(*scope, attr);
	while (!attr && *scope + 1 < LIBBOND_SCOPES)
		attr = libbond_attr_next(++*scope, NULL);
	return attr;
}
#define EACH_ROW(attr, scope)                                                                                        \
	enum libbond_scope scope = LIBBOND_SCOPE_BOND;                                                               \
	for (const struct libbond_attr *attr = NULL; (attr = next_row(attr, &scope));)

static bool is_read_only(const struct libbond_attr *attr)
{
	return libbond_attr_flags(attr) & LIBBOND_ATTR_READ_ONLY;
}

static void table_has_all_rows(void **state)
{
	(void)state;
	for (unsigned s = 0; s < LIBBOND_SCOPES; s++) {
		size_t count = 0;
		for (const struct libbond_attr *a = NULL; (a = libbond_attr_next((enum libbond_scope)s, a));)
			count++;
		assert_int_equal(count, expected[s].count);
	}
	assert_int_equal(COUNT(bond_rows), 34);
	assert_int_equal(COUNT(ad_info_rows), 5);
	assert_int_equal(COUNT(slave_rows), 12);
}

static void compare_row(enum libbond_scope scope, const struct expected *want)
{
	const struct libbond_attr *attr = libbond_attr_number(scope, want->number);

	if (!attr)
		unit_fail("no %s row %u (%s)", unit_scope_name(scope), want->number, want->name);
	unit_assert_text("name", want->name, libbond_attr_name(attr));
	if (libbond_attr_type(attr) != want->type || lb_wire_size(attr) != want->size)
		unit_fail("%s: type %d, %u bytes", want->name, libbond_attr_type(attr), lb_wire_size(attr));
	if (libbond_attr_min(attr) != want->min || libbond_attr_max(attr) != want->max)
		unit_fail("%s: %lld to %lld", want->name, (long long)libbond_attr_min(attr),
		          (long long)libbond_attr_max(attr));
	if (!want->def != !libbond_attr_default(attr))
		unit_fail("%s: default '%s'", want->name, want->def ? "(null)" : libbond_attr_default(attr));
	if (want->def)
		unit_assert_text(want->name, want->def, libbond_attr_default(attr));
	if (libbond_attr_modes(attr) != (ANY & ~want->refused) || libbond_attr_effect(attr) != want->effect)
		unit_fail("%s: may be set in %#x, has an effect in %#x", want->name, libbond_attr_modes(attr),
		          libbond_attr_effect(attr));
	if ((libbond_attr_flags(attr) & (DOWN | EMPTY)) != want->needs)
		unit_fail("%s: needs %#x", want->name, libbond_attr_flags(attr) & (DOWN | EMPTY));
}

static void rows_are_the_drivers(void **state)
{
	(void)state;
	for (unsigned s = 0; s < LIBBOND_SCOPES; s++)
		for (size_t i = 0; i < expected[s].count; i++)
			compare_row((enum libbond_scope)s, &expected[s].rows[i]);
}

/* bond_netlink.c bond_policy[]: the names that follow each number are the driver's, in bond_opts' tables */
static void words_are_the_drivers(void **state)
{
	static const struct {
		enum libbond_scope scope;
		const char *name, *words;
	} lists[] = {
		{LIBBOND_SCOPE_BOND, "mode",
	         "balance-rr 0 active-backup 1 balance-xor 2 broadcast 3 802.3ad 4 balance-tlb 5 balance-alb 6"},
		{LIBBOND_SCOPE_BOND, "arp_validate",
	         "none 0 active 1 backup 2 all 3 filter 4 filter_active 5 filter_backup 6"},
		{LIBBOND_SCOPE_BOND, "arp_all_targets", "any 0 all 1"},
		{LIBBOND_SCOPE_BOND, "primary_reselect", "always 0 better 1 failure 2"},
		{LIBBOND_SCOPE_BOND, "fail_over_mac", "none 0 active 1 follow 2"},
		{LIBBOND_SCOPE_BOND, "xmit_hash_policy",
	         "layer2 0 layer3+4 1 layer2+3 2 encap2+3 3 encap3+4 4 vlan+srcmac 5"},
		{LIBBOND_SCOPE_BOND, "lacp_rate", "slow 0 fast 1"},
		{LIBBOND_SCOPE_BOND, "ad_select", "stable 0 bandwidth 1 count 2 actor_port_prio 3"},
		{LIBBOND_SCOPE_SLAVE, "state", "active 0 backup 1"},
		{LIBBOND_SCOPE_SLAVE, "mii_status", "up 0 going_down 1 down 2 going_back 3"},
		{LIBBOND_SCOPE_SLAVE, "churn_actor_state", "monitoring 0 churned 1 none 2"},
		{LIBBOND_SCOPE_SLAVE, "churn_partner_state", "monitoring 0 churned 1 none 2"},
		{LIBBOND_SCOPE_SLAVE, "ad_actor_oper_port_state",
	         "activity 1 timeout 2 aggregation 4 synchronization 8 collecting 16 distributing 32 defaulted 64 "
	         "expired 128"},
		{LIBBOND_SCOPE_SLAVE, "ad_partner_oper_port_state",
	         "activity 1 timeout 2 aggregation 4 synchronization 8 collecting 16 distributing 32 defaulted 64 "
	         "expired 128"},
		{LIBBOND_SCOPE_LINK, "operstate",
	         "unknown 0 notpresent 1 down 2 lowerlayerdown 3 testing 4 dormant 5 up 6"},
	};
	(void)state;
	for (size_t i = 0; i < COUNT(lists); i++) {
		const struct libbond_attr *attr = unit_row(lists[i].scope, lists[i].name);
		char text[512] = "";
		const char *word;
		int64_t number;
		for (size_t w = 0; (word = libbond_attr_word(attr, w, &number)); w++)
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s %d", w ? " " : "", word,
			         (int)number);
		unit_assert_text(lists[i].name, lists[i].words, text);
	}
}

static void every_switch_is_off_or_on(void **state)
{
	(void)state;
	EACH_ROW(attr, scope)
	{
		int64_t off = -1, on = -1;
		if (libbond_attr_type(attr) != LIBBOND_TYPE_BOOL)
			continue;
		unit_assert_text(attr->name, "off", libbond_attr_word(attr, 0, &off));
		unit_assert_text(attr->name, "on", libbond_attr_word(attr, 1, &on));
		assert_null(libbond_attr_word(attr, 2, NULL));
		assert_int_equal(off, 0);
		assert_int_equal(on, 1);
	}
}

static void check_order(enum libbond_scope scope, const char *const *order, size_t count)
{
	const struct libbond_attr *attr = NULL;
	for (size_t i = 0; i < count; i++) {
		attr = libbond_attr_next(scope, attr);
		unit_assert_text("next in the driver's order", order[i], attr ? attr->name : NULL);
		assert_int_equal(attr->order, i + 1);
	}
	while ((attr = libbond_attr_next(scope, attr)))
		if (attr->order || !is_read_only(attr))
			unit_fail("%s: order %u behind the driver's last", attr->name, attr->order);
}

static void order_is_the_drivers(void **state)
{
	(void)state;
	check_order(LIBBOND_SCOPE_BOND, bond_order, COUNT(bond_order));
	check_order(LIBBOND_SCOPE_SLAVE, slave_order, COUNT(slave_order));
	check_order(LIBBOND_SCOPE_LINK, link_order, COUNT(link_order));
	check_order(LIBBOND_SCOPE_AD_INFO, NULL, 0);
}

static void rows_are_well_formed(void **state)
{
	(void)state;
	EACH_ROW(attr, scope)
	{
		const char *name = libbond_attr_name(attr);
		bool words = libbond_attr_word(attr, 0, NULL) != NULL;
		enum libbond_type type = libbond_attr_type(attr);
		bool scalar = type <= LIBBOND_TYPE_LINK;

		if (!*name || name[strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_")])
			unit_fail("'%s' is no snake-case name", name);
		if (!libbond_attr_summary(attr) || strlen(libbond_attr_summary(attr)) < 8)
			unit_fail("%s has no summary", name);
		if (strchr(libbond_attr_summary(attr), '\n') ||
		    libbond_attr_summary(attr)[strlen(libbond_attr_summary(attr)) - 1] == '.')
			unit_fail("%s: the summary is one line without a full stop", name);
		if (!libbond_attr_text(attr) || !libbond_attr_unit(attr))
			unit_fail("%s has no text or unit", name);
		if (libbond_attr_min(attr) > libbond_attr_max(attr))
			unit_fail("%s: min above max", name);
		if (words != (type == LIBBOND_TYPE_WORD || type == LIBBOND_TYPE_BOOL || type == LIBBOND_TYPE_BITS))
			unit_fail("%s: words and type do not go together", name);
		if (type == LIBBOND_TYPE_NUMBER && libbond_attr_min(attr) == libbond_attr_max(attr))
			unit_fail("%s: a number without a range", name);
		if (scalar != (attr->wire != LB_WIRE_NONE))
			unit_fail("%s: type %d with wire %u", name, type, attr->wire);
		if (libbond_attr_modes(attr) == 0 || libbond_attr_modes(attr) & ~LIBBOND_MODES_ALL ||
		    libbond_attr_effect(attr) & ~LIBBOND_MODES_ALL)
			unit_fail("%s: modes", name);
		if (is_read_only(attr) && (attr->order || attr->def))
			unit_fail("%s: read-only with an order or a default", name);
		if (!is_read_only(attr) && !attr->order)
			unit_fail("%s: settable without an order", name);
		if (libbond_attr_presence(attr) > LIBBOND_PRESENT_PRIVILEGED)
			unit_fail("%s: presence", name);
	}
}

static void releases_are_numbers(void **state)
{
	(void)state;
	EACH_ROW(attr, scope)
	{
		unsigned major, minor;
		char rest;
		int read = sscanf(libbond_attr_since(attr), "%u.%u%c", &major, &minor, &rest);
		/* 2.6.39 and the like have a third number */
		if (read != 2 && !(read == 3 && major == 2))
			unit_fail("%s: since '%s'", attr->name, libbond_attr_since(attr));
	}
	/* those that decide which kernels lack it */
	unit_assert_text("since", "6.9", libbond_attr_since(BOND("coupled_control")));
	unit_assert_text("since", "6.17", libbond_attr_since(BOND("broadcast_neighbor")));
	unit_assert_text("since", "7.2", libbond_attr_since(BOND("lacp_strict")));
	unit_assert_text("since", "5.18", libbond_attr_since(BOND("ns_ip6_target")));
	unit_assert_text("since", "6.0", libbond_attr_since(SLAVE("prio")));
	unit_assert_text("since", "6.18", libbond_attr_since(SLAVE("actor_port_prio")));
}

static void words_are_unique(void **state)
{
	(void)state;
	EACH_ROW(attr, scope)
	{
		int64_t a, b;
		const char *first, *second;
		for (size_t i = 0; (first = libbond_attr_word(attr, i, &a)); i++)
			for (size_t j = i + 1; (second = libbond_attr_word(attr, j, &b)); j++)
				if (a == b || strcmp(first, second) == 0)
					unit_fail("%s: %s and %s", attr->name, first, second);
	}
}

static void bits_are_single(void **state)
{
	(void)state;
	EACH_ROW(attr, scope)
	{
		int64_t bit;
		for (size_t i = 0; attr->type == LIBBOND_TYPE_BITS && libbond_attr_word(attr, i, &bit); i++)
			if (bit <= 0 || bit & (bit - 1) || bit > attr->max)
				unit_fail("%s: bit %d", attr->name, (int)bit);
	}
}

/* All that stands for a row: its name, aliases and words alone. */
static const char *call(const struct libbond_attr *attr, size_t i)
{
	size_t aliases = 0;
	if (i == 0)
		return libbond_attr_name(attr);
	while (libbond_attr_alias(attr, aliases))
		aliases++;
	return i <= aliases ? libbond_attr_alias(attr, i - 1) : libbond_attr_alone_word(attr, i - 1 - aliases);
}

static void check_calls(enum libbond_scope a, enum libbond_scope b)
{
	for (const struct libbond_attr *x = NULL; (x = libbond_attr_next(a, x));)
		for (const struct libbond_attr *y = NULL; (y = libbond_attr_next(b, y));)
			for (size_t i = 0; x != y && call(x, i); i++)
				for (size_t j = 0; call(y, j); j++)
					if (strcmp(call(x, i), call(y, j)) == 0)
						unit_fail("'%s' is both %s and %s", call(x, i), x->name, y->name);
}

static void names_are_unique(void **state)
{
	(void)state;
	for (unsigned s = 0; s < LIBBOND_SCOPES; s++)
		check_calls((enum libbond_scope)s, (enum libbond_scope)s);
	/* given in the same words of one command: of a bond, and of a slave */
	check_calls(LIBBOND_SCOPE_BOND, LIBBOND_SCOPE_LINK);
}

static void rows_are_found_by_every_call(void **state)
{
	(void)state;
	EACH_ROW(attr, scope)
	{
		assert_ptr_equal(libbond_attr_find(scope, libbond_attr_name(attr)), attr);
		for (size_t i = 0; libbond_attr_alias(attr, i); i++)
			assert_ptr_equal(libbond_attr_find(scope, libbond_attr_alias(attr, i)), attr);
		assert_ptr_equal(libbond_attr_number(scope, libbond_attr_id(attr)), attr);
		assert_int_equal(libbond_attr_scope(attr), scope);
	}
}

static void spellings_of_iproute2(void **state)
{
	(void)state;
	/* ip link ... type bond help */
	assert_ptr_equal(BOND("peer_notify_delay"), BOND("peer_notif_delay"));
	assert_ptr_equal(BOND("num_unsol_na"), BOND("num_grat_arp"));
	assert_ptr_equal(BOND("arp_missed_max"), libbond_attr_number(LIBBOND_SCOPE_BOND, 30));
	assert_ptr_equal(BOND("lacp_active"), libbond_attr_number(LIBBOND_SCOPE_BOND, 29));
	assert_ptr_equal(LINK("txqueuelen"), LINK("qlen"));
	assert_ptr_equal(LINK("txqlen"), LINK("qlen"));
	assert_ptr_equal(SLAVE("churn_actor_state"), libbond_attr_number(LIBBOND_SCOPE_SLAVE, 11));
}

static void strange_names_find_nothing(void **state)
{
	static const char *const names[] = {"",     "m",     "mod",   "modes",  "Mode",
	                                    "MODE", " mode", "mode ", "mode\n", "miimo"};
	(void)state;
	for (size_t i = 0; i < COUNT(names); i++)
		for (unsigned s = 0; s <= LIBBOND_SCOPES; s++)
			assert_null(libbond_attr_find((enum libbond_scope)s, names[i]));
	assert_null(libbond_attr_find(LIBBOND_SCOPE_BOND, NULL));
	assert_null(libbond_attr_find(LIBBOND_SCOPES, "mode"));
	assert_null(libbond_attr_number(LIBBOND_SCOPE_BOND, 0));
	assert_null(libbond_attr_number(LIBBOND_SCOPE_BOND, 35));
	assert_null(libbond_attr_number(LIBBOND_SCOPE_BOND, 0xffffffff));
	assert_null(libbond_attr_number(LIBBOND_SCOPES, 1));
	assert_null(libbond_attr_next(LIBBOND_SCOPES, NULL));
	assert_null(libbond_attr_alone(LIBBOND_SCOPES, "up", NULL));
	assert_null(libbond_attr_alone(LIBBOND_SCOPE_LINK, NULL, NULL));
}

static void words_that_stand_alone(void **state)
{
	const char *value = NULL;
	(void)state;
	assert_ptr_equal(libbond_attr_alone(LIBBOND_SCOPE_LINK, "up", &value), LINK("up"));
	unit_assert_text("up", "on", value);
	assert_ptr_equal(libbond_attr_alone(LIBBOND_SCOPE_LINK, "down", &value), LINK("up"));
	unit_assert_text("down", "off", value);
	assert_ptr_equal(libbond_attr_alone(LIBBOND_SCOPE_BOND, "clear_active_slave", &value), BOND("active_slave"));
	unit_assert_text("clear_active_slave", "none", value);
	assert_null(libbond_attr_alone(LIBBOND_SCOPE_BOND, "active_slave", &value));
	assert_null(libbond_attr_alone_word(BOND("mode"), 0));
}

static void words_alone_are_values_of_their_row(void **state)
{
	(void)state;
	EACH_ROW(attr, scope)
	{
		for (size_t i = 0; libbond_attr_alone_word(attr, i); i++) {
			struct libbond_config *config;
			const char *value = NULL;
			assert_ptr_equal(libbond_attr_alone(scope, libbond_attr_alone_word(attr, i), &value), attr);
			assert_int_equal(libbond_config_new(&config), 0);
			assert_int_equal(libbond_config_set(config, attr, value, NULL), 0);
			libbond_config_free(config);
		}
	}
}

static void defaults_are_values(void **state)
{
	(void)state;
	EACH_ROW(attr, scope)
	{
		struct lb_value value;
		char why[256] = "", text[LIBBOND_TEXT_SIZE];
		if (!libbond_attr_default(attr))
			continue;
		if (lb_value_parse(attr, libbond_attr_default(attr), &value, why, sizeof(why)) < 0)
			unit_fail("%s: the default '%s' %s", attr->name, libbond_attr_default(attr), why);
		lb_value_format(attr, &value, text, sizeof(text));
		if (*libbond_attr_default(attr))
			unit_assert_text(attr->name, libbond_attr_default(attr), text);
	}
}

static void settable_rows_can_be_wanted(void **state)
{
	(void)state;
	EACH_ROW(attr, scope)
	{
		struct libbond_config *config;
		struct libbond_error err;
		const char *text = attr->type == LIBBOND_TYPE_MAC ? "02:00:00:00:00:01" : libbond_attr_default(attr);
		assert_int_equal(libbond_config_new(&config), 0);
		int rc = libbond_config_set(config, attr, text ? text : "1", &err);
		if (is_read_only(attr)) {
			assert_int_equal(rc, -EINVAL);
			unit_assert_error(&err, LIBBOND_CAUSE_BAD_ATTR, EINVAL, attr->name);
		} else {
			assert_int_equal(rc, 0);
		}
		libbond_config_free(config);
	}
}

static void presence_is_what_bond_fill_info_does(void **state)
{
	static const char *const if_set[] = {"active_slave", "primary", "arp_ip_target", "ns_ip6_target"};
	static const char *const privileged[] = {"ad_actor_sys_prio", "ad_user_port_key", "ad_actor_system"};
	size_t set = 0, private = 0;
	(void)state;
	for (size_t i = 0; i < COUNT(if_set); i++)
		assert_int_equal(libbond_attr_presence(BOND(if_set[i])), LIBBOND_PRESENT_IF_SET);
	for (size_t i = 0; i < COUNT(privileged); i++)
		assert_int_equal(libbond_attr_presence(BOND(privileged[i])), LIBBOND_PRESENT_PRIVILEGED);
	for (const struct libbond_attr *a = NULL; (a = libbond_attr_next(LIBBOND_SCOPE_BOND, a));) {
		set += libbond_attr_presence(a) == LIBBOND_PRESENT_IF_SET;
		private += libbond_attr_presence(a) == LIBBOND_PRESENT_PRIVILEGED;
	}
	assert_int_equal(set, COUNT(if_set));
	assert_int_equal(private, COUNT(privileged));
	assert_int_equal(libbond_attr_presence(BOND("ad_info")), LIBBOND_PRESENT_LACP);
	for (unsigned number = 6; number <= 12; number++)
		assert_int_equal(libbond_attr_presence(libbond_attr_number(LIBBOND_SCOPE_SLAVE, number)),
		                 number == 9 ? LIBBOND_PRESENT_ALWAYS : LIBBOND_PRESENT_LACP);
}

static void delays_and_resets(void **state)
{
	(void)state;
	EACH_ROW(attr, scope)
	{
		const char *name = libbond_attr_name(attr);
		bool delay = strcmp(name, "updelay") == 0 || strcmp(name, "downdelay") == 0 ||
		             strcmp(name, "peer_notif_delay") == 0;
		bool resets =
			strcmp(name, "mode") == 0 || strcmp(name, "miimon") == 0 || strcmp(name, "arp_interval") == 0;
		bool reset = delay || strcmp(name, "miimon") == 0 || strcmp(name, "arp_interval") == 0 ||
		             strcmp(name, "arp_validate") == 0 || strcmp(name, "broadcast_neighbor") == 0 ||
		             strcmp(name, "tlb_dynamic_lb") == 0;
		unsigned flags = libbond_attr_flags(attr);
		if (!(flags & LIBBOND_ATTR_OF_MIIMON) != !delay || !(flags & LIBBOND_ATTR_RESETS) != !resets ||
		    !(flags & LIBBOND_ATTR_IS_RESET) != !reset)
			unit_fail("%s: flags %#x", name, flags);
	}
}

static void modes_have_names(void **state)
{
	(void)state;
	unit_assert_text("mode 0", "balance-rr", libbond_mode_name(0));
	unit_assert_text("mode 6", "balance-alb", libbond_mode_name(6));
	assert_null(libbond_mode_name(7));
	assert_null(libbond_mode_name(0xffffffff));
	assert_int_equal(LIBBOND_MODES_ALL, (1u << LIBBOND_MODES) - 1);
	assert_false(lb_attr_in_mode(LIBBOND_MODES_ALL, 7));
	assert_false(lb_attr_in_mode(LIBBOND_MODES_ALL, 255));
}

static void counters_are_the_kernels(void **state)
{
	(void)state;
	/* struct rtnl_link_stats64 of include/uapi/linux/if_link.h, first, last of the classic ones, newest */
	unit_assert_text("counter 0", "rx_packets", libbond_counter_name(0));
	unit_assert_text("counter 8", "multicast", libbond_counter_name(8));
	unit_assert_text("counter 15", "rx_missed_errors", libbond_counter_name(15));
	unit_assert_text("counter 22", "tx_compressed", libbond_counter_name(22));
	unit_assert_text("counter 23", "rx_nohandler", libbond_counter_name(23));
	unit_assert_text("counter 24", "rx_otherhost_dropped", libbond_counter_name(24));
	assert_null(libbond_counter_name(25));
	assert_null(libbond_counter_name((size_t)-1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("the table has 34 bond, 5 ad_info and 12 slave attributes and nothing else", table_has_all_rows),
		TEST("every row agrees with the driver: type, size, range, default, modes, needs",
	             rows_are_the_drivers),
		TEST("every word and its number are the driver's", words_are_the_drivers),
		TEST("every switch takes off as 0 and on as 1", every_switch_is_off_or_on),
		TEST("rows come in the order in which the driver applies them", order_is_the_drivers),
		TEST("every row is well formed", rows_are_well_formed),
		TEST("the release that brought an attribute is a number", releases_are_numbers),
		TEST("no attribute has a word or a number twice", words_are_unique),
		TEST("every named bit is one bit", bits_are_single),
		TEST("no name, alias or word alone means two attributes", names_are_unique),
		TEST("a row is found by its name, its aliases and its number", rows_are_found_by_every_call),
		TEST("iproute2's spellings are aliases", spellings_of_iproute2),
		TEST("parts of names, other cases and numbers past the end find nothing", strange_names_find_nothing),
		TEST("up, down and clear_active_slave stand alone", words_that_stand_alone),
		TEST("a word alone means a value that its attribute takes", words_alone_are_values_of_their_row),
		TEST("every default can be parsed and is printed as it is written", defaults_are_values),
		TEST("what can be set takes a value, what is read-only refuses it", settable_rows_can_be_wanted),
		TEST("presence says what the kernel reports when", presence_is_what_bond_fill_info_does),
		TEST("delays hang on miimon, and the values that reset others are known", delays_and_resets),
		TEST("modes 0 to 6 have names and no other has", modes_have_names),
		TEST("counters have the kernel's names in the kernel's order", counters_are_the_kernels),
	};
	return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
