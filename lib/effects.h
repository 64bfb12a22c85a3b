/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * What the files that foresee the costs of a plan share: effects.c (asks all of them), reset.c (options that others
 * reset), moves.c (slaves that leave, join, are out for a moment), fates.c (what becomes of a device as a link),
 * uppers.c (devices on devices), inet6.c (link-local addresses), hanging.c (addresses, routes and what else hangs on
 * them).
 */
#ifndef LB_EFFECTS_H
#define LB_EFFECTS_H

#include "plan.h"

#define LB_IPV6_MIN_MTU 1280 /* addrconf_notify(): below, IPv6 leaves a device */

/* --- effects.c: values that the steps cost --- */

/* Put a value back after the steps; a line "put_back". */
int lb_keep_value(struct libbond_plan *plan, struct lb_device *device, const struct libbond_attr *attr,
                  const struct lb_value *value, const char *link, struct libbond_error *err);
int lb_keep_number(struct libbond_plan *plan, struct lb_device *device, const struct libbond_attr *attr,
                   int64_t number, struct libbond_error *err);
/* Say that a value is lost, and what it will be; value NULL: nobody knows. A line "lose". */
int lb_lose_value(struct libbond_plan *plan, struct lb_device *device, const struct libbond_attr *attr,
                  const struct lb_value *value, const char *note, struct libbond_error *err);
int lb_lose_number(struct libbond_plan *plan, struct lb_device *device, const struct libbond_attr *attr,
                   int64_t number, const char *note, struct libbond_error *err);
/* Whether the change sets a row of a device. */
bool lb_sets(const struct lb_device *device, const struct libbond_attr *attr);
/* The number that a row of a bond will have by the change; 0 of a new one that is not told. */
int64_t lb_final(const struct lb_device *bond, const struct libbond_attr *attr);
/* Whether two devices have the same MAC address in these rows. */
bool lb_same_mac(const struct libbond_link *a, const struct libbond_attr *attr_a, const struct libbond_link *b,
                 const struct libbond_attr *attr_b);
/* Whether a device is up now. */
bool lb_is_open(const struct lb_device *device);

/* --- reset.c --- */

int lb_effects_of_options(struct libbond_plan *plan, struct lb_device *bond, struct libbond_error *err);

/* --- moves.c --- */

int lb_effects_of_emptying(struct libbond_plan *plan, struct lb_device *bond, struct libbond_error *err);
int lb_effects_of_leaving(struct libbond_plan *plan, struct lb_device *bond, struct libbond_error *err);
int lb_effects_of_joining(struct libbond_plan *plan, struct lb_device *bond, struct libbond_error *err);
int lb_effects_of_mtu(struct libbond_plan *plan, struct lb_device *device, struct libbond_error *err);
/* The MTU that a bond has when its slaves join. */
int64_t lb_mtu_of(const struct lb_device *bond);
/* The least MTU that a device gets on the way; -1: it keeps its own. */
int64_t lb_least_mtu(const struct lb_device *device);
/* Whether the address of a bond follows its active slave: the driver takes none then. */
bool lb_follows_slave(const struct lb_device *bond);

/* --- fates.c --- */

enum lb_fate {
	LB_STAYS,
	LB_DIPS,    /* down and up again */
	LB_OPENS,   /* comes up by itself */
	LB_SINKS,   /* down for good */
	LB_CHANGES, /* becomes a slave: down for a moment, and what it had is not wanted any more */
	LB_SHRINKS, /* too small for IPv6 */
	LB_RISES    /* set up: were that undone, it would lose what it has now */
};

/* What becomes of a device; of one on another, that follows what is below. */
enum lb_fate lb_fate_of(const struct lb_device *device);
/* Whether a device has no carrier afterwards: the last slave with link leaves, or is closed. */
bool lb_ends_dark(const struct lb_device *device);
/* Whether a bond that nobody stays in may have no slave: whether it has one is told only at the price of a dump, but
 * where there is carrier there is one. */
bool lb_may_be_empty(const struct lb_device *bond);
/* Whether a device gets another MAC address, if only for a moment. */
bool lb_changes_address(const struct lb_device *device);
/* Whether a device that stays up is without carrier, if only for a moment. */
bool lb_loses_carrier(const struct lb_device *device);

/* --- uppers.c --- */

/* The device that a device is on, of the kinds that stand on one; 0 if there is none, or it is in another
 * namespace. */
unsigned lb_below(const struct libbond_link *link);
/* The device whose MTU is the most that a device takes; 0 if there is none. */
unsigned lb_limited_by(const struct libbond_link *link);
/* Read the devices that are on others, as far as something happens to these. */
int lb_read_uppers(struct libbond *handle, struct libbond_plan *plan, struct libbond_error *err);
/* What becomes of the devices on the devices of the plan. */
int lb_effects_on_uppers(struct libbond_plan *plan, struct libbond_error *err);
int lb_shrink_uppers(struct libbond_plan *plan, struct lb_device *device, int64_t mtu, struct libbond_error *err);

/* --- inet6.c --- */

/* Whether a link that is up has, or else gets, an IPv6 link-local address of the kernel's when it comes up anew. */
bool lb_makes_link_local(const struct libbond_link *link);

/* --- hanging.c --- */

/* Read what hangs on the devices, and say what of it is put back and what is lost. */
int lb_effects_on_records(struct libbond *handle, struct libbond_plan *plan, struct libbond_error *err);

#endif
