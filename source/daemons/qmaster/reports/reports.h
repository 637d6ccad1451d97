#ifndef QMASTER_REPORTS_REPORTS_H
#define QMASTER_REPORTS_REPORTS_H

#include "daemons/qmaster/change/connections.h"

/* What hosts and the scheduler send, and what follows from hosts that send nothing. */

/* ---- exec_reports.c: registrations, load and tasks, as execds report them ---- */

/* Every message may come twice: after a reconnect both sides compare what they know. */

/* exec_handle - work on an EXEC frame of S; its body stays the caller's */
void exec_handle(struct qmaster *q, struct connection *s, struct frame *f);
/* exec_on_closed - the connection S of an execd, or of another client, has gone: its host is
 * unreachable */
void exec_on_closed(struct qmaster *q, struct connection *s);

/* ---- orders.c: orders of the scheduler ---- */

/* of one order; a task counts once for each queue instance that it is to have slots in */
#define ORDER_TASKS_MOST 100000

/* orders_handle - a package of orders from the scheduler: each is checked in full and carried out
 * or refused, then the package is acknowledged with the refused ones and why. The scheduler is
 * never trusted. */
void orders_handle(struct qmaster *q, struct connection *s, struct frame *f);

/* ---- presence.c: which hosts have an execd, and the tasks of those without ---- */

/* Source: max_unheard and reschedule_unknown in sge_conf(5) */

/* presence_begin - H is there, its execd is at the other end of S: an older connection ends, the
 * host receives its configuration, its queues open
 * presence_end - the execd of H has gone: its queues are unknown, its tasks may run on */
void presence_begin(struct qmaster *q, struct host *h, struct connection *s);
void presence_end(struct qmaster *q, struct host *h);

/* presence_leaving - the execd of H ends soon: its queues are unknown already, and nothing starts
 * there */
void presence_leaving(struct qmaster *q, struct host *h);

/* presence_check - end the connections of hosts that have been silent for max_unheard, and put
 * back the rerunnable tasks of hosts that have been away for reschedule_unknown. To be called once
 * a second: a qmaster that did not for BLIND_US was stopped or has just started, and received no
 * reports meanwhile, and gives all of them their time anew. O(hosts away + what there is to do);
 * tasks of one host at least, and of no further host after GIVEN_A_CHECK tasks: they come next
 * time. */
enum { BLIND_US = 10000000, GIVEN_A_CHECK = 10000 };
void presence_check(struct qmaster *q);

/* ---- slave_reports.c: slaves of tasks with petasks ---- */

/* If slaves are not ready within SLAVES_START_S the task is put back. Slaves whose hosts have been
 * away for max_unheard (or SLAVES_AWAY_S, if that is 0) count as ended, others SLAVES_END_S after
 * the end of the task. */
enum { SLAVES_START_S = 60, SLAVES_END_S = 600, SLAVES_AWAY_S = 300 };

/* slave_report - what its host says of SLAVE. Its task may be gone afterwards
 * slaves_reconcile - the host H has registered, and SLAVES of it are marked (is_reported)
 * slaves_host_lost - H is away for so long that those there count as ended, now or when their tasks
 * have. O(slaves on H) */
void slave_report(struct qmaster *q, struct slave_host *slave, const struct JR_Type *report);
void slaves_reconcile(struct qmaster *q, struct host *h);
void slaves_host_lost(struct qmaster *q, struct host *h);
/* slaves_check - what has waited for too long; once a second. O(what has)
 * slaves_wait_anew - the time of all that wait begins anew */
void slaves_check(struct qmaster *q);
void slaves_wait_anew(struct qmaster *q);

/* ---- load_suspend.c: tasks suspended because of load ---- */

/* Source: suspend_thresholds, nsuspend and suspend_interval in queue_conf(5) */

/* load_suspend_step - where a suspend threshold is exceeded the next nsuspend tasks are suspended,
 * and where none is any more as many go on; to be called once a second. O(queue instances in such a
 * state, and once in suspend_interval x nsuspend x tasks on their hosts) */
void load_suspend_step(struct qmaster *q);

/* load_suspend_find - the execd of H is here: its queue instances with tasks that stand still,
 * after a restart, are looked at again. O(tasks of H) */
void load_suspend_find(struct qmaster *q, struct host *h);

/* ---- queue_suspend.c: tasks that stop and continue with their queue instances ---- */

/* Source: calendar_conf(5); subordinate_list in queue_conf(5) */

/* queue_suspend_step - tasks in instances that a calendar or another queue has suspended, or that
 * are suspended no longer, stop or continue, and event clients receive the states; in slices
 * (qmaster.h). Returns true while there is more. O(tasks on the hosts of what has turned)
 * queue_suspend_is_due - would it do anything? To be asked in each turn. O(1) */
bool queue_suspend_step(struct qmaster *q);
bool queue_suspend_is_due(const struct qmaster *q);

/* queue_suspend_find - the execd of H is here: its tasks, which could not continue without it, are
 * looked at again. O(tasks of H) where queues may be suspended */
void queue_suspend_find(struct qmaster *q, struct host *h);

/* ---- slotwise.c: tasks whose slots on a host tasks of other queues have ---- */

/* slotwise_look - count the slots on H over the queues of each slot-wise subordinate_list, and call
 * CHANGED for each task that is to stop there from now on, or no longer (is_preempted in struct
 * task and struct slave_host). O(tasks on H x lists on H) */
typedef void slotwise_fn(struct qmaster *q, struct task *t);
void slotwise_look(struct qmaster *q, struct host *h, slotwise_fn *changed);

#endif
