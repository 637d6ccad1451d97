/* Jobs by number; of each the ordinals of its tasks in sets (unfinished, aborted, unknown; taken,
 * given), and its ends by ordinal. Invariants: a task is in one of the first three sets, or has an
 * end, or is in one of the last two, or is forgotten; `ended` has all ends in the order in which
 * they came, `ranges` the jobs with aborted or unknown tasks, `takings` those with taken tasks,
 * which the qmaster is to hear of; `given` it is hearing of; a job without tasks in any of these is
 * not there.
 *
 * Memory may be refused anywhere (uti/guard.h). What is heard then is heard again, so each change
 * that it makes can be made twice; a job that is half made is `is_found`. */
#include "libs/japi/ends.h"

#include <stdlib.h>

#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/job_state.h"
#include "libs/task/task_dir.h"
#include "libs/uti/guard.h"
#include "libs/uti/hash.h"
#include "libs/uti/tree.h"

enum { SIGNALLED = 128 }; /* what the exit status of a job begins at that a signal ended */

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
    bool is_found;        /* of an earlier program: `tasks` are those that were heard of */
    struct range_set unfinished, aborted, unknown, taken, given;
    struct end *ends;
    bool is_left; /* it has tasks whose ends have not been taken */
    bool is_in_ranges, is_in_takings;
    TAILQ_ENTRY(ends_job) in_ranges, in_takings;
    UT_hash_handle hh;
};
struct ends {
    struct ends_job *jobs;
    TAILQ_HEAD(, end) ended;
    TAILQ_HEAD(, ends_job) ranges;
    TAILQ_HEAD(, ends_job) takings;
    uint32_t n_left; /* jobs with tasks whose ends have not been taken */
};

struct ends *ends_new(void)
{
    struct ends *all = uti_calloc(1, sizeof *all);
    TAILQ_INIT(&all->ended);
    TAILQ_INIT(&all->ranges);
    TAILQ_INIT(&all->takings);
    return all;
}

static struct ends_job *find_job(const struct ends *all, uint32_t number)
{
    struct ends_job *j;
    HASH_FIND_U32(all->jobs, &number, j);
    return j;
}

static bool has_ranges(const struct ends_job *j)
{
    return !range_set_is_empty(&j->aborted) || !range_set_is_empty(&j->unknown);
}

/* has it tasks whose ends have not been taken? */
static bool has_left(const struct ends_job *j)
{
    return j->ends != NULL || has_ranges(j) || !range_set_is_empty(&j->unfinished);
}

static struct end *find_end(const struct ends_job *j, uint32_t ordinal)
{
    struct end *e;
    HASH_FIND_U32(j->ends, &ordinal, e);
    return e;
}

void japi_ended_clear(struct japi_ended *e)
{
    cull_list_clear(&cull_UA_Type, &e->usage);
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
    if (j->is_in_takings)
        TAILQ_REMOVE(&all->takings, j, in_takings);
    range_set_free(&j->unknown);
    range_set_free(&j->taken);
    range_set_free(&j->given);
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

static void note_left(struct ends *all, struct ends_job *j)
{
    if (j->is_left)
        return;
    j->is_left = true;
    all->n_left++;
}

static struct ends_job *add_job(struct ends *all, uint32_t number)
{
    struct ends_job *j = uti_calloc(1, sizeof *j);
    j->number = number;
    j->is_found = true;
    HASH_ADD_U32(all->jobs, number, j);
    return j;
}

/* all tasks of J but those whose end is known, or was taken */
static void find_unfinished(struct ends_job *j)
{
    range_set_add(&j->unfinished, 0, job_task_count(&j->tasks) - 1);
    range_set_subtract(&j->unfinished, &j->aborted);
    range_set_subtract(&j->unfinished, &j->taken);
    range_set_subtract(&j->unfinished, &j->given);
    for (const struct end *e = j->ends; e != NULL; e = e->hh.next)
        range_set_remove(&j->unfinished, e->ordinal, e->ordinal);
}

void ends_add_job(struct ends *all, const struct JB_Type *job, uint32_t number)
{
    struct ends_job *j = find_job(all, number);
    if (j != NULL && !j->is_found)
        return;
    if (j == NULL)
        j = add_job(all, number);
    cull_set(&j->tasks, JB_type, job->JB_type);
    cull_set(&j->tasks, JB_ja_first, job->JB_ja_first);
    cull_set(&j->tasks, JB_ja_last, job->JB_ja_last);
    cull_set(&j->tasks, JB_ja_step, job->JB_ja_step);
    find_unfinished(j);
    j->is_found = false;
    if (has_left(j))
        note_left(all, j);
}

/* ---- tasks end ---- */

/* a job of an earlier program in this session: all that is known of it is this end */
static struct ends_job *job_of_end(struct ends *all, const struct EN_Type *end)
{
    struct ends_job *j = find_job(all, end->EN_job_number);
    uint32_t last = 0;
    (void)range_set_max(&end->EN_ordinals, &last);
    if (j == NULL)
        j = add_job(all, end->EN_job_number);
    if (j->tasks.JB_ja_step == 0) {
        cull_set(&j->tasks, JB_type, (uint32_t)(end->EN_is_array ? JOB_TYPE_ARRAY : 0));
        cull_set(&j->tasks, JB_ja_first, end->EN_ja_first);
        cull_set(&j->tasks, JB_ja_last, end->EN_ja_first);
        cull_set(&j->tasks, JB_ja_step, end->EN_ja_step > 0 ? end->EN_ja_step : 1u);
    }
    if (j->is_found && last >= job_task_count(&j->tasks)) /* it has at least these tasks */
        cull_set(&j->tasks, JB_ja_last, j->tasks.JB_ja_first + last * j->tasks.JB_ja_step);
    return j;
}

static void fill_how(struct japi_ended *how, const struct ends_job *j, const struct EN_Type *end,
                     uint32_t ordinal)
{
    bool is_signalled = end->EN_failed == TASK_FAILED_AFTER_JOB ||
                        end->EN_failed == TASK_FAILED_LIMIT || end->EN_how == END_KILLED;
    /* it was deleted on its way to the host, or its prolog exited with 100 */
    bool is_unstarted = (end->EN_how == END_KILLED || end->EN_failed == TASK_FAILED_APPERROR) &&
                        end->EN_start_time == 0;
    *how = (struct japi_ended){
        .id = { j->number, job_is_array(&j->tasks) ? job_task_id(&j->tasks, ordinal) : 0 },
        .has_run = !task_failure_is_start(end->EN_failed) && !is_unstarted,
        .is_signalled = is_signalled && end->EN_exit_status > SIGNALLED,
        .exit_status = end->EN_exit_status,
        .submitted_s = end->EN_submission_time,
        .started_s = end->EN_start_time,
        .ended_s = end->EN_end_time,
    };
    for (uint32_t i = 0; i < end->EN_usage.n; i++)
        cull_copy(&cull_UA_Type, cull_push(&how->usage), &end->EN_usage.v[i]);
}

static void put_in_table(void *ctx)
{
    struct end *e = ctx;
    HASH_ADD_U32(e->of->ends, ordinal, e);
}

/* Without memory to grow, a table has the element all the same; without memory to begin, it is
 * tried again, and the caller does not come back. */
static void add_to_table(struct end *e)
{
    if (guard_call(put_in_table, e, NULL) != GUARD_DONE && find_end(e->of, e->ordinal) != e)
        put_in_table(e);
}

static void add_end(struct ends *all, struct ends_job *j, const struct EN_Type *end,
                    uint32_t ordinal)
{
    struct end *e = uti_calloc(1, sizeof *e);
    e->ordinal = ordinal;
    e->of = j;
    fill_how(&e->how, j, end, ordinal);
    add_to_table(e);
    TAILQ_INSERT_TAIL(&all->ended, e, in_ended);
}

static void list_ranges(struct ends *all, struct ends_job *j)
{
    if (!j->is_in_ranges)
        TAILQ_INSERT_TAIL(&all->ranges, j, in_ranges);
    j->is_in_ranges = true;
}

/* is its end known, or was it taken? */
static bool is_known_task(const struct ends_job *j, uint32_t ordinal)
{
    return range_set_has(&j->aborted, ordinal) || range_set_has(&j->taken, ordinal) ||
           range_set_has(&j->given, ordinal) || find_end(j, ordinal) != NULL ||
           (!j->is_found && !range_set_has(&j->unfinished, ordinal));
}

static bool add_one(struct ends *all, struct ends_job *j, const struct EN_Type *end)
{
    uint32_t ordinal;
    if (!range_set_min(&end->EN_ordinals, &ordinal) || is_known_task(j, ordinal))
        return false;
    add_end(all, j, end, ordinal);
    range_set_remove(&j->unfinished, ordinal, ordinal);
    return true;
}

/* tasks that never ran */
static bool add_unrun(struct ends *all, struct ends_job *j, const struct EN_Type *end)
{
    struct range_set news = { 0 };
    range_set_copy(&news, &end->EN_ordinals);
    range_set_subtract(&news, &j->aborted);
    range_set_subtract(&news, &j->taken);
    range_set_subtract(&news, &j->given);
    if (!j->is_found)
        range_set_intersect(&news, &j->unfinished);
    bool is_news = !range_set_is_empty(&news);
    range_set_unite(&j->aborted, &news);
    range_set_subtract(&j->unfinished, &news);
    range_set_free(&news);
    if (is_news)
        list_ranges(all, j);
    return is_news;
}

bool ends_add(struct ends *all, const struct EN_Type *end)
{
    struct ends_job *j = job_of_end(all, end);
    bool is_news = end->EN_how == END_UNRUN ? add_unrun(all, j, end) : add_one(all, j, end);
    if (has_left(j))
        note_left(all, j);
    return is_news;
}

void ends_finish_job(struct ends *all, uint32_t number)
{
    struct ends_job *j = find_job(all, number);
    if (j == NULL || range_set_is_empty(&j->unfinished))
        return;
    range_set_unite(&j->unknown, &j->unfinished);
    range_set_free(&j->unfinished);
    list_ranges(all, j);
}

/* ---- looking ---- */

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
    return (struct japi_ended){ .id = { j->number, task } };
}

/* the first of the tasks without ends of their own that have ended */
static uint32_t first_of_ranges(const struct ends_job *j)
{
    uint32_t ordinal = 0;
    if (!range_set_min(&j->aborted, &ordinal))
        (void)range_set_min(&j->unknown, &ordinal);
    return ordinal;
}

static enum ends_have look_at_all(const struct ends *all, struct japi_ended *out)
{
    const struct end *e = TAILQ_FIRST(&all->ended);
    const struct ends_job *j = TAILQ_FIRST(&all->ranges);
    if (e == NULL && j == NULL)
        return all->n_left > 0 ? ENDS_UNFINISHED : ENDS_NONE;
    if (out != NULL)
        *out = e != NULL ? e->how : without_run(j, first_of_ranges(j));
    return ENDS_ENDED;
}

static enum ends_have look_at_array(const struct ends_job *j, struct japi_ended *out)
{
    if (!j->is_left)
        return ENDS_NONE;
    if (!range_set_is_empty(&j->unfinished))
        return ENDS_UNFINISHED;
    const struct end *e = find_end(j, 0);
    bool is_first_without = has_ranges(j) && first_of_ranges(j) == 0;
    if (e == NULL && !is_first_without)
        e = j->ends;
    if (out != NULL)
        *out = e != NULL ? e->how : without_run(j, first_of_ranges(j));
    return ENDS_ENDED;
}

enum ends_have ends_look(const struct ends *all, const struct japi_id *id, struct japi_ended *out)
{
    if (id == NULL)
        return look_at_all(all, out);
    const struct ends_job *j = find_job(all, id->job);
    uint32_t ordinal;
    if (j == NULL)
        return ENDS_NONE;
    if (!ordinal_of(j, id, &ordinal))
        return id->task == 0 ? look_at_array(j, out) : ENDS_NONE;
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

enum ends_have ends_peek(const struct ends *all, const struct japi_id *id, struct japi_ended *out)
{
    const struct ends_job *j = id != NULL ? find_job(all, id->job) : NULL;
    uint32_t ordinal;
    if (id != NULL && (j == NULL || !ordinal_of(j, id, &ordinal)))
        return ENDS_NONE;
    return ends_look(all, id, out);
}

bool ends_is_empty(const struct ends *all)
{
    return all->n_left == 0;
}

void ends_jobs(const struct ends *all, uint32_t **out, uint32_t *n)
{
    uint32_t cap = 0;
    *out = NULL;
    *n = 0;
    for (const struct ends_job *j = all->jobs; j != NULL; j = j->hh.next) {
        if (!j->is_left)
            continue;
        *out = uti_vec_grow(*out, &cap, *n + 1, sizeof **out);
        (*out)[(*n)++] = j->number;
    }
}

/* ---- taking ---- */

/* after something was taken of J, or forgotten: J may go */
static void settle_job(struct ends *all, struct ends_job *j)
{
    if (j->is_in_ranges && !has_ranges(j)) {
        TAILQ_REMOVE(&all->ranges, j, in_ranges);
        j->is_in_ranges = false;
    }
    if (!j->is_in_takings && !range_set_is_empty(&j->taken)) {
        TAILQ_INSERT_TAIL(&all->takings, j, in_takings);
        j->is_in_takings = true;
    }
    if (j->is_left && !has_left(j)) {
        j->is_left = false;
        all->n_left--;
    }
    if (!j->is_left && range_set_is_empty(&j->taken) && range_set_is_empty(&j->given))
        free_job(all, j);
}

static void take_end(struct ends *all, struct end *e, struct japi_ended *out)
{
    struct ends_job *j = e->of;
    range_set_add(&j->taken, e->ordinal, e->ordinal);
    *out = e->how;
    e->how.usage = (struct UA_Type_list){ 0 };
    free_end(all, e);
    settle_job(all, j);
}

static void take_range(struct ends *all, struct ends_job *j, uint32_t ordinal,
                       struct japi_ended *out, bool *is_known)
{
    *is_known = range_set_has(&j->aborted, ordinal);
    *out = without_run(j, ordinal);
    range_set_add(&j->taken, ordinal, ordinal);
    range_set_remove(*is_known ? &j->aborted : &j->unknown, ordinal, ordinal);
    settle_job(all, j);
}

static enum ends_have take_any(struct ends *all, struct japi_ended *out, bool *is_known)
{
    struct end *e = TAILQ_FIRST(&all->ended);
    struct ends_job *j = TAILQ_FIRST(&all->ranges);
    if (e != NULL) {
        take_end(all, e, out);
        return ENDS_ENDED;
    }
    if (j == NULL)
        return look_at_all(all, NULL);
    take_range(all, j, first_of_ranges(j), out, is_known);
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
        range_set_add(&j->taken, e->ordinal, e->ordinal);
        free_end(all, e);
    }
    range_set_unite(&j->taken, &j->aborted);
    range_set_unite(&j->taken, &j->unknown);
    range_set_free(&j->aborted);
    range_set_free(&j->unknown);
    settle_job(all, j);
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

/* ---- what the qmaster is to forget ---- */

bool ends_taken(struct ends *all, struct EN_Type_list *out)
{
    struct ends_job *j;
    bool is_some = !TAILQ_EMPTY(&all->takings);
    while (out->n < ENDS_TAKEN_MOST && (j = TAILQ_FIRST(&all->takings)) != NULL) {
        struct EN_Type *end = cull_push(out);
        cull_set(end, EN_job_number, j->number);
        range_set_copy(cull_ranges(end, EN_ordinals), &j->taken);
        range_set_unite(&j->given, &j->taken);
        range_set_free(&j->taken);
        TAILQ_REMOVE(&all->takings, j, in_takings);
        j->is_in_takings = false;
    }
    return is_some;
}

void ends_forgotten(struct ends *all, const struct EN_Type_list *taken)
{
    for (uint32_t i = 0; i < taken->n; i++) {
        struct ends_job *j = find_job(all, taken->v[i].EN_job_number);
        if (j == NULL)
            continue;
        range_set_subtract(&j->given, &taken->v[i].EN_ordinals);
        settle_job(all, j);
    }
}

void ends_again(struct ends *all, const struct EN_Type_list *taken)
{
    for (uint32_t i = 0; i < taken->n; i++) {
        struct ends_job *j = find_job(all, taken->v[i].EN_job_number);
        if (j == NULL)
            continue;
        range_set_unite(&j->taken, &taken->v[i].EN_ordinals);
        range_set_subtract(&j->given, &taken->v[i].EN_ordinals);
        settle_job(all, j);
    }
}

/* What ends_taken did not finish is in both sets. */
void ends_untold(struct ends *all)
{
    struct ends_job *j, *next;
    HASH_ITER(hh, all->jobs, j, next) {
        if (range_set_is_empty(&j->given))
            continue;
        if (range_set_is_empty(&j->taken))
            range_set_move(&j->taken, &j->given);
        else
            range_set_free(&j->given);
        settle_job(all, j);
    }
}
