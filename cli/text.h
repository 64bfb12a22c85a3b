/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bonds as text for people. */
#ifndef TEXT_H
#define TEXT_H

#include "libbond.h"

/* One bond: what matters first, then options that differ from their default, or all. */
void text_bond(const struct libbond_link *bond, int details);

#endif
