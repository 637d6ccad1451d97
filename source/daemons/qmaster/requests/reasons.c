/* Reads the state, changes nothing. The texts are the scheduler's (libs/sched/msg_sched.h), and so
 * are the questions. */
#include "daemons/qmaster/requests/reasons.h"

#include <stdarg.h>

#include "daemons/qmaster/config/load_state.h"
#include "daemons/qmaster/requests/lacks.h"
#include "daemons/qmaster/requests/pe_room.h"
#include "daemons/qmaster/requests/queue_known.h"
#include "daemons/qmaster/sched/events.h"
#include "libs/config/qinstance.h"
#include "libs/sched/msg_sched.h"
#include "libs/sched/why.h"
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
    out->v = uti_vec_grow(out->v, &out->cap, out->n + 1, sizeof *out->v);
    struct ST_Type *reason = &out->v[out->n++];
    *reason = (struct ST_Type){ 0 };
    cull_set(reason, ST_name, dstr_get(&text));
    dstr_free(&text);
}

static void remove_from(struct ST_Type_list *out, uint32_t n)
{
    while (out->n > n)
        cull_clear(&cull_ST_Type, &out->v[--out->n]);
}

/* what is wrong with a queue instance for REQUEST, as the scheduler sees it; false if nothing is */
static bool queue_refuses(struct qmaster *q, struct qinstance *qi, const struct JB_Type *request,
                          struct dstr *why)
{
    if (queue_why_not(&qi->rec, request, why))
        return true;
    if (qinstance_may_start(qi))
        return lacks_why(q, qi, request, false, why);
    if ((qinstance_state(qi) & QI_UNKNOWN) != 0) {
        dstr_addf(why, MSG_WHY_QUEUE_UNAVAILABLE_S, qi->rec.QU_full_name);
        return true;
    }
    dstr_addf(why, MSG_WHY_QUEUE_OVERLOADED_S, qi->rec.QU_full_name);
    load_state_why(q, qi, why);
    return true;
}

/* True if no queue takes REQUEST; the reasons of the first QUEUES_TOLD are added in any case. */
static bool add_queues(struct qmaster *q, const struct JB_Type *request, struct ST_Type_list *out)
{
    struct dstr text = DSTR_INIT;
    uint32_t known = 0, dropped = 0;
    for (struct qinstance *qi = queues_first(&q->queues); qi != NULL;
         qi = queues_next(qi), known++) {
        if (!queue_refuses(q, qi, request, &text))
            continue;
        if (dropped++ < QUEUES_TOLD)
            add_reason(out, "%s", dstr_get(&text));
        dstr_clear(&text);
    }
    dstr_free(&text);
    if (dropped > QUEUES_TOLD)
        add_reason(out, MSG_WHY_QUEUES_MORE_U, dropped - QUEUES_TOLD);
    if (dropped == known)
        add_reason(out, MSG_WHY_ALL_QUEUES);
    return dropped == known;
}

/* the same of the parallel environments that REQUEST means; true if none of them has its slots */
static bool add_pes(struct qmaster *q, const struct JB_Type *request, struct ST_Type_list *out)
{
    struct dstr text = DSTR_INIT;
    struct pe_room room = { q, request, queue_refuses, false, QUEUE_SEARCH_MOST, false };
    const struct text_object *pe = pe_room_first(&room);
    for (; pe != NULL && pe_room_refuses(&room, pe, &text); pe = pe_room_next(&room, pe)) {
        add_reason(out, "%s", dstr_get(&text));
        dstr_clear(&text);
    }
    dstr_free(&text);
    return pe == NULL;
}

/* true if nothing takes REQUEST; the reasons of what was looked at are added in any case */
static bool add_places(struct qmaster *q, const struct JB_Type *request, struct ST_Type_list *out)
{
    bool is_refused = add_queues(q, request, out);
    return is_refused || (request->JB_pe != NULL && add_pes(q, request, out));
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

/* as many tasks of the job run as may run at once */
static bool add_concurrency(const struct qmaster *q, const struct job *job,
                            struct ST_Type_list *out)
{
    uint32_t most = settings_concurrency(&q->settings, &job->rec);
    if (most == 0 || job->n_running < most)
        return false;
    bool is_own = job->rec.JB_ja_task_concurrency == most;
    add_reason(out, MSG_WHY_TC_US, most, is_own ? "-tc" : "max_aj_instances of the configuration");
    return true;
}

/* every record is of a task that runs, that was put back, or that is in error */
static uint64_t tasks_in_error(const struct job *job)
{
    return job->n_records - job->n_running - range_set_count(&job->waiting);
}

void reasons_of_job(struct qmaster *q, struct job *job, struct ST_Type_list *out)
{
    bool is_startable = has_startable(job);
    if (!is_startable)
        add_held(job, out);
    if (tasks_in_error(job) > 0)
        add_reason(out, MSG_WHY_ERROR_UU, (unsigned)tasks_in_error(job), job->rec.JB_job_number);
    if (!range_set_is_empty(&job->delayed))
        add_reason(out, MSG_WHY_DELAYED_U, (unsigned)range_set_count(&job->delayed));
    if (!is_startable)
        return;
    if (job->rec.JB_execution_time > q->now_s)
        add_reason(out, MSG_WHY_START_TIME);
    (void)add_concurrency(q, job, out);
    (void)add_places(q, &job->rec, out);
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

static void add_of_waiting(struct qmaster *q, struct job *job, uint32_t ordinal,
                           const struct task *t, struct ST_Type_list *out)
{
    struct dstr name = DSTR_INIT;
    unsigned holds = job_task_holds(&job->rec, ordinal);
    uint32_t before = out->n;
    task_name(job, ordinal, &name);
    if (t != NULL && t->rec.JAT_status == TASK_ERROR)
        add_reason(out, MSG_WHY_IN_ERROR_SS, dstr_get(&name),
                   t->rec.JAT_error_reason != NULL ? t->rec.JAT_error_reason : "");
    add_of_people(holds, dstr_get(&name), out);
    dstr_free(&name);
    if (job->rec.JB_execution_time > q->now_s)
        add_time(MSG_WHY_STARTS_AT, job->rec.JB_execution_time, out);
    if (t != NULL && range_set_has(&job->delayed, ordinal))
        add_time(MSG_WHY_PUT_BACK, t->rec.JAT_not_before, out);
    (void)add_concurrency(q, job, out);
    uint32_t here = out->n;
    if (!add_places(q, &job->rec, out))
        remove_from(out, here); /* another takes it */
    if (out->n == before && (holds & (HOLD_JID | MINUS_H_TGT_JA_AD)) == 0)
        add_reason(out, "%s", events_has_scheduler(q) ? MSG_WHY_NOTHING : MSG_WHY_NO_SCHEDULER);
}

void reasons_of_task(struct qmaster *q, struct job *job, uint32_t ordinal, struct ST_Type_list *out)
{
    const struct task *t = job_task(job, ordinal);
    if (t != NULL && task_holds_slots(t))
        add_of_started(&t->rec, out);
    else
        add_of_waiting(q, job, ordinal, t, out);
}

void reasons_of_queues(struct qmaster *q, struct ST_Type_list *out)
{
    static const struct JB_Type any;
    (void)add_queues(q, &any, out);
}
