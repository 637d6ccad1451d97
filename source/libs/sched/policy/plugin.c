/* What a scheduler in a shared object receives, and what becomes of its decisions.
 *
 * Owns which jobs and queue instances have changed since the last request: their records are made
 * from the model when the request is. A decision is checked twice: when it comes, against what
 * exists; and in the run, where the dispatcher finds the room and books it. What came between a
 * request and its answer excuses a decision that no longer fits; what was never possible is a
 * fault, and ends the plug-in. The qmaster checks every order once more. */
#include "libs/sched/policy/plugin.h"

#include <stdlib.h>
#include <string.h>

#include "libs/plugin/sge_scheduler.h"
#include "libs/plugin/wire.h"
#include "libs/sched/policy/in_force.h"
#include "libs/sched/policy/model.h"
#include "libs/sched/policy/msg_policy.h"
#include "libs/sched/policy/services.h"
#include "libs/sgeobj/event.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"
#include "libs/uti/hash.h"

/* answers in a row that name what has gone meanwhile, before that is a fault */
enum { STALE_ANSWERS_MOST = 10 };

struct changed_job {
    uint32_t number;
    UT_hash_handle hh;
};
struct changed_queue {
    UT_hash_handle hh;
    char name[];
};
struct plugin_book {
    struct changed_job *jobs;
    struct changed_queue *queues;
    bool is_stale; /* something has happened since the last request */
    uint32_t n_stale;
    struct plugin_decided *places; /* of the last answer: tasks to place, N from AT on are left */
    uint32_t n, at;
    bool is_fresh; /* an answer has come that no run has seen */
    struct OR_Type reserved, sent;
    struct dstr fault;
};

/* ---- what has changed ---- */
static void mark_job(struct plugin_book *own, uint32_t number)
{
    struct changed_job *job;
    HASH_FIND_U32(own->jobs, &number, job);
    if (job != NULL)
        return;
    job = uti_calloc(1, sizeof *job);
    job->number = number;
    HASH_ADD_U32(own->jobs, number, job);
}

static void mark_queue(struct plugin_book *own, const char *name)
{
    struct changed_queue *queue;
    if (name == NULL)
        return;
    HASH_FIND_STR(own->queues, name, queue);
    if (queue != NULL)
        return;
    size_t bytes = strlen(name) + 1;
    queue = uti_calloc(1, sizeof *queue + bytes);
    memcpy(queue->name, name, bytes);
    HASH_ADD_KEYPTR(hh, own->queues, queue->name, bytes - 1, queue);
}

static void mark_granted(struct plugin_book *own, const struct JG_Type_list *granted)
{
    for (uint32_t i = 0; i < granted->n; i++)
        mark_queue(own, granted->v[i].JG_qname);
}

static void plugin_apply(struct sched *s, void *ctx, const struct EV_Type *event)
{
    struct plugin_book *own = ctx;
    (void)s;
    own->is_stale = true;
    if (event->EV_jobs.n > 0)
        mark_job(own, event->EV_jobs.v[0].JB_job_number);
    else if (cull_has(event, EV_job_number))
        mark_job(own, event->EV_job_number);
    if (event->EV_queues.n > 0)
        mark_queue(own, event->EV_queues.v[0].QU_full_name);
    if (event->EV_kind == EV_QUEUE_DEL)
        mark_queue(own, event->EV_queue);
    mark_granted(own, &event->EV_granted);
}

/* ---- requests ---- */
static void pack_job(const struct sched_job *job, struct packer *out)
{
    const struct job_group *group = job->group;
    const struct need *need = group->category->need;
    const struct plugin_job record = { .number = job->number,
                                       .slots = demand_slots(need->key.demand),
                                       .ja_first = job->ja_first,
                                       .ja_step = job->ja_step,
                                       .priority = (int32_t)job->priority - JOB_PRIORITY_BASE,
                                       .is_parallel = need->key.parallel != NULL,
                                       .reserves = group->category->wants_reservation,
                                       .submitted_s = job->submitted_s,
                                       .start_at_s = job->start_at_s,
                                       .run_s = group->category->run_s,
                                       .n_taken = job->n_taken,
                                       .owner = (char *)group->owner,
                                       .project = (char *)group->project,
                                       .department = (char *)group->department,
                                       .ready = job->ready };
    pack_u8(out, PLUGIN_JOB);
    plugin_job_pack(out, &record);
}

static uint64_t slots_left(const struct sched_queue *q)
{
    uint64_t here = supply_left(&q->supply, RESOURCE_SLOTS, TIME_NOW),
             host =
                 q->host != NULL ? supply_left(&q->host->supply, RESOURCE_SLOTS, TIME_NOW) : here;
    return smaller_u64(here, host);
}

static void pack_queue(const struct sched_queue *q, struct packer *out)
{
    uint64_t left = supply_left(&q->supply, RESOURCE_SLOTS, TIME_NOW);
    const struct plugin_queue record = { .name = q->name,
                                         .host = q->host != NULL ? q->host->name : NULL,
                                         .slots = left + supply_booked(&q->supply, RESOURCE_SLOTS),
                                         .free = slots_left(q),
                                         .seq_no = q->seq_no,
                                         .is_open = queue_may_take_tasks(q),
                                         .load = q->load };
    pack_u8(out, PLUGIN_QUEUE);
    plugin_queue_pack(out, &record);
}

static void tell_queue(struct sched *s, const char *name, struct packer *out)
{
    const struct sched_queue *q = queue_find(&s->cell, name);
    if (q != NULL && q->is_known) {
        pack_queue(q, out);
        return;
    }
    pack_u8(out, PLUGIN_QUEUE_GONE);
    pack_string(out, name);
}

static void tell_job(struct sched *s, uint32_t number, struct packer *out)
{
    const struct sched_job *job = job_find(&s->jobs, number);
    if (job != NULL && !job->is_deleted) {
        pack_job(job, out);
        return;
    }
    pack_u8(out, PLUGIN_JOB_GONE);
    pack_varint(out, number);
}

/* queue instances first, so that a job finds them */
static void tell_changes(struct sched *s, struct plugin_book *own, struct packer *out)
{
    uint32_t n = 0;
    for (; own->queues != NULL && n < PLUGIN_CHANGES_MOST; n++) {
        struct changed_queue *queue = own->queues;
        tell_queue(s, queue->name, out);
        HASH_DEL(own->queues, queue);
        free(queue);
    }
    for (; own->jobs != NULL && n < PLUGIN_CHANGES_MOST; n++) {
        struct changed_job *job = own->jobs;
        tell_job(s, job->number, out);
        HASH_DEL(own->jobs, job);
        free(job);
    }
}

bool sched_plugin_request(struct sched *s, uint64_t now_s, uint32_t most, struct packer *out)
{
    struct plugin_book *own = s->own;
    bool is_last = HASH_COUNT(own->queues) + HASH_COUNT(own->jobs) <= PLUGIN_CHANGES_MOST;
    pack_varint(out, now_s);
    pack_varint(out, most);
    pack_u8(out, is_last ? PLUGIN_RUN : PLUGIN_MORE);
    tell_changes(s, own, out);
    pack_u8(out, PLUGIN_END);
    own->is_stale = false;
    return is_last;
}

/* ---- answers ---- */
static void forget_places(struct plugin_book *own)
{
    for (uint32_t i = 0; i < own->n; i++)
        plugin_decided_clear(&own->places[i]);
    free(own->places);
    own->places = NULL;
    own->n = own->at = 0;
}

/* printable, whatever the plug-in says */
static void tell_log(const char *text, struct answer *ans)
{
    struct dstr valid = DSTR_INIT;
    utf8_add_valid(&valid, text);
    for (size_t i = 0; i < valid.len; i++)
        if ((unsigned char)valid.s[i] < ' ' || valid.s[i] == 0x7f)
            valid.s[i] = '?';
    ans_add(ans, STATUS_OK, ANSWER_QUALITY_INFO, MSG_PLUGIN_SAYS_S, dstr_get(&valid));
    dstr_free(&valid);
}

/* 1: it is good, 0: it was, before what has happened since; -1: a fault */
static int check_one(struct sched *s, const struct plugin_book *own,
                     const struct plugin_decided *one, struct answer *ans)
{
    const struct sched_job *job = job_find(&s->jobs, one->job);
    bool names_queue = one->text[0] != '\0';
    if (one->kind == PLUGIN_LOG)
        return 1;
    if (job == NULL || job->is_deleted)
        return own->is_stale ? 0 : ans_fail(ans, STATUS_ESEMANTIC, MSG_PLUGIN_NO_JOB_U, one->job);
    if (names_queue && queue_find(&s->cell, one->text) == NULL)
        return own->is_stale ? 0
                             : ans_fail(ans, STATUS_ESEMANTIC, MSG_PLUGIN_NO_QUEUE_S, one->text);
    uint64_t pending = range_set_count(&job->ready);
    if (one->kind == PLUGIN_PLACE && (one->tasks == 0 || one->tasks > pending))
        return own->is_stale && one->tasks > 0
                   ? 1
                   : ans_fail(ans, STATUS_ESEMANTIC, MSG_PLUGIN_TASKS_UUL, one->tasks, one->job,
                              (unsigned long long)pending);
    return 1;
}

/* the decisions of U that are good into OUT, which has room for all; -1: a fault */
static int read_all(struct sched *s, struct unpacker *u, struct plugin_decided *out, uint32_t *n,
                    struct answer *ans)
{
    struct plugin_book *own = s->own;
    uint32_t read = 0, stale = 0;
    for (;;) {
        struct plugin_decided one;
        plugin_decided_unpack(u, &one);
        if (u->is_bad || (one.kind == PLUGIN_DONE && unpack_left(u) > 0))
            return ans_fail(ans, STATUS_EPROTO, MSG_PLUGIN_MALFORMED);
        if (one.kind == PLUGIN_DONE)
            break;
        int is_good = read++ < PLUGIN_DECISIONS_MOST
                          ? check_one(s, own, &one, ans)
                          : ans_fail(ans, STATUS_ESEMANTIC, MSG_PLUGIN_MANY_U,
                                     (unsigned)PLUGIN_DECISIONS_MOST);
        if (is_good == 1)
            out[(*n)++] = one;
        else
            plugin_decided_clear(&one);
        if (is_good < 0)
            return -1;
        stale += is_good == 0;
    }
    own->n_stale = stale > 0 ? own->n_stale + 1 : 0;
    return own->n_stale <= STALE_ANSWERS_MOST
               ? 0
               : ans_fail(ans, STATUS_ESEMANTIC, MSG_PLUGIN_STALE_U, (unsigned)STALE_ANSWERS_MOST);
}

static void announce_one(struct plugin_book *own, const struct plugin_decided *one)
{
    if (own->reserved.OR_reserved.n >= RESERVATIONS_MOST)
        return;
    struct RV_Type *entry = cull_append(&own->reserved, OR_reserved);
    cull_set(entry, RV_job_number, one->job);
    cull_set(entry, RV_start_time, one->start_s);
    if (one->duration_s > 0)
        cull_set(entry, RV_duration, one->duration_s);
    cull_set(entry, RV_places, 1u);
    struct JG_Type *place = cull_append(entry, RV_granted);
    cull_set(place, JG_qname, one->text);
    cull_set(place, JG_slots, 1u);
}

/* the first task of the job that may start is the one that is expected */
static void take_reserve(struct sched *s, struct plugin_book *own, const struct plugin_decided *one)
{
    const struct sched_job *job = job_find(&s->jobs, one->job);
    uint32_t first;
    if (one->text[0] == '\0' || !range_set_min(&job->ready, &first))
        return;
    uint32_t before = own->reserved.OR_reserved.n;
    announce_one(own, one);
    if (own->reserved.OR_reserved.n > before)
        cull_set(&own->reserved.OR_reserved.v[before], RV_ordinal, first);
}

static void take_one(struct sched *s, struct plugin_book *own, struct plugin_decided *one,
                     struct answer *ans)
{
    if (one->kind == PLUGIN_RANK)
        (void)sched_rank_job(s, one->job, one->rank);
    if (one->kind == PLUGIN_LOG)
        tell_log(one->text, ans);
    if (one->kind == PLUGIN_RESERVE)
        take_reserve(s, own, one);
    if (one->kind == PLUGIN_PLACE)
        own->places[own->n++] = *one;
    else
        plugin_decided_clear(one);
}

int sched_plugin_take(struct sched *s, struct unpacker *u, struct answer *ans)
{
    struct plugin_book *own = s->own;
    size_t most = smaller_u64(unpack_left(u), PLUGIN_DECISIONS_MOST) + 1;
    struct plugin_decided *all = uti_calloc(most, sizeof *all);
    uint32_t n = 0;
    forget_places(own);
    cull_clear(&cull_OR_Type, &own->reserved);
    cull_set(&own->reserved, OR_kind, (uint32_t)ORDER_RESERVE);
    int rc = read_all(s, u, all, &n, ans);
    if (rc == 0)
        own->places = uti_calloc(n + 1, sizeof *own->places);
    for (uint32_t i = 0; i < n; i++)
        if (rc == 0)
            take_one(s, own, &all[i], ans);
        else
            plugin_decided_clear(&all[i]);
    free(all);
    own->is_fresh = rc == 0;
    return rc;
}

/* ---- runs ---- */
static void mark_orders(struct plugin_book *own, const struct OR_Type_list *orders, uint32_t from)
{
    for (uint32_t i = from; i < orders->n; i++) {
        mark_job(own, orders->v[i].OR_job_number);
        mark_granted(own, &orders->v[i].OR_granted);
    }
}

/* what can be of ONE; less than it says when the rest does not fit */
static uint32_t place_one(struct sched *s, struct plugin_book *own,
                          const struct plugin_decided *one, uint32_t most,
                          struct OR_Type_list *orders)
{
    struct sched_job *job = job_find(&s->jobs, one->job);
    const struct sched_queue *in = one->text[0] != '\0' ? queue_find(&s->cell, one->text) : NULL;
    uint32_t ordered = 0, n = 1, wanted = one->tasks < most ? one->tasks : most;
    if (one->text[0] != '\0' && in == NULL)
        return 0;
    while (n > 0 && ordered < wanted && job != NULL && job->place == JOB_READY &&
           owner_room(job->group->of) > 0) {
        if (in != NULL && job->group->category->need->key.parallel != NULL)
            break;
        n = in == NULL ? dispatch_job(&s->jobs, job, wanted - ordered, orders)
                       : dispatch_job_in(&s->jobs, job, in, wanted - ordered, orders);
        ordered += n;
    }
    if (ordered > 0)
        mark_job(own, one->job);
    return ordered;
}

/* a queue instance that had no slot left when the plug-in was asked, and nothing has happened */
static void find_fault(struct sched *s, struct plugin_book *own, const struct plugin_decided *one)
{
    const struct sched_queue *q = queue_find(&s->cell, one->text);
    if (own->is_stale || q == NULL || own->fault.len > 0 ||
        (slots_left(q) > 0 && queue_may_take_tasks(q)))
        return;
    dstr_addf(&own->fault, MSG_PLUGIN_OCCUPIED_US, one->job, one->text);
}

static uint32_t plugin_run(struct sched *s, void *ctx, uint64_t now_s, uint32_t most,
                           struct OR_Type_list *orders)
{
    struct plugin_book *own = ctx;
    uint32_t ordered = 0;
    sched_begin_run(s, now_s);
    own->is_fresh = false;
    for (; own->at < own->n && ordered < most && own->fault.len == 0; own->at++) {
        struct plugin_decided *one = &own->places[own->at];
        uint32_t before = orders->n, n = place_one(s, own, one, most - ordered, orders);
        mark_orders(own, orders, before);
        if (n > 0 && one->text[0] != '\0')
            mark_queue(own, one->text);
        ordered += n;
        if (n < one->tasks && ordered < most && one->text[0] != '\0')
            find_fault(s, own, one);
        if (ordered == most && n < one->tasks) { /* the next run goes on with the rest */
            one->tasks -= n;
            break;
        }
    }
    s->jobs.is_cut |= own->at < own->n && own->fault.len == 0;
    return ordered;
}

static void plugin_refused(struct sched *s, void *ctx, const struct OR_Type *order)
{
    struct plugin_book *own = ctx;
    (void)s;
    mark_job(own, order->OR_job_number);
    mark_granted(own, &order->OR_granted);
}

static bool plugin_has_work(const struct sched *s, const void *ctx)
{
    const struct plugin_book *own = ctx;
    return own->jobs != NULL || own->queues != NULL || own->is_fresh || own->at < own->n ||
           !LIST_EMPTY(&s->jobs.undecided);
}

static bool plugin_reserve(struct sched *s, void *ctx, struct OR_Type_list *orders)
{
    struct plugin_book *own = ctx;
    (void)s;
    if (cull_equal(&cull_OR_Type, &own->reserved, &own->sent))
        return false;
    cull_clear(&cull_OR_Type, &own->sent);
    cull_copy(&cull_OR_Type, &own->sent, &own->reserved);
    cull_copy(&cull_OR_Type, cull_push(orders), &own->reserved);
    return true;
}

/* ---- life ---- */
static void *plugin_new(struct sched *s)
{
    struct plugin_book *own = uti_calloc(1, sizeof *own);
    cull_set(&own->reserved, OR_kind, (uint32_t)ORDER_RESERVE);
    cull_set(&own->sent, OR_kind, (uint32_t)ORDER_RESERVE);
    for (const struct sched_queue *q = s->cell.queues; q != NULL; q = q->hh.next)
        if (q->is_known && q->ar == 0)
            mark_queue(own, q->name);
    const struct sched_job *job = number_map_at_or_after(&s->jobs.by_number, 0);
    for (; job != NULL; job = number_map_at_or_after(&s->jobs.by_number, (uint64_t)job->number + 1))
        if (!job->is_deleted)
            mark_job(own, job->number);
    return own;
}

static void plugin_free(void *ctx)
{
    struct plugin_book *own = ctx;
    struct changed_job *job, *next_job;
    struct changed_queue *queue, *next_queue;
    HASH_ITER(hh, own->jobs, job, next_job) {
        HASH_DEL(own->jobs, job);
        free(job);
    }
    HASH_ITER(hh, own->queues, queue, next_queue) {
        HASH_DEL(own->queues, queue);
        free(queue);
    }
    forget_places(own);
    cull_clear(&cull_OR_Type, &own->reserved);
    cull_clear(&cull_OR_Type, &own->sent);
    dstr_free(&own->fault);
    free(own);
}

static const struct sched_policy ranks = {
    .name = "plug-in",
    .new = plugin_new,
    .free = plugin_free,
    .apply = plugin_apply,
    .refused = plugin_refused,
};
static const struct sched_policy places = {
    .name = "plug-in",
    .new = plugin_new,
    .free = plugin_free,
    .apply = plugin_apply,
    .refused = plugin_refused,
    .run = plugin_run,
    .has_work = plugin_has_work,
    .reserve = plugin_reserve,
};

const char *sched_plugin_name(const struct sched *s)
{
    return s->conf.policy == &sched_plugin ? s->conf.plugin : NULL;
}

bool sched_plugin_is_on(const struct sched *s)
{
    return s->policy != NULL && s->policy == s->plugin;
}

void sched_plugin_begin(struct sched *s, unsigned does)
{
    s->plugin = (does & SGE_SCHEDULER_PLACES) != 0 ? &places : &ranks;
    policy_settle(s);
}

void sched_plugin_end(struct sched *s)
{
    s->plugin = NULL;
    policy_settle(s);
}

const char *sched_plugin_fault(const struct sched *s)
{
    const struct plugin_book *own = s->own;
    return sched_plugin_is_on(s) && own->fault.len > 0 ? dstr_get(&own->fault) : NULL;
}

bool sched_plugin_is_behind(const struct sched *s)
{
    const struct plugin_book *own = s->own;
    return sched_plugin_is_on(s) && (own->jobs != NULL || own->queues != NULL);
}
