/* The table of tasks. A task is in it exactly as long as the qmaster may ask for it; an entry
 * owns what it holds of the host: its group id, its place in the queues, the descriptor of its
 * shepherd. */
#include "daemons/execd/tables/task_table.h"

#include <stdlib.h>
#include <unistd.h>

#include "libs/comm/loop.h"

struct task *task_find(struct execd *x, uint32_t job_number, uint32_t task_number)
{
    struct task_key key = { job_number, task_number };
    struct task *t;
    HASH_FIND(hh, x->tasks, &key, sizeof key, t);
    return t;
}

struct task *task_new(struct execd *x, uint32_t job_number, uint32_t task_number, uint32_t attempt)
{
    struct task *t = uti_calloc(1, sizeof *t);
    struct dstr name = DSTR_INIT;
    t->key = (struct task_key){ job_number, task_number };
    t->phase = TASK_PREPARING;
    t->attempt = attempt;
    t->x = x;
    t->pidfd = -1;
    dstr_addf(&name, "%u.%u", job_number, task_number);
    t->name = dstr_take(&name);
    HASH_ADD(hh, x->tasks, key, sizeof t->key, t);
    return t;
}

void task_stop_watching(struct task *t)
{
    loop_watch_free(t->watch);
    t->watch = NULL;
    if (t->pidfd >= 0)
        close(t->pidfd);
    t->pidfd = -1;
}

void task_drop_next(struct task *t)
{
    if (t->next == NULL)
        return;
    cull_clear(&cull_JAT_Type, t->next);
    free(t->next);
    t->next = NULL;
}

void task_delete(struct task *t)
{
    if (t->is_due)
        TAILQ_REMOVE(&t->x->due, t, next_due);
    if (t->is_starting)
        TAILQ_REMOVE(&t->x->starting, t, next_starting);
    HASH_DEL(t->x->tasks, t);
    task_stop_watching(t);
    loop_timer_free(t->timer);
    gid_pool_return(&t->x->gids, t->additional_gid);
    task_drop_next(t);
    cull_clear(&cull_JAT_Type, &t->record);
    cull_clear(&cull_JR_Type, &t->report);
    free(t->tmpdir);
    free(t->cgroup);
    free(t->name);
    free(t);
}

void tasks_free(struct execd *x)
{
    struct task *t, *next;
    HASH_ITER(hh, x->tasks, t, next)
        task_delete(t);
}

void tasks_mark_gids(struct execd *x)
{
    for (const struct task *t = x->tasks; t != NULL; t = t->hh.next)
        gid_pool_mark(&x->gids, t->additional_gid);
}
