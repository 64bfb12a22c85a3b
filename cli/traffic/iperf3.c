/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs iperf3 twice, as server and as client, and judges what came of it. Sits between its callers and lab/child.h,
 * which runs programs; iperf3-json.c reads what the client printed.
 */
#include "traffic/iperf3.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "lab/child.h"
#include "lab/fail.h"
#include "traffic/clock.h"
#include "traffic/fairness.h"

#define LISTEN_WORDS "Server listening" /* it prints them when listen() has returned */
#define LOOK_MS 10
#define REAP_MS 2000 /* until a killed process is gone */
#define SECONDS_MAX 86400
#define CLIENT_KEEP (64u << 20) /* a day of 128 streams in intervals of 1 s has more; that run is not for us */
#define WORDS 32
#define PORT_BLOCKS 64 /* of one port a stream, that are tried */

struct traffic_iperf3 {
	struct traffic_iperf3_options options;
	struct lab_child *server, *client;
	uint64_t began_ns, deadline_ns; /* of the client; from then on it is late */
	uint64_t told_ns;               /* to end; 0: not yet */
	bool is_stopped;                /* by the caller */
};

/* A command line in the making. */
struct words {
	const char *argv[WORDS];
	size_t count;
	char numbers[12][24];
	size_t numbers_used;
};

static void add(struct words *words, const char *word)
{
	words->argv[words->count++] = word;
}

static void add_number(struct words *words, const char *option, uint64_t number)
{
	char *text = words->numbers[words->numbers_used++];

	snprintf(text, sizeof(words->numbers[0]), "%llu", (unsigned long long)number);
	add(words, option);
	add(words, text);
}

static int check(struct traffic_iperf3_options *options, struct libbond_error *err)
{
	if (!options->program)
		options->program = "iperf3";
	if (options->interval_ms == 0)
		options->interval_ms = 1000;
	if (options->slack_ms == 0)
		options->slack_ms = 10000;
	if (options->listen_ms == 0)
		options->listen_ms = 10000;
	if (options->grace_ms == 0)
		options->grace_ms = 4000;
	const struct {
		const char *what;
		unsigned value, min, max;
	} limits[] = {
		{"streams", options->streams, 1, TRAFFIC_IPERF3_STREAMS_MAX},
		{"seconds", options->seconds, 1, SECONDS_MAX},
		{"milliseconds of an interval", options->interval_ms, 100, 60000},
		{"milliseconds until it listens", options->listen_ms, 1, 600000},
		{"milliseconds to say what it knows", options->grace_ms, 1, 600000},
	};
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		if (limits[i].value < limits[i].min || limits[i].value > limits[i].max)
			return lab_fail(err, LIBBOND_CAUSE_BAD_VALUE, ERANGE, "%u %s: between %u and %u are possible",
			                limits[i].value, limits[i].what, limits[i].min, limits[i].max);
	if (options->client_port + options->streams - 1 > UINT16_MAX)
		return lab_fail(err, LIBBOND_CAUSE_BAD_VALUE, ERANGE, "there are no %u ports from %u on",
		                options->streams, options->client_port);
	return 0;
}

/* A port of the server's namespace that nobody has now. */
static int choose_port(struct traffic_iperf3_options *options, struct libbond_error *err)
{
	const struct traffic_sockets any = {.type = SOCK_STREAM, .port = 0, .count = 1};
	int fd;

	if (options->server_port)
		return 0;
	int rc = traffic_open(&options->server, &any, &fd, err);
	if (rc < 0)
		return rc;
	options->server_port = traffic_port(fd);
	close(fd);
	return 0;
}

/* iperf3 cannot use a port again that is not wholly free, and a run that was ended leaves its ports so for a minute.
 */
static int choose_client_ports(struct traffic_iperf3_options *options, struct libbond_error *err)
{
	struct traffic_sockets wanted = {
		.type = options->is_udp ? SOCK_DGRAM : SOCK_STREAM,
		.port = options->client_port,
		.count = options->streams,
		.is_alone = true,
	};
	int fds[TRAFFIC_IPERF3_STREAMS_MAX], rc = 0;

	if (options->client_port == 0)
		return 0;
	for (unsigned i = 0; i < PORT_BLOCKS; i++) {
		rc = traffic_open(&options->client, &wanted, fds, err);
		for (unsigned stream = 0; rc == 0 && stream < options->streams; stream++)
			close(fds[stream]);
		if (rc != -EADDRINUSE || wanted.port + 2 * options->streams - 1 > UINT16_MAX)
			break;
		wanted.port = (uint16_t)(wanted.port + options->streams);
	}
	options->client_port = wanted.port;
	return rc;
}

/* --- the server --- */

static int start_server(struct traffic_iperf3 *run, struct libbond_error *err)
{
	const struct traffic_iperf3_options *options = &run->options;
	struct words words = {0};
	const struct lab_child_spec spec = {
		.argv = words.argv,
		.netns = options->server.netns,
		.deadline_ms =
			options->seconds * 1000 + options->slack_ms + options->listen_ms + 2 * options->grace_ms,
		.keep = 1 << 16,
	};

	add(&words, options->program);
	add(&words, "-s");
	add(&words, "-1");
	add_number(&words, "-p", options->server_port);
	add(&words, "-B");
	add(&words, options->server.address);
	add(&words, "--forceflush"); /* it is from its words that we know that it listens */
	return lab_child_start(&run->server, &spec, err);
}

/* What a child complained about, in one line. */
static void last_words(struct lab_child *child, char *to, size_t size)
{
	struct lab_child_result ended;
	const char *said = lab_child_text(child, LAB_STDERR, NULL);

	snprintf(to, size, "%.*s", (int)strcspn(said, "\n"), said);
	for (char *p = to; *p; p++)
		if ((unsigned char)*p < ' ' || (unsigned char)*p >= 0x7f)
			*p = '?';
	if (*to)
		return;
	lab_child_result(child, &ended);
	lab_child_describe(&ended, to, size);
}

static bool is_listening(struct lab_child *server)
{
	char said[512];
	size_t length = lab_child_copy(server, LAB_STDOUT, 0, said, sizeof(said) - 1);

	said[length] = '\0';
	return strstr(said, LISTEN_WORDS) != NULL;
}

static int wait_for_server(struct traffic_iperf3 *run, struct libbond_error *err)
{
	uint64_t until = traffic_now() + run->options.listen_ms * TRAFFIC_MS;
	char words[160];

	while (!is_listening(run->server)) {
		if (lab_child_wait(run->server, LOOK_MS) == 0) {
			last_words(run->server, words, sizeof(words));
			return lab_fail(err, LIBBOND_CAUSE_SYSTEM,
			                strstr(words, strerror(EADDRINUSE)) ? EADDRINUSE : EPROTO,
			                "%.32s does not serve on port %u of %.64s: %s", run->options.program,
			                run->options.server_port, run->options.server.address, words);
		}
		if (traffic_now() > until)
			return lab_fail(err, LIBBOND_CAUSE_TIMEOUT, ETIMEDOUT,
			                "%.32s does not listen on port %u of %.64s within %u ms",
			                run->options.program, run->options.server_port, run->options.server.address,
			                run->options.listen_ms);
	}
	return 0;
}

/* --- the client --- */

static void say_client(const struct traffic_iperf3_options *options, struct words *words, char interval[16])
{
	add(words, options->program);
	add(words, "-c");
	add(words, options->server.address);
	add(words, "-J");
	add(words, "-B");
	add(words, options->client.address);
	add_number(words, "-p", options->server_port);
	add_number(words, "-P", options->streams);
	add_number(words, "-t", options->seconds);
	snprintf(interval, 16, "%u.%03u", options->interval_ms / 1000, options->interval_ms % 1000);
	add(words, "-i");
	add(words, interval);
	if (options->client_port)
		add_number(words, "--cport", options->client_port);
	if (options->is_udp)
		add(words, "-u");
	if (options->is_udp || options->stream_bits_per_second)
		add_number(words, "-b", options->stream_bits_per_second);
	if (options->is_reverse)
		add(words, "-R");
	if (options->congestion) {
		add(words, "-C");
		add(words, options->congestion);
	}
}

static int start_client(struct traffic_iperf3 *run, struct libbond_error *err)
{
	const struct traffic_iperf3_options *options = &run->options;
	char interval[16];
	struct words words = {0};
	unsigned ms = options->seconds * 1000 + options->slack_ms;
	const struct lab_child_spec spec = {
		.argv = words.argv,
		.netns = options->client.netns,
		.deadline_ms = ms + options->grace_ms,
		.keep = CLIENT_KEEP,
	};

	say_client(options, &words, interval);
	run->began_ns = traffic_now();
	run->deadline_ns = run->began_ns + ms * TRAFFIC_MS;
	return lab_child_start(&run->client, &spec, err);
}

int traffic_iperf3_start(const struct traffic_iperf3_options *options, struct traffic_iperf3 **run,
                         struct libbond_error *err)
{
	struct traffic_iperf3 *made = calloc(1, sizeof(*made));

	if (!made)
		return lab_fail_memory(err);
	made->options = *options;
	int rc = check(&made->options, err);
	if (rc == 0)
		rc = choose_port(&made->options, err);
	if (rc == 0)
		rc = choose_client_ports(&made->options, err);
	if (rc == 0)
		rc = start_server(made, err);
	if (rc == 0)
		rc = wait_for_server(made, err);
	if (rc == 0)
		rc = start_client(made, err);
	if (rc < 0) {
		traffic_iperf3_free(made);
		return rc;
	}
	*run = made;
	return 0;
}

int traffic_iperf3_fd(const struct traffic_iperf3 *run)
{
	return lab_child_fd(run->client);
}

static bool is_due(const struct traffic_iperf3 *run, uint64_t now)
{
	return run->is_stopped || now >= run->deadline_ns;
}

/*
 * Told to end, the client prints what it knows, also where its link is gone: but from the signal's handler, wherever
 * it was, and if that was in malloc() it crashes. It is there when an interval ends; between two, it moves bytes.
 */
static void urge(struct traffic_iperf3 *run)
{
	uint64_t now = traffic_now(), interval = run->options.interval_ms * TRAFFIC_MS;
	uint64_t phase = (now - run->began_ns) % interval;

	if (run->told_ns || !is_due(run, now) || phase < interval / 4 || phase > interval / 4 * 3)
		return;
	run->told_ns = now;
	lab_child_kill(run->client, SIGTERM);
}

void traffic_iperf3_stop(struct traffic_iperf3 *run)
{
	run->is_stopped = run->is_stopped || !is_due(run, traffic_now());
	urge(run);
}

bool traffic_iperf3_is_over(struct traffic_iperf3 *run)
{
	if (lab_child_wait(run->client, 0) == 0)
		return true;
	urge(run);
	return false;
}

/* --- the end --- */

static void wait_for_client(struct traffic_iperf3 *run)
{
	while (lab_child_wait(run->client, LOOK_MS) < 0) {
		urge(run);
		if (run->told_ns && traffic_now() >= run->told_ns + run->options.grace_ms * TRAFFIC_MS)
			break;
	}
	lab_child_kill(run->client, SIGKILL);
	lab_child_wait(run->client, REAP_MS);
}

static struct traffic_cpu cpu_of(const struct rusage *usage)
{
	return (struct traffic_cpu){
		.user_ns =
			(uint64_t)usage->ru_utime.tv_sec * TRAFFIC_SECOND + (uint64_t)usage->ru_utime.tv_usec * 1000,
		.system_ns =
			(uint64_t)usage->ru_stime.tv_sec * TRAFFIC_SECOND + (uint64_t)usage->ru_stime.tv_usec * 1000,
	};
}

static double fairness_of(const struct traffic_iperf3_figures *figures)
{
	uint64_t shares[TRAFFIC_IPERF3_STREAMS_MAX];

	for (unsigned i = 0; i < figures->reported; i++) {
		const struct traffic_iperf3_stream *stream = &figures->stream[i];
		int64_t bytes = stream->received_bytes >= 0 ? stream->received_bytes : stream->sent_bytes;
		if (bytes < 0)
			return 0;
		shares[i] = (uint64_t)bytes;
	}
	return figures->reported ? traffic_fairness(shares, figures->reported) : 0;
}

static enum traffic_iperf3_outcome outcome_of(const struct traffic_iperf3 *run, const struct lab_child_result *ended,
                                              const struct traffic_iperf3_figures *figures)
{
	/* it may have been over before it was told */
	if (figures->is_complete)
		return TRAFFIC_IPERF3_COMPLETE;
	/* one that crashed over being stopped has said nothing, but it was stopped; with an error of its own, it
	 * failed */
	if (run->is_stopped)
		return figures->has_end || !figures->error[0] ? TRAFFIC_IPERF3_STOPPED : TRAFFIC_IPERF3_FAILED;
	if (run->told_ns || ended->end == LAB_CHILD_DEADLINE || ended->end == LAB_CHILD_RUNS)
		return TRAFFIC_IPERF3_HUNG;
	return ended->end == LAB_CHILD_SIGNALED ? TRAFFIC_IPERF3_DIED : TRAFFIC_IPERF3_FAILED;
}

static void explain(struct traffic_iperf3 *run, struct traffic_iperf3_result *result)
{
	char words[160] = "";

	if (result->outcome == TRAFFIC_IPERF3_COMPLETE)
		return;
	if (result->figures.error[0])
		snprintf(words, sizeof(words), "%s", result->figures.error);
	else
		last_words(run->client, words, sizeof(words));
	if (result->outcome == TRAFFIC_IPERF3_HUNG)
		snprintf(result->why, sizeof(result->why),
		         "it did not end within %u ms after its %u s, and was ended (%s)", run->options.slack_ms,
		         run->options.seconds, words);
	else
		snprintf(result->why, sizeof(result->why), "%s", words);
}

int traffic_iperf3_finish(struct traffic_iperf3 *run, struct traffic_iperf3_result *result)
{
	struct lab_child_result client, server;
	size_t length;

	*result = (struct traffic_iperf3_result){0};
	wait_for_client(run);
	lab_child_result(run->client, &client);
	const char *said = lab_child_text(run->client, LAB_STDOUT, &length);
	int rc = traffic_iperf3_parse(said, length, &result->figures);
	result->outcome = outcome_of(run, &client, &result->figures);
	explain(run, result);
	unsigned met = result->figures.has_end ? result->figures.reported : result->figures.streams;
	result->missing = run->options.streams > met ? run->options.streams - met : 0;
	result->fairness = fairness_of(&result->figures);
	result->began_ns = client.started_ns;
	result->ended_ns = client.ended_ns;
	result->client_cpu = cpu_of(&client.usage);
	/* with -1 it ends with the client, unless their connection did not: then it would wait for long */
	if (!result->figures.is_complete || lab_child_wait(run->server, REAP_MS) < 0)
		lab_child_kill(run->server, SIGKILL);
	lab_child_wait(run->server, REAP_MS);
	lab_child_result(run->server, &server);
	result->server_cpu = cpu_of(&server.usage);
	traffic_iperf3_free(run);
	return rc == -ENOMEM ? rc : 0;
}

void traffic_iperf3_result_free(struct traffic_iperf3_result *result)
{
	traffic_iperf3_figures_free(&result->figures);
}

void traffic_iperf3_free(struct traffic_iperf3 *run)
{
	if (!run)
		return;
	lab_child_free(run->client);
	lab_child_free(run->server);
	free(run);
}

const char *traffic_iperf3_outcome_name(enum traffic_iperf3_outcome outcome)
{
	static const char *const names[] = {
		[TRAFFIC_IPERF3_COMPLETE] = "complete", [TRAFFIC_IPERF3_STOPPED] = "stopped",
		[TRAFFIC_IPERF3_FAILED] = "failed",     [TRAFFIC_IPERF3_HUNG] = "hung",
		[TRAFFIC_IPERF3_DIED] = "died",
	};
	return names[outcome];
}
