/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Builds the machine that office.h describes. */
#include "office.h"

#include <net/if.h>

#include "unit.h"

static void build_bond0(struct fake *fake)
{
	struct fake_link *bond = fake_bond(fake, 7, "bond0", 1);

	bond->flags |= IFF_UP;
	fake_u32(bond, LIBBOND_SCOPE_BOND, LB_BOND_MIIMON, 100);
	fake_u32(bond, LIBBOND_SCOPE_BOND, LB_BOND_UPDELAY, 200);
	bond->ticks[0] = 2;
	fake_enslave(fake, "eth0", "bond0");
	fake_enslave(fake, "eth1", "bond0");
	fake_u32(bond, LIBBOND_SCOPE_BOND, LB_BOND_PRIMARY, 3);
	fake_u32(fake_find(fake, "eth1"), LIBBOND_SCOPE_SLAVE, LB_SLAVE_PRIO, 5);
	fake_u16(fake_find(fake, "eth1"), LIBBOND_SCOPE_SLAVE, LB_SLAVE_QUEUE_ID, 2);
	fake_vlan(fake, 11, "bond0.10", bond, false);
	fake_vlan(fake, 12, "bond0.20", bond, false)->flags &= ~(unsigned)IFF_UP;
	fake_vlan(fake, 13, "bond0.30", bond, true);
	fake_address(fake, 7, "192.0.2.7");
	fake_address(fake, 7, "2001:db8::7");
	fake_route(fake, 7, "198.51.100.0/24", "192.0.2.1");
	fake_route(fake, 7, "2001:db8:1::/64", "2001:db8::1");
	fake_kernel_route(fake, 7, "192.0.2.0/24");
	fake_neighbor(fake, 7, "192.0.2.9", false);
	fake_neighbor(fake, 7, "192.0.2.10", true);
	fake_nexthop(fake, 7, 70, "192.0.2.1");
	fake_nexthop(fake, 1, 10, "127.0.0.2");
	fake_nexthop_group(fake, 78, 70, 10);
	fake_route_by(fake, 7, "203.0.113.0/24", 70);
	fake_address(fake, 11, "2001:db8:10::7");
	fake_route(fake, 11, "198.51.101.0/24", NULL);
	fake_route(fake, 13, "198.51.103.0/24", NULL);
}

static void build_bond1(struct fake *fake)
{
	struct fake_link *bond = fake_bond(fake, 8, "bond1", 4);

	bond->flags |= IFF_UP;
	fake_u16(bond, LIBBOND_SCOPE_BOND, LB_BOND_AD_ACTOR_SYS_PRIO, 7);
	fake_enslave(fake, "eth4", "bond1");
	fake_enslave(fake, "eth5", "bond1");
	fake_route(fake, 8, "198.51.108.0/24", NULL);
}

void office_build(struct fake *fake)
{
	fake->driver = true;
	fake_add(fake, 1, "lo", NULL, IFF_UP | IFF_LOOPBACK);
	fake_device(fake, 3, "eth0", IFF_UP);
	fake_device(fake, 4, "eth1", IFF_UP);
	fake_device(fake, 5, "eth2", IFF_UP);
	fake_device(fake, 6, "eth3", 0);
	fake_device(fake, 9, "eth4", IFF_UP);
	fake_device(fake, 10, "eth5", IFF_UP);
	fake_device(fake, 14, "br0", IFF_UP)->kind = "bridge";
	fake_u32(fake_device(fake, 15, "eth6", IFF_UP), LIBBOND_SCOPE_LINK, LB_IFLA_MASTER, 14);
	build_bond0(fake);
	build_bond1(fake);
	fake_u8(fake_bond(fake, 17, "bond2", 0), LIBBOND_SCOPE_LINK, LB_IFLA_CARRIER, 0);
	fake_u32(fake_find(fake, "eth2"), LIBBOND_SCOPE_LINK, LB_IFLA_MTU, 9000);
	fake_vlan(fake, 16, "eth2.5", fake_find(fake, "eth2"), false);
	fake_address(fake, 5, "192.0.2.5");
	fake_address(fake, 5, "2001:db8::5");
	fake_route(fake, 5, "198.51.105.0/24", "192.0.2.1");
	fake_neighbor(fake, 5, "192.0.2.99", false);
	fake_route(fake, 16, "198.51.116.0/24", NULL);
}

/* --- changes of it --- */

const struct scenario scenarios[] = {
	{"creating a bond with slaves",
         "bond bond9 @new mode active-backup miimon 100 primary eth2 mtu 1400 up on; in eth2 prio 7; in eth3 "
         "queue_id 3",
         0},
	{"creating a bond of 802.3ad",
         "bond bond9 @new mode 802.3ad lacp_rate fast min_links 1 up on; in eth2; in eth3", 0},
	{"setting what changes live",
         "bond bond0 miimon 50 resend_igmp 3 arp_ip_target +10.0.0.1 num_grat_arp 2; has eth1 prio 9 queue_id 4; "
         "has eth0 queue_id 2",
         0},
	{"changing the monitor", "bond bond0 miimon 0 arp_interval 200 arp_ip_target 192.0.2.1 arp_validate all", 0},
	{"setting primary and active slave", "bond bond0 active_slave eth1 primary none", 0},
	{"setting MTU and address", "bond bond0 mtu 1200 address 02:00:00:00:00:77; has eth1 txqueuelen 50", 0},
	{"setting a bond down with an option that needs it", "bond bond1 lacp_rate fast up off", 0},
	{"setting with a cycle", "bond bond1 lacp_rate fast ad_select count min_links 1", LIBBOND_PLAN_CYCLE},
	{"setting with a cycle of a bond with routes", "bond bond0 ad_select count", LIBBOND_PLAN_CYCLE},
	{"changing the mode with slaves and routes", "bond bond0 mode balance-xor xmit_hash_policy layer3+4",
         LIBBOND_PLAN_CYCLE},
	{"changing the mode to balance-alb", "bond bond0 mode balance-alb", LIBBOND_PLAN_CYCLE},
	{"changing the mode from 802.3ad", "bond bond1 mode active-backup", LIBBOND_PLAN_CYCLE},
	{"changing fail_over_mac", "bond bond0 fail_over_mac active", LIBBOND_PLAN_CYCLE},
	{"enslaving a device that is up", "bond bond0; in eth2", 0},
	{"enslaving several devices", "bond bond0; in eth3 prio 3; in eth2 queue_id 7", 0},
	{"enslaving the first", "bond bond2; in eth2; in eth3", 0},
	{"releasing with a hand-over", "bond bond0; out eth0", 0},
	{"releasing one that stays up", "bond bond0; out eth1 up on mtu 1300", 0},
	{"releasing all", "bond bond1; out eth4; out eth5", LIBBOND_PLAN_FORCE},
	{"replacing a slave", "bond bond0; replace eth0 eth2 1000", 0},
	{"replacing a slave of 802.3ad", "bond bond1; replace eth4 eth3 500", 0},
	{"moving a slave to another bond", "bond bond0; out eth1; bond bond1; in eth1", 0},
	{"stealing from a bond", "bond bond0; in eth4 prio 2", LIBBOND_PLAN_STEAL},
	{"stealing from a bridge", "bond bond0; in eth6", LIBBOND_PLAN_STEAL},
	{"an exact change of two bonds",
         "bond bond0 @create @exact mode balance-xor miimon 50 mtu 1400; in eth0; in eth2; in eth4; "
         "bond bond1 @create @exact mode 802.3ad lacp_rate fast; in eth5; in eth1",
         LIBBOND_PLAN_CYCLE | LIBBOND_PLAN_FORCE},
	{"pruning and deleting", "bond bond0 resend_igmp 2; bond bond2 @delete; prune", LIBBOND_PLAN_FORCE},
	{"deleting a bond with routes", "bond bond0 @delete; bond bond1 @delete", 0},
};

const size_t scenario_count = COUNT(scenarios);
