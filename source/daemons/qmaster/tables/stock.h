#ifndef QMASTER_TABLES_STOCK_H
#define QMASTER_TABLES_STOCK_H

#include "libs/sgeobj/rows.h"

/* What one place (a queue instance, a host, the cell) has of resources that run out, and what tasks
 * have taken of it. Against this the qmaster checks every order. Pure; the core's alone. */
struct stock {
    struct stock_entry {
        const char *name;        /* counted */
        uint64_t offered, taken; /* as libs/resource/consumption.h counts */
        bool is_offered;
        struct stock_device *devices; /* of the type RSMAP, where they have names; in their order */
    } * v;                            /* by name */
    uint32_t n, cap;
    uint64_t round; /* of the complex (settings.h) by which the offers were read; 0: not yet */
};                  /* all zero: empty */
void stock_free(struct stock *l);

/* stock_offer - the place has OFFERS from now on, as far as RESOURCES, sorted by name, run out;
 * what is taken stays
 *   slots_too  slots count as well
 * O(offers x log) */
void stock_offer(struct stock *l, const struct CE_Type_list *offers,
                 const struct CE_Type_list *resources, bool slots_too);
/* stock_has_room - can AMOUNT more be taken? True of what is not offered here. O(log) */
bool stock_has_room(const struct stock *l, const char *name, uint64_t amount);
/* stock_take - it is taken, with DEVICES if there are any, whether there is room or not;
 * stock_give - undo exactly that. O(devices) */
void stock_take(struct stock *l, const char *name, uint64_t amount,
                const struct ST_Type_list *devices);
void stock_give(struct stock *l, const char *name, uint64_t amount,
                const struct ST_Type_list *devices);
/* stock_left - how much more can be taken, in *LEFT: less than nothing where more was taken than
 * there is now; AS_IF_UNUSED: if nothing were taken. False: the place does not limit it. */
bool stock_left(const struct stock *l, const char *name, bool as_if_unused, int64_t *left);
/* stock_taken - how much of NAME is taken */
uint64_t stock_taken(const struct stock *l, const char *name);

/* stock_names_devices - does the place say which devices of NAME it has?
 * stock_choose - append AMOUNT free devices of NAME that the place has to OUT, the
 * first in its order. False if there are not as many. O(devices) */
bool stock_names_devices(const struct stock *l, const char *name);
bool stock_choose(const struct stock *l, const char *name, uint64_t amount,
                  struct ST_Type_list *out);
/* stock_entry_devices - append to OUT the devices of ENTRY that tasks have. O(devices) */
void stock_entry_devices(const struct stock_entry *entry, struct ST_Type_list *out);

#endif
