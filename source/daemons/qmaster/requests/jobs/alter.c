/* Altering jobs: MOD (qalter, qhold, qrls). For each job everything is checked first, then all of
 * it is applied, or nothing. */
#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/job_files.h"
#include "daemons/qmaster/change/shares.h"
#include "daemons/qmaster/hosts/notifications.h"
#include "daemons/qmaster/jobs/ar_life.h"
#include "daemons/qmaster/jobs/bookings.h"
#include "daemons/qmaster/jobs/depend.h"
#include "daemons/qmaster/jobs/holds.h"
#include "daemons/qmaster/requests/explain/verify.h"
#include "daemons/qmaster/requests/jobs/job_check.h"
#include "daemons/qmaster/requests/jobs/job_requests.h"
#include "daemons/qmaster/requests/steps/msg_requests.h"
#include "daemons/qmaster/requests/steps/select.h"
#include "daemons/qmaster/requests/steps/steps.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/tables/rights.h"
#include "libs/sgeobj/job_attribute.h"
#include "libs/sgeobj/job_request.h"
#include "libs/uti/dstr.h"
#include "libs/uti/log.h"

enum {
    MANY_LINES = 256,
    MOST_IDS_BYTES = 1000
}; /* more tasks than this are reported in one line; a longer list of jobs is cut */

static void say_dependency(struct request *r, struct job *job, bool is_ad,
                           const struct dstr *exited)
{
    struct dstr text = DSTR_INIT;
    const struct JRE_Type_list *l =
        is_ad ? &job->rec.JB_ja_ad_predecessor_list : &job->rec.JB_jid_predecessor_list;
    dstr_addf(&text, is_ad ? MSG_ALTERED_AD_U : MSG_ALTERED_JID_U, job->rec.JB_job_number);
    dstr_add(&text, MSG_ALTERED_BLOCKING);
    uint32_t i = 0;
    for (; i < l->n && text.len < MOST_IDS_BYTES; i++)
        dstr_addf(&text, "%s%u", i > 0 ? "," : "", l->v[i].JRE_job_number);
    dstr_add(&text, l->n == 0 ? "NONE" : i < l->n ? ",..." : "");
    dstr_addf(&text, MSG_ALTERED_EXITED_S, exited->len > 0 ? dstr_get(exited) : "NONE");
    ans_info(&r->ans, "%s", dstr_get(&text));
    dstr_free(&text);
}

static void say_holds(struct request *r, struct job *job, const struct range_set *changed)
{
    struct dstr text = DSTR_INIT;
    struct range run;
    uint32_t number = job->rec.JB_job_number;
    if (!job_is_array(&job->rec)) {
        dstr_addf(&text, MSG_HOLD_MODIFIED_U, number);
        ans_info(&r->ans, "%s", dstr_get(&text));
    } else if (range_set_count(changed) > MANY_LINES) {
        dstr_add(&text, MSG_HOLD_MODIFIED_TASKS);
        request_add_tasks(&job->rec, changed, &text);
        ans_info(&r->ans, "%s", dstr_get(&text));
    } else {
        for (uint64_t at = 0; range_set_next_run(changed, at, &run); at = (uint64_t)run.last + 1)
            for (uint32_t i = run.first; i <= run.last; i++) {
                dstr_clear(&text);
                dstr_addf(&text, MSG_HOLD_MODIFIED_UU, number, job_task_id(&job->rec, i));
                ans_info(&r->ans, "%s", dstr_get(&text));
            }
    }
    dstr_free(&text);
}

/* ---- holds ---- */
struct hold_change {
    unsigned put, lift; /* MINUS_H_TGT_... */
};

/* which kinds of hold some of ORDINALS have */
static unsigned kinds_there(const struct job *job, const struct range_set *ordinals)
{
    unsigned kinds = 0;
    struct {
        const struct range_set *set;
        unsigned kind;
    } all[] = {
        { &job->rec.JB_ja_u_h_ids, MINUS_H_TGT_USER },
        { &job->rec.JB_ja_o_h_ids, MINUS_H_TGT_OPERATOR },
        { &job->rec.JB_ja_s_h_ids, MINUS_H_TGT_SYSTEM },
    };
    for (size_t i = 0; i < ARRAY_LEN(all); i++)
        if (range_set_meets(ordinals, all[i].set))
            kinds |= all[i].kind;
    return kinds;
}

static struct hold_change holds_wanted(const struct GR_Type *gr, const struct job *job,
                                       const struct range_set *ordinals)
{
    struct hold_change change = { 0 };
    if (gr->GR_hold_op == GDI_HOLD_ADD)
        change = (struct hold_change){ .put = gr->GR_hold_kinds, .lift = gr->GR_hold_lift };
    else if (gr->GR_hold_op == GDI_HOLD_REMOVE)
        change.lift = gr->GR_hold_kinds;
    else if (gr->GR_hold_op ==
             GDI_HOLD_CLEAR) /* -h n lifts what is there: rights are asked for that alone */
        change.lift = kinds_there(job, ordinals);
    return change;
}

static void apply_holds(struct qmaster *q, struct request *r, struct job *job,
                        struct hold_change change, const struct range_set *ordinals)
{
    struct range_set changed = { 0 };
    job_set_hold(q, job, change.put, true, ordinals,
                 &changed); /* first: nothing is free in between */
    job_set_hold(q, job, change.lift, false, ordinals, &changed);
    if (!range_set_is_empty(&changed))
        say_holds(r, job, &changed);
    range_set_free(&changed);
}

/* ---- fields ---- */
static void apply_environment(struct qmaster *q, struct job *job, const struct JB_Type *want)
{
    struct JB_Type files = { 0 };
    job_files_get(q, job, &files);
    cull_copy_field(&cull_JB_Type, &job->rec, want, JB_env_list);
    job_env_keep_submitter(&job->rec, &files.JB_env_list);
    cull_copy_field(&cull_JB_Type, &job->rec, &files, JB_script_ptr); /* shared */
    cull_clear(&cull_JB_Type, &files);
    job_files_drop(job);
    job_files_take(q, job);
    job_files_stage(q, job);
}

static void apply_field(struct qmaster *q, struct job *job, const struct JB_Type *want,
                        unsigned field)
{
    if (field == JB_job_name)
        jobs_rename(&q->jobs, job, want->JB_job_name);
    else if (field == JB_env_list)
        apply_environment(q, job, want);
    else if (field == JB_context)
        job_context_apply(&job->rec, &want->JB_context);
    else
        cull_copy_field(&cull_JB_Type, &job->rec, want, field);
}

/* of figures the answer says who set them to what */
static void say_altered(struct request *r, const struct job *job, const struct job_attribute *a)
{
    const char *user = r->from->who.user, *host = r->from->who.host;
    uint32_t number = job->rec.JB_job_number;
    if (a->field == JB_priority)
        ans_info(&r->ans, MSG_PRIORITY_SET_SSUD, user, host, number,
                 (int)job->rec.JB_priority - JOB_PRIORITY_BASE);
    else if (a->field == JB_jobshare)
        ans_info(&r->ans, MSG_JOBSHARE_SET_SSUU, user, host, number, job->rec.JB_jobshare);
    else if (a->field == JB_ar)
        ans_info(&r->ans, MSG_AR_SET_SSUU, user, host, number, job->rec.JB_ar);
    else
        ans_info(&r->ans, MSG_ALTERED_SU, a->noun, number);
}

/* nothing in a request is looked at but what the rows of a job's attributes let qalter change */
static bool apply_fields(struct qmaster *q, struct request *r, struct job *job,
                         const struct JB_Type *want)
{
    bool is_changed = false;
    job_names_remove(&q->jobs.names, &job->rec);
    for (unsigned i = 0; i < job_attributes_n; i++) {
        const struct job_attribute *a = &job_attributes[i];
        if ((a->flags & (JOB_ALTERED | JOB_ALTERED_ALONG)) == 0 || !cull_is_present(want, a->field))
            continue;
        apply_field(q, job, want, a->field);
        if ((a->flags & JOB_ALTERED) != 0)
            say_altered(r, job, a);
        is_changed = true;
    }
    job_names_add(&q->jobs.names, &job->rec);
    return is_changed;
}

static void apply_dependencies(struct qmaster *q, struct request *r, struct job *job,
                               const struct JB_Type *want, struct depend_plan *plan)
{
    struct range_set before = { 0 }, after = { 0 }, gone = { 0 };
    job_startable(job, &job->unfinished, &before);
    if (plan->sets_jid)
        cull_copy_field(&cull_JB_Type, &job->rec, want, JB_jid_request_list);
    if (plan->sets_ad)
        cull_copy_field(&cull_JB_Type, &job->rec, want, JB_ja_ad_request_list);
    depend_apply(q, job, plan);
    job_startable(job, &job->unfinished, &after);
    range_set_copy(&gone, &before);
    range_set_subtract(&gone, &after);
    range_set_subtract(&after, &before);
    if (!range_set_is_empty(&gone))
        events_tasks_unready(q, job, &gone);
    if (!range_set_is_empty(&after))
        events_tasks_ready(q, job, &after);
    range_set_free(&before);
    range_set_free(&after);
    range_set_free(&gone);
    if (plan->sets_jid)
        say_dependency(r, job, false, &plan->jid_exited);
    if (plan->sets_ad)
        say_dependency(r, job, true, &plan->ad_exited);
    depend_plan_warn(plan, &r->ans);
}

/* -w: of the job as it would be. The view shares its members. */
static int verify_change(struct qmaster *q, struct request *r, const struct job *job,
                         const struct JB_Type *want)
{
    struct JB_Type view = job->rec;
    view.JB_verify_suitable_queues = want->JB_verify_suitable_queues;
    if (cull_has(want, JB_hard_queue_list))
        view.JB_hard_queue_list = want->JB_hard_queue_list;
    if (cull_has(want, JB_hard_resource_list))
        view.JB_hard_resource_list = want->JB_hard_resource_list;
    if (cull_has(want, JB_pe))
        view.JB_pe = want->JB_pe;
    if (cull_has(want, JB_pe_range))
        view.JB_pe_range = want->JB_pe_range;
    if (cull_has(want, JB_project))
        view.JB_project = want->JB_project;
    if (cull_has(want, JB_ar))
        view.JB_ar = want->JB_ar;
    return verify_queues(q, &view, job->rec.JB_job_number, job->rec.JB_owner, &r->ans);
}

/* does WANT change what a job has as a whole? Holds alone are of tasks. */
static bool changes_job(const struct JB_Type *want)
{
    static const unsigned any = JOB_ALTERED | JOB_ALTERED_ALONG | JOB_ALTERED_APART;
    bool is_changed = false;
    for (unsigned i = 0; i < job_attributes_n && !is_changed; i++)
        is_changed =
            (job_attributes[i].flags & any) != 0 && cull_is_present(want, job_attributes[i].field);
    return is_changed;
}

/* links of the job net take memory, too */
static int check_links(struct qmaster *q, struct request *r, const struct job *job)
{
    struct share share = { .memory = depend_plan_bytes(depend_plan_of(r), &job->rec) };
    return shares_check(q, &r->from->who, job->rec.JB_owner, &share, &r->ans);
}

/* may R change what P means of JOB at all? If not, that is said */
static bool may_alter(struct qmaster *q, struct request *r, const struct picked *p,
                      const struct job *job, const struct JB_Type *want)
{
    if (job == NULL) {
        ans_add(&r->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_ERROR, MSG_JOB_UNKNOWN_U, p->job);
        return false;
    }
    if (!right_over_job(q, &r->from->who, job)) {
        ans_add(&r->ans, STATUS_ENOTOWNER, ANSWER_QUALITY_ERROR, MSG_JOB_NOT_OWNER_SU,
                r->from->who.user, p->job);
        return false;
    }
    if (!picked_has_tasks(r, job, p))
        return false;
    if (!p->is_whole && changes_job(want)) {
        ans_add(&r->ans, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, MSG_JOBS_ONLY);
        return false;
    }
    return true;
}

/* MORE: by how many bytes the job's record may grow */
static int check_altered(struct qmaster *q, struct request *r, const struct job *job,
                         const struct JB_Type *want, struct hold_change holds, size_t *more)
{
    *more = job_check_bytes(want, job->bytes, job->rec.JB_files_bytes, &r->ans);
    struct share share = share_growth(q, job, want);
    bool is_good = *more != 0 &&
                   shares_check(q, &r->from->who, job->rec.JB_owner, &share, &r->ans) == 0 &&
                   job_check_altered(q, &r->from->who, job, want, &r->ans) == 0 &&
                   right_to_hold(q, &r->from->who, holds.put, true, &r->ans) == 0 &&
                   right_to_hold(q, &r->from->who, holds.lift, false, &r->ans) == 0;
    return is_good ? 0 : -1;
}

/* A job that was set aside may be looked at again. */
static void take_back(struct qmaster *q, const struct request *r, struct job *job)
{
    if (!job->rare->is_set_aside)
        return;
    job_rare(job)->is_set_aside = false;
    events_tasks_startable(q, job, &job->unfinished);
    log_msg(LOG_LEVEL_INFO, MSG_JOB_TAKEN_BACK_US, job->rec.JB_job_number, r->from->who.user);
}

/* from here on nothing can fail */
static void apply_changes(struct qmaster *q, struct request *r, struct job *job,
                          const struct JB_Type *want, struct hold_change holds,
                          const struct range_set *ordinals)
{
    struct depend_plan *plan = depend_plan_of(r);
    if (plan != NULL)
        apply_dependencies(q, r, job, want, plan);
    bool has_fields = apply_fields(q, r, job, want);
    bool is_changed = has_fields || plan != NULL;
    if (has_fields)
        exec_job_changed(job);
    bool has_holds = (holds.put | holds.lift) != 0;
    if (has_holds)
        apply_holds(q, r, job, holds, ordinals);
    if (is_changed || has_holds) {
        cull_set(&job->rec, JB_version, job->rec.JB_version + 1);
        change_job(q, job);
    }
    if (is_changed)
        events_job_mod(q, job);
    if (cull_has(want, JB_ar))
        ar_note_job(q, job);
    if (has_fields && cull_has(want, JB_project))
        bookings_recount_limits(q, job);
    if (is_changed || holds.lift != 0 || r->gr.GR_hold_op == GDI_HOLD_CLEAR)
        take_back(q, r, job);
}

/* Returns 0 when P is done with, 1 if there is more to do before anything of it is changed. Then it
 * is checked anew in the last step. */
static int alter_one(struct qmaster *q, struct request *r, const struct picked *p)
{
    struct job *job = jobs_find(&q->jobs, p->job);
    static const struct JB_Type nothing;
    const struct JB_Type *want = r->gr.GR_jobs.n > 0 ? &r->gr.GR_jobs.v[0] : &nothing;
    bool is_planning = depend_plan_of(r) != NULL; /* and was checked before that */
    size_t more = 0;
    if (!may_alter(q, r, p, job, want))
        return 0;
    struct hold_change holds = holds_wanted(&r->gr, job, &p->ordinals);
    if (!is_planning && check_altered(q, r, job, want, holds, &more) != 0)
        return 0;
    int rc = depend_make(q, r, job, want, &job->rec, job->rec.JB_owner);
    if (rc != 0)
        return rc > 0;
    if ((!is_planning || check_altered(q, r, job, want, holds, &more) == 0) &&
        check_links(q, r, job) == 0 && verify_change(q, r, job, want) == 0 &&
        want->JB_verify_suitable_queues < VERIFY_ONLY) {
        job->bytes += (uint32_t)more;
        apply_changes(q, r, job, want, holds, &p->ordinals);
    }
    return 0;
}

/* a new environment keeps parts of the old one, so the old one must be there: true if not, and it
 * is being read */
static bool lacks_files(struct qmaster *q, const struct request *r, uint32_t number)
{
    struct job *job = jobs_find(&q->jobs, number);
    struct JB_Type unused = { 0 };
    if (job == NULL || r->gr.GR_jobs.n == 0 || !cull_has(&r->gr.GR_jobs.v[0], JB_env_list))
        return false;
    bool is_there = job_files_get(q, job, &unused);
    cull_clear(&cull_JB_Type, &unused);
    return !is_there;
}

/* each of the chosen jobs: check, read the files that are needed, plan, check again, apply */
static enum step_result alter_jobs(struct qmaster *q, struct request *r)
{
    for (uint32_t work = 0; r->at < r->chosen.n; r->at++) {
        const struct picked *p = &r->chosen.v[r->at];
        if (request_is_enough(q, r, &work))
            return STEP_WAIT_PART;
        if (p->job == 0) {
            ans_add(&r->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_ERROR,
                    r->gr.GR_select.n == 0 ? MSG_NO_JOBS_OF_USERS_S : MSG_JOB_UNKNOWN_S,
                    picked_word(r, p));
            continue;
        }
        if (lacks_files(q, r, p->job)) {
            r->awaited = p->job;
            return STEP_WAIT_FILES;
        }
        if (alter_one(q, r, p) != 0)
            return STEP_WAIT_SLICE;
        request_end_step(r);
    }
    return STEP_NEXT;
}

static enum step_result begin_alter(struct qmaster *q, struct request *r)
{
    if (r->gr.GR_jobs.n > 0 && job_check_lists(q, &r->gr.GR_jobs.v[0], &r->ans) != 0)
        return STEP_LAST;
    return select_begin_to_change(q, r);
}

void alter_request(struct qmaster *q, struct request *r)
{
    static step_fn *const steps[] = { begin_alter, select_jobs, alter_jobs, select_report_others,
                                      NULL };
    request_run(q, r, steps);
}
