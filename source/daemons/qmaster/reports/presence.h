#ifndef QMASTER_REPORTS_PRESENCE_H
#define QMASTER_REPORTS_PRESENCE_H

#include "daemons/qmaster/change/connections.h"

/* Which hosts have an execd here, and what becomes of the tasks of those that have none. Source:
 * max_unheard and reschedule_unknown in sge_conf(5) */

/* presence_begin - H is there, its execd is at the other end of S: an older connection ends, the
 * host receives its configuration, its queues open
 * presence_end - the execd of H has gone: its queues are unknown, its tasks may run on */
void presence_begin(struct qmaster *q, struct host *h, struct connection *s);
void presence_end(struct qmaster *q, struct host *h);

/* presence_check - end the connections of hosts that have been silent for max_unheard, and put
 * back the rerunnable tasks of hosts that have been away for reschedule_unknown. To be called once
 * a second: a qmaster that did not for BLIND_US was stopped or has just started, and received no
 * reports meanwhile, and gives all of them their time anew. O(hosts away + what there is to do);
 * tasks of one host at least, and of no further host after GIVEN_A_LOOK tasks: they come next
 * time. */
enum { BLIND_US = 10000000, GIVEN_A_LOOK = 10000 };
void presence_check(struct qmaster *q);

#endif
