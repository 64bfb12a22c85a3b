/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bondctl set: options of a bond and of its slaves. Sits between command.c with request.c and verb-change.c.
 */
#include "command.h"
#include "output.h"
#include "request.h"
#include "verb-change.h"

int verb_set(struct context *context, struct args *args)
{
	const char *name = args_operand(args);
	struct request request;
	struct change change;

	if (!name)
		return args->status ? args->status : output_usage("set needs the name of a bond");
	int status = request_read(&request, args, 0);
	if (status == STATUS_OK && request.count == 0 && libbond_config_count(request.config) == 0)
		status = output_usage("set needs an option and a value");
	if (status == STATUS_OK) {
		status = change_begin(&change, context, args);
		if (status == STATUS_OK)
			status = change_bond(&change, name, 0, request.config);
		for (size_t i = 0; status == STATUS_OK && i < request.count; i++)
			status = change_slave(&change, name, request.members[i].name, LIBBOND_SLAVE_PRESENT,
			                      request.members[i].config);
		status = change_end(&change, status);
	}
	request_free(&request);
	return status;
}
