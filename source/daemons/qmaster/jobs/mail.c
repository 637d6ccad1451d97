/* Which mails there are about a job, and what they say; the sums of arrays. Invariant: an array
 * that has something to be said is in `due`, the one that is due first at the head.
 * Source: submit(1) -m; subjects and lines as users know them. */
#include "daemons/qmaster/jobs/mail.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/version.h"
#include "daemons/qmaster/io/identity.h"
#include "daemons/qmaster/jobs/letter.h"
#include "daemons/qmaster/jobs/msg_jobs.h"
#include "libs/sgeobj/accounting.h"
#include "libs/sgeobj/job_request.h"
#include "libs/sgeobj/job_state.h"
#include "libs/sgeobj/mail_address.h"
#include "libs/task/task_dir.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/signals.h"

enum {
    FAILURES_MOST = 10, /* tasks of an array that are named, each with so many bytes of why */
    WHY_MOST = 200,
    DUE_A_STEP = 100,
    SIGNALLED = 128,
    RECORDS_LOOKED_AT = 1000
};

/* what happens to tasks of an array until its next mail */
enum change_kind { SUSPENDED, CONTINUED, RESCHEDULED, IN_ERROR, KILLED, CHANGE_KINDS };
static const struct {
    const char *words; /* in a subject, and of a line */
    uint32_t when;     /* -m */
} kinds[CHANGE_KINDS] = {
    [SUSPENDED] = { "Suspended", MAIL_AT_SUSPENSION },
    [CONTINUED] = { "Continued", MAIL_AT_SUSPENSION },
    [RESCHEDULED] = { "Rescheduled", MAIL_AT_ABORT },
    [IN_ERROR] = { "Set in error state", MAIL_AT_ABORT },
    [KILLED] = { "Killed", MAIL_AT_ABORT },
};
struct array_mail {
    uint32_t job;
    bool has_begun; /* which a mail has said */
    uint32_t n_complete, n_failed, n_killed;
    uint32_t n_named; /* tasks in `failures` */
    struct dstr failures;
    uint64_t start_s, end_s;
    double user_s, system_s, cpu_s, wallclock_s, vmem;
    uint32_t changes[CHANGE_KINDS];
    struct dstr last; /* of the changes: why */
    bool is_due;
    uint64_t due_s;
    TAILQ_ENTRY(array_mail) in_due;
    UT_hash_handle hh;
};

struct mails {
    struct array_mail *arrays; /* by job */
    TAILQ_HEAD(, array_mail) due;
};

struct mails *mails_new(void)
{
    struct mails *mails = uti_calloc(1, sizeof *mails);
    TAILQ_INIT(&mails->due);
    return mails;
}

/* has JOB one mail for many tasks? */
static bool is_summed(const struct qmaster *q, const struct job *job)
{
    return job_is_array(&job->rec) && job_task_count(&job->rec) > q->settings.mail_tasks;
}

static bool wants_mail(const struct job *job, uint32_t when)
{
    return (job->rec.JB_mail_options & when) != 0;
}

/* ---- arrays ---- */
static struct array_mail *array_find(const struct qmaster *q, const struct job *job)
{
    struct array_mail *a;
    HASH_FIND(hh, q->mails->arrays, &job->rec.JB_job_number, sizeof a->job, a);
    return a;
}

static struct array_mail *array_of(struct qmaster *q, const struct job *job)
{
    struct array_mail *a = array_find(q, job);
    if (a != NULL)
        return a;
    a = uti_calloc(1, sizeof *a);
    a->job = job->rec.JB_job_number;
    HASH_ADD(hh, q->mails->arrays, job, sizeof a->job, a);
    return a;
}

static void not_due(struct mails *mails, struct array_mail *a)
{
    if (a->is_due)
        TAILQ_REMOVE(&mails->due, a, in_due);
    a->is_due = false;
}

static void array_free(struct mails *mails, struct array_mail *a)
{
    not_due(mails, a);
    HASH_DEL(mails->arrays, a);
    dstr_free(&a->failures);
    dstr_free(&a->last);
    free(a);
}

void mails_free(struct mails *mails)
{
    if (mails == NULL)
        return;
    struct array_mail *a, *next;
    HASH_ITER(hh, mails->arrays, a, next)
        array_free(mails, a);
    free(mails);
}

/* N tasks of JOB change so, WHY as far as is known */
static void note_change(struct qmaster *q, const struct job *job, enum change_kind kind, uint32_t n,
                        const char *why)
{
    if (!wants_mail(job, kinds[kind].when))
        return;
    struct array_mail *a = array_of(q, job);
    a->changes[kind] += n;
    if (why != NULL) {
        dstr_clear(&a->last);
        mail_body_add(&a->last, why, WHY_MOST);
    }
    if (a->is_due)
        return;
    a->is_due = true;
    a->due_s = q->now_s + ARRAY_MAIL_S;
    TAILQ_INSERT_TAIL(&q->mails->due, a, in_due);
}

static void send_changes(struct qmaster *q, const struct job *job, struct array_mail *a)
{
    const char *what = NULL;
    for (int k = 0; k < CHANGE_KINDS; k++)
        if (a->changes[k] > 0)
            what = what == NULL ? kinds[k].words : "Changed";
    struct letter l = letter_begin(job, 0, what != NULL ? what : "Changed");
    letter_text(&l, 18, "User", job->rec.JB_owner);
    letter_count(&l, 18, "Tasks", job_task_count(&job->rec));
    for (int k = 0; k < CHANGE_KINDS; k++)
        if (a->changes[k] > 0)
            letter_count(&l, 18, kinds[k].words, a->changes[k]);
    dstr_add(&l.body, dstr_get(&a->last));
    memset(a->changes, 0, sizeof a->changes);
    dstr_clear(&a->last);
    not_due(q->mails, a);
    letter_send(q, job, &l);
}

/* tasks that ended before this qmaster counted are not among the sums */
static void send_summary(struct qmaster *q, const struct job *job, const struct array_mail *a)
{
    uint64_t all = job_task_count(&job->rec);
    uint64_t counted = (uint64_t)a->n_complete + a->n_failed + a->n_killed;
    bool is_good = a->n_failed + a->n_killed == 0;
    struct letter l = letter_begin(job, 0, is_good ? "Complete" : "Aborted");
    letter_text(&l, 16, "User", job->rec.JB_owner);
    letter_count(&l, 16, "Tasks", all);
    letter_count(&l, 16, "Complete", a->n_complete);
    letter_count(&l, 16, "Failed", a->n_failed);
    letter_count(&l, 16, "Killed", a->n_killed);
    if (counted < all)
        letter_count(&l, 16, "Not counted", all - counted);
    letter_date(&l, 16, "First Start Time", a->start_s);
    letter_date(&l, 16, "Last End Time", a->end_s);
    letter_duration(&l, 16, "User Time", a->user_s);
    letter_duration(&l, 16, "System Time", a->system_s);
    letter_duration(&l, 16, "Wallclock Time", a->wallclock_s);
    letter_duration(&l, 16, "CPU", a->cpu_s);
    letter_memory(&l, 16, "Max vmem", a->vmem);
    if (counted < all)
        dstr_add(&l.body, MSG_MAIL_NOT_COUNTED);
    dstr_add(&l.body, dstr_get(&a->failures));
    if (a->n_named < a->n_failed)
        dstr_addf(&l.body, MSG_MAIL_MORE_FAILED_U, a->n_failed - a->n_named);
    letter_send(q, job, &l);
}

void mail_job_gone(struct qmaster *q, const struct job *job)
{
    if (q->mails->arrays == NULL)
        return;
    struct array_mail *a = array_find(q, job);
    if (a == NULL)
        return;
    bool is_good = a->n_failed + a->n_killed == 0;
    if (wants_mail(job, MAIL_AT_EXIT) || (!is_good && wants_mail(job, MAIL_AT_ABORT)))
        send_summary(q, job, a);
    else if (a->is_due)
        send_changes(q, job, a);
    array_free(q->mails, a);
}

static void add_to_sums(struct array_mail *a, const struct accounting *of)
{
    if (of->start_time != 0 && (a->start_s == 0 || of->start_time < a->start_s))
        a->start_s = of->start_time;
    if (of->end_time > a->end_s)
        a->end_s = of->end_time;
    a->user_s += of->ru_utime;
    a->system_s += of->ru_stime;
    a->cpu_s += of->cpu;
    a->wallclock_s += of->ru_wallclock;
    a->vmem = of->maxvmem > a->vmem ? of->maxvmem : a->vmem;
}

/* ---- starts ---- */
/* is a task of JOB beside T running already? Then a qmaster before this one has said so. */
static bool has_others_running(const struct task *t)
{
    unsigned n = 0;
    for (struct task *o = job_task_first(t->job, 0); o != NULL && n < RECORDS_LOOKED_AT;
         o = job_task_next(o), n++)
        if (o != t && o->rec.JAT_status == TASK_RUNNING)
            return true;
    return range_set_count(&t->job->unfinished) < job_task_count(&t->job->rec);
}

/* of an array its first task alone is announced */
static bool is_news(struct qmaster *q, const struct task *t)
{
    if (!is_summed(q, t->job))
        return true;
    struct array_mail *a = array_find(q, t->job);
    bool is_first = a == NULL ? !has_others_running(t) : !a->has_begun;
    array_of(q, t->job)->has_begun = true;
    return is_first;
}

static void announce_start(struct qmaster *q, const struct task *t, uint64_t start_s)
{
    bool is_array = is_summed(q, t->job);
    if (!is_news(q, t))
        return;
    struct letter l = letter_begin(t->job, is_array ? 0 : t->rec.JAT_task_number, "Started");
    letter_place(&l, 10, t, false);
    letter_date(&l, 10, "Start Time", start_s);
    if (is_array) {
        letter_count(&l, 10, "First Task", t->rec.JAT_task_number);
        letter_count(&l, 10, "Tasks", job_task_count(&t->job->rec));
    }
    letter_send(q, t->job, &l);
}

void mail_started(struct qmaster *q, const struct task *t)
{
    if (wants_mail(t->job, MAIL_AT_BEGIN))
        announce_start(q, t, t->rec.JAT_start_time);
}

/* ---- ends ---- */
static void add_complete(struct letter *l, const struct task *t, const struct accounting *a)
{
    letter_place(l, 16, t, true);
    letter_date(l, 16, "Start Time", a->start_time);
    letter_date(l, 16, "End Time", a->end_time);
    letter_duration(l, 16, "User Time", a->ru_utime);
    letter_duration(l, 16, "System Time", a->ru_stime);
    letter_duration(l, 16, "Wallclock Time", a->ru_wallclock);
    letter_duration(l, 16, "CPU", a->cpu);
    letter_memory(l, 16, "Max vmem", a->maxvmem);
    dstr_addf(&l->body, " %-16s = %" PRIu32 "\n", "Exit Status", a->exit_status);
}

static int signal_of(const struct accounting *a)
{
    return a->exit_status > SIGNALLED && a->exit_status < 2 * SIGNALLED
               ? (int)a->exit_status - SIGNALLED
               : 0;
}

/* the job of that start never ran */
static bool has_not_run(const struct accounting *a)
{
    return a->failed != TASK_FAILED_NOT && task_failure_is_start(a->failed);
}

/* why, as a line of its own */
static void add_reason(struct dstr *out, const struct task *t, const struct accounting *a,
                       const char *why, size_t most)
{
    int sig = signal_of(a);
    const char *name = sig != 0 ? signal_name(sig) : NULL;
    if (why != NULL && *why != '\0')
        mail_body_add(out, why, most);
    else if (sig != 0)
        dstr_addf(out, "job %" PRIu32 ".%" PRIu32 " died through signal %s (%d)\n",
                  t->rec.JAT_job_number, t->rec.JAT_task_number, name != NULL ? name : "?", sig);
    else
        dstr_addf(out, "%s\n", accounting_failed_words(a->failed));
}

static void add_failed(struct letter *l, const struct task *t, const struct accounting *a,
                       const char *why)
{
    bool is_unrun = has_not_run(a);
    int sig = is_unrun ? 0 : signal_of(a);
    const char *name = sig != 0 ? signal_name(sig) : NULL;
    dstr_addf(&l->body, " %-16s = %d\n", "Exit Status", is_unrun ? -1 : (int)a->exit_status);
    letter_text(l, 16, "Signal", name != NULL ? name : "unknown signal");
    letter_place(l, 16, t, true);
    letter_date(l, 16, "Start Time", is_unrun ? 0 : a->start_time);
    letter_date(l, 16, "End Time", is_unrun ? 0 : a->end_time);
    if (is_unrun)
        letter_text(l, 16, "CPU", "NA");
    else
        letter_duration(l, 16, "CPU", a->cpu);
    letter_memory(l, 16, "Max vmem", is_unrun ? 0 : a->maxvmem);
    dstr_addf(&l->body, "failed %s because:\n", accounting_failed_words(a->failed));
    add_reason(&l->body, t, a, why, LETTER_TEXT_MOST);
}

static const char *words_of_end(const struct accounting *a, enum mail_end end)
{
    if (end == MAIL_ENDS)
        return a->failed == TASK_FAILED_NOT ? "Complete" : "Aborted";
    if (end == MAIL_STARTS_AGAIN)
        return a->failed == TASK_FAILED_MIGRATING ? "Migrates" : "Rescheduled";
    return a->failed == TASK_FAILED_APPERROR ? "Rescheduled due to application error"
                                             : "Set in error state";
}

static void write_end(struct qmaster *q, const struct task *t, const struct accounting *a,
                      const struct mail_start *start)
{
    struct letter l = letter_begin(t->job, t->rec.JAT_task_number, words_of_end(a, start->end));
    if (a->failed == TASK_FAILED_NOT)
        add_complete(&l, t, a);
    else
        add_failed(&l, t, a, start->why);
    if (start->end == MAIL_ENTERS_ERROR && job_is_array(&t->job->rec))
        dstr_addf(&l.body, MSG_MAIL_CLEAR_TASK_UU, t->rec.JAT_job_number, t->rec.JAT_task_number);
    else if (start->end == MAIL_ENTERS_ERROR)
        dstr_addf(&l.body, MSG_MAIL_CLEAR_U, t->rec.JAT_job_number);
    letter_send(q, t->job, &l);
}

static void name_failure(struct array_mail *sum, const struct task *t, const struct accounting *a,
                         const char *why)
{
    if (sum->n_named == FAILURES_MOST)
        return;
    sum->n_named++;
    dstr_addf(&sum->failures, "task %" PRIu32 " failed %s: ", t->rec.JAT_task_number,
              accounting_failed_words(a->failed));
    add_reason(&sum->failures, t, a, why, WHY_MOST);
}

static void sum_end(struct qmaster *q, const struct task *t, const struct accounting *a,
                    const struct mail_start *start)
{
    struct array_mail *sum = array_of(q, t->job);
    add_to_sums(sum, a);
    if (start->end != MAIL_ENDS) {
        bool is_error = start->end == MAIL_ENTERS_ERROR;
        struct dstr why = DSTR_INIT;
        dstr_addf(&why, "task %" PRIu32 ": ", t->rec.JAT_task_number);
        add_reason(&why, t, a, start->why, WHY_MOST);
        note_change(q, t->job, is_error ? IN_ERROR : RESCHEDULED, 1, dstr_get(&why));
        dstr_free(&why);
    } else if (start->is_deleted) {
        sum->n_killed++;
    } else if (a->failed == TASK_FAILED_NOT) {
        sum->n_complete++;
    } else {
        sum->n_failed++;
        name_failure(sum, t, a, start->why);
    }
}

/* what the administrator has to look at: starts that fail, and queues in error */
static void tell_administrator(struct qmaster *q, const struct task *t, const struct accounting *a,
                               const struct mail_start *start)
{
    struct letter l = { 0 };
    dstr_addf(&l.subject, "SGE " SGE_VERSION ": Job %" PRIu32 " failed", t->rec.JAT_job_number);
    dstr_addf(&l.body, "Job %" PRIu32 " caused action: ", t->rec.JAT_job_number);
    if (start->is_queue_in_error)
        dstr_addf(&l.body, "queue %s set in error state\n", task_queue(t));
    else
        dstr_add(&l.body, start->end == MAIL_ENTERS_ERROR ? "job set in error state\n" : "none\n");
    letter_text(&l, 11, "User", t->job->rec.JB_owner);
    letter_text(&l, 11, "Queue", task_queue(t));
    letter_date(&l, 11, "Start Time", has_not_run(a) ? 0 : a->start_time);
    letter_date(&l, 11, "End Time", has_not_run(a) ? 0 : a->end_time);
    dstr_addf(&l.body, "failed %s: ", accounting_failed_words(a->failed));
    add_reason(&l.body, t, a, start->why, LETTER_TEXT_MOST);
    letter_send_to_administrator(q, &l);
}

void mail_ended(struct qmaster *q, const struct task *t, const struct accounting *a,
                const struct mail_start *start)
{
    if (q->settings.has_admin_mail && !start->is_deleted &&
        (start->is_queue_in_error || start->end == MAIL_ENTERS_ERROR))
        tell_administrator(q, t, a, start);
    if (t->job->rec.JB_mail_options == 0)
        return;
    if (!start->was_announced && !has_not_run(a) && a->start_time != 0 &&
        wants_mail(t->job, MAIL_AT_BEGIN))
        announce_start(q, t, a->start_time);
    bool is_complete = start->end == MAIL_ENDS && a->failed == TASK_FAILED_NOT;
    uint32_t when = start->end != MAIL_ENDS ? MAIL_AT_ABORT
                    : is_complete           ? MAIL_AT_EXIT
                                            : MAIL_AT_ABORT | MAIL_AT_EXIT;
    if (is_summed(q, t->job))
        sum_end(q, t, a, start);
    else if (wants_mail(t->job, when))
        write_end(q, t, a, start);
}

/* ---- while it runs ---- */
static const char *reason_words(uint32_t reason)
{
    if (reason == TASK_IS_SUSPENDED)
        return "by request (qmod -sj)";
    if (reason == TASK_IS_QUEUE_SUSPENDED)
        return "its queue is suspended (qmod -sq)";
    if (reason == TASK_IS_LOAD_SUSPENDED)
        return "the load exceeds suspend_thresholds of its queue";
    if (reason == TASK_IS_SUBORDINATE_SUSPENDED)
        return "its queue is subordinate to another one";
    if (reason == TASK_IS_CALENDAR_SUSPENDED)
        return "the calendar of its queue";
    return "to be saved (checkpoint)";
}

static double usage_so_far(const struct task *t, const char *name)
{
    for (uint32_t i = 0; i < t->rec.JAT_scaled_usage_list.n; i++)
        if (strcmp(t->rec.JAT_scaled_usage_list.v[i].UA_name, name) == 0)
            return t->rec.JAT_scaled_usage_list.v[i].UA_value;
    return 0;
}

void mail_suspended(struct qmaster *q, const struct task *t, uint32_t reason, bool is_on)
{
    if (!wants_mail(t->job, MAIL_AT_SUSPENSION))
        return;
    if (is_summed(q, t->job)) {
        note_change(q, t->job, is_on ? SUSPENDED : CONTINUED, 1, NULL);
        return;
    }
    struct letter l =
        letter_begin(t->job, t->rec.JAT_task_number, is_on ? "Suspended" : "Continued");
    letter_place(&l, 16, t, true);
    letter_date(&l, 16, "Start Time", t->rec.JAT_start_time);
    letter_date(&l, 16, is_on ? "Suspend Time" : "Continue Time", q->now_s);
    letter_text(&l, 16, is_on ? "Reason" : "Was suspended", reason_words(reason));
    letter_duration(&l, 16, "CPU", usage_so_far(t, "cpu"));
    letter_memory(&l, 16, "Max vmem", usage_so_far(t, "maxvmem"));
    letter_send(q, t->job, &l);
}

void mail_rescheduled(struct qmaster *q, const struct task *t)
{
    if (!wants_mail(t->job, MAIL_AT_ABORT) || is_summed(q, t->job))
        return; /* the end of the start counts there */
    struct letter l = { 0 };
    struct dstr name = DSTR_INIT;
    if (job_is_array(&t->job->rec))
        dstr_addf(&name, "job-array task %" PRIu32 ".%" PRIu32, t->rec.JAT_job_number,
                  t->rec.JAT_task_number);
    else
        dstr_addf(&name, "job %" PRIu32, t->rec.JAT_job_number);
    dstr_addf(&l.subject, "Pushed rescheduling of %s", dstr_get(&name));
    dstr_addf(&l.body,
              "Your %s was running on host %s. Pushed manually/automatic rescheduling for this "
              "job.\n",
              dstr_get(&name), task_host(t));
    dstr_free(&name);
    letter_send(q, t->job, &l);
}

/* ---- deletes ---- */
/* a host says who its users are */
static void by_whom(const struct identity *who, struct dstr *out)
{
    dstr_add(out, "killed by ");
    mail_header_add(out, who->user, LETTER_NAME_MOST);
    dstr_addc(out, '@');
    mail_header_add(out, who->host, LETTER_NAME_MOST);
}

/* the first line has two blanks for a job and one for a task, as readers of it know */
static struct letter begin_killed(const struct job *job, uint32_t task, const struct identity *who)
{
    struct letter l = { 0 };
    letter_title(job, task, &l.subject);
    dstr_addf(&l.body, "%s%s was ", dstr_get(&l.subject), job_is_array(&job->rec) ? "" : " ");
    by_whom(who, &l.body);
    dstr_addc(&l.body, '\n');
    dstr_add(&l.subject, " Killed");
    letter_text(&l, 16, "User", job->rec.JB_owner);
    letter_date(&l, 16, "Submit Time", job->rec.JB_submission_time);
    return l;
}

void mail_deleted(struct qmaster *q, const struct task *t, const struct identity *who)
{
    bool is_running = task_holds_slots(t);
    if (!wants_mail(t->job, MAIL_AT_ABORT | MAIL_AT_EXIT))
        return;
    if (is_summed(q, t->job)) {
        struct dstr why = DSTR_INIT;
        by_whom(who, &why);
        if (!is_running)
            array_of(q, t->job)->n_killed++;
        note_change(q, t->job, KILLED, 1, dstr_get(&why));
        dstr_free(&why);
        return;
    }
    if (!wants_mail(t->job, MAIL_AT_ABORT))
        return;
    struct letter l = begin_killed(t->job, t->rec.JAT_task_number, who);
    if (is_running) {
        letter_queue(&l, 16, t, true);
        letter_date(&l, 16, "Start Time", t->rec.JAT_start_time);
        letter_duration(&l, 16, "CPU", usage_so_far(t, "cpu"));
    } else {
        letter_text(&l, 16, "State",
                    t->rec.JAT_status == TASK_ERROR ? "in error" : "waiting for another start");
    }
    letter_send(q, t->job, &l);
}

void mail_deleted_pending(struct qmaster *q, const struct job *job, const struct range_set *pending,
                          const struct identity *who)
{
    if (!wants_mail(job, MAIL_AT_ABORT | MAIL_AT_EXIT) || range_set_is_empty(pending))
        return;
    uint64_t n = range_set_count(pending);
    uint32_t first = 0;
    if (is_summed(q, job)) {
        struct dstr why = DSTR_INIT;
        by_whom(who, &why);
        array_of(q, job)->n_killed += (uint32_t)n;
        note_change(q, job, KILLED, (uint32_t)n, dstr_get(&why));
        dstr_free(&why);
        return;
    }
    if (!wants_mail(job, MAIL_AT_ABORT))
        return;
    (void)range_set_min(pending, &first);
    struct letter l = begin_killed(job, n == 1 ? job_task_id(&job->rec, first) : 0, who);
    if (n > 1)
        letter_count(&l, 16, "Tasks", n);
    letter_text(&l, 16, "State", "pending: it has not run");
    letter_send(q, job, &l);
}

/* ---- now and then ---- */
void mails_step(struct qmaster *q)
{
    struct mails *mails = q->mails;
    struct array_mail *a;
    for (unsigned n = 0; n < DUE_A_STEP && (a = TAILQ_FIRST(&mails->due)) != NULL &&
                         (a->due_s <= q->now_s || a->due_s > q->now_s + ARRAY_MAIL_S);
         n++) {
        const struct job *job = jobs_find(&q->jobs, a->job);
        if (job != NULL)
            send_changes(q, job, a);
        else
            array_free(mails, a);
    }
    letters_step(q);
}
