# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154 # status, output and stderr are set by run
# Helpers of the live tests: a fresh network namespace with its own view of sysfs for each test, devices to bond, and
# assertions that say what was expected and what was there. Loaded by tests/live/*.bats; what it reads back comes from
# sysfs, /proc and iproute2, never from bondctl.

# The tool under test, and the tool as a user in the namespace would run it.
BONDCTL=${BONDCTL:-$BATS_TEST_DIRNAME/../../build/bondctl}

# Makes the namespace $NS, seen in sysfs at $SYS. Devices of the namespace are below $NET.
live_setup() {
	[[ -x $BONDCTL ]] || { echo "no bondctl at $BONDCTL: build it, or name it in BONDCTL" >&2; return 1; }
	NS=live-$$-$BATS_TEST_NUMBER
	SYS=$BATS_TEST_TMPDIR/sys
	NET=$SYS/class/net
	HELD=()
	ip netns add "$NS"
	mkdir "$SYS"
	inside mount -t sysfs live "$SYS"
}

# Ends what hold() started and removes the namespace with all that is in it.
live_teardown() {
	local pid
	for pid in "${HELD[@]}"; do
		kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
	done
	umount -l "$SYS" 2>/dev/null
	ip netns del "$NS" 2>/dev/null || true
}

# Runs a command with the namespace's network, in this mount namespace: /sys is not its own there, $SYS is.
inside() { nsenter --net="/run/netns/$NS" "$@"; }

# bondctl in the namespace.
bond() { nsenter --net="/run/netns/$NS" "$BONDCTL" "$@"; }

# attempt COMMAND...: what bats's run does ($status, $output, $lines, $stderr), with one process instead of four. A death by
# signal or a report of a sanitizer is a failure whatever the test expects.
attempt() {
	local out=$BATS_TEST_TMPDIR/stdout err=$BATS_TEST_TMPDIR/stderr
	status=0
	"$@" >"$out" 2>"$err" || status=$?
	IFS= read -rd '' output <"$out" || true
	IFS= read -rd '' stderr <"$err" || true
	output=${output%$'\n'} stderr=${stderr%$'\n'}
	mapfile -t lines <"$out"
	if ((status >= 126)) || [[ $stderr == *Sanitizer* || $stderr == *'runtime error'* ]]; then
		complain "$* died: status $status"
	fi
}

# bondctl in the namespace: $status, $output, $lines, $stderr.
try() { attempt nsenter --net="/run/netns/$NS" "$BONDCTL" "$@"; }

# try, and it must end with status 0.
good() {
	try "$@" || return
	((status == 0)) || complain "bondctl $*: expected status 0, got $status"
}

# bad STATUS WORDS...: try, and it must end with that status.
bad() {
	local wanted=$1
	shift
	try "$@" || return
	((status == wanted)) || complain "bondctl $*: expected status $wanted, got $status"
}

# Starts a command of the test in the background; live_teardown ends it. A program, not a function, or the wrong process is held.
hold() {
	# a command in the background has /dev/null for its standard input unless it is told
	"$@" <&0 3>&- &
	HELD+=($!)
}

# printable: no control byte in what the tool said to a person, but for the line ends.
printable() {
	[[ ${output//$'\n'/}${stderr//$'\n'/} != *[[:cntrl:]]* ]] || complain 'a control byte reached the reader'
}

# complain WORDS: says what is wrong and what the tool said last, and fails.
complain() {
	echo "$1" >&2
	echo "  stdout: ${output:-}" >&2
	echo "  stderr: ${stderr:-}" >&2
	return 1
}

# same WHAT GOT WANTED
same() {
	[[ $2 == "$3" ]] || complain "$1: expected '$3', got '$2'"
}

# says WORDS...: the tool's stderr has each of the words.
says() {
	local word
	for word in "$@"; do
		[[ $stderr == *"$word"* ]] || complain "expected '$word' on stderr"
	done
}

# silent: the tool said nothing at all.
silent() { same 'what bondctl said' "$output$stderr" ''; }

# json FILTER WANTED...: what each filter finds in the last output, compact and one value, is what is wanted.
json() {
	local n program=''
	local -a filters=() wanted=() got
	while (($#)); do
		filters+=("$1") wanted+=("$2")
		program+="${program:+, }($1)"
		shift 2
	done
	mapfile -t got < <(jq -c "$program" <<<"$output")
	for n in "${!filters[@]}"; do
		same "${filters[n]}" "${got[n]-nothing}" "${wanted[n]}" || return
	done
}

# json_true FILTER: the filter is true for the last output.
json_true() {
	jq -e "$1" <<<"$output" >/dev/null || complain "not true: $1"
}

# sys DEVICE FILE: the file below /sys/class/net/DEVICE into $REPLY, without a process.
sys() {
	REPLY=
	[[ -e $NET/$1/$2 ]] || { echo "no $2 of $1 in sysfs" >&2; return 1; }
	read -r REPLY <"$NET/$1/$2" || true
}

# sys_is DEVICE FILE WANTED: its first word, where enumerations have the word and the number.
sys_is() {
	sys "$1" "$2" || return
	[[ $REPLY == "$3" || ${REPLY%% *} == "$3" ]] || complain "sysfs $2 of $1: expected '$3', got '$REPLY'"
}

# slaves_are BOND WORDS...: the slaves that sysfs lists, in its order.
slaves_are() {
	local bond=$1
	shift
	sys "$bond" bonding/slaves || return
	same "slaves of $bond" "$REPLY" "$*"
}

there() { [[ -e $NET/$1 ]] || complain "device $1 is gone"; }
gone() { [[ ! -e $NET/$1 ]] || complain "device $1 is there"; }

# admin DEVICE up|down: whether it is set up, by its flags.
admin() {
	local now=down
	sys "$1" flags || return
	((REPLY & 1)) && now=up
	same "state of $1" "$now" "$2"
}

# master_of DEVICE: its master's name into $REPLY, empty for none, by sysfs.
master_of() {
	REPLY=
	[[ -L $NET/$1/master ]] || return 0
	REPLY=$(readlink "$NET/$1/master")
	REPLY=${REPLY##*/}
}

# master_is DEVICE WANTED: its master, "" for none.
master_is() {
	master_of "$1"
	same "master of $1" "$REPLY" "$2"
}

# changed OPTION OUTCOME: the last --json output has that outcome for the option (or for the device of that name).
changed() {
	json "[.changes[] | select(.option == \"$1\" or (.option == null and .device == \"$1\")) | .outcome]" "[\"$2\"]"
}

# links LINE...: lines of an ip batch in the namespace.
links() {
	local IFS=$'\n'
	ip -n "$NS" -batch - <<<"$*"
}

# dummies NAME...: dummy devices, down.
dummies() {
	local name lines=()
	for name; do lines+=("link add name $name type dummy"); done
	links "${lines[@]}"
}

# pairs NUMBER...: veth pairs; v0 is ours and down, p0 is the far end and up.
pairs() {
	local n lines=()
	for n; do lines+=("link add v$n type veth peer name p$n" "link set p$n up"); done
	links "${lines[@]}"
}

# The cable of v0 pulled out and put back.
cut_link() { ip -n "$NS" link set "p${1#v}" down; }
restore_link() { ip -n "$NS" link set "p${1#v}" up; }

# proc BOND: the driver's own page about it.
proc() { inside cat "/proc/net/bonding/$1"; }

# ip_json FILTER WORDS...: what the filter finds in ip's JSON.
ip_json() {
	local filter=$1
	shift
	ip -n "$NS" -s -d -j "$@" | jq -c "$filter"
}

# soon SECONDS COMMAND...: until the command succeeds. For what the driver does in its own time; the bound is generous, and
# only reaching it is an error.
soon() {
	local end=$((SECONDS + $1))
	shift
	until "$@" 2>/dev/null; do
		((SECONDS <= end)) || { echo "not within the time: $*" >&2; "$@"; return 1; }
		sleep 0.05
	done
}

# Every option and value of the tables in one mode, on the driver itself ("raw") or through bondctl ("tool"): one
# program does it all, and how many cells it ran, and why some could not, is printed.
option_matrix() { # option_matrix raw|tool MODE
	local line
	export NS SYS BONDCTL
	run "$BATS_TEST_DIRNAME/matrix" "$1" "$2"
	for line in "${lines[@]}"; do
		if [[ $line == *' cells' || $line == *' times: '* ]]; then echo "# $line" >&3; fi
	done
	((status == 0)) || { echo "$output" >&2; return 1; }
}
