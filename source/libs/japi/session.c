/* A session from its begin to its end, and its callers' waits. Invariant: `waiters` are calls that
 * sleep, each with a condition of its own, so that an end wakes those whom it concerns and not all.
 * A waiter stands on the stack of its call, which between joining the list and leaving it does
 * nothing that could jump out of it (uti/guard.h). */
#include "libs/japi/session.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libs/gdi/cell.h"
#include "libs/gdi/channel.h"
#include "libs/japi/msg_japi.h"
#include "libs/uti/guard.h"
#include "libs/uti/parse.h"
#include "libs/uti/time.h"

#define PROGRAM "drmaa"

/* ---- begin and end ---- */

static void free_session(struct japi *j)
{
    channel_close(j->channel);
    ends_free(j->ends);
    cell_free(j->cell);
    submitter_free(&j->by);
    free(j->key);
    pthread_mutex_destroy(&j->lock);
    free(j);
}

static enum japi_end begin_session(struct japi *j, const char *key, struct answer *ans)
{
    if ((j->cell = cell_open(ans)) == NULL)
        return JAPI_NO_CELL;
    if (submitter_init(&j->by, environ, ans) != 0)
        return JAPI_NO_CELL;
    j->uid = geteuid();
    j->channel = channel_open(j->cell, PROGRAM, &j->lock, ans);
    return j->channel != NULL ? session_join(j, key, ans) : JAPI_LOST;
}

struct beginning {
    struct japi *j;
    const char *key;
    struct answer *ans;
    enum japi_end end;
};

static void begin_guarded(void *ctx)
{
    struct beginning *b = ctx;
    b->end = begin_session(b->j, b->key, b->ans);
}

enum japi_end japi_open(const char *key, struct japi **out, struct answer *ans)
{
    struct japi *j = uti_calloc(1, sizeof *j);
    TAILQ_INIT(&j->waiters);
    pthread_mutex_init(&j->lock, NULL);
    j->ends = ends_new();
    struct beginning b = { j, key, ans, JAPI_BROKEN };
    enum guard_end how = guard_call(begin_guarded, &b, NULL);
    if (how == GUARD_DONE && b.end == JAPI_DONE)
        *out = j;
    else
        free_session(j);
    if (how == GUARD_NO_MEMORY)
        guard_refuse_memory();
    return b.end;
}

static void leave_guarded(void *ctx)
{
    session_leave(ctx);
}

void japi_close(struct japi *j)
{
    if (j == NULL)
        return;
    guard_lock(&j->lock);
    j->is_stopped = false; /* nobody else is at work any more */
    guard_unlock(&j->lock);
    (void)guard_call(leave_guarded, j, NULL); /* what it cannot say now, the qmaster keeps */
    free_session(j);
}

void japi_leave_to_parent(struct japi *j)
{
    channel_leave(j->channel);
}

const char *japi_key(const struct japi *j)
{
    return j->key;
}

const struct cell *japi_cell(const struct japi *j)
{
    return j->cell;
}

const struct submitter *japi_submitter(const struct japi *j)
{
    return &j->by;
}

uid_t japi_uid(const struct japi *j)
{
    return j->uid;
}

bool japi_id_parse(const char *text, struct japi_id *out)
{
    const char *dot = strchr(text, '.');
    char job[sizeof "4294967295"];
    size_t len = dot != NULL ? (size_t)(dot - text) : strlen(text);
    *out = (struct japi_id){ 0, 0 };
    if (len >= sizeof job)
        return false;
    memcpy(job, text, len);
    job[len] = '\0';
    if (!parse_u32(job, &out->job) || out->job == 0)
        return false;
    return dot == NULL || (parse_u32(dot + 1, &out->task) && out->task != 0);
}

void japi_ended_clear(struct japi_ended *e)
{
    cull_list_clear(&cull_UA_Type, &e->usage);
}

/* ---- waiting ---- */

struct waiter {
    const struct japi_id *id; /* borrowed of the call; NULL: any */
    bool is_woken;
    pthread_cond_t cond;
    TAILQ_ENTRY(waiter) in_waiters;
};

static void wake_waiter(struct waiter *w)
{
    w->is_woken = true;
    pthread_cond_signal(&w->cond);
}

/* One is woken, and passes on what it leaves; when there is nothing to wait for, all are. */
void session_wake_takers(struct japi *j)
{
    enum ends_have have = ends_look(j->ends, NULL, NULL);
    struct waiter *w;
    if (have == ENDS_UNFINISHED)
        return;
    TAILQ_FOREACH(w, &j->waiters, in_waiters) {
        if (w->id != NULL || w->is_woken)
            continue;
        wake_waiter(w);
        if (have == ENDS_ENDED)
            return;
    }
}

void session_news(struct japi *j, uint32_t job)
{
    struct waiter *w;
    TAILQ_FOREACH(w, &j->waiters, in_waiters) {
        if (w->id != NULL && w->id->job == job &&
            ends_look(j->ends, w->id, NULL) != ENDS_UNFINISHED)
            wake_waiter(w);
    }
    session_wake_takers(j);
}

void session_wake_all(struct japi *j)
{
    struct waiter *w;
    TAILQ_FOREACH(w, &j->waiters, in_waiters) {
        wake_waiter(w);
    }
}

void japi_stop(struct japi *j)
{
    guard_lock(&j->lock);
    j->is_stopped = true;
    session_wake_all(j);
    guard_unlock(&j->lock);
}

bool session_await(struct japi *j, const struct japi_id *id, uint64_t until_us)
{
    struct waiter w = { .id = id };
    bool is_in_time = true;
    guard_cond_init(&w.cond);
    TAILQ_INSERT_TAIL(&j->waiters, &w, in_waiters);
    while (!w.is_woken && is_in_time)
        is_in_time = guard_wait(&w.cond, &j->lock, until_us);
    TAILQ_REMOVE(&j->waiters, &w, in_waiters);
    pthread_cond_destroy(&w.cond);
    return is_in_time;
}

static uint64_t time_after(long timeout_s)
{
    enum { SECONDS_MOST = 1 << 30 }; /* 34 years: no sum of it overflows */
    if (timeout_s < 0)
        return UINT64_MAX;
    uint64_t seconds = timeout_s < SECONDS_MOST ? (uint64_t)timeout_s : SECONDS_MOST;
    return uti_mono_us() + seconds * 1000000;
}

static enum japi_end refuse_job(const struct japi_id *id, struct answer *ans)
{
    if (id == NULL)
        ans_fail(ans, STATUS_EUNKNOWN, MSG_JAPI_NO_JOBS);
    else if (id->task == 0)
        ans_fail(ans, STATUS_EUNKNOWN, MSG_JAPI_NO_JOB_U, id->job);
    else
        ans_fail(ans, STATUS_EUNKNOWN, MSG_JAPI_NO_JOB_UU, id->job, id->task);
    return JAPI_NO_JOB;
}

/* until there is an end of ID, with borrowed members; under the lock */
static enum japi_end await_end(struct japi *j, const struct japi_id *id, uint64_t until_us,
                               struct japi_ended *out)
{
    bool is_in_time = true;
    for (;;) {
        enum ends_have have = ends_peek(j->ends, id, out);
        if (have == ENDS_ENDED)
            return JAPI_DONE;
        if (have == ENDS_NONE)
            return JAPI_NO_JOB;
        if (j->is_stopped)
            return JAPI_STOPPED;
        if (!is_in_time)
            return JAPI_TIMEOUT;
        is_in_time = session_await(j, id, until_us);
    }
}

/* an end that is there, being handed to the caller */
struct handing {
    struct japi *j;
    const struct japi_id *id;
    japi_use_fn use;
    void *ctx;
    const struct japi_ended *found;
    struct japi_ended *out;
    bool is_known;
};

static void hand_over(void *ctx)
{
    struct handing *h = ctx;
    if (h->use != NULL)
        h->use(h->ctx, h->found);
    (void)ends_take(h->j->ends, h->id, h->out, &h->is_known);
}

/* an end that cannot be handed over for lack of memory stays, and somebody else may take it */
static enum japi_end take_end(struct handing *h)
{
    enum guard_end how = guard_call(hand_over, h, NULL);
    if (how == GUARD_NO_MEMORY) {
        session_wake_takers(h->j);
        guard_refuse_memory();
    }
    return how == GUARD_DONE ? JAPI_DONE : JAPI_BROKEN;
}

enum japi_end japi_wait(struct japi *j, const struct japi_id *id, long timeout_s, japi_use_fn use,
                        void *ctx, struct japi_ended *out, struct answer *ans)
{
    struct japi_ended found = { .has_run = false };
    struct handing h = { j, id, use, ctx, &found, out, true };
    guard_lock(&j->lock);
    enum japi_end end = await_end(j, id, time_after(timeout_s), &found);
    if (end == JAPI_DONE)
        end = take_end(&h);
    session_wake_takers(j);
    session_tell_taken(j);
    guard_unlock(&j->lock);
    if (end == JAPI_NO_JOB)
        return refuse_job(id, ans);
    return end == JAPI_DONE && !h.is_known ? JAPI_NO_USAGE : end;
}

/* ---- waiting for many ---- */

/* until ID has ended, or is no longer there; under the lock */
static enum japi_end sync_in_time(struct japi *j, const struct japi_id *id, uint64_t until_us)
{
    bool is_in_time = true;
    while (ends_look(j->ends, id, NULL) == ENDS_UNFINISHED) {
        if (j->is_stopped)
            return JAPI_STOPPED;
        if (!is_in_time)
            return JAPI_TIMEOUT;
        is_in_time = session_await(j, id, until_us);
    }
    return JAPI_DONE;
}

static enum japi_end sync_all(struct japi *j, const struct japi_id *ids, uint32_t n,
                              uint64_t until_us, bool dispose)
{
    enum japi_end end = JAPI_DONE;
    for (uint32_t i = 0; end == JAPI_DONE && i < n; i++)
        end = sync_in_time(j, &ids[i], until_us);
    for (uint32_t i = 0; end == JAPI_DONE && dispose && i < n; i++)
        (void)ends_drop(j->ends, &ids[i]);
    return end;
}

/* the *N jobs of the session as ids of whole jobs; new: free() */
static struct japi_id *all_jobs(const struct japi *j, uint32_t *n)
{
    uint32_t *numbers = NULL;
    ends_jobs(j->ends, &numbers, n);
    struct japi_id *ids = uti_calloc(*n, sizeof *ids);
    for (uint32_t i = 0; i < *n; i++)
        ids[i].job = numbers[i];
    free(numbers);
    return ids;
}

enum japi_end japi_synchronize(struct japi *j, const struct japi_id *ids, uint32_t n,
                               long timeout_s, bool dispose)
{
    struct japi_id *all = NULL;
    guard_lock(&j->lock);
    if (ids == NULL)
        all = all_jobs(j, &n);
    enum japi_end end = sync_all(j, ids != NULL ? ids : all, n, time_after(timeout_s), dispose);
    session_wake_takers(j);
    session_tell_taken(j);
    guard_unlock(&j->lock);
    free(all);
    return end;
}
