#ifndef QMASTER_QUEUE_SETUP_H
#define QMASTER_QUEUE_SETUP_H

#include "daemons/qmaster/qmaster.h"

/* queue_resolve - make or bring up to date the instances of CQ on every execution host its hostlist means; instances whose host left the list
 * go, or become orphans while tasks run in them. O(hosts). queue_resolve_all - the same for all queues: a host came or went */
void queue_resolve(struct qmaster *q, struct cqueue *cq);
void queue_resolve_all(struct qmaster *q);
/* queue_drop - the cluster queue goes with its instances; false (nothing done) while tasks run in them */
bool queue_drop(struct qmaster *q, struct cqueue *cq);

#endif
