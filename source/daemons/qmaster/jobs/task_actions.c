/* The actions of the table in libs/sgeobj/task_state.h: what follows from an event in the life of a
 * task. Source: qdel(1), qmod(1), queue_conf(5). */
#include "daemons/qmaster/jobs/task_actions.h"

#include <signal.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/job_files.h"
#include "daemons/qmaster/change/recent.h"
#include "daemons/qmaster/change/reporting.h"
#include "daemons/qmaster/hosts/notifications.h"
#include "daemons/qmaster/jobs/depend.h"
#include "daemons/qmaster/jobs/mail.h"
#include "daemons/qmaster/jobs/msg_jobs.h"
#include "daemons/qmaster/jobs/slaves.h"
#include "daemons/qmaster/jobs/start_failures.h"
#include "daemons/qmaster/jobs/usage_count.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/sessions/ends.h"
#include "libs/config/qinstance.h"
#include "libs/sgeobj/accounting.h"
#include "libs/task/task_dir.h"
#include "libs/uti/log.h"

enum { DELAYS_A_TURN = 10000, LIMITS_KEPT = 4, LIMIT_WORDS_MOST = 200 };

static void waits_no_longer(struct job *job, uint32_t ordinal)
{
    if (range_set_has(&job->rare->waiting, ordinal))
        range_set_remove(&job_rare(job)->waiting, ordinal, ordinal);
}

typedef void task_action_fn(struct qmaster *q, struct task *t, const struct happening *h);

/* ---- the reporting file ---- */
static void report_event(struct qmaster *q, const struct task *t, const char *event,
                         const char *state, const char *text)
{
    reporting_event(q, t->job, t->rec.JAT_task_number,
                    &(struct job_event){ event, state, "master", q->host, text });
}

static void report_by_host(struct qmaster *q, const struct task *t, const struct happening *h,
                           const char *event, const char *text)
{
    const char *state = h->from == TASK_STATE_SENT ? "t" : "r";
    reporting_event(q, t->job, t->rec.JAT_task_number,
                    &(struct job_event){ event, state, "execution daemon", task_host(t), text });
}

static void report_again(struct qmaster *q, const struct task *t, const struct happening *h)
{
    struct dstr text = DSTR_INIT;
    dstr_addf(&text, "rescheduling job %u.%u", t->rec.JAT_job_number, t->rec.JAT_task_number);
    report_event(q, t, "restart", h->from == TASK_STATE_SENT ? "t" : "r", dstr_get(&text));
    dstr_free(&text);
}

/* the events of an end as readers know them, all at once */
static void report_end(struct qmaster *q, const struct task *t, const struct happening *h)
{
    if (h->action == TASK_ACTION_PARK) {
        report_by_host(q, t, h, "error", "job set in error state ");
        report_again(q, t, h);
    } else if (h->action == TASK_ACTION_PUT_BACK || h->action == TASK_ACTION_PUT_BACK_QUEUE_ERROR) {
        report_by_host(q, t, h, "restart", "job didn't get resources -> schedule it again");
        report_again(q, t, h);
    } else {
        bool is_deleted = h->from == TASK_STATE_DELETING;
        report_by_host(q, t, h, is_deleted ? "deleted" : "finished",
                       is_deleted ? "job removed " : "job exited");
        report_event(q, t, "finished", "r", "job waits for scheduler's deletion");
        reporting_event(q, t->job, t->rec.JAT_task_number,
                        &(struct job_event){ "deleted", "T", "scheduler", q->host,
                                             "job deleted by scheduler" });
    }
}

/* a suspension that was requested has the user's name (requests/jobs/act.c) */
static void report_suspension(struct qmaster *q, const struct task *t, const struct happening *h,
                              bool is_on)
{
    if (h->reason != TASK_IS_SUSPENDED)
        report_event(q, t, is_on ? "suspended" : "unsuspended", "r", "");
}

/* ---- checkpoints ---- */
/* how this start saves its state: as the environment that its job names is now */
static void keep_checkpoint(struct qmaster *q, struct task *t)
{
    const char *name = t->job->rec.JB_checkpoint_name;
    const struct text_object *env =
        name != NULL ? settings_text(&q->settings, GDI_CKPT, name) : NULL;
    checkpoint_keep(&t->rec, &t->job->rec, env != NULL ? env->record : NULL);
}

static bool is_cleaning(const struct task *t)
{
    return (t->rec.JAT_state & TASK_IS_CLEANING) != 0;
}

/* the client that waits for the start hears of it when the turn is over */
static void note_awaited(struct qmaster *q, const struct job *job)
{
    if (job->is_start_awaited)
        range_set_add(&q->starts, job->rec.JB_job_number, job->rec.JB_job_number);
}

/* ---- starting ---- */
static void act_start(struct qmaster *q, struct task *t, const struct happening *h)
{
    struct JAT_Type *rec = &t->rec;
    waits_no_longer(t->job, t->ordinal);
    cull_set(rec, JAT_attempt, rec->JAT_attempt + 1);
    cull_set(rec, JAT_start_time, q->now_s);
    cull_set(rec, JAT_prio, h->prio);
    cull_clear_field(&cull_JAT_Type, rec, JAT_error_reason);
    cull_clear_field(&cull_JAT_Type, rec, JAT_binding);
    keep_checkpoint(q, t);
    slots_take(q, t, h->places);
    change_task(q, t);
    events_task_started(q, t);
    report_event(q, t, "sent", "t", "sent to execd");
    slaves_start(q, t);
    note_awaited(q, t->job);
}

/* like a start, but with one slot, whether the queue instance has one left or not: the task has
 * been deleted, and no other may start because of it */
static void act_clean(struct qmaster *q, struct task *t, const struct happening *h)
{
    struct JAT_Type *rec = &t->rec;
    waits_no_longer(t->job, t->ordinal);
    cull_set(rec, JAT_attempt, rec->JAT_attempt + 1);
    cull_set(rec, JAT_start_time, q->now_s);
    cull_clear_field(&cull_JAT_Type, rec, JAT_error_reason);
    slots_take(q, t, h->places);
    change_task(q, t);
    events_task_started(q, t);
    exec_start(q, t);
}

static void act_record_start(struct qmaster *q, struct task *t, const struct happening *h)
{
    if (is_cleaning(t)) {
        change_task(q, t); /* at once: its host must not run the command twice */
        return;
    }
    if (cull_has(h->report, JR_start_time))
        cull_set(&t->rec, JAT_start_time, h->report->JR_start_time);
    t->job->changed = change_number(q);
    /* a host that has lost it then has lost a start, and not merely never got it */
    if (t->job->rec.JB_restart == RESTART_NO)
        change_task(q, t); /* at once: it must not start twice after a power cut */
    else
        change_task_later(q, t);
    mail_started(q, t);
    report_event(q, t, "delivered", "r", "job received by execd");
}

/* ---- ending ---- */
/* a start that qmod -rj ended failed for that reason, not by the signal that did it */
static struct JR_Type as_accounted(const struct happening *h, const struct JR_Type *report)
{
    struct JR_Type end = *report; /* shares its members */
    if (h->action == TASK_ACTION_PUT_BACK && h->from == TASK_STATE_RESCHEDULING) {
        end.JR_failed = TASK_FAILED_RESCHEDULE;
        end.JR_exit_status = 0;
    }
    return end;
}

static void write_mail(struct qmaster *q, const struct task *t, const struct happening *h,
                       const struct accounting *a)
{
    struct mail_start start = { .end = MAIL_STARTS_AGAIN,
                                .was_announced = h->from != TASK_STATE_SENT };
    start.is_deleted = h->from == TASK_STATE_DELETING;
    start.is_queue_in_error =
        h->action == TASK_ACTION_PUT_BACK_QUEUE_ERROR || h->action == TASK_ACTION_END_QUEUE_ERROR;
    start.why = h->report->JR_err_str;
    if (h->action == TASK_ACTION_END || h->action == TASK_ACTION_END_QUEUE_ERROR)
        start.end = MAIL_ENDS;
    else if (h->action == TASK_ACTION_PARK)
        start.end = MAIL_ENTERS_ERROR;
    mail_ended(q, t, a, &start);
}

static void write_accounting(struct qmaster *q, struct task *t, const struct happening *h)
{
    struct dstr line = DSTR_INIT, scratch = DSTR_INIT;
    struct JR_Type end = as_accounted(h, h->report);
    struct accounting a;
    accounting_fill(&a, &t->job->rec, &t->rec, &end, &scratch);
    a.ar_submission_time = ars_submission_time(&q->ars, t->job->rec.JB_ar);
    write_mail(q, t, h, &a);
    if (h->own != h->report) { /* its petasks have records of their own */
        end = as_accounted(h, h->own);
        accounting_fill(&a, &t->job->rec, &t->rec, &end, &scratch);
        a.ar_submission_time = ars_submission_time(&q->ars, t->job->rec.JB_ar);
    }
    accounting_line(&a, &line);
    dstr_free(&scratch);
    change_accounting(q, dstr_get(&line));
    reporting_end(q, dstr_get(&line));
    if (q->settings.has_joblog)
        report_end(q, t, h);
    dstr_free(&line);
}

static void keep_finished(struct qmaster *q, struct job *job)
{
    struct jobs *jobs = &q->jobs;
    job_files_drop(job);
    TAILQ_INSERT_TAIL(&jobs->finished, job, in_named);
    jobs->n_finished++;
    while (jobs->n_finished > q->settings.finished_jobs) {
        struct job *oldest = TAILQ_FIRST(&jobs->finished);
        TAILQ_REMOVE(&jobs->finished, oldest, in_named);
        jobs->n_finished--;
        job_free(jobs, oldest);
    }
}

static void finish_job(struct qmaster *q, struct job *job)
{
    mail_job_gone(q, job);
    change_job_gone(q, job);
    scripts_remove(q, job->rec.JB_job_number, job->rec.JB_files_bytes);
    depend_job_gone(q, job);
    events_job_del(q, job);
    exec_forget_job(q, job);
    ends_job_gone(q, job);
    recent_job_ended(q, job);
    note_awaited(q, job);
    jobs_remove(&q->jobs, job);
    keep_finished(q, job);
}

/* nothing is recorded of a job that is removed now */
static void note_failed(struct job *job, const struct range_set *ended,
                        const struct JR_Type *report)
{
    bool is_good =
        report != NULL && report->JR_failed == TASK_FAILED_NOT && report->JR_exit_status == 0;
    if (!is_good && !range_set_is_empty(&job->unfinished))
        range_set_unite(&job_rare(job)->failed, ended);
}

/* tasks that have left `unfinished`, as REPORT says, or, if it is NULL, without having run; true
 * while the job is still there */
bool task_ordinals_ended(struct qmaster *q, struct job *job, const struct range_set *ended,
                         const struct JR_Type *report)
{
    range_set_subtract(&job->rec.JB_ja_a_h_ids, ended);
    note_failed(job, ended, report);
    change_ended(q, job, ended);
    events_tasks_done(q, job, ended, report);
    depend_ended(q, job, ended);
    if (!range_set_is_empty(&job->unfinished))
        return true;
    finish_job(q, job);
    return false;
}

static void end_record(struct qmaster *q, struct task *t, const struct JR_Type *report)
{
    struct job *job = t->job;
    uint32_t ordinal = t->ordinal;
    struct range_set one = { 0 };
    waits_no_longer(job, ordinal);
    change_task_gone(q, job, ordinal);
    usage_count_gone(q, t);
    job_task_remove(job, t);
    range_set_add(&one, ordinal, ordinal);
    range_set_remove(&job->unfinished, ordinal, ordinal);
    task_ordinals_ended(q, job, &one, report);
    range_set_free(&one);
}

/* The first start after another follows at once; then each waits twice as long as the last, so that
 * a task that fails at every start (exit 99 without end) costs little. One that was asked for (qmod
 * -rj, a migration) follows at once. */
static uint64_t delay_s(const struct settings *s, const struct task *t, bool is_asked_for)
{
    uint32_t again = t->rec.JAT_job_restarted; /* counts this time */
    if (is_asked_for || again < 2 || s->reschedule_delay_s == 0)
        return 0;
    uint64_t delay = again - 2 < 32 ? (uint64_t)s->reschedule_delay_s << (again - 2) : UINT64_MAX;
    return delay < s->reschedule_delay_most_s ? delay : s->reschedule_delay_most_s;
}

static void make_ready(struct qmaster *q, struct job *job, uint32_t ordinal)
{
    if (job_is_startable(job, ordinal))
        events_task_ready(q, job, ordinal);
}

void tasks_end_delays(struct qmaster *q)
{
    struct task *t;
    for (unsigned i = 0; i < DELAYS_A_TURN && (t = jobs_end_delay(&q->jobs, q->now_s)) != NULL; i++)
        make_ready(q, t->job, t->ordinal);
}

/* the start is over: it is accounted for, and its slots are free */
static void leave_host(struct qmaster *q, struct task *t, const struct happening *h)
{
    const struct JR_Type *report = h->report;
    cull_set(&t->rec, JAT_end_time, report->JR_end_time);
    write_accounting(q, t, h);
    if (is_own_end(h->from))
        start_failures_ended(q, t, report->JR_failed, report->JR_err_str);
    usage_count_ended(q, t, report);
    slots_give_back(q, t);
    cull_clear_field(&cull_JAT_Type, &t->rec, JAT_petasks_done);
    cull_clear_field(&cull_JAT_Type, &t->rec, JAT_petask_usage);
}

static void wait_again(struct qmaster *q, struct task *t)
{
    cull_clear_field(&cull_JAT_Type, &t->rec, JAT_scaled_usage_list);
    range_set_add(&job_rare(t->job)->waiting, t->ordinal, t->ordinal);
    change_task(q, t);
}

static void act_put_back(struct qmaster *q, struct task *t, const struct happening *h)
{
    bool is_asked_for =
        h->from == TASK_STATE_RESCHEDULING || h->report->JR_failed == TASK_FAILED_MIGRATING;
    leave_host(q, t, h);
    cull_set(&t->rec, JAT_job_restarted, t->rec.JAT_job_restarted + 1);
    uint64_t wait_s = delay_s(&q->settings, t, is_asked_for);
    if (wait_s > 0)
        cull_set(&t->rec, JAT_not_before, q->now_s + wait_s);
    wait_again(q, t);
    if (wait_s > 0)
        jobs_delay(&q->jobs, t);
    make_ready(q, t->job, t->ordinal);
}

static void act_park(struct qmaster *q, struct task *t, const struct happening *h)
{
    const char *why = h->report->JR_err_str;
    leave_host(q, t, h);
    cull_set(&t->rec, JAT_error_reason, why != NULL ? why : "");
    change_task(q, t);
    events_task_state(q, t);
    ends_task_in_error(q, t, h->report);
    note_awaited(q, t->job);
}

static void queue_to_error(struct qmaster *q, const struct task *t, const char *why)
{
    struct qinstance *qi = queues_instance(&q->queues, task_queue(t));
    struct dstr text = DSTR_INIT;
    if (qi == NULL)
        return;
    dstr_addf(&text, MSG_QUEUE_MARKED_SUS, qi->rec.QU_qname, t->rec.JAT_job_number,
              qi->rec.QU_qhostname);
    if (why != NULL && *why != '\0')
        dstr_addf(&text, ": %s", why);
    log_msg(LOG_LEVEL_ERROR, "%s", dstr_get(&text));
    cull_set(&qi->rec, QU_state, qi->rec.QU_state | QI_ERROR);
    cull_set(&qi->rec, QU_message, dstr_get(&text));
    dstr_free(&text);
    queues_note_change(&q->queues, qi, change_number(q));
    change_record(q, SPOOL_QINSTANCE, qi->rec.QU_full_name, &cull_QU_Type, &qi->rec);
    events_queue_mod(q, qi);
}

/* its queue was to blame, and takes no task meanwhile: it starts elsewhere, at once. Its job has
 * not run, so that this counts as no restart. */
static void act_put_back_queue_error(struct qmaster *q, struct task *t, const struct happening *h)
{
    const struct JR_Type *report = h->report;
    leave_host(q, t, h);
    queue_to_error(q, t, report->JR_err_str);
    if (report->JR_err_str != NULL)
        cull_set(&t->rec, JAT_error_reason, report->JR_err_str);
    wait_again(q, t);
    make_ready(q, t->job, t->ordinal);
}

/* for qstat -j, while other tasks of the job are there: the last few, in memory alone */
static void keep_limit(const struct task *t, const char *why)
{
    struct JB_Type *rec = &t->job->rec;
    struct dstr text = DSTR_INIT;
    dstr_addf(&text, "%u %.*s", t->rec.JAT_task_number, (int)LIMIT_WORDS_MOST, why);
    if (rec->JB_limit_list.n == LIMITS_KEPT)
        cull_remove_at(&cull_ST_Type, (struct cull_list *)&rec->JB_limit_list, 0);
    cull_set((struct ST_Type *)cull_append(rec, JB_limit_list), ST_name, dstr_get(&text));
    dstr_free(&text);
}

/* a limit has ended it */
static void note_limit(const struct task *t, const char *why)
{
    log_msg(LOG_LEVEL_WARNING, MSG_TASK_LIMIT_UUSS, t->rec.JAT_job_number, t->rec.JAT_task_number,
            task_host(t), why);
    if (job_is_array(&t->job->rec))
        keep_limit(t, why);
}

/* deleted while it waited for another start, or in error */
static void act_end_unrun(struct qmaster *q, struct task *t, const struct happening *h)
{
    struct range_set one = { 0 };
    (void)h;
    range_set_add(&one, t->ordinal, t->ordinal);
    ends_tasks_unrun(q, t->job, &one);
    range_set_free(&one);
    end_record(q, t, NULL);
}

/* the end of its clean_command: it was deleted before, so that nothing is accounted for */
static void end_cleaning(struct qmaster *q, struct task *t, const struct happening *h)
{
    const char *why = h->report->JR_err_str;
    if (h->report->JR_failed != TASK_FAILED_NOT)
        log_msg(LOG_LEVEL_WARNING, MSG_NOT_CLEANED_UUSS, t->rec.JAT_job_number,
                t->rec.JAT_task_number, task_host(t), why != NULL ? why : MSG_CLEANING_LOST);
    slots_give_back(q, t);
    act_end_unrun(q, t, h);
}

static void act_end(struct qmaster *q, struct task *t, const struct happening *h)
{
    if (is_cleaning(t)) {
        end_cleaning(q, t, h);
        return;
    }
    leave_host(q, t, h);
    if (h->action == TASK_ACTION_END_QUEUE_ERROR)
        queue_to_error(q, t, h->report->JR_err_str);
    if (h->report->JR_failed == TASK_FAILED_LIMIT && h->report->JR_err_str != NULL)
        note_limit(t, h->report->JR_err_str);
    ends_task_ended(q, t, h->report);
    end_record(q, t, h->report);
}

/* ---- while it has slots ---- */
/* where slots are counted over several queues, a task that stops or continues leaves others more or
 * less of them */
static void note_crowd(struct qmaster *q, const struct task *t)
{
    const struct JG_Type_list *granted = &t->rec.JAT_granted_destin_identifier_list;
    for (uint32_t i = 0; i < granted->n; i++) {
        struct host *h = hosts_find(&q->hosts, granted->v[i].JG_qhostname);
        if (h != NULL && h->n_slotwise > 0)
            host_note_crowded(&q->hosts, h);
    }
}

static void act_note(struct qmaster *q, struct task *t, const struct happening *h)
{
    if (q->hosts.n_slotwise > 0 && h->reason != TASK_IS_SUBORDINATE_SUSPENDED)
        note_crowd(q, t);
    change_task(q, t);
    events_task_state(q, t);
}

static void act_stop(struct qmaster *q, struct task *t, const struct happening *h)
{
    act_note(q, t, h);
    if (h->from != TASK_STATE_SENT || !migrates_when_stopped(t)) /* else it does once it runs */
        exec_signal(q, t, SIGSTOP);
    mail_suspended(q, t, h->reason, true);
    report_suspension(q, t, h, true);
}

static void act_migrate(struct qmaster *q, struct task *t, const struct happening *h)
{
    act_note(q, t, h);
    exec_signal(q, t, TASK_REQUEST_MIGRATE);
}

static void act_continue(struct qmaster *q, struct task *t, const struct happening *h)
{
    act_note(q, t, h);
    exec_signal(q, t, SIGCONT);
    mail_suspended(q, t, h->reason, false);
    report_suspension(q, t, h, false);
}

static void act_kill(struct qmaster *q, struct task *t, const struct happening *h)
{
    (void)h;
    change_task(q, t);
    task_repeat_signal(q, t);
}

int task_signal_wanted(const struct task *t)
{
    enum task_state state = task_state_of(&t->rec);
    if (is_cleaning(t))
        return 0; /* it has been deleted already */
    bool is_to_stop = (t->rec.JAT_state & (uint32_t)TASK_SUSPENSIONS) != 0;
    if (task_has_ended(t))
        return SIGKILL; /* its slaves end */
    if (state == TASK_STATE_RESCHEDULING && checkpoint_of(&t->rec) != NULL)
        return TASK_REQUEST_END_AGAIN; /* what it has saved stays */
    if (state == TASK_STATE_DELETING || state == TASK_STATE_RESCHEDULING)
        return SIGKILL;
    if (state == TASK_STATE_MIGRATING)
        return TASK_REQUEST_MIGRATE;
    if (is_to_stop && !(state == TASK_STATE_SENT && migrates_when_stopped(t)))
        return SIGSTOP; /* else it migrates once it runs */
    if (state == TASK_STATE_RUNNING && (t->rec.JAT_state & TASK_WAS_SUSPENDED) != 0)
        return SIGCONT; /* which changes nothing for one that runs already */
    return 0;
}

void task_repeat_signal(struct qmaster *q, const struct task *t)
{
    int sig = task_signal_wanted(t);
    if (sig != 0)
        exec_signal(q, t, sig);
}

static void act_repeat(struct qmaster *q, struct task *t, const struct happening *h)
{
    act_note(q, t, h);
    task_repeat_signal(q, t);
}

static void act_clear(struct qmaster *q, struct task *t, const struct happening *h)
{
    (void)h;
    cull_clear_field(&cull_JAT_Type, &t->rec, JAT_error_reason);
    range_set_add(&job_rare(t->job)->waiting, t->ordinal, t->ordinal);
    change_task(q, t);
    events_task_state(q, t);
    make_ready(q, t->job, t->ordinal);
}

/* ---- the table ---- */
static task_action_fn *const actions[TASK_ACTIONS] = {
    [TASK_ACTION_START] = act_start,
    [TASK_ACTION_RECORD_START] = act_record_start,
    [TASK_ACTION_STOP] = act_stop,
    [TASK_ACTION_CONTINUE] = act_continue,
    [TASK_ACTION_NOTE] = act_note,
    [TASK_ACTION_REPEAT] = act_repeat,
    [TASK_ACTION_MIGRATE] = act_migrate,
    [TASK_ACTION_KILL] = act_kill,
    [TASK_ACTION_CLEAN] = act_clean,
    [TASK_ACTION_END] = act_end,
    [TASK_ACTION_END_UNRUN] = act_end_unrun,
    [TASK_ACTION_END_QUEUE_ERROR] = act_end,
    [TASK_ACTION_PUT_BACK] = act_put_back,
    [TASK_ACTION_PUT_BACK_QUEUE_ERROR] = act_put_back_queue_error,
    [TASK_ACTION_PARK] = act_park,
    [TASK_ACTION_CLEAR] = act_clear,
};

void task_act(struct qmaster *q, struct task *t, const struct happening *h)
{
    actions[h->action](q, t, h);
}
