/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Walks a whole snapshot by the public interface. Shared by decode.c here and the targets in tests/fuzz/.
 */
#include "walk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static void must(int holds)
{
	if (!holds)
		abort();
}

static unsigned long walk_row(const struct libbond_link *link, const struct libbond_attr *attr)
{
	char text[LIBBOND_TEXT_SIZE], cut[5];
	int64_t number = 0;
	int has = libbond_link_has(link, attr);
	int rc = libbond_link_number(link, attr, &number);
	int length = libbond_link_text(link, attr, text, sizeof(text));
	int items = libbond_link_items(link, attr);

	must(has == 0 || has == 1);
	must(rc == 0 || rc == -ENODATA || rc == -EINVAL);
	must(rc != 0 || has);
	must(length == -ENODATA || (length >= 0 && (size_t)length < sizeof(text) && strlen(text) == (size_t)length));
	must(libbond_link_text(link, attr, cut, sizeof(cut)) == length);
	for (int i = 0; i < items; i++)
		must(libbond_link_item(link, attr, (size_t)i, text, sizeof(text)) > 0);
	must(libbond_link_item(link, attr, items < 0 ? 0 : (size_t)items, text, sizeof(text)) == -EINVAL);
	return (unsigned long)number + (unsigned long)(length > 0 ? length : 0);
}

static unsigned long walk_unknown(const struct libbond_link *link)
{
	struct libbond_unknown unknown;
	unsigned long sum = 0;
	for (size_t i = 0; libbond_link_unknown(link, i, &unknown) == 0; i++) {
		must(unknown.scope <= LIBBOND_SCOPE_SLAVE);
		for (size_t b = 0; b < unknown.length; b++)
			sum += unknown.bytes[b];
		sum += unknown.number;
	}
	return sum;
}

static unsigned long walk_link(const struct libbond_snapshot *snapshot, const struct libbond_link *link)
{
	unsigned long sum = strlen(libbond_link_name(link)) + strlen(libbond_link_kind(link));
	size_t slaves = libbond_link_slaves(link);
	uint64_t counter;

	sum += libbond_link_flags(link) + libbond_link_master(link);
	must(libbond_snapshot_by_index(snapshot, libbond_link_ifindex(link)) == link);
	must(libbond_snapshot_by_name(snapshot, libbond_link_name(link)) != NULL);
	must(!libbond_link_is_bond(link) || strcmp(libbond_link_kind(link), "bond") == 0);
	for (unsigned s = 0; s < LIBBOND_SCOPES; s++)
		for (const struct libbond_attr *a = NULL; (a = libbond_attr_next((enum libbond_scope)s, a));)
			sum += walk_row(link, a);
	for (size_t i = 0; libbond_counter_name(i); i++)
		if (libbond_link_counter(link, i, &counter) == 0)
			sum += (unsigned long)counter;
	for (size_t i = 0; i < slaves; i++)
		must(libbond_link_master(libbond_link_slave(link, i)) == libbond_link_ifindex(link));
	must(libbond_link_slave(link, slaves) == NULL);
	return sum + walk_unknown(link);
}

unsigned long walk_snapshot(const struct libbond_snapshot *snapshot)
{
	size_t links = libbond_snapshot_links(snapshot), bonds = libbond_snapshot_bonds(snapshot);
	unsigned long sum = (unsigned long)libbond_snapshot_driver(snapshot);

	for (size_t i = 0; i < links; i++) {
		const struct libbond_link *link = libbond_snapshot_link(snapshot, i);
		must(i == 0 ||
		     libbond_link_ifindex(libbond_snapshot_link(snapshot, i - 1)) < libbond_link_ifindex(link));
		sum += walk_link(snapshot, link);
	}
	for (size_t i = 0; i < bonds; i++)
		must(libbond_link_is_bond(libbond_snapshot_bond(snapshot, i)));
	must(!libbond_snapshot_link(snapshot, links) && !libbond_snapshot_bond(snapshot, bonds));
	return sum;
}
