/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Does the steps of a plan and reads back what came of them. Sits between the public interface and message.c,
 * exchange.c, verify.c; what is to be done when it fails is undo.c's.
 *
 * Steps that belong together go out in one datagram: the kernel works through it without looking at this process
 * again, so that no signal and no kill leaves a bond down between two of them. That ends at LB_EXCHANGE_MAX steps, a
 * bond with some sixty slaves that all go out and in: then no signal does, but a kill can.
 */
#include <errno.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "answer.h"
#include "error.h"
#include "exchange.h"
#include "message.h"
#include "plan.h"
#include "verify.h"

#define LOOK_MS 20     /* between two looks at a device that is waited for */
#define BOTH_WAYS 0x30 /* collecting and distributing (IEEE 802.1AX-2014 6.4.2.3) */

/* --- one datagram --- */

static int put_message(struct lb_message *message, const struct lb_step *step)
{
	unsigned ifindex = step->device->ifindex;

	switch (step->kind) {
	case LB_STEP_CREATE:
		return lb_message_create(message, step->device->name, ifindex, step->config);
	case LB_STEP_DELETE:
		lb_message_delete(message, ifindex);
		return 0;
	case LB_STEP_DOWN:
	case LB_STEP_UP:
		lb_message_admin(message, ifindex, step->kind == LB_STEP_UP);
		return 0;
	case LB_STEP_RELEASE:
	case LB_STEP_ENSLAVE:
		lb_message_master(message, ifindex, step->kind == LB_STEP_ENSLAVE ? step->bond->ifindex : 0);
		return 0;
	case LB_STEP_PUT_BACK:
		message->nlh = lb_record_request(step->record);
		return 0;
	default:
		return lb_message_change(message, ifindex, step->config);
	}
}

static int remember_value(struct lb_device *device, const struct libbond_attr *attr, const struct lb_value *value)
{
	const struct lb_want *last = lb_config_find(device->sent, attr);
	if (last && lb_config_put(device->sent_before, attr, &last->value, "") < 0)
		return -ENOMEM;
	return lb_config_put(device->sent, attr, value, "");
}

/* Remember what is about to be done, before it may be done half. */
static int remember(const struct lb_step *step)
{
	struct lb_device *device = step->device;
	const struct lb_value up = {.count = 1, .number = step->kind == LB_STEP_UP};

	device->touched = true;
	switch (step->kind) {
	case LB_STEP_CREATE:
	case LB_STEP_SET:
		for (size_t i = 0; i < step->config->count; i++)
			if (remember_value(device, step->config->wants[i].attr, &step->config->wants[i].value) < 0)
				return -ENOMEM;
		return 0;
	case LB_STEP_DOWN:
	case LB_STEP_UP:
		return remember_value(device, lb_link_attr(LB_IFLA_UP), &up);
	case LB_STEP_RELEASE:
	case LB_STEP_ENSLAVE:
		device->moved = true;
		step->bond->regrouped = true;
		if (device->master)
			device->master->regrouped = true;
		return 0;
	case LB_STEP_DELETE: /* its slaves go with it, as released ones */
		device->regrouped = true;
		device->moved = libbond_link_master(device->link) != 0;
		for (size_t i = 0; i < device->leave_count; i++)
			device->leave[i]->touched = device->leave[i]->moved = true;
		return 0;
	default:
		return 0;
	}
}

static int take_echo(const struct nlmsghdr *nlh, void *context)
{
	struct lb_device *device = context;
	const struct ifinfomsg *header = mnl_nlmsg_get_payload(nlh);
	if (nlh->nlmsg_type == RTM_NEWLINK && mnl_nlmsg_get_payload_len(nlh) >= sizeof(*header) &&
	    header->ifi_index > 0)
		device->ifindex = (unsigned)header->ifi_index;
	return 0;
}

static enum lb_deed deed_of(const struct lb_step *step)
{
	static const enum lb_deed deeds[] = {
		[LB_STEP_CREATE] = LB_DEED_CREATE,   [LB_STEP_DELETE] = LB_DEED_DELETE,
		[LB_STEP_DOWN] = LB_DEED_SET,        [LB_STEP_UP] = LB_DEED_SET,
		[LB_STEP_RELEASE] = LB_DEED_RELEASE, [LB_STEP_ENSLAVE] = LB_DEED_ENSLAVE,
		[LB_STEP_SET] = LB_DEED_SET,         [LB_STEP_WAIT] = LB_DEED_READ,
		[LB_STEP_PUT_BACK] = LB_DEED_SET,
	};
	return deeds[step->kind];
}

/* What takes the device up or down on the way to be enslaved is a part of that. */
static bool is_about_device(const struct lb_step *step)
{
	return step->kind == LB_STEP_CREATE || step->kind == LB_STEP_DELETE || step->kind == LB_STEP_RELEASE ||
	       step->kind == LB_STEP_ENSLAVE;
}

static int fail_step(const struct lb_step *step, const struct lb_request *request, struct libbond_error *err)
{
	bool moves = step->kind == LB_STEP_ENSLAVE || step->kind == LB_STEP_RELEASE;
	return lb_fail_answer(request, deed_of(step), step->device->name, moves ? step->bond->name : NULL,
	                      step->config, err);
}

static const char *action_of(const struct lb_step *step)
{
	switch (step->kind) {
	case LB_STEP_CREATE:
		return "create";
	case LB_STEP_DELETE:
		return "delete";
	case LB_STEP_RELEASE:
		return "release";
	default:
		return "enslave";
	}
}

static void mark_values(const struct libbond_plan *plan, const struct lb_step *step, enum libbond_outcome outcome)
{
	for (size_t i = 0; step->config && !plan->undoing && i < step->config->count; i++)
		lb_report_mark(plan->report, step->device->name, step->config->wants[i].attr, outcome);
}

static void mark_step(const struct libbond_plan *plan, const struct lb_step *step, enum libbond_outcome outcome)
{
	bool passes = (step->kind == LB_STEP_ENSLAVE || step->kind == LB_STEP_RELEASE) &&
	              step->device->master == step->device->wanted;

	if (is_about_device(step) && !passes && !plan->undoing)
		lb_report_mark_action(plan->report, step->device->name, NULL, action_of(step), outcome);
}

/* The refused value, if the kernel told or only one was sent. */
static void mark_refused(const struct libbond_plan *plan, const struct lb_step *step, const struct libbond_error *err)
{
	mark_step(plan, step, lb_outcome_of(err));
	if (err->attr && step->config && !plan->undoing)
		lb_report_mark(plan->report, step->device->name, err->attr, lb_outcome_of(err));
}

/* A thing that is put back may be there still; what cannot be put back is looked at when all is done. */
static bool is_excused(const struct lb_step *step)
{
	return step->kind == LB_STEP_PUT_BACK || step->optional;
}

static int judge(struct libbond_plan *plan, const struct lb_step *steps, const struct lb_request *requests,
                 size_t count, struct libbond_error *err)
{
	int rc = 0;
	for (size_t i = 0; i < count; i++) {
		if (requests[i].answer.errnum == 0 || is_excused(&steps[i])) {
			plan->did |= requests[i].answer.errnum == 0;
			mark_step(plan, &steps[i], LIBBOND_OUTCOME_APPLIED);
			if (requests[i].answer.errnum == 0)
				mark_values(plan, &steps[i], LIBBOND_OUTCOME_APPLIED);
			continue;
		}
		struct libbond_error local = {0};
		int failed = fail_step(&steps[i], &requests[i], &local);
		if (steps[i].config && lb_config_add(steps[i].device->refused, steps[i].config) < 0)
			failed = lb_fail_memory(&local);
		mark_refused(plan, &steps[i], &local);
		if (rc == 0)
			plan->refused = &steps[i];
		if (rc == 0 && err)
			*err = local;
		rc = rc ? rc : failed;
	}
	return rc;
}

static int send_steps(struct libbond *handle, struct libbond_plan *plan, struct lb_step *steps, size_t count,
                      struct libbond_error *err)
{
	struct lb_request *requests = calloc(count, sizeof(*requests));
	struct lb_message *messages = calloc(count, sizeof(*messages));
	int rc = 0;

	if (!messages || !requests) {
		free(messages);
		free(requests);
		return lb_fail_memory(err);
	}
	for (size_t i = 0; rc == 0 && i < count; i++) {
		if (remember(&steps[i]) < 0)
			rc = lb_fail_memory(err);
		else if (put_message(&messages[i], &steps[i]) < 0)
			rc = lb_fail(err, LIBBOND_CAUSE_PROTOCOL, EMSGSIZE, "the request does not fit a message");
		else
			requests[i] = (struct lb_request){.nlh = messages[i].nlh};
		if (rc == 0 && steps[i].kind == LB_STEP_CREATE) {
			requests[i].receive = take_echo;
			requests[i].context = steps[i].device;
		}
	}
	if (rc == 0) {
		rc = lb_exchange(handle, requests, count, err);
		plan->unsure |= rc < 0;
		for (size_t i = 0; rc < 0 && err && i < count; i++) {
			mark_refused(plan, &steps[i], err);
			mark_values(plan, &steps[i], lb_outcome_of(err));
		}
	}
	if (rc == 0)
		rc = judge(plan, steps, requests, count, err);
	free(requests);
	free(messages);
	return rc;
}

/* --- steps that are more than a request --- */

/* The driver drops what it does not know, and tells no index before Linux 6.12: both are looked up before a slave is
 * touched. What has the name now is taken for ours only if it is a bond. */
static int find_created(struct libbond *handle, struct libbond_plan *plan, struct lb_device *bond,
                        struct libbond_error *err)
{
	size_t links = lb_config_links(bond->work.config, NULL);
	struct lb_lookup *lookups = calloc(1 + links, sizeof(*lookups));
	struct libbond_snapshot *made = NULL;
	int rc;

	if (!lookups)
		return lb_fail_memory(err);
	lookups[0] = (struct lb_lookup){.name = bond->ifindex ? NULL : bond->name, .ifindex = bond->ifindex};
	lb_config_links(bond->work.config, lookups + 1);
	rc = lb_read_world(handle, lookups, 1 + links, 0, &made, err);
	const struct libbond_link *link = rc == 0 ? lookups[0].link : NULL;
	if (rc == 0 && (!link || !libbond_link_is_bond(link)))
		rc = lb_fail_no_device(bond->name, err);
	if (rc == 0) {
		bond->ifindex = libbond_link_ifindex(link);
		struct lb_work given = {.device = bond->name, .config = bond->sent, .lenient = bond->work.lenient};
		rc = lb_verify(&given, link, NULL, err);
		if (rc < 0)
			lb_verify(&given, link, plan->report, NULL);
	}
	libbond_snapshot_free(made);
	free(lookups);
	return rc;
}

static int64_t now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_BOOTTIME, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* In 802.3ad a port carries traffic once both ends collect and distribute; where the bond has no partner, none does.
 */
static bool is_ready(const struct libbond_link *bond, const struct libbond_link *slave)
{
	static const uint8_t none[LB_MAC_MAX];
	const struct libbond_attr *partner = libbond_attr_number(LIBBOND_SCOPE_AD_INFO, LB_AD_INFO_PARTNER_MAC);
	struct lb_value mac = {0};

	if (!lb_is_usable(slave))
		return false;
	if (lb_link_number_or(bond, lb_bond_attr(LB_BOND_MODE), 0) != LB_MODE_8023AD ||
	    lb_link_value(bond, partner, &mac) < 0 || memcmp(mac.mac, none, mac.count) == 0)
		return true;
	int64_t ours = lb_link_number_or(slave, lb_slave_attr(LB_SLAVE_AD_ACTOR_OPER_PORT_STATE), 0);
	int64_t theirs = lb_link_number_or(slave, lb_slave_attr(LB_SLAVE_AD_PARTNER_OPER_PORT_STATE), 0);
	return (ours & theirs & BOTH_WAYS) == BOTH_WAYS;
}

static int fail_cancelled(struct libbond_error *err)
{
	return lb_fail(err, LIBBOND_CAUSE_CANCELLED, EINTR, "interrupted");
}

static int look(struct libbond *handle, const struct lb_step *step, bool *ready, struct libbond_error *err)
{
	const unsigned indexes[] = {step->device->ifindex, step->bond->ifindex};
	struct libbond_snapshot *now = NULL;
	int rc = lb_read_indexes(handle, indexes, 2, &now, err);
	const struct libbond_link *slave = rc < 0 ? NULL : libbond_snapshot_by_index(now, indexes[0]);
	const struct libbond_link *bond = rc < 0 ? NULL : libbond_snapshot_by_index(now, indexes[1]);

	if (rc == 0 && (!slave || !bond))
		rc = lb_fail_no_device(slave ? step->bond->name : step->device->name, err);
	if (rc == 0)
		*ready = is_ready(bond, slave);
	libbond_snapshot_free(now);
	return rc;
}

static int wait_for(struct libbond *handle, const struct lb_step *step, struct libbond_error *err)
{
	int64_t end = now_ms() + step->wait_ms;
	const struct timespec pause = {.tv_nsec = LOOK_MS * 1000000L};
	bool ready = false;
	int rc = look(handle, step, &ready, err);

	while (rc == 0 && !ready && now_ms() < end) {
		nanosleep(&pause, NULL);
		rc = handle->cancelled ? fail_cancelled(err) : look(handle, step, &ready, err);
	}
	if (rc < 0 || ready)
		return rc;
	rc = lb_fail(err, LIBBOND_CAUSE_TIMEOUT, ETIMEDOUT, "%s could not carry traffic within %u.%u s",
	             step->device->name, step->wait_ms / 1000, step->wait_ms % 1000 / 100);
	lb_fail_device(err, step->device->name);
	lb_fail_hint(err, "has it link? bondctl show %s tells its state", step->bond->name);
	return rc;
}

/* A VLAN device follows what it is on: since Linux 7 from a work queue. One that does not is not waited for long. */
static int wait_to_rise(struct libbond *handle, const struct lb_step *step, struct libbond_error *err)
{
	int64_t end = now_ms() + step->wait_ms;
	const struct timespec pause = {.tv_nsec = LOOK_MS / 4 * 1000000L};

	for (bool up = false; !up && now_ms() < end;) {
		struct libbond_snapshot *now = NULL;
		int rc = lb_read_indexes(handle, &step->device->ifindex, 1, &now, err);
		const struct libbond_link *link =
			rc < 0 ? NULL : libbond_snapshot_by_index(now, step->device->ifindex);
		up = !link || (libbond_link_flags(link) & IFF_UP);
		libbond_snapshot_free(now);
		if (rc < 0)
			return rc;
		if (!up)
			nanosleep(&pause, NULL);
	}
	return 0;
}

/* --- all of them --- */

static int run_range(struct libbond *handle, struct libbond_plan *plan, size_t from, size_t to,
                     struct libbond_error *err)
{
	int rc = 0;

	for (size_t first = from, count; rc == 0 && first < to; first += count) {
		struct lb_step *steps = plan->steps + first;
		for (count = 1; steps[count - 1].with_next && first + count < to && count < LB_EXCHANGE_MAX;)
			count++;
		bool begun = first > from && steps[-1].with_next; /* what belongs together and was too long for one */
		if (handle->cancelled && !plan->undoing && !begun)
			return fail_cancelled(err);
		if (steps->kind == LB_STEP_WAIT)
			rc = wait_for(handle, steps, err);
		else if (steps->wait_ms)
			rc = wait_to_rise(handle, steps, err);
		if (rc == 0 && steps->kind != LB_STEP_WAIT)
			rc = send_steps(handle, plan, steps, count, err);
		/* the way back goes on past an obstacle: the next pass sees what is left */
		if (rc < 0 && plan->undoing && plan->refused) {
			plan->refused = NULL;
			rc = 0;
		}
		bool last = first + count == plan->step_count;
		/* the last one is read back anyway */
		if (rc == 0 && steps->kind == LB_STEP_CREATE && !plan->undoing && !last)
			rc = find_created(handle, plan, steps->device, err);
	}
	return rc;
}

int lb_run_steps(struct libbond *handle, struct libbond_plan *plan, struct libbond_error *err)
{
	return run_range(handle, plan, 0, plan->step_count, err);
}

/* --- reading back --- */

static void ask_once(struct lb_lookup *lookups, size_t *count, unsigned ifindex, const char *name)
{
	for (size_t i = 0; i < *count; i++)
		if (ifindex && lookups[i].ifindex == ifindex)
			return;
	lookups[(*count)++] = (struct lb_lookup){.name = ifindex ? NULL : name, .ifindex = ifindex};
}

/* The devices that got something, and those that their values name; one that was created last by its name, where the
 * kernel has not told its index. */
static size_t list_changed(const struct libbond_plan *plan, struct lb_lookup *out)
{
	size_t count = 0;
	for (size_t i = 0; i < plan->count; i++) {
		const struct lb_device *device = plan->devices[i];
		const struct libbond_config *config = device->work.config;
		if (device->deletes || (!device->ifindex && !device->touched))
			continue;
		if (device->touched || device->regrouped)
			ask_once(out, &count, device->ifindex, device->name);
		for (size_t w = 0; w < config->count; w++)
			if (config->wants[w].attr->type == LIBBOND_TYPE_LINK && config->wants[w].value.number)
				ask_once(out, &count, (unsigned)config->wants[w].value.number, NULL);
	}
	return count;
}

static int take_index(const struct libbond_plan *plan, const struct libbond_snapshot *after,
                      struct libbond_error *err)
{
	for (size_t i = 0; i < plan->count; i++) {
		struct lb_device *device = plan->devices[i];
		if (device->ifindex || !device->touched)
			continue;
		const struct libbond_link *link = libbond_snapshot_by_name(after, device->name);
		if (!link || !libbond_link_is_bond(link))
			return lb_fail_no_device(device->name, err);
		device->ifindex = libbond_link_ifindex(link);
	}
	return 0;
}

static int read_back(struct libbond *handle, const struct libbond_plan *plan, struct libbond_snapshot **after,
                     struct libbond_error *err)
{
	size_t room = 1;
	for (size_t i = 0; i < plan->count; i++)
		room += 1 + plan->devices[i]->work.config->count;
	struct lb_lookup *lookups = calloc(room, sizeof(*lookups));
	if (!lookups)
		return lb_fail_memory(err);
	int rc = lb_read_world(handle, lookups, list_changed(plan, lookups), 0, after, err);
	free(lookups);
	return rc;
}

static int fail_moved_again(const struct lb_device *device, struct libbond_error *err)
{
	int rc = lb_fail(err, LIBBOND_CAUSE_OVERRIDDEN, EBUSY,
	                 "the kernel accepted the change of %s, but something else has changed it since",
	                 device->name);
	lb_fail_device(err, device->name);
	return rc;
}

/* What held and was not sent may have been changed by what was: a first slave that cannot change its address sets
 * fail_over_mac. */
static int verify_held(const struct libbond_plan *plan, const struct lb_device *device,
                       const struct libbond_link *link, struct libbond_error *err)
{
	const struct lb_device *bond = device->is_bond ? device : device->wanted;
	const struct libbond_link *now =
		bond ? libbond_snapshot_by_index(lb_link_snapshot(link), bond->ifindex) : NULL;
	int64_t mode = now ? lb_link_number_or(now, lb_bond_attr(LB_BOND_MODE), LIBBOND_MODES) : LIBBOND_MODES;

	for (size_t i = 0; device->link && i < device->named->count; i++) {
		const struct lb_want *want = &device->named->wants[i];
		/* of a description, what the mode does not take was left out */
		if (mode < LIBBOND_MODES && !lb_attr_in_mode(want->attr->modes, (unsigned)mode))
			continue;
		if (want->attr->type == LIBBOND_TYPE_LINK || want->edit_count ||
		    !libbond_link_has(link, want->attr) || lb_config_find(device->work.config, want->attr) ||
		    lb_config_find(device->back, want->attr) || lb_config_find(device->lost, want->attr) ||
		    !lb_verify_holds(want, device->link) || lb_verify_holds(want, link))
			continue;
		lb_report_mark(plan->report, device->name, want->attr, LIBBOND_OUTCOME_OVERRIDDEN);
		int rc = lb_fail(err, LIBBOND_CAUSE_OVERRIDDEN, EBUSY,
		                 "%s on %s held, and does not any more: the driver or another program has changed it",
		                 want->attr->name, device->name);
		lb_fail_attr(err, want->attr);
		lb_fail_device(err, device->name);
		return rc;
	}
	return 0;
}

static int verify_device(struct libbond_plan *plan, const struct lb_device *device, const struct libbond_link *link,
                         struct libbond_error *err)
{
	unsigned master = device->wanted ? device->wanted->ifindex : 0;

	if (!link)
		return lb_fail_no_device(device->name, err);
	if (device->moved && libbond_link_master(link) != master) {
		lb_report_mark(plan->report, device->name, NULL, LIBBOND_OUTCOME_OVERRIDDEN);
		return fail_moved_again(device, err);
	}
	int rc = lb_verify(&device->work, link, plan->report, err);
	return rc < 0 ? rc : verify_held(plan, device, link, err);
}

static int verify_all(struct libbond_plan *plan, const struct libbond_snapshot *after, struct libbond_error *err)
{
	int rc = 0;
	for (size_t i = 0; i < plan->count; i++) {
		const struct lb_device *device = plan->devices[i];
		if (device->deletes || !(device->touched || device->regrouped))
			continue;
		int one = verify_device(plan, device, libbond_snapshot_by_index(after, device->ifindex),
		                        rc ? NULL : err);
		rc = rc ? rc : one;
	}
	return rc;
}

/* Values that were sent, and cannot be read back. */
static void mark_unverified(const struct libbond_plan *plan)
{
	for (size_t i = 0; i < plan->count; i++) {
		const struct lb_device *device = plan->devices[i];
		for (size_t w = 0; device->touched && w < device->work.config->count; w++)
			lb_report_mark(plan->report, device->name, device->work.config->wants[w].attr,
			               LIBBOND_OUTCOME_UNVERIFIED);
	}
}

/* The deletes, which come last. */
static size_t first_delete(const struct libbond_plan *plan)
{
	size_t at = plan->step_count;
	while (at > 0 && plan->steps[at - 1].kind == LB_STEP_DELETE)
		at--;
	return at;
}

static int verify(struct libbond *handle, struct libbond_plan *plan, struct libbond_snapshot **out,
                  struct libbond_error *err)
{
	struct libbond_snapshot *after = NULL;
	int rc;

	rc = read_back(handle, plan, &after, err);
	if (rc < 0) {
		mark_unverified(plan);
		return rc;
	}
	rc = take_index(plan, after, err);
	if (rc == 0)
		rc = verify_all(plan, after, err);
	if (rc == 0)
		*out = after;
	else
		libbond_snapshot_free(after);
	return rc;
}

int libbond_plan_run(struct libbond *handle, struct libbond_plan *plan, struct libbond_report *report,
                     struct libbond_error *err)
{
	struct libbond_snapshot *after = NULL;
	struct libbond_error local = {0};
	size_t deletes;
	int rc;

	plan->report = report;
	if (plan->step_count == 0)
		return 0;
	/* what cannot be undone in full waits until all else is known to hold */
	deletes = first_delete(plan);
	rc = run_range(handle, plan, 0, deletes, &local);
	if (rc == 0 && deletes)
		rc = verify(handle, plan, &after, &local);
	if (rc == 0)
		rc = run_range(handle, plan, deletes, plan->step_count, &local);
	if (rc < 0) {
		lb_undo(handle, plan, &local); /* which may find out better why */
		rc = -local.errnum;
	} else {
		lb_report_settle(report);
		rc = lb_settle(handle, plan, after, &local);
	}
	libbond_snapshot_free(after);
	if (rc < 0 && err)
		*err = local;
	return rc;
}

int libbond_plan_undo(struct libbond *handle, struct libbond_plan *plan, struct libbond_report *report,
                      struct libbond_error *err)
{
	struct libbond_error local = {0};
	int rc;

	plan->report = report;
	rc = lb_undo(handle, plan, &local);
	if (rc < 0 && err) { /* the hint says what is left */
		struct libbond_error left = local;
		if (rc == -ENOMEM)
			lb_fail_memory(&local);
		else
			lb_fail(&local, LIBBOND_CAUSE_REFUSED, -rc, "%.250s",
			        *left.hint ? left.hint : "not all of it could be undone");
		*err = local;
	}
	return rc;
}
