#ifndef QMASTER_REQUESTS_H
#define QMASTER_REQUESTS_H

#include "daemons/qmaster/sessions.h"
#include "libs/uti/answer.h"

/* Requests of clients: decoded here, handed to the function for verb and target, answered once what they changed is durable. */
struct request {
    struct session *from;
    uint32_t serial;
    struct GR_Type gr;
    struct GA_Type ga; /* the answer, sent as one last part unless is_taken */
    struct answer ans; /* texts for it */
    uint64_t after;    /* batch the answer waits for; set by reads, else the one being collected */
    bool is_taken;     /* the handler answers later by itself (long reads, watches) */
    bool keeps_answer; /* its answer is remembered (recent.h) */
};
void requests_handle(struct qmaster *q, struct session *s, struct frame *f);
/* request_answer - the last part of its answer, unless it is taken, leaves when it is durable; R is empty afterwards */
void request_answer(struct qmaster *q, struct request *r);
void request_clear(struct request *r);
/* request_texts - move ANS into GA_answers */
void request_texts(struct answer *ans, struct GA_Type *ga);

/* request_add_tasks - append "1-9:2 of job 12" to an answer's text; with thousands of scattered tasks the first ones and how many */
struct dstr;
void request_add_tasks(const struct JB_Type *job, const struct range_set *ordinals,
                       struct dstr *out);

/* the handlers, one file each */
void submit_request(struct qmaster *q, struct request *r);   /* ADD job */
void resubmit_request(struct qmaster *q, struct request *r); /* COPY job */
void alter_request(struct qmaster *q, struct request *r);    /* MOD job */
void delete_request(struct qmaster *q, struct request *r);   /* DEL job */
void act_request(struct qmaster *q, struct request *r);      /* ACT */
void get_jobs_request(struct qmaster *q, struct request *r); /* GET job */
void why_request(struct qmaster *q, struct request *r);      /* WHY */
void watch_request(struct qmaster *q, struct request *r);    /* WATCH */
void statistics_request(struct qmaster *q, struct request *r); /* GET of the master */
void get_config_request(struct qmaster *q, struct request *r);
void add_config_request(struct qmaster *q, struct request *r);
void mod_config_request(struct qmaster *q, struct request *r);
void del_config_request(struct qmaster *q, struct request *r);

#endif
