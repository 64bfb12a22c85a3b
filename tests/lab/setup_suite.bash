# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Runs once before all tests of the laboratory: the machine must be able to carry them. bats finds this file by its name.

setup_suite() {
	((EUID == 0)) || { echo "the laboratory needs root" >&2; return 1; }
}
