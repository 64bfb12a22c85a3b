# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Reads packages of another Debian suite through a private apt state, so that nothing on the machine changes.
# Sourced by fetch and debootstrap-check; the archive is the one that the machine's own apt sources name.

# Prints Debian's entries of the machine's sources, with each suite replaced by $1; "own" keeps them as they are.
# Both forms are read: deb822 (*.sources) and one line each (*.list); only the running release counts.
suite_sources() { # suite_sources SUITE FORM FILE...
	local suite=$1 form=$2 codename
	shift 2
	# shellcheck source=/dev/null
	codename=$(. /etc/os-release && printf '%s' "${VERSION_CODENAME:-sid}")
	awk -v suite="$suite" -v codename="$codename" -v form="$form" '
	function debian(name) {
		# The entries for updates and security fixes are of use only where the release stays the same.
		if (suite == "own") sub(/(-updates|-security|\/updates)$/, "", name)
		return name == codename || name ~ /^(old|oldold)?stable$|^testing$|^unstable$|^sid$/
	}
	form == "list" {
		if ($1 != "deb") next
		at = 2
		if ($2 ~ /^\[/) while (at < NF && $(at++) !~ /\]$/);
		if (!debian($(at + 1))) next
		if (suite == "own") { print; next }
		line = ""
		for (i = 1; i <= at; i++) line = line $i " "
		print line suite " main"
		next
	}
	function flush_entry() {
		if (kept != "" && enabled && ours) printf "%s\n", kept
		kept = ""; ours = 0; enabled = 1; field = ""
	}
	BEGIN { enabled = 1 }
	/^#/ { next }
	/^[ \t]*$/ { flush_entry(); next }
	{ if ($0 !~ /^[ \t]/) { field = tolower($1); first = 2 } else first = 1 }
	field == "enabled:" && tolower($2) == "no" { enabled = 0 }
	field == "suites:" {
		for (i = first; i <= NF; i++) if (debian($i)) ours = 1
		if (suite != "own") { if (first == 2) kept = kept "Suites: " suite "\n"; next }
	}
	(field == "components:" || field == "types:") && suite != "own" {
		if (first == 2) kept = kept $1 (field == "types:" ? " deb\n" : " main\n")
		next
	}
	{ kept = kept $0 "\n" }
	END { flush_entry() }' "$@" </dev/null
}

suite_write_sources() { # suite_write_sources SUITE FOLDER: into files of the names that the machine has
	local suite=$1 dir=$2 file
	for file in /etc/apt/sources.list.d/*.sources; do
		[[ -e $file ]] && suite_sources "$suite" deb822 "$file" >"$dir/${file##*/}"
	done
	for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
		[[ -e $file ]] && suite_sources "$suite" list "$file" >"$dir/${file##*/}"
	done
	find "$dir" -type f -size 0 -delete
	if [[ -z $(ls -A "$dir") ]]; then
		say "this machine's apt sources have no entry of a Debian release"
		return 1
	fi
}

suite_open() { # suite_open FOLDER SUITE: makes FOLDER the private apt state of that suite
	local dir=$1 suite=$2 log
	rm -rf "$dir"
	mkdir -p "$dir"/{sources,lists/partial,cache/archives/partial,preferences}
	suite_write_sources "$suite" "$dir/sources" || return
	suite_options=(
		-o "Dir::State::lists=$dir/lists" -o "Dir::Cache=$dir/cache" -o "Dir::Etc::sourcelist=/dev/null"
		-o "Dir::Etc::sourceparts=$dir/sources" -o "Dir::Etc::preferencesparts=$dir/preferences"
		-o "Dir::Etc::preferences=/dev/null" -o "APT::Sandbox::User=root" -o "Acquire::Languages=none"
		-o "Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false" -o "APT::Update::Post-Invoke="
		-o "Acquire::IndexTargets::deb::DEP-11-icons::DefaultEnabled=false"
	)
	log=$dir/log
	if ! apt-get -q "${suite_options[@]}" update >"$log" 2>&1 </dev/null || grep -q '^[EW]: Failed' "$log"; then
		cat "$log" >&2
		return 1
	fi
}

suite_version() { # the version that the open suite offers of package $1, or nothing
	apt-cache "${suite_options[@]}" --no-all-versions show "$1" 2>/dev/null | sed -n 's/^Version: //p;' | head -n 1
}

suite_depends() { # the packages that package $1 depends on, one a line
	apt-cache "${suite_options[@]}" --no-all-versions show "$1" | sed -n 's/^Depends: //p' | head -n 1 |
		tr -s ',|' '\n' | sed 's/^ *//; s/[ (:].*//; /^$/d'
}

suite_unpack() { # suite_unpack PACKAGE FOLDER: downloads it and unpacks its files into the folder
	local package=$1 into=$2 at
	at=$(mktemp -d "$(dirname "$into")/deb.XXXXXX")
	(cd "$at" && apt-get -q "${suite_options[@]}" download "$package" >log 2>&1 </dev/null) || {
		cat "$at/log" >&2
		return 1
	}
	mkdir -p "$into"
	dpkg-deb -x "$at"/*.deb "$into"
	rm -rf "$at"
}
