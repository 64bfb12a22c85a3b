#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# All or nothing: changes that the kernel refuses half-way, or that a signal stops, leave what was before, with everything that
# hung on it. What was before is recorded with ip, rawlink and sysfs.

bats_require_minimum_version 1.5.0

load ../lib/live

setup() {
	live_setup
	quiet_ipv6
}

teardown() { live_teardown; }

# A device that no bond takes but an active-backup one without slaves.
odd_device() { refused_device t0; }

# ports NAME...: veths that are up, of which each has an address and a route of both families, and a neighbour.
ports() {
	local n lines=()
	pairs "$@"
	for n; do
		lines+=("link set v$n mtu 1600" "link set v$n up" "addr add 10.8.$n.1/24 dev v$n" "addr add 2001:db8:8:$n::1/64 dev v$n nodad"
			"route add 10.88.$n.0/24 via 10.8.$n.9" "route add 2001:db8:88:$n::/64 via 2001:db8:8:$n::9"
			"neigh add 10.8.$n.9 lladdr 02:00:00:00:00:08 dev v$n nud permanent")
	done
	links "${lines[@]}"
	for n; do soon 10 addressed "v$n"; done
}

# --- the kernel refuses half-way ---

@test "a slave that the driver refuses gives back those before it, with addresses, routes, neighbours and MTU" {
	ports 0 1
	odd_device
	good create bond0 mode balance-rr mtu 1400 up
	remember
	bad 8 --json enslave bond0 v0 v1 t0
	json .error.device '"t0"' .error.cause '"refused"'
	json_true '[.changes[] | select(.action == "enslave" and .device != "t0").outcome] == ["rolled_back", "rolled_back"]'
	soon 10 addressed v1
	as_before 'bond0 addr_assign_type' 'bond0 address' 'bond0 address inet6 fe80*' 'bond0 route * fe80*' 'bond0 route multicast *'
}

@test "a creation that the driver refuses half-way gives back everything" {
	ports 0 1
	odd_device
	remember
	bad 8 create bond0 mode 802.3ad slaves v0 v1 t0 up
	gone bond0
	soon 10 addressed v1
	as_before
}

@test "a cycle that the driver refuses half-way puts the bond back as it was, in use" {
	pairs 0 1
	small_device m0
	good create bond0 mode balance-rr slaves v0 m0 v1 slave v1 queue_id 3 up
	soon 10 addressed bond0
	links 'addr add 10.0.0.1/24 dev bond0' 'addr add 2001:db8::1/64 dev bond0 nodad' 'route add default via 10.0.0.9' \
		'route add 2001:db8:9::/48 via 2001:db8::9' 'neigh add 10.0.0.9 lladdr 02:00:00:00:00:09 dev bond0 nud permanent' \
		'link add link bond0 name vlan5 type vlan id 5' 'link set vlan5 addrgenmode none' 'link set vlan5 up' 'addr add 10.5.0.1/24 dev vlan5' \
		'link add link bond0 name vlan6 type vlan id 6' 'addr add 10.6.0.1/24 dev vlan6'
	remember
	try --json set bond0 mode balance-xor miimon 50 mtu 9000 --cycle
	((status == 8 || status == 1)) || complain "expected a refusal, got $status"
	json_true '.error.device == "m0" or .error.option == "mtu"'
	soon 10 addressed bond0
	as_before
	bad 8 set bond0 mode balance-alb miimon 50 resend_igmp 9 slave v0 queue_id 9 mtu 9000 --cycle
	soon 10 addressed bond0
	as_before
}

@test "a slave stolen from a bridge goes back when the second half fails, with its settings there" {
	ports 0
	odd_device
	links 'link add br0 type bridge vlan_filtering 1' 'link set br0 up' 'link set v0 master br0'
	bridge -n "$NS" link set dev v0 cost 77 priority 9 isolated on learning off
	bridge -n "$NS" vlan add dev v0 vid 33 pvid untagged
	bridge -n "$NS" fdb add 02:00:00:00:00:02 dev v0 master static
	good create bond0 mode balance-rr
	remember
	local port
	port=$(port_of_bridge v0)
	try --json enslave bond0 v0 t0 --steal
	((status == 8 || status == 1)) || complain "expected a refusal, got $status"
	master_is v0 br0
	soon 10 addressed v0
	as_before 'bond0 addr*'
	# the port's own settings come back, or it is said that they do not
	if [[ $(port_of_bridge v0) != "$port" ]]; then
		json_true '.changes | any(.[]; .device == "v0" and ([.value, .note] | map(. // "") | join(" ") | test("br0|port|bridge")))'
	fi
}

# port_of_bridge DEVICE: what the bridge has about its port, but for its state.
port_of_bridge() {
	bridge -n "$NS" -j -d link show dev "$1" | jq -c '.[] | del(.flags, .state, .operstate)'
	bridge -n "$NS" -j vlan show dev "$1" | jq -c '.[].vlans'
	bridge -n "$NS" -j fdb show br br0 brport "$1" | jq -c '[.[] | select(.state == "static") | [.mac, .vlan]] | sort'
}

@test "a slave stolen from another bond goes back when the second half fails, with its options there" {
	pairs 0 1 2
	odd_device
	good create bond1 mode active-backup slaves v0 v1 v2 slave v1 queue_id 3 prio 7 up
	soon 10 sys_is bond1 bonding/active_slave v1
	soon 10 sys_is v2 bonding_slave/mii_status up
	soon 10 addressed bond1
	good create bond0 mode balance-rr mtu 1400
	remember
	try --json enslave bond0 v1 t0 --steal
	((status == 8 || status == 1)) || complain "expected a refusal, got $status"
	master_is v1 bond1
	as_before 'bond0 addr*' 'bond1 order'
	soon 10 sys_is bond1 bonding/active_slave v1
}

@test "what has been undone can be done again without the obstacle" {
	ports 0
	odd_device
	good create bond0 mode balance-rr up
	bad 8 enslave bond0 v0 t0
	good enslave bond0 v0
	slaves_are bond0 v0
	admin v0 up
}

@test "a device that vanishes on the way does not keep the rest from being undone" {
	pairs 0 1 2
	good create bond0 mode balance-rr slaves v0 v1 v2 up
	soon 10 addressed bond0
	links 'addr add 10.0.0.1/24 dev bond0' 'route add default via 10.0.0.9'
	remember
	# p1 goes at some moment of a cycle: it is done without v1, or undone without v1
	hold sh -c "sleep 0.0$((RANDOM % 5)); exec ip -n '$NS' link del p1"
	try --json set bond0 mode balance-xor --cycle
	wait "${HELD[-1]}" || true
	((status == 0 || status == 1 || status == 3 || status == 8)) || complain "status $status"
	admin bond0 up
	soon 10 addressed bond0
	slaves_are bond0 v0 v2
	as_before 'bond0 mode' 'bond0 order' 'v1 *'
}

# --- at every step ---

# A bond of three slaves, in use, of which one is taken in and one out, while everything is cycled; CHANGE does that.
scene() {
	pairs 0 1 2 3
	good create bond0 mode balance-rr slaves v2 v0 v1 slave v0 queue_id 3 up
	links 'link set v1 mtu 1400' 'link set v3 mtu 1600' 'link set v3 up' 'addr add 10.8.0.1/24 dev v3' 'addr add 2001:db8:8::1/64 dev v3 nodad' \
		'route add 10.88.0.0/16 via 10.8.0.9'
	soon 10 addressed bond0
	soon 10 addressed v3
	links 'addr add 10.0.0.1/24 dev bond0' 'addr add 2001:db8::1/64 dev bond0 nodad' 'route add default via 10.0.0.9' \
		'route add 2001:db8:9::/48 via 2001:db8::9' 'neigh add 10.0.0.9 lladdr 02:00:00:00:00:09 dev bond0 nud permanent' \
		'link add link bond0 name vlan5 type vlan id 5' 'link set vlan5 addrgenmode none' 'link set vlan5 up' 'addr add 10.5.0.1/24 dev vlan5' \
		'route add 10.55.0.0/16 via 10.5.0.9' 'link add link bond0 name vlan6 type vlan id 6'
	echo '{"name": "bond0", "mode": "balance-xor", "miimon": 50, "resend_igmp": 9, "slaves": ["v2", "v0", "v3"]}' >"$BATS_TEST_TMPDIR/document"
	CHANGE=(apply "$BATS_TEST_TMPDIR/document" --cycle)
}

# traced INJECTION WORDS...: bondctl under strace, which counts its requests or does something at one of them.
traced() {
	local inject=$1
	shift
	status=0
	nsenter --net="/run/netns/$NS" env --default-signal=INT strace -qq "${STRACE_ENV[@]}" -o "$BATS_TEST_TMPDIR/trace" -e trace=sendto,sendmsg \
		${inject:+-e "inject=sendto,sendmsg:$inject"} "$BONDCTL" --json "$@" >"$BATS_TEST_TMPDIR/stdout" 2>/dev/null || status=$?
	output=$(<"$BATS_TEST_TMPDIR/stdout")
}

# requests: FIRST and LAST, the numbers of the first and the last request of CHANGE that changes something.
requests() {
	traced '' "${CHANGE[@]}"
	((status == 0)) || complain "the change itself: status $status"
	read -r FIRST LAST < <(awk '/RTM_(NEW|DEL)/ { if (!first) first = NR; last = NR } END { print first, last }' "$BATS_TEST_TMPDIR/trace")
	((FIRST > 1 && LAST > FIRST + 1)) || complain "strace saw the requests $FIRST to $LAST"
}

# again: the scene anew.
again() {
	links 'link del bond0' 'link del v0' 'link del v1' 'link del v2' 'link del v3'
	scene
}

@test "a signal at any request of a change leaves all of it or nothing" {
	local n signals=(INT TERM HUP) done_times=0 undone_times=0
	scene
	requests
	again
	remember
	for ((n = FIRST - 1; n <= LAST + 1; n++)); do
		traced "signal=${signals[n % 3]}:when=$n" "${CHANGE[@]}"
		soon 10 addressed bond0
		sys bond0 bonding/mode
		case $status/$REPLY in
		0/balance-xor*)
			done_times=$((done_times + 1))
			slaves_are bond0 v2 v0 v3
			again
			remember
			;;
		8/balance-rr*)
			undone_times=$((undone_times + 1))
			json .error.cause '"cancelled"'
			soon 10 addressed v3
			as_before 'bond0 order' || { echo "SIG${signals[n % 3]} at request $n of $FIRST to $LAST" >&2; return 1; }
			# the order in which slaves have joined cannot be put back by putting back one
			slaves_are bond0 v2 v0 v1
			;;
		129/balance-rr* | 130/balance-rr* | 143/balance-rr*)
			# while it read
			((n < FIRST)) || complain "it died at request $n"
			as_before
			;;
		*)
			complain "SIG${signals[n % 3]} at request $n of $FIRST to $LAST: status $status, mode $REPLY"
			;;
		esac
	done
	echo "# requests $FIRST to $LAST: $done_times times done, $undone_times times undone" >&3
	((undone_times > 0)) || complain 'hardly any signal has hit the change'
}

@test "a request that fails at any step of a change leaves nothing of it" {
	local n
	scene
	requests
	again
	remember
	for ((n = FIRST; n <= LAST; n++)); do
		traced "error=ENOBUFS:when=$n" "${CHANGE[@]}"
		((status == 8 || (status == 1 && n == FIRST))) || complain "request $n of $FIRST to $LAST failed: status $status"
		soon 10 addressed bond0 v3
		as_before || { echo "request $n of $FIRST to $LAST failed" >&2; return 1; }
	done
}

@test "a process that is killed at any request leaves what the same command makes whole" {
	local n
	scene
	requests
	state "$BATS_TEST_TMPDIR/done"
	for ((n = FIRST + 1; n <= LAST; n += 4)); do
		again
		# nobody can undo for who is killed
		traced "signal=KILL:when=$n" "${CHANGE[@]}"
		good "${CHANGE[@]}"
		sys_is bond0 bonding/mode balance-xor
		sys_is bond0 bonding/miimon 50
		master_is v3 bond0
		master_is v1 ''
	done
}

@test "a signal in the middle of a transaction over several bonds undoes all of them" {
	local n lines=() bonds=()
	for ((n = 0; n < 12; n++)); do
		lines+=("link add a$n type dummy" "link add b$n type dummy" "link set a$n up")
		bonds+=("{\"name\": \"n$n\", \"mode\": \"active-backup\", \"slaves\": [\"a$n\", \"b$n\"], \"up\": true}")
	done
	links "${lines[@]}"
	soon 10 addressed a11
	remember
	local IFS=,
	echo "[${bonds[*]}]" >"$BATS_TEST_TMPDIR/document"
	unset IFS
	CHANGE=(apply "$BATS_TEST_TMPDIR/document")
	requests
	there n11
	good apply --prune --force - <<<'[]'
	for ((n = 0; n < 12; n++)); do links "link set a$n up"; done
	soon 10 addressed a11
	remember
	for n in $((FIRST + 3)) $(((FIRST + LAST) / 2)) $((LAST - 1)); do
		traced "signal=INT:when=$n" "${CHANGE[@]}"
		((status == 8)) || complain "at request $n: status $status"
		json .error.cause '"cancelled"'
		soon 10 addressed a11
		as_before
	done
}

# --- signals from outside ---

# The command is stopped at UNDO_MOMENTS moments (5) that cover the whole of its run, one after the other; the seed is printed.
@test "SIGINT and SIGTERM at random moments of a long change leave all of it or nothing" {
	local n code whole step delay lines=() done_times=0 undone_times=0 seed=${UNDO_SEED:-$RANDOM} signals=(INT TERM HUP)
	RANDOM=$seed
	echo "# seed $seed (UNDO_SEED)" >&3
	for ((n = 0; n < 40; n++)); do lines+=("link add d$n type dummy" "link set d$n master bond0"); done
	links 'link add bond0 type bond mode balance-rr miimon 100' "${lines[@]}" 'link set bond0 up' 'link set d7 type bond_slave queue_id 3' \
		'link set d9 mtu 1400' 'link set d11 down' 'addr add 10.0.0.1/24 dev bond0' 'route add default via 10.0.0.9'
	soon 10 addressed bond0
	links 'addr add 2001:db8::1/64 dev bond0 nodad' 'route add 2001:db8:9::/48 via 2001:db8::9'
	remember
	local start=${EPOCHREALTIME/./}
	good set bond0 mode balance-xor --cycle
	whole=$((${EPOCHREALTIME/./} - start))
	good set bond0 mode balance-rr --cycle
	soon 10 addressed bond0
	as_before
	step=$((whole / ${UNDO_MOMENTS:-5}))
	for ((n = 0; n < ${UNDO_MOMENTS:-5}; n++)); do
		printf -v delay '%d.%06d' 0 $(((n * step + RANDOM % (step + 1)) % 1000000))
		: >"$BATS_TEST_TMPDIR/said"
		nsenter --net="/run/netns/$NS" env --default-signal=INT "$BONDCTL" --json set bond0 mode balance-xor --cycle \
			>"$BATS_TEST_TMPDIR/said" 2>&1 3>&- &
		local pid=$!
		sleep "$delay"
		kill -"${signals[n % 3]}" "$pid" 2>/dev/null || true
		code=0
		wait "$pid" || code=$?
		output=$(<"$BATS_TEST_TMPDIR/said")
		soon 10 addressed bond0
		sys bond0 bonding/mode
		case $code/$REPLY in
		0/balance-xor*)
			done_times=$((done_times + 1))
			as_before 'bond0 mode'
			good set bond0 mode balance-rr --cycle
			soon 10 addressed bond0
			;;
		8/balance-rr*)
			undone_times=$((undone_times + 1))
			json .error.cause '"cancelled"'
			as_before
			;;
		129/balance-rr* | 130/balance-rr* | 143/balance-rr*)
			# before it had begun
			as_before
			;;
		129/balance-xor* | 130/balance-xor* | 143/balance-xor*)
			# after the report, before the end
			done_times=$((done_times + 1))
			json '[.changes[] | select(.option == "mode").outcome]' '["applied"]'
			as_before 'bond0 mode'
			good set bond0 mode balance-rr --cycle
			soon 10 addressed bond0
			;;
		*) complain "after $delay s and SIG${signals[n % 3]}: status $code, mode $REPLY" ;;
		esac
	done
	echo "# $done_times times done, $undone_times times undone" >&3
}

@test "the address of a bond without slaves is there again when its first ones are undone, where the driver takes one" {
	local words
	pairs 4 5
	dummies x1
	# a device that cannot be opened, since what it is on is down
	links 'link add link x1 name z0 type vlan id 5'
	echo '[{"name": "bond0", "mode": "active-backup", "slaves": ["v5", "v4", "z0"], "up": true}]' >"$BATS_TEST_TMPDIR/document"
	for words in 'mode active-backup' 'mode balance-rr' 'mode balance-rr fail_over_mac active' 'mode balance-rr fail_over_mac follow'; do
		# shellcheck disable=SC2086 # words
		good create bond0 $words address 02:00:00:00:00:af
		remember
		bad 8 apply "$BATS_TEST_TMPDIR/document" --cycle
		as_before
		good delete bond0
	done
	good create bond0 mode active-backup fail_over_mac active address 02:00:00:00:00:af
	remember
	bad 8 --json apply "$BATS_TEST_TMPDIR/document" --cycle
	as_before 'bond0 address' 'bond0 addr_assign_type'
	json_true '[.changes[] | select(.device == "bond0" and .outcome == "lost") | "\(.option) \(.note)"] | any(test("address .*fail_over_mac none can be set"))'
}

@test "permanent neighbours of devices that are down are there again when their opening is undone" {
	pairs 0
	dummies x1
	# a device that cannot be opened, since what it is on is down
	links 'link add link x1 name z0 type vlan id 5'
	good create bond0 mode active-backup address 02:00:00:00:00:af
	links 'neigh add 10.0.0.7 lladdr 02:00:00:00:00:07 nud permanent dev bond0' 'neigh add 2001:db8::7 lladdr 02:00:00:00:00:07 nud permanent dev bond0' \
		'neigh add proxy 2001:db8::8 dev bond0' 'neigh add 10.0.0.8 lladdr 02:00:00:00:00:08 nud permanent dev v0' 'neigh add proxy 10.0.0.9 dev v0'
	echo '[{"name": "bond0", "slaves": ["v0", "z0"], "up": true}]' >"$BATS_TEST_TMPDIR/document"
	remember
	bad 8 apply "$BATS_TEST_TMPDIR/document"
	as_before
}
