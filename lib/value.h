/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * A value of any type in the table, and its two codecs: text (value-text.c) and wire (value-wire.c).
 * There is code for each type here and for no attribute.
 */
#ifndef LB_VALUE_H
#define LB_VALUE_H

#include <libmnl/libmnl.h>
#include <netinet/in.h>

#include "attr.h"

#define LB_MAC_MAX 32 /* MAX_ADDR_LEN */

struct lb_value {
	unsigned count; /* entries of a list, bytes of a MAC address, else 1 */
	union {
		int64_t number; /* NUMBER, BOOL, WORD, BITS; LINK: interface index, 0 for none */
		uint8_t mac[LB_MAC_MAX];
		struct in_addr ip4[LIBBOND_TARGETS_MAX];
		struct in6_addr ip6[LIBBOND_TARGETS_MAX];
	};
};

/* Whether two values of a row are the same. */
bool lb_value_equal(const struct libbond_attr *attr, const struct lb_value *a, const struct lb_value *b);

/*
 * Text to value. LINK: only "none" and "" can be parsed here; a name needs the kernel. Lists: no signs.
 * 0; -EINVAL with the reason in why (a sentence's end: "must be 0 to 255 ms").
 */
int lb_value_parse(const struct libbond_attr *attr, const char *text, struct lb_value *out, char *why,
                   size_t why_size);
/* One address of a list appended; -EEXIST duplicate, -ENOSPC full, -EINVAL. */
int lb_value_parse_item(const struct libbond_attr *attr, const char *text, struct lb_value *list, char *why,
                        size_t why_size);
/* Index of an entry equal to entry 0 of "one", or -1. */
int lb_value_find(const struct libbond_attr *attr, const struct lb_value *list, const struct lb_value *one);
/* Take entry i out of a list. */
void lb_value_remove(const struct libbond_attr *attr, struct lb_value *list, unsigned i);
/* Append entry 0 of "one". The list must have room. */
void lb_value_append(const struct libbond_attr *attr, struct lb_value *list, const struct lb_value *one);

/* Value to text, like snprintf(). A LINK is its index with '#'; callers that know names print those. */
int lb_value_format(const struct libbond_attr *attr, const struct lb_value *value, char *buf, size_t size);
/* Number of entries (lists, BITS) and the text of one. */
int lb_value_items(const struct libbond_attr *attr, const struct lb_value *value);
int lb_value_format_item(const struct libbond_attr *attr, const struct lb_value *value, unsigned i, char *buf,
                         size_t size);
/* What a value must look like: "off or on", "0 to 255 ms". Like snprintf(). */
int lb_value_describe(const struct libbond_attr *attr, char *buf, size_t size);

/* Append the attribute to a message under construction. False if it does not fit. */
bool lb_value_put(const struct libbond_attr *attr, const struct lb_value *value, struct nlmsghdr *nlh, size_t limit);
/* Read an attribute's payload. -EBADMSG if it has another shape than the row says. */
int lb_value_get(const struct libbond_attr *attr, const struct nlattr *nla, struct lb_value *out);

#endif
