/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * The one table: a row for each attribute of a bond, of its ad_info, of a slave, and for the link
 * attributes we handle. attr.c reads it; parsing, encoding, checks, text, JSON, completion, the list of
 * options and the man page all come from these rows, and there is no other list in the tree.
 *
 * To add an attribute the kernel grew: its number in numbers.h, a row here, a line of expected bytes in
 * tests/unit/golden.c, lines in tests/live/driver-options.tsv and driver-values.tsv.
 */
#include "attr.h"

/* clang-format off */
#define M(mode) (1u << LB_MODE_##mode)
#define ALL LIBBOND_MODES_ALL
#define AB M(ACTIVE_BACKUP)
#define LACP M(8023AD)
#define BALANCED (M(TLB) | M(ALB))
#define ARP_MODES (M(RR) | M(ACTIVE_BACKUP) | M(XOR) | M(BROADCAST))
#define ONE_ACTIVE (M(ACTIVE_BACKUP) | M(TLB) | M(ALB))
#define HASHED (M(XOR) | M(8023AD) | M(TLB) | M(ALB))

#define INT_MAX_ 0x7fffffff
#define U32_MAX_ 0xffffffffLL

#define CREATE LIBBOND_ATTR_ON_CREATE
#define DOWN LIBBOND_ATTR_NEEDS_DOWN
#define EMPTY LIBBOND_ATTR_NEEDS_EMPTY
#define RO LIBBOND_ATTR_READ_ONLY
#define RESETS LIBBOND_ATTR_RESETS
#define IS_RESET LIBBOND_ATTR_IS_RESET
#define DELAY (LIBBOND_ATTR_OF_MIIMON | IS_RESET)

#define NAMES(...) ((const char *const[]){__VA_ARGS__, NULL})
#define WORDS(...) ((const struct lb_word[]){__VA_ARGS__, {NULL, 0}})

static const struct lb_word off_on[] = {{"off", 0}, {"on", 1}, {NULL, 0}};

static const struct lb_word modes[] = {
	{"balance-rr", LB_MODE_RR},         {"active-backup", LB_MODE_ACTIVE_BACKUP},
	{"balance-xor", LB_MODE_XOR},       {"broadcast", LB_MODE_BROADCAST},
	{"802.3ad", LB_MODE_8023AD},        {"balance-tlb", LB_MODE_TLB},
	{"balance-alb", LB_MODE_ALB},       {NULL, 0},
};

/* IEEE 802.1AX-2014 6.4.2.3: Actor_State, Partner_State */
static const struct lb_word port_state[] = {
	{"activity", 0x01},   {"timeout", 0x02},      {"aggregation", 0x04}, {"synchronization", 0x08},
	{"collecting", 0x10}, {"distributing", 0x20}, {"defaulted", 0x40},   {"expired", 0x80},
	{NULL, 0},
};

static const struct lb_word churn[] = {{"monitoring", 0}, {"churned", 1}, {"none", 2}, {NULL, 0}};

/* RFC 2863 ifOperStatus as the kernel numbers it (IF_OPER_*) */
static const struct lb_word operstate[] = {
	{"unknown", 0}, {"notpresent", 1}, {"down", 2},    {"lowerlayerdown", 3},
	{"testing", 4}, {"dormant", 5},    {"up", 6},      {NULL, 0},
};

static const struct libbond_attr bond_rows[LB_BOND_COUNT] = {
	[LB_BOND_MODE] = {
		.name = "mode",
		.type = LIBBOND_TYPE_WORD, .wire = LB_WIRE_U8, .words = modes,
		.def = "balance-rr", .modes = ALL, .effect = ALL, .order = 1, .flags = CREATE | DOWN | EMPTY | RESETS,
		.since = "3.13", .summary = "how traffic is spread over the slaves",
		.text = "Changing it resets arp_validate to none and broadcast_neighbor to off; 802.3ad, "
			"balance-tlb and balance-alb also turn ARP monitoring off and set miimon to 100 where it "
			"was 0; balance-alb sets tlb_dynamic_lb to on.",
	},
	[LB_BOND_ACTIVE_SLAVE] = {
		.name = "active_slave", .alone = WORDS({"clear_active_slave", 0}),
		.type = LIBBOND_TYPE_LINK, .wire = LB_WIRE_U32,
		.def = "", .modes = ONE_ACTIVE, .effect = ONE_ACTIVE, .order = 2,
		.presence = LIBBOND_PRESENT_IF_SET, .since = "3.13",
		.summary = "the slave that carries the traffic now",
		.text = "Must be a slave of this bond that is up and has link. The choice holds until the next "
			"selection (a link event, a change of primary or prio). \"none\" lets the driver choose "
			"anew at once.",
	},
	[LB_BOND_MIIMON] = {
		.name = "miimon",
		.type = LIBBOND_TYPE_NUMBER, .wire = LB_WIRE_U32, .max = INT_MAX_, .unit = "ms",
		.def = "0", .modes = ALL, .effect = ALL, .order = 3, .flags = CREATE | RESETS | IS_RESET, .since = "3.14",
		.summary = "how often the link state of the slaves is looked at, 0 for never",
		.text = "A value above 0 turns ARP monitoring off (arp_interval 0, arp_validate none). With "
			"neither miimon nor arp_interval no failure is ever noticed. The driver's default is 0, and "
			"100 in 802.3ad, balance-tlb and balance-alb; bondctl create sets 100. The three delays are "
			"kept as multiples of it and change with it.",
	},
	[LB_BOND_UPDELAY] = {
		.name = "updelay",
		.type = LIBBOND_TYPE_NUMBER, .wire = LB_WIRE_U32, .max = INT_MAX_, .unit = "ms",
		.def = "0", .modes = ALL, .effect = ALL, .order = 4,
		.flags = CREATE | DELAY, .since = "3.14",
		.summary = "how long a link must be back before the slave is used again",
		.text = "Needs miimon, and is rounded down to a multiple of it. Skipped when no slave is usable.",
	},
	[LB_BOND_DOWNDELAY] = {
		.name = "downdelay",
		.type = LIBBOND_TYPE_NUMBER, .wire = LB_WIRE_U32, .max = INT_MAX_, .unit = "ms",
		.def = "0", .modes = ALL, .effect = ALL, .order = 5,
		.flags = CREATE | DELAY, .since = "3.14",
		.summary = "how long a link must be gone before the slave is given up",
		.text = "Needs miimon, and is rounded down to a multiple of it. Until it is over, traffic still "
			"goes to the slave without link.",
	},
	[LB_BOND_USE_CARRIER] = {
		.name = "use_carrier",
		.type = LIBBOND_TYPE_BOOL, .wire = LB_WIRE_U8, .words = off_on, .max = 1,
		.def = "on", .modes = ALL, .effect = 0, .order = 7,
		.flags = CREATE | LIBBOND_ATTR_OBSOLETE, .since = "3.14",
		.summary = "obsolete: link state by carrier (on) or by MII ioctl (off)",
		.text = "Since Linux 6.18 the driver always uses carrier and refuses off.",
	},
	[LB_BOND_ARP_INTERVAL] = {
		.name = "arp_interval",
		.type = LIBBOND_TYPE_NUMBER, .wire = LB_WIRE_U32, .max = INT_MAX_, .unit = "ms",
		.def = "0", .modes = ARP_MODES, .effect = ARP_MODES, .order = 8, .flags = CREATE | RESETS | IS_RESET,
		.since = "3.14", .summary = "how often the ARP and NS targets are probed, 0 for never",
		.text = "A value above 0 turns miimon off. Needs arp_ip_target or ns_ip6_target: without one the "
			"links flap.",
	},
	[LB_BOND_ARP_IP_TARGET] = {
		.name = "arp_ip_target",
		.type = LIBBOND_TYPE_IP4_LIST, .max = LIBBOND_TARGETS_MAX,
		.def = "", .modes = ALL, .effect = ARP_MODES, .order = 9, .flags = CREATE,
		.presence = LIBBOND_PRESENT_IF_SET, .since = "3.14",
		.summary = "IPv4 addresses that are probed by ARP",
		.text = "Up to 16 different addresses, separated by commas; +ADDRESS and -ADDRESS edit the list, "
			"none clears it. Used while arp_interval is above 0.",
	},
	[LB_BOND_ARP_VALIDATE] = {
		.name = "arp_validate",
		.type = LIBBOND_TYPE_WORD, .wire = LB_WIRE_U32,
		.words = WORDS({"none", 0}, {"active", 1}, {"backup", 2}, {"all", 3}, {"filter", 4},
			       {"filter_active", 5}, {"filter_backup", 6}),
		.def = "none", .modes = ARP_MODES, .effect = ARP_MODES, .order = 11, .flags = CREATE | IS_RESET,
		.since = "3.14", .summary = "on which slaves ARP probes and answers are validated",
		.text = "filter also ignores all traffic but ARP when judging a link. Without arp_interval it "
			"does nothing, and it cannot be set in one command with miimon above 0.",
	},
	[LB_BOND_ARP_ALL_TARGETS] = {
		.name = "arp_all_targets",
		.type = LIBBOND_TYPE_WORD, .wire = LB_WIRE_U32, .words = WORDS({"any", 0}, {"all", 1}),
		.def = "any", .modes = ALL, .effect = AB, .order = 12, .flags = CREATE, .since = "3.14",
		.summary = "how many ARP targets must answer for a slave to be up",
		.text = "Counts only in active-backup, for slaves that arp_validate covers.",
	},
	[LB_BOND_PRIMARY] = {
		.name = "primary",
		.type = LIBBOND_TYPE_LINK, .wire = LB_WIRE_U32,
		.def = "", .modes = ONE_ACTIVE, .effect = ONE_ACTIVE, .order = 13,
		.flags = CREATE | LIBBOND_ATTR_NOT_VERIFIED, .presence = LIBBOND_PRESENT_IF_SET,
		.since = "3.14", .summary = "the slave that is preferred as the active one",
		.text = "The driver keeps the name: a device that is not yet a slave is remembered, shown nowhere, "
			"and becomes primary when it is enslaved. Setting it switches to it at once if it has link.",
	},
	[LB_BOND_PRIMARY_RESELECT] = {
		.name = "primary_reselect",
		.type = LIBBOND_TYPE_WORD, .wire = LB_WIRE_U8,
		.words = WORDS({"always", 0}, {"better", 1}, {"failure", 2}),
		.def = "always", .modes = ALL, .effect = ONE_ACTIVE, .order = 14, .flags = CREATE,
		.since = "3.14", .summary = "when the primary, once it is back, becomes active again",
		.text = "always: at once; better: if it is faster than the active one; failure: only when the "
			"active one fails. Setting it selects anew at once.",
	},
	[LB_BOND_FAIL_OVER_MAC] = {
		.name = "fail_over_mac",
		.type = LIBBOND_TYPE_WORD, .wire = LB_WIRE_U8,
		.words = WORDS({"none", 0}, {"active", 1}, {"follow", 2}),
		.def = "none", .modes = ALL, .effect = AB, .order = 15, .flags = CREATE | EMPTY,
		.since = "3.14", .summary = "whose MAC address the bond and its slaves use",
		.text = "none: all slaves have the bond's; active: the bond takes the active slave's; follow: the "
			"address moves to the slave that becomes active. The driver sets active by itself when the "
			"first slave cannot change its address.",
	},
	[LB_BOND_XMIT_HASH_POLICY] = {
		.name = "xmit_hash_policy",
		.type = LIBBOND_TYPE_WORD, .wire = LB_WIRE_U8,
		.words = WORDS({"layer2", 0}, {"layer3+4", 1}, {"layer2+3", 2}, {"encap2+3", 3},
			       {"encap3+4", 4}, {"vlan+srcmac", 5}),
		.def = "layer2", .modes = ALL, .effect = HASHED, .order = 16, .flags = CREATE,
		.since = "3.14", .summary = "what of a packet chooses its slave",
		.text = "In balance-tlb and balance-alb it counts only with tlb_dynamic_lb off.",
	},
	[LB_BOND_RESEND_IGMP] = {
		.name = "resend_igmp",
		.type = LIBBOND_TYPE_NUMBER, .wire = LB_WIRE_U32, .max = 255,
		.def = "1", .modes = ALL, .effect = ONE_ACTIVE | M(RR), .order = 17, .flags = CREATE,
		.since = "3.14", .summary = "IGMP membership reports sent after a failover, 200 ms apart",
		.text = "0 sends none.",
	},
	[LB_BOND_NUM_PEER_NOTIF] = {
		.name = "num_grat_arp", .aliases = NAMES("num_unsol_na", "num_peer_notif"),
		.type = LIBBOND_TYPE_NUMBER, .wire = LB_WIRE_U8, .max = 255,
		.def = "1", .modes = ALL, .effect = AB | LACP, .order = 18, .flags = CREATE, .since = "3.14",
		.summary = "gratuitous ARPs and unsolicited NAs sent after a failover",
		.text = "num_unsol_na is the same value. In 802.3ad it counts only with broadcast_neighbor on.",
	},
	[LB_BOND_ALL_SLAVES_ACTIVE] = {
		.name = "all_slaves_active",
		.type = LIBBOND_TYPE_BOOL, .wire = LB_WIRE_U8, .words = off_on, .max = 1,
		.def = "off", .modes = ALL, .effect = ONE_ACTIVE | LACP, .order = 19, .flags = CREATE,
		.since = "3.14", .summary = "keep frames that arrive on backup slaves",
		.text = "Off, duplicate frames on backup slaves are dropped.",
	},
	[LB_BOND_MIN_LINKS] = {
		.name = "min_links",
		.type = LIBBOND_TYPE_NUMBER, .wire = LB_WIRE_U32, .max = INT_MAX_,
		.def = "0", .modes = ALL, .effect = LACP, .order = 20, .flags = CREATE, .since = "3.14",
		.summary = "links the active aggregator must have for the bond to have carrier",
		.text = "Stored in every mode, evaluated only in 802.3ad. 0 and 1 are the same, but lacp_strict "
			"needs 1 or more.",
	},
	[LB_BOND_LP_INTERVAL] = {
		.name = "lp_interval",
		.type = LIBBOND_TYPE_NUMBER, .wire = LB_WIRE_U32, .min = 1, .max = INT_MAX_, .unit = "s",
		.def = "1", .modes = ALL, .effect = BALANCED, .order = 21, .flags = CREATE, .since = "3.14",
		.summary = "how often learning packets go to each slave's switch",
		.text = "In seconds, unlike every other interval.",
	},
	[LB_BOND_PACKETS_PER_SLAVE] = {
		.name = "packets_per_slave",
		.type = LIBBOND_TYPE_NUMBER, .wire = LB_WIRE_U32, .max = 65535,
		.def = "1", .modes = M(RR), .effect = M(RR), .order = 22, .flags = CREATE, .since = "3.14",
		.summary = "packets sent through a slave before the next one's turn, 0 for a random slave",
		.text = "More than one slave in turn reorders packets of one TCP stream.",
	},
	[LB_BOND_AD_LACP_RATE] = {
		.name = "lacp_rate", .aliases = NAMES("ad_lacp_rate"),
		.type = LIBBOND_TYPE_WORD, .wire = LB_WIRE_U8, .words = WORDS({"slow", 0}, {"fast", 1}),
		.def = "slow", .modes = LACP, .effect = LACP, .order = 24, .flags = CREATE | DOWN,
		.since = "3.14", .summary = "how often we ask the partner to send LACPDUs",
		.text = "slow: every 30 s, and we time out after 90 s; fast: every second and 3 s. Our own pace "
			"follows the partner's wish.",
	},
	[LB_BOND_AD_SELECT] = {
		.name = "ad_select",
		.type = LIBBOND_TYPE_WORD, .wire = LB_WIRE_U8,
		.words = WORDS({"stable", 0}, {"bandwidth", 1}, {"count", 2}, {"actor_port_prio", 3}),
		.def = "stable", .modes = ALL, .effect = LACP, .order = 25, .flags = CREATE | DOWN,
		.since = "3.14", .summary = "which aggregator is the active one",
		.text = "stable: the one with the most bandwidth, kept until it has no port left; bandwidth and "
			"count: chosen anew at every change; actor_port_prio (since Linux 6.18): the highest sum of "
			"port priorities.",
	},
	[LB_BOND_AD_INFO] = {
		.name = "ad_info",
		.type = LIBBOND_TYPE_NEST, .modes = LACP, .effect = LACP, .flags = RO,
		.presence = LIBBOND_PRESENT_LACP, .since = "3.14",
		.summary = "the active aggregator and its partner",
		.text = "Reported only while there is an active aggregator.",
	},
	[LB_BOND_AD_ACTOR_SYS_PRIO] = {
		.name = "ad_actor_sys_prio",
		.type = LIBBOND_TYPE_NUMBER, .wire = LB_WIRE_U16, .min = 1, .max = 65535,
		.def = "65535", .modes = LACP, .effect = LACP, .order = 26, .flags = CREATE,
		.presence = LIBBOND_PRESENT_PRIVILEGED, .since = "4.2",
		.summary = "our LACP system priority, lower is preferred",
		.text = "Takes effect at once on all ports and renegotiates. Readable only with CAP_NET_ADMIN in "
			"the initial user namespace.",
	},
	[LB_BOND_AD_USER_PORT_KEY] = {
		.name = "ad_user_port_key",
		.type = LIBBOND_TYPE_NUMBER, .wire = LB_WIRE_U16, .max = 1023,
		.def = "0", .modes = LACP, .effect = LACP, .order = 27, .flags = CREATE | DOWN,
		.presence = LIBBOND_PRESENT_PRIVILEGED, .since = "4.2",
		.summary = "the upper ten bits of our LACP port key",
		.text = "A port takes it when it is enslaved; present slaves keep the old one. Readable only with "
			"CAP_NET_ADMIN in the initial user namespace.",
	},
	[LB_BOND_AD_ACTOR_SYSTEM] = {
		.name = "ad_actor_system",
		.type = LIBBOND_TYPE_MAC, .max = 6,
		.def = "00:00:00:00:00:00", .modes = LACP, .effect = LACP, .order = 28, .flags = CREATE,
		.presence = LIBBOND_PRESENT_PRIVILEGED, .since = "4.2",
		.summary = "our LACP system address; all zero for the bond's own",
		.text = "Not multicast. Takes effect at once and renegotiates. Readable only with CAP_NET_ADMIN "
			"in the initial user namespace.",
	},
	[LB_BOND_TLB_DYNAMIC_LB] = {
		.name = "tlb_dynamic_lb",
		.type = LIBBOND_TYPE_BOOL, .wire = LB_WIRE_U8, .words = off_on, .max = 1,
		.def = "on", .modes = BALANCED, .effect = BALANCED, .order = 29, .flags = CREATE | DOWN | IS_RESET,
		.since = "4.3", .summary = "rebalance outgoing flows by load every 10 s",
		.text = "Off, xmit_hash_policy spreads the flows. Entering balance-alb sets it on.",
	},
	[LB_BOND_PEER_NOTIF_DELAY] = {
		.name = "peer_notif_delay", .aliases = NAMES("peer_notify_delay"),
		.type = LIBBOND_TYPE_NUMBER, .wire = LB_WIRE_U32, .max = 300000, .unit = "ms",
		.def = "0", .modes = ALL, .effect = AB | LACP, .order = 6,
		.flags = CREATE | DELAY, .since = "5.3",
		.summary = "time between the notifications that num_grat_arp counts",
		.text = "Needs miimon, and is rounded down to a multiple of it. 0 sends one at every look.",
	},
	[LB_BOND_AD_LACP_ACTIVE] = {
		.name = "lacp_active", .aliases = NAMES("ad_lacp_active"),
		.type = LIBBOND_TYPE_BOOL, .wire = LB_WIRE_U8, .words = off_on, .max = 1,
		.def = "on", .modes = LACP, .effect = LACP, .order = 23, .flags = CREATE | DOWN,
		.since = "5.15", .summary = "send LACPDUs unasked",
		.text = "Off on both ends, the aggregate flaps.",
	},
	[LB_BOND_MISSED_MAX] = {
		.name = "arp_missed_max", .aliases = NAMES("missed_max"),
		.type = LIBBOND_TYPE_NUMBER, .wire = LB_WIRE_U8, .min = 1, .max = 255,
		.def = "2", .modes = ARP_MODES, .effect = ARP_MODES, .order = 30, .flags = CREATE,
		.since = "5.17", .summary = "ARP intervals without an answer before a slave is down",
		.text = "A backup slave has one more.",
	},
	[LB_BOND_NS_IP6_TARGET] = {
		.name = "ns_ip6_target",
		.type = LIBBOND_TYPE_IP6_LIST, .max = LIBBOND_TARGETS_MAX,
		.def = "", .modes = ALL, .effect = ARP_MODES, .order = 10, .flags = CREATE,
		.presence = LIBBOND_PRESENT_IF_SET, .since = "5.18",
		.summary = "IPv6 addresses that are probed by neighbour solicitation",
		.text = "Up to 16 different addresses, not unspecified, loopback or multicast; edited as "
			"arp_ip_target is. Used while arp_interval is above 0.",
	},
	[LB_BOND_COUPLED_CONTROL] = {
		.name = "coupled_control",
		.type = LIBBOND_TYPE_BOOL, .wire = LB_WIRE_U8, .words = off_on, .max = 1,
		.def = "on", .modes = LACP, .effect = LACP, .order = 31, .flags = CREATE | DOWN,
		.since = "6.9", .summary = "switch collecting and distributing on and off together",
		.text = "Off, the independent control state machine of IEEE 802.1AX-2008 5.4.15 is used.",
	},
	[LB_BOND_BROADCAST_NEIGH] = {
		.name = "broadcast_neighbor", .aliases = NAMES("broadcast_neigh"),
		.type = LIBBOND_TYPE_BOOL, .wire = LB_WIRE_U8, .words = off_on, .max = 1,
		.def = "off", .modes = LACP, .effect = LACP, .order = 32, .flags = CREATE | IS_RESET, .since = "6.17",
		.summary = "send ARP and IPv6 neighbour discovery through all usable slaves",
		.text = "For slaves on independent switches. Every change of mode sets it off.",
	},
	[LB_BOND_LACP_STRICT] = {
		.name = "lacp_strict",
		.type = LIBBOND_TYPE_BOOL, .wire = LB_WIRE_U8, .words = off_on, .max = 1,
		.def = "off", .modes = LACP, .effect = LACP, .order = 33, .flags = CREATE, .since = "7.2",
		.summary = "count only ports that collect and distribute towards min_links",
		.text = "Does nothing unless min_links is 1 or more.",
	},
};

static const struct libbond_attr ad_info_rows[LB_AD_INFO_COUNT] = {
	[LB_AD_INFO_AGGREGATOR] = {
		.name = "aggregator", .type = LIBBOND_TYPE_NUMBER, .wire = LB_WIRE_U16, .max = 65535,
		.modes = LACP, .effect = LACP, .flags = RO, .presence = LIBBOND_PRESENT_LACP, .since = "3.14",
		.summary = "identifier of the active aggregator", .text = "",
	},
	[LB_AD_INFO_NUM_PORTS] = {
		.name = "num_ports", .type = LIBBOND_TYPE_NUMBER, .wire = LB_WIRE_U16, .max = 65535,
		.modes = LACP, .effect = LACP, .flags = RO, .presence = LIBBOND_PRESENT_LACP, .since = "3.14",
		.summary = "ports of the active aggregator whose link is up", .text = "Not: that are in sync.",
	},
	[LB_AD_INFO_ACTOR_KEY] = {
		.name = "actor_key", .type = LIBBOND_TYPE_NUMBER, .wire = LB_WIRE_U16, .max = 65535,
		.modes = LACP, .effect = LACP, .flags = RO, .presence = LIBBOND_PRESENT_LACP, .since = "3.14",
		.summary = "our operational key", .text = "User key times 64, speed code times 2, plus 1 for full "
			"duplex.",
	},
	[LB_AD_INFO_PARTNER_KEY] = {
		.name = "partner_key", .type = LIBBOND_TYPE_NUMBER, .wire = LB_WIRE_U16, .max = 65535,
		.modes = LACP, .effect = LACP, .flags = RO, .presence = LIBBOND_PRESENT_LACP, .since = "3.14",
		.summary = "the partner's operational key", .text = "1 when no partner was ever heard.",
	},
	[LB_AD_INFO_PARTNER_MAC] = {
		.name = "partner_mac", .type = LIBBOND_TYPE_MAC, .max = 6,
		.modes = LACP, .effect = LACP, .flags = RO, .presence = LIBBOND_PRESENT_LACP, .since = "3.14",
		.summary = "the partner's system address", .text = "All zero when there is no partner.",
	},
};

static const struct libbond_attr slave_rows[LB_SLAVE_COUNT] = {
	[LB_SLAVE_STATE] = {
		.name = "state", .type = LIBBOND_TYPE_WORD, .wire = LB_WIRE_U8,
		.words = WORDS({"active", 0}, {"backup", 1}),
		.modes = ALL, .effect = ALL, .flags = RO, .since = "3.14",
		.summary = "whether the slave may carry traffic", .text = "",
	},
	[LB_SLAVE_MII_STATUS] = {
		.name = "mii_status", .type = LIBBOND_TYPE_WORD, .wire = LB_WIRE_U8,
		.words = WORDS({"up", 0}, {"going_down", 1}, {"down", 2}, {"going_back", 3}),
		.modes = ALL, .effect = ALL, .flags = RO, .since = "3.14",
		.summary = "the bond's opinion of the slave's link",
		.text = "going_down: downdelay runs; going_back: updelay runs. Under ARP monitoring both also "
			"occur on probing slaves.",
	},
	[LB_SLAVE_LINK_FAILURE_COUNT] = {
		.name = "link_failure_count", .type = LIBBOND_TYPE_NUMBER, .wire = LB_WIRE_U32, .max = U32_MAX_,
		.modes = ALL, .effect = ALL, .flags = RO, .since = "3.14",
		.summary = "link failures since the slave was enslaved", .text = "",
	},
	[LB_SLAVE_PERM_HWADDR] = {
		.name = "perm_hwaddr", .type = LIBBOND_TYPE_MAC, .max = 32,
		.modes = ALL, .effect = ALL, .flags = RO, .since = "3.14",
		.summary = "MAC address the slave had when it was enslaved",
		.text = "Given back on release. Not the factory address: that is permanent_address.",
	},
	[LB_SLAVE_QUEUE_ID] = {
		.name = "queue_id", .type = LIBBOND_TYPE_NUMBER, .wire = LB_WIRE_U16, .max = 65535,
		.def = "0", .modes = ALL, .effect = M(RR) | AB, .order = 1, .since = "3.14",
		.summary = "transmit queue that leads to this slave, 0 for none",
		.text = "At most the bond's number of transmit queues, and no two slaves the same but 0. Used with "
			"tc's skbedit queue_mapping.",
	},
	[LB_SLAVE_AD_AGGREGATOR_ID] = {
		.name = "ad_aggregator_id", .type = LIBBOND_TYPE_NUMBER, .wire = LB_WIRE_U16, .max = 65535,
		.modes = LACP, .effect = LACP, .flags = RO, .presence = LIBBOND_PRESENT_LACP, .since = "3.14",
		.summary = "aggregator the port belongs to", .text = "",
	},
	[LB_SLAVE_AD_ACTOR_OPER_PORT_STATE] = {
		.name = "ad_actor_oper_port_state", .type = LIBBOND_TYPE_BITS, .wire = LB_WIRE_U8, .max = 255,
		.words = port_state,
		.modes = LACP, .effect = LACP, .flags = RO, .presence = LIBBOND_PRESENT_LACP, .since = "4.2",
		.summary = "our LACP port state (IEEE 802.1AX 6.4.2.3)", .text = "",
	},
	[LB_SLAVE_AD_PARTNER_OPER_PORT_STATE] = {
		.name = "ad_partner_oper_port_state", .type = LIBBOND_TYPE_BITS, .wire = LB_WIRE_U16, .max = 65535,
		.words = port_state,
		.modes = LACP, .effect = LACP, .flags = RO, .presence = LIBBOND_PRESENT_LACP, .since = "4.2",
		.summary = "the partner's LACP port state", .text = "",
	},
	[LB_SLAVE_PRIO] = {
		.name = "prio", .type = LIBBOND_TYPE_NUMBER, .wire = LB_WIRE_S32,
		.min = -INT_MAX_ - 1LL, .max = INT_MAX_,
		.def = "0", .modes = ONE_ACTIVE, .effect = ONE_ACTIVE, .order = 2, .since = "6.0",
		.summary = "preference as the active slave, higher wins",
		.text = "Selects anew at once, unless a primary is set and enslaved: then it counts at the next "
			"selection. Back to 0 on release.",
	},
	[LB_SLAVE_ACTOR_PORT_PRIO] = {
		.name = "actor_port_prio", .type = LIBBOND_TYPE_NUMBER, .wire = LB_WIRE_U16, .max = 65535,
		.def = "255", .modes = LACP, .effect = LACP, .order = 3,
		.presence = LIBBOND_PRESENT_LACP, .since = "6.18",
		.summary = "our LACP port priority", .text = "A lower number ranks higher on the wire, but ad_select "
			"actor_port_prio prefers the highest sum.",
	},
	[LB_SLAVE_AD_CHURN_ACTOR_STATE] = {
		.name = "churn_actor_state", .aliases = NAMES("ad_churn_actor_state"),
		.type = LIBBOND_TYPE_WORD, .wire = LB_WIRE_U8, .words = churn,
		.modes = LACP, .effect = LACP, .flags = RO, .presence = LIBBOND_PRESENT_LACP, .since = "7.1",
		.summary = "whether our side failed to come in sync for 60 s", .text = "monitoring: not judged yet.",
	},
	[LB_SLAVE_AD_CHURN_PARTNER_STATE] = {
		.name = "churn_partner_state", .aliases = NAMES("ad_churn_partner_state"),
		.type = LIBBOND_TYPE_WORD, .wire = LB_WIRE_U8, .words = churn,
		.modes = LACP, .effect = LACP, .flags = RO, .presence = LIBBOND_PRESENT_LACP, .since = "7.1",
		.summary = "whether the partner failed to come in sync for 60 s", .text = "",
	},
};

static const struct libbond_attr link_rows[LB_IFLA_COUNT] = {
	[LB_IFLA_UP] = {
		.name = "up", .alone = WORDS({"down", 0}, {"up", 1}), .type = LIBBOND_TYPE_BOOL, .wire = LB_WIRE_FLAG, .words = off_on, .max = 1,
		.def = "off", .modes = ALL, .effect = ALL, .order = 3, .flags = CREATE, .since = "2.2",
		.summary = "administratively up (IFF_UP); the words up and down stand for it", .text = "",
	},
	[LB_IFLA_ADDRESS] = {
		.name = "address", .type = LIBBOND_TYPE_MAC, .min = 1 /* not zero */, .max = 32,
		.modes = ALL, .effect = ALL, .order = 1, .flags = CREATE | LIBBOND_ATTR_NOT_VERIFIED,
		.since = "2.2", .summary = "MAC address",
		.text = "A bond without one set takes its first slave's. In active-backup with fail_over_mac active "
			"or follow the driver accepts a change and does nothing.",
	},
	[LB_IFLA_MTU] = {
		.name = "mtu", .type = LIBBOND_TYPE_NUMBER, .wire = LB_WIRE_U32, .min = 68, .max = 65535,
		.unit = "bytes", .def = "1500", .modes = ALL, .effect = ALL, .order = 2, .flags = CREATE,
		.since = "2.2", .summary = "largest packet; the bond's is given to every slave", .text = "",
	},
	[LB_IFLA_MASTER] = {
		.name = "master", .type = LIBBOND_TYPE_LINK, .wire = LB_WIRE_U32, .modes = ALL, .effect = ALL,
		.flags = RO, .presence = LIBBOND_PRESENT_IF_SET, .since = "2.6.39",
		.summary = "the device this one belongs to", .text = "",
	},
	[LB_IFLA_TXQLEN] = {
		.name = "txqueuelen", .aliases = NAMES("txqlen", "qlen"),
		.type = LIBBOND_TYPE_NUMBER, .wire = LB_WIRE_U32, .max = U32_MAX_,
		.def = "1000", .modes = ALL, .effect = ALL, .order = 4, .flags = CREATE, .since = "2.2",
		.summary = "length of the transmit queue",
		.text = "A bond has no queue until a queueing discipline is attached. Linux 6.12 and later take at "
			"most 32767.",
	},
	[LB_IFLA_OPERSTATE] = {
		.name = "operstate", .type = LIBBOND_TYPE_WORD, .wire = LB_WIRE_U8, .words = operstate,
		.modes = ALL, .effect = ALL, .flags = RO, .since = "2.6.17",
		.summary = "operational state (RFC 2863)", .text = "",
	},
	[LB_IFLA_NUM_TX_QUEUES] = {
		.name = "numtxqueues", .aliases = NAMES("num_tx_queues"),
		.type = LIBBOND_TYPE_NUMBER, .wire = LB_WIRE_U32, .min = 1, .max = 4096,
		.def = "16", .modes = ALL, .effect = ALL, .order = 5,
		.flags = CREATE | LIBBOND_ATTR_CREATE_ONLY, .since = "3.3",
		.summary = "number of transmit queues", .text = "Only when the bond is created.",
	},
	[LB_IFLA_CARRIER] = {
		.name = "carrier", .type = LIBBOND_TYPE_BOOL, .wire = LB_WIRE_U8, .words = off_on, .max = 1,
		.modes = ALL, .effect = ALL, .flags = RO, .since = "3.9",
		.summary = "whether the device has link",
		.text = "That of a bond that is down says nothing.",
	},
	[LB_IFLA_CARRIER_CHANGES] = {
		.name = "carrier_changes", .type = LIBBOND_TYPE_NUMBER, .wire = LB_WIRE_U32, .max = U32_MAX_,
		.modes = ALL, .effect = ALL, .flags = RO, .since = "3.15",
		.summary = "how often the carrier went or came", .text = "",
	},
	[LB_IFLA_PERM_ADDRESS] = {
		.name = "permanent_address", .type = LIBBOND_TYPE_MAC, .max = 32, .modes = ALL, .effect = ALL,
		.flags = RO, .presence = LIBBOND_PRESENT_IF_SET, .since = "5.6",
		.summary = "MAC address the hardware came with", .text = "Virtual devices have none.",
	},
};

const struct lb_scope lb_scopes[LIBBOND_SCOPES] = {
	[LIBBOND_SCOPE_BOND] = {bond_rows, LB_BOND_COUNT},
	[LIBBOND_SCOPE_AD_INFO] = {ad_info_rows, LB_AD_INFO_COUNT},
	[LIBBOND_SCOPE_SLAVE] = {slave_rows, LB_SLAVE_COUNT},
	[LIBBOND_SCOPE_LINK] = {link_rows, LB_IFLA_COUNT},
};
/* clang-format on */
