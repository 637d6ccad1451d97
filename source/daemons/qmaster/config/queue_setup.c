/* From cluster queues to queue instances: which hosts a queue is on, and what its attributes are there. An instance whose host has left
 * the queue stays as an orphan until the last task in it has ended: also across a restart, where tasks that run bring it back. */
#include "daemons/qmaster/config/queue_setup.h"

#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/config/msg_config.h"
#include "daemons/qmaster/sched/events.h"
#include "libs/config/qinstance.h"
#include "libs/uti/alloc.h"
#include "libs/uti/answer.h"
#include "libs/uti/dstr.h"

enum { GROUP_DEPTH = 16 }; /* host groups within host groups */

/* Groups may name each other in any way. A question looks into each of them once at most, so that it costs no more than their words. */
static void begin_question(struct qmaster *q)
{
    q->settings.visits++;
}

static bool is_first_look(const struct qmaster *q, struct text_object *group)
{
    bool is_first = group->visit != q->settings.visits;
    group->visit = q->settings.visits;
    return is_first;
}

/* what is in GROUP; NULL if there is no such group */
static const struct ST_Type_list *members_of(const struct text_object *group)
{
    const struct HGRP_Type *rec = group != NULL ? group->record : NULL;
    return rec != NULL ? &rec->HGRP_host_list : NULL;
}

static bool word_has(struct qmaster *q, const char *word, const char *host, int depth);

static bool group_has_at(struct qmaster *q, const char *group, const char *host, int depth)
{
    struct text_object *t = settings_text(&q->settings, GDI_HOSTGROUP, group);
    const struct ST_Type_list *l = members_of(t);
    if (l == NULL || depth >= GROUP_DEPTH || !is_first_look(q, t))
        return false;
    for (uint32_t i = 0; i < l->n; i++)
        if (word_has(q, l->v[i].ST_name, host, depth + 1))
            return true;
    return false;
}

/* is HOST what WORD of a list of hosts says, itself or through a group? */
static bool word_has(struct qmaster *q, const char *word, const char *host, int depth)
{
    return word[0] == '@' ? group_has_at(q, word, host, depth) : strcmp(word, host) == 0;
}

static bool group_has(void *ctx, const char *group, const char *host)
{
    begin_question(ctx);
    return group_has_at(ctx, group, host, 0);
}

/* the groups among the members L, and those in them: -1 with ans if WANTED is one, or the way there is longer than GROUP_DEPTH */
static int check_inside(struct qmaster *q, const struct ST_Type_list *l, const char *wanted,
                        int depth, struct answer *ans)
{
    for (uint32_t i = 0; i < l->n; i++) {
        const char *word = l->v[i].ST_name;
        struct text_object *t =
            *word == '@' ? settings_text(&q->settings, GDI_HOSTGROUP, word) : NULL;
        const struct ST_Type_list *inside = members_of(t);
        if (strcmp(word, wanted) == 0)
            return ans_fail(ans, STATUS_ESEMANTIC, MSG_GROUP_IN_ITSELF_S, wanted);
        if (inside != NULL && depth >= GROUP_DEPTH)
            return ans_fail(ans, STATUS_ESEMANTIC, MSG_GROUP_DEPTH_SI, wanted, (int)GROUP_DEPTH);
        if (inside != NULL && is_first_look(q, t) &&
            check_inside(q, inside, wanted, depth + 1, ans) != 0)
            return -1;
    }
    return 0;
}

int queue_check_group(struct qmaster *q, const struct HGRP_Type *group, struct answer *ans)
{
    begin_question(q);
    return check_inside(q, &group->HGRP_host_list, group->HGRP_name, 1, ans);
}

static bool queue_is_on(struct qmaster *q, const struct CQ_Type *cq, const char *host)
{
    begin_question(q);
    for (uint32_t i = 0; i < cq->CQ_hostlist.n; i++)
        if (word_has(q, cq->CQ_hostlist.v[i].ST_name, host, 0))
            return true;
    return false;
}

static void instance_name(const struct cqueue *cq, const struct host *h, struct dstr *out)
{
    dstr_addf(out, "%s@%s", cq->rec.CQ_name, h->rec.EH_name);
}

static void set_groups(struct qmaster *q, struct QU_Type *rec)
{
    struct text_object *group, *next;
    cull_mark(rec, QU_hostgroups);
    HASH_ITER(hh, q->settings.texts[GDI_HOSTGROUP], group, next) {
        if (!group_has(q, group->rec.TX_name, rec->QU_qhostname))
            continue;
        struct ST_Type *in = cull_append(rec, QU_hostgroups);
        cull_share(in, ST_name, group->rec.TX_name);
    }
}

/* OLD, NULL if there is none, goes; state and message are settled before resolving, which may add to both */
static struct qinstance *make_instance(struct qmaster *q, struct cqueue *cq, struct host *h,
                                       const struct qinstance *old, uint32_t state)
{
    struct QU_Type rec = { 0 };
    cull_set(&rec, QU_state, state);
    if (old != NULL && old->rec.QU_message != NULL)
        cull_share(&rec, QU_message, old->rec.QU_message);
    qinstance_resolve(&rec, &cq->rec, h->rec.EH_name, group_has, q);
    set_groups(q, &rec);
    struct qinstance *qi = queues_put_instance(&q->queues, cq, h, &rec);
    qi->changed = change_number(q);
    return qi;
}

static void put_instance(struct qmaster *q, struct cqueue *cq, struct host *h, const char *name)
{
    const struct qinstance *old = queues_instance(&q->queues, name);
    bool is_new = old == NULL;
    struct qinstance *qi =
        make_instance(q, cq, h, old, is_new ? 0 : old->rec.QU_state & ~(uint32_t)QI_ORPHANED);
    if (!is_new)
        events_queue_mod(q, qi);
    else
        events_queue_add(q, qi);
}

static void drop_instance(struct qmaster *q, struct qinstance *qi)
{
    if (qi->rec.QU_slots_used > 0) {
        cull_set(&qi->rec, QU_state, qi->rec.QU_state | QI_ORPHANED);
        qi->changed = change_number(q);
        events_queue_mod(q, qi);
        return;
    }
    events_queue_del(q, qi->rec.QU_full_name);
    change_record_gone(q, SPOOL_QINSTANCE, qi->rec.QU_full_name);
    q->queues.removed = change_number(q);
    queues_remove_instance(&q->queues, qi);
}

static void resolve_on(struct qmaster *q, struct cqueue *cq, struct host *h)
{
    struct dstr name = DSTR_INIT;
    instance_name(cq, h, &name);
    struct qinstance *there = queues_instance(&q->queues, dstr_get(&name));
    if (queue_is_on(q, &cq->rec, h->rec.EH_name))
        put_instance(q, cq, h, dstr_get(&name));
    else if (there != NULL)
        drop_instance(q, there);
    dstr_free(&name);
}

void queue_resolve(struct qmaster *q, struct cqueue *cq)
{
    struct host *h, *next;
    HASH_ITER(hh, q->hosts.all, h, next) {
        resolve_on(q, cq, h);
    }
}

void queue_resolve_host(struct qmaster *q, struct host *h)
{
    struct cqueue *cq, *next;
    HASH_ITER(hh, q->queues.cqueues, cq, next) {
        resolve_on(q, cq, h);
    }
}

void queue_resolve_all(struct qmaster *q)
{
    struct cqueue *cq, *next;
    HASH_ITER(hh, q->queues.cqueues, cq, next) {
        queue_resolve(q, cq);
    }
}

struct qinstance *queue_bring_back(struct qmaster *q, const char *full_name)
{
    size_t at = strcspn(full_name, "@");
    struct host *h = full_name[at] != '\0' ? hosts_find(&q->hosts, full_name + at + 1) : NULL;
    struct dstr name = DSTR_INIT;
    dstr_addn(&name, full_name, at);
    struct cqueue *cq = queues_cqueue(&q->queues, dstr_get(&name));
    dstr_free(&name);
    return cq != NULL && h != NULL ? make_instance(q, cq, h, NULL, QI_ORPHANED) : NULL;
}

void queue_drop_orphans(struct qmaster *q)
{
    struct qinstance *qi, *next;
    if (!q->queues.has_empty_orphan)
        return;
    q->queues.has_empty_orphan = false;
    HASH_ITER(hh, q->queues.instances, qi, next) {
        if ((qi->rec.QU_state & QI_ORPHANED) != 0 && qi->rec.QU_slots_used == 0)
            drop_instance(q, qi);
    }
}

bool queue_drop(struct qmaster *q, struct cqueue *cq)
{
    struct qinstance *qi, *next;
    HASH_ITER(hh, q->queues.instances, qi, next) {
        if (qi->cqueue == cq && qi->rec.QU_slots_used > 0)
            return false;
    }
    HASH_ITER(hh, q->queues.instances, qi, next) {
        if (qi->cqueue == cq)
            drop_instance(q, qi);
    }
    change_record_gone(q, SPOOL_CQUEUE, cq->rec.CQ_name);
    q->queues.removed = change_number(q);
    queues_remove_cqueue(&q->queues, cq);
    return true;
}
