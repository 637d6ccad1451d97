/* Orders for parallel jobs: number of slots, allocation rule, queue instances that offer the
 * environment, the master's place. Owns no data. */
#include "daemons/qmaster/heard/pe_orders.h"

#include <stdlib.h>

#include "daemons/qmaster/heard/msg_heard.h"
#include "libs/sched/spread.h"
#include "libs/sgeobj/allocation.h"
#include "libs/sgeobj/pe_match.h"
#include "libs/sgeobj/queue_match.h"
#include "libs/uti/alloc.h"
#include "libs/uti/pattern.h"

static int compare_hosts(const void *a, const void *b)
{
    uintptr_t x = (uintptr_t)((const struct place *)a)->qi->host;
    uintptr_t y = (uintptr_t)((const struct place *)b)->qi->host;
    return x < y ? -1 : x > y;
}

/* has each host as many slots as the rule says? With $pe_slots: all of them */
static bool hosts_have(const struct places *places, uint64_t each)
{
    struct place *by_host = uti_alloc(places->n * sizeof *by_host);
    uint64_t here = 0;
    bool is_right = true;
    memcpy(by_host, places->v, places->n * sizeof *by_host);
    qsort(by_host, places->n, sizeof *by_host, compare_hosts);
    for (uint32_t i = 0; i < places->n && is_right; i++) {
        bool is_last = i + 1 == places->n || by_host[i + 1].qi->host != by_host[i].qi->host;
        here += by_host[i].slots;
        is_right = !is_last || here == each;
        here = is_last ? 0 : here;
    }
    free(by_host);
    return is_right;
}

static bool keeps_rule(const struct places *places, const struct PE_Type *pe, uint32_t slots)
{
    struct spread_rule rule = spread_rule_read(pe->PE_allocation_rule);
    if (rule.kind == SPREAD_ON_ONE)
        return hosts_have(places, slots);
    return rule.kind != SPREAD_EACH || hosts_have(places, rule.each);
}

static bool all_offer(const struct places *places)
{
    for (uint32_t i = 0; i < places->n; i++)
        if (!pe_list_has(places->v[i].qi->rec.QU_pe_list, places->pe->rec.TX_name))
            return false;
    return true;
}

const char *pe_order_refusal(const struct JG_Type_list *granted, const struct places *places,
                             const struct JB_Type *request)
{
    const char *name = allocation_pe(granted);
    const struct QU_Type *master = &places->v[0].qi->rec;
    uint32_t slots = allocation_slots(granted);
    if (request->JB_pe == NULL)
        return slots != 1 || name != NULL ? MSG_ORDER_ONE_SLOT : NULL;
    if (name == NULL)
        return MSG_ORDER_NO_PE;
    if (places->pe == NULL)
        return MSG_ORDER_PE_GONE;
    if (!pattern_match(request->JB_pe, name))
        return MSG_ORDER_PE_NOT_ASKED;
    if (!range_set_has(&request->JB_pe_range, slots))
        return MSG_ORDER_PE_SLOTS;
    if (!all_offer(places))
        return MSG_ORDER_PE_NOT_OFFERED;
    if (!keeps_rule(places, places->pe->record, slots))
        return MSG_ORDER_PE_RULE;
    return queue_match_any(&request->JB_master_hard_queue_list, master->QU_full_name,
                           &master->QU_hostgroups)
               ? NULL
               : MSG_ORDER_MASTER;
}

bool pe_order_has_room(const struct places *places)
{
    const struct PE_Type *pe = places->pe->record;
    uint64_t slots = 0;
    for (uint32_t i = 0; i < places->n; i++)
        slots += places->v[i].slots;
    return places->pe->slots_used + slots <= pe->PE_slots;
}
