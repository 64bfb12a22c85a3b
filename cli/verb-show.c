/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * bondctl show, list and stats: reads bonds and hands them to a renderer. Sits between command.c and
 * select.c, text.c, json.c.
 */
#include <inttypes.h>
#include <string.h>

#include "command.h"
#include "json.h"
#include "output.h"
#include "select.h"
#include "text.h"

struct printing {
	bool details, any;
};

static void show_one(const struct libbond_link *bond, void *cookie)
{
	struct printing *printing = cookie;
	if (printing->any)
		printf("\n");
	printing->any = true;
	text_bond(bond, printing->details);
}

int verb_show(struct context *context, struct args *args)
{
	struct printing printing = {0};
	struct selection selection;
	int status = selection_read(&selection, args);

	printing.details = context->settings.details;
	if (status == STATUS_OK)
		status = context->settings.json
		                 ? selection_json(&selection, context, 0, json_bond)
		                 : selection_visit(&selection, context, LIBBOND_READ_NO_STATS, show_one, &printing);
	selection_free(&selection);
	return status;
}

static void list_one(const struct libbond_link *bond, void *cookie)
{
	char mode[LIBBOND_TEXT_SIZE] = "", active[LIBBOND_TEXT_SIZE], safe[SAFE_SIZE];
	int64_t up = 0;

	(void)cookie;
	libbond_link_text(bond, libbond_attr_find(LIBBOND_SCOPE_BOND, "mode"), mode, sizeof(mode));
	libbond_link_number(bond, libbond_attr_find(LIBBOND_SCOPE_LINK, "up"), &up);
	printf("%-15s  %-13s  %-4s", output_safe(libbond_link_name(bond), safe), mode, up ? "up" : "down");
	for (size_t i = 0; i < libbond_link_slaves(bond); i++)
		printf("%s%s", i ? " " : "  ", output_safe(libbond_link_name(libbond_link_slave(bond, i)), safe));
	if (libbond_link_text(bond, libbond_attr_find(LIBBOND_SCOPE_BOND, "active_slave"), active, sizeof(active)) >=
	    0)
		printf("  (active %s)", output_safe(active, safe));
	printf("\n");
}

int verb_list(struct context *context, struct args *args)
{
	struct selection all = {0};
	int status = args_end(args);

	if (status != STATUS_OK)
		return status;
	return context->settings.json ? selection_json(&all, context, LIBBOND_READ_NO_STATS, json_bond_brief)
	                              : selection_visit(&all, context, LIBBOND_READ_NO_STATS, list_one, NULL);
}

/* --- counters: a row for the bond and for each slave, a column for each counter --- */

#define ALWAYS_SHOWN 4 /* packets and bytes */
#define NAME_WIDTH 17

static bool counts_anything(const struct libbond_link *bond, size_t counter)
{
	uint64_t value = 0;
	if (libbond_link_counter(bond, counter, &value) == 0 && value)
		return true;
	for (size_t i = 0; i < libbond_link_slaves(bond); i++)
		if (libbond_link_counter(libbond_link_slave(bond, i), counter, &value) == 0 && value)
			return true;
	return false;
}

static bool is_shown(const struct libbond_link *bond, size_t counter, bool details)
{
	return counter < ALWAYS_SHOWN || details || counts_anything(bond, counter);
}

/* A column is as wide as its heading, and wide enough for a 15-digit number. */
static int width_of(size_t counter)
{
	int heading = (int)strlen(libbond_counter_name(counter));
	return heading > 15 ? heading : 15;
}

static void stats_row(const struct libbond_link *bond, const struct libbond_link *link, bool details)
{
	char safe[SAFE_SIZE];
	uint64_t value;

	printf("%s%-*s", link == bond ? "" : "  ", link == bond ? NAME_WIDTH : NAME_WIDTH - 2,
	       output_safe(libbond_link_name(link), safe));
	for (size_t i = 0; libbond_counter_name(i); i++) {
		if (!is_shown(bond, i, details))
			continue;
		if (libbond_link_counter(link, i, &value) == 0)
			printf(" %*" PRIu64, width_of(i), value);
		else
			printf(" %*s", width_of(i), "-");
	}
	printf("\n");
}

static void stats_one(const struct libbond_link *bond, void *cookie)
{
	struct printing *printing = cookie;

	printf("%s%-*s", printing->any ? "\n" : "", NAME_WIDTH, "");
	printing->any = true;
	for (size_t i = 0; libbond_counter_name(i); i++)
		if (is_shown(bond, i, printing->details))
			printf(" %*s", width_of(i), libbond_counter_name(i));
	printf("\n");
	stats_row(bond, bond, printing->details);
	for (size_t i = 0; i < libbond_link_slaves(bond); i++)
		stats_row(bond, libbond_link_slave(bond, i), printing->details);
}

int verb_stats(struct context *context, struct args *args)
{
	struct printing printing = {0};
	struct selection selection;
	int status = selection_read(&selection, args);

	printing.details = context->settings.details;
	if (status == STATUS_OK)
		status = context->settings.json ? selection_json(&selection, context, 0, json_bond_stats)
		                                : selection_visit(&selection, context, 0, stats_one, &printing);
	selection_free(&selection);
	return status;
}
