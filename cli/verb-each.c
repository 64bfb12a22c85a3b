/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verbs that do one thing to several devices: enslave, release, delete, up, down. All names are looked
 * up before the first is touched. Sits between command.c and the library.
 */
#include <stdlib.h>

#include "command.h"
#include "output.h"
#include "verb-change.h"

typedef int deed(struct change *change, const char *bond, const char *const *devices, size_t count);

static int for_all(struct context *context, struct args *args, const char *bond, const char *needs, deed *run)
{
	const char **devices = calloc((size_t)args->count + 1, sizeof(*devices));
	struct change change;
	size_t count = 0;

	if (!devices)
		return output_no_memory();
	while ((devices[count] = args_operand(args)))
		count++;
	int status = args->status;
	if (status == STATUS_OK && count == 0)
		status = output_usage("%s", needs);
	if (status == STATUS_OK)
		status = change_begin(&change, context);
	if (status == STATUS_OK)
		status = change_end(&change, run(&change, bond, devices, count));
	free(devices);
	return status;
}

static int enslave(struct change *change, const char *bond, const char *const *devices, size_t count)
{
	return libbond_enslave(change->handle, bond, devices, count, change->report, &change->error);
}

int verb_enslave(struct context *context, struct args *args)
{
	const char *bond = args_operand(args);
	if (!bond)
		return args->status ? args->status : output_usage("enslave needs a bond and an interface");
	return for_all(context, args, bond, "enslave needs an interface", enslave);
}

static int release(struct change *change, const char *bond, const char *const *devices, size_t count)
{
	return libbond_release(change->handle, bond, devices, count, change->report, &change->error);
}

int verb_release(struct context *context, struct args *args)
{
	const char *bond = args_operand(args);
	if (!bond)
		return args->status ? args->status : output_usage("release needs a bond and a slave");
	return for_all(context, args, bond, "release needs a slave", release);
}

static int delete_all(struct change *change, const char *bond, const char *const *devices, size_t count)
{
	(void)bond;
	return libbond_delete(change->handle, devices, count, change->report, &change->error);
}

int verb_delete(struct context *context, struct args *args)
{
	return for_all(context, args, NULL, "delete needs the name of a bond", delete_all);
}

static int need_bonds(struct change *change, const char *const *devices, size_t count)
{
	int rc = 0;
	for (size_t i = 0; rc == 0 && count > 1 && i < count; i++) {
		struct libbond_snapshot *snapshot = NULL;
		rc = libbond_read_bond(change->handle, devices[i], LIBBOND_READ_NO_STATS | LIBBOND_READ_NO_SLAVES,
		                       &snapshot, &change->error);
		libbond_snapshot_free(snapshot);
	}
	return rc;
}

static int set_admin(struct change *change, const char *const *devices, size_t count, const char *word)
{
	const char *value = NULL;
	const struct libbond_attr *attr = libbond_attr_alone(LIBBOND_SCOPE_LINK, word, &value);
	struct libbond_config *config;

	if (libbond_config_new(&config) < 0) {
		change->error = (struct libbond_error){.cause = LIBBOND_CAUSE_MEMORY, .message = "out of memory"};
		return -1;
	}
	int rc = libbond_config_set(config, attr, value, &change->error);
	if (rc == 0)
		rc = need_bonds(change, devices, count);
	for (size_t i = 0; rc == 0 && i < count; i++)
		rc = libbond_set(change->handle, devices[i], config, NULL, 0, change->report, &change->error);
	libbond_config_free(config);
	return rc;
}

static int up(struct change *change, const char *bond, const char *const *devices, size_t count)
{
	(void)bond;
	return set_admin(change, devices, count, "up");
}

static int down(struct change *change, const char *bond, const char *const *devices, size_t count)
{
	(void)bond;
	return set_admin(change, devices, count, "down");
}

int verb_up(struct context *context, struct args *args)
{
	return for_all(context, args, NULL, "up needs the name of a bond", up);
}

int verb_down(struct context *context, struct args *args)
{
	return for_all(context, args, NULL, "down needs the name of a bond", down);
}
