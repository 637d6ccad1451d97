#ifndef SCHED_SUPPLY_QUEUE_H
#define SCHED_SUPPLY_QUEUE_H

#include "libs/sched/supply/task_path.h"

/* Queue instances come, change and go; tasks take of them and give back. */

/* queue_get - the queue instance NAME, made if it is not there: as one where tasks may be, but none
 * may start */
struct sched_queue *queue_get(struct sched_cell *cell, const char *name);
/* Parts of queue instances: what an advance reservation has in one. A part is a queue instance for
 * the jobs of the reservation alone; it follows its base, but for what there is of resources.
 *
 * queue_part_find - the part of AR in NAME, or NULL
 * queue_part_get - the same, made if it is not there: as queue_get
 * queue_part_open - it HAS that much from now on, and takes tasks as its base does
 * queue_part_block - no task starts there until it is no longer blocked
 * queue_part_close - no more tasks start there; it goes when the last stay has left it */
struct sched_queue *queue_part_find(struct sched_cell *cell, const char *name, uint32_t ar);
struct sched_queue *queue_part_get(struct sched_cell *cell, const char *name, uint32_t ar);
void queue_part_open(struct sched_cell *cell, struct sched_queue *part, const struct demand *has);
void queue_part_block(struct sched_cell *cell, struct sched_queue *part, bool is_blocked);
void queue_part_close(struct sched_cell *cell, struct sched_queue *part);
/* queue_update - a queue instance is there, with what RECORD says of it; it keeps what RECORD does
 * not say. Needs that fit now are open afterwards. O(its sets x log), new host groups or doors
 * O(sets) */
void queue_update(struct sched_cell *cell, const struct QU_Type *record);
/* queue_says_load_alone - does RECORD say of the load of a queue instance, and nothing else? */
bool queue_says_load_alone(const struct QU_Type *record);
/* queue_forget - no more tasks start in NAME; it goes when the last stay has left it */
void queue_forget(struct sched_cell *cell, const char *name);
/* queue_take - TASKS tasks of KIND take D in Q, of all members of their path, whether there is room
 * or not
 * queue_give - undo exactly that; needs that fit now are open afterwards */
void queue_take(struct sched_cell *cell, const struct task_kind *kind, struct sched_queue *q,
                const struct demand *d, uint64_t tasks);
void queue_give(struct sched_cell *cell, const struct task_kind *kind, struct sched_queue *q,
                const struct demand *d, uint64_t tasks);
/* queues_run_renew - default_duration of sched_conf(5) is another, TIME_FOREVER: none. O(queues) */
void queues_run_renew(struct sched_cell *cell, uint64_t default_run_s);
/* queue_enter, queue_leave - a stay in Q begins, ends; Q may be gone after the latter */
void queue_enter(struct sched_queue *q);
void queue_leave(struct sched_cell *cell, struct sched_queue *q);
/* queues_free - free all queue instances and hosts, when the jobs have gone */
void queues_free(struct sched_cell *cell);
/* queue_gained - Q may have more room; cell_gained - the cell may: blocked needs that fit are open
 * afterwards */
void queue_gained(struct sched_cell *cell, struct sched_queue *q);
void cell_gained(struct sched_cell *cell);
/* host_get - the host NAME, created if it is unknown
 * host_drop - it is removed, if nothing refers to it any more */
struct sched_host *host_get(struct sched_cell *cell, const char *name);
void host_drop(struct sched_cell *cell, struct sched_host *h);

#endif
