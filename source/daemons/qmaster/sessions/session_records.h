#ifndef QMASTER_SESSIONS_SESSION_RECORDS_H
#define QMASTER_SESSIONS_SESSION_RECORDS_H

#include "daemons/qmaster/change/request.h"
#include "daemons/qmaster/sessions/job_sessions.h"
#include "daemons/qmaster/tables/qmaster.h"
#include "libs/cull/pack.h"
#include "libs/spool/spool.h"

struct answer;

/* The spool records of kept ends. SPOOL_END has one for each task that was started: session, job,
 * ordinal. SPOOL_UNRUN has the tasks that were deleted before they ran, END_CHUNK ordinals in a
 * record: session, job, chunk. */
enum { END_KEY_BYTES = 16, END_CHUNK = 1 << 16 };

struct end_place { /* what a key says */
    uint64_t session;
    uint32_t job, low; /* an ordinal, or a chunk */
};
/* end_key - append the key of P
 * end_key_read - the place that KEY of LEN bytes means; false: none */
void end_key(struct packer *key, const struct end_place *p);
bool end_key_read(const void *key, size_t len, struct end_place *out);
/* end_put - stage END as the record of P in TABLE. end_del - stage that this goes */
void end_put(struct qmaster *q, enum spool_table table, const struct end_place *p,
             const struct EN_Type *end);
void end_del(struct qmaster *q, enum spool_table table, const struct end_place *p);
/* end_read - VALUE, the record of P in TABLE, into END, which is empty. Returns 0, or -1 with
 * ans */
int end_read(struct qmaster *q, enum spool_table table, const struct end_place *p,
             const void *value, size_t len, struct EN_Type *end, struct answer *ans);

/* Which ends a session keeps of each job. */
struct session_job {
    uint32_t job;
    struct job_session *session;
    struct range_set ran;       /* ordinals with a record each in SPOOL_END */
    struct range_set unrun;     /* those in SPOOL_UNRUN */
    struct range_set unwritten; /* chunks of `unrun` that are to be written */
    uint32_t ja_first, ja_step; /* from ordinals to ids, for `unrun` */
    bool is_array;
    RB_ENTRY(session_job) in_session;
    TAILQ_ENTRY(session_job) in_unwritten; /* while there are unwritten chunks */
    UT_hash_handle hh;
};

/* session_records_add - S keeps END, of the task ORDINAL of its job
 * session_records_add_unrun - S keeps that ORDINALS of REC were deleted before they ran. O(ranges)
 */
void session_records_add(struct qmaster *q, struct job_session *s, uint32_t ordinal,
                         const struct EN_Type *end);
void session_records_add_unrun(struct qmaster *q, struct job_session *s, const struct JB_Type *rec,
                               const struct range_set *ordinals);
/* end_fill_unrun - OUT, which is empty, says that ORDINALS of REC were deleted before they ran
 * session_job_unrun - the same of a job that may have gone */
void end_fill_unrun(struct EN_Type *out, const struct JB_Type *rec,
                    const struct range_set *ordinals);
void session_job_unrun(const struct session_job *k, const struct range_set *ordinals,
                       struct EN_Type *out);
/* session_records_take - the ends of ORDINALS of JOB, as far as S keeps them, are forgotten; those
 * in RAN, which is empty, have records that the caller removes */
void session_records_take(struct qmaster *q, struct job_session *s, uint32_t job,
                          const struct range_set *ordinals, struct range_set *ran);
/* session_records_remove - MOST records of S, which has left the table, are removed, or all that
 * there are: true
 * session_records_forget - what S keeps is forgotten here; its records stay */
bool session_records_remove(struct qmaster *q, struct job_session *s, uint32_t most);
void session_records_forget(struct job_sessions *all, struct job_session *s);
/* session_records_flush - the unwritten chunks go into the batch; before it may be handed over */
void session_records_flush(struct qmaster *q);
/* session_records_have_job - does a session keep ends of a job NUMBER? Then no other is to have
 * that number. */
bool session_records_have_job(const struct qmaster *q, uint32_t number);
/* session_job_at_or_after - what S keeps of the first job with that number or a higher one; NULL:
 * nothing */
struct session_job *session_job_at_or_after(struct job_session *s, uint32_t number);

/* session_records_restore, session_records_restore_unrun - from the spool; false if that is
 * nothing that may be */
bool session_records_restore(struct qmaster *q, struct job_session *s, const struct end_place *p);
bool session_records_restore_unrun(struct qmaster *q, struct job_session *s,
                                   const struct EN_Type *end);

/* Records of ends on their way out of the spool, so many in a step, since a session may keep
 * millions. A client that is notified of the removal must not find them again: the answer waits
 * for the last. */
struct removal;

/* removal_new - nothing yet, of the session S; new: removal_start or removal_of_session takes it */
struct removal *removal_new(const struct job_session *s);
/* removal_add - the records of the ordinals RAN of JOB; RAN is emptied */
void removal_add(struct removal *l, uint32_t job, struct range_set *ran);
/* removal_start - the first step is made; if there is more, the rest is work of FROM's user, and
 * the last part of the answer to R leaves when it is done: R counts as taken */
void removal_start(struct qmaster *q, struct removal *l, struct request *r);
/* removal_of_session - delete S, which has no watchers, and its records, in steps */
void removal_of_session(struct qmaster *q, struct job_session *s);
/* removals_on_commit - a batch may have been handed over: there is room for more */
void removals_on_commit(struct qmaster *q);

#endif
