/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Changes options of a bond and of its slaves: read, make ready, send, read back. Sits between the public
 * interface and prepare.c, change.c, verify.c.
 */
#include <errno.h>
#include <stdlib.h>

#include "change.h"
#include "error.h"
#include "verify.h"

/* The devices of one call: the bond first, then the members. */
struct set {
	struct lb_lookup *lookups; /* devices, then those that values name */
	size_t lookup_count;
	struct lb_work *works;
	size_t count;
	struct libbond_snapshot *before;
};

static void set_free(struct set *set)
{
	for (size_t i = 0; set->works && i < set->count; i++)
		libbond_config_free(set->works[i].config);
	free(set->works);
	free(set->lookups);
	libbond_snapshot_free(set->before);
}

static bool needs_slaves(const struct libbond_config *config)
{
	for (size_t i = 0; config && i < config->count; i++)
		if ((config->wants[i].attr->flags & LIBBOND_ATTR_NEEDS_EMPTY) ||
		    config->wants[i].attr == lb_slave_attr(LB_SLAVE_QUEUE_ID))
			return true;
	return false;
}

static int read_before(struct libbond *handle, struct set *set, const char *name, const struct libbond_config *config,
                       const struct libbond_member *members, struct libbond_error *err)
{
	size_t links = lb_config_links(config, NULL);
	bool slaves = needs_slaves(config);

	set->lookups = calloc(set->count + links, sizeof(*set->lookups));
	set->works = calloc(set->count, sizeof(*set->works));
	if (!set->lookups || !set->works)
		return lb_fail_memory(err);
	set->lookups[0].name = name;
	for (size_t i = 1; i < set->count; i++) {
		set->lookups[i].name = members[i - 1].name;
		slaves |= needs_slaves(members[i - 1].config);
	}
	lb_config_links(config, set->lookups + set->count);
	set->lookup_count = set->count + links;
	int rc = lb_read_names(handle, set->lookups, set->lookup_count, slaves, &set->before, err);
	if (rc == 0)
		rc = lb_need_bond(&set->lookups[0], err);
	for (size_t i = 1; rc == 0 && i < set->count; i++)
		rc = lb_need_slave(&set->lookups[i], set->lookups[0].link, err);
	for (size_t i = 1; rc == 0 && i < set->count; i++)
		rc = lb_need_once(set->lookups + 1, i - 1, err);
	return rc;
}

static int make_ready(struct set *set, const struct libbond_config *config, const struct libbond_member *members,
                      struct libbond_report *report, struct libbond_error *err)
{
	const struct libbond_link *bond = set->lookups[0].link;
	struct lb_state state = lb_state_of(bond, libbond_link_name(bond), config);
	int rc = 0;

	state.works = set->works;
	for (size_t i = 0; rc == 0 && i < set->count; i++)
		rc = lb_work_start(&set->works[i], libbond_link_name(set->lookups[i].link), set->lookups[i].link,
		                   i > 0, i ? members[i - 1].config : config, report, err);
	for (size_t i = 0; rc == 0 && i < set->count; i++)
		rc = lb_work_ready(&set->works[i], &state, set->lookups + set->count, set->lookup_count - set->count,
		                   report, err);
	return rc;
}

static int send_one(struct libbond *handle, const struct lb_work *work, struct libbond_error *err)
{
	struct lb_message message;
	if (lb_message_change(&message, libbond_link_ifindex(work->link), work->config) < 0)
		return lb_fail(err, LIBBOND_CAUSE_PROTOCOL, EMSGSIZE, "the request does not fit a message");
	return lb_send(handle, &message, LB_DEED_SET, work->device, NULL, work->config, err);
}

/* Send to each device that has something left, stopping at the first refusal: *sent is how many got it. */
static int send_all(struct libbond *handle, const struct set *set, size_t *sent, struct libbond_error *err)
{
	int rc = 0;
	for (*sent = 0; rc == 0 && *sent < set->count; ++*sent)
		if (set->works[*sent].config->count)
			rc = send_one(handle, &set->works[*sent], err);
	return rc;
}

/* Judge all devices that got something by what is there now; the last one may have been refused. */
static int judge_all(const struct set *set, size_t sent, bool refused, const struct libbond_snapshot *after,
                     struct libbond_report *report, struct libbond_error *err)
{
	int rc = 0;
	for (size_t i = 0; i < sent; i++) {
		const struct lb_work *work = &set->works[i];
		const struct libbond_link *link = libbond_snapshot_by_index(after, libbond_link_ifindex(work->link));
		if (!link && work->config->count && !refused)
			rc = lb_fail_no_device(work->device, err);
		else if (link && refused && i == sent - 1)
			lb_verify_refused(work, link, report, err);
		else if (link && rc == 0)
			rc = lb_verify(work, link, report, refused ? NULL : err);
	}
	return rc;
}

/* What was sent, and cannot be read back. */
static void mark_unverified(const struct set *set, size_t sent, struct libbond_report *report)
{
	for (size_t i = 0; i < sent; i++)
		for (size_t w = 0; w < set->works[i].config->count; w++)
			lb_report_mark(report, set->works[i].device, set->works[i].config->wants[w].attr,
			               LIBBOND_OUTCOME_UNVERIFIED);
}

/* The devices that got something, and those that their values name. Returns how many. */
static size_t list_indexes(const struct set *set, size_t sent, unsigned *out)
{
	size_t count = 0;
	for (size_t i = 0; i < sent; i++) {
		const struct libbond_config *config = set->works[i].config;
		if (config->count)
			out[count++] = libbond_link_ifindex(set->works[i].link);
		count += lb_config_link_indexes(config, out + count);
	}
	return count;
}

static int read_back(struct libbond *handle, const struct set *set, size_t sent, bool refused,
                     struct libbond_report *report, struct libbond_error *err)
{
	unsigned *indexes = calloc(set->lookup_count, sizeof(*indexes));
	struct libbond_snapshot *after;
	int rc = 0;

	if (!indexes) {
		mark_unverified(set, sent, report);
		return lb_fail_memory(refused ? NULL : err);
	}
	size_t count = list_indexes(set, sent, indexes);
	if (count)
		rc = lb_read_indexes(handle, indexes, count, &after, refused ? NULL : err);
	if (rc < 0)
		mark_unverified(set, sent, report);
	if (count && rc == 0) {
		rc = judge_all(set, sent, refused, after, report, err);
		libbond_snapshot_free(after);
	}
	free(indexes);
	return rc;
}

/* A bare EPERM is rtnetlink's, or the driver's about a delay or a queue that another program has changed the
 * ground of since the checks: they are asked again, and say so if it was that. Returns -errno. */
static int reconsider(struct libbond *handle, const char *name, const struct libbond_config *config,
                      const struct libbond_member *members, size_t count, struct libbond_error *err)
{
	struct libbond_error again = {0};
	struct set set = {.count = count + 1};
	int rc = read_before(handle, &set, name, config, members, &again);

	if (rc == 0)
		rc = make_ready(&set, config, members, NULL, &again);
	if (rc < 0)
		*err = again;
	set_free(&set);
	return rc < 0 ? rc : -EPERM;
}

int libbond_set(struct libbond *handle, const char *name, const struct libbond_config *config,
                const struct libbond_member *members, size_t count, struct libbond_report *report,
                struct libbond_error *err)
{
	struct libbond_error local;
	struct set set = {.count = count + 1};
	size_t sent = 0;
	err = err ? err : &local;
	int rc = read_before(handle, &set, name, config, members, err);
	if (rc == 0)
		rc = make_ready(&set, config, members, report, err);
	if (rc == 0) {
		rc = send_all(handle, &set, &sent, err);
		int verified = read_back(handle, &set, sent, rc < 0, report, err);
		if (rc < 0 && err->cause == LIBBOND_CAUSE_PERMISSION)
			rc = reconsider(handle, name, config, members, count, err);
		rc = rc < 0 ? rc : verified;
	}
	set_free(&set);
	return rc;
}
