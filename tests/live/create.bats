#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Creating bonds: everything in one command, its words in any order, and nothing left when a part of it fails. What was made is
# read back through sysfs.

bats_require_minimum_version 1.5.0

load ../lib/live

setup() { live_setup; }
teardown() { live_teardown; }

@test "a bond is created, filled and brought up by one command that says nothing" {
	pairs 0 1
	good create bond0 mode active-backup miimon 50 updelay 100 primary v1 slaves v0 v1 slave v0 queue_id 3 up
	silent
	sys_is bond0 bonding/mode active-backup
	sys_is bond0 bonding/miimon 50
	sys_is bond0 bonding/updelay 100
	sys_is bond0 bonding/primary v1
	soon 10 sys_is bond0 bonding/active_slave v1
	sys_is v0 bonding_slave/queue_id 3
	slaves_are bond0 v0 v1
	admin bond0 up
	admin v0 up
	soon 10 sys_is bond0 carrier 1
}

@test "the words of create may come in any order" {
	dummies d0 d1
	good create bond0 up slave d1 queue_id 2 lacp_rate=fast slaves d0 xmit_hash_policy layer3+4 mtu=1400 mode=802.3ad
	sys_is bond0 bonding/mode 802.3ad
	sys_is bond0 bonding/lacp_rate fast
	sys_is bond0 bonding/xmit_hash_policy layer3+4
	sys_is bond0 mtu 1400
	sys_is d1 mtu 1400
	sys_is d1 bonding_slave/queue_id 2
	admin bond0 up
	slaves_are bond0 d1 d0
}

@test "an options string of modprobe can be pasted, its words as numbers" {
	good create bond0 mode=4 miimon=80 lacp_rate=1 xmit_hash_policy=2 ad_select=1 num_unsol_na=3
	sys_is bond0 bonding/mode 802.3ad
	sys_is bond0 bonding/miimon 80
	sys_is bond0 bonding/lacp_rate fast
	sys_is bond0 bonding/xmit_hash_policy layer2+3
	sys_is bond0 bonding/ad_select bandwidth
	sys_is bond0 bonding/num_grat_arp 3
	admin bond0 down
}

@test "without a link monitor create sets miimon 100, and takes an explicit 0" {
	good --batch - <<-'END'
		create b0
		create b1 mode active-backup miimon 0
		create b2 mode active-backup arp_interval 200 arp_ip_target 10.0.0.1
		create b3 mode active-backup arp_interval 0
		create b4 mode 802.3ad miimon 0 --force
		create b5 mode balance-alb
	END
	sys_is b0 bonding/miimon 100
	sys_is b0 bonding/mode balance-rr
	sys_is b1 bonding/miimon 0
	sys_is b2 bonding/miimon 0
	sys_is b2 bonding/arp_interval 200
	sys_is b3 bonding/miimon 100
	sys_is b4 bonding/miimon 0
	sys_is b5 bonding/miimon 100
}

@test "a bond of every mode is created with slaves that are up and come up again" {
	local mode n=0 lines=()
	for mode in balance-rr active-backup balance-xor broadcast 802.3ad balance-tlb balance-alb; do
		dummies "a$n" "b$n"
		links "link set a$n up" "link set b$n up"
		lines+=("create bond$n mode $mode slaves a$n b$n up")
		n=$((n + 1))
	done
	good --batch - <<<"$(printf '%s\n' "${lines[@]}")"
	n=0
	for mode in balance-rr active-backup balance-xor broadcast 802.3ad balance-tlb balance-alb; do
		sys_is "bond$n" bonding/mode "$mode"
		slaves_are "bond$n" "a$n" "b$n"
		admin "bond$n" up
		admin "a$n" up
		admin "b$n" up
		n=$((n + 1))
	done
}

@test "a bad value is refused before anything is sent, and a slave that is up stays untouched" {
	dummies d0
	links 'link set d0 up'
	bad 2 create bond0 mode active-backup miimon 2147483648 slaves d0
	says miimon 2147483647
	gone bond0
	bad 2 create bond0 mode activebackup slaves d0
	says active-backup
	gone bond0
	bad 2 create bond0 fail_over_mac folow slaves d0
	says follow
	gone bond0
	admin d0 up
	master_is d0 ''
}

@test "an option that the mode does not take leaves no bond and names the mode that does" {
	bad 5 create bond0 mode active-backup lacp_rate fast
	says lacp_rate active-backup 802.3ad
	gone bond0
	bad 5 create bond0 mode 802.3ad arp_interval 100
	says arp_interval 802.3ad
	gone bond0
}

@test "MII and ARP monitoring in one command are refused and leave no bond" {
	bad 5 create bond0 mode active-backup miimon 100 arp_interval 100
	says exclude
	gone bond0
	bad 5 create bond0 mode active-backup miimon 100 arp_validate all
	gone bond0
}

@test "a slave that is not there leaves no bond and the other slaves as they were" {
	dummies d0
	links 'link set d0 up'
	bad 3 create bond0 slaves d0 ghost up
	says ghost
	gone bond0
	admin d0 up
	master_is d0 ''
}

@test "a slave of another bond or bridge is not taken from there" {
	dummies d0 d1 d2
	links 'link add br0 type bridge' 'link set d2 master br0' 'link set d0 up'
	good create other slaves d1
	bad 5 --json create bond0 slaves d0 d1
	json .error.cause '"has_master"'
	bad 5 create bond0 slaves d0 d2
	says d2 br0
	gone bond0
	master_is d1 other
	master_is d2 br0
	admin d0 up
}

@test "a slave that the driver refuses undoes everything: no bond, the others up with their own address and MTU" {
	dummies d0
	refused_device t0
	links 'link set d0 mtu 1400' 'link set d0 up'
	sys d0 address
	local address=$REPLY
	bad 8 --json create bond0 mode 802.3ad mtu 2000 slaves d0 t0 up
	json .error.cause '"refused"' .error.device '"t0"'
	json_true '.error.kernel != null'
	changed bond0 rolled_back
	changed d0 rolled_back
	changed t0 refused
	gone bond0
	sys_is d0 address "$address"
	sys_is d0 mtu 1400
	admin d0 up
	admin t0 down
	master_is d0 ''
}

@test "a slave's own option that cannot be leaves no bond" {
	dummies d0 d1
	links 'link set d0 up'
	bad 5 create bond0 mode balance-rr slaves d0 slave d1 prio 5
	says prio balance-rr
	gone bond0
	try create bond0 slaves d0 d1 slave d1 queue_id 17
	((status == 5 || status == 8)) || complain "expected a refusal, got $status"
	gone bond0
	try create bond0 slave d0 queue_id 3 slave d1 queue_id 3
	((status == 5 || status == 8)) || complain "expected a refusal, got $status"
	gone bond0
	admin d0 up
	admin d1 down
}

@test "a name that is taken is not touched, whatever has it" {
	dummies bond0
	good create bond1 miimon 70
	bad 5 --json create bond0 mode 802.3ad
	json .error.cause '"exists"'
	bad 5 create bond0
	says dummy
	bad 5 create bond1 miimon 80
	there bond0
	gone bond0/bonding
	sys_is bond1 bonding/miimon 70
}

@test "the number of transmit queues is given at creation and never later" {
	good create bond0 numtxqueues 3
	there bond0/queues/tx-2
	gone bond0/queues/tx-3
	bad 2 create bond1 numtxqueues 4097
	bad 2 create bond1 numtxqueues 0
	gone bond1
	try set bond0 numtxqueues 5
	((status != 0)) || complain 'expected a refusal'
	gone bond0/queues/tx-3
}

@test "an address given at creation goes to the slaves, and without one the first slave's is taken" {
	dummies d0 d1 d2 d3
	sys d2 address
	local first=$REPLY
	good create bond0 address 02:00:00:00:00:aa slaves d0 d1
	sys_is bond0 address 02:00:00:00:00:aa
	sys_is d0 address 02:00:00:00:00:aa
	sys_is d1 address 02:00:00:00:00:aa
	good create bond1 slaves d2 d3
	sys_is bond1 address "$first"
	sys_is d3 address "$first"
}

@test "link options given at creation hold: mtu, txqueuelen and down" {
	dummies d0
	good create bond0 txqueuelen 500 mtu 9000 down slaves d0
	sys_is bond0 tx_queue_len 500
	sys_is bond0 mtu 9000
	sys_is d0 mtu 9000
	admin bond0 down
}

@test "the active slave can be given with the slaves, and a primary that does not exist leaves no bond" {
	pairs 0 1 2
	good create bond0 mode active-backup slaves v0 v1 v2 active_slave v1
	sys_is bond0 bonding/active_slave v1
	bad 3 create bond1 mode active-backup primary=v9
	says v9
	gone bond1
}

@test "the mode is sent even when it is the driver's own default" {
	# the defaults of new bonds come from the module's parameters; the command must not depend on them
	good --json create bond0
	changed mode applied
	changed miimon applied
	sys_is bond0 bonding/mode balance-rr
}

@test "a slave named twice is refused" {
	dummies d0
	try create bond0 slaves d0 d0
	((status == 2 || status == 5)) || complain "expected a refusal, got $status"
	gone bond0
	admin d0 down
}
