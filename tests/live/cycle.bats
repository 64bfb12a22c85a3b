#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Options that want the bond down or empty: refused without --cycle, with the option named; done with it, at the cost that the plan
# says and no other. What the transitions do not have (other options, other things on and under the bond) is here.

bats_require_minimum_version 1.5.0

load ../lib/live

setup() {
	live_setup
	quiet_ipv6
}
teardown() { live_teardown; }

# in_use BOND: addresses and routes of both families, a neighbour and two VLANs on a bond that is up and has carrier. vlan5 has no
# link-local address, since 6.1 takes a second each time to make one, unless in_use is told "eui64".
in_use() {
	soon 10 addressed "$1"
	links "addr add 10.0.0.1/24 dev $1" "addr add 2001:db8::1/64 dev $1 nodad" 'route add default via 10.0.0.9' \
		'route add 2001:db8:9::/48 via 2001:db8::9' "neigh add 10.0.0.9 lladdr 02:00:00:00:00:09 dev $1 nud permanent" \
		"link add link $1 name vlan5 type vlan id 5" "link add link $1 name vlan6 type vlan id 6" \
		"link set vlan5 addrgenmode ${2:-none}" 'link set vlan5 up' 'addr add 10.5.0.1/24 dev vlan5' \
		'addr add 2001:db8:5::1/64 dev vlan5 nodad' 'addr add 10.6.0.1/24 dev vlan6' 'route add 10.55.0.0/16 via 10.5.0.9'
}

@test "every option that wants the bond down is refused by name, planned, and set with --cycle" {
	local mode option value known
	pairs 0 1
	good create bond0 mode 802.3ad slaves v0 v1 up
	in_use bond0
	good show bond0 --json
	known=$output
	remember
	while read -r mode option value; do
		[[ $(jq ".$option" <<<"$known") == null ]] && continue
		sys bond0 bonding/mode
		if [[ $REPLY != "$mode"* ]]; then
			good set bond0 mode "$mode" --cycle
			soon 10 addressed bond0
					remember
		fi
		bad 5 --json set bond0 "$option" "$value"
		json .error.cause '"bond_up"' .error.option "\"$option\""
		json_true '.error.hint | contains("--cycle")'
		dry set bond0 "$option" "$value" --cycle
		json '[.plan.steps[] | select(.disruption != "live") | .disruption] | unique' '["bond_down"]' \
			'[.plan.steps[].because | values] | unique' "[\"$option\"]"
		good set bond0 "$option" "$value" --cycle
		soon 10 addressed bond0
			as_before "bond0 $option"
		remembered
		good show bond0 --json
		same "$option" "$(jq -r ".$option" <<<"$output")" "$value"
	done <<-'END'
		802.3ad lacp_rate fast
		802.3ad lacp_active false
		802.3ad coupled_control false
		802.3ad ad_user_port_key 5
		802.3ad ad_select bandwidth
		balance-alb tlb_dynamic_lb false
		balance-tlb tlb_dynamic_lb true
		active-backup ad_select count
	END
}

@test "fail_over_mac wants the slaves out, and with --cycle they go and come in their order" {
	pairs 0 1 2
	good create bond0 mode active-backup slaves v2 v0 v1 slave v0 queue_id 3 prio 5 up
	in_use bond0
	remember
	bad 5 --json set bond0 fail_over_mac follow
	json .error.cause '"has_slaves"' .error.option '"fail_over_mac"'
	dry set bond0 fail_over_mac follow --cycle
	json_true 'any(.plan.steps[]; .disruption == "slaves_out" and .because == "fail_over_mac")'
	good set bond0 fail_over_mac follow --cycle
	soon 10 addressed bond0
	sys_is bond0 bonding/fail_over_mac follow
	slaves_are bond0 v2 v0 v1
	as_before 'bond0 fail_over_mac'
	# and the same again is nothing
	dry set bond0 fail_over_mac follow
	no_steps
}

@test "several options that want the bond down cost one cycle" {
	pairs 0
	good create bond0 mode 802.3ad slaves v0 up
	dry set bond0 lacp_rate fast ad_select count ad_user_port_key 7 miimon 50 --cycle
	json '[.plan.steps[] | select(.action == "down")] | length' 1 '[.plan.steps[] | select(.action == "up")] | length' 1 \
		'[.plan.steps[] | select(.action == "release")]' '[]'
	good set bond0 lacp_rate fast ad_select count ad_user_port_key 7 miimon 50 --cycle
	sys_is bond0 bonding/lacp_rate fast
	sys_is bond0 bonding/ad_select count
	sys_is bond0 bonding/miimon 50
	admin bond0 up
}

@test "a bond that is down, or is to be down or up anyway, needs no --cycle" {
	pairs 0
	good create bond0 mode 802.3ad slaves v0
	good set bond0 lacp_rate fast
	sys_is bond0 bonding/lacp_rate fast
	admin bond0 down
	good set bond0 ad_select count up
	admin bond0 up
	good set bond0 ad_select stable down
	sys_is bond0 bonding/ad_select stable
	admin bond0 down
	admin v0 up
}

@test "a bond that is down is cycled without coming up" {
	pairs 0 1
	good create bond0 mode balance-rr slaves v0 v1
	remember
	good set bond0 mode balance-xor --cycle
	sys_is bond0 bonding/mode balance-xor
	as_before 'bond0 mode'
}

@test "an option that holds already needs no --cycle" {
	pairs 0
	good create bond0 mode 802.3ad lacp_rate fast slaves v0 up
	good --json set bond0 mode 802.3ad lacp_rate fast
	json '[.changes[].outcome] | unique' '["unchanged"]'
	dry set bond0 mode 802.3ad lacp_rate fast
	no_steps
}

@test "what a cycle costs on and around the bond is put back, of every kind" {
	pairs 0 1
	good create bond0 mode 802.3ad slaves v0 v1 up
	in_use bond0 eui64
	links 'link add r0 type veth peer name q0' 'link set q0 up' 'link set r0 up' 'addr add 10.20.0.1/24 dev r0' \
		'addr add 2001:db8:20::1/64 dev r0 nodad'
	soon 10 addressed r0 vlan5
	links 'addr add 10.1.0.1/24 dev bond0 valid_lft 9000 preferred_lft 8000' 'addr add 10.2.0.1/24 dev bond0 metric 77 noprefixroute' \
		'addr add 10.3.0.1 peer 10.3.0.2/32 dev bond0 label bond0:1' \
		'addr add 2001:db8:3::1/64 dev bond0 nodad noprefixroute valid_lft 9000 preferred_lft 8000' \
		'addr add 2001:db8:4::1/64 dev bond0 nodad preferred_lft 0' 'addr add fe80::1234/64 dev bond0 nodad' \
		'route add 10.10.0.0/16 dev bond0 scope link proto 99' 'route add 10.11.0.0/16 dev bond0 onlink via 172.16.0.1' \
		'route add 10.12.0.0/16 via 10.0.0.9 tos 0x10 metric 5 mtu lock 1300 advmss 1200' \
		'route add 10.13.0.0/16 via 10.0.0.8 table 100' 'route add 10.14.0.0/16 via inet6 2001:db8::9' \
		'route add 10.15.0.0/16 nexthop via 10.0.0.9 weight 3 nexthop via 10.20.0.9' \
		'route add 10.16.0.0/16 nexthop via 10.0.0.9 nexthop via 10.5.0.9' \
		'route add 10.17.0.0/16 via 10.20.0.9 src 10.0.0.1' 'route add unreachable 10.18.0.0/16' \
		'route add 2001:db8:a::/48 via fe80::9 dev bond0 table 100' 'route add 2001:db8:b::/48 via 2001:db8::9 metric 7 src 2001:db8::1' \
		'route add 2001:db8:c::/48 nexthop via 2001:db8::9 nexthop via 2001:db8:20::9' 'route add 2001:db8:d::/48 dev bond0' \
		'route add default via 2001:db8::9 pref high' 'route add 2001:db8:e::/48 via 2001:db8:20::9 src 2001:db8::1' \
		'neigh add 2001:db8::9 lladdr 02:00:00:00:00:09 dev bond0 nud permanent' \
		'neigh add 10.5.0.9 lladdr 02:00:00:00:00:59 dev vlan5 nud permanent' \
		'neigh add proxy 10.0.0.77 dev bond0' 'neigh add proxy 2001:db8::77 dev bond0' \
		'nexthop add id 7 via 10.0.0.9 dev bond0' 'nexthop add id 8 via 10.20.0.9 dev r0' 'nexthop add id 9 group 7/8' \
		'route add 10.19.0.0/16 nhid 7' 'route add 10.21.0.0/16 nhid 9' \
		'link add m0 link bond0 type macvlan mode bridge' 'link set m0 up' 'addr add 10.30.0.1/24 dev m0' \
		'link add link vlan5 name qinq type vlan id 55' 'link set qinq up' 'addr add 10.55.5.1/24 dev qinq' \
		'addr add 2001:db8:55::1/64 dev qinq nodad'
	soon 10 addressed qinq
	remember
	dry set bond0 lacp_rate fast --cycle
	as_before
	good set bond0 lacp_rate fast --cycle
	soon 10 addressed qinq vlan5
	# next hops are objects with numbers, and what hangs on them goes with them: put back, or said
	local pattern=()
	is_lost '10.19.0.0/16' && pattern+=('* route unicast 10.19.0.0/16*')
	is_lost '10.21.0.0/16' && pattern+=('* route unicast 10.21.0.0/16*')
	is_lost nexthop && pattern+=('* nexthop *')
	as_before 'bond0 lacp_rate' "${pattern[@]}"
}

@test "the link-local address that the bond has from an older MAC is put back" {
	pairs 0
	good create bond0 mode 802.3ad slaves v0 up
	soon 10 addressed bond0
	links 'link set bond0 address 02:00:00:00:00:aa'
	remember
	good set bond0 lacp_rate fast --cycle
	soon 10 addressed bond0
	as_before 'bond0 lacp_rate'
}

@test "a temporary address is said to be lost, and the kernel draws another one" {
	local was
	pairs 0
	good create bond0 mode 802.3ad slaves v0 up
	inside sysctl -qw net.ipv6.conf.bond0.use_tempaddr=2
	links 'addr add 2001:db8:7::1/64 dev bond0 mngtmpaddr nodad'
	temporary() { inside ip -j -6 addr show dev bond0 temporary | jq -r '[.[].addr_info[]? | .local] | first // empty'; }
	drawn() { [[ -n $(temporary) ]]; }
	soon 10 drawn
	was=$(temporary)
	dry set bond0 lacp_rate fast --cycle
	costs bond0 "address $was/64 is temporary"
	good set bond0 lacp_rate fast --cycle
	soon 10 drawn
	[[ $(temporary) != "$was" ]] || complain "$was is still there"
}

@test "what slaves have of their own survives a cycle that takes them out" {
	pairs 0 1 2
	good create bond0 mode balance-rr slaves v0 v1 v2 up
	soon 10 addressed bond0
	links 'link set v1 mtu 1400' 'link set v1 txqueuelen 55' 'link set v2 down' 'link set v1 alias port' \
		'addr add 10.8.0.1/24 dev v0' 'addr add 2001:db8:8::1/64 dev v0 nodad' 'route add 10.88.0.0/16 via 10.8.0.9' \
		'route add 2001:db8:88::/48 via 2001:db8:8::9' 'neigh add 10.8.0.9 lladdr 02:00:00:00:00:08 dev v0 nud permanent' \
		'link add link v0 name v0.9 type vlan id 9' 'link set v0.9 up' 'addr add 10.89.0.1/24 dev v0.9' \
		'route add 10.98.0.0/16 via 10.89.0.9' 'link add link v0 name v0.8 type vlan id 8' \
		'link property add dev v1 altname the-second-port'
	remember
	dry set bond0 mode balance-xor --cycle
	as_before
	good set bond0 mode balance-xor --cycle
	soon 10 addressed bond0
	as_before 'bond0 mode'
	# and what they are given back when they leave is what they had before they ever joined
	sys v1 mtu
	good release bond0 v1
	sys_is v1 mtu 1500
}

@test "the address that the bond took from its first slave is the same after a cycle, and is still not a set one" {
	pairs 0 1
	good create bond0 mode balance-rr slaves v0 v1 up
	sys_is bond0 addr_assign_type 2
	soon 10 addressed bond0
	remember
	good set bond0 mode balance-xor --cycle
	soon 10 addressed bond0
	as_before 'bond0 mode'
	sys_is bond0 addr_assign_type 2
}

@test "a bond that is a port of a bridge stays one, with the port's settings" {
	pairs 0
	good create bond0 mode 802.3ad slaves v0 up
	links 'link add br0 type bridge vlan_filtering 1' 'link set br0 up' 'link set bond0 master br0'
	bridge -n "$NS" link set dev bond0 cost 55 priority 3 learning off
	bridge -n "$NS" vlan add dev bond0 vid 9 pvid untagged
	bridge -n "$NS" fdb add 02:00:00:00:00:01 dev bond0 master static
	local before after
	before=$(port_of_bridge bond0)
	good set bond0 lacp_rate fast --cycle
	good set bond0 mode balance-xor --cycle
	after=$(port_of_bridge bond0)
	same 'the port' "$after" "$before"
}

# port_of_bridge DEVICE: what the bridge has about its port, but for its state.
port_of_bridge() {
	bridge -n "$NS" -j -d link show dev "$1" | jq -c '.[] | del(.flags, .state, .operstate)'
	bridge -n "$NS" -j vlan show dev "$1" | jq -c '.[].vlans'
	bridge -n "$NS" -j fdb show br br0 brport "$1" | jq -c '[.[] | select(.state == "static")] | sort'
}

@test "a hand-made choice of the active slave survives a cycle" {
	pairs 0 1 2
	good create bond0 mode active-backup slaves v0 v1 v2 up
	soon 10 sys_is bond0 bonding/active_slave v0
	soon 10 sys_is v1 bonding_slave/mii_status up
	good set bond0 active_slave v1
	good set bond0 ad_select count --cycle
	soon 10 sys_is bond0 bonding/active_slave v1
	good set bond0 fail_over_mac active --cycle
	soon 10 sys_is bond0 bonding/active_slave v1
}

@test "a bond whose slaves are all without link is cycled all the same" {
	pairs 0 1
	good create bond0 mode active-backup slaves v0 v1 up
	soon 10 sys_is bond0 bonding/active_slave v0
	soon 10 addressed bond0
	cut_link v0
	cut_link v1
	soon 10 sys_is bond0 bonding/active_slave ''
	remember
	good set bond0 mode balance-alb --cycle
	sys_is bond0 bonding/mode balance-alb
	slaves_are bond0 v0 v1
	# its link-local address is the kernel's, which makes it when there is carrier
	restore_link v1
	soon 10 addressed bond0
	as_before 'bond0 mode' 'bond0 tlb_dynamic_lb'
}

@test "an MTU below 1280 takes IPv6 away, which is said before" {
	pairs 0
	good create bond0 mode active-backup slaves v0 up
	in_use bond0
	remember
	dry set bond0 mtu 1200
	costs bond0 2001:db8::1
	as_before
	good --json set bond0 mtu 1200
	costs bond0 2001:db8::1 2001:db8:9::/48
	sys_is bond0 mtu 1200
}

@test "routes to one prefix over several gateways and devices come back, all of them" {
	pairs 0 1
	dummies d0
	good create bond0 mode balance-rr slaves v0 v1 up
	soon 10 addressed bond0
	links 'link set d0 up' 'addr add 10.0.0.1/24 dev bond0' 'addr add 2001:db8::1/64 dev bond0 nodad' 'addr add 10.20.0.1/24 dev d0' \
		'addr add 2001:db8:20::1/64 dev d0 nodad' 'route add 10.4.0.0/16 via 10.0.0.9' 'route append 10.4.0.0/16 via 10.0.0.8' \
		'route add 10.7.0.0/16 via 10.0.0.9' 'route append 10.7.0.0/16 via 10.20.0.9' 'route add default via 10.0.0.9' 'route append default via 10.20.0.9' \
		'route add 2001:db8:4::/48 dev bond0' 'route append 2001:db8:4::/48 via 2001:db8:20::3 dev d0'
	remember
	good --json set bond0 mode balance-xor --cycle
	# which of them was the first cannot be known, and is said
	json '[.changes[] | select(.note // "" | contains("behind another route")).value | sub(" dev .*"; "")] | sort' \
		'["route 10.4.0.0/16 via 10.0.0.8","route 10.7.0.0/16 via 10.0.0.9","route 2001:db8:4::/48","route default via 10.0.0.9"]'
	soon 10 addressed bond0
	as_before 'bond0 mode'
}

@test "an address of the bond that was set by hand and that fail_over_mac takes away is said beforehand" {
	local word own
	pairs 0 1
	sys v0 address
	own=$REPLY
	for word in active follow; do
		good create bond0 mode active-backup address 02:00:00:00:00:01 slaves v0 v1 up
		soon 10 sys_is v1 bonding_slave/mii_status up
		dry set bond0 fail_over_mac "$word" --cycle
		json '[.changes[] | select(.device == "bond0" and .action == "lose") | [.option, .was, .value]]' "[[\"address\",\"02:00:00:00:00:01\",\"$own\"]]"
		good set bond0 fail_over_mac "$word" --cycle
		sys_is bond0 address "$own"
		good delete bond0
	done
	good create bond0 mode balance-rr fail_over_mac active address 02:00:00:00:00:02 slaves v0 v1 up
	dry set bond0 mode active-backup --cycle
	json_true '[.changes[] | select(.device == "bond0" and .action == "lose").option] | any(. == "address")'
}

@test "a route that encapsulates comes back, and is found to be there" {
	pairs 0
	good create bond0 mode 802.3ad slaves v0 up
	soon 10 addressed bond0
	links 'addr add 10.0.0.1/24 dev bond0'
	ip -n "$NS" route add 10.9.0.0/16 encap ip id 5 dst 10.0.0.1 dev bond0 2>/dev/null || skip 'this kernel has no routes that encapsulate'
	remember
	good --json set bond0 lacp_rate fast --cycle
	json '[.changes[] | select(.action == "put_back") | .outcome] | unique' '["applied"]'
	soon 10 addressed bond0
	as_before 'bond0 lacp_rate'
}
