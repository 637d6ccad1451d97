#ifndef QMASTER_TABLES_CELL_VALUES_H
#define QMASTER_TABLES_CELL_VALUES_H

#include "common/basis.h"
#include "libs/uti/tree.h"

/* Who says what of the cell: load values of the host "global" (config/cell_load.h). Each host has
 * what it says; what those say who may speak is found by name, too, and of several sayings the last
 * one counts. */
struct cell_value; /* a name, and who says something of it */
struct cell_values {
    struct cell_value *by_name;
};

struct saying {
    char *name, *value;
    struct cell_value *of; /* NULL: it does not count */
    TAILQ_ENTRY(saying) in_value;
    LIST_ENTRY(saying) in_host;
};
/* what a host says; all zero: nothing */
struct sayings {
    LIST_HEAD(, saying) all;
    uint32_t n;
    size_t bytes;
};

/* saying_find - what SAYINGS has of NAME; NULL: nothing. O(sayings)
 * saying_put - VALUE of NAME from now on; it does not count yet. O(1) beside saying_find
 * saying_drop - S is not reported any more
 * sayings_clear - nothing is reported any more */
struct saying *saying_find(const struct sayings *sayings, const char *name);
struct saying *saying_put(struct cell_values *values, struct sayings *sayings, const char *name,
                          const char *value);
void saying_drop(struct cell_values *values, struct sayings *sayings, struct saying *s);
void sayings_clear(struct cell_values *values, struct sayings *sayings);
/* saying_bytes - what a saying of this counts of its host's share */
size_t saying_bytes(const char *name, const char *value);
/* saying_count - S counts from now on, as the last word on its name, or no longer. O(1) */
void saying_count(struct cell_values *values, struct saying *s, bool is_on);
/* cell_value_now - the value of NAME that counts; NULL: none does. Borrowed. O(1) */
const char *cell_value_now(const struct cell_values *values, const char *name);

#endif
