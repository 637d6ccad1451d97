/* The policy in force: which one it is, what it begins with, and what of it goes when another takes
 * over. */
#include "libs/sched/policy/in_force.h"

#include "libs/sched/pending/job_group.h"
#include "libs/sched/policy/model.h"
#include "libs/sched/policy/order.h"

/* a plug-in whose process is not there decides as the default */
static const struct sched_policy *policy_wanted(const struct sched *s)
{
    return s->conf.policy == &sched_plugin && s->plugin != NULL ? s->plugin : s->conf.policy;
}

void policy_begin(struct sched *s)
{
    s->policy = policy_wanted(s);
    prior_book_clear(&s->prior);
    s->own = s->policy->new != NULL ? s->policy->new (s) : NULL;
    s->pending.rank = s->policy->rank;
    s->pending.rank_own = s->own;
    job_groups_rank(&s->pending);
}

void policy_end(struct sched *s)
{
    if (s->policy->free != NULL)
        s->policy->free(s->own);
    order_end(s);
    s->own = s->pending.rank_own = NULL;
    s->pending.rank = NULL;
    job_groups_take_back(&s->pending); /* the next one may know no rounds */
    jobs_unrank(&s->jobs);
}

void policy_settle(struct sched *s)
{
    if (policy_wanted(s) == s->policy)
        return;
    policy_end(s);
    policy_begin(s);
}
