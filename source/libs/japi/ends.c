/* Jobs by number; of each the ordinals of its tasks in three sets (unfinished, aborted, unknown),
 * and its ends by ordinal. Invariants: a task is in one of the sets, or has an end, or has been
 * taken; `ended` has all ends in the order in which they came, `ranges` the jobs with aborted or
 * unknown tasks; a job without tasks in any of these is not there. */
#include "libs/japi/ends.h"

#include <stdlib.h>

#include "libs/sgeobj/job_state.h"
#include "libs/task/task_dir.h"
#include "libs/uti/hash.h"
#include "libs/uti/tree.h"

struct ends_job;
struct end {
    uint32_t ordinal;
    struct ends_job *of;
    struct japi_ended how;
    TAILQ_ENTRY(end) in_ended;
    UT_hash_handle hh; /* in its job */
};
struct ends_job {
    uint32_t number;
    struct JB_Type tasks; /* first, last, step and type */
    uint64_t submitted_s;
    struct range_set unfinished, aborted, unknown;
    struct end *ends;
    bool is_in_ranges;
    TAILQ_ENTRY(ends_job) in_ranges;
    UT_hash_handle hh;
};
struct ends {
    struct ends_job *jobs;
    TAILQ_HEAD(, end) ended;
    TAILQ_HEAD(, ends_job) ranges;
};

struct ends *ends_new(void)
{
    struct ends *all = uti_calloc(1, sizeof *all);
    TAILQ_INIT(&all->ended);
    TAILQ_INIT(&all->ranges);
    return all;
}

static struct ends_job *find_job(const struct ends *all, uint32_t number)
{
    struct ends_job *j;
    HASH_FIND_U32(all->jobs, &number, j);
    return j;
}

static void free_end(struct ends *all, struct end *e)
{
    TAILQ_REMOVE(&all->ended, e, in_ended);
    HASH_DEL(e->of->ends, e);
    japi_ended_clear(&e->how);
    free(e);
}

static void free_job(struct ends *all, struct ends_job *j)
{
    struct end *e, *next;
    HASH_ITER(hh, j->ends, e, next) {
        free_end(all, e);
    }
    if (j->is_in_ranges)
        TAILQ_REMOVE(&all->ranges, j, in_ranges);
    range_set_free(&j->unfinished);
    range_set_free(&j->aborted);
    range_set_free(&j->unknown);
    HASH_DEL(all->jobs, j);
    free(j);
}

void ends_free(struct ends *all)
{
    struct ends_job *j, *next;
    if (all == NULL)
        return;
    HASH_ITER(hh, all->jobs, j, next) {
        free_job(all, j);
    }
    free(all);
}

void ends_add_job(struct ends *all, const struct JB_Type *job, uint32_t number)
{
    if (find_job(all, number) != NULL)
        return;
    struct ends_job *j = uti_calloc(1, sizeof *j);
    j->number = number;
    j->submitted_s = job->JB_submission_time;
    cull_set(&j->tasks, JB_type, job->JB_type);
    cull_set(&j->tasks, JB_ja_first, job->JB_ja_first);
    cull_set(&j->tasks, JB_ja_last, job->JB_ja_last);
    cull_set(&j->tasks, JB_ja_step, job->JB_ja_step);
    range_set_add(&j->unfinished, 0, job_task_count(job) - 1);
    HASH_ADD_U32(all->jobs, number, j);
}

/* ---- tasks end ---- */

static void fill_usage(struct japi_ended *how, const struct JR_Type *report)
{
    for (uint32_t i = 0; i < report->JR_usage.n; i++)
        cull_copy(&cull_UA_Type, cull_push(&how->usage), &report->JR_usage.v[i]);
}

bool ends_add(struct ends *all, const struct JR_Type *report)
{
    struct ends_job *j = find_job(all, report->JR_job_number);
    uint32_t ordinal;
    if (j == NULL || !job_task_ordinal(&j->tasks, report->JR_task_number, &ordinal) ||
        !range_set_has(&j->unfinished, ordinal))
        return false;
    struct end *e = uti_calloc(1, sizeof *e);
    e->ordinal = ordinal;
    e->of = j;
    e->how = (struct japi_ended){
        .id = { j->number, job_is_array(&j->tasks) ? report->JR_task_number : 0 },
        .has_run = !task_failure_is_start(report->JR_failed),
        .is_signalled =
            report->JR_failed == TASK_FAILED_AFTER_JOB || report->JR_failed == TASK_FAILED_LIMIT,
        .exit_status = report->JR_exit_status,
        .submitted_s = j->submitted_s,
        .started_s = report->JR_start_time,
        .ended_s = report->JR_end_time,
    };
    fill_usage(&e->how, report);
    range_set_remove(&j->unfinished, ordinal, ordinal);
    HASH_ADD_U32(j->ends, ordinal, e);
    TAILQ_INSERT_TAIL(&all->ended, e, in_ended);
    return true;
}

void ends_finish_job(struct ends *all, uint32_t number, bool is_known)
{
    struct ends_job *j = find_job(all, number);
    if (j == NULL || range_set_is_empty(&j->unfinished))
        return;
    range_set_unite(is_known ? &j->aborted : &j->unknown, &j->unfinished);
    range_set_free(&j->unfinished);
    if (!j->is_in_ranges)
        TAILQ_INSERT_TAIL(&all->ranges, j, in_ranges);
    j->is_in_ranges = true;
}

/* ---- looking ---- */

static bool has_ranges(const struct ends_job *j)
{
    return !range_set_is_empty(&j->aborted) || !range_set_is_empty(&j->unknown);
}

static struct end *find_end(const struct ends_job *j, uint32_t ordinal)
{
    struct end *e;
    HASH_FIND_U32(j->ends, &ordinal, e);
    return e;
}

/* the ordinal that ID means in J: the only task of a job that is no array */
static bool ordinal_of(const struct ends_job *j, const struct japi_id *id, uint32_t *ordinal)
{
    bool is_array = job_is_array(&j->tasks);
    if (id->task == 0 && is_array)
        return false;
    return job_task_ordinal(&j->tasks, id->task != 0 ? id->task : 1, ordinal);
}

/* how a task without an end of its own ended */
static struct japi_ended without_run(const struct ends_job *j, uint32_t ordinal)
{
    uint32_t task = job_is_array(&j->tasks) ? job_task_id(&j->tasks, ordinal) : 0;
    return (struct japi_ended){ .id = { j->number, task }, .submitted_s = j->submitted_s };
}

enum ends_have ends_look(const struct ends *all, const struct japi_id *id, struct japi_ended *out)
{
    const struct ends_job *j = find_job(all, id->job);
    uint32_t ordinal;
    if (j == NULL)
        return ENDS_NONE;
    if (!ordinal_of(j, id, &ordinal)) {
        if (id->task != 0)
            return ENDS_NONE;
        return range_set_is_empty(&j->unfinished) ? ENDS_ENDED : ENDS_UNFINISHED;
    }
    if (range_set_has(&j->unfinished, ordinal))
        return ENDS_UNFINISHED;
    const struct end *e = find_end(j, ordinal);
    bool is_range = range_set_has(&j->aborted, ordinal) || range_set_has(&j->unknown, ordinal);
    if (e == NULL && !is_range)
        return ENDS_NONE;
    if (out != NULL)
        *out = e != NULL ? e->how : without_run(j, ordinal);
    return ENDS_ENDED;
}

void ends_jobs(const struct ends *all, uint32_t **out, uint32_t *n)
{
    uint32_t cap = *n;
    for (const struct ends_job *j = all->jobs; j != NULL; j = j->hh.next) {
        *out = uti_vec_grow(*out, &cap, *n + 1, sizeof **out);
        (*out)[(*n)++] = j->number;
    }
}

/* ---- taking ---- */

static void forget_if_empty(struct ends *all, struct ends_job *j)
{
    if (j->is_in_ranges && !has_ranges(j)) {
        TAILQ_REMOVE(&all->ranges, j, in_ranges);
        j->is_in_ranges = false;
    }
    if (j->ends == NULL && !has_ranges(j) && range_set_is_empty(&j->unfinished))
        free_job(all, j);
}

static void take_end(struct ends *all, struct end *e, struct japi_ended *out)
{
    struct ends_job *j = e->of;
    *out = e->how;
    e->how.usage = (struct UA_Type_list){ 0 };
    free_end(all, e);
    forget_if_empty(all, j);
}

static void take_range(struct ends *all, struct ends_job *j, uint32_t ordinal,
                       struct japi_ended *out, bool *is_known)
{
    *is_known = range_set_has(&j->aborted, ordinal);
    *out = without_run(j, ordinal);
    range_set_remove(*is_known ? &j->aborted : &j->unknown, ordinal, ordinal);
    forget_if_empty(all, j);
}

static enum ends_have take_any(struct ends *all, struct japi_ended *out, bool *is_known)
{
    struct end *e = TAILQ_FIRST(&all->ended);
    struct ends_job *j = TAILQ_FIRST(&all->ranges);
    uint32_t ordinal;
    if (e != NULL) {
        take_end(all, e, out);
        return ENDS_ENDED;
    }
    if (j == NULL)
        return all->jobs != NULL ? ENDS_UNFINISHED : ENDS_NONE;
    if (!range_set_min(&j->aborted, &ordinal))
        (void)range_set_min(&j->unknown, &ordinal);
    take_range(all, j, ordinal, out, is_known);
    return ENDS_ENDED;
}

enum ends_have ends_take(struct ends *all, const struct japi_id *id, struct japi_ended *out,
                         bool *is_known)
{
    *is_known = true;
    if (id == NULL)
        return take_any(all, out, is_known);
    struct ends_job *j = find_job(all, id->job);
    uint32_t ordinal;
    if (j == NULL || !ordinal_of(j, id, &ordinal))
        return ENDS_NONE;
    enum ends_have have = ends_look(all, id, NULL);
    if (have != ENDS_ENDED)
        return have;
    struct end *e = find_end(j, ordinal);
    if (e != NULL)
        take_end(all, e, out);
    else
        take_range(all, j, ordinal, out, is_known);
    return ENDS_ENDED;
}

static uint32_t drop_job(struct ends *all, struct ends_job *j)
{
    uint32_t n = HASH_COUNT(j->ends);
    struct end *e, *next;
    n += (uint32_t)(range_set_count(&j->aborted) + range_set_count(&j->unknown));
    HASH_ITER(hh, j->ends, e, next) {
        free_end(all, e);
    }
    range_set_free(&j->aborted);
    range_set_free(&j->unknown);
    forget_if_empty(all, j);
    return n;
}

uint32_t ends_drop(struct ends *all, const struct japi_id *id)
{
    struct ends_job *j = find_job(all, id->job);
    struct japi_ended out = { .has_run = false };
    bool is_known;
    if (j != NULL && id->task == 0 && job_is_array(&j->tasks))
        return drop_job(all, j);
    bool is_there = ends_take(all, id, &out, &is_known) == ENDS_ENDED;
    japi_ended_clear(&out);
    return is_there;
}
