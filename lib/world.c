/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads what a change is about, and makes the devices of its plan: the bonds, their slaves, those that are to join,
 * their masters. Sits between plan.c and read.c. How much is read goes by what is wanted: options alone need the
 * bond, and nothing of its slaves.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "plan.h"

/* --- devices --- */

void lb_device_free(struct lb_device *device)
{
	if (!device)
		return;
	libbond_config_free(device->named);
	libbond_config_free(device->work.config);
	libbond_config_free(device->back);
	libbond_config_free(device->lost);
	libbond_config_free(device->sent);
	libbond_config_free(device->sent_before);
	libbond_config_free(device->seen);
	libbond_config_free(device->returned);
	libbond_config_free(device->accepted);
	libbond_config_free(device->foreign);
	libbond_config_free(device->refused);
	free(device->order);
	free(device->stay);
	free(device->leave);
	free(device->join);
	free(device);
}

struct lb_device *lb_plan_add(struct libbond_plan *plan, const char *name, const struct libbond_link *link)
{
	struct lb_device **grown = realloc(plan->devices, (plan->count + 1) * sizeof(struct lb_device *));
	struct lb_device *device = calloc(1, sizeof(*device));

	if (grown)
		plan->devices = grown;
	if (!grown || !device || libbond_config_new(&device->named) < 0 || libbond_config_new(&device->back) < 0 ||
	    libbond_config_new(&device->lost) < 0 || libbond_config_new(&device->sent) < 0 ||
	    libbond_config_new(&device->sent_before) < 0 || libbond_config_new(&device->foreign) < 0 ||
	    libbond_config_new(&device->seen) < 0 || libbond_config_new(&device->refused) < 0 ||
	    libbond_config_new(&device->accepted) < 0 || libbond_config_new(&device->returned) < 0 ||
	    libbond_config_new(&device->work.config) < 0) {
		lb_device_free(device);
		return NULL;
	}
	snprintf(device->name, sizeof(device->name), "%s", link ? libbond_link_name(link) : name);
	device->link = link;
	device->ifindex = link ? libbond_link_ifindex(link) : 0;
	device->is_bond = link && libbond_link_is_bond(link);
	device->work.device = device->name;
	device->work.link = link;
	grown[plan->count++] = device;
	return device;
}

int lb_plan_keep_met(struct libbond_plan *plan, struct libbond_snapshot *met)
{
	struct libbond_snapshot **grown =
		realloc(plan->met, (plan->met_count + 1) * sizeof(struct libbond_snapshot *));

	if (!grown) {
		libbond_snapshot_free(met);
		return -ENOMEM;
	}
	plan->met = grown;
	grown[plan->met_count++] = met;
	return 0;
}

const struct libbond_link *lb_plan_find_met(const struct libbond_plan *plan, unsigned ifindex)
{
	const struct libbond_link *link = NULL;

	for (size_t i = 0; !link && i < plan->met_count; i++)
		link = libbond_snapshot_by_index(plan->met[i], ifindex);
	return link;
}

int lb_push(struct lb_device ***list, size_t *count, struct lb_device *device)
{
	struct lb_device **grown = realloc(*list, (*count + 1) * sizeof(struct lb_device *));
	if (!grown)
		return -ENOMEM;
	*list = grown;
	grown[(*count)++] = device;
	return 0;
}

struct lb_device *lb_plan_find(const struct libbond_plan *plan, unsigned ifindex)
{
	for (size_t i = 0; ifindex && i < plan->count; i++)
		if (plan->devices[i]->ifindex == ifindex)
			return plan->devices[i];
	return NULL;
}

struct lb_device *lb_plan_device(struct libbond_plan *plan, const struct libbond_link *link)
{
	struct lb_device *found = lb_plan_find(plan, libbond_link_ifindex(link));
	return found ? found : lb_plan_add(plan, libbond_link_name(link), link);
}

/* --- reading --- */

static bool wants_any(const struct libbond_config *config, unsigned flags)
{
	for (size_t i = 0; i < config->count; i++)
		if (config->wants[i].attr->flags & flags)
			return true;
	return false;
}

/* Whether a bond's slaves have a say in what is wanted. */
static bool needs_slaves(const struct libbond_change *change, const struct lb_bond_wish *wish)
{
	/* another bond may take one */
	for (size_t i = 0; i < change->count; i++)
		if (&change->bonds[i] != wish && change->bonds[i].count)
			return true;
	if ((wish->flags & (LIBBOND_BOND_EXACT | LIBBOND_BOND_DELETE)) ||
	    wants_any(wish->config, LIBBOND_ATTR_NEEDS_EMPTY) ||
	    lb_config_find(wish->config, lb_link_attr(LB_IFLA_MTU)) ||
	    lb_config_find(wish->config, lb_link_attr(LB_IFLA_ADDRESS)) || lb_config_links(wish->config, NULL))
		return true;
	for (size_t i = 0; i < wish->count; i++)
		if (wish->slaves[i].wish == LIBBOND_SLAVE_OUT || *wish->slaves[i].replaces ||
		    lb_config_find(wish->slaves[i].config, lb_slave_attr(LB_SLAVE_QUEUE_ID)) ||
		    lb_config_find(wish->slaves[i].config, lb_link_attr(LB_IFLA_UP)))
			return true;
	return false;
}

static bool joins_any(const struct lb_bond_wish *wish)
{
	for (size_t i = 0; i < wish->count; i++)
		if (wish->slaves[i].wish == LIBBOND_SLAVE_IN)
			return true;
	return false;
}

/* A bond with carrier has slaves, which may be all that is asked. */
static bool is_dark(const struct libbond_link *link)
{
	return !lb_link_number_or(link, lb_link_attr(LB_IFLA_CARRIER), 0);
}

/* Those who join or leave may have VLAN devices: they come along without a round trip of their own. A description
 * mostly holds, and then nothing happens to them; what does not is read for in uppers.c. */
static bool needs_vlans(const struct libbond_change *change)
{
	for (size_t i = 0; i < change->count; i++)
		for (size_t s = 0; s < change->bonds[i].count; s++)
			if (!(change->bonds[i].flags & LIBBOND_BOND_EXACT) &&
			    change->bonds[i].slaves[s].wish != LIBBOND_SLAVE_PRESENT)
				return true;
	return false;
}

/* The names of a change, one after another: the bonds, then the slaves of each, then what values name. */
static size_t count_names(const struct libbond_change *change, size_t *links)
{
	size_t count = change->count;
	*links = 0;
	for (size_t i = 0; i < change->count; i++) {
		count += change->bonds[i].count;
		*links += lb_config_links(change->bonds[i].config, NULL);
	}
	return count;
}

static void put_names(const struct libbond_change *change, struct lb_lookup *lookups)
{
	size_t next = change->count;
	for (size_t i = 0; i < change->count; i++) {
		const struct lb_bond_wish *wish = &change->bonds[i];
		unsigned master = wish->flags & LIBBOND_BOND_DELETE ? LB_ALSO_MASTER : 0;
		unsigned slaves = needs_slaves(change, wish) ? LB_ALSO_SLAVES
		                  : joins_any(wish)          ? LB_ALSO_SLAVES_IF_DARK
		                                             : 0;
		lookups[i] = (struct lb_lookup){.name = wish->name, .also = master | slaves};
	}
	for (size_t i = 0; i < change->count; i++)
		for (size_t s = 0; s < change->bonds[i].count; s++)
			lookups[next++] = (struct lb_lookup){
				.name = change->bonds[i].slaves[s].name,
				.also = change->bonds[i].slaves[s].wish == LIBBOND_SLAVE_IN ? LB_ALSO_MASTER : 0};
	for (size_t i = 0; i < change->count; i++)
		next += lb_config_links(change->bonds[i].config, lookups + next);
}

/* --- from names to devices --- */

static int fail_exists(const struct libbond_link *there, struct libbond_error *err)
{
	const char *kind = libbond_link_kind(there), *name = libbond_link_name(there);
	int rc = lb_fail(err, LIBBOND_CAUSE_EXISTS, EEXIST, "cannot create %s: it exists%s%s", name,
	                 *kind ? ", kind " : "", kind);
	lb_fail_device(err, name);
	if (libbond_link_is_bond(there))
		lb_fail_hint(err, "bondctl set %s changes it, bondctl delete %s removes it", name, name);
	return rc;
}

static int add_bond(struct libbond_plan *plan, const struct libbond_change *change, const struct lb_bond_wish *wish,
                    const struct libbond_link *link, struct libbond_error *err)
{
	bool may_create = wish->flags & (LIBBOND_BOND_CREATE | LIBBOND_BOND_NEW);

	if (may_create && !link) {
		int rc = libbond_name_check(wish->name, err);
		if (rc < 0)
			return rc;
	}
	if (link && (wish->flags & LIBBOND_BOND_NEW))
		return fail_exists(link, err);
	if (!link && !may_create)
		return lb_fail_no_device(wish->name, err);
	if (link && !libbond_link_is_bond(link))
		return may_create ? fail_exists(link, err) : lb_fail_not_a_bond(link, err);
	if (link && lb_plan_find(plan, libbond_link_ifindex(link))) {
		int rc = lb_fail(err, LIBBOND_CAUSE_CONFLICT, EINVAL, "%s is named twice", libbond_link_name(link));
		lb_fail_device(err, libbond_link_name(link));
		return rc;
	}
	struct lb_device *device = lb_plan_add(plan, wish->name, link);
	if (!device)
		return lb_fail_memory(err);
	device->is_bond = true;
	device->flags = wish->flags;
	device->creates = !link;
	device->deletes = wish->flags & LIBBOND_BOND_DELETE;
	device->slaves_known = !link || needs_slaves(change, wish) || (joins_any(wish) && is_dark(link));
	device->work.lenient = wish->flags & LIBBOND_BOND_LENIENT;
	return 0;
}

static int add_pruned(struct libbond_plan *plan, struct libbond_error *err)
{
	for (size_t i = 0; i < libbond_snapshot_bonds(plan->before); i++) {
		const struct libbond_link *bond = libbond_snapshot_bond(plan->before, i);
		if (lb_plan_find(plan, libbond_link_ifindex(bond)))
			continue;
		struct lb_device *device = lb_plan_add(plan, libbond_link_name(bond), bond);
		if (!device)
			return lb_fail_memory(err);
		device->flags = LIBBOND_BOND_DELETE;
		device->deletes = device->slaves_known = true;
		const struct libbond_link *master =
			libbond_snapshot_by_index(plan->before, libbond_link_master(bond));
		if (master && !lb_plan_device(plan, master))
			return lb_fail_memory(err);
	}
	return 0;
}

/* Masters of those that are to join: bonds among them have been read with their slaves. */
static int add_masters(struct libbond_plan *plan, struct libbond_error *err)
{
	for (size_t i = 0; i < plan->lookup_count; i++) {
		const struct libbond_link *link = plan->lookups[i].link;
		const struct libbond_link *master =
			link && (plan->lookups[i].also & LB_ALSO_MASTER)
				? libbond_snapshot_by_index(plan->before, libbond_link_master(link))
				: NULL;
		if (!master || lb_plan_find(plan, libbond_link_ifindex(master)))
			continue;
		struct lb_device *device = lb_plan_device(plan, master);
		if (!device)
			return lb_fail_memory(err);
		device->slaves_known = true;
	}
	return 0;
}

static int add_slaves(struct libbond_plan *plan, struct libbond_error *err)
{
	for (size_t i = 0; i < plan->count; i++) { /* grows on the way */
		struct lb_device *bond = plan->devices[i];
		if (!bond->link || !bond->is_bond || !bond->slaves_known)
			continue;
		for (size_t s = 0; s < libbond_link_slaves(bond->link); s++)
			if (!lb_plan_device(plan, libbond_link_slave(bond->link, s)))
				return lb_fail_memory(err);
	}
	for (size_t i = 0; i < plan->count; i++) {
		struct lb_device *device = plan->devices[i];
		if (device->link)
			device->at = libbond_link_master(device->link);
		if (device->link)
			device->master = device->wanted = lb_plan_find(plan, libbond_link_master(device->link));
	}
	return 0;
}

static int read_all(struct libbond *handle, struct libbond_plan *plan, const struct libbond_change *change,
                    struct libbond_error *err)
{
	size_t links, names = count_names(change, &links);

	plan->lookup_count = names + links;
	plan->lookups = calloc(plan->lookup_count + 1, sizeof(*plan->lookups));
	if (!plan->lookups)
		return lb_fail_memory(err);
	put_names(change, plan->lookups);
	plan->vlans_known = needs_vlans(change);
	unsigned world = (plan->vlans_known ? LB_WORLD_VLANS : 0) | (change->prune ? LB_WORLD_BONDS : 0);
	return lb_read_world(handle, plan->lookups, plan->lookup_count, world, &plan->before, err);
}

int lb_world_read(struct libbond *handle, struct libbond_plan *plan, const struct libbond_change *change,
                  struct libbond_error *err)
{
	int rc = read_all(handle, plan, change, err);

	for (size_t i = 0; rc == 0 && i < change->count; i++)
		rc = add_bond(plan, change, &change->bonds[i], plan->lookups[i].link, err);
	if (rc == 0 && change->prune)
		rc = add_pruned(plan, err);
	for (size_t i = change->count; rc == 0 && i < plan->lookup_count; i++)
		if (plan->lookups[i].link && !lb_plan_device(plan, plan->lookups[i].link))
			rc = lb_fail_memory(err);
	if (rc == 0)
		rc = add_masters(plan, err);
	return rc < 0 ? rc : add_slaves(plan, err);
}
