# shellcheck shell=bash disable=SC2034,SC2154 # the parts of run share its settings
# SPDX-License-Identifier: GPL-2.0-or-later
#
# One run's temporary folder, its one process, and the waiting for it: its end, a time limit, a reader that went away.
# Sourced by run, used by host.sh and guest.sh; the reaper does the cleaning, also when run itself is killed.

# Makes $state, a folder that goes away with this process, and $life, a descriptor that no child may inherit.
open_state() {
	local base=${TMPDIR:-/tmp} old
	# Its name becomes part of a kernel's command line.
	[[ $base =~ ^/[A-Za-z0-9/_.-]*$ && -d $base && -w $base ]] || base=/tmp
	for old in "$base"/bondctl-kernel.*/; do # of a run that was killed together with its reaper
		if [[ -O $old && -e $old/pid && ! -d /proc/$(<"$old/pid") ]]; then rm -rf -- "$old"; fi
	done
	state=$(mktemp -d "$base/bondctl-kernel.XXXXXX")
	printf '%s' $$ >"$state/pid"
	mkfifo "$state/life" "$state/stdout" "$state/stderr"
	setsid "$here/reaper" "$state" <"$state/life" >/dev/null 2>&1 &
	reaper=$!
	exec {life}>"$state/life"
	trap close_state EXIT
	trap 'exit 129' HUP
	trap 'exit 130' INT
	trap 'exit 143' TERM
	if [[ -n $pass_stdin ]]; then
		cat >"$state/stdin" {life}>&-
	else
		: >"$state/stdin"
	fi
}

close_state() {
	exec {life}>&-
	wait "$reaper" || true
}

# Ends this run's process from a helper beside it, which says why: "timeout" or "unread".
end_job() { # end_job REASON JOB
	: >"$state/ended-by-$1"
	kill -KILL -- "-$2"
}

copy_output() { # copy_output FIFO JOB: to standard output
	cat <"$1" || end_job unread "$2"
}

# Runs a function as the process of this run until its end and sets status: the process's, 124 (time is up) or 141
# (nobody reads our output any more). With "copy", what is written to the two FIFOs is our own output.
supervise() { # supervise FUNCTION [copy]
	local job sleeper='' copier
	local -a copiers=()
	set -m # process groups of their own, and SIGINT not ignored
	(
		exec {life}>&-
		ulimit -c 0
		"$1"
	) <"$state/stdin" &
	job=$!
	echo "$job" >&"$life"
	if ((timeout)); then
		(sleep "$timeout" && end_job timeout "$job") {life}>&- >/dev/null 2>&1 &
		sleeper=$!
		echo "$sleeper" >&"$life"
		disown "$sleeper" # or the shell would report that we end it
	fi
	set +m
	if [[ ${2-} == copy ]]; then
		copy_output "$state/stdout" "$job" {life}>&- &
		copiers+=($!)
		copy_output "$state/stderr" "$job" >&2 {life}>&- &
		copiers+=($!)
	fi
	status=0
	# The shell's own remarks on killed children are not for our caller.
	{ wait "$job" || status=$?; } 2>/dev/null
	kill -KILL -- "-$job" ${sleeper:+"-$sleeper"} 2>/dev/null || true
	for copier in "${copiers[@]}"; do
		{ wait "$copier" || true; } 2>/dev/null
	done
	[[ ! -e $state/ended-by-unread ]] || status=141
	[[ ! -e $state/ended-by-timeout ]] || status=124
}
