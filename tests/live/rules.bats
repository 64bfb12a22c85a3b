#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The rules by which options depend on each other, on the mode and on the slaves. What the matrix of options.bats cannot show
# in one cell is here; everything is read back through sysfs, or through ip where sysfs has no file.

bats_require_minimum_version 1.5.0

load ../lib/live

setup() { live_setup; }
teardown() { live_teardown; }

@test "a delay that is no multiple of miimon is rounded down, and that is said" {
	good create bond0 mode active-backup miimon 100 updelay 250
	says updelay 200 100
	sys_is bond0 bonding/updelay 200
	good --json set bond0 downdelay 199 peer_notif_delay 50
	sys_is bond0 bonding/downdelay 100
	sys_is bond0 bonding/peer_notif_delay 0
	json_true '[.changes[] | select(.option == "downdelay").note | contains("100")] == [true]'
	good -q set bond0 updelay 350
	silent
	sys_is bond0 bonding/updelay 300
	# 320 is stored as the 300 that is there
	good --json set bond0 updelay 320
	changed updelay unchanged
}

@test "a delay and miimon in one command go together whatever their order" {
	good create bond0 mode active-backup miimon 0
	bad 5 set bond0 updelay 200
	says updelay miimon
	good set bond0 updelay 200 miimon 50
	sys_is bond0 bonding/miimon 50
	sys_is bond0 bonding/updelay 200
	bad 5 set bond0 miimon 0 updelay 100
	sys_is bond0 bonding/miimon 50
	good set bond0 miimon 0 --force
	sys_is bond0 bonding/updelay 0
}

@test "delays given with another miimon hold, although the driver rescales them" {
	good create bond0 mode active-backup miimon 100 updelay 200 downdelay 400
	good --json set bond0 miimon 50 updelay 200
	sys_is bond0 bonding/miimon 50
	sys_is bond0 bonding/updelay 200
}

@test "MII and ARP monitoring exclude each other in one command and replace each other in two" {
	good create bond0 mode active-backup miimon 100 arp_ip_target 10.0.0.1
	bad 5 --json set bond0 arp_interval 200 miimon 50
	json .error.cause '"conflict"'
	sys_is bond0 bonding/miimon 100
	sys_is bond0 bonding/arp_interval 0
	good set bond0 arp_interval 200 --force
	sys_is bond0 bonding/miimon 0
	good set bond0 arp_validate all
	good set bond0 miimon 100 --force
	sys_is bond0 bonding/arp_interval 0
	sys_is bond0 bonding/arp_validate none
	good set bond0 miimon 0 arp_interval 300
	sys_is bond0 bonding/miimon 0
	sys_is bond0 bonding/arp_interval 300
}

@test "miimon given again with what turns it off is not taken for unchanged" {
	good create bond0 mode active-backup miimon 100
	# miimon holds already, but arp_interval in the same command would take it away
	bad 5 set bond0 miimon 100 arp_interval 200
	sys_is bond0 bonding/miimon 100
	sys_is bond0 bonding/arp_interval 0
}

@test "the mode changes only on a bond that is down and empty, and the refusal says which it is" {
	dummies d0
	good create bond0 mode active-backup slaves d0 up
	bad 5 --json set bond0 mode 802.3ad
	json .error.cause '"has_slaves"' .error.errno '"ENOTEMPTY"'
	good release bond0 d0 --force
	bad 5 --json set bond0 mode 802.3ad
	json .error.cause '"bond_up"'
	good set bond0 mode active-backup
	good down bond0
	good set bond0 mode 802.3ad lacp_rate fast up
	sys_is bond0 bonding/mode 802.3ad
	sys_is bond0 bonding/lacp_rate fast
	admin bond0 up
}

@test "what a change of mode resets is set all the same when it is in the command" {
	good create bond0 mode active-backup arp_interval 100 arp_ip_target 10.0.0.1 arp_validate all
	good set bond0 mode balance-xor arp_validate all
	sys_is bond0 bonding/mode balance-xor
	sys_is bond0 bonding/arp_validate all
	good create bond1 mode balance-tlb tlb_dynamic_lb 0
	sys_is bond1 bonding/tlb_dynamic_lb 0
	good set bond1 mode balance-alb tlb_dynamic_lb off
	sys_is bond1 bonding/tlb_dynamic_lb 0
	good create bond2 mode active-backup miimon 0
	good set bond2 mode 802.3ad miimon 0 --force
	sys_is bond2 bonding/miimon 0
}

@test "down and an option that needs it work in one command" {
	good create bond0 mode 802.3ad up
	bad 5 set bond0 lacp_rate fast
	says lacp_rate down
	good down bond0
	good set bond0 lacp_rate fast up
	sys_is bond0 bonding/lacp_rate fast
	admin bond0 up
}

@test "options that change live in 802.3ad do so" {
	dummies d0
	good create bond0 mode 802.3ad slaves d0 up
	good set bond0 ad_actor_sys_prio 100 ad_actor_system 02:00:00:00:00:88 min_links 1
	sys_is bond0 bonding/ad_actor_sys_prio 100
	sys_is bond0 bonding/ad_actor_system 02:00:00:00:00:88
	sys_is bond0 bonding/min_links 1
	bad 2 set bond0 ad_actor_system 01:00:00:00:00:01
	sys_is bond0 bonding/ad_actor_system 02:00:00:00:00:88
	admin bond0 up
}

@test "a primary that is no slave yet is pending, becomes active when it joins, and is said to be pending" {
	pairs 0 1
	good create bond0 mode active-backup slaves v0 up
	soon 10 sys_is bond0 bonding/active_slave v0
	good set bond0 primary v1
	says pending v1
	sys_is bond0 bonding/primary ''
	good enslave bond0 v1
	sys_is bond0 bonding/primary v1
	soon 10 sys_is bond0 bonding/active_slave v1
	good release bond0 v1
	sys_is bond0 bonding/primary ''
	good enslave bond0 v1
	sys_is bond0 bonding/primary v1
}

@test "a primary that is pending can be taken back" {
	pairs 0 1
	good create bond0 mode active-backup slaves v0 up
	good set bond0 primary v1
	good set bond0 primary none
	good enslave bond0 v1
	sys_is bond0 bonding/primary ''
	sys_is bond0 bonding/active_slave v0
}

@test "a primary that does not exist is refused and the present one stays" {
	pairs 0 1
	good create bond0 mode active-backup slaves v0 v1 primary v1
	bad 3 set bond0 primary ghost
	sys_is bond0 bonding/primary v1
}

@test "the active slave is chosen among those with link, and the refusal says why not" {
	pairs 0 1 2
	dummies d0
	good create bond0 mode active-backup slaves v0 v1 v2 up
	soon 10 sys_is bond0 bonding/active_slave v0
	good set bond0 active_slave v1
	sys_is bond0 bonding/active_slave v1
	cut_link v0
	bad 5 --json set bond0 active_slave v0
	json_true '.error.message | contains("link")'
	bad 5 --json set bond0 active_slave d0
	json .error.cause '"not_a_slave"'
	bad 3 set bond0 active_slave ghost
	sys_is bond0 bonding/active_slave v1
	good set bond0 active_slave none
	sys bond0 bonding/active_slave
	[[ $REPLY == v[12] ]] || complain "active slave: '$REPLY'"
}

@test "no active slave is null, and in a mode that has none the key is there" {
	pairs 0
	good create bond0 mode active-backup slaves v0 up
	cut_link v0
	soon 10 sys_is bond0 bonding/active_slave ''
	good show bond0 --json
	json '[has("active_slave"), .active_slave, .carrier]' '[true,null,false]'
	good create bond1 mode balance-rr
	good show bond1 --json
	json '[has("active_slave"), .active_slave]' '[true,null]'
	bad 5 set bond1 active_slave v0
	says active_slave balance-rr
}

@test "a slave's priority chooses the active slave, also below zero" {
	pairs 0 1
	good create bond0 mode active-backup slaves v0 v1 up
	soon 10 sys_is bond0 bonding/active_slave v0
	good set bond0 slave v1 prio 10
	sys_is bond0 bonding/active_slave v1
	good set bond0 slave v1 prio -5
	sys_is bond0 bonding/active_slave v0
	same 'prio by ip' "$(ip_json '.[0].linkinfo.info_slave_data.prio' link show v1)" -5
}

@test "two options of a slave are set together or not at all" {
	dummies d0 d1
	good create bond0 mode 802.3ad slaves d0 d1
	bad 5 set bond0 slave d0 queue_id 3 prio 5
	says prio 802.3ad
	sys_is d0 bonding_slave/queue_id 0
	bad 2 set bond0 slave d0 queue_id 3 slave d1 queue_id 65536
	sys_is d0 bonding_slave/queue_id 0
	good set bond0 slave d0 queue_id 3 slave d1 queue_id 4 actor_port_prio 7
	sys_is d0 bonding_slave/queue_id 3
	sys_is d1 bonding_slave/queue_id 4
}

@test "a queue belongs to one slave and is one of the bond's" {
	dummies d0 d1
	good create bond0 mode active-backup slaves d0 d1
	good set bond0 slave d0 queue_id 16
	sys_is d0 bonding_slave/queue_id 16
	bad 5 set bond0 slave d1 queue_id 17
	says 16
	bad 5 set bond0 slave d1 queue_id 65535
	bad 5 set bond0 slave d1 queue_id 16
	says d0
	sys_is d1 bonding_slave/queue_id 0
	good set bond0 slave d0 queue_id 0 slave d1 queue_id 16
	sys_is d0 bonding_slave/queue_id 0
	sys_is d1 bonding_slave/queue_id 16
}

@test "two slaves swap their queues in one command" {
	dummies d0 d1
	good create bond0 mode active-backup slaves d0 d1
	good set bond0 slave d0 queue_id 1 slave d1 queue_id 2
	try set bond0 slave d0 queue_id 2 slave d1 queue_id 1
	# the driver refuses a queue that is taken: all or nothing of what was asked
	sys d0 bonding_slave/queue_id
	local first=$REPLY
	sys d1 bonding_slave/queue_id
	if ((status == 0)); then
		same queues "$first $REPLY" '2 1'
	else
		same queues "$first $REPLY" '1 2'
	fi
}

@test "an option that the kernel does not know is refused, and a bond with it is not left behind" {
	local option known
	good create bond0 mode 802.3ad
	for option in broadcast_neighbor lacp_strict coupled_control; do
		known=$(jq ".[0].$option" <<<"[$(bond show bond0 --json)]")
		try --json set bond0 "$option" "$([[ $known == true ]] && echo off || echo on)"
		if [[ $known == null ]]; then
			same status "$status" 6
			json .error.cause '"unsupported"'
			bad 8 --json create bond1 mode 802.3ad "$option" on
			json .error.cause '"unsupported"'
			gone bond1
			good show bond0 --json
			json ".$option" null
			json_true ".unsupported | index(\"$option\") != null"
		else
			same status "$status" 0
			good show bond0 --json
			json_true ".unsupported | index(\"$option\") == null"
		fi
	done
}

@test "the driver's own refusal comes with its words" {
	dummies d0
	good create bond0 mode active-backup
	try --json set bond0 use_carrier off
	if ((status == 0)); then
		sys_is bond0 bonding/use_carrier 0
	else
		same status "$status" 1
		json .error.cause '"refused"' .error.option '"use_carrier"'
		json_true '.error.kernel | length > 0'
		sys_is bond0 bonding/use_carrier 1
	fi
	good create bond1 mode 802.3ad
	try --json set bond1 ad_select actor_port_prio
	if ((status == 0)); then
		sys_is bond1 bonding/ad_select actor_port_prio
	else
		json .error.option '"ad_select"'
		json_true '.error.kernel | length > 0'
	fi
}

@test "what stays as it was when one of several options is refused" {
	good create bond0 mode active-backup miimon 100 min_links 0
	bad 5 set bond0 miimon 50 lacp_rate fast min_links 3
	sys_is bond0 bonding/miimon 100
	sys_is bond0 bonding/min_links 0
	bad 2 set bond0 miimon 50 resend_igmp 256
	sys_is bond0 bonding/miimon 100
}

@test "numbers are taken whole or not at all" {
	good create bond0 mode active-backup
	local value
	for value in -1 1e3 ' 100 ' 0x64 100abc 18446744073709551716 '' +100x 1.5; do
		bad 2 set bond0 miimon "$value"
	done
	sys_is bond0 bonding/miimon 100
	bad 2 set bond0 num_grat_arp 256
	sys_is bond0 bonding/num_grat_arp 1
	good set bond0 all_slaves_active yes
	sys_is bond0 bonding/all_slaves_active 1
	good set bond0 all_slaves_active 0
	sys_is bond0 bonding/all_slaves_active 0
	good set bond0 all_slaves_active true
	sys_is bond0 bonding/all_slaves_active 1
}

@test "an option without effect in the mode is stored and noted" {
	good create bond0 mode active-backup
	good set bond0 min_links 2
	says min_links active-backup 802.3ad
	sys_is bond0 bonding/min_links 2
}

@test "the bond's MTU and address reach every slave" {
	pairs 0 1
	good create bond0 mode balance-xor slaves v0 v1
	good set bond0 mtu 1400 address 02:00:00:00:00:44
	sys_is v0 mtu 1400
	sys_is v1 mtu 1400
	sys_is v0 address 02:00:00:00:00:44
	sys_is v1 address 02:00:00:00:00:44
	# a slave changed by hand: the bond's own value holds and is not sent again
	links 'link set v1 mtu 1300'
	good --json set bond0 mtu 1400
	changed mtu unchanged
	sys_is v1 mtu 1300
}

@test "an MTU that a slave cannot have is refused and every device keeps its own" {
	dummies d1
	small_device m0
	good create bond0 slaves d1 m0
	bad 1 --json set bond0 mtu 9000
	json .error.option '"mtu"'
	sys_is bond0 mtu 1500
	sys_is d1 mtu 1500
	sys_is m0 mtu 1500
}

@test "an address that the driver would take and not use is refused" {
	pairs 0 1
	good create bond0 mode active-backup fail_over_mac active slaves v0 v1 up
	sys bond0 address
	local own=$REPLY
	bad 5 --json set bond0 address 02:00:00:00:00:55
	json .error.cause '"conflict"' .error.option '"address"'
	sys_is bond0 address "$own"
	dummies d0
	bad 5 create bond1 mode active-backup fail_over_mac active address 02:00:00:00:00:55 slaves d0
	gone bond1
	# it has it until it has a slave
	good create bond1 mode active-backup fail_over_mac active address 02:00:00:00:00:55
	sys_is bond1 address 02:00:00:00:00:55
}

@test "in balance-alb each slave has an address of its own, and a new one of the bond goes to the active slave" {
	pairs 0 1
	sys v1 address
	local own=$REPLY
	good create bond0 mode balance-alb slaves v0 v1 up
	soon 10 sys_is bond0 bonding/active_slave v0
	sys bond0 address
	sys_is v0 address "$REPLY"
	sys_is v1 address "$own"
	good set bond0 address 02:00:00:00:00:55
	sys_is v0 address 02:00:00:00:00:55
	sys_is v1 address "$own"
}

@test "with fail_over_mac follow the bond keeps its address and the active slave gets it" {
	pairs 0 1
	good create bond0 mode active-backup fail_over_mac follow slaves v0 v1 up
	soon 10 sys_is bond0 bonding/active_slave v0
	sys bond0 address
	local bond=$REPLY
	sys v1 address
	local other=$REPLY
	good set bond0 active_slave v1
	sys_is bond0 address "$bond"
	sys_is v1 address "$bond"
	sys_is v0 address "$other"
	bad 5 set bond0 fail_over_mac none
	says fail_over_mac slaves
	sys_is bond0 bonding/fail_over_mac follow
}
