#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs the test programs and scripts it is given, one after another, and makes one TAP stream of theirs: "ok N - PROGRAM:
# sentence". A program that dies, or fails without a failing test (a leak found at its end), is a failed test of its own.
set -uo pipefail

number=0
failed=0

report() { # report ok|not-ok NAME [SKIP REASON]
	number=$((number + 1))
	if [[ $1 == ok ]]; then
		printf 'ok %d - %s%s\n' "$number" "$2" "${3:+ # SKIP $3}"
	else
		failed=$((failed + 1))
		printf 'not ok %d - %s\n' "$number" "$2"
	fi
}

run() { # run PROGRAM
	local name line rc bad=0 reason='' log
	name=$(basename "$1" .sh)
	log=$(mktemp)
	while IFS= read -r line; do
		case $line in
		1..*) ;;
		'ok '*'# SKIP'*)
			line=${line#ok * - }
			report ok "$name: ${line%% #*}" "${reason:-no reason given}"
			;;
		'ok '*) report ok "$name: ${line#ok * - }" ;;
		'not ok '*)
			bad=1
			report not-ok "$name: ${line#not ok * - }"
			;;
		'# skipped: '*) reason=${line#\# skipped: } ;;
		*) printf '# %s\n' "${line#\# }" ;;
		esac
	done < <(CMOCKA_MESSAGE_OUTPUT=TAP timeout 120 "$1" 2>&1; echo "$?" >"$log")
	rc=$(<"$log")
	rm -f "$log"
	if ((rc != 0 && !bad)); then
		report not-ok "$name: ends with status $rc"
	fi
}

for program; do
	run "$program"
done
printf '1..%d\n' "$number"
((failed == 0))
