/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Plans a change and prints it or runs it, gives it up when a signal asks for that, and undoes it when nobody
 * confirms it. Sits between the verbs that change something and the library, plan.c, confirm.c and signals.c.
 */
#include "verb-change.h"

#include <json-c/json.h>
#include <string.h>

#include "confirm.h"
#include "output.h"
#include "plan.h"
#include "request.h"
#include "signals.h"

/* The words as they were typed, as far as there is room. */
static void keep_words(struct change *change, const struct args *args)
{
	size_t used = 0, room = sizeof(change->words);
	for (int i = args->verb; i < args->count && used < room; i++)
		used += (size_t)snprintf(change->words + used, room - used, "%s%s", i > args->verb ? " " : "",
		                         args->words[i]);
	if (used >= room)
		memcpy(change->words + room - 4, "...", 4);
}

static int check_settings(const struct context *context)
{
	if (context->settings.confirm_within && context->line)
		return output_usage(
			"--confirm-within waits for a person, and a batch does not: run that command alone");
	return STATUS_OK;
}

int change_begin(struct change *change, struct context *context, const struct args *args)
{
	*change = (struct change){.context = context};
	int status = check_settings(context);
	if (status == STATUS_OK)
		status = context_handle(context, &change->handle);
	if (status == STATUS_OK &&
	    (libbond_report_new(&change->report) < 0 || libbond_change_new(&change->wanted) < 0))
		status = output_no_memory();
	keep_words(change, args);
	return status;
}

int change_bond(struct change *change, const char *bond, unsigned flags, const struct libbond_config *config)
{
	int rc = libbond_change_bond(change->wanted, bond, flags, config, &change->error);
	return rc < 0 ? output_error(&change->error, NULL) : STATUS_OK;
}

int change_new_bond(struct change *change, const char *bond, unsigned flags, const struct libbond_config *config)
{
	struct libbond_config *defaults = NULL;
	int status = request_defaults(config, &defaults);

	if (status == STATUS_OK)
		status = change_bond(change, bond, flags, config);
	if (status == STATUS_OK && libbond_change_defaults(change->wanted, bond, defaults, &change->error) < 0)
		status = output_error(&change->error, NULL);
	libbond_config_free(defaults);
	return status;
}

int change_slave(struct change *change, const char *bond, const char *slave, enum libbond_slave_wish wish,
                 const struct libbond_config *config)
{
	int rc = libbond_change_slave(change->wanted, bond, slave, wish, config, &change->error);
	return rc < 0 ? output_error(&change->error, NULL) : STATUS_OK;
}

int change_plan(struct change *change, unsigned flags)
{
	int rc = libbond_plan(change->handle, change->wanted, flags, change->report, &change->plan, &change->error);
	return rc < 0 ? output_error(&change->error, change->report) : STATUS_OK;
}

static unsigned plan_flags(const struct settings *settings)
{
	return (settings->cycle ? LIBBOND_PLAN_CYCLE : 0u) | (settings->force ? LIBBOND_PLAN_FORCE : 0u) |
	       (settings->steal ? LIBBOND_PLAN_STEAL : 0u);
}

static int print_plan(struct change *change)
{
	int status = change_plan(change, plan_flags(&change->context->settings));
	if (status != STATUS_OK)
		return status;
	if (!change->context->settings.json) {
		plan_print(change->plan, change->report);
		return STATUS_OK;
	}
	output_extra("plan", plan_json(change->plan));
	return output_changes(change->report);
}

/* --- running --- */

static int run(struct change *change, struct signals *signals)
{
	signals_catch(signals, change->handle);
	int rc = libbond_plan_run(change->handle, change->plan, change->report, &change->error);
	signals_close(signals);
	return rc;
}

static int report_run(struct change *change, int rc)
{
	return rc < 0 ? output_error(&change->error, change->report) : output_changes(change->report);
}

/* After the report, which the end of the process must not take away. */
static void end_run(struct change *change, const struct signals *signals, bool keep_pipe)
{
	output_flush();
	signals_release(signals, keep_pipe);
	change->context->stopped |= signals_came(true);
}

static int run_at_once(struct change *change)
{
	struct signals signals;
	int status = change_plan(change, plan_flags(&change->context->settings));

	if (status != STATUS_OK)
		return status;
	status = report_run(change, run(change, &signals));
	end_run(change, &signals, false);
	return status;
}

/* --- running, and waiting for a confirmation --- */

static int say_confirmed(struct change *change, const struct confirmation *confirmation)
{
	if (confirmation->by.pid)
		output_note("confirmed by process %d of user %u", (int)confirmation->by.pid,
		            (unsigned)confirmation->by.uid);
	output_extra("confirmed", json_object_new_boolean(true));
	/* to a person it has been reported already, so that it could be judged */
	return change->context->settings.json ? output_changes(change->report) : STATUS_OK;
}

/* What another program has written since stays; some things are not made again. */
static bool leaves_something(const struct libbond_report *report)
{
	struct libbond_report_line line;
	for (size_t i = 0; libbond_report_line(report, i, &line) == 0; i++)
		if (line.outcome == LIBBOND_OUTCOME_OVERRIDDEN || line.outcome == LIBBOND_OUTCOME_LOST)
			return true;
	return false;
}

static int undo(struct change *change, enum verdict verdict)
{
	struct libbond_error err = {.cause = LIBBOND_CAUSE_CANCELLED, .rolled_back = 1};
	bool expired = verdict == VERDICT_EXPIRED;
	char why[64];

	if (expired)
		err.cause = LIBBOND_CAUSE_TIMEOUT;
	snprintf(why, sizeof(why), expired ? "not confirmed within %u s" : "ended before it was confirmed",
	         change->context->settings.confirm_within);
	output_extra("confirmed", json_object_new_boolean(false));
	if (libbond_plan_undo(change->handle, change->plan, change->report, &change->error) == 0) {
		snprintf(err.message, sizeof(err.message), "%s: everything is undone%s", why,
		         leaves_something(change->report) ? ", but for what is said" : "");
		return output_undone(&err, change->report);
	}
	err = change->error;
	snprintf(err.message, sizeof(err.message), "%s, and undoing it failed: %.150s", why, change->error.message);
	return output_undone(&err, change->report);
}

static int wait_for_confirmation(struct change *change, struct confirmation *confirmation,
                                 const struct signals *signals)
{
	if (!change->context->settings.json)
		output_changes(change->report);
	signals_ignore_hangup(); /* what a change can cost is the connection that it was made over */
	enum verdict verdict = confirm_wait(confirmation, change->context, signals);
	if (verdict == VERDICT_CONFIRMED) {
		confirm_close(confirmation, NULL);
		return say_confirmed(change, confirmation);
	}
	int status = undo(change, verdict);
	confirm_close(confirmation, status == STATUS_ROLLED_BACK
	                                    ? "too late: the change is undone"
	                                    : "too late: the change was to be undone, which failed");
	return status;
}

/* The place is taken before the state is looked at: no change that may yet be undone is planned on. */
static int run_safely(struct change *change)
{
	struct confirmation confirmation;
	struct signals signals;
	int status = confirm_open(&confirmation, change->context, change->words);

	if (status == STATUS_OK)
		status = change_plan(change, plan_flags(&change->context->settings));
	if (status != STATUS_OK) {
		confirm_close(&confirmation, "the change failed, and nothing was sent");
		return status;
	}
	int rc = run(change, &signals);
	bool done = libbond_plan_is_done(change->plan);
	if (done && rc < 0) /* but for something that could not be put back */
		output_note("%s", change->error.message);
	if (done && libbond_plan_steps(change->plan) > 0)
		status = wait_for_confirmation(change, &confirmation, &signals);
	else
		status = report_run(change, rc);
	if (done && rc < 0 && status == STATUS_OK)
		status = STATUS_REFUSED;
	confirm_close(&confirmation, rc < 0 && !done ? "the change failed" : "nothing was to be changed");
	end_run(change, &signals, true);
	return status;
}

void change_free(struct change *change)
{
	libbond_plan_free(change->plan);
	libbond_change_free(change->wanted);
	libbond_report_free(change->report);
	*change = (struct change){0};
}

int change_end(struct change *change, int status)
{
	const struct settings *settings = &change->context->settings;

	if (status == STATUS_OK)
		status = settings->dry_run          ? print_plan(change)
		         : settings->confirm_within ? run_safely(change)
		                                    : run_at_once(change);
	change_free(change);
	return status;
}
