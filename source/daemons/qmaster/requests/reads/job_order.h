#ifndef QMASTER_REQUESTS_READS_JOB_ORDER_H
#define QMASTER_REQUESTS_READS_JOB_ORDER_H

#include "daemons/qmaster/change/request.h"

/* Which jobs an answer shows, and in what order: what a listing of all jobs, or of those of some
 * users, walks over in slices. It is settled at the beginning; jobs that come later are not in it,
 * those that go are passed over. */
enum { ORDER_RUNNING, ORDER_READY, ORDER_REST, ORDER_SETS };
struct job_order {
    struct range_set sets[ORDER_SETS]; /* numbers; not ranked: all in the last one */
    unsigned set;                      /* that it is in; ORDER_SETS: at its end */
    uint64_t at;                       /* the next number there, or a later one */
    uint32_t last;                     /* the numbers up to this one follow without a gap */
    struct ranking *ranking;           /* while it is being ranked */
    /* when it is ranked */
    bool is_ranked;              /* ... READY stands in the order of its figures, the best first */
    uint64_t oldest_s, newest_s; /* submission times of READY */
};

/* job_order_begin - what GR asks for, without GR_select. O(users named), and what their numbers
 * take as sets */
void job_order_begin(const struct qmaster *q, const struct GR_Type *gr, struct job_order *out);
/* job_order_rank - O, which has begun, becomes ranked for GR: those with running tasks, those that
 * could run now, the others. One slice; true when it is done */
bool job_order_rank(struct qmaster *q, const struct GR_Type *gr, struct job_order *o);
/* job_order_here - the job that O is at; NULL at the end. O(log)
 * job_order_next - the one after JOB, which O is at, and which is there. Nearly always O(1) */
struct job *job_order_here(struct qmaster *q, struct job_order *o);
struct job *job_order_next(struct qmaster *q, struct job_order *o, struct job *job);
void job_order_free(struct job_order *o);

#endif
