#ifndef QMASTER_CONFIG_SUBORDINATES_H
#define QMASTER_CONFIG_SUBORDINATES_H

#include "daemons/qmaster/tables/qmaster.h"

/* Queue instances that are suspended while many slots of another one on their host are used
 * (is_subordinated of struct qinstance). It follows from the used slots and the settings of the
 * instances on the host, and nothing is stored. Whether the tasks that use the slots run or are
 * suspended themselves does not count, so that a chain of queues stays as it is when its head is
 * suspended. Source: subordinate_list in queue_conf(5) */
struct dstr;

/* subordinates_settle - QI is new, or its settings may be others; subordinates_leave - it is about
 * to go. Its host is looked at by the next subordinates_step */
void subordinates_settle(struct qmaster *q, struct qinstance *qi);
void subordinates_leave(struct qmaster *q, struct qinstance *qi);

/* subordinates_step - compare the queue instances on hosts where slots or settings are others
 * (host_note_unbalanced): from now on they are in the right state, event clients receive those that
 * differ, and their tasks are to follow (queues_note_turned); so do load thresholds there
 * (load_left_update). O(1) without such a host, else O(instances there + entries of their lists) */
void subordinates_step(struct qmaster *q);

/* subordinates_explain - append a line for each instance that suspends QI, with its slots */
void subordinates_explain(const struct qinstance *qi, struct dstr *out);

#endif
