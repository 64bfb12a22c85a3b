# shellcheck shell=bash disable=SC2034,SC2154 # the parts of run share its settings
# SPDX-License-Identifier: GPL-2.0-or-later
#
# QEMU: a stock kernel on several emulated processors, with the machine's own file tree as its root over 9p.
# Sourced by run; guest.sh calls qemu_prepare, qemu_mount and qemu_start.

readonly qemu_files=local,security_model=none,multidevs=remap

qemu_prepare() { # gets the emulator and the kernel if need be
	"$here/../setup" kernel-qemu
	"$here/fetch" qemu
	qemu_kernel=$(kernel_cache)/qemu
	modules=$qemu_kernel/modules
	mem=${mem:-1024}
	out_device=port:stdout err_device=port:stderr
}

qemu_mount() { # qemu_mount FOLDER TARGET ro|rw: prints the fstab line and notes the folder for qemu_start
	# Files that only this guest writes: it may cache none, so that the machine sees them at once.
	local cache=none readonly=off
	if [[ $3 == ro ]]; then cache=loose readonly=on; fi
	printf '%s %s\0' "$readonly" "$1" >>"$state/folders"
	qemu_tags=$((${qemu_tags:-0} + 1))
	mount_line "folder$qemu_tags" "$2" 9p \
		"$3,X-mount.mkdir,trans=virtio,version=9p2000.L,msize=262144,cache=$cache"
}

qemu_start() {
	local entry number=0
	local -a shares=()
	while IFS= read -r -d '' entry; do
		number=$((number + 1))
		# A comma in an option's value is written twice.
		entry=${entry//,/,,}
		shares+=(
			-fsdev "$qemu_files,id=f$number,readonly=${entry%% *},path=${entry#* }"
			-device "virtio-9p-pci,fsdev=f$number,mount_tag=folder$number"
		)
	done <"$state/folders"
	exec setpriv --pdeathsig KILL qemu-system-x86_64 -nodefaults -no-user-config -display none -monitor none \
		-no-reboot -nic none -accel tcg,thread=multi -cpu max -smp "$cpus" -m "$mem" \
		-kernel "$qemu_kernel/vmlinuz" -initrd "$qemu_kernel/initrd" \
		-append "console=ttyS0 loglevel=5 panic=-1 bond_state=$state" \
		-serial "file:$state/console" \
		-fsdev "$qemu_files,id=root,readonly=on,path=/" \
		-device virtio-9p-pci,fsdev=root,mount_tag=root \
		-device virtio-serial-pci \
		-chardev "file,id=out,path=$state/stdout" -device virtserialport,chardev=out,name=stdout \
		-chardev "file,id=err,path=$state/stderr" -device virtserialport,chardev=err,name=stderr \
		"${shares[@]}" </dev/null >"$state/qemu" 2>&1 3>"$state/stdout" 4>"$state/stderr"
}
