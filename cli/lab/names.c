/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names and addresses in a laboratory. Called by topology.c, which makes what they name, and by everybody who
 * looks for it.
 */
#include <stdio.h>
#include <sys/socket.h>

#include "lab/topology.h"

bool lab_far_is_bond(unsigned mode)
{
	/* the others put one MAC address on one leg at a time, as any switch expects */
	static const bool is_bond[LIBBOND_MODES] = {
		[0] = true, /* balance-rr */
		[2] = true, /* balance-xor */
		[3] = true, /* broadcast */
		[4] = true, /* 802.3ad */
	};
	return mode < LIBBOND_MODES && is_bond[mode];
}

static const char *numbered(const char *prefix, unsigned bond, char name[LIBBOND_NAME_SIZE])
{
	if (bond == LAB_CONTROL)
		snprintf(name, LIBBOND_NAME_SIZE, "ctl");
	else
		snprintf(name, LIBBOND_NAME_SIZE, "%s%u", prefix, bond % 100000);
	return name;
}

const char *lab_bond_name(unsigned bond, char name[LIBBOND_NAME_SIZE])
{
	return numbered("bond", bond, name);
}

const char *lab_far_name(unsigned mode, unsigned bond, char name[LIBBOND_NAME_SIZE])
{
	return numbered(lab_far_is_bond(mode) ? "bond" : "br", bond, name);
}

const char *lab_leg_name(unsigned leg, enum lab_side side, char name[LIBBOND_NAME_SIZE])
{
	snprintf(name, LIBBOND_NAME_SIZE, "%s%u", side == LAB_NEAR ? "leg" : "far", leg % 100000);
	return name;
}

const char *lab_address(unsigned bond, enum lab_side side, int family, char text[LAB_ADDRESS_SIZE])
{
	unsigned host = side == LAB_NEAR ? 1 : 2;

	if (family == AF_INET6)
		snprintf(text, LAB_ADDRESS_SIZE, "2001:2:0:%x::%u", bond, host);
	else
		snprintf(text, LAB_ADDRESS_SIZE, "198.18.%u.%u", bond, host);
	return text;
}
