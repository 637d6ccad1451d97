/* Tasks that are entries of a table. Invariant: a task is in `running` from its start until it
 * ends, and in its host's table until its end is acknowledged. */
#include <signal.h>
#include <stdlib.h>

#include "clients/sge_simhost/farm.h"
#include "libs/comm/loop.h"
#include "libs/sgeobj/allocation.h"
#include "libs/sgeobj/job_report.h"
#include "libs/task/task_dir.h"
#include "libs/uti/time.h"

enum { KEY_BYTES = 2 * sizeof(uint32_t), OF_SIGNAL = 128 };

static struct sim_task *find_task(struct sim_host *h, uint32_t job_number, uint32_t task_number)
{
    struct sim_task *t;
    uint32_t key[] = { job_number, task_number };
    HASH_FIND(hh, h->tasks, key, KEY_BYTES, t);
    return t;
}

static void fill_report(const struct sim_task *t, struct JR_Type *r)
{
    cull_set(r, JR_job_number, t->job_number);
    cull_set(r, JR_task_number, t->task_number);
    cull_set(r, JR_attempt, t->attempt);
    cull_share(r, JR_queue, t->queue);
    cull_set(r, JR_start_time, t->start_s);
    cull_set(r, JR_state, (uint32_t)(t->has_ended ? REPORT_ENDED : REPORT_STARTED));
    if (t->has_ended) {
        cull_set(r, JR_end_time, t->end_s);
        cull_set(r, JR_exit_status, t->exit_status);
        cull_set(r, JR_failed, t->failed);
    }
}

static void drop_task(struct sim_host *h, struct sim_task *t)
{
    if (!t->has_ended)
        TAILQ_REMOVE(&h->farm->running, t, next_end);
    HASH_DEL(h->tasks, t);
    cull_string_drop(t->queue);
    free(t);
}

static void end_task(struct sim_task *t, uint32_t exit_status, uint32_t failed)
{
    struct farm *f = t->host->farm;
    TAILQ_REMOVE(&f->running, t, next_end);
    t->has_ended = true;
    t->end_s = uti_now_s();
    t->exit_status = exit_status;
    t->failed = failed;
    f->n_ended++;
    fill_report(t, host_report(t->host));
}

/* when the first task of all ends */
static void set_end_timer(struct farm *f)
{
    const struct sim_task *first = TAILQ_FIRST(&f->running);
    uint64_t now_us = uti_mono_us();
    if (first != NULL)
        loop_timer_set(f->end_timer, first->ends_us > now_us ? first->ends_us - now_us : 0);
}

static struct sim_task *add_task(struct sim_host *h, const struct JAT_Type *record)
{
    struct sim_task *t = uti_calloc(1, sizeof *t);
    t->job_number = record->JAT_job_number;
    t->task_number = record->JAT_task_number;
    t->attempt = record->JAT_attempt;
    t->host = h;
    cull_put_string(&t->queue, allocation_queue(&record->JAT_granted_destin_identifier_list));
    t->start_s = uti_now_s();
    t->ends_us = uti_mono_us() + h->farm->run_us;
    HASH_ADD(hh, h->tasks, job_number, KEY_BYTES, t);
    return t;
}

void task_begin(struct sim_host *h, const struct JAT_Type *record)
{
    struct farm *f = h->farm;
    struct sim_task *t = find_task(h, record->JAT_job_number, record->JAT_task_number);
    if (t != NULL && t->attempt == record->JAT_attempt) {
        fill_report(t, host_report(h));
        return;
    }
    if (t != NULL)
        drop_task(h, t);
    t = add_task(h, record);
    bool is_first = TAILQ_EMPTY(&f->running);
    TAILQ_INSERT_TAIL(&f->running, t, next_end);
    f->n_started++;
    if (f->run_us == 0) {
        end_task(t, 0, TASK_FAILED_NOT);
        return;
    }
    fill_report(t, host_report(h));
    if (is_first)
        set_end_timer(f);
}

void tasks_end(struct farm *f)
{
    struct sim_task *t;
    uint64_t now_us = uti_mono_us();
    while ((t = TAILQ_FIRST(&f->running)) != NULL && t->ends_us <= now_us)
        end_task(t, 0, TASK_FAILED_NOT);
    set_end_timer(f);
}

void task_kill(struct sim_host *h, const struct JR_Type *which, uint32_t signal)
{
    struct sim_task *t = find_task(h, which->JR_job_number, which->JR_task_number);
    if (t == NULL || t->attempt != which->JR_attempt) {
        struct JR_Type *r = host_report(h);
        cull_copy(&cull_JR_Type, r, which);
        cull_set(r, JR_state, (uint32_t)REPORT_UNKNOWN);
    } else if (!t->has_ended && signal == SIGKILL) {
        end_task(t, OF_SIGNAL + signal, TASK_FAILED_AFTER_JOB);
    }
}

void task_forget(struct sim_host *h, const struct JR_Type *which)
{
    struct sim_task *t = find_task(h, which->JR_job_number, which->JR_task_number);
    if (t != NULL && t->attempt == which->JR_attempt)
        drop_task(h, t);
}

void tasks_report(struct sim_host *h, struct XM_Type *m)
{
    const struct sim_task *t;
    for (t = h->tasks; t != NULL; t = t->hh.next)
        fill_report(t, cull_append(m, XM_reports));
}

void tasks_clear(struct sim_host *h)
{
    struct sim_task *t, *next;
    HASH_ITER(hh, h->tasks, t, next)
        drop_task(h, t);
}
