/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The checks before anything is sent, one function a rule, from the row and the state. Sits between
 * prepare.c and the changes. Source of the rules: __bond_opt_set() and the option setters in bond_options.c,
 * bond_changelink() in bond_netlink.c.
 */
#include "check.h"

#include <errno.h>
#include <inttypes.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "error.h"

struct subject {
	const struct lb_work *work;
	const struct lb_state *state;
	const struct lb_want *want;
};

__attribute__((format(printf, 5, 6))) static int refuse(const struct subject *s, struct libbond_error *err,
                                                        enum libbond_cause cause, int errnum, const char *format, ...)
{
	char reason[192];
	va_list args;
	va_start(args, format);
	vsnprintf(reason, sizeof(reason), format, args);
	va_end(args);
	lb_fail(err, cause, errnum, "cannot set %s on %s: %s", s->want->attr->name, s->work->device, reason);
	lb_fail_attr(err, s->want->attr);
	lb_fail_device(err, s->work->device);
	return -errnum;
}

/* "802.3ad", "balance-tlb or balance-alb" */
static void list_modes(unsigned modes, char *buf, size_t size)
{
	size_t used = 0;
	buf[0] = '\0';
	for (unsigned m = 0; m < LIBBOND_MODES; m++) {
		if (!lb_attr_in_mode(modes, m))
			continue;
		bool last = (modes >> (m + 1)) == 0;
		const char *join = used == 0 ? "" : last ? " or " : ", ";
		int more = snprintf(buf + used, size - used, "%s%s", join, libbond_mode_name(m));
		used = more > 0 && used + (size_t)more < size ? used + (size_t)more : size - 1;
	}
}

/* A kernel that knows it reports it; one that does not would accept it and do nothing. */
static int check_known(const struct subject *s, struct libbond_error *err)
{
	const struct libbond_attr *attr = s->want->attr;
	bool expected = attr->presence == LIBBOND_PRESENT_ALWAYS ||
	                (attr->presence == LIBBOND_PRESENT_LACP && s->state->mode == LB_MODE_8023AD &&
	                 !s->state->mode_changes);

	if (!s->work->link || !expected || libbond_link_has(s->work->link, attr))
		return 0;
	int rc = refuse(s, err, LIBBOND_CAUSE_UNSUPPORTED, EOPNOTSUPP, "this kernel's driver does not know it");
	lb_fail_hint(err, "it came with Linux %s", attr->since);
	return rc;
}

static int check_create_only(const struct subject *s, struct libbond_error *err)
{
	if (!(s->want->attr->flags & LIBBOND_ATTR_CREATE_ONLY) || !s->state->bond)
		return 0;
	return refuse(s, err, LIBBOND_CAUSE_BAD_ATTR, EOPNOTSUPP, "it can only be given when the bond is created");
}

static int check_mode(const struct subject *s, struct libbond_error *err)
{
	char modes[128];
	/* a mode newer than the table is not for us to judge */
	if (s->state->mode >= LIBBOND_MODES || lb_attr_in_mode(s->want->attr->modes, s->state->mode))
		return 0;
	int rc = refuse(s, err, LIBBOND_CAUSE_WRONG_MODE, EACCES, "mode %s does not take it",
	                libbond_mode_name(s->state->mode));
	list_modes(s->want->attr->modes, modes, sizeof(modes));
	lb_fail_hint(err, "it belongs to %s", modes);
	return rc;
}

static int check_slaves(const struct subject *s, struct libbond_error *err)
{
	if (!(s->want->attr->flags & LIBBOND_ATTR_NEEDS_EMPTY) || s->state->slaves == 0)
		return 0;
	int rc = refuse(s, err, LIBBOND_CAUSE_HAS_SLAVES, ENOTEMPTY,
	                "it changes only while the bond has no slaves, and it has %zu", s->state->slaves);
	lb_fail_hint(err, "release them first: bondctl release %s ...", s->work->device);
	return rc;
}

static int check_down(const struct subject *s, struct libbond_error *err)
{
	if (!(s->want->attr->flags & LIBBOND_ATTR_NEEDS_DOWN) || !s->state->up)
		return 0;
	int rc = refuse(s, err, LIBBOND_CAUSE_BOND_UP, EBUSY, "it changes only while the bond is down");
	lb_fail_hint(err, "take it down first, by a command of its own: bondctl down %s", s->work->device);
	return rc;
}

static int check_delay(const struct subject *s, struct libbond_error *err)
{
	if (!(s->want->attr->flags & LIBBOND_ATTR_OF_MIIMON) || s->state->miimon != 0)
		return 0;
	if (s->state->arp_interval > 0)
		return refuse(s, err, LIBBOND_CAUSE_CONFLICT, EPERM,
		              "it belongs to MII monitoring, and this bond is monitored by ARP");
	int rc = refuse(s, err, LIBBOND_CAUSE_CONFLICT, EPERM, "it needs MII monitoring, and miimon is 0");
	lb_fail_hint(err, "give miimon as well: miimon 100 %s ...", s->want->attr->name);
	return rc;
}

/* bond_changelink() refuses the pairs only when both are in one message */
static int check_monitors(const struct subject *s, struct libbond_error *err)
{
	const struct lb_want *miimon = lb_config_find(s->work->config, lb_bond_attr(LB_BOND_MIIMON));

	if (!miimon || miimon->value.number == 0)
		return 0;
	if (s->want->attr == lb_bond_attr(LB_BOND_ARP_INTERVAL) && s->want->value.number > 0)
		return refuse(s, err, LIBBOND_CAUSE_CONFLICT, EINVAL,
		              "ARP monitoring and MII monitoring exclude each other");
	if (s->want->attr == lb_bond_attr(LB_BOND_ARP_VALIDATE) && s->want->value.number != 0)
		return refuse(s, err, LIBBOND_CAUSE_CONFLICT, EINVAL,
		              "ARP validation and MII monitoring exclude each other");
	return 0;
}

static const struct lb_lookup *find_lookup(const struct lb_want *want, const struct lb_lookup *lookups, size_t count)
{
	for (size_t i = 0; *want->link && i < count; i++)
		if (strcmp(lookups[i].name, want->link) == 0)
			return &lookups[i];
	return NULL;
}

/* The driver sets the active slave first, and then switches to the primary at once. */
static int check_primary(const struct subject *s, const struct lb_lookup *lookups, size_t count,
                         struct libbond_error *err)
{
	const struct lb_want *primary = lb_config_find(s->work->config, lb_bond_attr(LB_BOND_PRIMARY));
	const struct lb_lookup *found = primary ? find_lookup(primary, lookups, count) : NULL;

	if (!found || !found->link || primary->value.number == s->want->value.number ||
	    (s->state->bond && libbond_link_master(found->link) != libbond_link_ifindex(s->state->bond)))
		return 0;
	return refuse(s, err, LIBBOND_CAUSE_CONFLICT, EINVAL, "primary %s would be active at once",
	              libbond_link_name(found->link));
}

/* bond_option_active_slave_set() */
static int check_active_slave(const struct subject *s, const struct lb_lookup *lookups, size_t count,
                              struct libbond_error *err)
{
	if (s->want->attr != lb_bond_attr(LB_BOND_ACTIVE_SLAVE))
		return 0;
	const struct lb_lookup *found = find_lookup(s->want, lookups, count);
	const struct libbond_link *slave = found ? found->link : NULL;
	if (slave && s->state->bond) {
		const char *name = libbond_link_name(slave);
		if (libbond_link_master(slave) != libbond_link_ifindex(s->state->bond))
			return refuse(s, err, LIBBOND_CAUSE_NOT_A_SLAVE, EINVAL, "%s is not a slave of it", name);
		if (!(libbond_link_flags(slave) & IFF_UP))
			return refuse(s, err, LIBBOND_CAUSE_CONFLICT, EINVAL, "%s is down", name);
		if (!lb_link_number_or(slave, lb_link_attr(LB_IFLA_CARRIER), 1))
			return refuse(s, err, LIBBOND_CAUSE_CONFLICT, EINVAL, "%s has no link", name);
	}
	return check_primary(s, lookups, count, err);
}

/* The queue a slave will have when its turn has come: works before "me" have been sent by then. */
static int64_t queue_of(const struct libbond_link *slave, const struct subject *me)
{
	const struct libbond_attr *queue_id = lb_slave_attr(LB_SLAVE_QUEUE_ID);
	for (const struct lb_work *w = me->state->works; w && w < me->work; w++) {
		const struct lb_want *want = w->link == slave ? lb_config_find(w->config, queue_id) : NULL;
		if (want)
			return want->value.number;
	}
	return lb_link_number_or(slave, queue_id, 0);
}

/* Somebody else who has the queue: a slave that is there, or one of the devices before this one. */
static const char *queue_holder(const struct subject *me)
{
	const struct libbond_attr *queue_id = lb_slave_attr(LB_SLAVE_QUEUE_ID);
	const struct lb_state *state = me->state;

	for (size_t i = 0; state->bond && i < libbond_link_slaves(state->bond); i++) {
		const struct libbond_link *other = libbond_link_slave(state->bond, i);
		if (other != me->work->link && queue_of(other, me) == me->want->value.number)
			return libbond_link_name(other);
	}
	for (const struct lb_work *w = state->works; !state->bond && w && w < me->work; w++) {
		const struct lb_want *want = lb_config_find(w->config, queue_id);
		if (want && want->value.number == me->want->value.number)
			return w->device;
	}
	return NULL;
}

/* bond_option_queue_id_set(): EPERM without a word in each case */
static int check_queue_id(const struct subject *s, struct libbond_error *err)
{
	int64_t wanted = s->want->value.number;

	if (s->want->attr != lb_slave_attr(LB_SLAVE_QUEUE_ID) || wanted == 0)
		return 0;
	if (s->state->queues >= 0 && wanted > s->state->queues)
		return refuse(s, err, LIBBOND_CAUSE_CONFLICT, EPERM, "%s has transmit queues 1 to %" PRId64 " only",
		              s->state->name, s->state->queues);
	const char *holder = queue_holder(s);
	if (holder)
		return refuse(s, err, LIBBOND_CAUSE_CONFLICT, EPERM, "%s has that queue already", holder);
	return 0;
}

/* bond_set_dev_addr(): a device has no zero address; rows say so by their lowest number */
static int check_address(const struct subject *s, struct libbond_error *err)
{
	static const uint8_t zero[LB_MAC_MAX];
	const struct lb_value *value = &s->want->value;

	if (s->want->attr->type != LIBBOND_TYPE_MAC || s->want->attr->min == 0 ||
	    memcmp(value->mac, zero, value->count) != 0)
		return 0;
	return refuse(s, err, LIBBOND_CAUSE_BAD_VALUE, EADDRNOTAVAIL, "a device cannot have the address zero");
}

static void note_effect(const struct subject *s, struct libbond_report *report)
{
	const struct libbond_attr *attr = s->want->attr;
	char modes[128];

	if (!attr->effect || s->state->mode >= LIBBOND_MODES || lb_attr_in_mode(attr->effect, s->state->mode))
		return;
	list_modes(attr->effect, modes, sizeof(modes));
	lb_report_note(report, s->work->device, attr, "has no effect in mode %s, only in %s",
	               libbond_mode_name(s->state->mode), modes);
}

int lb_check(const struct lb_work *work, const struct lb_state *state, const struct lb_lookup *lookups, size_t count,
             struct libbond_report *report, struct libbond_error *err)
{
	static int (*const checks[])(const struct subject *, struct libbond_error *) = {
		check_create_only, check_mode,     check_known,    check_slaves,  check_down,
		check_delay,       check_monitors, check_queue_id, check_address,
	};

	for (size_t i = 0; i < work->config->count; i++) {
		struct subject s = {work, state, &work->config->wants[i]};
		int rc = 0;
		for (size_t c = 0; rc == 0 && c < sizeof(checks) / sizeof(checks[0]); c++)
			rc = checks[c](&s, err);
		if (rc == 0)
			rc = check_active_slave(&s, lookups, count, err);
		if (rc < 0)
			return rc;
		note_effect(&s, report);
	}
	return 0;
}
