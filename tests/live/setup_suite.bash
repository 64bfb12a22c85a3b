# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Runs once before all live tests: the machine must be able to carry them, and the programs are compiled. bats finds this file by
# its name.

setup_suite() {
	local here
	((EUID == 0)) || { echo "the live tests need root" >&2; return 1; }
	here=$(dirname "${BASH_SOURCE[0]}")
	export RAWLINK=${RAWLINK:-${BONDCTL_RAWLINK:-$BATS_SUITE_TMPDIR/rawlink}} RANDOM_PROGRAM=$BATS_SUITE_TMPDIR/random
	[[ -x $RAWLINK ]] || "${CC:-cc}" -O1 -o "$RAWLINK" "$here/rawlink.c"
	"${CC:-cc}" -O1 -o "$RANDOM_PROGRAM" "$here"/random*.c
}
