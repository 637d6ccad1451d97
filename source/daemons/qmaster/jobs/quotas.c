/* Resource quotas in the qmaster. Owns the book, and in which quotas each task is booked
 * (task->quotas): those are released as it ends, whatever rules would apply to it then.
 *
 * What decides about paths has rounds (settings, queues); when one has changed, the next order or
 * question makes the book anew and counts all tasks that run, host by host, as long as its slice
 * lasts; meanwhile tasks that start and end count in the new book, and orders are refused. The same
 * happens after a restart. */
#include "daemons/qmaster/jobs/quotas.h"

#include <stdlib.h>

#include "libs/config/host.h"
#include "libs/config/rqs.h"
#include "libs/sgeobj/allocation.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

struct quota_state {
    struct quota_book *book;
    uint64_t round;   /* by which it was made; 0: not yet */
    bool is_counting; /* hosts of WALK are to be counted */
    struct walk walk;
};
struct quota_taken {
    uint64_t round; /* of the book in which it counts */
    uint32_t n;
    struct quota_booking {
        uint32_t entry; /* of the allocation */
        struct supply *member;
    } v[];
};

static struct load_source values_of(struct qmaster *q, const struct host *h)
{
    const struct host *cell = hosts_find(&q->hosts, HOST_OF_CELL);
    return (struct load_source){ h != NULL ? &h->rec : NULL, cell != NULL ? &cell->rec : NULL,
                                 settings_complex(&q->settings) };
}

static const struct quota_place *place_of(struct quota_book *b, const struct qinstance *qi)
{
    return quota_place_of(b->rules, qi->rec.QU_qname, qi->rec.QU_qhostname, &qi->rec.QU_hostgroups);
}

static const struct quota_class *class_of(struct quota_book *b, const struct JB_Type *rec)
{
    return rec->JB_owner != NULL
               ? quota_class_of(b->rules, rec->JB_owner, rec->JB_user_sets, rec->JB_project)
               : NULL;
}

/* ---- bookings ---- */
/* where an entry of an allocation is; the queue may have gone from the configuration */
static struct quota_path path_of_entry(struct qmaster *q, const struct quota_class *who,
                                       const struct JG_Type_list *granted, uint32_t i)
{
    struct quota_book *b = q->quotas->book;
    const struct JG_Type *entry = &granted->v[i];
    const struct qinstance *qi = queues_instance(&q->queues, entry->JG_qname);
    if (qi == NULL)
        qi = queues_leaving_instance(&q->queues, entry->JG_qname);
    return (struct quota_path){ .who = who,
                                .pe = quota_pe_of(b->rules, allocation_pe(granted)),
                                .at = qi != NULL
                                          ? place_of(b, qi)
                                          : quota_place_of(b->rules, "", entry->JG_qhostname, NULL),
                                .values = values_of(q, qi != NULL ? qi->host : NULL) };
}

/* what a task books in an entry; free parts */
static struct demand demand_of_entry(struct qmaster *q, const struct JG_Type *entry)
{
    struct demand_part *parts = uti_alloc((entry->JG_taken.n + 1) * sizeof *parts);
    uint32_t n = allocation_parts(&q->resources, entry->JG_slots, &entry->JG_taken, parts);
    return (struct demand){ .n = n, .parts = parts };
}

static struct quota_taken *add_bookings(struct quota_taken *to, uint32_t entry, struct path path)
{
    to = uti_realloc(to, sizeof *to + (to->n + path.n) * sizeof *to->v);
    for (uint32_t i = 0; i < path.n; i++)
        to->v[to->n++] = (struct quota_booking){ entry, path.v[i] };
    return to;
}

static struct quota_taken *book_entries(struct qmaster *q, const struct quota_class *who,
                                        const struct JG_Type_list *granted)
{
    struct quota_taken *taken = uti_calloc(1, sizeof *taken);
    struct growing_path path = { 0 };
    taken->round = q->quotas->round;
    for (uint32_t i = 0; i < granted->n; i++) {
        struct quota_path at = path_of_entry(q, who, granted, i);
        struct demand d = demand_of_entry(q, &granted->v[i]);
        path.n = 0;
        quota_members(q->quotas->book, &at, &d, QUOTA_BOOK, &path);
        path_book(path_grown(&path, 0), &d, 1);
        taken = add_bookings(taken, i, path_grown(&path, 0));
        free((void *)d.parts);
    }
    free(path.v);
    return taken;
}

static void release_entries(struct qmaster *q, const struct quota_taken *taken,
                            const struct JG_Type_list *granted)
{
    for (uint32_t i = 0; i < taken->n; i++) {
        struct demand d = demand_of_entry(q, &granted->v[taken->v[i].entry]);
        struct path path = { &taken->v[i].member, 1 };
        path_release(path, &d, 1);
        quotas_settle(q, path, &d);
        free((void *)d.parts);
    }
}

void quotas_book(struct qmaster *q, struct task *t)
{
    if (q->quotas == NULL || q->quotas->book == NULL)
        return;
    const struct quota_class *who = class_of(q->quotas->book, &t->job->rec);
    if (who != NULL)
        t->quotas = book_entries(q, who, &t->rec.JAT_granted_destin_identifier_list);
}

void quotas_unbook(struct qmaster *q, struct task *t)
{
    if (t->quotas != NULL && q->quotas->book != NULL && t->quotas->round == q->quotas->round)
        release_entries(q, t->quotas, &t->rec.JAT_granted_destin_identifier_list);
    free(t->quotas);
    t->quotas = NULL;
}

void quotas_free(struct qmaster *q)
{
    free(q->task_path.v);
    if (q->quotas == NULL)
        return;
    walk_end(&q->quotas->walk);
    quota_book_free(q->quotas->book);
    free(q->quotas);
    q->quotas = NULL;
}

static struct quota_book *book_new(struct qmaster *q)
{
    const struct text_object *all = q->settings.texts[GDI_RQS];
    const struct RQS_Type **sets = uti_alloc((HASH_COUNT(all) + 1) * sizeof *sets);
    uint32_t n = 0;
    for (const struct text_object *t = all; t != NULL; t = t->hh.next)
        if (t->record != NULL)
            sets[n++] = t->record;
    struct quota_rules *rules = quota_rules_new(sets, n, settings_complex(&q->settings));
    free(sets);
    return rules != NULL ? quota_book_new(rules, &q->resources) : NULL;
}

/* those that have started since the book was made count already */
static void count_host(struct qmaster *q, const struct host *h)
{
    struct task *t;
    TAILQ_FOREACH(t, &h->tasks, in_host) {
        if (t->quotas != NULL && t->quotas->round == q->quotas->round)
            continue;
        free(t->quotas);
        t->quotas = NULL;
        quotas_book(q, t);
    }
}

/* true: all of them are counted */
static bool count_on(struct qmaster *q)
{
    struct quota_state *state = q->quotas;
    while (state->is_counting) {
        const struct host *h = walk_take(&state->walk, offsetof(struct host, hh));
        if (h != NULL)
            count_host(q, h);
        else
            state->is_counting = false;
        if (h != NULL && slice_is_over(q))
            return false;
    }
    walk_end(&state->walk);
    return true;
}

static void begin_book(struct qmaster *q, uint64_t round)
{
    struct quota_state *state = q->quotas;
    struct quota_book *old = state->book;
    state->round = round;
    state->book = book_new(q);
    quota_book_free(old);
    walk_end(&state->walk);
    state->is_counting = state->book != NULL;
    if (state->is_counting)
        walk_begin(&q->hosts.walks, &state->walk, q->hosts.all);
}

struct quota_book *quotas_now(struct qmaster *q, bool *is_whole)
{
    const struct settings *s = &q->settings;
    uint64_t round = 1 + s->quota_round + s->complex_round + q->queues.groups_round;
    *is_whole = true;
    if (q->quotas == NULL && s->texts[GDI_RQS] == NULL)
        return NULL;
    if (q->quotas == NULL)
        q->quotas = uti_calloc(1, sizeof *q->quotas);
    if (q->quotas->round != round)
        begin_book(q, round);
    *is_whole = count_on(q);
    return q->quotas->book;
}

/* ---- members of paths ---- */
static struct quota_path path_at(struct qmaster *q, const struct qinstance *qi,
                                 const struct quota_class *who, const char *pe)
{
    struct quota_book *b = q->quotas->book;
    return (struct quota_path){ .who = who,
                                .pe = quota_pe_of(b->rules, pe),
                                .at = place_of(b, qi),
                                .values = values_of(q, qi->host) };
}

bool quotas_append(struct qmaster *q, const struct qinstance *qi, const struct JB_Type *request,
                   const char *pe, const struct demand *d, enum quota_use use,
                   struct growing_path *out)
{
    bool is_whole;
    struct quota_book *b = quotas_now(q, &is_whole);
    const struct quota_class *who = b != NULL ? class_of(b, request) : NULL;
    if (who == NULL)
        return is_whole;
    struct quota_path at = path_at(q, qi, who, pe);
    quota_members(b, &at, d, use, out);
    return is_whole;
}

void quotas_settle(struct qmaster *q, struct path path, const struct demand *d)
{
    if (path.n > 0)
        quota_settle(q->quotas->book, path, d, NULL, NULL);
}

void quotas_key(struct qmaster *q, const struct qinstance *qi, const struct JB_Type *request,
                const char *pe, const struct quota_rule *rule, struct dstr *out)
{
    struct quota_path at = path_at(q, qi, class_of(q->quotas->book, request), pe);
    quota_key_text(rule, &at, out);
}

struct load_source quotas_values(struct qmaster *q, const char *host)
{
    return values_of(q, host != NULL ? hosts_find(&q->hosts, host) : NULL);
}
