# shellcheck shell=bash disable=SC2034,SC2154 # the parts of run share its settings
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Runs the command on this machine's own kernel in fresh namespaces.
# Sourced by run, which calls host_run; host-init is what it starts in the namespaces.

host_has_bonding() { # and may we use it?
	((EUID == 0)) || return 1
	unshare --net --mount --pid --fork true 2>/dev/null || return 1
	# Asked for by a netlink message, the module would come with a bond of its own; loaded like this it does not.
	[[ -d /sys/module/bonding ]] || modprobe -q bonding max_bonds=0 2>/dev/null
}

host_start() { # what supervise starts: becomes the command's namespaces
	check_command "${command[0]}"
	export KERNEL=host BONDCTL_KERNEL=host
	exec setpriv --pdeathsig KILL unshare --net --mount --pid --fork --kill-child=KILL --mount-proc \
		"$here/host-init" "${command[@]}"
}

host_run() {
	host_has_bonding ||
		die 125 "this machine's kernel will not do: it takes root, namespaces and the bonding driver"
	[[ -z $verbose ]] || say "kernel $(uname -r) (host)"
	open_state
	supervise host_start
	((status != 124)) || say "timed out after $timeout s"
	exit "$status"
}
