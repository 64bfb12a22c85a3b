#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# cli/traffic over two bonds back to back, driven by traffictool: what the engines report is what was done to the path, and nothing
# of theirs is left, whatever ends them. Times are compared with each other only.

bats_require_minimum_version 1.5.0

load ../lib/live
load ../lib/lines

setup() {
	live_setup
	TRAFFICTOOL=${TRAFFICTOOL:-${BONDCTL%/*}/tests/traffictool}
	[[ -x $TRAFFICTOOL ]] || { echo "no traffictool at $TRAFFICTOOL: build it, or name it in TRAFFICTOOL" >&2; return 1; }
	FAR=$NS-far
	ip netns add "$FAR"
	inside modprobe -q sch_netem || true
	SAID=()
}

teardown() {
	ip netns del "$FAR" 2>/dev/null || true
	live_teardown
}

# two_bonds MODE: bond0 here over v0 v1, bond0 there over p0 p1; 10.9.0.1 and 10.9.0.2, fd00::1 and fd00::2. In active-backup both
# prefer the same cable: where each took another one, nothing would come through.
two_bonds() {
	local far=()
	quiet_ipv6
	# shellcheck disable=SC2016 # the inner shell's words
	ip netns exec "$FAR" sh -c 'for f in all default; do echo 0 >/proc/sys/net/ipv6/conf/$f/accept_dad; done'
	links "link add v0 type veth peer name p0 netns $FAR" "link add v1 type veth peer name p1 netns $FAR" \
		"link add bond0 type bond mode $1 miimon 20" 'link set v0 master bond0' 'link set v1 master bond0' 'link set bond0 up' \
		'addr add 10.9.0.1/24 dev bond0' 'addr add fd00::1/64 dev bond0 nodad'
	mapfile -t far <<-END
		link add bond0 type bond mode $1 miimon 20
		link set p0 master bond0
		link set p1 master bond0
		link set bond0 up
		addr add 10.9.0.2/24 dev bond0
		addr add fd00::2/64 dev bond0 nodad
	END
	if [[ $1 == active-backup ]]; then
		links 'link set bond0 type bond primary v0'
		far+=('link set bond0 type bond primary p0')
	fi
	ip -n "$FAR" -batch - <<<"$(printf '%s\n' "${far[@]}")"
	soon 10 joined "$1"
}

# joined MODE: both ends have link; in active-backup, over the same cable.
joined() {
	local far
	sys_is bond0 carrier 1 || return
	far=$(ip -n "$FAR" -d -j link show bond0 | jq -r '.[0] | "\(.flags | contains(["LOWER_UP"])) \(.linkinfo.info_data.active_slave)"')
	[[ $far == true* ]] || return
	[[ $1 != active-backup ]] || { sys_is bond0 bonding/active_slave v0 && [[ $far == 'true p0' ]]; }
}

# legs up|down: both cables, pulled out or put in at the far end.
legs() { ip -n "$FAR" -batch - <<<"$(printf 'link set p0 %s\nlink set p1 %s\n' "$1" "$1")"; }

# know_each_other: neither end has to ask for the other's hardware address, where the answer might be lost.
know_each_other() {
	local far
	far=$(ip -n "$FAR" -j link show bond0 | jq -r '.[0].address')
	sys bond0 address
	links "neigh replace 10.9.0.2 lladdr $far dev bond0 nud permanent"
	ip -n "$FAR" neigh replace 10.9.0.1 lladdr "$REPLY" dev bond0 nud permanent
}

# The ends of all traffic.
ends=(10.9.0.1 10.9.0.2)

engine() { # engine NAME [KEY VALUE]...
	local name=$1
	shift
	"$TRAFFICTOOL" "$name" "/run/netns/$NS" "${ends[0]}" "/run/netns/$FAR" "${ends[1]}" "$@"
}

# runs NAME [KEY VALUE]...: it must end with status 0; its lines are in $lines.
runs() {
	attempt engine "$@" || return
	((status == 0)) || complain "traffictool $*: expected status 0, got $status"
}

# fails WORD NAME [KEY VALUE]...: it must end with status 1 and say the word.
fails() {
	local word=$1
	shift
	attempt engine "$@" || return
	((status == 1)) || complain "traffictool $*: expected status 1, got $status"
	says "$word"
}

# begins NAME [KEY VALUE]...: in the background, until the engine has been started; $TOOL is its process. What it says goes to
# a file of its own: in that of another run there is a "go" already, until the new process has come to empty it.
begins() {
	local name=$1 said=$BATS_TEST_TMPDIR/said-${#SAID[@]}
	shift
	"$TRAFFICTOOL" "$name" "/run/netns/$NS" "${ends[0]}" "/run/netns/$FAR" "${ends[1]}" progress 1 "$@" >"$said" 2>"$said.err" 3>&- &
	TOOL=$!
	HELD+=("$TOOL")
	SAID[TOOL]=$said
	soon 20 grep -q '^go' "$said" || { cat "$said.err" >&2; return 1; }
}

# stop_it [PROCESS]: it ends as if its time were over.
stop_it() { kill -TERM "${1:-$TOOL}"; }

# have_sent COUNT: so many of our connections have sent 100 kB.
have_sent() { (($(inside ss -tinH state established | grep -cE 'bytes_sent:[0-9]{6}') >= $1)); }

nobody_there() { [[ -z $(ip netns pids "$FAR") && -z $(ip netns pids "$NS") ]]; }

# --- requests and responses ---

@test "200 flows of 81920 bytes each way overlap over two slaves, each from its own port, again and again from the same ones" {
	two_bonds balance-xor
	local ms transactions
	for ms in 700 400 400; do
		runs rr flows 200 port 20000 server-port 5000 ms "$ms"
		value_is open 200 broken 0 errno none
		[[ $output != *wrong-port* ]] || complain 'a flow has another port'
		value transactions
		transactions=$REPLY
		value_is latencies "$transactions"
		((transactions >= 200)) || complain "only $transactions transactions"
		between $((transactions * 81920)) bytes-received $(((transactions + 200) * 81920))
		between $((transactions * 81920)) bytes-sent $(((transactions + 200) * 81920))
		between 1 fewest "$transactions"
	done
}

@test "requests and responses of any size go through whole, one or many at a time, over IPv6 as well" {
	two_bonds balance-rr
	local request response depth transactions
	ends=(fd00::1 fd00::2)
	while read -r request response depth; do
		runs rr flows 5 request "$request" response "$response" depth "$depth" ms 300
		value_is open 5 broken 0
		value transactions
		transactions=$REPLY
		((transactions > 0)) || complain 'no transaction'
		between $((transactions * response)) bytes-received $((transactions * response + 5 * depth * response))
		between $((transactions * request)) bytes-sent $((transactions * request + 5 * depth * request))
	done <<-'END'
		1 1 1
		1 1 64
		1 3000000 1
		3000000 1 2
		65537 100001 7
	END
}

@test "flows whose path is gone stall, and none is broken; they are so at an end then, or go on when it is back" {
	local ended
	two_bonds active-backup
	begins rr flows 10 stall-ms 300 ms 60000
	ended=$TOOL
	begins rr flows 10 stall-ms 300 ms 60000 settle-ms 30000
	ip -n "$FAR" link set bond0 down
	sleep 2
	stop_it "$ended"
	ends_well "$ended"
	value_is open 10 broken 0 stalls 10 stalled-now 10
	ip -n "$FAR" link set bond0 up
	# their timers have doubled a few times; it ends when none stalls
	stop_it
	ends_well
	value_is open 10 broken 0 stalled-flows 10 stalled-now 0
	between 10 stalls 60
	# what the machine did not let the engine run is not the flows' silence
	value absent-ms
	between $((REPLY < 1500 ? 1500 - REPLY : 300)) silence-ms 60000
}

@test "flows that are reset are counted, and the others go on" {
	two_bonds balance-xor
	runs rr flows 20 port 20000 ms 500 break 7
	value_is open 13 broken 7 errno ECONNRESET stalled-now 0
	between 1 fewest 1000000
}

@test "flows that cannot be connected, sizes and counts that cannot be, are errors" {
	two_bonds active-backup
	fails 'between 1 and' rr flows 0
	fails 'between 1 and' rr response 0
	fails 'between 1 and' rr depth 100000
	fails 'ulimit' rr flows 2000
	fails 'ports from 65500' rr flows 100 port 65500
	ip -n "$FAR" link set bond0 down
	fails '0 of 5 flows' rr flows 5 connect-ms 500
	ends=(10.9.0.1 10.9.0.77)
	fails 'cannot bind' rr
	ends=(10.9.0.1 nonsense)
	fails 'no IPv4 or IPv6 address' rr
	nobody_there
}

# --- iperf3 ---

@test "iperf3 runs both ways with its streams at their ports, TCP and UDP" {
	two_bonds balance-xor
	local words tool both
	for words in '' 'udp 1 rate 2000000'; do
		both=()
		# shellcheck disable=SC2086 # words
		begins iperf3 seconds 1 interval-ms 500 streams 3 port 41000 $words
		both+=("$TOOL")
		# shellcheck disable=SC2086 # words
		begins iperf3 seconds 1 interval-ms 500 streams 3 port 41200 reverse 1 $words
		both+=("$TOOL")
		for tool in "${both[@]}"; do
			ends_well "$tool"
			value_is outcome complete error '' streams 3 reported 3 missing 0 intervals 2
			value port
			same ports "$(grep '^port' <<<"$output" | sort -u | wc -l)" 3
			((41000 <= REPLY && REPLY < 41400)) || complain "port $REPLY"
			between 1000 received-bytes 1000000000000
		done
	done
	value version
	[[ $REPLY == 'iperf '* ]]
	nobody_there
}

@test "an iperf3 that is stopped says what it knows, and the next run is not in its way" {
	two_bonds balance-xor
	local stop
	for stop in 0 0.3 0.6; do
		begins iperf3 seconds 30 port 41000
		soon 20 have_sent 4
		sleep "$stop"
		stop_it
		ends_well
		value_is outcome stopped reported 4 missing 0 received-bytes -1
		between 1000 sent-bytes 1000000000000
		between 0 life-ms 20000
	done
	nobody_there
}

@test "an iperf3 whose link goes away for good is ended at our deadline, with what it knows" {
	two_bonds active-backup
	local look tool both=()
	for look in 1 0; do
		begins iperf3 seconds 5 slack-ms 1000 look "$look"
		both+=("$TOOL")
	done
	soon 20 have_sent 8
	ip -n "$FAR" link set bond0 down
	for tool in "${both[@]}"; do
		ends_well "$tool"
		value_is outcome hung complete 0
		value why
		[[ $REPLY == *'did not end within 1000 ms after its 5 s'* ]]
		between 1 sent-bytes 1000000000000
		between 5900 life-ms 60000
	done
	nobody_there
}

@test "an iperf3 whose server is killed has failed, and its intervals are there" {
	two_bonds balance-xor
	begins iperf3 seconds 10 interval-ms 200
	soon 20 have_sent 4
	# an interval or two
	sleep 0.5
	# shellcheck disable=SC2046 # one
	kill -KILL $(ip netns pids "$FAR")
	ends_well
	value_is outcome failed complete 0
	between 1 intervals 49
	between 1 sent-bytes 1000000000000
	nobody_there
}

@test "an iperf3 that is killed has died" {
	two_bonds balance-xor
	begins iperf3 seconds 10
	# shellcheck disable=SC2046 # one
	kill -KILL $(ip netns pids "$NS")
	ends_well
	value_is outcome died sent-bytes -1 missing 4
	value why
	[[ $REPLY == *'signal 9'* ]]
}

@test "an iperf3 that is not there, or is no iperf3, is an error or has failed" {
	two_bonds balance-xor
	fails "no program 'iperf3-that-is-not-there'" iperf3 program iperf3-that-is-not-there
	fails 'does not serve' iperf3 program false
	printf '#!/bin/sh\nexec sleep 100\n' >"$BATS_TEST_TMPDIR/silent"
	chmod +x "$BATS_TEST_TMPDIR/silent"
	fails 'does not listen' iperf3 program "$BATS_TEST_TMPDIR/silent" listen-ms 300
	# serves, and asks for nothing: a client that says nonsense, and one that never ends and ignores SIGTERM
	# shellcheck disable=SC2016 # its words
	printf '#!/bin/sh\n[ "$1" = -s ] && { echo Server listening; exec sleep 100; }\necho nonsense; exit 0\n' >"$BATS_TEST_TMPDIR/silent"
	runs iperf3 program "$BATS_TEST_TMPDIR/silent"
	value_is outcome failed complete 0 missing 4
	# shellcheck disable=SC2016 # its words
	printf '#!/bin/sh\n[ "$1" = -s ] && { echo Server listening; exec sleep 100; }\ntrap "" TERM; sleep 100; sleep 100\n' >"$BATS_TEST_TMPDIR/silent"
	runs iperf3 program "$BATS_TEST_TMPDIR/silent" seconds 1 slack-ms 200 grace-ms 300
	value_is outcome hung complete 0
	between 1500 life-ms 8000
	fails 'between 1 and' iperf3 streams 129
	nobody_there
}

@test "an iperf3 whose client is started has a server that listens, and its port is no other's" {
	two_bonds balance-xor
	begins iperf3 server-port 5300 seconds 10
	same listeners "$(ip netns exec "$FAR" ss -Hltn 'sport = :5300' | wc -l)" 1
	fails 'Address already in use' iperf3 server-port 5300
	kill -KILL "$TOOL"
	soon 10 nobody_there
}

@test "no iperf3 survives a caller that is killed" {
	two_bonds balance-xor
	begins iperf3 seconds 100
	kill -KILL "$TOOL"
	soon 10 nobody_there
}

# --- the probe ---

@test "an idle path has no loss, no duplicate, nothing out of order, and the probe knows how well it knows that" {
	two_bonds active-backup
	local way ip probe sent probes=()
	for ip in 4 6; do
		((ip == 6)) && ends=(fd00::1 fd00::2)
		begins probe ms 600
		probes+=("$TOOL")
	done
	for probe in "${probes[@]}"; do
		ends_well "$probe"
		value_is idle-lost 0
		between 1000 idle-resolution-us 10000000
		for way in 0 1; do
			value_is "lost-$way" 0 "duplicated-$way" 0 "reordered-$way" 0 "unsent-$way" 0 "foreign-$way" 0 "overflown-$way" 0 \
				"pending-$way" 0 "lost-outside-$way" 0
			value "sent-$way"
			value_is "received-$way" "$REPLY"
		done
		[[ $output != *outage* ]] || complain 'an outage'
		# every slot was used or skipped
		value sent-0
		sent=$REPLY
		value all-skipped
		value_is all-slots $((sent + REPLY))
	done
}

@test "a path that is gone is an outage both ways, explained by its event and by nothing else" {
	two_bonds active-backup
	local explained way ms lost probes=()
	for explained in 0 1; do
		begins probe ms 60000 calibrate-ms 200 settle-ms 10000 explained "$explained"
		probes[explained]=$TOOL
	done
	sleep 0.3
	legs down
	sleep 1
	legs up
	soon 10 joined active-backup
	# they end when their datagrams arrive again: a neighbour that was forgotten is asked for once a second
	stop_it "${probes[0]}"
	stop_it "${probes[1]}"
	for explained in 0 1; do
		ends_well "${probes[explained]}"
		for way in 0 1; do
			value "lost-$way"
			lost=$REPLY
			((lost > 0)) || complain "nothing lost on way $way"
			if ((explained)); then
				value_is "lost-within-$way" "$lost" "lost-outside-$way" 0
			else
				value_is "lost-within-$way" 0 "lost-outside-$way" "$lost"
			fi
			value "outage-$way"
			[[ $REPLY != *open ]] || complain 'it is not over'
			read -r ms _ <<<"$REPLY"
			((ms >= 900)) || complain "an outage of $ms ms"
		done
		value_is idle-lost 0
	done
}

@test "what the kernel does not take from an end whose bond is down is unsent, and lost" {
	two_bonds active-backup
	begins probe ms 60000 calibrate-ms 100
	ip -n "$FAR" link set bond0 down
	sleep 1
	stop_it
	ends_well
	value lost-1
	value_is unsent-1 "$REPLY" unsent-0 0
	between 1 lost-1 60000
	value outage-1
	[[ $REPLY == *open ]] || complain 'it is over'
}

@test "loss, duplicates and a changed order on the way are counted as what they are" {
	two_bonds active-backup
	know_each_other
	sys bond0 bonding/active_slave
	inside tc qdisc add dev "$REPLY" root netem loss 10% 2>/dev/null || skip 'this kernel has no netem'
	local slave=$REPLY
	runs probe ms 700 calibrate-ms 100 drain-ms 200
	between 1 lost-0 1000
	value_is duplicated-0 0 reordered-0 0 lost-1 0
	inside tc qdisc change dev "$slave" root netem duplicate 20%
	runs probe ms 700 calibrate-ms 100
	between 1 duplicated-0 1000
	value_is lost-0 0 lost-1 0 duplicated-1 0
	# half of them wait, the others overtake them
	inside tc qdisc change dev "$slave" root netem delay 60ms reorder 50%
	runs probe ms 700 calibrate-ms 100
	between 1 reordered-0 2000
	value_is lost-0 0 duplicated-0 0 reordered-1 0 lost-1 0
}

@test "a broadcast bond's copies are duplicates, unless they are meant" {
	two_bonds broadcast
	runs probe ms 800 calibrate-ms 100
	value received-0
	local received=$REPLY
	between 1 duplicated-0 "$received"
	value_is lost-0 0 lost-1 0
	runs probe ms 800 calibrate-ms 100 copies 2
	value_is duplicated-0 0 duplicated-1 0 lost-0 0 lost-1 0
}

@test "the engines run beside each other, and end at once when they are told" {
	two_bonds balance-xor
	local flows
	begins rr flows 50 ms 20000
	flows=$TOOL
	begins probe ms 20000
	stop_it
	ends_well
	value_is lost-0 0 lost-1 0
	between 0 stop-ms 5000
	stop_it "$flows"
	ends_well "$flows"
	value_is broken 0 open 50
	between 0 duration-ms 15000
}

@test "without the privilege to enter a namespace it is said, and nothing has run" {
	two_bonds balance-xor
	local name program=$BATS_TEST_TMPDIR/traffictool
	for name in rr probe iperf3; do
		exec {program}<"$TRAFFICTOOL"
		attempt setpriv --reuid 65534 --regid 65534 --clear-groups "/proc/self/fd/$program" "$name" "/run/netns/$NS" 10.9.0.1 \
			"/run/netns/$FAR" 10.9.0.2
		exec {program}<&-
		same 'exit status' "$status" 1
		says 'Operation not permitted'
	done
	nobody_there
}
