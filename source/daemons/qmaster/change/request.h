#ifndef QMASTER_CHANGE_REQUEST_H
#define QMASTER_CHANGE_REQUEST_H

#include "daemons/qmaster/tables/connection.h"
#include "daemons/qmaster/tables/qmaster.h"
#include "libs/uti/answer.h"

struct request;

/* ---- its steps ---- */
/* What a step returns. Unless it is STEP_NEXT or STEP_LAST the request waits, and enters the same
 * step again; after a lookup in the name service, the next one. */
enum step_result {
    STEP_NEXT,        /* the next step follows at once */
    STEP_LAST,        /* the request is over: refused, or answered before its last step */
    STEP_WAIT_SLICE,  /* until its turn comes again, whether a batch has been handed over or not */
    STEP_WAIT_BATCH,  /* until the batch that collects changes now has been handed over */
    STEP_WAIT_PART,   /* the same; what it has answered so far leaves with that batch, as a part */
    STEP_WAIT_FILES,  /* until files of the job AWAITED have been read or written, or it has gone */
    STEP_WAIT_OWNER,  /* until it is known who the user AWAITED is, or that the lookup failed */
    STEP_WAIT_GROUPS, /* the same of the groups of that user */
    STEP_WAIT_START,  /* until the job AWAITED has started, is in error, or has gone */
};
typedef enum step_result step_fn(struct qmaster *q, struct request *r);

/* What a step keeps until it is entered again; it embeds this as its first member. */
struct step_state {
    void (*free)(struct step_state *s);
};

/* ---- the jobs that it means ---- */
/* Resolved by select_jobs (requests/steps/select.h): jobs, each with its tasks, in the order of the
 * command line. */
struct picked {
    uint32_t job;   /* a number, not a pointer: handling one may end another */
    uint32_t entry; /* of GR_select, or of GR_users if that is empty: the first that means it */
    bool is_whole;  /* no task range given */
    struct range_set ordinals; /* of the tasks meant; all of the array when is_whole */
    struct TR_Type_list asked; /* borrowed from the request: the task ids as given */
    /* of a job with many task records, which is done in steps: */
    /* the next record to be looked at has this ordinal or a higher one; 0: not begun */
    uint64_t from;
    uint32_t n_found;      /* what the steps so far have found, for the answer */
    struct range_set done; /* which tasks they have ended */
};
struct select_scan;
struct selection {
    struct picked *v; /* by entry, then by number */
    uint32_t n, cap;
    uint32_t n_jobs;      /* of them, when it is resolved; the others are words that mean none */
    bool *is_matched;     /* of each entry: does it mean any job? */
    uint32_t n_others;    /* picked jobs of others, by select_begin_to_change */
    bool has_more_others; /* it found more of them than SELECT_OTHERS_MOST */
    uint32_t n_withdrawn; /* tasks of the first so many do not start any more: a delete has begun */
    struct select_scan *scan; /* while it is being resolved; freed by scan_free */
    void (*scan_free)(struct select_scan *scan);
};
/* selection_free - S is empty afterwards */
void selection_free(struct selection *s);
/* picked_work - what handling it costs, counted in jobs and task records: at least 1. For handlers
 * that work in steps. */
uint32_t picked_work(struct qmaster *q, const struct picked *p);
/* picked_word - the word of R that P stands for */
const char *picked_word(const struct request *r, const struct picked *p);

/* ---- the request ---- */
/* One request of a client, and its answer as it grows. */
struct request {
    struct connection *from;
    struct identity owner; /* owned: of ADD_AS, once it is known; else empty */
    bool is_owner_unsure;  /* the name service does not say who that is */
    uint32_t serial;
    struct GR_Type gr;
    struct GA_Type ga;        /* the answer, sent as one last part unless is_answered_later */
    struct answer ans;        /* texts for it */
    uint64_t after;           /* batch the answer waits for; set by reads, else the one collected */
    bool is_answered_later;   /* it waits, or something else sends the rest (long reads, watches) */
    bool keeps_answer;        /* its answer is remembered (recent.h) */
    step_fn *const *steps;    /* borrowed, the last is NULL; NULL: it has none */
    uint32_t step;            /* the one that it is in */
    uint64_t awaited;         /* what that waits for, as its result says */
    bool has_waited;          /* since a step cleared this: what was checked may have changed */
    struct step_state *state; /* owned: what the step keeps; NULL: nothing */
    struct selection chosen;  /* owned: jobs that it means */
    uint32_t at;              /* entries of CHOSEN, or objects, before this one are done */
    /* of a submit: */
    bool awaits_session; /* until its task starts: the client has the number already */
    uint32_t script_of;  /* the number kept for the job, whose long script comes first; 0: none */
    size_t bytes;        /* of the job's record */
    struct share share;  /* what the job takes */
};

/* request_clear - free what R owns; empty afterwards
 * request_end_step - free what its step keeps */
void request_clear(struct request *r);
void request_end_step(struct request *r);
/* request_who - for whom R is carried out, and by whose rights and limits: who asked, or the owner
 * of ADD_AS */
const struct identity *request_who(const struct request *r);
/* request_selected - entry I of GR_select; "" if it has no text */
const char *request_selected(const struct request *r, uint32_t i);
/* request_texts - move ANS into GA_answers */
void request_texts(struct answer *ans, struct GA_Type *ga);

/* request_add_tasks - append "1-9:2 of job 12" to an answer's text; of thousands of scattered tasks
 * the first ones, and how many there are */
struct dstr;
void request_add_tasks(const struct JB_Type *job, const struct range_set *ordinals,
                       struct dstr *out);

#endif
