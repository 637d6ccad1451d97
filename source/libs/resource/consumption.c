/* What runs out: amounts of it as whole numbers, and what a request takes. Owns no data. Whole
 * numbers up to AMOUNT_MOST are exact as doubles, which is what values are read as (complex.h). */
#include "libs/resource/consumption.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "libs/config/complex.h"
#include "libs/config/offers.h"
#include "libs/config/quantity.h"
#include "libs/uti/alloc.h"
#include "libs/uti/dstr.h"

/* ---- amounts ---- */

uint64_t amount_asked(uint32_t type, const char *text)
{
    const struct CE_Type resource = { .CE_name = "", .CE_valtype = type };
    double number;
    if (complex_value_parse(&resource, text, &number, NULL) != 0)
        return 0;
    if (type == COMPLEX_BOOL)
        return number > 0 ? AMOUNT_EXCLUSIVE : 0;
    if (type == COMPLEX_DOUBLE)
        number *= AMOUNT_PARTS_OF_DOUBLE;
    /* false for NaN as well */
    if (!(number > 0))
        return 0;
    if (number >= (double)AMOUNT_MOST)
        return AMOUNT_MOST;
    uint64_t whole = (uint64_t)number;
    whole += number - (double)whole >= 0.5;
    return whole > 0 ? whole : 1;
}

uint64_t amount_offered(uint32_t type, const char *text)
{
    if (type == COMPLEX_BOOL)
        return amount_asked(type, text) > 0 ? AMOUNT_EXCLUSIVE : AMOUNT_EXCLUSIVE - 1;
    char *number = type == COMPLEX_RSMAP ? uti_strndup(text, strcspn(text, "(")) : NULL;
    uint64_t amount = amount_asked(type, number != NULL ? number : text);
    free(number);
    return amount >= AMOUNT_MOST ? AMOUNT_UNLIMITED : amount;
}

void amount_add_text(uint32_t type, int64_t amount, struct dstr *out)
{
    uint64_t units = amount < 0 ? -(uint64_t)amount : (uint64_t)amount;
    if (type == COMPLEX_BOOL)
        units = amount >= (int64_t)AMOUNT_EXCLUSIVE;
    else if (amount < 0)
        dstr_addc(out, '-');
    if (type == COMPLEX_MEMORY)
        quantity_add_memory((double)units, 3, out);
    else if (type == COMPLEX_DOUBLE)
        dstr_add_decimal(out, (double)units / AMOUNT_PARTS_OF_DOUBLE, 6);
    else
        dstr_addf(out, "%" PRIu64, units);
}

uint64_t amount_times(uint64_t amount, uint64_t times)
{
    return times > 0 && amount > AMOUNT_MOST / times ? AMOUNT_MOST : amount * times;
}

uint64_t amount_sum(uint64_t a, uint64_t b)
{
    return a < AMOUNT_MOST && b < AMOUNT_MOST - a ? a + b : AMOUNT_MOST;
}

/* ---- requests ---- */
bool consumable_counts(const struct CE_Type *ce)
{
    return ce->CE_consumable != COMPLEX_CONSUMABLE_NO && strcmp(ce->CE_name, "slots") != 0;
}

const struct CE_Type *consumables_find(const struct CE_Type_list *consumables, const char *name)
{
    uint32_t low = 0, high = consumables->n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = strcmp(consumables->v[middle].CE_name, name);
        if (order == 0)
            return &consumables->v[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

/* every task takes a little of what another may want to have alone */
static uint64_t default_of(const struct CE_Type *ce)
{
    if (ce->CE_relop == COMPLEX_EXCL)
        return 1;
    return ce->CE_default != NULL ? amount_asked(ce->CE_valtype, ce->CE_default) : 0;
}

/* what is not positive is not taken; returns how many are left */
static uint32_t drop_empty(struct consumption *consumptions, uint32_t n)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++)
        if (consumptions[i].amount > 0)
            consumptions[kept++] = consumptions[i];
    return kept;
}

/* all of it once on each host, or a little of it for each slot */
static void consumption_share(struct consumption *consumption, const struct CE_Type *ce,
                              bool is_alone)
{
    *consumption = is_alone ? (struct consumption){ ce, COMPLEX_CONSUMABLE_HOST, AMOUNT_EXCLUSIVE }
                            : (struct consumption){ ce, ce->CE_consumable, default_of(ce) };
}

/* requests for the same resource add up; the default counts only where there is none */
static void add_request(const struct CE_Type_list *consumables, const struct CE_Type *wanted,
                        struct consumption *out)
{
    const struct CE_Type *ce =
        wanted->CE_name != NULL ? consumables_find(consumables, wanted->CE_name) : NULL;
    if (ce == NULL)
        return;
    struct consumption *consumption = &out[ce - consumables->v];
    uint64_t before = consumption->resource != NULL ? consumption->amount : 0;
    const char *value = wanted->CE_stringval;
    uint64_t amount = value != NULL ? amount_asked(ce->CE_valtype, value) : 0;
    if (ce->CE_relop == COMPLEX_EXCL)
        consumption_share(consumption, ce, amount > 0 || before > 1);
    else
        *consumption = (struct consumption){ ce, ce->CE_consumable, amount_sum(before, amount) };
}

uint32_t consumptions_of(const struct CE_Type_list *consumables, const struct JB_Type *request,
                         struct consumption *out)
{
    const struct CE_Type_list *wanted = &request->JB_hard_resource_list;
    for (uint32_t i = 0; i < consumables->n; i++)
        out[i] = (struct consumption){ 0 };
    for (uint32_t i = 0; i < wanted->n && consumables->n > 0; i++)
        add_request(consumables, &wanted->v[i], out);
    for (uint32_t i = 0; i < consumables->n; i++)
        if (out[i].resource == NULL)
            out[i] = (struct consumption){ &consumables->v[i], consumables->v[i].CE_consumable,
                                           default_of(&consumables->v[i]) };
    return drop_empty(out, consumables->n);
}

uint64_t consumption_times(const struct consumption *consumption, uint32_t slots,
                           bool is_first_on_host, bool is_master)
{
    switch (consumption->consumable) {
    case COMPLEX_CONSUMABLE_JOB:
        return is_master;
    case COMPLEX_CONSUMABLE_HOST:
        return is_first_on_host;
    default:
        return slots;
    }
}

static bool is_offered(const struct CE_Type_list *const *offers, unsigned n, const char *name)
{
    for (unsigned i = 0; i < n; i++)
        if (offers_value(offers[i], name) != NULL)
            return true;
    return false;
}

const char *consumables_missed(const struct CE_Type_list *consumables,
                               const struct CE_Type_list *requested,
                               const struct CE_Type_list *const *offers, unsigned n)
{
    for (uint32_t i = 0; i < requested->n && consumables->n > 0; i++) {
        const char *name = requested->v[i].CE_name;
        if (name != NULL && consumables_find(consumables, name) != NULL &&
            !is_offered(offers, n, name))
            return name;
    }
    return forced_missed(consumables, requested, offers, n);
}

const char *forced_missed(const struct CE_Type_list *complex, const struct CE_Type_list *requested,
                          const struct CE_Type_list *const *offers, unsigned n)
{
    for (uint32_t i = 0; i < complex->n; i++) {
        const struct CE_Type *ce = &complex->v[i];
        if (ce->CE_requestable == COMPLEX_REQUEST_FORCED && is_offered(offers, n, ce->CE_name) &&
            cull_find(&cull_CE_Type, requested, ce->CE_name) == NULL)
            return ce->CE_name;
    }
    return NULL;
}
