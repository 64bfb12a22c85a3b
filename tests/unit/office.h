/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A machine with something of everything that a change may touch, for tests of plans, failures and undoing. */
#ifndef OFFICE_H
#define OFFICE_H

#include "fake.h"

/*
 * With the driver's rules. All up, unless said:
 *   bond0 (7)  active-backup, miimon 100, updelay 200, primary eth0: eth0 (3), eth1 (4; prio 5, queue_id 2).
 *              An address of each family, routes of each, a neighbour, a proxy, a nexthop, a route by it, a group of
 *              that nexthop and another's
 *   bond0.10 (11), .20 (12; down), .30 (13; loose binding)  VLAN devices on it; .10 has an address and a route
 *   bond1 (8)  802.3ad, ad_actor_sys_prio 7: eth4 (9), eth5 (10). A route
 *   bond2 (17) balance-rr, down, empty
 *   eth2 (5)   nobody's, with an address, a route, a neighbour and the VLAN device eth2.5 (16); MTU 9000
 *   eth3 (6)   nobody's, down
 *   br0 (14)   a bridge: eth6 (15)
 */
void office_build(struct fake *fake);

/* A change of this machine as words.h has it, and what of it can be said in a sentence. */
struct scenario {
	const char *sentence, *change;
	unsigned flags; /* LIBBOND_PLAN_* */
};

enum { SCENARIOS_MAX = 64 };
/* Every kind of change. */
extern const struct scenario scenarios[];
extern const size_t scenario_count;

#endif
