/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The fuzzer's bytes as a transport. Sits between the targets and the library's exchange.
 */
#include "transport.h"

#include <errno.h>
#include <libmnl/libmnl.h>
#include <stdlib.h>
#include <string.h>

static int take_requests(void *context, const void *data, size_t length)
{
	struct fuzz_input *input = context;
	const struct nlmsghdr *nlh = data;

	input->first = nlh->nlmsg_seq;
	for (int left = (int)length; mnl_nlmsg_ok(nlh, left); nlh = mnl_nlmsg_next(nlh, &left))
		input->last = nlh->nlmsg_seq;
	return 0;
}

/* Without this no message would ever be looked at: the fuzzer cannot know the numbers. */
static void number_messages(const struct fuzz_input *input, void *data, size_t length)
{
	struct nlmsghdr *nlh = data;
	uint32_t next = input->first;

	/* libmnl takes a length of 2^31 and more for valid */
	for (int left = (int)length; mnl_nlmsg_ok(nlh, left) && nlh->nlmsg_len <= length;
	     nlh = mnl_nlmsg_next(nlh, &left)) {
		if (nlh->nlmsg_seq < input->first || nlh->nlmsg_seq > input->last)
			nlh->nlmsg_seq = next;
		if (nlh->nlmsg_type == NLMSG_ERROR || nlh->nlmsg_type == NLMSG_DONE)
			next = next < input->last ? next + 1 : input->first;
	}
}

static long give_datagram(void *context, void *data, size_t size)
{
	struct fuzz_input *input = context;
	if (input->size < 2)
		return -EAGAIN;
	size_t length = input->data[0] | (size_t)input->data[1] << 8;
	input->data += 2;
	input->size -= 2;
	if (length > input->size)
		length = input->size;
	if (length > size)
		return -EMSGSIZE;
	memcpy(data, input->data, length);
	input->data += length;
	input->size -= length;
	number_messages(input, data, length);
	return (long)length;
}

static int no_fd(void *context)
{
	(void)context;
	return -1;
}

struct libbond *fuzz_open(struct fuzz_input *input)
{
	const struct libbond_transport transport = {
		.send = take_requests, .receive = give_datagram, .fd = no_fd, .context = input};
	struct libbond *handle;
	if (libbond_open_transport(&handle, &transport, NULL) < 0)
		abort();
	return handle;
}
