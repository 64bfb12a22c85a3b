/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Remembers what the fake kernel's store holds, brings it back, and tells two such states apart, byte by byte. For
 * tests that want to know whether everything is as it was.
 */
#include <net/if.h>
#include <stdio.h>
#include <string.h>

#include "fake-inner.h"
#include "unit.h"

void fake_save(const struct fake *fake, struct fake_state *state)
{
	assert_true(fake->link_count <= FAKE_STATE_LINKS);
	memcpy(state->links, fake->links, fake->link_count * sizeof(fake->links[0]));
	memcpy(state->records, fake->records, fake->record_count * sizeof(fake->records[0]));
	state->link_count = fake->link_count;
	state->record_count = fake->record_count;
	state->places = fake->places;
	state->randoms = fake->randoms;
}

void fake_load(struct fake *fake, const struct fake_state *state)
{
	memcpy(fake->links, state->links, state->link_count * sizeof(fake->links[0]));
	memcpy(fake->records, state->records, state->record_count * sizeof(fake->records[0]));
	fake->link_count = state->link_count;
	fake->record_count = state->record_count;
	fake->places = state->places;
	fake->randoms = state->randoms;
}

/* --- differences --- */

struct comparison {
	struct fake_difference *out;
	size_t count;
};

static void add(struct comparison *c, const char *device, const struct libbond_attr *attr, const char *what)
{
	if (c->count == FAKE_DIFFERENCES)
		return;
	struct fake_difference *difference = &c->out[c->count++];
	*difference = (struct fake_difference){.attr = attr};
	snprintf(difference->device, sizeof(difference->device), "%s", device);
	snprintf(difference->what, sizeof(difference->what), "%s", what);
}

/* Counters, what comes of the negotiation with a partner, and what follows from the slaves. */
static bool is_ignored(enum libbond_scope scope, unsigned number)
{
	static const uint8_t of_link[] = {LB_IFLA_OPERSTATE, LB_IFLA_CARRIER, LB_IFLA_CARRIER_CHANGES};
	static const uint8_t of_slave[] = {LB_SLAVE_STATE,
	                                   LB_SLAVE_LINK_FAILURE_COUNT,
	                                   LB_SLAVE_AD_AGGREGATOR_ID,
	                                   LB_SLAVE_AD_ACTOR_OPER_PORT_STATE,
	                                   LB_SLAVE_AD_PARTNER_OPER_PORT_STATE,
	                                   LB_SLAVE_AD_CHURN_ACTOR_STATE,
	                                   LB_SLAVE_AD_CHURN_PARTNER_STATE};
	if (scope == LIBBOND_SCOPE_LINK)
		return memchr(of_link, (int)number, sizeof(of_link)) != NULL;
	if (scope == LIBBOND_SCOPE_SLAVE)
		return memchr(of_slave, (int)number, sizeof(of_slave)) != NULL;
	return number == LB_BOND_AD_INFO;
}

static const struct nlattr *shown(const struct fake_link *link, enum libbond_scope scope, unsigned number)
{
	const struct nlattr *attr = fake_attr(link, scope, number);
	return attr && fake_is_shown(link, scope, number) ? attr : NULL;
}

/* A port of 802.3ad has options that it does not show in other modes. */
static bool is_of_mode(const struct libbond_attr *row, const struct nlattr *a, const struct nlattr *b)
{
	return row && row->presence == LIBBOND_PRESENT_LACP && (!a || !b);
}

static void compare_attr(struct comparison *c, const struct fake_link *before, const struct fake_link *after,
                         enum libbond_scope scope, unsigned number)
{
	const struct nlattr *a = shown(before, scope, number), *b = shown(after, scope, number);
	const struct libbond_attr *row = libbond_attr_number(scope, number);

	if (is_ignored(scope, number) || is_of_mode(row, a, b) || (!a && !b) ||
	    (a && b && a->nla_len == b->nla_len && memcmp(a, b, a->nla_len) == 0))
		return;
	if (scope == LIBBOND_SCOPE_LINK && number == LB_IFLA_MASTER)
		add(c, before->name, NULL, "master");
	else if (row)
		add(c, before->name, row, row->name);
	else
		add(c, before->name, NULL, "?");
}

static void compare_link(struct comparison *c, const struct fake_link *before, const struct fake_link *after)
{
	static const enum libbond_scope scopes[] = {LIBBOND_SCOPE_LINK, LIBBOND_SCOPE_BOND, LIBBOND_SCOPE_SLAVE};

	if ((before->flags ^ after->flags) & IFF_UP)
		add(c, before->name, LINK("up"), "up");
	if ((before->flags ^ after->flags) & ~(unsigned)(IFF_UP | IFF_SLAVE) ||
	    strcmp(before->name, after->name) != 0)
		add(c, before->name, NULL, "?");
	for (size_t i = 0; i < COUNT(scopes); i++) {
		if (scopes[i] == LIBBOND_SCOPE_SLAVE && fake_master_of(before) != fake_master_of(after))
			continue; /* said by its master */
		for (unsigned number = 1; number < LB_IFLA_COUNT; number++)
			compare_attr(c, before, after, scopes[i], number);
	}
}

static const struct fake_link *find_link(const struct fake_state *state, unsigned ifindex)
{
	for (size_t i = 0; i < state->link_count; i++)
		if (state->links[i].ifindex == ifindex)
			return &state->links[i];
	return NULL;
}

static bool has_record(const struct fake_state *state, const struct fake_record *record)
{
	for (size_t i = 0; i < state->record_count; i++) {
		const struct fake_record *other = &state->records[i];
		if (other->type == record->type && other->ifindex == record->ifindex &&
		    other->length == record->length && memcmp(other->bytes, record->bytes, record->length) == 0)
			return true;
	}
	return false;
}

static void compare_records(struct comparison *c, const struct fake_state *of, const struct fake_state *in)
{
	for (size_t i = 0; i < of->record_count; i++) {
		const struct fake_link *link = find_link(of, of->records[i].ifindex);
		char text[64];
		if (has_record(in, &of->records[i]) || fake_is_made(&of->records[i]))
			continue;
		fake_record_text(&of->records[i], text, sizeof(text));
		add(c, link ? link->name : "", NULL, text); /* a group is no device's */
	}
}

size_t fake_compare(const struct fake_state *before, const struct fake_state *after,
                    struct fake_difference out[FAKE_DIFFERENCES])
{
	struct comparison c = {.out = out};

	for (size_t i = 0; i < before->link_count; i++) {
		const struct fake_link *now = find_link(after, before->links[i].ifindex);
		if (now)
			compare_link(&c, &before->links[i], now);
		else
			add(&c, before->links[i].name, NULL, "device");
	}
	for (size_t i = 0; i < after->link_count; i++)
		if (!find_link(before, after->links[i].ifindex))
			add(&c, after->links[i].name, NULL, "device");
	compare_records(&c, before, after);
	compare_records(&c, after, before);
	return c.count;
}
