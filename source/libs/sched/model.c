/* The data model kept current by events (layer 1): checks each event and hands it to the file that owns what it changes.
 * An event is checked in full before anything changes, so a malformed one leaves the model as it was. */
#include "libs/sched/msg_sched.h"
#include "libs/sched/sched_priv.h"

#include "libs/sgeobj/event.h"
#include "libs/uti/answer.h"

enum { NEEDS_JOB = 1, NEEDS_NUMBER = 2, NEEDS_QUEUE = 4, NEEDS_QUEUE_NAME = 8, NEEDS_CONF = 16 };

typedef void (*apply_fn)(struct sched *s, const struct EV_Type *event, struct answer *ans);

static void apply_nothing(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    (void)s, (void)event, (void)ans;
}

static void apply_job(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    (void)ans;
    const struct sched_job *job = job_find(s, event->EV_jobs.v[0].JB_job_number);

    if (event->EV_kind == EV_JOB_MOD && (job == NULL || job->is_deleted))
        return;
    job_update(s, &event->EV_jobs.v[0], &event->EV_ids);
}

static void apply_job_del(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    (void)ans;
    struct sched_job *job = job_find(s, event->EV_job_number);

    if (job != NULL)
        job_forget(s, job);
}

static void apply_ready(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    (void)ans;
    struct sched_job *job = job_find(s, event->EV_job_number);

    if (job == NULL)
        return;
    if (event->EV_kind == EV_TASKS_READY)
        job_ready(s, job, &event->EV_ids);
    else
        job_unready(s, job, &event->EV_ids);
}

static uint32_t slots_of(const struct EV_Type *event)
{
    return event->EV_slots > 0 ? event->EV_slots : 1;
}

static void apply_started(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    (void)ans;
    struct sched_job *job = job_find(s, event->EV_job_number);

    if (job != NULL && !range_set_is_empty(&event->EV_ids))
        job_started(s, job, &event->EV_ids, event->EV_queue, slots_of(event));
}

static void apply_ended(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    (void)ans;
    struct sched_job *job = job_find(s, event->EV_job_number);

    struct queue *q = queue_find(s, event->EV_queue);

    if (job != NULL && q != NULL)
        job_ended(s, job, &event->EV_ids, q);
}

static void apply_queue(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    (void)ans;
    const struct queue *q = queue_find(s, event->EV_queues.v[0].QU_full_name);

    if (event->EV_kind == EV_QUEUE_MOD && (q == NULL || !q->is_known))
        return;
    queue_update(s, &event->EV_queues.v[0]);
}

static void apply_queue_del(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    (void)ans;
    queue_forget(s, event->EV_queue);
}

static void apply_conf(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    sched_conf_read(&s->conf, &event->EV_confs.v[0], ans);
}

static const struct { apply_fn apply; unsigned needs; } kinds[EV_KINDS] = {
    [EV_SYNCED] = { apply_nothing, 0 },
    [EV_JOB_ADD] = { apply_job, NEEDS_JOB },
    [EV_JOB_MOD] = { apply_job, NEEDS_JOB },
    [EV_JOB_DEL] = { apply_job_del, NEEDS_NUMBER },
    [EV_TASKS_READY] = { apply_ready, NEEDS_NUMBER },
    [EV_TASKS_UNREADY] = { apply_ready, NEEDS_NUMBER },
    [EV_TASKS_STARTED] = { apply_started, NEEDS_NUMBER | NEEDS_QUEUE_NAME },
    [EV_TASKS_ENDED] = { apply_ended, NEEDS_NUMBER | NEEDS_QUEUE_NAME },
    [EV_QUEUE_ADD] = { apply_queue, NEEDS_QUEUE },
    [EV_QUEUE_MOD] = { apply_queue, NEEDS_QUEUE },
    [EV_QUEUE_DEL] = { apply_queue_del, NEEDS_QUEUE_NAME },
    [EV_CONF] = { apply_conf, NEEDS_CONF },
    [EV_TRIGGER] = { apply_nothing, 0 },
};

/* the first field that EVENT needs and lacks, NULL if it is whole */
static const char *lacks(const struct EV_Type *event, unsigned needs)
{
    if ((needs & NEEDS_JOB) != 0 && (event->EV_jobs.n == 0 || event->EV_jobs.v[0].JB_job_number == 0))
        return "JB_job_number";
    if ((needs & NEEDS_NUMBER) != 0 && event->EV_job_number == 0)
        return "EV_job_number";
    if ((needs & NEEDS_QUEUE) != 0 && (event->EV_queues.n == 0 || event->EV_queues.v[0].QU_full_name == NULL))
        return "QU_full_name";
    if ((needs & NEEDS_QUEUE_NAME) != 0 && event->EV_queue == NULL)
        return "EV_queue";
    if ((needs & NEEDS_CONF) != 0 && event->EV_confs.n == 0)
        return "EV_confs";
    return NULL;
}

int sched_default_apply(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    if (event->EV_kind >= EV_KINDS || kinds[event->EV_kind].apply == NULL)
        return ans_fail(ans, STATUS_EPROTO, MSG_SCHED_EVENT_KIND_U, event->EV_kind);
    const char *missing = lacks(event, kinds[event->EV_kind].needs);
    if (missing != NULL)
        return ans_fail(ans, STATUS_EPROTO, MSG_SCHED_EVENT_LACKS_US, event->EV_kind, missing);
    kinds[event->EV_kind].apply(s, event, ans);
    return 0;
}
