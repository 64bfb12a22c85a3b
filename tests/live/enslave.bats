#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Making slaves of devices of every kind and state, and what becomes of those that cannot be one. What was done is read back
# through sysfs.

bats_require_minimum_version 1.5.0

load ../lib/live

setup() { live_setup; }
teardown() { live_teardown; }

@test "a slave that is up is taken, and is up with carrier afterwards" {
	pairs 0
	links 'link set v0 up'
	good create bond0 mode active-backup up
	good --json enslave bond0 v0
	changed v0 applied
	slaves_are bond0 v0
	admin v0 up
	soon 10 sys_is bond0 carrier 1
}

@test "several slaves that are down are taken in the order they were named" {
	dummies d0 d1 d2
	good create bond0
	good enslave bond0 d2 d0 d1
	# the first gives the bond its address, which is said
	says 'bond0: address'
	slaves_are bond0 d2 d0 d1
	admin d0 up
}

@test "a device that is our slave already is left alone" {
	pairs 0
	good create bond0 up slaves v0
	sys v0 carrier_changes
	local changes=$REPLY
	good --json enslave bond0 v0
	changed v0 unchanged
	sys_is v0 carrier_changes "$changes"
	slaves_are bond0 v0
}

@test "a device that is not there, and the bond itself, are refused" {
	good create bond0
	bad 3 --json enslave bond0 ghost
	json .error.cause '"no_device"' .error.device '"ghost"'
	bad 5 enslave bond0 bond0
	says itself
	bad 3 enslave ghost bond0
	says ghost
	slaves_are bond0
}

@test "a device with another master stays there, whatever kind that is" {
	dummies d0 d1
	links 'link add br0 type bridge' 'link set d1 master br0'
	good --batch - <<-'END'
		create bond0
		create bond1 slaves d0
	END
	bad 5 --json enslave bond0 d0
	json .error.cause '"has_master"'
	json_true '.error.message | contains("bond1")'
	bad 5 enslave bond0 d1
	says br0
	master_is d0 bond1
	master_is d1 br0
	admin d0 up
}

@test "what is not a bond gets no slaves" {
	dummies d0 d1
	links 'link add br0 type bridge'
	bad 5 --json enslave br0 d0
	json .error.cause '"not_a_bond"'
	bad 5 enslave d1 d0
	says d1 dummy
	master_is d0 ''
}

@test "a VLAN is taken, and one whose parent is down is given back as it was" {
	pairs 0 1
	links 'link set v0 up' 'link add link v0 name v0.5 type vlan id 5' 'link add link v1 name v1.5 type vlan id 5' \
		'link set v0.5 up'
	good create bond0 mode active-backup
	good enslave bond0 v0.5
	slaves_are bond0 v0.5
	bad 1 --json enslave bond0 v1.5
	json .error.errno '"ENETDOWN"'
	master_is v1.5 ''
	admin v1.5 down
	slaves_are bond0 v0.5
}

@test "a port with a VLAN on top of it is taken and the VLAN stays" {
	pairs 0
	links 'link add link v0 name v0.10 type vlan id 10'
	good create bond0 mode active-backup slaves v0
	there v0.10
	slaves_are bond0 v0
}

@test "a bond is made a slave of a bond, but not in a ring" {
	dummies d0
	good --batch - <<-'END'
		create inner slaves d0
		create outer mode active-backup slaves inner
	END
	master_is inner outer
	bad 5 enslave inner outer
	master_is outer ''
	slaves_are inner d0
	slaves_are outer inner
}

@test "a device that is no Ethernet is refused where the driver would refuse it, before anything is sent" {
	links 'tuntap add dev t0 mode tun' 'link set t0 up'
	good --batch - <<-'END'
		create lacp mode 802.3ad
		create rr mode balance-rr
	END
	remember
	bad 5 --json enslave lacp t0
	json .error.cause '"conflict"' .error.errno '"EINVAL"' .error.device '"t0"' .error.kernel null
	json_true '.error.message | contains("Ethernet only") and contains("without a link layer")'
	bad 5 --json enslave rr t0
	json .error.cause '"conflict"' .error.errno '"EOPNOTSUPP"' .error.kernel null
	json_true '.error.message | contains("no MAC address")'
	bad 5 create bond0 mode balance-xor slaves t0
	gone bond0
	as_before
}

@test "a device that cannot change its address is taken in active-backup, and the next of another type is not" {
	dummies d0
	links 'tuntap add dev t0 mode tun' 'link set d0 up'
	good create bond0 mode active-backup
	good enslave bond0 t0
	slaves_are bond0 t0
	sys_is bond0 bonding/fail_over_mac active
	bad 5 --json enslave bond0 d0
	json_true '.error.message | contains("Ethernet") and contains("without a link layer")'
	slaves_are bond0 t0
	master_is d0 ''
	admin d0 up
}

@test "a slave that refuses the bond's MTU is given back with its own, and up as it was" {
	small_device m0
	links 'link set m0 up'
	sys m0 address
	local address=$REPLY
	good create bond0 mtu 9000
	bad 8 --json enslave bond0 m0
	json .error.device '"m0"' .error.errno '"EINVAL"'
	sys_is m0 mtu 1500
	sys_is m0 address "$address"
	admin m0 up
	master_is m0 ''
}

@test "a slave with a lower device that has receivers of its own is refused as busy" {
	dummies d0
	links 'link add link d0 name m0 type macvlan mode bridge'
	good create bond0
	bad 1 --json enslave bond0 d0
	json .error.errno '"EBUSY"'
	master_is d0 ''
	admin d0 down
}

@test "the bond's MTU and address go to the slave and its own come back on release" {
	dummies d0 d1
	links 'link set d1 mtu 1400'
	sys d1 address
	local own=$REPLY
	good create bond0 mtu 9000 slaves d0
	good enslave bond0 d1
	sys_is d1 mtu 9000
	sys bond0 address
	sys_is d1 address "$REPLY"
	good release bond0 d1
	sys_is d1 mtu 1400
	sys_is d1 address "$own"
}

@test "IPv4 addresses stay on a device that becomes a slave" {
	pairs 0
	links 'addr add 10.9.0.1/24 dev v0' 'link set v0 up'
	good create bond0 mode active-backup up
	good enslave bond0 v0
	same 'addresses of v0' "$(ip_json '[.[].addr_info[] | select(.family == "inet") | .local]' addr show dev v0)" '["10.9.0.1"]'
	slaves_are bond0 v0
}

@test "when one of several slaves is not there nothing is done and the error names it" {
	dummies d0 d1
	good create bond0
	bad 3 --json enslave bond0 d0 ghost d1
	json .error.device '"ghost"'
	slaves_are bond0
	master_is d0 ''
	master_is d1 ''
}

@test "no message both enslaves and changes flags" {
	pairs 0
	links 'link set v0 up'
	good create bond0
	hold ip -n "$NS" -o monitor link >"$BATS_TEST_TMPDIR/events"
	sleep 0.3
	good enslave bond0 v0
	admin v0 up
	soon 5 grep -q 'v0.*master bond0' "$BATS_TEST_TMPDIR/events"
	# the device is seen down, without a master, before it is seen with one
	run awk '/v0/ && !/master/ && !/[<,]UP[,>]/ { down = NR } /v0.*master bond0/ { exit !(down && down < NR) }' \
		"$BATS_TEST_TMPDIR/events"
	((status == 0)) || { cat "$BATS_TEST_TMPDIR/events" >&2; return 1; }
}

@test "a bond without carrier that has slaves keeps its address, and nothing else is said" {
	pairs 0 1 2
	good create bond0 mode active-backup miimon 50 slaves v0 v1 up
	cut_link v0
	cut_link v1
	soon 10 sys_is bond0 carrier 0
	sys bond0 address
	dry enslave bond0 v2
	json '[.changes[] | select(.device == "bond0")]' '[]'
	good enslave bond0 v2
	silent
	sys_is bond0 address "$REPLY"
	# the misfit is the one that joins
	links 'tuntap add dev t0 mode tun'
	bad 5 --json enslave bond0 t0
	json .error.device '"t0"'
	json_true '.error.message | contains("first slave is Ethernet")'
}

@test "a bridge that loses the port whose address it has is named, too" {
	dummies d0
	links 'link add br0 type bridge' 'link set d0 master br0' 'link set br0 up' 'link set d0 up'
	good create bond0 mode active-backup
	dry enslave bond0 d0 --steal
	json_true '[.changes[] | select(.device == "br0" and .action == "lose").option] == ["address"]'
	good enslave bond0 d0 --steal
	says br0 address
}
