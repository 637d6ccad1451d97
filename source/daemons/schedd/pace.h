#ifndef SCHEDD_PACE_H
#define SCHEDD_PACE_H

#include "libs/sched/policy/conf.h"

/* When to run the scheduler; pure. Times are microseconds of a monotonic clock. */
enum pace_cause { PACE_SUBMIT = 1, PACE_FINISH = 2, PACE_TRIGGER = 4 };
struct pace {
    uint64_t due_us;        /* a run was requested by then; 0: none was */
    uint64_t ran_us;        /* the last run */
    uint64_t not_before_us; /* a pause after orders that were all refused */
    uint32_t refused;       /* packages of orders in a row of which nothing was carried out */
};
enum { PACE_DISAGREE = 10 }; /* so many of those and the model is not to be trusted */

/* pace_cause_of - why an event of KIND may make work: bits of enum pace_cause, 0 if it does not */
unsigned pace_cause_of(uint32_t kind);

/* pace_ask - something happened (CAUSES) that makes work possible: run at once, or after
 * flush_submit_sec, flush_finish_sec */
void pace_ask(struct pace *p, const struct sched_conf *conf, unsigned causes, uint64_t now_us);

/* pace_next - when the next run is due: what was asked, else schedule_interval after the last;
 * never 0 */
uint64_t pace_next(const struct pace *p, const struct sched_conf *conf);
void pace_ran(struct pace *p, uint64_t now_us);

/* pace_answered - the qmaster has answered a package: carried out DONE tasks and refused REFUSED
 * Returns true if it has refused so many packages that it is time to start anew. */
bool pace_answered(struct pace *p, uint64_t done, uint64_t refused, uint64_t now_us);

#endif
