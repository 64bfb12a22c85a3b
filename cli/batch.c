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

/* Take one word out of the text in place, undoing quotes. NULL if a quote is not closed. */
static char *cut_word(char **text)
{
	char *from = *text, *to = *text, *word = *text;
	char quote = 0;

	for (; *from && (quote || !strchr(" \t\r\n", *from)); from++) {
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
		text += strspn(text, " \t\r\n");
		if (*text == '\0' || *text == '#')
			return STATUS_OK;
		char *word = cut_word(&text);
		if (!word)
			return output_usage("a quote is not closed");
		if (!add_word(line, word))
			return output_no_memory();
	}
}

static int run_line(const struct context *batch, struct context *context, struct line *line)
{
	context->settings = batch->settings;
	context->settings.batch = NULL;
	int status = split(line);
	if (status != STATUS_OK || line->count == 0)
		return status;
	return command_run(context, line->count, line->words);
}

/* One line with its continuations. 1 if there is one, 0 at the end, -1 with errno set. */
static int next_line(FILE *file, struct line *line, unsigned *number)
{
	char *more = NULL;
	size_t size = 0;
	ssize_t length = getline(&line->text, &line->size, file);

	while (length >= 2 && strcmp(line->text + length - 2, "\\\n") == 0) {
		ssize_t extra = getline(&more, &size, file);
		++*number;
		if (extra < 0)
			break;
		char *joined = realloc(line->text, (size_t)(length + extra) + 1);
		if (!joined) {
			free(more);
			return -1;
		}
		line->text = joined;
		line->size = (size_t)(length + extra) + 1;
		memcpy(joined + length - 2, more, (size_t)extra + 1);
		length += extra - 2;
	}
	free(more);
	if (length >= 0)
		++*number;
	return length >= 0 ? 1 : ferror(file) ? -1 : 0;
}

int batch_run(struct context *context)
{
	bool standard = strcmp(context->settings.batch, "-") == 0;
	FILE *file = standard ? stdin : fopen(context->settings.batch, "re");
	struct context inner = *context;
	struct line line = {0};
	unsigned number = 0;
	int worst = STATUS_OK, more;

	if (!file)
		return output_usage("cannot open %s: %s", context->settings.batch, strerror(errno));
	inner.netns = context->settings.netns;
	output_begin(&inner);
	while ((more = next_line(file, &line, &number)) > 0) {
		inner.line = number;
		int status = run_line(context, &inner, &line);
		worst = worst ? worst : status;
		if (status != STATUS_OK && !context->settings.keep_going)
			break;
	}
	if (more < 0)
		worst = output_usage("cannot read %s: %s", context->settings.batch, strerror(errno));
	context->handle = inner.handle;
	output_begin(context);
	free(line.text);
	free(line.words);
	if (!standard)
		fclose(file);
	return worst;
}
