/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Fuzzes the decoding of what a kernel says: reads of bonds out of any bytes, and every question about what was
 * read. The first byte chooses the read.
 */
#include <errno.h>
#include <stdlib.h>

#include "transport.h"
#include "walk.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int read_by(uint8_t choice, struct libbond *handle, struct libbond_snapshot **out, struct libbond_error *err)
{
	switch (choice % 4) {
	case 0:
		return libbond_read(handle, 0, out, err);
	case 1:
		return libbond_read_bond(handle, "bond0", 0, out, err);
	case 2:
		return libbond_read_links(handle, LIBBOND_READ_NO_STATS, out, err);
	default:
		return libbond_read(handle, LIBBOND_READ_NO_SLAVES, out, err);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	struct fuzz_input input = {.data = data + 1, .size = size - 1};
	struct libbond *handle = fuzz_open(&input);
	struct libbond_snapshot *snapshot;
	struct libbond_error err = {.cause = LIBBOND_CAUSE_NONE};
	int rc = read_by(data[0], handle, &snapshot, &err);

	if (rc > 0 || (rc < 0 && (err.cause == LIBBOND_CAUSE_NONE || err.errnum != -rc || !*err.message)))
		abort();
	if (rc == 0) {
		walk_snapshot(snapshot);
		libbond_snapshot_free(snapshot);
	}
	libbond_close(handle);
	return 0;
}
