/* The scheduler from outside: makes and ends the model, asks the policy in force, and changes it.
 * Owns struct sched.
 *
 * A new `algorithm` comes with an event in the middle of the default's model; the policy changes
 * once that event has been taken whole. */
#include "libs/sched/sched_priv.h"

#include <stdatomic.h>
#include <stdlib.h>

static void policy_begin(struct sched *s)
{
    s->policy = s->conf.policy;
    s->own = s->policy->new != NULL ? s->policy->new (s) : NULL;
    job_groups_rank(s);
}

static void policy_end(struct sched *s)
{
    if (s->policy->free != NULL)
        s->policy->free(s->own);
    s->own = NULL;
}

struct sched *sched_new(void)
{
    struct sched *s = uti_calloc(1, sizeof *s);
    s->cell.kind = SUPPLY_CELL;
    slab_init(&s->slab, sizeof(struct sched_job));
    RB_INIT(&s->waiting);
    RB_INIT(&s->by_age);
    RB_INIT(&s->open);
    RB_INIT(&s->roomy);
    LIST_INIT(&s->exhausted);
    LIST_INIT(&s->undecided);
    LIST_INIT(&s->blocked);
    LIST_INIT(&s->short_of_quota);
    LIST_INIT(&s->blocked_parallel);
    TAILQ_INIT(&s->blocked_conditional);
    s->rounds = 1;
    LIST_INIT(&s->all_sets);
    TAILQ_INIT(&s->loose);
    TAILQ_INIT(&s->idle);
    TAILQ_INIT(&s->fresh);
    s->conf = sched_conf_default();
    policy_begin(s);
    return s;
}

void sched_free(struct sched *s)
{
    if (s == NULL)
        return;
    policy_end(s);
    s->policy = &sched_default;
    jobs_free(s);
    categories_free(s);
    queues_free(s);
    pes_free(s);
    quotas_free(s);
    resources_free(s);
    resource_names_free(&s->names);
    free(s->sought);
    layout_free(s->layout);
    free(s->grant.v);
    slab_end(&s->slab);
    free(s);
}

int sched_apply(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    if (model_apply(s, event, ans) < 0)
        return -1;
    if (s->policy->apply != NULL)
        s->policy->apply(s, s->own, event);
    if (s->conf.policy != s->policy) {
        policy_end(s);
        policy_begin(s);
    }
    return 0;
}

uint32_t sched_run(struct sched *s, uint64_t now_s, uint32_t most, struct OR_Type_list *orders)
{
    s->is_cut = false;
    uint32_t ordered = s->policy->run != NULL ? s->policy->run(s, s->own, now_s, most, orders)
                                              : sched_default_run(s, now_s, most, orders);
    s->is_cut |= !quotas_are_woken(s);
    ordered -= immediates_decide(s, orders, ordered, most);
    s->work.tasks += ordered;
    return ordered;
}

void sched_refused(struct sched *s, const struct OR_Type *order)
{
    struct sched_job *job = job_find(s, order->OR_job_number);
    if (job != NULL)
        job_refused(s, job, &order->OR_ids);
    if (s->policy->refused != NULL)
        s->policy->refused(s, s->own, order);
}

bool sched_has_work(const struct sched *s)
{
    return s->policy->has_work != NULL
               ? s->policy->has_work(s, s->own)
               : !RB_EMPTY(&s->open) || !RB_EMPTY(&s->roomy) || owners_have_more(s) ||
                     !loose_sets_are_swept(s) || !quotas_are_woken(s) || !LIST_EMPTY(&s->undecided);
}

void sched_set_slice(struct sched *s, uint64_t looks)
{
    s->slice_looks = looks;
}

bool sched_is_cut(const struct sched *s)
{
    return s->is_cut;
}

void sched_show_job(struct sched *s, _Atomic uint32_t *number)
{
    s->shown_job = number;
}

void sched_look_at(struct sched *s, uint32_t job)
{
    if (s->shown_job != NULL)
        atomic_store_explicit(s->shown_job, job, memory_order_relaxed);
}

uint64_t sched_next_due(const struct sched *s)
{
    return s->policy->next_due != NULL ? s->policy->next_due(s, s->own) : jobs_next_due(s);
}

const struct sched_conf *sched_conf(const struct sched *s)
{
    return &s->conf;
}

const struct sched_work *sched_work(const struct sched *s)
{
    return &s->work;
}
