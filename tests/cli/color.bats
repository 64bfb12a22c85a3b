#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Color is for a terminal and for people: no escape sequence is in JSON, in a pipe, or where NO_COLOR or --color=never speak
# against it. That a bond is shown in color needs a bond, and is tested with the live tests.
# bats sets status, output and stderr; what is in single quotes is for another shell.
# shellcheck disable=SC2154,SC2016

bats_require_minimum_version 1.5.0

load helpers

ESCAPE=$'\e'

plain() { [[ $output$stderr != *"$ESCAPE"* ]] || { explain 'expected no escape sequence'; return 1; }; }

@test "JSON is never colored, even where color is asked for" {
	local verb
	for verb in list show stats options; do
		good --color=always "$verb" --json
		plain
		good --color=always "$verb" --pretty
		plain
	done
	bad 3 show nix --color=always --json
	plain
	bad 2 --color=always frobnicate --json
	plain
}

@test "what is no terminal gets no color unless it is asked for" {
	local line words
	for line in --help 'help create' list options 'options mode'; do
		read -ra words <<<"$line"
		good "${words[@]}"
		plain
		good "${words[@]}" --color=never
		plain
	done
	bad 3 show nix
	plain
}

# terminal COMMAND: its output and errors on a terminal of its own.
terminal() {
	command -v script >/dev/null || skip 'needs script'
	run script -qec "$1" /dev/null
	lived "$1"
}

@test "on a terminal NO_COLOR and --color=never turn color off" {
	local words
	for words in --help list 'show nix' 'options mode' frobnicate; do
		NO_COLOR=1 terminal "'$BONDCTL' $words"
		plain
		terminal "'$BONDCTL' $words --color=never"
		plain
		terminal "'$BONDCTL' $words --json --color=always"
		plain
	done
}
