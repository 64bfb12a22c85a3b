#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What the kernel would do and a person would regret is refused, with status 5 and nothing sent, and done with --force: a bond left
# without a link monitor, ARP monitoring without a target, one monitor turned off by the other, the last slave with link or the
# active one released. What is only without effect is done and noted. And what a release, an enslave and a replace do for the traffic.

bats_require_minimum_version 1.5.0

load ../lib/live

setup() {
	live_setup
	quiet_ipv6
}
teardown() { live_teardown; }

# guarded OPTION WORDS...: refused by a guard that names the option, and nothing is sent.
guarded() {
	local option=$1
	shift
	bad 5 --json "$@"
	json .error.cause '"guard"' .error.option "\"$option\""
	json_true '.error.hint | contains("--force")'
}

# --- link monitors ---

@test "a bond is not left without a link monitor, in any mode" {
	local n words=() modes=(balance-rr active-backup balance-xor broadcast 802.3ad balance-tlb balance-alb)
	for n in "${!modes[@]}"; do words+=("create b$n mode ${modes[n]}"); done
	good --batch - <<<"$(printf '%s\n' "${words[@]}" 'create arp mode active-backup arp_interval 60000 arp_ip_target 10.0.0.2')"
	words=("${words[@]/#create/set}")
	words=("${words[@]/%mode */miimon 0}" 'set arp arp_interval 0')
	try --json --keep-going --batch - <<<"$(printf '%s\n' "${words[@]}")"
	output=$(jq -sc . <<<"$output")
	json 'map([.status, .error.cause]) | unique' '[[5,"guard"]]' 'map(.error.option)' \
		'["miimon","miimon","miimon","miimon","miimon","miimon","miimon","arp_interval"]'
	for n in "${!modes[@]}"; do sys_is "b$n" bonding/miimon 100; done
	sys_is arp bonding/arp_interval 60000
	good --batch - <<<"$(printf '%s --force\n' "${words[@]}")"
	for n in "${!modes[@]}"; do sys_is "b$n" bonding/miimon 0; done
	sys_is arp bonding/arp_interval 0
}

@test "a bond that has no monitor already may be changed otherwise" {
	good create bond0 mode active-backup miimon 0
	good set bond0 resend_igmp 3
	good --json set bond0 miimon 0
	changed miimon unchanged
	good set bond0 miimon 100
	sys_is bond0 bonding/miimon 100
}

@test "in the modes that have a monitor by themselves a new bond is not made without one" {
	local mode
	for mode in 802.3ad balance-tlb balance-alb; do
		guarded miimon create bond0 mode "$mode" miimon 0
		gone bond0
		good create bond0 mode "$mode" miimon 0 --force
		sys_is bond0 bonding/miimon 0
		good delete bond0
	done
}

@test "ARP monitoring without a target is refused, and the last target stays" {
	good create bond0 mode active-backup
	guarded arp_interval set bond0 miimon 0 arp_interval 100
	sys_is bond0 bonding/miimon 100
	guarded arp_interval create bond1 mode active-backup arp_interval 100
	gone bond1
	good set bond0 miimon 0 arp_interval 60000 arp_ip_target 10.0.0.2
	guarded arp_ip_target set bond0 arp_ip_target none
	guarded arp_ip_target set bond0 arp_ip_target -10.0.0.2
	sys_is bond0 bonding/arp_ip_target 10.0.0.2
	good set bond0 arp_ip_target none ns_ip6_target 2001:db8::2
	guarded ns_ip6_target set bond0 ns_ip6_target none
	good set bond0 ns_ip6_target none --force
	sys_is bond0 bonding/arp_ip_target ''
	sys_is bond0 bonding/arp_interval 60000
	# without the monitor a list may be empty
	good set bond0 arp_interval 0 miimon 100
	good set bond0 arp_ip_target 10.0.0.2
	good set bond0 arp_ip_target none
}

@test "neither monitor turns the other off unless that is named too" {
	good create bond0 mode active-backup arp_ip_target 10.0.0.2
	guarded arp_interval set bond0 arp_interval 60000
	sys_is bond0 bonding/miimon 100
	good set bond0 arp_interval 60000 miimon 0
	sys_is bond0 bonding/miimon 0
	good set bond0 arp_validate all
	guarded miimon set bond0 miimon 100
	sys_is bond0 bonding/arp_interval 60000
	good set bond0 miimon 100 arp_interval 0 arp_validate none
	sys_is bond0 bonding/arp_interval 0
	sys_is bond0 bonding/arp_validate none
	good set bond0 arp_interval 60000 --force
	sys_is bond0 bonding/arp_interval 60000
	sys_is bond0 bonding/miimon 0
}

@test "what the other monitor takes with it is said before" {
	good create bond0 mode active-backup updelay 200 downdelay 300 arp_ip_target 10.0.0.2
	dry set bond0 miimon 0 arp_interval 60000
	costs bond0 updelay downdelay
	good set bond0 miimon 0 arp_interval 60000 arp_validate all
	dry set bond0 arp_interval 0 miimon 100
	costs bond0 arp_validate
	good set bond0 arp_interval 0 miimon 100
	sys_is bond0 bonding/arp_validate none
}

@test "arp_validate beside miimon is refused, and so is a miimon beside arp_validate" {
	good create bond0 mode active-backup
	guarded arp_validate set bond0 arp_validate all
	sys_is bond0 bonding/arp_validate none
	good set bond0 arp_validate none
	good set bond0 arp_validate all --force
	sys_is bond0 bonding/arp_validate all
}

# shellcheck disable=SC2030 # bats's tests are subshells
@test "the delays that a new miimon rescales are put back, or the nearest that can be" {
	good create bond0 mode active-backup miimon 100 updelay 200 downdelay 400 peer_notif_delay 300
	dry set bond0 miimon 50
	puts_back bond0 updelay downdelay peer_notif_delay
	good set bond0 miimon 50
	sys_is bond0 bonding/miimon 50
	sys_is bond0 bonding/updelay 200
	sys_is bond0 bonding/downdelay 400
	sys_is bond0 bonding/peer_notif_delay 300
	good --json set bond0 miimon 150
	sys_is bond0 bonding/updelay 150
	sys_is bond0 bonding/downdelay 450
	sys_is bond0 bonding/peer_notif_delay 300
	# that 200 and 400 became 150 and 450 is said
	json_true '[.changes[] | select(.option == "updelay" or .option == "downdelay")] | length == 2'
}

# --- options without effect ---

# notes_of ROWS: "MODE OPTION VALUE OTHERS...": a bond of that mode, with the others, gets the option; its notes as an array of
# texts into $output, null for none.
notes_of() {
	local n=0 mode option value more makes=() sets=()
	while read -r mode option value more; do
		makes+=("create b$n mode $mode $more")
		sets+=("set b$n $option $value")
		n=$((n + 1))
	done <<<"$1"
	good --batch - <<<"$(printf '%s\n' "${makes[@]}")"
	good --json --batch - <<<"$(printf '%s\n' "${sets[@]}")"
	# shellcheck disable=SC2031 # bats's tests are subshells
	output=$(jq -sc 'map(.changes | map(select(.action == "set").note)[0])' <<<"$output")
}

@test "an option that has no effect in the mode, or without another option, is set and noted" {
	notes_of 'active-backup min_links 2
		balance-xor min_links 5
		active-backup xmit_hash_policy layer3+4
		balance-tlb xmit_hash_policy layer3+4
		balance-rr fail_over_mac active
		balance-rr num_grat_arp 3
		balance-xor resend_igmp 3
		active-backup lp_interval 3
		balance-rr primary_reselect better
		802.3ad arp_ip_target 10.0.0.2
		active-backup ad_select count'
	json 'map(type) | unique' '["string"]' length 11
	sys_is b1 bonding/min_links 5
	good set b0 min_links 3
	says min_links active-backup
	good -q set b0 min_links 2
	silent
}

@test "an option that has an effect is set without a word" {
	notes_of '802.3ad min_links 2
		balance-xor xmit_hash_policy layer3+4
		balance-tlb xmit_hash_policy layer3+4 tlb_dynamic_lb 0
		active-backup fail_over_mac active
		active-backup num_grat_arp 3
		balance-alb lp_interval 3
		balance-rr packets_per_slave 10'
	json . '[null,null,null,null,null,null,null]'
	good set b0 min_links 1
	silent
}

@test "lacp_strict without min_links is noted, where the kernel has it" {
	good create bond0 mode 802.3ad
	try --json set bond0 lacp_strict on
	((status == 6)) && skip 'this kernel has no lacp_strict'
	json_true '[.changes[] | select(.option == "lacp_strict").note] | tostring | contains("min_links")'
	good create bond1 mode 802.3ad min_links 1
	good set bond1 lacp_strict on
	silent
}

@test "a priority that a primary outranks is set and noted" {
	pairs 0 1
	good create bond0 mode active-backup slaves v0 v1 primary v0 up
	soon 10 sys_is bond0 bonding/active_slave v0
	good set bond0 slave v1 prio 100
	says primary
	sys_is bond0 bonding/active_slave v0
	same 'prio by ip' "$(ip_json '.[0].linkinfo.info_slave_data.prio' link show v1)" 100
}

@test "a queue that the mode does not use is set and noted" {
	dummies d0
	good create bond0 mode 802.3ad slaves d0
	good set bond0 slave d0 queue_id 3
	says queue_id 802.3ad
	sys_is d0 bonding_slave/queue_id 3
}

@test "a primary and an active slave that contradict each other are refused in one command" {
	pairs 0 1
	good create bond0 mode active-backup slaves v0 v1 up
	soon 10 sys_is bond0 bonding/active_slave v0
	# the driver takes the active slave first, and the primary overrides it: see bond_changelink()
	try --json set bond0 active_slave v1 primary v0
	((status != 0)) || complain 'both cannot be had, and it is called done'
	sys_is bond0 bonding/active_slave v0
	sys_is bond0 bonding/primary ''
	good set bond0 active_slave v1 primary v1
	sys_is bond0 bonding/active_slave v1
}

@test "a move to balance-alb says that it turns tlb_dynamic_lb on, and puts it back" {
	good create bond0 mode balance-tlb tlb_dynamic_lb 0
	dry set bond0 mode balance-alb
	puts_back bond0 tlb_dynamic_lb
	good set bond0 mode balance-alb
	sys_is bond0 bonding/tlb_dynamic_lb 0
	bad 5 set bond0 mode balance-rr tlb_dynamic_lb 1
	says tlb_dynamic_lb balance-rr
	sys_is bond0 bonding/mode balance-alb
}

# --- release ---

@test "the last slave with link of a bond that is up is not released" {
	pairs 0 1
	good create bond0 mode balance-xor slaves v0 v1 up
	cut_link v1
	soon 10 sys_is v1 bonding_slave/mii_status down
	bad 5 --json release bond0 v0
	json .error.cause '"guard"' .error.device '"v0"'
	bad 5 release bond0 v0 v1
	slaves_are bond0 v0 v1
	# the one without link carries nothing
	good release bond0 v1
	bad 5 release bond0 v0
	good release bond0 v0 --force
	slaves_are bond0
}

@test "from a bond that is down the last slave is released" {
	pairs 0
	good create bond0 slaves v0
	good release bond0 v0
	slaves_are bond0
}

@test "the active slave is not released without a successor, and hands over before it leaves" {
	pairs 0 1 2
	good create bond0 mode active-backup slaves v0 v1 v2 up
	soon 10 sys_is bond0 bonding/active_slave v0
	cut_link v1
	cut_link v2
	soon 10 sys_is v1 bonding_slave/mii_status down
	soon 10 sys_is v2 bonding_slave/mii_status down
	bad 5 --json release bond0 v0
	json .error.cause '"guard"'
	slaves_are bond0 v0 v1 v2
	restore_link v2
	soon 10 sys_is v2 bonding_slave/mii_status up
	hold ip -n "$NS" -d -o monitor link >"$BATS_TEST_TMPDIR/events"
	sleep 0.3
	good release bond0 v0
	sys_is bond0 bonding/active_slave v2
	slaves_are bond0 v1 v2
	# v2 was seen active while v0 was still a slave
	soon 5 grep -q 'v0.*state DOWN' "$BATS_TEST_TMPDIR/events"
	run awk '/: bond0:.*active_slave v2/ && !gone { handed = 1 } /: v0@/ && !/master/ { gone = 1 } END { exit !handed }' \
		"$BATS_TEST_TMPDIR/events"
	((status == 0)) || { cut -c1-200 "$BATS_TEST_TMPDIR/events" >&2; return 1; }
}

@test "the successor is the one that the driver would choose, by priority" {
	pairs 0 1 2
	good create bond0 mode active-backup slaves v0 v1 v2 slave v0 prio 9 slave v2 prio 5 up
	soon 10 sys_is bond0 bonding/active_slave v0
	good release bond0 v0
	sys_is bond0 bonding/active_slave v2
}

@test "several slaves are released at once, and the traffic ends with one that stays" {
	pairs 0 1 2
	good create bond0 mode active-backup slaves v0 v1 v2 up
	soon 10 sys_is bond0 bonding/active_slave v0
	good release bond0 v0 v1
	sys_is bond0 bonding/active_slave v2
	slaves_are bond0 v2
}

@test "a slave that min_links needs is not released" {
	pairs 0 1
	good create bond0 mode 802.3ad min_links 2 slaves v0 v1 up
	soon 10 sys_is v1 bonding_slave/mii_status up
	bad 5 --json release bond0 v1
	json .error.cause '"guard"' .error.option '"min_links"'
	slaves_are bond0 v0 v1
	good release bond0 v1 --force
	slaves_are bond0 v0
	# elsewhere it has no effect, and is no reason
	pairs 2 3
	good create bond1 mode balance-xor min_links 2 slaves v2 v3 up
	soon 10 sys_is v3 bonding_slave/mii_status up
	good release bond1 v3
}

@test "a released slave ends down, and up with --up, with its own address and MTU" {
	pairs 0 1 2
	links 'link set v1 mtu 1400'
	sys v1 address
	local own=$REPLY
	good create bond0 mode balance-xor slaves v0 v1 v2 up
	soon 10 sys_is v0 bonding_slave/mii_status up
	dry release bond0 v1
	json_true '.changes | any(.[]; .device == "v1" and (.note // "" | contains("down")))'
	dry release bond0 v1 --up
	json_true '.changes | any(.[]; .device == "v1" and (.note // "" | contains("down"))) | not'
	good release bond0 v1 --up
	master_is v1 ''
	admin v1 up
	sys_is v1 address "$own"
	sys_is v1 mtu 1400
	good release bond0 v2
	admin v2 down
}

@test "releasing the slave whose address the bond has warns of two devices with one address" {
	pairs 0 1
	good create bond0 mode balance-xor slaves v0 v1 up
	soon 10 sys_is v1 bonding_slave/mii_status up
	sys bond0 address
	local address=$REPLY
	good release bond0 v0
	says v0 address
	sys_is v0 address "$address"
	sys_is bond0 address "$address"
	pairs 2
	good enslave bond0 v2
	good release bond0 v2
	says_not address
}

# --- enslave ---

@test "an interface with addresses is taken, and what it loses is said before and after" {
	pairs 0
	links 'link set v0 up' 'addr add 10.9.0.1/24 dev v0' 'addr add 2001:db8:9::1/64 dev v0 nodad' 'route add 10.77.0.0/16 via 10.9.0.2' \
		'route add 2001:db8:77::/48 via 2001:db8:9::2' 'neigh add 10.9.0.3 lladdr 02:00:00:00:00:03 dev v0 nud permanent'
	good create bond0 mode active-backup up
	remember
	dry enslave bond0 v0
	costs v0 2001:db8:9::1 10.77.0.0/16 2001:db8:77::/48 10.9.0.3
	as_before
	good enslave bond0 v0
	says v0 10.9.0.1 10.77.0.0/16
	# the address and its connected route stay, and that they do no good is what the warning is about
	same 'addresses of v0' "$(ip_json '[.[].addr_info[] | select(.family == "inet") | .local]' addr show dev v0)" '["10.9.0.1"]'
}

@test "an interface with a VLAN on it is taken with a warning that the VLAN bypasses the bond" {
	pairs 0
	links 'link add link v0 name v0.10 type vlan id 10'
	good create bond0 mode active-backup
	good enslave bond0 v0
	says v0 v0.10
	there v0.10
	slaves_are bond0 v0
}

@test "an interface without either is taken without a word" {
	pairs 0 1
	good create bond0 mode active-backup slaves v1
	good enslave bond0 v0
	silent
}

@test "an interface of another master is taken from there with --steal only" {
	pairs 0 1 2
	links 'link add br0 type bridge' 'link set v1 master br0' 'link set v1 up'
	good create bond0 mode active-backup up
	good create bond1 mode active-backup slaves v0 v2 up
	soon 10 sys_is bond1 bonding/active_slave v0
	soon 10 addressed bond1
	remember
	bad 5 --json enslave bond0 v0
	json .error.cause '"has_master"'
	json_true '.error.hint | contains("--steal")'
	bad 5 enslave bond0 v1
	says br0 --steal
	bad 5 create bond2 slaves v1
	gone bond2
	as_before
	# the bond that it leaves is guarded as in a release
	good enslave bond0 v0 --steal
	slaves_are bond0 v0
	slaves_are bond1 v2
	sys_is bond1 bonding/active_slave v2
	bad 5 --json enslave bond0 v2 --steal
	json .error.cause '"guard"'
	slaves_are bond1 v2
	dry enslave bond0 v1 --steal
	json_true '.changes | any(.[]; .device == "v1" and (.note // "" | contains("br0")))'
	good enslave bond0 v1 --steal
	slaves_are bond0 v0 v1
	admin v1 up
}

@test "a slave's MTU is set by itself, and a device that cannot have the bond's is named" {
	pairs 0
	small_device m0
	links 'link set v0 mtu 1400'
	good create bond0 mode balance-xor mtu 9000
	good enslave bond0 v0
	sys_is v0 mtu 9000
	links 'link set v0 mtu 2000'
	good set bond0 slave v0 mtu 9000
	sys_is v0 mtu 9000
	remember
	try --json enslave bond0 m0
	((status == 1 || status == 8)) || complain "expected a refusal, got $status"
	json .error.device '"m0"'
	as_before
	good release bond0 v0
	sys_is v0 mtu 1400
}

# --- replace ---

# the events of ip monitor: in which order things were seen
replace_pair() {
	pairs 0 1 2
	good create bond0 mode active-backup miimon 50 slaves v0 v1 slave v0 queue_id 3 prio 7 primary v0 up
	soon 10 sys_is bond0 bonding/active_slave v0
}

@test "replace puts a new slave in before the old one leaves, with its options and roles" {
	replace_pair
	hold ip -n "$NS" -o monitor link >"$BATS_TEST_TMPDIR/events"
	sleep 0.3
	good replace bond0 v0 v2
	slaves_are bond0 v1 v2
	sys_is bond0 bonding/primary v2
	sys_is bond0 bonding/active_slave v2
	sys_is v2 bonding_slave/queue_id 3
	same 'prio by ip' "$(ip_json '.[0].linkinfo.info_slave_data.prio' link show v2)" 7
	master_is v0 ''
	soon 5 grep -q 'v0.*state DOWN' "$BATS_TEST_TMPDIR/events"
	run awk '/: v2@.*master bond0/ && !gone { in_first = 1 } /: v0@/ && !/master/ { gone = 1 } END { exit !(in_first && gone) }' \
		"$BATS_TEST_TMPDIR/events"
	((status == 0)) || { cut -c1-200 "$BATS_TEST_TMPDIR/events" >&2; return 1; }
}

@test "replace of the only slave is no outage and needs no force" {
	pairs 0 1
	good create bond0 mode balance-xor slaves v0 up
	soon 10 sys_is v0 bonding_slave/mii_status up
	good replace bond0 v0 v1
	slaves_are bond0 v1
	admin v1 up
}

@test "a new slave that does not come up in time is taken out again, and nothing has changed" {
	replace_pair
	cut_link v2
	remember
	bad 8 --json replace bond0 v0 v2 --wait 1
	json .error.cause '"timeout"'
	# it is no slave any more: the bond tells nothing of it
	json_true '.error.hint | contains("ip link show v2") and (contains("show bond0") | not)'
	as_before
	sys_is bond0 bonding/active_slave v0
	# without waiting the old one would leave nobody behind who carries traffic: v1 does
	good replace bond0 v0 v2 --wait 0
	slaves_are bond0 v1 v2
	sys_is bond0 bonding/active_slave v1
}

@test "replace takes over actor_port_prio, and refuses what makes no sense" {
	pairs 0 1 2
	good create bond0 mode 802.3ad slaves v0 v1 up
	try set bond0 slave v0 actor_port_prio 9
	((status == 6)) && skip 'this kernel has no actor_port_prio'
	good replace bond0 v0 v2 --wait 0 --force
	same actor_port_prio "$(inside "$RAWLINK" <<<'get v2 slave 10 u16')" 9
	bad 5 replace bond0 v0 v2
	says v0
	bad 3 replace bond0 v1 ghost
	try replace bond0 v1 v1
	((status == 2 || status == 5)) || complain "v1 in the place of itself: status $status"
	try replace bond0 v1 v2
	((status == 2 || status == 5)) || complain "a slave in the place of another: status $status"
	slaves_are bond0 v1 v2
}

@test "replace takes the new slave from another master with --steal only" {
	pairs 0 1 2
	links 'link add br0 type bridge' 'link set v2 master br0' 'link set v2 up'
	good create bond0 mode active-backup miimon 50 slaves v0 v1 up
	soon 10 sys_is bond0 bonding/active_slave v0
	bad 5 replace bond0 v0 v2
	says br0
	master_is v2 br0
	good replace bond0 v0 v2 --steal
	slaves_are bond0 v1 v2
}

@test "a cycle says that a device without a link-local address gets one" {
	pairs 0
	links 'link add br0 type bridge' 'link set br0 up'
	good create bond0 mode active-backup slaves v0 up
	links 'link set bond0 master br0'
	soon 10 addressed bond0
	dry set bond0 mode balance-rr --cycle
	! is_lost 'no link-local' || complain 'it has one'
	links 'addr flush dev bond0'
	dry set bond0 mode balance-rr --cycle
	is_lost 'no link-local' || complain 'it is not said'
	json '[.changes[] | select(.value == "that it has no link-local address").device]' '["bond0"]'
	# where the kernel makes none
	links 'link set bond0 addrgenmode none'
	dry set bond0 mode balance-rr --cycle
	! is_lost 'no link-local' || complain 'it makes none'
	links 'link set bond0 addrgenmode eui64'
	inside sh -c 'echo 1 >/proc/sys/net/ipv6/conf/bond0/disable_ipv6'
	dry set bond0 mode balance-rr --cycle
	! is_lost 'no link-local' || complain 'IPv6 is off'
}
