#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What apply and diff read: a document as show --json prints it. What cannot be meant is refused as wrong usage with the place,
# what is not known is said and does no harm, and state is passed over. What is then done is for the live tests.
# bats sets status, output and stderr; what is in single quotes is JSON.
# shellcheck disable=SC2154,SC2016

bats_require_minimum_version 1.5.0

load helpers

# document TEXT: into $FILE, with printf's escapes.
document() {
	FILE=$BATS_TEST_TMPDIR/bonds.json
	# shellcheck disable=SC2059 # the escapes are wanted
	printf -- "$1" >"$FILE"
}

# wrong TEXT WORD...: both verbs refuse the document with status 2 and say each of the words.
wrong() {
	local verb
	document "$1"
	for verb in diff 'apply --dry-run' apply; do
		# shellcheck disable=SC2086 # words, not a word
		refused "$FILE" "${@:2}" -- $verb "$FILE" || return
	done
}

# taken TEXT WORD...: the document is understood; standard error has each of the words.
taken() {
	document "$1"
	try diff "$FILE" || return
	((status != 2)) || { explain "a document was refused: $1"; return 1; }
	says "${@:2}"
}

# whole TEXT: the document is understood, and nothing is said about it.
whole() {
	taken "$1" || return
	[[ $stderr != *"$FILE"* && $stderr != *ignored* ]] || { explain "something was said about: $1"; return 1; }
}

@test "what is no JSON is refused with line and column" {
	wrong '' 'line 1' 'ends too early'
	wrong ' \n ' 'ends too early'
	wrong '[\n' 'line 2' 'ends too early'
	wrong '{"name": "b0"' 'ends too early'
	wrong '{\n  "name": "b0",\n  "mtu" 1500\n}' 'line 3, column 9'
	wrong '{"name": "b0",}' 'line 1, column 15'
	wrong '[{"name": "b0"} {"name": "b1"}]' 'line 1, column 17'
	wrong '{"name": "b0"}\n\n[]' 'line 3'
	wrong '{"name": "b0} ' 'not closed'
	wrong "{'name': 'b0'}" 'line 1, column 2'
	wrong '{name: "b0"}' "'name'"
	wrong '{"name": "b0", "up": True}' "'True'"
	wrong '{"name": "b0", "mtu": NaN}' "'NaN'"
	wrong '{"name": "b0", "mtu": 0x10}' 'line 1'
	wrong '{"name": "b0", "mtu": 01500}' 'line 1'
	wrong '{"name": "b0"} // a comment' 'line 1'
	wrong '{"name": "b0", "x": "a\\qb"}' 'escape'
	wrong '{"name": "b0", "x": "a\nb"}' 'control character'
	wrong '{"name": "b\\u00000"}' NUL
	wrong '{"na\\u0000me": "b0"}' NUL
	wrong '{"name": "b0"}\0' NUL
	wrong '{"name": "\377"}' 'line 1'
}

@test "what is nested too deeply, or too large, is refused" {
	local text
	printf -v text '%100s' ''
	wrong "${text// /[}" nested 32
	wrong "{\"name\":\"b0\",\"x\":${text// /[}" nested
	truncate -s 200M "$BATS_TEST_TMPDIR/large"
	refused large MB -- diff "$BATS_TEST_TMPDIR/large" || refused large 'too large' -- diff "$BATS_TEST_TMPDIR/large"
}

@test "a key that is there twice is refused, however it is written" {
	wrong '{"name": "b0",\n"miimon": 1,\n"mtu": 1500,\n"miimon": 2}' 'line 4' "'miimon'" twice
	wrong '{"name": "b0", "name": "b1"}' "'name'" twice
	wrong '{"name": "b0", "x": {"y": 1, "y": 1}}' "'y'" twice
	wrong '{"name": "b0", "miimon": 1, "mi\\u0069mon": 2}' "'miimon'" twice
	wrong '{"name": "b0", "slaves": [{"name": "e0", "prio": 1, "prio": 1}]}' "'prio'" twice
	wrong '{"name": "b0", "lacp_rate": "fast", "ad_lacp_rate": "slow"}' twice
	# not in one object
	whole '[{"name": "b0", "slaves": [{"name": "e0"}, {"name": "e1"}]}, {"name": "b1"}]'
}

@test "a number with a fraction, with an exponent, or beyond 64 bits is refused with its key" {
	wrong '{"name": "b0", "miimon": 100.5}' b0 miimon fraction
	wrong '{"name": "b0", "miimon": 100.0}' b0 miimon fraction
	wrong '{"name": "b0", "miimon": 1e2}' b0 miimon exponent
	wrong '{"name": "b0", "miimon": 99999999999999999999}' miimon 'too large'
	wrong '{"name": "b0", "miimon": -9223372036854775809}' miimon 'too large'
	wrong '{"name": "b0", "miimon": 9223372036854775808}' b0 miimon 'out of range'
	wrong '{"name": "b0", "miimon": 18446744073709551615}' b0 miimon 'out of range'
	wrong '{"name": "b0", "slaves": [{"name": "e0", "prio": 2147483648}]}' e0 prio 'out of range'
	# a counter has 64 bits, and is state
	whole '{"name": "b0", "statistics": {"rx_bytes": 18446744073709551615}}'
}

@test "a document is a bond or an array of bonds, each with a name" {
	local text
	for text in 1 '"b0"' null true '[1]' '["b0"]' '[[]]' '[null]' '[{"name":"b0"}, 3]'; do
		wrong "$text" object
	done
	wrong '{}' name missing
	wrong '[{"name": "b0"}, {"miimon": 100}]' name missing
	for text in 1 null '{}' '["b0"]' true; do
		wrong "{\"name\": $text}" name string
	done
	wrong '{"name": ""}' name
	wrong '[{"name": "b0"}, {"name": "b0"}]' b0 twice
	good diff - <<<'[]'
	silent
	good apply - <<<'[]'
	silent
}

@test "a schema that is not 1 is refused" {
	wrong '{"schema": 2, "name": "b0"}' schema 1
	wrong '{"schema": "1", "name": "b0"}' schema
	wrong '{"schema": null, "name": "b0"}' schema
	whole '{"schema": 1, "name": "b0"}'
}

@test "slaves are names, or objects with a name, each once" {
	local text
	for text in 1 '"e0"' null '{}' true; do
		wrong "{\"name\": \"b0\", \"slaves\": $text}" b0 slaves array
	done
	for text in 1 null '[]' true; do
		wrong "{\"name\": \"b0\", \"slaves\": [$text]}" b0 slaves
	done
	wrong '{"name": "b0", "slaves": [{"prio": 1}]}' b0 slaves name
	wrong '{"name": "b0", "slaves": [""]}' name
	wrong '{"name": "b0", "slaves": ["e0", "e0"]}' b0 e0 twice
	wrong '{"name": "b0", "slaves": ["e0", {"name": "e0"}]}' b0 e0 twice
	wrong '[{"name": "b0", "slaves": ["e0"]}, {"name": "b1", "slaves": ["e0"]}]' b1 e0 b0
	whole '{"name": "b0", "slaves": ["e0", {"name": "e1"}, {"name": "e2", "prio": 1, "up": true, "mtu": 1500}]}'
}

@test "a value of the wrong type or out of its range is refused with bond and option" {
	wrong '{"name": "b0", "miimon": true}' b0 miimon number
	wrong '{"name": "b0", "miimon": "often"}' b0 miimon 0
	wrong '{"name": "b0", "miimon": -1}' b0 miimon range
	wrong '{"name": "b0", "miimon": [100]}' b0 miimon list
	wrong '{"name": "b0", "miimon": {}}' b0 miimon object
	wrong '{"name": "b0", "mode": "activebackup"}' b0 mode active-backup
	wrong '{"name": "b0", "mode": false}' b0 mode
	wrong '{"name": "b0", "up": 2}' b0 up
	wrong '{"name": "b0", "up": "maybe"}' b0 up
	wrong '{"name": "b0", "address": 5}' b0 address
	wrong '{"name": "b0", "arp_ip_target": [1]}' b0 arp_ip_target
	wrong '{"name": "b0", "arp_ip_target": ["10.0.0.1", null]}' b0 arp_ip_target
	wrong '{"name": "b0", "arp_ip_target": ["10.0.0.1,10.0.0.2"]}' b0 arp_ip_target
	wrong '{"name": "b0", "arp_ip_target": ["10.0.0.1", "10.0.0.1"]}' b0 twice
	wrong '{"name": "b0", "arp_ip_target": true}' b0 arp_ip_target
	wrong '{"name": "b0", "slaves": [{"name": "e0", "queue_id": "x"}]}' e0 queue_id
}

@test "a list is what it is, and not edited" {
	wrong '{"name": "b0", "arp_ip_target": "+10.0.0.1"}' b0 arp_ip_target edit
	wrong '{"name": "b0", "arp_ip_target": ["+10.0.0.1"]}' b0 arp_ip_target
	wrong '{"name": "b0", "ns_ip6_target": "-fe80::1"}' b0 ns_ip6_target edit
}

@test "values are taken in the types that show prints, and as strings" {
	whole '{"name": "b0", "mode": "active-backup", "miimon": 100, "all_slaves_active": false, "arp_ip_target": []}'
	whole '{"name": "b0", "mode": "1", "miimon": "100", "all_slaves_active": 0, "arp_ip_target": "none"}'
	whole '{"name": "b0", "mode": 1, "all_slaves_active": "on", "arp_ip_target": "10.0.0.1,10.0.0.2"}'
	whole '{"name": "b0", "ns_ip6_target": ["fe80::1", "2001:db8::1"], "primary": "none", "address": "02:00:00:00:00:01"}'
	# other spellings of the names, and what the kernel did not report
	whole '{"name": "b0", "mode": 4, "ad_lacp_rate": "fast", "num_unsol_na": 2}'
	whole '{"name": "b0", "miimon": null, "primary": null, "arp_ip_target": null, "address": null, "mode": null}'
}

@test "what show prints and is state is passed over in silence, whatever it says" {
	whole '{"schema": 1, "name": "b0", "ifindex": -7, "kind": "bond", "state_stale": "x", "statistics": 5, "withheld": {},
		"unsupported": null, "unknown_attributes": 3, "ad_info": {"aggregator": 1, "x": 2}, "operstate": 9, "carrier": "no",
		"carrier_changes": [], "master": "lo", "permanent_address": 0, "active_slave": "nobody", "slaves": [
		{"name": "e0", "ifindex": 1, "kind": null, "state": 7, "mii_status": [], "link_failure_count": -1, "perm_hwaddr": 1,
		"ad_aggregator_id": "x", "ad_actor_oper_port_state": 5, "churn_actor_state": {}, "address": "nonsense",
		"numtxqueues": 0, "carrier": 5, "operstate": [], "master": 5, "statistics": [], "unsupported": 1,
		"unknown_attributes": true}]}'
}

@test "a description of another kind of device is no wish for a bond" {
	wrong '{"name": "b0", "kind": "vlan"}' b0 kind bond
	wrong '{"name": "b0", "kind": 5}' b0 kind
}

@test "a key that nobody knows is said, with the one that is near, and does no harm" {
	taken '{"name": "b0", "mimon": 100}' "$BATS_TEST_TMPDIR/bonds.json: b0: unknown key 'mimon'" 'did you mean miimon?'
	taken '{"name": "b0", "slave": ["e0"]}' "'slave'" 'did you mean slaves?'
	taken '{"name": "b0", "frobnicate": {"a": [1, 2.5, null]}}' "'frobnicate'"
	[[ $stderr != *'did you mean'* ]]
	taken '{"name": "b0", "prio": 5}' prio 'of a slave'
	taken '{"name": "b0", "slaves": [{"name": "e0", "queueid": 3}]}' e0 "'queueid'" 'did you mean queue_id?'
	taken '{"name": "b0", "slaves": [{"name": "e0", "miimon": 3}]}' e0 "'miimon'"
	taken '{"name": "b0", "slaves": [{"name": "e0", "slaves": []}]}' e0 "'slaves'"
	taken '{"name": "b0", "": 1, "\\u001b[31m": 2}' "''" '\x1b[31m'
	document '{"name": "b0", "mimon": 100}'
	try diff "$FILE" --quiet
	[[ $stderr != *mimon* ]]
}

@test "with --json what is said about keys is in the answer as well, also in that of a failure" {
	document '{"name": "b0", "mimon": 100, "slaves": [{"name": "e0", "x": 1}]}'
	try apply "$FILE" --dry-run --json
	json '.warnings | map([.device, .key])' '[["b0","mimon"],["e0","x"]]'
	holds '.warnings | all(.message | type == "string" and length > 0)'
	says mimon
	document '{"name": "b0", "mimon": 100, "miimon": "x"}'
	bad 2 apply "$FILE" --json
	json .error.cause '"bad_value"'
	json .error.option '"miimon"'
	json .error.device '"b0"'
	json '.warnings[0].key' '"mimon"'
	# and where nothing was said, there is no such key
	document '{"name": "b0"}'
	try apply "$FILE" --dry-run --json
	holds 'has("warnings") | not'
}

@test "names are read as show prints them, with bytes that JSON cannot carry" {
	wrong '[{"name": "b\\\\xff"}, {"name": "b\\\\xFF"}]' 'b\xff' twice
	wrong '{"name": "b\\\\x00"}' name
	whole '[{"name": "b\\\\xff"}, {"name": "b\\\\xfe"}, {"name": "b\\\\xg0"}, {"name": "b\\\\x5cxff"}]'
	wrong '[{"name": "b\\\\x5cxff"}, {"name": "b\\\\x5cxff"}]' twice
}

@test "a file that cannot be read is a failure that names it" {
	refused /no/such/file 'No such file' -- apply /no/such/file
	refused "$BATS_TEST_TMPDIR" directory -- diff "$BATS_TEST_TMPDIR"
	bad 2 diff /no/such/file --json
	error 2 usage
}

@test "a document comes from standard input, and from there only once" {
	refused 'standard input' 'line 2' -- apply - <<<'{'
	refused 'standard input' ends -- apply - </dev/null
	document '{'
	printf 'diff -\n' >"$BATS_TEST_TMPDIR/batch"
	bad 2 --batch "$BATS_TEST_TMPDIR/batch" <<<'{'
	says 'line 1:' 'standard input: line 2'
	bad 2 --batch - <<<'diff -'
	says 'line 1:' 'lines of the batch'
	bad 2 --batch - <<<"diff $FILE"
	says "$FILE: line 1"
}

@test "a standard input that is closed cannot be read, and is not an empty one" {
	local words
	for words in 'apply -' 'diff -' '--batch -'; do
		# shellcheck disable=SC2086 # words
		refused 'cannot read standard input' 'Bad file descriptor' -- $words <&-
	done
}

@test "in a batch nothing waits for a confirmation" {
	bad 2 --batch - <<<'set nix miimon 1 --confirm-within 5'
	says 'line 1:' --confirm-within batch
	bad 5 --batch - <<<'confirm'
	says 'no change waits'
}

@test "where no change waits there is nothing to confirm" {
	bad 5 confirm
	silent
	says 'no change waits for confirmation'
	bad 5 confirm --json
	error 5 conflict
	bad 3 confirm -n no-such-ns
}
