#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What bash offers where a bond or a slave can stand, asked through COMP_WORDS. The bonds are made by iproute2; all that needs
# no bond, and bash-completion, is tested in tests/cli/completion.bats.
# bats sets status, output and stderr; what is in single quotes is a name.
# shellcheck disable=SC2154,SC2016

bats_require_minimum_version 1.5.0

load ../lib/live

setup() {
	live_setup
	dummies d0 d1 d2 d3
	links 'link add bond0 type bond mode active-backup miimon 100' 'link add bond1 type bond' \
		'link set d0 master bond0' 'link set d1 master bond0' 'link set d2 master bond1'
	# for the program that answers, which is given to completing by this name
	BONDCTL=$(realpath "$BONDCTL")
	export BONDCTL
}

teardown() { live_teardown; }

# offers PREFIX...: rows of a command line with a ^ at the cursor, " -> ", and all that its word can become. The words before
# completing say where it runs.
offers() {
	local i
	local -a rows answers
	mapfile -t rows
	mapfile -t answers < <(printf '%s\n' "${rows[@]%% ->*}" | "$@" "$BATS_TEST_DIRNAME/../cli/completing" --plain 2>&1)
	for i in "${!rows[@]}"; do
		[[ ${answers[i]-} == "${rows[i]}" ]] ||
			{ printf 'expected: %s\n     got: %s\n' "${rows[i]}" "${answers[i]-}" >&2; return 1; }
	done
	((${#answers[@]} == ${#rows[@]}))
}

@test "bonds are offered where a bond can stand, those on the line no more" {
	offers inside <<-'ROWS'
		bondctl delete ^ -> bond0 bond1
		bondctl delete bond0 ^ -> bond1
		bondctl delete bond0 bond1 ^ ->
		bondctl set ^ -> bond0 bond1
		bondctl set b^ -> bond0 bond1
		bondctl enslave ^ -> bond0 bond1
		bondctl release ^ -> bond0 bond1
		bondctl up ^ -> bond0 bond1
		bondctl down bond1 ^ -> bond0
		bondctl show ^ -> bond0 bond1
		bondctl --json show bond0 --details ^ -> bond1
		bondctl stats bond^ -> bond0 bond1
		bondctl show d^ ->
		bondctl show ^ bond1 -> bond0
		bondctl create ^ ->
		bondctl create b^ ->
	ROWS
}

@test "the slaves of this bond are offered to release" {
	offers inside <<-'ROWS'
		bondctl release bond0 ^ -> d0 d1
		bondctl release bond0 d0 ^ -> d1
		bondctl release bond0 d0 d1 ^ ->
		bondctl release bond1 ^ -> d2
		bondctl release d3 ^ ->
		bondctl release lo ^ ->
		bondctl release nix ^ ->
	ROWS
}

@test "devices without a master are offered to enslave, and never the bond itself" {
	offers inside <<-'ROWS'
		bondctl enslave bond0 d^ -> d3
		bondctl enslave bond0 ^ -> bond1 d3
		bondctl enslave bond0 d3 ^ -> bond1
		bondctl create bond2 slaves d^ -> d3 down downdelay
		bondctl create bond2 slaves=d^ -> slaves=d3
		bondctl create bond2 slave ^ -> bond0 bond1 d3
		bondctl create bond2 slaves d3,^ -> d3,bond0 d3,bond1
	ROWS
}

@test "what has been released or enslaved is known at once" {
	links 'link set d1 nomaster' 'link set d3 master bond1'
	offers inside <<-'ROWS'
		bondctl release bond0 ^ -> d0
		bondctl release bond1 ^ -> d2 d3
		bondctl enslave bond0 d^ -> d1
	ROWS
}

@test "the slaves of the bond are the values of its options, and the slaves with options of their own" {
	offers inside <<-'ROWS'
		bondctl set bond0 active_slave ^ -> d0 d1 none
		bondctl set bond0 primary ^ -> d0 d1 none
		bondctl set bond0 primary=d^ -> primary=d0 primary=d1
		bondctl set bond0 slave ^ -> d0 d1
		bondctl set bond0 slave=d^ -> slave=d0 slave=d1
		bondctl set bond0 slave d0 prio 5 slave ^ -> d1
		bondctl set bond0 slave d0 q^ -> queue_id
		bondctl set bond0 slave d0 prio 5 q^ -> queue_id
		bondctl set bond0 slave d0 prio -5 mode ac^ -> active-backup
		bondctl set bond1 primary ^ -> d2 none
		bondctl set nix primary ^ -> none
		bondctl create bond2 primary d^ -> d3
	ROWS
}

@test "bonds and slaves are those of the namespace on the line" {
	offers env <<-ROWS
		bondctl -n $NS delete ^ -> bond0 bond1
		bondctl --netns $NS release bond0 ^ -> d0 d1
		bondctl --netns=$NS release bond0 ^ -> d0 d1
		bondctl release bond0 -n $NS ^ -> d0 d1
		bondctl -n $NS set bond0 primary ^ -> d0 d1 none
		bondctl -n $NS enslave bond0 d^ -> d3
		bondctl delete bond^ ->
	ROWS
}

@test "a bond is known by its alternative name" {
	links 'link property add dev bond0 altname a-trunk-with-a-long-name'
	offers inside <<-'ROWS'
		bondctl release a-trunk-with-a-long-name ^ -> d0 d1
		bondctl set a-trunk-with-a-long-name primary ^ -> d0 d1 none
	ROWS
}

@test "a bond or slave with odd characters is offered in words that a shell reads as its name" {
	local name answer
	local -a words
	cd "$BATS_TEST_TMPDIR"
	mkdir empty
	cd empty
	for name in 'b;>x' 'b$(>x)' "b'"; do inside ip link add "$name" type bond; done
	inside ip link add 'd;>y' type dummy
	inside ip link set 'd;>y' master bond0
	answer=$(inside "$BATS_TEST_DIRNAME/../cli/completing" --plain <<<'bondctl delete ^')
	eval "words=(${answer#*->})"
	[[ " ${words[*]} " == *' b;>x '* && " ${words[*]} " == *' b$(>x) '* && " ${words[*]} " == *" b' "* ]]
	answer=$(inside "$BATS_TEST_DIRNAME/../cli/completing" --plain <<<'bondctl release bond0 ^')
	eval "words=(${answer#*->})"
	[[ ${words[*]} == 'd0 d1 d;>y' ]]
	[[ -z $(ls -A) ]]
	# with a part typed as bash has put it there
	offers inside <<-'ROWS'
		bondctl release bond0 d\;^ -> d\;\>y
	ROWS
	# and the odd bond's own slaves
	inside ip link set d3 master 'b;>x'
	offers inside <<-'ROWS'
		bondctl release b\;\>x ^ -> d3
	ROWS
}

@test "completing changes nothing" {
	local before
	before=$(inside ip -d -o link show)
	offers inside <<-'ROWS'
		bondctl delete bond0 bond1 ^ ->
		bondctl release bond0 d0 d1 ^ ->
		bondctl set bond0 mode 1 up -^ -> --batch --color --confirm-within --cycle --dry-run --force --help --json --keep-going --netns --pretty --quiet --version
	ROWS
	same links "$(inside ip -d -o link show)" "$before"
}
