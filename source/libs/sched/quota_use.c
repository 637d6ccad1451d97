/* Resource quotas in the scheduler. Owns the book, and which rule sets there are.
 *
 * Quotas are members of paths: they are gathered for a task of a need in a queue instance, and room
 * in them is looked for, and booked, as in its other supplies. What a parallel task would take in
 * one place is booked for the look at the next, and released again.
 *
 * The book is made anew when a set, or a resource, changes: then job groups go to the categories of
 * their new classes, and what is ordered or runs is taken again. A blocked need with a class is in
 * the list of its class besides the list of what blocks it, and is to be opened when something is
 * given back of a quota that a look found short, if the rule can be one of its own. So an end costs
 * a look at each class, and not at each need. The next runs open them, in slices. */
#include "libs/sched/quotas.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/object.h"
#include "libs/sched/sched_priv.h"

/* ---- paths ---- */
static const struct quota_place *place_of(struct sched *s, struct sched_queue *q)
{
    if (q->quota_round != s->quota_round || q->quota_place == NULL) {
        const char *at = strchr(q->name, '@');
        struct dstr cluster_queue = DSTR_INIT;
        dstr_addn(&cluster_queue, q->name, at != NULL ? (size_t)(at - q->name) : strlen(q->name));
        q->quota_place = quota_place_of(s->quotas->rules, dstr_get(&cluster_queue), q->host->name,
                                        &q->known.QU_hostgroups);
        dstr_free(&cluster_queue);
    }
    q->quota_round = s->quota_round;
    return q->quota_place;
}

static struct quota_path path_at(struct sched *s, const struct quota_class *who,
                                 const struct pe *pe, struct sched_queue *q)
{
    return (struct quota_path){ .who = who,
                                .pe = quota_pe_of(s->quotas->rules, pe != NULL ? pe->name : NULL),
                                .at = place_of(s, q),
                                .values = { &q->host->known, &s->cell_known, &s->complex } };
}

/* the quotas of AT that limit D; until the next call */
static struct path members_of(struct sched *s, const struct quota_path *at, const struct demand *d,
                              enum quota_use use)
{
    struct growing_path *path = &s->quota_paths.path;
    path->n = 0;
    quota_members(s->quotas, at, d, use, path);
    return path_grown(path, 0);
}

/* the same of those that apply everywhere alike */
static struct path members_everywhere(struct sched *s, const struct need *need, const struct pe *pe)
{
    struct growing_path *path = &s->quota_paths.path;
    const struct quota_path at = {
        .who = need->key.quota, .pe = quota_pe_of(s->quotas->rules, pe != NULL ? pe->name : NULL)
    };
    path->n = 0;
    quota_members_everywhere(s->quotas, &at, need->key.demand, path);
    return path_grown(path, 0);
}

/* ---- room ---- */
static uint64_t room_in(struct path path, const struct demand *d, uint64_t wanted)
{
    uint64_t room = path_room(path, d, TIME_ALWAYS);
    if (room < wanted)
        quota_note_short(path, d, wanted);
    return room;
}

bool quotas_allow(const struct need *need)
{
    struct sched *s = need->sched;
    if (need->key.quota == NULL)
        return true;
    s->work.looks++;
    return room_in(members_everywhere(s, need, NULL), need->key.demand, 1) > 0;
}

uint64_t quotas_room(const struct need *need, struct sched_queue *q)
{
    struct sched *s = need->sched;
    if (need->key.quota == NULL)
        return UINT64_MAX;
    s->work.looks += quota_sets_count(s->quotas->rules);
    struct quota_path at = path_at(s, need->key.quota, NULL, q);
    return room_in(members_of(s, &at, need->key.demand, QUOTA_LOOK), need->key.demand, 1);
}

uint64_t quotas_pe_room(const struct need *need, const struct pe *pe)
{
    if (need->key.quota == NULL)
        return UINT64_MAX;
    return room_in(members_everywhere(need->sched, need, pe), need->key.demand,
                   need->key.parallel->greatest);
}

/* ---- bookings for the look at the next place ---- */
static void reserve_in(struct sched *s, struct path path, struct demand *d, uint64_t tasks)
{
    struct quota_paths *paths = &s->quota_paths;
    path_book(path, d, tasks, TIME_ALWAYS);
    for (uint32_t i = 0; i < path.n; i++) {
        paths->reserved = uti_vec_grow(paths->reserved, &paths->reserved_cap, paths->n_reserved + 1,
                                       sizeof *paths->reserved);
        d->users++;
        paths->reserved[paths->n_reserved++] = (struct quota_reserved){ path.v[i], d, tasks };
    }
}

void quotas_release(struct sched *s)
{
    struct quota_paths *paths = &s->quota_paths;
    while (paths->n_reserved > 0) {
        struct quota_reserved *last = &paths->reserved[--paths->n_reserved];
        struct path path = { &last->member, 1 };
        path_release(path, last->demand, last->tasks, TIME_ALWAYS);
        quota_settle(s->quotas, path, last->demand, NULL, NULL);
        demand_drop(&s->demands, last->demand);
    }
}

/* for how many slots the quotas of a place have room; those that apply everywhere alike limit the
 * task as a whole (quotas_pe_room) */
static uint64_t room_of_place(struct sched *s, const struct quota_path *at, const struct demand *d,
                              uint64_t most)
{
    struct path all = members_of(s, at, d, QUOTA_LOOK);
    for (uint32_t i = 0; i < all.n; i++)
        if (!quota_of(all.v[i])->rule->is_everywhere)
            most = smaller_u64(most, room_in((struct path){ &all.v[i], 1 }, d, most));
    return most;
}

static void reserve_at_place(struct sched *s, const struct quota_path *at, struct demand *d,
                             uint64_t slots)
{
    struct path all = members_of(s, at, d, QUOTA_BOOK);
    for (uint32_t i = 0; i < all.n; i++) {
        struct path one = { &all.v[i], 1 };
        if (quota_of(all.v[i])->rule->is_everywhere)
            quota_settle(s->quotas, one, d, NULL, NULL);
        else
            reserve_in(s, one, d, slots);
    }
}

uint64_t quotas_reserve(const struct need *need, const struct pe *pe, struct sched_queue *q,
                        uint64_t most)
{
    struct sched *s = need->sched;
    struct demand *d = need->key.demand;
    if (need->key.quota == NULL || most == 0)
        return most;
    s->work.looks += quota_sets_count(s->quotas->rules);
    struct quota_path at = path_at(s, need->key.quota, pe, q);
    most = room_of_place(s, &at, d, most);
    if (most > 0)
        reserve_at_place(s, &at, d, most);
    return most;
}

bool quotas_fit(const struct need *need, const struct grant *out)
{
    struct sched *s = need->sched;
    bool fits = true;
    if (need->key.quota == NULL)
        return true;
    for (uint32_t n = 0; fits && n < out->n; n++) {
        struct demand *d = grant_demand(s, &need->key, out, n);
        struct quota_path at = path_at(s, need->key.quota, out->pe, out->v[n].queue);
        struct path path = members_of(s, &at, d, QUOTA_BOOK);
        fits = room_in(path, d, 1) > 0;
        reserve_in(s, path, d, 1);
        demand_drop(&s->demands, d);
    }
    quotas_release(s);
    return fits;
}

/* ---- waking ---- */
static bool values_equal(const char *own, const char *value)
{
    return value == NULL || strcmp(own, value) == 0;
}

/* the blocked needs of a class; there while it has any */
TAILQ_HEAD(quota_needs, need);
struct quota_blocked {
    const struct quota_class *who;       /* the key */
    struct quota_needs needs;            /* in the order in which they were blocked */
    struct need *wake_last;              /* those until this one are to be opened; NULL: none */
    LIST_ENTRY(quota_blocked) of_waking; /* while wake_last is one */
    UT_hash_handle hh;
};

void quotas_block(struct need *need)
{
    struct sched *s = need->sched;
    struct quota_blocked *b;
    HASH_FIND_PTR(s->blocked_quota, &need->key.quota, b);
    if (b == NULL) {
        b = uti_calloc(1, sizeof *b);
        b->who = need->key.quota;
        TAILQ_INIT(&b->needs);
        HASH_ADD_PTR(s->blocked_quota, who, b);
    }
    TAILQ_INSERT_TAIL(&b->needs, need, of_quota);
}

void quotas_unblock(struct need *need)
{
    struct sched *s = need->sched;
    struct quota_blocked *b;
    HASH_FIND_PTR(s->blocked_quota, &need->key.quota, b);
    if (b->wake_last == need) {
        b->wake_last = TAILQ_PREV(need, quota_needs, of_quota);
        if (b->wake_last == NULL)
            LIST_REMOVE(b, of_waking);
    }
    TAILQ_REMOVE(&b->needs, need, of_quota);
    if (!TAILQ_EMPTY(&b->needs))
        return;
    HASH_DEL(s->blocked_quota, b);
    free(b);
}

/* the needs that are blocked now are to be opened; a user may have tens of thousands */
static void wake_needs(struct sched *s, struct quota_blocked *b)
{
    if (b->wake_last == NULL)
        LIST_INSERT_HEAD(&s->quota_paths.waking, b, of_waking);
    b->wake_last = TAILQ_LAST(&b->needs, quota_needs);
}

bool quotas_are_woken(const struct sched *s)
{
    return LIST_EMPTY(&s->quota_paths.waking);
}

bool quotas_wake(struct sched *s, uint64_t most)
{
    enum { LOOKS_OF_OPENING = 8 }; /* it takes about as long */
    for (uint64_t n = 0; !quotas_are_woken(s) && (most == 0 || n < most); n += LOOKS_OF_OPENING) {
        s->work.woken++;
        need_unblock(TAILQ_FIRST(&LIST_FIRST(&s->quota_paths.waking)->needs));
    }
    return quotas_are_woken(s);
}

static void wake_needs_of(void *ctx, const struct quota_member *m)
{
    struct sched *s = ctx;
    struct quota_blocked *b, *next;
    HASH_ITER(hh, s->blocked_quota, b, next) {
        s->work.woken++;
        if (quota_class_has(b->who, m->rule->number) &&
            values_equal(quota_class_user(b->who), m->values[QUOTA_USERS]) &&
            values_equal(quota_class_project(b->who), m->values[QUOTA_PROJECTS]))
            wake_needs(s, b);
    }
}

static void wake_all(struct sched *s)
{
    struct quota_blocked *b, *next;
    HASH_ITER(hh, s->blocked_quota, b, next)
        wake_needs(s, b);
}

/* ---- books ---- */
static const struct quota_class *class_of(const struct sched_job *job)
{
    return job->group->category->quota;
}

void quotas_take(const struct sched_job *job, const struct pe *pe, struct sched_queue *q,
                 const struct demand *d, uint64_t tasks)
{
    struct sched *s = job->group->category->sched;
    if (class_of(job) == NULL || tasks == 0)
        return;
    struct quota_path at = path_at(s, class_of(job), pe, q);
    path_book(members_of(s, &at, d, QUOTA_BOOK), d, tasks, TIME_ALWAYS);
}

void quotas_give(const struct sched_job *job, const struct pe *pe, struct sched_queue *q,
                 const struct demand *d, uint64_t tasks)
{
    struct sched *s = job->group->category->sched;
    if (class_of(job) == NULL || tasks == 0)
        return;
    struct quota_path at = path_at(s, class_of(job), pe, q);
    struct path path = members_of(s, &at, d, QUOTA_BOOK);
    path_release(path, d, tasks, TIME_ALWAYS);
    quota_settle(s->quotas, path, d, wake_needs_of, s);
}

static uint64_t tasks_of(const struct stay *stay)
{
    return range_set_count(&stay->ordered) + range_set_count(&stay->running);
}

void quotas_leave(const struct sched_job *job)
{
    const struct stay *stay;
    if (class_of(job) == NULL)
        return;
    LIST_FOREACH(stay, &job->stays, of_job)
        for (uint32_t i = 0; i < stay->n; i++)
            quotas_give(job, stay->pe, stay->at[i].queue, stay->at[i].demand, tasks_of(stay));
}

void quotas_enter(const struct sched_job *job)
{
    const struct stay *stay;
    if (class_of(job) == NULL)
        return;
    LIST_FOREACH(stay, &job->stays, of_job)
        for (uint32_t i = 0; i < stay->n; i++)
            quotas_take(job, stay->pe, stay->at[i].queue, stay->at[i].demand, tasks_of(stay));
}

/* all that is ordered or runs, in an empty book */
static void take_all(struct sched *s)
{
    for (const struct stay *stay = s->stays; stay != NULL; stay = stay->hh.next)
        for (uint32_t i = 0; i < stay->n; i++)
            quotas_take(stay->job, stay->pe, stay->at[i].queue, stay->at[i].demand, tasks_of(stay));
}

/* ---- rules ---- */
static struct quota_book *book_of(struct sched *s)
{
    const struct RQS_Type **sets = uti_alloc((s->rqs.n + 1) * sizeof *sets);
    for (uint32_t i = 0; i < s->rqs.n; i++)
        sets[i] = &s->rqs.v[i];
    struct quota_rules *rules = quota_rules_new(sets, s->rqs.n, &s->complex);
    free(sets);
    return rules != NULL ? quota_book_new(rules, &s->names) : NULL;
}

/* The needs of the old classes go with their categories. */
static void quotas_make(struct sched *s)
{
    struct quota_book *old = s->quotas;
    s->quotas = book_of(s);
    s->quota_round++;
    if (old == NULL && s->quotas == NULL)
        return;
    job_groups_move(s);
    if (s->quotas != NULL)
        take_all(s);
    quota_book_free(old);
}

void quotas_put(struct sched *s, const struct TX_Type *object)
{
    const struct object_rules *rules = object_rules_of(OBJECT_RQS);
    struct RQS_Type *record = object_record(rules, object);
    struct RQS_Type *old = cull_find(&cull_RQS_Type, &s->rqs, object->TX_name);
    if (old != NULL)
        cull_clear(&cull_RQS_Type, old);
    cull_copy(&cull_RQS_Type, old != NULL ? old : cull_push(&s->rqs), record);
    cull_delete(rules->type, record);
    quotas_make(s);
}

void quotas_drop(struct sched *s, const char *name)
{
    struct RQS_Type *old = cull_find(&cull_RQS_Type, &s->rqs, name);
    if (old == NULL)
        return;
    cull_remove_at(&cull_RQS_Type, (struct cull_list *)&s->rqs, (uint32_t)(old - s->rqs.v));
    quotas_make(s);
}

void quotas_renew(struct sched *s)
{
    if (s->rqs.n > 0)
        quotas_make(s);
}

void quotas_free(struct sched *s)
{
    quota_book_free(s->quotas);
    free(s->quota_paths.path.v);
    free(s->quota_paths.reserved);
    cull_list_clear(&cull_RQS_Type, &s->rqs);
}

const struct quota_class *quotas_class(struct sched *s, const struct JB_Type *request)
{
    return s->quotas == NULL
               ? NULL
               : quota_class_of(s->quotas->rules, s->asking != NULL ? s->asking->name : "",
                                request->JB_user_sets, request->JB_project);
}

/* ---- what changes around them ---- */
void quotas_queue_changed(struct sched *s, struct sched_queue *q)
{
    if (s->quotas == NULL)
        return;
    const struct quota_place *before = q->quota_round == s->quota_round ? q->quota_place : NULL;
    q->quota_place = NULL;
    if (before == NULL || place_of(s, q) == before)
        return;
    if (q->n_stays > 0) {
        quota_book_clear(s->quotas);
        take_all(s);
    }
    wake_all(s);
}

void quotas_host_changed(struct sched *s, struct sched_host *h)
{
    if (s->quotas == NULL || !quota_rules_are_dynamic(s->quotas->rules))
        return;
    const struct load_source source = { &h->known, &s->cell_known, &s->complex };
    uint64_t values = quota_values_mixed(s->quotas->rules, &source);
    if (values != h->quota_values)
        wake_all(s);
    h->quota_values = values;
}
