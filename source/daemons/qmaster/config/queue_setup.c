/* From cluster queues to queue instances: which hosts a queue is on, and what its attributes are
 * there. An instance whose host has left the queue stays as an orphan until the last task in it
 * has ended: also across a restart, where tasks that run bring it back. */
#include "daemons/qmaster/config/queue_setup.h"

#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/config/calendars.h"
#include "daemons/qmaster/config/load.h"
#include "daemons/qmaster/config/subordinates.h"
#include "daemons/qmaster/sched/events.h"
#include "libs/config/access.h"
#include "libs/config/qinstance.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

static bool has_group(void *ctx, const char *group, const char *host SGE_UNUSED)
{
    const struct qmaster *q = ctx;
    return groups_has(&q->settings.groups, group);
}

/* is HOST, whose groups are found, among the hosts of the queue? */
static bool queue_is_on(const struct qmaster *q, const struct CQ_Type *cq, const char *host)
{
    for (uint32_t i = 0; i < cq->CQ_hostlist.n; i++) {
        const char *word = cq->CQ_hostlist.v[i].ST_name;
        if (word[0] == '@' ? groups_has(&q->settings.groups, word) : strcmp(word, host) == 0)
            return true;
    }
    return false;
}

static void set_groups(const struct qmaster *q, struct QU_Type *rec)
{
    const struct groups *g = &q->settings.groups;
    cull_mark(rec, QU_hostgroups);
    cull_room(&rec->QU_hostgroups, g->n_found);
    for (uint32_t i = 0; i < g->n_found; i++) {
        struct ST_Type *in = cull_append(rec, QU_hostgroups);
        cull_share(in, ST_name, g->found[i]->name);
    }
}

/* behind the queue's own door stand those of its host and of the cell */
static void add_doors(const struct qmaster *q, const struct EH_Type *host, struct QU_Type *rec)
{
    struct access_lists lists = { .user_lists = host->EH_text_user_lists,
                                  .xuser_lists = host->EH_text_xuser_lists,
                                  .projects = host->EH_text_projects,
                                  .xprojects = host->EH_text_xprojects };
    access_add_door(&rec->QU_access, &lists);
    for (uint32_t i = 0; i < q->settings.doors.n; i++)
        cull_copy(&cull_AC_Type, cull_push(&rec->QU_access), &q->settings.doors.v[i]);
}

/* The groups of the host are found. OLD may be NULL; state and message are settled before
 * resolving, which may add to both. */
static void make_record(struct qmaster *q, const struct cqueue *cq, const struct host *h,
                        const struct qinstance *old, uint32_t state, struct QU_Type *rec)
{
    const struct qinstance *like = old != NULL ? old : LIST_FIRST(&cq->instances);
    if (like != NULL)
        cull_copy_field(&cull_QU_Type, rec, &like->rec, QU_settings);
    cull_set(rec, QU_state, state);
    if (old != NULL && old->rec.QU_message != NULL)
        cull_share(rec, QU_message, old->rec.QU_message);
    qinstance_resolve(rec, &cq->rec, h->rec.EH_name, has_group, q);
    set_groups(q, rec);
    add_doors(q, &h->rec, rec);
}

/* QI is of a queue that is leaving, whose records have gone already */
static void drop_leaving(struct qmaster *q, struct qinstance *qi)
{
    events_queue_del(q, qi);
    change_record_forget(q, SPOOL_QINSTANCE, qi->rec.QU_full_name);
    subordinates_leave(q, qi);
    load_state_leave(q, qi);
    queues_remove_instance(&q->queues, qi);
}

/* is the instance as REC says already, which has no tasks yet? */
static bool is_same(const struct qinstance *qi, struct QU_Type *rec)
{
    if (cull_has(&qi->rec, QU_slots_used))
        cull_set(rec, QU_slots_used, qi->rec.QU_slots_used);
    return cull_equal(&cull_QU_Type, &qi->rec, rec);
}

/* an instance of that name of a queue that is leaving goes before its turn */
static void make_way(struct qmaster *q, const char *name)
{
    struct qinstance *qi = queues_leaving_instance(&q->queues, name);
    if (qi != NULL)
        drop_leaving(q, qi);
}

/* what is as it was is announced to nobody */
static void put_instance(struct qmaster *q, struct cqueue *cq, struct host *h, const char *name)
{
    struct qinstance *old = queues_instance(&q->queues, name);
    uint32_t state = old == NULL ? 0 : old->rec.QU_state & ~(uint32_t)QI_ORPHANED;
    struct QU_Type rec = { 0 };
    make_record(q, cq, h, old, state, &rec);
    if (old != NULL && is_same(old, &rec)) {
        cull_clear(&cull_QU_Type, &rec);
        return;
    }
    bool is_new = old == NULL;
    make_way(q, name);
    struct qinstance *qi = queues_put_instance(&q->queues, cq, h, &rec);
    (void)load_state_settle(q, qi);
    calendars_settle(q, qi);
    subordinates_settle(q, qi);
    queues_note_change(&q->queues, qi, change_number(q));
    if (is_new && q->queues.are_recovered)
        initial_state_begin(q, qi);
    (is_new ? events_queue_add : events_queue_mod)(q, qi);
}

static void drop_instance(struct qmaster *q, struct qinstance *qi)
{
    if (qi->rec.QU_slots_used > 0 || qi->n_ars > 0) {
        cull_set(&qi->rec, QU_state, qi->rec.QU_state | QI_ORPHANED);
        queues_note_change(&q->queues, qi, change_number(q));
        events_queue_mod(q, qi);
        return;
    }
    events_queue_del(q, qi);
    change_record_gone(q, SPOOL_QINSTANCE, qi->rec.QU_full_name);
    q->queues.removed = change_number(q);
    subordinates_leave(q, qi);
    load_state_leave(q, qi);
    queues_remove_instance(&q->queues, qi);
}

/* the groups of the host are found */
static void resolve_marked(struct qmaster *q, struct cqueue *cq, struct host *h)
{
    struct dstr name = DSTR_INIT;
    dstr_addf(&name, "%s@%s", cq->rec.CQ_name, h->rec.EH_name);
    struct qinstance *there = queues_instance(&q->queues, dstr_get(&name));
    if (queue_is_on(q, &cq->rec, h->rec.EH_name))
        put_instance(q, cq, h, dstr_get(&name));
    else if (there != NULL)
        drop_instance(q, there);
    dstr_free(&name);
}

void queue_resolve_on(struct qmaster *q, struct cqueue *cq, struct host *h)
{
    groups_find(&q->settings.groups, h->rec.EH_name);
    resolve_marked(q, cq, h);
}

void queue_resolve(struct qmaster *q, struct cqueue *cq)
{
    struct host *h, *next;
    HASH_ITER(hh, q->hosts.all, h, next) {
        queue_resolve_on(q, cq, h);
    }
}

void queue_resolve_host(struct qmaster *q, struct host *h)
{
    struct cqueue *cq, *next;
    groups_find(&q->settings.groups, h->rec.EH_name);
    HASH_ITER(hh, q->queues.cqueues, cq, next) {
        resolve_marked(q, cq, h);
    }
}

void queue_resolve_all(struct qmaster *q)
{
    struct host *h, *next;
    HASH_ITER(hh, q->hosts.all, h, next) {
        queue_resolve_host(q, h);
    }
}

bool queue_foresee(struct qmaster *q, const struct CQ_Type *cq, const struct qinstance *qi,
                   struct QU_Type *next)
{
    groups_find(&q->settings.groups, qi->host->rec.EH_name);
    if (!queue_is_on(q, cq, qi->host->rec.EH_name))
        return false;
    cull_copy_field(&cull_QU_Type, next, &qi->rec, QU_settings);
    qinstance_resolve(next, cq, qi->host->rec.EH_name, has_group, q);
    return true;
}

struct qinstance *queue_bring_back(struct qmaster *q, const char *full_name)
{
    size_t at = strcspn(full_name, "@");
    struct host *h = full_name[at] != '\0' ? hosts_find(&q->hosts, full_name + at + 1) : NULL;
    struct dstr name = DSTR_INIT;
    struct QU_Type rec = { 0 };
    dstr_addn(&name, full_name, at);
    struct cqueue *cq = queues_cqueue(&q->queues, dstr_get(&name));
    dstr_free(&name);
    if (cq == NULL || h == NULL)
        return NULL;
    groups_find(&q->settings.groups, h->rec.EH_name);
    make_record(q, cq, h, NULL, QI_ORPHANED, &rec);
    struct qinstance *qi = queues_put_instance(&q->queues, cq, h, &rec);
    (void)load_state_settle(q, qi);
    calendars_settle(q, qi);
    subordinates_settle(q, qi);
    queues_note_change(&q->queues, qi, change_number(q));
    return qi;
}

void queue_drop_orphans(struct qmaster *q)
{
    struct qinstance *qi;
    while ((qi = LIST_FIRST(&q->queues.emptied)) != NULL) {
        LIST_REMOVE(qi, in_emptied);
        qi->is_emptied = false;
        if ((qi->rec.QU_state & QI_ORPHANED) != 0 && qi->rec.QU_slots_used == 0 && qi->n_ars == 0)
            drop_instance(q, qi);
    }
}

/* what people did to its instances: another queue of the name would find it */
static void forget_states(struct qmaster *q, const struct cqueue *cq)
{
    struct dstr prefix = DSTR_INIT;
    dstr_addf(&prefix, "%s@", cq->rec.CQ_name);
    change_records_gone(q, SPOOL_QINSTANCE, dstr_get(&prefix));
    dstr_free(&prefix);
}

bool queue_leave(struct qmaster *q, struct cqueue *cq)
{
    if (cq->slots_used > 0)
        return false;
    change_record_gone(q, SPOOL_CQUEUE, cq->rec.CQ_name);
    forget_states(q, cq);
    q->queues.removed = change_number(q);
    queues_leave(&q->queues, cq);
    return true;
}

bool queue_drop_next(struct qmaster *q, struct cqueue *cq)
{
    struct qinstance *qi = LIST_FIRST(&cq->instances);
    if (qi != NULL)
        drop_leaving(q, qi);
    if (!LIST_EMPTY(&cq->instances))
        return true;
    queues_remove_cqueue(&q->queues, cq);
    return false;
}

void queue_drop_leaving_on(struct qmaster *q, struct host *h)
{
    struct qinstance *qi, *next;
    for (qi = LIST_FIRST(&h->instances); qi != NULL; qi = next) {
        next = LIST_NEXT(qi, in_host);
        if (!qinstance_is_there(qi))
            drop_leaving(q, qi);
    }
}

/* ---- initial_state ---- */
/* initial_state of queue_conf(5). A state that comes from it is spooled as one that somebody has
 * set with qmod: it outlives the qmaster. */
static uint32_t wanted_state(const struct QU_Type *qu)
{
    const char *initial = qinstance_setting(qu, "initial_state");
    if (initial != NULL && strcmp(initial, "enabled") == 0)
        return qu->QU_state & ~(uint32_t)QI_DISABLED;
    if (initial != NULL && strcmp(initial, "disabled") == 0)
        return qu->QU_state | QI_DISABLED;
    return qu->QU_state;
}

/* false: it was in that state */
static bool put_state(struct qmaster *q, struct qinstance *qi)
{
    uint32_t state = wanted_state(&qi->rec);
    if (state == qi->rec.QU_state)
        return false;
    cull_set(&qi->rec, QU_state, state);
    queues_note_change(&q->queues, qi, change_number(q));
    change_record(q, SPOOL_QINSTANCE, qi->rec.QU_full_name, &cull_QU_Type, &qi->rec);
    return true;
}

void initial_state_begin(struct qmaster *q, struct qinstance *qi)
{
    (void)put_state(q, qi);
}

void initial_state_host(struct qmaster *q, struct host *h)
{
    struct qinstance *qi;
    LIST_FOREACH(qi, &h->instances, in_host)
        if (qinstance_is_there(qi) && put_state(q, qi))
            events_queue_mod(q, qi);
}
