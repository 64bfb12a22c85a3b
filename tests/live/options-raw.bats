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

@test "the tables say what the driver answers to every value in mode balance-rr" {
	option_matrix raw 0
}

@test "the tables say what the driver answers to every value in mode active-backup" {
	option_matrix raw 1
}

@test "the tables say what the driver answers to every value in mode balance-xor" {
	option_matrix raw 2
}

@test "the tables say what the driver answers to every value in mode broadcast" {
	option_matrix raw 3
}

@test "the tables say what the driver answers to every value in mode 802.3ad" {
	option_matrix raw 4
}

@test "the tables say what the driver answers to every value in mode balance-tlb" {
	option_matrix raw 5
}

@test "the tables say what the driver answers to every value in mode balance-alb" {
	option_matrix raw 6
}
