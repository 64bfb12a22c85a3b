# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Runs once before all command-line tests and finds out what this machine lets them do: whether they can have a network
# namespace, and whether its kernel has the bonding driver. bats finds this file by its name.

setup_suite() {
	local choice answer
	# CLI_SHELTER: what stands before a command so that, whatever it does, it does it to a namespace of its own. Where
	# there is none, we are an ordinary user and the command cannot do anything.
	export CLI_SHELTER='' CLI_DRIVER=no
	for choice in 'unshare -n' 'unshare -rn'; do
		# shellcheck disable=SC2086 # words, not a word
		$choice true 2>/dev/null || continue
		CLI_SHELTER=$choice
		answer=$($choice ip link add bond0 type bond 2>&1) && CLI_DRIVER=yes
		[[ $answer == *'Unknown device type'* || -z $answer ]] || echo "# ip link add type bond: $answer" >&3
		return
	done
	((EUID)) || { echo "root, and no network namespaces: the tests would change this machine" >&2; return 1; }
	[[ ! -e /sys/module/bonding ]] || CLI_DRIVER=yes
}
