/* Requests on their way. Invariants: a call is in `open` until its end has come, then in `ended`
 * until calls_take; both lists, and what the calls have, belong to `lock`. */
#include "libs/feed/calls.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "libs/feed/msg_feed.h"
#include "libs/gdi/channel.h"
#include "libs/gdi/client.h"
#include "libs/gdi/message.h"
#include "libs/uti/answer.h"
#include "libs/uti/tree.h"

struct open_call {
    struct calls *calls;
    calls_done_fn done;
    calls_get_fn got; /* instead of done */
    void *ctx;
    struct answer texts;
    uint32_t n_texts;
    struct GA_Type *all; /* for `got` */
    size_t bytes;        /* of it */
    bool is_forgotten;   /* calls_forget */
    TAILQ_ENTRY(open_call) in_list;
};
TAILQ_HEAD(call_list, open_call);

struct calls {
    const struct cell *cell;
    const char *program;
    struct channel *channel; /* NULL until the first request */
    int wake;
    pthread_mutex_t lock;
    struct call_list open, ended;
};

struct calls *calls_new(const struct cell *cell, const char *program, struct answer *ans)
{
    int wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (wake < 0)
        return ans_sys_null(ans, errno, MSG_FEED_WAKE);
    struct calls *c = uti_calloc(1, sizeof *c);
    c->cell = cell;
    c->program = program;
    c->wake = wake;
    pthread_mutex_init(&c->lock, NULL);
    TAILQ_INIT(&c->open);
    TAILQ_INIT(&c->ended);
    return c;
}

static void free_call(struct open_call *call)
{
    ans_free(&call->texts);
    cull_delete(&cull_GA_Type, call->all);
    free(call);
}

static void free_all(struct call_list *list)
{
    struct open_call *call;
    while ((call = TAILQ_FIRST(list)) != NULL) {
        TAILQ_REMOVE(list, call, in_list);
        free_call(call);
    }
}

void calls_free(struct calls *c)
{
    if (c == NULL)
        return;
    channel_close(c->channel);
    free_all(&c->open);
    free_all(&c->ended);
    close(c->wake);
    pthread_mutex_destroy(&c->lock);
    free(c);
}

/* ---- in the channel's thread, under the lock ---- */

/* what is too much is counted, and let go */
static void keep_objects(struct open_call *call, const struct GA_Type *part)
{
    if (call->bytes <= CALLS_BYTES_MOST)
        call->bytes += gather_part(call->all, part);
    if (call->bytes > CALLS_BYTES_MOST)
        cull_clear(&cull_GA_Type, call->all);
}

static void on_part(void *ctx, const struct GA_Type *part)
{
    struct open_call *call = ctx;
    if (call->all != NULL)
        keep_objects(call, part);
    call->n_texts += part->GA_answers.n;
    if (call->texts.n + part->GA_answers.n <= CALLS_TEXTS_MOST)
        gdi_answers(&part->GA_answers, &call->texts);
}

static void on_end(void *ctx, enum channel_end end, const char *why)
{
    struct open_call *call = ctx;
    uint64_t one = 1;
    if (end != CHANNEL_DONE) {
        ans_fail(&call->texts, STATUS_ENOCONN, MSG_FEED_NO_ANSWER_S,
                 why != NULL ? why : MSG_FEED_LOST);
        call->n_texts++;
    }
    if (call->bytes > CALLS_BYTES_MOST)
        ans_fail(&call->texts, STATUS_ENOMEM, MSG_FEED_TOO_MUCH_D, CALLS_BYTES_MOST >> 20);
    TAILQ_REMOVE(&call->calls->open, call, in_list);
    TAILQ_INSERT_TAIL(&call->calls->ended, call, in_list);
    (void)!write(call->calls->wake, &one, sizeof one);
}

/* ---- from outside ---- */

static int open_channel(struct calls *c, struct answer *ans)
{
    if (c->channel == NULL)
        c->channel = channel_open(c->cell, c->program, &c->lock, ans);
    return c->channel != NULL ? 0 : -1;
}

/* CALL is taken */
static int send_call(struct calls *c, struct GR_Type *request, struct open_call *call,
                     struct answer *ans)
{
    static const struct channel_ops ops = { .part = on_part, .end = on_end };
    int result = open_channel(c, ans);
    if (result == 0) {
        pthread_mutex_lock(&c->lock);
        TAILQ_INSERT_TAIL(&c->open, call, in_list);
        result = channel_send(c->channel, request, false, &ops, call, ans);
        if (result != 0)
            TAILQ_REMOVE(&c->open, call, in_list);
        pthread_mutex_unlock(&c->lock);
    }
    if (result != 0)
        free_call(call);
    return result;
}

int calls_send(struct calls *c, struct GR_Type *request, calls_done_fn done, void *ctx,
               struct answer *ans)
{
    struct open_call *call = uti_alloc(sizeof *call);
    *call = (struct open_call){ .calls = c, .done = done, .ctx = ctx };
    return send_call(c, request, call, ans);
}

int calls_get(struct calls *c, struct GR_Type *request, calls_get_fn got, void *ctx,
              struct answer *ans)
{
    struct open_call *call = uti_alloc(sizeof *call);
    *call = (struct open_call){ .calls = c, .got = got, .ctx = ctx };
    call->all = cull_new(&cull_GA_Type);
    return send_call(c, request, call, ans);
}

int calls_fd(const struct calls *c)
{
    return c->wake;
}

static struct open_call *next_ended(struct calls *c)
{
    pthread_mutex_lock(&c->lock);
    struct open_call *call = TAILQ_FIRST(&c->ended);
    if (call != NULL)
        TAILQ_REMOVE(&c->ended, call, in_list);
    pthread_mutex_unlock(&c->lock);
    return call;
}

void calls_forget(struct calls *c, const void *ctx)
{
    struct open_call *call;
    pthread_mutex_lock(&c->lock);
    TAILQ_FOREACH(call, &c->open, in_list)
        call->is_forgotten = call->is_forgotten || call->ctx == ctx;
    TAILQ_FOREACH(call, &c->ended, in_list)
        call->is_forgotten = call->is_forgotten || call->ctx == ctx;
    pthread_mutex_unlock(&c->lock);
}

static void tell_end(struct open_call *call)
{
    if (call->is_forgotten)
        return;
    if (call->got != NULL)
        call->got(call->ctx, ans_has_error(&call->texts) ? NULL : call->all, &call->texts);
    else
        call->done(call->ctx, &call->texts, call->n_texts);
}

void calls_take(struct calls *c)
{
    uint64_t n;
    (void)!read(c->wake, &n, sizeof n);
    for (struct open_call *call; (call = next_ended(c)) != NULL; free_call(call))
        tell_end(call);
}
