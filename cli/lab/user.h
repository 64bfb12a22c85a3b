/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where an ordinary user can make network namespaces: in a user namespace of the process's own. */
#ifndef LAB_USER_H
#define LAB_USER_H

#include "libbond.h"

enum lab_user {
	LAB_USER_ROOT,     /* this process may make namespaces as it is; nothing was done */
	LAB_USER_NAMESPACE /* it is root of a fresh user and network namespace now, and of nothing outside them */
};

/*
 * See to it that this process can make and change network namespaces. To be called before any thread is started,
 * since only a process of one thread may change its user namespace (-EINVAL). What root of a user namespace cannot do
 * (read /dev/kmsg, the privileged LACP values, load modules of its own) stays so.
 *
 * -EPERM, -EACCES, -ENOSPC, -EUSERS, -EINVAL, -ENOSYS: the kernel does not allow it; err says which setting is why.
 */
int lab_user_enter(enum lab_user *out, struct libbond_error *err);

#endif
