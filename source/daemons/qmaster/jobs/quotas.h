#ifndef QMASTER_JOBS_QUOTAS_H
#define QMASTER_JOBS_QUOTAS_H

#include "daemons/qmaster/tables/qmaster.h"
#include "libs/resource/quota_book.h"

/* Resource quotas as the qmaster counts them, as members of paths: their bookings are exactly what
 * the records of the tasks that are sent or run say. Nothing of it is in the spool. Without enabled
 * sets there is no book, and no cost. */
struct quota_state;

/* quotas_book - T, whose record says where it runs, books in its quotas; quotas_unbook - undo
 * exactly that. O(places x sets) */
void quotas_book(struct qmaster *q, struct task *t);
void quotas_unbook(struct qmaster *q, struct task *t);
void quotas_free(struct qmaster *q);

/* quotas_now - the book by the rules as they are now; NULL without enabled sets. After a change of
 * rules, user sets, host groups or resources all tasks that run are counted again, as long as the
 * slice lasts (slice.h), and *IS_WHOLE is false until all are: ask again in the next slice. O(1)
 * else */
struct quota_book *quotas_now(struct qmaster *q, bool *is_whole);

/* quotas_append - append to OUT the quotas of a task of REQUEST in PE (NULL: none) at QI of which D
 * takes something (quota_members)
 * quotas_settle - D has been booked in PATH, or released
 *
 * False: tasks are being counted again, and OUT has the quotas with what is counted so far.
 * O(sets) */
bool quotas_append(struct qmaster *q, const struct qinstance *qi, const struct JB_Type *request,
                   const char *pe, const struct demand *d, enum quota_use use,
                   struct growing_path *out);
void quotas_settle(struct qmaster *q, struct path path, const struct demand *d);
/* quotas_key - append the values of RULE for such a task, as messages have them ("alice/////") */
void quotas_key(struct qmaster *q, const struct qinstance *qi, const struct JB_Type *request,
                const char *pe, const struct quota_rule *rule, struct dstr *out);
/* quotas_values - what limits may depend on at HOST; NULL: no host */
struct load_source quotas_values(struct qmaster *q, const char *host);

#endif
