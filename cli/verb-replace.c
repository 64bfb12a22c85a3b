/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bondctl replace: a new slave in the place of an old one, without a gap. Sits between command.c and verb-change.c.
 */
#include "command.h"
#include "output.h"
#include "verb-change.h"

static int want(struct change *change, const char *bond, const char *old_slave, const char *new_slave)
{
	int status = change_bond(change, bond, 0, NULL);
	if (status == STATUS_OK && libbond_change_replace(change->wanted, bond, old_slave, new_slave,
	                                                  change->context->settings.wait * 1000, &change->error) < 0)
		status = output_error(&change->error, NULL);
	return status;
}

int verb_replace(struct context *context, struct args *args)
{
	const char *bond = args_operand(args);
	const char *old_slave = bond ? args_operand(args) : NULL;
	const char *new_slave = old_slave ? args_operand(args) : NULL;
	struct change change;

	if (new_slave)
		args_end(args);
	if (args->status != STATUS_OK)
		return args->status;
	if (!new_slave)
		return output_usage("replace needs %s", !bond ? "a bond, the slave that leaves and the one that comes"
		                                        : !old_slave ? "the slave that leaves and the one that comes"
		                                                     : "the interface that takes its place");
	int status = change_begin(&change, context, args);
	if (status == STATUS_OK)
		status = want(&change, bond, old_slave, new_slave);
	return change_end(&change, status);
}
