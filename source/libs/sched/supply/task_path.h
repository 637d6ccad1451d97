#ifndef SCHED_SUPPLY_TASK_PATH_H
#define SCHED_SUPPLY_TASK_PATH_H

#include "libs/resource/quota_book.h"
#include "libs/sched/supply/instance.h"
#include "libs/sched/supply/owner.h"
#include "libs/sched/supply/pe.h"

/* The path of a task at a place: all supplies in which it books there. Whatever limits tasks is a
 * member of it, and nothing is asked beside it. */
struct task_kind {
    const struct quota_class *quota; /* of its owner; NULL: no quota limits it */
    struct pe *pe;                   /* NULL: none */
    struct sched_owner *owner;       /* at the first place of a task; NULL: he does not decide */
};
/* task_path - the members in which a task of KIND books D in Q: the cell, Q, its host, then the
 * environment, the owner and the quotas, as far as there are any. Valid until the next call. O(1),
 * with a quota class O(sets) */
struct path task_path(struct sched_cell *cell, const struct task_kind *kind, struct sched_queue *q,
                      const struct demand *d, enum quota_use use);
/* path_of_who - of such a PATH what depends on who owns the task: the owner and the quotas */
static inline struct path path_of_who(struct path path, const struct task_kind *kind)
{
    uint32_t skip = PLACE_LEVELS + (kind->pe != NULL);
    return (struct path){ path.v + skip, path.n - skip };
}

/* task_room - how many tasks of KIND with D can be added in Q
 * task_may_fit - is there room for one, whatever the cell has?
 * task_room_anywhere - for how many there is room, of WANTED at most, as far as those members say
 * that are the same in every queue instance: it may be less. O(sets) */
uint64_t task_room_in_quotas(struct sched_cell *cell, const struct task_kind *kind,
                             struct sched_queue *q, const struct demand *d);
static inline uint64_t task_room(struct sched_cell *cell, const struct task_kind *kind,
                                 struct sched_queue *q, const struct demand *d)
{
    uint64_t room = path_room(queue_path(q), d, TIME_ALWAYS);
    return room == 0 || kind->quota == NULL ? room : task_room_in_quotas(cell, kind, q, d);
}
bool task_may_fit(struct sched_cell *cell, const struct task_kind *kind, struct sched_queue *q,
                  const struct demand *d);
uint64_t task_room_anywhere(struct sched_cell *cell, const struct task_kind *kind,
                            const struct demand *d, uint64_t wanted);

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

#endif
