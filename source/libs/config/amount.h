#ifndef CONFIG_AMOUNT_H
#define CONFIG_AMOUNT_H

#include "common/basis.h"

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
struct dstr;
void amount_add_text(uint32_t type, int64_t amount, struct dstr *out);

/* amount_times - an amount taken so often; AMOUNT_MOST if it were more */
uint64_t amount_times(uint64_t amount, uint64_t times);

/* amount_sum - of two amounts; AMOUNT_MOST if it were more */
uint64_t amount_sum(uint64_t a, uint64_t b);

#endif
