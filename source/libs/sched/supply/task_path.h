#ifndef SCHED_SUPPLY_TASK_PATH_H
#define SCHED_SUPPLY_TASK_PATH_H

#include "libs/resource/quota_book.h"
#include "libs/sched/supply/instance.h"
#include "libs/sched/supply/owner.h"
#include "libs/sched/supply/pe.h"

/* The path of a task at a place: all supplies in which it books there. Whatever limits tasks is a
 * member of it, and nothing is asked beside it. */

/* time_after - RUN_S seconds after AT_S; TIME_FOREVER where that is never */
static inline uint64_t time_after(uint64_t at_s, uint64_t run_s)
{
    return run_s < TIME_FOREVER - at_s ? at_s + run_s : TIME_FOREVER;
}

/* time_span_of - from when a task is there, until it has run RUN_S seconds
 * task_span - when a task of KIND would be in Q */
static inline struct time_span time_span_of(const struct task_time *time, uint64_t run_s)
{
    return (struct time_span){ time->is_now ? 0 : time->from_s, time_after(time->from_s, run_s) };
}

static inline struct time_span task_span(const struct task_kind *kind, const struct sched_queue *q)
{
    uint64_t run_s = kind->time.run_s != 0 ? kind->time.run_s : q->run_s;
    return time_span_of(&kind->time, run_s);
}

/* task_path - the members in which a task of KIND books D in Q: the cell, Q, its host, then the
 * environment, the owner and the quotas, as far as there are any; for questions alone
 * task_path_to_book - the same, for path_book and path_release
 *
 * Valid until the next call. O(1), with a quota class O(sets) */
struct path task_path(struct sched_cell *cell, const struct task_kind *kind, struct sched_queue *q,
                      const struct demand *d);
struct path task_path_to_book(struct sched_cell *cell, const struct task_kind *kind,
                              struct sched_queue *q, const struct demand *d);
/* path_of_who - of such a PATH what depends on who owns the task: the owner and the quotas */
static inline struct path path_of_who(struct path path, const struct task_kind *kind)
{
    uint32_t skip = kind->pe != NULL && !kind->in_ar ? PLACE_LEVELS + 1 : PLACE_LEVELS;
    return (struct path){ path.v + skip, path.n - skip };
}

/* task_room - how many tasks of KIND with D can be added in Q at their time
 * task_may_fit - is there room for one at this moment, whatever the cell has?
 * task_room_anywhere - for how many there is room, of WANTED at most, as far as those members say
 * that are the same in every queue instance: it may be less. O(sets) */
uint64_t task_room_in_quotas(struct sched_cell *cell, const struct task_kind *kind,
                             struct sched_queue *q, const struct demand *d);
static inline uint64_t task_room(struct sched_cell *cell, const struct task_kind *kind,
                                 struct sched_queue *q, const struct demand *d)
{
    uint64_t room = path_room(queue_path(q), d, task_span(kind, q));
    return room == 0 || kind->who == NULL ? room : task_room_in_quotas(cell, kind, q, d);
}
bool task_may_fit(struct sched_cell *cell, const struct task_kind *kind, struct sched_queue *q,
                  const struct demand *d);
uint64_t task_room_of_members(struct sched_cell *cell, const struct task_kind *kind,
                              const struct demand *d, uint64_t wanted);
static inline uint64_t task_room_anywhere(struct sched_cell *cell, const struct task_kind *kind,
                                          const struct demand *d, uint64_t wanted)
{
    bool is_free =
        kind->who == NULL && (kind->in_ar || (cell->supply.n_limited == 0 && kind->pe == NULL));
    return is_free ? UINT64_MAX : task_room_of_members(cell, kind, d, wanted);
}

/* For the slots of one parallel task. What they would take in one place is booked for the look at
 * the next.
 *
 * task_reserve - how many of MOST slots, for which Q and its host have room, the task can have in Q
 * besides those reserved before, which are reserved; task_release - they no longer are
 * task_fits - is there room for a whole task with its N places, as far as its quotas say? */
uint64_t task_reserve(struct sched_cell *cell, const struct task_kind *kind, struct sched_queue *q,
                      struct demand *d, uint64_t most);
void task_release(struct sched_cell *cell);
bool task_fits(struct sched_cell *cell, const struct task_kind *kind,
               const struct placed_demand *places, uint32_t n);

/* task_settle - D has been released in PATH, a task's of KIND: needs that lacked it are to be
 * opened (QUOTA_GAINED) */
void task_settle(struct sched_cell *cell, const struct task_kind *kind, struct path path,
                 const struct demand *d);
void task_paths_free(struct sched_cell *cell);

/* ---- the future ---- */
/* task_hold - a task of KIND has D in Q during SPAN, until the future is forgotten: its path is
 * timed from now on. KIND, Q and D stay as they are until then. O(members x log steps)
 * task_note_end - TASKS tasks of KIND that have D in Q end AT_S, as far as is known: their path is
 * timed from now on. O(members x log ends) in the order of the ends */
void task_hold(struct sched_cell *cell, const struct task_kind *kind, struct sched_queue *q,
               struct demand *d, struct time_span span);
void task_note_end(struct sched_cell *cell, const struct task_kind *kind, struct sched_queue *q,
                   const struct demand *d, uint64_t tasks, uint64_t at_s);

#endif
