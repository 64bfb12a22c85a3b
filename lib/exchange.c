/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Carries requests to the kernel and sorts the answers: acks, extended acks, replies, dumps and their
 * interruption. Sits between read.c / change.c and the transport.
 */
#include "exchange.h"

#include <errno.h>
#include <linux/netlink.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "numbers.h"

#define MAX_ERRNO 4095 /* include/linux/err.h */

static bool is_dump(const struct nlmsghdr *request)
{
	return (request->nlmsg_flags & NLM_F_DUMP) == NLM_F_DUMP && request->nlmsg_type % 4 == 2; /* RTM_GET* */
}

static int send_all(struct libbond *handle, struct lb_request *requests, size_t count, struct libbond_error *err)
{
	size_t length = 0;
	for (size_t i = 0; i < count; i++)
		length += NLMSG_ALIGN(requests[i].nlh->nlmsg_len);

	char *joined = count > 1 ? malloc(length + 1) : NULL;
	if (count > 1 && !joined)
		return lb_fail_memory(err);
	length = 0;
	for (size_t i = 0; i < count; i++) {
		struct nlmsghdr *nlh = requests[i].nlh;
		nlh->nlmsg_seq = ++handle->sequence;
		if (joined)
			memcpy(joined + length, nlh, NLMSG_ALIGN(nlh->nlmsg_len));
		length += NLMSG_ALIGN(nlh->nlmsg_len);
	}
	int rc = handle->transport.send(handle->transport.context, joined ? (void *)joined : requests[0].nlh, length);
	free(joined);
	if (rc < 0)
		return lb_fail(err, LIBBOND_CAUSE_SYSTEM, -rc, "cannot send to the kernel: %s", strerror(-rc));
	return 0;
}

/* Extended-ack TLVs behind an error or a DONE. */
static void take_extack(const struct nlmsghdr *nlh, size_t skip, struct lb_answer *answer)
{
	const struct nlattr *attr;
	if (!(nlh->nlmsg_flags & LB_NLM_F_ACK_TLVS) || mnl_nlmsg_get_payload_len(nlh) < skip)
		return;
	mnl_attr_for_each (attr, nlh, (unsigned)skip) {
		size_t length = mnl_attr_get_payload_len(attr);
		const char *payload = mnl_attr_get_payload(attr);
		switch (mnl_attr_get_type(attr)) {
		case LB_NLMSGERR_ATTR_MSG:
			if (length >= sizeof(answer->text))
				length = sizeof(answer->text) - 1;
			memcpy(answer->text, payload, length);
			answer->text[length] = '\0';
			break;
		case LB_NLMSGERR_ATTR_OFFS:
			if (length >= sizeof(answer->offset))
				memcpy(&answer->offset, payload, sizeof(answer->offset));
			break;
		default:
			break;
		}
	}
}

static int take_error(const struct nlmsghdr *nlh, struct lb_answer *answer)
{
	const struct nlmsgerr *error = mnl_nlmsg_get_payload(nlh);
	size_t skip = sizeof(*error);

	if (mnl_nlmsg_get_payload_len(nlh) < sizeof(*error))
		return -EBADMSG;
	/* an error that is not capped carries the whole request before its TLVs */
	if (!(nlh->nlmsg_flags & LB_NLM_F_CAPPED) && error->error && error->msg.nlmsg_len > NLMSG_HDRLEN)
		skip += NLMSG_ALIGN(error->msg.nlmsg_len - NLMSG_HDRLEN);
	if (error->error > 0 || error->error < -MAX_ERRNO)
		return -EBADMSG;
	answer->errnum = -error->error;
	answer->done = true;
	take_extack(nlh, skip, answer);
	return 0;
}

/* A dump that failed ends with DONE and a negative errno, not with an error message. */
static int take_done(const struct nlmsghdr *nlh, struct lb_answer *answer)
{
	int32_t status = 0;
	if (mnl_nlmsg_get_payload_len(nlh) >= sizeof(status))
		memcpy(&status, mnl_nlmsg_get_payload(nlh), sizeof(status));
	if (status < -MAX_ERRNO)
		return -EBADMSG;
	answer->errnum = status < 0 ? -status : 0;
	answer->done = true;
	take_extack(nlh, sizeof(status), answer);
	return 0;
}

static int take_message(const struct nlmsghdr *nlh, struct lb_request *request)
{
	struct lb_answer *answer = &request->answer;

	if (nlh->nlmsg_flags & LB_NLM_F_DUMP_INTR)
		answer->interrupted = true;
	if (nlh->nlmsg_type == NLMSG_ERROR)
		return take_error(nlh, answer);
	if (nlh->nlmsg_type == NLMSG_DONE)
		return take_done(nlh, answer);
	if (nlh->nlmsg_type < NLMSG_MIN_TYPE)
		return 0;
	if (!(nlh->nlmsg_flags & LB_NLM_F_DUMP_FILTERED))
		answer->filtered = false;
	/* a dump that is given up half-way would block the next one: it is read to its end all the same */
	if (request->receive && answer->failed == 0)
		answer->failed = request->receive(nlh, request->context);
	if (!is_dump(request->nlh) && !(request->nlh->nlmsg_flags & NLM_F_ACK))
		answer->done = true; /* a get: its reply is all there will be */
	return 0;
}

static struct lb_request *request_of(struct lb_request *requests, size_t count, uint32_t sequence)
{
	for (size_t i = 0; i < count; i++)
		if (requests[i].nlh->nlmsg_seq == sequence && !requests[i].answer.done)
			return &requests[i];
	return NULL; /* an answer to an exchange that was given up */
}

static int take_datagram(struct libbond *handle, size_t length, struct lb_request *requests, size_t count)
{
	const struct nlmsghdr *nlh = (const struct nlmsghdr *)(const void *)handle->buffer;
	int left = (int)length;

	/* libmnl compares lengths as int, and takes one of 2 GiB for valid */
	for (; mnl_nlmsg_ok(nlh, left) && nlh->nlmsg_len <= (unsigned)left; nlh = mnl_nlmsg_next(nlh, &left)) {
		struct lb_request *request = request_of(requests, count, nlh->nlmsg_seq);
		int rc = request ? take_message(nlh, request) : 0;
		if (rc < 0)
			return rc;
	}
	return left ? -EBADMSG : 0;
}

static bool all_done(const struct lb_request *requests, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!requests[i].answer.done)
			return false;
	return true;
}

static int fail_receive(long errnum, struct libbond_error *err)
{
	switch (errnum) {
	case EAGAIN:
		return lb_fail(err, LIBBOND_CAUSE_TIMEOUT, ETIMEDOUT, "the kernel did not answer in time");
	case EBADMSG:
	case EMSGSIZE:
		return lb_fail(err, LIBBOND_CAUSE_PROTOCOL, (int)errnum, "the kernel's answer is not valid netlink");
	case ENOMEM:
		return lb_fail_memory(err);
	default:
		return lb_fail(err, LIBBOND_CAUSE_SYSTEM, (int)errnum, "cannot receive from the kernel: %s",
		               strerror((int)errnum));
	}
}

int lb_exchange(struct libbond *handle, struct lb_request *requests, size_t count, struct libbond_error *err)
{
	for (size_t i = 0; i < count; i++)
		requests[i].answer = (struct lb_answer){.filtered = true};
	int rc = send_all(handle, requests, count, err);
	if (rc < 0)
		return rc;
	while (!all_done(requests, count)) {
		long length =
			handle->transport.receive(handle->transport.context, handle->buffer, sizeof(handle->buffer));
		if (length == 0)
			length = -EBADMSG; /* a recording that has ended */
		if (length > 0)
			length = take_datagram(handle, (size_t)length, requests, count);
		if (length < 0)
			return fail_receive(-length, err);
	}
	for (size_t i = 0; i < count; i++) {
		const struct lb_request *request = &requests[i];
		if (request->answer.failed < 0 && !request->beside)
			return fail_receive(-request->answer.failed, err);
		if (request->answer.interrupted && !request->beside)
			return lb_fail(err, LIBBOND_CAUSE_INTERRUPTED, EINTR,
			               "devices came and went while the kernel was listing them");
	}
	return 0;
}
