/* The mirror: jobs, queue instances and configurations as events tell them. Owns the tables; each entry begins with the public struct,
 * so that what is handed out leads back to its place.
 *
 * An event is checked before anything changes or is told. Slots in use follow from STARTED and ENDED: a task counts once, in
 * whichever queue it was said to start. */
#include "libs/mir/mir.h"

#include <stdlib.h>

#include "libs/sgeobj/event.h"
#include "libs/uti/answer.h"
#include "libs/uti/hash.h"

struct job_entry {
    struct mir_job job;
    uint32_t number;
    UT_hash_handle hh;
};
struct queue_entry {
    struct mir_queue queue;
    UT_hash_handle hh;
};
struct conf_entry {
    struct CONF_Type rec;
    UT_hash_handle hh;
};
struct mir {
    const struct mir_ops *ops;
    void *ctx;
    struct job_entry *jobs;
    struct queue_entry *queues;
    struct conf_entry *confs;
    bool is_synced;
};

/* ---- telling ---- */
static void tell_before(struct mir *m, struct mir_note note)
{
    if (m->ops != NULL && m->ops->before != NULL && note.change != MIR_ADD)
        m->ops->before(m->ctx, &note);
}

static void tell_after(struct mir *m, struct mir_note note)
{
    if (m->ops != NULL && m->ops->after != NULL && note.change != MIR_DEL)
        m->ops->after(m->ctx, &note);
}

static struct mir_note job_note(enum mir_change change, const struct job_entry *e)
{
    return (struct mir_note){ .table = MIR_JOB, .change = change, .job = &e->job };
}

static struct mir_note queue_note(enum mir_change change, const struct queue_entry *e)
{
    return (struct mir_note){ .table = MIR_QUEUE, .change = change, .queue = &e->queue };
}

static struct mir_note conf_note(enum mir_change change, const struct conf_entry *e)
{
    return (struct mir_note){ .table = MIR_CONF, .change = change, .conf = &e->rec };
}

/* ---- tables ---- */
static struct job_entry *job_find(const struct mir *m, uint32_t number)
{
    struct job_entry *e;

    HASH_FIND_U32(m->jobs, &number, e);
    return e;
}

static struct queue_entry *queue_find(const struct mir *m, const char *full_name)
{
    struct queue_entry *e;

    HASH_FIND_STR(m->queues, full_name, e);
    return e;
}

static struct conf_entry *conf_find(const struct mir *m, const char *name)
{
    struct conf_entry *e;

    HASH_FIND_STR(m->confs, name, e);
    return e;
}

static void job_remove(struct mir *m, struct job_entry *e)
{
    tell_before(m, job_note(MIR_DEL, e));
    HASH_DEL(m->jobs, e);
    cull_clear(&cull_JB_Type, &e->job.rec);
    range_set_free(&e->job.ready);
    range_set_free(&e->job.running);
    free(e);
}

static void queue_remove(struct mir *m, struct queue_entry *e)
{
    tell_before(m, queue_note(MIR_DEL, e));
    HASH_DEL(m->queues, e);
    cull_clear(&cull_QU_Type, &e->queue.rec);
    free(e);
}

static void conf_remove(struct mir *m, struct conf_entry *e)
{
    tell_before(m, conf_note(MIR_DEL, e));
    HASH_DEL(m->confs, e);
    cull_clear(&cull_CONF_Type, &e->rec);
    free(e);
}

/* ---- events ---- */
static void apply_job(struct mir *m, const struct EV_Type *event)
{
    const struct JB_Type *rec = &event->EV_jobs.v[0];
    struct job_entry *e = job_find(m, rec->JB_job_number);
    enum mir_change change = e != NULL ? MIR_MOD : MIR_ADD;

    if (e == NULL && event->EV_kind == EV_JOB_MOD)
        return;
    if (e == NULL) {
        e = uti_calloc(1, sizeof *e);
        e->number = rec->JB_job_number;
        HASH_ADD_U32(m->jobs, number, e);
    }
    tell_before(m, job_note(change, e));
    cull_merge(&cull_JB_Type, &e->job.rec, rec);
    range_set_unite(&e->job.ready, &event->EV_ids);
    tell_after(m, job_note(change, e));
}

static void apply_job_del(struct mir *m, const struct EV_Type *event)
{
    struct job_entry *e = job_find(m, event->EV_job_number);

    if (e != NULL)
        job_remove(m, e);
}

static void apply_tasks(struct mir *m, const struct EV_Type *event)
{
    struct job_entry *e = job_find(m, event->EV_job_number);

    if (e == NULL)
        return;
    tell_before(m, job_note(MIR_MOD, e));
    if (event->EV_kind == EV_TASKS_READY)
        range_set_unite(&e->job.ready, &event->EV_ids);
    else
        range_set_subtract(&e->job.ready, &event->EV_ids);
    tell_after(m, job_note(MIR_MOD, e));
}

static void queue_slots(struct mir *m, const char *name, uint64_t n, bool is_more)
{
    struct queue_entry *e = queue_find(m, name);

    if (e == NULL || n == 0)
        return;
    tell_before(m, queue_note(MIR_MOD, e));
    uint32_t used = e->queue.rec.QU_slots_used, by = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
    if (is_more)
        used = by < UINT32_MAX - used ? used + by : UINT32_MAX;
    else
        used = by < used ? used - by : 0;
    cull_set(&e->queue.rec, QU_slots_used, used);
    tell_after(m, queue_note(MIR_MOD, e));
}

/* STARTED and ENDED; what changes is what was not so before */
static void apply_slots(struct mir *m, const struct EV_Type *event)
{
    struct job_entry *e = job_find(m, event->EV_job_number);
    bool is_start = event->EV_kind == EV_TASKS_STARTED;
    struct range_set ids = { 0 };

    if (e == NULL)
        return;
    range_set_copy(&ids, &event->EV_ids);
    if (is_start)
        range_set_subtract(&ids, &e->job.running);
    else
        range_set_intersect(&ids, &e->job.running);
    tell_before(m, job_note(MIR_MOD, e));
    range_set_subtract(&e->job.ready, &ids);
    if (is_start)
        range_set_unite(&e->job.running, &ids);
    else
        range_set_subtract(&e->job.running, &ids);
    tell_after(m, job_note(MIR_MOD, e));
    queue_slots(m, event->EV_queue, range_set_count(&ids) * event->EV_slots, is_start);
    range_set_free(&ids);
}

static void apply_queue(struct mir *m, const struct EV_Type *event)
{
    const struct QU_Type *rec = &event->EV_queues.v[0];
    struct queue_entry *e = queue_find(m, rec->QU_full_name);
    enum mir_change change = e != NULL ? MIR_MOD : MIR_ADD;

    if (e == NULL && event->EV_kind == EV_QUEUE_MOD)
        return;
    if (e == NULL) {
        e = uti_calloc(1, sizeof *e);
        cull_set(&e->queue.rec, QU_full_name, rec->QU_full_name);
        const char *key = e->queue.rec.QU_full_name;
        HASH_ADD_KEYPTR(hh, m->queues, key, strlen(key), e);
    }
    tell_before(m, queue_note(change, e));
    for (unsigned field = 0; field < QU_Type_FIELDS; field++)
        if (field != QU_full_name && cull_is_present(rec, field)) /* the name is the table's key */
            cull_copy_field(&cull_QU_Type, &e->queue.rec, rec, field);
    tell_after(m, queue_note(change, e));
}

static void apply_queue_del(struct mir *m, const struct EV_Type *event)
{
    struct queue_entry *e = queue_find(m, event->EV_queue);

    if (e != NULL)
        queue_remove(m, e);
}

static void apply_conf(struct mir *m, const struct EV_Type *event)
{
    const struct CONF_Type *rec = &event->EV_confs.v[0];
    struct conf_entry *e = conf_find(m, rec->CONF_name);
    enum mir_change change = e != NULL ? MIR_MOD : MIR_ADD;

    if (e == NULL) {
        e = uti_calloc(1, sizeof *e);
        cull_set(&e->rec, CONF_name, rec->CONF_name);
        HASH_ADD_KEYPTR(hh, m->confs, e->rec.CONF_name, strlen(e->rec.CONF_name), e);
    }
    tell_before(m, conf_note(change, e));
    if (cull_has(rec, CONF_version))
        cull_copy_field(&cull_CONF_Type, &e->rec, rec, CONF_version);
    cull_copy_field(&cull_CONF_Type, &e->rec, rec, CONF_entries);
    tell_after(m, conf_note(change, e));
}

static void apply_synced(struct mir *m, const struct EV_Type *event)
{
    (void)event;
    m->is_synced = true;
}

static void apply_nothing(struct mir *m, const struct EV_Type *event)
{
    (void)m, (void)event;
}

static void (*const kinds[EV_KINDS])(struct mir *m, const struct EV_Type *event) = {
    [EV_SYNCED] = apply_synced,       [EV_JOB_ADD] = apply_job,
    [EV_JOB_MOD] = apply_job,         [EV_JOB_DEL] = apply_job_del,
    [EV_TASKS_READY] = apply_tasks,   [EV_TASKS_UNREADY] = apply_tasks,
    [EV_TASKS_STARTED] = apply_slots, [EV_TASKS_ENDED] = apply_slots,
    [EV_QUEUE_ADD] = apply_queue,     [EV_QUEUE_MOD] = apply_queue,
    [EV_QUEUE_DEL] = apply_queue_del, [EV_CONF] = apply_conf,
    [EV_TRIGGER] = apply_nothing,
};

int mir_apply(struct mir *m, const struct EV_Type *event, struct answer *ans)
{
    if (event_check(event, ans) < 0)
        return -1;
    kinds[event->EV_kind](m, event);
    return 0;
}

/* ---- life and look-ups ---- */
struct mir *mir_new(const struct mir_ops *ops, void *ctx)
{
    struct mir *m = uti_calloc(1, sizeof *m);

    m->ops = ops;
    m->ctx = ctx;
    return m;
}

void mir_clear(struct mir *m)
{
    struct job_entry *job, *next_job;
    struct queue_entry *queue, *next_queue;
    struct conf_entry *conf, *next_conf;

    m->is_synced = false;
    HASH_ITER(hh, m->jobs, job, next_job)
        job_remove(m, job);
    HASH_ITER(hh, m->queues, queue, next_queue)
        queue_remove(m, queue);
    HASH_ITER(hh, m->confs, conf, next_conf)
        conf_remove(m, conf);
}

void mir_free(struct mir *m)
{
    if (m == NULL)
        return;
    m->ops = NULL;
    mir_clear(m);
    free(m);
}

bool mir_is_synced(const struct mir *m)
{
    return m->is_synced;
}

const struct mir_job *mir_job(const struct mir *m, uint32_t job_number)
{
    const struct job_entry *e = job_find(m, job_number);

    return e != NULL ? &e->job : NULL;
}

const struct mir_queue *mir_queue(const struct mir *m, const char *full_name)
{
    const struct queue_entry *e = queue_find(m, full_name);

    return e != NULL ? &e->queue : NULL;
}

const struct CONF_Type *mir_conf(const struct mir *m, const char *name)
{
    const struct conf_entry *e = conf_find(m, name);

    return e != NULL ? &e->rec : NULL;
}

const struct mir_job *mir_job_next(const struct mir *m, const struct mir_job *job)
{
    const struct job_entry *e = job == NULL ? m->jobs : ((const struct job_entry *)job)->hh.next;

    return e != NULL ? &e->job : NULL;
}

const struct mir_queue *mir_queue_next(const struct mir *m, const struct mir_queue *queue)
{
    const struct queue_entry *e =
        queue == NULL ? m->queues : ((const struct queue_entry *)queue)->hh.next;

    return e != NULL ? &e->queue : NULL;
}

uint32_t mir_count(const struct mir *m, enum mir_table table)
{
    switch (table) {
    case MIR_JOB:
        return HASH_COUNT(m->jobs);
    case MIR_QUEUE:
        return HASH_COUNT(m->queues);
    case MIR_CONF:
        return HASH_COUNT(m->confs);
    case MIR_TABLES:
    default:
        return 0;
    }
}
