# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154 # status, output and stderr are set by run
# Helpers of the command-line tests: bondctl in a shelter, without privileges, or with many command lines in one process,
# and assertions that say what was expected and what was there.

BONDCTL=${BONDCTL:-$BATS_TEST_DIRNAME/../../build/bondctl}
[[ $BONDCTL == /* ]] || BONDCTL=$PWD/$BONDCTL
export BONDCTL

# bats looks at every command of a test, which is slow in loops: "local -; set +T" at the beginning of a function spares those
# of the functions that it calls.

[[ -x $BONDCTL ]] || { echo "no bondctl at $BONDCTL: build it, or name it in BONDCTL" >&2; exit 1; }

# bondctl where it cannot change this machine; good, bad and try call it.
bond() {
	# shellcheck disable=SC2086 # words, not a word
	${CLI_SHELTER-unshare -n} "$BONDCTL" "$@"
}

# shell CODE ARGUMENT...: what a shell makes of it, in the shelter and with errors among the output, where a command line is
# not enough.
shell() {
	stderr=''
	# shellcheck disable=SC2086 # words, not a word
	run ${CLI_SHELTER-unshare -n} bash -c "$1" - "${@:2}"
	lived "$1"
}

# beg STATUS WORDS...: bondctl without any privilege must end with that status. Its folder may be closed to that user: the file
# is opened beforehand.
beg() {
	if ((EUID)); then
		run --separate-stderr "$BONDCTL" "${@:2}"
	else
		run --separate-stderr unshare -n setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all \
			/proc/self/fd/9 "${@:2}" 9<"$BONDCTL"
	fi
	lived "bondctl ${*:2}" || return
	((status == $1)) || { explain "bondctl ${*:2}, as an ordinary user: expected status $1, got $status"; return 1; }
}

needs_root() { ((EUID == 0)) || skip 'needs root'; }
needs_shelter() { [[ $CLI_SHELTER ]] || skip 'needs a network namespace, which this user may not make'; }
needs_no_driver() { [[ $CLI_DRIVER == no ]] || skip 'this kernel has the bonding driver'; }

# bondctl, as bats's run would: $status, $output (stdout), $lines, $stderr, without run's processes. A death by signal or a
# report of a sanitizer is a failure whatever the test expects.
try() {
	local -
	set +T
	try_quickly "$@"
}

try_quickly() {
	local out=$BATS_TEST_TMPDIR/stdout err=$BATS_TEST_TMPDIR/stderr
	status=0
	bond "$@" >"$out" 2>"$err" || status=$?
	IFS= read -r -d '' output <"$out" || output=${output%$'\n'}
	IFS= read -r -d '' stderr <"$err" || stderr=${stderr%$'\n'}
	mapfile -t lines <"$out"
	lived "bondctl $*"
}

# lived WHAT: what was run last did not die, and no sanitizer has reported anything.
lived() {
	if ((status >= 126)) || [[ $output$stderr == *Sanitizer* || $output$stderr == *'runtime error'* ]]; then
		explain "$1 died: status $status"
		return 1
	fi
}

# try, and it must end with status 0.
good() { bad 0 "$@"; }

# bad STATUS WORDS...: try, and it must end with that status.
bad() {
	try "${@:2}" || return
	((status == $1)) || { explain "bondctl ${*:2}: expected status $1, got $status"; return 1; }
}

# explain TEXT: what went wrong, and what the last call said, as far as a reader wants it.
explain() {
	echo "$1" >&2
	echo "  stdout: ${output:0:4000}" >&2
	echo "  stderr: ${stderr:0:4000}" >&2
}

# traced CALLS COMMAND...: status and standard output of a command, and its trace in $TRACE. A process can be traced only
# once, so that the sanitizers must do without their search for leaks.
traced() {
	TRACE=$BATS_TEST_TMPDIR/trace
	ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0 run --separate-stderr \
		strace -f -qq -o "$TRACE" -e "trace=$1" "${@:2}"
	lived "${*:2}"
}

# same WHAT GOT WANTED
same() { [[ $2 == "$3" ]] || { explain "$1: expected '$3', got '$2'"; return 1; }; }

# says WORDS...: the last standard error has each of the words.
says() {
	local word
	for word; do
		[[ $stderr == *"$word"* ]] || { explain "expected '$word' on stderr"; return 1; }
	done
}

# json FILTER WANTED: what the filter finds in the last output, compact, is that.
json() {
	local got
	got=$(jq -c "$1" <<<"$output") || { explain "not JSON, or no '$1' in it"; return 1; }
	same "$1" "$got" "$2"
}

# holds FILTER: the filter is true for the last output.
holds() { jq -e "$1" <<<"$output" >/dev/null || { explain "not true: $1"; return 1; }; }

# is TEXT...: the last output (stdout) is these lines.
is() {
	local IFS=$'\n'
	[[ $output == "$*" ]] || { explain "expected on stdout: $*"; return 1; }
}

# silent: nothing on stdout.
silent() { [[ -z $output ]] || { explain 'expected nothing on stdout'; return 1; }; }

# refused WORD... -- ARGUMENT...: status 2, nothing on stdout, and each of the words in what is said.
refused() {
	local words=()
	while [[ $1 != -- ]]; do
		words+=("$1")
		shift
	done
	shift
	bad 2 "$@" && silent && says 'bondctl: ' "${words[@]}"
}

# answers STATUS: rows from standard input, "COMMAND LINE" or "COMMAND LINE => WORD; WORD...", all run by one process as a
# batch with --json --keep-going. Each must end with that status and have each of the words in its message or hint.
answers() {
	local -
	set +T
	answers_quickly "$@"
}

answers_quickly() {
	local wanted=$1 row line said number=0 status_of word ok=0
	local -a rows lines
	mapfile -t rows
	printf '%s\n' "${rows[@]%% => *}" >"$BATS_TEST_TMPDIR/batch"
	try --batch "$BATS_TEST_TMPDIR/batch" --json --keep-going --quiet || return
	mapfile -t lines < <(jq -r '"\(.line)\t\(.status)\t\(.error.cause) \(.error.message) | \(.error.hint)"' <<<"$output")
	for line in "${lines[@]}"; do
		IFS=$'\t' read -r said status_of line <<<"$line"
		row=${rows[number]}
		((++number == said)) || { explain "the answer after line $((number - 1)) is to line $said"; return 1; }
		((status_of == wanted)) || { echo "expected status $wanted, got $status_of: $row: $line" >&2; ok=1; }
		[[ $row == *' => '* ]] || continue
		IFS=';' read -ra words <<<"${row#* => }"
		for word in "${words[@]}"; do
			[[ $line == *"${word# }"* ]] || { echo "expected '${word# }': $row: $line" >&2; ok=1; }
		done
	done
	((number == ${#rows[@]})) || { explain "$number answers to ${#rows[@]} lines"; return 1; }
	return $ok
}

# error STATUS CAUSE: the last call ended with the status and one JSON document that says so, with all its keys, and said
# nothing else.
error() {
	local string='"([^"\\[:cntrl:]]|\\[^[:cntrl:]])*"' document=$output pattern
	((status == $1)) || { explain "expected status $1, got $status"; return 1; }
	[[ -z $stderr ]] || { explain 'expected nothing on stderr'; return 1; }
	# one that is indented, on one line
	((${#lines[@]} == 1)) || document=$(jq -c . <<<"$output")
	pattern='^\{"error":\{"status":'$1',"cause":"'$2'","errno":(null|"E[A-Z0-9]+"),"device":(null|STRING),"option":(null|STRING),'
	pattern+='"message":STRING,"kernel":(null|STRING),"hint":(null|STRING)\},"changes":\[(|\{.*\})\]\}$'
	pattern=${pattern//STRING/"$string"}
	[[ $document =~ $pattern ]] || { explain "expected an error with status $1 and cause $2"; return 1; }
}
