/* The event loop. One struct loop is one libevent base, run by one thread.
 * Other threads reach it only through eventfds (loop_wake, loop_stop), so that a poke that
 * comes before the loop runs is not lost. Signals: libevent keeps one base for them, so that
 * only one loop of a process may watch signals. A turn lasts from the first function that libevent
 * calls to the last before it waits again; parts of it end where the next begins. */
#include "libs/comm/loop.h"

#include <errno.h>
#include <event2/event.h>
#include <event2/thread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "libs/comm/loop_priv.h"
#include "libs/comm/msg_comm.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/assert.h"
#include "libs/uti/time.h"
#include "libs/uti/turns.h"

struct loop {
    struct event_base *base;
    struct loop_watch *stopper;
    _Atomic bool is_stopped;
    struct turns turns;
    const char *doing;        /* NULL: it waits */
    struct turn_counts *also; /* what is done counts there, too; NULL: nowhere */
};
struct loop_timer {
    struct loop *loop;
    struct event *ev;
    loop_fn fn;
    void *ctx;
};
struct loop_watch {
    struct loop *loop;
    struct event *ev;
    loop_fn fn;
    void *ctx;
    int wake_fd; /* owned; -1 unless made by loop_wake_new */
    _Atomic bool is_poked;
};

struct event_base *loop_base(struct loop *l)
{
    return l->base;
}

/* ---- what turns cost ---- */

void loop_measure(struct loop *l, const char *thread)
{
    l->turns.counts.thread = thread;
}

const struct turn_counts *loop_turns(const struct loop *l)
{
    return &l->turns.counts;
}

static void part_end(struct loop *l, uint64_t now_us)
{
    if (l->also != NULL)
        turn_count(l->also, now_us - l->turns.part_began_us, NULL, now_us);
    turns_part(&l->turns, l->doing, NULL, now_us);
}

void loop_doing_for(struct loop *l, const char *what, struct turn_counts *counts)
{
    uint64_t now_us = uti_mono_us();
    if (l->doing == NULL)
        turns_begin(&l->turns, now_us);
    else
        part_end(l, now_us);
    l->doing = what;
    l->also = counts;
}

void loop_doing(struct loop *l, const char *what)
{
    loop_doing_for(l, what, NULL);
}

static void turn_end(struct loop *l)
{
    if (l->doing == NULL)
        return;
    uint64_t now_us = uti_mono_us();
    part_end(l, now_us);
    turns_end(&l->turns, now_us);
    l->doing = NULL;
    l->also = NULL;
}

static void on_stop(void *ctx)
{
    struct loop *l = ctx;
    event_base_loopbreak(l->base);
}

static struct event_base *base_new(void)
{
    struct event_config *c = event_config_new();
    if (c == NULL)
        return NULL;
    /* timers count from when they are set, not from when the turn of the loop began */
    event_config_set_flag(c, EVENT_BASE_FLAG_NO_CACHE_TIME);
    struct event_base *base = event_base_new_with_config(c);
    event_config_free(c);
    return base;
}

struct loop *loop_new(struct answer *ans)
{
    errno = 0;
    struct event_base *base = evthread_use_pthreads() == 0 ? base_new() : NULL;
    if (base == NULL)
        return ans_sys_null(ans, errno != 0 ? errno : ENOMEM, MSG_COMM_LOOP);
    struct loop *l = uti_calloc(1, sizeof *l);
    l->base = base;
    l->stopper = loop_wake_new(l, on_stop, l);
    if (l->stopper == NULL) {
        int err = errno;
        loop_free(l);
        return ans_sys_null(ans, err, MSG_COMM_LOOP);
    }
    return l;
}

void loop_free(struct loop *l)
{
    if (l == NULL)
        return;
    loop_watch_free(l->stopper);
    event_base_free(l->base);
    free(l);
}

int loop_run(struct loop *l)
{
    int rc = 0;
    while (rc == 0 && !l->is_stopped) {
        rc = event_base_loop(l->base, EVLOOP_ONCE);
        turn_end(l);
    }
    return rc < 0 ? -1 : 0;
}

void loop_stop(struct loop *l)
{
    l->is_stopped = true;
    loop_wake(l->stopper);
}

/* ---- timers ---- */

static void on_timer(evutil_socket_t fd, short what, void *ctx)
{
    (void)fd;
    (void)what;
    struct loop_timer *t = ctx;
    loop_doing(t->loop, "a timer");
    t->fn(t->ctx);
}

struct loop_timer *loop_timer_new(struct loop *l, loop_fn fn, void *ctx)
{
    struct loop_timer *t = uti_calloc(1, sizeof *t);
    t->loop = l;
    t->fn = fn;
    t->ctx = ctx;
    t->ev = evtimer_new(l->base, on_timer, t);
    ASSERT(t->ev != NULL);
    return t;
}

void loop_timer_set(struct loop_timer *t, uint64_t in_us)
{
    struct timeval in = { .tv_sec = (time_t)(in_us / 1000000),
                          .tv_usec = (suseconds_t)(in_us % 1000000) };
    int rc = evtimer_add(t->ev, &in);
    ASSERT(rc == 0);
}

void loop_timer_clear(struct loop_timer *t)
{
    evtimer_del(t->ev);
}

void loop_timer_free(struct loop_timer *t)
{
    if (t == NULL)
        return;
    event_free(t->ev);
    free(t);
}

/* ---- descriptors, signals, pokes ---- */

static void on_watch(evutil_socket_t fd, short what, void *ctx)
{
    (void)fd;
    (void)what;
    struct loop_watch *w = ctx;
    loop_doing(w->loop, w->wake_fd >= 0 ? "what other threads give" : "a descriptor or signal");
    if (w->wake_fd >= 0) {
        uint64_t n;
        if (read(w->wake_fd, &n, sizeof n) < 0)
            return;          /* not poked */
        w->is_poked = false; /* before FN: a poke from now on runs it again */
    }
    w->fn(w->ctx);
}

/* WHAT: EV_READ or EV_SIGNAL; FD is a signal number for the latter */
static struct loop_watch *watch_new(struct loop *l, int fd, short what, loop_fn fn, void *ctx)
{
    struct loop_watch *w = uti_calloc(1, sizeof *w);
    w->loop = l;
    w->fn = fn;
    w->ctx = ctx;
    w->wake_fd = -1;
    w->ev = event_new(l->base, fd, (short)(what | EV_PERSIST), on_watch, w);
    if (w->ev != NULL && event_add(w->ev, NULL) == 0)
        return w;
    loop_watch_free(w);
    return NULL;
}

struct loop_watch *loop_watch_read(struct loop *l, int fd, loop_fn fn, void *ctx)
{
    return watch_new(l, fd, EV_READ, fn, ctx);
}

struct loop_watch *loop_watch_signal(struct loop *l, int sig, loop_fn fn, void *ctx)
{
    return watch_new(l, sig, EV_SIGNAL, fn, ctx);
}

void loop_watch_free(struct loop_watch *w)
{
    if (w == NULL)
        return;
    if (w->ev != NULL)
        event_free(w->ev);
    if (w->wake_fd >= 0)
        close(w->wake_fd);
    free(w);
}

struct loop_watch *loop_wake_new(struct loop *l, loop_fn fn, void *ctx)
{
    int fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (fd < 0)
        return NULL;
    struct loop_watch *w = watch_new(l, fd, EV_READ, fn, ctx);
    if (w == NULL)
        close(fd);
    else
        w->wake_fd = fd;
    return w;
}

void loop_wake(struct loop_watch *w)
{
    if (atomic_exchange(&w->is_poked, true))
        return;
    uint64_t one = 1;
    ssize_t n = write(w->wake_fd, &one, sizeof one);
    (void)n; /* a full counter wakes as well */
}
