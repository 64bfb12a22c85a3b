/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Collects what is wanted of bonds and slaves. Sits between the caller's words and plan.c, which compares it with the
 * state.
 */
#include "change.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

int libbond_change_new(struct libbond_change **out)
{
	struct libbond_change *change = calloc(1, sizeof(*change));
	if (!change)
		return -ENOMEM;
	*out = change;
	return 0;
}

void libbond_change_free(struct libbond_change *change)
{
	if (!change)
		return;
	for (size_t i = 0; i < change->count; i++) {
		struct lb_bond_wish *bond = &change->bonds[i];
		for (size_t s = 0; s < bond->count; s++)
			libbond_config_free(bond->slaves[s].config);
		free(bond->slaves);
		libbond_config_free(bond->config);
		libbond_config_free(bond->defaults);
	}
	free(change->bonds);
	free(change);
}

static int fail_twice(const char *name, struct libbond_error *err)
{
	int rc = lb_fail(err, LIBBOND_CAUSE_CONFLICT, EINVAL, "%.127s is named twice", name);
	lb_fail_device(err, name);
	return rc;
}

/* A name that no device can have is kept as far as it goes: looking it up says that there is none. */
static void copy_name(char to[LIBBOND_ALTNAME_SIZE], const char *name)
{
	snprintf(to, LIBBOND_ALTNAME_SIZE, "%s", name);
}

static bool is_name(const char kept[LIBBOND_ALTNAME_SIZE], const char *name)
{
	return strncmp(kept, name, LIBBOND_ALTNAME_SIZE - 1) == 0;
}

static struct lb_bond_wish *find_bond(const struct libbond_change *change, const char *name)
{
	for (size_t i = 0; i < change->count; i++)
		if (is_name(change->bonds[i].name, name))
			return &change->bonds[i];
	return NULL;
}

int libbond_change_bond(struct libbond_change *change, const char *bond, unsigned flags,
                        const struct libbond_config *config, struct libbond_error *err)
{
	struct libbond_config *copy;

	if ((flags & LIBBOND_BOND_DELETE) && (flags != LIBBOND_BOND_DELETE || (config && config->count))) {
		lb_fail(err, LIBBOND_CAUSE_CONFLICT, EINVAL, "%.127s is to be deleted, and to be something", bond);
		lb_fail_device(err, bond);
		return -EINVAL;
	}
	if (find_bond(change, bond))
		return fail_twice(bond, err);
	struct lb_bond_wish *grown = realloc(change->bonds, (change->count + 1) * sizeof(*grown));
	if (grown)
		change->bonds = grown;
	if (!grown || lb_config_copy(config, &copy) < 0)
		return lb_fail_memory(err);
	struct lb_bond_wish *wish = &grown[change->count++];
	*wish = (struct lb_bond_wish){.flags = flags, .config = copy};
	copy_name(wish->name, bond);
	return 0;
}

static int fail_unnamed(const char *bond, struct libbond_error *err)
{
	int rc = lb_fail(err, LIBBOND_CAUSE_NO_DEVICE, EINVAL, "the change does not name a bond '%.127s'", bond);
	lb_fail_device(err, bond);
	return rc;
}

int libbond_change_defaults(struct libbond_change *change, const char *bond, const struct libbond_config *config,
                            struct libbond_error *err)
{
	struct lb_bond_wish *wish = find_bond(change, bond);
	struct libbond_config *copy;

	if (!wish)
		return fail_unnamed(bond, err);
	if (lb_config_copy(config, &copy) < 0)
		return lb_fail_memory(err);
	libbond_config_free(wish->defaults);
	wish->defaults = copy;
	return 0;
}

/* A device may leave one bond and join another, and nothing else twice. */
static bool clashes(const struct lb_bond_wish *there, const struct lb_slave_wish *slave,
                    const struct lb_bond_wish *bond, enum libbond_slave_wish wish)
{
	bool moves = there != bond && (slave->wish == LIBBOND_SLAVE_OUT) != (wish == LIBBOND_SLAVE_OUT) &&
	             slave->wish != LIBBOND_SLAVE_PRESENT && wish != LIBBOND_SLAVE_PRESENT;
	return !moves;
}

static int need_new(const struct libbond_change *change, const struct lb_bond_wish *bond, const char *slave,
                    enum libbond_slave_wish wish, struct libbond_error *err)
{
	for (size_t i = 0; i < change->count; i++) {
		const struct lb_bond_wish *other = &change->bonds[i];
		for (size_t s = 0; s < other->count; s++)
			if (is_name(other->slaves[s].name, slave) && clashes(other, &other->slaves[s], bond, wish))
				return fail_twice(slave, err);
	}
	return 0;
}

static struct lb_slave_wish *add_slave(struct libbond_change *change, const char *bond_name, const char *slave,
                                       enum libbond_slave_wish wish, const struct libbond_config *config,
                                       struct libbond_error *err)
{
	struct lb_bond_wish *bond = find_bond(change, bond_name);
	struct libbond_config *copy;

	if (!bond) {
		fail_unnamed(bond_name, err);
		return NULL;
	}
	if (need_new(change, bond, slave, wish, err) < 0)
		return NULL;
	struct lb_slave_wish *grown = realloc(bond->slaves, (bond->count + 1) * sizeof(*grown));
	if (grown)
		bond->slaves = grown;
	if (!grown || lb_config_copy(config, &copy) < 0) {
		lb_fail_memory(err);
		return NULL;
	}
	struct lb_slave_wish *added = &grown[bond->count++];
	*added = (struct lb_slave_wish){.wish = wish, .config = copy};
	copy_name(added->name, slave);
	return added;
}

int libbond_change_slave(struct libbond_change *change, const char *bond, const char *slave,
                         enum libbond_slave_wish wish, const struct libbond_config *config, struct libbond_error *err)
{
	struct libbond_error local = {.errnum = EINVAL};
	struct lb_slave_wish *added = add_slave(change, bond, slave, wish, config, &local);

	if (!added && err)
		*err = local;
	return added ? 0 : -local.errnum;
}

int libbond_change_replace(struct libbond_change *change, const char *bond, const char *old_slave,
                           const char *new_slave, unsigned wait_ms, struct libbond_error *err)
{
	struct libbond_error local = {.errnum = EINVAL};
	struct lb_slave_wish *old = add_slave(change, bond, old_slave, LIBBOND_SLAVE_OUT, NULL, &local);
	struct lb_slave_wish *new = old ? add_slave(change, bond, new_slave, LIBBOND_SLAVE_IN, NULL, &local) : NULL;

	if (new) {
		copy_name(new->replaces, old_slave);
		new->wait_ms = wait_ms;
	} else if (err) {
		*err = local;
	}
	if (old && !new) { /* neither */
		struct lb_bond_wish *wish = find_bond(change, bond);
		libbond_config_free(wish->slaves[--wish->count].config);
	}
	return new ? 0 : -local.errnum;
}

void libbond_change_prune(struct libbond_change *change)
{
	change->prune = true;
}
