/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verbs that do one thing to each device named: enslave, release, delete, up, down. They stop at the
 * first failure; what was done before it is reported. Sits between command.c and the library.
 */
#include <stdlib.h>

#include "command.h"
#include "output.h"
#include "verb-change.h"

typedef int deed(struct change *change, const char *bond, const char *device);

/* The rest of the operands are all read before anything is done, so that a mistake in them costs nothing. */
static int for_each(struct context *context, struct args *args, const char *bond, const char *needs, deed *run)
{
	const char **devices = calloc((size_t)args->count + 1, sizeof(*devices));
	struct change change;
	size_t count = 0;
	int rc = 0;

	if (!devices)
		return output_no_memory();
	while ((devices[count] = args_operand(args)))
		count++;
	int status = args->status;
	if (status == STATUS_OK && count == 0)
		status = output_usage("%s", needs);
	if (status == STATUS_OK)
		status = change_begin(&change, context);
	if (status == STATUS_OK) {
		for (size_t i = 0; rc == 0 && i < count; i++)
			rc = run(&change, bond, devices[i]);
		status = change_end(&change, rc);
	}
	free(devices);
	return status;
}

static int enslave_one(struct change *change, const char *bond, const char *device)
{
	return libbond_enslave(change->handle, bond, device, change->report, &change->error);
}

int verb_enslave(struct context *context, struct args *args)
{
	const char *bond = args_operand(args);
	if (!bond)
		return args->status ? args->status : output_usage("enslave needs a bond and an interface");
	return for_each(context, args, bond, "enslave needs an interface", enslave_one);
}

static int release_one(struct change *change, const char *bond, const char *device)
{
	return libbond_release(change->handle, bond, device, change->report, &change->error);
}

int verb_release(struct context *context, struct args *args)
{
	const char *bond = args_operand(args);
	if (!bond)
		return args->status ? args->status : output_usage("release needs a bond and a slave");
	return for_each(context, args, bond, "release needs a slave", release_one);
}

static int delete_one(struct change *change, const char *bond, const char *device)
{
	(void)bond;
	return libbond_delete(change->handle, device, change->report, &change->error);
}

int verb_delete(struct context *context, struct args *args)
{
	return for_each(context, args, NULL, "delete needs the name of a bond", delete_one);
}

static int set_admin(struct change *change, const char *device, const char *word)
{
	const char *value = NULL;
	const struct libbond_attr *attr = libbond_attr_alone(LIBBOND_SCOPE_LINK, word, &value);
	struct libbond_config *config;
	int rc = libbond_config_new(&config);

	if (rc < 0) {
		change->error = (struct libbond_error){.cause = LIBBOND_CAUSE_MEMORY, .message = "out of memory"};
		return rc;
	}
	rc = libbond_config_set(config, attr, value, &change->error);
	if (rc == 0)
		rc = libbond_set(change->handle, device, config, NULL, 0, change->report, &change->error);
	libbond_config_free(config);
	return rc;
}

static int up_one(struct change *change, const char *bond, const char *device)
{
	(void)bond;
	return set_admin(change, device, "up");
}

static int down_one(struct change *change, const char *bond, const char *device)
{
	(void)bond;
	return set_admin(change, device, "down");
}

int verb_up(struct context *context, struct args *args)
{
	return for_each(context, args, NULL, "up needs the name of a bond", up_one);
}

int verb_down(struct context *context, struct args *args)
{
	return for_each(context, args, NULL, "down needs the name of a bond", down_one);
}
