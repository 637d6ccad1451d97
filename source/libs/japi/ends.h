#ifndef JAPI_ENDS_H
#define JAPI_ENDS_H

#include "libs/japi/japi.h"

/* The jobs of a session: which of their tasks have not ended, and how the others did until a client
 * takes that. Pure, not thread safe. A job goes with its last end, but what was taken of it is
 * remembered until the qmaster has forgotten it, too, so that an end that it repeats is no
 * news. Tasks that were deleted before they ran are kept as ranges. */
struct ends;
struct EN_Type;
struct EN_Type_list;

/* ends_new - no jobs; new: ends_free. ends_free - NULL is fine */
struct ends *ends_new(void);
void ends_free(struct ends *all);

/* ends_add_job - JOB (its tasks and type) has the number NUMBER and belongs to the session; its
 * tasks have not ended, but those whose ends came before this was known. A job that is there
 * already stays as it is. */
void ends_add_job(struct ends *all, const struct JB_Type *job, uint32_t number);
/* ends_add - tasks have ended as END says. False: that is no news. Of a job that is not there: it
 * is, with these tasks alone. */
bool ends_add(struct ends *all, const struct EN_Type *end);
/* ends_finish_job - the job is gone: the exit of its tasks without an end is unknown */
void ends_finish_job(struct ends *all, uint32_t number);

enum ends_have {
    ENDS_NONE,       /* there is no such task, or its end has been taken */
    ENDS_UNFINISHED, /* it has not ended; of a job: not all of it has */
    ENDS_ENDED       /* it has ended; of a job: all of it */
};
/* ends_look - what is known of ID (NULL: has any task ended?)
 *   out  NULL, or how it ended, borrowed members; of a whole array how its first task did, or
 *        another if that end has been taken; without an id of the one that ends_take would take
 * ends_peek - what ends_take would return now, and how that one ended */
enum ends_have ends_look(const struct ends *all, const struct japi_id *id, struct japi_ended *out);
enum ends_have ends_peek(const struct ends *all, const struct japi_id *id, struct japi_ended *out);
/* ends_take - take the end of ID (NULL: the one that has waited longest) into OUT, which is empty.
 * ENDS_UNFINISHED without an id: there are tasks, but none has ended. *IS_KNOWN: does anybody know
 * how? */
enum ends_have ends_take(struct ends *all, const struct japi_id *id, struct japi_ended *out,
                         bool *is_known);
/* ends_drop - take all ends of ID, which may be a whole job; returns how many there were */
uint32_t ends_drop(struct ends *all, const struct japi_id *id);
/* ends_taken - move what was taken since the last call into OUT, as GR_ends of GDI_ACT_TAKE, of
 * ENDS_TAKEN_MOST jobs at most; false: nothing was
 * ends_forgotten - the qmaster has forgotten these
 * ends_again - it has not, perhaps: they come with the next ends_taken
 * ends_untold - nothing of the last ends_taken reached the qmaster: likewise. Needs no memory */
/* of thousands of jobs a message would ask more memory of the qmaster than its bytes allow */
enum { ENDS_TAKEN_MOST = 128 };
bool ends_taken(struct ends *all, struct EN_Type_list *out);
void ends_forgotten(struct ends *all, const struct EN_Type_list *taken);
void ends_again(struct ends *all, const struct EN_Type_list *taken);
void ends_untold(struct ends *all);
/* ends_is_empty - is there no task whose end has not been taken? */
bool ends_is_empty(const struct ends *all);
/* ends_jobs - the numbers of all jobs with tasks whose ends have not been taken into *OUT (new:
 * free(); NULL: no such job), *N of them */
void ends_jobs(const struct ends *all, uint32_t **out, uint32_t *n);

#endif
