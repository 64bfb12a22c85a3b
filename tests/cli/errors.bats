#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What a failure looks like: up to three parts on standard error, or one JSON document on standard output, and the exit
# status that the manual promises. Privileges, the driver, namespaces and the place that the output goes to are taken away.
# bats sets status, output and stderr; what is in single quotes is for another shell.
# shellcheck disable=SC2154,SC2016

bats_require_minimum_version 1.5.0

load helpers

teardown() {
	[[ ! -v HOLDER ]] || kill "$HOLDER" 2>/dev/null || true
}

# Starts a process in a namespace with a veth v0, and sets HOLDER.
other_namespace() {
	mkfifo "$BATS_TEST_TMPDIR/ready"
	unshare -n bash -c 'ip link add v0 type veth peer name p0; echo >"$1"; exec sleep 60' - "$BATS_TEST_TMPDIR/ready" 3>&- &
	HOLDER=$!
	read -r _ <"$BATS_TEST_TMPDIR/ready"
}

@test "an error is text on standard error, and nothing is on standard output" {
	bad 3 show nix
	silent
	same stderr "$stderr" "bondctl: there is no device named 'nix'"
	bad 3 -n no-such-ns list
	silent
	same stderr "$stderr" $'bondctl: there is no network namespace \'no-such-ns\'\n  try: ip netns list'
}

@test "with --json an error is one document on standard output, and nothing is on standard error" {
	bad 3 show nix --json
	error 3 no_device
	json .error.device '"nix"'
	json .error.errno '"ENODEV"'
	json .error.hint null
	json .changes '[]'
	bad 2 list x --json
	error 2 usage
	json .error.errno null
	bad 2 set nix miimon x --json
	error 2 bad_value
	bad 2 set nix operstate 1 --json
	error 2 bad_attr
	bad 2 create a/b --json
	error 2 bad_name
	json .error.device '"a/b"'
	bad 3 list --json -n no-such-ns
	error 3 no_netns
	json .error.hint '"ip netns list"'
	bad 5 up lo --json
	error 5 not_a_bond
	json .error.device '"lo"'
}

@test "an error in JSON has always the same keys, of the same types" {
	local line words
	for line in 'show nix' 'list x' 'set nix miimon x' 'create a/b' 'list -n no-such-ns' 'up lo' 'create lo' \
		'create bond0 slaves nix'; do
		read -ra words <<<"$line"
		try --json "${words[@]}"
		holds 'keys == ["changes", "error"]'
		holds '.error | keys == ["cause", "device", "errno", "hint", "kernel", "message", "option", "status"]'
		holds ".error.status == $status"
		holds '.error | [.cause, .message] | all(type == "string" and length > 0)'
		holds '.error | [.device, .errno, .hint, .kernel, .option] | all(. == null or (type == "string" and length > 0))'
		holds '.changes | type == "array" and all(keys == ["action", "device", "note", "option", "outcome", "value", "was"])'
	done
}

@test "an error is JSON wherever --json stands, also behind the mistake" {
	local line words
	for line in 'frobnicate --json' '--json frobnicate' 'frobnicate -j' 'frobnicate -qj' 'frobnicate -pj' 'frobnicate -jq' \
		'frobnicate -p' 'frobnicate --pretty' '--frobnicate list --json' 'list --frobnicate -j' 'create --json' \
		'--json' '-j --netns' 'list a b --json'; do
		read -ra words <<<"$line"
		bad 2 "${words[@]}"
		error 2 usage
	done
	# these have no --json
	for line in 'frobnicate -- --json' 'frobnicate -- -j' '-nj frobnicate' 'frobnicate -qnj'; do
		read -ra words <<<"$line"
		bad 2 "${words[@]}"
		silent
		says frobnicate
	done
}

@test "a device that is not there is status 3 for every verb" {
	local line words
	for line in 'show nix' 'stats nix' 'delete nix' 'set nix miimon 1' 'enslave nix lo' 'release nix lo' 'up nix' 'down nix' \
		'show lo0 nix' 'set nix slave v0 prio 1'; do
		read -ra words <<<"$line"
		bad 3 "${words[@]}"
		silent
		says bondctl: 'no device named'
	done
	bad 3 create bond0 slaves nix
	says nix
	bad 3 create bond0 mode 1 primary nix
	says nix
}

@test "a device that is no bond is status 5 for every verb" {
	local line words
	for line in 'show lo' 'stats lo' 'delete lo' 'set lo miimon 1' 'set lo up' 'up lo' 'down lo' 'enslave lo lo' \
		'release lo lo'; do
		read -ra words <<<"$line"
		bad 5 "${words[@]}" --json
		error 5 not_a_bond
	done
}

@test "a device that is no bond is neither deleted nor set up" {
	needs_shelter
	shell 'ip link add v0 type veth peer name p0; "$BONDCTL" delete v0; "$BONDCTL" up v0; ip -br link show v0'
	[[ $output == *DOWN* ]]
}

@test "a bond is not made under a name that is taken" {
	bad 5 create lo --json
	error 5 exists
	json .error.device '"lo"'
	json .error.errno '"EEXIST"'
}

@test "a namespace that is not there is status 3, whether name, process or path" {
	local netns
	for netns in no-such-ns 4194304 99999999999999999999 /no/such/path ./no-such-path /dev/null /etc /etc/passwd .. ../netns \
		/proc/self/ns/uts; do
		bad 3 -n "$netns" list --json
		error 3 no_netns
		[[ $output == *"$netns"* ]]
	done
	for netns in 0 00 ''; do
		try -n "$netns" list --json
		((status == 3 || status == 2)) || { explain "-n '$netns'"; return 1; }
	done
}

@test "a namespace that is not there is noticed by every verb" {
	local line words
	for line in 'create bond0' 'delete bond0' 'set bond0 miimon 1' 'enslave bond0 eth0' 'release bond0 eth0' 'up bond0' \
		'down bond0' 'show' 'list' 'stats'; do
		read -ra words <<<"$line"
		bad 3 -n no-such-ns "${words[@]}"
		silent
	done
	# the options that a kernel has are the same in all
	refused kernel namespaces -- -n no-such-ns options miimon
}

@test "a namespace is entered by process and by path" {
	needs_root
	other_namespace
	bad 5 show v0 -n "$HOLDER"
	says 'v0 is not a bond'
	bad 5 show v0 -n "/proc/$HOLDER/ns/net"
	cd "/proc/$HOLDER/ns"
	bad 5 show v0 -n ./net
	bad 3 show v0
}

@test "a namespace is entered by its name" {
	needs_root
	other_namespace
	# a /run of our own: that of the machine stays as it is
	run -5 unshare -m bash -ec '
		mount -t tmpfs none /run
		mkdir /run/netns
		touch /run/netns/blue
		mount --bind "/proc/$2/ns/net" /run/netns/blue
		exec "$1" show v0 --netns blue' - "$BONDCTL" "$HOLDER"
	lived show
	[[ $output == *'v0 is not a bond'* ]]
}

@test "without privileges a change is not permitted, status 4, and reading is" {
	beg 4 create bond0
	silent
	says 'bondctl: ' bond0 permi
	beg 4 create bond0 --json
	error 4 permission
	json .error.errno '"EPERM"'
	json .error.device '"bond0"'
	beg 0 list --json --quiet
	beg 5 show lo
}

@test "without privileges another's namespace is not entered, status 4" {
	beg 4 -n 1 list --json
	error 4 permission
}

@test "without privileges a namespace given by its path is not entered, status 4" {
	needs_root
	other_namespace
	beg 4 -n "/proc/$HOLDER/ns/net" list
	says permi
}

@test "without the driver a bond cannot be made, status 6, and it is said how to get the driver" {
	needs_no_driver
	needs_shelter
	bad 6 create bond0
	silent
	((${#lines[@]} == 0))
	mapfile -t lines <<<"$stderr"
	[[ ${lines[0]} == 'bondctl: cannot create bond0: '*driver* && ${lines[1]} == '  kernel: '?* ]]
	[[ ${lines[2]} == '  try: '*'modprobe bonding'* && ${#lines[@]} == 3 ]]
	bad 6 create bond0 mode 802.3ad --json
	error 6 no_driver
	json .error.device '"bond0"'
	[[ $(jq -r .error.hint <<<"$output") == *'modprobe bonding'* ]]
	# what would have been done is listed and was not
	holds '.changes | length > 1 and all(.outcome == "refused" or .outcome == "not_tried")'
	holds '.changes | map(select(.option == "miimon" and .value == "100")) | length == 1'
	holds '.changes | all(keys == ["action", "device", "note", "option", "outcome", "value", "was"])'
}

@test "where there is no bond, show, list and stats print none, say so, and succeed" {
	needs_shelter
	local verb
	for verb in show list stats; do
		good "$verb"
		silent
		says 'no bond'
		good "$verb" --quiet
		silent
		same stderr "$stderr" ''
		good "$verb" --json --quiet
		is '[]'
		same stderr "$stderr" ''
	done
}

@test "where there is no bond and no driver, that is said too" {
	needs_no_driver
	good list
	says driver
}

@test "a full disk is a failure that is told" {
	[[ -c /dev/full ]] || skip 'needs /dev/full'
	local line words
	for line in --help 'help create' --version 'options --quiet' 'options --json --quiet' 'list --json --quiet' \
		'complete 1 bondctl'; do
		read -ra words <<<"$line"
		shell '"$BONDCTL" "$@" 2>&1 >/dev/full' "${words[@]}"
		((status == 1)) || { explain "bondctl $line: status $status"; return 1; }
		[[ $output == *'cannot write'*'No space left'* ]]
	done
	# the failure that came first keeps its status
	shell '"$BONDCTL" show nix --json >/dev/full'
	((status == 3))
	# nothing to write, nothing lost
	shell '"$BONDCTL" list --quiet >/dev/full'
	((status == 0))
}

@test "a closed standard output is a failure that is told" {
	local line words
	for line in --help 'list --json --quiet' 'options --json --quiet' 'show nix lo --json'; do
		read -ra words <<<"$line"
		shell '"$BONDCTL" "$@" 2>&1 >&-' "${words[@]}"
		((status != 0)) || { explain "bondctl $line: status 0"; return 1; }
		[[ $output == *'cannot write'* ]] || { explain "bondctl $line"; return 1; }
	done
	shell '"$BONDCTL" list --quiet >&-'
	((status == 0))
}

@test "closed standard streams do not lead text into the netlink socket" {
	command -v strace >/dev/null || skip 'needs strace'
	local closed
	for closed in '>&-' '2>&-' '<&- >&- 2>&-'; do
		traced socket bash -c "exec \"\$BONDCTL\" show nix $closed"
		((status == 3)) || { explain "$closed: status $status"; return 1; }
		[[ $(<"$TRACE") == *AF_NETLINK*' = '[3-9]* && ! $(<"$TRACE") =~ AF_NETLINK[^$'\n']*' = '[012]($|$'\n') ]] ||
			{ explain "$closed: the netlink socket took a standard stream's place"; return 1; }
	done
}

@test "a reader that goes away ends it without a word" {
	run bash -c '"$BONDCTL" options --quiet | head -1; exit "${PIPESTATUS[0]}"'
	is mode
	# the signal, or the whole output went into the pipe
	((status == 141 || status == 0))
}

@test "--quiet silences notes and not errors" {
	bad 3 --quiet show nix
	says "no device named 'nix'"
	bad 2 --quiet frobnicate
	says frobnicate
}
