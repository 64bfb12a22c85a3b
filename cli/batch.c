/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Runs a file of command lines: splits each into words as a shell would with quotes and no expansion, and
 * hands it to command.c. '#' begins a comment, a backslash at the end continues a line.
 */
#include "batch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "output.h"

struct line {
	char *text;
	size_t size;
	char **words;
	int count, room;
};

static bool add_word(struct line *line, char *word)
{
	if (line->count == line->room) {
		int room = line->room ? line->room * 2 : 16;
		char **grown = realloc(line->words, (size_t)room * sizeof(*grown));
		if (!grown)
			return false;
		line->words = grown;
		line->room = room;
	}
	line->words[line->count++] = word;
	return true;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Take one word out of the text in place, undoing quotes. NULL if a quote is not closed. */
static char *cut_word(char **text)
{
	char *from = *text, *to = *text, *word = *text;
	char quote = 0;

	for (; *from && (quote || !is_blank(*from)); from++) {
		if (quote && *from == quote)
			quote = 0;
		else if (!quote && (*from == '"' || *from == '\''))
			quote = *from;
		else if (*from == '\\' && quote != '\'' && from[1])
			*to++ = *++from;
		else
			*to++ = *from;
	}
	if (quote)
		return NULL;
	*text = *from ? from + 1 : from;
	*to = '\0';
	return word;
}

static int split(struct line *line)
{
	char *text = line->text;
	line->count = 0;
	for (;;) {
		while (is_blank(*text))
			text++;
		if (*text == '\0' || *text == '#')
			return STATUS_OK;
		char *word = cut_word(&text);
		if (!word)
			return output_usage("a quote is not closed");
		if (!add_word(line, word))
			return output_no_memory();
	}
}

static int run_line(const struct context *batch, struct context *context, struct line *line, size_t length)
{
	context->settings = batch->settings;
	context->settings.batch = NULL;
	if (strlen(line->text) != length)
		return output_usage("a line has a NUL byte in it");
	int status = split(line);
	if (status != STATUS_OK || line->count == 0)
		return status;
	return command_run(context, line->count, line->words);
}

/* Whether the line goes on in the next one: its last character is a backslash that is neither quoted nor
 * escaped nor in a comment. */
static bool goes_on(const char *text)
{
	bool in_word = false;
	char quote = 0;

	for (; *text && *text != '\n'; text++) {
		if (*text == '\\' && quote != '\'') {
			if (text[1] == '\n' || text[1] == '\0')
				return true;
			text++;
		} else if (quote) {
			if (*text == quote)
				quote = 0;
		} else if (*text == '"' || *text == '\'') {
			quote = *text;
		} else if (*text == '#' && !in_word) {
			return false;
		}
		in_word = quote || !is_blank(*text);
	}
	return false;
}

/* One physical line appended to the text. Its length, 0 at the end, -1 with errno set. */
static ssize_t append_line(FILE *file, struct line *line, size_t used)
{
	char *more = NULL;
	size_t size = 0;
	ssize_t length = getline(&more, &size, file);

	if (length > 0 && used + (size_t)length + 1 > line->size) {
		size_t room = 2 * (used + (size_t)length + 1);
		char *grown = realloc(line->text, room);
		if (!grown) {
			free(more);
			return -1;
		}
		line->text = grown;
		line->size = room;
	}
	if (length > 0)
		memcpy(line->text + used, more, (size_t)length + 1);
	free(more);
	return length > 0 ? length : ferror(file) ? -1 : 0;
}

/* One line with its continuations; *used is its length. 1 if there is one, 0 at the end, -1 with errno set. */
static int next_line(FILE *file, struct line *line, unsigned *number, size_t *used)
{
	ssize_t length = append_line(file, line, *used = 0);

	for (; length > 0; length = append_line(file, line, *used)) {
		++*number;
		*used += (size_t)length;
		if (!goes_on(line->text))
			return 1;
		*used -= line->text[*used - 1] == '\n' ? 2 : 1;
		line->text[*used] = '\0';
	}
	return length < 0 ? -1 : *used > 0;
}

int batch_run(struct context *context)
{
	bool standard = strcmp(context->settings.batch, "-") == 0;
	FILE *file = standard ? stdin : fopen(context->settings.batch, "re");
	struct context inner = *context;
	struct line line = {0};
	unsigned number = 0;
	size_t length;
	int worst = STATUS_OK, more;

	if (!file)
		return output_usage("cannot open %s: %s", output_source(context->settings.batch), strerror(errno));
	inner.netns = context->settings.netns;
	inner.lines_are_input = standard;
	output_begin(&inner);
	while ((more = next_line(file, &line, &number, &length)) > 0) {
		inner.line = number;
		int status = run_line(context, &inner, &line, length);
		worst = worst ? worst : status;
		output_flush();
		if (inner.stopped || (status != STATUS_OK && !context->settings.keep_going))
			break;
	}
	if (more < 0)
		worst = output_usage("cannot read %s: %s", output_source(context->settings.batch), strerror(errno));
	if (inner.stopped && worst == STATUS_OK)
		worst = output_stopped();
	json_object_put(inner.extras);
	context->handle = inner.handle;
	output_begin(context);
	free(line.text);
	free(line.words);
	if (!standard)
		fclose(file);
	return worst;
}
