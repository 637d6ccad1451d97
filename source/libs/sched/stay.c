/* Where tasks of jobs are, as ordered or as the qmaster said. Owns struct stay, and the sets and
 * counts of its job that sum up the stays.
 *
 * A task is in at most one stay: ordered or running. What is ordered is the undo log of the
 * decisions. A stay gives back what it took, so it keeps the demand that its tasks came with,
 * whatever their job asks for meanwhile. */
#include "libs/sched/sched_priv.h"

#include <stdlib.h>

static struct demand *demand_of(const struct sched_job *job)
{
    return job->leaf->category->need->key.demand;
}

static void count_taken(struct sched_job *job, uint64_t more)
{
    job->n_taken += more;
    job->leaf->n_taken += more;
}

static struct stay *stay_find(const struct sched *s, const struct stay_key *key)
{
    struct stay *stay;
    HASH_FIND(hh, s->stays, key, sizeof *key, stay);
    return stay;
}

static struct stay *stay_get(struct sched *s, struct sched_job *job, struct queue *q,
                             uint32_t slots)
{
    struct stay_key key = { job, q, demand_with_slots(&s->demands, demand_of(job), slots) };
    struct stay *stay = stay_find(s, &key);
    if (stay != NULL) {
        demand_drop(&s->demands, key.demand);
        return stay;
    }
    stay = uti_calloc(1, sizeof *stay);
    stay->key = key;
    queue_enter(q);
    LIST_INSERT_HEAD(&job->stays, stay, of_job);
    HASH_ADD(hh, s->stays, key, sizeof stay->key, stay);
    return stay;
}

/* STAY goes if nothing stays */
static void stay_tidy(struct sched *s, struct stay *stay)
{
    if (!range_set_is_empty(&stay->ordered) || !range_set_is_empty(&stay->running))
        return;
    LIST_REMOVE(stay, of_job);
    HASH_DEL(s->stays, stay);
    queue_leave(s, stay->key.queue);
    demand_drop(&s->demands, stay->key.demand);
    range_set_free(&stay->ordered);
    range_set_free(&stay->running);
    free(stay);
}

/* take IDS out of SET, one of STAY's, and of WHOLE, its job's of the kind, and give back what they
 * took; stay_tidy must follow */
static void stay_leave(struct sched *s, struct stay *stay, struct range_set *set,
                       struct range_set *whole, const struct range_set *ids)
{
    struct range_set leaving = { 0 };
    range_set_copy(&leaving, ids);
    range_set_intersect(&leaving, set);
    uint64_t n = range_set_count(&leaving);
    range_set_subtract(set, &leaving);
    range_set_subtract(whole, &leaving);
    range_set_free(&leaving);
    count_taken(stay->key.job, 0 - n);
    if (n > 0)
        queue_give(s, stay->key.queue, stay->key.demand, n);
}

static void stay_undo(struct sched *s, struct stay *stay, const struct range_set *ids)
{
    stay_leave(s, stay, &stay->ordered, &stay->key.job->ordered, ids);
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

void stays_order(struct sched *s, struct sched_job *job, struct queue *q, struct range tasks)
{
    struct stay *stay = stay_get(s, job, q, demand_slots(demand_of(job)));
    uint64_t n = (uint64_t)tasks.last - tasks.first + 1;
    range_set_add(&stay->ordered, tasks.first, tasks.last);
    range_set_add(&job->ordered, tasks.first, tasks.last);
    count_taken(job, n);
    queue_take(q, stay->key.demand, n);
}

/* Taking anew and then undoing the order leaves the model right whatever the order had said, and
 * nobody finds a slot free in between. The order was most likely to the same queue instance; so
 * that is looked at first. */
void stays_start(struct sched *s, struct sched_job *job, struct queue *q, uint32_t slots,
                 const struct range_set *ids)
{
    struct stay *stay = stay_get(s, job, q, slots);
    uint64_t n = range_set_count(ids);
    count_taken(job, n);
    range_set_unite(&stay->running, ids);
    range_set_unite(&job->running, ids);
    queue_take(q, stay->key.demand, n);
    stay_undo(s, stay, ids);
    stays_undo(s, job, ids);
}

void stays_undo(struct sched *s, struct sched_job *job, const struct range_set *ids)
{
    struct stay *stay, *next;
    if (!sets_meet(ids, &job->ordered))
        return;
    LIST_FOREACH_SAFE(stay, &job->stays, of_job, next) {
        s->work.stays++;
        stay_undo(s, stay, ids);
        stay_tidy(s, stay);
    }
}

static void stay_end(struct sched *s, struct stay *stay, const struct range_set *ids)
{
    stay_leave(s, stay, &stay->running, &stay->key.job->running, ids);
    stay_undo(s, stay, ids);
    stay_tidy(s, stay);
}

/* those that started before what their job asks for was changed */
static void end_with_other_demand(struct sched *s, struct sched_job *job, const struct queue *q,
                                  uint32_t slots, const struct range_set *ids)
{
    struct stay *stay, *next;
    LIST_FOREACH_SAFE(stay, &job->stays, of_job, next) {
        s->work.stays++;
        if (stay->key.queue == q && demand_slots(stay->key.demand) == slots)
            stay_end(s, stay, ids);
    }
}

void stays_end(struct sched *s, struct sched_job *job, struct queue *q, uint32_t slots,
               const struct range_set *ids)
{
    struct stay_key key = { job, q, demand_with_slots(&s->demands, demand_of(job), slots) };
    struct stay *stay = stay_find(s, &key);
    if (stay != NULL)
        stay_end(s, stay, ids);
    demand_drop(&s->demands, key.demand);
    if (sets_meet(ids, &job->running) || sets_meet(ids, &job->ordered))
        end_with_other_demand(s, job, q, slots, ids);
}

void stays_leave(struct sched *s, struct sched_job *job, bool also_running)
{
    struct stay *stay, *next;
    struct range_set ordered = { 0 }, running = { 0 };
    range_set_copy(&ordered, &job->ordered);
    if (also_running)
        range_set_copy(&running, &job->running);
    LIST_FOREACH_SAFE(stay, &job->stays, of_job, next) {
        stay_undo(s, stay, &ordered);
        stay_leave(s, stay, &stay->running, &job->running, &running);
        stay_tidy(s, stay);
    }
    range_set_free(&ordered);
    range_set_free(&running);
}
