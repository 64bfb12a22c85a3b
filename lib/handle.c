/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Opens and closes handles, in this or another network namespace, on a socket or on the caller's transport.
 * Sits between the public interface and transport.c, netns.c.
 */
#include "handle.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "exchange.h"
#include "netns.h"

const char *libbond_version(void)
{
	return LIBBOND_VERSION;
}

static int open_socket(void *context)
{
	return lb_transport_socket(context);
}

int libbond_open_transport(struct libbond **out, const struct libbond_transport *transport, struct libbond_error *err)
{
	struct libbond *handle = malloc(sizeof(*handle));
	if (!handle)
		return lb_fail_memory(err);
	handle->transport = *transport;
	handle->sequence = 0;
	handle->cancelled = 0;
	handle->own_socket = handle->asked_for_room = false;
	handle->room = LB_BUFFER;
	*out = handle;
	return 0;
}

int libbond_open(struct libbond **out, const char *netns, unsigned flags, struct libbond_error *err)
{
	struct libbond_transport transport = {0};
	struct libbond_error local = {0};
	bool fresh = flags & LIBBOND_OPEN_FRESH_NETNS;
	int rc;

	if (fresh || (netns && *netns))
		rc = lb_netns_run(netns, fresh, open_socket, &transport, &local);
	else
		rc = open_socket(&transport);
	if (rc < 0) {
		if (local.cause == LIBBOND_CAUSE_NONE)
			lb_fail(&local, LIBBOND_CAUSE_SYSTEM, -rc, "cannot open a netlink socket: %s", strerror(-rc));
		if (err)
			*err = local;
		return rc;
	}
	rc = libbond_open_transport(out, &transport, err);
	if (rc < 0)
		transport.close(transport.context);
	else
		(*out)->own_socket = true;
	return rc;
}

size_t lb_room_for(struct libbond *handle, size_t wanted)
{
	if (wanted > handle->room && handle->own_socket && !handle->asked_for_room) {
		handle->room = lb_transport_enlarge(libbond_fd(handle));
		handle->asked_for_room = true;
	}
	return handle->room;
}

void libbond_close(struct libbond *bond)
{
	if (!bond)
		return;
	if (bond->transport.close)
		bond->transport.close(bond->transport.context);
	free(bond);
}

int libbond_fd(const struct libbond *bond)
{
	return bond->transport.fd ? bond->transport.fd(bond->transport.context) : -1;
}

void libbond_cancel(struct libbond *handle)
{
	handle->cancelled = 1;
}
