#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Names: renamed devices, alternative names, and every name the kernel allows, however odd. The JSON stays valid with all of
# them, and impossible names are refused before anything is sent.

bats_require_minimum_version 1.5.0

load ../lib/live

setup() { live_setup; }
teardown() { live_teardown; }

@test "a renamed bond is followed, and its old name is gone" {
	dummies d0
	good create bond0 mode active-backup slaves d0
	links 'link set bond0 name trunk'
	bad 3 show bond0
	good set trunk miimon 70
	sys_is trunk bonding/miimon 70
	good show trunk --json
	json .name '"trunk"' '.slaves[0].master' '"trunk"'
	good release trunk d0
	good delete trunk
	gone trunk
}

@test "a renamed slave is followed" {
	dummies d0 d1
	good create bond0 mode active-backup
	links 'link set d0 name port1'
	good enslave bond0 port1 d1
	good set bond0 slave port1 prio 7 primary port1
	sys_is bond0 bonding/primary port1
	good list --json
	json '.[0].slaves' '["port1","d1"]'
	bad 3 release bond0 d0
}

# shellcheck disable=SC2016 # a name with a dollar sign
@test "every name the kernel takes works everywhere, and the JSON stays valid" {
	local name names=(fifteen-bytes-x bond.1.2-3_4 Zürich-größe é ネット '"quoted"' "it's" 'back\slash' $'bell\a' $'del\x7f' '{}'
		'$x' 'a;b' 'a,b' '*' '#' '<b>' '~' '100' '-' '--help' up slaves mode miimon none any)
	# one batch: words in single quotes, with a quote of their own as '\''
	for name in "${names[@]}"; do
		printf "create -- '%s' mode active-backup\nset -- '%s' miimon 60\n" "${name//\'/\'\\\'\'}" "${name//\'/\'\\\'\'}"
	done >"$BATS_TEST_TMPDIR/batch"
	good --batch "$BATS_TEST_TMPDIR/batch"
	for name in "${names[@]}"; do sys_is "$name" bonding/miimon 60; done
	good list --json
	# jq checks the whole text; all names are in it, unchanged
	same 'names in the list' "$(jq -r '[.[].name] | sort | .[]' <<<"$output")" \
		"$(printf '%s\n' "${names[@]}" | jq -rRs 'split("\n")[:-1] | sort | .[]')"
	good show --json -- "${names[@]}"
	same 'names in show' "$(jq -r '.[].name' <<<"$output")" "$(printf '%s\n' "${names[@]}")"
	good delete -- "${names[@]}"
	for name in "${names[@]}"; do gone "$name"; done
}

@test "a name that is not UTF-8 is shown and the JSON stays valid" {
	local name=$'lat\xeen1'
	good create "$name"
	there "$name"
	good list --json
	json length 1
	good show "$name" --json
	json .miimon 100
	good delete "$name"
	gone "$name"
}

@test "text for people never passes a control byte of a name to the terminal" {
	good create $'esc\e[31m'
	good list
	printable
	good show $'esc\e[31m'
	printable
	bad 5 create $'esc\e[31m'
	printable
}

@test "slaves may be called like options and keywords" {
	dummies up primary slave=x a=b
	good create bond0 mode active-backup slaves up,primary,a=b
	slaves_are bond0 up primary a=b
	good enslave bond0 slave=x
	slaves_are bond0 up primary a=b slave=x
	good release bond0 up primary
	slaves_are bond0 a=b slave=x
}

@test "impossible names are refused before anything is sent" {
	local name names=(sixteen-bytes-xx a/b 'a b' a:b . .. '' all default bonding_masters $'tab\t' 'a%d')
	for name in "${names[@]}"; do printf "create -- '%s'\n" "$name"; done >"$BATS_TEST_TMPDIR/batch"
	try --json --keep-going --batch "$BATS_TEST_TMPDIR/batch"
	output=$(jq -sc . <<<"$output")
	json length "${#names[@]}" 'map(.status) | unique' '[2]' 'map(.error.cause) | unique' '["bad_name"]'
	bad 2 create -- all
	says all
	good list
	same 'list of bonds' "$output" ''
}

@test "alternative names find the device, and the answer has the real one" {
	pairs 0 1
	local alt0=eno-very-long-alternative-name0 alt1=enp0s31f6-also-long-alternative
	links "link property add dev v0 altname $alt0" "link property add dev v1 altname $alt1"
	good --json create bond0 mode active-backup slaves "$alt1"
	changed v1 applied
	good enslave bond0 "$alt0"
	slaves_are bond0 v1 v0
	good set bond0 primary "$alt0"
	sys_is bond0 bonding/primary v0
	good set bond0 active_slave "$alt1"
	sys_is bond0 bonding/active_slave v1
	good set bond0 slave "$alt0" queue_id 5
	sys_is v0 bonding_slave/queue_id 5
	links 'link property add dev bond0 altname the-uplink-of-this-machine-here'
	good show the-uplink-of-this-machine-here --json
	json .name '"bond0"'
	good set the-uplink-of-this-machine-here miimon 40
	sys_is bond0 bonding/miimon 40
	good release the-uplink-of-this-machine-here "$alt0"
	slaves_are bond0 v1
	good delete the-uplink-of-this-machine-here
	gone bond0
}
