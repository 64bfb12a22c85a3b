/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Enters a user namespace where that is needed, and finds out why it may not. Called once at the start of a program
 * that then uses topology.c, before any thread exists.
 */
#include "lab/user.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lab/fail.h"

#define NEEDED ((1u << CAP_SYS_ADMIN) | (1u << CAP_NET_ADMIN))

/* A user with number 0 whose capabilities were taken away (a container) is an ordinary one here. */
static bool has_capabilities(void)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {0};

	return syscall(SYS_capget, &header, data) == 0 && (data[0].effective & NEEDED) == NEEDED;
}

static int write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	int rc = write(fd, text, strlen(text)) < 0 ? -errno : 0;
	close(fd);
	return rc;
}

static int map_root(const char *path, unsigned id)
{
	char line[32];
	snprintf(line, sizeof(line), "0 %u 1\n", id);
	return write_text(path, line);
}

/* -1 if there is no such setting. */
static long read_setting(const char *path)
{
	char text[32] = "";
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	ssize_t got = read(fd, text, sizeof(text) - 1);
	close(fd);
	return got > 0 ? strtol(text, NULL, 10) : -1;
}

/* What an administrator can have set against it, and the value that says so. */
static const struct {
	int errnum;
	const char *path;
	long value;
	const char *why, *hint;
} settings[] = {
	{EPERM, "/proc/sys/kernel/unprivileged_userns_clone", 0, "kernel.unprivileged_userns_clone is 0",
         "run it as root, or: sysctl kernel.unprivileged_userns_clone=1"},
	{EPERM, "/proc/sys/kernel/apparmor_restrict_unprivileged_userns", 1,
         "AppArmor restricts it (kernel.apparmor_restrict_unprivileged_userns is 1)",
         "run it as root, or: sysctl kernel.apparmor_restrict_unprivileged_userns=0"},
	{EACCES, "/proc/sys/kernel/apparmor_restrict_unprivileged_userns", 1,
         "AppArmor restricts it (kernel.apparmor_restrict_unprivileged_userns is 1)",
         "run it as root, or: sysctl kernel.apparmor_restrict_unprivileged_userns=0"},
	{ENOSPC, "/proc/sys/user/max_user_namespaces", 0, "user.max_user_namespaces is 0",
         "run it as root, or: sysctl user.max_user_namespaces=1000"},
	{ENOSPC, "/proc/sys/user/max_net_namespaces", 0, "user.max_net_namespaces is 0",
         "run it as root, or: sysctl user.max_net_namespaces=1000"},
};

/* What an errno means where no setting explains it. */
static const struct {
	int errnum;
	const char *why;
} reasons[] = {
	{EPERM,
         "a container's filter, a chroot or a security module forbids it, or this is root without its capabilities"},
	{EACCES, "a security module forbids it"},
	{ENOSPC,
         "there are as many as user.max_user_namespaces and user.max_net_namespaces allow, or they are nested "
         "too deep"},
	{EUSERS, "they are nested too deep"},
	{EINVAL, "the process has several threads, or the kernel has no user namespaces"},
	{ENOSYS, "the kernel has no namespaces"},
};

static int refuse(int errnum, struct libbond_error *err)
{
	const char *why = strerror(errnum), *hint = "run it as root";

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (reasons[i].errnum == errnum)
			why = reasons[i].why;
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		if (settings[i].errnum != errnum || read_setting(settings[i].path) != settings[i].value)
			continue;
		why = settings[i].why;
		hint = settings[i].hint;
		break;
	}
	lab_fail(err, LIBBOND_CAUSE_PERMISSION, errnum, "cannot make a user and network namespace: %s", why);
	lab_fail_hint(err, "%s", hint);
	return -errnum;
}

int lab_user_enter(enum lab_user *out, struct libbond_error *err)
{
	unsigned uid = geteuid(), gid = getegid();

	if (has_capabilities()) {
		*out = LAB_USER_ROOT;
		return 0;
	}
	if (unshare(CLONE_NEWUSER | CLONE_NEWNET) < 0)
		return refuse(errno, err);
	/* groups cannot be given up any more from here on: else the map of groups is refused */
	int rc = write_text("/proc/self/setgroups", "deny");
	if (rc == 0 || rc == -ENOENT)
		rc = map_root("/proc/self/uid_map", uid);
	if (rc == 0)
		rc = map_root("/proc/self/gid_map", gid);
	if (rc < 0)
		return refuse(-rc, err);
	*out = LAB_USER_NAMESPACE;
	return 0;
}
