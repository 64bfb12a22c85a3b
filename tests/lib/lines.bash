# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What a program of the tests said in "key value" lines: of one in the background when it has ended, and its values. For bats files
# that begin such programs with their answers in the file ${SAID[process]}, and the errors in that with ".err".

# ends_well [PROCESS]: it, or $TOOL, is waited for, and must end with status 0. Its lines are in $output and $lines.
# shellcheck disable=SC2034,SC2153 # the bats file sets SAID, and complain and it read the rest
ends_well() {
	local tool=${1:-$TOOL}
	local said=${SAID[tool]}
	status=0
	wait "$tool" || status=$?
	output=$(<"$said")
	stderr=$(<"$said.err")
	mapfile -t lines <"$said"
	((status == 0)) || complain "process $tool ended with status $status"
}

# value KEY: what the first line with the key says, in $REPLY.
value() {
	local line
	REPLY=
	for line in "${lines[@]}"; do
		[[ $line == "$1 "* ]] && REPLY=${line#"$1 "} && return
	done
	complain "no line '$1'"
}

# value_is KEY WANTED [KEY WANTED...]
value_is() {
	while (($#)); do
		value "$1" && same "$1" "$REPLY" "$2" || return
		shift 2
	done
}

# between LOW KEY HIGH
between() {
	value "$2" || return
	(($1 <= REPLY && REPLY <= $3)) || complain "$2: expected $1 to $3, got $REPLY"
}
