/* Parallel environments, as the qmaster's administrators keep them. Owns struct pe.
 *
 * One that has gone stays while tasks are in it, so that their ends find it: like a queue instance
 * (queue.c). */
#include "libs/sched/supply/pe.h"

#include <stdlib.h>
#include <string.h>

#include "libs/config/access.h"
#include "libs/config/object.h"
#include "libs/sched/supply/spread.h"

struct pe *pe_find(const struct sched_cell *cell, const char *name)
{
    struct pe *pe;
    HASH_FIND_STR(cell->pes, name, pe);
    return pe;
}

struct pe *pe_get(struct sched_cell *cell, const char *name)
{
    struct pe *pe = pe_find(cell, name);
    if (pe != NULL)
        return pe;
    pe = uti_calloc(1, sizeof *pe);
    pe->name = uti_strdup(name);
    pe->supply.kind = SUPPLY_PE;
    supply_offer(&pe->supply, RESOURCE_SLOTS, 0);
    HASH_ADD_KEYPTR(hh, cell->pes, pe->name, strlen(pe->name), pe);
    return pe;
}

static void pe_free(struct sched_cell *cell, struct pe *pe)
{
    HASH_DEL(cell->pes, pe);
    free(pe->name);
    supply_free(&pe->supply);
    cull_list_clear(&cull_AC_Type, &pe->doors);
    free(pe);
}

uint64_t pe_left(const struct pe *pe)
{
    return supply_left(&pe->supply, RESOURCE_SLOTS, TIME_NOW);
}

void pe_gained(struct sched_cell *cell, const struct pe *pe, uint64_t before)
{
    cell_report(cell, &(struct cell_change){ .kind = PE_GAINED, .pe = pe, .before = before });
}

void pe_update(struct sched_cell *cell, const struct TX_Type *object)
{
    const struct object_rules *rules = object_rules_of(OBJECT_PE);
    struct PE_Type *record = object_record(rules, object);
    struct pe *pe = pe_get(cell, object->TX_name);
    pe->is_known = true;
    supply_offer(&pe->supply, RESOURCE_SLOTS, record->PE_slots);
    pe->rule = spread_rule_read(record->PE_allocation_rule);
    cull_list_clear(&cull_AC_Type, &pe->doors);
    access_add_sets(&pe->doors, &record->PE_user_list, &record->PE_xuser_list);
    cull_delete(rules->type, record);
    pe_gained(cell, pe, 0); /* its rule or its lists may have been what they lacked */
}

void pe_forget(struct sched_cell *cell, const char *name)
{
    struct pe *pe = pe_find(cell, name);
    if (pe == NULL)
        return;
    pe->is_known = false;
    supply_offer(&pe->supply, RESOURCE_SLOTS, 0);
    if (pe->n_stays == 0)
        pe_free(cell, pe);
}

void pe_enter(struct pe *pe)
{
    pe->n_stays++;
}

void pe_leave(struct sched_cell *cell, struct pe *pe)
{
    if (--pe->n_stays == 0 && !pe->is_known)
        pe_free(cell, pe);
}

void pes_free(struct sched_cell *cell)
{
    struct pe *pe, *next;
    HASH_ITER(hh, cell->pes, pe, next) {
        pe_free(cell, pe);
    }
}
