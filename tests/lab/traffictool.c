/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Drives the engines of cli/traffic as their users will, one a run, and prints what happened as "key value" lines.
 * Sits between traffic.bats, which makes the namespaces and reads the lines, and the engines.
 *
 *   traffictool rr     NEAR-NETNS ADDRESS FAR-NETNS ADDRESS [KEY VALUE]...
 *   traffictool probe  the same
 *   traffictool iperf3 the same
 *
 * A namespace is a path. SIGTERM ends a run early, as the time does. With "progress 1" there is a line "go" when the
 * engine has been started: rr and the probe run then, iperf3's server listens and its client is on its way.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "traffic/clock.h"
#include "traffic/iperf3.h"
#include "traffic/probe.h"
#include "traffic/rr.h"

struct arguments {
	struct traffic_end near, far;
	char **words;
	int count;
};

static int fail(const struct libbond_error *err)
{
	fprintf(stderr, "traffictool: %s (%s, errno %d)\n", err->message, libbond_cause_name(err->cause),
	        err->errnum);
	if (err->hint[0])
		fprintf(stderr, "  try: %s\n", err->hint);
	return 1;
}

/* The value behind a key, or what it is without. */
static const char *text_of(const struct arguments *arguments, const char *key, const char *otherwise)
{
	for (int i = 0; i + 1 < arguments->count; i += 2)
		if (strcmp(arguments->words[i], key) == 0)
			return arguments->words[i + 1];
	return otherwise;
}

static unsigned number_of(const struct arguments *arguments, const char *key, unsigned otherwise)
{
	const char *text = text_of(arguments, key, NULL);
	return text ? (unsigned)strtoul(text, NULL, 10) : otherwise;
}

static void say(const char *key, uint64_t value)
{
	printf("%s %llu\n", key, (unsigned long long)value);
}

static void say_cpu(const char *name, const struct traffic_cpu *cpu)
{
	printf("%s-user-ms %.1f\n%s-system-ms %.1f\n", name, (double)cpu->user_ns / 1e6, name,
	       (double)cpu->system_ns / 1e6);
}

static void say_go(const struct arguments *arguments)
{
	if (number_of(arguments, "progress", 0)) {
		puts("go");
		fflush(stdout);
	}
}

/* Wait for SIGTERM so long: whether it came. */
static bool is_told(uint64_t ms)
{
	const struct timespec time = traffic_timespec(ms * TRAFFIC_MS);
	sigset_t ending;
	int signal;

	sigemptyset(&ending);
	sigaddset(&ending, SIGTERM);
	while ((signal = sigtimedwait(&ending, NULL, &time)) < 0 && errno == EINTR)
		;
	return signal == SIGTERM;
}

/* Until the time is over or SIGTERM comes. */
static void wait_for_end(const struct arguments *arguments)
{
	say_go(arguments);
	is_told(number_of(arguments, "ms", 1000));
}

/* --- rr --- */

/* The serving end of flows from "port" on is taken away from the engine, as a reset on the way would: in their place
 * is a socket that is not connected. */
static void break_flows(unsigned port, unsigned count)
{
	const struct sockaddr nobody = {.sa_family = AF_UNSPEC};

	for (int fd = 3; fd < 1024; fd++) {
		struct traffic_place peer = {.length = sizeof(peer.address)};
		if (getpeername(fd, &peer.address.any, &peer.length) < 0 || peer.address.any.sa_family != AF_INET)
			continue;
		unsigned theirs = ntohs(peer.address.ip4.sin_port);
		if (theirs >= port && theirs < port + count)
			connect(fd, &nobody, sizeof(nobody));
	}
}

/* Until no flow stalls any more, at most "settle-ms". */
static void settle(const struct arguments *arguments, const struct traffic_rr *rr)
{
	uint64_t until = traffic_now() + number_of(arguments, "settle-ms", 0) * TRAFFIC_MS;
	struct traffic_rr_live live;

	do {
		traffic_rr_live(rr, &live);
	} while (live.flows_stalled && traffic_now() < until && !is_told(10));
}

static int run_rr(const struct arguments *arguments)
{
	const struct traffic_rr_options options = {
		.client = arguments->near,
		.server = arguments->far,
		.server_port = (uint16_t)number_of(arguments, "server-port", 0),
		.client_port = (uint16_t)number_of(arguments, "port", 0),
		.flows = number_of(arguments, "flows", 10),
		.request_bytes = number_of(arguments, "request", 81920),
		.response_bytes = number_of(arguments, "response", 81920),
		.depth = number_of(arguments, "depth", 0),
		.stall_ms = number_of(arguments, "stall-ms", 0),
		.connect_ms = number_of(arguments, "connect-ms", 0),
	};
	static struct traffic_histogram latency;
	struct traffic_rr_result result;
	struct traffic_rr_flow flow;
	struct libbond_error err;
	uint64_t silence = 0, fewest = UINT64_MAX;
	unsigned stalled = 0;
	int errnum = 0;
	struct traffic_rr *rr;

	if (traffic_rr_start(&options, &rr, &err) < 0)
		return fail(&err);
	wait_for_end(arguments);
	if (number_of(arguments, "break", 0)) {
		break_flows(options.client_port, number_of(arguments, "break", 0));
		wait_for_end(arguments);
	}
	settle(arguments, rr);
	traffic_rr_stop(rr, &result);
	traffic_rr_latency(rr, &latency);
	for (unsigned i = 0; i < options.flows; i++) {
		traffic_rr_flow(rr, i, &flow);
		if (flow.longest_silence_ns > silence)
			silence = flow.longest_silence_ns;
		if (flow.transactions < fewest)
			fewest = flow.transactions;
		stalled += flow.stalls > 0;
		errnum = flow.errnum ? flow.errnum : errnum;
		if (options.client_port && flow.port != options.client_port + i)
			printf("wrong-port %u\n", flow.port);
	}
	say("transactions", result.total.transactions);
	printf("transactions-per-second %.1f\nfairness %.4f\n", result.transactions_per_second, result.fairness);
	say("bytes-sent", result.total.bytes_sent);
	say("bytes-received", result.total.bytes_received);
	say("latencies", traffic_histogram_count(&latency));
	say("latency-median-us", traffic_histogram_quantile(&latency, 0.5) / 1000);
	say("latency-99-us", traffic_histogram_quantile(&latency, 0.99) / 1000);
	say("fewest", fewest);
	say("open", result.total.flows_open);
	say("broken", result.total.flows_broken);
	say("stalls", result.total.stalls);
	say("stalled-now", result.total.flows_stalled);
	say("stalled-flows", stalled);
	say("absent-ms", result.total.absent_ns / TRAFFIC_MS);
	say("silence-ms", silence / TRAFFIC_MS);
	say("duration-ms", (result.ended_ns - result.began_ns) / TRAFFIC_MS);
	printf("errno %s\n", errnum ? strerrorname_np(errnum) : "none");
	say_cpu("client", &result.client_cpu);
	say_cpu("server", &result.server_cpu);
	traffic_rr_free(rr);
	return 0;
}

/* --- probe --- */

static void say_timing(const char *when, const struct traffic_timing *timing)
{
	printf("%s-resolution-us %llu\n", when, (unsigned long long)timing->resolution_ns / 1000);
	printf("%s-late-us %llu %llu %llu\n", when, (unsigned long long)timing->late_median_ns / 1000,
	       (unsigned long long)timing->late_99_ns / 1000, (unsigned long long)timing->late_most_ns / 1000);
	printf("%s-slots %llu\n%s-skipped %llu\n", when, (unsigned long long)timing->slots, when,
	       (unsigned long long)timing->skipped);
	for (int way = 0; way < TRAFFIC_WAYS; way++)
		printf("%s-gap-us-%d %llu %llu\n%s-delay-us-%d %llu %llu %llu\n", when, way,
		       (unsigned long long)timing->ways[way].gap_99_ns / 1000,
		       (unsigned long long)timing->ways[way].gap_most_ns / 1000, when, way,
		       (unsigned long long)timing->ways[way].delay_median_ns / 1000,
		       (unsigned long long)timing->ways[way].delay_99_ns / 1000,
		       (unsigned long long)timing->ways[way].delay_most_ns / 1000);
}

static bool say_outage(void *context, const struct traffic_outage *outage)
{
	uint64_t ms = outage->end_ns && outage->begin_ns ? (outage->end_ns - outage->begin_ns) / TRAFFIC_MS : 0;

	printf("outage-%d %llu ms lost %u unsent %u%s\n", *(int *)context, (unsigned long long)ms, outage->lost,
	       outage->unsent, outage->end_ns ? "" : " open");
	return true;
}

static void say_way(struct traffic_probe *probe, int way, const struct traffic_window *event)
{
	struct traffic_probe_counts counts;
	uint64_t first = 0;

	traffic_probe_counts(probe, (enum traffic_way)way, &counts);
	const struct {
		const char *key;
		uint64_t value;
	} rows[] = {
		{"sent", counts.log.sent},
		{"unsent", counts.log.unsent},
		{"received", counts.log.received},
		{"lost", counts.log.lost},
		{"pending", counts.log.pending},
		{"duplicated", counts.log.duplicated},
		{"reordered", counts.log.reordered},
		{"too-late", counts.log.too_late},
		{"forgotten", counts.log.forgotten_losses + counts.log.forgotten_outages},
		{"foreign", counts.foreign},
		{"overflown", counts.overflown},
		{"lost-within", traffic_probe_lost_within(probe, (enum traffic_way)way, *event)},
		{"lost-outside", traffic_probe_lost_outside(probe, (enum traffic_way)way, event, 1, &first, 1)},
	};
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		printf("%s-%d %llu\n", rows[i].key, way, (unsigned long long)rows[i].value);
	traffic_probe_outages(probe, (enum traffic_way)way, say_outage, &way);
}

/* Until datagrams arrive, both ways, that are younger than "since"; at most "settle-ms". */
static void wait_for_arrivals(const struct arguments *arguments, const struct traffic_probe *probe, uint64_t since)
{
	uint64_t until = traffic_now() + number_of(arguments, "settle-ms", 0) * TRAFFIC_MS;

	for (int way = 0; way < TRAFFIC_WAYS; way++)
		while (traffic_probe_last_arrival(probe, (enum traffic_way)way) < since && traffic_now() < until)
			is_told(10);
}

/* The event is what lies between "go" and the end: what is lost there is explained. */
static int run_probe(const struct arguments *arguments)
{
	const struct traffic_probe_options options = {
		.near = arguments->near,
		.far = arguments->far,
		.near_port = (uint16_t)number_of(arguments, "port", 0),
		.interval_us = number_of(arguments, "interval-us", 0),
		.bytes = number_of(arguments, "bytes", 0),
		.copies = number_of(arguments, "copies", 0),
		.grace_ms = number_of(arguments, "grace-ms", 0),
		.silence_ms = number_of(arguments, "silence-ms", 0),
	};
	struct traffic_timing timing;
	struct traffic_window event;
	struct libbond_error err;
	struct traffic_cpu cpu;
	struct traffic_probe *probe;
	uint64_t lost;

	if (traffic_probe_start(&options, &probe, &err) < 0)
		return fail(&err);
	traffic_probe_calibrate(probe, number_of(arguments, "calibrate-ms", 500), &timing, &lost);
	say_timing("idle", &timing);
	say("idle-lost", lost);
	event.begin_ns = traffic_now();
	uint64_t before = event.begin_ns;
	wait_for_end(arguments);
	wait_for_arrivals(arguments, probe, traffic_now());
	uint64_t stopping = traffic_now();
	traffic_probe_stop(probe, number_of(arguments, "drain-ms", 500), &cpu);
	event.end_ns = traffic_now();
	say("stop-ms", (event.end_ns - stopping) / TRAFFIC_MS);
	if (!number_of(arguments, "explained", 1))
		event = (struct traffic_window){before - 2, before - 1};
	traffic_probe_timing(probe, &timing);
	say_timing("all", &timing);
	for (int way = 0; way < TRAFFIC_WAYS; way++)
		say_way(probe, way, &event);
	say_cpu("probe", &cpu);
	traffic_probe_free(probe);
	return 0;
}

/* --- iperf3 --- */

static void say_iperf3(const struct traffic_iperf3_result *result)
{
	const struct traffic_iperf3_figures *figures = &result->figures;
	const struct {
		const char *key;
		long long value;
	} rows[] = {
		{"sent-bytes", figures->sent_bytes},
		{"received-bytes", figures->received_bytes},
		{"retransmits", figures->retransmits},
		{"packets", figures->packets},
		{"lost-packets", figures->lost_packets},
		{"streams", figures->streams},
		{"reported", figures->reported},
		{"missing", result->missing},
		{"intervals", (long long)figures->intervals},
		{"complete", figures->is_complete},
		{"mbit", (long long)(figures->bits_per_second / 1e6)},
		{"life-ms", (long long)((result->ended_ns - result->began_ns) / 1000000)},
	};

	printf("outcome %s\nwhy %s\n", traffic_iperf3_outcome_name(result->outcome), result->why);
	printf("version %s\nerror %s\ncongestion %s\nfairness %.4f\n", figures->version, figures->error,
	       figures->congestion, result->fairness);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		printf("%s %lld\n", rows[i].key, rows[i].value);
	for (unsigned i = 0; i < figures->reported; i++)
		printf("port %d\n", figures->stream[i].port);
	say_cpu("client", &result->client_cpu);
	say_cpu("server", &result->server_cpu);
}

/* SIGTERM stops the run. */
static int run_iperf3(const struct arguments *arguments)
{
	const struct traffic_iperf3_options options = {
		.program = text_of(arguments, "program", NULL),
		.client = arguments->near,
		.server = arguments->far,
		.server_port = (uint16_t)number_of(arguments, "server-port", 0),
		.client_port = (uint16_t)number_of(arguments, "port", 0),
		.streams = number_of(arguments, "streams", 4),
		.seconds = number_of(arguments, "seconds", 1),
		.interval_ms = number_of(arguments, "interval-ms", 0),
		.slack_ms = number_of(arguments, "slack-ms", 0),
		.listen_ms = number_of(arguments, "listen-ms", 0),
		.grace_ms = number_of(arguments, "grace-ms", 0),
		.is_udp = number_of(arguments, "udp", 0),
		.is_reverse = number_of(arguments, "reverse", 0),
		.stream_bits_per_second = number_of(arguments, "rate", 0),
		.congestion = text_of(arguments, "congestion", NULL),
	};
	struct traffic_iperf3_result result;
	struct libbond_error err;
	struct traffic_iperf3 *run;

	if (traffic_iperf3_start(&options, &run, &err) < 0)
		return fail(&err);
	say_go(arguments);
	while (!traffic_iperf3_is_over(run)) {
		struct pollfd over = {.fd = traffic_iperf3_fd(run), .events = POLLIN};
		poll(&over, 1, 50);
		if (is_told(0))
			traffic_iperf3_stop(run);
		/* a caller that has no time to look */
		if (number_of(arguments, "look", 1) == 0)
			break;
	}
	uint64_t asked = traffic_now();
	int rc = traffic_iperf3_finish(run, &result);
	say_iperf3(&result);
	say("finish-ms", (traffic_now() - asked) / TRAFFIC_MS);
	traffic_iperf3_result_free(&result);
	return rc < 0;
}

static const struct {
	const char *name;
	int (*run)(const struct arguments *arguments);
} commands[] = {
	{"rr", run_rr},
	{"probe", run_probe},
	{"iperf3", run_iperf3},
};

static int open_end(struct traffic_end *end, const char *path, const char *address)
{
	*end = (struct traffic_end){open(path, O_RDONLY | O_CLOEXEC), address};
	if (end->netns < 0)
		fprintf(stderr, "traffictool: %s: %s\n", path, strerror(errno));
	return end->netns < 0 ? -1 : 0;
}

int main(int argc, char **argv)
{
	struct arguments arguments = {.words = argv + 6, .count = argc - 6};
	sigset_t ending;

	if (argc < 6) {
		fprintf(stderr, "usage: traffictool ENGINE NETNS ADDRESS NETNS ADDRESS [KEY VALUE]...\n");
		return 2;
	}
	if (open_end(&arguments.near, argv[2], argv[3]) < 0 || open_end(&arguments.far, argv[4], argv[5]) < 0)
		return 1;
	/* before any thread, so that it comes to the one that waits for it */
	sigemptyset(&ending);
	sigaddset(&ending, SIGTERM);
	sigprocmask(SIG_BLOCK, &ending, NULL);
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++)
		if (strcmp(argv[1], commands[i].name) == 0)
			return commands[i].run(&arguments);
	fprintf(stderr, "traffictool: which engine?\n");
	return 2;
}
