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

static int get_batch(struct libbond *handle, struct lb_message *messages, size_t count,
                     struct libbond_snapshot *snapshot, struct lb_request *requests, struct libbond_error *err)
{
	struct collector collector = {snapshot, LB_KEEP_ALL};

	for (size_t i = 0; i < count; i++)
		requests[i] = (struct lb_request){.nlh = messages[i].nlh, .receive = collect, .context = &collector};
	int rc = lb_exchange(handle, requests, count, err);
	for (size_t i = 0; rc == 0 && i < count; i++)
		if (!is_absent(requests[i].answer.errnum))
			rc = lb_fail_answer(&requests[i], LB_DEED_READ, "a device", NULL, NULL, err);
	return rc;
}

/* The devices of a read, by name or by interface index. */
struct get {
	const struct lb_lookup *lookups;
	const unsigned *indexes;
	size_t count;
	unsigned flags;
};

/* False for a name that no device can have: the kernel would call it invalid, we call it absent. */
static bool put_get(struct lb_message *message, const struct get *get, size_t i)
{
	if (!get->lookups) {
		lb_message_get_index(message, get->indexes[i], get->flags);
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
	struct lb_request requests[LB_EXCHANGE_MAX];
	size_t room = get->count < LB_EXCHANGE_MAX ? get->count : LB_EXCHANGE_MAX;
	struct lb_message *messages = calloc(room ? room : 1, sizeof(*messages));
	int rc = 0;

	if (!messages)
		return lb_fail_memory(err);
	for (size_t next = 0; rc == 0 && next < get->count;) {
		size_t batch = 0;
		for (; next < get->count && batch < room; next++)
			batch += put_get(&messages[batch], get, next);
		if (batch)
			rc = get_batch(handle, messages, batch, snapshot, requests, err);
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
	bool slaves_of_first;
	const char *name;
	unsigned flags;
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
	if (rc < 0) {
		libbond_snapshot_free(snapshot);
		if (err)
			*err = local;
		return rc;
	}
	*out = snapshot;
	return 0;
}

static int read_names(struct libbond *handle, struct attempt *attempt, struct libbond_snapshot *snapshot,
                      struct libbond_error *err)
{
	struct get get = {attempt->lookups, attempt->indexes, attempt->count, LIBBOND_READ_NO_STATS};
	int rc = get_links(handle, &get, snapshot, err);
	if (rc < 0 || !attempt->slaves_of_first)
		return rc;
	const struct libbond_link *first = libbond_snapshot_by_name(snapshot, attempt->lookups[0].name);
	return first ? dump_slaves(handle, libbond_link_ifindex(first), LIBBOND_READ_NO_STATS, snapshot, err) : 0;
}

int lb_read_names(struct libbond *handle, struct lb_lookup *lookups, size_t count, bool slaves_of_first,
                  struct libbond_snapshot **out, struct libbond_error *err)
{
	struct attempt attempt = {
		.read = read_names, .lookups = lookups, .count = count, .slaves_of_first = slaves_of_first};
	int rc = run(handle, &attempt, out, err);
	for (size_t i = 0; rc == 0 && i < count; i++)
		lookups[i].link = libbond_snapshot_by_name(*out, lookups[i].name);
	return rc;
}

int lb_read_indexes(struct libbond *handle, const unsigned *indexes, size_t count, struct libbond_snapshot **out,
                    struct libbond_error *err)
{
	struct attempt attempt = {.read = read_names, .indexes = indexes, .count = count};
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
	struct get get = {NULL, masters, count, LIBBOND_READ_NO_STATS};
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
	struct attempt attempt = {.read = read_bond, .name = name, .flags = flags};
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
	struct attempt attempt = {.read = read_all, .flags = flags};
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
