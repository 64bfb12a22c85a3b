# shellcheck shell=bash disable=SC2034,SC2154 # the parts of run share its settings
# SPDX-License-Identifier: GPL-2.0-or-later
#
# User Mode Linux: a kernel that is an ordinary process, with the machine's own file tree as its root.
# Sourced by run; guest.sh calls uml_prepare, uml_mount and uml_start.

uml_prepare() { # uml_prepare uml|uml-VERSION|PATH: sets the binary and its modules, getting them first if need be
	local cache
	cache=$(kernel_cache)
	case $1 in
	uml)
		"$here/../setup" kernel-uml
		uml_binary=$(type -P linux.uml)
		modules=/usr/lib/uml/modules
		;;
	uml-*)
		"$here/fetch" "$1"
		uml_binary=$cache/$1/linux.uml
		modules=$cache/$1/modules
		;;
	*)
		uml_binary=$1
		modules=${1%/*}/modules
		[[ -d $modules ]] || modules=${1%/*}/../lib/uml/modules
		[[ -d $modules ]] || modules=
		;;
	esac
	mem=${mem:-512}
	out_device=/dev/tty2 err_device=/dev/tty3
	uml_preload=
	# With AMX the processor's register area is larger than UML before 6.13 can write back.
	if [[ $(</proc/cpuinfo) == *' amx_tile '* ]]; then build_preload "$cache"; fi
}

build_preload() { # build_preload CACHE
	local new
	uml_preload=$1/uml-xstate.so
	[[ $uml_preload -nt $here/uml-xstate.c ]] && return
	"$here/../setup" build
	mkdir -p "$1"
	new=$(mktemp "$1/.new.XXXXXX")
	gcc -O2 -shared -fPIC -o "$new" "$here/uml-xstate.c"
	mv "$new" "$uml_preload"
}

uml_mount() { # uml_mount FOLDER TARGET ro|rw: prints the fstab line
	[[ $1 != *,* ]] || die 2 "$1: a comma in this name cannot be passed to the guest"
	mount_line none "$2" hostfs "$3,X-mount.mkdir,$1"
}

# The guest's memory is a file: it wants a folder with room that allows executable mappings.
memory_folder() {
	local folder device point type options rest best best_options room
	for folder in /dev/shm "${TMPDIR:-/tmp}" /tmp /var/tmp; do
		[[ -d $folder && -w $folder ]] || continue
		best='' best_options=''
		while read -r device point type options rest; do
			if [[ $folder/ == "${point%/}"/* ]] && ((${#point} >= ${#best})); then
				best=$point best_options=$options
			fi
		done </proc/self/mounts
		[[ ,$best_options, != *,noexec,* ]] || continue
		room=$(stat -f -c '%a*%S/1048576' "$folder")
		if ((room > mem)); then
			printf '%s' "$folder"
			return
		fi
	done
	printf '/tmp'
}

# A guest and its processes take turns at each of their system calls. Where that wakes another processor, a process starts three
# times slower: so a guest keeps to one, unless other guests of this user have them all. A lock says so, as long as the guest
# lives.
keep_to_one_processor() {
	local list range cpu lock folder
	folder=$(kernel_cache)
	mkdir -p "$folder" || return 0
	list=$(sed -n 's/^Cpus_allowed_list:\s*//p' /proc/self/status)
	for range in ${list//,/ }; do
		for ((cpu = ${range%-*}; cpu <= ${range#*-}; cpu++)); do
			exec {lock}>"$folder/.processor-$cpu"
			if flock --nonblock "$lock"; then
				taskset --cpu-list --pid "$cpu" "$BASHPID" >/dev/null
				return
			fi
			exec {lock}>&-
		done
	done
}

uml_start() {
	keep_to_one_processor
	export TMPDIR
	TMPDIR=$(memory_folder)
	if [[ -n $uml_preload ]]; then export LD_PRELOAD=$uml_preload; fi
	# Lines 2 and 3 carry the command's output. With seccomp newer kernels start processes faster, older ignore it.
	exec setpriv --pdeathsig KILL "$uml_binary" "mem=${mem}M" "uml_dir=$state/" umid=guest seccomp=on \
		root=/dev/root rootfstype=hostfs rootflags=/ ro "init=$state/init" "bond_state=$state" loglevel=5 \
		con=null con0=null,fd:1 con2=null,fd:3 con3=null,fd:4 \
		</dev/null >"$state/console" 2>&1 3>"$state/stdout" 4>"$state/stderr"
}
