/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Many command lines in one process, over one socket. */
#ifndef BATCH_H
#define BATCH_H

#include "bondctl.h"

/* Run the lines of settings.batch. The status of the first line that failed; with --keep-going all run. */
int batch_run(struct context *context);

#endif
