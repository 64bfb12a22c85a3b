/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decoding of what kernels have said (recorded/), against values written by hand, and of what no kernel should say:
 * unknown, short, long, cut and garbled attributes. Tests lib/snapshot.c, lib/link.c and lib/counters.c.
 */
#include <errno.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fake.h"
#include "snapshot.h"
#include "unit.h"
#include "walk.h"

enum { MESSAGES = 4, MESSAGE = 4096 };

struct recording {
	size_t count;
	_Alignas(8) uint8_t messages[MESSAGES][MESSAGE];
};

#define NEEDS_LITTLE_ENDIAN()                                                                                        \
	do {                                                                                                         \
		if (!unit_is_little_endian())                                                                        \
			SKIP("the recordings are a little-endian machine's");                                        \
	} while (0)

static FILE *open_recorded(const char *name, const char *suffix)
{
	char path[256];
	snprintf(path, sizeof(path), "%s/%s%s", RECORDED, name, suffix);
	FILE *file = fopen(path, "r");
	if (!file)
		unit_fail("cannot open %s (the tests run from the top of the tree)", path);
	return file;
}

static struct recording *load(const char *name)
{
	static struct recording recording;
	char line[256];
	size_t used = 0;
	FILE *file = open_recorded(name, ".hex");

	recording.count = 0;
	while (fgets(line, sizeof(line), file)) {
		if (*line == '#')
			continue;
		if (strncmp(line, "link ", 5) == 0) {
			assert_true(recording.count < MESSAGES);
			recording.count++;
			used = 0;
			continue;
		}
		assert_true(recording.count > 0);
		used += unit_hex(line, recording.messages[recording.count - 1] + used, MESSAGE - used);
	}
	fclose(file);
	for (size_t i = 0; i < recording.count; i++)
		assert_true(((struct nlmsghdr *)recording.messages[i])->nlmsg_type == RTM_NEWLINK);
	return &recording;
}

static struct nlmsghdr *message(struct recording *recording, size_t i)
{
	return (void *)recording->messages[i];
}

static struct libbond_snapshot *snapshot_of(struct recording *recording)
{
	struct libbond_snapshot *snapshot;
	assert_int_equal(lb_snapshot_new(&snapshot), 0);
	for (size_t i = 0; i < recording->count; i++)
		assert_int_equal(lb_snapshot_add(snapshot, message(recording, i), LB_KEEP_ALL), 0);
	assert_int_equal(lb_snapshot_finish(snapshot), 0);
	return snapshot;
}

/* --- recordings against what sysfs and iproute2 said at the same time --- */

struct tally {
	unsigned expected;
};

static void check_line(const struct libbond_snapshot *snapshot, char *line, struct tally *tally)
{
	char device[32], scope[16], name[64], value[512], text[LIBBOND_TEXT_SIZE];
	if (*line == '#' || sscanf(line, "%31s %15s %63s %511s", device, scope, name, value) < 1)
		return;
	const struct libbond_link *link = libbond_snapshot_by_name(snapshot, device);
	unsigned s = 0;
	while (s < LIBBOND_SCOPES && strcmp(scope, unit_scope_name(s)) != 0)
		s++;
	const struct libbond_attr *attr = unit_row((enum libbond_scope)s, name);
	if (!link || !libbond_link_has(link, attr))
		unit_fail("%s has no %s", device, name);
	assert_true(libbond_link_text(link, attr, text, sizeof(text)) >= 0);
	if (strcmp(text, value) != 0)
		unit_fail("%s %s: expected %s, got %s", device, name, value, text);
	tally->expected++;
}

static void check_expectations(const char *name, const struct libbond_snapshot *snapshot, struct tally *tally)
{
	char line[768];
	FILE *file = open_recorded(name, ".expect");
	while (fgets(line, sizeof(line), file))
		check_line(snapshot, line, tally);
	fclose(file);
}

/* All that was recorded is expected: nothing is decoded that nobody looked at. The nest is its parts. */
static unsigned count_reported(const struct libbond_snapshot *snapshot)
{
	unsigned count = 0;
	for (size_t i = 0; i < libbond_snapshot_links(snapshot); i++)
		for (unsigned s = 0; s < LIBBOND_SCOPES; s++)
			for (const struct libbond_attr *a = NULL; (a = libbond_attr_next((enum libbond_scope)s, a));)
				count += a->type != LIBBOND_TYPE_NEST &&
				         libbond_link_has(libbond_snapshot_link(snapshot, i), a);
	return count;
}

static void check_recording(const char *kernel, const char *what)
{
	char name[64];
	struct tally tally = {0};
	snprintf(name, sizeof(name), "%s-%s", kernel, what);
	struct libbond_snapshot *snapshot = snapshot_of(load(name));
	struct libbond_unknown unknown;

	assert_int_equal(libbond_snapshot_links(snapshot), 3);
	assert_int_equal(libbond_snapshot_bonds(snapshot), 1);
	const struct libbond_link *bond = libbond_snapshot_bond(snapshot, 0);
	unit_assert_text("kind", "bond", libbond_link_kind(bond));
	assert_int_equal(libbond_link_slaves(bond), 2);
	unit_assert_text("slave", "eth0", libbond_link_name(libbond_link_slave(bond, 0)));
	unit_assert_text("slave", "eth1", libbond_link_name(libbond_link_slave(bond, 1)));
	unit_assert_text("kind of a slave", "veth", libbond_link_kind(libbond_link_slave(bond, 1)));
	check_expectations(what, snapshot, &tally);
	check_expectations(name, snapshot, &tally);
	if (tally.expected != count_reported(snapshot))
		unit_fail("%u attributes are expected, %u were decoded", tally.expected, count_reported(snapshot));
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(libbond_link_unknown(libbond_snapshot_link(snapshot, i), 0, &unknown), -ENOENT);
	walk_snapshot(snapshot);
	libbond_snapshot_free(snapshot);
}

static void active_backup_of_6_1(void **state)
{
	(void)state;
	NEEDS_LITTLE_ENDIAN();
	check_recording("uml-6.1", "active-backup");
}

static void active_backup_of_7_2(void **state)
{
	(void)state;
	NEEDS_LITTLE_ENDIAN();
	check_recording("uml-7.2", "active-backup");
}

static void lacp_of_6_1(void **state)
{
	(void)state;
	NEEDS_LITTLE_ENDIAN();
	check_recording("uml-6.1", "lacp");
}

static void lacp_of_7_2(void **state)
{
	(void)state;
	NEEDS_LITTLE_ENDIAN();
	check_recording("uml-7.2", "lacp");
}

static const struct nlattr *attr_at(const struct nlmsghdr *nlh, const int *path)
{
	return (const void *)((const char *)nlh + fake_offset(nlh, path));
}

static void recorded_lists_start_at_type_0(void **state)
{
	static const char *const names[] = {"uml-6.1-active-backup", "uml-7.2-active-backup"};
	static const int paths[][5] = {{LB_IFLA_LINKINFO, LB_INFO_DATA, LB_BOND_ARP_IP_TARGET, 0, -1},
	                               {LB_IFLA_LINKINFO, LB_INFO_DATA, LB_BOND_NS_IP6_TARGET, 0, -1}};
	(void)state;
	NEEDS_LITTLE_ENDIAN();
	for (size_t i = 0; i < COUNT(names); i++)
		for (size_t p = 0; p < COUNT(paths); p++) {
			const struct nlattr *first = attr_at(message(load(names[i]), 0), paths[p]);
			assert_int_equal(first->nla_type, 0);
			assert_int_equal(mnl_attr_get_payload_len(first), p ? 16 : 4);
		}
}

static void alternative_names_are_answered_to(void **state)
{
	(void)state;
	NEEDS_LITTLE_ENDIAN();
	struct libbond_snapshot *snapshot = snapshot_of(load("uml-7.2-active-backup"));
	assert_ptr_equal(libbond_snapshot_by_name(snapshot, "uplink-of-the-machine"),
	                 libbond_snapshot_bond(snapshot, 0));
	assert_null(libbond_snapshot_by_name(snapshot, "uplink-of-the-machin"));
	assert_null(libbond_snapshot_by_name(snapshot, "bond1"));
	libbond_snapshot_free(snapshot);
}

/* --- attributes that no kernel of today sends --- */

/* Put bytes at the end of a nest (types from outside in, -1 at the end); every length around them grows. */
static void insert(struct nlmsghdr *nlh, const int *path, const void *bytes, size_t length)
{
	size_t padded = NLA_ALIGN(length), end = 0;
	int part[8];
	assert_true(nlh->nlmsg_len + padded <= MESSAGE);
	for (size_t depth = 1; path[depth - 1] >= 0; depth++) {
		memcpy(part, path, depth * sizeof(*path));
		part[depth] = -1;
		struct nlattr *nest = (void *)((char *)nlh + fake_offset(nlh, part));
		end = (size_t)((char *)nest - (char *)nlh) + NLA_ALIGN(nest->nla_len);
	}
	memmove((char *)nlh + end + padded, (char *)nlh + end, nlh->nlmsg_len - end);
	memset((char *)nlh + end, 0, padded);
	memcpy((char *)nlh + end, bytes, length);
	for (size_t depth = 1; path[depth - 1] >= 0; depth++) {
		memcpy(part, path, depth * sizeof(*path));
		part[depth] = -1;
		((struct nlattr *)(void *)((char *)nlh + fake_offset(nlh, part)))->nla_len += (uint16_t)padded;
	}
	nlh->nlmsg_len += (uint32_t)padded;
}

static void insert_hex(struct nlmsghdr *nlh, const int *path, const char *hex)
{
	uint8_t bytes[512];
	insert(nlh, path, bytes, unit_hex(hex, bytes, sizeof(bytes)));
}

static const int linkinfo[] = {LB_IFLA_LINKINFO, -1};
static const int bond_data[] = {LB_IFLA_LINKINFO, LB_INFO_DATA, -1};
static const int ad_info[] = {LB_IFLA_LINKINFO, LB_INFO_DATA, LB_BOND_AD_INFO, -1};
static const int slave_data[] = {LB_IFLA_LINKINFO, LB_INFO_SLAVE_DATA, -1};

static void assert_unknown(const struct libbond_link *link, size_t i, enum libbond_scope scope, unsigned number,
                           const char *hex)
{
	struct libbond_unknown unknown;
	assert_int_equal(libbond_link_unknown(link, i, &unknown), 0);
	assert_int_equal(unknown.scope, scope);
	assert_int_equal(unknown.number, number);
	unit_assert_bytes("unknown attribute", hex, unknown.bytes, unknown.length);
}

static void unknown_numbers_are_kept_as_bytes(void **state)
{
	struct libbond_unknown unknown;
	(void)state;
	NEEDS_LITTLE_ENDIAN();
	struct recording *recording = load("uml-7.2-lacp");
	insert_hex(message(recording, 0), bond_data, "0900 3c00 0102030405 000000 0400 3d00");
	insert_hex(message(recording, 0), ad_info, "0800 0600 aabbccdd");
	insert_hex(message(recording, 0), bond_data, "0500 0000 07 000000"); /* number 0 is no attribute of ours */
	insert_hex(message(recording, 1), slave_data, "0800 0d00 11223344 0800 ff3f 55667788");
	struct libbond_snapshot *snapshot = snapshot_of(recording);
	const struct libbond_link *bond = libbond_snapshot_bond(snapshot, 0);
	const struct libbond_link *slave = libbond_snapshot_by_name(snapshot, "eth0");

	assert_unknown(bond, 0, LIBBOND_SCOPE_BOND, 60, "0102030405");
	assert_unknown(bond, 1, LIBBOND_SCOPE_BOND, 61, "");
	assert_unknown(bond, 2, LIBBOND_SCOPE_BOND, 0, "07");
	assert_unknown(bond, 3, LIBBOND_SCOPE_AD_INFO, 6, "aabbccdd");
	assert_int_equal(libbond_link_unknown(bond, 4, &unknown), -ENOENT);
	assert_unknown(slave, 0, LIBBOND_SCOPE_SLAVE, 13, "11223344");
	assert_unknown(slave, 1, LIBBOND_SCOPE_SLAVE, 0x3fff, "55667788");
	assert_int_equal(libbond_link_unknown(slave, 2, &unknown), -ENOENT);
	libbond_snapshot_free(snapshot);

	/* and all that is known is still read */
	struct tally tally = {0};
	snapshot = snapshot_of(recording);
	check_expectations("lacp", snapshot, &tally);
	assert_true(tally.expected > 60);
	libbond_snapshot_free(snapshot);
}

static void short_attributes_are_unknown(void **state)
{
	static const int miimon[] = {LB_IFLA_LINKINFO, LB_INFO_DATA, LB_BOND_MIIMON, -1};
	static const int prio[] = {LB_IFLA_LINKINFO, LB_INFO_SLAVE_DATA, LB_SLAVE_PRIO, -1};
	struct libbond_unknown unknown;
	char text[64] = "untouched";
	int64_t number = 42;
	(void)state;
	NEEDS_LITTLE_ENDIAN();
	struct recording *recording = load("uml-7.2-lacp");
	((struct nlattr *)attr_at(message(recording, 0), miimon))->nla_len = 4 + 3;
	((struct nlattr *)attr_at(message(recording, 1), prio))->nla_len = 4;
	struct libbond_snapshot *snapshot = snapshot_of(recording);
	const struct libbond_link *bond = libbond_snapshot_bond(snapshot, 0);

	assert_false(libbond_link_has(bond, BOND("miimon")));
	assert_int_equal(libbond_link_number(bond, BOND("miimon"), &number), -ENODATA);
	assert_int_equal(libbond_link_text(bond, BOND("miimon"), text, sizeof(text)), -ENODATA);
	assert_int_equal(number, 42);
	unit_assert_text("text", "untouched", text);
	assert_unknown(bond, 0, LIBBOND_SCOPE_BOND, LB_BOND_MIIMON, "320000");
	assert_int_equal(libbond_link_unknown(bond, 1, &unknown), -ENOENT);
	assert_unknown(libbond_snapshot_by_name(snapshot, "eth0"), 0, LIBBOND_SCOPE_SLAVE, LB_SLAVE_PRIO, "");
	libbond_snapshot_free(snapshot);
}

static void long_attributes_are_read_by_their_leading_bytes(void **state)
{
	struct libbond_unknown unknown;
	int64_t number;
	(void)state;
	NEEDS_LITTLE_ENDIAN();
	struct recording *recording = load("uml-7.2-active-backup");
	/* of an attribute that comes twice the last counts; the other is not lost */
	insert_hex(message(recording, 0), bond_data, "0c00 0300 2c010000 ffffffff");
	struct libbond_snapshot *snapshot = snapshot_of(recording);
	const struct libbond_link *bond = libbond_snapshot_bond(snapshot, 0);
	assert_int_equal(libbond_link_number(bond, BOND("miimon"), &number), 0);
	assert_int_equal(number, 300);
	assert_unknown(bond, 0, LIBBOND_SCOPE_BOND, LB_BOND_MIIMON, "00000000");
	assert_int_equal(libbond_link_unknown(bond, 1, &unknown), -ENOENT);
	libbond_snapshot_free(snapshot);
}

static void words_and_bits_of_a_newer_kernel(void **state)
{
	static const int mode[] = {LB_IFLA_LINKINFO, LB_INFO_DATA, LB_BOND_MODE, -1};
	static const int partner[] = {LB_IFLA_LINKINFO, LB_INFO_SLAVE_DATA, LB_SLAVE_AD_PARTNER_OPER_PORT_STATE, -1};
	char text[128];
	int64_t number;
	(void)state;
	NEEDS_LITTLE_ENDIAN();
	struct recording *recording = load("uml-7.2-lacp");
	*(uint8_t *)mnl_attr_get_payload(attr_at(message(recording, 0), mode)) = 9;
	((uint8_t *)mnl_attr_get_payload(attr_at(message(recording, 1), partner)))[1] = 0x01;
	struct libbond_snapshot *snapshot = snapshot_of(recording);
	const struct libbond_link *bond = libbond_snapshot_bond(snapshot, 0);
	const struct libbond_link *slave = libbond_snapshot_by_name(snapshot, "eth0");
	libbond_link_text(bond, BOND("mode"), text, sizeof(text));
	unit_assert_text("mode", "9", text);
	assert_int_equal(libbond_link_number(bond, BOND("mode"), &number), 0);
	assert_int_equal(number, 9);
	assert_int_equal(libbond_link_items(slave, SLAVE("ad_partner_oper_port_state")), 7);
	libbond_link_item(slave, SLAVE("ad_partner_oper_port_state"), 6, text, sizeof(text));
	unit_assert_text("bit", "256", text);
	libbond_snapshot_free(snapshot);
}

static void data_of_other_kinds_is_not_ours(void **state)
{
	struct fake *fake = fake_new();
	struct fake_link *other = fake_bond(fake, 5, "team0", 4), *port = fake_slave(fake, 6, "eth0", other);
	struct recording recording = {.count = 2};
	struct libbond_unknown unknown;
	(void)state;
	other->kind = "team";
	port->slave_kind = "team";
	fake_message(other, recording.messages[0], MESSAGE, 1, 0);
	fake_message(port, recording.messages[1], MESSAGE, 1, 0);
	struct libbond_snapshot *snapshot = snapshot_of(&recording);
	const struct libbond_link *link = libbond_snapshot_by_name(snapshot, "team0");
	assert_int_equal(libbond_snapshot_bonds(snapshot), 0);
	assert_false(libbond_link_is_bond(link));
	assert_false(libbond_link_has(link, BOND("mode")));
	assert_true(libbond_link_has(link, LINK("mtu")));
	assert_int_equal(libbond_link_unknown(link, 0, &unknown), -ENOENT);
	link = libbond_snapshot_by_name(snapshot, "eth0");
	assert_false(libbond_link_has(link, SLAVE("state")));
	assert_int_equal(libbond_link_master(link), 5);
	libbond_snapshot_free(snapshot);
}

static void a_bond_that_is_a_slave_is_both(void **state)
{
	struct fake *fake = fake_new();
	struct fake_link *upper = fake_bond(fake, 7, "upper", 1), *lower = fake_slave(fake, 8, "lower", upper);
	struct recording recording = {.count = 3};
	(void)state;
	lower->kind = "bond";
	fake_u8(lower, LIBBOND_SCOPE_BOND, LB_BOND_MODE, 4);
	struct fake_link *leaf = fake_slave(fake, 9, "leaf", lower);
	fake_message(upper, recording.messages[0], MESSAGE, 1, 0);
	fake_message(lower, recording.messages[1], MESSAGE, 1, 0);
	fake_message(leaf, recording.messages[2], MESSAGE, 1, 0);
	struct libbond_snapshot *snapshot = snapshot_of(&recording);
	const struct libbond_link *link = libbond_snapshot_by_name(snapshot, "lower");
	assert_int_equal(libbond_snapshot_bonds(snapshot), 2);
	assert_true(libbond_link_is_bond(link));
	assert_true(libbond_link_has(link, BOND("mode")) && libbond_link_has(link, SLAVE("state")));
	assert_int_equal(libbond_link_master(link), 7);
	assert_ptr_equal(libbond_link_slave(link, 0), libbond_snapshot_by_name(snapshot, "leaf"));
	walk_snapshot(snapshot);
	libbond_snapshot_free(snapshot);
}

static void names_without_an_end_are_none(void **state)
{
	struct recording recording = {.count = 1};
	struct nlmsghdr *nlh = message(&recording, 0);
	(void)state;
	mnl_nlmsg_put_header(nlh);
	nlh->nlmsg_type = RTM_NEWLINK;
	((struct ifinfomsg *)mnl_nlmsg_put_extra_header(nlh, sizeof(struct ifinfomsg)))->ifi_index = 3;
	mnl_attr_put(nlh, LB_IFLA_IFNAME, 4, "eth0");
	struct nlattr *info = mnl_attr_nest_start(nlh, LB_IFLA_LINKINFO);
	mnl_attr_put(nlh, LB_INFO_KIND, 4, "bond");
	mnl_attr_put(nlh, LB_INFO_SLAVE_KIND, 0, "");
	mnl_attr_nest_end(nlh, info);
	struct libbond_snapshot *snapshot = snapshot_of(&recording);
	const struct libbond_link *link = libbond_snapshot_link(snapshot, 0);
	unit_assert_text("name", "", libbond_link_name(link));
	unit_assert_text("kind", "", libbond_link_kind(link));
	assert_int_equal(libbond_snapshot_bonds(snapshot), 0);
	libbond_snapshot_free(snapshot);
}

static void what_is_no_link_is_not_taken_in(void **state)
{
	struct recording recording = {.count = 1};
	struct libbond_snapshot *snapshot;
	struct nlmsghdr *nlh = message(&recording, 0);
	struct fake *fake = fake_new();
	(void)state;
	fake_message(fake_device(fake, 3, "eth0", 0), nlh, MESSAGE, 1, 0);
	assert_int_equal(lb_snapshot_new(&snapshot), 0);
	nlh->nlmsg_type = RTM_DELLINK;
	assert_int_equal(lb_snapshot_add(snapshot, nlh, LB_KEEP_ALL), 0);
	nlh->nlmsg_type = RTM_NEWADDR;
	assert_int_equal(lb_snapshot_add(snapshot, nlh, LB_KEEP_ALL), 0);
	nlh->nlmsg_type = RTM_NEWLINK;
	nlh->nlmsg_len = NLMSG_HDRLEN + sizeof(struct ifinfomsg) - 1;
	assert_int_equal(lb_snapshot_add(snapshot, nlh, LB_KEEP_ALL), -EBADMSG);
	nlh->nlmsg_len = NLMSG_HDRLEN;
	assert_int_equal(lb_snapshot_add(snapshot, nlh, LB_KEEP_ALL), -EBADMSG);
	/* no device has these; a change of it would be one of any device, or none */
	static const int no_index[] = {0, -1, INT32_MIN};
	for (size_t i = 0; i < COUNT(no_index); i++) {
		fake_message(fake_find(fake, "eth0"), nlh, MESSAGE, 1, 0);
		((struct ifinfomsg *)mnl_nlmsg_get_payload(nlh))->ifi_index = no_index[i];
		assert_int_equal(lb_snapshot_add(snapshot, nlh, LB_KEEP_ALL), -EBADMSG);
	}
	assert_int_equal(lb_snapshot_finish(snapshot), 0);
	assert_int_equal(libbond_snapshot_links(snapshot), 0);
	assert_int_equal(libbond_snapshot_driver(snapshot), -1);
	walk_snapshot(snapshot);
	libbond_snapshot_free(snapshot);
	libbond_snapshot_free(NULL);
}

/* The message in memory of just its size, taken in, and everything asked about it. */
static void take_and_walk(const void *bytes, size_t length)
{
	struct libbond_snapshot *snapshot;
	void *copy = malloc(NLMSG_ALIGN(length));
	assert_non_null(copy);
	memset(copy, 0, NLMSG_ALIGN(length));
	memcpy(copy, bytes, length);
	((struct nlmsghdr *)copy)->nlmsg_len = (uint32_t)length;
	assert_int_equal(lb_snapshot_new(&snapshot), 0);
	int rc = lb_snapshot_add(snapshot, copy, LB_KEEP_ALL);
	free(copy);
	assert_true(rc == 0 || rc == -EBADMSG);
	assert_int_equal(lb_snapshot_finish(snapshot), 0);
	walk_snapshot(snapshot);
	libbond_snapshot_free(snapshot);
}

static const char *const recordings[] = {"uml-6.1-active-backup", "uml-7.2-active-backup", "uml-6.1-lacp",
                                         "uml-7.2-lacp"};

static void messages_cut_at_every_byte(void **state)
{
	(void)state;
	for (size_t r = 0; r < COUNT(recordings); r++) {
		struct recording *recording = load(recordings[r]);
		for (size_t i = 0; i < recording->count; i++)
			for (size_t length = NLMSG_HDRLEN; length <= message(recording, i)->nlmsg_len; length++)
				take_and_walk(recording->messages[i], length);
	}
}

static void lengths_of_every_nest_changed(void **state)
{
	static const int *const paths[] = {bond_data, ad_info, slave_data, linkinfo};
	static const size_t owner[] = {0, 0, 1, 0};
	(void)state;
	NEEDS_LITTLE_ENDIAN();
	struct recording *recording = load("uml-7.2-lacp");
	for (size_t p = 0; p < COUNT(paths); p++) {
		struct nlmsghdr *nlh = message(recording, owner[p]);
		struct nlattr *nest = (struct nlattr *)attr_at(nlh, paths[p]);
		const uint16_t whole = nest->nla_len;
		for (unsigned length = 0; length <= whole + 64u; length++) {
			nest->nla_len = (uint16_t)length;
			take_and_walk(nlh, nlh->nlmsg_len);
		}
		nest->nla_len = 0xffff;
		take_and_walk(nlh, nlh->nlmsg_len);
		nest->nla_len = whole;
	}
}

static void garbled_messages(void **state)
{
	const char *wish = getenv("UNIT_SEED");
	unsigned seed = wish ? (unsigned)strtoul(wish, NULL, 0) : (unsigned)time(NULL);
	(void)state;
	print_message("# UNIT_SEED=%u\n", seed);
	srandom(seed);
	for (size_t r = 0; r < COUNT(recordings); r++) {
		struct recording *recording = load(recordings[r]);
		for (size_t round = 0; round < 1500; round++) {
			size_t i = (size_t)random() % recording->count, length = message(recording, i)->nlmsg_len;
			uint8_t garbled[MESSAGE];
			memcpy(garbled, recording->messages[i], length);
			for (long changes = random() % 8 + 1; changes; changes--)
				garbled[NLMSG_HDRLEN + (size_t)random() % (length - NLMSG_HDRLEN)] =
					(uint8_t)random();
			take_and_walk(garbled, length);
		}
	}
}

/* --- counters --- */

static void counters_are_64_bits_in_the_kernels_order(void **state)
{
	struct fake *fake = fake_new();
	struct fake_link *link = fake_device(fake, 3, "eth0", 0);
	struct recording recording = {.count = 1};
	uint64_t counters[30], value = 7;
	(void)state;
	for (size_t i = 0; i < COUNT(counters); i++)
		counters[i] = 0x100000000ULL * (i + 1) + i;
	/* kernels of five ages: a newer one, today's, before rx_otherhost_dropped, before rx_nohandler, cut inside */
	static const size_t lengths[] = {30 * 8, 25 * 8, 24 * 8, 23 * 8, 23 * 8 + 4, 7, 0};
	for (size_t l = 0; l < COUNT(lengths); l++) {
		fake_put(link, LIBBOND_SCOPE_LINK, LB_IFLA_STATS64, counters, lengths[l]);
		fake_message(link, recording.messages[0], MESSAGE, 1, 0);
		struct libbond_snapshot *snapshot = snapshot_of(&recording);
		for (size_t i = 0; i < 26; i++) {
			bool there = i < 25 && (i + 1) * 8 <= lengths[l];
			int rc = libbond_link_counter(libbond_snapshot_link(snapshot, 0), i, &value);
			assert_int_equal(rc, there ? 0 : -ENODATA);
			assert_true(!there || value == counters[i]);
		}
		libbond_snapshot_free(snapshot);
	}
	fake_drop(link, LIBBOND_SCOPE_LINK, LB_IFLA_STATS64);
	fake_message(link, recording.messages[0], MESSAGE, 1, 0);
	struct libbond_snapshot *snapshot = snapshot_of(&recording);
	assert_int_equal(libbond_link_counter(libbond_snapshot_link(snapshot, 0), 0, &value), -ENODATA);
	libbond_snapshot_free(snapshot);
}

/* --- the snapshot as a whole --- */

static void add(struct libbond_snapshot *snapshot, const struct fake_link *link, enum lb_keep keep)
{
	_Alignas(8) uint8_t buffer[MESSAGE];
	fake_message(link, buffer, sizeof(buffer), 1, 0);
	assert_int_equal(lb_snapshot_add(snapshot, (struct nlmsghdr *)buffer, keep), 0);
}

static void links_bonds_and_slaves_are_in_order_of_index(void **state)
{
	struct fake *fake = fake_new();
	struct libbond_snapshot *snapshot;
	struct fake_link *second = fake_bond(fake, 40, "b2", 0), *first = fake_bond(fake, 20, "b1", 0);
	static const unsigned order[] = {9, 3, 30, 25, 41, 11};
	(void)state;
	assert_int_equal(lb_snapshot_new(&snapshot), 0);
	add(snapshot, second, LB_KEEP_ALL);
	for (size_t i = 0; i < COUNT(order); i++) {
		char name[8];
		snprintf(name, sizeof(name), "s%u", order[i]);
		add(snapshot, fake_slave(fake, order[i], name, i % 2 ? first : second), LB_KEEP_ALL);
	}
	add(snapshot, first, LB_KEEP_ALL);
	add(snapshot, fake_device(fake, 1, "lo", 0), LB_KEEP_ALL);
	/* b2 once more, as a dump of another bond's slaves would bring it */
	add(snapshot, second, LB_KEEP_ALL);
	assert_int_equal(lb_snapshot_finish(snapshot), 0);
	assert_int_equal(libbond_snapshot_links(snapshot), 9);
	assert_int_equal(libbond_snapshot_bonds(snapshot), 2);
	unit_assert_text("bond 0", "b1", libbond_link_name(libbond_snapshot_bond(snapshot, 0)));
	unit_assert_text("bond 1", "b2", libbond_link_name(libbond_snapshot_bond(snapshot, 1)));
	static const char *const of_first[] = {"s3", "s11", "s25"}, *const of_second[] = {"s9", "s30", "s41"};
	for (size_t i = 0; i < 3; i++) {
		unit_assert_text("slave of b1", of_first[i],
		                 libbond_link_name(libbond_link_slave(libbond_snapshot_bond(snapshot, 0), i)));
		unit_assert_text("slave of b2", of_second[i],
		                 libbond_link_name(libbond_link_slave(libbond_snapshot_bond(snapshot, 1), i)));
	}
	assert_int_equal(libbond_link_slaves(libbond_snapshot_by_name(snapshot, "lo")), 0);
	assert_null(libbond_snapshot_by_index(snapshot, 2));
	assert_null(libbond_snapshot_by_index(snapshot, 0));
	assert_int_equal(libbond_snapshot_driver(snapshot), 1);
	walk_snapshot(snapshot);
	libbond_snapshot_free(snapshot);
}

static void what_is_not_asked_for_is_not_kept(void **state)
{
	static const struct {
		enum lb_keep keep;
		size_t links;
	} cases[] = {{LB_KEEP_ALL, 4}, {LB_KEEP_BONDS, 1}, {LB_KEEP_BONDS_AND_SLAVES, 2}};
	struct fake *fake = fake_new();
	struct fake_link *bond = fake_bond(fake, 7, "bond0", 0), *slave = fake_slave(fake, 3, "eth0", bond);
	struct fake_link *port = fake_slave(fake, 4, "eth1", bond), *plain = fake_device(fake, 5, "eth2", 0);
	(void)state;
	port->slave_kind = "bridge";
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct libbond_snapshot *snapshot;
		assert_int_equal(lb_snapshot_new(&snapshot), 0);
		add(snapshot, bond, cases[i].keep);
		add(snapshot, slave, cases[i].keep);
		add(snapshot, port, cases[i].keep);
		add(snapshot, plain, cases[i].keep);
		assert_int_equal(lb_snapshot_finish(snapshot), 0);
		assert_int_equal(libbond_snapshot_links(snapshot), cases[i].links);
		libbond_snapshot_free(snapshot);
	}
}

static void a_device_outside_the_snapshot_is_its_index(void **state)
{
	struct fake *fake = fake_new();
	struct fake_link *bond = fake_bond(fake, 7, "bond0", 1);
	struct libbond_snapshot *snapshot;
	char text[32];
	int64_t number;
	(void)state;
	fake_u32(bond, LIBBOND_SCOPE_BOND, LB_BOND_ACTIVE_SLAVE, 12);
	fake_u32(bond, LIBBOND_SCOPE_BOND, LB_BOND_PRIMARY, 0);
	assert_int_equal(lb_snapshot_new(&snapshot), 0);
	add(snapshot, bond, LB_KEEP_ALL);
	assert_int_equal(lb_snapshot_finish(snapshot), 0);
	const struct libbond_link *link = libbond_snapshot_bond(snapshot, 0);
	libbond_link_text(link, BOND("active_slave"), text, sizeof(text));
	unit_assert_text("active_slave", "#12", text);
	assert_int_equal(libbond_link_number(link, BOND("active_slave"), &number), 0);
	assert_int_equal(number, 12);
	libbond_link_text(link, BOND("primary"), text, sizeof(text));
	unit_assert_text("primary", "none", text);
	/* types without a number, lists that are not there */
	assert_int_equal(libbond_link_number(link, BOND("arp_ip_target"), &number), -EINVAL);
	assert_int_equal(libbond_link_number(link, LINK("address"), &number), -EINVAL);
	assert_int_equal(libbond_link_items(link, BOND("arp_ip_target")), 0);
	assert_int_equal(libbond_link_items(link, BOND("mode")), -EINVAL);
	assert_int_equal(libbond_link_item(link, BOND("arp_ip_target"), 0, text, sizeof(text)), -EINVAL);
	assert_int_equal(libbond_link_item(link, BOND("arp_ip_target"), (size_t)-1, text, sizeof(text)), -EINVAL);
	libbond_snapshot_free(snapshot);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("an active-backup bond of Linux 6.1 is what sysfs and iproute2 said", active_backup_of_6_1),
		TEST("an active-backup bond of Linux 7.2 is what sysfs and iproute2 said", active_backup_of_7_2),
		TEST("an 802.3ad bond of Linux 6.1 is what sysfs and iproute2 said", lacp_of_6_1),
		TEST("an 802.3ad bond of Linux 7.2 is what sysfs and iproute2 said", lacp_of_7_2),
		TEST("the recorded target lists do start at attribute type 0", recorded_lists_start_at_type_0),
		TEST("a link is found by its alternative name, whole", alternative_names_are_answered_to),
		TEST("attributes of unknown number are kept as number and bytes", unknown_numbers_are_kept_as_bytes),
		TEST("an attribute that is too short is unknown and not an error", short_attributes_are_unknown),
		TEST("an attribute that is too long is read by its leading bytes",
	             long_attributes_are_read_by_their_leading_bytes),
		TEST("words and bits of a newer kernel are numbers", words_and_bits_of_a_newer_kernel),
		TEST("options of other kinds of device are not taken for ours", data_of_other_kinds_is_not_ours),
		TEST("a bond that is a slave is read as both", a_bond_that_is_a_slave_is_both),
		TEST("a name or kind without its end is none", names_without_an_end_are_none),
		TEST("what is no link is not taken in", what_is_no_link_is_not_taken_in),
		TEST("a message cut at any byte is read as far as it goes", messages_cut_at_every_byte),
		TEST("a nest of any length is read as far as it goes", lengths_of_every_nest_changed),
		TEST("garbled messages break nothing", garbled_messages),
		TEST("counters are 64 bits in the kernel's order, as many as it sent",
	             counters_are_64_bits_in_the_kernels_order),
		TEST("links, bonds and slaves come in order of index, each once",
	             links_bonds_and_slaves_are_in_order_of_index),
		TEST("what is not asked for is not kept", what_is_not_asked_for_is_not_kept),
		TEST("a device outside the snapshot is its index", a_device_outside_the_snapshot_is_its_index),
	};
	return cmocka_run_group_tests_name("decode", tests, NULL, NULL);
}
