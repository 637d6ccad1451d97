/* The session as the qmaster has it, which keeps the ends of its tasks until they are taken. One
 * request watches it until the session ends: after a loss of the connection it is sent again, and
 * the qmaster sends again what it keeps. One request at a time reports what was taken here; it has
 * all that was taken while the one before it was on its way. */
#include <stdlib.h>
#include <unistd.h>

#include "libs/gdi/channel.h"
#include "libs/japi/msg_japi.h"
#include "libs/japi/session.h"
#include "libs/uti/dstr.h"
#include "libs/uti/guard.h"
#include "libs/uti/os.h"
#include "libs/uti/time.h"

enum { KEY_BYTES = 8, JOIN_S = 60, LEAVE_S = 5 };

static void session_request(struct GR_Type *gr, uint32_t verb, const char *key)
{
    cull_set(gr, GR_verb, verb);
    cull_set(gr, GR_target, (uint32_t)GDI_SESSION);
    cull_set(gr, GR_session, key);
}

/* ---- ends from the qmaster ---- */

static void take_ends(void *ctx, const struct GA_Type *part)
{
    struct japi *j = ctx;
    for (uint32_t i = 0; i < part->GA_ends.n; i++)
        if (ends_add(j->ends, &part->GA_ends.v[i]))
            session_news(j, part->GA_ends.v[i].EN_job_number);
    if (part->GA_is_synced && !j->is_synced) {
        j->is_synced = true;
        session_wake_all(j);
    }
}

/* The session has gone: it was left alone for too long while the qmaster could not be reached, or
 * it was ended. How its tasks ended will not be known. */
static void end_watch(void *ctx, enum channel_end end, const char *why)
{
    struct japi *j = ctx;
    uint32_t *numbers = NULL, n = 0;
    (void)end, (void)why;
    ends_jobs(j->ends, &numbers, &n);
    for (uint32_t i = 0; i < n; i++) {
        ends_finish_job(j->ends, numbers[i]);
        session_news(j, numbers[i]);
    }
    free(numbers);
    j->is_synced = true;
    session_wake_all(j);
}

static const struct channel_ops watch_ops = { take_ends, end_watch };

/* watch, until what was kept before is here */
static enum japi_end watch_session(struct japi *j, struct answer *ans)
{
    struct GR_Type gr = { 0 };
    uint64_t until_us = uti_mono_us() + (uint64_t)JOIN_S * 1000000;
    bool is_in_time = true;
    session_request(&gr, GDI_WATCH, j->key);
    guard_lock(&j->lock);
    int rc = channel_send(j->channel, &gr, true, &watch_ops, j, ans);
    while (rc == 0 && !j->is_synced && is_in_time)
        is_in_time = session_await(j, NULL, until_us);
    guard_unlock(&j->lock);
    cull_clear(&cull_GR_Type, &gr);
    return rc != 0 ? JAPI_LATER : is_in_time ? JAPI_DONE : JAPI_LOST;
}

/* ---- joining ---- */

/* HOST.PID.NUMBER, the form that such keys always had; the number cannot be guessed */
static int make_key(struct japi *j, struct answer *ans)
{
    struct dstr key = DSTR_INIT;
    dstr_addf(&key, "%s.%ld.", j->by.host, (long)getpid());
    int rc = random_text(&key, KEY_BYTES, ans);
    j->key = dstr_take(&key);
    return rc;
}

/* the user's jobs that have not ended: a program before this one left some in the session. Root's
 * sessions have jobs of anybody */
static void ask_for_jobs(const struct japi *j, struct GR_Type *gr)
{
    static const char *const fields[] = { "JB_job_number", "JB_type",    "JB_ja_first",
                                          "JB_ja_last",    "JB_ja_step", "JB_session" };
    cull_set(gr, GR_verb, (uint32_t)GDI_GET);
    cull_set(gr, GR_target, (uint32_t)GDI_JOB);
    if (j->uid != 0) {
        struct ST_Type *user = cull_append(gr, GR_users);
        cull_set(user, ST_name, j->by.user);
    }
    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        struct ST_Type *name = cull_append(gr, GR_fields);
        cull_set(name, ST_name, fields[i]);
    }
}

static void add_jobs(struct japi *j, const struct GA_Type *part, uint64_t session)
{
    for (uint32_t i = 0; i < part->GA_jobs.n; i++) {
        const struct JB_Type *job = &part->GA_jobs.v[i];
        if (job->JB_session == session)
            ends_add_job(j->ends, job, job->JB_job_number);
    }
}

static enum japi_end find_jobs(struct japi *j, uint64_t session, struct answer *ans)
{
    struct GR_Type gr = { 0 };
    struct exchange got = { NULL, 0, 0, ANSWER_INIT };
    ask_for_jobs(j, &gr);
    enum japi_end end = session_ask(j, &gr, UINT64_MAX, &got, ans);
    guard_lock(&j->lock);
    for (uint32_t i = 0; i < got.n; i++)
        add_jobs(j, &got.parts[i], session);
    guard_unlock(&j->lock);
    cull_clear(&cull_GR_Type, &gr);
    exchange_free(&got);
    return end;
}

enum japi_end session_join(struct japi *j, const char *key, struct answer *ans)
{
    struct GR_Type gr = { 0 };
    struct exchange got = { NULL, 0, 0, ANSWER_INIT };
    if (key != NULL)
        j->key = uti_strdup(key);
    else if (make_key(j, ans) != 0)
        return JAPI_LATER;
    session_request(&gr, key != NULL ? GDI_GET : GDI_ADD, j->key);
    enum japi_end end = session_ask(j, &gr, UINT64_MAX, &got, ans);
    cull_clear(&cull_GR_Type, &gr);
    if (end == JAPI_DONE) {
        end = session_end_of(&got.ans);
        ans_move(ans, &got.ans);
    }
    uint64_t number = got.n > 0 ? got.parts[0].GA_session_number : 0;
    exchange_free(&got);
    if (key != NULL && (end == JAPI_NO_JOB || end == JAPI_DENIED))
        end = JAPI_NO_SESSION;
    if (end == JAPI_DONE)
        end = watch_session(j, ans);
    return end == JAPI_DONE && key != NULL ? find_jobs(j, number, ans) : end;
}

/* ---- reports of what was taken ---- */

struct taken_report {
    struct japi *session;
    struct EN_Type_list taken;
};

static void ignore_part(void *ctx, const struct GA_Type *part)
{
    (void)ctx, (void)part; /* that it has come is all there is to know */
}

static void end_report(void *ctx, enum channel_end end, const char *why)
{
    struct taken_report *t = ctx;
    struct japi *j = t->session;
    (void)why;
    j->is_reporting = false;
    if (end == CHANNEL_DONE)
        ends_forgotten(j->ends, &t->taken);
    else
        ends_again(j->ends, &t->taken);
    cull_list_clear(&cull_EN_Type, &t->taken);
    free(t);
    if (end == CHANNEL_DONE || end == CHANNEL_LOST)
        session_report_taken(j);
}

static const struct channel_ops report_ops = { ignore_part, end_report };

/* the request that says what was taken; false: nothing was */
static bool ask_to_forget(struct japi *j, struct GR_Type *gr, struct EN_Type_list *taken)
{
    if (!ends_taken(j->ends, taken))
        return false;
    session_request(gr, GDI_ACT, j->key);
    cull_set(gr, GR_action, (uint32_t)GDI_ACT_TAKE);
    for (uint32_t i = 0; i < taken->n; i++)
        cull_copy(&cull_EN_Type, cull_append(gr, GR_ends), &taken->v[i]);
    return true;
}

static void report_taken(void *ctx)
{
    struct japi *j = ctx;
    struct GR_Type gr = { 0 };
    struct taken_report *t;
    if (j->is_reporting)
        return;
    t = uti_calloc(1, sizeof *t);
    t->session = j;
    if (!ask_to_forget(j, &gr, &t->taken)) {
        free(t);
        return;
    }
    j->is_reporting = true;
    if (channel_send(j->channel, &gr, false, &report_ops, t, NULL) != 0)
        end_report(t, CHANNEL_CUT, NULL);
    cull_clear(&cull_GR_Type, &gr);
}

/* What a caller has taken it has, whether there is memory to report it or not: it is reported with
 * the next. */
void session_report_taken(struct japi *j)
{
    if (guard_call(report_taken, j, NULL) != GUARD_DONE) {
        j->is_reporting = false;
        ends_untold(j->ends);
    }
}

/* ---- leaving ---- */

/* Says the next of what is to be said, and waits for the answer until UNTIL_US. A session without
 * tasks and ends is of no use to anybody, and goes; one with some can be joined again. Returns
 * whether there may be more to say. */
static bool leave_step(struct japi *j, uint64_t until_us)
{
    struct GR_Type gr = { 0 };
    struct EN_Type_list taken = { 0 };
    struct exchange got = { NULL, 0, 0, ANSWER_INIT };
    guard_lock(&j->lock);
    bool is_empty = ends_is_empty(j->ends);
    bool is_some = !is_empty && ask_to_forget(j, &gr, &taken);
    guard_unlock(&j->lock);
    if (is_empty)
        session_request(&gr, GDI_DEL, j->key);
    bool is_said = (is_empty || is_some) && session_ask(j, &gr, until_us, &got, NULL) == JAPI_DONE;
    cull_list_clear(&cull_EN_Type, &taken);
    cull_clear(&cull_GR_Type, &gr);
    exchange_free(&got);
    return is_some && is_said;
}

void session_leave(struct japi *j)
{
    uint64_t until_us = uti_mono_us() + (uint64_t)LEAVE_S * 1000000;
    while (leave_step(j, until_us))
        ;
}
