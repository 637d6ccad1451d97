/* The calls of a session that wait: for the answer to a request, and for ends of tasks. The thread
 * of the channel fills an answer; a caller that leaves before it is whole, because the session
 * ends, leaves it to the thread. Invariant: `waiters` are calls that wait for ends, each with a
 * condition of its own, so that an end wakes only those that it concerns. A waiter is on the stack
 * of its call, which between joining the list and leaving it does nothing that could jump out of it
 * (uti/guard.h). */
#include <stdlib.h>
#include <string.h>

#include "libs/gdi/channel.h"
#include "libs/gdi/client.h"
#include "libs/japi/msg_japi.h"
#include "libs/japi/session.h"
#include "libs/uti/guard.h"

/* ---- one request ---- */

struct pending {
    struct exchange got;
    enum channel_end end;
    char *why; /* owned; NULL: nothing to say */
    bool is_over, has_left;
    pthread_cond_t over;
};

void exchange_free(struct exchange *e)
{
    for (uint32_t i = 0; i < e->n; i++)
        cull_clear(&cull_GA_Type, &e->parts[i]);
    free(e->parts);
    ans_free(&e->ans);
    *e = (struct exchange){ NULL, 0, 0, ANSWER_INIT };
}

static void free_pending(struct pending *p)
{
    exchange_free(&p->got);
    pthread_cond_destroy(&p->over);
    free(p->why);
    free(p);
}

static void take_part(void *ctx, const struct GA_Type *part)
{
    struct exchange *e = &((struct pending *)ctx)->got;
    gdi_answers(&part->GA_answers, &e->ans);
    e->parts = uti_vec_grow(e->parts, &e->cap, e->n + 1, sizeof *e->parts);
    e->parts[e->n] = (struct GA_Type){ 0 };
    cull_copy(&cull_GA_Type, &e->parts[e->n++], part);
}

static void take_end(void *ctx, enum channel_end end, const char *why)
{
    struct pending *p = ctx;
    if (p->has_left) {
        free_pending(p);
        return;
    }
    p->end = end;
    p->why = session_keep_why(why);
    p->is_over = true;
    pthread_cond_signal(&p->over);
}

static const struct channel_ops exchange_ops = { take_part, take_end };

/* ---- how it ended ---- */

char *session_keep_why(const char *why)
{
    size_t bytes = why != NULL ? strlen(why) + 1 : 0;
    char *copy = bytes > 0 ? uti_try_alloc(bytes) : NULL;
    return copy != NULL ? memcpy(copy, why, bytes) : NULL;
}

enum japi_end session_end_of_channel(enum channel_end end, const char *why, struct answer *ans)
{
    switch (end) {
    case CHANNEL_DONE:
        return JAPI_DONE;
    case CHANNEL_LOST:
    case CHANNEL_CUT:
        ans_fail(ans, STATUS_ENOCONN, MSG_JAPI_LOST_U, (unsigned)GDI_RETRY_S);
        return JAPI_LOST;
    case CHANNEL_NO_ROOM:
        ans_fail(ans, STATUS_ESHORTAGE, MSG_JAPI_NO_ROOM_S, why != NULL ? why : "");
        return JAPI_LATER;
    case CHANNEL_CLOSED:
        return JAPI_STOPPED;
    case CHANNEL_BROKEN:
        break;
    }
    return JAPI_BROKEN;
}

static enum japi_end end_of_error(enum answer_status status)
{
    switch ((int)status) {
    case STATUS_EUNKNOWN:
        return JAPI_NO_JOB;
    case STATUS_ENOOPR:
    case STATUS_ENOTOWNER:
        return JAPI_NO_RIGHT;
    case STATUS_NOTOK_DOAGAIN:
    case STATUS_EDISK:
    case STATUS_ESHORTAGE:
        return JAPI_LATER;
    default:
        return JAPI_DENIED;
    }
}

enum japi_end session_end_of(const struct answer *ans)
{
    for (uint32_t i = 0; i < ans->n; i++)
        if (ans->v[i].quality <= ANSWER_QUALITY_ERROR)
            return end_of_error(ans->v[i].status);
    return JAPI_DONE;
}

/* ---- waiting for the answer ---- */

/* Under the lock. Returns whether the answer has come; else the session ends, or the time is over,
 * and P is the thread's. */
static bool await_over(struct japi *j, struct pending *p, uint64_t until_us)
{
    bool is_in_time = true;
    while (!p->is_over && !j->is_stopped && is_in_time)
        is_in_time = guard_wait(&p->over, &j->lock, until_us);
    p->has_left = !p->is_over;
    return p->is_over;
}

enum japi_end session_ask(struct japi *j, struct GR_Type *request, uint64_t until_us,
                          struct exchange *out, struct answer *ans)
{
    struct pending *p = uti_calloc(1, sizeof *p);
    guard_cond_init(&p->over);
    guard_lock(&j->lock);
    bool is_sent = channel_send(j->channel, request, false, &exchange_ops, p, ans) == 0;
    bool has_come = is_sent && await_over(j, p, until_us);
    guard_unlock(&j->lock);
    if (!is_sent) {
        free_pending(p);
        return JAPI_LATER;
    }
    if (!has_come)
        return JAPI_STOPPED;
    enum japi_end end = session_end_of_channel(p->end, p->why, ans);
    *out = p->got;
    p->got = (struct exchange){ NULL, 0, 0, ANSWER_INIT };
    free_pending(p);
    return end;
}

/* ---- waiting for ends ---- */

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
