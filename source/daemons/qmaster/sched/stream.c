/* The state as events. Invariant: a subscriber's `stream` and `figures` are set exactly while a
 * piece of work is under way for it, and that piece's `sub` is the subscriber; the piece may
 * outlive it. */
#include "daemons/qmaster/sched/stream.h"

#include <stdlib.h>

#include "daemons/qmaster/change/work.h"
#include "libs/config/conf.h"
#include "libs/config/cqueue.h"
#include "libs/config/qinstance.h"
#include "libs/resource/availability.h"
#include "libs/uti/alloc.h"

enum { STEP_JOBS = 500, STEP_QUEUES = 500, STEP_PAIRS = 500, US_PER_MS = 1000 };

struct stream {
    struct piece
        piece; /* goes on in turns of the client's user: what the client says meanwhile does not wait for it */
    struct subscriber *sub; /* NULL: it has gone */
};

/* EV is whole: what it carries counts for SUB. The limits of the scheduler are meant for events
 * without it. */
static void charge_event(struct subscriber *sub, const struct EV_Type *ev)
{
    if (!sub->is_scheduler)
        sub->open_bytes += cull_heap_bytes(&cull_EV_Type, ev);
}

/* What may be asked for (-l) and is not the default; the scheduler knows the defaults. */
static void copy_settings(struct QU_Type *rec, const struct qinstance *qi)
{
    cull_mark(rec, QU_settings);
    for (size_t i = 0; queue_resource_names[i] != NULL; i++) {
        const char *name = queue_resource_names[i];
        const char *value = qinstance_setting(&qi->rec, name);
        if (value == NULL || strcmp(value, cqueue_attr_find(name)->rule.initial) == 0)
            continue;
        struct VA_Type *va = cull_append(rec, QU_settings);
        cull_set(va, VA_variable, name);
        cull_set(va, VA_value, value);
    }
}

/* what people see of an instance beside what is scheduled there */
static void copy_figures(struct QU_Type *rec, const struct qinstance *qi)
{
    static const char *const shown[] = { "pe_list", "ckpt_list" };
    cull_copy_field(&cull_QU_Type, rec, &qi->rec, QU_slots_used);
    cull_mark(rec, QU_settings);
    for (size_t i = 0; i < ARRAY_LEN(shown); i++) {
        const char *value = qinstance_setting(&qi->rec, shown[i]);
        if (value == NULL)
            continue;
        struct VA_Type *va = cull_append(rec, QU_settings);
        cull_set(va, VA_variable, shown[i]);
        cull_set(va, VA_value, value);
    }
}

static void set_load(struct QU_Type *rec, const struct host *h)
{
    cull_set(rec, QU_load, h->load);
    cull_set(rec, QU_load_step, h->load_step);
}

void stream_queue(struct subscriber *sub, enum event_kind kind, const struct qinstance *qi)
{
    static const unsigned fields[] = {
        QU_full_name, QU_qname,      QU_qhostname, QU_job_slots, QU_seq_no,
        QU_qtype,     QU_hostgroups, QU_access,    QU_pe_list,   QU_consumable_config_list,
        QU_ckpt_list
    };
    struct EV_Type *ev = subscriber_add(sub, kind);
    struct QU_Type *rec = cull_append(ev, EV_queues);
    for (size_t i = 0; i < ARRAY_LEN(fields); i++)
        cull_copy_field(&cull_QU_Type, rec, &qi->rec, fields[i]);
    cull_set(rec, QU_state, qinstance_state(qi));
    if (subscriber_wants_figures(sub))
        copy_figures(rec, qi);
    charge_event(sub, ev);
    if (!sub->is_scheduler)
        return;
    copy_settings(rec, qi);
    set_load(rec, qi->host);
}

void stream_queue_load(struct subscriber *sub, const struct qinstance *qi)
{
    struct QU_Type *rec = cull_append(subscriber_add(sub, EV_QUEUE_MOD), EV_queues);
    cull_copy_field(&cull_QU_Type, rec, &qi->rec, QU_full_name);
    set_load(rec, qi->host);
}

void stream_conf(struct subscriber *sub, const struct CONF_Type *conf)
{
    struct EV_Type *ev = subscriber_add(sub, EV_CONF);
    cull_copy(&cull_CONF_Type, cull_append(ev, EV_confs), conf);
    charge_event(sub, ev);
}

void stream_object(struct subscriber *sub, enum event_kind kind, const struct TX_Type *object)
{
    if (!subscriber_gets_object(sub, kind, (enum object_kind)object->TX_kind))
        return;
    struct EV_Type *ev = subscriber_add(sub, kind);
    struct TX_Type *rec = cull_append(ev, EV_texts);
    cull_set(rec, TX_kind, object->TX_kind);
    cull_set(rec, TX_name, object->TX_name);
    if (kind == EV_OBJECT)
        cull_copy(&cull_TX_Type, rec, object);
    charge_event(sub, ev);
}

void stream_host(struct subscriber *sub, enum event_kind kind, const struct host *h)
{
    struct EV_Type *ev = subscriber_add(sub, kind);
    struct EH_Type *rec = cull_append(ev, EV_hosts);
    cull_share(rec, EH_name, h->rec.EH_name);
    if (kind == EV_HOST) {
        cull_copy_field(&cull_EH_Type, rec, &h->rec, EH_consumable_config_list);
        cull_copy_field(&cull_EH_Type, rec, &h->rec, EH_scaling_list);
        cull_copy_field(&cull_EH_Type, rec, &h->rec, EH_load_list);
    }
    charge_event(sub, ev);
}

void stream_host_load(struct subscriber *sub, const struct host *h)
{
    struct EV_Type *ev = subscriber_add(sub, EV_HOST);
    struct EH_Type *rec = cull_append(ev, EV_hosts);
    cull_share(rec, EH_name, h->rec.EH_name);
    cull_copy_field(&cull_EH_Type, rec, &h->rec, EH_load_list);
    charge_event(sub, ev);
}

void stream_ar(struct subscriber *sub, enum event_kind kind, const struct ar *ar)
{
    static const unsigned fields[] = { AR_state, AR_start_time, AR_end_time, AR_is_blocked,
                                       AR_granted };
    struct EV_Type *ev = subscriber_add(sub, kind);
    struct AR_Type *rec = cull_append(ev, EV_ars);
    cull_set(rec, AR_id, ar->rec.AR_id);
    for (size_t i = 0; kind == EV_AR && i < ARRAY_LEN(fields); i++)
        cull_copy_field(&cull_AR_Type, rec, &ar->rec, fields[i]);
    charge_event(sub, ev);
}

static void stream_used(struct subscriber *sub, const struct qinstance *qi)
{
    struct EV_Type *ev = subscriber_add(sub, EV_QUEUE_MOD);
    struct QU_Type *rec = cull_append(ev, EV_queues);
    cull_copy_field(&cull_QU_Type, rec, &qi->rec, QU_full_name);
    cull_copy_field(&cull_QU_Type, rec, &qi->rec, QU_slots_used);
    charge_event(sub, ev);
}

/* what its start, or its being ready, does not say */
static bool is_worth_an_event(const struct task *t)
{
    return t->rec.JAT_status == TASK_ERROR || t->rec.JAT_status == TASK_WAITING ||
           (t->rec.JAT_state & TASK_SUSPENSIONS) != 0;
}

static void add_ends(struct subscriber *sub, struct EV_Type *ev, const struct job *job)
{
    if (sub->is_scheduler)
        return;
    range_set_copy(cull_ranges(ev, EV_failed_ids), &job->rare->failed);
    range_set_copy(cull_ranges(ev, EV_unknown_ids), &job->rare->unknown);
    sub->open_bytes += cull_field_heap_bytes(&cull_EV_Type, ev, EV_failed_ids) +
                       cull_field_heap_bytes(&cull_EV_Type, ev, EV_unknown_ids);
}

void stream_job(struct qmaster *q, struct subscriber *sub, struct job *job)
{
    sub->cursor = (uint64_t)job->rec.JB_job_number + 1;
    if (subscriber_gets(sub, EV_JOB_ADD, job)) {
        struct EV_Type *ev = subscriber_add_job(sub, EV_JOB_ADD, q, job);
        job_startable(job, &job->unfinished, cull_ranges(ev, EV_ids));
        add_ends(sub, ev, job);
    }
    bool gets_starts = subscriber_gets(sub, EV_TASKS_STARTED, job);
    bool gets_states = subscriber_gets(sub, EV_TASKS_STATE, job);
    if (!gets_starts && !gets_states)
        return;
    for (struct task *t = job_task_first(job, 0); t != NULL; t = job_task_next(t)) {
        if (gets_starts && task_holds_slots(t))
            subscriber_add_start(sub, t);
        if (gets_states && is_worth_an_event(t))
            subscriber_add_state(sub, &t->rec, t->ordinal);
    }
}

/* true while there are more, of any kind */
static bool add_objects(struct qmaster *q, struct subscriber *sub)
{
    if (!subscriber_wants(sub, EV_OBJECT))
        return false;
    for (int n = 0; sub->objects.next != NULL || sub->object_kind < GDI_TARGETS; n++) {
        if ((n > 0 && slice_is_over(q)) || subscriber_is_full(sub))
            return true;
        const struct text_object *t = walk_take(&sub->objects, offsetof(struct text_object, hh));
        if (t != NULL) {
            stream_object(sub, EV_OBJECT, &t->rec);
            continue;
        }
        walk_end(&sub->objects);
        walk_begin(&q->settings.walks, &sub->objects, q->settings.texts[sub->object_kind++]);
    }
    return false;
}

/* those that have something; true while there are more */
static bool add_hosts(struct qmaster *q, struct subscriber *sub)
{
    if (!sub->has_hosts && subscriber_wants(sub, EV_HOST))
        walk_begin(&q->hosts.walks, &sub->hosts, q->hosts.all);
    sub->has_hosts = true;
    for (int n = 0; sub->hosts.next != NULL; n++) {
        if ((n > 0 && slice_is_over(q)) || subscriber_is_full(sub))
            return true;
        const struct host *h = walk_take(&sub->hosts, offsetof(struct host, hh));
        if (h->rec.EH_consumable_config_list.n > 0 || h->rec.EH_load_list.n > 0)
            stream_host(sub, EV_HOST, h);
    }
    walk_end(&sub->hosts);
    return false;
}

/* the instances first, then objects, hosts and the scheduler's configuration; true while there are
 * more */
static bool add_queues(struct qmaster *q, struct subscriber *sub)
{
    if (sub->cursor > 0)
        return false;
    if (!sub->has_queues && subscriber_wants(sub, EV_QUEUE_ADD))
        walk_begin(&q->queues.walks, &sub->queues, q->queues.instances);
    sub->has_queues = true;
    for (int n = 0; sub->queues.next != NULL; n++) {
        if (n == STEP_QUEUES || (n > 0 && slice_is_over(q)) || subscriber_is_full(sub))
            return true;
        const struct qinstance *qi = walk_take(&sub->queues, offsetof(struct qinstance, hh));
        if (qinstance_is_there(qi))
            stream_queue(sub, EV_QUEUE_ADD, qi);
    }
    walk_end(&sub->queues);
    if (add_objects(q, sub))
        return true;
    walk_end(&sub->objects);
    if (add_hosts(q, sub))
        return true;
    const struct conf *conf = settings_conf(&q->settings, CONF_SCHEDULER);
    if (conf != NULL && subscriber_wants(sub, EV_CONF))
        stream_conf(sub, &conf->rec);
    for (const struct ar *ar = q->ars.all; ar != NULL && subscriber_wants(sub, EV_AR);
         ar = ar->hh.next)
        stream_ar(sub, EV_AR, ar);
    sub->cursor = 1;
    return false;
}

static struct EV_Type *add_share_usage(struct subscriber *sub, const struct usage_pair *p)
{
    struct EV_Type *ev = subscriber_add(sub, EV_SHARE_USAGE);
    cull_set(ev, EV_owner, p->user);
    if (*p->project != '\0')
        cull_set(ev, EV_project, p->project);
    return ev;
}

void stream_usage_gone(struct subscriber *sub, const struct usage_pair *p)
{
    if (subscriber_wants(sub, EV_SHARE_USAGE))
        (void)add_share_usage(sub, p);
}

static void stream_pair(struct qmaster *q, struct subscriber *sub, const struct usage_pair *p)
{
    struct EV_Type *ev = add_share_usage(sub, p);
    cull_set(ev, EV_start_time, q->now_s);
    for (uint32_t k = 0; k < p->n; k++) {
        struct UA_Type *figure = cull_append(ev, EV_usage);
        cull_set(figure, UA_name, q->usage.kinds[k].name);
        cull_set(figure, UA_value, usage_worth(&q->usage, p, k, q->now_s));
    }
    sub->open_bytes += p->n * sizeof(struct UA_Type);
}

bool stream_usage(struct qmaster *q, struct subscriber *sub, bool is_state)
{
    struct usage *u = &q->usage;
    struct usage_pair *p;
    if (TAILQ_EMPTY(&u->unsent) || !subscriber_wants(sub, EV_SHARE_USAGE) ||
        subscriber_is_behind(sub) || (!is_state && q->now_us < u->due_us))
        return false;
    for (int n = 0; (p = TAILQ_FIRST(&u->unsent)) != NULL; n++) {
        if (n == STEP_PAIRS || (n > 0 && slice_is_over(q)) || subscriber_is_full(sub))
            return true;
        stream_pair(q, sub, p);
        usage_note_sent(u, p);
    }
    u->due_us = q->now_us + FIGURES_MS * US_PER_MS;
    return false;
}

/* true while there are more */
static bool add_jobs(struct qmaster *q, struct subscriber *sub)
{
    struct job *job =
        sub->cursor > UINT32_MAX ? NULL : jobs_at_or_after(&q->jobs, (uint32_t)sub->cursor);
    for (int n = 0; job != NULL && n < STEP_JOBS && !subscriber_is_full(sub);
         n++, job = jobs_next(&q->jobs, job)) {
        if (n > 0 && slice_is_over(q))
            return true;
        stream_job(q, sub, job);
    }
    if (job != NULL)
        return true;
    sub->cursor = UINT64_MAX;
    subscriber_add(sub, EV_SYNCED);
    return false;
}

/* ---- the scheduler: in steps of the core, before it can start anything ---- */

bool stream_for_scheduler(struct qmaster *q, struct subscriber *sub)
{
    if (sub->cursor == UINT64_MAX || subscriber_is_behind(sub))
        return false;
    return add_queues(q, sub) || stream_usage(q, sub, true) || add_jobs(q, sub);
}

/* ---- all others: in slices, in turns of their users ---- */

static bool has_room(const struct subscriber *sub)
{
    return !subscriber_is_behind(sub) && !subscriber_is_full(sub);
}

/* ADD gives a subscriber more of something, and returns true while there is more of it. Returns
 * whether it has all, or has gone. */
typedef bool add_fn(struct qmaster *q, struct subscriber *sub);
static bool add_step(struct qmaster *q, struct stream *st, add_fn *add)
{
    if (st->sub == NULL)
        return true;
    st->piece.is_waiting = !has_room(st->sub);
    return !st->piece.is_waiting && !add(q, st->sub);
}

static void stream_free(struct piece *p)
{
    free(p);
}

static struct stream *stream_put(struct qmaster *q, struct subscriber *sub,
                                 const struct piece_kind *kind)
{
    struct stream *st = uti_calloc(1, sizeof *st);
    st->piece.kind = kind;
    st->sub = sub;
    work_put_piece(q->work, sub->account, &st->piece);
    return st;
}

static bool add_state(struct qmaster *q, struct subscriber *sub)
{
    if (add_queues(q, sub) || add_jobs(q, sub))
        return true;
    sub->stream = NULL;
    return false;
}

static bool stream_step(struct qmaster *q, struct piece *p)
{
    return add_step(q, (struct stream *)p, add_state);
}

static const struct piece_kind stream_kind = { "the state for an event client", stream_step,
                                               stream_free };

void stream_begin(struct qmaster *q, struct subscriber *sub)
{
    if (sub->stream != NULL)
        return;
    sub->stream = stream_put(q, sub, &stream_kind);
    sub->figures_from_us = q->now_us;
}

/* ---- figures ---- */

/* true while there are more */
static bool add_used(struct qmaster *q, struct subscriber *sub)
{
    for (int n = 0; sub->figure_queues.next != NULL; n++) {
        if ((n > 0 && slice_is_over(q)) || subscriber_is_full(sub))
            return true;
        const struct qinstance *qi = walk_take(&sub->figure_queues, offsetof(struct qinstance, hh));
        if (qinstance_is_there(qi) && qi->used_us >= sub->figures_from_us &&
            subscriber_gets_queue(sub, EV_QUEUE_MOD, qi))
            stream_used(sub, qi);
    }
    return false;
}

static bool add_loads(struct qmaster *q, struct subscriber *sub)
{
    for (int n = 0; sub->figure_hosts.next != NULL; n++) {
        if ((n > 0 && slice_is_over(q)) || subscriber_is_full(sub))
            return true;
        const struct host *h = walk_take(&sub->figure_hosts, offsetof(struct host, hh));
        if (h->load_us >= sub->figures_from_us)
            stream_host_load(sub, h);
    }
    return false;
}

static bool add_figures(struct qmaster *q, struct subscriber *sub)
{
    if (add_used(q, sub) || add_loads(q, sub))
        return true;
    walk_end(&sub->figure_queues);
    walk_end(&sub->figure_hosts);
    sub->figures = NULL;
    sub->figures_from_us = sub->figures_begun_us;
    return false;
}

static bool figures_step(struct qmaster *q, struct piece *p)
{
    return add_step(q, (struct stream *)p, add_figures);
}

static const struct piece_kind figures_kind = { "load and slots for an event client", figures_step,
                                                stream_free };

static bool are_figures_due(const struct qmaster *q, const struct subscriber *sub)
{
    bool are_new =
        q->queues.used_us >= sub->figures_from_us || q->hosts.load_us >= sub->figures_from_us;
    return subscriber_wants_figures(sub) && sub->cursor == UINT64_MAX && sub->figures == NULL &&
           q->now_us >= sub->figures_due_us && are_new;
}

void stream_figures(struct qmaster *q, struct subscriber *sub)
{
    if (!are_figures_due(q, sub))
        return;
    sub->figures = stream_put(q, sub, &figures_kind);
    walk_begin(&q->queues.walks, &sub->figure_queues, q->queues.instances);
    walk_begin(&q->hosts.walks, &sub->figure_hosts, q->hosts.all);
    sub->figures_begun_us = q->now_us;
    sub->figures_due_us = q->now_us + FIGURES_MS * US_PER_MS;
}

/* ---- pieces that wait for their subscriber, or have lost it ---- */

static void wake_stream(struct stream *st)
{
    if (st != NULL && st->piece.is_waiting)
        piece_wake(&st->piece);
}

void stream_go_on(struct subscriber *sub)
{
    if (!has_room(sub))
        return;
    wake_stream(sub->stream);
    wake_stream(sub->figures);
}

static void leave_stream(struct stream **st)
{
    if (*st == NULL)
        return;
    (*st)->sub = NULL;
    piece_wake(&(*st)->piece);
    *st = NULL;
}

void stream_end(struct subscriber *sub)
{
    leave_stream(&sub->stream);
    leave_stream(&sub->figures);
}
