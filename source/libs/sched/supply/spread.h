#ifndef SCHED_SUPPLY_SPREAD_H
#define SCHED_SUPPLY_SPREAD_H

#include "libs/sgeobj/rows.h"

/* How the slots of one parallel task spread over hosts: the allocation_rule of sge_pe(5). For the
 * scheduler and for explaining why a job does not fit. Pure. */
enum spread_kind {
    SPREAD_ON_ONE,      /* $pe_slots: all on one host */
    SPREAD_FILL_UP,     /* one host after the other */
    SPREAD_ROUND_ROBIN, /* a slot on each in turn */
    SPREAD_EACH         /* so many on each host, neither more nor fewer */
};
struct spread_rule {
    enum spread_kind kind;
    uint32_t each; /* with SPREAD_EACH; > 0 */
};
/* a host that could take slots of the task */
struct spread_site {
    uint64_t room;    /* how many */
    bool may_lead;    /* its master could be there */
    uint32_t at;      /* the caller's */
    uint32_t n_slots; /* out: how many it gets */
};

/* spread_rule_read - the rule of sge_pe(5) in TEXT; $pe_slots if it is invalid */
struct spread_rule spread_rule_read(const char *text);
/* spread_fits - may a task have N slots by RULE at all? */
bool spread_fits(struct spread_rule rule, uint32_t n);
/* spread_slots - lay out as many slots as possible
 *
 *   sites   N of them, the best first; their order changes: the master's becomes the first
 *   most    no more slots than that
 *   wanted  the numbers that will do
 *
 * Returns how many slots the task gets, with the n_slots of each site; 0 if none of WANTED fits.
 * O(n log n + ranges of WANTED) */
uint32_t spread_slots(struct spread_rule rule, struct spread_site *sites, uint32_t n, uint64_t most,
                      const struct range_set *wanted);
/* spread_room - the most slots that RULE lets a task have on SITES, of which none is more than
 * MOST: for saying why no wanted number fits. O(n) */
uint64_t spread_room(struct spread_rule rule, const struct spread_site *sites, uint32_t n,
                     uint64_t most);

#endif
