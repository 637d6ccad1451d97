#ifndef QMASTER_JOBS_HOLDS_H
#define QMASTER_JOBS_HOLDS_H

#include "daemons/qmaster/tables/qmaster.h"

/* What keeps pending tasks of a job from starting, as users and administrators decide. */

/* job_set_hold - put or lift KINDS (MINUS_H_TGT_USER ...) on ORDINALS; returns how many tasks
 * changed, and which in CHANGED (optional) */
uint64_t job_set_hold(struct qmaster *q, struct job *job, unsigned kinds, bool is_on,
                      const struct range_set *ordinals, struct range_set *changed);

/* tasks_withdraw - a delete of ORDINALS has begun: they do not start until tasks_give_back or the
 * end of the qmaster
 * tasks_give_back - those that have not ended may start again */
void tasks_withdraw(struct qmaster *q, struct job *job, const struct range_set *ordinals);
void tasks_give_back(struct qmaster *q, struct job *job, const struct range_set *ordinals);

#endif
