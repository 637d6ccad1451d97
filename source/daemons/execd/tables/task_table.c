/* The table of tasks. A task is in it exactly as long as the qmaster may ask for it; an entry
 * owns what it holds of the host: its group id, its place in the queues, the descriptor of its
 * shepherd. */
#include "daemons/execd/tables/task_table.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "libs/comm/loop.h"
#include "libs/sgeobj/allocation.h"
#include "libs/uti/assert.h"
#include "libs/uti/parse.h"

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

struct exec_task *task_first_of(const struct execd *x, const struct task_key *key)
{
    const struct exec_task like = { .key = { .job_number = key->job_number,
                                             .task_number = key->task_number } };
    return RB_NFIND(task_table, (struct task_table *)&x->tasks, (struct exec_task *)&like);
}

struct exec_task *task_first(const struct execd *x)
{
    return RB_MIN(task_table, (struct task_table *)&x->tasks);
}

struct exec_task *task_next(const struct exec_task *t)
{
    return RB_NEXT(task_table, NULL, (struct exec_task *)t);
}

const char *task_queue(const struct exec_task *t)
{
    const struct JG_Type_list *granted = &t->record.JAT_granted_destin_identifier_list;
    bool is_elsewhere = t->kind == EXEC_TASK_SLAVE || t->kind == EXEC_TASK_PETASK;
    for (uint32_t i = 0; is_elsewhere && i < granted->n; i++)
        if (granted->v[i].JG_qhostname != NULL && granted->v[i].JG_qname != NULL &&
            strcmp(granted->v[i].JG_qhostname, t->x->place.host) == 0)
            return granted->v[i].JG_qname;
    return allocation_queue(granted);
}

struct exec_task *task_of_petask(const struct exec_task *t)
{
    const struct task_key key = { t->key.job_number, t->key.task_number, NULL };
    return t->key.petask != NULL ? task_find(t->x, &key) : NULL;
}

/* T if it is a petask of the same task as OTHER */
static struct exec_task *same_task(struct exec_task *t, const struct exec_task *other)
{
    bool is_same = t != NULL && t->key.petask != NULL &&
                   t->key.job_number == other->key.job_number &&
                   t->key.task_number == other->key.task_number;
    return is_same ? t : NULL;
}

struct exec_task *petask_first(const struct exec_task *t)
{
    return t->key.petask == NULL ? same_task(task_next(t), t) : NULL;
}

struct exec_task *petask_next(const struct exec_task *petask)
{
    return same_task(task_next(petask), petask);
}

uint32_t petasks_count(const struct exec_task *t, bool with_ended)
{
    uint32_t n = 0;
    for (const struct exec_task *p = petask_first(t); p != NULL; p = petask_next(p))
        n += with_ended || p->state != EXEC_TASK_ENDED;
    return n;
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

/* ---- cores ---- */

enum { CORES_NEWS_US = 1000000 };

static void tell_cores(struct execd *x)
{
    if (!x->are_cores_news)
        loop_timer_set(x->values_timer, CORES_NEWS_US);
    x->are_cores_news = true;
}

void task_hold_cores(struct exec_task *t)
{
    if (t->cores.n == 0)
        return;
    cores_hold(&t->x->load.topology, &t->cores);
    tell_cores(t->x);
}

void task_return_cores(struct exec_task *t)
{
    if (t->cores.n == 0)
        return; /* nearly always */
    cores_release(&t->x->load.topology, &t->cores);
    core_set_free(&t->cores);
    tell_cores(t->x);
}

void task_return_place(struct exec_task *t)
{
    task_return_cores(t);
    free(t->tmpdir);
    free(t->cgroup);
    t->tmpdir = t->cgroup = NULL;
    gid_pool_set(&t->x->gids, t->additional_gid, false);
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
        gid_pool_set(&x->gids, t->additional_gid, true);
}

/* ---- queue of starts ---- */
/* The queue of starts: a task stands in it once at most, the timer is set while one does. */

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

/* ---- jobs without tasks ---- */
/* Forgetting jobs. In regular processing EXEC_FORGET_JOB does it and nothing here looks at more
 * than one entry; tables are only walked after a reconnect or a restart. */

static bool has_task(const struct execd *x, uint32_t job_number)
{
    for (const struct exec_task *t = task_first(x); t != NULL; t = task_next(t))
        if (t->key.job_number == job_number)
            return true;
    return false;
}

void job_forget(struct execd *x, uint32_t job_number)
{
    char *script = host_dir_script(&x->dir, job_number);
    job_cache_forget(&x->cache, job_number);
    (void)unlink(script);
    free(script);
}

void stale_jobs_begin(struct execd *x)
{
    struct cached_job *job, *next;
    x->cache.connection++;
    HASH_ITER(hh, x->cache.jobs, job, next)
        if (!has_task(x, job->number))
            job_forget(x, job->number);
}

void stale_jobs_task_gone(struct execd *x, uint32_t job_number)
{
    const struct cached_job *job = job_cache_job(&x->cache, job_number);
    if (job != NULL && job->connection == x->cache.connection)
        return; /* nearly always: the qmaster knows that we have it */
    if (!has_task(x, job_number))
        job_forget(x, job_number);
}

void stale_jobs_recover(struct execd *x)
{
    DIR *dir = opendir(x->dir.scripts_path);
    struct dirent *entry;
    uint32_t number;
    while (dir != NULL && (entry = readdir(dir)) != NULL)
        if (parse_u32(entry->d_name, &number) && !has_task(x, number))
            job_forget(x, number);
    if (dir != NULL)
        closedir(dir);
}
