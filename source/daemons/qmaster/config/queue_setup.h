#ifndef QMASTER_CONFIG_QUEUE_SETUP_H
#define QMASTER_CONFIG_QUEUE_SETUP_H

#include "daemons/qmaster/tables/qmaster.h"

/* queue_resolve - make or bring up to date the instances of CQ on every execution host its hostlist
 * means; instances whose host left the list go, or become orphans while tasks run in them.
 * O(hosts). queue_resolve_host - the same for one host and all queues: it came or changed.
 * queue_resolve_all - for all of both: the qmaster starts */
void queue_resolve(struct qmaster *q, struct cqueue *cq);
void queue_resolve_host(struct qmaster *q, struct host *h);
void queue_resolve_all(struct qmaster *q);
/* queue_resolve_members - the same for the hosts that MEMBERS of a host group are, directly or
 * through groups: they came to the group or left it. What is as it was is announced to nobody.
 * O(those hosts x queues) */
void queue_resolve_members(struct qmaster *q, const struct ST_Type_list *members);
/* queue_bring_back - after a restart: the instance FULL_NAME that tasks run in although its host
 * has left the queue
 * Returns it, an orphan; NULL if there is no such queue or host. */
struct qinstance *queue_bring_back(struct qmaster *q, const char *full_name);
/* queue_drop_orphans - orphans in which nothing runs any more go. Once in a while: O(1) without
 * any. */
void queue_drop_orphans(struct qmaster *q);
/* queue_drop - the cluster queue goes with its instances; false (nothing done) while tasks run in
 * them */
bool queue_drop(struct qmaster *q, struct cqueue *cq);

#endif
