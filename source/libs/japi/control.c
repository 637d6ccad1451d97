/* Asking for the state of jobs, and changing it. For one job the state is asked first, because what
 * cannot be done now has a number of its own; the qmaster decides all the same. For all jobs of a
 * session the qmaster gets them in pieces, and passes over those whose state does not allow it. */
#include <stdlib.h>

#include "libs/japi/msg_japi.h"
#include "libs/japi/session.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/dstr.h"
#include "libs/uti/guard.h"

/* how many jobs one request names */
enum { JOBS_A_REQUEST = 1000 };

static struct ID_Type *select_job(struct GR_Type *gr, uint32_t job)
{
    struct dstr number = DSTR_INIT;
    dstr_addf(&number, "%u", job);
    struct ID_Type *select = cull_append(gr, GR_select);
    cull_set(select, ID_str, dstr_get(&number));
    dstr_free(&number);
    return select;
}

static void select_tasks(struct ID_Type *select, uint32_t first, uint32_t last, uint32_t step)
{
    struct TR_Type *range = cull_append(select, ID_tasks);
    cull_set(range, TR_min, first);
    cull_set(range, TR_max, last);
    cull_set(range, TR_step, step);
}

static void select_id(struct GR_Type *gr, const struct japi_id *id)
{
    struct ID_Type *select = select_job(gr, id->job);
    if (id->task != 0)
        select_tasks(select, id->task, id->task, 1);
}

/* ---- the state ---- */

/* of the jobs that GR selects, and of their tasks if that is said in GR_options */
static void ask_for_jobs(struct GR_Type *gr)
{
    static const char *const fields[] = { "JB_job_number",
                                          "JB_type",
                                          "JB_ja_first",
                                          "JB_ja_last",
                                          "JB_ja_step",
                                          "JB_ja_u_h_ids",
                                          "JB_ja_o_h_ids",
                                          "JB_ja_s_h_ids",
                                          "JB_ja_a_h_ids",
                                          "JB_ja_pending_ids",
                                          "JB_jid_predecessor_list",
                                          "JAT_task_number",
                                          "JAT_status",
                                          "JAT_state" };
    cull_set(gr, GR_verb, (uint32_t)GDI_GET);
    cull_set(gr, GR_target, (uint32_t)GDI_JOB);
    for (size_t i = 0; i < ARRAY_LEN(fields); i++) {
        struct ST_Type *name = cull_append(gr, GR_fields);
        cull_set(name, ST_name, fields[i]);
    }
}

/* of a task that is there; JAT NULL: it waits */
static struct japi_status status_of_task(const struct JAT_Type *jat, unsigned holds)
{
    bool is_running =
        jat != NULL && (jat->JAT_status == TASK_RUNNING || jat->JAT_status == TASK_TRANSFERRING);
    if (jat != NULL && jat->JAT_status == TASK_ERROR)
        return (struct japi_status){ JAPI_IN_ERROR, false, false };
    if (is_running)
        return (struct japi_status){ JAPI_RUNNING, (jat->JAT_state & TASK_IS_SUSPENDED) != 0,
                                     (jat->JAT_state & TASK_SUSPENSIONS &
                                      ~(uint32_t)TASK_IS_SUSPENDED) != 0 };
    return (struct japi_status){ JAPI_QUEUED, (holds & MINUS_H_TGT_USER) != 0,
                                 (holds & ~(unsigned)MINUS_H_TGT_USER) != 0 };
}

static const struct JB_Type *job_in(const struct exchange *e, uint32_t number)
{
    for (uint32_t i = 0; i < e->n; i++)
        for (uint32_t k = 0; k < e->parts[i].GA_jobs.n; k++)
            if (e->parts[i].GA_jobs.v[k].JB_job_number == number)
                return &e->parts[i].GA_jobs.v[k];
    return NULL;
}

static const struct JAT_Type *task_in(const struct exchange *e, uint32_t task)
{
    for (uint32_t i = 0; i < e->n; i++)
        for (uint32_t k = 0; k < e->parts[i].GA_tasks.n; k++)
            if (e->parts[i].GA_tasks.v[k].JAT_task_number == task)
                return &e->parts[i].GA_tasks.v[k];
    return NULL;
}

/* what the answer says of ID; false: it has no such task (any more) */
static bool status_in(const struct exchange *e, const struct japi_id *id, struct japi_status *out)
{
    const struct JB_Type *job = job_in(e, id->job);
    uint32_t ordinal = 0;
    if (job == NULL)
        return false;
    uint32_t task = id->task != 0 ? id->task : job_task_id(job, 0);
    const struct JAT_Type *jat = task_in(e, task);
    if (!job_task_ordinal(job, task, &ordinal) ||
        (jat == NULL && id->task != 0 && !range_set_has(&job->JB_ja_pending_ids, ordinal)))
        return false;
    *out = status_of_task(jat, job_task_holds(job, ordinal));
    return true;
}

/* an end that was not taken */
static bool status_of_end(struct japi *j, const struct japi_id *id, struct japi_status *out)
{
    struct japi_ended ended = { .has_run = false };
    guard_lock(&j->lock);
    bool has_ended = ends_look(j->ends, id, &ended) == ENDS_ENDED;
    guard_unlock(&j->lock);
    bool is_good = ended.has_run && !ended.is_signalled && ended.exit_status == 0;
    *out = (struct japi_status){ is_good ? JAPI_ENDED : JAPI_FAILED, false, false };
    return has_ended;
}

static enum japi_end ask_state(struct japi *j, const struct japi_id *id, struct exchange *got,
                               struct answer *ans)
{
    struct GR_Type gr = { 0 };
    ask_for_jobs(&gr);
    cull_set(&gr, GR_options, (uint32_t)GDI_WITH_TASKS);
    select_id(&gr, id);
    enum japi_end end = session_ask(j, &gr, UINT64_MAX, got, ans);
    cull_clear(&cull_GR_Type, &gr);
    return end;
}

/* A job by its number alone has the state of its first task. That one alone is asked about, since
 * an array may have millions: it has the id 1 as a rule, else the answer says which. */
static enum japi_end get_state(struct japi *j, const struct japi_id *id, struct exchange *got,
                               struct answer *ans)
{
    struct japi_id one = { id->job, id->task != 0 ? id->task : 1 };
    enum japi_end end = ask_state(j, &one, got, ans);
    const struct JB_Type *job = job_in(got, id->job);
    if (end != JAPI_DONE || id->task != 0 || job == NULL || job_task_id(job, 0) == one.task)
        return end;
    one.task = job_task_id(job, 0);
    exchange_free(got);
    return ask_state(j, &one, got, ans);
}

enum japi_end japi_status(struct japi *j, const struct japi_id *id, struct japi_status *out,
                          struct answer *ans)
{
    struct exchange got = { NULL, 0, 0, ANSWER_INIT };
    if (status_of_end(j, id, out))
        return JAPI_DONE;
    enum japi_end end = get_state(j, id, &got, ans);
    /* it may end while we ask */
    if (end == JAPI_DONE && !status_in(&got, id, out) && !status_of_end(j, id, out)) {
        ans_fail(ans, STATUS_EUNKNOWN, MSG_JAPI_UNKNOWN_U, id->job);
        end = JAPI_NO_JOB;
    }
    exchange_free(&got);
    return end;
}

/* ---- changes ---- */

static bool suits_state(const struct japi_status *s, enum japi_action action)
{
    switch (action) {
    case JAPI_SUSPEND:
        return s->state == JAPI_RUNNING && !s->by_user;
    case JAPI_RESUME:
        return s->state == JAPI_RUNNING && s->by_user;
    case JAPI_HOLD:
        return s->state == JAPI_QUEUED && !s->by_user;
    case JAPI_RELEASE:
        return s->state == JAPI_QUEUED && s->by_user;
    case JAPI_TERMINATE:
        break;
    }
    return s->state != JAPI_ENDED && s->state != JAPI_FAILED;
}

/* all but the jobs */
static void ask_for_action(struct GR_Type *gr, enum japi_action action)
{
    bool is_hold = action == JAPI_HOLD || action == JAPI_RELEASE;
    bool is_end = action == JAPI_TERMINATE;
    cull_set(gr, GR_target, (uint32_t)GDI_JOB);
    cull_set(gr, GR_verb, (uint32_t)(is_end ? GDI_DEL : is_hold ? GDI_MOD : GDI_ACT));
    if (is_hold) {
        cull_set(gr, GR_hold_op, (uint32_t)(action == JAPI_HOLD ? GDI_HOLD_ADD : GDI_HOLD_REMOVE));
        cull_set(gr, GR_hold_kinds, (uint32_t)MINUS_H_TGT_USER);
    } else if (!is_end) {
        cull_set(gr, GR_action,
                 (uint32_t)(action == JAPI_SUSPEND ? GDI_ACT_SUSPEND : GDI_ACT_UNSUSPEND));
        cull_set(gr, GR_options, (uint32_t)GDI_JOBS_ONLY);
    }
}

static enum japi_end act_on(struct japi *j, const struct japi_id *id, enum japi_action action,
                            struct answer *ans)
{
    struct GR_Type gr = { 0 };
    struct exchange got = { NULL, 0, 0, ANSWER_INIT };
    ask_for_action(&gr, action);
    select_id(&gr, id);
    enum japi_end end = session_ask(j, &gr, UINT64_MAX, &got, ans);
    cull_clear(&cull_GR_Type, &gr);
    if (end == JAPI_DONE)
        end = session_end_of(&got.ans);
    if (end != JAPI_DONE) /* what is done is done, whether there is memory to say how or not */
        ans_move(ans, &got.ans);
    exchange_free(&got);
    return end;
}

static enum japi_end control_one(struct japi *j, const struct japi_id *id, enum japi_action action,
                                 struct answer *ans)
{
    static const char *const words[] = { "suspended", "resumed", "held", "released", "terminated" };
    struct japi_status status;
    enum japi_end end = japi_status(j, id, &status, ans);
    if (end != JAPI_DONE)
        return end;
    if (suits_state(&status, action))
        return act_on(j, id, action, ans);
    ans_fail(ans, STATUS_ESEMANTIC, MSG_JAPI_STATE_S, words[action]);
    return JAPI_WRONG_STATE;
}

/* ---- all jobs of the session ---- */

/* What has ended meanwhile, or is in no state for it, is passed over. */
static enum japi_end end_of_many(const struct answer *got, struct answer *ans)
{
    struct answer errors = ANSWER_INIT;
    for (uint32_t i = 0; i < got->n; i++) {
        const struct answer_entry *e = &got->v[i];
        bool is_passed_over = e->status == STATUS_EUNKNOWN || e->status == STATUS_ESEMANTIC;
        if (e->quality <= ANSWER_QUALITY_ERROR && !is_passed_over)
            ans_add(&errors, e->status, e->quality, "%s", e->text);
    }
    enum japi_end end = session_end_of(&errors);
    ans_move(ans, &errors);
    return end;
}

/* the request that does ACTION to the jobs that SELECT, which is emptied, names */
static enum japi_end act_on_selected(struct japi *j, struct GR_Type *select,
                                     enum japi_action action, struct answer *ans)
{
    struct exchange got = { NULL, 0, 0, ANSWER_INIT };
    enum japi_end end = JAPI_DONE;
    if (select->GR_select.n > 0) {
        ask_for_action(select, action);
        end = session_ask(j, select, UINT64_MAX, &got, ans);
    }
    cull_clear(&cull_GR_Type, select);
    if (end == JAPI_DONE)
        end = end_of_many(&got.ans, ans);
    exchange_free(&got);
    return end;
}

/* those of JOB's tasks that wait: the qmaster would hold what runs, too, for its next start */
static void select_waiting(struct GR_Type *gr, const struct JB_Type *job)
{
    struct range run;
    const struct range_set *waiting = &job->JB_ja_pending_ids;
    if (range_set_is_empty(waiting))
        return;
    struct ID_Type *select = select_job(gr, job->JB_job_number);
    for (uint64_t at = 0; job_is_array(job) && range_set_next_run(waiting, at, &run);
         at = (uint64_t)run.last + 1)
        select_tasks(select, job_task_id(job, run.first), job_task_id(job, run.last),
                     job->JB_ja_step);
}

static enum japi_end hold_selected(struct japi *j, struct GR_Type *select, struct answer *ans)
{
    struct GR_Type waiting = { 0 };
    struct exchange got = { NULL, 0, 0, ANSWER_INIT };
    ask_for_jobs(select);
    enum japi_end end = session_ask(j, select, UINT64_MAX, &got, ans);
    cull_clear(&cull_GR_Type, select);
    for (uint32_t i = 0; i < got.n; i++)
        for (uint32_t k = 0; k < got.parts[i].GA_jobs.n; k++)
            select_waiting(&waiting, &got.parts[i].GA_jobs.v[k]);
    exchange_free(&got);
    if (end == JAPI_DONE)
        end = act_on_selected(j, &waiting, JAPI_HOLD, ans);
    cull_clear(&cull_GR_Type, &waiting);
    return end;
}

static enum japi_end control_all(struct japi *j, enum japi_action action, struct answer *ans)
{
    uint32_t *numbers = NULL, n = 0;
    enum japi_end end = JAPI_DONE;
    guard_lock(&j->lock);
    ends_jobs(j->ends, &numbers, &n);
    guard_unlock(&j->lock);
    for (uint32_t i = 0; end == JAPI_DONE && i < n;) {
        struct GR_Type piece = { 0 };
        for (uint32_t until = i + JOBS_A_REQUEST; i < n && i < until; i++)
            (void)select_job(&piece, numbers[i]);
        end = action == JAPI_HOLD ? hold_selected(j, &piece, ans)
                                  : act_on_selected(j, &piece, action, ans);
    }
    free(numbers);
    return end;
}

enum japi_end japi_control(struct japi *j, const struct japi_id *id, enum japi_action action,
                           struct answer *ans)
{
    return id != NULL ? control_one(j, id, action, ans) : control_all(j, action, ans);
}
