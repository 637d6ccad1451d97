/* What queue instances have of resources: their offers, and the numbers that are looked up. Owns
 * struct value.
 *
 * A load value is a text that may change with each report, and is asked for at each look for a
 * place: so it is read once, and again only after something has changed that it may come from.
 * Rounds count such changes: a value is good if it was looked up after the last one. */
#include "libs/sched/supply/offer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "libs/config/complex.h"
#include "libs/config/load_values.h"
#include "libs/config/offers.h"
#include "libs/resource/availability.h"
#include "libs/resource/consumption.h"

void values_change(struct sched_cell *cell, uint64_t *round)
{
    *round = ++cell->rounds;
}

struct offering queue_offering(const struct sched_cell *cell, const struct sched_queue *q)
{
    return (struct offering){ &q->known, &q->host->known, &cell->known, &cell->complex };
}

static double load_number(const struct sched_cell *cell, const struct sched_queue *q,
                          const struct CE_Type *ce)
{
    struct load_source source = { &q->host->known, &cell->known, &cell->complex };
    struct load_value load;
    return load_value_find(&source, ce, &load) ? load.number : NAN;
}

static double look_up(const struct sched_cell *cell, const struct sched_queue *q, const char *name)
{
    const struct CE_Type *ce = consumables_find(&cell->complex, name);
    struct offering what = queue_offering(cell, q);
    struct available found;
    double number;
    if (ce != NULL && ce->CE_consumable != COMPLEX_CONSUMABLE_NO)
        return load_number(cell, q, ce);
    if (ce == NULL || !available_find(&what, ce, &found) ||
        complex_value_parse(ce, available_text(&found), &number, NULL) != 0)
        return NAN;
    return number;
}

static uint64_t last_change(const struct sched_cell *cell, const struct sched_queue *q)
{
    uint64_t last = q->round > q->host->round ? q->round : q->host->round;
    return last > cell->round ? last : cell->round;
}

static struct value *value_at(struct sched_queue *q, uint32_t number)
{
    enum { MORE = 4 };
    if (number >= q->n_values) {
        uint32_t n = number + MORE;
        q->values = uti_realloc(q->values, n * sizeof *q->values);
        memset(q->values + q->n_values, 0, (n - q->n_values) * sizeof *q->values);
        q->n_values = n;
    }
    return &q->values[number];
}

double queue_value(struct sched_cell *cell, struct sched_queue *q,
                   const struct resource_name *resource)
{
    struct value *v = value_at(q, resource->number);
    if (v->round == 0 || v->round < last_change(cell, q))
        *v = (struct value){ cell->rounds, look_up(cell, q, resource->name) };
    return v->number;
}

/* ---- what is offered ---- */
bool resource_decides_places(const struct CE_Type *ce)
{
    return ce->CE_consumable == COMPLEX_CONSUMABLE_NO &&
           (complex_is_text(ce->CE_valtype) || ce->CE_valtype == COMPLEX_BOOL ||
            queue_resource_is(ce->CE_name));
}

void supply_read_offers(struct sched_cell *cell, struct supply *supply,
                        const struct CE_Type_list *offers)
{
    supply_read(supply, offers, &cell->consumables, &cell->names);
}

/* an advance reservation has nothing of what was not reserved */
static void limit_part(struct sched_cell *cell, struct sched_queue *q)
{
    for (uint32_t i = 0; i < cell->consumables.n; i++) {
        uint32_t resource = resource_name_get(&cell->names, cell->consumables.v[i].CE_name)->number;
        if (supply_left(&q->supply, resource, TIME_NOW) == RESOURCE_UNLIMITED)
            supply_offer(&q->supply, resource, 0);
    }
}

void queue_limits_renew(struct sched_cell *cell, struct sched_queue *q)
{
    if (q->ar != 0) {
        limit_part(cell, q);
        return;
    }
    supply_read_offers(cell, &q->supply, &q->known.QU_consumable_config_list);
}

static bool misses_value(const struct sched_cell *cell, const struct sched_queue *q,
                         const struct CE_Type_list *requested)
{
    struct offering what = queue_offering(cell, q);
    struct available found;
    for (uint32_t i = 0; i < requested->n; i++) {
        const struct CE_Type *wanted = &requested->v[i];
        const struct CE_Type *row =
            wanted->CE_stringval != NULL ? consumables_find(&cell->complex, wanted->CE_name) : NULL;
        if (row != NULL && !available_meets(&what, row, wanted->CE_stringval, &found))
            return true;
    }
    return false;
}

bool queue_lacks(const struct sched_cell *cell, const struct sched_queue *q,
                 const struct CE_Type_list *requested)
{
    const struct CE_Type_list *const offers[] = { &q->known.QU_consumable_config_list,
                                                  &q->host->known.EH_consumable_config_list,
                                                  &cell->known.EH_consumable_config_list };
    return consumables_missed(&cell->consumables, requested, offers, ARRAY_LEN(offers)) != NULL ||
           (cell->n_forced > 0 &&
            forced_missed(&cell->complex, requested, offers, ARRAY_LEN(offers)) != NULL) ||
           misses_value(cell, q, requested);
}
