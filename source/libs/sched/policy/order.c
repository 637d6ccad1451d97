/* Ranks of job groups by the priorities of their jobs. Owns struct sched_order.
 *
 * Jobs that differ in age alone go by age under any weights, so ranks are made only while there is
 * a job group that differs otherwise (n_unusual). Urgency is relative to the oldest and the newest
 * job, so that all ranks change when these do: they are made again once a second at most, by the
 * terms of that second. The rank is `prior` in fixed point. A policy that ranks single jobs
 * (sched_rank_job) has no such ranks beside its own. */
#include "libs/sched/policy/order.h"

#include "libs/config/conf.h"
#include "libs/sched/pending/urgency.h"
#include "libs/sched/policy/model.h"
#include "libs/sched/policy/ticket_book.h"

enum { GROUPS_OF_SLICE = 20000, TICKETS_OF_SLICE = 5000, CLASSES_FEW = 8 };
/* three weights of at most CONF_WEIGHT_MOST fit; a second in a year of waiting still counts */
static const double unit = 1 << 30;
_Static_assert(3.0 * CONF_WEIGHT_MOST * (1 << 30) < 9.2e18, "a rank is an int64_t");

struct prior_job prior_job_of(const struct job_group *group, const struct sched_job *job)
{
    return (struct prior_job){ .number = job->number,
                               .priority = group->priority,
                               .submitted_s = job->submitted_s,
                               .deadline_s = group->deadline_s,
                               .rrcontr = group->urgency->rrcontr,
                               .owner = group->owner,
                               .project = group->project };
}

static int64_t rank_by_prior(void *own, const struct job_group *group, const struct sched_job *job)
{
    const struct sched *s = own;
    const struct prior_job of = prior_job_of(group, job);
    double prior = s->tickets.is_on
                       ? prior_with(&s->prior, &s->order.by, &of, tickets_of_next(&s->tickets, job))
                       : prior_of(&s->prior, &s->order.by, &of);
    return (int64_t)(prior * unit);
}

static void rank_by(struct sched *s, bool is_by_prior)
{
    s->order.is_by_prior = s->pending.rank_has_priority = is_by_prior;
    s->pending.rank = is_by_prior ? rank_by_prior : NULL;
    s->pending.rank_own = is_by_prior ? s : NULL;
}

/* while jobs differ in age alone the span is always that of this moment; else it is looked at once
 * a second, as there may be many classes */
static const struct urgency_span *span_renew(struct sched *s)
{
    struct sched_order *o = &s->order;
    bool is_cheap = HASH_COUNT(s->pending.urgency_classes) <= CLASSES_FEW;
    if (is_cheap || o->span_s != s->cell.now_s)
        o->span = urgency_span(&s->pending, s->conf.weights.waiting_time, s->conf.weights.deadline,
                               s->cell.now_s);
    o->span_s = s->cell.now_s;
    return &o->span;
}

void terms_renew(struct sched *s)
{
    struct PT_Type *t = &s->prior.terms;
    const struct prior_weights *w = &s->conf.weights;
    const struct urgency_span *span = span_renew(s);
    cull_set(t, PT_weight_ticket, w->ticket);
    cull_set(t, PT_weight_urgency, w->urgency);
    cull_set(t, PT_weight_priority, w->priority);
    cull_set(t, PT_weight_waiting_time, w->waiting_time);
    cull_set(t, PT_weight_deadline, w->deadline);
    cull_set(t, PT_deadlines_at, span->has_deadline ? s->cell.now_s : 0);
    cull_set(t, PT_lowest_urgency, span->lowest);
    cull_set(t, PT_highest_urgency, span->highest);
    cull_set(t, PT_most_tickets, 0);
    cull_set(t, PT_all_tickets, 0);
    cull_set(t, PT_running_tickets, 0);
    if (s->tickets.is_on) {
        cull_set(t, PT_most_tickets, s->tickets.most);
        cull_set(t, PT_all_tickets, s->tickets.pending);
        cull_set(t, PT_running_tickets, s->tickets.running);
    }
    if (s->policy->terms != NULL)
        s->policy->terms(s->own, t);
}

/* the terms of this second are those that ranks follow from */
static void order_begin(struct sched *s, bool is_by_prior)
{
    struct sched_order *o = &s->order;
    struct PT_Type before = o->by;
    bool changes = is_by_prior != o->is_by_prior || s->tickets.is_on;
    terms_renew(s);
    o->by = s->prior.terms;
    if (!changes && cull_equal(&cull_PT_Type, &before, &o->by))
        return;
    rank_by(s, is_by_prior);
    job_groups_rank_anew(&s->pending);
}

/* tickets as of this second; true: that took long, so events have their turn before ranks follow */
static bool renew_in_next_second(struct sched *s)
{
    struct sched_order *o = &s->order;
    if (s->cell.now_s == o->since_s || o->is_due)
        return false;
    o->since_s = s->cell.now_s;
    o->is_renewed = true;
    return tickets_renew(s) > TICKETS_OF_SLICE;
}

static bool differ_in_urgency(const struct sched *s)
{
    return s->conf.weights.urgency > 0 && HASH_COUNT(s->pending.urgency_classes) > 1;
}

void order_settle(struct sched *s)
{
    struct sched_order *o = &s->order;
    o->is_due = renew_in_next_second(s) || (o->is_due && !o->is_renewed);
    if (o->is_due && o->is_renewed)
        return;
    bool is_by_prior = (s->pending.n_unusual > 0 || s->tickets.is_on || differ_in_urgency(s)) &&
                       s->pending.job_ranks == NULL;
    bool begins = o->is_renewed || (!o->is_due && is_by_prior != o->is_by_prior);
    o->is_renewed = false;
    s->jobs.is_by_task = is_by_prior && s->tickets.is_on;
    if (!is_by_prior && !o->is_by_prior)
        return;
    if (begins)
        order_begin(s, is_by_prior);
    o->is_due = job_groups_rank_more(&s->pending, GROUPS_OF_SLICE);
}

void order_end(struct sched *s)
{
    rank_by(s, false);
    tickets_forget(s);
    s->jobs.is_by_task = false;
    s->order = (struct sched_order){ 0 };
}
