/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns a document into a change, in view of what is there: a bond that is made gets what create gives it, and what
 * the driver moves by itself is left to it. Sits between document.c and verb-change.c, for apply and diff.
 */
#include "document-want.h"

#include <stdio.h>
#include <string.h>

#include "output.h"
#include "request.h"

int document_of_args(struct document *document, struct context *context, struct args *args, const char *verb)
{
	const char *path = args_operand(args);

	*document = (struct document){0};
	if (path)
		args_end(args);
	if (args->status != STATUS_OK)
		return args->status;
	if (!path)
		return output_usage("%s needs a file, or - for standard input", verb);
	if (context->lines_are_input && strcmp(path, "-") == 0)
		return output_usage("%s cannot read standard input, where the lines of the batch come from", verb);
	return document_read(document, path);
}

static const struct libbond_attr *bond_row(const char *name)
{
	return request_bond_attr(name);
}

/* A word as it will be: as wanted, else as it is. */
static bool will_be(const struct document_bond *bond, const struct libbond_link *present, const char *name,
                    const char *word)
{
	char text[LIBBOND_TEXT_SIZE] = "";
	if (libbond_config_has(bond->config, bond_row(name)))
		libbond_config_text(bond->config, bond_row(name), text, sizeof(text));
	else if (present)
		libbond_link_text(present, bond_row(name), text, sizeof(text));
	return strcmp(text, word) == 0;
}

/* With fail_over_mac the bond's address is that of its active slave, or was that of its first: it moves. */
static bool has_moving_address(const struct document_bond *bond, const struct libbond_link *present)
{
	return libbond_config_has(bond->config, bond_row("address")) &&
	       will_be(bond, present, "mode", "active-backup") &&
	       (will_be(bond, present, "fail_over_mac", "active") ||
	        will_be(bond, present, "fail_over_mac", "follow"));
}

static bool has_address(const struct libbond_link *link, const char *address)
{
	char now[LIBBOND_TEXT_SIZE];
	return link && libbond_link_text(link, bond_row("address"), now, sizeof(now)) > 0 &&
	       strcmp(now, address) == 0;
}

/* Whether a slave to be has the address: one of them gives the bond its own. */
static bool is_slaves_address(const struct document_bond *bond, const struct libbond_snapshot *snapshot,
                              const char *address)
{
	for (size_t i = 0; i < bond->count; i++)
		if (has_address(libbond_snapshot_by_name(snapshot, bond->slaves[i].name), address))
			return true;
	return false;
}

static void leave_address(struct document_bond *bond, const struct libbond_snapshot *snapshot,
                          const struct libbond_link *present)
{
	const struct libbond_attr *address = bond_row("address");
	char wanted[LIBBOND_TEXT_SIZE] = "", now[LIBBOND_TEXT_SIZE] = "";

	if (!has_moving_address(bond, present))
		return;
	libbond_config_text(bond->config, address, wanted, sizeof(wanted));
	libbond_config_unset(bond->config, address);
	if (present ? has_address(present, wanted) : is_slaves_address(bond, snapshot, wanted))
		return;
	if (present)
		libbond_link_text(present, address, now, sizeof(now));
	output_warning(bond->name, "address", "%s: address: with fail_over_mac it is the driver's to choose; it %s%s",
	               bond->name, present ? "stays " : "becomes that of a slave", now);
}

/* Which slave is active is state: a document stays true when the bond fails over. */
static void leave_active(const struct document_bond *bond, const struct libbond_snapshot *snapshot,
                         const struct libbond_link *present)
{
	char now[LIBBOND_TEXT_SIZE] = "";
	int64_t active = 0;

	if (!*bond->active || !present || libbond_link_number(present, bond_row("active_slave"), &active) < 0 ||
	    !active)
		return;
	const struct libbond_link *named = libbond_snapshot_by_name(snapshot, bond->active);
	if (named && libbond_link_ifindex(named) == (unsigned)active)
		return;
	libbond_link_text(present, bond_row("active_slave"), now, sizeof(now));
	output_warning(bond->name, "active_slave",
	               "%s: active_slave: it is state, and not moved by this; it stays %s", bond->name, now);
}

/* --- slaves --- */

static bool is_slave_called(const struct libbond_link *bond, size_t i, const char *name)
{
	return strcmp(libbond_link_name(libbond_link_slave(bond, i)), name) == 0;
}

/* Of those that are slaves already, the order in which the document has them; false if they have joined so. */
static bool is_reordered(const struct document_bond *bond, const struct libbond_link *present)
{
	size_t next = 0;
	for (size_t s = 0; s < libbond_link_slaves(present); s++) {
		size_t at = 0;
		while (at < bond->count && !is_slave_called(present, s, bond->slaves[at].name))
			at++;
		if (at < bond->count && at < next)
			return true;
		next = at < bond->count ? at : next;
	}
	return false;
}

/* The driver has its slaves in the order in which they joined. A bond that is made takes the address of its first. */
static void tell_order(const struct document_bond *bond, const struct libbond_link *present)
{
	char names[8 * LIBBOND_ALTNAME_SIZE];
	size_t used = 0;

	if (!present || libbond_config_has(bond->config, bond_row("address")) || !is_reordered(bond, present))
		return;
	names[0] = '\0';
	for (size_t i = 0; i < libbond_link_slaves(present) && used + LIBBOND_ALTNAME_SIZE < sizeof(names); i++)
		used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s", i ? ", " : "",
		                         libbond_link_name(libbond_link_slave(present, i)));
	output_warning(
		bond->name, "slaves",
		"%s: slaves: they have joined in another order, %s, and stay so; made anew, the bond would have "
		"another address",
		bond->name, names);
}

static int find_slave(struct document_slave *slave, const struct document *document, const struct document_bond *bond,
                      const struct libbond_snapshot *snapshot)
{
	const struct libbond_link *link;
	struct libbond_error err;

	if (libbond_snapshot_by_permanent(snapshot, slave->permanent, &link, &err) < 0) {
		char what[sizeof(err.message)];
		memcpy(what, err.message, sizeof(what));
		snprintf(err.message, sizeof(err.message), "%.60s: %.40s: %.150s", document->source, bond->name,
		         what);
		return output_error(&err, NULL);
	}
	snprintf(slave->name, sizeof(slave->name), "%s", libbond_link_name(link));
	return STATUS_OK;
}

/* Slaves that the document knows by their permanent addresses get their names. */
static int find_slaves(struct document *document, const struct libbond_snapshot *snapshot)
{
	int status = STATUS_OK;
	for (size_t b = 0; b < document->count; b++) {
		struct document_bond *bond = &document->bonds[b];
		for (size_t i = 0; status == STATUS_OK && i < bond->count; i++)
			if (!*bond->slaves[i].name)
				status = find_slave(&bond->slaves[i], document, bond, snapshot);
	}
	return status;
}

static bool has_unnamed(const struct document *document)
{
	for (size_t b = 0; b < document->count; b++)
		for (size_t i = 0; i < document->bonds[b].count; i++)
			if (!*document->bonds[b].slaves[i].name)
				return true;
	return false;
}

/* --- all of it --- */

static int want_bond(struct document_bond *bond, const struct libbond_snapshot *snapshot, struct change *change)
{
	const struct libbond_link *there = libbond_snapshot_by_name(snapshot, bond->name);
	const struct libbond_link *present = there && libbond_link_is_bond(there) ? there : NULL;
	unsigned flags = LIBBOND_BOND_CREATE | LIBBOND_BOND_LENIENT | (bond->lists_slaves ? LIBBOND_BOND_EXACT : 0u);

	leave_address(bond, snapshot, present);
	leave_active(bond, snapshot, present);
	tell_order(bond, present);
	int status = change_new_bond(change, bond->name, flags, bond->config);
	for (size_t i = 0; status == STATUS_OK && i < bond->count; i++)
		status = change_slave(change, bond->name, bond->slaves[i].name, LIBBOND_SLAVE_IN,
		                      bond->slaves[i].config);
	return status;
}

/* Whether a bond is to be made whose address one of its slaves gives it. */
static bool makes_moving_address(const struct document *document, const struct libbond_snapshot *snapshot)
{
	for (size_t b = 0; b < document->count; b++)
		if (!libbond_snapshot_by_name(snapshot, document->bonds[b].name) &&
		    has_moving_address(&document->bonds[b], NULL))
			return true;
	return false;
}

/* The bonds will do, unless it is to be known what other devices have for an address. */
static int read_state(const struct document *document, struct change *change, struct libbond_snapshot **snapshot)
{
	bool all = has_unnamed(document);
	int rc = all ? 0 : libbond_read(change->handle, LIBBOND_READ_NO_STATS, snapshot, &change->error);

	if (rc == 0 && !all && makes_moving_address(document, *snapshot)) {
		libbond_snapshot_free(*snapshot);
		all = true;
	}
	return all ? libbond_read_links(change->handle, LIBBOND_READ_NO_STATS, snapshot, &change->error) : rc;
}

int document_want(struct document *document, struct change *change)
{
	struct libbond_snapshot *snapshot;
	int status = STATUS_OK;

	if (read_state(document, change, &snapshot) < 0)
		return output_error(&change->error, NULL);
	status = find_slaves(document, snapshot);
	for (size_t i = 0; status == STATUS_OK && i < document->count; i++)
		status = want_bond(&document->bonds[i], snapshot, change);
	libbond_snapshot_free(snapshot);
	if (change->context->settings.prune)
		libbond_change_prune(change->wanted);
	return status;
}
