#ifndef CONFIG_CONSUMPTION_H
#define CONFIG_CONSUMPTION_H

#include "libs/sgeobj/rows.h"

/* What tasks take of resources that run out: one rule for the scheduler, which counts ahead, and
 * the qmaster, which checks. Slots are counted apart: every task takes them. Pure. */
struct taking {
    const struct CE_Type *resource; /* borrowed */
    uint32_t consumable; /* how often it is taken: CE_consumable, but HOST of what is exclusive */
    uint64_t amount;     /* > 0; as amount.h counts */
};

/* consumable_counts - do tasks take of CE as they run? */
bool consumable_counts(const struct CE_Type *ce);

/* takings_of - what REQUEST takes: what it asks for (-l), and the defaults of what it does not
 *
 *   consumables  resources that count, sorted by name
 *   out          room for as many
 *
 * Returns how many there are, sorted by name, each once. O(consumables + requests x log) */
uint32_t takings_of(const struct CE_Type_list *consumables, const struct JB_Type *request,
                    struct taking *out);

/* takings_times - how often the amount is taken in one entry of an allocation: for
 * each of its SLOTS, or once for the host or for the job, of which it is the first */
uint64_t takings_times(const struct taking *taking, uint32_t slots, bool is_first_on_host,
                       bool is_master);

/* consumables_find - the one called NAME of a sorted list; borrowed, NULL without one. O(log) */
const struct CE_Type *consumables_find(const struct CE_Type_list *consumables, const char *name);

/* consumables_missed - the first resource that REQUEST asks for and that none of the N lists of
 * offers has, or that must be asked for where it is (FORCED) and is not; NULL: there is none. So a
 * job runs only where an amount is configured.
 * O((requests + forced resources) x offers) */
const char *consumables_missed(const struct CE_Type_list *consumables,
                               const struct CE_Type_list *requested,
                               const struct CE_Type_list *const *offers, unsigned n);
/* forced_missed - the first resource of COMPLEX that must be asked for where it is offered and is
 * not; NULL: there is none */
const char *forced_missed(const struct CE_Type_list *complex, const struct CE_Type_list *requested,
                          const struct CE_Type_list *const *offers, unsigned n);

#endif
