/* Submitting in a session. One request submits a job and hears the ends of its tasks: the answer
 * goes on until the job is over (GDI_WATCH_TOO). The qmaster keeps the ends meanwhile, under a key
 * that is the job's alone, so that none is missed: after a loss of the connection the job is
 * watched anew. */
#include <stdlib.h>

#include "libs/gdi/client.h"
#include "libs/japi/session.h"
#include "libs/sgeobj/end.h"
#include "libs/uti/dstr.h"
#include "libs/uti/guard.h"
#include "libs/uti/random.h"

enum { KEY_BYTES = 16 };

/* A job from its submit to its end, under the lock. Two hold it: the caller that submits until it
 * has the number, and the thread until it hears no more of the job. */
struct watched {
    struct japi *session;
    struct JB_Type job; /* what ends_add_job needs of it */
    uint32_t number;    /* 0: not submitted yet, or refused */
    bool is_unknown;    /* the qmaster keeps its ends no longer */
    char *key;          /* owned: what keeps them */
    unsigned holders;
    /* for the caller */
    bool is_answered;
    enum channel_end end; /* of the request, if there is no number */
    char *why;            /* owned; NULL: nothing to say */
    struct answer ans;
    pthread_cond_t answered;
};

static void drop_watched(struct watched *w)
{
    if (--w->holders > 0)
        return;
    cull_clear(&cull_JB_Type, &w->job);
    ans_free(&w->ans);
    free(w->why);
    free(w->key);
    pthread_cond_destroy(&w->answered);
    free(w);
}

static void wake_caller(struct watched *w)
{
    w->is_answered = true;
    pthread_cond_signal(&w->answered);
}

/* ---- what the thread hears ---- */

static bool add_end(struct watched *w, const struct EN_Type *end)
{
    struct JR_Type report = { 0 };
    uint32_t ordinal;
    if (end->EN_how != END_RAN || !range_set_min(&end->EN_ordinals, &ordinal))
        return false;
    cull_set(&report, JR_job_number, end->EN_job_number);
    cull_set(&report, JR_task_number, end_task_id(end, ordinal));
    cull_set(&report, JR_failed, end->EN_failed);
    cull_set(&report, JR_exit_status, end->EN_exit_status);
    cull_set(&report, JR_start_time, end->EN_start_time);
    cull_set(&report, JR_end_time, end->EN_end_time);
    for (uint32_t i = 0; i < end->EN_usage.n; i++)
        cull_copy(&cull_UA_Type, cull_append(&report, JR_usage), &end->EN_usage.v[i]);
    bool is_news = ends_add(w->session->ends, &report);
    cull_clear(&cull_JR_Type, &report);
    return is_news;
}

static void take_ends(struct watched *w, const struct GA_Type *part)
{
    bool has_news = false;
    for (uint32_t i = 0; i < part->GA_ends.n; i++)
        has_news = add_end(w, &part->GA_ends.v[i]) || has_news;
    if (has_news)
        session_news(w->session, w->number);
}

static void take_part(void *ctx, const struct GA_Type *part)
{
    struct watched *w = ctx;
    if (w->number == 0)
        gdi_answers(&part->GA_answers, &w->ans);
    else if (part->GA_answers.n > 0)
        w->is_unknown = true;
    if (w->number == 0 && cull_has(part, GA_job_number)) {
        ends_add_job(w->session->ends, &w->job, part->GA_job_number);
        w->number = part->GA_job_number;
        wake_caller(w);
    }
    take_ends(w, part);
}

static void take_end(void *ctx, enum channel_end end, const char *why);
static const struct channel_ops watch_ops = { take_part, take_end };

/* the connection was lost: from now on the job is heard of by a request that waits for ever */
static bool watch_anew(struct watched *w)
{
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_verb, (uint32_t)GDI_WATCH);
    cull_set(&gr, GR_target, (uint32_t)GDI_SESSION);
    cull_set(&gr, GR_session, w->key);
    cull_set(&gr, GR_job_number, w->number);
    bool is_sent = channel_send(w->session->channel, &gr, true, &watch_ops, w, NULL) == 0;
    cull_clear(&cull_GR_Type, &gr);
    return is_sent;
}

static void ignore_part(void *ctx SGE_UNUSED, const struct GA_Type *part SGE_UNUSED) {}

static void ignore_end(void *ctx SGE_UNUSED, enum channel_end end SGE_UNUSED,
                       const char *why SGE_UNUSED)
{
}

/* all has been heard: the qmaster need not keep it */
static void forget_ends(const struct watched *w)
{
    static const struct channel_ops deaf = { ignore_part, ignore_end };
    struct GR_Type gr = { 0 };
    cull_set(&gr, GR_verb, (uint32_t)GDI_DEL);
    cull_set(&gr, GR_target, (uint32_t)GDI_SESSION);
    cull_set(&gr, GR_session, w->key);
    (void)channel_send(w->session->channel, &gr, false, &deaf, NULL, NULL);
    cull_clear(&cull_GR_Type, &gr);
}

static void take_end(void *ctx, enum channel_end end, const char *why)
{
    struct watched *w = ctx;
    if (w->number != 0 && end == CHANNEL_CUT && watch_anew(w))
        return;
    if (w->number != 0) {
        ends_finish_job(w->session->ends, w->number, end == CHANNEL_DONE && !w->is_unknown);
        if (end == CHANNEL_DONE)
            forget_ends(w);
        session_news(w->session, w->number);
    } else {
        w->end = end;
        w->why = why != NULL ? uti_strdup(why) : NULL;
        wake_caller(w);
    }
    drop_watched(w);
}

/* ---- the caller ---- */

/* NULL with ans: the system has no random bytes */
static struct watched *new_watched(struct japi *j, const struct JB_Type *job, struct answer *ans)
{
    static const unsigned kept[] = { JB_type, JB_ja_first, JB_ja_last, JB_ja_step };
    struct dstr key = DSTR_INIT;
    if (random_text(&key, KEY_BYTES, ans) != 0) {
        dstr_free(&key);
        return NULL;
    }
    struct watched *w = uti_calloc(1, sizeof *w);
    w->key = dstr_take(&key);
    w->session = j;
    w->holders = 2;
    guard_cond_init(&w->answered);
    for (size_t i = 0; i < ARRAY_LEN(kept); i++)
        cull_copy_field(&cull_JB_Type, &w->job, job, kept[i]);
    cull_set(&w->job, JB_submission_time, j->by.now_s);
    return w;
}

static void make_request(const struct watched *w, const struct JB_Type *job, struct GR_Type *gr)
{
    cull_set(gr, GR_verb, (uint32_t)GDI_ADD);
    cull_set(gr, GR_target, (uint32_t)GDI_JOB);
    cull_set(gr, GR_options, (uint32_t)GDI_WATCH_TOO);
    cull_set(gr, GR_session, w->key);
    cull_copy(&cull_JB_Type, cull_append(gr, GR_jobs), job);
}

/* under the lock: what became of it */
static enum japi_end await_number(struct japi *j, struct watched *w, uint32_t *number,
                                  struct answer *ans)
{
    while (!w->is_answered && !j->is_stopped)
        (void)guard_wait(&w->answered, &j->lock, UINT64_MAX);
    *number = w->number;
    enum japi_end end = JAPI_DONE;
    if (!w->is_answered)
        end = JAPI_STOPPED;
    else if (w->number == 0)
        end = session_end_of_channel(w->end, w->why, ans);
    if (w->number == 0 && end == JAPI_DONE) {
        end = session_end_of(&w->ans);
        ans_move(ans, &w->ans);
    }
    drop_watched(w);
    return end;
}

enum japi_end japi_submit(struct japi *j, struct JB_Type *job, uint32_t *number, struct answer *ans)
{
    struct GR_Type gr = { 0 };
    struct watched *w = new_watched(j, job, ans);
    enum japi_end end = JAPI_LATER;
    if (w == NULL)
        return end;
    make_request(w, job, &gr);
    guard_lock(&j->lock);
    if (channel_send(j->channel, &gr, false, &watch_ops, w, ans) == 0)
        end = await_number(j, w, number, ans);
    guard_unlock(&j->lock);
    cull_clear(&cull_GR_Type, &gr);
    return end == JAPI_NO_JOB || end == JAPI_NO_RIGHT ? JAPI_DENIED : end;
}
