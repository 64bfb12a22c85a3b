#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The lists of ARP and NS targets: given whole, edited with + and -, emptied, kept in order, refused whole when one address is
# wrong. ARP targets are read back through sysfs, NS targets, which have no file there, through ip.

bats_require_minimum_version 1.5.0

load ../lib/live

setup() { live_setup; }
teardown() { live_teardown; }

ns_targets() {
	same 'NS targets' "$(ip_json '.[0].linkinfo.info_data.ns_ip6_target // [] | map(.addr? // .)' link show bond0)" "$1"
}

@test "ARP targets are given, added, taken away and emptied, and keep their order" {
	good create bond0 mode active-backup arp_interval 100 arp_ip_target 10.0.0.1,10.0.0.2
	sys_is bond0 bonding/arp_ip_target '10.0.0.1 10.0.0.2'
	good set bond0 arp_ip_target +10.0.0.3
	sys_is bond0 bonding/arp_ip_target '10.0.0.1 10.0.0.2 10.0.0.3'
	good set bond0 arp_ip_target -10.0.0.1
	sys_is bond0 bonding/arp_ip_target '10.0.0.2 10.0.0.3'
	good set bond0 arp_ip_target=+10.0.0.9,-10.0.0.2
	sys_is bond0 bonding/arp_ip_target '10.0.0.3 10.0.0.9'
	good set bond0 arp_ip_target 10.0.0.9,10.0.0.3
	sys_is bond0 bonding/arp_ip_target '10.0.0.9 10.0.0.3'
	good set bond0 arp_ip_target none --force
	sys_is bond0 bonding/arp_ip_target ''
	good set bond0 arp_ip_target +10.0.0.5
	good set bond0 arp_ip_target '' --force
	sys_is bond0 bonding/arp_ip_target ''
}

@test "NS targets are given, added, taken away and emptied, and keep their order" {
	good create bond0 mode active-backup ns_ip6_target 2001:db8::1,fe80::1
	ns_targets '["2001:db8::1","fe80::1"]'
	good set bond0 ns_ip6_target +2001:DB8:0:0::2
	ns_targets '["2001:db8::1","fe80::1","2001:db8::2"]'
	good set bond0 ns_ip6_target -fe80::1
	ns_targets '["2001:db8::1","2001:db8::2"]'
	good set bond0 ns_ip6_target none
	ns_targets '[]'
}

@test "sixteen targets fit and a seventeenth is refused with the list unchanged" {
	local n list=10.0.0.1
	for ((n = 2; n <= 16; n++)); do list+=,10.0.0.$n; done
	good create bond0 mode active-backup arp_ip_target "$list"
	sys_is bond0 bonding/arp_ip_target "${list//,/ }"
	bad 2 set bond0 arp_ip_target +10.0.0.17
	says 16
	sys_is bond0 bonding/arp_ip_target "${list//,/ }"
	bad 2 set bond0 arp_ip_target "10.0.0.17,$list"
	sys_is bond0 bonding/arp_ip_target "${list//,/ }"
	good set bond0 arp_ip_target -10.0.0.4,+10.0.0.17
	sys bond0 bonding/arp_ip_target
	[[ $REPLY == *' 10.0.0.17' && $REPLY != *10.0.0.4\ * ]] || complain "targets: $REPLY"
}

@test "a list with one wrong address is refused and the old list stays" {
	local list
	good create bond0 mode active-backup arp_ip_target 10.0.0.1 ns_ip6_target 2001:db8::1
	for list in 10.0.0.2,10.0.0.2 10.0.0.2,0.0.0.0 255.255.255.255 10.0.0.300 10.0.0 x 10.0.0.2,,10.0.0.3 +10.0.0.2,10.0.0.3; do
		bad 2 set bond0 arp_ip_target "$list"
		sys_is bond0 bonding/arp_ip_target 10.0.0.1
	done
	for list in :: ::1 ff02::1 2001:db8::2,2001:db8::2 2001:db8::2,2001:DB8:0::2 10.0.0.1; do
		bad 2 set bond0 ns_ip6_target "$list"
	done
	ns_targets '["2001:db8::1"]'
}

@test "adding what is there and taking away what is not are refused or change nothing" {
	good create bond0 mode active-backup arp_ip_target 10.0.0.1,10.0.0.2
	try set bond0 arp_ip_target +10.0.0.2
	sys_is bond0 bonding/arp_ip_target '10.0.0.1 10.0.0.2'
	try set bond0 arp_ip_target -10.0.0.7
	sys_is bond0 bonding/arp_ip_target '10.0.0.1 10.0.0.2'
}

@test "the same list again sends nothing, and another order is another list" {
	good create bond0 mode active-backup arp_ip_target 10.0.0.1,10.0.0.2
	good --json set bond0 arp_ip_target 10.0.0.1,10.0.0.2
	changed arp_ip_target unchanged
	good --json set bond0 arp_ip_target 10.0.0.2,10.0.0.1
	changed arp_ip_target applied
	sys_is bond0 bonding/arp_ip_target '10.0.0.2 10.0.0.1'
}

@test "turning ARP monitoring off keeps the targets" {
	good create bond0 mode active-backup arp_interval 100 arp_ip_target 10.0.0.1 ns_ip6_target 2001:db8::1
	good set bond0 arp_interval 0 miimon 100
	sys_is bond0 bonding/arp_ip_target 10.0.0.1
	ns_targets '["2001:db8::1"]'
	good show bond0 --json
	json '[.arp_ip_target, .ns_ip6_target]' '[["10.0.0.1"],["2001:db8::1"]]'
}

@test "targets may be set in 802.3ad, where they do nothing, and that is noted" {
	good create bond0 mode 802.3ad
	good set bond0 arp_ip_target 10.0.0.1
	says effect
	sys_is bond0 bonding/arp_ip_target 10.0.0.1
}
