#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Cases from people who run bonds, as far as they are about a change and no other file has them: each test has the number of its
# case. What the driver does underneath is seen through sysfs and ip.

bats_require_minimum_version 1.5.0

load ../lib/live

setup() {
	live_setup
	quiet_ipv6
	DOC=$BATS_TEST_TMPDIR/document
}

teardown() {
	ip netns del "$NS-far" 2>/dev/null
	live_teardown
	if [[ ${RELOADED:-} ]]; then load_driver; fi
}

# neighbour: the far end of v0 in a namespace of its own, where 10.0.0.2 answers to ARP.
neighbour() {
	pairs 0
	ip netns add "$NS-far"
	links "link set p0 netns $NS-far"
	ip -n "$NS-far" -batch - <<<$'addr add 10.0.0.2/24 dev p0\nlink set p0 up'
}

# tun: a device that has no MAC address.
tun() { links 'tuntap add dev t0 mode tun'; }

# printed LINE...: the tool has printed each line, on standard output.
printed() {
	local line
	for line in "$@"; do
		[[ $'\n'$output$'\n' == *$'\n'"$line"$'\n'* ]] || complain "expected the line '$line'"
	done
}

# ends SLAVE STATE CARRIER: what its bond, bond0, makes of the slave, and the bond's carrier.
ends() {
	sys_is "$1" bonding_slave/mii_status "$2" && sys_is bond0 carrier "$3"
}

@test "B1: a bond without a monitor gets one while it runs, and the lost link is noticed" {
	pairs 0 1
	good create bond0 mode active-backup miimon 0 slaves v0 v1 up
	sys_is bond0 bonding/active_slave v0
	cut_link v0
	soon 10 sys_is v0 carrier 0
	sys_is v0 bonding_slave/mii_status up
	good set bond0 miimon 100
	soon 10 sys_is bond0 bonding/active_slave v1
	sys_is v0 bonding_slave/mii_status down
}

@test "B2: an LACP pair that runs is not left without its monitor unless it is forced" {
	links 'link add v0 type veth peer name p0' 'link add v1 type veth peer name p1'
	good --batch - <<-'END'
		create bond0 mode 802.3ad lacp_rate fast slaves v0 v1 up
		create bond1 mode 802.3ad lacp_rate fast slaves p0 p1 up
	END
	soon 30 sys_is bond0 bonding/ad_num_ports 2
	soon 10 addressed bond0 bond1
	remember
	bad 5 --json set bond0 miimon 0
	json .error.cause '"guard"' .error.option '"miimon"'
	as_before
	good set bond0 miimon 0 --force
	as_before 'bond0 miimon'
	sys_is bond0 bonding/miimon 0
	sys_is bond0 bonding/ad_num_ports 2
}

@test "B3: the last ARP target stays while it is probed, and what --force does without it is the driver's" {
	neighbour
	good create bond0 mode active-backup arp_interval 100 arp_ip_target 10.0.0.2 slaves v0 up
	links 'addr add 10.0.0.1/24 dev bond0'
	soon 10 ends v0 up 1
	soon 10 addressed bond0
	remember
	bad 5 --json set bond0 arp_ip_target ''
	json .error.cause '"guard"' .error.option '"arp_ip_target"'
	as_before
	ends v0 up 1
	good set bond0 arp_ip_target '' --force
	soon 10 ends v0 'going back' 0
	good set bond0 arp_ip_target 10.0.0.2
	soon 10 ends v0 up 1
}

@test "B7: an interval of 0 keeps the targets of both kinds, and the same document has nothing to do" {
	local list
	good create bond0 mode active-backup arp_interval 60000 arp_ip_target 10.0.0.1 ns_ip6_target 2001:db8::1,fe80::1
	list=$(printf ',2001:db8::1:%s' {1..17})
	remember
	bad 2 set bond0 ns_ip6_target "${list#,}"
	as_before
	echo '{"name": "bond0", "miimon": 100, "arp_interval": 0, "arp_ip_target": ["10.0.0.1"], "ns_ip6_target": ["2001:db8::1", "fe80::1"]}' >"$DOC"
	good apply "$DOC"
	as_before 'bond0 miimon' 'bond0 arp_interval'
	quiet apply "$DOC"
}

@test "B8: arp_all_targets all without validation is noted, and with it one dead target takes the bond down" {
	neighbour
	good create bond0 mode active-backup arp_interval 100 arp_ip_target 10.0.0.2,10.0.0.99 slaves v0 up
	links 'addr add 10.0.0.1/24 dev bond0'
	good set bond0 arp_all_targets all
	says arp_all_targets arp_validate
	good set bond0 arp_all_targets any
	good set bond0 arp_validate all
	soon 10 ends v0 up 1
	good set bond0 arp_all_targets all
	silent
	soon 10 ends v0 'going back' 0
	sys_is v0 carrier 1
	good set bond0 arp_all_targets any
	soon 10 ends v0 up 1
}

@test "B1, B2, B3, B5: a document neither takes the monitor away nor brings two" {
	good create bond0 mode active-backup
	good create bond1 mode active-backup miimon 0 arp_interval 60000 arp_ip_target 10.0.0.2
	remember
	bad 5 --json apply - <<<'{"name": "bond0", "arp_validate": "all"}'
	json .error.cause '"guard"' .error.option '"arp_validate"'
	bad 5 --json apply - <<<'{"name": "bond1", "arp_ip_target": []}'
	json .error.cause '"guard"' .error.option '"arp_ip_target"'
	bad 5 --json apply - <<<'{"name": "bond2", "mode": "802.3ad", "miimon": 0}'
	json .error.cause '"guard"' .error.option '"miimon"'
	bad 5 --json apply - <<<'{"name": "bond2", "miimon": 100, "arp_interval": 100, "arp_ip_target": ["10.0.0.2"]}'
	json .error.cause '"conflict"'
	as_before
	# said, it is meant; and what is monitored by ARP needs no other monitor
	good apply - <<<'[{"name": "bond2", "miimon": 0}, {"name": "bond3", "mode": "active-backup", "arp_interval": 60000, "arp_ip_target": ["10.0.0.2"]}]'
	sys_is bond2 bonding/miimon 0
	sys_is bond3 bonding/miimon 0
	sys_is bond3 bonding/arp_interval 60000
}

@test "B9: a slave that is still waiting for its updelay is no successor" {
	pairs 0 1
	good create bond0 mode active-backup miimon 50 slaves v0 v1 up
	soon 10 sys_is v1 bonding_slave/mii_status up
	soon 10 addressed bond0
	cut_link v1
	soon 10 sys_is v1 bonding_slave/mii_status down
	good set bond0 updelay 60000
	restore_link v1
	soon 10 sys_is v1 bonding_slave/mii_status 'going back'
	remember
	bad 5 release bond0 v0
	as_before
	# a delay that runs is not shortened
	good set bond0 updelay 0
	cut_link v1
	soon 10 sys_is v1 bonding_slave/mii_status down
	restore_link v1
	soon 10 sys_is v1 bonding_slave/mii_status up
	good release bond0 v0
	sys_is bond0 bonding/active_slave v1
}

@test "B11: the two names of one number must agree" {
	good create bond0 mode active-backup
	bad 2 set bond0 num_grat_arp 3 num_unsol_na 4
	bad 2 apply - <<<'{"name": "bond0", "num_grat_arp": 3, "num_unsol_na": 4}'
	sys_is bond0 bonding/num_grat_arp 1
	good set bond0 num_grat_arp 3 num_unsol_na 3
	sys_is bond0 bonding/num_grat_arp 3
	quiet apply - <<<'{"name": "bond0", "num_grat_arp": 3, "num_unsol_na": "3"}'
}

@test "B17: min_links outside 802.3ad is noted when the bond is created" {
	good --json --batch - <<-'END'
		create bond0 mode active-backup min_links 2
		create bond1 mode balance-xor min_links 5
		create bond2 mode 802.3ad min_links 2
	END
	output=$(jq -sc 'map([.changes[] | select(.option == "min_links").note | . != null and contains("802.3ad")])' <<<"$output")
	json . '[[true],[true],[false]]'
	sys_is bond1 bonding/min_links 5
}

@test "B22: a number out of range is refused with the range, and is never cut to fit" {
	local rows option value lowest highest
	good create bond0 mode balance-rr
	good create bond1 mode 802.3ad
	mapfile -t rows <<-'END'
		bond0 resend_igmp 256 0 255
		bond0 num_grat_arp 256 0 255
		bond0 lp_interval 0 1 2147483647
		bond0 miimon 2147483648 0 2147483647
		bond0 miimon 4294967396 0 2147483647
		bond0 min_links 2147483648 0 2147483647
		bond0 arp_missed_max 0 1 255
		bond0 arp_missed_max 257 1 255
		bond0 packets_per_slave 65536 0 65535
		bond0 miimon -1 0 2147483647
		bond1 ad_user_port_key 1024 0 1023
		bond1 ad_actor_sys_prio 0 1 65535
		bond1 ad_actor_sys_prio 65537 1 65535
	END
	remember
	try --json --keep-going --batch - <<<"$(printf 'set %s\n' "${rows[@]}" | cut -d ' ' -f 1-4)"
	output=$(jq -sc . <<<"$output")
	json 'map([.status, .error.cause]) | unique' '[[2,"bad_value"]]' length "${#rows[@]}"
	for row in "${!rows[@]}"; do
		read -r _ option value lowest highest <<<"${rows[row]}"
		json ".[$row].error | .option" "\"$option\"" ".[$row].error.message | contains(\"$value\") and contains(\"$lowest to $highest\")" true
	done
	as_before
	good set bond0 miimon 2147483647
	sys_is bond0 bonding/miimon 2147483647
}

@test "B23: a bond with use_carrier off is made whole where the kernel takes it, and not at all elsewhere" {
	dummies d0
	links 'link set d0 up'
	remember
	try --json create bond0 mode active-backup use_carrier 0 miimon 100 slaves d0 up
	if ((status == 0)); then
		sys_is bond0 bonding/use_carrier 0
		slaves_are bond0 d0
	else
		json .error.option '"use_carrier"'
		json_true '.error.kernel | contains("obsolete")'
		gone bond0
		as_before
	fi
	good apply - <<<'{"name": "bond1", "use_carrier": true}'
	sys_is bond1 bonding/use_carrier 1
}

# load_driver PARAMETER...: the module anew, with those parameters.
load_driver() {
	/run/bondctl-kernel/modprobe -r bonding && /run/bondctl-kernel/modprobe bonding max_bonds=0 "$@"
}

@test "B25: the module's own defaults do not show in what create and apply make" {
	# whoever has bonds outside of the test would lose them
	[[ -x /run/bondctl-kernel/modprobe ]] || skip 'the driver is only loaded anew in a throwaway kernel'
	grep -q '^bonding ' /proc/modules || skip 'the driver of this kernel is no module'
	RELOADED=yes
	load_driver mode=1 miimon=250 || skip 'the driver cannot be loaded anew'
	links 'link add bond9 type bond'
	sys_is bond9 bonding/mode active-backup
	sys_is bond9 bonding/miimon 250
	good create bond0
	good create bond1 mode 802.3ad
	good create bond2 miimon 250
	good apply - <<<'[{"name": "bond3"}, {"name": "bond4", "mode": "balance-xor"}]'
	sys_is bond0 bonding/mode balance-rr
	sys_is bond0 bonding/miimon 100
	sys_is bond1 bonding/mode 802.3ad
	sys_is bond1 bonding/miimon 100
	sys_is bond2 bonding/miimon 250
	sys_is bond3 bonding/mode balance-rr
	sys_is bond3 bonding/miimon 100
	sys_is bond4 bonding/mode balance-xor
	sys_is bond4 bonding/miimon 100
}

@test "B27, B53: a bridge is no bond, whatever is wanted of it" {
	dummies d0 d1
	links 'link add br0 type bridge' 'link set d0 master br0'
	remember
	local words
	for words in 'set br0 miimon 50' 'set br0 slave d0 prio 5' 'enslave br0 d1' 'release br0 d0' 'replace br0 d0 d1' 'down br0' 'up d0' 'delete br0'; do
		# shellcheck disable=SC2086 # words
		bad 5 --json $words
		json .error.cause '"not_a_bond"'
	done
	bad 5 --json diff - <<<'{"name": "br0"}'
	json .error.cause '"exists"'
	as_before
}

@test "B29: a document with a port that is missing is done not at all, and whole once it is there" {
	pairs 0 1
	echo '{"name": "bond0", "mode": "active-backup", "slaves": ["v0", "ghost", "v1"], "up": true}' >"$DOC"
	remember
	bad 3 --json apply "$DOC"
	json .error.device '"ghost"'
	as_before
	gone bond0
	dummies ghost
	good apply "$DOC"
	slaves_are bond0 v0 ghost v1
}

@test "B35: that the driver sets fail_over_mac for a device without a MAC address is said before and after" {
	tun
	dummies d0
	good create bond0 mode active-backup
	dry enslave bond0 t0
	json '[.changes[] | select(.action == "lose") | [.device, .option, .was, .value]]' '[["bond0","fail_over_mac","none","active"]]'
	sys_is bond0 bonding/fail_over_mac none
	good --json enslave bond0 t0
	json '[.changes[] | select(.action == "lose") | [.option, .outcome]]' '[["fail_over_mac","lost"]]'
	sys_is bond0 bonding/fail_over_mac active
	good release bond0 t0 --force
	good create bond1 mode active-backup slaves t0
	says fail_over_mac
	sys_is bond1 bonding/fail_over_mac active
	good delete bond1
	# what the driver would not leave so, and what it would not take
	bad 5 --json create bond1 mode active-backup fail_over_mac none slaves t0
	json .error.option '"fail_over_mac"' .error.device '"t0"'
	bad 5 --json create bond1 mode active-backup slaves d0 t0
	json .error.device '"t0"'
	json_true '.error.message | contains("first slave is Ethernet")'
	gone bond1
}

@test "B35: a device that cannot be a slave is refused before anything is sent, as far as that can be seen" {
	local device
	dummies d0
	links 'link add red type vrf table 10' 'link add i0 type ifb' 'link add n0 type nlmon' 'link add link d0 name y0 type ipvlan'
	good --batch - <<-'END'
		create rr mode balance-rr
		create backup mode active-backup
		create lacp mode 802.3ad
	END
	remember
	# known beforehand
	for device in red lo n0; do
		bad 5 --json enslave rr "$device"
		json .error.device "\"$device\"" .error.cause '"conflict"' .error.kernel null
		as_before
	done
	bad 5 --json enslave lacp n0
	json_true '.error.message | contains("Ethernet only")'
	# known by the driver only: these look like Ethernet
	bad 1 --json enslave rr i0
	json .error.errno '"EOPNOTSUPP"'
	# a bond that has just taken the address of its first slave draws another when it is refused
	as_before 'rr address'
	sys rr address
	json '[.changes[] | select(.device == "rr" and .outcome == "lost") | [.option, .value]]' "[[\"address\",\"$REPLY\"]]"
	remember
	bad 8 --json enslave backup y0
	json .error.errno '"EINVAL"'
	# 6.1 leaves an ipvlan device that it has opened with IFF_NOARP
	as_before 'backup address' 'y0 flags'
	dry enslave backup i0
	json '[.changes[] | select(.action == "lose").option]' '["address","fail_over_mac"]'
	good enslave backup i0
	sys_is backup bonding/fail_over_mac active
	links 'link add i1 type ifb'
	remember
	good enslave backup i1
	slaves_are backup i0 i1
}

@test "B35: a bond in a bridge does not become another type of device" {
	tun
	links 'link add br0 type bridge'
	good create bond0 mode active-backup
	links 'link set bond0 master br0'
	remember
	bad 5 --json enslave bond0 t0
	json .error.device '"t0"'
	json_true '.error.message | contains("has a master")'
	as_before
	good create bond1 mode active-backup
	links 'link add link bond1 name m1 type macvlan mode bridge'
	remember
	bad 1 --json enslave bond1 t0
	json_true '.error.message | contains("what is on the bond")'
	as_before
}

@test "B38: root of a user namespace applies what it cannot read back again and again, with the same answer" {
	unshare -Urn true 2>/dev/null || skip 'this kernel or its settings forbid user namespaces'
	echo '{"name": "bond0", "mode": "802.3ad", "ad_actor_sys_prio": 5, "miimon": 60}' >"$DOC"
	# shellcheck disable=SC2016 # the inner shell's words
	attempt unshare -Urn bash -c '"$1" --json apply "$2" && "$1" --json apply "$2" && "$1" --json apply "$2"' - "$BONDCTL" "$DOC"
	same status "$status" 0
	output=$(jq -sc 'map(.changes | map(select(.outcome != "unchanged") | [.option, .outcome]))' <<<"$output")
	json '.[1:]' '[[["ad_actor_sys_prio","unverified"]],[["ad_actor_sys_prio","unverified"]]]'
}

@test "B41: slaves in another order than they joined in are left so, with a warning where no address is given" {
	pairs 0 1
	good create bond0 mode balance-xor slaves v0 v1
	remember
	good apply - <<<'{"name": "bond0", "slaves": ["v1", "v0"]}'
	says slaves 'v0, v1'
	as_before
	# with an address the order is of no account
	sys bond0 address
	good apply - <<<"{\"name\": \"bond0\", \"address\": \"$REPLY\", \"slaves\": [\"v1\", \"v0\"]}"
	silent
	document "$DOC" bond0
	good apply "$DOC"
	silent
}

@test "B42: who takes the address of the bond with it is said, and what address the bond has then" {
	local own
	pairs 0 1 2
	sys v0 address
	own=$REPLY
	good create bond0 mode active-backup miimon 50 slaves v0 v1 up
	soon 10 sys_is v1 bonding_slave/mii_status up
	good release bond0 v0
	says v0 'keeps using'
	sys_is bond0 address "$own"
	sys_is v0 address "$own"
	good delete bond0
	# the bond has the address of its active slave
	good create bond0 mode active-backup miimon 50 fail_over_mac active slaves v0 v1 up
	soon 10 sys_is v1 bonding_slave/mii_status up
	sys v1 address
	dry set bond0 active_slave v1
	json '[.changes[] | select(.action == "lose") | [.device, .option, .value]]' "[[\"bond0\",\"address\",\"$REPLY\"]]"
	dry release bond0 v0
	json '[.changes[] | select(.action == "lose" and .device == "bond0") | [.option, .value]]' "[[\"address\",\"$REPLY\"]]"
	dry set bond0 primary v1
	json '[.changes[] | select(.action == "lose") | [.option, .value]]' "[[\"address\",\"$REPLY\"]]"
	dry replace bond0 v0 v2
	json_true '[.changes[] | select(.action == "lose" and .device == "bond0").option] == ["address"]'
	good release bond0 v0
	says_not 'keeps using'
	sys_is bond0 address "$REPLY"
	good delete bond0
	# the slaves swap theirs, and the bond keeps its own
	good create bond0 mode active-backup miimon 50 fail_over_mac follow slaves v0 v1 up
	soon 10 sys_is v1 bonding_slave/mii_status up
	good release bond0 v0
	says v0 'keeps using'
	sys_is bond0 address "$own"
}

@test "B43: a slave of a document may be named by its permanent address" {
	pairs 0 1
	sys v1 address
	echo "{\"name\": \"bond0\", \"slaves\": [\"v0\", {\"perm_hwaddr\": \"$REPLY\"}]}" >"$DOC"
	good create bond0 mode balance-xor slaves v0 v1 up
	good diff "$DOC"
	quiet apply "$DOC"
	# also while it is none, and shows the address itself
	good release bond0 v1
	good apply "$DOC"
	slaves_are bond0 v0 v1
	# nobody has it, it is no address, or two have it
	bad 3 --json apply - <<<'{"name": "bond0", "slaves": [{"perm_hwaddr": "02:00:00:00:00:99"}]}'
	json .error.cause '"no_device"'
	bad 2 apply - <<<'{"name": "bond0", "slaves": [{"perm_hwaddr": "02:00:00:00:00"}]}'
	bad 2 apply - <<<'{"name": "bond0", "slaves": [{"perm_hwaddr": 5}]}'
	dummies d0
	links 'link set d0 address 02:00:00:00:00:50' 'link set p0 address 02:00:00:00:00:50'
	bad 5 --json apply - <<<'{"name": "bond0", "slaves": [{"perm_hwaddr": "02:00:00:00:00:50"}]}'
	json_true '.error.message | contains("d0") and contains("p0")'
	bad 5 apply - <<<"$(jq '.slaves += ["v1"]' "$DOC")"
	says v1 twice
	slaves_are bond0 v0 v1
}

@test "B44: a new address of the bond reaches a slave that somebody gave another, and release gives back its own" {
	pairs 0 1
	sys v1 address
	local own=$REPLY
	good create bond0 mode balance-xor slaves v0 v1 up
	links 'link set v1 address 02:00:00:00:00:33'
	good set bond0 address 02:00:00:00:00:44
	sys_is v0 address 02:00:00:00:00:44
	sys_is v1 address 02:00:00:00:00:44
	links 'link set v1 address 02:00:00:00:00:33'
	good release bond0 v1
	sys_is v1 address "$own"
}

@test "B45: that LACP goes on with the old address of the bond is said" {
	pairs 0
	good create bond0 mode 802.3ad slaves v0 up
	soon 10 sys_is bond0 carrier 1
	good set bond0 address 02:00:00:00:00:44
	says address LACP ad_actor_system
	good set bond0 address 02:00:00:00:00:45 ad_actor_system 02:00:00:00:00:45
	says_not LACP
	good set bond0 address 02:00:00:00:00:46
	says_not LACP
	good create bond1 mode 802.3ad
	good set bond1 address 02:00:00:00:00:47
	silent
}

@test "B47: a device that cannot have the bond's MTU is named, and it is said that this is the reason" {
	dummies d0 d1
	links 'link add link d0 name m0 type macvlan mode bridge'
	good create bond0 mode balance-xor mtu 9000
	remember
	bad 5 --json enslave bond0 m0
	json .error.device '"m0"' .error.option '"mtu"'
	json_true '.error.message | contains("9000") and contains("no more than 1500, the MTU of d0")'
	as_before
	good delete bond0
	good create bond1 mode balance-xor slaves d1 m0
	remember
	bad 5 --json set bond1 mtu 9000
	json .error.option '"mtu"' .error.device '"bond1"'
	json_true '.error.message | contains("m0 takes no more than 1500, the MTU of d0")'
	as_before
	# when that grows as well there is room
	links 'link set d0 mtu 9000'
	good set bond1 mtu 9000
	sys_is m0 mtu 9000
}

@test "B54: primary_reselect rules when a primary that is back takes over, and a change of it acts at once" {
	pairs 0 1
	good create bond0 mode active-backup miimon 50 primary v0 primary_reselect failure slaves v0 v1 up
	soon 10 sys_is bond0 bonding/active_slave v0
	cut_link v0
	soon 10 sys_is bond0 bonding/active_slave v1
	restore_link v0
	soon 10 sys_is v0 bonding_slave/mii_status up
	sys_is bond0 bonding/active_slave v1
	# the links are equally fast
	good set bond0 primary_reselect better
	sys_is bond0 bonding/active_slave v1
	good set bond0 primary_reselect always
	sys_is bond0 bonding/active_slave v0
	# a primary that joins is active whatever the policy
	good set bond0 primary_reselect failure
	good release bond0 v0
	sys_is bond0 bonding/active_slave v1
	good enslave bond0 v0
	soon 10 sys_is bond0 bonding/active_slave v0
}

@test "B66: numbers, strings and words mean the same in a document, and an empty list is one" {
	pairs 0
	echo '{"name": "bond0", "mode": 1, "miimon": "100", "fail_over_mac": 1, "all_slaves_active": 0, "num_grat_arp": "3", "arp_ip_target": [],
		"slaves": ["v0"], "up": "on"}' >"$DOC"
	good apply "$DOC"
	sys_is bond0 bonding/mode active-backup
	sys_is bond0 bonding/fail_over_mac active
	sys_is bond0 bonding/num_grat_arp 3
	admin bond0 up
	quiet apply "$DOC"
	quiet apply - <<<'{"name": "bond0", "mode": "active-backup", "miimon": 100, "fail_over_mac": "active", "all_slaves_active": "off",
		"num_grat_arp": 3, "arp_ip_target": "", "up": 1}'
	good set bond0 arp_ip_target 10.0.0.1
	good apply "$DOC"
	sys_is bond0 bonding/arp_ip_target ''
}

@test "B68: the address of a bond in balance-alb goes to its active slave, and the others keep theirs" {
	local own
	pairs 0 1
	good create bond0 mode balance-alb slaves v0 v1 up
	soon 10 sys_is bond0 bonding/active_slave v0
	sys v1 address
	own=$REPLY
	good set bond0 address 02:00:00:00:00:55
	sys_is bond0 address 02:00:00:00:00:55
	sys_is v0 address 02:00:00:00:00:55
	sys_is v1 address "$own"
}

@test "B69: VLANs of a port that becomes a slave stay beside the bond, with all they have, also one with the bond's number" {
	pairs 0
	links 'link set v0 up' 'link add link v0 name v0.10 type vlan id 10' 'link set v0.10 up' 'addr add 10.10.0.1/24 dev v0.10' \
		'route add 10.11.0.0/16 via 10.10.0.9' 'addr add 2001:db8::1/64 dev v0.10 nodad' 'route add 2001:db8:1::/48 via 2001:db8::9' \
		'link add link v0 name v0.5 type vlan id 5' 'link set v0.5 up'
	good create bond0 mode active-backup up
	links 'link add link bond0 name bond0.5 type vlan id 5' 'link set bond0.5 up'
	soon 10 addressed v0.10 v0.5
	remember
	good enslave bond0 v0
	says v0.10 v0.5
	slaves_are bond0 v0
	soon 10 addressed v0.10 v0.5
	as_before 'v0 *' 'bond0 *' 'bond0.5 *'
	admin v0.5 up
	admin bond0.5 up
}

@test "B70: a slave that was set down by hand stays down when the bond goes down and up, and is set up by name" {
	pairs 0 1
	good create bond0 mode active-backup miimon 50 slaves v0 v1 up
	links 'link set v0 down'
	soon 10 sys_is bond0 bonding/active_slave v1
	good down bond0
	good up bond0
	admin v0 down
	admin v1 up
	good set bond0 slave v0 up
	soon 10 sys_is v0 bonding_slave/mii_status up
}

@test "what a plan says is lost has what it was and what it will be, and other things stay as they are written" {
	local mac
	pairs 0 1
	good create bond0 mode active-backup slaves v0 v1 up
	links 'link add link bond0 name bond0.5 type vlan id 5' 'link set bond0.5 up' 'addr add 2001:db8:5::1/64 dev bond0.5 nodad'
	good set bond0 mtu 1200 --dry-run
	printed '  bond0.5: mtu 1500 -> 1200 (shrinks with what it is on)' '  bond0.5: address 2001:db8:5::1/64'
	good set bond0 down --dry-run
	printed '  bond0.5: up on -> off (goes down with what it is on)'
	sys bond0 address
	mac=$REPLY
	good release bond0 v0 v1 --force --dry-run
	printed "  bond0: address $mac -> not known beforehand (a bond without slaves gets a random address)"
}

@test "what could not be undone is said once, and is no advice" {
	pairs 0 1 2
	good create bond0 mode active-backup slaves v0 v1 up
	links 'link set p2 down'
	# it waits for the link of the new slave, which goes
	# shellcheck disable=SC2016 # the inner shell's words
	hold bash -c 'until [[ -e $0/v2/master ]]; do sleep 0.05; done; sleep 0.2; exec ip -n "$1" link del v2' "$NET" "$NS"
	bad 8 replace bond0 v0 v2
	says 'v2: another program has deleted it since'
	says_not 'try:'
	says_not 'lost: v2'
	slaves_are bond0 v0 v1
	# another has its name by the time its deletion is undone
	# shellcheck disable=SC2016 # the inner shell's words
	hold bash -c 'while [[ -e $0/bond0/bonding ]]; do sleep 0.05; done; exec ip -n "$1" link add bond0 type dummy' "$NET" "$NS"
	bad 1 delete bond0 --confirm-within 1 </dev/null
	says $'\n  lost: bond0: device (is gone, and is not made again)' 'not all of it could be undone: bond0: device'
	says_not 'try:'
	says_not 'bond0: lost: device'
}

@test "advice is what follows try" {
	dummies d0
	good create bond0 mode active-backup up
	bad 5 set bond0 mode balance-rr
	says $'\n  try: --cycle'
}

@test "a bond that is made with fail_over_mac does not have the address that its document gives, and that is said" {
	local policy
	pairs 0 1
	for policy in active follow; do
		echo "{\"name\": \"bond0\", \"mode\": \"active-backup\", \"fail_over_mac\": \"$policy\", \"address\": \"02:00:00:00:00:33\",
			\"slaves\": [\"v0\", \"v1\"], \"up\": true}" >"$DOC"
		good apply "$DOC"
		says 'bond0: address:' fail_over_mac
		good delete bond0
		good --json apply "$DOC"
		json '[.warnings[] | [.device, .key]]' '[["bond0","address"]]'
		soon 10 sys_is bond0 bonding/active_slave v0
		# its own description is true of a bond that is made of it
		document "$DOC" bond0
		good delete bond0
		good apply "$DOC"
		says_not 'address:'
		good delete bond0
	done
	# an address that it keeps
	echo '{"name": "bond0", "mode": "active-backup", "address": "02:00:00:00:00:33", "slaves": ["v0"], "up": true}' >"$DOC"
	good apply "$DOC"
	says_not 'address:'
	sys_is bond0 address 02:00:00:00:00:33
}
