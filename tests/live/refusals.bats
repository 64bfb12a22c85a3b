#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The driver's refusals, as bondctl sees them beforehand: which modes take an option, and whether it can be set with slaves and while
# the bond is up. A test for each kind of option, on bonds of all modes at once: empty and full, up and down. What is refused names the option
# and changes nothing in the whole namespace; what is done changes that option and nothing else. All values are in options.bats.

bats_require_minimum_version 1.5.0

load ../lib/live

MODES=(balance-rr active-backup balance-xor broadcast 802.3ad balance-tlb balance-alb)

setup() {
	live_setup
	# the kernel's own addresses come when it likes
	inside sh -c 'echo 1 >/proc/sys/net/ipv6/conf/default/addr_gen_mode'
}
teardown() { live_teardown; }

# lines WORD...: one a line.
lines() { printf '%s\n' "$@"; }

# bonds STATES WORDS...: bonds of each mode N, created with the words, in each of the states: dN is down, uN is up, sN is down and has the
# slaves sNa and sNb, wN is up and has slaves, an address and a route.
bonds() {
	local n state words names=() lines=() uses=() UNTRACED=yes
	STATES=$(fold -w1 <<<"$1")
	shift
	for n in {0..6}; do
		uses+=("addr add 10.0.$n.1/24 dev w$n" "route add 10.1.$n.0/24 via 10.0.$n.9")
		for state in $STATES; do
			words="create $state$n mode ${MODES[n]} $*"
			if [[ $state == [sw] ]]; then
				names+=("$state${n}a" "$state${n}b")
				words+=" slaves $state${n}a $state${n}b"
			fi
			[[ $state == [uw] ]] && words+=' up'
			lines+=("$words")
		done
	done
	dummies "${names[@]}"
	good --batch - <<<"$(lines "${lines[@]}")"
	links "${uses[@]}"
}

# answers ROWS: each row is "STATUS CAUSE-OR-OUTCOME OPTION | WORDS...": bondctl answers to the words so and names the option, all in one
# batch.
answers() {
	local n rows got wrong=() UNTRACED=yes
	mapfile -t rows <<<"$1"
	try --json --keep-going --batch - <<<"$(printf '%s\n' "${rows[@]#* | }")"
	mapfile -t got < <(jq -r '(.error // ([.changes[] | select(.action == "set")] | last)) as $it
		| "\(.status) \($it | .cause // .outcome) \($it.option)"' <<<"$output")
	for n in "${!rows[@]}"; do
		[[ ${rows[n]%% | *} == "${got[n]-nothing}" ]] || wrong+=("${rows[n]#* | }: expected '${rows[n]%% | *}', got '${got[n]-nothing}'")
	done
	((${#wrong[@]} == 0)) && return
	printf '%s\n' "${wrong[@]}" >&2
	return 1
}

# now_differs LINES [PATTERN]: the state is the remembered one but for lines of device, option and value; and for what the pattern is about.
now_differs() {
	state "$BATS_TEST_TMPDIR/now"
	differences "$BATS_TEST_TMPDIR/before" "$BATS_TEST_TMPDIR/now" | cut -f 1,2,4 | grep -vE "${2:-^$}" | sort >"$BATS_TEST_TMPDIR/differences"
	sort <<<"$1" | diff - "$BATS_TEST_TMPDIR/differences" >&2 || complain 'other changes (>) than those that were asked for (<)'
}

# The attributes that not every kernel has, and their numbers.
declare -gA NEWER=([coupled_control]=32 [broadcast_neighbor]=33 [lacp_strict]=34)

lacks() {
	[[ ${NEWER[$1]:-} ]] || return
	raw get d4 bond "${NEWER[$1]}" u8
	[[ $REPLY == absent ]]
}

# matrix MODES SLAVES UP [PATTERN]: reads options with a value, and what the state shows then where that is another, and tries them on all
# bonds: modes without the option refuse it, slaves do if SLAVES is ENOTEMPTY, and a bond that is up does if UP is EBUSY. Then --cycle
# does it all the same. With "-" for SLAVES the option wants slaves. The value NEXT is the next mode, SECOND the bond's second slave.
matrix() {
	local option value shown state n bond target words new answer refused=() done=() cycled=() changes=() UNTRACED=yes
	while read -r option value shown; do
		for state in $STATES; do
			for n in {0..6}; do
				bond=$state$n target=$bond words="set $bond" new=$value
				case $value in
				NEXT) new=${MODES[(n + 1) % 7]} ;;
				SECOND) new=${state/[du]/w}${n}b ;;
				esac
				if [[ $option =~ ^(queue_id|prio|actor_port_prio)$ ]]; then
					[[ $state == [sw] ]] || continue
					target=${bond}a
					words+=" slave $target"
				fi
				words+=" $option $new"
				if [[ $1 != *$n* ]]; then
					refused+=("5 wrong_mode $option | $words")
					continue
				fi
				[[ $2 == - && $state == [du] ]] && continue
				if lacks "$option"; then
					refused+=("6 unsupported $option | $words")
					continue
				fi
				answer=
				if [[ $2 == ENOTEMPTY && $state == [sw] ]]; then
					answer=has_slaves
				elif [[ $3 == EBUSY && $state == [uw] ]]; then
					answer=bond_up
				fi
				if [[ $answer ]]; then
					refused+=("5 $answer $option | $words")
					cycled+=("0 applied $option | $words --cycle")
				else
					done+=("0 applied $option | $words")
				fi
				changes+=("$target"$'\t'"$option"$'\t'"${shown:-$new}")
			done
		done
	done
	remember
	((${#refused[@]} == 0)) || { answers "$(lines "${refused[@]}")" && as_before; } || return
	answers "$(lines "${done[@]}")" || return
	((${#cycled[@]} == 0)) || answers "$(lines "${cycled[@]}")" || return
	now_differs "$(lines "${changes[@]}")" "${4:-}"
}

# every_bond MODES ROW [STATE]: the row for the bonds of those modes, in all states or that one, with @ for the name.
# shellcheck disable=SC2034 # the trap of live.bash looks at UNTRACED
every_bond() {
	local n state rows=() UNTRACED=yes
	for n in $(fold -w1 <<<"$1"); do
		for state in ${3:-$STATES}; do rows+=("${2//@/$state$n}"); done
	done
	lines "${rows[@]}"
}

@test "mode: all modes, only without slaves and while down; unchanged it is not sent" {
	local n
	bonds dusw
	matrix 0123456 ENOTEMPTY EBUSY $'\t(ad|actor)_' <<<'mode NEXT'
	answers "$(for n in {0..6}; do every_bond "$n" "0 unchanged mode | set @ mode ${MODES[(n + 1) % 7]}"; done)"
}

@test "fail_over_mac: all modes, only without slaves; unchanged it is not sent" {
	bonds dusw
	matrix 0123456 ENOTEMPTY ok <<<'fail_over_mac active'
	answers "$(every_bond 0123456 '0 unchanged fail_over_mac | set @ fail_over_mac active')"
}

@test "miimon: all modes, live; 0 is guarded in all of them, and so is one that turns ARP monitoring off" {
	bonds dw
	matrix 0123456 ok ok <<<'miimon 50'
	remember
	answers "$(every_bond 0123456 '5 guard miimon | set @ miimon 0')"
	as_before
	good --batch - <<<"$(every_bond 0123 'set @ miimon 0 arp_interval 60000 arp_ip_target 10.0.0.2 arp_validate all')"
	remember
	answers "$(every_bond 0123 '5 guard miimon | set @ miimon 50')"
	as_before
	answers "$(every_bond 0123 '0 applied miimon | set @ miimon 50 --force')"
	now_differs "$(every_bond 0123 $'@\tmiimon\t50\n@\tarp_interval\t0\n@\tarp_validate\t-')"
}

@test "updelay, downdelay, peer_notif_delay: all modes, live; not without miimon, rounded down, the last up to 300000" {
	local option
	bonds dw
	matrix 0123456 ok ok <<-'END'
		updelay 250 200
		downdelay 350 300
		peer_notif_delay 450 400
	END
	remember
	answers "$(every_bond 1 '2 bad_value peer_notif_delay | set @ peer_notif_delay 300001')"
	as_before
	good --batch - <<<"$(every_bond 0123456 'set @ miimon 0 --force')"
	remember
	answers "$(for option in updelay downdelay peer_notif_delay; do every_bond 0123456 "5 conflict $option | set @ $option 500"; done)"
	as_before
}

@test "arp_interval, arp_validate, arp_missed_max: modes 0 to 3, live; 0 where it is 0 is not sent in the others" {
	bonds dw miimon 0 arp_ip_target 10.0.0.2 --force
	matrix 0123 ok ok <<-'END'
		arp_interval 60000
		arp_validate active
		arp_missed_max 7
	END
	answers "$(every_bond 456 '0 unchanged arp_interval | set @ arp_interval 0')"
	answers "$(every_bond 456 '5 wrong_mode arp_interval | set @ miimon 100 arp_interval 1')"
}

@test "arp_ip_target, ns_ip6_target: all modes, live; a list of 17, or with an address twice, leaves the old one" {
	local list4 list6
	bonds dw
	matrix 0123456 ok ok <<-'END'
		arp_ip_target 10.0.0.2,10.0.0.3 ["10.0.0.2","10.0.0.3"]
		ns_ip6_target 2001:db8::2,fe80::3 ["2001:db8::2","fe80::3"]
	END
	list4=$(printf ',10.0.1.%s' {1..17}) list6=$(printf ',2001:db8::1:%s' {1..17})
	remember
	answers "$(every_bond 1 "2 bad_value arp_ip_target | set @ arp_ip_target ${list4#,}
		2 bad_value ns_ip6_target | set @ ns_ip6_target ${list6#,}
		2 bad_value arp_ip_target | set @ arp_ip_target 10.0.0.4,10.0.0.4
		2 bad_value ns_ip6_target | set @ ns_ip6_target 2001:db8::4,2001:db8:0::4" | tr -d '\t')"
	as_before
}

@test "primary, active_slave, prio: modes 1, 5, 6, live" {
	local n
	bonds dw
	matrix 156 - ok <<<'primary SECOND'
	for n in 1 5 6; do soon 10 sys_is "w$n" bonding/active_slave "w${n}b"; done
	remember
	answers "$(every_bond 0234 '5 wrong_mode active_slave | set @ active_slave w1a')"
	as_before
	answers "$(every_bond 156 '0 applied active_slave | set @ active_slave @a' w)"
	as_before
	for n in 1 5 6; do sys_is "w$n" bonding/active_slave "w${n}a"; done
	matrix 156 - ok <<<'prio -5'
}

@test "lacp_rate, lacp_active, coupled_control, ad_user_port_key: mode 4, only while down" {
	bonds dusw
	matrix 4 ok EBUSY <<-'END'
		lacp_rate fast
		lacp_active off
		coupled_control off 0
		ad_user_port_key 7
	END
}

@test "ad_select: all modes, only while down" {
	bonds dusw
	matrix 0123456 ok EBUSY <<<'ad_select bandwidth'
}

@test "lacp_strict, broadcast_neighbor, ad_actor_sys_prio, ad_actor_system, actor_port_prio: mode 4, live" {
	bonds dw
	matrix 4 ok ok <<-'END'
		lacp_strict on 1
		broadcast_neighbor on 1
		ad_actor_sys_prio 7
		ad_actor_system 02:00:00:00:00:77
		actor_port_prio 7
	END
}

@test "tlb_dynamic_lb: modes 5 and 6, only while down" {
	bonds dusw
	matrix 56 ok EBUSY <<<'tlb_dynamic_lb off 0'
}

@test "packets_per_slave: mode 0, live" {
	bonds dw
	matrix 0 ok ok <<<'packets_per_slave 7'
}

@test "xmit_hash_policy, min_links, num_grat_arp, resend_igmp, lp_interval, all_slaves_active, primary_reselect: all modes, live" {
	bonds dw
	matrix 0123456 ok ok <<-'END'
		xmit_hash_policy layer3+4
		min_links 1
		num_grat_arp 7
		resend_igmp 7
		lp_interval 7
		all_slaves_active on 1
		primary_reselect failure
	END
}

@test "use_carrier: all modes, live; only on where the kernel refuses off" {
	bonds dw
	raw set d0 bond 6 u8 0
	if [[ $REPLY == ok ]]; then
		raw set d0 bond 6 u8 1
		matrix 0123456 ok ok <<<'use_carrier off 0'
		answers "$(every_bond 0123456 '0 applied use_carrier | set @ use_carrier on')"
		return
	fi
	remember
	answers "$(every_bond 0123456 '0 unchanged use_carrier | set @ use_carrier on')"
	answers "$(every_bond 0123456 '1 refused use_carrier | set @ use_carrier off')"
	as_before
}

@test "queue_id: all modes, live; not above the number of queues, nor that of another slave" {
	bonds dw
	matrix 0123456 - ok <<<'queue_id 16'
	remember
	answers "$(every_bond 0123456 '5 conflict queue_id | set @ slave @a queue_id 17' w)"
	answers "$(every_bond 0123456 '5 conflict queue_id | set @ slave @b queue_id 16' w)"
	as_before
}
