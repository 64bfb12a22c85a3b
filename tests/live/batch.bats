#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Batches: many commands in one process, each with its line and its own outcome. The order of the lines is the order of what
# happens.

bats_require_minimum_version 1.5.0

load ../lib/live

setup() { live_setup; }
teardown() { live_teardown; }

@test "a batch stops at its first failure, names the line, and does nothing after it" {
	dummies d0
	bad 5 --batch - <<-'END'
		# a comment and an empty line count as lines

		create bond0 mode active-backup miimon 70
		set bond0 lacp_rate fast
		enslave bond0 d0
	END
	says 4 lacp_rate
	sys_is bond0 bonding/miimon 70
	slaves_are bond0
}

@test "with --keep-going the rest is done, and the status is that of a failure" {
	dummies d0
	bad 3 --keep-going --batch - <<-'END'
		create bond0 mode active-backup
		enslave bond0 ghost
		enslave bond0 d0
		set bond0 miimon 50
	END
	says 2 ghost
	slaves_are bond0 d0
	sys_is bond0 bonding/miimon 50
}

@test "with --json each line of a batch is answered by one line" {
	dummies d0
	try --json --keep-going --batch - <<-'END'
		create bond0 mode active-backup slaves d0

		set bond0 miimon nonsense
		nonsense
		set bond0 slave d0 queue_id 3
		release bond0 ghost
		set bond0 miimon 100
	END
	same 'number of answers' "${#lines[@]}" 6
	output=$(jq -sc . <<<"$output")
	json 'map(.line)' '[1,3,4,5,6,7]' 'map(.status)' '[0,2,2,0,3,0]' \
		'map(.error.cause)' '[null,"bad_value","usage",null,"no_device",null]' '.[5].changes[0].outcome' '"unchanged"'
	((status != 0)) || complain 'expected a status of failure'
}

@test "a batch comes from a file, and its words may be quoted" {
	printf '%s\n' 'create "bond-a" mode active-backup' "set 'bond-a' arp_ip_target \"10.0.0.1,10.0.0.2\"" >"$BATS_TEST_TMPDIR/file"
	good --batch "$BATS_TEST_TMPDIR/file"
	sys_is bond-a bonding/arp_ip_target '10.0.0.1 10.0.0.2'
	bad 2 --batch "$BATS_TEST_TMPDIR/no-such-file"
	says no-such-file
}

@test "reading and changing may be mixed, and what was changed is read" {
	dummies d0 d1
	good --json --batch - <<-'END'
		create bond0 mode active-backup slaves d0
		list
		enslave bond0 d1
		show bond0
	END
	output=$(jq -sc . <<<"$output")
	json length 4 '[.[1].result[0].slaves, (.[3].result.slaves | map(.name))]' '[["d0"],["d0","d1"]]'
}

@test "512 enslaves go through one batch" {
	local n device=() commands=()
	for ((n = 0; n < 256; n++)); do
		device+=("link add a$n type dummy" "link add b$n type dummy" "link add bond$n type bond mode 2 miimon 100")
		commands+=("enslave bond$n a$n" "enslave bond$n b$n")
	done
	links "${device[@]}"
	good --batch - <<<"$(printf '%s\n' "${commands[@]}")"
	same 'devices with a master by ip' "$(ip -n "$NS" -j link show type dummy | jq '[.[] | select(.master)] | length')" 512
	good list --json
	json 'map(.slaves | length) | unique' '[2]'
}
