/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every public operation with its first, second, ... last allocation failing in turn: -ENOMEM or success, nothing
 * written, nothing leaked, nothing left half-made, the handle as good as before. Linked with --wrap, so that the
 * library's calls of the allocator come here; the fake transport makes none.
 */
#include <errno.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "account.h"
#include "config.h"
#include "office.h"
#include "unit.h"
#include "words.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
char *__real_strdup(const char *text);
void __real_free(void *old);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
char *__wrap_strdup(const char *text);
void __wrap_free(void *old);

static struct {
	bool armed;
	unsigned calls, fail_at; /* while armed */
	bool failed;
	long live; /* what was allocated and not freed */
} allocator;

static bool must_fail(void)
{
	if (!allocator.armed || ++allocator.calls != allocator.fail_at)
		return false;
	allocator.failed = true;
	return true;
}

static void *count(void *made)
{
	allocator.live += made != NULL;
	return made;
}

void *__wrap_malloc(size_t size)
{
	return must_fail() ? NULL : count(__real_malloc(size));
}

void *__wrap_calloc(size_t items, size_t size)
{
	return must_fail() ? NULL : count(__real_calloc(items, size));
}

void *__wrap_realloc(void *old, size_t size)
{
	if (must_fail())
		return NULL;
	return old ? __real_realloc(old, size) : count(__real_realloc(old, size));
}

char *__wrap_strdup(const char *text)
{
	return must_fail() ? NULL : count(__real_strdup(text));
}

void __wrap_free(void *old)
{
	allocator.live -= old != NULL;
	__real_free(old);
}

/* What an operation works with. Made anew for each allocation that fails. */
struct world {
	struct fake *fake;
	struct libbond *handle;
	struct libbond_config *config, *options;
	struct libbond_member members[2];
	struct libbond_report *report;
	struct libbond_error err;
	void *out; /* what the operation makes */
};

/* One operation: how its world is set up, what is done, how its result is freed (NULL: it has none). */
struct operation {
	const char *name;
	void (*prepare)(struct world *world);
	int (*run)(struct world *world);
	void (*free_out)(void *out);
	void (*check)(const struct world *world, int rc); /* what must hold afterwards, or NULL */
};

static char untouched; /* where out points while nothing was written to it */

static void build(struct world *world, const struct operation *operation)
{
	*world = (struct world){.fake = fake_new(), .out = &untouched};
	world->handle = fake_open(world->fake);
	assert_int_equal(libbond_report_new(&world->report), 0);
	struct fake_link *bond = fake_bond(world->fake, 7, "bond0", 1);
	fake_slave(world->fake, 3, "eth0", bond);
	fake_slave(world->fake, 4, "eth1", bond);
	fake_device(world->fake, 5, "eth2", IFF_UP);
	fake_device(world->fake, 6, "eth3", IFF_UP);
	fake_address(world->fake, 5, "192.0.2.5");
	if (operation->prepare)
		operation->prepare(world);
}

static void tear_down(struct world *world, const struct operation *operation)
{
	if (world->out != &untouched && operation->free_out)
		operation->free_out(world->out);
	libbond_config_free(world->config);
	libbond_config_free(world->options);
	libbond_report_free(world->report);
	libbond_close(world->handle);
}

/* An error of memory leaves no dump unread and no answer unexpected. */
static void check_handle(struct world *world)
{
	struct libbond_snapshot *snapshot;
	struct libbond_error err = {0};
	if (libbond_read_links(world->handle, 0, &snapshot, &err) < 0)
		unit_fail("the handle is of no use any more: %s", err.message);
	libbond_snapshot_free(snapshot);
}

/* Run it with allocation "fail_at" failing. False when it needed fewer. */
static bool run_once(const struct operation *operation, unsigned fail_at)
{
	long live = allocator.live;
	struct world world;

	build(&world, operation);
	allocator.calls = 0;
	allocator.fail_at = fail_at;
	allocator.failed = false;
	allocator.armed = true;
	int rc = operation->run(&world);
	allocator.armed = false;

	bool failed = allocator.failed;
	if (!failed && rc != 0)
		unit_fail("%s: %s", operation->name, world.err.message);
	if (rc != 0 && (rc != -ENOMEM || world.err.cause != LIBBOND_CAUSE_MEMORY))
		unit_fail("%s without allocation %u: %d, %s: %s", operation->name, fail_at, rc,
		          libbond_cause_name(world.err.cause), world.err.message);
	if (rc != 0 && world.out != &untouched)
		unit_fail("%s without allocation %u: failed and wrote its result", operation->name, fail_at);
	if (operation->check)
		operation->check(&world, rc);
	check_handle(&world);
	tear_down(&world, operation);
	if (allocator.live != live)
		unit_fail("%s without allocation %u: %ld allocations leaked", operation->name, fail_at,
		          allocator.live - live);
	return failed;
}

static void try_all(const struct operation *operation, unsigned at_least)
{
	unsigned fail_at = 1;
	while (run_once(operation, fail_at))
		if (++fail_at > 10000)
			unit_fail("%s allocates for ever", operation->name);
	print_message("# %s: %u allocations\n", operation->name, fail_at - 1);
	assert_true(fail_at - 1 >= at_least);
}

/* --- configs and reports --- */

static int run_config_new(struct world *world)
{
	struct libbond_config *config;
	int rc = libbond_config_new(&config);
	if (rc == 0)
		world->out = config;
	else
		world->err.cause = LIBBOND_CAUSE_MEMORY; /* it has no error of its own */
	return rc;
}

static void free_config(void *out)
{
	libbond_config_free(out);
}

static void prepare_config(struct world *world)
{
	world->config = unit_config("mode 1 arp_ip_target +10.0.0.1,-10.0.0.2 ns_ip6_target +fe80::1");
}

static int run_config_set(struct world *world)
{
	int rc = libbond_config_set(world->config, BOND("miimon"), "100", &world->err);
	if (rc == 0)
		rc = libbond_config_set(world->config, BOND("arp_ip_target"), "+10.0.0.3,-10.0.0.4", &world->err);
	if (rc == 0)
		rc = libbond_config_set(world->config, LINK("mtu"), "9000", &world->err);
	return rc;
}

static void check_config_set(const struct world *world, int rc)
{
	char text[64];
	/* what was wanted before is still wanted */
	libbond_config_text(world->config, BOND("arp_ip_target"), text, sizeof(text));
	assert_true(strcmp(text, "+10.0.0.1,-10.0.0.2") == 0 || strcmp(text, "+10.0.0.3,-10.0.0.4") == 0);
	assert_true(libbond_config_has(world->config, BOND("mode")));
	assert_int_equal(libbond_config_count(world->config) == 5, rc == 0);
}

static int run_config_copy(struct world *world)
{
	struct libbond_config *config;
	int rc = lb_config_copy(world->config, &config);
	if (rc == 0)
		world->out = config;
	else
		world->err.cause = LIBBOND_CAUSE_MEMORY;
	return rc;
}

static int run_report_new(struct world *world)
{
	struct libbond_report *report;
	int rc = libbond_report_new(&report);
	if (rc == 0)
		world->out = report;
	else
		world->err.cause = LIBBOND_CAUSE_MEMORY;
	return rc;
}

static void free_report(void *out)
{
	libbond_report_free(out);
}

static void configs_without_memory(void **state)
{
	static const struct operation operations[] = {
		{"libbond_config_new", NULL, run_config_new, free_config, NULL},
		{"libbond_config_set", prepare_config, run_config_set, NULL, check_config_set},
		{"lb_config_copy", prepare_config, run_config_copy, free_config, NULL},
		{"libbond_report_new", NULL, run_report_new, free_report, NULL},
	};
	(void)state;
	for (size_t i = 0; i < COUNT(operations); i++)
		try_all(&operations[i], 1);
}

/* --- handles --- */

static int run_open(struct world *world)
{
	struct libbond *handle;
	int rc = libbond_open_transport(&handle, &world->fake->transport, &world->err);
	if (rc == 0)
		world->out = handle;
	else
		assert_int_equal(world->fake->closed, 0); /* the transport is left to the caller */
	return rc;
}

static void free_handle(void *out)
{
	libbond_close(out);
}

static void handles_without_memory(void **state)
{
	static const struct operation open = {"libbond_open_transport", NULL, run_open, free_handle, NULL};
	(void)state;
	try_all(&open, 1);
}

/* --- reads --- */

static int keep_snapshot(struct world *world, int rc, struct libbond_snapshot *snapshot)
{
	if (rc == 0)
		world->out = snapshot;
	return rc;
}

static int run_read(struct world *world)
{
	struct libbond_snapshot *snapshot = NULL;
	int rc = libbond_read(world->handle, 0, &snapshot, &world->err);
	return keep_snapshot(world, rc, snapshot);
}

static int run_read_bond(struct world *world)
{
	struct libbond_snapshot *snapshot = NULL;
	int rc = libbond_read_bond(world->handle, "bond0", 0, &snapshot, &world->err);
	return keep_snapshot(world, rc, snapshot);
}

static int run_read_links(struct world *world)
{
	struct libbond_snapshot *snapshot = NULL;
	int rc = libbond_read_links(world->handle, 0, &snapshot, &world->err);
	return keep_snapshot(world, rc, snapshot);
}

static void free_snapshot(void *out)
{
	libbond_snapshot_free(out);
}

static void prepare_bridge(struct world *world)
{
	fake_add(world->fake, 20, "br0", "bridge", IFF_UP);
	fake_u32(fake_find(world->fake, "bond0"), LIBBOND_SCOPE_LINK, LB_IFLA_MASTER, 20);
}

static void prepare_many(struct world *world)
{
	char name[16];
	for (unsigned i = 1; i < 20; i++) {
		snprintf(name, sizeof(name), "bond%u", i);
		struct fake_link *bond = fake_bond(world->fake, 100 + i, name, 1);
		snprintf(name, sizeof(name), "port%u", i);
		fake_slave(world->fake, 200 + i, name, bond);
	}
}

static void reads_without_memory(void **state)
{
	static const struct operation operations[] = {
		{"libbond_read", NULL, run_read, free_snapshot, NULL},
		{"libbond_read of many", prepare_many, run_read, free_snapshot, NULL},
		{"libbond_read_bond", NULL, run_read_bond, free_snapshot, NULL},
		{"libbond_read_bond in a bridge", prepare_bridge, run_read_bond, free_snapshot, NULL},
		{"libbond_read_links", prepare_many, run_read_links, free_snapshot, NULL},
	};
	(void)state;
	for (size_t i = 0; i < COUNT(operations); i++)
		try_all(&operations[i], 4);
}

/* --- changes --- */

/* Lines of a report after a failure: nothing says that the kernel refused. */
static void check_report(const struct world *world)
{
	for (size_t i = 0; i < libbond_report_count(world->report); i++) {
		struct libbond_report_line line;
		assert_int_equal(libbond_report_line(world->report, i, &line), 0);
		if (line.outcome == LIBBOND_OUTCOME_REFUSED || line.outcome == LIBBOND_OUTCOME_IGNORED)
			unit_fail("%s %s is %s for lack of memory", line.device,
			          line.attr ? line.attr->name : line.action, libbond_outcome_name(line.outcome));
		assert_non_null(line.value);
	}
}

static void prepare_set(struct world *world)
{
	world->config = unit_config("miimon 100 arp_ip_target +10.0.0.1 primary eth0 fail_over_mac none mtu 9000");
	world->options = unit_slave_config("prio 5 queue_id 2");
	world->members[0] = (struct libbond_member){"eth0", world->options};
	world->members[1] = (struct libbond_member){"eth1", NULL};
}

static int run_set(struct world *world)
{
	return libbond_set(world->handle, "bond0", world->config, world->members, 2, 0, world->report, &world->err);
}

static void check_set(const struct world *world, int rc)
{
	check_report(world);
	assert_int_equal(libbond_config_count(world->config), 5); /* the caller's own is never touched */
	if (rc == 0)
		assert_int_equal(libbond_report_count(world->report), 7);
}

static void prepare_create(struct world *world)
{
	world->config = unit_config("mode 1 miimon 100 ns_ip6_target fe80::1 primary eth2 active_slave eth2 up on");
	world->options = unit_slave_config("prio 5");
	world->members[0] = (struct libbond_member){"eth2", world->options};
	world->members[1] = (struct libbond_member){"eth3", NULL};
}

static int run_create(struct world *world)
{
	return libbond_create(world->handle, "bond1", world->config, world->members, 2, 0, world->report,
	                      &world->err);
}

static void check_create(const struct world *world, int rc)
{
	check_report(world);
	if (rc == 0) {
		assert_non_null(fake_find(world->fake, "bond1"));
		return;
	}
	/* all or nothing: no bond, and the slaves to be are up as they were */
	if (fake_find(world->fake, "bond1"))
		unit_fail("bond1 is left: %s; %s; rolled back %d", world->err.message, world->err.hint,
		          world->err.rolled_back);
	assert_true(fake_find(world->fake, "eth2")->flags & IFF_UP);
	assert_true(fake_find(world->fake, "eth3")->flags & IFF_UP);
}

static int run_enslave(struct world *world)
{
	static const char *const slaves[] = {"eth2", "eth3"};
	return libbond_enslave(world->handle, "bond0", slaves, 2, 0, world->report, &world->err);
}

static int run_release(struct world *world)
{
	static const char *const slaves[] = {"eth0", "eth1"};
	return libbond_release(world->handle, "bond0", slaves, 2, 0, world->report, &world->err);
}

static int run_delete(struct world *world)
{
	static const char *const bonds[] = {"bond0"};
	return libbond_delete(world->handle, bonds, 1, world->report, &world->err);
}

static void check_lines(const struct world *world, int rc)
{
	(void)rc;
	check_report(world);
}

static void changes_without_memory(void **state)
{
	static const struct operation operations[] = {
		{"libbond_set", prepare_set, run_set, NULL, check_set},
		{"libbond_create", prepare_create, run_create, NULL, check_create},
		{"libbond_enslave", NULL, run_enslave, NULL, check_lines},
		{"libbond_release", NULL, run_release, NULL, check_lines},
		{"libbond_delete", NULL, run_delete, NULL, check_lines},
	};
	(void)state;
	for (size_t i = 0; i < COUNT(operations); i++)
		try_all(&operations[i], 5);
}

/* --- plans --- */

/* The change at work, and the machine before it and after. */
static const struct scenario *scenario;
static struct libbond_change *change;
static struct libbond_plan *plan;
static struct fake_state before, after;

static void prepare_plan(struct world *world)
{
	world->fake->link_count = world->fake->record_count = 0;
	office_build(world->fake);
	fake_save(world->fake, &before);
	change = unit_change(scenario->change);
	plan = NULL;
}

static int run_plan(struct world *world)
{
	int rc = libbond_plan(world->handle, change, scenario->flags, world->report, &plan, &world->err);
	return rc < 0 ? rc : libbond_plan_run(world->handle, plan, world->report, &world->err);
}

static void prepare_undo(struct world *world)
{
	prepare_plan(world);
	if (run_plan(world) < 0)
		unit_fail("%s: %s", scenario->sentence, world->err.message);
}

static int run_undo(struct world *world)
{
	return libbond_plan_undo(world->handle, plan, world->report, &world->err);
}

static void complain(void *context, const char *sentence)
{
	const struct world *world = context;
	char text[8192];
	unit_fail("%s without allocation %u: %s: %s; rolled back %d; %s; %s", scenario->sentence, allocator.fail_at,
	          sentence, world->err.message, world->err.rolled_back, world->err.hint,
	          unit_report_text(world->report, 0, text, sizeof(text)));
}

/* Without memory nothing is done by halves: or it is said. */
static void check_account(const struct world *world, int rc)
{
	const struct account account = {rc, &world->err, world->report, &before, &after, NULL};
	fake_save(world->fake, &after);
	if (rc < 0)
		account_check(&account, complain, (void *)(uintptr_t)world);
	libbond_plan_free(plan);
	libbond_change_free(change);
}

static void plans_without_memory(void **state)
{
	static const struct operation operation = {"a change", prepare_plan, run_plan, NULL, check_account};
	(void)state;
	for (size_t i = 0; i < scenario_count; i++) {
		scenario = &scenarios[i];
		try_all(&operation, 50);
	}
}

static void undoing_without_memory(void **state)
{
	static const struct operation operation = {"undoing", prepare_undo, run_undo, NULL, check_account};
	(void)state;
	for (size_t i = 0; i < scenario_count; i++) {
		scenario = &scenarios[i];
		if (!strstr(scenario->change, "bond0 @delete")) /* which cannot be undone whole */
			try_all(&operation, 10);
	}
}

/* --- probe --- */

static int run_probe(struct world *world)
{
	struct libbond_probe *probe;
	int rc = libbond_probe(world->handle, &probe, &world->err);
	if (rc == 0)
		world->out = probe;
	return rc;
}

static void free_probe(void *out)
{
	libbond_probe_free(out);
}

static void a_probe_without_memory(void **state)
{
	static const struct operation probe = {"libbond_probe", NULL, run_probe, free_probe, NULL};
	(void)state;
	try_all(&probe, 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("configs and reports run out of memory without losing what they had", configs_without_memory),
		TEST("a handle that runs out of memory leaves the transport to the caller", handles_without_memory),
		TEST("reads run out of memory without a leak", reads_without_memory),
		TEST("changes run out of memory without a leak, and a creation without a trace",
	             changes_without_memory),
		TEST("any change runs out of memory without a trace, or says what is left", plans_without_memory),
		TEST("undoing runs out of memory without a leak, and says what is left", undoing_without_memory),
		TEST("a probe runs out of memory without a leak", a_probe_without_memory),
	};
	return cmocka_run_group_tests_name("alloc", tests, NULL, NULL);
}
