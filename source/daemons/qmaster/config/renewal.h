#ifndef QMASTER_CONFIG_RENEWAL_H
#define QMASTER_CONFIG_RENEWAL_H

#include "daemons/qmaster/tables/qmaster.h"
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

/* After a change of a queue or a host group: queue instances are brought up to date, host by host,
 * in slices if they are many, in turns of USER, who made the change. The change itself is in the
 * tables and staged before: a restart resolves everything anew, so that it finds the cell as it was
 * before the change or as it is when the renewal is over. */
/* renew_queue - CQ has changed, and was like BEFORE, an empty record if it is new
 * renew_all - all queues on all hosts
 * renew_members - MEMBERS, hosts and groups, came to a host group or left it: all queues on the
 * hosts that they are
 * The first slice is done at once. O(what is concerned) */
void renew_queue(struct qmaster *q, uint64_t user, const struct cqueue *cq,
                 const struct CQ_Type *before);
void renew_all(struct qmaster *q, uint64_t user);
void renew_members(struct qmaster *q, uint64_t user, const struct ST_Type_list *members);
/* remove_queue - CQ goes with its instances; false (nothing done) while tasks run in them. From now
 * on lookups find none of them, whenever their turn comes. The first slice is done at once. */
bool remove_queue(struct qmaster *q, uint64_t user, struct cqueue *cq);

/* renewals_are_over - are all up to NUMBER (q->last_renewal once) over? */
bool renewals_are_over(const struct qmaster *q, uint32_t number);

#endif
