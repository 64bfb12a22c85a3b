#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Counters: stats and show have the kernel's own 64-bit ones, the bond's apart from those of its slaves. They are compared with
# sysfs and ip while nothing moves.

bats_require_minimum_version 1.5.0

load ../lib/live

setup() { live_setup; }
teardown() { live_teardown; }

# Twenty packets out of bond0, to a neighbour that needs no asking.
talk() {
	links 'addr add 10.0.0.1/24 dev bond0' 'neigh add 10.0.0.2 lladdr 02:00:00:00:00:02 dev bond0'
	inside bash -c 'for ((n = 0; n < 20; n++)); do echo packet >/dev/udp/10.0.0.2/9; done'
}

# No background traffic: IPv6 would count its own packets between two reads.
quiet() { inside sysctl -qw net.ipv6.conf.default.disable_ipv6=1 net.ipv6.conf.all.disable_ipv6=1; }

@test "the counters of the bond and of each slave are the kernel's" {
	quiet
	pairs 0 1
	good create bond0 mode balance-rr slaves v0 v1 up
	talk
	sleep 0.2
	good stats bond0 --json
	local counter wanted=()
	for counter in rx_packets tx_packets rx_bytes tx_bytes rx_dropped tx_dropped rx_errors multicast; do
		sys bond0 "statistics/$counter"
		wanted+=(".statistics.$counter" "$REPLY")
		sys v1 "statistics/$counter"
		wanted+=(".slaves[1].statistics.$counter" "$REPLY")
	done
	json "${wanted[@]}"
	json_true '.statistics.tx_packets >= 20 and .slaves[0].statistics.tx_packets >= 8 and .slaves[1].statistics.tx_packets >= 8'
	same 'tx_packets by ip' "$(ip_json '.[0].stats64.tx.packets' link show bond0)" "$(jq .statistics.tx_packets <<<"$output")"
	local stats=$output
	good show bond0 --json
	same 'the counters of show' "$(jq -c '[.statistics, [.slaves[].statistics]]' <<<"$output")" \
		"$(jq -c '[.statistics, [.slaves[].statistics]]' <<<"$stats")"
}

@test "what a released slave had carried stays in the bond's counters" {
	quiet
	pairs 0 1
	good create bond0 mode active-backup slaves v0 v1 up
	soon 10 sys_is bond0 carrier 1
	talk
	sys bond0 statistics/tx_packets
	local before=$REPLY
	((before >= 20)) || complain "only $before packets were sent"
	good release bond0 v0
	good stats bond0 --json
	json_true ".statistics.tx_packets >= $before"
	json_true '.statistics.tx_packets > ([.slaves[].statistics.tx_packets] | add)'
	sys bond0 statistics/tx_packets
	json .statistics.tx_packets "$REPLY"
}

@test "counters are whole numbers, also above 32 bits" {
	good create bond0
	good stats --json
	json 'type' '"array"' '[.[0].statistics[] | type] | unique' '["number"]' '.[0].slaves' '[]'
	good stats bond0
	[[ -n $output ]] || complain 'no text'
	bad 3 stats ghost
}
