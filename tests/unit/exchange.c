/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Answers of every kind from a scripted transport: acks, extended acks, dumps, late, wrong and missing ones. Tests
 * lib/exchange.c, and lb_message_attr_at() of lib/message.c; what is asked for is change.c's.
 */
#include "exchange.h"

#include <errno.h>
#include <limits.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fake.h"
#include "message.h"
#include "unit.h"

static bool say_nothing(struct fake *fake, const struct nlmsghdr *request)
{
	(void)fake;
	(void)request;
	return true;
}

/* A handle whose answers come from the queue alone. The first request has sequence number 1. */
static struct libbond *open_mute(struct fake **fake)
{
	*fake = fake_new();
	(*fake)->on_request = say_nothing;
	return fake_open(*fake);
}

static struct nlmsghdr sequence(uint32_t number)
{
	return (struct nlmsghdr){.nlmsg_len = NLMSG_HDRLEN, .nlmsg_seq = number};
}

static void queue_errno(struct fake *fake, uint32_t number, int errnum)
{
	struct nlmsghdr request = sequence(number);
	struct fake_refusal refusal = {.errnum = errnum};
	fake_queue_refusal(fake, &request, &refusal);
}

static struct lb_request up_request(struct lb_message *message)
{
	lb_message_admin(message, 7, true);
	return (struct lb_request){.nlh = message->nlh};
}

/* --- acks and refusals --- */

static void an_ack_is_no_error(void **state)
{
	struct fake *fake;
	struct libbond *handle = open_mute(&fake);
	struct lb_message message;
	struct lb_request request = up_request(&message);
	(void)state;
	queue_errno(fake, 1, 0);
	assert_int_equal(lb_exchange(handle, &request, 1, NULL), 0);
	assert_int_equal(request.answer.errnum, 0);
	assert_true(request.answer.done);
	unit_assert_text("text", "", request.answer.text);
	assert_int_equal(fake->sends, 1);
	assert_int_equal(fake->receives, 1);
	libbond_close(handle);
	assert_int_equal(fake->closed, 1);
}

static void exchange_refusal(const struct fake_refusal *refusal, struct lb_answer *answer)
{
	struct fake *fake;
	struct libbond *handle = open_mute(&fake);
	struct libbond_config *config = unit_config("miimon 100 arp_ip_target 10.0.0.1");
	struct lb_message message;

	assert_int_equal(lb_message_change(&message, 7, config), 0);
	struct lb_request request = {.nlh = message.nlh};
	message.nlh->nlmsg_seq = 1;
	fake_queue_refusal(fake, message.nlh, refusal);
	assert_int_equal(lb_exchange(handle, &request, 1, NULL), 0);
	*answer = request.answer;
	libbond_config_free(config);
	libbond_close(handle);
}

static void refusals_capped_and_whole(void **state)
{
	static const struct fake_refusal refusals[] = {
		{.errnum = EINVAL},
		{.errnum = EINVAL, .whole = true},
		{.errnum = EINVAL, .text = "invalid option value", .offset = 60},
		{.errnum = EINVAL, .text = "invalid option value", .offset = 60, .whole = true},
		{.errnum = ENOTEMPTY, .text = "x"},
		{.errnum = ENOTEMPTY, .offset = 44, .whole = true},
		{.errnum = ENODEV, .text = "", .done = true},
		{.errnum = EPERM, .text = "not here", .offset = 16, .done = true},
		/* a warning: text beside success */
		{.errnum = 0, .text = "this is deprecated"},
	};
	(void)state;
	for (size_t i = 0; i < COUNT(refusals); i++) {
		struct lb_answer answer;
		exchange_refusal(&refusals[i], &answer);
		assert_int_equal(answer.errnum, refusals[i].errnum);
		assert_int_equal(answer.offset, refusals[i].offset);
		unit_assert_text("text", refusals[i].text ? refusals[i].text : "", answer.text);
	}
}

static void long_texts_are_cut(void **state)
{
	char text[400];
	struct lb_answer answer;
	struct fake_refusal refusal = {.errnum = EINVAL, .text = text, .offset = 60};
	(void)state;
	memset(text, 'x', sizeof(text));
	text[sizeof(text) - 1] = '\0';
	exchange_refusal(&refusal, &answer);
	assert_int_equal(strlen(answer.text), LB_EXTACK_TEXT - 1);
	assert_int_equal(answer.offset, 60);
}

/* An extended ack as bytes: attributes behind a capped error. */
static void exchange_extack(const char *hex, struct lb_answer *answer)
{
	struct fake *fake;
	struct libbond *handle = open_mute(&fake);
	struct lb_message message;
	struct lb_request request = up_request(&message);
	_Alignas(8) uint8_t bytes[256];
	struct nlmsghdr *nlh = mnl_nlmsg_put_header(bytes);
	struct nlmsgerr *error = mnl_nlmsg_put_extra_header(nlh, sizeof(*error));

	nlh->nlmsg_type = NLMSG_ERROR;
	nlh->nlmsg_flags = LB_NLM_F_CAPPED | LB_NLM_F_ACK_TLVS;
	nlh->nlmsg_seq = 1;
	error->error = -EINVAL;
	error->msg.nlmsg_len = 4096;
	nlh->nlmsg_len += (uint32_t)unit_hex(hex, bytes + nlh->nlmsg_len, sizeof(bytes) - nlh->nlmsg_len);
	fake_queue(fake, bytes, nlh->nlmsg_len);
	assert_int_equal(lb_exchange(handle, &request, 1, NULL), 0);
	*answer = request.answer;
	libbond_close(handle);
}

static void odd_extended_acks(void **state)
{
	struct lb_answer answer;
	(void)state;
	if (!unit_is_little_endian())
		SKIP("the bytes here are a little-endian machine's");
	exchange_extack("0700 0100 616263 00", &answer); /* text without its NUL */
	unit_assert_text("text", "abc", answer.text);
	exchange_extack("0400 0100", &answer); /* no text */
	unit_assert_text("text", "", answer.text);
	exchange_extack("0600 0200 3c00 0000", &answer); /* an offset of two bytes */
	assert_int_equal(answer.offset, 0);
	exchange_extack("0800 0400 01020304 0800 6300 01020304 0800 0200 3c000000", &answer); /* policy, unknown */
	assert_int_equal(answer.offset, 60);
	exchange_extack("ffff 0100 61626300", &answer); /* longer than the message */
	unit_assert_text("text", "", answer.text);
	exchange_extack("0000 0100 61626300", &answer);
	unit_assert_text("text", "", answer.text);
	assert_int_equal(answer.errnum, EINVAL);
}

/* --- from an offset to a row --- */

static void offsets_are_mapped_to_rows(void **state)
{
	struct libbond_config *config = unit_config("mode 1 miimon 100 arp_ip_target 10.0.0.1,10.0.0.2 ns_ip6_target "
	                                            "fe80::1,fe80::2 mtu 9000 lacp_strict on");
	struct lb_message message;
	static const struct {
		int path[5];
		const char *row; /* NULL: none */
	} cases[] = {
		{{LB_IFLA_LINKINFO, LB_INFO_DATA, LB_BOND_MODE, -1}, "mode"},
		{{LB_IFLA_LINKINFO, LB_INFO_DATA, LB_BOND_MIIMON, -1}, "miimon"},
		{{LB_IFLA_LINKINFO, LB_INFO_DATA, LB_BOND_LACP_STRICT, -1}, "lacp_strict"},
		{{LB_IFLA_LINKINFO, LB_INFO_DATA, LB_BOND_ARP_IP_TARGET, -1}, "arp_ip_target"},
		{{LB_IFLA_LINKINFO, LB_INFO_DATA, LB_BOND_ARP_IP_TARGET, 0, -1}, "arp_ip_target"},
		{{LB_IFLA_LINKINFO, LB_INFO_DATA, LB_BOND_ARP_IP_TARGET, 1, -1}, "arp_ip_target"},
		{{LB_IFLA_LINKINFO, LB_INFO_DATA, LB_BOND_NS_IP6_TARGET, 1, -1}, "ns_ip6_target"},
		{{LB_IFLA_MTU, -1}, "mtu"},
		{{LB_IFLA_LINKINFO, LB_INFO_KIND, -1}, NULL},
		{{LB_IFLA_LINKINFO, LB_INFO_DATA, -1}, NULL},
		{{LB_IFLA_LINKINFO, -1}, NULL},
	};
	(void)state;
	assert_int_equal(lb_message_change(&message, 7, config), 0);
	for (size_t i = 0; i < COUNT(cases); i++) {
		/* the header of an attribute, and its payload: kernels have pointed at either */
		for (uint32_t more = 0; more <= NLA_HDRLEN; more += NLA_HDRLEN) {
			uint32_t offset = fake_offset(message.nlh, cases[i].path) + more;
			const struct libbond_attr *row = lb_message_attr_at(message.nlh, offset);
			if (cases[i].row)
				unit_assert_text("row", cases[i].row, row ? row->name : NULL);
			else if (more == 0)
				assert_null(row);
		}
	}
	static const uint32_t nowhere[] = {0, 4, 16, 31, 0x7fffffff, 0xffffffff};
	for (size_t i = 0; i < COUNT(nowhere); i++)
		assert_null(lb_message_attr_at(message.nlh, nowhere[i]));
	assert_null(lb_message_attr_at(message.nlh, message.nlh->nlmsg_len));
	libbond_config_free(config);
}

static void offsets_of_slave_options(void **state)
{
	static const int prio[] = {LB_IFLA_LINKINFO, LB_INFO_SLAVE_DATA, LB_SLAVE_PRIO, -1};
	static const int queue_id[] = {LB_IFLA_LINKINFO, LB_INFO_SLAVE_DATA, LB_SLAVE_QUEUE_ID, -1};
	struct libbond_config *config = unit_slave_config("prio 5 queue_id 2");
	struct lb_message message;
	(void)state;
	assert_int_equal(lb_message_change(&message, 3, config), 0);
	assert_ptr_equal(lb_message_attr_at(message.nlh, fake_offset(message.nlh, prio)), SLAVE("prio"));
	assert_ptr_equal(lb_message_attr_at(message.nlh, fake_offset(message.nlh, queue_id)), SLAVE("queue_id"));
	libbond_config_free(config);
}

/* --- several requests at once --- */

static void answers_out_of_order(void **state)
{
	static const int errors[] = {EBUSY, 0, ENODEV, EINVAL};
	static const uint32_t order[] = {3, 1, 4, 2};
	struct fake *fake;
	struct libbond *handle = open_mute(&fake);
	struct lb_message messages[4];
	struct lb_request requests[4];
	(void)state;
	for (size_t i = 0; i < 4; i++)
		requests[i] = up_request(&messages[i]);
	for (size_t i = 0; i < 4; i++)
		queue_errno(fake, order[i], errors[order[i] - 1]);
	assert_int_equal(lb_exchange(handle, requests, 4, NULL), 0);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(requests[i].answer.errnum, errors[i]);
	assert_int_equal(fake->sends, 1); /* all in one datagram */
	assert_int_equal(fake->request_count, 4);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(fake_request(fake, i)->nlmsg_seq, i + 1);
	libbond_close(handle);
}

static void answers_in_one_datagram(void **state)
{
	struct fake *fake;
	struct libbond *handle = open_mute(&fake);
	struct lb_message messages[2];
	struct lb_request requests[2] = {up_request(&messages[0]), up_request(&messages[1])};
	uint8_t datagram[256];
	size_t used = 0;
	(void)state;
	/* as the fake makes them, then both taken as one */
	queue_errno(fake, 2, EBUSY);
	queue_errno(fake, 1, 0);
	for (size_t i = 0; i < 2; i++) {
		memcpy(datagram + used, fake->queue + fake->datagrams[i].at, (size_t)fake->datagrams[i].length);
		used += (size_t)fake->datagrams[i].length;
	}
	fake_forget(fake);
	fake_queue(fake, datagram, used);
	assert_int_equal(lb_exchange(handle, requests, 2, NULL), 0);
	assert_int_equal(requests[0].answer.errnum, 0);
	assert_int_equal(requests[1].answer.errnum, EBUSY);
	assert_int_equal(fake->receives, 1);
	libbond_close(handle);
}

static void requests_of_odd_length_are_aligned(void **state)
{
	struct fake *fake;
	struct libbond *handle = open_mute(&fake);
	struct lb_message messages[3];
	struct lb_request requests[3];
	(void)state;
	for (size_t i = 0; i < 3; i++) {
		requests[i] = up_request(&messages[i]);
		messages[i].nlh->nlmsg_len += 1; /* a kernel drops the rest behind a length it cannot follow */
		queue_errno(fake, (uint32_t)i + 1, 0);
	}
	assert_int_equal(lb_exchange(handle, requests, 3, NULL), 0);
	assert_int_equal(fake->request_count, 3);
	libbond_close(handle);
}

/* --- answers that are not for us --- */

static void stale_answers_are_ignored(void **state)
{
	struct fake *fake;
	struct libbond *handle = open_mute(&fake);
	struct lb_message message;
	struct lb_request request = up_request(&message);
	struct libbond_error err;
	(void)state;
	/* the first request is given up; its answer comes while the second is waited for */
	assert_int_equal(lb_exchange(handle, &request, 1, &err), -ETIMEDOUT);
	queue_errno(fake, 1, EPERM);
	queue_errno(fake, 77, EPERM);
	queue_errno(fake, 0, EPERM);
	queue_errno(fake, 2, EBUSY);
	request = up_request(&message);
	assert_int_equal(lb_exchange(handle, &request, 1, &err), 0);
	assert_int_equal(request.answer.errnum, EBUSY);
	/* and a second answer, too late for the first */
	queue_errno(fake, 3, 0);
	queue_errno(fake, 3, EPERM);
	queue_errno(fake, 4, 0);
	request = up_request(&message);
	assert_int_equal(lb_exchange(handle, &request, 1, &err), 0);
	assert_int_equal(request.answer.errnum, 0);
	request = up_request(&message);
	assert_int_equal(lb_exchange(handle, &request, 1, &err), 0);
	assert_int_equal(request.answer.errnum, 0);
	libbond_close(handle);
}

static void an_answer_that_comes_twice_counts_once(void **state)
{
	struct fake *fake;
	struct libbond *handle = open_mute(&fake);
	struct lb_message messages[2];
	struct lb_request requests[2] = {up_request(&messages[0]), up_request(&messages[1])};
	(void)state;
	queue_errno(fake, 1, 0);
	queue_errno(fake, 1, EPERM);
	queue_errno(fake, 2, EBUSY);
	assert_int_equal(lb_exchange(handle, requests, 2, NULL), 0);
	assert_int_equal(requests[0].answer.errnum, 0);
	assert_int_equal(requests[1].answer.errnum, EBUSY);
	libbond_close(handle);
}

static void control_messages_are_ignored(void **state)
{
	struct fake *fake;
	struct libbond *handle = open_mute(&fake);
	struct lb_message message;
	struct lb_request request = up_request(&message);
	struct nlmsghdr noop = {.nlmsg_len = NLMSG_HDRLEN, .nlmsg_type = NLMSG_NOOP, .nlmsg_seq = 1};
	(void)state;
	fake_queue(fake, &noop, sizeof(noop));
	noop.nlmsg_type = NLMSG_OVERRUN;
	fake_queue(fake, &noop, sizeof(noop));
	queue_errno(fake, 1, EBUSY);
	assert_int_equal(lb_exchange(handle, &request, 1, NULL), 0);
	assert_int_equal(request.answer.errnum, EBUSY);
	libbond_close(handle);
}

static void sequence_numbers_wrap(void **state)
{
	struct fake *fake;
	struct libbond *handle = open_mute(&fake);
	struct lb_message messages[2];
	struct lb_request requests[2] = {up_request(&messages[0]), up_request(&messages[1])};
	(void)state;
	handle->sequence = UINT32_MAX - 1;
	queue_errno(fake, 0, EBUSY);
	queue_errno(fake, UINT32_MAX, EPERM);
	assert_int_equal(lb_exchange(handle, requests, 2, NULL), 0);
	assert_int_equal(requests[0].answer.errnum, EPERM);
	assert_int_equal(requests[1].answer.errnum, EBUSY);
	libbond_close(handle);
}

/* --- a transport in trouble --- */

static void check_trouble(long result, int rc, enum libbond_cause cause)
{
	struct fake *fake;
	struct libbond *handle = open_mute(&fake);
	struct lb_message message;
	struct lb_request request = up_request(&message);
	struct libbond_error err;

	fake_queue_result(fake, result);
	assert_int_equal(lb_exchange(handle, &request, 1, &err), rc);
	unit_assert_error(&err, cause, -rc, NULL);
	assert_true(*err.message);
	libbond_close(handle);
}

static void errors_of_receive_have_their_causes(void **state)
{
	(void)state;
	check_trouble(-EAGAIN, -ETIMEDOUT, LIBBOND_CAUSE_TIMEOUT);
	check_trouble(-EMSGSIZE, -EMSGSIZE, LIBBOND_CAUSE_PROTOCOL);
	check_trouble(-ENOBUFS, -ENOBUFS, LIBBOND_CAUSE_SYSTEM);
	check_trouble(-EBADF, -EBADF, LIBBOND_CAUSE_SYSTEM);
	check_trouble(-ENOMEM, -ENOMEM, LIBBOND_CAUSE_MEMORY);
}

static void the_end_of_a_capture_is_an_error(void **state)
{
	(void)state;
	check_trouble(0, -EBADMSG, LIBBOND_CAUSE_PROTOCOL);
}

static void a_failed_send_is_reported(void **state)
{
	struct fake *fake;
	struct libbond *handle = open_mute(&fake);
	struct lb_message message;
	struct lb_request request = up_request(&message);
	struct libbond_error err;
	(void)state;
	fake->send_result = -ENOBUFS;
	assert_int_equal(lb_exchange(handle, &request, 1, &err), -ENOBUFS);
	unit_assert_error(&err, LIBBOND_CAUSE_SYSTEM, ENOBUFS, NULL);
	assert_int_equal(fake->receives, 0);
	libbond_close(handle);
}

/* A datagram of these bytes as the answer to request 1. */
static void check_datagram(const char *hex)
{
	struct fake *fake;
	struct libbond *handle = open_mute(&fake);
	struct lb_message message;
	struct lb_request request = up_request(&message);
	struct libbond_error err = {0};
	uint8_t bytes[256];

	fake_queue(fake, bytes, unit_hex(hex, bytes, sizeof(bytes)));
	if (lb_exchange(handle, &request, 1, &err) != -EBADMSG)
		unit_fail("taken as valid: %s (%s)", hex, err.message);
	unit_assert_error(&err, LIBBOND_CAUSE_PROTOCOL, EBADMSG, NULL);
	libbond_close(handle);
}

#define ACK "24000000 0200 0001 01000000 00000000 00000000 20000000 1000 0500 01000000 00000000"

static void datagrams_that_are_no_netlink(void **state)
{
	(void)state;
	if (!unit_is_little_endian())
		SKIP("the bytes here are a little-endian machine's");
	check_datagram("00");
	check_datagram("24000000 0200 0000 01000000 000000");            /* cut in the header */
	check_datagram("24000000 0200 0000 01000000 00000000 00000000"); /* longer than the datagram */
	check_datagram("0f000000 0200 0000 01000000 00000000");          /* shorter than its header */
	check_datagram("00000000 0200 0000 01000000 00000000");
	/* 2^31 and more, which libmnl takes for valid; of a request that is not ours */
	check_datagram("ffffffff 0200 0000 01000000 00000000");
	check_datagram("ffffffff 1000 0000 63000000 00000000");
	check_datagram("10000080 1000 0000 63000000 00000000");
	check_datagram("24000080 0200 0001 01000000 00000000 00000000 20000000 1000 0500 01000000 00000000");
	check_datagram("10000000 0200 0000 01000000 00000000");          /* an error without an errno */
	check_datagram("14000000 0200 0000 01000000 00000000 00000000"); /* and without the request */
	check_datagram(ACK "010203");                                    /* garbage behind a good answer */
	check_datagram(ACK "00000000 0200 0000 01000000 00000000");
}

static void errnos_that_are_none(void **state)
{
	static const int32_t errors[] = {1, 22, INT32_MAX, INT32_MIN, -4096};
	(void)state;
	for (size_t i = 0; i < 2 * COUNT(errors); i++) {
		struct fake *fake;
		struct libbond *handle = open_mute(&fake);
		struct lb_message message;
		struct lb_request request = up_request(&message);
		struct libbond_error err = {0};
		_Alignas(8) uint8_t bytes[64] = {0};
		struct nlmsghdr *nlh = mnl_nlmsg_put_header(bytes);
		nlh->nlmsg_type = i % 2 ? NLMSG_DONE : NLMSG_ERROR;
		nlh->nlmsg_seq = 1;
		*(int32_t *)mnl_nlmsg_put_extra_header(nlh, sizeof(struct nlmsgerr)) = errors[i / 2];
		fake_queue(fake, bytes, nlh->nlmsg_len);
		int rc = lb_exchange(handle, &request, 1, &err);
		if (i % 2 && errors[i / 2] > 0) {
			assert_int_equal(rc, 0); /* a dump that ends well may say how much it was */
			assert_int_equal(request.answer.errnum, 0);
		} else {
			assert_int_equal(rc, -EBADMSG);
			unit_assert_error(&err, LIBBOND_CAUSE_PROTOCOL, EBADMSG, NULL);
		}
		libbond_close(handle);
	}
}

/* --- dumps --- */

struct seen {
	unsigned count;
	int result;
};

static int count_message(const struct nlmsghdr *nlh, void *context)
{
	struct seen *seen = context;
	(void)nlh;
	seen->count++;
	return seen->result;
}

static void a_get_ends_with_its_reply(void **state)
{
	struct fake *fake = fake_new();
	struct libbond *handle = fake_open(fake);
	struct lb_message message;
	struct seen seen = {0};
	(void)state;
	fake_device(fake, 3, "eth0", 0);
	lb_message_get_name(&message, "eth0", 0);
	struct lb_request request = {.nlh = message.nlh, .receive = count_message, .context = &seen};
	assert_int_equal(lb_exchange(handle, &request, 1, NULL), 0);
	assert_int_equal(seen.count, 1);
	assert_int_equal(fake->receives, 1);
	libbond_close(handle);
}

static void a_dump_ends_with_done(void **state)
{
	struct fake *fake = fake_new();
	struct libbond *handle = fake_open(fake);
	struct lb_message message;
	struct seen seen = {0};
	(void)state;
	for (unsigned i = 1; i <= 90; i++) {
		char name[16];
		snprintf(name, sizeof(name), "eth%u", i);
		fake_device(fake, i, name, 0);
	}
	lb_message_dump(&message, NULL, 0, 0);
	struct lb_request request = {.nlh = message.nlh, .receive = count_message, .context = &seen};
	assert_int_equal(lb_exchange(handle, &request, 1, NULL), 0);
	assert_int_equal(seen.count, 90);
	assert_true(fake->receives > 2); /* more than one chunk, and DONE */
	assert_false(request.answer.filtered);
	libbond_close(handle);
}

static void filtered_is_what_every_message_says(void **state)
{
	struct fake *fake = fake_new();
	struct libbond *handle = fake_open(fake);
	struct lb_message message;
	(void)state;
	fake_bond(fake, 7, "bond0", 0);
	fake_device(fake, 3, "eth0", 0);
	lb_message_dump(&message, "bond", 0, 0);
	struct lb_request request = {.nlh = message.nlh};
	assert_int_equal(lb_exchange(handle, &request, 1, NULL), 0);
	assert_true(request.answer.filtered);
	fake->no_driver = true;
	assert_int_equal(lb_exchange(handle, &request, 1, NULL), 0);
	assert_false(request.answer.filtered);
	/* none at all: the kernel knew the kind, or it would have sent the loopback device at least */
	fake->no_driver = false;
	fake_remove(fake, 7);
	assert_int_equal(lb_exchange(handle, &request, 1, NULL), 0);
	assert_true(request.answer.filtered);
	libbond_close(handle);
}

static void a_receiver_can_end_the_exchange(void **state)
{
	struct fake *fake = fake_new();
	struct libbond *handle = fake_open(fake);
	struct lb_message message;
	struct seen seen = {.result = -ENOMEM};
	struct libbond_error err;
	(void)state;
	fake_device(fake, 3, "eth0", 0);
	fake_device(fake, 4, "eth1", 0);
	lb_message_dump(&message, NULL, 0, 0);
	struct lb_request request = {.nlh = message.nlh, .receive = count_message, .context = &seen};
	assert_int_equal(lb_exchange(handle, &request, 1, &err), -ENOMEM);
	unit_assert_error(&err, LIBBOND_CAUSE_MEMORY, ENOMEM, NULL);
	assert_int_equal(seen.count, 1);
	libbond_close(handle);
}

static void a_failed_dump_is_refused(void **state)
{
	struct fake *fake;
	struct libbond *handle = open_mute(&fake);
	struct libbond_snapshot *snapshot = (void *)1;
	struct libbond_error err;
	struct nlmsghdr request = sequence(1);
	struct fake_refusal refusal = {.errnum = EINVAL, .text = "Invalid values in header", .done = true};
	(void)state;
	fake_queue_refusal(fake, &request, &refusal);
	assert_int_equal(libbond_read(handle, 0, &snapshot, &err), -EINVAL);
	unit_assert_error(&err, LIBBOND_CAUSE_REFUSED, EINVAL, NULL);
	unit_assert_text("kernel", "Invalid values in header", err.kernel);
	assert_ptr_equal(snapshot, (void *)1); /* out parameters are written on success only */
	libbond_close(handle);
}

static void a_done_without_status_is_success(void **state)
{
	struct fake *fake;
	struct libbond *handle = open_mute(&fake);
	struct libbond_snapshot *snapshot;
	struct nlmsghdr done = {.nlmsg_len = NLMSG_HDRLEN, .nlmsg_type = NLMSG_DONE, .nlmsg_seq = 1};
	(void)state;
	fake_queue(fake, &done, sizeof(done));
	assert_int_equal(libbond_read(handle, 0, &snapshot, NULL), 0);
	assert_int_equal(libbond_snapshot_links(snapshot), 0);
	libbond_snapshot_free(snapshot);
	libbond_close(handle);
}

static void interrupted_dumps_are_repeated(void **state)
{
	struct fake *fake = fake_new();
	struct libbond *handle = fake_open(fake);
	struct libbond_snapshot *snapshot;
	struct libbond_error err;
	(void)state;
	fake_bond(fake, 7, "bond0", 0);
	fake_slave(fake, 3, "eth0", fake_find(fake, "bond0"));
	/* the flag is on the first message of the chunk only; fifteen interrupted tries, then a whole one */
	fake->dump_intr = 15;
	assert_int_equal(libbond_read(handle, 0, &snapshot, &err), 0);
	assert_int_equal(libbond_snapshot_links(snapshot), 2);
	assert_int_equal(fake->sends, 18); /* sixteen dumps of the bonds, then the bond and its slaves */
	libbond_snapshot_free(snapshot);
	/* sixteen: enough */
	fake_forget(fake);
	fake->dump_intr = 16;
	snapshot = (void *)1;
	assert_int_equal(libbond_read(handle, 0, &snapshot, &err), -EINTR);
	unit_assert_error(&err, LIBBOND_CAUSE_INTERRUPTED, EINTR, NULL);
	assert_int_equal(fake->sends, 16);
	assert_ptr_equal(snapshot, (void *)1);
	assert_int_equal(fake->dump_intr, 0);
	/* the handle is as good as before */
	fake_forget(fake);
	assert_int_equal(libbond_read(handle, 0, &snapshot, &err), 0);
	libbond_snapshot_free(snapshot);
	libbond_close(handle);
}

static void an_interruption_told_by_done_counts(void **state)
{
	struct fake *fake;
	struct libbond *handle = open_mute(&fake);
	struct libbond_snapshot *snapshot;
	(void)state;
	for (uint32_t i = 1; i <= 2; i++) {
		struct {
			struct nlmsghdr header;
			int status;
		} done = {{.nlmsg_len = sizeof(done),
		           .nlmsg_type = NLMSG_DONE,
		           .nlmsg_seq = i,
		           .nlmsg_flags = i == 1 ? LB_NLM_F_DUMP_INTR : 0},
		          0};
		fake_queue(fake, &done, sizeof(done));
	}
	assert_int_equal(libbond_read(handle, 0, &snapshot, NULL), 0);
	assert_int_equal(fake->sends, 2);
	libbond_snapshot_free(snapshot);
	libbond_close(handle);
}

static void the_error_may_be_null_everywhere(void **state)
{
	struct fake *fake;
	struct libbond *handle = open_mute(&fake);
	struct libbond_snapshot *snapshot;
	struct libbond_config *config = unit_config("miimon 1");
	const char *bond = "bond0", *slave = "eth0";
	(void)state;
	assert_int_equal(libbond_read(handle, 0, &snapshot, NULL), -ETIMEDOUT);
	assert_int_equal(libbond_read_bond(handle, "bond0", 0, &snapshot, NULL), -ETIMEDOUT);
	assert_int_equal(libbond_set(handle, "bond0", config, NULL, 0, 0, NULL, NULL), -ETIMEDOUT);
	assert_int_equal(libbond_enslave(handle, "bond0", &slave, 1, 0, NULL, NULL), -ETIMEDOUT);
	assert_int_equal(libbond_release(handle, "bond0", &slave, 1, 0, NULL, NULL), -ETIMEDOUT);
	assert_int_equal(libbond_delete(handle, &bond, 1, NULL, NULL), -ETIMEDOUT);
	assert_int_equal(libbond_create(handle, "bond0", config, NULL, 0, 0, NULL, NULL), -ETIMEDOUT);
	libbond_config_free(config);
	libbond_close(handle);
	libbond_close(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("an ack is no error", an_ack_is_no_error),
		TEST("refusals give errno, text and offset, capped or with the whole request",
	             refusals_capped_and_whole),
		TEST("the kernel's text is cut where it is too long", long_texts_are_cut),
		TEST("extended acks of odd shape are read as far as they go", odd_extended_acks),
		TEST("an offset is mapped to its row, in a list to the list's", offsets_are_mapped_to_rows),
		TEST("an offset in a slave's options is mapped to its row", offsets_of_slave_options),
		TEST("answers out of order find their requests, which went out in one datagram",
	             answers_out_of_order),
		TEST("several answers in one datagram are all taken", answers_in_one_datagram),
		TEST("requests of odd length are aligned in their datagram", requests_of_odd_length_are_aligned),
		TEST("answers to older or other requests are ignored", stale_answers_are_ignored),
		TEST("an answer that comes twice counts once", an_answer_that_comes_twice_counts_once),
		TEST("netlink's control messages are ignored", control_messages_are_ignored),
		TEST("sequence numbers wrap", sequence_numbers_wrap),
		TEST("errors of receiving have their causes, a time-out among them",
	             errors_of_receive_have_their_causes),
		TEST("a transport that has no more to give is an error, not asked for ever",
	             the_end_of_a_capture_is_an_error),
		TEST("a failed send is reported and nothing waited for", a_failed_send_is_reported),
		TEST("datagrams that are no netlink, or have garbage behind it, are refused",
	             datagrams_that_are_no_netlink),
		TEST("an errno that is none is refused", errnos_that_are_none),
		TEST("a get ends with its reply", a_get_ends_with_its_reply),
		TEST("a dump ends with DONE, after all its datagrams", a_dump_ends_with_done),
		TEST("a dump is filtered if every message says so", filtered_is_what_every_message_says),
		TEST("a receiver can end the exchange", a_receiver_can_end_the_exchange),
		TEST("a dump that fails with DONE and an errno is refused, with the kernel's words",
	             a_failed_dump_is_refused),
		TEST("a DONE without a status is success", a_done_without_status_is_success),
		TEST("an interrupted dump is repeated, sixteen times at most", interrupted_dumps_are_repeated),
		TEST("an interruption that only DONE tells of counts", an_interruption_told_by_done_counts),
		TEST("the error may be NULL everywhere", the_error_may_be_null_everywhere),
	};
	return cmocka_run_group_tests_name("exchange", tests, NULL, NULL);
}
