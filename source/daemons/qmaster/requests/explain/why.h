#ifndef QMASTER_REQUESTS_EXPLAIN_WHY_H
#define QMASTER_REQUESTS_EXPLAIN_WHY_H

struct qmaster;
struct request;

/* why_request - WHY: all that keeps one task from starting (qstat -j JOB.TASK -why) */
void why_request(struct qmaster *q, struct request *r);

#endif
