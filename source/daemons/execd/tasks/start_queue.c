/* The queue of starts: a task stands in it once at most, the timer is set while anybody does. */
#include "daemons/execd/tasks/start_queue.h"

#include "daemons/execd/tables/task_table.h"
#include "libs/comm/loop.h"

enum {
    START_AGAIN_US = 1000000, /* and twice as long each time, up to */
    START_AGAIN_MOST_US = 30 * 1000000
};

static void put_task(struct exec_task *t)
{
    TAILQ_INSERT_TAIL(&t->x->starting, t, next_starting);
    t->is_starting = true;
}

void start_queue_add(struct exec_task *t)
{
    if (TAILQ_EMPTY(&t->x->starting))
        loop_timer_set(t->x->start_timer, 0);
    put_task(t);
}

void start_queue_next(struct exec_task *t)
{
    if (!t->is_starting)
        put_task(t);
    loop_timer_set(t->x->start_timer, 0);
}

void start_queue_pause(struct exec_task *t)
{
    struct execd *x = t->x;
    x->start_pause_us = x->start_pause_us == 0                        ? START_AGAIN_US
                        : x->start_pause_us < START_AGAIN_MOST_US / 2 ? x->start_pause_us * 2
                                                                      : START_AGAIN_MOST_US;
    put_task(t);
    loop_timer_set(x->start_timer, x->start_pause_us);
}

void start_queue_retry(struct execd *x)
{
    if (x->start_pause_us != 0)
        loop_timer_set(x->start_timer, 0);
}

struct exec_task *start_queue_take(struct execd *x)
{
    struct exec_task *t = TAILQ_FIRST(&x->starting);
    if (t != NULL) {
        TAILQ_REMOVE(&x->starting, t, next_starting);
        t->is_starting = false;
    }
    return t;
}

void start_queue_go_on(struct execd *x)
{
    if (!TAILQ_EMPTY(&x->starting))
        loop_timer_set(x->start_timer, x->start_pause_us);
}
