/* A session from its beginning to its end, and the waits for ends of its tasks. */
#include "libs/japi/session.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libs/config/conf.h"
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

void japi_stop(struct japi *j)
{
    guard_lock(&j->lock);
    j->is_stopped = true;
    session_wake_all(j);
    guard_unlock(&j->lock);
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
    j->is_stopped = false; /* no other call is at work any more */
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

/* What programs must know of the cell's configuration is asked for each time, because it may change
 * at any time. */

/* the global configuration in an answer, borrowed; NULL: it is not there */
static const struct CONF_Type *conf_in(const struct exchange *e)
{
    for (uint32_t i = 0; i < e->n; i++)
        if (e->parts[i].GA_confs.n > 0)
            return &e->parts[i].GA_confs.v[0];
    return NULL;
}

enum japi_end japi_has_file_staging(struct japi *j, bool *out, struct answer *ans)
{
    struct GR_Type gr = { 0 };
    struct exchange got = { NULL, 0, 0, ANSWER_INIT };
    cull_set(&gr, GR_verb, (uint32_t)GDI_GET);
    cull_set(&gr, GR_target, (uint32_t)GDI_CONFIG);
    struct ID_Type *global = cull_append(&gr, GR_select);
    cull_set(global, ID_str, CONF_GLOBAL);
    enum japi_end end = session_ask(j, &gr, UINT64_MAX, &got, ans);
    cull_clear(&cull_GR_Type, &gr);
    if (end == JAPI_DONE) {
        end = session_end_of(&got.ans);
        ans_move(ans, &got.ans);
    }
    *out = end == JAPI_DONE && conf_get_bool(conf_in(&got), NULL, "delegated_file_staging");
    exchange_free(&got);
    return end;
}

/* ---- ids ---- */

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

/* ---- waiting for one ---- */

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

/* an end that cannot be handed over for lack of memory stays, and another call may take it */
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
    session_report_taken(j);
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
    session_report_taken(j);
    guard_unlock(&j->lock);
    free(all);
    return end;
}
