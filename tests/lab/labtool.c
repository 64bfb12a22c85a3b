/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Drives cli/lab as its users will, one command a run, and prints what happened as "key value" lines. Sits between
 * lab.bats, which reads them, and the laboratory. With --user first, it enters a user namespace where it must.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "lab/child.h"
#include "lab/clock.h"
#include "lab/inet.h"
#include "lab/links.h"
#include "lab/netns.h"
#include "lab/qdisc.h"
#include "lab/reach.h"
#include "lab/topology.h"
#include "lab/user.h"

/* LACP has been seen to take more than 20 s; its slow period is 30 s */
#define READY_MS 40000
#define GONE_MS 5000
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static int fail(const struct libbond_error *err)
{
	fprintf(stderr, "labtool: %s (%s, errno %d)\n", err->message, libbond_cause_name(err->cause), err->errnum);
	if (err->kernel[0])
		fprintf(stderr, "  kernel: %s\n", err->kernel);
	if (err->hint[0])
		fprintf(stderr, "  try: %s\n", err->hint);
	return 1;
}

static int fail_errno(const char *what, int rc)
{
	fprintf(stderr, "labtool: %s: %s\n", what, strerror(-rc));
	return 1;
}

static unsigned number(int count, char **words, int i, unsigned otherwise)
{
	return i < count ? (unsigned)strtoul(words[i], NULL, 10) : otherwise;
}

static int64_t ms_since(int64_t start_ns)
{
	return (lab_now_ns() - start_ns) / 1000000;
}

/* --- namespaces --- */

static int print_devices(void *context)
{
	char line[256];
	FILE *file = fopen("/proc/thread-self/net/dev", "r");
	(void)context;

	if (!file)
		return -errno;
	for (int n = 0; fgets(line, sizeof(line), file); n++)
		if (n >= 2)
			printf("device %.*s\n", (int)strcspn(line + strspn(line, " "), ":"),
			       line + strspn(line, " "));
	fclose(file);
	return 0;
}

/* netns: one is made, entered, named by path, watched, and goes */
static int command_netns(int count, char **words)
{
	char path[LAB_NETNS_PATH_SIZE];
	int fd, watch;
	(void)count, (void)words;

	int rc = lab_netns_new(&fd);
	if (rc < 0)
		return fail_errno("new", rc);
	rc = lab_netns_call(fd, print_devices, NULL);
	if (rc < 0)
		return fail_errno("call", rc);
	printf("path %s\n", access(lab_netns_path(fd, path), R_OK) == 0 ? "readable" : strerror(errno));
	printf("cloexec %d\n", fcntl(fd, F_GETFD));
	rc = lab_netns_watch(fd, &watch);
	if (rc < 0)
		return fail_errno("watch", rc);
	lab_pause_ms(200);
	printf("gone-while-open %d\n", lab_netns_is_gone(watch));
	close(fd);
	int64_t end = lab_now_ns() + lab_ms(GONE_MS);
	while (!lab_netns_is_gone(watch) && lab_now_ns() < end)
		lab_pause_ms(5);
	printf("gone-after-close %d\n", lab_netns_is_gone(watch));
	return 0;
}

/* --- children --- */

static int print_child(struct lab_child *child)
{
	struct lab_child_result result;
	char text[80];
	size_t length;
	int rc = lab_child_wait(child, -1);

	lab_child_result(child, &result);
	const char *output = lab_child_text(child, LAB_STDOUT, &length);
	printf("wait %d\nend %s\nms %" PRId64 "\n", rc, lab_child_describe(&result, text, sizeof(text)),
	       (result.ended_ns - result.started_ns) / 1000000);
	printf("wrote %" PRIu64 " %" PRIu64 "\nkept %zu\n", result.bytes[LAB_STDOUT], result.bytes[LAB_STDERR],
	       length);
	printf("stdout %.*s\n", (int)strcspn(output, "\n"), output);
	output = lab_child_text(child, LAB_STDERR, NULL);
	printf("stderr %.*s\n", (int)strcspn(output, "\n"), output);
	printf("kill %s\n", lab_child_kill(child, SIGKILL) == -ESRCH ? "too late" : "sent");
	rc = lab_child_free(child);
	printf("free %d\n", rc);
	return 0;
}

/* child MS PROGRAM...: in a namespace of its own, under a deadline */
static int command_child(int count, char **words)
{
	struct lab_child_spec spec = {.argv = (const char *const *)(words + 1)};
	struct libbond_error err;
	struct lab_child *child;

	spec.deadline_ms = count > 1 ? number(count, words, 0, 0) : 0;
	int rc = lab_netns_new(&spec.netns);
	if (rc < 0)
		return fail_errno("new", rc);
	return lab_child_start(&child, &spec, &err) < 0 ? fail(&err) : print_child(child);
}

/* term PROGRAM...: ended by SIGTERM as soon as it has said something */
static int command_term(int count, char **words)
{
	const struct lab_child_spec spec = {.argv = (const char *const *)words, .netns = -1, .deadline_ms = 20000};
	struct libbond_error err;
	struct lab_child *child;
	char said[8] = "";
	(void)count;

	if (lab_child_start(&child, &spec, &err) < 0)
		return fail(&err);
	while (lab_child_copy(child, LAB_STDOUT, 2, said, sizeof(said) - 1) == 0 && lab_child_wait(child, 10) < 0)
		;
	printf("said %.*s\nsent %d\n", (int)strcspn(said, "\n"), said, lab_child_kill(child, SIGTERM));
	return print_child(child);
}

struct starting {
	const struct lab_child_spec *spec;
	struct lab_child *child;
	int rc;
};

static void *start_and_leave(void *argument)
{
	struct starting *starting = argument;
	starting->rc = lab_child_start(&starting->child, starting->spec, NULL);
	return NULL;
}

/* thread MS PROGRAM...: started by a thread that has ended before the child does */
static int command_thread(int count, char **words)
{
	const struct lab_child_spec spec = {
		.argv = (const char *const *)(words + 1), .netns = -1, .deadline_ms = number(count, words, 0, 0)};
	struct starting starting = {.spec = &spec};
	pthread_t thread;

	pthread_create(&thread, NULL, start_and_leave, &starting);
	pthread_join(thread, NULL);
	return starting.rc < 0 ? fail_errno("start", starting.rc) : print_child(starting.child);
}

/* children MS COUNT PROGRAM...: so many at once; they are waited for by their descriptors */
static int command_children(int count, char **words)
{
	struct lab_child *children[64];
	unsigned wanted = number(count, words, 1, 1), alive = 0, before = 0;
	const struct lab_child_spec spec = {
		.argv = (const char *const *)(words + 2), .netns = -1, .deadline_ms = number(count, words, 0, 0)};
	struct libbond_error err;

	while (alive < wanted && alive < COUNT(children))
		if (lab_child_start(&children[alive++], &spec, &err) < 0)
			return fail(&err);
	for (unsigned i = 0; i < alive; i++)
		before += lab_child_wait(children[i], 0) == 0;
	printf("started %u\nended-at-once %u\n", alive, before);
	for (unsigned i = 0; i < alive; i++)
		if (lab_child_free(children[i]) < 0)
			return fail_errno("free", -EBUSY);
	return 0;
}

/* --- laboratories --- */

static void print_ending(const struct lab_ending *ending, int rc)
{
	printf("devices %d %d\n", ending->devices[LAB_NEAR], ending->devices[LAB_FAR]);
	printf("expected %d %d\n", ending->expected[LAB_NEAR], ending->expected[LAB_FAR]);
	printf("gone %d %d\n", ending->gone[LAB_NEAR], ending->gone[LAB_FAR]);
	printf("free %s\nteardown-ms %" PRId64 "\n", rc == 0 ? "0" : strerror(-rc), ending->teardown_ns / 1000000);
}

static int end_lab(struct lab *lab)
{
	struct lab_ending ending;
	int rc = lab_free(lab, GONE_MS, &ending);
	print_ending(&ending, rc);
	return 0;
}

static int start_lab(struct lab **out, const struct lab_spec *spec)
{
	struct libbond_error err;
	int64_t start = lab_now_ns();

	if (lab_new(out, spec, &err) < 0)
		return fail(&err);
	printf("built-ms %" PRId64 "\n", ms_since(start));
	start = lab_now_ns();
	if (lab_wait_ready(*out, READY_MS, &err) < 0) {
		lab_free(*out, 0, NULL);
		return fail(&err);
	}
	printf("ready-ms %" PRId64 "\n", ms_since(start));
	return 0;
}

/* lab MODE [SLAVES [BONDS [RATE [MTU [PROGRAM...]]]]]: built, ready; the program is run in the near namespace; ended
 */
static int command_lab(int count, char **words)
{
	const struct lab_spec spec = {.mode = number(count, words, 0, 0),
	                              .slaves = number(count, words, 1, 2),
	                              .bonds = number(count, words, 2, 1),
	                              .rate = number(count, words, 3, 0),
	                              .mtu = number(count, words, 4, 0)};
	struct libbond_error err;
	struct lab *lab;

	if (start_lab(&lab, &spec))
		return 1;
	for (enum lab_side side = LAB_NEAR; count > 5 && side < LAB_SIDES; side++) {
		const struct lab_child_spec child_spec = {.argv = (const char *const *)(words + 5),
		                                          .netns = lab_net_fd(lab_net(lab, side)),
		                                          .deadline_ms = 10000};
		struct lab_child *child;
		if (lab_child_start(&child, &child_spec, &err) < 0)
			return fail(&err);
		lab_child_wait(child, -1);
		printf("run %s\n", lab_child_text(child, LAB_STDOUT, NULL));
		lab_child_free(child);
	}
	return end_lab(lab);
}

/* What of a leg is seen: carrier at the near end, and whether a datagram comes back. */
static void print_leg(const struct lab *lab, struct lab_reach *reach, const char *when, bool echoes)
{
	lab_pause_ms(300); /* miimon is 100 ms */
	int running = lab_link_running(lab_net(lab, LAB_NEAR), "leg0");
	/* without a wish for an echo, it is not waited for that long */
	printf("%s running %d echo %d\n", when, running, lab_reach_try(reach, echoes ? 2000 : 400));
}

/* leg MODE: the only leg of a bond loses carrier, gets it, falls silent, carries again */
static int command_leg(int count, char **words)
{
	const struct lab_spec spec = {.mode = number(count, words, 0, 0), .slaves = 1, .bonds = 1};
	struct libbond_error err;
	struct lab_reach *reach;
	struct lab *lab;

	if (start_lab(&lab, &spec))
		return 1;
	int rc = lab_reach_new(&reach, lab, 0, AF_INET);
	if (rc < 0)
		return fail_errno("reach", rc);
	print_leg(lab, reach, "at-first", true);
	if (lab_leg_carrier(lab, 0, false, &err) < 0)
		return fail(&err);
	print_leg(lab, reach, "no-carrier", false);
	if (lab_leg_carrier(lab, 0, true, &err) < 0 || lab_wait_ready(lab, READY_MS, &err) < 0)
		return fail(&err);
	print_leg(lab, reach, "carrier", true);
	for (int twice = 0; twice < 2; twice++)
		if (lab_leg_silence(lab, 0, true, &err) < 0)
			return fail(&err);
	print_leg(lab, reach, "silent", false);
	for (int twice = 0; twice < 2; twice++)
		if (lab_leg_silence(lab, 0, false, &err) < 0)
			return fail(&err);
	if (lab_wait_ready(lab, READY_MS, &err) < 0)
		return fail(&err);
	print_leg(lab, reach, "audible", true);
	lab_reach_free(reach);
	return end_lab(lab);
}

/* Until an iperf3 that serves says that it listens; it has ended if it does not. */
static void wait_for_listener(struct lab_child *server)
{
	char said[256] = "";

	while (!strstr(said, "Server listening") && lab_child_wait(server, 10) < 0)
		lab_child_copy(server, LAB_STDOUT, 0, said, sizeof(said) - 1);
}

/* speed RATE: what iperf3 gets through one leg of that rate, in bits a second */
static int command_speed(int count, char **words)
{
	static const char *const argv[LAB_SIDES][8] = {
		[LAB_NEAR] = {"iperf3", "-c", "198.18.0.2", "-J", "-t", "1", NULL},
		[LAB_FAR] = {"iperf3", "-s", "-1", "--forceflush", NULL},
	};
	const struct lab_spec spec = {
		.mode = 1, .slaves = 1, .bonds = 1, .rate = strtoull(count ? words[0] : "0", NULL, 10)};
	struct lab_child *children[LAB_SIDES];
	struct libbond_error err;
	struct lab *lab;

	if (start_lab(&lab, &spec))
		return 1;
	for (int side = LAB_FAR; side >= LAB_NEAR; side--) {
		const struct lab_child_spec child_spec = {.argv = argv[side],
		                                          .netns = lab_net_fd(lab_net(lab, (enum lab_side)side)),
		                                          .deadline_ms = 20000};
		if (lab_child_start(&children[side], &child_spec, &err) < 0)
			return fail(&err);
		if (side == LAB_FAR)
			wait_for_listener(children[side]);
	}
	lab_child_wait(children[LAB_NEAR], -1);
	const char *sum = strstr(lab_child_text(children[LAB_NEAR], LAB_STDOUT, NULL), "\"sum_received\"");
	const char *speed = sum ? strstr(sum, "\"bits_per_second\":") : NULL;
	printf("speed %.0f\n", speed ? strtod(strchr(speed, ':') + 1, NULL) : 0);
	for (enum lab_side side = LAB_NEAR; side < LAB_SIDES; side++)
		lab_child_free(children[side]);
	return end_lab(lab);
}

/* What another thread has of a laboratory. */
static void *work_elsewhere(void *argument)
{
	struct lab *lab = argument;
	char path[LAB_NETNS_PATH_SIZE];
	struct libbond_error err;
	struct libbond_snapshot *snapshot;
	struct libbond *handle;
	struct lab_net *net;
	int near = lab_net_fd(lab_net(lab, LAB_NEAR));

	if (lab_net_join(&net, near, &err) < 0 || libbond_open(&handle, lab_netns_path(near, path), 0, &err) < 0 ||
	    lab_link_mtu(net, "bond0", 1300, &err) < 0 ||
	    libbond_read_bond(handle, "bond0", 0, &snapshot, &err) < 0) {
		fail(&err);
		return NULL;
	}
	int64_t mtu = 0;
	libbond_link_number(libbond_snapshot_bond(snapshot, 0), libbond_attr_find(LIBBOND_SCOPE_LINK, "mtu"), &mtu);
	printf("elsewhere mtu %d\n", (int)mtu);
	libbond_snapshot_free(snapshot);
	libbond_close(handle);
	lab_net_free(net);
	return NULL;
}

/* pace TIMES: operations one after another, how many a second; and a thread besides */
static int command_pace(int count, char **words)
{
	const struct lab_spec spec = {.mode = 1, .slaves = 2, .bonds = 1};
	unsigned times = number(count, words, 0, 100);
	struct libbond_error err;
	pthread_t thread;
	struct lab *lab;

	if (start_lab(&lab, &spec))
		return 1;
	pthread_create(&thread, NULL, work_elsewhere, lab);
	pthread_join(thread, NULL);
	int64_t start = lab_now_ns();
	for (unsigned i = 0; i < times; i++)
		if (lab_leg_carrier(lab, 1, i % 2, &err) < 0)
			return fail(&err);
	printf("carrier-a-second %.0f\n", times * 1e9 / (double)(lab_now_ns() - start));
	start = lab_now_ns();
	for (unsigned i = 0; i < times; i++)
		if (lab_leg_silence(lab, 1, i % 2, &err) < 0)
			return fail(&err);
	printf("silence-a-second %.0f\n", times * 1e9 / (double)(lab_now_ns() - start));
	start = lab_now_ns();
	for (unsigned i = 0; i < times; i++)
		if (lab_leg_rate(lab, 1, i % 2 ? 0 : 1000000, &err) < 0)
			return fail(&err);
	printf("rate-a-second %.0f\n", times * 1e9 / (double)(lab_now_ns() - start));
	return end_lab(lab);
}

/* leak: a namespace that somebody keeps open is said not to be gone */
static int command_leak(int count, char **words)
{
	const struct lab_spec spec = {.mode = 1, .slaves = 2, .bonds = 1};
	struct lab_ending ending;
	struct lab *lab;
	(void)count, (void)words;

	if (start_lab(&lab, &spec))
		return 1;
	int kept = dup(lab_net_fd(lab_net(lab, LAB_FAR)));
	int rc = lab_free(lab, 500, &ending);
	print_ending(&ending, rc);
	close(kept);
	return 0;
}

/* again TIMES MODE: a laboratory after the other; how long they take */
static int command_again(int count, char **words)
{
	const struct lab_spec spec = {.mode = number(count, words, 1, 1), .slaves = 2, .bonds = 1};
	unsigned times = number(count, words, 0, 3);
	int64_t start = lab_now_ns();
	struct libbond_error err;

	for (unsigned i = 0; i < times; i++) {
		struct lab *lab;
		if (lab_new(&lab, &spec, &err) < 0)
			return fail(&err);
		int rc = lab_free(lab, GONE_MS, NULL);
		if (rc < 0)
			return fail_errno("free", rc);
	}
	printf("each-ms %" PRId64 "\n", ms_since(start) / (times ? times : 1));
	return 0;
}

/* hold MODE FILE: a laboratory with a child at each end, kept until somebody kills us; "ready" goes to the file's end
 */
static int command_hold(int count, char **words)
{
	static const char *const argv[] = {"sleep", "12345", NULL};
	const struct lab_spec spec = {.mode = number(count, words, 0, 1), .slaves = 2, .bonds = 1};
	struct libbond_error err;
	struct lab *lab;

	if (start_lab(&lab, &spec))
		return 1;
	for (enum lab_side side = LAB_NEAR; side < LAB_SIDES; side++) {
		const struct lab_child_spec child_spec = {
			.argv = argv, .netns = lab_net_fd(lab_net(lab, side)), .deadline_ms = 600000};
		struct lab_child *child;
		if (lab_child_start(&child, &child_spec, &err) < 0)
			return fail(&err);
	}
	printf("holding\n");
	fflush(stdout);
	for (;;)
		pause();
}

/* --- devices, one operation after another --- */

struct bench {
	struct lab_net *one, *other;
	struct libbond_error err;
	int failed;
};

/* A step: what it is called, and what it returned. */
static void step(struct bench *bench, const char *name, int rc)
{
	if (rc < 0)
		printf("step %s %s: %s%s%s\n", name, strerror(-rc), bench->err.message,
		       bench->err.kernel[0] ? " / " : "", bench->err.kernel);
	bench->failed += rc < 0;
}

/* Show the devices, qdiscs and addresses of a namespace with the tools of others. */
static void show(struct lab_net *net, const char *title, const char *const *argv)
{
	const struct lab_child_spec spec = {.argv = argv, .netns = lab_net_fd(net), .deadline_ms = 10000};
	struct lab_child *child;
	struct libbond_error err;

	if (lab_child_start(&child, &spec, &err) < 0) {
		fail(&err);
		return;
	}
	lab_child_wait(child, -1);
	printf("%s %s%s\n", title, lab_child_text(child, LAB_STDOUT, NULL), lab_child_text(child, LAB_STDERR, NULL));
	lab_child_free(child);
}

static void make_devices(struct bench *bench)
{
	const struct lab_end a = {bench->one, "a"}, b = {bench->other, "b"}, c = {bench->one, "c"},
			     d = {bench->one, "d"};
	struct libbond_error *err = &bench->err;

	step(bench, "veth", lab_link_veth(&a, &b, 1400, 77, err));
	step(bench, "veth-same", lab_link_veth(&c, &d, 0, 0, err));
	step(bench, "vlan", lab_link_vlan(bench->one, "a.7", "a", 7, err));
	step(bench, "macvlan", lab_link_macvlan(bench->one, "mv0", "c", err));
	step(bench, "bridge", lab_link_bridge(bench->one, "br0", 0x4000, err));
	step(bench, "port", lab_link_master(bench->one, "d", "br0", err));
	step(bench, "port-mask", lab_link_port_group_fwd(bench->one, "d", 4, err));
	step(bench, "up", lab_link_up(bench->one, "a", true, err));
	step(bench, "up-peer", lab_link_up(bench->other, "b", true, err));
	step(bench, "up-vlan", lab_link_up(bench->one, "a.7", true, err));
}

static void change_devices(struct bench *bench)
{
	static const uint8_t address[6] = {2, 0, 0, 0, 0, 9};
	struct libbond_error *err = &bench->err;

	step(bench, "address", lab_link_address(bench->one, "c", address, err));
	step(bench, "mtu", lab_link_mtu(bench->one, "c", 1300, err));
	step(bench, "txqueuelen", lab_link_txqueuelen(bench->one, "c", 55, err));
	step(bench, "promisc", lab_link_promisc(bench->one, "c", true, err));
	step(bench, "rename", lab_link_rename(bench->one, "c", "longest-name-15", err));
	step(bench, "address4", lab_inet_address(bench->one, "a", "198.18.7.1/24", err));
	step(bench, "address6", lab_inet_address(bench->one, "a", "2001:2::7/64", err));
	step(bench, "route4", lab_inet_route(bench->one, "a", "default", "198.18.7.9", err));
	step(bench, "route6", lab_inet_route(bench->one, "a", "2001:2:0:9::/64", NULL, err));
}

static void change_queues(struct bench *bench)
{
	static const struct lab_qdisc qdiscs[] = {
		{.kind = LAB_QDISC_PFIFO, .limit = 33},
		{.kind = LAB_QDISC_PFIFO_FAST},
		{.kind = LAB_QDISC_FQ_CODEL, .limit = 44},
		{.kind = LAB_QDISC_NETEM, .loss = 0.25, .delay_us = 3000, .limit = 66},
		{.kind = LAB_QDISC_TBF, .rate = 100000000},
	};
	static const char *const argv[] = {"tc", "qdisc", "show", "dev", "a", "root", NULL};
	struct libbond_error *err = &bench->err;

	for (size_t i = 0; i < COUNT(qdiscs); i++) {
		step(bench, lab_qdisc_name(qdiscs[i].kind), lab_qdisc_set(bench->one, "a", &qdiscs[i], err));
		show(bench->one, "qdisc", argv);
	}
	step(bench, "qdisc-remove", lab_qdisc_remove(bench->one, "a", err));
	show(bench->one, "qdisc-none", argv);
}

/* What the kernel refuses is refused here with its own errno. */
static void be_refused(struct bench *bench)
{
	const struct lab_end a = {bench->one, "a"}, b = {bench->other, "e"};
	struct libbond_error err = {0};
	const struct lab_qdisc slow = {.kind = LAB_QDISC_TBF, .rate = 1};
	const struct {
		const char *name;
		int rc;
	} refusals[] = {
		{"exists", lab_link_veth(&a, &b, 0, 0, &err)},
		{"no-device", lab_link_up(bench->one, "nonesuch", true, &err)},
		{"no-lower", lab_link_vlan(bench->one, "x", "nonesuch", 3, &err)},
		{"no-master", lab_link_master(bench->one, "a", "nonesuch", &err)},
		{"mtu", lab_link_mtu(bench->one, "a", 1, &err)},
		{"mask", lab_link_bridge(bench->one, "br1", 4, &err)},
		{"address", lab_inet_address(bench->one, "a", "300.1.1.1/24", &err)},
		{"address-twice", lab_inet_address(bench->one, "a", "198.18.7.1/24", &err)},
		{"gateway", lab_inet_route(bench->one, "a", "203.0.113.0/24", "192.0.2.1", &err)},
		{"rate", lab_qdisc_set(bench->one, "a", &slow, &err)},
		{"qdisc", lab_qdisc_remove(bench->other, "b", &err)},
	};

	for (size_t i = 0; i < COUNT(refusals); i++)
		printf("refused %s %d\n", refusals[i].name, refusals[i].rc);
	if (lab_link_mtu(bench->one, "a", 1, &err) < 0)
		fail(&err);
}

static void remove_devices(struct bench *bench)
{
	struct libbond_error *err = &bench->err;

	step(bench, "delete-macvlan", lab_link_delete(bench->one, "mv0", err));
	step(bench, "move", lab_link_move(bench->one, "longest-name-15", bench->other, err));
	step(bench, "leave", lab_link_master(bench->one, "d", NULL, err));
	step(bench, "down", lab_link_up(bench->one, "a.7", false, err));
	step(bench, "delete", lab_link_delete(bench->one, "a", err));
	step(bench, "delete-bridge", lab_link_delete(bench->one, "br0", err));
}

/* links: every operation on devices; what came of it is shown by ip and tc */
static int command_links(int count, char **words)
{
	static const char *const links[] = {"ip", "-d", "-j", "link", "show", NULL};
	static const char *const addresses[] = {"ip", "-j", "address", "show", "dev", "a", NULL};
	static const char *const routes4[] = {"ip", "-j", "route", "show", NULL};
	static const char *const routes6[] = {"ip", "-6", "-j", "route", "show", "2001:2:0:9::/64", NULL};
	struct bench bench = {0};
	(void)count, (void)words;

	if (lab_net_new(&bench.one, &bench.err) < 0 || lab_net_new(&bench.other, &bench.err) < 0)
		return fail(&bench.err);
	make_devices(&bench);
	change_devices(&bench);
	show(bench.one, "links", links);
	show(bench.other, "other", links);
	show(bench.one, "addresses", addresses);
	show(bench.one, "routes4", routes4);
	show(bench.one, "routes6", routes6);
	change_queues(&bench);
	be_refused(&bench);
	remove_devices(&bench);
	show(bench.one, "left", links);
	show(bench.other, "moved", links);
	printf("failed %d\n", bench.failed);
	lab_net_free(bench.one);
	lab_net_free(bench.other);
	return bench.failed != 0;
}

static const struct {
	const char *name;
	int (*run)(int count, char **words);
} commands[] = {
	{"netns", command_netns}, {"term", command_term},     {"pace", command_pace},
	{"child", command_child}, {"thread", command_thread}, {"children", command_children},
	{"lab", command_lab},     {"leg", command_leg},       {"leak", command_leak},
	{"speed", command_speed}, {"again", command_again},   {"hold", command_hold},
	{"links", command_links},
};

static int enter_user(void)
{
	struct libbond_error err;
	enum lab_user user;

	if (lab_user_enter(&user, &err) < 0)
		return fail(&err);
	printf("user %s\n", user == LAB_USER_ROOT ? "root" : "namespace");
	return 0;
}

int main(int argc, char **argv)
{
	int first = 1;

	if (argc > 1 && strcmp(argv[1], "--user") == 0) {
		if (enter_user())
			return 1;
		first = 2;
	}
	for (size_t i = 0; argc > first && i < COUNT(commands); i++)
		if (strcmp(argv[first], commands[i].name) == 0)
			return commands[i].run(argc - first - 1, argv + first + 1);
	fprintf(stderr, "labtool: which command?\n");
	return 2;
}
