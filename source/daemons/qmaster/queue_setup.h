#ifndef QMASTER_QUEUE_SETUP_H
#define QMASTER_QUEUE_SETUP_H

#include "daemons/qmaster/qmaster.h"

/* queue_resolve - make or bring up to date the instances of CQ on every execution host its hostlist means; instances whose host left
 * the list go, or become orphans while tasks run in them. O(hosts). queue_resolve_all - the same for all queues: a host came or went */
void queue_resolve(struct qmaster *q, struct cqueue *cq);
void queue_resolve_all(struct qmaster *q);
/* queue_bring_back - after a restart: the instance FULL_NAME that tasks run in although its host has left the queue
 * Returns it, an orphan; NULL if there is no such queue or host. */
struct qinstance *queue_bring_back(struct qmaster *q, const char *full_name);
/* queue_drop_orphans - orphans in which nothing runs any more go. Once in a while: O(1) if there is none. */
void queue_drop_orphans(struct qmaster *q);
/* queue_drop - the cluster queue goes with its instances; false (nothing done) while tasks run in them */
bool queue_drop(struct qmaster *q, struct cqueue *cq);

#endif
