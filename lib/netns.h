/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Running a function in another network namespace, without the calling thread ever leaving its own. */
#ifndef LB_NETNS_H
#define LB_NETNS_H

#include <stdbool.h>

#include "libbond.h"

/*
 * Call run(context) inside the namespace (see libbond_open() for how it is named) and hand back what it
 * returned: 0 or -errno. It runs on a helper thread that has ended when this returns. "fresh" makes a new
 * namespace instead. Failing to get there is -errno with err filled; run's own failure is run's to fill.
 */
int lb_netns_run(const char *netns, bool fresh, int (*run)(void *context), void *context, struct libbond_error *err);

#endif
