#ifndef QMASTER_SCHED_EVENTS_H
#define QMASTER_SCHED_EVENTS_H

#include "daemons/qmaster/change/sessions.h"

/* The stream of changes to event clients (the scheduler). A client that registers gets the state as a stream of the same events, by
 * cursor, a bounded step a turn; changes to what lies behind the cursor are sent, what lies ahead will be read as it is then.
 * Events leave at once, ahead of the disk: the scheduler's orders come back to this core and commit later in the same log. */
struct events;
struct events *events_new(void);
void events_free(struct events *e);
void events_on_register(struct qmaster *q, struct session *s, struct frame *f);
void events_on_ack(struct qmaster *q, struct session *s, struct frame *f);
void events_on_closed(struct qmaster *q, uint64_t conn);
bool events_is_scheduler(const struct qmaster *q, uint64_t conn);
/* events_has_scheduler - is one connected? Without it nothing starts. */
bool events_has_scheduler(const struct qmaster *q);
/* events_step - the next bounded part of a registration; true while there is more. events_flush - send what was collected */
bool events_step(struct qmaster *q);
void events_flush(struct qmaster *q);
/* events_start_anew - events cannot mend what the scheduler knows: its connection ends, it registers again and receives the whole state */
void events_start_anew(struct qmaster *q);
/* events_check - a scheduler that takes events and for a minute acknowledges none is ended; its keeper starts another */
void events_check(struct qmaster *q);

void events_job_add(struct qmaster *q, struct job *job);
void events_job_mod(struct qmaster *q, struct job *job);
void events_job_del(struct qmaster *q, struct job *job);
void events_tasks_ready(struct qmaster *q, struct job *job, const struct range_set *ids);
/* events_tasks_startable - of IDS those that may start now are ready */
void events_tasks_startable(struct qmaster *q, struct job *job, const struct range_set *ids);
void events_tasks_unready(struct qmaster *q, struct job *job, const struct range_set *ids);
void events_task_ready(struct qmaster *q, struct job *job, uint32_t ordinal);
void events_task_started(struct qmaster *q, struct task *t);
void events_task_ended(struct qmaster *q, struct task *t); /* its slots are free */
/* events_order_undone - an order was refused and the tasks cannot start: only the booking goes */
void events_order_undone(struct qmaster *q, uint32_t job, const struct range_set *ids,
                         const char *queue, uint32_t slots);
void events_queue_add(struct qmaster *q, struct qinstance *qi);
void events_queue_mod(struct qmaster *q, struct qinstance *qi);
void events_queue_del(struct qmaster *q, const char *full_name);
void events_conf(struct qmaster *q, const struct CONF_Type *conf);
void events_trigger(struct qmaster *q);

#endif
