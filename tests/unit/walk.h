/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asking a snapshot everything that can be asked, for tests and fuzz targets that only want it not to break. */
#ifndef WALK_H
#define WALK_H

#include "libbond.h"

/* Touch every byte that the snapshot hands out. Aborts if what it says of itself does not fit together. Returns
 * a number that depends on all of it, so that nothing is optimized away. */
unsigned long walk_snapshot(const struct libbond_snapshot *snapshot);

#endif
