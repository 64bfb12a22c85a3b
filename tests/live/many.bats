#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# More bonds and slaves than fit one answer of the kernel: nothing is cut off. sysfs itself cuts its lists after a page, so ip
# is the witness here.

bats_require_minimum_version 1.5.0

load ../lib/live

setup() { live_setup; }
teardown() { live_teardown; }

@test "all of 300 slaves of one bond are shown and listed" {
	local n name lines=('link add big type bond mode 1 miimon 100')
	for ((n = 0; n < 300; n++)); do
		printf -v name 'abcdefghijkl%03d' "$n"
		lines+=("link add $name type dummy" "link set $name master big")
	done
	links "${lines[@]}"
	good show big --json
	json '.slaves | length' 300 '[.slaves[].name] | unique | length' 300 '.slaves[299].name' '"abcdefghijkl299"'
	json_true 'all(.slaves[]; .master == "big" and .statistics.rx_packets != null)'
	good list --json
	json '.[0].slaves | length' 300
	good show big
	[[ $output == *abcdefghijkl299* ]] || complain 'the last slave is missing'
	same 'slaves by ip' "$(ip_json length link show master big)" 300
}

@test "all of 300 bonds are listed and shown" {
	local n lines=()
	for ((n = 0; n < 300; n++)); do lines+=("create bond$n miimon $((n + 1))"); done
	good --batch - <<<"$(printf '%s\n' "${lines[@]}")"
	same 'bonds by ip' "$(ip_json length link show type bond)" 300
	good list --json
	json length 300 '.[299].name' '"bond299"'
	good show --json
	json length 300 '[.[].miimon] | add' $((300 * 301 / 2))
	good list
	same 'lines of the list' "${#lines[@]}" 300
	good show bond7 bond299 --json
	json '[.[].name]' '["bond7","bond299"]'
}

@test "other devices in great number change nothing in the answer" {
	local n lines=()
	for ((n = 0; n < 400; n++)); do lines+=("link add x$n type dummy"); done
	links "${lines[@]}"
	dummies d0
	good create bond0 slaves d0
	good show --json
	json '[.[].name, .[].slaves[].name]' '["bond0","d0"]'
	good list --json
	json length 1
}

@test "160 slaves are enslaved and released by one command each" {
	local n names=() lines=()
	for ((n = 0; n < 160; n++)); do
		names+=("d$n")
		lines+=("link add d$n type dummy")
	done
	links "${lines[@]}"
	good create bond0 mode balance-xor
	good enslave bond0 "${names[@]}"
	same 'slaves by ip' "$(ip_json length link show master bond0)" 160
	good release bond0 "${names[@]}"
	same 'slaves by ip' "$(ip_json length link show master bond0)" 0
}
