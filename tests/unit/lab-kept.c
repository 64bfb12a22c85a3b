/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is kept of a child's output, and the names in a laboratory. Tests cli/lab/kept.c and cli/lab/names.c, which
 * need neither kernel nor privilege.
 */
#include <string.h>
#include <sys/socket.h>

#include "lab/kept.h"
#include "lab/topology.h"
#include "unit.h"

static void beginning(void **state)
{
	struct lab_kept kept = {.bound = 10};
	char buffer[16];
	(void)state;

	assert_int_equal(lab_kept_copy(&kept, 0, buffer, sizeof(buffer)), 0);
	lab_kept_add(&kept, "", 0);
	assert_null(kept.data);
	lab_kept_add(&kept, "abcdef", 6);
	assert_int_equal(kept.length, 6);
	lab_kept_add(&kept, "ghijkl", 6);
	assert_int_equal(kept.length, 10);
	assert_int_equal(kept.total, 12);
	unit_assert_text("what is kept", "abcdefghij", kept.data);
	lab_kept_add(&kept, "mnopqr", 6);
	assert_int_equal(kept.total, 18);
	unit_assert_text("what is kept", "abcdefghij", kept.data);
	lab_kept_free(&kept);
	assert_null(kept.data);
}

static void copies(void **state)
{
	struct lab_kept kept = {.bound = 100};
	char buffer[4];
	(void)state;

	lab_kept_add(&kept, "abcdef", 6);
	assert_int_equal(lab_kept_copy(&kept, 0, buffer, sizeof(buffer)), 4);
	assert_memory_equal(buffer, "abcd", 4);
	assert_int_equal(lab_kept_copy(&kept, 4, buffer, sizeof(buffer)), 2);
	assert_memory_equal(buffer, "ef", 2);
	assert_int_equal(lab_kept_copy(&kept, 6, buffer, sizeof(buffer)), 0);
	assert_int_equal(lab_kept_copy(&kept, 600, buffer, sizeof(buffer)), 0);
	lab_kept_free(&kept);
}

/* Every byte at every size of chunk, over the steps in which the room grows. */
static void growth(void **state)
{
	(void)state;

	for (size_t chunk = 1; chunk < 9000; chunk = chunk * 3 + 1) {
		struct lab_kept kept = {.bound = 20000};
		char bytes[9000];
		for (size_t sent = 0; sent < 30000; sent += chunk) {
			for (size_t i = 0; i < chunk; i++)
				bytes[i] = (char)('a' + (sent + i) % 23);
			lab_kept_add(&kept, bytes, chunk);
		}
		assert_int_equal(kept.length, 20000);
		assert_true(kept.total >= 30000);
		assert_int_equal(kept.data[20000], 0);
		for (size_t i = 0; i < 20000; i++)
			assert_int_equal(kept.data[i], 'a' + i % 23);
		lab_kept_free(&kept);
	}
}

static void names(void **state)
{
	char name[LIBBOND_NAME_SIZE];
	(void)state;

	unit_assert_text("bond", "bond63", lab_bond_name(63, name));
	unit_assert_text("control", "ctl", lab_bond_name(LAB_CONTROL, name));
	unit_assert_text("leg", "leg4095", lab_leg_name(4095, LAB_NEAR, name));
	unit_assert_text("far leg", "far0", lab_leg_name(0, LAB_FAR, name));
	unit_assert_text("no leg at all", "leg67295", lab_leg_name(~0u, LAB_NEAR, name));
	for (unsigned mode = 0; mode < LIBBOND_MODES; mode++) {
		bool is_bridge = mode == 1 || mode == 5 || mode == 6;
		unit_assert_text(libbond_mode_name(mode), is_bridge ? "br7" : "bond7", lab_far_name(mode, 7, name));
	}
	assert_false(lab_far_is_bond(7));
}

static void addresses(void **state)
{
	char text[LAB_ADDRESS_SIZE];
	(void)state;

	unit_assert_text("near", "198.18.0.1", lab_address(0, LAB_NEAR, AF_INET, text));
	unit_assert_text("far", "198.18.63.2", lab_address(63, LAB_FAR, AF_INET, text));
	unit_assert_text("near", "2001:2:0:3f::1", lab_address(63, LAB_NEAR, AF_INET6, text));
	unit_assert_text("control", "2001:2:0:ff::2", lab_address(LAB_CONTROL, LAB_FAR, AF_INET6, text));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST("of a stream the beginning is kept, up to the bound, and all of it counted", beginning),
		TEST("what is kept can be copied in pieces", copies),
		TEST("no byte is lost or moved however it comes", growth),
		TEST("devices of a laboratory have the names that the documentation says", names),
		TEST("ends of a bond have addresses of the ranges for benchmarks", addresses),
	};
	return cmocka_run_group_tests_name("lab-kept", tests, NULL, NULL);
}
