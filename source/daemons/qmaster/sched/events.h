#ifndef QMASTER_SCHED_EVENTS_H
#define QMASTER_SCHED_EVENTS_H

#include "daemons/qmaster/change/connections.h"

/* The stream of changes to event clients; the scheduler is one of them. A client that registers
 * gets the state as a stream of the same events, by cursor, a bounded step at a time; changes to
 * what lies behind the cursor are sent, what lies ahead will be read as it is then. To the
 * scheduler events leave at once, ahead of the disk: its orders come back to this core and commit
 * later in the same log. To all others they leave when they are durable. Who is slow costs memory
 * up to a limit, and no time of other clients. */
struct events;
struct prior_book;
struct subscriber;
/* event clients of a user who is not a manager, at a time */
enum { EVENT_CLIENTS_OF_USER = 16 };
/* what clients are called: the scheduler, and the first of all others */
enum { EVENT_CLIENT_SCHEDULER = 1, EVENT_CLIENT_FIRST = 11 };
/* events_new - no client is connected; new: events_free. events_free - NULL is fine */
struct events *events_new(void);
void events_free(struct events *e);
/* events_on_register - S has registered, and the state begins to go out; if it is the scheduler's,
 * the connection of an older one ends
 * events_on_ack - it has acknowledged packages. The body of F stays the caller's.
 * events_on_closed - a connection has gone, an event client's or another */
void events_on_register(struct qmaster *q, struct connection *s, struct frame *f);
void events_on_ack(struct qmaster *q, struct connection *s, struct frame *f);
void events_on_closed(struct qmaster *q, uint64_t conn);
/* events_find - the client at the other end of CONN, or NULL. O(clients). */
struct subscriber *events_find(const struct qmaster *q, uint64_t conn);
/* events_is_scheduler - is it at the other end of CONN? */
bool events_is_scheduler(const struct qmaster *q, uint64_t conn);
/* events_has_scheduler - is one connected? Without one nothing starts. */
bool events_has_scheduler(const struct qmaster *q);
/* events_prior - what priorities follow from, as the scheduler said last
 * (libs/sched/policy/prior.h); stays when it goes, until the next one begins. O(1) */
struct prior_book *events_prior(const struct qmaster *q);
/* events_reserved - what is reserved for pending tasks, by job and task, as the scheduler said
 * last; none when the next one begins. Changed by its orders alone. O(1) */
struct RV_Type_list *events_reserved(const struct qmaster *q);
/* events_each - FN for each client, the scheduler first, until it returns false; FN may end it.
 * O(clients). */
typedef bool events_fn(void *ctx, struct qmaster *q, struct subscriber *sub);
void events_each(struct qmaster *q, events_fn *fn, void *ctx);
/* events_end - SUB, which is not the scheduler, receives WHY and is removed */
void events_end(struct qmaster *q, struct subscriber *sub, const char *why);
/* events_step - send the next bounded part of the state to a new scheduler; true while there is
 * more
 * events_flush - send what this turn has collected */
bool events_step(struct qmaster *q);
void events_flush(struct qmaster *q);
/* events_start_anew - events cannot mend what the scheduler knows: its connection ends, it
 * registers again and receives the whole state */
void events_start_anew(struct qmaster *q);
/* events_check - once a second: end a client that has acknowledged nothing for a minute although
 * events wait; the scheduler has SCHEDULER_SILENCE, its keeper starts another, and the job at which
 * it hung is set aside (job_rare), like one at which it crashed */
void events_check(struct qmaster *q);

/* ---- what has changed, for all clients that subscribe to it and know the object. IDS and
 * ORDINAL are ordinals of tasks. O(clients). ---- */
/* events_job_add, _mod, _del - JOB is new, was altered, is about to go */
void events_job_add(struct qmaster *q, struct job *job);
void events_job_mod(struct qmaster *q, struct job *job);
void events_job_del(struct qmaster *q, struct job *job);
/* events_tasks_ready, events_task_ready - these tasks may start from now on
 * events_tasks_startable - those of IDS that may start now are ready
 * events_tasks_unready - they may not
 * events_tasks_unstartable - those of IDS that may start are about not to: call it before */
void events_tasks_ready(struct qmaster *q, struct job *job, const struct range_set *ids);
void events_tasks_startable(struct qmaster *q, struct job *job, const struct range_set *ids);
void events_tasks_unready(struct qmaster *q, struct job *job, const struct range_set *ids);
void events_tasks_unstartable(struct qmaster *q, struct job *job, const struct range_set *ids);
void events_task_ready(struct qmaster *q, struct job *job, uint32_t ordinal);
/* events_task_started - T takes its slots
 * events_task_ended - they are free */
void events_task_started(struct qmaster *q, struct task *t);
void events_task_ended(struct qmaster *q, struct task *t);
/* events_task_state - T is in error, or no longer; is suspended, or goes on */
void events_task_state(struct qmaster *q, struct task *t);
/* events_tasks_done - they have ended permanently, as REPORT says; NULL: they did not run */
struct JR_Type;
void events_tasks_done(struct qmaster *q, const struct job *job, const struct range_set *ids,
                       const struct JR_Type *report);
/* events_order_undone - an order was refused, and its tasks cannot start: their slots are free */
void events_order_undone(struct qmaster *q, uint32_t job, const struct range_set *ids,
                         const struct JG_Type_list *granted);
/* events_queue_add, _mod, _del - a queue instance came, changed, is about to go */
void events_queue_add(struct qmaster *q, struct qinstance *qi);
void events_queue_mod(struct qmaster *q, struct qinstance *qi);
void events_queue_del(struct qmaster *q, const struct qinstance *qi);
/* events_queue_load - the load of its host is another one, which concerns the scheduler alone */
void events_queue_load(struct qmaster *q, struct qinstance *qi);
/* events_conf - a configuration has changed. events_trigger - a manager requests a run (qconf
 * -tsm) */
void events_conf(struct qmaster *q, const struct CONF_Type *conf);
/* events_object, events_object_del - an object of administrators came or changed, goes */
void events_object(struct qmaster *q, const struct TX_Type *object);
void events_object_del(struct qmaster *q, const struct TX_Type *object);
void events_trigger(struct qmaster *q);
/* events_share_usage_gone - what P (tables/usage.h) says is forgotten. What changes in pairs is
 * sent with events_step, once a second at most */
void events_share_usage_gone(struct qmaster *q, const struct usage_pair *p);
/* events_host, events_host_del - what a host has of resources came or changed; it goes
 * events_host_load - it has reported */
void events_host(struct qmaster *q, const struct host *h);
void events_host_load(struct qmaster *q, struct host *h);
void events_host_del(struct qmaster *q, const struct host *h);
/* events_ar, events_ar_del - an advance reservation came or has begun; it goes */
void events_ar(struct qmaster *q, const struct ar *ar);
void events_ar_del(struct qmaster *q, const struct ar *ar);

#endif
