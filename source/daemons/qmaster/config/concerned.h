#ifndef QMASTER_CONFIG_CONCERNED_H
#define QMASTER_CONFIG_CONCERNED_H

#include "libs/sgeobj/rows.h"

/* Whom a change concerns: hosts and host groups, so that no others are checked. Pure. */

/* concerned_by_list - add to OUT the names that only one of the two lists has
 * O(n log n) */
void concerned_by_list(const struct ST_Type_list *before, const struct ST_Type_list *after,
                       struct ST_Type_list *out);
/* concerned_by_queue - add to OUT the hosts and groups for which queue AFTER says something else
 * than BEFORE, or which came to its hostlist or left it
 * Returns true if it says something else by default: then all its instances are concerned. Names
 * may come several times. O(n log n) in the settings */
bool concerned_by_queue(const struct CQ_Type *before, const struct CQ_Type *after,
                        struct ST_Type_list *out);

#endif
