#ifndef QMASTER_JOBS_TASKS_H
#define QMASTER_JOBS_TASKS_H

#include "daemons/qmaster/jobs/slots.h"

/* What can happen to a task, each with everything that follows from it: slots, holds of successors,
 * accounting, events, spool. The state changes by the table of libs/sgeobj/task_state.h and in one
 * function; an event that the table refuses is logged and changes nothing. */

/* task_start - an order was found good: the task has slots in all the PLACES and goes to the host
 * of the first
 *   prio  what the scheduler says of it, for people */
void task_start(struct qmaster *q, struct job *job, uint32_t ordinal, const struct places *places,
                double prio);
/* task_report - the execd's word on a start that is this task's present attempt: it runs, or it
 * ended */
void task_report(struct qmaster *q, struct task *t, const struct JR_Type *report);
/* task_lost - its execd does not know a start: it is put back, or ends if it ran and may not run
 * again, as -r, the queue's rerun and its checkpoints say */
void task_lost(struct qmaster *q, struct task *t);
/* task_kill - end it wherever it is: signalled when it runs (its end comes as a report), or gone at
 * once when it waits. One that waits and has saved its state where it ran last ends when its
 * clean_command has run there */
void task_kill(struct qmaster *q, struct task *t);
/* task_drop - it counts as ended now, whatever its host may say later (qdel -f); without
 * clean_command if it waits */
void task_drop(struct qmaster *q, struct task *t);
/* task_reschedule - end this start and put the task back (qmod -rj); with FORCE without waiting for
 * its host */
void task_reschedule(struct qmaster *q, struct task *t, bool is_forced);
/* task_is_rerunnable - may a start that may have begun be given up for another: -r y, or rerun of
 * its queue, or, of a task with checkpoints, the letter r
 * task_give_away - put T back without its host, which has been away for too long: should it come
 * back, that start is a stranger's there */
bool task_is_rerunnable(struct qmaster *q, const struct task *t);
void task_give_away(struct qmaster *q, struct task *t);
/* task_suspend - REASON (one of TASK_SUSPENSIONS) for T to be suspended comes or goes; T runs only
 * when none is left */
void task_suspend(struct qmaster *q, struct task *t, uint32_t reason, bool is_on);
/* task_finish - T, which has ended (JAT_end), has no slaves left */
void task_finish(struct qmaster *q, struct task *t);
/* task_clear_error - T, which is in error, may start again */
void task_clear_error(struct qmaster *q, struct task *t);
/* tasks_delete_pending - PENDING, some of JB_ja_pending_ids and no others, end without having run.
 * O(ranges); the job may be gone afterwards: returns false then */
bool tasks_delete_pending(struct qmaster *q, struct job *job, const struct range_set *pending);

#endif
