/* Submitting in a session. The job is in the table of ends before anybody knows its number, so that
 * its ends find it: the thread adds it when the answer comes, and then wakes the caller. */
#include <stdlib.h>

#include "libs/gdi/channel.h"
#include "libs/gdi/client.h"
#include "libs/japi/session.h"
#include "libs/uti/guard.h"

/* A submit on its way, under the lock. Two hold it: the caller and the thread. */
struct submission {
    struct japi *session;
    struct JB_Type job; /* what ends_add_job needs of it */
    uint32_t number;    /* 0: not submitted yet, or refused */
    unsigned holders;
    bool is_over;
    enum channel_end end;
    char *why; /* owned; NULL: nothing to say */
    struct answer ans;
    pthread_cond_t over;
};

static void drop_submission(struct submission *s)
{
    if (--s->holders > 0)
        return;
    cull_clear(&cull_JB_Type, &s->job);
    ans_free(&s->ans);
    free(s->why);
    pthread_cond_destroy(&s->over);
    free(s);
}

static void take_part(void *ctx, const struct GA_Type *part)
{
    struct submission *s = ctx;
    gdi_answers(&part->GA_answers, &s->ans);
    if (s->number != 0 || !cull_has(part, GA_job_number))
        return;
    ends_add_job(s->session->ends, &s->job, part->GA_job_number); /* the last that may fail */
    s->number = part->GA_job_number;
    session_news(s->session, s->number); /* it may have ended already */
}

static void take_end(void *ctx, enum channel_end end, const char *why)
{
    struct submission *s = ctx;
    s->end = end;
    s->why = session_keep_why(why);
    s->is_over = true;
    pthread_cond_signal(&s->over);
    drop_submission(s);
}

static const struct channel_ops submission_ops = { take_part, take_end };

static struct submission *new_submission(struct japi *j, const struct JB_Type *job)
{
    static const unsigned kept[] = { JB_type, JB_ja_first, JB_ja_last, JB_ja_step };
    struct submission *s = uti_calloc(1, sizeof *s);
    s->session = j;
    s->holders = 2;
    guard_cond_init(&s->over);
    for (size_t i = 0; i < ARRAY_LEN(kept); i++)
        cull_copy_field(&cull_JB_Type, &s->job, job, kept[i]);
    return s;
}

/* under the lock: what became of it */
static enum japi_end await_number(struct japi *j, struct submission *s, uint32_t *number,
                                  struct answer *ans)
{
    while (!s->is_over && !j->is_stopped)
        (void)guard_wait(&s->over, &j->lock, UINT64_MAX);
    *number = s->number;
    enum japi_end end = s->number != 0 ? JAPI_DONE
                        : s->is_over   ? session_end_of_channel(s->end, s->why, ans)
                                       : JAPI_STOPPED;
    if (s->number == 0 && end == JAPI_DONE) {
        end = session_end_of(&s->ans);
        ans_move(ans, &s->ans);
    }
    drop_submission(s);
    return end;
}

enum japi_end japi_submit(struct japi *j, struct JB_Type *job, uid_t owner, uint32_t *number,
                          struct answer *ans)
{
    bool is_others = owner != j->uid;
    struct GR_Type gr = { 0 };
    struct submission *s = new_submission(j, job);
    enum japi_end end = JAPI_LATER;
    cull_set(&gr, GR_verb, (uint32_t)(is_others ? GDI_ADD_AS : GDI_ADD));
    if (is_others)
        cull_set(&gr, GR_owner, (uint32_t)owner);
    cull_set(&gr, GR_target, (uint32_t)GDI_JOB);
    cull_set(&gr, GR_session, j->key);
    cull_copy(&cull_JB_Type, cull_append(&gr, GR_jobs), job);
    guard_lock(&j->lock);
    if (channel_send(j->channel, &gr, false, &submission_ops, s, ans) == 0)
        end = await_number(j, s, number, ans);
    guard_unlock(&j->lock);
    cull_clear(&cull_GR_Type, &gr);
    return end == JAPI_NO_JOB || end == JAPI_NO_RIGHT ? JAPI_DENIED : end;
}
