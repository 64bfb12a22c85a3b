/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of the fake kernel share, and no test uses: store, driver, records. */
#ifndef FAKE_INNER_H
#define FAKE_INNER_H

#include "fake.h"

/* --- fake-store.c --- */

struct nlattr *fake_attr(const struct fake_link *link, enum libbond_scope scope, unsigned number);
struct fake_link *fake_find_index(struct fake *fake, unsigned ifindex);
unsigned fake_master_of(const struct fake_link *link);
unsigned fake_mode_of(const struct fake_link *bond);
bool fake_is_deaf(const struct fake *fake, enum libbond_scope scope, unsigned number);
/* The options of 802.3ad, as a bond of that mode has them; what is there already stays. */
void fake_put_lacp(struct fake_link *bond);
/* Its flags and options as a slave: a fresh one's, or none. */
void fake_join(struct fake_link *slave, unsigned master, unsigned mode);
void fake_leave(struct fake_link *slave);
/* Whether the driver reports an option of a bond now: those of 802.3ad in that mode only. */
bool fake_is_shown(const struct fake_link *link, enum libbond_scope scope, unsigned number);

/* --- fake-driver.c --- */

/* Do what an RTM_NEWLINK asks of a device, in the kernel's order; stops at what is refused, and what it did before
 * stays done. */
struct fake_refusal fake_change(struct fake *fake, struct fake_link *link, const struct nlmsghdr *nlh);
/* Up or down, with the VLAN devices on it; what hangs on a device that goes down is lost. */
void fake_set_up(struct fake *fake, struct fake_link *link, bool up);
/* A slave that leaves its master, whoever takes it away. */
void fake_release(struct fake *fake, struct fake_link *slave);

/* --- fake-records.c --- */

/* Answer a request for, or the making of, an address, a route, a neighbour, a nexthop. False: it is none of them. */
bool fake_answer_records(struct fake *fake, const struct nlmsghdr *nlh);
/* How the log calls a dump or a making of them ("routes4"); NULL: it is none. *ifindex is the device's. */
const char *fake_records_name(const struct nlmsghdr *nlh, unsigned *ifindex);
/* What a device loses that goes down, that becomes too small for IPv6, that has no carrier any more, that is deleted.
 */
void fake_records_down(struct fake *fake, unsigned ifindex);
void fake_records_shrink(struct fake *fake, unsigned ifindex);
void fake_records_readdress(struct fake *fake, unsigned ifindex); /* that gets another address */
void fake_records_unplug(struct fake *fake, unsigned ifindex);
void fake_records_drop(struct fake *fake, unsigned ifindex);

/* "198.51.100.0/24", "nexthop 7": what tells a record apart from others on its device. */
void fake_record_text(const struct fake_record *record, char *buf, size_t size);
/* Whether the kernel makes it by itself, from an address. */
bool fake_is_made(const struct fake_record *record);

/* --- fake.c --- */

/* A socket has one dump at a time. False: the one before is not over, and this one has been refused (EBUSY). */
bool fake_dump_begin(struct fake *fake, const struct nlmsghdr *request);
/* The flags of the dump's next message. */
uint16_t fake_dump_flags(struct fake *fake, uint16_t flags);
/* Its end; "empty" frees the socket at once. */
void fake_dump_end(struct fake *fake, const struct nlmsghdr *request, bool empty);

#endif
