#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# The tables of what the driver does, tried on the driver itself without bondctl. What fails here is a wrong table or a
# kernel that changed, and options.bats rests on it.

bats_require_minimum_version 1.5.0

load ../lib/live

setup() {
	live_setup
	dummies d0 d1 x0
}

teardown() { live_teardown; }

matrix() {
	local line
	export NS SYS BONDCTL
	run "$BATS_TEST_DIRNAME/matrix" raw "$1"
	for line in "${lines[@]}"; do
		if [[ $line == *' cells' || $line == *' times: '* ]]; then echo "# $line" >&3; fi
	done
	((status == 0)) || { echo "$output" >&2; return 1; }
}

@test "the tables say what the driver answers to every value in mode balance-rr" {
	matrix 0
}

@test "the tables say what the driver answers to every value in mode active-backup" {
	matrix 1
}

@test "the tables say what the driver answers to every value in mode balance-xor" {
	matrix 2
}

@test "the tables say what the driver answers to every value in mode broadcast" {
	matrix 3
}

@test "the tables say what the driver answers to every value in mode 802.3ad" {
	matrix 4
}

@test "the tables say what the driver answers to every value in mode balance-tlb" {
	matrix 5
}

@test "the tables say what the driver answers to every value in mode balance-alb" {
	matrix 6
}
