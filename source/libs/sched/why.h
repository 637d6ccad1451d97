#ifndef SCHED_WHY_H
#define SCHED_WHY_H

#include "libs/sgeobj/rows.h"

struct dstr;

/* a list of reasons names so many queue instances; the rest is a number */
enum { QUEUES_TOLD = 20 };

/* queue_why_not - why a task of a job with REQUEST cannot start in a queue instance as it is now
 *
 *   qu   name, doors, state, types, slots and slots in use
 *   why  gets one text that names the queue, as `scheduling info:` shows it
 *
 * False, and nothing in WHY, if it can. Asks what the scheduler asks (queue.c). Pure. */
bool queue_why_not(const struct QU_Type *qu, const struct JB_Type *request, struct dstr *why);

#endif
