#ifndef SGEOBJ_PE_MATCH_H
#define SGEOBJ_PE_MATCH_H

#include "libs/sgeobj/rows.h"

/* Which parallel environments a job (-pe) and a queue instance (pe_list) name. Pure. */

/* pe_list_has - does PE_LIST, names with blanks or commas between them, name PE? NULL and "NONE"
 * name none. O(PE_LIST)
 * pe_list_meets - does it name one that matches WC_PE, a pattern of sge_types(1)? */
bool pe_list_has(const char *pe_list, const char *pe);
bool pe_list_meets(const char *pe_list, const char *wc_pe);

/* pe_slots_least - the fewest slots that JOB asks for with -pe, at least 1 */
uint32_t pe_slots_least(const struct JB_Type *job);

#endif
