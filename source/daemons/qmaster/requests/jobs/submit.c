/* Submitting: ADD of a job, COPY (qresub), and ADD_AS, by which a program of root's submits as the
 * user it acts for. The tables at the end have the steps of each. A job is checked whole before
 * anything is changed; then it is in the table, its holds are computed, it is staged with its
 * environment and script, the scheduler gets it, and the answer waits for the disk. */
#include <stdlib.h>
#include <strings.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/job_files.h"
#include "daemons/qmaster/change/recent.h"
#include "daemons/qmaster/change/reporting.h"
#include "daemons/qmaster/change/request.h"
#include "daemons/qmaster/change/shares.h"
#include "daemons/qmaster/config/users.h"
#include "daemons/qmaster/io/committer.h"
#include "daemons/qmaster/io/net.h"
#include "daemons/qmaster/jobs/ar_life.h"
#include "daemons/qmaster/jobs/depend.h"
#include "daemons/qmaster/jobs/immediate.h"
#include "daemons/qmaster/requests/explain/verify.h"
#include "daemons/qmaster/requests/jobs/job_check.h"
#include "daemons/qmaster/requests/jobs/job_requests.h"
#include "daemons/qmaster/requests/steps/msg_requests.h"
#include "daemons/qmaster/requests/steps/steps.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/sessions/session_records.h"
#include "daemons/qmaster/tables/rights.h"
#include "libs/comm/server.h"
#include "libs/config/conf.h"
#include "libs/sgeobj/job_attribute.h"
#include "libs/sgeobj/job_request.h"
#include "libs/sgeobj/job_state.h"
#include "libs/sgeobj/task_state.h"
#include "libs/uti/dstr.h"
#include "libs/uti/log.h"

enum { MAX_JOB_NUMBER = 9999999, BYTES_PER_MIB = 1024 * 1024 };

static uint32_t next_number(struct qmaster *q)
{
    struct jobs *jobs = &q->jobs;
    while (jobs_find(jobs, jobs->next_number) != NULL || scripts_has(q, jobs->next_number) ||
           session_records_have_job(q, jobs->next_number) || jobs->next_number == 0 ||
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

/* is R's job one that may be taken? What it would take, without links to others, is in R */
static int check_new(struct qmaster *q, struct request *r)
{
    struct JB_Type *rec = &r->gr.GR_jobs.v[0];
    const struct identity *who = request_who(r);
    job_attributes_keep(rec);
    if (check_disk(q, r) != 0 || job_check_new(q, who, rec, &r->ans) != 0)
        return -1;
    r->bytes = job_check_bytes(rec, 0, 0, &r->ans);
    if (r->bytes == 0)
        return -1;
    r->share = share_of(q, rec, r->bytes);
    if (shares_check(q, who, who->user, &r->share, &r->ans) != 0 || check_session(q, r, rec) != 0)
        return -1;
    return verify_queues(q, rec, q->jobs.next_number, who->user, &r->ans);
}

/* links of the job net take memory, too */
static int check_links(struct qmaster *q, struct request *r, const struct JB_Type *rec)
{
    const struct identity *who = request_who(r);
    const struct depend_plan *plan = depend_plan_of(r);
    r->share.memory += depend_plan_bytes(plan, rec);
    return plan == NULL ? 0 : shares_check(q, who, who->user, &r->share, &r->ans);
}

/* with -w v and -w p the checks are all that is wanted */
static bool is_job_wanted(const struct request *r)
{
    return r->gr.GR_jobs.v[0].JB_verify_suitable_queues < VERIFY_ONLY;
}

/* Does R have its job: made by it, or by the same request that the client sent before, maybe while
 * this one waited? Then the number is in its answer. */
static bool has_job(struct qmaster *q, struct request *r)
{
    bool may_be_new = r->step == 0 || r->has_waited;
    uint32_t number = may_be_new ? recent_find(q, request_who(r)->uid, r->gr.GR_request_id) : 0;
    if (number != 0)
        cull_set(&r->ga, GA_job_number, number);
    return cull_has(&r->ga, GA_job_number);
}

/* ---- the user ---- */
/* ADD_AS: root names the owner by number, and nothing else in the message is believed: name and
 * group come from the name service. From there on it is a submit with the owner's rights and
 * limits, in a session of root's. */
static enum step_result look_up_owner(struct qmaster *q, struct request *r)
{
    if (right_to_submit_as(&r->from->who, &r->ans) != 0)
        return STEP_LAST;
    if (!cull_has(&r->gr, GR_owner)) {
        ans_fail(&r->ans, STATUS_ESEMANTIC, MSG_NO_OWNER);
        return STEP_LAST;
    }
    net_ask_owner(q->net, r->gr.GR_owner);
    r->awaited = r->gr.GR_owner;
    return STEP_WAIT_OWNER;
}

static enum step_result check_owner(struct qmaster *q, struct request *r)
{
    (void)q;
    if (r->owner.user != NULL)
        return STEP_NEXT;
    if (r->is_owner_unsure)
        ans_fail(&r->ans, STATUS_NOTOK_DOAGAIN, MSG_OWNER_UNSURE_U, r->gr.GR_owner);
    else
        ans_fail(&r->ans, STATUS_DENIED, MSG_OWNER_UNKNOWN_U, r->gr.GR_owner);
    return STEP_LAST;
}

static enum step_result look_up_groups(struct qmaster *q, struct request *r)
{
    const struct identity *who = request_who(r);
    if (has_job(q, r) || !membership_awaits(q, who->uid, who->user))
        return STEP_NEXT;
    r->awaited = who->uid;
    return STEP_WAIT_GROUPS;
}

static enum step_result check_groups(struct qmaster *q, struct request *r)
{
    const struct identity *who = request_who(r);
    if (has_job(q, r) || !membership_awaits(q, who->uid, who->user))
        return STEP_NEXT;
    ans_fail(&r->ans, STATUS_NOTOK_DOAGAIN, MSG_GROUPS_UNSURE_S, who->user);
    return STEP_LAST;
}

/* ---- a new job ---- */
static enum step_result check_count(struct qmaster *q, struct request *r)
{
    if (has_job(q, r) || r->gr.GR_jobs.n == 1)
        return STEP_NEXT;
    ans_add(&r->ans, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, MSG_SUBMIT_ONE_JOB_U, r->gr.GR_jobs.n);
    return STEP_LAST;
}

static enum step_result check_job(struct qmaster *q, struct request *r)
{
    if (has_job(q, r))
        return STEP_NEXT;
    r->has_waited = false;
    return check_new(q, r) == 0 ? STEP_NEXT : STEP_LAST;
}

/* A long script goes to the spool before its job, under the number that the job will have. */
static enum step_result write_script(struct qmaster *q, struct request *r)
{
    if (has_job(q, r) || !is_job_wanted(r))
        return STEP_NEXT;
    const char *script = r->gr.GR_jobs.v[0].JB_script_ptr;
    if (r->script_of == 0 && scripts_is_long(script)) {
        r->script_of = next_number(q);
        scripts_begin(q, r->script_of, request_who(r)->uid, script);
    }
    r->awaited = r->script_of;
    return r->script_of == 0 || scripts_is_there(q, r->script_of) ? STEP_NEXT : STEP_WAIT_FILES;
}

/* What it is to wait for is found in slices if that is much. */
static enum step_result plan_dependencies(struct qmaster *q, struct request *r)
{
    if (has_job(q, r))
        return STEP_NEXT;
    struct JB_Type *rec = &r->gr.GR_jobs.v[0];
    int rc = depend_make(q, r, NULL, rec, rec, request_who(r)->user);
    return rc > 0 ? STEP_WAIT_SLICE : rc == 0 ? STEP_NEXT : STEP_LAST;
}

/* checked and planned, and its script is in the spool if it is long: nothing fails any more */
static void table_and_stage(struct qmaster *q, struct request *r, struct JB_Type *rec)
{
    struct job *job = job_new(&q->jobs, rec);
    job->bytes = (uint32_t)r->bytes;
    job->share = r->share;
    job_files_take(q, job);
    jobs_add(&q->jobs, job);
    ar_note_job(q, job);
    if (depend_plan_of(r) != NULL)
        depend_apply(q, job, depend_plan_of(r));
    change_job_new(q, job);
    users_note(q, job->rec.JB_owner);
    job_files_stage(q, job);
    recent_add(q, job);
    events_job_add(q, job);
    reporting_job(q, job, r->from->who.user, r->from->who.host);
    cull_set(&r->ga, GA_job_number, job->rec.JB_job_number);
}

/* If R has waited it is checked anew: others may have taken what was left for it. */
static enum step_result make_job(struct qmaster *q, struct request *r)
{
    if (has_job(q, r))
        return STEP_NEXT;
    struct JB_Type *rec = &r->gr.GR_jobs.v[0];
    if ((r->has_waited && check_new(q, r) != 0) || check_links(q, r, rec) != 0 ||
        (is_job_wanted(r) && join_session(q, r, rec) != 0))
        return STEP_LAST;
    if (depend_plan_of(r) != NULL)
        depend_plan_warn(depend_plan_of(r), &r->ans);
    if (!is_job_wanted(r))
        return STEP_LAST;
    stamp_job(q, request_who(r), r->script_of != 0 ? r->script_of : next_number(q), rec);
    if (r->gr.GR_request_id != NULL)
        cull_set(rec, JB_request_id, r->gr.GR_request_id);
    if (r->script_of != 0)
        scripts_keep(q, r->script_of);
    r->script_of = 0;
    table_and_stage(q, r, rec);
    request_end_step(r);
    return STEP_NEXT;
}

/* ---- the start and the answer ---- */
static void watch_if_asked(struct qmaster *q, struct request *r)
{
    if ((r->gr.GR_options & GDI_WATCH_TOO) != 0)
        watch_submitted(q, r);
}

/* Must the job start at once or not at all? JOB is the one that R has just made, or what is left of
 * it if R is asked again. */
static bool is_at_once(const struct request *r, const struct job *job)
{
    bool is_asked_for = r->gr.GR_jobs.n == 1 && r->gr.GR_jobs.v[0].JB_is_immediate;
    return is_asked_for || (job != NULL && job->rec.JB_is_immediate);
}

static enum step_result try_at_once(struct qmaster *q, struct request *r)
{
    struct job *job = jobs_find(&q->jobs, r->ga.GA_job_number);
    if (job != NULL && job_is_interactive(&job->rec) && !job->rec.JB_is_immediate)
        return STEP_NEXT;
    if (!is_at_once(r, job)) {
        watch_if_asked(q, r);
        return STEP_LAST;
    }
    if (job != NULL && job->rec.JB_is_immediate && !immediate_can_start(q, job))
        (void)immediate_remove(q, job);
    return STEP_NEXT;
}

/* after each batch, until the scheduler has decided */
static enum step_result await_start(struct qmaster *q, struct request *r)
{
    const struct job *job = jobs_find(&q->jobs, r->ga.GA_job_number);
    if (job != NULL && job_is_interactive(&job->rec) && !job->rec.JB_is_immediate)
        return STEP_NEXT;
    bool has_gone =
        job == NULL; /* and may have run, if a lost connection has kept R's user waiting */
    if (has_gone && !recent_has_started(q, request_who(r)->uid, r->gr.GR_request_id)) {
        ans_fail(&r->ans, STATUS_NOTOK_DOAGAIN, MSG_NOT_AT_ONCE_U, r->ga.GA_job_number);
        return STEP_LAST;
    }
    if (!has_gone && job->rec.JB_is_immediate)
        return STEP_WAIT_BATCH;
    cull_set(&r->ga, GA_has_started, true);
    watch_if_asked(q, r);
    return STEP_NEXT;
}

/* 0 while the task of JOB, which a client waits for, may start; else -1 with why it will not */
static int fail_start(const struct job *job, const struct task *t, uint32_t number,
                      struct answer *ans)
{
    if (job == NULL)
        return ans_fail(ans, STATUS_EUNKNOWN, MSG_SESSION_GONE_U, number);
    if (t != NULL && t->rec.JAT_status == TASK_ERROR)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_SESSION_IN_ERROR_US, number,
                        t->rec.JAT_error_reason != NULL ? t->rec.JAT_error_reason : "");
    return 0;
}

/* the program by which this client is to reach its task, if that is not builtin */
static void say_command(struct qmaster *q, struct request *r, const struct JB_Type *job)
{
    if (!job_has_session(job))
        return;
    const struct conf *global = settings_conf(&q->settings, CONF_GLOBAL),
                      *host = settings_conf(&q->settings, request_who(r)->host);
    const char *command =
        conf_get(global != NULL ? &global->rec : NULL, host != NULL ? &host->rec : NULL,
                 job_session_setting(job, false));
    if (strcasecmp(command, "builtin") != 0 && strcasecmp(command, "none") != 0)
        cull_set(&r->ga, GA_command, command);
}

/* The client of an interactive job needs to know the host. It has the number while it waits. */
static enum step_result await_session(struct qmaster *q, struct request *r)
{
    uint32_t number = r->awaits_session ? (uint32_t)r->awaited : r->ga.GA_job_number;
    struct job *job = jobs_find(&q->jobs, number);
    struct task *t = job != NULL ? job_task_first(job, 0) : NULL;
    bool is_awaited = r->awaits_session || (job != NULL && job_is_interactive(&job->rec));
    if (!is_awaited || fail_start(job, t, number, &r->ans) != 0)
        return STEP_LAST;
    if (t != NULL && task_holds_slots(t)) {
        cull_set(&r->ga, GA_has_started, true);
        cull_set(&r->ga, GA_queue, task_queue(t));
        say_command(q, r, &job->rec);
        return STEP_LAST;
    }
    enum step_result result = r->awaits_session ? STEP_WAIT_START : STEP_WAIT_PART;
    r->awaits_session = true;
    r->awaited = number;
    job->is_start_awaited = true;
    comm_server_keep(net_server(q->net), r->from->conn);
    return result;
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

/* a short request may copy a long script: so many at a time, since they are in memory until they
 * are in the spool */
static bool has_to_wait(const struct qmaster *q, const struct request *r, const struct job *job)
{
    return job->rec.JB_files_bytes > SCRIPT_PIECE_BYTES &&
           scripts_are_enough(q, request_who(r)->uid);
}

/* the job that R copies; NULL with R's text */
static struct job *find_original(struct qmaster *q, struct request *r)
{
    struct job *job = jobs_find(&q->jobs, r->gr.GR_job_number);
    if (job == NULL)
        ans_add(&r->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_ERROR, MSG_JOB_UNKNOWN_U,
                r->gr.GR_job_number);
    else if (!right_over_job(q, &r->from->who, job))
        return ans_null(&r->ans, STATUS_ENOTOWNER, MSG_JOB_NOT_OWNER_SU, r->from->who.user,
                        r->gr.GR_job_number);
    return job;
}

static enum step_result check_original(struct qmaster *q, struct request *r)
{
    return has_job(q, r) || find_original(q, r) != NULL ? STEP_NEXT : STEP_LAST;
}

/* the copy, with its environment and script; from then on it is what was asked for */
static enum step_result copy_original(struct qmaster *q, struct request *r)
{
    struct JB_Type copy = { 0 };
    if (has_job(q, r))
        return STEP_NEXT;
    struct job *job = find_original(q, r);
    if (job == NULL)
        return STEP_LAST;
    if (has_to_wait(q, r, job))
        return STEP_WAIT_BATCH;
    if (job_is_interactive(&job->rec)) {
        ans_fail(&r->ans, STATUS_ESEMANTIC, MSG_COPY_INTERACTIVE_U, r->gr.GR_job_number);
        return STEP_LAST;
    }
    copy_of(&copy, job);
    if (!job_files_get(q, job, &copy)) {
        cull_clear(&cull_JB_Type, &copy);
        r->awaited = r->gr.GR_job_number;
        return STEP_WAIT_FILES;
    }
    change_copy(&r->gr, &copy);
    cull_clear_field(&cull_GR_Type, &r->gr, GR_jobs);
    *(struct JB_Type *)cull_append(&r->gr, GR_jobs) = copy;
    return STEP_NEXT;
}

/* the job that was made goes with the answer: the client does not know its name */
static enum step_result answer_copy(struct qmaster *q, struct request *r)
{
    struct job *job = jobs_find(&q->jobs, r->ga.GA_job_number);
    if (job != NULL)
        cull_copy(&cull_JB_Type, cull_append(&r->ga, GA_jobs), &job->rec);
    return STEP_NEXT;
}

/* ---- the steps of each request ---- */
void submit_request(struct qmaster *q, struct request *r)
{
    static step_fn *const steps[] = {
        /* check */
        check_count,
        look_up_groups,
        check_groups,
        check_job,
        /* plan: its script in the spool, its predecessors */
        write_script,
        plan_dependencies,
        /* stamp, table, stage */
        make_job,
        /* answer, with -now y when the scheduler has decided */
        try_at_once,
        await_start,
        await_session,
        NULL,
    };
    request_run(q, r, steps);
}

void submit_as_request(struct qmaster *q, struct request *r)
{
    static step_fn *const steps[] = {
        /* whose job it will be; from here on as above */
        look_up_owner,
        check_owner,
        /* check */
        check_count,
        look_up_groups,
        check_groups,
        check_job,
        /* plan, stamp, table, stage */
        write_script,
        plan_dependencies,
        make_job,
        /* answer */
        try_at_once,
        await_start,
        await_session,
        NULL,
    };
    request_run(q, r, steps);
}

void resubmit_request(struct qmaster *q, struct request *r)
{
    static step_fn *const steps[] = {
        /* check, and make the copy */
        check_original,
        look_up_groups,
        check_groups,
        copy_original,
        check_job,
        /* plan, stamp, table, stage */
        write_script,
        plan_dependencies,
        make_job,
        /* answer */
        answer_copy,
        NULL,
    };
    request_run(q, r, steps);
}
