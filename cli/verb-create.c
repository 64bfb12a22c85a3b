/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bondctl create: a bond with options and slaves in one command. Sits between command.c with request.c and
 * verb-change.c.
 */
#include "command.h"
#include "output.h"
#include "request.h"
#include "verb-change.h"

int verb_create(struct context *context, struct args *args)
{
	const char *name = args_operand(args);
	struct request request;
	struct change change;

	if (!name)
		return args->status ? args->status : output_usage("create needs the name of a bond");
	int status = request_read(&request, args, REQUEST_SLAVES);
	if (status == STATUS_OK) {
		status = change_begin(&change, context, args);
		if (status == STATUS_OK)
			status = change_new_bond(&change, name, LIBBOND_BOND_NEW, request.config);
		for (size_t i = 0; status == STATUS_OK && i < request.count; i++)
			status = change_slave(&change, name, request.members[i].name, LIBBOND_SLAVE_IN,
			                      request.members[i].config);
		status = change_end(&change, status);
	}
	request_free(&request);
	return status;
}
