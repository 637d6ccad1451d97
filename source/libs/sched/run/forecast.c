/* The earliest start of a job. Owns struct forecast: the ends of what is ordered and runs, in their
 * order, as they are noted in the supplies of their paths, and the search that goes on.
 *
 * Bookings have no end: a task has what it took until it is released. Ends are noted when a
 * question comes, and forgotten as soon as an event comes or a task is placed (cell_untime). So a
 * cell without such questions pays nothing.
 *
 * Later there is never less room than before, as nothing is foreseen to start. So the first end
 * after which a task fits is found by halves, each a look for a place at that time. Where a
 * parallel task is limited by who owns it, or by what the cell has for its hosts, the best places
 * come first and may take what others would need: then more room may not do where less did, and the
 * time that is found is one at which it fits, but perhaps not the first. */
#include "libs/sched/run/forecast.h"

#include <stdlib.h>
#include <string.h>

#include "libs/sched/place/parallel.h"
#include "libs/sched/place/place.h"
#include "libs/sched/supply/ar.h"
#include "libs/sched/supply/instance.h"
#include "libs/sched/supply/queue_request.h"
#include "libs/sched/supply/task_path.h"
#include "libs/uti/alloc.h"

/* ---- ends ---- */
static void add_end(struct sched_jobs *jobs, struct stay *stay, uint64_t start_s, uint64_t tasks)
{
    struct forecast *f = &jobs->forecast;
    uint64_t asked_s = stay->job->group->category->run_s;
    uint64_t at_s = time_after(start_s, asked_s != 0 ? asked_s : stay->at[0].queue->run_s);
    if (at_s == TIME_FOREVER || tasks == 0)
        return;
    if (at_s <= f->made_s)
        at_s = f->made_s + 1;
    f->ends = uti_vec_grow(f->ends, &f->cap, f->n + 1, sizeof *f->ends);
    f->ends[f->n++] = (struct task_end){ at_s, stay, tasks };
}

static void add_ends(struct sched_jobs *jobs, struct stay *stay)
{
    const struct start_run *runs = start_times_runs(&stay->starts);
    add_end(jobs, stay, jobs->forecast.made_s, range_set_count(&stay->ordered));
    for (uint32_t i = 0; i < stay->starts.n; i++)
        add_end(jobs, stay, runs[i].at_s, (uint64_t)runs[i].last - runs[i].first + 1);
}

static int end_order(const void *a, const void *b)
{
    const struct task_end *x = a, *y = b;
    return x->at_s < y->at_s ? -1 : x->at_s > y->at_s;
}

static void note_end(struct sched_jobs *jobs, const struct task_end *end)
{
    const struct stay *stay = end->stay;
    for (uint32_t i = 0; i < stay->n; i++) {
        const struct task_kind kind = stay_kind(stay, i);
        task_note_end(jobs->cell, &kind, stay->at[i].queue, stay->at[i].demand, end->tasks,
                      end->at_s);
    }
}

/* ---- making one ---- */
static void begin_forecast(struct sched_jobs *jobs)
{
    struct forecast *f = &jobs->forecast;
    cell_untime(jobs->cell);
    f->round = jobs->cell->task_paths.rounds;
    f->made_s = jobs->cell->now_s;
    f->stage = FORECAST_GATHERS;
    f->next = jobs->stays;
    f->n = f->n_noted = f->job = 0;
    f->is_of_round = false;
}

static void gather_next(struct sched_jobs *jobs)
{
    struct forecast *f = &jobs->forecast;
    if (f->next != NULL) {
        uint32_t before = f->n;
        add_ends(jobs, f->next);
        f->next = f->next->hh.next;
        jobs->cell->work.looks += 1 + f->n - before;
        return;
    }
    if (f->n > 0)
        qsort(f->ends, f->n, sizeof *f->ends, end_order);
    f->stage = FORECAST_NOTES;
}

static void note_next(struct sched_jobs *jobs)
{
    struct forecast *f = &jobs->forecast;
    if (f->n_noted == f->n) {
        f->stage = FORECAST_SEARCHES;
        return;
    }
    note_end(jobs, &f->ends[f->n_noted++]);
    jobs->cell->work.looks++;
}

/* what has begun goes on as of its beginning, though time does */
static bool is_current(const struct sched_jobs *jobs, const struct sched_job *job)
{
    const struct forecast *f = &jobs->forecast;
    bool goes_on = f->stage < FORECAST_SEARCHES || (f->job == job->number && f->low < f->high);
    return f->round == jobs->cell->task_paths.rounds && !f->is_of_round &&
           (goes_on || f->made_s == jobs->cell->now_s);
}

/* ---- looks ---- */
static bool fits_at(struct sched_jobs *jobs, const struct sched_job *job, uint64_t at_s)
{
    struct place_finder *finder = jobs->finder;
    const struct category *category = job->group->category;
    const struct need_key *key = &category->need->key;
    struct time_span moment = { at_s, time_after(at_s, 1) };
    finder->time = (struct task_time){ .from_s = at_s, .run_s = category->run_s };
    finder->is_later = true;
    jobs->cell->work.looks++;
    bool fits = supply_left(&job->group->of->supply, RESOURCE_TASKS, moment) > 0 &&
                (key->parallel != NULL ? parallel_place(finder, key, &jobs->grant)
                                       : place_fits_later(finder, key));
    finder->is_later = false;
    return fits;
}

/* from when on -tc allows another task */
static uint64_t concurrency_from(const struct sched_jobs *jobs, const struct sched_job *job)
{
    const struct forecast *f = &jobs->forecast;
    uint64_t taken = job->n_taken;
    if ((job->concurrency == 0 && !job->is_capped) || taken < job->concurrency)
        return f->made_s;
    for (uint32_t i = 0; i < f->n; i++) {
        if (f->ends[i].stay->job != job)
            continue;
        taken -= f->ends[i].tasks;
        if (taken < job->concurrency)
            return f->ends[i].at_s;
    }
    return TIME_FOREVER;
}

/* the times are numbered: 0 is now, I the end I - 1 */
static uint64_t time_at(const struct sched_jobs *jobs, uint32_t i)
{
    return i == 0 ? jobs->forecast.made_s : jobs->forecast.ends[i - 1].at_s;
}

/* between the last time at which no task fits, and the first at which one does */
static void begin_search(struct sched_jobs *jobs, const struct sched_job *job)
{
    struct forecast *f = &jobs->forecast;
    f->job = job->number;
    f->low = 0;
    f->high = f->n + 1;
}

static bool is_over(const struct forecast *f)
{
    return f->stage == FORECAST_SEARCHES && f->low == f->high;
}

static void search_next(struct sched_jobs *jobs, const struct sched_job *job)
{
    struct forecast *f = &jobs->forecast;
    uint32_t middle = f->low + (f->high - f->low) / 2;
    if (middle > f->n || fits_at(jobs, job, time_at(jobs, middle)))
        f->high = middle;
    else
        f->low = middle + 1;
}

static void take_step(struct sched_jobs *jobs, const struct sched_job *job)
{
    struct forecast *f = &jobs->forecast;
    if (f->stage == FORECAST_GATHERS)
        gather_next(jobs);
    else if (f->stage == FORECAST_NOTES)
        note_next(jobs);
    else
        search_next(jobs, job);
    if (f->stage == FORECAST_SEARCHES && f->job != job->number)
        begin_search(jobs, job);
}

static uint64_t later_time(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

bool forecast_job(struct sched_jobs *jobs, struct sched_job *job, uint64_t most, uint64_t *at_s)
{
    struct forecast *f = &jobs->forecast;
    uint64_t looks = jobs->cell->work.looks;
    *at_s = TIME_FOREVER;
    if (range_set_is_empty(&job->ready))
        return true;
    queue_request_resolve(jobs->cell, job->group->category->request, job->group->of);
    if (!is_current(jobs, job))
        begin_forecast(jobs);
    if (f->stage == FORECAST_SEARCHES && f->job != job->number)
        begin_search(jobs, job);
    while (!is_over(f)) {
        take_step(jobs, job);
        if (most > 0 && jobs->cell->work.looks - looks >= most && !is_over(f))
            return false;
    }
    if (f->high > f->n)
        return true;
    *at_s = later_time(later_time(time_at(jobs, f->high), concurrency_from(jobs, job)),
                       later_time(job->start_at_s, jobs->cell->now_s));
    return true;
}

/* ---- for rounds of reservations ---- */
static uint64_t longest_run(const struct sched_cell *cell)
{
    uint64_t longest_s = cell->default_run_s;
    for (const struct sched_queue *q = cell->queues; q != NULL; q = q->hh.next)
        longest_s = later_time(longest_s, q->run_s);
    return longest_s;
}

void forecast_make(struct sched_jobs *jobs)
{
    struct forecast *f = &jobs->forecast;
    begin_forecast(jobs);
    while (f->stage == FORECAST_GATHERS)
        gather_next(jobs);
    while (f->stage == FORECAST_NOTES)
        note_next(jobs);
    f->is_of_round = true;
    f->longest_s = longest_run(jobs->cell);
    f->n_times = 0;
    f->times = uti_vec_grow(f->times, &f->times_cap, f->n + 1, sizeof *f->times);
    for (uint32_t i = 0; i < f->n; i++)
        if (f->n_times == 0 || f->times[f->n_times - 1] != f->ends[i].at_s)
            f->times[f->n_times++] = f->ends[i].at_s;
    for (const struct sched_ar *ar = jobs->cell->ars; ar != NULL; ar = ar->hh.next) {
        ar_foresee(jobs->cell, ar);
        forecast_add_time(jobs, ar_end_s(jobs->cell, ar));
    }
}

bool forecast_is_made(const struct sched_jobs *jobs)
{
    const struct forecast *f = &jobs->forecast;
    return f->is_of_round && f->round == jobs->cell->task_paths.rounds;
}

uint64_t forecast_run_of(const struct sched_jobs *jobs, const struct sched_job *job)
{
    uint64_t run_s = job->group->category->run_s;
    return run_s != 0 ? run_s : jobs->forecast.longest_s;
}

const uint64_t *forecast_times(const struct sched_jobs *jobs, uint32_t *n)
{
    *n = jobs->forecast.n_times;
    return jobs->forecast.times;
}

void forecast_add_time(struct sched_jobs *jobs, uint64_t at_s)
{
    struct forecast *f = &jobs->forecast;
    uint32_t low = 0, high = f->n_times;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (f->times[middle] < at_s)
            low = middle + 1;
        else
            high = middle;
    }
    if (at_s == TIME_FOREVER || (low < f->n_times && f->times[low] == at_s))
        return;
    f->times = uti_vec_grow(f->times, &f->times_cap, f->n_times + 1, sizeof *f->times);
    memmove(&f->times[low + 1], &f->times[low], (f->n_times - low) * sizeof *f->times);
    f->times[low] = at_s;
    f->n_times++;
}

void forecast_note_order(struct sched_jobs *jobs, const struct sched_job *job,
                         const struct grant *grant, uint64_t n)
{
    const struct need_key *key = &job->group->category->need->key;
    uint64_t run_s = job->group->category->run_s;
    uint64_t end_s = time_after(jobs->cell->now_s, run_s != 0 ? run_s : grant->v[0].queue->run_s);
    for (uint32_t i = 0; i < grant->n && end_s < TIME_FOREVER; i++) {
        const struct task_kind kind = { .who = job->group->category->quota,
                                        .pe = grant->pe,
                                        .in_ar = grant->v[i].queue->ar != 0,
                                        .owner = i == 0 ? job->group->of : NULL };
        struct demand *d = grant_demand(jobs->finder, key, grant, i);
        task_note_end(jobs->cell, &kind, grant->v[i].queue, d, n, end_s);
        demand_drop(&jobs->cell->demands, d);
    }
    forecast_add_time(jobs, end_s);
}

void forecast_free(struct sched_jobs *jobs)
{
    free(jobs->forecast.times);
    free(jobs->forecast.ends);
}
