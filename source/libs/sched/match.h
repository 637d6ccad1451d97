#ifndef SCHED_MATCH_H
#define SCHED_MATCH_H

#include "libs/sgeobj/rows.h"

/* queue_request_match - is the queue instance NAME ("all.q@host") meant by one wc_queue of -q?
 *   wc_cqueue           `all.q`, `*.q`: every instance of those cluster queues
 *   wc_qinstance        `all.q@host`, `*@node*`
 *   wc_qdomain          `all.q@@group`: no match, as there are no host groups yet
 * Patterns as in sge_types(1). Pure. */
bool queue_request_match(const char *wc_queue, const char *name);

/* queue_requests_match - by one of the list; an empty list means every queue */
bool queue_requests_match(const struct QR_Type_list *requests, const char *name);

#endif
