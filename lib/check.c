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
#include "link.h"

struct subject {
	const struct lb_work *work;
	struct lb_state *state;
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

	if (!s->work->link || !expected || libbond_link_has(s->work->link, attr) ||
	    libbond_attr_scope(attr) == LIBBOND_SCOPE_LINK) /* a device without addresses has none */
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
	/* it is set before the mode is left */
	if (s->state->undoing && s->state->bond &&
	    lb_attr_in_mode(s->want->attr->modes,
	                    (unsigned)lb_link_number_or(s->state->bond, lb_bond_attr(LB_BOND_MODE), 0)))
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
	if (s->state->may_cycle) {
		s->state->empty_for = s->want->attr;
		return 0;
	}
	int rc = refuse(s, err, LIBBOND_CAUSE_HAS_SLAVES, ENOTEMPTY,
	                "it changes only while the bond has no slaves, and it has %zu", s->state->slaves);
	lb_fail_hint(err, "--cycle takes them out and in again; --dry-run --cycle shows the steps");
	return rc;
}

/* What this reader is not shown may be as wanted, and then it would not have to change. */
static bool is_withheld(const struct subject *s)
{
	return s->want->attr->presence == LIBBOND_PRESENT_PRIVILEGED && s->work->link &&
	       !libbond_link_has(s->work->link, s->want->attr) && s->state->mode == LB_MODE_8023AD &&
	       !s->state->mode_changes;
}

static int fail_withheld(const struct subject *s, struct libbond_error *err)
{
	int rc = refuse(s, err, LIBBOND_CAUSE_PERMISSION, EPERM,
	                "it changes only while the bond is down, and whether it has to change cannot be read");
	lb_fail_hint(err, "run it as root: CAP_NET_ADMIN in the initial user namespace shows it; or leave it out");
	return rc;
}

static int check_down(const struct subject *s, struct libbond_error *err)
{
	if (!(s->want->attr->flags & LIBBOND_ATTR_NEEDS_DOWN) || !s->state->up)
		return 0;
	if (s->state->may_cycle) {
		s->state->down_for = s->want->attr;
		return 0;
	}
	if (is_withheld(s))
		return fail_withheld(s, err);
	int rc = refuse(s, err, LIBBOND_CAUSE_BOND_UP, EBUSY, "it changes only while the bond is down");
	lb_fail_hint(err, "--cycle takes it down for a moment; --dry-run --cycle shows the steps");
	return rc;
}

static int check_delay(const struct subject *s, struct libbond_error *err)
{
	if (!(s->want->attr->flags & LIBBOND_ATTR_OF_MIIMON) || s->state->miimon != 0)
		return 0;
	/* a delay that ends with MII monitoring is taken back before it, in a message of its own */
	if (s->want->value.number == 0 && s->state->bond &&
	    lb_link_number_or(s->state->bond, lb_bond_attr(LB_BOND_MIIMON), 0) > 0)
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

static const struct libbond_link *find_named(const struct subject *s, const struct lb_want *want)
{
	const struct libbond_link *near = s->state->bond;
	return near && want->value.number ? libbond_snapshot_by_index(near->snapshot, (unsigned)want->value.number)
	                                  : NULL;
}

/* The driver sets the active slave first, and then switches to the primary at once. */
static int check_primary(const struct subject *s, struct libbond_error *err)
{
	const struct lb_want *primary = lb_config_find(s->work->config, lb_bond_attr(LB_BOND_PRIMARY));

	if (!primary || primary->value.number == 0 || primary->value.number == s->want->value.number)
		return 0;
	const struct libbond_link *found = find_named(s, primary);
	if (s->state->bond && (!found || libbond_link_master(found) != libbond_link_ifindex(s->state->bond)))
		return 0;
	return refuse(s, err, LIBBOND_CAUSE_CONFLICT, EINVAL, "primary %s would be active at once", primary->link);
}

/* bond_option_active_slave_set(); whether it is a slave at all is plan.c's question */
static int check_active_slave(const struct subject *s, struct libbond_error *err)
{
	if (s->want->attr != lb_bond_attr(LB_BOND_ACTIVE_SLAVE))
		return 0;
	const struct libbond_link *slave = find_named(s, s->want);
	if (slave && libbond_link_master(slave) == libbond_link_ifindex(s->state->bond)) {
		const char *name = libbond_link_name(slave);
		if (!(libbond_link_flags(slave) & IFF_UP))
			return refuse(s, err, LIBBOND_CAUSE_CONFLICT, EINVAL, "%s is down", name);
		if (!lb_link_number_or(slave, lb_link_attr(LB_IFLA_CARRIER), 1))
			return refuse(s, err, LIBBOND_CAUSE_CONFLICT, EINVAL, "%s has no link", name);
	}
	return check_primary(s, err);
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
	return 0; /* who else has it is plan.c's question, which knows what becomes of the others */
}

/* A new bond has it until it has a slave. */
static int check_followed(const struct subject *s, struct libbond_error *err)
{
	if (!lb_is_followed(s->want, s->state) || s->state->undoing || !(s->state->bond || s->state->joins))
		return 0;
	return refuse(s, err, LIBBOND_CAUSE_CONFLICT, EINVAL, "with fail_over_mac it is that of a slave");
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

/* Values that do not do all that is expected of them, or not yet: the row, when, and what is said. */
static int64_t will_be(const struct subject *s, unsigned number)
{
	const struct libbond_attr *attr = lb_bond_attr(number);
	const struct lb_want *want = lb_config_find(s->work->config, attr);
	if (want)
		return want->value.number;
	return s->state->bond ? lb_link_number_or(s->state->bond, attr, 0) : 0;
}

static bool strict_alone(const struct subject *s)
{
	return s->want->value.number && will_be(s, LB_BOND_MIN_LINKS) == 0;
}

static bool hash_unused(const struct subject *s)
{
	return (s->state->mode == LB_MODE_TLB || s->state->mode == LB_MODE_ALB) &&
	       will_be(s, LB_BOND_TLB_DYNAMIC_LB) != 0;
}

static bool not_validated(const struct subject *s)
{
	return s->want->value.number && will_be(s, LB_BOND_ARP_VALIDATE) == 0;
}

static bool outranked(const struct subject *s)
{
	return s->state->bond && lb_link_number_or(s->state->bond, lb_bond_attr(LB_BOND_PRIMARY), 0);
}

static bool not_monitored(const struct subject *s)
{
	return s->want->value.number && s->state->arp_interval == 0 && s->state->miimon == 0;
}

/* The system's address is taken over when the first port joins (bond_3ad_initialize()). */
static bool lacp_keeps(const struct subject *s)
{
	const struct libbond_attr *system = lb_bond_attr(LB_BOND_AD_ACTOR_SYSTEM);
	static const uint8_t automatic[LB_MAC_MAX];
	struct lb_value set = {0};

	if (s->state->mode != LB_MODE_8023AD || s->state->mode_changes || lb_config_find(s->work->config, system))
		return false;
	bool has_slaves = s->state->slaves || lb_link_number_or(s->state->bond, lb_link_attr(LB_IFLA_CARRIER), 0);
	return has_slaves && (lb_link_value(s->state->bond, system, &set) < 0 ||
	                      memcmp(set.mac, automatic, sizeof(automatic)) == 0);
}

static const struct {
	enum libbond_scope scope;
	unsigned number;
	bool (*waits)(const struct subject *s);
	const char *words;
} waiting[] = {
	{LIBBOND_SCOPE_SLAVE, LB_SLAVE_PRIO, outranked, "counts only while there is no primary"},
	{LIBBOND_SCOPE_BOND, LB_BOND_LACP_STRICT, strict_alone, "does nothing while min_links is 0"},
	{LIBBOND_SCOPE_BOND, LB_BOND_XMIT_HASH_POLICY, hash_unused, "counts only with tlb_dynamic_lb off"},
	{LIBBOND_SCOPE_BOND, LB_BOND_ARP_ALL_TARGETS, not_validated,
         "counts only for slaves that arp_validate covers"},
	{LIBBOND_SCOPE_LINK, LB_IFLA_ADDRESS, lacp_keeps,
         "LACP goes on with the address of before, until ad_actor_system is set"},
	{LIBBOND_SCOPE_BOND, LB_BOND_ARP_VALIDATE, not_monitored, "does nothing while arp_interval is 0"},
};

static void note_effect(const struct subject *s, struct libbond_report *report)
{
	const struct libbond_attr *attr = s->want->attr;
	char modes[128];

	if (s->work->lenient && lb_want_is_default(s->want))
		return; /* a description names what nobody asked for */
	if (attr->effect && s->state->mode < LIBBOND_MODES && !lb_attr_in_mode(attr->effect, s->state->mode)) {
		list_modes(attr->effect, modes, sizeof(modes));
		lb_report_note(report, s->work->device, attr, "has no effect in mode %s, only in %s",
		               libbond_mode_name(s->state->mode), modes);
		return;
	}
	for (size_t i = 0; i < sizeof(waiting) / sizeof(waiting[0]); i++)
		if (attr == libbond_attr_number(waiting[i].scope, waiting[i].number) && waiting[i].waits(s))
			lb_report_note(report, s->work->device, attr, "%s", waiting[i].words);
}

int lb_check_modes(const struct lb_work *work, struct lb_state *state, struct libbond_error *err)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < work->config->count; i++) {
		struct subject s = {work, state, &work->config->wants[i]};
		rc = check_mode(&s, err);
	}
	return rc;
}

int lb_check(const struct lb_work *work, struct lb_state *state, struct libbond_report *report,
             struct libbond_error *err)
{
	static int (*const checks[])(const struct subject *, struct libbond_error *) = {
		check_create_only, check_mode,     check_known,   check_slaves,       check_down,     check_delay,
		check_monitors,    check_queue_id, check_address, check_active_slave, check_followed,
	};

	for (size_t i = 0; i < work->config->count; i++) {
		struct subject s = {work, state, &work->config->wants[i]};
		int rc = 0;
		for (size_t c = 0; rc == 0 && c < sizeof(checks) / sizeof(checks[0]); c++)
			rc = checks[c](&s, err);
		if (rc < 0)
			return rc;
		note_effect(&s, report);
	}
	return 0;
}
