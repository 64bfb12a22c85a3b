#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Another program writes in the windows that a change leaves: between two of its datagrams, after its last, and between the passes of its
# undoing. What that one has written is what there is, and nobody says otherwise; what follows from where a device is stays so.
# shellcheck disable=SC2317 # meanwhile() is called by stopped_after()

bats_require_minimum_version 1.5.0

load ../lib/live

setup() {
	live_setup
	quiet_ipv6
	DIR=$BATS_TEST_TMPDIR
	pairs 0 1 2
	links 'link set v2 down'
}

teardown() { live_teardown; }

# requests WORDS...: the numbers of the first and last datagram of a change, into $FIRST and $LAST.
requests() {
	request first "$@"
	FIRST=$REPLY
	LAST=$(awk '/RTM_(NEW|DEL)/ { last = NR } END { print last }' "$BATS_TEST_TMPDIR/trace")
}

# starts WORDS...: bondctl in the background, its answer in $DIR/said; ended waits for it, and puts that into $output.
starts() {
	nsenter --net="/run/netns/$NS" "$BONDCTL" --json "$@" >"$DIR/said" 2>"$DIR/err" </dev/null 3>&- &
	WAITER=$!
	HELD+=("$WAITER")
}

ended() {
	status=0
	wait "$WAITER" || status=$?
	output=$(<"$DIR/said")
}

# a_bond WORDS...: bond0 anew, of v0 and v1, with the link.
a_bond() {
	[[ ! -e $NET/bond0 ]] || good delete bond0
	links 'link set v0 down' 'link set v1 down' 'link set v2 down'
	good create bond0 slaves v0 v1 up "$@"
	soon 10 sys_is v1 bonding_slave/mii_status up
	soon 10 addressed bond0
}

@test "an option that was named and held, and that another program changes just before, is called overridden" {
	a_bond mode active-backup miimon 100
	requests set bond0 miimon 100 num_grat_arp 3
	a_bond mode active-backup miimon 100
	meanwhile() { links 'link set bond0 type bond miimon 200'; }
	stopped_after "$((FIRST - 1))" set bond0 miimon 100 num_grat_arp 3
	same status "$status" 8
	json .error.cause '"overridden"' .error.option '"miimon"'
	sys_is bond0 bonding/miimon 200
	sys_is bond0 bonding/num_grat_arp 1
}

@test "a delay that another program sets after miimon was changed stays" {
	a_bond mode active-backup updelay 200
	requests set bond0 miimon 50
	a_bond mode active-backup updelay 200
	meanwhile() { links 'link set bond0 type bond updelay 500'; }
	stopped_after "$LAST" set bond0 miimon 50
	same status "$status" 0
	sys_is bond0 bonding/updelay 500
	json '[.changes[] | select(.option == "updelay").outcome]' '["overridden"]'
}

@test "what another program sets while a change or its undoing waits for the active slave stays" {
	local how
	for how in kept undone; do
		a_bond mode active-backup miimon 500 updelay 1000
		good set bond0 active_slave v1 slave v0 queue_id 3
		if [[ $how == kept ]]; then
			starts set bond0 mode balance-tlb --cycle
			soon 10 sys_is bond0 bonding/mode balance-tlb
		else
			starts set bond0 mode balance-tlb --cycle --confirm-within 1
			soon 10 sys_is bond0 bonding/mode balance-tlb
			soon 10 sys_is bond0 bonding/mode active-backup
		fi
		soon 10 sys_is v0 bonding_slave/queue_id 3
		sleep 0.3
		links 'link set v0 type bond_slave queue_id 9' 'link set bond0 type bond updelay 500'
		ended
		sys_is v0 bonding_slave/queue_id 9
		sys_is bond0 bonding/updelay 500
		sys_is bond0 bonding/active_slave v1
	done
}

@test "what another program has set is not called lost where something else cannot be put back" {
	a_bond mode active-backup
	good set bond0 active_slave v1 slave v0 queue_id 3
	requests set bond0 mode balance-tlb --cycle
	a_bond mode active-backup
	good set bond0 active_slave v1 slave v0 queue_id 3
	# the active slave cannot be that again without its link
	meanwhile() {
		links 'link set v0 type bond_slave queue_id 9'
		cut_link v1
		soon 10 sys_is bond0 bonding/active_slave v0
	}
	stopped_after "$LAST" set bond0 mode balance-tlb --cycle
	sys_is v0 bonding_slave/queue_id 9
	json '[.changes[] | select(.option == "active_slave").outcome]' '["lost"]' '[.changes[] | select(.option == "queue_id").outcome]' '["overridden"]'
}

@test "a primary that another program sets while replace waits for the new slave is there in the end" {
	a_bond mode active-backup primary v0
	cut_link v2
	starts replace bond0 v0 v2 --wait 20
	soon 10 master_is v2 bond0
	links 'link set bond0 type bond primary v1'
	restore_link v2
	ended
	same status "$status" 8
	json .error.cause '"overridden"' .error.option '"primary"'
	sys_is bond0 bonding/primary v1
	slaves_are bond0 v0 v1
}

@test "a primary that another program sets between two datagrams is there in the end" {
	local k
	echo '{"name": "bond0", "num_grat_arp": 7, "slaves": ["v0", "v1", "v2"], "primary": "v2"}' >"$DIR/document"
	a_bond mode active-backup primary v0
	requests apply "$DIR/document"
	((LAST > FIRST + 1)) || complain 'it is one datagram only'
	for ((k = FIRST; k < LAST; k++)); do
		a_bond mode active-backup primary v0
		meanwhile() { links 'link set bond0 type bond primary v1 num_grat_arp 5'; }
		stopped_after "$k" apply "$DIR/document"
		sys_is bond0 bonding/primary v1
		same "status after $k" "$status" 8
		sys_is bond0 bonding/num_grat_arp 5
		slaves_are bond0 v0 v1
	done
}

@test "a device gets the MAC address and MTU of where it is, whatever another program had set just before" {
	local before
	a_bond mode active-backup
	requests enslave bond0 v2
	good release bond0 v2
	meanwhile() { links 'link set v2 address 02:00:00:00:00:77' 'link set v2 mtu 1400' 'link set v2 txqueuelen 77'; }
	stopped_after "$((FIRST - 1))" enslave bond0 v2
	same status "$status" 0
	sys bond0 address
	sys_is v2 address "$REPLY"
	sys_is v2 mtu 1500
	sys_is v2 tx_queue_len 77
	# and gives it back when it leaves
	soon 10 sys_is v2 bonding_slave/mii_status up
	good release bond0 v2
	sys_is v2 address 02:00:00:00:00:77
	sys_is v2 mtu 1400
	requests release bond0 v1
	good enslave bond0 v1
	sys v1 mtu
	before=$REPLY
	soon 10 sys_is v1 bonding_slave/mii_status up
	meanwhile() { links 'link set bond0 mtu 1400' 'link set v1 type bond_slave queue_id 7'; }
	stopped_after "$((FIRST - 1))" release bond0 v1
	same status "$status" 0
	sys_is v1 mtu "$before"
	json '[.changes[] | select(.option == "queue_id")]' '[]'
	# nor does it take its queue to another bond
	good create bond9 mode active-backup
	good enslave bond0 v1
	soon 10 sys_is v1 bonding_slave/mii_status up
	requests enslave bond9 v1 --steal
	good release bond9 v1 --force
	good enslave bond0 v1
	soon 10 sys_is v1 bonding_slave/mii_status up
	stopped_after "$((FIRST - 1))" enslave bond9 v1 --steal
	same status "$status" 0
	slaves_are bond9 v1
	sys_is v1 bonding_slave/queue_id 0
}

# the kernel makes it when the bond has its link again
has_made_one() { [[ $(inside ip -6 -o addr show dev bond0 | grep -c 'inet6 fe80::[^1]') == 1 ]]; }

@test "a link-local address that somebody adds while a bond is cycled stays, and the one of a passing MAC address goes" {
	local k
	a_bond mode active-backup
	links 'addr add 2001:db8::1/64 dev bond0'
	requests set bond0 mode balance-rr --cycle
	for ((k = LAST; k <= LAST + 1; k++)); do
		good set bond0 mode active-backup --cycle
		soon 10 addressed bond0
		meanwhile() { links 'addr add fe80::1/64 dev bond0'; }
		stopped_after "$k" set bond0 mode balance-rr --cycle
		same "status after $k" "$status" 0
		inside ip -6 -o addr show dev bond0 | grep -q 'fe80::1/64' || complain "the address is gone after $k"
		soon 10 has_made_one
		links 'addr del fe80::1/64 dev bond0'
	done
}

@test "an IPv6 address that comes to the second bond, or leaves it, while the first is cycled is as that program left it" {
	local change=(apply "$DIR/document" --cycle)
	echo '[{"name": "bond0", "lacp_rate": "fast"}, {"name": "bond1", "lacp_rate": "fast"}]' >"$DIR/document"
	two_bonds() {
		for bond in bond0 bond1; do [[ ! -e $NET/$bond ]] || good delete "$bond"; done
		links 'link set v0 down' 'link set v2 down'
		good create bond0 mode 802.3ad slaves v0 up
		good create bond1 mode 802.3ad slaves v2 up
		links 'addr add 2001:db8::1/64 dev bond0' 'addr add 2001:db8:1::1/64 dev bond1'
		soon 10 addressed bond1
	}
	two_bonds
	requests "${change[@]}"
	two_bonds
	# the first bond is done by then, the second is not begun
	meanwhile() { links 'addr add 2001:db8:1::2/64 dev bond1' 'addr del 2001:db8:1::1/64 dev bond1' 'addr del 2001:db8::1/64 dev bond0'; }
	stopped_after "$FIRST" "${change[@]}"
	same status "$status" 0
	same 'addresses of the first' "$(inside ip -6 -o addr show dev bond0 scope global)" ''
	same 'addresses' "$(inside ip -6 -o addr show dev bond1 scope global | awk '{ print $4 }')" 2001:db8:1::2/64
	json_true '[.changes[] | select(.outcome == "overridden") | "\(.device) \(.value)"] == ["bond0 address 2001:db8::1/64","bond1 address 2001:db8:1::1/64"]'
}

@test "who may change bonds and not enter namespaces hears what others do all the same" {
	a_bond mode active-backup
	output=$(inside setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps -all,+net_admin --ambient-caps -all,+net_admin --bounding-set -all,+net_admin \
		"$BONDCTL" --json set bond0 mode balance-rr --cycle) || complain "$output"
	json '[.changes[] | select(.outcome == "unverified")]' '[]'
	sys_is bond0 bonding/mode balance-rr
}

@test "what a bond that was deleted has not when that is undone is said" {
	a_bond mode active-backup
	links 'link set bond0 alias uplink' 'link property add dev bond0 altname wan0' 'link set bond0 group 5' 'link set bond0 promisc on'
	inside sh -c 'echo 2 >/proc/sys/net/ipv4/conf/bond0/rp_filter; echo 0 >/proc/sys/net/ipv6/conf/bond0/accept_ra'
	inside tc qdisc add dev bond0 root pfifo limit 55
	bad 8 --json delete bond0 --confirm-within 1 </dev/null
	json '[.changes[] | select(.outcome == "lost" and .device == "bond0").value]' \
		'["alias","alternative names","group","qdisc","settings of IPv4 (net.ipv4.conf)","settings of IPv6 (net.ipv6.conf)","flags promisc, allmulti, noarp"]'
	# and nothing that it has
	good delete bond0
	a_bond mode active-backup
	bad 8 --json delete bond0 --confirm-within 1 </dev/null
	json '[.changes[] | select(.outcome == "lost" and .device == "bond0").value]' '[]'
}
