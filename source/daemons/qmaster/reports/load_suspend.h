#ifndef QMASTER_REPORTS_LOAD_SUSPEND_H
#define QMASTER_REPORTS_LOAD_SUSPEND_H

#include "daemons/qmaster/tables/qmaster.h"

/* Tasks that stand still because their host has too much load. Source: suspend_thresholds, nsuspend
 * and suspend_interval in queue_conf(5) */

/* load_suspend_step - where a suspend threshold is exceeded the next nsuspend tasks are suspended,
 * and where none is any more as many go on; to be called once a second. O(queue instances in such a
 * state, and once in suspend_interval x nsuspend x tasks on their hosts) */
void load_suspend_step(struct qmaster *q);

/* load_suspend_find - the execd of H is here: its queue instances with tasks that stand still,
 * after a restart, are looked at again. O(tasks of H) */
void load_suspend_find(struct qmaster *q, struct host *h);

#endif
