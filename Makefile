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
JSON_CFLAGS = $(call pkg,--cflags json-c)
JSON_LIBS = $(call pkg,--libs json-c)

BASE_CFLAGS := $(OPT) -std=gnu11 $(WARNINGS) -fno-strict-aliasing -fstack-protector-strong -D_GNU_SOURCE \
	-DLIBBOND_VERSION='"$(VERSION)"' -Iinclude $(if $(SAN),-fsanitize=$(SAN) -fno-omit-frame-pointer \
	-fno-sanitize-recover=all)
BASE_LDFLAGS := $(if $(SAN),-fsanitize=$(SAN),-Wl,--as-needed -Wl,-z,relro -Wl,-z,now)
LIB_CFLAGS = $(BASE_CFLAGS) -DLIBBOND_BUILD -fvisibility=hidden -fPIC $(MNL_CFLAGS) $(CPPFLAGS) $(CFLAGS)
CLI_CFLAGS = $(BASE_CFLAGS) -Icli $(JSON_CFLAGS) $(CPPFLAGS) $(CFLAGS)

LIB_SRC := $(wildcard lib/*.c)
CLI_SRC := $(wildcard cli/*.c)
LIB_OBJ := $(LIB_SRC:%.c=$(BUILD)/%.o)
CLI_OBJ := $(CLI_SRC:%.c=$(BUILD)/%.o)
SHARED := $(BUILD)/libbond.so.$(SOVERSION)
STATIC := $(BUILD)/libbond.a
BONDCTL := $(BUILD)/bondctl

.PHONY: all
all: $(BONDCTL) $(SHARED)

$(BUILD)/lib/%.o: lib/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(LIB_CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/cli/%.o: cli/%.c Makefile
	@mkdir -p $(@D)
	$(CC) $(CLI_CFLAGS) -MMD -MP -c $< -o $@

$(STATIC): $(LIB_OBJ)
	@rm -f $@
	$(AR) rcs $@ $^

$(SHARED): $(LIB_OBJ) lib/libbond.map
	$(CC) $(BASE_LDFLAGS) $(LDFLAGS) -shared -Wl,-soname,libbond.so.$(SOVERSION) \
		-Wl,--version-script=lib/libbond.map $(LIB_OBJ) $(MNL_LIBS) -pthread -o $@
	@ln -sf $(@F) $(BUILD)/libbond.so

# the tool carries the library inside: it starts faster, and runs wherever it is copied
$(BONDCTL): $(CLI_OBJ) $(STATIC)
	$(CC) $(BASE_LDFLAGS) $(LDFLAGS) $(CLI_OBJ) $(STATIC) $(MNL_LIBS) $(JSON_LIBS) -pthread -o $@

-include $(LIB_OBJ:.o=.d) $(CLI_OBJ:.o=.d)

.PHONY: clean
clean:
	rm -rf build
