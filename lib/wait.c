/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Waits for devices: for a new slave that is to carry traffic, for a VLAN device that follows what it is on. Sits
 * between run.c and read.c.
 */
#include <errno.h>
#include <net/if.h>
#include <string.h>
#include <time.h>

#include "error.h"
#include "run.h"

#define LOOK_MS 20     /* between two looks */
#define BOTH_WAYS 0x30 /* collecting and distributing (IEEE 802.1AX-2014 6.4.2.3) */

static int64_t now_ms(void)
{
	struct timespec now;
	clock_gettime(CLOCK_BOOTTIME, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* In 802.3ad a port carries traffic once both ends collect and distribute; where the bond has no partner, none does.
 */
static bool is_ready(const struct libbond_link *bond, const struct libbond_link *slave)
{
	static const uint8_t none[LB_MAC_MAX];
	const struct libbond_attr *partner = libbond_attr_number(LIBBOND_SCOPE_AD_INFO, LB_AD_INFO_PARTNER_MAC);
	struct lb_value mac = {0};

	if (!lb_is_usable(slave))
		return false;
	if (lb_link_number_or(bond, lb_bond_attr(LB_BOND_MODE), 0) != LB_MODE_8023AD ||
	    lb_link_value(bond, partner, &mac) < 0 || memcmp(mac.mac, none, mac.count) == 0)
		return true;
	int64_t ours = lb_link_number_or(slave, lb_slave_attr(LB_SLAVE_AD_ACTOR_OPER_PORT_STATE), 0);
	int64_t theirs = lb_link_number_or(slave, lb_slave_attr(LB_SLAVE_AD_PARTNER_OPER_PORT_STATE), 0);
	return (ours & theirs & BOTH_WAYS) == BOTH_WAYS;
}

int lb_fail_cancelled(struct libbond_error *err)
{
	return lb_fail(err, LIBBOND_CAUSE_CANCELLED, EINTR, "interrupted");
}

static int look(struct libbond *handle, const struct lb_step *step, bool *ready, struct libbond_error *err)
{
	const unsigned indexes[] = {step->device->ifindex, step->bond->ifindex};
	struct libbond_snapshot *now = NULL;
	int rc = lb_read_indexes(handle, indexes, 2, &now, err);
	const struct libbond_link *slave = rc < 0 ? NULL : libbond_snapshot_by_index(now, indexes[0]);
	const struct libbond_link *bond = rc < 0 ? NULL : libbond_snapshot_by_index(now, indexes[1]);

	if (rc == 0 && (!slave || !bond))
		rc = lb_fail_no_device(slave ? step->bond->name : step->device->name, err);
	if (rc == 0)
		*ready = is_ready(bond, slave);
	libbond_snapshot_free(now);
	return rc;
}

int lb_wait_for(struct libbond *handle, const struct lb_step *step, struct libbond_error *err)
{
	int64_t end = now_ms() + step->wait_ms;
	const struct timespec pause = {.tv_nsec = LOOK_MS * 1000000L};
	bool ready = false;
	int rc = look(handle, step, &ready, err);

	while (rc == 0 && !ready && now_ms() < end) {
		nanosleep(&pause, NULL);
		rc = handle->cancelled ? lb_fail_cancelled(err) : look(handle, step, &ready, err);
	}
	if (rc < 0 || ready)
		return rc;
	rc = lb_fail(err, LIBBOND_CAUSE_TIMEOUT, ETIMEDOUT, "%s could not carry traffic within %u.%u s",
	             step->device->name, step->wait_ms / 1000, step->wait_ms % 1000 / 100);
	lb_fail_device(err, step->device->name);
	/* it is undone: the bond does not know it any more */
	lb_fail_hint(err, "has it link? ip link show %s tells once it is up; --wait gives it more time",
	             step->device->name);
	return rc;
}

/* A VLAN device follows what it is on: since Linux 7 from a work queue. One that does not is not waited for long. */
int lb_wait_to_rise(struct libbond *handle, const struct lb_step *step, struct libbond_error *err)
{
	int64_t end = now_ms() + step->wait_ms;
	const struct timespec pause = {.tv_nsec = LOOK_MS / 4 * 1000000L};

	for (bool up = false; !up && now_ms() < end;) {
		struct libbond_snapshot *now = NULL;
		int rc = lb_read_indexes(handle, &step->device->ifindex, 1, &now, err);
		const struct libbond_link *link =
			rc < 0 ? NULL : libbond_snapshot_by_index(now, step->device->ifindex);
		up = !link || (libbond_link_flags(link) & IFF_UP);
		libbond_snapshot_free(now);
		if (rc < 0)
			return rc;
		if (!up)
			nanosleep(&pause, NULL);
	}
	return 0;
}
