# shellcheck shell=bash disable=SC2034,SC2154 # the parts of run share its settings
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What a guest needs whatever runs it: the job for its init, the list of its mounts, the verdict at the end.
# Sourced by run; uml.sh and qemu.sh give BACKEND_prepare, BACKEND_mount and BACKEND_start.

guest_run() { # guest_run BACKEND KERNEL-NAME-OR-PATH
	local backend=$1 name=$2
	"${backend}_prepare" "$name"
	open_state
	write_job "$name"
	write_mounts "$backend"
	supervise "${backend}_start" copy
	verdict
}

passed_on() { # passed_on NAME: does this environment variable go into the guest?
	case $1 in
	PATH | HOME | USER | LOGNAME | TERM | LANG | LC_* | NO_COLOR) return 0 ;;
	LD_LIBRARY_PATH | BONDCTL_* | *SAN_OPTIONS) return 0 ;;
	# Within a BATS test they are about that test, and would mislead a BATS in the guest.
	BATS_*) [[ -z ${BATS_TEST_FILENAME-} ]] && return 0 ;;
	esac
	[[ " ${env_names[*]-} " == *" $1 "* ]]
}

# All that the guest's init must know, as bash declarations that it sources.
write_job() { # write_job KERNEL-NAME-OR-PATH
	local kernel_name=$1 cwd name number=0
	local -a environment=()
	cwd=$(pwd -P)
	for name in $(compgen -e); do
		if passed_on "$name"; then environment+=("$name=${!name}"); fi
	done
	environment+=("BONDCTL_KERNEL=$kernel_name" KERNEL=host TMPDIR=/tmp)
	cp "$here/init" "$here/modprobe" "$state/"
	mkdir -p "$state/lib" "$state/modprobe.d" "$state/files/dev"
	# In a system that runs, udev makes these.
	ln -s /proc/self/fd "$state/files/dev/fd"
	for name in stdin stdout stderr; do ln -s "fd/$((number++))" "$state/files/dev/$name"; done
	# Drivers that make a device of their own when loaded are not to.
	printf 'options %s\n' 'bonding max_bonds=0' 'dummy numdummies=0' 'ifb numifbs=0' \
		>"$state/modprobe.d/quiet.conf"
	if [[ -n $modules ]]; then ln -s "$modules" "$state/lib/modules"; fi
	{
		LC_ALL=C declare -p command environment cwd kernel_name verbose out_device err_device out
		declare -f check_command
	} >"$state/job"
}

top_folder() { # prints the top folder under /tmp or /run that holds path $1; nothing for a path elsewhere
	local rest
	case $1 in
	/tmp/* | /run/*)
		rest=${1#/*/}
		printf '%s' "${1%"$rest"}${rest%%/*}"
		;;
	esac
}

write_mounts() { # write_mounts BACKEND: the guest's fstab
	local backend=$1 path top
	local -A shown=()
	for path in "$(pwd -P)" "$here" "$(readlink -f -- "$(type -P -- "${command[0]}")" || true)" "$modules"; do
		top=$(top_folder "$path")
		if [[ -n $top ]]; then shown[$top]=1; fi
	done
	for path in "${see[@]}"; do
		if [[ -n $(top_folder "$path") ]]; then shown[$path]=1; fi
	done
	{
		echo 'sysfs /sys sysfs defaults 0 0'
		echo 'devpts /dev/pts devpts mode=620,ptmxmode=666,X-mount.mkdir 0 0'
		echo 'tmpfs /dev/shm tmpfs mode=1777,X-mount.mkdir 0 0'
		echo 'tmpfs /tmp tmpfs mode=1777 0 0'
		echo 'tmpfs /run tmpfs mode=755 0 0'
		echo 'tmpfs /run/netns tmpfs mode=755,X-mount.mkdir 0 0'
		"${backend}_mount" "$state" /run/bondctl-kernel rw
		# Outer folders first.
		while IFS= read -r -d '' path; do
			if [[ -d $path ]]; then
				"${backend}_mount" "$path" "$path" ro
			elif [[ -e $path ]]; then
				mkdir -p "$state/files${path%/*}"
				cp -- "$path" "$state/files$path"
			fi
		done < <(((${#shown[@]})) && printf '%s\0' "${!shown[@]}" | LC_ALL=C sort -z)
		if [[ -n $out ]]; then "${backend}_mount" "$out" "$out" rw; fi
	} >"$state/fstab"
}

mount_line() { # mount_line SOURCE TARGET TYPE OPTIONS: a line of fstab, its blanks escaped
	local field line=''
	for field in "$@" 0 0; do
		field=${field//\\/\\134}
		field=${field// /\\040}
		field=${field//$'\t'/\\011}
		line+="${field//$'\n'/\\012} "
	done
	printf '%s\n' "$line"
}

readonly complaint='WARNING: |BUG: |Oops|blocked for more than|waiting for [^ ]+ to become free'

verdict() { # turns the guest's end into this run's exit status
	local log
	log=$(<"$state/console") 2>/dev/null || log=''
	if ((status == 124)); then
		say "timed out after $timeout s"
		show_console "$log"
	elif ((status == 141)); then
		:
	elif [[ -s $state/status ]]; then
		status=$(<"$state/status")
		# Not the command's business, but nobody wants to miss it.
		if [[ $log =~ $complaint ]]; then
			say "the guest's kernel complained"
			show_console "$log"
		fi
	else
		say "the guest failed before the command ended (its process ended with status $status)"
		show_console "$log"
		status=125
	fi
	exit "$status"
}

show_console() {
	printf -- '----- the guest'\''s console -----\n%s\n----- end of the guest'\''s console -----\n' "$1" >&2
}
