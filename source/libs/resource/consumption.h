#ifndef RESOURCE_CONSUMPTION_H
#define RESOURCE_CONSUMPTION_H

#include "libs/sgeobj/rows.h"

struct dstr;

/* Amounts of resources that run out, as whole numbers: what is taken and given back adds up
 * exactly, in any order. Pure.
 *
 * A DOUBLE counts in millionths, rounded to the nearest, so that equal texts are equal amounts. All
 * other types but BOOL count whole units: pieces, seconds, bytes. A BOOL that runs out is a place
 * that one task may have alone (EXCL): TRUE is all of it, and all tasks that do not ask for it take
 * 1 of it, so that they fit beside each other, and not beside one that has it. A place that says
 * FALSE has a little too little for that. */
#define AMOUNT_MOST      (UINT64_C(1) << 53)
#define AMOUNT_EXCLUSIVE (UINT64_C(1) << 40)

enum { AMOUNT_PARTS_OF_DOUBLE = 1000000 };
/* amount_asked - how much a request for TEXT takes of a resource of TYPE (enum complex_type)
 *
 * What is more than nothing takes at least 1, and nothing takes more than AMOUNT_MOST, INFINITY
 * included. Returns 0 for what takes nothing: a negative number, TEXT that is not a number of TYPE,
 * a TYPE that has no numbers. O(length).
 * Source: complex(5) */
uint64_t amount_asked(uint32_t type, const char *text);

/* amount_offered - how much there is where a place says TEXT: as amount_asked, but there is no
 * limit to what is AMOUNT_MOST or more: AMOUNT_UNLIMITED. The names of devices that TEXT has
 * (devices.h) do not count. */
#define AMOUNT_UNLIMITED UINT64_MAX
uint64_t amount_offered(uint32_t type, const char *text);

/* amount_add_text - append an amount as people read it: "1.500G", "0.250000", "3"; AMOUNT may be
 * less than nothing */
void amount_add_text(uint32_t type, int64_t amount, struct dstr *out);

/* amount_times - an amount taken so often; AMOUNT_MOST if it were more */
uint64_t amount_times(uint64_t amount, uint64_t times);

/* amount_sum - of two amounts; AMOUNT_MOST if it were more */
uint64_t amount_sum(uint64_t a, uint64_t b);

/* What tasks take of resources that run out: one rule for the scheduler, which counts ahead, and
 * the qmaster, which checks. Slots are counted apart: every task takes them. Pure. */
struct consumption {
    const struct CE_Type *resource; /* borrowed */
    uint32_t consumable; /* how often it is taken: CE_consumable, but HOST of what is exclusive */
    uint64_t amount;     /* > 0; as amount_asked counts */
};

/* consumable_counts - do tasks take of CE as they run? */
bool consumable_counts(const struct CE_Type *ce);

/* consumptions_of - what REQUEST takes: what it asks for (-l), and the defaults of what it does not
 *
 *   consumables  resources that count, sorted by name
 *   out          room for as many
 *
 * Returns how many there are, sorted by name, each once. O(consumables + requests x log) */
uint32_t consumptions_of(const struct CE_Type_list *consumables, const struct JB_Type *request,
                         struct consumption *out);

/* consumption_times - how often the amount is taken in one entry of an allocation: for
 * each of its SLOTS, or once for the host or for the job, of which it is the first */
uint64_t consumption_times(const struct consumption *consumption, uint32_t slots,
                           bool is_first_on_host, bool is_master);

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
