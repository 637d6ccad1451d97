/* Deleting jobs and tasks: DEL (qdel). Pending tasks end at once, as whole ranges; running ones are told to end and their end comes as a
 * report of their host; -f does not wait for it. Many jobs are deleted in steps (parked.h). */
#include "daemons/qmaster/change.h"
#include "daemons/qmaster/job_check.h"
#include "daemons/qmaster/msg_qmaster.h"
#include "daemons/qmaster/parked.h"
#include "daemons/qmaster/requests.h"
#include "daemons/qmaster/select.h"
#include "daemons/qmaster/tasks.h"
#include "libs/uti/dstr.h"
#include "libs/uti/parse.h"

static void say(struct request *r, struct dstr *text)
{
    ans_add(&r->ans, STATUS_OK, ANSWER_QUALITY_INFO, "%s", dstr_get(text));
    dstr_clear(text);
}

static void say_running(struct request *r, const struct job *job, const struct task *t,
                        bool is_array)
{
    struct dstr text = DSTR_INIT;
    const char *user = r->from->peer.user;
    if (is_array)
        dstr_addf(&text, MSG_TASK_REGISTERED_SUU, user, job->rec.JB_job_number,
                  t->rec.JAT_task_number);
    else
        dstr_addf(&text, MSG_JOB_REGISTERED_SU, user, job->rec.JB_job_number);
    say(r, &text);
    dstr_free(&text);
}

static void say_deleted(struct request *r, const struct JB_Type *shape,
                        const struct range_set *gone, bool is_whole)
{
    struct dstr text = DSTR_INIT;
    const char *user = r->from->peer.user;
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
    say(r, &text);
    dstr_free(&text);
}

/* the next task record of job NUMBER among ORDINALS at or after *FROM, which moves behind it. The job is looked up each time, as what was
 * done to the record before may have ended it. */
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

static void delete_running_one(struct qmaster *q, struct request *r, struct task *t, bool is_array)
{
    bool is_forced = (r->gr.GR_options & GDI_FORCE) != 0;
    if ((t->rec.JAT_state & TASK_IS_DELETED) != 0 && !is_forced) {
        ans_add(&r->ans, STATUS_OK, ANSWER_QUALITY_INFO, MSG_JOB_IN_DELETION_U,
                t->rec.JAT_job_number);
    } else if (is_forced) {
        ans_add(&r->ans, STATUS_OK, ANSWER_QUALITY_INFO,
                is_array ? MSG_TASK_FORCED_SUU : MSG_JOB_FORCED_SU, r->from->peer.user,
                t->rec.JAT_job_number, t->rec.JAT_task_number);
        task_drop(q, t);
    } else {
        say_running(r, t->job, t, is_array);
        task_kill(q, t);
    }
}

/* records that do not run (put back, in error) end like pending tasks and are added to GONE; returns how many others there were */
static uint32_t delete_records(struct qmaster *q, struct request *r, uint32_t number,
                               const struct range_set *ordinals, struct range_set *gone)
{
    uint32_t running = 0;
    struct task *t;
    for (uint64_t from = 0; (t = next_record(q, number, ordinals, &from)) != NULL;) {
        if (t->rec.JAT_status == TASK_WAITING || t->rec.JAT_status == TASK_ERROR) {
            range_set_add(gone, t->ordinal, t->ordinal);
            task_kill(q, t);
            continue;
        }
        delete_running_one(q, r, t, job_is_array(&t->job->rec));
        running++;
    }
    return running;
}

/* of a job that a pattern meant that is no failure */
static void say_no_such_task(struct request *r, const struct picked *p)
{
    bool is_failure = !pattern_is_wild(r->gr.GR_select.v[p->entry].ID_str);
    for (uint32_t i = 0; i < p->asked.n; i++)
        ans_add(&r->ans, is_failure ? STATUS_EUNKNOWN : STATUS_OK,
                is_failure ? ANSWER_QUALITY_ERROR : ANSWER_QUALITY_INFO, MSG_TASK_UNKNOWN_UU,
                p->job, p->asked.v[i].TR_min);
}

static void delete_one(struct qmaster *q, struct request *r, const struct picked *p)
{
    struct job *job = jobs_find(&q->jobs, p->job);
    struct range_set gone = { 0 };
    struct JB_Type shape = { 0 };
    if (job == NULL)
        return;
    if (!job_may_change(q, r->from, job)) {
        ans_add(&r->ans, STATUS_DENIED, ANSWER_QUALITY_ERROR, MSG_DELETE_DENIED_SU,
                r->from->peer.user, p->job);
        return;
    }
    for (unsigned f = 0; f < 3; f++) { /* the shape outlives the job */
        static const unsigned fields[] = { JB_ja_first, JB_ja_last, JB_ja_step };
        cull_copy_field(&cull_JB_Type, &shape, &job->rec, fields[f]);
    }
    cull_set(&shape, JB_job_number, p->job);
    cull_set(&shape, JB_type, job->rec.JB_type);
    range_set_copy(&gone, &p->ordinals);
    range_set_intersect(&gone, &job->rec.JB_ja_pending_ids);
    tasks_delete_pending(q, job, &p->ordinals);
    uint32_t running = delete_records(q, r, p->job, &p->ordinals, &gone);
    if (!range_set_is_empty(&gone))
        say_deleted(r, &shape, &gone, p->is_whole);
    else if (running == 0)
        say_no_such_task(r, p);
    range_set_free(&gone);
    cull_clear(&cull_JB_Type, &shape);
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
                r->gr.GR_users.n > 0 ? r->gr.GR_users.v[0].ST_name : r->from->peer.user);
}

/* beside others who have jobs, a user without any is no failure */
static void on_unmatched_beside(struct request *r, const char *what)
{
    if (r->gr.GR_select.n == 0)
        ans_add(&r->ans, STATUS_OK, ANSWER_QUALITY_INFO, MSG_NO_JOBS_OF_USERS_S, what);
    else
        on_unmatched(r, what);
}

static void delete_from(struct qmaster *q, struct request *r, struct selection *chosen, uint32_t at)
{
    for (uint32_t work = 0; at < chosen->n; at++) {
        if (park_if_enough(q, r, delete_from, chosen, at, &work))
            return;
        select_unmatched(r, chosen, at, on_unmatched_beside);
        delete_one(q, r, &chosen->v[at]);
    }
    select_unmatched(r, chosen, at, chosen->n > 0 ? on_unmatched_beside : on_unmatched);
}

void delete_request(struct qmaster *q, struct request *r)
{
    struct selection chosen;
    const char *user = r->from->peer.user;
    for (uint32_t i = 0; i < r->gr.GR_users.n; i++)
        if (r->gr.GR_users.v[i].ST_name != NULL && strcmp(r->gr.GR_users.v[i].ST_name, "*") == 0 &&
            !settings_is_manager(&q->settings, user)) {
            ans_add(&r->ans, STATUS_DENIED, ANSWER_QUALITY_ERROR, MSG_ALL_JOBS_DENIED_S, user);
            return;
        }
    select_jobs(q, r, user, NULL, &chosen);
    delete_from(q, r, &chosen, 0);
    selection_free(&chosen);
}
