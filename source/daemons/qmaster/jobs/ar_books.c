/* The books of advance reservations. Owns the timelines of what is reserved, one for each supply in
 * which anything is. */
#include "daemons/qmaster/jobs/ar_books.h"

#include <stdlib.h>

#include "daemons/qmaster/config/queue_setup.h"
#include "daemons/qmaster/jobs/place_path.h"
#include "libs/config/conf.h"
#include "libs/config/qinstance.h"
#include "libs/sched/supply/resource.h"
#include "libs/sgeobj/allocation.h"
#include "libs/uti/alloc.h"

struct ar_booked {
    const struct supply *of; /* the key */
    struct supply reserved;  /* timed */
    uint32_t n;              /* reservations in it */
    UT_hash_handle hh;
};

/* valid until the next call */
static struct path path_of(struct qmaster *q, struct qinstance *qi)
{
    return place_path_now(q, qi, q->place_path);
}

/* ---- timelines ---- */
static struct ar_booked *booked_find(const struct qmaster *q, const struct supply *of)
{
    struct ar_booked *b;
    HASH_FIND(hh, q->ars.booked, &of, sizeof of, b);
    return b;
}

static struct ar_booked *booked_get(struct qmaster *q, const struct supply *of)
{
    struct ar_booked *b = booked_find(q, of);
    if (b != NULL)
        return b;
    b = uti_calloc(1, sizeof *b);
    b->of = of;
    b->reserved.kind = SUPPLY_RESERVATION;
    supply_time(&b->reserved);
    HASH_ADD(hh, q->ars.booked, of, sizeof b->of, b);
    return b;
}

static void booked_drop(struct qmaster *q, struct ar_booked *b)
{
    if (--b->n > 0)
        return;
    HASH_DEL(q->ars.booked, b);
    supply_free(&b->reserved);
    free(b);
}

static void reserve_in(struct qmaster *q, const struct supply *of, const struct demand *d,
                       struct time_span span, bool is_on)
{
    struct ar_booked *b = booked_get(q, of);
    struct supply *members[] = { &b->reserved };
    struct path path = { members, 1 };
    if (is_on) {
        path_reserve(path, d, 1, span);
        b->n++;
    } else {
        path_unreserve(path, d, 1, span);
        booked_drop(q, b);
    }
}

static struct time_span span_of(const struct ar *ar)
{
    uint64_t end_s = ar->rec.AR_state == AR_ENDING ? TIME_FOREVER : ar->rec.AR_end_time;
    return (struct time_span){ ar->rec.AR_start_time, end_s };
}

static void reserve_all(struct qmaster *q, struct ar *ar, bool is_on)
{
    struct time_span span = span_of(ar);
    uint64_t slots = 0;
    for (uint32_t i = 0; i < ar->n_places; i++) {
        const struct ar_place *place = &ar->places[i];
        struct demand d = { .n = place->n_parts, .parts = place->parts };
        struct path path = path_of(q, place->qi);
        for (uint32_t k = 0; k < path.n; k++)
            reserve_in(q, path.v[k], &d, span, is_on);
        slots += place->parts[0].amount;
    }
    struct demand_part part = { RESOURCE_SLOTS, slots };
    struct demand d = { .n = 1, .parts = &part };
    if (ar->pe != NULL)
        reserve_in(q, ar->pe->slots, &d, span, is_on);
}

/* ---- reservations ---- */
static void fill_place(struct qmaster *q, struct ar_place *place, struct qinstance *qi,
                       const struct JG_Type *entry)
{
    place->qi = qi;
    place->slots = entry->JG_slots;
    place->parts = uti_alloc((entry->JG_taken.n + 1) * sizeof *place->parts);
    place->n_parts =
        allocation_parts(&q->resources, entry->JG_slots, &entry->JG_taken, place->parts);
    place->has.kind = SUPPLY_RESERVATION;
    for (uint32_t i = 0; i < place->n_parts; i++)
        supply_offer(&place->has, (uint32_t)place->parts[i].resource, place->parts[i].amount);
    qi->n_ars++;
    qi->cqueue->slots_used += entry->JG_slots; /* the queue may not go */
}

static void forget_places(struct ar *ar)
{
    while (ar->n_places > 0) {
        struct ar_place *place = &ar->places[--ar->n_places];
        supply_free(&place->has);
        free(place->parts);
        place->qi->n_ars--;
        place->qi->cqueue->slots_used -= place->slots;
    }
    free(ar->places);
    ar->places = NULL;
}

bool ar_book(struct qmaster *q, struct ar *ar)
{
    const struct JG_Type_list *granted = &ar->rec.AR_granted;
    const char *pe = allocation_pe(granted);
    ar->pe = pe != NULL ? settings_text(&q->settings, GDI_PE, pe) : NULL;
    ar->places = uti_calloc((size_t)granted->n + 1, sizeof *ar->places);
    for (uint32_t i = 0; i < granted->n; i++) {
        struct qinstance *qi = queues_instance(&q->queues, granted->v[i].JG_qname);
        if (qi == NULL)
            qi = queue_bring_back(q, granted->v[i].JG_qname);
        if (qi == NULL || (pe != NULL && ar->pe == NULL)) {
            forget_places(ar);
            return false;
        }
        fill_place(q, &ar->places[ar->n_places++], qi, &granted->v[i]);
    }
    reserve_all(q, ar, true);
    return true;
}

void ar_release(struct qmaster *q, struct ar *ar)
{
    reserve_all(q, ar, false);
}

void ar_unbook(struct qmaster *q, struct ar *ar)
{
    for (uint32_t i = 0; i < ar->n_places; i++) {
        struct qinstance *qi = ar->places[i].qi;
        if (qi->n_ars == 1 && qi->rec.QU_slots_used == 0 && (qi->rec.QU_state & QI_ORPHANED) != 0)
            queues_note_emptied(&q->queues, qi);
    }
    forget_places(ar);
    ar->pe = NULL;
}

void ar_extend(struct qmaster *q, struct ar *ar)
{
    reserve_all(q, ar, false);
    cull_set(&ar->rec, AR_state, (uint32_t)AR_ENDING);
    reserve_all(q, ar, true);
}

struct supply *ars_supply_of(struct qmaster *q, uint32_t id, const struct qinstance *qi)
{
    struct ar *ar = ars_find(&q->ars, id);
    struct ar_place *place = ar != NULL ? ar_place_of(ar, qi) : NULL;
    return place != NULL ? &place->has : &q->ars.unlimited;
}

/* ---- what tasks hold later ---- */
static uint64_t default_run_s(struct qmaster *q)
{
    const struct conf *conf = settings_conf(&q->settings, CONF_SCHEDULER);
    return run_time_read(conf_get(conf != NULL ? &conf->rec : NULL, NULL, "default_duration"));
}

static uint64_t run_of(struct qmaster *q, const struct qinstance *qi, const struct JB_Type *request)
{
    uint64_t run_s = request_run_s(request);
    const char *h_rt = qi != NULL ? qinstance_setting(&qi->rec, "h_rt") : NULL;
    if (run_s == 0)
        run_s = run_time_read(h_rt);
    return run_s == TIME_FOREVER && request_run_s(request) == 0 ? default_run_s(q) : run_s;
}

static uint64_t time_plus(uint64_t at_s, uint64_t run_s)
{
    return run_s < TIME_FOREVER - at_s ? at_s + run_s : TIME_FOREVER;
}

struct time_span ars_run_span(struct qmaster *q, const struct qinstance *qi,
                              const struct JB_Type *request)
{
    return (struct time_span){ q->now_s, time_plus(q->now_s, run_of(q, qi, request)) };
}

/* one that is late ends in the next second */
static uint64_t end_of(struct qmaster *q, const struct task *t)
{
    const struct qinstance *qi = queues_instance(&q->queues, task_queue(t));
    uint64_t end_s = time_plus(t->rec.JAT_start_time, run_of(q, qi, &t->job->rec));
    return end_s > q->now_s ? end_s : q->now_s + 1;
}

/* a supply in which tasks of HOST book: those in QI alone, unless that is NULL */
struct level {
    struct supply *supply;
    const struct host *host; /* NULL: tasks of all hosts book there */
    const struct qinstance *qi;
    const char *pe; /* its slots; NULL: it is no environment */
};

/* ---- what tasks hold that is no host's ---- */
/* Kept while it holds: what a request asks of each of many queue instances is found once. */
struct ar_ends {
    const struct supply *of;
    uint32_t resource;
    uint64_t round, now_s;     /* of which it says so */
    struct ar_free {           /* in the order of time */
        uint64_t at_s, amount; /* free by then, in all */
    } * v;
    uint32_t n, cap;
};
enum { ENDS_KEPT = 8 }; /* levels and resources */

static uint64_t amount_in(struct qmaster *q, const struct JG_Type *entry, uint32_t resource)
{
    if (resource == RESOURCE_SLOTS)
        return entry->JG_slots;
    for (uint32_t i = 0; i < entry->JG_taken.n; i++)
        if (resource_name_get(&q->resources, entry->JG_taken.v[i].TK_name)->number == resource)
            return entry->JG_taken.v[i].TK_amount;
    return 0;
}

static uint64_t held_by(struct qmaster *q, const struct task *t, const struct level *l,
                        uint32_t resource)
{
    const struct JG_Type_list *granted = &t->rec.JAT_granted_destin_identifier_list;
    uint64_t held = 0;
    for (uint32_t i = 0; i < granted->n; i++) {
        const struct JG_Type *entry = &granted->v[i];
        if (strcmp(entry->JG_qhostname, l->host->rec.EH_name) == 0 &&
            (l->qi == NULL || strcmp(entry->JG_qname, l->qi->rec.QU_full_name) == 0))
            held += amount_in(q, entry, resource);
    }
    return held;
}

static uint64_t freed_by(struct qmaster *q, const struct task *t, const struct level *l,
                         uint32_t resource, uint64_t at_s)
{
    return t->job->rec.JB_ar == 0 && end_of(q, t) <= at_s ? held_by(q, t, l, resource) : 0;
}

static uint64_t held_widely(struct qmaster *q, const struct task *t, const struct level *l,
                            uint32_t resource)
{
    const struct JG_Type_list *granted = &t->rec.JAT_granted_destin_identifier_list;
    const char *pe = allocation_pe(granted);
    uint64_t held = 0;
    if (l->pe != NULL)
        return pe != NULL && strcmp(pe, l->pe) == 0 ? allocation_slots(granted) : 0;
    for (uint32_t i = 0; i < granted->n; i++)
        held += amount_in(q, &granted->v[i], resource);
    return held;
}

static int free_order(const void *a, const void *b)
{
    const struct ar_free *x = a, *y = b;
    return x->at_s < y->at_s ? -1 : x->at_s > y->at_s;
}

/* the oldest of them: those behind count as if they did not end */
static void find_ends(struct qmaster *q, const struct level *l, struct ar_ends *e)
{
    const struct task *t;
    uint32_t n = 0;
    e->n = 0;
    TAILQ_FOREACH(t, &q->ars.wide, in_wide) {
        uint64_t held = n++ < AR_WIDE_MOST ? held_widely(q, t, l, e->resource) : 0;
        if (n > AR_WIDE_MOST)
            break;
        if (held == 0)
            continue;
        e->v = uti_vec_grow(e->v, &e->cap, e->n + 1, sizeof *e->v);
        e->v[e->n++] = (struct ar_free){ end_of(q, t), held };
    }
    if (e->n > 0)
        qsort(e->v, e->n, sizeof *e->v, free_order);
    for (uint32_t i = 1; i < e->n; i++)
        e->v[i].amount += e->v[i - 1].amount;
}

static const struct ar_ends *ends_of(struct qmaster *q, const struct level *l, uint32_t resource)
{
    if (q->ars.ends == NULL)
        q->ars.ends = uti_calloc(ENDS_KEPT, sizeof *q->ars.ends);
    struct ar_ends *at = q->ars.ends;
    for (struct ar_ends *e = q->ars.ends; e < q->ars.ends + ENDS_KEPT; e++) {
        if (e->of == l->supply && e->resource == resource && e->round == q->ars.wide_round &&
            e->now_s == q->now_s)
            return e;
        if (e->of == NULL || (at->of != NULL && e->now_s < at->now_s))
            at = e;
    }
    at->of = l->supply;
    at->resource = resource;
    at->round = q->ars.wide_round;
    at->now_s = q->now_s;
    find_ends(q, l, at);
    return at;
}

static uint64_t freed_widely(struct qmaster *q, const struct level *l, uint32_t resource,
                             uint64_t at_s)
{
    const struct ar_ends *e = ends_of(q, l, resource);
    uint32_t first = 0, behind = e->n;
    while (first < behind) { /* those before FIRST are free by then, BEHIND and later are not */
        uint32_t middle = first + (behind - first) / 2;
        if (e->v[middle].at_s <= at_s)
            first = middle + 1;
        else
            behind = middle;
    }
    return first > 0 ? e->v[first - 1].amount : 0;
}

/* what tasks that run now have given back by AT_S */
static uint64_t freed_at(struct qmaster *q, const struct level *l, uint32_t resource, uint64_t at_s)
{
    const struct task *t;
    const struct slave_host *slave;
    uint64_t freed = 0;
    if (at_s <= q->now_s)
        return 0;
    if (l->host == NULL)
        return freed_widely(q, l, resource, at_s);
    TAILQ_FOREACH(t, &l->host->tasks, in_host)
        freed += freed_by(q, t, l, resource, at_s);
    LIST_FOREACH(slave, &l->host->slaves, in_host)
        freed += freed_by(q, slave->task, l, resource, at_s);
    return freed;
}

/* ---- room ---- */
/* what is asked of a level */
struct look {
    struct level level;
    uint32_t resource;
    int64_t left;   /* beside what is held now */
    int64_t wanted; /* as much will do: then it is not looked at which tasks end */
};

static int64_t left_at(struct qmaster *q, const struct look *k, uint64_t at_s, uint64_t reserved)
{
    int64_t left = k->left - (int64_t)reserved;
    return left >= k->wanted ? left : left + (int64_t)freed_at(q, &k->level, k->resource, at_s);
}

static const struct capacity *row_of(const struct supply *s, uint32_t resource)
{
    for (uint32_t i = 0; i < s->n; i++)
        if (s->v[i].resource == resource)
            return &s->v[i];
    return NULL;
}

static int64_t smaller_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* the least that is left in SPAN: what tasks hold only becomes less, so that is at its beginning or
 * where a reservation begins or ends */
static int64_t least_left(struct qmaster *q, const struct look *k, struct time_span span)
{
    const struct ar_booked *b = booked_find(q, k->level.supply);
    const struct capacity *row = b != NULL ? row_of(&b->reserved, k->resource) : NULL;
    struct time_span begin = { span.from_s, span.from_s + 1 };
    uint64_t reserved = row != NULL ? timeline_peak(&row->booked, begin) : 0;
    int64_t least = left_at(q, k, span.from_s, reserved);
    for (uint32_t i = 0; row != NULL && i < row->booked.n; i++) {
        const struct timeline_step *step = &row->booked.steps[i];
        if (step->at_s > span.from_s && step->at_s < span.until_s)
            least = smaller_i64(least, left_at(q, k, step->at_s, step->booked));
    }
    return least;
}

/* for how many tasks that take so much each; MOST will do */
static uint64_t level_room(struct qmaster *q, const struct level *l, const struct demand_part *part,
                           uint64_t most, struct time_span span)
{
    struct shortage now;
    struct path one = { (struct supply *const *)&l->supply, 1 };
    bool is_any = most > INT64_MAX / part->amount;
    struct look look = { *l, (uint32_t)part->resource, 0,
                         is_any ? INT64_MAX : (int64_t)(most * part->amount) };
    if (!path_left(one, look.resource, TIME_NOW, &now))
        return UINT64_MAX;
    look.left = now.left;
    int64_t left = least_left(q, &look, span);
    return left > 0 ? (uint64_t)left / part->amount : 0;
}

uint64_t ars_room(struct qmaster *q, struct qinstance *qi, const struct demand *d, uint64_t most,
                  struct time_span span)
{
    const struct level levels[] = { { &qi->supply, qi->host, qi, NULL },
                                    { &qi->host->supply, qi->host, NULL, NULL },
                                    { &q->hosts.cell, NULL, NULL, NULL } };
    uint64_t room = UINT64_MAX;
    (void)path_of(q, qi);
    for (uint32_t i = 0; i < d->n; i++)
        for (size_t k = 0; k < ARRAY_LEN(levels) && room > 0; k++)
            room = smaller_u64(room, level_room(q, &levels[k], &d->parts[i], most, span));
    return room;
}

uint64_t ars_room_in_pe(struct qmaster *q, const struct text_object *pe, uint64_t most,
                        struct time_span span)
{
    const struct level level = { pe->slots, NULL, NULL, pe->rec.TX_name };
    struct demand_part slot = { RESOURCE_SLOTS, 1 };
    return level_room(q, &level, &slot, most, span);
}

/* places share hosts and the cell: those before are booked for the look at the next */
bool ars_fit(struct qmaster *q, const struct places *places, struct time_span span)
{
    uint32_t n = 0;
    uint64_t slots = 0;
    bool fits = true;
    for (; n < places->n && fits; n++) {
        const struct place *place = &places->v[n];
        struct demand d = { .n = place->n_parts, .parts = place->parts };
        fits = ars_room(q, place->qi, &d, 1, span) > 0;
        slots += place->slots;
        path_book(path_of(q, place->qi), &d, 1);
    }
    while (n-- > 0) {
        struct demand d = { .n = places->v[n].n_parts, .parts = places->v[n].parts };
        path_release(path_of(q, places->v[n].qi), &d, 1);
    }
    return fits && (places->pe == NULL || ars_room_in_pe(q, places->pe, slots, span) >= slots);
}

static uint64_t slots_in(struct qmaster *q, const struct supply *of, struct time_span span)
{
    const struct ar_booked *b = booked_find(q, of);
    const struct capacity *row = b != NULL ? row_of(&b->reserved, RESOURCE_SLOTS) : NULL;
    return row != NULL ? timeline_peak(&row->booked, span) : 0;
}

uint64_t ars_slots(struct qmaster *q, const struct qinstance *qi)
{
    return slots_in(q, &qi->supply, (struct time_span){ q->now_s, TIME_FOREVER });
}

uint64_t ars_slots_now(struct qmaster *q, const struct qinstance *qi)
{
    return slots_in(q, &qi->supply, (struct time_span){ q->now_s, q->now_s + 1 });
}

/* ---- what stays ---- */
uint64_t ars_slots_in_pe(struct qmaster *q, const struct text_object *pe)
{
    return slots_in(q, pe->slots, (struct time_span){ q->now_s, TIME_FOREVER });
}

/* as much as is reserved, or as there was: one that was limited stays so */
static bool has_as_much(const struct qmaster *q, const struct capacity *reserved,
                        const struct supply *of, const struct supply *next)
{
    const struct time_span span = { q->now_s, TIME_FOREVER };
    uint64_t peak = timeline_peak(&reserved->booked, span);
    uint64_t had = supply_left(of, reserved->resource, TIME_UNUSED),
             has = supply_left(next, reserved->resource, TIME_UNUSED);
    return peak == 0 ||
           (has == RESOURCE_UNLIMITED ? had == RESOURCE_UNLIMITED : has >= peak || has == had);
}

bool ars_fit_in(struct qmaster *q, const struct supply *of, const struct supply *next,
                const char **name)
{
    const struct ar_booked *b = booked_find(q, of);
    for (uint32_t i = 0; b != NULL && i < b->reserved.n; i++) {
        const struct capacity *row = &b->reserved.v[i];
        if (row->resource != RESOURCE_SLOTS && !has_as_much(q, row, of, next)) {
            *name = resource_text(&q->resources, row->resource);
            return false;
        }
    }
    return true;
}

bool ars_take(const struct qmaster *q, uint32_t resource)
{
    for (const struct ar_booked *b = q->ars.booked; b != NULL; b = b->hh.next)
        if (row_of(&b->reserved, resource) != NULL)
            return true;
    return false;
}

void ar_books_clear(struct qmaster *q)
{
    struct ar_booked *b, *next;
    HASH_ITER(hh, q->ars.booked, b, next) {
        HASH_DEL(q->ars.booked, b);
        supply_free(&b->reserved);
        free(b);
    }
    for (uint32_t i = 0; q->ars.ends != NULL && i < ENDS_KEPT; i++)
        free(q->ars.ends[i].v);
    free(q->ars.ends);
    q->ars.ends = NULL;
}
