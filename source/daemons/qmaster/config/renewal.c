/* Walks over hosts that a change concerns. A walk keeps names, not pointers, and each step asks
 * anew how things are: a host or queue that goes meanwhile is passed over, and what comes or
 * changes meanwhile has a walk of its own, so that any order ends with every instance as the
 * configuration says. A queue that is leaving is the exception: only its walk frees it, since
 * nobody else finds it. Invariant: the walks in the list have steps to do, the oldest first. */
#include "daemons/qmaster/config/renewal.h"

#include <stdlib.h>

#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/config/queue_setup.h"
#include "libs/config/cqueue.h"
#include "libs/uti/alloc.h"

/* ---- queues that are concerned ---- */
/* What differs between two lists: both are sorted and walked side by side. In a list of settings
 * the order of host groups counts (of two that have a host the first one wins), so that groups that
 * are not the same in the same order are concerned all of them. */
static void note_name(struct ST_Type_list *out, const char *name)
{
    struct ST_Type *st = cull_push(out);
    cull_share(st, ST_name, name);
}

/* a setting, or a name with a value that all have */
struct said {
    const char *name, *value;
};

static int said_compare(const void *left, const void *right)
{
    const struct said *a = left, *b = right;
    int order = strcmp(a->name, b->name);
    return order != 0 ? order : strcmp(a->value, b->value);
}

/* how many of the last are the same in both: most changes are of a few of many, so that what both
 * begin or end with need not be sorted */
static uint32_t same_at_the_end(const struct said *before, uint32_t n_before,
                                const struct said *after, uint32_t n_after)
{
    uint32_t n = 0;
    while (n < n_before && n < n_after &&
           said_compare(&before[n_before - 1 - n], &after[n_after - 1 - n]) == 0)
        n++;
    return n;
}

static uint32_t same_at_the_beginning(const struct said *before, uint32_t n_before,
                                      const struct said *after, uint32_t n_after)
{
    uint32_t n = 0;
    while (n < n_before && n < n_after && said_compare(&before[n], &after[n]) == 0)
        n++;
    return n;
}

/* where there are no others, any order will do */
static void sort_said(struct said *said, uint32_t n, uint32_t n_others)
{
    if (n_others > 0)
        qsort(said, n, sizeof *said, said_compare);
}

/* what only one of the two has; N of each, which are put in another order */
static void note_moved(struct said *before, uint32_t n_before, struct said *after, uint32_t n_after,
                       struct ST_Type_list *out)
{
    uint32_t same = same_at_the_beginning(before, n_before, after, n_after);
    before += same;
    after += same;
    n_before -= same;
    n_after -= same;
    same = same_at_the_end(before, n_before, after, n_after);
    n_before -= same;
    n_after -= same;
    sort_said(before, n_before, n_after);
    sort_said(after, n_after, n_before);
    for (uint32_t b = 0, a = 0; b < n_before || a < n_after;) {
        int order = b == n_before ? 1 : a == n_after ? -1 : said_compare(&before[b], &after[a]);
        if (order != 0)
            note_name(out, order < 0 ? before[b].name : after[a].name);
        b += order <= 0;
        a += order >= 0;
    }
}

/* ---- lists of names ---- */

/* new: free() */
static struct said *said_by_names(const struct ST_Type_list *l)
{
    struct said *v = uti_calloc((size_t)l->n + 1, sizeof *v);
    for (uint32_t i = 0; i < l->n; i++)
        v[i] = (struct said){ l->v[i].ST_name, "" };
    return v;
}

void concerned_by_list(const struct ST_Type_list *before, const struct ST_Type_list *after,
                       struct ST_Type_list *out)
{
    struct said *olds = said_by_names(before), *news = said_by_names(after);
    note_moved(olds, before->n, news, after->n, out);
    free(olds);
    free(news);
}

/* ---- settings of an attribute ---- */

static bool is_of_group(const struct AT_Type *at)
{
    return at->AT_href[0] == '@';
}

/* those for single hosts; the first of a list is the default. New: free() */
static struct said *said_to_hosts(const struct AT_Type_list *l, uint32_t *n)
{
    struct said *v = uti_calloc((size_t)l->n + 1, sizeof *v);
    *n = 0;
    for (uint32_t i = 1; i < l->n; i++)
        if (!is_of_group(&l->v[i]))
            v[(*n)++] = (struct said){ l->v[i].AT_href, l->v[i].AT_value };
    return v;
}

/* the next setting for a group at or behind AT; NULL: there are no more */
static const struct AT_Type *next_of_group(const struct AT_Type_list *l, uint32_t *at)
{
    while (*at < l->n && !is_of_group(&l->v[*at]))
        (*at)++;
    return *at < l->n ? &l->v[(*at)++] : NULL;
}

static bool say_same_to_groups(const struct AT_Type_list *before, const struct AT_Type_list *after)
{
    uint32_t b = 0, a = 0;
    const struct AT_Type *old, *new;
    do {
        old = next_of_group(before, &b);
        new = next_of_group(after, &a);
    } while (old != NULL && new != NULL && cull_equal(&cull_AT_Type, old, new));
    return old == NULL && new == NULL;
}

static void note_groups(const struct AT_Type_list *l, struct ST_Type_list *out)
{
    const struct AT_Type *at;
    for (uint32_t i = 0; (at = next_of_group(l, &i)) != NULL;)
        note_name(out, at->AT_href);
}

static void concerned_by_settings(const struct AT_Type_list *before,
                                  const struct AT_Type_list *after, struct ST_Type_list *out)
{
    uint32_t n_before, n_after;
    struct said *olds = said_to_hosts(before, &n_before), *news = said_to_hosts(after, &n_after);
    note_moved(olds, n_before, news, n_after, out);
    free(olds);
    free(news);
    if (say_same_to_groups(before, after))
        return;
    note_groups(before, out);
    note_groups(after, out);
}

static bool default_differs(const struct AT_Type_list *before, const struct AT_Type_list *after)
{
    return before->n == 0 || strcmp(before->v[0].AT_value, after->v[0].AT_value) != 0;
}

bool concerned_by_queue(const struct CQ_Type *before, const struct CQ_Type *after,
                        struct ST_Type_list *out)
{
    bool has_other_defaults = false;
    concerned_by_list(&before->CQ_hostlist, &after->CQ_hostlist, out);
    for (unsigned i = 0; i < cqueue_attrs_n; i++) {
        const struct AT_Type_list *olds = cqueue_settings(before, &cqueue_attrs[i]);
        const struct AT_Type_list *news = cqueue_settings(after, &cqueue_attrs[i]);
        has_other_defaults = has_other_defaults || default_differs(olds, news);
        if (!cull_field_equal(&cull_CQ_Type, before, after, cqueue_attrs[i].field))
            concerned_by_settings(olds, news, out);
    }
    return has_other_defaults;
}

/* ---- renewals ---- */
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

bool renewals_are_over(const struct qmaster *q, uint32_t number)
{
    const struct renewal *oldest = TAILQ_FIRST(&q->renewals);
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
    TAILQ_REMOVE(&w->q->renewals, w, in_all);
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
    w->number = ++q->last_renewal;
    w->cqueue = cull_string_hold(cqueue);
    TAILQ_INSERT_TAIL(&q->renewals, w, in_all);
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
