/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The property of documents, tried with documents that are made up: what was applied holds, so that the same again
 * has nothing to do; what could not be applied has left nothing. One bondctl is driven through pipes; what is and was
 * there is read from the kernel by random-state.c.
 *
 * usage: random BONDCTL FOLDER NET COUNT SEED    in a namespace with the ports e0 to e5 (far ends q0 to q5), t0 and
 * m0; NET is its /sys/class/net
 *
 * Prints what came of the documents; of the first that breaks the property the document, the answer and what differs.
 * The status is 1 then.
 */
#include "random.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static FILE *to_tool, *from_tool;
static char reply[262144];
static uint64_t random_state;

/* xorshift64*: the same numbers everywhere */
unsigned below(unsigned below)
{
	random_state ^= random_state >> 12;
	random_state ^= random_state << 25;
	random_state ^= random_state >> 27;
	return (unsigned)((random_state * 0x2545f4914f6cdd1dull) >> 33) % below;
}

/* What it says beside its answers goes to a file in the folder. */
static pid_t start_tool(const char *bondctl, const char *folder)
{
	char said[256];
	int in[2], out[2];

	snprintf(said, sizeof(said), "%s/stderr", folder);
	int err = open(said, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (err < 0 || pipe(in) < 0 || pipe(out) < 0)
		return -1;
	pid_t child = fork();
	if (child == 0) {
		dup2(in[0], STDIN_FILENO);
		dup2(out[1], STDOUT_FILENO);
		dup2(err, STDERR_FILENO);
		close(in[1]);
		close(out[0]);
		execl(bondctl, bondctl, "--json", "--keep-going", "--batch", "-", (char *)NULL);
		_exit(127);
	}
	close(in[0]);
	close(out[1]);
	close(err);
	to_tool = fdopen(in[1], "we");
	from_tool = fdopen(out[0], "re");
	return child;
}

/* One command of the batch; its status, the answer in "reply". -1 if the tool has ended. */
static int ask(const char *words, const char *file, const char *options)
{
	const char *status;

	fprintf(to_tool, "%s %s %s\n", words, file, options);
	fflush(to_tool);
	if (!fgets(reply, sizeof(reply), from_tool))
		return -1;
	status = strstr(reply, "\"status\":");
	return status ? atoi(status + strlen("\"status\":")) : -1;
}

static int write_document(const char *file, const struct document *document)
{
	FILE *out = fopen(file, "we");
	if (!out)
		return -1;
	fputs(document->text, out);
	return fclose(out);
}

/* People and cables: between two documents an address appears, a link goes or comes. */
static void meanwhile(void)
{
	char name[16];

	state_populate();
	snprintf(name, sizeof(name), "q%u", below(PORTS));
	if (one_in(3))
		state_set_up(name, !one_in(3));
	snprintf(name, sizeof(name), "e%u", below(PORTS));
	if (one_in(6))
		state_set_up(name, !one_in(3));
}

static int complain(const char *what, const struct document *document)
{
	printf("%s\n  document%s: %s  answer: %.20000s", what, document->prune ? " (--prune)" : "", document->text,
	       reply);
	return 1;
}

/* What was applied holds. */
static int check_success(const struct document *document, const char *file)
{
	const char *prune = document->prune ? "--prune" : "";
	char why[200];
	int status;

	if (state_misses(document, why, sizeof(why))) {
		printf("it is said to be applied, and %s\n", why);
		return complain("", document);
	}
	status = ask("diff", file, prune);
	if (status != 0)
		return complain("it was applied, and diff finds a difference", document);
	status = ask("apply --cycle --force --steal --dry-run", file, prune);
	if (status != 0 || !strstr(reply, "\"steps\":[]"))
		return complain("it was applied, and to apply it again has steps", document);
	return 0;
}

/* What was refused has left nothing. A slave that has left and joined again is the last in the list, which only
 * taking the others out as well would change: that is not done, and said. */
static int check_failure(const struct document *document, struct state *before)
{
	static struct state after;

	state_read(&after);
	state_forget_made_up(before, &after);
	if (strstr(reply, "order of its slaves")) {
		state_forget_order(before);
		state_forget_order(&after);
	}
	if (state_differ(before, &after, stdout) == 0)
		return 0;
	return complain("it was refused, and the state is another", document);
}

static int run(const char *file, unsigned count)
{
	static struct document document;
	static struct state before;
	unsigned statuses[16] = {0};

	for (unsigned n = 0; n < count; n++) {
		meanwhile();
		document_make(&document);
		state_read(&before);
		if (write_document(file, &document) < 0)
			return 2;
		int status = ask(document.prune ? "apply --cycle --force --steal --prune"
		                                : "apply --cycle --force --steal",
		                 file, "");
		if (status < 0 || status > 8)
			return complain("the tool has died", &document);
		statuses[status]++;
		if (status == 0 ? check_success(&document, file) : check_failure(&document, &before)) {
			printf("  document number %u\n", n);
			return 1;
		}
	}
	printf("%u documents: %u applied", count, statuses[0]);
	for (unsigned i = 1; i < 9; i++)
		if (statuses[i])
			printf(", %u times status %u", statuses[i], i);
	printf("\n");
	return 0;
}

int main(int argc, char **argv)
{
	char file[256];
	int status;

	if (argc != 6)
		return 2;
	/* a seed of 0 would give nothing but 0 */
	random_state = strtoull(argv[5], NULL, 10) * 2 + 1;
	setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
	snprintf(file, sizeof(file), "%s/document", argv[2]);
	if (state_open(argv[3]) < 0)
		return 2;
	pid_t tool = start_tool(argv[1], argv[2]);
	if (tool < 0 || !to_tool || !from_tool)
		return 2;
	status = run(file, (unsigned)atoi(argv[4]));
	fclose(to_tool);
	waitpid(tool, NULL, 0);
	return status;
}
