/* The life of a task: events, by the table of libs/sgeobj/task_state.h, and what is known of it
 * when they come. A task has a record only while it runs, waits to run again, or is in error.
 * Every start has an attempt number, so that a report about an older start, or one sent twice, is
 * known for what it is (design: a task runs at most once at a time, and its end is recorded exactly
 * once). Source: qdel(1), qmod(1), queue_conf(5); exit codes 99 and 100 as in submit(1). */
#include "daemons/qmaster/jobs/tasks.h"

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/jobs/mail.h"
#include "daemons/qmaster/jobs/msg_jobs.h"
#include "daemons/qmaster/jobs/petasks.h"
#include "daemons/qmaster/jobs/slaves.h"
#include "daemons/qmaster/jobs/start_failures.h"
#include "daemons/qmaster/jobs/task_actions.h"
#include "daemons/qmaster/jobs/usage_count.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/sessions/ends.h"
#include "libs/sgeobj/accounting.h"
#include "libs/sgeobj/binding.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/task_key.h"
#include "libs/task/task_dir.h"
#include "libs/uti/dstr.h"
#include "libs/uti/log.h"

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

/* LETTERS: a topology. It is not spooled: hosts report it again when they register */
static void note_binding(struct task *t, const char *letters)
{
    bool is_known = t->rec.JAT_binding != NULL && strcmp(t->rec.JAT_binding, letters) == 0;
    if (!is_known && binding_letters_are_valid(letters))
        cull_set(&t->rec, JAT_binding, letters);
}

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
    task_act(q, t, &h);
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
    usage_count_running(q, t);
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
    return task_ordinals_ended(q, job, pending, NULL);
}
