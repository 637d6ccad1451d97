/* The thread that hears the events. Invariants: what stands below `lock` is shared, all else is the
 * thread's while it runs; `wake` is readable while something below the lock is new. */
#include "libs/feed/feed.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "libs/comm/loop.h"
#include "libs/evc/evc.h"
#include "libs/feed/msg_feed.h"
#include "libs/gdi/cell.h"
#include "libs/gdi/reach.h"
#include "libs/sgeobj/event.h"
#include "libs/uti/answer.h"
#include "libs/uti/host_name.h"
#include "libs/uti/os.h"

enum { INTERVAL_MS = 100 };

struct feed {
    struct loop *loop;
    struct evc *evc;
    struct reach *reach; /* how it connects */
    struct evc_wish wish;
    const char *kinds[EV_KINDS]; /* all that are known here, ended by NULL */
    pthread_t thread;
    int wake;
    pthread_mutex_t lock;
    pthread_cond_t taken; /* there is room again */
    struct EV_Type_list events;
    size_t bytes;
    struct feed_status status;
    bool is_ending;
};

/* ---- in the thread ---- */

static void wake_reader(struct feed *f)
{
    uint64_t one = 1;
    while (write(f->wake, &one, sizeof one) < 0 && errno == EINTR) {
    }
}

/* under the lock */
static void keep_event(struct feed *f, const struct EV_Type *event)
{
    cull_copy(&cull_EV_Type, cull_push(&f->events), event);
    f->bytes += sizeof *event + cull_heap_bytes(&cull_EV_Type, event);
}

static void keep_kind(struct feed *f, enum event_kind kind)
{
    struct EV_Type event = { 0 };
    cull_set(&event, EV_kind, (uint32_t)kind);
    keep_event(f, &event);
    cull_clear(&cull_EV_Type, &event);
}

static int on_event(void *ctx, const struct EV_Type *event, struct answer *ans)
{
    struct feed *f = ctx;
    if (event_check(event, ans) != 0)
        return -1;
    pthread_mutex_lock(&f->lock);
    while (f->bytes >= FEED_MOST && !f->is_ending) {
        wake_reader(f);
        pthread_cond_wait(&f->taken, &f->lock);
    }
    keep_event(f, event);
    pthread_mutex_unlock(&f->lock);
    return 0;
}

static void on_synced(void *ctx)
{
    struct feed *f = ctx;
    pthread_mutex_lock(&f->lock);
    f->status = (struct feed_status){ .is_synced = true, .has_all = f->wish.wants_all };
    pthread_mutex_unlock(&f->lock);
}

static void on_package_end(void *ctx)
{
    wake_reader(ctx);
}

/* who may not hear of all jobs hears of the own ones from the next connection on */
static void on_lost(void *ctx, const char *why)
{
    struct feed *f = ctx;
    f->wish.wants_all = !(evc_is_refused(f->evc) && f->wish.wants_all);
    pthread_mutex_lock(&f->lock);
    f->status.is_synced = false;
    snprintf(f->status.why, sizeof f->status.why, "%s", why);
    keep_kind(f, EV_ANEW);
    pthread_mutex_unlock(&f->lock);
    wake_reader(f);
}

static const struct evc_ops calls = { on_event, on_synced, on_package_end, NULL, on_lost };

static void *run_feed(void *ctx)
{
    struct feed *f = ctx;
    loop_run(f->loop);
    return NULL;
}

/* ---- from outside ---- */

/* signals are for the main thread */
static int start_thread(struct feed *f, struct answer *ans)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int rc = pthread_create(&f->thread, NULL, run_feed, f);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return rc == 0 ? 0 : ans_sys(ans, rc, MSG_FEED_THREAD);
}

static void free_feed(struct feed *f)
{
    evc_free(f->evc);
    reach_free(f->reach);
    loop_free(f->loop);
    if (f->wake >= 0)
        close(f->wake);
    pthread_cond_destroy(&f->taken);
    pthread_mutex_destroy(&f->lock);
    cull_list_clear(&cull_EV_Type, &f->events);
    free(f);
}

static void connect_feed(struct feed *f, const struct cell *cell, const char *program)
{
    char host[HOST_NAME_BYTES];
    f->reach = reach_new(cell, os_hostname(host, sizeof host) == 0 ? host : "");
    struct link_dial dial = reach_dial(f->reach);
    f->evc = evc_connect(f->loop, &dial, program, &f->wish, &calls, f);
}

static struct feed *make_feed(const char *const *fields, struct answer *ans)
{
    struct feed *f = uti_calloc(1, sizeof *f);
    pthread_mutex_init(&f->lock, NULL);
    pthread_cond_init(&f->taken, NULL);
    for (uint32_t kind = 1, n = 0; kind < EV_KINDS; kind++)
        if (kind != EV_USAGE && kind != EV_SHARE_USAGE) /* nothing shows it */
            f->kinds[n++] = event_kind_name(kind);
    f->wish = (struct evc_wish){
        .kinds = f->kinds, .fields = fields, .wants_all = true, .interval_ms = INTERVAL_MS
    };
    f->loop = loop_new(ans);
    f->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (f->loop != NULL && f->wake >= 0)
        return f;
    if (f->wake < 0)
        ans_sys(ans, errno, MSG_FEED_WAKE);
    free_feed(f);
    return NULL;
}

struct feed *feed_start(const struct cell *cell, const char *program, const char *const *fields,
                        struct answer *ans)
{
    struct feed *f = make_feed(fields, ans);
    if (f == NULL)
        return NULL;
    connect_feed(f, cell, program);
    if (start_thread(f, ans) == 0)
        return f;
    free_feed(f);
    return NULL;
}

void feed_stop(struct feed *f)
{
    if (f == NULL)
        return;
    pthread_mutex_lock(&f->lock);
    f->is_ending = true;
    pthread_cond_signal(&f->taken);
    pthread_mutex_unlock(&f->lock);
    loop_stop(f->loop);
    pthread_join(f->thread, NULL);
    free_feed(f);
}

int feed_fd(const struct feed *f)
{
    return f->wake;
}

static struct EV_Type_list take_events(struct feed *f, struct feed_status *out)
{
    uint64_t n;
    (void)!read(f->wake, &n, sizeof n);
    pthread_mutex_lock(&f->lock);
    struct EV_Type_list events = f->events;
    f->events = (struct EV_Type_list){ 0 };
    f->bytes = 0;
    *out = f->status;
    pthread_cond_signal(&f->taken);
    pthread_mutex_unlock(&f->lock);
    return events;
}

void feed_take(struct feed *f, feed_fn fn, void *ctx, struct feed_status *out)
{
    struct EV_Type_list events = take_events(f, out);
    for (uint32_t i = 0; i < events.n; i++)
        fn(ctx, &events.v[i]);
    cull_list_clear(&cull_EV_Type, &events);
}
