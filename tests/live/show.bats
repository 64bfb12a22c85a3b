#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What show, list and stats say, compared with what sysfs, /proc and ip say about the same bonds. Every attribute keeps one type in
# every mode.

bats_require_minimum_version 1.5.0

load ../lib/live

setup() { live_setup; }
teardown() { live_teardown; }

# jq: an option of show's document against the text of its sysfs file, where booleans are 0 and 1 there, words come with their
# number, and nothing is an empty line.
AS_SYSFS='def shown: if . == null then "" elif . == true then "1" elif . == false then "0" elif type == "array" then join(" ")
	else tostring end;'

# The name and first word of each file in a bond's sysfs folder as a JSON object.
sysfs_of() {
	local file text
	for file in "$NET/$1"/bonding/*; do
		read -r text <"$file" || true
		printf '%s\t%s\n' "${file##*/}" "$text"
	done | jq -nR '[inputs | split("\t") | {key: .[0], value: .[1]}] | from_entries'
}

@test "every option that has a sysfs file reads the same in show, in every mode" {
	local mode
	pairs 0 1 2 3 4 5 6 7 8 9 10 11 12 13
	local n=0
	for mode in balance-rr active-backup balance-xor broadcast 802.3ad balance-tlb balance-alb; do
		good create "bond$n" mode "$mode" miimon 50 updelay 100 resend_igmp 3 num_grat_arp 4 lp_interval 5 all_slaves_active on \
			xmit_hash_policy layer2+3 arp_ip_target 10.0.0.1,10.0.0.2 primary_reselect better min_links 0 \
			slaves "v$((2 * n))" "v$((2 * n + 1))" up
		n=$((n + 1))
	done
	for ((n = 0; n < 7; n++)); do
		good show "bond$n" --json
		run jq -cn "$AS_SYSFS"' $show[0] as $s
			| $sysfs[0] | to_entries[]
			| select(.key | IN("slaves", "mii_status", "queue_id", "ad_aggregator", "ad_num_ports", "ad_actor_key",
				"ad_partner_key", "ad_partner_mac", "num_unsol_na") | not)
			| .key as $key | (.value // "") as $text | ($text | split(" ")[0] // "") as $word
			| select(($s | has($key) | not) or ($text != ($s[$key] | shown) and $word != ($s[$key] | shown)
				and $word != (if $s[$key] == true then "on" elif $s[$key] == false then "off" else null end)))' --slurpfile show <(echo "$output") --slurpfile sysfs <(sysfs_of "bond$n")
		same "differences of bond$n" "$output" ''
	done
}

@test "show and ip agree about a bond and its slaves" {
	pairs 0 1
	good create bond0 mode active-backup miimon 50 primary v1 arp_missed_max 7 ns_ip6_target 2001:db8::1 \
		slaves v0 v1 slave v0 queue_id 3 prio -9 up
	soon 10 sys_is bond0 bonding/active_slave v1
	soon 10 sys_is bond0 operstate up
	good show bond0 --json
	local show=$output
	run jq -cn '$show[0] as $s | $ip[0][0] as $i | $i.linkinfo.info_data as $d | {
		name: ($s.name == $i.ifname), ifindex: ($s.ifindex == $i.ifindex), mtu: ($s.mtu == $i.mtu),
		txqueuelen: ($s.txqueuelen == $i.txqlen), numtxqueues: ($s.numtxqueues == $i.num_tx_queues),
		address: ($s.address == $i.address), up: ($s.up == ($i.flags | index("UP") != null)),
		operstate: ($s.operstate == ($i.operstate | ascii_downcase)),
		mode: ($s.mode == $d.mode), miimon: ($s.miimon == $d.miimon), active: ($s.active_slave == $d.active_slave),
		primary: ($s.primary == $d.primary), reselect: ($s.primary_reselect == $d.primary_reselect),
		missed: ($s.arp_missed_max == $d.arp_missed_max), updelay: ($s.updelay == $d.updelay),
		igmp: ($s.resend_igmp == $d.resend_igmp), packets: ($s.packets_per_slave == $d.packets_per_slave),
		rate: ($s.lacp_rate == $d.ad_lacp_rate), select: ($s.ad_select == $d.ad_select),
		hash: ($s.xmit_hash_policy == $d.xmit_hash_policy), min_links: ($s.min_links == $d.min_links)
	} | to_entries[] | select(.value | not) | .key' --slurpfile show <(echo "$show") \
		--slurpfile ip <(ip -n "$NS" -d -j link show bond0)
	same 'keys that differ on the bond' "$output" ''
	run jq -cn '$show[0].slaves as $s | $ip[0] | to_entries[] | .key as $n | .value as $i | $i.linkinfo.info_slave_data as $d
		| $s[$n] | {
		name: (.name == $i.ifname), kind: (.kind == $i.linkinfo.info_kind), state: (.state == ($d.state | ascii_downcase)),
		mii: (.mii_status == ($d.mii_status | ascii_downcase)), failures: (.link_failure_count == $d.link_failure_count),
		perm: (.perm_hwaddr == $d.perm_hwaddr), queue: (.queue_id == $d.queue_id), prio: (.prio == $d.prio),
		address: (.address == $i.address), master: (.master == $i.master)
	} | to_entries[] | select(.value | not) | .key' --slurpfile show <(echo "$show") \
		--slurpfile ip <(ip -n "$NS" -d -j link show master bond0)
	same 'keys that differ on the slaves' "$output" ''
}

@test "show and /proc agree about the bond and its slaves" {
	pairs 0 1
	good create bond0 mode active-backup miimon 50 updelay 100 downdelay 150 primary v0 slaves v0 v1 slave v1 queue_id 4 up
	cut_link v1
	soon 10 sys_is v1 bonding_slave/mii_status down
	good show bond0 --json
	local page
	page=$(proc bond0)
	[[ $page == *"MII Polling Interval (ms): $(jq .miimon <<<"$output")"* ]] || complain "$page"
	[[ $page == *"Up Delay (ms): $(jq .updelay <<<"$output")"* ]] || complain "$page"
	[[ $page == *"Down Delay (ms): $(jq .downdelay <<<"$output")"* ]] || complain "$page"
	[[ $page == *"Currently Active Slave: $(jq -r .active_slave <<<"$output")"* ]] || complain "$page"
	[[ $page == *'Primary Slave: v0'* ]] || complain "$page"
	json .primary '"v0"'
	same 'failures of each slave' "$(jq -c '[.slaves[].link_failure_count]' <<<"$output")" \
		"$(jq -cnR '[inputs | capture("Link Failure Count: (?<n>[0-9]+)").n | tonumber]' <<<"$page")"
	same 'MII status of each slave' "$(jq -c '[.slaves[].mii_status]' <<<"$output")" '["up","down"]'
	same 'queue of each slave' "$(jq -c '[.slaves[].queue_id]' <<<"$output")" \
		"$(jq -cnR '[inputs | capture("Slave queue ID: (?<n>[0-9]+)").n | tonumber]' <<<"$page")"
}

@test "every key has one type in every mode, full or empty" {
	local mode n=0
	for mode in balance-rr active-backup balance-xor broadcast 802.3ad balance-tlb balance-alb; do
		dummies "a$n"
		good create "e$n" mode "$mode"
		good create "f$n" mode "$mode" slaves "a$n" up
		n=$((n + 1))
	done
	good show --json
	json length 14
	# null is "not reported" for every key; beside it there is one type
	json '[.[] | to_entries[] | select(.value != null) | "\(.key) \(.value | type)"] | unique | map(split(" ")[0])
		| group_by(.) | map(select(length > 1)[0])' '[]'
	json '[.[].slaves[] | to_entries[] | select(.value != null) | "\(.key) \(.value | type)"] | unique
		| map(split(" ")[0]) | group_by(.) | map(select(length > 1)[0])' '[]'
	# and every document has every key
	json '[.[] | keys] | unique | length' 1 '[.[].slaves[] | keys] | unique | length' 1 \
		'.[0] | [.arp_ip_target, .ns_ip6_target, .slaves]' '[[],[],[]]' \
		'.[0] | [.schema, .up, .use_carrier, .miimon, .mode, .active_slave]' '[1,false,true,100,"balance-rr",null]'
}

@test "one named bond is one document, several and none are an array" {
	good create b0
	good create b1
	good show b0 --json
	json type '"object"'
	good show b0 b1 --json
	json type '"array"'
	good show --json
	json '[type, length]' '["array",2]'
	good delete b0 b1
	good show --json
	same output "$output" '[]'
	good list --json
	same output "$output" '[]'
	bad 3 --json show b0
	json .error.cause '"no_device"'
	good show --json --pretty
	json . '[]'
}

@test "the bond's opinion of a link and the link itself are both shown" {
	# ARP monitoring that asks an address nobody has: carrier is there, the bond says no
	pairs 0
	good create bond0 mode active-backup arp_interval 50 arp_validate all arp_ip_target 10.0.0.99 slaves v0 up
	links 'addr add 10.0.0.1/24 dev bond0'
	soon 15 sys_is bond0 carrier 0
	good show bond0 --json
	json '.slaves[0] | [.carrier, .operstate]' '[true,"up"]'
	json_true '.slaves[0].mii_status | IN("down", "going_back")'
	json_true '.slaves[0].link_failure_count >= 1'
	json .carrier false
}

@test "all four states of a link by MII are told apart" {
	pairs 0
	good create bond0 mode active-backup miimon 100 updelay 30000 downdelay 30000 slaves v0 up
	# a slave that joins waits for updelay, but the first one does not
	soon 10 sys_is v0 bonding_slave/mii_status up
	cut_link v0
	soon 10 mii_is 'going down'
	good show bond0 --json
	json '.slaves[0].mii_status' '"going_down"'
	good set bond0 downdelay 0
	restore_link v0
	soon 10 mii_is up
	cut_link v0
	soon 10 mii_is down
	good show bond0 --json
	json '.slaves[0].mii_status' '"down"'
	pairs 1
	good enslave bond0 v1
	soon 10 sys_is bond0 bonding/active_slave v1
	restore_link v0
	soon 10 mii_is 'going back'
	good show bond0 --json
	json '.slaves[0].mii_status' '"going_back"'
}

mii_is() {
	sys v0 bonding_slave/mii_status
	[[ $REPLY == "$1" ]]
}

@test "the state of a bond that is down is called stale" {
	pairs 0
	good create bond0 mode active-backup slaves v0
	good show bond0 --json
	json '[.up, .state_stale]' '[false,true]'
	good up bond0
	good show bond0 --json
	json '[.up, .state_stale]' '[true,false]'
}

@test "what a person sees first is the mode, the active slave and each slave's health" {
	pairs 0 1
	good create bond0 mode active-backup slaves v0 v1 up
	cut_link v1
	soon 10 sys_is v1 bonding_slave/mii_status down
	good show bond0
	[[ ${lines[0]} == *bond0*active-backup* ]] || complain 'first line'
	[[ $output == *v0*up*active* && $output == *v1*down*backup* ]] || complain 'health of the slaves'
	[[ $output != *lp_interval* && $output != *lacp_rate* ]] || complain 'an option that has its default'
	good set bond0 resend_igmp 7
	good show bond0
	[[ $output == *resend_igmp*7* ]] || complain 'an option that differs from its default'
	good show bond0 --details
	[[ $output == *lp_interval* && $output == *resend_igmp* ]] || complain 'details'
}

@test "a slave that has no speed is shown, and one that is down by hand" {
	dummies d0 d1
	good create bond0 mode active-backup slaves d0 d1 up
	links 'link set d0 down'
	soon 10 sys_is bond0 bonding/active_slave d1
	good show bond0 --json
	json '[.slaves[] | [.up, .mii_status]]' '[[false,"down"],[true,"up"]]'
}
