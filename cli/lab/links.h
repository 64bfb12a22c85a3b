/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Network devices of a laboratory namespace: made, changed, taken away, each by one request. Functions return 0, or
 * the kernel's own -errno with err filled (its words in err->kernel); -ENODEV for a device that is not there.
 */
#ifndef LAB_LINKS_H
#define LAB_LINKS_H

#include <stdbool.h>
#include <stdint.h>

#include "lab/net.h"

/* One end of a pair. */
struct lab_end {
	struct lab_net *net;
	const char *name;
};

/* A veth pair; both ends have the MTU and queue length, 0 for the kernel's own. The ends are down. */
int lab_link_veth(const struct lab_end *one, const struct lab_end *other, unsigned mtu, unsigned txqueuelen,
                  struct libbond_error *err);
/* A bridge without spanning tree, so that a port forwards at once, and down. group_fwd_mask as the kernel's: bits 0
 * to 2 are refused (-EINVAL) for the bridge as a whole, see lab_link_port_group_fwd(). */
int lab_link_bridge(struct lab_net *net, const char *name, unsigned group_fwd_mask, struct libbond_error *err);
/* A port's own mask: bit 2 lets LACP through (802.1D group address ...:02); it takes bits 0 and 2 to 15. */
int lab_link_port_group_fwd(struct lab_net *net, const char *name, unsigned group_fwd_mask,
                            struct libbond_error *err);
int lab_link_vlan(struct lab_net *net, const char *name, const char *lower, unsigned id, struct libbond_error *err);
/* In mode bridge. */
int lab_link_macvlan(struct lab_net *net, const char *name, const char *lower, struct libbond_error *err);

int lab_link_delete(struct lab_net *net, const char *name, struct libbond_error *err);
int lab_link_up(struct lab_net *net, const char *name, bool up, struct libbond_error *err);
/* Promiscuity as a person sets it; the kernel counts it beside that of masters and sniffers. */
int lab_link_promisc(struct lab_net *net, const char *name, bool on, struct libbond_error *err);
int lab_link_mtu(struct lab_net *net, const char *name, unsigned mtu, struct libbond_error *err);
int lab_link_txqueuelen(struct lab_net *net, const char *name, unsigned length, struct libbond_error *err);
int lab_link_address(struct lab_net *net, const char *name, const uint8_t address[6], struct libbond_error *err);
/* master NULL: it leaves the one it has. */
int lab_link_master(struct lab_net *net, const char *name, const char *master, struct libbond_error *err);
/* Kernels before 6.2 refuse it (-EBUSY) for a device that is up. */
int lab_link_rename(struct lab_net *net, const char *name, const char *to, struct libbond_error *err);
/* To another namespace, under the same name; it is down there. */
int lab_link_move(struct lab_net *net, const char *name, const struct lab_net *to, struct libbond_error *err);

/* Whether it is up and has carrier (IFF_RUNNING): 1, 0, -ENODEV. */
int lab_link_running(const struct lab_net *net, const char *name);

#endif
