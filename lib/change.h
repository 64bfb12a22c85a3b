/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* What is wanted of one bond or several, as the caller said it: names, configs, no state. */
#ifndef LB_CHANGE_H
#define LB_CHANGE_H

#include "config.h"

/* One slave as it was named: for REPLACE, the new one is IN and names the old one, which has a wish of its own. */
struct lb_slave_wish {
	char name[LIBBOND_ALTNAME_SIZE];
	enum libbond_slave_wish wish;
	struct libbond_config *config;       /* never NULL */
	char replaces[LIBBOND_ALTNAME_SIZE]; /* IN: the slave whose place it takes, or "" */
	unsigned wait_ms;                    /* how long it may take to be ready, 0: not waited for */
};

struct lb_bond_wish {
	char name[LIBBOND_ALTNAME_SIZE];
	unsigned flags;                  /* enum libbond_bond_flag */
	struct libbond_config *config;   /* never NULL */
	struct libbond_config *defaults; /* for one that is created, or NULL */
	struct lb_slave_wish *slaves;    /* in the order given */
	size_t count;
};

struct libbond_change {
	struct lb_bond_wish *bonds;
	size_t count;
	bool prune;
};

#endif
