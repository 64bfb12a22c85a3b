#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Every command line that a reader is shown works: the examples of the help, of the manual and of the README are taken out of
# them and run, in their order, in a namespace that has eth0 to eth7 and no bond. Each must succeed and report no error.
#
# Where they start from: the manual and the README are each one story, told from the beginning. Of the help, that of each verb
# is a story of its own; it begins, but for create's, after the first example of create has been run.
# bats sets status, output and stderr; what is in single quotes is for sed.
# shellcheck disable=SC2154,SC2016

bats_require_minimum_version 1.5.0

load ../lib/live

setup() {
	local n lines=()
	live_setup
	# a port that is up and has link, as on a machine
	for n in {0..7}; do lines+=("link add eth$n type veth peer name far$n" "link set eth$n up" "link set far$n up"); done
	links "${lines[@]}"
	mkdir "$BATS_TEST_TMPDIR/bin" "$BATS_TEST_TMPDIR/home"
	BONDCTL=$(realpath "$BONDCTL")
	ln -s "$BONDCTL" "$BATS_TEST_TMPDIR/bin/bondctl"
	# examples write files
	cd "$BATS_TEST_TMPDIR/home" || return
}

teardown() { live_teardown; }

# joined: lines of standard input, those that end in a backslash joined with the next.
joined() { sed -e ':again' -e '/\\$/ { N; s/\\\n[[:space:]]*//; b again' -e '}'; }

# examples_of_help VERB...: lines "VERB<tab>EXAMPLE". A verb's help begins with its synopsis.
examples_of_help() {
	printf 'help %s\n' "$@" | "$BONDCTL" --batch - | joined | awk '
		/^bondctl / { verb = $2; inside = 0 }
		/^Example:/ { inside = 1 }
		inside && sub(/^ +bondctl /, "bondctl ") { print verb "\t" $0 }'
}
examples_of_manual() { sed -n '/^\.Bd -literal/,/^\.Ed/ { s/\\e/\\/g; s/\\-/-/g; p }' "$1" | joined | sed -n '/^bondctl /p'; }
# fenced blocks; a block of another kind of line has none that begins so
examples_of_readme() { sed -n '/^```/,/^```/p' "$1" | joined | sed -n '/^bondctl /p'; }

# work LINE...: each line, run by a shell as a reader would, succeeds.
work() {
	inside env PATH="$BATS_TEST_TMPDIR/bin:$PATH" bash -o pipefail -c '
		for line in "${@:2}"; do
			(eval "$line") >"$1/out" 2>"$1/err" </dev/null
			status=$? said=$(<"$1/err")
			[[ $status == 0 && $said != *Sanitizer* && $said != *"runtime error"* ]] && continue
			printf "%s: status %s\n%s\n%s\n" "$line" "$status" "$(<"$1/out")" "$said" >&2
			exit 1
		done' - "$BATS_TEST_TMPDIR" "$@" || return
	count=$((count + $#))
}

# story: the lines of standard input are there, and work.
story() {
	local -a lines
	mapfile -t lines
	((${#lines[@]})) || { echo "no example found" >&2; return 1; }
	work "${lines[@]}"
}

@test "the examples of bondctl --help and of create work" {
	story < <("$BONDCTL" --help | sed -n '/^Example:/,/^$/ s/^  *\(bondctl .*\)/\1/p'
		echo 'bondctl delete bond0'
		examples_of_help create | cut -f2)
	((count >= 4))
}

@test "the examples of every other verb work, after the first of create" {
	local verb example first before='' lines=()
	local -a verbs
	mapfile -t verbs < <("$BONDCTL" --help | sed -n '/^Verbs:/,/^$/ s/^  \([a-z]*\) .*/\1/p')
	while IFS=$'\t' read -r verb example; do
		if [[ $verb == create ]]; then
			first=${first:-$example}
		elif [[ $verb != "$before" ]]; then
			# as at the beginning, whatever the verb before has left
			lines+=('while read -r bond _; do ip link del "$bond"; done < <(bondctl list --quiet)'
				'for n in {0..7}; do echo "link set eth$n up"; done | ip -batch -' "$first")
		fi
		[[ $verb == create ]] || lines+=("$example")
		before=$verb
	done < <(examples_of_help "${verbs[@]}")
	work "${lines[@]}"
	# three lines and an example at least for each verb but create
	((count >= 4 * (${#verbs[@]} - 1)))
}

@test "the examples of the manual work in their order" {
	story < <(examples_of_manual "$BATS_TEST_DIRNAME/../../man/bondctl.8")
	((count >= 10))
}

@test "the examples of the README work in their order" {
	local readme=$BATS_TEST_DIRNAME/../../README.md
	[[ -e $readme ]] || skip 'there is no README.md'
	story < <(examples_of_readme "$readme")
	((count >= 5))
}
