// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Lets an older User Mode Linux kernel (6.1 and 6.12 are, 7.2 is not) run on a processor whose XSAVE area is larger
 * than the kernel's buffer (AMX). uml.sh builds it and preloads it into the UML process; no other file knows of it.
 *
 * Such a kernel reads the first 2696 bytes of its processes' register area and writes them back, which the host
 * refuses with EFAULT: a write must be whole. What is missing at the end is tile registers only. No process in the
 * guest can have used them (that takes an arch_prctl which UML does not pass on), so they are written in their
 * initial state.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
	HEADER = 512, /* XSTATE_BV lies here: a bit for each component not in its initial state */
};
static const uint64_t TILES = UINT64_C(3) << 17; /* XTILECFG and XTILEDATA */

/* UML has one thread and small stacks. */
static unsigned char area[64 * 1024];
static size_t area_len;

static long set_whole_area(long pid, const struct iovec *part)
{
	struct iovec whole = {area, sizeof(area)};
	uint64_t used;

	if (!area_len) {
		if (syscall(SYS_ptrace, PTRACE_GETREGSET, pid, NT_X86_XSTATE, &whole) < 0)
			return -1;
		area_len = whole.iov_len;
	}
	if (part->iov_len >= area_len || part->iov_len < HEADER + sizeof(used))
		return syscall(SYS_ptrace, PTRACE_SETREGSET, pid, NT_X86_XSTATE, part);
	memcpy(area, part->iov_base, part->iov_len);
	memcpy(&used, area + HEADER, sizeof(used));
	used &= ~TILES;
	memcpy(area + HEADER, &used, sizeof(used));
	whole.iov_len = area_len;
	return syscall(SYS_ptrace, PTRACE_SETREGSET, pid, NT_X86_XSTATE, &whole);
}

long ptrace(enum __ptrace_request request, ...)
{
	va_list args;
	long pid, addr, data, word, rc;

	va_start(args, request);
	pid = va_arg(args, long);
	addr = va_arg(args, long);
	data = va_arg(args, long);
	va_end(args);

	if (request == PTRACE_SETREGSET && addr == NT_X86_XSTATE)
		return set_whole_area(pid, (const struct iovec *)data);
	if (request != PTRACE_PEEKTEXT && request != PTRACE_PEEKDATA && request != PTRACE_PEEKUSER)
		return syscall(SYS_ptrace, request, pid, addr, data);
	/* The system call stores the word, the C function returns it. */
	rc = syscall(SYS_ptrace, request, pid, addr, &word);
	if (rc < 0)
		return rc;
	errno = 0;
	return word;
}
