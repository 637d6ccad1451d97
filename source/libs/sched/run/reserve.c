/* Reservations and backfilling. Owns struct reserve: the round, what is reserved in it and what is
 * next.
 *
 * What is held at this moment counts as long as a task that starts now would be there, whatever was
 * foreseen of its end; so a task that is late delays nothing that was placed, and what is reserved
 * begins in the next second at the earliest.
 *
 * The first time for a task of one slot is the least of those of its queue instances. For a
 * parallel task, room only grows with time between two of the moments from which a task as long as
 * it would still be there when something begins that was reserved before. In each such window its
 * first and its last time are asked, then the first one that fits is found by halves; times before
 * which all queue instances together have too few slots are passed over. */
#include "libs/sched/run/reserve.h"

#include <stdlib.h>
#include <string.h>

#include "libs/sched/pending/need.h"
#include "libs/sched/pending/parking.h"
#include "libs/sched/place/parallel.h"
#include "libs/sched/place/place.h"
#include "libs/sched/run/dispatch.h"
#include "libs/sched/run/forecast.h"
#include "libs/sched/run/jobs.h"
#include "libs/sched/supply/ar.h"
#include "libs/sched/supply/instance.h"
#include "libs/sched/supply/pe.h"
#include "libs/sched/supply/queue_request.h"
#include "libs/sgeobj/event.h"
#include "libs/uti/alloc.h"

/* Windows that are looked at for a task; then only what is behind all reservations is. Jobs for
 * which no time is found, in a round. */
enum { WINDOWS_MOST = 16, HOPELESS_MOST = 1000 };
/* With more ends than that a round begins once a second at most. */
enum { ENDS_CHEAP = 2000 };

/* a job whose turn is known, as those before it in its job group have had theirs */
struct reserve_next {
    struct standing standing;
    struct sched_job *job;
};

/* ---- rounds ---- */
/* what is booked in all queue instances together, if none of them has a free slot */
static uint64_t slots_most(const struct sched_cell *cell)
{
    uint64_t most = 0;
    for (const struct sched_queue *q = cell->queues; q != NULL; q = q->hh.next)
        most += q->ar != 0 ? 0
                           : supply_left(&q->supply, RESOURCE_SLOTS, TIME_NOW) +
                                 supply_booked(&q->supply, RESOURCE_SLOTS);
    return most;
}

static void begin_round(struct sched_jobs *jobs)
{
    struct reserve *r = &jobs->reserve;
    r->is_unsent |= r->n > 0;
    r->n = r->n_more = r->n_hopeless = 0;
    r->is_over = r->has_last = false;
    job_groups_take_back(jobs->pending);
    cell_untime(jobs->cell);
    r->slots_most = slots_most(jobs->cell);
    forecast_make(jobs);
}

bool reserve_is_on(const struct sched_jobs *jobs, uint32_t most)
{
    return (most > 0 && jobs->pending->n_reserving > 0) || jobs->cell->n_coming > 0 ||
           !LIST_EMPTY(&jobs->pending->aside) || jobs->reserve.n > 0;
}

bool reserve_has_work(const struct sched_jobs *jobs, uint32_t most)
{
    return jobs->reserve.due_s == 0 && reserve_is_on(jobs, most) &&
           (!forecast_is_made(jobs) || !jobs->reserve.is_over);
}

/* ---- whose turn it is ---- */
static struct reserve_next *first_more(struct reserve *r)
{
    struct reserve_next *first = NULL;
    for (uint32_t i = 0; i < r->n_more; i++)
        if (first == NULL || standing_order(&r->more[i].standing, &first->standing) < 0)
            first = &r->more[i];
    return first;
}

/* the next job that wants a reservation; WHERE: where it stands. NULL: there is none */
static struct sched_job *next_wanting(struct sched_jobs *jobs, struct standing *where)
{
    struct reserve *r = &jobs->reserve;
    const struct reserve_next *more = first_more(r);
    struct job_group *group =
        job_group_reserving_after(jobs->pending, r->has_last ? &r->last : NULL);
    bool is_more =
        more != NULL && (group == NULL || standing_order(&more->standing, &group->standing) < 0);
    if (!is_more && group == NULL)
        return NULL;
    *where = is_more ? more->standing : group->standing;
    return is_more ? more->job : job_group_first_job(group);
}

/* JOB, which stands at AT, has had its turn: GOES_ON: so the next one of its job group has one */
static void turn_over(struct reserve *r, struct sched_job *job, const struct standing *at,
                      bool goes_on)
{
    struct sched_job *next = goes_on ? job_group_job_after(job) : NULL;
    for (uint32_t i = 0; i < r->n_more; i++)
        if (r->more[i].job == job)
            r->more[i--] = r->more[--r->n_more];
    r->last = *at;
    r->has_last = true;
    if (next == NULL)
        return;
    r->more = uti_vec_grow(r->more, &r->more_cap, r->n_more + 1, sizeof *r->more);
    r->more[r->n_more++] = (struct reserve_next){ job_standing(next->group, next), next };
}

/* ---- the first time ---- */
/* PLACES gets where a task of JOB, of one slot, can start first, FROM_S or later; TIME_FOREVER:
 * nowhere */
static uint64_t first_serial(struct sched_jobs *jobs, const struct sched_job *job, uint64_t from_s,
                             struct grant *places)
{
    const struct need_key *key = &job->group->category->need->key;
    uint64_t at_s;
    jobs->finder->time = (struct task_time){ from_s, job->group->category->run_s, false };
    const struct queue_place *p = place_find_later(jobs->finder, key, job->group->of, &at_s);
    if (p == NULL)
        return TIME_FOREVER;
    places->v = uti_vec_grow(places->v, &places->cap, 1, sizeof *places->v);
    places->v[0] = (struct grant_place){ p->queue, demand_slots(key->demand) };
    places->n = 1;
    places->pe = NULL;
    return at_s;
}

static bool fits_at(struct sched_jobs *jobs, const struct sched_job *job, uint64_t at_s,
                    struct grant *places)
{
    struct place_finder *finder = jobs->finder;
    uint64_t run_s = forecast_run_of(jobs, job);
    struct time_span span = { at_s, time_after(at_s, run_s) };
    jobs->cell->work.looks++;
    if (supply_left(&job->group->of->supply, RESOURCE_TASKS, span) == 0)
        return false;
    finder->time = (struct task_time){ at_s, run_s, false };
    finder->is_later = true;
    bool fits = parallel_place(finder, &job->group->category->need->key, places);
    finder->is_later = false;
    return fits;
}

/* until when, from AT_S on, nothing that is reserved comes into the way of a task of RUN_S */
static uint64_t window_end(const struct sched_jobs *jobs, uint64_t at_s, uint64_t run_s)
{
    const struct reserve *r = &jobs->reserve;
    uint64_t end_s = ars_window_end(jobs->cell, at_s, run_s);
    for (uint32_t i = 0; i < r->n; i++) {
        uint64_t last_s = r->v[i].start_s > run_s ? r->v[i].start_s - run_s : 0;
        if (last_s >= at_s && last_s < end_s)
            end_s = last_s;
    }
    return end_s;
}

/* the first of the N times that is after AT_S */
static uint32_t time_index_after(const uint64_t *times, uint32_t n, uint64_t at_s)
{
    uint32_t low = 0, high = n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (times[middle] <= at_s)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* the first time in the window from FROM_S until END_S at which a task of JOB fits, TIME_FOREVER:
 * none */
static uint64_t first_in_window(struct sched_jobs *jobs, const struct sched_job *job,
                                uint64_t from_s, uint64_t end_s, struct grant *places)
{
    uint32_t n;
    const uint64_t *times = forecast_times(jobs, &n);
    if (fits_at(jobs, job, from_s, places))
        return from_s;
    uint32_t low = time_index_after(times, n, from_s), high = time_index_after(times, n, end_s);
    uint32_t step = 1, at = low;
    if (low == high)
        return TIME_FOREVER;
    while (!fits_at(jobs, job, times[at], places)) {
        low = at + 1;
        if (at == high - 1)
            return TIME_FOREVER;
        at = high - 1 - at < step ? high - 1 : at + step;
        step *= 2;
    }
    high = at;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (fits_at(jobs, job, times[middle], places))
            high = middle;
        else
            low = middle + 1;
    }
    bool fits = fits_at(jobs, job, times[high], places);
    return fits ? times[high] : TIME_FOREVER;
}

/* FROM_S or later: before it the cell has too few slots */
static uint64_t enough_slots_from(struct sched_jobs *jobs, const struct sched_job *job,
                                  uint64_t from_s)
{
    const struct reserve *r = &jobs->reserve;
    uint32_t slots = job->group->category->need->key.parallel->least;
    struct time_span span = { from_s, time_after(from_s, forecast_run_of(jobs, job)) };
    if (job->group->category->need->key.ar != 0)
        return from_s;
    return slots > r->slots_most
               ? TIME_FOREVER
               : supply_first(&jobs->cell->supply, RESOURCE_SLOTS, r->slots_most - slots, span);
}

static uint64_t first_parallel(struct sched_jobs *jobs, const struct sched_job *job,
                               uint64_t from_s, struct grant *places)
{
    uint64_t run_s = forecast_run_of(jobs, job), at_s = TIME_FOREVER;
    for (uint32_t windows = 0; at_s == TIME_FOREVER && from_s < TIME_FOREVER; windows++) {
        from_s = enough_slots_from(jobs, job, from_s);
        if (from_s == TIME_FOREVER)
            break;
        uint64_t end_s = window_end(jobs, from_s, run_s);
        for (uint64_t next_s = end_s; windows >= WINDOWS_MOST && next_s < TIME_FOREVER;) {
            from_s = next_s + 1;
            next_s = end_s = window_end(jobs, from_s, run_s);
        }
        at_s = first_in_window(jobs, job, from_s, end_s, places);
        from_s = time_after(end_s, 1);
    }
    return at_s;
}

/* ---- reserving ---- */
static struct reservation *reservation_new(struct reserve *r)
{
    uint32_t cap = r->cap;
    r->v = uti_vec_grow(r->v, &r->cap, r->n + 1, sizeof *r->v);
    memset(r->v + cap, 0, (r->cap - cap) * sizeof *r->v);
    return &r->v[r->n];
}

static void book_reservation(struct sched_jobs *jobs, const struct sched_job *job,
                             const struct reservation *of)
{
    const struct job_group *group = job->group;
    const struct grant *places = &of->places;
    const struct time_span span = { of->start_s, time_after(of->start_s, of->run_s) };
    for (uint32_t i = 0; i < places->n; i++) {
        const struct task_kind kind = { .who = group->category->quota,
                                        .pe = places->pe,
                                        .in_ar = places->v[i].queue->ar != 0,
                                        .owner = i == 0 ? group->of : NULL };
        struct demand *d = grant_demand(jobs->finder, &group->category->need->key, places, i);
        task_hold(jobs->cell, &kind, places->v[i].queue, d, span);
        demand_drop(&jobs->cell->demands, d);
    }
    forecast_add_time(jobs, span.until_s);
}

/* one for TASK of JOB, FROM_S or later; returns when, TIME_FOREVER: it does not fit */
static uint64_t reserve_task(struct sched_jobs *jobs, const struct sched_job *job, uint32_t task,
                             uint64_t from_s)
{
    const struct category *category = job->group->category;
    struct reservation *of = reservation_new(&jobs->reserve);
    bool is_parallel = category->need->key.parallel != NULL;
    of->start_s = is_parallel ? first_parallel(jobs, job, from_s, &of->places)
                              : first_serial(jobs, job, from_s, &of->places);
    if (of->start_s == TIME_FOREVER)
        return TIME_FOREVER;
    of->job = job->number;
    of->task = task;
    of->run_s = category->run_s != 0 ? category->run_s : of->places.v[0].queue->run_s;
    book_reservation(jobs, job, of);
    jobs->reserve.n++;
    jobs->reserve.is_unsent = true;
    return of->start_s;
}

/* for the tasks of JOB, which stands at AT, until there are MOST. What one of them was refused, the
 * next one is, too. */
static void reserve_job(struct sched_jobs *jobs, struct sched_job *job, const struct standing *at,
                        uint32_t most)
{
    struct reserve *r = &jobs->reserve;
    uint64_t from_s = jobs->cell->now_s + 1, looks = jobs->cell->work.looks;
    uint64_t left = task_concurrency_left(job);
    uint32_t task = 0;
    jobs_look_at(jobs, job->number);
    queue_request_resolve(jobs->cell, job->group->category->request, job->group->of);
    if (owner_room(job->group->of) == 0)
        left = 0;
    for (; r->n < most && left > 0 && from_s < TIME_FOREVER; left--) {
        struct range run;
        if (!range_set_next_run(&job->ready, task, &run))
            break;
        from_s = reserve_task(jobs, job, run.first, from_s);
        task = run.first + 1;
    }
    r->n_hopeless += from_s == TIME_FOREVER;
    turn_over(r, job, at, from_s < TIME_FOREVER);
    (void)owner_charge(jobs->pending, job->group->of, jobs->cell->work.looks - looks, 0);
    jobs_look_at(jobs, 0);
}

/* ---- a run ---- */
/* in this round, a task of NEED that runs so long was held back, or a shorter one. Of those without
 * a limit of their own (0), their places decide how long they run. */
static bool was_held_back(const struct sched_jobs *jobs, const struct need *need, uint64_t run_s)
{
    if (need->held_round != jobs->forecast.round)
        return false;
    return run_s == 0 ? need->has_held_unlimited : run_s >= need->held_s;
}

static void note_held_back(const struct sched_jobs *jobs, struct need *need, uint64_t run_s)
{
    if (need->held_round != jobs->forecast.round) {
        need->held_round = jobs->forecast.round;
        need->has_held_unlimited = false;
        need->held_s = TIME_FOREVER;
    }
    if (run_s == 0)
        need->has_held_unlimited = true;
    else if (run_s < need->held_s)
        need->held_s = run_s;
}

/* may the owner of JOB have one task more for as long as it may run? */
static bool owner_allows(const struct sched_jobs *jobs, const struct sched_job *job)
{
    struct time_span span = { 0, time_after(jobs->cell->now_s, forecast_run_of(jobs, job)) };
    return supply_left(&job->group->of->supply, RESOURCE_TASKS, span) > 0;
}

/* place tasks of GROUP, whose turn it is, or block its need, or set it aside */
static uint32_t dispatch_group(struct sched_jobs *jobs, struct job_group *group, uint32_t most,
                               struct OR_Type_list *orders)
{
    struct need *need = group->category->need;
    struct sched_job *job = job_group_first_job(group);
    uint64_t run_s = group->category->run_s;
    uint32_t n = 0;
    jobs->cell->work.looks++;
    if (owner_allows(jobs, job) && !was_held_back(jobs, need, run_s)) {
        n = dispatch_job(jobs, job, most, orders);
        if (n == 0 && !need->is_blocked)
            note_held_back(jobs, need, run_s);
    }
    if (n == 0 && !need->is_blocked)
        job_group_set_aside(group);
    return n;
}

/* what was to start by now has not: what holds it is late */
static bool is_late(const struct sched_jobs *jobs)
{
    const struct reserve *r = &jobs->reserve;
    uint64_t now_s = jobs->cell->now_s;
    bool is_late = false;
    for (uint32_t i = 0; i < r->n && !is_late; i++)
        is_late = r->v[i].start_s <= now_s;
    return is_late && jobs->forecast.made_s < now_s;
}

/* is a round put off, as the last one cost much and began in this second? */
static bool is_too_soon(struct sched_jobs *jobs)
{
    struct reserve *r = &jobs->reserve;
    const struct forecast *f = &jobs->forecast;
    bool is_too_soon = f->is_of_round && f->n > ENDS_CHEAP && f->made_s == jobs->cell->now_s;
    if (is_too_soon)
        r->due_s = f->made_s + 1;
    return is_too_soon;
}

static bool stands_before_last(const struct reserve *r, const struct job_group *group)
{
    return r->has_last && standing_order(&group->standing, &r->last) < 0;
}

/* the next step of the round; returns false when nothing is left to do */
static bool take_step(struct sched_jobs *jobs, uint32_t most, uint32_t reservations,
                      struct OR_Type_list *orders, uint32_t *ordered)
{
    struct reserve *r = &jobs->reserve;
    struct standing at;
    struct job_group *open = job_group_first_open(jobs->pending);
    bool may_reserve = r->n < reservations && r->n_hopeless < HOPELESS_MOST;
    struct sched_job *job = may_reserve ? next_wanting(jobs, &at) : NULL;
    if (open != NULL && (job == NULL || standing_order(&open->standing, &at) <= 0))
        *ordered += dispatch_group(jobs, open, most - *ordered, orders);
    else if (job != NULL)
        reserve_job(jobs, job, &at, reservations);
    return open != NULL || job != NULL;
}

uint32_t reserve_run(struct sched_jobs *jobs, uint32_t most, uint32_t reservations,
                     struct OR_Type_list *orders)
{
    struct reserve *r = &jobs->reserve;
    struct sched_work *work = &jobs->cell->work;
    uint32_t ordered = 0;
    r->due_s = 0;
    const struct job_group *open = job_group_first_open(jobs->pending);
    if (!forecast_is_made(jobs) || is_late(jobs) || (open != NULL && stands_before_last(r, open))) {
        if (is_too_soon(jobs))
            return 0;
        begin_round(jobs);
    }
    uint64_t places = work->places, looks = work->looks;
    jobs->cell->task_paths.in_round = true;
    r->is_over = false;
    while (ordered < most && work->places - places < most && !jobs->is_cut && !r->is_over) {
        r->is_over = !take_step(jobs, most, reservations, orders, &ordered);
        jobs->is_cut = jobs->slice_looks > 0 && work->looks - looks >= jobs->slice_looks;
    }
    jobs->cell->task_paths.in_round = false;
    return ordered;
}

/* ---- what others see of it ---- */
static void say_reservation(const struct reservation *of, struct OR_Type *order)
{
    struct RV_Type *said = cull_append(order, OR_reserved);
    cull_set(said, RV_job_number, of->job);
    cull_set(said, RV_ordinal, of->task);
    cull_set(said, RV_start_time, of->start_s);
    if (of->run_s < TIME_FOREVER)
        cull_set(said, RV_duration, of->run_s);
    cull_set(said, RV_places, of->places.n);
    for (uint32_t i = 0; i < of->places.n && i < RESERVED_PLACES_MOST; i++) {
        struct JG_Type *place = cull_append(said, RV_granted);
        cull_set(place, JG_qname, of->places.v[i].queue->name);
        cull_set(place, JG_slots, of->places.v[i].slots);
        if (of->places.pe != NULL && i == 0)
            cull_set(place, JG_pe, of->places.pe->name);
    }
}

uint64_t reserve_next_due(const struct sched_jobs *jobs)
{
    return jobs->reserve.due_s;
}

bool reserve_order(struct sched_jobs *jobs, uint64_t now_s, struct OR_Type_list *orders)
{
    struct reserve *r = &jobs->reserve;
    struct OR_Type order = { 0 };
    if (!r->is_unsent || !r->is_over || now_s == r->sent_s)
        return false;
    cull_set(&order, OR_kind, (uint32_t)ORDER_RESERVE);
    for (uint32_t i = 0; i < r->n && i < RESERVATIONS_MOST; i++)
        say_reservation(&r->v[i], &order);
    r->is_unsent = false;
    if (cull_equal(&cull_OR_Type, &order, &r->sent)) {
        cull_clear(&cull_OR_Type, &order);
        return false;
    }
    cull_clear(&cull_OR_Type, &r->sent);
    r->sent = order;
    r->sent_s = now_s;
    cull_copy(&cull_OR_Type, cull_push(orders), &order);
    return true;
}

uint64_t reserve_order_due(const struct sched_jobs *jobs)
{
    const struct reserve *r = &jobs->reserve;
    return r->is_unsent && r->is_over ? r->sent_s + 1 : 0;
}

void reserve_free(struct sched_jobs *jobs)
{
    struct reserve *r = &jobs->reserve;
    for (uint32_t i = 0; i < r->cap; i++)
        free(r->v[i].places.v);
    free(r->v);
    free(r->more);
    cull_clear(&cull_OR_Type, &r->sent);
}
