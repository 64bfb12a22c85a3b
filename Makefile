# SPDX-License-Identifier: GPL-2.0-or-later
# Builds, checks and installs libbond and bondctl. `make help` lists what there is.

VERSION := 0.1.0
SOVERSION := 0

PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include
SBINDIR ?= $(PREFIX)/sbin
MANDIR ?= $(PREFIX)/share/man
PKG_CONFIG ?= pkg-config

# SAN=address,undefined builds with sanitizers, apart from the ordinary build
SAN ?=
BUILD := build$(if $(SAN),/san)$(if $(filter clang%,$(CC)),/clang)

# V=1 shows the commands
say = @$(if $(V),:,printf '  %-5s %s\n' $(1) $@)
Q := $(if $(V),,@)

OPT ?= -O2 -g
WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition \
	-Wformat=2 -Wpointer-arith -Wcast-align -Wwrite-strings -Wundef -Wvla -Wredundant-decls \
	-Wno-missing-field-initializers
ifneq ($(WERROR),)
WARNINGS += -Werror
endif

# pkg-config is asked once, and only for what is built
pkg = $(shell $(PKG_CONFIG) $(1) 2>/dev/null)
MNL_CFLAGS = $(call pkg,--cflags libmnl)
MNL_LIBS = $(call pkg,--libs libmnl)
# its headers are not ours to lint
NL_CFLAGS = $(patsubst -I%,-isystem %,$(call pkg,--cflags libnl-route-3.0))
NL_LIBS = $(call pkg,--libs libnl-route-3.0)
JSON_CFLAGS = $(call pkg,--cflags json-c)
JSON_LIBS = $(call pkg,--libs json-c)

BASE_CFLAGS := $(OPT) -std=gnu11 $(WARNINGS) -fno-strict-aliasing -fstack-protector-strong -D_GNU_SOURCE \
	-DLIBBOND_VERSION='"$(VERSION)"' -Iinclude $(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer \
	-fno-sanitize-recover=all)
BASE_LDFLAGS := $(if $(SAN),-fsanitize=$(SAN),-Wl,--as-needed -Wl,-z,relro -Wl,-z,now)
LIB_CFLAGS = $(BASE_CFLAGS) -DLIBBOND_BUILD -fvisibility=hidden -fPIC $(MNL_CFLAGS) $(CPPFLAGS) $(CFLAGS)
CLI_CFLAGS = $(BASE_CFLAGS) -Icli $(JSON_CFLAGS) $(NL_CFLAGS) $(CPPFLAGS) $(CFLAGS)

LIB_SRC := $(wildcard lib/*.c)
CLI_SRC := $(wildcard cli/*.c)
LAB_SRC := $(wildcard cli/lab/*.c)
TRAFFIC_SRC := $(wildcard cli/traffic/*.c)
LIB_OBJ := $(LIB_SRC:%.c=$(BUILD)/%.o)
CLI_OBJ := $(CLI_SRC:%.c=$(BUILD)/%.o)
LAB_OBJ := $(LAB_SRC:%.c=$(BUILD)/%.o)
TRAFFIC_OBJ := $(TRAFFIC_SRC:%.c=$(BUILD)/%.o)
SHARED := $(BUILD)/libbond.so.$(SOVERSION)
STATIC := $(BUILD)/libbond.a
BONDCTL := $(BUILD)/bondctl
LABTOOL := $(BUILD)/tests/labtool
TRAFFICTOOL := $(BUILD)/tests/traffictool

.PHONY: all
all: $(BONDCTL) $(SHARED)

.PHONY: help
help:
	@echo 'make                build $(BONDCTL) and the library'
	@echo 'make demo           install what is missing, build, and show the main job on a real driver'
	@echo 'make check          install what is missing, build, run all tests'
	@echo '                    KERNEL=host|uml|uml-6.12|uml-7.2|qemu  the live tests on this kernel only'
	@echo '                    LEVELS="unit cli live"                 only these levels; LEVELS=lab: what stress is to stand on'
	@echo '                    STRICT=1                               a skipped test is a failure'
	@echo '                    JOBS=2                                 how many levels run at once'
	@echo 'make lint           clang-tidy, clang-format, shellcheck, mandoc; gcc and clang without a warning'
	@echo 'make unit           the unit tests alone; make record: their recordings of kernel messages anew'
	@echo 'make fuzz           the fuzz targets, FUZZ_SECONDS each'
	@echo 'make bench-cli      bondctl against iproute2 on a guest with 256 bonds'
	@echo 'make bench-change   what each kind of change costs: messages, time down'
	@echo 'make man            write man/bondctl.8 anew from its source and the attribute table'
	@echo 'make install        PREFIX=/usr/local DESTDIR='
	@echo 'SAN=address,undefined with any of them: the sanitizer build'

$(BUILD)/lib/%.o: lib/%.c Makefile
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(LIB_CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/cli/%.o: cli/%.c Makefile
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CLI_CFLAGS) -MMD -MP -c $< -o $@

$(STATIC): $(LIB_OBJ)
	@rm -f $@
	$(call say,AR)
	$(Q)$(AR) rcs $@ $^

$(SHARED): $(LIB_OBJ) lib/libbond.map
	$(call say,LINK)
	$(Q)$(CC) $(BASE_LDFLAGS) $(LDFLAGS) -shared -Wl,-soname,libbond.so.$(SOVERSION) \
		-Wl,--version-script=lib/libbond.map $(LIB_OBJ) $(MNL_LIBS) -pthread -o $@
	@ln -sf $(@F) $(BUILD)/libbond.so

# the tool carries the library inside: it starts faster, and runs wherever it is copied. It is put in place when it is
# whole, since tests may be running it.
$(BONDCTL): $(CLI_OBJ) $(STATIC)
	$(call say,LINK)
	$(Q)$(CC) $(BASE_LDFLAGS) $(LDFLAGS) $(CLI_OBJ) $(STATIC) $(MNL_LIBS) $(JSON_LIBS) -pthread -o $@.new
	@mv $@.new $@

# what the tests drive cli/lab and cli/traffic with
.PHONY: lab-tools
lab-tools: $(LABTOOL) $(TRAFFICTOOL)

$(LABTOOL): $(BUILD)/tests/lab/labtool.o $(LAB_OBJ) $(STATIC)
	$(call say,LINK)
	$(Q)$(CC) $(BASE_LDFLAGS) $(LDFLAGS) $^ $(MNL_LIBS) $(NL_LIBS) -pthread -o $@.new
	@mv $@.new $@

$(TRAFFICTOOL): $(BUILD)/tests/lab/traffictool.o $(TRAFFIC_OBJ) $(LAB_OBJ) $(STATIC)
	$(call say,LINK)
	$(Q)$(CC) $(BASE_LDFLAGS) $(LDFLAGS) $^ $(MNL_LIBS) $(NL_LIBS) $(JSON_LIBS) -pthread -o $@.new
	@mv $@.new $@

$(BUILD)/tests/lab/%tool.o: tests/lab/%tool.c Makefile
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(CLI_CFLAGS) -MMD -MP -c $< -o $@

-include $(LIB_OBJ:.o=.d) $(CLI_OBJ:.o=.d) $(LAB_OBJ:.o=.d) $(TRAFFIC_OBJ:.o=.d) \
	$(wildcard $(BUILD)/tests/lab/*.d)

# --- the two commands of the README ---

.PHONY: demo
demo:
	@tests/setup build demo
	@$(MAKE) --no-print-directory -s all
	@tests/kernel/run --timeout 300 -- tests/demo $(BONDCTL)

.PHONY: check
check:
	@tests/setup build test
	@$(MAKE) --no-print-directory -s -j$$(nproc) all WERROR=1
	@MAKE='$(MAKE)' BUILD='$(BUILD)' SAN='$(SAN)' CC='$(CC)' KERNEL='$(KERNEL)' STRICT='$(STRICT)' \
		JOBS='$(JOBS)' tests/check $(LEVELS)

.PHONY: bench-cli
bench-cli:
	@tests/setup build test
	@$(MAKE) --no-print-directory -s all
	@tests/kernel/run --kernel $(or $(KERNEL),uml-7.2) --mem 1024 --timeout 1200 -- tests/bench-cli $(BONDCTL)

.PHONY: bench-change
bench-change:
	@tests/setup build test
	@$(MAKE) --no-print-directory -s all
	@tests/kernel/run --kernel $(or $(KERNEL),uml-7.2) --timeout 600 -- tests/bench-change $(BONDCTL)

# --- quality ---

C_FILES := $(wildcard include/*.h lib/*.[ch] cli/*.[ch] cli/lab/*.[ch] cli/traffic/*.[ch] tests/unit/*.[ch] tests/fuzz/*.[ch] tests/live/*.c tests/lab/*.c tests/kernel/*.c)
SHELL_FILES = $(shell grep -rlE '^\#!/bin/(ba)?sh' tests .ci --include='*' 2>/dev/null) completions/bondctl man/generate \
	$(wildcard tests/*/*.bash)

TIDY := $(LIB_SRC:%=tidy-%) $(CLI_SRC:%=tidy-%) $(LAB_SRC:%=tidy-%) $(TRAFFIC_SRC:%=tidy-%)
.PHONY: tidy $(TIDY)
tidy: $(TIDY)
$(filter tidy-lib/%,$(TIDY)): tidy-%:
	@clang-tidy --quiet $* -- $(LIB_CFLAGS)
$(filter tidy-cli/%,$(TIDY)): tidy-%:
	@clang-tidy --quiet $* -- $(CLI_CFLAGS)

.PHONY: lint
lint:
	@tests/setup build test lint
	@$(MAKE) --no-print-directory -s all WERROR=1 CC=gcc
	@$(MAKE) --no-print-directory -s all WERROR=1 CC=clang
	clang-format --dry-run -Werror $(C_FILES)
	@$(MAKE) --no-print-directory --output-sync=target -j$(or $(JOBS),$$(nproc)) tidy
	shellcheck -x $(SHELL_FILES)
	shellcheck -x -s bats $(wildcard tests/*/*.bats)
	mandoc -T lint -W warning man/*.8
	@echo 'lint: clean'

# --- the manual: prose by hand, the table of options and exit statuses from the program ---

.PHONY: man
man: $(BONDCTL)
	man/generate $(BONDCTL) < man/bondctl.8.in > man/bondctl.8.new
	mv man/bondctl.8.new man/bondctl.8

# --- installing ---

COMPLETIONSDIR ?= $(or $(call pkg,--variable=completionsdir bash-completion),$(PREFIX)/share/bash-completion/completions)

.PHONY: install
install: all
	install -d $(DESTDIR)$(SBINDIR) $(DESTDIR)$(LIBDIR)/pkgconfig $(DESTDIR)$(INCLUDEDIR) \
		$(DESTDIR)$(MANDIR)/man8 $(DESTDIR)$(COMPLETIONSDIR)
	install -m 755 $(BONDCTL) $(DESTDIR)$(SBINDIR)/bondctl
	install -m 644 $(STATIC) $(DESTDIR)$(LIBDIR)/libbond.a
	install -m 755 $(SHARED) $(DESTDIR)$(LIBDIR)/libbond.so.$(SOVERSION)
	ln -sf libbond.so.$(SOVERSION) $(DESTDIR)$(LIBDIR)/libbond.so
	install -m 644 include/libbond.h $(DESTDIR)$(INCLUDEDIR)/libbond.h
	sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@LIBDIR@|$(LIBDIR)|' -e 's|@INCLUDEDIR@|$(INCLUDEDIR)|' \
		-e 's|@VERSION@|$(VERSION)|' lib/libbond.pc.in > $(DESTDIR)$(LIBDIR)/pkgconfig/libbond.pc
	install -m 644 man/bondctl.8 $(DESTDIR)$(MANDIR)/man8/bondctl.8
	install -m 644 completions/bondctl $(DESTDIR)$(COMPLETIONSDIR)/bondctl

.PHONY: clean
clean:
	rm -rf build

-include tests/unit/unit.mk tests/fuzz/fuzz.mk
