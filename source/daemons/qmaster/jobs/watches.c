/* Each watch is one request WATCH, or a submit that watches: a part of its answer for every end of
 * a task and for every task that is parked in error, the last when the job is gone. A task that was
 * deleted, whether it ran or not, has no end to tell: the client sees that from the ends it was
 * told. */
#include "daemons/qmaster/jobs/watches.h"

#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/sessions.h"
#include "daemons/qmaster/io/net.h"
#include "libs/comm/server.h"
#include "libs/sgeobj/job_report.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/alloc.h"

enum { PARKED_LOOKED_MOST = 10000, PARKED_TOLD_MOST = 100 }; /* in one step of the core */

struct watch {
    uint64_t conn;
    uint32_t serial;
    struct watched *of;
    TAILQ_ENTRY(watch) in_job;
};
TAILQ_HEAD(watch_list, watch);
struct watched { /* a job with watches: an end looks at its own, not at all there are */
    uint32_t job;
    struct watch_list watches;
    UT_hash_handle hh;
};
struct watches {
    struct watched *jobs;
};

struct watches *watches_new(void)
{
    return uti_calloc(1, sizeof(struct watches));
}

static struct watched *find_watched(struct watches *all, uint32_t job)
{
    struct watched *j;
    HASH_FIND_U32(all->jobs, &job, j);
    return j;
}

static void forget_job(struct watches *all, struct watched *j)
{
    HASH_DEL(all->jobs, j);
    free(j);
}

/* the last watch of a job takes the job's entry with it; returns whether it did */
static bool forget_watch(struct watches *all, struct watch *w)
{
    struct watched *j = w->of;
    TAILQ_REMOVE(&j->watches, w, in_job);
    free(w);
    if (!TAILQ_EMPTY(&j->watches))
        return false;
    forget_job(all, j);
    return true;
}

void watches_free(struct watches *all)
{
    struct watched *j, *next;
    if (all == NULL)
        return;
    HASH_ITER(hh, all->jobs, j, next) {
        while (!forget_watch(all, TAILQ_FIRST(&j->watches)))
            ;
    }
    free(all);
}

void watches_add(struct qmaster *q, struct session *s, uint32_t serial, uint32_t job)
{
    struct watched *j = find_watched(q->watches, job);
    struct watch *w = uti_calloc(1, sizeof *w);
    if (j == NULL) {
        j = uti_calloc(1, sizeof *j);
        j->job = job;
        TAILQ_INIT(&j->watches);
        HASH_ADD_U32(q->watches->jobs, job, j);
    }
    comm_server_keep(net_server(q->net), s->conn);
    *w = (struct watch){ .conn = s->conn, .serial = serial, .of = j };
    TAILQ_INSERT_TAIL(&j->watches, w, in_job);
    s->n_watches++;
}

static void tell_watchers(struct qmaster *q, const struct task *t, const struct JR_Type *report,
                          uint32_t state)
{
    struct watched *j = find_watched(q->watches, t->rec.JAT_job_number);
    struct watch *w;
    if (j == NULL)
        return;
    TAILQ_FOREACH(w, &j->watches, in_job) {
        struct GA_Type ga = { 0 };
        struct JR_Type *end = cull_append(&ga, GA_reports);
        cull_copy(&cull_JR_Type, end, report);
        cull_set(end, JR_state, state);
        change_answer(q, change_number(q), w->conn, w->serial, &ga);
    }
}

void watches_tell_parked(struct qmaster *q, const struct session *s, uint32_t serial,
                         struct job *job)
{
    struct GA_Type ga = { 0 };
    struct task *t = job_task_first(job, 0);
    for (int looked = 0; t != NULL && looked < PARKED_LOOKED_MOST; looked++, t = job_task_next(t)) {
        if (t->rec.JAT_status != TASK_ERROR)
            continue;
        struct JR_Type *report = cull_append(&ga, GA_reports);
        cull_set(report, JR_job_number, t->rec.JAT_job_number);
        cull_set(report, JR_task_number, t->rec.JAT_task_number);
        cull_set(report, JR_attempt, t->rec.JAT_attempt);
        cull_set(report, JR_state, (uint32_t)REPORT_PARKED);
        cull_set(report, JR_err_str, t->rec.JAT_error_reason);
        if (ga.GA_reports.n == PARKED_TOLD_MOST)
            break;
    }
    if (ga.GA_reports.n > 0)
        change_answer(q, change_number(q), s->conn, serial, &ga);
}

void watches_task_ended(struct qmaster *q, const struct task *t, const struct JR_Type *report)
{
    tell_watchers(q, t, report, REPORT_ENDED);
}

void watches_task_parked(struct qmaster *q, const struct task *t, const struct JR_Type *report)
{
    tell_watchers(q, t, report, REPORT_PARKED);
}

void watches_job_ended(struct qmaster *q, const struct job *job)
{
    struct watched *j = find_watched(q->watches, job->rec.JB_job_number);
    while (j != NULL) {
        struct watch *w = TAILQ_FIRST(&j->watches);
        struct GA_Type ga = { 0 };
        cull_set(&ga, GA_is_last, true);
        change_answer(q, change_number(q), w->conn, w->serial, &ga);
        if (forget_watch(q->watches, w))
            j = NULL;
    }
}

static void forget_session(struct watches *all, struct watched *j, uint64_t conn)
{
    struct watch *w, *next;
    TAILQ_FOREACH_SAFE(w, &j->watches, in_job, next)
    {
        if (w->conn == conn && forget_watch(all, w))
            return;
    }
}

void watches_on_closed(struct qmaster *q, struct session *s)
{
    struct watched *j, *next;
    if (s->n_watches == 0) /* nearly every connection: clients that watch are few and stay long */
        return;
    HASH_ITER(hh, q->watches->jobs, j, next) {
        forget_session(q->watches, j, s->conn);
    }
}
