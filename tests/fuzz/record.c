/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes seeds for the target changes: what a kernel that does everything right says to each of its choices, as
 * tests/unit's fake kernel says it. Takes the place of transport.c, and of the fuzzer: it runs changes.c once for
 * every choice and writes FOLDER/plan-CHOICE.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "office.h"
#include "transport.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct {
	struct libbond_transport fake;
	uint8_t choice;
	uint8_t seed[256 * 1024];
	size_t used;
} record;

static int pass_on(void *context, const void *data, size_t length)
{
	return record.fake.send(context, data, length);
}

/* Each datagram with its length in front, as transport.c takes it. */
static long take_down(void *context, void *data, size_t size)
{
	long length = record.fake.receive(context, data, size);
	if (length > 0 && record.used + (size_t)length + 2 < sizeof(record.seed)) {
		record.seed[record.used++] = (uint8_t)length;
		record.seed[record.used++] = (uint8_t)(length >> 8);
		memcpy(record.seed + record.used, data, (size_t)length);
		record.used += (size_t)length;
	}
	return length;
}

struct libbond *fuzz_open(struct fuzz_input *input)
{
	struct fake *fake = fake_new();
	struct libbond *handle;
	(void)input;

	office_build(fake);
	if (record.choice == 1) /* creates it */
		fake_remove(fake, fake_find(fake, "bond0")->ifindex);
	record.fake = fake->transport;
	fake->transport.send = pass_on;
	fake->transport.receive = take_down;
	if (libbond_open_transport(&handle, &fake->transport, NULL) < 0)
		abort();
	return handle;
}

int main(int argc, char **argv)
{
	char name[4096];

	if (argc != 2)
		return 2;
	for (unsigned choice = 0; choice < 256; choice++) {
		record.choice = record.seed[0] = (uint8_t)choice;
		record.used = 1;
		LLVMFuzzerTestOneInput(record.seed, 1);
		snprintf(name, sizeof(name), "%s/plan-%02x", argv[1], choice);
		FILE *file = fopen(name, "wb");
		if (!file || fwrite(record.seed, 1, record.used, file) != record.used || fclose(file) != 0)
			return 1;
	}
	return 0;
}
