#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The manual is the one that its source and the program make, is clean mdoc, and leaves out nothing that the program's help
# has: verbs, options, exit statuses, option names. Its examples are run by tests/live/examples.bats.
# bats sets status, output and stderr; what is in single quotes is for another shell.
# shellcheck disable=SC2154,SC2016

bats_require_minimum_version 1.5.0

load helpers

MAN=$BATS_TEST_DIRNAME/../../man

needs_mandoc() { command -v mandoc >/dev/null || skip 'needs mandoc'; }

# page SECTION: its text as a reader sees it.
page() {
	mandoc -T utf8 -O width=200 "$MAN/bondctl.8" | sed $'s/.\b//g' | awk -v section="$1" '
		/^[A-Z]/ { inside = $0 == section }
		inside'
}

@test "the page is what its source and the program make" {
	run -0 --separate-stderr "$MAN/generate" "$BONDCTL" <"$MAN/bondctl.8.in"
	lived man/generate
	diff <(printf '%s\n' "$output") "$MAN/bondctl.8"
}

@test "what the program fills in is filled in" {
	[[ $(<"$MAN/bondctl.8.in") == *$'\n@OPTIONS@\n'*$'\n@STATUSES@\n'* ]]
	[[ $(<"$MAN/bondctl.8") != *@* ]]
}

@test "mandoc has nothing to say about the pages" {
	needs_mandoc
	local file
	for file in "$MAN"/*.[1-8]; do
		run -0 mandoc -T lint -W warning "$file"
		is ''
	done
}

@test "the verbs of the help and of the page are the same, in the same order" {
	good --help
	same verbs "$(sed -n '/^\.Sh VERBS/,/^\.Sh OPTIONS$/ s/^\.It Cm \([a-z]*\).*/\1/p' "$MAN/bondctl.8" | xargs)" \
		"$(sed -n '/^Verbs:/,/^$/ s/^  \([a-z]*\) .*/\1/p' <<<"$output" | xargs)"
}

@test "every verb has the words in the page that it has in its help" {
	local verb entry
	# letters only: how brackets, bars and dots are set is each one's own
	letters() { tr '[:upper:]' '[:lower:]' | tr -cd '[:lower:]\n-'; }
	while read -r verb entry; do
		same "$verb" "$(sed 's/\<\(Cm\|Ar\|Oo\|Oc\|Op\|Ns\)\>//g; s/\<Fl /-/g' <<<"$entry" | letters)" \
			"$("$BONDCTL" "$verb" --help | sed -n "1 s/^bondctl $verb//p" | letters)"
	done < <(sed -n '/^\.Sh VERBS/,/^\.Sh OPTIONS$/ s/^\.It Cm //p' "$MAN/bondctl.8")
}

@test "every option of the help is in the page, and every one of the page in the help" {
	needs_mandoc
	local verb text
	text=$(page OPTIONS)$(page VERBS)
	for verb in '' $(sed -n '/^\.Sh VERBS/,/^\.Sh OPTIONS$/ s/^\.It Cm \([a-z]*\).*/\1/p' "$MAN/bondctl.8"); do
		good help ${verb:+"$verb"}
		printf '%s\n' "$output"
	done | grep -o -- '--[a-z-]*' | grep -v '^--mdoc$' | sort -u >"$BATS_TEST_TMPDIR/help"
	grep -o -- '--[a-z-]*' <<<"$text" | grep -v '^--$' | sort -u | diff "$BATS_TEST_TMPDIR/help" -
	# and the letters
	good --help
	same letters "$(page OPTIONS | sed -n 's/^     \(-[a-zA-Z]\), .*/\1/p' | sort | xargs)" \
		"$(sed -n 's/^  \(-[a-zA-Z]\), --.*/\1/p' <<<"$output" | sort | xargs)"
}

@test "the exit statuses of the help and of the page are the same" {
	good --help
	diff <(sed -n '/^Exit status:/,/^$/ s/^  \([0-9].*\)/\1/p' <<<"$output") \
		<(sed -n '/^\.Sh EXIT STATUS/,/^\.Sh EXAMPLES/ { /^\.It/ { N; s/^\.It \([0-9]*\)\n/\1  /p } }' "$MAN/bondctl.8")
}

@test "the option names of the program and of the page are the same" {
	good options --json --quiet
	diff <(jq -r '.[].name' <<<"$output") \
		<(sed -n '/^\.Sh OPTIONS OF A BOND/,/^\.Sh JSON/ s/^\.It Cm \([a-z0-9_]*\).*/\1/p' "$MAN/bondctl.8")
}

@test "an option's words, range and default are in its entry" {
	needs_mandoc
	local text name values
	text=$(page 'OPTIONS OF A BOND AND ITS SLAVES')
	[[ $text == *'xmit_hash_policy layer2 | layer3+4 | layer2+3 | encap2+3 | encap3+4 | vlan+srcmac'* ]]
	[[ $text == *'peer_notif_delay 0..300000 ms'* ]]
	[[ $text == *'prio -2147483648..2147483647'* ]]
	good options --json --quiet
	while IFS=$'\t' read -r name values; do
		[[ $text == *"$name $values"* ]] || { echo "no '$name $values' in the page" >&2; return 1; }
	done < <(jq -r '.[] | select(.type == "word") | "\(.name)\t\(.words | keys_unsorted | join(" | "))"' <<<"$output")
}

@test "the environment variables and the keys of JSON that the page names are real" {
	needs_mandoc
	[[ $(page ENVIRONMENT) == *NO_COLOR* ]]
	local key text
	text=$(page JSON)
	bad 3 show nix --json
	while read -r key; do
		[[ $text == *"$key"* ]] || { echo "no '$key' in the page" >&2; return 1; }
	done < <(jq -r '.error | keys[]' <<<"$output")
	for key in device action option was value outcome note plan steps warnings confirmed schema ifindex kind slaves statistics withheld unsupported \
		unknown_attributes applied unchanged unverified refused ignored not_tried rolled_back overridden lost; do
		[[ $text == *"$key"* ]] || { echo "no '$key' in the page" >&2; return 1; }
	done
}

@test "every command of the examples is one that the program understands" {
	# no option, verb or value in them is wrong; whether they work is for the live tests
	needs_shelter
	local count=0 line
	local -a words
	cd "$BATS_TEST_TMPDIR"
	echo '[]' | tee bond0.json >bonds.json
	while read -r line; do
		[[ $line == 'bondctl '* ]] || continue
		# what the shell makes of the rest of the line is for the live tests
		eval "words=($(sed -E 's/^bondctl //; s/ [|>&].*//' <<<"$line"))"
		try "${words[@]}" <<<'[]'
		((status != 2)) || { explain "$line"; return 1; }
		count=$((count + 1))
	done < <(sed -n '/^\.Bd -literal/,/^\.Ed/p' "$MAN/bondctl.8"; for verb in $("$BONDCTL" complete 1 bondctl); do
		"$BONDCTL" help "$verb" | sed -n '/^Example:/,$ s/^  //p'
	done)
	((count >= 20))
}
