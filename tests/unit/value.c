/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every type of value from text and to text, from the wire and to the wire, with its limits and one beyond. Tests
 * lib/value-text.c and lib/value-wire.c; list edits are config.c's.
 */
#include "value.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "unit.h"

#define SIXTEEN_IP4                                                                                                  \
	"10.0.0.1,10.0.0.2,10.0.0.3,10.0.0.4,10.0.0.5,10.0.0.6,10.0.0.7,10.0.0.8,10.0.0.9,10.0.0.10,"                \
	"10.0.0.11,10.0.0.12,10.0.0.13,10.0.0.14,10.0.0.15,10.0.0.16"
#define SIXTEEN_IP6                                                                                                  \
	"2001:db8::1,2001:db8::2,2001:db8::3,2001:db8::4,2001:db8::5,2001:db8::6,2001:db8::7,2001:db8::8,"           \
	"2001:db8::9,2001:db8::a,2001:db8::b,2001:db8::c,2001:db8::d,2001:db8::e,2001:db8::f,2001:db8::10"

/* Text as a user gives it, and as it is printed again; NULL: refused. */
struct text_case {
	enum libbond_scope scope;
	const char *name, *text, *printed;
};

/* The text in memory of just its size, so that a sanitizer sees a read past it. */
static int parse(const struct libbond_attr *attr, const char *text, struct lb_value *out, char *why, size_t size)
{
	char *copy = strdup(text);
	assert_non_null(copy);
	int rc = lb_value_parse(attr, copy, out, why, size);
	free(copy);
	return rc;
}

static void check_texts(const struct text_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct libbond_attr *attr = unit_row(cases[i].scope, cases[i].name);
		char why[256] = "", printed[LIBBOND_TEXT_SIZE];
		struct lb_value value;
		int rc = parse(attr, cases[i].text, &value, why, sizeof(why));

		if ((rc == 0) != (cases[i].printed != NULL))
			unit_fail("%s '%.80s': %s %s", cases[i].name, cases[i].text, rc ? "refused, it" : "taken",
			          why);
		if (rc < 0) {
			assert_int_equal(rc, -EINVAL);
			assert_true(strlen(why) > 8);
			continue;
		}
		assert_int_equal(lb_value_format(attr, &value, printed, sizeof(printed)), strlen(cases[i].printed));
		unit_assert_text(cases[i].name, cases[i].printed, printed);
	}
}
#define B LIBBOND_SCOPE_BOND
#define S LIBBOND_SCOPE_SLAVE
#define L LIBBOND_SCOPE_LINK

static void numbers_in_text(void **state)
{
	static const struct text_case cases[] = {
		{B, "miimon", "0", "0"},
		{B, "miimon", "100", "100"},
		{B, "miimon", "+5", "5"},
		{B, "miimon", "-0", "0"},
		{B, "miimon", "007", "7"},
		{B, "miimon", "0000000000000000000000000000000000000000000000000000000001", "1"},
		{B, "miimon", "1e3", NULL},
		{B, "miimon", " 100 ", NULL},
		{B, "miimon", " 100", NULL},
		{B, "miimon", "100 ", NULL},
		{B, "miimon", "100\n", NULL},
		{B, "miimon", "0x64", NULL},
		{B, "miimon", "100abc", NULL},
		{B, "miimon", "100ms", NULL},
		{B, "miimon", "1.5", NULL},
		{B, "miimon", "1,5", NULL},
		{B, "miimon", "1_000", NULL},
		{B, "miimon", "-1", NULL},
		{B, "miimon", "", NULL},
		{B, "miimon", "+", NULL},
		{B, "miimon", "-", NULL},
		{B, "miimon", "--1", NULL},
		{B, "miimon", "+-1", NULL},
		{B, "miimon", "none", NULL},
		{B, "miimon", "\xd9\xa1\xd9\xa0\xd9\xa0", NULL}, /* arabic-indic 100 */
		{S, "prio", "-7", "-7"},
		{S, "prio", "+7", "7"},
	};
	(void)state;
	check_texts(cases, COUNT(cases));
}

static void limits_of_numbers(void **state)
{
	static const struct text_case cases[] = {
		{B, "miimon", "2147483647", "2147483647"},
		{B, "miimon", "2147483648", NULL},
		{B, "lp_interval", "1", "1"},
		{B, "lp_interval", "0", NULL},
		{B, "resend_igmp", "255", "255"},
		{B, "resend_igmp", "256", NULL},
		{B, "num_grat_arp", "255", "255"},
		{B, "num_grat_arp", "256", NULL},
		{B, "packets_per_slave", "65535", "65535"},
		{B, "packets_per_slave", "65536", NULL},
		{B, "ad_actor_sys_prio", "1", "1"},
		{B, "ad_actor_sys_prio", "0", NULL},
		{B, "ad_actor_sys_prio", "65535", "65535"},
		{B, "ad_actor_sys_prio", "65536", NULL},
		{B, "ad_user_port_key", "1023", "1023"},
		{B, "ad_user_port_key", "1024", NULL},
		{B, "peer_notif_delay", "300000", "300000"},
		{B, "peer_notif_delay", "300001", NULL},
		{B, "arp_missed_max", "1", "1"},
		{B, "arp_missed_max", "0", NULL},
		{B, "arp_missed_max", "255", "255"},
		{B, "arp_missed_max", "256", NULL},
		{S, "queue_id", "65535", "65535"},
		{S, "queue_id", "65536", NULL},
		{S, "prio", "-2147483648", "-2147483648"},
		{S, "prio", "-2147483649", NULL},
		{S, "prio", "2147483647", "2147483647"},
		{S, "prio", "2147483648", NULL},
		{L, "txqueuelen", "4294967295", "4294967295"},
		{L, "txqueuelen", "4294967296", NULL},
		{L, "mtu", "67", NULL},
		{L, "mtu", "68", "68"},
		{L, "mtu", "65535", "65535"},
		{L, "mtu", "65536", NULL},
		{L, "numtxqueues", "0", NULL},
		{L, "numtxqueues", "4096", "4096"},
		{L, "numtxqueues", "4097", NULL},
	};
	(void)state;
	check_texts(cases, COUNT(cases));
}

static void numbers_of_more_than_64_bits(void **state)
{
	static const struct text_case cases[] = {
		{B, "miimon", "9223372036854775807", NULL},
		{B, "miimon", "9223372036854775808", NULL},
		{B, "miimon", "18446744073709551615", NULL},
		{B, "miimon", "18446744073709551616", NULL}, /* 2^64: 0 if it wrapped */
		{B, "miimon", "18446744073709551716", NULL}, /* 2^64 + 100 */
		{B, "miimon", "184467440737095516160", NULL},
		{B, "miimon", "340282366920938463463374607431768211556", NULL}, /* 2^128 + 100 */
		{B, "miimon", "99999999999999999999999999999999999999999999999999999999999999999999999", NULL},
		{S, "prio", "-9223372036854775808", NULL},
		{S, "prio", "-18446744073709551615", NULL}, /* 1 if it wrapped */
		{S, "prio", "4294967297", NULL},            /* 1 in 32 bits */
		{S, "queue_id", "65537", NULL},             /* 1 in 16 bits */
		{B, "num_grat_arp", "257", NULL},           /* 1 in 8 bits */
		{B, "mode", "256", NULL},
		{B, "mode", "4294967297", NULL},
		{B, "mode", "18446744073709551617", NULL},
		{L, "up", "18446744073709551617", NULL},
	};
	(void)state;
	check_texts(cases, COUNT(cases));
}

static void one_beyond_every_range(void **state)
{
	(void)state;
	for (unsigned s = 0; s < LIBBOND_SCOPES; s++) {
		for (const struct libbond_attr *a = NULL; (a = libbond_attr_next((enum libbond_scope)s, a));) {
			const int64_t numbers[] = {a->min, a->max, a->min - 1, a->max + 1};
			if (a->type != LIBBOND_TYPE_NUMBER)
				continue;
			for (size_t i = 0; i < COUNT(numbers); i++) {
				char text[32], why[256];
				struct lb_value value;
				snprintf(text, sizeof(text), "%lld", (long long)numbers[i]);
				int rc = parse(a, text, &value, why, sizeof(why));
				if (rc != (i < 2 ? 0 : -EINVAL) || (rc == 0 && value.number != numbers[i]))
					unit_fail("%s %s: %d", a->name, text, rc);
			}
		}
	}
}

static void words_in_text(void **state)
{
	static const struct text_case cases[] = {
		{B, "mode", "802.3ad", "802.3ad"},
		{B, "mode", "4", "802.3ad"},
		{B, "mode", "0", "balance-rr"},
		{B, "mode", "6", "balance-alb"},
		{B, "mode", "7", NULL},
		{B, "mode", "-1", NULL},
		{B, "mode", "802.3AD", NULL},
		{B, "mode", "802.3ad ", NULL},
		{B, "mode", "802.3a", NULL},
		{B, "mode", "lacp", NULL},
		{B, "mode", "", NULL},
		{B, "xmit_hash_policy", "layer3+4", "layer3+4"},
		{B, "xmit_hash_policy", "1", "layer3+4"},
		{B, "xmit_hash_policy", "2", "layer2+3"},
		{B, "xmit_hash_policy", "5", "vlan+srcmac"},
		{B, "xmit_hash_policy", "6", NULL},
		{B, "arp_validate", "none", "none"},
		{B, "arp_validate", "6", "filter_backup"},
		{B, "arp_validate", "7", NULL},
		{B, "ad_select", "3", "actor_port_prio"},
		{B, "fail_over_mac", "follow", "follow"},
		/* a word list is no switch */
		{B, "lacp_rate", "on", NULL},
		{B, "lacp_rate", "true", NULL},
	};
	(void)state;
	check_texts(cases, COUNT(cases));
}

static void every_word_and_number_of_the_table(void **state)
{
	(void)state;
	for (unsigned s = 0; s < LIBBOND_SCOPES; s++) {
		for (const struct libbond_attr *a = NULL; (a = libbond_attr_next((enum libbond_scope)s, a));) {
			const char *word;
			int64_t number;
			if (a->type != LIBBOND_TYPE_WORD && a->type != LIBBOND_TYPE_BOOL)
				continue;
			for (size_t i = 0; (word = libbond_attr_word(a, i, &number)); i++) {
				char decimal[32], why[256], printed[64];
				struct lb_value by_word, by_number;
				snprintf(decimal, sizeof(decimal), "%lld", (long long)number);
				assert_int_equal(parse(a, word, &by_word, why, sizeof(why)), 0);
				assert_int_equal(parse(a, decimal, &by_number, why, sizeof(why)), 0);
				assert_true(lb_value_equal(a, &by_word, &by_number));
				assert_int_equal(by_word.number, number);
				lb_value_format(a, &by_number, printed, sizeof(printed));
				unit_assert_text(a->name, word, printed);
			}
		}
	}
}

static void switches_in_text(void **state)
{
	static const struct text_case cases[] = {
		{B, "lacp_active", "on", "on"},     {B, "lacp_active", "off", "off"},
		{B, "lacp_active", "1", "on"},      {B, "lacp_active", "0", "off"},
		{B, "lacp_active", "yes", "on"},    {B, "lacp_active", "no", "off"},
		{B, "lacp_active", "true", "on"},   {B, "lacp_active", "false", "off"},
		{B, "lacp_active", "2", NULL},      {B, "lacp_active", "-1", NULL},
		{B, "lacp_active", "", NULL},       {B, "lacp_active", "On", NULL},
		{B, "lacp_active", "enable", NULL}, {B, "lacp_active", "on ", NULL},
		{B, "tlb_dynamic_lb", "yes", "on"},
	};
	(void)state;
	check_texts(cases, COUNT(cases));
}

static void addresses_in_text(void **state)
{
	static const struct text_case cases[] = {
		{L, "address", "02:00:00:00:00:01", "02:00:00:00:00:01"},
		{L, "address", "02-00-00-00-00-01", "02:00:00:00:00:01"},
		{L, "address", "AA:BB:CC:DD:EE:FF", "aa:bb:cc:dd:ee:ff"},
		{L, "address", "fe:ff:ff:ff:ff:ff", "fe:ff:ff:ff:ff:ff"},
		{B, "ad_actor_system", "00:00:00:00:00:00", "00:00:00:00:00:00"},
		{L, "address", "01:00:00:00:00:01", NULL}, /* multicast */
		{B, "ad_actor_system", "ff:ff:ff:ff:ff:ff", NULL},
		{L, "address", "02:00:00-00:00:01", NULL},
		{L, "address", "02-00-00-00-00:01", NULL},
		{L, "address", "02.00.00.00.00.01", NULL},
		{L, "address", "0200.0000.0001", NULL},
		{L, "address", "020000000001", NULL},
		{L, "address", "2:0:0:0:0:1", NULL},
		{L, "address", "02:00:00:00:00:01:02", NULL},
		{L, "address", "02:00:00:00:00:01 ", NULL},
		{L, "address", " 02:00:00:00:00:01", NULL},
		{L, "address", "02:00:00:00:00:0g", NULL},
		{L, "address", "0x:00:00:00:00:00", NULL},
		{L, "address", "\xb0\x32:00:00:00:00:00", NULL},
		{L, "address", "none", NULL},
		/* with the terminator where a separator belongs */
		{L, "address", "", NULL},
		{L, "address", "0", NULL},
		{L, "address", "02", NULL},
		{L, "address", "02:", NULL},
		{L, "address", "02:0", NULL},
		{L, "address", "02:00", NULL},
		{L, "address", "02:00:00:00:00", NULL},
		{L, "address", "02:00:00:00:00:", NULL},
		{L, "address", "02:00:00:00:00:0", NULL},
	};
	(void)state;
	check_texts(cases, COUNT(cases));
}

static void ip4_lists_in_text(void **state)
{
	static const struct text_case cases[] = {
		{B, "arp_ip_target", "", ""},
		{B, "arp_ip_target", "none", ""},
		{B, "arp_ip_target", "10.0.0.1", "10.0.0.1"},
		{B, "arp_ip_target", "10.0.0.2,10.0.0.1", "10.0.0.2,10.0.0.1"},
		{B, "arp_ip_target", SIXTEEN_IP4, SIXTEEN_IP4},
		{B, "arp_ip_target", SIXTEEN_IP4 ",10.0.0.17", NULL},
		/* what the driver takes, however odd */
		{B, "arp_ip_target", "127.0.0.1,224.0.0.1,0.1.2.3,255.255.255.254,169.254.1.1",
	         "127.0.0.1,224.0.0.1,0.1.2.3,255.255.255.254,169.254.1.1"},
		{B, "arp_ip_target", "0.0.0.0", NULL},
		{B, "arp_ip_target", "255.255.255.255", NULL},
		{B, "arp_ip_target", "10.0.0.1,10.0.0.1", NULL},
		{B, "arp_ip_target", "10.0.0.1,10.0.0.2,10.0.0.1", NULL},
		{B, "arp_ip_target", "10.0.0.1,", NULL},
		{B, "arp_ip_target", ",10.0.0.1", NULL},
		{B, "arp_ip_target", "10.0.0.1,,10.0.0.2", NULL},
		{B, "arp_ip_target", "10.0.0.1, 10.0.0.2", NULL},
		{B, "arp_ip_target", "10.0.0.1 10.0.0.2", NULL},
		{B, "arp_ip_target", ",", NULL},
		{B, "arp_ip_target", "10.0.0", NULL},
		{B, "arp_ip_target", "10.0.0.256", NULL},
		{B, "arp_ip_target", "10.0.0.1/24", NULL},
		{B, "arp_ip_target", "010.0.0.1", NULL},
		{B, "arp_ip_target", "0x0a000001", NULL},
		{B, "arp_ip_target", "167772161", NULL},
		{B, "arp_ip_target", "localhost", NULL},
		{B, "arp_ip_target", "::1", NULL},
		{B, "arp_ip_target", "none,10.0.0.1", NULL},
		{B, "arp_ip_target", "10.0.0.1,none", NULL},
		{B, "arp_ip_target", "1000000000000000000000000000000000000000000000000000000000.0.0.1", NULL},
	};
	(void)state;
	check_texts(cases, COUNT(cases));
}

static void ip6_lists_in_text(void **state)
{
	static const struct text_case cases[] = {
		{B, "ns_ip6_target", "", ""},
		{B, "ns_ip6_target", "none", ""},
		{B, "ns_ip6_target", "2001:db8::1", "2001:db8::1"},
		{B, "ns_ip6_target", "2001:DB8:0:0:0:0:0:1", "2001:db8::1"},
		{B, "ns_ip6_target", "fe80::1,2001:db8::1", "fe80::1,2001:db8::1"},
		{B, "ns_ip6_target", "::2", "::2"},
		{B, "ns_ip6_target", "::ffff:10.0.0.1", "::ffff:10.0.0.1"},
		{B, "ns_ip6_target", SIXTEEN_IP6, SIXTEEN_IP6},
		{B, "ns_ip6_target", SIXTEEN_IP6 ",2001:db8::11", NULL},
		{B, "ns_ip6_target", "::", NULL},
		{B, "ns_ip6_target", "::1", NULL},
		{B, "ns_ip6_target", "ff02::1", NULL},
		{B, "ns_ip6_target", "0:0:0:0:0:0:0:1", NULL},
		{B, "ns_ip6_target", "2001:db8::1,2001:db8:0::1", NULL},
		{B, "ns_ip6_target", "fe80::1%eth0", NULL},
		{B, "ns_ip6_target", "[2001:db8::1]", NULL},
		{B, "ns_ip6_target", "2001:db8::1/64", NULL},
		{B, "ns_ip6_target", "2001:db8::1,", NULL},
		{B, "ns_ip6_target", "10.0.0.1", NULL},
		{B, "ns_ip6_target", "2001:db8:::1", NULL},
		{B, "ns_ip6_target", "2001:db8:0000:0000:0000:0000:0000:0000:0001", NULL},
	};
	(void)state;
	check_texts(cases, COUNT(cases));
}

static void longest_text_fits(void **state)
{
	/* sixteen of the longest spelling: eight groups of four digits */
	char text[LIBBOND_TEXT_SIZE] = "", printed[LIBBOND_TEXT_SIZE], why[256];
	struct lb_value value;
	(void)state;
	for (unsigned i = 0; i < LIBBOND_TARGETS_MAX; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s2001:1111:2222:3333:4444:5555:6666:%x",
		         i ? "," : "", 0x7000 + i);
	assert_int_equal(parse(BOND("ns_ip6_target"), text, &value, why, sizeof(why)), 0);
	assert_int_equal(lb_value_format(BOND("ns_ip6_target"), &value, printed, sizeof(printed)), strlen(text));
	unit_assert_text("list", text, printed);
	/* and of the longest that inet_ntop() ever prints */
	assert_true(LIBBOND_TARGETS_MAX * (INET6_ADDRSTRLEN - 1) + LIBBOND_TARGETS_MAX <= LIBBOND_TEXT_SIZE);
}

static void devices_in_text(void **state)
{
	static const struct text_case cases[] = {
		{B, "primary", "none", "none"},
		{B, "primary", "", "none"},
		{B, "primary", "eth0", NULL}, /* a name needs the kernel */
		{B, "active_slave", "3", NULL},
		{S, "ad_actor_oper_port_state", "activity", NULL}, /* never given as text */
		{B, "ad_info", "", NULL},
	};
	(void)state;
	check_texts(cases, COUNT(cases));
}

static void reasons_say_what_is_taken(void **state)
{
	static const struct {
		const char *name, *text, *part;
	} cases[] = {
		{"miimon", "1e3", "is not a number; it takes 0 to 2147483647 ms"},
		{"lp_interval", "0", "is out of range; it takes 1 to 2147483647 s"},
		{"lacp_rate", "medium", "it takes slow or fast"},
		{"primary_reselect", "x", "always, better or failure"},
		{"lacp_active", "x", "off or on"},
		{"arp_ip_target", "10.0.0.1,10.0.0.1", "'10.0.0.1' is there twice"},
		{"arp_ip_target", "10.0.0.1,foo", "'foo' is not an IPv4 address"},
		{"ns_ip6_target", "::1", "'::1' cannot be a target"},
		{"arp_ip_target", SIXTEEN_IP4 ",10.0.0.17", "'10.0.0.17' is one too many; it takes 16"},
		{"ad_actor_system", "01:00:00:00:00:00", "is a multicast address"},
	};
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char why[384] = "";
		struct lb_value value;
		assert_int_equal(parse(BOND(cases[i].name), cases[i].text, &value, why, sizeof(why)), -EINVAL);
		unit_assert_contains(cases[i].part, why);
	}
}

/* snprintf()'s contract, for every size of buffer up to the text and one more. */
static void check_cut(const struct libbond_attr *attr, const struct lb_value *value, const char *whole)
{
	size_t length = strlen(whole);
	assert_int_equal(lb_value_format(attr, value, NULL, 0), length);
	for (size_t size = 1; size <= length + 1; size++) {
		char *buf = malloc(size);
		assert_non_null(buf);
		memset(buf, 'x', size);
		assert_int_equal(lb_value_format(attr, value, buf, size), length);
		assert_int_equal(strlen(buf), size - 1);
		assert_memory_equal(buf, whole, size - 1);
		free(buf);
	}
}

static void text_that_is_cut(void **state)
{
	struct lb_value value = {.count = 1, .number = -2147483648LL};
	(void)state;
	check_cut(SLAVE("prio"), &value, "-2147483648");
	value.number = 4;
	check_cut(BOND("mode"), &value, "802.3ad");
	value.number = 0x3f;
	check_cut(SLAVE("ad_actor_oper_port_state"), &value,
	          "activity,timeout,aggregation,synchronization,collecting,distributing");
	value.number = 12;
	check_cut(BOND("primary"), &value, "#12");
	value = (struct lb_value){.count = 6, .mac = {2, 0, 0, 0, 0, 255}};
	check_cut(LINK("address"), &value, "02:00:00:00:00:ff");
	value = (struct lb_value){.count = 2};
	value.ip4[0].s_addr = htonl(0x0a000001);
	value.ip4[1].s_addr = htonl(0xc0a80002);
	check_cut(BOND("arp_ip_target"), &value, "10.0.0.1,192.168.0.2");
}

static void what_the_table_does_not_know_is_a_number(void **state)
{
	struct lb_value value = {.count = 1, .number = 9};
	char text[64], item[64];
	(void)state;
	lb_value_format(BOND("mode"), &value, text, sizeof(text));
	unit_assert_text("mode 9", "9", text);
	lb_value_format(BOND("lacp_active"), &value, text, sizeof(text));
	unit_assert_text("switch 9", "9", text);
	value.number = 0x8101;
	lb_value_format(SLAVE("ad_partner_oper_port_state"), &value, text, sizeof(text));
	unit_assert_text("bits", "activity,256,32768", text);
	assert_int_equal(lb_value_items(SLAVE("ad_partner_oper_port_state"), &value), 3);
	assert_int_equal(lb_value_format_item(SLAVE("ad_partner_oper_port_state"), &value, 2, item, sizeof(item)), 5);
	unit_assert_text("bit", "32768", item);
	assert_int_equal(lb_value_format_item(SLAVE("ad_partner_oper_port_state"), &value, 3, item, sizeof(item)),
	                 -EINVAL);
	value.number = 0;
	assert_int_equal(lb_value_format(SLAVE("ad_actor_oper_port_state"), &value, text, sizeof(text)), 0);
	unit_assert_text("no bit", "", text);
	assert_int_equal(lb_value_items(BOND("mode"), &value), -EINVAL);
}

static void descriptions_of_values(void **state)
{
	static const struct {
		enum libbond_scope scope;
		const char *name, *text;
	} cases[] = {
		{B, "miimon", "0 to 2147483647 ms"},
		{B, "resend_igmp", "0 to 255"},
		{B, "lacp_active", "off or on"},
		{B, "primary_reselect", "always, better or failure"},
		{B, "primary", "an interface or none"},
		{B, "ad_actor_system", "a MAC address"},
		{B, "arp_ip_target", "up to 16 IPv4 addresses or none"},
		{B, "ns_ip6_target", "up to 16 IPv6 addresses or none"},
	};
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		char text[128];
		const struct libbond_attr *attr = unit_row(cases[i].scope, cases[i].name);
		assert_int_equal(lb_value_describe(attr, text, sizeof(text)), strlen(cases[i].text));
		unit_assert_text(cases[i].name, cases[i].text, text);
		assert_int_equal(lb_value_describe(attr, NULL, 0), strlen(cases[i].text));
	}
}

/* --- the wire --- */

/* An attribute of these bytes, in memory of just its size. Free it. */
static struct nlattr *make_attr(unsigned type, const char *hex)
{
	uint8_t bytes[1024];
	size_t length = unit_hex(hex, bytes, sizeof(bytes));
	struct nlattr *attr = malloc(MNL_ATTR_HDRLEN + length);
	assert_non_null(attr);
	attr->nla_type = (uint16_t)type;
	attr->nla_len = (uint16_t)(MNL_ATTR_HDRLEN + length);
	memcpy((char *)attr + MNL_ATTR_HDRLEN, bytes, length);
	return attr;
}

static int get(const struct libbond_attr *attr, const char *hex, struct lb_value *out)
{
	struct nlattr *nla = make_attr(libbond_attr_id(attr), hex);
	memset(out, 0, sizeof(*out));
	int rc = lb_value_get(attr, nla, out);
	free(nla);
	return rc;
}

static void scalars_from_the_wire(void **state)
{
	static const struct {
		enum libbond_scope scope;
		const char *name, *hex;
		int64_t number; /* -1: refused */
	} cases[] = {
		{B, "mode", "04", 4},
		{B, "mode", "ff", 255},
		{B, "mode", "", -1},
		{B, "mode", "04aabbcc", 4}, /* longer than the type: the leading bytes count, as in the kernel */
		{B, "miimon", "64000000", 100},
		{B, "miimon", "ffffffff", 4294967295},
		{B, "miimon", "640000", -1},
		{B, "miimon", "", -1},
		{B, "miimon", "6400000011223344", 100},
		{B, "ad_user_port_key", "ff03", 1023},
		{B, "ad_user_port_key", "ff", -1},
		{S, "ad_partner_oper_port_state", "3f00", 63},
		{S, "ad_partner_oper_port_state", "3f", -1},
		{L, "carrier", "01", 1},
	};
	struct lb_value value;
	(void)state;
	if (!unit_is_little_endian())
		SKIP("the bytes here are a little-endian machine's");
	for (size_t i = 0; i < COUNT(cases); i++) {
		int rc = get(unit_row(cases[i].scope, cases[i].name), cases[i].hex, &value);
		if (rc != (cases[i].number < 0 ? -EBADMSG : 0) || (rc == 0 && value.number != cases[i].number))
			unit_fail("%s %s: %d, %lld", cases[i].name, cases[i].hex, rc, (long long)value.number);
	}
	assert_int_equal(get(SLAVE("prio"), "f9ffffff", &value), 0);
	assert_int_equal(value.number, -7);
	assert_int_equal(get(SLAVE("prio"), "00000080", &value), 0);
	assert_int_equal(value.number, -2147483648LL);
	assert_int_equal(get(LINK("up"), "01000000", &value), -EBADMSG); /* no attribute at all */
}

static void addresses_from_the_wire(void **state)
{
	struct lb_value value;
	char text[128], hex[80];
	(void)state;
	assert_int_equal(get(SLAVE("perm_hwaddr"), "020000000001", &value), 0);
	lb_value_format(SLAVE("perm_hwaddr"), &value, text, sizeof(text));
	unit_assert_text("ethernet", "02:00:00:00:00:01", text);
	/* 20 bytes of InfiniBand, none of a tun device */
	assert_int_equal(get(SLAVE("perm_hwaddr"), "80000048fe8000000000000000 0002c90300 1234", &value), 0);
	assert_int_equal(value.count, 20);
	lb_value_format(SLAVE("perm_hwaddr"), &value, text, sizeof(text));
	unit_assert_text("infiniband", "80:00:00:48:fe:80:00:00:00:00:00:00:00:00:02:c9:03:00:12:34", text);
	assert_int_equal(get(SLAVE("perm_hwaddr"), "", &value), 0);
	assert_int_equal(lb_value_format(SLAVE("perm_hwaddr"), &value, text, sizeof(text)), 0);
	unit_assert_text("no address", "", text);
	/* MAX_ADDR_LEN, and one more */
	memset(hex, '1', sizeof(hex));
	hex[64] = '\0';
	assert_int_equal(get(SLAVE("perm_hwaddr"), hex, &value), 0);
	assert_int_equal(value.count, 32);
	memset(hex, '1', sizeof(hex));
	hex[66] = '\0';
	assert_int_equal(get(SLAVE("perm_hwaddr"), hex, &value), -EBADMSG);
}

static void lists_from_the_wire(void **state)
{
	char hex[1024] = "", text[LIBBOND_TEXT_SIZE];
	struct lb_value value;
	(void)state;
	if (!unit_is_little_endian())
		SKIP("the bytes here are a little-endian machine's");
	/* types 0 and 1 */
	assert_int_equal(get(BOND("arp_ip_target"), "08000000 0a000001 08000100 0a000002", &value), 0);
	lb_value_format(BOND("arp_ip_target"), &value, text, sizeof(text));
	unit_assert_text("targets", "10.0.0.1,10.0.0.2", text);
	/* any types, an entry with more bytes than an address */
	assert_int_equal(get(BOND("arp_ip_target"), "08002a00 0a000001 0c002a00 0a000002 ffffffff", &value), 0);
	assert_int_equal(value.count, 2);
	assert_int_equal(get(BOND("arp_ip_target"), "", &value), 0);
	assert_int_equal(value.count, 0);
	/* an entry that is too short makes the list unreadable */
	assert_int_equal(get(BOND("arp_ip_target"), "08000000 0a000001 07000100 0a0000 00", &value), -EBADMSG);
	assert_int_equal(get(BOND("ns_ip6_target"), "08000000 20010db8", &value), -EBADMSG);
	assert_int_equal(get(BOND("ns_ip6_target"), "14000000 20010db8000000000000000000000001", &value), 0);
	lb_value_format(BOND("ns_ip6_target"), &value, text, sizeof(text));
	unit_assert_text("targets", "2001:db8::1", text);
	for (unsigned i = 0; i < 17; i++)
		snprintf(hex + strlen(hex), sizeof(hex) - strlen(hex), "0800%02x00 0a0000%02x ", i, i + 1);
	assert_int_equal(get(BOND("arp_ip_target"), hex, &value), -EBADMSG);
	hex[16 * 18] = '\0';
	assert_int_equal(get(BOND("arp_ip_target"), hex, &value), 0);
	assert_int_equal(value.count, 16);
}

static void broken_entries_end_a_list(void **state)
{
	/* lengths below a header, beyond the end, and a header cut short */
	static const char *const broken[] = {"0300 0000",          "0000 0000", "ffff 0000 0a000001",
	                                     "0900 0000 0a000001", "08 00",     "0800 00"};
	struct lb_value value;
	(void)state;
	if (!unit_is_little_endian())
		SKIP("the bytes here are a little-endian machine's");
	for (size_t i = 0; i < COUNT(broken); i++) {
		char hex[64];
		assert_int_equal(get(BOND("arp_ip_target"), broken[i], &value), 0);
		assert_int_equal(value.count, 0);
		snprintf(hex, sizeof(hex), "08000000 0a000001 %s", broken[i]);
		assert_int_equal(get(BOND("arp_ip_target"), hex, &value), 0);
		assert_int_equal(value.count, 1);
	}
}

static void a_message_without_room(void **state)
{
	static const char *const words[] = {"mode 4",
	                                    "miimon 100",
	                                    "ad_user_port_key 1",
	                                    "primary none",
	                                    "arp_ip_target " SIXTEEN_IP4,
	                                    "ns_ip6_target " SIXTEEN_IP6,
	                                    "address 02:00:00:00:00:01"};
	(void)state;
	for (size_t i = 0; i < COUNT(words); i++) {
		struct libbond_config *config = unit_config(words[i]);
		bool fitted = false;
		/* the value takes so much that it just does not fit, and then does; never a byte past the limit */
		for (size_t limit = MNL_NLMSG_HDRLEN; limit < 1024 && !fitted; limit += 4) {
			struct nlmsghdr *nlh = malloc(limit);
			assert_non_null(nlh);
			mnl_nlmsg_put_header(nlh);
			fitted = lb_value_put(config->wants[0].attr, &config->wants[0].value, nlh, limit);
			if (fitted)
				assert_int_equal(nlh->nlmsg_len, limit);
			free(nlh);
		}
		assert_true(fitted);
		libbond_config_free(config);
	}
}

/* --- lists as values --- */

static void entries_are_found_removed_and_appended(void **state)
{
	static const char *const names[] = {"arp_ip_target", "ns_ip6_target"};
	static const char *const texts[][4] = {
		{"10.0.0.1,10.0.0.2,10.0.0.3", "10.0.0.2", "10.0.0.1,10.0.0.3", "10.0.0.1,10.0.0.3,10.0.0.2"},
		{"fe80::1,fe80::2,fe80::3", "fe80::2", "fe80::1,fe80::3", "fe80::1,fe80::3,fe80::2"},
	};
	char why[128], text[LIBBOND_TEXT_SIZE];
	(void)state;
	for (size_t i = 0; i < COUNT(names); i++) {
		const struct libbond_attr *attr = BOND(names[i]);
		struct lb_value list, one, other;
		assert_int_equal(lb_value_parse(attr, texts[i][0], &list, why, sizeof(why)), 0);
		assert_int_equal(lb_value_parse(attr, texts[i][1], &one, why, sizeof(why)), 0);
		assert_int_equal(lb_value_find(attr, &list, &one), 1);
		assert_int_equal(lb_value_parse_item(attr, texts[i][1], &list, why, sizeof(why)), -EEXIST);
		other = list;
		assert_true(lb_value_equal(attr, &list, &other));
		lb_value_remove(attr, &list, 1);
		assert_int_equal(lb_value_find(attr, &list, &one), -1);
		assert_false(lb_value_equal(attr, &list, &other));
		lb_value_format(attr, &list, text, sizeof(text));
		unit_assert_text("removed", texts[i][2], text);
		lb_value_append(attr, &list, &one);
		lb_value_format(attr, &list, text, sizeof(text));
		unit_assert_text("appended", texts[i][3], text);
		assert_false(lb_value_equal(attr, &list, &other)); /* the order counts: the first is asked first */
	}
}

/* --- round trips of random values --- */

static uint64_t random_state;

static uint64_t random_next(void) /* xorshift64* */
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return random_state * 2685821657736338717ULL;
}

static void random_list(const struct libbond_attr *attr, struct lb_value *value)
{
	unsigned count = (unsigned)(random_next() % (LIBBOND_TARGETS_MAX + 1));
	value->count = 0;
	for (unsigned i = 0; i < count; i++) {
		if (attr->type == LIBBOND_TYPE_IP4_LIST) {
			/* entries differ in the last byte, and none is all zeros or all ones */
			value->ip4[value->count++].s_addr = htonl(((uint32_t)random_next() & 0x7fffff00) | (i + 1));
			continue;
		}
		uint64_t halves[2] = {random_next(), random_next()};
		memcpy(&value->ip6[value->count], halves, sizeof(halves));
		value->ip6[value->count].s6_addr[0] &= 0x7f; /* not multicast */
		value->ip6[value->count].s6_addr[1] |= 1;    /* not :: and ::1 */
		value->ip6[value->count++].s6_addr[15] = (uint8_t)i;
	}
}

static void random_value(const struct libbond_attr *attr, struct lb_value *value)
{
	memset(value, 0, sizeof(*value));
	value->count = 1;
	switch (attr->type) {
	case LIBBOND_TYPE_NUMBER:
		value->number = attr->min + (int64_t)(random_next() % (uint64_t)(attr->max - attr->min + 1));
		break;
	case LIBBOND_TYPE_BOOL:
	case LIBBOND_TYPE_WORD: {
		size_t words = 0;
		while (libbond_attr_word(attr, words, NULL))
			words++;
		libbond_attr_word(attr, random_next() % words, &value->number);
		break;
	}
	case LIBBOND_TYPE_MAC:
		value->count = 6;
		for (unsigned i = 0; i < 6; i++)
			value->mac[i] = (uint8_t)random_next();
		value->mac[0] &= 0xfe;
		break;
	case LIBBOND_TYPE_IP4_LIST:
	case LIBBOND_TYPE_IP6_LIST:
		random_list(attr, value);
		break;
	default:
		break; /* LINK: none */
	}
}

static void check_round_trip(const struct libbond_attr *attr)
{
	_Alignas(8) char buffer[1024];
	char text[LIBBOND_TEXT_SIZE], why[384];
	struct lb_value value, parsed = {0}, decoded = {0};

	random_value(attr, &value);
	int length = lb_value_format(attr, &value, text, sizeof(text));
	assert_true(length >= 0 && (size_t)length < sizeof(text));
	if (parse(attr, text, &parsed, why, sizeof(why)) < 0)
		unit_fail("%s '%s' %s", attr->name, text, why);
	if (!lb_value_equal(attr, &value, &parsed))
		unit_fail("%s '%s' is another value when parsed", attr->name, text);
	if (attr->wire == LB_WIRE_FLAG)
		return;
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(buffer);
	assert_true(lb_value_put(attr, &value, nlh, sizeof(buffer)));
	const struct nlattr *nla = mnl_nlmsg_get_payload(nlh);
	assert_int_equal(mnl_attr_get_type(nla), libbond_attr_id(attr));
	if (lb_value_get(attr, nla, &decoded) < 0 || !lb_value_equal(attr, &value, &decoded))
		unit_fail("%s '%s' is another value on the wire", attr->name, text);
}

static void random_round_trips(void **state)
{
	const char *wish = getenv("UNIT_SEED");
	uint64_t seed = wish ? strtoull(wish, NULL, 0) : (uint64_t)time(NULL);
	(void)state;
	print_message("# UNIT_SEED=%llu\n", (unsigned long long)seed);
	random_state = seed * 2 + 1;
	for (int round = 0; round < 500; round++)
		for (unsigned s = 0; s < LIBBOND_SCOPES; s++)
			for (const struct libbond_attr *a = NULL; (a = libbond_attr_next((enum libbond_scope)s, a));)
				if (!(a->flags & LIBBOND_ATTR_READ_ONLY))
					check_round_trip(a);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("a number is decimal digits with an optional sign and nothing else", numbers_in_text),
		TEST("numbers are taken up to their limits and refused one beyond", limits_of_numbers),
		TEST("a number too long for 64, 32, 16 or 8 bits never becomes another",
	             numbers_of_more_than_64_bits),
		TEST("one below the lowest and one above the highest number of every row is refused",
	             one_beyond_every_range),
		TEST("a word is taken whole, or as its number", words_in_text),
		TEST("every word of the table is its number and is printed as the word",
	             every_word_and_number_of_the_table),
		TEST("a switch takes on and off, 1 and 0, yes and no, true and false", switches_in_text),
		TEST("a MAC address is six pairs with one kind of separator, and not multicast", addresses_in_text),
		TEST("a list of IPv4 targets has at most 16 different addresses that the driver takes",
	             ip4_lists_in_text),
		TEST("a list of IPv6 targets has at most 16 different addresses that the driver takes",
	             ip6_lists_in_text),
		TEST("LIBBOND_TEXT_SIZE holds sixteen of the longest addresses", longest_text_fits),
		TEST("names, bits and nests are not parsed without the kernel", devices_in_text),
		TEST("a refusal says what the attribute takes", reasons_say_what_is_taken),
		TEST("text that does not fit is cut and its whole length returned", text_that_is_cut),
		TEST("words and bits that the table does not know are printed as numbers",
	             what_the_table_does_not_know_is_a_number),
		TEST("every type describes its values", descriptions_of_values),
		TEST("scalars are read at their size, longer ones by their leading bytes", scalars_from_the_wire),
		TEST("link-layer addresses are read at any length up to 32 bytes", addresses_from_the_wire),
		TEST("lists are read whatever the types of their entries, 0 included", lists_from_the_wire),
		TEST("a broken entry ends a list", broken_entries_end_a_list),
		TEST("a value that does not fit its message is refused and not a byte written past it",
	             a_message_without_room),
		TEST("entries of a list are found, removed and appended in order",
	             entries_are_found_removed_and_appended),
		TEST("random values survive text and wire", random_round_trips),
	};
	return cmocka_run_group_tests_name("value", tests, NULL, NULL);
}
