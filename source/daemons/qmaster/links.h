#ifndef QMASTER_LINKS_H
#define QMASTER_LINKS_H

#include "daemons/qmaster/qmaster.h"

/* The lists of a job's predecessors and successors: who waits for whom. */
enum {
    LINKS_FEW = 64
}; /* up to so many entries are handled at once and one by one; of longer lists some things are done in steps, or for whole sets */
#define LINKS_ROUND_OF_NONE UINT32_MAX /* of an entry whose job has gone: no job has this round */

/* links_job - the job that ENTRY of a list means; NULL: it has gone */
struct job *links_job(struct qmaster *q, const struct JRE_Type *entry);
/* links_add - JOB comes in; it takes the place of one that had its number
 *   n_gone  the list's counter of entries whose jobs have gone (struct gone_links) */
void links_add(struct JRE_Type_list *l, uint32_t *n_gone, const struct JB_Type *job);
/* links_remove - JOB leaves. Of a long list the entry is marked, and leaves when more than half of them are: O(log n) each on average. A list
 * whose entries are all marked is thus empty. True if JOB was in it. */
bool links_remove(struct JRE_Type_list *l, uint32_t *n_gone, const struct JB_Type *job);
/* links_compact - entries whose jobs have gone leave, in one pass */
void links_compact(struct JRE_Type_list *l, uint32_t *n_gone);
void links_clear(struct JRE_Type_list *l);

/* links_link, links_unlink - JOB comes into, leaves the successor list (IS_AD: of -hold_jid_ad) of the job that PREDECESSOR means, if that
 * is still there */
void links_link(struct qmaster *q, const struct JRE_Type *predecessor, const struct job *job,
                bool is_ad);
void links_unlink(struct qmaster *q, const struct JRE_Type *predecessor, const struct JB_Type *rec,
                  bool is_ad);

#endif
