# SPDX-License-Identifier: GPL-2.0-or-later
# Builds and runs the fuzz targets, FUZZ_SECONDS each. Included by the top Makefile; see README.md here.

FUZZ_CC ?= clang
FUZZ_SECONDS ?= 20
FUZZ := build/fuzz
FUZZ_TARGETS := messages changes values documents
FUZZ_BIN := $(FUZZ_TARGETS:%=$(FUZZ)/%)
FUZZ_COMMON := $(LIB_SRC) tests/fuzz/transport.c tests/unit/walk.c
FUZZ_OBJ := $(FUZZ_COMMON:%.c=$(FUZZ)/obj/%.o)
# the reader of documents is the tool's
FUZZ_DOCUMENTS := $(patsubst %,cli/%.c,document json-text json output request suggest status rows report args)
FUZZ_DOCUMENTS_OBJ := $(FUZZ_DOCUMENTS:%.c=$(FUZZ)/obj/%.o)
FUZZ_SAN := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
FUZZ_CFLAGS = -O1 -g -std=gnu11 $(WARNINGS) -fno-strict-aliasing -D_GNU_SOURCE -DLIBBOND_VERSION='"$(VERSION)"' \
	-Iinclude -Ilib -Itests/unit -Itests/fuzz $(MNL_CFLAGS) $(FUZZ_SAN)

$(FUZZ)/obj/%.o: %.c Makefile tests/fuzz/fuzz.mk
	@mkdir -p $(@D)
	$(call say,CC)
	$(Q)$(FUZZ_CC) $(FUZZ_CFLAGS) -fsanitize=fuzzer-no-link -MMD -MP -c $< -o $@

$(FUZZ_DOCUMENTS_OBJ): FUZZ_CFLAGS += -Icli $(JSON_CFLAGS)
$(FUZZ)/documents: FUZZ_CFLAGS += -Icli $(JSON_CFLAGS)
$(FUZZ)/documents: FUZZ_EXTRA = $(FUZZ_DOCUMENTS_OBJ) $(JSON_LIBS)
# what would be waited for, is not
$(FUZZ)/changes: FUZZ_EXTRA = $(FUZZ)/obj/tests/unit/clock.o -Wl,--wrap=nanosleep,--wrap=clock_gettime
$(FUZZ)/changes: $(FUZZ)/obj/tests/unit/clock.o
$(FUZZ)/documents: $(FUZZ_DOCUMENTS_OBJ)
$(FUZZ_BIN): $(FUZZ)/%: tests/fuzz/%.c $(FUZZ_OBJ)
	$(call say,LINK)
	$(Q)$(FUZZ_CC) $(FUZZ_CFLAGS) -fsanitize=fuzzer -MMD -MP $< $(FUZZ_OBJ) $(FUZZ_EXTRA) $(MNL_LIBS) -pthread -o $@

-include $(FUZZ_OBJ:.o=.d) $(FUZZ_DOCUMENTS_OBJ:.o=.d) $(FUZZ)/obj/tests/unit/clock.d $(FUZZ_BIN:=.d)

# seeds for changes, from the fake kernel of the unit tests
FUZZ_RECORD_OBJ := $(patsubst %,$(FUZZ)/obj/tests/%.o,fuzz/record fuzz/changes unit/unit unit/fake unit/fake-store \
	unit/fake-driver unit/fake-records unit/fake-state unit/office unit/clock)
$(FUZZ_RECORD_OBJ): | fuzz-clang
$(FUZZ)/record: $(FUZZ_RECORD_OBJ) $(LIB_SRC:%.c=$(FUZZ)/obj/%.o)
	$(call say,LINK)
	$(Q)$(FUZZ_CC) $(FUZZ_CFLAGS) $^ $(MNL_LIBS) $(call pkg,--libs cmocka) -Wl,--wrap=nanosleep,--wrap=clock_gettime \
		-pthread -o $@

# what a run finds is kept beside the seeds, and a crash as $(FUZZ)/TARGET-*
.PHONY: fuzz fuzz-clang
fuzz-clang:
	@command -v $(FUZZ_CC) >/dev/null || { echo 'make fuzz: needs clang with libFuzzer (FUZZ_CC=...)' >&2; exit 4; }
$(FUZZ_OBJ) $(FUZZ_DOCUMENTS_OBJ) $(FUZZ)/obj/tests/unit/clock.o $(FUZZ_BIN): | fuzz-clang
fuzz: $(FUZZ_BIN) $(FUZZ)/record
	@tests/fuzz/seeds.sh tests/unit/recorded $(FUZZ)/seeds
	@$(FUZZ)/record $(FUZZ)/seeds/changes
	@for target in $(FUZZ_TARGETS); do \
		mkdir -p $(FUZZ)/corpus/$$target; \
		echo "fuzz: $$target, $(FUZZ_SECONDS) seconds"; \
		$(FUZZ)/$$target -max_total_time=$(FUZZ_SECONDS) -max_len=16384 -timeout=10 -rss_limit_mb=1024 \
			-artifact_prefix=$(FUZZ)/$$target- -print_final_stats=1 -verbosity=0 \
			$(FUZZ)/corpus/$$target $(FUZZ)/seeds/$$target || exit 1; \
	done
