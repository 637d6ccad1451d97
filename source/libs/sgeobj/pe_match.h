#ifndef SGEOBJ_PE_MATCH_H
#define SGEOBJ_PE_MATCH_H

#include "libs/sgeobj/rows.h"

/* Which parallel environments a job (-pe) and a queue instance (pe_list) name, and how many slots
 * the job asks for. Pure. */
struct dstr;

enum {
    SLOTS_OF_TASK_MOST = 9999999, /* the most slots of one task: what an open end of -pe means */
    SLOT_RANGES_MOST = 1000       /* the most ranges of numbers that a job asks for */
};

/* pe_list_has - does PE_LIST, names with blanks or commas between them, name PE? NULL and "NONE"
 * name none. O(PE_LIST)
 * pe_list_meets - does it name one that matches WC_PE, a pattern of sge_types(1)? */
bool pe_list_has(const char *pe_list, const char *pe);
bool pe_list_meets(const char *pe_list, const char *wc_pe);

/* pe_slots_least - the fewest slots that JOB asks for with -pe, at least 1 */
uint32_t pe_slots_least(const struct JB_Type *job);
/* pe_slots_ranges - how many ranges the numbers that JOB asks for are. O(ranges) */
uint32_t pe_slots_ranges(const struct JB_Type *job);
/* pe_slots_text - append the numbers as -pe takes them: "2-4,8", "2-10:2". O(ranges) */
void pe_slots_text(const struct JB_Type *job, struct dstr *out);

#endif
