/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Making steps: what compose.c (the order of a bond's steps) and queues.c (the slaves' options) share. */
#ifndef LB_STEPS_H
#define LB_STEPS_H

#include "plan.h"

struct lb_composer {
	struct libbond_plan *plan;
	struct lb_device *bond;
	enum libbond_disruption disruption;
	const struct libbond_attr *because;
	bool together; /* steps go out with the next one */
	int rc;
};

typedef bool lb_matches(const struct lb_composer *c, const struct lb_want *want);

/* A step about a device, NULL without memory; c->rc then says so, here as in all of these. */
struct lb_step *lb_step_add(struct lb_composer *c, enum lb_step_kind kind, struct lb_device *device);
/* A step with values; takes the config over (NULL: out of memory). None where it is empty. */
void lb_step_config(struct lb_composer *c, enum lb_step_kind kind, struct lb_device *device,
                    struct libbond_config *config);
/* The same of a step that is no failure when it is refused. */
void lb_step_optional(struct lb_composer *c, struct lb_device *device, struct libbond_config *config);
/* A config of one value, NULL without memory. */
struct libbond_config *lb_one_value(const struct libbond_attr *attr, int64_t number, const char *link);
/* Move the values that match from one config to a new one. NULL without memory. */
struct libbond_config *lb_split(struct libbond_config *from, lb_matches *matches, const struct lb_composer *c);
/* Everything that is to be sent to a device: what is wanted and what is put back. NULL without memory. */
struct libbond_config *lb_all_of(const struct lb_device *device);
lb_matches lb_is_up_flag;

/* --- queues.c --- */

/* Whether a slave that leaves has a queue that another one is to get. */
bool lb_is_awaited(const struct lb_device *bond, const struct lb_device *leaver);
/* The addresses of slaves that have been out, once they are known to be in. */
void lb_set_addresses(struct lb_composer *c);
/* The options of those who are slaves, in the order in which no queue is two's at any time; and, once those who leave
 * have left, the queues that they had. */
void lb_set_slaves(struct lb_composer *c);
void lb_set_queues(struct lb_composer *c);

#endif
