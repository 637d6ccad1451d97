/* The scheduler from outside: makes and ends the model, keeps it current by events, asks the policy
 * in force, and changes it. Owns struct sched.
 *
 * An event is checked in full before anything changes, so that a malformed one leaves the model as
 * it was; then it goes to the file that owns what it changes.
 *
 * A new `algorithm` comes with an event in the middle of the default's model; the policy changes
 * once that event has been taken whole. */
#include "libs/sched/sched.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/conf.h"
#include "libs/sched/msg_sched.h"
#include "libs/sched/pending/category.h"
#include "libs/sched/pending/job_group.h"
#include "libs/sched/pending/parking.h"
#include "libs/sched/pending/wake.h"
#include "libs/sched/place/parallel.h"
#include "libs/sched/policy/conf.h"
#include "libs/sched/policy/immediate.h"
#include "libs/sched/policy/in_force.h"
#include "libs/sched/policy/model.h"
#include "libs/sched/policy/order.h"
#include "libs/sched/policy/services.h"
#include "libs/sched/policy/ticket_book.h"
#include "libs/sched/run/forecast.h"
#include "libs/sched/run/jobs.h"
#include "libs/sched/run/reserve.h"
#include "libs/sched/supply/ar.h"
#include "libs/sched/supply/host.h"
#include "libs/sched/supply/instance.h"
#include "libs/sched/supply/owner.h"
#include "libs/sched/supply/pe.h"
#include "libs/sched/supply/queue.h"
#include "libs/sched/supply/queue_set.h"
#include "libs/sched/supply/quota_use.h"
#include "libs/sched/supply/resource.h"
#include "libs/sgeobj/event.h"
#include "libs/sgeobj/object_kind.h"
#include "libs/uti/answer.h"

/* the highest room that takes what the cell reports passes it on to those below it */
static void take_change(void *ctx, const struct cell_change *change)
{
    struct sched *s = ctx;
    stays_take_change(&s->jobs, change);
}

/* CONF is in force; each room has what it needs of it */
static void take_conf(struct sched *s, const struct sched_conf *conf)
{
    s->conf = *conf;
    s->cell.load_decay_s = conf->load_decay_s;
    s->cell.tasks_of_user = conf->tasks_of_user;
    queues_run_renew(&s->cell, conf->default_run_s);
}

struct sched *sched_new(void)
{
    struct sched *s = uti_calloc(1, sizeof *s);
    s->cell.supply.kind = SUPPLY_CELL;
    s->cell.take_change = take_change;
    s->cell.taker = s;
    s->finder.cell = s->pending.cell = s->jobs.cell = &s->cell;
    s->pending.finder = s->jobs.finder = &s->finder;
    s->jobs.pending = &s->pending;
    prior_book_init(&s->prior);
    slab_init(&s->jobs.slab, sizeof(struct sched_job));
    RB_INIT(&s->jobs.waiting);
    RB_INIT(&s->pending.open);
    RB_INIT(&s->pending.roomy);
    RB_INIT(&s->pending.reserving);
    LIST_INIT(&s->pending.aside);
    LIST_INIT(&s->pending.exhausted);
    TAILQ_INIT(&s->pending.waking);
    LIST_INIT(&s->jobs.undecided);
    LIST_INIT(&s->pending.blocked_by_cell);
    LIST_INIT(&s->pending.short_of_quota);
    LIST_INIT(&s->pending.blocked_parallel);
    TAILQ_INIT(&s->pending.blocked_conditional);
    s->cell.rounds = 1;
    LIST_INIT(&s->cell.all_sets);
    TAILQ_INIT(&s->cell.loose);
    TAILQ_INIT(&s->pending.idle);
    TAILQ_INIT(&s->cell.fresh);
    const struct sched_conf conf = sched_conf_default();
    take_conf(s, &conf);
    policy_begin(s);
    return s;
}

void sched_free(struct sched *s)
{
    if (s == NULL)
        return;
    policy_end(s);
    s->policy = &sched_default;
    prior_book_clear(&s->prior);
    facts_free(&s->facts);
    jobs_free(&s->jobs);
    categories_free(&s->pending);
    ars_free(&s->cell);
    queues_free(&s->cell);
    pes_free(&s->cell);
    quotas_free(&s->cell);
    task_paths_free(&s->cell);
    resources_free(&s->cell);
    urgencies_free(&s->cell.urgencies);
    resource_names_free(&s->cell.names);
    free(s->jobs.sought);
    forecast_free(&s->jobs);
    reserve_free(&s->jobs);
    layout_free(s->finder.layout);
    free(s->jobs.grant.v);
    free(s->pending.gained);
    free(s->pending.sweeping);
    slab_end(&s->jobs.slab);
    free(s);
}

/* ---- events ---- */
static void apply_nothing(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    (void)s, (void)event, (void)ans;
}

static void apply_job(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    (void)ans;
    const struct JB_Type *record = &event->EV_jobs.v[0];
    struct sched_job *job = job_find(&s->jobs, record->JB_job_number);

    if (event->EV_kind == EV_JOB_MOD && (job == NULL || job->is_deleted))
        return;
    job_update(&s->jobs, job != NULL ? job : job_new(&s->jobs, record), record, &event->EV_ids);
}

static void apply_job_del(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    (void)ans;
    struct sched_job *job = job_find(&s->jobs, event->EV_job_number);

    if (job != NULL)
        job_forget(&s->jobs, job);
    prior_forget_job(&s->prior, event->EV_job_number);
    tickets_forget_job(&s->tickets, event->EV_job_number);
    facts_end_job(&s->facts, event->EV_job_number);
}

static void apply_ready(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    (void)ans;
    struct sched_job *job = job_find(&s->jobs, event->EV_job_number);

    if (job == NULL)
        return;
    if (event->EV_kind == EV_TASKS_READY)
        job_ready(&s->jobs, job, &event->EV_ids);
    else
        job_unready(&s->jobs, job, &event->EV_ids);
}

static void apply_started(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    (void)ans;
    struct sched_job *job = job_find(&s->jobs, event->EV_job_number);

    if (job != NULL && !range_set_is_empty(&event->EV_ids))
        job_started(&s->jobs, job, &event->EV_ids, &event->EV_granted,
                    cull_has(event, EV_start_time) ? event->EV_start_time : s->cell.now_s);
}

static void apply_ended(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    (void)ans;
    struct sched_job *job = job_find(&s->jobs, event->EV_job_number);

    if (job != NULL)
        job_ended(&s->jobs, job, &event->EV_ids, &event->EV_granted);
    facts_end_tasks(&s->facts, event->EV_job_number, &event->EV_ids);
}

static void apply_queue(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    (void)ans;
    const struct sched_queue *q = queue_find(&s->cell, event->EV_queues.v[0].QU_full_name);

    if (event->EV_kind == EV_QUEUE_MOD && (q == NULL || !q->is_known))
        return;
    queue_update(&s->cell, &event->EV_queues.v[0]);
}

static void apply_queue_del(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    (void)ans;
    queue_forget(&s->cell, event->EV_queue);
}

/* of the scheduler alone: the others are not our business */
static void apply_conf(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    if (strcmp(event->EV_confs.v[0].CONF_name, CONF_SCHEDULER) != 0)
        return;
    struct sched_conf conf = s->conf;
    sched_conf_read(&conf, &event->EV_confs.v[0], ans);
    facts_set_decays(&s->facts, &event->EV_confs.v[0]);
    if (conf.is_by_seq_no != s->conf.is_by_seq_no)
        queues_sort(&s->cell, conf.is_by_seq_no);
    take_conf(s, &conf);
    owners_limit(&s->cell);
    owners_settle(&s->pending);
}

static void apply_resource(struct sched *s, enum resource_effect effect)
{
    if (effect == RESOURCE_SAME)
        return;
    quotas_renew(&s->cell);
    if (effect != RESOURCE_DECIDES)
        return;
    categories_renew(&s->pending);
    places_renew(&s->cell);
}

static void apply_state(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    (void)ans;
    facts_set_state(&s->facts, event->EV_job_number, &event->EV_ids, event->EV_state);
}

static void apply_usage(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    (void)ans;
    facts_set_usage(&s->facts, event);
}

/* of parallel environments, resources and resource quota sets; which other objects there are is for
 * policies */
static void apply_object(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    (void)ans;
    const struct TX_Type *object = &event->EV_texts.v[0];
    bool is_there = event->EV_kind == EV_OBJECT;
    if (is_there ? urgencies_put(&s->cell.urgencies, object)
                 : urgencies_drop(&s->cell.urgencies, object))
        jobs_set_urgencies(&s->jobs);
    if (object->TX_kind == OBJECT_PE && is_there)
        pe_update(&s->cell, object);
    else if (object->TX_kind == OBJECT_PE)
        pe_forget(&s->cell, object->TX_name);
    else if (object->TX_kind == OBJECT_COMPLEX && is_there)
        apply_resource(s, resource_update(&s->cell, object));
    else if (object->TX_kind == OBJECT_COMPLEX)
        apply_resource(s, resource_forget(&s->cell, object->TX_name));
    else if (object->TX_kind == OBJECT_RQS && is_there)
        quotas_put(&s->cell, object);
    else if (object->TX_kind == OBJECT_RQS)
        quotas_drop(&s->cell, object->TX_name);
    else if (is_there)
        facts_put_object(&s->facts, object);
    else
        facts_drop_object(&s->facts, object);
}

static void apply_host(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    (void)ans;
    if (event->EV_kind == EV_HOST)
        host_update(&s->cell, &event->EV_hosts.v[0]);
    else
        host_forget(&s->cell, event->EV_hosts.v[0].EH_name);
}

static void apply_ar(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    (void)ans;
    if (event->EV_kind == EV_AR)
        ar_update(&s->cell, &event->EV_ars.v[0]);
    else
        ar_forget(&s->cell, event->EV_ars.v[0].AR_id);
}

static void (*const kinds[EV_KINDS])(struct sched *s, const struct EV_Type *event,
                                     struct answer *ans) = {
    [EV_SYNCED] = apply_nothing,
    [EV_JOB_ADD] = apply_job,
    [EV_JOB_MOD] = apply_job,
    [EV_JOB_DEL] = apply_job_del,
    [EV_TASKS_READY] = apply_ready,
    [EV_TASKS_UNREADY] = apply_ready,
    [EV_TASKS_STARTED] = apply_started,
    [EV_TASKS_ENDED] = apply_ended,
    [EV_QUEUE_ADD] = apply_queue,
    [EV_QUEUE_MOD] = apply_queue,
    [EV_QUEUE_DEL] = apply_queue_del,
    [EV_CONF] = apply_conf,
    [EV_TRIGGER] = apply_nothing,
    [EV_TASKS_DONE] = apply_nothing,
    [EV_OBJECT] = apply_object,
    [EV_OBJECT_DEL] = apply_object,
    [EV_HOST] = apply_host,
    [EV_HOST_DEL] = apply_host,
    [EV_TASKS_STATE] = apply_state,
    [EV_USAGE] = apply_nothing,
    [EV_SHARE_USAGE] = apply_usage,
    [EV_AR] = apply_ar,
    [EV_AR_DEL] = apply_ar,
};

/* What frees something, or changes what there is, forgets the future itself where it does
 * (cell_untime), but for these. So a round of reservations outlasts the events that do neither. */
static bool may_change_supplies(const struct EV_Type *event)
{
    static const bool changes[EV_KINDS] = {
        [EV_QUEUE_ADD] = true,  [EV_QUEUE_DEL] = true, [EV_CONF] = true, [EV_OBJECT] = true,
        [EV_OBJECT_DEL] = true, [EV_HOST_DEL] = true,  [EV_AR] = true,   [EV_AR_DEL] = true,
    };
    if (event->EV_kind == EV_QUEUE_MOD)
        return !queue_says_load_alone(&event->EV_queues.v[0]);
    if (event->EV_kind == EV_HOST)
        return cull_has(&event->EV_hosts.v[0], EH_consumable_config_list);
    return changes[event->EV_kind];
}

static int model_apply(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    if (event_check(event, ans) < 0)
        return -1;
    if (kinds[event->EV_kind] == NULL)
        return ans_fail(ans, STATUS_EPROTO, MSG_SCHED_EVENT_S, event_kind_name(event->EV_kind));
    if (!forecast_is_made(&s->jobs) || may_change_supplies(event))
        cell_untime(&s->cell);
    kinds[event->EV_kind](s, event, ans);
    return 0;
}

int sched_apply(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    if (model_apply(s, event, ans) < 0)
        return -1;
    if (s->policy->apply != NULL)
        s->policy->apply(s, s->own, event);
    policy_settle(s);
    return 0;
}

/* ---- runs ---- */
uint32_t sched_run(struct sched *s, uint64_t now_s, uint32_t most, struct OR_Type_list *orders)
{
    s->jobs.is_cut = false;
    uint32_t ordered = s->policy->run != NULL ? s->policy->run(s, s->own, now_s, most, orders)
                                              : sched_default_run(s, now_s, most, orders);
    s->jobs.is_cut |= !needs_are_woken(&s->pending);
    ordered -= immediates_decide(s, orders, ordered, most);
    terms_renew(s);
    orders_set_prior(s, orders);
    s->cell.work.tasks += ordered;
    return ordered;
}

bool sched_prior_order(struct sched *s, uint64_t now_s, struct OR_Type_list *orders)
{
    terms_renew(s);
    return prior_order(&s->prior, now_s, orders);
}

uint64_t sched_prior_due(struct sched *s)
{
    terms_renew(s);
    return prior_order_due(&s->prior);
}

bool sched_reserve_order(struct sched *s, uint64_t now_s, struct OR_Type_list *orders)
{
    return s->policy->reserve != NULL ? s->policy->reserve(s, s->own, orders)
                                      : reserve_order(&s->jobs, now_s, orders);
}

uint64_t sched_reserve_due(const struct sched *s)
{
    return reserve_order_due(&s->jobs);
}

uint32_t sched_decide(struct sched *s, uint64_t now_s, uint32_t most, struct OR_Type_list *orders)
{
    uint32_t ordered = sched_run(s, now_s, most, orders);
    (void)sched_prior_order(s, now_s, orders);
    (void)sched_reserve_order(s, now_s, orders);
    return ordered;
}

void sched_refused(struct sched *s, const struct OR_Type *order)
{
    order_refused(s, order);
}

bool sched_has_work(const struct sched *s)
{
    return s->policy->has_work != NULL
               ? s->policy->has_work(s, s->own)
               : !RB_EMPTY(&s->pending.open) || !RB_EMPTY(&s->pending.roomy) ||
                     owners_have_more(&s->pending) || !needs_are_swept(&s->pending) ||
                     !needs_are_woken(&s->pending) ||
                     (s->policy->run == NULL &&
                      reserve_has_work(&s->jobs, s->conf.reservations_most)) ||
                     !LIST_EMPTY(&s->jobs.undecided);
}

unsigned sched_needs(const struct sched *s)
{
    bool counts_usage = s->policy->rank == NULL && s->conf.tickets.share > 0;
    return s->policy->needs | (s->conf.params.is_monitored ? SCHED_NEEDS_SUSPENSIONS : 0u) |
           (counts_usage ? SCHED_NEEDS_SHARE_USAGE : 0u);
}

void sched_set_slice(struct sched *s, uint64_t looks)
{
    s->jobs.slice_looks = looks;
}

bool sched_is_cut(const struct sched *s)
{
    return s->jobs.is_cut;
}

void sched_show_job(struct sched *s, _Atomic uint32_t *number)
{
    s->jobs.shown_job = number;
}

uint64_t sched_next_due(const struct sched *s)
{
    if (s->policy->next_due != NULL)
        return s->policy->next_due(s, s->own);
    uint64_t start_s = jobs_next_due(&s->jobs);
    uint64_t round_s = s->policy->run == NULL ? reserve_next_due(&s->jobs) : 0;
    return start_s == 0 || (round_s != 0 && round_s < start_s) ? round_s : start_s;
}

const struct sched_conf *sched_conf(const struct sched *s)
{
    return &s->conf;
}

const struct sched_work *sched_work(const struct sched *s)
{
    return &s->cell.work;
}
