/* Paths of tasks: which supplies a task books in at a place. Owns the memory in which they are
 * made.
 *
 * Quotas are gathered for each look, as they depend on who owns the task, and where it is. What a
 * parallel task would take of them in one place is booked for the look at the next, and released
 * again. */
#include "libs/sched/supply/task_path.h"

#include <stdlib.h>

#include "libs/sched/supply/quota_use.h"
#include "libs/uti/alloc.h"

/* ---- members ---- */
/* what a place has, and what of KIND is not a quota */
static void begin_path(struct growing_path *path, const struct task_kind *kind,
                       const struct sched_queue *q)
{
    enum { MOST = PLACE_LEVELS + 2 };
    if (path->cap < MOST)
        path->v = uti_vec_grow(path->v, &path->cap, MOST, sizeof(struct supply *));
    path->v[LEVEL_CELL] = q->levels[LEVEL_CELL];
    path->v[LEVEL_QUEUE] = q->levels[LEVEL_QUEUE];
    path->v[LEVEL_HOST] = q->levels[LEVEL_HOST];
    path->n = PLACE_LEVELS;
    if (kind->pe != NULL && !kind->in_ar)
        path->v[path->n++] = &kind->pe->supply;
    if (kind->owner != NULL)
        path->v[path->n++] = &kind->owner->supply;
}

struct path task_path(struct sched_cell *cell, const struct task_kind *kind, struct sched_queue *q,
                      const struct demand *d)
{
    struct growing_path *path = &cell->task_paths.path;
    begin_path(path, kind, q);
    if (kind->who != NULL)
        quotas_append(cell, kind, q, d, QUOTA_LOOK, path);
    return path_grown(path, 0);
}

struct path task_path_to_book(struct sched_cell *cell, const struct task_kind *kind,
                              struct sched_queue *q, const struct demand *d)
{
    struct growing_path *path = &cell->task_paths.path;
    begin_path(path, kind, q);
    if (kind->who != NULL)
        quotas_append(cell, kind, q, d, QUOTA_BOOK, path);
    return path_grown(path, 0);
}

static struct path path_anywhere(struct sched_cell *cell, const struct task_kind *kind,
                                 const struct demand *d)
{
    struct growing_path *path = &cell->task_paths.path;
    path->n = 0;
    if (!kind->in_ar)
        path_append(path, &cell->supply);
    if (kind->pe != NULL && !kind->in_ar)
        path_append(path, &kind->pe->supply);
    if (kind->who != NULL)
        quotas_append_everywhere(cell, kind, d, path);
    return path_grown(path, 0);
}

/* ---- room ---- */
static uint64_t room_in(struct path path, const struct demand *d, uint64_t wanted,
                        struct time_span span)
{
    uint64_t room = path_room(path, d, span);
    if (room < wanted)
        quota_note_short(path, d, wanted, span);
    return room;
}

uint64_t task_room_in_quotas(struct sched_cell *cell, const struct task_kind *kind,
                             struct sched_queue *q, const struct demand *d)
{
    cell->work.looks += quotas_sets(cell);
    return room_in(task_path(cell, kind, q, d), d, 1, task_span(kind, q));
}

bool task_may_fit(struct sched_cell *cell, const struct task_kind *kind, struct sched_queue *q,
                  const struct demand *d)
{
    if (queue_room(q, d) == 0)
        return false;
    if (kind->who == NULL)
        return true;
    cell->work.looks += quotas_sets(cell);
    return room_in(path_below_cell(task_path(cell, kind, q, d)), d, 1, TIME_NOW) > 0;
}

uint64_t task_room_of_members(struct sched_cell *cell, const struct task_kind *kind,
                              const struct demand *d, uint64_t wanted)
{
    struct time_span span = time_span_of(&kind->time, kind->time.run_s != 0 ? kind->time.run_s : 1);
    cell->work.looks += kind->who != NULL;
    return room_in(path_anywhere(cell, kind, d), d, wanted, span);
}

/* ---- bookings for the look at the next place ---- */
static void reserve_in(struct sched_cell *cell, struct path path, struct demand *d, uint64_t tasks)
{
    struct task_paths *paths = &cell->task_paths;
    path_book(path, d, tasks);
    for (uint32_t i = 0; i < path.n; i++) {
        paths->reserved = uti_vec_grow(paths->reserved, &paths->reserved_cap, paths->n_reserved + 1,
                                       sizeof *paths->reserved);
        d->users++;
        paths->reserved[paths->n_reserved++] = (struct task_reserved){ path.v[i], d, tasks };
    }
}

void task_release(struct sched_cell *cell)
{
    struct task_paths *paths = &cell->task_paths;
    while (paths->n_reserved > 0) {
        struct task_reserved *last = &paths->reserved[--paths->n_reserved];
        struct path path = { &last->member, 1 };
        path_release(path, last->demand, last->tasks);
        quota_settle(cell->quotas, path, last->demand, NULL, NULL);
        demand_drop(&cell->demands, last->demand);
    }
}

/* those members that are not the same in every queue instance; the others limit the task as a whole
 * (task_room_anywhere) */
static uint64_t room_of_place(struct path quotas, const struct demand *d, uint64_t most,
                              struct time_span span)
{
    for (uint32_t i = 0; i < quotas.n; i++)
        if (!quota_of(quotas.v[i])->rule->is_everywhere)
            most = smaller_u64(most, room_in((struct path){ &quotas.v[i], 1 }, d, most, span));
    return most;
}

static void reserve_at_place(struct sched_cell *cell, struct path quotas, struct demand *d,
                             uint64_t slots)
{
    for (uint32_t i = 0; i < quotas.n; i++) {
        struct path one = { &quotas.v[i], 1 };
        if (quota_of(quotas.v[i])->rule->is_everywhere)
            quota_settle(cell->quotas, one, d, NULL, NULL);
        else
            reserve_in(cell, one, d, slots);
    }
}

uint64_t task_reserve(struct sched_cell *cell, const struct task_kind *kind, struct sched_queue *q,
                      struct demand *d, uint64_t most)
{
    if (kind->who == NULL || most == 0)
        return most;
    cell->work.looks += quotas_sets(cell);
    most =
        room_of_place(path_of_who(task_path(cell, kind, q, d), kind), d, most, task_span(kind, q));
    if (most > 0)
        reserve_at_place(cell, path_of_who(task_path_to_book(cell, kind, q, d), kind), d, most);
    return most;
}

bool task_fits(struct sched_cell *cell, const struct task_kind *kind,
               const struct placed_demand *places, uint32_t n)
{
    bool fits = true;
    for (uint32_t i = 0; fits && kind->who != NULL && i < n; i++) {
        struct demand *d = places[i].demand;
        struct path path = path_of_who(task_path_to_book(cell, kind, places[i].queue, d), kind);
        fits = room_in(path, d, 1, task_span(kind, places[i].queue)) > 0;
        reserve_in(cell, path, d, 1);
    }
    task_release(cell);
    return fits;
}

/* ---- what was given back ---- */
void task_settle(struct sched_cell *cell, const struct task_kind *kind, struct path path,
                 const struct demand *d)
{
    if (kind->who != NULL)
        quota_settle(cell->quotas, path, d, quota_gained, cell);
}

/* ---- the future ---- */
/* what a task that is to start later will have */
struct task_held {
    struct task_kind kind;
    struct sched_queue *queue;
    struct demand *demand; /* counted */
    struct time_span span;
};

static void time_path(struct sched_cell *cell, struct path path)
{
    for (uint32_t i = 0; i < path.n; i++)
        if (!path.v[i]->is_timed) {
            supply_time(path.v[i]);
            path_append(&cell->task_paths.timed, path.v[i]);
        }
}

void task_note_end(struct sched_cell *cell, const struct task_kind *kind, struct sched_queue *q,
                   const struct demand *d, uint64_t tasks, uint64_t at_s)
{
    struct path path = task_path(cell, kind, q, d);
    time_path(cell, path);
    path_note_end(path, d, tasks, at_s);
}

void task_hold(struct sched_cell *cell, const struct task_kind *kind, struct sched_queue *q,
               struct demand *d, struct time_span span)
{
    struct task_paths *paths = &cell->task_paths;
    struct path path = task_path_to_book(cell, kind, q, d);
    time_path(cell, path);
    path_reserve(path, d, 1, span);
    paths->held =
        uti_vec_grow(paths->held, &paths->held_cap, paths->n_held + 1, sizeof *paths->held);
    d->users++;
    paths->held[paths->n_held++] = (struct task_held){ *kind, q, d, span };
}

/* quotas that nothing else uses go, when they are timed no longer */
void cell_forget_future(struct sched_cell *cell)
{
    struct task_paths *paths = &cell->task_paths;
    for (uint32_t i = 0; i < paths->n_held; i++) {
        const struct task_held *h = &paths->held[i];
        path_unreserve(task_path_to_book(cell, &h->kind, h->queue, h->demand), h->demand, 1,
                       h->span);
    }
    while (paths->timed.n > 0)
        supply_untime(paths->timed.v[--paths->timed.n]);
    while (paths->n_held > 0) {
        const struct task_held *h = &paths->held[--paths->n_held];
        if (h->kind.who != NULL)
            quota_settle(cell->quotas, task_path_to_book(cell, &h->kind, h->queue, h->demand),
                         h->demand, NULL, NULL);
        demand_drop(&cell->demands, h->demand);
    }
}

void task_paths_free(struct sched_cell *cell)
{
    free(cell->task_paths.timed.v);
    free(cell->task_paths.path.v);
    free(cell->task_paths.reserved);
    free(cell->task_paths.held);
}
