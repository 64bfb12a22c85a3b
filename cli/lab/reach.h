/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a datagram comes through a laboratory, there and back. */
#ifndef LAB_REACH_H
#define LAB_REACH_H

#include "lab/topology.h"

struct lab_reach;

/* A socket at each end of a bond (or LAB_CONTROL), family AF_INET or AF_INET6. -errno. */
int lab_reach_new(struct lab_reach **out, const struct lab *lab, unsigned bond, int family);
void lab_reach_free(struct lab_reach *reach);

/* Send one datagram from the near end and wait at most timeout_ms for its echo: 1 it came, 0 not. */
int lab_reach_try(struct lab_reach *reach, int timeout_ms);

#endif
