# SPDX-License-Identifier: GPL-2.0-or-later
# What two states of a namespace differ in. A state is ip's JSON (arrays of links with addresses, routes, neighbours, next hops) and
# lines of device, what and value with tabs between. Compared is what somebody set: no counters, carrier, ages, nor what the
# driver chooses by itself (the active slave, the MAC of a slave); and none of the far ends, p0 and q0 and so on. Options have
# the driver's names.

def driver_name: {peer_notify_delay: "peer_notif_delay", num_peer_notif: "num_grat_arp", ad_lacp_rate: "lacp_rate",
	ad_lacp_active: "lacp_active"}[.] // .;
def lasting: if . == 4294967295 then "forever" else "limited" end;

def address: {what: "address \(.family) \(.local)/\(.prefixlen)",
	value: (del(.family, .local, .prefixlen, .tentative, .optimistic) | .valid_life_time |= lasting | .preferred_life_time |= lasting)};

def link: .ifname as $device | (.flags - ["LOWER_UP", "NO-CARRIER", "RUNNING", "M-DOWN"] | sort) as $flags
	| ({ifindex, mtu, group, master, link, ifalias, num_tx_queues, gso_max_size, inet6_addr_gen_mode, altnames, txqueuelen: .txqlen,
			kind: .linkinfo.info_kind, up: ($flags | index("UP") != null), flags: ($flags - ["UP"]),
			qdisc: (if .qdisc == "noop" then "noqueue" else .qdisc end),
			address: (if .linkinfo.info_slave_kind == "bond" then null else .address end)}
		+ (if .linkinfo.info_kind | IN("bond", "vlan") then .linkinfo.info_data | del(.active_slave, .ad_info) else {} end)
		+ (.linkinfo.info_slave_data // {} | {queue_id, prio, perm_hwaddr})
		| to_entries[] | select(.value != null) | {device: $device, what: (.key | driver_name), value}),
	(.addr_info[] | address | .device = $device);

# A route over several next hops belongs to each of their devices. What the kernel has in the local table goes with the addresses,
# and comes a moment after them.
def route: select((.table == "local" and .protocol == "kernel") | not) | .flags -= ["linkdown"] | (if .nexthops then .nexthops[].flags -= ["linkdown"] else . end)
	| {device: ([.dev // empty, .nexthops[]?.dev] | unique[]), what: "route \(.type) \(.dst) table \(.table) metric \(.metric // 0)",
		value: del(.type, .dst, .table, .metric, .dev)};
def neighbour: {device: .dev, what: "neighbour \(.dst)", value: del(.dev, .dst)};
def nexthop: {device: (.dev // "-"), what: "nexthop \(.id)", value: del(.dev, .id, .flags)};

def state($ip; $more):
	[$ip[][] | if has("addr_info") then link
		elif has("proxy") or has("lladdr") then neighbour
		elif has("id") and (has("dst") | not) then nexthop
		else route end]
	+ ($more | split("\n") | map(split("\t") | select(length > 2) | {device: .[0], what: .[1], value: .[2]}))
	| map(select(.device | test("^[pq][0-9]+$") | not) | {key: "\(.device)\t\(.what)", value: (.value | if type == "string" then . else tojson end)})
	| from_entries;

# what a difference is about: the option, or the address, prefix or number after the kind
def subject: split(" ") | if .[0] == "route" then .[2] elif .[0] == "address" and length > 1 then .[2] elif length > 1 then .[1] else .[0] end
	| split("/")[0];
# differences($before; $more_before; $after; $more_after; $excused): lines "DEVICE<tab>WHAT<tab>BEFORE<tab>AFTER", "-" for none. Left out is
# what $excused explains, a list of {device, words}: the difference is of the device, and one of the words is what it is about.
def differences($before; $more_before; $after; $more_after; $excused):
	def is_excused($device; $what): ($what | subject) as $subject
		| any($excused[]; .device == $device and any(.words[]; . == $subject or . == $what or startswith($subject + "/")));
	state($before; $more_before) as $a | state($after; $more_after) as $b
		| $a + $b | keys[] | select($a[.] != $b[.]) as $key | ($key | split("\t")) as [$device, $what]
		| select(is_excused($device; $what) | not) | "\($key)\t\($a[$key] // "-")\t\($b[$key] // "-")";
