#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Compares what libbond.so exports with the functions that libbond.h declares, and prints TAP. SHARED is the library;
# run from the top of the tree.
set -euo pipefail

: "${SHARED:?}" "${NM:=nm}"
number=0
failed=0

check() { # check SENTENCE DIFFERENCES
	number=$((number + 1))
	if [[ -z $2 ]]; then
		printf 'ok %d - %s\n' "$number" "$1"
	else
		failed=$((failed + 1))
		printf 'not ok %d - %s\n' "$number" "$1"
		printf '# %s\n' "${2//$'\n'/$'\n'# }"
	fi
}

declared=$(grep -oE '^LIBBOND_API [^;]*\(|^LIBBOND_API [a-z_ ]*\**libbond_[a-z0-9_]*\(' include/libbond.h |
	grep -oE 'libbond_[a-z0-9_]+\(' | tr -d '(' | sort)
marked=$(grep -c '^LIBBOND_API' include/libbond.h)
exported=$("$NM" -D --defined-only "$SHARED" | awk '$2 != "A" { print $3 }')
names=$(cut -d@ -f1 <<<"$exported" | sort)

echo '1..5'
check 'the header declares each function once, and marks all of them' \
	"$(uniq -d <<<"$declared"; [[ $(wc -l <<<"$declared") == "$marked" ]] || echo "$marked marked")"
check 'the library exports what the header declares' \
	"$(comm -23 <(echo "$names") <(echo "$declared"))"
check 'the header declares what the library exports' \
	"$(comm -13 <(echo "$names") <(echo "$declared"))"
check 'every symbol has the version of the library' "$(grep -v '@@LIBBOND_0$' <<<"$exported" || true)"
check 'the library names itself libbond.so.0 and needs only libmnl and the C library' \
	"$(LC_ALL=C readelf -d "$SHARED" | awk -F'[][]' '
		/SONAME/ && $2 != "libbond.so.0" { print "named " $2 }
		/NEEDED/ && $2 !~ /^(libmnl\.so\.|libc\.so\.|libc\.musl-|ld-|libpthread\.so\.|libasan\.|libubsan\.|libm\.|libgcc_s\.|libdl\.|librt\.|libresolv\.)/ { print "needs " $2 }')"
((failed == 0))
