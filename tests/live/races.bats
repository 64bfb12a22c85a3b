#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Others at work on the same devices: slaves that vanish in the middle of a command, and two tools changing one bond. Nothing
# crashes, no document is broken, and every status is one that the state explains.

bats_require_minimum_version 1.5.0

load ../lib/live

setup() { live_setup; }
teardown() { live_teardown; }

# write_lines COUNT LINE...: the lines, that many times over.
write_lines() {
	local n count=$1
	shift
	for ((n = 0; n < count; n++)); do printf '%s\n' "$@"; done
}

# answers FILE: the answers of a batch as "status cause", each with its number, and none that is no JSON.
answers() { jq -r '"\(.status // 0) \(.error.cause // "-")"' "$1" | sort | uniq -c | sed 's/^ *//'; }

# only FILE ANSWER...: no answer in the file but these ("status cause").
only() {
	local file=$1 count answer known
	shift
	[[ -s $file ]] || complain "$file is empty"
	while read -r count answer; do
		for known; do
			[[ $answer == "$known" ]] && continue 2
		done
		jq -c "select(\"\\(.status // 0) \\(.error.cause // \"-\")\" == \"$answer\")" "$file" | head -n 3 >&2
		complain "$count times '$answer', which the state does not explain"
	done < <(answers "$file")
}

@test "a slave that vanishes between two commands is missing, and the bond goes on" {
	pairs 0 1
	good create bond0 mode active-backup slaves v0 v1 up
	links 'link del p0'
	good show bond0 --json
	json '[.slaves[].name]' '["v1"]'
	bad 3 set bond0 slave v0 prio 3
	bad 3 release bond0 v0
	bad 3 enslave bond0 v0
	slaves_are bond0 v1
}

@test "while a slave comes and goes every show is whole, and every change ends with a status that explains it" {
	local dir=$BATS_TEST_TMPDIR
	pairs 1
	good create bond0 mode active-backup slaves v1 up
	write_lines 150 'link add vx type veth peer name px' 'link set vx master bond0' 'link del px' >"$dir/churn"
	write_lines 120 'show bond0' 'enslave bond0 vx' 'set bond0 slave vx queue_id 3 prio 5' 'set bond0 slave vx queue_id 0 prio 0' \
		'set bond0 primary vx' 'release bond0 vx' 'set bond0 primary none' >"$dir/commands"
	hold ip -n "$NS" -force -batch "$dir/churn"
	bond --json --keep-going --batch "$dir/commands" >"$dir/out" 2>"$dir/err" || true
	same 'lines on stderr' "$(<"$dir/err")" ''
	same 'number of answers' "$(jq -c type "$dir/out" | wc -l)" 840
	jq -c '.result // empty' "$dir/out" >"$dir/shows"
	same 'number of documents' "$(jq -c type "$dir/shows" | wc -l)" 120
	same 'documents of show' "$(jq -cs 'map(.slaves | map(.name) | index("v1") != null) | unique' "$dir/shows")" '[true]'
	jq -c 'select(has("result") | not)' "$dir/out" >"$dir/changes"
	answers "$dir/changes" | sed 's/^/# /' >&3
	only "$dir/changes" '0 -' '3 no_device' '8 no_device' '5 not_a_slave' '5 has_master' '5 conflict' '1 overridden' '8 overridden'
	good show bond0 --json
	json_true '.slaves | map(.name) | index("v1") != null'
}

@test "while bonds come and go every list is whole" {
	local dir=$BATS_TEST_TMPDIR
	good create stay miimon 30
	write_lines 80 'link add b1 type bond' 'link add b2 type bond' 'link del b1' 'link add b3 type bond' 'link del b2' 'link del b3' \
		>"$dir/churn"
	write_lines 100 list show stats >"$dir/commands"
	hold ip -n "$NS" -force -batch "$dir/churn"
	bond --json --keep-going --batch "$dir/commands" >"$dir/out" 2>"$dir/err" || true
	same 'lines on stderr' "$(<"$dir/err")" ''
	same 'documents' "$(jq -c '.result | type' "$dir/out" | sort | uniq -c | sed 's/^ *//')" '300 "array"'
	same 'documents without the bond that stays' "$(jq -c '.result | select(map(.name) | index("stay") == null)' "$dir/out" | head -n 2)" ''
}

@test "two tools that change different things of one bond both get all they ask for" {
	local dir=$BATS_TEST_TMPDIR n
	pairs 0 1
	good create bond0 mode active-backup up
	for ((n = 0; n < 150; n++)); do
		printf '%s\n' "set bond0 resend_igmp $((n % 200 + 2))" 'enslave bond0 v0' 'set bond0 slave v0 queue_id 1' 'release bond0 v0 --force'
	done >"$dir/one"
	for ((n = 0; n < 150; n++)); do
		printf '%s\n' "set bond0 lp_interval $((n % 200 + 2))" 'enslave bond0 v1' 'set bond0 slave v1 queue_id 2' 'release bond0 v1 --force'
	done >"$dir/two"
	nsenter --net="/run/netns/$NS" "$BONDCTL" --json --keep-going --batch "$dir/one" >"$dir/one.out" 2>"$dir/one.err" 3>&- &
	local one=$! status_one=0 status_two=0
	bond --json --keep-going --batch "$dir/two" >"$dir/two.out" 2>"$dir/two.err" || status_two=$?
	wait "$one" || status_one=$?
	only "$dir/one.out" '0 -'
	only "$dir/two.out" '0 -'
	same 'statuses' "$status_one $status_two" '0 0'
	same 'answers of both' "$(jq -c .line "$dir/one.out" "$dir/two.out" | wc -l)" 1200
	same 'outcomes' "$(jq -r '.changes[] | select(.action | IN("set", "enslave", "release")).outcome' "$dir/one.out" "$dir/two.out" | sort -u)" applied
	sys_is bond0 bonding/resend_igmp $((149 % 200 + 2))
	sys_is bond0 bonding/lp_interval $((149 % 200 + 2))
	slaves_are bond0
}

@test "two tools that change the same things report what became of each change" {
	local dir=$BATS_TEST_TMPDIR
	pairs 0 1
	good create bond0 mode active-backup up
	write_lines 120 'set bond0 miimon 50 resend_igmp 5' 'enslave bond0 v0' 'enslave bond0 v1' 'set bond0 active_slave v0' \
		'set bond0 slave v0 queue_id 1' 'release bond0 v0 --force' 'down bond0' 'set bond0 ad_select count' 'up bond0' >"$dir/one"
	write_lines 120 'set bond0 miimon 70 resend_igmp 7' 'enslave bond0 v1' 'enslave bond0 v0' 'set bond0 active_slave v1' \
		'set bond0 slave v1 queue_id 1' 'release bond0 v1 --force' 'down bond0' 'set bond0 ad_select bandwidth' 'up bond0' >"$dir/two"
	nsenter --net="/run/netns/$NS" "$BONDCTL" --json --keep-going --batch "$dir/one" >"$dir/one.out" 2>"$dir/one.err" 3>&- &
	local one=$! status_one=0 status_two=0
	bond --json --keep-going --batch "$dir/two" >"$dir/two.out" 2>"$dir/two.err" || status_two=$?
	wait "$one" || status_one=$?
	((status_one < 126 && status_two < 126)) || complain "a tool died: $status_one $status_two"
	same 'answers of both' "$(jq -c .line "$dir/one.out" "$dir/two.out" | wc -l)" 2160
	cat "$dir/one.out" "$dir/two.out" >"$dir/both"
	answers "$dir/both" | sed 's/^/# /' >&3
	# not_a_slave: the other released it; bond_up: the other set it up; conflict: the queue is the other's, or the slave has no
	# link yet; refused: the same, seen by the driver; overridden: the other changed it before it was read back. 8: there
	# was something to undo
	only "$dir/both" '0 -' '5 not_a_slave' '5 bond_up' '5 conflict' '1 refused' '8 refused' '1 overridden' '8 overridden'
	# a refusal by the driver names its errno, and it is one of those races
	same 'errnos of the driver' "$(jq -r 'select(.error.cause == "refused").error.errno' "$dir/both" | sort -u | grep -vE '^(EBUSY|EPERM|EINVAL|EOPNOTSUPP)$')" ''
	sys bond0 bonding/miimon
	[[ $REPLY == 50 || $REPLY == 70 ]] || complain "miimon $REPLY"
	good show bond0 --json
	json '[.miimon, .resend_igmp] | . == [50,5] or . == [70,7] or . == [50,7] or . == [70,5]' true
	sys bond0 bonding/slaves
	same 'slaves in show' "$(jq -r '[.slaves[].name] | sort | join(" ")' <<<"$output")" "$(tr ' ' '\n' <<<"$REPLY" | sort | paste -sd' ')"
}

@test "a reader beside a writer sees only values that were there" {
	local dir=$BATS_TEST_TMPDIR n
	good create bond0 mode active-backup miimon 100 resend_igmp 10
	for ((n = 0; n < 200; n++)); do printf '%s\n' 'set bond0 resend_igmp 20' 'set bond0 resend_igmp 10'; done >"$dir/writes"
	write_lines 200 'show bond0' >"$dir/reads"
	nsenter --net="/run/netns/$NS" "$BONDCTL" --batch "$dir/writes" 2>"$dir/err" 3>&- &
	local writer=$!
	bond --json --batch "$dir/reads" >"$dir/out"
	wait "$writer"
	same 'values seen' "$(jq -c '.result.resend_igmp | . == 10 or . == 20' "$dir/out" | sort -u)" true
	same 'documents' "$(jq -c .result.miimon "$dir/out" | sort | uniq -c | sed 's/^ *//')" '200 100'
}
