/* Actions on jobs and queues: ACT (qmod, qconf -cq). Each says for every job, task or queue
 * instance what became of it. */
#include <stdlib.h>
#include <string.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/reporting.h"
#include "daemons/qmaster/change/request.h"
#include "daemons/qmaster/change/trail.h"
#include "daemons/qmaster/jobs/start_failures.h"
#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/requests/jobs/job_requests.h"
#include "daemons/qmaster/requests/steps/msg_requests.h"
#include "daemons/qmaster/requests/steps/select.h"
#include "daemons/qmaster/requests/steps/steps.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/tables/rights.h"
#include "libs/config/qinstance.h"
#include "libs/sgeobj/checkpoint.h"
#include "libs/sgeobj/job_request.h"
#include "libs/sgeobj/queue_match.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

/* ---- tasks ---- */
/* Actions on single tasks, and the words for them. The callers have seen to it that who asks
 * may. */
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

static void suspend_task(struct qmaster *q, struct request *r, struct task *t, bool is_on)
{
    struct dstr name = DSTR_INIT;
    const char *user = r->from->who.user;
    bool is_now = (t->rec.JAT_state & TASK_IS_SUSPENDED) != 0;
    if (is_now == is_on) {
        ans_info(&r->ans, is_on ? MSG_ALREADY_SUSPENDED_SS : MSG_ALREADY_UNSUSPENDED_SS, user,
                 name_of(t, &name));
    } else {
        ans_info(&r->ans, is_on ? MSG_SUSPENDED_SS : MSG_UNSUSPENDED_SS, user, name_of(t, &name));
        trail_note_task(q, r, t->job->rec.JB_owner);
        reporting_event(q, t->job, t->rec.JAT_task_number,
                        &(struct job_event){ is_on ? "suspended" : "unsuspended", "r", user,
                                             r->from->who.host, "" });
        task_suspend(q, t, TASK_IS_SUSPENDED, is_on);
    }
    dstr_free(&name);
}

static void reschedule_task(struct qmaster *q, struct request *r, struct task *t)
{
    struct dstr name = DSTR_INIT;
    bool is_forced = (r->gr.GR_options & GDI_FORCE) != 0;
    name_of(t, &name);
    const struct TC_Type *checkpoint = checkpoint_of(&t->rec);
    bool is_array = job_is_array(&t->job->rec);
    if (!is_forced && checkpoint != NULL && t->job->rec.JB_restart != RESTART_NO &&
        !checkpoint_is_at(&t->rec, CHECKPOINT_RESCHEDULE)) {
        ans_info(&r->ans, MSG_NOT_RERUNNABLE_CKPT_SSS, strrchr(dstr_get(&name), ' ') + 1,
                 checkpoint->TC_name, is_array ? "job-array task" : "job");
    } else if (!task_is_rerunnable(q, t) && !is_forced) {
        ans_info(&r->ans, MSG_NOT_RERUNNABLE_SS, dstr_get(&name), task_queue(t));
    } else {
        ans_info(&r->ans, MSG_RESCHEDULED_SS, dstr_get(&name), task_host(t));
        trail_note_task(q, r, t->job->rec.JB_owner);
        task_reschedule(q, t, is_forced);
    }
    dstr_free(&name);
}

static void clear_task(struct qmaster *q, struct request *r, struct task *t)
{
    struct dstr name = DSTR_INIT;
    ans_info(&r->ans, MSG_ERROR_CLEARED_SSS, r->from->who.user, r->from->who.host,
             name_of(t, &name));
    trail_note_task(q, r, t->job->rec.JB_owner);
    task_clear_error(q, t);
    dstr_free(&name);
}

/* it is over, whatever becomes of its processes, which its host is to end */
static void clean_task(struct qmaster *q, struct request *r, struct task *t)
{
    bool is_array = job_is_array(&t->job->rec);
    ans_info(&r->ans, is_array ? MSG_TASK_FORCED_SUU : MSG_JOB_FORCED_SU, r->from->who.user,
             t->rec.JAT_job_number, t->rec.JAT_task_number);
    trail_note_task(q, r, t->job->rec.JB_owner);
    task_drop(q, t);
}

/* act_concerns - is T in a state in which ACTION (enum gdi_action) means something? */
static bool act_concerns(uint32_t action, const struct task *t)
{
    return action == GDI_ACT_CLEAR_ERROR ? t->rec.JAT_status == TASK_ERROR : task_holds_slots(t);
}

/* act_on_task - do to T what R asks for, if that is possible, and say what became of it. T may have
 * gone afterwards. */
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
    case GDI_ACT_CLEAN:
        clean_task(q, r, t);
        break;
    case GDI_ACT_ENABLE:
    case GDI_ACT_DISABLE:
    case GDI_ACT_SHUTDOWN:
    case GDI_ACT_TRIGGER_SCHEDULING:
    case GDI_ACT_TAKE:
    case GDI_ACT_START:
        break;
    }
}

/* ---- queues ---- */
/* A walk (walk.h) over queue instances up to the last that there was at the start, and within one
 * over the tasks that it had when its turn came, each by job, ordinal and attempt: an end, another
 * start or a change of the configuration between two steps is seen, and no pointer to what has gone
 * is kept. A slice ends between instances; only one with more than STEP_WORK tasks takes several.
 */
/* Actions on the queue instances that a word means (qmod -d, -e, -sq, -usq, -cq, -rq), in steps:
 * there may be 100,000 instances, and any number of tasks in one. Which instances there are is
 * settled at the start, which tasks one has when its turn comes. What has gone since is passed
 * over. A task is suspended if a queue instance in which it has slots is so by then: of two
 * requests at a time the later one decides for all. */
struct queued_task {
    uint32_t job, ordinal;
    uint64_t attempt;
};
struct act_queues {
    struct step_state state;
    const char *wc_queue; /* borrowed */
    struct walk walk;     /* over all instances */
    uint64_t last_place;  /* of them when it began */
    uint32_t n_found;
    struct queued_task *tasks; /* of the last instance, as far as they are acted on */
    uint32_t n_tasks, cap_tasks, task_at;
};

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

static void act_queues_free(struct step_state *s)
{
    struct act_queues *a = (struct act_queues *)s;
    walk_end(&a->walk);
    free(a->tasks);
    free(a);
}

/* act_queues_new - a walk over all instances there are, for those that WC_QUEUE means; new: the
 * state of a step
 *   wc_queue  borrowed from the request */
static struct step_state *act_queues_new(struct qmaster *q, const char *wc_queue)
{
    struct act_queues *a = uti_calloc(1, sizeof *a);
    a->state.free = act_queues_free;
    a->wc_queue = wc_queue;
    a->last_place = q->queues.last_place;
    walk_begin(&q->queues.walks, &a->walk, q->queues.instances);
    return &a->state;
}

/* act_queues_found - how many instances the word has meant so far */
static uint32_t act_queues_found(const struct request *r)
{
    return ((const struct act_queues *)r->state)->n_found;
}

/* ---- tasks ---- */
static void note_task(struct act_queues *a, const struct task *t)
{
    a->tasks = uti_vec_grow(a->tasks, &a->cap_tasks, a->n_tasks + 1, sizeof *a->tasks);
    a->tasks[a->n_tasks++] =
        (struct queued_task){ t->rec.JAT_job_number, t->ordinal, t->rec.JAT_attempt };
}

/* those that run in QI; those that have any slots there if WITH_SLAVES */
static void note_tasks(struct act_queues *a, const struct qinstance *qi, bool with_slaves)
{
    const struct task *t;
    const struct slave_host *slave;
    const char *name = qi->rec.QU_full_name;
    a->n_tasks = a->task_at = 0;
    TAILQ_FOREACH(t, &qi->host->tasks, in_host)
        if (with_slaves ? task_has_slots_in(t, name) : strcmp(task_queue(t), name) == 0)
            note_task(a, t);
    if (!with_slaves)
        return;
    LIST_FOREACH(slave, &qi->host->slaves, in_host)
        if (task_has_slots_in(slave->task, name))
            note_task(a, slave->task);
}

/* the task that was noted, if it is still in that start */
static struct task *noted_task(struct qmaster *q, const struct queued_task *noted)
{
    struct job *job = jobs_find(&q->jobs, noted->job);
    struct task *t = job != NULL ? job_task(job, noted->ordinal) : NULL;
    return t != NULL && t->rec.JAT_attempt == noted->attempt && task_holds_slots(t) ? t : NULL;
}

/* is it the tasks of queues that R is about, and not their states? */
static bool concerns_tasks(const struct request *r)
{
    return r->gr.GR_action == GDI_ACT_RESCHEDULE || r->gr.GR_action == GDI_ACT_CLEAN;
}

/* is one of the instances in which T has slots? */
static bool is_queue_suspended(struct qmaster *q, const struct task *t)
{
    const struct JG_Type_list *granted = &t->rec.JAT_granted_destin_identifier_list;
    for (uint32_t i = 0; i < granted->n; i++) {
        const struct qinstance *qi = queues_instance(&q->queues, granted->v[i].JG_qname);
        if (qi != NULL && (qi->rec.QU_state & QI_SUSPENDED) != 0)
            return true;
    }
    return false;
}

static void act_on_next_task(struct qmaster *q, struct request *r, struct act_queues *a)
{
    struct task *t = noted_task(q, &a->tasks[a->task_at++]);
    if (t == NULL || queues_instance(&q->queues, task_queue(t)) == NULL)
        return;
    if (concerns_tasks(r)) {
        act_on_task(q, r, t);
        return;
    }
    bool is_on = is_queue_suspended(q, t),
         is_now = (t->rec.JAT_state & TASK_IS_QUEUE_SUSPENDED) != 0;
    if (is_on != is_now || (r->gr.GR_options & GDI_FORCE) != 0)
        task_suspend(q, t, TASK_IS_QUEUE_SUSPENDED, is_on);
}

/* ---- instances ---- */
static void set_queue_state(struct qmaster *q, struct request *r, struct act_queues *acts,
                            struct qinstance *qi, const struct queue_action *a)
{
    bool is_now = ((a->bit == QI_ERROR ? qinstance_state(qi) : qi->rec.QU_state) & a->bit) != 0;
    bool is_forced = (r->gr.GR_options & GDI_FORCE) != 0;
    if (is_now == a->is_on && !is_forced) {
        ans_info(&r->ans, MSG_QUEUE_ALREADY_SS, qi->rec.QU_full_name, a->word);
        return;
    }
    cull_set(&qi->rec, QU_state, a->is_on ? qi->rec.QU_state | a->bit : qi->rec.QU_state & ~a->bit);
    if (a->bit == QI_ERROR) {
        cull_clear_field(&cull_QU_Type, &qi->rec, QU_message);
        start_failures_open(q, qi->host);
    }
    queues_note_change(&q->queues, qi, change_number(q));
    change_record(q, SPOOL_QINSTANCE, qi->rec.QU_full_name, &cull_QU_Type, &qi->rec);
    events_queue_mod(q, qi);
    if (a->bit == QI_SUSPENDED)
        note_tasks(acts, qi, true);
    ans_info(&r->ans, is_forced ? MSG_QUEUE_FORCED_SSSS : MSG_QUEUE_CHANGED_SSSS, r->from->who.user,
             r->from->who.host, qi->rec.QU_full_name, a->word);
    trail_note(q, r);
}

/* what its owners may do with a queue does not touch the jobs of others for good */
static bool may_act_on_queue(struct qmaster *q, const struct request *r, const struct qinstance *qi)
{
    const struct identity *who = &r->from->who;
    return concerns_tasks(r) ? right_operate(q, who) : right_over_queue(q, who, &qi->rec);
}

static void act_on_queue(struct qmaster *q, struct request *r, struct act_queues *a,
                         struct qinstance *qi)
{
    if (!may_act_on_queue(q, r, qi)) {
        ans_add(&r->ans, STATUS_DENIED, ANSWER_QUALITY_ERROR, MSG_QUEUE_DENIED_SS,
                r->from->who.user, qi->rec.QU_full_name);
        return;
    }
    if (r->gr.GR_action == GDI_ACT_CLEAN) {
        ans_info(&r->ans, MSG_QUEUE_CLEANED_SSS, r->from->who.user, r->from->who.host,
                 qi->rec.QU_full_name);
        trail_note(q, r);
    }
    if (concerns_tasks(r))
        note_tasks(a, qi, false);
    else if (r->gr.GR_action < ARRAY_LEN(queue_actions) &&
             queue_actions[r->gr.GR_action].word != NULL)
        set_queue_state(q, r, a, qi, &queue_actions[r->gr.GR_action]);
}

/* is there one more of those that there were at the start? */
static bool has_next_queue(const struct act_queues *a)
{
    const struct qinstance *next = a->walk.next;
    return next != NULL && next->place <= a->last_place;
}

/* is the next instance meant, and acted on? */
static bool act_on_next_queue(struct qmaster *q, struct request *r, struct act_queues *a)
{
    struct qinstance *qi = walk_take(&a->walk, offsetof(struct qinstance, hh));
    if (!qinstance_is_there(qi) ||
        !queue_match(a->wc_queue, qi->rec.QU_full_name, &qi->rec.QU_hostgroups))
        return false;
    act_on_queue(q, r, a, qi);
    a->n_found++;
    return true;
}

/* the tasks that were noted, STEP_WORK of them at most; returns how many */
static uint32_t act_on_tasks(struct qmaster *q, struct request *r, struct act_queues *a)
{
    uint32_t n = 0;
    for (; n < STEP_WORK && a->task_at < a->n_tasks; n++)
        act_on_next_task(q, r, a);
    return n;
}

/* act_queues_step - a part of what R asks for, whose state is such a walk. Returns true when all is
 * done, false: the rest in another step */
static bool act_queues_step(struct qmaster *q, struct request *r)
{
    struct act_queues *a = (struct act_queues *)r->state;
    uint32_t work = act_on_tasks(q, r, a);
    bool is_begun = work > 0;
    while (a->task_at == a->n_tasks && has_next_queue(a)) {
        if (work >= STEP_WORK || (is_begun && slice_is_over(q)))
            return false;
        work += act_on_next_queue(q, r, a);
        work += act_on_tasks(q, r, a);
        is_begun = true;
    }
    return a->task_at == a->n_tasks;
}

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
        bool is_done = p->job == 0 ? act_on_unmatched(q, r, request_selected(r, p->entry))
                                   : act_on_job(q, r, p);
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
    static step_fn *const steps[] = { begin_act, select_jobs, act_on_chosen, select_report_others,
                                      NULL };
    request_run(q, r, steps);
}
