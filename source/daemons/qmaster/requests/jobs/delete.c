/* Deleting jobs and tasks: DEL (qdel). Pending tasks end at once, as whole ranges; running ones get
 * the order to end, and their host reports when they have; -f does not wait for it. Many jobs are
 * deleted in steps (steps.h). */
#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/reporting.h"
#include "daemons/qmaster/change/request.h"
#include "daemons/qmaster/jobs/holds.h"
#include "daemons/qmaster/jobs/mail.h"
#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/requests/jobs/job_requests.h"
#include "daemons/qmaster/requests/steps/msg_requests.h"
#include "daemons/qmaster/requests/steps/select.h"
#include "daemons/qmaster/requests/steps/steps.h"
#include "daemons/qmaster/tables/rights.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"
#include "libs/uti/pattern.h"

static void say_line(struct request *r, struct dstr *text)
{
    ans_info(&r->ans, "%s", dstr_get(text));
    dstr_clear(text);
}

static void say_running(struct request *r, const struct job *job, const struct task *t,
                        bool is_array)
{
    struct dstr text = DSTR_INIT;
    const char *user = r->from->who.user;
    if (is_array)
        dstr_addf(&text, MSG_TASK_REGISTERED_SUU, user, job->rec.JB_job_number,
                  t->rec.JAT_task_number);
    else
        dstr_addf(&text, MSG_JOB_REGISTERED_SU, user, job->rec.JB_job_number);
    say_line(r, &text);
    dstr_free(&text);
}

static void say_deleted(struct request *r, const struct JB_Type *shape,
                        const struct range_set *gone, bool is_whole)
{
    struct dstr text = DSTR_INIT;
    const char *user = r->from->who.user;
    uint32_t first;
    if (is_whole || !job_is_array(shape)) {
        dstr_addf(&text, MSG_JOB_DELETED_SU, user, shape->JB_job_number);
    } else if (range_set_count(gone) == 1 && range_set_min(gone, &first)) {
        dstr_addf(&text, MSG_TASK_DELETED_SUU, user, shape->JB_job_number,
                  job_task_id(shape, first));
    } else {
        dstr_addf(&text, MSG_TASKS_DELETED_S, user);
        request_add_tasks(shape, gone, &text);
    }
    say_line(r, &text);
    dstr_free(&text);
}

/* the next task record of job NUMBER among ORDINALS at or after *FROM, which moves behind it. The
 * job is looked up each time, as what was done to the record before may have ended it. */
static struct task *next_record(struct qmaster *q, uint32_t number,
                                const struct range_set *ordinals, uint64_t *from)
{
    struct job *job = jobs_find(&q->jobs, number);
    struct task *t =
        job != NULL && *from < UINT32_MAX ? job_task_first(job, (uint32_t)*from) : NULL;
    while (t != NULL && !range_set_has(ordinals, t->ordinal))
        t = job_task_next(t);
    if (t != NULL)
        *from = (uint64_t)t->ordinal + 1;
    return t;
}

static void report_deleted(struct qmaster *q, const struct request *r, const struct task *t)
{
    const struct identity *who = &r->from->who;
    bool is_running = task_holds_slots(t);
    const struct job_event events[] = {
        { "deleted", is_running ? "r" : "", who->user, who->host, "job deleted" },
        { "finished", "", "master", q->host, "job waits for scheduler's deletion" },
        { "deleted", "T", "scheduler", q->host, "job deleted by scheduler" },
    };
    for (size_t i = 0; i < (is_running ? 1 : ARRAY_LEN(events)); i++)
        reporting_event(q, t->job, t->rec.JAT_task_number, &events[i]);
}

static void delete_running_one(struct qmaster *q, struct request *r, struct task *t, bool is_array)
{
    bool is_forced = (r->gr.GR_options & GDI_FORCE) != 0;
    if ((t->rec.JAT_state & TASK_IS_DELETED) != 0 && !is_forced) {
        ans_info(&r->ans, MSG_JOB_IN_DELETION_U, t->rec.JAT_job_number);
    } else if (is_forced) {
        ans_info(&r->ans, is_array ? MSG_TASK_FORCED_SUU : MSG_JOB_FORCED_SU, r->from->who.user,
                 t->rec.JAT_job_number, t->rec.JAT_task_number);
        if ((t->rec.JAT_state & TASK_IS_DELETED) == 0) {
            mail_deleted(q, t, &r->from->who);
            report_deleted(q, r, t);
        }
        task_drop(q, t);
    } else {
        say_running(r, t->job, t, is_array);
        mail_deleted(q, t, &r->from->who);
        report_deleted(q, r, t);
        task_kill(q, t);
    }
}

/* Records that do not run (put back, in error) end like pending tasks; true when there are no more,
 * false: the rest in another step */
static bool delete_records(struct qmaster *q, struct request *r, struct picked *p)
{
    struct task *t;
    for (uint32_t looked_at = 0; (t = next_record(q, p->job, &p->ordinals, &p->from)) != NULL;
         looked_at++) {
        if (t->rec.JAT_status == TASK_WAITING || t->rec.JAT_status == TASK_ERROR) {
            range_set_add(&p->done, t->ordinal, t->ordinal);
            mail_deleted(q, t, &r->from->who);
            report_deleted(q, r, t);
            if ((r->gr.GR_options & GDI_FORCE) != 0)
                task_drop(q, t);
            else
                task_kill(q, t);
        } else {
            delete_running_one(q, r, t, job_is_array(&t->job->rec));
            p->n_found++;
        }
        if (looked_at >= STEP_WORK || slice_is_over(q))
            return jobs_find(&q->jobs, p->job) == NULL;
    }
    return true;
}

/* of a job that only a pattern meant, this is not a failure */
static void say_no_such_task(struct request *r, const struct picked *p)
{
    bool is_failure = !pattern_is_wild(r->gr.GR_select.v[p->entry].ID_str);
    for (uint32_t i = 0; i < p->asked.n; i++)
        ans_add(&r->ans, is_failure ? STATUS_EUNKNOWN : STATUS_OK,
                is_failure ? ANSWER_QUALITY_ERROR : ANSWER_QUALITY_INFO, MSG_TASK_UNKNOWN_UU,
                p->job, p->asked.v[i].TR_min);
}

static void delete_pending(struct qmaster *q, const struct request *r, struct job *job,
                           struct picked *p)
{
    range_set_intersection(&p->done, &p->ordinals, &job->rec.JB_ja_pending_ids);
    mail_deleted_pending(q, job, &p->done, &r->from->who);
    reporting_deleted(q, job, &p->done, r->from->who.user, r->from->who.host);
    tasks_delete_pending(q, job, &p->done);
}

static void say_what_became_of(struct request *r, const struct JB_Type *shape,
                               const struct picked *p)
{
    if (!range_set_is_empty(&p->done)) {
        say_deleted(r, shape, &p->done, p->is_whole);
    } else if (p->n_found == 0) {
        say_no_such_task(r, p);
    }
}

/* true when the job is done with; false: the rest of its records in another step */
static bool delete_one(struct qmaster *q, struct request *r, struct picked *p)
{
    struct job *job = jobs_find(&q->jobs, p->job);
    struct JB_Type shape = { 0 };
    if (job == NULL)
        return true;
    if (!right_over_job(q, &r->from->who, job)) {
        ans_add(&r->ans, STATUS_DENIED, ANSWER_QUALITY_ERROR, MSG_DELETE_DENIED_SU,
                r->from->who.user, p->job);
        return true;
    }
    for (unsigned f = 0; f < 3; f++) { /* the shape outlives the job */
        static const unsigned fields[] = { JB_ja_first, JB_ja_last, JB_ja_step };
        cull_copy_field(&cull_JB_Type, &shape, &job->rec, fields[f]);
    }
    cull_set(&shape, JB_job_number, p->job);
    cull_set(&shape, JB_type, job->rec.JB_type);
    if (p->from == 0)
        delete_pending(q, r, job, p);
    bool is_done = delete_records(q, r, p);
    if (is_done) {
        say_what_became_of(r, &shape, p);
        job = jobs_find(&q->jobs, p->job);
        if (job != NULL) /* its tasks that run have been told to end */
            tasks_give_back(q, job, &p->ordinals);
    }
    cull_clear(&cull_JB_Type, &shape);
    return is_done;
}

static void on_unmatched(struct request *r, const char *what)
{
    uint32_t number;
    if (r->gr.GR_select.n == 0)
        ans_add(&r->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_ERROR, MSG_NO_JOBS_OF_USERS_S, what);
    else if (parse_u32(what, &number))
        ans_add(&r->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_ERROR, MSG_JOB_UNKNOWN_S, what);
    else
        ans_add(&r->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_ERROR, MSG_JOB_OF_USER_UNKNOWN_SS, what,
                r->gr.GR_users.n > 0 ? r->gr.GR_users.v[0].ST_name : r->from->who.user);
}

/* beside users who have jobs, one without any is not a failure */
static void on_unmatched_beside(struct request *r, const char *what)
{
    if (r->gr.GR_select.n == 0)
        ans_info(&r->ans, MSG_NO_JOBS_OF_USERS_S, what);
    else
        on_unmatched(r, what);
}

/* Before the first of many jobs ends, none of them may start any more: ends release successors and
 * free slots. Nothing of it is on disk, so after a crash what was not deleted is as it was. */
static enum step_result withdraw_jobs(struct qmaster *q, struct request *r)
{
    struct selection *chosen = &r->chosen;
    while (chosen->n_jobs > 1 && chosen->n_withdrawn < chosen->n) {
        const struct picked *p = &chosen->v[chosen->n_withdrawn++];
        struct job *job = jobs_find(&q->jobs, p->job);
        if (job != NULL && right_over_job(q, &r->from->who, job))
            tasks_withdraw(q, job, &p->ordinals);
        if (slice_is_over(q) && chosen->n_withdrawn < chosen->n)
            return STEP_WAIT_SLICE;
    }
    return STEP_NEXT;
}

static enum step_result delete_jobs(struct qmaster *q, struct request *r)
{
    unmatched_fn say_unmatched = r->chosen.n_jobs > 0 ? on_unmatched_beside : on_unmatched;
    for (uint32_t work = 0; r->at < r->chosen.n; r->at++) {
        struct picked *p = &r->chosen.v[r->at];
        if (request_is_enough(q, r, &work))
            return STEP_WAIT_PART;
        if (p->job == 0)
            say_unmatched(r, picked_word(r, p));
        else if (!delete_one(q, r, p))
            return STEP_WAIT_PART;
    }
    return STEP_NEXT;
}

static enum step_result begin_delete(struct qmaster *q, struct request *r)
{
    const char *user = r->from->who.user;
    for (uint32_t i = 0; i < r->gr.GR_users.n; i++)
        if (r->gr.GR_users.v[i].ST_name != NULL && strcmp(r->gr.GR_users.v[i].ST_name, "*") == 0 &&
            !right_manage(q, &r->from->who)) {
            ans_add(&r->ans, STATUS_DENIED, ANSWER_QUALITY_ERROR, MSG_ALL_JOBS_DENIED_S, user);
            return STEP_LAST;
        }
    return select_begin(q, r, user, NULL);
}

void delete_request(struct qmaster *q, struct request *r)
{
    static step_fn *const steps[] = { begin_delete, select_jobs, withdraw_jobs, delete_jobs, NULL };
    request_run(q, r, steps);
}
