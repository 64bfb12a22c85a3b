/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What each operation asks of the kernel, in how many round trips, and what it reports. Tests lib/read.c, verbs.c,
 * run.c, verify.c and probe.c over the fake transport, which does here what it is told; whether the driver agrees is
 * the live tests'.
 */
#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake.h"
#include "unit.h"
#include "walk.h"
#include "words.h"

/* One test's things: a fake kernel, a handle, a report, an error. */
struct desk {
	struct fake *fake;
	struct libbond *handle;
	struct libbond_report *report;
	struct libbond_error err;
	char text[4096];
};

static struct desk *desk_open(void)
{
	static struct desk desk;
	memset(&desk, 0, sizeof(desk));
	desk.fake = fake_new();
	desk.handle = fake_open(desk.fake);
	assert_int_equal(libbond_report_new(&desk.report), 0);
	return &desk;
}

static void desk_close(struct desk *desk)
{
	libbond_report_free(desk->report);
	libbond_close(desk->handle);
}

static void desk_clear(struct desk *desk)
{
	fake_forget(desk->fake);
	libbond_report_free(desk->report);
	assert_int_equal(libbond_report_new(&desk->report), 0);
	memset(&desk->err, 0, sizeof(desk->err));
}

/* As words.h has it. */
static const char *report_text(struct desk *desk)
{
	return unit_report_text(desk->report, 0, desk->text, sizeof(desk->text));
}

static void assert_log(struct desk *desk, unsigned round_trips, const char *log)
{
	unit_assert_text("requests", log, desk->fake->log);
	if (desk->fake->sends != round_trips)
		unit_fail("%u round trips instead of %u: %s", desk->fake->sends, round_trips, desk->fake->log);
}

static void assert_report(struct desk *desk, const char *text)
{
	unit_assert_text("report", text, report_text(desk));
}

/* libbond_set() with words for the bond, and for one slave (NULL: none). */
static int set(struct desk *desk, const char *words, const char *slave, const char *slave_words)
{
	struct libbond_config *config = words ? unit_config(words) : NULL;
	struct libbond_member member = {.name = slave, .config = slave ? unit_slave_config(slave_words) : NULL};
	int rc = libbond_set(desk->handle, "bond0", config, &member, slave ? 1 : 0, 0, desk->report, &desk->err);
	libbond_config_free(config);
	libbond_config_free((struct libbond_config *)member.config);
	return rc;
}

static int create(struct desk *desk, const char *name, const char *words, size_t count, const char *const *slaves)
{
	struct libbond_config *config = unit_config(words);
	struct libbond_member members[32] = {{NULL, NULL}};
	assert_true(count <= COUNT(members));
	for (size_t i = 0; i < count; i++)
		members[i].name = slaves[i];
	int rc = libbond_create(desk->handle, name, config, members, count, 0, desk->report, &desk->err);
	libbond_config_free(config);
	return rc;
}

static int enslave(struct desk *desk, const char *bond, const char *slave)
{
	return libbond_enslave(desk->handle, bond, &slave, 1, 0, desk->report, &desk->err);
}

static int release(struct desk *desk, const char *bond, const char *slave)
{
	return libbond_release(desk->handle, bond, &slave, 1, 0, desk->report, &desk->err);
}

static int delete (struct desk *desk, const char *bond)
{
	return libbond_delete(desk->handle, &bond, 1, desk->report, &desk->err);
}

static const char *const two_slaves[] = {"eth0", "eth1"};

/* --- reading --- */

static void read_of_one_bond(void **state)
{
	struct desk *desk = desk_open();
	struct libbond_snapshot *snapshot;
	(void)state;
	struct fake_link *bond = fake_bond(desk->fake, 7, "bond0", 1);
	fake_altname(bond, "uplink-of-the-machine");
	fake_slave(desk->fake, 3, "eth0", bond);
	fake_slave(desk->fake, 4, "eth1", bond);
	assert_int_equal(libbond_read_bond(desk->handle, "bond0", 0, &snapshot, &desk->err), 0);
	assert_log(desk, 2, "get bond0; dump master 7");
	assert_int_equal(libbond_link_slaves(libbond_snapshot_bond(snapshot, 0)), 2);
	libbond_snapshot_free(snapshot);
	desk_clear(desk);
	assert_int_equal(libbond_read_bond(desk->handle, "bond0", LIBBOND_READ_NO_SLAVES, &snapshot, NULL), 0);
	assert_log(desk, 1, "get bond0");
	assert_int_equal(libbond_snapshot_links(snapshot), 1);
	libbond_snapshot_free(snapshot);
	desk_clear(desk);
	assert_int_equal(libbond_read_bond(desk->handle, "uplink-of-the-machine", 0, &snapshot, NULL), 0);
	assert_log(desk, 2, "get uplink-of-the-machine; dump master 7");
	libbond_snapshot_free(snapshot);
	desk_close(desk);
}

static void read_of_a_bond_in_a_bridge(void **state)
{
	struct desk *desk = desk_open();
	struct libbond_snapshot *snapshot;
	char text[32];
	(void)state;
	fake_add(desk->fake, 2, "br0", "bridge", IFF_UP);
	struct fake_link *bond = fake_bond(desk->fake, 7, "bond0", 1);
	fake_u32(bond, LIBBOND_SCOPE_LINK, LB_IFLA_MASTER, 2);
	assert_int_equal(libbond_read_bond(desk->handle, "bond0", 0, &snapshot, &desk->err), 0);
	assert_log(desk, 3, "get bond0; dump master 7; get #2"); /* for the name of the bridge */
	libbond_link_text(libbond_snapshot_by_name(snapshot, "bond0"), LINK("master"), text, sizeof(text));
	unit_assert_text("master", "br0", text);
	libbond_snapshot_free(snapshot);
	desk_close(desk);
}

static void reads_that_find_no_bond(void **state)
{
	static const char *const impossible[] = {
		"",
		"0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789"
		"0123456789012345678901234567"};
	struct desk *desk = desk_open();
	struct libbond_snapshot *snapshot = (void *)1;
	(void)state;
	fake_device(desk->fake, 3, "eth0", 0);
	fake_add(desk->fake, 1, "lo", NULL, IFF_UP);
	assert_int_equal(libbond_read_bond(desk->handle, "bond0", 0, &snapshot, &desk->err), -ENODEV);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_NO_DEVICE, ENODEV, NULL);
	unit_assert_text("device", "bond0", desk->err.device);
	assert_int_equal(libbond_read_bond(desk->handle, "eth0", 0, &snapshot, &desk->err), -EOPNOTSUPP);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_NOT_A_BOND, EOPNOTSUPP, NULL);
	unit_assert_text("message", "eth0 is not a bond: it is of kind veth", desk->err.message);
	assert_int_equal(libbond_read_bond(desk->handle, "lo", 0, &snapshot, &desk->err), -EOPNOTSUPP);
	unit_assert_text("message", "lo is not a bond", desk->err.message);
	desk_clear(desk);
	for (size_t i = 0; i < COUNT(impossible); i++) {
		assert_int_equal(libbond_read_bond(desk->handle, impossible[i], 0, &snapshot, &desk->err), -ENODEV);
		unit_assert_error(&desk->err, LIBBOND_CAUSE_NO_DEVICE, ENODEV, NULL);
	}
	assert_int_equal(desk->fake->sends, 0);
	assert_ptr_equal(snapshot, (void *)1);
	desk_close(desk);
}

static void read_of_every_bond(void **state)
{
	struct desk *desk = desk_open();
	struct libbond_snapshot *snapshot;
	(void)state;
	struct fake_link *bond = fake_bond(desk->fake, 7, "bond0", 1);
	fake_bond(desk->fake, 9, "bond1", 4);
	fake_slave(desk->fake, 3, "eth0", bond);
	fake_device(desk->fake, 4, "eth1", 0);
	assert_int_equal(libbond_read(desk->handle, 0, &snapshot, &desk->err), 0);
	assert_log(desk, 4, "dump kind bond; get #7 + get #9; dump master 7; dump master 9");
	assert_int_equal(libbond_snapshot_bonds(snapshot), 2);
	assert_int_equal(libbond_snapshot_links(snapshot), 3);
	assert_int_equal(libbond_snapshot_driver(snapshot), 1);
	libbond_snapshot_free(snapshot);
	desk_clear(desk);
	assert_int_equal(libbond_read(desk->handle, LIBBOND_READ_NO_SLAVES, &snapshot, &desk->err), 0);
	assert_log(desk, 1, "dump kind bond");
	libbond_snapshot_free(snapshot);
	desk_clear(desk);
	assert_int_equal(libbond_read_links(desk->handle, 0, &snapshot, &desk->err), 0);
	assert_log(desk, 1, "dump");
	assert_int_equal(libbond_snapshot_links(snapshot), 4);
	libbond_snapshot_free(snapshot);
	desk_close(desk);
}

/* Whether the request leaves the counters out. */
static bool skips_counters(const struct nlmsghdr *request)
{
	const struct nlattr *attr;
	mnl_attr_for_each (attr, request, sizeof(struct ifinfomsg)) {
		if (mnl_attr_get_type(attr) == LB_IFLA_EXT_MASK)
			return mnl_attr_get_u32(attr) & LB_RTEXT_FILTER_SKIP_STATS;
	}
	return false;
}

static void counters_that_are_wanted(void **state)
{
	struct desk *desk = desk_open();
	struct libbond_snapshot *snapshot;
	static const uint64_t counters[25] = {7};
	uint64_t value;
	(void)state;
	struct fake_link *bond = fake_bond(desk->fake, 7, "bond0", 1);
	fake_put(bond, LIBBOND_SCOPE_LINK, LB_IFLA_STATS64, counters, sizeof(counters));
	fake_put(fake_slave(desk->fake, 3, "eth0", bond), LIBBOND_SCOPE_LINK, LB_IFLA_STATS64, counters,
	         sizeof(counters));
	for (unsigned flags = 0; flags <= LIBBOND_READ_NO_STATS; flags++) {
		desk_clear(desk);
		assert_int_equal(libbond_read(desk->handle, flags, &snapshot, &desk->err), 0);
		/* the first dump only tells which bonds there are; what remains has counters, if they are wanted */
		assert_true(skips_counters(fake_request(desk->fake, 0)));
		assert_int_equal(skips_counters(fake_request(desk->fake, desk->fake->request_count - 1)), flags);
		for (size_t i = 0; flags == 0 && i < libbond_snapshot_links(snapshot); i++) {
			assert_int_equal(libbond_link_counter(libbond_snapshot_link(snapshot, i), 0, &value), 0);
			assert_int_equal(value, 7);
		}
		libbond_snapshot_free(snapshot);
		desk_clear(desk);
		assert_int_equal(libbond_read_bond(desk->handle, "bond0", flags, &snapshot, &desk->err), 0);
		for (size_t i = 0; i < desk->fake->request_count; i++)
			assert_int_equal(skips_counters(fake_request(desk->fake, i)), flags);
		libbond_snapshot_free(snapshot);
	}
	/* a change never looks at them */
	desk_clear(desk);
	assert_int_equal(set(desk, "miimon 100", "eth0", "prio 1"), 0);
	for (size_t i = 0; i < desk->fake->request_count; i++)
		if (fake_request(desk->fake, i)->nlmsg_type == RTM_GETLINK)
			assert_true(skips_counters(fake_request(desk->fake, i)));
	desk_close(desk);
}

static void read_of_many_bonds(void **state)
{
	struct desk *desk = desk_open();
	struct libbond_snapshot *snapshot;
	char name[16];
	(void)state;
	fake_device(desk->fake, 1, "other", 0);
	for (unsigned i = 0; i < 17; i++) {
		snprintf(name, sizeof(name), "bond%u", i);
		struct fake_link *bond = fake_bond(desk->fake, 100 + i, name, 1);
		snprintf(name, sizeof(name), "eth%u", i);
		fake_slave(desk->fake, 200 + i, name, bond);
	}
	/* seventeen: one dump of all links, of which the others are dropped */
	assert_int_equal(libbond_read(desk->handle, 0, &snapshot, &desk->err), 0);
	assert_log(desk, 2, "dump kind bond; dump");
	assert_int_equal(libbond_snapshot_bonds(snapshot), 17);
	assert_int_equal(libbond_snapshot_links(snapshot), 34);
	assert_int_equal(libbond_link_slaves(libbond_snapshot_bond(snapshot, 16)), 1);
	walk_snapshot(snapshot);
	libbond_snapshot_free(snapshot);
	/* sixteen: a filtered dump for the slaves of each */
	fake_remove(desk->fake, 116);
	desk_clear(desk);
	assert_int_equal(libbond_read(desk->handle, 0, &snapshot, &desk->err), 0);
	assert_int_equal(desk->fake->sends, 18);
	assert_int_equal(libbond_snapshot_bonds(snapshot), 16);
	assert_int_equal(libbond_snapshot_links(snapshot), 32);
	libbond_snapshot_free(snapshot);
	desk_close(desk);
}

static void read_without_the_driver(void **state)
{
	struct desk *desk = desk_open();
	struct libbond_snapshot *snapshot;
	(void)state;
	fake_add(desk->fake, 1, "lo", NULL, IFF_UP);
	fake_device(desk->fake, 3, "eth0", 0);
	assert_int_equal(libbond_read(desk->handle, 0, &snapshot, NULL), 0);
	assert_int_equal(libbond_snapshot_driver(snapshot), 1); /* none here, but the kernel filtered */
	libbond_snapshot_free(snapshot);
	desk->fake->no_driver = true;
	assert_int_equal(libbond_read(desk->handle, 0, &snapshot, NULL), 0);
	assert_int_equal(libbond_snapshot_driver(snapshot), 0);
	assert_int_equal(libbond_snapshot_links(snapshot), 0); /* not what came unasked */
	libbond_snapshot_free(snapshot);
	assert_int_equal(libbond_read_links(desk->handle, 0, &snapshot, NULL), 0);
	assert_int_equal(libbond_snapshot_driver(snapshot), -1);
	libbond_snapshot_free(snapshot);
	desk_close(desk);
}

/* --- set --- */

static void set_of_three_options(void **state)
{
	struct desk *desk = desk_open();
	(void)state;
	fake_bond(desk->fake, 7, "bond0", 1);
	assert_int_equal(set(desk, "resend_igmp 3 updelay 200 miimon 100", NULL, NULL), 0);
	assert_log(desk, 3, "get bond0; get #7 + set #7 bond miimon,updelay,resend_igmp; get #7");
	assert_report(desk, "bond0 miimon 100 applied; bond0 updelay 200 applied; bond0 resend_igmp 3 applied");
	desk_close(desk);
}

static void set_of_what_holds(void **state)
{
	struct desk *desk = desk_open();
	(void)state;
	fake_bond(desk->fake, 7, "bond0", 4);
	assert_int_equal(set(desk, "miimon 100 lacp_rate slow mtu 1500 arp_ip_target none up off", NULL, NULL), 0);
	/* slaves have MTUs of their own, and VLAN devices follow: they are looked at before it is known to hold */
	assert_log(desk, 2, "get bond0; dump master 7");
	assert_report(desk, "bond0 miimon 100 unchanged; bond0 arp_ip_target none unchanged; "
	                    "bond0 lacp_rate slow unchanged; bond0 mtu 1500 unchanged; bond0 up off unchanged");
	/* one of several changes: the others are not sent */
	desk_clear(desk);
	assert_int_equal(set(desk, "miimon 100 lacp_rate fast", NULL, NULL), 0);
	assert_log(desk, 3, "get bond0; get #7 + set #7 bond lacp_rate; get #7");
	desk_close(desk);
}

static void set_of_what_needs_no_slaves(void **state)
{
	struct desk *desk = desk_open();
	(void)state;
	fake_bond(desk->fake, 7, "bond0", 0);
	assert_int_equal(set(desk, "mode active-backup", NULL, NULL), 0);
	assert_log(desk, 4, "get bond0; dump master 7; get #7 + set #7 bond mode; get #7");
	desk_close(desk);
}

static void set_of_slave_options(void **state)
{
	struct desk *desk = desk_open();
	(void)state;
	struct fake_link *bond = fake_bond(desk->fake, 7, "bond0", 1);
	fake_slave(desk->fake, 3, "eth0", bond);
	assert_int_equal(set(desk, NULL, "eth0", "prio 5"), 0);
	assert_log(desk, 3, "get bond0 + get eth0; get #3 + set #3 slave prio; get #3");
	assert_report(desk, "eth0 prio 5 applied");
	desk_clear(desk);
	assert_int_equal(set(desk, "resend_igmp 7 txqueuelen 5", "eth0", "prio 6 queue_id 2"), 0);
	assert_log(desk, 5,
	           "get bond0 + get eth0; dump master 7; get #7 + set #7 txqueuelen bond resend_igmp; "
	           "get #3 + set #3 slave queue_id,prio; get #7 + get #3");
	desk_close(desk);
}

/* Queues for two slaves in one call, eth0 first; what they have now. */
static int set_queues(struct desk *desk, uint16_t has0, uint16_t has1, const char *want0, const char *want1)
{
	struct libbond_config *first = unit_slave_config(want0), *second = unit_slave_config(want1);
	const struct libbond_member members[] = {{"eth0", first}, {"eth1", second}};
	desk_clear(desk);
	fake_u16(fake_find(desk->fake, "eth0"), LIBBOND_SCOPE_SLAVE, LB_SLAVE_QUEUE_ID, has0);
	fake_u16(fake_find(desk->fake, "eth1"), LIBBOND_SCOPE_SLAVE, LB_SLAVE_QUEUE_ID, has1);
	int rc = libbond_set(desk->handle, "bond0", NULL, members, 2, 0, desk->report, &desk->err);
	libbond_config_free(first);
	libbond_config_free(second);
	return rc;
}

static void set_of_queues_in_turn(void **state)
{
	struct desk *desk = desk_open();
	(void)state;
	struct fake_link *bond = fake_bond(desk->fake, 7, "bond0", 1);
	fake_slave(desk->fake, 3, "eth0", bond);
	fake_slave(desk->fake, 4, "eth1", bond);
	assert_int_equal(set_queues(desk, 0, 0, "queue_id 2", "queue_id 3"), 0);
	assert_int_equal(set_queues(desk, 0, 0, "queue_id 2", "queue_id 2"), -EPERM);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_CONFLICT, EPERM, "queue_id");
	assert_int_equal(desk->fake->sends, 2); /* nothing was sent but the look */
	/* who has it now, and gives it up in the same change, is no obstacle */
	assert_int_equal(set_queues(desk, 2, 0, "queue_id 0", "queue_id 2"), 0);
	assert_log(desk, 5,
	           "get bond0 + get eth0 + get eth1; dump master 7; get #3 + set #3 slave queue_id; get #4 + set #4 "
	           "slave queue_id; get #3 + get #4");
	assert_int_equal(set_queues(desk, 0, 2, "queue_id 2", "queue_id 0"), 0);
	assert_int_equal(set_queues(desk, 2, 3, "queue_id 3", "queue_id 2"), 0);
	/* so in a creation */
	struct libbond_config *config = unit_config("mode 0"), *options = unit_slave_config("queue_id 2");
	const struct libbond_member members[] = {{"eth2", options}, {"eth3", options}};
	fake_device(desk->fake, 5, "eth2", 0);
	fake_device(desk->fake, 6, "eth3", 0);
	desk_clear(desk);
	assert_int_equal(libbond_create(desk->handle, "bond1", config, members, 2, 0, desk->report, &desk->err),
	                 -EPERM);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_CONFLICT, EPERM, "queue_id");
	assert_int_equal(desk->fake->sends, 1);
	libbond_config_free(config);
	libbond_config_free(options);
	desk_close(desk);
}

static void set_of_a_device_by_name(void **state)
{
	struct desk *desk = desk_open();
	(void)state;
	struct fake_link *bond = fake_bond(desk->fake, 7, "bond0", 1);
	fake_altname(fake_slave(desk->fake, 3, "eth0", bond), "port-number-one-on-the-left");
	assert_int_equal(set(desk, "primary port-number-one-on-the-left", NULL, NULL), 0);
	/* its slaves as well: the report says by name which it was */
	assert_log(desk, 4,
	           "get bond0 + get port-number-one-on-the-left; dump master 7; get #7 + set #7 bond primary; get #7 "
	           "+ get #3");
	assert_report(desk, "bond0 primary port-number-one-on-the-left applied");
	desk_clear(desk);
	assert_int_equal(set(desk, "primary eth9", NULL, NULL), -ENODEV);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_NO_DEVICE, ENODEV, "primary");
	assert_null(strstr(desk->fake->log, "set"));
	assert_report(desk, "bond0 primary eth9 not_tried");
	desk_close(desk);
}

static void set_of_many_devices(void **state)
{
	struct desk *desk = desk_open();
	struct libbond_member members[20];
	struct libbond_config *config = unit_slave_config("prio 5");
	char names[20][16];
	(void)state;
	struct fake_link *bond = fake_bond(desk->fake, 7, "bond0", 1);
	for (unsigned i = 0; i < 20; i++) {
		snprintf(names[i], sizeof(names[i]), "eth%u", i);
		fake_slave(desk->fake, 100 + i, names[i], bond);
		members[i] = (struct libbond_member){names[i], config};
	}
	assert_int_equal(libbond_set(desk->handle, "bond0", NULL, members, 20, 0, desk->report, &desk->err), 0);
	/* sixteen requests a round trip: two to look, one for each change, two to read back */
	assert_int_equal(desk->fake->sends, 2 + 20 + 2);
	assert_int_equal(libbond_report_count(desk->report), 20);
	libbond_config_free(config);
	desk_close(desk);
}

static void set_of_edited_lists(void **state)
{
	struct desk *desk = desk_open();
	static const uint8_t target[] = {8, 0, 0, 0, 10, 0, 0, 1};
	(void)state;
	struct fake_link *bond = fake_bond(desk->fake, 7, "bond0", 1);
	fake_put(bond, LIBBOND_SCOPE_BOND, LB_BOND_ARP_IP_TARGET, target, sizeof(target));
	assert_int_equal(set(desk, "arp_ip_target +10.0.0.2,-10.0.0.1", NULL, NULL), 0);
	assert_log(desk, 3, "get bond0; get #7 + set #7 bond arp_ip_target; get #7");
	desk_clear(desk);
	assert_int_equal(set(desk, "arp_ip_target +10.0.0.2", NULL, NULL), 0);
	assert_log(desk, 1, "get bond0");
	assert_report(desk, "bond0 arp_ip_target +10.0.0.2 unchanged");
	desk_clear(desk);
	assert_int_equal(set(desk, "arp_ip_target -10.0.0.9", NULL, NULL), -EINVAL);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_BAD_VALUE, EINVAL, "arp_ip_target");
	assert_int_equal(desk->fake->sends, 1);
	desk_clear(desk);
	assert_int_equal(set(desk, "arp_ip_target none", NULL, NULL), 0);
	assert_report(desk, "bond0 arp_ip_target none applied");
	desk_close(desk);
}

static void set_on_what_is_no_bond(void **state)
{
	struct desk *desk = desk_open();
	(void)state;
	assert_int_equal(set(desk, "miimon 1", NULL, NULL), -ENODEV);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_NO_DEVICE, ENODEV, NULL);
	struct fake_link *bond = fake_bond(desk->fake, 7, "bond0", 1), *other = fake_bond(desk->fake, 8, "bond1", 1);
	fake_device(desk->fake, 3, "eth0", 0);
	fake_slave(desk->fake, 4, "eth1", other);
	desk_clear(desk);
	assert_int_equal(set(desk, NULL, "eth0", "prio 1"), -EINVAL);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_NOT_A_SLAVE, EINVAL, NULL);
	unit_assert_text("device", "eth0", desk->err.device);
	assert_int_equal(set(desk, NULL, "eth1", "prio 1"), -EINVAL);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_NOT_A_SLAVE, EINVAL, NULL);
	assert_int_equal(set(desk, NULL, "eth9", "prio 1"), -ENODEV);
	unit_assert_text("device", "eth9", desk->err.device);
	bond->kind = "team";
	assert_int_equal(set(desk, "miimon 1", NULL, NULL), -EOPNOTSUPP);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_NOT_A_BOND, EOPNOTSUPP, NULL);
	desk_close(desk);
}

static void set_of_another_scope(void **state)
{
	struct desk *desk = desk_open();
	struct libbond_config *bond_options = unit_config("miimon 100"), *slave_options = unit_slave_config("prio 5");
	const struct libbond_member member = {"eth0", bond_options};
	(void)state;
	fake_slave(desk->fake, 3, "eth0", fake_bond(desk->fake, 7, "bond0", 1));
	assert_int_equal(libbond_set(desk->handle, "bond0", slave_options, NULL, 0, 0, desk->report, &desk->err),
	                 -EINVAL);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_BAD_ATTR, EINVAL, "prio");
	assert_int_equal(libbond_set(desk->handle, "bond0", NULL, &member, 1, 0, desk->report, &desk->err), -EINVAL);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_BAD_ATTR, EINVAL, "miimon");
	assert_int_equal(libbond_create(desk->handle, "bond1", slave_options, NULL, 0, 0, desk->report, &desk->err),
	                 -EINVAL);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_BAD_ATTR, EINVAL, "prio");
	assert_null(strstr(desk->fake->log, "create"));
	assert_null(strstr(desk->fake->log, "set"));
	libbond_config_free(bond_options);
	libbond_config_free(slave_options);
	desk_close(desk);
}

/* --- refusals of a set, and what is left behind --- */

static struct fake_refusal hook_refusal;
static int hook_path[5];

static bool is_change(const struct nlmsghdr *request)
{
	return request->nlmsg_type == RTM_NEWLINK;
}

/* The driver stops at resend_igmp: miimon, before it, is applied and stays. */
static bool refuse_half_way(struct fake *fake, const struct nlmsghdr *request)
{
	if (!is_change(request))
		return false;
	fake_u32(fake_find(fake, "bond0"), LIBBOND_SCOPE_BOND, LB_BOND_MIIMON, 100);
	if (hook_path[0] >= 0)
		hook_refusal.offset = fake_find_offset(request, hook_path);
	fake_queue_refusal(fake, request, &hook_refusal);
	return true;
}

/* Undoing is refused as well: the first value stays, and that is said. */
#define REFUSED_HALF_WAY                                                                                             \
	"bond0 miimon 100 applied; bond0 resend_igmp 3 refused; bond0 num_grat_arp 2 not_tried; "                    \
	"bond0 lose miimon 100 lost (could not be undone)"

static void set_refused_with_the_attribute_named(void **state)
{
	static const int path[] = {LB_IFLA_LINKINFO, LB_INFO_DATA, LB_BOND_RESEND_IGMP, -1};
	struct desk *desk = desk_open();
	(void)state;
	fake_bond(desk->fake, 7, "bond0", 1);
	desk->fake->on_request = refuse_half_way;
	memcpy(hook_path, path, sizeof(path));
	hook_refusal = (struct fake_refusal){.errnum = EINVAL, .text = "invalid option value"};
	assert_int_equal(set(desk, "miimon 100 resend_igmp 3 num_grat_arp 2", NULL, NULL), -EINVAL);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_REFUSED, EINVAL, "resend_igmp");
	unit_assert_text("kernel", "invalid option value", desk->err.kernel);
	unit_assert_contains("cannot set resend_igmp on bond0", desk->err.message);
	unit_assert_text("device", "bond0", desk->err.device);
	unit_assert_contains("not all of it could be undone: bond0: miimon is 100", desk->err.hint);
	assert_report(desk, REFUSED_HALF_WAY);
	desk_close(desk);
}

static void set_refused_without_the_attribute(void **state)
{
	struct desk *desk = desk_open();
	(void)state;
	fake_bond(desk->fake, 7, "bond0", 1);
	desk->fake->on_request = refuse_half_way;
	hook_path[0] = -1;
	hook_refusal = (struct fake_refusal){.errnum = EINVAL};
	/* the first that did not take hold was it */
	assert_int_equal(set(desk, "miimon 100 resend_igmp 3 num_grat_arp 2", NULL, NULL), -EINVAL);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_REFUSED, EINVAL, "resend_igmp");
	assert_report(desk, REFUSED_HALF_WAY);
	desk_close(desk);
}

static bool refuse_all(struct fake *fake, const struct nlmsghdr *request)
{
	if (!is_change(request))
		return false;
	fake_queue_refusal(fake, request, &hook_refusal);
	return true;
}

static void set_without_permission(void **state)
{
	struct desk *desk = desk_open();
	(void)state;
	fake_bond(desk->fake, 7, "bond0", 1);
	desk->fake->on_request = refuse_all;
	hook_refusal = (struct fake_refusal){.errnum = EPERM};
	assert_int_equal(set(desk, "miimon 100 resend_igmp 3", NULL, NULL), -EPERM);
	/* nobody's fault in particular */
	unit_assert_error(&desk->err, LIBBOND_CAUSE_PERMISSION, EPERM, NULL);
	unit_assert_contains("CAP_NET_ADMIN", desk->err.hint);
	desk_close(desk);
}

static bool lose_changes(struct fake *fake, const struct nlmsghdr *request)
{
	(void)fake;
	return is_change(request);
}

static long lose_answers_to_changes(struct fake *fake, const struct nlmsghdr *request)
{
	(void)fake;
	return is_change(request) ? -EAGAIN : 0;
}

static void set_without_an_answer(void **state)
{
	struct desk *desk = desk_open();
	(void)state;
	fake_bond(desk->fake, 7, "bond0", 1);
	desk->fake->on_request = lose_changes;
	assert_int_equal(set(desk, "miimon 100 resend_igmp 3", NULL, NULL), -ETIMEDOUT);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_TIMEOUT, ETIMEDOUT, NULL);
	/* it was not done, which nobody could know before: all is as it was */
	assert_log(desk, 4, "get bond0; get #7 + set #7 bond miimon,resend_igmp; get #7; dump master 7");
	assert_report(desk, desk->err.rolled_back ? "bond0 miimon 100 rolled_back; bond0 resend_igmp 3 rolled_back"
	                                          : "bond0 miimon 100 not_tried; bond0 resend_igmp 3 not_tried");
	desk_close(desk);
	/* it was done, and is undone */
	desk = desk_open();
	fake_bond(desk->fake, 7, "bond0", 1);
	desk->fake->on_answer = lose_answers_to_changes;
	assert_int_equal(set(desk, "miimon 100 resend_igmp 3", NULL, NULL), -ETIMEDOUT);
	assert_log(desk, 7,
	           "get bond0; get #7 + set #7 bond miimon,resend_igmp; get #7; dump master 7; "
	           "get #7 + set #7 bond miimon,resend_igmp; get #7; dump master 7");
	assert_true(desk->err.rolled_back);
	assert_report(desk, "bond0 miimon 100 rolled_back; bond0 resend_igmp 3 rolled_back");
	desk_close(desk);
}

static bool lose_what_follows_a_change(struct fake *fake, const struct nlmsghdr *request)
{
	bool lost = fake->tag && !is_change(request);
	fake->tag |= is_change(request);
	return lost;
}

static void set_that_cannot_be_read_back(void **state)
{
	struct desk *desk = desk_open();
	(void)state;
	fake_bond(desk->fake, 7, "bond0", 1);
	desk->fake->on_request = lose_what_follows_a_change;
	assert_int_equal(set(desk, "miimon 100 resend_igmp 3", NULL, NULL), -ETIMEDOUT);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_TIMEOUT, ETIMEDOUT, NULL);
	/* it was accepted */
	assert_report(desk, "bond0 miimon 100 unverified; bond0 resend_igmp 3 unverified");
	desk_close(desk);
}

static bool vanish_after_change(struct fake *fake, const struct nlmsghdr *request)
{
	if (is_change(request)) {
		fake_queue_ack(fake, request);
		fake_remove(fake, 7);
		return true;
	}
	return false;
}

static void set_of_a_bond_that_vanishes(void **state)
{
	struct desk *desk = desk_open();
	(void)state;
	fake_bond(desk->fake, 7, "bond0", 1);
	desk->fake->on_request = vanish_after_change;
	assert_int_equal(set(desk, "miimon 100", NULL, NULL), -ENODEV);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_NO_DEVICE, ENODEV, NULL);
	desk_close(desk);
}

static bool lose_the_named_device(struct fake *fake, const struct nlmsghdr *request)
{
	if (!is_change(request))
		return false;
	fake_queue_ack(fake, request); /* an interface index that does not exist clears the primary, with success */
	fake_remove(fake, 3);
	return true;
}

static void set_of_a_device_that_vanishes(void **state)
{
	struct desk *desk = desk_open();
	(void)state;
	struct fake_link *bond = fake_bond(desk->fake, 7, "bond0", 1);
	fake_slave(desk->fake, 3, "eth0", bond);
	desk->fake->on_request = lose_the_named_device;
	assert_int_equal(set(desk, "primary eth0", NULL, NULL), -ENODEV);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_NO_DEVICE, ENODEV, "primary");
	unit_assert_text("device", "eth0", desk->err.device);
	desk_close(desk);
}

static void set_of_what_the_kernel_lacks(void **state)
{
	struct desk *desk = desk_open();
	(void)state;
	fake_bond(desk->fake, 7, "bond0", 4);
	fake_deafen(desk->fake, LIBBOND_SCOPE_BOND, LB_BOND_LACP_STRICT);
	/* it reports every other option, so the absence is known before anything is sent */
	assert_int_equal(set(desk, "lacp_strict on min_links 2", NULL, NULL), -EOPNOTSUPP);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_UNSUPPORTED, EOPNOTSUPP, "lacp_strict");
	unit_assert_text("hint", "it came with Linux 7.2", desk->err.hint);
	assert_log(desk, 1, "get bond0");
	assert_report(desk, "bond0 min_links 2 not_tried; bond0 lacp_strict on not_tried");
	desk_close(desk);
}

static bool ack_changes(struct fake *fake, const struct nlmsghdr *request)
{
	if (!is_change(request))
		return false;
	fake_queue_ack(fake, request);
	return true;
}

static void set_that_is_ignored(void **state)
{
	struct desk *desk = desk_open();
	(void)state;
	fake_bond(desk->fake, 7, "bond0", 1);
	desk->fake->on_request = ack_changes;
	assert_int_equal(set(desk, "address 02:00:00:00:00:99", NULL, NULL), -EOPNOTSUPP);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_IGNORED, EOPNOTSUPP, "address");
	assert_report(desk, "bond0 address 02:00:00:00:00:99 ignored");
	desk_close(desk);
}

/* --- enslave and release --- */

/* What hangs on a device that goes down: asked four dumps at a time, since each may fill the socket's buffer. */
#define LOOK_AT_ETH0 "look at #3: addresses,nexthops,routes4,routes6; look at #3: neighbours,proxies"

static void enslave_of_a_device_that_is_down(void **state)
{
	struct desk *desk = desk_open();
	(void)state;
	fake_bond(desk->fake, 7, "bond0", 1);
	fake_device(desk->fake, 3, "eth0", 0);
	assert_int_equal(enslave(desk, "bond0", "eth0"), 0);
	assert_log(desk, 4,
	           "get bond0 + get eth0 + dump kind vlan; look at #3: addresses,neighbours,proxies; "
	           "get #3 + set #3 master 7; get #7 + get #3");
	assert_report(desk, "eth0 enslave applied");
	/* again: nothing to do */
	desk_clear(desk);
	assert_int_equal(enslave(desk, "bond0", "eth0"), 0);
	assert_log(desk, 1, "get bond0 + get eth0 + dump kind vlan");
	assert_report(desk, "eth0 enslave unchanged");
	desk_close(desk);
}

static void enslave_of_a_device_that_is_up(void **state)
{
	struct desk *desk = desk_open();
	(void)state;
	fake_bond(desk->fake, 7, "bond0", 1);
	fake_device(desk->fake, 3, "eth0", IFF_UP);
	assert_int_equal(enslave(desk, "bond0", "eth0"), 0);
	assert_log(desk, 5,
	           "get bond0 + get eth0 + dump kind vlan; " LOOK_AT_ETH0
	           "; get #3 + set #3 down + set #3 master 7; get #7 + get #3");
	assert_report(desk, "eth0 enslave applied (is up, and is taken down to be enslaved)");
	desk_close(desk);
}

static void enslave_of_a_device_with_addresses(void **state)
{
	struct desk *desk = desk_open();
	(void)state;
	fake_bond(desk->fake, 7, "bond0", 1);
	fake_device(desk->fake, 3, "eth0", IFF_UP);
	fake_device(desk->fake, 4, "eth1", 0);
	fake_address(desk->fake, 4, "192.0.2.99");
	fake_address(desk->fake, 3, "192.0.2.5");
	fake_address(desk->fake, 3, "fe80::5");
	fake_address(desk->fake, 3, "2001:db8::5");
	fake_address(desk->fake, 3, "2001:db8::6");
	fake_route(desk->fake, 3, "198.51.100.0/24", "192.0.2.1");
	fake_kernel_route(desk->fake, 3, "192.0.2.0/24");
	/* what it costs is said, thing by thing */
	assert_int_equal(enslave(desk, "bond0", "eth0"), 0);
	assert_report(desk, "eth0 enslave applied (is up, and is taken down to be enslaved; "
	                    "keeps its address 192.0.2.5/24, which bypasses the bond); "
	                    "eth0 lose address fe80::5/64 lost; eth0 lose address 2001:db8::5/64 lost; "
	                    "eth0 lose address 2001:db8::6/64 lost; "
	                    "eth0 lose route 198.51.100.0/24 via 192.0.2.1 lost");
	desk_clear(desk);
	assert_int_equal(enslave(desk, "bond0", "eth1"), 0);
	assert_report(desk, "eth1 enslave applied (keeps its address 192.0.2.99/24, which bypasses the bond)");
	desk_close(desk);
}

static bool refuse_addresses(struct fake *fake, const struct nlmsghdr *request)
{
	if (request->nlmsg_type != RTM_GETADDR)
		return false;
	fake_queue_refusal(fake, request, &hook_refusal);
	return true;
}

static void enslave_without_a_look_at_addresses(void **state)
{
	struct desk *desk = desk_open();
	(void)state;
	fake_bond(desk->fake, 7, "bond0", 1);
	fake_device(desk->fake, 3, "eth0", 0);
	desk->fake->on_request = refuse_addresses;
	/* what may be lost is not known: nothing is touched */
	hook_refusal = (struct fake_refusal){.errnum = EPERM};
	assert_int_equal(enslave(desk, "bond0", "eth0"), -EPERM);
	assert_null(strstr(desk->fake->log, "set"));
	/* a kernel without such things has none */
	desk_clear(desk);
	hook_refusal = (struct fake_refusal){.errnum = EOPNOTSUPP};
	assert_int_equal(enslave(desk, "bond0", "eth0"), 0);
	assert_report(desk, "eth0 enslave applied");
	desk_close(desk);
}

static bool refuse_masters(struct fake *fake, const struct nlmsghdr *request)
{
	const struct nlattr *attr;
	if (!is_change(request))
		return false;
	mnl_attr_for_each (attr, request, sizeof(struct ifinfomsg)) {
		if (mnl_attr_get_type(attr) != LB_IFLA_MASTER || mnl_attr_get_u32(attr) == 0)
			continue;
		fake_queue_refusal(fake, request, &hook_refusal);
		return true;
	}
	return false;
}

static void enslave_that_is_refused(void **state)
{
	struct desk *desk = desk_open();
	(void)state;
	fake_bond(desk->fake, 7, "bond0", 1);
	fake_device(desk->fake, 3, "eth0", IFF_UP);
	desk->fake->on_request = refuse_masters;
	hook_refusal = (struct fake_refusal){.errnum = EOPNOTSUPP, .text = "Slave cannot set its MAC"};
	assert_int_equal(enslave(desk, "bond0", "eth0"), -EOPNOTSUPP);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_REFUSED, EOPNOTSUPP, NULL);
	unit_assert_contains("cannot enslave eth0 to bond0", desk->err.message);
	/* set up again, as it was; and looked at, whether it is */
	assert_log(desk, 9,
	           "get bond0 + get eth0 + dump kind vlan; " LOOK_AT_ETH0
	           "; get #3 + set #3 down + set #3 master 7; get #7 + get #3; dump master 7; "
	           "get #3 + set #3 up; get #7 + get #3; dump master 7");
	assert_true(desk->err.rolled_back);
	assert_true(fake_find(desk->fake, "eth0")->flags & IFF_UP);
	unit_assert_contains("eth0 enslave refused", report_text(desk));
	desk_close(desk);
}

static void enslave_of_several_devices(void **state)
{
	static const char *const all[] = {"eth0", "eth1", "eth2"}, *const bad[] = {"eth0", "eth9"};
	static const char *const twice[] = {"eth0", "eth1", "the-first-port-once-more"};
	struct desk *desk = desk_open();
	(void)state;
	struct fake_link *bond = fake_bond(desk->fake, 7, "bond0", 1);
	fake_slave(desk->fake, 3, "eth1", bond);
	fake_device(desk->fake, 4, "eth0", 0);
	fake_device(desk->fake, 5, "eth2", IFF_UP);
	fake_altname(fake_find(desk->fake, "eth0"), "the-first-port-once-more");
	/* all are looked at before the first is touched */
	assert_int_equal(libbond_enslave(desk->handle, "bond0", bad, 2, 0, desk->report, &desk->err), -ENODEV);
	assert_log(desk, 1, "get bond0 + get eth0 + get eth9 + dump kind vlan");
	assert_int_equal(libbond_enslave(desk->handle, "bond0", twice, 3, 0, desk->report, &desk->err), -EINVAL);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_CONFLICT, EINVAL, NULL);
	assert_report(desk, "");
	desk_clear(desk);
	assert_int_equal(libbond_enslave(desk->handle, "bond0", all, 3, 0, desk->report, &desk->err), 0);
	assert_log(desk, 7,
	           "get bond0 + get eth0 + get eth1 + get eth2 + dump kind vlan; "
	           "look at #4: addresses,neighbours,proxies + look at #5: addresses; "
	           "look at #5: nexthops,routes4,routes6,neighbours; look at #5: proxies; "
	           "get #4 + set #4 master 7; get #5 + set #5 down + set #5 master 7; get #7 + get #4 + get #5");
	unit_assert_contains("eth0 enslave applied; eth1 enslave unchanged; eth2 enslave applied", report_text(desk));
	desk_clear(desk);
	assert_int_equal(libbond_release(desk->handle, "bond0", all, 3, 0, desk->report, &desk->err), 0);
	unit_assert_contains("; get #3 + set #3 master 0; get #4 + set #4 master 0; get #5 + set #5 master 0; set #7 "
	                     "address; get #7 + ",
	                     desk->fake->log);
	assert_report(desk, "eth0 release applied (ends down); eth1 release applied (ends down); "
	                    "eth2 release applied (ends down); bond0 put_back address 02:00:00:00:00:07 applied");
	desk_close(desk);
}

static bool refuse_eth1(struct fake *fake, const struct nlmsghdr *request)
{
	const struct ifinfomsg *header = mnl_nlmsg_get_payload(request);
	return is_change(request) && header->ifi_index == 4 && refuse_masters(fake, request);
}

static void enslave_that_stops_half_way(void **state)
{
	static const char *const all[] = {"eth0", "eth1", "eth2"};
	struct desk *desk = desk_open();
	(void)state;
	fake_bond(desk->fake, 7, "bond0", 1);
	fake_device(desk->fake, 3, "eth0", 0);
	fake_device(desk->fake, 4, "eth1", 0);
	fake_device(desk->fake, 5, "eth2", 0);
	desk->fake->on_request = refuse_eth1;
	hook_refusal = (struct fake_refusal){.errnum = EINVAL, .text = "Device type is different"};
	assert_int_equal(libbond_enslave(desk->handle, "bond0", all, 3, 0, desk->report, &desk->err), -EINVAL);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_REFUSED, EINVAL, NULL);
	unit_assert_text("device", "eth1", desk->err.device);
	assert_report(desk, "eth0 enslave rolled_back; eth1 enslave refused; eth2 enslave not_tried");
	desk_close(desk);
}

static bool enslave_with_fail_over_mac(struct fake *fake, const struct nlmsghdr *request)
{
	if (is_change(request))
		fake_u8(fake_find(fake, "bond0"), LIBBOND_SCOPE_BOND, LB_BOND_FAIL_OVER_MAC, 1);
	return false;
}

static void enslave_that_changes_the_bond(void **state)
{
	struct desk *desk = desk_open();
	(void)state;
	fake_bond(desk->fake, 7, "bond0", 1);
	fake_device(desk->fake, 3, "eth0", 0);
	desk->fake->on_request = enslave_with_fail_over_mac;
	/* as the driver does when the first slave cannot change its address */
	assert_int_equal(enslave(desk, "bond0", "eth0"), 0);
	assert_report(desk, "eth0 enslave applied (fail_over_mac of bond0 is now active, it was none)");
	desk_close(desk);
}

static void enslave_that_cannot_be(void **state)
{
	struct desk *desk = desk_open();
	(void)state;
	fake_add(desk->fake, 1, "lo", NULL, IFF_UP | IFF_LOOPBACK);
	fake_add(desk->fake, 2, "br0", "bridge", 0);
	struct fake_link *bond = fake_bond(desk->fake, 7, "bond0", 1), *other = fake_bond(desk->fake, 8, "bond1", 1);
	fake_slave(desk->fake, 3, "eth0", other);
	fake_u32(fake_device(desk->fake, 4, "eth1", 0), LIBBOND_SCOPE_LINK, LB_IFLA_MASTER, 2);
	fake_altname(bond, "the-same-bond-again");
	/* its master's name is worth a round trip, and what it would leave behind another */
	assert_int_equal(enslave(desk, "bond0", "eth0"), -EBUSY);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_HAS_MASTER, EBUSY, NULL);
	unit_assert_contains("it belongs to bond1", desk->err.message);
	unit_assert_contains("bondctl release bond1 eth0", desk->err.hint);
	assert_log(desk, 3, "get bond0 + get eth0 + dump kind vlan; get #8; dump master 8");
	assert_int_equal(enslave(desk, "bond0", "eth1"), -EBUSY);
	unit_assert_contains("ip link set eth1 nomaster", desk->err.hint);
	assert_int_equal(enslave(desk, "bond0", "bond0"), -EPERM);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_CONFLICT, EPERM, NULL);
	assert_int_equal(enslave(desk, "bond0", "the-same-bond-again"), -EPERM);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_CONFLICT, EPERM, NULL);
	assert_int_equal(enslave(desk, "bond0", "lo"), -EINVAL);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_CONFLICT, EINVAL, NULL);
	assert_int_equal(enslave(desk, "bond0", "eth9"), -ENODEV);
	unit_assert_text("device", "eth9", desk->err.device);
	assert_int_equal(enslave(desk, "bond9", "eth0"), -ENODEV);
	unit_assert_text("device", "bond9", desk->err.device);
	assert_int_equal(enslave(desk, "br0", "eth0"), -EOPNOTSUPP);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_NOT_A_BOND, EOPNOTSUPP, NULL);
	assert_report(desk, "");
	desk_close(desk);
}

static void enslave_that_did_not_last(void **state)
{
	struct desk *desk = desk_open();
	(void)state;
	fake_bond(desk->fake, 7, "bond0", 1);
	fake_device(desk->fake, 3, "eth0", 0);
	desk->fake->on_request = ack_changes;
	assert_int_equal(enslave(desk, "bond0", "eth0"), -EBUSY);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_OVERRIDDEN, EBUSY, NULL);
	assert_report(desk, "eth0 enslave overridden");
	desk_close(desk);
}

static void enslave_without_an_answer(void **state)
{
	struct desk *desk = desk_open();
	(void)state;
	fake_bond(desk->fake, 7, "bond0", 1);
	fake_device(desk->fake, 3, "eth0", 0);
	desk->fake->on_request = lose_changes;
	assert_int_equal(enslave(desk, "bond0", "eth0"), -ETIMEDOUT);
	assert_report(desk, desk->err.rolled_back ? "eth0 enslave rolled_back" : "eth0 enslave not_tried");
	desk_close(desk);
}

static void release_of_a_slave(void **state)
{
	struct desk *desk = desk_open();
	(void)state;
	fake_slave(desk->fake, 3, "eth0", fake_bond(desk->fake, 7, "bond0", 1));
	assert_int_equal(release(desk, "bond0", "eth0"), 0);
	/* the last one takes the bond's address along, which is put back */
	assert_log(desk, 7,
	           "get bond0 + get eth0 + dump kind vlan; dump master 7; look at #7: neighbours + "
	           "look at #3: addresses,nexthops,routes4; look at #3: routes6,neighbours,proxies; "
	           "get #3 + set #3 master 0; set #7 address; get #7 + get #3");
	assert_report(desk, "eth0 release applied (ends down); bond0 put_back address 02:00:00:00:00:07 applied");
	desk_clear(desk);
	assert_int_equal(release(desk, "bond0", "eth0"), -EINVAL);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_NOT_A_SLAVE, EINVAL, NULL);
	unit_assert_contains("bondctl show bond0", desk->err.hint);
	assert_log(desk, 2, "get bond0 + get eth0 + dump kind vlan; dump master 7");
	assert_report(desk, "");
	desk_close(desk);
}

/* --- create and delete --- */

static void create_of_an_empty_bond(void **state)
{
	struct desk *desk = desk_open();
	(void)state;
	assert_int_equal(create(desk, "bond0", "mode 802.3ad miimon 100 txqueuelen 5", 0, NULL), 0);
	assert_log(desk, 3, "get bond0; create bond0 txqueuelen bond mode,miimon; get bond0");
	assert_report(desk, "bond0 create applied; bond0 mode 802.3ad applied; bond0 miimon 100 applied; "
	                    "bond0 txqueuelen 5 applied");
	desk_close(desk);
}

static void create_on_a_kernel_that_echoes(void **state)
{
	struct desk *desk = desk_open();
	(void)state;
	fake_device(desk->fake, 3, "eth0", 0);
	desk->fake->echo = true;
	assert_int_equal(create(desk, "bond0", "mode 802.3ad miimon 100", 0, NULL), 0);
	/* the index is known, whatever becomes of the name */
	assert_log(desk, 3, "get bond0; create bond0 bond mode,miimon; get #4");
	desk_close(desk);
}

/* Between the creation and what follows somebody renames the new bond and makes another device of its name. */
static bool take_the_name(struct fake *fake, const struct nlmsghdr *request)
{
	struct fake_link *bond = fake_find(fake, "bond0");
	if ((request->nlmsg_flags & NLM_F_CREATE) || !bond || fake->tag++)
		return false;
	snprintf(bond->name, sizeof(bond->name), "renamed");
	fake_device(fake, 50, "bond0", 0);
	return false;
}

static void create_of_a_bond_whose_name_is_taken(void **state)
{
	struct desk *desk = desk_open();
	(void)state;
	fake_device(desk->fake, 3, "eth0", 0);
	fake_deafen(desk->fake, LIBBOND_SCOPE_BOND, LB_BOND_LACP_STRICT);
	desk->fake->on_request = take_the_name;
	desk->fake->echo = true;
	assert_int_equal(create(desk, "bond0", "mode 802.3ad lacp_strict on", 0, NULL), -EOPNOTSUPP);
	/* ours is deleted, by its index, and not the stranger */
	assert_true(desk->err.rolled_back);
	assert_null(fake_find(desk->fake, "renamed"));
	assert_non_null(fake_find(desk->fake, "bond0"));
	desk_close(desk);
	/* a kernel that did not tell the index: nothing is deleted that is not known to be ours */
	desk = desk_open();
	fake_device(desk->fake, 3, "eth0", 0);
	desk->fake->on_request = take_the_name;
	assert_int_equal(create(desk, "bond0", "mode 802.3ad", 0, NULL), -ENODEV);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_NO_DEVICE, ENODEV, NULL);
	assert_false(desk->err.rolled_back);
	unit_assert_contains("the kernel made bond0, and it is not there under that name", desk->err.hint);
	assert_non_null(fake_find(desk->fake, "bond0"));
	assert_non_null(fake_find(desk->fake, "renamed"));
	desk_close(desk);
}

static void create_of_a_bond_with_everything(void **state)
{
	struct desk *desk = desk_open();
	struct libbond_config *config = unit_config("mode active-backup miimon 100 active_slave eth1 up on");
	struct libbond_config *options = unit_slave_config("prio 5");
	struct libbond_member members[] = {{"eth0", NULL}, {"eth1", options}};
	(void)state;
	fake_device(desk->fake, 3, "eth0", IFF_UP);
	fake_device(desk->fake, 4, "eth1", 0);
	assert_int_equal(libbond_create(desk->handle, "bond0", config, members, 2, 0, desk->report, &desk->err), 0);
	/* up comes last: slaves that join a bond that is up take 8.9 s to forward in 802.3ad */
	unit_assert_contains(
		"; create bond0 bond mode,miimon; get bond0 + get eth1; get #3 + set #3 down + set #3 master 5; "
		"get #4 + set #4 master 5; set #4 slave prio; set #5 up bond active_slave; get #5 + get #4 + get #3",
		desk->fake->log);
	assert_null(strstr(desk->fake->log, "get #3 + get #4")); /* each is read back once */
	unit_assert_contains(
		"bond0 create applied; bond0 mode active-backup applied; bond0 active_slave eth1 applied; "
		"bond0 miimon 100 applied; bond0 up on applied",
		report_text(desk));
	unit_assert_contains("eth0 enslave applied", desk->text);
	unit_assert_contains("eth1 enslave applied", desk->text);
	unit_assert_contains("eth1 prio 5 applied", desk->text);
	libbond_config_free(config);
	libbond_config_free(options);
	desk_close(desk);
}

static void create_without_the_driver(void **state)
{
	static const char *const words[] = {"miimon 100", "mode 802.3ad", "mode 802.3ad miimon 100", "txqueuelen 5",
	                                    "up on"};
	struct desk *desk = desk_open();
	(void)state;
	desk->fake->no_driver = true;
	for (size_t i = 0; i < COUNT(words); i++) {
		desk_clear(desk);
		assert_int_equal(create(desk, "bond0", words[i], 0, NULL), -EOPNOTSUPP);
		unit_assert_error(&desk->err, LIBBOND_CAUSE_NO_DRIVER, EOPNOTSUPP, NULL);
		unit_assert_contains("modprobe bonding", desk->err.hint);
		unit_assert_text("kernel", "Unknown device type", desk->err.kernel);
		assert_false(desk->err.rolled_back);
		unit_assert_contains("bond0 create refused", report_text(desk));
	}
	desk_close(desk);
}

static void create_of_what_cannot_be(void **state)
{
	struct desk *desk = desk_open();
	static const char *const unknown[] = {"eth0", "eth9"}, *const twice[] = {"eth0", "eth0"};
	(void)state;
	assert_int_equal(create(desk, "a/b", "mode 0", 0, NULL), -EINVAL);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_BAD_NAME, EINVAL, NULL);
	desk_clear(desk);
	fake_bond(desk->fake, 7, "bond0", 1);
	fake_device(desk->fake, 3, "eth0", 0);
	assert_int_equal(create(desk, "bond0", "mode 0", 0, NULL), -EEXIST);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_EXISTS, EEXIST, NULL);
	assert_null(strstr(desk->fake->log, "create"));
	assert_int_equal(create(desk, "bond1", "mode 0", 2, unknown), -ENODEV);
	unit_assert_text("device", "eth9", desk->err.device);
	assert_int_equal(create(desk, "bond1", "mode 0", 2, twice), -EINVAL);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_CONFLICT, EINVAL, NULL);
	/* what the table knows is refused with nothing sent but the look */
	desk_clear(desk);
	assert_int_equal(create(desk, "bond1", "mode balance-rr lacp_rate fast", 0, NULL), -EACCES);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_WRONG_MODE, EACCES, "lacp_rate");
	assert_log(desk, 1, "get bond1");
	assert_null(fake_find(desk->fake, "bond1"));
	desk_close(desk);
}

static void create_with_an_active_slave_of_another(void **state)
{
	struct desk *desk = desk_open();
	static const char *const one[] = {"eth0"};
	(void)state;
	fake_device(desk->fake, 3, "eth0", 0);
	fake_device(desk->fake, 4, "eth1", IFF_UP);
	assert_int_equal(create(desk, "bond0", "mode 1 active_slave eth1", 1, one), -EINVAL);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_NOT_A_SLAVE, EINVAL, "active_slave");
	assert_int_equal(desk->fake->sends, 1);
	assert_null(fake_find(desk->fake, "bond0"));
	desk_close(desk);
}

static void create_of_what_the_kernel_lacks(void **state)
{
	struct desk *desk = desk_open();
	(void)state;
	fake_device(desk->fake, 3, "eth0", IFF_UP);
	fake_device(desk->fake, 4, "eth1", IFF_UP);
	fake_deafen(desk->fake, LIBBOND_SCOPE_BOND, LB_BOND_LACP_STRICT);
	assert_int_equal(create(desk, "bond0", "mode 802.3ad lacp_strict on", 2, two_slaves), -EOPNOTSUPP);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_UNSUPPORTED, EOPNOTSUPP, "lacp_strict");
	assert_true(desk->err.rolled_back);
	/* found before a slave was touched, and the bond is gone again */
	unit_assert_contains(
		"; create bond0 bond mode,lacp_strict; get bond0; get #5 + get #3 + get #4; dump master 5; "
		"get #5 + delete #5; get #5 + get #3 + get #4",
		desk->fake->log);
	assert_null(strstr(desk->fake->log, "set #"));
	assert_null(fake_find(desk->fake, "bond0"));
	unit_assert_contains("bond0 create rolled_back", report_text(desk));
	desk_close(desk);
}

static void create_whose_second_slave_is_refused(void **state)
{
	struct desk *desk = desk_open();
	(void)state;
	fake_device(desk->fake, 3, "eth0", IFF_UP);
	fake_device(desk->fake, 4, "eth1", IFF_UP);
	hook_refusal = (struct fake_refusal){.errnum = EPERM, .text = "Device type not supported"};
	desk->fake->on_request = refuse_masters;
	assert_int_equal(create(desk, "bond0", "mode 1 miimon 100", 2, two_slaves), -EPERM);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_REFUSED, EPERM, NULL);
	assert_true(desk->err.rolled_back);
	assert_null(fake_find(desk->fake, "bond0"));
	assert_true(fake_find(desk->fake, "eth0")->flags & IFF_UP);
	assert_true(fake_find(desk->fake, "eth1")->flags & IFF_UP);
	unit_assert_contains("bond0 create rolled_back; bond0 mode active-backup rolled_back; "
	                     "bond0 miimon 100 rolled_back",
	                     report_text(desk));
	unit_assert_contains("eth0 enslave refused", desk->text);
	unit_assert_contains("eth1 enslave not_tried", desk->text);
	desk_close(desk);
}

/* The second slave is refused, and undoing meets with this as well. */
static bool refuse_undoing(struct fake *fake, const struct nlmsghdr *request)
{
	if (request->nlmsg_type == RTM_DELLINK) {
		fake_queue_refusal(fake, request, &hook_refusal);
		return true;
	}
	return refuse_masters(fake, request);
}

static bool lose_the_bond(struct fake *fake, const struct nlmsghdr *request)
{
	if (request->nlmsg_type == RTM_DELLINK)
		fake_remove(fake, ((const struct ifinfomsg *)mnl_nlmsg_get_payload(request))->ifi_index);
	return request->nlmsg_type != RTM_DELLINK && refuse_masters(fake, request);
}

static void create_that_cannot_be_undone(void **state)
{
	struct desk *desk = desk_open();
	(void)state;
	fake_device(desk->fake, 3, "eth0", IFF_UP);
	fake_device(desk->fake, 4, "eth1", 0);
	hook_refusal = (struct fake_refusal){.errnum = EBUSY};
	desk->fake->on_request = refuse_undoing;
	assert_int_equal(create(desk, "bond0", "mode 1", 2, two_slaves), -EBUSY);
	assert_false(desk->err.rolled_back);
	unit_assert_contains("not all of it could be undone", desk->err.hint);
	unit_assert_contains("bond0 create applied; bond0 mode active-backup", report_text(desk));
	desk_close(desk);
	/* somebody has deleted it meanwhile: as undone as can be */
	desk = desk_open();
	fake_device(desk->fake, 3, "eth0", IFF_UP);
	fake_device(desk->fake, 4, "eth1", 0);
	desk->fake->on_request = lose_the_bond;
	assert_int_equal(create(desk, "bond0", "mode 1", 2, two_slaves), -EBUSY);
	assert_true(desk->err.rolled_back);
	assert_true(fake_find(desk->fake, "eth0")->flags & IFF_UP);
	desk_close(desk);
}

static bool refuse_creation(struct fake *fake, const struct nlmsghdr *request)
{
	if (!(request->nlmsg_flags & NLM_F_CREATE))
		return false;
	if (hook_path[0] >= 0)
		hook_refusal.offset = fake_offset(request, hook_path);
	fake_queue_refusal(fake, request, &hook_refusal);
	return true;
}

static void create_whose_option_is_refused(void **state)
{
	static const int path[] = {LB_IFLA_LINKINFO, LB_INFO_DATA, LB_BOND_AD_SELECT, -1};
	struct desk *desk = desk_open();
	(void)state;
	desk->fake->on_request = refuse_creation;
	memcpy(hook_path, path, sizeof(path));
	hook_refusal = (struct fake_refusal){.errnum = EINVAL, .text = "invalid option value"};
	assert_int_equal(create(desk, "bond0", "mode 802.3ad ad_select actor_port_prio", 0, NULL), -EINVAL);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_REFUSED, EINVAL, "ad_select");
	unit_assert_contains("cannot create bond0 with this ad_select", desk->err.message);
	/* the kernel's creation is atomic; that nothing is left is seen */
	assert_log(desk, 3, "get bond0; create bond0 bond mode,ad_select; get bond0");
	assert_report(desk, "bond0 create refused; bond0 mode 802.3ad not_tried; "
	                    "bond0 ad_select actor_port_prio refused");
	desk_close(desk);
}

static void delete_of_a_bond(void **state)
{
	struct desk *desk = desk_open();
	char name[16];
	(void)state;
	struct fake_link *bond = fake_bond(desk->fake, 7, "bond0", 1);
	fake_slave(desk->fake, 3, "eth0", bond);
	fake_slave(desk->fake, 4, "eth1", bond);
	assert_int_equal(delete (desk, "bond0"), 0);
	/* what hangs on it and on its slaves is looked at: it can be undone as far as that is known */
	unit_assert_contains("get bond0; dump master 7; dump; look at #7: addresses,", desk->fake->log);
	unit_assert_contains("; get #7 + delete #7", desk->fake->log);
	assert_null(strstr(desk->fake->log, "set"));
	assert_report(desk, "bond0 delete applied (eth0 is released and ends down; eth1 is released and ends down)");
	desk_clear(desk);
	assert_int_equal(delete (desk, "bond0"), -ENODEV);
	assert_int_equal(delete (desk, "eth0"), -EOPNOTSUPP);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_NOT_A_BOND, EOPNOTSUPP, NULL);
	assert_non_null(fake_find(desk->fake, "eth0"));
	/* several, of which none is deleted before all are known to be bonds, each once */
	static const char *const twice[] = {"bond0", "bond0"}, *const mixed[] = {"bond0", "eth0"};
	bond = fake_bond(desk->fake, 7, "bond0", 1);
	assert_int_equal(libbond_delete(desk->handle, twice, 2, desk->report, &desk->err), -EINVAL);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_CONFLICT, EINVAL, NULL);
	assert_int_equal(libbond_delete(desk->handle, mixed, 2, desk->report, &desk->err), -EOPNOTSUPP);
	assert_non_null(fake_find(desk->fake, "bond0"));
	for (unsigned i = 10; i < 20; i++) {
		snprintf(name, sizeof(name), "p%u", i);
		fake_slave(desk->fake, i, name, bond);
	}
	desk_clear(desk);
	assert_int_equal(delete (desk, "bond0"), 0);
	unit_assert_contains("bond0 delete applied (", report_text(desk));
	desk_close(desk);
}

/* --- probe --- */

static void probe_of_a_kernel(void **state)
{
	struct desk *desk = desk_open();
	struct libbond_probe *probe;
	(void)state;
	fake_add(desk->fake, 1, "lo", NULL, IFF_UP);
	fake_deafen(desk->fake, LIBBOND_SCOPE_BOND, LB_BOND_LACP_STRICT);
	fake_deafen(desk->fake, LIBBOND_SCOPE_BOND, LB_BOND_NS_IP6_TARGET);
	fake_deafen(desk->fake, LIBBOND_SCOPE_SLAVE, LB_SLAVE_ACTOR_PORT_PRIO);
	assert_int_equal(libbond_probe(desk->handle, &probe, &desk->err), 0);
	assert_int_equal(libbond_probe_has(probe, BOND("mode")), 1);
	assert_int_equal(libbond_probe_has(probe, BOND("arp_missed_max")), 1);
	assert_int_equal(libbond_probe_has(probe, BOND("ad_actor_sys_prio")), 1);
	assert_int_equal(libbond_probe_has(probe, AD("num_ports")), 1);
	assert_int_equal(libbond_probe_has(probe, SLAVE("prio")), 1);
	assert_int_equal(libbond_probe_has(probe, BOND("primary")), 1);
	assert_int_equal(libbond_probe_has(probe, BOND("lacp_strict")), 0);
	assert_int_equal(libbond_probe_has(probe, BOND("ns_ip6_target")), 0);
	assert_int_equal(libbond_probe_has(probe, LINK("permanent_address")), -1);
	/* words: of what it has, of what it lacks, of what is no word */
	assert_int_equal(libbond_probe_word(probe, BOND("ad_select"), 3), 1);
	assert_int_equal(libbond_probe_word(probe, BOND("lacp_strict"), 1), 0);
	assert_int_equal(libbond_probe_word(probe, BOND("ad_select"), 4), -1);
	assert_int_equal(libbond_probe_word(probe, SLAVE("state"), 0), -1);
	libbond_probe_free(probe);
	libbond_probe_free(NULL);
	desk_close(desk);
}

/* A driver that came before ad_select actor_port_prio and after use_carrier off. */
static bool refuse_some_words(struct fake *fake, const struct nlmsghdr *request)
{
	static const int ad_select[] = {LB_IFLA_LINKINFO, LB_INFO_DATA, LB_BOND_AD_SELECT, -1};
	static const int use_carrier[] = {LB_IFLA_LINKINFO, LB_INFO_DATA, LB_BOND_USE_CARRIER, -1};
	struct fake_refusal refusal = {.errnum = EINVAL, .text = "invalid option value"};

	if (!(request->nlmsg_flags & NLM_F_CREATE) || request->nlmsg_type != RTM_NEWLINK)
		return false;
	for (size_t i = 0; i < 2; i++) {
		refusal.offset = fake_find_offset(request, i ? use_carrier : ad_select);
		if (!refusal.offset || *((const uint8_t *)request + refusal.offset + NLA_HDRLEN) != (i ? 0 : 3))
			continue;
		fake_queue_refusal(fake, request, &refusal);
		return true;
	}
	return false;
}

static void probe_of_words(void **state)
{
	struct desk *desk = desk_open();
	struct libbond_probe *probe;
	(void)state;
	desk->fake->on_request = refuse_some_words;
	assert_int_equal(libbond_probe(desk->handle, &probe, &desk->err), 0);
	assert_int_equal(libbond_probe_word(probe, BOND("ad_select"), 2), 1);
	assert_int_equal(libbond_probe_word(probe, BOND("ad_select"), 3), 0);
	assert_int_equal(libbond_probe_word(probe, BOND("use_carrier"), 0), 0);
	assert_int_equal(libbond_probe_word(probe, BOND("use_carrier"), 1), 1);
	assert_int_equal(libbond_probe_has(probe, BOND("ad_select")), 1);
	libbond_probe_free(probe);
	desk_close(desk);
}

static void probe_without_the_driver(void **state)
{
	struct desk *desk = desk_open();
	struct libbond_probe *probe = (void *)1;
	(void)state;
	desk->fake->no_driver = true;
	assert_int_equal(libbond_probe(desk->handle, &probe, &desk->err), -EOPNOTSUPP);
	unit_assert_error(&desk->err, LIBBOND_CAUSE_NO_DRIVER, EOPNOTSUPP, NULL);
	assert_ptr_equal(probe, (void *)1);
	desk_close(desk);
}

static void probe_by_an_unprivileged_reader(void **state)
{
	struct desk *desk = desk_open();
	struct libbond_probe *probe;
	(void)state;
	/* as in a container with a user namespace of its own: what is for the privileged is not reported */
	fake_deafen(desk->fake, LIBBOND_SCOPE_BOND, LB_BOND_AD_ACTOR_SYS_PRIO);
	fake_deafen(desk->fake, LIBBOND_SCOPE_BOND, LB_BOND_AD_USER_PORT_KEY);
	fake_deafen(desk->fake, LIBBOND_SCOPE_BOND, LB_BOND_AD_ACTOR_SYSTEM);
	assert_int_equal(libbond_probe(desk->handle, &probe, &desk->err), 0);
	assert_int_equal(libbond_probe_has(probe, BOND("ad_actor_sys_prio")), -1);
	assert_int_equal(libbond_probe_has(probe, BOND("ad_actor_system")), -1);
	assert_int_equal(libbond_probe_has(probe, BOND("lacp_strict")), 1);
	libbond_probe_free(probe);
	desk_close(desk);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("reading one bond takes two round trips, one without its slaves", read_of_one_bond),
		TEST("reading a bond in a bridge takes one more, for the bridge's name", read_of_a_bond_in_a_bridge),
		TEST("a device that is none, or no bond, is told apart", reads_that_find_no_bond),
		TEST("reading every bond takes a dump by kind, one get of all and a dump for each bond's slaves",
	             read_of_every_bond),
		TEST("counters are asked for where they are wanted, and never by a change", counters_that_are_wanted),
		TEST("reading more than sixteen bonds takes one dump of all", read_of_many_bonds),
		TEST("a dump that was not filtered by kind tells that the driver is missing",
	             read_without_the_driver),
		TEST("setting three options is one get, one change, one get", set_of_three_options),
		TEST("what holds already is not sent", set_of_what_holds),
		TEST("setting what needs the slaves out looks for slaves first", set_of_what_needs_no_slaves),
		TEST("slaves' options go to the slaves, all looked at and read back in one round trip each",
	             set_of_slave_options),
		TEST("two slaves cannot have one queue, and what is given up in turn is free", set_of_queues_in_turn),
		TEST("a device in a value is looked up with the bond", set_of_a_device_by_name),
		TEST("more than sixteen devices are looked at in batches", set_of_many_devices),
		TEST("edits of a list are sent as the whole list", set_of_edited_lists),
		TEST("setting options of what is no bond, or no slave of it, is refused", set_on_what_is_no_bond),
		TEST("options of a slave are none of a bond, nor the other way round", set_of_another_scope),
		TEST("a refusal names the attribute and tells applied from not tried",
	             set_refused_with_the_attribute_named),
		TEST("where the kernel names none, the first that did not take hold was refused",
	             set_refused_without_the_attribute),
		TEST("a missing permission is no attribute's fault", set_without_permission),
		TEST("without an answer to a change nothing is known", set_without_an_answer),
		TEST("what was accepted and cannot be read back is unverified", set_that_cannot_be_read_back),
		TEST("a bond that vanishes meanwhile is no device", set_of_a_bond_that_vanishes),
		TEST("a device that a value names and that vanishes meanwhile is no device",
	             set_of_a_device_that_vanishes),
		TEST("what the kernel lacks is refused before anything is sent", set_of_what_the_kernel_lacks),
		TEST("what the kernel accepts and ignores is an error", set_that_is_ignored),
		TEST("enslaving a device that is down takes three round trips, one if it is so already",
	             enslave_of_a_device_that_is_down),
		TEST("enslaving a device that is up sends both messages at once", enslave_of_a_device_that_is_up),
		TEST("enslaving a device with addresses says what it costs", enslave_of_a_device_with_addresses),
		TEST("where it cannot be seen what an enslaving costs, nothing is touched",
	             enslave_without_a_look_at_addresses),
		TEST("a device whose enslaving is refused is set up again", enslave_that_is_refused),
		TEST("several devices are looked at together before the first is touched, and read back together",
	             enslave_of_several_devices),
		TEST("an enslaving that stops half-way is undone, and tells how far it came",
	             enslave_that_stops_half_way),
		TEST("what the driver changed of the bond for a slave's sake is said", enslave_that_changes_the_bond),
		TEST("what cannot be enslaved is refused with its reason", enslave_that_cannot_be),
		TEST("an enslaving that did not last is reported", enslave_that_did_not_last),
		TEST("without an answer to an enslaving nothing is known", enslave_without_an_answer),
		TEST("releasing takes three round trips, and none of a device that is no slave", release_of_a_slave),
		TEST("creating an empty bond is one get, one change, one get", create_of_an_empty_bond),
		TEST("a kernel that echoes a creation tells the index", create_on_a_kernel_that_echoes),
		TEST("a new bond whose name is taken meanwhile is undone by its index, and no stranger is deleted",
	             create_of_a_bond_whose_name_is_taken),
		TEST("an active slave that is none of the new bond's is refused",
	             create_with_an_active_slave_of_another),
		TEST("what cannot be undone is said, and what is gone already is undone",
	             create_that_cannot_be_undone),
		TEST("creating a bond with everything brings it up last", create_of_a_bond_with_everything),
		TEST("without the driver a creation says how to get it, whatever the options",
	             create_without_the_driver),
		TEST("what cannot be created is refused before anything is sent", create_of_what_cannot_be),
		TEST("a new bond without an option that was asked for is deleted again",
	             create_of_what_the_kernel_lacks),
		TEST("a new bond whose slave is refused is deleted again and the slaves are up as they were",
	             create_whose_second_slave_is_refused),
		TEST("a creation refused for an option names it", create_whose_option_is_refused),
		TEST("deleting a bond names its slaves, and deletes nothing else", delete_of_a_bond),
		TEST("a probe tells which attributes the kernel has", probe_of_a_kernel),
		TEST("a probe tells which words of an attribute the kernel takes", probe_of_words),
		TEST("a probe without the driver says so", probe_without_the_driver),
		TEST("a probe by an unprivileged reader does not know what it may not see",
	             probe_by_an_unprivileged_reader),
	};
	return cmocka_run_group_tests_name("change", tests, NULL, NULL);
}
