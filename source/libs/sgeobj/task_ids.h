#ifndef SGEOBJ_TASK_IDS_H
#define SGEOBJ_TASK_IDS_H

#include "libs/sgeobj/rows.h"

/* Ranges of task ids as users write them, against an array that has a range and a step of its own.
 * Pure. */

/* task_ids_add - which tasks of an array a range of ids means
 *
 *   job  borrowed; its shape alone matters
 *   ids  borrowed; min, min + step ... up to max; TR_step 0 is 1; any numbers will do, also
 *        max < min, which means none
 *   out  gets the ordinals of those ids that JOB has, beside what it holds already
 *
 * Arithmetic: costs what the ordinals take in memory (range_set_add_stride), however many ids there
 * are.
 * Source: sge_types(1) job_task_list */
void task_ids_add(const struct JB_Type *job, const struct TR_Type *ids, struct range_set *out);

#endif
