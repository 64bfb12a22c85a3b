#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Every writable option set by bondctl to each of its values and one beyond, in every mode, on a bond that is down and up,
# empty and with slaves: the outcome is the one of the tables, and sysfs or the kernel's own words show the value, or after a
# refusal the old one.

bats_require_minimum_version 1.5.0

load ../lib/live

setup() {
	live_setup
	dummies d0 d1 x0
}

teardown() { live_teardown; }

@test "in mode balance-rr every option takes, and refuses, what the driver does" {
	option_matrix tool 0
}

@test "in mode active-backup every option takes, and refuses, what the driver does" {
	option_matrix tool 1
}

@test "in mode balance-xor every option takes, and refuses, what the driver does" {
	option_matrix tool 2
}

@test "in mode broadcast every option takes, and refuses, what the driver does" {
	option_matrix tool 3
}

@test "in mode 802.3ad every option takes, and refuses, what the driver does" {
	option_matrix tool 4
}

@test "in mode balance-tlb every option takes, and refuses, what the driver does" {
	option_matrix tool 5
}

@test "in mode balance-alb every option takes, and refuses, what the driver does" {
	option_matrix tool 6
}
