/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads bonds for show, list and stats. Sits between those verbs and libbond's reads.
 */
#include "select.h"

#include <stdlib.h>

#include "output.h"

static int read_all(struct libbond *handle, unsigned flags,
                    void (*visit)(const struct libbond_link *bond, void *cookie), void *cookie)
{
	struct libbond_snapshot *snapshot;
	struct libbond_error err;

	if (libbond_read(handle, flags, &snapshot, &err) < 0)
		return output_error(&err, NULL);
	for (size_t i = 0; i < libbond_snapshot_bonds(snapshot); i++)
		visit(libbond_snapshot_bond(snapshot, i), cookie);
	if (libbond_snapshot_bonds(snapshot) == 0)
		output_note(libbond_snapshot_driver(snapshot) == 0
		                    ? "there is no bond here, and the bonding driver is not loaded"
		                    : "there is no bond here");
	libbond_snapshot_free(snapshot);
	return STATUS_OK;
}

static const struct libbond_link *named_bond(const struct libbond_snapshot *snapshot, const char *name)
{
	const struct libbond_link *link = libbond_snapshot_by_name(snapshot, name);
	return link ? link : libbond_snapshot_bond(snapshot, 0);
}

static int read_named(struct libbond *handle, const struct selection *selection, unsigned flags,
                      void (*visit)(const struct libbond_link *bond, void *cookie), void *cookie)
{
	struct libbond_snapshot **snapshots = calloc(selection->count, sizeof(struct libbond_snapshot *));
	struct libbond_error err;
	int status = STATUS_OK;

	if (!snapshots)
		return output_no_memory();
	for (size_t i = 0; status == STATUS_OK && i < selection->count; i++)
		if (libbond_read_bond(handle, selection->names[i], flags, &snapshots[i], &err) < 0)
			status = output_error(&err, NULL);
	for (size_t i = 0; status == STATUS_OK && i < selection->count; i++)
		visit(named_bond(snapshots[i], selection->names[i]), cookie);
	for (size_t i = 0; i < selection->count; i++)
		libbond_snapshot_free(snapshots[i]);
	free(snapshots);
	return status;
}

int selection_read(struct selection *selection, struct args *args)
{
	*selection = (struct selection){.names = calloc((size_t)args->count + 1, sizeof(char *))};
	if (!selection->names)
		return output_no_memory();
	while ((selection->names[selection->count] = args_operand(args)))
		selection->count++;
	return args->status;
}

void selection_free(struct selection *selection)
{
	free(selection->names);
}

int selection_visit(const struct selection *selection, struct context *context, unsigned flags,
                    void (*visit)(const struct libbond_link *bond, void *cookie), void *cookie)
{
	struct libbond *handle;
	int status = context_handle(context, &handle);
	if (status != STATUS_OK)
		return status;
	return selection->count ? read_named(handle, selection, flags, visit, cookie)
	                        : read_all(handle, flags, visit, cookie);
}

struct rendering {
	struct json_object *(*render)(const struct libbond_link *bond);
	bool array, begun;
	int status;
};

static void render_one(const struct libbond_link *bond, void *cookie)
{
	struct rendering *rendering = cookie;
	if (!rendering->array) {
		rendering->status = output_json(rendering->render(bond), STATUS_OK);
		return;
	}
	if (!rendering->begun)
		output_array_begin();
	rendering->begun = true;
	output_array_item(rendering->render(bond));
}

int selection_json(const struct selection *selection, struct context *context, unsigned flags,
                   struct json_object *(*render)(const struct libbond_link *bond))
{
	struct rendering rendering = {.render = render, .array = selection->count != 1};
	int status = selection_visit(selection, context, flags, render_one, &rendering);

	if (status != STATUS_OK || !rendering.array)
		return status != STATUS_OK ? status : rendering.status;
	if (!rendering.begun)
		output_array_begin();
	return output_array_end();
}
