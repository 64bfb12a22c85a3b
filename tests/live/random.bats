#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Documents that are made up, one after the other, on bonds that are in use: what was applied holds, what could not be applied has
# left nothing. RANDOM_DOCUMENTS says how many (2000 for a whole test), RANDOM_SEED which. The program is random.c.

bats_require_minimum_version 1.5.0

load ../lib/live

setup() {
	live_setup
	quiet_ipv6
}

teardown() { live_teardown; }

@test "of documents that are made up, those applied hold and those refused leave nothing" {
	local n lines=() seed=${RANDOM_SEED:-$((RANDOM * 32768 + RANDOM))} count=${RANDOM_DOCUMENTS:-100}
	for n in {0..5}; do lines+=("link add e$n type veth peer name q$n" "link set q$n up" "link set e$n mtu $((1500 + 100 * n))"); done
	small_device m0
	links "${lines[@]}" 'link add x1 type dummy' 'link add link x1 name z0 type vlan id 5' \
		'link set e0 up' 'link set e1 up'
	run inside "$RANDOM_PROGRAM" "$BONDCTL" "$BATS_TEST_TMPDIR" "$NET" "$count" "$seed"
	echo "# seed $seed (RANDOM_SEED): ${lines[0]}" >&3
	((status == 0)) || { echo "$output" >&2; return 1; }
	[[ $(<"$BATS_TEST_TMPDIR/stderr") != *@(Sanitizer|runtime error)* ]] || { cat "$BATS_TEST_TMPDIR/stderr" >&2; return 1; }
}
