#ifndef QMASTER_CONFIG_CALENDARS_H
#define QMASTER_CONFIG_CALENDARS_H

#include "daemons/qmaster/tables/qmaster.h"

/* Calendars of queues in time: which state the queue instances with a calendar are in now
 * (struct calendar_use), in the time zone of the qmaster. A calendar is looked at when its state
 * changes, when it is changed itself, and when the clock was set back; not in between. All its
 * instances are in the new state at once; event clients and tasks follow (reports/queue_suspend.c).
 * No state of a calendar is stored: a restart looks at the clock. Source: calendar_conf(5) */
struct dstr;

/* calendars_settle - QI is new, or its settings may be others: it has the calendar that they name.
 * Sends no events */
void calendars_settle(struct qmaster *q, struct qinstance *qi);
/* calendars_changed - the calendar NAME is another one now. O(calendars in use) */
void calendars_changed(struct qmaster *q, const char *name);
/* calendars_step - those whose time has come. To be called in each turn; one comparison while none
 * has, else O(calendars in use) */
void calendars_step(struct qmaster *q);
/* calendars_wake_us - the turn must begin at this time of the monotonic clock, or before LATEST_US,
 * which comes first. Reads the wall clock in the second before a change */
uint64_t calendars_wake_us(const struct qmaster *q, uint64_t latest_us);
/* calendars_explain - append what the calendar of QI does there, and until when; nothing while it
 * leaves the instance on */
void calendars_explain(const struct qinstance *qi, struct dstr *out);

#endif
