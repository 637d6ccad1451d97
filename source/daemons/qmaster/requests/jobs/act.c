/* Actions on jobs and queues: ACT (qmod, qconf -cq). Each says for every job, task or queue
 * instance what became of it. */
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/requests/jobs/act_queues.h"
#include "daemons/qmaster/requests/jobs/act_tasks.h"
#include "daemons/qmaster/requests/jobs/job_requests.h"
#include "daemons/qmaster/requests/steps/msg_requests.h"
#include "daemons/qmaster/requests/steps/select.h"
#include "daemons/qmaster/requests/steps/steps.h"
#include "daemons/qmaster/tables/rights.h"
#include "daemons/qmaster/tables/slice.h"
#include "libs/uti/dstr.h"

/* ---- jobs ---- */
static bool has_running(struct job *job, const struct range_set *ordinals)
{
    for (struct task *t = job_task_first(job, 0); t != NULL; t = job_task_next(t))
        if (range_set_has(ordinals, t->ordinal) && task_holds_slots(t))
            return true;
    return false;
}

/* No task of JOB that P means is in a state to be acted on. If they all wait this is not a failure:
 * users expect it so. */
static void say_none_concerned(struct request *r, struct job *job, const struct picked *p)
{
    bool is_failure = has_running(job, &p->ordinals);
    bool is_clear = r->gr.GR_action == GDI_ACT_CLEAR_ERROR;
    struct dstr text = DSTR_INIT;
    uint32_t one;
    if (p->is_whole || !job_is_array(&job->rec)) {
        dstr_addf(&text, is_clear ? MSG_NOT_IN_ERROR_U : MSG_NOT_RUNNING_U, p->job);
    } else if (range_set_count(&p->ordinals) == 1 && range_set_min(&p->ordinals, &one)) {
        dstr_addf(&text, MSG_TASK_UU, p->job, job_task_id(&job->rec, one));
        dstr_add(&text, is_clear ? MSG_NONE_IN_ERROR : MSG_NONE_RUNS);
    } else {
        dstr_add(&text, MSG_TASKS);
        request_add_tasks(&job->rec, &p->ordinals, &text);
        dstr_add(&text, is_clear ? MSG_NONE_IN_ERROR : MSG_NONE_RUNS);
    }
    ans_add(&r->ans, is_failure ? STATUS_ESEMANTIC : STATUS_OK,
            is_failure ? ANSWER_QUALITY_ERROR : ANSWER_QUALITY_INFO, "%s", dstr_get(&text));
    dstr_free(&text);
}

/* may this job be acted on at all? If not, that is said */
static bool may_act(struct qmaster *q, struct request *r, const struct job *job,
                    const struct picked *p)
{
    if (right_over_job(q, &r->from->who, job))
        return picked_has_tasks(r, job, p);
    ans_add(&r->ans, STATUS_DENIED, ANSWER_QUALITY_ERROR, MSG_MODIFY_DENIED_SU, r->from->who.user,
            p->job);
    return false;
}

/* true when all task records have been looked at; false: the rest in another step */
static bool act_on_job(struct qmaster *q, struct request *r, struct picked *p)
{
    struct job *job = jobs_find(&q->jobs, p->job);
    if (job == NULL || (p->from == 0 && !may_act(q, r, job, p)))
        return true;
    for (uint32_t looked_at = 0;; looked_at++) {
        job = jobs_find(&q->jobs, p->job);
        struct task *t =
            job != NULL && p->from < UINT32_MAX ? job_task_first(job, (uint32_t)p->from) : NULL;
        if (t == NULL)
            break;
        if (looked_at >= STEP_WORK || (looked_at > 0 && slice_is_over(q)))
            return false;
        p->from = (uint64_t)t->ordinal + 1;
        if (!range_set_has(&p->ordinals, t->ordinal) || !act_concerns(r->gr.GR_action, t))
            continue;
        act_on_task(q, r, t);
        p->n_found++;
    }
    if (p->n_found == 0 && job != NULL)
        say_none_concerned(r, job, p);
    return true;
}

/* ---- which of them ---- */
static const char *entry_text(const struct request *r, uint32_t entry)
{
    const char *text = r->gr.GR_select.v[entry].ID_str;
    return text != NULL ? text : "";
}

static bool is_for_queues_only(const struct request *r)
{
    return (r->gr.GR_options & GDI_QUEUES_ONLY) != 0 || r->gr.GR_action == GDI_ACT_ENABLE ||
           r->gr.GR_action == GDI_ACT_DISABLE || r->gr.GR_action == GDI_ACT_CLEAN;
}

/* An entry that means no job: queues, unless jobs were asked for. True when it is done with; false:
 * the rest in another step. */
static bool act_on_unmatched(struct qmaster *q, struct request *r, const char *text)
{
    bool is_any = false;
    if ((r->gr.GR_options & GDI_JOBS_ONLY) == 0) {
        if (r->state == NULL)
            r->state = act_queues_new(q, text);
        if (!act_queues_step(q, r))
            return false;
        is_any = act_queues_found(r) > 0;
        request_end_step(r);
    }
    if (is_any)
        return true;
    if (is_for_queues_only(r) && r->gr.GR_action != GDI_ACT_CLEAN)
        ans_add(&r->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_ERROR, MSG_QUEUE_INVALID_S, text);
    else /* as scripts know it */
        ans_add(&r->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_ERROR, MSG_QUEUE_OR_JOB_INVALID_S, text);
    return true;
}

static enum step_result act_on_chosen(struct qmaster *q, struct request *r)
{
    for (uint32_t work = 0; r->at < r->chosen.n; r->at++) {
        struct picked *p = &r->chosen.v[r->at];
        if (request_is_enough(q, r, &work))
            return STEP_WAIT_PART;
        bool is_done =
            p->job == 0 ? act_on_unmatched(q, r, entry_text(r, p->entry)) : act_on_job(q, r, p);
        if (!is_done)
            return STEP_WAIT_PART;
    }
    return STEP_NEXT;
}

static enum step_result begin_act(struct qmaster *q, struct request *r)
{
    if (r->gr.GR_action == GDI_ACT_CLEAN && right_to_configure(q, &r->from->who, &r->ans) != 0)
        return STEP_LAST;
    if (!is_for_queues_only(r))
        return select_begin_to_change(q, r);
    select_add_unmatched(r);
    return STEP_NEXT;
}

void act_request(struct qmaster *q, struct request *r)
{
    static step_fn *const steps[] = { begin_act, select_jobs, act_on_chosen, select_tell_others,
                                      NULL };
    request_run(q, r, steps);
}
