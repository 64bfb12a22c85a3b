/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads what iperf3 prints with -J, whatever it is. Sits between json-c, which parses, and iperf3.c, which ran it.
 */
#include "traffic/iperf3-json.h"

#include <errno.h>
#include <json-c/json.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH 16 /* iperf3 nests 5 deep */

/* A member, or NULL where there is none or "object" is no object. */
static struct json_object *member(struct json_object *object, const char *key)
{
	struct json_object *found = NULL;

	if (!json_object_is_type(object, json_type_object) || !json_object_object_get_ex(object, key, &found))
		return NULL;
	return found;
}

static size_t length_of(struct json_object *array)
{
	return json_object_is_type(array, json_type_array) ? json_object_array_length(array) : 0;
}

static bool is_number(struct json_object *value)
{
	return json_object_is_type(value, json_type_int) || json_object_is_type(value, json_type_double);
}

static double real(struct json_object *object, const char *key)
{
	struct json_object *value = member(object, key);
	double number = is_number(value) ? json_object_get_double(value) : 0;

	return isfinite(number) && number > 0 ? number : 0;
}

/* A count; -1 where there is none, or one that cannot be. */
static int64_t count(struct json_object *object, const char *key)
{
	struct json_object *value = member(object, key);

	if (!is_number(value))
		return -1;
	/* cJSON knows doubles only, and writes large ones as such */
	double number = json_object_get_double(value);
	if (!(number >= 0 && number < 9e18))
		return -1;
	return json_object_is_type(value, json_type_int) ? json_object_get_int64(value) : (int64_t)number;
}

static bool is_true(struct json_object *object, const char *key)
{
	struct json_object *value = member(object, key);

	if (json_object_is_type(value, json_type_boolean))
		return json_object_get_boolean(value);
	return is_number(value) && json_object_get_double(value) != 0;
}

/* Printable, since it goes to terminals. */
static void text(struct json_object *object, const char *key, char to[TRAFFIC_IPERF3_TEXT])
{
	struct json_object *value = member(object, key);

	to[0] = '\0';
	if (!json_object_is_type(value, json_type_string))
		return;
	strncpy(to, json_object_get_string(value), TRAFFIC_IPERF3_TEXT - 1);
	to[TRAFFIC_IPERF3_TEXT - 1] = '\0';
	for (char *p = to; *p; p++)
		if ((unsigned char)*p < ' ' || (unsigned char)*p >= 0x7f)
			*p = '?';
}

/* --- the parts --- */

static int port_of(struct json_object *connected, size_t index)
{
	int64_t port =
		index < length_of(connected) ? count(json_object_array_get_idx(connected, index), "local_port") : -1;
	return port > 0 && port <= UINT16_MAX ? (int)port : 0;
}

/* TCP has what each end knows in an object of its own, UDP has one for both. */
static void read_stream(struct json_object *from, struct traffic_iperf3_stream *stream)
{
	struct json_object *udp = member(from, "udp"), *sender = member(from, "sender");

	stream->sent_bytes = count(udp ? udp : sender, "bytes");
	stream->received_bytes = count(member(from, "receiver"), "bytes");
	stream->retransmits = count(sender, "retransmits");
	stream->packets = count(udp, "packets");
	stream->lost_packets = count(udp, "lost_packets");
}

static int read_streams(struct json_object *end, struct json_object *connected,
                        struct traffic_iperf3_figures *figures)
{
	struct json_object *streams = member(end, "streams");
	size_t number = length_of(streams);

	if (number > TRAFFIC_IPERF3_STREAMS_MAX)
		number = TRAFFIC_IPERF3_STREAMS_MAX;
	if (number == 0)
		return 0;
	figures->stream = calloc(number, sizeof(*figures->stream));
	if (!figures->stream)
		return -ENOMEM;
	figures->reported = (unsigned)number;
	for (size_t i = 0; i < number; i++) {
		read_stream(json_object_array_get_idx(streams, i), &figures->stream[i]);
		figures->stream[i].port = port_of(connected, i);
	}
	return 0;
}

static void read_interval(struct json_object *from, struct traffic_iperf3_interval *interval)
{
	struct json_object *sum = member(from, "sum"), *streams = member(from, "streams");

	interval->begin_s = real(sum, "start");
	interval->end_s = real(sum, "end");
	interval->bytes = count(sum, "bytes");
	interval->bits_per_second = real(sum, "bits_per_second");
	interval->retransmits = count(sum, "retransmits");
	interval->streams = interval->idle = 0;
	for (size_t i = 0; i < length_of(streams) && i < TRAFFIC_IPERF3_STREAMS_MAX; i++) {
		interval->streams++;
		interval->idle += count(json_object_array_get_idx(streams, i), "bytes") <= 0;
	}
}

static int read_intervals(struct json_object *intervals, struct traffic_iperf3_figures *figures)
{
	size_t number = length_of(intervals);
	double last_s = 0;

	figures->is_cut = number > TRAFFIC_IPERF3_INTERVALS_MAX;
	if (figures->is_cut)
		number = TRAFFIC_IPERF3_INTERVALS_MAX;
	if (number == 0)
		return 0;
	figures->interval = calloc(number, sizeof(*figures->interval));
	if (!figures->interval)
		return -ENOMEM;
	for (size_t i = 0; i < number; i++) {
		struct json_object *from = json_object_array_get_idx(intervals, i);
		/* of the time that was to be left out (-O), or nothing that iperf3 would say */
		if (is_true(member(from, "sum"), "omitted") || count(member(from, "sum"), "bytes") < 0)
			continue;
		read_interval(from, &figures->interval[figures->intervals]);
		/* a run that ends in a failure prints the last one again */
		if (figures->interval[figures->intervals].end_s <= last_s)
			continue;
		last_s = figures->interval[figures->intervals++].end_s;
	}
	return 0;
}

/* What our end knows of the intervals, where nothing was summed up. */
static void sum_intervals(struct traffic_iperf3_figures *figures)
{
	int64_t bytes = 0, retransmits = 0;

	for (size_t i = 0; i < figures->intervals; i++) {
		const struct traffic_iperf3_interval *interval = &figures->interval[i];
		if (__builtin_add_overflow(bytes, interval->bytes, &bytes))
			return;
		if (interval->retransmits < 0 || retransmits < 0 ||
		    __builtin_add_overflow(retransmits, interval->retransmits, &retransmits))
			retransmits = -1;
		if (interval->end_s > figures->seconds)
			figures->seconds = interval->end_s;
	}
	if (figures->intervals == 0)
		return;
	*(figures->is_receiver ? &figures->received_bytes : &figures->sent_bytes) = bytes;
	figures->retransmits = retransmits;
	if (figures->seconds > 0)
		figures->bits_per_second = (double)bytes * 8 / figures->seconds;
}

/* After an error the other end's numbers never came: iperf3 prints them as 0. */
static void forget_other_end(struct traffic_iperf3_figures *figures)
{
	for (unsigned i = 0; i < figures->reported; i++) {
		struct traffic_iperf3_stream *stream = &figures->stream[i];
		if (figures->is_receiver) {
			stream->sent_bytes = stream->retransmits = -1;
		} else {
			stream->received_bytes = stream->packets = stream->lost_packets = -1;
		}
	}
	if (figures->is_receiver) {
		figures->sent_bytes = figures->retransmits = -1;
	} else {
		figures->received_bytes = figures->packets = figures->lost_packets = -1;
	}
}

static void read_end(struct json_object *end, struct traffic_iperf3_figures *figures)
{
	struct json_object *sent = member(end, "sum_sent"), *received = member(end, "sum_received");
	struct json_object *both = member(end, "sum"); /* of UDP */

	if (!sent && !received)
		sent = received = both;
	figures->sent_bytes = count(sent, "bytes");
	figures->received_bytes = count(received, "bytes");
	figures->retransmits = count(sent, "retransmits");
	figures->packets = count(both, "packets");
	figures->lost_packets = count(both, "lost_packets");
	if (figures->error[0])
		forget_other_end(figures);
	struct json_object *told = figures->received_bytes >= 0 ? received : sent;
	figures->seconds = real(told, "seconds");
	figures->bits_per_second = real(told, "bits_per_second");
	text(end, "sender_tcp_congestion", figures->congestion);
}

static int read_all(struct json_object *root, struct traffic_iperf3_figures *figures)
{
	struct json_object *start = member(root, "start"), *end = member(root, "end");
	struct json_object *connected = member(start, "connected");
	size_t streams = length_of(connected);

	text(start, "version", figures->version);
	text(root, "error", figures->error);
	figures->is_receiver = is_true(member(start, "test_start"), "reverse");
	figures->streams = streams < TRAFFIC_IPERF3_STREAMS_MAX ? (unsigned)streams : TRAFFIC_IPERF3_STREAMS_MAX;
	int rc = read_streams(end, connected, figures);
	if (rc == 0)
		rc = read_intervals(member(root, "intervals"), figures);
	if (rc < 0)
		return rc;
	figures->has_end = figures->reported > 0;
	/* an error without words is one */
	figures->is_complete = figures->has_end && !member(root, "error");
	if (figures->has_end)
		read_end(end, figures);
	else
		sum_intervals(figures);
	return 0;
}

int traffic_iperf3_parse(const char *json, size_t length, struct traffic_iperf3_figures *figures)
{
	*figures = (struct traffic_iperf3_figures){
		.sent_bytes = -1,
		.received_bytes = -1,
		.retransmits = -1,
		.packets = -1,
		.lost_packets = -1,
	};
	if (length > INT_MAX)
		return -EBADMSG;
	struct json_tokener *tokener = json_tokener_new_ex(DEPTH);
	if (!tokener)
		return -ENOMEM;
	json_tokener_set_flags(tokener, JSON_TOKENER_STRICT | JSON_TOKENER_ALLOW_TRAILING_CHARS);
	struct json_object *root = json_tokener_parse_ex(tokener, json, (int)length);
	int rc = json_object_is_type(root, json_type_object) ? read_all(root, figures) : -EBADMSG;
	json_object_put(root);
	json_tokener_free(tokener);
	return rc;
}

void traffic_iperf3_figures_free(struct traffic_iperf3_figures *figures)
{
	free(figures->stream);
	free(figures->interval);
	figures->stream = NULL;
	figures->interval = NULL;
	figures->reported = 0;
	figures->intervals = 0;
}
