/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The bytes of every attribute and of every kind of request, written by hand from the kernel's policies
 * (bond_netlink.c bond_policy[], bond_slave_policy[], rtnetlink.c ifla_policy[]) and never computed. Tests
 * lib/value-wire.c and lib/message.c; a row of the table without a line here fails.
 */
#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake.h"
#include "message.h"
#include "snapshot.h"
#include "unit.h"

/* One attribute: length, type, payload, padding. Types of nests that we send carry NLA_F_NESTED (0x8000). */
struct golden {
	enum libbond_scope scope;
	unsigned number;
	const char *name, *text;
	const char *hex; /* NULL: no attribute of its own, see the test named in the comment */
};

/* clang-format off */
static const struct golden golden[] = {
	{LIBBOND_SCOPE_BOND, 1, "mode", "802.3ad", "0500 0100 04 000000"},
	{LIBBOND_SCOPE_BOND, 2, "active_slave", "#7", "0800 0200 07000000"},
	{LIBBOND_SCOPE_BOND, 3, "miimon", "100", "0800 0300 64000000"},
	{LIBBOND_SCOPE_BOND, 4, "updelay", "200", "0800 0400 c8000000"},
	{LIBBOND_SCOPE_BOND, 5, "downdelay", "300", "0800 0500 2c010000"},
	{LIBBOND_SCOPE_BOND, 6, "use_carrier", "on", "0500 0600 01 000000"},
	{LIBBOND_SCOPE_BOND, 7, "arp_interval", "1000", "0800 0700 e8030000"},
	{LIBBOND_SCOPE_BOND, 8, "arp_ip_target", "10.0.0.1,192.168.1.254",
	 "1400 0880  0800 0000 0a000001  0800 0100 c0a801fe"},
	{LIBBOND_SCOPE_BOND, 9, "arp_validate", "filter_backup", "0800 0900 06000000"},
	{LIBBOND_SCOPE_BOND, 10, "arp_all_targets", "all", "0800 0a00 01000000"},
	{LIBBOND_SCOPE_BOND, 11, "primary", "#259", "0800 0b00 03010000"},
	{LIBBOND_SCOPE_BOND, 12, "primary_reselect", "failure", "0500 0c00 02 000000"},
	{LIBBOND_SCOPE_BOND, 13, "fail_over_mac", "follow", "0500 0d00 02 000000"},
	{LIBBOND_SCOPE_BOND, 14, "xmit_hash_policy", "vlan+srcmac", "0500 0e00 05 000000"},
	{LIBBOND_SCOPE_BOND, 15, "resend_igmp", "255", "0800 0f00 ff000000"},
	{LIBBOND_SCOPE_BOND, 16, "num_grat_arp", "255", "0500 1000 ff 000000"},
	{LIBBOND_SCOPE_BOND, 17, "all_slaves_active", "on", "0500 1100 01 000000"},
	{LIBBOND_SCOPE_BOND, 18, "min_links", "2147483647", "0800 1200 ffffff7f"},
	{LIBBOND_SCOPE_BOND, 19, "lp_interval", "10", "0800 1300 0a000000"},
	{LIBBOND_SCOPE_BOND, 20, "packets_per_slave", "65535", "0800 1400 ffff0000"},
	{LIBBOND_SCOPE_BOND, 21, "lacp_rate", "fast", "0500 1500 01 000000"},
	{LIBBOND_SCOPE_BOND, 22, "ad_select", "actor_port_prio", "0500 1600 03 000000"},
	/* only ever reported: ad_info_holds_five_attributes() */
	{LIBBOND_SCOPE_BOND, 23, "ad_info", NULL, NULL},
	{LIBBOND_SCOPE_BOND, 24, "ad_actor_sys_prio", "1000", "0600 1800 e803 0000"},
	{LIBBOND_SCOPE_BOND, 25, "ad_user_port_key", "1023", "0600 1900 ff03 0000"},
	{LIBBOND_SCOPE_BOND, 26, "ad_actor_system", "02:11:22:33:44:55", "0a00 1a00 021122334455 0000"},
	{LIBBOND_SCOPE_BOND, 27, "tlb_dynamic_lb", "off", "0500 1b00 00 000000"},
	{LIBBOND_SCOPE_BOND, 28, "peer_notif_delay", "300000", "0800 1c00 e0930400"},
	{LIBBOND_SCOPE_BOND, 29, "lacp_active", "off", "0500 1d00 00 000000"},
	{LIBBOND_SCOPE_BOND, 30, "arp_missed_max", "255", "0500 1e00 ff 000000"},
	{LIBBOND_SCOPE_BOND, 31, "ns_ip6_target", "2001:db8::1,fe80::2",
	 "2c00 1f80  1400 0000 20010db8000000000000000000000001  1400 0100 fe800000000000000000000000000002"},
	{LIBBOND_SCOPE_BOND, 32, "coupled_control", "off", "0500 2000 00 000000"},
	{LIBBOND_SCOPE_BOND, 33, "broadcast_neighbor", "on", "0500 2100 01 000000"},
	{LIBBOND_SCOPE_BOND, 34, "lacp_strict", "on", "0500 2200 01 000000"},

	{LIBBOND_SCOPE_AD_INFO, 1, "aggregator", "2", "0600 0100 0200 0000"},
	{LIBBOND_SCOPE_AD_INFO, 2, "num_ports", "3", "0600 0200 0300 0000"},
	{LIBBOND_SCOPE_AD_INFO, 3, "actor_key", "2383", "0600 0300 4f09 0000"},
	{LIBBOND_SCOPE_AD_INFO, 4, "partner_key", "32783", "0600 0400 0f80 0000"},
	{LIBBOND_SCOPE_AD_INFO, 5, "partner_mac", "02:00:00:00:00:bb", "0a00 0500 0200000000bb 0000"},

	{LIBBOND_SCOPE_SLAVE, 1, "state", "backup", "0500 0100 01 000000"},
	{LIBBOND_SCOPE_SLAVE, 2, "mii_status", "going_back", "0500 0200 03 000000"},
	{LIBBOND_SCOPE_SLAVE, 3, "link_failure_count", "4294967295", "0800 0300 ffffffff"},
	{LIBBOND_SCOPE_SLAVE, 4, "perm_hwaddr", "00:1b:21:0a:0b:0c", "0a00 0400 001b210a0b0c 0000"},
	{LIBBOND_SCOPE_SLAVE, 5, "queue_id", "258", "0600 0500 0201 0000"},
	{LIBBOND_SCOPE_SLAVE, 6, "ad_aggregator_id", "1", "0600 0600 0100 0000"},
	{LIBBOND_SCOPE_SLAVE, 7, "ad_actor_oper_port_state",
	 "activity,aggregation,synchronization,collecting,distributing", "0500 0700 3d 000000"},
	{LIBBOND_SCOPE_SLAVE, 8, "ad_partner_oper_port_state", "timeout,defaulted,expired", "0600 0800 c200 0000"},
	{LIBBOND_SCOPE_SLAVE, 9, "prio", "-7", "0800 0900 f9ffffff"},
	{LIBBOND_SCOPE_SLAVE, 10, "actor_port_prio", "65535", "0600 0a00 ffff 0000"},
	{LIBBOND_SCOPE_SLAVE, 11, "churn_actor_state", "churned", "0500 0b00 01 000000"},
	{LIBBOND_SCOPE_SLAVE, 12, "churn_partner_state", "none", "0500 0c00 02 000000"},

	/* a flag of the header: up_and_down() */
	{LIBBOND_SCOPE_LINK, 0, "up", NULL, NULL},
	{LIBBOND_SCOPE_LINK, 1, "address", "02:00:00:00:00:01", "0a00 0100 020000000001 0000"},
	{LIBBOND_SCOPE_LINK, 4, "mtu", "9000", "0800 0400 28230000"},
	{LIBBOND_SCOPE_LINK, 10, "master", "#6", "0800 0a00 06000000"},
	{LIBBOND_SCOPE_LINK, 13, "txqueuelen", "5000", "0800 0d00 88130000"},
	{LIBBOND_SCOPE_LINK, 16, "operstate", "lowerlayerdown", "0500 1000 03 000000"},
	{LIBBOND_SCOPE_LINK, 31, "numtxqueues", "4096", "0800 1f00 00100000"},
	{LIBBOND_SCOPE_LINK, 33, "carrier", "on", "0500 2100 01 000000"},
	{LIBBOND_SCOPE_LINK, 35, "carrier_changes", "2", "0800 2300 02000000"},
	{LIBBOND_SCOPE_LINK, 54, "permanent_address", "00:1b:21:0a:0b:0d", "0a00 3600 001b210a0b0d 0000"},
};

/* clang-format on */

#define NEEDS_LITTLE_ENDIAN()                                                                                        \
	do {                                                                                                         \
		if (!unit_is_little_endian())                                                                        \
			SKIP("golden bytes are a little-endian machine's");                                          \
	} while (0)

static const struct golden *golden_of(const struct libbond_attr *attr)
{
	for (size_t i = 0; i < COUNT(golden); i++)
		if (golden[i].scope == libbond_attr_scope(attr) && golden[i].number == libbond_attr_id(attr))
			return &golden[i];
	return NULL;
}

static void every_row_has_golden_bytes(void **state)
{
	(void)state;
	for (unsigned s = 0; s < LIBBOND_SCOPES; s++)
		for (const struct libbond_attr *a = NULL; (a = libbond_attr_next((enum libbond_scope)s, a));)
			if (!golden_of(a))
				unit_fail("%s attribute %u (%s) has no line of golden bytes", unit_scope_name(s),
				          libbond_attr_id(a), a->name);
	for (size_t i = 0; i < COUNT(golden); i++) {
		const struct libbond_attr *attr = libbond_attr_number(golden[i].scope, golden[i].number);
		if (!attr)
			unit_fail("golden bytes of %s, which the table lacks", golden[i].name);
		unit_assert_text("name", golden[i].name, attr->name);
		assert_ptr_equal(golden_of(attr), &golden[i]);
	}
}

static void read_golden(const struct golden *line, const struct libbond_attr *attr, struct lb_value *out)
{
	uint8_t bytes[128];
	char text[256];
	size_t length = unit_hex(line->hex, bytes, sizeof(bytes));
	struct nlattr *nla = malloc(length);

	assert_non_null(nla);
	memcpy(nla, bytes, length);
	memset(out, 0, sizeof(*out));
	if (lb_value_get(attr, nla, out) < 0)
		unit_fail("%s cannot be read from %s", line->name, line->hex);
	free(nla);
	lb_value_format(attr, out, text, sizeof(text));
	unit_assert_text(line->name, line->text, text);
}

static void every_attribute_is_read(void **state)
{
	struct lb_value value;
	(void)state;
	NEEDS_LITTLE_ENDIAN();
	for (size_t i = 0; i < COUNT(golden); i++)
		if (golden[i].hex)
			read_golden(&golden[i], libbond_attr_number(golden[i].scope, golden[i].number), &value);
}

static void every_settable_attribute_is_written(void **state)
{
	(void)state;
	NEEDS_LITTLE_ENDIAN();
	for (size_t i = 0; i < COUNT(golden); i++) {
		const struct libbond_attr *attr = libbond_attr_number(golden[i].scope, golden[i].number);
		_Alignas(8) char buffer[512] = {0};
		char why[256] = "";
		struct lb_value value;

		if (!golden[i].hex || (attr->flags & LIBBOND_ATTR_READ_ONLY))
			continue;
		if (attr->type == LIBBOND_TYPE_LINK)
			value = (struct lb_value){.count = 1, .number = strtol(golden[i].text + 1, NULL, 10)};
		else if (lb_value_parse(attr, golden[i].text, &value, why, sizeof(why)) < 0)
			unit_fail("%s '%s' %s", golden[i].name, golden[i].text, why);
		struct nlmsghdr *nlh = mnl_nlmsg_put_header(buffer);
		assert_true(lb_value_put(attr, &value, nlh, sizeof(buffer)));
		unit_assert_bytes(golden[i].name, golden[i].hex, mnl_nlmsg_get_payload(nlh),
		                  mnl_nlmsg_get_payload_len(nlh));
	}
}

/* bond_fill_info(): IFLA_BOND_AD_INFO is a nest without NLA_F_NESTED */
static void ad_info_holds_five_attributes(void **state)
{
	static const char hex[] = "06000100 01000000 06000200 02000000 06000300 4f090000 06000400 0f000000"
				  "0a000500 0200000000bb0000";
	static const char *const texts[][2] = {{"aggregator", "1"},
	                                       {"num_ports", "2"},
	                                       {"actor_key", "2383"},
	                                       {"partner_key", "15"},
	                                       {"partner_mac", "02:00:00:00:00:bb"}};
	struct fake *fake = fake_new();
	struct fake_link *bond = fake_bond(fake, 7, "bond0", 4);
	_Alignas(8) char message[4096];
	struct libbond_snapshot *snapshot;
	uint8_t bytes[64];
	(void)state;

	NEEDS_LITTLE_ENDIAN();
	fake_put(bond, LIBBOND_SCOPE_BOND, 23, bytes, unit_hex(hex, bytes, sizeof(bytes)));
	fake_message(bond, message, sizeof(message), 1, 0);
	assert_int_equal(lb_snapshot_new(&snapshot), 0);
	assert_int_equal(lb_snapshot_add(snapshot, (struct nlmsghdr *)message, LB_KEEP_ALL), 0);
	assert_int_equal(lb_snapshot_finish(snapshot), 0);
	const struct libbond_link *link = libbond_snapshot_bond(snapshot, 0);
	assert_true(libbond_link_has(link, BOND("ad_info")));
	for (size_t i = 0; i < COUNT(texts); i++) {
		char text[32];
		assert_true(libbond_link_text(link, AD(texts[i][0]), text, sizeof(text)) > 0);
		unit_assert_text(texts[i][0], texts[i][1], text);
	}
	libbond_snapshot_free(snapshot);
}

/* --- whole requests --- */

#define HEADER_UNUSED "0000 0000" /* sequence number, set when it is sent */ " 00000000"
#define BOND0 "0a00 0300 626f6e643000 0000" /* IFLA_IFNAME "bond0" */
#define KIND_BOND "0900 0100 626f6e6400 000000"
#define SLAVE_KIND_BOND "0900 0400 626f6e6400 000000"

static void assert_message(const char *what, const char *hex, const struct lb_message *message)
{
	unit_assert_bytes(what, hex, message->nlh, message->nlh->nlmsg_len);
}

static void check_config(const char *what, struct libbond_config *config, bool create, const char *hex)
{
	struct lb_message message;
	int rc = create ? lb_message_create(&message, "bond0", 0, config) : lb_message_change(&message, 7, config);
	assert_int_equal(rc, 0);
	assert_message(what, hex, &message);
	libbond_config_free(config);
}

static void create_request(void **state)
{
	(void)state;
	NEEDS_LITTLE_ENDIAN();
	/* RTM_NEWLINK, REQUEST|ACK|ECHO|CREATE|EXCL; the kind alone */
	check_config("create", unit_config("mode 0"), true,
	             "4800 0000 1000 0d06 " HEADER_UNUSED "0000 0000 00000000 00000000 00000000" BOND0
	             "1c00 1280" KIND_BOND "0c00 0280 0500 0100 00000000");
	/* link attributes stand beside the kind, options inside it, in the driver's order */
	check_config("create", unit_config("txqueuelen 5 miimon 100 numtxqueues 4 mode 802.3ad"), true,
	             "6000 0000 1000 0d06 " HEADER_UNUSED "0000 0000 00000000 00000000 00000000" BOND0
	             "0800 0d00 05000000 0800 1f00 04000000"
	             "2400 1280" KIND_BOND "1400 0280 0500 0100 04000000 0800 0300 64000000");
	/* up is a flag with its mask */
	check_config("create", unit_config("mode 0 up on"), true,
	             "4800 0000 1000 0d06 " HEADER_UNUSED "0000 0000 00000000 01000000 01000000" BOND0
	             "1c00 1280" KIND_BOND "0c00 0280 0500 0100 00000000");
}

static void set_requests(void **state)
{
	(void)state;
	NEEDS_LITTLE_ENDIAN();
	/* RTM_NEWLINK without CREATE (an RTM_SETLINK would ignore the options) */
	check_config("set", unit_config("miimon 50"), false,
	             "3c00 0000 1000 0500 " HEADER_UNUSED "0000 0000 07000000 00000000 00000000"
	             "1c00 1280" KIND_BOND "0c00 0280 0800 0300 32000000");
	check_config("set of a link attribute alone", unit_config("mtu 9000"), false,
	             "2800 0000 1000 0500 " HEADER_UNUSED "0000 0000 07000000 00000000 00000000 0800 0400 28230000");
	check_config("empty list", unit_config("arp_ip_target none"), false,
	             "3800 0000 1000 0500 " HEADER_UNUSED "0000 0000 07000000 00000000 00000000"
	             "1800 1280" KIND_BOND "0800 0280 0400 0880");
	check_config("slave options", unit_slave_config("prio -7 queue_id 3"), false,
	             "4400 0000 1000 0500 " HEADER_UNUSED "0000 0000 07000000 00000000 00000000"
	             "2400 1280" SLAVE_KIND_BOND "1400 0580 0600 0500 03000000 0800 0900 f9ffffff");
}

static void up_and_down(void **state)
{
	struct lb_message message;
	(void)state;
	NEEDS_LITTLE_ENDIAN();
	lb_message_admin(&message, 7, true);
	assert_message("up", "2000 0000 1000 0500 " HEADER_UNUSED "0000 0000 07000000 01000000 01000000", &message);
	lb_message_admin(&message, 7, false);
	assert_message("down", "2000 0000 1000 0500 " HEADER_UNUSED "0000 0000 07000000 00000000 01000000", &message);
	check_config("up by a config", unit_config("up on"), false,
	             "2000 0000 1000 0500 " HEADER_UNUSED "0000 0000 07000000 01000000 01000000");
	check_config("down by a config", unit_config("up off"), false,
	             "2000 0000 1000 0500 " HEADER_UNUSED "0000 0000 07000000 00000000 01000000");
}

/* Dumps of what hangs on device 3, filtered by the kernel where it can: strict checking refuses a byte too much. */
static const struct {
	const char *what, *hex;
} looks[] = {
	{"RTM_GETADDR, by the header's index", "1800 0000 1600 0103 04000000 00000000 00 00 00 00 03000000"},
	{"RTM_GETNEXTHOP, by NHA_OIF",
         "2000 0000 6a00 0103 05000000 00000000 00 00 00 00 00000000 0800 0500 03000000"},
	{"RTM_GETROUTE, AF_INET, by RTA_OIF",
         "2400 0000 1a00 0103 06000000 00000000 02 00 00 00 00 00 00 00 00000000 0800 0400 03000000"},
	{"RTM_GETROUTE, AF_INET6, by RTA_OIF",
         "2400 0000 1a00 0103 07000000 00000000 0a 00 00 00 00 00 00 00 00000000 0800 0400 03000000"},
	{"RTM_GETNEIGH, by NDA_IFINDEX",
         "2400 0000 1e00 0103 08000000 00000000 00 00 0000 00000000 0000 00 00 0800 0800 03000000"},
	{"RTM_GETNEIGH of proxies (NTF_PROXY)",
         "2400 0000 1e00 0103 09000000 00000000 00 00 0000 00000000 0000 08 00 0800 0800 03000000"},
};

static void enslave_requests(void **state)
{
	struct fake *fake = fake_new();
	struct libbond *handle = fake_open(fake);
	const char *slave = "eth0";
	(void)state;
	NEEDS_LITTLE_ENDIAN();
	fake_bond(fake, 7, "bond0", 1);
	fake_device(fake, 3, "eth0", IFF_UP);
	assert_int_equal(libbond_enslave(handle, "bond0", &slave, 1, 0, NULL, NULL), 0);
	/* sequence numbers 1 to 3 were the look at both devices and VLANs, 4 to 9 at what hangs on it, 10 a last one
	 */
	unit_assert_text("requests",
	                 "get bond0 + get eth0 + dump kind vlan; look at #3: addresses,nexthops,routes4,routes6; "
	                 "look at #3: neighbours,proxies; get #3 + set #3 down + set #3 master 7; get #7 + get #3",
	                 fake->log);
	for (size_t i = 0; i < COUNT(looks); i++)
		unit_assert_bytes(looks[i].what, looks[i].hex, fake_request(fake, 3 + i),
		                  fake_request(fake, 3 + i)->nlmsg_len);
	unit_assert_bytes("down",
	                  "2000 0000 1000 0500 0b000000 00000000"
	                  "0000 0000 03000000 00000000 01000000",
	                  fake_request(fake, 10), fake_request(fake, 10)->nlmsg_len);
	unit_assert_bytes("master",
	                  "2800 0000 1000 0500 0c000000 00000000"
	                  "0000 0000 03000000 00000000 00000000 0800 0a00 07000000",
	                  fake_request(fake, 11), fake_request(fake, 11)->nlmsg_len);
	libbond_close(handle);
}

static void release_and_delete_requests(void **state)
{
	struct lb_message message;
	(void)state;
	NEEDS_LITTLE_ENDIAN();
	lb_message_master(&message, 3, 0);
	assert_message("release",
	               "2800 0000 1000 0500 " HEADER_UNUSED "0000 0000 03000000 00000000 00000000 0800 0a00 00000000",
	               &message);
	lb_message_delete(&message, 7);
	assert_message("delete", "2000 0000 1100 0500 " HEADER_UNUSED "0000 0000 07000000 00000000 00000000",
	               &message);
}

static void get_requests(void **state)
{
	struct lb_message message;
	(void)state;
	NEEDS_LITTLE_ENDIAN();
	lb_message_get_name(&message, "bond0", 0);
	assert_message("get by name",
	               "2c00 0000 1200 0100 " HEADER_UNUSED "0000 0000 00000000 00000000 00000000" BOND0, &message);
	lb_message_get_name(&message, "bond0", LIBBOND_READ_NO_STATS);
	assert_message("get without counters",
	               "3400 0000 1200 0100 " HEADER_UNUSED "0000 0000 00000000 00000000 00000000" BOND0
	               "0800 1d00 08000000",
	               &message);
	/* sixteen bytes: too long for IFLA_IFNAME, an alternative name (53) */
	lb_message_get_name(&message, "uplink-of-rack-1", 0);
	assert_message("get by alternative name",
	               "3800 0000 1200 0100 " HEADER_UNUSED "0000 0000 00000000 00000000 00000000"
	               "1500 3500 75706c696e6b2d6f662d7261636b2d31 00 000000",
	               &message);
	lb_message_get_index(&message, 7, 0);
	assert_message("get by index", "2000 0000 1200 0100 " HEADER_UNUSED "0000 0000 07000000 00000000 00000000",
	               &message);
}

static void dump_requests(void **state)
{
	struct lb_message message;
	(void)state;
	NEEDS_LITTLE_ENDIAN();
	/* NLM_F_DUMP (ROOT|MATCH) without an ACK */
	lb_message_dump(&message, NULL, 0, 0);
	assert_message("dump", "2000 0000 1200 0103 " HEADER_UNUSED "0000 0000 00000000 00000000 00000000", &message);
	lb_message_dump(&message, "bond", 0, 0);
	assert_message("dump of a kind",
	               "3000 0000 1200 0103 " HEADER_UNUSED "0000 0000 00000000 00000000 00000000"
	               "1000 1280" KIND_BOND,
	               &message);
	lb_message_dump(&message, NULL, 7, LIBBOND_READ_NO_STATS);
	assert_message("dump of a master's ports",
	               "3000 0000 1200 0103 " HEADER_UNUSED "0000 0000 00000000 00000000 00000000"
	               "0800 0a00 07000000 0800 1d00 08000000",
	               &message);
}

/* Every option at once, both lists full: the longest request there is. */
static void the_longest_request_fits(void **state)
{
	char words[4096] = "mode 1", list[1024] = "";
	struct lb_message message;
	(void)state;
	for (const struct libbond_attr *a = NULL; (a = libbond_attr_next(LIBBOND_SCOPE_BOND, a));) {
		if ((a->flags & LIBBOND_ATTR_READ_ONLY) || a->type == LIBBOND_TYPE_IP4_LIST ||
		    a->type == LIBBOND_TYPE_IP6_LIST)
			continue;
		snprintf(words + strlen(words), sizeof(words) - strlen(words), " %s %s", a->name,
		         a->type == LIBBOND_TYPE_LINK ? "none" : libbond_attr_default(a));
	}
	for (unsigned i = 1; i <= LIBBOND_TARGETS_MAX; i++)
		snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s10.0.0.%u", i > 1 ? "," : "", i);
	snprintf(words + strlen(words), sizeof(words) - strlen(words), " arp_ip_target %s", list);
	list[0] = '\0';
	for (unsigned i = 1; i <= LIBBOND_TARGETS_MAX; i++)
		snprintf(list + strlen(list), sizeof(list) - strlen(list), "%s2001:db8::%x", i > 1 ? "," : "", i);
	snprintf(words + strlen(words), sizeof(words) - strlen(words),
	         " ns_ip6_target %s address 02:00:00:00:00:01 mtu 1500 txqueuelen 1 numtxqueues 1 up on", list);
	struct libbond_config *config = unit_config(words);
	assert_int_equal(lb_message_create(&message, "a-name-of-15-by", 0, config), 0);
	assert_true(message.nlh->nlmsg_len > 800 && message.nlh->nlmsg_len < LB_MESSAGE_SIZE / 2);
	libbond_config_free(config);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("every row of the table has golden bytes", every_row_has_golden_bytes),
		TEST("every attribute is read from its golden bytes", every_attribute_is_read),
		TEST("every settable attribute is written as its golden bytes", every_settable_attribute_is_written),
		TEST("ad_info holds five attributes, read from golden bytes", ad_info_holds_five_attributes),
		TEST("the request that creates a bond has its golden bytes", create_request),
		TEST("requests that set options have their golden bytes", set_requests),
		TEST("requests that set a device up and down have their golden bytes", up_and_down),
		TEST("enslaving a device that is up is two messages with their golden bytes, and a look at what "
	             "hangs on it",
	             enslave_requests),
		TEST("requests that release and delete have their golden bytes", release_and_delete_requests),
		TEST("requests for one device have their golden bytes", get_requests),
		TEST("dumps, filtered by kind or master, have their golden bytes", dump_requests),
		TEST("the longest request fits its message twice", the_longest_request_fits),
	};
	return cmocka_run_group_tests_name("golden", tests, NULL, NULL);
}
