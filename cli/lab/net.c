/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A namespace with its socket, and requests over it with the kernel's errno and words kept. Sits between links.c,
 * inet.c, qdisc.c, which build the messages, and libnl.
 *
 * libnl translates errnos to fewer numbers of its own: the answer is read here, from the message itself.
 */
#include "lab/net.h"

#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/socket.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lab/fail.h"
#include "lab/netns.h"

struct lab_net {
	int fd;
	struct nl_sock *sock;
	struct nl_cb *cb;
	int answer; /* -errno of the last request */
	bool answered;
	char words[192]; /* the kernel's, about that answer */
};

/* The kernel's words lie behind the error, which lies behind the header; with them, if not left out, the request. */
static void read_words(struct lab_net *net, const struct nlmsgerr *error)
{
	const struct nlmsghdr *header = (const void *)((const char *)error - NLMSG_HDRLEN);
	size_t skip = sizeof(*error);

	net->words[0] = '\0';
	if (!(header->nlmsg_flags & NLM_F_ACK_TLVS))
		return;
	if (!(header->nlmsg_flags & NLM_F_CAPPED))
		skip += NLMSG_ALIGN(error->msg.nlmsg_len - NLMSG_HDRLEN);
	if (header->nlmsg_len < NLMSG_HDRLEN + skip)
		return;
	const struct nlattr *text = nla_find((void *)((const char *)error + skip),
	                                     (int)(header->nlmsg_len - NLMSG_HDRLEN - skip), NLMSGERR_ATTR_MSG);
	if (text)
		snprintf(net->words, sizeof(net->words), "%.*s", nla_len(text), (const char *)nla_data(text));
}

static int on_error(struct sockaddr_nl *from, struct nlmsgerr *error, void *argument)
{
	struct lab_net *net = argument;
	(void)from;

	net->answer = error->error;
	net->answered = true;
	read_words(net, error);
	return NL_STOP;
}

static int on_ack(struct nl_msg *msg, void *argument)
{
	struct lab_net *net = argument;
	(void)msg;

	net->answer = 0;
	net->answered = true;
	return NL_STOP;
}

static int open_socket(void *context)
{
	struct lab_net *net = context;
	const int on = 1;
	const struct timeval patience = {.tv_sec = 10};

	net->sock = nl_socket_alloc();
	if (!net->sock)
		return -ENOMEM;
	int rc = nl_connect(net->sock, NETLINK_ROUTE);
	if (rc < 0)
		return errno ? -errno : -EIO;
	int fd = nl_socket_get_fd(net->sock);
	/* without these the answers are only poorer */
	setsockopt(fd, SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof(on));
	setsockopt(fd, SOL_NETLINK, NETLINK_CAP_ACK, &on, sizeof(on));
	return setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience)) < 0 ? -errno : 0;
}

static int fail_open(int rc, const char *what, struct libbond_error *err)
{
	if (rc == -ENOMEM)
		return lab_fail_memory(err);
	lab_fail(err, rc == -EPERM ? LIBBOND_CAUSE_PERMISSION : LIBBOND_CAUSE_SYSTEM, -rc,
	         "cannot %s a network namespace: %s", what, strerror(-rc));
	if (rc == -EPERM)
		lab_fail_hint(err, "run it as root, or with CAP_SYS_ADMIN and CAP_NET_ADMIN");
	if (rc == -ENOSPC)
		lab_fail_hint(err, "user.max_net_namespaces is reached");
	return rc;
}

/* Takes the descriptor over. */
static int net_on(struct lab_net **out, int fd, struct libbond_error *err)
{
	struct lab_net *net = calloc(1, sizeof(*net));

	if (!net) {
		close(fd);
		return lab_fail_memory(err);
	}
	net->fd = fd;
	net->cb = nl_cb_alloc(NL_CB_DEFAULT);
	int rc = net->cb ? lab_netns_call(fd, open_socket, net) : -ENOMEM;
	if (rc < 0) {
		lab_net_free(net);
		return fail_open(rc, "open a socket in", err);
	}
	nl_cb_err(net->cb, NL_CB_CUSTOM, on_error, net);
	nl_cb_set(net->cb, NL_CB_ACK, NL_CB_CUSTOM, on_ack, net);
	*out = net;
	return 0;
}

int lab_net_new(struct lab_net **out, struct libbond_error *err)
{
	int fd;
	int rc = lab_netns_new(&fd);
	return rc < 0 ? fail_open(rc, "make", err) : net_on(out, fd, err);
}

int lab_net_join(struct lab_net **out, int netns, struct libbond_error *err)
{
	int fd = fcntl(netns, F_DUPFD_CLOEXEC, 3);
	return fd < 0 ? fail_open(-errno, "share", err) : net_on(out, fd, err);
}

void lab_net_free(struct lab_net *net)
{
	if (!net)
		return;
	nl_socket_free(net->sock);
	if (net->cb)
		nl_cb_put(net->cb);
	close(net->fd);
	free(net);
}

int lab_net_fd(const struct lab_net *net)
{
	return net->fd;
}

/* Any socket answers such questions for its own namespace. */
static int ask(const struct lab_net *net, const char *name, unsigned long question, struct ifreq *request)
{
	if (strlen(name) >= sizeof(request->ifr_name))
		return -ENODEV;
	memcpy(request->ifr_name, name, strlen(name));
	return ioctl(nl_socket_get_fd(net->sock), question, request) < 0 ? -errno : 0;
}

int lab_net_index(const struct lab_net *net, const char *name)
{
	struct ifreq request = {0};
	int rc = ask(net, name, SIOCGIFINDEX, &request);
	return rc < 0 ? rc : request.ifr_ifindex;
}

int lab_net_flags(const struct lab_net *net, const char *name)
{
	struct ifreq request = {0};
	int rc = ask(net, name, SIOCGIFFLAGS, &request);
	return rc < 0 ? rc : request.ifr_flags & 0x7fff;
}

static enum libbond_cause cause_of(int errnum)
{
	switch (errnum) {
	case ENODEV:
		return LIBBOND_CAUSE_NO_DEVICE;
	case EPERM:
	case EACCES:
		return LIBBOND_CAUSE_PERMISSION;
	case EEXIST:
		return LIBBOND_CAUSE_EXISTS;
	case EAGAIN:
		return LIBBOND_CAUSE_TIMEOUT;
	default:
		return LIBBOND_CAUSE_REFUSED;
	}
}

int lab_net_no_device(const char *what, const char *device, struct libbond_error *err)
{
	lab_fail(err, LIBBOND_CAUSE_NO_DEVICE, ENODEV, "cannot %s %s: no such device", what, device);
	lab_fail_device(err, device);
	return -ENODEV;
}

int lab_net_talk(struct lab_net *net, struct nl_msg *msg, const char *what, const char *device,
                 struct libbond_error *err)
{
	if (!msg)
		return lab_fail_memory(err);
	net->answered = false;
	net->words[0] = '\0';
	nlmsg_hdr(msg)->nlmsg_flags |= NLM_F_REQUEST | NLM_F_ACK;
	int rc = nl_send_auto(net->sock, msg);
	nlmsg_free(msg);
	while (rc >= 0 && !net->answered)
		rc = nl_recvmsgs(net->sock, net->cb);
	if (!net->answered)
		net->answer = rc == -NLE_AGAIN ? -EAGAIN : -EIO;
	if (net->answer == 0)
		return 0;
	lab_fail(err, cause_of(-net->answer), -net->answer, "cannot %s %s: %s", what, device, strerror(-net->answer));
	lab_fail_device(err, device);
	lab_fail_kernel(err, net->words);
	return net->answer;
}
