/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The guards, one by one: what each refuses and why, what is none of its business, and that whoever says that it is
 * meant gets it done. Tests lib/guard.c, and what lib/plan.c and compose.c do for it (waiting for who joins).
 */
#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake.h"
#include "unit.h"
#include "words.h"

/* --- bonds of every monitor --- */

static const uint8_t target[] = {8, 0, 0, 0, 192, 0, 2, 1};

/* bond0, up: eth0 (active where the mode has one) and eth1; eth2, nobody's. No monitor. */
static struct fake *plain(uint8_t mode)
{
	struct fake *fake = fake_new();

	fake->driver = true;
	fake_device(fake, 3, "eth0", IFF_UP);
	fake_device(fake, 4, "eth1", IFF_UP);
	fake_device(fake, 5, "eth2", 0);
	fake_bond(fake, 7, "bond0", mode)->flags |= IFF_UP;
	fake_enslave(fake, "eth0", "bond0");
	fake_enslave(fake, "eth1", "bond0");
	return fake;
}

static struct fake_link *the_bond(struct fake *fake)
{
	return fake_find(fake, "bond0");
}

static struct fake *without(void)
{
	return plain(1);
}

static struct fake *by_mii(void)
{
	struct fake *fake = plain(1);
	fake_u32(the_bond(fake), LIBBOND_SCOPE_BOND, LB_BOND_MIIMON, 100);
	return fake;
}

static struct fake *by_arp(void)
{
	struct fake *fake = plain(1);
	fake_u32(the_bond(fake), LIBBOND_SCOPE_BOND, LB_BOND_ARP_INTERVAL, 200);
	fake_put(the_bond(fake), LIBBOND_SCOPE_BOND, LB_BOND_ARP_IP_TARGET, target, sizeof(target));
	return fake;
}

/* ARP monitoring that has no target already: nobody's fault but its own. */
static struct fake *by_arp_alone(void)
{
	struct fake *fake = by_arp();
	fake_drop(the_bond(fake), LIBBOND_SCOPE_BOND, LB_BOND_ARP_IP_TARGET);
	return fake;
}

static struct fake *lacp(void)
{
	struct fake *fake = plain(4);
	fake_u32(the_bond(fake), LIBBOND_SCOPE_BOND, LB_BOND_MIN_LINKS, 2);
	return fake;
}

static struct fake *without_link_on_eth1(void)
{
	struct fake *fake = by_mii();
	fake_u8(fake_find(fake, "eth1"), LIBBOND_SCOPE_LINK, LB_IFLA_CARRIER, 0);
	return fake;
}

/* eth0 is active still, and its link is on its way down; eth1 is down. */
static struct fake *failing(void)
{
	struct fake *fake = without_link_on_eth1();
	fake_u8(fake_find(fake, "eth0"), LIBBOND_SCOPE_SLAVE, LB_SLAVE_MII_STATUS, 1);
	return fake;
}

static struct fake *down(void)
{
	struct fake *fake = by_mii();
	the_bond(fake)->flags &= ~(unsigned)IFF_UP;
	return fake;
}

/* --- checking --- */

static int plan_of(struct libbond *handle, const char *words, unsigned flags, struct libbond_error *err)
{
	struct libbond_change *change = unit_change(words);
	struct libbond_plan *plan = NULL;
	int rc = libbond_plan(handle, change, flags, NULL, &plan, err);

	if (rc == 0)
		rc = libbond_plan_run(handle, plan, NULL, err);
	libbond_plan_free(plan);
	libbond_change_free(change);
	return rc;
}

struct refused {
	struct fake *(*build)(void);
	const char *change, *attr, *device, *message, *hint;
};

/* Refused with nothing sent but reads, and done if it is meant. */
static void check_refused(const struct refused *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct refused *c = &cases[i];
		struct fake *fake = c->build();
		struct libbond *handle = fake_open(fake);
		struct libbond_error err = {0};

		if (plan_of(handle, c->change, 0, &err) == 0)
			unit_fail("'%s' was not refused", c->change);
		unit_assert_error(&err, LIBBOND_CAUSE_GUARD, EBUSY, c->attr);
		unit_assert_text(c->change, c->device, err.device);
		unit_assert_contains(c->message, err.message);
		unit_assert_contains(c->hint, err.hint);
		assert_null(strstr(fake->log, "set #"));
		if (plan_of(handle, c->change, LIBBOND_PLAN_FORCE, &err) < 0)
			unit_fail("'%s', meant: %s", c->change, err.message);
		libbond_close(handle);
	}
}

struct taken {
	struct fake *(*build)(void);
	const char *change;
};

static void check_taken(const struct taken *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct libbond *handle = fake_open(cases[i].build());
		struct libbond_error err = {0};
		if (plan_of(handle, cases[i].change, 0, &err) < 0)
			unit_fail("'%s': %s", cases[i].change, err.message);
		libbond_close(handle);
	}
}

/* --- monitors --- */

static void no_monitor_is_left(void **state)
{
	static const struct refused refused[] = {
		{by_mii, "bond bond0 miimon 0", "miimon", "bond0", "no failed link would be noticed", "--force"},
		{by_arp, "bond bond0 arp_interval 0", "arp_interval", "bond0", "no failed link would be noticed",
	         "--force"},
		{by_mii, "bond bond0 miimon 0 resend_igmp 3", "miimon", "bond0", "no failed link would be noticed",
	         "--force"},
		{lacp, "bond bond0 miimon 0", "miimon", "bond0", "no failed link would be noticed", "--force"},
		{without, "bond bond9 @new mode 802.3ad miimon 0", "miimon", "bond9",
	         "no failed link would be noticed", "--force"},
	};
	static const struct taken taken[] = {
		{without, "bond bond0 resend_igmp 3"}, /* it has none already */
		{without, "bond bond0 miimon 0"},
		{without, "bond bond0 miimon 100"},
		{by_mii, "bond bond0 miimon 0 arp_interval 100 arp_ip_target 192.0.2.1"},
		{by_arp, "bond bond0 arp_interval 0 miimon 100"},
		{without,
	         "bond bond9 @new mode 1 miimon 0"}, /* said of a new one in a mode that has none by itself */
		{without, "bond bond9 @new mode 1"},
		{without, "bond bond9 @new mode 802.3ad"},
	};
	(void)state;
	check_refused(refused, COUNT(refused));
	check_taken(taken, COUNT(taken));
}

static void one_monitor_turns_the_other_off(void **state)
{
	static const struct refused refused[] = {
		{by_arp, "bond bond0 miimon 100", "miimon", "bond0", "it would turn arp_interval 200 off",
	         "arp_interval 0 miimon 100; or --force"},
		{by_mii, "bond bond0 arp_interval 100 arp_ip_target 192.0.2.1", "arp_interval", "bond0",
	         "it would turn miimon 100 off", "miimon 0 arp_interval 100; or --force"},
		{by_mii, "bond bond0 arp_validate all", "arp_validate", "bond0", "miimon is 100", "--force"},
	};
	static const struct taken taken[] = {
		{by_arp, "bond bond0 miimon 100 arp_interval 0"},
		{by_mii, "bond bond0 arp_interval 100 miimon 0 arp_ip_target 192.0.2.1"},
		{by_arp, "bond bond0 arp_interval 100"},
		{by_arp, "bond bond0 arp_validate all"},
		{by_mii, "bond bond0 arp_validate none"},
		{by_mii, "bond bond0 miimon 50"},
	};
	(void)state;
	check_refused(refused, COUNT(refused));
	check_taken(taken, COUNT(taken));
}

static void arp_monitoring_has_no_target(void **state)
{
	static const struct refused refused[] = {
		{without, "bond bond0 arp_interval 100", "arp_interval", "bond0", "without a target",
	         "give arp_ip_target"},
		{by_arp, "bond bond0 arp_ip_target none", "arp_ip_target", "bond0", "without a target",
	         "give arp_ip_target"},
		{by_arp, "bond bond0 arp_ip_target -192.0.2.1", "arp_ip_target", "bond0", "without a target",
	         "--force"},
		{without, "bond bond9 @new mode 1 arp_interval 100", "arp_interval", "bond9", "without a target",
	         "--force"},
	};
	static const struct taken taken[] = {
		{without, "bond bond0 arp_interval 100 ns_ip6_target 2001:db8::1"},
		{by_arp, "bond bond0 arp_ip_target none ns_ip6_target 2001:db8::1"},
		{by_arp, "bond bond0 arp_ip_target +192.0.2.2,-192.0.2.1"},
		{by_mii, "bond bond0 arp_ip_target none"},
		{by_arp_alone, "bond bond0 resend_igmp 3"},
		{by_arp_alone, "bond bond0 arp_ip_target +192.0.2.1"},
	};
	(void)state;
	check_refused(refused, COUNT(refused));
	check_taken(taken, COUNT(taken));
}

/* --- slaves --- */

static void the_last_slave_with_link_leaves(void **state)
{
	static const struct refused refused[] = {
		{by_mii, "bond bond0; out eth0; out eth1", NULL, "eth1", "the last slave with link, and bond0 is up",
	         "bondctl replace bond0 eth1"},
		{by_mii, "bond bond0 @exact", NULL, "eth1", "the last slave with link", "--force"},
		{without_link_on_eth1, "bond bond0; out eth0", NULL, "eth0",
	         "cannot release eth0 from bond0: it is the last", "bondctl replace bond0 eth0"},
		/* set down, it is as good as gone */
		{without_link_on_eth1, "bond bond0; has eth0 up off", "up", "eth0", "cannot set eth0 down",
	         "--force"},
	};
	static const struct taken taken[] = {
		{by_mii, "bond bond0; out eth0"},
		{by_mii, "bond bond0; has eth1 up off"},
		{down, "bond bond0; out eth0; out eth1"}, /* it carries nothing */
		{by_mii, "bond bond0 up off; out eth0; out eth1"},
		{without_link_on_eth1, "bond bond0; out eth1"},
		{failing, "bond bond0; out eth1"}, /* nothing is cut that works */
		{by_mii, "bond bond0; out eth0; out eth1; in eth2"},
		{by_mii, "bond bond0 @delete"}, /* says it */
	};
	(void)state;
	check_refused(refused, COUNT(refused));
	check_taken(taken, COUNT(taken));
}

static void the_active_slave_leaves_without_a_successor(void **state)
{
	static const struct refused refused[] = {
		{failing, "bond bond0; out eth0", NULL, "eth0", "it is active, and no other slave could be",
	         "--force"},
	};
	static const struct taken taken[] = {
		{by_mii, "bond bond0; out eth0"},
		{failing, "bond bond0; replace eth0 eth2 100"},
	};
	(void)state;
	check_refused(refused, COUNT(refused));
	check_taken(taken, COUNT(taken));
}

static void fewer_stay_than_min_links_wants(void **state)
{
	static const struct refused refused[] = {
		{lacp, "bond bond0; out eth1", "min_links", "eth1", "min_links is 2, and 1 with link would stay",
	         "--force"},
	};
	static const struct taken taken[] = {
		{lacp, "bond bond0 min_links 1; out eth1"},
		{lacp, "bond bond0; replace eth1 eth2 100"},
		{by_mii, "bond bond0 min_links 2; out eth1"}, /* it counts in 802.3ad only */
	};
	(void)state;
	check_refused(refused, COUNT(refused));
	check_taken(taken, COUNT(taken));
}

/* --- whoever joins in the place of the last --- */

static void steps_of(struct fake *fake, const char *words, unsigned flags, const char *steps)
{
	struct libbond *handle = fake_open(fake);
	struct libbond_change *change = unit_change(words);
	struct libbond_plan *plan;
	struct libbond_error err = {0};
	char text[2048];

	if (libbond_plan(handle, change, flags, NULL, &plan, &err) < 0)
		unit_fail("%s: %s", words, err.message);
	unit_assert_text(words, steps, unit_plan_text(plan, text, sizeof(text)));
	libbond_plan_free(plan);
	libbond_change_free(change);
	libbond_close(handle);
}

static void who_joins_is_waited_for(void **state)
{
	(void)state;
	steps_of(without_link_on_eth1(), "bond bond0; out eth0; in eth2", 0,
	         "enslave eth2 to bond0; wait eth2; set bond0 active_slave=eth2; release eth0 from bond0");
	/* not where another carries the traffic meanwhile, nor where nothing does, nor where it is meant */
	steps_of(by_mii(), "bond bond0; out eth0; in eth2", 0,
	         "enslave eth2 to bond0; set bond0 active_slave=eth1; release eth0 from bond0");
	steps_of(down(), "bond bond0; out eth0; out eth1; in eth2", 0,
	         "enslave eth2 to bond0; release eth0 from bond0; release eth1 from bond0");
	steps_of(without_link_on_eth1(), "bond bond0; out eth0; in eth2", LIBBOND_PLAN_FORCE,
	         "enslave eth2 to bond0; release eth0 from bond0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("a bond does not lose its last monitor unasked", no_monitor_is_left),
		TEST("a monitor does not turn the other off unnamed", one_monitor_turns_the_other_off),
		TEST("ARP monitoring does not lose its last target, or start without one",
	             arp_monitoring_has_no_target),
		TEST("the last slave with link does not leave a bond that is up", the_last_slave_with_link_leaves),
		TEST("the active slave does not leave where none could follow it",
	             the_active_slave_leaves_without_a_successor),
		TEST("no slave leaves that min_links counts on", fewer_stay_than_min_links_wants),
		TEST("who joins in the place of the last is waited for, and takes the traffic over",
	             who_joins_is_waited_for),
	};
	cmocka_set_test_filter(getenv("UNIT_FILTER"));
	return cmocka_run_group_tests_name("guard", tests, NULL, NULL);
}
