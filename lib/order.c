/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Asks the driver for the order of a bond's slaves. Sits between read.c, which has just filled a snapshot, and the
 * socket; the one place where the library uses anything but netlink.
 *
 * The order decides which slave becomes active among equals and which one a hash means, and a slave that leaves
 * and joins again loses its place. sysfs has it, but of the namespace that mounted it (and ends at a page); the
 * ioctls of linux/if_bonding.h take any socket, and a socket knows its namespace (bond_slave_info_query()).
 */
#include "order.h"

#include <net/if.h> /* before the kernel's own, which then leaves out what this has */

#include <linux/if_bonding.h>
#include <linux/sockios.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

#include "link.h"

/* The name of slave number i of a bond; false past the last. */
static bool slave_name(int fd, const char *bond, int32_t i, char name[IFNAMSIZ])
{
	struct ifslave slave = {.slave_id = i};
	struct ifreq request = {.ifr_data = (void *)&slave};

	snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", bond);
	if (ioctl(fd, SIOCBONDSLAVEINFOQUERY, &request) < 0)
		return false;
	memcpy(name, slave.slave_name, IFNAMSIZ);
	name[IFNAMSIZ - 1] = '\0';
	return true;
}

static void order_bond(int fd, struct libbond_snapshot *snapshot, const struct libbond_link *bond)
{
	struct libbond_link **ports = snapshot->ports + bond->first_port;
	char name[IFNAMSIZ];
	size_t placed = 0;

	for (int32_t i = 0; placed + 1 < bond->port_count && slave_name(fd, bond->name, i, name); i++) {
		for (size_t p = placed; p < bond->port_count; p++) {
			if (strcmp(ports[p]->name, name) != 0)
				continue;
			struct libbond_link *found = ports[p];
			/* those in between keep their order, for when the driver names no more */
			memmove(&ports[placed + 1], &ports[placed], (p - placed) * sizeof(struct libbond_link *));
			ports[placed++] = found;
			break;
		}
	}
}

void lb_order_slaves(const struct libbond *handle, struct libbond_snapshot *snapshot)
{
	int fd = libbond_fd(handle);

	for (size_t i = 0; fd >= 0 && i < snapshot->bond_count; i++)
		if (snapshot->bonds[i]->port_count > 1)
			order_bond(fd, snapshot, snapshot->bonds[i]);
}
