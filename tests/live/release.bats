#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Releasing slaves and deleting bonds: only what belongs to the bond, and only bonds. What is left is read back through sysfs.

bats_require_minimum_version 1.5.0

load ../lib/live

setup() { live_setup; }
teardown() { live_teardown; }

@test "a released slave is down with its own address and the bond goes on without it" {
	pairs 0 1
	sys v1 address
	local own=$REPLY
	good create bond0 mode active-backup slaves v0 v1 up
	good --json release bond0 v1
	changed v1 applied
	slaves_are bond0 v0
	master_is v1 ''
	sys_is v1 address "$own"
	admin v1 down
	admin bond0 up
}

@test "releasing the active slave hands over to the other" {
	pairs 0 1
	good create bond0 mode active-backup slaves v0 v1 up
	soon 10 sys_is bond0 bonding/active_slave v0
	good release bond0 v0
	sys_is bond0 bonding/active_slave v1
	slaves_are bond0 v1
}

@test "the last slave is released and the bond stays without carrier" {
	pairs 0
	good create bond0 slaves v0 up
	soon 10 sys_is bond0 carrier 1
	good release bond0 v0 --force
	slaves_are bond0
	admin bond0 up
	soon 10 sys_is bond0 carrier 0
}

@test "only a slave of the named bond is released" {
	dummies d0 d1 d2
	links 'link add br0 type bridge' 'link set d2 master br0'
	good --batch - <<-'END'
		create bond0 slaves d0
		create bond1 slaves d1
	END
	bad 5 --json release bond0 d1
	json .error.cause '"not_a_slave"'
	bad 5 release bond0 d2
	bad 3 release bond0 ghost
	bad 5 release br0 d2
	master_is d0 bond0
	master_is d1 bond1
	master_is d2 br0
	admin d1 up
}

@test "several slaves are released at once" {
	dummies d0 d1 d2
	good create bond0 slaves d0 d1 d2
	good release bond0 d2 d0
	slaves_are bond0 d1
}

@test "a deleted bond is gone, its slaves are down with their own addresses, and that is said" {
	pairs 0 1
	sys v1 address
	local own=$REPLY
	good create bond0 slaves v0 v1 up
	good delete bond0
	says v0 v1 down
	gone bond0
	master_is v0 ''
	sys_is v1 address "$own"
	admin v0 down
	admin v1 down
}

@test "what is not a bond is not deleted" {
	dummies bond0
	links 'link add br0 type bridge' 'link add v0 type veth peer name p0'
	local device
	for device in bond0 br0 v0; do
		bad 5 --json delete "$device"
		json .error.cause '"not_a_bond"'
		there "$device"
	done
	bad 5 delete bond0
	says dummy
	bad 3 delete ghost
}

@test "set does not touch what is not a bond" {
	dummies d0
	bad 5 --json set d0 mtu 1400
	json .error.cause '"not_a_bond"'
	sys_is d0 mtu 1500
	bad 5 up d0
	admin d0 down
}

@test "several bonds are deleted at once, and one that is missing is named" {
	good --batch - <<-'END'
		create b0
		create b1
		create b2
	END
	good delete b0 b1
	gone b0
	gone b1
	bad 3 delete ghost b2
	says ghost
}

@test "a device that gets the index of a deleted slave has none of its membership" {
	links 'link add name d0 index 1000 type dummy'
	good create bond0 slaves d0
	links 'link del d0' 'link add name d1 index 1000 type dummy'
	good show bond0 --json
	json .slaves '[]'
	master_is d1 ''
	bad 5 release bond0 d1
}

@test "up and down set the bond and leave the slaves as they are" {
	dummies d0
	good create bond0 slaves d0
	good --json up bond0
	admin bond0 up
	good up bond0
	good down bond0
	admin bond0 down
	admin d0 up
	good --json down bond0
	json '[.changes[].outcome]' '["unchanged"]'
	bad 3 up ghost
}
