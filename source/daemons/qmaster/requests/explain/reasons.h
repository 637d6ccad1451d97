#ifndef QMASTER_REQUESTS_EXPLAIN_REASONS_H
#define QMASTER_REQUESTS_EXPLAIN_REASONS_H

#include "daemons/qmaster/requests/explain/place_search.h"

/* Why jobs wait: what qstat -j shows under `scheduling info:` unless sched_conf(5) says
 * schedd_job_info false, and -why of a task. Found out when it is asked for, from the state as it
 * is: always right, and nothing is collected for jobs without queries. */

/* All three continue in S, all zero initially, as long as the slice lasts (slice.h).
 * True: OUT has a text for each reason more, and S is all zero again. False: OUT is as it was; ask
 * again in the next slice, or place_search_end.
 *
 * reasons_of_job - what keeps tasks of JOB from starting; nothing if none waits. Of queue
 *   instances, at most 20 are named
 * reasons_of_task - all that keeps a task that has not ended from starting, but the tasks of other
 *   jobs that it waits for; or what it does
 * reasons_of_queues - why the queues take no job, whatever it asks for */
bool reasons_of_job(struct qmaster *q, struct job *job, struct place_search *s,
                    struct ST_Type_list *out);
bool reasons_of_task(struct qmaster *q, struct job *job, uint32_t ordinal, struct place_search *s,
                     struct ST_Type_list *out);
bool reasons_of_queues(struct qmaster *q, struct place_search *s, struct ST_Type_list *out);

/* Those of one job after another, found out in slices. All zero initially; stays where it is until
 * job_reasons_drop.
 *
 * job_reasons_find - of JOB; what was found of another is dropped. False: ask again in the next
 *   slice
 * job_reasons_take - what was found goes into an answer
 * job_reasons_drop - it is all zero again */
struct job_reasons {
    uint32_t job; /* 0: of none */
    bool is_whole;
    struct place_search search;
    struct ST_Type_list found;
};
bool job_reasons_find(struct qmaster *q, struct job_reasons *r, struct job *job);
void job_reasons_take(struct job_reasons *r, struct GA_Type *ga);
void job_reasons_drop(struct job_reasons *r);

#endif
