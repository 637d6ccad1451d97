/* How busy hosts are, for the order in which their queue instances are taken. Owns struct
 * fresh_start.
 *
 * The qmaster says what hosts have reported. A task that has just started is in no report yet: each
 * of its slots counts for a while, less and less (job_load_adjustments and
 * load_adjustment_decay_time).
 * The sum is looked at when a host reports, when a task starts there, and when a start has counted
 * long enough. Without adjustments nothing of this costs anything.
 * Source: sched_conf(5) */
#include "libs/sched/supply/load.h"

#include <stdlib.h>

#include "libs/config/load_values.h"
#include "libs/sched/supply/queue_set.h"
#include "libs/uti/alloc.h"

/* A start counts in the second in which it is made, even if it decays at once. */
static uint64_t decay_time_s(const struct sched_cell *cell)
{
    return cell->load_decay_s > 0 ? cell->load_decay_s : 1;
}

/* of the slots that were taken lately, those that are not decayed: each goes down in a line */
static double slots_that_count(const struct sched_cell *cell, const struct sched_host *h)
{
    uint64_t ages = h->fresh * cell->now_s - h->fresh_times;
    double left = (double)h->fresh - (double)ages / (double)decay_time_s(cell);
    return left > 0 ? left : 0;
}

void load_settle(const struct sched_cell *cell, struct sched_queue *q)
{
    double busy =
        q->load + (q->load_step != 0 ? q->load_step * slots_that_count(cell, q->host) : 0);
    q->busy = busy < LOAD_UNKNOWN ? busy : LOAD_UNKNOWN;
}

static void settle_host(struct sched_cell *cell, struct sched_host *h)
{
    struct sched_queue *q;
    LIST_FOREACH(q, &h->queues, of_host) {
        queue_unlist(q);
        load_settle(cell, q);
        queue_list(q);
    }
}

static void start_add(struct sched_cell *cell, struct sched_host *h, uint64_t slots)
{
    struct fresh_start *start = TAILQ_LAST(&h->starts, fresh_list);
    if (start == NULL || start->at_s != cell->now_s) {
        start = uti_calloc(1, sizeof *start);
        start->host = h;
        start->at_s = cell->now_s;
        TAILQ_INSERT_TAIL(&h->starts, start, of_host);
        TAILQ_INSERT_TAIL(&cell->fresh, start, of_sched);
    }
    start->slots += slots;
    h->fresh += slots;
    h->fresh_times += slots * cell->now_s;
}

static void start_remove(struct sched_cell *cell, struct fresh_start *start)
{
    struct sched_host *h = start->host;
    h->fresh -= start->slots;
    h->fresh_times -= start->slots * start->at_s;
    TAILQ_REMOVE(&h->starts, start, of_host);
    TAILQ_REMOVE(&cell->fresh, start, of_sched);
    free(start);
}

void load_note_start(struct sched_cell *cell, struct sched_queue *q, uint64_t slots)
{
    if (q->load_step == 0)
        return;
    start_add(cell, q->host, slots);
    settle_host(cell, q->host);
}

void load_decay(struct sched_cell *cell)
{
    struct fresh_start *start;
    while ((start = TAILQ_FIRST(&cell->fresh)) != NULL &&
           start->at_s + decay_time_s(cell) <= cell->now_s) {
        struct sched_host *h = start->host;
        start_remove(cell, start);
        settle_host(cell, h);
    }
}

void load_forget_host(struct sched_cell *cell, struct sched_host *h)
{
    while (!TAILQ_EMPTY(&h->starts))
        start_remove(cell, TAILQ_FIRST(&h->starts));
}
