/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds out which attributes the running kernel has, by making bonds and looking what comes back: a version
 * says nothing, since stable kernels carry features of later ones. Sits between the public interface and
 * the changes; the caller's handle is in a namespace of its own.
 *
 * Three bonds are made: one in 802.3ad; its slave, in active-backup; and that one's slave and primary. Between
 * them they show every attribute, those of an LACP port once it has an aggregator. A fourth comes and goes
 * with each word that an option takes.
 */
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "error.h"
#include "read.h"

struct libbond_probe {
	bool privileged; /* the reader saw what is shown to CAP_NET_ADMIN only */
	bool seen[LB_BOND_COUNT + LB_AD_INFO_COUNT + LB_SLAVE_COUNT + LB_IFLA_COUNT];
	uint32_t taken[LB_BOND_COUNT], refused[LB_BOND_COUNT]; /* bit i: what came of word number i */
};

struct setting {
	unsigned number;
	const char *text;
};

static const struct setting lacp_settings[] = {
	{LB_BOND_MODE, "802.3ad"},
	{LB_BOND_ARP_IP_TARGET, "192.0.2.1"},
	{LB_BOND_NS_IP6_TARGET, "2001:db8::1"},
	{0, NULL},
};
static const struct setting backup_settings[] = {{LB_BOND_MODE, "active-backup"}, {0, NULL}};
static const struct setting plain_settings[] = {{0, NULL}};
static const struct setting primary_settings[] = {{LB_BOND_PRIMARY, "lbprobe2"}, {0, NULL}};

static size_t slot(const struct libbond_attr *attr)
{
	static const size_t base[] = {
		[LIBBOND_SCOPE_BOND] = 0,
		[LIBBOND_SCOPE_AD_INFO] = LB_BOND_COUNT,
		[LIBBOND_SCOPE_SLAVE] = LB_BOND_COUNT + LB_AD_INFO_COUNT,
		[LIBBOND_SCOPE_LINK] = LB_BOND_COUNT + LB_AD_INFO_COUNT + LB_SLAVE_COUNT,
	};
	return base[libbond_attr_scope(attr)] + libbond_attr_id(attr);
}

static int make_config(const struct setting *settings, bool up, struct libbond_config **out,
                       struct libbond_error *err)
{
	struct libbond_config *config = NULL;
	int rc = libbond_config_new(&config) < 0 ? lb_fail_memory(err) : 0;
	for (; rc == 0 && settings->text; settings++)
		rc = libbond_config_set(config, lb_bond_attr(settings->number), settings->text, err);
	if (rc == 0 && up)
		rc = libbond_config_set(config, lb_link_attr(LB_IFLA_UP), "on", err);
	if (rc == 0)
		*out = config;
	else
		libbond_config_free(config);
	return rc;
}

static int make(struct libbond *handle, const char *name, const struct setting *settings, const char *slave,
                struct libbond_error *err)
{
	struct libbond_member member = {.name = slave};
	struct libbond_config *config = NULL;
	int rc = make_config(settings, true, &config, err);
	if (rc == 0)
		rc = libbond_create(handle, name, config, &member, slave ? 1 : 0, 0, NULL, err);
	libbond_config_free(config);
	return rc;
}

/* NS targets make a kernel without IPv6 or without them fail to verify; then the bond is made without. */
static int make_lacp(struct libbond *handle, struct libbond_error *err)
{
	static const struct setting bare[] = {{LB_BOND_MODE, "802.3ad"}, {0, NULL}};
	struct libbond_error first = {0};
	int rc = make(handle, "lbprobe0", lacp_settings, "lbprobe1", &first);

	if (rc < 0 && first.rolled_back)
		return make(handle, "lbprobe0", bare, "lbprobe1", err);
	if (rc < 0 && err)
		*err = first;
	return rc;
}

static int set_primary(struct libbond *handle, struct libbond_error *err)
{
	struct libbond_config *config = NULL;
	int rc = make_config(primary_settings, false, &config, err);
	if (rc == 0)
		rc = libbond_set(handle, "lbprobe1", config, NULL, 0, 0, NULL, err);
	libbond_config_free(config);
	return rc;
}

static void look(struct libbond_probe *probe, const struct libbond_snapshot *snapshot)
{
	for (size_t i = 0; i < libbond_snapshot_links(snapshot); i++) {
		const struct libbond_link *link = libbond_snapshot_link(snapshot, i);
		for (unsigned scope = 0; scope < LIBBOND_SCOPES; scope++) {
			const struct libbond_attr *attr = NULL;
			while ((attr = libbond_attr_next((enum libbond_scope)scope, attr)))
				if (libbond_link_has(link, attr))
					probe->seen[slot(attr)] = true;
		}
	}
	probe->privileged = probe->seen[slot(lb_bond_attr(LB_BOND_AD_ACTOR_SYS_PRIO))];
}

/* An LACP port gets its aggregator at a tick of the state machine, every 100 ms. */
static int look_until_lacp(struct libbond *handle, struct libbond_probe *probe, struct libbond_error *err)
{
	const struct timespec tick = {.tv_nsec = 50 * 1000 * 1000};
	const struct libbond_attr *last = lb_slave_attr(LB_SLAVE_AD_AGGREGATOR_ID);

	for (int i = 0; i < 40 && !probe->seen[slot(last)]; i++) {
		struct libbond_snapshot *snapshot;
		int rc = libbond_read(handle, 0, &snapshot, err);
		if (rc < 0)
			return rc;
		look(probe, snapshot);
		libbond_snapshot_free(snapshot);
		if (!probe->seen[slot(last)])
			nanosleep(&tick, NULL);
	}
	return 0;
}

static int make_all(struct libbond *handle, struct libbond_error *err)
{
	int rc = make(handle, "lbprobe2", plain_settings, NULL, err);
	if (rc == 0)
		rc = make(handle, "lbprobe1", backup_settings, "lbprobe2", err);
	if (rc == 0)
		rc = set_primary(handle, err);
	return rc == 0 ? make_lacp(handle, err) : rc;
}

/* Words came later than their options (vlan+srcmac, actor_port_prio), and one has gone (use_carrier off). */
static void try_word(struct libbond *handle, struct libbond_probe *probe, const struct libbond_attr *attr, unsigned i)
{
	static const char *const name = "lbprobe3";
	bool lacp = attr->modes & (1u << LB_MODE_8023AD);
	unsigned mode = lacp ? LB_MODE_8023AD : (unsigned)__builtin_ctz(attr->modes);
	const struct setting settings[] = {
		{LB_BOND_MODE, libbond_mode_name(mode)}, {libbond_attr_id(attr), attr->words[i].name}, {0, NULL}};
	struct libbond_config *config = NULL;
	struct libbond_error err = {0};
	int rc = make_config(settings, false, &config, &err);

	if (rc == 0)
		rc = libbond_create(handle, name, config, NULL, 0, LIBBOND_PLAN_FORCE, NULL, &err);
	if (rc == 0)
		probe->taken[libbond_attr_id(attr)] |= 1u << i;
	else if (err.cause == LIBBOND_CAUSE_REFUSED)
		probe->refused[libbond_attr_id(attr)] |= 1u << i;
	if (rc == 0)
		libbond_delete(handle, &name, 1, NULL, NULL);
	libbond_config_free(config);
}

static void try_words(struct libbond *handle, struct libbond_probe *probe)
{
	const struct libbond_attr *attr = NULL;
	while ((attr = libbond_attr_next(LIBBOND_SCOPE_BOND, attr)))
		for (unsigned i = 0; attr->words && attr->words[i].name && i < 32; i++)
			try_word(handle, probe, attr, i);
}

int libbond_probe(struct libbond *handle, struct libbond_probe **out, struct libbond_error *err)
{
	struct libbond_probe *probe = calloc(1, sizeof(*probe));
	if (!probe)
		return lb_fail_memory(err);
	int rc = make_all(handle, err);
	if (rc == 0)
		rc = look_until_lacp(handle, probe, err);
	if (rc < 0) {
		free(probe);
		return rc;
	}
	try_words(handle, probe);
	*out = probe;
	return 0;
}

int libbond_probe_word(const struct libbond_probe *probe, const struct libbond_attr *attr, size_t i)
{
	int has = libbond_probe_has(probe, attr);
	if (libbond_attr_scope(attr) != LIBBOND_SCOPE_BOND || !libbond_attr_word(attr, i, NULL) || i >= 32)
		return -1;
	if (has != 1)
		return has;
	unsigned id = libbond_attr_id(attr);
	return probe->refused[id] >> i & 1 ? 0 : probe->taken[id] >> i & 1 ? 1 : -1;
}

void libbond_probe_free(struct libbond_probe *probe)
{
	free(probe);
}

int libbond_probe_has(const struct libbond_probe *probe, const struct libbond_attr *attr)
{
	if (probe->seen[slot(attr)])
		return 1;
	if (attr->presence == LIBBOND_PRESENT_PRIVILEGED && !probe->privileged)
		return -1;
	/* a device has these or not, whatever the kernel */
	return libbond_attr_scope(attr) == LIBBOND_SCOPE_LINK ? -1 : 0;
}
