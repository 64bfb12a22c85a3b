/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Wanted values, in the driver's processing order. config.c parses them from text; check.c judges them
 * against a snapshot; message.c sends them.
 */
#ifndef LB_CONFIG_H
#define LB_CONFIG_H

#include "value.h"

enum lb_edit { LB_EDIT_ADD, LB_EDIT_REMOVE };

/* One signed address of a list edit, in the order given. The address is entry 0 of the value. */
struct lb_list_edit {
	enum lb_edit edit;
	struct lb_value one;
};

struct lb_want {
	const struct libbond_attr *attr;
	struct lb_value value;           /* lists: the whole list, or unused while there are edits */
	char link[LIBBOND_ALTNAME_SIZE]; /* LINK: the name as given, "" for none */
	struct lb_list_edit *edits;      /* lists: owned */
	unsigned edit_count;
};

struct libbond_config {
	struct lb_want *wants;
	size_t count;
};

/* The wanted value of a row, NULL if there is none. */
struct lb_want *lb_config_find(const struct libbond_config *config, const struct libbond_attr *attr);
/* Want a value that is known already; "link" names the device of a LINK, else "". -ENOMEM. */
int lb_config_put(struct libbond_config *config, const struct libbond_attr *attr, const struct lb_value *value,
                  const char *link);
/* Want everything that another config wants as well; resolved values only. -ENOMEM. */
int lb_config_add(struct libbond_config *config, const struct libbond_config *from);
/* Whether a resolved value is the driver's default. */
bool lb_want_is_default(const struct lb_want *want);
/* An independent copy of a config; NULL config is an empty one. -ENOMEM. */
int lb_config_copy(const struct libbond_config *config, struct libbond_config **out);
/* Apply the edits of a want to a list; the want's value then is the whole list. -EINVAL with the reason. */
int lb_want_apply_edits(struct lb_want *want, const struct lb_value *present, struct libbond_error *err);
/* The wanted value as text, names and edits as they were given. Like snprintf(). */
int lb_want_text(const struct lb_want *want, char *buf, size_t size);

#endif
