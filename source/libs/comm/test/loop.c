/* The loop: timers, descriptors, signals, and pokes from other threads. */
#include "libs/comm/loop.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "libs/comm/loop_priv.h"
#include "libs/uti/time.h"
#include "libs/uti/turns.h"

struct fixture {
    struct loop *loop;
    struct loop_watch *watch;
    struct loop_timer *timers[2];
    int fd;
    _Atomic int n;
    int stop_at;
    struct turn_counts counts;
};

static int set_up(void **state)
{
    static struct fixture t;
    t = (struct fixture){ .loop = loop_new(NULL), .stop_at = 1 };
    *state = &t;
    return t.loop != NULL ? 0 : -1;
}

static int tear_down(void **state)
{
    struct fixture *t = *state;
    loop_watch_free(t->watch);
    loop_timer_free(t->timers[0]);
    loop_timer_free(t->timers[1]);
    loop_free(t->loop);
    return 0;
}

static void count_call(void *ctx)
{
    struct fixture *t = ctx;
    if (++t->n == t->stop_at)
        loop_stop(t->loop);
}

static void a_stop_before_the_run_counts(void **state)
{
    struct fixture *t = *state;
    loop_stop(t->loop);
    assert_int_equal(loop_run(t->loop), 0);
}

enum { WORK_US = 3000 };

static void work_a_while(void *ctx)
{
    struct fixture *t = ctx;
    uint64_t until_us = uti_mono_us() + WORK_US;
    loop_doing_for(t->loop, "work", &t->counts);
    while (uti_mono_us() < until_us)
        continue;
    count_call(t);
}

static void turns_are_measured_with_their_parts(void **state)
{
    struct fixture *t = *state;
    t->stop_at = 2;
    for (int i = 0; i < 2; i++) { /* in one turn or in two */
        t->timers[i] = loop_timer_new(t->loop, work_a_while, t);
        loop_timer_set(t->timers[i], 0);
    }
    assert_int_equal(loop_run(t->loop), 0);
    const struct turn_counts *turns = loop_turns(t->loop);
    assert_true(turns->n >= 1 && turns->longest_us >= WORK_US);
    assert_int_equal(t->counts.n, 2);
    assert_true(t->counts.longest_us >= WORK_US && t->counts.longest_us <= turns->longest_us);
}

static void never_called(void *ctx)
{
    (void)ctx;
    fail_msg("a cleared timer ran");
}

static void timers_run_once_when_they_are_due(void **state)
{
    struct fixture *t = *state;
    t->timers[0] = loop_timer_new(t->loop, count_call, t);
    t->timers[1] = loop_timer_new(t->loop, never_called, t);
    uint64_t began = uti_mono_us();
    loop_timer_set(t->timers[0], 3600000000);
    loop_timer_set(t->timers[0], 20000); /* replaces the hour */
    loop_timer_set(t->timers[1], 1);
    loop_timer_clear(t->timers[1]);
    assert_int_equal(loop_run(t->loop), 0);
    assert_int_equal(t->n, 1);
    assert_true(uti_mono_us() - began >= 15000); /* the clock behind it ticks in 4 ms */
}

static void *poke_many(void *ctx)
{
    struct fixture *t = ctx;
    for (int i = 0; i < 1000; i++)
        loop_wake(t->watch);
    return NULL;
}

static void pokes_merge_and_none_is_lost(void **state)
{
    struct fixture *t = *state;
    pthread_t thread;
    t->stop_at = 1; /* a stop from the thread could come before the run */
    t->watch = loop_wake_new(t->loop, count_call, t);
    loop_wake(t->watch);
    loop_wake(t->watch);
    assert_int_equal(pthread_create(&thread, NULL, poke_many, t), 0);
    assert_int_equal(loop_run(t->loop), 0);
    pthread_join(thread, NULL);
    assert_in_range(t->n, 1, 1002);
}

static void poke_again(void *ctx)
{
    struct fixture *t = ctx;
    count_call(ctx);
    loop_wake(t->watch);
}

static void a_poke_from_within_runs_again(void **state)
{
    struct fixture *t = *state;
    t->stop_at = 10;
    t->watch = loop_wake_new(t->loop, poke_again, t);
    loop_wake(t->watch);
    assert_int_equal(loop_run(t->loop), 0);
    assert_in_range(t->n, 10, 11); /* one more may be on its way */
}

static void read_one(void *ctx)
{
    struct fixture *t = ctx;
    char c;
    assert_int_equal(read(t->fd, &c, 1), 1);
    count_call(ctx);
}

static void a_descriptor_is_watched_while_there_is_something(void **state)
{
    struct fixture *t = *state;
    int fds[2];
    assert_int_equal(pipe(fds), 0);
    assert_int_equal(write(fds[1], "abc", 3), 3);
    t->fd = fds[0];
    t->stop_at = 3;
    t->watch = loop_watch_read(t->loop, fds[0], read_one, t);
    assert_int_equal(loop_run(t->loop), 0);
    assert_int_equal(t->n, 3);
    close(fds[0]);
    close(fds[1]);
}

static void a_signal_is_told_in_the_loop(void **state)
{
    struct fixture *t = *state;
    t->watch = loop_watch_signal(t->loop, SIGUSR1, count_call, t);
    assert_non_null(t->watch);
    assert_int_equal(raise(SIGUSR1), 0);
    assert_int_equal(t->n, 0);
    assert_int_equal(loop_run(t->loop), 0);
    assert_int_equal(t->n, 1);
}

#define LOOPED(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        LOOPED(a_stop_before_the_run_counts),
        LOOPED(timers_run_once_when_they_are_due),
        LOOPED(pokes_merge_and_none_is_lost),
        LOOPED(a_poke_from_within_runs_again),
        LOOPED(a_descriptor_is_watched_while_there_is_something),
        LOOPED(a_signal_is_told_in_the_loop),
        LOOPED(turns_are_measured_with_their_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
