/* Walks over hosts that a change concerns. A walk keeps names, not pointers, and each step asks
 * anew how things are: a host or queue that goes meanwhile is passed over, and what comes or
 * changes meanwhile has a walk of its own, so that any order ends with every instance as the
 * configuration says. A queue that is leaving is the exception: only its walk frees it, since
 * nobody else finds it. Invariant: the walks in the list have steps to do, the oldest first. */
#include "daemons/qmaster/config/renewal.h"

#include <stdlib.h>

#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/config/concerned.h"
#include "daemons/qmaster/config/queue_setup.h"
#include "daemons/qmaster/tables/slice.h"
#include "libs/uti/alloc.h"

struct renewal {
    struct piece piece; /* in turns of who made the change, connected or not */
    struct qmaster *q;
    uint32_t number;
    const char *cqueue; /* counted; NULL: all queues */
    const char **hosts; /* counted */
    uint32_t n, cap, at;
    struct cqueue *leaving; /* its instances go; NULL: those on the hosts change */
    TAILQ_ENTRY(renewal) in_all;
};
struct renewals {
    TAILQ_HEAD(, renewal) all;
    uint32_t last;
};

struct renewals *renewals_new(void)
{
    struct renewals *all = uti_calloc(1, sizeof *all);
    TAILQ_INIT(&all->all);
    return all;
}

void renewals_free(struct renewals *all)
{
    free(all);
}

uint32_t renewals_last(const struct qmaster *q)
{
    return q->renewals->last;
}

bool renewals_are_over(const struct qmaster *q, uint32_t number)
{
    const struct renewal *oldest = TAILQ_FIRST(&q->renewals->all);
    return oldest == NULL || oldest->number > number;
}

/* ---- steps ---- */

static void renew_host(struct qmaster *q, const struct renewal *w, const char *name)
{
    struct host *h = hosts_find(&q->hosts, name);
    struct cqueue *cq = w->cqueue != NULL ? queues_cqueue(&q->queues, w->cqueue) : NULL;
    if (h == NULL)
        return;
    if (w->cqueue == NULL)
        queue_resolve_host(q, h);
    else if (cq != NULL)
        queue_resolve_on(q, cq, h);
}

static bool drop_instances(struct qmaster *q, struct cqueue *leaving)
{
    while (queue_drop_next(q, leaving))
        if (slice_is_over(q))
            return false;
    return true;
}

static bool renewal_step(struct qmaster *q, struct piece *piece)
{
    struct renewal *w = (struct renewal *)piece;
    if (w->leaving != NULL)
        return drop_instances(q, w->leaving);
    for (uint32_t n = 0; w->at < w->n; n++) {
        if (n > 0 && slice_is_over(q))
            return false;
        renew_host(q, w, w->hosts[w->at++]);
    }
    return true;
}

static void renewal_free(struct piece *piece)
{
    struct renewal *w = (struct renewal *)piece;
    TAILQ_REMOVE(&w->q->renewals->all, w, in_all);
    for (uint32_t i = 0; i < w->n; i++)
        cull_string_drop(w->hosts[i]);
    free(w->hosts);
    cull_string_drop(w->cqueue);
    free(w);
}

static const struct piece_kind renewal_kind = { "queue instances after a change", renewal_step,
                                                renewal_free };

/* ---- beginnings ---- */

static struct renewal *renewal_new(struct qmaster *q, const char *cqueue)
{
    struct renewal *w = uti_calloc(1, sizeof *w);
    w->piece.kind = &renewal_kind;
    w->q = q;
    w->number = ++q->renewals->last;
    w->cqueue = cull_string_hold(cqueue);
    TAILQ_INSERT_TAIL(&q->renewals->all, w, in_all);
    return w;
}

static void note_host(struct renewal *w, const struct host *h)
{
    w->hosts = uti_vec_grow(w->hosts, &w->cap, w->n + 1, sizeof *w->hosts);
    w->hosts[w->n++] = cull_string_hold(h->rec.EH_name);
}

static void note_member(void *ctx, const char *name)
{
    struct renewal *w = ctx;
    const struct host *h = hosts_find(&w->q->hosts, name);
    if (h != NULL)
        note_host(w, h);
}

static void renewal_begin(struct qmaster *q, uint64_t user, struct renewal *w)
{
    if (renewal_step(q, &w->piece))
        renewal_free(&w->piece);
    else
        work_put_piece(q->work, user, &w->piece);
}

void renew_queue(struct qmaster *q, uint64_t user, const struct cqueue *cq,
                 const struct CQ_Type *before)
{
    struct renewal *w = renewal_new(q, cq->rec.CQ_name);
    struct ST_Type_list concerned = { 0 };
    const struct qinstance *qi;
    if (concerned_by_queue(before, &cq->rec, &concerned))
        LIST_FOREACH(qi, &cq->instances, in_cqueue)
            note_host(w, qi->host);
    groups_each_host(&q->settings.groups, &concerned, note_member, w);
    cull_list_clear(&cull_ST_Type, &concerned);
    renewal_begin(q, user, w);
}

bool remove_queue(struct qmaster *q, uint64_t user, struct cqueue *cq)
{
    if (!queue_leave(q, cq))
        return false;
    struct renewal *w = renewal_new(q, NULL);
    w->leaving = cq;
    renewal_begin(q, user, w);
    return true;
}

void renew_members(struct qmaster *q, uint64_t user, const struct ST_Type_list *members)
{
    struct renewal *w = renewal_new(q, NULL);
    groups_each_host(&q->settings.groups, members, note_member, w);
    renewal_begin(q, user, w);
}

void renew_all(struct qmaster *q, uint64_t user)
{
    struct renewal *w = renewal_new(q, NULL);
    for (const struct host *h = q->hosts.all; h != NULL; h = h->hh.next)
        note_host(w, h);
    renewal_begin(q, user, w);
}
