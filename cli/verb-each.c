/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The verbs that do one thing to several devices: enslave, release, delete, up, down. All of it is one change. Sits
 * between command.c and verb-change.c.
 */
#include <stdlib.h>

#include "command.h"
#include "output.h"
#include "verb-change.h"

/* What is wanted of one device; bond is NULL where the device is the bond, config where there is nothing to set. */
typedef int deed(struct change *change, const char *bond, const char *device, const struct libbond_config *config);

/* A config of one word that stands alone ("up"), or none for NULL. */
static int make_config(struct libbond_config **config, const char *word)
{
	const char *value = NULL;
	struct libbond_error err;

	*config = NULL;
	if (!word)
		return STATUS_OK;
	const struct libbond_attr *attr = libbond_attr_alone(LIBBOND_SCOPE_LINK, word, &value);
	if (libbond_config_new(config) < 0)
		return output_no_memory();
	return libbond_config_set(*config, attr, value, &err) < 0 ? output_error(&err, NULL) : STATUS_OK;
}

static int want_all(struct change *change, const char *bond, const char *const *devices, const char *word, deed *want)
{
	struct libbond_config *config;
	int status = make_config(&config, word);

	if (status == STATUS_OK && bond)
		status = change_bond(change, bond, 0, NULL);
	for (size_t i = 0; status == STATUS_OK && devices[i]; i++)
		status = want(change, bond, devices[i], config);
	libbond_config_free(config);
	return status;
}

static int for_all(struct context *context, struct args *args, const char *bond, const char *needs, const char *word,
                   deed *want)
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
	if (status == STATUS_OK) {
		status = change_begin(&change, context, args);
		if (status == STATUS_OK)
			status = want_all(&change, bond, devices, word, want);
		status = change_end(&change, status);
	}
	free(devices);
	return status;
}

static int enslave(struct change *change, const char *bond, const char *device, const struct libbond_config *config)
{
	return change_slave(change, bond, device, LIBBOND_SLAVE_IN, config);
}

int verb_enslave(struct context *context, struct args *args)
{
	const char *bond = args_operand(args);
	if (!bond)
		return args->status ? args->status : output_usage("enslave needs a bond and an interface");
	return for_all(context, args, bond, "enslave needs an interface", NULL, enslave);
}

static int release(struct change *change, const char *bond, const char *device, const struct libbond_config *config)
{
	const struct settings *settings = &change->context->settings;
	return change_slave(change, bond, device, LIBBOND_SLAVE_OUT, settings->up ? config : NULL);
}

int verb_release(struct context *context, struct args *args)
{
	const char *bond = args_operand(args);
	if (!bond)
		return args->status ? args->status : output_usage("release needs a bond and a slave");
	return for_all(context, args, bond, "release needs a slave", "up", release);
}

static int delete_one(struct change *change, const char *bond, const char *device,
                      const struct libbond_config *config)
{
	(void)bond;
	return change_bond(change, device, LIBBOND_BOND_DELETE, config);
}

int verb_delete(struct context *context, struct args *args)
{
	return for_all(context, args, NULL, "delete needs the name of a bond", NULL, delete_one);
}

static int set_one(struct change *change, const char *bond, const char *device, const struct libbond_config *config)
{
	(void)bond;
	return change_bond(change, device, 0, config);
}

int verb_up(struct context *context, struct args *args)
{
	return for_all(context, args, NULL, "up needs the name of a bond", "up", set_one);
}

int verb_down(struct context *context, struct args *args)
{
	return for_all(context, args, NULL, "down needs the name of a bond", "down", set_one);
}
