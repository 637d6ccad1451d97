#ifndef SGEOBJ_QUEUE_MATCH_H
#define SGEOBJ_QUEUE_MATCH_H

#include "libs/sgeobj/rows.h"

/* queue_match - is the queue instance NAME ("all.q@host") meant by one wc_queue of -q?
 *
 *   wc_queue  `all.q`, `*.q`           every instance of those cluster queues
 *             `all.q@host`, `*@node*`  on those hosts
 *             `all.q@@group`, `*@@g*`  on the hosts of those groups
 *             `*@!(bad*|@old)`         on hosts that are neither; both parts are patterns of their
 *                                      own, and a word with a `@` in the second means groups
 *   groups    borrowed: the groups ("@group") that the instance's host is in, QU_hostgroups; NULL:
 *             none
 *
 * Pure. Source: sge_types(1) */
bool queue_match(const char *wc_queue, const char *name, const struct ST_Type_list *groups);

/* queue_host_match - the same for what stands behind the first `@`: is HOST, in GROUPS, meant? */
bool queue_host_match(const char *wc_host, const char *host, const struct ST_Type_list *groups);

/* queue_match_any - by one of the list; an empty list means every queue */
bool queue_match_any(const struct QR_Type_list *wc_queues, const char *name,
                     const struct ST_Type_list *groups);

#endif
