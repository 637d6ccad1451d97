/* Resource quotas in the scheduler. Owns the book, and which rule sets there are.
 *
 * Quotas are members of paths: they are gathered for a task of a need in a queue instance, and room
 * in them is looked for, and booked, as in its other supplies. What a parallel task would take in
 * one place is booked for the look at the next, and released again.
 *
 * The book is made anew when a set, or a resource, changes: then job groups go to the categories of
 * their new classes, and what is ordered or runs is taken again. */
#include "libs/sched/supply/quota_use.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/object.h"

/* ---- paths ---- */
static const struct quota_place *place_of(struct sched_cell *cell, struct sched_queue *q)
{
    if (q->quota_round != cell->quota_round || q->quota_place == NULL) {
        const char *at = strchr(q->name, '@');
        struct dstr cluster_queue = DSTR_INIT;
        dstr_addn(&cluster_queue, q->name, at != NULL ? (size_t)(at - q->name) : strlen(q->name));
        q->quota_place = quota_place_of(cell->quotas->rules, dstr_get(&cluster_queue),
                                        q->host->name, &q->known.QU_hostgroups);
        dstr_free(&cluster_queue);
    }
    q->quota_round = cell->quota_round;
    return q->quota_place;
}

static struct quota_path path_at(struct sched_cell *cell, const struct quota_class *who,
                                 const struct pe *pe, struct sched_queue *q)
{
    return (struct quota_path){ .who = who,
                                .pe =
                                    quota_pe_of(cell->quotas->rules, pe != NULL ? pe->name : NULL),
                                .at = place_of(cell, q),
                                .values = { &q->host->known, &cell->known, &cell->complex } };
}

/* the quotas of AT that limit D; until the next call */
static struct path members_of(struct sched_cell *cell, const struct quota_path *at,
                              const struct demand *d, enum quota_use use)
{
    struct growing_path *path = &cell->quota_paths.path;
    path->n = 0;
    quota_members(cell->quotas, at, d, use, path);
    return path_grown(path, 0);
}

/* the same of those that apply everywhere alike */
static struct path members_everywhere(struct sched_cell *cell, const struct quota_class *who,
                                      const struct demand *d, const struct pe *pe)
{
    struct growing_path *path = &cell->quota_paths.path;
    const struct quota_path at = {
        .who = who, .pe = quota_pe_of(cell->quotas->rules, pe != NULL ? pe->name : NULL)
    };
    path->n = 0;
    quota_members_everywhere(cell->quotas, &at, d, path);
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

bool quotas_allow(struct sched_cell *cell, const struct quota_class *who, const struct demand *d)
{
    if (who == NULL)
        return true;
    cell->work.looks++;
    return room_in(members_everywhere(cell, who, d, NULL), d, 1) > 0;
}

uint64_t quotas_room(struct sched_cell *cell, const struct quota_class *who, const struct demand *d,
                     struct sched_queue *q)
{
    if (who == NULL)
        return UINT64_MAX;
    cell->work.looks += quota_sets_count(cell->quotas->rules);
    struct quota_path at = path_at(cell, who, NULL, q);
    return room_in(members_of(cell, &at, d, QUOTA_LOOK), d, 1);
}

uint64_t quotas_pe_room(struct sched_cell *cell, const struct quota_class *who,
                        const struct demand *d, const struct pe *pe, uint64_t wanted)
{
    return who == NULL ? UINT64_MAX : room_in(members_everywhere(cell, who, d, pe), d, wanted);
}

/* ---- bookings for the look at the next place ---- */
static void reserve_in(struct sched_cell *cell, struct path path, struct demand *d, uint64_t tasks)
{
    struct quota_paths *paths = &cell->quota_paths;
    path_book(path, d, tasks, TIME_ALWAYS);
    for (uint32_t i = 0; i < path.n; i++) {
        paths->reserved = uti_vec_grow(paths->reserved, &paths->reserved_cap, paths->n_reserved + 1,
                                       sizeof *paths->reserved);
        d->users++;
        paths->reserved[paths->n_reserved++] = (struct quota_reserved){ path.v[i], d, tasks };
    }
}

void quotas_release(struct sched_cell *cell)
{
    struct quota_paths *paths = &cell->quota_paths;
    while (paths->n_reserved > 0) {
        struct quota_reserved *last = &paths->reserved[--paths->n_reserved];
        struct path path = { &last->member, 1 };
        path_release(path, last->demand, last->tasks, TIME_ALWAYS);
        quota_settle(cell->quotas, path, last->demand, NULL, NULL);
        demand_drop(&cell->demands, last->demand);
    }
}

/* for how many slots the quotas of a place have room; those that apply everywhere alike limit the
 * task as a whole (quotas_pe_room) */
static uint64_t room_of_place(struct sched_cell *cell, const struct quota_path *at,
                              const struct demand *d, uint64_t most)
{
    struct path all = members_of(cell, at, d, QUOTA_LOOK);
    for (uint32_t i = 0; i < all.n; i++)
        if (!quota_of(all.v[i])->rule->is_everywhere)
            most = smaller_u64(most, room_in((struct path){ &all.v[i], 1 }, d, most));
    return most;
}

static void reserve_at_place(struct sched_cell *cell, const struct quota_path *at, struct demand *d,
                             uint64_t slots)
{
    struct path all = members_of(cell, at, d, QUOTA_BOOK);
    for (uint32_t i = 0; i < all.n; i++) {
        struct path one = { &all.v[i], 1 };
        if (quota_of(all.v[i])->rule->is_everywhere)
            quota_settle(cell->quotas, one, d, NULL, NULL);
        else
            reserve_in(cell, one, d, slots);
    }
}

uint64_t quotas_reserve(struct sched_cell *cell, const struct quota_class *who, struct demand *d,
                        const struct pe *pe, struct sched_queue *q, uint64_t most)
{
    if (who == NULL || most == 0)
        return most;
    cell->work.looks += quota_sets_count(cell->quotas->rules);
    struct quota_path at = path_at(cell, who, pe, q);
    most = room_of_place(cell, &at, d, most);
    if (most > 0)
        reserve_at_place(cell, &at, d, most);
    return most;
}

bool quotas_fit(struct sched_cell *cell, const struct quota_class *who, const struct pe *pe,
                const struct placed_demand *places, uint32_t n)
{
    bool fits = true;
    if (who == NULL)
        return true;
    for (uint32_t i = 0; fits && i < n; i++) {
        struct demand *d = places[i].demand;
        struct quota_path at = path_at(cell, who, pe, places[i].queue);
        struct path path = members_of(cell, &at, d, QUOTA_BOOK);
        fits = room_in(path, d, 1) > 0;
        reserve_in(cell, path, d, 1);
    }
    quotas_release(cell);
    return fits;
}

/* ---- books ---- */
void quotas_take(struct sched_cell *cell, const struct quota_class *who, const struct pe *pe,
                 struct sched_queue *q, const struct demand *d, uint64_t tasks)
{
    if (who == NULL || tasks == 0)
        return;
    struct quota_path at = path_at(cell, who, pe, q);
    path_book(members_of(cell, &at, d, QUOTA_BOOK), d, tasks, TIME_ALWAYS);
}

/* something of QUOTA, which a look found short, was given back */
static void quota_gained(void *ctx, const struct quota_member *quota)
{
    struct sched_cell *cell = ctx;
    cell_report(cell, &(struct cell_change){ .kind = QUOTA_GAINED, .quota = quota });
}

void quotas_give(struct sched_cell *cell, const struct quota_class *who, const struct pe *pe,
                 struct sched_queue *q, const struct demand *d, uint64_t tasks)
{
    if (who == NULL || tasks == 0)
        return;
    struct quota_path at = path_at(cell, who, pe, q);
    struct path path = members_of(cell, &at, d, QUOTA_BOOK);
    path_release(path, d, tasks, TIME_ALWAYS);
    quota_settle(cell->quotas, path, d, quota_gained, cell);
}

/* ---- rules ---- */
static struct quota_book *book_of(struct sched_cell *cell)
{
    const struct RQS_Type **sets = uti_alloc((cell->rqs.n + 1) * sizeof *sets);
    for (uint32_t i = 0; i < cell->rqs.n; i++)
        sets[i] = &cell->rqs.v[i];
    struct quota_rules *rules = quota_rules_new(sets, cell->rqs.n, &cell->complex);
    free(sets);
    return rules != NULL ? quota_book_new(rules, &cell->names) : NULL;
}

/* The needs of the old classes go with their categories. */
static void quotas_make(struct sched_cell *cell)
{
    struct quota_book *old = cell->quotas;
    cell->quotas = book_of(cell);
    cell->quota_round++;
    if (old == NULL && cell->quotas == NULL)
        return;
    cell_report(cell, &(struct cell_change){ .kind = QUOTA_CLASSES_CHANGED });
    quota_book_free(old);
}

void quotas_put(struct sched_cell *cell, const struct TX_Type *object)
{
    const struct object_rules *rules = object_rules_of(OBJECT_RQS);
    struct RQS_Type *record = object_record(rules, object);
    struct RQS_Type *old = cull_find(&cull_RQS_Type, &cell->rqs, object->TX_name);
    if (old != NULL)
        cull_clear(&cull_RQS_Type, old);
    cull_copy(&cull_RQS_Type, old != NULL ? old : cull_push(&cell->rqs), record);
    cull_delete(rules->type, record);
    quotas_make(cell);
}

void quotas_drop(struct sched_cell *cell, const char *name)
{
    struct RQS_Type *old = cull_find(&cull_RQS_Type, &cell->rqs, name);
    if (old == NULL)
        return;
    cull_remove_at(&cull_RQS_Type, (struct cull_list *)&cell->rqs, (uint32_t)(old - cell->rqs.v));
    quotas_make(cell);
}

void quotas_renew(struct sched_cell *cell)
{
    if (cell->rqs.n > 0)
        quotas_make(cell);
}

void quotas_free(struct sched_cell *cell)
{
    quota_book_free(cell->quotas);
    free(cell->quota_paths.path.v);
    free(cell->quota_paths.reserved);
    cull_list_clear(&cull_RQS_Type, &cell->rqs);
}

const struct quota_class *quotas_class(struct sched_cell *cell, const struct JB_Type *request,
                                       const struct sched_owner *by)
{
    return cell->quotas == NULL ? NULL
                                : quota_class_of(cell->quotas->rules, by != NULL ? by->name : "",
                                                 request->JB_user_sets, request->JB_project);
}

/* ---- what changes around them ---- */
void quotas_queue_changed(struct sched_cell *cell, struct sched_queue *q)
{
    if (cell->quotas == NULL)
        return;
    const struct quota_place *before = q->quota_round == cell->quota_round ? q->quota_place : NULL;
    q->quota_place = NULL;
    if (before == NULL || place_of(cell, q) == before)
        return;
    if (q->n_stays > 0) {
        quota_book_clear(cell->quotas);
        cell_report(cell, &(struct cell_change){ .kind = QUOTA_BOOK_EMPTIED });
    }
    quota_gained(cell, NULL);
}

static bool has_dynamic_limits(const struct sched_cell *cell)
{
    return cell->quotas != NULL && quota_rules_are_dynamic(cell->quotas->rules);
}

/* returns whether limits at H may be others than before */
static bool values_moved(const struct sched_cell *cell, struct sched_host *h)
{
    const struct load_source source = { &h->known, &cell->known, &cell->complex };
    uint64_t before = h->quota_values;
    h->quota_values = quota_values_mixed(cell->quotas->rules, &source);
    return h->quota_values != before;
}

void quotas_host_changed(struct sched_cell *cell, struct sched_host *h)
{
    if (has_dynamic_limits(cell) && values_moved(cell, h))
        quota_gained(cell, NULL);
}

void quotas_cell_changed(struct sched_cell *cell)
{
    bool have_moved = false;
    if (!has_dynamic_limits(cell))
        return;
    for (struct sched_host *h = cell->hosts; h != NULL; h = h->hh.next)
        have_moved |= values_moved(cell, h);
    if (have_moved)
        quota_gained(cell, NULL);
}
