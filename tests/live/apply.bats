#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Documents: what show --json prints is applied and nothing is sent, in every mode and state; bonds are made, changed, filled, emptied
# and taken away as a document says, all of it or nothing; what it does not name stays. What was done is read back through sysfs.

bats_require_minimum_version 1.5.0

load ../lib/live

setup() {
	live_setup
	quiet_ipv6
	DOC=$BATS_TEST_TMPDIR/document
}
teardown() { live_teardown; }

# doc JSON: the document, in a file.
doc() { echo "$1" >"$DOC"; }

# The same document again has nothing to do.
holds() {
	good diff "$DOC"
	same 'differences' "$output" ''
	dry apply "$DOC"
	no_steps
}

# Options that are not the default, where the mode takes them.
OTHER=(
	'packets_per_slave 7 arp_missed_max 4'
	'primary_reselect better arp_missed_max 4 num_grat_arp 7'
	'xmit_hash_policy layer3+4'
	'resend_igmp 3'
	'lacp_rate fast ad_select count ad_actor_sys_prio 7 ad_user_port_key 5 ad_actor_system 02:00:00:00:00:88 min_links 1'
	'tlb_dynamic_lb 0 xmit_hash_policy encap2+3'
	'lp_interval 4 primary_reselect failure'
)
MODES=(balance-rr active-backup balance-xor broadcast 802.3ad balance-tlb balance-alb)

# bonds_of_all_modes STATE: bond0 to bond6. fresh: as they are made. full: up, with two slaves and other options.
bonds_of_all_modes() {
	local n lines=()
	for n in {0..6}; do
		if [[ $1 == fresh ]]; then
			lines+=("create bond$n mode ${MODES[n]}")
		else
			lines+=("create bond$n mode ${MODES[n]} miimon 50 updelay 100 downdelay 150 arp_ip_target 10.0.0.1,10.0.0.2 mtu 1400
				txqueuelen 500 ${OTHER[n]} slave v$((2 * n + 1)) queue_id 2 slave v$((2 * n)) queue_id 1 up")
		fi
	done
	good --batch - <<<"$(printf '%s\n' "${lines[@]//[$'\n\t']/ }")"
}

@test "what show prints is applied without a request, for fresh bonds of every mode" {
	bonds_of_all_modes fresh
	document "$DOC"
	quiet apply "$DOC"
	silent
	holds
	# no port of these has been up yet
	good up bond0 bond1 bond2 bond3 bond4 bond5 bond6
	document "$DOC"
	quiet apply "$DOC"
	silent
	holds
}

@test "what show prints is applied without a request, for bonds of every mode that are up and full" {
	local n
	pairs 0 1 2 3 4 5 6 7 8 9 10 11 12 13
	bonds_of_all_modes full
	good --batch - <<-'END'
		set bond1 slave v2 prio 5 slave v3 prio -3 primary v3
		set bond5 slave v10 prio 5
		set bond6 primary v12
	END
	for n in {0..6}; do soon 10 sys_is "bond$n" carrier 1; done
	document "$DOC"
	quiet apply "$DOC"
	silent
	holds
	# one link is lost, another slave is active: that is state
	cut_link v3
	cut_link v10
	soon 10 sys_is bond1 bonding/active_slave v2
	soon 10 sys_is v10 bonding_slave/mii_status down
	quiet apply "$DOC"
	holds
	document "$DOC"
	quiet apply "$DOC"
	holds
}

@test "what show prints of ARP-monitored bonds is applied without a request" {
	pairs 0 1 2 3
	good --batch - <<-'END'
		create bond0 mode active-backup arp_interval 60000 arp_validate all arp_all_targets all arp_ip_target 10.0.0.1,10.0.0.2 slaves v0 v1 up
		create bond1 mode balance-xor arp_interval 60000 ns_ip6_target 2001:db8::1,fe80::1 arp_validate filter slaves v2 v3 up
	END
	document "$DOC"
	quiet apply "$DOC"
	silent
	holds
}

@test "what show prints of bonds with fail_over_mac, and of nested ones, is applied without a request" {
	pairs 0 1 2 3 4 5
	good --batch - <<-'END'
		create bond0 mode active-backup fail_over_mac active slaves v0 v1 up
		create bond1 mode active-backup fail_over_mac follow slaves v2 v3 up
		create inner0 mode balance-xor slaves v4 up
		create inner1 mode 802.3ad slaves v5 up
		create outer mode active-backup slaves inner1 inner0 up
	END
	soon 10 sys_is bond0 bonding/active_slave v0
	soon 10 sys_is bond1 bonding/active_slave v2
	soon 10 sys_is v3 bonding_slave/mii_status up
	document "$DOC"
	quiet apply "$DOC"
	holds
	links 'link set v0 down' 'link set v2 down'
	soon 10 sys_is bond0 bonding/active_slave v1
	soon 10 sys_is bond1 bonding/active_slave v3
	links 'link set v0 up' 'link set v2 up'
	soon 10 sys_is v0 bonding_slave/mii_status up
	soon 10 sys_is v2 bonding_slave/mii_status up
	# the address of the bond has moved on with the active slave
	quiet apply "$DOC"
	good diff "$DOC"
}

@test "what an ordinary user has read is applied by root without a request" {
	setpriv --reuid 65534 --regid 65534 --clear-groups test -x "$BONDCTL" || skip 'uid 65534 may not execute the bondctl under test'
	pairs 0
	good create bond0 mode 802.3ad ad_actor_sys_prio 7 slaves v0 up
	nsenter --net="/run/netns/$NS" setpriv --reuid 65534 --regid 65534 --clear-groups --bounding-set -all "$BONDCTL" show bond0 --json >"$DOC"
	quiet apply "$DOC"
	sys_is bond0 bonding/ad_actor_sys_prio 7
}

@test "bonds made of a document are described by the same document" {
	pairs 0 1 2 3 4 5 6 7 8 9 10 11 12 13
	bonds_of_all_modes full
	good set bond1 slave v2 prio 5 primary v3
	document "$DOC"
	good delete bond0 bond1 bond2 bond3 bond4 bond5 bond6
	bad 1 --json diff "$DOC"
	json 'map(select(.action == "create")) | length' 7
	good apply "$DOC"
	document "$BATS_TEST_TMPDIR/again"
	same_document "$DOC" "$BATS_TEST_TMPDIR/again"
	holds
}

@test "a document of every mode is applied to a bond of every other" {
	local n
	pairs 0 1 2 3 4 5 6 7 8 9 10 11 12 13
	bonds_of_all_modes full
	document "$DOC"
	# each bond takes over what was the next one's
	jq '. as $all | [range(length) | . as $n | $all[($n + 1) % 7] + {name: "bond\($n)", address: $all[$n].address, primary: null,
		slaves: ($all[$n].slaves | map(. + {queue_id: (3 - .queue_id), actor_port_prio: null, prio: null}))}]' "$DOC" >"$DOC.next"
	bad 5 apply "$DOC.next"
	good apply "$DOC.next" --cycle
	for n in {0..6}; do sys_is "bond$n" bonding/mode "${MODES[(n + 1) % 7]}"; done
	document "$BATS_TEST_TMPDIR/again"
	mv "$DOC.next" "$DOC"
	holds
	good apply "$DOC"
	document "$BATS_TEST_TMPDIR/once-more"
	same_document "$BATS_TEST_TMPDIR/again" "$BATS_TEST_TMPDIR/once-more"
}

@test "only what a document names is changed, and with the least disturbance" {
	pairs 0 1 2
	good create bond0 mode active-backup miimon 50 updelay 100 slaves v0 v1 slave v1 prio 5 up
	soon 10 addressed bond0
	doc '{"name": "bond0", "resend_igmp": 7}'
	remember
	dry apply "$DOC"
	json '[.plan.steps[].action]' '["set"]' '[.plan.steps[].disruption]' '["live"]'
	good apply "$DOC"
	as_before 'bond0 resend_igmp'
	holds
	# the value of one slave, the others and the list stay
	sys v0 carrier_changes
	local changes=$REPLY
	doc '{"name": "bond0", "slaves": ["v0", {"name": "v1", "queue_id": 4}, "v2"]}'
	good apply "$DOC"
	slaves_are bond0 v0 v1 v2
	sys_is v1 bonding_slave/queue_id 4
	same 'prio by ip' "$(ip_json '.[0].linkinfo.info_slave_data.prio' link show v1)" 5
	sys_is v0 carrier_changes "$changes"
	holds
}

@test "slaves are added and taken away as the list says, and no list changes nothing" {
	pairs 0 1 2 3
	good create bond0 mode balance-xor slaves v3 v1 up
	soon 10 sys_is v1 bonding_slave/mii_status up
	doc '{"name": "bond0", "slaves": ["v3", "v0", "v2"]}'
	bad 1 diff "$DOC"
	good apply "$DOC"
	slaves_are bond0 v3 v0 v2
	master_is v1 ''
	holds
	doc '{"name": "bond0", "miimon": 70}'
	good apply "$DOC"
	slaves_are bond0 v3 v0 v2
	doc '{"name": "bond0", "slaves": []}'
	bad 5 --json apply "$DOC"
	json .error.cause '"guard"'
	slaves_are bond0 v3 v0 v2
	good apply "$DOC" --force
	slaves_are bond0
	holds
}

@test "new bonds get their slaves in the order of the document" {
	pairs 0 1 2 3
	doc '[{"name": "b0", "mode": "balance-xor", "slaves": ["v3", "v0"]}, {"name": "b1", "mode": "active-backup", "slaves": ["v2", "v1"], "up": true}]'
	good apply "$DOC"
	slaves_are b0 v3 v0
	slaves_are b1 v2 v1
	admin b0 down
	admin b1 up
	holds
	# the link monitor that create gives
	sys_is b0 bonding/miimon 100
}

@test "several bonds are one transaction: when one cannot be had, the others are as they were" {
	pairs 0 1
	refused_device t0
	links 'link add br0 type bridge' 'link set br0 up'
	good create b0 mode active-backup miimon 70 slaves v0 up
	soon 10 addressed b0
	links 'addr add 10.0.0.1/24 dev b0' 'route add default via 10.0.0.9'
	remember
	# the driver refuses t0, after much has been done
	doc '[{"name": "b0", "mode": "balance-xor", "miimon": 50, "mtu": 1400}, {"name": "b1", "mode": "balance-rr", "slaves": ["v1", "t0"]}]'
	bad 8 --json apply "$DOC" --cycle
	json .error.device '"t0"' .error.cause '"refused"'
	json_true '[.changes[] | select(.device == "b0").outcome] | all(. == "rolled_back" or . == "not_tried")'
	as_before
	# these are known before, and nothing is sent at all
	doc '[{"name": "b0", "miimon": 50}, {"name": "b1", "slaves": ["v1", "ghost"]}]'
	bad 3 --json apply "$DOC"
	json .error.device '"ghost"'
	doc '[{"name": "b0", "miimon": 50}, {"name": "br0", "miimon": 50}]'
	bad 5 --json apply "$DOC"
	json .error.cause '"exists"' .error.device '"br0"'
	as_before
}

@test "what cannot be is refused before anything is sent, with the reason" {
	local json status_wanted cause
	pairs 0 1
	dummies d0
	good create b0 mode active-backup slaves v0 v1 up
	soon 10 sys_is v1 bonding_slave/mii_status up
	soon 10 addressed b0
	remember
	while read -r status_wanted cause json; do
		doc "$json"
		bad "$status_wanted" --json apply "$DOC"
		json .error.cause "\"$cause\""
	done <<-'END'
		5 bond_up {"name": "b0", "ad_select": "count"}
		5 has_slaves {"name": "b0", "mode": "802.3ad"}
		5 guard {"name": "b0", "miimon": 0}
		5 guard {"name": "b0", "miimon": 0, "arp_interval": 100}
		5 conflict {"name": "b0", "miimon": 50, "arp_interval": 100, "arp_ip_target": ["10.0.0.1"]}
		3 no_device {"name": "b0", "primary": "ghost"}
		2 bad_value {"name": "b0", "miimon": -1}
		2 bad_value {"name": "b0", "mode": "lacp"}
		2 usage {"name": "b0", "miimon": {}}
		2 usage {"name": "b0", "slaves": ["v0", "v0"]}
		2 usage [{"name": "b0", "slaves": ["v0"]}, {"name": "b1", "slaves": ["v0"]}]
		2 usage [{"name": "b0"}, {"name": "b0"}]
		2 usage {"miimon": 50}
		2 bad_name {"name": "a/b"}
		2 usage {"name": "b0", "miimon": 50
		2 usage "b0"
		5 exists {"name": "d0", "miimon": 50}
	END
	bad 2 apply "$BATS_TEST_TMPDIR/no-such-file"
	bad 2 apply
	bad 2 apply "$DOC" "$DOC"
	as_before
}

@test "unknown keys are reported and ignored, and so are state and what can only be read" {
	good create b0 mode active-backup
	doc '{"name": "b0", "miimon": 50, "bogus": 1, "MTU": 9000, "ifindex": 99, "carrier": false, "statistics": {"rx_packets": 5},
		"active_slave": "nobody", "operstate": "up", "slaves": [], "ad_info": null, "unsupported": ["x"]}'
	good --json apply "$DOC"
	json '[.warnings[].key] | sort' '["MTU","bogus"]'
	sys_is b0 bonding/miimon 50
	sys_is b0 mtu 1500
	good apply "$DOC"
	says bogus MTU
	good -q apply "$DOC"
	silent
}

@test "a document comes from standard input, and one name is a bond as well as a list of one" {
	good apply - <<<'{"name": "b0", "mode": "active-backup"}'
	good apply - <<<'[{"name": "b0", "miimon": 50}]'
	sys_is b0 bonding/miimon 50
	good apply - <<<'[]'
	good diff - <<<'[]'
	good diff - <<<'{"name": "b0", "miimon": 50}'
	bad 1 diff - <<<'{"name": "b0", "miimon": 60}'
}

@test "diff says what differs, one line a difference, and changes nothing" {
	pairs 0 1
	good create b0 mode active-backup slaves v0 up
	soon 10 addressed b0
	remember
	doc '[{"name": "b0", "mode": "802.3ad", "miimon": 50, "slaves": ["v1"]}, {"name": "b1", "mtu": 1400}]'
	bad 1 --json diff "$DOC"
	json 'map(select(.option == "mode" and .device == "b0") | [.was, .value])' '[["active-backup","802.3ad"]]' \
		'map(select(.option == "miimon" and .device == "b0") | [.was, .value])' '[["100","50"]]' \
		'map(select(.action == "enslave") | .device)' '["v1"]' 'map(select(.action == "release") | .device)' '["v0"]' \
		'map(select(.action == "create") | .device)' '["b1"]'
	bad 1 diff "$DOC"
	[[ $output == *b0:*mode*active-backup*802.3ad* && $output == *miimon*100*50* && $output == *v1* && $output == *b1* ]] ||
		complain 'a difference is missing'
	as_before
	bad 2 diff "$BATS_TEST_TMPDIR/no-such-file"
	bad 2 diff - <<<'{"name": "b0", "miimon": "x"}'
	bad 3 diff - <<<'{"name": "b0", "slaves": ["ghost"]}'
}

@test "--prune deletes the bonds that the document does not name, and no other device" {
	pairs 0 1 2
	links 'link add br0 type bridge' 'link add team0 type dummy'
	good --batch - <<-'END'
		create b0 slaves v0 up
		create b1 slaves v1 up
		create b2 mode active-backup
	END
	doc '[{"name": "b1", "miimon": 50}, {"name": "b3"}]'
	good diff - <<<'{"name": "b1"}'
	bad 1 --json diff "$DOC" --prune
	json 'map(select(.action == "delete") | .device) | sort' '["b0","b2"]'
	good apply "$DOC" --prune
	gone b0
	gone b2
	there b3
	there br0
	there team0
	slaves_are b1 v1
	master_is v0 ''
	good diff "$DOC" --prune
	good apply - --prune --force <<<'[]'
	gone b1
	gone b3
	there br0
}

@test "when the rest cannot be had, what --prune deletes is still there, as it was" {
	pairs 0 1
	refused_device t0
	good create b0 mode 802.3ad lacp_rate fast mtu 1400 slaves v0 v1 slave v1 queue_id 3 up
	soon 10 addressed b0
	links 'addr add 10.0.0.1/24 dev b0' 'addr add 2001:db8::1/64 dev b0 nodad' 'route add default via 10.0.0.9'
	remember
	doc '[{"name": "b1", "mode": "balance-rr", "slaves": ["t0"]}]'
	bad 8 apply "$DOC" --prune
	as_before
}

@test "a slave moves from one bond to another when the document says so" {
	pairs 0 1 2 3
	good create b0 mode active-backup slaves v0 v1 slave v1 prio 3 up
	good create b1 mode balance-xor slaves v2 up
	soon 10 sys_is b0 bonding/active_slave v1
	doc '[{"name": "b1", "slaves": ["v2", "v1"]}, {"name": "b0", "slaves": ["v0"]}]'
	good apply "$DOC"
	slaves_are b0 v0
	slaves_are b1 v2 v1
	sys_is b0 bonding/active_slave v0
	holds
	# both change places at once
	doc '[{"name": "b0", "slaves": ["v2", "v1"]}, {"name": "b1", "slaves": ["v0"]}]'
	try apply "$DOC"
	((status == 0)) || good apply "$DOC" --force
	slaves_are b0 v2 v1
	slaves_are b1 v0
	holds
	# from a bond that the document does not name it is taken with --steal only
	doc '{"name": "b2", "slaves": ["v1"]}'
	bad 5 --json apply "$DOC"
	json .error.cause '"has_master"'
	good apply "$DOC" --steal
	slaves_are b0 v2
	slaves_are b2 v1
}

@test "a primary and a slave's options go with the slave that joins in the same document" {
	pairs 0 1
	doc '{"name": "b0", "mode": "active-backup", "primary": "v1", "up": true, "slaves": [{"name": "v0", "prio": 3, "queue_id": 1},
		{"name": "v1", "prio": 1, "mtu": 1400}]}'
	good apply "$DOC"
	sys_is b0 bonding/primary v1
	soon 10 sys_is b0 bonding/active_slave v1
	sys_is v0 bonding_slave/queue_id 1
	sys_is v1 mtu 1400
	sys_is b0 mtu 1500
	holds
	doc '{"name": "b0", "primary": null}'
	good apply "$DOC"
	sys_is b0 bonding/primary ''
}

@test "the keys of a document may come in any order" {
	doc '{"lacp_rate": "fast", "updelay": 200, "up": true, "slaves": [], "miimon": 50, "name": "b0", "mode": "802.3ad"}'
	good apply "$DOC"
	sys_is b0 bonding/mode 802.3ad
	sys_is b0 bonding/lacp_rate fast
	sys_is b0 bonding/updelay 200
	admin b0 up
	holds
}

@test "members may be named by alternative names, and hold under both" {
	pairs 0 1
	links 'link property add dev v0 altname eno-very-long-alternative-name0'
	doc '{"name": "b0", "mode": "active-backup", "primary": "eno-very-long-alternative-name0", "slaves": ["eno-very-long-alternative-name0", "v1"]}'
	good apply "$DOC"
	slaves_are b0 v0 v1
	sys_is b0 bonding/primary v0
	holds
	doc '{"name": "b0", "slaves": ["v0", "v1"]}'
	holds
}

@test "a document that gives no address changes none, and one that does sets it" {
	pairs 0 1
	sys v0 address
	local first=$REPLY
	doc '{"name": "b0", "mode": "balance-xor", "slaves": ["v0", "v1"], "up": true}'
	good apply "$DOC"
	sys_is b0 address "$first"
	sys_is b0 addr_assign_type 2
	doc '{"name": "b0", "address": "02:00:00:00:00:aa"}'
	good apply "$DOC"
	sys_is b0 address 02:00:00:00:00:aa
	sys_is v1 address 02:00:00:00:00:aa
	holds
}

@test "what this kernel does not have is no matter while its default is asked for, and refused otherwise" {
	local option
	good create b0 mode 802.3ad
	document "$DOC" b0
	for option in lacp_strict broadcast_neighbor; do
		[[ $(jq ".$option" "$DOC") == null ]] || continue
		good apply - <<<"{\"name\": \"b0\", \"$option\": false}"
		bad 6 --json apply - <<<"{\"name\": \"b0\", \"$option\": true}"
		json .error.cause '"unsupported"'
	done
	# a document of another kernel, in a mode that does not take all it names
	good apply - <<<'{"name": "b1", "mode": "active-backup", "lacp_rate": "slow", "ad_actor_sys_prio": 65535, "lacp_strict": false,
		"broadcast_neighbor": false, "packets_per_slave": 1, "tlb_dynamic_lb": true, "ad_user_port_key": null}'
	sys_is b1 bonding/mode active-backup
}

@test "an option that the mode does not take is left as it is, and that is said" {
	good create b0 mode active-backup
	doc '{"name": "b0", "miimon": 50, "lacp_rate": "fast", "ad_actor_sys_prio": 7}'
	good apply "$DOC"
	says lacp_rate ad_actor_sys_prio active-backup
	sys_is b0 bonding/miimon 50
	sys_is b0 bonding/lacp_rate slow
	dry apply "$DOC"
	no_steps
}

@test "what a document names and will not be so is said with its reason, before it is so as after" {
	pairs 0 1
	good create b0 mode active-backup slaves v0 v1 primary v1 up
	soon 10 sys_is b0 bonding/active_slave v1
	doc '{"name": "b0", "mode": "802.3ad", "primary": "v1"}'
	good apply "$DOC" --cycle
	says 'primary: left as it is: mode 802.3ad does not take it'
	sys_is b0 bonding/primary ''
	good diff "$DOC"
	says 'primary: left as it is: mode 802.3ad does not take it'
	# a delay is not the mode's matter
	good create b1 mode active-backup
	doc '{"name": "b1", "miimon": 0, "updelay": 100}'
	good apply "$DOC" --force
	says 'updelay: left as it is: it needs MII monitoring, and miimon is 0'
	says_not mode
}

@test "documents go through a batch, one after the other" {
	doc '{"name": "b0", "mode": "active-backup"}'
	echo '{"name": "b0", "miimon": 50}' >"$DOC.2"
	good --json --batch - <<<"apply $DOC
		diff $DOC
		apply $DOC.2"
	output=$(jq -sc . <<<"$output")
	json 'map(.status)' '[0,0,0]'
	sys_is b0 bonding/miimon 50
}
