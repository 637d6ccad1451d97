/* The life of a task: the actions of the table in libs/sgeobj/task_state.h, and the events. A task
 * has a record only while it runs, waits to run again, or is in error.
 * Every start has an attempt number, so that a report about an older start, or one sent twice, is
 * known for what it is (design: a task runs at most once at a time, and its end is recorded exactly
 * once). Source: qdel(1), qmod(1), queue_conf(5); exit codes 99 and 100 as in submit(1). */
#include "daemons/qmaster/jobs/tasks.h"

#include <signal.h>
#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/job_files.h"
#include "daemons/qmaster/change/recent.h"
#include "daemons/qmaster/change/reporting.h"
#include "daemons/qmaster/hosts/notifications.h"
#include "daemons/qmaster/jobs/depend.h"
#include "daemons/qmaster/jobs/mail.h"
#include "daemons/qmaster/jobs/msg_jobs.h"
#include "daemons/qmaster/jobs/petasks.h"
#include "daemons/qmaster/jobs/slaves.h"
#include "daemons/qmaster/jobs/start_failures.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/sessions/ends.h"
#include "libs/config/qinstance.h"
#include "libs/sgeobj/accounting.h"
#include "libs/sgeobj/checkpoint.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/job_request.h"
#include "libs/sgeobj/task_key.h"
#include "libs/sgeobj/task_state.h"
#include "libs/task/task_dir.h"
#include "libs/uti/dstr.h"
#include "libs/uti/log.h"

enum { DELAYS_A_TURN = 10000, TOPOLOGY_MOST = 8192, LIMITS_KEPT = 4, LIMIT_WORDS_MOST = 200 };

static void waits_no_longer(struct job *job, uint32_t ordinal)
{
    if (range_set_has(&job->rare->waiting, ordinal))
        range_set_remove(&job_rare(job)->waiting, ordinal, ordinal);
}

/* What an event brings along. */
struct happening {
    enum task_state from;
    enum task_action action;
    uint32_t reason;              /* of a suspension */
    const struct JR_Type *report; /* of a start or an end; this with the usage of its petasks */
    const struct JR_Type *own;    /* of an end: the task's own */
    const struct places *places;  /* of an order, and its priority */
    double prio;
};
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

/* its next start goes on from there; true if that is news */
static bool note_checkpoint(struct task *t, const struct JR_Type *report)
{
    if (!report->JR_is_checkpointed || t->rec.JAT_is_checkpointed)
        return false;
    cull_set(&t->rec, JAT_is_checkpointed, true);
    return true;
}

/* where a task that waits has run last, if a command is to remove what it has saved there: the
 * command runs once, when the task will not start again, and it needs a host. NULL: nowhere */
static struct qinstance *place_to_clean(struct qmaster *q, const struct task *t)
{
    const struct TC_Type *tc = checkpoint_of(&t->rec);
    bool has_run = t->rec.JAT_job_restarted > 0 || t->rec.JAT_is_checkpointed;
    if (tc == NULL || tc->TC_clean_command == NULL || !has_run ||
        !checkpoint_has_commands((enum checkpoint_interface)tc->TC_interface))
        return NULL;
    struct qinstance *qi = queues_instance(&q->queues, task_queue(t));
    if (qi == NULL)
        log_msg(LOG_LEVEL_WARNING, MSG_NOT_CLEANED_UUSS, t->rec.JAT_job_number,
                t->rec.JAT_task_number, task_host(t), MSG_QUEUE_GONE);
    return qi;
}

static bool is_cleaning(const struct task *t)
{
    return (t->rec.JAT_state & TASK_IS_CLEANING) != 0;
}

/* LETTERS: a topology. It is not spooled: hosts report it again when they register */
static void note_binding(struct task *t, const char *letters)
{
    size_t len = strspn(letters, "SCTsct");
    bool is_known = t->rec.JAT_binding != NULL && strcmp(t->rec.JAT_binding, letters) == 0;
    if (!is_known && letters[len] == '\0' && len <= TOPOLOGY_MOST)
        cull_set(&t->rec, JAT_binding, letters);
}

static bool migrates_when_stopped(const struct task *t)
{
    return checkpoint_is_at(&t->rec, CHECKPOINT_SUSPEND);
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
static bool is_own_end(enum task_state from)
{
    return from != TASK_STATE_DELETING && from != TASK_STATE_RESCHEDULING;
}

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
    write_mail(q, t, h, &a);
    if (h->own != h->report) { /* its petasks have records of their own */
        end = as_accounted(h, h->own);
        accounting_fill(&a, &t->job->rec, &t->rec, &end, &scratch);
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
static bool ordinals_ended(struct qmaster *q, struct job *job, const struct range_set *ended,
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
    job_task_remove(job, t);
    range_set_add(&one, ordinal, ordinal);
    range_set_remove(&job->unfinished, ordinal, ordinal);
    ordinals_ended(q, job, &one, report);
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

/* ---- events ---- */
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

/* The one place where the state of a task changes. T may be gone afterwards. */
static void apply_event(struct qmaster *q, struct task *t, enum task_event event,
                        struct happening h)
{
    h.from = task_state_of(&t->rec);
    const struct task_cell *cell = task_cell(h.from, event);
    if (cell == NULL) {
        log_msg(LOG_LEVEL_ERROR, MSG_TASK_EVENT_REFUSED_UUSS, t->rec.JAT_job_number,
                t->rec.JAT_task_number, task_state_name(h.from), task_event_name(event));
        return;
    }
    h.action = cell->action;
    task_state_enter(&t->rec, event, cell, h.reason);
    actions[cell->action](q, t, &h);
}

void task_start(struct qmaster *q, struct job *job, uint32_t ordinal, const struct places *places,
                double prio)
{
    struct task *t = job_task(job, ordinal);
    if (t == NULL)
        t = job_task_add(job, ordinal);
    apply_event(q, t, TASK_EVENT_ORDERED, (struct happening){ .places = places, .prio = prio });
}

/* by what FAILED means for a task that was neither deleted nor rescheduled */
static enum task_event end_event(struct qmaster *q, const struct task *t, unsigned failed)
{
    enum task_fate fate = task_failure_fate(failed);
    if (failed == TASK_FAILED_NO_OWNER && is_own_end(task_state_of(&t->rec)) &&
        !start_failures_blame_host(q, t))
        fate = TASK_FATE_ERROR;
    if (failed == TASK_FAILED_NO_EXIT_STATUS && checkpoint_of(&t->rec) != NULL &&
        t->job->rec.JB_restart != RESTART_NO)
        fate = TASK_FATE_STARTS_AGAIN; /* what it has saved is there */
    if (fate == TASK_FATE_ERROR && (t->job->rec.JB_type & JOB_TYPE_NO_ERROR) != 0)
        fate = TASK_FATE_ENDS;
    switch (fate) {
    case TASK_FATE_ENDS:
        break;
    case TASK_FATE_STARTS_AGAIN:
        return TASK_EVENT_END_AGAIN;
    case TASK_FATE_ERROR:
        return TASK_EVENT_END_ERROR;
    case TASK_FATE_QUEUE_ERROR:
        return TASK_EVENT_END_QUEUE_ERROR;
    case TASK_FATE_ENDS_QUEUE_ERROR:
        return TASK_EVENT_END_FINAL_QUEUE_ERROR;
    }
    return TASK_EVENT_END_FINAL;
}

static void end_now(struct qmaster *q, struct task *t, const struct JR_Type *own)
{
    const struct JG_Type_list *granted = &t->rec.JAT_granted_destin_identifier_list;
    struct happening h = { .report = own, .own = own };
    struct JR_Type whole = { 0 };
    if (t->rec.JAT_petask_usage.n > 0) {
        cull_copy(&cull_JR_Type, &whole, own);
        cull_mark(&whole, JR_usage);
        accounting_add_usage(&whole.JR_usage, &t->rec.JAT_petask_usage);
        h.report = &whole;
        if (granted->n > 0 && granted->v[0].JG_accounting_summary)
            h.own = &whole;
    }
    apply_event(q, t, end_event(q, t, own->JR_failed), h);
    cull_clear(&cull_JR_Type, &whole);
}

static void on_ended(struct qmaster *q, struct task *t, const struct JR_Type *report)
{
    if (!slaves_keep_end(q, t, report))
        end_now(q, t, report);
}

void task_finish(struct qmaster *q, struct task *t)
{
    struct JR_Type end = { 0 };
    cull_copy(&cull_JR_Type, &end, &t->rec.JAT_end.v[0]);
    cull_clear_field(&cull_JAT_Type, &t->rec, JAT_end);
    end_now(q, t, &end);
    cull_clear(&cull_JR_Type, &end);
}

/* one that was suspended on its way to its host, and is to migrate then, does so now */
static void begin_running(struct qmaster *q, struct task *t, const struct JR_Type *report)
{
    apply_event(q, t, TASK_EVENT_STARTED, (struct happening){ .report = report });
    if (task_state_of(&t->rec) == TASK_STATE_SUSPENDED && migrates_when_stopped(t))
        apply_event(q, t, TASK_EVENT_MIGRATE, (struct happening){ 0 });
}

/* a report that is older than the migration, or comes twice, says nothing new */
static void on_not_migrated(struct qmaster *q, struct task *t, const struct JR_Type *report)
{
    if (task_state_of(&t->rec) != TASK_STATE_MIGRATING)
        return;
    log_msg(LOG_LEVEL_WARNING, MSG_NOT_MIGRATED_UUSS, t->rec.JAT_job_number, t->rec.JAT_task_number,
            task_host(t), report->JR_err_str != NULL ? report->JR_err_str : "");
    apply_event(q, t, TASK_EVENT_NOT_MIGRATED, (struct happening){ 0 });
}

/* what is shown of a running task; a host may report anything else, any number of times */
static bool is_shown(const struct JAT_Type *rec, const struct UA_Type *figure)
{
    const char *name = figure->UA_name != NULL ? figure->UA_name : "";
    for (uint32_t i = 0; i < rec->JAT_scaled_usage_list.n; i++)
        if (strcmp(rec->JAT_scaled_usage_list.v[i].UA_name, name) == 0)
            return false;
    for (size_t i = 0; i < USAGE_SHOWN; i++)
        if (strcmp(usage_shown[i], name) == 0)
            return true;
    return false;
}

/* what is shown of a task with petasks has theirs in it */
static void show_petasks(struct task *t)
{
    const struct UA_Type_list *own = &t->rec.JAT_scaled_usage_list;
    for (int f = 0; f < USAGE_SHOWN; f++)
        for (uint32_t i = 0; i < own->n; i++)
            if (strcmp(own->v[i].UA_name, usage_shown[f]) == 0)
                t->tight->own[f] = own->v[i].UA_value;
    petasks_show(t);
}

static void on_running(struct qmaster *q, struct task *t, const struct JR_Type *report)
{
    if (t->rec.JAT_status == TASK_TRANSFERRING)
        begin_running(q, t, report);
    if (report->JR_binding != NULL)
        note_binding(t, report->JR_binding);
    if (!cull_has(report, JR_usage))
        return;
    struct JAT_Type *rec = &t->rec;
    start_failures_runs(q, t);
    cull_clear_field(&cull_JAT_Type, rec, JAT_scaled_usage_list);
    for (uint32_t i = 0; i < report->JR_usage.n; i++) {
        if (is_shown(rec, &report->JR_usage.v[i]))
            accounting_usage(cull_append(rec, JAT_scaled_usage_list), &report->JR_usage.v[i]);
    }
    if (t->tight != NULL)
        show_petasks(t);
}

void task_report(struct qmaster *q, struct task *t, const struct JR_Type *report)
{
    if (!task_holds_slots(t) || task_has_ended(t))
        return;
    if (note_checkpoint(t, report) && report->JR_state != REPORT_ENDED)
        change_task(q, t);
    if (report->JR_state == REPORT_ENDED)
        on_ended(q, t, report);
    else if (report->JR_state == REPORT_NOT_MIGRATED)
        on_not_migrated(q, t, report);
    else if (report->JR_state == REPORT_STARTED || report->JR_state == REPORT_RUNNING)
        on_running(q, t, report);
    else if (report->JR_state != REPORT_PREPARING)
        task_lost(q, t);
}

/* the end of a start that nothing reports: what is known of it goes to the accounting file; WHY,
 * optional, to who gets mail */
static void end_unreported(struct qmaster *q, struct task *t, uint32_t failed, const char *why)
{
    struct JR_Type report = { 0 };
    struct task_key key = task_key_of_record(&t->rec);
    task_key_report(&key, t->rec.JAT_attempt, &report);
    cull_set(&report, JR_state, (uint32_t)REPORT_ENDED);
    cull_set(&report, JR_failed, failed);
    cull_set(&report, JR_start_time, t->rec.JAT_start_time);
    cull_set(&report, JR_end_time, q->now_s);
    if (why != NULL)
        cull_set(&report, JR_err_str, why);
    on_ended(q, t, &report);
    cull_clear(&cull_JR_Type, &report);
}

/* may a start of T that is gone for certain, without having ended, be followed by another? */
static bool may_run_again(struct qmaster *q, const struct task *t)
{
    return checkpoint_of(&t->rec) != NULL ? t->job->rec.JB_restart != RESTART_NO
                                          : task_is_rerunnable(q, t);
}

void task_lost(struct qmaster *q, struct task *t)
{
    bool is_to_run = t->rec.JAT_status == TASK_TRANSFERRING || may_run_again(q, t);
    struct dstr why = DSTR_INIT;
    dstr_addf(&why, MSG_TASK_LOST_SS, task_host(t),
              is_to_run                                   ? MSG_LOST_AGAIN
              : (t->rec.JAT_state & TASK_IS_DELETED) != 0 ? MSG_LOST_DELETED
                                                          : MSG_LOST_ENDED);
    if (t->rec.JAT_status == TASK_RUNNING)
        log_msg_of(0, LOG_LEVEL_WARNING, MSG_TASK_LOST_UUS, t->rec.JAT_job_number,
                   t->rec.JAT_task_number, dstr_get(&why));
    end_unreported(q, t, is_to_run ? TASK_FAILED_RESCHEDULE : TASK_FAILED_RECOGNIZING,
                   dstr_get(&why));
    dstr_free(&why);
}

static void delete_and_clean(struct qmaster *q, struct task *t, struct qinstance *qi)
{
    struct place place = { .qi = qi, .slots = 1 };
    const struct places places = { .v = &place, .n = 1 };
    struct range_set one = { 0 };
    range_set_add(&one, t->ordinal, t->ordinal);
    events_tasks_unstartable(q, t->job, &one);
    range_set_free(&one);
    apply_event(q, t, TASK_EVENT_CLEAN, (struct happening){ .places = &places });
}

void task_kill(struct qmaster *q, struct task *t)
{
    struct qinstance *qi = task_holds_slots(t) ? NULL : place_to_clean(q, t);
    if (qi != NULL)
        delete_and_clean(q, t, qi);
    else
        apply_event(q, t, TASK_EVENT_DELETE, (struct happening){ 0 });
}

/* now, whatever runs on its hosts, which were sent to end it */
static void end_unheard(struct qmaster *q, struct task *t, uint32_t failed)
{
    slaves_forget(q, t);
    if (task_has_ended(t))
        task_finish(q, t);
    else
        end_unreported(q, t, failed, NULL);
}

void task_drop(struct qmaster *q, struct task *t)
{
    bool holds_slots = task_holds_slots(t);
    apply_event(q, t, TASK_EVENT_DELETE, (struct happening){ 0 });
    if (holds_slots)
        end_unheard(q, t, TASK_FAILED_AFTER_JOB);
}

void task_reschedule(struct qmaster *q, struct task *t, bool is_forced)
{
    if (!task_has_ended(t)) { /* one that has does not run again for that */
        mail_rescheduled(q, t);
        apply_event(q, t, TASK_EVENT_RESCHEDULE, (struct happening){ 0 });
    }
    if (is_forced)
        end_unheard(q, t, TASK_FAILED_RESCHEDULE);
}

bool task_is_rerunnable(struct qmaster *q, const struct task *t)
{
    if (t->job->rec.JB_restart != RESTART_AS_QUEUE)
        return t->job->rec.JB_restart == RESTART_YES;
    if (checkpoint_of(&t->rec) != NULL)
        return checkpoint_is_at(&t->rec, CHECKPOINT_RESCHEDULE);
    struct qinstance *qi = queues_instance(&q->queues, task_queue(t));
    return qi != NULL && qi->rec.QU_rerun;
}

void task_give_away(struct qmaster *q, struct task *t)
{
    end_unreported(q, t, TASK_FAILED_RESCHEDULE, NULL);
}

void task_suspend(struct qmaster *q, struct task *t, uint32_t reason, bool is_on)
{
    bool is_running = task_state_of(&t->rec) == TASK_STATE_RUNNING;
    if (task_has_ended(t))
        return;
    if (is_on && is_running && migrates_when_stopped(t)) /* then the reason is only noted */
        apply_event(q, t, TASK_EVENT_MIGRATE, (struct happening){ 0 });
    apply_event(q, t, task_suspension_event(t->rec.JAT_state, reason, is_on),
                (struct happening){ .reason = reason });
}

void task_clear_error(struct qmaster *q, struct task *t)
{
    apply_event(q, t, TASK_EVENT_CLEARED, (struct happening){ 0 });
}

/* ---- pending tasks ---- */

/* ENDED leave what is pending and what is unfinished. Until one of its tasks runs an array has both
 * in one set, and goes on so. */
static void leave_pending(struct job *job, const struct range_set *ended)
{
    struct range_set *pending = &job->rec.JB_ja_pending_ids;
    bool is_one = range_set_equal(pending, &job->unfinished);
    range_set_subtract(pending, ended);
    if (is_one)
        range_set_copy(&job->unfinished, pending);
    else
        range_set_subtract(&job->unfinished, ended);
}

bool tasks_delete_pending(struct qmaster *q, struct job *job, const struct range_set *pending)
{
    if (range_set_is_empty(pending))
        return true;
    events_tasks_unstartable(q, job, pending);
    leave_pending(job, pending);
    ends_tasks_unrun(q, job, pending);
    return ordinals_ended(q, job, pending, NULL);
}
