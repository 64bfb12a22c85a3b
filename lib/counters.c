/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Names and values of a link's 64-bit counters. Sits beside link.c; the kernel's structure is a row of
 * numbers, so that the table of names is all there is to know.
 */
#include <errno.h>
#include <string.h>

#include "link.h"

/* struct rtnl_link_stats64, in its order; the kernel only ever appends to it */
/* clang-format off */
static const char *const counters[] = {
	"rx_packets",       "tx_packets",        "rx_bytes",           "tx_bytes",
	"rx_errors",        "tx_errors",         "rx_dropped",         "tx_dropped",
	"multicast",        "collisions",        "rx_length_errors",   "rx_over_errors",
	"rx_crc_errors",    "rx_frame_errors",   "rx_fifo_errors",     "rx_missed_errors",
	"tx_aborted_errors", "tx_carrier_errors", "tx_fifo_errors",     "tx_heartbeat_errors",
	"tx_window_errors", "rx_compressed",     "tx_compressed",      "rx_nohandler",
	"rx_otherhost_dropped",
};
/* clang-format on */

const char *libbond_counter_name(size_t i)
{
	return i < sizeof(counters) / sizeof(counters[0]) ? counters[i] : NULL;
}

int libbond_link_counter(const struct libbond_link *link, size_t i, uint64_t *out)
{
	const struct nlattr *nla = lb_link_at(link, link->link[LB_IFLA_STATS64]);
	if (!nla || !libbond_counter_name(i) || (i + 1) * sizeof(*out) > mnl_attr_get_payload_len(nla))
		return -ENODATA;
	memcpy(out, (const char *)mnl_attr_get_payload(nla) + i * sizeof(*out), sizeof(*out));
	return 0;
}
