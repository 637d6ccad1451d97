#ifndef QMASTER_JOBS_TASK_ACTIONS_H
#define QMASTER_JOBS_TASK_ACTIONS_H

#include "daemons/qmaster/jobs/slots.h"
#include "libs/sgeobj/checkpoint.h"
#include "libs/sgeobj/job_request.h"
#include "libs/sgeobj/task_state.h"

/* What follows from an event in the life of a task, after its state has changed. */
struct happening {
    enum task_state from;
    enum task_action action;
    uint32_t reason;              /* of a suspension */
    const struct JR_Type *report; /* of a start or an end; this with the usage of its petasks */
    const struct JR_Type *own;    /* of an end: the task's own */
    const struct places *places;  /* of an order, and its priority */
    double prio;
};
/* task_act - the action of H; T may be gone afterwards */
void task_act(struct qmaster *q, struct task *t, const struct happening *h);
/* task_ordinals_ended - ENDED, which have no records any more, have ended as REPORT says (NULL:
 * without having run). Returns false if the job has gone */
bool task_ordinals_ended(struct qmaster *q, struct job *job, const struct range_set *ended,
                         const struct JR_Type *report);
/* tasks_end_delays - tasks that were put back and whose time has come may start again; 10,000 at
 * most, the others next time */
void tasks_end_delays(struct qmaster *q);
/* task_repeat_signal - its host may have missed a signal: it is sent what the state of T wants
 * task_signal_wanted - what that is; 0: nothing */
void task_repeat_signal(struct qmaster *q, const struct task *t);
int task_signal_wanted(const struct task *t);

/* is_own_end - did the task end by itself, and not because it was to end or to start again? */
static inline bool is_own_end(enum task_state from)
{
    return from != TASK_STATE_DELETING && from != TASK_STATE_RESCHEDULING;
}

/* migrates_when_stopped - does its environment have it migrate instead? */
static inline bool migrates_when_stopped(const struct task *t)
{
    return checkpoint_is_at(&t->rec, CHECKPOINT_SUSPEND);
}

#endif
