/* What tasks ask for of numbers that they do not use up: `-l load_avg=2`, or the load value of what
 * runs out. Owns struct conditions.
 *
 * Such a value may change with each report of a host. So it decides in no set of queue instances:
 * it is looked at when a task is placed. Equal conditions are one, so that who has the same pointer
 * has the same need. */
#include "libs/sched/place/condition.h"

#include <math.h>
#include <stdlib.h>

#include "libs/config/complex.h"
#include "libs/config/offers.h"
#include "libs/resource/availability.h"
#include "libs/resource/consumption.h"
#include "libs/sched/supply/offer.h"

/* ---- what is asked for ---- */
struct draft {
    struct condition *v;
    uint32_t n, cap;
};

static void draft_add(struct draft *d, const struct condition *c)
{
    d->v = uti_vec_grow(d->v, &d->cap, d->n + 1, sizeof *d->v);
    d->v[d->n++] = *c;
}

/* requests for numbers that do not run out */
static void draft_requests(struct place_finder *finder, const struct JB_Type *request,
                           struct draft *d)
{
    const struct CE_Type_list *wanted = &request->JB_hard_resource_list;
    double number;
    for (uint32_t i = 0; i < wanted->n; i++) {
        const char *name = wanted->v[i].CE_name, *value = wanted->v[i].CE_stringval;
        const struct CE_Type *ce =
            name != NULL ? consumables_find(&finder->cell->complex, name) : NULL;
        if (ce == NULL || value == NULL || ce->CE_consumable != COMPLEX_CONSUMABLE_NO ||
            resource_decides_places(ce) || complex_value_parse(ce, value, &number, NULL) != 0)
            continue;
        draft_add(d, &(struct condition){ .of = resource_name_get(&finder->cell->names, name),
                                          .relop = ce->CE_relop,
                                          .wanted = number });
    }
}

static double amount_number(const struct CE_Type *ce, uint64_t amount)
{
    enum { DOUBLE_UNITS = 1000000 };
    return ce->CE_valtype == COMPLEX_DOUBLE ? (double)amount / DOUBLE_UNITS : (double)amount;
}

/* what is taken of resources whose hosts report how much there is */
static void draft_consumptions(struct place_finder *finder, const struct JB_Type *request,
                               struct draft *d)
{
    struct consumption *consumptions =
        uti_alloc((finder->cell->consumables.n + 1) * sizeof *consumptions);
    uint32_t n = consumptions_of(&finder->cell->consumables, request, consumptions);
    for (uint32_t i = 0; i < n; i++) {
        const struct CE_Type *ce = consumptions[i].resource;
        struct resource_name *of = resource_name_get(&finder->cell->names, ce->CE_name);
        if (of->n_reporters == 0 || ce->CE_valtype == COMPLEX_RSMAP ||
            ce->CE_valtype == COMPLEX_BOOL)
            continue;
        draft_add(d, &(struct condition){ .of = of,
                                          .runs_out = 1,
                                          .wanted = amount_number(ce, consumptions[i].amount) });
    }
    free(consumptions);
}

static int condition_order(const void *a, const void *b)
{
    const struct condition *x = a, *y = b;
    if (x->of != y->of)
        return x->of->number < y->of->number ? -1 : 1;
    return x->wanted < y->wanted ? -1 : x->wanted > y->wanted;
}

static struct conditions *conditions_of(struct place_finder *finder, const struct draft *d)
{
    struct conditions *c;
    size_t bytes = d->n * sizeof *d->v;
    HASH_FIND(hh, finder->conditions, d->v, bytes, c);
    if (c != NULL)
        return c;
    c = uti_calloc(1, sizeof *c + bytes);
    c->n = d->n;
    memcpy(c->v, d->v, bytes);
    HASH_ADD_KEYPTR(hh, finder->conditions, c->v, bytes, c);
    return c;
}

struct conditions *conditions_get(struct place_finder *finder, const struct JB_Type *request)
{
    struct draft d = { 0 };
    struct conditions *c = NULL;
    if (request->JB_hard_resource_list.n > 0)
        draft_requests(finder, request, &d);
    if (finder->cell->n_reported > 0)
        draft_consumptions(finder, request, &d);
    if (d.n > 0) {
        qsort(d.v, d.n, sizeof *d.v, condition_order);
        c = conditions_of(finder, &d);
        c->users++;
    }
    free(d.v);
    return c;
}

void conditions_drop(struct place_finder *finder, struct conditions *c)
{
    if (c == NULL || --c->users > 0)
        return;
    HASH_DEL(finder->conditions, c);
    free(c);
}

/* ---- what there is ---- */
static uint64_t room_by(const struct condition *c, double have)
{
    if (c->runs_out == 0)
        return !isnan(have) && numbers_meet(c->relop, c->wanted, have) ? UINT64_MAX : 0;
    if (isnan(have))
        return UINT64_MAX;
    double times = have / c->wanted;
    return times < UINT32_MAX ? (uint64_t)(times > 0 ? times : 0) : UINT64_MAX;
}

uint64_t conditions_room(struct place_finder *finder, const struct conditions *c,
                         struct sched_queue *q)
{
    uint64_t room = UINT64_MAX;
    for (uint32_t i = 0; c != NULL && i < c->n && room > 0; i++) {
        finder->cell->work.looks++;
        uint64_t here = room_by(&c->v[i], queue_value(finder->cell, q, c->v[i].of));
        room = here < room ? here : room;
    }
    return room;
}
