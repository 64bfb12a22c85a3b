#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Every value that an option takes, and one beyond: ranges of numbers, words and their numbers, switches, addresses and lists.
# The ranges and words were written by hand from the driver's (drivers/net/bonding/bond_options.c, bond_netlink.c) and
# rtnetlink's sources; a value that is taken leads to a bond that is not there (status 3), since no value is sent.
# bats sets status, output and stderr; what is in single quotes is for another shell.
# shellcheck disable=SC2154,SC2016

bats_require_minimum_version 1.5.0

load helpers

# Options of a bond: name, lowest, highest, unit.
BOND_NUMBERS='
miimon             0  2147483647  ms
updelay            0  2147483647  ms
downdelay          0  2147483647  ms
arp_interval       0  2147483647  ms
resend_igmp        0  255
num_grat_arp       0  255
min_links          0  2147483647
lp_interval        1  2147483647  s
packets_per_slave  0  65535
ad_actor_sys_prio  1  65535
ad_user_port_key   0  1023
peer_notif_delay   0  300000      ms
arp_missed_max     1  255
mtu                68 65535
numtxqueues        1  4096
txqueuelen         0  4294967295
'
SLAVE_NUMBERS='
queue_id           0           65535
prio               -2147483648 2147483647
actor_port_prio    0           65535
'

# Words in the order of their numbers, from 0.
WORDS='
mode               balance-rr active-backup balance-xor broadcast 802.3ad balance-tlb balance-alb
arp_validate       none active backup all filter filter_active filter_backup
arp_all_targets    any all
primary_reselect   always better failure
fail_over_mac      none active follow
xmit_hash_policy   layer2 layer3+4 layer2+3 encap2+3 encap3+4 vlan+srcmac
lacp_rate          slow fast
ad_select          stable bandwidth count actor_port_prio
'
SWITCHES='use_carrier all_slaves_active tlb_dynamic_lb lacp_active coupled_control broadcast_neighbor lacp_strict up'

# each_number FUNCTION: calls it for each with the beginning of a command line, name, lowest, highest and unit.
each_number() {
	local name lowest highest unit
	while read -r name lowest highest unit; do
		[[ -z $name ]] || "$1" "set nix" "$name" "$lowest" "$highest" "$unit"
	done <<<"$BOND_NUMBERS"
	while read -r name lowest highest unit; do
		[[ -z $name ]] || "$1" "set nix slave v0" "$name" "$lowest" "$highest" "$unit"
	done <<<"$SLAVE_NUMBERS"
}

beyond() { # BEGINNING NAME LOWEST HIGHEST UNIT
	local value
	for value in $(($3 - 1)) $(($4 + 1)) $(($3 - 4294967296)) $(($4 + 4294967296)); do
		echo "$1 $2 $value => bad_value; $2; '$value'; out of range; $3 to $4${5:+ $5}"
	done
}

within() {
	printf '%s\n' "$1 $2 $3" "$1 $2 $4" "$1 $2=$3" "$1 $2=$4"
}

@test "the table of this test has every number and no other option" {
	local name _ named=()
	while read -r name _; do [[ -z $name ]] || named+=("$name"); done <<<"$BOND_NUMBERS$SLAVE_NUMBERS"
	good options --json --quiet
	same 'options that are numbers' "$(jq -r '.[] | select(.type == "number") | .name' <<<"$output" | sort)" \
		"$(printf '%s\n' "${named[@]}" | sort)"
}

@test "a number below the lowest and one above the highest is refused with the range" {
	each_number beyond | answers 2
}

@test "the lowest and the highest number are taken" {
	each_number within | answers 3
}

@test "the longest numbers are out of range and no other number" {
	nines() { printf '%s\n' "$1 $2 99999999999999999999 => $2; out of range; $3 to $4" \
		"$1 $2 -99999999999999999999 => $2; out of range" "$1 $2 18446744073709551616 => out of range" \
		"$1 $2 18446744073709551617 => out of range" "$1 $2 9223372036854775808 => out of range" \
		"$1 $2 -9223372036854775809 => out of range"; }
	each_number nines | answers 2
}

@test "what is no plain decimal number is refused with the range" {
	shapes() {
		local value
		for value in "' $3 '" "' $3'" "'$3 '" 0x64 1e3 100abc abc '"1 0"' 1.5 1,5 -- - + +-5 5- "''" on ٣ '$((1))'; do
			echo "$1 $2 $value => bad_value; $2; is not a number; $3 to $4"
		done
	}
	each_number shapes | answers 2
}

@test "a number may have a sign and leading zeros" {
	answers 3 <<-'ROWS'
		set nix miimon +100
		set nix miimon 000000000000000000000000100
		set nix miimon -0
		set nix slave v0 prio +5
	ROWS
	answers 2 <<-'ROWS'
		set nix miimon 002147483648 => out of range
		set nix lp_interval 00 => out of range
	ROWS
}

@test "every word and its number is taken" {
	words() {
		local name words word number
		while read -r name words; do
			number=0
			for word in $words; do
				echo "set nix $name $word"
				echo "set nix $name=$((number++))"
			done
		done <<<"$WORDS"
	}
	words | answers 3
}

@test "a number past the last word, and what is no word, is refused with the words" {
	wrong() {
		local name value line
		local -a words
		while read -r line; do
			read -ra words <<<"$line"
			((${#words[@]})) || continue
			name=${words[0]} words=("${words[@]:1}")
			for value in ${#words[@]} -1 256 4294967296 "''" "'${words[0]} '" "${words[0]}x" default 0x0; do
				echo "set nix $name $value => bad_value; $name; not one of its values; ${words[0]}; ${words[-1]}"
			done
		done <<<"$WORDS"
	}
	wrong | answers 2
}

@test "a switch takes on, off, 1, 0, yes, no, true and false, and nothing else" {
	local name value
	for name in $SWITCHES; do
		for value in on off 1 0 yes no true false; do echo "set nix $name=$value"; done
	done | answers 3
	for name in $SWITCHES; do
		for value in 2 -1 ON "''" enabled y o; do
			echo "set nix $name=$value => bad_value; $name; off or on"
		done
	done | answers 2
}

@test "the tables of this test have every word option and every switch" {
	good options --json --quiet
	same 'options that are words' "$(jq -r '.[] | select(.type == "word") | .name' <<<"$output" | sort)" \
		"$(awk 'NF { print $1 }' <<<"$WORDS" | sort)"
	same 'switches' "$(jq -r '.[] | select(.type == "boolean") | .name' <<<"$output" | sort)" \
		"$(tr ' ' '\n' <<<"$SWITCHES" | sort)"
}

@test "up and down stand alone or have a value, clear_active_slave stands alone" {
	answers 3 <<-'ROWS'
		set nix up
		set nix down
		set nix mode 1 up
		set nix up mode 1
		set nix up=off
		set nix clear_active_slave
		set nix clear_active_slave miimon 1
	ROWS
	answers 2 <<-'ROWS'
		set nix up on => 'on'
		set nix clear_active_slave eth0 => 'eth0'
	ROWS
}

@test "addresses for LACP are six pairs of hexadecimal digits and not multicast" {
	answers 3 <<-'ROWS'
		set nix ad_actor_system 02:00:00:00:00:01
		set nix ad_actor_system 02-00-00-AA-bb-FF
		set nix ad_actor_system 00:00:00:00:00:00
		set nix address 02:00:00:00:00:01
	ROWS
	answers 2 <<-'ROWS'
		set nix ad_actor_system 01:00:00:00:00:01 => bad_value; multicast
		set nix ad_actor_system ff:ff:ff:ff:ff:ff => bad_value; multicast
		set nix ad_actor_system 02:00:00:00:00 => not a MAC address
		set nix ad_actor_system 02:00:00:00:00:01:02 => not a MAC address
		set nix ad_actor_system 2:0:0:0:0:1 => not a MAC address
		set nix ad_actor_system 02:00:00:00:00:0g => not a MAC address
		set nix ad_actor_system 02:00-00:00-00:01 => not a MAC address
		set nix ad_actor_system 020000000001 => not a MAC address
		set nix ad_actor_system 02:00:00:00:00:01x => not a MAC address
		set nix ad_actor_system ':02:00:00:00:00:01' => not a MAC address
		set nix ad_actor_system '' => not a MAC address
		set nix ad_actor_system none => not a MAC address
		set nix address 33:33:00:00:00:01 => multicast
		create nix address 00:00:00:00:00:00 => bad_value; zero
	ROWS
}

@test "a list of IPv4 targets takes what the driver takes, which is nearly everything" {
	answers 3 <<-'ROWS'
		set nix arp_ip_target 192.0.2.1
		set nix arp_ip_target 192.0.2.1,192.0.2.2
		set nix arp_ip_target 127.0.0.1,224.0.0.1,0.1.2.3,240.0.0.1
		set nix arp_ip_target none
		set nix arp_ip_target ''
		set nix arp_ip_target=
		set nix arp_ip_target +192.0.2.1
		set nix arp_ip_target -192.0.2.1,+192.0.2.2,-192.0.2.3
		set nix arp_ip_target 10.0.0.1,10.0.0.2,10.0.0.3,10.0.0.4,10.0.0.5,10.0.0.6,10.0.0.7,10.0.0.8,10.0.0.9,10.0.0.10,10.0.0.11,10.0.0.12,10.0.0.13,10.0.0.14,10.0.0.15,10.0.0.16
	ROWS
	answers 2 <<-'ROWS'
		set nix arp_ip_target 0.0.0.0 => bad_value; 0.0.0.0
		set nix arp_ip_target 255.255.255.255 => 255.255.255.255
		set nix arp_ip_target +0.0.0.0 => 0.0.0.0
		set nix arp_ip_target 192.0.2.1,192.0.2.1 => twice
		set nix arp_ip_target 192.0.2.1,192.0.2.2,192.0.2.1 => 192.0.2.1; twice
		set nix arp_ip_target 192.0.2.1,+192.0.2.2 => arp_ip_target
		set nix arp_ip_target +192.0.2.1,192.0.2.2 => sign
		set nix arp_ip_target 192.0.2.1, => arp_ip_target
		set nix arp_ip_target ,192.0.2.1 => arp_ip_target
		set nix arp_ip_target 192.0.2.1,,192.0.2.2 => arp_ip_target
		set nix arp_ip_target , => arp_ip_target
		set nix arp_ip_target + => arp_ip_target
		set nix arp_ip_target - => arp_ip_target
		set nix arp_ip_target +192.0.2.1, => arp_ip_target
		set nix arp_ip_target '192.0.2.1 192.0.2.2' => not an IPv4 address
		set nix arp_ip_target ' 192.0.2.1' => not an IPv4 address
		set nix arp_ip_target 192.0.2 => not an IPv4 address
		set nix arp_ip_target 192.0.2.256 => not an IPv4 address
		set nix arp_ip_target 192.0.2.01 => not an IPv4 address
		set nix arp_ip_target 3221225985 => not an IPv4 address
		set nix arp_ip_target fe80::1 => not an IPv4 address
		set nix arp_ip_target 192.0.2.1/24 => not an IPv4 address
		set nix arp_ip_target none,192.0.2.1 => none
		set nix arp_ip_target 10.0.0.1,10.0.0.2,10.0.0.3,10.0.0.4,10.0.0.5,10.0.0.6,10.0.0.7,10.0.0.8,10.0.0.9,10.0.0.10,10.0.0.11,10.0.0.12,10.0.0.13,10.0.0.14,10.0.0.15,10.0.0.16,10.0.0.17 => 10.0.0.17; 16
	ROWS
}

@test "a list of IPv6 targets takes what the driver takes" {
	answers 3 <<-'ROWS'
		set nix ns_ip6_target fe80::1
		set nix ns_ip6_target 2001:db8::1,2001:DB8::2,fe80::1
		set nix ns_ip6_target none
		set nix ns_ip6_target ''
		set nix ns_ip6_target -fe80::1
		set nix ns_ip6_target=+fe80::1,+fe80::2
		set nix ns_ip6_target fdff:ffff:ffff:ffff:ffff:ffff:255.255.255.255
	ROWS
	answers 2 <<-'ROWS'
		set nix ns_ip6_target :: => ::
		set nix ns_ip6_target ::1 => ::1
		set nix ns_ip6_target ff02::1 => ff02::1
		set nix ns_ip6_target +ff02::1 => ff02::1
		set nix ns_ip6_target fe80::1,fe80:0::1 => twice
		set nix ns_ip6_target fe80::1%eth0 => not an IPv6 address
		set nix ns_ip6_target fe80::1/64 => not an IPv6 address
		set nix ns_ip6_target [fe80::1] => not an IPv6 address
		set nix ns_ip6_target 192.0.2.1 => not an IPv6 address
		set nix ns_ip6_target fe80::1, => ns_ip6_target
		set nix ns_ip6_target fe80::1,-fe80::2 => ns_ip6_target
		set nix ns_ip6_target fd::1,fd::2,fd::3,fd::4,fd::5,fd::6,fd::7,fd::8,fd::9,fd::a,fd::b,fd::c,fd::d,fd::e,fd::f,fd::10,fd::11 => fd::11; 16
	ROWS
}

@test "spellings of iproute2 and the kernel are taken, and the driver's is printed" {
	answers 2 <<-'ROWS'
		set nix peer_notify_delay 300001 => peer_notif_delay '300001'
		set nix num_unsol_na 256 => num_grat_arp '256'
		set nix num_peer_notif 256 => num_grat_arp '256'
		set nix ad_lacp_rate x => lacp_rate 'x'
		set nix ad_lacp_active x => lacp_active 'x'
		set nix missed_max 0 => arp_missed_max '0'
		set nix broadcast_neigh x => broadcast_neighbor 'x'
		set nix qlen -1 => txqueuelen '-1'
		set nix txqlen -1 => txqueuelen '-1'
		create nix num_tx_queues 0 => numtxqueues '0'
	ROWS
	bad 2 set nix peer_notify_delay x --json
	json .error.option '"peer_notif_delay"'
}

@test "a bad value is named with its option, and so is the first of several" {
	bad 2 create nix mode 1 updelay x downdelay y --json
	error 2 bad_value
	json .error.option '"updelay"'
	json .error.errno '"EINVAL"'
}
