/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of verbs, and running one. Sits between main.c / batch.c, which have a command line, and the
 * verbs (verb-*.c).
 *
 * To add a verb: a file verb-NAME.c, a prototype in command.h, a row here, a section in man/bondctl.8.in.
 */
#include "command.h"

#include <string.h>

#include "batch.h"
#include "output.h"
#include "suggest.h"

/* clang-format off */
const struct command commands[] = {
	{
		.name = "create",
		.synopsis = "BOND [OPTION VALUE]... [slaves IF...] [slave IF [OPTION VALUE]...]... [up|down]",
		.summary = "create a bond with its options and slaves",
		.help = "Options, slaves and \"up\" may come in any order. Slaves that are up are taken down for the\n"
			"moment the driver demands it. If any part fails, nothing is left of the bond.\n"
			"\n"
			"Without miimon, and without an arp_interval above 0, miimon is set to 100: the driver's own\n"
			"default of 0 never notices a failed link. \"miimon 0\" is how to ask for that.\n"
			"Without a mode it is balance-rr, whatever the module's parameters say.",
		.example = "bondctl create bond0 mode active-backup slaves eth0 eth1 primary eth0 up\n"
			   "bondctl create bond1 mode 802.3ad lacp_rate fast xmit_hash_policy layer3+4 slaves eth2 eth3 up",
		.options = OPTION_TABLES(option_safely, option_cycle, option_force, option_steal),
		.operands = {OPERAND_NEW_BOND, OPERAND_REQUEST}, .run = verb_create,
	},
	{
		.name = "delete", .synopsis = "BOND...", .summary = "delete bonds; their slaves end released and down",
		.help = "A device that is not a bond is never deleted.", .example = "bondctl delete bond0",
		.options = OPTION_TABLES(option_safely), .operands = {OPERAND_BOND, OPERAND_MORE}, .run = verb_delete,
	},
	{
		.name = "set", .synopsis = "BOND [OPTION VALUE]... [up|down] [slave IF OPTION VALUE...]...",
		.summary = "change options of a bond and of its slaves",
		.help = "What holds already is not sent. Everything is checked against the bond's mode and state\n"
			"before anything is sent, and read back afterwards. All of it is done, or none: what was\n"
			"done before a failure is undone.\n"
			"\n"
			"Some options can be changed only while the bond is down, or has no slaves: --cycle does\n"
			"that for them, and --dry-run shows the steps. Addresses and routes that this costs are put\n"
			"back.\n"
			"\n"
			"Lists (arp_ip_target, ns_ip6_target) are separated by commas; +ADDRESS and -ADDRESS edit\n"
			"the present list, none clears it. \"none\" also clears primary and active_slave.\n"
			"Right after \"slave IF\" the words up, down, mtu and txqueuelen are about that interface.",
		.example = "bondctl set bond0 miimon 50 updelay 200\n"
			   "bondctl set bond0 slave eth1 prio 10 queue_id 2\n"
			   "bondctl set bond0 arp_ip_target +192.0.2.1,+192.0.2.2\n"
			   "bondctl set bond0 ad_select bandwidth --cycle --dry-run\n"
			   "bondctl set bond0 ad_select bandwidth --cycle",
		.options = OPTION_TABLES(option_safely, option_cycle, option_force),
		.operands = {OPERAND_BOND, OPERAND_REQUEST}, .run = verb_set,
	},
	{
		.name = "enslave", .synopsis = "BOND IF...", .summary = "make interfaces slaves of a bond",
		.help = "An interface that is up is taken down first, since the driver demands it; the driver sets\n"
			"it up again. One that belongs to another master is refused, but for --steal.",
		.example = "bondctl enslave bond0 eth2",
		.options = OPTION_TABLES(option_safely, option_cycle, option_force, option_steal),
		.operands = {OPERAND_BOND, OPERAND_CANDIDATE, OPERAND_MORE}, .run = verb_enslave,
	},
	{
		.name = "release", .synopsis = "BOND IF... [--up]", .summary = "release slaves from a bond",
		.help = "Only slaves of this bond are released. They end down, with the MAC address and MTU they\n"
			"had before; --up leaves them up. The traffic of an active slave is moved to its successor\n"
			"first. The last slave with link, an active one without a successor, and one that min_links\n"
			"needs are released only with --force.",
		.example = "bondctl release bond0 eth1",
		.options = OPTION_TABLES(option_safely, option_cycle, option_force, option_up),
		.operands = {OPERAND_BOND, OPERAND_SLAVE, OPERAND_MORE}, .run = verb_release,
	},
	{
		.name = "replace", .synopsis = "BOND OLD NEW [--wait=SECONDS]", .summary = "put a new slave in the place of an old one",
		.help = "The new one joins, takes over the options of the old one, and is waited for until it can\n"
			"carry traffic. Then it becomes active or primary where the old one was, and the old one\n"
			"leaves. If the new one does not come up in time, everything is as before.",
		.example = "bondctl replace bond0 eth1 eth2",
		.options = OPTION_TABLES(option_wait, option_safely, option_cycle, option_force, option_steal),
		.operands = {OPERAND_BOND, OPERAND_SLAVE, OPERAND_CANDIDATE}, .run = verb_replace,
	},
	{
		.name = "apply", .synopsis = "FILE|- [--prune]", .summary = "make bonds be as a file says, all or nothing",
		.help = "The file has what show --json prints: one bond, or an array of bonds. Only what it names\n"
			"is changed: an option that it leaves out stays, \"slaves\" is the whole list of slaves where it\n"
			"is there, and a bond that it leaves out stays, but for --prune. State that show prints\n"
			"(counters, link states, active_slave, ...) is passed over. What holds is not sent.\n"
			"A bond that is made gets mode balance-rr and miimon 100 where the file does not say, as\n"
			"create does it.",
		.example = "bondctl show bond0 --json > bond0.json\n"
			   "bondctl apply bond0.json\n"
			   "bondctl apply bond0.json --cycle --dry-run",
		.options = OPTION_TABLES(option_prune, option_safely, option_cycle, option_force, option_steal),
		.operands = {OPERAND_FILE}, .run = verb_apply,
	},
	{
		.name = "diff", .synopsis = "FILE|- [--prune]", .summary = "show what apply would change",
		.help = "Nothing is changed. The exit status is 0 if bonds are as the file says, 1 if they are not.",
		.example = "bondctl show bond0 --json | bondctl diff -",
		.options = OPTION_TABLES(option_prune), .operands = {OPERAND_FILE}, .run = verb_diff,
	},
	{
		.name = "confirm", .synopsis = "", .summary = "confirm the change that waits for it",
		.help = "A change that was made with --confirm-within is undone, unless Enter is pressed where it\n"
			"waits or this is run in time, in the same namespace. The exit status is 0 if and only if\n"
			"the change stays.",
		.example = "bondctl set bond0 miimon 200 --confirm-within 30 & sleep 1; bondctl confirm",
		.operands = {OPERAND_END}, .run = verb_confirm,
	},
	{
		.name = "up", .synopsis = "BOND...", .summary = "set bonds up", .help = "",
		.example = "bondctl up bond0", .options = OPTION_TABLES(option_safely),
		.operands = {OPERAND_BOND, OPERAND_MORE}, .run = verb_up,
	},
	{
		.name = "down", .synopsis = "BOND...", .summary = "set bonds down; their slaves stay as they are",
		.help = "A bond that is down does not watch its links.", .example = "bondctl down bond0",
		.options = OPTION_TABLES(option_safely), .operands = {OPERAND_BOND, OPERAND_MORE}, .run = verb_down,
	},
	{
		.name = "show", .synopsis = "[BOND...] [--details]", .summary = "show bonds with their slaves",
		.help = "What matters first, then the options that differ from the default, all with --details.\n"
			"--json prints one document for a bond that is named, an array of them otherwise.",
		.example = "bondctl show bond0\n"
			   "bondctl show bond0 --details\n"
			   "bondctl show --json",
		.options = OPTION_TABLES(option_details), .operands = {OPERAND_BOND, OPERAND_MORE}, .run = verb_show,
	},
	{
		.name = "list", .synopsis = "", .summary = "list bonds, one a line", .help = "",
		.example = "bondctl list", .operands = {OPERAND_END}, .run = verb_list,
	},
	{
		.name = "stats", .synopsis = "[BOND...] [--details]",
		.summary = "show the counters of bonds and of each slave",
		.help = "Without --details, counters that are 0 everywhere are left out. A bond counts what its\n"
			"slaves did while they belonged to it, those that left included; a slave counts its whole life.",
		.example = "bondctl stats bond0", .options = OPTION_TABLES(option_details),
		.operands = {OPERAND_BOND, OPERAND_MORE}, .run = verb_stats,
	},
	{
		.name = "options", .synopsis = "[OPTION...] [--all]",
		.summary = "list the options: values, modes, what they need, whether this kernel has them",
		.help = "Whether the running kernel has an option is found out by making bonds in a namespace of\n"
			"their own, which takes CAP_SYS_ADMIN or user namespaces.",
		.example = "bondctl options\n"
			   "bondctl options xmit_hash_policy miimon",
		.options = OPTION_TABLES(option_all), .operands = {OPERAND_OPTION_NAME, OPERAND_MORE},
		.run = verb_options,
	},
	{
		.name = "help", .synopsis = "[VERB]", .summary = "print help", .help = "", .example = "bondctl help create",
		.options = OPTION_TABLES(option_mdoc), .operands = {OPERAND_VERB}, .run = verb_help,
	},
	{
		.name = "complete", .synopsis = "INDEX WORD...", .summary = "complete a command line, for shells", .help = "",
		.example = "", .operands = {OPERAND_RAW}, .hidden = true, .run = verb_complete,
	},
	{.name = NULL},
};
/* clang-format on */

const struct command *command_find(const char *name)
{
	for (const struct command *command = commands; command->name; command++)
		if (strcmp(command->name, name) == 0)
			return command;
	return NULL;
}

int command_unknown(const char *name)
{
	struct suggestion best = suggestion_start(name);
	for (const struct command *command = commands; command->name; command++)
		if (!command->hidden)
			suggestion_offer(&best, command->name);
	if (best.word)
		return output_usage("there is no verb '%s'; did you mean %s?", name, best.word);
	return output_usage("there is no verb '%s'; bondctl --help lists them", name);
}

/* Options that stand instead of a verb count wherever they are, even behind a command line that went wrong. */
static bool has_option(const struct args *args, const char *name, char letter)
{
	for (int i = args->next; i < args->count && strcmp(args->words[i], "--") != 0; i++)
		if (args_is_option(args->words[i], name, letter))
			return true;
	return false;
}

static int print_version(void)
{
	printf("bondctl %s\n", libbond_version());
	return STATUS_OK;
}

static int print_help(const struct command *command)
{
	command_help(command);
	return STATUS_OK;
}

static int run_verb(struct context *context, const struct command *command, struct args *args)
{
	args->options = command->options;
	if (command->operands[0] == OPERAND_RAW)
		return command->run(context, args);
	if (args->settings->help || has_option(args, "help", 'h'))
		return print_help(command);
	if (has_option(args, "version", 'V'))
		return print_version();
	if (context->settings.batch || has_option(args, "batch", 'b'))
		return output_usage("--batch takes no verb beside it");
	return command->run(context, args);
}

int command_run(struct context *context, int count, char **words)
{
	struct args args = {.count = count, .words = words, .settings = &context->settings};
	const char *name = args_operand(&args);
	const struct command *command = name ? command_find(name) : NULL;

	args.verb = args.next - 1;
	if (args.status != STATUS_OK)
		return args.status;
	if (context->settings.version)
		return print_version();
	if (!name && context->settings.help)
		return print_help(NULL);
	if (context->settings.batch && context->line)
		return output_usage("a batch cannot call another");
	if (!name && context->settings.batch)
		return batch_run(context);
	if (!name)
		return output_usage("say what to do: bondctl VERB ...; bondctl --help lists the verbs");
	return command ? run_verb(context, command, &args) : command_unknown(name);
}
