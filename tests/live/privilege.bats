#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What an ordinary user may and may not: reading is free but for three values, changing is not. And root of a user namespace,
# who may change those three and not read them back.

bats_require_minimum_version 1.5.0

load ../lib/live

teardown() { live_teardown; }

# bondctl as nobody, in the test's namespace.
as_nobody() {
	attempt nsenter --net="/run/netns/$NS" \
		setpriv --reuid 65534 --regid 65534 --clear-groups --bounding-set -all "$BONDCTL" "$@"
}

setup() {
	live_setup
	if ! setpriv --reuid 65534 --regid 65534 --clear-groups test -x "$BONDCTL"; then
		skip 'uid 65534 may not execute the bondctl under test'
	fi
}

@test "an ordinary user reads everything but the three LACP values, which are listed as withheld" {
	pairs 0
	good create bond0 mode 802.3ad ad_actor_sys_prio 7 ad_user_port_key 5 slaves v0 up
	soon 15 sys_is bond0 bonding/ad_num_ports 1
	as_nobody show bond0 --json
	same status "$status" 0
	json '.withheld | sort' '["ad_actor_sys_prio","ad_actor_system","ad_user_port_key"]' \
		'[.ad_actor_sys_prio, .ad_user_port_key, .ad_actor_system]' '[null,null,null]'
	json_true '.ad_info.partner_mac != null'
	json '[.mode, .miimon, .slaves[0].name]' '["802.3ad",100,"v0"]'
	as_nobody show bond0 --details
	same status "$status" 0
	as_nobody list
	same status "$status" 0
	as_nobody stats bond0 --json
	json_true '.statistics.rx_packets != null'
	# root sees them
	good show bond0 --json
	json '[.ad_actor_sys_prio, .ad_user_port_key, .withheld]' '[7,5,[]]'
	# where they do not exist they are not withheld
	good create bond1 mode balance-rr
	as_nobody show bond1 --json
	json .withheld '[]'
}

@test "an ordinary user changes nothing, and every attempt ends with status 4" {
	dummies d0 d1
	good create bond0 mode active-backup slaves d0
	as_nobody --json --keep-going --batch - <<-'END'
		set bond0 miimon 50
		set bond0 slave d0 prio 3
		create bond1
		delete bond0
		enslave bond0 d1
		release bond0 d0
		up bond0
		set bond0 mtu 1400
	END
	output=$(jq -sc . <<<"$output")
	json 'map(.status)' '[4,4,4,4,4,4,4,4]' 'map(.error.cause) | unique' '["permission"]'
	as_nobody set bond0 miimon 50
	same status "$status" 4
	says bond0
	sys_is bond0 bonding/miimon 100
	sys_is bond0 mtu 1500
	slaves_are bond0 d0
	master_is d1 ''
	admin bond0 down
	admin d1 down
	gone bond1
}

@test "an ordinary user is told of a bad value, a wrong mode or a missing device as root is" {
	good create bond0 mode active-backup
	as_nobody set bond0 miimon -1
	same status "$status" 2
	as_nobody set bond0 lacp_rate fast
	same status "$status" 5
	as_nobody set ghost miimon 1
	same status "$status" 3
}

@test "root of a user namespace sets the three LACP values and is told that they cannot be verified" {
	unshare -Urn true 2>/dev/null || skip 'this kernel or its settings forbid user namespaces'
	# one user namespace for the whole of it; its answers come as lines
	# shellcheck disable=SC2016 # the inner shell's words
	attempt unshare -Urn bash -c '
		"$1" --json create bond0 mode 802.3ad ad_actor_sys_prio 5 miimon 60 && "$1" show bond0 --json &&
		"$1" --json set bond0 ad_actor_system 02:00:00:00:00:05 && "$1" --json set bond0 miimon 70 &&
		ip -d -j link show bond0 | jq -c .[0].linkinfo.info_data.miimon' - "$BONDCTL"
	same status "$status" 0
	local all=$output
	output=$(sed -n 1p <<<"$all")
	changed ad_actor_sys_prio unverified
	changed miimon applied
	output=$(sed -n 2p <<<"$all")
	json '[.ad_actor_sys_prio, (.withheld | length)]' '[null,3]'
	output=$(sed -n 3p <<<"$all")
	changed ad_actor_system unverified
	output=$(sed -n 4p <<<"$all")
	changed miimon applied
	same 'miimon by ip' "$(sed -n 5p <<<"$all")" 70
}

@test "what held before a change that is not permitted is not called done" {
	good create bond0 mode active-backup miimon 100 updelay 200
	attempt nsenter --net="/run/netns/$NS" setpriv --reuid 65534 --clear-groups "$BONDCTL" --json set bond0 miimon 50 updelay 200
	same status "$status" 4
	json '[.changes[] | select(.outcome == "applied")]' '[]'
}

@test "what a step would have done is not told where it was refused" {
	pairs 0 1 2
	good create bond0 mode active-backup slaves v0 v1 up
	as_nobody delete bond0
	same status "$status" 4
	says 'cannot delete bond0: not permitted'
	says_not 'ends down'
	says_not 'not known' nobody
	as_nobody --json enslave bond0 v2
	same status "$status" 4
	json '.changes | map(.outcome) | unique' '["refused"]'
	as_nobody set bond0 xmit_hash_policy layer3+4
	same status "$status" 4
	says_not 'no effect'
	# nor where the rest was refused before
	echo '{"name": "bond0", "mode": "802.3ad", "arp_interval": 100}' >"$BATS_TEST_TMPDIR/document"
	bad 5 apply "$BATS_TEST_TMPDIR/document"
	says mode
	says_not 'left as it is'
	# to those who do it, and in a plan, it is told
	good set bond0 xmit_hash_policy layer3+4
	says 'xmit_hash_policy: has no effect'
	good delete bond0 --dry-run
	[[ $output == *'bond0: is deleted (v0 is released and ends down'* ]] || complain 'the plan does not say it'
}

@test "what is withheld is not compared: known differences are shown, and where there are none that is not called equal" {
	local document=$BATS_TEST_TMPDIR/document
	pairs 0
	good create bond0 mode 802.3ad ad_actor_sys_prio 7 slaves v0 up
	good show bond0 --json
	echo "$output" >"$document"
	chmod a+r "$document"
	good diff "$document"
	as_nobody diff - <"$document"
	same status "$status" 4
	same 'differences' "$output" ''
	says 'bond0: ad_actor_sys_prio: withheld' 'is 7' 'bond0: ad_user_port_key: withheld' 'bond0: ad_actor_system: withheld' \
		'nothing that can be compared differs' 'as root'
	as_nobody --json diff - <"$document"
	same status "$status" 4
	json .error.cause '"permission"' '.warnings | map(.key) | sort' '["ad_actor_sys_prio","ad_actor_system","ad_user_port_key"]'
	# what differs is known to do so
	as_nobody diff - <<<"$(jq '.miimon = 50' "$document")"
	same status "$status" 1
	same 'differences' "$output" 'bond0: miimon 100 -> 50'
	says 'ad_actor_sys_prio: withheld'
	as_nobody --json diff - <<<"$(jq '.miimon = 50' "$document")"
	same status "$status" 1
	json 'map(.option)' '["miimon"]'
	as_nobody apply - --dry-run --cycle <"$document"
	same status "$status" 0
	[[ $output == *'bond0: ad_actor_sys_prio 7 (withheld: it may be so already)'* ]] || complain 'the plan takes it for a change'
	# whether the bond has to go down for it cannot be told
	as_nobody apply - <"$document"
	same status "$status" 4
	says ad_user_port_key 'cannot be read' 'as root'
	says_not --cycle
	# a bond that is not there, or has another mode, has nothing to withhold
	as_nobody diff - <<<"$(jq '.name = "bond1" | del(.slaves)' "$document")"
	same status "$status" 1
	says_not withheld
	[[ $output == *'bond1: ad_actor_sys_prio 7'* ]] || complain 'not all is shown'
	good create bond2 mode balance-rr
	as_nobody diff - <<<'{"name": "bond2", "mode": "802.3ad", "ad_actor_sys_prio": 7}'
	same status "$status" 1
	says_not withheld
	# and what holds by what can be seen is equal
	as_nobody diff - <<<'{"name": "bond0", "miimon": 100}'
	same status "$status" 0
	silent
}

# deaf WORDS...: bondctl, which gets no socket to listen on: its second.
deaf() {
	status=0
	output=$(nsenter --net="/run/netns/$NS" strace -qq "${STRACE_ENV[@]}" -o "$BATS_TEST_TMPDIR/trace" -e trace=socket -e inject=socket:error=EMFILE:when=2+ \
		"$BONDCTL" "$@" 2>"$BATS_TEST_TMPDIR/err") || status=$?
	# shellcheck disable=SC2034 # says() reads it
	stderr=$(<"$BATS_TEST_TMPDIR/err")
}

@test "where others could not be listened to it is said what is not known" {
	pairs 0 1
	refused_device t0
	deaf create bond0 mode active-backup slaves v0 up
	same status "$status" 0
	says 'bond0: not known: what other programs have changed of its addresses and routes meanwhile: nobody could listen'
	deaf enslave bond0 v1 t0
	same status "$status" 8
	says $'\n  not known: what other programs have changed of its addresses and routes meanwhile on bond0 (nobody could listen)' 'undone:'
	says_not 'whether done'
}
