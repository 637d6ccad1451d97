#ifndef QMASTER_CONFIG_INITIAL_STATE_H
#define QMASTER_CONFIG_INITIAL_STATE_H

#include "daemons/qmaster/tables/qmaster.h"

/* What initial_state of queue_conf(5) makes of queue instances: enabled or disabled, when they are
 * added and whenever the execd of their host starts. Whatever people say in between holds. */

/* initial_state_begin - QI has just been added. Sends no events */
void initial_state_begin(struct qmaster *q, struct qinstance *qi);
/* initial_state_host - the execd of H has started, and not just come back: its instances follow,
 * and event clients receive those that differ. O(instances of H) */
void initial_state_host(struct qmaster *q, struct host *h);

#endif
