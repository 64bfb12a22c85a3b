/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts and ends the probe and answers questions about it. Sits between its callers and the two threads,
 * probe-send.c and probe-receive.c, whose findings are in probe-log.c.
 */
#include "traffic/probe.h"

#include <errno.h>
#include <linux/sock_diag.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "lab/fail.h"
#include "traffic/clock.h"
#include "traffic/probe-inner.h"

#define WINDOW_SECONDS 10 /* a datagram may come so late and still be told from a lost one */
#define WINDOW_MIN 1024
#define WINDOW_MAX 65536
#define SOCKET_BUFFER (4 << 20)
#define LOOK_MS 5

static int check(struct traffic_probe_options *options, struct libbond_error *err)
{
	if (options->interval_us == 0)
		options->interval_us = 1000;
	if (options->bytes == 0)
		options->bytes = 64;
	if (options->grace_ms == 0)
		options->grace_ms = 1000;
	if (options->silence_ms == 0)
		options->silence_ms = 100;
	if (options->interval_us > TRAFFIC_PROBE_INTERVAL_MAX_US)
		return lab_fail(err, LIBBOND_CAUSE_BAD_VALUE, ERANGE, "an interval of %u us: at most %u are possible",
		                options->interval_us, TRAFFIC_PROBE_INTERVAL_MAX_US);
	if (options->bytes < TRAFFIC_PROBE_BYTES_MIN || options->bytes > TRAFFIC_PROBE_BYTES_MAX)
		return lab_fail(err, LIBBOND_CAUSE_BAD_VALUE, ERANGE,
		                "datagrams of %u bytes: between %d and %d are possible", options->bytes,
		                TRAFFIC_PROBE_BYTES_MIN, TRAFFIC_PROBE_BYTES_MAX);
	return 0;
}

static int new_log(const struct traffic_probe_options *options, struct traffic_log **log)
{
	uint32_t window = WINDOW_SECONDS * 1000000u / options->interval_us;
	const struct traffic_log_options wanted = {
		.window = window < WINDOW_MIN   ? WINDOW_MIN
	                  : window > WINDOW_MAX ? WINDOW_MAX
	                                        : window,
		.copies = options->copies,
		.silence_ns = options->silence_ms * TRAFFIC_MS,
		.losses_max = TRAFFIC_PROBE_LOSSES_MAX,
		.outages_max = TRAFFIC_PROBE_OUTAGES_MAX,
	};
	return traffic_log_new(&wanted, log);
}

/* A sender that is urgent is not to wait for a thread that is not, and has the lock. */
static int new_lock(pthread_mutex_t *lock)
{
	pthread_mutexattr_t attributes;
	int errnum = pthread_mutexattr_init(&attributes);

	if (errnum)
		return -errnum;
	pthread_mutexattr_setprotocol(&attributes, PTHREAD_PRIO_INHERIT);
	errnum = pthread_mutex_init(lock, &attributes);
	pthread_mutexattr_destroy(&attributes);
	return -errnum;
}

static int open_end(const struct traffic_end *end, uint16_t port, int *fd, struct libbond_error *err)
{
	const int on = 1, size = SOCKET_BUFFER;
	const struct traffic_sockets wanted = {.type = SOCK_DGRAM, .port = port, .count = 1};
	int opened, rc = traffic_open(end, &wanted, &opened, err);

	if (rc < 0)
		return rc;
	*fd = opened;
	if (setsockopt(opened, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof(on)) < 0)
		return lab_fail(err, LIBBOND_CAUSE_SYSTEM, errno, "no times of arrival from this kernel: %s",
		                strerror(errno));
	/* more than net.core.rmem_max where we may; what overflows all the same is counted */
	if (setsockopt(opened, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size)) < 0)
		setsockopt(opened, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
	return 0;
}

static int open_ends(struct traffic_probe *probe, struct libbond_error *err)
{
	const struct traffic_end *ends[TRAFFIC_WAYS] = {&probe->options.near, &probe->options.far};
	const uint16_t ports[TRAFFIC_WAYS] = {probe->options.near_port, probe->options.far_port};
	int rc = 0;

	for (unsigned i = 0; rc == 0 && i < TRAFFIC_WAYS; i++)
		rc = open_end(ends[i], ports[i], &probe->fds[i], err);
	for (unsigned i = 0; rc == 0 && i < TRAFFIC_WAYS; i++) {
		unsigned other = TRAFFIC_WAYS - 1 - i;
		struct probe_way *way = &probe->ways[i];
		way->from = probe->fds[i];
		way->to = probe->fds[other];
		rc = traffic_place(ends[other]->address, traffic_port(way->to), &way->place, err);
	}
	return rc;
}

static int prepare(struct traffic_probe *probe)
{
	int rc = 0;

	probe->datagram = calloc(1, probe->options.bytes);
	if (!probe->datagram)
		return -ENOMEM;
	if (getrandom(&probe->run, sizeof(probe->run), 0) != sizeof(probe->run))
		return -EIO;
	for (unsigned i = 0; rc == 0 && i < TRAFFIC_WAYS; i++)
		rc = new_log(&probe->options, &probe->ways[i].log);
	if (rc == 0)
		rc = probe->bell = traffic_bell_new();
	return rc < 0 ? rc : 0;
}

static int start(struct traffic_probe *probe, struct libbond_error *err)
{
	int rc = prepare(probe);

	if (rc < 0)
		return lab_fail(err, rc == -ENOMEM ? LIBBOND_CAUSE_MEMORY : LIBBOND_CAUSE_SYSTEM, -rc,
		                "cannot prepare the probe: %s", strerror(-rc));
	rc = open_ends(probe, err);
	if (rc < 0)
		return rc;
	probe->sender = (struct traffic_thread){.run = probe_send_run, .context = probe};
	probe->receiver = (struct traffic_thread){.run = probe_receive_run, .context = probe};
	rc = traffic_thread_start(&probe->receiver, "probe-receive");
	if (rc == 0)
		rc = traffic_thread_start(&probe->sender, "probe-send");
	if (rc < 0)
		lab_fail(err, LIBBOND_CAUSE_SYSTEM, -rc, "cannot start a thread: %s", strerror(-rc));
	return rc;
}

int traffic_probe_start(const struct traffic_probe_options *options, struct traffic_probe **probe,
                        struct libbond_error *err)
{
	struct traffic_probe_options wanted = *options;
	int rc = check(&wanted, err);

	if (rc < 0)
		return rc;
	struct traffic_probe *made = calloc(1, sizeof(*made));
	if (!made)
		return lab_fail_memory(err);
	made->options = wanted;
	made->bell = made->fds[0] = made->fds[1] = -1;
	for (unsigned i = 0; i < TRAFFIC_WAYS; i++) {
		if (new_lock(&made->ways[i].lock) == 0)
			continue;
		while (i--)
			pthread_mutex_destroy(&made->ways[i].lock);
		free(made);
		return lab_fail_memory(err);
	}
	rc = start(made, err);
	if (rc < 0) {
		traffic_probe_free(made);
		return rc;
	}
	*probe = made;
	return 0;
}

/* --- its own timing --- */

enum { LATE, GAPS, DELAYS = GAPS + TRAFFIC_WAYS, HISTOGRAMS = DELAYS + TRAFFIC_WAYS };

struct moment {
	struct traffic_histogram histograms[HISTOGRAMS];
	uint64_t skipped;
};

static void take_moment(const struct traffic_probe *probe, struct moment *moment)
{
	traffic_histogram_copy(&moment->histograms[LATE], &probe->late);
	for (unsigned i = 0; i < TRAFFIC_WAYS; i++) {
		traffic_histogram_copy(&moment->histograms[GAPS + i], &probe->ways[i].gap);
		traffic_histogram_copy(&moment->histograms[DELAYS + i], &probe->ways[i].delay);
	}
	moment->skipped = atomic_load_explicit(&probe->skipped, memory_order_relaxed);
}

static void tell(const struct traffic_probe *probe, const struct moment *moment, struct traffic_timing *timing)
{
	const struct traffic_histogram *late = &moment->histograms[LATE];

	*timing = (struct traffic_timing){
		.resolution_ns = probe->options.interval_us * UINT64_C(1000),
		.late_median_ns = traffic_histogram_quantile(late, 0.5),
		.late_99_ns = traffic_histogram_quantile(late, 0.99),
		.late_most_ns = atomic_load_explicit(&late->max, memory_order_relaxed),
		.slots = traffic_histogram_count(late) + moment->skipped,
		.skipped = moment->skipped,
	};
	for (unsigned i = 0; i < TRAFFIC_WAYS; i++) {
		const struct traffic_histogram *gap = &moment->histograms[GAPS + i];
		const struct traffic_histogram *delay = &moment->histograms[DELAYS + i];
		timing->ways[i].gap_99_ns = traffic_histogram_quantile(gap, 0.99);
		timing->ways[i].gap_most_ns = atomic_load_explicit(&gap->max, memory_order_relaxed);
		timing->ways[i].delay_median_ns = traffic_histogram_quantile(delay, 0.5);
		timing->ways[i].delay_99_ns = traffic_histogram_quantile(delay, 0.99);
		timing->ways[i].delay_most_ns = atomic_load_explicit(&delay->max, memory_order_relaxed);
		if (timing->ways[i].gap_99_ns > timing->resolution_ns)
			timing->resolution_ns = timing->ways[i].gap_99_ns;
	}
}

void traffic_probe_timing(struct traffic_probe *probe, struct traffic_timing *timing)
{
	struct moment now;

	take_moment(probe, &now);
	tell(probe, &now, timing);
}

static uint64_t lost_in(struct traffic_probe *probe)
{
	struct traffic_probe_counts counts;
	uint64_t lost = 0;

	for (unsigned i = 0; i < TRAFFIC_WAYS; i++) {
		traffic_probe_counts(probe, (enum traffic_way)i, &counts);
		lost += counts.log.lost;
	}
	return lost;
}

void traffic_probe_calibrate(struct traffic_probe *probe, unsigned ms, struct traffic_timing *timing, uint64_t *lost)
{
	struct timespec until = traffic_timespec(traffic_now() + ms * TRAFFIC_MS);
	struct moment before, after;

	*lost = lost_in(probe);
	take_moment(probe, &before);
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
		;
	take_moment(probe, &after);
	for (unsigned i = 0; i < HISTOGRAMS; i++)
		traffic_histogram_since(&after.histograms[i], &before.histograms[i]);
	after.skipped -= before.skipped;
	*lost = lost_in(probe) - *lost;
	tell(probe, &after, timing);
}

/* --- questions --- */

static struct traffic_log_view view_of(const struct traffic_probe *probe)
{
	return (struct traffic_log_view){
		.now_ns = traffic_now(),
		.grace_ns = probe->is_over ? 0 : probe->options.grace_ms * TRAFFIC_MS,
	};
}

static uint64_t overflown(int fd)
{
	uint32_t numbers[SK_MEMINFO_VARS] = {0};
	socklen_t length = sizeof(numbers);

	if (getsockopt(fd, SOL_SOCKET, SO_MEMINFO, numbers, &length) < 0)
		return 0;
	return numbers[SK_MEMINFO_DROPS];
}

void traffic_probe_counts(struct traffic_probe *probe, enum traffic_way way, struct traffic_probe_counts *counts)
{
	struct probe_way *asked = &probe->ways[way];

	pthread_mutex_lock(&asked->lock);
	traffic_log_counts(asked->log, view_of(probe), &counts->log);
	pthread_mutex_unlock(&asked->lock);
	counts->foreign = atomic_load_explicit(&asked->foreign, memory_order_relaxed);
	counts->overflown = overflown(asked->to);
	counts->last_arrival_ns = traffic_probe_last_arrival(probe, way);
}

uint64_t traffic_probe_last_arrival(const struct traffic_probe *probe, enum traffic_way way)
{
	return atomic_load_explicit(&probe->ways[way].last_arrival_ns, memory_order_relaxed);
}

uint64_t traffic_probe_lost_within(struct traffic_probe *probe, enum traffic_way way, struct traffic_window window)
{
	pthread_mutex_lock(&probe->ways[way].lock);
	uint64_t lost = traffic_log_lost_within(probe->ways[way].log, view_of(probe), window);
	pthread_mutex_unlock(&probe->ways[way].lock);
	return lost;
}

uint64_t traffic_probe_lost_outside(struct traffic_probe *probe, enum traffic_way way,
                                    const struct traffic_window *windows, size_t count, uint64_t *sent_ns,
                                    size_t room)
{
	pthread_mutex_lock(&probe->ways[way].lock);
	uint64_t lost = traffic_log_lost_outside(probe->ways[way].log, view_of(probe), windows, count, sent_ns, room);
	pthread_mutex_unlock(&probe->ways[way].lock);
	return lost;
}

void traffic_probe_outages(struct traffic_probe *probe, enum traffic_way way,
                           bool (*visit)(void *context, const struct traffic_outage *outage), void *context)
{
	pthread_mutex_lock(&probe->ways[way].lock);
	traffic_log_outages(probe->ways[way].log, view_of(probe), visit, context);
	pthread_mutex_unlock(&probe->ways[way].lock);
}

/* --- the end --- */

static bool is_all_here(struct traffic_probe *probe)
{
	struct traffic_probe_counts counts;
	uint64_t missing = 0;

	for (unsigned i = 0; i < TRAFFIC_WAYS; i++) {
		traffic_probe_counts(probe, (enum traffic_way)i, &counts);
		missing += counts.log.pending;
	}
	return missing == 0;
}

void traffic_probe_stop(struct traffic_probe *probe, unsigned drain_ms, struct traffic_cpu *cpu)
{
	uint64_t until = traffic_now() + drain_ms * TRAFFIC_MS;
	const struct timespec pause = traffic_timespec(LOOK_MS * TRAFFIC_MS);

	atomic_store(&probe->is_stopping, true);
	traffic_thread_join(&probe->sender);
	while (!is_all_here(probe) && traffic_now() < until)
		nanosleep(&pause, NULL);
	atomic_store(&probe->is_drained, true);
	if (probe->bell >= 0)
		traffic_bell_ring(probe->bell);
	traffic_thread_join(&probe->receiver);
	probe->is_over = true;
	if (!cpu)
		return;
	cpu->user_ns = probe->sender.cpu.user_ns + probe->receiver.cpu.user_ns;
	cpu->system_ns = probe->sender.cpu.system_ns + probe->receiver.cpu.system_ns;
}

void traffic_probe_free(struct traffic_probe *probe)
{
	if (!probe)
		return;
	if (!probe->is_over && probe->ways[0].log && probe->ways[1].log)
		traffic_probe_stop(probe, 0, NULL);
	for (unsigned i = 0; i < TRAFFIC_WAYS; i++) {
		if (probe->fds[i] >= 0)
			close(probe->fds[i]);
		traffic_log_free(probe->ways[i].log);
		pthread_mutex_destroy(&probe->ways[i].lock);
	}
	if (probe->bell >= 0)
		close(probe->bell);
	free(probe->datagram);
	free(probe);
}
