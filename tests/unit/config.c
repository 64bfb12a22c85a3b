/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Configs: wanted values in the driver's order, and the editing of lists by sign. Tests lib/config.c; the values
 * themselves are value.c's.
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "unit.h"

#define FIFTEEN                                                                                                      \
	"10.0.0.1,10.0.0.2,10.0.0.3,10.0.0.4,10.0.0.5,10.0.0.6,10.0.0.7,10.0.0.8,10.0.0.9,10.0.0.10,"                \
	"10.0.0.11,10.0.0.12,10.0.0.13,10.0.0.14,10.0.0.15"

static void wants_come_in_the_drivers_order(void **state)
{
	struct libbond_config *config = unit_config(
		"up on lacp_rate fast txqueuelen 5 miimon 100 address 02:00:00:00:00:01 mode 802.3ad updelay 200");
	static const char *const order[] = {"mode", "miimon", "updelay", "lacp_rate", "address", "up", "txqueuelen"};
	(void)state;
	assert_int_equal(libbond_config_count(config), COUNT(order));
	for (size_t i = 0; i < COUNT(order); i++)
		unit_assert_text("want", order[i], libbond_attr_name(libbond_config_attr(config, i)));
	assert_null(libbond_config_attr(config, COUNT(order)));
	libbond_config_free(config);
}

static void the_last_value_of_an_attribute_counts(void **state)
{
	struct libbond_config *config = unit_config("miimon 100");
	char text[64];
	int64_t number;
	(void)state;
	assert_int_equal(libbond_config_set(config, BOND("miimon"), "50", NULL), 0);
	assert_int_equal(libbond_config_count(config), 1);
	assert_int_equal(libbond_config_number(config, BOND("miimon"), &number), 0);
	assert_int_equal(number, 50);
	/* a list, edits, a list again */
	assert_int_equal(libbond_config_set(config, BOND("arp_ip_target"), "10.0.0.1,10.0.0.2", NULL), 0);
	assert_int_equal(libbond_config_set(config, BOND("arp_ip_target"), "+10.0.0.3", NULL), 0);
	assert_int_equal(libbond_config_text(config, BOND("arp_ip_target"), text, sizeof(text)), 9);
	unit_assert_text("edits", "+10.0.0.3", text);
	assert_int_equal(libbond_config_set(config, BOND("arp_ip_target"), "10.0.0.4", NULL), 0);
	libbond_config_text(config, BOND("arp_ip_target"), text, sizeof(text));
	unit_assert_text("list", "10.0.0.4", text);
	libbond_config_free(config);
}

static void a_refused_value_leaves_the_older_one(void **state)
{
	struct libbond_config *config = unit_config("miimon 100 arp_ip_target +10.0.0.1,-10.0.0.2");
	struct libbond_error err;
	char text[64];
	(void)state;
	assert_int_equal(libbond_config_set(config, BOND("miimon"), "1e3", &err), -EINVAL);
	unit_assert_error(&err, LIBBOND_CAUSE_BAD_VALUE, EINVAL, "miimon");
	unit_assert_contains("miimon '1e3' is not a number", err.message);
	assert_int_equal(libbond_config_set(config, BOND("arp_ip_target"), "+10.0.0.300", &err), -EINVAL);
	unit_assert_error(&err, LIBBOND_CAUSE_BAD_VALUE, EINVAL, "arp_ip_target");
	libbond_config_text(config, BOND("miimon"), text, sizeof(text));
	unit_assert_text("miimon", "100", text);
	libbond_config_text(config, BOND("arp_ip_target"), text, sizeof(text));
	unit_assert_text("targets", "+10.0.0.1,-10.0.0.2", text);
	libbond_config_free(config);
}

static void read_only_attributes_cannot_be_wanted(void **state)
{
	struct libbond_config *config;
	struct libbond_error err;
	(void)state;
	assert_int_equal(libbond_config_new(&config), 0);
	assert_int_equal(libbond_config_set(config, SLAVE("mii_status"), "up", &err), -EINVAL);
	unit_assert_error(&err, LIBBOND_CAUSE_BAD_ATTR, EINVAL, "mii_status");
	assert_int_equal(libbond_config_set(config, AD("num_ports"), "1", NULL), -EINVAL);
	assert_int_equal(libbond_config_set(config, LINK("master"), "bond0", NULL), -EINVAL);
	assert_int_equal(libbond_config_count(config), 0);
	libbond_config_free(config);
}

static void what_is_not_wanted_has_no_value(void **state)
{
	struct libbond_config *config =
		unit_config("mode 1 primary eth0 arp_ip_target none ad_actor_system 02:00:00:00:00:01");
	char text[64];
	int64_t number;
	(void)state;
	assert_false(libbond_config_has(config, BOND("miimon")));
	assert_true(libbond_config_has(config, BOND("primary")));
	assert_int_equal(libbond_config_text(config, BOND("miimon"), text, sizeof(text)), -ENODATA);
	assert_int_equal(libbond_config_number(config, BOND("miimon"), &number), -ENODATA);
	assert_int_equal(libbond_config_number(config, BOND("primary"), &number), -EINVAL);
	assert_int_equal(libbond_config_number(config, BOND("arp_ip_target"), &number), -EINVAL);
	assert_int_equal(libbond_config_number(config, BOND("ad_actor_system"), &number), -EINVAL);
	assert_int_equal(libbond_config_number(config, BOND("mode"), &number), 0);
	libbond_config_unset(config, BOND("mode"));
	libbond_config_unset(config, BOND("mode"));
	assert_int_equal(libbond_config_count(config), 3);
	assert_int_equal(libbond_config_number(config, BOND("mode"), &number), -ENODATA);
	libbond_config_free(config);
	libbond_config_free(NULL);
}

static void texts_are_those_given(void **state)
{
	static const struct {
		const char *name, *given, *text;
	} cases[] = {
		{"primary", "eth0", "eth0"},
		{"primary", "none", "none"},
		{"primary", "", "none"},
		{"arp_ip_target", "", "none"},
		{"arp_ip_target", "none", "none"},
		{"arp_ip_target", "+10.0.0.1,-10.0.0.2", "+10.0.0.1,-10.0.0.2"},
		{"ns_ip6_target", "-2001:DB8::1", "-2001:db8::1"},
		{"mode", "4", "802.3ad"},
		{"lacp_active", "no", "off"},
	};
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct libbond_config *config;
		char text[64], cut[4] = "xyz";
		assert_int_equal(libbond_config_new(&config), 0);
		assert_int_equal(libbond_config_set(config, BOND(cases[i].name), cases[i].given, NULL), 0);
		assert_int_equal(libbond_config_text(config, BOND(cases[i].name), text, sizeof(text)),
		                 strlen(cases[i].text));
		unit_assert_text(cases[i].name, cases[i].text, text);
		assert_int_equal(libbond_config_text(config, BOND(cases[i].name), cut, sizeof(cut)), strlen(text));
		assert_int_equal(strncmp(cut, text, 3), 0);
		assert_int_equal(cut[3], '\0');
		assert_int_equal(libbond_config_text(config, BOND(cases[i].name), NULL, 0), strlen(text));
		libbond_config_free(config);
	}
}

static void names_of_devices_have_a_limit(void **state)
{
	struct libbond_config *config;
	struct libbond_error err;
	char name[LIBBOND_ALTNAME_SIZE + 1];
	(void)state;
	assert_int_equal(libbond_config_new(&config), 0);
	memset(name, 'n', sizeof(name));
	name[LIBBOND_ALTNAME_SIZE] = '\0';
	assert_int_equal(libbond_config_set(config, BOND("primary"), name, &err), -EINVAL);
	unit_assert_error(&err, LIBBOND_CAUSE_BAD_VALUE, EINVAL, "primary");
	name[LIBBOND_ALTNAME_SIZE - 1] = '\0';
	assert_int_equal(libbond_config_set(config, BOND("primary"), name, &err), 0);
	libbond_config_free(config);
}

/* --- edits --- */

static void malformed_edits_are_refused(void **state)
{
	static const char *const texts[] = {
		"+",
		"-",
		"+,",
		"+10.0.0.1,",
		"+10.0.0.1,,-10.0.0.2",
		"+10.0.0.1,10.0.0.2", /* mixed */
		"-10.0.0.1,10.0.0.2",
		"10.0.0.1,+10.0.0.2",
		"++10.0.0.1",
		"+-10.0.0.1",
		"+ 10.0.0.1",
		"+10.0.0.1, -10.0.0.2",
		"+none",
		"-none",
		"+0.0.0.0",
		"+255.255.255.255",
		"+::1",
		"+10.0.0.1000000000000000000000000000000000000000000000000000000000000000000000000000000000000",
	};
	(void)state;
	for (size_t i = 0; i < COUNT(texts); i++) {
		struct libbond_config *config;
		struct libbond_error err = {0};
		assert_int_equal(libbond_config_new(&config), 0);
		if (libbond_config_set(config, BOND("arp_ip_target"), texts[i], &err) != -EINVAL)
			unit_fail("'%s' was taken", texts[i]);
		unit_assert_error(&err, LIBBOND_CAUSE_BAD_VALUE, EINVAL, "arp_ip_target");
		assert_int_equal(libbond_config_count(config), 0);
		libbond_config_free(config);
	}
}

static void a_list_with_some_signs_says_so(void **state)
{
	struct libbond_config *config;
	struct libbond_error err;
	(void)state;
	assert_int_equal(libbond_config_new(&config), 0);
	assert_int_equal(libbond_config_set(config, BOND("arp_ip_target"), "+10.0.0.1,10.0.0.2", &err), -EINVAL);
	unit_assert_contains("give every address a sign", err.message);
	libbond_config_free(config);
}

/* What becomes of a list by edits; NULL: refused, with "part" in the message. */
struct edit_case {
	const char *name, *present, *edits, *result, *part;
};

static void check_edits(const struct edit_case *c)
{
	const struct libbond_attr *attr = BOND(c->name);
	struct libbond_config *config;
	struct libbond_error err = {0};
	struct lb_value present;
	char why[384], text[LIBBOND_TEXT_SIZE];

	assert_int_equal(libbond_config_new(&config), 0);
	assert_int_equal(libbond_config_set(config, attr, c->edits, NULL), 0);
	assert_int_equal(lb_value_parse(attr, c->present, &present, why, sizeof(why)), 0);
	struct lb_want *want = lb_config_find(config, attr);
	assert_non_null(want);
	int rc = lb_want_apply_edits(want, &present, &err);
	if (!c->result) {
		if (rc == 0)
			unit_fail("%s on %s: not refused", c->edits, c->present);
		unit_assert_error(&err, LIBBOND_CAUSE_BAD_VALUE, EINVAL, c->name);
		unit_assert_contains(c->part, err.message);
	} else {
		if (rc < 0)
			unit_fail("%s on %s: %s", c->edits, c->present, err.message);
		assert_int_equal(want->edit_count, 0);
		lb_value_format(attr, &want->value, text, sizeof(text));
		unit_assert_text(c->edits, c->result, text);
	}
	libbond_config_free(config);
}

static void edits_are_applied_in_order(void **state)
{
	static const struct edit_case cases[] = {
		{"arp_ip_target", "", "+10.0.0.1", "10.0.0.1", NULL},
		{"arp_ip_target", "10.0.0.1", "+10.0.0.2", "10.0.0.1,10.0.0.2", NULL},
		{"arp_ip_target", "10.0.0.1,10.0.0.2,10.0.0.3", "-10.0.0.2", "10.0.0.1,10.0.0.3", NULL},
		{"arp_ip_target", "10.0.0.1", "-10.0.0.1", "", NULL},
		{"arp_ip_target", "10.0.0.1,10.0.0.2", "+10.0.0.3,-10.0.0.1", "10.0.0.2,10.0.0.3", NULL},
		{"arp_ip_target", "10.0.0.1,10.0.0.2", "-10.0.0.1,+10.0.0.1", "10.0.0.2,10.0.0.1", NULL},
		{"arp_ip_target", "", "+10.0.0.1,-10.0.0.1", "", NULL},
		/* there already: as wanted */
		{"arp_ip_target", "10.0.0.1,10.0.0.2", "+10.0.0.1", "10.0.0.1,10.0.0.2", NULL},
		{"arp_ip_target", "", "+10.0.0.1,+10.0.0.1", "10.0.0.1", NULL},
		{"ns_ip6_target", "fe80::1", "+2001:db8::1,-FE80::1", "2001:db8::1", NULL},
		/* not there */
		{"arp_ip_target", "10.0.0.1", "-10.0.0.2", NULL, "'10.0.0.2' is not in the list"},
		{"arp_ip_target", "", "-10.0.0.2", NULL, "'10.0.0.2' is not in the list"},
		{"arp_ip_target", "10.0.0.1", "-10.0.0.1,-10.0.0.1", NULL, "'10.0.0.1' is not in the list"},
		{"ns_ip6_target", "fe80::1", "-fe80::2", NULL, "'fe80::2' is not in the list"},
		/* the sixteenth, the seventeenth, and room made first */
		{"arp_ip_target", FIFTEEN, "+10.0.0.16", FIFTEEN ",10.0.0.16", NULL},
		{"arp_ip_target", FIFTEEN, "+10.0.0.16,+10.0.0.17", NULL, "'10.0.0.17' is one too many"},
		{"arp_ip_target", FIFTEEN ",10.0.0.16", "-10.0.0.16,+10.0.0.17", FIFTEEN ",10.0.0.17", NULL},
		{"arp_ip_target", FIFTEEN ",10.0.0.16", "+10.0.0.17,-10.0.0.16", NULL, "'10.0.0.17' is one too many"},
		{"arp_ip_target", FIFTEEN ",10.0.0.16", "+10.0.0.16", FIFTEEN ",10.0.0.16", NULL},
	};
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		check_edits(&cases[i]);
}

static void more_edits_than_a_list_has_places(void **state)
{
	struct libbond_config *config;
	char text[2048] = "", back[2048];
	(void)state;
	for (unsigned i = 0; i < 40; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%c10.0.0.%u", i ? "," : "",
		         i % 2 ? '-' : '+', i / 2 + 1);
	assert_int_equal(libbond_config_new(&config), 0);
	assert_int_equal(libbond_config_set(config, BOND("arp_ip_target"), text, NULL), 0);
	assert_int_equal(libbond_config_text(config, BOND("arp_ip_target"), back, sizeof(back)), strlen(text));
	unit_assert_text("edits", text, back);
	struct lb_value none = {0};
	assert_int_equal(lb_want_apply_edits(&config->wants[0], &none, NULL), 0);
	assert_int_equal(config->wants[0].value.count, 0);
	libbond_config_free(config);
}

/* --- copies --- */

static void a_copy_is_independent(void **state)
{
	struct libbond_config *config = unit_config("mode 1 arp_ip_target +10.0.0.1,-10.0.0.2 primary eth0"), *copy;
	char text[64];
	(void)state;
	assert_int_equal(lb_config_copy(config, &copy), 0);
	libbond_config_free(config);
	assert_int_equal(libbond_config_count(copy), 3);
	libbond_config_text(copy, BOND("arp_ip_target"), text, sizeof(text));
	unit_assert_text("targets", "+10.0.0.1,-10.0.0.2", text);
	libbond_config_text(copy, BOND("primary"), text, sizeof(text));
	unit_assert_text("primary", "eth0", text);
	libbond_config_free(copy);
	assert_int_equal(lb_config_copy(NULL, &copy), 0);
	assert_int_equal(libbond_config_count(copy), 0);
	libbond_config_free(copy);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("wanted values come in the driver's order, whatever the order they were given in",
	             wants_come_in_the_drivers_order),
		TEST("of several values for an attribute the last counts", the_last_value_of_an_attribute_counts),
		TEST("a refused value leaves the older one", a_refused_value_leaves_the_older_one),
		TEST("a read-only attribute cannot be wanted", read_only_attributes_cannot_be_wanted),
		TEST("what is not wanted has no text and no number", what_is_not_wanted_has_no_value),
		TEST("a wanted value is printed as libbond_config_set takes it", texts_are_those_given),
		TEST("a device is named by at most 127 bytes", names_of_devices_have_a_limit),
		TEST("malformed edits of a list are refused", malformed_edits_are_refused),
		TEST("a list where some addresses have a sign says what is wrong", a_list_with_some_signs_says_so),
		TEST("edits are applied in order, and refused where there is nothing to remove or no room",
	             edits_are_applied_in_order),
		TEST("a list takes more edits than it has places", more_edits_than_a_list_has_places),
		TEST("a copy of a config is independent of it", a_copy_is_independent),
	};
	return cmocka_run_group_tests_name("config", tests, NULL, NULL);
}
