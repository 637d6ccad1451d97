#ifndef SGEOBJ_JOB_SELECT_H
#define SGEOBJ_JOB_SELECT_H

#include "libs/sgeobj/rows.h"

/* How users name jobs: lists of jobs to wait for, and what a job may be called. Pure.
 * (Operands such as `12.1-5:2` and the argument of -t are read by libs/cli/selection.h.) */
struct answer;

/* job_select_dependencies - the argument of -hold_jid or -hold_jid_ad, a wc_job_list
 *
 *   list      "12,name,pat*": ids, names and patterns joined by commas, blanks around them and
 *             empty entries do not count; "" = nothing to wait for
 *   job       changed on success: the entries are appended to JB_jid_request_list as texts, each
 *             once; also with "" the field is present afterwards
 *   is_array  true: -hold_jid_ad and JB_ja_ad_request_list
 *
 * Returns 0, or -1 with ans (STATUS_ESYNTAX: there is nothing but commas and blanks, or an entry
 * cannot mean a job, like "12[3]" or "afterok:12"; the text names what and the option, without the
 * program in front). Whether such jobs exist is the qmaster's to find
 * out.
 * Source: sge_types(1) wc_job_list; issue 2, section 4: "" clears */
int job_select_dependencies(const char *list, struct JB_Type *job, bool is_array,
                            struct answer *ans);

/* job_name_check - may a job have NAME? It must be there, not begin with a digit, not be "none",
 * and keep what object_name_check says. Returns 0, or -1 with ans (STATUS_ESEMANTIC).
 * Source: submit(1) -N; captured messages */
int job_name_check(const char *name, struct answer *ans);
/* object_name_check - no character that would mean something else in lists, paths, patterns or
 * output; not over 512 bytes. Also for -A. Returns 0, or -1 with ans (STATUS_ESEMANTIC). */
int object_name_check(const char *name, struct answer *ans);

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
