/* Where the slots of a parallel task go. Owns struct parallel, and struct layout, in which places
 * are looked for.
 *
 * The usable queue instances that offer an environment are gathered in the order in which they are
 * chosen, by host: the first instance decides where its host stands. What a host can take is shared
 * by its instances. Then the allocation rule (spread.c) gives slots to hosts, and each host's go to
 * its instances in order; the master's instance comes first. */
#include "libs/sched/place/parallel.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/access.h"
#include "libs/cull/pack.h"
#include "libs/sched/place/condition.h"
#include "libs/sched/place/soft.h"
#include "libs/sched/supply/instance.h"
#include "libs/sched/supply/pe.h"
#include "libs/sched/supply/queue_set.h"
#include "libs/sched/supply/spread.h"
#include "libs/sched/supply/task_path.h"
#include "libs/sgeobj/pe_match.h"
#include "libs/sgeobj/queue_match.h"
#include "libs/uti/pattern.h"

/* ---- what is asked for ---- */
struct parallel *parallel_get(struct place_finder *finder, const struct JB_Type *request)
{
    static const unsigned fields[] = { JB_pe, JB_pe_range, JB_master_hard_queue_list,
                                       JB_user_sets };
    struct JB_Type copy = { 0 };
    struct packer key = { 0 };
    struct parallel *parallel;
    if (request->JB_pe == NULL)
        return NULL;
    for (size_t i = 0; i < ARRAY_LEN(fields); i++)
        if (cull_has(request, fields[i]))
            cull_copy_field(&cull_JB_Type, &copy, request, fields[i]);
    cull_pack(&key, &cull_JB_Type, &copy, NULL);
    HASH_FIND(hh, finder->parallels, key.data, key.len, parallel);
    if (parallel == NULL) {
        parallel = uti_calloc(1, sizeof *parallel);
        parallel->wc_pe = uti_strdup(copy.JB_pe);
        if (copy.JB_user_sets != NULL)
            parallel->sets = cull_string_new(copy.JB_user_sets, strlen(copy.JB_user_sets));
        range_set_move(&parallel->wanted, &copy.JB_pe_range);
        parallel->master_q = copy.JB_master_hard_queue_list;
        copy.JB_master_hard_queue_list = (struct QR_Type_list){ 0 };
        if (!range_set_max(&parallel->wanted, &parallel->greatest))
            range_set_add(&parallel->wanted, 1, parallel->greatest = 1);
        (void)range_set_min(&parallel->wanted, &parallel->least);
        parallel->key = key.data;
        parallel->key_bytes = key.len;
        key = (struct packer){ 0 };
        HASH_ADD_KEYPTR(hh, finder->parallels, parallel->key, parallel->key_bytes, parallel);
    }
    parallel->users++;
    packer_free(&key);
    cull_clear(&cull_JB_Type, &copy);
    return parallel;
}

void parallel_drop(struct place_finder *finder, struct parallel *parallel)
{
    if (parallel == NULL || --parallel->users > 0)
        return;
    HASH_DEL(finder->parallels, parallel);
    range_set_free(&parallel->wanted);
    cull_list_clear(&cull_QR_Type, &parallel->master_q);
    free(parallel->wc_pe);
    cull_string_drop(parallel->sets);
    free(parallel->key);
    free(parallel);
}

bool parallel_means(const struct parallel *parallel, const struct pe *pe)
{
    return pe->is_known && pattern_match(parallel->wc_pe, pe->name) &&
           access_ask(&pe->doors, parallel->sets, NULL) == ACCESS_GRANTED;
}

/* ---- gathering ---- */
enum { NO_SPOT = UINT32_MAX };
/* an instance */
struct spot {
    struct sched_queue *queue;
    uint64_t room;
    bool may_lead;
    uint32_t next; /* of the same host; NO_SPOT: the last */
};
/* a host */
struct site {
    uint64_t left; /* what it can take besides what its spots have room for */
    uint32_t first, last;
};
/* an instance that offers the environment */
struct offer {
    struct sched_queue *queue;
    const struct sched_cell *cell;
    uint64_t free_slots; /* of one at a later time */
    uint32_t missed;     /* soft requests */
};
struct layout {
    struct task_kind kind; /* of a task in the environment that is looked at */
    struct offer *offers;
    struct spot *spots;
    struct site *sites;
    struct spread_site *spread;
    uint32_t n_offers, n_spots, n_sites;
    uint32_t offers_cap, spots_cap, sites_cap, spread_cap;
};

void layout_free(struct layout *layout)
{
    if (layout == NULL)
        return;
    free(layout->offers);
    free(layout->spots);
    free(layout->sites);
    free(layout->spread);
    free(layout);
}

/* is there room in SUPPLY for what is taken once? D may be NULL */
static bool has_room_once(const struct supply *supply, const struct demand *d,
                          struct time_span span)
{
    return d == NULL || supply_room(supply, d, span) > 0;
}

static uint32_t site_add(struct layout *l, const struct supply *host, const struct need_key *key,
                         struct time_span span)
{
    uint64_t left =
        has_room_once(host, key->on_host, span) ? supply_room(host, key->demand, span) : 0;
    l->sites = uti_vec_grow(l->sites, &l->sites_cap, l->n_sites + 1, sizeof *l->sites);
    l->spread = uti_vec_grow(l->spread, &l->spread_cap, l->n_sites + 1, sizeof *l->spread);
    l->sites[l->n_sites] = (struct site){ left, NO_SPOT, NO_SPOT };
    l->spread[l->n_sites] = (struct spread_site){ .at = l->n_sites };
    return l->n_sites++;
}

static void spot_add(struct layout *l, uint32_t at, const struct spot *spot)
{
    struct site *site = &l->sites[at];
    l->spots = uti_vec_grow(l->spots, &l->spots_cap, l->n_spots + 1, sizeof *l->spots);
    l->spots[l->n_spots] = *spot;
    if (site->first == NO_SPOT)
        site->first = l->n_spots;
    else
        l->spots[site->last].next = l->n_spots;
    site->last = l->n_spots++;
    site->left -= spot->room;
    l->spread[at].room += spot->room;
    l->spread[at].may_lead |= spot->may_lead;
}

/* Q as far as it has room for what one slot takes */
static void gather_queue(struct layout *l, struct place_finder *finder, const struct need_key *key,
                         struct sched_queue *q, uint64_t stamp)
{
    struct sched_host *h = q->host;
    finder->cell->work.looks += 2 + key->parallel->master_q.n;
    struct time_span span = task_span(&l->kind, q);
    uint64_t room = has_room_once(&q->supply, key->on_host, span)
                        ? supply_room(&q->supply, key->demand, span)
                        : 0;
    if (h->site_stamp != stamp)
        h->site = site_add(l, q->levels[LEVEL_HOST], key, span);
    h->site_stamp = stamp;
    uint64_t allowed = conditions_room(finder, key->conditions, q);
    if (room > allowed)
        room = allowed;
    if (room > SLOTS_OF_TASK_MOST)
        room = SLOTS_OF_TASK_MOST;
    if (room > l->sites[h->site].left)
        room = l->sites[h->site].left;
    room = task_reserve(finder->cell, &l->kind, q, key->demand, room);
    struct spot spot = { q, room, true, NO_SPOT };
    spot.may_lead = has_room_once(&q->supply, key->of_job, span) &&
                    has_room_once(q->levels[LEVEL_HOST], key->of_job, span) &&
                    queue_match_any(&key->parallel->master_q, q->name, &q->known.QU_hostgroups);
    if (room > 0)
        spot_add(l, h->site, &spot);
}

/* when the task is there at least, wherever it goes */
static struct time_span least_span(const struct place_finder *finder)
{
    return time_span_of(&finder->time, finder->time.run_s != 0 ? finder->time.run_s : 1);
}

/* for how many hosts the cell has what is taken once on each; the best of them are looked at */
static uint64_t hosts_most(struct place_finder *finder, const struct need_key *key)
{
    const struct demand *d = key->on_host;
    return d != NULL && key->ar == 0 ? supply_room(&finder->cell->supply, d, least_span(finder))
                                     : UINT64_MAX;
}

/* Q, unless the cell has nothing for one host more */
static void gather_one(struct layout *l, struct place_finder *finder, const struct need_key *key,
                       struct sched_queue *q, uint64_t hosts, uint64_t stamp)
{
    if (l->n_sites < hosts || q->host->site_stamp == stamp)
        gather_queue(l, finder, key, q, stamp);
}

/* how many soft requests Q misses: nothing that they depend on changes while a task is placed, so
 * that it is looked up once for all environments */
static uint32_t missed_by(struct place_finder *finder, const struct need_key *key,
                          struct sched_queue *q)
{
    if (q->missed_stamp != finder->missed_stamp)
        q->missed = soft_missed(finder, key->soft, q);
    q->missed_stamp = finder->missed_stamp;
    return q->missed;
}

static void add_offer(struct layout *l, struct place_finder *finder, const struct need_key *key,
                      const struct pe *pe, struct sched_queue *q)
{
    finder->cell->work.spots++;
    finder->cell->work.looks++;
    if (!pe_list_has(q->known.QU_pe_list, pe->name))
        return;
    l->offers = uti_vec_grow(l->offers, &l->offers_cap, l->n_offers + 1, sizeof *l->offers);
    l->offers[l->n_offers++] =
        (struct offer){ .queue = q,
                        .cell = finder->cell,
                        .missed = key->soft != NULL ? missed_by(finder, key, q) : 0 };
}

/* the instances of NEED's set that offer PE, in the order in which they are chosen */
static void find_offers(struct layout *l, struct place_finder *finder, const struct need_key *key,
                        const struct pe *pe)
{
    l->n_offers = 0;
    for (struct queue_place *p = queue_set_first(key->set); p != NULL;
         p = queue_set_next(key->set, p))
        add_offer(l, finder, key, pe, p->queue);
}

static int later_order(const void *a, const void *b)
{
    const struct offer *x = a, *y = b;
    return queues_order(x->cell, x->queue, x->free_slots, y->queue, y->free_slots);
}

/* the same at a later time, when other instances may have free slots */
static void find_offers_later(struct layout *l, struct place_finder *finder,
                              const struct need_key *key, const struct pe *pe)
{
    l->n_offers = 0;
    for (struct queue_place *p = queue_set_any_first(key->set); p != NULL;
         p = queue_set_any_next(key->set, p)) {
        uint64_t left = supply_left(&p->queue->supply, RESOURCE_SLOTS, least_span(finder));
        uint32_t n = l->n_offers;
        if (left > 0 && queue_may_take_tasks(p->queue))
            add_offer(l, finder, key, pe, p->queue);
        if (l->n_offers > n)
            l->offers[n].free_slots = left;
    }
    if (l->n_offers > 0)
        qsort(l->offers, l->n_offers, sizeof *l->offers, later_order);
}

/* those that miss fewer soft requests go first; else the order stays. O(offers + soft requests) */
static void sort_offers(struct layout *l, uint32_t most)
{
    struct offer *sorted = uti_alloc((l->n_offers + 1) * sizeof *sorted);
    uint32_t *at = uti_calloc((size_t)most + 2, sizeof *at);
    for (uint32_t i = 0; i < l->n_offers; i++)
        at[l->offers[i].missed + 1]++;
    for (uint32_t missed = 1; missed <= most; missed++)
        at[missed] += at[missed - 1];
    for (uint32_t i = 0; i < l->n_offers; i++)
        sorted[at[l->offers[i].missed]++] = l->offers[i];
    memcpy(l->offers, sorted, l->n_offers * sizeof *sorted);
    free(at);
    free(sorted);
}

static struct layout *gather_spots(struct place_finder *finder, const struct need_key *key,
                                   const struct task_kind *kind)
{
    if (finder->layout == NULL)
        finder->layout = uti_calloc(1, sizeof *finder->layout);
    struct layout *l = finder->layout;
    uint64_t stamp = ++finder->cell->stamps, hosts = hosts_most(finder, key);
    l->n_spots = l->n_sites = 0;
    l->kind = *kind;
    (finder->is_later ? find_offers_later : find_offers)(l, finder, key, kind->pe);
    if (key->soft != NULL)
        sort_offers(l, soft_most(key->soft));
    for (uint32_t i = 0; i < l->n_offers; i++)
        gather_one(l, finder, key, l->offers[i].queue, hosts, stamp);
    task_release(finder->cell);
    return l;
}

/* ---- placing ---- */
/* lay out a task of NEED in PE; how many slots it gets, 0 if it does not fit */
static uint32_t lay_out(struct place_finder *finder, const struct need_key *key, struct pe *pe)
{
    const struct parallel *wanted = key->parallel;
    struct task_kind kind = finder_kind(finder, key);
    kind.pe = pe;
    uint64_t most = task_room_anywhere(finder->cell, &kind, key->demand, wanted->greatest);
    bool has_room_for_job =
        key->ar != 0 || has_room_once(&finder->cell->supply, key->of_job, least_span(finder));
    if (most < wanted->least || !has_room_for_job)
        return 0;
    struct layout *l = gather_spots(finder, key, &kind);
    return spread_slots(pe->rule, l->spread, l->n_sites, most, &wanted->wanted);
}

static void grant_add(struct grant *out, struct sched_queue *q, uint32_t slots)
{
    out->v = uti_vec_grow(out->v, &out->cap, out->n + 1, sizeof *out->v);
    out->v[out->n++] = (struct grant_place){ q, slots };
}

/* N slots to the spots of SITE, those that may lead (or may not) */
static uint32_t grant_spots(struct layout *l, const struct site *site, bool may_lead, uint32_t n,
                            struct grant *out)
{
    for (uint32_t i = site->first; i != NO_SPOT && n > 0; i = l->spots[i].next) {
        const struct spot *spot = &l->spots[i];
        uint32_t here = spot->room < n ? (uint32_t)spot->room : n;
        if (spot->may_lead != may_lead)
            continue;
        grant_add(out, spot->queue, here);
        n -= here;
    }
    return n;
}

static void grant_layout(struct layout *l, struct pe *pe, struct grant *out)
{
    out->pe = pe;
    out->n = 0;
    for (uint32_t i = 0; i < l->n_sites; i++) {
        const struct site *site = &l->sites[l->spread[i].at];
        uint32_t left = l->spread[i].n_slots;
        if (left > 0)
            left = grant_spots(l, site, true, left, out);
        if (left > 0)
            (void)grant_spots(l, site, false, left, out);
    }
}

/* is PE with N slots better than BEST with N_BEST? */
static bool pe_is_better(const struct pe *pe, uint32_t n, const struct pe *best, uint32_t n_best)
{
    return n > n_best || (n == n_best && n > 0 && strcmp(pe->name, best->name) < 0);
}

/* A and B, of which B may be NULL, together; A is taken */
static struct demand *sum_of(struct place_finder *finder, struct demand *a, struct demand *b)
{
    struct demand *sum = demand_sum(&finder->cell->demands, a, b);
    demand_drop(&finder->cell->demands, a);
    return sum;
}

struct demand *grant_demand(struct place_finder *finder, const struct need_key *key,
                            const struct grant *grant, uint32_t i)
{
    const struct grant_place *place = &grant->v[i];
    struct demand *d = demand_times(&finder->cell->demands, key->demand, place->slots);
    if (i == 0)
        d = sum_of(finder, d, key->of_job);
    if (i == 0 || grant->v[i - 1].queue->host != place->queue->host)
        d = sum_of(finder, d, key->on_host);
    return d;
}

/* is there room for OUT, a whole task, in all its places together? */
static bool fits_whole(struct place_finder *finder, const struct need_key *key,
                       const struct grant *out)
{
    struct task_kind kind = finder_kind(finder, key);
    kind.pe = out->pe;
    if (kind.who == NULL)
        return true;
    struct placed_demand *places = uti_alloc(out->n * sizeof *places);
    for (uint32_t i = 0; i < out->n; i++)
        places[i] = (struct placed_demand){ out->v[i].queue, grant_demand(finder, key, out, i) };
    bool fits = task_fits(finder->cell, &kind, places, out->n);
    for (uint32_t i = 0; i < out->n; i++)
        demand_drop(&finder->cell->demands, places[i].demand);
    free(places);
    return fits;
}

bool parallel_place(struct place_finder *finder, const struct need_key *key, struct grant *out)
{
    const struct parallel *wanted = key->parallel;
    struct pe *best = NULL, *last = NULL;
    uint32_t most = 0;
    bool is_wild = pattern_is_wild(wanted->wc_pe);
    finder->missed_stamp = ++finder->cell->stamps;
    for (struct pe *pe = is_wild ? finder->cell->pes : pe_find(finder->cell, wanted->wc_pe);
         pe != NULL; pe = is_wild ? pe->hh.next : NULL) {
        if (!parallel_means(wanted, pe))
            continue;
        uint32_t n = lay_out(finder, key, pe);
        last = pe;
        if (!pe_is_better(pe, n, best, most))
            continue;
        best = pe;
        most = n;
    }
    if (best == NULL)
        return false;
    if (best != last)
        (void)lay_out(finder, key, best);
    grant_layout(finder->layout, best, out);
    return fits_whole(finder, key, out);
}

/* ---- what could have changed ---- */
static uint64_t host_free_slots(const struct sched_host *h)
{
    const struct sched_queue *q;
    uint64_t n = 0;
    LIST_FOREACH(q, &h->queues, of_host)
        n += queue_takes_tasks(q) ? q->free_slots : 0;
    return n;
}

bool parallel_may_fit(const struct place_finder *finder, const struct need_key *key,
                      const struct sched_queue *q)
{
    const struct parallel *wanted = key->parallel;
    if (q == NULL && key->ar != 0)
        return true;
    if (q == NULL)
        return supply_room(&finder->cell->supply, key->demand, TIME_NOW) >= wanted->least &&
               has_room_once(&finder->cell->supply, key->of_job, TIME_NOW) &&
               has_room_once(&finder->cell->supply, key->on_host, TIME_NOW);
    if (queue_set_free_slots(key->set) < wanted->least || queue_room(q, key->demand) == 0)
        return false;
    const struct pe *pe = pe_find(finder->cell, wanted->wc_pe);
    if (pe == NULL || (pe->rule.kind != SPREAD_ON_ONE && pe->rule.kind != SPREAD_EACH))
        return true;
    return host_free_slots(q->host) >=
           (pe->rule.kind == SPREAD_EACH ? pe->rule.each : wanted->least);
}
