/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Says what an undo could not bring back: by what is, compared with what was, and not by what was tried. Sits between
 * undo.c and the report.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "undo.h"
#include "verify.h"

bool lb_has_changed(const struct libbond_plan *plan, unsigned ifindex)
{
	const struct lb_device *device = lb_plan_find(plan, ifindex);
	const struct lb_device *base = device && device->on ? device->on : device;
	bool by_slave = false;

	for (size_t i = 0; base && base->is_bond && i < plan->count; i++)
		by_slave |= plan->devices[i]->master == base && plan->devices[i]->touched;
	return base && (device->touched || base->touched || base->moved || base->regrouped || by_slave);
}

bool lb_was_at_stake(const struct libbond_plan *plan, const struct lb_record *record)
{
	return !record->foreign && lb_has_changed(plan, record->ifindex);
}

struct teller {
	const struct libbond_plan *plan;
	const struct libbond_snapshot *now;
	struct libbond_error *err;
	bool told;    /* the hint names the first thing */
	bool lasting; /* what is told now was expected to be lost, and is no failure */
};

static void hint(struct teller *t, const char *device, const char *text)
{
	if (!t->told && !t->lasting)
		lb_fail_hint(t->err, "not all of it could be undone: %.32s: %.160s", device, text);
	t->told |= !t->lasting;
}

/* A thing, as a line of its own. */
static void tell_thing(struct teller *t, const char *device, const char *text, const char *note)
{
	lb_report_thing(t->plan->report, device, "lose", text, LIBBOND_OUTCOME_LOST, note);
	hint(t, device, text);
}

/* What another program has done since, and is left to it. */
static void tell_others(struct teller *t, const char *device, const char *text, const char *note)
{
	lb_report_thing(t->plan->report, device, "lose", text, LIBBOND_OUTCOME_OVERRIDDEN, note);
}

/* A value: what it is now. */
static void tell_value(struct teller *t, const struct lb_device *device, const struct libbond_link *now,
                       const struct libbond_attr *attr, const char *note)
{
	char text[LIBBOND_TEXT_SIZE] = "", words[LB_RECORD_TEXT];
	struct lb_want left = {.attr = attr};

	libbond_link_text(now, attr, text, sizeof(text));
	if (attr->type == LIBBOND_TYPE_LINK)
		snprintf(left.link, sizeof(left.link), "%.100s", text);
	int rc = lb_link_value(now, attr, &left.value) == 0
	                 ? lb_report_value(t->plan->report, device->name, "lose", device->link, &left)
	                 : lb_report_lost(t->plan->report, device->name, device->link, attr);
	if (rc == 0) {
		lb_report_mark(t->plan->report, device->name, attr, LIBBOND_OUTCOME_LOST);
		lb_report_note(t->plan->report, device->name, attr, "%s", note);
	}
	snprintf(words, sizeof(words), "%s is %.64s", attr->name, *text ? text : "not reported any more");
	hint(t, device->name, words);
}

#define NOT_UNDONE "could not be undone"

/* --- one device --- */

static void keep_line(struct teller *t, const struct lb_device *device, const struct libbond_attr *attr,
                      const char *action)
{
	lb_report_mark_action(t->plan->report, device->name, attr, action, LIBBOND_OUTCOME_APPLIED);
}

/* Values of the change that hold, and did not before, stay done. */
static void keep_values(struct teller *t, const struct lb_device *device, const struct libbond_link *now)
{
	for (size_t w = 0; w < device->work.config->count; w++) {
		const struct lb_want *want = &device->work.config->wants[w];
		if (lb_verify_holds(want, now) && !(device->link && lb_verify_holds(want, device->link)))
			keep_line(t, device, want->attr, "set");
	}
}

static bool is_gone_by_us(const struct lb_device *device)
{
	return device->erased || (device->on && device->on->erased); /* it goes with what it is on */
}

/* By another program, and not by us. */
static bool is_deleted(const struct teller *t, const struct lb_device *device)
{
	return device && device->link && !is_gone_by_us(device) && !lb_link_now(t->now, device);
}

static void tell_place(struct teller *t, const struct lb_device *device, const struct libbond_link *now)
{
	unsigned is = libbond_link_master(now);
	unsigned was = lb_master_then(device);
	const struct lb_device *there = lb_plan_find(t->plan, is);
	char text[LB_RECORD_TEXT];

	if (device->taken)
		lb_report_mark_action(t->plan->report, device->name, NULL, device->wanted ? "enslave" : "release",
		                      LIBBOND_OUTCOME_OVERRIDDEN);
	if (is_deleted(t, device->master) && device->moved && is != was) {
		snprintf(text, sizeof(text), "its place in %.32s", device->master->name);
		tell_others(t, device->name, text, "another program has deleted that since");
		return;
	}
	if (device->taken && was && is != was) {
		snprintf(text, sizeof(text), "its place in %.32s",
		         device->master ? device->master->name : "its master");
		tell_others(t, device->name, text, "another program has moved it since");
	}
	if (!device->moved || is == was || device->taken)
		return;
	if (was)
		snprintf(text, sizeof(text), "its place in %.32s",
		         device->master ? device->master->name : "its master");
	else
		snprintf(text, sizeof(text), "that it is a slave of %.32s", there ? there->name : "another device");
	tell_thing(t, device->name, text, NOT_UNDONE);
	if (was)
		keep_line(t, device, NULL, "release");
	if (is)
		keep_line(t, device, NULL, "enslave");
}

/* What the driver reports in the old mode only. */
static void tell_unreported(struct teller *t, const struct lb_device *device, const struct libbond_link *now)
{
	const struct libbond_link *left =
		t->plan->after ? libbond_snapshot_by_index(t->plan->after, device->ifindex) : NULL;
	const struct libbond_attr *attr = NULL;
	while (device->is_bond && (attr = libbond_attr_next(LIBBOND_SCOPE_BOND, attr)))
		if (!(left && libbond_link_has(left, attr)) && /* it went since, with another program's mode */
		    !(attr->flags & LIBBOND_ATTR_READ_ONLY) && attr->presence != LIBBOND_PRESENT_IF_SET &&
		    !lb_config_find(device->foreign, lb_bond_attr(LB_BOND_MODE)) &&
		    !lb_config_find(device->seen, lb_bond_attr(LB_BOND_MODE)) &&
		    libbond_link_has(device->link, attr) && !libbond_link_has(now, attr))
			tell_value(t, device, now, attr, "is reported in the old mode only");
}

static int tell_values(struct teller *t, struct lb_device *device, const struct libbond_link *now)
{
	struct libbond_config *wants;
	if (libbond_config_new(&wants) < 0)
		return -ENOMEM;
	bool later = false;
	struct lb_view view = {t->plan, device, now, wants, t->plan->report, false, true, &later};
	int rc = lb_compare_device(&view);

	if (rc == 0 && later) {
		t->lasting = true;
		tell_value(t, device, now, lb_bond_attr(LB_BOND_ACTIVE_SLAVE), "that one has no link yet");
		t->lasting = false;
	}

	for (size_t w = 0; rc == 0 && w < wants->count; w++) {
		const struct libbond_attr *attr = wants->wants[w].attr;
		const struct lb_want *named = lb_config_find(device->work.config, attr);
		tell_value(t, device, now, attr, NOT_UNDONE);
		if (named && !lb_verify_holds(named, now))
			lb_report_mark_action(t->plan->report, device->name, attr, "set", LIBBOND_OUTCOME_OVERRIDDEN);
	}
	libbond_config_free(wants);
	return rc;
}

/* What was foreseen to be lost on the way, and is. */
static void tell_foreseen(const struct teller *t, const struct lb_device *device, const struct libbond_link *now)
{
	for (size_t w = 0; w < device->lost->count; w++) {
		const struct libbond_attr *attr = device->lost->wants[w].attr;
		struct lb_value then, is;
		if (lb_link_value(device->link, attr, &then) == 0 && lb_link_value(now, attr, &is) == 0 &&
		    !lb_same_value(attr, &then, &is))
			lb_report_mark_action(t->plan->report, device->name, attr, "lose", LIBBOND_OUTCOME_LOST);
	}
}

static const char *why_gone(const struct teller *t, const struct lb_device *device)
{
	if (libbond_snapshot_by_index(t->now, device->ifindex))
		return "is gone, and another has its index";
	return "is gone, and is not made again";
}

static int tell_device(struct teller *t, struct lb_device *device)
{
	const struct libbond_link *now = lb_link_now(t->now, device);

	if (!device->link) { /* made by the change */
		if (now && device->creates && device->touched) {
			tell_thing(t, device->name, "that it is there", NOT_UNDONE);
			keep_line(t, device, NULL, "create");
			keep_values(t, device, now);
		}
		return 0;
	}
	if (!now) {
		bool gone = device->touched || (device->on && device->on->touched);
		if (gone && is_gone_by_us(device))
			tell_thing(t, device->name, "device", why_gone(t, device));
		else if (gone)
			tell_others(t, device->name, "device", "another program has deleted it since");
		if (gone && device->erased)
			keep_line(t, device, NULL, "delete");
		return 0;
	}
	tell_place(t, device, now);
	if (device->taken || (device->moved && is_deleted(t, device->master)))
		return 0;
	tell_unreported(t, device, now);
	keep_values(t, device, now);
	int rc = tell_values(t, device, now);
	tell_foreseen(t, device, now);
	return rc;
}

/* --- what no step brings back --- */

static void order_text(const struct libbond_link *bond, char *buf, size_t size)
{
	size_t used = 0;
	buf[0] = '\0';
	for (size_t i = 0; i < libbond_link_slaves(bond) && used < size; i++)
		used += (size_t)snprintf(buf + used, size - used, "%s%s", i ? ", " : "",
		                         libbond_link_name(libbond_link_slave(bond, i)));
}

/* An empty bond's address that was random is another one. */
static void tell_redrawn(struct teller *t, const struct lb_device *bond)
{
	const struct libbond_attr *address = lb_link_attr(LB_IFLA_ADDRESS);
	const struct libbond_link *now = lb_link_now(t->now, bond);
	struct lb_value was, is;

	if (!bond->random || !now || lb_link_value(bond->link, address, &was) < 0 ||
	    lb_link_value(now, address, &is) < 0 || lb_same_value(address, &was, &is))
		return;
	t->lasting = true;
	tell_value(t, bond, now, address,
	           lb_has_slaves_address(bond->link) ? "is drawn anew, and with fail_over_mac none can be set"
	                                             : "was random, and is drawn anew");
	t->lasting = false;
}

void lb_tell_redrawn(const struct libbond_plan *plan, const struct libbond_snapshot *now)
{
	struct teller t = {.plan = plan, .now = now};
	for (size_t i = 0; i < plan->count; i++)
		tell_redrawn(&t, plan->devices[i]);
}

/* A bond that was deleted and made again has its options, addresses and routes. */
static void tell_unmade(struct teller *t, const struct lb_device *bond, const struct libbond_link *now)
{
	for (size_t i = 0; bond->erased && i < LB_UNMADE; i++) {
		const char *text = lb_unmade(i, bond->link, now);
		if (text)
			tell_thing(t, bond->name, text, "is not made again with the bond");
	}
}

/* A slave that was out is the last now. */
static void tell_lasting(struct teller *t, const struct lb_device *bond)
{
	const struct libbond_link *now = lb_link_now(t->now, bond);
	char then[LIBBOND_TEXT_SIZE], is[LIBBOND_TEXT_SIZE], text[LIBBOND_TEXT_SIZE + 32];

	if (!bond->is_bond || !bond->link || !now)
		return;
	tell_redrawn(t, bond);
	t->lasting = true;
	tell_unmade(t, bond, now);
	bool taken = false; /* then the order is another's */
	for (size_t i = 0; i < t->plan->count; i++)
		taken |= t->plan->devices[i]->master == bond && t->plan->devices[i]->taken;
	if (bond->slaves_known && bond->regrouped && !taken) {
		order_text(bond->link, then, sizeof(then));
		order_text(now, is, sizeof(is));
		snprintf(text, sizeof(text), "order of its slaves: now %s", is);
		if (strcmp(then, is) != 0)
			tell_thing(t, bond->name, text, "");
	}
	t->lasting = false;
}

/* Slaves that are none of ours and were not there. */
static void tell_strangers(struct teller *t, const struct lb_device *bond)
{
	const struct libbond_link *now = lb_link_now(t->now, bond);
	char text[LB_RECORD_TEXT];

	for (size_t i = 0; bond->is_bond && bond->link && bond->slaves_known && now && i < libbond_link_slaves(now);
	     i++) {
		const struct libbond_link *slave = libbond_link_slave(now, i);
		if (lb_plan_find(t->plan, libbond_link_ifindex(slave)))
			continue;
		snprintf(text, sizeof(text), "that it is no slave of %.32s", bond->name);
		tell_others(t, libbond_link_name(slave), text, "another program has enslaved it since");
	}
}

/* A port of a bridge comes back as a new one. */
static void tell_port(struct teller *t, const struct lb_device *device)
{
	const struct libbond_link *now = lb_link_now(t->now, device);
	char text[LB_RECORD_TEXT];

	if (!now || !device->moved || !device->master || device->master->is_bond ||
	    libbond_link_master(now) != device->master->ifindex)
		return;
	snprintf(text, sizeof(text), "its settings as a port of %.32s", device->master->name);
	t->lasting = true;
	tell_thing(t, device->name, text, "are the default ones");
	t->lasting = false;
}

/* What hung on the devices and could not be made again. */
static int tell_missing(struct teller *t, struct libbond *handle)
{
	struct lb_records now = {0};
	int rc = t->plan->records.count ? lb_records_now(handle, t->plan, &now, NULL) : 0;

	for (size_t i = 0; rc == 0 && i < t->plan->records.count; i++) {
		const struct lb_record *record = t->plan->records.records[i];
		const struct lb_device *device = lb_plan_find(t->plan, record->ifindex);
		char text[LB_RECORD_TEXT];
		if (!lb_was_at_stake(t->plan, record) || is_deleted(t, device) || lb_records_find(&now, record))
			continue;
		t->lasting = lb_record_is_temporary(record);
		tell_thing(t, device->name, lb_record_text(record, text), t->lasting ? "is temporary" : NOT_UNDONE);
		t->lasting = false;
	}
	lb_records_free(&now);
	return rc;
}

/* Nobody tried to make these again. */
static bool has_lost_records(const struct libbond_plan *plan)
{
	for (size_t i = 0; i < plan->records.count; i++)
		if (lb_record_is_temporary(plan->records.records[i]) ||
		    lb_plan_find(plan, plan->records.records[i]->ifindex)->gone)
			return true;
	return false;
}

int lb_tell_left(struct libbond *handle, const struct libbond_plan *plan, const struct libbond_snapshot *now,
                 bool missing, struct libbond_error *err)
{
	struct teller t = {.plan = plan, .now = now, .err = err};
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < plan->count; i++) {
		rc = tell_device(&t, plan->devices[i]);
		if (rc < 0)
			continue;
		tell_lasting(&t, plan->devices[i]);
		tell_port(&t, plan->devices[i]);
		tell_strangers(&t, plan->devices[i]);
	}
	if (rc == 0 && (missing || has_lost_records(plan)))
		rc = tell_missing(&t, handle);
	return rc < 0 ? rc : t.told;
}
