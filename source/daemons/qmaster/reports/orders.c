/* Orders of the scheduler. Every order is answered by events as well (event.h): started, ready
 * again, or undone. What is refused is answered in sets, and no order is longer than
 * ORDER_TASKS_MOST, so that a scheduler gone wrong cannot hold the core. */
#include "daemons/qmaster/reports/reports.h"

#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/config/subordinates.h"
#include "daemons/qmaster/config/users.h"
#include "daemons/qmaster/jobs/ar_books.h"
#include "daemons/qmaster/jobs/bookings.h"
#include "daemons/qmaster/jobs/immediate.h"
#include "daemons/qmaster/jobs/slots.h"
#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/reports/msg_reports.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/tables/user_sets.h"
#include "libs/config/access.h"
#include "libs/sched/policy/prior.h"
#include "libs/sched/supply/spread.h"
#include "libs/sgeobj/allocation.h"
#include "libs/sgeobj/event.h"
#include "libs/sgeobj/pe_match.h"
#include "libs/sgeobj/queue_match.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/log.h"
#include "libs/uti/pattern.h"

/* ---- parallel jobs ---- */
/* What an order for a parallel job must satisfy besides what every order must: number of slots,
 * allocation rule, queue instances that offer the environment, the master's place. Pure. */
static int compare_hosts(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t)((const struct place *)a)->qi->host;
    uintptr_t y = (uintptr_t)((const struct place *)b)->qi->host;
    return x < y ? -1 : x > y;
}

/* has each host as many slots as the rule says? With $pe_slots: all of them */
static bool hosts_have(const struct places *places, uint64_t each)
{
    struct place *by_host = uti_alloc(places->n * sizeof *by_host);
    uint64_t here = 0;
    bool is_right = true;
    memcpy(by_host, places->v, places->n * sizeof *by_host);
    qsort(by_host, places->n, sizeof *by_host, compare_hosts);
    for (uint32_t i = 0; i < places->n && is_right; i++) {
        bool is_last = i + 1 == places->n || by_host[i + 1].qi->host != by_host[i].qi->host;
        here += by_host[i].slots;
        is_right = !is_last || here == each;
        here = is_last ? 0 : here;
    }
    free(by_host);
    return is_right;
}

static bool keeps_rule(const struct places *places, const struct PE_Type *pe, uint32_t slots)
{
    struct spread_rule rule = spread_rule_read(pe->PE_allocation_rule);
    if (rule.kind == SPREAD_ON_ONE)
        return hosts_have(places, slots);
    return rule.kind != SPREAD_EACH || hosts_have(places, rule.each);
}

static bool all_offer(const struct places *places)
{
    for (uint32_t i = 0; i < places->n; i++)
        if (!pe_list_has(places->v[i].qi->rec.QU_pe_list, places->pe->rec.TX_name))
            return false;
    return true;
}

/* why no task of the job REQUEST may have the slots of PLACES, which are those of GRANTED, in its
 * parallel environment, or without one; NULL if it may. O(places log places) */
static const char *pe_order_refusal(const struct JG_Type_list *granted, const struct places *places,
                                    const struct JB_Type *request)
{
    const char *name = allocation_pe(granted);
    const struct QU_Type *master = &places->v[0].qi->rec;
    uint32_t slots = allocation_slots(granted);
    if (request->JB_pe == NULL)
        return slots != 1 || name != NULL ? MSG_ORDER_ONE_SLOT : NULL;
    if (name == NULL)
        return MSG_ORDER_NO_PE;
    if (places->pe == NULL)
        return MSG_ORDER_PE_GONE;
    if (!pattern_match(request->JB_pe, name))
        return MSG_ORDER_PE_NOT_ASKED;
    if (!range_set_has(&request->JB_pe_range, slots))
        return MSG_ORDER_PE_SLOTS;
    if (!all_offer(places))
        return MSG_ORDER_PE_NOT_OFFERED;
    if (!keeps_rule(places, places->pe->record, slots))
        return MSG_ORDER_PE_RULE;
    return queue_match_any(&request->JB_master_hard_queue_list, master->QU_full_name,
                           &master->QU_hostgroups)
               ? NULL
               : MSG_ORDER_MASTER;
}

/* ---- every order ---- */
/* the queue instances of GRANTED; new: free v. False if one of them is not there, or there is
 * none */
static bool find_places(struct qmaster *q, const struct JG_Type_list *granted, struct places *out)
{
    const char *pe = allocation_pe(granted);
    *out =
        (struct places){ .v = uti_calloc((size_t)granted->n + 1, sizeof *out->v), .n = granted->n };
    if (pe != NULL)
        out->pe = settings_text(&q->settings, GDI_PE, pe);
    for (uint32_t i = 0; i < granted->n; i++) {
        struct qinstance *qi = queues_instance(&q->queues, granted->v[i].JG_qname);
        if (qi == NULL)
            return false;
        out->v[i] = (struct place){ .qi = qi, .slots = granted->v[i].JG_slots };
    }
    return granted->n > 0;
}

/* why no task of JOB may have slots in PLACE at all; NULL if it may */
static const char *place_refusal(struct qmaster *q, const struct place *place,
                                 const struct job *job)
{
    const struct QU_Type *queue = &place->qi->rec;
    struct set_user owner = { job->rec.JB_owner, job->rec.JB_group, job->rec.JB_uid };
    const char *sets = user_sets_of(&q->settings, &owner);
    if (!qinstance_may_start(place->qi))
        return MSG_ORDER_QUEUE_CLOSED;
    if (queue->QU_access.n > 0 && membership_awaits(q, owner.uid, owner.user))
        return MSG_ORDER_GROUPS_OPEN;
    if (access_ask(&queue->QU_access, sets, job->rec.JB_project) != ACCESS_GRANTED)
        return MSG_ORDER_NO_ACCESS;
    if (!queue_match_any(&job->rec.JB_hard_queue_list, queue->QU_full_name, &queue->QU_hostgroups))
        return MSG_ORDER_QUEUE_NOT_ASKED;
    if (job->rec.JB_checkpoint_name != NULL &&
        !pe_list_has(queue->QU_ckpt_list, job->rec.JB_checkpoint_name))
        return MSG_ORDER_CKPT_NOT_OFFERED;
    if (bookings_missing(q, place, job))
        return MSG_ORDER_NO_RESOURCE;
    return place->slots == 0 ? MSG_ORDER_NO_SLOTS : NULL;
}

static const char *pe_refusal(struct qmaster *q, const struct PE_Type *pe, const struct job *job)
{
    struct set_user owner = { job->rec.JB_owner, job->rec.JB_group, job->rec.JB_uid };
    bool has_lists = pe->PE_user_list.n + pe->PE_xuser_list.n > 0;
    if (has_lists && membership_awaits(q, owner.uid, owner.user))
        return MSG_ORDER_GROUPS_OPEN;
    const char *sets = user_sets_of(&q->settings, &owner);
    return access_admits(&pe->PE_user_list, &pe->PE_xuser_list, sets) ? NULL : MSG_ORDER_NO_ACCESS;
}

/* the same of all places together */
static const char *places_refusal(struct qmaster *q, const struct OR_Type *order,
                                  const struct places *places, const struct job *job)
{
    const char *no = NULL;
    for (uint32_t i = 0; i < places->n && no == NULL; i++)
        no = place_refusal(q, &places->v[i], job);
    if (no != NULL)
        return no;
    if (!allocation_is_whole(&order->OR_granted))
        return MSG_ORDER_QUEUE_TWICE;
    const struct PE_Type *pe = places->pe != NULL ? places->pe->record : NULL;
    no = pe != NULL ? pe_refusal(q, pe, job) : NULL;
    if (no != NULL)
        return no;
    return pe_order_refusal(&order->OR_granted, places, &job->rec);
}

/* are all PLACES those of the advance reservation of JOB, which has begun and is not
 * blocked? True: it has none */
static bool is_in_its_reservation(struct qmaster *q, const struct job *job,
                                  const struct places *places)
{
    if (job->rec.JB_ar == 0)
        return true;
    struct ar *ar = ars_find(&q->ars, job->rec.JB_ar);
    bool is_in = ar != NULL && ar->rec.AR_state == AR_RUNNING && !ar->rec.AR_is_blocked;
    for (uint32_t i = 0; i < places->n && is_in; i++)
        is_in = ar_place_of(ar, places->v[i].qi) != NULL;
    return is_in;
}

/* has its parallel environment enough slots that are not reserved, for as long as a task runs? */
static bool pe_leaves_room(struct qmaster *q, const struct job *job, const struct places *places,
                           uint64_t slots)
{
    struct time_span span;
    if (places->pe == NULL || q->ars.n == 0 || job->rec.JB_ar != 0)
        return true;
    span = ars_run_span(q, places->v[0].qi, &job->rec);
    return ars_room_in_pe(q, places->pe, slots, span) >= slots;
}

/* why no task of the order can start; NULL if it can. On success PLACES are those of the order;
 * new: free v, whatever is returned */
static const char *order_refusal(struct qmaster *q, const struct OR_Type *order,
                                 const struct job *job, struct places *places)
{
    if (order->OR_kind != ORDER_START)
        return MSG_ORDER_KIND;
    if (job == NULL)
        return MSG_ORDER_NO_JOB;
    if (!find_places(q, &order->OR_granted, places))
        return MSG_ORDER_NO_QUEUE;
    if (job->rec.JB_execution_time > q->now_s)
        return MSG_ORDER_TOO_EARLY;
    if (!is_in_its_reservation(q, job, places))
        return MSG_ORDER_RESERVED;
    const char *no = places_refusal(q, order, places, job);
    if (no != NULL)
        return no;
    return range_set_count(&order->OR_ids) * places->n > ORDER_TASKS_MOST ? MSG_ORDER_TOO_LONG
                                                                          : NULL;
}

/* what is LACKING of the path of a task, as a reason */
static const char *shortage_reason(const struct shortage *lacking)
{
    switch (lacking->supply->kind) {
    case SUPPLY_CONCURRENCY:
        return MSG_ORDER_CONCURRENCY;
    case SUPPLY_OWNER:
        return MSG_ORDER_MAXUJOBS;
    case SUPPLY_PE:
        return MSG_ORDER_PE_TAKEN;
    case SUPPLY_QUEUE:
        return lacking->resource == RESOURCE_SLOTS ? MSG_ORDER_SLOTS_TAKEN
                                                   : MSG_ORDER_RESOURCE_TAKEN;
    case SUPPLY_QUOTA:
        return MSG_ORDER_QUOTA;
    case SUPPLY_RESERVATION:
        return MSG_ORDER_RESERVED;
    case SUPPLY_HOST:
    case SUPPLY_CELL:
        break;
    }
    return MSG_ORDER_RESOURCE_TAKEN;
}

static uint64_t slots_of(const struct places *places)
{
    uint64_t slots = 0;
    for (uint32_t i = 0; i < places->n; i++)
        slots += places->v[i].slots;
    return slots;
}

static const char *task_refusal(struct qmaster *q, struct job *job, uint32_t ordinal,
                                struct places *places)
{
    struct demand_part slots = { RESOURCE_SLOTS, slots_of(places) };
    const struct demand d = { .n = 1, .parts = &slots };
    struct task_limits limits;
    struct shortage lacking;
    if (!job_is_startable(job, ordinal))
        return MSG_ORDER_NOT_STARTABLE;
    if (!pe_leaves_room(q, job, places, slots.amount))
        return MSG_ORDER_RESERVED;
    task_limits_of(q, job, places->pe, &limits);
    bool has_room =
        !path_explain(limits.path, &d, TIME_NOW, &lacking) && bookings_fit(q, places, &lacking);
    return has_room ? NULL : shortage_reason(&lacking);
}

/* those of IDS that run are reported as running, and leave IDS */
static void tell_running(struct qmaster *q, struct job *job, struct range_set *ids)
{
    uint32_t first, last;
    if (!range_set_min(ids, &first) || !range_set_max(ids, &last))
        return;
    for (struct task *t = job_task_first(job, first); t != NULL && t->ordinal <= last;
         t = job_task_next(t)) {
        if (!task_holds_slots(t) || !range_set_has(ids, t->ordinal))
            continue;
        events_task_started(q, t);
        range_set_remove(ids, t->ordinal, t->ordinal);
    }
}

/* the scheduler has booked tasks that do not start: say how it really is. JOB may be NULL */
static void undo_order(struct qmaster *q, const struct OR_Type *order, struct job *job,
                       const struct range_set *ids)
{
    struct range_set left = { 0 }, ready = { 0 };
    range_set_copy(&left, ids);
    if (job != NULL) {
        tell_running(q, job, &left);
        job_startable(job, &left, &ready);
        range_set_subtract(&left, &ready);
    }
    if (!range_set_is_empty(&ready))
        events_tasks_ready(q, job, &ready);
    if (!range_set_is_empty(&left))
        events_order_undone(q, order->OR_job_number, &left, &order->OR_granted);
    range_set_free(&ready);
    range_set_free(&left);
}

static void refuse_order(struct qmaster *q, struct EP_Type *ack, const struct OR_Type *order,
                         struct job *job, const struct range_set *ids, const char *why)
{
    if (range_set_is_empty(ids))
        return;
    undo_order(q, order, job, ids);
    struct OR_Type *no = cull_append(ack, EP_orders);
    cull_set(no, OR_kind, order->OR_kind);
    cull_set(no, OR_job_number, order->OR_job_number);
    cull_set(no, OR_reason, why);
    cull_copy_field(&cull_OR_Type, no, order, OR_granted);
    range_set_unite(cull_ranges(no, OR_ids), ids);
}

/* the tasks of this order that have started may have closed the queues of PLACES for the others;
 * NULL: they have not */
static const char *closed_meanwhile(struct qmaster *q, const struct places *places)
{
    if (TAILQ_EMPTY(&q->hosts.unbalanced))
        return NULL;
    subordinates_step(q);
    for (uint32_t i = 0; i < places->n; i++)
        if (!qinstance_may_start(places->v[i].qi))
            return MSG_ORDER_QUEUE_CLOSED;
    return NULL;
}

/* start those tasks that can; the others are refused, those with the same reason and nothing
 * started in between as one */
static void start_tasks(struct qmaster *q, const struct OR_Type *order, struct job *job,
                        struct places *places, struct EP_Type *ack)
{
    struct range_set refused = { 0 };
    const char *why = NULL, *closed = NULL;
    struct range run;
    for (uint64_t at = 0; range_set_next_run(&order->OR_ids, at, &run); at = (uint64_t)run.last + 1)
        for (uint32_t i = run.first; i <= run.last; i++) {
            closed = closed != NULL ? closed : closed_meanwhile(q, places);
            const char *no = closed != NULL ? closed : task_refusal(q, job, i, places);
            if (no != why) {
                refuse_order(q, ack, order, job, &refused, why);
                range_set_free(&refused);
                why = no;
            }
            if (no == NULL)
                task_start(q, job, i, places, order->OR_prio);
            else
                range_set_add(&refused, i, i);
        }
    refuse_order(q, ack, order, job, &refused, why);
    range_set_free(&refused);
}

/* the scheduler says so again while it is so */
static void show_as_last(struct qmaster *q, const char *name)
{
    enum { SHOWN_S = 60 };
    struct owner *owner = name != NULL ? jobs_owner(&q->jobs, name) : NULL;
    if (owner != NULL)
        owner->last_until_s = q->now_s + SHOWN_S;
}

/* A job may have gone meanwhile: what was granted to it goes, too. */
static void take_prior(struct qmaster *q, const struct OR_Type *order)
{
    struct answer ans = ANSWER_INIT;
    struct prior_book *book = events_prior(q);
    (void)prior_take(book, order, &ans);
    for (uint32_t i = 0; i < order->OR_granted_by_policy.n; i++) {
        uint32_t number = order->OR_granted_by_policy.v[i].PG_job_number;
        if (number != 0 && jobs_find(&q->jobs, number) == NULL)
            prior_forget_job(book, number);
    }
    if (order->OR_begins)
        cull_list_clear(&cull_RV_Type, events_reserved(q));
    log_answer(&ans);
    ans_free(&ans);
}

static int reservation_order(const void *a, const void *b)
{
    const struct RV_Type *x = a, *y = b;
    if (x->RV_job_number != y->RV_job_number)
        return x->RV_job_number < y->RV_job_number ? -1 : 1;
    return x->RV_ordinal < y->RV_ordinal ? -1 : x->RV_ordinal > y->RV_ordinal;
}

/* what is beyond the limits is not shown */
static void take_reserved(struct qmaster *q, const struct OR_Type *order)
{
    struct RV_Type_list *all = events_reserved(q);
    cull_list_clear(&cull_RV_Type, all);
    for (uint32_t i = 0; i < order->OR_reserved.n && i < RESERVATIONS_MOST; i++)
        if (order->OR_reserved.v[i].RV_granted.n <= RESERVED_PLACES_MOST)
            cull_copy(&cull_RV_Type, cull_push(all), &order->OR_reserved.v[i]);
    if (all->n > 0)
        qsort(all->v, all->n, sizeof *all->v, reservation_order);
}

static void carry_out(struct qmaster *q, const struct OR_Type *order, struct EP_Type *ack)
{
    struct job *job = jobs_find(&q->jobs, order->OR_job_number);
    struct places places = { 0 };
    if (order->OR_kind == ORDER_REMOVE) {
        if (job != NULL && job->rec.JB_is_immediate)
            (void)immediate_remove(q, job);
        return;
    }
    if (order->OR_kind == ORDER_LAST) {
        show_as_last(q, order->OR_owner);
        return;
    }
    if (order->OR_kind == ORDER_PRIOR) {
        take_prior(q, order);
        return;
    }
    if (order->OR_kind == ORDER_RESERVE) {
        take_reserved(q, order);
        return;
    }
    subordinates_step(q); /* what has started in this package may have closed queues */
    const char *no = order_refusal(q, order, job, &places);
    if (no != NULL)
        refuse_order(q, ack, order, job, &order->OR_ids, no);
    else {
        bookings_plan(q, &places, job);
        start_tasks(q, order, job, &places, ack);
        immediate_started(q, job);
    }
    places_clear(&places);
}

void orders_handle(struct qmaster *q, struct connection *s, struct frame *f)
{
    struct EP_Type package = { 0 }, ack = { 0 };
    struct answer ans = ANSWER_INIT;
    if (!events_is_scheduler(q, s->conn))
        return;
    if (connection_unpack(q, s, f, &cull_EP_Type, &package, &ans) == 0) {
        for (uint32_t i = 0; i < package.EP_orders.n; i++)
            carry_out(q, &package.EP_orders.v[i], &ack);
        cull_set(&ack, EP_number, package.EP_number);
        struct packer p = { 0 };
        cull_pack(&p, &cull_EP_Type, &ack, NULL);
        change_send(q, 0, s->conn, GDI_FRAME_ORDERS_ACK, f->serial, p.data, p.len);
    }
    log_answer(&ans);
    ans_free(&ans);
    cull_clear(&cull_EP_Type, &ack);
    cull_clear(&cull_EP_Type, &package);
}
