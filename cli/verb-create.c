/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bondctl create: a bond with options and slaves in one command. Sits between command.c and
 * libbond_create().
 */
#include "command.h"
#include "output.h"
#include "request.h"
#include "verb-change.h"

/* The driver's default for miimon is 0, which never notices a failure, and module parameters change the
 * defaults of both: what bondctl creates is the same everywhere. */
static int add_defaults(struct libbond_config *config)
{
	const struct libbond_attr *mode = libbond_attr_find(LIBBOND_SCOPE_BOND, "mode");
	const struct libbond_attr *miimon = libbond_attr_find(LIBBOND_SCOPE_BOND, "miimon");
	const struct libbond_attr *arp_interval = libbond_attr_find(LIBBOND_SCOPE_BOND, "arp_interval");
	struct libbond_error err;
	int64_t interval = 0;

	if (!libbond_config_has(config, mode) &&
	    libbond_config_set(config, mode, libbond_attr_default(mode), &err) < 0)
		return output_error(&err, NULL);
	libbond_config_number(config, arp_interval, &interval);
	if (!libbond_config_has(config, miimon) && interval == 0 &&
	    libbond_config_set(config, miimon, "100", &err) < 0)
		return output_error(&err, NULL);
	return STATUS_OK;
}

int verb_create(struct context *context, struct args *args)
{
	const char *name = args_operand(args);
	struct request request;
	struct change change;

	if (!name)
		return args->status ? args->status : output_usage("create needs the name of a bond");
	int status = request_read(&request, args, REQUEST_SLAVES);
	if (status == STATUS_OK)
		status = add_defaults(request.config);
	if (status == STATUS_OK)
		status = change_begin(&change, context);
	if (status == STATUS_OK)
		status = change_end(&change, libbond_create(change.handle, name, request.config, request.members,
		                                            request.count, change.report, &change.error));
	request_free(&request);
	return status;
}
