/* Reads the state, changes nothing. The texts are the scheduler's (libs/sched/msg_sched.h), and so
 * are the questions. */
#include "daemons/qmaster/requests/explain/reasons.h"

#include <stdarg.h>

#include "daemons/qmaster/jobs/bookings.h"
#include "daemons/qmaster/sched/events.h"
#include "libs/sched/msg_sched.h"
#include "libs/sgeobj/allocation.h"
#include "libs/uti/dstr.h"
#include "libs/uti/time.h"

static void add_reason(struct ST_Type_list *out, const char *format, ...) SGE_PRINTF(2, 3);
static void add_reason(struct ST_Type_list *out, const char *format, ...)
{
    struct dstr text = DSTR_INIT;
    va_list args;
    va_start(args, format);
    dstr_addv(&text, format, args);
    va_end(args);
    cull_set((struct ST_Type *)cull_push(out), ST_name, dstr_get(&text));
    dstr_free(&text);
}

static void take_found(const struct place_search *s, struct ST_Type_list *out)
{
    for (uint32_t i = 0; i < s->found.n; i++)
        cull_set((struct ST_Type *)cull_push(out), ST_name, s->found.v[i].ST_name);
}

static bool has_startable(struct job *job)
{
    struct range_set startable = { 0 };
    job_startable(job, &job->unfinished, &startable);
    bool has = !range_set_is_empty(&startable);
    range_set_free(&startable);
    return has;
}

/* "12.3", or "12" of a non-array job */
static void task_name(const struct job *job, uint32_t ordinal, struct dstr *out)
{
    dstr_addf(out, "%u", job->rec.JB_job_number);
    if (job_is_array(&job->rec))
        dstr_addf(out, ".%u", job_task_id(&job->rec, ordinal));
}

static void add_held(struct job *job, struct ST_Type_list *out)
{
    struct dstr name = DSTR_INIT;
    uint32_t first;
    if (!range_set_min(&job->rec.JB_ja_pending_ids, &first))
        return;
    task_name(job, first, &name);
    add_reason(out, MSG_WHY_HELD);
    add_reason(out, MSG_WHY_HELD_SS, dstr_get(&name), job_is_array(&job->rec) ? "that task" : "it");
    dstr_free(&name);
}

/* has S no room for a task? */
static bool lacks_task(struct supply *s, struct shortage *lacking)
{
    static const struct demand nothing_else = { 0 };
    return path_explain((struct path){ &s, 1 }, &nothing_else, TIME_NOW, lacking);
}

/* as many tasks of the job run as may run at once */
static void add_concurrency(const struct job *job, struct supply *s, struct ST_Type_list *out)
{
    struct shortage lacking;
    if (!lacks_task(s, &lacking))
        return;
    bool is_own = job->rec.JB_ja_task_concurrency == lacking.capacity;
    add_reason(out, MSG_WHY_TC_US, (unsigned)lacking.capacity,
               is_own ? "-tc" : "max_aj_instances of the configuration");
}

/* as many tasks of the owner run as may run at once */
static void add_user_limit(const struct job *job, struct supply *s, struct ST_Type_list *out)
{
    struct shortage lacking;
    if (lacks_task(s, &lacking))
        add_reason(out, MSG_WHY_MAXUJOBS_SUU, job->rec.JB_owner,
                   (unsigned)((int64_t)lacking.capacity - lacking.left),
                   (unsigned)lacking.capacity);
}

static void add_limits(struct qmaster *q, const struct job *job, struct ST_Type_list *out)
{
    struct task_limits limits;
    task_limits_of(q, job, NULL, &limits);
    add_concurrency(job, &limits.concurrency.supply, out);
    add_user_limit(job, &limits.owner.supply, out);
}

/* what the owner's requests cost puts them behind those of other users */
static void add_cost(const struct qmaster *q, const struct job *job, struct ST_Type_list *out)
{
    const struct owner *owner = jobs_owner(&q->jobs, job->rec.JB_owner);
    if (owner != NULL && q->now_s < owner->last_until_s)
        add_reason(out, MSG_WHY_COSTLY_S, owner->name);
}

/* "4 at all.q@a, 4 at all.q@b and 3 more queue instances" */
static void add_reserved_places(const struct RV_Type *r, struct dstr *out)
{
    for (uint32_t i = 0; i < r->RV_granted.n; i++)
        dstr_addf(out, "%s%u at %s", i > 0 ? ", " : "", r->RV_granted.v[i].JG_slots,
                  r->RV_granted.v[i].JG_qname);
    if (r->RV_places > r->RV_granted.n)
        dstr_addf(out, " and %u more queue instances", r->RV_places - r->RV_granted.n);
}

static void add_reservation(const struct job *job, const struct RV_Type *r,
                            struct ST_Type_list *out)
{
    struct dstr name = DSTR_INIT, at = DSTR_INIT, places = DSTR_INIT;
    task_name(job, r->RV_ordinal, &name);
    uti_time_us_date(r->RV_start_time, &at);
    add_reserved_places(r, &places);
    add_reason(out, MSG_WHY_RESERVED_SSS, dstr_get(&name), dstr_get(&at), dstr_get(&places));
    dstr_free(&name);
    dstr_free(&at);
    dstr_free(&places);
}

/* The first of what is reserved for JOB, or behind. What has started since, or may not start any
 * more, is shown no longer, though the scheduler has not said so yet. */
static void add_reservations(struct qmaster *q, struct job *job, struct ST_Type_list *out)
{
    enum { SHOWN_MOST = 10 };
    const struct RV_Type_list *all = events_reserved(q);
    struct range_set startable = { 0 };
    uint32_t low = 0, high = all->n, n = 0;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (all->v[middle].RV_job_number < job->rec.JB_job_number)
            low = middle + 1;
        else
            high = middle;
    }
    job_startable(job, &job->unfinished, &startable);
    for (; low < all->n && all->v[low].RV_job_number == job->rec.JB_job_number; low++)
        if (range_set_has(&startable, all->v[low].RV_ordinal) && n++ < SHOWN_MOST)
            add_reservation(job, &all->v[low], out);
    range_set_free(&startable);
}

/* there is room for it now, so that only what is reserved can be in its way */
static void add_held_back(const struct qmaster *q, struct ST_Type_list *out)
{
    if (events_reserved(q)->n > 0)
        add_reason(out, MSG_WHY_HELD_BACK_U, events_reserved(q)->n);
}

static bool is_set_aside(const struct job *job)
{
    return job->rare->is_set_aside && (!range_set_is_empty(&job->rec.JB_ja_pending_ids) ||
                                       !range_set_is_empty(&job->rare->waiting));
}

/* every record is of a task that runs, that was put back, or that is in error */
static uint64_t tasks_in_error(const struct job *job)
{
    return job->rare->n_records - job->rare->n_running - range_set_count(&job->rare->waiting);
}

static void add_states(struct job *job, bool is_startable, struct ST_Type_list *out)
{
    if (is_set_aside(job))
        add_reason(out, MSG_WHY_SET_ASIDE);
    else if (!is_startable)
        add_held(job, out);
    if (tasks_in_error(job) > 0)
        add_reason(out, MSG_WHY_ERROR_UU, (unsigned)tasks_in_error(job), job->rec.JB_job_number);
    if (!range_set_is_empty(&job->rare->delayed))
        add_reason(out, MSG_WHY_DELAYED_U, (unsigned)range_set_count(&job->rare->delayed));
}

bool reasons_of_job(struct qmaster *q, struct job *job, struct place_search *s,
                    struct ST_Type_list *out)
{
    bool is_startable = has_startable(job);
    if (is_startable && !place_search_step(q, s, &job->rec))
        return false;
    add_states(job, is_startable, out);
    uint32_t before = out->n;
    if (is_startable && job->rec.JB_execution_time > q->now_s)
        add_reason(out, MSG_WHY_START_TIME);
    if (is_startable) {
        add_limits(q, job, out);
        add_cost(q, job, out);
        if (out->n == before && !s->is_refused)
            add_held_back(q, out);
        take_found(s, out);
        add_reservations(q, job, out);
    }
    place_search_end(s);
    return true;
}

bool job_reasons_find(struct qmaster *q, struct job_reasons *r, struct job *job)
{
    if (r->job != job->rec.JB_job_number)
        job_reasons_drop(r);
    r->job = job->rec.JB_job_number;
    if (!r->is_whole)
        r->is_whole = reasons_of_job(q, job, &r->search, &r->found);
    return r->is_whole;
}

void job_reasons_take(struct job_reasons *r, struct GA_Type *ga)
{
    cull_mark(ga, GA_reasons);
    ga->GA_reasons = r->found;
    r->found = (struct ST_Type_list){ 0 };
    job_reasons_drop(r);
}

void job_reasons_drop(struct job_reasons *r)
{
    place_search_end(&r->search);
    cull_list_clear(&cull_ST_Type, &r->found);
    *r = (struct job_reasons){ 0 };
}

/* ---- one task ---- */
static void add_of_started(const struct JAT_Type *task, struct ST_Type_list *out)
{
    const char *queue = allocation_queue(&task->JAT_granted_destin_identifier_list);
    if ((task->JAT_state & TASK_IS_DELETED) != 0)
        add_reason(out, MSG_WHY_DELETED_S, queue);
    else if ((task->JAT_state & TASK_SUSPENSIONS) != 0)
        add_reason(out, MSG_WHY_SUSPENDED_S, queue);
    else if (task->JAT_status == TASK_TRANSFERRING)
        add_reason(out, MSG_WHY_SENT_S, queue);
    else
        add_reason(out, MSG_WHY_RUNS_S, queue);
}

static void add_of_people(unsigned holds, const char *name, struct ST_Type_list *out)
{
    if ((holds & MINUS_H_TGT_USER) != 0)
        add_reason(out, MSG_WHY_USER_HOLD_S, name);
    if ((holds & MINUS_H_TGT_OPERATOR) != 0)
        add_reason(out, MSG_WHY_OPERATOR_HOLD_S, name);
    if ((holds & MINUS_H_TGT_SYSTEM) != 0)
        add_reason(out, MSG_WHY_SYSTEM_HOLD_S, name);
}

static void add_time(const char *text, uint64_t at_s, struct ST_Type_list *out)
{
    struct dstr when = DSTR_INIT;
    uti_time_ctime(at_s, &when);
    add_reason(out, "%s%s", text, dstr_get(&when));
    dstr_free(&when);
}

/* of its places, S has found out */
static void add_of_waiting(struct qmaster *q, struct job *job, uint32_t ordinal,
                           const struct task *t, struct place_search *s, struct ST_Type_list *out)
{
    struct dstr name = DSTR_INIT;
    unsigned holds = job_task_holds(&job->rec, ordinal);
    uint32_t before = out->n;
    task_name(job, ordinal, &name);
    if (t != NULL && t->rec.JAT_status == TASK_ERROR)
        add_reason(out, MSG_WHY_IN_ERROR_SS, dstr_get(&name),
                   t->rec.JAT_error_reason != NULL ? t->rec.JAT_error_reason : "");
    if (job->rare->is_set_aside)
        add_reason(out, MSG_WHY_SET_ASIDE);
    add_of_people(holds, dstr_get(&name), out);
    dstr_free(&name);
    if (job->rec.JB_execution_time > q->now_s)
        add_time(MSG_WHY_STARTS_AT, job->rec.JB_execution_time, out);
    if (t != NULL && range_set_has(&job->rare->delayed, ordinal))
        add_time(MSG_WHY_PUT_BACK, t->rec.JAT_not_before, out);
    add_limits(q, job, out);
    add_cost(q, job, out);
    if (s->is_refused) /* else a place takes it, whatever keeps it from others */
        take_found(s, out);
    else if (out->n == before)
        add_held_back(q, out);
    add_reservations(q, job, out);
    if (out->n == before && (holds & (HOLD_JID | MINUS_H_TGT_JA_AD)) == 0)
        add_reason(out, "%s", events_has_scheduler(q) ? MSG_WHY_NOTHING : MSG_WHY_NO_SCHEDULER);
}

bool reasons_of_task(struct qmaster *q, struct job *job, uint32_t ordinal, struct place_search *s,
                     struct ST_Type_list *out)
{
    const struct task *t = job_task(job, ordinal);
    bool is_waiting = t == NULL || !task_holds_slots(t);
    s->has_numbers = true;
    if (is_waiting && !place_search_step(q, s, &job->rec))
        return false;
    if (is_waiting)
        add_of_waiting(q, job, ordinal, t, s, out);
    else
        add_of_started(&t->rec, out);
    place_search_end(s);
    return true;
}

bool reasons_of_queues(struct qmaster *q, struct place_search *s, struct ST_Type_list *out)
{
    static const struct JB_Type any;
    if (!place_search_step(q, s, &any))
        return false;
    take_found(s, out);
    place_search_end(s);
    return true;
}
