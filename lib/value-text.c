/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Values to text and back, one case a type. Sits between config.c (what users write), snapshot.c (what is
 * shown) and value.h.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "value.h"

__attribute__((format(printf, 3, 4))) static int bad(char *why, size_t size, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	vsnprintf(why, size, format, args);
	va_end(args);
	return -EINVAL;
}

/* Text that grows at the end of a buffer and counts what did not fit, as snprintf() does. */
struct out {
	char *buf;
	size_t size, used;
};

static void out_add(struct out *out, const char *text)
{
	size_t length = strlen(text);
	if (out->used < out->size)
		snprintf(out->buf + out->used, out->size - out->used, "%s", text);
	out->used += length;
}

/* --- text to value --- */

/* Decimal digits with an optional sign and nothing else: no blanks, no 0x, no exponent. Saturates, so that
 * a number too long for 64 bits is out of every range instead of being another number. */
static bool parse_decimal(const char *text, int64_t *out)
{
	bool negative = *text == '-';
	const char *digits = text + (*text == '-' || *text == '+');
	uint64_t number = 0;

	if (*digits == '\0')
		return false;
	for (const char *p = digits; *p; p++) {
		if (*p < '0' || *p > '9')
			return false;
		if (number < INT64_MAX / 10)
			number = number * 10 + (uint64_t)(*p - '0');
		else
			number = INT64_MAX;
	}
	*out = negative ? -(int64_t)number : (int64_t)number;
	return true;
}

static int parse_number(const struct libbond_attr *attr, const char *text, struct lb_value *out, char *why,
                        size_t why_size)
{
	char expected[128];
	lb_value_describe(attr, expected, sizeof(expected));
	if (!parse_decimal(text, &out->number))
		return bad(why, why_size, "is not a number; it takes %s", expected);
	if (out->number < attr->min || out->number > attr->max)
		return bad(why, why_size, "is out of range; it takes %s", expected);
	return 0;
}

static const struct lb_word *find_word(const struct lb_word *words, const char *text)
{
	int64_t number;
	bool decimal = parse_decimal(text, &number);
	for (const struct lb_word *w = words; w && w->name; w++)
		if (strcmp(w->name, text) == 0 || (decimal && w->number == number))
			return w;
	return NULL;
}

static int parse_word(const struct libbond_attr *attr, const char *text, struct lb_value *out, char *why,
                      size_t why_size)
{
	static const struct lb_word synonyms[] = {
		{"false", 0}, {"true", 1}, {"no", 0}, {"yes", 1}, {NULL, 0},
	};
	const struct lb_word *word = find_word(attr->words, text);
	char expected[128];

	if (!word && attr->type == LIBBOND_TYPE_BOOL)
		word = find_word(synonyms, text);
	if (!word) {
		lb_value_describe(attr, expected, sizeof(expected));
		return bad(why, why_size, "is not one of its values; it takes %s", expected);
	}
	out->number = word->number;
	return 0;
}

static int hex_digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *p = c ? strchr(digits, c >= 'A' && c <= 'F' ? c - 'A' + 'a' : c) : NULL;
	return p ? (int)(p - digits) : -1;
}

static int parse_mac(const struct libbond_attr *attr, const char *text, struct lb_value *out, char *why,
                     size_t why_size)
{
	enum { BYTES = 6 };
	const char *p = text;
	(void)attr;
	if (strnlen(text, 3) < 3 || (text[2] != ':' && text[2] != '-'))
		return bad(why, why_size, "is not a MAC address; it takes xx:xx:xx:xx:xx:xx");
	for (unsigned i = 0; i < BYTES; i++, p += 2) {
		if (i && *p++ != text[2])
			return bad(why, why_size, "is not a MAC address; it takes xx:xx:xx:xx:xx:xx");
		int high = hex_digit(p[0]);
		int low = high < 0 ? -1 : hex_digit(p[1]);
		if (low < 0)
			return bad(why, why_size, "is not a MAC address; it takes xx:xx:xx:xx:xx:xx");
		out->mac[i] = (uint8_t)(high << 4 | low);
	}
	if (*p)
		return bad(why, why_size, "is not a MAC address; it takes xx:xx:xx:xx:xx:xx");
	if (out->mac[0] & 1)
		return bad(why, why_size, "is a multicast address");
	out->count = BYTES;
	return 0;
}

static bool is_none(const char *text)
{
	return *text == '\0' || strcmp(text, "none") == 0;
}

/* bond_option_arp_ip_targets_set(), bond_option_ns_ip6_targets_set() */
static int parse_address(const struct libbond_attr *attr, const char *text, struct lb_value *one, char *why,
                         size_t why_size)
{
	one->count = 1;
	if (attr->type == LIBBOND_TYPE_IP4_LIST) {
		if (inet_pton(AF_INET, text, &one->ip4[0]) != 1)
			return bad(why, why_size, "is not an IPv4 address");
		if (one->ip4[0].s_addr == htonl(INADDR_ANY) || one->ip4[0].s_addr == htonl(INADDR_BROADCAST))
			return bad(why, why_size, "cannot be a target");
		return 0;
	}
	if (inet_pton(AF_INET6, text, &one->ip6[0]) != 1)
		return bad(why, why_size, "is not an IPv6 address");
	if (IN6_IS_ADDR_UNSPECIFIED(&one->ip6[0]) || IN6_IS_ADDR_LOOPBACK(&one->ip6[0]) ||
	    IN6_IS_ADDR_MULTICAST(&one->ip6[0]))
		return bad(why, why_size, "cannot be a target");
	return 0;
}

int lb_value_parse_item(const struct libbond_attr *attr, const char *text, struct lb_value *list, char *why,
                        size_t why_size)
{
	struct lb_value one;
	int rc = parse_address(attr, text, &one, why, why_size);
	if (rc < 0)
		return rc;
	if (lb_value_find(attr, list, &one) >= 0) {
		snprintf(why, why_size, "is there twice");
		return -EEXIST;
	}
	if (list->count == LIBBOND_TARGETS_MAX) {
		snprintf(why, why_size, "is one too many; it takes %d addresses", LIBBOND_TARGETS_MAX);
		return -ENOSPC;
	}
	lb_value_append(attr, list, &one);
	return 0;
}

static int parse_list(const struct libbond_attr *attr, const char *text, struct lb_value *out, char *why,
                      size_t why_size)
{
	char item[INET6_ADDRSTRLEN + 1];

	out->count = 0;
	if (is_none(text))
		return 0;
	for (const char *p = text;; p++) {
		size_t length = strcspn(p, ",");
		if (length >= sizeof(item))
			return bad(why, why_size, "is not a list of addresses");
		memcpy(item, p, length);
		item[length] = '\0';
		char reason[96];
		if (lb_value_parse_item(attr, item, out, reason, sizeof(reason)) < 0)
			return bad(why, why_size, "does not do: '%s' %s", item, reason);
		p += length;
		if (!*p)
			return 0;
	}
}

int lb_value_parse(const struct libbond_attr *attr, const char *text, struct lb_value *out, char *why,
                   size_t why_size)
{
	memset(out, 0, sizeof(*out));
	out->count = 1;
	switch (attr->type) {
	case LIBBOND_TYPE_NUMBER:
		return parse_number(attr, text, out, why, why_size);
	case LIBBOND_TYPE_BOOL:
	case LIBBOND_TYPE_WORD:
		return parse_word(attr, text, out, why, why_size);
	case LIBBOND_TYPE_LINK:
		return is_none(text) ? 0 : bad(why, why_size, "is a name and needs the kernel");
	case LIBBOND_TYPE_MAC:
		return parse_mac(attr, text, out, why, why_size);
	case LIBBOND_TYPE_IP4_LIST:
	case LIBBOND_TYPE_IP6_LIST:
		return parse_list(attr, text, out, why, why_size);
	default:
		return bad(why, why_size, "cannot be given as text");
	}
}

/* --- lists --- */

int lb_value_find(const struct libbond_attr *attr, const struct lb_value *list, const struct lb_value *one)
{
	bool ip4 = attr->type == LIBBOND_TYPE_IP4_LIST;
	for (unsigned i = 0; i < list->count; i++)
		if (ip4 ? list->ip4[i].s_addr == one->ip4[0].s_addr : IN6_ARE_ADDR_EQUAL(&list->ip6[i], &one->ip6[0]))
			return (int)i;
	return -1;
}

void lb_value_append(const struct libbond_attr *attr, struct lb_value *list, const struct lb_value *one)
{
	if (attr->type == LIBBOND_TYPE_IP4_LIST)
		list->ip4[list->count++] = one->ip4[0];
	else
		list->ip6[list->count++] = one->ip6[0];
}

void lb_value_remove(const struct libbond_attr *attr, struct lb_value *list, unsigned i)
{
	size_t rest = --list->count - i;
	if (attr->type == LIBBOND_TYPE_IP4_LIST)
		memmove(&list->ip4[i], &list->ip4[i + 1], rest * sizeof(list->ip4[0]));
	else
		memmove(&list->ip6[i], &list->ip6[i + 1], rest * sizeof(list->ip6[0]));
}

bool lb_value_equal(const struct libbond_attr *attr, const struct lb_value *a, const struct lb_value *b)
{
	if (a->count != b->count)
		return false;
	switch (attr->type) {
	case LIBBOND_TYPE_MAC:
		return memcmp(a->mac, b->mac, a->count) == 0;
	case LIBBOND_TYPE_IP4_LIST:
		return memcmp(a->ip4, b->ip4, a->count * sizeof(a->ip4[0])) == 0;
	case LIBBOND_TYPE_IP6_LIST:
		return memcmp(a->ip6, b->ip6, a->count * sizeof(a->ip6[0])) == 0;
	default:
		return a->number == b->number;
	}
}

/* --- value to text --- */

static int format_word(const struct libbond_attr *attr, int64_t number, char *buf, size_t size)
{
	for (const struct lb_word *w = attr->words; w && w->name; w++)
		if (w->number == number)
			return snprintf(buf, size, "%s", w->name);
	return snprintf(buf, size, "%" PRId64, number);
}

static int format_mac(const struct lb_value *value, char *buf, size_t size)
{
	struct out out = {buf, size, 0};
	char pair[4];

	if (size)
		buf[0] = '\0';
	for (unsigned i = 0; i < value->count; i++) {
		snprintf(pair, sizeof(pair), "%s%02x", i ? ":" : "", value->mac[i]);
		out_add(&out, pair);
	}
	return (int)out.used;
}

static int format_items(const struct libbond_attr *attr, const struct lb_value *value, char *buf, size_t size)
{
	struct out out = {buf, size, 0};
	char item[INET6_ADDRSTRLEN + 16];
	int count = lb_value_items(attr, value);

	if (size)
		buf[0] = '\0';
	for (int i = 0; i < count; i++) {
		lb_value_format_item(attr, value, (unsigned)i, item, sizeof(item));
		out_add(&out, i ? "," : "");
		out_add(&out, item);
	}
	return (int)out.used;
}

int lb_value_format(const struct libbond_attr *attr, const struct lb_value *value, char *buf, size_t size)
{
	switch (attr->type) {
	case LIBBOND_TYPE_NUMBER:
		return snprintf(buf, size, "%" PRId64, value->number);
	case LIBBOND_TYPE_BOOL:
	case LIBBOND_TYPE_WORD:
		return format_word(attr, value->number, buf, size);
	case LIBBOND_TYPE_LINK:
		return value->number ? snprintf(buf, size, "#%" PRId64, value->number) : snprintf(buf, size, "none");
	case LIBBOND_TYPE_MAC:
		return format_mac(value, buf, size);
	default:
		return format_items(attr, value, buf, size);
	}
}

/* The bits that are set, lowest first: those with a name, then the rest as numbers. */
static int format_bit(const struct libbond_attr *attr, int64_t bits, unsigned i, char *buf, size_t size)
{
	for (int64_t bit = 1; bit && bit <= bits; bit <<= 1)
		if ((bits & bit) && i-- == 0)
			return format_word(attr, bit, buf, size);
	return -EINVAL;
}

int lb_value_items(const struct libbond_attr *attr, const struct lb_value *value)
{
	switch (attr->type) {
	case LIBBOND_TYPE_BITS:
		return __builtin_popcountll((unsigned long long)value->number);
	case LIBBOND_TYPE_IP4_LIST:
	case LIBBOND_TYPE_IP6_LIST:
		return (int)value->count;
	default:
		return -EINVAL;
	}
}

int lb_value_format_item(const struct libbond_attr *attr, const struct lb_value *value, unsigned i, char *buf,
                         size_t size)
{
	char text[INET6_ADDRSTRLEN];

	if (lb_value_items(attr, value) <= (int)i)
		return -EINVAL;
	if (attr->type == LIBBOND_TYPE_BITS)
		return format_bit(attr, value->number, i, buf, size);
	if (attr->type == LIBBOND_TYPE_IP4_LIST)
		inet_ntop(AF_INET, &value->ip4[i], text, sizeof(text));
	else
		inet_ntop(AF_INET6, &value->ip6[i], text, sizeof(text));
	return snprintf(buf, size, "%s", text);
}

static int describe_words(const struct lb_word *words, char *buf, size_t size)
{
	struct out out = {buf, size, 0};

	if (size)
		buf[0] = '\0';
	for (const struct lb_word *w = words; w && w->name; w++) {
		out_add(&out, w == words ? "" : w[1].name ? ", " : " or ");
		out_add(&out, w->name);
	}
	return (int)out.used;
}

int lb_value_describe(const struct libbond_attr *attr, char *buf, size_t size)
{
	switch (attr->type) {
	case LIBBOND_TYPE_NUMBER:
		return snprintf(buf, size, "%" PRId64 " to %" PRId64 "%s%s", attr->min, attr->max,
		                attr->unit ? " " : "", libbond_attr_unit(attr));
	case LIBBOND_TYPE_LINK:
		return snprintf(buf, size, "an interface or none");
	case LIBBOND_TYPE_MAC:
		return snprintf(buf, size, "a MAC address");
	case LIBBOND_TYPE_IP4_LIST:
		return snprintf(buf, size, "up to %d IPv4 addresses or none", LIBBOND_TARGETS_MAX);
	case LIBBOND_TYPE_IP6_LIST:
		return snprintf(buf, size, "up to %d IPv6 addresses or none", LIBBOND_TARGETS_MAX);
	default:
		return describe_words(attr->words, buf, size);
	}
}
