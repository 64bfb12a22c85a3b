#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Command lines that bondctl must understand and those it must refuse: verbs, options with dashes, option names and words in
# any order. What is refused has status 2, a reason on standard error and nothing on standard output, and nothing is done.
# bats sets status, output and stderr; what is in single quotes is for another shell.
# shellcheck disable=SC2154,SC2016

bats_require_minimum_version 1.5.0

load helpers

VERBS=(create delete set enslave release replace apply diff confirm up down show list stats options help)

@test "without a verb it says what is missing and where the verbs are listed" {
	refused VERB --help --
	refused VERB --help -- --quiet
	refused VERB --help -- --
}

@test "an unknown verb is refused, and one that is near is offered" {
	refused "'shwo'" 'did you mean show?' -- shwo
	refused "'delte'" 'did you mean delete?' -- delte bond0
	refused "'Create'" 'did you mean create?' -- Create bond0
	refused "'ls'" -- ls
	refused "'frobnicate'" --help -- frobnicate bond0
	[[ $stderr != *'did you mean'* ]]
	refused "'-'" -- -
	refused "''" -- ''
}

@test "the near verb is offered by help as well" {
	refused "'shwo'" 'did you mean show?' -- help shwo
}

@test "an unknown option is refused, and one that is near is offered" {
	refused --jsno 'did you mean --json?' -- --jsno list
	refused --jsno 'did you mean --json?' -- list --jsno
	refused --detials 'did you mean --details?' -- show --detials
	refused --frobnicate -- list --frobnicate
	[[ $stderr != *'did you mean'* ]]
	refused -x -- -x list
	refused -qx -- list -qx
	# an option of another verb is none of this one
	refused --details -- list --details
	refused --all -- show --all
	refused --details -- --details show
}

@test "an unknown option name is refused, and one that is near is offered" {
	refused "'mimon'" 'did you mean miimon?' -- create bond0 mimon 100
	refused "'xmit_hash_polcy'" 'did you mean xmit_hash_policy?' -- set bond0 xmit_hash_polcy=layer2
	refused "'Mode'" 'did you mean mode?' -- set bond0 Mode 1
	refused "'salves'" 'did you mean slaves?' -- create bond0 salves eth0
	refused "'pro'" 'did you mean prio?' -- set bond0 slave eth0 pro 5
	refused "'mimon'" 'did you mean miimon?' -- options mimon
	refused "'frobnicate'" 'bondctl options' -- set bond0 frobnicate 1
	[[ $stderr != *'did you mean'* ]]
	refused "''" -- set bond0 '' 1
	refused "''" -- set bond0 =1
}

@test "an unknown word as a value is refused with the words there are, and one that is near is offered" {
	refused "'activebackup'" 'balance-rr, active-backup' 'try: mode active-backup' -- create bond0 mode activebackup
	refused "'Fast'" 'slow or fast' 'try: lacp_rate fast' -- set bond0 lacp_rate Fast
	refused "'layer3-4'" 'try: xmit_hash_policy layer3+4' -- set bond0 xmit_hash_policy=layer3-4
	refused "'frobnicate'" 'balance-rr' -- set bond0 mode frobnicate
	[[ $stderr != *try:* ]]
}

@test "no verb is matched by its beginning" {
	local verb end known=" ${VERBS[*]} complete "
	for verb in "${VERBS[@]}"; do
		for ((end = 1; end < ${#verb}; end++)); do
			[[ $known == *" ${verb:0:end} "* ]] || echo "${verb:0:end} => ${verb:0:end}"
		done
	done | answers 2
}

@test "no option is matched by its beginning" {
	local option end
	for option in json pretty netns=1 keep-going color=never quiet version help; do
		for ((end = 1; end < ${#option} - 1; end++)); do
			[[ ${option:end:1} == '=' || ${option:0:end} == *=* ]] || echo "list --${option:0:end} => --${option:0:end}"
		done
	done | answers 2
	refused --batc -- --batc /dev/null
	refused --detail -- show --detail
	refused --al -- options --al
}

@test "no option name is matched by its beginning" {
	# by the table, since every name there has to obey
	jq -r '[.[] | select(.read_only | not) | {scope, name: (.name, .aliases[])}] as $all |
		[$all[].name, "slave", "slaves", "up", "down", "clear_active_slave"] as $known |
		$all[] | .scope as $scope | .name as $name | range(1; $name | length) | $name[:.] |
		select(IN($known[]) | not) |
		if $scope == "slave" then "set nix slave v0 \(.) 1 => \(.)" else "set nix \(.) 1 => \(.)" end
	' < <("$BONDCTL" options --json --quiet) >"$BATS_TEST_TMPDIR/rows"
	(($(wc -l <"$BATS_TEST_TMPDIR/rows") > 300))
	answers 2 <"$BATS_TEST_TMPDIR/rows"
}

@test "no word of a value is matched by its beginning" {
	jq -r '.[] | select(.read_only | not) | .name as $name | (.words | keys) as $words | $words[] as $word |
		range(1; $word | length) | $word[:.] | select(IN($words[]) or test("^[0-9]+$") | not) |
		"set nix \($name)=\(.) => \($name); \(.); takes"
	' < <("$BONDCTL" options --json --quiet) >"$BATS_TEST_TMPDIR/rows"
	(($(wc -l <"$BATS_TEST_TMPDIR/rows") > 150))
	answers 2 <"$BATS_TEST_TMPDIR/rows"
}

@test "a verb without the words it needs says which" {
	refused bond -- create
	refused bond -- delete
	refused bond -- set
	refused option -- set bond0
	refused bond -- enslave
	refused interface -- enslave bond0
	refused bond -- release
	refused slave -- release bond0
	refused bond -- up
	refused bond -- down
	refused bond slave -- replace
	refused slave -- replace bond0
	refused interface -- replace bond0 eth0
	refused file - -- apply
	refused file - -- diff
}

@test "words too many are refused" {
	refused "'eth0'" -- list eth0
	refused "'b'" -- help show b
	refused "'extra'" -- create bond0 mode 802.3ad extra
	refused "'eth0'" -- set bond0 up eth0
	refused "'eth2'" -- replace bond0 eth0 eth1 eth2
	refused "'other'" -- apply file other
	refused "'other'" -- diff - other
	refused "'bond0'" -- confirm bond0
	refused verb -- --batch /dev/null list
}

@test "an option without its value is refused" {
	refused mode value -- create bond0 mode
	refused miimon value -- set bond0 mode 1 miimon
	refused prio value -- set bond0 slave eth0 prio
	refused slaves interface -- create bond0 slaves
	refused slaves interface -- create bond0 slaves mode 1
	refused slaves interface -- create bond0 slaves=
	refused slaves interface -- create bond0 slaves ,
	refused slave interface -- create bond0 slave
	refused slave interface -- set bond0 slave
	refused option -- set bond0 slave eth0
	refused --netns value NAME -- --netns
	refused --netns value -- list --netns
	refused -n value -- list -n
	refused -n value -- list -qn
	refused --batch value -- --batch
	refused --color auto always never -- --color
	refused --confirm-within value SECONDS -- set bond0 miimon 1 --confirm-within
	refused --wait value SECONDS -- replace bond0 eth0 eth1 --wait
}

@test "an option that takes no value is refused with one" {
	refused --quiet value -- --quiet=1 list
	refused --quiet value -- list --quiet=
	bad 2 list --json=1
	refused --details -- show --details=yes
	refused --help -- --help=create
	refused --dry-run -- set bond0 miimon 1 --dry-run=no
	refused --force -- release bond0 eth0 --force=1
	refused "down takes no value" -- set bond0 down=on
	refused "clear_active_slave takes no value" -- set bond0 clear_active_slave=eth0
}

@test "an option given twice with two values is refused, whatever its spellings" {
	refused miimon twice -- create bond0 miimon 100 miimon 101
	refused miimon twice -- set bond0 miimon=100 mode 1 miimon 50
	refused lacp_rate twice -- set bond0 lacp_rate fast ad_lacp_rate slow
	refused num_grat_arp twice -- set bond0 num_unsol_na 1 num_grat_arp 2
	refused arp_ip_target twice -- set bond0 arp_ip_target +192.0.2.1 arp_ip_target +192.0.2.2
	refused up -- set bond0 up down
	refused prio twice -- set bond0 slave eth0 prio 1 slave eth0 prio 2
	refused eth0 twice -- create bond0 slaves eth0 eth1 eth0
	refused eth0 twice -- create bond0 slaves=eth0,eth0
	refused eth0 twice -- create bond0 slaves eth0 slaves eth1 eth0
}

@test "an option of a slave and an option of a bond are told apart" {
	refused prio 'of a slave' -- set bond0 prio 5
	refused queue_id 'of a slave' -- create bond0 queue_id=5
	refused slaves enslave -- set bond0 slaves eth0
}

@test "a slave is set as a device right after its name" {
	answers 3 <<-'ROWS'
		set nix slave eth0 mtu 9000 => no device named 'nix'
		set nix slave eth0 up
		set nix slave=eth0 mtu=9000 txqlen 5 down prio 5 mtu 1500 up
		set nix slave eth0 prio 5 mtu 9000
	ROWS
	refused mtu twice -- set bond0 slave eth0 mtu 9000 mtu 9001
	refused up twice -- set bond0 slave eth0 up down
	refused mtu value -- set bond0 slave eth0 mtu
	refused mtu "'60'" range -- set bond0 slave eth0 mtu 60
	refused option -- set bond0 slave eth0 address 02:00:00:00:00:01
	refused option -- set bond0 slave eth0 numtxqueues 4
	# what is created has one MTU
	refused mtu twice -- create bond0 slave eth0 mtu 9000 slave eth1 mtu 9001
}

@test "what can only be read is not set" {
	answers 2 <<-'ROWS'
		set nix ad_info 1 => ad_info; read-only
		set nix operstate up => operstate; read-only
		set nix carrier=on => carrier; read-only
		set nix master eth0 => master; read-only
		set nix slave eth0 state active => state; read-only
		set nix slave eth0 link_failure_count 0 => link_failure_count; read-only
		set nix slave eth0 mii_status=up => mii_status; read-only
		create nix slave eth0 perm_hwaddr 02:00:00:00:00:01 => perm_hwaddr; read-only
	ROWS
}

@test "options stand before and after the verb, and in one word" {
	local line words
	for line in '-j show nix' 'show -j nix' 'show nix -j' 'show nix --json' '-q show nix -j' '-qj show nix' \
		'-jp show nix' '-pj show nix' 'show nix -pj' '-p show nix' '--pretty show nix'; do
		read -ra words <<<"$line"
		bad 3 "${words[@]}"
		error 3 no_device
	done
}

@test "--pretty prints indented JSON without --json, else it is one line" {
	bad 3 show nix --json
	((${#lines[@]} == 1))
	bad 3 show nix --pretty
	((${#lines[@]} > 5))
	[[ ${lines[1]} == '  "error": {' ]]
}

@test "a namespace is named in a word of its own, behind -n and behind =" {
	local line words
	for line in '-n no-such-ns list' '-nno-such-ns list' 'list -n no-such-ns' 'list --netns no-such-ns' \
		'list --netns=no-such-ns' '-qnno-such-ns list' '--netns=no-such-ns list'; do
		read -ra words <<<"$line"
		bad 3 "${words[@]}"
		silent
		says "'no-such-ns'" 'ip netns list'
	done
	# no letter behind an argument is an option
	bad 3 -nj list
	says "'j'"
}

@test "after -- no word is an option" {
	bad 3 show -- --json
	silent
	says "no device named '--json'"
	bad 3 delete -- -q
	says "no device named '-q'"
	bad 3 -- show nix
	bad 3 show nix --
	refused "'--json'" -- -- --json
}

@test "a value may begin with a dash" {
	answers 3 <<-'ROWS'
		set nix slave eth0 prio -5 => no device named 'nix'
		set nix slave eth0 prio=-5 => no device named 'nix'
		set nix slave eth0 prio -2147483648 queue_id 1 => no device named 'nix'
		set nix arp_ip_target -10.0.0.1 => no device named 'nix'
		set nix arp_ip_target=-10.0.0.1,+10.0.0.2 => no device named 'nix'
		set nix ns_ip6_target -fe80::1 miimon 5 => no device named 'nix'
	ROWS
	refused miimon "'-5'" '0 to 2147483647' -- set bond0 miimon -5
	refused mode "'--frobnicate'" -- set bond0 mode --frobnicate
	# where an interface can stand, what begins with a dash is an option
	refused interface -- create bond0 slaves -q
}

@test "a name and a value may be one word with =" {
	answers 3 <<-'ROWS'
		set nix mode=1 miimon=100 lacp_rate=fast
		set nix primary= arp_ip_target=
		set nix slave=eth0 prio=5 queue_id=1 mode=1
		set nix xmit_hash_policy=layer3+4 up
		set nix up=on
	ROWS
	refused miimon "'1=2'" -- set bond0 miimon=1=2
	refused mode "''" -- set bond0 mode=
}

@test "--color takes its three words only" {
	good --color=never help
	good --color always help
	good help --color=auto
	refused "'red'" auto always never -- --color=red list
	refused --color auto always never -- --color= list
}

@test "--version prints the version, before a verb, after it and alone" {
	good --version
	[[ $output =~ ^bondctl\ [0-9]+\.[0-9]+\.[0-9]+$ ]]
	local version=$output
	good -V
	is "$version"
	good -V create bond0
	is "$version"
	# no bond is made
	good create bond0 -V
	is "$version"
}

@test "an option that takes seconds takes a whole number of them, within bounds" {
	local value
	for value in 0 86401 99999999999999999999 -1 +5 1.5 1e3 0x10 5s ' 5' five; do
		refused --confirm-within SECONDS '1 to 86400' "'$value'" -- set bond0 miimon 1 --confirm-within="$value"
	done
	for value in 86401 4294967296 -1 1.5 x; do
		refused --wait SECONDS '0 to 86400' "'$value'" -- replace bond0 eth0 eth1 --wait "$value"
	done
	answers 3 <<-'ROWS'
		replace nix eth0 eth1 --wait 0 --dry-run
		replace nix eth0 eth1 --wait=86400 --dry-run
		replace nix eth0 eth1 --wait 007 --dry-run
	ROWS
	bad 3 set nix miimon 1 --confirm-within 1
	bad 3 set nix miimon 1 --confirm-within=86400
}

@test "what may cut the traffic is an option of the verbs that it means something to, and of no other" {
	local verb option
	local -A words=([create]='nix slaves eth0' [delete]=nix [set]='nix miimon 1' [enslave]='nix eth0' [release]='nix eth0'
		[replace]='nix eth0 eth1' [apply]=- [diff]=- [confirm]='' [up]=nix [down]=nix [show]=nix [list]='')
	local -A known=([create]='dry-run cycle force steal' [delete]=dry-run [set]='dry-run cycle force'
		[enslave]='dry-run cycle force steal' [release]='dry-run cycle force up' [replace]='dry-run cycle force steal'
		[apply]='dry-run cycle force steal prune' [diff]=prune [confirm]='' [up]=dry-run [down]=dry-run [show]='' [list]='')
	for verb in "${!words[@]}"; do
		for option in dry-run cycle force steal up prune; do
			# shellcheck disable=SC2086 # words, not a word
			try "$verb" ${words[$verb]} --$option </dev/null
			if [[ " ${known[$verb]} " == *" $option "* ]]; then
				[[ $stderr != *"no option '--$option'"* ]] || { explain "$verb --$option is not known"; return 1; }
			else
				((status == 2)) && says "no option '--$option'" || { explain "$verb --$option is known"; return 1; }
			fi
		done
	done
}

@test "--batch takes no verb, wherever it stands" {
	refused --batch -- --batch /dev/null list
	refused --batch -- list --batch /dev/null
	refused --batch -- create bond0 -b /dev/null
}

@test "very long words do not do harm" {
	local word
	printf -v word '%5000s' ''
	word=${word// /x}
	refused verb -- "$word"
	refused xxx -- --"$word"
	refused option -- set bond0 "$word" 1
	refused option -- set bond0 "$word=1"
	refused option -- options "$word"
	refused mode -- set bond0 mode "$word"
	refused primary -- set bond0 primary "$word"
	refused miimon -- set bond0 miimon "${word//x/9}"
	refused arp_ip_target -- set bond0 arp_ip_target "$word"
	refused arp_ip_target -- set bond0 arp_ip_target "+$word"
	refused ns_ip6_target -- set bond0 ns_ip6_target "${word//x/:}"
	bad 3 show "$word"
	bad 3 --netns "$word" list
	bad 3 --netns "/$word" list
	refused xxx -- --batch "$word"
	bad 2 create "$word" --json
	error 2 bad_name
}

@test "a word that a terminal would obey is printed as harmless text" {
	refused '\x1b[31m' -- $'\e[31m'
	refused '\x1b' -- set bond0 mode $'\e]0;x\a'
	refused '\xff' -- --$'\xff'
	bad 3 show $'a\nb'
	says 'a\x0ab'
	bad 3 show $'\xc3\xa4'
	says $'\xc3\xa4'
	bad 3 --json show $'\xff"\\'
	error 3 no_device
	json .error.device '"\\xff\"\\"'
	bad 3 --json show $'a\x01"'
	json .error.device '"a\u0001\""'
}

@test "no two names look the same, also where bytes are escaped" {
	local name number=0
	for name in $'\xff' '\xff' '\\xff' '\x5cxff' $'\\\xff' $'\\\\\xff' '\x' $'\\' $'\x01' '\x01' '\u0001' ä $'\xc3' $'\xc3\xa4x'; do
		printf "show '%s'\n" "$name"
		number=$((number + 1))
	done >"$BATS_TEST_TMPDIR/names"
	try --batch "$BATS_TEST_TMPDIR/names" --json --keep-going
	same 'different names' "$(jq -s 'map(.error.device) | unique | length' <<<"$output")" "$number"
	try --batch "$BATS_TEST_TMPDIR/names" --keep-going
	same 'different lines' "$(cut -d: -f3- <<<"$stderr" | sort -u | wc -l)" "$number"
}
