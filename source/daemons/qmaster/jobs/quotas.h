#ifndef QMASTER_JOBS_QUOTAS_H
#define QMASTER_JOBS_QUOTAS_H

#include "daemons/qmaster/jobs/places.h"
#include "libs/resource/quota_book.h"

/* Resource quotas as the qmaster counts them: what is in the book is what the records of the tasks
 * that are sent or run say. Nothing of it is in the spool. Without enabled sets there is no book,
 * and no cost. */
struct quota_state;

/* quotas_book - T, whose record says where it runs, takes of its quotas; quotas_unbook - undo
 * exactly that. O(places x sets) */
void quotas_book(struct qmaster *q, struct task *t);
void quotas_unbook(struct qmaster *q, struct task *t);
/* quotas_recount - JOB is of another project: its tasks that hold slots are counted anew, and no
 * others. O(its task records x (places x sets)) */
void quotas_recount(struct qmaster *q, struct job *job);
void quotas_free(struct qmaster *q);

/* quotas_now - the book by the rules as they are now; NULL without enabled sets. After a change of
 * rules, user sets, host groups or resources all tasks that run are counted again, as long as the
 * slice lasts (slice.h), and *IS_WHOLE is false until all are: ask again in the next slice. O(1)
 * else */
struct quota_book *quotas_now(struct qmaster *q, bool *is_whole);

/* quotas_fit - is there room in all quotas for a task of JOB in PLACES, whose takings are planned?
 * False as well while tasks are being counted again */
bool quotas_fit(struct qmaster *q, const struct job *job, const struct places *places);

/* quotas_lack - does a quota keep SLOTS slots of REQUEST in PE (NULL: none) from QI? Then OUT says
 * which, and KEY gets the values ("alice/////")
 * quotas_room - how many slots the quotas leave it there; UINT64_MAX: as many as it asks for
 *   as_if_unused  as if nothing ran */
bool quotas_lack(struct qmaster *q, const struct qinstance *qi, const struct JB_Type *request,
                 const char *pe, uint32_t slots, bool as_if_unused, struct quota_lack *out,
                 struct dstr *key);
uint64_t quotas_room(struct qmaster *q, const struct qinstance *qi, const struct JB_Type *request,
                     const char *pe, bool as_if_unused);
/* quotas_why - append what keeps REQUEST from QI as messages have it, with numbers if HAS_NUMBERS.
 * Returns whether there is anything; of a parallel job as if unused never: its environment says so
 */
bool quotas_why(struct qmaster *q, const struct qinstance *qi, const struct JB_Type *request,
                bool as_if_unused, bool has_numbers, struct dstr *why);
/* quotas_values - what limits may depend on at HOST; NULL: no host */
struct load_source quotas_values(struct qmaster *q, const char *host);
/* quotas_is_reason - is TEXT, perhaps behind other words, one of quotas_why? */
bool quotas_is_reason(const char *text);

#endif
