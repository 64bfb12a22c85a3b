#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Makes bonds with iproute2 and sysfs, and writes what the kernel says of them: messages as hexadecimal text (NAME.hex)
# and beside them what sysfs, /proc and iproute2 show (NAME.seen). See recorded/README.md; runs as root inside a guest.
set -euo pipefail

if (($# != 4)); then
	echo "usage: record.sh RECORD RAWLINK FOLDER PREFIX" >&2
	exit 2
fi
readonly record=$1 rawlink=$2 folder=$3 prefix=$4

# What decode.c's expectations were written from. ip's "-d" line, then a file a line.
seen() { # seen NAME...
	local name file
	for name; do
		ip -d link show dev "$name" | sed 's/ *$//'
		for file in "/sys/class/net/$name"/{ifindex,mtu,address,tx_queue_len,operstate,carrier,carrier_changes,flags} \
			"/sys/class/net/$name"/{bonding,bonding_slave}/*; do
			[[ -r $file && -n $(<"$file") ]] && printf '%s: %s\n' "${file#/sys/class/net/}" "$(<"$file")"
		done
		[[ -e /proc/net/bonding/$name ]] && cat "/proc/net/bonding/$name"
	done
	true
}

raw() { # raw LINE: what neither iproute2 nor sysfs of this age can say; nothing where the kernel lacks it
	printf '%s\n' "$1" | "$rawlink" >/dev/null || true
}

active_backup() {
	ip link add eth0 type veth peer name peer0
	ip link add eth1 type veth peer name peer1
	ip link set peer0 up
	ip link add bond0 numtxqueues 8 txqueuelen 500 address 02:00:00:00:00:b0 type bond mode active-backup \
		arp_interval 30000 arp_validate filter_active arp_all_targets all primary_reselect failure \
		fail_over_mac active resend_igmp 3 num_grat_arp 5 all_slaves_active 1
	echo +192.0.2.1 >/sys/class/net/bond0/bonding/arp_ip_target
	echo +198.51.100.254 >/sys/class/net/bond0/bonding/arp_ip_target
	raw 'set bond0 bond 31 ip6 2001:db8::1,fe80::2'
	raw 'set bond0 bond 30 u8 4'
	ip link property add dev bond0 altname uplink-of-the-machine
	ip link set eth0 address 02:00:00:00:00:01
	ip link set eth1 address 02:00:00:00:00:02
	ip link set eth0 master bond0
	ip link set eth1 master bond0
	echo eth1 >/sys/class/net/bond0/bonding/primary
	echo eth0:3 >/sys/class/net/bond0/bonding/queue_id
	raw 'set eth1 slave 9 s32 -7'
	ip link set bond0 up
	sleep 1
}

lacp() {
	local i
	ip link add bond0 type bond mode 802.3ad lacp_rate fast miimon 50 updelay 100 downdelay 150 xmit_hash_policy layer3+4 \
		min_links 1 ad_select bandwidth ad_actor_sys_prio 1000 ad_user_port_key 37 \
		ad_actor_system 02:00:00:00:00:aa
	ip link add partner type bond mode 802.3ad lacp_rate fast miimon 50
	ip link set partner address 02:00:00:00:00:bb
	for i in 0 1; do
		ip link add "eth$i" type veth peer name "peer$i"
		ip link set "eth$i" address "02:00:00:00:00:0$i"
		ip link set "eth$i" master bond0
		ip link set "peer$i" master partner
	done
	raw 'set eth1 slave 10 u16 77'
	raw 'set bond0 bond 28 u32 200'
	raw 'set bond0 bond 32 u8 0'
	raw 'set bond0 bond 33 u8 1'
	raw 'set bond0 bond 34 u8 1'
	ip link set partner up
	ip link set bond0 up
	for ((i = 0; i < 100; i++)); do
		[[ $(cat /sys/class/net/eth[01]/bonding_slave/ad_{actor,partner}_oper_port_state | sort -u) == 63 ]] && return
		sleep 0.2
	done
	echo "record.sh: the ports did not agree" >&2
	return 1
}

active_backup
"$record" bond0 eth0 eth1 >"$folder/$prefix-active-backup.hex"
seen bond0 eth0 eth1 >"$folder/$prefix-active-backup.seen"
for name in bond0 eth0 eth1; do ip link del "$name"; done

lacp
"$record" bond0 eth0 eth1 >"$folder/$prefix-lacp.hex"
seen bond0 eth0 eth1 >"$folder/$prefix-lacp.seen"
