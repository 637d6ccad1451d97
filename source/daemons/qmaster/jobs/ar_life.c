/* What becomes of advance reservations. Owns no data. */
#include "daemons/qmaster/jobs/ar_life.h"

#include <inttypes.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/jobs/ar_books.h"
#include "daemons/qmaster/jobs/letter.h"
#include "daemons/qmaster/jobs/msg_jobs.h"
#include "daemons/qmaster/jobs/tasks.h"
#include "daemons/qmaster/sched/events.h"
#include "libs/config/access.h"
#include "libs/config/qinstance.h"
#include "libs/sgeobj/allocation.h"
#include "libs/sgeobj/job_request.h"
#include "libs/uti/dstr.h"
#include "libs/uti/log.h"
#include "libs/uti/time.h"

enum {
    MAIL_LINES_MOST = 50, /* of what is wrong */
    QUIET_S = 60          /* after a restart */
};

/* ---- states of queue instances ---- */
static const char *wrong_with(const struct qinstance *qi)
{
    static const struct {
        uint32_t state;
        const char *text;
    } rows[] = {
        { QI_DISABLED, MSG_AR_QUEUE_DISABLED_S }, { QI_SUSPENDED, MSG_AR_QUEUE_SUSPENDED_S },
        { QI_ERROR, MSG_AR_QUEUE_ERROR_S },       { QI_UNKNOWN, MSG_AR_QUEUE_UNKNOWN_S },
        { QI_ORPHANED, MSG_AR_QUEUE_ORPHANED_S },
    };
    uint32_t state = qinstance_state(qi);
    for (size_t i = 0; i < ARRAY_LEN(rows); i++)
        if ((state & rows[i].state) != 0)
            return rows[i].text;
    return NULL;
}

/* ---- spool ---- */
static void stage_ar(struct qmaster *q, const struct ar *ar)
{
    struct dstr key = DSTR_INIT;
    dstr_addf(&key, "%" PRIu32, ar->rec.AR_id);
    change_record(q, SPOOL_AR, dstr_get(&key), &cull_AR_Type, &ar->rec);
    dstr_free(&key);
}

static void stage_gone(struct qmaster *q, const struct ar *ar)
{
    struct dstr key = DSTR_INIT;
    dstr_addf(&key, "%" PRIu32, ar->rec.AR_id);
    change_record_gone(q, SPOOL_AR, dstr_get(&key));
    dstr_free(&key);
}

/* its number is not used again, though it has gone */
static void stage_last_id(struct qmaster *q)
{
    struct AR_Type next = { 0 };
    cull_set(&next, AR_id, q->ars.last_id);
    change_record(q, SPOOL_AR, "next", &cull_AR_Type, &next);
    cull_clear(&cull_AR_Type, &next);
}

/* ---- the reporting file ---- */
static const char *name_of(const struct ar *ar)
{
    const char *name = ar_request(ar)->JB_job_name;
    return name != NULL ? name : "";
}

static void report_line(struct qmaster *q, const struct ar *ar, const char *kind, const char *rest)
{
    struct dstr line = DSTR_INIT;
    dstr_addf(&line, "%" PRIu64 ":%s:%" PRIu64 ":%s\n", q->now_s, kind,
              strcmp(kind, "new_ar") == 0 ? q->now_s : ar->rec.AR_submission_time, rest);
    change_reporting(q, dstr_get(&line));
    dstr_free(&line);
}

/* "time:kind:time:submission:..." */
static void report_of(struct qmaster *q, const struct ar *ar, const char *kind, const char *rest)
{
    struct dstr line = DSTR_INIT;
    if (!q->settings.has_reporting)
        return;
    dstr_addf(&line, "%" PRIu64 ":%s:%" PRIu64 ":%" PRIu64 ":%" PRIu32 ":%s\n", q->now_s, kind,
              q->now_s, ar->rec.AR_submission_time, ar->rec.AR_id, rest);
    change_reporting(q, dstr_get(&line));
    dstr_free(&line);
}

static void report_new(struct qmaster *q, const struct ar *ar)
{
    const struct JB_Type *request = ar_request(ar);
    const char *pe = allocation_pe(&ar->rec.AR_granted);
    struct dstr rest = DSTR_INIT;
    if (!q->settings.has_reporting)
        return;
    dstr_addf(&rest, "%" PRIu32 ":%s", ar->rec.AR_id, ar->rec.AR_owner);
    report_line(q, ar, "new_ar", dstr_get(&rest));
    dstr_clear(&rest);
    dstr_addf(&rest, "%s:%s:%" PRIu64 ":%" PRIu64 ":%s:NONE", name_of(ar),
              request->JB_account != NULL ? request->JB_account : "sge", ar->rec.AR_start_time,
              ar->rec.AR_end_time, pe != NULL ? pe : "");
    report_of(q, ar, "ar_attr", dstr_get(&rest));
    dstr_free(&rest);
}

static void report_slots(struct qmaster *q, const struct ar *ar)
{
    struct dstr rest = DSTR_INIT;
    for (uint32_t i = 0; i < ar->rec.AR_granted.n; i++) {
        const struct JG_Type *entry = &ar->rec.AR_granted.v[i];
        const char *at = strchr(entry->JG_qname, '@');
        dstr_clear(&rest);
        dstr_addn(&rest, entry->JG_qname, at != NULL ? (size_t)(at - entry->JG_qname) : 0);
        dstr_addf(&rest, ":%s:%" PRIu32, entry->JG_qhostname, entry->JG_slots);
        report_of(q, ar, "ar_acct", dstr_get(&rest));
    }
    dstr_free(&rest);
}

/* ---- mail ---- */
static void mail_owner(struct qmaster *q, const struct ar *ar, uint32_t when, const char *what,
                       const char *label, uint64_t at_s, const char *lines)
{
    struct job of = { .rec = *ar_request(ar) }; /* borrows */
    struct letter l = { 0 };
    if ((of.rec.JB_mail_options & when) == 0)
        return;
    of.rec.JB_owner = ar->rec.AR_owner;
    dstr_addf(&l.subject, "Advance Reservation %" PRIu32 " (%.*s) %s", ar->rec.AR_id,
              LETTER_NAME_MOST, name_of(ar), what);
    dstr_addf(&l.body, "%s\n", dstr_get(&l.subject));
    letter_text(&l, 0, "User", ar->rec.AR_owner);
    letter_date(&l, 0, label, at_s);
    dstr_add(&l.body, lines);
    letter_send(q, &of, &l);
}

/* ---- life ---- */
static void note_due(struct qmaster *q, const struct ar *ar)
{
    uint64_t due_s = ar->rec.AR_state == AR_WAITING   ? ar->rec.AR_start_time
                     : ar->rec.AR_state == AR_RUNNING ? ar->rec.AR_end_time
                                                      : UINT64_MAX;
    if (due_s < q->ars.due_s)
        q->ars.due_s = due_s;
}

static void show_queues(struct qmaster *q, const struct ar *ar)
{
    for (uint32_t i = 0; i < ar->n_places; i++) {
        struct qinstance *qi = ar->places[i].qi;
        cull_set(&qi->rec, QU_slots_reserved, (uint32_t)ars_slots_now(q, qi));
        queues_note_change(&q->queues, qi, change_number(q));
    }
}

static void begin_ar(struct qmaster *q, struct ar *ar)
{
    cull_set(&ar->rec, AR_state, (uint32_t)AR_RUNNING);
    stage_ar(q, ar);
    events_ar(q, ar);
    show_queues(q, ar);
    report_of(q, ar, "ar_log", "r:START TIME REACHED:start time of AR reached");
    mail_owner(q, ar, MAIL_AT_BEGIN, "Started", "Start Time", ar->rec.AR_start_time, "");
}

struct ar *ar_enter(struct qmaster *q, struct AR_Type *rec)
{
    struct ar *ar = ars_add(&q->ars, rec);
    if (!ar_book(q, ar)) {
        *rec = ar->rec;
        ar->rec = (struct AR_Type){ .AR_id = rec->AR_id };
        ars_remove(&q->ars, ar);
        return NULL;
    }
    stage_ar(q, ar);
    stage_last_id(q);
    report_new(q, ar);
    if (ar->rec.AR_start_time <= q->now_s)
        begin_ar(q, ar);
    else
        events_ar(q, ar);
    note_due(q, ar);
    return ar;
}

static void leave_ar(struct qmaster *q, struct ar *ar)
{
    events_ar_del(q, ar);
    report_slots(q, ar);
    stage_gone(q, ar);
    ar_release(q, ar);
    show_queues(q, ar);
    ar_unbook(q, ar);
    if (ar->rec.AR_state == AR_ENDING)
        q->ars.n_ending--;
    ars_remove(&q->ars, ar);
}

static bool is_of(const struct ar *ar, const struct job *job)
{
    return job != NULL && job->rec.JB_ar == ar->rec.AR_id;
}

/* those that have gone, or are others' by now, leave its set */
static bool has_jobs(struct qmaster *q, struct ar *ar)
{
    uint32_t number;
    while (range_set_min(&ar->jobs, &number)) {
        if (is_of(ar, jobs_find(&q->jobs, number)))
            return true;
        range_set_remove(&ar->jobs, number, number);
    }
    return false;
}

bool ar_end(struct qmaster *q, struct ar *ar, const char *state, const char *why)
{
    struct dstr rest = DSTR_INIT;
    if (ar->rec.AR_state == AR_ENDING)
        return false;
    dstr_addf(&rest, "%s:%s", state, why);
    report_of(q, ar, "ar_log", dstr_get(&rest));
    dstr_free(&rest);
    if (*state == 'x')
        mail_owner(q, ar, MAIL_AT_EXIT, "Finished", "End Time", ar->rec.AR_end_time, "");
    if (!has_jobs(q, ar)) {
        leave_ar(q, ar);
        return true;
    }
    ar_extend(q, ar);
    ar->next_job = 0;
    q->ars.n_ending++;
    q->ars.due_s = 0;
    stage_ar(q, ar);
    return false;
}

void ar_force(struct qmaster *q, struct ar *ar)
{
    ar->is_forced = true;
    ar->next_job = 0;
    q->ars.due_s = 0;
    (void)ar_end(q, ar, "d:DELETED", "AR deleted");
}

/* ---- the end of its jobs ---- */
static void end_job(struct qmaster *q, struct job *job, bool is_forced)
{
    struct range_set pending = { 0 };
    struct task *t, *next;
    range_set_copy(&pending, &job->rec.JB_ja_pending_ids);
    for (t = job_task_first(job, 0); t != NULL; t = next) {
        bool is_last = (next = job_task_next(t)) == NULL && range_set_is_empty(&pending);
        if (is_forced)
            task_drop(q, t);
        else if ((t->rec.JAT_state & TASK_IS_DELETED) == 0)
            task_kill(q, t);
        if (is_last)
            return; /* the job may be gone */
    }
    if (!range_set_is_empty(&pending))
        (void)tasks_delete_pending(q, job, &pending);
    range_set_free(&pending);
}

/* a slice of them */
static void end_jobs(struct qmaster *q, struct ar *ar)
{
    struct range r;
    for (uint32_t n = 0; n < STEP_WORK; n++) {
        if (ar->next_job > UINT32_MAX || !range_set_next_run(&ar->jobs, ar->next_job, &r)) {
            ar->next_job = UINT64_MAX;
            return;
        }
        ar->next_job = (uint64_t)r.first + 1;
        struct job *job = jobs_find(&q->jobs, r.first);
        if (is_of(ar, job))
            end_job(q, job, ar->is_forced);
    }
}

/* ---- time ---- */
static void step_one(struct qmaster *q, struct ar *ar)
{
    if (ar->rec.AR_state == AR_WAITING && ar->rec.AR_start_time <= q->now_s)
        begin_ar(q, ar);
    if (ar->rec.AR_state == AR_RUNNING && ar->rec.AR_end_time <= q->now_s &&
        ar_end(q, ar, "x:TERMINATED", "end time of AR reached"))
        return;
    note_due(q, ar);
    if (ar->rec.AR_state == AR_ENDING && ar->next_job != UINT64_MAX) {
        end_jobs(q, ar);
        q->ars.due_s = ar->next_job != UINT64_MAX ? 0 : q->ars.due_s;
    }
}

void ars_step(struct qmaster *q)
{
    struct ar *ar, *next;
    if (q->now_s < q->ars.due_s)
        return;
    q->ars.due_s = UINT64_MAX;
    HASH_ITER(hh, q->ars.all, ar, next)
        step_one(q, ar);
}

/* ---- what is wrong ---- */
static void mail_wrong(struct qmaster *q, struct ar *ar, bool is_wrong)
{
    struct ST_Type_list messages = { 0 };
    struct dstr body = DSTR_INIT;
    ar_explain(ar, &messages);
    for (uint32_t i = 0; i < messages.n && i < MAIL_LINES_MOST; i++)
        dstr_addf(&body, " %s\n", messages.v[i].ST_name);
    mail_owner(q, ar, MAIL_AT_ABORT, is_wrong ? "in Error" : "without Error", "Time", q->now_s,
               dstr_get(&body));
    dstr_free(&body);
    cull_list_clear(&cull_ST_Type, &messages);
    ar->is_told = is_wrong;
}

static void watch_one(struct qmaster *q, struct ar *ar)
{
    bool is_wrong = false, is_hard = ar_request(ar)->JB_hard_error_handling;
    if (ar->rec.AR_state == AR_ENDING)
        return;
    for (uint32_t i = 0; i < ar->n_places && !is_wrong; i++)
        is_wrong = wrong_with(ar->places[i].qi) != NULL;
    if (ar->rec.AR_is_blocked != (is_wrong && is_hard)) {
        cull_set(&ar->rec, AR_is_blocked, is_wrong && is_hard);
        events_ar(q, ar);
    }
    if (is_wrong != ar->is_told && q->now_s >= q->ars.quiet_s)
        mail_wrong(q, ar, is_wrong);
}

/* some of them, in their order; the first again behind the last */
static void watch_some(struct qmaster *q)
{
    enum { PLACES_OF_TURN = 20000 };
    uint32_t work = 0, last = q->ars.watched;
    q->ars.watched = 0;
    for (struct ar *ar = q->ars.all; ar != NULL; ar = ar->hh.next) {
        if (ar->rec.AR_id <= last)
            continue;
        watch_one(q, ar);
        work += 1 + ar->n_places;
        if (work >= PLACES_OF_TURN) {
            q->ars.watched = ar->rec.AR_id;
            return;
        }
    }
}

void ars_tidy(struct qmaster *q)
{
    struct ar *ar, *next;
    watch_some(q);
    if (q->ars.n_ending == 0)
        return;
    HASH_ITER(hh, q->ars.all, ar, next)
        if (ar->rec.AR_state == AR_ENDING && ar->next_job == UINT64_MAX && !has_jobs(q, ar))
            leave_ar(q, ar);
}

uint64_t ars_wake_us(const struct qmaster *q, uint64_t latest_us)
{
    uint64_t due_s = q->ars.due_s;
    if (due_s > q->now_s + (latest_us - q->now_us) / 1000000 + 1)
        return latest_us;
    uint64_t due_ms = due_s * 1000, now_ms = uti_now_ms();
    uint64_t wake_us = uti_mono_us() + (due_ms > now_ms ? due_ms - now_ms : 0) * 1000;
    return smaller_u64(wake_us, latest_us);
}

/* ---- a restart ---- */
void ar_restore(struct qmaster *q, struct AR_Type *rec)
{
    if (rec->AR_id > q->ars.last_id)
        q->ars.last_id = rec->AR_id;
    if (rec->AR_request.n > 0)
        (void)ars_add(&q->ars, rec);
}

void ars_restore(struct qmaster *q)
{
    struct ar *ar, *next;
    struct job *job;
    if (q->ars.n == 0)
        return;
    q->ars.quiet_s = q->now_s + QUIET_S;
    for (job = jobs_at_or_after(&q->jobs, 0); job != NULL; job = jobs_next(&q->jobs, job))
        ar_note_job(q, job);
    HASH_ITER(hh, q->ars.all, ar, next) {
        q->ars.n_ending += ar->rec.AR_state == AR_ENDING;
        if (!ar_book(q, ar))
            log_msg(LOG_LEVEL_ERROR, MSG_AR_WITHOUT_QUEUE_U, ar->rec.AR_id);
        watch_one(q, ar);
        show_queues(q, ar);
    }
    q->ars.due_s = 0;
}

void ar_note_job(struct qmaster *q, const struct job *job)
{
    struct ar *ar = job->rec.JB_ar != 0 ? ars_find(&q->ars, job->rec.JB_ar) : NULL;
    if (ar != NULL)
        range_set_add(&ar->jobs, job->rec.JB_job_number, job->rec.JB_job_number);
}

/* ---- what others ask ---- */
bool ar_admits(const struct ar *ar, const char *user, const char *sets)
{
    const struct ST_Type_list *acl = &ar->rec.AR_acl_list;
    bool has_members = false;
    for (uint32_t i = 0; i < acl->n; i++) {
        const char *name = acl->v[i].ST_name;
        bool is_against = *name == '!';
        name += is_against;
        bool is_meant = *name == '@' ? sets != NULL && access_has_name(sets, name + 1)
                                     : strcmp(name, user) == 0;
        if (is_meant)
            return !is_against;
        has_members |= !is_against;
    }
    return !has_members;
}

void ar_explain(const struct ar *ar, struct ST_Type_list *out)
{
    for (uint32_t i = 0; i < ar->n_places; i++) {
        const struct qinstance *qi = ar->places[i].qi;
        const char *format = wrong_with(qi);
        struct dstr text = DSTR_INIT;
        if (format == NULL)
            continue;
        dstr_addf(&text, MSG_AR_QUEUE_SS, qi->rec.QU_full_name, format);
        cull_set((struct ST_Type *)cull_push(out), ST_name, dstr_get(&text));
        dstr_free(&text);
    }
}
