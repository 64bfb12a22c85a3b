#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# What bash offers at the cursor of a bondctl command line, asked through COMP_WORDS with bash-completion loaded and without,
# and typed on a terminal. Bonds and their slaves need the driver: tests/live/completion.bats.
# bats sets status, output and stderr; what is in single quotes is for another shell.
# shellcheck disable=SC2154,SC2016

bats_require_minimum_version 1.5.0

load helpers

VERBS='apply confirm create delete diff down enslave help list options release replace set show stats up'
GLOBAL='--batch --color --help --json --keep-going --netns --pretty --quiet --version'
MODES='802.3ad active-backup balance-alb balance-rr balance-tlb balance-xor broadcast'

setup() { SETUP=':'; }

# ask MODE: answers to the lines of standard input, where v0, p0, v1 and p1 are all devices and blue and red all namespaces,
# and $SETUP has been run.
ask() {
	# shellcheck disable=SC2086 # words, not a word
	${CLI_SHELTER}m bash -c '
		mount -t tmpfs none /run && mkdir /run/netns && touch /run/netns/blue /run/netns/red || exit
		ip -batch - <<-LINKS || exit
			link add v0 type veth peer name p0
			link add v1 type veth peer name p1
		LINKS
		eval "$1" || exit
		exec "$2/completing" "${@:3}"' - "$SETUP" "$BATS_TEST_DIRNAME" "$@" 2>&1
}

modes() {
	[[ ! -e ${BASH_COMPLETION:-/usr/share/bash-completion/bash_completion} ]] || echo --loaded
	echo --plain
}

# offers: rows of a command line with a ^ at the cursor, " -> ", and all that its word can become, each way.
offers() {
	local mode i
	local -a rows answers
	needs_shelter
	mapfile -t rows
	for mode in $(modes); do
		mapfile -t answers < <(printf '%s\n' "${rows[@]%% ->*}" | ask "$mode")
		for i in "${!rows[@]}"; do
			same "$mode" "${answers[i]-}" "${rows[i]}" || return
		done
		same 'number of answers' "${#answers[@]}" "${#rows[@]}" || return
	done
}

@test "bash-completion is here, so that both ways are tested" {
	[[ $(modes) == --loaded* ]] || skip 'needs bash-completion'
}

@test "verbs are offered where a verb can stand" {
	offers <<-ROWS
		bondctl ^ -> $VERBS
		bondctl s^ -> set show stats
		bondctl sho^ -> show
		bondctl show^ -> show
		bondctl x^ ->
		bondctl --json ^ -> $VERBS
		bondctl -j --color never st^ -> stats
		bondctl -n blue cr^ -> create
		bondctl --netns=blue cr^ -> create
		bondctl -- d^ -> delete diff down
		bondctl help ^ -> $VERBS
		bondctl help s^ -> set show stats
		bondctl frobnicate ^ ->
		bondctl comp^ ->
		bondctl s^ bond0 -> set show stats
	ROWS
}

@test "options are offered after a dash, those of the verb with them" {
	offers <<-ROWS
		bondctl -^ -> $GLOBAL
		bondctl --^ -> $GLOBAL
		bondctl --j^ -> --json
		bondctl --x^ ->
		bondctl list --^ -> $GLOBAL
		bondctl show --d^ -> --details
		bondctl stats lo --d^ -> --details
		bondctl options --a^ -> --all
		bondctl create bond0 mode 802.3ad --js^ -> --json
		bondctl create bond0 slaves v0 --js^ -> --json
	ROWS
}

@test "options behind a verb that has its own are those and the global ones" {
	offers <<-ROWS
		bondctl show --^ -> --batch --color --details --help --json --keep-going --netns --pretty --quiet --version
	ROWS
}

@test "arguments of options are offered, in a word of their own and behind =" {
	offers <<-ROWS
		bondctl --color ^ -> always auto never
		bondctl --color=^ -> --color=always --color=auto --color=never
		bondctl --color=a^ -> --color=always --color=auto
		bondctl show --color n^ -> never
		bondctl --netns ^ -> blue red
		bondctl -n ^ -> blue red
		bondctl -n b^ -> blue
		bondctl --netns=^ -> --netns=blue --netns=red
		bondctl --netns=r^ -> --netns=red
		bondctl list --netns r^ -> red
		bondctl --netns ^ list -> blue red
	ROWS
}

@test "files are offered after --batch and where a verb takes one, and for nothing else" {
	cd "$BATS_TEST_TMPDIR"
	touch one other
	offers <<-ROWS
		bondctl --batch $BATS_TEST_TMPDIR/o^ -> $BATS_TEST_TMPDIR/one $BATS_TEST_TMPDIR/other
		bondctl -b on^ -> one
		bondctl --batch=on^ -> --batch=one
		bondctl apply ^ -> one other
		bondctl apply on^ -> one
		bondctl apply --cycle --confirm-within 5 ot^ -> other
		bondctl --json diff $BATS_TEST_TMPDIR/o^ -> $BATS_TEST_TMPDIR/one $BATS_TEST_TMPDIR/other
		bondctl apply one ^ ->
		bondctl apply - ^ ->
		bondctl confirm o^ ->
		bondctl set b miimon 1 --confirm-within o^ ->
		bondctl create on^ ->
		bondctl create ^ ->
		bondctl show o^ ->
		bondctl list ^ ->
	ROWS
}

@test "option names are offered where one can stand, and with them the words that stand alone" {
	offers <<-ROWS
		bondctl create b mi^ -> miimon min_links
		bondctl set b mi^ -> miimon min_links
		bondctl create b mode 802.3ad lacp^ -> lacp_active lacp_rate lacp_strict
		bondctl create b mode=802.3ad lacp_r^ -> lacp_rate
		bondctl create b sl^ -> slave slaves
		bondctl set b sl^ -> slave
		bondctl create b num^ -> num_grat_arp numtxqueues
		bondctl set b num^ -> num_grat_arp
		bondctl set b u^ -> up updelay use_carrier
		bondctl set b cl^ -> clear_active_slave
		bondctl create b slaves v0 v1 mi^ -> miimon min_links
		bondctl create b up mi^ -> miimon min_links
		bondctl --json create b --quiet mi^ -> miimon min_links
		bondctl create -n blue b mi^ -> miimon min_links
	ROWS
}

@test "every option that can be set is offered, and none that cannot" {
	needs_shelter
	local wanted
	wanted=$("$BONDCTL" options --json --quiet | jq -r '[.[] | select(.scope == "bond" or .scope == "link").name] +
		["clear_active_slave", "down", "slave", "slaves"] | sort | join(" ")')
	run -0 ask --plain <<<'bondctl create b ^'
	lived complete
	is "bondctl create b ^ -> $wanted"
}

@test "the words of an option are offered, not their numbers, and none for numbers" {
	offers <<-ROWS
		bondctl create b mode ^ -> $MODES
		bondctl create b mode=^ -> mode=${MODES// / mode=}
		bondctl create b mode ac^ -> active-backup
		bondctl create b mode=ac^ -> mode=active-backup
		bondctl set b mode=balance-a^ -> mode=balance-alb
		bondctl set b mode=8^ -> mode=802.3ad
		bondctl set b mode x^ ->
		bondctl set b xmit_hash_policy lay^ -> layer2 layer2+3 layer3+4
		bondctl set b xmit_hash_policy=vlan^ -> xmit_hash_policy=vlan+srcmac
		bondctl set b mode 802.3ad lacp_rate ^ -> fast slow
		bondctl set b ad_lacp_rate f^ -> fast
		bondctl set b tlb_dynamic_lb ^ -> off on
		bondctl set b miimon ^ ->
		bondctl set b miimon 1^ ->
		bondctl set b miimon=^ ->
		bondctl set b arp_ip_target ^ -> none
		bondctl set b arp_ip_target 192.0.2.1,^ ->
		bondctl set b ns_ip6_target fe80::1,^ ->
		bondctl set b address 02:00:^ ->
		bondctl set b frobnicate=^ ->
	ROWS
}

@test "after a value an option name is offered again, and after a name never an option's name" {
	offers <<-'ROWS'
		bondctl set b mode 802.3ad miim^ -> miimon
		bondctl set b miimon 100 mod^ -> mode
		bondctl set b mode miim^ ->
		bondctl set b arp_ip_target 192.0.2.1 arp_v^ -> arp_validate
		bondctl set b primary none miim^ -> miimon
	ROWS
}

@test "what stands on the line already is not offered again" {
	offers <<-'ROWS'
		bondctl create b mode 802.3ad mo^ ->
		bondctl create b mode=802.3ad mo^ ->
		bondctl create b ad_lacp_rate fast lacp_r^ ->
		bondctl create b miimon 100 mi^ -> min_links
		bondctl create b up u^ -> updelay use_carrier
		bondctl create b up down^ -> downdelay
		bondctl set b down u^ -> updelay use_carrier
		bondctl create b slaves v0 v1 v^ ->
		bondctl create b slaves v0 v^ -> v1
		bondctl create b slaves v0,v^ -> v0,v1
		bondctl create b slaves v0,v1,^ -> v0,v1,p0 v0,v1,p1
		bondctl create b slaves v0,p0 slave v^ -> v1
		bondctl enslave b v0 ^ -> p0 p1 v1
		bondctl enslave b v^ v0 -> v1
		bondctl options mode miimon mi^ -> mii_status min_links
	ROWS
}

@test "interfaces fit to enslave are offered where a new slave can stand" {
	offers <<-'ROWS'
		bondctl enslave b ^ -> p0 p1 v0 v1
		bondctl enslave b v^ -> v0 v1
		bondctl replace b v0 ^ -> p0 p1 v1
		bondctl replace b v0 --wait 5 v^ -> v1
		bondctl replace b v0 v1 ^ ->
		bondctl create b slaves v^ -> v0 v1
		bondctl create b slaves v0 p^ -> p0 p1 packets_per_slave peer_notif_delay primary primary_reselect
		bondctl create b slaves=^ -> slaves=p0 slaves=p1 slaves=v0 slaves=v1
		bondctl create b slaves=p^ -> slaves=p0 slaves=p1
		bondctl create b slaves v0,^ -> v0,p0 v0,p1 v0,v1
		bondctl create b slaves=v0,p^ -> slaves=v0,p0 slaves=v0,p1
		bondctl create b slave ^ -> p0 p1 v0 v1
		bondctl create b slave=v^ -> slave=v0 slave=v1
		bondctl create b primary ^ -> none p0 p1 v0 v1
		bondctl create b primary v^ -> v0 v1
		bondctl create b primary=v^ -> primary=v0 primary=v1
	ROWS
}

@test "an interface that belongs to a master, or is a loopback, is not offered" {
	SETUP='ip link add br0 type bridge 2>/dev/null || ip link add vrf0 type vrf table 9 || { echo none; exit 9; }
		ip link set v0 master br0 2>/dev/null || ip link set v0 master vrf0'
	needs_shelter
	run ask --plain <<<'bondctl enslave b v^'
	((status != 9)) || skip 'this kernel has neither bridges nor VRFs'
	[[ $output == 'bondctl enslave b v^ -> v1' || $output == 'bondctl enslave b v^ -> v1 vrf0' ]] || { explain offered; return 1; }
	run ask --plain <<<'bondctl enslave b l^'
	is 'bondctl enslave b l^ ->'
}

@test "options of a slave are offered after its name, and those of the bond with them" {
	offers <<-'ROWS'
		bondctl create b slave v0 prio^ -> prio
		bondctl create b slave v0 q^ -> queue_id
		bondctl create b slave v0 a^ -> active_slave actor_port_prio ad_actor_sys_prio ad_actor_system ad_select ad_user_port_key address all_slaves_active arp_all_targets arp_interval arp_ip_target arp_missed_max arp_validate
		bondctl create b slave v0 prio 5 q^ -> queue_id
		bondctl create b slave v0 prio=5 q^ -> queue_id
		bondctl create b slave v0 prio 5 pri^ -> primary primary_reselect
		bondctl create b slave v0 prio 5 slave v1 pri^ -> primary primary_reselect prio
		bondctl create b slave v0 prio ^ ->
		bondctl create b slave v0 prio -^ ->
		bondctl create b slave v0 prio 5 mod^ -> mode
		bondctl create b slave v0 prio 5 mode ac^ -> active-backup
		bondctl create b q^ ->
		bondctl set b mode 1 q^ ->
	ROWS
}

@test "no bond is offered where there is none, and nothing else in its place" {
	offers <<-'ROWS'
		bondctl delete ^ ->
		bondctl set ^ ->
		bondctl enslave ^ ->
		bondctl release ^ ->
		bondctl up ^ ->
		bondctl down v^ ->
		bondctl show ^ ->
		bondctl stats --details ^ ->
		bondctl release b ^ ->
		bondctl release v0 ^ ->
		bondctl replace ^ ->
		bondctl replace b ^ ->
		bondctl set b slave ^ ->
	ROWS
}

@test "interfaces are those of the namespace on the line" {
	SETUP='ip netns add green && ip -n green link add g0 type veth peer name g1'
	offers <<-'ROWS'
		bondctl -n green enslave b ^ -> g0 g1
		bondctl --netns green enslave b ^ -> g0 g1
		bondctl --netns=green enslave b ^ -> g0 g1
		bondctl enslave -n green b ^ -> g0 g1
		bondctl -ngreen enslave b ^ -> g0 g1
		bondctl -qn green enslave b ^ -> g0 g1
		bondctl enslave b v^ -> v0 v1
		bondctl -n blue enslave b ^ ->
		bondctl -n no-such-ns enslave b ^ ->
	ROWS
}

@test "words in quotes are completed as well" {
	offers <<-'ROWS'
		bondctl create b mode "act^ -> active-backup
		bondctl create b mode 'act^ -> active-backup
		bondctl "sho^ -> show
		bondctl sh\o^ -> show
	ROWS
}

@test "completing says nothing, whatever the line" {
	local mode
	needs_shelter
	for mode in $(modes); do
		run ask "$mode" <<-'ROWS'
			bondctl = ^
			bondctl mode=ac^
			bondctl :: ^
			bondctl --color=a=b^
			bondctl --netns=a:b ^
			bondctl create = = =^
			bondctl create b = ^
			bondctl create b =mode^
			bondctl create b mode==^
			bondctl create b mode =^
			bondctl -n ^ -n ^
			bondctl -n /dev/null enslave b ^
			bondctl -n 0 enslave b ^
			bondctl -x frobnicate ^
			bondctl create b slaves ,,^
			bondctl create b slaves=,=^
			bondctl create b slave= prio=^
			bondctl set % slave % ^
			bondctl release * ^
			bondctl show $(exit) `exit` ^
			bondctl show "^
			bondctl complete ^
			bondctl complete 1 ^
			bondctl --batch=/etc/^
			bondctl -b^
			bondctl options --mdoc --all mode^ --json
			bondctl create b mode ^ --json
			bondctl help help help ^
			bondctl -- -- -- ^
			bondctl -^ -
		ROWS
		((status == 0)) || { explain "$mode: status $status"; return 1; }
		[[ $output != *'[status'* ]] || { explain "$mode: something was said"; return 1; }
		lived completing
	done
}

@test "completing says nothing where the program is not to be found" {
	run -0 env -i PATH="$PATH" bash -c '
		source "$1/../../completions/bondctl"
		COMP_WORDS=(no-such-program "") COMP_CWORD=1 COMP_LINE="no-such-program " COMP_POINT=16
		_bondctl no-such-program "" no-such-program && echo "${#COMPREPLY[@]}"' - "$BATS_TEST_DIRNAME"
	is 0
}

@test "sourcing it defines the completion of bondctl, and leaves nothing else behind" {
	run -0 bash -c '
		names() { compgen -v; compgen -A function; }
		before=$(names)
		source "$1/../../completions/bondctl"
		complete -p bondctl
		diff <(echo "$before") <(names) | grep "^>" | grep -v "_bondctl\|BASH\|before\|PIPESTATUS\|LINENO\|_$" || true' - \
		"$BATS_TEST_DIRNAME"
	is 'complete -F _bondctl bondctl'
}

@test "a device with odd characters is offered in words that a shell reads as its name" {
	needs_shelter
	cd "$BATS_TEST_TMPDIR"
	local mode name word n=0
	local -a words
	local -a odd=('a;>x' 'a$(>x)' 'a`>x`' 'a&>x&' 'a|b' "a'b" 'a"b' 'a\b' 'a>x' '*' '~' '#a' 'a!b' 'a{b,c}' '?' '[a]' '$HOME' \
		'a(b)' $'a\x01b' 'aü' '!!' '-n')
	SETUP='ip link del v0 && ip link del v1'
	for name in "${odd[@]}"; do
		printf -v word 'ip link add name %q type veth peer name z%d' "$name" "$((++n))"
		SETUP+=" && $word"
	done
	for mode in $(modes); do
		run ask "$mode" <<<'bondctl enslave b ^'
		((status == 0))
		[[ $output == 'bondctl enslave b ^ ->'* && $output != *'[status'* ]] || { explain "$mode"; return 1; }
		words=()
		# what a shell makes of the line after each has been taken
		eval "words=(${output#*->})"
		for name in "${odd[@]}"; do
			# a name that begins with a dash is no operand without --
			[[ $name != -* ]] || continue
			[[ " ${words[*]} " == *" $name "* ]] || { explain "$mode: no $name"; return 1; }
		done
		[[ -z $(ls -A) ]] || { explain "$mode: something was run"; return 1; }
		# and after a part of it has been typed with its quotes
		run ask "$mode" <<<'bondctl enslave b a\;^'
		is 'bondctl enslave b a\;^ -> a\;\>x'
	done
}

# typed KEYS: what bash makes of the keys, typed on a terminal in the namespace of ask.
typed() {
	needs_shelter
	command -v script >/dev/null || skip 'needs script'
	ln -sf "$BONDCTL" "$BATS_TEST_TMPDIR/bondctl"
	cat >"$BATS_TEST_TMPDIR/rc" <<-RC
		PS1='> ' PATH=$BATS_TEST_TMPDIR:\$PATH
		args() { printf '<%s>' "\$@"; echo; }
		bind 'set bell-style none' 'set enable-bracketed-paste off'
		cd '$BATS_TEST_TMPDIR'
		source '$BATS_TEST_DIRNAME/../../completions/bondctl'
	RC
	# to the line's beginning, there the command that shows its words, and return
	# shellcheck disable=SC2086 # words, not a word
	printf '%s\001args \nexit\n' "$1" | ${CLI_SHELTER}m bash -c "
		${2:-ip link add v0 type veth peer name p0}
		exec script -qec 'bash --rcfile $BATS_TEST_TMPDIR/rc -i' /dev/null" >"$BATS_TEST_TMPDIR/screen" 2>&1
	output=$(tr '\r' '\n' <"$BATS_TEST_TMPDIR/screen" | grep -a '^<')
	[[ $output ]] || { cat -v "$BATS_TEST_TMPDIR/screen" >&2; return 1; }
}

@test "on a terminal a word split at = is completed in its place" {
	typed $'bondctl create b mode=ac\t'
	is '<bondctl><create><b><mode=active-backup>'
	typed $'bondctl cre\tb mode=8\tlacp_r\tfa\tslaves v\t'
	is '<bondctl><create><b><mode=802.3ad><lacp_rate><fast><slaves><v0>'
	typed $'bondctl create b slaves=v\t'
	is '<bondctl><create><b><slaves=v0>'
	typed $'bondctl create b slaves p0,v\t'
	is '<bondctl><create><b><slaves><p0,v0>'
}

@test "on a terminal a device's name does not run as a command" {
	typed $'bondctl enslave b e\t' 'ip link add "e;>x" type veth peer name p0'
	is '<bondctl><enslave><b><e;>x>'
	[[ ! -e $BATS_TEST_TMPDIR/x ]]
	typed $'bondctl enslave b "e\t' 'ip link add "e;>x" type veth peer name p0'
	is '<bondctl><enslave><b><e;>x>'
	[[ ! -e $BATS_TEST_TMPDIR/x ]]
}

@test "the hidden verb refuses an index that is no word's" {
	local line words
	for line in 'complete' 'complete x' 'complete 0 bondctl' 'complete -1 bondctl' 'complete 1' 'complete 3 bondctl show' \
		'complete 99999999999999999999 bondctl'; do
		read -ra words <<<"$line"
		bad 2 "${words[@]}"
		silent
	done
	good complete 1 bondctl
	[[ $output == *show* ]]
	good complete 1 bondctl sho bond0
	is show
}
