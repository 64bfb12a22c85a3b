/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The slaves' options, in the order in which no queue belongs to two slaves at any time: the driver refuses that
 * without a word (bond_option_queue_id_set()). Sits beside compose.c.
 */
#include <errno.h>

#include "steps.h"

static bool is_queue(const struct lb_composer *c, const struct lb_want *want)
{
	(void)c;
	return want->attr == lb_slave_attr(LB_SLAVE_QUEUE_ID);
}

static bool is_address(const struct lb_composer *c, const struct lb_want *want)
{
	(void)c;
	return want->attr == lb_link_attr(LB_IFLA_ADDRESS);
}

static bool is_link_value(const struct lb_composer *c, const struct lb_want *want)
{
	(void)c;
	return libbond_attr_scope(want->attr) == LIBBOND_SCOPE_LINK;
}

/* The queue that a slave gets, 0 for none. */
static int64_t queue_to_be(const struct lb_device *slave)
{
	const struct lb_want *want = lb_config_find(slave->work.config, lb_slave_attr(LB_SLAVE_QUEUE_ID));
	return want ? want->value.number : 0;
}

/* The queue that a slave has until its step: one that has been out has none. */
static int64_t queue_now(const struct lb_device *slave)
{
	return slave->master && slave->master->empty_for
	               ? 0
	               : lb_link_number_or(slave->link, lb_slave_attr(LB_SLAVE_QUEUE_ID), 0);
}

/* Whether the queue is that of a slave which leaves later. */
static bool queue_waits(const struct lb_device *slave)
{
	const struct lb_device *bond = slave->wanted;
	int64_t queue = bond->leaves_first ? 0 : queue_to_be(slave);

	for (size_t i = 0; queue && i < bond->leave_count; i++)
		if (queue_now(bond->leave[i]) == queue)
			return true;
	return false;
}

/* A slave that has the queue still, and gets another one. */
static struct lb_device *holder_of(const struct lb_device *bond, const struct lb_device *slave)
{
	int64_t queue = queue_to_be(slave);

	for (size_t i = 0; queue && i < bond->stay_count; i++)
		if (bond->stay[i] != slave && !bond->stay[i]->placed && queue_now(bond->stay[i]) == queue &&
		    lb_config_find(bond->stay[i]->work.config, lb_slave_attr(LB_SLAVE_QUEUE_ID)))
			return bond->stay[i];
	return NULL;
}

/* Its options as a slave, then what it is as a link: that may close it. */
static void set_slave(struct lb_composer *c, struct lb_device *slave)
{
	struct libbond_config *config = lb_all_of(slave);
	struct libbond_config *of_link = config ? lb_split(config, is_link_value, c) : NULL;

	/* in the datagram that enslaves it again it would be set on a device that was refused, for good */
	if (of_link && slave->wanted->empty_for)
		libbond_config_unset(of_link, lb_link_attr(LB_IFLA_ADDRESS));
	if (config && queue_waits(slave))
		libbond_config_unset(config, lb_slave_attr(LB_SLAVE_QUEUE_ID));
	lb_step_config(c, LB_STEP_SET, slave, config);
	lb_step_config(c, LB_STEP_SET, slave, of_link);
	slave->placed = true;
}

static struct lb_device *slave_at(const struct lb_device *bond, size_t i)
{
	return i < bond->stay_count ? bond->stay[i] : bond->join[i - bond->stay_count];
}

/* Those whose queue is free; false if there was none. */
static bool set_free(struct lb_composer *c)
{
	const struct lb_device *bond = c->bond;
	bool progress = false;

	for (size_t i = 0; i < bond->stay_count + bond->join_count; i++) {
		struct lb_device *slave = slave_at(bond, i);
		if (slave->placed || holder_of(bond, slave))
			continue;
		set_slave(c, slave);
		progress = true;
	}
	return progress;
}

/* Where each waits for the next, one gives its queue up for a moment. */
static bool break_ring(struct lb_composer *c)
{
	const struct lb_device *bond = c->bond;

	for (size_t i = 0; i < bond->stay_count + bond->join_count; i++) {
		struct lb_device *slave = slave_at(bond, i);
		struct lb_device *holder = slave->placed ? NULL : holder_of(bond, slave);
		if (!holder)
			continue;
		lb_step_config(c, LB_STEP_SET, holder, lb_one_value(lb_slave_attr(LB_SLAVE_QUEUE_ID), 0, ""));
		set_slave(c, slave);
		return true;
	}
	return false;
}

bool lb_is_awaited(const struct lb_device *bond, const struct lb_device *leaver)
{
	for (size_t i = 0; queue_now(leaver) && i < bond->stay_count + bond->join_count; i++)
		if (queue_to_be(slave_at(bond, i)) == queue_now(leaver))
			return true;
	return false;
}

void lb_set_slaves(struct lb_composer *c)
{
	while (set_free(c) || break_ring(c))
		;
}

void lb_set_addresses(struct lb_composer *c)
{
	const struct lb_device *bond = c->bond;

	/* an undo goes on after a refusal, and sees in its next pass which are slaves */
	for (size_t i = 0; bond->empty_for && !c->plan->undoing && i < bond->stay_count; i++) {
		struct libbond_config *config = lb_all_of(bond->stay[i]);
		struct libbond_config *address = config ? lb_split(config, is_address, c) : NULL;
		libbond_config_free(config);
		lb_step_config(c, LB_STEP_SET, bond->stay[i], address);
	}
}

void lb_set_queues(struct lb_composer *c)
{
	const struct lb_device *bond = c->bond;

	for (size_t i = 0; i < bond->stay_count + bond->join_count; i++) {
		struct lb_device *slave = slave_at(bond, i);
		if (!queue_waits(slave))
			continue;
		struct libbond_config *config = lb_all_of(slave);
		struct libbond_config *queue = config ? lb_split(config, is_queue, c) : NULL;
		libbond_config_free(config);
		lb_step_config(c, LB_STEP_SET, slave, queue);
	}
}
