/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Changes, plans and reports as words, so that tests can be tables. */
#ifndef WORDS_H
#define WORDS_H

#include "libbond.h"

/*
 * A change out of statements that end with ";":
 *   bond NAME [@create @new @delete @exact @lenient] [OPTION VALUE ...]
 *   in|out|has SLAVE [OPTION VALUE ...]         of the bond before: joins, leaves, is one
 *   replace OLD NEW [WAIT_MS]
 *   defaults OPTION VALUE ...                   for the bond before, if it is created
 *   prune
 * A statement that the library refuses fails the test. Free it with libbond_change_free().
 */
struct libbond_change *unit_change(const char *statements);

/*
 * The steps of a plan: "down bond0 !lacp_rate; set bond0 lacp_rate=fast !lacp_rate; up bond0 !lacp_rate", with the
 * option that forces them behind "!" (bond_down) or "!!" (slaves_out), a text in parentheses.
 */
const char *unit_plan_text(const struct libbond_plan *plan, char *buf, size_t size);

/*
 * The lines of a report: "bond0 miimon 50 applied; eth0 enslave applied (note); eth0 put_back mtu 9000 applied". With
 * "was": "bond0 miimon 50 was 100 applied".
 */
const char *unit_report_text(const struct libbond_report *report, int with_was, char *buf, size_t size);

#endif
