/* Which hosts are closed, and for how long. The row of failures of a host is in memory alone: after
 * a restart it begins anew, but a host that is closed stays so, and one that was closed is so again
 * after one more failure. Invariant: a host is in `shut` while it is closed or has `shut_for`. */
#include "daemons/qmaster/jobs/start_failures.h"

#include <stdlib.h>
#include <string.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/jobs/msg_jobs.h"
#include "daemons/qmaster/sched/events.h"
#include "libs/task/task_dir.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"
#include "libs/uti/log.h"
#include "libs/uti/time.h"

static void forget_row(struct failure_row *row)
{
    free(row->owner);
    *row = (struct failure_row){ 0 };
}

static void note_change(struct qmaster *q, struct host *h)
{
    struct qinstance *qi;
    h->changed = change_number(q);
    change_record(q, SPOOL_HOST, h->rec.EH_name, &cull_EH_Type, &h->rec);
    LIST_FOREACH(qi, &h->instances, in_host)
        if (qinstance_is_there(qi))
            events_queue_mod(q, qi);
}

/* ---- whom it hurts ---- */
static uint32_t count_shut_for(const struct qmaster *q, const char *owner, const struct host *but)
{
    const struct host *h;
    uint32_t n = 0;
    LIST_FOREACH(h, &q->hosts.shut, in_shut)
        n += h != but && h->shut_for != NULL && strcmp(h->shut_for, owner) == 0;
    return n;
}

static bool is_another_open(const struct qmaster *q, const struct host *but)
{
    for (const struct qinstance *qi = queues_first(&q->queues); qi != NULL; qi = queues_next(qi))
        if (qi->host != but && qinstance_may_start(qi))
            return true;
    return false;
}

static void shut_for(struct qmaster *q, struct host *h, const char *owner)
{
    free(h->shut_for);
    h->shut_for = owner != NULL ? uti_strdup(owner) : NULL;
    host_note_shut(&q->hosts, h);
}

bool start_failures_blame_host(struct qmaster *q, const struct task *t)
{
    struct host *h = hosts_find(&q->hosts, task_host(t));
    const char *owner = t->job->rec.JB_owner;
    if (h == NULL || count_shut_for(q, owner, h) >= OWNER_SHUTS_MOST)
        return false;
    shut_for(q, h, owner);
    return true;
}

/* ---- closing ---- */
static uint64_t delay_s(const struct settings *s, uint32_t closings)
{
    uint64_t most_s = s->start_failure_delay_most_s, delay_s = s->start_failure_delay_s;
    while (closings-- > 0 && delay_s < most_s)
        delay_s *= 2;
    return delay_s < most_s ? delay_s : most_s;
}

static void close_host(struct qmaster *q, struct host *h, const struct task *t, const char *why)
{
    struct dstr until = DSTR_INIT, text = DSTR_INIT;
    uint64_t until_s = q->now_s + delay_s(&q->settings, h->rec.EH_closings);
    uti_time_us_date(until_s, &until);
    dstr_addf(&text, MSG_HOST_CLOSED_SSUUUS, h->rec.EH_name, dstr_get(&until), h->failures.n,
              t->rec.JAT_job_number, t->rec.JAT_task_number, why != NULL ? why : "");
    cull_set(&h->rec, EH_closed_until, until_s);
    cull_set(&h->rec, EH_closings, h->rec.EH_closings + 1);
    cull_set(&h->rec, EH_closed_why, dstr_get(&text));
    shut_for(q, h, h->failures.owner);
    note_change(q, h);
    log_msg(LOG_LEVEL_ERROR, "%s", dstr_get(&text));
    dstr_free(&text);
    dstr_free(&until);
}

/* may what failed in a row on H, which is enough, be held against it? */
static bool is_to_blame(struct qmaster *q, struct host *h)
{
    const char *owner = h->failures.owner;
    if (owner == NULL)
        return true;
    if (count_shut_for(q, owner, h) >= OWNER_SHUTS_MOST) {
        log_msg(LOG_LEVEL_WARNING, MSG_OWNER_SHUTS_SSU, owner, h->rec.EH_name,
                (unsigned)OWNER_SHUTS_MOST);
        return false;
    }
    return is_another_open(q, h);
}

static void clear_record(struct qmaster *q, struct host *h)
{
    cull_set(&h->rec, EH_closed_until, 0u);
    cull_clear_field(&cull_EH_Type, &h->rec, EH_closed_why);
    shut_for(q, h, NULL);
}

/* nothing of what was before counts */
static void begin_anew(struct qmaster *q, struct host *h)
{
    forget_row(&h->failures);
    if (h->rec.EH_closings == 0 || host_is_closed(h))
        return;
    cull_set(&h->rec, EH_closings, 0u);
    h->changed = change_number(q);
    change_record(q, SPOOL_HOST, h->rec.EH_name, &cull_EH_Type, &h->rec);
}

/* ---- rows ---- */
static void add_to_row(struct failure_row *row, uint64_t now_s, const char *owner)
{
    if (row->n == 0) {
        row->since_s = now_s;
        row->owner = owner != NULL ? uti_strdup(owner) : NULL;
    } else if (row->owner != NULL && (owner == NULL || strcmp(row->owner, owner) != 0)) {
        free(row->owner);
        row->owner = NULL;
    }
    row->n++;
}

static void on_failure(struct qmaster *q, struct host *h, const struct task *t,
                       enum task_blame blame, const char *why)
{
    const struct settings *s = &q->settings;
    if (s->start_failures == 0 || host_is_closed(h)) /* those that were under way count once */
        return;
    if (h->failures.n > 0 && q->now_s - h->failures.since_s >= s->start_failure_time_s)
        begin_anew(q, h);
    add_to_row(&h->failures, q->now_s, blame == TASK_BLAME_HOST ? NULL : t->job->rec.JB_owner);
    if (h->failures.n < s->start_failures && h->rec.EH_closings == 0)
        return;
    if (is_to_blame(q, h))
        close_host(q, h, t, why);
    else
        forget_row(&h->failures);
}

void start_failures_ended(struct qmaster *q, const struct task *t, uint32_t failed, const char *why)
{
    struct host *h = hosts_find(&q->hosts, task_host(t));
    enum task_blame blame = task_failure_blame(failed);
    if (h == NULL)
        return;
    if (blame != TASK_BLAME_NONE)
        on_failure(q, h, t, blame, why);
    else if (failed != TASK_FAILED_RESCHEDULE && failed != TASK_FAILED_MIGRATING &&
             failed != TASK_FAILED_RECOGNIZING)
        start_failures_runs(q, t);
}

void start_failures_runs(struct qmaster *q, const struct task *t)
{
    struct host *h = hosts_find(&q->hosts, task_host(t));
    if (h != NULL && t->rec.JAT_start_time >= h->failures.since_s)
        begin_anew(q, h);
}

/* ---- opening ---- */
void start_failures_open(struct qmaster *q, struct host *h)
{
    bool was_closed = host_is_closed(h);
    clear_record(q, h);
    begin_anew(q, h);
    if (was_closed)
        note_change(q, h);
}

/* a clock that was set back must not keep a host closed for as long as that */
static bool is_time(const struct qmaster *q, const struct host *h)
{
    uint64_t until_s = h->rec.EH_closed_until;
    return q->now_s >= until_s || until_s - q->now_s > q->settings.start_failure_delay_most_s;
}

void start_failures_step(struct qmaster *q)
{
    struct host *h, *next;
    for (h = LIST_FIRST(&q->hosts.shut); h != NULL; h = next) {
        next = LIST_NEXT(h, in_shut);
        if (!host_is_closed(h) || !is_time(q, h))
            continue;
        clear_record(q, h);
        h->failures.since_s = q->now_s;
        note_change(q, h);
        log_msg(LOG_LEVEL_INFO, MSG_HOST_OPENED_S, h->rec.EH_name);
    }
}
