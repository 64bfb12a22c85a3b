# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash disable=SC2154 # status, output and stderr are set by run
# Helpers of the live tests: a fresh network namespace with its own view of sysfs for each test, devices to bond, and
# assertions that say what was expected and what was there. Loaded by tests/live/*.bats; what it reads back comes from
# sysfs, /proc and iproute2, never from bondctl.

LIVE_LIB=${BASH_SOURCE[0]%/*}
# The tool under test, and the tool as a user in the namespace would run it.
BONDCTL=${BONDCTL:-$BATS_TEST_DIRNAME/../../build/bondctl}

# Makes the namespace $NS, seen in sysfs at $SYS. Devices of the namespace are below $NET.
live_setup() {
	[[ -x $BONDCTL ]] || { echo "no bondctl at $BONDCTL: build it, or name it in BONDCTL" >&2; return 1; }
	quick_trap
	NS=live-$$-$BATS_TEST_NUMBER
	SYS=$BATS_SUITE_TMPDIR/sys
	NET=$SYS/class/net
	HELD=()
	[[ -d $SYS ]] || mkdir -p "$SYS" /run/netns
	# "ip netns add" and a mount from within it, in one process
	: >"/run/netns/$NS"
	unshare --net="/run/netns/$NS" mount -t sysfs live "$SYS"
}

# What bats does before each command, to know the line that failed, takes longer than most commands. It is not done for those of
# this folder, whose callers it knows, nor in a function with "local UNTRACED=yes" and in what that calls.
quick_trap() {
	declare -F bats_debug_trap >/dev/null || return 0
	# shellcheck disable=SC2016 # the trap's words
	trap '[[ $BASH_SOURCE == "$LIVE_LIB"/* || ${UNTRACED-} ]] || bats_debug_trap "$BASH_SOURCE"' DEBUG
}

# Ends what hold() started and removes the namespace with all that is in it.
live_teardown() {
	local pid
	for pid in "${HELD[@]}"; do
		kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null
	done
	umount -l "$SYS" 2>/dev/null
	ip netns del "$NS" 2>/dev/null || true
	[[ ! -e /run/netns/$NS-below ]] || ip netns del "$NS-below"
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

# says_not WORD...: its stderr has none of them.
says_not() {
	local word
	for word; do
		[[ $stderr != *"$word"* ]] || complain "'$word' on stderr"
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

# small_device NAME: one that takes no MTU above 1500, which only the kernel knows: what it is on is in the namespace $NS-below.
small_device() {
	ip netns add "$NS-below"
	ip -n "$NS-below" -batch - <<<"$(printf '%s\n' 'link add d0 mtu 1500 type dummy' 'link set d0 up' \
		"link add link d0 name $1 netns $NS type macvlan mode bridge")"
}

# refused_device NAME: one that the driver refuses as a slave, in every mode, and only it knows: what arrives there belongs to another.
refused_device() { links "link add $1 type dummy" "link add link $1 name $1-up type macvlan"; }

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

# --- what a namespace holds, before and after ---

# quiet_ipv6: addresses are there at once, without duplicate address detection. Devices made before keep it.
# shellcheck disable=SC2016 # the inner shell's words
quiet_ipv6() { inside sh -c 'for f in all default; do echo 0 >/proc/sys/net/ipv6/conf/$f/accept_dad; done'; }

# raw WORDS...: one request by rawlink in the namespace, its answer in $REPLY. One rawlink serves a test.
raw() {
	if [[ -z ${RAW_PID:-} ]]; then
		coproc RAW { exec nsenter --net="/run/netns/$NS" "$RAWLINK" 3>&-; }
		HELD+=("$RAW_PID")
	fi
	echo "$*" >&"${RAW[1]}"
	read -r REPLY <&"${RAW[0]}"
}

# state FILE: all that somebody has set in the namespace, by ip, sysfs, and rawlink for what this ip does not know, to be
# compared by differences().
state() {
	local -
	set +T # for those called from here, which are many, no trap at all
	read_state "$@"
}

read_state() {
	local device attr
	ip -n "$NS" -d -j -batch - >"$1" <<-'END'
		addr show
		route show table all
		neigh show nud permanent
		neigh show proxy
		nexthop show
	END
	for device in "$NET"/*/; do
		device=${device%/} device=${device##*/}
		if [[ -e $NET/$device/bonding ]]; then
			sys "$device" addr_assign_type
			printf '%s\taddr_assign_type\t%s\n' "$device" "$REPLY"
			sys "$device" bonding/slaves
			printf '%s\torder\t%s\n' "$device" "$REPLY"
			for attr in 32:coupled_control 33:broadcast_neighbor 34:lacp_strict; do
				raw get "$device" bond "${attr%%:*}" u8
				printf '%s\t%s\t%s\n' "$device" "${attr#*:}" "$REPLY"
			done
		elif [[ -e $NET/$device/bonding_slave ]]; then
			raw get "$device" slave 10 u16
			printf '%s\tactor_port_prio\t%s\n' "$device" "$REPLY"
		fi
	done >"$1.more"
}

# differences BEFORE AFTER: lines "DEVICE<tab>WHAT<tab>VALUE BEFORE<tab>VALUE AFTER", "-" for none; see state.jq.
# shellcheck disable=SC2016 # jq's variables
differences() {
	jq -nr -L "$LIVE_LIB" --slurpfile before "$1" --rawfile more_before "$1.more" --slurpfile after "$2" --rawfile more_after "$2.more" \
		'include "state"; differences($before; $more_before; $after; $more_after; [])'
}

# addressed DEVICE[:NUMBER]...: each has its link-local address, or as many of them, and none of them is tentative: IPv6 has seen
# its carrier.
addressed() {
	local scope flags device
	local -A seen=()
	raw file /proc/net/if_inet6
	while [[ $REPLY != . ]]; do
		read -r _ _ _ scope flags device <<<"$REPLY"
		if [[ $scope == 20 ]] && ((!(0x$flags & 0x40))); then seen[$device]=$((${seen[$device]:-0} + 1)); fi
		read -r REPLY <&"${RAW[0]}"
	done
	for device; do
		[[ $device == *:* ]] || device+=:1
		((${seen[${device%:*}]:-0} >= ${device##*:})) || return
	done
}

# kept BEFORE [PATTERN...]: the state is that of the file, but for lines whose "DEVICE WHAT" is one of the patterns.
kept() {
	local before=$1 device what old new pattern all wrong=()
	shift
	state "$BATS_TEST_TMPDIR/now"
	all=$(differences "$before" "$BATS_TEST_TMPDIR/now") || complain 'the states cannot be compared'
	[[ -n $all ]] || return 0
	while IFS=$'\t' read -r device what old new; do
		for pattern; do
			# shellcheck disable=SC2053 # a pattern
			[[ "$device $what" == $pattern ]] && continue 2
		done
		wrong+=("$device: $what: was $old, is $new")
	done <<<"$all"
	((${#wrong[@]} == 0)) && return
	printf '  %s\n' "${wrong[@]}" >&2
	complain 'the state is another:'
}

# remembered: what as_before compared is what is to be remembered.
remembered() { mv "$BATS_TEST_TMPDIR/now" "$BATS_TEST_TMPDIR/before" && mv "$BATS_TEST_TMPDIR/now.more" "$BATS_TEST_TMPDIR/before.more"; }

# remember: the state now, for the same as before.
remember() { state "$BATS_TEST_TMPDIR/before"; }
as_before() { kept "$BATS_TEST_TMPDIR/before" "$@"; }

# --- plans ---

# dry WORDS...: the plan of a command, which ends with status 0, in $output as JSON.
dry() { good --json "$@" --dry-run; }

# no_steps: the last plan has nothing to do.
no_steps() { json '.plan.steps' '[]'; }

# costs DEVICE WORD...: the last plan or report says that what the word stands for is lost on the device.
costs() {
	local device=$1 word
	shift
	for word; do
		jq -e --arg device "$device" --arg word "$word" '.changes | any(.[]; .action == "lose" and .device == $device
			and (.option == $word or ([.value, .note] | map(. // "") | join(" ") | contains($word))))' <<<"$output" >/dev/null ||
			complain "$device: it is not said that $word is lost"
	done
}

# is_lost WORD: the last plan or report says that something with the word in it is lost.
is_lost() {
	jq -e --arg word "$1" '.changes | any(.[]; .action == "lose" and ([.value, .note] | map(. // "") | join(" ") | contains($word)))' \
		<<<"$output" >/dev/null
}

# puts_back DEVICE WORD...: the same of what is put back.
puts_back() {
	local device=$1 word
	shift
	for word; do
		jq -e --arg device "$device" --arg word "$word" '.changes | any(.[]; .action == "put_back" and .device == $device
			and (.option == $word or ([.value, .note] | map(. // "") | join(" ") | contains($word))))' <<<"$output" >/dev/null ||
			complain "$device: it is not said that $word is put back"
	done
}

# A leak cannot be looked for under strace.
STRACE_ENV=(-E "ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0")
SENDS='RTM_(NEW|SET|DEL)|SIOCS|SIOCBOND(ENSLAVE|RELEASE|SETHWADDR|CHANGEACTIVE)'

# quiet WORDS...: bondctl in the namespace ends with status 0 and sends nothing that changes a link, an address or a route.
quiet() {
	local trace=$BATS_TEST_TMPDIR/trace
	attempt nsenter --net="/run/netns/$NS" strace -f -qq "${STRACE_ENV[@]}" -e trace=sendto,sendmsg,ioctl -o "$trace" "$BONDCTL" "$@" || return
	((status == 0)) || complain "bondctl $*: expected status 0, got $status"
	grep -q RTM_GETLINK "$trace" || complain 'strace saw nothing'
	if grep -qE "$SENDS" "$trace"; then
		grep -E "$SENDS" "$trace" | cut -c1-400 >&2
		complain 'something was sent'
	fi
}

# --- another program in the window between two requests ---

# stopped_after N[,M] WORDS...: bondctl, stopped when the kernel has done its request number N, and number M; then meanwhile() is called, with
# 1 and 2, and it goes on. With --json, or what FORMAT has in its place.
stopped_after() {
	local n=${1%,*} m=${1#*,} code=0 stop
	local -a stops=(1)
	shift
	: >"$BATS_TEST_TMPDIR/trace"
	((m == n)) || stops=(1 2) n="$n..$m+$((m - n))"
	nsenter --net="/run/netns/$NS" strace -qq "${STRACE_ENV[@]}" -o "$BATS_TEST_TMPDIR/trace" -e trace=sendto,sendmsg -e "inject=sendto,sendmsg:signal=STOP:when=$n" \
		"$BONDCTL" "${FORMAT:---json}" "$@" >"$BATS_TEST_TMPDIR/said" 2>&1 3>&- &
	local tracer=$!
	for stop in "${stops[@]}"; do
		soon 20 is_stopped "$tracer" "$stop"
		meanwhile "$stop"
		kill -CONT "$(pgrep -P "$tracer")"
	done
	wait "$tracer" || code=$?
	status=$code output=$(<"$BATS_TEST_TMPDIR/said")
}

# is_stopped TRACER NUMBER: the process that it traces is, for the so manyth time.
is_stopped() {
	local tool stat
	tool=$(pgrep -P "$1")
	read -r stat <"/proc/$tool/stat"
	stat=${stat##*) }
	[[ ${stat:0:1} == [tT] && $(grep -c 'stopped by SIGSTOP' "$BATS_TEST_TMPDIR/trace") == "$2" ]]
}

# request WHICH WORDS...: the number of the first or last request of a command that changes something, into $REPLY.
request() {
	local which=$1
	shift
	nsenter --net="/run/netns/$NS" strace -qq "${STRACE_ENV[@]}" -o "$BATS_TEST_TMPDIR/trace" -e trace=sendto,sendmsg "$BONDCTL" --json "$@" >"$BATS_TEST_TMPDIR/said" 2>&1 || true
	REPLY=$(awk -v which="$which" '/RTM_(NEW|DEL)/ { if (!first) first = NR; last = NR } END { print which == "first" ? first : last }' "$BATS_TEST_TMPDIR/trace")
}

# --- documents ---

# jq: a document of show without what is state: links, what the driver chooses, counters.
# shellcheck disable=SC2034 # for the tests
LASTING='def lasting: del(.ifindex, .statistics, .operstate, .carrier, .carrier_changes, .state_stale, .active_slave, .ad_info)
	| .slaves |= map(del(.ifindex, .statistics, .operstate, .carrier, .carrier_changes, .state, .mii_status, .link_failure_count,
		.perm_hwaddr, .address, .ad_aggregator_id, .ad_actor_oper_port_state, .ad_partner_oper_port_state, .churn_actor_state,
		.churn_partner_state));'

# document FILE [BOND...]: what show says of the bonds, or of all.
document() {
	local file=$1
	shift
	good show --json "$@"
	echo "$output" >"$file"
}

# same_document FILE FILE: equal but for state.
# shellcheck disable=SC2016 # jq's variables
same_document() {
	attempt jq -nr --slurpfile a "$1" --slurpfile b "$2" "$LASTING"'
		def leaves: .[0] | if type == "array" then . else [.] end | map(lasting) | . as $all
			| [paths | select(. as $p | $all | getpath($p) | type | IN("object", "array") | not)
				| "\(map(tostring) | join(".")): \(. as $p | $all | getpath($p))"];
		($a | leaves) as $x | ($b | leaves) as $y | ($x - $y | map("- \(.)")) + ($y - $x | map("+ \(.)")) | .[]'
	same 'differences' "$output" ''
}
