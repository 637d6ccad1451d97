/* Decision-making of the default scheduler (layer 2): the most important job that could run gets the best queue, again and again,
 * until nothing fits. Owns no data. Each step either places tasks or blocks a category, so a run is O(categories + orders). */
#include "libs/sched/sched_priv.h"

#include "libs/uti/assert.h"

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* start as many tasks of JOB, consecutive ones, as go to one queue before another is better; returns how many (> 0) */
static uint32_t place_some(struct sched *s, struct sched_job *job, struct queue_place *p,
                           uint32_t most, struct OR_Type_list *orders)
{
    struct queue *q = p->queue;
    struct range run;
    bool has_task = range_set_next_run(&job->ready, 0, &run);

    ASSERT(has_task);
    uint64_t n = least(most, (uint64_t)run.last - run.first + 1);
    n = least(n, queue_set_streak(p));
    n = least(n, job_room(job));
    ASSERT(n > 0);
    uint32_t last = (uint32_t)(run.first + n - 1);
    order_add(s, orders, job, q, run.first, last);
    job_book(s, job, q, run.first, last);
    return (uint32_t)n;
}

uint32_t sched_default_run(struct sched *s, uint64_t now_s, uint32_t most,
                           struct OR_Type_list *orders)
{
    uint32_t ordered = 0;
    struct category *c;

    s->now_s = now_s;
    s->work.runs++;
    jobs_wake(s);
    while (ordered < most && (c = category_first_open(s)) != NULL) {
        struct queue_place *best = queue_set_best(c->set);
        s->work.categories++;
        if (best == NULL)
            category_block(c);
        else
            ordered += place_some(s, category_first_job(c), best, most - ordered, orders);
    }
    s->work.tasks += ordered;
    return ordered;
}
