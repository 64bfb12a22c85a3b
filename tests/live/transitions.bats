#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Every mode to every other, on a bond that is up, has slaves and carries addresses, routes, neighbours and VLANs of all sorts: what
# was not named is as it was, or was said to be lost before anything happened. The program `transitions` does it.

bats_require_minimum_version 1.5.0

load ../lib/live

setup() { live_setup; }
teardown() { live_teardown; }

# transitions FROM TO...
transitions() {
	export NS SYS BONDCTL
	run "$BATS_TEST_DIRNAME/transitions" "$@"
	if [[ ${lines[0]} == *' transitions' ]]; then echo "# ${lines[0]}" >&3; fi
	((status == 0)) || { echo "$output" >&2; return 1; }
}

@test "from balance-rr to every other mode nothing is lost that was not said" { transitions 0 1 2 3 4 5 6 arp:1 arp:4; }
@test "from active-backup to every other mode nothing is lost that was not said" { transitions 1 0 2 3 4 5 6 arp:2 arp:5; }
@test "from balance-xor to every other mode nothing is lost that was not said" { transitions 2 0 1 3 4 5 6 arp:3 arp:6; }
@test "from broadcast to every other mode nothing is lost that was not said" { transitions 3 0 1 2 4 5 6 arp:0; }
@test "from 802.3ad to every other mode nothing is lost that was not said" { transitions 4 0 1 2 3 5 6; }
@test "from balance-tlb to every other mode nothing is lost that was not said" { transitions 5 0 1 2 3 4 6; }
@test "from balance-alb to every other mode nothing is lost that was not said" { transitions 6 0 1 2 3 4 5; }
