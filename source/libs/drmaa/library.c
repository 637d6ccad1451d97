/* The boundary that every call passes, with the numbers of errors that come back through it, and
 * the one static of the binding: its functions have no argument that could carry a context.
 * Invariants: `session` is there or not under `lock`; `users` count the calls that work with it;
 * the call that ends it waits until there are none. After a fork the child has nothing of all
 * this: the session's thread and connection are the parent's. */
#include "libs/drmaa/library.h"

#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "libs/drmaa/drmaa.h"
#include "libs/drmaa/msg_drmaa.h"
#include "libs/uti/guard.h"

static struct library {
    pthread_mutex_t lock;
    pthread_cond_t idle; /* users became 0 */
    struct japi *session;
    uint32_t users;
    bool is_changing; /* a session begins or ends */
    bool has_fork_handler;
    pid_t parent; /* this process was forked from it while it had a session; 0: not */
    struct handles handles;
} library = { .lock = PTHREAD_MUTEX_INITIALIZER, .idle = PTHREAD_COND_INITIALIZER };

/* ---- the boundary ---- */

void text_copy(char *buf, size_t bytes, const char *text)
{
    if (buf == NULL || bytes == 0)
        return;
    size_t len = strnlen(text, bytes - 1);
    memcpy(buf, text, len);
    buf[len] = '\0';
}

struct guarded_call {
    api_fn fn;
    void *args;
    struct answer ans;
    int number;
};

static void make_call(void *ctx)
{
    struct guarded_call *c = ctx;
    c->number = c->fn(c->args, &c->ans);
}

int library_run(api_fn fn, void *args, char *diag, size_t len)
{
    struct guarded_call c = { fn, args, ANSWER_INIT, DRMAA_ERRNO_SUCCESS };
    char claim[GUARD_CLAIM_BYTES] = "";
    switch (guard_call(make_call, &c, claim)) {
    case GUARD_NO_MEMORY:
        c.number = DRMAA_ERRNO_NO_MEMORY;
        text_copy(diag, len, drmaa_strerror(c.number));
        return c.number;
    case GUARD_BROKEN:
        text_copy(diag, len, claim);
        return DRMAA_ERRNO_INTERNAL_ERROR;
    case GUARD_DONE:
        break;
    }
    const char *why = ans_first_error(&c.ans);
    if (c.number != DRMAA_ERRNO_SUCCESS)
        text_copy(diag, len, *why != '\0' ? why : drmaa_strerror(c.number));
    ans_free(&c.ans);
    return c.number;
}

/* ---- the session ---- */

static int refuse_without_session(struct answer *ans)
{
    if (library.parent != 0)
        ans_fail(ans, STATUS_ESEMANTIC, MSG_DRMAA_FORKED_I, (int)library.parent);
    return DRMAA_ERRNO_NO_ACTIVE_SESSION;
}

/* the session, which stays until drop_session; NULL with ANS */
static struct japi *hold_session(struct answer *ans)
{
    pthread_mutex_lock(&library.lock);
    struct japi *session = library.is_changing ? NULL : library.session;
    if (session != NULL)
        library.users++;
    pthread_mutex_unlock(&library.lock);
    if (session == NULL)
        refuse_without_session(ans);
    return session;
}

static void drop_session(void)
{
    pthread_mutex_lock(&library.lock);
    if (--library.users == 0)
        pthread_cond_broadcast(&library.idle);
    pthread_mutex_unlock(&library.lock);
}

struct session_call {
    api_session_fn fn;
    struct japi *session;
    void *args;
};

static int call_in_session(void *args, struct answer *ans)
{
    struct session_call *c = args;
    return c->fn(c->session, c->args, ans);
}

static int refuse_call(void *args, struct answer *ans)
{
    (void)args;
    return refuse_without_session(ans);
}

/* the session is held outside the guard: it is dropped whatever becomes of the call */
int library_run_in_session(api_session_fn fn, void *args, char *diag, size_t len)
{
    struct session_call c = { fn, hold_session(NULL), args };
    if (c.session == NULL)
        return library_run(refuse_call, NULL, diag, len);
    int number = library_run(call_in_session, &c, diag, len);
    drop_session();
    return number;
}

/* ---- forks ---- */

/* In the child of a fork: the lock may be held by a thread that is not here. The parent's objects
 * are left where they are; the connection is closed so that it ends when the parent closes it. */
static void begin_anew_in_child(void)
{
    static const struct library fresh = { .lock = PTHREAD_MUTEX_INITIALIZER,
                                          .idle = PTHREAD_COND_INITIALIZER };
    pid_t parent = library.session != NULL ? getppid() : library.parent;
    if (library.session != NULL)
        japi_leave_to_parent(library.session);
    library = fresh;
    library.has_fork_handler = true;
    library.parent = parent;
}

int library_begin(void)
{
    pthread_mutex_lock(&library.lock);
    bool is_free = library.session == NULL && !library.is_changing;
    if (is_free)
        library.is_changing = true;
    if (is_free && !library.has_fork_handler)
        library.has_fork_handler = pthread_atfork(NULL, NULL, begin_anew_in_child) == 0;
    pthread_mutex_unlock(&library.lock);
    return is_free ? DRMAA_ERRNO_SUCCESS : DRMAA_ERRNO_ALREADY_ACTIVE_SESSION;
}

void library_set(struct japi *session)
{
    pthread_mutex_lock(&library.lock);
    library.session = session;
    library.is_changing = false;
    if (session != NULL)
        library.parent = 0;
    pthread_mutex_unlock(&library.lock);
}

struct japi *library_end(struct answer *ans)
{
    pthread_mutex_lock(&library.lock);
    struct japi *session = library.is_changing ? NULL : library.session;
    if (session != NULL) {
        library.is_changing = true;
        japi_stop(session);
        while (library.users > 0)
            pthread_cond_wait(&library.idle, &library.lock);
        library.session = NULL;
    }
    pthread_mutex_unlock(&library.lock);
    if (session == NULL)
        refuse_without_session(ans);
    return session;
}

/* ---- the objects ---- */

void library_lock(void)
{
    guard_lock(&library.lock);
}

void library_unlock(void)
{
    guard_unlock(&library.lock);
}

struct handles *library_handles(void)
{
    return &library.handles;
}

void *library_give(enum handle_kind kind, void *object, struct answer *ans)
{
    library_lock();
    void *handle = handle_add(&library.handles, kind, object);
    library_unlock();
    return handle != NULL ? handle
                          : ans_null(ans, STATUS_ENOMEM, MSG_DRMAA_HANDLES_I, HANDLES_MOST);
}

void *library_take(enum handle_kind kind, const void *handle)
{
    library_lock();
    void *object = handle_remove(&library.handles, kind, handle);
    library_unlock();
    return object;
}

int library_refuse_null(const char *what, struct answer *ans)
{
    ans_fail(ans, STATUS_ESEMANTIC, MSG_DRMAA_NULL_S, what);
    return DRMAA_ERRNO_INVALID_ARGUMENT;
}

/* ---- the numbers of errors ----
 *
 * Their texts, and which of them a call of the session has ended with. Source: drmaa_misc(3) */

static const char *const texts_of_numbers[DRMAA_NO_ERRNO] = {
    "Routine returned normally with success.",
    "Unexpected or internal DRMAA error, like system call failure, etc.",
    "Could not contact DRM system for this request.",
    "The specified request is not processed successfully due to authorization failure.",
    "The input value for an argument is invalid.",
    "Failed because there is no active session.",
    "Failed allocating memory.",
    "Initialization failed due to invalid contact string.",
    "Could not use the default contact string to connect to DRM system.",
    "No default contact string was provided or selected.",
    "Initialization failed due to failure to init DRM system.",
    "Initialization failed due to existing DRMAA session.",
    "DRM system disengagement failed.",
    "The format for the job attribute value is invalid.",
    "The value for the job attribute is invalid.",
    "The value of this attribute conflicts with a previously set attribute value.",
    "The DRM system is too busy to accept the job. A retry may succeed.",
    "The DRM system rejected the job, and will never accept it as it is.",
    "The specified job does not exist.",
    "The job is not suspended, and cannot be resumed.",
    "The job is not running, and cannot be suspended.",
    "The job cannot be moved to a hold state.",
    "The job is not in a hold state.",
    "The time is over before the jobs have ended.",
    "The job has ended, and nothing is known of its status and usage.",
    "There are no more elements.",
};

const char *drmaa_strerror(int drmaa_errno)
{
    if (drmaa_errno < 0 || drmaa_errno >= DRMAA_NO_ERRNO)
        return "There is no such DRMAA error number.";
    return texts_of_numbers[drmaa_errno];
}

int number_of(enum japi_end end)
{
    switch (end) {
    case JAPI_DONE:
        return DRMAA_ERRNO_SUCCESS;
    case JAPI_LOST:
        return DRMAA_ERRNO_DRM_COMMUNICATION_FAILURE;
    case JAPI_LATER:
        return DRMAA_ERRNO_TRY_LATER;
    case JAPI_DENIED:
        return DRMAA_ERRNO_DENIED_BY_DRM;
    case JAPI_NO_RIGHT:
        return DRMAA_ERRNO_AUTH_FAILURE;
    case JAPI_NO_JOB:
        return DRMAA_ERRNO_INVALID_JOB;
    case JAPI_TIMEOUT:
        return DRMAA_ERRNO_EXIT_TIMEOUT;
    case JAPI_STOPPED:
        return DRMAA_ERRNO_NO_ACTIVE_SESSION;
    case JAPI_NO_USAGE:
        return DRMAA_ERRNO_NO_RUSAGE;
    case JAPI_NO_SESSION:
    case JAPI_NO_CELL:
    case JAPI_WRONG_STATE:
    case JAPI_BROKEN:
        break;
    }
    return DRMAA_ERRNO_INTERNAL_ERROR;
}
