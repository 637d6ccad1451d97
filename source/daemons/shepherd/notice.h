#ifndef SHEPHERD_NOTICE_H
#define SHEPHERD_NOTICE_H

#include "common/basis.h"

/* How the running job is stopped, continued and ended: after a notice to it if it asked for one
 * (-notify), by the methods of the queue, and in the end by force. What comes later is an alarm
 * (ALARM_END, ALARM_STOP), so that no step waits. */
struct shepherd;
enum limit_kind {
    LIMIT_OF_TIME,      /* a hard one of time: the job gets its notice first */
    LIMIT_OF_SOFT_TIME, /* it has had a signal already */
    LIMIT_OF_MEMORY     /* what it takes is others' */
};

/* notice_stop, notice_continue - suspend and resume it; one that is not suspended stays as it is */
void notice_stop(struct shepherd *s);
void notice_continue(struct shepherd *s);
/* notice_end - it was deleted or put back: a terminate_method that does not end it is called again
 * after some seconds */
void notice_end(struct shepherd *s);
/* notice_limit - it has reached a limit: terminate_method is called once, then it is killed */
void notice_limit(struct shepherd *s, enum limit_kind kind);
/* notice_soft_time - s_rt is over: SIGUSR1. Returns when the job is to end, monotonic */
uint64_t notice_soft_time(struct shepherd *s);

/* rings of the two alarms */
uint64_t notice_ring_end(void *shepherd);
uint64_t notice_ring_stop(void *shepherd);

#endif
