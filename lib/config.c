/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Collects wanted values from text, one for each row, kept in the driver's processing order. Sits between
 * the caller's words and the checks (check.c) and messages (message.c).
 */
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

int libbond_config_new(struct libbond_config **out)
{
	struct libbond_config *config = calloc(1, sizeof(*config));
	if (!config)
		return -ENOMEM;
	*out = config;
	return 0;
}

void libbond_config_free(struct libbond_config *config)
{
	if (!config)
		return;
	for (size_t i = 0; i < config->count; i++)
		free(config->wants[i].edits);
	free(config->wants);
	free(config);
}

struct lb_want *lb_config_find(const struct libbond_config *config, const struct libbond_attr *attr)
{
	for (size_t i = 0; config && i < config->count; i++)
		if (config->wants[i].attr == attr)
			return &config->wants[i];
	return NULL;
}

int lb_config_copy(const struct libbond_config *config, struct libbond_config **out)
{
	struct libbond_config *copy;
	int rc = libbond_config_new(&copy);
	if (rc < 0 || !config || config->count == 0) {
		if (rc == 0)
			*out = copy;
		return rc;
	}
	copy->wants = calloc(config->count, sizeof(*copy->wants));
	if (!copy->wants)
		goto no_memory;
	for (; copy->count < config->count; copy->count++) {
		struct lb_want *to = &copy->wants[copy->count];
		const struct lb_want *from = &config->wants[copy->count];
		*to = *from;
		to->edits = NULL;
		if (from->edit_count == 0)
			continue;
		to->edits = calloc(from->edit_count, sizeof(*to->edits));
		if (!to->edits)
			goto no_memory;
		memcpy(to->edits, from->edits, from->edit_count * sizeof(*to->edits));
	}
	*out = copy;
	return 0;
no_memory:
	libbond_config_free(copy);
	return -ENOMEM;
}

/* The place of a row, made if it is not there yet. NULL without memory. */
static struct lb_want *claim(struct libbond_config *config, const struct libbond_attr *attr)
{
	size_t at = 0;
	while (at < config->count && lb_attr_compare(config->wants[at].attr, attr) < 0)
		at++;
	if (at == config->count || config->wants[at].attr != attr) {
		struct lb_want *grown = realloc(config->wants, (config->count + 1) * sizeof(*grown));
		if (!grown)
			return NULL;
		config->wants = grown;
		memmove(&grown[at + 1], &grown[at], (config->count - at) * sizeof(*grown));
		config->count++;
		memset(&grown[at], 0, sizeof(grown[at]));
		grown[at].attr = attr;
	}
	return &config->wants[at];
}

static bool is_list(const struct libbond_attr *attr)
{
	return attr->type == LIBBOND_TYPE_IP4_LIST || attr->type == LIBBOND_TYPE_IP6_LIST;
}

static bool has_sign(const char *text)
{
	return *text == '+' || *text == '-';
}

static int fail_value(struct libbond_error *err, const struct libbond_attr *attr, const char *text, const char *why)
{
	lb_fail(err, LIBBOND_CAUSE_BAD_VALUE, EINVAL, "%s '%.64s' %s", attr->name, text, why);
	lb_fail_attr(err, attr);
	return -EINVAL;
}

/* "+10.0.0.3,-10.0.0.1": every address signed. The edits are judged against the list they edit later. */
static int parse_edits(const struct libbond_attr *attr, const char *text, struct lb_want *want,
                       struct libbond_error *err)
{
	unsigned count = 1;
	for (const char *p = text; *p; p++)
		count += *p == ',';
	want->edits = calloc(count, sizeof(*want->edits));
	if (!want->edits)
		return lb_fail_memory(err);
	for (const char *p = text; want->edit_count < count; p++) {
		struct lb_list_edit *edit = &want->edits[want->edit_count++];
		char item[64] = "", why[96];
		size_t length = strcspn(p, ",");
		if (!has_sign(p))
			return fail_value(err, attr, text, "mixes a new list with edits; give every address a sign");
		edit->edit = *p == '+' ? LB_EDIT_ADD : LB_EDIT_REMOVE;
		snprintf(item, sizeof(item), "%.*s", (int)length - 1, p + 1);
		if (lb_value_parse_item(attr, item, &edit->one, why, sizeof(why)) < 0)
			return fail_value(err, attr, text, why);
		p += length;
	}
	return 0;
}

static int parse_want(const struct libbond_attr *attr, const char *text, struct lb_want *want,
                      struct libbond_error *err)
{
	char why[384] = "";

	if (attr->type == LIBBOND_TYPE_LINK && *text && strcmp(text, "none") != 0) {
		if (strlen(text) >= sizeof(want->link))
			return fail_value(err, attr, text, "is longer than any interface name");
		snprintf(want->link, sizeof(want->link), "%s", text);
		want->value.count = 1;
		return 0;
	}
	if (is_list(attr) && has_sign(text))
		return parse_edits(attr, text, want, err);
	if (lb_value_parse(attr, text, &want->value, why, sizeof(why)) < 0)
		return fail_value(err, attr, text, why);
	return 0;
}

int libbond_config_set(struct libbond_config *config, const struct libbond_attr *attr, const char *text,
                       struct libbond_error *err)
{
	struct lb_want parsed = {.attr = attr};

	if (attr->flags & LIBBOND_ATTR_READ_ONLY) {
		lb_fail(err, LIBBOND_CAUSE_BAD_ATTR, EINVAL, "%s is read-only", attr->name);
		lb_fail_attr(err, attr);
		return -EINVAL;
	}
	int rc = parse_want(attr, text, &parsed, err);
	struct lb_want *want = rc < 0 ? NULL : claim(config, attr);
	if (!want) {
		free(parsed.edits);
		return rc < 0 ? rc : lb_fail_memory(err);
	}
	free(want->edits);
	*want = parsed;
	return 0;
}

int lb_config_put(struct libbond_config *config, const struct libbond_attr *attr, const struct lb_value *value,
                  const char *link)
{
	struct lb_want *want = claim(config, attr);
	if (!want)
		return -ENOMEM;
	free(want->edits);
	*want = (struct lb_want){.attr = attr, .value = *value};
	snprintf(want->link, sizeof(want->link), "%s", link);
	return 0;
}

bool lb_want_is_default(const struct lb_want *want)
{
	struct lb_value value = {0};
	char why[384];
	return want->attr->def && lb_value_parse(want->attr, want->attr->def, &value, why, sizeof(why)) == 0 &&
	       lb_value_equal(want->attr, &value, &want->value);
}

int lb_config_add(struct libbond_config *config, const struct libbond_config *from)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < from->count; i++)
		rc = lb_config_put(config, from->wants[i].attr, &from->wants[i].value, from->wants[i].link);
	return rc;
}

void libbond_config_unset(struct libbond_config *config, const struct libbond_attr *attr)
{
	struct lb_want *want = lb_config_find(config, attr);
	if (!want)
		return;
	free(want->edits);
	size_t at = (size_t)(want - config->wants);
	memmove(want, want + 1, (config->count - at - 1) * sizeof(*want));
	config->count--;
}

int libbond_config_has(const struct libbond_config *config, const struct libbond_attr *attr)
{
	return lb_config_find(config, attr) != NULL;
}

size_t libbond_config_count(const struct libbond_config *config)
{
	return config->count;
}

const struct libbond_attr *libbond_config_attr(const struct libbond_config *config, size_t i)
{
	return i < config->count ? config->wants[i].attr : NULL;
}

int lb_want_text(const struct lb_want *want, char *buf, size_t size)
{
	int used = 0;

	if (want->attr->type == LIBBOND_TYPE_LINK)
		return snprintf(buf, size, "%s", *want->link ? want->link : "none");
	if (want->edit_count == 0) {
		if (is_list(want->attr) && want->value.count == 0)
			return snprintf(buf, size, "none");
		return lb_value_format(want->attr, &want->value, buf, size);
	}
	for (unsigned i = 0; i < want->edit_count; i++) {
		char one[64];
		lb_value_format(want->attr, &want->edits[i].one, one, sizeof(one));
		size_t left = (size_t)used < size ? size - (size_t)used : 0;
		used += snprintf(left ? buf + used : NULL, left, "%s%c%s", i ? "," : "",
		                 want->edits[i].edit == LB_EDIT_ADD ? '+' : '-', one);
	}
	return used;
}

int libbond_config_text(const struct libbond_config *config, const struct libbond_attr *attr, char *buf, size_t size)
{
	const struct lb_want *want = lb_config_find(config, attr);
	return want ? lb_want_text(want, buf, size) : -ENODATA;
}

int libbond_config_number(const struct libbond_config *config, const struct libbond_attr *attr, int64_t *out)
{
	const struct lb_want *want = lb_config_find(config, attr);
	if (!want)
		return -ENODATA;
	if (attr->type != LIBBOND_TYPE_NUMBER && attr->type != LIBBOND_TYPE_BOOL && attr->type != LIBBOND_TYPE_WORD)
		return -EINVAL;
	*out = want->value.number;
	return 0;
}

int lb_want_apply_edits(struct lb_want *want, const struct lb_value *present, struct libbond_error *err)
{
	struct lb_value list = *present;
	char one[64];

	for (unsigned i = 0; i < want->edit_count; i++) {
		const struct lb_list_edit *edit = &want->edits[i];
		int at = lb_value_find(want->attr, &list, &edit->one);
		lb_value_format(want->attr, &edit->one, one, sizeof(one));
		if (edit->edit == LB_EDIT_REMOVE && at < 0)
			return fail_value(err, want->attr, one, "is not in the list and cannot be removed");
		if (edit->edit == LB_EDIT_REMOVE) {
			lb_value_remove(want->attr, &list, (unsigned)at);
		} else if (at < 0 && list.count == LIBBOND_TARGETS_MAX) {
			return fail_value(err, want->attr, one, "is one too many; it takes 16 addresses");
		} else if (at < 0) {
			lb_value_append(want->attr, &list, &edit->one);
		}
	}
	want->value = list;
	free(want->edits);
	want->edits = NULL;
	want->edit_count = 0;
	return 0;
}
