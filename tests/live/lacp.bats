#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# 802.3ad between two bonds over two cables: what show says of the aggregator, the partner and each port is what /proc and sysfs
# say. Numbers are compared with the driver's own, states with those of a pair that has converged.

bats_require_minimum_version 1.5.0

load ../lib/live

setup() { live_setup; }
teardown() { live_teardown; }

# bond0 over v0 v1 against bond1 over p0 p1.
lacp_pair() {
	links 'link add v0 type veth peer name p0' 'link add v1 type veth peer name p1'
	good create bond0 mode 802.3ad lacp_rate fast miimon 50 ad_actor_sys_prio 100 ad_user_port_key 3 slaves v0 v1 up
	good create bond1 mode 802.3ad lacp_rate fast miimon 50 slaves p0 p1 up
	soon 30 converged
}

converged() {
	local slave
	sys bond0 bonding/ad_num_ports
	[[ $REPLY == 2 ]] || return
	for slave in v0 v1 p0 p1; do
		sys "$slave" bonding_slave/ad_actor_oper_port_state
		[[ $REPLY == 63 ]] || return
		sys "$slave" bonding_slave/ad_partner_oper_port_state
		[[ $REPLY == 63 ]] || return
	done
}

# labels LABEL: the values that the lines with the label have in the driver's page on stdin, as a JSON array.
labels() { jq -cnR --arg start "$1: " '[inputs | select(startswith($start)) | .[($start | length):]]'; }

# block DEVICE: the lines of /proc about that slave of bond0; block bond: those before the first slave.
block() {
	proc bond0 | awk -v want="$1" 'BEGIN { at = "bond" } /^Slave Interface: / { at = $3 } at == want { print }'
}

@test "the aggregator, the partner, each port and the bond's own part are what sysfs and /proc say" {
	lacp_pair
	local file n text wanted=()
	good show bond0 --json
	for file in aggregator num_ports actor_key partner_key; do
		sys bond0 "bonding/ad_$file"
		wanted+=(".ad_info.$file" "$REPLY")
	done
	sys bond0 bonding/ad_partner_mac
	wanted+=(.ad_info.partner_mac "\"$REPLY\"")
	sys bond1 address
	wanted+=(.ad_info.partner_mac "\"$REPLY\"")
	json "${wanted[@]}" '[.ad_actor_sys_prio, .ad_user_port_key, .withheld]' '[100,3,[]]' '.ad_info.actor_key / 64 | floor' 3

	# the ports
	wanted=()
	for n in 0 1; do
		sys "v$n" bonding_slave/ad_aggregator_id
		# all bits but defaulted and expired, and the driver's number for that is 63: see converged
		wanted+=(".slaves[$n].ad_aggregator_id" "$REPLY" ".ad_info.aggregator" "$REPLY" ".slaves[$n] | [.state, .mii_status]"
			'["active","up"]' ".slaves[$n] | [.ad_actor_oper_port_state, .ad_partner_oper_port_state] | map(sort) | unique"
			'[["activity","aggregation","collecting","distributing","synchronization","timeout"]]')
	done
	json "${wanted[@]}"
	text=$(proc bond0)
	same 'churn of our side' "$(jq -c '[.slaves[].churn_actor_state]' <<<"$output")" "$(labels 'Actor Churn State' <<<"$text")"
	same 'churn of the partner' "$(jq -c '[.slaves[].churn_partner_state]' <<<"$output")" \
		"$(labels 'Partner Churn State' <<<"$text")"

	# the bond
	text=$(block bond)
	[[ $text == *"LACP rate: $(jq -r .lacp_rate <<<"$output")"* ]] || complain "$text"
	[[ $text == *"Min links: $(jq -r .min_links <<<"$output")"* ]] || complain "$text"
	[[ $text == *"System priority: $(jq -r .ad_actor_sys_prio <<<"$output")"* ]] || complain "$text"
	[[ $text == *"LACP active: on"* ]] || complain "$text"
	json .lacp_active true
	[[ $text == *"(ad_select): $(jq -r .ad_select <<<"$output")"* ]] || complain "$text"

	good set bond0 slave v1 actor_port_prio 7
	[[ $(block v1) == *'port priority: 7'* ]] || complain "$(block v1)"
	good show bond0 --json
	json '[.slaves[].actor_port_prio]' '[255,7]'
}

@test "a new system address reaches the partner, and a lost link takes its port out" {
	lacp_pair
	good set bond0 ad_actor_system 02:00:00:00:00:88
	soon 15 sys_is bond1 bonding/ad_partner_mac 02:00:00:00:00:88
	good show bond1 --json
	json .ad_info.partner_mac '"02:00:00:00:00:88"'
	soon 30 converged
	cut_link v1
	soon 15 sys_is v1 bonding_slave/mii_status down
	soon 15 sys_is bond0 bonding/ad_num_ports 1
	good show bond0 --json
	json '[.carrier, .slaves[0].mii_status, .slaves[1].mii_status, .ad_info.num_ports]' '[true,"up","down",1]' \
		'.slaves[1].link_failure_count' 1
}

@test "replace waits until the new port collects and distributes at both ends, before the old one leaves" {
	lacp_pair
	links 'link add v2 type veth peer name p2'
	good enslave bond1 p2
	good replace bond0 v0 v2 --wait 30
	# that it is so is not waited for here
	for slave in v1 v2; do
		sys_is "$slave" bonding_slave/ad_actor_oper_port_state 63
		sys_is "$slave" bonding_slave/ad_partner_oper_port_state 63
	done
	slaves_are bond0 v1 v2
	sys_is bond0 bonding/ad_num_ports 2
	# one whose partner is no bond is not taken for ready, and the old one stays
	links 'link add v3 type veth peer name p3' 'link set p3 up'
	bad 8 --json replace bond0 v1 v3 --wait 1
	json .error.cause '"timeout"'
	slaves_are bond0 v1 v2
}

@test "a port that is released has told its partner so by then: there is nothing to wait for" {
	lacp_pair
	sys_is p1 bonding_slave/ad_partner_oper_port_state 63
	good release bond0 v1
	# neither aggregatable, nor in sync, collecting or distributing any more (IEEE 802.1AX, 6.4.2.3): bond_3ad_unbind_slave()
	sys_is p1 bonding_slave/ad_partner_oper_port_state 3
	soon 10 sys_is bond1 bonding/ad_num_ports 1
}

@test "without a partner its address is all zero and the port says so" {
	pairs 0
	good create bond0 mode 802.3ad lacp_rate fast slaves v0 up
	soon 10 sys_is bond0 bonding/ad_num_ports 1
	good show bond0 --json
	json .ad_info.partner_mac '"00:00:00:00:00:00"'
	json_true '.slaves[0].ad_actor_oper_port_state | index("defaulted") != null'
	json_true '.slaves[0].ad_partner_oper_port_state | index("synchronization") == null'
}

@test "a bond in 802.3ad that was never up has no aggregator yet, and nulls for it" {
	pairs 0
	good create bond0 mode 802.3ad slaves v0
	good show bond0 --json
	json '[has("ad_info"), (.slaves[0] | has("ad_aggregator_id"))]' '[true,true]'
	json_true '.slaves[0].ad_aggregator_id == null or (.slaves[0].ad_aggregator_id | type == "number")'
	good create bond1 mode balance-rr
	good show bond1 --json
	json .ad_info null
}

@test "lacp_strict and min_links decide the carrier without a partner, where the kernel has them" {
	dummies d0
	good create bond0 mode 802.3ad slaves d0 up
	soon 15 sys_is bond0 carrier 1
	if [[ $(bond show bond0 --json | jq '.unsupported | index("lacp_strict")') != null ]]; then
		skip 'this kernel has no lacp_strict'
	fi
	good set bond0 lacp_strict on
	sys_is bond0 carrier 1
	good set bond0 min_links 1
	soon 15 sys_is bond0 carrier 0
	good set bond0 lacp_strict off
	soon 15 sys_is bond0 carrier 1
}
