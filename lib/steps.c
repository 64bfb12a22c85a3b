/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Makes steps and takes configs apart. Sits below compose.c and queues.c.
 */
#include <errno.h>
#include <stdlib.h>

#include "steps.h"

struct lb_step *lb_step_add(struct lb_composer *c, enum lb_step_kind kind, struct lb_device *device)
{
	struct libbond_plan *plan = c->plan;
	struct lb_step *grown = c->rc ? NULL : realloc(plan->steps, (plan->step_count + 1) * sizeof(*grown));

	if (!grown) {
		c->rc = -ENOMEM;
		return NULL;
	}
	plan->steps = grown;
	struct lb_step *step = &grown[plan->step_count++];
	*step = (struct lb_step){
		.kind = kind,
		.device = device,
		.bond = c->bond,
		.disruption = c->disruption,
		.because = c->because,
		.with_next = c->together,
	};
	return step;
}

/* A step that is no failure when it is refused. */
void lb_step_optional(struct lb_composer *c, struct lb_device *device, struct libbond_config *config)
{
	struct lb_step *step = config && config->count ? lb_step_add(c, LB_STEP_SET, device) : NULL;

	if (!config)
		c->rc = -ENOMEM;
	if (step) {
		step->config = config;
		step->optional = true;
	} else {
		libbond_config_free(config);
	}
}

/* A step with values; takes the config over (NULL: out of memory). None where it is empty. */
void lb_step_config(struct lb_composer *c, enum lb_step_kind kind, struct lb_device *device,
                    struct libbond_config *config)
{
	const struct lb_want *up = config ? lb_config_find(config, lb_link_attr(LB_IFLA_UP)) : NULL;
	bool only_up = up && config->count == 1 && kind == LB_STEP_SET;
	bool empty = config && config->count == 0 && kind == LB_STEP_SET;
	struct lb_step *step = NULL;

	if (!config)
		c->rc = -ENOMEM;
	else if (only_up)
		lb_step_add(c, up->value.number ? LB_STEP_UP : LB_STEP_DOWN, device);
	else if (!empty)
		step = lb_step_add(c, kind, device);
	if (step)
		step->config = config;
	else
		libbond_config_free(config);
}

static struct libbond_config *new_config(void)
{
	struct libbond_config *config;
	return libbond_config_new(&config) < 0 ? NULL : config;
}

/* Move the values that match from one config to a new one. NULL without memory. */
struct libbond_config *lb_split(struct libbond_config *from,
                                bool (*matches)(const struct lb_composer *c, const struct lb_want *want),
                                const struct lb_composer *c)
{
	struct libbond_config *out = new_config();
	for (size_t i = 0; out && i < from->count;) {
		const struct lb_want *want = &from->wants[i];
		if (!matches(c, want)) {
			i++;
			continue;
		}
		if (lb_config_put(out, want->attr, &want->value, want->link) < 0) {
			libbond_config_free(out);
			return NULL;
		}
		libbond_config_unset(from, want->attr);
	}
	return out;
}

/* Everything that is to be sent to a device: what is wanted and what is put back. */
struct libbond_config *lb_all_of(const struct lb_device *device)
{
	struct libbond_config *config;
	if (lb_config_copy(device->work.config, &config) < 0)
		return NULL;
	if (lb_config_add(config, device->back) < 0) {
		libbond_config_free(config);
		return NULL;
	}
	return config;
}

struct libbond_config *lb_one_value(const struct libbond_attr *attr, int64_t number, const char *link)
{
	const struct lb_value value = {.count = 1, .number = number};
	struct libbond_config *config = new_config();

	if (config && lb_config_put(config, attr, &value, link) < 0) {
		libbond_config_free(config);
		return NULL;
	}
	return config;
}

bool lb_is_up_flag(const struct lb_composer *c, const struct lb_want *want)
{
	(void)c;
	return want->attr == lb_link_attr(LB_IFLA_UP);
}
