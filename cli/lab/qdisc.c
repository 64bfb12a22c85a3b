/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sets and removes qdiscs, and the filters of a silent loss. Sits on libnl-route, which builds the messages, and
 * net.c, which sends them.
 */
#include "lab/qdisc.h"

#include <errno.h>
#include <linux/if_ether.h>
#include <linux/pkt_cls.h>
#include <linux/pkt_sched.h>
#include <netlink/msg.h>
#include <netlink/route/act/gact.h>
#include <netlink/route/action.h>
#include <netlink/route/classifier.h>
#include <netlink/route/cls/matchall.h>
#include <netlink/route/qdisc.h>
#include <netlink/route/qdisc/fifo.h>
#include <netlink/route/qdisc/fq_codel.h>
#include <netlink/route/qdisc/netem.h>
#include <netlink/route/qdisc/tbf.h>
#include <netlink/route/tc.h>

#include "lab/fail.h"

#define RATE_MIN 8000ull
#define RATE_MAX 16000000000ull
/* A bucket must last from one tick of the slowest kernel (100 a second) to the next, and hold a whole GSO packet. */
#define TICKS 100
#define BUCKET_MIN (64 * 1024)
/* A packet waits at most this long in a shaped queue. */
#define LATENCY_US 50000

static void fill_pfifo(struct rtnl_qdisc *object, const struct lab_qdisc *qdisc)
{
	if (qdisc->limit)
		rtnl_qdisc_fifo_set_limit(object, (int)qdisc->limit);
}

static void fill_fq_codel(struct rtnl_qdisc *object, const struct lab_qdisc *qdisc)
{
	if (qdisc->limit)
		rtnl_qdisc_fq_codel_set_limit(object, (int)qdisc->limit);
}

static void fill_netem(struct rtnl_qdisc *object, const struct lab_qdisc *qdisc)
{
	rtnl_netem_set_limit(object, qdisc->limit ? (int)qdisc->limit : 1000);
	/* a share of 2^32 - 1, which the library has as an int */
	rtnl_netem_set_loss(object, (int)(uint32_t)(qdisc->loss * UINT32_MAX));
	if (qdisc->delay_us)
		rtnl_netem_set_delay(object, (int)qdisc->delay_us);
}

static void fill_tbf(struct rtnl_qdisc *object, const struct lab_qdisc *qdisc)
{
	int rate = (int)(qdisc->rate / 8);
	int bucket = rate / TICKS > BUCKET_MIN ? rate / TICKS : BUCKET_MIN;

	rtnl_qdisc_tbf_set_rate(object, rate, bucket, 0);
	rtnl_qdisc_tbf_set_limit_by_latency(object, LATENCY_US);
}

static const struct {
	const char *name;
	void (*fill)(struct rtnl_qdisc *object, const struct lab_qdisc *qdisc); /* NULL: there is nothing to say */
} kinds[] = {
	[LAB_QDISC_PFIFO] = {"pfifo", fill_pfifo},
	[LAB_QDISC_PFIFO_FAST] = {"pfifo_fast", NULL},
	[LAB_QDISC_FQ_CODEL] = {"fq_codel", fill_fq_codel},
	[LAB_QDISC_NETEM] = {"netem", fill_netem},
	[LAB_QDISC_TBF] = {"tbf", fill_tbf},
};
#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

const char *lab_qdisc_name(unsigned kind)
{
	return kind < KINDS ? kinds[kind].name : NULL;
}

/* A qdisc of a kind below a parent; NULL without memory or without that kind in the library. */
static struct rtnl_qdisc *qdisc_object(int index, uint32_t parent, const char *kind)
{
	struct rtnl_qdisc *object = rtnl_qdisc_alloc();

	if (!object)
		return NULL;
	rtnl_tc_set_ifindex(TC_CAST(object), index);
	rtnl_tc_set_parent(TC_CAST(object), parent);
	if (!kind || rtnl_tc_set_kind(TC_CAST(object), kind) == 0)
		return object;
	rtnl_qdisc_put(object);
	return NULL;
}

static int check(const struct lab_qdisc *qdisc, struct libbond_error *err)
{
	if (qdisc->kind >= KINDS)
		return lab_fail(err, LIBBOND_CAUSE_BAD_VALUE, EINVAL, "there is no such qdisc");
	if (!(qdisc->loss >= 0 && qdisc->loss <= 1))
		return lab_fail(err, LIBBOND_CAUSE_BAD_VALUE, EINVAL, "a loss is between 0 and 1");
	if (qdisc->kind == LAB_QDISC_TBF && (qdisc->rate < RATE_MIN || qdisc->rate > RATE_MAX))
		return lab_fail(err, LIBBOND_CAUSE_BAD_VALUE, EINVAL, "a rate is between %llu and %llu bits a second",
		                RATE_MIN, RATE_MAX);
	return 0;
}

/* A kind without options: the library takes pfifo_fast for prio, and aborts where that has no bands. */
static struct nl_msg *bare_message(int index, const char *kind)
{
	struct tcmsg header = {.tcm_ifindex = index, .tcm_parent = TC_H_ROOT};
	struct nl_msg *msg = nlmsg_alloc_simple(RTM_NEWQDISC, NLM_F_CREATE | NLM_F_REPLACE);

	if (msg && nlmsg_append(msg, &header, sizeof(header), NLMSG_ALIGNTO) == 0 &&
	    nla_put_string(msg, TCA_KIND, kind) == 0)
		return msg;
	nlmsg_free(msg);
	return NULL;
}

static struct nl_msg *qdisc_message(int index, const struct lab_qdisc *qdisc)
{
	const char *kind = kinds[qdisc->kind].name;
	struct nl_msg *msg = NULL;

	if (!kinds[qdisc->kind].fill)
		return bare_message(index, kind);
	struct rtnl_qdisc *object = qdisc_object(index, TC_H_ROOT, kind);
	if (!object)
		return NULL;
	kinds[qdisc->kind].fill(object, qdisc);
	rtnl_qdisc_build_add_request(object, NLM_F_CREATE | NLM_F_REPLACE, &msg);
	rtnl_qdisc_put(object);
	return msg;
}

int lab_qdisc_set(struct lab_net *net, const char *device, const struct lab_qdisc *qdisc, struct libbond_error *err)
{
	int rc = check(qdisc, err);

	if (rc < 0)
		return rc;
	int index = lab_net_index(net, device);
	if (index < 0)
		return lab_net_no_device("set the qdisc of", device, err);
	return lab_net_talk(net, qdisc_message(index, qdisc), "set the qdisc of", device, err);
}

static int remove_below(struct lab_net *net, const char *device, uint32_t parent, struct libbond_error *err)
{
	struct nl_msg *msg = NULL;
	int index = lab_net_index(net, device);

	if (index < 0)
		return lab_net_no_device("remove the qdisc of", device, err);
	struct rtnl_qdisc *object = qdisc_object(index, parent, NULL);
	if (object) {
		rtnl_qdisc_build_delete_request(object, &msg);
		rtnl_qdisc_put(object);
	}
	return lab_net_talk(net, msg, "remove the qdisc of", device, err);
}

int lab_qdisc_remove(struct lab_net *net, const char *device, struct libbond_error *err)
{
	return remove_below(net, device, TC_H_ROOT, err);
}

/* --- silent loss --- */

/* A filter that drops everything at a hook (TC_H_MIN_INGRESS, TC_H_MIN_EGRESS); NULL without memory. */
static struct nl_msg *drop_message(int index, uint32_t hook)
{
	struct nl_msg *msg = NULL;
	struct rtnl_cls *filter = rtnl_cls_alloc();
	struct rtnl_act *action = rtnl_act_alloc();

	if (filter && action && rtnl_tc_set_kind(TC_CAST(filter), "matchall") == 0 &&
	    rtnl_tc_set_kind(TC_CAST(action), "gact") == 0) {
		rtnl_tc_set_ifindex(TC_CAST(filter), index);
		rtnl_tc_set_parent(TC_CAST(filter), TC_H_MAKE(TC_H_CLSACT, hook));
		rtnl_cls_set_prio(filter, 1);
		rtnl_cls_set_protocol(filter, ETH_P_ALL);
		rtnl_gact_set_action(action, TC_ACT_SHOT);
		if (rtnl_mall_append_action(filter, action) == 0)
			rtnl_cls_build_add_request(filter, NLM_F_CREATE | NLM_F_EXCL, &msg);
	}
	rtnl_act_put(action);
	rtnl_cls_put(filter);
	return msg;
}

static struct nl_msg *hooks_message(int index)
{
	struct nl_msg *msg = NULL;
	struct rtnl_qdisc *hooks = qdisc_object(index, TC_H_CLSACT, NULL);

	if (!hooks)
		return NULL;
	rtnl_tc_set_handle(TC_CAST(hooks), TC_H_MAKE(TC_H_CLSACT, 0));
	if (rtnl_tc_set_kind(TC_CAST(hooks), "clsact") == 0)
		rtnl_qdisc_build_add_request(hooks, NLM_F_CREATE | NLM_F_EXCL, &msg);
	rtnl_qdisc_put(hooks);
	return msg;
}

static int fall_silent(struct lab_net *net, const char *device, struct libbond_error *err)
{
	int index = lab_net_index(net, device);
	if (index < 0)
		return lab_net_no_device("silence", device, err);
	int rc = lab_net_talk(net, hooks_message(index), "silence", device, err);
	if (rc < 0)
		return rc == -EEXIST ? 0 : rc;
	rc = lab_net_talk(net, drop_message(index, TC_H_MIN_INGRESS), "silence", device, err);
	if (rc == 0)
		rc = lab_net_talk(net, drop_message(index, TC_H_MIN_EGRESS), "silence", device, err);
	if (rc < 0)
		remove_below(net, device, TC_H_CLSACT, NULL);
	return rc;
}

int lab_qdisc_silence(struct lab_net *net, const char *device, bool silent, struct libbond_error *err)
{
	if (silent)
		return fall_silent(net, device, err);
	int rc = remove_below(net, device, TC_H_CLSACT, err);
	return rc == -ENOENT || rc == -EINVAL ? 0 : rc;
}
