/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A laboratory: two namespaces, bonds in the near one, at the other end of their legs what the mode needs, and a path
 * between the two that does not cross the bonds.
 *
 *   near namespace                              far namespace
 *   bond0 --- leg0 ======== veth ======== far0 --- bond0   back to back: balance-rr, balance-xor, broadcast, 802.3ad
 *         \-- leg1 ======== veth ======== far1 --/   or br0: active-backup, balance-tlb, balance-alb
 *   ctl ================== veth ================== ctl
 *
 * Leg number L of all bonds together is leg L % slaves of bond L / slaves. All of it is gone with the process.
 *
 * The objects that lab_net() and lab_handle() give are for the thread that made the laboratory; another thread opens
 * its own, with lab_net_join() and libbond_open() on lab_netns_path().
 */
#ifndef LAB_TOPOLOGY_H
#define LAB_TOPOLOGY_H

#include <stdbool.h>
#include <stdint.h>

#include "lab/net.h"

struct lab;

enum lab_side { LAB_NEAR, LAB_FAR, LAB_SIDES };

#define LAB_BONDS_MAX 64
#define LAB_SLAVES_MAX 64
/* In the place of a bond's number: the control path. */
#define LAB_CONTROL 255u

struct lab_spec {
	unsigned mode;       /* 0 to 6 */
	unsigned slaves;     /* legs of each bond, 1 to LAB_SLAVES_MAX */
	unsigned bonds;      /* 1 to LAB_BONDS_MAX */
	unsigned mtu;        /* of legs, bonds and bridges, not of the control path; 0 for 1500 */
	unsigned txqueuelen; /* of the near bonds; 0 for the kernel's */
	uint64_t rate;       /* bits a second of each leg in each direction (tbf); 0: not shaped */
	/* Options (scope BOND) of the bonds at either end beside the mode, or NULL. Where they name neither miimon
	 * nor arp_interval, miimon is 100; lacp_rate is fast where they do not name it. */
	const struct libbond_config *near, *far;
};

/*
 * Build it; bonds and legs are up when this returns, and may not carry traffic yet: lab_wait_ready(). Nothing is left
 * on failure. Causes: BAD_VALUE, NO_DRIVER, PERMISSION, SYSTEM, MEMORY, those of libbond_create() and the kernel's
 * refusals.
 */
int lab_new(struct lab **out, const struct lab_spec *spec, struct libbond_error *err);

/*
 * Wait until every leg has carrier, 802.3ad ports of both ends collect and distribute in one aggregator, and a
 * datagram of each family has gone over each bond and come back. -ETIMEDOUT with cause TIMEOUT: err says what was
 * missing.
 */
int lab_wait_ready(struct lab *lab, unsigned timeout_ms, struct libbond_error *err);

/* What it was made of, without the configs. */
const struct lab_spec *lab_spec(const struct lab *lab);
struct lab_net *lab_net(const struct lab *lab, enum lab_side side);
struct libbond *lab_handle(const struct lab *lab, enum lab_side side);
/* Whether the far end of this mode is a bond; else it is a bridge. */
bool lab_far_is_bond(unsigned mode);

#define LAB_ADDRESS_SIZE 46

/* Names of what was built: "bond0"; of a leg's two ends "leg3", "far3"; of what ends it in the far namespace "bond0"
 * or "br0"; LAB_CONTROL for "ctl". Return name. */
const char *lab_bond_name(unsigned bond, char name[LIBBOND_NAME_SIZE]);
const char *lab_far_name(unsigned mode, unsigned bond, char name[LIBBOND_NAME_SIZE]);
const char *lab_leg_name(unsigned leg, enum lab_side side, char name[LIBBOND_NAME_SIZE]);
/* Address of a bond's end, family AF_INET (198.18.B.1 and .2, of 24 bits) or AF_INET6 (2001:2:0:B::1 and ::2, of 64).
 * Both are ranges for benchmarks (RFC 2544, RFC 5180). Returns text. */
const char *lab_address(unsigned bond, enum lab_side side, int family, char text[LAB_ADDRESS_SIZE]);

/* Give a leg carrier or take it, by setting its far end up or down. */
int lab_leg_carrier(struct lab *lab, unsigned leg, bool carrier, struct libbond_error *err);
/* Let a leg lose everything in both directions while it has carrier, or carry again. It is done at the far end.
 * After three seconds of it, with lacp_rate fast, 802.3ad ports expire; Linux 6.1 has then taken more than 20 s to
 * agree again. */
int lab_leg_silence(struct lab *lab, unsigned leg, bool silent, struct libbond_error *err);
/* Shape a leg at its far end and, if the near end is in its namespace, there; 0: not any more. */
int lab_leg_rate(struct lab *lab, unsigned leg, uint64_t rate, struct libbond_error *err);

/* What was there at the end, and how it went away. */
struct lab_ending {
	int devices[LAB_SIDES];  /* beside lo, counted before anything was closed; -errno if it could not be */
	int expected[LAB_SIDES]; /* as many as were built */
	int gone[LAB_SIDES]; /* 1: the namespace is gone; 0: not after the time given; -ENOTSUP: cannot be told here
	                      */
	int64_t teardown_ns; /* from the closing until both were gone, or the time was over */
};

/*
 * Close all and wait, at most timeout_ms, until the kernel has taken both namespaces down: one that somebody keeps
 * open, or whose device never becomes free, is still there then. ending may be NULL. 0, -ETIMEDOUT. NULL is no
 * laboratory: 0.
 */
int lab_free(struct lab *lab, unsigned timeout_ms, struct lab_ending *ending);

#endif
