/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a user asked for in words: options of the bond, slaves, options of slaves. From "OPTION VALUE",
 * "OPTION=VALUE", "up", "slaves IF...", "slave IF OPTION VALUE" to configs and members.
 */
#ifndef REQUEST_H
#define REQUEST_H

#include "args.h"

struct request {
	struct libbond_config *config;  /* of the bond */
	struct libbond_member *members; /* slaves, each with a config of its own */
	bool *listed;                   /* of each: whether a "slaves" list had it, which it can once */
	size_t count;
};

/* Which words a verb takes beside options of the bond. */
enum request_words {
	REQUEST_SLAVES = 1 << 0 /* "slaves IF...": create */
};

/*
 * Read words up to the end. STATUS_OK, or STATUS_USAGE (printed). Free with request_free() in any case.
 */
int request_read(struct request *request, struct args *args, unsigned words);
void request_free(struct request *request);

/* True if the word begins something in a request: an option of the bond, "up", "slave", ... */
bool request_is_keyword(const char *word);
/* Row of an option of the bond (scopes BOND and LINK) or of a slave; NULL if there is none. */
const struct libbond_attr *request_bond_attr(const char *name);
const struct libbond_attr *request_slave_attr(const char *name);
/* Whether an option of any device can be wanted of a slave: not its address, which is the driver's business. */
bool request_is_of_slave_device(const struct libbond_attr *attr);
/* Whether an option that is wanted already, perhaps under another name, is wanted with this value. Not for lists that
 * are edited. */
bool request_agrees(const struct libbond_config *config, const struct libbond_attr *attr, const char *value);
/* Refuse a value of an option, offering the nearest word. Returns the status. */
int request_bad_value(const struct libbond_attr *attr, const char *value, struct libbond_error *err);
/* What a bond gets that is made without it, in view of what is wanted of it: the mode, and a link monitor. Returns
 * the status; free the config. */
int request_defaults(const struct libbond_config *wanted, struct libbond_config **out);

#endif
