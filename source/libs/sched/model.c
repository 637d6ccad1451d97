/* The data model kept current by events (layer 1): checks each event and hands it to the file that
 * owns what it changes. An event is checked in full before anything changes, so a malformed one
 * job groups the model as it was. */
#include "libs/sched/msg_sched.h"
#include "libs/sched/sched_priv.h"
#include "libs/uti/answer.h"

#include "libs/config/conf.h"
#include "libs/sgeobj/event.h"
#include "libs/sgeobj/object_kind.h"

static void apply_nothing(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    (void)s, (void)event, (void)ans;
}

static void apply_job(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    (void)ans;
    const struct JB_Type *record = &event->EV_jobs.v[0];
    struct sched_job *job = job_find(s, record->JB_job_number);

    if (event->EV_kind == EV_JOB_MOD && (job == NULL || job->is_deleted))
        return;
    job_update(s, job != NULL ? job : job_new(s, record), record, &event->EV_ids);
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

static void apply_started(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    (void)ans;
    struct sched_job *job = job_find(s, event->EV_job_number);

    if (job != NULL && !range_set_is_empty(&event->EV_ids))
        job_started(s, job, &event->EV_ids, &event->EV_granted);
}

static void apply_ended(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    (void)ans;
    struct sched_job *job = job_find(s, event->EV_job_number);

    if (job != NULL)
        job_ended(s, job, &event->EV_ids, &event->EV_granted);
}

static void apply_queue(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    (void)ans;
    const struct sched_queue *q = queue_find(s, event->EV_queues.v[0].QU_full_name);

    if (event->EV_kind == EV_QUEUE_MOD && (q == NULL || !q->is_known))
        return;
    queue_update(s, &event->EV_queues.v[0]);
}

static void apply_queue_del(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    (void)ans;
    queue_forget(s, event->EV_queue);
}

/* of the scheduler alone: the others are not our business */
static void apply_conf(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    if (strcmp(event->EV_confs.v[0].CONF_name, CONF_SCHEDULER) != 0)
        return;
    struct sched_conf conf = s->conf;
    sched_conf_read(&conf, &event->EV_confs.v[0], ans);
    if (conf.is_by_seq_no != s->conf.is_by_seq_no)
        queues_sort(s, conf.is_by_seq_no);
    s->conf = conf;
    owners_limit(s);
    owners_settle(s);
}

static void apply_resource(struct sched *s, enum resource_effect effect)
{
    if (effect == RESOURCE_SAME)
        return;
    quotas_renew(s);
    if (effect != RESOURCE_DECIDES)
        return;
    categories_renew(s);
    places_renew(s);
}

/* of parallel environments, resources and resource quota sets; which other objects there are
 * decides nothing here */
static void apply_object(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    (void)ans;
    const struct TX_Type *object = &event->EV_texts.v[0];
    bool is_there = event->EV_kind == EV_OBJECT;
    if (object->TX_kind == OBJECT_PE && is_there)
        pe_update(s, object);
    else if (object->TX_kind == OBJECT_PE)
        pe_forget(s, object->TX_name);
    else if (object->TX_kind == OBJECT_COMPLEX && is_there)
        apply_resource(s, resource_update(s, object));
    else if (object->TX_kind == OBJECT_COMPLEX)
        apply_resource(s, resource_forget(s, object->TX_name));
    else if (object->TX_kind == OBJECT_RQS && is_there)
        quotas_put(s, object);
    else if (object->TX_kind == OBJECT_RQS)
        quotas_drop(s, object->TX_name);
}

static void apply_host(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    (void)ans;
    if (event->EV_kind == EV_HOST)
        host_update(s, &event->EV_hosts.v[0]);
    else
        host_forget(s, event->EV_hosts.v[0].EH_name);
}

static void (*const kinds[EV_KINDS])(struct sched *s, const struct EV_Type *event,
                                     struct answer *ans) = {
    [EV_SYNCED] = apply_nothing,
    [EV_JOB_ADD] = apply_job,
    [EV_JOB_MOD] = apply_job,
    [EV_JOB_DEL] = apply_job_del,
    [EV_TASKS_READY] = apply_ready,
    [EV_TASKS_UNREADY] = apply_ready,
    [EV_TASKS_STARTED] = apply_started,
    [EV_TASKS_ENDED] = apply_ended,
    [EV_QUEUE_ADD] = apply_queue,
    [EV_QUEUE_MOD] = apply_queue,
    [EV_QUEUE_DEL] = apply_queue_del,
    [EV_CONF] = apply_conf,
    [EV_TRIGGER] = apply_nothing,
    [EV_TASKS_DONE] = apply_nothing,
    [EV_OBJECT] = apply_object,
    [EV_OBJECT_DEL] = apply_object,
    [EV_HOST] = apply_host,
    [EV_HOST_DEL] = apply_host,
};

int model_apply(struct sched *s, const struct EV_Type *event, struct answer *ans)
{
    if (event_check(event, ans) < 0)
        return -1;
    if (kinds[event->EV_kind] == NULL)
        return ans_fail(ans, STATUS_EPROTO, MSG_SCHED_EVENT_S, event_kind_name(event->EV_kind));
    kinds[event->EV_kind](s, event, ans);
    return 0;
}
