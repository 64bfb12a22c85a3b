#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Network namespaces: bondctl acts where --netns says and otherwise where it runs, whatever sysfs shows there, and a slave that
# leaves the namespace has left the bond.

bats_require_minimum_version 1.5.0

load ../lib/live

setup() { live_setup; }

# A process that lives in the test's namespace.
dweller() {
	hold nsenter --net="/run/netns/$NS" sleep 1000
	soon 10 has_moved "${HELD[-1]}"
}

has_moved() { [[ /proc/$1/ns/net -ef /run/netns/$NS ]]; }

# A second namespace beside the test's own.
other_netns() {
	OTHER=$NS-other
	ip netns add "$OTHER"
}

teardown() {
	ip netns del "${OTHER:-none}" 2>/dev/null
	live_teardown
}

@test "a namespace is entered by name, by process and by path" {
	dweller
	attempt "$BONDCTL" --netns "$NS" create b0 mode active-backup
	((status == 0)) || complain 'by name'
	attempt "$BONDCTL" create -n "${HELD[0]}" b1
	((status == 0)) || complain 'by process'
	attempt "$BONDCTL" create b2 --netns="/run/netns/$NS"
	((status == 0)) || complain 'by path'
	attempt "$BONDCTL" -n "/proc/${HELD[0]}/ns/net" list --json
	json '[.[].name]' '["b0","b1","b2"]'
	there b0
	there b1
	there b2
	[[ ! -e /sys/class/net/b0 ]] || complain 'b0 is in the namespace of the test itself'
}

@test "a namespace that is not there ends with status 3" {
	local netns
	for netns in no-such-name 4194304 /no/such/path /dev/null; do
		attempt "$BONDCTL" --json --netns "$netns" list
		((status == 3)) || complain "$netns: expected status 3, got $status"
		json .error.cause '"no_netns"'
	done
}

@test "the bond of one namespace is not seen or touched from another, whatever sysfs shows" {
	other_netns
	good create bond0 miimon 70
	# only the network namespace is switched: $SYS and /sys show other devices than netlink
	attempt nsenter --net="/run/netns/$OTHER" "$BONDCTL" list --json
	same 'list in the other namespace' "$output" '[]'
	attempt nsenter --net="/run/netns/$OTHER" "$BONDCTL" create bond0 miimon 90 mode active-backup
	((status == 0)) || complain 'create in the other namespace'
	attempt nsenter --net="/run/netns/$OTHER" "$BONDCTL" set bond0 miimon 95
	((status == 0)) || complain 'set in the other namespace'
	sys_is bond0 bonding/miimon 70
	sys_is bond0 bonding/mode balance-rr
	same 'miimon there' "$(ip -n "$OTHER" -d -j link show bond0 | jq '.[0].linkinfo.info_data.miimon')" 95
}

@test "a slave is taken only from the bond's own namespace" {
	other_netns
	links "link add d9 netns $OTHER type dummy"
	good create bond0
	bad 3 enslave bond0 d9
	says d9
}

@test "a slave that moves to another namespace has left the bond" {
	other_netns
	pairs 0 1
	good create bond0 mode active-backup slaves v0 v1 up
	links "link set v0 netns $OTHER"
	good show bond0 --json
	json '[.slaves[].name]' '["v1"]'
	slaves_are bond0 v1
	bad 3 release bond0 v0
}

@test "a bond does not move to another namespace, and is made there with --netns" {
	other_netns
	good create bond0
	run ip -n "$NS" link set bond0 netns "$OTHER"
	((status != 0)) || complain 'the bond moved'
	there bond0
	attempt "$BONDCTL" --netns "$OTHER" create bond0
	((status == 0)) || complain 'create there'
	same 'bonds there' "$(ip -n "$OTHER" -j link show type bond | jq -c '[.[].ifname]')" '["bond0"]'
}

@test "options are probed without leaving a namespace or a bond behind" {
	local before
	before=$(ip netns list | wc -l)
	good options --json
	json_true 'length > 40 and all(.[]; has("name") and has("supported"))'
	json '[.[] | select(.scope == "bond" and .name == "miimon") | .supported]' '[true]'
	same 'namespaces' "$(ip netns list | wc -l)" "$before"
	good list
	same 'list of bonds' "$output" ''
}
