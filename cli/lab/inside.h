/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a laboratory is made of, for the files that make it, wait for it and end it. */
#ifndef LAB_INSIDE_H
#define LAB_INSIDE_H

#include "lab/topology.h"

#define MODE_LACP 4

struct lab {
	struct lab_spec spec;
	struct {
		struct lab_net *net;
		struct libbond *handle;
		int watch; /* lab_netns_watch(), or -errno */
	} sides[LAB_SIDES];
};

/* All legs of all bonds. */
static inline unsigned lab_legs(const struct lab *lab)
{
	return lab->spec.slaves * lab->spec.bonds;
}

#endif
