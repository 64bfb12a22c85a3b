/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzzes changes: whatever the kernel says in between, a change ends, fails with a cause, and its report is whole.
 * The first byte chooses the change: a common one, or what a plan is made of. No time passes.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "transport.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct libbond_config *make_config(enum libbond_scope scope, const char *const *words)
{
	struct libbond_config *config;
	if (libbond_config_new(&config) < 0)
		abort();
	for (; *words; words += 2) {
		const struct libbond_attr *attr = libbond_attr_find(scope, words[0]);
		if (!attr)
			attr = libbond_attr_find(LIBBOND_SCOPE_LINK, words[0]);
		if (!attr || libbond_config_set(config, attr, words[1], NULL) < 0)
			abort();
	}
	return config;
}

struct change {
	struct libbond *handle;
	struct libbond_config *config, *options;
	struct libbond_report *report;
	struct libbond_error err;
};

/* The common changes, in one call each. */
static int run_verb(uint8_t choice, struct change *change)
{
	static const char *const bonds[] = {"bond0"}, *const slaves[] = {"eth0", "eth1"};
	const struct libbond_member members[] = {{"eth0", change->options}, {"eth1", NULL}};
	switch (choice) {
	case 0:
		return libbond_set(change->handle, "bond0", change->config, members, 2, 0, change->report,
		                   &change->err);
	case 1:
		return libbond_create(change->handle, "bond0", change->config, members, 2, 0, change->report,
		                      &change->err);
	case 2:
		return libbond_enslave(change->handle, "bond0", slaves, 2, 0, change->report, &change->err);
	case 3:
		return libbond_release(change->handle, "bond0", slaves, 2, 0, change->report, &change->err);
	default:
		return libbond_delete(change->handle, bonds, 1, change->report, &change->err);
	}
}

/* What is wanted of two bonds: bit by bit whether one is exact, is a description, goes, gives a slave away. */
static struct libbond_change *make_change(uint8_t choice, const struct change *change)
{
	unsigned flags = (choice & 1 ? LIBBOND_BOND_EXACT : 0) | (choice & 2 ? LIBBOND_BOND_LENIENT : 0);
	struct libbond_change *out;

	if (libbond_change_new(&out) < 0 ||
	    libbond_change_bond(out, "bond0", flags | LIBBOND_BOND_CREATE, change->config, NULL) < 0 ||
	    libbond_change_slave(out, "bond0", "eth0", LIBBOND_SLAVE_IN, change->options, NULL) < 0)
		abort();
	if ((choice & 4) && libbond_change_replace(out, "bond0", "eth1", "eth2", 100, NULL) < 0)
		abort();
	if ((choice & 8) && libbond_change_bond(out, "bond1", LIBBOND_BOND_DELETE, NULL, NULL) < 0)
		abort();
	if (choice & 16)
		libbond_change_prune(out);
	return out;
}

/* A plan, looked at, run, and taken back. */
static int run_plan(uint8_t choice, struct change *change)
{
	struct libbond_change *wanted = make_change(choice, change);
	struct libbond_plan *plan = NULL;
	struct libbond_step step;
	int rc = libbond_plan(change->handle, wanted, choice >> 5, change->report, &plan, &change->err);

	for (size_t i = 0; rc == 0 && i < libbond_plan_steps(plan); i++)
		if (libbond_plan_step(plan, i, &step) < 0 || !*step.action || !*step.device || !step.bond ||
		    !step.text)
			abort();
	if (rc == 0)
		rc = libbond_plan_run(change->handle, plan, change->report, &change->err);
	if (rc == 0)
		libbond_plan_undo(change->handle, plan, NULL, NULL);
	libbond_plan_free(plan);
	libbond_change_free(wanted);
	return rc;
}

static void check(const struct change *change, int rc)
{
	const struct libbond_error *err = &change->err;
	struct libbond_report_line line;

	if (rc > 0 || (rc < 0 && (err->cause == LIBBOND_CAUSE_NONE || err->errnum != -rc || !*err->message)))
		abort();
	for (size_t i = 0; libbond_report_line(change->report, i, &line) == 0; i++) {
		if (!*line.action || strcmp(libbond_outcome_name(line.outcome), "unknown") == 0)
			abort();
		if (rc == 0 && (line.outcome == LIBBOND_OUTCOME_NOT_TRIED || line.outcome == LIBBOND_OUTCOME_REFUSED))
			abort(); /* success leaves nothing undone */
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const words[] = {"mode",
	                                    "active-backup",
	                                    "miimon",
	                                    "100",
	                                    "updelay",
	                                    "150",
	                                    "arp_ip_target",
	                                    "+10.0.0.1,-10.0.0.2",
	                                    "primary",
	                                    "eth0",
	                                    "mtu",
	                                    "9000",
	                                    "up",
	                                    "on",
	                                    NULL};
	static const char *const options[] = {"prio", "-7", "queue_id", "2", NULL};
	if (size == 0)
		return 0;
	struct fuzz_input input = {.data = data + 1, .size = size - 1};
	struct change change = {.handle = fuzz_open(&input),
	                        .config = make_config(LIBBOND_SCOPE_BOND, words),
	                        .options = make_config(LIBBOND_SCOPE_SLAVE, options)};
	if (libbond_report_new(&change.report) < 0)
		abort();
	check(&change, data[0] < 5 ? run_verb(data[0], &change) : run_plan(data[0], &change));
	libbond_report_free(change.report);
	libbond_config_free(change.config);
	libbond_config_free(change.options);
	libbond_close(change.handle);
	return 0;
}
