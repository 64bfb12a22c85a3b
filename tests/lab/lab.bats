#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2016,SC2030,SC2031 # what is in single quotes is for the child; output is what "attempt" sets
# cli/lab on a real kernel, driven by labtool: namespaces that are gone with their process, children that are never waited for
# too long, devices as ip and tc see them, laboratories of every mode, and nothing left whatever ends them.

bats_require_minimum_version 1.5.0

load ../lib/live
load ../lib/lines

setup() {
	LABTOOL=${LABTOOL:-${BONDCTL%/*}/tests/labtool}
	[[ -x $LABTOOL ]] || { echo "no labtool at $LABTOOL: build it, or name it in LABTOOL" >&2; return 1; }
	SAID=() AS=()
}

# lab WORDS...: labtool, which must end with status 0. Its lines are in $output.
lab() {
	attempt "$LABTOOL" "$@" || return
	((status == 0)) || complain "labtool $*: expected status 0, got $status"
}

# begins WORDS...: labtool in the background; $TOOL is its process.
begins() {
	local said=$BATS_TEST_TMPDIR/said-${#SAID[@]}
	"${AS[@]}" "$LABTOOL" "$@" >"$said" 2>"$said.err" 3>&- &
	TOOL=$!
	SAID[TOOL]=$said
}

# ended: the laboratory had what it was built of, and both namespaces are gone.
ended() {
	value devices
	value_is expected "$REPLY" gone '1 1' free 0
}

# nobody_runs WORDS: no process has this command line.
nobody_runs() {
	local file words
	for file in /proc/[0-9]*/cmdline; do
		# it may end meanwhile
		{ mapfile -td '' words <"$file"; } 2>/dev/null || continue
		[[ ${words[*]} != "$1" ]] || complain "${file%/cmdline} still runs '$1'"
	done
}

# --- namespaces and children ---

@test "lab: a namespace has lo, a path, a descriptor that no child inherits, and is gone when that is closed" {
	lab netns
	value_is device lo path readable cloexec 1 gone-while-open 0 gone-after-close 1
	same 'devices' "$(grep -c ^device <<<"$output")" 1
}

@test "lab: a child runs in its namespace with three descriptors, /dev/null to read, no signal blocked or ignored" {
	lab child 9000 sh -c 'test -z "$(cat)" && exec sed -n "3,\$s/^ *\(.*\):.*/\1/p" /proc/thread-self/net/dev'
	value_is end 'exit status 0' stdout lo wrote '3 0' wait 0 kill 'too late' free 0
	lab child 9000 ls /proc/self/fd
	same 'what ls sees, with its own' "$(sed -n 's/^wrote //p' <<<"$output")" '8 0'
	lab child 9000 sed -n 's/^Sig\(Blk\|Ign\):\t0*$/\1/p' /proc/self/status
	value_is wrote '8 0'
}

@test "lab: a child that hangs is killed at its deadline" {
	lab child 700 sleep 5432
	value_is wait 0 free 0
	between 700 ms 4000
	value end
	[[ $REPLY == 'killed at its deadline after '* ]] || complain "$REPLY"
	nobody_runs 'sleep 5432'
}

@test "lab: a child that closes its output is waited for until it ends" {
	lab child 9000 sh -c 'exec >&- 2>&-; sleep 0.5; exit 4'
	value_is end 'exit status 4' wrote '0 0'
	between 500 ms 8000
}

@test "lab: a child that writes megabytes is never held up; the first eight are kept, the rest is counted" {
	lab child 30000 sh -c 'head -c 20000000 /dev/zero; echo that was all >&2'
	value_is end 'exit status 0' wrote '20000000 13' kept 8388608 stderr 'that was all'
}

@test "lab: what a child leaves running goes with it" {
	lab child 9000 sh -c 'sleep 5431 & echo left'
	value_is end 'exit status 0' stdout left
	between 0 ms 5000
	nobody_runs 'sleep 5431'
}

@test "lab: a child that ends by a signal says by which" {
	lab child 9000 sh -c 'kill -SEGV $$'
	value_is end 'ended by signal 11'
}

@test "lab: what a child says is seen while it runs, and SIGTERM lets it end in its own way" {
	lab term sh -c 'trap "echo bye; exit 5" TERM; echo I-am-here; while :; do sleep 0.1; done'
	value_is said am-here sent 0 end 'exit status 5' wrote '14 0' stdout I-am-here
}

@test "lab: a program that is missing, not to be executed, or none says so, and a child needs a deadline" {
	local file=$BATS_TEST_TMPDIR/none
	attempt "$LABTOOL" child 9000 no-such-program
	same status "$status" 1
	says "there is no program 'no-such-program'" 'errno 2)' 'install it'
	attempt "$LABTOOL" child 9000 /no/such/program
	says 'errno 2)'
	: >"$file"
	attempt "$LABTOOL" child 9000 "$file"
	says 'may not be executed' 'errno 13)'
	printf 'none of these' >"$file"
	chmod +x "$file"
	attempt "$LABTOOL" child 9000 "$file"
	says 'errno 8)'
	attempt "$LABTOOL" child 0 true
	says deadline 'errno 22)'
}

@test "lab: a child lives on when the thread that asked for it has ended" {
	lab thread 9000 sh -c 'sleep 0.5; echo alive'
	value_is end 'exit status 0' stdout alive
}

@test "lab: many children at once are freed while they run, and all are gone" {
	lab children 60000 30 sleep 5430
	value_is started 30 ended-at-once 0
	nobody_runs 'sleep 5430'
}

# --- devices ---

# shown TITLE FILTER WANTED...: what jq finds in the JSON of that line.
shown() {
	local title=$1 all=$output
	shift
	value "$title" || return
	output=$REPLY
	json "$@"
	output=$all
}

@test "lab: every operation on devices, addresses, routes and qdiscs is what ip and tc then see" {
	lab links
	value_is failed 0
	shown links '.[] | select(.ifname == "a") | [.mtu, .txqlen, .flags[-2:], .link_netnsid]' \
		'[1400,77,["UP","LOWER_UP"],0]' \
		'.[] | select(.ifname == "a.7") | [.linkinfo.info_kind, .linkinfo.info_data.id, .link]' '["vlan",7,"a"]' \
		'.[] | select(.ifname == "mv0") | [.linkinfo.info_kind, .linkinfo.info_data.mode]' '["macvlan","bridge"]' \
		'.[] | select(.ifname == "br0") | .linkinfo.info_data | [.stp_state, .group_fwd_mask]' '[0,"0x4000"]' \
		'.[] | select(.ifname == "d") | [.master, .linkinfo.info_slave_data.group_fwd_mask]' '["br0","0x4"]' \
		'.[] | select(.ifname == "longest-name-15") | [.mtu, .txqlen, .address, .promiscuity]' \
		'[1300,55,"02:00:00:00:00:09",1]'
	shown other 'map(.ifname)' '["lo","b"]' \
		'.[1] | [.mtu, .txqlen, (.flags | contains(["UP", "LOWER_UP"]))]' '[1400,77,true]'
	shown addresses '[.[0].addr_info[] | select(.scope == "global") | .local]' '["198.18.7.1","2001:2::7"]' \
		'[.[0].addr_info[] | select(.tentative)]' '[]'
	shown routes4 '.[] | select(.dst == "default") | [.gateway, .dev]' '["198.18.7.9","a"]'
	shown routes6 '.[0].dev' '"a"'
	shown left 'map(.ifname)' '["lo","d"]'
	shown moved 'map(.ifname)' '["lo","longest-name-15"]'
}

@test "lab: qdiscs replace each other, with their parameters, and go" {
	local wanted
	lab links
	for wanted in 'pfifo 8*limit 33p' 'pfifo_fast *' 'fq_codel *limit 44p*' 'netem *limit 66 delay 3*ms loss 25%' \
		'tbf *rate 100Mbit burst 12*lat 50ms'; do
		# shellcheck disable=SC2053 # it is a pattern
		[[ $output == *"qdisc qdisc "$wanted* ]] || complain "no qdisc $wanted"
	done
	value qdisc-none
	[[ $REPLY == 'qdisc noqueue'* ]] || complain "left: $REPLY"
}

@test "lab: what the kernel refuses comes back with its own errno and words" {
	local got
	lab links
	mapfile -t got < <(sed -n 's/^refused //p' <<<"$output")
	same refusals "${got[*]}" 'exists -17 no-device -19 no-lower -19 no-master -19 mtu -22 mask -22 address -22 address-twice -17 gateway -101 rate -22 qdisc -2'
	says 'cannot change the MTU of a' 'kernel: mtu less than device minimum'
}

# --- laboratories ---

# They are side by side, since LACP takes its time.
@test "lab: in every mode both ends are built, carry datagrams, and go without a trace; a leg loses carrier, falls silent with it, carries again" {
	local mode far legs=() labs=() names=(round-robin active-backup xor broadcast 802.3ad 'transmit load balancing' 'adaptive load balancing')
	for mode in 1 4; do
		begins leg "$mode"
		legs[mode]=$TOOL
	done
	for mode in 0 1 2 3 4 5 6; do
		begins lab "$mode" 2 1 0 0 grep -h -e '^Bonding Mode' -e '^Slave Interface' -r /proc/thread-self/net/bonding
		labs[mode]=$TOOL
	done
	for mode in 0 1 2 3 4 5 6; do
		ends_well "${labs[mode]}"
		ended
		value_is devices '4 4'
		[[ $output == *"${names[mode]}"*leg0*leg1*run* ]] || complain "mode $mode: near"
		far=${output##*run }
		case $mode in
		1 | 5 | 6) [[ $far != *Slave* ]] || complain "mode $mode: a bond at the far end" ;;
		*) [[ $far == *"${names[mode]}"*far0*far1* ]] || complain "mode $mode: far" ;;
		esac
	done
	for mode in 1 4; do
		ends_well "${legs[mode]}"
		ended
		value_is at-first 'running 1 echo 1' no-carrier 'running 0 echo 0' carrier 'running 1 echo 1' \
			silent 'running 1 echo 0' audible 'running 1 echo 1'
	done
}

@test "lab: several bonds, many slaves, an MTU and a rate are as wanted" {
	lab lab 2 3 4 50000000 9000 ip -d -j link
	ended
	value_is devices '17 17'
	shown run '[.[] | select(.linkinfo.info_kind == "bond") | .mtu]' '[9000,9000,9000,9000]' \
		'[.[] | select(.master == "bond2") | .ifname]' '["leg6","leg7","leg8"]' \
		'[.[] | select(.qdisc == "tbf")] | length' 12
}

@test "lab: a shaped leg carries traffic, and no more than its rate" {
	lab speed 40000000
	ended
	# a busy machine may not reach it
	between 1 speed 40000000
}

@test "lab: another thread works in the same namespace, and legs are worked one operation after another" {
	lab pace 100
	ended
	value_is elsewhere 'mtu 1300'
	between 1 carrier-a-second 1000000000
}

@test "lab: a namespace that somebody keeps open is said not to be gone" {
	lab leak
	value_is gone '1 0' free 'Connection timed out'
}

@test "lab: what cannot be built is refused, and nothing is left of the attempt" {
	local words
	for words in '7 2' '1 0' '1 65' '1 2 0' '1 2 1 1'; do
		# shellcheck disable=SC2086 # several words
		attempt "$LABTOOL" lab $words
		same status "$status" 1
		says '(bad_value, errno 22)'
	done
	attempt "$LABTOOL" lab 1 2 1 0 70000
	same status "$status" 1
}

# --- whatever ends it ---

# namespaces: how many network namespaces the kernel has, those that no process is in as well; in $REPLY.
namespaces() {
	local name
	REPLY=
	while read -r name REPLY _; do
		[[ $name == net_namespace ]] && return
	done </proc/slabinfo
	REPLY=
}

# files: all that could be left on this machine.
files() { find /tmp /run /dev/shm -xdev 2>/dev/null | sort; }

# occupied: how many network namespaces processes are in, in $REPLY.
occupied() { REPLY=$({ readlink /proc/[0-9]*/ns/net 2>/dev/null || true; } | sort -u | wc -l); }

@test "lab: killed at twenty moments it leaves no namespace, process, link or file" {
	local n pid before inside_before links files pids=()
	namespaces
	before=$REPLY
	occupied
	inside_before=$REPLY
	links=$(ip -br link)
	for ((n = 0; n < 20; n++)); do : >"$BATS_TEST_TMPDIR/hold-$n"; done
	files=$(files)
	# the later ones are killed when they have children; it takes them time
	for ((n = 19; n >= 0; n--)); do
		"$LABTOOL" hold $((n % 7)) >"$BATS_TEST_TMPDIR/hold-$n" 2>&1 3>&- &
		pids[n]=$!
		((n < 15)) || continue
		sleep "0.$((RANDOM % 3))$((RANDOM % 10))$((RANDOM % 10))"
		kill -KILL "${pids[n]}"
		wait "${pids[n]}" || true
	done 2>/dev/null
	for n in 15 16 17 18 19; do
		soon 40 grep -q holding "$BATS_TEST_TMPDIR/hold-$n"
		pid=${pids[n]}
		kill -KILL "$pid"
		wait "$pid" || true
	done 2>/dev/null
	soon 5 nobody_runs 'sleep 12345'
	nobody_runs 'sleep 12345'
	occupied
	same 'namespaces with processes' "$REPLY" "$inside_before"
	same links "$(ip -br link)" "$links"
	same files "$(files)" "$files"
	# the kernel keeps a few freed ones at hand: forty of them would be ours
	[[ -n $before ]] || return 0
	soon 10 few_more_namespaces $((before + 15))
}

few_more_namespaces() { namespaces && ((REPLY <= $1)); }

# as_nobody WORDS...: labtool as an ordinary user, who enters a user namespace.
as_nobody() {
	attempt setpriv --reuid 65534 --regid 65534 --clear-groups --bounding-set -all "$LABTOOL" "$@"
}

need_user_namespaces() {
	setpriv --reuid 65534 --regid 65534 --clear-groups --bounding-set -all test -x "$LABTOOL" ||
		skip 'uid 65534 may not execute labtool'
	setpriv --reuid 65534 --regid 65534 --clear-groups --bounding-set -all unshare -Urn true ||
		skip 'this kernel gives no user namespace to an ordinary user'
}

@test "lab: an ordinary user has laboratories in a user namespace" {
	local mode labs=()
	need_user_namespaces
	AS=(setpriv --reuid 65534 --regid 65534 --clear-groups --bounding-set -all)
	for mode in 1 4; do
		begins --user lab "$mode" 2 1 20000000 1400 id -u
		labs[mode]=$TOOL
	done
	as_nobody --user links
	same status "$status" 0
	value_is failed 0
	as_nobody --user child 9000 id -u
	value_is stdout 0
	as_nobody lab 1
	same status "$status" 1
	says 'cannot make a network namespace' '(permission, errno 1)' 'run it as root'
	lab --user lab 1
	value_is user root
	for mode in 1 4; do
		ends_well "${labs[mode]}"
		value_is user namespace run 0
		ended
	done
}

# with_setting FILE VALUE WORDS...: as_nobody while a setting of the kernel is otherwise.
with_setting() {
	local file=$1 before rc=0
	before=$(<"$1")
	echo "$2" >"$file"
	shift 2
	as_nobody "$@" || rc=$?
	echo "$before" >"$file"
	return "$rc"
}

@test "lab: where the kernel gives no user namespace, the setting that forbids it is named" {
	local file=/proc/sys/kernel/unprivileged_userns_clone
	need_user_namespaces
	[[ ${BONDCTL_KERNEL:-host} != host ]] || skip 'settings of this machine are left alone'
	with_setting /proc/sys/user/max_user_namespaces 0 --user lab 1
	same status "$status" 1
	says 'user.max_user_namespaces is 0' 'errno 28)' 'sysctl user.max_user_namespaces'
	[[ ! -e $file ]] || with_setting "$file" 0 --user lab 1
	[[ ! -e $file ]] || says 'kernel.unprivileged_userns_clone is 0' 'errno 1)' 'run it as root'
}
