/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the kernel said: each link's message as it came, with an index from row to attribute. Built by read.c,
 * immutable afterwards; values are decoded when asked for, so that nothing is lost and nothing is copied
 * twice.
 */
#ifndef LB_SNAPSHOT_H
#define LB_SNAPSHOT_H

#include "value.h"

/* Which links of a dump are kept; the rest is dropped before it costs memory. */
enum lb_keep { LB_KEEP_ALL, LB_KEEP_BONDS, LB_KEEP_BONDS_AND_SLAVES, LB_KEEP_VLANS, LB_KEEP_UPPERS };

struct libbond_snapshot {
	struct libbond_link **links; /* by interface index once finished */
	size_t count, room;
	struct libbond_link **bonds; /* by interface index */
	size_t bond_count;
	struct libbond_link **ports; /* links with a master, by master and interface index */
	size_t port_count;
	int driver; /* see libbond_snapshot_driver() */
};

int lb_snapshot_new(struct libbond_snapshot **out);
/* Take in one RTM_NEWLINK; a link that is there already stays as it is. 0, -ENOMEM, -EBADMSG. */
int lb_snapshot_add(struct libbond_snapshot *snapshot, const struct nlmsghdr *nlh, enum lb_keep keep);
/* Drop what was taken in, to start again. */
void lb_snapshot_clear(struct libbond_snapshot *snapshot);
/* Sort and link up. To be called once, after the last link. 0 or -ENOMEM. */
int lb_snapshot_finish(struct libbond_snapshot *snapshot);

/* A row's value as the kernel reported it. -ENODATA. */
int lb_link_value(const struct libbond_link *link, const struct libbond_attr *attr, struct lb_value *out);
/* Its number, or "otherwise" where the kernel reported none. */
int64_t lb_link_number_or(const struct libbond_link *link, const struct libbond_attr *attr, int64_t otherwise);
/* The message that a link came in. */
const struct nlmsghdr *lb_link_message(const struct libbond_link *link);
/* An attribute of the link itself, by number, whether or not a row is about it; NULL if there is none. */
const struct nlattr *lb_link_find(const struct libbond_link *link, unsigned type);
/* An attribute inside another, by number; NULL if there is none, or nest is NULL. */
const struct nlattr *lb_find_nested(const struct nlattr *nest, unsigned type);
/* Its number, of 32 bits; 0 if there is none. */
uint32_t lb_link_find_u32(const struct libbond_link *link, unsigned type);
/* ARPHRD_*. */
unsigned lb_link_hardware(const struct libbond_link *link);
/* The snapshot that a link is of. */
const struct libbond_snapshot *lb_link_snapshot(const struct libbond_link *link);
/* Whether name is the link's name or one of its alternative names. */
bool lb_link_answers_to(const struct libbond_link *link, const char *name);

#endif
