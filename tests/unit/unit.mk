# SPDX-License-Identifier: GPL-2.0-or-later
# Builds and runs the unit tests. Included by the top Makefile; see README.md here.

UNIT := $(BUILD)/tests/unit
UNIT_SHARED := unit fake fake-store fake-driver fake-records fake-state walk words office account clock
UNIT_TESTS := $(filter-out $(UNIT_SHARED) record,$(patsubst tests/unit/%.c,%,$(wildcard tests/unit/*.c)))
UNIT_BIN := $(UNIT_TESTS:%=$(UNIT)/%)
UNIT_SCRIPTS := tests/unit/headers.sh tests/unit/symbols.sh
UNIT_CFLAGS = $(BASE_CFLAGS) -Ilib -Icli -Itests/unit $(MNL_CFLAGS) $(call pkg,--cflags cmocka) $(CPPFLAGS) $(CFLAGS) \
	-DRECORDED='"tests/unit/recorded"'
UNIT_LIBS = $(MNL_LIBS) $(call pkg,--libs cmocka) -pthread

# no time passes in these
$(UNIT)/faults $(UNIT)/undo $(UNIT)/random: UNIT_LDFLAGS := -Wl,--wrap=nanosleep,--wrap=clock_gettime

# alloc.c stands between the library and the allocator
$(UNIT)/alloc: UNIT_LDFLAGS := -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=strdup,--wrap=free \
	-Wl,--wrap=nanosleep,--wrap=clock_gettime

# the pure parts of cli/traffic
TRAFFIC_UNIT := $(filter $(UNIT)/traffic-%,$(UNIT_BIN))
TRAFFIC_PURE := $(patsubst %,$(BUILD)/cli/traffic/%.o,fairness histogram iperf3-json probe-log)
$(TRAFFIC_UNIT): UNIT_LIBS += $(JSON_LIBS) -lm
$(TRAFFIC_UNIT): $(TRAFFIC_PURE)

# the pure files of the laboratory, which no library has
$(UNIT)/lab-kept: $(BUILD)/cli/lab/kept.o $(BUILD)/cli/lab/names.o

$(UNIT)/%.o: tests/unit/%.c Makefile tests/unit/unit.mk
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(UNIT_CFLAGS) -MMD -MP -c $< -o $@

$(UNIT_BIN): $(UNIT)/%: $(UNIT)/%.o $(UNIT_SHARED:%=$(UNIT)/%.o) $(STATIC)
	$(call say,LINK)
	$(Q)$(CC) $(BASE_LDFLAGS) $(LDFLAGS) $(UNIT_LDFLAGS) $(filter %.o,$^) $(STATIC) $(UNIT_LIBS) -o $@

-include $(wildcard $(UNIT)/*.d)

# one TAP stream of them all
.PHONY: unit
unit: $(UNIT_BIN) $(SHARED)
	@CC='$(CC)' PKG_CONFIG='$(PKG_CONFIG)' SHARED='$(SHARED)' tests/unit/run.sh $(UNIT_BIN) $(UNIT_SCRIPTS)

# the recordings, made anew on the kernels that they are of; see recorded/README.md
$(UNIT)/record: $(UNIT)/record.o
	$(call say,LINK)
	$(Q)$(CC) $(BASE_LDFLAGS) $(LDFLAGS) $< $(MNL_LIBS) -o $@

$(UNIT)/rawlink: tests/live/rawlink.c
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(CC) $(BASE_CFLAGS) $< -o $@

.PHONY: record
record: $(UNIT)/record $(UNIT)/rawlink
	tests/kernel/run --kernel uml --out tests/unit/recorded -- \
		tests/unit/record.sh $(UNIT)/record $(UNIT)/rawlink tests/unit/recorded uml-6.1
	tests/kernel/run --kernel uml-7.2 --out tests/unit/recorded -- \
		tests/unit/record.sh $(UNIT)/record $(UNIT)/rawlink tests/unit/recorded uml-7.2
