/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a network namespace is named and what is said when there is none. Tests lib/netns.c and libbond_open() without
 * entering any: a namespace that is there needs privileges, and is the live tests'.
 */
#include "netns.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "unit.h"

static int must_not_run(void *context)
{
	*(bool *)context = true;
	return 0;
}

/* Refused with NO_NETNS; nothing was run. */
static void assert_none(const char *netns, int errnum, const char *hint)
{
	struct libbond_error err = {0};
	bool ran = false;
	int rc = lb_netns_run(netns, false, must_not_run, &ran, &err);

	if (rc != -errnum || ran)
		unit_fail("'%.60s': %d, %s", netns, rc, err.message);
	unit_assert_error(&err, LIBBOND_CAUSE_NO_NETNS, errnum, NULL);
	unit_assert_text("hint", hint, err.hint);
	assert_int_equal(lb_netns_run(netns, false, must_not_run, &ran, NULL), -errnum);
}

static void names_that_are_not_there(void **state)
{
	(void)state;
	assert_none("no-such-namespace", ENOENT, "ip netns list");
	assert_none("-1", ENOENT, "ip netns list"); /* no process id */
	assert_none("1e3", ENOENT, "ip netns list");
	assert_none(" 1", ENOENT, "ip netns list");
	assert_none("no such namespace", ENOENT, "ip netns list");
}

static void processes_that_are_not_there(void **state)
{
	(void)state;
	/* beyond PID_MAX_LIMIT, and beyond every number */
	assert_none("4194305", ENOENT, "");
	assert_none("99999999999999999999999999", ENOENT, "");
}

static void paths_that_are_not_there(void **state)
{
	(void)state;
	assert_none("/no/such/path", ENOENT, "");
	assert_none("./no-such-file", ENOENT, "");
	assert_none("no-such-folder/x", ENOENT, "");
}

static void files_that_are_no_namespace(void **state)
{
	struct libbond_error err = {0};
	bool ran = false;
	(void)state;
	/* the kernel says so only when it is asked to enter; before that it may miss the privilege */
	int rc = lb_netns_run("/dev/null", false, must_not_run, &ran, &err);
	assert_true(rc == -EINVAL || rc == -EPERM);
	assert_false(ran);
	if (rc == -EINVAL) {
		unit_assert_error(&err, LIBBOND_CAUSE_NO_NETNS, EINVAL, NULL);
		unit_assert_contains("'/dev/null' is not a network namespace", err.message);
	}
	rc = lb_netns_run("/proc/self/ns/mnt", false, must_not_run, &ran, &err); /* a namespace of another kind */
	assert_true(rc == -EINVAL || rc == -EPERM);
	assert_false(ran);
}

static void a_path_that_is_too_long(void **state)
{
	char path[8192];
	(void)state;
	memset(path, 'x', sizeof(path));
	path[sizeof(path) - 1] = '\0';
	assert_none(path, ENAMETOOLONG, "ip netns list");
	path[0] = '/';
	assert_none(path, ENAMETOOLONG, "");
}

static void open_without_a_namespace(void **state)
{
	struct libbond *handle = (void *)1;
	struct libbond_error err = {0};
	(void)state;
	assert_int_equal(libbond_open(&handle, "no-such-namespace", 0, &err), -ENOENT);
	unit_assert_error(&err, LIBBOND_CAUSE_NO_NETNS, ENOENT, NULL);
	assert_int_equal(libbond_open(&handle, "no-such-namespace", 0, NULL), -ENOENT);
	assert_ptr_equal(handle, (void *)1);
	/* the present one: netlink sockets need no privilege */
	assert_int_equal(libbond_open(&handle, NULL, 0, &err), 0);
	libbond_close(handle);
	assert_int_equal(libbond_open(&handle, "", 0, &err), 0);
	libbond_close(handle);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("a name below /run/netns that is not there is no namespace, and how to list them is said",
	             names_that_are_not_there),
		TEST("a process that is not there has no namespace", processes_that_are_not_there),
		TEST("a path that is not there is no namespace", paths_that_are_not_there),
		TEST("a file that is something else is no namespace", files_that_are_no_namespace),
		TEST("a path that is too long is no namespace", a_path_that_is_too_long),
		TEST("a handle is opened in the present namespace, and in none that is not there",
	             open_without_a_namespace),
	};
	return cmocka_run_group_tests_name("netns", tests, NULL, NULL);
}
