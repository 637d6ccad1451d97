#ifndef QMASTER_REQUESTS_EXPLAIN_VERIFY_H
#define QMASTER_REQUESTS_EXPLAIN_VERIFY_H

#include "daemons/qmaster/tables/qmaster.h"
#include "libs/uti/answer.h"

/* What -w asks: is there a queue instance that the job could run in? */

/* verify_queues
 *
 *   rec     the job as it is or would be; its JB_verify_suitable_queues says what is asked: with w
 *           e v of a cluster with nothing in it, with p as it is now; n (the default) asks nothing
 *   number  of the job, or that which it would get
 *   owner   of the job, for messages
 *   ans     gets a warning (w), an error (e), the reasons and an error (v p), or the good news (v
 *           p)
 *
 * Returns 0, or -1 where the job is to be refused. O(1) when the first queues suit; else the search
 * ends when it has cost QUEUE_SEARCH_MOST (queue_known.h), and a job for which none was found by
 * then is not refused with w and e; v and p say how far it went.
 * Source: submit(1) -w; captured texts */
int verify_queues(struct qmaster *q, const struct JB_Type *rec, uint32_t number, const char *owner,
                  struct answer *ans);

#endif
