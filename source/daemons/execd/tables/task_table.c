/* The table of tasks. A task is in it exactly as long as the qmaster may ask for it; an entry
 * owns what it holds of the host: its group id, its place in the queues, the descriptor of its
 * shepherd. */
#include "daemons/execd/tables/task_table.h"

#include <stdlib.h>
#include <unistd.h>

#include "libs/comm/loop.h"
#include "libs/uti/assert.h"

static int compare_tasks(const struct exec_task *a, const struct exec_task *b)
{
    return task_key_compare(&a->key, &b->key);
}
TREE_GENERATE(task_table, exec_task, in_table, compare_tasks)

struct exec_task *task_find(struct execd *x, const struct task_key *key)
{
    const struct exec_task like = { .key = *key };
    return RB_FIND(task_table, &x->tasks, (struct exec_task *)&like);
}

struct exec_task *task_first(const struct execd *x)
{
    return RB_MIN(task_table, (struct task_table *)&x->tasks);
}

struct exec_task *task_next(const struct exec_task *t)
{
    return RB_NEXT(task_table, NULL, (struct exec_task *)t);
}

struct exec_task *task_new(struct execd *x, const struct task_key *key, uint32_t attempt)
{
    struct exec_task *t = uti_calloc(1, sizeof *t);
    struct dstr name = DSTR_INIT;
    task_key_text(key, &name);
    t->name = dstr_take(&name);
    bool is_key = task_key_parse(t->name, &t->key);
    ASSERT(is_key);
    t->kind = t->key.petask != NULL ? EXEC_TASK_PETASK : EXEC_TASK_JOB;
    t->state = EXEC_TASK_PREPARING;
    t->attempt = attempt;
    t->x = x;
    struct exec_task *there = RB_INSERT(task_table, &x->tasks, t);
    ASSERT(there == NULL);
    return t;
}

void task_return_place(struct exec_task *t)
{
    free(t->tmpdir);
    free(t->cgroup);
    t->tmpdir = t->cgroup = NULL;
    gid_pool_return(&t->x->gids, t->additional_gid);
    t->additional_gid = 0;
}

void task_drop_next(struct exec_task *t)
{
    if (t->next == NULL)
        return;
    cull_clear(&cull_JAT_Type, t->next);
    free(t->next);
    t->next = NULL;
}

void task_delete(struct exec_task *t)
{
    if (t->is_due)
        TAILQ_REMOVE(&t->x->due, t, next_due);
    if (t->is_starting)
        TAILQ_REMOVE(&t->x->starting, t, next_starting);
    RB_REMOVE(task_table, &t->x->tasks, t);
    shepherd_forget(t->shepherd);
    loop_timer_free(t->timer);
    task_return_place(t);
    task_drop_next(t);
    cull_clear(&cull_JAT_Type, &t->record);
    cull_clear(&cull_JR_Type, &t->report);
    free(t->name);
    free(t);
}

void tasks_free(struct execd *x)
{
    struct exec_task *t;
    while ((t = task_first(x)) != NULL)
        task_delete(t);
}

void tasks_mark_gids(struct execd *x)
{
    for (const struct exec_task *t = task_first(x); t != NULL; t = task_next(t))
        gid_pool_mark(&x->gids, t->additional_gid);
}
