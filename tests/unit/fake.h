/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A transport that answers from memory: a store of links that keeps what it is told, and a queue of datagrams
 * that a test may fill itself. It imitates rtnetlink's framing and nothing of the bonding driver's rules; what the
 * driver does is tested on the driver.
 */
#ifndef FAKE_H
#define FAKE_H

#include <libmnl/libmnl.h>
#include <linux/rtnetlink.h>
#include <stdbool.h>

#include "libbond.h"
#include "numbers.h"

enum {
	FAKE_LINKS = 96,
	FAKE_ATTRS = 1536, /* bytes of attributes of one scope of a link */
	FAKE_QUEUE = 4 * 1024 * 1024,
	FAKE_DATAGRAMS = 4096,
	FAKE_REQUESTS = 1024,
	FAKE_REQUEST = 2048, /* longest request that is kept */
	FAKE_DEAF = 8,
	FAKE_ADDRESSES = 8
};

struct fake_attrs {
	size_t length;
	_Alignas(4) uint8_t bytes[FAKE_ATTRS];
};

struct fake_link {
	unsigned ifindex, flags;
	char name[LIBBOND_NAME_SIZE];
	const char *kind, *slave_kind; /* NULL: none */
	struct fake_attrs attrs[LIBBOND_SCOPES];
};

struct fake {
	struct libbond_transport transport;

	/* the store */
	struct fake_link links[FAKE_LINKS];
	size_t link_count;
	bool no_driver; /* the kind "bond" is unknown: no filter by it, no creation */
	bool echo;      /* a creation is echoed to who asked for that, as Linux 6.12 does and 6.1 does not */
	struct {
		enum libbond_scope scope;
		unsigned number;
	} deaf[FAKE_DEAF]; /* attributes that are accepted and dropped, as an old kernel does */
	size_t deaf_count;
	struct {
		unsigned ifindex;
		uint8_t family, prefix, scope, address[16];
	} addresses[FAKE_ADDRESSES];
	size_t address_count;

	/* Called for each request before the store sees it; true: the test has queued its own answer. */
	bool (*on_request)(struct fake *fake, const struct nlmsghdr *request);
	int send_result;    /* what send returns instead of taking the request, if not 0 */
	unsigned dump_intr; /* so many of the next dumps are marked as interrupted */
	unsigned tag;       /* free for on_request */

	/* what came in */
	unsigned sends; /* round trips */
	_Alignas(8) uint8_t requests[FAKE_REQUESTS][FAKE_REQUEST];
	size_t request_count;
	char log[65536]; /* "get bond0 + get eth0; set #7 bond mode,miimon; get #7" */

	/* what is to be received */
	_Alignas(8) uint8_t queue[FAKE_QUEUE];
	struct {
		size_t at;
		long length; /* or -errno */
	} datagrams[FAKE_DATAGRAMS];
	size_t queued, queue_used, taken;
	unsigned receives, closed;
};

/* The one fake, empty. */
struct fake *fake_new(void);
/* A handle on it. Fails the test without memory. */
struct libbond *fake_open(struct fake *fake);
/* Forget what was sent and what is to be received; the store stays. */
void fake_forget(struct fake *fake);
const struct nlmsghdr *fake_request(const struct fake *fake, size_t i);

/* --- the store --- */

struct fake_link *fake_add(struct fake *fake, unsigned ifindex, const char *name, const char *kind, unsigned flags);
/* A device that can be a slave; a bond as Linux 7.2 reports a fresh one of this mode, down, with 16 queues; a
 * slave of it, up, as Linux 7.2 reports one. */
struct fake_link *fake_device(struct fake *fake, unsigned ifindex, const char *name, unsigned flags);
struct fake_link *fake_bond(struct fake *fake, unsigned ifindex, const char *name, uint8_t mode);
struct fake_link *fake_slave(struct fake *fake, unsigned ifindex, const char *name, const struct fake_link *bond);
struct fake_link *fake_find(struct fake *fake, const char *name);
void fake_remove(struct fake *fake, unsigned ifindex);
/* Set (in place of an older one) or drop an attribute. */
void fake_put(struct fake_link *link, enum libbond_scope scope, unsigned number, const void *data, size_t length);
void fake_u8(struct fake_link *link, enum libbond_scope scope, unsigned number, uint8_t value);
void fake_u16(struct fake_link *link, enum libbond_scope scope, unsigned number, uint16_t value);
void fake_u32(struct fake_link *link, enum libbond_scope scope, unsigned number, uint32_t value);
void fake_drop(struct fake_link *link, enum libbond_scope scope, unsigned number);
void fake_altname(struct fake_link *link, const char *name);
/* An address of a device ("192.0.2.5", "2001:db8::5"), 24 or 64 bits of network; fe80:: has the scope of the link. */
void fake_address(struct fake *fake, unsigned ifindex, const char *address);
/* Accept and drop an attribute from now on, and do not report it. */
void fake_deafen(struct fake *fake, enum libbond_scope scope, unsigned number);

/* --- answers --- */

/* The link's RTM_NEWLINK; returns its length. */
size_t fake_message(const struct fake_link *link, void *out, size_t room, uint32_t seq, uint16_t flags);
/* Queue a datagram, or what receive is to return instead (-errno, 0). */
void fake_queue(struct fake *fake, const void *data, size_t length);
void fake_queue_result(struct fake *fake, long result);
void fake_queue_link(struct fake *fake, const struct fake_link *link, uint32_t seq, uint16_t flags);
void fake_queue_ack(struct fake *fake, const struct nlmsghdr *request);

/* A refusal: an NLMSG_ERROR, or NLMSG_DONE where "done" says so (a dump). */
struct fake_refusal {
	int errnum;
	const char *text; /* NULL: none */
	uint32_t offset;  /* 0: none */
	bool whole;       /* the request is repeated in it: not capped */
	bool done;
};
void fake_queue_refusal(struct fake *fake, const struct nlmsghdr *request, const struct fake_refusal *refusal);
/* Where an attribute of a request is: types from outside in, ending with -1. 0 if it is not there. */
uint32_t fake_find_offset(const struct nlmsghdr *request, const int *types);
/* The same; fails if it is not there. */
uint32_t fake_offset(const struct nlmsghdr *request, const int *types);

#endif
