/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What iperf3 printed, recorded, and what it might print: cut short, damaged, of other types, too much of it. Tests
 * cli/traffic/iperf3-json.c.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traffic/iperf3-json.h"
#include "unit.h"

#define TEXT_MAX 65536

/* A recording; it belongs to the caller. */
static char *recording(const char *name, size_t *length)
{
	char path[256], *text = malloc(TEXT_MAX);

	assert_non_null(text);
	snprintf(path, sizeof(path), RECORDED "/iperf3/%s.json", name);
	FILE *file = fopen(path, "r");
	if (!file)
		unit_fail("no %s", path);
	*length = fread(text, 1, TEXT_MAX - 1, file);
	fclose(file);
	text[*length] = '\0';
	return text;
}

static const struct row {
	const char *name, *error;
	bool is_complete, has_end, is_receiver;
	int64_t sent, received, packets, lost;
	bool has_retransmits;
	unsigned streams, reported;
	size_t intervals;
} rows[] = {
	{"tcp", "", true, true, false, 1122500608, 1113587712, -1, -1, true, 2, 2, 2},
	{"reverse", "", true, true, true, 1109262336, 1096679424, -1, -1, true, 2, 2, 2},
	{"udp", "", true, true, false, 2499248, 2499248, 1726, 0, false, 2, 2, 2},
	{"udp-reverse", "", true, true, true, 2499248, 2499248, 1726, 0, false, 2, 2, 2},
	{"stopped", "interrupt", false, true, false, 1680867328, -1, -1, -1, true, 2, 2, 3},
	{"stopped-reverse", "interrupt", false, true, true, -1, 1702887424, -1, -1, false, 2, 2, 3},
	{"stopped-udp", "interrupt", false, true, false, 3344880, -1, -1, -1, false, 2, 2, 3},
	{"refused", "Connection refused", false, false, false, -1, -1, -1, -1, false, 0, 0, 0},
};

static void recordings(void **state)
{
	struct traffic_iperf3_figures figures;
	size_t length;
	(void)state;

	for (size_t i = 0; i < COUNT(rows); i++) {
		const struct row *row = &rows[i];
		char *text = recording(row->name, &length);
		assert_int_equal(traffic_iperf3_parse(text, length, &figures), 0);
		unit_assert_contains(row->error, figures.error);
		unit_assert_text(row->name, "iperf 3.12", figures.version);
		if (figures.is_complete != row->is_complete || figures.has_end != row->has_end ||
		    figures.is_receiver != row->is_receiver || figures.streams != row->streams ||
		    figures.reported != row->reported || figures.intervals != row->intervals)
			unit_fail("%s: kind", row->name);
		if (figures.sent_bytes != row->sent || figures.received_bytes != row->received ||
		    figures.packets != row->packets || figures.lost_packets != row->lost ||
		    (figures.retransmits >= 0) != row->has_retransmits)
			unit_fail("%s: figures %lld %lld %lld %lld %lld", row->name, (long long)figures.sent_bytes,
			          (long long)figures.received_bytes, (long long)figures.packets,
			          (long long)figures.lost_packets, (long long)figures.retransmits);
		if (row->has_end && !(figures.seconds > 0.9 && figures.bits_per_second > 1e6))
			unit_fail("%s: rate", row->name);
		for (unsigned n = 0; n < figures.reported; n++)
			if (figures.stream[n].port == 0 ||
			    (figures.stream[n].sent_bytes < 0 && figures.stream[n].received_bytes < 0))
				unit_fail("%s: stream %u", row->name, n);
		traffic_iperf3_figures_free(&figures);
		free(text);
	}
}

static void a_killed_server(void **state)
{
	struct traffic_iperf3_figures figures;
	size_t length;
	char *text = recording("killed", &length);
	int64_t bytes = 0;
	(void)state;

	assert_int_equal(traffic_iperf3_parse(text, length, &figures), 0);
	assert_false(figures.is_complete);
	assert_false(figures.has_end);
	assert_int_equal(figures.intervals, 2); /* the second is there twice */
	assert_float_equal(figures.seconds, 1.002643, 1e-9);
	for (size_t i = 0; i < figures.intervals; i++)
		bytes += figures.interval[i].bytes;
	assert_int_equal(figures.sent_bytes, bytes);
	assert_int_equal(figures.received_bytes, -1);
	assert_true(figures.bits_per_second > 1e6);
	unit_assert_contains("control socket", figures.error);
	traffic_iperf3_figures_free(&figures);
	free(text);
}

/* Whatever it is, it is read without harm, and is no complete run unless it has streams and no error. */
static void try(const char *text, size_t length)
{
	struct traffic_iperf3_figures figures;
	/* its own memory, so that a sanitizer sees one byte too many */
	char *copy = malloc(length ? length : 1);

	assert_non_null(copy);
	memcpy(copy, text, length);
	int rc = traffic_iperf3_parse(copy, length, &figures);
	assert_true(rc == 0 || rc == -EBADMSG);
	assert_true(!figures.is_complete || (figures.has_end && figures.reported > 0 && !figures.error[0]));
	assert_true(figures.reported <= TRAFFIC_IPERF3_STREAMS_MAX);
	assert_true(figures.bits_per_second >= 0 && figures.seconds >= 0);
	for (const char *p = figures.error; *p; p++)
		assert_true(*p >= ' ' && *p < 0x7f);
	traffic_iperf3_figures_free(&figures);
	free(copy);
}

static void cut_short(void **state)
{
	static const char *const names[] = {"tcp", "udp", "stopped", "refused"};
	size_t length;
	(void)state;

	for (size_t i = 0; i < COUNT(names); i++) {
		char *text = recording(names[i], &length);
		while (length-- > 0) {
			struct traffic_iperf3_figures figures;
			int rc = traffic_iperf3_parse(text, length, &figures);
			/* the last byte is a newline */
			if (rc != (text[length] == '\n' ? 0 : -EBADMSG))
				unit_fail("%s: %zu bytes: %d", names[i], length, rc);
			assert_true(text[length] == '\n' || !figures.has_end);
			traffic_iperf3_figures_free(&figures);
		}
		free(text);
	}
}

static void damaged(void **state)
{
	static const char bytes[] = {'\0', '"', '{', '}', '[', ']', '-', '9', 'e', 'n', '\\', '\x80', '\xff'};
	size_t length;
	char *text = recording("tcp", &length);
	(void)state;

	for (size_t at = 0; at < length; at++) {
		char was = text[at];
		text[at] = bytes[at % COUNT(bytes)];
		try(text, length);
		text[at] = was;
	}
	free(text);
}

static void of_other_types(void **state)
{
	static const char *const texts[] = {
		"",
		" ",
		"null",
		"[]",
		"{}",
		"\"end\"",
		"{\"end\":null}",
		"{\"end\":[],\"start\":7,\"intervals\":{}}",
		"{\"end\":{\"streams\":{\"0\":1}}}",
		"{\"end\":{\"streams\":[null,1,\"x\",[],{}]}}",
		"{\"end\":{\"streams\":[{\"sender\":1,\"receiver\":[]}],\"sum_sent\":1}}",
		"{\"end\":{\"streams\":[{\"udp\":{\"bytes\":\"12\",\"packets\":-3,\"lost_packets\":1e400}}]}}",
		"{\"end\":{\"streams\":[{\"sender\":{\"bytes\":99999999999999999999}}]}}",
		"{\"end\":{\"streams\":[{\"sender\":{\"bytes\":NaN}}]}}",
		"{\"end\":{\"streams\":[1]},\"error\":null}",
		"{\"end\":{\"streams\":[1]},\"error\":{}}",
		"{\"end\":{\"streams\":[1]},\"error\":\"\"}",
		"{\"intervals\":[null,1,{\"sum\":1},{\"sum\":{\"bytes\":9e18}},{\"sum\":{\"bytes\":8e18}},"
		"{\"sum\":{\"bytes\":8e18,\"end\":1e308}}]}",
		"{\"start\":{\"connected\":[{\"local_port\":70000},{\"local_port\":-1}],\"version\":[1]}}",
		"{\"error\":\"\\u001b[31m\\u0000 \xc3\xa9\"}",
		"{\"start\":{}} trailing",
	};
	(void)state;

	for (size_t i = 0; i < COUNT(texts); i++)
		try(texts[i], strlen(texts[i]));
}

static void an_error_without_words_is_one(void **state)
{
	static const char text[] = "{\"end\":{\"streams\":[{\"sender\":{\"bytes\":1}}]},\"error\":\"\"}";
	static const char fine[] = "{\"end\":{\"streams\":[{\"sender\":{\"bytes\":1}}]}}";
	struct traffic_iperf3_figures figures;
	(void)state;

	assert_int_equal(traffic_iperf3_parse(text, strlen(text), &figures), 0);
	assert_false(figures.is_complete);
	traffic_iperf3_figures_free(&figures);
	assert_int_equal(traffic_iperf3_parse(fine, strlen(fine), &figures), 0);
	assert_true(figures.is_complete);
	assert_int_equal(figures.sent_bytes, -1); /* no sum: it is not made up */
	traffic_iperf3_figures_free(&figures);
}

static void too_much(void **state)
{
	enum { MANY = TRAFFIC_IPERF3_INTERVALS_MAX + 10 };
	static const char stream[] = "{\"sender\":{\"bytes\":1}},";
	size_t size = 64 + MANY * 64 + 1000 * strlen(stream), length;
	struct traffic_iperf3_figures figures;
	char *text = malloc(size);
	(void)state;

	assert_non_null(text);
	length = (size_t)sprintf(text, "{\"end\":{\"streams\":[");
	for (int i = 0; i < 1000; i++, length += strlen(stream))
		memcpy(text + length, stream, strlen(stream));
	length += (size_t)sprintf(text + length, "0]},\"intervals\":[");
	for (int i = 0; i < MANY; i++)
		length += (size_t)sprintf(text + length, "{\"sum\":{\"bytes\":1,\"end\":1%08d}},", i);
	length += (size_t)sprintf(text + length, "0]}");
	assert_int_equal(traffic_iperf3_parse(text, length, &figures), 0);
	assert_int_equal(figures.reported, TRAFFIC_IPERF3_STREAMS_MAX);
	assert_int_equal(figures.intervals, TRAFFIC_IPERF3_INTERVALS_MAX);
	assert_true(figures.is_cut);
	traffic_iperf3_figures_free(&figures);
	/* and too deep */
	memset(text, '[', size);
	assert_int_equal(traffic_iperf3_parse(text, size, &figures), -EBADMSG);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("recorded runs are read as what they were", recordings),
		TEST("a run whose server was killed has its intervals", a_killed_server),
		TEST("a text that is cut short anywhere is no run", cut_short),
		TEST("a text with a wrong byte anywhere does no harm", damaged),
		TEST("members of other types do no harm", of_other_types),
		TEST("an error without words is one, and what was not said is not made up",
	             an_error_without_words_is_one),
		TEST("too many streams and intervals are cut, too deep a text is refused", too_much),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
