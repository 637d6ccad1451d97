#ifndef QMASTER_CONFIG_QUEUE_SETUP_H
#define QMASTER_CONFIG_QUEUE_SETUP_H

#include "daemons/qmaster/tables/qmaster.h"

/* queue_resolve_on - make or bring up to date the instance of CQ on H, if the queue's hostlist
 * means it; else the instance goes, or becomes an orphan while tasks run in it. What is as it was
 * is not announced.
 * queue_resolve_host - the same for all queues: H came or changed
 * queue_resolve, queue_resolve_all - on all hosts: for a new cell, and when the qmaster starts */
void queue_resolve_on(struct qmaster *q, struct cqueue *cq, struct host *h);
void queue_resolve_host(struct qmaster *q, struct host *h);
void queue_resolve(struct qmaster *q, struct cqueue *cq);
void queue_resolve_all(struct qmaster *q);
/* queue_foresee - NEXT, empty, becomes what QI would be if its queue were CQ; what people did to it
 * and who may use it are left out. False: its host would not be in the queue. Nothing is changed */
bool queue_foresee(struct qmaster *q, const struct CQ_Type *cq, const struct qinstance *qi,
                   struct QU_Type *next);
/* queue_bring_back - after a restart: the instance FULL_NAME that tasks run in although its host
 * has left the queue
 * Returns it, an orphan; NULL if there is no such queue or host. */
struct qinstance *queue_bring_back(struct qmaster *q, const char *full_name);
/* queue_drop_orphans - orphans in which nothing runs any more go. Once in a while; O(those that the
 * last task has left since) */
void queue_drop_orphans(struct qmaster *q);
/* queue_leave - the cluster queue CQ goes: lookups no longer find it or its instances, and a
 * restart does not either; false (nothing done) while tasks run in them. Its instances go by
 * queue_drop_next. O(1)
 * queue_drop_next - one instance of CQ, which is leaving, is announced as gone and freed; false:
 * there are no more, and CQ is freed
 * queue_drop_leaving_on - the same for all instances on H of queues that are leaving: H is about to
 * go */
bool queue_leave(struct qmaster *q, struct cqueue *cq);
bool queue_drop_next(struct qmaster *q, struct cqueue *cq);
void queue_drop_leaving_on(struct qmaster *q, struct host *h);

/* What initial_state of queue_conf(5) makes of queue instances: enabled or disabled, when they are
 * added and whenever the execd of their host starts. Whatever people say in between holds. */

/* initial_state_begin - QI has just been added. Sends no events */
void initial_state_begin(struct qmaster *q, struct qinstance *qi);
/* initial_state_host - the execd of H has started, and not just come back: its instances follow,
 * and event clients receive those that differ. O(instances of H) */
void initial_state_host(struct qmaster *q, struct host *h);

#endif
