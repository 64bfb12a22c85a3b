#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Changes that wait for their confirmation: undone when the time is over or a signal comes, kept by bondctl confirm and by Enter;
# a lost terminal is what they are for. One waits in a namespace at a time.

bats_require_minimum_version 1.5.0

load ../lib/live

setup() {
	live_setup
	quiet_ipv6
	SAID=$BATS_TEST_TMPDIR/said
	pairs 0 1
	good create bond0 mode active-backup miimon 100 slaves v0 v1 up
	soon 10 sys_is bond0 bonding/active_slave v0
}

teardown() {
	ip netns del "$NS-2" 2>/dev/null || true
	live_teardown
}

# starts COMMAND...: in the background, its keys from $KEYS (none), its answers in $SAID and $SAID.err; $WAITER is its process. A
# shell has what it starts in the background ignore Ctrl-C, and bondctl leaves it at that: env undoes it.
starts() {
	: >"$SAID"
	: >"$SAID.err"
	"$@" <"${KEYS:-/dev/null}" >"$SAID" 2>"$SAID.err" 3>&- &
	WAITER=$!
	HELD+=("$WAITER")
}

# waits WORDS...: bondctl in the namespace, without a terminal; returns when the change is made and waits.
waits() {
	starts nsenter --net="/run/netns/$NS" env --default-signal=INT,QUIT "$BONDCTL" "$@"
	soon 10 grep -q 'confirm within' "$SAID.err"
}

# on_terminal SECONDS: set bond0 miimon 50 at a terminal that script(1) makes, with the keys from $KEYS.
on_terminal() {
	command -v script >/dev/null || skip 'there is no script(1) here to make a terminal'
	starts script -qec "nsenter --net=/run/netns/$NS $BONDCTL set bond0 miimon 50 --confirm-within $1" /dev/null
}

# stranger WORDS...: the program of that name, run by an ordinary user in the namespace; returns when it has done its part. The
# folder that it is in may be closed to that user: the file is opened beforehand.
stranger() {
	local program=$BATS_FILE_TMPDIR/stranger said=$BATS_TEST_TMPDIR/stranger-said
	[[ -x $program ]] || "${CC:-cc}" -O1 -o "$program" "$BATS_TEST_DIRNAME/stranger.c"
	: >"$said"
	hold nsenter --net="/run/netns/$NS" setpriv --reuid 65534 --regid 65534 --clear-groups /proc/self/fd/9 "$@" >"$said" 9<"$program"
	soon 10 grep -q ready "$said"
}

# place: the name of the socket at which the change waits, into $REPLY.
place() {
	REPLY=$(inside cat /proc/net/unix)
	[[ $REPLY == *@bondctl/confirm/* ]] || complain 'nobody listens'
	REPLY=bondctl/confirm/${REPLY##*@bondctl/confirm/}
	REPLY=${REPLY%%[[:space:]]*}
}

# refused_are COUNT: so many of those that say so in $SAID.1 to 9 have been refused, since one waits.
refused_are() {
	local said
	said=$(cat "$SAID".[1-9])
	same 'refused' "$(grep -c 'another change waits' <<<"$said")" "$1"
}

is_waiting() { kill -0 "$WAITER" || complain 'it has ended'; }
stop_it() { kill -"${1:-TERM}" "$WAITER"; }

# ends STATUS: the process that waited ends with it; or with one of a pattern.
ends() {
	local code=0
	wait "$WAITER" || code=$?
	output=$(<"$SAID") stderr=$(<"$SAID.err")
	# shellcheck disable=SC2053 # a pattern
	[[ $code == $1 ]] || complain "expected the waiting command to end with $1, got $code"
}

@test "a change that nobody confirms is made at once and undone when the time is over" {
	remember
	local start=$EPOCHSECONDS
	waits set bond0 miimon 50 resend_igmp 7 --confirm-within 2
	sys_is bond0 bonding/miimon 50
	ends 8
	((EPOCHSECONDS - start <= 6)) || complain "it took $((EPOCHSECONDS - start)) s"
	says 'not confirmed'
	as_before
}

@test "in JSON the answer comes at the end and says which it was" {
	waits --json set bond0 miimon 50 --confirm-within 1
	ends 8
	json .confirmed false .error.cause '"timeout"' '[.changes[].outcome] | unique' '["rolled_back"]'
	waits --json set bond0 miimon 50 --confirm-within 60
	good confirm
	ends 0
	json .confirmed true '[.changes[].outcome] | unique' '["applied"]'
	sys_is bond0 bonding/miimon 50
}

@test "bondctl confirm keeps the change, and says what it has confirmed" {
	waits set bond0 miimon 50 --confirm-within 60
	good confirm
	[[ $output$stderr == *'set bond0 miimon 50'* ]] || complain 'what was confirmed is not said'
	ends 0
	sys_is bond0 bonding/miimon 50
	# it is over: nothing waits any more
	bad 5 --json confirm
	json .error.cause '"conflict"'
	sys_is bond0 bonding/miimon 50
}

@test "confirm without a change that waits is refused, and takes no words" {
	bad 5 confirm
	says waits
	bad 2 confirm bond0
}

@test "Enter on its standard input keeps the change" {
	KEYS=$BATS_TEST_TMPDIR/keys
	mkfifo "$KEYS"
	starts nsenter --net="/run/netns/$NS" "$BONDCTL" set bond0 miimon 50 --confirm-within 60
	exec {keys}>"$KEYS"
	soon 10 grep -q 'press Enter' "$SAID.err"
	printf '\n' >&"$keys"
	ends 0
	exec {keys}>&-
	sys_is bond0 bonding/miimon 50
}

@test "a line of a script is no Enter, and neither is what follows it" {
	KEYS=$BATS_TEST_TMPDIR/keys
	mkfifo "$KEYS"
	starts nsenter --net="/run/netns/$NS" "$BONDCTL" set bond0 miimon 50 --confirm-within 2
	exec {keys}>"$KEYS"
	soon 10 grep -q 'press Enter' "$SAID.err"
	printf 'no\n' >&"$keys"
	sleep 0.3
	is_waiting
	printf '\n' >&"$keys"
	ends 8
	exec {keys}>&-
	sys_is bond0 bonding/miimon 100
}

@test "what another wrote of the same option meanwhile is not overwritten by the undoing" {
	waits --json set bond0 miimon 50 --confirm-within 2
	links 'link set bond0 type bond miimon 150'
	ends 8
	json_true 'any(.changes[]; .option == "miimon" and .outcome == "overridden")'
	sys_is bond0 bonding/miimon 150
}

@test "the end of its standard input is no Enter" {
	KEYS=$BATS_TEST_TMPDIR/keys
	mkfifo "$KEYS"
	starts nsenter --net="/run/netns/$NS" "$BONDCTL" set bond0 miimon 50 --confirm-within 1
	exec {keys}>"$KEYS"
	soon 10 grep -q 'confirm within' "$SAID.err"
	exec {keys}>&-
	ends 8
	sys_is bond0 bonding/miimon 100
}

@test "an Enter at a terminal keeps the change, and one typed before the question does not" {
	KEYS=$BATS_TEST_TMPDIR/keys
	mkfifo "$KEYS"
	on_terminal 60
	exec {keys}>"$KEYS"
	printf '\n' >&"$keys"
	soon 10 grep -q 'confirm within' "$SAID"
	sleep 0.3
	is_waiting
	printf '\n' >&"$keys"
	ends 0
	exec {keys}>&-
	sys_is bond0 bonding/miimon 50
}

@test "SIGTERM, SIGINT and SIGQUIT undo it at once" {
	local signal
	remember
	for signal in TERM INT QUIT; do
		waits set bond0 miimon 50 --confirm-within 600
		stop_it "$signal"
		ends 8
		sys_is bond0 bonding/miimon 100
	done
	as_before
}

@test "SIGHUP, and the loss of the terminal, do not end the wait: the change is undone in its time" {
	waits set bond0 miimon 50 --confirm-within 2
	stop_it HUP
	sleep 0.3
	is_waiting
	sys_is bond0 bonding/miimon 50
	ends 8
	sys_is bond0 bonding/miimon 100
	KEYS=/dev/zero
	on_terminal 2
	soon 10 grep -q 'confirm within' "$SAID"
	# the terminal goes
	stop_it KILL
	sys_is bond0 bonding/miimon 50
	soon 10 sys_is bond0 bonding/miimon 100
}

@test "who is killed while it waits undoes nothing: the change stays, and does not wait any more" {
	waits set bond0 miimon 50 --confirm-within 1
	stop_it KILL
	ends 137
	sleep 1.2
	sys_is bond0 bonding/miimon 50
	bad 5 confirm
	says 'no change waits'
}

@test "after the loss of its terminal the change can still be confirmed" {
	KEYS=/dev/zero
	on_terminal 30
	soon 10 grep -q 'confirm within' "$SAID"
	stop_it KILL
	sleep 0.2
	good confirm
	sys_is bond0 bonding/miimon 50
	bad 5 confirm
}

@test "a second change that is to wait is refused while one waits, and changes nothing" {
	waits set bond0 miimon 50 --confirm-within 60
	bad 5 --json set bond0 resend_igmp 7 --confirm-within 60
	json .error.cause '"conflict"'
	sys_is bond0 bonding/resend_igmp 1
	# one that does not wait is another matter, and is not undone with the first
	good set bond0 lp_interval 9
	stop_it
	ends 8
	sys_is bond0 bonding/miimon 100
	sys_is bond0 bonding/lp_interval 9
	waits set bond0 resend_igmp 7 --confirm-within 60
	good confirm
	ends 0
}

@test "what another has changed meanwhile is not overwritten by the undoing, and that is said" {
	waits --json set bond0 miimon 50 resend_igmp 7 --confirm-within 60
	good set bond0 resend_igmp 9
	stop_it
	ends 8
	sys_is bond0 bonding/miimon 100
	sys_is bond0 bonding/resend_igmp 9
	[[ $output == *resend_igmp* ]] || complain 'it is not said'
	json '[.changes[] | select(.option == "resend_igmp").outcome] | unique' '["overridden"]'
}

@test "what the undoing leaves to another program is said to a person as well" {
	waits set bond0 miimon 50 resend_igmp 7 --confirm-within 60
	good set bond0 resend_igmp 9
	stop_it
	ends 8
	says 'everything is undone, but for what is said' $'\n  left to another program: resend_igmp on bond0'
	says_not 'another program: miimon'
	# the mode decides what else there is to be said
	waits set bond0 mode balance-rr --cycle --confirm-within 60
	good set bond0 mode balance-xor --cycle
	stop_it
	ends '[18]'
	says 'left to another program: mode on bond0'
	says_not '  on '
	sys_is bond0 bonding/mode balance-xor
}

@test "what is left to another program is what it has written, and not what was asked for" {
	pairs 2
	good create bond1 mode active-backup slaves v2
	waits enslave bond0 v2 --steal --confirm-within 60
	says_not 'left to another'
	good release bond0 v2
	stop_it
	ends 8
	says $'\n  left to another program: the master of v2'
	says_not 'enslave v2' '(is taken'
	good set bond0 updelay 200
	waits set bond0 miimon 50 updelay 130 --confirm-within 60
	good set bond0 updelay 500
	stop_it
	ends 8
	says $'\n  left to another program: updelay on bond0'
	says_not 'on bond0 (stored'
}

@test "what is lost when a change is undone is said once, and in which device" {
	waits set bond0 mode balance-rr --cycle --confirm-within 60
	links 'link del v1'
	stop_it
	ends 8
	says $'\n  left to another program: device on v1 (another program has deleted it since)'
	same 'times that it is said' "$(grep -c 'v1 (' "$SAID.err")" 1
	says_not 'v1: lost' 'lost: v1'
}

@test "namespaces wait each for their own confirmation" {
	ip netns add "$NS-2"
	ip -n "$NS-2" link add bond0 type bond
	waits set bond0 miimon 50 --confirm-within 60
	attempt "$BONDCTL" -n "$NS-2" confirm
	((status == 5)) || complain "confirm there: status $status"
	attempt "$BONDCTL" -n "$NS-2" set bond0 miimon 70 --confirm-within 1
	((status == 8)) || complain "the change there: status $status"
	# by name, from outside
	attempt "$BONDCTL" -n "$NS" confirm
	((status == 0)) || complain "confirm by name: status $status"
	ends 0
	sys_is bond0 bonding/miimon 50
	# the question names the namespace where one was named
	starts "$BONDCTL" -n "$NS" set bond0 miimon 60 --confirm-within 60
	soon 10 grep -q "confirm -n $NS" "$SAID.err"
	good confirm
	ends 0
}

@test "nobody but root and its own user confirms" {
	setpriv --reuid 65534 --regid 65534 --clear-groups test -x "$BONDCTL" || skip 'uid 65534 may not execute the bondctl under test'
	waits set bond0 miimon 50 --confirm-within 60
	attempt nsenter --net="/run/netns/$NS" setpriv --reuid 65534 --regid 65534 --clear-groups --bounding-set -all "$BONDCTL" confirm
	((status != 0)) || complain 'a stranger has confirmed'
	is_waiting
	good confirm
	ends 0
}

@test "names that a stranger has taken are no change that waits, and hinder none" {
	stranger listen bondctl/confirm/{0..9} bondctl/confirm/{0000000000000000,ffffffffffffffff}
	bad 5 confirm
	says 'no change of root waits' 'user 65534'
	waits set bond0 miimon 50 --confirm-within 60
	good confirm
	ends 0
	sys_is bond0 bonding/miimon 50
	waits set bond0 miimon 60 --confirm-within 1
	ends 8
	sys_is bond0 bonding/miimon 50
}

@test "a stranger who lets nobody in holds nobody up" {
	local start
	stranger full bondctl/confirm/{0..9} bondctl/confirm/{0000000000000000,ffffffffffffffff}
	start=$EPOCHSECONDS
	waits set bond0 miimon 50 --confirm-within 60
	good confirm
	ends 0
	bad 5 confirm
	((EPOCHSECONDS - start <= 20)) || complain "it took $((EPOCHSECONDS - start)) s"
}

@test "a stranger who knocks all the time keeps nobody from confirming, and no change from being undone" {
	waits set bond0 miimon 50 --confirm-within 600
	place
	stranger knock "$REPLY"
	bad 5 set bond0 resend_igmp 7 --confirm-within 60
	good confirm
	ends 0
	sys_is bond0 bonding/miimon 50
	waits set bond0 miimon 60 --confirm-within 600
	place
	stranger knock "$REPLY"
	stop_it
	ends 8
	sys_is bond0 bonding/miimon 50
}

@test "of many changes that want to wait at the same time one does" {
	local n code=0 waiters=()
	for n in {1..8}; do
		inside "$BONDCTL" set bond0 resend_igmp "$n"0 --confirm-within 600 </dev/null >/dev/null 2>"$SAID.$n" 3>&- &
		waiters+=($!)
		HELD+=($!)
	done
	soon 20 refused_are 7
	good confirm
	for n in "${waiters[@]}"; do wait "$n" && code=$((code + 1)); done
	((code == 1)) || complain "$code of them were confirmed"
	bad 5 confirm
}

@test "every verb that changes waits: create, enslave, release, replace, apply with several bonds" {
	pairs 2 3
	good create bond1 mode balance-xor
	remember
	waits create bond2 mode 802.3ad slaves v2 up --confirm-within 600
	slaves_are bond2 v2
	stop_it
	ends 8
	gone bond2
	as_before
	waits enslave bond0 v2 v3 --confirm-within 600
	slaves_are bond0 v0 v1 v2 v3
	stop_it
	ends 8
	as_before
	waits release bond0 v0 --confirm-within 600
	slaves_are bond0 v1
	stop_it
	ends 8
	as_before 'bond0 order'
	slaves_are bond0 v1 v0
	good release bond0 v1
	good enslave bond0 v1
	soon 10 sys_is v1 bonding_slave/mii_status up
	waits replace bond0 v0 v2 --confirm-within 600
	slaves_are bond0 v1 v2
	stop_it
	ends 8
	as_before 'bond0 order'
	waits apply --cycle --confirm-within 600 <(echo '[{"name": "bond0", "mode": "balance-alb", "slaves": ["v0", "v2"]},
		{"name": "bond1", "slaves": ["v1"], "miimon": 70, "up": true}]')
	sys_is bond0 bonding/mode balance-alb
	slaves_are bond1 v1
	stop_it
	ends 8
	# bond1 had no slave, and a random address: it has one again
	as_before 'bond0 order' 'bond0 addr_assign_type' 'bond1 addr*'
}

@test "a change that changes nothing does not wait" {
	good set bond0 miimon 100 --confirm-within 600
	bad 5 confirm
}

@test "a change that fails does not wait, and leaves the place free" {
	refused_device t0
	try create bond1 mode balance-rr slaves t0 --confirm-within 600
	((status == 1 || status == 8)) || complain "status $status"
	bad 5 set bond0 miimon 0 --confirm-within 600
	waits set bond0 miimon 50 --confirm-within 600
	good confirm
	ends 0
}

@test "the time is given in seconds, and a batch does not wait" {
	local seconds
	for seconds in 0 -1 x '' 1.5 100000; do bad 2 set bond0 miimon 50 --confirm-within "$seconds"; done
	bad 2 --batch - <<<'set bond0 miimon 50 --confirm-within 5'
	sys_is bond0 bonding/miimon 100
}
