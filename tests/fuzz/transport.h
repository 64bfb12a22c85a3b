/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A transport that answers every request with datagrams out of the fuzzer's bytes. */
#ifndef FUZZ_TRANSPORT_H
#define FUZZ_TRANSPORT_H

#include "libbond.h"

struct fuzz_input {
	const uint8_t *data;
	size_t size;
	uint32_t first, last; /* sequence numbers of the last send */
};

/* A handle whose answers come from the input, which must outlive it: datagrams of a length (two bytes, little
 * endian) and so many bytes, of which each message gets a sequence number that was asked for unless it already
 * has one. At the end nobody answers. */
struct libbond *fuzz_open(struct fuzz_input *input);

#endif
