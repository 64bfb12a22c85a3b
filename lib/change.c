/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The pieces that create.c, set.c, enslave.c and delete.c share. Sits between them and exchange.c.
 */
#include "change.h"

#include <errno.h>
#include <net/if.h>
#include <string.h>

#include "addresses.h"
#include "error.h"

int lb_send(struct libbond *handle, const struct lb_message *message, enum lb_deed deed, const char *device,
            const char *other, const struct libbond_config *config, struct libbond_error *err)
{
	struct lb_request request = {.nlh = message->nlh};
	int rc = lb_exchange(handle, &request, 1, err);
	if (rc == 0 && request.answer.errnum)
		rc = lb_fail_answer(&request, deed, device, other, config, err);
	return rc;
}

int lb_need_bond(const struct lb_lookup *lookup, struct libbond_error *err)
{
	if (!lookup->link)
		return lb_fail_no_device(lookup->name, err);
	return libbond_link_is_bond(lookup->link) ? 0 : lb_fail_not_a_bond(lookup->link, err);
}

int lb_need_slave(const struct lb_lookup *lookup, const struct libbond_link *bond, struct libbond_error *err)
{
	if (!lookup->link)
		return lb_fail_no_device(lookup->name, err);
	const char *name = libbond_link_name(lookup->link);
	if (libbond_link_master(lookup->link) == libbond_link_ifindex(bond))
		return 0;
	int rc = lb_fail(err, LIBBOND_CAUSE_NOT_A_SLAVE, EINVAL, "%s is not a slave of %s", name,
	                 libbond_link_name(bond));
	lb_fail_device(err, name);
	lb_fail_hint(err, "bondctl show %s lists its slaves", libbond_link_name(bond));
	return rc;
}

int lb_need_once(const struct lb_lookup *lookups, size_t i, struct libbond_error *err)
{
	for (size_t j = 0; j < i; j++) {
		if (lookups[j].link != lookups[i].link)
			continue;
		int rc = lb_fail(err, LIBBOND_CAUSE_CONFLICT, EINVAL, "%s is named twice",
		                 libbond_link_name(lookups[i].link));
		lb_fail_device(err, libbond_link_name(lookups[i].link));
		return rc;
	}
	return 0;
}

/* Its master's name costs a round trip, and is asked for only when it is the reason of a refusal. */
static int fail_has_master(struct libbond *handle, const struct libbond_link *slave, struct libbond_error *err)
{
	unsigned index = libbond_link_master(slave);
	struct libbond_snapshot *snapshot = NULL;
	const struct libbond_link *master = NULL;
	const char *name = libbond_link_name(slave);

	if (lb_read_indexes(handle, &index, 1, &snapshot, NULL) == 0)
		master = libbond_snapshot_by_index(snapshot, index);
	int rc = lb_fail(err, LIBBOND_CAUSE_HAS_MASTER, EBUSY, "cannot enslave %s: it belongs to %s already", name,
	                 master ? libbond_link_name(master) : "another device");
	lb_fail_device(err, name);
	if (master && libbond_link_is_bond(master))
		lb_fail_hint(err, "release it there first: bondctl release %s %s", libbond_link_name(master), name);
	else
		lb_fail_hint(err, "take it out there first: ip link set %s nomaster", name);
	libbond_snapshot_free(snapshot);
	return rc;
}

int lb_need_candidate(struct libbond *handle, const struct lb_lookup *lookup, const struct libbond_link *bond,
                      const char *bond_name, struct libbond_error *err)
{
	const struct libbond_link *slave = lookup->link;
	if (!slave)
		return lb_fail_no_device(lookup->name, err);
	if (slave == bond || strcmp(libbond_link_name(slave), bond_name) == 0) {
		int rc = lb_fail(err, LIBBOND_CAUSE_CONFLICT, EPERM, "cannot enslave %s to itself", bond_name);
		lb_fail_device(err, bond_name);
		return rc;
	}
	if (libbond_link_flags(slave) & IFF_LOOPBACK) {
		int rc = lb_fail(err, LIBBOND_CAUSE_CONFLICT, EINVAL, "cannot enslave %s: it is the loopback device",
		                 libbond_link_name(slave));
		lb_fail_device(err, libbond_link_name(slave));
		return rc;
	}
	if (libbond_link_master(slave) == 0)
		return 0;
	if (bond && libbond_link_master(slave) == libbond_link_ifindex(bond))
		return 1;
	return fail_has_master(handle, slave, err);
}

/* What a person should know of a device that has become a slave, or was about to. */
static void note_cost(const struct lb_addresses *had, const char *name, bool was_up, bool enslaved,
                      struct libbond_report *report)
{
	if (was_up)
		lb_report_note(report, name, NULL, "was up, and was taken down%s: routes over it are lost",
		               enslaved ? " to be enslaved" : " for a moment");
	if (was_up && had->ip6)
		lb_report_note(report, name, NULL, "lost its IPv6 address%s %s%s", had->ip6 > 1 ? "es" : "",
		               had->first6, had->ip6 > 1 ? ", ..." : "");
	if (enslaved && had->ip4)
		lb_report_note(report, name, NULL, "keeps its address%s %s%s, which bypass%s the bond",
		               had->ip4 > 1 ? "es" : "", had->first4, had->ip4 > 1 ? ", ..." : "",
		               had->ip4 > 1 ? "" : "es");
}

int lb_enslave(struct libbond *handle, const struct libbond_link *slave, unsigned bond, const char *bond_name,
               struct libbond_report *report, struct libbond_error *err)
{
	const char *name = libbond_link_name(slave);
	unsigned ifindex = libbond_link_ifindex(slave);
	bool was_up = lb_link_number_or(slave, lb_link_attr(LB_IFLA_UP), 0) != 0;
	struct lb_addresses had = {.ifindex = ifindex};
	_Alignas(8) char question[64];
	struct lb_message down, join;
	struct lb_request requests[3] = {{
		.nlh = lb_addresses_message(question, ifindex),
		.receive = lb_addresses_receive,
		.context = &had,
		.beside = true,
	}};
	size_t count = 1;

	/* Two messages, never a flag beside a master in one: kernels differed in which came first. If the
	 * first is refused the second is as well, with the device still up. */
	if (was_up) {
		lb_message_admin(&down, ifindex, false);
		requests[count++] = (struct lb_request){.nlh = down.nlh};
	}
	lb_message_master(&join, ifindex, bond);
	requests[count++] = (struct lb_request){.nlh = join.nlh};
	int rc = lb_exchange(handle, requests, count, err);
	for (size_t i = 1; rc == 0 && i < count; i++)
		if (requests[i].answer.errnum)
			rc = lb_fail_answer(&requests[i], LB_DEED_ENSLAVE, name, bond_name, NULL, err);
	lb_report_mark(report, name, NULL, rc == 0 ? LIBBOND_OUTCOME_APPLIED : lb_outcome_of(err));
	bool is_down = was_up && requests[1].answer.done && requests[1].answer.errnum == 0;
	note_cost(&had, name, is_down, rc == 0, report);
	if (rc < 0 && is_down) {
		lb_message_admin(&down, ifindex, true);
		if (lb_send(handle, &down, LB_DEED_SET, name, NULL, NULL, NULL) < 0)
			lb_report_note(report, name, NULL, "could not be set up again");
	}
	return rc;
}
