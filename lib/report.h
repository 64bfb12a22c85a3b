/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writing a report: the lines are made before anything is sent, as "not tried", and marked afterwards, so
 * that running out of memory can only ever stop a change before it began. All take report == NULL.
 */
#ifndef LB_REPORT_H
#define LB_REPORT_H

#include "config.h"

/* A line about a device ("create", "delete", "enslave", "release"), not tried yet. 0 or -ENOMEM. */
int lb_report_device(struct libbond_report *report, const char *device, const char *action);
/* A line about a wanted value of a device, not tried yet. 0 or -ENOMEM. */
int lb_report_want(struct libbond_report *report, const char *device, const struct lb_want *want);
/* Set the outcome of the line about an attribute of a device; attr NULL: of the device itself. */
void lb_report_mark(struct libbond_report *report, const char *device, const struct libbond_attr *attr,
                    enum libbond_outcome outcome);
/* What became of a request that failed like this: refused by the kernel, or nobody knows, since no answer
 * came. err is not NULL. */
enum libbond_outcome lb_outcome_of(const struct libbond_error *err);
/* Change every line of one outcome to another. */
void lb_report_turn(struct libbond_report *report, enum libbond_outcome from, enum libbond_outcome to);
/* Take over outcomes and notes of the lines that both reports have. Either may be NULL. */
void lb_report_merge(struct libbond_report *report, const struct libbond_report *from);
/* Add what a person should know to a line; several notes are joined by "; ". */
__attribute__((format(printf, 4, 5))) void lb_report_note(struct libbond_report *report, const char *device,
                                                          const struct libbond_attr *attr, const char *format, ...);

#endif
