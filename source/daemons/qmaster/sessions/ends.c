/* From the life of tasks to what sessions keep. The transaction that ends a task also keeps its
 * end: both are staged into the same batch. */
#include "daemons/qmaster/sessions/ends.h"

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/sessions/msg_sessions.h"
#include "daemons/qmaster/sessions/session_records.h"
#include "daemons/qmaster/sessions/waiting_clients.h"
#include "libs/sgeobj/accounting.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/log.h"

enum { EXPIRE_AT_ONCE = 100 };

static void fill_report(struct EN_Type *end, const struct JR_Type *report)
{
    cull_set(end, EN_attempt, report->JR_attempt);
    cull_set(end, EN_failed, report->JR_failed);
    cull_set(end, EN_exit_status, report->JR_exit_status);
    if (cull_has(report, JR_err_str))
        cull_share(end, EN_err_str, report->JR_err_str);
    cull_set(end, EN_start_time, report->JR_start_time);
    cull_set(end, EN_end_time,
             report->JR_end_time >= report->JR_start_time ? report->JR_end_time
                                                          : report->JR_start_time);
    for (uint32_t i = 0; i < report->JR_usage.n; i++)
        accounting_usage(cull_append(end, EN_usage), &report->JR_usage.v[i]);
}

static void fill_end(struct EN_Type *end, const struct task *t, const struct JR_Type *report)
{
    const struct JB_Type *rec = &t->job->rec;
    bool is_killed = (t->rec.JAT_state & TASK_IS_DELETED) != 0;
    cull_set(end, EN_job_number, rec->JB_job_number);
    range_set_add(cull_ranges(end, EN_ordinals), t->ordinal, t->ordinal);
    cull_set(end, EN_ja_first, rec->JB_ja_first);
    cull_set(end, EN_ja_step, rec->JB_ja_step);
    cull_set(end, EN_is_array, job_is_array(rec));
    cull_set(end, EN_how, (uint32_t)(is_killed ? END_KILLED : END_RAN));
    cull_set(end, EN_submission_time, rec->JB_submission_time);
    if (task_queue(t) != NULL)
        cull_set(end, EN_queue, task_queue(t));
    fill_report(end, report);
}

void ends_task_ended(struct qmaster *q, const struct task *t, const struct JR_Type *report)
{
    struct job_session *s = job_session_of(q, t->job);
    struct EN_Type end = { 0 };
    if (s == NULL)
        return;
    fill_end(&end, t, report);
    session_records_add(q, s, t->ordinal, &end);
    waiting_clients_send(q, s, t->ordinal, &end);
    cull_clear(&cull_EN_Type, &end);
}

void ends_task_in_error(struct qmaster *q, const struct task *t, const struct JR_Type *report)
{
    struct job_session *s = job_session_of(q, t->job);
    if (s != NULL)
        waiting_clients_send_error(q, s, report);
}

void ends_tasks_unrun(struct qmaster *q, const struct job *job, const struct range_set *ordinals)
{
    struct job_session *s = job_session_of(q, job);
    struct EN_Type end = { 0 };
    if (s == NULL)
        return;
    session_records_add_unrun(q, s, &job->rec, ordinals);
    end_fill_unrun(&end, &job->rec, ordinals);
    waiting_clients_send(q, s, ENDS_UNRUN, &end);
    cull_clear(&cull_EN_Type, &end);
}

void ends_job_gone(struct qmaster *q, const struct job *job)
{
    struct job_session *s = job_session_of(q, job);
    if (s != NULL)
        waiting_clients_job_ended(q, s, job->rec.JB_job_number);
}

/* ---- sessions ---- */
void ends_drop_session(struct qmaster *q, struct job_session *s)
{
    waiting_clients_dismiss(q, s);
    removal_of_session(q, s);
}

void ends_expire(struct qmaster *q)
{
    struct job_session *s;
    for (int i = 0; i < EXPIRE_AT_ONCE; i++) {
        s = TAILQ_FIRST(&q->job_sessions->idle);
        if (s == NULL || s->asked_s + q->settings.session_timeout_s > q->now_s)
            return;
        if (s->n_kept > 0)
            log_msg(LOG_LEVEL_INFO, MSG_SESSION_EXPIRED_SSU, s->rec.SN_key, s->rec.SN_owner,
                    s->n_kept);
        ends_drop_session(q, s);
    }
}

/* ---- the start and the end of the qmaster ---- */
void ends_free(struct job_sessions *all)
{
    struct job_session *s, *next;
    if (all == NULL)
        return;
    HASH_ITER(hh, all->by_name, s, next) {
        waiting_clients_free(s);
        session_records_forget(all, s);
    }
    job_sessions_free(all);
}

void ends_restored(struct qmaster *q)
{
    struct job_session *s, *next;
    HASH_ITER(hh, q->job_sessions->by_name, s, next) {
        if (*s->rec.SN_owner == '\0')
            ends_drop_session(q, s);
    }
    for (struct job *job = jobs_at_or_after(&q->jobs, 0); job != NULL;
         job = jobs_next(&q->jobs, job)) {
        s = job_session_of(q, job);
        if (s != NULL)
            job_session_owe(s, range_set_count(&job->unfinished));
    }
}
