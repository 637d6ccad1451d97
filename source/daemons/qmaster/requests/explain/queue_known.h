#ifndef QMASTER_REQUESTS_EXPLAIN_QUEUE_KNOWN_H
#define QMASTER_REQUESTS_EXPLAIN_QUEUE_KNOWN_H

#include "daemons/qmaster/tables/qmaster.h"

/* the most patterns in a list of queues of a job; it may have any number of plain names */
enum { QUEUE_PATTERNS_MOST = 64 };
/* the most work for one such list, in bytes of patterns and names compared: a few milliseconds */
enum { QUEUE_SEARCH_MOST = 250000 };

/* queue_is_known - is there a queue that a wc_queue of -q means?
 *
 *   wc_queue  a cluster queue, with or without hosts, or an instance, "all.q@host", "all.q@@group";
 *             patterns in any part
 *   work      what the search has cost is added to it; 0 before the first queue of a list
 *
 * Once the work reaches QUEUE_SEARCH_MOST, which takes thousands of hosts, what has not been found
 * yet counts as known: a job that requests a misspelt queue waits, and no other request waits for
 * the search. O(1) for a cluster queue and for an instance by its plain name, else O(cluster
 * queues + hosts); O(their product) only where queues and hosts match but not with each other. No
 * I/O. Source: sge_types(1) wc_queue; submit(1) -q */
bool queue_is_known(struct qmaster *q, const char *wc_queue, uint32_t *work);

#endif
