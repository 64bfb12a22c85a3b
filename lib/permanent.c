/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Finds a device by its permanent address, for documents that name ports by what is printed on them. Sits on a
 * snapshot.
 *
 * A slave shows its bond's address; its own is IFLA_BOND_SLAVE_PERM_HWADDR. Virtual devices have no permanent
 * address: of one that is no slave and stands on no other device, the address it has.
 */
#include <errno.h>
#include <string.h>

#include "effects.h"
#include "error.h"

/* The rows that say it, the first that a device has counts. */
static int permanent_of(const struct libbond_link *link, struct lb_value *out)
{
	if (lb_link_value(link, lb_slave_attr(LB_SLAVE_PERM_HWADDR), out) == 0 ||
	    lb_link_value(link, lb_link_attr(LB_IFLA_PERM_ADDRESS), out) == 0)
		return 0;
	return lb_below(link) || libbond_link_is_bond(link) ? -ENOENT
	                                                    : lb_link_value(link, lb_link_attr(LB_IFLA_ADDRESS), out);
}

int libbond_snapshot_by_permanent(const struct libbond_snapshot *snapshot, const char *address,
                                  const struct libbond_link **out, struct libbond_error *err)
{
	const struct libbond_attr *attr = lb_link_attr(LB_IFLA_PERM_ADDRESS);
	const struct libbond_link *found = NULL;
	struct lb_value wanted = {0};
	char why[384];

	if (lb_value_parse(attr, address, &wanted, why, sizeof(why)) < 0)
		return lb_fail(err, LIBBOND_CAUSE_BAD_VALUE, EINVAL, "'%.64s' is not a MAC address: %.128s", address,
		               why);
	for (size_t i = 0; i < libbond_snapshot_links(snapshot); i++) {
		const struct libbond_link *link = libbond_snapshot_link(snapshot, i);
		struct lb_value value = {0};
		if (permanent_of(link, &value) < 0 || !lb_value_equal(attr, &value, &wanted))
			continue;
		if (found)
			return lb_fail(err, LIBBOND_CAUSE_CONFLICT, EEXIST,
			               "%s and %s both have the permanent address %.64s", libbond_link_name(found),
			               libbond_link_name(link), address);
		found = link;
	}
	if (!found)
		return lb_fail(err, LIBBOND_CAUSE_NO_DEVICE, ENODEV,
		               "there is no device with the permanent address %.64s", address);
	*out = found;
	return 0;
}
