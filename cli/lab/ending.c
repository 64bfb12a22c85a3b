/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes a laboratory down and watches it go. Sits beside topology.c, which built it, on netns.c, which can tell when
 * a namespace is gone.
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "lab/clock.h"
#include "lab/inside.h"
#include "lab/netns.h"

static int count_devices(struct libbond *handle)
{
	struct libbond_snapshot *snapshot;
	int rc = libbond_read_links(handle, LIBBOND_READ_NO_STATS, &snapshot, NULL);

	if (rc < 0)
		return rc;
	rc = (int)libbond_snapshot_links(snapshot) - (libbond_snapshot_by_name(snapshot, "lo") != NULL);
	libbond_snapshot_free(snapshot);
	return rc;
}

/* Bonds or bridges, their legs, and the control path. */
static void count(const struct lab *lab, struct lab_ending *ending)
{
	for (enum lab_side side = LAB_NEAR; side < LAB_SIDES; side++) {
		struct libbond *handle = lab->sides[side].handle;
		ending->devices[side] = handle ? count_devices(handle) : -ENODEV;
		ending->expected[side] = (int)(lab->spec.bonds + lab_legs(lab) + 1);
	}
}

/* 1 when no watched namespace is there any more. */
static int look(const struct lab *lab, struct lab_ending *ending)
{
	int all = 1;

	for (enum lab_side side = LAB_NEAR; side < LAB_SIDES; side++) {
		int watch = lab->sides[side].watch;
		ending->gone[side] = watch < 0 ? watch : lab_netns_is_gone(watch);
		all = all && ending->gone[side] != 0;
	}
	return all;
}

int lab_free(struct lab *lab, unsigned timeout_ms, struct lab_ending *ending)
{
	struct lab_ending unasked;

	if (!lab)
		return 0;
	if (!ending)
		ending = &unasked;
	count(lab, ending);
	int64_t start = lab_now_ns(), end = start + lab_ms(timeout_ms);
	for (enum lab_side side = LAB_NEAR; side < LAB_SIDES; side++) {
		libbond_close(lab->sides[side].handle);
		lab_net_free(lab->sides[side].net);
	}
	int gone = look(lab, ending);
	while (!gone && lab_now_ns() < end) {
		lab_pause_ms(5);
		gone = look(lab, ending);
	}
	ending->teardown_ns = lab_now_ns() - start;
	for (enum lab_side side = LAB_NEAR; side < LAB_SIDES; side++)
		if (lab->sides[side].watch >= 0)
			close(lab->sides[side].watch);
	free(lab);
	return gone ? 0 : -ETIMEDOUT;
}
