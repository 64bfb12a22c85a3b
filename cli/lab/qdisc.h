/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What queues, shapes and loses packets on a device. 0, or the kernel's -errno with err filled. */
#ifndef LAB_QDISC_H
#define LAB_QDISC_H

#include <stdbool.h>
#include <stdint.h>

#include "lab/net.h"

enum lab_qdisc_kind {
	LAB_QDISC_PFIFO,      /**< limit */
	LAB_QDISC_PFIFO_FAST, /**< as long as the device's txqueuelen */
	LAB_QDISC_FQ_CODEL,   /**< limit */
	LAB_QDISC_NETEM,      /**< limit, loss, delay */
	LAB_QDISC_TBF         /**< rate */
};

struct lab_qdisc {
	enum lab_qdisc_kind kind;
	unsigned limit;    /* packets, 0 for the kernel's default */
	double loss;       /* share of packets, 0 to 1 */
	unsigned delay_us; /* of each packet */
	uint64_t rate;     /* bits a second, at least 8000, at most 16 Gbit/s */
};

/* Name of a kind ("pfifo_fast"); NULL for other numbers. */
const char *lab_qdisc_name(unsigned kind);

/* Make it the device's root qdisc, in the place of what is there. -EINVAL for a rate or loss out of range. */
int lab_qdisc_set(struct lab_net *net, const char *device, const struct lab_qdisc *qdisc, struct libbond_error *err);
/* Take the root qdisc away: the device has the kernel's own again. -ENOENT or -EINVAL if it has none of ours. */
int lab_qdisc_remove(struct lab_net *net, const char *device, struct libbond_error *err);

/*
 * Lose all that a device sends and receives, carrier or not, without a sign of it to anybody. Setting what holds is
 * no error. It goes with the device, and with its move to another namespace. -ENOENT: the kernel lacks clsact,
 * matchall or gact.
 */
int lab_qdisc_silence(struct lab_net *net, const char *device, bool silent, struct libbond_error *err);

#endif
