# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the scripts of this folder share: messages and the places where kernels are kept.
# Sourced by run and fetch, never run.

say() { printf 'tests/kernel/%s: %s\n' "${0##*/}" "$*" >&2; }

die() { # die STATUS MESSAGE
	local status=$1
	shift
	say "$@"
	exit "$status"
}

# Where fetched kernels lie, one folder each.
kernel_cache() { printf '%s' "${BONDCTL_KERNELS:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/bondctl/kernels}"; }

check_command() { # check_command NAME: ends with a shell's status, but our words, where starting it would fail
	if type -P -- "$1" >/dev/null; then return; fi
	if [[ $1 == */* && -e $1 ]]; then
		echo "tests/kernel/run: $1: not a program" >&2
		exit 126
	fi
	echo "tests/kernel/run: '$1' is not to be found" >&2
	exit 127
}
