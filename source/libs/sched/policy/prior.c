/* The book of priorities, and what follows from it for a job. Owns struct prior_grant. Pure.
 *
 * Urgency rises with waiting time equally for all jobs, so the terms have it as if it were second
 * 0, where it never changes: a term changes when the oldest or the newest job does, not with
 * time. */
#include "libs/sched/policy/prior.h"

#include <stdlib.h>
#include <string.h>

#include "libs/cull/pack.h"
#include "libs/sched/pending/urgency.h"
#include "libs/sched/policy/msg_policy.h"
#include "libs/sgeobj/event.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/answer.h"
#include "libs/uti/hash.h"

/* of jobs that do not differ */
static const double all_equal = 0.5;

struct prior_grant {
    struct PG_Type given;
    bool is_unsent;
    TAILQ_ENTRY(prior_grant) in_unsent;
    UT_hash_handle hh;
    char key[]; /* by_owner: the owner, then the project, each with its end */
};

/* ---- grants ---- */
static bool is_nothing(const struct PG_Type *g)
{
    return !cull_has(g, PG_otickets) && !cull_has(g, PG_ftickets) && !cull_has(g, PG_stickets) &&
           !cull_has(g, PG_rrcontr) && !cull_has(g, PG_dlcontr);
}

static void owner_key(struct packer *key, const char *owner, const char *project)
{
    pack_bytes(key, owner, strlen(owner) + 1);
    pack_bytes(key, project != NULL ? project : "", project != NULL ? strlen(project) + 1 : 1);
}

static struct prior_grant *find_of_owner(const struct prior_book *b, const char *owner,
                                         const char *project)
{
    struct packer key = { 0 };
    struct prior_grant *found = NULL;
    if (b->by_owner == NULL || owner == NULL)
        return NULL;
    owner_key(&key, owner, project);
    HASH_FIND(hh, b->by_owner, key.data, key.len, found);
    packer_free(&key);
    return found;
}

static struct prior_grant *find_of_job(const struct prior_book *b, uint32_t number)
{
    return number_map_get(&b->by_job, number);
}

static struct prior_grant *find_of(const struct prior_book *b, const struct PG_Type *g)
{
    return g->PG_job_number != 0 ? find_of_job(b, g->PG_job_number)
                                 : find_of_owner(b, g->PG_owner, g->PG_project);
}

static struct prior_grant *grant_new(struct prior_book *b, const struct PG_Type *g)
{
    struct packer key = { 0 };
    if (g->PG_job_number == 0)
        owner_key(&key, g->PG_owner, g->PG_project);
    struct prior_grant *grant = uti_calloc(1, sizeof *grant + key.len);
    if (g->PG_job_number != 0) {
        cull_set(&grant->given, PG_job_number, g->PG_job_number);
        number_map_add(&b->by_job, g->PG_job_number, grant);
    } else {
        memcpy(grant->key, key.data, key.len);
        HASH_ADD_KEYPTR(hh, b->by_owner, grant->key, key.len, grant);
    }
    packer_free(&key);
    b->n++;
    return grant;
}

static void grant_free(struct prior_book *b, struct prior_grant *grant)
{
    if (grant->is_unsent)
        TAILQ_REMOVE(&b->unsent, grant, in_unsent);
    if (grant->given.PG_job_number != 0)
        (void)number_map_remove(&b->by_job, grant->given.PG_job_number);
    else
        HASH_DEL(b->by_owner, grant);
    cull_clear(&cull_PG_Type, &grant->given);
    free(grant);
    b->n--;
}

static int check_grant(const struct PG_Type *g, struct answer *ans)
{
    if (g->PG_job_number == 0 && g->PG_owner == NULL)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_PRIOR_GRANT_OF_NOTHING);
    return 0;
}

int prior_grant(struct prior_book *b, const struct PG_Type *g, struct answer *ans)
{
    if (check_grant(g, ans) < 0)
        return -1;
    struct prior_grant *grant = find_of(b, g);
    if (grant == NULL && is_nothing(g))
        return 0;
    if (grant == NULL && b->n >= GRANTS_MOST)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_PRIOR_GRANTS_U, (unsigned)GRANTS_MOST);
    if (grant == NULL)
        grant = grant_new(b, g);
    else if (cull_equal(&cull_PG_Type, &grant->given, g))
        return 0;
    uint32_t number = grant->given.PG_job_number; /* the key of the table stays where it is */
    cull_clear(&cull_PG_Type, &grant->given);
    cull_copy(&cull_PG_Type, &grant->given, g);
    grant->given.PG_job_number = number;
    if (!grant->is_unsent)
        TAILQ_INSERT_TAIL(&b->unsent, grant, in_unsent);
    grant->is_unsent = true;
    return 0;
}

void prior_forget_job(struct prior_book *b, uint32_t number)
{
    struct prior_grant *grant = find_of_job(b, number);
    if (grant != NULL)
        grant_free(b, grant);
}

void prior_book_init(struct prior_book *b)
{
    *b = (struct prior_book){ 0 };
    TAILQ_INIT(&b->unsent);
}

void prior_book_clear(struct prior_book *b)
{
    struct prior_grant *grant, *next;
    while ((grant = number_map_at_or_after(&b->by_job, 0)) != NULL)
        grant_free(b, grant);
    HASH_ITER(hh, b->by_owner, grant, next)
        grant_free(b, grant);
    const struct urgencies *urgencies = b->urgencies;
    prior_book_init(b);
    b->urgencies = urgencies;
}

/* ---- the figures of a job ---- */
static bool has_terms(const struct PT_Type *t)
{
    return cull_has(t, PT_weight_urgency);
}

static const struct PG_Type *granted_to(const struct prior_book *b, const struct prior_job *job)
{
    static const struct PG_Type nothing;
    struct prior_grant *grant = find_of_job(b, job->number);
    if (grant == NULL)
        grant = find_of_owner(b, job->owner, job->project);
    return grant != NULL ? &grant->given : &nothing;
}

static double npprior_of(const struct prior_job *job)
{
    return (double)job->priority / (2.0 * JOB_PRIORITY_BASE);
}

static double share_within(double value, double lowest, double highest)
{
    double share = (value - lowest) / (highest - lowest);
    return share < 0 ? 0 : share > 1 ? 1 : share;
}

static double rrcontr_of(const struct prior_job *job, const struct PG_Type *g)
{
    return job->rrcontr + g->PG_rrcontr;
}

/* a deadline counts by the second of the terms, so that the figures of all jobs suit each other */
static double dlcontr_of(const struct PT_Type *t, const struct prior_job *job,
                         const struct PG_Type *g)
{
    return g->PG_dlcontr +
           deadline_urgency(t->PT_weight_deadline, job->deadline_s, t->PT_deadlines_at);
}

static double nurg_of(const struct PT_Type *t, const struct prior_job *job, const struct PG_Type *g)
{
    if (!(t->PT_highest_urgency > t->PT_lowest_urgency))
        return all_equal;
    double waiting = -t->PT_weight_waiting_time * (double)job->submitted_s;
    return share_within(rrcontr_of(job, g) + dlcontr_of(t, job, g) + waiting, t->PT_lowest_urgency,
                        t->PT_highest_urgency);
}

static double tickets_of(const struct PG_Type *g)
{
    return g->PG_otickets + g->PG_ftickets + g->PG_stickets;
}

static double ntckts_of(const struct PT_Type *t, double tickets)
{
    return t->PT_most_tickets > 0 ? share_within(tickets, 0, t->PT_most_tickets) : all_equal;
}

static double sum_weighted(const struct PT_Type *t, double npprior, double nurg, double ntckts)
{
    return t->PT_weight_priority * npprior + t->PT_weight_urgency * nurg +
           t->PT_weight_ticket * ntckts;
}

double prior_of(const struct prior_book *b, const struct PT_Type *t, const struct prior_job *job)
{
    if (!has_terms(t))
        return 0;
    const struct PG_Type *g = granted_to(b, job);
    return sum_weighted(t, npprior_of(job), nurg_of(t, job, g), ntckts_of(t, tickets_of(g)));
}

double prior_with(const struct prior_book *b, const struct PT_Type *t, const struct prior_job *job,
                  double tickets)
{
    if (!has_terms(t))
        return 0;
    return sum_weighted(t, npprior_of(job), nurg_of(t, job, granted_to(b, job)),
                        ntckts_of(t, tickets));
}

static double waited_s(const struct prior_job *job, uint64_t now_s)
{
    return now_s > job->submitted_s ? (double)(now_s - job->submitted_s) : 0;
}

void prior_figures(const struct prior_book *b, const struct PT_Type *t, const struct prior_job *job,
                   uint64_t now_s, struct PF_Type *f)
{
    if (!has_terms(t))
        return;
    const struct PG_Type *g = granted_to(b, job);
    double npprior = npprior_of(job), nurg = nurg_of(t, job, g),
           ntckts = ntckts_of(t, tickets_of(g));
    double wtcontr = t->PT_weight_waiting_time * waited_s(job, now_s), tickets = tickets_of(g);
    cull_set(f, PF_prior, sum_weighted(t, npprior, nurg, ntckts));
    cull_set(f, PF_npprior, npprior);
    cull_set(f, PF_nurg, nurg);
    cull_set(f, PF_ntckts, ntckts);
    cull_set(f, PF_urg, rrcontr_of(job, g) + wtcontr + dlcontr_of(t, job, g));
    cull_set(f, PF_rrcontr, rrcontr_of(job, g));
    cull_set(f, PF_wtcontr, wtcontr);
    cull_set(f, PF_dlcontr, dlcontr_of(t, job, g));
    cull_set(f, PF_tickets, tickets);
    cull_set(f, PF_otickets, g->PG_otickets);
    cull_set(f, PF_ftickets, g->PG_ftickets);
    cull_set(f, PF_stickets, g->PG_stickets);
    double all = job->runs ? t->PT_running_tickets : t->PT_all_tickets;
    cull_set(f, PF_share, all > 0 ? share_within(tickets, 0, all) : 0);
}

/* ---- from book to book ---- */
static bool has_news(const struct prior_book *b)
{
    return !TAILQ_EMPTY(&b->unsent) || !b->has_begun ||
           !cull_equal(&cull_PT_Type, &b->terms, &b->sent);
}

uint64_t prior_order_due(const struct prior_book *b)
{
    return has_news(b) ? b->sent_s + 1 : 0;
}

/* those that are nothing any more are needed only until the other book has been told */
static void add_unsent(struct prior_book *b, struct OR_Type *order)
{
    struct prior_grant *grant;
    for (uint32_t n = 0; n < GRANTS_OF_ORDER && (grant = TAILQ_FIRST(&b->unsent)) != NULL; n++) {
        cull_copy(&cull_PG_Type, cull_append(order, OR_granted_by_policy), &grant->given);
        TAILQ_REMOVE(&b->unsent, grant, in_unsent);
        grant->is_unsent = false;
        if (is_nothing(&grant->given))
            grant_free(b, grant);
    }
}

bool prior_order(struct prior_book *b, uint64_t now_s, struct OR_Type_list *orders)
{
    bool goes_on = b->has_begun && !TAILQ_EMPTY(&b->unsent);
    if (!has_news(b) || !has_terms(&b->terms) || (!goes_on && now_s == b->sent_s))
        return false;
    struct OR_Type *order = cull_push(orders);
    cull_set(order, OR_kind, (uint32_t)ORDER_PRIOR);
    if (!b->has_begun)
        cull_set(order, OR_begins, true);
    if (!b->has_begun || !cull_equal(&cull_PT_Type, &b->terms, &b->sent))
        cull_copy(&cull_PT_Type, cull_append(order, OR_terms), &b->terms);
    b->sent = b->terms;
    add_unsent(b, order);
    b->has_begun = true;
    b->sent_s = now_s;
    return true;
}

static int check_order(const struct OR_Type *order, struct answer *ans)
{
    if (order->OR_granted_by_policy.n > GRANTS_OF_ORDER)
        return ans_fail(ans, STATUS_ESEMANTIC, MSG_PRIOR_ORDER_UU, order->OR_granted_by_policy.n,
                        (unsigned)GRANTS_OF_ORDER);
    for (uint32_t i = 0; i < order->OR_granted_by_policy.n; i++)
        if (check_grant(&order->OR_granted_by_policy.v[i], ans) < 0)
            return -1;
    return 0;
}

int prior_take(struct prior_book *b, const struct OR_Type *order, struct answer *ans)
{
    int rc = 0;
    if (check_order(order, ans) < 0)
        return -1;
    if (order->OR_begins)
        prior_book_clear(b);
    if (order->OR_terms.n > 0)
        b->terms = order->OR_terms.v[0];
    for (uint32_t i = 0; i < order->OR_granted_by_policy.n && rc == 0; i++) {
        const struct PG_Type *g = &order->OR_granted_by_policy.v[i];
        struct prior_grant *grant = find_of(b, g);
        if (grant != NULL && is_nothing(g))
            grant_free(b, grant);
        else
            rc = prior_grant(b, g, ans);
    }
    return rc;
}
