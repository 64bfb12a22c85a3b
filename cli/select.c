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
	const char **names = selection->names;
	size_t count = selection->count;
	struct libbond_snapshot **snapshots = calloc(count, sizeof(struct libbond_snapshot *));
	struct libbond_error err;
	int status = snapshots ? STATUS_OK : output_no_memory();

	for (size_t i = 0; status == STATUS_OK && i < count; i++)
		if (libbond_read_bond(handle, names[i], flags, &snapshots[i], &err) < 0)
			status = output_error(&err, NULL);
	for (size_t i = 0; status == STATUS_OK && i < count; i++)
		visit(named_bond(snapshots[i], names[i]), cookie);
	for (size_t i = 0; snapshots && i < count; i++)
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

struct gathering {
	struct json_object *array;
	struct json_object *(*render)(const struct libbond_link *bond);
};

static void gather(const struct libbond_link *bond, void *cookie)
{
	struct gathering *gathering = cookie;
	json_object_array_add(gathering->array, gathering->render(bond));
}

int selection_json(const struct selection *selection, struct context *context, unsigned flags,
		   struct json_object *(*render)(const struct libbond_link *bond))
{
	struct gathering gathering = {json_object_new_array(), render};
	int status = selection_visit(selection, context, flags, gather, &gathering);
	struct json_object *result = gathering.array;

	if (status == STATUS_OK && selection->count == 1) {
		result = json_object_get(json_object_array_get_idx(gathering.array, 0));
		json_object_put(gathering.array);
	}
	if (status == STATUS_OK)
		return output_json(result);
	json_object_put(result);
	return status;
}
