# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Runs once before all live tests: the machine must be able to carry them, and rawlink is compiled. bats finds this file by
# its name.

setup_suite() {
	local source
	((EUID == 0)) || { echo "the live tests need root" >&2; return 1; }
	source=$(dirname "${BASH_SOURCE[0]}")/rawlink.c
	export RAWLINK=${RAWLINK:-${BONDCTL_RAWLINK:-$BATS_SUITE_TMPDIR/rawlink}}
	[[ -x $RAWLINK ]] || "${CC:-cc}" -O1 -o "$RAWLINK" "$source"
}
