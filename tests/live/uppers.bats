#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What stands on a bond or on its slaves, and what the bond itself is a port of: what a change costs there is put back or
# said, and undoing brings it back.

bats_require_minimum_version 1.5.0

load ../lib/live

setup() {
	live_setup
	quiet_ipv6
}

teardown() { live_teardown; }

# upper NAME KIND WORD...: a device on bond0, with addresses and a route; a kernel that lacks the kind is no matter.
upper() {
	local name=$1
	shift
	ip -n "$NS" link add link bond0 name "$name" type "$@" 2>/dev/null || return 0
	UPPERS+=("$name")
	links "link set $name up" "addr add 2001:db8:${#UPPERS[@]}::1/64 dev $name nodad" \
		"addr add 10.20.${#UPPERS[@]}.1/24 dev $name" "route add 10.21.${#UPPERS[@]}.0/24 via 10.20.${#UPPERS[@]}.9"
}

uppers() {
	UPPERS=()
	pairs 0 1
	good create bond0 mode active-backup slaves v0 v1 up
	soon 10 addressed bond0
	upper vlan5 vlan id 5
	upper mv0 macvlan mode bridge
	upper mt0 macvtap mode bridge
	upper sec0 macsec
	upper iv0 ipvlan
	((${#UPPERS[@]} > 1)) || skip 'this kernel has no device that stands on another but VLANs'
	links 'link add link mv0 name mv0.7 type vlan id 7' 'link set mv0.7 up'
	UPPERS+=(mv0.7)
}

# undone WORD...: a change that nobody confirms. Its report is the last answer.
undone() {
	bad 8 --json "$@" --confirm-within 1
}

@test "devices of every kind that shrink with the bond are named, and grow again when that is undone" {
	uppers
	remember
	dry set bond0 mtu 1400
	local name mtu
	for name in "${UPPERS[@]}"; do costs "$name" mtu; done
	as_before
	undone set bond0 mtu 1400
	soon 10 addressed bond0
	as_before
	good set bond0 mtu 1400
	for name in "${UPPERS[@]}"; do
		sys "$name" mtu
		mtu=$REPLY
		((mtu <= 1400)) || complain "$name has $mtu"
	done
}

@test "a VLAN device on a slave shrinks with it, also with one that joins or leaves, and is named" {
	pairs 0 1 2
	links 'link add link v0 name v0.5 type vlan id 5' 'link add link v1 name v1.5 type vlan id 5' \
		'link add link v2 name v2.5 type vlan id 5'
	good create bond0 mode active-backup mtu 1450 slaves v0 v1 up
	soon 10 addressed bond0
	links 'link set v0 mtu 1500' 'link set v0.5 mtu 1500' 'link set v1 mtu 1500' 'link set v1.5 mtu 1500'
	dry set bond0 mtu 1400
	costs v0.5 mtu
	costs v1.5 mtu
	dry set bond0 slave v0 mtu 1300
	costs v0.5 mtu
	dry enslave bond0 v2
	costs v2.5 mtu
	remember
	undone set bond0 slave v0 mtu 1300
	as_before
	undone enslave bond0 v2
	as_before
}

@test "what stands on a bond keeps its addresses, routes and nexthops when the bond is cycled" {
	uppers
	local name id=100
	for name in "${UPPERS[@]}"; do
		id=$((id + 1))
		links "nexthop add id $id dev $name" "route add 10.22.$id.0/24 nhid $id"
	done
	remember
	good set bond0 fail_over_mac active --cycle
	soon 10 addressed bond0
	as_before 'bond0 fail_over_mac' 'v? address' '* address' '* addr*'
	good set bond0 mode balance-xor --cycle
	for name in "${UPPERS[@]}"; do there "$name"; done
	same 'routes of what stands on it' "$(inside ip -j route show | jq -c '[.[] | select(.dst | startswith("10.21.")).dst] | sort | length')" \
		"$((${#UPPERS[@]} - 1))"
}

@test "what is deleted with a bond is named, of every kind, and the undoing says that it is gone" {
	uppers
	local name
	dry delete bond0
	for name in "${UPPERS[@]}"; do costs "$name" 'is deleted with what it is on'; done
	json '[.changes[] | select(.action == "lose" and (.device | test("^[pv][01]$"))) | .value] | map(select(. == "device"))' '[]'
	# the bond is there again, without them: that is no "undone"
	bad 1 --json delete bond0 --confirm-within 1
	there bond0
	slaves_are bond0 v0 v1
	for name in "${UPPERS[@]}"; do costs "$name" 'is gone, and is not made again'; done
}

@test "a deleted bond goes back to its bridge when that is undone, and the port's settings are said to be lost" {
	pairs 0 1
	good create bond0 mode active-backup slaves v0 v1 up
	links 'link add br0 type bridge' 'link set br0 up' 'link set bond0 master br0'
	undone delete bond0
	master_is bond0 br0
	slaves_are bond0 v0 v1
	costs bond0 'its settings as a port of br0'
}

@test "a deleted bond goes back to its VRF when that is undone" {
	pairs 0
	good create bond0 mode 802.3ad slaves v0 up
	links 'link add red type vrf table 10' 'link set red up' 'link set bond0 master red'
	undone delete bond0
	master_is bond0 red
	slaves_are bond0 v0
}

@test "pruned bonds go back to where they were when that is undone" {
	pairs 0 1
	good create bond0 mode active-backup slaves v0 up
	good create bond1 mode balance-xor slaves v1 up
	links 'link add br0 type bridge' 'link set br0 up' 'link set bond0 master br0'
	echo '[{"name": "bond1"}]' >"$BATS_TEST_TMPDIR/wanted"
	undone apply "$BATS_TEST_TMPDIR/wanted" --prune
	master_is bond0 br0
	slaves_are bond0 v0
	slaves_are bond1 v1
}

@test "a VLAN device has the address of its bond, and is named when that changes" {
	pairs 0
	good create bond0 mode balance-xor slaves v0 up
	links 'link add link bond0 name bond0.5 type vlan id 5' 'link set bond0.5 up' 'link add link bond0 name bond0.6 type vlan id 6' \
		'link add link bond0 name bond0.7 address 02:00:00:00:00:07 type vlan id 7' 'link set bond0.7 up'
	dry set bond0 address 02:00:00:00:00:99
	json '[.changes[] | select(.option == "address" and .action == "lose") | [.device, .value]]' '[["bond0.5","02:00:00:00:00:99"]]'
	good set bond0 address 02:00:00:00:00:99
	sys_is bond0.5 address 02:00:00:00:00:99
	sys_is bond0.7 address 02:00:00:00:00:07
}
