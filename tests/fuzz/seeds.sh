#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Writes seeds for the targets into FOLDER/TARGET/: the recordings of tests/unit as datagrams, values of every type,
# and documents.
set -euo pipefail

if (($# != 2)); then
	echo "usage: seeds.sh RECORDED FOLDER" >&2
	exit 2
fi
readonly recorded=$1 folder=$2
mkdir -p "$folder"/{messages,changes,values,documents}

bytes() { # bytes HEX: to standard output
	local hex=$1 text='' i
	for ((i = 0; i < ${#hex}; i += 2)); do text+="\\x${hex:i:2}"; done
	printf '%b' "$text"
}

little() { printf '%02x%02x' $(($1 & 255)) $(($1 >> 8)); } # little NUMBER: two bytes in hexadecimal

datagram() { # datagram HEX: its length in front
	printf '%s%s' "$(little $((${#1} / 2)))" "$1"
}

# DONE, and an acknowledgement of what was asked
readonly done_=14000000030002000000000000000000'00000000'
readonly ack=24000000020000010000000000000000'00000000''20000000100005000000000000000000'

for file in "$recorded"/*.hex; do
	name=$(basename "$file" .hex)
	messages=()
	while read -r line; do
		case $line in
		'#'*) ;;
		link*) messages+=('') ;;
		*) messages[-1]+=$line ;;
		esac
	done <"$file"
	all='' each=''
	for message in "${messages[@]}"; do
		all+=$message
		each+=$(datagram "$message")
	done
	end=$(datagram $done_)
	# a dump of the bonds, then one of the slaves; a get, then a dump; a dump of all
	bytes "00$(datagram "${messages[0]}")$end$(datagram "$all")$end" >"$folder/messages/$name-read"
	bytes "01$(datagram "${messages[0]}")$each$end" >"$folder/messages/$name-read-bond"
	bytes "02$each$end" >"$folder/messages/$name-read-links"
	for choice in 00 01 02 03 04 20 27 2c 31; do
		bytes "$choice$each$end$(datagram $ack)$(datagram $ack)$each$(datagram $ack)$each$end" \
			>"$folder/changes/$name-$choice"
	done
done

number=0
while IFS= read -r text; do
	# every row of the table gets each text
	for ((row = 1; row < 64; row += 3)); do
		{ bytes "$(printf '%02x' $row)"; printf '%s' "$text"; } >"$folder/values/$number-$row"
	done
	number=$((number + 1))
done <<'TEXTS'
100
-7
802.3ad
on
none
02:00:00:00:00:01
10.0.0.1,10.0.0.2
+10.0.0.3,-10.0.0.1
2001:db8::1,fe80::1
-2001:db8::1
TEXTS

number=0
while IFS= read -r text; do
	printf '%s\n' "$text" >"$folder/documents/$number"
	number=$((number + 1))
done <<'TEXTS'
[]
{"name": "bond0"}
{"name": "bond2", "mode": "active-backup", "miimon": 100, "slaves": ["eth6", "eth7"], "up": true}
[{"name": "b0", "slaves": [{"name": "e0", "prio": -5, "queue_id": 2, "mtu": 9000}, {"name": "e1"}]}, {"name": "b1", "slaves": []}]
{"name": "b0", "mode": 1, "primary": null, "arp_interval": 1000, "arp_ip_target": ["192.0.2.1", "192.0.2.2"], "ns_ip6_target": ["2001:db8::1"]}
{"name": "b0", "mode": "802.3ad", "lacp_rate": "fast", "ad_actor_system": "02:00:00:00:00:01", "address": "02:00:00:00:00:02", "up": false}
{"name": "b\u0030", "x": {"y": [1, 1.5, 1e2, "\ud83d\ude00"], "z": null}, "mtu": 18446744073709551615}
{"name": "b0", "name": "b1"
TEXTS
