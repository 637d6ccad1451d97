/* Actions: ACT (qmod; qconf -ke, -km, -tsm). Each says for every job, task or queue instance what became of it. */
#include <signal.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/hosts/exec_say.h"
#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/requests/handlers.h"
#include "daemons/qmaster/requests/job_check.h"
#include "daemons/qmaster/requests/msg_requests.h"
#include "daemons/qmaster/requests/parked.h"
#include "daemons/qmaster/requests/select.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/tables/rights.h"
#include "daemons/qmaster/tables/slice.h"
#include "libs/config/qinstance.h"
#include "libs/sgeobj/job_request.h"
#include "libs/sgeobj/queue_match.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

#define say(r, ...) ans_add(&(r)->ans, STATUS_OK, ANSWER_QUALITY_INFO, __VA_ARGS__)

/* "job 5" or "job-array task 5.2" */
static const char *name_of(const struct task *t, struct dstr *out)
{
    dstr_clear(out);
    if (job_is_array(&t->job->rec))
        dstr_addf(out, "job-array task %u.%u", t->rec.JAT_job_number, t->rec.JAT_task_number);
    else
        dstr_addf(out, "job %u", t->rec.JAT_job_number);
    return dstr_get(out);
}

/* ---- jobs ---- */
static void suspend_task(struct qmaster *q, struct request *r, struct task *t, bool is_on)
{
    struct dstr name = DSTR_INIT;
    const char *user = r->from->who.user;
    bool is_now = (t->rec.JAT_state & TASK_IS_SUSPENDED) != 0;
    if (is_now == is_on) {
        say(r, is_on ? MSG_ALREADY_SUSPENDED_SS : MSG_ALREADY_UNSUSPENDED_SS, user,
            name_of(t, &name));
    } else {
        say(r, is_on ? MSG_SUSPENDED_SS : MSG_UNSUSPENDED_SS, user, name_of(t, &name));
        task_suspend(q, t, is_on);
    }
    dstr_free(&name);
}

static bool is_rerunnable(struct qmaster *q, const struct task *t)
{
    if (t->job->rec.JB_restart != RESTART_AS_QUEUE)
        return t->job->rec.JB_restart == RESTART_YES;
    struct qinstance *qi = queues_instance(&q->queues, t->rec.JAT_queue);
    return qi != NULL && qi->rec.QU_rerun;
}

static void reschedule_task(struct qmaster *q, struct request *r, struct task *t)
{
    struct dstr name = DSTR_INIT;
    bool is_forced = (r->gr.GR_options & GDI_FORCE) != 0;
    name_of(t, &name);
    if (!is_rerunnable(q, t) && !is_forced) {
        say(r, MSG_NOT_RERUNNABLE_SS, dstr_get(&name), t->rec.JAT_queue);
    } else {
        say(r, MSG_RESCHEDULED_SS, dstr_get(&name), t->rec.JAT_host);
        task_reschedule(q, t, is_forced);
    }
    dstr_free(&name);
}

static void clear_task(struct qmaster *q, struct request *r, struct task *t)
{
    struct dstr name = DSTR_INIT;
    say(r, MSG_ERROR_CLEARED_SSS, r->from->who.user, r->from->who.host, name_of(t, &name));
    task_clear_error(q, t);
    dstr_free(&name);
}

/* does the action concern this task at all? */
static bool concerns(uint32_t action, const struct task *t)
{
    return action == GDI_ACT_CLEAR_ERROR ? t->rec.JAT_status == TASK_ERROR : task_holds_slots(t);
}

static void act_on_task(struct qmaster *q, struct request *r, struct task *t)
{
    switch ((enum gdi_action)r->gr.GR_action) {
    case GDI_ACT_SUSPEND:
        suspend_task(q, r, t, true);
        break;
    case GDI_ACT_UNSUSPEND:
        suspend_task(q, r, t, false);
        break;
    case GDI_ACT_RESCHEDULE:
        reschedule_task(q, r, t);
        break;
    case GDI_ACT_CLEAR_ERROR:
        clear_task(q, r, t);
        break;
    case GDI_ACT_ENABLE:
    case GDI_ACT_DISABLE:
    case GDI_ACT_SHUTDOWN:
    case GDI_ACT_TRIGGER_SCHEDULING:
        break;
    }
}

static bool has_running(struct job *job, const struct range_set *ordinals)
{
    for (struct task *t = job_task_first(job, 0); t != NULL; t = job_task_next(t))
        if (range_set_has(ordinals, t->ordinal) && task_holds_slots(t))
            return true;
    return false;
}

/* No task of JOB that P means is in a state to be acted on. If they all wait this is not a failure: users expect it so. */
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
        if (!range_set_has(&p->ordinals, t->ordinal) || !concerns(r->gr.GR_action, t))
            continue;
        act_on_task(q, r, t);
        p->n_found++;
    }
    if (p->n_found == 0 && job != NULL)
        say_none_concerned(r, job, p);
    return true;
}

/* ---- queue instances ---- */
static const struct queue_action {
    uint32_t bit;
    bool is_on;
    const char *word;
} queue_actions[GDI_ACT_TRIGGER_SCHEDULING + 1] = {
    [GDI_ACT_SUSPEND] = { QI_SUSPENDED, true, "suspended" },
    [GDI_ACT_UNSUSPEND] = { QI_SUSPENDED, false, "unsuspended" },
    [GDI_ACT_CLEAR_ERROR] = { QI_ERROR, false, "no error" },
    [GDI_ACT_ENABLE] = { QI_DISABLED, false, "enabled" },
    [GDI_ACT_DISABLE] = { QI_DISABLED, true, "disabled" },
};

static void each_task_in(struct qmaster *q, struct qinstance *qi,
                         void (*fn)(struct qmaster *, struct request *, struct task *),
                         struct request *r)
{
    struct task *t, *next;
    TAILQ_FOREACH_SAFE(t, &qi->host->tasks, in_host, next)
    {
        if (strcmp(t->rec.JAT_queue, qi->rec.QU_full_name) == 0)
            fn(q, r, t);
    }
}

static void suspend_with_queue(struct qmaster *q, struct request *r, struct task *t)
{
    task_queue_suspend(q, t, r->gr.GR_action == GDI_ACT_SUSPEND);
}

static void set_queue_state(struct qmaster *q, struct request *r, struct qinstance *qi,
                            const struct queue_action *a)
{
    bool is_now = (qi->rec.QU_state & a->bit) != 0, is_forced = (r->gr.GR_options & GDI_FORCE) != 0;
    if (is_now == a->is_on && !is_forced) {
        say(r, MSG_QUEUE_ALREADY_SS, qi->rec.QU_full_name, a->word);
        return;
    }
    cull_set(&qi->rec, QU_state, a->is_on ? qi->rec.QU_state | a->bit : qi->rec.QU_state & ~a->bit);
    if (a->bit == QI_ERROR)
        cull_clear_field(&cull_QU_Type, &qi->rec, QU_message);
    qi->changed = change_number(q);
    change_record(q, SPOOL_QINSTANCE, qi->rec.QU_full_name, &cull_QU_Type, &qi->rec);
    events_queue_mod(q, qi);
    if (a->bit == QI_SUSPENDED)
        each_task_in(q, qi, suspend_with_queue, r);
    say(r, is_forced ? MSG_QUEUE_FORCED_SSSS : MSG_QUEUE_CHANGED_SSSS, r->from->who.user,
        r->from->who.host, qi->rec.QU_full_name, a->word);
}

static void act_on_queue(struct qmaster *q, struct request *r, struct qinstance *qi)
{
    if (!right_operate(q, &r->from->who)) {
        ans_add(&r->ans, STATUS_DENIED, ANSWER_QUALITY_ERROR, MSG_QUEUE_DENIED_SS,
                r->from->who.user, qi->rec.QU_full_name);
        return;
    }
    if (r->gr.GR_action == GDI_ACT_RESCHEDULE)
        each_task_in(q, qi, reschedule_task, r);
    else if (r->gr.GR_action < ARRAY_LEN(queue_actions) &&
             queue_actions[r->gr.GR_action].word != NULL)
        set_queue_state(q, r, qi, &queue_actions[r->gr.GR_action]);
}

static uint32_t act_on_queues(struct qmaster *q, struct request *r, const char *wc_queue)
{
    uint32_t n = 0;
    struct qinstance *qi, *next;
    HASH_ITER(hh, q->queues.instances, qi, next) {
        if (queue_match(wc_queue, qi->rec.QU_full_name, &qi->rec.QU_hostgroups)) {
            act_on_queue(q, r, qi);
            n++;
        }
    }
    return n;
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
           r->gr.GR_action == GDI_ACT_DISABLE;
}

/* an entry that means no job: queues, unless jobs were asked for */
static void act_on_unmatched(struct qmaster *q, struct request *r, uint32_t entry)
{
    bool is_jobs_only = (r->gr.GR_options & GDI_JOBS_ONLY) != 0;
    if (!is_jobs_only && act_on_queues(q, r, entry_text(r, entry)) > 0)
        return;
    ans_add(&r->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_ERROR,
            is_for_queues_only(r) ? MSG_QUEUE_INVALID_S : MSG_QUEUE_OR_JOB_INVALID_S,
            entry_text(r, entry));
}

static void act_from(struct qmaster *q, struct request *r, struct selection *chosen, uint32_t at)
{
    for (uint32_t work = 0; at < chosen->n; at++) {
        struct picked *p = &chosen->v[at];
        if (park_if_enough(q, r, act_from, chosen, at, &work))
            return;
        if (p->job == 0) {
            act_on_unmatched(q, r, p->entry);
        } else if (!act_on_job(q, r, p)) {
            park_with_rest(q, r, act_from, chosen, at);
            return;
        }
    }
    select_tell_others(r, chosen);
}

/* ---- the cell ---- */
static void shut_down_hosts(struct qmaster *q, struct request *r)
{
    int sig =
        (r->gr.GR_options & GDI_FORCE) != 0 ? SIGKILL : 0; /* forced: their jobs end with them */
    for (uint32_t i = 0; i < r->gr.GR_select.n; i++) {
        const char *name = r->gr.GR_select.v[i].ID_str;
        struct host *h, *next;
        uint32_t n = 0;
        HASH_ITER(hh, q->hosts.all, h, next) {
            if (name == NULL || h->conn == 0 || !pattern_match(name, h->rec.EH_name))
                continue;
            say(r, MSG_EXECD_STOPPED_SSS, r->from->who.user, r->from->who.host, h->rec.EH_name);
            exec_shutdown(q, h, sig);
            n++;
        }
        if (n == 0)
            ans_add(&r->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_ERROR, MSG_EXECD_UNKNOWN_S,
                    name != NULL ? name : "");
    }
}

static bool may_act_on_cell(struct qmaster *q, struct request *r)
{
    if (r->gr.GR_target != GDI_EXECHOST)
        return right_to_configure(q, &r->from->who, &r->ans) == 0;
    if (!right_manage(q, &r->from->who))
        ans_add(&r->ans, STATUS_DENIED, ANSWER_QUALITY_ERROR, MSG_EXECD_STOP_DENIED);
    return right_manage(q, &r->from->who);
}

static void act_on_cell(struct qmaster *q, struct request *r)
{
    if (!may_act_on_cell(q, r))
        return;
    if (r->gr.GR_action == GDI_ACT_TRIGGER_SCHEDULING) {
        events_trigger(q);
        say(r, MSG_SCHEDULING_TRIGGERED_SS, r->from->who.user, r->from->who.host);
    } else if (r->gr.GR_action == GDI_ACT_SHUTDOWN && r->gr.GR_target == GDI_EXECHOST) {
        shut_down_hosts(q, r);
    } else if (r->gr.GR_action == GDI_ACT_SHUTDOWN && r->gr.GR_target == GDI_MASTER) {
        say(r, MSG_QMASTER_STOPPED_SS, r->from->who.user, r->from->who.host);
        q->is_stopping = true;
    } else {
        ans_add(&r->ans, STATUS_ENOTSUP, ANSWER_QUALITY_ERROR, MSG_REQUEST_UNKNOWN_UU,
                r->gr.GR_verb, r->gr.GR_target);
    }
}

void act_request(struct qmaster *q, struct request *r)
{
    bool is_qmod = r->gr.GR_target == GDI_JOB || r->gr.GR_target == GDI_QINSTANCE ||
                   r->gr.GR_target == GDI_CQUEUE;
    if (!is_qmod || r->gr.GR_action == GDI_ACT_TRIGGER_SCHEDULING) {
        act_on_cell(q, r);
        return;
    }
    if (!is_for_queues_only(r)) {
        select_jobs_to_change(q, r, act_from);
        return;
    }
    struct selection queues = { 0 };
    selection_add_unmatched(&queues, r->gr.GR_select.n);
    act_from(q, r, &queues, 0);
    selection_free(&queues);
}
