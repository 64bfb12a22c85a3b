#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Another program at the addresses, routes and nexthops of a bond, in the windows before and after the datagram that cycles it:
# what it leaves is what there is in the end, however much it is, and nobody is told of what nobody did.
# shellcheck disable=SC2317 # meanwhile() is called by stopped_after()

bats_require_minimum_version 1.5.0

load ../lib/live

CHANGE='set bond0 mode balance-rr --cycle'
BACK='set bond0 mode active-backup --cycle'

setup() {
	live_setup
	quiet_ipv6
	DIR=$BATS_TEST_TMPDIR
	pairs 0 1
	dummies d0
	good create bond0 mode active-backup slaves v0 v1 up
	settled
	links 'addr add 10.0.0.1/24 dev bond0' 'addr add 2001:db8::1/64 dev bond0' 'link set d0 up' 'addr add 10.55.0.1/24 dev d0' \
		'addr add 2001:db8:55::1/64 dev d0'
}

teardown() { live_teardown; }

# settled: the bond has its link and its link-local address.
settled() {
	soon 10 sys_is bond0 carrier 1
	soon 10 addressed bond0
}

# first_request: the number of the datagram that begins the cycle, into $FIRST; the bond is as before.
first_request() {
	# shellcheck disable=SC2086 # words
	request first $CHANGE
	FIRST=$REPLY
	# shellcheck disable=SC2086
	good $BACK
	settled
}

# others N COMMANDS...: ip does these when request number N of the cycle is done; that is then what there is to be.
others() {
	local n=$1
	shift
	COMMANDS=("$@")
	meanwhile() {
		links "${COMMANDS[@]}"
		remember
	}
	# shellcheck disable=SC2086
	stopped_after "$n" $CHANGE
	same "status beside '$*'" "$status" 0
	settled
	as_before 'bond0 mode' '* active_slave' 'v0 *' 'v1 *' 'bond0 route unicast 2001:db8::/64 *'
}

# each OFFSET: so many requests after the one that begins the cycle. Reads lines "what there is before|what others do", each part commands with ";" between, and does that on a bond0 without them.
each() {
	local offset=$1 given theirs commands
	while IFS='|' read -r -u 4 given theirs; do
		echo "$given | $theirs" >&2 # the last is the one that fails
		IFS=';' read -ra commands <<<"$given"
		links "${commands[@]}"
		first_request
		IFS=';' read -ra commands <<<"$theirs"
		others $((FIRST + offset)) "${commands[@]}"
		# shellcheck disable=SC2086
		good $BACK
		links 'nexthop flush' 'route flush 10.60.0.0/16'
		ip -n "$NS" -6 route flush 2001:db8:60::/48
		ip -n "$NS" addr del 2001:db8::7/64 dev bond0 2>/dev/null || true
		ip -n "$NS" addr add 10.0.0.1/24 dev bond0 2>/dev/null || true
		settled
	done
}

@test "what others make of lifetimes, of routes with several hops and of nexthops before the first step is what there is" {
	each -1 4<<-'EOF'
		addr add 2001:db8::7/64 dev bond0 valid_lft 1000 preferred_lft 500|addr change 2001:db8::7/64 dev bond0 valid_lft forever preferred_lft forever
		addr add 2001:db8::7/64 dev bond0|addr change 2001:db8::7/64 dev bond0 valid_lft 1000 preferred_lft 500
		route add 2001:db8:60::/48 nexthop via 2001:db8::9 nexthop via 2001:db8::a|route del 2001:db8:60::/48 via 2001:db8::9
		route add 2001:db8:60::/48 nexthop via 2001:db8::9 nexthop via 2001:db8:55::a|route del 2001:db8:60::/48 via 2001:db8::9
		route add 2001:db8:60::/48 via 2001:db8::9|route append 2001:db8:60::/48 via 2001:db8::a
		route add 2001:db8:60::/48 via 2001:db8::9|route replace 2001:db8:60::/48 via 2001:db8:55::9
		nexthop add id 1 via 10.0.0.9 dev bond0|nexthop add id 2 via 10.0.0.10 dev bond0;nexthop add id 10 group 1/2;route add 10.60.0.0/16 nhid 10
		nexthop add id 1 via 10.0.0.9 dev bond0;nexthop add id 2 via 10.55.0.9 dev d0;nexthop add id 10 group 1/2;route add 10.60.0.0/16 nhid 10|nexthop add id 3 via 10.0.0.11 dev bond0;nexthop replace id 10 group 1/2/3
		nexthop add id 1 via 10.0.0.9 dev bond0;nexthop add id 2 via 10.0.0.10 dev bond0;nexthop add id 10 group 1/2;route add 10.60.0.0/16 nhid 10|nexthop del id 1
		nexthop add id 2 via 10.55.0.9 dev d0;nexthop add id 10 group 2;route add 10.60.0.0/16 nhid 10|nexthop add id 1 via 10.0.0.9 dev bond0;nexthop replace id 10 group 1/2
		nexthop add id 1 via 10.0.0.9 dev bond0;route add 10.60.0.0/16 nhid 1|nexthop replace id 1 via 10.55.0.10 dev d0
		nexthop add id 1 via 10.0.0.9 dev bond0;nexthop add id 10 group 1;route add 10.60.0.0/16 nhid 10|nexthop del id 10
		route add 10.60.0.0/16 via 10.0.0.9|addr del 10.0.0.1/24 dev bond0
	EOF
}

@test "what another program has removed since is told to a person by its name" {
	# shellcheck disable=SC2086 # words
	request last $CHANGE
	local last=$REPLY
	# shellcheck disable=SC2086
	good $BACK
	settled
	meanwhile() { links 'addr del 2001:db8::1/64 dev bond0'; }
	# shellcheck disable=SC2086
	FORMAT=--color=never stopped_after "$last" $CHANGE
	same status "$status" 0
	same 'what is said' "$output" 'bondctl: bond0: address 2001:db8::1/64: another program has removed it since'
}

@test "a group of nexthops that another program removes while they are read takes its route along" {
	first_request
	links 'nexthop add id 1 via 10.0.0.9 dev bond0' 'nexthop add id 10 group 1' 'route add 10.60.0.0/16 nhid 10'
	others $((FIRST - 1)) 'nexthop del id 10'
}

@test "of two routes to a prefix it is the first that another program replaces" {
	first_request
	links 'route add 10.60.0.0/16 via 10.0.0.9' 'route append 10.60.0.0/16 via 10.0.0.10'
	meanwhile() { links 'route replace 10.60.0.0/16 via 10.0.0.11'; }
	# shellcheck disable=SC2086
	stopped_after $((FIRST - 1)) $CHANGE
	same status "$status" 0
	same routes "$(inside ip route show 10.60.0.0/16 | awk '{ print $3 }' | sort | paste -sd' ')" '10.0.0.10 10.0.0.11'
	json_true '[.changes[] | select(.outcome == "overridden").value] == ["route 10.60.0.0/16 via 10.0.0.9"]'
}

@test "what others remove after the first step stays away, and what goes along with it is no failure" {
	each 0 4<<-'EOF'
		addr add 2001:db8::7/64 dev bond0|addr del 2001:db8::7/64 dev bond0
		route add 10.60.0.0/16 via 10.0.0.9|addr del 10.0.0.1/24 dev bond0
		nexthop add id 1 via 10.0.0.9 dev bond0;route add 10.60.0.0/16 nhid 1|nexthop del id 1
		nexthop add id 1 via 10.0.0.9 dev bond0;route add 10.60.0.0/16 nhid 1|nexthop replace id 1 via 10.55.0.10 dev d0
		nexthop add id 1 via 10.0.0.9 dev bond0;nexthop add id 2 via 10.0.0.10 dev bond0;nexthop add id 10 group 1/2;route add 10.60.0.0/16 nhid 10|nexthop del id 1
		nexthop add id 1 via 10.0.0.9 dev bond0|nexthop add id 2 via 10.0.0.10 dev bond0;nexthop add id 10 group 1/2;route add 10.60.0.0/16 nhid 10
		route add 2001:db8:60::/48 nexthop via 2001:db8::9 nexthop via 2001:db8::a|route del 2001:db8:60::/48 via 2001:db8::9
		route add 2001:db8:60::/48 via 2001:db8::9|route append 2001:db8:60::/48 via 2001:db8::a
	EOF
}

# routes N [WORDS...]: ip commands that add N routes over bond0, one a line.
routes() {
	local n
	for ((n = 0; n < $1; n++)); do echo "route add 10.$((100 + n / 250)).$((n % 250)).0/24 via 10.0.0.9 ${*:2}"; done
}

@test "thousands of routes that another program adds before the first step are all there, and in no time" {
	local began
	first_request
	routes 20000 >"$DIR/routes"
	meanwhile() {
		ip -n "$NS" -batch "$DIR/routes"
		began=$EPOCHSECONDS
	}
	# shellcheck disable=SC2086
	stopped_after $((FIRST - 1)) $CHANGE
	same status "$status" 0
	((EPOCHSECONDS - began < 12)) || complain "it took $((EPOCHSECONDS - began)) s"
	same routes "$(inside ip route show via 10.0.0.9 | wc -l)" 20000
	json_true '[.changes[] | select(.outcome != "applied")] == []'
}

@test "a program that does not stop adding routes holds no cycle up" {
	local before
	(routes 14000; routes 14000 metric 7; routes 14000 metric 8) >"$DIR/routes"
	# while the bond is closed there is no way to the gateway: what it tries then is refused
	ip -n "$NS" -force -batch "$DIR/routes" 2>"$DIR/refused" 3>&- &
	local other=$! refused
	sleep 0.3
	before=$EPOCHSECONDS
	# shellcheck disable=SC2086
	good --json $CHANGE
	((EPOCHSECONDS - before < 20)) || complain "it took $((EPOCHSECONDS - before)) s"
	wait "$other" || true
	refused=$(grep -c '^Command failed' "$DIR/refused" || true)
	((refused < 4000)) || complain "it could hardly add any: $refused were refused"
	same routes "$(inside ip route show via 10.0.0.9 | wc -l)" "$((42000 - refused))"
}

@test "thousands of our own routes are not called those of another program, nor where the buffer is small" {
	routes 12000 | ip -n "$NS" -batch -
	# shellcheck disable=SC2086
	good --json $CHANGE
	json_true '[.changes[] | select(.outcome != "applied")] == []'
	same routes "$(inside ip route show via 10.0.0.9 | wc -l)" 12000
	cat >"$DIR/user" <<-'EOF'
		set -e
		ip link add v0 type veth peer name p0
		ip link set p0 up
		"$BONDCTL" create bond0 mode active-backup slaves v0 up
		ip addr add 10.0.0.1/24 dev bond0
		ip addr add 2001:db8::1/64 dev bond0 nodad
		for ((n = 0; n < 1500; n++)); do
			echo "route add 10.$((100 + n / 250)).$((n % 250)).0/24 via 10.0.0.9"
			printf 'route add 2001:db8:%x::/48 via 2001:db8::9\n' $((n + 16))
		done | ip -batch -
		"$BONDCTL" --json set bond0 mode balance-rr --cycle
	EOF
	output=$(BONDCTL=$BONDCTL setpriv --reuid 1000 --regid 1000 --clear-groups unshare -Urn bash <"$DIR/user")
	json_true '[.changes[] | select(.outcome != "applied")] == []'
}
