#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Tests of tests/kernel/run itself, on the kernel that KERNEL names, or that run picks.
# "make check" runs it on the machine, not in a guest: each test boots its own.
# The commands for the guest are meant to be expanded there; BATS sets stderr.
# shellcheck disable=SC2016,SC2154,SC1003

bats_require_minimum_version 1.5.0

setup_file() {
	RUN=$BATS_TEST_DIRNAME/run
	KERNEL=$("$RUN" printenv BONDCTL_KERNEL)
	export RUN KERNEL
}

setup() {
	TMPDIR=$BATS_TEST_TMPDIR/tmp # a folder in which nothing else is
	mkdir "$TMPDIR"
	export TMPDIR
}

guest_only() {
	[[ $KERNEL != host ]] || skip 'needs a guest, and this is the machine itself'
}

# Succeeds when no process and no file of a run is left; waits for it, since killing takes a moment.
nothing_left() {
	local i
	for ((i = 0; i < 100; i++)); do
		if [[ -z $(ls -A "$TMPDIR") ]] && ! pgrep -f "$TMPDIR/bondctl-kernel" >/dev/null; then return; fi
		sleep 0.1
	done
	ls -A "$TMPDIR"
	pgrep -af "$TMPDIR/bondctl-kernel"
	return 1
}

start_and_wait_for_up() { # starts a run that says "up" and then stays; sets pid
	"$RUN" bash -c 'echo up; sleep 300' >"$BATS_TEST_TMPDIR/out" 2>&1 3>&- &
	pid=$!
	local i
	for ((i = 0; i < 600; i++)); do
		if [[ -s $BATS_TEST_TMPDIR/out ]]; then return; fi
		sleep 0.1
	done
	return 1
}

@test "arguments, folder, environment, status and both streams pass through" {
	cd "$BATS_TEST_DIRNAME"
	export BONDCTL_ODD=$'two\nlines "and" $quotes' NOT_PASSED=1 PASSED='a  b'
	run --separate-stderr -7 "$RUN" --env PASSED -- bash -c '
		echo err >&2
		printf "<%s>" "$0" "$@" "$PWD" "$BONDCTL_ODD" "${NOT_PASSED-unset}" "$PASSED" "$BONDCTL_KERNEL"
		exit 7' '' 'a  b' $'new\nline' '"' "'" '*' '\' $'\xff'
	[ "$output" = "<><a  b><"$'new\nline'"><\"><'><*><\\><"$'\xff'"><$PWD><$BONDCTL_ODD><unset><a  b><$KERNEL>" ]
	[ "$stderr" = err ]
	nothing_left
}

@test "output of any bytes and sizes arrives whole on both streams" {
	local program='
		for n in 1 4095 4096 4097 100000; do
			head -c $n /dev/zero | tr "\0" "$0"
			printf "\0\r\n\377\3\4"
		done'
	"$RUN" bash -c "{ $program; } | tee /dev/stderr" x >"$BATS_TEST_TMPDIR/out" 2>"$BATS_TEST_TMPDIR/err"
	bash -c "$program" x >"$BATS_TEST_TMPDIR/wanted"
	cmp "$BATS_TEST_TMPDIR/out" "$BATS_TEST_TMPDIR/wanted"
	cmp "$BATS_TEST_TMPDIR/err" "$BATS_TEST_TMPDIR/wanted"
}

@test "output appears while the command runs" {
	start_and_wait_for_up
	kill "$pid"
}

@test "standard input is empty, or with --stdin what we give" {
	run -0 "$RUN" cat <<<'not for you'
	[ "$output" = '' ]
	run -0 "$RUN" --stdin cat <<<$'two\nlines'
	[ "$output" = $'two\nlines' ]
}

@test "a command that a signal ends gives 128 and the signal's number" {
	run -143 "$RUN" bash -c 'kill -TERM $$'
	[ "$output" = '' ]
}

@test "a command that does not exist gives 127, one that is no program 126" {
	run -127 "$RUN" no-such-command
	[[ $output == *no-such-command* ]]
	run -126 "$RUN" "$BATS_TEST_DIRNAME/README.md"
}

@test "the bonding driver works, and what builds on it loads on demand" {
	run -0 "$RUN" bash -ec '
		[[ ! -e /proc/net/bonding ]] || [[ -z $(ls /proc/net/bonding) ]]
		ip link add bond0 type bond mode active-backup miimon 100
		ip link add v0 type veth peer name v1
		ip link set v0 master bond0
		ip link add link bond0 name bond0.7 type vlan id 7
		ip link add d0 type dummy
		ip link add br0 type bridge
		ip link add link d0 name m0 type macvlan
		tc qdisc add dev v0 root netem delay 1ms
		ip link set bond0 up
		ip netns add other
		ip link set v1 netns other up
		ip netns exec other ip link show v1 >/dev/null
		grep -c "^Slave Interface: v0" /proc/net/bonding/bond0
		[[ -e /sys/class/net/bond0/bonding/mode && -e /dev/net/tun ]]'
	[ "$output" = 1 ]
}

@test "the machine's files cannot be written to, and /tmp is a fresh one" {
	guest_only
	run -0 "$RUN" bash -c '
		for file in /etc/bondctl-test '"$BATS_TEST_DIRNAME/bondctl-test $BATS_TEST_TMPDIR/bondctl-test"'; do
			if 2>/dev/null >"$file"; then echo "wrote $file"; fi
		done
		echo >/tmp/bondctl-test && ls /tmp'
	[[ $output == *bondctl-test* && $output != *wrote* ]]
	[ ! -e /etc/bondctl-test ]
	[ ! -e "$BATS_TEST_DIRNAME/bondctl-test" ]
	[ ! -e "$BATS_TEST_TMPDIR/bondctl-test" ]
	[ ! -e /tmp/bondctl-test ]
}

@test "--out is a folder to hand files back in, --see one to read from" {
	mkdir "$BATS_TEST_TMPDIR/"{in,"o ut"}
	echo given >"$BATS_TEST_TMPDIR/in/file"
	run -0 "$RUN" --out "$BATS_TEST_TMPDIR/o ut" --see "$BATS_TEST_TMPDIR/in" \
		cp "$BATS_TEST_TMPDIR/in/file" "$BATS_TEST_TMPDIR/o ut/back"
	[ "$(cat "$BATS_TEST_TMPDIR/o ut/back")" = given ]
}

@test "what the command leaves running dies with it and holds nothing up" {
	run -0 "$RUN" --timeout 30 bash -c 'setsid sleep 300 & (trap "" TERM HUP; sleep 300) & echo done'
	[ "$output" = "done" ]
	nothing_left
}

@test "a command that takes too long is ended with 124" {
	run -124 "$RUN" --timeout 3 sleep 300
	[[ $output == *'timed out after 3 s'* ]]
	nothing_left
}

@test "a guest that panics gives 125 and its console" {
	guest_only
	run -125 "$RUN" bash -c 'echo c >/proc/sysrq-trigger'
	[[ $output == *'the guest failed'*'panic'* ]]
	nothing_left
}

@test "a run that is killed outright leaves no guest and no file" {
	start_and_wait_for_up
	kill -KILL "$pid"
	nothing_left
}

@test "a run that is told to end cleans up and says so in its status" {
	start_and_wait_for_up
	kill -TERM "$pid"
	local status=0
	wait "$pid" || status=$?
	[ "$status" = 143 ]
	nothing_left
}

@test "a run whose output nobody reads any more ends" {
	guest_only
	"$RUN" --timeout 60 bash -c 'while :; do echo line; done' 2>/dev/null | head -n 1
	[ "${PIPESTATUS[0]}" = 141 ]
	nothing_left
}

@test "the host kernel's way works too: fresh namespaces, the same statuses" {
	guest_only # there it is a machine with the driver
	run -0 "$RUN" bash -c '
		before=$(ls /tmp) # the checkout may be there
		"$0" bash -c "ip link add bond0 type bond; ls /sys/class/net/bond0 >/dev/null && echo inside"
		"$0" bash -c "exit 9"; echo $?
		"$0" bash -c "kill -KILL \$\$"; echo $?
		"$0" --timeout 1 sleep 30 2>/dev/null; echo $?
		ls /sys/class/net
		[[ $(ls /tmp) == "$before" ]] || echo "left in /tmp: $(ls /tmp)"' "$RUN"
	[ "$output" = $'inside\n9\n137\n124\nbonding_masters\nlo' ]
}

@test "wrong usage is told before anything starts" {
	run -2 "$RUN"
	run -2 "$RUN" --kernel nonsense true
	[[ $output == *nonsense*uml-7.2* ]]
	run -2 "$RUN" --timeout soon true
	run -2 "$RUN" --timeout
	run -2 "$RUN" --no-such-option true
	run -2 "$RUN" --out /no/such/folder true
	run -0 "$RUN" --help
	[[ $output == *examples:* ]]
	nothing_left
}
