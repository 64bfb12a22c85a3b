#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Compiles libbond.h as strict C of several ages and as C++, each header of lib/ by itself, and compares the kernel's
# numbers in lib/numbers.h with the system's headers, as far as those have them. Prints TAP; run from the top.
set -euo pipefail

: "${CC:=cc}" "${PKG_CONFIG:=pkg-config}"
number=0
failed=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
read -ra mnl_cflags <<<"$("$PKG_CONFIG" --cflags libmnl)"

check() { # check SENTENCE COMMAND...
	local sentence=$1 out
	shift
	number=$((number + 1))
	if out=$("$@" 2>&1); then
		printf 'ok %d - %s\n' "$number" "$sentence"
	else
		failed=$((failed + 1))
		printf 'not ok %d - %s\n' "$number" "$sentence"
		head -20 <<<"$out" | sed 's/^/# /'
	fi
}

compile() { # compile LANGUAGE FILE FLAG...
	local language=$1 file=$2
	shift 2
	"$CC" -x "$language" -fsyntax-only -Wall -Wextra -Werror "$@" -Iinclude "$file"
}

# A program that uses the header only, twice over.
cat >"$work/use.c" <<'C'
#include <libbond.h>
#include <libbond.h>
int main(void);
int main(void)
{
	struct libbond_error err;
	struct libbond_transport transport;
	err.cause = LIBBOND_CAUSE_NONE;
	transport.context = NULL;
	return (int)err.cause + (transport.context != NULL) + (libbond_version() == NULL);
}
C

check 'libbond.h is C99 without a warning' compile c "$work/use.c" -std=c99 -pedantic
check 'libbond.h is C17 without a warning' compile c "$work/use.c" -std=c17 -pedantic -Wstrict-prototypes
check 'libbond.h is C90 but for its integer types' compile c "$work/use.c" -std=gnu90 -pedantic -Wno-long-long
if echo 'int x;' | "$CC" -x c++ -fsyntax-only - 2>/dev/null; then
	check 'libbond.h is C++ without a warning' compile c++ "$work/use.c" -std=c++11 -pedantic
else
	echo '# skipped: there is no C++ compiler'
	number=$((number + 1))
	echo "ok $number - libbond.h is C++ without a warning # SKIP"
fi

every_header() {
	local header rc=0
	for header in lib/*.h; do
		printf '#include "%s"\n' "$(basename "$header")" >"$work/one.c"
		"$CC" -fsyntax-only -Wall -Wextra -Werror -std=gnu11 -D_GNU_SOURCE -Iinclude -Ilib "${mnl_cflags[@]}" \
			"$work/one.c" || rc=1
	done
	return "$rc"
}
check 'every header of the library compiles by itself' every_header

# LB_X = N of numbers.h beside the system's name for it.
pairs() {
	sed -nE 's/^\t(LB_[A-Z0-9_]+)( = [^,]*)?,?( .*)?$/\1/p' lib/numbers.h | while read -r ours; do
		case $ours in
		LB_IFLA_UP | *_COUNT) ;; # not the kernel's
		LB_IFLA_* | LB_NLA_* | LB_NLMSGERR_* | LB_NETLINK_* | LB_RTEXT_*) echo "$ours ${ours#LB_}" ;;
		LB_NLM_F_*) echo "$ours ${ours#LB_}" ;;
		LB_INFO_*) echo "$ours IFLA_${ours#LB_}" ;;
		LB_BOND_*) echo "$ours IFLA_${ours#LB_}" ;;
		LB_AD_INFO_*) echo "$ours IFLA_BOND_${ours#LB_}" ;;
		LB_SLAVE_*) echo "$ours IFLA_BOND_${ours#LB_}" ;;
		*) echo "$ours $ours" ;;
		esac
	done
}

numbers() { # all that the system has, as one program of static assertions
	local ours theirs count=0 includes='#include <linux/if_link.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <sys/socket.h>'
	local words
	words=$({ echo "$includes" | "$CC" -x c -E -; echo "$includes" | "$CC" -x c -E -dM - | awk '{ print $2 }'; } |
		grep -oE '[A-Z][A-Z0-9_]+' | sort -u)
	{
		echo "$includes"
		echo '#include "numbers.h"'
		while read -r ours theirs; do
			grep -qx "$theirs" <<<"$words" || continue
			count=$((count + 1))
			echo "_Static_assert((($ours ^ $theirs) & 0xffff) == 0, \"$ours\");" # the mask has high bits
		done < <(pairs)
	} >"$work/numbers.c"
	count=$(grep -c _Static_assert "$work/numbers.c")
	((count >= 60)) || { echo "only $count numbers were found in the system's headers"; return 1; }
	"$CC" -fsyntax-only -std=gnu11 -Ilib "$work/numbers.c"
}
check "the kernel's numbers are those of the system's headers, where these have them" numbers
echo "1..$number"
((failed == 0))
