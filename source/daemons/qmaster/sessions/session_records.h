#ifndef QMASTER_SESSIONS_SESSION_RECORDS_H
#define QMASTER_SESSIONS_SESSION_RECORDS_H

#include "daemons/qmaster/sessions/end_records.h"
#include "daemons/qmaster/sessions/job_sessions.h"

/* Which ends a session keeps of each job. */
struct kept_job {
    uint32_t job;
    struct job_session *session;
    struct range_set ran;       /* ordinals with a record each in SPOOL_END */
    struct range_set unrun;     /* those in SPOOL_UNRUN */
    struct range_set unwritten; /* chunks of `unrun` that are to be written */
    uint32_t ja_first, ja_step; /* from ordinals to ids, for `unrun` */
    bool is_array;
    RB_ENTRY(kept_job) in_session;
    TAILQ_ENTRY(kept_job) in_unwritten; /* while there are unwritten chunks */
    UT_hash_handle hh;
};

/* kept_add_ran - S keeps END, of the task ORDINAL of its job
 * kept_add_unrun - S keeps that ORDINALS of REC were deleted before they ran. O(ranges) */
void kept_add_ran(struct qmaster *q, struct job_session *s, uint32_t ordinal,
                  const struct EN_Type *end);
void kept_add_unrun(struct qmaster *q, struct job_session *s, const struct JB_Type *rec,
                    const struct range_set *ordinals);
/* kept_fill_unrun - OUT, which is empty, says that ORDINALS of REC were deleted before they ran
 * kept_unrun_end - the same of a job that may have gone */
void kept_fill_unrun(struct EN_Type *out, const struct JB_Type *rec,
                     const struct range_set *ordinals);
void kept_unrun_end(const struct kept_job *k, const struct range_set *ordinals,
                    struct EN_Type *out);
/* kept_take - the ends of ORDINALS of JOB, as far as S keeps them, are forgotten; those in RAN,
 * which is empty, have records that the caller removes */
void kept_take(struct qmaster *q, struct job_session *s, uint32_t job,
               const struct range_set *ordinals, struct range_set *ran);
/* kept_drop - MOST records of S, which has left the table, are removed, or all that there are: true
 * kept_free - what S keeps is forgotten here; its records stay */
bool kept_drop(struct qmaster *q, struct job_session *s, uint32_t most);
void kept_free(struct job_sessions *all, struct job_session *s);
/* kept_flush - the unwritten chunks go into the batch; before it may be handed over */
void kept_flush(struct qmaster *q);
/* kept_has_job - does a session keep ends of a job NUMBER? Then no other is to have that number. */
bool kept_has_job(const struct qmaster *q, uint32_t number);
/* kept_at_or_after - what S keeps of the first job with that number or a higher one; NULL:
 * nothing */
struct kept_job *kept_at_or_after(struct job_session *s, uint32_t number);

/* kept_restore_ran, kept_restore_unrun - from the spool; false if that is nothing that may be */
bool kept_restore_ran(struct qmaster *q, struct job_session *s, const struct end_place *p);
bool kept_restore_unrun(struct qmaster *q, struct job_session *s, const struct EN_Type *end);

#endif
