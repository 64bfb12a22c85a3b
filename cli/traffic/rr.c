/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts and ends the request/response engine: options, sockets, the gate at which all flows meet, results. Sits
 * between its callers and the two threads, rr-client.c and rr-server.c.
 */
#include "traffic/rr.h"

#include <errno.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#include "lab/fail.h"
#include "traffic/clock.h"
#include "traffic/fairness.h"
#include "traffic/rr-inner.h"

#define BACKLOG 4096
#define OTHER_FDS 64 /* that a process has beside the flows' */

static int check(const struct traffic_rr_options *options, struct libbond_error *err)
{
	const struct {
		const char *what;
		uint32_t value, max;
	} limits[] = {
		{"flows", options->flows, TRAFFIC_RR_FLOWS_MAX},
		{"bytes of a request", options->request_bytes, TRAFFIC_RR_BYTES_MAX},
		{"bytes of a response", options->response_bytes, TRAFFIC_RR_BYTES_MAX},
		{"requests under way", options->depth, TRAFFIC_RR_DEPTH_MAX},
	};
	struct rlimit files;

	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++)
		if (limits[i].value == 0 || limits[i].value > limits[i].max)
			return lab_fail(err, LIBBOND_CAUSE_BAD_VALUE, ERANGE, "%u %s: between 1 and %u are possible",
			                limits[i].value, limits[i].what, limits[i].max);
	if (getrlimit(RLIMIT_NOFILE, &files) == 0 && files.rlim_cur < 2 * (rlim_t)options->flows + OTHER_FDS) {
		int rc = lab_fail(err, LIBBOND_CAUSE_SYSTEM, EMFILE,
		                  "%u flows take %u open files, and this process may have %llu", options->flows,
		                  2 * options->flows + OTHER_FDS, (unsigned long long)files.rlim_cur);
		lab_fail_hint(err, "ulimit -n raises it");
		return rc;
	}
	return 0;
}

static void set_defaults(struct traffic_rr_options *options)
{
	if (options->depth == 0)
		options->depth = 1;
	if (options->stall_ms == 0)
		options->stall_ms = 1000;
	if (options->connect_ms == 0)
		options->connect_ms = 10000;
}

static int allocate(struct traffic_rr *rr)
{
	unsigned flows = rr->options.flows, depth = rr->options.depth;

	rr->flows = calloc(flows, sizeof(*rr->flows));
	rr->served = calloc(flows, sizeof(*rr->served));
	rr->begun_ns = calloc((size_t)flows * depth, sizeof(*rr->begun_ns));
	rr->client_buffer = calloc(1, RR_BUFFER);
	rr->server_buffer = calloc(1, RR_BUFFER);
	/* what is closed later must not be descriptor 0 */
	for (unsigned i = 0; i < flows && rr->flows; i++)
		rr->flows[i].pipe.fd = -1;
	for (unsigned i = 0; i < flows && rr->served; i++)
		rr->served[i].fd = -1;
	if (!rr->flows || !rr->served || !rr->begun_ns || !rr->client_buffer || !rr->server_buffer)
		return -ENOMEM;
	for (unsigned i = 0; i < flows; i++) {
		rr->flows[i].begun_ns = &rr->begun_ns[(size_t)i * depth];
		rr->flows[i].pipe.to_receive = rr->options.response_bytes;
	}
	return 0;
}

static int new_gate(struct rr_gate *gate)
{
	pthread_condattr_t attributes;
	int errnum = pthread_condattr_init(&attributes);

	if (errnum == 0)
		errnum = pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	if (errnum == 0)
		errnum = pthread_cond_init(&gate->changed, &attributes);
	if (errnum == 0)
		errnum = pthread_mutex_init(&gate->lock, NULL);
	return -errnum;
}

static int new_loops(struct traffic_rr *rr)
{
	rr->client_epoll = epoll_create1(EPOLL_CLOEXEC);
	rr->server_epoll = epoll_create1(EPOLL_CLOEXEC);
	if (rr->client_epoll < 0 || rr->server_epoll < 0)
		return -errno;
	rr->client_bell = traffic_bell_new();
	rr->server_bell = traffic_bell_new();
	if (rr->client_bell < 0 || rr->server_bell < 0)
		return rr->client_bell < 0 ? rr->client_bell : rr->server_bell;
	int rc = rr_watch(rr->client_epoll, rr->client_bell, RR_BELL);
	return rc < 0 ? rc : rr_watch(rr->server_epoll, rr->server_bell, RR_BELL);
}

static int listen_there(struct traffic_rr *rr, struct libbond_error *err)
{
	const struct traffic_sockets wanted = {.type = SOCK_STREAM, .port = rr->options.server_port, .count = 1};
	int rc = traffic_open(&rr->options.server, &wanted, &rr->listener, err);

	if (rc < 0)
		return rc;
	if (listen(rr->listener, BACKLOG) < 0)
		rc = -errno;
	if (rc == 0)
		rc = rr_watch(rr->server_epoll, rr->listener, RR_LISTENER);
	if (rc < 0)
		lab_fail(err, LIBBOND_CAUSE_SYSTEM, -rc, "cannot listen: %s", strerror(-rc));
	return rc;
}

static int connect_flow(struct traffic_rr *rr, unsigned index, const struct traffic_place *server)
{
	const int on = 1;
	struct rr_flow *flow = &rr->flows[index];

	/* a request's last segment is not to wait for an acknowledgement */
	setsockopt(flow->pipe.fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
	flow->port = traffic_port(flow->pipe.fd);
	if (connect(flow->pipe.fd, &server->address.any, server->length) < 0 && errno != EINPROGRESS)
		return -errno;
	return rr_watch(rr->client_epoll, flow->pipe.fd, index);
}

/* Every flow's socket, bound to its port. */
static int open_flows(struct traffic_rr *rr, struct libbond_error *err)
{
	const struct traffic_sockets wanted = {
		.type = SOCK_STREAM, .port = rr->options.client_port, .count = rr->options.flows};
	int *fds = calloc(rr->options.flows, sizeof(*fds));

	if (!fds)
		return lab_fail_memory(err);
	int rc = traffic_open(&rr->options.client, &wanted, fds, err);
	for (unsigned i = 0; rc == 0 && i < rr->options.flows; i++)
		rr->flows[i].pipe.fd = fds[i];
	free(fds);
	return rc;
}

/* All of them on their way. */
static int connect_flows(struct traffic_rr *rr, struct libbond_error *err)
{
	struct traffic_place server;
	int rc = traffic_place(rr->options.server.address, traffic_port(rr->listener), &server, err);

	if (rc == 0)
		rc = open_flows(rr, err);
	for (unsigned i = 0; rc == 0 && i < rr->options.flows; i++) {
		rc = connect_flow(rr, i, &server);
		if (rc < 0)
			lab_fail(err, LIBBOND_CAUSE_SYSTEM, -rc, "flow %u cannot connect to %.64s: %s", i,
			         rr->options.server.address, strerror(-rc));
	}
	return rc;
}

/* Wait until both ends have all flows. */
static int wait_at_gate(struct traffic_rr *rr, struct libbond_error *err)
{
	struct timespec until = traffic_timespec(traffic_now() + rr->options.connect_ms * TRAFFIC_MS);
	struct rr_gate *gate = &rr->gate;
	unsigned flows = rr->options.flows;
	int rc = 0;

	pthread_mutex_lock(&gate->lock);
	while (rc == 0 && gate->errnum == 0 && (gate->connected < flows || gate->accepted < flows))
		rc = -pthread_cond_timedwait(&gate->changed, &gate->lock, &until);
	unsigned met = gate->connected < gate->accepted ? gate->connected : gate->accepted;
	int errnum = gate->errnum;
	pthread_mutex_unlock(&gate->lock);
	if (errnum)
		return lab_fail(err, LIBBOND_CAUSE_SYSTEM, errnum, "flow %u cannot connect to %.64s: %s",
		                gate->failed, rr->options.server.address, strerror(errnum));
	if (rc < 0)
		return lab_fail(err, LIBBOND_CAUSE_TIMEOUT, -rc,
		                "%u of %u flows were connected to %.64s within %u ms", met, flows,
		                rr->options.server.address, rr->options.connect_ms);
	return 0;
}

static int start_threads(struct traffic_rr *rr)
{
	rr->client = (struct traffic_thread){.run = rr_client_run, .context = rr};
	rr->server = (struct traffic_thread){.run = rr_server_run, .context = rr};
	int rc = traffic_thread_start(&rr->server, "rr-server");
	return rc < 0 ? rc : traffic_thread_start(&rr->client, "rr-client");
}

static int start(struct traffic_rr *rr, struct libbond_error *err)
{
	int rc = allocate(rr);

	if (rc == 0)
		rc = new_loops(rr);
	if (rc < 0)
		return lab_fail(err, rc == -ENOMEM ? LIBBOND_CAUSE_MEMORY : LIBBOND_CAUSE_SYSTEM, -rc,
		                "cannot prepare %u flows: %s", rr->options.flows, strerror(-rc));
	rc = listen_there(rr, err);
	if (rc == 0)
		rc = connect_flows(rr, err);
	if (rc < 0)
		return rc;
	rc = start_threads(rr);
	if (rc < 0)
		return lab_fail(err, LIBBOND_CAUSE_SYSTEM, -rc, "cannot start a thread: %s", strerror(-rc));
	rc = wait_at_gate(rr, err);
	if (rc < 0)
		return rc;
	atomic_store(&rr->live.open, rr->options.flows);
	rr->began_ns = traffic_now();
	atomic_store(&rr->has_begun, true);
	traffic_bell_ring(rr->client_bell);
	return 0;
}

int traffic_rr_start(const struct traffic_rr_options *options, struct traffic_rr **rr, struct libbond_error *err)
{
	struct traffic_rr *made = calloc(1, sizeof(*made));

	if (!made)
		return lab_fail_memory(err);
	made->options = *options;
	made->listener = made->client_epoll = made->server_epoll = made->client_bell = made->server_bell = -1;
	set_defaults(&made->options);
	int rc = check(&made->options, err);
	if (rc < 0) {
		free(made);
		return rc;
	}
	rc = new_gate(&made->gate);
	if (rc < 0) {
		free(made);
		return lab_fail_memory(err);
	}
	rc = start(made, err);
	if (rc < 0) {
		traffic_rr_free(made);
		return rc;
	}
	*rr = made;
	return 0;
}

void traffic_rr_live(const struct traffic_rr *rr, struct traffic_rr_live *live)
{
	const struct rr_live *from = &rr->live;

	*live = (struct traffic_rr_live){
		.transactions = atomic_load_explicit(&from->transactions, memory_order_relaxed),
		.bytes_sent = atomic_load_explicit(&from->bytes_sent, memory_order_relaxed),
		.bytes_received = atomic_load_explicit(&from->bytes_received, memory_order_relaxed),
		.last_received_ns = atomic_load_explicit(&from->last_received_ns, memory_order_relaxed),
		.stalls = atomic_load_explicit(&from->stalls, memory_order_relaxed),
		.absent_ns = atomic_load_explicit(&from->absent_ns, memory_order_relaxed),
		.flows_open = atomic_load_explicit(&from->open, memory_order_relaxed),
		.flows_stalled = atomic_load_explicit(&from->stalled, memory_order_relaxed),
		.flows_broken = atomic_load_explicit(&from->broken, memory_order_relaxed),
	};
}

uint64_t traffic_rr_transactions(const struct traffic_rr *rr, unsigned flow)
{
	return atomic_load_explicit(&rr->flows[flow].transactions, memory_order_relaxed);
}

void traffic_rr_latency(const struct traffic_rr *rr, struct traffic_histogram *latency)
{
	traffic_histogram_copy(latency, &rr->latency);
}

static void end(struct traffic_rr *rr)
{
	atomic_store(&rr->is_stopping, true);
	if (rr->client_bell >= 0)
		traffic_bell_ring(rr->client_bell);
	if (rr->server_bell >= 0)
		traffic_bell_ring(rr->server_bell);
	traffic_thread_join(&rr->client);
	traffic_thread_join(&rr->server);
	if (rr->ended_ns == 0)
		rr->ended_ns = traffic_now();
	for (unsigned i = 0; i < rr->options.flows; i++) {
		if (rr->flows)
			rr_close(&rr->flows[i].pipe);
		if (rr->served)
			rr_close(&rr->served[i]);
	}
}

static double fairness_of(const struct traffic_rr *rr)
{
	uint64_t *shares = calloc(rr->options.flows, sizeof(*shares));
	double fairness = 0; /* impossible: it is not known */

	if (!shares)
		return fairness;
	for (unsigned i = 0; i < rr->options.flows; i++)
		shares[i] = traffic_rr_transactions(rr, i);
	fairness = traffic_fairness(shares, rr->options.flows);
	free(shares);
	return fairness;
}

void traffic_rr_stop(struct traffic_rr *rr, struct traffic_rr_result *result)
{
	end(rr);
	*result = (struct traffic_rr_result){
		.began_ns = rr->began_ns,
		.ended_ns = rr->ended_ns,
		.fairness = fairness_of(rr),
		.client_cpu = rr->client.cpu,
		.server_cpu = rr->server.cpu,
	};
	traffic_rr_live(rr, &result->total);
	if (rr->ended_ns > rr->began_ns)
		result->transactions_per_second = (double)result->total.transactions * (double)TRAFFIC_SECOND /
		                                  (double)(rr->ended_ns - rr->began_ns);
}

void traffic_rr_flow(const struct traffic_rr *rr, unsigned flow, struct traffic_rr_flow *result)
{
	const struct rr_flow *from = &rr->flows[flow];

	*result = (struct traffic_rr_flow){
		.transactions = traffic_rr_transactions(rr, flow),
		.longest_silence_ns = from->longest_silence_ns,
		.stalls = from->stalls,
		.errnum = from->errnum,
		.port = from->port,
	};
}

void traffic_rr_free(struct traffic_rr *rr)
{
	if (!rr)
		return;
	end(rr);
	const int fds[] = {rr->listener, rr->client_epoll, rr->server_epoll, rr->client_bell, rr->server_bell};
	for (size_t i = 0; i < sizeof(fds) / sizeof(fds[0]); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	pthread_cond_destroy(&rr->gate.changed);
	pthread_mutex_destroy(&rr->gate.lock);
	free(rr->flows);
	free(rr->served);
	free(rr->begun_ns);
	free(rr->client_buffer);
	free(rr->server_buffer);
	free(rr);
}
