/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bondctl: reads the command line, runs one command or a batch of them, and exits with the status. Sits on
 * top of command.c.
 */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "output.h"

/* A listing of many bonds is megabytes of JSON: fewer and larger writes. */
#define OUTPUT_BUFFER (64 * 1024)

int context_handle(struct context *context, struct libbond **out)
{
	struct libbond_error err;
	if (context->line && context->settings.netns != context->netns)
		return output_usage("--netns stands beside --batch, not in its lines");
	if (!context->handle && libbond_open(&context->handle, context->settings.netns, 0, &err) < 0)
		return output_error(&err, NULL);
	*out = context->handle;
	return STATUS_OK;
}

/* A descriptor that the caller has closed would become that of the netlink socket, and what is printed a
 * message to the kernel. Opened the wrong way round: using it still fails, and is reported. */
static void guard_descriptors(void)
{
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
			_exit(STATUS_REFUSED);
}

/* An error in the words before --json has to be JSON as well. */
static void look_ahead(struct settings *settings, int count, char **words)
{
	for (int i = 0; i < count && strcmp(words[i], "--") != 0; i++)
		if (args_is_option(words[i], "json", 'j') || args_is_option(words[i], "pretty", 'p'))
			settings->json = true;
}

int main(int argc, char **argv)
{
	struct context context = {.settings = SETTINGS_START};

	guard_descriptors();
	look_ahead(&context.settings, argc - 1, argv + 1);
	output_begin(&context);
	json_global_set_string_hash(JSON_C_STR_HASH_PERLLIKE); /* keys are ours: no seed to be asked for */
	setvbuf(stdout, NULL, _IOFBF, OUTPUT_BUFFER);
	int status = command_run(&context, argc - 1, argv + 1);
	int end = output_end();
	libbond_close(context.handle);
	json_object_put(context.extras);
	return status != STATUS_OK ? status : end;
}
