#ifndef QMASTER_CHANGE_REQUEST_H
#define QMASTER_CHANGE_REQUEST_H

#include "daemons/qmaster/tables/session.h"
#include "libs/uti/answer.h"

/* What a handler keeps between two steps of a request; it embeds this as its first member. */
struct kept {
    void (*free)(struct kept *k);
};

/* One request of a client, and its answer as it grows. */
struct request {
    struct session *from;
    struct identity owner; /* owned: of ADD_AS, once it is known; else empty */
    bool is_owner_unsure;  /* the name service does not say who that is */
    uint32_t serial;
    struct GR_Type gr;
    struct GA_Type ga;  /* the answer, sent as one last part unless is_taken */
    struct answer ans;  /* texts for it */
    uint64_t after;     /* batch the answer waits for; set by reads, else the one being collected */
    bool is_taken;      /* the handler answers later by itself (long reads, watches) */
    uint32_t script_of; /* the number kept for a submit whose long script comes first; 0: none */
    bool keeps_answer;  /* its answer is remembered (recent.h) */
    struct kept *kept;  /* owned; NULL: nothing */
    /* the last change of queue instances that it has begun and waits for (config/renewal.h); 0:
     * none */
    uint32_t renewal;
};

/* request_clear - free what R owns; empty afterwards
 * request_forget - free what its handler keeps */
void request_clear(struct request *r);
void request_forget(struct request *r);
/* request_who - for whom R is carried out, and by whose rights and limits: who asked, or the owner
 * of ADD_AS */
const struct identity *request_who(const struct request *r);
/* request_texts - move ANS into GA_answers */
void request_texts(struct answer *ans, struct GA_Type *ga);

/* request_add_tasks - append "1-9:2 of job 12" to an answer's text; of thousands of scattered tasks
 * the first ones, and how many there are */
struct dstr;
void request_add_tasks(const struct JB_Type *job, const struct range_set *ordinals,
                       struct dstr *out);

#endif
