#ifndef QMASTER_HOSTS_CONF_NOTIFICATIONS_H
#define QMASTER_HOSTS_CONF_NOTIFICATIONS_H

#include "daemons/qmaster/tables/qmaster.h"

/* Configurations go to the execds: to one that registers (exec_send_conf), and to all that a change
 * concerns. That may be 10,000: they are notified in slices, in turns of who made the change. */
struct conf_round;

/* conf_changed - the configuration NAME is new, has changed or has gone: its host is notified, or,
 * of the global one, all hosts that are connected. The first slice is done at once.
 * O(hosts concerned) */
void conf_changed(struct qmaster *q, uint64_t user, const char *name);

#endif
