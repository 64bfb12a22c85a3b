/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Creates a bond with its options and slaves, all or nothing. Sits between the public interface and
 * prepare.c, change.c, verify.c.
 *
 * The steps: make the bond with every option that can be given then; enslave; set what needs the slaves
 * (their own options, the active slave); bring it up last, since slaves that join a bond that is up take
 * 8.9 s instead of 2.7 s to forward in 802.3ad. The first step is atomic in the kernel; after it, undoing
 * is deleting the bond, which gives each slave its address and MTU back, and setting up those that were up.
 */
#include <errno.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>

#include "change.h"
#include "error.h"
#include "verify.h"

struct creation {
	const char *name;
	const struct libbond_member *members;
	size_t count;
	struct lb_lookup *lookups; /* the name itself, the members, those that values name */
	size_t lookup_count;
	struct libbond_snapshot *before, *made;
	unsigned ifindex;                /* of the bond, once it is known to be ours; else 0 */
	const struct libbond_link *bond; /* in made */
	struct lb_work first;            /* what the creating message carries */
	struct libbond_config *last;     /* what must wait for the slaves */
	size_t touched;                  /* members that enslaving was tried for */
};

static void creation_free(struct creation *c)
{
	libbond_config_free(c->first.config);
	libbond_config_free(c->last);
	libbond_snapshot_free(c->before);
	libbond_snapshot_free(c->made);
	free(c->lookups);
}

static int read_before(struct libbond *handle, struct creation *c, const struct libbond_config *config,
                       struct libbond_error *err)
{
	size_t links = lb_config_links(config, NULL);

	c->lookup_count = 1 + c->count + links;
	c->lookups = calloc(c->lookup_count, sizeof(*c->lookups));
	if (!c->lookups)
		return lb_fail_memory(err);
	c->lookups[0].name = c->name;
	for (size_t i = 0; i < c->count; i++)
		c->lookups[1 + i].name = c->members[i].name;
	lb_config_links(config, c->lookups + 1 + c->count);
	return lb_read_names(handle, c->lookups, c->lookup_count, false, &c->before, err);
}

static int need_free_name(const struct creation *c, struct libbond_error *err)
{
	const struct libbond_link *there = c->lookups[0].link;
	if (!there)
		return 0;
	const char *kind = libbond_link_kind(there);
	int rc = lb_fail(err, LIBBOND_CAUSE_EXISTS, EEXIST, "cannot create %s: it exists%s%s", c->name,
	                 *kind ? ", kind " : "", kind);
	lb_fail_device(err, c->name);
	if (libbond_link_is_bond(there))
		lb_fail_hint(err, "bondctl set %s changes it, bondctl delete %s removes it", c->name, c->name);
	return rc;
}

static int need_members(struct libbond *handle, const struct creation *c, struct libbond_error *err)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < c->count; i++) {
		rc = lb_need_candidate(handle, &c->lookups[1 + i], NULL, c->name, err);
		if (rc == 0)
			rc = lb_need_once(c->lookups + 1, i, err);
	}
	return rc;
}

/* What must wait for the slaves: the state of the device and which slave is active. */
static bool comes_last(const struct libbond_attr *attr)
{
	return !(attr->flags & LIBBOND_ATTR_ON_CREATE) || attr->wire == LB_WIRE_FLAG;
}

static void keep_only(struct libbond_config *config, bool last)
{
	for (size_t i = 0; i < config->count;)
		if (comes_last(config->wants[i].attr) != last)
			libbond_config_unset(config, config->wants[i].attr);
		else
			i++;
}

/* The active slave of a bond to be is one of its slaves to be. */
static int need_active_member(const struct creation *c, struct libbond_error *err)
{
	const struct libbond_attr *attr = lb_bond_attr(LB_BOND_ACTIVE_SLAVE);
	const struct lb_want *want = lb_config_find(c->last, attr);
	bool found = !want || want->value.number == 0;

	for (size_t i = 0; !found && i < c->count; i++)
		found = libbond_link_ifindex(c->lookups[1 + i].link) == want->value.number;
	if (found)
		return 0;
	lb_fail(err, LIBBOND_CAUSE_NOT_A_SLAVE, EINVAL, "cannot set active_slave on %s: %s is not one of its slaves",
	        c->name, want->link);
	lb_fail_device(err, c->name);
	lb_fail_attr(err, attr);
	return -EINVAL;
}

static int make_ready(struct creation *c, const struct libbond_config *config, struct libbond_report *report,
                      struct libbond_error *err)
{
	struct lb_state state = lb_state_of(NULL, c->name, config);
	int rc = lb_report_device(report, c->name, "create") < 0 ? lb_fail_memory(err) : 0;

	if (rc == 0)
		rc = lb_work_start(&c->first, c->name, NULL, false, config, report, err);
	if (rc == 0)
		rc = lb_work_ready(&c->first, &state, c->lookups, c->lookup_count, report, err);
	if (rc == 0 && lb_config_copy(c->first.config, &c->last) < 0)
		rc = lb_fail_memory(err);
	if (rc < 0)
		return rc;
	keep_only(c->first.config, false);
	keep_only(c->last, true);
	rc = need_active_member(c, err);
	if (rc < 0)
		return rc;
	for (size_t i = 0; i < c->count; i++)
		if (lb_report_device(report, libbond_link_name(c->lookups[1 + i].link), "enslave") < 0)
			return lb_fail_memory(err);
	return 0;
}

/* What the slaves' own options come to is judged again once they are slaves; but what can be known now, the
 * mode above all, is refused now, which spares making and unmaking a bond. */
static int check_members(const struct creation *c, const struct libbond_config *config, struct libbond_report *report,
                         struct libbond_error *err)
{
	struct lb_state state = lb_state_of(NULL, c->name, config);
	struct lb_work *works = calloc(c->count ? c->count : 1, sizeof(*works));
	int rc = 0;

	if (!works)
		return lb_fail_memory(err);
	state.works = works;
	for (size_t i = 0; rc == 0 && i < c->count; i++)
		rc = lb_work_start(&works[i], libbond_link_name(c->lookups[1 + i].link), NULL, true,
		                   c->members[i].config, report, err);
	for (size_t i = 0; rc == 0 && i < c->count; i++)
		rc = lb_work_ready(&works[i], &state, NULL, 0, report, err);
	for (size_t i = 0; i < c->count; i++)
		libbond_config_free(works[i].config);
	free(works);
	return rc;
}

/* Read the bond back, with the devices that its values name; by index once that is known. */
static int read_by_index(struct libbond *handle, const struct creation *c, struct libbond_snapshot **out,
                         struct libbond_error *err)
{
	const struct libbond_config *config = c->first.config;
	unsigned *indexes = calloc(config->count + 1, sizeof(*indexes));
	size_t count = 1;

	if (!indexes)
		return lb_fail_memory(err);
	indexes[0] = c->ifindex;
	count += lb_config_link_indexes(config, indexes + count);
	int rc = lb_read_indexes(handle, indexes, count, out, err);
	free(indexes);
	return rc;
}

static int read_by_name(struct libbond *handle, const struct creation *c, struct libbond_snapshot **out,
                        struct libbond_error *err)
{
	struct lb_lookup *names = calloc(c->first.config->count + 1, sizeof(*names));

	if (!names)
		return lb_fail_memory(err);
	names[0].name = c->name;
	size_t count = 1 + lb_config_links(c->first.config, names + 1);
	int rc = lb_read_names(handle, names, count, false, out, err);
	free(names);
	return rc;
}

/* The new reading replaces the one before. A kernel that did not tell the index is asked by name: what has the
 * name now is taken for ours only if it is a bond. */
static int read_made(struct libbond *handle, struct creation *c, struct libbond_error *err)
{
	struct libbond_snapshot *now = NULL;
	int rc = c->ifindex ? read_by_index(handle, c, &now, err) : read_by_name(handle, c, &now, err);

	if (rc < 0)
		return rc;
	libbond_snapshot_free(c->made);
	c->made = now;
	c->bond = c->ifindex ? libbond_snapshot_by_index(now, c->ifindex) : libbond_snapshot_by_name(now, c->name);
	if (!c->bond || !libbond_link_is_bond(c->bond))
		return lb_fail_no_device(c->name, err);
	c->ifindex = libbond_link_ifindex(c->bond);
	return 0;
}

static int take_echo(const struct nlmsghdr *nlh, void *context)
{
	struct creation *c = context;
	const struct ifinfomsg *header = mnl_nlmsg_get_payload(nlh);
	if (nlh->nlmsg_type == RTM_NEWLINK && mnl_nlmsg_get_payload_len(nlh) >= sizeof(*header) &&
	    header->ifi_index > 0)
		c->ifindex = (unsigned)header->ifi_index;
	return 0;
}

static int make_bond(struct libbond *handle, struct creation *c, struct libbond_report *report,
                     struct libbond_error *err)
{
	struct lb_message message;
	struct lb_request request = {.receive = take_echo, .context = c};

	if (lb_message_create(&message, c->name, c->first.config) < 0)
		return lb_fail(err, LIBBOND_CAUSE_PROTOCOL, EMSGSIZE, "the request does not fit a message");
	request.nlh = message.nlh;
	int rc = lb_exchange(handle, &request, 1, err);
	if (rc == 0 && request.answer.errnum)
		rc = lb_fail_answer(&request, LB_DEED_CREATE, c->name, NULL, c->first.config, err);
	lb_report_mark(report, c->name, NULL, rc < 0 ? lb_outcome_of(err) : LIBBOND_OUTCOME_APPLIED);
	if (rc < 0 && err->attr)
		lb_report_mark(report, c->name, err->attr, lb_outcome_of(err));
	return rc;
}

static int enslave_members(struct libbond *handle, struct creation *c, struct libbond_report *report,
                           struct libbond_error *err)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < c->count; i++) {
		c->touched = i + 1;
		rc = lb_enslave(handle, c->lookups[1 + i].link, c->ifindex, c->name, report, err);
	}
	return rc;
}

/* The bond is there: from here on the slaves' options and the last of the bond's are an ordinary set. The
 * report has their lines already. */
static int set_the_rest(struct libbond *handle, struct creation *c, struct libbond_report *report,
                        struct libbond_error *err)
{
	struct libbond_report *lines = NULL;
	bool members = false;
	int rc;

	for (size_t i = 0; i < c->count; i++)
		members |= c->members[i].config && libbond_config_count(c->members[i].config);
	if (!members && c->last->count == 0)
		return 0;
	rc = libbond_report_new(&lines) < 0 ? lb_fail_memory(err) : 0;
	if (rc == 0)
		rc = libbond_set(handle, c->name, c->last, c->members, members ? c->count : 0, lines, err);
	lb_report_merge(report, lines);
	libbond_report_free(lines);
	return rc;
}

/* What was wanted of the bond is as undone as the bond is. */
static void report_undone(const struct creation *c, struct libbond_report *report, const struct libbond_error *err)
{
	for (size_t i = 0; i < c->first.config->count; i++)
		lb_report_mark(report, c->name, c->first.config->wants[i].attr, LIBBOND_OUTCOME_ROLLED_BACK);
	if (err->cause == LIBBOND_CAUSE_UNSUPPORTED || err->cause == LIBBOND_CAUSE_IGNORED)
		lb_report_mark(report, c->name, err->attr, LIBBOND_OUTCOME_IGNORED);
	lb_report_turn(report, LIBBOND_OUTCOME_APPLIED, LIBBOND_OUTCOME_ROLLED_BACK);
	lb_report_turn(report, LIBBOND_OUTCOME_UNVERIFIED, LIBBOND_OUTCOME_ROLLED_BACK);
}

/* Send one step of undoing. What is gone needs none. */
static bool send_undo(struct libbond *handle, const struct lb_message *message, enum lb_deed deed, const char *device)
{
	struct libbond_error failure = {0};
	return lb_send(handle, message, deed, device, NULL, NULL, &failure) == 0 ||
	       failure.cause == LIBBOND_CAUSE_NO_DEVICE;
}

static void undo(struct libbond *handle, struct creation *c, struct libbond_report *report, struct libbond_error *err)
{
	struct lb_message message;

	/* A kernel that did not tell the index, and a reading that failed: look once more. Deleting goes by index
	 * alone, and only a bond's. */
	if (!c->ifindex)
		read_made(handle, c, NULL);
	if (c->ifindex) {
		lb_message_delete(&message, c->ifindex);
		err->rolled_back = send_undo(handle, &message, LB_DEED_DELETE, c->name);
	}
	for (size_t i = 0; i < c->touched; i++) {
		const struct libbond_link *slave = c->lookups[1 + i].link;
		if (!(libbond_link_flags(slave) & IFF_UP))
			continue;
		lb_message_admin(&message, libbond_link_ifindex(slave), true);
		err->rolled_back &= send_undo(handle, &message, LB_DEED_SET, libbond_link_name(slave));
	}
	if (err->rolled_back)
		report_undone(c, report, err);
	else
		lb_fail_hint(err, "not all of it could be undone: look at %s and its slaves", c->name);
}

/* Everything after the bond is there. What the kernel dropped is found before a slave is touched; what is
 * reported is how things are in the end, since slaves change some of it (a pending primary, the address). */
static int finish(struct libbond *handle, struct creation *c, struct libbond_report *report,
                  struct libbond_error *err)
{
	int rc = read_made(handle, c, err);
	if (rc == 0)
		rc = lb_verify(&c->first, c->bond, NULL, err);
	if (rc == 0)
		rc = enslave_members(handle, c, report, err);
	if (rc == 0)
		rc = set_the_rest(handle, c, report, err);
	if (rc == 0 && c->count)
		rc = read_made(handle, c, err);
	if (rc == 0)
		rc = lb_verify(&c->first, c->bond, report, err);
	return rc;
}

int libbond_create(struct libbond *handle, const char *name, const struct libbond_config *config,
                   const struct libbond_member *members, size_t count, struct libbond_report *report,
                   struct libbond_error *err)
{
	struct libbond_error local = {0};
	struct creation c = {.name = name, .members = members, .count = count};
	int rc = libbond_name_check(name, &local);

	if (rc == 0)
		rc = read_before(handle, &c, config, &local);
	if (rc == 0)
		rc = need_free_name(&c, &local);
	if (rc == 0)
		rc = need_members(handle, &c, &local);
	if (rc == 0)
		rc = make_ready(&c, config, report, &local);
	if (rc == 0)
		rc = check_members(&c, config, report, &local);
	if (rc == 0)
		rc = make_bond(handle, &c, report, &local);
	if (rc == 0) {
		rc = finish(handle, &c, report, &local);
		if (rc < 0)
			undo(handle, &c, report, &local);
	}
	if (rc < 0 && err)
		*err = local;
	creation_free(&c);
	return rc;
}
