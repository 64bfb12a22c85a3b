#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-2.0-or-later
# Many command lines in one process: how a file is cut into lines and words, which line is named when one fails, when a batch
# ends, and its exit status. "show" with a name that is no device's shows, in its refusal, the words as they arrived.
# bats sets status, output and stderr; what is in single quotes is for another shell.
# shellcheck disable=SC2154,SC2016

bats_require_minimum_version 1.5.0

load helpers

# batch TEXT OPTION...: runs the text, with printf's escapes, from a file.
batch() {
	# shellcheck disable=SC2059 # the escapes are wanted
	printf -- "$1" >"$BATS_TEST_TMPDIR/file"
	try --batch "$BATS_TEST_TMPDIR/file" "${@:2}"
}

# ends STATUS: so the last batch ended.
ends() { ((status == $1)) || { explain "expected status $1, got $status"; return 1; }; }

# said LINE...: standard error is these lines.
said() {
	local IFS=$'\n'
	[[ $stderr == "$*" ]] || { explain "expected on stderr: $*"; return 1; }
}

# missed LINE NAME ERROR...: standard error says that in this line no device of that name was found, and then the errors.
missed() { said "bondctl: line $1: there is no device named '$2'" "${@:3}"; }

# answered FILTER WANTED: what the filter makes of all answers, one JSON document a line.
answered() { same "$1" "$(jq -sc "$1" <<<"$output")" "$2"; }

@test "an empty file, blank lines and comments do nothing" {
	local text
	for text in '' '\n' '\n\n\n' '   \n\t\n' '#\n' '# a comment\n' '  # "a quote\n' '#list' '\r\n' '# see \\\n# more\n'; do
		batch "$text"
		ends 0
		silent
		said ''
		batch "$text" --json
		ends 0
		silent
	done
}

@test "a batch comes from a file, from standard input, and by its letter" {
	batch 'show nix\n'
	ends 3
	missed 1 nix
	try -b "$BATS_TEST_TMPDIR/file"
	ends 3
	try "-b$BATS_TEST_TMPDIR/file" --quiet
	ends 3
	try --batch="$BATS_TEST_TMPDIR/file"
	ends 3
	try --batch - <<<'show nix'
	ends 3
	try -b- <<<'show nix'
	ends 3
	try --batch - </dev/null
	ends 0
}

@test "a file that cannot be read is a failure that names it" {
	refused /no/such/file 'No such file' -- --batch /no/such/file
	refused "$BATS_TEST_TMPDIR" directory -- --batch "$BATS_TEST_TMPDIR"
	refused --batch empty -- --batch ''
	bad 2 --batch /no/such/file --json
	error 2 usage
}

@test "the last line needs no end of line" {
	batch 'list --quiet\nshow nix'
	ends 3
	missed 2 nix
}

@test "a batch stops at the first line that fails, with its status" {
	batch 'list -q\nshow nix\nfrobnicate\n'
	ends 3
	missed 2 nix
	batch 'frobnicate\nshow nix\n'
	ends 2
	batch 'list -q\nshow nix\nlist -q\n' --json
	ends 3
	answered 'map([.line, .status])' '[[1,0],[2,3]]'
}

@test "with --keep-going all lines run, and the status is that of the first that failed" {
	batch 'list -q\nshow nix\nlist -q\nfrobnicate\nlist -q\n' --keep-going
	ends 3
	missed 2 nix "bondctl: line 4: there is no verb 'frobnicate'; bondctl --help lists them"
	batch 'frobnicate\nshow nix\n' --keep-going
	ends 2
	batch 'list -q\nlist -q\n' --keep-going
	ends 0
	batch 'list -q\nfrobnicate\n\n# x\nshow nix\nlist -q' --keep-going --json
	ends 2
	answered 'map([.line, .status])' '[[1,0],[2,2],[5,3],[6,0]]'
}

@test "blank lines, comments and continued lines count" {
	batch '\n# one\n\nshow nix\n'
	ends 3
	missed 4 nix
	batch 'list \\\n-q\nshow nix\n'
	missed 3 nix
	batch 'list \\\n\\\n-q \\\n\n\nshow nix\n' --json
	ends 3
	answered 'map(.line)[-1]' 6
	# a command of several lines is named by one of them
	batch 'show \\\n nix \\\n other\nfrobnicate\n' --json
	answered 'map(.line <= 3)' '[true]'
}

@test "with --json each line is answered by one line, with its number and status first" {
	batch 'list -q\nset nix miimon x\n\nlist -q\n' --json --keep-going
	ends 2
	((${#lines[@]} == 3))
	[[ ${lines[0]} == '{"line":1,"status":0,"result":[]}' ]]
	[[ ${lines[1]} == '{"line":2,"status":2,"error":{"status":2,"cause":"bad_value",'* ]]
	[[ ${lines[2]} == '{"line":4,"status":0,'* ]]
	said ''
	# also where one answer would have many lines
	batch 'options miimon -q\nshow nix\n' --pretty --keep-going
	((${#lines[@]} == 2))
	answered 'map(.status)' '[0,3]'
	answered '.[0].result[0].name' '"miimon"'
}

@test "an answer is there before the next line is asked for" {
	local answer
	coproc TOOL { bond --batch - --json --keep-going --quiet 3>&-; }
	local to=${TOOL[1]} from=${TOOL[0]} pid=$TOOL_PID
	echo list >&"$to"
	read -r -t 20 answer <&"$from"
	[[ $answer == '{"line":1,"status":0,"result":[]}' ]]
	echo 'show nix' >&"$to"
	read -r -t 20 answer <&"$from"
	[[ $answer == '{"line":2,"status":3,'* ]]
	exec {to}>&-
	status=0
	wait "$pid" || status=$?
	ends 3
}

@test "words are divided by blanks, tabs and the carriage return of a DOS file" {
	batch 'list\t-q\r\n  \tshow   nix\t\r\n'
	ends 3
	missed 2 nix
	batch 'list -q\r\n\r\n# x\r\nshow nix\r\nlist\r\n' --json
	answered 'map([.line, .status])' '[[1,0],[4,3]]'
}

@test "quotes and backslashes work as in a shell" {
	batch "show 'a b'\nshow \"a b\"\nshow a\\\\ b\nshow a' 'b\nshow a\" \"'b'\n" --json --keep-going
	answered 'map(.error.device) | unique' '["a b"]'
	answered length 5
	batch "show 'a\\\\b'\nshow a\\\\\\\\b\nshow \"a\\\\\\\\b\"\n" --json --keep-going
	answered 'map(.error.device) | unique' '["a\\b"]'
	batch "show 'a\"b'\nshow \"a\\\\\"b\"\nshow a\\\\\"b\n" --json --keep-going
	answered 'map(.error.device) | unique' '["a\"b"]'
	batch "show \"a'b\"\nshow a\\\\'b\n" --json --keep-going
	answered 'map(.error.device) | unique' "[\"a'b\"]"
	batch 'show \\$HOME $HOME `id` $(id) * ~\n' --json --keep-going
	answered 'map(.error.device) | unique' '["$HOME"]'
}

@test "nothing is expanded" {
	local word
	for word in '$HOME' '`id`' '$((1))' '*' '~' 'a;b' 'a&b' 'a|b' 'a>b' '{a,b}' '!x'; do
		batch "show $word"
		missed 1 "$word"
	done
}

@test "an empty word in quotes is a word" {
	batch "frobnicate\nshow '' \nset nix primary '' \"\"\nset nix primary ''\n" --json --keep-going
	answered 'map(.status)' '[2,3,2,3]'
}

@test "a comment begins with a word and not within one" {
	batch 'list -q # show nix\nlist -q #show nix\nshow a#b\n' --json
	answered 'map(.status)' '[0,0,3]'
	answered '.[2].error.device' '"a#b"'
	batch "show '#'\nshow \\\\#\n" --json --keep-going
	answered 'map(.error.device)' '["#","#"]'
	batch "list -q # it's\n"
	ends 0
}

@test "a comment is not continued" {
	batch '# see \\\nshow nix\n'
	ends 3
	missed 2 nix
	batch 'list -q # see \\\nshow nix\n'
	ends 3
}

@test "a line goes on after a backslash at its end, and only then" {
	batch 'sh\\\now nix\n'
	ends 3
	batch 'show \\\n  nix\n'
	ends 3
	batch "show 'a\\\\\nlist -q\n"
	ends 2
	said 'bondctl: line 1: a quote is not closed'
	batch 'show "a \\\nb"\n' --json
	answered '.[0].error.device' '"a b"'
	# two backslashes are one
	batch 'show \\\\\nfrobnicate\n' --json
	answered 'map([.line, .error.device])' '[[1,"\\"]]'
	# the end of the file ends it too
	batch 'list -q \\\n'
	ends 0
	batch "list -q\\\\"
	ends 0
	batch 'list -q \\\n\\\n\\\n'
	ends 0
}

@test "a quote that is not closed is refused with the line" {
	local text
	for text in "show 'a" 'show "a' "show 'a\"" "show \"a'b" "'" '"' "show a'"; do
		batch "list -q\n$text\nlist -q"
		ends 2
		said 'bondctl: line 2: a quote is not closed'
	done
}

@test "a line with a NUL byte is refused as a whole" {
	batch 'show nix\\0x\n'
	ends 3
	batch 'list\0show nix\n'
	ends 2
	[[ $stderr == 'bondctl: line 1: '*NUL* ]]
	batch '\0\n'
	ends 2
	batch 'list -q\n\0' --json
	ends 2
	answered 'map([.line, .status])' '[[1,0],[2,2]]'
	# a file in UTF-16
	batch '\xff\xfel\0i\0s\0t\0\n\0' --keep-going
	ends 2
	batch 'list \\\n-q\0\nshow nix\n' --keep-going --json
	answered 'map(.status)' '[2,3]'
}

@test "bytes that are no text do no harm" {
	batch 'show \xff\xfe\nshow \x1b[31m\n\x80\n\x7f\n' --json --keep-going
	answered 'map(.status)' '[3,3,2,2]'
	answered '.[0].error.device' '"\\xff\\xfe"'
	head -c 20000 /dev/urandom >"$BATS_TEST_TMPDIR/file"
	try --batch "$BATS_TEST_TMPDIR/file" --keep-going --json
	((status == 2 || status == 0 || status == 3))
	jq -s . <<<"$output" >/dev/null
}

@test "a batch in a batch is refused" {
	echo list >"$BATS_TEST_TMPDIR/other"
	batch "--batch $BATS_TEST_TMPDIR/other\nlist --batch $BATS_TEST_TMPDIR/other\n-b-\n" --keep-going --json
	ends 2
	answered 'map(.status)' '[2,2,2]'
}

@test "a namespace in a line is refused, beside --batch it holds for all lines" {
	batch 'list --netns x\n-n x list\nlist -nx\noptions -n x miimon\ncreate bond0 -n x\nlist -q\n' --keep-going --json --quiet
	answered 'map(.status)' '[2,2,2,2,2,0]'
	batch 'list\nlist\n' --netns no-such-ns --keep-going
	ends 3
	# lines that need no namespace do not ask for it
	batch '# nothing\n' --netns no-such-ns
	((status == 0 || status == 3))
}

@test "options beside --batch hold for all lines, those of a line for itself" {
	batch 'list\nlist\n' --quiet
	said ''
	batch 'show nix -j\nshow nix\n' --keep-going
	ends 3
	missed 2 nix
	[[ $output == '{"line":1,"status":3,'* ]]
	batch 'list --quiet\nlist\n' --keep-going
	needs_shelter
	[[ $stderr == 'bondctl: line 2: there is no bond here'* && $stderr != *'line 1'* ]]
}

@test "a mistake in the words behind it leaves the first word undone" {
	# all operands are read before anything is done
	batch 'enslave nix lo --frobnicate\ndelete nix --frobnicate\nup nix other -x\n' --keep-going --json
	answered 'map(.error.cause)' '["usage","usage","usage"]'
}

@test "help and version are answered in a batch" {
	batch 'help list\nlist --help\n--version\n'
	ends 0
	[[ $output == *'bondctl list'*'bondctl list'*'bondctl '[0-9]* ]]
}

@test "a line of a megabyte and one of many words are read" {
	{
		printf 'show '
		head -c 1000000 /dev/zero | tr '\0' x
		printf '\nshow nix'
		yes ' nix' | head -10000 | tr -d '\n'
		printf '\nset nix '
		yes 'miimon' | head -10000 | tr '\n' ' '
	} >"$BATS_TEST_TMPDIR/file"
	try --batch "$BATS_TEST_TMPDIR/file" --keep-going --json
	answered 'map([.line, .status])' '[[1,3],[2,3],[3,2]]'
}

# random_lines: 3,000 command lines of up to eight words, always the same.
random_lines() {
	local i j line
	local -a words=(create delete set enslave release up down show list stats options bond0 bond1 lo nix mode miimon updelay \
		primary none 1 0 -1 100 2147483648 active-backup 802.3ad layer3+4 slaves slave prio queue_id -5 arp_ip_target \
		+10.0.0.1 '-10.0.0.1,+10.0.0.2' '10.0.0.1,10.0.0.1' ns_ip6_target fe80::1 address 02:00:00:00:00:01 mtu 9000 \
		numtxqueues --json --pretty -q -j --details --all -- --netns --netns=x -n --color=always mode=1 primary= \
		'slaves=lo,nix' slave=lo prio=-5 '=' '==' ',' "''" '\"' x# clear_active_slave lacp_rate fast up=on --frobnicate -x)
	RANDOM=7
	for ((i = 0; i < 3000; i++)); do
		line=
		for ((j = RANDOM % 8; j >= 0; j--)); do line+="${words[RANDOM % ${#words[@]}]} "; done
		echo "$line"
	done
}

@test "command lines of random words are each answered once, in JSON that is valid" {
	local -
	set +T
	random_lines >"$BATS_TEST_TMPDIR/file"
	try --batch "$BATS_TEST_TMPDIR/file" --keep-going --json --quiet
	answered '[length, (map(.line) == [range(1; 3001)])]' '[3000,true]'
	answered 'all(.status == (.error.status // 0))' true
	said ''
}

@test "10,000 lines are run over one socket" {
	yes 'list' | head -10000 >"$BATS_TEST_TMPDIR/file"
	command -v strace >/dev/null || skip 'needs strace'
	# shellcheck disable=SC2086 # words, not a word
	traced socket $CLI_SHELTER "$BONDCTL" --batch "$BATS_TEST_TMPDIR/file" --json --quiet
	ends 0
	((${#lines[@]} == 10000))
	[[ ${lines[9999]} == '{"line":10000,"status":0,'* ]]
	same sockets "$(grep -c AF_NETLINK "$TRACE")" 1
}

@test "10,000 lines that fail are each answered" {
	yes 'frobnicate' | head -10000 >"$BATS_TEST_TMPDIR/file"
	try --batch "$BATS_TEST_TMPDIR/file" --keep-going --json
	ends 2
	answered '[length, (map(.line) == [range(1; 10001)])]' '[10000,true]'
	try --batch "$BATS_TEST_TMPDIR/file" --keep-going
	ends 2
	[[ $stderr == *$'\n''bondctl: line 10000: '* ]]
}

@test "a full disk ends a batch with a failure that is told" {
	[[ -c /dev/full ]] || skip 'needs /dev/full'
	printf 'help\nhelp\n' >"$BATS_TEST_TMPDIR/file"
	shell '"$BONDCTL" --batch "$1" 2>&1 >/dev/full' "$BATS_TEST_TMPDIR/file"
	((status == 1))
	[[ $output == *'cannot write'*'No space left'* ]]
}
