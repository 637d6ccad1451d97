/* Orders of jobs. Invariants: a number is in one set at most; what is before the cursor has been
 * shown, whatever has come and gone since. A job that starts, or is held, after it was ranked stays
 * where it was. */
#include "daemons/qmaster/requests/reads/job_order.h"

#include <stdlib.h>

#include "daemons/qmaster/requests/steps/select.h"
#include "daemons/qmaster/tables/slice.h"
#include "libs/config/conf.h"
#include "libs/config/prior_weights.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/alloc.h"
#include "libs/uti/pattern.h"

struct ranking {           /* what is known of the jobs that were looked at so far */
    struct job_order over; /* those that are to be ranked */
    uint64_t last_s;       /* submission of the last one that could run */
    uint32_t priority;     /* of all of these so far */
    bool has_ready, is_by_age, has_priorities;
};

/* ---- which ---- */
static const char *user_at(const struct GR_Type *gr, uint32_t i)
{
    return gr->GR_users.v[i].ST_name != NULL ? gr->GR_users.v[i].ST_name : "";
}

/* patterns are held against each job's owner when it is shown */
static bool names_all_users(const struct GR_Type *gr)
{
    bool are_names = gr->GR_users.n > 0;
    for (uint32_t i = 0; are_names && i < gr->GR_users.n; i++)
        are_names = !pattern_is_wild(user_at(gr, i));
    return are_names;
}

static void add_numbers_of(const struct qmaster *q, const char *user, struct range_set *out)
{
    const struct owner *o = jobs_owner(&q->jobs, user);
    if (o != NULL)
        range_set_unite(out, &o->numbers);
}

/* Is nothing wanted that waits? */
static bool wants_running_only(const struct GR_Type *gr)
{
    const char *states = gr->GR_states;
    return states != NULL && *states != '\0' && states[strspn(states, "rsz")] == '\0';
}

void job_order_begin(const struct qmaster *q, const struct GR_Type *gr, struct job_order *out)
{
    struct range_set *all = &out->sets[ORDER_REST];
    if (names_all_users(gr)) {
        for (uint32_t i = 0; i < gr->GR_users.n; i++)
            add_numbers_of(q, user_at(gr, i), all);
        if (wants_running_only(gr))
            range_set_intersect(all, &q->jobs.running);
    } else if (wants_running_only(gr)) {
        range_set_copy(all, &q->jobs.running);
    } else {
        range_set_add(all, 0, UINT32_MAX - 1);
    }
}

/* ---- the cursor ---- */
static uint32_t number_of(const struct job *job)
{
    return job->rec.JB_job_number;
}

/* the first job of the set that O is in, from the cursor on; NULL: it has no more */
static struct job *here_in_set(struct qmaster *q, struct job_order *o)
{
    struct range run;
    struct job *job = NULL;
    while (range_set_next_run(&o->sets[o->set], o->at, &run) &&
           (job = jobs_at_or_after(&q->jobs, run.first)) != NULL) {
        o->at = number_of(job);
        o->last = run.last;
        if (o->at <= run.last)
            return job;
    }
    return NULL;
}

struct job *job_order_here(struct qmaster *q, struct job_order *o)
{
    for (; o->set < ORDER_SETS; o->set++, o->at = 0) {
        struct job *job = here_in_set(q, o);
        if (job != NULL)
            return job;
    }
    return NULL;
}

struct job *job_order_next(struct qmaster *q, struct job_order *o, struct job *job)
{
    struct job *next = jobs_next(&q->jobs, job);
    o->at = (uint64_t)number_of(job) + 1;
    if (next == NULL || number_of(next) > o->last)
        return job_order_here(q, o);
    o->at = number_of(next);
    return next;
}

/* ---- the order ---- */
/* Does it have tasks that could run now, or that wait again after a start? */
static bool could_run(const struct qmaster *q, const struct job *job)
{
    return job->rare->n_records > 0 ||
           (job->rec.JB_execution_time <= q->now_s && job_has_ready(&job->rec));
}

static void note_ready(struct job_order *o, const struct job *job)
{
    struct ranking *r = o->ranking;
    uint64_t submitted_s = job->rec.JB_submission_time;
    if (!r->has_ready) {
        o->oldest_s = o->newest_s = submitted_s;
        r->priority = job->rec.JB_priority;
    }
    r->is_by_age = !r->has_ready || (r->is_by_age && submitted_s >= r->last_s);
    r->has_priorities = r->has_priorities || job->rec.JB_priority != r->priority;
    r->last_s = submitted_s;
    o->oldest_s = submitted_s < o->oldest_s ? submitted_s : o->oldest_s;
    o->newest_s = submitted_s > o->newest_s ? submitted_s : o->newest_s;
    r->has_ready = true;
}

static void rank_job(const struct qmaster *q, struct job_order *o, const struct job *job)
{
    unsigned set = job->rare->n_running > 0 ? ORDER_RUNNING : ORDER_REST;
    if (set == ORDER_REST && could_run(q, job))
        set = ORDER_READY;
    if (set == ORDER_READY)
        note_ready(o, job);
    range_set_add(&o->sets[set], number_of(job), number_of(job));
}

static void begin_ranking(struct job_order *o)
{
    struct ranking *r = uti_calloc(1, sizeof *r);
    r->is_by_age = true;
    range_set_move(&r->over.sets[ORDER_REST], &o->sets[ORDER_REST]);
    o->ranking = r;
}

static bool weighs_priority(const struct qmaster *q)
{
    const struct conf *c = settings_conf(&q->settings, CONF_SCHEDULER);
    return prior_weights_of(c != NULL ? &c->rec : NULL).priority > 0;
}

static void end_ranking(const struct qmaster *q, struct job_order *o)
{
    const struct ranking *r = o->ranking;
    o->is_ranked = r->is_by_age && !(r->has_priorities && weighs_priority(q));
    job_order_free(&o->ranking->over);
    free(o->ranking);
    o->ranking = NULL;
}

bool job_order_rank(struct qmaster *q, const struct GR_Type *gr, struct job_order *o)
{
    if (o->ranking == NULL)
        begin_ranking(o);
    struct job_order *over = &o->ranking->over;
    struct job *job = job_order_here(q, over);
    while (job != NULL) {
        if (select_has_owner(&gr->GR_users, job->rec.JB_owner))
            rank_job(q, o, job);
        job = job_order_next(q, over, job);
        if (slice_is_over(q))
            break;
    }
    if (job == NULL)
        end_ranking(q, o);
    return job == NULL;
}

void job_order_free(struct job_order *o)
{
    for (unsigned i = 0; i < ORDER_SETS; i++)
        range_set_free(&o->sets[i]);
    if (o->ranking != NULL)
        job_order_free(&o->ranking->over);
    free(o->ranking);
    *o = (struct job_order){ 0 };
}
