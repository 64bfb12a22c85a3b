#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Help for bondctl and for every verb: it is there wherever --help stands, and has a synopsis, the options and an example.
# It is what a person reads after a command line went wrong, so it comes with status 0 and on standard output.
# bats sets status, output and stderr; what is in single quotes is for another shell.
# shellcheck disable=SC2154,SC2016

bats_require_minimum_version 1.5.0

load helpers

VERBS=(create delete set enslave release replace apply diff confirm up down show list stats options help)

# what prints help prints nothing else
helped() {
	good "$@" || return
	[[ -z $stderr ]] || { explain "bondctl $*: expected nothing on stderr"; return 1; }
}

@test "bondctl --help has a synopsis, every verb, every option, the exit statuses and an example" {
	local verb status_ option
	helped --help
	[[ $output == *$'\nbondctl [OPTION]... VERB '* ]]
	for verb in "${VERBS[@]}"; do
		[[ $output =~ $'\n  '"$verb"\ +[a-z] ]] || { explain "no $verb"; return 1; }
	done
	for option in -j,\ --json -p,\ --pretty -n,\ --netns= -b,\ --batch= --keep-going --color= -q,\ --quiet \
		-V,\ --version -h,\ --help; do
		[[ $output == *" $option"* ]]
	done
	for status_ in 0 1 2 3 4 5 6 7 8; do
		[[ $output == *$'\n  '$status_\ \ [a-z]* ]]
	done
	[[ $output == *$'\nExample:\n  bondctl create '* ]]
}

@test "the hidden verb is not in the help" {
	helped --help
	[[ $output != *$'\n  complete'* ]]
}

@test "every verb has help with its synopsis, all options and an example" {
	local verb
	for verb in "${VERBS[@]}"; do
		helped "$verb" --help
		[[ ${lines[0]} == "bondctl $verb"* ]]
		[[ $output == *$'\nOptions:\n'*--netns=* ]]
		[[ $output == *$'\nExample:\n  bondctl '*"bondctl $verb"* || $output == *$'\nExample:\n  bondctl '"$verb"* ||
			$output == *$'\nExample:\n  bondctl '*"| bondctl $verb"* ]]
		[[ $output != *'(null)'* ]]
	done
	for verb in show stats; do
		helped "$verb" --help
		[[ $output == *--details* ]]
	done
	helped options --help
	[[ $output == *--all* ]]
}

@test "help VERB, VERB --help, --help VERB and -h are the same" {
	local verb wanted
	for verb in "${VERBS[@]}"; do
		helped "$verb" --help
		wanted=$output
		helped help "$verb"
		is "$wanted"
		helped --help "$verb"
		is "$wanted"
		helped "$verb" -h
		is "$wanted"
	done
	helped --help
	wanted=$output
	helped help
	is "$wanted"
	helped -h
	is "$wanted"
}

@test "--help at the end of a wrong command line helps" {
	local wanted
	helped create --help
	wanted=$output
	helped create --help bond0
	is "$wanted"
	helped create bond0 --frobnicate --help
	is "$wanted"
	helped create bond0 mode frobnicate --help
	is "$wanted"
	helped create bond0 mode --help
	is "$wanted"
	helped create a/b slaves -h
	is "$wanted"
	helped -n no-such-ns create bond0 up --help
	is "$wanted"
	helped set bond0 miimon 1 miimon 2 --help
	[[ ${lines[0]} == 'bondctl set '* ]]
	helped list a b c --help
	[[ ${lines[0]} == 'bondctl list' ]]
	helped list --color=never --help
}

@test "--help after -- is a word" {
	bad 3 show -- --help
	silent
}

@test "verbs that change something tell how to look before, and how to come back" {
	local verb
	for verb in create delete set enslave release replace apply up down; do
		helped "$verb" --help
		[[ $output == *--dry-run* && $output == *--confirm-within=SECONDS* ]]
	done
	for verb in show list stats options help diff confirm; do
		helped "$verb" --help
		[[ $output != *--dry-run* && $output != *--confirm-within=* ]]
	done
}

@test "create tells of the miimon it adds" {
	helped create --help
	[[ $output == *miimon*100* ]]
}

@test "help fits a terminal of 120 columns" {
	local verb line
	for verb in "${VERBS[@]}" ''; do
		helped help ${verb:+"$verb"}
		for line in "${lines[@]}"; do
			((${#line} <= 120)) || { explain "too wide: $line"; return 1; }
		done
	done
}
