#ifndef QMASTER_SCHED_STREAM_H
#define QMASTER_SCHED_STREAM_H

#include "daemons/qmaster/sched/subscriber.h"

/* The state as events: what a subscriber gets before changes. Queues, objects, hosts and the
 * scheduler's configuration come first, then the jobs by number, each as of its visit, and
 * EV_SYNCED last. */

/* stream_queue - QI as it is now; KIND: EV_QUEUE_ADD or EV_QUEUE_MOD. O(fields). */
void stream_queue(struct subscriber *sub, enum event_kind kind, const struct qinstance *qi);
/* stream_queue_load - what the scheduler should know of the load of QI's host, and no more */
void stream_queue_load(struct subscriber *sub, const struct qinstance *qi);
/* stream_conf - one configuration
 * stream_object - one object of administrators; KIND: EV_OBJECT, or EV_OBJECT_DEL with its name
 * alone */
void stream_conf(struct subscriber *sub, const struct CONF_Type *conf);
void stream_object(struct subscriber *sub, enum event_kind kind, const struct TX_Type *object);
/* stream_host - what a host has of resources; KIND: EV_HOST, or EV_HOST_DEL with its name alone
 * stream_host_load - its load values alone */
void stream_host(struct subscriber *sub, enum event_kind kind, const struct host *h);
void stream_host_load(struct subscriber *sub, const struct host *h);
/* stream_job - a job that it does not know, and its running tasks */
void stream_job(struct qmaster *q, struct subscriber *sub, struct job *job);

/* stream_usage_gone - P is about to be forgotten
 * stream_usage - pairs whose usage has changed; true while there are more. Nothing within a second
 * of the last one, unless IS_STATE */
void stream_usage_gone(struct subscriber *sub, const struct usage_pair *p);
bool stream_usage(struct qmaster *q, struct subscriber *sub, bool is_state);

/* stream_for_scheduler - the next jobs, as many as a step of the core may have; the queues in the
 * first. True while there are more. */
bool stream_for_scheduler(struct qmaster *q, struct subscriber *sub);
/* stream_begin - all of the state for SUB, in turns of its user; what is under way begins again. It
 * pauses while SUB is behind. */
void stream_begin(struct qmaster *q, struct subscriber *sub);
/* stream_figures - the load of hosts and the used slots of queue instances that have changed since
 * the last time, if SUB wants them, knows the state, and FIGURES_MS have passed: in turns of its
 * user. What changes often in between is sent once; nothing is kept for it but the place of a walk.
 * O(1), and O(hosts + instances) in slices. */
enum { FIGURES_MS = 1000 };
void stream_figures(struct qmaster *q, struct subscriber *sub);
/* stream_go_on - if SUB has room again for what was waiting; stream_end - it goes */
void stream_go_on(struct subscriber *sub);
void stream_end(struct subscriber *sub);

/* stream_ar - an advance reservation came, changed or goes */
void stream_ar(struct subscriber *sub, enum event_kind kind, const struct ar *ar);

#endif
