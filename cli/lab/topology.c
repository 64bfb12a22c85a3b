/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Builds a laboratory and works its legs. Sits on links.c, inet.c, qdisc.c and libbond; ready.c waits for what is
 * built here, ending.c ends it.
 */
#include "lab/topology.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "lab/fail.h"
#include "lab/inet.h"
#include "lab/inside.h"
#include "lab/links.h"
#include "lab/netns.h"
#include "lab/qdisc.h"

static int check(const struct lab_spec *spec, struct libbond_error *err)
{
	if (spec->mode >= LIBBOND_MODES)
		return lab_fail(err, LIBBOND_CAUSE_BAD_VALUE, EINVAL, "there is no mode %u", spec->mode);
	if (spec->slaves < 1 || spec->slaves > LAB_SLAVES_MAX)
		return lab_fail(err, LIBBOND_CAUSE_BAD_VALUE, EINVAL, "a bond here has 1 to %u slaves",
		                LAB_SLAVES_MAX);
	if (spec->bonds < 1 || spec->bonds > LAB_BONDS_MAX)
		return lab_fail(err, LIBBOND_CAUSE_BAD_VALUE, EINVAL, "there are 1 to %u bonds", LAB_BONDS_MAX);
	return 0;
}

static int make_side(struct lab *lab, enum lab_side side, struct libbond_error *err)
{
	char path[LAB_NETNS_PATH_SIZE];
	int rc = lab_net_new(&lab->sides[side].net, err);

	if (rc < 0)
		return rc;
	int fd = lab_net_fd(lab->sides[side].net);
	int watch;
	rc = lab_netns_watch(fd, &watch);
	lab->sides[side].watch = rc < 0 ? rc : watch;
	return libbond_open(&lab->sides[side].handle, lab_netns_path(fd, path), 0, err);
}

/* --- addresses --- */

/* Give a bond's end its addresses of both families. */
static int add_addresses(struct lab *lab, enum lab_side side, unsigned bond, const char *device,
                         struct libbond_error *err)
{
	static const struct {
		int family;
		const char *length;
	} families[] = {{AF_INET, "/24"}, {AF_INET6, "/64"}};
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < sizeof(families) / sizeof(families[0]); i++) {
		char host[LAB_ADDRESS_SIZE], text[LAB_ADDRESS_SIZE + 4];
		lab_address(bond, side, families[i].family, host);
		snprintf(text, sizeof(text), "%s%s", host, families[i].length);
		rc = lab_inet_address(lab->sides[side].net, device, text, err);
	}
	return rc;
}

static int make_control(struct lab *lab, struct libbond_error *err)
{
	const struct lab_end near = {.net = lab->sides[LAB_NEAR].net, .name = "ctl"};
	const struct lab_end far = {.net = lab->sides[LAB_FAR].net, .name = "ctl"};
	int rc = lab_link_veth(&near, &far, 0, 0, err);

	for (enum lab_side side = LAB_NEAR; rc == 0 && side < LAB_SIDES; side++) {
		rc = lab_link_up(lab->sides[side].net, "ctl", true, err);
		if (rc == 0)
			rc = add_addresses(lab, side, LAB_CONTROL, "ctl", err);
	}
	return rc;
}

/* --- legs --- */

static int shape(struct lab_net *net, const char *device, uint64_t rate, struct libbond_error *err)
{
	const struct lab_qdisc qdisc = {.kind = LAB_QDISC_TBF, .rate = rate};

	if (rate)
		return lab_qdisc_set(net, device, &qdisc, err);
	int rc = lab_qdisc_remove(net, device, err);
	return rc == -ENOENT || rc == -EINVAL ? 0 : rc;
}

static int make_leg(struct lab *lab, unsigned leg, struct libbond_error *err)
{
	char names[LAB_SIDES][LIBBOND_NAME_SIZE];
	struct lab_end ends[LAB_SIDES];

	for (enum lab_side side = LAB_NEAR; side < LAB_SIDES; side++)
		ends[side] =
			(struct lab_end){.net = lab->sides[side].net, .name = lab_leg_name(leg, side, names[side])};
	int rc = lab_link_veth(&ends[LAB_NEAR], &ends[LAB_FAR], lab->spec.mtu, 0, err);
	for (enum lab_side side = LAB_NEAR; rc == 0 && lab->spec.rate && side < LAB_SIDES; side++)
		rc = shape(ends[side].net, ends[side].name, lab->spec.rate, err);
	return rc;
}

/* --- bonds and bridges --- */

static int want(struct libbond_config *config, enum libbond_scope scope, const char *name, const char *text,
                struct libbond_error *err)
{
	return libbond_config_set(config, libbond_attr_find(scope, name), text, err);
}

static int want_number(struct libbond_config *config, enum libbond_scope scope, const char *name, unsigned number,
                       struct libbond_error *err)
{
	char text[16];
	snprintf(text, sizeof(text), "%u", number);
	return want(config, scope, name, text, err);
}

static bool wants(const struct libbond_config *config, const char *name)
{
	return libbond_config_has(config, libbond_attr_find(LIBBOND_SCOPE_BOND, name));
}

static int want_all_of(struct libbond_config *config, const struct libbond_config *others, struct libbond_error *err)
{
	char text[LIBBOND_TEXT_SIZE];
	int rc = 0;

	for (size_t i = 0; others && rc == 0 && i < libbond_config_count(others); i++) {
		const struct libbond_attr *attr = libbond_config_attr(others, i);
		libbond_config_text(others, attr, text, sizeof(text));
		rc = libbond_config_set(config, attr, text, err);
	}
	return rc;
}

/* What a bond of a side is created with. */
static int fill_config(const struct lab *lab, enum lab_side side, struct libbond_config *config,
                       struct libbond_error *err)
{
	const struct lab_spec *spec = &lab->spec;
	int rc = want_all_of(config, side == LAB_NEAR ? spec->near : spec->far, err);

	if (rc == 0)
		rc = want_number(config, LIBBOND_SCOPE_BOND, "mode", spec->mode, err);
	if (rc == 0 && !wants(config, "miimon") && !wants(config, "arp_interval"))
		rc = want(config, LIBBOND_SCOPE_BOND, "miimon", "100", err);
	/* with slow, the driver's default, two bonds have taken more than 20 s to agree */
	if (rc == 0 && spec->mode == MODE_LACP && !wants(config, "lacp_rate"))
		rc = want(config, LIBBOND_SCOPE_BOND, "lacp_rate", "fast", err);
	if (rc == 0 && spec->mtu)
		rc = want_number(config, LIBBOND_SCOPE_LINK, "mtu", spec->mtu, err);
	if (rc == 0 && spec->txqueuelen && side == LAB_NEAR)
		rc = want_number(config, LIBBOND_SCOPE_LINK, "txqueuelen", spec->txqueuelen, err);
	return rc == 0 ? want(config, LIBBOND_SCOPE_LINK, "up", "on", err) : rc;
}

static int make_bond(struct lab *lab, enum lab_side side, unsigned bond, struct libbond_error *err)
{
	char legs[LAB_SLAVES_MAX][LIBBOND_NAME_SIZE], name[LIBBOND_NAME_SIZE];
	struct libbond_member members[LAB_SLAVES_MAX] = {0};
	struct libbond_config *config;
	unsigned slaves = lab->spec.slaves;

	if (libbond_config_new(&config) < 0)
		return lab_fail_memory(err);
	for (unsigned i = 0; i < slaves; i++)
		members[i].name = lab_leg_name(bond * slaves + i, side, legs[i]);
	int rc = fill_config(lab, side, config, err);
	if (rc == 0)
		rc = libbond_create(lab->sides[side].handle, lab_bond_name(bond, name), config, members, slaves,
		                    LIBBOND_PLAN_FORCE, NULL, err);
	libbond_config_free(config);
	return rc;
}

static int make_bridge(struct lab *lab, unsigned bond, struct libbond_error *err)
{
	struct lab_net *net = lab->sides[LAB_FAR].net;
	char bridge[LIBBOND_NAME_SIZE], port[LIBBOND_NAME_SIZE];

	lab_far_name(lab->spec.mode, bond, bridge);
	int rc = lab_link_bridge(net, bridge, 0, err);
	if (rc == 0 && lab->spec.mtu)
		rc = lab_link_mtu(net, bridge, lab->spec.mtu, err);
	for (unsigned i = 0; rc == 0 && i < lab->spec.slaves; i++) {
		lab_leg_name(bond * lab->spec.slaves + i, LAB_FAR, port);
		rc = lab_link_master(net, port, bridge, err);
		if (rc == 0)
			rc = lab_link_up(net, port, true, err);
	}
	return rc == 0 ? lab_link_up(net, bridge, true, err) : rc;
}

static int make_path(struct lab *lab, unsigned bond, struct libbond_error *err)
{
	char near[LIBBOND_NAME_SIZE], far[LIBBOND_NAME_SIZE];
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < lab->spec.slaves; i++)
		rc = make_leg(lab, bond * lab->spec.slaves + i, err);
	if (rc == 0)
		rc = lab_far_is_bond(lab->spec.mode) ? make_bond(lab, LAB_FAR, bond, err)
		                                     : make_bridge(lab, bond, err);
	if (rc == 0)
		rc = make_bond(lab, LAB_NEAR, bond, err);
	if (rc == 0)
		rc = add_addresses(lab, LAB_NEAR, bond, lab_bond_name(bond, near), err);
	if (rc == 0)
		rc = add_addresses(lab, LAB_FAR, bond, lab_far_name(lab->spec.mode, bond, far), err);
	return rc;
}

int lab_new(struct lab **out, const struct lab_spec *spec, struct libbond_error *err)
{
	int rc = check(spec, err);

	if (rc < 0)
		return rc;
	struct lab *lab = calloc(1, sizeof(*lab));
	if (!lab)
		return lab_fail_memory(err);
	lab->spec = *spec;
	for (enum lab_side side = LAB_NEAR; side < LAB_SIDES; side++)
		lab->sides[side].watch = -ENOTSUP;
	for (enum lab_side side = LAB_NEAR; rc == 0 && side < LAB_SIDES; side++)
		rc = make_side(lab, side, err);
	if (rc == 0)
		rc = make_control(lab, err);
	for (unsigned bond = 0; rc == 0 && bond < spec->bonds; bond++)
		rc = make_path(lab, bond, err);
	lab->spec.near = lab->spec.far = NULL; /* they were the caller's */
	if (rc < 0) {
		lab_free(lab, 0, NULL);
		return rc;
	}
	*out = lab;
	return 0;
}

const struct lab_spec *lab_spec(const struct lab *lab)
{
	return &lab->spec;
}

struct lab_net *lab_net(const struct lab *lab, enum lab_side side)
{
	return lab->sides[side].net;
}

struct libbond *lab_handle(const struct lab *lab, enum lab_side side)
{
	return lab->sides[side].handle;
}

/* --- working the legs --- */

int lab_leg_carrier(struct lab *lab, unsigned leg, bool carrier, struct libbond_error *err)
{
	char name[LIBBOND_NAME_SIZE];
	return lab_link_up(lab->sides[LAB_FAR].net, lab_leg_name(leg, LAB_FAR, name), carrier, err);
}

int lab_leg_silence(struct lab *lab, unsigned leg, bool silent, struct libbond_error *err)
{
	char name[LIBBOND_NAME_SIZE];
	return lab_qdisc_silence(lab->sides[LAB_FAR].net, lab_leg_name(leg, LAB_FAR, name), silent, err);
}

int lab_leg_rate(struct lab *lab, unsigned leg, uint64_t rate, struct libbond_error *err)
{
	char name[LIBBOND_NAME_SIZE];
	int rc = shape(lab->sides[LAB_FAR].net, lab_leg_name(leg, LAB_FAR, name), rate, err);

	if (rc < 0 || lab_net_index(lab->sides[LAB_NEAR].net, lab_leg_name(leg, LAB_NEAR, name)) < 0)
		return rc;
	return shape(lab->sides[LAB_NEAR].net, name, rate, err);
}
