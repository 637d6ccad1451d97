#ifndef SCHED_POLICY_PRIOR_H
#define SCHED_POLICY_PRIOR_H

#include "libs/resource/urgency.h"
#include "libs/sgeobj/rows.h"
#include "libs/uti/number_map.h"
#include "libs/uti/tree.h"

/* `prior` of a job, and what it is made of: evaluated here and nowhere else.
 *
 *   prior   = weight_priority * npprior + weight_urgency * nurg + weight_ticket * ntckts
 *   npprior = (-p + 1024) / 2048
 *   nurg    = (urg - lowest urg) / (highest urg - lowest urg) over the active jobs, 0.5 when all
 *             are equal
 *   urg     = rrcontr + weight_waiting_time * seconds since submission + dlcontr
 *   rrcontr = urgency_of the requests (libs/resource/urgency.h)
 *   dlcontr = weight_deadline / seconds left until the deadline (pending/urgency.h)
 *   ntckts  = tickets / most tickets of a job, 0.5 while none has any
 *
 * Active is a job that runs or could run now; what is not has no figures. The figures of all jobs
 * change with each submit, so they are not kept: a book has the *terms* of the cell (PT_Type),
 * which the policy computes in each run, and what the policy has *granted* to some jobs and owners
 * (PG_Type). The figures of a job follow from these in O(1) when they are wanted. The scheduler
 * has the book; the qmaster has a copy, which ORDER_PRIOR keeps current. Reproduces the captures:
 * 0.50000 for a sole job, and for several that were submitted in the same second; 0.75000 and
 * 0.25000 for two of different age. */
struct answer;
struct prior_grant;
/* GRANTS_MOST: that a book has; what is granted beyond that is refused. GRANTS_OF_ORDER: that
 * travel at a time, so that the qmaster's turns stay short */
enum { GRANTS_MOST = 100000, GRANTS_OF_ORDER = 1000 };
TAILQ_HEAD(prior_grant_list, prior_grant);
struct prior_book {
    struct PT_Type terms; /* without a field: not yet computed */
    struct number_map by_job;
    struct prior_grant *by_owner;
    uint32_t n;
    /* what the other book does not have, if there is one (prior_order) */
    struct prior_grant_list unsent;
    struct PT_Type sent;
    bool has_begun;  /* the other book is a copy of this one */
    uint64_t sent_s; /* second of the last order */
    /* the qmaster's, whose jobs are of no class (pending/urgency.h): borrowed; NULL: none */
    const struct urgencies *urgencies;
};

/* prior_book_init - without terms and grants; end with prior_book_clear, after which it is so
 * again, but for urgencies */
void prior_book_init(struct prior_book *b);
void prior_book_clear(struct prior_book *b);

/* prior_grant - the job, or the jobs of the owner in the project, have what G says and nothing else
 * of what was granted before; without a field of that, nothing at all. Returns 0, or -1 with ans
 * (optional) if the book is full or G names neither. O(1)
 * prior_forget_job - a job has gone */
int prior_grant(struct prior_book *b, const struct PG_Type *g, struct answer *ans);
void prior_forget_job(struct prior_book *b, uint32_t number);

/* what figures follow from, of a job */
struct prior_job {
    uint32_t number, priority;        /* JB_priority: -p + 1024 */
    uint64_t submitted_s, deadline_s; /* the latter 0: none */
    double rrcontr;
    const char *owner, *project; /* the latter may be NULL */
    bool runs;                   /* and no task of it is pending */
};
/* prior_with - the same for a job with so many TICKETS, whatever it was granted
 * prior_of - `prior` of an active job by terms T, which are B's or were; 0 without any. O(1)
 * prior_figures - all of it, into F, which is empty; stays so without terms. O(1) */
double prior_with(const struct prior_book *b, const struct PT_Type *t, const struct prior_job *job,
                  double tickets);
double prior_of(const struct prior_book *b, const struct PT_Type *t, const struct prior_job *job);
void prior_figures(const struct prior_book *b, const struct PT_Type *t, const struct prior_job *job,
                   uint64_t now_s, struct PF_Type *f);

/* prior_order - an order is appended with what has changed since the last one, at most once a
 * second; more than GRANTS_OF_ORDER follow with the next call. Returns whether there was any
 * prior_order_due - the second in which there will be one; 0: nothing has changed */
bool prior_order(struct prior_book *b, uint64_t now_s, struct OR_Type_list *orders);
uint64_t prior_order_due(const struct prior_book *b);
/* prior_take - ORDER, of that kind, has come for B. Returns 0, or -1 with ans and B unchanged if it
 * has more grants than an order may have, or one that makes no sense */
int prior_take(struct prior_book *b, const struct OR_Type *order, struct answer *ans);

#endif
