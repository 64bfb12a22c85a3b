/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Foresees what options reset beside themselves, and what of that can be put back in the same message. Sits between
 * effects.c and the table, whose rows say RESETS and IS_RESET.
 *
 * Sources: bond_option_mode_set(), bond_option_miimon_set(), bond_option_arp_interval_set()
 * (drivers/net/bonding/bond_options.c).
 */
#include "effects.h"

/* What a row that is reset by others will be, if nobody puts it back. */
static int64_t predict(const struct lb_device *bond, const struct lb_state *state, const struct libbond_attr *attr,
                       int64_t now)
{
	int64_t old_miimon = lb_link_number_or(bond->link, lb_bond_attr(LB_BOND_MIIMON), 0);
	const struct lb_want *miimon = lb_config_find(bond->work.config, lb_bond_attr(LB_BOND_MIIMON));
	bool mii_wins = miimon && miimon->value.number &&
	                lb_link_number_or(bond->link, lb_bond_attr(LB_BOND_ARP_INTERVAL), 0);

	if (attr->flags & LIBBOND_ATTR_OF_MIIMON)
		return old_miimon && state->miimon >= 0 ? now / old_miimon * state->miimon : now;
	switch (libbond_attr_id(attr)) {
	case LB_BOND_MIIMON:
		return state->miimon;
	case LB_BOND_ARP_INTERVAL:
		return mii_wins ? 0 : state->arp_interval;
	case LB_BOND_ARP_VALIDATE:
		return state->mode_changes || mii_wins ? 0 : now;
	case LB_BOND_BROADCAST_NEIGH:
		return state->mode_changes ? 0 : now;
	case LB_BOND_TLB_DYNAMIC_LB:
		return state->mode_changes && state->mode == LB_MODE_ALB ? 1 : now;
	default:
		return now;
	}
}

/* A delay stays one. */
static int64_t nearest_multiple(int64_t delay, int64_t miimon)
{
	int64_t times = (delay + miimon / 2) / miimon;
	return delay > 0 && times == 0 ? miimon : times * miimon;
}

/* The value that can be sent along to keep a row as it is, or the nearest; -1 for none. */
static int64_t keepable(const struct lb_device *bond, const struct lb_state *state, const struct libbond_attr *attr,
                        int64_t now)
{
	const struct lb_want *miimon = lb_config_find(bond->work.config, lb_bond_attr(LB_BOND_MIIMON));

	if (!lb_attr_in_mode(attr->modes, state->mode) || attr == lb_bond_attr(LB_BOND_MIIMON) ||
	    attr == lb_bond_attr(LB_BOND_ARP_INTERVAL))
		return -1;
	if (attr->flags & LIBBOND_ATTR_OF_MIIMON)
		return state->miimon > 0 ? nearest_multiple(now, state->miimon) : -1;
	/* the driver refuses the pair in one message */
	if (attr == lb_bond_attr(LB_BOND_ARP_VALIDATE) && miimon && miimon->value.number)
		return -1;
	return now;
}

int lb_effects_of_options(struct libbond_plan *plan, struct lb_device *bond, struct libbond_error *err)
{
	struct lb_state state = lb_state_of(bond->link, bond->name, bond->work.config);
	const struct libbond_attr *attr = NULL;
	int rc = 0;

	while (rc == 0 && (attr = libbond_attr_next(LIBBOND_SCOPE_BOND, attr))) {
		int64_t now = lb_link_number_or(bond->link, attr, 0), then, kept;
		if (!(attr->flags & LIBBOND_ATTR_IS_RESET) || lb_sets(bond, attr) ||
		    !libbond_link_has(bond->link, attr))
			continue;
		then = predict(bond, &state, attr, now);
		if (then == now)
			continue;
		kept = keepable(bond, &state, attr, now);
		if (kept >= 0 && kept != then)
			rc = lb_keep_number(plan, bond, attr, kept, err);
		if (rc == 0 && kept >= 0 && kept != now && kept != then)
			lb_report_note(plan->report, bond->name, attr,
			               "%lld is the multiple of miimon that is nearest to %lld", (long long)kept,
			               (long long)now);
		if (rc == 0 && (kept < 0 || kept == then))
			rc = lb_lose_number(plan, bond, attr, then, NULL, err);
	}
	return rc;
}
