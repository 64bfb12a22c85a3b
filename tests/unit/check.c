/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From what is wanted to what would be sent, what is refused before, and how the outcome is judged. Tests
 * lib/prepare.c, lib/check.c and lib/verify.c on snapshots made here; no request leaves.
 */
#include "check.h"

#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>

#include "fake.h"
#include "unit.h"
#include "verify.h"

/* A bond in this state, what is wanted of it, and what came of the preparation. */
struct bench {
	struct fake *fake;
	struct libbond_snapshot *snapshot;
	struct libbond_report *report;
	struct libbond_error err;
	struct lb_work work;
	struct lb_lookup lookups[8];
	size_t lookup_count;
	int rc;
	char sent[1024], reported[2048];
};

static struct libbond_snapshot *take(struct fake *fake)
{
	struct libbond_snapshot *snapshot;
	_Alignas(8) char message[8192];
	assert_int_equal(lb_snapshot_new(&snapshot), 0);
	for (size_t i = 0; i < fake->link_count; i++) {
		fake_message(&fake->links[i], message, sizeof(message), 1, 0);
		assert_int_equal(lb_snapshot_add(snapshot, (struct nlmsghdr *)message, LB_KEEP_ALL), 0);
	}
	assert_int_equal(lb_snapshot_finish(snapshot), 0);
	return snapshot;
}

static const char *want_words(const struct libbond_config *config, char *buf, size_t size)
{
	size_t used = 0;
	buf[0] = '\0';
	for (size_t i = 0; i < config->count; i++) {
		char text[LIBBOND_TEXT_SIZE];
		const struct lb_want *want = &config->wants[i];
		if (want->attr->type == LIBBOND_TYPE_LINK)
			snprintf(text, sizeof(text), "#%d", (int)want->value.number);
		else
			lb_value_format(want->attr, &want->value, text, sizeof(text));
		used += (size_t)snprintf(buf + used, size - used, "%s%s=%s", i ? " " : "", want->attr->name, text);
	}
	return buf;
}

static void write_report(struct bench *bench)
{
	size_t used = 0;
	bench->reported[0] = '\0';
	for (size_t i = 0; i < libbond_report_count(bench->report); i++) {
		struct libbond_report_line line;
		assert_int_equal(libbond_report_line(bench->report, i, &line), 0);
		used += (size_t)snprintf(bench->reported + used, sizeof(bench->reported) - used, "%s%s %s%s%s%s",
		                         i ? "; " : "", line.attr ? line.attr->name : line.action,
		                         libbond_outcome_name(line.outcome), *line.note ? " (" : "", line.note,
		                         *line.note ? ")" : "");
	}
}

/* Prepare these words for a device of the fake (NULL: a bond to be created). The bond is "bond0". */
static struct bench *prepare(struct fake *fake, const char *device, const char *words)
{
	static struct bench bench;
	memset(&bench, 0, sizeof(bench));
	bench.fake = fake;
	bench.snapshot = take(fake);
	assert_int_equal(libbond_report_new(&bench.report), 0);
	const struct libbond_link *bond = device ? libbond_snapshot_by_name(bench.snapshot, "bond0") : NULL;
	const struct libbond_link *link = device ? libbond_snapshot_by_name(bench.snapshot, device) : NULL;
	bool slave = link && link != bond;
	struct libbond_config *config = slave ? unit_slave_config(words) : unit_config(words);
	struct lb_state state = lb_state_of(bond, "bond0", slave ? NULL : config);

	bench.lookup_count = lb_config_links(config, bench.lookups);
	for (size_t i = 0; i < bench.lookup_count; i++)
		bench.lookups[i].link = libbond_snapshot_by_name(bench.snapshot, bench.lookups[i].name);
	assert_int_equal(
		lb_work_start(&bench.work, device ? device : "bond0", link, slave, config, bench.report, &bench.err),
		0);
	bench.rc = lb_work_ready(&bench.work, &state, bench.lookups, bench.lookup_count, bench.report, &bench.err);
	libbond_config_free(config);
	want_words(bench.work.config, bench.sent, sizeof(bench.sent));
	write_report(&bench);
	return &bench;
}

static void done(struct bench *bench)
{
	libbond_config_free(bench->work.config);
	libbond_report_free(bench->report);
	libbond_snapshot_free(bench->snapshot);
}

/* Refused, with this cause, errno and attribute; the message and hint hold these words. */
static void assert_refused(struct fake *fake, const char *device, const char *words, enum libbond_cause cause,
                           int errnum, const char *attr, const char *message, const char *hint)
{
	struct bench *bench = prepare(fake, device, words);
	if (bench->rc == 0)
		unit_fail("'%s' was not refused", words);
	assert_int_equal(bench->rc, -errnum);
	unit_assert_error(&bench->err, cause, errnum, attr);
	unit_assert_text("device", device ? device : "bond0", bench->err.device);
	unit_assert_contains(message, bench->err.message);
	unit_assert_contains(hint, bench->err.hint);
	done(bench);
}

/* Taken; what would be sent, and what the report says. NULL: whatever. */
static void assert_taken(struct fake *fake, const char *device, const char *words, const char *sent,
                         const char *reported)
{
	struct bench *bench = prepare(fake, device, words);
	if (bench->rc < 0)
		unit_fail("'%s' was refused: %s", words, bench->err.message);
	if (sent)
		unit_assert_text(words, sent, bench->sent);
	if (reported)
		unit_assert_text(words, reported, bench->reported);
	done(bench);
}

static struct fake *with_bond(uint8_t mode)
{
	struct fake *fake = fake_new();
	fake_bond(fake, 7, "bond0", mode);
	return fake;
}

static struct fake *with_slaves(uint8_t mode)
{
	struct fake *fake = with_bond(mode);
	fake_slave(fake, 3, "eth0", &fake->links[0]);
	fake_slave(fake, 4, "eth1", &fake->links[0]);
	return fake;
}

static struct fake_link *the_bond(struct fake *fake)
{
	return fake_find(fake, "bond0");
}

/* --- the driver's own checks --- */

/* bond_options.c: unsuppmodes; a value that is not the present one for each option */
static void options_in_modes_that_do_not_take_them(void **state)
{
	enum { RR = 1, AB = 2, XOR = 4, BC = 8, AD4 = 16, TLB = 32, ALB = 64 };
	static const struct {
		const char *name, *value;
		unsigned taken;
	} options[] = {
		{"arp_interval", "50", RR | AB | XOR | BC},
		{"arp_validate", "all", RR | AB | XOR | BC},
		{"arp_missed_max", "9", RR | AB | XOR | BC},
		{"packets_per_slave", "9", RR},
		{"lacp_rate", "fast", AD4},
		{"lacp_active", "off", AD4},
		{"coupled_control", "off", AD4},
		{"ad_user_port_key", "9", AD4},
		{"ad_actor_sys_prio", "9", AD4},
		{"ad_actor_system", "02:00:00:00:00:09", AD4},
		{"broadcast_neighbor", "on", AD4},
		{"lacp_strict", "on", AD4},
		{"tlb_dynamic_lb", "off", TLB | ALB},
		/* taken everywhere, with or without an effect */
		{"ad_select", "count", 127},
		{"min_links", "2", 127},
		{"lp_interval", "9", 127},
		{"arp_all_targets", "all", 127},
		{"arp_ip_target", "10.0.0.1", 127},
		{"ns_ip6_target", "fe80::1", 127},
		{"primary_reselect", "failure", 127},
		{"fail_over_mac", "active", 127},
		{"xmit_hash_policy", "layer3+4", 127},
		{"resend_igmp", "9", 127},
		{"num_grat_arp", "9", 127},
		{"all_slaves_active", "on", 127},
		{"miimon", "50", 127},
	};
	(void)state;
	for (uint8_t mode = 0; mode < 7; mode++)
		for (size_t i = 0; i < COUNT(options); i++) {
			char words[64];
			struct fake *fake = with_bond(mode);
			snprintf(words, sizeof(words), "%s %s", options[i].name, options[i].value);
			if (options[i].taken >> mode & 1)
				assert_taken(fake, "bond0", words, NULL, NULL);
			else
				assert_refused(fake, "bond0", words, LIBBOND_CAUSE_WRONG_MODE, EACCES,
				               options[i].name, libbond_mode_name(mode), "it belongs to ");
		}
}

static void the_hint_lists_the_modes(void **state)
{
	(void)state;
	assert_refused(with_bond(1), "bond0", "lacp_rate fast", LIBBOND_CAUSE_WRONG_MODE, EACCES, "lacp_rate",
	               "cannot set lacp_rate on bond0: mode active-backup does not take it", "it belongs to 802.3ad");
	assert_refused(with_bond(4), "bond0", "tlb_dynamic_lb off", LIBBOND_CAUSE_WRONG_MODE, EACCES,
	               "tlb_dynamic_lb", "", "it belongs to balance-tlb or balance-alb");
	assert_refused(with_bond(4), "bond0", "arp_interval 100 miimon 0", LIBBOND_CAUSE_WRONG_MODE, EACCES,
	               "arp_interval", "", "it belongs to balance-rr, active-backup, balance-xor or broadcast");
}

static void options_that_go_with_the_new_mode(void **state)
{
	(void)state;
	/* mode comes first in the driver's order */
	assert_taken(with_bond(0), "bond0", "mode 802.3ad lacp_rate fast", "mode=802.3ad lacp_rate=fast", NULL);
	assert_refused(with_bond(4), "bond0", "mode balance-rr lacp_rate fast", LIBBOND_CAUSE_WRONG_MODE, EACCES,
	               "lacp_rate", "mode balance-rr", "");
	assert_refused(with_slaves(4), "eth0", "prio 5", LIBBOND_CAUSE_WRONG_MODE, EACCES, "prio", "mode 802.3ad",
	               "active-backup, balance-tlb or balance-alb");
	assert_refused(with_slaves(1), "eth0", "actor_port_prio 5", LIBBOND_CAUSE_WRONG_MODE, EACCES,
	               "actor_port_prio", "mode active-backup", "802.3ad");
}

static void a_mode_we_do_not_know_is_not_judged(void **state)
{
	struct fake *fake = with_bond(4);
	(void)state;
	fake_u8(the_bond(fake), LIBBOND_SCOPE_BOND, LB_BOND_MODE, 7);
	assert_taken(fake, "bond0", "lacp_rate fast mtu 9000 arp_interval 100 miimon 0", NULL, NULL);
}

static void a_creation_without_a_mode_is_not_judged_by_one(void **state)
{
	(void)state;
	/* the module's parameters decide what mode it will be */
	assert_taken(fake_new(), NULL, "lacp_rate fast", "lacp_rate=fast", "lacp_rate not_tried");
	assert_taken(fake_new(), NULL, "packets_per_slave 5 min_links 2", NULL, NULL);
	assert_refused(fake_new(), NULL, "mode 0 lacp_rate fast", LIBBOND_CAUSE_WRONG_MODE, EACCES, "lacp_rate", "",
	               "");
}

static void options_that_need_the_bond_down(void **state)
{
	static const struct {
		uint8_t mode;
		const char *name, *words;
	} options[] = {
		{0, "mode", "mode 1"},
		{4, "lacp_rate", "lacp_rate fast"},
		{4, "lacp_active", "lacp_active off"},
		{4, "coupled_control", "coupled_control off"},
		{4, "ad_user_port_key", "ad_user_port_key 9"},
		{0, "ad_select", "ad_select count"}, /* in every mode */
		{5, "tlb_dynamic_lb", "tlb_dynamic_lb off"},
		{6, "tlb_dynamic_lb", "tlb_dynamic_lb off"},
	};
	(void)state;
	for (size_t i = 0; i < COUNT(options); i++) {
		struct fake *fake = with_bond(options[i].mode);
		assert_taken(fake, "bond0", options[i].words, NULL, NULL);
		the_bond(fake)->flags |= IFF_UP;
		assert_refused(fake, "bond0", options[i].words, LIBBOND_CAUSE_BOND_UP, EBUSY, options[i].name,
		               "only while the bond is down", "--cycle takes it down for a moment");
		/* wanted down as well: it goes down before */
		char words[64];
		snprintf(words, sizeof(words), "%s up off", options[i].words);
		assert_taken(fake, "bond0", words, NULL, NULL);
	}
	struct fake *fake = with_bond(4);
	the_bond(fake)->flags |= IFF_UP;
	assert_taken(fake, "bond0", "ad_actor_sys_prio 9 broadcast_neighbor on lacp_strict on min_links 1 miimon 50",
	             NULL, NULL);
}

static void options_that_need_no_slaves(void **state)
{
	struct fake *fake = with_slaves(1);
	(void)state;
	assert_refused(fake, "bond0", "fail_over_mac active", LIBBOND_CAUSE_HAS_SLAVES, ENOTEMPTY, "fail_over_mac",
	               "it has 2", "--cycle takes them out and in again");
	/* the driver looks at slaves before it looks at up */
	the_bond(fake)->flags |= IFF_UP;
	assert_refused(fake, "bond0", "mode 0", LIBBOND_CAUSE_HAS_SLAVES, ENOTEMPTY, "mode", "it has 2", "");
	assert_taken(fake, "bond0", "primary_reselect failure", NULL, NULL);
	/* one is enough */
	fake = with_bond(1);
	fake_slave(fake, 3, "eth0", the_bond(fake));
	assert_refused(fake, "bond0", "fail_over_mac active", LIBBOND_CAUSE_HAS_SLAVES, ENOTEMPTY, "fail_over_mac",
	               "it has 1", "");
}

static void options_that_the_kernel_does_not_report(void **state)
{
	struct fake *fake = with_bond(4);
	(void)state;
	fake_deafen(fake, LIBBOND_SCOPE_BOND, LB_BOND_LACP_STRICT);
	fake_deafen(fake, LIBBOND_SCOPE_BOND, LB_BOND_MISSED_MAX);
	assert_refused(fake, "bond0", "lacp_strict on", LIBBOND_CAUSE_UNSUPPORTED, EOPNOTSUPP, "lacp_strict",
	               "does not know it", "it came with Linux 7.2");
	/* reported only when set, or only to the privileged: nothing can be known before */
	fake_deafen(fake, LIBBOND_SCOPE_BOND, LB_BOND_AD_ACTOR_SYS_PRIO);
	assert_taken(fake, "bond0", "ns_ip6_target fe80::1 ad_actor_sys_prio 9", NULL, NULL);
	/* of a port of 802.3ad, which reports it in that mode */
	fake = with_slaves(4);
	fake_deafen(fake, LIBBOND_SCOPE_SLAVE, LB_SLAVE_ACTOR_PORT_PRIO);
	assert_refused(fake, "eth0", "actor_port_prio 5", LIBBOND_CAUSE_UNSUPPORTED, EOPNOTSUPP, "actor_port_prio",
	               "", "6.18");
	fake_deafen(fake, LIBBOND_SCOPE_SLAVE, LB_SLAVE_PRIO);
	fake_u8(the_bond(fake), LIBBOND_SCOPE_BOND, LB_BOND_MODE, 1);
	assert_refused(fake, "eth0", "prio 5", LIBBOND_CAUSE_UNSUPPORTED, EOPNOTSUPP, "prio", "", "6.0");
}

static void options_of_creation_only(void **state)
{
	(void)state;
	assert_refused(with_bond(0), "bond0", "numtxqueues 4", LIBBOND_CAUSE_BAD_ATTR, EOPNOTSUPP, "numtxqueues",
	               "only be given when the bond is created", "");
	assert_taken(with_bond(0), "bond0", "numtxqueues 16", "", "numtxqueues unchanged");
	assert_taken(fake_new(), NULL, "numtxqueues 4", "numtxqueues=4", NULL);
}

static void addresses_that_no_device_has(void **state)
{
	(void)state;
	assert_refused(with_bond(0), "bond0", "address 00:00:00:00:00:00", LIBBOND_CAUSE_BAD_VALUE, EADDRNOTAVAIL,
	               "address", "zero", "");
	assert_refused(fake_new(), NULL, "address 00:00:00:00:00:00", LIBBOND_CAUSE_BAD_VALUE, EADDRNOTAVAIL,
	               "address", "zero", "");
	/* in LACP it stands for the bond's own */
	struct fake *fake = with_bond(4);
	static const uint8_t system[] = {2, 0, 0, 0, 0, 9};
	fake_put(the_bond(fake), LIBBOND_SCOPE_BOND, LB_BOND_AD_ACTOR_SYSTEM, system, sizeof(system));
	assert_taken(fake, "bond0", "ad_actor_system 00:00:00:00:00:00", "ad_actor_system=00:00:00:00:00:00", NULL);
}

/* --- values that contradict each other --- */

static void delays_without_a_monitor(void **state)
{
	static const char *const delays[] = {"updelay", "downdelay", "peer_notif_delay"};
	(void)state;
	for (size_t i = 0; i < COUNT(delays); i++) {
		char words[64];
		snprintf(words, sizeof(words), "%s 200", delays[i]);
		assert_refused(with_bond(0), "bond0", words, LIBBOND_CAUSE_CONFLICT, EPERM, delays[i], "miimon is 0",
		               "miimon 100");
		/* of a new bond the module's parameters decide, unless it is said */
		assert_taken(fake_new(), NULL, words, NULL, NULL);
		/* EPERM even for 0, unless it is 0 already and is not sent */
		snprintf(words, sizeof(words), "%s 0 miimon 0", delays[i]);
		assert_refused(fake_new(), NULL, words, LIBBOND_CAUSE_CONFLICT, EPERM, delays[i], "miimon is 0", "");
		snprintf(words, sizeof(words), "%s 0", delays[i]);
		assert_taken(with_bond(0), "bond0", words, "", NULL);
		/* with miimon in the same message; and in modes that turn it on */
		snprintf(words, sizeof(words), "miimon 50 %s 200", delays[i]);
		assert_taken(with_bond(0), "bond0", words, NULL, NULL);
		snprintf(words, sizeof(words), "mode 802.3ad %s 200", delays[i]);
		assert_taken(with_bond(0), "bond0", words, NULL, NULL);
		assert_taken(fake_new(), NULL, words, NULL, NULL);
		snprintf(words, sizeof(words), "mode 802.3ad miimon 0 %s 200", delays[i]);
		assert_refused(fake_new(), NULL, words, LIBBOND_CAUSE_CONFLICT, EPERM, delays[i], "", "");
		/* ARP monitoring turns miimon off, before the driver comes to it or not */
		snprintf(words, sizeof(words), "miimon 0 %s 200", delays[i]);
		struct fake *fake = with_bond(0);
		fake_u32(the_bond(fake), LIBBOND_SCOPE_BOND, LB_BOND_MIIMON, 100);
		assert_refused(fake, "bond0", words, LIBBOND_CAUSE_CONFLICT, EPERM, delays[i], "", "");
	}
}

static void two_monitors_at_once(void **state)
{
	struct fake *fake = with_bond(1);
	(void)state;
	assert_refused(fake, "bond0", "miimon 100 arp_interval 200", LIBBOND_CAUSE_CONFLICT, EINVAL, "arp_interval",
	               "exclude each other", "");
	/* one of them off */
	assert_taken(fake, "bond0", "miimon 0 arp_interval 200", "miimon=0 arp_interval=200", NULL);
	fake_u32(the_bond(fake), LIBBOND_SCOPE_BOND, LB_BOND_ARP_INTERVAL, 200);
	assert_taken(fake, "bond0", "miimon 100 arp_interval 0", "miimon=100 arp_interval=0", NULL);
	/* apart from each other the later one wins */
	assert_taken(fake, "bond0", "miimon 100", "miimon=100", NULL);
	assert_refused(fake_new(), NULL, "mode 1 miimon 100 arp_interval 200", LIBBOND_CAUSE_CONFLICT, EINVAL,
	               "arp_interval", "", "");
}

static void arp_validation_beside_miimon(void **state)
{
	struct fake *fake = with_bond(1);
	(void)state;
	assert_refused(fake, "bond0", "miimon 100 arp_validate all", LIBBOND_CAUSE_CONFLICT, EINVAL, "arp_validate",
	               "exclude each other", "");
	/* bond_changelink() looks at values above 0 only */
	assert_taken(fake, "bond0", "miimon 100 arp_validate none", NULL, NULL);
	fake_u32(the_bond(fake), LIBBOND_SCOPE_BOND, LB_BOND_ARP_VALIDATE, 3);
	assert_taken(fake, "bond0", "miimon 100 arp_validate none", "miimon=100 arp_validate=none", NULL);
	assert_taken(fake, "bond0", "arp_validate active", "arp_validate=active", NULL);
}

static void active_slaves_that_cannot_be(void **state)
{
	struct fake *fake = with_slaves(1);
	(void)state;
	fake_device(fake, 9, "other", IFF_UP);
	assert_taken(fake, "bond0", "active_slave eth1", "active_slave=#4", NULL);
	/* whether it is a slave at all only the whole change tells */
	assert_taken(fake, "bond0", "active_slave other", "active_slave=#9", NULL);
	fake_u8(fake_find(fake, "eth1"), LIBBOND_SCOPE_LINK, LB_IFLA_CARRIER, 0);
	assert_refused(fake, "bond0", "active_slave eth1", LIBBOND_CAUSE_CONFLICT, EINVAL, "active_slave",
	               "eth1 has no link", "");
	fake_find(fake, "eth0")->flags &= ~(unsigned)IFF_UP;
	assert_refused(fake, "bond0", "active_slave eth0", LIBBOND_CAUSE_CONFLICT, EINVAL, "active_slave",
	               "eth0 is down", "");
	assert_taken(fake, "bond0", "active_slave none", "", "active_slave unchanged"); /* there is none */
	fake_u32(the_bond(fake), LIBBOND_SCOPE_BOND, LB_BOND_ACTIVE_SLAVE, 3);
	assert_taken(fake, "bond0", "active_slave none", "active_slave=#0", NULL);
}

static void a_device_that_is_not_there(void **state)
{
	struct bench *bench = prepare(with_bond(1), "bond0", "primary eth9");
	(void)state;
	assert_int_equal(bench->rc, -ENODEV);
	unit_assert_error(&bench->err, LIBBOND_CAUSE_NO_DEVICE, ENODEV, "primary");
	unit_assert_text("device", "eth9", bench->err.device);
	done(bench);
}

static void queues_that_cannot_be(void **state)
{
	struct fake *fake = with_slaves(1);
	(void)state;
	assert_taken(fake, "eth0", "queue_id 16", "queue_id=16", NULL);
	assert_refused(fake, "eth0", "queue_id 17", LIBBOND_CAUSE_CONFLICT, EPERM, "queue_id", "queues 1 to 16 only",
	               "");
	/* who else has it only the whole change tells */
	fake_u16(fake_find(fake, "eth1"), LIBBOND_SCOPE_SLAVE, LB_SLAVE_QUEUE_ID, 2);
	assert_taken(fake, "eth0", "queue_id 2", "queue_id=2", NULL);
	assert_taken(fake, "eth1", "queue_id 2", "", "queue_id unchanged");
	assert_taken(fake, "eth1", "queue_id 0", "queue_id=0", NULL); /* any number of slaves have none */
}

/* --- what drops out, what stays, what is rounded --- */

static void what_holds_drops_out(void **state)
{
	struct fake *fake = with_bond(4);
	static const uint8_t targets[] = {8, 0, 0, 0, 10, 0, 0, 1, 8, 0, 1, 0, 10, 0, 0, 2};
	(void)state;
	fake_put(the_bond(fake), LIBBOND_SCOPE_BOND, LB_BOND_ARP_IP_TARGET, targets, sizeof(targets));
	assert_taken(fake, "bond0",
	             "mode 4 miimon 100 lacp_rate slow arp_ip_target 10.0.0.1,10.0.0.2 ns_ip6_target none "
	             "address 02:00:00:00:00:07 txqueuelen 1000 up off",
	             "", NULL);
	/* the order of a list counts */
	assert_taken(fake, "bond0", "arp_ip_target 10.0.0.2,10.0.0.1", "arp_ip_target=10.0.0.2,10.0.0.1", NULL);
	assert_taken(fake, "bond0", "arp_ip_target 10.0.0.1", "arp_ip_target=10.0.0.1", NULL);
	assert_taken(fake, "bond0", "arp_ip_target none", "arp_ip_target=", NULL);
	assert_taken(fake, "bond0", "arp_ip_target +10.0.0.3,-10.0.0.1", "arp_ip_target=10.0.0.2,10.0.0.3", NULL);
	assert_taken(fake, "bond0", "arp_ip_target +10.0.0.1", "", "arp_ip_target unchanged");
	assert_taken(fake, "bond0", "ns_ip6_target +fe80::1", "ns_ip6_target=fe80::1", NULL); /* there was none */
	/* the mode may be given again with slaves, and while the bond is up */
	fake = with_slaves(4);
	the_bond(fake)->flags |= IFF_UP;
	assert_taken(fake, "bond0", "mode 802.3ad lacp_rate slow fail_over_mac none miimon 50", "miimon=50", NULL);
}

static void a_primary_that_is_not_shown_may_be_pending(void **state)
{
	struct fake *fake = with_slaves(1);
	(void)state;
	/* the driver does not show a primary that is no slave yet: "none" must be said to be sure */
	assert_taken(fake, "bond0", "primary none", "primary=#0", NULL);
	fake_u32(the_bond(fake), LIBBOND_SCOPE_BOND, LB_BOND_PRIMARY, 3);
	assert_taken(fake, "bond0", "primary none", "primary=#0", NULL);
	assert_taken(fake, "bond0", "primary eth0", "", "primary unchanged");
}

static void what_a_new_mode_resets_is_sent_again(void **state)
{
	struct fake *fake = with_bond(1);
	(void)state;
	fake_u32(the_bond(fake), LIBBOND_SCOPE_BOND, LB_BOND_MIIMON, 100);
	fake_u32(the_bond(fake), LIBBOND_SCOPE_BOND, LB_BOND_UPDELAY, 200);
	/* mode sets arp_validate to none; a new miimon rescales the delays: what is wanted of them must be said */
	assert_taken(fake, "bond0", "miimon 50 updelay 200 resend_igmp 1", "miimon=50 updelay=200", NULL);
	fake_u32(the_bond(fake), LIBBOND_SCOPE_BOND, LB_BOND_MIIMON, 0);
	fake_u32(the_bond(fake), LIBBOND_SCOPE_BOND, LB_BOND_UPDELAY, 0);
	fake_u32(the_bond(fake), LIBBOND_SCOPE_BOND, LB_BOND_ARP_INTERVAL, 100);
	fake_u32(the_bond(fake), LIBBOND_SCOPE_BOND, LB_BOND_ARP_VALIDATE, 3);
	assert_taken(fake, "bond0", "mode 0 arp_validate all arp_interval 100 resend_igmp 1",
	             "mode=balance-rr arp_interval=100 arp_validate=all", NULL);
	/* without a new mode they hold */
	assert_taken(fake, "bond0", "mode 1 arp_validate all arp_interval 100", "", NULL);
}

static void delays_are_rounded_down(void **state)
{
	struct fake *fake = with_bond(1);
	(void)state;
	fake_u32(the_bond(fake), LIBBOND_SCOPE_BOND, LB_BOND_MIIMON, 100);
	assert_taken(fake, "bond0", "updelay 250", "updelay=200",
	             "updelay not_tried (stored as 200, a multiple of miimon 100)");
	assert_taken(fake, "bond0", "downdelay 300", "downdelay=300", "downdelay not_tried");
	assert_taken(fake, "bond0", "miimon 60 updelay 100", "miimon=60 updelay=60", NULL);
	/* to what it is already */
	assert_taken(fake, "bond0", "updelay 50", "", "updelay unchanged (stored as 0, a multiple of miimon 100)");
	/* by the miimon that the mode brings */
	assert_taken(fake_new(), NULL, "mode 802.3ad updelay 150", "mode=802.3ad updelay=100", NULL);
}

static void values_without_effect_are_noted(void **state)
{
	(void)state;
	assert_taken(with_bond(1), "bond0", "min_links 2", "min_links=2",
	             "min_links not_tried (has no effect in mode active-backup, only in 802.3ad)");
	assert_taken(with_bond(4), "bond0", "min_links 2", "min_links=2", "min_links not_tried");
	assert_taken(with_slaves(4), "eth0", "queue_id 2", "queue_id=2",
	             "queue_id not_tried (has no effect in mode 802.3ad, only in balance-rr or active-backup)");
}

static void the_state_a_bond_will_be_in(void **state)
{
	struct fake *fake = with_slaves(0);
	(void)state;
	fake_u32(the_bond(fake), LIBBOND_SCOPE_BOND, LB_BOND_ARP_INTERVAL, 100);
	struct libbond_snapshot *snapshot = take(fake);
	const struct libbond_link *bond = libbond_snapshot_by_name(snapshot, "bond0");
	struct lb_state s = lb_state_of(bond, "bond0", NULL);
	assert_true(s.mode == 0 && !s.up && !s.mode_changes && s.slaves == 2 && s.miimon == 0);
	assert_true(s.arp_interval == 100 && s.queues == 16);
	/* 802.3ad and its like do without ARP monitoring and not without miimon */
	struct libbond_config *config = unit_config("mode 802.3ad");
	s = lb_state_of(bond, "bond0", config);
	assert_true(s.mode == 4 && s.mode_changes && s.miimon == 100 && s.arp_interval == 0);
	libbond_config_free(config);
	config = unit_config("arp_interval 50 mode 1");
	s = lb_state_of(NULL, "bond0", config);
	assert_true(s.mode == 1 && s.mode_changes && s.miimon == 0 && s.arp_interval == 50 && s.slaves == 0 && !s.up);
	libbond_config_free(config);
	libbond_snapshot_free(snapshot);
}

/* --- what came of it --- */

/* Verify words that were sent, with the bond changed as "change" does. */
static struct bench *verify(struct fake *fake, const char *words, void (*change)(struct fake_link *bond))
{
	struct bench *bench = prepare(fake, "bond0", words);
	if (bench->rc < 0)
		unit_fail("'%s' was refused: %s", words, bench->err.message);
	change(the_bond(fake));
	struct libbond_snapshot *after = take(fake);
	bench->rc = lb_verify(&bench->work, libbond_snapshot_by_name(after, "bond0"), bench->report, &bench->err);
	libbond_snapshot_free(after);
	write_report(bench);
	return bench;
}

static void change_nothing(struct fake_link *bond)
{
	(void)bond;
}

static void take_igmp_3(struct fake_link *bond)
{
	fake_u32(bond, LIBBOND_SCOPE_BOND, LB_BOND_RESEND_IGMP, 3);
}

static void take_igmp_4(struct fake_link *bond)
{
	fake_u32(bond, LIBBOND_SCOPE_BOND, LB_BOND_RESEND_IGMP, 4);
}

static void lose_ns_targets(struct fake_link *bond)
{
	take_igmp_3(bond);
	fake_drop(bond, LIBBOND_SCOPE_BOND, LB_BOND_NS_IP6_TARGET);
}

static void choose_eth1(struct fake_link *bond)
{
	fake_u32(bond, LIBBOND_SCOPE_BOND, LB_BOND_ACTIVE_SLAVE, 4);
}

static void assert_verified(struct bench *bench, int rc, const char *reported)
{
	assert_int_equal(bench->rc, rc);
	unit_assert_text("report", reported, bench->reported);
	done(bench);
}

static void outcome_applied(void **state)
{
	(void)state;
	assert_verified(verify(with_bond(1), "resend_igmp 3", take_igmp_3), 0, "resend_igmp applied");
}

static void outcome_ignored(void **state)
{
	/* as the driver does with fail_over_mac active or follow */
	struct bench *bench = verify(with_bond(1), "address 02:00:00:00:00:99", change_nothing);
	(void)state;
	unit_assert_error(&bench->err, LIBBOND_CAUSE_IGNORED, EOPNOTSUPP, "address");
	unit_assert_contains("kept the old value", bench->err.message);
	assert_verified(bench, -EOPNOTSUPP, "address ignored");
}

static void outcome_overridden(void **state)
{
	struct bench *bench = verify(with_bond(1), "resend_igmp 3", take_igmp_4);
	(void)state;
	unit_assert_error(&bench->err, LIBBOND_CAUSE_OVERRIDDEN, EBUSY, "resend_igmp");
	unit_assert_contains("to 4", bench->err.message);
	assert_verified(bench, -EBUSY, "resend_igmp overridden");
	/* put back: a kernel that reports an option takes it, so that somebody else was at work */
	bench = verify(with_bond(1), "resend_igmp 3", change_nothing);
	unit_assert_error(&bench->err, LIBBOND_CAUSE_OVERRIDDEN, EBUSY, "resend_igmp");
	assert_verified(bench, -EBUSY, "resend_igmp overridden");
}

static void outcome_unsupported(void **state)
{
	/* a list is reported only when set, so that its absence is seen only afterwards */
	struct bench *bench = verify(with_bond(1), "ns_ip6_target fe80::1 resend_igmp 3", lose_ns_targets);
	(void)state;
	unit_assert_error(&bench->err, LIBBOND_CAUSE_UNSUPPORTED, EOPNOTSUPP, "ns_ip6_target");
	unit_assert_contains("5.18", bench->err.hint);
	assert_verified(bench, -EOPNOTSUPP, "ns_ip6_target ignored; resend_igmp applied");
}

static void lose_miimon(struct fake_link *bond)
{
	fake_drop(bond, LIBBOND_SCOPE_BOND, LB_BOND_MIIMON);
}

static void outcome_unsupported_zero(void **state)
{
	struct fake *fake = with_bond(1);
	(void)state;
	/* what is not there is not 0 */
	fake_u32(the_bond(fake), LIBBOND_SCOPE_BOND, LB_BOND_MIIMON, 100);
	struct bench *bench = verify(fake, "miimon 0", lose_miimon);
	unit_assert_error(&bench->err, LIBBOND_CAUSE_UNSUPPORTED, EOPNOTSUPP, "miimon");
	assert_verified(bench, -EOPNOTSUPP, "miimon ignored");
}

static void outcome_withheld(void **state)
{
	struct fake *fake = with_bond(4);
	(void)state;
	fake_deafen(fake, LIBBOND_SCOPE_BOND, LB_BOND_AD_ACTOR_SYS_PRIO);
	assert_verified(verify(fake, "ad_actor_sys_prio 9", change_nothing), 0,
	                "ad_actor_sys_prio unverified (accepted; reading it takes CAP_NET_ADMIN in the initial user "
	                "namespace)");
}

static void outcome_pending(void **state)
{
	struct fake *fake = with_bond(1);
	(void)state;
	fake_device(fake, 3, "eth0", 0);
	assert_verified(verify(fake, "primary eth0", change_nothing), 0,
	                "primary unverified (pending: eth0 is no slave of bond0 yet, and counts once it is)");
}

static void outcome_cleared(void **state)
{
	struct fake *fake = with_slaves(1);
	(void)state;
	/* cleared, and the driver chooses anew at once, maybe the same */
	fake_u32(the_bond(fake), LIBBOND_SCOPE_BOND, LB_BOND_ACTIVE_SLAVE, 3);
	assert_verified(verify(fake, "active_slave none", choose_eth1), 0, "active_slave applied");
	assert_verified(verify(fake, "active_slave none", change_nothing), 0, "active_slave applied");
}

/* What is left when the kernel stopped in the middle. */
static void refused(const char *words, enum libbond_cause cause, const char *attr, const char *expected_attr,
                    const char *reported)
{
	struct bench *bench = prepare(with_bond(1), "bond0", words);
	assert_int_equal(bench->rc, 0);
	take_igmp_3(the_bond(bench->fake));
	struct libbond_snapshot *after = take(bench->fake);
	bench->err = (struct libbond_error){.cause = cause,
	                                    .errnum = EINVAL,
	                                    .attr = attr ? BOND(attr) : NULL,
	                                    .message = "cannot change bond0: some reason"};
	lb_verify_refused(&bench->work, libbond_snapshot_by_name(after, "bond0"), bench->report, &bench->err);
	unit_assert_error(&bench->err, cause, EINVAL, expected_attr);
	libbond_snapshot_free(after);
	write_report(bench);
	unit_assert_text("report", reported, bench->reported);
	done(bench);
}

static void outcomes_of_a_refusal(void **state)
{
	static const char words[] = "resend_igmp 3 num_grat_arp 9 all_slaves_active on";
	(void)state;
	refused(words, LIBBOND_CAUSE_REFUSED, "num_grat_arp", "num_grat_arp",
	        "resend_igmp applied; num_grat_arp refused; all_slaves_active not_tried");
	refused(words, LIBBOND_CAUSE_REFUSED, NULL, "num_grat_arp",
	        "resend_igmp applied; num_grat_arp refused; all_slaves_active not_tried");
	/* the kernel's word counts, even if the value looks as if it had been applied */
	refused(words, LIBBOND_CAUSE_REFUSED, "resend_igmp", "resend_igmp",
	        "resend_igmp refused; num_grat_arp not_tried; all_slaves_active not_tried");
	refused(words, LIBBOND_CAUSE_PERMISSION, NULL, NULL,
	        "resend_igmp applied; num_grat_arp not_tried; all_slaves_active not_tried");
	refused(words, LIBBOND_CAUSE_TIMEOUT, NULL, NULL,
	        "resend_igmp applied; num_grat_arp unverified; all_slaves_active unverified");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("every option is taken and refused in the modes in which the driver does",
	             options_in_modes_that_do_not_take_them),
		TEST("a wrong mode is refused with the modes that would do", the_hint_lists_the_modes),
		TEST("options are judged by the mode that is wanted with them", options_that_go_with_the_new_mode),
		TEST("a mode newer than the table refuses nothing", a_mode_we_do_not_know_is_not_judged),
		TEST("a creation without a mode is not judged by one",
	             a_creation_without_a_mode_is_not_judged_by_one),
		TEST("what needs the bond down is refused while it is up", options_that_need_the_bond_down),
		TEST("what needs the slaves out is refused while there are some", options_that_need_no_slaves),
		TEST("what the kernel does not report it does not know", options_that_the_kernel_does_not_report),
		TEST("what is for creation only is refused later", options_of_creation_only),
		TEST("a device cannot have the address zero, LACP can", addresses_that_no_device_has),
		TEST("a delay needs miimon, present, wanted or brought by the mode", delays_without_a_monitor),
		TEST("ARP and MII monitoring at once are refused", two_monitors_at_once),
		TEST("ARP validation beside miimon is refused, its absence is not", arp_validation_beside_miimon),
		TEST("an active slave must be up and have link", active_slaves_that_cannot_be),
		TEST("a device that a value names must be there", a_device_that_is_not_there),
		TEST("a queue must be one of the bond's", queues_that_cannot_be),
		TEST("what holds already drops out", what_holds_drops_out),
		TEST("a primary that is not shown may be pending and is cleared all the same",
	             a_primary_that_is_not_shown_may_be_pending),
		TEST("what a change resets is sent again", what_a_new_mode_resets_is_sent_again),
		TEST("delays are rounded down to a multiple of miimon, and said so", delays_are_rounded_down),
		TEST("a value without an effect in the mode is noted", values_without_effect_are_noted),
		TEST("the state is the one the bond will be in", the_state_a_bond_will_be_in),
		TEST("what reads back as wanted is applied", outcome_applied),
		TEST("an address that reads back as before was ignored", outcome_ignored),
		TEST("what reads back as something else was overridden", outcome_overridden),
		TEST("what does not read back is unsupported", outcome_unsupported),
		TEST("what does not read back is unsupported also where 0 was wanted", outcome_unsupported_zero),
		TEST("what is withheld from this reader is unverified", outcome_withheld),
		TEST("a primary that is no slave yet is pending", outcome_pending),
		TEST("a cleared active slave is applied, whatever the driver chose", outcome_cleared),
		TEST("after a refusal applied, refused and not tried are told apart", outcomes_of_a_refusal),
	};
	return cmocka_run_group_tests_name("check", tests, NULL, NULL);
}
