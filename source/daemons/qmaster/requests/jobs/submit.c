/* Submitting: ADD of a job and COPY (qresub). A job is checked whole before anything is changed;
 * then it is in the table, its holds are computed, it is staged with its environment and script,
 * the scheduler hears of it, and the answer waits for the disk. */
#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/job_files.h"
#include "daemons/qmaster/change/recent.h"
#include "daemons/qmaster/change/request.h"
#include "daemons/qmaster/change/scripts.h"
#include "daemons/qmaster/change/shares.h"
#include "daemons/qmaster/config/membership.h"
#include "daemons/qmaster/config/users.h"
#include "daemons/qmaster/ends/kept.h"
#include "daemons/qmaster/io/committer.h"
#include "daemons/qmaster/jobs/depend.h"
#include "daemons/qmaster/jobs/immediate.h"
#include "daemons/qmaster/requests/explain/verify.h"
#include "daemons/qmaster/requests/jobs/job_check.h"
#include "daemons/qmaster/requests/jobs/job_requests.h"
#include "daemons/qmaster/requests/steps/msg_requests.h"
#include "daemons/qmaster/requests/steps/parked.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/tables/rights.h"
#include "libs/sgeobj/job_attribute.h"
#include "libs/sgeobj/job_request.h"
#include "libs/uti/dstr.h"
#include "libs/uti/log.h"

enum { MAX_JOB_NUMBER = 9999999, BYTES_PER_MIB = 1024 * 1024 };

static uint32_t next_number(struct qmaster *q)
{
    struct jobs *jobs = &q->jobs;
    while (jobs_find(jobs, jobs->next_number) != NULL || scripts_has(q, jobs->next_number) ||
           kept_has_job(q, jobs->next_number) || jobs->next_number == 0 ||
           jobs->next_number > MAX_JOB_NUMBER) {
        if (++jobs->next_number > MAX_JOB_NUMBER) {
            jobs->next_number = 1;
            jobs->round++;
        }
    }
    return jobs->next_number++;
}

/* who and when are the qmaster's to say, whatever the client wrote */
static void stamp_job(struct qmaster *q, const struct identity *who, uint32_t number,
                      struct JB_Type *rec)
{
    cull_set(rec, JB_job_number, number);
    if (q->jobs.round > 0)
        cull_set(rec, JB_round, q->jobs.round);
    cull_set(rec, JB_owner, who->user);
    cull_set(rec, JB_uid, who->uid);
    cull_set(rec, JB_group, who->group);
    cull_set(rec, JB_gid, who->gid);
    cull_set(rec, JB_submission_time, q->now_s);
    cull_set(rec, JB_version, 0u);
    cull_clear_field(&cull_JB_Type, rec, JB_exec_file); /* follows from the number */
    job_set_defaults(rec);
}

/* the result of a submit that asked with an id that was answered before */
static bool answer_again(struct qmaster *q, struct request *r)
{
    uint32_t number = recent_find(q, request_who(r)->uid, r->gr.GR_request_id);
    if (number == 0)
        return false;
    cull_set(&r->ga, GA_job_number, number);
    return true;
}

/* that jobs are refused for want of space is said once, and that they are taken again */
static void note_space(struct qmaster *q, bool has_space)
{
    if (!has_space && !q->lacks_space)
        log_msg(LOG_LEVEL_ERROR, MSG_SPACE_ENDED_SU, spool_dir(q->spool),
                (unsigned)(spool_space_wanted(q->spool) / BYTES_PER_MIB));
    else if (has_space && q->lacks_space)
        log_msg(LOG_LEVEL_INFO, MSG_SPACE_AGAIN_S, spool_dir(q->spool));
    q->lacks_space = !has_space;
}

/* is there room for what a new job brings? If not, that is said at once: nothing else may leave
 * before the disk can be written again */
static int check_disk(struct qmaster *q, struct request *r)
{
    enum committer_trouble trouble = committer_trouble(q->committer);
    bool has_space = spool_has_space(q->spool, q->now_us);
    note_space(q, has_space);
    if (trouble == COMMITTER_WORKS && has_space)
        return 0;
    r->after = 0;
    if (trouble == COMMITTER_NO_ACCOUNTING)
        return ans_fail(&r->ans, STATUS_EDISK, MSG_NO_ACCOUNTING_S,
                        committer_accounting_path(q->committer));
    if (has_space)
        return ans_fail(&r->ans, STATUS_EDISK, MSG_NO_SPOOL_S, spool_dir(q->spool));
    return ans_fail(&r->ans, STATUS_EDISK, MSG_NO_SPACE_SU, spool_dir(q->spool),
                    (unsigned)(spool_space_wanted(q->spool) / BYTES_PER_MIB));
}

/* A long script goes to the spool before its job, under the number that the job will have. */
static void begin_script(struct qmaster *q, struct request *r, const struct JB_Type *rec)
{
    if (r->script_of != 0 || !scripts_is_long(rec->JB_script_ptr))
        return;
    r->script_of = next_number(q);
    scripts_begin(q, r->script_of, request_who(r)->uid, rec->JB_script_ptr);
}

/* is the script of R being written to the spool? */
static bool is_writing_script(const struct qmaster *q, const struct request *r)
{
    return r->script_of != 0 && !scripts_is_there(q, r->script_of);
}

/* the session that R names, for the job REC; made if it is to be. Returns 0, or -1 with R's
 * texts */
static int join_session(struct qmaster *q, struct request *r, struct JB_Type *rec)
{
    const char *key = r->gr.GR_session;
    if (key == NULL)
        return 0;
    struct job_session *s = job_session_find(q, r->from->who.user, key);
    if (s == NULL)
        s = job_session_make(q, r->from, key, &r->ans);
    if (s == NULL)
        return -1;
    cull_set(rec, JB_session, s->rec.SN_number);
    job_session_owe(s, job_task_count(rec));
    return 0;
}

static int check_session(struct qmaster *q, struct request *r, const struct JB_Type *rec)
{
    bool is_watching = (r->gr.GR_options & GDI_WATCH_TOO) != 0;
    if (r->gr.GR_session == NULL && !is_watching)
        return 0;
    return job_session_check(q, r->from, r->gr.GR_session, is_watching, job_task_count(rec),
                             &r->ans);
}

/* checked, and its script is in the spool if it is long: nothing fails any more */
static void make_job(struct qmaster *q, struct request *r, struct JB_Type *rec, size_t bytes,
                     const struct share *share)
{
    stamp_job(q, request_who(r), r->script_of != 0 ? r->script_of : next_number(q), rec);
    if (r->gr.GR_request_id != NULL)
        cull_set(rec, JB_request_id, r->gr.GR_request_id);
    if (r->script_of != 0)
        scripts_keep(q, r->script_of);
    r->script_of = 0;
    struct job *job = job_new(&q->jobs, rec);
    job->bytes = (uint32_t)bytes;
    job->share = *share;
    job_files_take(q, job);
    jobs_add(&q->jobs, job);
    if (r->kept != NULL)
        depend_apply(q, job, depend_plan_of(r));
    change_job_new(q, job);
    users_note(q, job->rec.JB_owner);
    job_files_stage(q, job);
    recent_add(q, job);
    events_job_add(q, job);
    cull_set(&r->ga, GA_job_number, job->rec.JB_job_number);
}

/* is REC a job that may be taken? What it would take, without links to others, is in BYTES and
 * SHARE */
static int check_new(struct qmaster *q, struct request *r, struct JB_Type *rec, size_t *bytes,
                     struct share *share)
{
    job_attributes_keep(rec);
    if (check_disk(q, r) != 0 || job_check_new(q, request_who(r), rec, &r->ans) != 0)
        return -1;
    *bytes = job_check_bytes(rec, 0, 0, &r->ans);
    if (*bytes == 0)
        return -1;
    *share = share_of(q, rec, *bytes);
    if (shares_check(q, request_who(r), request_who(r)->user, share, &r->ans) != 0 ||
        check_session(q, r, rec) != 0)
        return -1;
    return verify_queues(q, rec, q->jobs.next_number, request_who(r)->user, &r->ans);
}

/* links of the job net take memory, too */
static int check_links(struct qmaster *q, struct request *r, const struct JB_Type *rec,
                       struct share *share)
{
    share->memory += depend_plan_bytes(depend_plan_of(r), rec);
    return r->kept == NULL ? 0
                           : shares_check(q, request_who(r), request_who(r)->user, share, &r->ans);
}

/* The job of R: a long script goes before it, and what it is to wait for is found in steps if that
 * is much. After the last step it is checked anew, as others may have taken what was left for it.
 * Returns 0; -1 with R's answer if it is refused; 1 if R was parked and goes on by FN. */
static int submit_new(struct qmaster *q, struct request *r, parked_fn *fn)
{
    struct JB_Type *rec = &r->gr.GR_jobs.v[0];
    bool is_job = rec->JB_verify_suitable_queues <
                  VERIFY_ONLY; /* -w v, -w p: the checks are all that is wanted */
    bool is_resumed = r->kept != NULL;
    struct share share = { 0 };
    size_t bytes = 0;
    if (!is_resumed && check_new(q, r, rec, &bytes, &share) != 0)
        return -1;
    if (is_job)
        begin_script(q, r, rec);
    if (is_job && is_writing_script(q, r)) {
        park(q, r, r->script_of, fn, &(struct selection){ 0 }, 0);
        return 1;
    }
    int rc = depend_make(q, r, NULL, rec, rec, request_who(r)->user);
    if (rc > 0)
        park_for_a_slice(q, r, fn, &(struct selection){ 0 }, 0);
    if (rc == 0 && is_resumed)
        rc = check_new(q, r, rec, &bytes, &share);
    if (rc == 0)
        rc = check_links(q, r, rec, &share);
    if (rc == 0 && is_job)
        rc = join_session(q, r, rec);
    if (rc == 0 && depend_plan_of(r) != NULL)
        depend_plan_warn(depend_plan_of(r), &r->ans);
    if (rc == 0 && is_job)
        make_job(q, r, rec, bytes, &share);
    request_forget(r);
    return rc;
}

static void watch_if_asked(struct qmaster *q, struct request *r)
{
    if ((r->gr.GR_options & GDI_WATCH_TOO) != 0)
        watch_submitted(q, r);
}

/* ---- jobs that start at once or not at all ---- */
/* once the scheduler has decided; until then R goes on after each batch */
static void answer_decided(struct qmaster *q, struct request *r, struct selection *chosen,
                           uint32_t at)
{
    (void)chosen;
    (void)at;
    const struct job *job = jobs_find(&q->jobs, r->ga.GA_job_number);
    bool has_gone =
        job == NULL; /* and may have run, if a lost connection has kept R's user waiting */
    if (has_gone && !recent_has_started(q, request_who(r)->uid, r->gr.GR_request_id)) {
        ans_fail(&r->ans, STATUS_NOTOK_DOAGAIN, MSG_NOT_AT_ONCE_U, r->ga.GA_job_number);
    } else if (!has_gone && job->rec.JB_is_immediate) {
        park(q, r, 0, answer_decided, &(struct selection){ 0 }, 0);
    } else {
        cull_set(&r->ga, GA_has_started, true);
        watch_if_asked(q, r);
    }
}

/* JOB is the one that R has just made, or what is left of it if R is asked again */
static bool is_at_once(const struct request *r, const struct job *job)
{
    bool is_asked_for = r->gr.GR_jobs.n == 1 && r->gr.GR_jobs.v[0].JB_is_immediate;
    return is_asked_for || (job != NULL && job->rec.JB_is_immediate);
}

/* R's job has a number, which R's answer says */
static void go_on_with_job(struct qmaster *q, struct request *r)
{
    struct job *job = jobs_find(&q->jobs, r->ga.GA_job_number);
    if (!is_at_once(r, job)) {
        watch_if_asked(q, r);
        return;
    }
    if (job != NULL && job->rec.JB_is_immediate && !immediate_can_start(q, job))
        (void)immediate_remove(q, job);
    answer_decided(q, r, NULL, 0);
}

static void add_job(struct qmaster *q, struct request *r, struct selection *chosen, uint32_t at)
{
    (void)chosen;
    (void)at;
    if (!answer_again(q, r))
        submit_new(q, r, add_job);
    if (cull_has(&r->ga, GA_job_number))
        go_on_with_job(q, r);
}

/* true: R goes on by FN when it is known in which groups its user is */
static bool awaits_groups(struct qmaster *q, struct request *r, parked_fn *fn)
{
    const struct identity *who = request_who(r);
    if (!membership_awaits(q, who->uid, who->user))
        return false;
    park_for_groups(q, r, fn, who->uid);
    return true;
}

/* the name service has been asked in vain: R's texts say so */
static bool are_groups_open(struct qmaster *q, struct request *r)
{
    const struct identity *who = request_who(r);
    bool are_open = membership_awaits(q, who->uid, who->user);
    if (are_open)
        ans_fail(&r->ans, STATUS_NOTOK_DOAGAIN, MSG_GROUPS_UNSURE_S, who->user);
    return are_open;
}

static void add_job_of_member(struct qmaster *q, struct request *r, struct selection *chosen,
                              uint32_t at)
{
    if (!are_groups_open(q, r))
        add_job(q, r, chosen, at);
}

void submit_request(struct qmaster *q, struct request *r)
{
    bool is_again = recent_find(q, request_who(r)->uid, r->gr.GR_request_id) != 0;
    if (!is_again && r->gr.GR_jobs.n == 1 && awaits_groups(q, r, add_job_of_member))
        return;
    if (r->gr.GR_jobs.n == 1 || is_again)
        add_job(q, r, NULL, 0);
    else
        ans_add(&r->ans, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, MSG_SUBMIT_ONE_JOB_U,
                r->gr.GR_jobs.n);
}

/* ---- qresub ---- */
static void copy_of(struct JB_Type *copy, const struct job *job)
{
    static const unsigned not_copied[] = { JB_ja_u_h_ids, JB_ja_o_h_ids, JB_ja_s_h_ids,
                                           JB_is_immediate };
    cull_copy(&cull_JB_Type, copy, &job->rec);
    job_attributes_keep(copy);
    for (size_t i = 0; i < ARRAY_LEN(not_copied); i++)
        cull_clear_field(&cull_JB_Type, copy, not_copied[i]);
}

/* what was asked of the copy: changed fields, holds on all its tasks */
static void change_copy(const struct GR_Type *gr, struct JB_Type *copy)
{
    struct JB_Type old = { 0 };
    cull_copy_field(&cull_JB_Type, &old, copy, JB_env_list);
    if (gr->GR_jobs.n > 0)
        cull_merge(&cull_JB_Type, copy, &gr->GR_jobs.v[0]);
    if (gr->GR_jobs.n > 0 && cull_has(&gr->GR_jobs.v[0], JB_env_list))
        job_env_keep_submitter(copy, &old.JB_env_list);
    cull_clear(&cull_JB_Type, &old);
    if (gr->GR_hold_op != GDI_HOLD_ADD)
        return;
    uint32_t last = job_task_count(copy) - 1;
    if ((gr->GR_hold_kinds & MINUS_H_TGT_USER) != 0)
        range_set_add(cull_ranges(copy, JB_ja_u_h_ids), 0, last);
    if ((gr->GR_hold_kinds & MINUS_H_TGT_OPERATOR) != 0)
        range_set_add(cull_ranges(copy, JB_ja_o_h_ids), 0, last);
    if ((gr->GR_hold_kinds & MINUS_H_TGT_SYSTEM) != 0)
        range_set_add(cull_ranges(copy, JB_ja_s_h_ids), 0, last);
}

/* the job that was made goes with the answer: the client does not know its name */
static void answer_job(struct qmaster *q, struct request *r)
{
    struct job *job = jobs_find(&q->jobs, r->ga.GA_job_number);
    if (job != NULL)
        cull_copy(&cull_JB_Type, cull_append(&r->ga, GA_jobs), &job->rec);
}

/* a short request may copy a long script: so many at a time, since they are in memory until they
 * are in the spool */
static bool has_to_wait(const struct qmaster *q, const struct request *r, const struct job *job)
{
    return job->rec.JB_files_bytes > SCRIPT_PIECE_BYTES &&
           scripts_are_enough(q, request_who(r)->uid);
}

static void add_copy(struct qmaster *q, struct request *r, struct selection *chosen, uint32_t at)
{
    (void)chosen;
    (void)at;
    if (answer_again(q, r) || submit_new(q, r, add_copy) == 0)
        answer_job(q, r);
}

static parked_fn resubmit_parked, resubmit_of_member;

void resubmit_request(struct qmaster *q, struct request *r)
{
    struct job *job = jobs_find(&q->jobs, r->gr.GR_job_number);
    struct JB_Type copy = { 0 };
    if (answer_again(q, r)) {
        answer_job(q, r);
        return;
    }
    if (job == NULL) {
        ans_add(&r->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_ERROR, MSG_JOB_UNKNOWN_U,
                r->gr.GR_job_number);
        return;
    }
    if (!right_over_job(q, &r->from->who, job)) {
        ans_add(&r->ans, STATUS_ENOTOWNER, ANSWER_QUALITY_ERROR, MSG_JOB_NOT_OWNER_SU,
                r->from->who.user, r->gr.GR_job_number);
        return;
    }
    if (awaits_groups(q, r, resubmit_of_member))
        return;
    copy_of(&copy, job);
    if (has_to_wait(q, r, job)) {
        park(q, r, 0, resubmit_parked, &(struct selection){ 0 }, 0);
    } else if (job_files_get(q, job, &copy)) {
        change_copy(&r->gr, &copy);
        cull_clear_field(&cull_GR_Type, &r->gr, GR_jobs);
        *(struct JB_Type *)cull_append(&r->gr, GR_jobs) =
            copy; /* from now on it is what was asked for */
        add_copy(q, r, NULL, 0);
        return;
    } else {
        park(q, r, r->gr.GR_job_number, resubmit_parked, &(struct selection){ 0 }, 0);
    }
    cull_clear(&cull_JB_Type, &copy);
}

static void resubmit_parked(struct qmaster *q, struct request *r, struct selection *chosen,
                            uint32_t at)
{
    (void)chosen;
    (void)at;
    resubmit_request(q, r);
}

static void resubmit_of_member(struct qmaster *q, struct request *r, struct selection *chosen,
                               uint32_t at)
{
    if (!are_groups_open(q, r))
        resubmit_parked(q, r, chosen, at);
}
