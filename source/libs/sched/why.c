/* Why a job does not start: the texts that qstat -j shows under `scheduling info:`. Reads the model, changes nothing.
 * O(queues); at most QUEUES_TOLD of them are named. */
#include "libs/sched/msg_sched.h"
#include "libs/sched/sched_priv.h"

#include "libs/sched/match.h"
#include "libs/sgeobj/qinstance.h"
#include "libs/uti/dstr.h"

enum { QUEUES_TOLD = 20 };

static void reason_take(struct ST_Type_list *reasons, struct dstr *text)
{
    reasons->v = uti_vec_grow(reasons->v, &reasons->cap, reasons->n + 1, sizeof *reasons->v);
    struct ST_Type *reason = &reasons->v[reasons->n++];
    *reason = (struct ST_Type){ 0 };
    cull_set(reason, ST_name, dstr_get(text));
    dstr_free(text);
}

#define REASON(reasons, ...)                                                                       \
    do {                                                                                           \
        struct dstr text_ = DSTR_INIT;                                                             \
        dstr_addf(&text_, __VA_ARGS__);                                                            \
        reason_take((reasons), &text_);                                                            \
    } while (0)

/* true if Q is why a job with REQUEST cannot run in it now; the reason is added if REASONS is not NULL */
static bool queue_why_not(const struct queue *q, const struct JB_Type *request,
                          struct ST_Type_list *reasons)
{
    struct dstr text = DSTR_INIT;

    if (!queue_requests_match(&request->JB_hard_queue_list, q->name))
        dstr_addf(&text, MSG_WHY_QUEUE_REQUEST_S, q->name);
    else if ((q->state & QI_DISABLED) != 0)
        dstr_addf(&text, MSG_WHY_QUEUE_DISABLED_S, q->name);
    else if ((q->state & (QI_SUSPENDED | QI_SUBORDINATED | QI_CAL_SUSPENDED)) != 0)
        dstr_addf(&text, MSG_WHY_QUEUE_SUSPENDED_S, q->name);
    else if ((q->state & QI_ERROR) != 0)
        dstr_addf(&text, MSG_WHY_QUEUE_ERROR_S, q->name);
    else if ((q->state & QI_BLOCKING) != 0)
        dstr_addf(&text, MSG_WHY_QUEUE_UNAVAILABLE_S, q->name);
    else if ((q->qtype & QTYPE_BATCH) == 0)
        dstr_addf(&text, MSG_WHY_QUEUE_BATCH_S, q->name);
    else if (queue_free_slots(q) == 0)
        dstr_addf(&text, MSG_WHY_QUEUE_FULL_S, q->name);
    if (text.len == 0)
        return false;
    if (reasons != NULL)
        reason_take(reasons, &text);
    dstr_free(&text);
    return true;
}

static void queues_why_not(const struct sched *s, const struct JB_Type *request,
                           struct ST_Type_list *reasons)
{
    uint32_t known = 0, dropped = 0;

    for (const struct queue *q = s->queues; q != NULL; q = q->hh.next) {
        if (!q->is_known)
            continue;
        known++;
        if (queue_why_not(q, request, dropped < QUEUES_TOLD ? reasons : NULL))
            dropped++;
    }
    if (dropped > QUEUES_TOLD)
        REASON(reasons, MSG_WHY_QUEUES_MORE_U, dropped - QUEUES_TOLD);
    if (dropped == known)
        REASON(reasons, MSG_WHY_ALL_QUEUES);
}

void sched_why_not(const struct sched *s, uint32_t job_number, uint64_t now_s,
                   struct ST_Type_list *reasons)
{
    const struct sched_job *job = job_find(s, job_number);

    if (job == NULL || job->is_deleted)
        return;
    if (range_set_is_empty(&job->ready)) {
        if (job->n_taken == 0)
            REASON(reasons, MSG_WHY_HELD);
        return;
    }
    if (job->start_at_s > now_s)
        REASON(reasons, MSG_WHY_START_TIME);
    if (job_room(job) == 0)
        REASON(reasons, MSG_WHY_TC_U, job->concurrency);
    queues_why_not(s, &job->category->request, reasons);
}
