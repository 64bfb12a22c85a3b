/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The steps of plans: which, in which order, what each disrupts and because of what; and what a plan says before
 * anything is sent. Tests lib/plan.c, members.c, effects.c and compose.c on the machine of office.h, whose driver
 * must take every plan, and leave nothing to do when it is planned again.
 */
#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "office.h"
#include "unit.h"
#include "words.h"

/* A change, what the plan of it is, and what its report says then. */
struct case_ {
	const char *change;
	unsigned flags;
	const char *steps;
	const char *report; /* NULL: whatever */
};

enum { CYCLE = LIBBOND_PLAN_CYCLE, FORCE = LIBBOND_PLAN_FORCE, STEAL = LIBBOND_PLAN_STEAL };

/* What asks for something to be done, and not for how it is to be, is refused once it is done. */
static bool is_of_once(const char *change)
{
	return strstr(change, "out ") || strstr(change, "replace ") || strstr(change, "@delete") ||
	       strstr(change, "@new");
}

static void run_again(struct libbond *handle, const struct case_ *c)
{
	struct libbond_change *change = unit_change(c->change);
	struct libbond_plan *plan;
	struct libbond_error err = {0};
	char text[4096];

	if (libbond_plan(handle, change, c->flags, NULL, &plan, &err) < 0)
		unit_fail("%s, planned again: %s", c->change, err.message);
	if (libbond_plan_steps(plan))
		unit_fail("%s, planned again: %s", c->change, unit_plan_text(plan, text, sizeof(text)));
	libbond_plan_free(plan);
	libbond_change_free(change);
}

static void check(const struct case_ *c)
{
	struct fake *fake = fake_new();
	struct libbond_change *change = unit_change(c->change);
	struct libbond_report *report;
	struct libbond_plan *plan;
	struct libbond_error err = {0};
	char text[8192];

	office_build(fake);
	struct libbond *handle = fake_open(fake);
	assert_int_equal(libbond_report_new(&report), 0);
	if (libbond_plan(handle, change, c->flags, report, &plan, &err) < 0)
		unit_fail("%s: %s", c->change, err.message);
	for (size_t i = 0; i < fake->request_count; i++)
		assert_int_equal(fake_request(fake, i)->nlmsg_type % 4, 2); /* RTM_GET* */
	unit_assert_text(c->change, c->steps, unit_plan_text(plan, text, sizeof(text)));
	if (c->report)
		unit_assert_text(c->change, c->report, unit_report_text(report, 0, text, sizeof(text)));
	if (libbond_plan_run(handle, plan, report, &err) < 0)
		unit_fail("%s: %s; %s\n%s", c->change, err.message, err.hint, fake->log);
	if (!is_of_once(c->change))
		run_again(handle, c);
	libbond_plan_free(plan);
	libbond_change_free(change);
	libbond_report_free(report);
	libbond_close(handle);
}

static void check_all(const struct case_ *cases, size_t count)
{
	for (size_t i = 0; i < count; i++)
		check(&cases[i]);
}

/* What is lost with bond0 going down, and put back after. */
#define RECORDS_OF_BOND0(mark)                                                                                       \
	"put_back bond0 (address 2001:db8::7/64)" mark "; put_back bond0 (nexthop 70)" mark                          \
	"; put_back bond0 (nexthop group 78)" mark "; put_back bond0 (route 198.51.100.0/24 via 192.0.2.1)" mark     \
	"; put_back bond0 (route 203.0.113.0/24)" mark                                                               \
	"; put_back bond0 (route 2001:db8:1::/64 via 2001:db8::1)" mark                                              \
	"; put_back bond0 (neighbour 192.0.2.9)" mark "; put_back bond0 (proxy neighbour 192.0.2.10)" mark           \
	"; put_back bond0.10 (address 2001:db8:10::7/64)" mark "; put_back bond0.10 (route 198.51.101.0/24)" mark

/* The same in a report. */
#define LINES_OF_BOND0(action, outcome)                                                                              \
	"bond0 " action " address 2001:db8::7/64 " outcome "; bond0 " action " nexthop 70 " outcome                  \
	"; bond0 " action " route 198.51.100.0/24 via 192.0.2.1 " outcome "; bond0 " action                          \
	" route 203.0.113.0/24 " outcome "; bond0 " action " route 2001:db8:1::/64 via 2001:db8::1 " outcome         \
	"; bond0 " action " neighbour 192.0.2.9 " outcome "; bond0 " action " proxy neighbour 192.0.2.10 " outcome   \
	"; bond0.10 " action " address 2001:db8:10::7/64 " outcome "; bond0.10 " action                              \
	" route 198.51.101.0/24 " outcome

#define GROUP_OF_BOND0(action, outcome) "; bond0 " action " nexthop group 78 " outcome

/* What eth2 costs to be enslaved: it is up, with an address, a route, a neighbour, a VLAN device, an MTU of its own.
 */
#define ETH2_NOTES                                                                                                   \
	"is up, and is taken down to be enslaved; keeps its address 192.0.2.5/24, which bypasses the bond; "         \
	"has the VLAN device eth2.5, which bypasses the bond"
#define ETH2_COSTS(outcome)                                                                                          \
	"eth2 lose mtu 1500 " outcome                                                                                \
	" (a slave gets the MTU of its bond); eth2 lose address 2001:db8::5/64 " outcome                             \
	"; eth2 lose route 198.51.105.0/24 via 192.0.2.1 " outcome "; eth2 lose neighbour 192.0.2.99 " outcome       \
	"; eth2.5 put_back route 198.51.116.0/24 " outcome
#define ENSLAVE_ETH2(bond) "down eth2; enslave eth2 to " bond "; put_back eth2.5 (route 198.51.116.0/24)"

/* --- options --- */

static void what_holds_is_no_step(void **state)
{
	static const struct case_ cases[] = {
		{"bond bond0", 0, "", ""},
		{"bond bond0 miimon 100 mode 1 up on mtu 1500", 0, "",
	         "bond0 mode active-backup unchanged; bond0 miimon 100 unchanged; bond0 mtu 1500 unchanged; "
	         "bond0 up on unchanged"},
		{"bond bond0; has eth1 prio 5 queue_id 2 up on", 0, "",
	         "eth1 queue_id 2 unchanged; eth1 prio 5 unchanged; eth1 up on unchanged"},
		{"bond bond0 @create @exact primary eth0; in eth1; in eth0", 0, "",
	         "bond0 primary eth0 unchanged; eth1 enslave unchanged; eth0 enslave unchanged"},
		{"bond bond0; bond bond1; bond bond2; prune", 0, "", ""},
	};
	(void)state;
	check_all(cases, COUNT(cases));
}

static void options_that_change_live(void **state)
{
	static const struct case_ cases[] = {
		{"bond bond0 resend_igmp 3 num_grat_arp 2", 0, "set bond0 resend_igmp=3 num_grat_arp=2",
	         "bond0 resend_igmp 3 not_tried; bond0 num_grat_arp 2 not_tried"},
		{"bond bond0; has eth1 prio 7 txqueuelen 5; has eth0 queue_id 3", 0,
	         "set eth0 queue_id=3; set eth1 prio=7; set eth1 txqueuelen=5", NULL},
		/* delays are kept in units of miimon: what they were is said along with it */
		{"bond bond0 miimon 50", 0, "set bond0 miimon=50 updelay=200",
	         "bond0 miimon 50 not_tried; bond0 put_back updelay 200 not_tried"},
		{"bond bond0 miimon 60", 0, "set bond0 miimon=60 updelay=180",
	         "bond0 miimon 60 not_tried; bond0 put_back updelay 180 not_tried "
	         "(180 is the multiple of miimon that is nearest to 200)"},
		{"bond bond0 miimon 70", 0, "set bond0 miimon=70 updelay=210", NULL},
		{"bond bond0 miimon 1000", 0, "set bond0 miimon=1000 updelay=1000", NULL},
		{"bond bond0 miimon 50 updelay 100", 0, "set bond0 miimon=50 updelay=100",
	         "bond0 miimon 50 not_tried; bond0 updelay 100 not_tried"},
		/* without miimon they cannot be */
		{"bond bond0 miimon 0 arp_interval 200 arp_ip_target 192.0.2.1", 0,
	         "set bond0 miimon=0 arp_interval=200 arp_ip_target=192.0.2.1",
	         "bond0 miimon 0 not_tried; bond0 arp_interval 200 not_tried; bond0 arp_ip_target 192.0.2.1 "
	         "not_tried; "
	         "bond0 lose updelay 0 not_tried"},
		{"bond bond0 miimon 0 updelay 0 arp_interval 200 arp_ip_target 192.0.2.1", 0,
	         "set bond0 updelay=0; set bond0 miimon=0 arp_interval=200 arp_ip_target=192.0.2.1", NULL},
		{"bond bond0 active_slave eth1", 0, "set bond0 active_slave=eth1", NULL},
		{"bond bond0 primary eth1", 0, "set bond0 primary=eth1", NULL},
		{"bond bond0 address 02:00:00:00:00:99", 0,
	         "set bond0 address=02:00:00:00:00:99; put_back bond0 (neighbour 192.0.2.9)", NULL},
	};
	(void)state;
	check_all(cases, COUNT(cases));
}

static void mtu_and_what_shrinks_with_it(void **state)
{
	static const struct case_ cases[] = {
		{"bond bond0 mtu 9000", 0, "set bond0 mtu=9000", "bond0 mtu 9000 not_tried"},
		/* below 1280 there is no IPv6 */
		{"bond bond0 mtu 1200", 0, "set bond0 mtu=1200",
	         "bond0 mtu 1200 not_tried; bond0.10 lose mtu 1200 not_tried (shrinks with what it is on); "
	         "bond0.20 lose mtu 1200 not_tried (shrinks with what it is on); "
	         "bond0.30 lose mtu 1200 not_tried (shrinks with what it is on); "
	         "bond0 lose address 2001:db8::7/64 not_tried; "
	         "bond0 lose route 2001:db8:1::/64 via 2001:db8::1 not_tried; "
	         "bond0.10 lose address 2001:db8:10::7/64 not_tried"},
		/* the bond gives its own to every slave: what is wanted of one comes after */
		{"bond bond0 mtu 9000; has eth1 mtu 1500", 0, "set bond0 mtu=9000; set eth1 mtu=1500", NULL},
	};
	(void)state;
	check_all(cases, COUNT(cases));
}

static void up_and_down_have_their_places(void **state)
{
	static const struct case_ cases[] = {
		/* VLAN devices go with it, unless they are loosely bound */
		{"bond bond0 up off", 0, "down bond0",
	         "bond0 up off not_tried; bond0.10 lose up off not_tried (goes down with what it is "
	         "on); " LINES_OF_BOND0("lose", "not_tried") GROUP_OF_BOND0("lose", "not_tried")},
		{"bond bond1 up off", 0, "down bond1",
	         "bond1 up off not_tried; bond1 lose route 198.51.108.0/24 not_tried"},
		{"bond bond1 up off min_links 1", 0, "set bond1 min_links=1 up=off", NULL},
		/* down before what needs it */
		{"bond bond1 lacp_rate fast up off", 0, "down bond1; set bond1 lacp_rate=fast", NULL},
		/* up when all is done: ports of 802.3ad are ready sooner */
		{"bond bond2 mode 802.3ad up on; in eth3", 0,
	         "set bond2 mode=802.3ad; enslave eth3 to bond2; up bond2", NULL},
		{"bond bond2 resend_igmp 3 up on", 0, "set bond2 resend_igmp=3 up=on", NULL},
		{"bond bond0; has eth1 up off", 0, "down eth1", "eth1 up off not_tried"},
	};
	(void)state;
	check_all(cases, COUNT(cases));
}

static void options_that_need_the_bond_down(void **state)
{
	static const struct case_ cases[] = {
		{"bond bond1 lacp_rate fast min_links 1", CYCLE,
	         "down bond1 !lacp_rate; set bond1 min_links=1 lacp_rate=fast !lacp_rate; up bond1 !lacp_rate; "
	         "put_back bond1 (route 198.51.108.0/24) !lacp_rate",
	         "bond1 min_links 1 not_tried; bond1 lacp_rate fast not_tried; "
	         "bond1 put_back route 198.51.108.0/24 not_tried"},
		/* a VLAN device that was down comes up with it, and is set down again */
		{"bond bond0 ad_select count", CYCLE,
	         "down bond0 !ad_select; set bond0 ad_select=count !ad_select; up bond0 "
	         "!ad_select; " RECORDS_OF_BOND0(" !ad_select") "; down bond0.20 !ad_select",
	         "bond0 ad_select count not_tried (has no effect in mode active-backup, only in 802.3ad); "
	         "bond0.20 put_back up off not_tried; " LINES_OF_BOND0("put_back", "not_tried")
	                 GROUP_OF_BOND0("put_back", "not_tried")},
		/* a bond that is down needs none of it */
		{"bond bond2 ad_select count", CYCLE, "set bond2 ad_select=count", NULL},
		{"bond bond1 lacp_rate slow", CYCLE, "", NULL},
	};
	(void)state;
	check_all(cases, COUNT(cases));
}

static void options_that_need_the_slaves_out(void **state)
{
	static const struct case_ cases[] = {
		{"bond bond0 mode balance-xor", CYCLE,
	         "down bond0 !!mode; release eth0 from bond0 !!mode; release eth1 from bond0 !!mode; "
	         "set bond0 mode=balance-xor !!mode; enslave eth0 to bond0 !!mode; enslave eth1 to bond0 !!mode; "
	         "set eth1 queue_id=2 !!mode; up bond0 !!mode; " RECORDS_OF_BOND0(" !!mode") "; down bond0.20 !!mode",
	         "bond0 mode balance-xor not_tried; eth1 put_back queue_id 2 not_tried; eth1 lose prio 0 not_tried; "
	         "bond0.20 put_back up off not_tried; " LINES_OF_BOND0("put_back", "not_tried")
	                 GROUP_OF_BOND0("put_back", "not_tried")},
		{"bond bond1 mode active-backup", CYCLE,
	         "down bond1 !!mode; release eth4 from bond1 !!mode; release eth5 from bond1 !!mode; "
	         "set bond1 mode=active-backup !!mode; enslave eth4 to bond1 !!mode; enslave eth5 to bond1 !!mode; "
	         "up bond1 !!mode; put_back bond1 (route 198.51.108.0/24) !!mode",
	         "bond1 mode active-backup not_tried; bond1 put_back route 198.51.108.0/24 not_tried"},
		/* it stays up: only the slaves must be out; the active one is active again */
		{"bond bond0 fail_over_mac active", CYCLE,
	         "release eth0 from bond0 !!fail_over_mac; release eth1 from bond0 !!fail_over_mac; "
	         "set bond0 fail_over_mac=active !!fail_over_mac; enslave eth0 to bond0 !!fail_over_mac; "
	         "enslave eth1 to bond0 !!fail_over_mac; set eth1 queue_id=2 prio=5 !!fail_over_mac; "
	         "set bond0 active_slave=eth0 !!fail_over_mac; put_back bond0 (nexthop 70) !!fail_over_mac; "
	         "put_back bond0 (nexthop group 78) !!fail_over_mac; put_back bond0 (route 203.0.113.0/24) "
	         "!!fail_over_mac; put_back bond0 (neighbour 192.0.2.9) !!fail_over_mac",
	         NULL},
		/* an empty bond has no slaves to take out */
		{"bond bond2 mode active-backup fail_over_mac follow", 0,
	         "set bond2 mode=active-backup fail_over_mac=follow", NULL},
		/* wanted down: it is not set up again, and there is nothing to put back */
		{"bond bond1 mode active-backup up off", CYCLE,
	         "down bond1 !!mode; release eth4 from bond1 !!mode; release eth5 from bond1 !!mode; "
	         "set bond1 mode=active-backup !!mode; enslave eth4 to bond1 !!mode; enslave eth5 to bond1 !!mode",
	         "bond1 mode active-backup not_tried; bond1 up off not_tried; "
	         "bond1 lose route 198.51.108.0/24 not_tried"},
		/* who leaves anyway leaves then, who joins joins then */
		{"bond bond1 @exact mode balance-rr; in eth5; in eth3", CYCLE,
	         "down bond1 !!mode; release eth4 from bond1 !!mode; release eth5 from bond1 !!mode; "
	         "set bond1 mode=balance-rr address=02:00:00:00:00:09 !!mode; enslave eth5 to bond1 !!mode; enslave "
	         "eth3 to bond1 !!mode; "
	         "up bond1 !!mode; put_back bond1 (route 198.51.108.0/24) !!mode",
	         NULL},
	};
	(void)state;
	check_all(cases, COUNT(cases));
}

/* --- slaves --- */

static void devices_that_join(void **state)
{
	static const struct case_ cases[] = {
		{"bond bond0; in eth3", 0, "enslave eth3 to bond0", "eth3 enslave not_tried"},
		{"bond bond0; in eth2", 0, ENSLAVE_ETH2("bond0"),
	         "eth2 enslave not_tried (" ETH2_NOTES "); " ETH2_COSTS("not_tried")},
		{"bond bond0; in eth3 prio 7 queue_id 4 up on", 0,
	         "enslave eth3 to bond0; set eth3 queue_id=4 prio=7",
	         "eth3 enslave not_tried; eth3 queue_id 4 not_tried; "
	         "eth3 prio 7 not_tried (counts only while there is no primary); eth3 up on unchanged"},
		{"bond bond0; in eth3 up off", 0, "enslave eth3 to bond0; down eth3", NULL},
		/* those that values name are slaves by then */
		{"bond bond0 primary eth3; in eth3", 0, "enslave eth3 to bond0; set bond0 primary=eth3", NULL},
		{"bond bond0 active_slave eth3 resend_igmp 2; in eth3", 0,
	         "set bond0 resend_igmp=2; enslave eth3 to bond0; set bond0 active_slave=eth3", NULL},
		/* in the order in which they are named */
		{"bond bond0; in eth3; in eth2", 0, "enslave eth3 to bond0; " ENSLAVE_ETH2("bond0"), NULL},
		/* the first gives an empty bond its address */
		{"bond bond2; in eth3", 0, "enslave eth3 to bond2",
	         "eth3 enslave not_tried; bond2 lose address 02:00:00:00:00:06 not_tried "
	         "(a bond without slaves takes its first one's, unless its own was set)"},
	};
	(void)state;
	check_all(cases, COUNT(cases));
}

static void queues_that_change_hands(void **state)
{
	static const struct case_ cases[] = {
		/* from one that stays, that leaves, and in a circle */
		{"bond bond0; has eth0 queue_id 2; has eth1 queue_id 0", 0,
	         "set eth1 queue_id=0; set eth0 queue_id=2", NULL},
		{"bond bond0; in eth3 queue_id 2; out eth1", 0,
	         "enslave eth3 to bond0; release eth1 from bond0; set eth3 queue_id=2", NULL},
	};
	(void)state;
	check_all(cases, COUNT(cases));
}

static void devices_that_move(void **state)
{
	static const struct case_ cases[] = {
		{"bond bond0; in eth4", STEAL, "release eth4 from bond1; enslave eth4 to bond0",
	         "eth4 enslave not_tried (is taken from bond1; takes its own address with it, which bond1 keeps "
	         "using)"},
		{"bond bond0; in eth6", STEAL, "release eth6 from br0; down eth6; enslave eth6 to bond0",
	         "eth6 enslave not_tried (its settings as a port of br0 are lost)"},
		/* a bond that is deleted, or exact and does not name it, gives it up by itself */
		{"bond bond1 @delete; bond bond0; in eth4", 0,
	         "release eth4 from bond1; enslave eth4 to bond0; delete bond1", NULL},
		{"bond bond1 @exact; in eth5; bond bond0; in eth4", 0,
	         "release eth4 from bond1; enslave eth4 to bond0", NULL},
	};
	(void)state;
	check_all(cases, COUNT(cases));
}

static void slaves_that_leave(void **state)
{
	static const struct case_ cases[] = {
		{"bond bond0; out eth1", 0, "release eth1 from bond0", "eth1 release not_tried (ends down)"},
		/* the traffic of the active one moves before */
		{"bond bond0; out eth0", 0, "set bond0 active_slave=eth1; release eth0 from bond0",
	         "eth0 release not_tried (ends down; takes its own address with it, which bond0 keeps using)"},
		{"bond bond0 active_slave eth1; out eth0", 0, "set bond0 active_slave=eth1; release eth0 from bond0",
	         NULL},
		{"bond bond0; out eth1 up on mtu 1300", 0, "release eth1 from bond0; set eth1 mtu=1300 up=on",
	         "eth1 release not_tried; eth1 mtu 1300 not_tried; eth1 up on not_tried"},
		{"bond bond0 @exact; in eth1", 0, "set bond0 active_slave=eth1; release eth0 from bond0",
	         "eth1 enslave unchanged; "
	         "eth0 release not_tried (ends down; takes its own address with it, which bond0 keeps using)"},
		/* all leave, one comes: it is waited for, and takes the traffic over before the first leaves; on the
	         * way back the bond may have no carrier for a moment */
		{"bond bond0; out eth0; out eth1; in eth3", 0,
	         "enslave eth3 to bond0; wait eth3; set bond0 active_slave=eth3; release eth0 from bond0; "
	         "release eth1 from bond0; put_back bond0 (nexthop 70); put_back bond0 (nexthop group 78); "
	         "put_back bond0 (route 203.0.113.0/24); put_back bond0 (neighbour 192.0.2.9)",
	         NULL},
		/* without slaves a bond has a random address */
		{"bond bond1; out eth4; out eth5", FORCE, "release eth4 from bond1; release eth5 from bond1",
	         "eth4 release not_tried (ends down); eth5 release not_tried (ends down); "
	         "bond1 lose address not_tried (a bond without slaves gets a random address)"},
	};
	(void)state;
	check_all(cases, COUNT(cases));
}

static void slaves_that_are_replaced(void **state)
{
	static const struct case_ cases[] = {
		/* as primary and active one */
		{"bond bond0; replace eth0 eth3 500", 0,
	         "enslave eth3 to bond0; wait eth3; set bond0 active_slave=eth3 primary=eth3; release eth0 from "
	         "bond0",
	         "eth0 release not_tried (ends down; takes its own address with it, which bond0 keeps using); "
	         "eth3 enslave not_tried; bond0 primary eth3 not_tried; bond0 active_slave eth3 not_tried"},
		/* its options; the queue once it is free */
		{"bond bond0; replace eth1 eth3", 0,
	         "enslave eth3 to bond0; set eth3 prio=5; release eth1 from bond0; set eth3 queue_id=2",
	         "eth1 release not_tried (ends down); eth3 enslave not_tried; eth3 queue_id 2 not_tried; eth3 prio 5 "
	         "not_tried"},
		{"bond bond1; replace eth4 eth2 500", 0, ENSLAVE_ETH2("bond1") "; wait eth2; release eth4 from bond1",
	         "eth4 release not_tried (ends down; takes its own address with it, which bond1 keeps using); "
	         "eth2 enslave not_tried (" ETH2_NOTES "); " ETH2_COSTS("not_tried")},
	};
	(void)state;
	check_all(cases, COUNT(cases));
}

static void bonds_that_are_made(void **state)
{
	static const struct case_ cases[] = {
		{"bond bond9 @new mode 802.3ad lacp_rate fast txqueuelen 5", 0,
	         "create bond9 mode=802.3ad lacp_rate=fast txqueuelen=5",
	         "bond9 create not_tried; bond9 mode 802.3ad not_tried; bond9 lacp_rate fast not_tried; "
	         "bond9 txqueuelen 5 not_tried"},
		{"bond bond9 @create mode 1 miimon 100 active_slave eth3 up on; in eth2 prio 5; in eth3", 0,
	         "create bond9 mode=active-backup miimon=100; " ENSLAVE_ETH2(
			 "bond9") "; enslave eth3 to bond9; "
	                          "set eth2 prio=5; set bond9 active_slave=eth3 up=on",
	         NULL},
		/* what is said of every new bond counts where nothing else is said, and of new ones only */
		{"bond bond9 @create mode 1; defaults mode 802.3ad miimon 100 txqueuelen 5", 0,
	         "create bond9 mode=active-backup miimon=100 txqueuelen=5",
	         "bond9 create not_tried; bond9 mode active-backup not_tried; bond9 miimon 100 not_tried; "
	         "bond9 txqueuelen 5 not_tried"},
		{"bond bond0 @create resend_igmp 2; defaults mode 802.3ad miimon 50", 0, "set bond0 resend_igmp=2",
	         "bond0 resend_igmp 2 not_tried"},
	};
	(void)state;
	check_all(cases, COUNT(cases));
}

static void bonds_that_go(void **state)
{
	static const struct case_ cases[] = {
		{"bond bond1 @delete", 0, "delete bond1",
	         "bond1 delete not_tried (eth4 is released and ends down; eth5 is released and ends down); "
	         "bond1 lose route 198.51.108.0/24 not_tried"},
		{"bond bond0; bond bond2 @delete", 0, "delete bond2", "bond2 delete not_tried"},
		/* last, since that cannot be undone in full */
		{"bond bond2 @delete; bond bond0 resend_igmp 2; in eth3", 0,
	         "set bond0 resend_igmp=2; enslave eth3 to bond0; delete bond2", NULL},
		{"bond bond0; prune", 0, "delete bond1; delete bond2", NULL},
		/* VLAN devices go along, however they are bound */
		{"bond bond1; bond bond2; prune", 0, "delete bond0",
	         "bond0 delete not_tried (eth0 is released and ends down; eth1 is released and ends down); "
	         "bond0.10 lose device not_tried (is deleted with what it is on); "
	         "bond0.20 lose device not_tried (is deleted with what it is on); "
	         "bond0.30 lose device not_tried (is deleted with what it is on); "
	         "bond0 lose address 192.0.2.7/24 not_tried; " LINES_OF_BOND0(
			 "lose",
			 "not_tried") "; bond0.30 lose route 198.51.103.0/24 not_tried" GROUP_OF_BOND0("lose",
	                                                                                               "not_tried")},
	};
	(void)state;
	check_all(cases, COUNT(cases));
}

static void several_bonds_at_once(void **state)
{
	static const struct case_ cases[] = {
		/* two bonds that exchange slaves */
		{"bond bond0 @exact; in eth0; in eth4; bond bond1 @exact; in eth5; in eth1", 0,
	         "release eth4 from bond1; enslave eth4 to bond0; release eth1 from bond0; enslave eth1 to bond1",
	         NULL},
		{"bond bond0 resend_igmp 2; bond bond1 min_links 1; bond bond2 miimon 50", 0,
	         "set bond0 resend_igmp=2; set bond1 min_links=1; set bond2 miimon=50", NULL},
		{"bond bond9 @create mode 1; in eth1; bond bond0 @exact; in eth0", 0,
	         "create bond9 mode=active-backup; release eth1 from bond0; enslave eth1 to bond9", NULL},
	};
	(void)state;
	check_all(cases, COUNT(cases));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("what holds is no step", what_holds_is_no_step),
		TEST("options change live where the driver lets them, and what they reset is put back",
	             options_that_change_live),
		TEST("an MTU costs what shrinks with it", mtu_and_what_shrinks_with_it),
		TEST("down comes first where an option needs it, up last", up_and_down_have_their_places),
		TEST("an option that needs the bond down is set between down and up, and all is put back",
	             options_that_need_the_bond_down),
		TEST("an option that needs the slaves out is set between out and in",
	             options_that_need_the_slaves_out),
		TEST("devices join in order, those that are up go down, and what that costs is said",
	             devices_that_join),
		TEST("a queue is free before another gets it", queues_that_change_hands),
		TEST("devices move from one master to another", devices_that_move),
		TEST("slaves leave once their traffic has moved", slaves_that_leave),
		TEST("a slave is replaced by one that takes over what it was", slaves_that_are_replaced),
		TEST("bonds are made with what can be given, the rest follows", bonds_that_are_made),
		TEST("bonds are deleted last, and what goes with them is said", bonds_that_go),
		TEST("several bonds are one plan", several_bonds_at_once),
	};
	cmocka_set_test_filter(getenv("UNIT_FILTER"));
	return cmocka_run_group_tests_name("plan", tests, NULL, NULL);
}
