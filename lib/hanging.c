/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What hangs on the devices: addresses, routes, neighbours, nexthops. Reads those that are at stake, and says what is
 * put back and what is lost. Sits between effects.c and records.c.
 */
#include <errno.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>

#include "effects.h"
#include "error.h"

/* What a device that is down can have; it goes when the device is opened and closed again, as undoing does. */
#define OF_CLOSED                                                                                                    \
	(LB_RECORD_BIT(LB_RECORD_ADDRESS) | LB_RECORD_BIT(LB_RECORD_NEIGHBOR) | LB_RECORD_BIT(LB_RECORD_PROXY))
#define OF_CARRIER                                                                                                   \
	(LB_RECORD_BIT(LB_RECORD_NEXTHOP) | LB_RECORD_BIT(LB_RECORD_GROUP) | LB_RECORD_BIT(LB_RECORD_ROUTE4) |       \
	 LB_RECORD_BIT(LB_RECORD_ROUTE6))

static int ask_for_records(struct libbond *handle, struct libbond_plan *plan, struct libbond_error *err)
{
	struct lb_record_ask *asks = calloc(plan->count + 1, sizeof(*asks));
	size_t count = 0;

	free(plan->asks);
	plan->asks = asks;
	if (!asks)
		return lb_fail_memory(err);
	for (size_t i = 0; i < plan->count; i++) {
		const struct lb_device *device = plan->devices[i];
		enum lb_fate fate = lb_fate_of(device);
		unsigned classes = (lb_changes_address(device) ? LB_RECORD_BIT(LB_RECORD_NEIGHBOR) : 0) |
		                   (lb_loses_carrier(device) ? OF_CARRIER : 0);
		if (device->link && fate == LB_STAYS && classes)
			asks[count++] = (struct lb_record_ask){device->ifindex, classes};
		if (!device->link || fate == LB_STAYS)
			continue;
		bool opens = fate == LB_OPENS || fate == LB_RISES;
		asks[count++] = (struct lb_record_ask){device->ifindex, opens ? OF_CLOSED : LB_RECORD_ALL};
	}
	plan->ask_count = count;
	if (!plan->undoing)
		lb_follow_start(handle, plan);
	return count ? lb_records_read(handle, asks, count, &plan->records, err) : 0;
}

/* IPv4 addresses of a slave stay, and are in the way. */
static void note_kept(struct libbond_plan *plan, const struct lb_device *device)
{
	char first[LB_RECORD_TEXT] = "";
	unsigned count = 0;

	for (size_t i = 0; i < plan->records.count; i++) {
		const struct lb_record *record = plan->records.records[i];
		if (record->ifindex == device->ifindex && !lb_record_goes_down(record) && count++ == 0)
			lb_record_text(record, first);
	}
	const char *address = strchr(first, ' ');
	if (count && address)
		lb_report_note(plan->report, device->name, NULL, "keeps its address%s%s%s, which bypass%s the bond",
		               count > 1 ? "es" : "", address, count > 1 ? ", ..." : "", count > 1 ? "" : "es");
}

struct joining {
	const struct libbond_plan *plan;
	const struct lb_device *device;
};

static void note_vlan(const struct libbond_link *vlan, void *context)
{
	const struct joining *joining = context;
	lb_report_note(joining->plan->report, joining->device->name, NULL,
	               "has the VLAN device %s, which bypasses the bond", libbond_link_name(vlan));
}

static void warn_of_join(struct libbond_plan *plan, struct lb_device *device)
{
	struct joining joining = {plan, device};

	if (lb_fate_of(device) == LB_CHANGES && !device->master)
		lb_report_note(plan->report, device->name, NULL, "is up, and is taken down to be enslaved");
	note_kept(plan, device);
	lb_uppers_on(plan, device->ifindex, note_vlan, &joining);
}

/* Link-local addresses that the kernel made itself: it makes them anew, from the MAC of then. */
static bool is_kernels(const struct lb_record *record, const struct lb_device *device, bool lost)
{
	struct lb_value mac = {0};

	if (!lb_record_is_kernels(record))
		return false;
	return lost || lb_link_value(device->link, lb_link_attr(LB_IFLA_ADDRESS), &mac) < 0 || mac.count != 6 ||
	       lb_record_is_of_mac(record, mac.mac);
}

/* Whether the MTU that a device will have is enough for IPv6; a VLAN device has no more than what it is on. */
static bool carries_ip6(const struct lb_device *device)
{
	const struct libbond_attr *mtu = lb_link_attr(LB_IFLA_MTU);
	const struct lb_device *base = device->on ? device->on : device;
	const struct lb_device *bond = !base->is_bond && base->wanted ? base->wanted : base;
	const struct lb_want *want = lb_config_find(base->work.config, mtu);

	want = want ? want : lb_config_find(base->back, mtu);
	want = want ? want : lb_config_find(bond->work.config, mtu);
	return !want || want->value.number >= LB_IPV6_MIN_MTU;
}

static bool is_route(const struct lb_record *record)
{
	return record->class == LB_RECORD_ROUTE4 || record->class == LB_RECORD_ROUTE6;
}

/* Whether the steps touch a record at all. */
static bool is_at_stake(const struct lb_record *record, const struct lb_device *device)
{
	bool goes = device->deletes || (device->on && device->on->deletes);

	if (!lb_record_goes_down(record) && !goes)
		return false;
	switch (lb_fate_of(device)) {
	case LB_OPENS:
	case LB_RISES:
		return false;
	case LB_STAYS:
		return !is_route(record) || lb_record_is_by_nexthop(record);
	case LB_SHRINKS:
		return record->family == AF_INET6 ||
		       (record->class == LB_RECORD_NEIGHBOR && lb_changes_address(device));
	default:
		return true;
	}
}

static bool is_lost(const struct lb_record *record, const struct lb_device *device)
{
	enum lb_fate fate = lb_fate_of(device);
	bool comes_back = fate == LB_DIPS || fate == LB_STAYS || (fate == LB_SHRINKS && record->family == AF_INET);

	if (!comes_back || lb_record_is_temporary(record))
		return true;
	/* without a carrier it cannot be made again */
	return (lb_record_is_by_nexthop(record) && lb_ends_dark(device)) ||
	       (record->family == AF_INET6 && !carries_ip6(device));
}

static bool has_link_local(const struct libbond_plan *plan, const struct lb_device *device)
{
	for (size_t i = 0; i < plan->records.count; i++)
		if (plan->records.records[i]->ifindex == device->ifindex &&
		    lb_record_is_link_local(plan->records.records[i]))
			return true;
	return false;
}

/* What somebody has taken away comes back by itself, and when is the carrier's to say. */
static int tell_gains(const struct libbond_plan *plan, struct libbond_error *err)
{
	for (size_t i = 0; i < plan->count; i++) {
		const struct lb_device *device = plan->devices[i];
		bool slave = device->master && device->master->is_bond; /* which get none */
		if (!device->link || slave || lb_fate_of(device) != LB_DIPS || !lb_makes_link_local(device->link) ||
		    has_link_local(plan, device))
			continue;
		if (lb_report_thing(plan->report, device->name, "lose", "that it has no link-local address",
		                    LIBBOND_OUTCOME_NOT_TRIED, "the kernel makes one when it comes up") < 0)
			return lb_fail_memory(err);
	}
	return 0;
}

int lb_hang(struct libbond_plan *plan, struct lb_record *record, const char *note)
{
	const struct lb_device *device = lb_plan_find(plan, record->ifindex);
	bool lost = is_lost(record, device), temporary = lb_record_is_temporary(record);
	char text[LB_RECORD_TEXT];
	size_t line = 0;

	if (!is_at_stake(record, device) || is_kernels(record, device, lost))
		return 0;
	struct lb_hanging *grown = realloc(plan->hanging, (plan->hanging_count + 1) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	plan->hanging = grown;
	if (lb_report_beside(plan->report, device->name, lost ? "lose" : "put_back", lb_record_text(record, text),
	                     &line) < 0)
		return -ENOMEM;
	if (temporary || note)
		lb_report_mark_line(plan->report, line, LIBBOND_OUTCOME_NOT_TRIED, temporary ? "is temporary" : note);
	record->kept = !lost;
	record->lost = lost;
	grown[plan->hanging_count++] = (struct lb_hanging){record, line, lost};
	record->place = plan->hanging_count;
	return 0;
}

static int tell_records(struct libbond_plan *plan, struct libbond_error *err)
{
	for (size_t i = 0; i < plan->records.count; i++)
		if (lb_hang(plan, plan->records.records[i], NULL) < 0)
			return lb_fail_memory(err);
	return tell_gains(plan, err);
}

int lb_effects_on_records(struct libbond *handle, struct libbond_plan *plan, struct libbond_error *err)
{
	size_t count = plan->count;
	int rc = ask_for_records(handle, plan, err);

	for (size_t i = 0; rc == 0 && i < count; i++) {
		struct lb_device *device = plan->devices[i];
		if (device->wanted && device->wanted->is_bond && device->wanted != device->master)
			warn_of_join(plan, device);
	}
	return rc < 0 ? rc : tell_records(plan, err);
}
