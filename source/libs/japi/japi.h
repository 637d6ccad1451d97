#ifndef JAPI_JAPI_H
#define JAPI_JAPI_H

#include <sys/types.h>

#include "libs/sgeobj/rows.h"

/* A session: programs submit jobs in it, and the qmaster keeps the ends of these until a client
 * takes them here. It has one connection and one thread, which alone reads and writes it; callers,
 * from any thread, hand their requests over and wait until that thread has the answer. When the
 * qmaster is lost, the thread connects again, and the session goes on.
 *
 * Made for programs of others: prints nothing, touches no signal, and everything may be called
 * under a guard (uti/guard.h). */
struct answer;
struct cell;
struct japi;
struct submitter;

/* how a call ended; all but the first say why in ANS */
enum japi_end {
    JAPI_DONE = 0,
    JAPI_LOST,        /* the qmaster cannot be reached, or was lost before it answered */
    JAPI_LATER,       /* it has no room now */
    JAPI_DENIED,      /* it refuses, and will do so again */
    JAPI_NO_RIGHT,    /* this user may not do that */
    JAPI_NO_JOB,      /* there is no such job in this session, or its end has been taken */
    JAPI_NO_SESSION,  /* there is no such session, or it belongs to another user */
    JAPI_TIMEOUT,     /* nothing of that until the time was over */
    JAPI_STOPPED,     /* the session ends */
    JAPI_NO_CELL,     /* the environment names no cell */
    JAPI_WRONG_STATE, /* the job is in no state for that */
    JAPI_NO_USAGE,    /* it has ended, in an unknown way */
    JAPI_BROKEN       /* an assertion failed */
};

/* japi_open - begin a session, or join one
 *
 *   key  NULL: a new one; else the key of one of the caller's
 *   out  new: japi_close
 *
 * The session's jobs and ends are known when this returns. */
enum japi_end japi_open(const char *key, struct japi **out, struct answer *ans);
/* japi_stop - calls that wait end with JAPI_STOPPED, as do those that come later */
void japi_stop(struct japi *j);
/* japi_close - no other thread uses it. What was taken is gone at the qmaster, too, if it can
 * be reached. The session stays there if it has a reason: unfinished jobs, or ends that no client
 * took. NULL is fine */
void japi_close(struct japi *j);
/* japi_leave_to_parent - in the child of a fork: close the child's copies of the descriptors, and
 * nothing else; J must not be used any more. Async-signal-safe. */
void japi_leave_to_parent(struct japi *j);

/* japi_key - names the session, good until japi_close
 * japi_cell, japi_submitter - where it is, and who submits; likewise */
const char *japi_key(const struct japi *j);
const struct cell *japi_cell(const struct japi *j);
const struct submitter *japi_submitter(const struct japi *j);
/* japi_uid - the user who began the session in this process */
uid_t japi_uid(const struct japi *j);

/* japi_has_file_staging - do the hooks of this cell stage files? Asks the qmaster for
 * delegated_file_staging (sge_conf(5)) of the global configuration. */
enum japi_end japi_has_file_staging(struct japi *j, bool *out, struct answer *ans);

/* a job, or a task of an array */
struct japi_id {
    uint32_t job;
    uint32_t task; /* 0: of a job that is no array, or all tasks of one that is */
};
/* japi_id_parse - "12" or "12.3". Returns false if TEXT is neither. */
bool japi_id_parse(const char *text, struct japi_id *out);

/* japi_submit - submit JOB in the session; JB_session is set. Its number into *NUMBER.
 *   owner  whose it is: the user of the session, or anybody if that is root */
enum japi_end japi_submit(struct japi *j, struct JB_Type *job, uid_t owner, uint32_t *number,
                          struct answer *ans);

enum japi_action { JAPI_SUSPEND, JAPI_RESUME, JAPI_HOLD, JAPI_RELEASE, JAPI_TERMINATE };
/* japi_control - do that to ID, or to all jobs of the session (NULL) whose state allows it */
enum japi_end japi_control(struct japi *j, const struct japi_id *id, enum japi_action action,
                           struct answer *ans);

enum japi_state {
    JAPI_UNDETERMINED,
    JAPI_QUEUED,
    JAPI_RUNNING,
    /* it waits until its error is cleared */
    JAPI_IN_ERROR,
    /* it has exited with 0 */
    JAPI_ENDED,
    /* it has ended otherwise: with another status, by a signal, or without having run */
    JAPI_FAILED
};
struct japi_status {
    enum japi_state state;
    /* queued: held; running: suspended */
    bool by_user, by_system;
};
/* japi_status - the state of ID, a job of this session or not */
enum japi_end japi_status(struct japi *j, const struct japi_id *id, struct japi_status *out,
                          struct answer *ans);

/* how a task ended */
struct japi_ended {
    struct japi_id id;    /* task 0: the job is no array */
    bool has_run;         /* the job itself, not only what goes before it */
    bool is_signalled;    /* a signal ended it */
    uint32_t exit_status; /* 128 + signal if a signal ended it */
    struct UA_Type_list usage;
    uint64_t submitted_s, started_s, ended_s;
};
void japi_ended_clear(struct japi_ended *e);

enum { JAPI_FOR_EVER = -1 };
/* japi_wait - wait until ID, or any task of the session (NULL), has ended, and take that end
 *   timeout_s  JAPI_FOR_EVER, 0: do not wait
 *   use        NULL, or called with CTX and the end before it is taken: what needs memory is done
 *              there, since an end can be taken only once. Under the session's lock
 *   out        in: all zero; new: japi_ended_clear */
typedef void (*japi_use_fn)(void *ctx, const struct japi_ended *end);
enum japi_end japi_wait(struct japi *j, const struct japi_id *id, long timeout_s, japi_use_fn use,
                        void *ctx, struct japi_ended *out, struct answer *ans);
/* japi_synchronize - wait until all of IDS have ended, or all tasks that are in the session now
 * (IDS NULL)
 *   ids      N of them; not used if IDS is NULL
 *   dispose  take their ends
 * An id that is not in the session counts as ended: its end has been taken, or it never was. */
enum japi_end japi_synchronize(struct japi *j, const struct japi_id *ids, uint32_t n,
                               long timeout_s, bool dispose);

#endif
