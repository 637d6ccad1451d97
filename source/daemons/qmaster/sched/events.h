#ifndef QMASTER_SCHED_EVENTS_H
#define QMASTER_SCHED_EVENTS_H

#include "daemons/qmaster/change/sessions.h"

/* The stream of changes to event clients (the scheduler). A client that registers gets the state as
 * a stream of the same events, by cursor, a bounded step a turn; changes to what lies behind the
 * cursor are sent, what lies ahead will be read as it is then. Events leave at once, ahead of the
 * disk: the scheduler's orders come back to this core and commit later in the same log. */
struct events;
/* events_new - nobody is connected; new: events_free. events_free - NULL is fine */
struct events *events_new(void);
void events_free(struct events *e);
/* events_on_register - the scheduler S has registered: the state begins to go out; an older
 * connection ends
 * events_on_ack - it has acknowledged packages. The body of F stays the caller's.
 * events_on_closed - a connection has gone, the scheduler's or another */
void events_on_register(struct qmaster *q, struct session *s, struct frame *f);
void events_on_ack(struct qmaster *q, struct session *s, struct frame *f);
void events_on_closed(struct qmaster *q, uint64_t conn);
/* events_is_scheduler - is it at the other end of CONN? */
bool events_is_scheduler(const struct qmaster *q, uint64_t conn);
/* events_has_scheduler - is one connected? Without one nothing starts. */
bool events_has_scheduler(const struct qmaster *q);
/* events_step - send the next bounded part of the state to a new scheduler; true while there is
 * more
 * events_flush - send what this turn has collected */
bool events_step(struct qmaster *q);
void events_flush(struct qmaster *q);
/* events_start_anew - events cannot mend what the scheduler knows: its connection ends, it
 * registers again and receives the whole state */
void events_start_anew(struct qmaster *q);
/* events_check - end a scheduler that has acknowledged nothing for a minute although events wait;
 * its keeper starts another */
void events_check(struct qmaster *q);

/* ---- what has changed; nothing happens without a scheduler, or while it has not heard of the
 * object yet. IDS and ORDINAL are ordinals of tasks. ---- */
/* events_job_add, _mod, _del - JOB is new, was altered, is about to go */
void events_job_add(struct qmaster *q, struct job *job);
void events_job_mod(struct qmaster *q, struct job *job);
void events_job_del(struct qmaster *q, struct job *job);
/* events_tasks_ready, events_task_ready - these tasks may start from now on
 * events_tasks_startable - those of IDS that may start now are ready
 * events_tasks_unready - they may not */
void events_tasks_ready(struct qmaster *q, struct job *job, const struct range_set *ids);
void events_tasks_startable(struct qmaster *q, struct job *job, const struct range_set *ids);
void events_tasks_unready(struct qmaster *q, struct job *job, const struct range_set *ids);
void events_task_ready(struct qmaster *q, struct job *job, uint32_t ordinal);
/* events_task_started - T takes its slots
 * events_task_ended - they are free */
void events_task_started(struct qmaster *q, struct task *t);
void events_task_ended(struct qmaster *q, struct task *t);
/* events_order_undone - an order was refused, and its tasks cannot start: their slots are free */
void events_order_undone(struct qmaster *q, uint32_t job, const struct range_set *ids,
                         const char *queue, uint32_t slots);
/* events_queue_add, _mod, _del - a queue instance came, changed, has gone */
void events_queue_add(struct qmaster *q, struct qinstance *qi);
void events_queue_mod(struct qmaster *q, struct qinstance *qi);
void events_queue_del(struct qmaster *q, const char *full_name);
/* events_conf - a configuration has changed. events_trigger - somebody asks for a run (qconf
 * -tsm) */
void events_conf(struct qmaster *q, const struct CONF_Type *conf);
void events_trigger(struct qmaster *q);

#endif
