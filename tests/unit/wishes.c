/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What can be wanted, and what is refused of it: the change as an object, its causes of refusal, descriptions that
 * name every option. Tests lib/change.c, members.c, world.c and plan.c on the machine of office.h.
 */
#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "office.h"
#include "unit.h"
#include "words.h"

static struct libbond *open_office(void)
{
	struct fake *fake = fake_new();
	office_build(fake);
	return fake_open(fake);
}

static struct libbond_change *new_change(void)
{
	struct libbond_change *change;
	assert_int_equal(libbond_change_new(&change), 0);
	return change;
}

/* --- the object --- */

static void what_is_named_twice(void **state)
{
	struct libbond_change *change = new_change();
	struct libbond_error err = {0};
	(void)state;
	assert_int_equal(libbond_change_bond(change, "bond0", 0, NULL, &err), 0);
	assert_int_equal(libbond_change_bond(change, "bond1", 0, NULL, NULL), 0);
	assert_int_equal(libbond_change_bond(change, "bond0", LIBBOND_BOND_NEW, NULL, &err), -EINVAL);
	unit_assert_error(&err, LIBBOND_CAUSE_CONFLICT, EINVAL, NULL);
	unit_assert_text("device", "bond0", err.device);
	assert_int_equal(libbond_change_slave(change, "bond0", "eth0", LIBBOND_SLAVE_OUT, NULL, &err), 0);
	for (unsigned wish = LIBBOND_SLAVE_PRESENT; wish <= LIBBOND_SLAVE_OUT; wish++) {
		assert_int_equal(libbond_change_slave(change, "bond0", "eth0", wish, NULL, &err), -EINVAL);
		unit_assert_error(&err, LIBBOND_CAUSE_CONFLICT, EINVAL, NULL);
		unit_assert_text("device", "eth0", err.device);
	}
	/* out of one, into the other; no third */
	assert_int_equal(libbond_change_slave(change, "bond1", "eth0", LIBBOND_SLAVE_OUT, NULL, NULL), -EINVAL);
	assert_int_equal(libbond_change_slave(change, "bond1", "eth0", LIBBOND_SLAVE_PRESENT, NULL, NULL), -EINVAL);
	assert_int_equal(libbond_change_slave(change, "bond1", "eth0", LIBBOND_SLAVE_IN, NULL, &err), 0);
	assert_int_equal(libbond_change_slave(change, "bond1", "eth0", LIBBOND_SLAVE_IN, NULL, &err), -EINVAL);
	libbond_change_free(change);
	libbond_change_free(NULL);
}

static void slaves_of_a_bond_that_is_not_named(void **state)
{
	struct libbond_change *change = new_change();
	struct libbond_config *config = unit_config("mode 1");
	struct libbond_error err = {0};
	(void)state;
	assert_int_equal(libbond_change_slave(change, "bond0", "eth0", LIBBOND_SLAVE_IN, NULL, &err), -EINVAL);
	unit_assert_contains("does not name a bond 'bond0'", err.message);
	assert_int_equal(libbond_change_replace(change, "bond0", "eth0", "eth1", 0, &err), -EINVAL);
	assert_int_equal(libbond_change_defaults(change, "bond0", config, &err), -EINVAL);
	libbond_config_free(config);
	libbond_change_free(change);
}

static void a_deletion_says_nothing_else(void **state)
{
	static const unsigned others[] = {LIBBOND_BOND_CREATE, LIBBOND_BOND_NEW, LIBBOND_BOND_EXACT,
	                                  LIBBOND_BOND_LENIENT};
	struct libbond_change *change = new_change();
	struct libbond_config *config = unit_config("miimon 100");
	struct libbond_error err;
	(void)state;
	for (size_t i = 0; i < COUNT(others); i++) {
		memset(&err, 0, sizeof(err));
		assert_int_equal(libbond_change_bond(change, "bond0", LIBBOND_BOND_DELETE | others[i], NULL, &err),
		                 -EINVAL);
		assert_true(err.cause == LIBBOND_CAUSE_CONFLICT && *err.message);
	}
	assert_int_equal(libbond_change_bond(change, "bond0", LIBBOND_BOND_DELETE, config, &err), -EINVAL);
	assert_int_equal(libbond_change_bond(change, "bond0", LIBBOND_BOND_DELETE, NULL, &err), 0);
	libbond_config_free(config);
	libbond_change_free(change);
}

/* The steps of a change, which stays the caller's. */
static void assert_steps(struct libbond *handle, const struct libbond_change *change, const char *steps)
{
	struct libbond_plan *plan;
	struct libbond_error err = {0};
	char text[2048];

	if (libbond_plan(handle, change, 0, NULL, &plan, &err) < 0)
		unit_fail("%s", err.message);
	unit_assert_text("steps", steps, unit_plan_text(plan, text, sizeof(text)));
	libbond_plan_free(plan);
}

static void what_fails_leaves_the_change_as_it_was(void **state)
{
	struct libbond *handle = open_office();
	struct libbond_change *change = unit_change("bond bond0 resend_igmp 3; in eth3");
	struct libbond_error err = {0};
	(void)state;
	assert_int_equal(libbond_change_replace(change, "bond0", "eth0", "eth3", 0, &err), -EINVAL);
	unit_assert_error(&err, LIBBOND_CAUSE_CONFLICT, EINVAL, NULL);
	assert_int_equal(libbond_change_bond(change, "bond0", LIBBOND_BOND_DELETE, NULL, &err), -EINVAL);
	assert_int_equal(libbond_change_slave(change, "bond0", "eth3", LIBBOND_SLAVE_OUT, NULL, &err), -EINVAL);
	assert_steps(handle, change, "set bond0 resend_igmp=3; enslave eth3 to bond0");
	libbond_change_free(change);
	libbond_close(handle);
}

static void a_change_can_be_planned_again_and_freed(void **state)
{
	struct libbond *handle = open_office();
	struct libbond_change *change = unit_change("bond bond0 resend_igmp 3 primary eth1; in eth3 prio 5");
	struct libbond_plan *plan;
	char text[1024];
	(void)state;
	for (int i = 0; i < 2; i++)
		assert_steps(handle, change,
		             "set bond0 primary=eth1 resend_igmp=3; enslave eth3 to bond0; set eth3 prio=5");
	assert_int_equal(libbond_plan(handle, change, 0, NULL, &plan, NULL), 0);
	libbond_change_free(change); /* what it said is in the plan */
	assert_int_equal(libbond_plan_run(handle, plan, NULL, NULL), 0);
	unit_assert_text("steps", "set bond0 primary=eth1 resend_igmp=3; enslave eth3 to bond0; set eth3 prio=5",
	                 unit_plan_text(plan, text, sizeof(text)));
	libbond_plan_free(plan);
	libbond_plan_free(NULL);
	libbond_close(handle);
}

static void steps_end(void **state)
{
	struct libbond *handle = open_office();
	struct libbond_change *change = unit_change("bond bond0 resend_igmp 3");
	struct libbond_plan *plan;
	struct libbond_step step = {.action = "untouched"};
	(void)state;
	assert_int_equal(libbond_plan(handle, change, 0, NULL, &plan, NULL), 0);
	assert_int_equal(libbond_plan_steps(plan), 1);
	assert_int_equal(libbond_plan_step(plan, 1, &step), -ENOENT);
	assert_int_equal(libbond_plan_step(plan, (size_t)-1, &step), -ENOENT);
	unit_assert_text("step", "untouched", step.action);
	libbond_plan_free(plan);
	libbond_change_free(change);
	libbond_close(handle);
}

/* --- what is refused --- */

struct refused {
	const char *change;
	unsigned flags;
	enum libbond_cause cause;
	int errnum;
	const char *attr, *device;
};

static void check_refused(const struct refused *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct refused *c = &cases[i];
		struct libbond *handle = open_office();
		struct libbond_change *change = unit_change(c->change);
		struct libbond_plan *plan = (void *)1;
		struct libbond_error err = {0};

		if (libbond_plan(handle, change, c->flags, NULL, &plan, &err) == 0)
			unit_fail("'%s' was not refused", c->change);
		unit_assert_error(&err, c->cause, c->errnum, c->attr);
		unit_assert_text(c->change, c->device, err.device);
		assert_ptr_equal(plan, (void *)1);
		libbond_change_free(change);
		libbond_close(handle);
	}
}

static void what_no_plan_can_do(void **state)
{
	static const struct refused cases[] = {
		{"bond bond9", 0, LIBBOND_CAUSE_NO_DEVICE, ENODEV, NULL, "bond9"},
		{"bond bond9 @delete", 0, LIBBOND_CAUSE_NO_DEVICE, ENODEV, NULL, "bond9"},
		{"bond eth0", 0, LIBBOND_CAUSE_NOT_A_BOND, EOPNOTSUPP, NULL, "eth0"},
		{"bond br0 @delete", 0, LIBBOND_CAUSE_NOT_A_BOND, EOPNOTSUPP, NULL, "br0"},
		{"bond eth0 @create", 0, LIBBOND_CAUSE_EXISTS, EEXIST, NULL, "eth0"},
		{"bond bond0 @new", 0, LIBBOND_CAUSE_EXISTS, EEXIST, NULL, "bond0"},
		{"bond a/b @new", 0, LIBBOND_CAUSE_BAD_NAME, EINVAL, NULL, "a/b"},
		{"bond bond0; in eth9", 0, LIBBOND_CAUSE_NO_DEVICE, ENODEV, NULL, "eth9"},
		{"bond bond0; out eth2", 0, LIBBOND_CAUSE_NOT_A_SLAVE, EINVAL, NULL, "eth2"},
		{"bond bond0; out eth4", 0, LIBBOND_CAUSE_NOT_A_SLAVE, EINVAL, NULL, "eth4"},
		{"bond bond0; has eth2 prio 1", 0, LIBBOND_CAUSE_NOT_A_SLAVE, EINVAL, NULL, "eth2"},
		{"bond bond0; replace eth2 eth3", 0, LIBBOND_CAUSE_NOT_A_SLAVE, EINVAL, NULL, "eth2"},
		{"bond bond0; replace eth0 eth1", 0, LIBBOND_CAUSE_CONFLICT, EEXIST, NULL, "eth1"},
		{"bond bond0; replace eth0 eth4", 0, LIBBOND_CAUSE_HAS_MASTER, EBUSY, NULL, "eth4"},
		{"bond bond0; in eth4", 0, LIBBOND_CAUSE_HAS_MASTER, EBUSY, NULL, "eth4"},
		{"bond bond0; in eth6", 0, LIBBOND_CAUSE_HAS_MASTER, EBUSY, NULL, "eth6"},
		{"bond bond0; in bond0", 0, LIBBOND_CAUSE_CONFLICT, EPERM, NULL, "bond0"},
		{"bond bond0; in lo", 0, LIBBOND_CAUSE_CONFLICT, EINVAL, NULL, "lo"},
		{"bond bond1 lacp_rate fast", 0, LIBBOND_CAUSE_BOND_UP, EBUSY, "lacp_rate", "bond1"},
		{"bond bond0 fail_over_mac active", 0, LIBBOND_CAUSE_HAS_SLAVES, ENOTEMPTY, "fail_over_mac", "bond0"},
		{"bond bond0 mode 0", 0, LIBBOND_CAUSE_HAS_SLAVES, ENOTEMPTY, "mode", "bond0"},
		{"bond bond0 lacp_rate fast", 1, LIBBOND_CAUSE_WRONG_MODE, EACCES, "lacp_rate", "bond0"},
		{"bond bond1; has eth4 prio 5", 0, LIBBOND_CAUSE_WRONG_MODE, EACCES, "prio", "eth4"},
		{"bond bond0 numtxqueues 4", 0, LIBBOND_CAUSE_BAD_ATTR, EOPNOTSUPP, "numtxqueues", "bond0"},
		{"bond bond0 active_slave eth2", 0, LIBBOND_CAUSE_NOT_A_SLAVE, EINVAL, "active_slave", "bond0"},
		{"bond bond0 active_slave eth0; out eth0", 0, LIBBOND_CAUSE_NOT_A_SLAVE, EINVAL, "active_slave",
	         "bond0"},
		{"bond bond0 primary eth9", 0, LIBBOND_CAUSE_NO_DEVICE, ENODEV, "primary", "eth9"},
		{"bond bond0; has eth0 queue_id 2", 0, LIBBOND_CAUSE_CONFLICT, EPERM, "queue_id", "eth0"},
		{"bond bond0; in eth3 queue_id 2", 0, LIBBOND_CAUSE_CONFLICT, EPERM, "queue_id", "eth3"},
		{"bond bond0; has eth0 queue_id 17", 0, LIBBOND_CAUSE_CONFLICT, EPERM, "queue_id", "eth0"},
		{"bond bond0 miimon 100 arp_interval 50", 0, LIBBOND_CAUSE_CONFLICT, EINVAL, "arp_interval", "bond0"},
		{"bond bond0 address 00:00:00:00:00:00", 0, LIBBOND_CAUSE_BAD_VALUE, EADDRNOTAVAIL, "address",
	         "bond0"},
		{"bond bond0 arp_ip_target -192.0.2.1", 0, LIBBOND_CAUSE_BAD_VALUE, EINVAL, "arp_ip_target", ""},
	};
	(void)state;
	check_refused(cases, COUNT(cases));
}

static void wishes_of_another_scope(void **state)
{
	static const struct {
		const char *words;
		enum libbond_slave_wish wish;
		bool of_slave;
		const char *attr;
	} cases[] = {
		{"miimon 100", LIBBOND_SLAVE_PRESENT, false, "miimon"},
		{"mode 1", LIBBOND_SLAVE_IN, false, "mode"},
		{"address 02:00:00:00:00:01", LIBBOND_SLAVE_PRESENT, true, "address"},
		{"prio 5", LIBBOND_SLAVE_OUT, true, "prio"},
	};
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct libbond *handle = open_office();
		struct libbond_change *change = new_change();
		struct libbond_config *config =
			cases[i].of_slave ? unit_slave_config(cases[i].words) : unit_config(cases[i].words);
		const char *slave = cases[i].wish == LIBBOND_SLAVE_IN ? "eth3" : "eth1";
		struct libbond_plan *plan;
		struct libbond_error err = {0};

		assert_int_equal(libbond_change_bond(change, "bond0", 0, NULL, NULL), 0);
		int rc = libbond_change_slave(change, "bond0", slave, cases[i].wish, config, &err);
		if (rc == 0)
			rc = libbond_plan(handle, change, 0, NULL, &plan, &err);
		if (rc == 0)
			unit_fail("%s was taken", cases[i].words);
		unit_assert_error(&err, LIBBOND_CAUSE_BAD_ATTR, EINVAL, cases[i].attr);
		libbond_config_free(config);
		libbond_change_free(change);
		libbond_close(handle);
	}
}

/* --- descriptions --- */

/* Everything that a bond reports of itself and that can be set, as show --json has it. */
static struct libbond_config *describe(const struct libbond_link *link, const enum libbond_scope *scopes,
                                       size_t count)
{
	struct libbond_config *config;
	assert_int_equal(libbond_config_new(&config), 0);
	for (size_t s = 0; s < count; s++)
		for (const struct libbond_attr *attr = NULL; (attr = libbond_attr_next(scopes[s], attr));) {
			char text[LIBBOND_TEXT_SIZE] = "none";
			bool link_of_none = attr->type == LIBBOND_TYPE_LINK && !libbond_link_has(link, attr);
			if (libbond_attr_flags(attr) & (LIBBOND_ATTR_READ_ONLY | LIBBOND_ATTR_CREATE_ONLY))
				continue;
			if (libbond_link_text(link, attr, text, sizeof(text)) >= 0 || link_of_none)
				assert_int_equal(libbond_config_set(config, attr, text, NULL), 0);
		}
	return config;
}

/* A change that wants of every bond what it is, exactly; new_name: of the first one under that name. */
static struct libbond_change *describe_all(struct libbond *handle, const char *new_name)
{
	static const enum libbond_scope of_bond[] = {LIBBOND_SCOPE_BOND, LIBBOND_SCOPE_LINK};
	static const enum libbond_scope of_slave[] = {LIBBOND_SCOPE_SLAVE};
	struct libbond_change *change = new_change();
	struct libbond_snapshot *snapshot;

	assert_int_equal(libbond_read(handle, LIBBOND_READ_NO_STATS, &snapshot, NULL), 0);
	for (size_t b = 0; b < (new_name ? 1 : libbond_snapshot_bonds(snapshot)); b++) {
		const struct libbond_link *bond = libbond_snapshot_bond(snapshot, b);
		const char *name = new_name ? new_name : libbond_link_name(bond);
		struct libbond_config *config = describe(bond, of_bond, 2);
		unsigned flags = LIBBOND_BOND_CREATE | LIBBOND_BOND_EXACT | LIBBOND_BOND_LENIENT;
		if (new_name) { /* these are the other's */
			libbond_config_unset(config, LINK("address"));
			libbond_config_unset(config, BOND("active_slave"));
			libbond_config_unset(config, BOND("primary"));
		}
		assert_int_equal(libbond_change_bond(change, name, flags, config, NULL), 0);
		libbond_config_free(config);
		for (size_t s = 0; !new_name && s < libbond_link_slaves(bond); s++) {
			const struct libbond_link *slave = libbond_link_slave(bond, s);
			config = describe(slave, of_slave, 1);
			assert_int_equal(libbond_change_slave(change, name, libbond_link_name(slave),
			                                      LIBBOND_SLAVE_IN, config, NULL),
			                 0);
			libbond_config_free(config);
		}
	}
	libbond_snapshot_free(snapshot);
	return change;
}

static void a_description_of_what_is_holds(void **state)
{
	(void)state;
	for (uint8_t mode = 0; mode < LIBBOND_MODES; mode++) {
		struct fake *fake = fake_new();
		struct libbond *handle = fake_open(fake);
		fake->driver = true;
		fake_device(fake, 3, "eth0", IFF_UP);
		fake_device(fake, 4, "eth1", IFF_UP);
		fake_bond(fake, 7, "bond0", mode)->flags |= IFF_UP;
		fake_enslave(fake, "eth0", "bond0");
		fake_enslave(fake, "eth1", "bond0");
		struct libbond_change *change = describe_all(handle, NULL);
		assert_steps(handle, change, "");
		libbond_change_free(change);
		libbond_close(handle);
	}
	struct libbond *handle = open_office();
	struct libbond_change *change = describe_all(handle, NULL);
	assert_steps(handle, change, "");
	libbond_change_free(change);
	libbond_close(handle);
}

static void a_description_makes_a_bond_like_it(void **state)
{
	(void)state;
	for (uint8_t mode = 0; mode < LIBBOND_MODES; mode++) {
		struct fake *fake = fake_new();
		struct libbond *handle = fake_open(fake);
		struct libbond_plan *plan;
		struct libbond_error err = {0};
		fake->driver = true;
		fake_bond(fake, 7, "bond0", mode);
		struct libbond_change *change = describe_all(handle, "copy");
		if (libbond_plan(handle, change, 0, NULL, &plan, &err) < 0 ||
		    libbond_plan_run(handle, plan, NULL, &err) < 0)
			unit_fail("mode %u: %s; %s", mode, err.message, err.hint);
		assert_steps(handle, change, "");
		libbond_plan_free(plan);
		libbond_change_free(change);
		libbond_close(handle);
	}
}

static void plan_words(const char *words, unsigned flags, int rc, const char *report)
{
	struct libbond *handle = open_office();
	struct libbond_change *change = unit_change(words);
	struct libbond_report *lines;
	struct libbond_plan *plan = NULL;
	struct libbond_error err = {0};
	char text[2048];

	assert_int_equal(libbond_report_new(&lines), 0);
	int got = libbond_plan(handle, change, flags, lines, &plan, &err);
	if (got != rc)
		unit_fail("%s: %d, %s", words, got, err.message);
	unit_assert_text(words, report, unit_report_text(lines, 0, text, sizeof(text)));
	libbond_plan_free(plan);
	libbond_report_free(lines);
	libbond_change_free(change);
	libbond_close(handle);
}

static void a_description_may_name_what_does_not_apply(void **state)
{
	(void)state;
	/* what the mode does not take stays as it is; where it is so already nothing is to be said */
	plan_words("bond bond0 @lenient lacp_rate fast", 0, 0,
	           "bond0 lacp_rate fast unchanged (left as it is: mode active-backup does not take it now)");
	plan_words("bond bond0 @lenient lacp_rate slow", 0, 0, "bond0 lacp_rate slow unchanged");
	plan_words("bond bond0 lacp_rate fast", 0, -EACCES, "bond0 lacp_rate fast not_tried");
	/* the monitor that is off does not turn off the one that is on */
	plan_words("bond bond0 @lenient miimon 100 arp_interval 0 arp_validate none updelay 200", 0, 0,
	           "bond0 miimon 100 unchanged; bond0 updelay 200 unchanged; bond0 arp_interval 0 unchanged; "
	           "bond0 arp_validate none unchanged");
	/* a device of "none" holds where there is none; a primary may be pending, unless it is a description */
	plan_words("bond bond1 @lenient primary none active_slave none", 0, 0,
	           "bond1 active_slave none unchanged; bond1 primary none unchanged");
	/* a delay without MII monitoring */
	plan_words("bond bond2 @lenient miimon 0 updelay 100", 0, 0,
	           "bond2 miimon 0 unchanged; "
	           "bond2 updelay 100 unchanged (left as it is: it needs MII monitoring, and miimon is 0)");
	/* slaves of the bond are read the same way */
	plan_words("bond bond1 @lenient; has eth4 prio 0 queue_id 0", 0, 0,
	           "eth4 queue_id 0 unchanged; eth4 prio 0 unchanged");
}

static void a_description_of_a_newer_kernel(void **state)
{
	static const char *const words[] = {"bond bond1 @lenient lacp_strict off",
	                                    "bond bond9 @create @lenient mode 4 lacp_strict off"};
	(void)state;
	for (size_t i = 0; i < 2 * COUNT(words); i++) {
		struct fake *fake = fake_new();
		struct libbond *handle = fake_open(fake);
		office_build(fake);
		fake_deafen(fake, LIBBOND_SCOPE_BOND, LB_BOND_LACP_STRICT);
		char text[128];
		/* its default is what this kernel does; what is more, it cannot do */
		snprintf(text, sizeof(text), "%.*s%s", (int)strlen(words[i / 2]) - 3, words[i / 2],
		         i % 2 ? "on" : "off");
		struct libbond_change *change = unit_change(text);
		struct libbond_plan *plan = NULL;
		struct libbond_error err = {0};
		int rc = libbond_plan(handle, change, 0, NULL, &plan, &err);
		if (rc == 0)
			rc = libbond_plan_run(handle, plan, NULL, &err);
		if (rc != (i % 2 ? -EOPNOTSUPP : 0))
			unit_fail("%s: %d, %s", text, rc, err.message);
		if (rc < 0)
			unit_assert_error(&err, LIBBOND_CAUSE_UNSUPPORTED, EOPNOTSUPP, "lacp_strict");
		libbond_plan_free(plan);
		libbond_change_free(change);
		libbond_close(handle);
	}
}

/* --- what a report says of before --- */

static void lines_say_what_was(void **state)
{
	struct libbond *handle = open_office();
	struct libbond_change *change = unit_change(
		"bond bond0 miimon 50 primary eth1 active_slave eth1 arp_ip_target +10.0.0.1; has eth1 prio 7; "
		"bond bond9 @new mode 1; in eth3 queue_id 1");
	struct libbond_report *report;
	struct libbond_plan *plan;
	char text[2048];
	(void)state;
	assert_int_equal(libbond_report_new(&report), 0);
	assert_int_equal(libbond_plan(handle, change, 0, report, &plan, NULL), 0);
	unit_assert_text(
		"report",
		"bond0 active_slave eth1 was eth0 not_tried; bond0 miimon 50 was 100 not_tried; "
		"bond0 arp_ip_target +10.0.0.1 was '' not_tried; bond0 primary eth1 was eth0 not_tried; "
		"bond9 create not_tried; bond9 mode active-backup was '' not_tried; "
		"eth1 prio 7 was 5 not_tried (counts only while there is no primary); eth3 enslave not_tried; "
		"eth3 queue_id 1 was '' not_tried; bond0 put_back updelay 200 was 200 not_tried",
		unit_report_text(report, 1, text, sizeof(text)));
	libbond_plan_free(plan);
	libbond_report_free(report);
	libbond_change_free(change);
	libbond_close(handle);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("a bond is named once, a device once or from one bond to another", what_is_named_twice),
		TEST("a slave is wanted of a bond that was named before", slaves_of_a_bond_that_is_not_named),
		TEST("a deletion goes with no other flag and no config", a_deletion_says_nothing_else),
		TEST("what fails leaves the change as it was", what_fails_leaves_the_change_as_it_was),
		TEST("a change can be planned again, and be freed before its plan runs",
	             a_change_can_be_planned_again_and_freed),
		TEST("the steps of a plan end", steps_end),
		TEST("what no plan can do is refused with its cause, and nothing sent", what_no_plan_can_do),
		TEST("options of a bond are none of a slave, and one that leaves has none", wishes_of_another_scope),
		TEST("a description of what is holds, in every mode", a_description_of_what_is_holds),
		TEST("a description makes a bond like it, in every mode", a_description_makes_a_bond_like_it),
		TEST("a description may name what does not apply", a_description_may_name_what_does_not_apply),
		TEST("a description of a newer kernel holds where it names defaults",
	             a_description_of_a_newer_kernel),
		TEST("a line says what was before", lines_say_what_was),
	};
	cmocka_set_test_filter(getenv("UNIT_FILTER"));
	return cmocka_run_group_tests_name("wishes", tests, NULL, NULL);
}
