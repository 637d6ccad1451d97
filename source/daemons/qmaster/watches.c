/* Each watch is one request WATCH, or a submit that watches: a part of its answer for every end of a task, the last when the job is
 * gone. A task that was deleted, whether it ran or not, has no end to tell: the client sees that from the ends it was told. */
#include "daemons/qmaster/watches.h"

#include <stdlib.h>

#include "daemons/qmaster/change.h"
#include "daemons/qmaster/msg_qmaster.h"
#include "daemons/qmaster/requests.h"
#include "libs/uti/alloc.h"

struct watch {
    uint64_t conn;
    uint32_t serial;
    uint32_t job;
    TAILQ_ENTRY(watch) next;
};
struct watches {
    TAILQ_HEAD(, watch) all;
};

struct watches *watches_new(void)
{
    struct watches *w = uti_calloc(1, sizeof *w);
    TAILQ_INIT(&w->all);
    return w;
}

static void forget(struct watches *all, struct watch *w)
{
    TAILQ_REMOVE(&all->all, w, next);
    free(w);
}

void watches_free(struct watches *all)
{
    struct watch *w;
    if (all == NULL)
        return;
    while ((w = TAILQ_FIRST(&all->all)) != NULL)
        forget(all, w);
    free(all);
}

static void start(struct qmaster *q, struct request *r, uint32_t job)
{
    struct watch *w = uti_calloc(1, sizeof *w);
    *w = (struct watch){ .conn = r->from->conn, .serial = r->serial, .job = job };
    TAILQ_INSERT_TAIL(&q->watches->all, w, next);
    r->is_taken = true;
}

void watch_request(struct qmaster *q, struct request *r)
{
    if (jobs_find(&q->jobs, r->gr.GR_job_number) == NULL) {
        ans_add(&r->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_ERROR, MSG_JOB_UNKNOWN_U, r->gr.GR_job_number);
        return;
    }
    start(q, r, r->gr.GR_job_number);
}

void watches_submitted(struct qmaster *q, struct request *r)
{
    uint32_t job = r->ga.GA_job_number;
    if (jobs_find(&q->jobs, job) == NULL)
        return; /* asked again after its end */
    request_texts(&r->ans, &r->ga);
    change_answer(q, r->after, r->from->conn, r->serial, &r->ga);
    start(q, r, job);
}

void watches_task_ended(struct qmaster *q, const struct task *t, const struct JR_Type *report)
{
    struct watch *w;
    TAILQ_FOREACH(w, &q->watches->all, next)
    {
        if (w->job != t->rec.JAT_job_number)
            continue;
        struct GA_Type ga = { 0 };
        struct JR_Type *end = cull_append(&ga, GA_reports);
        cull_copy(&cull_JR_Type, end, report);
        change_answer(q, change_number(q), w->conn, w->serial, &ga);
    }
}

void watches_job_ended(struct qmaster *q, const struct job *job)
{
    struct watch *w, *next;
    TAILQ_FOREACH_SAFE(w, &q->watches->all, next, next)
    {
        if (w->job != job->rec.JB_job_number)
            continue;
        struct GA_Type ga = { 0 };
        cull_set(&ga, GA_is_last, true);
        change_answer(q, change_number(q), w->conn, w->serial, &ga);
        forget(q->watches, w);
    }
}

void watches_on_closed(struct qmaster *q, uint64_t conn)
{
    struct watch *w, *next;
    TAILQ_FOREACH_SAFE(w, &q->watches->all, next, next)
    {
        if (w->conn == conn)
            forget(q->watches, w);
    }
}
