/* WATCH: the client is told what happens to the tasks of a job (watches.h) until the job has
 * ended. */
#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/request.h"
#include "daemons/qmaster/jobs/watches.h"
#include "daemons/qmaster/requests/handlers.h"
#include "daemons/qmaster/requests/msg_requests.h"

static void start_watch(struct qmaster *q, struct request *r, struct job *job)
{
    watches_add(q, r->from, r->serial, job->rec.JB_job_number);
    watches_tell_parked(q, r->from, r->serial, job);
    r->is_taken = true;
}

void watch_request(struct qmaster *q, struct request *r)
{
    struct job *job = jobs_find(&q->jobs, r->gr.GR_job_number);
    if (job == NULL) {
        ans_add(&r->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_ERROR, MSG_JOB_UNKNOWN_U,
                r->gr.GR_job_number);
        return;
    }
    start_watch(q, r, job);
}

void watch_submitted(struct qmaster *q, struct request *r)
{
    struct job *job = jobs_find(&q->jobs, r->ga.GA_job_number);
    if (job == NULL)
        return; /* asked again after its end */
    request_texts(&r->ans, &r->ga);
    change_answer(q, r->after, r->from->conn, r->serial, &r->ga);
    start_watch(q, r, job);
}
