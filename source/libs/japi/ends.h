#ifndef JAPI_ENDS_H
#define JAPI_ENDS_H

#include "libs/japi/japi.h"

/* The jobs of a session: which of their tasks have not ended, and how the others did until somebody
 * takes that. Pure, not thread safe. A job goes with its last end; tasks that end without an end of
 * their own (deleted before they ran) are kept as ranges. */
struct ends;
struct JR_Type;

/* ends_new - no jobs; new: ends_free. ends_free - NULL is fine */
struct ends *ends_new(void);
void ends_free(struct ends *all);

/* ends_add_job - JOB (its number, tasks and type) has been submitted; none of its tasks has ended.
 * A job that is there already stays as it is. */
void ends_add_job(struct ends *all, const struct JB_Type *job, uint32_t number);
/* ends_add - a task has ended as REPORT says. False: that is no news, or nobody's task. */
bool ends_add(struct ends *all, const struct JR_Type *report);
/* ends_finish_job - the job is gone: tasks that have not ended never will
 *   is_known  they never ran; else nobody knows */
void ends_finish_job(struct ends *all, uint32_t number, bool is_known);

enum ends_have {
    ENDS_NONE,       /* there is no such task, or its end has been taken */
    ENDS_UNFINISHED, /* it has not ended; of a job: not all of it has */
    ENDS_ENDED       /* it has ended; of a job: all of it */
};
/* ends_look - what is known of ID
 *   out  NULL, or how it ended, borrowed members; only for a task */
enum ends_have ends_look(const struct ends *all, const struct japi_id *id, struct japi_ended *out);
/* ends_take - take the end of ID (NULL: the one that has waited longest) into OUT, which is empty.
 * ENDS_UNFINISHED without an id: there are tasks, but none has ended. *IS_KNOWN: does anybody know
 * how? */
enum ends_have ends_take(struct ends *all, const struct japi_id *id, struct japi_ended *out,
                         bool *is_known);
/* ends_drop - take all ends of ID, which may be a whole job; returns how many there were */
uint32_t ends_drop(struct ends *all, const struct japi_id *id);
/* ends_jobs - append the numbers of all jobs to *OUT (free() it), of which there are *N */
void ends_jobs(const struct ends *all, uint32_t **out, uint32_t *n);

#endif
