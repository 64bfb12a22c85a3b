/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A transport that answers from memory: a store of links, and of addresses, routes, neighbours and nexthops on them,
 * that keeps what it is told; and a queue of datagrams that a test may fill itself. It imitates rtnetlink's framing
 * and what the network core does (a device that goes down loses its routes). Of the bonding driver it knows the rules
 * and side effects that planning and undoing have to reckon with, and only where a test wants them ("driver");
 * what the driver really does is tested on the driver.
 */
#ifndef FAKE_H
#define FAKE_H

#include <libmnl/libmnl.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <stdbool.h>

#include "libbond.h"
#include "numbers.h"

enum {
	FAKE_LINKS = 96,
	FAKE_ATTRS = 1536, /* bytes of attributes of one scope of a link */
	FAKE_QUEUE = 4 * 1024 * 1024,
	FAKE_DATAGRAMS = 4096,
	FAKE_REQUESTS = 1024, /* that are kept, the first ones */
	FAKE_REQUEST = 2048,  /* longest request that is kept */
	FAKE_DEAF = 8,
	FAKE_RECORDS = 48,
	FAKE_RECORD = 120, /* longest address, route, neighbour or nexthop */
	FAKE_IFLA_LINK = 5 /* what a VLAN device is on */
};

struct fake_attrs {
	size_t length;
	_Alignas(4) uint8_t bytes[FAKE_ATTRS];
};

struct fake_link {
	unsigned ifindex, flags;
	char name[LIBBOND_NAME_SIZE];
	const char *kind, *slave_kind;           /* NULL: none */
	struct fake_attrs attrs[LIBBOND_SCOPES]; /* BOND: the data of any kind */

	/* what only the driver knows */
	bool random_address;             /* a bond: nobody gave it one, and it takes its first slave's */
	uint32_t ticks[3];               /* a bond: its delays, in units of miimon */
	char pending[LIBBOND_NAME_SIZE]; /* a bond: the primary that is no slave */
	unsigned own_mtu, place;         /* a slave: its MTU before, and its place among the slaves */
};

/* An address, a route, a neighbour or a nexthop: the request that makes it, without its header. */
struct fake_record {
	uint16_t type; /* RTM_NEW* */
	unsigned ifindex;
	size_t length;
	_Alignas(8) uint8_t bytes[FAKE_RECORD];
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
	struct fake_record records[FAKE_RECORDS];
	size_t record_count;
	bool driver; /* it refuses and does along the way what the bonding driver does: see fake-driver.c */
	unsigned places, randoms;

	/* Called for each request before the store sees it; true: the test has queued its own answer. */
	bool (*on_request)(struct fake *fake, const struct nlmsghdr *request);
	/* Called for each after the store has done it. 0: it is answered; else the answer is lost, and unless this is
	 * -EAGAIN (nobody answers) receive returns it. */
	long (*on_answer)(struct fake *fake, const struct nlmsghdr *request);
	int send_result;    /* what send returns instead of taking the request, if not 0 */
	unsigned dump_intr; /* so many of the next dumps are marked as interrupted */
	unsigned tag;       /* free for on_request */
	bool changing;      /* for on_request: the datagram that it is of has requests that change something */

	/* what came in */
	unsigned sends;     /* round trips */
	unsigned looked_at; /* the device of the dump of records that was logged last */
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
	size_t dump_end; /* the datagram that ends the running dump, plus 1; 0: none runs */
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
/* A VLAN device, up; loose: it keeps its state when what it is on goes down. */
struct fake_link *fake_vlan(struct fake *fake, unsigned ifindex, const char *name, const struct fake_link *on,
                            bool loose);
/* Make a device a slave, as the driver does; one that is up is set down before. */
void fake_enslave(struct fake *fake, const char *slave, const char *bond);
struct fake_link *fake_find(struct fake *fake, const char *name);
void fake_remove(struct fake *fake, unsigned ifindex);
/* Set (in place of an older one) or drop an attribute. */
void fake_put(struct fake_link *link, enum libbond_scope scope, unsigned number, const void *data, size_t length);
void fake_u8(struct fake_link *link, enum libbond_scope scope, unsigned number, uint8_t value);
void fake_u16(struct fake_link *link, enum libbond_scope scope, unsigned number, uint16_t value);
void fake_u32(struct fake_link *link, enum libbond_scope scope, unsigned number, uint32_t value);
void fake_drop(struct fake_link *link, enum libbond_scope scope, unsigned number);
/* An attribute as a number, 0 if it is not there. */
uint32_t fake_number(const struct fake_link *link, enum libbond_scope scope, unsigned number);
void fake_altname(struct fake_link *link, const char *name);
/* An address of a device ("192.0.2.5", "2001:db8::5"), 24 or 64 bits of network; fe80:: has the scope of the link. */
void fake_address(struct fake *fake, unsigned ifindex, const char *address);
/* A static route ("198.51.100.0/24") through a device, via a gateway (may be NULL); a route that the kernel made. */
void fake_route(struct fake *fake, unsigned ifindex, const char *prefix, const char *via);
void fake_kernel_route(struct fake *fake, unsigned ifindex, const char *prefix);
/* A permanent neighbour, or one that is answered for. */
void fake_neighbor(struct fake *fake, unsigned ifindex, const char *address, bool proxy);
/* A nexthop object, a group of two, and a route through one. */
void fake_nexthop(struct fake *fake, unsigned ifindex, uint32_t id, const char *via);
void fake_nexthop_group(struct fake *fake, uint32_t id, uint32_t first, uint32_t second);
void fake_route_by(struct fake *fake, unsigned ifindex, const char *prefix, uint32_t id);
/* Accept and drop an attribute from now on, and do not report it. */
void fake_deafen(struct fake *fake, enum libbond_scope scope, unsigned number);

/* --- the store before and after --- */

enum { FAKE_STATE_LINKS = 24, FAKE_DIFFERENCES = 64 };

struct fake_state {
	struct fake_link links[FAKE_STATE_LINKS];
	struct fake_record records[FAKE_RECORDS];
	size_t link_count, record_count;
	unsigned places, randoms;
};

void fake_save(const struct fake *fake, struct fake_state *state);
void fake_load(struct fake *fake, const struct fake_state *state);

/* One thing in which two states differ: an attribute, or something else in words: "device" (it is not there, or new),
 * "master", and of an address, route, ... what tells it apart ("198.51.100.0/24"); "" has what is no device's. */
struct fake_difference {
	char device[LIBBOND_NAME_SIZE];
	const struct libbond_attr *attr;
	char what[64];
};

/* All differences but counters and what the driver negotiates. Returns how many. */
size_t fake_compare(const struct fake_state *before, const struct fake_state *after,
                    struct fake_difference out[FAKE_DIFFERENCES]);

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
