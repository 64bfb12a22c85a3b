/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Does the steps of a plan and reads back what came of them. Sits between the public interface and message.c,
 * exchange.c, verify.c; what is to be done when it fails is undo.c's.
 *
 * Steps that belong together go out in one datagram: the kernel works through it without looking at this process
 * again, so that no signal and no kill leaves a bond down between two of them.
 */
#include <errno.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "answer.h"
#include "error.h"
#include "exchange.h"
#include "plan.h"
#include "verify.h"

#define LOOK_MS 20 /* between two looks at a device that is waited for */

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
		lb_record_message(step->record, message);
		return 0;
	default:
		return lb_message_change(message, ifindex, step->config);
	}
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
		return lb_config_add(device->sent, step->config);
	case LB_STEP_DOWN:
	case LB_STEP_UP:
		return lb_config_put(device->sent, lb_link_attr(LB_IFLA_UP), &up, "");
	case LB_STEP_RELEASE:
	case LB_STEP_ENSLAVE:
		device->moved = true;
		step->bond->regrouped = true;
		if (device->master)
			device->master->regrouped = true;
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

static void mark_step(const struct libbond_plan *plan, const struct lb_step *step, enum libbond_outcome outcome)
{
	if (is_about_device(step) && !plan->undoing)
		lb_report_mark(plan->report, step->device->name, NULL, outcome);
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
	return step->kind == LB_STEP_PUT_BACK;
}

static int judge(struct libbond_plan *plan, const struct lb_step *steps, const struct lb_request *requests,
                 size_t count, struct libbond_error *err)
{
	int rc = 0;
	for (size_t i = 0; i < count; i++) {
		if (requests[i].answer.errnum == 0 || is_excused(&steps[i])) {
			mark_step(plan, &steps[i], LIBBOND_OUTCOME_APPLIED);
			continue;
		}
		struct libbond_error local = {0};
		int failed = fail_step(&steps[i], &requests[i], &local);
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
	struct lb_request requests[LB_EXCHANGE_MAX];
	struct lb_message *messages = calloc(count, sizeof(*messages));
	int rc = messages ? 0 : lb_fail_memory(err);

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
		for (size_t i = 0; rc < 0 && err && i < count; i++)
			mark_refused(plan, &steps[i], err);
	}
	if (rc == 0)
		rc = judge(plan, steps, requests, count, err);
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

/* In 802.3ad a port carries traffic once it collects and distributes; where the bond has no partner, none does. */
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
	return (lb_link_number_or(slave, lb_slave_attr(LB_SLAVE_AD_ACTOR_OPER_PORT_STATE), 0) & 0x30) == 0x30;
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

/* --- all of them --- */

int lb_run_steps(struct libbond *handle, struct libbond_plan *plan, struct libbond_error *err)
{
	int rc = 0;

	for (size_t first = 0, count; rc == 0 && first < plan->step_count; first += count) {
		struct lb_step *steps = plan->steps + first;
		for (count = 1;
		     steps[count - 1].with_next && first + count < plan->step_count && count < LB_EXCHANGE_MAX;)
			count++;
		if (handle->cancelled && !plan->undoing)
			return fail_cancelled(err);
		if (steps->kind == LB_STEP_WAIT)
			rc = wait_for(handle, steps, err);
		else
			rc = send_steps(handle, plan, steps, count, err);
		if (rc == 0 && steps->kind == LB_STEP_CREATE && !plan->undoing)
			rc = find_created(handle, plan, steps->device, err);
	}
	return rc;
}

/* --- reading back --- */

static size_t list_changed(const struct libbond_plan *plan, unsigned *out)
{
	size_t count = 0;
	for (size_t i = 0; i < plan->count; i++) {
		const struct lb_device *device = plan->devices[i];
		if (device->deletes || !device->ifindex)
			continue;
		if (device->touched || device->regrouped)
			out[count++] = device->ifindex;
		count += lb_config_link_indexes(device->work.config, out + count);
	}
	return count;
}

static int read_back(struct libbond *handle, const struct libbond_plan *plan, struct libbond_snapshot **after,
                     struct libbond_error *err)
{
	size_t room = 1;
	for (size_t i = 0; i < plan->count; i++)
		room += 1 + plan->devices[i]->work.config->count;
	unsigned *indexes = calloc(room, sizeof(*indexes));
	if (!indexes)
		return lb_fail_memory(err);
	size_t count = list_changed(plan, indexes);
	int rc = lb_read_indexes(handle, indexes, count, after, err);
	free(indexes);
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
	return lb_verify(&device->work, link, plan->report, err);
}

static int verify_all(struct libbond_plan *plan, const struct libbond_snapshot *after, struct libbond_error *err)
{
	int rc = 0;
	for (size_t i = 0; i < plan->count; i++) {
		const struct lb_device *device = plan->devices[i];
		if (device->deletes || !device->touched)
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

static bool only_deletes(const struct libbond_plan *plan)
{
	for (size_t i = 0; i < plan->step_count; i++)
		if (plan->steps[i].kind != LB_STEP_DELETE)
			return false;
	return true;
}

/* *out stays NULL where there is nothing to read back. */
static int verify(struct libbond *handle, struct libbond_plan *plan, struct libbond_snapshot **out,
                  struct libbond_error *err)
{
	struct libbond_snapshot *after = NULL;
	int rc;

	if (only_deletes(plan))
		return 0;
	rc = read_back(handle, plan, &after, err);
	if (rc < 0) {
		mark_unverified(plan);
		return rc;
	}
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
	int rc;

	plan->report = report;
	if (plan->step_count == 0)
		return 0;
	rc = lb_run_steps(handle, plan, &local);
	if (rc == 0)
		rc = verify(handle, plan, &after, &local);
	if (rc < 0) {
		lb_undo(handle, plan, &local);
	} else {
		lb_report_settle(report);
		rc = after ? lb_settle(handle, plan, after, &local) : 0;
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
	if (rc < 0 && err)
		*err = local;
	return rc;
}
