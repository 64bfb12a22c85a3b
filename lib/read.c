/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Reads bonds and their slaves from the kernel into snapshots, with as few and as small dumps as will do.
 * Sits between the public interface, the changes, and exchange.c.
 */
#include "read.h"

#include <errno.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "error.h"
#include "exchange.h"
#include "message.h"
#include "order.h"

#define DUMP_TRIES 16

/* Up to so many bonds, the slaves of each are dumped apart, filtered by the kernel, which costs nothing for
 * the links that are none of ours. Beyond, one dump of all links is cheaper than a walk over all links for
 * each bond: with 256 bonds among 1,281 links, a third of the time (make bench-cli). */
#define MANY_BONDS 16

struct collector {
	struct libbond_snapshot *snapshot;
	enum lb_keep keep;
};

static int collect(const struct nlmsghdr *nlh, void *context)
{
	struct collector *collector = context;
	return lb_snapshot_add(collector->snapshot, nlh, collector->keep);
}

int lb_fail_no_device(const char *name, struct libbond_error *err)
{
	int rc = lb_fail(err, LIBBOND_CAUSE_NO_DEVICE, ENODEV, "there is no device named '%.127s'", name);
	lb_fail_device(err, name);
	return rc;
}

int lb_fail_not_a_bond(const struct libbond_link *link, struct libbond_error *err)
{
	const char *kind = libbond_link_kind(link);
	int rc = *kind ? lb_fail(err, LIBBOND_CAUSE_NOT_A_BOND, EOPNOTSUPP, "%s is not a bond: it is of kind %s",
	                         libbond_link_name(link), kind)
	               : lb_fail(err, LIBBOND_CAUSE_NOT_A_BOND, EOPNOTSUPP, "%s is not a bond",
	                         libbond_link_name(link));
	lb_fail_device(err, libbond_link_name(link));
	return rc;
}

/* --- one device or a few --- */

/* Answered, or no such device. Before Linux 5.5 an alternative name was an attribute it did not know. */
static bool is_absent(int errnum)
{
	return errnum == 0 || errnum == ENODEV || errnum == EINVAL;
}

static int get_batch(struct libbond *handle, struct lb_message *messages, size_t count, bool vlans,
                     struct libbond_snapshot *snapshot, struct libbond_error *err)
{
	struct collector collector = {snapshot, LB_KEEP_ALL}, of_vlans = {snapshot, LB_KEEP_VLANS};
	struct lb_request requests[LB_GETS_MAX + 1];
	struct lb_message dump;

	for (size_t i = 0; i < count; i++)
		requests[i] = (struct lb_request){.nlh = messages[i].nlh, .receive = collect, .context = &collector};
	if (vlans) {
		lb_message_dump(&dump, "vlan", 0, LIBBOND_READ_NO_STATS);
		requests[count] = (struct lb_request){.nlh = dump.nlh, .receive = collect, .context = &of_vlans};
	}
	int rc = lb_exchange(handle, requests, count + vlans, err);
	for (size_t i = 0; rc == 0 && i < count + vlans; i++)
		if (i < count ? !is_absent(requests[i].answer.errnum) : requests[i].answer.errnum)
			rc = lb_fail_answer(&requests[i], LB_DEED_READ, "a device", NULL, NULL, err);
	return rc;
}

/* The devices of a read, by name or by interface index. */
struct get {
	const struct lb_lookup *lookups;
	const unsigned *indexes;
	size_t count;
	unsigned flags;
	bool vlans; /* and every VLAN device */
};

/* False for a name that no device can have: the kernel would call it invalid, we call it absent. */
static bool put_get(struct lb_message *message, const struct get *get, size_t i)
{
	if (!get->lookups || !get->lookups[i].name) {
		lb_message_get_index(message, get->lookups ? get->lookups[i].ifindex : get->indexes[i], get->flags);
		return true;
	}
	const char *name = get->lookups[i].name;
	if (*name == '\0' || strlen(name) >= LIBBOND_ALTNAME_SIZE)
		return false;
	lb_message_get_name(message, name, get->flags);
	return true;
}

static int get_links(struct libbond *handle, const struct get *get, struct libbond_snapshot *snapshot,
                     struct libbond_error *err)
{
	size_t room = get->count < LB_GETS_MAX ? get->count : LB_GETS_MAX;
	bool vlans = get->vlans;
	struct lb_message *messages = calloc(room ? room : 1, sizeof(*messages));
	int rc = 0;

	if (!messages)
		return lb_fail_memory(err);
	for (size_t next = 0; rc == 0 && (vlans || next < get->count);) {
		size_t batch = 0;
		for (; next < get->count && batch < room; next++)
			batch += put_get(&messages[batch], get, next);
		if (batch || vlans)
			rc = get_batch(handle, messages, batch, vlans, snapshot, err);
		vlans = false;
	}
	free(messages);
	return rc;
}

static int dump(struct libbond *handle, const char *kind, unsigned master, unsigned flags, enum lb_keep keep,
                struct libbond_snapshot *snapshot, bool *filtered, struct libbond_error *err)
{
	struct collector collector = {snapshot, keep};
	struct lb_message message;
	struct lb_request request = {.receive = collect, .context = &collector};

	lb_message_dump(&message, kind, master, flags);
	request.nlh = message.nlh;
	int rc = lb_exchange(handle, &request, 1, err);
	if (rc == 0 && request.answer.errnum)
		rc = lb_fail_answer(&request, LB_DEED_READ, "the devices", NULL, NULL, err);
	if (rc == 0 && filtered)
		*filtered = request.answer.filtered;
	return rc;
}

/* The slaves of one bond. The bond vanishing meanwhile gives none. */
static int dump_slaves(struct libbond *handle, unsigned ifindex, unsigned flags, struct libbond_snapshot *snapshot,
                       struct libbond_error *err)
{
	return dump(handle, NULL, ifindex, flags, LB_KEEP_BONDS_AND_SLAVES, snapshot, NULL, err);
}

/* --- reads that may have to be repeated --- */

/* One attempt at a read: fills an empty snapshot. */
struct attempt {
	int (*read)(struct libbond *handle, struct attempt *attempt, struct libbond_snapshot *snapshot,
	            struct libbond_error *err);
	struct lb_lookup *lookups;
	const unsigned *indexes;
	size_t count;
	const char *name;
	unsigned flags; /* LIBBOND_READ_* or LB_WORLD_* */
	bool ordered;   /* slaves in the driver's order */
};

static int run(struct libbond *handle, struct attempt *attempt, struct libbond_snapshot **out,
               struct libbond_error *err)
{
	struct libbond_error local = {0};
	struct libbond_snapshot *snapshot;
	int rc = lb_snapshot_new(&snapshot);
	if (rc < 0)
		return lb_fail_memory(err);
	for (int tries = 0; tries < DUMP_TRIES; tries++) {
		lb_snapshot_clear(snapshot);
		rc = attempt->read(handle, attempt, snapshot, &local);
		if (rc == 0 || local.cause != LIBBOND_CAUSE_INTERRUPTED)
			break;
	}
	if (rc == 0 && lb_snapshot_finish(snapshot) < 0)
		rc = lb_fail_memory(&local);
	if (rc == 0 && attempt->ordered)
		lb_order_slaves(handle, snapshot);
	if (rc < 0) {
		libbond_snapshot_free(snapshot);
		if (err)
			*err = local;
		return rc;
	}
	*out = snapshot;
	return 0;
}

static const struct libbond_link *find_added(const struct libbond_snapshot *snapshot, unsigned ifindex)
{
	for (size_t i = 0; i < snapshot->count; i++) /* it is not sorted yet */
		if (libbond_link_ifindex(snapshot->links[i]) == ifindex)
			return snapshot->links[i];
	return NULL;
}

static int add_slaves(struct libbond *handle, const struct libbond_link *bond, struct libbond_snapshot *snapshot,
                      struct libbond_error *err)
{
	return libbond_link_is_bond(bond)
	               ? dump_slaves(handle, libbond_link_ifindex(bond), LIBBOND_READ_NO_STATS, snapshot, err)
	               : 0;
}

/* One that is there already was asked for, with its slaves where they are wanted. */
static int add_master(struct libbond *handle, unsigned ifindex, struct libbond_snapshot *snapshot,
                      struct libbond_error *err)
{
	struct get get = {.indexes = &ifindex, .count = 1, .flags = LIBBOND_READ_NO_STATS};

	if (find_added(snapshot, ifindex))
		return 0;
	int rc = get_links(handle, &get, snapshot, err);
	const struct libbond_link *master = find_added(snapshot, ifindex);
	return rc == 0 && master ? add_slaves(handle, master, snapshot, err) : rc;
}

static int read_world(struct libbond *handle, struct attempt *attempt, struct libbond_snapshot *snapshot,
                      struct libbond_error *err)
{
	struct get get = {attempt->lookups, NULL, attempt->count, LIBBOND_READ_NO_STATS,
	                  attempt->flags & LB_WORLD_VLANS};
	int rc = get_links(handle, &get, snapshot, err);

	bool all = attempt->flags & LB_WORLD_BONDS;

	if (rc == 0 && all)
		rc = dump(handle, NULL, 0, LIBBOND_READ_NO_STATS, LB_KEEP_BONDS_AND_SLAVES, snapshot, NULL, err);
	for (size_t i = 0; rc == 0 && all && i < snapshot->count; i++)
		if (libbond_link_is_bond(snapshot->links[i]) && libbond_link_master(snapshot->links[i]))
			rc = add_master(handle, libbond_link_master(snapshot->links[i]), snapshot, err);
	if (rc == 0 && (attempt->flags & LB_WORLD_UPPERS))
		rc = dump(handle, NULL, 0, LIBBOND_READ_NO_STATS, LB_KEEP_UPPERS, snapshot, NULL, err);
	for (size_t i = 0; rc == 0 && i < attempt->count; i++) {
		const struct lb_lookup *lookup = &attempt->lookups[i];
		const struct libbond_link *link = !lookup->also  ? NULL
		                                  : lookup->name ? libbond_snapshot_by_name(snapshot, lookup->name)
		                                                 : find_added(snapshot, lookup->ifindex);
		bool dark = link && !lb_link_number_or(link, lb_link_attr(LB_IFLA_CARRIER), 0);
		if (link && !all &&
		    ((lookup->also & LB_ALSO_SLAVES) || (dark && (lookup->also & LB_ALSO_SLAVES_IF_DARK))))
			rc = add_slaves(handle, link, snapshot, err);
		if (rc == 0 && link && (lookup->also & LB_ALSO_MASTER) && libbond_link_master(link))
			rc = add_master(handle, libbond_link_master(link), snapshot, err);
	}
	return rc;
}

int lb_read_world(struct libbond *handle, struct lb_lookup *lookups, size_t count, unsigned world,
                  struct libbond_snapshot **out, struct libbond_error *err)
{
	struct attempt attempt = {
		.read = read_world, .lookups = lookups, .count = count, .flags = world, .ordered = true};
	int rc = run(handle, &attempt, out, err);
	for (size_t i = 0; rc == 0 && i < count; i++)
		lookups[i].link = lookups[i].name ? libbond_snapshot_by_name(*out, lookups[i].name)
		                                  : libbond_snapshot_by_index(*out, lookups[i].ifindex);
	return rc;
}

static int read_indexes(struct libbond *handle, struct attempt *attempt, struct libbond_snapshot *snapshot,
                        struct libbond_error *err)
{
	struct get get = {NULL, attempt->indexes, attempt->count, LIBBOND_READ_NO_STATS, false};
	return get_links(handle, &get, snapshot, err);
}

int lb_read_indexes(struct libbond *handle, const unsigned *indexes, size_t count, struct libbond_snapshot **out,
                    struct libbond_error *err)
{
	struct attempt attempt = {.read = read_indexes, .indexes = indexes, .count = count};
	return run(handle, &attempt, out, err);
}

/* A bond may itself have a master that is no bond (a bridge): its name is wanted, and nothing else of it. */
static int read_masters(struct libbond *handle, struct libbond_snapshot *snapshot, struct libbond_error *err)
{
	size_t bonds = snapshot->count, count = 0;
	unsigned *masters = bonds ? calloc(bonds, sizeof(*masters)) : NULL;
	if (bonds && !masters)
		return lb_fail_memory(err);
	for (size_t i = 0; i < bonds; i++) {
		const struct libbond_link *link = snapshot->links[i];
		bool known = !libbond_link_is_bond(link) || !libbond_link_master(link);
		for (size_t j = 0; !known && j < bonds; j++)
			known = libbond_link_ifindex(snapshot->links[j]) == libbond_link_master(link);
		if (!known)
			masters[count++] = libbond_link_master(link);
	}
	struct get get = {NULL, masters, count, LIBBOND_READ_NO_STATS, false};
	int rc = count ? get_links(handle, &get, snapshot, err) : 0;
	free(masters);
	return rc;
}

static int read_bond(struct libbond *handle, struct attempt *attempt, struct libbond_snapshot *snapshot,
                     struct libbond_error *err)
{
	struct collector collector = {snapshot, LB_KEEP_ALL};
	struct lb_message message;
	struct lb_request request = {.receive = collect, .context = &collector};

	lb_message_get_name(&message, attempt->name, attempt->flags);
	request.nlh = message.nlh;
	int rc = lb_exchange(handle, &request, 1, err);
	if (rc < 0)
		return rc;
	if (is_absent(request.answer.errnum) && snapshot->count == 0)
		return lb_fail_no_device(attempt->name, err);
	if (request.answer.errnum)
		return lb_fail_answer(&request, LB_DEED_READ, attempt->name, NULL, NULL, err);
	const struct libbond_link *bond = snapshot->links[0];
	if (!libbond_link_is_bond(bond))
		return lb_fail_not_a_bond(bond, err);
	if (!(attempt->flags & LIBBOND_READ_NO_SLAVES))
		rc = dump_slaves(handle, libbond_link_ifindex(bond), attempt->flags, snapshot, err);
	return rc < 0 ? rc : read_masters(handle, snapshot, err);
}

int libbond_read_bond(struct libbond *handle, const char *name, unsigned flags, struct libbond_snapshot **out,
                      struct libbond_error *err)
{
	struct attempt attempt = {.read = read_bond, .name = name, .flags = flags, .ordered = true};
	if (*name == '\0' || strlen(name) >= LIBBOND_ALTNAME_SIZE)
		return lb_fail_no_device(name, err);
	return run(handle, &attempt, out, err);
}

/* The slaves of each bond that the first dump found, and the bonds themselves again where their counters are
 * wanted as well. */
static int read_few(struct libbond *handle, unsigned flags, struct libbond_snapshot *snapshot,
                    struct libbond_error *err)
{
	unsigned bonds[MANY_BONDS];
	size_t count = snapshot->count;
	struct get get = {.indexes = bonds, .count = count, .flags = flags};
	int rc = 0;

	for (size_t i = 0; i < count; i++)
		bonds[i] = libbond_link_ifindex(snapshot->links[i]);
	if (count && !(flags & LIBBOND_READ_NO_STATS)) {
		lb_snapshot_clear(snapshot);
		rc = get_links(handle, &get, snapshot, err);
	}
	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = dump_slaves(handle, bonds[i], flags, snapshot, err);
	return rc;
}

static int read_all(struct libbond *handle, struct attempt *attempt, struct libbond_snapshot *snapshot,
                    struct libbond_error *err)
{
	bool filtered = false, slaves = !(attempt->flags & LIBBOND_READ_NO_SLAVES);
	/* the first dump tells which bonds there are; counters are read with the slaves' */
	int rc = dump(handle, "bond", 0, attempt->flags | (slaves ? LIBBOND_READ_NO_STATS : 0), LB_KEEP_BONDS,
	              snapshot, &filtered, err);
	if (rc < 0)
		return rc;
	/* without the driver the kind is not filtered by, and every namespace has at least its lo */
	snapshot->driver = filtered;
	if (slaves && snapshot->count > MANY_BONDS) {
		lb_snapshot_clear(snapshot);
		rc = dump(handle, NULL, 0, attempt->flags, LB_KEEP_BONDS_AND_SLAVES, snapshot, NULL, err);
	} else if (slaves) {
		rc = read_few(handle, attempt->flags, snapshot, err);
	}
	return rc < 0 ? rc : read_masters(handle, snapshot, err);
}

int libbond_read(struct libbond *handle, unsigned flags, struct libbond_snapshot **out, struct libbond_error *err)
{
	struct attempt attempt = {.read = read_all, .flags = flags, .ordered = true};
	return run(handle, &attempt, out, err);
}

static int read_links(struct libbond *handle, struct attempt *attempt, struct libbond_snapshot *snapshot,
                      struct libbond_error *err)
{
	return dump(handle, NULL, 0, attempt->flags, LB_KEEP_ALL, snapshot, NULL, err);
}

int libbond_read_links(struct libbond *handle, unsigned flags, struct libbond_snapshot **out,
                       struct libbond_error *err)
{
	struct attempt attempt = {.read = read_links, .flags = flags};
	return run(handle, &attempt, out, err);
}
