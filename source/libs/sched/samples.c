/* Where to start with a scheduler of one's own (seed 004); built with -DSCHEDULER_SAMPLES. Both do what the default does:
 * `ext_mysched` has its own decisions on the default's data model, `ext_mysched2` takes the events itself, too. */
#include "libs/sched/policy.h"

/* Replace the call: look at sched_priv.h for categories, jobs and queue sets, book with job_book, hand out with order_add. */
uint32_t sample_run(struct sched *s, uint64_t now_s, uint32_t most, struct OR_Type_list *orders)
{
    return sched_default_run(s, now_s, most, orders);
}

/* Take what the event says into a model of one's own, then call the default if its model is to stay current as well. */
int sample_apply(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    return sched_default_apply(s, event, ans);
}
