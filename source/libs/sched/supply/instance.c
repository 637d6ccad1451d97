/* Queue instances and the supplies that a task in one takes from: what others ask of them. */
#include "libs/sched/supply/instance.h"

#include "libs/config/qinstance.h"

bool queue_takes_tasks(const struct sched_queue *q)
{
    return q->is_known && (q->state & QI_BLOCKING) == 0 && q->free_slots > 0;
}

struct sched_queue *queue_find(const struct sched_cell *cell, const char *name)
{
    struct sched_queue *q;
    HASH_FIND_STR(cell->queues, name, q);
    return q;
}

struct path queue_path(const struct sched_queue *q)
{
    return (struct path){ q->levels, PLACE_LEVELS };
}

uint64_t queue_room(const struct sched_queue *q, const struct demand *d)
{
    return path_room((struct path){ q->levels, SUPPLY_HOST + 1 }, d, TIME_ALWAYS);
}
