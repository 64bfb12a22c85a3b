/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bondctl confirm: tells the change that waits in this namespace that it stays. Sits between command.c and confirm.c.
 */
#include <json-c/json.h>

#include "command.h"
#include "confirm.h"
#include "json.h"
#include "output.h"

static int print_json(const struct confirmed *confirmed)
{
	struct json_object *answer = json_object_new_object();
	json_add(answer, "confirmed", json_object_new_boolean(true));
	json_add(answer, "change", json_text_or_null(confirmed->what));
	json_add(answer, "process", json_object_new_int64(confirmed->by.pid));
	json_add(answer, "user", json_object_new_int64(confirmed->by.uid));
	return output_json(answer, STATUS_OK);
}

int verb_confirm(struct context *context, struct args *args)
{
	struct confirmed confirmed;
	struct libbond *handle; /* knows the namespace */
	char safe[SAFE_SIZE];

	int status = args_end(args);
	if (status == STATUS_OK)
		status = context_handle(context, &handle);
	if (status == STATUS_OK)
		status = confirm_ask(context, &confirmed);
	if (status != STATUS_OK)
		return status;
	if (context->settings.json)
		return print_json(&confirmed);
	printf("confirmed: %s\n", output_safe(confirmed.what, safe));
	return STATUS_OK;
}
