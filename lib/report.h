/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Writing a report: the lines are made before anything is sent, as "not tried", and marked afterwards, so
 * that running out of memory can only ever stop a change before it began. All take report == NULL.
 */
#ifndef LB_REPORT_H
#define LB_REPORT_H

#include "config.h"
#include "snapshot.h"

/* A line about a device ("create", "delete", "enslave", "release"), not tried yet. 0 or -ENOMEM. */
int lb_report_device(struct libbond_report *report, const char *device, const char *action);
/* A line about a wanted value of a device, with what it was (link may be NULL), not tried yet. 0 or -ENOMEM. */
int lb_report_want(struct libbond_report *report, const char *device, const struct libbond_link *link,
                   const struct lb_want *want);
/* The same with another action: "put_back", "lose". */
int lb_report_value(struct libbond_report *report, const char *device, const char *action,
                    const struct libbond_link *link, const struct lb_want *want);
/* A "lose" line about a value of which nobody knows what it will be. 0 or -ENOMEM. */
int lb_report_lost(struct libbond_report *report, const char *device, const struct libbond_link *link,
                   const struct libbond_attr *attr);
/* A line about something that hangs on a device: an address, a route. *line is its place. 0 or -ENOMEM. */
int lb_report_beside(struct libbond_report *report, const char *device, const char *action, const char *text,
                     size_t *line);
/* The same, with its outcome and a note at once. 0 or -ENOMEM. */
int lb_report_thing(struct libbond_report *report, const char *device, const char *action, const char *text,
                    enum libbond_outcome outcome, const char *note);
/* Set the outcome of such a line; note may be NULL. */
void lb_report_mark_line(struct libbond_report *report, size_t line, enum libbond_outcome outcome, const char *note);
/* Set the outcome of the line about an attribute of a device; attr NULL: of the device itself. */
bool lb_report_has(struct libbond_report *report, const char *device, const struct libbond_attr *attr);
void lb_report_mark(struct libbond_report *report, const char *device, const struct libbond_attr *attr,
                    enum libbond_outcome outcome);
/* The same of the line with this action, where there are several. */
void lb_report_mark_action(struct libbond_report *report, const char *device, const struct libbond_attr *attr,
                           const char *action, enum libbond_outcome outcome);
/* What became of a request that failed like this: refused by the kernel, or nobody knows, since no answer
 * came. err is not NULL. */
enum libbond_outcome lb_outcome_of(const struct libbond_error *err);
/* Change every line of one outcome to another. */
void lb_report_turn(struct libbond_report *report, enum libbond_outcome from, enum libbond_outcome to);
/* All has been done: what was to be put back has been, what was to be lost is. */
void lb_report_settle(struct libbond_report *report);
/* Add what a person should know to a line; several notes are joined by "; ". */
__attribute__((format(printf, 4, 5))) void lb_report_note(struct libbond_report *report, const char *device,
                                                          const struct libbond_attr *attr, const char *format, ...);

#endif
