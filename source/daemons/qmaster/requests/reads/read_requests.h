#ifndef QMASTER_REQUESTS_READS_READ_REQUESTS_H
#define QMASTER_REQUESTS_READS_READ_REQUESTS_H

/* Requests that change nothing. Long answers go in bounded steps. */
struct qmaster;
struct request;

void get_jobs_request(struct qmaster *q, struct request *r);       /* GET of jobs */
void get_config_request(struct qmaster *q, struct request *r);     /* GET of objects */
void statistics_request(struct qmaster *q, struct request *r);     /* GET of the master */
void get_accounting_request(struct qmaster *q, struct request *r); /* GET of accounting */

#endif
