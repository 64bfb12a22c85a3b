/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Enslaves and releases devices: all are looked up and checked first, then changed one by one, then read
 * back together. Sits between the public interface and change.c.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "change.h"
#include "error.h"

/* The bond first, then the devices. */
struct ports {
	struct lb_lookup *lookups;
	size_t count;
	struct libbond_snapshot *before;
	size_t done;  /* devices that were changed, or were so already */
	bool changed; /* something was sent */
};

static void ports_free(struct ports *ports)
{
	free(ports->lookups);
	libbond_snapshot_free(ports->before);
}

static const struct libbond_link *bond_of(const struct ports *ports)
{
	return ports->lookups[0].link;
}

static int read_ports(struct libbond *handle, struct ports *ports, const char *bond, const char *const *names,
                      size_t count, struct libbond_error *err)
{
	*ports = (struct ports){.count = count, .lookups = calloc(count + 1, sizeof(struct lb_lookup))};
	if (!ports->lookups)
		return lb_fail_memory(err);
	ports->lookups[0].name = bond;
	for (size_t i = 0; i < count; i++)
		ports->lookups[1 + i].name = names[i];
	int rc = lb_read_names(handle, ports->lookups, count + 1, false, &ports->before, err);
	return rc < 0 ? rc : lb_need_bond(&ports->lookups[0], err);
}

static int report_all(const struct ports *ports, const char *action, struct libbond_report *report,
                      struct libbond_error *err)
{
	for (size_t i = 1; i <= ports->count; i++)
		if (lb_report_device(report, libbond_link_name(ports->lookups[i].link), action) < 0)
			return lb_fail_memory(err);
	return 0;
}

static void note_change(const struct libbond_link *then, const struct libbond_link *now,
                        const struct libbond_attr *attr, const char *port, struct libbond_report *report)
{
	char was[LIBBOND_TEXT_SIZE], is[LIBBOND_TEXT_SIZE];
	if (libbond_link_text(then, attr, was, sizeof(was)) >= 0 &&
	    libbond_link_text(now, attr, is, sizeof(is)) >= 0 && strcmp(was, is) != 0)
		lb_report_note(report, port, NULL, "%s of %s is now %s, it was %s", attr->name,
		               libbond_link_name(now), is, was);
}

/* The driver may have changed the bond along with its slaves: fail_over_mac, where the first cannot change its
 * address; its own address, which goes with the last (that it comes from the first is what people expect). */
static void note_changes(const struct ports *ports, const struct libbond_link *now, bool released,
                         struct libbond_report *report)
{
	const char *port = libbond_link_name(ports->lookups[1].link);
	const struct libbond_attr *attr = NULL;

	while ((attr = libbond_attr_next(LIBBOND_SCOPE_BOND, attr)))
		if (!(attr->flags & LIBBOND_ATTR_READ_ONLY) && attr->type != LIBBOND_TYPE_LINK)
			note_change(bond_of(ports), now, attr, port, report);
	if (released)
		note_change(bond_of(ports), now, lb_link_attr(LB_IFLA_ADDRESS), port, report);
}

static int judge_port(const struct libbond_link *port, const struct libbond_snapshot *after, unsigned wanted,
                      struct libbond_error *err)
{
	const char *name = libbond_link_name(port);
	const struct libbond_link *now = libbond_snapshot_by_index(after, libbond_link_ifindex(port));
	if (!now)
		return lb_fail_no_device(name, err);
	if (libbond_link_master(now) == wanted)
		return 0;
	lb_fail(err, LIBBOND_CAUSE_OVERRIDDEN, EBUSY,
	        "the kernel accepted the change of %s, but something else has changed it since", name);
	lb_fail_device(err, name);
	return -EBUSY;
}

/* Read the devices that were changed back, and the bond with them, in one round trip for every 16. */
static int read_back(struct libbond *handle, const struct ports *ports, unsigned wanted,
                     struct libbond_report *report, struct libbond_error *err)
{
	unsigned *indexes = calloc(ports->done + 1, sizeof(*indexes));
	struct libbond_snapshot *after = NULL;
	int rc = 0;

	if (!indexes)
		return lb_fail_memory(err);
	for (size_t i = 0; i <= ports->done; i++)
		indexes[i] = libbond_link_ifindex(ports->lookups[i].link);
	rc = lb_read_indexes(handle, indexes, ports->done + 1, &after, err);
	for (size_t i = 1; i <= ports->done; i++) {
		const struct libbond_link *port = ports->lookups[i].link;
		int one = after ? judge_port(port, after, wanted, rc ? NULL : err) : rc;
		if (one < 0)
			lb_report_mark(report, libbond_link_name(port), NULL,
			               one == -EBUSY ? LIBBOND_OUTCOME_OVERRIDDEN : LIBBOND_OUTCOME_UNVERIFIED);
		rc = rc ? rc : one;
	}
	const struct libbond_link *bond = after ? libbond_snapshot_by_index(after, indexes[0]) : NULL;
	if (bond)
		note_changes(ports, bond, wanted == 0, report);
	libbond_snapshot_free(after);
	free(indexes);
	return rc;
}

/* A failure half-way is the one that is told; reading back then only completes the report. */
static int finish(struct libbond *handle, struct ports *ports, unsigned wanted, int rc, struct libbond_report *report,
                  struct libbond_error *err)
{
	int verified =
		ports->done && ports->changed ? read_back(handle, ports, wanted, report, rc < 0 ? NULL : err) : 0;
	ports_free(ports);
	return rc < 0 ? rc : verified;
}

static int need_candidates(struct libbond *handle, const struct ports *ports, struct libbond_error *err)
{
	for (size_t i = 1; i <= ports->count; i++) {
		int rc = lb_need_candidate(handle, &ports->lookups[i], bond_of(ports),
		                           libbond_link_name(bond_of(ports)), err);
		if (rc >= 0)
			rc = lb_need_once(ports->lookups + 1, i - 1, err);
		if (rc < 0)
			return rc;
	}
	return 0;
}

int libbond_enslave(struct libbond *handle, const char *bond, const char *const *slaves, size_t count,
                    struct libbond_report *report, struct libbond_error *err)
{
	struct libbond_error local;
	struct ports ports;
	unsigned master = 0;
	int rc;

	err = err ? err : &local;
	rc = read_ports(handle, &ports, bond, slaves, count, err);
	if (rc == 0)
		rc = need_candidates(handle, &ports, err);
	if (rc == 0)
		rc = report_all(&ports, "enslave", report, err);
	if (rc == 0)
		master = libbond_link_ifindex(bond_of(&ports));
	for (size_t i = 1; rc == 0 && i <= count; i++) {
		const struct libbond_link *slave = ports.lookups[i].link;
		if (libbond_link_master(slave) == master)
			lb_report_mark(report, libbond_link_name(slave), NULL, LIBBOND_OUTCOME_UNCHANGED);
		else
			rc = lb_enslave(handle, slave, master, libbond_link_name(bond_of(&ports)), report, err);
		ports.changed |= libbond_link_master(slave) != master;
		ports.done = rc == 0 ? i : ports.done;
	}
	return finish(handle, &ports, master, rc, report, err);
}

static int release_one(struct libbond *handle, const struct ports *ports, const struct libbond_link *slave,
                       struct libbond_report *report, struct libbond_error *err)
{
	struct lb_message message;
	lb_message_master(&message, libbond_link_ifindex(slave), 0);
	int rc = lb_send(handle, &message, LB_DEED_RELEASE, libbond_link_name(slave),
	                 libbond_link_name(bond_of(ports)), NULL, err);
	lb_report_mark(report, libbond_link_name(slave), NULL, rc < 0 ? lb_outcome_of(err) : LIBBOND_OUTCOME_APPLIED);
	return rc;
}

int libbond_release(struct libbond *handle, const char *bond, const char *const *slaves, size_t count,
                    struct libbond_report *report, struct libbond_error *err)
{
	struct libbond_error local;
	struct ports ports;
	int rc;

	err = err ? err : &local;
	rc = read_ports(handle, &ports, bond, slaves, count, err);
	for (size_t i = 1; rc == 0 && i <= count; i++) {
		rc = lb_need_slave(&ports.lookups[i], bond_of(&ports), err);
		if (rc == 0)
			rc = lb_need_once(ports.lookups + 1, i - 1, err);
	}
	if (rc == 0)
		rc = report_all(&ports, "release", report, err);
	for (size_t i = 1; rc == 0 && i <= count; i++) {
		rc = release_one(handle, &ports, ports.lookups[i].link, report, err);
		ports.changed = true;
		ports.done = rc == 0 ? i : ports.done;
	}
	return finish(handle, &ports, 0, rc, report, err);
}
