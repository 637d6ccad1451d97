/* GET of jobs. A read has a selection, or an order of jobs; a step adds one part of
 * at most STEP_TASKS task records and STEP_JOBS jobs, or a job more than STEP_BYTES, or of what the
 * time of its slice allows (work.h). Parts stop while the client has much unread. A part waits for
 * the batches that last changed what it shows; unchanged state is answered at once, whatever the
 * disk does. */
#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/connections.h"
#include "daemons/qmaster/change/job_files.h"
#include "daemons/qmaster/change/links.h"
#include "daemons/qmaster/change/request.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/jobs/depend.h"
#include "daemons/qmaster/jobs/petasks.h"
#include "daemons/qmaster/requests/explain/reasons.h"
#include "daemons/qmaster/requests/reads/reads.h"
#include "daemons/qmaster/requests/reads/wanted.h"
#include "daemons/qmaster/requests/steps/msg_requests.h"
#include "daemons/qmaster/requests/steps/select.h"
#include "daemons/qmaster/requests/steps/steps.h"
#include "daemons/qmaster/sched/events.h"
#include "daemons/qmaster/sched/priors.h"
#include "daemons/qmaster/tables/rights.h"
#include "libs/sgeobj/job_state.h"
#include "libs/uti/alloc.h"
#include "libs/uti/parse.h"
#include "libs/uti/pattern.h"

/* ---- which jobs, in what order ---- */
/* Orders of jobs. Invariants: a number is in one set at most; what is before the cursor has been
 * shown, whatever has come and gone since. A job that starts, or is held, after it was ranked stays
 * where it was. */
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
    bool is_ranked; /* when it is ranked: READY stands in the order of `prior`, the best first */
};

struct ranking {           /* what is known of the jobs that were looked at so far */
    struct job_order over; /* those that are to be ranked */
    double last;           /* `prior` of the last one that could run */
    bool has_ready, is_by_prior;
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

/* job_order_begin - what GR asks for, without GR_select. O(users named), and what their numbers
 * take as sets */
static void job_order_begin(const struct qmaster *q, const struct GR_Type *gr,
                            struct job_order *out)
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

/* job_order_here - the job that O is at; NULL at the end. O(log)
 * job_order_next - the one after JOB, which O is at, and which is there. Nearly always O(1) */
static struct job *job_order_here(struct qmaster *q, struct job_order *o)
{
    for (; o->set < ORDER_SETS; o->set++, o->at = 0) {
        struct job *job = here_in_set(q, o);
        if (job != NULL)
            return job;
    }
    return NULL;
}

static struct job *job_order_next(struct qmaster *q, struct job_order *o, struct job *job)
{
    struct job *next = jobs_next(&q->jobs, job);
    o->at = (uint64_t)number_of(job) + 1;
    if (next == NULL || number_of(next) > o->last)
        return job_order_here(q, o);
    o->at = number_of(next);
    return next;
}

/* ---- the order ---- */
static void note_ready(const struct qmaster *q, const struct PT_Type *terms, struct job_order *o,
                       const struct job *job)
{
    struct ranking *r = o->ranking;
    double prior = job_prior(events_prior(q), terms, job);
    r->is_by_prior = r->is_by_prior && (!r->has_ready || prior <= r->last);
    r->last = prior;
    r->has_ready = true;
}

static void rank_job(const struct qmaster *q, const struct PT_Type *terms, struct job_order *o,
                     const struct job *job)
{
    unsigned set = job->rare->n_running > 0 ? ORDER_RUNNING : ORDER_REST;
    if (set == ORDER_REST && job_is_active(job, q->now_s))
        set = ORDER_READY;
    if (set == ORDER_READY)
        note_ready(q, terms, o, job);
    range_set_add(&o->sets[set], number_of(job), number_of(job));
}

static void begin_ranking(struct job_order *o)
{
    struct ranking *r = uti_calloc(1, sizeof *r);
    r->is_by_prior = true;
    range_set_move(&r->over.sets[ORDER_REST], &o->sets[ORDER_REST]);
    o->ranking = r;
}

static void job_order_free(struct job_order *o)
{
    for (unsigned i = 0; i < ORDER_SETS; i++)
        range_set_free(&o->sets[i]);
    if (o->ranking != NULL)
        job_order_free(&o->ranking->over);
    free(o->ranking);
    *o = (struct job_order){ 0 };
}

static void end_ranking(struct job_order *o)
{
    o->is_ranked = o->ranking->is_by_prior;
    job_order_free(&o->ranking->over);
    free(o->ranking);
    o->ranking = NULL;
}

/* job_order_rank - O, which has begun, becomes ranked for GR: those with running tasks, those that
 * could run now, the others; by TERMS. One slice; true when it is done */
static bool job_order_rank(struct qmaster *q, const struct GR_Type *gr, const struct PT_Type *terms,
                           struct job_order *o)
{
    if (o->ranking == NULL)
        begin_ranking(o);
    struct job_order *over = &o->ranking->over;
    struct job *job = job_order_here(q, over);
    while (job != NULL) {
        if (select_has_owner(&gr->GR_users, job->rec.JB_owner))
            rank_job(q, terms, o, job);
        job = job_order_next(q, over, job);
        if (slice_is_over(q))
            break;
    }
    if (job == NULL)
        end_ranking(o);
    return job == NULL;
}

/* ---- reads ---- */
enum { STEP_JOBS = 400, STEP_TASKS = 4000, STEP_BYTES = 8 << 20 };

struct read {
    struct piece piece; /* waits in the lane of the connection that asked */
    struct qmaster *q;  /* all of them */
    uint64_t conn;
    uint32_t serial;
    uint32_t options;
    bool is_waiting; /* for files of a job */
    bool has_list;
    struct selection chosen; /* with a list: the jobs, and the index of the next one */
    uint32_t at;
    struct job_order order; /* without */
    bool is_ordered;        /* ... and ranked, if that was asked for */
    bool is_begun;          /* its first part is made */
    struct GR_Type gr;      /* users and fields asked for */
    uint32_t at_job;        /* the last part ended in this job: */
    uint32_t at_ordinal;    /* the next task record of it */
    uint64_t job_mask[(JB_Type_FIELDS + 63) / 64], task_mask[(JAT_Type_FIELDS + 63) / 64];
    bool wants_petasks;   /* JAT_petasks by its name */
    uint64_t priors;      /* fields of figures; 0: GA_priors is not wanted */
    struct PT_Type terms; /* by which all of it is ranked and shown */
    uint64_t after;
    struct job_reasons reasons;
    TAILQ_ENTRY(read) next;
};

static void read_free(struct piece *p)
{
    struct read *rd = (struct read *)p;
    TAILQ_REMOVE(&rd->q->reads, rd, next);
    selection_free(&rd->chosen);
    job_order_free(&rd->order);
    job_reasons_drop(&rd->reasons);
    cull_clear(&cull_GR_Type, &rd->gr);
    free(rd);
}

/* ---- which fields ---- */
static void fill_mask(const struct cull_type *t, const struct ST_Type_list *names, uint64_t *mask,
                      size_t words, unsigned must)
{
    unsigned n = 0;
    memset(mask, 0, words * sizeof *mask);
    for (uint32_t i = 0; i < names->n; i++) {
        int f = names->v[i].ST_name != NULL ? cull_field_index(t, names->v[i].ST_name) : -1;
        if (f < 0 || (t == &cull_JAT_Type && f == JAT_petasks)) /* no record has these */
            continue;
        mask[f / 64] |= UINT64_C(1) << (f % 64);
        n++;
    }
    if (n == 0)
        memset(mask, 0xff, words * sizeof *mask);
    mask[must / 64] |= UINT64_C(1) << (must % 64);
}

static bool has_name(const struct ST_Type_list *names, const char *name)
{
    for (uint32_t i = 0; i < names->n; i++)
        if (names->v[i].ST_name != NULL && strcmp(names->v[i].ST_name, name) == 0)
            return true;
    return false;
}

/* ---- one part ---- */
/* a copy that shares all members: for packing only, never freed */
static struct JB_Type shallow_job(const struct read *rd, const struct job *job)
{
    struct JB_Type rec = job->rec;
    for (size_t w = 0; w < ARRAY_LEN(rec.present); w++)
        rec.present[w] &= rd->job_mask[w];
    return rec;
}

static struct JAT_Type shallow_task(const struct read *rd, const struct task *t)
{
    struct JAT_Type rec = t->rec;
    for (size_t w = 0; w < ARRAY_LEN(rec.present); w++)
        rec.present[w] &= rd->task_mask[w];
    rec.present[JAT_task_number / 64] |= UINT64_C(1) << (JAT_task_number % 64);
    return rec;
}

struct part { /* vectors of shallow records */
    struct GA_Type ga;
    struct JB_Type deep; /* a job with its files: members of its own, freed with the part */
    uint32_t n_jobs, n_tasks;
    const struct job *active; /* whose figures are the last of GA_priors; NULL: they are none */
    size_t bytes;             /* of the jobs, whole; what was asked for may be less */
};

/* the figures of JOB, if it is active; NULL: there are none. Those of the job before it count for
 * it, too, if they are the same */
static void add_prior(struct qmaster *q, const struct read *rd, struct part *p,
                      const struct job *job)
{
    const struct prior_book *book = events_prior(q);
    struct PF_Type *last = p->ga.GA_priors.n > 0 ? &p->ga.GA_priors.v[p->ga.GA_priors.n - 1] : NULL;
    bool is_active = job != NULL && job_is_active(job, q->now_s);
    if (is_active && p->active != NULL && job_figures_equal(book, p->active, job)) {
        last->PF_jobs++;
        return;
    }
    struct PF_Type f = { 0 };
    if (is_active)
        f = job_figures(book, &rd->terms, job, q->now_s, rd->priors);
    p->active = is_active ? job : NULL;
    cull_set(&f, PF_jobs, last != NULL ? last->PF_jobs : 1);
    if (last != NULL && cull_equal(&cull_PF_Type, last, &f)) {
        last->PF_jobs++;
        return;
    }
    f.PF_jobs = 1;
    *(struct PF_Type *)cull_append(&p->ga, GA_priors) = f;
}

static void add_job(struct qmaster *q, struct read *rd, struct part *p, const struct JB_Type *rec,
                    const struct job *job)
{
    struct JB_Type *at = cull_append(&p->ga, GA_jobs);
    *at = *rec;
    p->n_jobs++;
    if (rd->priors != 0)
        add_prior(q, rd, p, job);
}

/* the first record at or after FROM of the tasks that were asked for; NULL at the end. O(log) for
 * each range of ids without one */
static struct task *next_task(const struct read *rd, struct job *job, uint64_t from)
{
    const struct picked *only = rd->has_list ? &rd->chosen.v[rd->at] : NULL;
    struct task *t = from <= UINT32_MAX ? job_task_first(job, (uint32_t)from) : NULL;
    struct range run;
    if (only == NULL || only->asked.n == 0)
        return t;
    while (t != NULL && !range_set_has(&only->ordinals, t->ordinal))
        t = range_set_next_run(&only->ordinals, t->ordinal, &run) ? job_task_first(job, run.first)
                                                                  : NULL;
    return t;
}

/* the records of a job's tasks from the cursor on; true when all are in */
static bool add_tasks(struct read *rd, struct part *p, struct job *job)
{
    if ((rd->options & GDI_WITH_TASKS) == 0)
        return true;
    struct task *t = next_task(rd, job, rd->at_ordinal);
    for (; t != NULL && p->n_tasks < STEP_TASKS; t = next_task(rd, job, (uint64_t)t->ordinal + 1)) {
        struct JAT_Type *at = cull_append(&p->ga, GA_tasks);
        *at = shallow_task(rd, t);
        p->n_tasks++;
        if (rd->wants_petasks && t->tight != NULL) {
            cull_mark(at, JAT_petasks);
            petasks_list(t, &at->JAT_petasks);
            p->n_tasks += at->JAT_petasks.n;
        }
    }
    rd->at_ordinal = t != NULL ? t->ordinal : 0;
    return t == NULL;
}

static void wait_for(struct read *rd, uint64_t number)
{
    if (number > rd->after)
        rd->after = number;
}

/* the script and the environment of a job are for those who may change it */
static bool may_see_files(struct qmaster *q, const struct read *rd, const struct job *job)
{
    const struct connection *from = connections_find(q, rd->conn);
    return from != NULL && right_over_job(q, &from->who, job);
}

/* add the job and as many task records as fit; true when it is done with, false when more of it
 * follows (or its files must be read) */
static bool visit_job(struct qmaster *q, struct read *rd, struct part *p, struct job *job)
{
    if (!select_has_owner(&rd->gr.GR_users, job->rec.JB_owner))
        return true;
    bool has_reasons = (rd->options & GDI_WITH_REASONS) != 0 && q->settings.has_job_info;
    if (rd->at_ordinal == 0) {
        links_tidy(job);
        struct JB_Type rec = shallow_job(rd, job);
        if ((rd->options & GDI_WITH_ENV) != 0) {
            if (p->n_jobs > 0)
                return false; /* one part for each, so that `deep` is one */
            if (has_reasons && !job_reasons_find(q, &rd->reasons, job))
                return false; /* that takes another slice */
            cull_copy(&cull_JB_Type, &p->deep, &rec);
            if (may_see_files(q, rd, job) && !job_files_get(q, job, &p->deep)) {
                cull_clear(&cull_JB_Type, &p->deep);
                rd->is_waiting = true;
                return false;
            }
            rec = p->deep;
            if (has_reasons)
                job_reasons_take(&rd->reasons, &p->ga);
        }
        add_job(q, rd, p, &rec, job);
    } else {
        struct JB_Type rec = { 0 }; /* seen before: its number only */
        rec.JB_job_number = job->rec.JB_job_number;
        cull_mark(&rec, JB_job_number);
        add_job(q, rd, p, &rec, NULL);
    }
    p->bytes += job->bytes;
    wait_for(rd, job->changed);
    return add_tasks(rd, p, job);
}

/* the job that the read is at, NULL at the end */
static struct job *job_here(struct qmaster *q, struct read *rd)
{
    struct job *job = NULL;
    if (!rd->has_list)
        job = job_order_here(q, &rd->order);
    for (; rd->at < rd->chosen.n && job == NULL; rd->at += job == NULL)
        job = jobs_find(&q->jobs, rd->chosen.v[rd->at].job);
    if (job == NULL || job->rec.JB_job_number != rd->at_job)
        rd->at_ordinal = 0; /* the one that the last part ended in has gone */
    return job;
}

/* ... the one after JOB, which is done with */
static struct job *job_after(struct qmaster *q, struct read *rd, struct job *job)
{
    rd->at_ordinal = 0;
    if (!rd->has_list)
        return job_order_next(q, &rd->order, job);
    rd->at++;
    return job_here(q, rd);
}

static void add_finished(struct qmaster *q, struct read *rd, struct part *p)
{
    struct job *job;
    TAILQ_FOREACH(job, &q->jobs.finished, in_named) {
        if (!select_has_owner(&rd->gr.GR_users, job->rec.JB_owner))
            continue;
        struct JB_Type rec = shallow_job(rd, job);
        add_job(q, rd, p, &rec, NULL);
    }
}

static void send_part(struct qmaster *q, struct read *rd, struct part *p, bool is_last)
{
    struct packer packed = { 0 };
    if (is_last)
        cull_set(&p->ga, GA_is_last, true);
    cull_pack(&packed, &cull_GA_Type, &p->ga, NULL);
    change_send(q, rd->after, rd->conn, GDI_FRAME_ANSWER, rd->serial, packed.data, packed.len);
    for (uint32_t i = 0; i < p->ga.GA_tasks.n; i++)
        cull_list_clear(&cull_PS_Type, &p->ga.GA_tasks.v[i].JAT_petasks);
    free(p->ga.GA_jobs.v); /* the elements are shallow: only the vectors are ours */
    free(p->ga.GA_tasks.v);
    p->ga.GA_jobs = (struct JB_Type_list){ 0 };
    p->ga.GA_tasks = (struct JAT_Type_list){ 0 };
    cull_clear(&cull_GA_Type, &p->ga);
    cull_clear(&cull_JB_Type, &p->deep);
}

static bool part_is_full(const struct qmaster *q, const struct part *p)
{
    return p->n_jobs >= STEP_JOBS || p->n_tasks >= STEP_TASKS || p->bytes >= STEP_BYTES ||
           slice_is_over(q);
}

static void add_ranking(struct read *rd, struct part *p)
{
    if ((rd->options & GDI_RANKED) == 0 || rd->has_list)
        return;
    if (rd->order.set > ORDER_RUNNING)
        cull_set(&p->ga, GA_rest_waits, true);
    if (rd->is_begun)
        return;
    cull_set(&p->ga, GA_is_ranked, rd->order.is_ranked);
    rd->is_begun = true;
}

/* one part, or a walk past jobs that were not asked for; true when the read is complete */
static bool part_step(struct qmaster *q, struct read *rd)
{
    struct part p = { 0 };
    struct job *job = job_here(q, rd);
    while (job != NULL) {
        rd->at_job = job->rec.JB_job_number;
        if (!visit_job(q, rd, &p, job))
            break;
        job = job_after(q, rd, job);
        if (part_is_full(q, &p))
            break;
    }
    rd->piece.is_waiting = rd->is_waiting;
    bool is_last = job == NULL;
    if (p.n_jobs == 0 && !is_last)
        return false;
    if (is_last && (rd->options & GDI_FINISHED) != 0)
        add_finished(q, rd, &p);
    if (is_last)
        wait_for(rd, q->jobs.removed);
    add_ranking(rd, &p);
    send_part(q, rd, &p, is_last);
    return is_last;
}

static bool read_step(struct qmaster *q, struct piece *piece)
{
    struct read *rd = (struct read *)piece;
    if (!rd->is_ordered) {
        rd->is_ordered = job_order_rank(q, &rd->gr, &rd->terms, &rd->order);
        if (!rd->is_ordered || slice_is_over(q))
            return false;
    }
    return part_step(q, rd);
}

static const struct piece_kind read_kind = { "a part of an answer", read_step, read_free };

void reads_job_files_arrived(struct qmaster *q)
{
    struct read *rd;
    TAILQ_FOREACH(rd, &q->reads, next) {
        if (!rd->is_waiting)
            continue;
        rd->is_waiting = false;
        piece_wake(&rd->piece);
    }
}

/* an entry that means no job is answered with its own text, so that the client can list them */
static void on_unmatched(struct request *r, const char *what)
{
    ans_add(&r->ans, STATUS_EUNKNOWN, ANSWER_QUALITY_INFO, "%s", what);
}

static enum step_result check_read(struct qmaster *q, struct request *r)
{
    if (r->gr.GR_fields.n > FIELDS_MOST) {
        ans_add(&r->ans, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, MSG_GET_FIELDS_UU,
                r->gr.GR_fields.n, (unsigned)FIELDS_MOST);
        return STEP_LAST;
    }
    return r->gr.GR_select.n > 0 ? select_begin(q, r, NULL, on_unmatched) : STEP_NEXT;
}

/* the answer begins: the chosen are what it shows; without GR_select an order has them */
static enum step_result begin_read(struct qmaster *q, struct request *r)
{
    struct read *rd = uti_calloc(1, sizeof *rd);
    rd->piece.kind = &read_kind;
    rd->q = q;
    rd->conn = r->from->conn;
    rd->serial = r->serial;
    rd->options = r->gr.GR_options;
    fill_mask(&cull_JB_Type, &r->gr.GR_fields, rd->job_mask, ARRAY_LEN(rd->job_mask),
              JB_job_number);
    fill_mask(&cull_JAT_Type, &r->gr.GR_fields, rd->task_mask, ARRAY_LEN(rd->task_mask),
              JAT_job_number);
    rd->wants_petasks = has_name(&r->gr.GR_fields, "JAT_petasks");
    rd->priors = priors_wanted(&r->gr.GR_fields);
    rd->terms = events_prior(q)->terms;
    rd->has_list = r->gr.GR_select.n > 0;
    rd->is_ordered = rd->has_list || (rd->options & GDI_RANKED) == 0;
    if (rd->has_list)
        rd->after = q->jobs.removed;
    else
        job_order_begin(q, &r->gr, &rd->order);
    rd->chosen = r->chosen;
    r->chosen = (struct selection){ 0 };
    rd->gr = r->gr;
    r->gr = (struct GR_Type){ 0 };
    TAILQ_INSERT_TAIL(&q->reads, rd, next);
    lane_put_piece(r->from->lane, &rd->piece);
    r->is_answered_later = true;
    if (r->ans.n > 0) {
        request_texts(&r->ans, &r->ga);
        change_answer(q, rd->after, rd->conn, rd->serial, &r->ga);
    }
    return STEP_LAST;
}

void get_jobs_request(struct qmaster *q, struct request *r)
{
    static step_fn *const steps[] = { check_read, select_jobs, begin_read, NULL };
    request_run(q, r, steps);
}
