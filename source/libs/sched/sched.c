/* The scheduler from outside: makes and ends the model, and sends each call to the policy in force. Owns struct sched. */
#include "libs/sched/sched_priv.h"

#include <stdlib.h>

struct sched *sched_new(void)
{
    struct sched *s = uti_calloc(1, sizeof *s);

    RB_INIT(&s->waiting);
    RB_INIT(&s->by_age);
    RB_INIT(&s->open);
    TAILQ_INIT(&s->idle);
    s->conf = sched_conf_default();
    return s;
}

void sched_free(struct sched *s)
{
    if (s == NULL)
        return;
    jobs_free(s);
    categories_free(s);
    queues_free(s);
    free(s);
}

int sched_apply(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    return s->conf.policy->apply(s, event, ans);
}

uint32_t sched_run(struct sched *s, uint64_t now_s, uint32_t most, struct OR_Type_list *orders)
{
    return s->conf.policy->run(s, now_s, most, orders);
}

void sched_refused(struct sched *s, const struct OR_Type *order)
{
    struct sched_job *job = job_find(s, order->OR_job_number);

    if (job != NULL)
        job_refused(s, job, &order->OR_ids);
}

bool sched_has_work(const struct sched *s)
{
    return !RB_EMPTY(&s->open);
}

uint64_t sched_next_due(const struct sched *s)
{
    return jobs_next_due(s);
}

const struct sched_conf *sched_conf(const struct sched *s)
{
    return &s->conf;
}

const struct sched_work *sched_work(const struct sched *s)
{
    return &s->work;
}
