#ifndef QMASTER_SESSIONS_JOB_SESSIONS_H
#define QMASTER_SESSIONS_JOB_SESSIONS_H

#include "daemons/qmaster/tables/connection.h"
#include "libs/uti/answer.h"

/* Sessions that keep the ends of their jobs' tasks (message.h), and who has how many. The ends
 * themselves are in the spool; in memory there is, for each session and job, which they are. */
struct session_job;    /* session_records.h */
struct waiting_client; /* waiting_clients.h */
RB_HEAD(session_job_tree, session_job);
TAILQ_HEAD(waiting_client_list, waiting_client);

struct session_user { /* a user with sessions */
    char *name;
    uint32_t n_sessions;
    uint64_t n_ends; /* kept by all of them, and still to come */
    UT_hash_handle hh;
};
struct job_session {
    struct SN_Type rec;
    char *name;                   /* "owner/key": a key is its owner's own */
    struct session_user *user;    /* NULL: it has left the table */
    uint64_t asked_s;             /* of the last query */
    uint64_t changed;             /* the batch that last changed what it keeps */
    uint64_t n_kept;              /* ends */
    uint64_t n_owed;              /* tasks of its jobs that have not ended */
    struct session_job_tree jobs; /* by number */
    struct waiting_client_list watchers;
    bool is_idle; /* no watchers */
    TAILQ_ENTRY(job_session) in_idle;
    UT_hash_handle hh, hh_number;
};

struct removal;
struct end_reader;
/* all of them, and what is under way */
struct job_sessions {
    struct job_session *by_name, *by_number;
    struct session_user *users;
    struct session_job *jobs;            /* of all sessions, by number */
    TAILQ_HEAD(, job_session) idle;      /* the one that was asked about longest ago is first */
    TAILQ_HEAD(, session_job) unwritten; /* whose tasks that were deleted are to be written */
    LIST_HEAD(, removal) removals;       /* records on their way out of the spool */
    LIST_HEAD(, end_reader) readers;     /* kept ends on their way to clients */
    uint64_t n_readers;                  /* so far */
};

/* job_sessions_new - no sessions; new: job_sessions_free, by ends_free. NULL is fine */
struct job_sessions *job_sessions_new(void);
void job_sessions_free(struct job_sessions *all);

/* job_session_check - may FROM have a job of N_TASKS (0: none) in its session KEY?
 *   is_made  the session is made unless it is there
 *   ans      STATUS_EUNKNOWN if it is not there; STATUS_NOTOK_DOAGAIN with the limit and the
 *            figure; STATUS_ESEMANTIC if KEY is no key
 * Returns 0, or -1 with ans. Changes nothing. */
int job_session_check(struct qmaster *q, const struct connection *from, const char *key,
                      bool is_made, uint64_t n_tasks, struct answer *ans);
/* job_session_find - the session KEY of user OWNER; NULL: it does not exist. O(1)
 * job_session_of - the session that keeps the ends of JOB; NULL if none does */
struct job_session *job_session_find(const struct qmaster *q, const char *owner, const char *key);
struct job_session *job_session_of(const struct qmaster *q, const struct job *job);
/* job_session_make - a new session KEY of FROM's user, which has none of that name; NULL with ans
 * if the system has no random bytes */
struct job_session *job_session_make(struct qmaster *q, const struct connection *from,
                                     const char *key, struct answer *ans);
/* job_session_asked - S is in use: its time begins again
 * job_session_set_idle - is it unwatched? Then it may expire */
void job_session_asked(struct qmaster *q, struct job_session *s);
void job_session_set_idle(struct job_sessions *all, struct job_session *s, bool is_idle);
/* job_session_owe - N tasks more of S have not ended: a job has come
 * job_session_settle - N of them have */
void job_session_owe(struct job_session *s, uint64_t n);
void job_session_settle(struct job_session *s, uint64_t n);
/* job_session_gone - S, which has no watchers, leaves the table, and its record the spool; what it
 * keeps is left in it, and S is the caller's
 * job_session_free - it has left the table, and keeps nothing (session_records_forget) */
void job_session_gone(struct qmaster *q, struct job_session *s);
void job_session_free(struct job_session *s);

/* job_session_numbered - the session with that number; NULL: it does not exist */
struct job_session *job_session_numbered(const struct qmaster *q, uint64_t number);
/* job_session_restore - from its record, which is moved in; false if that is not one
 * job_session_orphan - without an owner, for ends in the spool whose session NUMBER has gone: it
 * is to go with them */
bool job_session_restore(struct qmaster *q, struct SN_Type *rec);
struct job_session *job_session_orphan(struct qmaster *q, uint64_t number);

#endif
