/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Waits until a laboratory carries traffic. Sits beside topology.c, which built it; asks libbond for the ports'
 * state, links.c for carrier, reach.c for an echo.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "lab/clock.h"
#include "lab/fail.h"
#include "lab/inside.h"
#include "lab/links.h"
#include "lab/reach.h"

/* Port state of IEEE 802.1AX 6.4.2.3: synchronized, collecting, distributing. */
#define PORT_CARRIES (0x08 | 0x10 | 0x20)
#define LOOK_EVERY_MS 20
#define ECHO_WITHIN_MS 100

/* What is waited for, and until when. */
struct wait {
	struct lab *lab;
	int64_t end_ns;
	char missing[128];
};

__attribute__((format(printf, 2, 3))) static bool missing(struct wait *wait, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(wait->missing, sizeof(wait->missing), format, args);
	va_end(args);
	return false;
}

static bool legs_have_carrier(struct wait *wait)
{
	char name[LIBBOND_NAME_SIZE];

	for (unsigned leg = 0; leg < lab_legs(wait->lab); leg++) {
		lab_leg_name(leg, LAB_NEAR, name);
		if (lab_link_running(wait->lab->sides[LAB_NEAR].net, name) != 1)
			return missing(wait, "%s has no carrier", name);
	}
	return true;
}

static int64_t slave_number(const struct libbond_link *slave, const char *name)
{
	int64_t number = -1;
	libbond_link_number(slave, libbond_attr_find(LIBBOND_SCOPE_SLAVE, name), &number);
	return number;
}

/* Both what it says of itself and what it has heard of its partner. */
static bool port_carries(struct wait *wait, const struct libbond_link *slave)
{
	int64_t actor = slave_number(slave, "ad_actor_oper_port_state");
	int64_t partner = slave_number(slave, "ad_partner_oper_port_state");

	if (actor >= 0 && partner >= 0 && (actor & partner & PORT_CARRIES) == PORT_CARRIES)
		return true;
	return missing(wait, "port %s does not collect and distribute (actor state %#x, partner state %#x)",
	               libbond_link_name(slave), (unsigned)actor, (unsigned)partner);
}

static bool slave_is_up(const struct libbond_link *slave)
{
	return slave_number(slave, "mii_status") == 0;
}

static bool bond_has_joined(struct wait *wait, const struct libbond_link *bond)
{
	const struct libbond_link *first = libbond_link_slave(bond, 0);

	if (libbond_link_slaves(bond) != wait->lab->spec.slaves)
		return missing(wait, "%s has %zu slaves", libbond_link_name(bond), libbond_link_slaves(bond));
	for (size_t i = 0; i < libbond_link_slaves(bond); i++) {
		const struct libbond_link *slave = libbond_link_slave(bond, i);
		if (!slave_is_up(slave))
			return missing(wait, "slave %s is not up", libbond_link_name(slave));
		if (wait->lab->spec.mode != MODE_LACP)
			continue;
		if (!port_carries(wait, slave))
			return false;
		if (slave_number(slave, "ad_aggregator_id") != slave_number(first, "ad_aggregator_id"))
			return missing(wait, "port %s is in another aggregator", libbond_link_name(slave));
	}
	return true;
}

static bool bonds_have_joined(struct wait *wait)
{
	/* a far end that is a bridge has no bonds to be looked at */
	for (enum lab_side side = LAB_NEAR; side < LAB_SIDES; side++) {
		struct libbond_snapshot *snapshot;
		if (libbond_read(wait->lab->sides[side].handle, LIBBOND_READ_NO_STATS, &snapshot, NULL) < 0)
			return missing(wait, "the bonds cannot be read");
		bool good = true;
		for (size_t i = 0; good && i < libbond_snapshot_bonds(snapshot); i++)
			good = bond_has_joined(wait, libbond_snapshot_bond(snapshot, i));
		libbond_snapshot_free(snapshot);
		if (!good)
			return false;
	}
	return true;
}

/* Look until it is true or the time is over. */
static int wait_for(struct wait *wait, bool (*holds)(struct wait *wait))
{
	while (!holds(wait)) {
		if (lab_now_ns() >= wait->end_ns)
			return -ETIMEDOUT;
		lab_pause_ms(LOOK_EVERY_MS);
	}
	return 0;
}

static int wait_for_echo(struct wait *wait, unsigned bond, int family)
{
	struct lab_reach *reach;
	char name[LIBBOND_NAME_SIZE];
	int rc = lab_reach_new(&reach, wait->lab, bond, family);

	if (rc < 0)
		return rc;
	while (!lab_reach_try(reach, ECHO_WITHIN_MS))
		if (lab_now_ns() >= wait->end_ns) {
			rc = -ETIMEDOUT;
			break;
		}
	lab_reach_free(reach);
	if (rc < 0)
		missing(wait, "no %s datagram comes through %s", family == AF_INET6 ? "IPv6" : "IPv4",
		        lab_bond_name(bond, name));
	return rc;
}

static int wait_for_path(struct wait *wait, unsigned bond)
{
	int rc = wait_for_echo(wait, bond, AF_INET);
	return rc < 0 ? rc : wait_for_echo(wait, bond, AF_INET6);
}

int lab_wait_ready(struct lab *lab, unsigned timeout_ms, struct libbond_error *err)
{
	struct wait wait = {.lab = lab, .end_ns = lab_now_ns() + lab_ms(timeout_ms)};
	int rc = wait_for(&wait, legs_have_carrier);

	if (rc == 0)
		rc = wait_for(&wait, bonds_have_joined);
	if (rc == 0)
		rc = wait_for_path(&wait, LAB_CONTROL);
	for (unsigned bond = 0; rc == 0 && bond < lab->spec.bonds; bond++)
		rc = wait_for_path(&wait, bond);
	if (rc == -ETIMEDOUT)
		return lab_fail(err, LIBBOND_CAUSE_TIMEOUT, ETIMEDOUT, "the laboratory is not ready: %s",
		                wait.missing);
	if (rc < 0)
		return lab_fail(err, LIBBOND_CAUSE_SYSTEM, -rc, "cannot test the laboratory: %s", strerror(-rc));
	return 0;
}
