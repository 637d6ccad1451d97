#ifndef QMASTER_REQUESTS_JOBS_JOB_REQUESTS_H
#define QMASTER_REQUESTS_JOBS_JOB_REQUESTS_H

/* Requests about jobs and about sessions that keep their ends, one function for each verb. Each
 * checks everything before it changes anything. */
struct qmaster;
struct request;

void submit_request(struct qmaster *q, struct request *r);    /* ADD job */
void submit_as_request(struct qmaster *q, struct request *r); /* ADD_AS job */
void resubmit_request(struct qmaster *q, struct request *r);  /* COPY job */
void alter_request(struct qmaster *q, struct request *r);     /* MOD job */
void delete_request(struct qmaster *q, struct request *r);    /* DEL job */
void act_request(struct qmaster *q, struct request *r);       /* ACT on jobs and queues */
/* of sessions that keep ends: ADD, GET, WATCH, ACT, DEL */
void add_session_request(struct qmaster *q, struct request *r);
void get_session_request(struct qmaster *q, struct request *r);
void watch_session_request(struct qmaster *q, struct request *r);
void act_session_request(struct qmaster *q, struct request *r);
void del_session_request(struct qmaster *q, struct request *r);
/* watch_submitted - the answer of a submit that wants to watch (GDI_WATCH_TOO): its first part
 * leaves now, the ends follow */
void watch_submitted(struct qmaster *q, struct request *r);

/* of advance reservations */
void add_ar_request(struct qmaster *q, struct request *r);
void delete_ar_request(struct qmaster *q, struct request *r);
void get_ars_request(struct qmaster *q, struct request *r);

#endif
