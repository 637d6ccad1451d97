/* From names and texts to numbers. Owns struct resource_name. */
#include "libs/resource/names.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/complex.h"
#include "libs/cull/counted.h"
#include "libs/resource/consumption.h"
#include "libs/resource/named_devices.h"
#include "libs/uti/alloc.h"
#include "libs/uti/assert.h"

#define SLOTS "slots"

_Static_assert(AMOUNT_UNLIMITED == RESOURCE_UNLIMITED, "what is unlimited in texts is so here");

/* ---- names ---- */
struct resource_name *resource_name_find(const struct resource_names *names, const char *name)
{
    struct resource_name *found;
    HASH_FIND_STR(names->all, name, found);
    return found;
}

struct resource_name *resource_name_get(struct resource_names *names, const char *name)
{
    struct resource_name *r = resource_name_find(names, name);
    if (r != NULL)
        return r;
    uint32_t n = HASH_COUNT(names->all);
    r = uti_calloc(1, sizeof *r);
    r->name = cull_string_new(name, strlen(name));
    r->number = RESOURCE_SLOTS + 1 + n;
    names->by_number = uti_vec_grow(names->by_number, &names->cap, n + 1, sizeof(void *));
    names->by_number[n] = r;
    HASH_ADD_KEYPTR(hh, names->all, r->name, strlen(name), r);
    return r;
}

void resource_names_free(struct resource_names *names)
{
    struct resource_name *r, *next;
    HASH_ITER(hh, names->all, r, next) {
        HASH_DEL(names->all, r);
        cull_string_drop(r->name);
        free(r);
    }
    free(names->by_number);
    cull_string_drop(names->slots);
    *names = (struct resource_names){ 0 };
}

const char *resource_text(struct resource_names *names, uint32_t number)
{
    if (number == RESOURCE_SLOTS && names->slots == NULL)
        names->slots = cull_string_new(SLOTS, strlen(SLOTS));
    if (number == RESOURCE_SLOTS)
        return names->slots;
    ASSERT(number <= HASH_COUNT(names->all));
    return names->by_number[number - RESOURCE_SLOTS - 1]->name;
}

/* ---- records ---- */
void supply_read(struct supply *s, const struct CE_Type_list *offers,
                 const struct CE_Type_list *consumables, struct resource_names *names)
{
    bool slots_too = s->kind != SUPPLY_QUEUE;
    supply_lift(s, !slots_too);
    for (uint32_t i = 0; i < offers->n; i++) {
        const char *name = offers->v[i].CE_name, *value = offers->v[i].CE_stringval;
        const struct CE_Type *row = consumables_find(consumables, name);
        if (row != NULL)
            supply_offer(s, resource_name_get(names, name)->number,
                         amount_offered(row->CE_valtype, value));
        else if (slots_too && strcmp(name, SLOTS) == 0)
            supply_offer(s, RESOURCE_SLOTS, amount_offered(COMPLEX_INT, value));
    }
}

void supply_read_devices(struct supply *s, const struct CE_Type_list *offers,
                         const struct CE_Type_list *consumables, struct resource_names *names)
{
    devices_offer_none(s->devices);
    for (uint32_t i = 0; i < offers->n; i++) {
        const struct CE_Type *row = consumables_find(consumables, offers->v[i].CE_name);
        if (row != NULL && row->CE_valtype == COMPLEX_RSMAP)
            devices_offer(&s->devices, resource_name_get(names, row->CE_name)->number,
                          offers->v[i].CE_stringval);
    }
}

uint32_t allocation_parts(struct resource_names *names, uint32_t slots,
                          const struct TK_Type_list *taken, struct demand_part *parts)
{
    uint32_t n = 0;
    parts[n++] = (struct demand_part){ RESOURCE_SLOTS, slots };
    for (uint32_t i = 0; i < taken->n; i++)
        if (taken->v[i].TK_name != NULL && taken->v[i].TK_amount > 0)
            parts[n++] =
                (struct demand_part){ resource_name_get(names, taken->v[i].TK_name)->number,
                                      taken->v[i].TK_amount };
    return n;
}
