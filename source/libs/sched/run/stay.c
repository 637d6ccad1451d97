/* Where tasks of jobs are, as ordered or as the qmaster said. Owns struct stay, and the sets and
 * counts of its job that sum up the stays.
 *
 * A task is in at most one stay: ordered or running. What is ordered is the undo log of the
 * decisions. A stay releases what it took, so it keeps the demand that its tasks came with,
 * whatever their job asks for meanwhile. */
#include "libs/sched/run/stay.h"

#include <stddef.h>
#include <stdlib.h>

#include "libs/sched/pending/parking.h"
#include "libs/sched/pending/wake.h"
#include "libs/sched/place/parallel.h"
#include "libs/sched/supply/instance.h"
#include "libs/sched/supply/pe.h"
#include "libs/sched/supply/queue.h"
#include "libs/sched/supply/resource.h"
#include "libs/sched/supply/task_path.h"
#include "libs/sgeobj/allocation.h"

static const struct need_key *need_of(const struct sched_job *job)
{
    return &job->group->category->need->key;
}

/* ---- what limits tasks ---- */
static const struct demand_part one_slot[] = { { RESOURCE_SLOTS, 1 } };
static const struct demand slot = { .n = 1, .parts = one_slot };

/* There are many jobs, most of them with a limit for all arrays. So they have no supply of their
 * own, and n_taken is what is booked. */
static void read_concurrency(const struct sched_job *job, struct counted_supply *out)
{
    bool is_limited = job->concurrency != 0 || job->is_capped;
    uint64_t most = is_limited ? job->concurrency : RESOURCE_UNLIMITED;
    counted_supply(out, SUPPLY_CONCURRENCY, RESOURCE_TASKS, most, job->n_taken);
}

uint64_t job_task_room(const struct sched_job *job, struct pe *pe)
{
    struct counted_supply concurrency;
    if (need_of(job)->ar != 0)
        pe = NULL; /* the slots are the reservation's */
    struct supply *members[] = { &job->group->of->supply, &concurrency.supply,
                                 pe != NULL ? &pe->supply : NULL };
    read_concurrency(job, &concurrency);
    return path_room((struct path){ members, pe != NULL ? 3 : 2 }, &slot, TIME_NOW);
}

uint64_t task_concurrency_left(const struct sched_job *job)
{
    struct counted_supply concurrency;
    read_concurrency(job, &concurrency);
    return supply_left(&concurrency.supply, RESOURCE_TASKS, TIME_NOW);
}

struct task_kind stay_kind(const struct stay *stay, uint32_t i)
{
    const struct job_group *group = stay->job->group;
    return (struct task_kind){ .who = group->category->quota,
                               .pe = stay->pe,
                               .in_ar = stay->at[i].queue->ar != 0,
                               .owner = i == 0 ? group->of : NULL };
}

static void count_taken(struct sched_job *job, uint64_t more)
{
    job->n_taken += more;
    job->group->n_taken += more;
    owner_note_tasks(job->group->category->pending, job->group->of);
}

/* ---- finding one ---- */
static const void *key_of(const struct stay *stay)
{
    return (const char *)stay + offsetof(struct stay, job);
}

static size_t key_bytes(uint32_t places)
{
    _Static_assert(offsetof(struct stay, at) == offsetof(struct stay, job) +
                                                    sizeof(struct sched_job *) +
                                                    sizeof(struct pe *),
                   "keys have no gaps");
    return offsetof(struct stay, at) - offsetof(struct stay, job) +
           places * sizeof(struct placed_demand);
}

/* begin to look for a stay of JOB in PE (NULL: none) with up to N places, which seek_at says */
static void begin_seek(struct sched_jobs *jobs, struct sched_job *job, struct pe *pe, uint32_t n)
{
    if (jobs->sought == NULL || n > jobs->sought_room) {
        jobs->sought =
            uti_realloc(jobs->sought, sizeof *jobs->sought + n * sizeof *jobs->sought->at);
        jobs->sought_room = n;
    }
    jobs->sought->job = job;
    jobs->sought->pe = pe;
    jobs->sought->n = 0;
}

static void seek_at(struct sched_jobs *jobs, struct sched_queue *q, struct demand *d)
{
    struct stay *sought = jobs->sought;
    sought->at[sought->n++] = (struct placed_demand){ q, d };
}

/* what the qmaster says is the truth; most tasks take one slot, as their job's need says */
static struct demand *demand_granted(struct sched_jobs *jobs, const struct sched_job *job,
                                     const struct JG_Type *entry)
{
    struct demand *usual = need_of(job)->demand;
    bool is_slots = entry->JG_taken.n == 0 && usual->n == 1;
    return is_slots ? demand_times(&jobs->cell->demands, usual,
                                   entry->JG_slots > 0 ? entry->JG_slots : 1)
                    : granted_demand(jobs->cell, entry);
}

static void end_seek(struct sched_jobs *jobs)
{
    while (jobs->sought->n > 0)
        demand_drop(&jobs->cell->demands, jobs->sought->at[--jobs->sought->n].demand);
}

/* the queue instance NAME, or what the advance reservation AR has there */
static struct sched_queue *place_of(struct sched_cell *cell, const char *name, uint64_t ar,
                                    bool is_new)
{
    if (ar != 0)
        return is_new ? queue_part_get(cell, name, (uint32_t)ar)
                      : queue_part_find(cell, name, (uint32_t)ar);
    return is_new ? queue_get(cell, name) : queue_find(cell, name);
}

/* look for the stay of JOB's tasks with GRANTED
 *   is_new  queues, and the environment, are made if they are not known
 * Returns false, with nothing to look for, if one is not known. */
static bool seek_granted(struct sched_jobs *jobs, struct sched_job *job,
                         const struct JG_Type_list *granted, bool is_new)
{
    const char *pe_name = allocation_pe(granted);
    struct pe *pe = NULL;
    if (pe_name != NULL)
        pe = is_new ? pe_get(jobs->cell, pe_name) : pe_find(jobs->cell, pe_name);
    if (pe_name != NULL && pe == NULL)
        return false;
    begin_seek(jobs, job, pe, granted->n);
    for (uint32_t i = 0; i < granted->n; i++) {
        const struct JG_Type *entry = &granted->v[i];
        struct sched_queue *q = place_of(jobs->cell, entry->JG_qname, need_of(job)->ar, is_new);
        if (q == NULL) {
            end_seek(jobs);
            return false;
        }
        seek_at(jobs, q, demand_granted(jobs, job, entry));
    }
    return true;
}

/* the one that is sought, NULL if it does not exist */
static struct stay *stay_find(const struct sched_jobs *jobs)
{
    struct stay *stay;
    HASH_FIND(hh, jobs->stays, key_of(jobs->sought), key_bytes(jobs->sought->n), stay);
    return stay;
}

/* the one that is sought, made if it does not exist; ends the search */
static struct stay *stay_get(struct sched_jobs *jobs)
{
    const struct stay *sought = jobs->sought;
    struct stay *stay = stay_find(jobs);
    if (stay != NULL) {
        end_seek(jobs);
        return stay;
    }
    stay = uti_calloc(1, sizeof *stay + sought->n * sizeof *stay->at);
    stay->job = sought->job;
    stay->pe = sought->pe;
    stay->n = sought->n;
    if (stay->pe != NULL)
        pe_enter(stay->pe);
    for (uint32_t i = 0; i < stay->n; i++) {
        stay->at[i] = sought->at[i];
        queue_enter(stay->at[i].queue);
    }
    LIST_INSERT_HEAD(&stay->job->stays, stay, of_job);
    HASH_ADD_KEYPTR(hh, jobs->stays, key_of(stay), key_bytes(stay->n), stay);
    return stay;
}

/* STAY goes if nothing stays */
static void stay_tidy(struct sched_jobs *jobs, struct stay *stay)
{
    if (!range_set_is_empty(&stay->ordered) || !range_set_is_empty(&stay->running))
        return;
    LIST_REMOVE(stay, of_job);
    HASH_DEL(jobs->stays, stay);
    for (uint32_t i = 0; i < stay->n; i++) {
        queue_leave(jobs->cell, stay->at[i].queue);
        demand_drop(&jobs->cell->demands, stay->at[i].demand);
    }
    if (stay->pe != NULL)
        pe_leave(jobs->cell, stay->pe);
    range_set_free(&stay->ordered);
    range_set_free(&stay->running);
    start_times_free(&stay->starts);
    free(stay);
}

/* ---- taking and giving back ---- */
static void stay_take(struct sched_jobs *jobs, struct stay *stay, uint64_t tasks)
{
    for (uint32_t i = 0; i < stay->n; i++) {
        const struct task_kind kind = stay_kind(stay, i);
        queue_take(jobs->cell, &kind, stay->at[i].queue, stay->at[i].demand, tasks);
    }
    count_taken(stay->job, tasks);
}

static void stay_give(struct sched_jobs *jobs, struct stay *stay, uint64_t tasks)
{
    uint64_t before = stay->pe != NULL ? pe_left(stay->pe) : 0;
    for (uint32_t i = 0; i < stay->n; i++) {
        const struct task_kind kind = stay_kind(stay, i);
        queue_give(jobs->cell, &kind, stay->at[i].queue, stay->at[i].demand, tasks);
    }
    count_taken(stay->job, 0 - tasks);
    if (stay->pe != NULL)
        pe_gained(jobs->cell, stay->pe, before);
}

/* take IDS out of SET, one of STAY's, and of WHOLE, its job's of the kind, and give back what they
 * took; stay_tidy must follow */
static void stay_leave(struct sched_jobs *jobs, struct stay *stay, struct range_set *set,
                       struct range_set *whole, const struct range_set *ids)
{
    struct range_set leaving = { 0 };
    range_set_copy(&leaving, ids);
    range_set_intersect(&leaving, set);
    uint64_t n = range_set_count(&leaving);
    range_set_subtract(set, &leaving);
    if (set == &stay->running && range_set_is_empty(set))
        start_times_free(&stay->starts);
    else if (set == &stay->running)
        start_times_remove(&stay->starts, &leaving);
    range_set_subtract(whole, &leaving);
    range_set_free(&leaving);
    if (n > 0)
        stay_give(jobs, stay, n);
}

static void stay_undo(struct sched_jobs *jobs, struct stay *stay, const struct range_set *ids)
{
    stay_leave(jobs, stay, &stay->ordered, &stay->job->ordered, ids);
}

static bool sets_meet(const struct range_set *few, const struct range_set *many)
{
    struct range r;
    if (range_set_is_empty(many))
        return false;
    for (uint64_t at = 0; range_set_next_run(few, at, &r); at = (uint64_t)r.last + 1)
        if (range_set_any_in(many, r.first, r.last))
            return true;
    return false;
}

void stays_order(struct sched_jobs *jobs, struct sched_job *job, const struct grant *grant,
                 struct range tasks)
{
    begin_seek(jobs, job, grant->pe, grant->n);
    for (uint32_t i = 0; i < grant->n; i++)
        seek_at(jobs, grant->v[i].queue, grant_demand(jobs->finder, need_of(job), grant, i));
    struct stay *stay = stay_get(jobs);
    range_set_add(&stay->ordered, tasks.first, tasks.last);
    range_set_add(&job->ordered, tasks.first, tasks.last);
    stay_take(jobs, stay, (uint64_t)tasks.last - tasks.first + 1);
}

/* those of IDS that are on order in STAY run there now, with what is booked for them; how many */
static uint64_t stay_confirm(struct stay *stay, const struct range_set *ids)
{
    struct range_set confirmed = { 0 };
    range_set_copy(&confirmed, ids);
    range_set_intersect(&confirmed, &stay->ordered);
    uint64_t n = range_set_count(&confirmed);
    range_set_subtract(&stay->ordered, &confirmed);
    range_set_subtract(&stay->job->ordered, &confirmed);
    range_set_free(&confirmed);
    return n;
}

/* The order was most likely for the same allocation, so that its bookings stay. Others are undone
 * after the start is booked, so that no slot is free in between. */
void stays_start(struct sched_jobs *jobs, struct sched_job *job, const struct JG_Type_list *granted,
                 const struct range_set *ids, uint64_t at_s)
{
    (void)seek_granted(jobs, job, granted, true);
    struct stay *stay = stay_get(jobs);
    range_set_unite(&stay->running, ids);
    start_times_add(&stay->starts, ids, at_s);
    range_set_unite(&job->running, ids);
    uint64_t fresh = range_set_count(ids) - stay_confirm(stay, ids);
    if (fresh > 0)
        stay_take(jobs, stay, fresh);
    stays_undo(jobs, job, ids);
}

void stays_undo(struct sched_jobs *jobs, struct sched_job *job, const struct range_set *ids)
{
    struct stay *stay, *next;
    if (!sets_meet(ids, &job->ordered))
        return;
    LIST_FOREACH_SAFE(stay, &job->stays, of_job, next) {
        jobs->cell->work.stays++;
        stay_undo(jobs, stay, ids);
        stay_tidy(jobs, stay);
    }
}

static void stay_end(struct sched_jobs *jobs, struct stay *stay, const struct range_set *ids)
{
    stay_leave(jobs, stay, &stay->running, &stay->job->running, ids);
    stay_undo(jobs, stay, ids);
    stay_tidy(jobs, stay);
}

/* has STAY the queues and slots of the one that is sought, whatever else its tasks take? */
static bool is_alike(const struct sched_jobs *jobs, const struct stay *stay)
{
    const struct stay *sought = jobs->sought;
    bool is_same = stay->n == sought->n && stay->pe == sought->pe;
    for (uint32_t i = 0; i < stay->n && is_same; i++)
        is_same = stay->at[i].queue == sought->at[i].queue &&
                  demand_slots(stay->at[i].demand) == demand_slots(sought->at[i].demand);
    return is_same;
}

/* those that started before what their job asks for was changed */
static void end_with_other_demand(struct sched_jobs *jobs, struct sched_job *job,
                                  const struct range_set *ids)
{
    struct stay *stay, *next;
    LIST_FOREACH_SAFE(stay, &job->stays, of_job, next) {
        jobs->cell->work.stays++;
        if (is_alike(jobs, stay))
            stay_end(jobs, stay, ids);
    }
}

void stays_end(struct sched_jobs *jobs, struct sched_job *job, const struct JG_Type_list *granted,
               const struct range_set *ids)
{
    if (!seek_granted(jobs, job, granted, false))
        return;
    struct stay *stay = stay_find(jobs);
    if (stay != NULL)
        stay_end(jobs, stay, ids);
    if (sets_meet(ids, &job->running) || sets_meet(ids, &job->ordered))
        end_with_other_demand(jobs, job, ids);
    end_seek(jobs);
}

void stays_leave(struct sched_jobs *jobs, struct sched_job *job, bool also_running)
{
    struct stay *stay, *next;
    struct range_set ordered = { 0 }, running = { 0 };
    range_set_copy(&ordered, &job->ordered);
    if (also_running)
        range_set_copy(&running, &job->running);
    LIST_FOREACH_SAFE(stay, &job->stays, of_job, next) {
        stay_undo(jobs, stay, &ordered);
        stay_leave(jobs, stay, &stay->running, &job->running, &running);
        stay_tidy(jobs, stay);
    }
    range_set_free(&ordered);
    range_set_free(&running);
}

/* ---- who owns them ---- */
uint64_t stay_tasks(const struct stay *stay)
{
    return range_set_count(&stay->ordered) + range_set_count(&stay->running);
}

/* what depends on who owns the tasks of STAY at its place I */
static struct path path_of_owner(struct sched_jobs *jobs, const struct stay *stay, uint32_t i,
                                 const struct task_kind *kind)
{
    const struct placed_demand *at = &stay->at[i];
    return path_of_who(task_path_to_book(jobs->cell, kind, at->queue, at->demand), kind);
}

static void leave_owner(struct sched_jobs *jobs, const struct sched_job *job)
{
    const struct stay *stay;
    cell_untime(jobs->cell);
    LIST_FOREACH(stay, &job->stays, of_job)
        for (uint32_t i = 0; i < stay->n; i++) {
            const struct task_kind kind = stay_kind(stay, i);
            struct path path = path_of_owner(jobs, stay, i, &kind);
            path_release(path, stay->at[i].demand, stay_tasks(stay));
            task_settle(jobs->cell, &kind, path, stay->at[i].demand);
        }
}

static void enter_owner(struct sched_jobs *jobs, const struct sched_job *job)
{
    const struct stay *stay;
    LIST_FOREACH(stay, &job->stays, of_job)
        for (uint32_t i = 0; i < stay->n; i++) {
            const struct task_kind kind = stay_kind(stay, i);
            path_book(path_of_owner(jobs, stay, i, &kind), stay->at[i].demand, stay_tasks(stay));
        }
}

void stays_move(struct sched_jobs *jobs, struct sched_job *job, struct job_group *group)
{
    struct job_group *old = job->group;
    bool has_moved =
        old != NULL && (old->of != group->of || old->category->quota != group->category->quota);
    if (has_moved)
        leave_owner(jobs, job);
    job->group = group;
    group->n_taken += job->n_taken;
    if (old == NULL)
        return;
    old->n_taken -= job->n_taken;
    if (!has_moved)
        return;
    enter_owner(jobs, job);
    owner_note_tasks(jobs->pending, group->of);
    owner_note_tasks(jobs->pending, old->of);
}

/* they count again in the quotas of their classes, in which nothing counts */
static void count_again(struct sched_jobs *jobs)
{
    cell_untime(jobs->cell);
    for (const struct stay *stay = jobs->stays; stay != NULL; stay = stay->hh.next)
        for (uint32_t i = 0; i < stay->n; i++) {
            struct task_kind kind = stay_kind(stay, i);
            kind.owner = NULL;
            path_book(path_of_owner(jobs, stay, i, &kind), stay->at[i].demand, stay_tasks(stay));
        }
}

void stays_take_change(struct sched_jobs *jobs, const struct cell_change *change)
{
    pending_take_change(jobs->pending, change);
    if (change->kind == QUOTA_CLASSES_CHANGED || change->kind == QUOTA_BOOK_EMPTIED)
        count_again(jobs);
}
