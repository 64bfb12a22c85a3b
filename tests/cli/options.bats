#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What "bondctl options" tells of the attributes: every one the driver has, by the driver's name, with keys and types that
# programs can rely on. The names were written by hand from the kernel's headers (if_link.h) and sysfs.
# bats sets status, output and stderr; what is in single quotes is for another shell.
# shellcheck disable=SC2154,SC2016

bats_require_minimum_version 1.5.0

load helpers

# The names of the kernel's attributes in the order of their numbers, from 1.
BOND='mode active_slave miimon updelay downdelay use_carrier arp_interval arp_ip_target arp_validate arp_all_targets primary
	primary_reselect fail_over_mac xmit_hash_policy resend_igmp num_grat_arp all_slaves_active min_links lp_interval
	packets_per_slave lacp_rate ad_select ad_info ad_actor_sys_prio ad_user_port_key ad_actor_system tlb_dynamic_lb
	peer_notif_delay lacp_active arp_missed_max ns_ip6_target coupled_control broadcast_neighbor lacp_strict'
AD_INFO='aggregator num_ports actor_key partner_key partner_mac'
SLAVE='state mii_status link_failure_count perm_hwaddr queue_id ad_aggregator_id ad_actor_oper_port_state
	ad_partner_oper_port_state prio actor_port_prio churn_actor_state churn_partner_state'

# names_are SCOPE NAMES: the names of a scope by their numbers.
names_are() {
	# shellcheck disable=SC2086 # words, not a word
	same "names of $1" "$(jq -c --arg scope "$1" '[.[] | select(.scope == $scope)] | sort_by(.number) |
		map([.number, .name])' <<<"$output")" "$(printf '%s\n' $2 | jq -Rsc 'split("\n")[:-1] | to_entries | map([.key + 1, .value])')"
}

@test "every attribute of a bond, of its LACP and of a slave is there, by the driver's name and number" {
	good options --all --json --quiet
	names_are bond "$BOND"
	names_are ad_info "$AD_INFO"
	names_are slave "$SLAVE"
}

@test "options lists what can be set, --all adds what can only be read" {
	good options --json --quiet
	holds 'all(.read_only == false)'
	local settable=$output
	good options --all --json --quiet
	holds 'any(.read_only)'
	same settable "$(jq -c 'map(select(.read_only | not))' <<<"$output")" "$settable"
}

@test "every row has the documented keys, and each key one type" {
	good options --all --json --quiet
	holds 'map(keys_unsorted) | unique | length == 1'
	holds '.[0] | keys_unsorted | contains(["name", "aliases", "scope", "type", "min", "max", "unit", "words", "default", "modes",
		"effect", "needs_down", "needs_empty", "read_only", "supported"])'
	holds 'all(.name | type == "string" and test("^[a-z][a-z0-9_]*$"))'
	holds 'all(.aliases | type == "array" and all(type == "string"))'
	holds 'all(.scope | IN("bond", "ad_info", "slave", "link"))'
	holds 'all(.number | type == "number")'
	holds 'all(.type | IN("number", "boolean", "word", "bits", "interface", "mac", "ipv4_list", "ipv6_list", "nest"))'
	holds 'all((.type == "number") == (.min | type == "number"))'
	holds 'all((.type == "number") == (.max | type == "number"))'
	holds 'all(.min == null or .min < .max)'
	holds 'all(.words | type == "object" and all(type == "number"))'
	holds 'all((.type | IN("word", "bits", "boolean")) == (.words != {}))'
	holds 'all(.unit == null or (.unit | IN("ms", "s", "bytes")))'
	holds 'all(.default == null or (.default | type == "string"))'
	holds 'all(.modes, .effect | type == "array" and all(type == "string"))'
	holds 'all(.needs_down, .needs_empty, .read_only, .needs_miimon, .create_only, .obsolete | type == "boolean")'
	holds 'all(.since | test("^[0-9]+\\.[0-9]+(\\.[0-9]+)?$"))'
	holds 'all(.summary | type == "string" and length > 0 and (endswith(".") | not))'
	holds 'all(.supported | IN(true, false, null))'
}

@test "no two rows of a scope share a name or an alias" {
	good options --all --json --quiet
	holds 'group_by(if .scope == "link" then "bond" else .scope end) | all(map(.name, .aliases[]) | length == (unique | length))'
}

@test "the words of an option are those of the driver, with its numbers" {
	good options --json --quiet mode xmit_hash_policy arp_validate ad_select
	json 'map({(.name): .words}) | add | .mode' '{"balance-rr":0,"active-backup":1,"balance-xor":2,"broadcast":3,"802.3ad":4,"balance-tlb":5,"balance-alb":6}'
	json '.[] | select(.name == "xmit_hash_policy").words' '{"layer2":0,"layer3+4":1,"layer2+3":2,"encap2+3":3,"encap3+4":4,"vlan+srcmac":5}'
	json '.[] | select(.name == "arp_validate").words' '{"none":0,"active":1,"backup":2,"all":3,"filter":4,"filter_active":5,"filter_backup":6}'
	json '.[] | select(.name == "ad_select").words' '{"stable":0,"bandwidth":1,"count":2,"actor_port_prio":3}'
}

@test "the modes of an option, and what it needs, are those of the driver" {
	# bond_options.c: unsuppmodes, BOND_OPTFLAG_IFDOWN, BOND_OPTFLAG_NOSLAVES
	good options --json --quiet
	local rule
	while read -r rule; do holds "map({(.name): .}) | add | $rule"; done <<-'RULES'
		[.[] | select(.needs_empty).name] | sort == ["fail_over_mac", "mode"]
		[.[] | select(.needs_down).name] | sort == ["ad_select", "ad_user_port_key", "coupled_control", "lacp_active", "lacp_rate", "mode", "tlb_dynamic_lb"]
		[.[] | select(.modes == ["802.3ad"]).name] | sort == ["actor_port_prio", "ad_actor_sys_prio", "ad_actor_system", "ad_user_port_key", "broadcast_neighbor", "coupled_control", "lacp_active", "lacp_rate", "lacp_strict"]
		[.[] | select(.modes == ["active-backup", "balance-tlb", "balance-alb"]).name] | sort == ["active_slave", "primary", "prio"]
		[.[] | select(.modes == ["balance-rr", "active-backup", "balance-xor", "broadcast"]).name] | sort == ["arp_interval", "arp_missed_max", "arp_validate"]
		[.[] | select(.modes == ["balance-tlb", "balance-alb"]).name] == ["tlb_dynamic_lb"]
		[.[] | select(.modes == ["balance-rr"]).name] == ["packets_per_slave"]
		[.[] | select(.needs_miimon).name] | sort == ["downdelay", "peer_notif_delay", "updelay"]
		[.[] | select(.create_only).name] == ["numtxqueues"]
	RULES
}

@test "the defaults are those of the driver" {
	good options --json --quiet
	local name wanted
	while read -r name wanted; do
		json ".[] | select(.name == \"$name\").default" "\"$wanted\""
	done <<-'DEFAULTS'
		mode balance-rr
		miimon 0
		resend_igmp 1
		num_grat_arp 1
		lp_interval 1
		packets_per_slave 1
		arp_missed_max 2
		ad_actor_sys_prio 65535
		lacp_active on
		coupled_control on
		tlb_dynamic_lb on
		use_carrier on
		lacp_rate slow
		xmit_hash_policy layer2
		actor_port_prio 255
		prio 0
		numtxqueues 16
		mtu 1500
	DEFAULTS
}

@test "options are chosen by name or alias, in the table's order, and may be read-only ones" {
	good options --json --quiet missed_max mode operstate
	json 'map(.name)' '["mode","arp_missed_max","operstate"]'
	good options --json --quiet mode mode
	json 'map(.name)' '["mode"]'
	refused "'mod'" 'did you mean mode?' -- options mod
	bad 2 options mode frobnicate --json
	error 2 usage
}

@test "one option as text has its values, range, default, modes and what it needs" {
	good options --quiet peer_notif_delay
	[[ $output == peer_notif_delay$'\n'* && $output == *'0..300000 ms'* && $output == *miimon* && $output == *peer_notify_delay* ]]
	good options --quiet lacp_rate
	[[ $output == *'slow | fast'*802.3ad* && $output == *'bond down'* ]]
	good options --quiet prio
	[[ $output == *'of a slave'*-2147483648..2147483647* ]]
	good options --quiet arp_ip_target
	[[ $output == *IPv4* ]]
}

@test "all options as text are one paragraph each" {
	good options --quiet
	local text=$output
	good options --json --quiet
	local name
	while read -r name; do
		[[ $'\n'$text == *$'\n'"$name"[$'\n ']* ]] || { explain "no $name"; return 1; }
	done < <(jq -r '.[].name' <<<"$output")
}

@test "without the driver it is not known what the kernel has, and that is said" {
	needs_no_driver
	good options --all --json
	holds 'all(.supported == null)'
	says driver
	good options mode
	says driver
	[[ $output == *'cannot be told'* ]]
}

@test "asking what the kernel has leaves nothing behind" {
	needs_shelter
	shell 'ip -br link >"$1/before"; "$BONDCTL" options --quiet >"$1/text"; ip -br link | diff "$1/before" -' "$BATS_TEST_TMPDIR"
	((status == 0))
	is ''
}

@test "an ordinary user may ask" {
	beg 0 options --json --quiet
	holds 'length > 40'
}
