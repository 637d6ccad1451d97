/* GET of jobs. A read has a list of job numbers (a selection, or the jobs of a user who has few) or
 * a cursor over all; a step adds one part of at most STEP_TASKS task records and STEP_JOBS jobs, or
 * a job more than STEP_BYTES, or of what the time of its slice allows (work.h). Parts stop while
 * the client has much unread. A part waits for the batches that last changed what it shows;
 * unchanged state is answered at once, whatever the disk does. */
#include <stdlib.h>

#include "daemons/qmaster/change/change.h"
#include "daemons/qmaster/change/job_files.h"
#include "daemons/qmaster/change/links.h"
#include "daemons/qmaster/change/sessions.h"
#include "daemons/qmaster/change/work.h"
#include "daemons/qmaster/jobs/depend.h"
#include "daemons/qmaster/requests/handlers.h"
#include "daemons/qmaster/requests/job_check.h"
#include "daemons/qmaster/requests/msg_requests.h"
#include "daemons/qmaster/requests/reads.h"
#include "daemons/qmaster/requests/reasons.h"
#include "daemons/qmaster/requests/select.h"
#include "daemons/qmaster/requests/wanted.h"
#include "daemons/qmaster/tables/rights.h"
#include "libs/uti/alloc.h"
#include "libs/uti/parse.h"

enum { STEP_JOBS = 400, STEP_TASKS = 4000, STEP_BYTES = 8 << 20, FEW_JOBS = 1000 };

struct read {
    struct piece piece;  /* waits in the lane of the connection that asked */
    struct reads *among; /* all of them */
    uint64_t conn;
    uint32_t serial;
    uint32_t options;
    bool is_waiting; /* for files of a job */
    bool has_list;
    struct selection chosen; /* of a selection: the jobs; `at` is the index */
    struct GR_Type gr;       /* users and fields asked for */
    uint32_t at;             /* index into chosen, or the next job number */
    uint32_t at_ordinal;     /* of the next task record of that job */
    uint64_t job_mask[(JB_Type_FIELDS + 63) / 64], task_mask[(JAT_Type_FIELDS + 63) / 64];
    uint64_t after;
    struct job_reasons reasons;
    TAILQ_ENTRY(read) next;
};
struct reads {
    TAILQ_HEAD(, read) all;
};

struct reads *reads_new(void)
{
    struct reads *r = uti_calloc(1, sizeof *r);
    TAILQ_INIT(&r->all);
    return r;
}

static void read_free(struct piece *p)
{
    struct read *rd = (struct read *)p;
    TAILQ_REMOVE(&rd->among->all, rd, next);
    selection_free(&rd->chosen);
    job_reasons_drop(&rd->reasons);
    cull_clear(&cull_GR_Type, &rd->gr);
    free(rd);
}

void reads_free(struct reads *all)
{
    free(all);
}

/* ---- which fields ---- */
static void fill_mask(const struct cull_type *t, const struct ST_Type_list *names, uint64_t *mask,
                      size_t words, unsigned must)
{
    unsigned n = 0;
    memset(mask, 0, words * sizeof *mask);
    for (uint32_t i = 0; i < names->n; i++) {
        int f = names->v[i].ST_name != NULL ? cull_field_index(t, names->v[i].ST_name) : -1;
        if (f < 0)
            continue;
        mask[f / 64] |= UINT64_C(1) << (f % 64);
        n++;
    }
    if (n == 0)
        memset(mask, 0xff, words * sizeof *mask);
    mask[must / 64] |= UINT64_C(1) << (must % 64);
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
    size_t bytes; /* of the jobs, whole; what was asked for may be less */
};

static void add_job(struct read *rd, struct part *p, const struct JB_Type *rec)
{
    (void)rd;
    struct JB_Type *at = cull_append(&p->ga, GA_jobs);
    *at = *rec;
    p->n_jobs++;
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
    const struct session *from = sessions_find(q, rd->conn);
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
        add_job(rd, p, &rec);
    } else {
        struct JB_Type rec = { 0 }; /* seen before: its number only */
        rec.JB_job_number = job->rec.JB_job_number;
        cull_mark(&rec, JB_job_number);
        add_job(rd, p, &rec);
    }
    p->bytes += job->bytes;
    wait_for(rd, job->changed);
    return add_tasks(rd, p, job);
}

/* the next job of the read, NULL at the end */
static struct job *next_job(struct qmaster *q, struct read *rd)
{
    if (!rd->has_list) {
        struct job *job = jobs_at_or_after(&q->jobs, rd->at);
        if (job != NULL && job->rec.JB_job_number != rd->at)
            rd->at_ordinal = 0; /* the one that the last part ended in has gone */
        return job;
    }
    for (; rd->at < rd->chosen.n; rd->at++, rd->at_ordinal = 0) {
        struct job *job = jobs_find(&q->jobs, rd->chosen.v[rd->at].job);
        if (job != NULL)
            return job;
    }
    return NULL;
}

static void add_finished(struct qmaster *q, struct read *rd, struct part *p)
{
    struct job *job;
    TAILQ_FOREACH(job, &q->jobs.finished, in_finished) {
        if (!select_has_owner(&rd->gr.GR_users, job->rec.JB_owner))
            continue;
        struct JB_Type rec = shallow_job(rd, job);
        add_job(rd, p, &rec);
    }
}

static void send_part(struct qmaster *q, struct read *rd, struct part *p, bool is_last)
{
    struct packer packed = { 0 };
    if (is_last)
        cull_set(&p->ga, GA_is_last, true);
    cull_pack(&packed, &cull_GA_Type, &p->ga, NULL);
    change_send(q, rd->after, rd->conn, GDI_FRAME_ANSWER, rd->serial, packed.data, packed.len);
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

/* one part, or a walk past jobs that were not asked for; true when the read is complete */
static bool read_step(struct qmaster *q, struct piece *piece)
{
    struct read *rd = (struct read *)piece;
    struct part p = { 0 };
    struct job *job = next_job(q, rd);
    while (job != NULL) {
        uint32_t number = job->rec.JB_job_number;
        if (!rd->has_list)
            rd->at = number; /* where the next part goes on if this job does not fit */
        if (!visit_job(q, rd, &p, job))
            break;
        rd->at = rd->has_list ? rd->at + 1 : number + 1;
        rd->at_ordinal = 0;
        job = next_job(q, rd);
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
    send_part(q, rd, &p, is_last);
    return is_last;
}

static const struct piece_kind read_kind = { "a part of an answer", read_step, read_free };

void reads_job_files_arrived(struct qmaster *q)
{
    struct read *rd;
    TAILQ_FOREACH(rd, &q->reads->all, next) {
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

static int by_number(const void *a, const void *b)
{
    const struct picked *x = a, *y = b;
    return x->job < y->job ? -1 : x->job > y->job;
}

static void choose_jobs_of(const struct owner *o, struct selection *chosen)
{
    for (const struct named_jobs *named = o->names; named != NULL; named = named->hh.next) {
        const struct job *job;
        TAILQ_FOREACH(job, &named->jobs, in_named) {
            chosen->v = uti_vec_grow(chosen->v, &chosen->cap, chosen->n + 1, sizeof *chosen->v);
            chosen->v[chosen->n++] = (struct picked){ .job = job->rec.JB_job_number };
        }
    }
}

/* Most people ask about themselves, and have few jobs: those are listed, so that nobody need look
 * at all the others. False: look. */
static bool choose_few(struct qmaster *q, const struct GR_Type *gr, struct selection *chosen)
{
    const char *user = gr->GR_users.n == 1 ? gr->GR_users.v[0].ST_name : NULL;
    if (user == NULL || pattern_is_wild(user))
        return false;
    const struct owner *o = jobs_owner(&q->jobs, user);
    if (o != NULL && o->n_jobs > FEW_JOBS)
        return false;
    if (o != NULL)
        choose_jobs_of(o, chosen);
    if (chosen->n > 1)
        qsort(chosen->v, chosen->n, sizeof *chosen->v, by_number);
    return true;
}

/* the answer begins: CHOSEN has what it shows, or is empty and it shows all, or all of some
 * users */
static void begin_read(struct qmaster *q, struct request *r, struct selection *chosen, uint32_t at)
{
    struct read *rd = uti_calloc(1, sizeof *rd);
    rd->piece.kind = &read_kind;
    rd->among = q->reads;
    rd->conn = r->from->conn;
    rd->serial = r->serial;
    rd->options = r->gr.GR_options;
    rd->at = at;
    fill_mask(&cull_JB_Type, &r->gr.GR_fields, rd->job_mask, ARRAY_LEN(rd->job_mask),
              JB_job_number);
    fill_mask(&cull_JAT_Type, &r->gr.GR_fields, rd->task_mask, ARRAY_LEN(rd->task_mask),
              JAT_job_number);
    rd->has_list = r->gr.GR_select.n > 0 || choose_few(q, &r->gr, chosen);
    if (r->gr.GR_select.n > 0)
        rd->after = q->jobs.removed;
    rd->chosen = *chosen;
    *chosen = (struct selection){ 0 };
    rd->gr = r->gr;
    r->gr = (struct GR_Type){ 0 };
    TAILQ_INSERT_TAIL(&q->reads->all, rd, next);
    lane_put_piece(r->from->lane, &rd->piece);
    r->is_taken = true;
    if (r->ans.n == 0)
        return;
    request_texts(&r->ans, &r->ga);
    change_answer(q, rd->after, rd->conn, rd->serial, &r->ga);
}

void get_jobs_request(struct qmaster *q, struct request *r)
{
    struct selection all = { 0 };
    if (r->gr.GR_fields.n > FIELDS_MOST)
        ans_add(&r->ans, STATUS_ESEMANTIC, ANSWER_QUALITY_ERROR, MSG_GET_FIELDS_UU,
                r->gr.GR_fields.n, (unsigned)FIELDS_MOST);
    else if (r->gr.GR_select.n > 0)
        select_jobs(q, r, NULL, on_unmatched, begin_read);
    else
        begin_read(q, r, &all, 0);
}
