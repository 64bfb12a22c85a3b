#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Names of bonds that the kernel could not make are refused with the reason before anything is sent; odd ones that it can make
# are not. The rule is that of dev_valid_name() in net/core/dev.c, and of the trees in which each device has a folder.
# bats sets status, output and stderr; what is in single quotes is for another shell.
# shellcheck disable=SC2154,SC2016

bats_require_minimum_version 1.5.0

load helpers

# impossible NAME WORD...: create refuses the name, as text and as JSON, and says why.
impossible() {
	refused "${@:2}" -- create "$1"
	bad 2 create "$1" mode 1 up --json
	error 2 bad_name
	json .error.option null
}

# possible NAME...: create gets as far as the kernel lets it.
possible() {
	local name
	for name; do
		try create -- "$name"
		[[ $status == [046] ]] || { explain "expected '$name' to be taken"; return 1; }
	done
}

@test "a name of 16 bytes is too long, one of 15 is not" {
	impossible abcdefghijklmnop 15 abcdefghijklmnop
	# the kernel counts bytes, not letters
	impossible ääääääää 15
	possible abcdefghijklmno äääääää1
}

@test "an empty name is refused" {
	impossible '' empty
}

@test "a name with a slash or a colon is refused" {
	impossible a/b "'/'"
	impossible / "'/'"
	impossible ../../etc "'/'"
	impossible a:b "':'"
}

@test "a name with white space is refused" {
	impossible 'a b' white
	impossible ' ' white
	impossible 'bond0 ' white
	impossible $'a\tb' white
	impossible $'bond0\n' white
	impossible $'a\v' white
	# the kernel's isspace() knows the no-break space of Latin 1
	impossible $'a\xa0' white
}

@test "a name with a percent sign is refused, since the kernel would take it for a template" {
	impossible bond%d %
	impossible % %
	impossible 100% %
}

@test "names that the kernel's trees need for themselves are refused" {
	local name
	for name in . .. all default bonding_masters; do impossible "$name" reserved; done
}

@test "names that are odd but possible are taken" {
	possible ... a.b 'a;b' 'a"b' "a'b" 'a$(b)' 'a\b' '-x' '--help' '#1' 'a=b' 'a,b' '*' ü $'a\x01b' $'\xff' up slaves 0 4294967296 \
		lo0 All bonding_master
}

@test "an impossible name that is asked for is no such device, and nothing else goes wrong" {
	local name verb
	for name in a/b 'a b' abcdefghijklmnopq '' % .. $'\n'; do
		for verb in show stats delete up; do
			try "$verb" "$name" --json
			((status == 2 || status == 3)) || { explain "$verb '$name'"; return 1; }
			holds .error.message
		done
		try set bond0 slave "$name" prio 1
		((status == 2 || status == 3))
		try enslave "$name" "$name"
		((status == 2 || status == 3))
	done
}

@test "a device is asked for by names of up to 127 bytes, which alternative names can have" {
	local name
	printf -v name '%127s' ''
	bad 3 show "${name// /x}"
	says "${name// /x}"
	bad 3 show "${name// /x}x"
	bad 3 set nix primary "${name// /x}"
	refused primary -- set nix primary "${name// /x}x"
}

@test "an empty name is shown as such in an error" {
	bad 3 show ''
	says "''"
}
