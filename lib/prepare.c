/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes a device's wanted values ready to send. Sits between the changes, which read the state, and
 * check.c, which refuses.
 */
#include "prepare.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "check.h"
#include "error.h"

static int64_t wanted_or(const struct libbond_config *config, const struct libbond_attr *attr, int64_t otherwise)
{
	const struct lb_want *want = lb_config_find(config, attr);
	return want ? want->value.number : otherwise;
}

static bool is_lacp_or_balanced(unsigned mode)
{
	return mode == LB_MODE_8023AD || mode == LB_MODE_TLB || mode == LB_MODE_ALB;
}

struct lb_state lb_state_of(const struct libbond_link *bond, const char *name, const struct libbond_config *config)
{
	const struct libbond_attr *mode_attr = lb_bond_attr(LB_BOND_MODE);
	const struct libbond_attr *miimon_attr = lb_bond_attr(LB_BOND_MIIMON);
	const struct libbond_attr *arp_attr = lb_bond_attr(LB_BOND_ARP_INTERVAL);
	const struct libbond_attr *fail_over_mac = lb_bond_attr(LB_BOND_FAIL_OVER_MAC);
	const struct libbond_attr *queues = lb_link_attr(LB_IFLA_NUM_TX_QUEUES);
	int64_t mode = bond ? lb_link_number_or(bond, mode_attr, 0) : 0;
	/* a bond to be without a mode gets the module's default, which is not known here and not judged */
	int64_t new_mode = wanted_or(config, mode_attr, bond ? mode : LIBBOND_MODES);
	int64_t miimon = bond ? lb_link_number_or(bond, miimon_attr, 0) : new_mode == LIBBOND_MODES ? -1 : 0;
	int64_t arp = bond ? lb_link_number_or(bond, arp_attr, 0) : 0;
	bool changes = !bond || new_mode != mode;

	/* bond_option_mode_set(): these modes do without ARP monitoring, and not without miimon */
	if (changes && is_lacp_or_balanced((unsigned)new_mode)) {
		arp = 0;
		miimon = miimon ? miimon : 100;
	}
	/* where the mode does not take it, it is refused, or left out of a description */
	if (!is_lacp_or_balanced((unsigned)new_mode))
		arp = wanted_or(config, arp_attr, arp);
	if (wanted_or(config, arp_attr, 0) > 0 && arp > 0)
		miimon = 0;
	return (struct lb_state){
		.bond = bond,
		.name = name,
		.mode = (unsigned)new_mode,
		.mode_changes = changes,
		.up = bond && lb_link_number_or(bond, lb_link_attr(LB_IFLA_UP), 0) &&
	              wanted_or(config, lb_link_attr(LB_IFLA_UP), 1),
		.slaves = bond ? libbond_link_slaves(bond) : 0,
		.miimon = wanted_or(config, miimon_attr, miimon),
		.arp_interval = arp,
		.fail_over_mac =
			wanted_or(config, fail_over_mac, bond ? lb_link_number_or(bond, fail_over_mac, 0) : 0),
		.queues = wanted_or(config, queues, bond ? lb_link_number_or(bond, queues, -1) : -1),
	};
}

size_t lb_config_links(const struct libbond_config *config, struct lb_lookup *out)
{
	size_t count = 0;
	for (size_t i = 0; config && i < config->count; i++) {
		if (config->wants[i].attr->type != LIBBOND_TYPE_LINK || !*config->wants[i].link)
			continue;
		if (out)
			out[count].name = config->wants[i].link;
		count++;
	}
	return count;
}

/* Of a slave's link, its address and its place are the bond's business. */
static bool is_of_slave(const struct libbond_attr *attr)
{
	return libbond_attr_scope(attr) == LIBBOND_SCOPE_SLAVE || attr == lb_link_attr(LB_IFLA_UP) ||
	       attr == lb_link_attr(LB_IFLA_MTU) || attr == lb_link_attr(LB_IFLA_TXQLEN);
}

static int need_scope(const struct libbond_attr *attr, const char *device, bool of_slave, struct libbond_error *err)
{
	enum libbond_scope scope = libbond_attr_scope(attr);
	if (of_slave ? is_of_slave(attr) : scope == LIBBOND_SCOPE_BOND || scope == LIBBOND_SCOPE_LINK)
		return 0;
	lb_fail(err, LIBBOND_CAUSE_BAD_ATTR, EINVAL, "cannot set %s on %s: it is an option of %s", attr->name, device,
	        of_slave ? "the bond" : "a slave");
	lb_fail_attr(err, attr);
	lb_fail_device(err, device);
	return -EINVAL;
}

int lb_work_start(struct lb_work *work, const char *device, const struct libbond_link *link, bool of_slave,
                  const struct libbond_config *config, struct libbond_report *report, struct libbond_error *err)
{
	struct libbond_config *copy;
	if (lb_config_copy(config, &copy) < 0)
		return lb_fail_memory(err);
	*work = (struct lb_work){.device = device, .link = link, .config = copy};
	for (size_t i = 0; i < copy->count; i++) {
		int rc = need_scope(copy->wants[i].attr, device, of_slave, err);
		if (rc < 0)
			return rc;
		if (lb_report_want(report, device, link, &copy->wants[i]) < 0)
			return lb_fail_memory(err);
	}
	return 0;
}

static int resolve_link(struct lb_want *want, const struct lb_work *work, const struct lb_lookup *lookups,
                        size_t count, struct libbond_error *err)
{
	for (size_t i = 0; i < count; i++) {
		if (strcmp(lookups[i].name, want->link) != 0 || !lookups[i].link)
			continue;
		want->value.number = libbond_link_ifindex(lookups[i].link);
		return 0;
	}
	lb_fail(err, LIBBOND_CAUSE_NO_DEVICE, ENODEV, "cannot set %s on %s: there is no device named '%.127s'",
	        want->attr->name, work->device, want->link);
	lb_fail_device(err, want->link);
	lb_fail_attr(err, want->attr);
	return -ENODEV;
}

static int apply_edits(struct lb_want *want, const struct lb_work *work, struct libbond_error *err)
{
	struct lb_value present;
	if (!work->link || lb_link_value(work->link, want->attr, &present) < 0)
		present.count = 0;
	return lb_want_apply_edits(want, &present, err);
}

/* The driver keeps the delays as multiples of miimon and rounds down, telling only the kernel log. */
static void round_delay(struct lb_want *want, const struct lb_work *work, const struct lb_state *state,
                        struct libbond_report *report)
{
	int64_t rest = state->miimon > 0 ? want->value.number % state->miimon : 0;
	if (rest == 0)
		return;
	want->value.number -= rest;
	lb_report_note(report, work->device, want->attr, "stored as %" PRId64 ", a multiple of miimon %" PRId64,
	               want->value.number, state->miimon);
}

/* Whether a link has the value already. What is reported only when set is empty when it is not reported,
 * but for a primary, which may be pending. */
static bool holds(const struct lb_want *want, const struct libbond_link *link, bool absent_holds)
{
	struct lb_value present = {0};
	bool absent_is_empty = want->attr->presence == LIBBOND_PRESENT_IF_SET &&
	                       (absent_holds || !(want->attr->flags & LIBBOND_ATTR_NOT_VERIFIED));
	if (lb_link_value(link, want->attr, &present) < 0 && !absent_is_empty)
		return false;
	if (want->attr->type == LIBBOND_TYPE_LINK)
		return present.number == want->value.number;
	return lb_value_equal(want->attr, &present, &want->value);
}

/* What holds need not be sent, unless something else that is sent resets it. */
static void drop_what_holds(struct lb_work *work, const struct lb_state *state, struct libbond_report *report)
{
	bool absent_holds = work->lenient && !state->joins;
	bool resets = false;
	for (size_t i = 0; i < work->config->count; i++)
		resets |= (work->config->wants[i].attr->flags & LIBBOND_ATTR_RESETS) &&
		          !holds(&work->config->wants[i], work->link, absent_holds);
	for (size_t i = 0; i < work->config->count;) {
		const struct lb_want *want = &work->config->wants[i];
		if (!holds(want, work->link, absent_holds) ||
		    (resets && (want->attr->flags & LIBBOND_ATTR_IS_RESET))) {
			i++;
			continue;
		}
		lb_report_mark(report, work->device, want->attr, LIBBOND_OUTCOME_UNCHANGED);
		libbond_config_unset(work->config, want->attr);
	}
}

bool lb_is_followed(const struct lb_want *want, const struct lb_state *state)
{
	return want->attr == lb_link_attr(LB_IFLA_ADDRESS) && state->mode == LB_MODE_ACTIVE_BACKUP &&
	       state->fail_over_mac;
}

static bool is_foreign_to_mode(const struct lb_want *want, const struct lb_state *state)
{
	return state->mode < LIBBOND_MODES && !lb_attr_in_mode(want->attr->modes, state->mode);
}

/* A description names every option. What its mode does not take, and delays without MII monitoring, cannot be set and
 * say nothing; said is only what differs from what will be. */
static bool is_foreign(const struct lb_want *want, const struct lb_state *state)
{
	bool ends = state->bond && lb_link_number_or(state->bond, lb_bond_attr(LB_BOND_MIIMON), 0) > 0;
	bool no_address = state->no_address && want->attr == lb_link_attr(LB_IFLA_ADDRESS);
	bool delay = (want->attr->flags & LIBBOND_ATTR_OF_MIIMON) && state->miimon == 0 &&
	             !(ends && want->value.number == 0);
	return no_address || delay || lb_is_followed(want, state) || is_foreign_to_mode(want, state);
}

/* Why it is not set, unless it is so and stays so. */
static void note_foreign(const struct lb_work *work, const struct lb_state *state, const struct lb_want *want,
                         struct libbond_report *report)
{
	const char *mode = libbond_mode_name(state->mode);
	bool now = work->link ? holds(want, work->link, true) : lb_want_is_default(want);
	/* which of its slaves was primary is not reported any more, once they were out, by a mode that takes none */
	bool ends = work->link && state->mode_changes && state->slaves && want->attr->type == LIBBOND_TYPE_LINK &&
	            want->value.number;

	if (now && !ends)
		return;
	if (is_foreign_to_mode(want, state))
		lb_report_note(report, work->device, want->attr, "left as it is: mode %s does not take it now",
		               mode ? mode : "");
	else if (lb_is_followed(want, state))
		lb_report_note(report, work->device, want->attr,
		               "left as it is: with fail_over_mac it is that of a slave");
	else if (want->attr->flags & LIBBOND_ATTR_OF_MIIMON)
		lb_report_note(report, work->device, want->attr,
		               "left as it is: it needs MII monitoring, and miimon is 0");
	else
		lb_report_note(report, work->device, want->attr, "left as it is: the bond has no address");
}

static void drop_what_is_foreign(struct lb_work *work, const struct lb_state *state, struct libbond_report *report)
{
	for (size_t i = 0; i < work->config->count;) {
		const struct lb_want *want = &work->config->wants[i];
		bool foreign = is_foreign(want, state);
		bool unknown = work->link && want->attr->presence == LIBBOND_PRESENT_ALWAYS &&
		               !libbond_link_has(work->link, want->attr) && lb_want_is_default(want);
		if (!foreign && !unknown) {
			i++;
			continue;
		}
		lb_report_mark(report, work->device, want->attr, LIBBOND_OUTCOME_UNCHANGED);
		if (foreign)
			note_foreign(work, state, want, report);
		libbond_config_unset(work->config, want->attr);
	}
}

int lb_work_ready(struct lb_work *work, struct lb_state *state, const struct lb_lookup *lookups, size_t count,
                  struct libbond_report *report, struct libbond_error *err)
{
	for (size_t i = 0; i < work->config->count; i++) {
		struct lb_want *want = &work->config->wants[i];
		int rc = 0;
		if (want->attr->type == LIBBOND_TYPE_LINK && *want->link)
			rc = resolve_link(want, work, lookups, count, err);
		else if (want->edit_count)
			rc = apply_edits(want, work, err);
		else if (want->attr->flags & LIBBOND_ATTR_OF_MIIMON)
			round_delay(want, work, state, report);
		if (rc < 0)
			return rc;
	}
	if (work->lenient)
		drop_what_is_foreign(work, state, report);
	else if (state->mode_changes && lb_check_modes(work, state, err) < 0) /* also of what holds */
		return -EACCES;
	if (work->link)
		drop_what_holds(work, state, report);
	return lb_check(work, state, report, err);
}
