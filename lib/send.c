/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Sends steps in one datagram and takes the kernel's answers apart: what each means for the report. Sits between
 * run.c and message.c, exchange.c.
 */
#include <errno.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>

#include "answer.h"
#include "error.h"
#include "exchange.h"
#include "message.h"
#include "run.h"

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

/* Where the devices are now, as far as we have put them there. */
static void note_place(const struct lb_step *step, bool sure)
{
	struct lb_device *device = step->device;

	if (step->kind == LB_STEP_RELEASE || step->kind == LB_STEP_ENSLAVE) {
		device->at = step->kind == LB_STEP_ENSLAVE ? step->bond->ifindex : 0;
		device->unsure = !sure || (step->kind == LB_STEP_ENSLAVE && !device->at);
	}
	for (size_t i = 0; step->kind == LB_STEP_DELETE && i < device->leave_count; i++) {
		struct lb_device *slave = device->leave[i];
		if (slave->at != device->ifindex)
			continue; /* it is another bond's by now */
		slave->at = 0;
		slave->unsure |= !sure;
	}
}

/* What was sent in vain, or perhaps, is not known to be there. That memory runs out on the way is no failure: less is
 * known then. */
static void note_accepted(const struct lb_step *step, bool accepted)
{
	for (size_t i = 0; step->config && i < step->config->count; i++)
		libbond_config_unset(step->device->accepted, step->config->wants[i].attr);
	if (step->config && accepted)
		(void)lb_config_add(step->device->accepted, step->config);
}

static int judge(struct libbond_plan *plan, const struct lb_step *steps, const struct lb_request *requests,
                 size_t count, struct libbond_error *err)
{
	int rc = 0;
	for (size_t i = 0; i < count; i++) {
		note_accepted(&steps[i], requests[i].answer.errnum == 0);
		if (requests[i].answer.errnum == 0 || is_excused(&steps[i])) {
			plan->did |= requests[i].answer.errnum == 0;
			mark_step(plan, &steps[i], LIBBOND_OUTCOME_APPLIED);
			if (requests[i].answer.errnum == 0) {
				mark_values(plan, &steps[i], LIBBOND_OUTCOME_APPLIED);
				note_place(&steps[i], true);
				steps[i].device->erased |= steps[i].kind == LB_STEP_DELETE;
			}
			continue;
		}
		note_place(&steps[i],
		           false); /* rtnetlink has taken it from its master before the driver refused it */
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

/* The requests of a datagram: a look at those whom the steps are about, then the steps. */
struct datagram {
	struct lb_looks looks;
	struct lb_message *messages;
	struct lb_request *requests;
};

static int put_steps(struct datagram *d, struct lb_step *steps, size_t count, struct libbond_error *err)
{
	for (size_t i = 0; i < count; i++) {
		struct lb_message *message = &d->messages[d->looks.within + i];
		struct lb_request *request = &d->requests[d->looks.within + i];
		if (remember(&steps[i]) < 0)
			return lb_fail_memory(err);
		if (put_message(message, &steps[i]) < 0)
			return lb_fail(err, LIBBOND_CAUSE_PROTOCOL, EMSGSIZE, "the request does not fit a message");
		*request = (struct lb_request){.nlh = message->nlh};
		if (steps[i].kind == LB_STEP_CREATE) {
			request->receive = take_echo;
			request->context = steps[i].device;
		}
	}
	return 0;
}

static int exchange(struct libbond *handle, struct libbond_plan *plan, struct datagram *d, struct lb_step *steps,
                    size_t count, struct libbond_error *err)
{
	lb_looks_put(&d->looks, d->messages, d->requests);
	int rc = put_steps(d, steps, count, err);

	if (rc < 0)
		return rc;
	lb_looks_before(handle, &d->looks);
	rc = lb_exchange(handle, d->requests, d->looks.within + count, err);
	if (rc == 0) {
		rc = judge(plan, steps, d->requests + d->looks.within, count, err);
		int elsewhere = lb_judge_looks(handle, plan, &d->looks, err);
		return elsewhere < 0 ? elsewhere : rc;
	}
	plan->unsure = true;
	for (size_t i = 0; i < count; i++) {
		note_place(&steps[i], false);
		note_accepted(&steps[i], false);
		steps[i].device->erased |= steps[i].kind == LB_STEP_DELETE; /* perhaps */
		if (!err)
			continue;
		mark_refused(plan, &steps[i], err);
		mark_values(plan, &steps[i], lb_outcome_of(err));
	}
	lb_learn_looks(plan, &d->looks);
	return rc;
}

int lb_send_steps(struct libbond *handle, struct libbond_plan *plan, struct lb_step *steps, size_t count,
                  struct libbond_error *err)
{
	struct datagram d = {0};
	int rc = lb_looks_at(handle, plan, steps, count, &d.looks);

	d.messages = calloc(d.looks.within + count, sizeof(*d.messages));
	d.requests = calloc(d.looks.within + count, sizeof(*d.requests));
	if (rc == 0 && d.messages && d.requests)
		rc = exchange(handle, plan, &d, steps, count, err);
	else
		rc = lb_fail_memory(err);
	lb_looks_end(&d.looks);
	free(d.requests);
	free(d.messages);
	return rc;
}
