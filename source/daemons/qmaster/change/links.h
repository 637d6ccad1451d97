#ifndef QMASTER_CHANGE_LINKS_H
#define QMASTER_CHANGE_LINKS_H

#include "daemons/qmaster/tables/qmaster.h"

/* The lists of a job's predecessors and successors: who waits for whom. */
/* up to so many entries are handled at once and one by one; longer lists in steps */
enum { LINKS_FEW = 64 };
#define LINKS_ROUND_OF_NONE UINT32_MAX /* of an entry whose job has gone: no job has this round */

/* links_entry - what stands for JOB in a list */
struct JRE_Type links_entry(const struct job *job);
/* links_job - the job that ENTRY of a list means; NULL: it has gone */
struct job *links_job(struct qmaster *q, const struct JRE_Type *entry);
/* links_after - the place of the first entry of L, which ascends, with a number above NUMBER. O(log
 * n). A walk that keeps the number that it saw last goes on there, whatever came or went
 * meanwhile. */
uint32_t links_after(const struct JRE_Type_list *l, uint32_t number);
/* links_has - does L have ENTRY? */
bool links_has(const struct JRE_Type_list *l, const struct JRE_Type *entry);
/* links_add - ENTRY comes into L, which ascends; it takes the place of one with its number
 *   n_gone  the list's counter of entries whose jobs have gone (struct gone_links) */
void links_add(struct JRE_Type_list *l, uint32_t *n_gone, const struct JRE_Type *entry);
/* links_remove - ENTRY leaves. In a long list it is struck out, and leaves when more than half of
 * the entries are: O(log n) each on average. A list whose entries are all struck out is thus empty.
 * True if it was there. */
bool links_remove(struct JRE_Type_list *l, uint32_t *n_gone, const struct JRE_Type *entry);
/* links_compact - entries whose jobs have gone leave, in one pass */
void links_compact(struct JRE_Type_list *l, uint32_t *n_gone);
/* links_drop_gone - entries of L whose jobs have gone leave; none is struck out yet. O(entries)
 * links_clear - L is empty afterwards */
void links_drop_gone(struct qmaster *q, struct JRE_Type_list *l);
void links_clear(struct JRE_Type_list *l);

/* links_tidy - before others see the lists of JOB: entries whose jobs have gone leave them now.
 * O(lists that have such entries) */
void links_tidy(struct job *job);

#endif
